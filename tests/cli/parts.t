#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# parts.t: traces in Parquet that are larger than --max-memory are read part by part, with the same result
. "$(dirname "$0")/lib.sh"
plan 86

awk 'BEGIN {
	print "ResourceId,Value,Start,End,Kind,Node,ResourceType,Footprint"
	for (i = 0; i < 900000; i++) {
		w = i % 7; start = int(i / 7) * 3 + i % 7 / 10
		printf "%s%d,%s,%.6f,%.6f,%s,%d,%s,f%d\n", w < 5 ? "CPU" : "CUDA", w, substr("potrftrsm syrk gemm ", i % 4 * 5 + 1, 4),
			start, start + 1 + i * 7919 % 1000 / 800, i % 50 == 0 ? "setup" : "app", w % 2, w < 5 ? "CPU" : "CUDA", i % 3
	}
	print ",later,,,pending,0,,"
}' >run.csv
traceviz convert -q run.csv -o run.parquet
traceviz convert -q run.csv --partition Node -o parts

# parted TRACE VERB OPTIONS...: in parts as in memory, where --strict keeps it
parted() {
	trace=$1; shift
	traceviz "$@" --strict "$trace" >whole 2>whole.err
	run traceviz "$@" --verbose $limit "$trace"
	grep -v -e ' row groups and ' -e ' are not read: ' -e ' are read in ' stderr >parted.err
	is "$rc $(cmp stdout whole) $(diff parted.err whole.err)" "0  " "$* $limit of $trace"
	like "$(cat stderr)" "*: tasks are read in * parts*" "... in parts"
}
# same LIMIT TRACE VERB OPTIONS...: where memory is not enough
same() {
	limit="--max-memory $1"; shift
	parted "$@"
	limit=
}
same 40M run.parquet summary
same 65M parts summary --by Node,Value
same 35M run.parquet idleness
same 60M parts idleness --top 3
same 65M parts summary --resource 'CPU*' --kind app,setup
same 35M run.parquet idleness --begin 1000 --end 90000

same 35M run.parquet abe
same 50M run.parquet outliers
same 110M parts outliers --group Value,Footprint --where 'End - Start > 2'
same 50M run.parquet outliers --resource CPU3 --begin 500
run traceviz outliers -q --max-memory 50M --top 3 run.parquet
like "$rc $(cat stderr)" "1 *; with --top all rows are needed at once" "an option of a verb that prints rows of tasks"
(head -1 run.csv; sed 1d run.csv | sort -t, -k4,4n -s) >by-end.csv
traceviz convert -q by-end.csv -o by-end.parquet
run traceviz outliers --max-memory 110M --no-temp by-end.parquet
like "$rc $(cat stderr)" "1 *need about * MB of memory, the limit is 110 MB (see --max-memory); outliers needs all rows at once: its rows do not come by Start, as they would be printed; without --no-temp *" \
	"rows that would be printed in another order"
sed 's/,setup,/,app,/; /pending/d' run.csv >app.csv
traceviz convert -q app.csv -o app.parquet
run traceviz idleness --resources CPU=9 --max-memory 12M app.parquet
like "$rc $(cat stderr)" "1 *; with --resources all rows are needed at once; with --begin or --end, groups of rows of other times may be left out" "a way on"
traceviz idleness -q --resources CPU=9 --begin 1000 --end 1010 app.parquet >whole
run traceviz idleness -q --resources CPU=9 --begin 1000 --end 1010 --max-memory 12M app.parquet
is "$rc $(cmp stdout whole)" "0 " "... that works"
run traceviz idleness --zero none --max-memory 12M app.parquet
like "$rc $(cat stderr)" "1 *; with --zero all rows are needed at once" "... and is not named where it does not"
rm -f out.csv
run traceviz outliers -q --max-memory 50M run.parquet -o out.csv
is "$rc $(traceviz outliers -q run.csv | cmp - out.csv)" "0 " "to a file"

sed '1s/$/,GFlop/; 2,$s/$/,1.5/' run.csv >work.csv
traceviz convert -q work.csv -o work.parquet
same 40M work.parquet throughput --step 100
sed '9s/1.5$/1e30/' work.csv >wide.csv
traceviz convert -q wide.csv -o wide.parquet
same 40M wide.parquet throughput --step 10000

