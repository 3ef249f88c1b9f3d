#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-answers.t: the first answer for runs whose cause is known: loops, MPI alone, processors, exclusion, first tasks, chains, nothing
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/cli/finds.sh"
plan 89

first() { traceviz diagnose -q --csv "$@" 2>/dev/null | awk -F, '$1 == "verdict" || $1 == "finding" && $2 == 1 { print $3; exit }'; }
text() { traceviz diagnose -q "$@" 2>/dev/null | xargs -0 | tr -s '\n' ' '; }

# A parallel loop, twice: T0 works 10 ms, T1 40 ms; T0 works 5 ms alone between them.
mkdir loop
printf 'ResourceId,Value,Start,End,Kind,Node,ResourceType\nT0,,,,worker,0,CPU\nT1,,,,worker,0,CPU\n' >loop/tasks.csv
{
	echo 'ResourceId,Type,Value,Start,End,Depth'
	for t in 0 45; do
		echo "T0,OpenMP State,Loop,$t,$((t + 10)),1"; echo "T0,OpenMP State,Implicit barrier,$((t + 10)),$((t + 40)),1"
		echo "T1,OpenMP State,Loop,$t,$((t + 40)),1"
	done
	echo 'T1,OpenMP State,Idle,40,45,0'
} >loop/states.csv
is "$(first loop)" loop-imbalance "loops: unequal threads"
like "$(text loop)" "The run took 85.00 ms: 2 threads. *they would take 52.50 ms, 32.50 ms (38.2 %) less. First: *wait at barriers and ends of parallel \
loops for 60.00 ms in total (35 % of the time of all threads). Thread T1 works for 80.00 ms, thread T0 for 25.00 ms.*" "how much, who"
is "$(finds loop-imbalance loop) $(finds serial-part loop)" "30.000000 60.000000 2.500000 5.000000" "and what runs between the loops"
sed 's/,Loop,0,10,/,Critical,0,4,/; /Loop,45,55/i\
T0,OpenMP State,Wait for critical,4,10,2' loop/states.csv >states && mv states loop/states.csv
is "$(finds critical-section loop)" "m3.000000 6.000000" "waits for a critical section"
awk -F, 'NR == 1 { print $0 ",Site"; next } { print $0 "," ($3 == "Implicit barrier" ? ($4 < 45 ? "f@a.c:3" : "g@a.c:9") : $3 ~ /^Wait/ ? "h@a.c:5" : "") }' loop/states.csv >states && mv states loop/states.csv
like "$(text loop)" "*for 60.00 ms in total (35 % of the time of all threads). Threads wait longest at f@a.c:3, then at g@a.c:9. Thread T1 works*" "where threads wait for others"
like "$(traceviz diagnose -q --csv loop | grep ,critical-section,)" "*for 6.000 ms in total (4 % of the time of all threads). Threads wait at h@a.c:5.*" "and for a lock"

