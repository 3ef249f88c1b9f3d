#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paje.t: Pajé traces from the command line: damage with its place, exit status, no half-written
# output
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 49
head=$TESTDATA/paje/head.trace
good='5 1 S a gemm 1
5 2 S a idle ""
5 1.5 S b trsm 2
5 3 S b idle ""'

# trace LINES...: head, good events and the lines (with printf's escapes) into t.trace; line 83 is
# the first of LINES.
trace() { { cat "$head"; echo "$good"; printf '%b' "$*"; } >t.trace; }
tasks() { cut -d, -f1-6 out/tasks.csv | tail -n +2 | tr '\n' ' '; }
two='CPU0,gemm,0.000000,1000.000000,1000.000000,1 CPU1,trsm,500.000000,2000.000000,1500.000000,2 '

# Used, with one line on stderr that names the place and one that counts; refused when strict,
# without output.
damaged() { # NAME LINES PLACE-AND-CAUSE SUMMARY
	rm -rf out
	trace "$2"
	run traceviz convert t.trace -o out
	is "$rc $(tasks) $(cat stderr)" "0 $two traceviz: t.trace:$3 ($4)" "$1, counted"
	run traceviz convert --strict t.trace -o strict
	is "$rc $(ls -d strict 2>/dev/null)" "1 " "$1: refused by --strict"
}
trace ''
run traceviz convert t.trace -o out
is "$rc $(tasks)$(cat stderr)" "0 $two" "a trace without damage"
damaged "pop without push" '7 4 S a\n7 5 S a\n' \
	"84: pop without push: no state of type 'State' is open in 'CPU0'" \
		"1 record skipped"
damaged "unknown alias" '5 4 S zz idle ""\n' \
	"83: unknown container: container 'zz', expected one that PajeCreateContainer makes" \
	"1 record skipped"
damaged "end before start" '9 5 L h a 8 k\n10 4 L h b 8 k\n' \
	"84: link end before start: link 'k' ends before it starts" \
		"1 record skipped"
damaged "a link that never ends" '9 4 L h a 8 k\n' \
	"83: link without end: link 'k' is taken to end with the trace" \
		"1 record repaired"
damaged "NaN" '8 nan V a 3\n' "83: bad time: time 'nan', expected a number" "1 record skipped"
damaged "a value that is NaN" '8 4 V a NaN\n' "83: bad number: value 'NaN', expected a number" "1 record skipped"
damaged "cut in the middle of a line" '6 4 S' \
	"83: last line cut off: the file ends within this line, which is \
not used" "1 record repaired"
damaged "cut in the middle of a definition" '%EventDef PajeNewEvent 11\n% Time da' \
	"84: event definition cut off: %EventDef without %EndEventDef, its events are not used" \
	"1 record repaired"
damaged "unknown event number" '77 4 S a idle\n' \
	"83: unknown event number: event '77', expected a number that an %EventDef defines" \
	"1 record skipped"
damaged "six of a kind" '77\n77\n77\n77\n77\n77\n' \
	"83: unknown event number: event '77', expected a number that an %EventDef defines" \
	"6 records skipped, this is the first"
is "$(grep -c 't.trace:8' stderr)" 1 "strict names the first place only"
run traceviz convert --verbose t.trace -o verbose
is "$(cut -d: -f1-3 stderr | tr '\n' ' ')" "$(for l in 83 84 85 86 87 88; do printf 'traceviz: t.trace:%s ' $l; done)" \
	"--verbose lists all six"
ok "the tables are the same" cmp verbose/tasks.csv out/tasks.csv
# What a figure's title names are records that may have been tasks, not the ends of links.
trace '9 5 L h a 8 k\n10 4 L h b 8 k\n10 6 L h b 8 m\n'
run traceviz t.trace -o links.csv
is "$rc $(grep -c dropped links.csv)" "0 0" "no word of dropped links in the title"
run traceviz convert t.trace -o links
is "$(grep -c '^Dropped beside tasks: link end' links/meta.csv)" 2 "meta counts them apart"
trace '9 5 L h a 8 k\n10 4 L h b 8 k\n7 4 S a\n7 5 S a\n'
run traceviz t.trace -o pops.csv
like "$(cat pops.csv)" "*1 record dropped: pop without push (1)*" "what was dropped is named"

# A task that is running when the trace ends.
trace '5 4 S a syrk 3\n'
run traceviz convert t.trace -o open
is "$rc $(cut -d, -f2,3,4,6 open/tasks.csv | tail -1) $(grep -c open open/tasks.csv)" \
	"0 syrk,3000.000000,3000.000000,3 1" "a task left open ends with the trace"

# The trace as far as a compressed file goes.
trace "$(seq 10 40000 | sed 's/.*/6 & S a nested\\n7 &.5 S a\\n/' | tr -d '\n')"
zstd -q t.trace -o whole.zst
head -c 30000 whole.zst >cut.trace.zst
run traceviz convert cut.trace.zst -o cut
is "$rc $(grep -c 'compressed input ends early' stderr)" "0 1" "a compressed trace that ends early"
run sh -c 'traceviz convert - -o piped <whole.zst'
is "$rc $(wc -l <piped/states.csv)" "0 39994" "standard input, compressed"