# Where memory is enough, too.
limit=
parted run.parquet summary
parted run.parquet summary --kind setup --by Value
parted run.parquet idleness --kind app,setup
parted run.parquet utilization --by type
parted run.parquet concurrency --by Node --step 100
parted run.parquet share --step 5000
parted run.parquet outliers --min-excess 1
for options in '--by Foo' '--only nothing' '--kind runtime'; do
	traceviz summary $options --strict run.parquet >whole 2>whole.err
	want=$?
	run traceviz summary $options run.parquet
	is "$rc $(cmp stdout whole) $(diff stderr whole.err)" "$want  " "summary $options: the same message"
done
mkfifo pipe
cat run.csv >pipe &
run timeout 60 traceviz summary -q pipe
is "$rc $(traceviz summary -q run.csv | cmp - stdout)" "0 " "a pipe is read once"
head -200000 run.csv >small.csv
traceviz convert -q small.csv -o small.parquet
run traceviz idleness --verbose small.parquet
is "$rc $(grep -c ' parts' stderr)" "0 0" "few rows are read as a whole"
run traceviz chain --max-memory 10M run.parquet
like "$rc $(cat stderr)" "1 *need about * MB of memory, the limit is 10 MB (see --max-memory); chain needs all rows at once*" \
	"a verb that needs all rows"
