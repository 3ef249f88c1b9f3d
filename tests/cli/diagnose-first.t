#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-first.t: work outside of tasks, one long task among serial steps, durations that jump, waits without times of submission, lists that are cut
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/cli/finds.sh"
plan 37

first() { traceviz diagnose -q --csv "$@" 2>/dev/null | awk -F, '$1 == "verdict" || $1 == "finding" && $2 == 1 { print $3; exit }'; }
text() { traceviz diagnose -q "$@" 2>/dev/null | xargs -0 | tr -s ' \n' ' '; }

# Ten tasks of 10 ms on each of two threads. Before and after them one thread is in a single, or both are in a loop.
outside() { # FOLDER FROM TO CONSTRUCT: of T0; T1 has the construct Loop, or waits where no task runs
	mkdir "$1"
	awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,DependsOn"; for (i = 0; i < 20; i++) { t = 10 * int(i / 2)
		print "T" i % 2 ",CPU,a," i + 1 "," t "," t + 10 "," (i > 1 ? i - 1 : "") } }' >"$1/tasks.csv"
	awk -v from="$2" -v to="$3" -v what="$4" 'BEGIN { print "ResourceId,Type,Value,Start,End,Depth,Site"
		o = ",OpenMP State,"; print "T0" o "Parallel region," from - 1 "," to + 1 ",0,main@a.c:5"
		print "T0" o "Implicit task," from "," to ",1,"; print "T1" o "Implicit task," from "," to ",0,"
		print "T0" o what "," from "," to ",2,main@a.c:7"
		if (what == "Loop") print "T1" o what "," from "," to ",1,main@a.c:7"
		else { if (from < 0) print "T1" o "Implicit barrier," from ",0,1,main@a.c:5"; if (to > 100) print "T1" o "Implicit barrier,100," to ",1,main@a.c:5" } }' >"$1/states.csv"
}
outside after 0 287 Single
is "$(first after) $(finds outside-tasks after)" "outside-tasks m93.500000 -" "a single of 187 ms after the last task: divided by two threads it would take half"
like "$(text after)" "The tasks of the run took 100.0 ms of 289.0 ms (shares below are of 100.0 ms where they name no other time): 20 tasks on 2 CPU workers.*First: threads work outside of tasks for 187.0 ms (outside-tasks). \
For 187.0 ms after the last task a thread works in a parallel region, at main@a.c:7. Divided evenly, this work would take 93.50 ms.*See: traceviz after --panels states --begin -1.000000 --end 288.000000 *" "both lengths, which is which, and the place"
is "$(traceviz bounds -q --csv after | awk -F, '$2 == "makespan" { print $4 }')" 100.000000 "the makespan is that of the tasks"
outside before -187 100 Single
is "$(finds outside-tasks before)" "m93.500000 -" "the same before the first task"
like "$(text before)" "*For 187.0 ms before the first task a thread works *" "and its words"
outside both -87 200 Single
like "$(text both)" "*For 187.0 ms before the first task and after the last one a thread works *" "on both sides"
outside loop 0 287 Loop
is "$(finds outside-tasks loop)$(finds outside-tasks after --restrict 'JobId != "20"')" "" "a loop that both threads share is no loss; of a part of a run nothing is known"
outside short 0 100.5 Single
is "$(finds outside-tasks short) $(text short | cut -c1-22)" " The run took 100.0 ms:" "0.5 ms are not worth a word"
awk -F, -v OFS=, 'NR == 1 { print; next } { $1 = "T0"; $5 = 5 * NR - 10; $6 = $5 + 5; $7 = NR > 2 ? $4 - 1 : ""; print } END { print "T1,CPU,b,99,0,5," }' after/tasks.csv >chain && mv chain after/tasks.csv
like "$(traceviz diagnose -q --all after | xargs -0 | tr -s ' \n' ' ')" "*serial (chain * above the area bound)*the time with all workers busy. For 187.0 ms after the last task a thread works *" "the finding serial says it, too; its size is no limit"

