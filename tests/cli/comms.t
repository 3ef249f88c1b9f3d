#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# comms.t: messages of Paje and record files against those of the FxT files of the same run
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 43

# Columns of two tables: those before the number are equal, the others are times that differ by at most 1e-4 of a ms. Prints the number of
# rows and of those that differ.
same() { # A B TEXT-COLUMNS TIME-COLUMNS [LIMIT]
	awk -F, -v text="$3" -v time="$4" -v limit="${5:-1e-4}" 'BEGIN { n = split(text, t, " "); m = split(time, u, " ") }
	FNR == 1 { file++; split("", c); for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ line = ""; for (i = 1; i <= n; i++) line = line "," $c[t[i]] }
	file == 1 { a[FNR] = line; for (i = 1; i <= m; i++) v[FNR, i] = $c[u[i]]; rows++; next }
	{ bad += a[FNR] != line; for (i = 1; i <= m; i++) { d = v[FNR, i] - $c[u[i]]; off += d * d > limit * limit || (v[FNR, i] == "") != ($c[u[i]] == "") } more++ }
	END { print rows + 0, more - rows, bad + 0, off + 0 }' "$1" "$2"
}
all() { # NAME FXT FOLDER MESSAGES TASKS LIMIT
	for verb in messages deps critical-path bounds idle-causes; do
		traceviz $verb -q --zero none "$2" >fxt.$verb
		traceviz $verb -q --zero none "$3" >rec.$verb
	done
	is "$(same fxt.messages rec.messages 'Key Origin Dest Size Tag Handle Priority OriginJob DestJob Producer Consumers Flag' \
		'Start End ProducerEnd ConsumerStart' "$6")" "$4 0 0 0" "$1: the same messages, producers and consumers"
	for from in fxt rec; do { head -1 $from.deps; grep ',app,' $from.deps | sort -t, -k6,6; } >$from.app; done
	is "$(same fxt.app rec.app 'JobId LastDependency DependencyKind Message Dependencies' 'Start End Released Delay' "$6")" "$5 0 0 0" \
		"$1: the same last dependencies and releases"
	ok "$1: the same bounds" cmp fxt.bounds rec.bounds
	is "$(same fxt.critical-path rec.critical-path 'Seq Part JobId Value ResourceId Edge Cause' 'Start End' "$6" | cut -d' ' -f2-)" "0 0 0" \
		"$1: the same path to the end"
}

zstd -qdc "$TESTDATA"/paje-2ranks/paje.trace.zst >paje.trace
for file in tasks data comms; do zstd -qdc "$TESTDATA/paje-2ranks/$file.rec.zst" >$file.rec; done
mkdir both
cp paje.trace tasks.rec data.rec comms.rec both
run traceviz convert both -o csv
is "$rc $(grep -c 'not used' stderr)" "0 0" "comms.rec is used"
like "$(cat stderr)" "*6 of 28 messages were received before they were sent*: 1->0 6*" "messages that seem to be received too early are kept"
is "$(grep -c '^Dropped' csv/meta.csv) $(grep ^Messages csv/meta.csv)" "0 Messages,28" "nothing is dropped"
all "two ranks" "$TESTDATA/fxt/1.4.0" both 28 60 1e-4
is "$(same fxt.idle-causes rec.idle-causes Cause 'Begin End' | cut -d' ' -f2-) $(awk -F, '$7 == "mpi" { print int($8) }' fxt.idle-causes rec.idle-causes | uniq)" \
	"0 0 0 384" "the same idle time of cause mpi"
is "$(grep -c ',message,' csv/tasks.csv) $(grep -c mpicom_ csv/tasks.csv)" "28 58" "each message is a node of the graph, one task depends on each, two on those that were unexpected"
is "$(grep '^Unexpected' csv/meta.csv)" "UnexpectedMessages,2" "which are counted"
mkdir tagless
cp paje.trace tasks.rec comms.rec tagless
run traceviz messages --csv tagless
is "$rc $(grep -c '^mpicom' stdout) $(awk -F, "$by_name"'$c["Consumers"] == "\"\""' stdout | wc -l)" \
	"0 28 2" "without tags nobody uses these"
