#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpi-alone.t: a trace of MPI calls without tasks: refusals name what works on it; what is known of waits, and of processors
. "$(dirname "$0")/lib.sh"
plan 31

# Verbs that need more than a trace, with what they need; all others are run on the trace alone.
cat >with <<'END'
annotate x
choice --job 1
cluster x
convert --to rec -o rec
derive 'a = b'
fit x --on y
place x --level L3
precision other
reduce --level L3
scaling other
simulate --resources CPU=4 -o sim
window 5
END
traceviz help --json | perl -0ne 's/"panels":.*//s; print "$1\n" while /\{"name":"([\w-]+)","group"/g' >verbs
cp -r "$DATA/mpi-overlap" other
printf 'ResourceId,Value,Start,End,Kind,Node,ResourceType\n0_T0,,,,worker,0,CPU\n' >other/tasks.csv
while read -r verb; do
	case $verb in compare | generate | help | list | plot | record | series | sql) continue ;; esac
	eval "set -- $(grep "^$verb " with || echo "$verb")"
	# As recorded, with a row for each thread that ran no task.
	if traceviz "$@" other >/dev/null 2>stderr </dev/null; then continue; fi
	grep -qE 'it has MPI calls \(callprofile, wait-states, efficiency, mpi-replay\)|traceviz efficiency RUN|give --cores N|--cores N gives|--to chrome|topology, info and diagnose' stderr ||
		echo "$verb: $(cat stderr)"
done <verbs >bad
is "$(wc -l <verbs | awk '{ print ($1 > 80) }') $(cat bad)" "1 " "each verb that refuses it names one that works"
mkdir one
printf 'ResourceId,ResourceType,Node\n0_T0,CPU,0\n' >one/resources.csv
printf 'ResourceId,Call,Class,Start,End\n0_T0,MPI_Barrier,blocking,0,5\n' >one/calls.csv
run traceviz dedicate one --cores 2 --dedicated 2
like "$(cat stderr)" "*rank 0 has 2 cores, expected more than the 2 of --dedicated: --cores N gives a rank N" "and of cores the option"

first() { traceviz diagnose -q --csv "$@" 2>/dev/null | awk -F, '$1 == "verdict" || $1 == "finding" && $2 == 1 { print $3; exit }'; }
text() { traceviz diagnose -q "$@" 2>/dev/null | xargs -0 | tr -s '\n' ' '; }
# Eight steps of two ranks: rank r works for WORKr ms and comes to an MPI_Allreduce, which takes LONG ms in every second step, else 0.1
# ms, from when both are there.
steps() { # FOLDER WORK0 WORK1 LONG [PU1]
	mkdir "$1"
	printf 'ResourceId,Value,Start,End,Kind,Node,ResourceType\n0_T0,,,,worker,0,CPU\n1_T0,,,,worker,1,CPU\n' >"$1/tasks.csv"
	printf 'ResourceId,ResourceType,Node,Host,Cpuset\n0_T0,CPU,0,h,0\n1_T0,CPU,1,h,%s\n' "${5:-1}" >"$1/resources.csv"
	awk -v a="$2" -v b="$3" -v long="$4" 'BEGIN { print "ResourceId,Call,Class,Start,End,Comm,Sequence,Bytes,Site"
		for (r = 0; r < 2; r++) print r "_T0,MPI_Init,other,-50,0,,,,"
		for (i = 0; i < 8; i++) { m = a > b ? a : b; e = t + m + (i % 2 ? long : 0.1)
			print "0_T0,MPI_Allreduce,blocking," t + a "," e ",world," i ",8,app.c:8"
			print "1_T0,MPI_Allreduce,blocking," t + b "," e ",world," i ",8,app.c:8"
			t = e }
		for (r = 0; r < 2; r++) print r "_T0,MPI_Finalize,other," t "," t + 30 ",,,," }' >"$1/calls.csv"
}
# Processor time of the threads, read each 20 ms until END: SHAREr of the time.
clocks() { # FOLDER END SHARE0 SHARE1
	awk -v end="$2" -v a="$3" -v b="$4" 'BEGIN { print "ResourceId,Type,Start,End,Value"
		for (t = 0; t < end; t += 20) { print "0_T0,thread.task-clock," t "," t + 20 "," a * 2e7; print "1_T0,thread.task-clock," t "," t + 20 "," b * 2e7 } }' >"$1/variables.csv"
}
steps uneven 10 10 20
is "$(first uneven)" mpi-transfer "equal calls that take unequal times"
like "$(text uneven)" "*they would take 160.4 ms, 0 ns (0.0 %) less. Of these 160.4 ms, 80.40 ms are in MPI calls after all their partners have come (mpi-transfer). First: \
*the run would be shorter by 80.40 ms (50 %). Rank 0 is in MPI_Allreduce at app.c:8 for 80.40 ms after that instant, in 8 calls: 100.0 us to 20.00 ms in a call, which moves 8 bytes. To do: \
Find out what is slow at these times. *mpirun traceviz record --mpi --monitor task-clock shows whether ranks had one.*How sure: the cause is likely*" \
	"what is proven, and what tells the causes apart"
