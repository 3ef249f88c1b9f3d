#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz simulate: closed forms, a replay, what it writes, wrong input.
. "$(dirname "$0")/lib.sh"
plan 147

makespan() { traceviz bounds -q "$1" | sed -n 's/^,makespan,observed,\([0-9.]*\).*/\1/p'; }

# A chain of 5 tasks of 2 ms, and 6 tasks of 3 ms that depend on nothing.
{
	echo "ResourceId,Value,Start,End,JobId,DependsOn"
	for i in 1 2 3 4 5; do echo "CPU0,chain,$((i * 10)),$((i * 10 + 2)),c$i,$([ $i = 1 ] || echo c$((i - 1)))"; done
	for i in 1 2 3 4 5 6; do echo "CPU1,free,$((i * 10)),$((i * 10 + 3)),f$i,"; done
} >run.csv
for case in 1:28 2:14 3:10 4:10 6:10 100:10; do
	run traceviz simulate run.csv --resources CPU="${case%:*}" --scheduler cpe-priority -o sim.csv
	is "$rc $(makespan sim.csv)" "0 ${case#*:}.000000" "${case%:*} workers: makespan ${case#*:} ms"
done
is "$(cat stderr)" "traceviz: 11 tasks on 100 workers: makespan 10.000 ms, recorded 53.000 ms (-81.1 %)" "what it reports"
is "$(traceviz info -q sim.csv | grep -c CPU99)" 0 "info"
{
	echo "ResourceId,Value,Start,End"
	echo "CPU0,a,0,1"
	echo "CUDA0,a,0,1"
} >both.csv
run traceviz simulate both.csv --resources CPU=1 -o sim.csv
is "$(sed -n 1p stderr)" "traceviz: the simulated machine has no CUDA, of which the recorded one had 1: --resources names all workers of the machine" "a type that --resources leaves out is named"
is "$(traceviz simulate -q run.csv --resources CPU=1 | tr '\n' ' ')" \
	"Run,Scheduler,Workers,Tasks,Makespan,Change,LowMakespan,HighMakespan recorded,,2,11,53.000000,0,, nearest,ws,2,11,19.000000,-64.15094339622641,, simulated,ws,1,11,28.000000,-47.16981132075472,28.000000,78.105263 " \
	"without -o numbers alone, by the policy nearest to the run"
# Low and High, from the simulations of each policy: the run as it was, and the change.
for trace in cholesky.csv cholesky-ws.csv; do
	for s in fifo prio cpe-priority dm dms heft ws lws; do
		traceviz simulate -q "$DATA/$trace" --scheduler "$s" --submission trace | awk -F, -v s="$s" '{ t[$1] = $5 } END { printf "%s %s %s ", s, t["recorded"], t["simulated"] }'
		traceviz simulate -q "$DATA/$trace" --scheduler "$s" --speed 'Value == GEMM=2' | awk -F, '$1 == "simulated" { print $5 }'
	done | awk '{ off[$1] = $3 > $2 ? $3 - $2 : $2 - $3; far[$1] = $3 > $2 ? $3 / $2 : $2 / $3; run = $2; p[$1] = $4; if (!best || off[$1] < off[best]) best = $1 }
		END { near = off[best] > run / 20 ? off[best] : run / 20; miss = far[best] > 1.01 ? far[best] : 1.01; low = high = p[best]
			for (s in p) if (off[s] <= near) { if (p[s] < low) low = p[s]; if (p[s] > high) high = p[s] } printf "%.3f %.3f\n", low / miss, high * miss }' >range
	is "$(traceviz simulate -q "$DATA/$trace" --speed 'Value == GEMM=2' | awk -F, '$1 == "simulated" { printf "%.3f %.3f", $7, $8 }')" "$(cat range)" "$trace: how far policies that are like the run differ"
done
is "$(traceviz simulate run.csv --sweep CPU=1 2>&1 | sed 's/,CPU.*//')" \
	"traceviz: policy ws is nearest to the run: simulated on its machine it takes 19.000 ms, recorded 53.000 ms (-64.2 %)
Scheduler,ResourceType,Workers,Makespan,Speedup,Efficiency,Abe,Cpe,MinMakespan,MaxMakespan,Ideal,AbeSpeedup,CpeSpeedup,Model,MinSpeedup,MaxSpeedup,MinEfficiency,MaxEfficiency,Tasks,GFlops,SimulationTime
ws" "also in a sweep"
is "$(traceviz simulate -q "$DATA/cholesky-dmda.csv" | sed -n 's/^nearest,\([^,]*\),.*/\1/p')" \
	"$(traceviz diagnose -q "$DATA/cholesky-dmda.csv" --csv | grep -o 'simulated with [a-z-]*' | head -1 | cut -d' ' -f3)" "the policy that diagnose finds"
