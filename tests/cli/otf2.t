#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# otf2.t: archives of OTF2, written by its library: all records, clocks, definitions that lie, damage; samples against another reader
. "$(dirname "$0")/lib.sh"
plan 71
printf '\003BOTF2\001\002' >traces.otf2
run traceviz info traces.otf2
if grep -q 'built without it' stderr; then
	skip 71 "traceviz was built without the library of OTF2"
	exit 0
fi
like "$rc $(cat stderr)" "1 traceviz: traces.otf2: an OTF2 archive that cannot be read: *" "an anchor file that is cut"
rows() { sed 1d "$1" 2>/dev/null | tr '\n' ';'; }
# write NAME <lines: an archive. read_it NAME: its tables in tables/, times as they are.
# shellcheck disable=SC2046 # several options
${CC:-cc} -D_GNU_SOURCE -O1 -w -o writer "$ROOT/tests/cli/otf2_write.c" $(${PKG_CONFIG:-pkg-config} --cflags --libs otf2) || exit 1
write() {
	rm -rf "$1"
	./writer "$1" traces
}
read_it() {
	rm -rf tables
	run traceviz convert --zero none "$1/traces.otf2" -o tables
}
base() { # a process with two threads
	printf '%s\n' 'LocationGroup 0 1 - - P' 'Location 1 1 0 a' 'Location 2 1 0 b' 'Region 0 1 1 0 main' 'Region 1 1 1 0 inner' 'Region 2 20 3 0 task'
}

# All records, read by hand once.
write all <"$TESTDATA/otf2/all.txt"
read_it all
for table in calls events links meta resources states tasks variables; do
	is "$(cat tables/$table.csv)" "$(cat "$TESTDATA/otf2/all/$table.csv")" "all records: $table"
done
is "$rc $(cat stderr)" "0 $(cat "$TESTDATA/otf2/all/messages.txt")" "and what is said of them"
cp -r all folder
mkdir -p other && cp folder/traces.otf2 other
run traceviz convert -q --zero none folder -o tables2
is "$rc $(diff tables tables2 | grep -v '^[0-9<>-]' | grep -v '^diff.*meta')" "0 " "a folder is read as its anchor file"
run traceviz info other
like "$rc $(cat stderr)" "1 *traceviz: *traces.otf2: an OTF2 archive that cannot be read: *" "an anchor file alone"
cp folder/traces.otf2 folder/zzz.otf2
run traceviz info folder
like "$rc $(tail -n 1 stderr)" "1 traceviz: folder/zzz.otf2: a second OTF2 archive in one folder, expected one: give its file" "two anchor files"
gzip -k folder/traces.otf2
run traceviz info folder/traces.otf2.gz
is "$rc $(cat stderr)" "1 traceviz: folder/traces.otf2.gz: an OTF2 archive that is compressed, expected a file that is not compressed and has its folder beside it" "compressed"
traceviz info - <all/traces.otf2 >stdout 2>stderr
is "$? $(cat stderr)" "1 traceviz: -: an OTF2 archive that is read from standard input, expected a file that is not compressed and has its folder beside it" "standard input"
run traceviz convert -q --zero none --task-state read all/traces.otf2 -o chosen
is "$rc $(grep -c ',read,' chosen/tasks.csv) $(grep -c ',read,' chosen/states.csv)" "0 1 0" "--task-state makes tasks of a region"
# counts ARCHIVE WANTED NAME: the tables have as many of all as another program finds in the archive
counts() {
	if ! command -v otf2-print >/dev/null; then
		skip 1 "no otf2-print"
		return
	fi
	is "$(perl "$ROOT/tests/cli/otf2_counts.pl" "$1" tables 2>&1)" "$2" "$3: as many as otf2-print has"
}
counts all/traces.otf2 "enters 43 tasks 5 messages 7 bytes 1551 metrics 8 I/O 2" "all records"

