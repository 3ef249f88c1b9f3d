#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paraver.t: traces of Paraver: records, units, names, tasks of ovni and Extrae, messages, damage; samples against another reader
. "$(dirname "$0")/lib.sh"
plan 72
rows() { sed 1d "$1" 2>/dev/null | tr '\n' ';'; }
# prv NAME: converts NAME.prv to the folder NAME, times as they are.
prv() {
	rm -rf "$1"
	run traceviz convert -q --zero none "$1.prv" -o "$1"
}

# Two ranks; the second posts its receive before the send. Lines are not in order. Two calls of rank 0 meet at 40.
cp "$TESTDATA"/paraver/mpi.* .
prv mpi
is "$rc $(cat stderr)" "0 " "a trace is read"
is "$(grep Thread mpi/states.csv | tr '\n' ';')" \
	'first,Thread State,Running,0.000000,0.000010,0,;third,Thread State,"Scheduling, ""fork"" and join",0.000000,0.000100,0,;' \
	"states of records, with their names and those of threads"
run traceviz convert -q --zero none --task-state 'Type == "Thread State" and Value == Running' mpi.prv -o chosen
is "$rc $(rows chosen/tasks.csv | cut -d, -f1-4) $(grep -c 'Thread State' chosen/states.csv)" "0 first,Running,0.000000,0.000010 1" "--task-state makes tasks of some"
is "$(grep -c '^Color' mpi/meta.csv) $(grep '^Color' mpi/meta.csv)" "1 Color.Running,#0000ff" "and colors that are some"
is "$(grep 'User function\|Lock' mpi/states.csv | tr '\n' ';')" \
	"third,User function,inner,0.000035,0.000038,1,;third,User function,outer,0.000030,0.000080,0,;third,Lock,Locked,0.000085,0.000090,0,;third,Lock,Lock,0.000090,0.000100,0,open;" \
	"functions nest, other values replace each other; what is open at the end" 
is "$(cut -d, -f1-13 mpi/calls.csv | sed 1d | tr '\n' ';')" \
	"first,MPI_Sendrecv,blocking,0.000020,0.000040,,,1,9,1000,solver.c:92;first,MPI_Allreduce,blocking,0.000040,0.000060,comm1.1,0,,,8,;second row,MPI_Recv,blocking,0.000015,0.000050,,,0,9,1000,;second row,MPI_Allreduce,blocking,0.000050,0.000070,comm1.1,0,,,8,;" \
	"calls with communicator, number, partner, tag, bytes and place"
is "$(rows mpi/links.csv)" "MPI communication,1,first,second row,0.000020,0.000045,1000,9,0.000015;" "a message, from the begin of the call that sends to the physical receive"
is "$(rows mpi/variables.csv)" "first,PAPI_TOT_INS,0.000020,0.000060,5;" "a counter counts since its event before"
is "$(rows mpi/events.csv)" "third,event 777,0.000090,12;" "values without names are events"
is "$(rows mpi/resources.csv)" "first,thread,0,0;second row,thread,1,1;third,thread,1,2;" "threads, with the ranks as nodes"
run traceviz comm-matrix -q mpi.prv
is "$rc $(tail -n 1 stdout | cut -d, -f1-4)" "0 0,1,1,1000" "its messages"
run traceviz mpi.prv
like "$rc $(cat stdout)" "0 The run took 100 ns: 3 threads *" "and an answer: the third thread has only a state"
{ sed -n 1,3p mpi.prv; sed 1,3d mpi.prv | sort -r; } >turned.prv
cp mpi.pcf turned.pcf
cp mpi.row turned.row
prv turned
is "$rc $(for t in states calls links variables events; do cmp mpi/$t.csv turned/$t.csv; done)" "0 " "the order of lines does not matter"
gzip -k turned.prv && rm turned.prv && gzip turned.pcf
run traceviz convert -q --zero none turned.prv.gz -o packed
is "$rc $(cmp packed/calls.csv mpi/calls.csv)" "0 " "files may be packed"