is "$(traceviz generate -q cholesky --tiles 3 | traceviz simulate -q - --resources CPU=2 --gflops CPU=20 | cut -d, -f1,2,4,6 | tr '\n' ' ')" \
	"Run,Scheduler,Tasks,Change simulated,fifo,10, " "planned tasks are like no run"
is "$(traceviz simulate -q run.csv --resources CPU=2 -o - | traceviz summary -q - | cut -d, -f1-4 | sort | head -3)" \
	"$(traceviz summary -q run.csv | cut -d, -f1-4 | sort | head -3)" "in a pipeline; durations do not change"
for s in fifo prio cpe-priority dm dms heft ws lws replay; do
	traceviz simulate -q "$DATA/cholesky-dmdas.csv" --scheduler "$s" -o a.csv && traceviz simulate -q "$DATA/cholesky-dmdas.csv" --scheduler "$s" -o b.csv
	is "$(cmp a.csv b.csv && traceviz summary -q a.csv | awk -F, 'NR > 1 { n += $3 } END { print n }')" 364 "$s: all tasks, twice the same bytes"
done

# What comes out is a trace as others: it converts to the same bytes and is drawn; each pass runs on it, or says what the trace has not.
names=$(traceviz help verbs | sed -n '/^info$/,/^front-memory$/p')
ok "(passes by the help: some 50)" [ "$(echo "$names" | wc -l)" -gt 45 ]
traceviz generate cholesky --tiles 6 --allocate -o tiles.csv
traceviz simulate -q tiles.csv --resources CPU=4 --gflops CPU=20 -o out.planned/
traceviz simulate -q tiles.csv --platform epyc7452 --model comm-cache -o out.platform/
traceviz simulate -q "$DATA/cholesky-dmdas.csv" --scheduler ws -o out.csv/
traceviz simulate -q "$DATA/cholesky-paje" --scheduler dmdas --transfers latency=10us,bandwidth=1GB/s -o out.transfers/
traceviz simulate -q "$DATA/cholesky-2nodes" --scheduler prio -o out.nodes/
for out in out.planned out.platform out.csv out.transfers out.nodes; do
	for pass in $names; do
		run traceviz "$pass" --strict -q $out
		case $rc,$(cat stderr) in
		0,) ;;
		2,*" needs "* | 2,*" is missing") ;; # an argument
		1,*"no worker has processors of this machine"*) ;;
		"1,traceviz: "*"the trace has no"* | 1,*"the trace has neither"* | 1,*"no variable '*': the trace has none" | 1,*"the trace does not show"* | 1,*"the tasks have n"*) ;;
		*) echo "$pass: $rc $(cat stderr)" ;;
		esac
	done >wrong
	is "$(cat wrong)" "" "$out: passes"
	traceviz convert -q --strict $out -o again/ && traceviz plot -q $out -o out.svg
	is "$? $(diff -r $out again)" "0 " "$out: converted and drawn"
done

