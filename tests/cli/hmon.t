#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hmon.t: traces of hierarchical monitors, all three versions of their tools
. "$(dirname "$0")/lib.sh"
plan 22

cat >first.trace <<'EOF'
%EventDef Node_val 0
%   Id                int
%   Phase             int
%   Time_us           date
%   Value             double
%EndEventDef

%EventDef Node_container 1
%   Id                int
%   Level             string
%   Sibling           int
%   Name              string
%   Logscale          int
%EndEventDef

1 7 L3 0 misses 1
1 8 PU 2 cycles 0

0 7 0 1000001 12.500000
0 8 0 1000001 3.000000
0 7 1 1000501 7.000000
0 9 1 1000501 7.000000
EOF
# The second version: trailing blanks, bursts, the last full buffer twice, an object that hwloc does not know.
cat >second.trace <<'EOF'
PU:0 96131375 1 
PU:0 196131399 2 
L3Cache:0 96131375 10 
L3Cache:0 196131399 20 
PU:1 96131375 0.500000 
PU:0 96131375 1 
PU:0 196131399 2 
Foo:3 96131375 4 
PU:1 96131375 nan 
PU:0 1234567890123456789 3 
EOF
# The third one: one file per monitor, header, padded columns.
cat >misses.txt <<'EOF'
       Obj    Nanoseconds           a            b 
      PU:0      100000001 1.000000e+00 2.500000e-01 
      PU:1      100000001 3.000000e+00 4.000000e+00 
      PU:0      200000002 5.000000e+00 6.000000e+00 
EOF

run traceviz convert -q second.trace -o run
is "$rc $(cat stderr)" "0 " "the second version is recognized"
is "$(cat run/variables.csv)" "ResourceId,Type,Start,End,Value
Foo:3,second.value,0.000000,96.131375,4
L3:0,second.value,0.000000,96.131375,10
L3:0,second.value,96.131375,196.131399,20
PU:0,second.value,0.000000,96.131375,1
PU:0,second.value,96.131375,196.131399,2
PU:0,second.value,196.131399,1234567890123.456789,3
PU:1,second.value,0.000000,96.131375,0.5" "rows sorted by object, exact times, repeated rows dropped, an unknown object kept"
is "$(cut -d, -f1,2 run/resources.csv | tr '\n' ' ')" "ResourceId,ResourceType PU:0,PU L3:0,L3 PU:1,PU Foo:3,Foo " "objects of the machine"
is "$(grep 'Repaired\|Dropped' run/meta.csv)" '"Repaired: object of an unknown level, kept",1
Dropped beside tasks: value that is no number,1
Repaired: row that was written twice,2' "what was dropped is counted"
run traceviz convert --variable-names ipc second.trace -o run2
is "$(cut -d, -f2 run2/variables.csv | sort -u | tr '\n' ' ')" "Type ipc " "names by an option"
like "$(cat stderr)" "*also *row that was written twice (2 repaired)*" "a message says so"
run traceviz convert -q second.trace -o one.csv
like "$rc $(cat stderr)" "1 *the trace has no tasks*" "no tasks"
run traceviz convert -q --strict second.trace -o run3
is "$rc" 1 "strict: a repair is an error"

run traceviz convert -q first.trace -o one
is "$(cat one/variables.csv)" "ResourceId,Type,Start,End,Value
PU:2,cycles.value,0.000000,0.000000,3
L3:0,misses.value,0.000000,0.000000,12.5
L3:0,misses.value,0.000000,0.500000,7" "the first version, which looks like Paje"
is "$(grep ClockOrigin one/meta.csv)" "ClockOrigin,1000.001000" "its clock"
like "$(grep Dropped one/meta.csv)" "*not understood*1" "a value of an object that is not declared is counted"

run traceviz convert -q misses.txt -o three
is "$(cat three/variables.csv)" "ResourceId,Type,Start,End,Value
PU:0,misses.a,0.000000,100.000001,1
PU:0,misses.b,0.000000,100.000001,0.25
PU:0,misses.a,100.000001,200.000002,5
PU:0,misses.b,100.000001,200.000002,6
PU:1,misses.a,0.000000,100.000001,3
PU:1,misses.b,0.000000,100.000001,4" "the third version: names of the header and the file"
tail -n +2 misses.txt >noheader.txt
is "$(traceviz convert -q noheader.txt -o four && cut -d, -f2 four/variables.csv | sort -u | tr '\n' ' ')" \
	"Type noheader.0 noheader.1 " "without header"
awk 'NR > 1 { print "cycles           " $0 }' misses.txt >named.txt
is "$(traceviz convert -q named.txt -o five && cut -d, -f2 five/variables.csv | sort -u | tr '\n' ' ')" \
	"Type cycles.0 cycles.1 " "the name of the monitor first"
mkdir both && cp misses.txt both/ && sed s/PU/Core/ misses.txt >both/hits.txt
is "$(traceviz convert -q both -o six && cut -d, -f1,2 six/variables.csv | sort -u | wc -l)" 9 "a folder: one file per monitor"
is "$(traceviz info -q misses.txt --csv | grep -c hmon)" 1 "info names the format"
is "$(gzip -c misses.txt | traceviz convert -q - -o seven && cut -d, -f2 seven/variables.csv | sort -u | tr '\n' ' ')" \
	"Type monitor.a monitor.b " "standard input, compressed"
printf 'PU:0 96131375 1 \nPU:0 1961' >cut.txt
run traceviz convert cut.txt -o cut
like "$rc $(wc -l <cut/variables.csv) $(cat stderr)" "0 2 *last line, which may be cut*" "a cut line is not used"
printf 'PU:0 96131375 1 \nPU:0 x 1\nPU:0 12\nPU:0 200000000 5\n' >bad.txt
run traceviz convert --format hmon bad.txt -o bad
like "$rc $(wc -l <bad/variables.csv) $(cat stderr)" "0 3 *bad.txt:2:*not understood*" "lines that are not understood are counted"
: >empty.txt
run traceviz convert --format hmon empty.txt -o empty
like "$rc $(cat stderr)" "1 *expected*" "an empty file"
printf 'Foo:3 1 2\nBar:1 2 3\n' >other.txt
run traceviz convert other.txt -o other
is "$rc" 1 "lines without a known level are no trace"
printf 'a,b\n1,2\n' >x.csv
run traceviz convert --format hmon x.csv -o x
is "$rc" 1 "a file of another format"