# Three ranks: a broadcast whose root is marked, and comes before the last; a barrier, of which Extrae also writes a state.
cat >root.prv <<'END'
#Paraver (01/02/26 at 10:00):100_ns:1(3):1:3(1:1,1:1,1:1),1
c:1:1:3:1:2:3
2:1:1:1:1:0:50000003:31
2:1:1:1:1:2:50000003:0
2:1:1:1:1:55:50000002:7:50100001:8:50100004:1:50100003:1
2:1:1:1:1:57:50000002:8:50100004:1
2:1:1:1:1:70:50000002:0
2:2:1:2:1:20:50000002:7:50100002:8:50100004:1
2:2:1:2:1:57:50000002:8:50100004:1
2:2:1:2:1:70:50000002:0
2:3:1:3:1:59:50000002:7:50100002:8:50100004:1
2:3:1:3:1:60:50000002:8:50100004:1
2:3:1:3:1:70:50000002:0
1:1:1:1:1:0:57:1
1:1:1:1:1:57:70:5
END
printf 'STATES\n1    Running\n5    Synchronization\nEVENT_TYPE\n9   50000002    MPI Collective\nVALUES\n7    MPI_Bcast\n8    MPI_Barrier\n0    Outside MPI\nEVENT_TYPE\n9   50000003    MPI Other\nVALUES\n31   MPI_Comm_size\n' >root.pcf
run traceviz wait-states root.prv
is "$rc $(cat stderr) $(cut -d, -f1,3,5,8,9 stdout | tail -n +2 | tr '\n' ' ')" \
	"0  1,MPI_Bcast,0.000020,0.000035,0 0,MPI_Barrier,0.000057,0.000003,2 1,MPI_Barrier,0.000057,0.000003,2 " \
	"ranks wait for the root of a broadcast, not for the last; a call that only asks waits for nobody"
run traceviz mpi-replay root.prv
is "$rc $(cat stderr)" "0 " "the state of a barrier is no second pause"
sed 's/:50100003:1//' root.prv >norootprv && mv norootprv noroot.prv && cp root.pcf noroot.pcf
run traceviz wait-states noroot.prv
is "$rc $(cat stderr) $(grep -c MPI_Bcast stdout)" "0 traceviz: not known for whom these calls wait (number, time): MPI_Bcast (3, 40 ns) 0" "without a root it is not known"