# Messages: each takes the time that it took, after its sender's task, and passes read them.
traceviz convert -q "$DATA/cholesky-2nodes" -o two/
messages() { traceviz messages -q "$1" | awk -F, "$by_name"'
	{ printf "%s %s %s %.6f\n", $c["Origin"], $c["Dest"], $c["Size"], $c["End"] - $c["Start"] }' | sort; }
is "$(messages out.nodes | md5sum) $(messages out.nodes | wc -l)" "$(messages two | md5sum) 190" "messages of the simulated run"
is "$(awk -F, 'NR == FNR && $7 == "message" { t[$6] = $3 " " $4 } NR > FNR && t[$2] != "" { n++; if (t[$2] != $5 " " $6) bad++ } END { print n, bad + 0 }' \
	out.nodes/tasks.csv out.nodes/links.csv)" "190 0" "at the times of the messages in tasks"

# A replay keeps workers, order and durations, and is no slower than the run.
traceviz simulate -q "$DATA/cholesky-dmdas.csv" --scheduler replay -o replay.csv
order() { traceviz convert -q "$1" -o - | awk -F, -v name="$2" "$by_name"'
	$c["Kind"] == "app" && $c["ResourceId"] == name { print $c["JobId"] }'; }
same=yes
for w in CPU0 CPU8 CUDA0_0 CUDA2_0; do [ "$(order replay.csv $w)" = "$(order "$DATA/cholesky-dmdas.csv" $w)" ] || same=$w; done
is $same yes "replay: the order on each worker"
ok "replay: not slower" awk -v a="$(makespan replay.csv)" -v b="$(makespan "$DATA/cholesky-dmdas.csv")" 'BEGIN { exit !(a > 0 && a <= b) }'
# A replay of a simulated run is that run.
traceviz simulate -q replay.csv --scheduler replay --submission trace -o again.csv
is "$(makespan again.csv)" "$(makespan replay.csv)" "a replay of a replay"

# Submission: at the recorded times, or in a window.
{
	echo "ResourceId,Value,Start,End,JobId,SubmitTime"
	for i in 0 1 2 3; do echo "CPU$i,a,$i,$((i + 10)),j$i,$((i * 20))"; done
} >submitted.csv
traceviz simulate -q submitted.csv --submission trace -o sim.csv
is "$(makespan sim.csv)" 70.000000 "--submission trace: 60 + 10 ms"
traceviz simulate -q submitted.csv --submission window:2 -o sim.csv
is "$(makespan sim.csv)" 20.000000 "--submission window:2: two at a time"
traceviz simulate -q submitted.csv -o sim.csv
is "$(makespan sim.csv)" 10.000000 "all at once on four workers"

# Several nodes: tasks stay on theirs.
traceviz simulate -q "$DATA/cholesky-2nodes" --resources CPU=3 --scheduler fifo -o sim/
is "$(traceviz summary -q --by Node sim | cut -d, -f1,2 | sort | head -4)" \
	"$(traceviz summary -q --by Node "$DATA/cholesky-2nodes" | cut -d, -f1,2 | sort | head -4)" "each node runs its tasks"


# --speed divides durations where the expression holds, on the resource type of the simulation.
traceviz simulate -q run.csv --resources CPU=1 --speed 'Value == chain=2' -o sim.csv
is "$(makespan sim.csv)" 23.000000 "--speed: the chain takes half the time"
traceviz simulate -q run.csv --resources CPU=1 --speed 'Value == chain=2' --speed 'ResourceType == CPU=0.5' -o sim.csv
is "$(makespan sim.csv)" 46.000000 "twice: factors multiply, 0.5 doubles"
run traceviz simulate -q run.csv --resources CPU=1 --speed 'ResourceType == CUDA=2' -o sim.csv
like "$rc $(cat stderr)" "2 *matches no task: no ResourceType is 'CUDA', expected one of CPU" "not on another resource type"
run traceviz simulate run.csv --scheduler replay --speed 'Value == chain=2' -o sim.csv
is "$rc $(grep -c '^traceviz: replay keeps each task on its worker: with another --scheduler faster workers get more tasks$' stderr)" "0 1" "a replay moves no task"
for bad in 'Value == chain' 'Value == chain=0' 'Value == chain=x' '=2' 'Nope == 1=2'; do
	run traceviz simulate run.csv --speed "$bad"
	is "$rc" 2 "--speed '$bad'"
done
run traceviz simulate run.csv --speed 'Value == chain=2' --speed 'Value == chian=2' -o sim.csv
is "$rc $(cat stderr)" "2 traceviz: --speed 'Value == chian=2' matches no task: no Value is 'chian' (did you mean 'chain'?)" "--speed that matches nothing"
# Durations that cannot be simulated: refused before, by the option's name.
for factor in 1e-300 -1 1e10; do
	run traceviz simulate run.csv --speed "Value == chain=$factor" -o sim.csv
	like "$rc $(cat stderr)" "2 traceviz: --speed 'Value == chain=$factor', expected EXPR=FACTOR with a factor from 1e-9 to 1e9*" "--speed $factor"
done
run traceviz simulate run.csv --speed 'Value == chain=1e-9' --speed 'Value == chain=1e-8' -o sim.csv
like "$rc $(cat stderr)" "2 traceviz: --speed 'Value == chain=1e-8': the tasks take more than 30 years in all*" "--speed, in all"
printf 'ResourceId,Value,Start,End,Flag,JobId,GFlop\n,t,,,planned,1,1\n' >planned.csv
run traceviz simulate planned.csv --resources CPU=1 --gflops CPU=1e-300 -o sim.csv
like "$rc $(cat stderr)" "2 traceviz: --gflops 'CPU=1e-300': the tasks take more than 30 years in all*" "--gflops CPU=1e-300"
traceviz simulate -q run.csv --resources CPU=1 --add CPU=1 --scheduler fifo -o sim.csv
is "$(makespan sim.csv) $(grep -c 'CPU+1' sim.csv)" "15.000000 5" "--add: one worker more"

# --sweep: each row is a simulation; the area bound that of bounds.
run traceviz simulate run.csv --sweep CPU=1..3 --scheduler cpe-priority,fifo
is "$rc $(cut -d, -f1-6 stdout | sed -n 2,4p)" "0 cpe-priority,CPU,1,28.000000,1,1
cpe-priority,CPU,2,14.000000,2,1
cpe-priority,CPU,3,10.000000,2.8,0.9333333333333332" "--sweep: makespan, speedup, efficiency"
is "$(cut -d, -f1,3,7,8 stdout | sed -n 5,7p)" "fifo,1,28.000000,10.000000
fifo,2,14.000000,10.000000
fifo,3,9.333333,10.000000" "area bound and critical path of each machine"
is "$(cut -d, -f19- stdout | sort -u | tr '\n' ' ')" "$(awk -F, 'NR > 1 && $2 != "" && $3 != ""' run.csv | wc -l | tr -d " "),, Tasks,GFlops,SimulationTime " "no GFlop/s without operations; no measured time unasked"
awk -F, -v OFS=, 'NR == 1 { print $0, "GFlop" } NR > 1 { print $0, NR }' run.csv >flops.csv
is "$(traceviz simulate -q flops.csv --sweep CPU=1,2 --scheduler fifo | awk -F, 'NR > 1 { printf "%.9g %d ", $20 * $4 / 1000, $21 != "" }')" \
	"$(awk -F, 'NR > 1 && $2 != "" { sum += NR } END { print sum, 0, sum, 0 }' flops.csv) " "GFlop/s times the makespan are the operations"
is "$(traceviz simulate -q run.csv --sweep CPU=1,2 --simulation-time | awk -F, 'NR > 1 { n += $21 > 0 } END { print n }')" 2 "the time of simulations"
run traceviz simulate run.csv --simulation-time -o t.csv
is "$rc" 2 "--simulation-time without --sweep"
traceviz simulate -q "$DATA/cholesky-dmdas.csv" --sweep CPU=9 --scheduler dms >nine.csv
is "$(sed -n 2p nine.csv | cut -d, -f4,7)" "$(traceviz simulate -q "$DATA/cholesky-dmdas.csv" --scheduler dms -o sim.csv; makespan sim.csv),$(
	traceviz bounds -q "$DATA/cholesky-dmdas.csv" | sed -n 's/^,abe,[a-z]*,\([0-9.]*\).*/\1/p')" "the recorded machine"
for bad in CPU CPU= CPU=0 CPU=3..1 CPU=1..x CPU=1,,2 CPU=1..1000000; do
	run traceviz simulate run.csv --sweep "$bad"
	is "$rc" 2 "--sweep $bad"
done
run traceviz simulate run.csv --sweep CUDA=1
like "$rc $(cat stderr)" "1 *no task of the run has a duration on the resource type CUDA; --durations-from or --gflops gives them (the run has CPU)" "a type that is not there"
run traceviz simulate run.csv --sweep CPU=1 --scheduler fifo,best
is "$rc" 2 "an unknown policy in a sweep"
run traceviz simulate run.csv --sweep CPU=1..2000000
like "$rc $(cat stderr)" "2 *--sweep 'CPU=1..2000000', expected *, numbers from 1 to 1000000" "too many workers"

# A planned graph: durations from GFlop/s or from a file; a message says what is missing.
traceviz generate cholesky --tiles 6 --tile 1000 -o planned.csv
run traceviz simulate planned.csv --resources CPU=1 --gflops CPU=10 -o sim.csv
is "$rc $(makespan sim.csv)" "0 7199.999998" "planned: n^3 / 3 over 10 GFlop/s, 6 times 33.333333"
is "$(cat stderr)" "traceviz: 56 planned tasks on 1 workers: makespan 7200.000 ms" "what it reports"
printf 'Value,ResourceType,MeanDuration\npotrf,CPU,4\ntrsm,CPU,3\nsyrk,CPU,3\ngemm,CPU,6\ngemm,CUDA,1\n' >means.csv
traceviz simulate -q planned.csv --resources CPU=1 --durations-from means.csv -o sim.csv
is "$(makespan sim.csv)" 234.000000 "--durations-from: 6 x 4 + 15 x 3 + 15 x 3 + 20 x 6"
traceviz simulate -q planned.csv --resources CPU=1,CUDA=1 --durations-from means.csv --scheduler heft -o sim.csv
is "$(traceviz summary -q sim.csv | awk -F, '$2 == "CUDA" { print $1 }')" gemm "a type runs where it has a duration"
traceviz simulate -q planned.csv --resources CPU=1,CUDA=1 --durations-from means.csv --gflops CUDA=1000 --scheduler heft -o sim.csv
is "$(traceviz summary -q sim.csv | awk -F, '$2 == "CUDA" { print $1 }' | sort | tr '\n' ' ')" "gemm potrf syrk trsm " "else by its GFlop"
is "$(traceviz simulate planned.csv --gflops CPU=10 --sweep CPU=1 | sed -n 2p | cut -d, -f4-8)" \
	"7199.999998,1,1,7199.999998,1466.666666" "a sweep of it with its bounds"
run traceviz simulate planned.csv --resources CPU=1
like "$rc $(cat stderr)" "1 *no task of the run has a duration on the resource type CPU; --durations-from or --gflops gives them" "no durations"
run traceviz simulate planned.csv --gflops CPU=10
like "$rc $(cat stderr)" "2 *--gflops CPU: the machine has no such type; --resources declares some" "no machine"
run traceviz simulate planned.csv --resources CPU=1 --gflops CPU=10 --scheduler replay
is "$rc" 2 "a replay of what never ran"
run traceviz simulate planned.csv --resources CUDA=1 --durations-from means.csv
like "$rc $(cat stderr)" "1 *--durations-from means.csv: it has no duration of tasks of type 'potrf' on CUDA; --gflops gives one to tasks with a GFlop" "a type without a duration"

# --durations sample: one of the recorded durations of the pair of types; of a job always the same one.
{
	echo "ResourceId,ResourceType,Value,Start,End,JobId"
	awk 'BEGIN { for (i = 0; i < 1000; i++) printf "CPU%d,CPU,a,%d,%d,j%d\n", i % 10, i * 20, i * 20 + 1 + i % 10, i
		for (i = 0; i < 1000; i++) printf "CUDA0,CUDA,a,%d,%.1f,k%d\n", i, i + 0.1 + i % 2 / 10, i }'
} >drawn.csv
durations() { traceviz convert -q "$1" -o - | awk -F, "$by_name"'
	{ printf "%s %s %.6f\n", $c["JobId"], $c["ResourceType"], $c["End"] - $c["Start"] }' | sort; }
for s in fifo dm ws; do
	traceviz simulate -q drawn.csv --durations sample --seed 7 --scheduler $s -o $s.csv
	durations $s.csv >$s.out
done
traceviz simulate -q drawn.csv --durations sample --seed 7 --resources CPU=4 -o cpus.csv
durations cpus.csv >cpus.out
# Chi-square of ten equally likely durations: 27.88 is exceeded once in a thousand.
ok "sample: 1 to 10 ms, equally often" awk '{ n[$3 + 0]++ } END { for (d = 1; d <= 10; d++) { x += (n[d] - 200) ^ 2 / 200; sum += n[d] }
	exit !(sum == 2000 && x < 27.88) }' cpus.out
