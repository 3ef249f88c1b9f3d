#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rec.t: recutils files of TiKKi read, and those of TiKKi and StarPU written
# needs recsel zstd
. "$(dirname "$0")/lib.sh"
plan 56

# The record of Daoudi's thesis (2021), figure 4.1.
printf '%s\n' 'Name: dgemm' 'JobId: 4307' 'StartTime: 1617551316135.580078' 'EndTime: 1617551316149.144043' 'MemoryNode: 0' \
	'Handles: 0x7fa055400000 0x7fa055200000 0x7fa016200000' 'Modes: RW R R' 'DependsOn: 4031 4074 4053' >7.rec
run traceviz convert 7.rec -o -
is "$rc $(cat stdout stderr)" "0 ResourceId,Value,Start,End,Duration,JobId,Kind,Node,ResourceType,DependsOn,Handles,Modes,\
MemoryNode,Region
CPU0,dgemm,0.000000,13.563965,13.563965,4307,app,0,CPU,4031 4074 4053,0x7fa055400000 0x7fa055200000 0x7fa016200000,\
RW R R,0,7" "a record of TiKKi: 13.563965 ms in region 7"
run traceviz convert 7.rec --to rec -o -
is "$rc $(cat stderr)" "0 " "is written without a word"
ok "byte for byte" cmp stdout 7.rec
traceviz convert 7.rec -o 7
is "$(grep -c '^ClockOrigin,1617551316135.580078$' 7/meta.csv)" 1 "the clock is exact"
run traceviz convert 7 -o out
run traceviz convert out --to rec -o out.d
is "$rc $(ls out.d)" "0 7.rec" "from the tables into a folder"
ok "byte for byte" cmp out.d/7.rec 7.rec
run traceviz convert 7 -o seven.rec
ok "into a file by its ending" cmp seven.rec 7.rec
printf '\n' >>7.rec
traceviz convert 7.rec --to rec -o - >stdout
ok "with a blank line at the end" cmp stdout 7.rec
run traceviz convert --time-unit us 7.rec -o -
is "$(cut -d, -f5 stdout | tail -1)" "0.013564" "--time-unit"

