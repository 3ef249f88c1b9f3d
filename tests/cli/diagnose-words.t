#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-words.t: what sentences of diagnose claim: chains on one datum, more work or more time, waits of a few tasks, serial steps, workers that are none
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/cli/finds.sh"
plan 37

first() { traceviz diagnose -q --csv "$@" 2>/dev/null | awk -F, '$1 == "verdict" || $1 == "finding" && $2 == 1 { print $3; exit }'; }
text() { traceviz diagnose -q "$@" 2>/dev/null | xargs -0 | tr -s ' \n' ' '; }
head='ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime'

# A chain of 20 tasks on one datum, beside 4 tasks; then the same with a datum for each pair of tasks.
chain() { # DATUM: an expression of i
	awk -v head="$head" 'BEGIN { print head ",DependsOn,Handles,Modes"
		for (i = 0; i < 20; i++) print "C" i % 2 ",CPU,sum," i + 1 "," 10 * i "," 10 * i + 10 ",0," (i ? i : "") ","'"$1"'
		for (i = 0; i < 4; i++) print "C" (i + 1) % 2 ",CPU,free," 50 + i "," 10 * i "," 10 * i + 8 ",0,,x" i ",W" }'
}
chain '"c" i " total,W RW"' >one.csv
is "$(first one.csv)" serial "a chain on one datum"
like "$(text one.csv)" "*shorter than their longest chain, 200.0 ms. As long as tasks and their dependencies are what they were, another schedule saves nothing. Faster tasks, or fewer dependencies, would save more. *" "what could be saved while it is there"
like "$(text one.csv)" "*19 of them wait for the datum total. Even if these tasks did not wait for each other, the run takes 116.0 ms or more, the time with all workers busy. *" "which datum, and what is left without it"
mkdir named && cp one.csv named/tasks.csv && printf 'Handle,Name\ntotal,sum of all\n' >named/handles.csv
like "$(text named)" "*19 of them wait for the datum total, named sum of all. Even*" "with the name that the program gave it"
printf 'Handle,Node,Address\ntotal,0,4096\n' >named/handles.csv
like "$(text named)" "*19 of them wait for the datum total. Even*" "without names, as in recordings of OpenMP"
like "$(text one.csv)" "*To do: Divide this datum, *mutexinoutset) do not help*" "what helps, and what does not"
like "$(text one.csv)" "*See: traceviz critical-path --by type one.csv*" "a command that prints a screen"
is "$(traceviz critical-path -q --csv --by type one.csv | wc -l)" 3 "which it does"
chain '"c" int(i / 2) " d" int((i + 1) / 2) ",RW RW"' >pairs.csv
is "$(first pairs.csv) $(text pairs.csv | grep -c 'the datum')" "serial 0" "no datum where there are many"
sed 's/RW RW/R R/' pairs.csv >reads.csv
is "$(text reads.csv | grep -c 'the datum')" 0 "nor of data that are only read"
sed 's/W RW/W R/' one.csv >reads.csv
is "$(text reads.csv | grep -c 'the datum')" 0 "nor of one that all tasks only read"

{ echo "$head,Handles,Modes"; echo 'C0,CPU,a,1,0,100,0,x,RW'; for i in 2 3 4 5; do echo "C1,CPU,b,$i,$((i * 10)),$((i * 10 + 10)),0,x,R"; done; } >task.csv
like "$(text task.csv)" "*First: one task takes most of the run (serial). *than that. Even if it is split, the run takes 70.00 ms or more,*" "one task"