# Two ranks, four steps: rank 1 works 9 ms before it sends, rank 0 3 ms.
mpi() { # FOLDER WORK0 WORK1 BYTES
	mkdir "$1"
	printf 'ResourceId,Value,Start,End,Kind,Node,ResourceType\n0_T0,,,,worker,0,CPU\n1_T0,,,,worker,1,CPU\n' >"$1/tasks.csv"
	printf 'ResourceId,ResourceType,Node\n0_T0,CPU,0\n1_T0,CPU,1\n' >"$1/resources.csv"
	awk -v a="$2" -v b="$3" -v bytes="$4" -v links="$1/links.csv" 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes,Site"
		print "Type,Key,Origin,Dest,Start,End,Size,Tag,SendEnd,ReceiveStart" >links
		print "0_T0,MPI_Init,other,-50,0,,,,,,"; print "1_T0,MPI_Init,other,-50,0,,,,,,"
		for (i = 0; i < 4; i++) { m = a > b ? a : b; e = t + m + 1
			for (r = 0; r < 2; r++) { s = t + (r ? b : a)
				print r "_T0,MPI_Isend,start," s "," s + 0.1 "," 2 * i + 1 ",world," 1 - r "," i "," bytes ",app.c:7"
				print r "_T0,MPI_Recv,blocking," s + 0.1 "," e ",,world," 1 - r "," i "," bytes ",app.c:8"
				print "MPI communication,m" i r "," r "_T0," 1 - r "_T0," s "," e "," bytes "," i "," s + 0.1 "," t + (r ? a : b) + 0.1 >links }
			t = e }
		print "0_T0,MPI_Finalize,other," t "," t + 30 ",,,,,,"; print "1_T0,MPI_Finalize,other," t "," t + 30 ",,,,,," }' >"$1/calls.csv"
}
mpi late 3 9 1024
is "$(first late)" waits-in-mpi "MPI alone: a late rank"
like "$(text late)" "The run took 40.00 ms: 2 ranks of one thread, from MPI_Init to MPI_Finalize.*Rank 0 is in MPI_Recv at app.c:8 for 27.60 ms, 69 % of its time. \
For *of this time rank 1 still worked and had not come to its call. Rank 1 works for 36.00 ms, rank 0 for 12.00 ms. To do: Give each rank the same work*" "which call, which rank, what to do"
is "$(text late | grep -c 'latency\|Submit\|network')" 0 "and nothing of what it is not"
# The same ranks on one processor: who is late may have waited for it.
cp -r late onecpu
printf 'ResourceId,ResourceType,Node,Host,Cpuset\n0_T0,CPU,0,h,0\n1_T0,CPU,1,h,0\n' >onecpu/resources.csv
like "$(text onecpu)" "*2 threads share 1 processor. *Those that are late may themselves have waited for a processor. To do: Give each rank \
the same work: *How sure: the cause is likely, not proven.*Limits: threads share processors.*" "ranks that share a processor: a doubt, beside what to do"
sed -i 's/,0$/,0-1/' onecpu/resources.csv
is "$(text onecpu | grep -c -i processor)" 0 "and with one for each"
# A rank that died, and one that waits for it.
mkdir killed
cp late/resources.csv late/tasks.csv late/links.csv killed
awk -F, 'NR == 1 { print $0 ",Flag"; next } $2 == "MPI_Finalize" { next } $1 == "1_T0" && $4 > 30 { next } $1 == "0_T0" && $4 > 30 { $5 = 900; print $0 ",open"; exit } { print $0 "," }' OFS=, late/calls.csv >killed/calls.csv
like "$(text killed)" "The trace ends before the run: not all ranks came to MPI_Finalize. Until then the run took * To do: Find out why the program did not end*Limits: *the trace ends before the run.*" "a run that did not end"
is "$(text killed | grep -c 'less\.\|the trace shows the cause')" 0 "nothing is promised of it"
run traceviz diagnose -q late -o why.svg
is "$rc $(grep -q MPI_Recv why.svg; echo $?)" "0 0" "a picture of ranks that have no states"
mpi small 0.2 0.2 64
is "$(first small)" latency "many small messages"
like "$(text small)" "*Messages are small: 64 bytes on average, and there are 8 of them.*" "how small, how many"
# The last message takes twenty times as long: that is worth a look from 0.1 ms on, below it is what messages take.
uneven() { # FOLDER SCALE
	cp -r small "$1"
	awk -F, -v OFS=, -v by="$2" 'NR > 1 { if ($2 == "MPI_Recv" && $9 == 3) $5 += 20; if ($2 == "MPI_Finalize") { $4 += 20; $5 += 20 } $4 *= by; $5 *= by } { print }' small/calls.csv >"$1/calls.csv"
	awk -F, -v OFS=, -v by="$2" 'NR > 1 { if ($8 == 3) $6 += 20; $5 *= by; $6 *= by; $9 *= by; $10 *= by } { print }' small/links.csv >"$1/links.csv"
}
uneven ms 1
uneven us 0.001
is "$(first ms) $(first us)" "mpi-transfer latency" "messages that take unequal times"
mpi large 0.2 0.2 4000000
is "$(first large)" mpi-transfer "large ones"
# Rank 0 works for 30 ms and sends to rank 1, which sends to rank 2, and so on: most ranks wait for one that waits itself.
mkdir chain
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes,Site"; print "Type,Key,Origin,Dest,Start,End,Size,Tag" >"chain/links.csv"
	for (r = 0; r < 5; r++) print r "_T0,MPI_Init,other,-50,0,,,,,,"
	for (i = 0; i < 4; i++) { t = 31 * i
		for (r = 0; r < 5; r++) { ready = t + 30 + r / 10
			if (r > 0) print r "_T0,MPI_Recv,blocking," t + 3 "," ready ",,world," r - 1 "," i ",64,app.c:8"
			if (r < 4) { print r "_T0,MPI_Send,blocking," ready "," ready + 0.1 ",,world," r + 1 "," i ",64,app.c:7"
				print "MPI communication,m" i r "," r "_T0," r + 1 "_T0," ready "," ready + 0.1 ",64," i >"chain/links.csv" } } }
	for (r = 0; r < 5; r++) print r "_T0,MPI_Finalize,other,124,150,,,,,," }' >chain/calls.csv
is "$(first chain)" waits-in-mpi "no latency of messages where ranks wait for ranks that wait for a late one"
like "$(text chain)" "*Rank 0 works for 123.6 ms, rank 4 for * To do: Give each rank the same work*" "the rank that all wait for is named"

# Tasks with a processor for a quarter of their time.
head='ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime'
preempted() { awk -v head="$head" -v share="$1" 'BEGIN { print head ",task-clock"; for (w = 0; w < 2; w++) for (i = 0; i < 40; i++) print "C" w ",CPU,a," ++n "," i * 10 "," i * 10 + 10 ",0," share * 1e7 }'; }
preempted 0.25 >shared.csv
is "$(first shared.csv) $(finds preempted shared.csv)" "preempted m300.000000 600.000000" "tasks without a processor"
like "$(text shared.csv)" "*had a processor for 200.0 ms of the 800.0 ms that they took (25 %)*" "how much of their time"
mkdir -p bound
cp shared.csv bound/tasks.csv
printf 'ResourceId,ResourceType,Node,Cpuset\nC0,CPU,0,0-1\nC1,CPU,0,0-1\n' >bound/resources.csv
like "$(text bound)" "*The 2 workers may run on 2 processors, so other programs, or threads that are no workers, used them. To do: Run it where nothing else uses these processors*" "who had it, where there is one for each"
preempted 0.95 >own.csv
is "$(first own.csv)" near-bound "not with one"

