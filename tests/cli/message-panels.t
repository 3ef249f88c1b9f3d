#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# message-panels.t: panels of messages and transfers show the numbers of their passes
. "$(dirname "$0")/lib.sh"
plan 59
RUN=$DATA/cholesky-2nodes

# bandwidth, in-flight, gpu-bandwidth
run traceviz -q "$RUN" --panels bandwidth,in-flight,gpu-bandwidth -o f.csv
is "$rc $(cat stderr)" "0 " "curves of messages and transfers"
grep '^text' f.csv >texts.csv # areas have the same labels
traceviz comm-matrix -q "$RUN" | awk -F, 'NR > 1 { all += $4; node[$1] += $4 }
	END { printf "messages sent: %.1f MB,\n", all / 1e6; for (n in node) printf "node %s: %.1f MB\n", n, node[n] / 1e6 }' >want
is "$(wc -l <want) $(grep -c -F -f want texts.csv)" "3 3" "bytes in title and keys are those of comm-matrix"
traceviz bandwidth -q --by all "$RUN" | awk -F, 'NR > 1 && $5 > max { max = $5 } END { printf "max %.0f MB/s\n", max }' >want
ok "the max is that of bandwidth" grep -q -F -f want f.csv
traceviz in-flight -q "$RUN" | awk -F, 'NR > 1 && $1 == "sends" { area[$2] += $5 * ($4 - $3); time[$2] += $4 - $3 }
	END { for (n in area) printf "node %s: mean %.2f\n", n, area[n] / time[n] }' >want
is "$(wc -l <want) $(grep -c -F -f want texts.csv)" "2 2" "means are those of in-flight"
traceviz bandwidth -q --of transfers "$RUN" | awk -F, 'NR > 1 { sum[$1 "," $2] += $5 * ($4 - $3) / 1e3 }
	END { for (k in sum) printf "%s %.6f\n", k, sum[k] }' | sort >places
sed -n 's/^in,\(._MEMMANAGER[1-9]\) \(.*\)/\1 \2/p' places | awk '{ sub("MEMMANAGER", "mem", $1); printf "%s: %.1f MB\n", $1, $2 }' >want
is "$(wc -l <want) $(grep -c -F -f want texts.csv) $(grep -c mem0 texts.csv)" "6 6 0" "bytes into each GPU, and no main memory"
awk '/^in,._MEMMANAGER[1-9]/ { sum += $2 } END { printf "CUDA memory in: %.3f GB\n", sum / 1e3 }' places >want
ok "they add up to the title" grep -q -F -f want f.csv
traceviz bandwidth -q --of transfers --by kind "$RUN" | awk -F, 'NR > 1 { sum[$1 "," $2] += $5 * ($4 - $3) / 1e3 }
	END { for (k in sum) printf "%s %.3f\n", k, sum[k] }' | sort >kinds
awk '{ sum[substr($1, 1, index($1, ",")) ($1 ~ /MEMMANAGER0/ ? "main memory" : "CUDA memory")] += $2 }
	END { for (k in sum) printf "%s %.3f\n", k, sum[k] }' places | sort >want
ok "--by kind sums memory nodes" cmp kinds want
run traceviz bandwidth --by kind "$RUN"
is "$rc $(cat stderr)" "2 traceviz: --by kind is for --of transfers: nodes are of one kind" "nodes have no kinds"
run traceviz -q "$RUN" --panels gpu-bandwidth --gpu-bandwidth.by node --gpu-bandwidth.main-memory --gpu-bandwidth.show both -o g.csv
is "$rc $(grep -c '^polyline,gpu-bandwidth,curve' g.csv) $(grep '^text' g.csv | grep -c mem0)" "0 16 2" "main memory on demand, lines of both directions"
run traceviz -q "$RUN" --node 1 --panels bandwidth -o n.csv
is "$rc $(grep -c '^text.*node 0' n.csv) $(grep -c '^text.*"messages sent, node 1: 331.8 MB, mean ' n.csv)" "0 0 1" "a selected node: its numbers in the title"
is "$(sed -n 's/^text.*, max \([0-9]*\) MB.*/\1/p' n.csv)" "$(traceviz bandwidth -q "$RUN" | awk -F, '$1 == "sent" && $2 == 1 && $5 > max { max = $5 } END { printf "%.0f", max }')" "and its max"

