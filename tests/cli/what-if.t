#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# what-if.t: runs of a program that a list scheduler of the test ran (list_run.pl), with one thing wrong: what the change is said to give, against the
# run without it.
. "$(dirname "$0")/lib.sh"
plan 30

list() { perl "$ROOT/tests/cli/list_run.pl" "$@"; }
makespan() { traceviz bounds -q "$1" | sed -n 's/^,makespan,observed,\([0-9.]*\).*/\1/p'; }

# advice KIND ARGUMENTS: the grain that a run of ARGUMENTS is advised, and whether it is at most twice or half the best one: the smallest, or coarsest, that is
# within 1 % of the run of the shortest; whether the gain is that of the run with this grain, within the printed error or 0.1 % of the run
advice() {
	kind=$1
	shift
	list "$@" >run.csv
	recorded=$(makespan run.csv)
	: >grains
	for k in 2 4 8 16 32 64 128; do
		g=$k
		[ "$kind" = merge ] || g=1/$k
		list "$@" grain=$g >grain.csv
		echo "$k $(makespan grain.csv)" >>grains
	done
	traceviz what-if -q run.csv | grep -E "^[0-9]+,\"?$kind " | tr -d '"' | sed 's/, \([0-9]* at\)/ \1/' >row
	[ "$(wc -l <row)" = 1 ] || return 1
	awk -v run="$recorded" 'NR == FNR { split($0, f, ","); match(f[2], /(into |work )[0-9]+/); k = substr(f[2], RSTART + 5, RLENGTH - 5) + 0; gain = f[5]; error = f[7]; next }
		{ time[$1] = $2; if (!min || $2 < min) min = $2 }
		END { for (best = 2; time[best] - min > run / 100; best *= 2) ; off = run - time[k] - gain; off = off < 0 ? -off : off
			printf "# %d at %.3f, best %d at %.3f, gain off by %.6f of %.3f, error %.6f\n", k, time[k], best, min, off, run, error
			exit !(k >= best / 2 && k <= best * 2 && (off <= error || off <= run / 1000)) }' row grains
}
advised() { ok "$*" advice "$@"; }
# Tasks that are too small: a runtime that costs as much as they take; layers, which one task can hold up; chains; a slow program; more workers.
advised merge tasks=4096 time=10 overhead=10
advised merge tasks=4096 time=10 overhead=4
advised merge tasks=512 steps=20 time=10 overhead=10
advised merge tasks=8 steps=128 chains=1 time=20 overhead=10
advised merge tasks=4096 time=10 create=8 overhead=1
advised merge tasks=4096 time=10 overhead=5 workers=16
# Tasks that are too large: workers are idle at the end of the run, or of each layer.
advised split tasks=9 time=1000 overhead=5
advised split tasks=5 steps=10 time=1000 overhead=5
advised split tasks=17 steps=3 time=5000 overhead=20 workers=16

# Runs with a good grain: no advice, also where one worker is slow, or the network or the placement is what costs.
: >advised
for run in "tasks=400 time=1000 overhead=5" "tasks=4096 time=10 overhead=.2" "tasks=512 steps=20 time=100 overhead=1" "tasks=400 time=1000 overhead=5 slow=2" \
	"tasks=4096 time=100 create=24"; do
	# shellcheck disable=SC2086 # words
	list $run >run.csv
	traceviz what-if -q run.csv | grep -E 'merge|split' | sed "s/^/$run: /" >>advised
done
for run in cholesky-dmda.csv cholesky-dmdas.csv cholesky-ws.csv; do traceviz what-if -q "$DATA/$run" | grep -E 'merge|split' | sed "s/^/$run: /" >>advised; done
is "$(cat advised)" "" "good grains: no advice"

# Threads without a processor start tasks late, too: their tasks are no smaller than those of others.
list tasks=4096 time=10 overhead=10 >run.csv
for share in 0.85 0.95; do
	awk -F, -v OFS=, -v share=$share 'NR == 1 { print $0, "task-clock"; next } { print $0, $3 == "" ? "" : ($4 - $3) * share * 1e6 }' run.csv >clocked.csv
	is "$(traceviz what-if -q clocked.csv | grep -c 'merge tasks')" "$(awk "BEGIN { print ($share > 0.9) }")" "tasks that had a processor for $share of their time"
done

# The options of the row give its makespan, and the picture of rank 1.
list tasks=512 steps=20 time=10 overhead=10 >run.csv
traceviz what-if -q run.csv >rows
sed -n 's/.*,simulated,"*\(.*--grain [^"]*\)"*$/traceviz simulate -q run.csv \1/p' rows >options
is "$(sh options | awk -F, '$1 == "simulated" { print $4, $5 }')" "$(grep merge rows | awk -F, '{ print 80, $4 }')" "the options of the row give its makespan, with 80 tasks"
run traceviz what-if run.csv -o best.png
is "$rc $(head -c 4 best.png | tail -c 3)" "0 PNG" "and the picture"
sh -c "$(cat options) -o changed/"
is "$(grep Grain changed/meta.csv)" "Grain,work=128" "the trace says its grain"

