#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# partition.t: folders of Parquet in parts, one for each node: the same tables again, parts that several programs write, missing ones
. "$(dirname "$0")/lib.sh"
plan 47
round_trips "" --partition Node
multi=$TESTDATA/fxt/cholesky-12-2ranks
traceviz convert -q "$multi" -o direct.two
traceviz convert -q --partition Node "$multi" -o run
traceviz convert -q run -o back.two
ok "two ranks: the same tables" diff -r direct.two back.two
is "$(cd run && find . -type f | sort | tr '\n' ' ')" "./events/Node=0/part-0.parquet ./events/Node=1/part-0.parquet ./handles.parquet \
./links/Node=0/part-0.parquet ./links/Node=1/part-0.parquet ./meta.parquet ./resources.parquet ./states/Node=0/part-0.parquet ./states/Node=1/part-0.parquet \
./tasks/Node=0/part-0.parquet ./tasks/Node=1/part-0.parquet ./tasks/Node=__HIVE_DEFAULT_PARTITION__/part-0.parquet ./variables/Node=0/part-0.parquet ./variables/Node=1/part-0.parquet " \
	"a file of each node and table"
traceviz summary -q --csv run >of-parts
traceviz summary -q --csv direct.two >of-csv
ok "verbs have the same results" cmp of-parts of-csv

# A column Node at any place, with names that no folder can have; rows in no order; states with a column Node of their own.
mkdir odd
cat >odd/tasks.csv <<'END'
ResourceId,Node,Value,Start,End,JobId,DependsOn,Note
c1,a/b %=,x,5,6,3,1 1 2,
c0,__HIVE_DEFAULT_PARTITION__,x,1,2,1,,é
c1,a/b %=,y,3,4,2,1,""
c2,"",z,0,1,4,7,
c3,,z,0,1,5,2,
c0,__HIVE_DEFAULT_PARTITION__,x,0.5,0.75,1,,second run
,日本,g,,,6,5,
c1,a/b %=,x,3,3.5,8,,equal start
END
cat >odd/states.csv <<'END'
ResourceId,Type,Value,Start,End,Node
c1,s,Idle,2,3,q
c0,s,Idle,1,2,""
c0,s,Idle,0,1,
END
printf 'ResourceId,Type,Start,End,Value\n,load,0,1,2\nc1,load,0,1,2\nc0,load,0,1,-0\n' >odd/variables.csv
traceviz convert -q --partition Node odd -o odd.run
traceviz convert -q odd -o odd.direct
traceviz convert -q odd.run -o odd.back
ok "names of nodes, rows in no order" diff -r odd.direct odd.back
is "$(cd odd.run/tasks && echo *)" "Node= Node=%5F_HIVE_DEFAULT_PARTITION__ Node=__HIVE_DEFAULT_PARTITION__ Node=a%2Fb%20%25%3D Node=日本" "their folders"
is "$(traceviz convert -q "./odd.run/tasks/Node=a%2Fb%20%25%3D/part-0.parquet" -o -
traceviz convert -q "./odd.run/tasks/Node=%5F_HIVE_DEFAULT_PARTITION__/part-0.parquet" -o - | columns - JobId,Uses)" "ResourceId,Value,Start,End,JobId,DependsOn,Note,Row,Uses
c1,y,3.000000,4.000000,2,1,\"\",2,2
c1,x,3.000000,3.500000,8,,equal start,7,0
c1,x,5.000000,6.000000,3,1 1 2,,0,0
1 2
1 2" "rows by Start and Row; how many rows use each job"
printf 'ResourceId,Value,Start,End\nw,a,0,1\n' >one.csv
traceviz convert -q --partition Node one.csv -o one.run
is "$(traceviz convert -q one.run -o - | tr '\n' ' ') $(cd one.run && find . -type f | sort | tr '\n' ' ')" \
	"ResourceId,Value,Start,End w,a,0.000000,1.000000  ./meta.parquet ./tasks/Node=0/part-0.parquet " "one task"