# Clocks.
{ base; printf '%s\n' 'ClockProperties 2500000000 9000000000000000' 'at 1' '8999999999999999 Enter 0' '9000000000000001 Enter 1' '9000000000000004 Leave 1' '9000002500000000 Leave 0'; } | write clock
read_it clock
is "$rc $(rows tables/states.csv)" "0 a,region,inner,0.000000,0.000002,1;a,region,main,0.000000,1000.000000,0;" "ticks of 0.4 ns, an offset, halves rounded away from zero"
{ base; printf '%s\n' 'ClockProperties 25000000000 9000000000000000' 'at 1' '8999999999999987 Enter 0' '9000000000000012 Enter 1' '9000000000000013 Leave 1' '9000025000000013 Leave 0'; } | write fine
read_it fine
is "$rc $(rows tables/states.csv)" "0 a,region,inner,0.000000,0.000001,1;a,region,main,-0.000001,1000.000001,0;" "ticks of 0.04 ns, whose number per second has more than 32 bits"
{ base; printf '%s\n' 'ClockProperties 1000000000 1000' 'ClockOffset 2 1000 0' 'ClockOffset 2 2000 100' 'at 2' '1000 Enter 0' '1500 Enter 1' '1600 Leave 1' '2000 Leave 0'; } | write offsets
read_it offsets
is "$rc $(rows tables/states.csv)" "0 b,region,inner,0.000550,0.000660,1;b,region,main,0.000000,0.001100,0;" "the archive's corrections of clocks, between which lines are drawn"
# Two hosts: the clock of the second is 3 ms ahead and runs 40 millionths too slow; a message takes 30 us each way.
hosts() { # true|local [corrections]
	printf '%s\n' 'LocationGroup 0 1 - - P' 'LocationGroup 1 1 - - Q' 'Location 1 1 0 a' 'Location 2 1 1 b' 'Region 0 1 1 0 main' 'Region 1 28 4 0 MPI_Send' 'Region 2 28 4 0 MPI_Recv' \
		'Group 0 4 4 0 1 2' 'Group 1 5 4 0 0 1' 'Comm 0 1 W' 'ClockProperties 1000000000 0'
	[ -z "${2-}" ] || printf 'ClockOffset 2 %d %d\n' 3000000 -3000000 502979999 -2979999
	awk -v of="$1" 'function put(t, what) { if (rank == 1 && of == "local") t = 3000000 + t - int(t / 25000); printf "%d %s\n", t, what }
		BEGIN { for (rank = 0; rank < 2; rank++) { print "at " rank + 1; put(0, "Enter 0")
			for (i = 1; i < 500; i++) { t = i * 1000000 + 333; other = 1 - rank
				if (i % 2 == rank) { put(t, "Enter 1"); put(t + 10, "MpiSend " other " 0 7 100"); put(t + 20, "Leave 1") }
				else { put(t + 5, "Enter 2"); put(t + 30000, "MpiRecv " other " 0 7 100"); put(t + 30010, "Leave 2") } }
			put(500000000, "Leave 0") } }'
}
for kind in "true" "local corrected" "local"; do
	# shellcheck disable=SC2086 # two words
	hosts $kind | write "hosts-${kind#* }"
	read_it "hosts-${kind#* }"
	cat tables/calls.csv tables/states.csv tables/links.csv >"times-${kind#* }"
