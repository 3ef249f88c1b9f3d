#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# truth-chains.t: dependencies, chains and bounds of real runs against numbers computed independently
. "$(dirname "$0")/lib.sh"
plan 36
for how in deps both; do
	for s in dmda dmdas ws; do
		file=$DATA/cholesky-$s.csv
		is "$(traceviz critical-path -q --follow $how "$file" | cut -d, -f9 | sed 1d | tr -d . | awk '{ n += $1 } END { printf "%.0f", n }')" \
			"$(traceviz bounds -q "$file" | awk -F, '$2 == "makespan" { print $4 }' | tr -d .)" "$s adds up to the makespan ($how)"
	done
done

need_shared 30
runs=$SHARED/data/cholesky-idcin2/12
for s in dmda dmdas ws; do traceviz convert -q "$runs/$s" -o $s.csv; done

# merged backward chains of the 12 dpotrf: how many by depth
paths() { # RUN DEPTHS...
	run=$1; shift
	for depth; do printf '%s ' "$(traceviz paths -q --tasks type:dpotrf --depth "$depth" "$run.csv" | sed 1d | wc -l)"; done
}
is "$(paths dmda 1 2 3 4 5 6 8 10 15 20 30 root)" "12 12 3 3 3 3 2 2 2 1 1 1 " "paths of dmda by depth"
is "$(paths dmdas 1 2 3 4 5 6 8 10 15 20 30 root)" "12 12 2 2 2 1 1 1 1 1 1 1 " "paths of dmdas by depth"
is "$(paths ws 1 2 3 4 5 6 8 10 15 20 30 root)" "12 12 7 7 6 3 2 2 1 1 1 1 " "paths of ws by depth"

# and at depth 3 which: iteration k is the k-th dpotrf
groups() {
	traceviz chain -q --tasks type:dpotrf $1.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["Value"] == "dpotrf" { print $at["JobId"], $at["Path"] }' | sort -n |
		awk '{ g[$2] = g[$2] " " NR - 1 } END { for (p in g) print substr(g[p], 2) }' | sort -n | tr '\n' ';'
}
is "$(groups dmdas)" "0 1 2 3 4;5 6 7 8 9 10 11;" "groups of dmdas at depth 3"
is "$(groups dmda)" "0 1 2 3 4;5 6 7;8 9 10 11;" "groups of dmda"
is "$(groups ws)" "0 1;2 3 4;5 6;7;8;9 10;11;" "groups of ws"
traceviz paths -q --tasks type:dpotrf dmdas.csv >two
is "$(cut -d, -f3 two | tr '\n' ' ')" "ChosenTasks 5 7 " "the path with the greater delay comes first"
is "$(awk -F, 'NR > 1 { if (last != "" && $9 > last) print; last = $9 }' two)" "" "sorted by delay"

# the graph without ghosts
deps() { traceviz deps -q --all 'Kind == app' "$1.csv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["Kind"] == "app" { edges += split($at["Dependencies"], x, " "); roots += $at["LastDependency"] == ""
		early += $at["Delay"] < 0; if ($at["LastDependency"] != "") wait += $at["Delay"] } END { printf "%d %d %d %.3f", edges, roots, early, wait }'; }
is "$(deps dmda)" "858 1 0 7013.929" "edges, roots, tasks before their release, sum of the others' delays of dmda"
is "$(deps dmdas)" "858 1 0 7040.808" "those of dmdas"
is "$(deps ws)" "858 1 0 2259.800" "those of ws"

# the observed chain: tasks, compute, wait
chain() { # RUN HOW
	traceviz critical-path -q --follow "$2" "$1.csv" | awk -F, 'NR > 1 { n[$2]++; t[$2] += $9 } END {
		printf "%d %.3f %.3f", n["task"], t["task"], t["wait"] }'
}
is "$(chain dmda deps)" "27 514.892 248.774" "dmda along dependencies"
is "$(chain dmdas deps)" "32 527.801 201.089" "dmdas along dependencies"
is "$(chain ws deps)" "24 1050.619 7.557" "ws along dependencies"
is "$(chain dmda both)" "78 747.333 16.334" "dmda along dependencies and workers"
is "$(chain dmdas both)" "75 712.239 16.651" "dmdas along dependencies and workers"
is "$(chain ws both)" "24 1050.619 7.557" "ws along dependencies and workers"
traceviz critical-path -q --follow deps dmdas.csv >chain
is "$(awk -F, '$2 == "task" { print $4 }' chain | sort | uniq -c | awk '{ printf "%s %s ", $1, $2 }')" \
	"2 dgemm 10 dpotrf 9 dsyrk 11 dtrsm " "types on the chain of dmdas"
is "$(awk -F, '$2 == "task" && $7 >= 398.2 { print $4 }' chain | tr '\n' ' ' | sed 's/dsyrk dpotrf dtrsm /./g')" \
	"dpotrf dtrsm .....dsyrk dpotrf " "from 398.2 on in turn"
is "$(awk -F, '$2 == "wait" && $9 > w { w = $9; s = sprintf("%.1f %s %.1f", $9, $4, $8) } END { print s }' chain)" \
	"40.3 dtrsm 294.9" "its longest wait"

# bounds in all variants
bound() { # BOUND OPTIONS...
	name=$1; shift
	for s in dmda dmdas ws; do
		traceviz bounds -q "$@" $s.csv | awk -F, -v b="$name" '$2 == b { printf "%.3f ", $4 }'
	done
}
is "$(bound abe-integer --integer)" "418.437 433.785 438.799 " "abe in whole tasks"
is "$(bound abe --durations median)" "411.698 417.503 416.845 " "abe with medians"
is "$(bound abe --durations minimum)" "374.872 374.534 371.450 " "abe with minima"
is "$(bound cpe --durations minimum)" "336.314 336.593 340.450 " "cpe with minima"
at_least() { # GOT WANT: three numbers each
	echo "$1 $2" | awk '{ exit !($1 >= $4 && $2 >= $5 && $3 >= $6) }'
}
ok "tight is at least the best pair of dpotrf" at_least "$(bound tight --tight)" "451.479 469.595 473.595"
ok "with minima too" at_least "$(bound tight --tight --durations minimum)" "406.667 406.777 403.739"
ok "and below the makespan" at_least "763.666 728.890 1058.175" "$(bound tight --tight --durations minimum)"
is "$(traceviz bounds -q dmdas.csv | awk -F, '$2 == "abe" { print $3, $6 }')" "estimate 1" "dpotrf never ran on CUDA"
is "$(traceviz bounds -q --durations-from dmdas.csv ws.csv | awk -F, '$2 == "abe" { printf "%.3f", $4 }')" "433.677" \
	"the durations of another run of the same tasks give its area bound"
is "$(traceviz bounds -q --forbid dgemm:CPU dmdas.csv | awk -F, '$2 == "abe" { print $6 }')" 2 "a forbidden pair is counted"