printf 'ResourceId,Value,Start,End,Row\nw,a,0,1,5\n' >row.csv
run traceviz convert row.csv --partition Node -o row
is "$rc $(cat stderr) $(find row 2>&1 | head -1 | sed 's/.*: //')" "1 traceviz: row.csv: tasks have a column Row, which --partition adds, expected another name No such file or directory" "a column of that name"
perl -e 'print "ResourceId,Value,Start,End\n"; print $_ % 300, "_CPU0,a,", 600 - $_, ",", 601 - $_, "\n" for 0 .. 599' >nodes.csv
# shellcheck disable=SC3045 # the shells that we know have it
(ulimit -n 40; traceviz convert -q --partition Node nodes.csv -o nodes)
traceviz convert -q nodes.csv -o nodes.direct
# shellcheck disable=SC3045
(ulimit -n 40; traceviz convert -q nodes -o nodes.back)
is "$(find nodes/tasks -type f | wc -l) $(diff -r nodes.direct nodes.back)" "300 " "more nodes than files that may be open"

# Each rank by a program of its own.
run traceviz convert "$multi" --partition Node --rank 1 -o ranks
is "$rc $(tail -1 stderr)" "0 traceviz: ranks: 1 of 2 nodes are written, missing: Node=0" "the first rank"
run traceviz info ranks
is "$rc $(cat stderr)" "1 traceviz: ranks/tasks/Node=0/part-0.parquet: no such part, which meta lists: the folder is not complete, expected the parts of all ranks" \
	"a missing rank"
run traceviz convert "$multi" --partition Node --rank 1 -o ranks
is "$rc $(tail -1 stderr)" "0 traceviz: ranks: 1 of 2 nodes are written, missing: Node=0" "the same rank again"
run traceviz convert "$multi" --partition Node --rank 0 -o ranks
is "$rc $(tail -1 stderr) $(diff -r run ranks)" "0 traceviz: ranks: 2 of 2 nodes are written " "all have come: the same bytes as at once"
for k in 0 1 0 1 1 0; do traceviz convert -q "$multi" --partition Node --rank $k -o at.once 2>>at.once.err & done
wait
is "$(cat at.once.err; diff -r run at.once)" "" "several at once"
# The signal of a file that becomes too long ends the program in the middle.
(ulimit -f 16; exec traceviz convert -q "$multi" --partition Node -o killed) >stdout 2>stderr
killed=$?
run traceviz info killed
like "$((killed > 0)) $rc $(cat stderr)" "1 1 traceviz: killed/*: no such part, which meta lists: the folder is not complete, expected the parts of all ranks" "a killed one"
traceviz convert -q "$multi" --partition Node -o killed
is "$(diff -r run killed)" "" "which is run again"
run traceviz convert "$DATA/cholesky-2nodes" --partition Node --rank 0 -o ranks
is "$rc $(tail -1 stderr) $(diff -r run ranks)" "1 traceviz: ranks/meta.parquet: the folder has parts of another trace, expected a new folder " "of another trace"
run traceviz convert "$multi" --partition Node --rank 7 -o none
is "$rc $(tail -1 stderr) $(find none 2>&1 | sed 's/.*: //')" "1 traceviz: $multi: --rank '7': the trace has no such node, expected one of: 0, 1 No such file or directory" "no such rank"
run traceviz convert "$multi/prof_file_1.zst" --partition Node --rank 1 -o alone
is "$rc $(tail -1 stderr)" "1 traceviz: $multi/prof_file_1.zst: --rank '1': the trace has no such node, expected one of: 0" "the file of one rank alone"