# comm-matrix
for value in bytes:4:1e6:331.8,368.6 messages:3:1:100,90 wait:9:1:490.1,77.89; do
	column=${value#*:} numbers=${value##*:} value=${value%%:*}
	unit=${column#*:}
	traceviz comm-matrix -q "$RUN" | awk -F, -v c="${column%%:*}" -v unit="${unit%:*}" 'NR > 1 { printf "%.4g\n", $c / unit }' | sort |
		paste -sd, - >want
	run traceviz -q "$RUN" --panels comm-matrix --comm-matrix.value "$value" -o m.csv
	sed -n 's/^text,page,number,matrix,.*,\([0-9.]*\)$/\1/p' m.csv | sort | paste -sd, - >got
	is "$rc $(grep -c '^rect,page,pair,matrix' m.csv) $(cat got) $(cat want)" "0 2 $numbers $numbers" "numbers of the matrix: $value"
done
run traceviz -q "$RUN" --panels comm-matrix -o m.csv
ok "its sum" grep -q -F 'bytes of messages from node to node: 700.4 MB' m.csv
ok "its scale" grep -q -F ',0 to 368.6 MB' m.csv

# the messages of a node: those that it sends or receives
P=$DATA/cholesky-4nodes/p1x4
run traceviz -q "$P" --node 1 --panels comm-matrix,message-sizes,message-durations -o n.csv
traceviz comm-matrix -q "$P" | awk -F, 'NR > 1 && ($1 == 1 || $2 == 1) { n++; m += $3; b += $4 } END { printf "%d %d %.3f GB\n", n, m, b / 1e9 }' >want
read -r pairs messages bytes <want
is "$rc $(grep -c '^rect,page,pair,matrix' n.csv)" "0 $pairs" "pairs with a selected node"
is "$(grep -c -F -e "$bytes of messages, from and to node 1" n.csv)" 1 "their sum"
is "$(grep '^rect,page,pair,matrix' n.csv | cut -d, -f9 | sort -u | wc -l)" "2" "a single node: two lines"
traceviz messages -q "$P" --node 1 >of1.csv
awk -F, 'NR > 1 { n++; b += $8 } END { printf "%d %.3f GB\n", n, b / 1e9 }' of1.csv >want
read -r messages bytes <want
is "$(grep -c -F -e "sizes of $messages messages, 1 size, $bytes" -e "durations of $messages messages, 1 size, $bytes" n.csv)" 2 "sizes and durations of these"
is "$(traceviz message-sizes -q "$P" --node 1 | awk -F, 'NR == 2 { print $3, $6, $10 }')" \
	"$(awk -F, "$by_name"'
		{ d = $c["Duration"]; n++; if (n == 1 || d + 0 < min) min = d; if (d + 0 > max + 0) max = d }
		END { print n, min, max }' of1.csv)" "as the pass has them"
is "$(traceviz message-sizes -q "$P" --node 0,1,2,3)" "$(traceviz message-sizes -q "$P")" "all nodes selected: all messages"

mkdir generated
awk -v folder=generated -f "$ROOT/examples/message-sizes.awk"
SIZES=$ROOT/examples/data/message-sizes
is "$(traceviz convert -q generated -o - | cksum)" "$(traceviz convert -q "$SIZES" -o - | cksum)" "the sample of sizes is what its script writes"
traceviz messages -q generated >want
ok "with its messages" eval 'traceviz messages -q "$SIZES" | cmp - want'
run traceviz -q "$SIZES" --panels message-sizes -o s.csv
traceviz message-sizes -q "$SIZES" | awk -F, 'NR > 1 { m += $3; b += $5; n[NR] = $3; s[NR] = $5 }
	END { for (r in n) { printf "%.3f\n", n[r] / m * 100; printf "%.3f\n", s[r] / b * 100 } }' | sort -n >want
bars() { awk -F, '$3 == "messages" || $3 == "bytes" { print $(NF - 3) }' s.csv; }
high=$(awk -F, '$3 == "grid" { if (!n++) low = high = $8; if ($8 < high) high = $8; if ($8 > low) low = $8 } END { print low - high }' s.csv)
bars | awk -v high="$high" '{ printf "%.3f\n", $1 / high * 40 }' | sort -n >got
ok "bars are shares: $(tail -1 want) % at most" awk 'NR == FNR { want[NR] = $1; next } (d = $1 - want[FNR]) * d > 0.0025 { bad = 1 } END { exit bad || FNR < 20 }' want got
is "$(awk -F, '$3 == "tick-label" && $13 ~ /%/ { print $13 }' s.csv | tail -1)" "40 %" "the axis ends above the largest one"

# message-timeline
run traceviz -q "$RUN" --begin 140 --end 175 --panels message-timeline -o t.csv
is "$rc $(cut -d, -f3 t.csv | grep -c '^message$')" \
	"0 $(traceviz messages -q --begin 140 --end 175 "$RUN" | sed 1d | wc -l | tr -d ' ')" "a bar for each message"
traceviz -q "$RUN" --panels message-timeline -o t.csv
ok "lanes" grep -q -F '190 messages by sender; row height = 5 messages' t.csv
is "$(traceviz in-flight -q "$RUN" | awk -F, '$1 == "sends" && $5 > max { max = $5 } END { print max + 0 }')" 5 "as many as in-flight has"
run traceviz -q "$RUN" --panels message-timeline --message-timeline.color wait --message-timeline.by receiver -o t.csv
traceviz messages -q "$RUN" | awk -F, 'NR > 1 && $(NF - 3) > max { max = $(NF - 3) } END { printf "up to %.1f ms\n", max }' >want
is "$rc $(grep -c -F -f want t.csv)" "0 1" "the longest wait ($(cat want))"

# message-sizes, message-durations
mkdir sizes
printf 'ResourceId,Value,Start,End,JobId,Node\n0_CPU0,a,0,10,0_1,0\n1_CPU0,b,12,20,1_1,1\n' >sizes/tasks.csv
awk 'BEGIN {
	srand(3)
	print "Type,Key,Origin,Dest,Start,End,Size"
	split("0 1 2 3 64 65 4096 65535 65536 65537 100000 131072 131073 30000000", size, " ")
	for (i = 0; i < 200; i++) {
		start = int(rand() * 1e7) / 1e6
		time = i % 17 == 0 ? 0 : int(rand() * 1e6) / 1e6
		printf "MPI communication,m%d,0_mpict,1_mpict,%.6f,%.6f,%s\n", i, start, start + time, size[1 + i % 14]
	}
}' >sizes/links.csv
run traceviz message-sizes -q --csv sizes
traceviz messages -q --csv sizes | awk -F, '
	NR > 1 {
		for (upper = $8 > 0 ? 1 : 0; upper < $8; upper *= 2) continue
		n[upper]++; bytes[upper] += $8
		if (!(upper in min) || $14 + 0 < min[upper]) min[upper] = $14 + 0
		if ($14 + 0 > max[upper]) max[upper] = $14 + 0
		if (!((upper, $8) in seen)) { seen[upper, $8] = 1; sizes[upper]++ }
	}
	END { for (u in n) printf "%.0f,%.0f,%d,%d,%.0f,%.6f,%.6f\n", int(u / 2), u, n[u], sizes[u], bytes[u], min[u], max[u] }' | sort -n >want
sed 1d stdout | cut -d, -f1-6,10 | sort -n >got
is "$rc $(wc -l <got | tr -d ' ')" "0 11" "classes of sizes"
ok "message-sizes against the messages, one by one" cmp got want
run traceviz -q sizes --panels message-sizes,message-durations -o s.csv
is "$rc $(grep -c '^rect,page,messages,sizes' s.csv) $(grep -c '^polyline,page,fastest,sizes' s.csv)" "0 11 11" "a bar and a line for each class"
is "$(grep -c -F -e 'sizes of 200 messages, 14 sizes' -e 'durations of 200 messages, 12 that take no time' s.csv)" 2 "numbers in the titles"
run traceviz -q "$RUN" --panels message-durations --width 7 -o s.csv
is "$rc $(grep -c '^rect,page,message,sizes' s.csv | awk '{ print ($1 > 0 && $1 <= 190) }')" "0 1" "no more points than messages"
run traceviz "$DATA/cholesky.csv" --panels spacetime,message-sizes,message-durations -o s.pdf
is "$rc $(grep -c 'left out: message-sizes: the trace has no messages' stderr)" "0 2" "no messages: left out, with the reason"

# mpi-states
mkdir mpi
printf 'ResourceId,Value,Start,End,JobId,Node\n0_CPU0,a,0,10,0_1,0\n1_CPU0,b,12,20,1_1,1\n' >mpi/tasks.csv
cat >mpi/states.csv <<'EOF'
ResourceId,Type,Value,Start,End,Depth
0_mpict,Communication Thread State,Polling,0,20,0
0_mpict,Communication Thread State,Processing,4,8,1
0_mpict,Communication Thread State,SendSubmitted,5,5,2
0_mpict,Communication Thread State,SendCompleted,7,7,2
1_mpict,Communication Thread State,Polling,0,10,0
1_mpict,Communication Thread State,SendCompleted,12,12,0
0_CPU0,Worker State,Idle,10,20,0
EOF
run traceviz states -q --csv --of communication mpi
is "$rc $(sed 1d stdout | cut -d, -f3,4,8-10 | tr '\n' ' ')" \
	"0 state,Polling,2,26.000000,65 state,Processing,1,4.000000,10 state,SendCompleted,2,0.000000,0 state,SendSubmitted,1,0.000000,0 none,,,10.000000,25 " \
	"states of communication threads: nested ones, instants, nothing of workers"
traceviz states -q --csv --of communication --by piece --instants mpi | sed 1d | cut -d, -f1,4,6,7 | tr '\n' ' ' >got
is "$(cat got)" "0_mpict,Polling,0.000000,4.000000 0_mpict,SendSubmitted,5.000000,5.000000 0_mpict,SendCompleted,7.000000,7.000000 0_mpict,Processing,4.000000,8.000000 0_mpict,Polling,8.000000,20.000000 1_mpict,Polling,0.000000,10.000000 1_mpict,SendCompleted,12.000000,12.000000 " \
	"pieces and instants"
is "$(traceviz states -q --csv --of communication --by piece mpi | sed 1d | wc -l | tr -d ' ')" 4 "pieces take time"
run traceviz -q mpi --panels mpi-states -o s.csv
is "$rc $(grep -c '^rect,mpi-states,state' s.csv) $(grep -c '^polyline,page,instant,states' s.csv)" "0 4 3" "a box for each piece, a tick for each instant"
is "$(grep '^text,page,key' s.csv | sed 's/.*,//' | tr '\n' ';')" "Polling 65.0;Processing 10.0;SendCompleted 2 ticks;SendSubmitted 1 tick;" "shares in the keys"
run traceviz -q mpi --node 1 --panels mpi-states -o s.csv
is "$rc $(grep -c '^text,page,name,names,.*_mpict' s.csv)" "0 1" "the thread of a selected node"
run traceviz -q "$DATA/mpi-halo" --panels mpi-states -o s.csv
is "$rc $(grep '^rect,mpi-states,state,states,"other' s.csv | awk -F, '{ print $(NF - 2) }' | sort -u) $(grep -c '^text,page,key,.*,other$' s.csv)" "0 #a8a39d 1" \
	"calls beside the window, which have no share, have their own color and key"
run traceviz "$RUN" --panels spacetime,mpi-states -o s.pdf
like "$rc $(cat stderr)" "0 *mpi-states left out: *no states of its threads for communication*" "no such states: left out, with the reason"

# Many nodes: rows too low for lanes have the color of the number in flight.
mkdir many
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,Node"; for (n = 0; n < 40; n++) printf "%d_CPU0,a,0,100,%d,%d\n", n, n, n }' >many/tasks.csv
awk 'BEGIN { print "Type,Key,Origin,Dest,Start,End,Size"
	for (n = 0; n < 40; n++) for (i = 0; i < 12; i++) printf "MPI communication,m%d_%d,%d_mpict,%d_mpict,%d,%d,123456789\n", n, i, n, (n + 1) % 40, i, 40 + n }' >many/links.csv