# Eight steps of 16 tasks of 10 ms on 4 workers, between them a task of 12 ms. EXPRESSION: the duration by step p and task k.
steps() {
	awk 'BEGIN { print "ResourceId,Value,JobId,Start,End,DependsOn'"${2:-}"'"; t = 0; for (p = 0; p < 8; p++) { last = 0; jobs = ""
		for (w = 0; w < 4; w++) free[w] = t
		for (k = 0; k < 16; k++) { w = 0; for (i = 1; i < 4; i++) if (free[i] < free[w]) w = i
			d = '"$1"'; print "CPU" w ",a," ++n "," free[w] "," free[w] + d "," step '"${3:-}"'; free[w] += d; jobs = jobs (k ? " " : "") n; if (free[w] > last) last = free[w] }
		print "CPU0,s," ++n "," last "," last + 12 "," jobs '"${4:-}"'; step = n; t = last + 12 } }'
}
steps 'p == 4 && k == 0 ? 300 : 10 + k / 100' >giant.csv
is "$(first giant.csv) $(traceviz diagnose -q --csv giant.csv | awk -F, '$3 == "serial-step" { print $(NF - 1) }')" "unequal-tasks unequal-tasks" "one task of 300 ms is the cause of the time in which it runs alone"
like "$(text giant.csv)" "*1 task took much longer than others of its type, job 69: the longest, of type a, 300.0 ms,*was the only task that ran.*" "which one"
steps '10 + k / 100' >even.csv
is "$(first even.csv)" serial-step "without it the serial steps are it"
steps '(p == 3 || p == 4 ? 40 : 10) + k / 100' >jump.csv
is "$(first jump.csv) $(finds changed-durations jump.csv)" "changed-durations m240.000000 960.000000" "32 tasks that take 30 ms longer on 4 workers"
like "$(text jump.csv)" "*First: tasks of type a take 4.0 times as long for * (changed-durations). From 157.1 ms on, for 332.7 ms, 32 tasks of type a took 40.08 ms on average, the 96 others 10.07 ms. \
Whether they have more work is not known: the trace has no GFlop.*--begin 73.9* -o changed-durations.svg*" "when, how many, and what is not known"
is "$(traceviz outliers -q jump.csv --where "$(traceviz diagnose -q --csv jump.csv | sed -n "s/^finding,[0-9]*,changed-durations,.*--highlight '\([^']*\)'.*/\1/p" | sed 's/""/"/g')" | sed 1d | wc -l)" 32 "the picture marks them"
is "$(traceviz diagnose -q --csv jump.csv | awk -F, '$3 == "unequal-tasks" { print $(NF - 1) }')" changed-durations "they are not unequal tasks as well"
steps '(p > 3 ? 40 : 10) + k / 100' >half.csv
is "$(finds changed-durations half.csv)" "m480.000000 1920.000000" "from the middle to the end"
steps '(p == 3 || p == 4 ? 40 : 10) + k / 100' ,GFlop '"," (p == 3 || p == 4 ? 4 : 1)' '","' >work.csv
is "$(finds changed-durations work.csv)" "" "not where they have as much more work"
steps '(p == 3 || p == 4 ? 40 : 10) + k / 100' ,GFlop '",1"' '","' >same.csv
like "$(text same.csv)" "*They have no more work (GFlop).*" "the same work"
steps '(k < 4 ? 40 : 10) + k / 100' >each.csv
is "$(finds changed-durations each.csv)" "" "nor where some are long in each step"
steps '(p == 3 && k < 7 ? 40 : 10) + k / 100' >few.csv
is "$(finds changed-durations few.csv)" "" "nor of seven tasks"
steps '10 * (p + 1) + k / 100' >grow.csv
like "$(text grow.csv)" "*First: tasks of type a take longer and longer (changed-durations). On nearly all workers, the first 16 tasks of type a took 10.07 ms on average, the last ones 80.08 ms. Whether they have more work is not known*" "durations that grow"
is "$(finds changed-durations grow.csv)" "m1120.000000 4480.000000" "112 tasks take 10 to 70 ms longer than the first 16, on 4 workers"
steps '10 * (p + 1) + k / 100' ,GFlop '"," p + 1' '","' >growing.csv
steps '(w == 1 ? 10 * (p + 1) : 40) + k / 100' >one.csv
steps '10 * (p == 5 ? 5 : p + 1) + k / 100' >back.csv
is "$(finds changed-durations growing.csv)$(finds changed-durations one.csv)$(finds changed-durations back.csv)" "" "not with their work, not on one worker, not if some are shorter again"

