#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dot.t: graphs in DOT read and written; graphs without times
# needs perl zstd
. "$(dirname "$0")/lib.sh"
plan 93

# The named columns of ./stdout, a CSV: cells with | between, a row per line
cells() {
	perl -e 'my @want = split /,/, shift; local $/; $_ = <>; my (@row, %at);
		while (/\G(?:"((?:[^"]|"")*)"|([^,\n]*))([,\n])/g) {
			my ($cell, $end) = ($1 // $2, $3);
			$cell =~ s/""/"/g;
			push @row, $cell;
			next if $end eq ",";
			if (%at) { print join("|", map { exists $at{$_} ? $row[$at{$_}] : "-" } @want), "\n" } else { @at{@row} = 0 .. $#row }
			@row = ();
		}' "$1" stdout
}
dot() { # NAME TEXT COLUMNS ROWS: what is read, with a blank behind each row
	printf '%b' "$2" >t.dot
	run traceviz convert -q t.dot -o -
	is "$rc $(cat stderr)$(cells "$3" | tr '\n' ' ')" "0 $4 " "$1"
}
jobs() { dot "$1" "$2" JobId,DependsOn "$3"; }

# The language
jobs "a chain" 'digraph { a -> b -> c }' "a| b|a c|b"
jobs "comments and directives before and within" '// x\n/* digraph { */\n# 1 "x"\n strict /**/ digraph g // {\n{a->b/* -> */->c;\n#x -> y\nd}' \
	"a| b|a c|b d|"
jobs "keywords in any case" 'STRICT DiGraph { Node [label=x]; EDGE [color=red] GRAPH [rankdir=LR] SubGraph { a } -> b }' "a| b|a"
jobs "names between quotes" 'digraph "my graph" { "a b" -> "c\\"d" "e,f" -> "node"; "x" + "y" -> "z\\\nz"; "" }' \
	'a_b| c"d|a_b e,f| node|e,f xy| zz|xy _|'
jobs "names that differ in a blank only" 'digraph { a_b; "a b" -> c; "a  b" -> c }' "a_b| a_b_| c|a_b_ a__b a__b|"
jobs "numbers" 'digraph { -1 -> .5 -> 3. -> 1.25; 1 -> 2 }' "-1| .5|-1 3.|.5 1.25|3. 1| 2|1"
jobs "ports" 'digraph { a:x:n -> b:"y" -> c:_ }' "a| b|a c|b"
jobs "subgraphs as ends" 'digraph { subgraph x { a; b } -> { c d } -> e; { f -> g } -> h }' \
	"a| b| c|a b d|a b e|c d f| g|f h|f g"
jobs "nodes of several subgraphs" 'digraph { { a { b { c } } a } -> { d; { d } } }' "a| b| c| d|a b c"
jobs "attributes of edges are not of nodes" 'digraph { a -> b [label=x, Kind=ghost] [weight=2]; b [shape=box] }' "a| b|a"
jobs "no separators, all separators" 'digraph{a b;;c;a->b[x=1,y=2;z]b->c;}' "a| b|a c|b"
jobs "bytes beyond ASCII" 'digraph { tâche -> "größe" }' "tâche| größe|tâche"
jobs "a byte order mark and CRLF" '\0357\0273\0277digraph {\r\n a -> b\r\n}\r\n' "a| b|a"
dot "labels" 'digraph { a [label="gemm"] b [label=<<b>sy</b>rk &amp; &lt;x&gt;>] c [label="\\N!"] d [label="potrf\\n(1,2)\\l"]
	node [label=trsm] e; { node [label=qr]; f; } g; g [label=lu] h [Value=own, label=x] i [label=""] }' JobId,Value \
	'a|gemm b|syrk & <x> c|c! d|potrf e|trsm f|qr g|lu h|own i|'
is "$(cells Label | tr '\n' ' ')" "   potrf (1,2)      " "a label of several lines is kept"
dot "attributes become columns, looks do not" 'digraph { a [cost=3.5, color=red, shape=box, Priority=7, "my note"="x,y", style] }' \
	"JobId,Flag,Priority,cost,my note,color" 'a|planned|7|3.5|x,y|-'
