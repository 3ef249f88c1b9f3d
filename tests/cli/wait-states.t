#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wait-states.t: late senders, late receivers and waits at collectives that are planted
. "$(dirname "$0")/lib.sh"
plan 18

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
is "$(printf '0_T0,MPI_Send,blocking,0,1,,w,,,1,7,8\n' | states) $(grep 'no partner' stderr)" \
	" traceviz: 1 sends and receives have no partner in the trace" "a message with one side: a warning"
is "$(states --begin 11 <<'E2'
0_T0,MPI_Barrier,blocking,0,10,,w,0,,,,
1_T0,MPI_Barrier,blocking,9,10,,w,0,,,,
E2
)" "" "a window"

# what links alone have: the received half of MPI_Sendrecv, messages that a probe took
links() { { echo 'Type,Key,Origin,Dest,Start,End,Tag,ReceiveStart'; sed 's/^/MPI communication,/'; } >run/links.csv; }
links <<'E2'
m1,1_T0,0_T0,4,6,2,0
m2,0_T0,1_T0,0,5,1,4
m3,1_T0,0_T0,14,16,3,10
E2
is "$(states <<'E2'
0_T0,MPI_Sendrecv,blocking,0,6,,w,,,1,1,8
1_T0,MPI_Sendrecv_replace,blocking,4,6,,w,,,0,2,8
0_T0,MPI_Sendrecv,blocking,10,16,,w,,,,,8
1_T0,MPI_Send,blocking,14,15,,w,,,0,3,8
E2
)" "0,MPI_Sendrecv,0.000000,late sender,4.000000,1,4.000000|0,MPI_Sendrecv,10.000000,late sender,4.000000,1,14.000000|" \
	"both sides of an exchange, with tags of their own; from one, to nobody"
links <<'E2'
m1,1_T0,0_T0,2,8,2,0
m2,0_T0,2_T0,0,8,1,7
E2
is "$(states <<'E2'
0_T0,MPI_Sendrecv,blocking,0,8,,w,,,2,1,8
1_T0,MPI_Send,blocking,2,8,,w,,,0,2,8
2_T0,MPI_Recv,blocking,7,8,,w,,,0,1,8
E2
)" "0,MPI_Sendrecv,0.000000,late receiver,7.000000,2,7.000000|" "from one, to another one that comes later"
is "$(states <<'E2'
0_T0,MPI_Sendrecv,blocking,0,8,,w,,,2,1,8
1_T0,MPI_Send,blocking,2,8,,w,,,0,2,8
2_T0,MPI_Recv,blocking,1,8,,w,,,0,1,8
E2
)" "0,MPI_Sendrecv,0.000000,late sender,2.000000,1,2.000000|" "or earlier"
rm run/links.csv
is "$(states <<'E2'
0_T0,MPI_Sendrecv,blocking,0,6,,w,,,1,1,8
1_T0,MPI_Recv,blocking,4,6,,w,,,0,1,8
E2
) $(cat stderr)" "0,MPI_Sendrecv,0.000000,late receiver,4.000000,1,4.000000| traceviz: not known for whom these calls wait (number, time): MPI_Sendrecv (1, 6.000 ms)" \
	"without links it is known of one side, which is reported"
# the first message is probed and received last; a probe that takes nothing
links <<'E2'
m1,1_T0,0_T0,3,9,9,0
m2,1_T0,0_T0,7,8,9,5
m3,1_T0,0_T0,25,28,9,27
E2
is "$(states <<'E2'
0_T0,MPI_Mprobe,blocking,0,4,,w,,,,9,
1_T0,MPI_Send,blocking,3,4,,w,,,0,9,8
0_T0,MPI_Recv,blocking,5,8,,w,,,1,9,8
1_T0,MPI_Send,blocking,7,8,,w,,,0,9,8
0_T0,MPI_Mrecv,blocking,8,9,,w,,,1,9,8
0_T0,MPI_Probe,blocking,20,26,,w,,,1,,
1_T0,MPI_Send,blocking,25,26,,w,,,0,9,8
0_T0,MPI_Recv,blocking,27,28,,w,,,1,9,8
E2
) $(cat stderr)" "0,MPI_Mprobe,0.000000,late sender,3.000000,1,3.000000|0,MPI_Recv,5.000000,late sender,2.000000,1,7.000000|0,MPI_Probe,20.000000,late sender,5.000000,1,25.000000| " \
	"a probe waits for the message that it finds"
is "$(states <<'E2'
0_T0,MPI_Probe,blocking,20,26,,w,,,2,,
1_T0,MPI_Send,blocking,25,26,,w,,,0,9,8
0_T0,MPI_Recv,blocking,27,28,,w,,,1,9,8
E2
) $(cat stderr)" " traceviz: not known for whom these calls wait (number, time): MPI_Probe (1, 6.000 ms)" "not for another one"
rm run/links.csv
is "$(states <<'E2'
0_T0,MPI_Ibsend,start,0,1,a,w,,,1,1,8
0_T0,MPI_Irecv,start,1,1.5,b,w,,,1,2,8
1_T0,MPI_Send,blocking,3,4,,w,,,0,2,8
0_T0,MPI_Waitall,wait,2,6,a b,,,,,,
1_T0,MPI_Recv,blocking,5,6,,w,,,0,1,8
E2
)" "0,MPI_Waitall,2.000000,late sender,1.000000,1,3.000000|" "a buffered send waits for nobody"
is "$(states <<'E2'
0_T0,MPI_Comm_dup,other,0,10,,w,0,,,,
1_T0,MPI_Comm_dup,other,4,10,,w,0,,,,
0_T0,MPI_Neighbor_alltoall,blocking,11,20,,w,1,,,,
1_T0,MPI_Neighbor_alltoall,blocking,15,20,,w,1,,,,
0_T0,MPI_Exscan,blocking,21,22,,w,2,,,,
1_T0,MPI_Exscan,blocking,21,22,,w,2,,,,
E2
) $(cat stderr)" "0,MPI_Comm_dup,0.000000,wait at collective,4.000000,1,4.000000| traceviz: not known for whom these calls wait (number, time): MPI_Neighbor_alltoall (2, 14.00 ms), MPI_Exscan (2, 2.000 ms)" \
	"new communicators are made by all; neighbors and scans are named"
unseen() {
	cat <<-E2
		0_T0,MPI_Init,other,0,1,,,,,,,
		0_T0,MPI_Send_init,other,1,2,p,w,,,1,1,8
		0_T0,MPI_Win_fence,blocking,2,4,,,,,,,
		0_T0,MPI_File_iwrite,start,4,5,f,,,,,,
		0_T0,MPI_Wait,wait,5,8,f,,,,,,
		0_T0,MPI_Wait,wait,8,9,,,,,,,
		0_T0,MPI_Recv,blocking,9,10,,w,,,,,8
		1_T0,MPI_Win_lock,blocking,20,21.5,,,,,,,
	E2
}
is "$(unseen | states) $(cat stderr)" " traceviz: not known for whom these calls wait (number, time): MPI_Wait (1, 3.000 ms), MPI_Win_fence (1, 2.000 ms), MPI_Win_lock (1, 1500.0 us)" \
	"windows and files are named, also their requests; not what waits for nobody"
is "$(unseen | states --begin 4.5 --end 8) $(cat stderr)" " traceviz: not known for whom these calls wait (number, time): MPI_Wait (1, 3.000 ms)" "in a window"
