#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz simulate --transfers: closed forms, a fit, what it writes, wrong input.
. "$(dirname "$0")/lib.sh"
plan 63

makespan() { traceviz bounds -q "$1" | sed -n 's/^,makespan,observed,\([0-9.]*\).*/\1/p'; }
count() { traceviz convert -q "$1" -o out && tail -n +2 "out/$2.csv" | wc -l; }

# A chain of updates of 1 MB, on a CPU and a GPU in turn, 2 ms each.
{
	echo "ResourceId,ResourceType,Value,Start,End,JobId,DependsOn,Handles,Modes,Sizes"
	for i in 0 1 2 3 4 5; do
		[ $((i % 2)) = 0 ] && w=CPU0,CPU,even || w=CUDA0,CUDA,odd
		echo "$w,$((i * 10)),$((i * 10 + 2)),j$i,$([ $i = 0 ] || echo j$((i - 1))),h,RW,1000000"
	done
} >chain.csv
for s in fifo dmda dmdas ws replay; do
	run traceviz simulate chain.csv --transfers latency=1ms,bandwidth=1GB/s --scheduler $s -o sim/
	is "$rc $(makespan sim/)" "0 22.000000" "$s: 6 x 2 ms, and 5 transfers of 1 + 1 ms"
done
is "$(cat stderr)" "traceviz: 5 transfers between memory nodes
traceviz: 6 tasks on 2 workers: makespan 22.000 ms, recorded 52.000 ms (-57.7 %)" "what it reports"
is "$(cat sim/links.csv | sed -n 1,3p)" "Type,Key,Origin,Dest,Start,End,Size,Handle
Intra-node data TaskPreFetch,com_1,MEMMANAGER0,MEMMANAGER1,2.000000,4.000000,1000000,h
Intra-node data TaskPreFetch,com_2,MEMMANAGER1,MEMMANAGER0,6.000000,8.000000,1000000,h" "links: the transfers"
is "$(sed -n 2,3p sim/states.csv)" "CUDA0,Worker State,FetchingInput,2.000000,4.000000
CPU0,Worker State,FetchingInput,6.000000,8.000000" "states: workers that wait"
is "$(cat sim/resources.csv)" "ResourceId,ResourceType,Node,Order,MemoryNode
CPU0,CPU,0,0,0
CUDA0,CUDA,0,1,1
MEMMANAGER0,MEMMANAGER,0,2,0
MEMMANAGER1,MEMMANAGER,0,3,1" "resources: memory nodes"
is "$(grep -c 'Transfers,"latency=1ms,bandwidth=1GB/s"' sim/meta.csv)" 1 "meta: as given"
is "$(traceviz transfers -q sim | tail -n +2 | wc -l) $(traceviz idle-causes -q sim | awk -F, '$7 == "data" { print $8 }')" "5 10.000000" "transfers and idle-causes read them"
is "$(traceviz bandwidth -q --of transfers --by all sim | awk -F, '$5 == 500' | wc -l)" 5 "bandwidth reads them"
traceviz simulate -q chain.csv -o sim/
is "$(makespan sim) $(ls sim | tr '\n' ' ')" "12.000000 meta.csv resources.csv tasks.csv " "a trace without transfers: free"
traceviz simulate -q chain.csv --transfers free -o free.csv
traceviz simulate -q chain.csv -o default.csv
is "$(cmp free.csv default.csv)" "" "the default of such a trace"
traceviz simulate -q chain.csv --transfers latency=0,bandwidth=inf -o inf.csv
is "$(cmp free.csv inf.csv)" "" "infinitely fast links: the same bytes"
# Readers share a copy; a GPU more has its own memory node.
{
	echo "ResourceId,ResourceType,Value,Start,End,JobId,Handles,Modes,Sizes"
	for i in 0 1 2 3; do echo "CUDA0,CUDA,read,$((i * 3)),$((i * 3 + 3)),j$i,h,R,1000000"; done
} >readers.csv
traceviz simulate -q readers.csv --transfers latency=1ms,bandwidth=1GB/s -o sim/
is "$(makespan sim) $(count sim links)" "12.000000 1" "four readers, one copy: makespan from the first start"
traceviz simulate -q readers.csv --transfers latency=1ms,bandwidth=1GB/s --resources CUDA=2 -o sim/
is "$(makespan sim) $(count sim links) $(grep -c MEMMANAGER sim/resources.csv)" "6.000000 2 3" "two GPUs: a copy each"
traceviz simulate -q readers.csv --transfers latency=1ms,bandwidth=1GB/s --add CUDA=1 -o sim/
is "$(makespan sim) $(count sim links)" "6.000000 2" "--add: the same"
# Readers of different data: with a place more, a copy is under way while the worker runs.
awk -F, -v OFS=, 'NR > 1 { $7 = "h" NR } { print }' readers.csv >own.csv
for case in 1:18 2:12; do
	traceviz simulate -q own.csv --transfers latency=1ms,bandwidth=1GB/s --pipeline "${case%:*}" -o sim/
	is "$(makespan sim)" "${case#*:}.000000" "--pipeline ${case%:*}"