# Rank 1 does not record the second of four barriers; then a trace that is cut when rank 0 is in a barrier, which rank 1 has left.
barriers() { # RANK BEGIN END...
	rank=$1
	shift
	while [ $# -gt 1 ]; do
		printf '2:%s:1:%s:1:%s\n' $((rank + 1)) $((rank + 1)) "$1:50000002:8:50100004:1" $((rank + 1)) $((rank + 1)) "$2:50000002:0"
		shift 2
	done
}
{
	printf '#Paraver (01/02/26 at 10:00):100_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n'
	barriers 0 10 13 15 26 30 37 40 51
	barriers 1 12 13 36 37 50 51
	printf '2:2:1:2:1:%s\n' 20:40000012:0 30:40000012:1
} >off.prv
cp root.pcf off.pcf
prv off
is "$rc $(columns off/calls.csv ResourceId,Sequence | sed 's,THREAD 1.,,; s,[.]1 , ,' | tr '\n' ';') $(cat stderr)" "0 1 0;1 1;1 2;1 3;2 0;2 2;2 3; " \
	"a collective operation that one rank did not record: those behind it are matched"
is "$(grep recorder off/states.csv)" "THREAD 1.2.1,recorder,off,0.000020,0.000030,0" "when that was"
{
	printf '#Paraver (01/02/26 at 10:00):100_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n'
	barriers 0 24 26 30 37 40 51
	barriers 1 36 37 50 51
	echo 2:2:1:2:1:24:50000002:0
} >cut.prv
cp root.pcf cut.pcf
prv cut
is "$rc $(columns cut/calls.csv ResourceId,Sequence | sed 's,THREAD 1.,,; s,[.]1 , ,' | tr '\n' ';')" "0 1 0;1 1;1 2;2 1;2 2;" "the first ones of a trace that is cut"

# Units, two applications as the cutter writes them, names that two threads share, no .pcf.
for unit in :0.100000 _us:0.100000 _ms:100.000000 _ns:0.000100; do
	printf '#Paraver (01/02/26 at 10:00):200%s:1(2):2:2(1:1,1:1),3(1:1,1:1,1:1),4\n1:1:1:2:1:0:100:1\n1:1:2:3:1:0:50:3\n' "${unit%:*}" >unit.prv
	prv unit
	is "$rc $(rows unit/states.csv | tr -d '\n')" \
		"0 THREAD 1.2.1,Thread State,state 1,0.000000,${unit#*:},0;THREAD 2.3.1,Thread State,state 3,0.000000,$(echo "${unit#*:}" | awk '{ printf "%.6f", $1 / 2 }'),0;" \
		"times with the unit '${unit%:*}'"
done
is "$(cut -d, -f3 unit/resources.csv | sort -u | tr '\n' ' ')" "1.0 1.1 2.0 2.1 2.2 Node " "processes of two applications"
# One of both has calls of MPI, whose partners are its processes: rank 1 waits for rank 0.
printf '%s\n' '#Paraver (01/02/26 at 10:00):100_ns:1(4):2:1(1:1):2(1:1,1:1)' 1:1:1:1:1:0:100:1 2:2:2:1:1:30:50000001:1 2:2:2:1:1:40:50000001:0 \
	2:3:2:2:1:10:50000001:2 2:3:2:2:1:45:50000001:0 3:2:2:1:1:30:40:3:2:2:1:10:45:8:1 >apps.prv
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >apps.pcf
is "$(traceviz wait-states --csv apps.prv 2>&1 | sed 1d | cut -d, -f1,3,7-9)" \
	"1,MPI_Recv,late sender,0.000020,0" "ranks of the application with calls of MPI"
run traceviz info unit.prv
like "$rc $(cat stderr)" "0 traceviz: there is no .pcf file beside unit.prv: events and values are numbers*" "names are missing"
printf 'LEVEL THREAD SIZE 5\na\na\nb\nc\nd\n' >unit.row
prv unit
is "$(cut -d, -f1 unit/states.csv | sed 1d | tr '\n' ' ')" "THREAD 1.2.1 THREAD 2.3.1 " "two threads of one name: none has it"

# Tasks of ovni: 5 is suspended by 7; 9 takes no time; the type is named before or behind the task.
ovni() {
	echo '#Paraver (19/01/38 at 03:14):00000000000000000100_ns:0:1:1(2:1)'
	printf '%s\n' 2:0:1:1:1:0:35:0 2:0:1:1:1:0:36:0 2:0:1:1:1:10:35:5 2:0:1:1:1:10:36:77 2:0:1:1:1:20:36:88 2:0:1:1:1:20:35:7 \
		2:0:1:1:1:30:35:5 2:0:1:1:1:30:36:77 2:0:1:1:1:50:35:0 2:0:1:1:1:50:36:0 2:0:1:1:2:40:35:9 2:0:1:1:2:40:36:77 \
		2:0:1:1:2:40:35:0 2:0:1:1:2:40:36:0 2:0:1:1:2:60:35:5 2:0:1:1:2:60:36:88 2:0:1:1:2:10:37:1 2:0:1:1:2:70:37:0
}
mkdir run
ovni >run/thread.prv
printf 'EVENT_TYPE\n0 35   Nanos6 task ID\n0 36   Nanos6 task type\nVALUES\n77 small\n88 large\n\nEVENT_TYPE\n0 37  subsystem\nVALUES\n1  Task: Running body\n' >run/thread.pcf
printf 'LEVEL THREAD SIZE 2\nTH 1.1\nTH 1.2\n' >run/thread.row
run traceviz convert -q --zero none run -o ovni
is "$rc $(cut -d, -f1-4,6,10,11 ovni/tasks.csv | sed 1d | tr '\n' ';')" \
	"0 TH 1.1,small,0.000010,0.000020,1.5,0,;TH 1.1,large,0.000020,0.000030,1.7,,;TH 1.1,small,0.000030,0.000050,1.5,1,;TH 1.2,small,0.000040,0.000040,2.9,,;TH 1.2,large,0.000060,0.000070,2.5,,open;" \
	"ovni: segments of tasks, ids of each thread"
is "$(rows ovni/states.csv)" "TH 1.2,subsystem,Task: Running body,0.000010,0.000070,0;" "and states"
sed 's/^2:0:1:1:2/2:0:1:1:1/' run/thread.prv >run/cpu.prv
cp run/thread.pcf run/cpu.pcf
run traceviz convert -q --zero none run -o both
is "$rc $(cmp ovni/tasks.csv both/tasks.csv) $(cmp ovni/resources.csv both/resources.csv)" "0  " "of two views that of threads is read"
run traceviz convert -q run/cpu.prv -o cpus
is "$rc $(wc -l <cpus/tasks.csv)" "0 7" "the other one alone, too"
printf 'LEVEL THREAD SIZE 2\n CPU 0.0\nvCPU 0.*\n' >run/cpu.row
is "$(traceviz convert -q run/cpu.prv -o - | cut -d, -f1 | sort -u | tr '\n' ' ')" "CPU 0.0 ResourceId vCPU 0.* " "with the names of its .row"
printf 'LEVEL CPU SIZE 2\n CPU 0.0\nvCPU 0.*\n\nLEVEL THREAD SIZE 2\nTH 1\nTH 2\n' >run/cpu.row
is "$(traceviz convert -q run/cpu.prv -o - | cut -d, -f1 | sort -u | tr '\n' ' ')" "CPU 0.0 ResourceId vCPU 0.* " "those of its level CPU first"
rm run/cpu.row
cp run/thread.prv run/two.prv
run traceviz info run
is "$rc $(tail -n 1 stderr)" "1 traceviz: run/two.prv: a second trace of Paraver in one folder, expected one: give its file" "two traces are no run"
# nOS-V: two bodies of one task are two jobs.
printf '#Paraver (19/01/38 at 03:14):100_ns:0:1:1(1:1)\n2:0:1:1:1:0:15:1:10:3:11:4\n2:0:1:1:1:5:15:0:10:0:11:0\n2:0:1:1:1:5:15:2:10:3:11:4\n2:0:1:1:1:9:15:0:10:0:11:0\n' >nosv.prv
prv nosv
is "$rc $(cut -d, -f2-4,6 nosv/tasks.csv | sed 1d | tr '\n' ';')" "0 4,0.000000,0.000005,1.3;4,0.000005,0.000009,1.3.2;" "nOS-V: bodies"

# Tasks of Extrae, in both numberings: the inner one interrupts the outer one.
extrae() { # FUNCTION ID
	echo '#Paraver (01/02/2026 at 10:00):100_ns:1(1):1:1(1:1),0'
	printf '2:1:1:1:1:%s\n' "10:$1:3:$2:5" "20:$1:4:$2:6" "30:$1:0" "40:$1:0:$2:0" "50:$1:3" "60:$1:0"
}
for types in "60000023 60000028" "60018 60017"; do
	# shellcheck disable=SC2086
	extrae $types >extrae.prv
	prv extrae
	is "$rc $(cut -d, -f2-4,6,10 extrae/tasks.csv | sed 1d | tr '\n' ';')" \
		"0 3,0.000010,0.000020,1.5,0;4,0.000020,0.000030,1.6,;3,0.000030,0.000040,1.5,1;3,0.000050,0.000060,1.f3,;" "tasks of Extrae: $types"
done

# The creation of a task by another thread, in a task; as in Extrae, its event may follow the begin of the task. Of messages for that no link is made.
{
	echo '#Paraver (01/02/2026 at 10:00):100_ns:1(2):1:1(2:1),0'
	printf '2:1:1:1:%s\n' 1:10:60000023:3:60000028:1 1:12:60000024:4:60000028:2 1:13:60000024:0:60000028:2 2:15:60000023:4:60000028:2 2:20:60000023:0 \
		1:22:60000024:4:60000028:3 2:21:60000023:4:60000028:3 2:30:60000023:0 1:40:60000023:0
	echo 3:1:1:1:1:12:12:1:1:1:2:15:15:2:60000000
} >made.prv
prv made
is "$rc $(columns made/tasks.csv JobId,SubmitTime,ParentJob | tr '\n' ';') $(ls made/links.csv 2>&1 | grep -c No)" "0 1.1;2.2 0.000012 1.1;2.3 0.000021 1.1; 1" "tasks of Extrae: created when and by whom"

# Places in the program of Extrae 5, which begin with number 1.
{
	echo '#Paraver (01/02/2026 at 10:00):100_ns:1(2):1:1(1:1),0'
	printf '2:1:1:1:1:%s\n' 10:50000003:31:70000001:1:80000001:1 11:50000003:0 20:50000003:31:70000001:2:80000001:1 21:50000003:0 30:50000003:31:70000001:2:80000001:2 31:50000003:0 40:50000003:31:70000001:9:80000001:9 41:50000003:0
} >sites.prv
printf 'EVENT_TYPE\n0 70000001 Caller\nVALUES\n1 ?? \n2 main \n\nEVENT_TYPE\n0 80000001 Line\nVALUES\n1 ??:0 [??:0, ??]\n2 my file.c:31 [/home/my file.c:31, /home/program]\n' >sites.pcf
prv sites
is "$rc $(columns sites/calls.csv Site | tr '\n' ';')" "0 ;main;my file.c:31;;" "places of Extrae 5"

# A posted receive and the wait in which its message arrives have the same request.
{
	echo '#Paraver (01/02/2026 at 10:00):100_ns:1(2):1:2(1:1,1:1),0'
	printf '2:%s\n' 1:1:1:1:10:50000001:4 1:1:1:1:12:50000001:0 1:1:1:1:20:50000001:5 1:1:1:1:60:50000001:0 2:1:2:1:30:50000001:3 2:1:2:1:32:50000001:0
	echo 3:2:1:2:1:31:31:1:1:1:1:11:50:800:7
} >requests.prv
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n0 End\n3 MPI_Isend\n4 MPI_Irecv\n5 MPI_Wait\n' >requests.pcf
prv requests
is "$rc $(awk -F, "$by_name"'{ printf "%s %s;", $c["Call"], $c["Request"] }' requests/calls.csv) $(traceviz wait-states -q requests | cut -d, -f3,7-9 | sed 1d)" \
	"0 MPI_Irecv 1;MPI_Wait 1;MPI_Isend ; MPI_Wait,late sender,0.000010,1" "posted receives"

# Damage.
bad() { # WHAT HEADER
	printf '%s\n1:1:1:1:1:0:1:1\n' "$2" >bad.prv
	run traceviz info bad.prv
	like "$rc $(cat stderr)" "1 traceviz: bad.prv:1: no header of Paraver, expected *" "$1"
}
bad "a header without threads" '#Paraver (01/02/26 at 10:00):100_ns:1(2):1:2'
bad "more applications than it has" '#Paraver (01/02/26 at 10:00):100_ns:1(2):2:1(1:1)'
bad "too many threads" '#Paraver (01/02/26 at 10:00):100_ns:1(2):1:1(99999999999:1)'
bad "too many processes" '#Paraver (01/02/26 at 10:00):100_ns:1(2):1:99999999999(1:1)'
bad "a number of 30 digits" '#Paraver (01/02/26 at 10:00):999999999999999999999999999999:1(2):1:1(1:1)'
bad "no date" '#Paraver (01/02/26 at 10:00'
for line in 1:1:1:1:1:0:1 1:1:1:1:1:9:1:1 1:1:1:1:2:0:1:1 1:1:1:0:1:0:1:1 1:1:9:1:1:0:1:1 2:1:1:1:1:5 2:1:1:1:1:5:7 2:1:1:1:1:99999999999999999999:7:1 \
	3:1:1:1:1:0:0:1:1:1:1:0:0:5 9:1 x 1:1:1:1:1:0:18446744073709551615:1; do
	printf '#Paraver (01/02/26 at 10:00):100_ns:1(2):1:1(1:1)\n1:1:1:1:1:0:1:1\n%s\n1:1:1:1:1:1:2:1\n' "$line" >damaged.prv
	run traceviz convert --zero none damaged.prv -o damaged
	case "$rc $(rows damaged/states.csv) $(tail -n 1 stderr)" in
	"0 THREAD 1.1.1,Thread State,state 1,0.000000,0.000001,0;THREAD 1.1.1,Thread State,state 1,0.000001,0.000002,0; traceviz: damaged.prv:3: record that is not understood: "*"(1 record skipped)") ;;
	*) echo "$line: $rc $(cat stderr)" ;;
	esac