run traceviz summary --max-memory 10M --restrict 'Start > 1' run.parquet
like "$rc $(cat stderr)" "1 *; with --restrict all rows are needed at once" "an option"
run traceviz summary --max-memory 3M run.parquet
like "$rc $(cat stderr)" "1 *: * the limit is 3 MB *; summary needs all rows at once: * a group of rows is too large*" "too little for parts"
(head -1 run.csv; sed 1d run.csv | sort -t, -k8,8 -s) >unsorted.csv
traceviz convert -q unsorted.csv -o unsorted.parquet
run traceviz summary --verbose unsorted.parquet
is "$rc $(grep -c ' in parts' stderr) $(traceviz summary -q unsorted.csv | cmp - stdout)" "0 0 " "rows in another order are read as a whole"
run traceviz summary --max-memory 40M --no-temp unsorted.parquet
like "$rc $(cat stderr)" "1 *, the limit is 40 MB (see --max-memory); summary needs all rows at once: its rows do not come by Start*convert --partition Node*" "rows in another order"
sed '1s/$/,Segment,JobId/; 2,$s/$/,0,/; 5s/0,$/1,j/' run.csv >segments.csv
traceviz convert -q segments.csv -o segments.parquet
run traceviz summary --verbose segments.parquet
is "$rc $(grep -c ' parts' stderr) $(traceviz summary -q segments.csv | cmp - stdout)" "0 0 " "what needs all rows is read as a whole"
run traceviz summary --max-memory 40M segments.parquet
like "$rc $(cat stderr)" "1 *: tasks have segments (Segment)" "tasks with segments"
mkdir linked
cp run.csv linked/tasks.csv
awk 'BEGIN {
	print "Type,Key,Origin,Dest,Start,End,Size"
	for (i = 0; i < 900000; i++)
		printf "%s,m%d,CPU%d,CPU%d,%d.5,%d,%d\n", i % 9 ? "MPI communication" : "Fetch", i % 99, i % 5, (i + 1) % 5, i / 3, i / 3 + 2, i % 5000
}' >linked/links.csv
traceviz convert -q linked -o messages --to parquet
same 100M messages idleness
same 100M messages message-sizes
same 100M messages summary --of links --by Origin,Type --measure rows,sum:Size,median:End
sed 's/,450000.5,450002,/,450000.5,449999,/; s/,150000.5,150002,/,150000.5,149999,/' linked/links.csv >early.csv
mv early.csv linked/links.csv
traceviz convert -q linked -o early --to parquet
run traceviz idleness --max-memory 100M early
traceviz idleness --strict early >whole 2>whole.err
is "$rc $(cmp stdout whole) $(grep -c ' messages were received before ' stderr) $(diff stderr whole.err)" "0  1 " "messages that are early are counted together"
traceviz convert -q run.csv -o folder --to parquet
run traceviz idleness -q --max-memory 35M folder
traceviz idleness -q run.csv >whole
is "$rc $(cmp stdout whole)" "0 " "a folder"
awk 'BEGIN {
	print "ResourceId,Value,Start,End,JobId,DependsOn,Kind,Node,ResourceType"
	for (i = 0; i < 500000; i++) {
		w = i % 7; start = int(i / 7) * 3 + w / 10
		printf "CPU%d,t%d,%.6f,%.6f,%d,%s,%s,0,CPU\n", w, i % 3, start, start + 1 + i * 7919 % 1000 / 800, i,
			i < 9 ? "" : (i - 7) " " (i - 5), i % 3 ? "app" : "setup"
	}
}' >jobs.csv
traceviz convert -q jobs.csv -o jobs.parquet
same 60M jobs.parquet deps
same 60M jobs.parquet bounds
same 80M jobs.parquet critical-path
same 60M jobs.parquet load-balance --no-causes
traceviz load-balance -q jobs.parquet >whole
run traceviz load-balance -q --max-memory 60M jobs.parquet
is "$rc $(cmp stdout whole)" "0 " "... and with the causes of idle time"
run traceviz critical-path --by type --max-memory 30M jobs.parquet
like "$rc $(cat stderr)" "1 *; critical-path with these options needs all rows at once*" "... nor sums of the path"
same 60M jobs.parquet lifecycle-summary
# Most tasks are released in another part, some start in the reverse order of their releases.
same 75M jobs.parquet starvation --step 100
awk 'BEGIN {
	print "ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime,Node,ResourceType"
	for (i = 0; i < 500000; i++)
		printf "%s%d,t%d,%d,%d,%d,,%d,%d,%s\n", i % 5 < 3 ? "CPU" : "GPU", i % 5, i * 7919 % 3, i, i + 2 + i % 2, i, (i < 200000 || i > 299999 ? 0 : i % 1000 ? 350000 - i : i - 9),
			i % 5 < 2, i % 5 < 3 ? "CPU" : "GPU"
}' | sed '9s/,,/,1,/' >early-released.csv
traceviz convert -q early-released.csv -o early-released.parquet
same 70M early-released.parquet starvation --by node --step 1000
awk -F, -v OFS=, 'NR % 9 == 5 { $7 = "message" } 1' jobs.csv >sent.csv
traceviz convert -q sent.csv -o sent.parquet
run traceviz starvation -q --max-memory 75M sent.parquet
like "$rc $(cat stderr)" "1 *starvation needs all rows at once: messages are nodes of the task graph*" "what messages bring in any part"
run traceviz starvation -q --max-memory 60M run.parquet
like "$rc $(cat stderr)" "1 *starvation: the tasks have no column DependsOn*" "nothing says what was released"
mkdir pushed && cp jobs.csv pushed/tasks.csv
printf 'ResourceId,Type,Time,Value,JobId\nCPU0,push,1,,100\n' >pushed/events.csv
traceviz convert -q pushed --to parquet -o pushed.run
run traceviz lifecycle-summary -q --max-memory 60M pushed.run
like "$rc $(cat stderr)" "1 *lifecycle-summary needs all rows at once: the trace has events or decisions*" "stamps of tasks in any part"
sed '1s/$/,task-clock/; 2,$s/$/,1/' jobs.csv >clock.csv
traceviz convert -q clock.csv -o clock.parquet
run traceviz bounds -q --max-memory 60M clock.parquet
like "$rc $(cat stderr)" "1 *bounds needs all rows at once: tasks have a task-clock*" "a bound of all rows"
run traceviz deps -q --max-memory 60M --all id:100 jobs.parquet
like "$rc $(cat stderr)" "1 *; deps with these options needs all rows at once" "lists of all dependencies"
is "$(traceviz summary -q --threads 1 --max-memory 40M run.parquet | cksum)" "$(traceviz summary -q --threads 8 --max-memory 40M run.parquet | cksum)" "any number of threads"