is "$(awk '$2 == "CUDA" { print $3 }' fifo.out dm.out ws.out | sort -u | tr '\n' ' ')" "0.100000 0.200000 " "on the other resource type its own"
is "$(cat fifo.out dm.out ws.out cpus.out | sort -u | awk '{ print $1, $2 }' | uniq -d)" "" "a job takes as long under each policy, on each machine"
ok "(compared for 1500 jobs and more)" [ "$(cat fifo.out dm.out ws.out | cut -d' ' -f1,2 | sort | uniq -d | wc -l)" -gt 1500 ]
{ head -1 drawn.csv; tail -n +2 drawn.csv | sort -t, -k6; } >shuffled.csv
traceviz simulate -q shuffled.csv --durations sample --seed 7 --resources CPU=4 -o sim.csv
is "$(durations sim.csv)" "$(cat cpus.out)" "whatever the order of rows is"
traceviz simulate -q drawn.csv --durations sample --seed 8 --resources CPU=4 -o sim.csv
durations sim.csv >sim.out
ok "another seed: 9 of 10 jobs take another duration" awk -v n="$(diff cpus.out sim.out | grep -c '^>')" 'BEGIN { exit !(n > 1740 && n < 1860) }'
is "$(grep -c '^Seed,8$' sim.csv; traceviz simulate -q drawn.csv --durations sample --seed 8 --resources CPU=4 -o sim/; grep '^Seed' sim/meta.csv)" "0
Seed,8" "meta"
# Of a file of tasks; a table of means has none.
printf 'ResourceId,ResourceType,Value,Start,End\nCPU0,CPU,gemm,0,2\nCPU0,CPU,gemm,2,6\nCPU0,CPU,potrf,6,7\nCPU0,CPU,syrk,7,8\nCPU0,CPU,trsm,8,9\n' >two.csv
traceviz simulate -q planned.csv --resources CPU=2 --durations-from two.csv --durations sample -o sim.csv
is "$(traceviz convert -q sim.csv -o - | awk -F, "$by_name"'{ print $c["Value"], $c["End"] - $c["Start"] }' | sort -u | tr '\n' ' ')" \
	"gemm 2 gemm 4 potrf 1 syrk 1 trsm 1 " "sample --durations-from tasks"