# Regions of one run: a clock for all, records in the order of their files, JobIds that occur twice
mkdir regions
rec() { # NAME JOB START END DEPENDS
	printf 'Name: %s\nJobId: %s\nStartTime: 16175513161%s.580078\nEndTime: 16175513161%s.580078\n' "$1" "$2" "$3" "$4"
	printf 'Handles: 0x%s\nModes: W\n' "$2"
	[ $# -lt 5 ] || printf 'DependsOn: %s\n' "$5"
	printf '\n'
}
{ rec a 0 10 11; rec b 1 12 13 0; } >regions/0.rec
{ rec c 1 22 23 0; rec a 0 20 21; } >regions/1.rec
{ rec d 8 33 34; rec e 9 31 32 8; } >regions/10.rec
run traceviz convert regions -o csv
is "$rc $(cut -d, -f2,3,6,10,13,14 csv/tasks.csv)" "0 Value,Start,JobId,DependsOn,Region,Rec.Order
a,0.000000,0,,0,
b,2.000000,1,0,0,
a,10.000000,1.0,,1,1
c,12.000000,1.1,1.0,1,0
e,21.000000,9,8,10,1
d,23.000000,8,,10,0" "regions"
for from in regions csv; do
	run traceviz convert $from --to rec -o again
	is "$rc $(diff -r regions again)" "0 " "three regions are written as they were, from $from"
done
run traceviz convert --restrict 'Region == 1' csv -o one.rec
ok "one of them into one file" cmp one.rec regions/1.rec
cp regions/10.rec again/11.rec
zstd -qf regions/10.rec -o again/0.rec.zst
traceviz convert regions --to rec -o again
is "$(diff -r regions again)" "" "files of an older trace disappear"
run traceviz convert regions -o one.rec
is "$rc $(cat stderr)" "1 traceviz: regions: the trace has 3 parallel regions, each of which is a file of its own, expected a \
folder: -o DIR (or --restrict 'Region == 0')" "three regions are not one file"
ok "which stays" cmp one.rec regions/1.rec
touch again/note.txt
run traceviz convert regions --to rec -o again
is "$rc $(cat stderr)" "2 traceviz: -o 'again': the folder contains 'note.txt', which is no .rec file of traceviz, \
expected a new folder or one of .rec files" "another file in the folder"
run traceviz convert regions --to rec -o regions
is "$rc $(cat stderr)" "2 traceviz: the output 'regions/0.rec' is also an input, expected another file" "its own input"
is "$(ls regions)" "0.rec
1.rec
10.rec" "which stays"
for bad in ../x .x a/b ''; do
	printf 'ResourceId,Value,Start,End,JobId,Region\nCPU0,a,0,1,1,"%s"\n' "$bad" >bad.csv
	run traceviz convert bad.csv --to rec -o bad.d
	is "$rc $(ls bad.d 2>/dev/null) $(cat stderr)" "1  traceviz: bad.csv: Region '$bad' cannot be the name of a file, expected a \
number or a word" "Region '$bad' is no file"
done

# Overlapping tasks need workers.
{ rec a 0 10 14; rec b 1 12 15; } >both.rec
run traceviz convert both.rec -o -
is "$rc $(cat stderr)" "0 traceviz: both.rec: names no workers, so all tasks are on CPU0, but 1 of them start before an \
earlier one ends, expected a sequential run" "tasks that overlap"
printf 'ResourceId,Value,Start,End,JobId,Region,Cpu,my note\nCPU0,a,0,2,1,0,5,\nCPU1,b,1,3,2,0,6,"x
y\\"\n' >two.csv
run traceviz convert two.csv --to rec -o -
is "$rc $(cat stdout stderr)" "0 Name: a
JobId: 1
StartTime: 0.000000
EndTime: 2.000000
ResourceId: CPU0
Cpu: 5

Name: b
JobId: 2
StartTime: 1.000000
EndTime: 3.000000
ResourceId: CPU1
Cpu: 6
my_note: x
+ y\\ " "workers and columns that TiKKi does not have follow"
cp stdout 0.rec
run traceviz convert 0.rec -o -
is "$rc $(cat stderr) $(sed -n '/CPU1/,$p' stdout)" '0  CPU1,b,1.000000,3.000000,2.000000,2,app,0,CPU,0,6,"x
y\ "' "and are read"
is "$(recsel -e "JobId = 2" -P my_note 0.rec)" "x
y\\ " "recsel reads a text of two lines"

# StarPU: every record as StarPU's own converter wrote it
records() { # each on one line, without those of control
	perl -00 -ne 's/\n+$//; next if /^Control:/; s/\n/|/g; print "$_\n"' "$1" | sort
}
for of in cholesky-12-dmdas cholesky-12-dmdas-1.3; do
	golden $of tasks.rec >theirs.rec
	rm -rf star
	run traceviz convert -q theirs.rec --to rec -o star
	is "$rc $(ls star)" "0 tasks.rec" "$of"
	records theirs.rec >want
	records star/tasks.rec >got
	ok "$of: every record" cmp got want
	is "$(recsel -c star/tasks.rec) $(recsel -e 'Name = "GEMM" || Name = "chol_model_22"' -p JobId star/tasks.rec | sort | cksum)" \
		"$(recsel -c -e '#Control = 0' theirs.rec) $(recsel -e 'Name = "GEMM" || Name = "chol_model_22"' -p JobId theirs.rec | sort | cksum)" \
		"$of: recsel agrees"
done
run traceviz convert -q star/tasks.rec -o again.rec
ok "written and read again" cmp star/tasks.rec again.rec
run traceviz convert "$TESTDATA/fxt/cholesky-12-2ranks" -o ranks.rec
is "$rc $(grep -v '^traceviz: tables' stderr)" "0 traceviz: 66 messages are left out, with the dependencies on them: a record is a task" \
	"messages are no tasks"
is "$(grep -c mpicom ranks.rec) $(grep -c '^MPIRank: 1' ranks.rec)" "0 $(traceviz convert -q \
	"$TESTDATA/fxt/cholesky-12-2ranks" -o - | grep -c '^[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,1_')" "ranks"
run traceviz convert -q "$DATA/cholesky-ws.csv" --rec-dialect tikki -o -.rec
is "$rc $(sed -n 1,7p ./-.rec | cut -d: -f1 | tr '\n' ' ')" "0 Name JobId StartTime EndTime MemoryNode Handles Modes " \
	"--rec-dialect tikki"

# What a record cannot hold
printf 'ResourceId,Value,Start,End,JobId\nCPU0,a,1,2,1\nCPU1,a,3,5,1\nCPU0,b,7,8,\n' >jobs.csv
run traceviz convert jobs.csv --to rec -o -
is "$rc $(sed -n '2,5p' stdout) $(cat stderr)" "0 JobId: 1
WorkerId: 0
StartTime: 1.000000
EndTime: 5.000000 traceviz: 1 tasks without JobId are left out: a record needs one
traceviz: 1 further executions of jobs have no record: a record lasts from the first Start to the last End of its job, \
the rest is that of the first" \
	"executions without a record are counted"
run traceviz convert jobs.csv --restrict 'Value == b' -o no.rec
is "$rc $(cat stderr) $(ls no.rec 2>/dev/null)" "1 traceviz: jobs.csv: no task has a JobId, which a record needs " "no JobId at all"
mkdir far
printf 'ResourceId,Value,Start,End,JobId\nCPU0,a,4000000000000,4000000000001,1\n' >far/tasks.csv
printf 'Key,Value\nClockOrigin,9000000000000\n' >far/meta.csv
run traceviz convert far -o far.rec
is "$rc $(cat stderr) $(ls far.rec 2>/dev/null)" "1 traceviz: far: times on the clock of the recording do not fit 64-bit \
nanoseconds (ClockOrigin in meta) " "a clock out of range"
printf 'Key,Value\nFormat,csv\n' >empty.csv
run traceviz convert --to rec "$TESTDATA/paje/head.trace" -o none.rec
is "$rc $(ls none.rec 2>/dev/null)" "1 " "no tasks"

# Wrong usage
usage() { # NAME MESSAGE ARGS...
	name=$1 want=$2; shift 2
	run traceviz convert "$@"
	is "$rc $(cat stderr)" "2 traceviz: $want" "$name"
}
usage "another ending" "--to csv contradicts the ending of -o 'x.rec'" 7.rec --to csv -o x.rec
usage "a dialect of CSV" "--rec-dialect is for --to rec" 7.rec --rec-dialect tikki -o x.csv
usage "an unknown format" "--to 'xml', expected csv, parquet, rec, dot, chrome or sqlite" 7.rec --to xml -o x
usage "an unknown dialect" "--rec-dialect 'x', expected tikki or starpu" 7.rec --rec-dialect x -o x.rec

# Damage
damaged() { # NAME RECORDS STDERR TASKS
	printf '%b' "$2" >t.rec
	run traceviz convert t.rec -o out.csv
	is "$rc $(cat stderr)" "0 traceviz: t.rec:$3" "$1"
	is "$(grep -c ',app,' out.csv)" "$4" "$1: tasks left"
}
ran='Name: a\nJobId: 9\nStartTime: 1617551316135.580078\nEndTime: 1617551316139.580078\n\n'
damaged "cut off" "${ran}Name: b\nJobId: 10\nStartTime: 16175513" \
	"8: last record cut off: the file ends within this record, which is not used (1 record repaired)" 1
damaged "a huge time" "${ran}Name: b\nJobId: 1\nStartTime: 99999999999999999999999\nEndTime: 1e300\n\n" \
	"6: bad time: StartTime '99999999999999999999999', expected a number (1 record skipped)" 1
damaged "a JobId twice" "$ran$ran" "6: job recorded twice: the first record of this JobId is used (1 record skipped)" 1
damaged "no number" "${ran}Name: b\nJobId: 1\nStartTime: 1617551316140\nEndTime: 1617551316141\nMemoryNode: x\n\n" \
	"6: field is not a number: MemoryNode 'x', expected a number: left out (1 record repaired)" 2
printf '%bJobId: 4\n\nName: x\n\n' "$ran" >t.rec
run traceviz convert t.rec -o out.csv
is "$rc $(cat stderr) $(grep -c ',ghost,' out.csv)" "0 traceviz: t.rec: 1 records are neither tasks nor data nor messages, \
not used 1" "without times a node of the graph; without JobId no record"
printf 'Name: a\nJobId: 1\nStartTime: 1\nEndTime: 2\nDependsOn: 2\n\nName: b\nJobId: 2\nStartTime: 1\nEndTime: 2\nDependsOn: 1\n' >t.rec
run traceviz deps t.rec
is "$rc" 1 "a cycle is an error"
like "$(cat stderr)" "*cycle*" "which is named"