# First tasks; the same with more work.
warm() { awk -v head="$head" 'BEGIN { print head; for (w = 0; w < 4; w++) { t = 0; for (i = 0; i < 20; i++) { d = i == 0 ? 100 : 10 + (i + w) % 2; print "C" w ",CPU,a," ++n "," t "," t + d ",0"; t += d } } }'; }
warm >warm.csv
is "$(first warm.csv)" warm-up "first tasks are long"
# The last task of each of three phases has more work.
awk -v head="$head" 'BEGIN { print head ",DependsOn,Iteration"; for (p = 0; p < 3; p++) { for (w = 0; w < 4; w++) for (i = 0; i < 10; i++) { k = p * 41 + w * 10 + i + 1; s = p * 220 + i * 2; print "C" w ",CPU,a," k "," s "," s + 2 "," p * 220 "," "," p }
	k = p * 41 + 41; print "C0,CPU,a," k "," p * 220 + 20 "," p * 220 + 220 "," p * 220 "," (p ? k - 41 : "") "," p } }' >phases.csv
is "$(first phases.csv) $(finds outliers phases.csv)$(finds submission phases.csv)$(finds slow-worker phases.csv)" "unequal-tasks " "a chain of long tasks"
like "$(text phases.csv)" "*their longest chain, 600.0 ms*" "its length as recorded"

# Commuting updates of one sum.
awk -v head="$head" 'BEGIN { print head ",Handles,Modes"; for (i = 0; i < 20; i++) { print "C" i % 4 ",CPU,add," i + 1 "," i * 5 "," i * 5 + 5 ",0,sum,RWC" } }' >sum.csv
is "$(first sum.csv) $(finds exclusive-access sum.csv)" "exclusive-access m75.000000 -" "updates of one datum"
like "$(traceviz -q sum.csv | xargs)" "*Tasks that exclude each other take * one after another. As long as they do, another schedule saves nothing.*" "what could be saved while they do"
like "$(text sum.csv)" "*Tasks of type add, and all others that update sum, run one at a time: 100.0 ms one after another, 100 % of the run*" "which one"
sed 's/RWC/RW/' sum.csv >writes.csv
is "$(finds exclusive-access writes.csv)" "" "not of other accesses"
awk -F, -v OFS=, 'NR > 1 { $6 += 4 } 1' sum.csv >inside.csv
is "$(finds exclusive-access inside.csv)" "" "nor where they ran at the same time and waited inside"

# Types that never ran on one of two types of workers.
awk -v head="$head" 'BEGIN { print head; for (i = 0; i < 20; i++) { print "C0,CPU,solve," ++n "," i * 9 "," i * 9 + 9 ",0"; print "G0,CUDA,mult," ++n "," i * 9 "," i * 9 + 8 ",0" } print "C0,CPU,pack," ++n ",180,182,0"; print "G0,CUDA,pack," ++n ",180,182,0" }' >sides.csv
like "$(text sides.csv)" "*Never ran: mult on CPU, solve on CUDA.*" "what is not known of placement comes first"
is "$(finds allocation sides.csv)$(finds crowded sides.csv)$(finds one-sided-types sides.csv)" "- -" "and nothing is said of it"

# Nothing to gain: LPT on four workers, equal to the end.
awk -v head="$head" 'BEGIN { print head; for (w = 0; w < 4; w++) { t = 0; for (i = 0; i < 20; i++) { d = 20 - i; print "C" w ",CPU,a," ++n "," t "," t + d ",0"; t += d } } }' >lpt.csv
is "$(first lpt.csv) $(traceviz diagnose -q --csv lpt.csv | grep -c ^finding)" "near-bound 0" "unequal tasks on full workers"
like "$(text lpt.csv)" "The run took 210.0 ms: 80 tasks on 4 CPU workers. All workers were busy all the time*Nothing in the schedule is worth a change.*" "says so"
awk -v head="$head" 'BEGIN { print head; for (w = 0; w < 2; w++) { print "C" w ",CPU,a," ++n ",0,30,0"; print "C" w ",CPU,b," ++n ",30,40,0" } }' >two.csv
like "$(text two.csv)" "*there must be more workers, which helps unless tasks wait for the same lock or for memory. The largest part of their time is that of a (75 %).*" "and what takes the time"
# A worker that is slow, by all its tasks and no other: 6 of them.
awk -v head="$head" 'BEGIN { print head; for (w = 0; w < 4; w++) { d = w == 2 ? 30 : 10 + w / 100; for (i = 0; i < 180 / int(d); i++) print "C" w ",CPU,a," ++n "," i * d "," i * d + d ",0" } }' >slow.csv
is "$(first slow.csv)" slow-worker "few tasks, all of them slow"