dot "times" 'digraph { a [Start=10, End=12.5, ResourceId=CPU0] a -> b [x=1]; b [Start="13.000001" End=14 ResourceId=CPU1]; c -> b }' \
	JobId,Kind,Start,End,ResourceId,Flag 'a|app|0.000000|2.500000|CPU0|- b|app|3.000001|4.000000|CPU1|- c|ghost||||-'
dot "the runtime's tasks" 'digraph { dgemm -> _starpu_sync_task }' JobId,Kind,Flag "dgemm|app|planned _starpu_sync_task|runtime|planned"

# What is wrong, with its place
bad() { # NAME TEXT MESSAGE
	printf '%b' "$2" >t.dot
	run traceviz convert t.dot -o out.csv
	is "$rc $(cat stderr)$(ls out.csv 2>/dev/null)" "1 traceviz: t.dot:$3" "$1"
}
bad "an undirected graph" '\ngraph { a -- b }' "2: unexpected 'graph' in a graph, expected digraph (edges with a direction are dependencies)"
bad "an undirected edge" 'digraph {\n a -- b }' "2: unexpected '--' in a graph, expected -> (edges with a direction are dependencies)"
bad "an edge to nothing" 'digraph {\n a\n -> ; }' "3: unexpected ';' in a graph, expected a node"
bad "an attribute without name" 'digraph { a [\n=3] }' "2: unexpected '=' in a graph, expected the name of an attribute or ]"
bad "an attribute without value" 'digraph { a [b=\n] }' "2: unexpected ']' in a graph, expected the value of an attribute"
bad "a strange character" 'digraph {\n\n a ? b }' "3: unexpected '?' in a graph"
bad "a NUL" 'digraph {\n a \0000 b }' "2: unexpected byte 0 in a graph"
bad "a subgraph without nodes" 'digraph { a -> subgraph x; }' "1: unexpected ';' in a graph, expected { of the subgraph"
bad "no node" 'digraph { rankdir=LR }' " the graph has no node, expected tasks"
bad "a lone node keyword" 'digraph { node; }' "1: unexpected ';' in a graph, expected ["
bad "too deep" "digraph $(printf '%300s' '' | tr ' ' '{')a$(printf '%300s' '' | tr ' ' '}')" \
	"1: more than 250 subgraphs within each other, which is the limit"
bad "too many names" "digraph { a [$(seq -f 'x%g=1' 1100 | tr '\n' ',')] }" "1: more than 1000 names of attributes, which is the limit"

# Damage
damaged() { # NAME TEXT STDERR JOBS
	printf '%b' "$2" >t.dot
	run traceviz convert t.dot -o out.csv
	cp out.csv stdout
	is "$rc $(cat stderr) $(cells JobId | tr '\n' ' ')" "0 traceviz: t.dot:$3 $4" "$1"
}
repaired="; what precedes is used (1 record repaired)"
damaged "cut off behind a node" 'digraph { a -> b;\n c [x=1' "2: graph cut off: the file ends within a word${repaired}" "a b c "
damaged "cut off in a name" 'digraph { a -> b;\n a -> "lon' "2: graph cut off: the file ends within a string${repaired}" "a b "
damaged "cut off in a comment" 'digraph { a -> b\n /* x' "2: graph cut off: the file ends within a comment${repaired}" "a b "
damaged "cut off in HTML" 'digraph { a [label=<x<b>' "1: graph cut off: the file ends within a text in HTML${repaired}" "a "
damaged "cut off in a subgraph" 'digraph { a -> { b; c;' "1: graph cut off: the file ends within the graph${repaired}" "a b c "
damaged "a second graph" 'digraph { a }\ndigraph { b }' "2: text behind the graph: only the first graph of a file is used (1 record skipped)" "a "
damaged "end before start" 'digraph { a [Start=1 End=2 ResourceId=CPU0]\n b [Start=5, End=4 ResourceId=CPU0] }' \
	"2: end before start: expected Start and End as numbers, Start first: the node has no times (1 record skipped)" "a b "