# What is not as meta lists it
damaged() { # NAME MESSAGE
	traceviz info bad >stdout 2>stderr
	is "$? $(cat stderr)" "1 traceviz: bad$2" "$1"
	rm -rf bad
	cp -r run bad
}
cp -r run bad
rm bad/handles.parquet
damaged "a table is missing" ": no handles.parquet, which meta lists: the folder is not complete"
rm -r bad/links
damaged "all parts of a table are missing" "/links/Node=0/part-0.parquet: no such part, which meta lists: the folder is not complete, expected the parts of all ranks"
cp -r bad/tasks/Node=1 bad/tasks/Node=2
damaged "a part that is not listed" "/tasks: 'Node=2' is no part that meta.parquet lists, expected parts of one 'convert --partition', or one file tasks.parquet"
cp bad/tasks/Node=1/part-0.parquet bad/tasks/Node=1/part-1.parquet
damaged "a second file in a part" "/tasks/Node=1: the part has a file 'part-1.parquet', expected part-0.parquet alone"
cp bad/tasks/Node=1/part-0.parquet bad/tasks/Node=0/
damaged "a part of another node" "/tasks/Node=0/part-0.parquet: 716 rows, expected the 727 that meta lists"
traceviz convert -q direct.two/tasks.csv --restrict 'Node == 1' --partition Node -o other
cp other/tasks/Node=1/part-0.parquet bad/tasks/Node=1/
damaged "a part of another trace" ": tasks: Row 5 is there twice, expected once"
cp direct.two/states.csv bad
damaged "one table in both ways" "/states.csv: the folder has this table in parts, too, expected one of them"
rm bad/meta.parquet
damaged "no meta" "/tasks: 'Node=0' is no part that meta.parquet lists, expected parts of one 'convert --partition', or one file tasks.parquet"
wrong=
rm bad/meta.parquet
while IFS= read -r lines; do
	printf 'Key,Value\n%b\n' "$lines" >bad/meta.csv
	run timeout 10 traceviz info bad
	case "$rc $(wc -l <stderr) $(cat stderr)" in
	"1 1 traceviz: bad: meta: Partition."*", expected the number of rows of a part or the place of a column") ;;
	"1 1 traceviz: bad/tasks/Node=0/part-0.parquet:"*", expected "*) ;;
	"1 1 traceviz: bad/tasks: 'Node=1' is no part that meta.parquet lists"*) ;;
	*) wrong="$wrong $lines: $(cat stderr)" ;;
	esac
done <<'END'
Partition.Rows.tasks/Node=0,x
Partition.Rows.tasks/Node=0,-1
Partition.Rows.tasks/Node=0,99999999999
Partition.Rows.tasks/../tasks/Node=0,727
Partition.Rows.tasks/Node=0/../../Node=0,727
Partition.Rows.nothing/Node=0,727
Partition.Place.tasks/Node=0,7
Partition.Rows.tasks/Node=0,727
Partition.Rows.tasks/Node=0,726\nPartition.Rows.tasks/Node=1,716\nPartition.Rows.tasks/Node=__HIVE_DEFAULT_PARTITION__,66
Partition.Place.tasks,99\nPartition.Rows.tasks/Node=0,727\nPartition.Rows.tasks/Node=1,716\nPartition.Rows.tasks/Node=__HIVE_DEFAULT_PARTITION__,66
END
is "$wrong" "" "a list that makes no sense"

# The command line
refused() { # NAME MESSAGE OPTIONS...
	name=$1 message=$2; shift 2
	run traceviz convert one.csv "$@"
	is "$rc $(cat stderr)" "2 traceviz: $message" "$name"
}
refused "into another folder" "-o 'direct.two': the folder contains 'events.csv' and no meta.parquet, expected a new folder" --partition Node -o direct.two
refused "tables into a folder of parts" "-o 'run': the folder has parts of tasks, expected a new folder" -o run
refused "a single file" "--partition writes a folder of Parquet, expected -o DIR" --partition Node -o x.parquet
refused "another format" "--partition writes a folder of Parquet, expected -o DIR" --partition Node --to csv -o x
refused "a rank alone" "--rank is for --partition Node" --rank 1 -o x
refused "different keys" "--anonymize with --rank needs --key, which all parts share" --partition Node --rank 0 --anonymize -o x
