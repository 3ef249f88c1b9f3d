#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recutils.t: tasks.rec alone and beside a Pajé trace: what is joined, what is said, damage
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 19

zstd -qdc "$DATA/cholesky-paje/paje.trace.zst" >paje.trace
zstd -qdc "$DATA/cholesky-paje/tasks.rec.zst" >tasks.rec
mkdir both
cp paje.trace tasks.rec both
run traceviz convert both -o both.csv
is "$rc $(grep -v "^traceviz: tables" stderr)" "0 " "a folder of both says nothing"
run traceviz convert paje.trace -o alone.csv
is "$(grep ',app,' alone.csv | cut -d, -f1-8 | cksum)" \
	"$(grep ',app,' both.csv | cut -d, -f1-8 | cksum)" \
	"the records change no execution"
is "$(head -1 both.csv | tr ',' \
	'\n' | grep -c 'DependsOn\|SubmitTime\|Handles\|Modes')" 4 "columns of the records"

# Records that the trace contradicts or lacks.
grep -v '	"POTRF"	.*	27	' paje.trace >both/paje.trace
run traceviz convert both -o lost.csv
is "$rc $(grep -v "^traceviz: tables" stderr)" \
	"0 traceviz: both/tasks.rec: 1 of its executions are not in the trace itself; \
they are taken from here" "an execution that only the records have is said"
is "$(grep ',app,' lost.csv | cut -d, -f1-8 | sort | cksum)" \
	"$(grep ',app,' both.csv | cut -d, -f1-8 | sort | cksum)" \
	"and is on the right worker at the right time"

run traceviz convert tasks.rec -o rec.csv
is "$rc $(grep -c ',app,' rec.csv) $(grep -c ',ghost,' rec.csv) $(grep -c '^worker' rec.csv)" \
	"0 364 182 364" \
	"tasks.rec alone"
like "$(cat stderr)" "traceviz: tasks.rec: has numbers of workers, not their types: *" \
	"which cannot tell CPUs from GPUs, and says so"
tr '\n' '\r' <tasks.rec | sed 's/\r/\r\n/g' >crlf.rec
run traceviz convert crlf.rec -o crlf.csv
is "$rc $(cksum <crlf.csv)" "0 $(cksum <rec.csv)" "CRLF line ends"

head -c 100000 tasks.rec >cut.rec
run traceviz convert cut.rec -o cut.csv
is "$rc $(tail -1 stderr)" "0 traceviz: cut.rec:5370: last record cut off: \
the file ends within this record, which is not used (1 record repaired)" \
	"a file cut within a record"
run traceviz convert --strict cut.rec -o strict.csv
is "$rc $(ls strict.csv 2>/dev/null)" "1 " "refused by --strict"

damaged() { # NAME RECORDS STDERR TASKS
	printf '%b' "$2" >t.rec
	run traceviz convert t.rec -o out.csv
	is "$rc $(sed -n 2p stderr)" "0 traceviz: t.rec:$3 (1 record skipped)" "$1"
	is "$(tail -n +2 out.csv | wc -l)" "$4" "$1: tasks left"
}
ran='Name: a\nJobId: 9\nWorkerId: 0\nStartTime: 0\nEndTime: 1\n\n'
damaged "end before start" "${ran}Name: b\nJobId: 1\nWorkerId: 0\nStartTime: 3\nEndTime: 2\n\n" \
	"7: end before start: the task ends before it starts" 1
damaged "NaN" "${ran}Name: b\nJobId: 1\nWorkerId: 0\nStartTime: 3\nEndTime: nan\n\n" \
	"7: bad time: EndTime 'nan', expected a number" 1
damaged "a line that is no field" "${ran}Name: b\nthis\nJobId: 1\n\n" \
	"8: not a field: 'this', expected 'Field: value'" 2
damaged "a job recorded twice" "$ran$ran" \
	"7: job recorded twice: the first record of this JobId is used" 1

printf 'Foo: push\nTime: 1\n\n' >t.rec
rm -f out.csv
run traceviz convert t.rec -o out.csv
is "$rc $(cat stderr) $(ls out.csv 2>/dev/null)" \
	"1 traceviz: t.rec: no usable record, expected tasks (JobId), data (Handle) or messages (Src, Dst, SendTime) " \
		"records of another kind"
