#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-findings.t: findings about nodes, network, memory, barriers, size of tasks, decisions, machine: traces with and without them
# needs zstd
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/cli/finds.sh"

plan 78

# says PATTERN: what is said in the table of the last one
says() { tr '\n' ' ' <table.csv | grep -c "$1"; }
head='ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime\n'

# Messages: two nodes, the second has one task of 10 ms after a message of MS ms; the first is busy to the end.
exchange() { # FOLDER MS
	mkdir "$1"
	{ printf "$head"
	printf '0_C0,CPU,a,0_1,0,10,app,,0\n0_C0,CPU,a,0_2,10,%d,app,0_1,0\n,,MPI,m1,10,%d,message,0_1,\n' "$((20 + $2))" "$((10 + $2))"
	printf '1_C0,CPU,b,1_0,0,10,app,,0\n1_C0,CPU,b,1_1,%d,%d,app,m1,0\n' "$((10 + $2))" "$((20 + $2))"; } >"$1/tasks.csv"
	printf 'Type,Key,Origin,Dest,Start,End,Size\nMPI communication,m1,0_MPI,1_MPI,10,%d,2000000\n' "$((10 + $2))" >"$1/links.csv"
	printf 'ResourceId,ResourceType,Node\n0_C0,CPU,0\n1_C0,CPU,1\n0_MPI,MPI,0\n1_MPI,MPI,1\n' >"$1/resources.csv"
}
exchange slow 80
is "$(finds messages slow)" "40.000000 80.000000" "messages: 80 ms of one of two workers"
is "$(says '1 message carries 2.000 MB; each takes 80.00 ms')" 1 "their number, bytes and mean"
exchange quick 0
is "$(finds messages quick)" "" "not for one that takes no time"
is "$(finds network-bound slow)" "" "network-bound: half of the workers are busy"
# Three nodes: 0 sends 10 messages of 10 ms one after the other to the others, which have a task of 1 ms after each.
mkdir bound
{ printf "$head"; printf '0_C0,CPU,a,0_1,0,10,app,,0\n'
awk 'BEGIN { for (i = 0; i < 10; i++) { d = 1 + i % 2; printf ",,MPI,m%d,%d,%d,message,0_1,\n%d_C0,CPU,b,%d_%d,%d,%d,app,m%d,0\n", i, 10 + 10 * i, 20 + 10 * i, d, d, 10 + i, 20 + 10 * i, 21 + 10 * i, i } }'; } >bound/tasks.csv
{ echo Type,Key,Origin,Dest,Start,End,Size; awk 'BEGIN { for (i = 0; i < 10; i++) printf "MPI communication,m%d,0_MPI,%d_MPI,%d,%d,1000000\n", i, 1 + i % 2, 10 + 10 * i, 20 + 10 * i }'; } >bound/links.csv
printf 'ResourceId,ResourceType,Node\n0_C0,CPU,0\n1_C0,CPU,1\n2_C0,CPU,2\n0_MPI,MPI,0\n1_MPI,MPI,1\n2_MPI,MPI,2\n' >bound/resources.csv
is "$(finds network-bound bound | grep -c ^m)" 1 "network-bound: one node sends all the time"
is "$(says '(100 MB/s over 1 % of the run, node 0)')" 1 "its rate: 1 MB in 10 ms"
is "$(awk -F, '$3 == "network-bound" { exit !($6 > 60 && $6 < 100) }' table.csv && echo yes)" yes "most of 100 ms"
cp -r bound small && sed -i 's/,1000000$/,1000/' small/links.csv
is "$(finds network-bound small)" "" "not where messages have 1 kB: that is latency"

# Nodes: 40 and 10 ms of work for one worker each.
work() { printf "$head"; awk -v n="$1" 'BEGIN { for (i = 0; i < n; i += 10) print "0_C0,CPU,a,0_" i "," i "," i + 10 ",app,,0"; print "1_C0,CPU,b,1_1,0,10,app,,0" }'; }
work 40 >uneven.csv
is "$(finds node-imbalance uneven.csv)" "m15.000000 -" "node-imbalance: 40 ms where 25 would do"
work 10 >even.csv
like "$(traceviz diagnose -q --all uneven.csv | xargs)" "*node-imbalance*Node * ran * tasks, the other *. The tasks of node * need 40.00 ms or more on its workers; all tasks would need 25.00 ms if all nodes shared them.*" "in words"
is "$(finds node-imbalance even.csv)" "" "not for equal ones"