done
like "$(cat stderr)" "*250 of 499 messages were received before they were sent*1->0 250*" "hosts whose clocks differ"
apart() { paste -d, "$1" "$2" | awk -F, '{ for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2); if ($i + 0 == $i && (d > 0.0000011 || d < -0.0000011)) n++ } } END { print NR, n + 0 }'; }
is "$(apart times-true times-corrected)" "1502 0" "the archive's corrections: within 1 ns of the truth"
traceviz convert --zero none --clock-offset messages hosts-local/traces.otf2 -o fitted 2>stderr
is "$(cat stderr)$(grep -c early fitted/links.csv) $(grep ClockOffset fitted/meta.csv)" "0 ClockOffset,0: 2.969960 ms (by messages)" "--clock-offset messages: none ends before it begins"
{ base; printf '%s\n' 'ClockProperties 1 0' 'at 1' '1 Enter 0' '9223372036854775808 Leave 0' '18446744073709551614 Leave 0'; } | write far
read_it far
like "$rc $(cat stderr) $(rows tables/states.csv)" "0 *time out of range: a at 1000.000000 ms (2 records skipped, *region that is not left*a,region,main,1000.000000,1000.000000,0,open;" "times of 2^63 and more"
{ base; printf '%s\n' 'ClockProperties 1 0' 'at 1' '9223372036854775808 Enter 0'; } | write first
read_it first
like "$rc $(cat stderr)" "0 *time out of range: a, at its begin (1 record skipped)" "of a first event"
{ base; printf '%s\n' 'ClockProperties 0 0' 'at 1' '1 Enter 0'; } | write still
run traceviz info still/traces.otf2
is "$rc $(cat stderr)" "1 traceviz: still/traces.otf2: an OTF2 archive without a clock, expected its ticks per second" "no clock"

# Off twice, the second time until the end; flushed once, of which a region tells, too.
{ base; printf '%s\n' 'Region 3 31 6 0 TRACE BUFFER FLUSH' 'at 1' '0 Enter 0' '1000000 MeasurementOnOff 2' '1500000 MeasurementOnOff 2' '2000000 MeasurementOnOff 1' '2500000 MeasurementOnOff 1' \
	'3000000 Enter 3' '3000000 BufferFlush 4000000' '4000000 Leave 3' '5000000 MeasurementOnOff 2' '8000000 Leave 0'; } | write off
read_it off
is "$rc $(grep -c . tables/states.csv) $(grep ',off,' tables/states.csv | tr '\n' ';') $(grep ' off ' stderr)" \
	"0 6 a,recorder,off,1.000000,2.000000,1;a,recorder,off,5.000000,8.000000,1; traceviz: the recorder was off 2 times, 4.000 ms over all threads: what they did then is not known (states of the type recorder)" "times when nothing was recorded"
run traceviz info --check -q off/traces.otf2
is "$(grep ^recorder stdout)" "recorder,good,,4,,5.000000 ms in states of the recorder" "counted once"

# What rank 0, then rank 1 recorded is discarded, as a filter of Score-P does: of three messages the first has no send and the second no receive.
two_ranks() { printf '%s\n' 'LocationGroup 0 1 - - MPI Rank 0' 'LocationGroup 1 1 - - MPI Rank 1' 'Location 1 1 0 a' 'Location 2 1 1 b' 'Region 0 1 1 0 main' 'Region 1 28 4 0 MPI_Send' 'Region 2 28 4 0 MPI_Recv' 'Group 0 4 4 0 1 2' 'Group 1 5 4 0 0 1' 'Comm 0 1 world'; }
sent() { printf '%s\n' "$1 Enter 1" "$1 MpiSend 1 0 7 $2" "$(($1 + 1)) Leave 1"; }
received() { printf '%s\n' "$1 Enter 2" "$(($1 + 2)) MpiRecv 0 0 7 $2" "$(($1 + 2)) Leave 2"; }
rewound() { printf '%s\n' "$1 StoreRewindPoint" && "$3" "$1" "$4" && printf '%s\n' "$2 Rewind" "$1 MeasurementOnOff 2" "$2 MeasurementOnOff 1"; }
{ two_ranks; printf '%s\n' 'at 1' '0 Enter 0'; rewound 10 20 sent 100; sent 30 200; sent 50 300; printf '%s\n' '90 Leave 0' \
	'at 2' '0 Enter 0'; received 10 100; rewound 30 40 received 200; received 50 300; echo '90 Leave 0'; } | write rewound