# Or slow for a time: C2 from 505 ms on, up to the end, or to 800 ms. The same tasks, on workers in turn, are no slow worker.
slow_time() { awk -v head="$head" -v to="$1" -v turns="$2" 'BEGIN { print head; for (w = 0; w < 6; w++) for (t = i = 0; t < 1000; t += d) {
	slow = w == 2 && t > 500 && t < to; d = 10 + (i * 7 + w) % 5 / 100 + (slow ? 20 : 0)
	print "C" (turns && slow ? i % 6 : w) ",CPU,a," ++n "," t "," t + d ",0"; i++ } }'; }
slow_time 2000 0 >slow.csv
like "$(first slow.csv) $(text slow.csv)" "slow-worker * tasks on worker C2 take longer than others for a time (slow-worker). From 501.0 ms on, up to the end, the 17 tasks on worker C2 took \
340.0 ms longer in all than others of their type.*--end 10[0-9][0-9].* -o slow-worker.svg*" "slow up to the end"
slow_time 800 0 >slow.csv
like "$(text slow.csv)" "*(slow-worker). From 501.0 ms on, for 300.2 ms, the 10 tasks on worker C2 took 200.0 ms longer*--panels spacetime --begin 425.9* --end 876.2*" "slow for a time; the picture has a quarter more on both sides"
slow_time 600 0 >slow.csv
is "$(finds slow-worker slow.csv)" "" "four long tasks are not enough"
slow_time 2000 1 >slow.csv
is "$(finds slow-worker slow.csv)" "" "nor are those of all workers"

# The same where tasks of steps wait for each other, so that the longest chain is that of the slow worker.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime"
	for (k = 0; k < 8; k++) for (w = 0; w < 4; w++) for (i = 0; i < (w == 2 ? 2 : 5); i++) { d = w == 2 ? 25 : 10 + w / 100
		print "C" w ",work," k * 51 + i * d "," k * 51 + i * d + d "," 100 * k + 10 * w + i "," (k > 0 ? "j" k - 1 : "") ",0" }
	for (k = 0; k < 8; k++) { all = ""; for (w = 0; w < 4; w++) for (i = 0; i < (w == 2 ? 2 : 5); i++) all = all " " 100 * k + 10 * w + i
		print "C0,join," k * 51 + 50.1 "," k * 51 + 51 ",j" k "," substr(all, 2) ",0" } }' >steps.csv
is "$(first steps.csv)" slow-worker "a slow worker on the longest chain, with others that ran the same step"

# Five equal tasks on three workers, each step behind a short one: no order of them is better. pre: one of them needs another short one.
steps() { awk -v steps="$1" -v pre="$2" 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime"
	for (k = 0; k < steps; k++) { t = (21 + pre) * k; all = ""; need = k > 0 ? "j" k - 1 : ""
		if (pre) print "C1,pre," t "," t + 1 ",p" k "," need ",0"
		for (i = 0; i < 5; i++) { s = t + int(i / 3) * 10 + pre * (i % 3 == 1); print "C" i % 3 ",work," s "," s + 10 "," 10 * k + i "," (pre && i == 4 ? "p" k : need) ",0"; all = all (i > 0 ? " " : "") 10 * k + i }
		print "C0,join," t + 20 + pre "," t + 21 + pre ",j" k "," all ",0" } }'; }
steps 40 1 >order.csv
is "$(first order.csv)" no-gain "where no policy is faster"
like "$(text order.csv)" "*No policy that was simulated is faster by more than simulations may be off: nothing in the schedule is known to be worth a change.*" "no advice is given"
steps 40 0 >joins.csv
is "$(first joins.csv) $(finds joins joins.csv)" "joins 133.333333 400.000000" "where all are ready, their number does not fit the workers: 10 ms of one, forty times"
like "$(text joins.csv)" "*40 tasks of type join are joins: each waits for all tasks before it, and all later ones wait for it. Before 40 of them workers waited for the last of 5 tasks on average: 400.0 ms in total (16 %*" "in words"
awk -F, -v OFS=, 'NR == 1 || $6 !~ / / { print; next } { n = split($6, d, " "); $6 = d[1]; for (i = 2; i < n; i++) $6 = $6 " " d[i]; print }' joins.csv >open.csv
is "$(finds joins open.csv)" "" "not where one task need not have ended"
awk -F, -v OFS=, 'NR == 1 { print $0, "GFlop"; next } { long = $2 == "work" && $5 % 10 == 4; print $0, 1 + 2 * long }' joins.csv | awk -F, -v OFS=, 'NR > 1 { k = $2 == "join" ? substr($5, 2) : int($5 / 10); $3 += 20 * k; $4 += 20 * k; if ($2 == "join") { $3 += 20; $4 += 20 } else if ($5 % 10 == 4) $4 += 20 } { print }' >longs.csv
is "$(finds joins longs.csv)" "" "nor where a long task ends last"
for n in 2 3; do head -$((6 * n + 1)) joins.csv >few.csv; is "$(finds joins few.csv | wc -l)" $((n > 2)) "$n joins"; done