run traceviz -q many --panels message-timeline -o t.csv
is "$rc $(grep -c '^image,message-timeline,in-flight,' t.csv) $(grep -c '480 messages by sender$' t.csv) $(grep -c ',0 to 12 in flight$' t.csv)" "0 40 1 1" \
	"many nodes: a row of colors for each"
run traceviz many --panels spacetime,message-timeline --message-timeline.color wait -o w.csv
like "$(cat stderr)" "*message-timeline left out: no message caused idle time*" "but not of waits"
mkdir waits
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,Kind,DependsOn,Node"
	for (n = 0; n < 40; n++) printf "%d_CPU0,a,0,10,a%d,app,,%d\n,send,10,%d,w%d,message,a%d,\n%d_CPU0,b,%d,100,b%d,app,w%d,%d\n",
		n, n, n, 40 + n, n, n, (n + 1) % 40, 45 + n, n, n, (n + 1) % 40 }' >waits/tasks.csv
{ cat many/links.csv; awk 'BEGIN { for (n = 0; n < 40; n++) printf "MPI communication,w%d,%d_mpict,%d_mpict,10,%d,8\n", n, n, (n + 1) % 40, 40 + n }'; } >waits/links.csv
run traceviz -q waits --panels message-timeline --message-timeline.color wait -o w.csv
is "$rc $(traceviz messages -q waits | awk -F, "$by_name"'$c["Wait"] > 0' | wc -l | tr -d ' ')" "0 40" "waits of many nodes"
is "$(cut -d, -f3 w.csv | grep -c -x message) $(grep -c '520 messages by sender; 40 that caused waits; row height = 1 message$' w.csv) $(grep -c 'no wait caused' w.csv)" \
	"40 1 0" "only these messages are drawn, in fewer lanes"