clocks uneven 160 1 1
is "$(text uneven | grep -c 'monitor task-clock\|preempted') $(text uneven | grep -c 'Ranks had a processor for their work, so it is more likely the network')" "0 1" "with the clocks of threads, which had a processor"
steps even 1 1 0.3
like "$(first even) $(text even)" "mpi-transfer *To do: Send less or fewer messages, *How sure: the trace shows the cause.*" "calls of a usual time"
# Both: rank 1 works for 5 ms more in each step, so the shorter calls give the place of the waits, and each loss its own size.
steps both 10 15 8
sed 's/8,app.c:8/8,app.c:9/; s/^0_T0,MPI_Finalize/0_T0,MPI_Barrier,blocking,152.4,152.4,world,8,,app.c:9\n&/; s/^1_T0,MPI_Finalize/1_T0,MPI_Barrier,blocking,152.4,152.4,world,8,,app.c:9\n&/' both/calls.csv >calls && mv calls both/calls.csv
is "$(traceviz diagnose -q --csv both | awk -F, '$1 == "finding" { print $3, $4 }' | xargs)" "mpi-transfer 32.400000 waits-in-mpi 20.000000" "waits and transfer are counted apart"
sed 's/,8,app/,16,app/; 3,5s/,16,app/,8,app/' uneven/calls.csv >calls && mv calls uneven/calls.csv && rm uneven/variables.csv
is "$(text uneven | grep -c 'which moves\|Find out')" 0 "calls of unequal sizes are not compared"
# Rank 1 works for as long, and comes late in each second step.
steps turns 10 10 0.1
awk -F, -v OFS=, '$2 == "MPI_Allreduce" { i = $7; late = i % 2; t = 20.1 * i; $4 = t + ($1 == (late ? "1_T0" : "0_T0") ? 20 : 4); $5 = t + 20.1 } $2 == "MPI_Finalize" { $4 = 160.8; $5 = 190 } { print }' turns/calls.csv >calls && mv calls turns/calls.csv
like "$(text turns)" "*each waits while others work. To do: Even out the work of each step, *If the work of each step is equal, a rank may lack a processor at times: mpirun traceviz record --mpi \
--monitor task-clock shows that. How sure: the cause is likely, not proven.*" "ranks that wait for each other in turn"
clocks turns 160 1 1
is "$(text turns | grep -c 'monitor task-clock') $(text turns | grep -c 'the trace shows the cause')" "0 1" "and had a processor"
# Rank 1 works for a quarter longer: that may be the machine; for twice as long hardly.
steps more 8 10 0.1
like "$(text more)" "*Give each rank the same work: *If they have the same work, the late rank may lack a processor at times: *How sure: the cause is likely, not proven.*" "a rank that works a little longer"
steps twice 5 10 0.1
is "$(text twice | grep -c 'Give each rank the same work.*How sure: the trace shows the cause') $(text twice | grep -c 'may lack a processor')" "1 0" "and one that works much longer"
# Requests: waits are compared from the begin of their first request.
mkdir requests
cp uneven/tasks.csv uneven/resources.csv requests
awk -F, -v OFS=, 'NR == 1 { print "ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes,Site"; next } $2 == "MPI_Allreduce" { i = $7; r = substr($1, 1, 1)
	print $1, "MPI_Irecv", "start", $4, $4 + 0.01, 2 * i + 1, "w", 1 - r, i, 800, "app.c:6"; print $1, "MPI_Isend", "start", $4 + 0.01, $4 + 0.02, 2 * i + 2, "w", 1 - r, i, 800, "app.c:7"
	print $1, "MPI_Waitall", "wait", $4 + 0.02, $5, 2 * i + 1 " " 2 * i + 2, "w", "", "", "", "app.c:8"; next } { print $1, $2, $3, $4, $5, "", "", "", "", "", "" }' uneven/calls.csv >requests/calls.csv