read_it rewound
is "$rc $(columns tables/links.csv Start,End,Size) $(head -2 stderr | cut -d' ' -f2- | tr '\n' ';')" \
	"0 0.000050 0.000052 300 1 of 2 messages were received while the recorder was off: they are left out;1 of 2 receives have no send in the trace: they are left out;" \
	"messages of which one side was discarded: their sizes tell"
{ two_ranks; printf '%s\n' 'at 1' '0 Enter 0'; rewound 10 20 sent 100; sent 30 100; sent 50 100; printf '%s\n' '90 Leave 0' \
	'at 2' '0 Enter 0'; received 10 100; received 30 100; received 50 100; echo '90 Leave 0'; } | write rewound
read_it rewound
is "$rc $(columns tables/links.csv Start,End | tr '\n' ';')" "0 0.000030 0.000032;0.000050 0.000052;" "of equal ones their times and numbers"

# As Score-P writes it: both where the part begins. A message that the other rank received in it has no receive.
{ two_ranks; printf '%s\n' 'at 1' '0 Enter 0'; sent 30 100; echo '90 Leave 0'
	printf '%s\n' 'at 2' '0 Enter 0' '10 MeasurementOnOff 2' '10 MeasurementOnOff 1' '40 Enter 1' '41 Leave 1' '90 Leave 0'; } | write rewound
read_it rewound
is "$rc $(rows tables/links.csv) $(grep ',off,' tables/states.csv) $(head -1 stderr)" \
	"0  b,recorder,off,0.000010,0.000040,1 traceviz: 1 of 1 messages were received while the recorder was off: they are left out" "a rewind of Score-P lasts until the next event"

# Rank 0 does not record the second of four barriers: those behind it belong to the same of rank 1, which waits 2, 6 and 10 in them.
barrier() { printf '%s\n' "$1 Enter 1" "$2 MpiCollectiveEnd 0 0 - 0 0" "$2 Leave 1"; }
{ printf '%s\n' 'LocationGroup 0 1 - - MPI Rank 0' 'LocationGroup 1 1 - - MPI Rank 1' 'Location 1 1 0 a' 'Location 2 1 1 b' 'Region 0 1 1 0 main' 'Region 1 14 4 0 MPI_Barrier' 'Group 0 4 4 0 1 2' 'Group 1 5 4 0 0 1' 'Comm 0 1 world'
	printf '%s\n' 'at 1' '0 Enter 0'; barrier 12 13; printf '%s\n' '20 MeasurementOnOff 2' '30 MeasurementOnOff 1'; barrier 36 37; barrier 50 51; echo '90 Leave 0'
	printf '%s\n' 'at 2' '0 Enter 0'; barrier 10 13; barrier 15 26; barrier 30 37; barrier 40 51; echo '90 Leave 0'; } | write barriers
read_it barriers
is "$rc $(columns tables/calls.csv ResourceId,Sequence | tr '\n' ';') $(grep -c 'calls of collective operations that were not recorded: 1; ' stderr)" \
	"0 a 0;a 2;a 3;b 0;b 1;b 2;b 3; 1" "a collective operation that one rank did not record: those behind it are matched"
is "$(traceviz wait-states -q --csv barriers/traces.otf2 | sed 1d | cut -d, -f1,5,8 | tr '\n' ' ')" \
	"1,0.000010,0.000002 1,0.000030,0.000006 1,0.000040,0.000010 " "so waits are right"

# Two threads of rank 0 take turns in the barriers: its operations are in the order of time.
{ printf '%s\n' 'LocationGroup 0 1 - - MPI Rank 0' 'LocationGroup 1 1 - - MPI Rank 1' 'Location 1 1 0 a' 'Location 2 1 1 b' 'Location 3 1 0 c' 'Region 0 1 1 0 main' 'Region 1 14 4 0 MPI_Barrier' 'Group 0 4 4 0 1 2' 'Group 1 5 4 0 0 1' 'Comm 0 1 world'
	echo 'at 1'; barrier 10 13; barrier 50 51; echo 'at 2'; barrier 11 13; barrier 31 33; barrier 49 51; echo 'at 3'; barrier 30 33; } | write turns