damaged "a huge time" 'digraph { a [Start=1 End=2 ResourceId=CPU0]\n b [Start=1, End="1e300"] }' \
	"2: bad time: expected Start and End as numbers, Start first: the node has no times (1 record skipped)" "a b "
damaged "no number" 'digraph { a [Priority=high] }' \
	"1: field is not a number: Priority 'high', expected a number: left out (1 record repaired)" "a "
printf 'digraph { a [Start=1 End=2] }' >t.dot
run traceviz convert t.dot -o -
is "$rc $(cat stderr) $(tail -1 stdout)" "0 traceviz: t.dot: 1 tasks have times but no ResourceId: they are on worker0 \
worker0,a,0.000000,1.000000,1.000000,a,app,0,worker" "times without a worker"
printf 'digraph { a -> b -> a }' >t.dot
run traceviz deps t.dot
is "$rc" 1 "a cycle is an error"
like "$(cat stderr)" "*cycle*a*b*" "that names the jobs"
run traceviz convert --time-unit s t.dot -o -
is "$rc $(cat stderr)" "2 traceviz: --time-unit: the format dot has a unit of its own" "--time-unit"

# Graphs without times
printf 'digraph { node [label=gemm]; a -> { b; c } -> d; g [Kind=ghost]; a -> g -> d; a [label=potrf] }' >plan.dot
run traceviz info plan.dot
is "$rc $(grep -c '^planned tasks,,4$' stdout) $(grep -c 'time (ms)' stdout)" "0 1 0" "info"
run traceviz deps --all type:gemm plan.dot --csv
is "$rc $(cells JobId,DependsOn,Dependencies | tr '\n' ' ')" "0 a|| b|a|a c|a|a d|b c g|a b c g|a| " "deps --all"
run traceviz deps --all last plan.dot
is "$rc $(cat stderr)" "1 traceviz: plan.dot: --all: 'last' chooses by times, but 4 tasks have not run (Flag is planned): simulate first" \
	"deps --all last"
for pass in bounds chain critical-path idleness outliers summary ready lifecycle; do
	run traceviz $pass plan.dot
	is "$rc $(cat stdout stderr)" "1 traceviz: plan.dot: $pass needs times, but 4 tasks have not run (Flag is planned): \
simulate first" "$pass needs times"
done
run traceviz plan.dot -o plan.svg
is "$rc $(cat stderr) $(ls plan.svg 2>/dev/null)" "1 traceviz: plan.dot: nothing to draw: 4 tasks have not run (Flag is planned): \
simulate first " "a figure, too"
traceviz convert plan.dot -o plan.csv
traceviz convert plan.csv -o plan2.dot
traceviz convert plan2.dot -o plan2.csv
ok "as CSV and back" cmp plan.csv plan2.csv
run traceviz bounds plan2.csv
like "$rc $(cat stderr)" "1 *4 tasks have not run*" "planned in CSV"

traceviz generate cholesky --tiles 4 >generated.csv
run traceviz info generated.csv
is "$rc $(grep '^planned' stdout)" "0 planned tasks,,20" "generated tasks are planned"
run traceviz bounds generated.csv
like "$rc $(cat stderr)" "1 *20 tasks have not run*" "and refused"
run traceviz convert generated.csv -o generated.dot
is "$rc $(grep -c ' -> ' generated.dot)" "0 30" "and drawn"

# StarPU's dag.dot has the dependencies of its tasks.rec
edges() { # of a CSV, by job, without messages and repetitions
	perl -ne 'chomp; my @c = /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g; my @v; while (@c > 1) { my ($q, $p) = splice @c, 0, 2;
			push @v, $q // $p } if ($. == 1) { @h{@v} = 0 .. $#v; next } next if $v[$h{JobId}] eq "";
		my %d = map { $_ => 1 } split / /, $v[$h{DependsOn}]; print "$v[$h{JobId}] @{[sort keys %d]}\n"' "$1" | sort
}
for of in cholesky-12-dmdas cholesky-12-dmdas-1.3; do
	for file in dag.dot tasks.rec; do golden $of $file >$file; done
	traceviz convert -q tasks.rec -o rec.csv
	run traceviz convert dag.dot -o dag.csv
	is "$rc $(cat stderr)" "0 " "$of"
	edges rec.csv >want
	edges dag.csv >got
	ok "$of: the graph of tasks.rec" cmp want got
