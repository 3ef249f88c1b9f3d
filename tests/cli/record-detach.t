#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-detach.t: a detached task of OpenMP ends with the fulfillment of its event. The truth is what the program prints.
# needs clang
. "$(dirname "$0")/lib.sh"
plan 33

bin=${TRACEVIZ_BIN:-$ROOT/build}
[ -f "$bin/record/libtraceviz-openmp.so" ] || { skip 33 "no OpenMP probe was built"; exit 0; }
clang -O1 -g -fopenmp -o detach "$ROOT/tests/record/detach.c" -lpthread 2>clang.err || { skip 33 "clang has no OpenMP"; exit 0; }
${CC:-cc} -D_GNU_SOURCE -I"$ROOT" -O1 -o dump_log "$ROOT/tests/record/dump_log.c" || exit 1

# cells FILE COLUMN...: of the tasks, one row each; numbers of the columns from the header
cells() {
	file=$1; shift
	awk -F, -v names="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		{ line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") (name[i] in at && $at[name[i]] != "" ? $at[name[i]] : "-"); if (!("JobId" in at) || $at["JobId"] != "") print line }' "$file"
}
# cell FILE JOB COLUMN
cell() { cells "$1" JobId "$3" | awk -v job="$2" '$1 == job { print $2 }'; }
# The time 0 of the tables, in ns of the program's clock: the start of the first task.
origin() { ./dump_log "$1"/*.tvlog | awk '$3 == "SCHEDULE" && $4 == 7 && (min == "" || $2 < min) { min = $2 } END { printf "%.0f\n", min }'; }
# between MODE JOB: the job was released between the fulfillment and its begin
between() {
	awk -v zero="$(origin "$1")" -v release="$(cell "$1.deps" "$2" Released)" '$1 == "fulfill" { f = ($2 - zero) / 1e6 } $1 == "begin" { b = ($2 - zero) / 1e6 }
		END { print f, release, b; exit !(release >= f - 1e-6 && release <= b + 1e-6) }' "$1.out"
}

for mode in depend taskwait taskgroup barrier early thread; do
	run traceviz record --quiet -o $mode -- ./detach $mode
	cp stdout $mode.out
	is "$rc $(grep -c . $mode.out)" "0 2" "$mode: recorded, with its fulfillment and the begin of what comes after it"
	traceviz convert -q $mode -o $mode.csv
	traceviz deps --csv -q $mode >$mode.deps
	follows=$(cells $mode.deps JobId Kind | awk '$2 == "app" { job = $1 > job ? $1 : job } END { print job }')
	[ $mode != depend ] || follows=2
	ok "$mode: what waits for the task was released between its fulfillment and the own begin" between $mode "$follows"
done

is "$(cell depend.deps 1 Flag) $(cell thread.deps 1 Flag) $(cell early.deps 1 Flag)" "detached detached -" "the flag of tasks that end after their body"
is "$(cells depend.deps JobId Kind DependsOn ParentJob | sort)" "1 app - -
2 app g1 -
3 app 1 1
g1 ghost 3 1 3" "a ghost is the fulfillment: it depends on the task, and was created by the one that fulfilled the event"
is "$(cell depend.deps 2 LastDependency)" 3 "which is the last dependency of what comes after it"
is "$(cells taskwait.deps JobId DependsOn | grep "^g2") $(cells taskgroup.deps JobId DependsOn | grep '^g2') $(cells barrier.deps JobId DependsOn | grep '^g2')" \
	"g2 g1 g2 2 g1 g2 2 g1" "so do taskwait, taskgroup and barrier depend on it"
is "$(cells thread.deps JobId Kind DependsOn | sort)" "1 app -
2 app 1 g1
g1 message 1" "what no task fulfills is an operation of its own, without a worker"
is "$(cell thread.deps g1 Start)" "$(cell thread.deps 1 End)" "from the end of the body"
is "$(cell thread.deps g1 End)" "$(cell thread.deps 2 Released)" "to the release of what comes after it"
run traceviz record --quiet -o undeferred -- ./detach undeferred
traceviz deps --csv -q undeferred >undeferred.deps
is "$rc $(cells undeferred.deps JobId DependsOn Flag | sort)" "0 1 - undeferred detached
2 1 -
3 - -" "an undeferred one lets the program go on at the end of its body: the next task does not wait for the event"
is "$(cells early.deps JobId DependsOn | sort)" "1 -
2 1" "an event that is fulfilled before the end of the body changes nothing"

# Each type runs once, so the path is the sum of the durations on it.
path() { cells "$1.deps" JobId Duration | awk -v jobs=" $2 " 'index(jobs, " " $1 " ") { sum += $2 } END { printf "%.6f\n", sum }'; }
cpe() { traceviz bounds --csv -q "$1" | awk -F, '$2 == "cpe" { print $4 }'; }
is "$(cpe depend)" "$(path depend "1 2 3")" "cpe: the task, the one that fulfills its event, the one after it"
is "$(cpe thread)" "$(path thread "1 2")" "cpe: an operation outside of tasks counts nothing, as messages"
cause() { traceviz idle-causes --csv -q "$1" | awk -F, "$by_name"'$c["Cause"] == "dependencies" { print int($c["Time"]) }'; }
ok "idle-causes: the other thread waits for dependencies during the 20 ms that the fulfilling task takes" [ "$(cause depend)" -ge 20 ]

# Simulated, the successor begins at the same share of the fulfilling task, after its 20 ms.
for mode in depend thread; do
	traceviz simulate -q $mode -o $mode.sim
	cells $mode.sim/tasks.csv JobId Start End >$mode.times
done
after() { awk -v a="$2" -v b="$3" '$1 == a { s = $2; e = $3 } $1 == b { t = $2 } END { exit !(t - ('"$4"') >= 20) }' "$1.times"; }
ok "simulate: the successor starts 20 ms after the fulfilling task started" after depend 3 2 s
ok "simulate: and 20 ms after the end of the body where no task fulfills the event" after thread 1 2 e

traceviz convert -q thread -o thread.rec --to rec
like "$(cat thread.rec)" "*JobId: 2*DependsOn: 1*" "a format without operations has the dependency on the task"

run traceviz record --quiet -o never -- ./detach never
traceviz deps --csv -q never >never.deps 2>/dev/null
is "$(cells never.deps JobId Kind Flag | grep '^[12]')" "1 app open
2 pending -" "an event that nobody fulfills: the task is open, the one after it pending"
is "$(cells never.deps Kind End | awk '$1 == "message" { print $2 }')" "$(traceviz info --csv -q never 2>/dev/null | sed -n 's/^time (ms),last event,//p')" \
	"and its operation lasts to the end of the recording"

# The tables of a run that is read again say the same.
for mode in depend thread; do
	is "$(traceviz deps --csv -q $mode.csv | cells /dev/stdin JobId Released | sort)" "$(cells $mode.deps JobId Released | sort)" "$mode: the tables have the same releases"
	is "$(traceviz bounds --csv -q $mode.csv)" "$(traceviz bounds --csv -q $mode | grep -v ,cpu-time,)" "$mode: and bounds"
done
