#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# temporary.t: CSV that is larger than --max-memory: verbs read a temporary copy in parts, convert goes through it some rows at a time
# needs perl zstd gzip
. "$(dirname "$0")/lib.sh"
plan 82

mkdir tmp
export TMPDIR="$PWD/tmp"
awk 'BEGIN {
	print "ResourceId,Value,Start,End,JobId,DependsOn,Kind,Node,ResourceType,Note"
	for (i = 0; i < 200000; i++) {
		w = i % 7; start = int(i / 7) * 3 + w / 10
		printf "CPU%d,t%d,%.6f,%.6f,%d,%s,%s,0,CPU,%s\n", w, i % 3, start, start + 1 + i * 7919 % 1000 / 800, i,
			i < 9 ? "" : (i - 7) " " (i - 5), i % 3 ? "app" : "setup", i % 5 ? "n" i % 9 : i % 2 ? "\"a,\"\"b\"" : ""
	}
	print "CPU0,t1,,,g1,,ghost,0,,"
}' >run.csv
(sed -n 1,900p run.csv; echo 'CPU1,t1,9,8,x1,,app,0,CPU,'; echo 'CPU1,t1,nan,8,x2,,app,0,CPU,'; sed 1,900d run.csv) >damaged.csv
mkdir folder
cp run.csv folder/tasks.csv
awk 'BEGIN { print "ResourceId,Type,Value,Start,End"; for (i = 0; i < 99999; i++) printf "CPU%d,Worker,%s,%d,%d\n", i % 7, i % 4 ? "Idle" : "Sleeping", i, i + 1 }' >folder/states.csv

# same LIMIT TRACE VERB OPTIONS...: result and warnings as of the whole, nothing left behind
same() {
	limit=$1; trace=$2; shift 2
	traceviz "$@" "$trace" >whole 2>whole.err
	run traceviz "$@" --max-memory "$limit" "$trace"
	grep -v ': it seems to need more than --max-memory.*: it is read in parts, from a temporary copy ' stderr >parted.err
	is "$rc $(cmp stdout whole) $(diff parted.err whole.err) $(ls -A tmp)" "0   " "$* of $trace"
	like "$(cat stderr)" "*$trace: it seems to need more than --max-memory*: it is read in parts, from a temporary copy in Parquet in $TMPDIR*" "... from a copy"
}
same 30M run.csv summary
same 30M run.csv summary --by Note,Value --where 'Tasks > 99'
same 30M run.csv idleness --begin 1000 --end 9000
same 30M run.csv deps
same 40M run.csv bounds
same 40M run.csv outliers
same 30M run.csv concurrency --step 100
same 30M damaged.csv info
same 30M damaged.csv summary
same 18M folder idleness
same 18M folder states
same 18M folder summary --of states --by Value

# Compressed: the first MiB shows how large it may be
mkdir packed
zstd -qk damaged.csv
gzip -k damaged.csv
for table in tasks states; do zstd -q folder/$table.csv -o packed/$table.csv.zst; done
same 30M damaged.csv.zst info
same 30M damaged.csv.gz summary
same 16M packed idleness

# Rows in any order: lines with a key before them, and a line break in quotes
mix() { perl -e 'print scalar <>; my @l = <>; srand 3; print map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [rand, $_] } @l' "$1"; }
mix damaged.csv | awk 'NR % 1000 == 7 && !/"/ { sub(/,[^,]*$/, ",\"x\n\"\"y,z\"") } { print }' >mixed.csv
mkdir mixed
mix run.csv >mixed/tasks.csv
mix folder/states.csv >mixed/states.csv
(sed -n 1p run.csv; sed 1d run.csv | sort -t, -k4,4n -s) >by-end.csv # a little
for trace in mixed.csv by-end.csv; do
	same 30M $trace summary --by Note,Value
	same 30M $trace deps --only t1
	same 40M $trace outliers --where 'End > 100' --begin 300
	same 40M $trace bounds
done
same 30M mixed.csv info
same 30M mixed.csv idleness --begin 1000 --end 9000
same 30M mixed.csv concurrency --step 100
same 18M mixed idleness
same 18M mixed states
traceviz convert -q mixed.csv -o mixed.parquet
same 14M mixed.parquet summary
same 20M mixed.parquet deps
run traceviz summary -q --max-memory 14M --no-temp mixed.parquet
like "$rc $(cat stderr)" "1 *summary needs all rows at once: its rows do not come by Start*; without --no-temp it is read in parts, from a temporary copy by Start" "--no-temp of rows in another order"
mkfifo lines
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' traceviz deps -q --max-memory 30M mixed.csv -o lines & # a shell ignores it in the background
pid=$!
until [ -n "$(ls -A tmp)" ]; do kill -0 "$pid" 2>/dev/null || break; done
kill -INT "$pid"
wait "$pid" 2>/dev/null
is "$? $(ls -A tmp)" "130 " "a run that sorts and is interrupted leaves nothing"
run sh -c 'ulimit -f 60; trap "" XFSZ; traceviz deps -q --max-memory 30M mixed.csv'
is "$rc $(ls -A tmp) $(cat stderr)" "1  traceviz: mixed.csv: its temporary copy in $TMPDIR (TMPDIR): cannot write: File too large" "no room to sort: one line"