done
printf 'digraph { "task_0_1" -> "mpi_1_0"; "mpi_1_0" -> "task_1_1"\n"task_0_1" [label=gemm, style=filled] "task_0_1" [ href="a.c#7" ]
"task_1_1" [label=gemm] }' >t.dot
run traceviz convert t.dot -o -
is "$(cells Value,JobId,Kind,DependsOn,Flag,File,Line)" "gemm|0_1|app||planned|a.c|7
MPI communication|mpi_1_0|ghost|0_1|||
gemm|1_1|app|mpi_1_0|planned||" "messages and lines of the source"
mkdir folder
golden cholesky-12-dmdas dag.dot >folder/dag.dot
golden cholesky-12-dmdas tasks.rec >folder/tasks.rec
run traceviz convert folder -o folder.csv
is "$(grep -c 'folder: reading tasks.rec; not used: dag.dot$' stderr)" 1 "tasks.rec goes first"

# Written
traceviz convert -q "$DATA/cholesky-ws.csv" -o in.csv
run traceviz convert in.csv -o out.dot
is "$rc $(cat stderr) $(grep -c ' -> ' out.dot) $(grep -c 'label=' out.dot)" "0  1027 546" "nodes and edges"
is "$(grep '"27" \[' out.dot | cut -d, -f1-6)" '	"27" [label="POTRF\n27\nCUDA1_0: 5.557011 ms", fillcolor="#df0718", fontcolor=white, Start="0.000000", End="5.557011", ResourceId="CUDA1_0"' \
	"a node"
traceviz convert out.dot -o back.csv
grep -v ',worker,' in.csv >want
ok "every column comes back" cmp want back.csv
for from in "$TESTDATA/fxt/cholesky-12-2ranks" "$DATA/cholesky-paje"; do
	traceviz convert -q "$from" -o 1.dot
	traceviz convert -q 1.dot -o 1.csv
	traceviz convert -q 1.csv -o 2.dot
	traceviz convert -q 2.dot -o 2.csv
	ok "$(basename "$from") comes back" cmp 1.csv 2.csv
	is "$(traceviz bounds -q 1.dot | grep cpe)" "$(traceviz bounds -q "$from" | grep cpe)" "with its critical path"
done
# Suspended tasks: a node for each segment, creations from the segment that had started last
traceviz convert -q "$TESTDATA/segments/fib.csv" -o fib.dot
traceviz convert -q fib.dot -o fib.csv
traceviz convert -q fib.csv -o fib2.dot
traceviz convert -q fib2.dot -o fib2.csv
ok "segments come back" cmp fib.csv fib2.csv
for pass in bounds critical-path summary; do
	is "$(traceviz $pass -q fib.dot)" "$(traceviz $pass -q "$TESTDATA/segments/fib.csv")" "with $pass"
done
cat >segments.csv <<'END'
ResourceId,Value,Start,End,JobId,Segment,SubmitTime,ParentJob,DependsOn
CPU0,a,0,4,1,0,0,,
CPU1,b,1,2,2,0,1,1,1
CPU0,a,5,8,1,1,0,,2
CPU1,c,7,9,3,0,6,1,1
CPU0,a,9,10,1,2,0,,3
CPU0,d,11,12,4,0,11,,1 3
END
run traceviz convert segments.csv -o segments.dot
is "$rc $(cat stderr)$(sed -n 's/^	"\([^"]*\)" -> "\([^"]*\)";/\1>\2/p' segments.dot | tr '\n' ' ')" \
	"0 1/0>2 1/0>1/1 2>1/1 1/1>3 1/1>1/2 3>1/2 1/2>4 3>4 " "edges between segments"
run traceviz convert segments.dot -o -
is "$(cells JobId,Segment,DependsOn | tr '\n' ' ')" "1|0| 2|0|1 1|1|2 3|0|1 1|2|3 4|0|1 3 " "and their jobs"
printf '%s\n' 'ResourceId,Value,Start,End,JobId,DependsOn,color,label,"a""b",text' \
	'CPU0,"x""y\",5,7,1,9 9,red,L,q,"1' '2"' ',,,,2,1 1,,,,' 'CPU0,z,8,9,3,"2 1",,,,\n' >odd.csv
