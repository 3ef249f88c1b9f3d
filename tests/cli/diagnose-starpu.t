#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-starpu.t: answers about runs as recorded from StarPU: waits for all tasks, priorities, the policy of the run
. "$(dirname "$0")/lib.sh"

plan 23

text() { traceviz diagnose -q "$@" 2>/dev/null | xargs -0 | tr -s ' \n' ' '; }
row() { # ID TRACE COLUMN: a cell of a finding
	traceviz diagnose -q --json "$2" | tr '{' '\n' | sed -n "/\"Id\": *\"$1\"/s/.*\"$3\": *\"\{0,1\}\([^\",]*\).*/\1/p"
}

# 68 filters of 20 ms on two workers, and a chain of 30 tasks of 45 ms. halves NAME SUBMIT PRIORITY: the chain comes after the filters, is
# submitted then and has that priority, filters the negative one.
halves() {
	mkdir "$1"
	awk -v submit="$2" -v priority="$3" 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,DependsOn,SubmitTime,Priority"
		for (i = 0; i < 68; i++) { t = 20 * int(i / 2); print "CPU" i % 2 ",CPU,filter," i + 1 "," t "," t + 20 ",,0," (0 - priority) }
		for (i = 0; i < 30; i++) print "CPU0,CPU,advance," i + 101 "," 681 + 45 * i "," 726 + 45 * i "," (i ? i + 100 : "") "," submit "," priority }' >"$1/tasks.csv"
	printf 'Key,Value\nStarPU,1.3.10\nSchedulerPolicy,%s\n' "${4:-prio}" >"$1/meta.csv"
}
halves wait 680.5 5
like "$(text wait)" "*First: barriers between parts of the run (barriers)*StarPU: starpu_task_wait_for_all only*By simulation the run would take 1.361 s or more instead of 2.031 s: policy \
prio, which comes nearest to the recorded length; all tasks submitted at the start.*" "what a wait between independent halves costs, by the policy that the trace names"
is "$(row serial-step wait See) $(row long-tail wait See)" "barriers barriers" "what follows from it is no cause of its own"
traceviz what-if -q --csv wait >what
is "$(sed -n 's/^[0-9]*,\(all tasks submitted at the start\),.*,--/\1: --/p' what)" "all tasks submitted at the start: --scheduler prio --submission all-at-once" "what-if: by the policy, where a replay gains less"
traceviz simulate -q wait --scheduler prio --submission all-at-once -o s.csv
is "$(traceviz info --csv s.csv | sed -n 's/^time (ms),makespan,//p')" "$(sed -n 's/^[0-9]*,all tasks submitted at the start,\([^,]*\),.*/\1/p' what)" "as simulate has it"
halves other 680.5 5 eager
like "$(traceviz diagnose -q --json other)" "*the run as it was, simulated with fifo, is *" "eager is fifo"

# Each of 20 rounds has a long and a short task; the short one is submitted a little later.
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime"
	for (i = 0; i < 20; i++) { t = 61 * i; print "CPU0,CPU,advance,a" i "," t "," t + 60 "," t - 0.9; print "CPU1,CPU,filter," i + 1 "," t + 2 "," t + 22 "," t + 2 } }' >rounds.csv
like "$(text rounds.csv)" "*First: barriers between parts of the run (barriers)*By simulation the run would take 80?.? ms or more instead of 1.219 s*" "rounds with a barrier each"
is "$(row submission rounds.csv Id)" "" "the wait for what follows a barrier is not named twice"

