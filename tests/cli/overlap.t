#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# overlap.t: requests and overlap on hand-built traces whose ratios are known
. "$(dirname "$0")/lib.sh"
plan 57

# cells NAME...: these columns of standard input, rows separated by |
cells() { awk -F, -v want="$*" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; n = split(want, w, " "); next }
	{ for (i = 1; i <= n; i++) printf "%s%s", $c[w[i]], i < n ? " " : "|" }'; }
R="$DATA/mpi-references.csv"
is "$(traceviz overlap --reference "$R" "$DATA/mpi-overlap" | cells Rank OverheadRatio CommRatio ComputeSlowdown Diagnosis | tr '|' '\n' | sed -n 's/^0 //p' | tr '\n' '|')" \
	"0 0 1 good|1 1 1 no progression|0.525 0.025 1.5 computation slowed|1.875 1.375 1.5 contention|-0.225 0.025 0.75 imprecise references|" \
	"perfect, serial, slowed, contention, negative overlap"
is "$(traceviz overlap --reference "$R" --tolerance 0.3 "$DATA/mpi-overlap" | cells Diagnosis | cut -d'|' -f9)" "good" "--tolerance"
is "$(traceviz overlap --reference "$R" --by callsite "$DATA/mpi-overlap" | cells By Requests Ranks MedianOverhead Diagnosis)" \
	"MPI_Ibcast contention 2 2 1.875 contention|MPI_Ibcast imprecise 2 2 -0.225 imprecise references|MPI_Ibcast perfect 2 2 0 good|MPI_Ibcast serial 2 2 1 no progression|MPI_Ibcast slowed 2 2 0.525 computation slowed|" \
	"by place in the program"
is "$(traceviz overlap --by size "$DATA/mpi-overlap" | cells By MeasuredTime MedianOverhead Diagnosis | cut -d'|' -f1-2)" \
	"2048-4095 16.000000  |4096-8191 32.000000  " "by size class; no ratio without references"
is "$(traceviz overlap --by collective --reference "$R" "$DATA/mpi-overlap" | cells By Requests MinOverhead MaxOverhead)" \
	"MPI_Ibcast 10 -0.225 1.875|" "by collective"
cp -r "$DATA/mpi-halo" line
sed -i 's/[a-z]*@modes.c:[0-9]*/halo@halo.c:7/' line/calls.csv
is "$(traceviz overlap -q --by callsite line | sed 's/ halo@halo.c:7,/,/' | cksum)" "$(traceviz overlap -q --by collective line | cksum)" \
	"functions that one line of the program calls remain apart"
is "$(traceviz overlap --by rank "$DATA/mpi-overlap" | cells By Requests MeasuredTime)" "0 5 65.400000|1 5 65.400000|" "by rank"
is "$(traceviz overlap "$DATA/mpi-overlap" | cells CallTime ComputeTime WaitTime OtherTime MeasuredTime | tr '|' '\n' | awk '{ if ($1 + $2 + $3 + $4 - $5 > 1e-9 || $5 - $1 - $2 - $3 - $4 > 1e-9) bad++; n++ } END { print n - 1, bad + 0 }')" \
	"9 0" "the times add up"

# The last rank is late: 20/20/10/10 against 15 on each of four ranks.
mkdir uneven
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Bytes"; split("20 20 10 10 15 15 15 15", d, " ")
	for (i = 0; i < 8; i++) { r = i % 4; t = i < 4 ? 0 : 100; s = i < 4 ? 1 : 2
		printf "%d_T0,MPI_Ireduce,start,%.6f,%.6f,%d,world,%d,8\n", r, t, t, s, s
		printf "%d_T0,MPI_Wait,wait,%.6f,%.6f,%d,,,\n", r, t, t + d[i + 1], s } }' >uneven/calls.csv
is "$(traceviz overlap --by instance uneven | cells By Ranks MeanTime MaxTime Duration)" \
	"world 1 4 15.000000 20.000000 20.000000|world 2 4 15.000000 15.000000 15.000000|" "an instance: the mean hides the rank that takes longest"