# Serial steps: 40 tasks, one on which all others depend, 40 tasks; four workers.
step() { # DURATION OTHER: of that task, and whether another one runs beside it
	awk -v d="$1" -v other="${2:-}" 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime"
		for (i = 0; i < 40; i++) { print "C" i % 4 ",work," int(i / 4) * 10 "," int(i / 4) * 10 + 10 "," i + 1 ",,0"; all = all (i > 0 ? " " : "") i + 1 }
		print "C0,merge,100," 100 + d ",41," all ",0"
		if (other) print "C1,work,100," 100 + d ",100,,0"
		for (i = 0; i < 40; i++) { t = 100 + d + int(i / 4) * 10; print "C" i % 4 ",work," t "," t + 10 "," i + 42 ",41,0" } }'
}
step 60 >step.csv
is "$(first step.csv)" serial-step "a task for which all others wait"
like "$(text step.csv)" "*For 60.00 ms, 23 % of the run, a task of type merge was the only one that ran. Workers waited for such tasks, on which others depend, for 180.0 ms in total (*% of the time of all workers).*" "with its numbers"
step 5 >step.csv
step 60 1 >beside.csv
is "$(for f in step beside; do traceviz diagnose -q --csv $f.csv 2>/dev/null; done | grep -c serial-step)" 0 "a short one, and one that is not alone, are none"

# Each task starts 29 ms after the one before it has ended: the runtime is slow only where they are known to be submitted.
for submitted in "" ,SubmitTime; do
	awk -v s="$submitted" 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn" s
		for (i = 1; i <= 40; i++) print "C" i % 2 ",a," 30 * i "," 30 * i + 1 "," i "," (i > 1 ? i - 1 : "") (s != "" ? ",0" : "") }' >late.csv
	traceviz diagnose -q --csv late.csv 2>/dev/null | awk -F, '$3 == "fine-tasks" || $3 == "runtime"' | wc -l
done >counts
is "$(tr '\n' ' ' <counts)" "0 2 " "waits that no runtime has, where submissions are not known"

# Each task is ready 4 ms before it starts, and nothing else keeps its worker: no order is the cause.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn\nC0,go,0,2,1,"; for (i = 0; i < 20; i++) for (w = 0; w < 2; w++) print "C" w ",a," 6 + 14 * i "," 16 + 14 * i "," 2 + 2 * i + w ",1" }' >gaps.csv
is "$(traceviz diagnose -q --csv gaps.csv 2>/dev/null | grep -c fixed-order)" 0 "a gap before ready tasks is no fixed order"

# Switches of the runtime that wrote the trace, and of no other.
is "$(traceviz -q "$DATA/cholesky.csv" | grep -c STARPU) $(traceviz diagnose -q --all "$TESTDATA/fxt/cholesky-12-dmdas" | grep -c STARPU_ | awk '{ print ($1 > 0) }')" "0 1" "StarPU's switches for its traces alone"

# C3 begins after 30 ms, although all tasks are ready from the start; or its first task depends on one that ends then.
late() { awk -v head="$head" -v on="$1" 'BEGIN { print head ",DependsOn"; for (w = 0; w < 4; w++) for (t = w == 3 ? 30 : 0; t < 100; t += 2)
	print "C" w ",CPU,a," ++n "," t "," t + 2 ",0," (w == 3 ? on : n == 2 ? 1 : "") }'; }
late "" >late.csv
like "$(first late.csv) $(text late.csv)" "late-workers *1 of 4 CPU workers begins late, 30.00 ms after the first: it did nothing for 30.00 ms in total (8 % of the time of all workers)*" "a late worker"
late 15 >late.csv
is "$(finds late-workers late.csv)" "" "not where its tasks depend on one that ends then"

# A worker with fewer and larger tasks (GFlop) is not slow; without GFlop it may be.
larger() { awk -v head="$head" -v gflop="$1" 'BEGIN { print head (gflop ? ",GFlop" : ""); for (w = 0; w < 2; w++) for (i = 0; i < (w ? 20 : 80); i++) { d = (w ? 40 : 10) + i % 7 / 100
	print "C" w ",CPU,a," ++n "," t[w] + 0 "," t[w] + d ",0" (gflop ? "," (w ? 4 : 1) : ""); t[w] += d } }'; }
larger 1 >larger.csv
larger 0 >slower.csv
is "$(first larger.csv) $(first slower.csv)" "near-bound slow-worker" "larger tasks on one worker"
# Two of four workers never get a task: every policy would use them, so that none is like the run.
{ echo "$head,Kind,DependsOn"; for w in 0 1 2 3; do echo "C$w,CPU,,,,,,worker,"; done
	awk 'BEGIN { for (i = 0; i < 120; i++) print "C" i % 2 ",CPU,a," i + 1 "," int(i / 2) * 2 "," int(i / 2) * 2 + 2 ",0,app," (i == 119 ? 1 : "") }'; } >few.csv
is "$(first few.csv)" unused-workers "workers that were never used"