traceviz convert odd.csv -o odd.dot
run traceviz convert odd.dot -o -
is "$(cells 'Value,Start,JobId,DependsOn,color,label,a"b,text')" 'x"y\|5.000000|1|9 9|red|L|q|1
2
z|8.000000|3|2 1||||\n
||2|1 1||||' "odd names and texts, dependencies that are repeated or lead nowhere"
run traceviz convert odd.csv --to dot -o -
is "$rc $(grep -c '^	ClockOrigin="0.000000"' stdout) $(grep -c ' -> ' stdout)" "0 1 3" "to standard output"
mkdir parts
printf 'ResourceId,Value,Start,End,JobId,DependsOn,Region\nCPU0,a,0,1,1,,0\nCPU0,b,1,2,2,1,0\nCPU0,c,2,3,3,2,1\n' >regions.csv
run traceviz convert regions.csv --to dot -o parts
is "$rc $(ls parts | tr '\n' ' ')" "0 0.dot 1.dot " "a file for each region"
run traceviz convert parts -o -
is "$(cells Value,JobId,DependsOn,Region)" "a|1||0
b|2|1|0
c|3|2|1" "which are read together"
run traceviz convert parts --to dot -o parts
is "$rc $(cat stderr)" "2 traceviz: the output 'parts/0.dot' is also an input, expected another file" "its own input"

# One graph in a file for each rank: what gvpr counts in both files together
parsec=$ROOT/tests/data/parsec-ranks
run traceviz convert "$parsec" -o ranks.csv
is "$rc $(cat stderr)" "0 traceviz: 2 files of one graph: a node that one names and another describes is one task" "files of one graph"
is "$(cut -d, -f2 ranks.csv | sed 1d | sort | uniq -c | tr -s ' \n' ' ')" " 4 gemm 4 potrf 6 syrk 6 trsm " "PaRSEC's types"
is "$(traceviz info -q --csv ranks.csv | grep -E 'rows,tasks|graph,dep' | cut -d, -f3 | tr '\n' ' ')" "20 30 0 " "its tasks and dependencies"
{ echo 'digraph {'; sed '/^digraph/d; /^}/d' "$parsec"/*.dot; echo '}'; } >both.dot
if command -v gvpr >/dev/null; then
	is "$(gvpr 'BEG_G { print($.n_nodes, " ", $.n_edges) } E { print($.tail.name, " ", $.head.name) }' both.dot | sort | cksum)" \
		"$({ echo 20 30; edges ranks.csv | awk '{ for (i = 2; i <= NF; i++) print $i, $1 }'; } | sort | cksum)" "... as gvpr reads both"
else
	skip 1 "no gvpr"
fi
traceviz convert -q both.dot -o both.csv
is "$(edges both.csv | cksum)" "$(edges ranks.csv | cksum)" "... and as one file"
mkdir two && printf 'digraph { a [label=x]; a -> b }' >two/0.dot && printf 'digraph { a [label=y]; b [label=z] }' >two/1.dot
run traceviz convert two -o -
is "$rc $(cells Value,JobId,DependsOn,Region | tr '\n' ' ')" "0 x|a||0 b|b|a|0 y|1.a||1 z|1.b||1 " "a node that two files describe: regions"

# The attribute that is the type
printf 'digraph { a [kernel=gemm, label="a 1", color=red]; b [kernel=potrf, category=x]; a -> b -> c }' >t.dot
run traceviz convert --value kernel t.dot -o -
is "$rc $(cat stderr)$(cells Value,Label,category | tr '\n' ' ')" "0 gemm|a 1| potrf||x c|| " "--value"
run traceviz convert --value color t.dot -o -
is "$rc $(cells Value | tr '\n' ' ')" "0 red b c " "... of the looks"
run traceviz convert --value type t.dot -o -
is "$rc $(cat stderr)" "2 traceviz: --value 'type': no node has that attribute, expected one of kernel, label, category" "... that no node has"