# Of a trace in any format: what its tasks give as CSV.
for from in cholesky-paje cholesky-dmdas.csv; do
	traceviz convert -q "$DATA/$from" -o from/
	traceviz convert -q "$DATA/$from" -o from.csv
	for s in from from.csv "$DATA/$from"; do
		traceviz simulate -q "$DATA/cholesky-ws.csv" --durations-from "$s" --durations median --scheduler dm -o - >"$(basename "$s").out"
	done
	is "$(cmp from.out from.csv.out 2>&1; cmp from.out "$from.out" 2>&1; [ "$(wc -l <from.out)" -gt 100 ] || echo empty)" "" \
		"--durations-from $from: as recorded, a folder, one CSV"
done
run traceviz simulate planned.csv --resources CPU=2 --durations-from nothing/ -o sim.csv
like "$rc $(cat stderr)" "1 *nothing/: cannot open*" "--durations-from what is not there"
mkdir -p empty
run traceviz simulate planned.csv --resources CPU=2 --durations-from empty -o sim.csv
like "$rc $(cat stderr)" "1 *empty*" "--durations-from an empty folder"
run traceviz simulate planned.csv --resources CPU=2 --durations-from planned.csv -o sim.csv
like "$rc $(cat stderr)" "1 *planned.csv: no task to take durations of*" "--durations-from planned tasks"
run traceviz simulate planned.csv --resources CPU=2 --durations-from means.csv --durations sample
like "$rc $(cat stderr)" "2 *means.csv holds means: --durations needs tasks for anything else" "but not from means"
# --repeats: min, median and max of runs with seeds that follow.
for seed in 4 5 6 7 8; do traceviz simulate -q drawn.csv --durations sample --seed $seed --resources CPU=3 -o sim.csv; makespan sim.csv; done | sort -n >spans
is "$(traceviz simulate -q drawn.csv --resources CUDA=0 --sweep CPU=3 --durations sample --seed 4 --repeats 5 | sed -n 2p | cut -d, -f4,9,10)" \
	"$(sed -n 3p spans),$(sed -n 1p spans),$(sed -n 5p spans)" "--repeats: median, min, max"