# Time between tasks, of 1 and of 3 % of a run that is a little longer than its bound: a small gain is no first answer.
gaps() { awk -v gap="$1" 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,DependsOn"; print "0,b,0,0.1,CPU0,CPU,"
	for (w = 0; w < 2; w++) for (i = 0; i < 100 + 3 * w; i++) { t = 0.1 + i * (10 + gap); print ++id ",a," t "," t + 10 ",CPU" w ",CPU,0" } }'; }
gaps 0.12 >small.csv
gaps 0.3 >large.csv
is "$(first small.csv) $(first large.csv)" "near-bound runtime" "a gain of 1 % of a run that is within 3 % of its bound"

# A thread that creates tasks waits for them, works alone for 20 ms, and creates more; and one that only waits: what then bounds the run is no
# chain of tasks.
waits() { awk -v work="$1" 'BEGIN { t = 0; print "JobId,Value,Start,End,ResourceId,ResourceType,Kind,DependsOn,SubmitTime,SubmitAfter,SubmitDelay"
	for (s = 0; s < 6; s++) { g = s > 0 ? "g" s : ""
		for (w = 0; w < 2; w++) { d = w == s % 2 ? 30 : 10; print 2 * s + w + 1 ",a," t "," t + d ",T" w ",CPU,app," g (s > 0 ? " " 2 * s + w - 1 : "") "," t "," g "," (s > 0 ? work : "") }
		print "g" s + 1 ",taskwait,,,,,ghost," 2 * s + 1 " " 2 * s + 2 "," t ",,"; t += 30 + work } }'; }
waits 20 >serial.csv
waits 0 >waits.csv
is "$(first serial.csv) $(finds serial-part serial.csv)" "serial-part 50.000000 100.000000" "one thread works after waits for tasks: that, not slow submission"
like "$(text serial.csv)" "*After waits for tasks, one thread works for 100.0 ms in total, 5 times and for up to 20.00 ms, before it creates more tasks. \
Meanwhile no task runs: workers did nothing for 100.0 ms in total (18 % of the time of all workers).*" "how much, how often"
is "$(first waits.csv) $(finds serial waits.csv)" "barriers " "a chain that waits for all tasks make is one of barriers"
like "$(text waits.csv)" "*another schedule saves at most 60.00 ms, 33.3 % of the run. If the program waits for all its tasks as often as it did, the run takes \
180.0 ms or more. *No gain is known: tasks depend on these waits, and simulations keep dependencies.*" "what it costs, and that no chain does"

# Four workers of eight take three times as long for one type, and the same time for the other: the type is slow there. A single one, too.
types() { awk -v from="$1" 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,DependsOn"; print "0,root,0,0.1,CPU0,CPU,"
	for (w = 0; w < 8; w++) { t = 0.1
		for (i = 0; t < 400; i++) { d = i % 2 ? 3 : w >= from ? 12 : 4; d += (i * 7 + w * 3) % 5 * 0.01
			print ++id "," (i % 2 ? "pack" : "stencil") "," t "," t + d ",CPU" w ",CPU,0"; t += d } } }'; }
types 4 >half.csv
types 7 >one.csv
is "$(first half.csv) $(first one.csv)" "slow-type slow-type" "slow for one of two types"
like "$(text one.csv)" "*stencil takes 2.99 times as long on worker CPU7 as on the others*" "on which worker, how much"

# The first task of each of six workers takes twenty times as long, whatever its type; other tasks of a type take one or two units.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType"
	for (w = 0; w < 6; w++) { t = 0
		for (i = 0; i < 50; i++) { d = i == 0 ? 24 : (i * 5 + w) % 7 < 3 ? 2 : 1
			print ++id "," substr("abc", (i + w) % 3 + 1, 1) "," t "," t + d ",CPU" w ",CPU"; t += d } } }' >first.csv
is "$(first first.csv)" warm-up "first tasks of any type"

# Tasks of a type that start in the order of their length, the longest first, on two workers that end together: no change of durations.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType"
	for (i = 0; i < 200; i++) for (w = 0; w < 2; w++) { d = 20 - i * 0.06 + (i * 7 + w) % 5 * 0.05
		print ++id ",map," t[w] + 0 "," t[w] + d ",CPU" w ",CPU"; t[w] += d } }' >longest.csv
is "$(first longest.csv)" near-bound "tasks in the order of their length"

# Two nodes of one worker, chains that cross between them; messages are in links alone, each from the end of a task to the start of the next.
mkdir crossing
awk 'BEGIN { tasks = "crossing/tasks.csv"; links = "crossing/links.csv"
	print "JobId,Value,Start,End,ResourceId,ResourceType,Node,DependsOn,SubmitTime" >tasks; print "Type,Key,Origin,Dest,Start,End,Size" >links
	for (i = 0; i < 40; i++) for (n = 0; n < 2; n++) { t = i * 25
		print 2 * i + n + 1 ",cell," t "," t + 10 "," n "_CPU0,CPU," n "," (i > 0 ? 2 * i - n : "") ",0" >tasks
		if (i > 0) print "MPI communication,m" ++m "," 1 - n "_CPU0," n "_CPU0," t - 15 "," t ",8192" >links } }'