done >wrong
is "$(cat wrong)" "" "records that are not understood are counted, the others are read"
n=$(wc -c <mpi.prv)
for i in $(seq 0 7 "$n"); do
	head -c "$i" mpi.prv >cut.prv
	run traceviz convert -q cut.prv -o cut
	case $rc in 0) ;; 1) [ "$(wc -l <stderr)" = 1 ] || echo "$i: $(cat stderr)" ;; *) echo "$i: status $rc" ;; esac
done >wrong
is "$(cat wrong)" "" "cut anywhere, it is read or refused in one line"
printf '#Paraver (01/02/26 at 10:00):100_ns:1(2):1:1(1:1)\n2:1:1:1:1:5:50000001:0\n2:1:1:1:1:6:60000019:0\n2:1:1:1:1:9:50000001:0:60000019:0\n' >ends.prv
run traceviz convert ends.prv -o ends
like "$rc $(cat stderr)" "0 *end without begin*(2 records skipped*" "ends without begins, but of what the cutter writes at the end"

# Traces that Extrae 5.1.2 wrote of known programs, against a reader of their own.
if python3 -c '' 2>stderr; then
	for name in ring teams tasks newtasks off; do
		file=$TESTDATA/paraver/extrae-$name/$name.prv.gz
		rm -rf "extrae-$name"
		run traceviz convert -q --zero none "$file" -o "extrae-$name"
		python3 "$ROOT/tests/oracle/prv_truth.py" "$file" >truth.json || echo '{}' >truth.json
		is "$rc $(perl "$ROOT/tests/cli/paraver_truth.pl" truth.json "extrae-$name" 2>&1)" "0 " "$name by Extrae: as another reader finds it"
	done