run traceviz simulate drawn.csv --seed 2
like "$rc $(cat stderr)" "2 *--seed has no effect without --durations sample or --placement random" "--seed without draws"
run traceviz simulate drawn.csv --sweep CPU=1 --repeats 2
like "$rc $(cat stderr)" "2 *--repeats has no effect without --durations sample or --placement random" "--repeats without draws"
run traceviz simulate drawn.csv --durations sample --repeats 2
like "$rc $(cat stderr)" "2 *--repeats has no effect without --sweep" "--repeats without a sweep"

# Commuting accesses exclude each other: three tasks of 4 ms on one handle take 12 ms on any machine.
{
	echo "ResourceId,Value,Start,End,JobId,Handles,Modes"
	for i in 0 1 2; do echo "CPU$i,add,$((i * 4)),$((i * 4 + 4)),j$i,h,RWC"; done
	echo "CPU3,other,0,4,j3,k,RWC"
} >commute.csv
for s in fifo dm ws replay; do
	traceviz simulate -q commute.csv --scheduler $s -o sim.csv
	is "$(makespan sim.csv)" 12.000000 "$s: commuting accesses, one at a time"
done
sed s/RWC/RW/ commute.csv >together.csv
traceviz simulate -q together.csv -o sim.csv
is "$(makespan sim.csv)" 4.000000 "other accesses follow from dependencies alone"
# A suspended task holds its handles until its last segment has ended.
{
	echo "ResourceId,Value,Start,End,JobId,Segment,Handles,Modes"
	echo "CPU0,a,0,1,s,0,h,RWC"
	echo "CPU0,a,3,4,s,1,h,RWC"
	echo "CPU1,a,4,6,t,0,h,RWC"
} >segments.csv
traceviz simulate -q segments.csv -o sim.csv
is "$(makespan sim.csv)" 4.000000 "a task with segments holds its handles"