is "$(first crossing) $(finds messages crossing)" "messages 585.000000 1170.000000" "messages that no task names"
like "$(text crossing)" "*before tasks that depend on tasks of other nodes, until messages to their node arrived. Which message a task waited for, \
the trace does not say. 78 messages carry 639.0 kB; each takes 15.00 ms on average, from its send to its arrival. *the cause is likely*" "what is known of them"

# Two chains, submitted one after the other, of which at most ten tasks are submitted and have not ended: of a hundred workers two have tasks, no
# other one has a next task that would wait.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,DependsOn,SubmitTime,Kind"; for (w = 2; w < 100; w++) print ",,,,CPU" w ",CPU,,,worker"
	for (k = 0; k < 140; k++) { s = k < 70 ? k : k - 9; end[k] = s + 1
		print k + 1 ",a," s "," s + 1 ",CPU" (k >= 70) ",CPU," (k % 70 ? k : "") "," (k < 10 ? 0 : end[k - 10]) ",app" } }' >window.csv
is "$(first window.csv)" window-limit "a limit of submitted tasks that shows in no wait for them"

# Four workers whose tasks take 10 ms, one in ten of them 40 ms, with a processor for 1 ms; or for all of it, with the same switches.
asleep() { awk -v on="$1" -v long="$2" 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,task-clock,voluntary-switches"
	for (w = 0; w < 4; w++) { t = 0
		for (i = 0; i < 30; i++) { d = i % 10 == w + 2 ? long : 10
			print ++id ",a," t "," t + d ",CPU" w ",CPU," (on ? on : d) * 1000000 ",3"; t += d } } }'; }
asleep 1 10 >slept.csv
asleep 0 10 >worked.csv
asleep 1 40 >waited.csv
like "$(first slept.csv) $(text slept.csv)" "near-bound *For more than half of their time tasks had no processor, after they gave it up themselves: they slept, or waited \
for a lock, a file or a device. To be faster, they must wait less.*" "tasks that sleep need no more workers"
like "$(text worked.csv)" "*To be faster, the tasks themselves must take less time, or there must be more workers*" "others may"
like "$(first waited.csv) $(text waited.csv)" "outliers *they slept, or waited for a lock, a file or a device. To do: Find out what these tasks wait for. *" "long tasks that slept"

# One thread of OpenMP that creates a task when the last one has ended.
mkdir alone
printf 'Key,Value\nRuntime,LLVM OMP version: 5.0\n' >alone/meta.csv
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,SubmitTime"
	for (i = 0; i < 40; i++) print i + 1 ",a," i * 10 + 4 "," i * 10 + 10 ",T0,CPU," i * 10 + 4 }' >alone/tasks.csv
like "$(first alone) $(text alone)" "submission *The only thread also creates the tasks: between them it works for 156.0 ms. To do: Use more threads, or make tasks larger*" \
	"a thread that creates its own tasks"

# Three workers of three types; one type takes three times as long on one of them, which is hardly slower over all its tasks.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType"
	for (w = 0; w < 3; w++) { t = 0
		for (i = 0; t < 90; i++) { k = i * 7 % 5 % 3; d = (k == 0 && w == 1 ? 3 : 1) + (i * 3 + w) % 7 * 0.01
			print ++id "," substr("abc", k + 1, 1) "," t "," t + d ",CPU" w ",CPU"; t += d } } }' >third.csv
like "$(first third.csv) $(text third.csv)" "slow-type *a takes 2.9? times as long on worker CPU1 as on the others*" "one slow type of three on one worker"

# Three nodes whose tasks are divided by what they take; all workers of one of them take 1.6 times as long for each.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,Node"
	for (n = 0; n < 3; n++) for (w = 0; w < 4; w++) { t = 0
		for (i = 0; t < 300; i++) { d = (n == 1 ? 1.6 : 1) * (1 + (i * 3 + w * 5) % 7 * 0.02)
			print ++id ",a," t "," t + d "," n "_CPU" w ",CPU," n; t += d } } }' >divided.csv
like "$(first divided.csv) $(text divided.csv)" "slow-worker *Tasks on CPU workers of node 1 take 1.60 times as long as on other CPU workers.*the simulation without it, in which each \
node keeps its tasks, is not faster.*" "a slow node where all workers are busy to the end"

# Tasks that all run at once, each on a worker of its own, without dependencies.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType"; for (i = 0; i < 30; i++) print i + 1 ",a,0," 10 + i / 100 ",CPU" i ",CPU" }' >once.csv
like "$(first once.csv) $(text once.csv)" "near-bound *the longest tasks must take less time, and each worker must have less work.*" "no chain where nothing depends on anything"

# Tasks of a type that take four times as long, on all workers, in turns.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType"
	for (w = 0; w < 4; w++) { t = 0; for (i = 0; i < 96; i++) { d = (i + 3 * w) % 12 == 6 ? 40 : 10; print ++id ",a," t "," t + d ",CPU" w ",CPU"; t += d } } }' >turns.csv