read_it turns
is "$rc $(columns tables/calls.csv ResourceId,Sequence | sort | tr '\n' ';')" "0 a 0;a 2;b 0;b 1;b 2;c 1;" "collective operations of two threads of a rank"

# Archives that Score-P wrote of known programs; of the one with a rewind a message has only its send, another one only its receive.
while read -r name wanted; do
	run traceviz convert -q --zero none "$TESTDATA/otf2/scorep-$name" -o "scorep-$name"
	rm -rf tables && cp -r "scorep-$name" tables
	counts "$TESTDATA/otf2/scorep-$name/traces.otf2" "$(printf "$wanted")" "$name by Score-P"
done <<'END'
tasks enters 326 tasks 86 messages 0 bytes 0 metrics 1304 I/O 1
ring enters 221 tasks 0 messages 46 bytes 180800 metrics 0 I/O 0
teams enters 230 tasks 0 messages 30 bytes 619200 metrics 0 I/O 0
rewind bytes: 30400, not 33600\nmessages: 8, not 9\nenters 60 tasks 0 messages 9 bytes 33600 metrics 0 I/O 0
END
is "$(columns scorep-tasks/tasks.csv Value,JobId | sort -u | cut -d ' ' -f 3 | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" "33 33 20 " "the program has 66 nested tasks and 20 others"
is "$(columns scorep-rewind/links.csv Tag,Size | sort | uniq -c | tr -s ' ' | tr '\n' ';') $(grep -c ,off, scorep-rewind/states.csv)" " 2 0 800; 2 2 2400; 2 6 5600; 2 7 6400; 7" "steps 1, 3, 4 and 5 were not recorded by both ranks"
is "$(traceviz wait-states --csv scorep-teams 2>stderr | grep -c MPI_Sendrecv) $(cat stderr)" "10 " "each exchange has one rank that waits"

# Regions and tasks that do not fit together.
{ base; printf '%s\n' 'at 1' '1 Enter 0' '2 Enter 1' '3 Leave 2' '4 Leave 0' '5 Enter 77' '6 Leave 77' '7 Enter 1'; } | write odd
read_it odd
is "$rc $(rows tables/states.csv)" "0 a,region,inner,0.000002,0.000004,1,;a,region,main,0.000001,0.000004,0,;a,region,inner,0.000007,0.000007,0,open;" "regions that are not open, left too early, not left"
is "$(grep -c '' tables/meta.csv) $(grep 'Dropped\|Repaired' tables/meta.csv | sort | tr '\n' ' ')" \
	"8 Dropped beside tasks: leave of a region that is not open,1 Dropped beside tasks: region that is not defined,2 Repaired: region that is left before one inside it,1 Repaired: region that is not left,1 " "are counted"
# A task that goes on with another thread; one of EZTrace, whose team is not defined; two that wait at once.
{ base; printf '%s\n' 'Region 3 22 3 0 wait' 'at 1' '10 ThreadTaskCreate 4 0 1' '11 ThreadTaskCreate - 0 7' '12 ThreadTaskSwitch 4 0 1' '13 Enter 2' '14 Enter 3' '15 ThreadTaskSwitch 4 0 2' '16 Enter 3' \
	'17 ThreadTaskSwitch 4 0 3' '18 ThreadTaskComplete 4 0 3' '18 ThreadTaskComplete 4 0 3' '20 ThreadTaskSwitch 4 0 2' '21 Leave 3' '30 ThreadTaskSwitch 4 0 0' 'at 2' \
	'20 ThreadTaskSwitch 4 0 1' '25 ThreadTaskComplete 4 0 1' '26 ThreadTaskSwitch - 1 7' '28 Enter 0'; } | write tasks