# A segment runs where the one before ran, and waits for that worker, unless the recorded one moved.
for where in CPU0:12 CPU1:11; do
	printf 'ResourceId,Value,Start,End,JobId,Segment,DependsOn\nCPU0,a,0,1,a,0,\n%s,a,11,12,a,1,b\nCPU1,b,0,2,b,0,\nCPU0,l,1,11,d,0,\n' "${where%:*}" >tied.csv
	for s in fifo prio dm; do
		traceviz simulate -q tied.csv --scheduler $s -o sim.csv
		is "$(makespan sim.csv)" "${where#*:}.000000" "$s: resumed where recorded on ${where%:*}"
	done
done

# what-if: each row is what simulate gives with its options.
traceviz what-if -q --csv "$DATA/cholesky-dmdas.csv" >what.csv
awk -F, 'NR > 1 && $9 != "" { print $3, $9 }' what.csv >options
wrong=0
while read -r want given; do
	eval "traceviz simulate -q \"$DATA/cholesky-dmdas.csv\" $given -o sim.csv"
	[ "$(makespan sim.csv)" = "$want" ] || { wrong=$((wrong + 1)); diag "$want: $given"; }
done <options
is "$wrong $(wc -l <options)" "0 16" "what-if: the options of each row give its makespan"
printf 'ResourceId,Value,Start,End,JobId,DependsOn\nCPU0,it'"'"'s,0,4,a,\nCPU0,"a ""b""",4,8,b,a\nCPU0,"$x `y`",8,12,c,b\nCPU0,"both'"'"' """,12,13,d,c\n' >quotes.csv
traceviz what-if -q --csv quotes.csv >what2.csv
perl -ne 'next unless /10 % faster/; next unless /,"?(--scheduler replay.*?)"?$/; my $o = $1; $o =~ s/""/"/g; print "$o\n"' what2.csv >options
while read -r given; do eval "traceviz simulate -q quotes.csv $given -o sim.csv" && makespan sim.csv; done <options >spans
is "$(tr '\n' ' ' <spans)" "12.600000 12.600000 12.600000 " "what-if: types with quotation marks"
# Of 130 types the 100 that take the most time are made faster: 100 of 7 ms, not 25 of 1 ms and 5 of 2 ms.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn"; for (i = 0; i < 130; i++) {
	time = i % 5 == 0 && i < 125 ? 1 : i >= 125 ? 2 : 7; printf "CPU0,k%d,%d,%d,%d,%s\n", i, t, t + time, i, i ? i - 1 : ""; t += time } }' >types.csv
run traceviz what-if --csv types.csv
tail -n +2 types.csv | awk -F, '{ print $4 - $3, $2 }' | sort -k1,1nr | awk 'NR <= 100 { print $2 }' | sort >longest
perl -ne 'print "$1\n" if /(k\d+) 10 % faster/' stdout | sort >faster
is "$rc $(cmp longest faster && wc -l <faster)" "0 100" "what-if: the 100 of 130 types that take the most time are made faster"
like "$(cat stderr)" "*130 task types: only the 100 that take the most time are made faster*(the others take 4.8 % of all time)*" "what-if: one warning counts the others"
is "$(awk -F, 'NR > 1 && $1 != "" && ($5 <= $7 || $1 != ++n) { print }' what.csv)" "" "ranks count gains above what is unexplained"
is "$(sed -n 2p what.csv | cut -d, -f3)" "$(makespan "$DATA/cholesky-dmdas.csv")" "the first row is the run"
# The picture: the run and the change of rank 1, with its makespan, on one axis.
traceviz what-if -q "$DATA/cholesky-dmdas.csv" -o best.svg
best=$(awk -F, '$1 == 1 { printf "simulated: %s %.1f", $2, $3 }' what.csv)
sed 's/<[^>]*>//g' best.svg | tr '\n' ' ' >best.txt
like "$(cat best.txt)" "*recorded*448.2 ms*${best% *}*${best##* } ms*" "what-if -o best.svg: recorded and best"
is "$(grep -c 'time (ms)' best.svg)" 1 "what-if -o best.svg: one time axis"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\nCPU0,a,10,11\n' >gap.csv
run traceviz what-if gap.csv -o none.png
is "$rc $(ls none.* 2>/dev/null | grep -c .) $(cat stderr | grep -c 'no change gains more')" "1 0 1" "what-if: no best change, no picture"
run traceviz what-if "$DATA/cholesky-dmdas.csv" --top 3 -o best.png
like "$rc $(cat stderr)" "2 *--top has no effect on the picture of -o best.png*" "what-if: an option of the table with a picture"

