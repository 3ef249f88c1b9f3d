#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# requests-panel.t: lanes of requests, their parts and names, against the calls
. "$(dirname "$0")/lib.sh"
plan 17

# A second request while the first is in flight; a third in the lane of the first; one that is never completed.
mkdir run
cat >run/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes
0_T0,MPI_Irecv,start,0,10,a,world,1,1,8
0_T0,MPI_Isend,start,10,20,b,world,1,1,8
0_T0,MPI_Wait,wait,30,40,a,,,,
0_T0,MPI_Irecv,start,40,50,c,world,1,2,8
0_T0,MPI_Waitall,wait,60,80,b c,,,,
1_T0,MPI_Isend,start,0,20,a,world,0,1,8
1_T0,MPI_Wait,wait,20,40,a,,,,
1_T0,MPI_Isend,start,50,60,d,world,0,3,8
1_T0,MPI_Finalize,other,80,100,,,,,
E2
# parts FILE: color, begin and end in ms, by lane (separated by /): FILE, x of 0 ms, points per ms
parts() { awk -F, -v from="$2" -v per="$3" '/^rect,requests,request/ {
		x = $(NF - 6) - from; y = $(NF - 5); c = $(NF - 2)
		if (!(y in lane)) lane[y] = ++m
		name = c == "#3b7dc0" ? "S" : c == "#a9c7a0" ? "F" : c == "#7b2d8b" ? "W" : c == "#5f8f57" ? "M" : c == "#e08214" ? "P" : c
		text[lane[y]] = text[lane[y]] sprintf(" %s %.0f-%.0f", name, x / per, (x + $(NF - 4)) / per) }
	END { for (i = 1; i <= m; i++) printf "%s%s", (i > 1 ? " /" : ""), text[i] }' "$1"; }
run traceviz -q run --begin 0 --end 100 --panels requests -o s.csv
is "$rc" 0 "drawn"
# The axis: begin of the first call (0 ms) and end of the Waitall (80 ms).
x0=$(awk -F, '/^rect,requests,request/ && $(NF - 2) == "#3b7dc0" { print $(NF - 6); exit }' s.csv)
x80=$(awk -F, '/^rect,requests,request/ { e = $(NF - 6) + $(NF - 4); if (e > m) m = e } END { print m }' s.csv)
is "$(parts s.csv "$x0" "$(awk "BEGIN { print ($x80 - $x0) / 80 }")")" \
	" S 0-10 M 10-20 F 20-30 W 30-40 S 40-50 F 50-60 W 60-80 / S 10-20 F 20-30 M 30-40 M 40-50 F 50-60 W 60-80 / S 0-20 W 20-40 S 50-60" "call, in flight, other calls meanwhile and wait of each request, in the first lane that is free"
is "$(grep '^text,page,name,names' s.csv | sed 's/.*,//' | tr '\n' ';')" "rank 0;rank 1;" "names"
is "$(grep '^text,page,key' s.csv | sed 's/.*,//' | tr '\n' ';')" "call that starts;in flight;rank in other MPI calls;call that completes;" "keys"
like "$(grep -m1 '^rect,requests,request.*a9c7a0' s.csv)" "*MPI_Irecv, 0_T0, world, peer 1, tag 1, bytes 8, 20.000 to 30.000 ms*" "what a part is of"
# Progress, where the trace has events of it: of rank 0, the second one up to its wait; one instant; one of no request.
cp -r run known
cat >known/events.csv <<'E2'
ResourceId,Type,Time,End,Value,Request,Step,Peer
0_T1,progress,25,35,send,b,0,1
0_T0,progress,55,70,send,b,1,1
0_T0,progress,52,,send,b,1,1
0_T0,progress,95,99,send,c,1,1
0_T0,other event,26,30,send,a,1,1
E2
run traceviz known --begin 0 --end 100 --panels requests -o s.csv
is "$(parts s.csv "$x0" "$(awk "BEGIN { print ($x80 - $x0) / 80 }")")" \
	" S 0-10 M 10-20 F 20-30 W 30-40 S 40-50 F 50-60 W 60-80 / S 10-20 F 20-25 P 25-35 F 35-55 P 55-60 W 60-80 / S 0-20 W 20-40 S 50-60" "progress of requests that have events of it, other calls of the others"