read_it tasks
is "$rc $(cut -d, -f1-4,6,7,10- tables/tasks.csv | sed 1d | tr '\n' ';')" \
	"0 a,task,0.000012,0.000015,4.0.1,app,0.000010,0,;a,task,0.000015,0.000017,4.0.2,app,,0,;a,task,0.000017,0.000018,4.0.3,app,,,;a,task,0.000020,0.000030,4.0.2,app,,1,;b,task,0.000020,0.000025,4.0.1,app,0.000010,1,;b,task,0.000026,0.000028,7,app,0.000011,,open;" \
	"tasks of several threads"
is "$(grep Taskwait tables/states.csv | tr '\n' ';')" "a,OpenMP State,Taskwait,0.000014,0.000015,0,;a,OpenMP State,Taskwait,0.000016,0.000017,1,;a,OpenMP State,Taskwait,0.000020,0.000021,1,;" "waits of two tasks"
{ base; printf '%s\n' 'IoHandle f' 'at 1' '10 Enter 1' '11 IoOperationBegin 0 2 0 1' '12 IoOperationComplete 0 - 1' '13 IoOperationComplete 0 5 1' '14 IoOperationBegin 0 1 8 2' '20 Leave 1'; } | write files
read_it files
is "$rc $(rows tables/events.csv) $(grep Dropped tables/meta.csv)$(grep Repaired tables/meta.csv)" \
	"0 a,I/O flush,0.000011,0.000012,inner;a,I/O write,0.000014,0.000020,inner; Dropped beside tasks: end of an operation on a file that did not begin,1Repaired: operation on a file that does not end,1" \
	"operations on files whose bytes are not known, or that do not end"
{ base; printf '%s\n' 'at 1' '10 Enter 2' '20 Leave 2'; } | write regions
read_it regions
is "$rc $(rows tables/states.csv)" "0 a,OpenMP State,task,0.000010,0.000020,0;" "regions of tasks are states where there are no records of tasks"
{ base; printf '%s\n' 'at 1' '10 ThreadTaskCreate 4 0 1' '11 ThreadTaskCreate 4 0 1' '12 Enter 0' '12 Leave 0'; } | write pending
read_it pending
like "$rc $(rows tables/tasks.csv) $(grep second tables/meta.csv)" "0 *,task,,,4.0.1,pending,*0.000010*Dropped beside tasks: second creation of a task,1" "a task that did not run"

{ base; printf '%s\n' 'at 1' '10 ThreadTaskCreate - 0 1' '11 ThreadTaskSwitch - 0 1' 'at 2' '12 ThreadTaskCreate - 1 1' '13 ThreadTaskSwitch - 1 1'; } | write numbers
read_it numbers
like "$(cat stderr)" "*creation of a task that has the number of another one*" "tasks of one number, without a team"
{ printf '%s\n' 'LocationGroup 0 1 - - P' 'Location 1 1 0 6 a' 'Region 0 1 1 0 main' 'at 1' '1 Enter 0' '2 Leave 0'; } | write claims
read_it claims
like "$rc $(cat stderr)" "0 *fewer events than the archive claims: a: 2 events of 6*" "a number of events that is wrong"
hosts true | sed 's/^\(.* MpiRecv .*\) 100$/\1 9999/' | write buffers
read_it buffers
is "$(columns tables/links.csv Size | sort -u)" "100" "a message has the bytes that were sent, not those of a buffer"

