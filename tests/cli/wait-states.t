#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wait-states.t: late senders, late receivers and waits at collectives that are planted
. "$(dirname "$0")/lib.sh"
plan 8

mkdir run
head='ResourceId,Call,Class,Start,End,Request,Comm,Sequence,Root,Peer,Tag,Bytes'
states() { { echo "$head"; cat; } >run/calls.csv; traceviz wait-states "$@" run 2>stderr | sed 1d | cut -d, -f1,3,5,7-10 | tr '\n' '|'; }
is "$(states <<'E2'
0_T0,MPI_Recv,blocking,0,6,,w,,,1,7,8
1_T0,MPI_Send,blocking,4,5,,w,,,0,7,8
0_T0,MPI_Recv,blocking,10,11,,w,,,1,7,8
1_T0,MPI_Send,blocking,8,9,,w,,,0,7,8
E2
)" "0,MPI_Recv,0.000000,late sender,4.000000,1,4.000000|" "late sender; not where the message was there"
is "$(states <<'E2'
0_T0,MPI_Ssend,blocking,0,6,,w,,,1,7,8
1_T0,MPI_Recv,blocking,5,6,,w,,,0,7,8
0_T0,MPI_Send,blocking,10,11,,w,,,1,7,8
1_T0,MPI_Recv,blocking,15,16,,w,,,0,7,8
E2
)" "0,MPI_Ssend,0.000000,late receiver,5.000000,1,5.000000|" "late receiver; not a send that had returned"
is "$(states <<'E2'
0_T0,MPI_Irecv,start,0,1,a,w,,,1,1,8
0_T0,MPI_Irecv,start,1,2,b,w,,,2,1,8
0_T0,MPI_Waitall,wait,5,20,a b,,,,,,
1_T0,MPI_Send,blocking,9,10,,w,,,0,1,8
2_T0,MPI_Send,blocking,12,13,,w,,,0,1,8
E2
)" "0,MPI_Waitall,5.000000,late sender,7.000000,2,12.000000|" "a wait for several: the last"
is "$(states <<'E2'
0_T0,MPI_Barrier,blocking,0,10,,w,0,,,,
1_T0,MPI_Barrier,blocking,4,10,,w,0,,,,
2_T0,MPI_Barrier,blocking,9,10,,w,0,,,,
E2
)" "0,MPI_Barrier,0.000000,wait at collective,9.000000,2,9.000000|1,MPI_Barrier,4.000000,wait at collective,5.000000,2,9.000000|" "a barrier: until the last"
is "$(states <<'E2'
0_T0,MPI_Bcast,blocking,3,10,,w,0,0,,,8
1_T0,MPI_Bcast,blocking,1,10,,w,0,0,,,8
2_T0,MPI_Bcast,blocking,9,10,,w,0,0,,,8
0_T0,MPI_Reduce,blocking,20,30,,w,1,0,,,8
1_T0,MPI_Reduce,blocking,26,30,,w,1,0,,,8
2_T0,MPI_Reduce,blocking,18,19,,w,1,0,,,8
E2
)" "1,MPI_Bcast,1.000000,wait at collective,2.000000,0,3.000000|0,MPI_Reduce,20.000000,wait at collective,6.000000,1,26.000000|" "from and to a root"
is "$(states <<'E2'
0_T0,MPI_Iallreduce,start,0,1,a,w,0,,,,8
1_T0,MPI_Iallreduce,start,7,8,a,w,0,,,,8
0_T0,MPI_Wait,wait,5,9,a,,,,,,
1_T0,MPI_Wait,wait,8,9,a,,,,,,
E2
)" "0,MPI_Wait,5.000000,wait at collective,2.000000,1,7.000000|" "a nonblocking one: in its wait"
is "$(printf '0_T0,MPI_Send,blocking,0,1,,w,,,1,7,8\n' | states) $(cat stderr)" \
	" traceviz: 1 sends and receives have no partner in the trace" "a message with one side: a warning"
is "$(states --begin 11 <<'E2'
0_T0,MPI_Barrier,blocking,0,10,,w,0,,,,
1_T0,MPI_Barrier,blocking,9,10,,w,0,,,,
E2
)" "" "a window"
