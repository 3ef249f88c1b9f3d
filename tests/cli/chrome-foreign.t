#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# chrome-foreign.t: trace events of producers without rules: ids, args, lost ends, wrong flows, loops around tasks, files of ranks
. "$(dirname "$0")/lib.sh"
plan 34
program=$ROOT/tests/cli/chrome_program.pl
perl "$program" 2.5
traceviz info run.json >/dev/null 2>no-yajl
if grep -q 'built without it' no-yajl; then
	skip 34 "traceviz was built without yajl"
	exit 0
fi
# The answer without the name of the file.
answer() { traceviz "$@" 2>/dev/null | sed '/^See: /d; /more findings: /d'; }
ev() { { echo '{"traceEvents":['; printf '%s\n' "$2" | sed '$!s/$/,/'; echo ']}'; } >"$1.json"; }

# One run in three formats
answer run.json >want
like "$(cat want)" "*81 tasks on 4 workers.*worker rank1_worker1 is slower than the others*2.5* times as long as on other workers*" "the answer"
answer run.paje >got
is "$(cat got)" "$(cat want)" "Pajé: the same, with the nodes of its containers"
answer --map "ResourceId=rank+'_'+worker,Value=kernel,Start=begin_us,End=end_us,JobId=id,DependsOn=after,Node=rank" run.csv >got
is "$(cat got)" "$(cat want)" "a table: the same"
is "$(traceviz info -q run.paje | grep '^workers by')" "$(traceviz info -q run.json | grep '^workers by' | sed 's/worker,4/Worker,4/')" "Pajé: nodes and types of workers"

# Ids
is "$(traceviz info -q run.json | grep -i -e args -e PlacesAs)" "trace,TaskArgs,id as JobId" "ids in args are JobIds"
matched() { traceviz compare -q --csv --section order "$@" | awk -F, "$by_name"'$c["Name"] ~ /^(matched|unmatched|moved.worker)/ && $c["After"] > 0 { print $c["Name"], $c["After"] }' | tr '\n' ' '; }
cp run.json slow.json
perl "$program" 1
is "$(matched run.json slow.json)" "matched 81 matched.job 81 " "they pair tasks of two runs"
perl "$program" 2.5 no-ids
mv run.json slow.json
perl "$program" 1 no-ids
is "$(traceviz info -q run.json | grep -i -e args -e PlacesAs)" "trace,PlacesAsJobIds,yes" "without ids"
is "$(matched run.json slow.json)" "matched 81 matched.order 81 " "tasks are paired in order"
sed '/"assemble".*"tid":1,"ts":100.000/d' slow.json >fewer.json
is "$(matched run.json fewer.json)" "matched 71 unmatched 9 matched.order 71 " "where both have as many of a type"

# Args
ev args '{"ph":"X","pid":1,"tid":1,"name":"a","ts":10,"dur":5,"args":{"level":2,"Kind":"x","SubmitTime":7.5,"Iteration":3,"list":[1,"b"],"deep":{"z":1}}}
{"ph":"B","pid":1,"tid":2,"name":"b","ts":20,"args":{"id":1,"level":"top"}}
{"ph":"E","pid":1,"tid":2,"name":"b","ts":21,"args":{"result":0.5,"level":9}}'
sed -i 's/^]}/],"baseTimeNanoseconds":1000}/' args.json
run traceviz convert -q --zero none args.json -o args
is "$rc $(columns args/tasks.csv Value,SubmitTime,Iteration,level,list,Args.Kind,id,result | tr '\n' ';')" \
	"0 a 0.008500 3 2 1 b x;b   top   1 0.5;" "args of begin and end are columns, times in us from the base"
is "$(grep Args args/meta.csv)" 'TaskArgs,"level, Args.Kind, SubmitTime, Iteration, list, id, result"' "and meta names them"
is "$(traceviz summary -q --csv --restrict 'Iteration == 3' args.json | wc -l)" 2 "a column of ours has its type"
{
	printf '[{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":1,"args":{"id":7,"long":"'
	head -c 2000 /dev/zero | tr '\0' a
	printf '"'
	i=0
	while [ $i -lt 70 ]; do
		echo ',"k'$i'":'$i
		i=$((i + 1))
	done
	echo '}}]'
} >many.json
traceviz convert -q many.json -o many
is "$(head -1 many/tasks.csv | tr ',' '\n' | grep -c '^k') $(grep ArgsNot many/meta.csv)" \
	'62 ArgsNotRead,"9 values: of more than 64 names, or longer than 1000 bytes"' "not more than 64 names, nor long values"
ev torch '{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"k","ts":5,"dur":1,"args":{"device":0,"stream":7,"correlation":3,"grid":[1,1,1]}}'
traceviz convert -q torch.json -o torch.csv
is "$(head -1 torch.csv | grep -c grid)" 0 "those of PyTorch have their own rules"
ev twice '{"ph":"X","pid":1,"tid":1,"name":"a","ts":1,"dur":1,"args":{"id":7}}
{"ph":"X","pid":1,"tid":2,"name":"a","ts":1,"dur":1,"args":{"id":7}}'
is "$(traceviz convert -q twice.json -o - | columns - id,JobId | tr '\n' ';')" "7;7;" "an id that two tasks have is none"

