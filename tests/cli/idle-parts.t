#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# idle-parts.t: idle-causes of a trace that is larger than --max-memory, part by part, and load-balance with it; what they refuse
. "$(dirname "$0")/lib.sh"
plan 27

# Five workers of two nodes; each task waits for one before and for one long before, worker CPU5 of no other task.
awk 'BEGIN {
	print "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,Kind,Node,ResourceType,Size"
	for (i = 0; i < 200000; i++) {
		w = i % 7000 == 6999 ? 5 : i % 5; start = int(i / 5) * 3 + i % 5 / 10
		printf "CPU%d,t%d,%.6f,%.6f,%d,%s,%.6f,app,%d,%s,%d\n", w, i % 3, start, start + 1 + i * 7919 % 1000 / 800, i,
			i < 2000 ? "" : (i - 4 - i % 3) " " (i - 1000 - i % 900), i % 4 ? start - i % 7 : 0, w % 2, w < 3 ? "CPU" : "GPU", i
	}
	print ",later,,,pending,199999,0,pending,1,,"
}' >run.csv
traceviz convert -q run.csv -o run.parquet

# same OPTIONS...: $verb of $of in little memory as in enough
of=run.parquet verb=idle-causes
same() {
	traceviz $verb "$@" "$of" >whole 2>whole.err
	run traceviz $verb "$@" --verbose --max-memory 33M "$of"
	is "$rc $(cmp stdout whole) $(grep -v -e ' row groups and ' -e ' are not read: ' -e ' are read in ' -e ' from a temporary copy ' stderr | diff - whole.err)" "0  " "$verb $* of $of in parts"
	like "$(cat stderr)" "*: tasks are read in * parts*" "... in parts"
}
same
same --by worker --can-run anywhere
same --by type --begin 1000 --end 90000.5
same --by blame --step 50000
same --by node --step 20000
is "$(awk -F, 'NR > 1 { for (i = 11; i <= 15; i++) sum[i] += $i } END { print (sum[11] > 0), (sum[12] > 0), (sum[13] > 0), (sum[14] > 0), (sum[15] > 0) }' whole)" \
	"1 0 1 1 1" "with something of all that is blamed but messages"
cut -d, -f1-5,7- run.csv >alone.csv
traceviz convert -q alone.csv -o alone.parquet
of=alone.parquet
same --by type --step 50000
verb=load-balance of=run.parquet
same --by type --can-run anywhere

# refused WHY FILE OPTIONS...: in little memory
refused() {
	why=$1 file=$2; shift 2
	run traceviz idle-causes -q --max-memory 33M "$@" "$file"
	like "$rc $(cat stderr)" "1 *idle-causes $why" "refused: $why"
}
refused "with these options needs all rows at once, as it looks through the whole task graph for what idle workers waited for" run.parquet --by span
refused "with these options needs all rows at once*" run.parquet --level stream
awk -F, -v OFS=, 'NR % 9 == 5 { $8 = "message" } 1' run.csv >sent.csv
traceviz convert -q sent.csv -o sent.parquet
refused "needs all rows at once: messages are nodes of the task graph" sent.parquet
awk -F, -v OFS=, 'NR > 1 { $6 = "" } 1' run.csv >empty.csv
traceviz convert -q empty.csv -o empty.parquet
of=empty.parquet verb=idle-causes
same --by type --step 50000
verb=load-balance
same --by type
sed -e '1s/$/,Handles,Modes/' -e '2,$s/$/,h,RWC/' run.csv >excluding.csv
traceviz convert -q excluding.csv -o excluding.parquet
refused "needs all rows at once: which tasks excluded each other (Modes) no part shows" excluding.parquet
mkdir run && cp run.csv run/tasks.csv
# with NAME CONTENTS...: the folder with another table
with() {
	printf "$2" >"run/$1.csv"
	traceviz convert -q run --to parquet -o "with.$1"
	rm "run/$1.csv"
}
with states 'ResourceId,Type,Value,Start,End\nCPU1,OpenMP State,Loop,5,7\n'
refused "needs all rows at once: the trace has states of parallel loops" with.states
with states 'ResourceId,Type,Value,Start,End\nCPU1,Worker State,FetchingInput,5,7\n'
refused "needs all rows at once: the trace has states FetchingInput" with.states
printf 'ResourceId,ResourceType,Node,MemoryNode\nCPU0,CPU,0,0\n' >run/resources.csv
with links 'Type,Key,Origin,Dest,Start,End\nFetch,1,CPU0,CPU1,5,7\n'
refused "needs all rows at once: the trace has links and memory nodes" with.links
run traceviz load-balance -q --max-memory 33M with.links
like "$rc $(cat stderr)" "1 *load-balance needs all rows at once: it is asked whether idle workers waited for links; not with --no-causes*" \
	"refused: load-balance with causes of links"