else
	skip 5 "no python3"
	for name in ring teams tasks newtasks off; do traceviz convert -q --zero none "$TESTDATA/paraver/extrae-$name/$name.prv.gz" -o "extrae-$name"; done
fi
is "$(for name in ring teams off; do awk -F, "$by_name"'{ n++; sum += $c["Size"]; early += $c["End"] < $c["Start"] } END { printf "%d %d %d;", n, sum, early }' extrae-$name/links.csv; done)" \
	"46 180800 0;30 619200 0;12 43200 0;" "messages and bytes are those of the programs, none arrives before its send begins"
is "$(columns extrae-ring/calls.csv Call | sort | uniq -c | awk '{ printf "%s %d;", $2, $1 }')" \
	"MPI_Allreduce 2;MPI_Barrier 20;MPI_Bcast 2;MPI_Comm_free 2;MPI_Comm_rank 2;MPI_Comm_size 2;MPI_Comm_split 2;MPI_Finalize 2;MPI_Ibcast 2;MPI_Init 2;MPI_Irecv 20;MPI_Isend 20;MPI_Recv 20;MPI_Recv_init 2;MPI_Request_free 4;MPI_Send 20;MPI_Send_init 2;MPI_Startall 6;MPI_Testall 6;MPI_Wait 22;MPI_Waitall 10;" \
	"and calls, but tests without success"
