#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recognize.t: what a reader takes with --format, it takes without: damage and messages at the begin of a file
. "$(dirname "$0")/lib.sh"
plan 22

# same FILE FORMAT TABLE ROWS WHAT: recognized as FORMAT, with that number of rows, as --format reads it
same() {
	run traceviz convert -q "$1" -o found
	run_rc=$rc
	traceviz convert -q --format "$2" "$1" -o asked
	is "$run_rc $(grep '^Format,' found/meta.csv | cut -d, -f2) $(tail -n +2 "found/$3.csv" | wc -l)" "0 $2 $4" "$5"
	ok "as --format $2 reads it" diff -r found asked
	rm -rf found asked
}

printf 'PU:0 96131375 -nan \nPU:1 96131375 0.250000 \nPU:0 196131375 0.500000 \n' >nan.trace
same nan.trace hmon variables 2 "a monitor whose first value is 0/0"
printf 'Obj Nanoseconds share\nPU:0 96131375 -nan\nPU:1 96131375 0.25\nPU:0 196131375 0.5\n' >header.trace
same header.trace hmon variables 2 "the same with a header"
printf 'perf: counter not counted\nPU:0 96131375 1\nPU:1 96131375 0.25\n' >message.trace
same message.trace hmon variables 2 "a monitor behind a message"
printf '\n# nodes\n%%EventDef Node_val 0\n%% Id int\n%%EndEventDef\n%%EventDef Node_container 1\n%%EndEventDef\n1 8 PU 2 cycles 0\n0 8 0 1000001 3.0\n' >first.trace
same first.trace hmon variables 1 "the first version behind an empty line and a comment"

{
	echo 'simulation 1.2 started'
	cat <<'EOF'
%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeCreateContainer 2
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeSetState 3
% Time date
% Type string
% Container string
% Value string
%EndEventDef
0 R 0 Rank
1 S R State
2 0 r0 R 0 rank0
3 0 S r0 busy
3 1 S r0 idle
EOF
} >message.paje
same message.paje paje states 2 "Paje behind a message"
{
	awk 'BEGIN { for (i = 0; i < 200; i++) print "# an option of the simulator and its value" }'
	tail -n +2 message.paje
} >comments.paje
same comments.paje paje states 2 "Paje behind 8 kB of comments"

printf 'half a line\nJobId: 1\nModel: gemm\nWorkerId: 0\nStartTime: 0.0\nEndTime: 1.0\n' >damaged.rec
same damaged.rec recutils tasks 1 "records behind a damaged line"

{
	echo 'mpiP: storing the report'
	cat "$TESTDATA/mpip/mpip-no-callsites.mpiP"
} >message.mpiP
traceviz convert -q "$TESTDATA/mpip/mpip-no-callsites.mpiP" -o plain
same message.mpiP mpip callprofile "$(tail -n +2 plain/callprofile.csv | wc -l)" "a report of mpiP behind a message"

{
	awk 'BEGIN { for (i = 0; i < 100; i++) print "warning: no device of that name, another one is used" }'
	cat "$TESTDATA/nbc/osu-barrier.txt"
} >message.txt
same message.txt nbc benchmarks 2 "a benchmark behind 5 kB of warnings"

{
	echo
	grep -v '<?xml' "$TESTDATA/hwloc/hwloc3.xml"
} >blank.xml
same blank.xml hwloc resources 13 "a topology behind an empty line"

printf '\nResourceId,Type,Value,Start,End\nCPU0,State,Idle,0,1\n' >states.csv
run traceviz convert -q states.csv -o empty
is "$rc $(tail -n +2 empty/states.csv | wc -l)" "0 1" "a table behind an empty line"
cat >prose.md <<'EOF'
A trace begins with definitions of events. Each has a name and a number,
and lists the fields of its lines, such as this one of a state:

%EventDef PajeSetState 3
Tasks are records:
JobId: 1
The values of monitors are lines such as
PU:0 96131375 1
of an object, a time and a value.
EOF
run traceviz info prose.md
is "$rc" 1 "a text that shows lines of formats is no trace"