# Waitall over three, shared; Testany; a name that is used again; a persistent request; one that is freed, one that never ends.
mkdir kinds
cat >kinds/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Completed,Comm,Peer,Tag,Bytes
0_T0,MPI_Send_init,other,0,0.5,p,,world,1,5,64
0_T0,MPI_Isend,start,1,2,a,,world,1,1,10
0_T0,MPI_Irecv,start,2,3,b,,world,1,2,20
0_T0,MPI_Start,start,3,4,p,,,,,
0_T0,MPI_Waitall,wait,10,16,a b p,,,,,
0_T0,MPI_Startall,start,20,21,p,,,,,
0_T0,MPI_Isend,start,21,22,a,,world,1,3,30
0_T0,MPI_Testany,test,25,26,p a,,,,,
0_T0,MPI_Testany,test,30,32,p a,a,,,,
0_T0,MPI_Wait,wait,40,41,p,,,,,
0_T0,MPI_Isend,start,42,43,c,,world,1,4,40
0_T0,MPI_Request_free,other,44,45,c,,,,,
0_T0,MPI_Isend,start,46,47,d,,world,1,4,40
0_T0,MPI_Wait,wait,50,51,z,,,,,
E2
run traceviz requests kinds
is "$(cells Request Bytes Peer Start End WaitTime Asked Shared Flag <stdout)" \
	"a 10 1 1.000000 16.000000 2.000000 1 3 |b 20 1 2.000000 16.000000 2.000000 1 3 |p 64 1 3.000000 16.000000 2.000000 1 3 |p 64 1 20.000000 41.000000 1.500000 3 1 |a 30 1 21.000000 32.000000 2.500000 2 1 |c 40 1 42.000000  0.000000 0  freed|d 40 1 46.000000  0.000000 0  open|" \
	"Waitall is shared; Testany; a name used again; persistent; freed; open"
like "$(cat stderr)" "*1 requests never completed*" "a request that never ends: a warning"
like "$(cat stderr)" "*1 requests are completed that no call started*" "a wait for nothing: a warning"
# The first start of p: 4 to 10 without calls; the second: 22-25, 26-30, 32-40 outside the calls.
is "$(traceviz overlap -q kinds | cells Request ComputeTime | cut -d'|' -f3-5)" "p 6.000000|p 15.000000|a 7.000000" \
	"computation in the window, not in calls that test in vain"

# With tasks: on workers of the rank, in parallel; not of another rank, and not inside a call of the worker itself.
mkdir tasks
printf 'ResourceId,Value,Start,End\n0_T0,k,2,6\n0_T1,k,4,12\n0_T1,k,30,31\n1_T0,k,0,50\n' >tasks/tasks.csv
cat >tasks/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Bytes
0_T0,MPI_Isend,start,0,1,a,8
0_T0,MPI_Iprobe,test,5,6,,
0_T0,MPI_Wait,wait,10,20,a,
E2
is "$(traceviz overlap tasks | cells CallTime ComputeTime WorkerTime WaitTime OtherTime MeasuredTime PossibleOverlap)" \
	"1.000000 8.000000 9.000000 10.000000 1.000000 20.000000 40|" "tasks on several workers: union and sum"
is "$(traceviz overlap --begin 21 tasks | wc -l)" 1 "a window without the request"

run traceviz overlap "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "1 *overlap: the trace has no MPI calls*" "no calls: failure"
printf 'Call,Bytes\nx,1\n' >bad.csv
run traceviz overlap --reference bad.csv "$DATA/mpi-overlap"
like "$rc $(cat stderr)" "1 *bad.csv:1: *CommReference*" "references without a time"
printf 'CommReference\n-3\n' >bad.csv
run traceviz overlap --reference bad.csv "$DATA/mpi-overlap"
like "$rc $(cat stderr)" "1 *bad.csv:2: column CommReference is '-3', expected a time*" "a negative reference"
printf 'Bytes,Ranks,CommReference,ComputeReference\n2048,2,0,8\n4096,3,1,1\n,,4,\n' >some.csv
is "$(traceviz overlap --reference some.csv "$DATA/mpi-overlap" | cells Rank Bytes CommReference OverheadRatio CommRatio Diagnosis | tr '|' '\n' | sed -n '1,3p' | tr '\n' '|')" \
	"0 2048 0.000000   |1 2048 0.000000   |0 4096 4.000000  2 |" "the first row that fits; a reference of 0 gives no ratio"

