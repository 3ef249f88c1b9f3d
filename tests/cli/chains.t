#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# chains.t: deps, chain, paths, critical-path and bounds on the samples: identities, pipes, options, bad files
. "$(dirname "$0")/lib.sh"
plan 44
samples="cholesky-dmda cholesky-dmdas cholesky-ws cholesky"
ns() { awk '{ sub(/\./, ""); printf "%.0f\n", $0 }'; }
value() { awk -F, -v b="$1" '$2 == b && $1 == "" { print $4 }'; } # BOUND, of bounds on stdin

for s in $samples; do
	traceviz bounds -q --tight --integer --durations minimum "$DATA/$s.csv" >min
	traceviz bounds -q --tight "$DATA/$s.csv" >mean
	makespan=$(value makespan <min | ns)
	for how in both deps; do
		is "$(traceviz critical-path -q --follow $how "$DATA/$s.csv" | cut -d, -f9 | sed 1d | tr -d . |
			awk '{ n += $1 } END { printf "%.0f", n }')" "$makespan" "$s: segments add up ($how)"
	done
	is "$(traceviz critical-path -q --durations mean-fastest "$DATA/$s.csv" | tail -1 | cut -d, -f8)" \
		"$(value cpe <mean)" "$s: the static path is cpe"
	is "$(traceviz critical-path -q --durations minimum-fastest "$DATA/$s.csv" | tail -1 | cut -d, -f8)" \
		"$(value cpe <min)" "$s: the static path of minima is cpe of minima"
	is "$(awk -F, -v m="$makespan" 'NR > 1 && $3 == "bound" { sub(/\./, "", $4); if ($4 + 0 > m + 0) print }' min)" "" \
		"$s: no bound above the makespan"
	is "$(cat min mean | awk -F, '{ t[$2] = $4 } $2 == "tight" && (t["tight"] < t["cpe"] || t["tight"] < t["abe"]) ||
		$2 == "abe-integer" && t[$2] < t["abe"]')" "" "$s: tight is at least cpe and abe, whole tasks at least abe"
	is "$(traceviz paths -q --tasks 'Start >= 0' --depth root "$DATA/$s.csv" | awk -F, 'NR > 1 { n += $4 } END { print n }')" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Kind") k = i } $k == "app"' "$DATA/$s.csv" | wc -l)" \
		"$s: every task is on one path"
done

# durations from files
s=$DATA/cholesky-ws.csv
traceviz bounds -q "$s" >own
traceviz abe -q "$s" >table.csv
bars() { cut -d, -f1,2,4,5 "$1"; }
traceviz bounds -q --durations-from "$s" "$s" >self
is "$(bars self)" "$(bars own)" "durations of its own tasks give the same"
traceviz bounds -q --durations-from table.csv "$s" >self
is "$(awk -F, 'NR > 1 { printf "%.4f ", $4 }' self)" "$(awk -F, 'NR > 1 { printf "%.4f ", $4 }' own)" "and of its own table"
traceviz bounds -q --durations minimum "$s" >own
traceviz bounds -q --durations minimum --durations-from "$s" "$s" >self
is "$(bars self)" "$(bars own)" "the minima of its own tasks too"
is "$(cut -d, -f3 self | sort -u | tr '\n' ' ')" "Nature estimate observed " "what comes from a file is an estimate"
run traceviz bounds -q --durations minimum --durations-from table.csv "$s"
is "$rc $(cat stderr)" "2 traceviz: table.csv holds means: --durations needs tasks for anything else" "a table has means only"
sed 's/,[0-9.]*$/,soon/' table.csv >bad.csv
run traceviz bounds -q --durations-from bad.csv "$s"
is "$rc $(cat stderr)" "1 traceviz: bad.csv:2: MeanDuration 'soon', expected a time in ms from 0" "a bad time is named"
sed "2p" table.csv >twice.csv
run traceviz bounds -q --durations-from twice.csv "$s"
like "$rc $(cat stderr)" "1 traceviz: twice.csv: two durations of type '*' on 'C*'" "a pair twice is an error"
grep -v -i potrf table.csv >short.csv
traceviz bounds --durations-from short.csv "$s" >self 2>stderr
is "$(awk -F, 'NR > 1 { printf "%.4f ", $4 }' self)" "$(traceviz bounds -q "$s" | awk -F, 'NR > 1 { printf "%.4f ", $4 }')" \
	"a type that the table does not have keeps the durations of the run"
like "$(cat stderr)" "*--durations-from has no duration of 2 pairs of task type and resource type that ran: they have those of the run*" "with a warning"
run traceviz bounds -q --durations-from "$ROOT/README.md" "$s"
is "$rc" 1 "neither table nor tasks"
run traceviz bounds --forbid 'NOSUCH:CPU,g*m:CUDA' "$s"
like "$rc $(cat stderr)" "0 *--forbid 'NOSUCH:CPU' matches no task type and resource type*" "an entry that forbids nothing"
is "$(grep -c 'matches no task type' stderr)" 1 "the other one does"
traceviz bounds -q --forbid 'g*m:CUDA' "$s" >self
awk -F, 'tolower($2) ~ /gemm/ && $3 == "CUDA" { $6 = "" } { print }' OFS=, table.csv >no.csv
is "$(value abe <self | ns)" "$(traceviz bounds -q --forbid 'g*m:CUDA' --durations-from no.csv "$s" | value abe | ns)" "also where the durations come from a table"

# pipes
traceviz convert -q "$DATA/cholesky-paje" -o run
awk -F, -v OFS=, '{ print $0, NR == 1 ? "Mine" : "row " NR }' run/tasks.csv >mine.csv
cp mine.csv run/tasks.csv
pipe() { traceviz outliers -q "$@" | traceviz deps -q | traceviz chain -q --tasks outlier --depth root; }
pipe run >folder
pipe - <mine.csv >single
is "$(cksum <folder)" "$(cksum <single)" "outliers, deps and chain: the same from a folder and from a pipe"
is "$(cut -d, -f1-3 single | cksum)" "$(cut -d, -f1-3 mine.csv | cksum)" "the rows stay as they were"
is "$(head -1 single | tr , '\n' | tail -15 | tr '\n' ' ')" "Mine Outlier Threshold LastDependency Message Released Delay \
Dependencies Exclusions Path Distance Previous DependencyKind Wait MaxDepth " "columns are added behind the user's"