done
run traceviz simulate own.csv --pipeline 2
like "$rc $(cat stderr)" "2 *--pipeline has no effect: transfers take no time" "--pipeline without transfers"
# A bus: two GPUs read data of their own, 1 MB each, over links of 1 GB/s. The second gets what is left.
{
	echo "ResourceId,ResourceType,Value,Start,End,JobId,Handles,Modes,Sizes"
	for i in 0 1; do echo "CUDA$i,CUDA,read,0,3,j$i,h$i,R,1000000"; done
} >pair.csv
for case in inf:4 2:4 1:5 0.5:7; do
	bus=${case%:*}; [ "$bus" = inf ] || bus=${bus}GB/s
	traceviz simulate -q pair.csv --scheduler dmda --transfers "latency=0us,bandwidth=1GB/s,bus=$bus" -o sim/
	is "$(traceviz convert -q sim -o - | awk -F, "$by_name"'$c["End"] > m { m = $c["End"] } END { print m + 0 }')" \
		"${case#*:}" "bus=$bus"
done
# Limits: four tasks with 1 MB of their own, space for 1 MB. Readers: 2 ms to come, 3 ms to run, no space in between;
# writers also 2 ms to write back what the one before wrote.
sed 's/,R,/,RW,/' own.csv >update.csv
for case in own.csv:18:4:0 update.csv:24:7:3; do
	IFS=: read -r file span links written <<-END
		$case
	END
	run traceviz simulate "$file" --transfers latency=1ms,bandwidth=1GB/s --memory CUDA=1MB --pipeline 1 -o sim/
	is "$rc $(makespan sim) $(count sim links) $(grep -c 'data Eviction,' sim/links.csv)" "0 $span.000000 $links $written" "--memory: $file"
	like "$(cat stderr)" "*3 copies left limited memory, $written of them written back*" "--memory: $file, what it reports"
done
is "$(traceviz transfers -q sim | grep -c Eviction) $(grep -c '^Memory,CUDA=1MB$' sim/meta.csv)" "3 1" "transfers reads evictions; meta"
is "$(traceviz memory -q --summary sim | awk -F, "$by_name"'$c["MemoryNode"] == 1 { printf "%.4f", $c["Peak"] }')" \
	"$(awk 'BEGIN { printf "%.4f", 1000000 / 1048576 }')" "memory reads what is used"
traceviz simulate -q own.csv --transfers latency=1ms,bandwidth=1GB/s -o free/
traceviz simulate -q own.csv --transfers latency=1ms,bandwidth=1GB/s --pipeline 2 -o two/
is "$(diff -r free two) $(grep -c '^Pipeline,2$' free/meta.csv)" " 1" "two tasks at a time are the default"
traceviz simulate -q own.csv --transfers latency=1ms,bandwidth=1GB/s --memory CUDA=4MB -o sim/
is "$(cmp free/tasks.csv sim/tasks.csv; cmp free/links.csv sim/links.csv)" "" "--memory: space for all data is as no limit"
run traceviz simulate own.csv --transfers latency=1ms,bandwidth=1GB/s --memory CUDA=1MB --pipeline 2 -o sim/
like "$rc $(makespan sim) $(cat stderr)" "0 12.000000 *data of tasks in work exceeded a memory by up to 1000000 bytes: these tasks ran with what they need*" "--memory: two tasks in work"
while IFS='|' read -r options want; do
	run sh -c "traceviz simulate own.csv --transfers latency=1ms,bandwidth=1GB/s $options"
	like "$rc $(cat stderr)" "$want" "$options"
done <<'END'
--memory CUDA=999999B|1 *--memory CUDA: the data of task j0 are 1000000 bytes, the memory has 999999
--memory CUDA=big|2 *--memory 'CUDA=big', expected TYPE=SIZE,... as in CUDA=8GB
--memory CUDA|2 *--memory 'CUDA', expected TYPE=SIZE,... as in CUDA=8GB
--memory HIP=1GB|2 *--memory HIP: the machine has no such type, expected one of CUDA
--transfers free --memory CUDA=1GB|2 *--memory has no effect: transfers take no time
END
run traceviz simulate chain.csv --transfers latency=1ms,bandwidth=1GB/s --memory CPU=1GB
like "$rc $(cat stderr)" "2 *--memory CPU: its workers are in main memory, which has no limit" "--memory of main memory"
# A planned graph.
traceviz generate cholesky --tiles 4 -o planned.csv
printf 'Value,ResourceType,MeanDuration\npotrf,CPU,4\ntrsm,CUDA,3\nsyrk,CUDA,3\ngemm,CUDA,1\n' >means.csv
run traceviz simulate planned.csv --resources CPU=2,CUDA=2 --durations-from means.csv --scheduler dmdas --transfers latency=1ms,bandwidth=10GB/s -o sim/
is "$rc $([ "$(count sim links)" -gt 8 ] && echo transfers)" "0 transfers" "a planned graph"