# Traces of StarPU-MPI have messages and no calls.
run traceviz overlap "$DATA/cholesky-2nodes"
like "$rc $(cat stderr)" "1 *its messages have no SendEnd*" "messages without the times of requests: failure"
run traceviz overlap "$TESTDATA/fxt/1.4.0"
is "$rc $(cells CallTime WaitTime Diagnosis <stdout | tr "|" "\n" | sort | uniq -c | tr -s " ")" "0  56 " "messages only: nothing about calls"
like "$(cat stderr)" "*the trace has no MPI calls, only messages*" "and a warning"

# Large: a million calls in seconds, not minutes.
mkdir large
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes"
	for (i = 0; i < 250000; i++) for (r = 0; r < 2; r++) {
		printf "%d_T0,MPI_Isend,start,%.3f,%.3f,%d,world,%d,0,%d\n", r, i, i + 0.1, i, 1 - r, i % 999
		printf "%d_T0,MPI_Wait,wait,%.3f,%.3f,%d,,,,\n", r, i + 0.6, i + 0.7, i } }' >large/calls.csv
is "$(traceviz overlap --by rank large | cells By Requests ComputeTime WaitTime)" \
	"0 250000 125000.000000 25000.000000|1 250000 125000.000000 25000.000000|" "a million calls"
timeout 120 traceviz requests large >large.csv
is "$? $(wc -l <large.csv)" "0 500001" "and its requests"

# References of another run: those of each kind that nothing was computed during; 3 and 5 have a median of 4.
mkdir alone
cat >alone/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Bytes
0_T0,MPI_Ibcast,start,0,1,1,world,1,2048
0_T0,MPI_Wait,wait,1,3,1,,,
0_T0,MPI_Ibcast,start,10,11,1,world,2,2048
0_T0,MPI_Wait,wait,11,15,1,,,
0_T0,MPI_Ibcast,start,20,21,1,world,3,2048
0_T0,MPI_Wait,wait,31,32,1,,,
0_T0,MPI_Isend,start,40,41,1,world,,8
0_T0,MPI_Wait,wait,41,42.5,1,,,
0_T0,MPI_Isend,start,50,51,1,world,,16
E2
traceviz overlap -q --by reference alone >references.csv
is "$(cat references.csv | tr '\n' ' ')" "Call,Bytes,Ranks,Requests,CommReference MPI_Ibcast,2048,1,2,4.000000 MPI_Isend,8,,1,2.500000 " \
	"--by reference"
is "$(traceviz overlap -q --reference references.csv alone | cells Bytes CommReference CommRatio)" \
	"2048 4.000000 0.75|2048 4.000000 1.25|2048 4.000000 0.5|8 2.500000 1|16  |" "which --reference reads"
is "$(traceviz overlap -q --reference alone alone)" "$(traceviz overlap -q --reference references.csv alone)" "--reference with a run: the same"
traceviz generate mpi --compute-time 0 --imbalance 0 -o ref
traceviz generate mpi --imbalance 0 -o synthetic
is "$(traceviz overlap -q --by collective --calls nonblocking --reference ref synthetic | cells By MedianComm | cut -d'|' -f1)" "MPI_Iallreduce 1" "... of a generated run without progress: all of it in the wait"
run traceviz overlap -q --reference "$DATA/mpi-overlap" alone
like "$rc $(cat stderr)" "1 *mpi-overlap*no communication without computation*" "... a run that has no references"
is "$(traceviz overlap -q --by reference "$DATA/mpi-overlap" | wc -l)" 1 "a run that always computes meanwhile gives none"

