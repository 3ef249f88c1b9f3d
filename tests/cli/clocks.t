#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clocks.t: messages that were received before they were sent, --clock-offset
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 24

run=$TESTDATA/fxt/1.4.0
early() { sed -n 's/.*were received before they were sent.*: //p' "$1"; }

run traceviz bounds "$run"
is "$rc $(grep -c 'received before' stderr) $(early stderr)" "0 1 1->0 6" "one warning, by pair of nodes, with every verb"
run traceviz bounds --verbose "$run"
is "$(grep -c 'ms early: it ends where it starts' stderr)" "6" "--verbose: each"
left=$(sed -n 's/.* from 1_mpict to 0_mpict, \([0-9.]*\) ms early.*/\1/p' stderr | awk '$1 > 12.5 { n++ } END { print n + 0 }')
run traceviz bounds --strict "$run"
is "$rc" "1" "--strict: failure"
run traceviz -q "$run" -o figure.svg
like "$(cat figure.svg)" "*6 messages received before sent (clocks): 1-&gt;0 6*" "in the title of a figure"
traceviz convert -q "$run" -o csv
is "$(grep EarlyMessages csv/meta.csv)" "EarlyMessages,1->0: 6" "in meta"
run traceviz bounds csv
is "$(early stderr)" "1->0 6" "the same from CSV"

# an offset moves the times of its node only: t = 0 is the first task of node 0
traceviz convert -q --zero none "$run" -o before
traceviz convert -q --zero none --clock-offset 1=-12.5 "$run" -o after
moved() { columns before/$1.csv "$2,$3" >b; columns after/$1.csv "$2,$3" >a
	paste -d' ' b a | awk -v by="$4" '$2 != "" && $4 != "" { d = $4 - $2 - ($1 ~ /^1(_|$)/ ? by : 0); bad += d * d > 1e-10; n++ }
		END { print (n > 0), bad + 0 }'; }
sorted() { t=$1; shift; for d in before after; do { head -1 $d/$t.csv; tail -n +2 $d/$t.csv | sort -t, "$@"; } >x; mv x $d/$t.csv; done; }
sorted tasks -k6,6
# links are numbered in order of time
sorted links -k3,3 -k8,8 -k5,5n
is "$(moved tasks Node Start -12.5) $(moved tasks Node SubmitTime -12.5)" "1 0 1 0" "tasks of that node move by the offset"
is "$(moved states ResourceId Start -12.5)" "1 0" "its states"
is "$(moved links Origin Start -12.5) $(moved links Origin SendEnd -12.5)" "1 0 1 0" "the sending ends of its messages"
is "$(moved links Dest ReceiveStart -12.5)" "1 0" "the receiving ends of its messages"
is "$(grep -c '^MPI communication,[^,]*,1_.*,early$' after/links.csv)" "$left" "early by more than the offset before: still early"
is "$(grep ClockOffset after/meta.csv)" "ClockOffset,1: -12.500000 ms" "meta has it"
# from CSV as from the original, where no message was flagged
clean=$DATA/cholesky-2nodes
traceviz convert -q --clock-offset 1=0.01 --clock-offset 0=-5us "$clean" -o o1
traceviz convert -q --clock-offset 1=0.015 --zero first-task "$clean" -o o2
for d in o1 o2; do { head -1 $d/links.csv; grep ^MPI $d/links.csv; } >$d.csv; columns $d.csv Start,End >$d.ends; done
is "$(paste -d' ' o1.ends o2.ends | awk '{ d = $3 - $1; e = $4 - $2; bad += (d - .005) ^ 2 > 1e-10 || (e - .005) ^ 2 > 1e-10 } END { print NR, bad + 0 }')" \
	"190 0" "two offsets: only their difference counts"
columns o1/tasks.csv JobId,Start,End | grep mpicom | sort >a
columns o1/links.csv Key,Start,End | grep mpicom | sort >b
ok "messages as nodes of the graph have the times of the links" cmp a b
run traceviz messages --clock-offset 1=-1000 "$clean"
is "$(early stderr)" "0->1 100" "an offset that is wrong shows in the warning"

# a CSV that another tool wrote, with such messages: 5 ms early in links, and as a node of the graph; m2 is not early
mkdir own
cat >own/tasks.csv <<'EOF'
ResourceId,Value,Start,End,Duration,JobId,DependsOn,Kind,Node,ResourceType
0_CPU0,A,0,10,10,a,,app,0,CPU
1_CPU0,B,9,20,11,b,m1,app,1,CPU
0_CPU0,C,28,33,5,c,m2,app,0,CPU
,MPI,13,8,-5,m1,a,message,,
,MPI,20,27,7,m2,b,message,,
EOF
cat >own/links.csv <<'EOF'
Type,Key,Origin,Dest,Start,End,Size
MPI communication,m1,0_mpict,1_mpict,13,8,100
MPI communication,m2,1_mpict,0_mpict,20,27,100
other,x,0_mpict,1_mpict,13,8,100
EOF
of() { columns "$1" "$2" | grep "$3"; }
run traceviz messages --csv own
is "$(early stderr) $(of stdout Key,Start,End,Flag m1)" "0->1 1 m1 13.000000 13.000000 early" "a CSV of another tool: flagged, not skipped"
is "$(grep -c 'row of links skipped (1 record skipped)' stderr)" "1" "other links that end before they start are skipped"
run traceviz deps --csv own
is "$(of stdout JobId,LastDependency b | head -1)" "b a" "their dependencies are kept"
run traceviz messages --csv --clock-offset 1=6 own
is "$(early stderr) $(of stdout Key,Start,End,Duration m1)" " m1 13.000000 14.000000 1.000000" "--clock-offset gives them their durations"
cut -d, -f1-4,6- own/tasks.csv >own.csv
run traceviz convert own.csv -o -  --to csv
is "$(columns stdout JobId,Start,End | grep m1) $(grep -c 'end before start' stderr)" "m1 13.000000 13.000000 0" \
	"without links they end where they start"

run traceviz info --clock-offset 2=1 "$run"
is "$rc $(cat stdout)" "2 " "an unknown node: usage error"
like "$(cat stderr)" "*no node '2', expected one of its 2 nodes*" "and which"
run traceviz info --clock-offset 1 "$run"
like "$rc $(cat stderr)" "2 *--clock-offset '1', expected NODE=T*" "no time"
run traceviz info --clock-offset 0=1 "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "2 *one node only*" "one node: no effect"