# The chain is submitted with the others, and has a lower, a higher, and the same priority.
halves against 0 -5
like "$(text against)" "*First: the most urgent tasks start late (urgent-delays)*For 680.0 ms of this the waiting task had the lower priority (advance -5, filter 5). What waited: advance*\
To do: Raise the priorities of what waited: *StarPU: STARPU_PRIORITY where they are inserted, with STARPU_SCHED=prio or dmdas. By simulation the run would take 1.3?? s instead of 2.031 s: policy \
cpe-priority in place of prio, *, which is added to 1.3?? s.*" "priorities against the urgency"
is "$(row serial-step against See) $(row long-tail against See)" "urgent-delays urgent-delays" "of which the other schedule leaves nothing"
halves ignored 0 5 eager
like "$(text ignored)" "*For 6??.? ms of this the waiting task had the higher priority (advance 5, filter -5), and was ready before the other one started.*To do: Use a scheduler that respects priorities: most of \
them are as they should be. StarPU: *" "priorities that the scheduler does not respect"
halves none 0 0
like "$(text none)" "*(urgent-delays)*680.0 ms in sum. What waited: *To do: Give each task a priority that grows with the path of tasks behind it, and use a scheduler that respects priorities. StarPU: \
STARPU_PRIORITY where they are inserted*" "none are given"
# One that already ran when the urgent one was released was not chosen instead of it.
printf 'ResourceId,ResourceType,Value,JobId,Start,End,DependsOn,SubmitTime,Priority\nC0,CPU,x,1,0,30,,0,0\nC1,CPU,a,2,0,10,,0,0\nC0,CPU,b,3,30,40,2,0,5\nC1,CPU,c,4,40,60,3,0,5\nC1,CPU,c,5,60,80,4,0,5\n' >runs.csv
is "$(traceviz diagnose -q --csv runs.csv | grep -c 'urgent-delays.*higher priority')" 0 "a scheduler cannot stop a task that runs"

# Shares of what has no Time; a cell that is empty.
run traceviz diagnose -q against --fail-if 'Id == "urgent-delays" and Share > 20'
is "$rc" 3 "--fail-if: the share of a limit"
run traceviz diagnose against --fail-if 'Id == "urgent-delays" and Time > 20'
like "$rc $(cat stderr)" "0 *traceviz: --fail-if Id == \"urgent-delays\" and Time > 20: not known for urgent-delays, as a cell that it compares is empty*" "a cell that is empty"
run traceviz diagnose --fail-if 'Id == "elsewhere" and Time > 20' against
is "$(grep -c 'not known' stderr)" 0 "not of rows that do not match otherwise"
run traceviz diagnose --explain priority
like "$rc $(cat stderr)" "2 *there is no finding 'priority'*; findings about it: *urgent-delays*" "--explain: a word of the advice"

# Priorities are settings of a run, also without meta.
traceviz compare -q against/tasks.csv none/tasks.csv >compared
is "$(grep '^settings' compared | cut -d, -f4,25-26 | tr '\n' ' ')" "Priority of advance,-5,0 Priority of filter,5,0 " "compare: priorities that changed"
is "$(traceviz compare -q none/tasks.csv none/tasks.csv | grep -c '^settings')" 0 "not those that are the same"

# Without dependencies it is not known that a worker could have run other tasks before.
printf 'ResourceId,Value,Start,End\nw0,a,0,10\nw1,a,0,10\nw1,a,10,20\nw1,a,20,30\nw1,a,30,40\n' >table.csv
like "$(text table.csv)" "*one worker has tasks left at the end (long-tail)*How sure: the cause is likely, not proven.*" "a table of tasks alone"
run traceviz decisions against
like "$rc $(cat stderr)" "1 *record a policy of StarPU that decides, dm or one whose name begins with dmda*" "which policies have decisions"
mkdir empty
run traceviz empty
is "$rc $(cat stderr)" "1 traceviz: empty: the folder is empty" "an empty folder"
run traceviz help spacetime
is "$rc $(head -1 stdout | cut -d: -f1)" "0 panel spacetime" "help of a panel by its name"
if command -v script >/dev/null; then
	is "$(script -qec "stty cols 100; traceviz what-if -q wait" /dev/null | tr -d '\r' | awk 'NR == 1 { print $1, $2, $NF }')" "Rank What Gain" "on a narrow screen the column that ranks stays"
else
	skip 1 "script (Debian: bsdutils)"
fi