like "$(cat stderr)" "*comms.rec: 2 messages arrived before they were requested, and the files do not show which tasks wait*" "which a line says"
awk '/^Handle:/ { handle = $0 } { print } /^MPITag/ { print "" ; sub(/MPITag: /, ""); print handle "\n" rank "\nMPITag: " $0 + 50 } /^MPIRank/ { rank = $0 }' \
	data.rec >tagless/data.rec
is "$(traceviz info -q --csv tagless | sed -n 's/.*Unexpected//p' | tr '\n' ' ')" "MessagesWithoutTask,2 " "nor where a handle has several tags"

# what one of the files lacks
mkdir less records rest
cp tasks.rec paje.trace less
run traceviz messages less
like "$(cat stderr)" "*28 of 28 messages are no nodes of the task graph*" "without comms.rec: not in the graph"
run traceviz bounds less
like "$(cat stderr)" "*no task depends on one of another node, although there are 28 messages: *" "a message has their number, for each verb"
traceviz convert -q less -o less.out
is "$(grep ^Messages less.out/meta.csv)" "MessagesOutsideGraph,28" "so has meta"
run traceviz bounds less.out
like "$(cat stderr)" "*although there are 28 messages*" "also from there"
mkdir alone
cp tasks.rec alone
run traceviz bounds alone
like "$(cat stderr)" "*no task depends on one of another node (tasks ran on 2)*" "tasks.rec alone: their number is not known"
run traceviz bounds both
is "$(grep -c 'another node' stderr)" 0 "with comms.rec there is none"
printf 'ResourceId,Value,Start,End,JobId,DependsOn,Node\nCPU0,a,0,1,1,,0\nCPU1,a,0,1,2,,0\nCPU2,b,2,3,3,1,1\n' >direct.csv
printf 'Type,Key,Origin,Dest,Start,End\nMPI communication,m,CPU0,CPU2,1,2\n' >links.csv
mkdir direct && mv direct.csv direct/tasks.csv && mv links.csv direct
run traceviz bounds direct
is "$(grep -c 'another node' stderr)" 0 "nor where tasks depend on those of another node themselves"
cp tasks.rec comms.rec records
run traceviz messages records
is "$rc $(grep -c mpicom stdout) $(cut -d, -f2-3 stdout | sort | uniq -c | tr -s ' ' | tr '\n' ';')" "0 28  16 0,1; 12 1,0; 1 Origin,Dest;" \
	"without Paje: the messages of comms.rec"
for from in both records; do traceviz messages -q --zero none $from | cut -d, -f2-5,8-9,12-13 | sort >$from.txt; done
ok "the same" cmp both.txt records.txt
cp tasks.rec comms.rec rest
grep -v 'mpicom_[35]$' paje.trace | grep -v 'mpicom_[35] ' >rest/paje.trace
run traceviz messages rest
is "$(grep -c mpicom stdout)" "28" "links that the Paje trace lacks are taken from comms.rec"
like "$(cat stderr)" "*comms.rec: 2 of its messages are not in the trace itself*" "which a line says"
cp paje.trace rest
awk -v RS= -v ORS='\n\n' 'NR > 3' comms.rec >rest/comms.rec
run traceviz messages rest
is "$(grep -c mpicom stdout)" "28" "links that comms.rec lacks stay"
like "$(cat stderr)" "*comms.rec: 3 messages of the trace are not recorded there*" "which a line says, too"
run traceviz messages comms.rec
is "$rc $(grep -c mpicom stdout)" "0 28" "comms.rec alone"
sed 's/^RecvTime: 7/RecvTime: x/' comms.rec >bad.rec
run traceviz messages bad.rec
is "$rc $(($(grep -c mpicom stdout) + $(grep -c 'RecvTime: x' bad.rec)))" "0 28" "a message without a time is skipped"
like "$(cat stderr)" "*bad.rec:*: message without ranks or times*skipped*" "and counted"
run traceviz messages --strict bad.rec
is "$rc" "1" "--strict: failure"