is "$(grep '^text,page,key' s.csv | sed 's/.*,//' | tr '\n' ';')" "call that starts;in flight;rank in other MPI calls;progress;call that completes;" "its key"
like "$(cat stderr)" "*1 events of progress are left out: no request of that name and rank is in flight at their time*" "an event of no request in flight"
run traceviz -q "$DATA/mpi-halo" --node 1 --panels requests -o s.csv
is "$rc $(grep '^text,page,name,names' s.csv | sed 's/.*,//')" "0 rank 1" "a selected rank"

# 20 requests at once: 16 lanes.
mkdir many
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes"; for (i = 0; i < 20; i++) { printf "0_T0,MPI_Isend,start,%d,%d,r%d,world,1,1,8\n", i, i + 1, i; l = l " r" i }
	printf "0_T0,MPI_Waitall,wait,50,60,%s,,,,\n", substr(l, 2) }' >many/calls.csv
run traceviz -q many --panels requests -o s.csv
is "$rc $(grep -c '^rect,requests,request.*7b2d8b' s.csv) $(grep -c 'without 4 beyond 16 at once' s.csv)" "0 16 1" "more requests at once than lanes: the title has their number"
run traceviz "$DATA/cholesky.csv" --panels spacetime,requests -o s.png
like "$rc $(cat stderr)" "0 *panel requests left out: *no MPI calls*" "a trace without calls"
traceviz generate mpi --ranks 64 --rounds 20 -o big
run traceviz -q big --panels requests -o big.png
is "$rc" 0 "64 ranks"

# ---- the time axis of a trace with tasks and calls: tasks from 0 to 10 ms, communication from -5 to 30 ms ----
mkdir axis
printf 'ResourceId,Value,Start,End,Node\n0_T0,gemm,0,10,0\n1_T0,gemm,1,10,1\n' >axis/tasks.csv
cat >axis/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes
0_T0,MPI_Init,other,-100,-50,,,,,
0_T0,MPI_Isend,start,-5,-4,a,world,1,1,8
0_T0,MPI_Wait,wait,20,30,a,,,,
0_T0,MPI_Finalize,other,35,500,,,,,
E2
run traceviz -q axis --panels spacetime,requests -o s.csv
# The wait: of 1/3 of what is from 0 to its end, in the row of calls and in the lane of the request.
is "$rc $(awk -F, -v q=0 '/^rect,(requests|spacetime),/ && $(NF - 2) == "#7b2d8b" { print $(NF - 6) + $(NF - 4), $(NF - 4) }' s.csv |
	awk -v x="$(awk -F, '/^rect,spacetime,task/ { print $(NF - 6); exit }' s.csv)" '{ printf "%.2f ", $2 / ($1 - x) }')" "0 0.33 0.33 " "calls after the last task are on the axis"
is "$(grep -c '^rect,requests-setup,request' s.csv) $(grep -c '^rect,setup,.*3b7dc0' s.csv)" "2 1" "those before the first one are left of it"
is "$(grep -o 'makespan 10.00 ms' s.csv | sort -u)" "makespan 10.00 ms" "the makespan is that of tasks"
is "$(grep -o 'other MPI calls .*' s.csv)" "other MPI calls -100.0 to 500.0 ms" "from when to when MPI_Init and MPI_Finalize last is written"
run traceviz -q axis --end 15 --panels spacetime -o s.csv
is "$rc $(grep -c 'other MPI calls' s.csv) $(grep -c '^rect,spacetime.*7b2d8b' s.csv)" "0 0 0" "not in a window"
