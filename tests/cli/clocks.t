#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clocks.t: messages that were received before they were sent, --clock-offset
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 19

run=$TESTDATA/fxt/1.4.0
early() { sed -n 's/.*were received before they were sent.*: //p' "$1"; }
columns() { awk -F, -v want="$2" 'BEGIN { n = split(want, w, ",") } NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ for (i = 1; i <= n; i++) printf "%s%s", $c[w[i]], i < n ? " " : "\n" }' "$1"; }

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

run traceviz info --clock-offset 2=1 "$run"
is "$rc $(cat stdout)" "2 " "an unknown node: usage error"
like "$(cat stderr)" "*no node '2', expected one of its 2 nodes*" "and which"
run traceviz info --clock-offset 1 "$run"
like "$rc $(cat stderr)" "2 *--clock-offset '1', expected NODE=T*" "no time"
run traceviz info --clock-offset 0=1 "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "2 *one node only*" "one node: no effect"