# Definitions that lie: what they name does not exist.
{
	printf '%s\n' 'SystemTreeNode 0 1 a' 'SystemTreeNode 1 0 b' 'LocationGroup 0 1 77 0 P' 'LocationGroup 1 2 0 1 own creator' 'Location 1 1 9 a' 'Location 2 2 1 s' 'Location 3 1 0' 'Region 0 200 200 4000000000' \
		'Region 1 28 4 0 MPI_Send' 'Group 0 4 4 0 1 2 3 99' 'Group 1 5 4 0 0 7 3' 'Group 2 99 4 9' 'Comm 0 1 W' 'Comm 1 55 X' 'InterComm 2 1 2 Y' 'RmaWin 0 77 w' 'RmaWin 1 0 w' 'CallingContext 0 99' \
		'MetricMember 0 0 4 1 1 m' 'MetricClass 0 0 99' 'MetricClass 1 0' 'MetricInstance 2 2 1 0 1' 'MetricInstance 3 77 1 0 99' 'IoHandle f'
	printf '%s\n' 'at 1' '1 Enter 1' '2 MpiSend 0 0 1 1' '2 MpiSend 1 0 1 1' '2 MpiSend 2 0 1 1' '2 MpiSend 9 0 1 1' '2 MpiSend 0 1 1 1' '2 MpiSend 0 2 1 1' '2 MpiSend 0 77 1 1' '2 MpiSend 0 0 1 -' \
		'2 MpiCollectiveEnd 0 77 0 1 1' '2 MpiCollectiveEnd 99 0 2 - -' '2 RmaPut 0 0 1 1' '2 RmaPut 1 0 - 1' '2 RmaPut 99 0 1 1' '2 RmaOpCompleteBlocking 1 1' '3 CallingContextEnter 0' '3 CallingContextSample 9' \
		'3 CallingContextLeave 5' '3 Metric 0 u1 u1' '3 Metric 1 u1 u1' '3 Metric 2 u1' '3 Metric 3 u1' '3 Metric 9 u1' '3 Metric 1 u1' '3 BufferFlush 1' '3 BufferFlush -' '3 IoOperationComplete 0 1 1' \
		'3 IoOperationBegin 0 1 8 1' '3 IoOperationComplete 0 9223372036854775807 1' '3 IoOperationBegin 0 1 8 1' '3 IoOperationComplete 0 6 1' '3 MpiIrecv 0 0 1 1 5' '3 MpiIsendComplete 5' '3 NonBlockingCollectiveComplete 0 0 0 1 1 5' '4 Leave 1'
} | write lies
read_it lies
is "$rc $(grep -c . tables/calls.csv)" "0 2" "definitions that lie: the archive is read"
like "$(grep Dropped tables/meta.csv | sort | tr '\n' ';')" "Dropped beside tasks: collective operation without communicator or call,2;*: flush of a buffer that ends before it begins,2;*message of ranks that are not defined,7;*metric that is not defined,5;*region that is not defined,2;*size that makes the bytes of a call too many,1;*transfer of ranks that are not defined,3;" "what names nothing is counted"