# Blocking calls: no window, so nothing is computed in it; all of the call is waiting. 20/20/10/10 on four ranks.
mkdir blocking
cat >blocking/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Peer,Bytes,Site
0_T0,MPI_Isend,start,0,1,a,world,,1,100,s
0_T0,MPI_Allreduce,blocking,5,25,,world,1,,8,x
1_T0,MPI_Allreduce,blocking,6,26,,world,1,,8,x
2_T0,MPI_Allreduce,blocking,16,26,,world,1,,8,x
3_T0,MPI_Allreduce,blocking,15,25,,world,1,,8,x
1_T0,MPI_Recv,blocking,28,31.5,,world,,0,100,y
0_T0,MPI_Wait,wait,30,32,a,,,,,
0_T0,MPI_Comm_split,other,33,39,,world,2,,,z
E2
is "$(traceviz overlap blocking | cells Rank Request Call Ranks Start CallTime ComputeTime WorkerTime WaitTime OtherTime MeasuredTime Shared PossibleOverlap Flag)" \
	"0 a MPI_Isend  0.000000 1.000000 9.000000 9.000000 2.000000 20.000000 32.000000 1 28.125 |0  MPI_Allreduce 4 5.000000 0.000000 0.000000 0.000000 20.000000 0.000000 20.000000 1 0 blocking|1  MPI_Allreduce 4 6.000000 0.000000 0.000000 0.000000 20.000000 0.000000 20.000000 1 0 blocking|3  MPI_Allreduce 4 15.000000 0.000000 0.000000 0.000000 10.000000 0.000000 10.000000 1 0 blocking|2  MPI_Allreduce 4 16.000000 0.000000 0.000000 0.000000 10.000000 0.000000 10.000000 1 0 blocking|1  MPI_Recv  28.000000 0.000000 0.000000 0.000000 3.500000 0.000000 3.500000 1 0 blocking|" \
	"blocking calls: all of them is waiting; a blocking call within a window is OtherTime of the request"
is "$(traceviz overlap --by instance blocking | cells By Requests Ranks WaitTime MeanTime MaxTime Duration PossibleOverlap)" \
	"world 1 4 4 60.000000 15.000000 20.000000 21.000000 0|" "a blocking collective operation on four ranks"
is "$(traceviz overlap --by rank blocking | cells By Requests CallTime ComputeTime WaitTime OtherTime MeasuredTime)" \
	"0 2 1.000000 9.000000 22.000000 20.000000 52.000000|1 2 0.000000 0.000000 23.500000 0.000000 23.500000|2 1 0.000000 0.000000 10.000000 0.000000 10.000000|3 1 0.000000 0.000000 10.000000 0.000000 10.000000|" \
	"by rank: both kinds"
is "$(traceviz overlap --calls nonblocking blocking | cells Call Ranks) $(traceviz overlap --calls blocking --by collective blocking | cells By Requests MeasuredTime)" \
	"MPI_Isend | MPI_Allreduce 4 60.000000|MPI_Recv 1 3.500000|" "--calls"
printf 'CommReference,ComputeReference\n10,5\n' >both.csv
is "$(traceviz overlap --calls blocking --reference both.csv blocking | cells Rank Call CommReference ComputeReference OverheadRatio CommRatio ComputeSlowdown Diagnosis)" \
	"0 MPI_Allreduce 10.000000   2  |1 MPI_Allreduce 10.000000   2  |3 MPI_Allreduce 10.000000   1  |2 MPI_Allreduce 10.000000   1  |1 MPI_Recv 10.000000   0.35  |" \
	"blocking calls have no computation to compare: CommRatio alone"
is "$(traceviz overlap --by reference blocking | tr '\n' ' ')" "Call,Bytes,Ranks,Requests,CommReference MPI_Allreduce,8,4,4,15.000000 MPI_Recv,100,,1,3.500000 " \
	"they are references of their own function"

# References of two runs of the program: communications alone, computations alone. The k-th request of a rank, function and place
# belongs to the k-th there, so a computation may differ from one to the next.
runs() { # DIR CALL COMPUTE1 COMPUTE2 WAIT: on rank 0; rank 1 computes twice as long
	mkdir -p "$1"
	awk -v call="$2" -v c1="$3" -v c2="$4" -v w="$5" 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Bytes,Site"
		for (r = 0; r < 2; r++) { t = 0; for (i = 1; i <= 2; i++) { c = (i == 1 ? c1 : c2) * (r + 1)
			printf "%d_T0,MPI_Ibcast,start,%.6f,%.6f,q,world,%d,64,main\n", r, t, t + call, i; t += call + c
			printf "%d_T0,MPI_Wait,wait,%.6f,%.6f,q,,,,\n", r, t, t + w; t += w + 100 } } }' >"$1/calls.csv"
}
runs comm 0.25 0 0 3.75
runs comp 0.125 5 10 0.125
runs serial 0.25 5 10 3.75
runs hidden 0 6 11 0
is "$(traceviz overlap --reference comm --compute-reference comp serial | cells Rank ComputeTime CommReference ComputeReference OverheadRatio CommRatio ComputeSlowdown Diagnosis)" \
	"0 5.000000 4.000000 5.000000 1 1 1 no progression|1 10.000000 4.000000 10.000000 1 1 1 no progression|0 10.000000 4.000000 10.000000 1 1 1 no progression|1 20.000000 4.000000 20.000000 1 1 1 no progression|" \
	"references of two runs: one after the other"