# Memory: transfers that evict.
evict() { # FOLDER RESULT: of the second allocation
	mkdir "$1"
	{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nG0,CUDA,b,2,20,30,app,1,0\n'; } >"$1/tasks.csv"
	printf 'ResourceId,ResourceType,MemoryNode\nC0,CPU,0\nG0,CUDA,1\nMEMMANAGER0,MEMMANAGER,0\nMEMMANAGER1,MEMMANAGER,1\n' >"$1/resources.csv"
	printf 'Type,Key,Origin,Dest,Start,End,Size,Handle\nIntra-node data Fetch,com_1,MEMMANAGER0,MEMMANAGER1,14,20,100,h\n' >"$1/links.csv"
	printf 'ResourceId,Type,Time,Handle,Size,Info\nMEMMANAGER1,Allocating Start,11,h,100,0\nMEMMANAGER1,Allocating End,12,h,,%s\nMEMMANAGER1,WritingBack Start,12,g,,\nMEMMANAGER1,DriverCopy Start,14,h,100,1\n' "$2" >"$1/events.csv"
}
evict full -12
is "$(finds evictions full | cut -c1)$(says 'for 1 of 1 transfers other data had to leave it first (1 pieces')" m1 "evictions: an allocation fails"
evict free 100
is "$(finds evictions free)" "" "not for one that succeeds"

# Barriers: four phases of four workers, one of which takes longer.
phases() { # EXTRA: of the longest task
	printf "$head"
	awk -v extra="$1" 'BEGIN { for (p = 0; p < 4; p++) for (w = 0; w < 4; w++) { t = p * (10 + extra); printf "C%d,CPU,a,%d,%d,%d,app,,%d\n", w, ++n, t, t + 10 + (w == p) * extra, t } }'
}
phases 10 >barriers.csv
is "$(finds barriers barriers.csv)" "22.500000 90.000000" "barriers: 3 workers wait 10 ms at 3 of them"
is "$(says 'for all its tasks 3 times')" 1 "three times"
phases 0 >flowing.csv
is "$(finds barriers flowing.csv)" "" "not where nobody waits"
sed 's/,[0-9]*$/,0/' barriers.csv | sed '1s/,0$/,SubmitTime/' >early.csv
is "$(finds barriers early.csv)" "" "not where everything is submitted at the start"

# Periodic: 8 workers, a slow time each 100 tasks, or at other intervals.
slow_at() { awk -v at="$1" 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime"; n = split(at, a, " "); for (i = 1; i <= n; i++) slow[a[i]] = 1
	for (w = 0; w < 8; w++) { t = 0; for (i = 0; i < 120; i++) { d = i in slow ? 20 : 10; print "C" w ",CPU,a," ++k "," t "," t + d ",0"; t += d } } }'; }
slow_at "10 30 50 70 90 110" >periodic.csv
is "$(finds periodic periodic.csv)" "m60.000000 480.000000" "periodic: 6 times 8 workers, 10 ms longer"
is "$(says 'Every 20[0-9].[0-9] ms on average, 6 times')" 1 "its period"
slow_at "10 16 50 62 90 110" >irregular.csv
is "$(finds periodic irregular.csv)" "" "not at irregular intervals"
slow_at "10 30 50" >thrice.csv
is "$(finds periodic thrice.csv)" "" "not for three times"

# Size of tasks: 5 tasks for 4 workers, 25 and 101 tasks.
even_tasks() { printf "$head"; awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "C%d,CPU,a,%d,%d,%d,app,,0\n", i % 4, i + 1, 10 * int(i / 4), 10 * int(i / 4) + 10 }'; }
even_tasks 5 >coarse.csv
is "$(finds coarse-tasks coarse.csv)" "7.500000 30.000000" "coarse-tasks: 3 workers wait for the fifth"
even_tasks 101 >grains.csv
is "$(finds coarse-tasks grains.csv)" "" "not for 101 tasks"

# Decisions: the pass late is the oracle.
late() { traceviz late -q --csv "$DATA/cholesky-decisions" | awk -F, -v part="$1" -v min="$2" "$by_name"'
	$c[part] >= min { sum += $c[part]; if ($c[part] > most) most = $c[part] } END { printf "m%.6f %.6f", most, sum }'; }
one=$(traceviz bounds -q --csv "$DATA/cholesky-decisions" | awk -F, '$2 == "makespan" { print $4 / 100 }')
is "$(finds overtaken "$DATA/cholesky-decisions")" "$(late Overtaken "$one")" "overtaken: the longest wait and the sum of the pass late"
is "$(finds pipeline "$DATA/cholesky-decisions")" "$(late Pipeline "$one")" "pipeline"
is "$(finds overtaken "$DATA/cholesky.csv")$(finds pipeline "$DATA/cholesky.csv")" "" "not without decisions"

# The machine.
watched() { # FOLDER STOLEN_NS SAMPLER_NS
	mkdir "$1"
	cp coarse.csv "$1/tasks.csv"
	printf 'ResourceId,Type,Start,End,Value\nPU:0,events.steal-time,0,10,%s\nPU:1,events.steal-time,10,30,%s\n' "$2" "$2" >"$1/variables.csv"
	printf 'Key,Value\nMonitor.Cpu,%s ns\n' "$3" >"$1/meta.csv"
}
watched busy 2000000 1000000
is "$(finds steal busy)" "m0.750000 3.000000" "steal: 2 ms, and half of 2 ms in twice the rest of the run"
is "$(finds tracing busy)" "m0.250000 1.000000" "tracing: 1 ms of the sampler in 20"
watched calm 1000 1000
is "$(finds steal calm)$(finds tracing calm)" "" "not for 1 us"

# The critical path on slow workers: b takes 20 ms on the CPU, 5 ms on the GPU.
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,b,2,10,30,app,1,0\nG0,CUDA,b,3,0,5,app,,0\n'; } >slowpath.csv
is "$(finds critical-placement slowpath.csv)" "m15.000000 -" "critical-placement: b could take 15 ms less"
is "$(says '1 task ran on workers of a type that is slow for them: above all b on CPU')" 1 "which one"
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nG0,CUDA,b,2,10,15,app,1,0\nC1,CPU,b,3,0,14,app,,0\n'; } >quickpath.csv
is "$(finds critical-placement quickpath.csv)" "" "not where the slow one is on another chain"

# Waits of 20 ms on the path of a run that is 2 ms above its area bound.
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,x,2,10,30,app,,0\nC0,CPU,b,3,30,55,app,1,0\nC1,CPU,c,4,0,51,app,,0\n'; } >full.csv
is "$(finds critical-delays full.csv)" "m2.000000 -" "critical-delays: no more than what is to be explained"
sed '/,x,/s/^C0,CPU,x,2,10,30/C0,CPU,b,2,5,30/; s/^C0,CPU,a,1,0,10/C0,CPU,a,1,0,5/; s/,51,/,30,/' full.csv >alike.csv
is "$(finds critical-delays alike.csv)" "" "not before tasks of its type that are as urgent: no order of them is better"

# Limits.
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nG0,CUDA,b,2,10,30,app,1,0\n'; } >types.csv
is "$(finds no-transfers types.csv)" "- -" "no-transfers: two types of workers"
is "$(finds no-transfers full)$(finds no-transfers coarse.csv)" "" "not with transfers, nor with one type"

# Runs of four nodes.
for k in p1x4 p2x2; do
	run=$DATA/cholesky-4nodes/$k
	finds messages "$run" >/dev/null
	is "$(awk -F, '$3 == "late-start" { print $1 }' table.csv) $(says 'spent on messages')" "finding 1" "$k: nodes start late, for messages"
	is "$(awk -F, '$3 == "messages" { print $7 }' table.csv)" \
		"$(traceviz idle-causes -q "$run" | awk -F, '$7 == "mpi" { m = $8 } $7 == "dependencies" { b = $12 } END { printf "%.6f", m + b }')" "$k: time of workers that wait for messages"
	is "$(awk -F, '$3 == "node-imbalance" { print $6 }' table.csv)" \
		"$(traceviz load-balance -q --csv "$run" | awk -F, "$by_name"'$1 == "" { all = $c["ABE"]; next } $c["ABE"] > most { most = $c["ABE"] } END { if (most > 1.05 * all) printf "%.6f", most - all }')" "$k: the node with the most work"
done

# One cause, once: what refers to another finding follows it, and has no advice of its own.
is "$(traceviz diagnose -q --csv "$DATA/cholesky-4nodes/p1x4" | awk -F, '$1 == "finding" { n++; id[n] = $3; see[n] = $(NF - 1) } END { for (i = 1; i <= n; i++) if (see[i] != "") { main = see[i]; for (k = i; see[k] != ""; k--); print id[i], main == id[k] ? "follows" : "does not follow", main } }' | sort)" \
	"$(printf '%s\n' 'critical-delays follows urgent-delays' 'critical-transfers follows transfers' 'late-start follows messages' 'network-bound follows messages')" "findings with a cause that another one has"
is "$(traceviz diagnose -q --all "$DATA/cholesky-4nodes/p1x4" | awk '/^  [a-z]/ { id = $1 } /The cause is that of/ { print id, $6 }' | sort | xargs)" "critical-delays urgent-delays, critical-transfers transfers, late-start messages, network-bound messages," "as the text has it"

# Extremes.
{ printf "$head"; awk 'BEGIN { for (w = 0; w < 300; w++) printf "%d_C%d,CPU,a,%d_%d,0,10,app,,0\n", w / 50, w, w / 50, w }'; } >wide.csv
run traceviz diagnose -q wide.csv
is "$rc $(grep -c "Nothing in the schedule" stdout)" "0 1" "300 workers, all busy: no finding"
printf 'ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime\nC0,a,0,10,1,,0\n' >one.csv
run traceviz diagnose -q one.csv
is "$rc $(grep -c "Nothing in the schedule" stdout)" "0 1" "one task"
{ printf "$head"; printf '0_C0,CPU,a,1,0,0.00015,app,,0\n1_C0,CPU,a,2,0.0001,0.00012,app,,0\n'; } >short.csv
run traceviz diagnose -q short.csv
is "$rc" 0 "a run of 150 ns"
head -c 3000 "$DATA/cholesky.csv" | sed '$d' >cut.csv
run traceviz diagnose -q cut.csv
is "$rc" 0 "a file that was cut"
for t in "$DATA/cholesky-4nodes/p1x4" "$DATA/cholesky-decisions"; do
	is "$(traceviz diagnose -q --csv "$t" | cksum)" "$(traceviz diagnose -q --csv "$t" | cksum)" "$(basename "$t"): same input, same bytes"
done

# A JobId that is that of several tasks, as where its column holds their type: one step of the graph (of 40 ms here), which is said.
printf 'ResourceId,Value,JobId,Start,End,DependsOn\nC0,a,a,0,10,\nC0,a,a,10,20,\nC1,b,b,0,5,\nC0,a,a,20,40,\nC1,c,c,5,6,b\n' >jobs.csv
like "$(traceviz diagnose -q jobs.csv | xargs)" "*First: one job takes most of the run (serial). The 3 executions of job a, type a, take 40.00 ms from the first start to the last end, 100 % of the run, and count as one task.*Limits: several executions have one JobId, so that chains and bounds take them for one task*" "a JobId of several tasks"
like "$(traceviz info --check -q jobs.csv | grep 'repeated jobs')" "dependencies,gap,repeated jobs,1,,*" "info --check names it, too"
sed 's/^ResourceId,/Segment,ResourceId,/; /^C/s/^/0,/; s/^0,\(C0,a,a,10\)/1,\1/; s/^0,\(C0,a,a,20\)/2,\1/' jobs.csv >parts.csv
is "$(traceviz info --check -q parts.csv | grep -c 'repeated jobs') $(traceviz diagnose -q parts.csv | grep -c 'one JobId')" "0 0" "not of segments"

# The task that runs alone at the end lacked a processor for most of its time: that is the cause, and as long as it is said.
{ echo ResourceId,ResourceType,Value,Start,End,task-clock; awk 'BEGIN { for (i = 0; i < 12; i++) print "C" i % 4 ",CPU,a," 5 * int(i / 4) "," 5 * int(i / 4) + 5 ",5000000" }'; echo C0,CPU,last,15,115,30000000; } >starved.csv
is "$(finds preempted starved.csv) $(awk -F, '$2 == 1 && $1 == "finding" { print $3 }' table.csv)" "m70.000000 70.000000 preempted" "a worker that lacked a processor costs up to what it lacked"
like "$(traceviz diagnose -q --all starved.csv | xargs)" "*one task runs alone: *For 70.00 ms of this its thread waited for a processor.*The cause is that of preempted, above.*" "of the last task, too"

# The durations of another run: 12 tasks of 10 ms, here 20.
awk -v d=10 'BEGIN { print "ResourceId,ResourceType,Value,Start,End"; for (i = 0; i < 12; i++) print "C" i % 4 ",CPU,a," d * int(i / 4) "," d * int(i / 4) + d }' >fast.csv
awk -F, -v OFS=, 'NR > 1 { $4 *= 2; $5 *= 2 } { print }' fast.csv >twice.csv
like "$(traceviz diagnose -q twice.csv --durations-from fast.csv | xargs)" "*With the given durations, and the best schedule for them, it would take 30.00 ms or more: at most 30.00 ms, 50.0 % of the run, less. Of this, 30.00 ms are what tasks took longer than the given durations. Beside these durations nothing stands out*" "given durations: what they are of the loss"

# Tasks of one length: eight beside each other are no single task; what is left of 9 on 4 workers is none that is longest.
awk 'BEGIN { print "ResourceId,Value,JobId,Start,End"; for (i = 0; i < 8; i++) print "C" i ",a," i ",0,5"; print "C8,b,8,0,1" }' >wide.csv
like "$(traceviz diagnose -q --resources CPU=16 wide.csv | xargs)" "*First: each of 8 tasks takes most of the run (serial). 8 tasks, the longest of type a, take 5.000 ms each (or up to 5 % less), 100 % of the run.*To do: Split these tasks, *" "as many long tasks as there are"
awk 'BEGIN { print "ResourceId,Value,Start,End"; for (i = 0; i < 10; i++) print "C" i % 4 ",a," 5 * int(i / 4) "," 5 * int(i / 4) + 5 }' >waves.csv
like "$(traceviz diagnose -q waves.csv | xargs)" "*First: tasks are too large (coarse-tasks).*10 tasks are too few for 4 workers*" "the last of equal tasks: too few"
is "$(traceviz diagnose -q --all waves.csv | grep -c 'longest tasks first')" 0 "and no advice to begin with the longest"

# How work is divided, of tasks without dependencies. Worker k of four runs ten tasks of 2 k ms; all can start at once.
head='ResourceId,ResourceType,Node,Value,JobId,Start,End,SubmitTime,GFlop,DependsOn\n'
divided() { # 1: worker 4 is slower; 2: its tasks are of a type of their own
	printf "$head"; awk -v slow="$1" 'BEGIN { for (k = 1; k < 5; k++) for (i = 0; i < 10; i++) { d = slow == 1 && k < 4 ? 2 : 2 * k; print "C" k ",CPU,0," (k == 4 && slow == 2 ? "last" : "a") "," ++n "," d * i "," d * (i + 1) ",0," (slow == 1 ? 1 : k) "," } }'
}
divided 0 >divided.csv
is "$(finds imbalance divided.csv | cut -d ' ' -f 1) $(awk -F, '$2 == 1 && $1 == "finding" { print $3 }' table.csv)" "m30.000000 imbalance" "imbalance: 80 ms where the mean is 50"
like "$(traceviz diagnose -q divided.csv | xargs)" "*First: worker C4 has more work than others (imbalance). The 10 tasks of worker C4 take 80.00 ms in sum; the mean of the workers of its type is 50.00 ms, the smallest sum 20.00 ms.*" "in words"
is "$(divided 2 >own.csv; traceviz diagnose -q own.csv | xargs | grep -c 'Of what worker C4 did, 80.00 ms is of type last, which ran on no other worker. To do: Let other workers run tasks of this type, too.')" 1 "a type of its own"
awk -F, -v OFS=, 'NR == 1 { print $0, "Segment"; next } { half = ($6 + $7) / 2; end = $7; $7 = half; print $0, 0; $6 = half; $7 = end; print $0, 1 }' divided.csv >segments.csv
is "$(finds imbalance segments.csv | cut -d ' ' -f 1) $(traceviz diagnose -q --all segments.csv | xargs | grep -o 'The [0-9]* tasks of worker C4 take [0-9.]* ms')" "m30.000000 The 10 tasks of worker C4 take 80.00 ms" "segments of a task are one task"
divided 1 >slow.csv
cut -d, -f1-7 divided.csv >free.csv
is "$(finds imbalance slow.csv)$(finds imbalance free.csv)" "" "not of the same work that takes longer; nor where nothing says that tasks could run elsewhere"
# Sweeps of 12 tasks and two short ones on four workers, each with tasks of its own, of which C2 is slower from the middle on: durations vary by a quarter.
sweeps() { # FACTOR
	printf "$head"
	awk -v slow="$1" 'function task(w, type, time, more) { time *= 0.75 + 0.5 * (++n * 37 % 101) / 100; if (w == 2 && sweep >= 10) time *= slow
			printf "C%d,CPU,0,%s,%d,%.6f,%.6f,0,,%s\n", w, type, n, at[w], at[w] + time, more; at[w] += time }
		BEGIN { for (sweep = 0; sweep < 20; sweep++) {
			for (b = 0; b < 12; b++) task(int(b / 3), "relax", 40, sweep == 0 ? "" : last)
			task(1, "halo", 6, ""); task(2, "halo", 6, ""); last = n
			for (w = 0; w < 4; w++) if (at[w] > end) end = at[w]
			for (w = 0; w < 4; w++) at[w] = end } }'
}
sweeps 2 >later.csv
like "$(traceviz diagnose -q later.csv | xargs)" "*First: worker C2 is slower than the others for a time (slow-worker). From *, up to the end, the * tasks on worker C2 took * longer in all than others of their type.*" "a worker is slow from the middle on, beside durations that vary"
is "$(finds imbalance later.csv)$(finds unequal-tasks later.csv)" "" "then it has no more work than others, nor unequal tasks"
sweeps 1.15 >little.csv
like "$(traceviz diagnose -q --all little.csv | xargs)" "*imbalance*Its tasks of type relax take * on average, those of other workers *. Whether they have more work, or worker C2 is slower, these times do not say.*" "slower by a little: nothing says that it has more work"
is "$(traceviz diagnose -q --all little.csv | grep -c 'has more work than others')" 0 "nor does the title"
awk 'BEGIN { for (k = 1; k < 5; k++) for (i = 0; i < 2; i++) print "C" k ",CPU,0,a," ++n "," 10 * k * i "," 10 * k * (i + 1) ",0," k "," }' | { printf "$head"; cat; } >two.csv
awk -F, -v OFS=, 'NR == 1 { print $0, "Segment"; next } { half = ($6 + $7) / 2; end = $7; $7 = half; print $0, 0; $6 = half; $7 = end; print $0, 1 }' two.csv >two-segments.csv
is "$(finds imbalance two.csv)$(finds imbalance two-segments.csv)" "" "nor where two tasks are the difference"
# 30 tasks on three CPUs, 40 on a GPU that is ten times as fast.
{ printf "$head"; awk 'BEGIN { for (i = 0; i < 30; i++) print "C" i % 3 ",CPU,0,a," i "," 10 * int(i / 3) "," 10 * int(i / 3) + 10 ",0,1,"; for (i = 0; i < 40; i++) print "G,GPU,0,a,g" i "," i "," i + 1 ",0,1," }'; } >gpu.csv
is "$(finds long-tail gpu.csv) $(awk -F, '$2 == 1 && $1 == "finding" { print $3 } $3 == "elsewhere" { print $(NF - 1) }' table.csv | xargs)" "7.692308 10.000000 crowded crowded" "a GPU without tasks: the CPUs have too many; only while their last ones run there is none left"
# Two nodes of two workers; those of node 1 begin after 40 ms.
nodes() { printf "$head"; awk -v late="$1" 'BEGIN { for (w = 0; w < 4; w++) for (t = w > 1 ? 40 : 0; t < 100; t += 2) print "N" w ",CPU," int(w / 2) ",a," ++n "," t - (w > 1 && !late ? 40 : 0) "," t + 2 - (w > 1 && !late ? 40 : 0) ",0,1," }'; }
nodes 1 >late.csv; nodes 0 >less.csv
is "$(finds late-workers late.csv) $(finds node-imbalance late.csv)" "20.000000 80.000000 " "what a node has more because another began late is no imbalance"
is "$(finds late-workers less.csv)$(finds node-imbalance less.csv | cut -d ' ' -f 1)" "m20.000000" "but it is where both began at once"
# 19 of 20 workers begin after 50 ms.
{ printf "$head"; awk 'BEGIN { for (w = 0; w < 20; w++) for (t = w ? 50 : 0; t < 100; t += 10) print "W" w ",CPU,0,a," ++n "," t "," t + 10 ",0,1," }'; } >most.csv
is "$(finds late-workers most.csv)/$(finds runtime most.csv)" "47.500000 950.000000/" "all but one begin late"
# Node 0 has three fifths of 50 tasks of 10 ms.
{ printf "$head"; awk 'BEGIN { for (i = 0; i < 50; i++) { n = i < 34; k = n ? i : i - 34; t = 10 * int(k / 2); print "M" 2 * n + k % 2 ",CPU," 1 - n ",a," i "," t "," t + 10 ",0,1," } }'; } >few.csv
is "$(finds coarse-tasks few.csv | wc -l) $(finds node-imbalance few.csv | cut -d ' ' -f 1)" "0 m45.000000" "workers that wait longer than a task takes do not wait for the last tasks alone"
# Of three nodes the first has most tasks; on the last one they take twice as long.
{ printf "$head"; awk 'BEGIN { for (n = 0; n < 3; n++) for (i = 0; i < (n ? 40 : 100); i++) { d = n == 2 ? 4 : 2; t = d * int(i / 2); print "N" 2 * n + i % 2 ",CPU," n ",a," ++k "," t "," t + d ",0,1," } }'; } >three.csv
like "$(traceviz diagnose -q three.csv | xargs)" "*The tasks of node 0 need 100.0 ms or more on its workers; all tasks would need 73.33 ms if all nodes shared them. Tasks on node 2 take longer than elsewhere. \
To do: Move tasks to nodes that are not slow, *" "no task is to be moved to a slow node"

# A chain is the run; the other worker's tasks are submitted late. In the second one they are all of it.
behind() { printf "$head"; awk -v chain="$1" 'BEGIN { for (i = 0; i < 10; i++) { t = 10 * i; if (chain) print "C0,CPU,0,step,s" i "," t "," t + 10 ",0,," (i ? "s" i - 1 : "")
	for (w = chain; w < 2; w++) print "C" w ",CPU,0,a,a" w "_" i "," t "," t + 2 "," t ",," } }'; }
behind 1 >behind.csv
is "$(finds submission behind.csv)$(finds serial behind.csv | wc -w) $(grep -c '^part.*submission' table.csv)" "2 1" "submission is no cause where a chain is the run; the account has it"
behind 0 >alone.csv
is "$(finds submission alone.csv | wc -w)" 2 "it is where the run would be shorter"

need_shared 1
for k in dmda dmdas ws; do
	traceviz diagnose -q --csv "$SHARED/data/cholesky-idcin2/12/$k" | awk -F, '$3 == "critical-placement"' | grep -o '[0-9]* tasks ran\|above all [a-z]* on [A-Z]*'
done | xargs >critical
is "$(cat critical)" "7 tasks ran above all dgemm on CPU 6 tasks ran above all dsyrk on CPU 22 tasks ran above all dgemm on CPU" "2016: critical dsyrk on CPUs in dmdas"