# A tree: many small tasks, then fewer and larger ones, up to one at the end.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,DependsOn"
	for (k = 0; k < 2; k++) for (w = 0; w < 32; w++) print ++id "," (k ? "up" : "down") "," k "," k + 1 ",CPU" w ",CPU," (k ? id - 32 : "")
	t = 2; first = 33; n = 32; for (d = 2; n > 1; d *= 2) { m = n / 2; for (i = 0; i < m; i++) { print ++id "," (i % 2 ? "up" : "down") "," t "," t + d ",CPU" i ",CPU," first + 2 * i " " first + 2 * i + 1 } first += n; n = m; t += d } }' >tree.csv
# All tasks of node 1 depend on a job of node 0, whose data arrive late; the message is in links alone.
mkdir arrives
awk 'BEGIN { tasks = "arrives/tasks.csv"; print "JobId,Value,Start,End,ResourceId,ResourceType,Node,DependsOn" >tasks
	for (i = 0; i < 80; i++) { n = i % 2; t = n * 100 + int(i / 4) * 10; print i + 1 ",a," t "," t + 10 "," n "_CPU" int(i / 2) % 2 ",CPU," n "," (n ? 1 : "") >tasks }
	print "Type,Key,Origin,Dest,Start,End,Size\nMPI communication,m1,0_CPU0,1_CPU0,10,100,1000000" >"arrives/links.csv" }'
# The CPU runs what feeds nobody before what the GPU waits for.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,DependsOn,SubmitTime"
	for (w = 0; w < 4; w++) for (i = 0; i < 30; i++) print ++id "," (i < 20 ? "other" : "prepare") "," i * 5 "," i * 5 + 5 ",CPU" w ",CPU,,0"
	for (i = 0; i < 40; i++) { w = i % 4; k = int(i / 4); p = w * 30 + 21 + k; s = 105 + i * 2.5; s = s > 105 + k * 5 ? s : 105 + k * 5; print ++id ",kernel," s "," s + 2.5 ",CUDA0,CUDA," p ",0" } }' >feeds.csv
like "$(first turns.csv) $(text turns.csv)" "near-bound *32 tasks took longer than others of their type, by 240.0 ms in all if spread over all workers: whether they have more \
work is not known.*" "long tasks where all workers are busy"
is "$(first tree.csv)" serial "few large tasks at the end of a tree are no slow time"
is "$(first arrives)" messages "workers of a node wait for a message that is in links alone"
like "$(text --all feeds.csv)" "*What waited: prepare*In another order on the same workers, at most 55.00 ms of this can be gained.*" "a GPU that waits is idle in the order of tasks, too"

# A chain of panels, each of which waits until its worker has run an update: alone, but not because nothing else could run then.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,DependsOn,SubmitTime"
	for (k = 0; k < 30; k++) { t = k * 12; before = p; print p = ++id ",panel," t "," t + 6 ",CPU" k % 6 ",CPU," before ",0"; p = id
		for (w = 0; w < 6; w++) if (w != k % 6) print ++id ",update," t + 6 "," t + 12 - (w + k) % 3 * (w != (k + 1) % 6) ",CPU" w ",CPU," p ",0" } }' >alone.csv
is "$(first alone.csv)" urgent-delays "tasks that run alone as they started late"

# Tasks of 10 us; all workers pause for 200 us at the same times. No task waits for the runtime between these.
awk 'BEGIN { print "JobId,Value,Start,End,ResourceId,ResourceType,DependsOn,SubmitTime"
	for (w = 0; w < 4; w++) for (i = 0; i < 200; i++) { t = i * 0.01 + int(i / 25) * 0.2; print ++id ",a," t "," t + 0.01 ",CPU" w ",CPU,,0" } }' >pauses.csv
like "$(first pauses.csv) $(text pauses.csv)" "runtime *Half of the tasks did not wait, so this is the time of fewer, long waits.*" "pauses of all workers are no time for each task"

# A chain on two nodes that changes the node for each task, by messages that are in links alone; another worker of each node has one task.
mkdir changes
awk 'BEGIN { tasks = "changes/tasks.csv"; links = "changes/links.csv"
	print "JobId,Value,Start,End,ResourceId,ResourceType,Node,DependsOn,SubmitTime" >tasks; print "Type,Key,Origin,Dest,Start,End,Size" >links
	for (n = 0; n < 2; n++) print ++id ",a,0,10," n "_CPU1,CPU," n ",,0" >tasks
	for (i = 0; i < 20; i++) { n = i % 2; t = i * 25; print ++id ",a," t "," t + 10 "," n "_CPU0,CPU," n "," (i ? id - 1 : "") ",0" >tasks
		if (i) print "MPI communication,m" i "," 1 - n "_CPU0," n "_CPU0," t - 15 "," t ",100" >links } }'
is "$(first changes)" messages "a tail of workers behind messages"

need_shared 2
"$SHARED/data/answers/check-answers.py" traceviz "$SHARED/data/answers" >answers
is "$(tail -1 answers)" "26 of 26 first answers right, 0 false claims" "the corpus of known causes"
is "$(sed -n 's/ numbers and names missing from the first screen//p' answers)" 0 "with all numbers and names"