# A worker that takes twice as long: its row is the run without that.
for run in "tasks=400 overhead=2" "tasks=64 steps=20 overhead=2" "tasks=400 workers=8 overhead=2"; do
	# shellcheck disable=SC2086
	list $run slow=2 >slow.csv && list $run >even.csv
	traceviz what-if -q slow.csv | grep ', scheduler' | grep 'as fast as others' | tr -d '"' >row
	ok "$run: a slow worker" awk -F, -v even="$(makespan even.csv)" '{ off = $4 - even; exit !($1 > 0 && (off < 0 ? -off : off) <= ($8 > even / 200 ? $8 : even / 200)) } END { exit !NR }' row
done
# One more worker beside the slow one, which stays slow: its tasks take no longer on the new one.
list tasks=400 overhead=2 slow=2 >slow.csv && list tasks=400 overhead=2 workers=5 slow=2 >more.csv
traceviz what-if -q slow.csv | grep 'one more' >row
ok "one more worker beside a slow one" awk -F, -v more="$(makespan more.csv)" '{ off = $3 - more; exit !($1 > 0 && (off < 0 ? -off : off) <= more / 100) } END { exit !NR }' row
# Where tasks do not move, only the slow worker becomes shorter: it held the others up.
list tasks=8 steps=40 static=1 slow=3 >slow.csv && list tasks=8 steps=40 static=1 >even.csv
traceviz what-if -q slow.csv | grep 'same tasks' | tr -d '"' >row
ok "a slow worker whose tasks do not move" awk -F, -v even="$(makespan even.csv)" '{ off = $4 - even; exit !($1 > 0 && (off < 0 ? -off : off) <= even / 100) } END { exit !NR }' row
# The same for a part of the run: only then it is made faster, and there is no row of the whole run.
for run in "from=20000 to=60000 slow=2" "from=0 to=40000 slow=1.5" "from=10000 to=100000 slow=3" "from=80000 slow=2" "static=1 from=30000 to=70000 slow=2"; do
	# shellcheck disable=SC2086
	list tasks=400 overhead=2 $run >slow.csv
	kind=scheduler
	case $run in static*) kind="same tasks" && list tasks=400 overhead=2 static=1 >even.csv ;; *) list tasks=400 overhead=2 >even.csv ;; esac
	traceviz what-if -q slow.csv | grep 'as fast as others' | tr -d '"' >rows
	grep ", $kind" rows >row
	ok "slow for a time: $run" awk -F, -v even="$(makespan even.csv)" '{ off = $4 - even; exit !($1 > 0 && / from .* to / && (off < 0 ? -off : off) <= ($8 > even / 200 ? $8 : even / 200)) } END { exit NR != 1 }' row
done
traceviz what-if -q slow.csv | sed -n 's/.*,simulated,"*\(.*--scheduler replay.*Start .*\)/\1/p' | sed 's/"$//; s/""/"/g' | sed 's/^/traceviz simulate -q slow.csv /' >options
is "$(sh options | awk -F, '$1 == "simulated" { print $5 }')" "$(awk -F, '/same tasks/ { print $4 }' rows)" "the options of the row give its makespan"
list tasks=400 | awk -F, -v OFS=, 'function f(t) { return t < 30 ? t : t < 60 ? 2 * t - 30 : t + 30 } NR > 1 && $3 != "" { $3 = f($3); $4 = f($4) } 1' >longer.csv
is "$(traceviz what-if -q longer.csv | grep -c 'as fast as')" 0 "all workers are slow at that time: no row"
list tasks=400 >even.csv
is "$(traceviz what-if -q even.csv | grep -c 'as fast as')" 0 "no worker is slow: no row"
# A node on which all takes twice as long: its workers are not listed one by one.
for node in 0 1; do
	list tasks=200 workers=2 | sed $((node + 1))',$!d' | awk -F, -v OFS=, -v n=$node 'NR == 1 && !n { print $0, "Node"; next }
		{ $1 = n "_" $1; if ($5 != "") { $5 = n "_" $5; $3 *= n + 1; $4 *= n + 1 } print $0, n }'
done >nodes.csv
is "$(traceviz what-if -q nodes.csv | grep 'as fast as' | sed 's/[^"]*"\([^,]*\),.*/\1/' | sort -u)" "node 1 as fast as others of type CPU" "a slow node: one change, not one of each worker"
run traceviz simulate nodes.csv --grain work=1/1000000
is "$rc $(cat stderr | tail -1)" "1 traceviz: nodes.csv: --grain 'work=1/1000000': more than 50000000 parts of 400 tasks, expected fewer" "too many parts"