run traceviz summary -q --max-memory 30M --no-temp run.csv
like "$rc $(cat stderr)" "1 traceviz: run.csv: * need up to * MB of memory, the limit is 30 MB (see --max-memory); without --no-temp it is read in parts*; 'traceviz convert TRACE -o FILE.parquet' *" "--no-temp"
run traceviz summary -q --max-memory 300M --no-temp run.csv
is $rc 0 "--no-temp where memory is enough"
run traceviz chain --max-memory 30M run.csv
like "$rc $(ls -A tmp) $(cat stderr)" "1  *the limit is 30 MB (see --max-memory); chain needs all rows at once, as it walks backwards from tasks to what they waited for" "a verb that a copy would be of no use for"
traceviz convert -q run.csv -o run.rec
run traceviz summary --max-memory 30M run.rec
like "$rc $(ls -A tmp) $(cat stderr)" "1  traceviz: run.rec: * MB need up to * MB of memory, the limit is 30 MB (see --max-memory); the reader of recutils keeps the whole trace in memory: where there is enough, 'traceviz convert TRACE -o FILE.parquet' makes *" "another format"
(cat run.csv; echo 'CPU1,t1,1700000000000,1700000000001,x1,,app,0,CPU,') >wide.csv
run traceviz convert -q --max-memory 60M wide.csv -o none.parquet
is "$rc $(ls none.parquet 2>/dev/null) $(cat stderr)" "1  traceviz: wide.csv: tasks: Start has times of more than 18 digits, but not in its first 131072 rows: all rows are needed at once" "a column of other times"
(cat run.csv; sed -n 1000p run.csv) >twice.csv
run traceviz summary -q --max-memory 30M twice.csv
is "$rc $(cat stderr)" "1 traceviz: twice.csv: two identical executions: JobId 998 on CPU4 at 426.400000 ms, expected each once" "an error of the copy is one of the trace, without a line"
(cat run.csv; echo 'CPU1,t1,zz,8,x1,,app,0,CPU,') >bad.csv
run traceviz summary -q --max-memory 30M bad.csv
is "$rc $(ls -A tmp) $(cat stderr)" "1  traceviz: bad.csv:200003: column Start is 'zz', expected a time in milliseconds" "malformed CSV"
run traceviz summary -q --max-memory 30M --by Foo run.csv
is "$rc $(ls -A tmp) $(cat stderr)" "1  $(traceviz summary -q --by Foo run.csv 2>&1)" "an error of the command line"

# A copy that does not end well.
mkfifo output
traceviz deps -q --max-memory 30M run.csv -o output &
pid=$!
until [ -n "$(ls -A tmp)" ]; do kill -0 "$pid" 2>/dev/null || break; done
kill -TERM "$pid"
wait "$pid" 2>/dev/null
is "$? $(ls -A tmp)" "143 " "a killed run leaves nothing"
run sh -c 'ulimit -f 60; trap "" XFSZ; traceviz summary -q --max-memory 30M run.csv'
is "$rc $(ls -A tmp) $(cat stderr)" "1  traceviz: run.csv: its temporary copy in $TMPDIR (TMPDIR): cannot write: File too large" "no room: one line"
run env TMPDIR=/nowhere traceviz summary -q --max-memory 30M run.csv
is "$rc $(cat stderr)" "1 traceviz: /nowhere: cannot make a temporary folder (TMPDIR): No such file or directory" "no TMPDIR"

# convert, some rows at a time
traceviz convert -q run.csv -o run.parquet

streams() { # LIMIT FROM TO WANT
	run traceviz convert --max-memory "$1" "$2" -o "$3"
	is "$rc $(cmp "$3" "$4") $(cat stderr)" "0  traceviz: $2: converted some rows at a time, as it seems to need more than --max-memory: what rows say of each other is not checked" "$2 to $3"
}
traceviz convert -q run.csv -o whole.csv
streams 60M run.csv out.parquet run.parquet
streams 12M run.csv out.csv whole.csv
streams 15M run.parquet out.csv whole.csv
run sh -c 'traceviz convert -q --max-memory 12M run.csv -o - | cmp - whole.csv'
is "$rc $(cat stderr)" "0 " "to standard output"
run traceviz convert -q --max-memory 12M damaged.csv -o out.csv
is "$rc $(cmp out.csv whole.csv)" "0 " "without damaged rows"
run traceviz convert -q --max-memory 12M bad.csv -o none.csv
is "$rc $(ls none.csv 2>/dev/null)" "1 " "an error leaves no output"
run traceviz convert --max-memory 12M run.csv -o somewhere
like "$rc $(cat stderr)" "1 *(see --max-memory); only one file of tasks is converted some rows at a time, with -o FILE.parquet, -o FILE.csv or -o -" "a folder"
run traceviz convert --max-memory 12M run.csv --anonymize -o out.csv
like "$rc $(cat stderr)" "1 *(see --max-memory); with --anonymize all rows are needed at once" "an option"