# 60 tasks of 10 ms on four workers. AT: one takes 300 ms; of its own type or not; with GFlop, the same of all, or without.
spike() { # AT TYPE GFLOP
	awk -v at="$1" -v type="$2" -v gflop="${3:-}" 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime,DependsOn" (gflop ? ",GFlop" : ""); for (i = 0; i < 60; i++) { w = 0; for (k = 1; k < 4; k++) if (f[k] + 0 < f[w] + 0) w = k
		d = i == at ? 300 : 10; print "C" w ",CPU," (i == at ? type : "a") ",t" i "," f[w] + 0 "," f[w] + d ",0," (gflop ? ",1" : ""); f[w] += d } }'
}
spike 59 big >spike.csv
like "$(text spike.csv)" "*First: workers wait for one task at the end (long-tail).*For the last 290.0 ms one task runs alone: it is of type big, job t59, on worker C3, 300.0 ms long. To do: Start this task earlier, *" "one task at the end"
spike 30 big >spike.csv
is "$(text --all spike.csv | grep -c 'For the last 190.0 ms one')" 1 "or earlier, if only that one is left"
awk -F, -v OFS=, 'NR > 1 && $4 == "t30" { $4 = "t30a"; $6 -= 150; print; $4 = "t30b"; $5 = $6; $6 += 150 } { print }' spike.csv >halves.csv
is "$(text --all halves.csv | grep -c 'For the last')" 0 "not if there are two, one after the other"
spike 30 a 1 >spike.csv
like "$(text spike.csv)" "*with the same work. It is of type a, job t30, on worker C2, 300.0 ms long. To do: *" "the same work: which one"
spike 30 a >spike.csv
like "$(text spike.csv)" "*job t30: the longest, of type a, 300.0 ms, others 10.00 ms on average.* It ran on worker C2.*" "not known: which one, and where"

# 3 ms before each task, which the trace explains by nothing: chains of tasks of 10 ms.
waits() { # COLUMNS CELLS
	awk 'BEGIN { print "ResourceId,Value,JobId,Start,End'"$1"'"; for (i = 0; i < 160; i++) { t = 13 * int(i / 4); print "CPU" i % 4 ",a," i + 1 "," t "," t + 10 '"$2"' } }'
}
waits ,DependsOn '"," (i > 3 ? i - 3 : "")' >ready.csv
is "$(first ready.csv) $(finds runtime ready.csv)" "runtime 117.000000 468.000000" "ready tasks wait, and submissions are not known"
like "$(text ready.csv)" "*First: workers wait, and the trace does not show for what (runtime).*although the tasks on which their next task depends had ended. Either it was submitted late, or the runtime started it late: \
the trace has no times of submission. To do: Record when tasks are submitted (SubmitTime)*By simulation the run would take 400.0 ms*cause is likely, not proven.*" "both causes are named"
waits ,DependsOn,SubmitTime '"," (i > 3 ? i - 3 : "") ",0"' >known.csv
is "$(first known.csv)" fine-tasks "where they are known it is the runtime"

# What never ran where: the first six, and how many more.
never() { awk -v n="$1" 'BEGIN { print "ResourceId,ResourceType,Value,Start,End"; for (i = 0; i < n; i++) print (i % 2 ? "C,CPU" : "G,GPU") ",t" i "," i "," i + 1 }'; }
never 20 >never.csv
like "$(text never.csv)" "*Never ran: t0 on CPU, t1 on GPU, t2 on CPU, t3 on GPU, t4 on CPU, t5 on GPU and 14 more pairs. *" "a list of 20"
never 6 >never.csv
like "$(text never.csv)" "*Never ran: t0 on CPU, t1 on GPU, t2 on CPU, t3 on GPU, t4 on CPU, t5 on GPU. *" "of six"

# Chains have two names: as they ran, and best placed.
printf 'ResourceId,ResourceType,Value,JobId,Start,End,DependsOn\nC,CPU,a,1,0,30,\nC,CPU,a,2,30,60,1\nG,GPU,a,3,0,5,\nG,GPU,a,4,5,10,3\nG,GPU,b,5,10,18,\nC,CPU,b,6,60,68,\n' >placed.csv
like "$(text placed.csv)" "*The longest chain of tasks takes 60.00 ms where it ran, the best-placed chain *" "each with its own"
traceviz placed.csv -q -o placed.csv.svg
is "$(grep -o 'CPE [0-9.]*' placed.csv.svg | head -1)" "CPE 10.00" "the picture has a third number, with a third name"
is "$(traceviz bounds -q --csv placed.csv | awk -F, '$2 == "longest-chain" || $2 == "cpe" { print $2, $4 }' | sort | xargs)" "cpe 10.000000 longest-chain 60.000000" "as the bounds have them"