# One task is ten times as long: with as much CPU time, with a larger Size, at the same place of each iteration.
long() { # COLUMN LONG OTHERS
	awk -v head="$head" -v column="$1" -v long="$2" -v other="$3" 'BEGIN { print head "," column
		for (w = 0; w < 4; w++) { t = 0; for (i = 0; i < 40; i++) { is = w == 1 && i == 39; d = is ? 110 : 10 + (i + w) % 2
			print "C" w ",CPU,a," ++n "," t "," t + d ",0," (is ? long : other); t += d } } }'
}
long task-clock 1.1e8 1e7 >clock.csv
is "$(first clock.csv)" unequal-tasks "a long task with a long CPU time"
like "$(text clock.csv)" "*Its CPU time is longer, too: more work, or the same in more time (memory, clock). Which of these is not known: the trace has no GFlop.*" "may have more work, or be slow"
long Size 11000 1000 >size.csv
like "$(text size.csv)" "*It has more work.*" "more data are more work"
long Size 1000 1000 >same.csv
like "$(text same.csv)" "*Whether that is more work is not known: the trace has no GFlop, and no counter task-clock.*" "as many data say nothing"
awk -v head="$head" 'BEGIN { print head ",Iteration"; for (p = 0; p < 5; p++) for (w = 0; w < 4; w++) { t = p * 400; for (i = 0; i < 20; i++) { d = w == 3 && i == 19 ? 100 : 10
	print "C" w ",CPU,a," ++n "," t "," t + d ",0," p; t += d } } }' >place.csv
like "$(text place.csv)" "*The same ones are long in each iteration: that is their work, no disturbance.*" "tasks that are long each time"

# Two workers, 40 tasks of 1 ms each: 4 of them start 5 ms late; then all 0.5 ms.
waits() { # WAIT: before task i
	awk -v head="$head" 'BEGIN { print head ",DependsOn"; for (w = 0; w < 2; w++) { t = 0; for (i = 0; i < 40; i++) { t += '"$1"'; print "C" w ",CPU,a," ++n "," t "," t + 1 ",0," (i ? n - 1 : ""); t++ } } }'
}
waits 'i % 10 == 5 ? 5 : 0.001' >few.csv
is "$(first few.csv) $(finds fine-tasks few.csv)" "runtime " "few long waits: not the size of tasks"
like "$(text few.csv)" "*First: tasks that are ready start late (runtime).* Half of the tasks waited for 1.000 us or less, so this is the time of fewer, long waits: other programs on the machine may be the cause, too.*How sure: the cause is likely, not proven*" "and how sure that is"
waits 0.5 >all.csv
is "$(first all.csv)" fine-tasks "as long before each: the size of tasks"

# A worker that takes twice as long.
awk -v head="$head" 'BEGIN { print head ",DependsOn"; for (k = 0; k < 12; k++) for (w = 0; w < 4; w++) for (i = 0; i < 2; i++) { d = w == 2 ? 20 : 10 + (i + k) % 2 / 10
	print "C" w ",CPU,a," ++n "," k * 41 + i * d "," k * 41 + i * d + d ",0," (k ? (k - 1) * 8 + 5 " " (k - 1) * 8 + 6 : "") } }' >slow.csv
is "$(first slow.csv)" slow-worker "a slow worker"
like "$(text --all slow.csv)" "*The run took * more than its tasks would take with all workers busy all the time. The parts of this, which add up:*Without this the run would be * shorter (*slow workers as fast as the others)*" "the account is introduced; no other schedule is meant"
is "$(text --all slow.csv | grep -c 'took more than the mean\|took less than the mean')" 0 "durations that cancel out are no parts of the text"
is "$(traceviz diagnose -q --csv slow.csv | awk -F, '$1 == "part" && $3 ~ /^durations/ { n++ } END { print (n > 1) }')" 1 "but of the table"
# Steps of a task of 40 ms beside five of 8.1 ms, of which the last one ends last, but waits for its worker.
awk -v head="$head" 'BEGIN { print head ",DependsOn"; for (k = 0; k < 12; k++) { all = ""; for (w = 0; w < 4; w++) for (i = 0; i < (w == 0 ? 5 : w == 2 ? 1 : 2); i++) { d = w == 2 ? 40 : 8.1
	print "C" w ",CPU," (w == 2 ? "b" : w == 0 && i < 4 ? "x" : "a") "," ++n "," k * 42 + i * d "," k * 42 + i * d + d ",0," before; all = all " " n } before = substr(all, 2) } }' >beside.csv
above=$(traceviz bounds -q --csv beside.csv | awk -F, '$2 == "makespan" { m = $4 } $2 == "abe" || $2 == "best-placed-chain" { b = $4 > b ? $4 : b } END { printf "%.6f", m - b }')
is "$above $(finds critical-delays beside.csv)" "22.500000 m22.500000 -" "no wait can bring more than the run can be shorter"