is "$(columns extrae-teams/states.csv Value,Site | grep teams.c | sort | uniq -c | tr -s ' ') $(columns extrae-newtasks/states.csv Value,Site | grep tasks.c | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	" 40 main._omp_fn.0 teams.c:41  12 fib._omp_fn.0 tasks.c:15; 12 fib._omp_fn.1 tasks.c:21; 4 main._omp_fn.0 tasks.c:35; 20 main._omp_fn.1 tasks.c:42;" "functions have their lines"
for name in tasks newtasks; do
	is "$(columns extrae-$name/tasks.csv Value,JobId | sort -u | cut -d ' ' -f 1 | uniq -c | awk '{ print $2, $1 }' | tr '\n' ';') $(ls extrae-$name | grep -c links)" \
		"fib._omp_fn.0 12;fib._omp_fn.1 12;main._omp_fn.1 20; 0" "$name: 24 nested tasks and 20 others, no messages"
done
like "$(traceviz -q extrae-off 2>/dev/null | tr '\n' ' ')" "*Limits: a part of the run is not recorded*" "it is said, and is no time without work"
is "$(traceviz diagnose --csv -q extrae-off 2>/dev/null | cut -d , -f 3 | grep -c serial-part)" 0 "no finding says so"
is "$(columns extrae-off/calls.csv Call,ResourceId,Sequence | sed -n 's/MPI_Barrier THREAD 1\.\(.\).1/\1/p' | tr '\n' ';') $(grep -c recorder,off extrae-off/states.csv)" \
	"1 0;1 1;1 2;1 3;1 4;1 5;1 6;2 0;2 1;2 3;2 4;2 5;2 6; 3" "rank 1 did not record the barrier of step 2, nobody that of step 5"

