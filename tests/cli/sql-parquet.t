#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sql-parquet.t: queries of tasks in Parquet read the rows that their conditions name; the same answers as of all rows
# needs perl zstd
. "$(dirname "$0")/lib.sh"
plan 34
traceviz sql 'SELECT 1' >stdout 2>stderr
if grep -q 'built without SQLite' stderr; then
	skip 34 "traceviz was built without SQLite"
	exit 0
fi
tool=${TRACEVIZ_BIN:-$ROOT/build}/oracle/row-groups
"$tool" 100 "$DATA/cholesky.csv" run
traceviz convert -q run/tasks.parquet -o tasks.csv

# groups QUERY [TRACE]: how many groups of rows of tasks a query reads, each time that it does, the columns first; "all" of a trace that is read whole
groups() { traceviz sql --verbose "${2:-run}" "$1" 2>&1 >stdout | sed -n 's/.*tasks.parquet: \([0-9]*\) of [0-9]* row groups.*/\1/p' | tr '\n' ' '; }
# asked NAME GROUPS QUERY: a query reads so many groups, and gives the same as of CSV
asked() {
	is "$(groups "$3")" "$2" "$1: groups"
	is "$(cksum <stdout)" "$(traceviz sql -q tasks.csv "$3" | cksum)" "$1: answer of $(wc -l <stdout) lines"
}
asked "a window" "2 " "SELECT JobId, Start, DependsOn FROM tasks WHERE Start >= 300 AND Start < 320"
asked "a window in ns" "1 " "SELECT JobId, Start FROM tasks WHERE Start_ns BETWEEN 300000000 AND 310000000"
asked "a worker" "50 " "SELECT count(*), sum(Duration), min(Start_ns) FROM tasks WHERE ResourceId = 'CUDA0_0'"
asked "workers within a window" "2 " "SELECT ResourceId, JobId, GFlop FROM tasks WHERE ResourceId IN ('CUDA0_0', 'CPU3', NULL, 'x') AND Start > 300 AND End < 320"
asked "a type that does not exist" "0 " "SELECT count(*), sum(Duration) FROM tasks WHERE Value = 'none'"
asked "a task" "1 " "SELECT JobId, Value, DependsOn FROM tasks WHERE JobId = '63'"
asked "numbers among names" "1 " "SELECT JobId FROM tasks WHERE JobId IN (63, '64')"
asked "two scans" "1 1 " "SELECT (SELECT Value FROM tasks WHERE JobId = '63'), (SELECT Value FROM tasks WHERE JobId = '2146')"
asked "kinds" "50 " "SELECT Kind, Value, count(*) FROM tasks WHERE Kind = 'app' AND ResourceType = 'CUDA' GROUP BY 1, 2"

# What needs all rows reads them: joins of tasks, rowids, numbers that are compared with names, other tables.
whole() { is "$(groups "$2" | awk '{ print $NF }') $(cksum <stdout)" "60 $(traceviz sql -q tasks.csv "$2" | cksum)" "$1"; }
whole "a join" "SELECT count(*), sum(b.Start) FROM tasks a JOIN tasks b ON b.ResourceId = a.ResourceId WHERE a.JobId IN ('63', '64', '65', '66', '67', '68')"
whole "rowids" "SELECT rowid, JobId FROM tasks WHERE Value = 'POTRF'"
whole "a number for a name" "SELECT JobId FROM tasks WHERE JobId = 63"
whole "no condition" "SELECT count(*), sum(Duration) FROM tasks"
whole "letters of either case" "SELECT count(*) FROM tasks WHERE Value = 'potrf' COLLATE NOCASE"
whole "another table" "SELECT count(*) FROM tasks JOIN edges USING (JobId) WHERE Value = 'POTRF'"
whole "rows without times" "SELECT count(*), min(JobId) FROM tasks WHERE Kind = 'ghost'"

# Of names without a dictionary, which no group has twice, first and last ones show where a task is.
awk 'BEGIN { srand(1); print "ResourceId,Value,Start,End,JobId"; for (i = 0; i < 300000; i++) printf "w,a,%d,%d,%06d.%d\n", i, i + 1, i, rand() * 1e9 }' >names.csv
traceviz convert -q names.csv -o names.parquet
name=$(sed -n '150002s/.*,//p' names.csv)
traceviz sql --verbose names.parquet "SELECT Start FROM tasks WHERE JobId = '$name'" >stdout 2>stderr
is "$(tail -1 stdout) $(awk '/row groups/ { print $3, $5, $9 / $11 < 0.6 }' stderr)" "150000 1 3 1" "a name among many"