# Cut anywhere and with other bytes: read, or refused in one line.
for file in traces.otf2 traces.def $(cd all && echo traces/*); do
	for i in $(seq 0 64 "$(wc -c <all/$file)"); do
		rm -rf cut
		cp -r all cut
		head -c "$i" all/$file >cut/$file
		run traceviz convert -q cut/traces.otf2 -o cut-tables
		case $rc in 0) ;; 1) [ "$(wc -l <stderr)" = 1 ] || echo "$file $i: $(cat stderr)" ;; *) echo "$file $i: status $rc" ;; esac
	done
done >wrong
is "$(cat wrong)" "" "cut anywhere, it is read or refused in one line"
# The second thread has no work between parallel regions, the first one may; a wait for a critical section ends where it is entered.
{
	base
	printf '%s\n' 'Region 3 5 3 0 par' 'Region 4 12 3 0 crit' 'Region 5 13 3 0 held'
	for l in 1 2; do printf '%s\n' "at $l" '10 Enter 3' '20 Enter 4' '25 Enter 5' '30 Leave 5' '31 Leave 4' '40 Leave 3' '70 Enter 3' '90 Leave 3'; done
} | write idle
read_it idle
is "$rc $(grep -h 'Idle\|Wait' tables/states.csv | cut -d, -f1-5 | tr '\n' ' ')" \
	"0 a,OpenMP State,Wait for critical,0.000020,0.000025 b,OpenMP State,Wait for critical,0.000020,0.000025 b,OpenMP State,Idle,0.000040,0.000070 " "threads without work, and waits for critical sections"
rm -rf cut
cp -r all cut
n=$(wc -c <all/traces/10.evt)
head -c $((n / 2)) all/traces/10.evt >cut/traces/10.evt
read_it cut
like "$rc $(cat stderr)" "0 *the file ends within an event: 1_Master thread: * events of *" "a cut file is used up to there"
rm cut/traces/10.evt
read_it cut
like "$rc $(cat stderr)" "0 *the file ends within an event: 1_Master thread: 0 events of *" "a file that is missing"
# Without the numbers that a location uses its events would name other regions.
for how in cut empty other missing; do
	rm -rf cut
	cp -r "$TESTDATA/otf2/scorep-tasks" cut
	case $how in
	cut) head -c 30 "$TESTDATA/otf2/scorep-tasks/traces/0.def" >cut/traces/0.def ;;
	empty) : >cut/traces/0.def ;;
	other) echo 'This is no file of definitions.' >cut/traces/0.def ;;
	missing) rm cut/traces/0.def ;;
	esac
	run traceviz info cut/traces.otf2
	like "$rc $(cat stderr)" "1 traceviz: cut/traces.otf2: the definitions of Master thread, its .def file, cannot be read: *" "local definitions: $how"
done
rm cut/traces/*.def
run traceviz info cut/traces.otf2
is "$rc" 0 "no location has local definitions: there are such archives"
rm -rf cut
cp -r "$TESTDATA/otf2/scorep-tasks" cut
head -c 4000 "$TESTDATA/otf2/scorep-tasks/traces.def" >cut/traces.def
run traceviz info cut/traces.otf2
like "$rc $(cat stderr)" "0 *definitions that end early*" "definitions that are cut"
rm -rf cut
cp -r all cut
# The library crashes, or never ends, in these; it does that in a process of its own.
perl -e 'local $/; my $a = <STDIN>; substr($a, 52, 1) = "\x80"; print $a' <all/traces.otf2 >cut/traces.otf2
run traceviz info cut/traces.otf2
like "$rc $(cat stderr)" "1 traceviz: cut/traces.otf2: a*OTF2 archive*" "an anchor file with another number of properties"
{ base; printf '%s\n' 'at 1' '1 Enter 0' '2 Leave 0'; } | write one
for i in 0 1 2 3 4 5 6 7; do
	rm -rf cut
	cp -r one cut
	perl -e 'local $/; my ($file, $i) = @ARGV; open my $in, "<", $file; my $a = <$in>; srand $i; substr($a, int rand length $a, 1) = chr int rand 256 for 1 .. 3; print $a' one/traces/1.evt "$i" >cut/traces/1.evt
	run traceviz convert -q cut/traces.otf2 -o cut-tables
	[ "$rc" -le 1 ] || echo "$i: status $rc"
done >wrong
is "$(cat wrong)" "" "other bytes"

need_shared 6
while read -r sample wanted; do
	rm -rf tables
	run traceviz convert -q --zero none "$SHARED/data/formats/otf2/$sample.otf2" -o tables
	is "$rc $(perl "$ROOT/tests/cli/otf2_truth.pl" "$SHARED/data/formats/otf2/$(dirname $sample)/truth.json" tables 2>&1)" "0 " "$sample: as another reader finds it"
	counts "$SHARED/data/formats/otf2/$sample.otf2" "$wanted" "$sample"
done <<'END'
made/traces enters 33 tasks 8 messages 3 bytes 8200 metrics 0 I/O 0
eztrace-openmp/eztrace_log enters 82 tasks 35 messages 0 bytes 0 metrics 0 I/O 0
pingpong-papi/traces enters 42 tasks 0 messages 16 bytes 8355840 metrics 252 I/O 0
END