is "$(traceviz overlap --reference comm --compute-reference comp hidden | cells Rank OverheadRatio CommRatio ComputeSlowdown Diagnosis)" \
	"0 0.25 0 1.2 computation slowed|1 0.5 0 1.2 computation slowed|0 0.25 0 1.1 good|1 0.5 0 1.1 good|" "... hidden, computation slowed"
is "$(traceviz overlap --reference comm/calls.csv --compute-reference comp/calls.csv hidden/calls.csv | cksum)" \
	"$(traceviz overlap --reference comm --compute-reference comp hidden | cksum)" "single files: the content decides"
traceviz overlap --by reference comm >comm.csv
is "$(traceviz overlap --reference comm.csv --compute-reference comp hidden | cksum)" \
	"$(traceviz overlap --reference comm --compute-reference comp hidden | cksum)" "... and a table beside a run"
printf 'Call,CommReference,ComputeReference\nMPI_Ibcast,4,\n,7,5\n' >parts.csv
is "$(traceviz overlap --reference parts.csv hidden | cells CommReference ComputeReference | cut -d'|' -f1)" "4.000000 5.000000" "of each time the first row that has it"
sed '/^1_T0,MPI_[IW].*,2,\|^1_T0,MPI_Wait,wait,110/d' comp/calls.csv >fewer.csv
run traceviz overlap --compute-reference fewer.csv serial
is "$rc $(cells Rank ComputeReference <stdout) $(cat stderr)" \
	"0 0 5.000000|1 |0 10.000000|1 | traceviz: 2 requests have no ComputeReference: fewer.csv has another number of requests of their rank, function and place" \
	"another number of requests: no reference, a warning"
run traceviz overlap --compute-reference serial hidden
is "$rc $(cells ComputeReference OverheadRatio <stdout) $(cat stderr)" \
	"0  | | | | traceviz: 4 requests have no ComputeReference: in serial their calls take more than 0.1 of the time, which is no run without communication" \
	"a run that communicates is no reference of a computation"
traceviz generate mpi --comm-time 0 --imbalance 0 -o compute
is "$(traceviz overlap --by collective --calls nonblocking --reference ref --compute-reference compute synthetic | cells By MedianOverhead Diagnosis | cut -d'|' -f1)" \
	"MPI_Iallreduce 1 no progression" "a generated run with both references"

# Options without effect, and what is no reference.
wrong() { run traceviz overlap "$@"; printf '%s %s|' "$rc" "$(sed 's/^traceviz: //' stderr)"; }
is "$(wrong --by reference --reference comm serial; wrong --by reference --compute-reference comp serial; wrong --calls blocking --compute-reference comp blocking)" \
	"2 --reference has no effect with --by reference|2 --compute-reference has no effect with --by reference|2 --compute-reference has no effect with --calls blocking|" \
	"options without effect"
printf '# OSU MPI Non-blocking Broadcast Latency Test\n# Size Overall(us) Compute(us) Pure Comm.(us) Overlap(%%)\n4 8 4 4 0\n' >osu.txt
is "$(wrong --reference comm osu.txt; wrong --compute-reference comm osu.txt; wrong --calls blocking osu.txt)" \
	"2 --reference: rows of a benchmark have their own|2 --compute-reference: rows of a benchmark have their own|2 --calls: the rows are those of a benchmark|" \
	"... with the rows of a benchmark"
like "$(wrong --reference "$DATA/cholesky.csv" serial)" "1 *neither a table with CommReference*nor a trace of MPI calls: *no MPI calls*" "a file that is neither"
like "$(wrong --reference missing.csv serial; wrong --compute-reference missing serial; wrong --reference - serial)" "1 *missing.csv*|1 *missing*|2 *not standard input*" "no file"

# A picture of the million calls: a tenth of the time in each class of them.
run traceviz -q large --panels requests,mpi-states -o large.boxes --to csv
is "$rc $(grep -c '^text,page,key.*,start 10.0$' large.boxes) $(grep -c '^text,page,key.*,wait 10.0$' large.boxes)" "0 1 1" "a picture of a million calls"