need_shared 9
for sample in paraver/extrae-mpi-2/epoch_2proc.prv.gz paraver/extrae-openmp-4-cut/omp4.prv.gz paraver/extrae-uncore-lulesh/lulesh.prv \
	ovni/nanos6-types-4/thread.prv ovni/nosv-pause-4/thread.prv; do
	file=$SHARED/data/formats/$sample
	rm -rf sample
	run traceviz convert -q "$file" -o sample
	is "$rc $(perl "$ROOT/tests/cli/paraver_truth.pl" "$(dirname "$file")/truth.json" sample 2>&1)" "0 " "$sample: as another reader finds it"
done

# Time of threads: what the states of the file say. Extrae's I/O is work; a thread works in no other state than these.
for sample in extrae-uncore-lulesh/lulesh.prv extrae-openmp-4-cut/omp4.prv.gz; do
	file=$SHARED/data/formats/paraver/$sample
	zcat -f "$file" | awk -F: '$1 == 1 { thread[$3 "." $4 "." $5]; if ($8 == 1 || $8 == 12) { all += $7 - $6; of[$3 "." $4 "." $5] += $7 - $6 } }
		END { for (t in thread) { n++; if (of[t] > most) most = of[t] } printf "%.6f %.6f\n", most / 1e6, all / n / 1e6 }' >want
	is "$(traceviz efficiency -q --where 'Name in (order, "runtime and order", "transfer and order", workers, nodes)' "$file" | awk -F, 'NR > 1 { printf "%s%s", n++ ? " " : "", $4 }')" \
		"$(cat want)" "$sample: useful time of the busiest thread and of all"
	is "$(traceviz diagnose -q --json "$file" | grep -c "they would take $(awk '{ printf "%.1f", $2 }' want) ms")" 1 "... in diagnose"
done