# Two unexpected messages for one task: T of the first is the one that is submitted first after its temporary handle is gone.
two() { # U1 T1 U2 T2: times
	rm -rf two tables
	mkdir two
	printf 'Handle: a%d\nMPIRank: 1\nMPITag: %d\n\n' 1 5 2 6 >two/data.rec
	printf 'Src: 0\nDst: 1\nTag: %d\nSendTime: 1.0\nRecvTime: 5.0\nSize: 8\nRecvJobId: 1_%d\n\n' 5 12 6 22 >two/comms.rec
	{
		printf 'JobId: 1_%d\nMPIRank: 1\n\n' 1 3 11 21
		printf 'JobId: 1_%d\nDependsOn: 1_%d\nSubmitTime: %d.0\nMPIRank: 1\n\n' 2 1 "$2" 4 3 "$4" 12 11 6 22 21 6 \
			13 12 6 14 13 6 15 14 6 16 15 "$1" 23 22 6 24 23 6 25 24 6 26 25 "$3"
		printf 'Name: gemm\nJobId: 1_5\nDependsOn: 1_2 1_4\nSubmitTime: 1.0\nWorkerId: 0\nStartTime: 90.0\nEndTime: 91.0\nHandles: a1 a2\nModes: R R\nSizes: 8 8\nMPIRank: 1\n\n'
	} >two/tasks.rec
	traceviz convert -q two -o tables
	awk -F, '/^Unexpected/ { printf "%s ", $0 } FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
		FILENAME ~ /tasks/ && ($c["JobId"] == "1_2" || $c["JobId"] == "1_4") { sub(/^1_[13] ?/, "", $c["DependsOn"]); printf "%s:%s ", $c["JobId"], $c["DependsOn"] }' \
		tables/meta.csv tables/tasks.csv
}
is "$(two 10 11 12 13)" "UnexpectedMessages,2 1_2:mpicom_0 1_4:mpicom_1 " "one after the other"
is "$(two 10 13 11 12)" "UnexpectedMessagesWithoutTask,2 1_2: 1_4: " "both find the same: neither is used"
is "$(two 10 11 10 11)" "UnexpectedMessagesWithoutTask,2 1_2: 1_4: " "at the same instant, too"

# StarPU pads ranks with zeros from 11 ranks on, but not in comms.rec and where messages name their threads
mkdir padded
sed 's/^\(.*MPIL.*\)$/\1/; /MPIL/! s/\<\([01]\)_/0\1_/g' paje.trace >padded/paje.trace
sed '/^Name/! s/\<\([01]\)_/0\1_/g' tasks.rec >padded/tasks.rec
cp comms.rec data.rec padded
run traceviz messages padded
is "$rc $(grep -c skipped stderr) $(grep -c mpicom stdout)" "0 0 28" "padded ranks"
traceviz messages -q --zero none padded | sed 's/\<0\([01]\)\>/\1/g; s/\<0\([01]\)_/\1_/g' >padded.csv
traceviz messages -q --zero none both >both.csv
is "$(same both.csv padded.csv 'Key Origin Dest Size OriginJob DestJob Producer Consumers' 'Start End')" "28 0 0 0" "are the same"

need_shared 8
for name in mpi/cholesky-20-dmdas-2nodes native/cholesky-12-2ranks; do
	rm -rf both
	mkdir both
	for file in paje.trace tasks.rec data.rec comms.rec; do golden "$(echo $name | tr / -)" $file >both/$file; done
	tasks=$(grep -c '^WorkerId' both/tasks.rec)
	all "$name" "$SHARED/data/$name" both "$(grep -c ^Src both/comms.rec)" "$tasks" 5e-4
done