run traceviz -q many --node 1,2,3 --panels message-timeline -o t.csv
is "$rc $(grep -c '^rect,message-timeline,message,' t.csv)" "0 36" "of few nodes the messages"
run traceviz -q many --panels comm-matrix -o m.csv
is "$rc $(awk -F, '$3 == "pair" && $10 > w { w = $10 } END { print (w > 0 && w <= 6.5) }' m.csv)" "0 1" "a matrix without numbers is small"

# Nothing to show.
run traceviz "$DATA/cholesky.csv" --panels spacetime,comm-matrix,message-timeline -o none.pdf
is "$rc $(grep -c 'left out: [a-z-]*: the trace has no messages ' stderr)" "0 2" "no messages: neither matrix nor timeline"
run traceviz "$DATA/cholesky.csv" --panels spacetime,bandwidth,in-flight,gpu-bandwidth -o none.pdf
is "$rc $(grep -c 'left out: [a-z-]*: the trace has no \(messages\|transfers\) ' stderr)" "0 3" "no messages: left out, with the reason"

# One message.
mkdir one
printf 'ResourceId,Value,Start,End,JobId,Node\n0_CPU0,a,0,10,0_1,0\n1_CPU0,b,12,20,1_1,1\n' >one/tasks.csv
printf 'Type,Key,Origin,Dest,Start,End,Size\nMPI communication,m,0_mpict,1_mpict,10,12,4000\n' >one/links.csv
run traceviz -q one --panels bandwidth,in-flight -o one.csv
is "$rc $(grep -c -F -e 'messages sent: 4.000 kB, mean 0.2, max 2 MB/s' -e 'by sender: mean 0.10, max 1' one.csv)" "0 2" "one message"
run traceviz -q one --panels message-durations -o one.csv
is "$rc $(cut -d, -f3 one.csv | grep -c -x -e message -e fastest) $(cut -d, -f3 one.csv | grep -c -x -e quartile -e median)" "0 2 0" "a point, on which no quartile lies"
is "$(cut -d, -f3 one.csv | grep -x -e message -e fastest | tail -1)" message "nor the line of the fastest one"
run traceviz -q one --panels comm-matrix,message-timeline -o one.csv
is "$rc $(grep -c -F -e 'node to node: 4.000 kB' -e '1 message by sender; row height = 1 message' -e 'each 4.000 kB' one.csv)" "0 3" "in the matrix and the timeline"
run traceviz one --panels spacetime,comm-matrix,message-timeline --comm-matrix.value wait --message-timeline.color wait -o one.pdf
is "$rc $(grep -c -e 'comm-matrix left out: waits are unknown' -e 'message-timeline left out: no message caused idle time' stderr)" \
	"0 2" "waits that are not known"

# Keys over the rows share a line where they fit.
lines() { awk -F, '/,(ABE of the node|MPI calls|12 messages)$/ { print $8 }' "$1" | sort -u | wc -l; }
run traceviz -q "$DATA/mpi-halo" --panels spacetime --spacetime.messages all -o wide.csv
is "$rc $(lines wide.csv) $(sh "$ROOT/tests/overlaps.sh" wide.csv 7.16)" "0 1 " "keys of bounds, calls and messages are in one line"
run traceviz -q "$DATA/mpi-halo" --panels spacetime --spacetime.messages all --width 3.5 -o narrow.csv
is "$rc $(lines narrow.csv) $(sh "$ROOT/tests/overlaps.sh" narrow.csv 3.5)" "0 3 " "in a column of a paper in three"