like "$(text requests)" "*MPI_Waitall at app.c:8 for *: 80.00 us to 19.98 ms in a call, which moves 1600 bytes. To do: Find out what is slow at these times*" "requests of equal size"
awk -F, -v OFS=, '$2 == "MPI_Waitall" { $4 += ($5 - $4 > 1 ? 18 : 0.05) } { print }' requests/calls.csv >calls && mv calls requests/calls.csv
is "$(text requests | grep -c 'which moves')" 0 "not where the rank computes meanwhile"
# Messages that are posted before the work move when both ranks wait: nobody comes late, and rank 1 works twice as long.
mkdir posted
cp even/tasks.csv even/resources.csv posted
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Request,Comm,Peer,Tag,Bytes,Site"; for (r = 0; r < 2; r++) { T = r "_T0"; print T ",MPI_Init,other,-50,0,,,,,,"
	for (i = 0; i < 8; i++) { t = 20 * i; print T ",MPI_Irecv,start," t "," t + 0.01 "," 2 * i + 1 ",w," 1 - r "," i ",800000,app.c:6"
		print T ",MPI_Isend,start," t + 0.01 "," t + 0.02 "," 2 * i + 2 ",w," 1 - r "," i ",800000,app.c:7"
		print T ",MPI_Waitall,wait," t + (r ? 19 : 10) "," t + 20 "," 2 * i + 1 " " 2 * i + 2 ",w,,,,app.c:8" } print T ",MPI_Finalize,other,160,190,,,,,," } }' >posted/calls.csv
like "$(text posted)" "*First: ranks wait inside MPI calls (waits-in-mpi). Rank 0 is in MPI_Waitall at app.c:8 for 80.00 ms, 50 % of its time. Rank 1 works for 151.8 ms, rank 0 for 79.84 ms. To do: \
Give each rank the same work: *See: traceviz efficiency --by node posted*" "unequal work where no rank comes late"
is "$(traceviz wait-states posted 2>&1 | cut -d, -f1,3,7,8 | sort -u | tr '\n' ' ')" "0,MPI_Waitall,partner outside MPI,9.000000 Rank,Call,State,Wait " "of which the wait states are that"
is "$(traceviz wait-states --node 1 posted 2>&1 >/dev/null)" "traceviz: no call waits for a rank that came late: traceviz efficiency has what else calls lose (transfer), and how equal the work is" "of the other rank there is none"
# A chain: each rank works when the one before it has.
mkdir line
printf 'ResourceId,ResourceType,Node\n0_T0,CPU,0\n1_T0,CPU,1\n2_T0,CPU,2\n' >line/resources.csv
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Comm,Peer,Tag,Bytes,Sequence,Site"; for (r = 0; r < 3; r++) { T = r "_T0"; print T ",MPI_Init,other,-50,0,,,,,,"
	for (i = 0; i < 8; i++) { t = 31 * i; if (r > 0) print T ",MPI_Recv,blocking," t "," t + 10 * r + 0.1 ",w," r - 1 "," i ",8,,app.c:6"
		if (r < 2) print T ",MPI_Send,blocking," t + 10 * r + 10 "," t + 10 * r + 10.1 ",w," r + 1 "," i ",8,,app.c:7"
		print T ",MPI_Barrier,blocking," t + (r < 2 ? 25 : 30.2) "," t + 31 ",w,,,," i ",app.c:8" } print T ",MPI_Finalize,other,248,270,,,,,," } }' >line/calls.csv
like "$(text line)" "*Rank 2 is in MPI_Recv at app.c:6 for *Through ranks that wait themselves, ranks wait most for the work of rank 0 (160.0 ms in all), rank 2 (83.20 ms in all), rank 1 (79.20 ms in all). *See: traceviz mpi-replay --culprits rank line*" "ranks that work one after another"