# Files of other writers: a page for a few rows, without dictionaries, with and without levels; names that are numbers
zstd -dcq "$TESTDATA/parquet/samples.tar.zst" | tar -xf -
wrong= some=0
for file in rows/*.parquet; do
	for query in "SELECT count(*), min(JobId), sum(Start_ns), min(Note), sum(GFlop), min(DependsOn) FROM tasks WHERE ResourceId = 'CPU1'" \
		"SELECT JobId, Value, Note, Size, Priority FROM tasks WHERE JobId IN ('7', '70', '400', 'x') AND Value <> 'x'" \
		"SELECT JobId, Start, End_ns, DependsOn FROM tasks WHERE Note = '' AND Start >= 100.5 AND Start < 150" \
		"SELECT JobId, Note FROM tasks WHERE Note IN ('', 'a', 'x') AND Value = 'dgemm'" \
		"SELECT count(*), sum(Start_ns) FROM tasks WHERE Priority > 2 AND Priority <= 7" "SELECT count(*), sum(Start_ns) FROM tasks WHERE Size >= 5 AND Size < 2000000"; do
		traceviz sql -q --time-unit ns "$file" "$query" >part 2>part.err
		traceviz sql -q --time-unit ns "$file" "$query /* all */" >all 2>all.err
		head -1 part.err >part.line && head -1 all.err >all.line
		cmp part all && cmp part.line all.line || wrong="$wrong $file: $query"
		some=$((some + $(wc -l <part) / 2))
	done
done >out
is "$wrong" "" "the same as of all rows"
ok "$some answers with rows" [ "$some" -gt 100 ]

# Bytes changed in pages: the right answer, which needs fewer of them, or what is wrong as of all rows.
traceviz sql -q run "SELECT JobId, Start FROM tasks WHERE Value = 'POTRF' AND Start < 900" >right
perl -e 'local $/; open F, "<:raw", "run/tasks.parquet"; $_ = <F>; srand 7; my $end = length() - 8 - unpack "V", substr $_, -8;
	for my $i (1 .. 150) { my $s = $_; substr($s, 4 + int rand $end - 4, 1) ^= chr 1 + int rand 255; open O, ">:raw", "changed$i.parquet"; print O $s; close O }'
wrong= answers=0 refused=0 both=0
for file in changed*.parquet; do
	timeout 10 traceviz sql -q "$file" "SELECT JobId, Start FROM tasks WHERE Value = 'POTRF' AND Start < 900" >part 2>part.err
	status=$?
	timeout 10 traceviz sql -q "$file" "SELECT JobId, Start FROM tasks WHERE Value = 'POTRF' AND Start < 900 /* all */" >all 2>all.err
	of_all=$?
	case $status$of_all in
	00) both=$((both + 1)) ;;
	01) answers=$((answers + 1)) ;;
	11) refused=$((refused + 1)); cmp -s part.err all.err || wrong="$wrong $file:message" ;;
	*) wrong="$wrong $file:$status$of_all" ;;
	esac
	[ $status -ne 0 ] || cmp -s part right || wrong="$wrong $file:rows"
done
is "$wrong" "" "changed bytes"
ok "$answers answers where all rows give none, $refused refused, $both in both" [ "$answers" -gt 20 -a "$refused" -gt 5 ]
wrong=
for file in hostile/*; do
	timeout 5 traceviz sql --max-memory 60M "$file" "SELECT count(*), min(Start) FROM tasks WHERE Value = 'a' AND Start > 0" >stdout 2>stderr </dev/null
	status=$?
	[ $status -eq 1 ] && [ "$(wc -l <stderr)" -eq 1 ] || wrong="$wrong $file:$status"
done
is "$wrong" "" "$(find hostile -type f | wc -l) damaged files"

if ! python3 -c 'import sqlite3, sys; sys.exit(sqlite3.sqlite_version_info < (3, 30))' 2>/dev/null; then
	skip 3 "no python3 with sqlite3: random queries are not compared"
	exit 0
fi
for rows in 9 20 50; do
	mkdir "random$rows" && cd "random$rows" || exit 1
	seed "$rows"
	is "$(python3 "$ROOT/tests/cli/sql_random.py" "$seed" 150 "$tool" "$rows" 2>&1 | tail -5)" \
		"0 wrong, most have rows, many of some groups" "150 random queries, groups of $rows rows"
	cd ..
done
