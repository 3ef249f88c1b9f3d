#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# recognize.t: what a reader takes with --format, it takes without: damage and messages at the begin of a file
. "$(dirname "$0")/lib.sh"
plan 32

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

# marked FILE [OPTION...]: with a byte order mark it gives the same, as it is and compressed
marked() {
	original=$1
	shift
	cp "$original" mark/plain
	{ printf '\357\273\277'; cat "$original"; } >mark/sample
	gzip -c mark/sample >mark/sample.gz
	for file in mark/plain mark/sample mark/sample.gz; do
		rm -rf tables
		traceviz convert -q "$@" "$file" -o tables >>log 2>&1 || echo "not read: $original as $file"
		rm -f tables/meta.csv # it names the file
		for table in tables/*.csv; do echo "$table" && cat "$table"; done | cksum >>sums
	done
	[ "$(sort -u sums | wc -l) $(sort sums | uniq -c | awk '{ print $1 }')" = "1 3" ] || echo "differs: $original"
	rm sums
}
mkdir mark
printf 'Container, 0, R, 0.0, 1.0, 1.0, r0\nState, r0, S, 0.0, 1.0, 1.0, 0, a\n' >dump.csv
printf 'JobId: 1\nName: a\nWorkerId: 0\nStartTime: 0.1\nEndTime: 0.2\n\nControl: WontUse\nJobId: 2\n' >tasks.rec
for file in "$TESTDATA/chrome/flows.json" "$TESTDATA/parsec-ranks/dpotrf-0.dot" "$TESTDATA/mpip/mpip-concise.mpiP" "$TESTDATA/paje/colors-a.trace" \
	"$TESTDATA/paraver/mpi.prv" "$TESTDATA/hwloc"/*.xml "$DATA/cholesky.csv" dump.csv tasks.rec first.trace; do
	marked "$file"
done >wrong
tail -n +2 "$TESTDATA/mapped/begin_us.csv" | sed "1i $(head -1 "$TESTDATA/mapped/begin_us.csv" | tr -d '\357\273\277')" >map.csv
marked map.csv --map 'ResourceId=worker,Value=name,Start=begin_us,End=end_us' >>wrong
is "$(cat wrong)" "" "a byte order mark, in all formats of text"

# what FILE MESSAGE: refused by name, also as a table with --map
what() {
	run traceviz info "$1"
	is "$rc $(cat stderr)" "1 traceviz: $1: $2" "$3"
	run traceviz info --map 'ResourceId=a,Value=b,Start=c,End=d' "$1"
	is "$rc $(cat stderr)" "1 traceviz: $1: $2" "the same with --map"
}
perl -e 'print "\xff\xfe", map { "$_\0" } split //, "ResourceId,Value,Start,End\n"' >little.csv
perl -e 'print "\xfe\xff", map { "\0$_" } split //, "ResourceId,Value,Start,End\n"' >big.csv
what little.csv "a text in UTF-16, expected UTF-8: iconv -f UTF-16 -t UTF-8 FILE" "UTF-16, as PowerShell writes it"
what big.csv "a text in UTF-16, expected UTF-8: iconv -f UTF-16 -t UTF-8 FILE" "the same, big end first"
printf '\3757zXZ\0\0\4' >tasks.csv.xz
what tasks.csv.xz "packed by xz, expected gzip, zstd or neither: unpack it" "xz"
printf 'BZh91AY' >tasks.csv.bz2
what tasks.csv.bz2 "packed by bzip2, expected gzip, zstd or neither: unpack it" "bzip2"
printf 'traceviz is the first word here\n' >words.txt
like "$(traceviz info words.txt 2>&1)" "*words.txt: not a trace in any known format*" "a text that begins with the name of the program is no raw log"
