#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# calls.t: the tables of MPI calls: read, shown, shifted, cut and written back
. "$(dirname "$0")/lib.sh"
plan 18

mkdir run
printf 'ResourceId,ResourceType,Node\n0_T0,thread,0\n1_T0,thread,1\n' >run/resources.csv
cat >run/calls.csv <<'E2'
ResourceId,Call,Class,Start,End,Request,Completed,Comm,Sequence,Root,Op,Peer,Tag,Bytes,Site,Flag
0_T0,MPI_Isend,start,1.000000,1.100000,1,,world,,,,1,7,4096,main.c:3,
0_T0,MPI_Ireduce,start,1.100000,1.200000,2,,world,0,1,MPI_SUM,,,8,main.c:4,
0_T0,MPI_Testany,test,2.000000,2.100000,1 2,2,,,,,,,,main.c:5,
1_T0,MPI_Recv,blocking,1.500000,1.750000,,,world,,,,0,7,4096,main.c:9,open
E2
cat >run/callprofile.csv <<'E2'
Rank,Call,Class,Site,Count,Time,Min,Mean,Max,Bytes
0,run,run,,1,10.000000,,,,
0,MPI_Isend,start,main.c:3,2,0.200000,0.100000,0.100000,0.100000,8192
E2
run traceviz convert run -o again
is "$rc $(cat again/calls.csv again/callprofile.csv | cksum)" "0 $(cat run/calls.csv run/callprofile.csv | cksum)" "written as they were read"
is "$(traceviz info run --csv | grep '^rows,' | tr '\n' ' ')" "rows,calls,4 rows,callprofile,2 rows,resources,2 " "info counts them"
is "$(traceviz info run --csv | grep '^time' | tr '\n' ' ')" \
	"time (ms),first event,1.000000 time (ms),last event,2.100000 " "and their times"

run traceviz convert --zero first-task run -o zero
is "$(sed -n 2p zero/calls.csv | cut -d, -f4,5) $(sed -n '2,3p' zero/callprofile.csv | cut -d, -f6 | tr '\n' ' ')" \
	"0.000000,0.100000 10.000000 0.200000 " "--zero moves instants, not durations"
run traceviz convert --clock-offset 1=1 run -o moved
is "$(tail -1 moved/calls.csv | cut -d, -f4,5) $(sed -n 2p moved/calls.csv | cut -d, -f4)" "2.500000,2.750000 1.000000" \
	"--clock-offset moves the calls of a rank"

# One file is recognized by its header.
is "$(traceviz info run/calls.csv --csv | grep '^rows,')" "rows,calls,4" "a file of calls alone"
is "$(traceviz info run/callprofile.csv --csv | grep '^rows,')" "rows,callprofile,2" "a file of a profile alone"

printf 'ResourceId,Call,Class,Start,End\n0_T0,MPI_Send,blocking,1,x\n' >bad.csv
run traceviz info bad.csv
like "$rc $(cat stderr)" "1 *bad.csv:2: column End is 'x', expected a time*" "a time that is none"
printf 'ResourceId,Call,Class,Start\n0_T0,MPI_Send,blocking,1\n' >bad.csv
run traceviz info bad.csv
like "$rc $(cat stderr)" "1 *the header of calls has no column End*" "a column that is missing"

# Drawn: without tasks the calls are the rows, with tasks rows below those of their node.
boxes() { grep "^rect,$1,$2," | awk -F, '{ print $(NF - 2) }' | sort | uniq -c | tr -s ' ' | tr '\n' ';'; }
run traceviz -q run --panels spacetime -o rows.csv
is "$rc $(boxes spacetime call <rows.csv)" "0  2 #3b7dc0; 1 #d1495b; 1 #f0b429;" "a box for each call, in the color of its class"
like "$(grep '^rect,spacetime,call' rows.csv)" '*"MPI_Recv, main.c:9, 1_T0, world, peer 0, tag 7, bytes 4096, 1.500 to 1.750 ms (0.250 ms)"*' \
	"the text of a box"
cp -r run both
printf 'ResourceId,Value,Start,End,Node\n0_T0,a,1.2,2,0\n1_T0,b,0,1.5,1\n1_T1,b,0,3,1\n' >both/tasks.csv
traceviz -q both --panels spacetime -o both.csv
is "$(boxes spacetime call <both.csv) $(grep '^text' both.csv | grep -o '[01]_T[01] MPI' | tr '\n' ' ')" \
	" 2 #3b7dc0; 1 #d1495b; 1 #f0b429; 0_T0 MPI 1_T0 MPI " "rows of threads that call MPI, besides those of workers"
traceviz -q both --panels spacetime --spacetime.mpi no -o no.csv
is "$(grep -c 'rect,spacetime,call' no.csv)" 0 "--spacetime.mpi no"
is "$(traceviz states -q --csv --of communication --by worker run | cut -d, -f1,3,4,8,9 | tr '\n' ' ')" \
	"ResourceId,Nature,Value,Records,Time 0_T0,state,start,2,0.200000 0_T0,state,test,1,0.100000 0_T0,none,,,0.800000 1_T0,state,blocking,1,0.250000 1_T0,none,,,0.850000 " \
	"states of threads for communication: classes of calls"
run traceviz -q both --panels mpi-states -o panel.csv
is "$rc $(grep -c '^rect,mpi-states,state' panel.csv)" "0 4" "panel mpi-states"
printf 'Type,Key,Origin,Dest,Start,End,Size\nMPI communication,1,0_T0,1_T0,1,1.75,4096\n' >run/links.csv
run traceviz -q run --panels spacetime --spacetime.messages all -o messages.csv
like "$rc $(grep -c "^text.*1 message" messages.csv) $(grep -c "^poly.*message" messages.csv)" "0 1 [1-9]*" "a message between rows of calls"

# The recorded sample: each rank has two requests in each of 6 rounds, whose messages arrive in the wait.
is "$(traceviz requests --csv "$DATA/mpi-halo" | cut -d, -f1,3,14 | sed 1d | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	" 6 0,MPI_Irecv,MPI_Waitall; 6 0,MPI_Isend,MPI_Waitall; 6 1,MPI_Irecv,MPI_Waitall; 6 1,MPI_Isend,MPI_Waitall;" "its requests"
traceviz -q "$DATA/mpi-halo" --panels spacetime -o halo.csv
is "$(grep -c '^rect,spacetime,call.*#7b2d8b' halo.csv)" \
	"$(grep -c MPI_Waitall "$DATA/mpi-halo/calls.csv")" "its waits below its tasks, also after the last of these"
