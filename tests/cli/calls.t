#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# calls.t: the tables of MPI calls: read, shown, shifted, cut and written back
. "$(dirname "$0")/lib.sh"
plan 9

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