run traceviz simulate run.csv --resources CUDA=1
is "$rc $(cat stderr)" "1 traceviz: run.csv: no task of the run has a duration on the resource type CUDA; --durations-from or --gflops gives them (the run has CPU)" "an unknown type"
run traceviz simulate run.csv --resources CPU=0
is "$rc $(tail -1 stderr)" "1 traceviz: run.csv: the machine has no workers, expected --resources, as in CPU=25,CUDA=3" "no workers"
run traceviz simulate run.csv --resources CPU=x
like "$rc $(cat stderr)" "2 *--resources 'CPU=x', expected TYPE=NUMBER*" "no number"
run traceviz simulate run.csv --scheduler best
like "$rc $(cat stderr)" "2 *--scheduler 'best'*expected one of those*" "an unknown policy"
run traceviz simulate run.csv --scheduler replay --resources CPU=1
like "$rc $(cat stderr)" "2 *--scheduler replay needs a recorded run and its machine*" "a replay elsewhere"
run traceviz simulate run.csv --submission window:0
like "$rc $(cat stderr)" "2 *--submission 'window:0', expected trace, all-at-once or window:N*" "an empty window"
printf 'ResourceId,Value,Start,End,JobId,Team\nCPU0,a,0,1,j,2\nCPU1,a,0,1,j,2\n' >team.csv
run traceviz simulate team.csv
like "$rc $(cat stderr)" "1 *task j is a parallel task of 2 workers, which are not simulated" "a parallel task"
echo "ResourceId,Value,Start,End" >none.csv
run traceviz simulate none.csv
like "$rc" 1 "no task"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,0\n' >point.csv
run traceviz simulate point.csv -o sim.csv
is "$rc $(grep -c CPU0 sim.csv)" "0 1" "one task without duration"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\nCPU0,a,1,2\n' >free.csv
is "$(traceviz what-if -q --csv free.csv | cut -d, -f2,3 | grep -c 'workers without end')" 0 "what-if without dependencies has no critical path"

# precision: errors against native runs, by case and model, and their means.
for m in 10 8 12 20 15; do printf 'ResourceId,Value,Start,End\nCPU0,a,0,%s\n' $m >t$m.csv; done
run traceviz precision t10.csv t8.csv t12.csv
is "$rc $(cat stdout)" "0 Case,Model,Cases,Native,Simulated,Error,AbsoluteError
\"\",t8,1,10.000000,8.000000,20,20
\"\",t12,1,10.000000,12.000000,-20,20
,t8,1,,,20,20
,t12,1,,,-20,20" "precision: the first trace is native; optimistic is positive"
run traceviz precision s/native=t10.csv l/x=t15.csv s/x=t8.csv l/native=t20.csv s/y=t12.csv l/x=t15.csv
is "$rc $(cat stdout)" "0 Case,Model,Cases,Native,Simulated,Error,AbsoluteError
l,x,1,20.000000,15.000000,25,25
s,x,1,10.000000,8.000000,20,20
s,y,1,10.000000,12.000000,-20,20
,x,2,,,22.5,22.5
,y,1,,,-20,20" "cases, repeats and means"
run traceviz precision t10.csv
is "$rc" 2 "one trace"
run traceviz precision s/native=t10.csv s/x=t8.csv l/x=t12.csv
like "$rc $(cat stderr)" "2 *the case 'l' has no native run, expected a label l/native*" "a case without a native run"
run traceviz precision s/native=t10.csv l/native=t8.csv l/x=t12.csv
like "$rc $(cat stderr)" "2 *the case 's' has no simulated run*" "a case without a simulated run"
run traceviz precision point.csv t10.csv
like "$rc $(cat stderr)" "1 *the native run of '' takes no time*" "a native run of 0 ms"
# Ghosts without SubmitTime come before what depends on them: one task at a time, all of them.
traceviz simulate -q "$DATA/cholesky-dmdas.csv" --submission window:1 -o sim.csv
is "$(makespan sim.csv)" "$(traceviz summary -q --by '' sim.csv | awk -F, "$by_name"'NR == 2 { print $c["Time"] }')" \
	"--submission window:1: the sum of all tasks"

# A message and the ghost that is its arrival are not held up by submissions: one waits for its task, the other for the message.
{
	echo "ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime"
	echo "0_C0,CPU,a,0_1,0,10,app,,0"
	echo "0_C1,CPU,z,0_2,25,27,app,,25"
	echo ",,MPI,m1,10,30,message,0_1,"
	echo ",,arrival,1_0,,,ghost,m1,30"
	echo "1_C0,CPU,b,1_1,30,40,app,1_0,0"
} >arrival.csv
is "$(traceviz simulate -q --scheduler replay --submission trace arrival.csv -o sim.csv; makespan sim.csv)" 40.000000 "messages between submissions"
is "$(traceviz simulate -q --scheduler replay --submission trace --free-messages arrival.csv -o sim.csv; makespan sim.csv)" 27.000000 "and without their time"