# All at the same instant; one call a million times as long as the others: numbers, and pictures.
mkdir same spike
cat >same/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Bytes
0_T0,MPI_Isend,start,5,5,a,world,,8
0_T0,MPI_Ibcast,start,5,5,b,world,0,8
0_T0,MPI_Waitall,wait,5,5,a b,,,
1_T0,MPI_Ibcast,start,5,5,a,world,0,8
1_T0,MPI_Wait,wait,5,5,a,,,
E2
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Bytes"; for (i = 0; i < 1000; i++) {
	t = i < 500 ? i / 1000 : 1000 + i / 1000; printf "0_T0,MPI_Ibcast,start,%.6f,%.6f,a,world,%d,8\n0_T0,MPI_Wait,wait,%.6f,%.6f,a,,,\n", t, t + 0.0001, i, t + 0.0002, i == 499 ? 1000.2 : t + 0.0003 } }' >spike/calls.csv
printf 'CommReference,ComputeReference\n0,0\n' >zero.csv
is "$(traceviz overlap -q --reference zero.csv same | cells Request ComputeTime WaitTime MeasuredTime OverheadRatio CommRatio Diagnosis)" \
	"a 0.000000 0.000000 0.000000   |b 0.000000 0.000000 0.000000   |a 0.000000 0.000000 0.000000   |" "all at one instant, references of 0: no ratio"
is "$(traceviz overlap -q --by rank spike | cells By Requests ComputeTime WaitTime MaxTime)" "0 1000 0.100000 999.800700 999.701000|" "one spike"
for way in same spike; do
	run traceviz -q $way --panels spacetime,requests,mpi-states,overlap-bars --overlap-bars.x Rank -o $way.svg
	is "$rc $(grep -c -i 'nan\|inf"' $way.svg)" "0 0" "$way: a picture"
done

# Traces of StarPU-MPI: requests of both ends of each message, with what the tasks of their node did meanwhile.
if [ -n "$SHARED" ]; then
	for name in cholesky-20-dmdas-2nodes cholesky-40-dmdas-2nodes; do
		rm -rf fxt && traceviz convert -q "$SHARED/data/mpi/$name" -o fxt
		traceviz overlap -q --csv "$SHARED/data/mpi/$name" | awk -F, "$by_name"'
			{ printf "%s %s %.6f %.6f %.6f\n", $c["Rank"], $c["Request"], $c["Start"], $c["MeasuredTime"], $c["ComputeTime"] }' | sort >found
		# The union of the tasks (app) of a node inside each request, by going through them in order of Start.
		awk -F, "$by_name"'$c["Kind"] == "app" { print $c["Node"], $c["Start"], $c["End"] }' fxt/tasks.csv | sort -k2,2g >tasks.sorted
		awk -F, 'function show(node, key, from, to,    i, s, e, until, sum) {
				if (from == "" || to == "" || to + 0 < from + 0) return
				until = from + 0; to += 0
				for (i = 0; i < n[node] && first[node, i] < to; i++) {
					s = first[node, i] > until ? first[node, i] : until; e = last[node, i] < to ? last[node, i] : to
					if (e > s) { sum += e - s; until = e } }
				printf "%s %s %.6f %.6f %.6f\n", node, key, from, to - from, sum }
			FILENAME == "tasks.sorted" { split($0, t, " "); first[t[1], n[t[1]] + 0] = t[2] + 0; last[t[1], n[t[1]] + 0] = t[3] + 0; n[t[1]]++; next }
			FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
			$c["Type"] == "MPI communication" { split($c["Origin"], a, "_"); split($c["Dest"], b, "_")
				show(a[1], $c["Key"], $c["Start"], $c["SendEnd"]); show(b[1], $c["Key"], $c["ReceiveStart"], $c["End"]) }' tasks.sorted fxt/links.csv | sort >want
		is "$(diff found want | head -3)" "" "$name: $(wc -l <want) requests of messages, with the tasks of their node meanwhile" || wc -l found want | sed 's/^/# /'
		ok "... not none" test "$(wc -l <want)" -gt 100
	done
else
	skip 4 "its traces are not in this repository (TRACEVIZ_SHARED names their folder)"
fi
