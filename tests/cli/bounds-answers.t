#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bounds-answers.t: no bound of a run whose cause is known is above its makespan.
. "$(dirname "$0")/lib.sh"
plan 3
need_shared 3
cases=$SHARED/data/answers/cases
[ -d "$cases" ] || { skip 3 "the shared data have no answers"; exit 0; }

n=0
for run in "$cases"/*/run*; do
	traceviz bounds --csv -q "$run" >table 2>errors || grep -q 'no task to count' errors || echo "$run: $(cat errors)" >>failed
	awk -F, -v run="${run#"$cases"/}" '$2 == "makespan" { makespan[$1] = $4 }
		NR > 1 && $4 > makespan[$1] { print run, $0 }
		$2 == "cpu-time" { print run > "cpu-time" }' table >>above
	n=$((n + 1))
done
ok "each of the $n runs has bounds, or no task" [ ! -e failed ]
is "$(cat above)" "" "none is above the makespan of its run or node"
is "$(cat cpu-time)" "preempted/run" "cpu-time is a row where tasks were recorded with task-clock"
