#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# collective-steps.t: steps of collective operations from events of progress: the pass, its panel, those of generate mpi
. "$(dirname "$0")/lib.sh"
plan 20

# A broadcast to 4 ranks as a tree (0 to 2; then 0 to 1 and 2 to 3: 2 steps) and one rank after the other (3 steps).
broadcast() { # SEQUENCE BEGIN STEP FROM TO ...: events of messages of 1 ms each in ms after BEGIN
	awk -v number="$1" -v begin="$2" -v messages="$3" 'BEGIN { n = split(messages, m, " ")
		for (i = 1; i <= n; i++) { split(m[i], f, ":"); s = begin + f[1]
			printf "%d_T0,progress,%g,%g,send,r%d,%d,%d\n%d_T0,progress,%g,%g,receive,r%d,%d,%d\n", f[2], s, s + 0.5, number, f[1], f[3], f[3], s + 0.5, s + 1, number, f[1], f[2] } }'; }
mkdir run
{ echo ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Bytes,Root
	for r in 0 1 2 3; do for i in 0 1; do
		echo "${r}_T0,MPI_Ibcast,start,$((i * 10)),$((i * 10)).5,r$i,world,$i,8,0"
		echo "${r}_T0,MPI_Wait,wait,$((i * 10 + 5)),$((i * 10 + 6)),r$i,,,,"; done; done; } >run/calls.csv
{ echo ResourceId,Type,Time,End,Value,Request,Step,Peer; broadcast 0 1 "0:0:2 1:0:1 1:2:3"; broadcast 1 11 "0:0:1 1:0:2 2:0:3"; } >run/events.csv
{ echo ResourceId,ResourceType,Node; for r in 0 1 2 3; do echo "${r}_T0,CPU,$r"; done; } >run/resources.csv
traceviz collective-steps --csv run >steps
is "$(head -1 steps)" "Comm,Sequence,Call,Step,Rank,Kind,Peer,Start,End,SendStart,Flag" "columns"
is "$(awk -F, 'NR > 1 { if ($4 + 1 > n[$2]) n[$2] = $4 + 1 } END { print n[0], n[1] }' steps)" "2 3" "a tree has 2 steps for 4 ranks, one rank after the other 3"
is "$(awk -F, '$6 == "receive" { printf "%d:%s-%s %s %s;", $2, $7, $5, $10, $9 }' steps)" \
	"0:0-2 1.000000 2.000000;0:0-1 2.000000 3.000000;0:2-3 2.000000 3.000000;1:0-1 11.000000 12.000000;1:0-2 12.000000 13.000000;1:0-3 13.000000 14.000000;" "each receive has its send"
is "$(awk -F, 'NR > 1 && $11 != ""' steps)" "" "nothing is early or unmatched"
run traceviz collective-steps --csv --begin 11 --node 0 run
is "$(cut -d, -f2,5,6 stdout | sed 1d | tr '\n' ' ')" "1,0,send 1,0,send 1,0,send " "a window, a rank"

# The receive of rank 3 before its send; one without a send; a notifier; two messages in a step in their order.
cp -r run odd
sed -i 's/^3_T0,progress,2.5,3,/3_T0,progress,0.6,0.9,/; s/^0_T0,progress,13,13.5,send/0_T0,progress,13,13.5,send-notifier/' odd/events.csv
printf '0_T0,progress,3,3.1,send,r0,1,1\n1_T0,progress,3.2,3.3,receive,r0,1,0\n' >>odd/events.csv
traceviz collective-steps --csv odd >steps
is "$(awk -F, 'NR > 1 && $11 != "" { printf "%s %s %s %s;", $2, $5, $6, $11 }' steps)" "0 3 receive early;1 3 receive unmatched;" "early, unmatched"
is "$(awk -F, '$2 == 0 && $5 == 1 { printf "%s ", $10 }' steps)" "2.000000 3.000000 " "two messages of a step: in their order"

# The panel: the bars and arrows of an operation against the times of the axis.
run traceviz -q run --panels collective-steps --collective-steps.sequence 0 -o s.csv
is "$rc $(grep -c '^rect,collective-steps,step' s.csv) $(grep -c ',step-message-head,' s.csv)" "0 6 3" "the tree: three messages"
is "$(awk -F, '$3 == "step" { x = $(NF - 6); y = $(NF - 5); w = $(NF - 4); if (n++ == 0) { x0 = x; u = w * 2; y0 = y } printf "%.1f-%.1f:%d ", 1 + (x - x0) / u, 1 + (x + w - x0) / u, 0.5 + (y - y0) / 20 }' s.csv)" \
	"1.0-1.5:0 1.5-2.0:2 2.0-2.5:0 2.0-2.5:2 2.5-3.0:1 2.5-3.0:3 " "bars at their times, in the rows of their ranks"
like "$(grep MPI_Ibcast s.csv | tail -1)" "*MPI_Ibcast on world, number 0: 2 steps, 6.000 ms*" "title"
run traceviz -q run --panels collective-steps -o s.csv
like "$rc $(grep -o 'number 1: [0-9] steps' s.csv)" "0 number 1: 3 steps" "the operation whose steps last longest"
run traceviz run --panels spacetime,collective-steps --collective-steps.comm other -o s.csv
like "$rc $(cat stderr)" "0 *panel collective-steps left out: no events of progress of such an operation*" "none of that communicator"
run traceviz -q odd --panels collective-steps --collective-steps.sequence 0 -o s.csv
like "$(cat s.csv)" "*1 messages received before they were sent*" "the title has those that are early"
run traceviz "$DATA/mpi-halo" --panels spacetime,collective-steps -o s.csv
like "$rc $(cat stderr)" "0 *panel collective-steps left out: collective-steps: the trace has no events of Type progress*" "a recorded trace has none"
run traceviz collective-steps "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "1 *collective-steps: the trace has no MPI calls*" "a trace without calls"

# generate mpi: 2 ceil(log2 ranks) events for each rank and operation, none before all have posted or after the wait;
# in each step as much as is due.
for kind in none timer idle bound; do
	rm -rf made
	traceviz generate mpi --progress $kind --ranks 5 --rounds 2 --imbalance 0.1 -o made
	traceviz collective-steps --csv made | awk -F, -v k=$kind -v q=made/calls.csv 'BEGIN { while ((getline line < q) > 0) { split(line, c, ","); split(c[1], r, "_")
			if (c[2] == "MPI_Iallreduce") { if (c[5] > posted[c[8]]) posted[c[8]] = c[5]; last[r[1]] = c[8] }
			if (c[2] == "MPI_Wait") end[r[1], last[r[1]]] = c[5] } }
		NR > 1 { n++; if ($8 < posted[$2] - 1e-6 || $9 > end[$5, $2] - 0.01 + 1e-6 || $11 != "") bad++
			sum[$5, $2] += $9 - $8; if ($9 > max[$5, $2]) max[$5, $2] = $9 }
		END { for (i in sum) { if (k != "timer" && (sum[i] - 4) ^ 2 > 1e-10) bad++; if (k == "none" && (max[i] - end[i] + 0.01) ^ 2 > 1e-10) bad++ } print k, n, bad + 0 }'
done >made.txt
for kind in none timer idle bound; do is "$(grep $kind made.txt)" "$kind 60 0" "generate mpi --progress $kind"; done
traceviz generate mpi --ranks 64 --rounds 2 -o big
run traceviz -q big --panels requests,collective-steps -o big.png
is "$rc" 0 "64 ranks"