# Three nodes with the same work in each step, and a task on node 0 while all others wait; without dependencies.
steps() { # SERIAL TASKS: time of that task; how many others node 0 has
	awk -v head="$head" -v serial="$1" -v own="$2" 'BEGIN { start = 0; print head ",Node"; for (k = 0; k < 8; k++) { last = 0
		for (n = 0; n < 3; n++) { t = start; for (i = 0; i < (n == 0 ? own : 6); i++) { print n "_C0,CPU,a," ++job "," t "," t + 1 ",," n; t++ } last = t > last ? t : last }
		if (serial) print "0_C0,CPU,join," ++job "," last "," last + serial ",,0"
		start = last + serial } }'
}
steps 4 6 >serial.csv
is "$(first serial.csv) $(finds serial-step serial.csv) $(finds node-imbalance serial.csv)" "serial-step m21.333333 64.000000 " "serial steps: 32 ms in which two workers wait"
like "$(text serial.csv)" "*For 32.00 ms, 40 % of the run, a task of type join was the only one that ran, 8 times. Before each of them several tasks ran at once; meanwhile the other workers did nothing, for 64.00 ms in total (27 % of the time of all workers). *" "in words"
steps 0 12 >uneven.csv
is "$(first uneven.csv) $(finds serial-step uneven.csv)" "node-imbalance " "a node with more work, whose last tasks run alone, too"

awk 'BEGIN { print "ResourceId,Value,Start,End,Node"; for (n = 0; n < 8; n++) for (i = 0; i < 10; i++) print n "_C0,a," 20 * i "," 20 * i + (n == 3 ? 20 : 10 + n / 10) "," n }' >slow-node.csv
traceviz slow-node.csv -q -o shapes.csv
is "$(grep -c 'longer busy' shapes.csv) $(grep -c 'more work' shapes.csv)" "1 0" "a slow node is not said to have more work, in its picture"

# Tasks that overlap on all workers; on one of four.
overlap() { # WORKERS: with overlaps
	awk -v head="$head" -v some="$1" 'BEGIN { print head; for (w = 0; w < 4; w++) for (i = 0; i < 8; i++) print "C" w ",CPU,a," ++n "," 10 * i "," 10 * i + (w < some ? 15 : 10) ",0" }'
}
overlap 4 >overlap.csv
is "$(first overlap.csv)" overlapping-tasks "workers that run several tasks at once"
like "$(text overlap.csv)" "The run took 85.00 ms: 32 tasks on 4 CPU workers. Tasks begin before an earlier one on the same worker ends: 28 times, on 4 workers.* To do: Give each thread of the program a worker of its own*See: traceviz info --check*" "comes first"
overlap 1 >overlap.csv
is "$(first overlap.csv | grep -c overlapping)" 0 "not of one worker"

# Threads that run tasks for 2 % of their time; the same with submissions.
awk 'BEGIN { print "ResourceId,Value,Start,End,Node"; for (w = 0; w < 4; w++) for (i = 0; i < 10; i++) print "t" w ",run," 100 * i + 13 * w "," 100 * i + 13 * w + 2 "," w }' >events.csv
is "$(first events.csv) $(traceviz diagnose -q --csv events.csv | grep -c ^finding)" "events 0" "threads that wait for events"
like "$(text events.csv)" "*They ran tasks for 2.1 % of their time. Nothing in the trace says what they waited for.*See: traceviz summary events.csv*" "what there is"
awk 'BEGIN { print "ResourceId,Value,Start,End"; for (i = 0; i < 50; i++) print "C0,a," i * 10 "," i * 10 + 10 }' >alone.csv
is "$(first alone.csv --resources C=40 | grep -c events)" 0 "not 40 workers of which one runs all tasks"
awk -F, -v OFS=, '{ print $0, NR == 1 ? "SubmitTime" : $3 }' events.csv >submitted.csv
is "$(first submitted.csv)" submission "where submissions are known, they are the answer"

# Without dependencies and submissions: idle time has no cause, but is there.
awk 'BEGIN { print "ResourceId,Value,Start,End"; for (i = 0; i < 200; i++) { s = i * 1.6; print "C" i % 2 ",a," s "," s + 0.8 } }' >idle.csv
like "$(text idle.csv)" "*Of this, workers had no task for *the trace does not show what they waited for.*" "idle time that no cause explains is not nothing"