# Lost ends
perl "$program" 2.5
cp run.json whole.json
for n in 1 5 40; do
	perl "$program" 2.5 lost=$n
	run traceviz run.json
	like "$(head -1 stderr)" "*run.json:*begin without end: this B ends with what is around it, or before that, where*(1 record repaired)" "lost end $n: is reported"
	traceviz summary -q --csv --by Value run.json | columns - Value,Count >got
	traceviz summary -q --csv --by Value whole.json | columns - Value,Count >want
	is "$rc $(cat got)" "0 $(cat want)" "lost end $n: no other task is lost"
done
ev inside '{"ph":"B","pid":1,"tid":1,"name":"f","ts":0}
{"ph":"B","pid":1,"tid":1,"name":"g","ts":1}
{"ph":"E","pid":1,"tid":1,"name":"g","ts":2}
{"ph":"E","pid":1,"tid":1,"name":"f","ts":3}
{"ph":"B","pid":1,"tid":1,"name":"f","ts":4}
{"ph":"B","pid":1,"tid":1,"name":"g","ts":5}
{"ph":"E","pid":1,"tid":1,"name":"f","ts":7}
{"ph":"B","pid":1,"tid":1,"name":"f","ts":8}
{"ph":"B","pid":1,"tid":1,"name":"g","ts":9}
{"ph":"E","pid":1,"tid":1,"name":"g","ts":10}
{"ph":"B","pid":1,"tid":1,"name":"f","ts":12}
{"ph":"E","pid":1,"tid":1,"name":"f","ts":13}
{"ph":"E","pid":1,"tid":1,"name":"g","ts":14}'
run traceviz convert -q --zero none inside.json -o inside
is "$rc $(columns inside/states.csv Value,Start,End,Depth | tr '\n' ';')" \
	"0 f 0.000000 0.003000 0;g 0.001000 0.002000 1;f 0.004000 0.007000 0;g 0.005000 0.007000 1;f 0.008000 0.012000 0;g 0.009000 0.010000 1;f 0.012000 0.013000 0;" \
	"an end closes what is inside it; a begin ends what it is never inside of; an end of another name is skipped"

# Flows against time
slices='{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":10}
{"ph":"X","pid":1,"tid":2,"name":"b","ts":5,"dur":10}'
ev cycle "$slices"'
{"ph":"s","pid":1,"tid":1,"name":"x","id":1,"ts":2}
{"ph":"f","pid":1,"tid":2,"name":"x","id":1,"ts":6,"bp":"e"}
{"ph":"s","pid":1,"tid":2,"name":"x","id":2,"ts":7}
{"ph":"f","pid":1,"tid":1,"name":"x","id":2,"ts":8,"bp":"e"}'
run traceviz convert cycle.json -o cycle
like "$rc $(columns cycle/tasks.csv Value,JobId,DependsOn | tr '\n' ';')$(cat stderr)" \
	"0 a 1;b 2 1;*dependency against time: 'a' on thread1, which begins at 0.000 us, depends on 'b' on thread2, which begins at 5.000 us (1 record skipped)" \
	"a cycle is damage"

# A slice around all tasks of each thread
perl "$program" 2.5 loop
run traceviz run.json
is "$(tail -1 stdout)" "See: traceviz diagnose --task-state 'Type == \"f\" and Depth == 1' run.json" "a loop around tasks: what to type"
eval "$(tail -1 stdout | cut -c 6-)" >got 2>/dev/null
like "$(cat got)" "*81 tasks on 4 workers.*" "and it works"
grep -v -e '"ph":"s"' -e '"ph":"f"' run.json >loop.json
is "$(traceviz loop.json | tail -1)" "See: traceviz diagnose --task-state 'Type == \"f\" and Depth == 1' loop.json" "also without flows"

# Files of ranks
perl "$program" 2.5 ranks
answer run.json >want
answer rank0.json rank1.json >got
is "$(cat got)" "$(cat want)" "the files of the ranks: the same answer"
mkdir ranks
cp rank[01].json ranks
answer ranks >got
is "$(cat got)" "$(cat want)" "a folder of them: the same answer"
is "$(traceviz info -q ranks | grep -e '^workers by' -e Unmatched -e '^graph,dep')" "$(traceviz info -q run.json | grep -e '^workers by' -e Unmatched -e '^graph,dep')" \
	"nodes are the processes, flows cross files"
run traceviz rank0.json rank1.json
eval "$(grep '^See: ' stdout | cut -c 6-)" >got 2>/dev/null
like "$rc $? $(head -1 got)" "0 0 ?*" "the printed command names both files"
run traceviz rank0.json rank1.json -o ranks.svg
like "$rc $(cat ranks.svg)" "0 *rank1_worker1*" "a figure of them"
perl "$program" 1
is "$(matched run.json whole.json)" "matched 81 matched.job 81 " "files of the same processes are runs"
run traceviz run.json whole.json
is "$rc $(cat stderr)" "2 traceviz: diagnose: the files have a process (pid) in common, so they are runs: 'traceviz compare' compares them; if they are the ranks of one run, expected a folder with these files" \
	"also without a verb"
for n in run whole; do traceviz convert -q $n.json -o "own-$n.json"; done
run traceviz own-run.json own-whole.json
like "$rc $(cat stderr)" "2 *so they are runs: 'traceviz compare'*" "those that traceviz wrote are always runs"
