#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cut-links.t: messages, transfers and calls that had not ended when the trace did are in sums, not in rates, means and fits
. "$(dirname "$0")/lib.sh"
plan 16

# By hand: two messages of 1 MB in 1 ms and 2 ms; of one of 100 MB the trace shows 1 us.
mkdir hand
printf 'ResourceId,Value,JobId,Start,End,Kind,DependsOn\n0_C0,a,0_1,0,1,app,\n1_C0,b,1_1,2,9,app,\n' >hand/tasks.csv
printf 'Type,Key,Origin,Dest,Start,End,Size,Flag\nMPI communication,m1,0_MPI,1_MPI,1,2,1000000,\nMPI communication,m2,0_MPI,1_MPI,4,6,1000000,\nMPI communication,m3,0_MPI,1_MPI,8.999,9,100000000,open\n' >hand/links.csv
printf 'ResourceId,ResourceType,Node\n0_C0,CPU,0\n1_C0,CPU,1\n0_MPI,MPI,0\n1_MPI,MPI,1\n' >hand/resources.csv
is "$(traceviz messages -q --csv hand | columns - Duration,Bandwidth,Flag)" "1.000000 1000
2.000000 500
0.001000  open" "messages: an open one has no rate"
is "$(traceviz message-sizes -q --csv hand | columns - Messages,Bytes,Min,Median,Max,Bandwidth)" "2 2000000 1.000000 1.500000 2.000000 1000
1 100000000" "message-sizes: counted, without duration"
is "$(traceviz comm-matrix -q --csv hand | columns - Messages,Bytes,Time,Bandwidth)" "3 102000000 3.001000 666.6666666666666" "comm-matrix: 2 MB in 3 ms, 102 MB in all"
is "$(traceviz bandwidth -q --csv hand | awk -F, 'NR > 1 && $5 > max { max = $5 } END { print max }')" 1000 "bandwidth: not 100,000,000 MB/s"
run traceviz bandwidth --csv hand
is "$(grep -c '1 of 3 messages had not ended when the trace did' stderr)" 1 "which is said"
is "$(traceviz in-flight -q --csv hand | awk -F, 'NR > 1 { sum[$1] += ($4 - $3) * $5 } END { for (k in sum) printf "%.3f ", sum[k] }' | xargs)" "3.001 3.001" "in-flight: it is under way"

# A line through three sizes, 0.5 ms + 1 ms for each MB; the open one would be far below it.
cp -r hand line
printf 'ResourceId,Value,JobId,Start,End,Kind,DependsOn\n0_C0,a,0_1,0,1,app,\n1_C0,b,1_1,12,19,app,0_1\n' >line/tasks.csv
printf 'Type,Key,Origin,Dest,Start,End,Size,Flag\nMPI communication,m1,0_MPI,1_MPI,1,2.5,1000000,\nMPI communication,m2,0_MPI,1_MPI,4,6.5,2000000,\nMPI communication,m3,0_MPI,1_MPI,8,11.5,3000000,\nMPI communication,m4,0_MPI,1_MPI,18.999,19,2000000,open\n' >line/links.csv
is "$(traceviz bounds -q --csv --network fit line | columns - Bound,Latency,Bandwidth | grep network)" "cpe-network 0.500000 1000" "the fitted network"

# Cut at random: rates and durations are those of the trace without the open messages.
traceviz convert -q "$DATA/cholesky-2nodes" -o whole
seed 815
for at in $(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 2; i++) printf "%.3f ", 100 + 400 * rand() }'); do
	rm -rf cut ended
	cp -r whole cut
	awk -F, -v OFS=, -v at="$at" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; f = c["Flag"]; print f ? $0 : $0 ",Flag"; next }
		$c["Start"] + 0 >= at { next } { flag = ""; if ($c["End"] + 0 > at) { $c["End"] = at; flag = "open" } if (f) $f = flag; else $0 = $0 "," flag; print }' whole/links.csv >cut/links.csv
	cp -r cut ended
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Flag") f = i } $f != "open"' cut/links.csv >ended/links.csv
	is "$(traceviz message-sizes -q --csv cut | columns - Upper,Min,P25,Median,P75,Max,Bandwidth | grep '\.')" "$(traceviz message-sizes -q --csv ended | columns - Upper,Min,P25,Median,P75,Max,Bandwidth)" "cut at $at ms: message-sizes"
	is "$(traceviz comm-matrix -q --csv cut | columns - Origin,Dest,Bandwidth)" "$(traceviz comm-matrix -q --csv ended | columns - Origin,Dest,Bandwidth)" "comm-matrix"
	is "$(traceviz transfers -q --csv cut | columns - Flag,Bandwidth | grep open | sort -u)" "$(awk -F, "$by_name"'$c["Flag"] == "open" && $c["Type"] ~ /^Intra/' cut/links.csv | grep -q . && echo 'open')" "transfers: no rate of an open one"
done

# Calls: of the second one the trace shows 1 ms.
mkdir calls
printf 'ResourceId,Call,Class,Start,End,Bytes,Flag\n0_T0,MPI_Send,blocking,0,3,8,\n0_T0,MPI_Send,blocking,4,9,8,\n0_T0,MPI_Send,blocking,9,10,8,open\n0_T0,MPI_Recv,blocking,20,21,8,open\n' >calls/calls.csv
printf 'ResourceId,ResourceType,Node\n0_T0,T,0\n' >calls/resources.csv
run traceviz callprofile -q --csv calls
is "$(columns - Call,Count,Time,Min,Mean,Max <stdout | grep MPI)" "MPI_Recv 1 1.000000
MPI_Send 3 9.000000 3.000000 4.000000 5.000000" "callprofile: means of those that ended"

# Requests: the process waited for the second one when the trace ended; it is completed no more than one that nobody waited for.
mkdir requests
printf 'ResourceId,Call,Class,Start,End,Request,Bytes,Flag\n0_T0,MPI_Irecv,start,0,1,r1,8,\n0_T0,MPI_Irecv,start,1,2,r2,8,\n0_T0,MPI_Wait,wait,4,6,r1,,\n0_T0,MPI_Wait,wait,6,9,r2,,open\n' >requests/calls.csv
cp calls/resources.csv requests
is "$(traceviz requests -q --csv requests | columns - Flag | sort | uniq -c | xargs)" "1 1 open" "requests: one of two is open"
# The median of lone calls: 3 ms and 5 ms, not the 1 ms of the open one.
printf 'ResourceId,Call,Class,Start,End,Bytes,Flag\n0_T0,MPI_Bcast,blocking,0,3,8,\n0_T0,MPI_Bcast,blocking,4,9,8,\n0_T0,MPI_Bcast,blocking,9,10,8,open\n' >calls/calls.csv
is "$(traceviz overlap -q --csv --by reference calls | columns - Call,Requests,CommReference)" "MPI_Bcast 2 4.000000" "overlap: references are of those that ended"
