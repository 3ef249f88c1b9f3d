#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# anonymize.t: convert --anonymize leaves no name and changes no number, of all samples
. "$(dirname "$0")/lib.sh"
plan 31

here=$ROOT/tests/cli
left() { perl "$here/names-left.pl" "$1" "$2" "$TESTDATA/anonymize-words.txt"; }
numbers() { # of diagnose, without what is text
	traceviz diagnose -q --csv "$1" 2>/dev/null | perl -ne 'chomp; my @c = /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g;
		@h = @c if $. == 1; for my $i (0 .. $#h) { $c{$h[$i]} = $c[$i] }
		$c{Id} =~ s/\..*//;
		print join(" ", map { $_ // "" } @c{qw(Kind Rank Id Time Share Measure WorkerTime Confidence Potential)}), "\n"'
}

printf 'a key of the test, long enough\n' >key
printf 'another key, also long enough\n' >other

n=0
: >names
: >differ
for sample in "$DATA"/*.csv "$DATA"/cholesky-[24]nodes "$DATA"/cholesky-decisions "$DATA"/cholesky-paje "$DATA"/mpi-[hos]* "$DATA"/e5-2650 "$DATA"/placement/* "$TESTDATA"/fxt/* \
	"$TESTDATA"/gtg-multi/*_root.ept "$TESTDATA"/hwloc/* "$TESTDATA"/mpip/* "$TESTDATA"/nbc/* "$TESTDATA"/paje/* "$TESTDATA"/paraver/*.prv \
	"$TESTDATA"/paje-2ranks "$TESTDATA"/parsec-ranks "$TESTDATA"/tvlog/*; do
	rm -rf plain hidden
	traceviz convert -q "$sample" -o plain 2>/dev/null || continue
	n=$((n + 1))
	traceviz convert -q "$sample" --anonymize --key key -o hidden 2>errors || echo "$sample: $(cat errors)" >>names
	left plain hidden | sed "s|^|$(basename "$sample"): |" >>names
	numbers plain >a
	numbers hidden >b
	cmp -s a b || echo "$sample" >>differ
done
ok "samples of all formats ($n)" test "$n" -ge 45
is "$(head -20 names)" "" "no name is left, no number differs"
is "$(cat differ)" "" "diagnose gives the same numbers"

# That the check can fail
mkdir tampered
cp plain/* tampered/
ok "the check finds names" test "$(left plain tampered | grep -c '^name')" -gt 0
mkdir one two
printf 'ResourceId,Value,Start,End\nw1,mine,0,1\n' >one/tasks.csv
printf 'ResourceId,Value,Start,End\nx1,bcd,0,2\n' >two/tasks.csv
is "$(left one two)" "number tasks.csv End row 1: 1" "and numbers"

# Every kind of column, with names that look like vocabulary, numbers or structure
mkdir all
cat >all/tasks.csv <<'CSV'
ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,DependsOn,Tag,Handles,Modes,Region,My note,Hits,Params
0_secretcpu3,secret-kernel,0,1.5,0_1,app,0,CPU,,secrettag,0xdeadbeef 7,R RW,4.1,secret note,12345678901.25,secret size
10.1.2.3,4711,1,2,secretjob,app,secret.host.fr,secrettype,0_1,3000000000000001,0xdeadbeef,W,secret-region,17,-1e3,
gros-12.secret.fr,MPI_secret call,2,3,3,runtime,17,CUDA,secretjob 0_1,12,,,1,,,"secret, ""quoted"""
CSV
cat >all/meta.csv <<'CSV'
Key,Value
secretkey,1
Format,csv
ClockOrigin,17.250000
Color.secretstate,#00ff00secret
Dropped: secretcause,3
Repaired: last line cut off,1
Monitor.secretevent.Kind,counter
EventsLost,secrethost: 12
Program,secret
Arguments,./app -n secret
Process,0: pid 1 on secret
OMP_PLACES,secret
Tag.secret,1
Tag.size,secret
Ranks,4
Binding,0-3
CSV
run traceviz convert -q all --anonymize --key key -o hidden2
is "$rc $(cat stderr)" "0 " "every kind of column"
is "$(grep -il -e secret -e deadbeef -e 'My note' -e quoted -r hidden2)" "" "no byte of a name"
is "$(grep -c -e '10\.1\.2\.3' -e 3000000000000001 hidden2/tasks.csv)" 0 "addresses and long numbers in names are names"
is "$(cut -d, -f3,4,6,12 hidden2/tasks.csv | sed -n '2p')" "0.000000,1.500000,app,R RW" "times, kinds and modes"
is "$(sed -n '2s/^\(0_\)[b-z]*3,.*/\1/p' hidden2/tasks.csv)" "0_" "numbers of a worker stay"
is "$(sed -n '3s/^.*,\(4711\),.*/\1/p;3s/^[b-z]*,//p' hidden2/tasks.csv | cut -d, -f1 | head -1)" "4711" "a number that is a name"
is "$(grep -o '12345678901.25\|-1e3' hidden2/tasks.csv | tr '\n' ' ')" "12345678901.25 -1e3 " "numbers of columns that we do not know"
is "$(sed 's/[bcdfghjklmnpqrstvwxz]\{14\}/NAME/g' hidden2/meta.csv | grep -v '^Files')" "Key,Value
Format,csv
ClockOrigin,17.250000
Color.NAME,#00ff00
Dropped: NAME,3
Repaired: last line cut off,1
Monitor.NAME.Kind,counter
EventsLost,NAME: 12
Ranks,4" "what is kept of meta"
run traceviz diagnose all
cp stdout before
run traceviz diagnose hidden2
is "$rc $(tr -cd '0-9.\n' <stdout | head -2)" "0 $(tr -cd '0-9.\n' <before | head -2)" "and can be read"

# Events that open and close one another
events() { traceviz events -q --csv "$1" | awk -F, 'NR > 1 { print $NF, $(NF - 1) }' | sort; }
traceviz convert -q "$DATA/cholesky-paje" -o plain2 2>/dev/null
traceviz convert -q "$DATA/cholesky-paje" --anonymize -o hidden3 2>/dev/null
is "$(events hidden3)" "$(events plain2)" "spans of events are the same"
ok "and there are some" test "$(traceviz events -q --csv plain2 | awk -F, 'NR > 1 && $NF != ""' | wc -l)" -ge 2

# Keys
names() { cut -d, -f2 "$1/tasks.csv" | sort -u; }
traceviz convert -q "$DATA/cholesky-dmda.csv" --anonymize --key key -o dmda
traceviz convert -q "$DATA/cholesky-ws.csv" --anonymize --key key -o ws
traceviz convert -q "$DATA/cholesky-ws.csv" --anonymize --key other -o ws2
traceviz convert -q "$DATA/cholesky-ws.csv" --anonymize -o ws3
traceviz convert -q "$DATA/cholesky-ws.csv" --anonymize -o ws4
is "$(names ws)" "$(names dmda)" "equal names stay equal with one key"
traceviz convert -q "$DATA/cholesky-ws.csv" --anonymize --key key -o again
ok "one key, the same bytes" diff -r ws again
ok "another key, other names" test "$(names ws)" != "$(names ws2)"
ok "without a key a new one each time" test "$(names ws3)" != "$(names ws4)"
is "$(traceviz compare ws dmda 2>/dev/null | tr -cd '0-9.\n' | head -3)" \
	"$(traceviz compare "$DATA/cholesky-ws.csv" "$DATA/cholesky-dmda.csv" 2>/dev/null | tr -cd '0-9.\n' | head -3)" "two runs compare as before"
run traceviz convert -q "$DATA/cholesky-ws.csv" --anonymize --key key -o ws.csv
ok "one CSV" cmp ws.csv ws/tasks.csv
run traceviz convert -q "$DATA/cholesky-ws.csv" --anonymize --key key -o -
ok "standard output" cmp stdout ws.csv

# Refusals
refused() { # NAME STATUS TEXT ARGUMENT...
	name=$1 status=$2 text=$3
	shift 3
	run traceviz convert -q "$DATA/cholesky-ws.csv" "$@"
	like "$rc $(cat stderr)" "$status *$text*" "$name"
}
printf short >short
cp key key.csv
refused "a short key" 1 "short: the file has too few bytes, expected a key of 16 to 4096 bytes" --anonymize --key short -o bad
head -c 5000 /dev/zero >long
refused "a long key" 1 "long: the file has too many bytes, expected a key of 16 to 4096 bytes" --anonymize --key long -o bad
refused "no such key" 1 "nokey: *" --anonymize --key nokey -o bad
refused "a folder as key" 1 "all: *" --anonymize --key all -o bad
refused "the key as output" 2 "is also an input" --anonymize --key key.csv -o key.csv
refused "a key alone" 2 "--key is for --anonymize" --key key -o bad
refused "another format" 2 "--anonymize writes tables" --anonymize -o bad.rec
ok "nothing is written" test ! -e bad