# The fit: the fastest transfer of each size; with one size only a bandwidth. The default of a folder with transfers.
cp -r "$DATA/cholesky-paje" run
traceviz simulate -q run --scheduler dmda -o fit/
is "$(grep -c '^Transfers,fit$' fit/meta.csv)" 1 "a trace with transfers: fit"
traceviz simulate -q run --scheduler dmda --transfers fit -o again/
is "$(diff -r fit again)" "" "as asked for"
traceviz simulate -q run --scheduler dmda --transfers free -o free/
is "$([ -e free/links.csv ]; echo $?)" 1 "free: no links"
# Each simulated transfer takes the time of the fastest recorded one between its memory nodes.
traceviz convert -q run -o recorded/
fastest() { awk -F, "$by_name"'
	$c["Type"] ~ /^Intra-node/ && $c["Origin"] ~ /0$/ && $c["End"] > $c["Start"] { d = $c["End"] - $c["Start"]; k = $c["Dest"] " " $c["Size"]
		if (!(k in m) || d < m[k]) m[k] = d } END { for (k in m) printf "%s %.5f\n", k, m[k] }' "$1" | sort; }
fastest recorded/links.csv >want
fastest fit/links.csv >got
is "$(comm -13 want got)" "" "the fit is the fastest transfer of each link"
is "$(traceviz info -q fit >info; echo $?)" 0 "info reads it"
traceviz simulate -q fit --scheduler replay -o replayed/
ok "a replay of it, fitted again" awk -v a="$(makespan replayed)" -v b="$(makespan fit)" 'BEGIN { exit !(a > 0.95 * b && a < 1.05 * b) }'

traceviz simulate -q run --scheduler dmda --transfers fit,bus=fit -o bus/
peak() { traceviz bandwidth -q --of transfers --by all "$1" | awk -F, 'NR > 1 && $5 > m { m = $5 } END { print m }'; }
traceviz simulate -q run --scheduler dmda --transfers "fit,bus=$(peak run)MB/s" -o peak/
is "$(cmp bus/tasks.csv peak/tasks.csv; cmp -s bus/tasks.csv fit/tasks.csv; echo $?)" 1 "bus=fit: the peak of bandwidth, $(peak run) MB/s; it matters"
# what-if knows transfers and these policies.
traceviz what-if -q --csv run >what.csv
for want in "transfers take no time" "scheduler dmda" "scheduler dmdas" "replay: no time between tasks but for transfers"; do
	is "$(grep -c ",$want," what.csv)" 1 "what-if: $want"
done
traceviz simulate -q run --scheduler dmdas --submission trace -o sim/
is "$(grep ',scheduler dmdas,' what.csv | cut -d, -f3)" "$(makespan sim)" "what-if: as simulate"

run traceviz simulate chain.csv --transfers fit
is "$rc $(cat stderr)" "1 traceviz: chain.csv: --transfers fit: the trace has no transfers with a size and a duration, expected latency=T,bandwidth=B or free" "nothing to fit"
run traceviz simulate chain.csv --transfers fast
like "$rc $(cat stderr)" "2 *--transfers 'fast', expected latency=T,bandwidth=B such as*or free, fit" "not understood"
run traceviz simulate chain.csv --transfers latency=1ms,bandwidth=1GB/s,bus=fast
like "$rc $(cat stderr)" "2 *--transfers bus=fast, expected a bandwidth such as 16GB/s, or fit" "no bus"
run traceviz simulate chain.csv --transfers free,bus=1GB/s
like "$rc $(cat stderr)" "2 *--transfers free,bus=1GB/s: a bus has no effect on transfers that take no time" "a bus without transfers"
run traceviz simulate chain.csv --transfers latency=1ms,bandwidth=0B/s
is "$rc" 2 "no bandwidth"
run traceviz simulate chain.csv --transfers latency=1ms,bandwidth=1e-12B/s
like "$rc $(cat stderr)" "1 *--transfers: they could take more than 30 years" "too slow"
run traceviz simulate "$DATA/cholesky-2nodes" --transfers fit
like "$rc $(cat stderr)" "1 *--transfers fit: transfers are simulated for runs of one node, expected free" "several nodes"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\n' >none.csv
run traceviz simulate none.csv --transfers latency=1ms,bandwidth=1GB/s
like "$rc $(cat stderr)" "1 *: the tasks have no Handles and Modes, expected free" "no handles"
run traceviz simulate chain.csv --transfers latency=1ms,bandwidth=1GB/s --resources CPU=1,CUDA=2000
like "$rc $(cat stderr)" "1 *--transfers: the machine has more than 1024 memory nodes, expected --transfers free" "too many memory nodes"
mkdir devices
cp chain.csv devices/tasks.csv
printf 'Type,Key,Origin,Dest,Start,End,Size\nIntra-node data Fetch,k,MEMMANAGER1,MEMMANAGER2,0,1,1000000\n' >devices/links.csv
run traceviz simulate devices --transfers fit
like "$rc $(cat stderr)" "1 *the trace does not show main memory (memory node 0), expected free" "transfers between devices only"