# On one processor: with the clocks it is known how long ranks had it.
steps shared 10 30 0.1 0
like "$(text shared)" "*How long they waited for a processor is not known.*Limits: threads share processors.*" "ranks that share a processor"
clocks shared 240.8 0.3 0.4
is "$(first shared) $(text shared | grep -c 'is not known\|Limits')" "preempted 0" "which monitors saw them lack"
like "$(text shared)" "*On average a rank is busy for 160.0 ms, and has no processor for 87.04 ms of that or more. First: ranks did not have a processor while they worked (preempted). Rank 1 was outside of MPI calls for 240.0 ms, and had a \
processor for 96.32 ms of that at most (40 %): for 143.7 ms or more it waited for one, or slept. In all, ranks lacked one for 174.1 ms. 2 threads share 1 processor. They used it for 70 % of the time, so they slept, too, or other programs ran there. To do: Give each thread*How sure: the cause is likely*" "how long"
clocks shared 240.8 0.5 0.35
like "$(text shared)" "*They used it for 85 % of the time. To do: *How sure: the trace shows the cause*" "who used it"
clocks shared 240.8 0.6 0.25
like "$(traceviz diagnose -q --all shared | tr -s '\n ' ' ')" "*Rank 1 was outside of MPI calls for 240.0 ms, and had a processor for 60.20 ms*waits-in-mpi *rank 1 was still busy and had not come to its call. Rank 1 is busy for 240.0 ms (of that 179.8 ms or more without a processor), rank 0 for 80.00 ms. The cause is that of preempted, above.*" "the waits for them follow"
clocks shared 240.8 0.1 0.8
like "$(traceviz diagnose -q --all shared | tr -s '\n ' ' ')" "*waits-in-mpi *Give each rank the same work*" "unless the late one has more work by its clock, too"
clocks shared 240.8 0.05 1
is "$(traceviz diagnose -q --all shared | grep -c 'rank 1 was still busy\|The cause is that\|^  preempted')" 1 "or only others lacked one"
clocks shared 240.8 1 1
is "$(first shared) $(text shared | grep -c 'is not known\|Limits\|of their own')" "waits-in-mpi 0" "and where they had it, that is no doubt"

# Figures of several runs begin with the end of MPI_Init, and have the panels for which there are data.
run traceviz compare uneven even -o runs.svg
is "$rc $(cat stderr) $(grep -c 'time (ms) from the end of MPI_Init' runs.svg)" "0  2" "compare draws the runs between MPI_Init and MPI_Finalize, without a warning"
run traceviz compare uneven even --panels spacetime,ready -o runs.svg
like "$(cat stderr)" "*panel ready left out: the trace has no tasks that count*" "but of panels that were asked for"
run traceviz compare "$DATA/cholesky-ws.csv" "$DATA/cholesky-dmda.csv" -o runs.svg
is "$rc $(grep -c 'MPI_Init' runs.svg)" "0 0" "not of runs with tasks"

# A run that hangs: calls that are open at the end, those with a partner first.
mkdir hangs
printf '%s\n' ResourceId,Call,Class,Start,End,Peer,Tag,Flag 0_T0,MPI_Init,other,0,1,,, 1_T0,MPI_Init,other,0,1,,, 0_T0,MPI_Barrier,blocking,2,90,,,open \
	1_T0,MPI_Recv,blocking,2,90,0,9,open >hangs/calls.csv
printf '%s\n' ResourceId,ResourceType,Node 0_T0,CPU,0 1_T0,CPU,1 >hangs/resources.csv
like "$(traceviz diagnose -q hangs | xargs)" "*At the end these calls were open: rank 1 in MPI_Recv from rank 0, tag 9; rank 0 in MPI_Barrier. To do: *See: traceviz callprofile hangs*" "what ranks wait for that never comes"
grep -v MPI_Recv hangs/calls.csv >calls && mv calls hangs/calls.csv
like "$(traceviz diagnose -q hangs | xargs)" "*these calls were open: rank 0 in MPI_Barrier. Rank 1 was in no call then: it still worked, or had crashed. To do: *" "and who is in none"