# Not usable at all.
refused() { # NAME MESSAGE
	rm -rf out
	run traceviz convert t.trace -o out
	is "$rc $(tail -1 stderr) $(ls -d out 2>/dev/null)" "1 traceviz: t.trace$2 " "$1"
}
grep '^[#%]' "$head" >t.trace
refused "definitions only" ": no usable Pajé event, expected lines such as '6 0.0 c1 T 0 \"name\"'"
{ grep '^[#%]' "$head"; head -c 3000 /dev/zero | tr '\0' '\377'; } >t.trace
refused "garbage after the definitions" \
	": no usable Pajé event, expected lines such as '6 0.0 c1 T 0 \"name\"'"
{ cat "$head"; printf '5 1 S a '; head -c 100000000 /dev/zero | tr '\0' x; echo; } >t.trace
refused "a line of 100 MB" ":79: line longer than 16 MiB, which is the limit"
trace '5 1 S a gemm 1\n'
run traceviz convert t.trace -o out
is "$rc $(grep -c "two identical executions: JobId 1 on CPU0" stderr) $(ls -d out 2>/dev/null)" \
	"1 1 " "the same execution twice"

# Names are bytes; what is not UTF-8 is kept in the tables and made safe in messages.
trace '4 0 x PROC h "caf\0351"\n6 4 S x d\0351j\0303\0240\n6 4 S y\0007\0351 z\n'
run traceviz convert t.trace -o bytes
is "$rc $(grep -c "$(printf 'd\351j\303\240')" bytes/states.csv)" "0 1" \
	"names that are not UTF-8 are kept"
like "$(head -1 stderr)" "*container 'y?*" "and printed as question marks"

# Options.
trace '6 1 S b nested\n7 1.25 S b\n'
run traceviz convert --time-unit us --zero none t.trace -o us
is "$rc $(sed -n 2p us/tasks.csv | cut -d, -f3-5)" "0 0.001000,0.002000,0.001000" "--time-unit"
is "$(grep TimeUnit us/meta.csv)" "TimeUnit,us: as the user said" "and meta says so"
run traceviz convert --time-unit week t.trace -o week
is "$rc" 2 "an unknown unit is wrong usage"
run traceviz convert --task-state State t.trace -o all
is "$rc $(cut -d, -f2 all/tasks.csv | sort | tr '\n' ' ')" "0 Value gemm idle idle nested trsm " \
	"--task-state"
run traceviz convert --task-state State,NOSUCH t.trace -o nosuch
is "$rc $(grep -c task-state stderr)" "0 1" "a name that no state type has: one warning"
like "$(grep task-state stderr)" "*--task-state 'NOSUCH', expected a state type of the trace: State" \
	"which names it"
: >empty.csv
run traceviz convert --kernels empty.csv t.trace -o kernels
is "$rc $(grep -c "^traceviz: --kernels 'empty.csv': no row, " stderr)" "0 1" \
	"a table of kernels without rows: one warning"

# A folder of several files is one trace; the second uses the definitions of the first.
mkdir several
{ cat "$head"; echo "$good"; } >several/1.trace
{ grep '^%' "$head"; echo '5 2.5 S a syrk 3
5 2.75 S a idle ""'; } >several/2.trace
run traceviz convert several -o several.csv
is "$rc $(cut -d, -f2 several.csv | tr '\n' ' ') $(grep -v '^traceviz: tables' stderr)" "0 Value gemm trsm syrk  " \
	"several files"

# StarPU 1.3 has the handle of a transfer on the event of its begin: same number, destination and instant.
{ cat "$head"; cat <<'EOF'; } >t.trace
%EventDef PajeDefineEventType 11
%	Alias	string
%	Type	string
%	Name	string
%EndEventDef
%EventDef PajeNewEvent 12
%	Time	date
%	Type	string
%	Container	string
%	Value	string
%	Handle	string
%	Info	string
%EndEventDef
11 DCo PROC "DriverCopy Start"
12 1 DCo b 0 aa0 1
9 1 L h a 10 com_1
10 2 L h b 10 com_1
12 3 DCo b 0 bb0 2
9 4 L h a 10 com_2
10 5 L h b 10 com_2
12 6 DCo a 0 cc0 3
9 6 L h a 10 com_3
10 7 L h b 10 com_3
12 8 DCo b 0 0 4
9 8 L h a 10 com_4
10 9 L h b 10 com_4
12 10 DCo a 0 ee0 5
9 10 L h b 10 com_5
10 11 L h a 10 com_5
EOF
run traceviz convert --zero none t.trace -o handles
is "$rc $(awk -F, "$by_name"'{ print $c["Key"] ":" $c["Handle"] }' handles/links.csv | tr '\n' ' ')" \
	"0 com_1:aa0 com_2: com_3: com_4: com_5:ee0 " "handles of transfers"

# What StarPU prints where a task has no iteration, and no number of operations, is none: as in its FxT trace.
none=$ROOT/tests/data/paje/iteration-none.trace
traceviz convert -q "$none" -o none.csv
is "$(head -1 none.csv | tr ',' '\n' | grep -c -i iteration)" 0 "Iteration -1 is none"
run traceviz progress "$none"
like "$rc $(cat stderr)" "1 *the tasks have no Iteration*" "... no iterations to list"
sed 's/^20 1.0 w0 WS gemm 1 0 0 -1 -1/20 1.0 w0 WS gemm 1 0 0 4 -1/' "$none" >some.trace
is "$(traceviz convert -q some.trace -o - | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Iteration") c = i; next } { print $c }' | tr '\n' ' ')" "4   " \
	"... beside one that a task has"

need_shared 1
golden starpu-1.3-cholesky-12-dmdas paje.trace >t.trace
for from in t.trace "$TESTDATA/fxt/cholesky-12-dmdas-1.3"; do
	traceviz convert -q "$from" -o run
	columns run/links.csv Key,Handle | sort
	rm -rf run
done | sort | uniq -c | awk '{ n++; bad += $1 != 2 || NF < 3 } END { print n, bad + 0 }' >both
is "$(cat both)" "329 0" "StarPU 1.3: all handles of transfers, as in FxT"
