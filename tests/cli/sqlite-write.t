#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sqlite-write.t: traces as SQLite databases: the same tables again, what other programs see, damage, and no half a file
. "$(dirname "$0")/lib.sh"
plan 29
run traceviz convert -q "$DATA/cholesky.csv" -o run.sqlite
if grep -q 'built without it' stderr; then
	like "$rc $(cat stderr)" "1 traceviz: *--to sqlite needs SQLite: this traceviz was built without it (Debian: libsqlite3-dev)" "without SQLite"
	skip 28 "traceviz was built without SQLite"
	exit 0
fi
is "$rc $(cat stderr)" "0 " "a database is written"

round_trips .sqlite

cat >odd.csv <<'EOF2'
ResourceId,Value,Start,End,JobId,DependsOn,"a ""b"",
c",Start2,Iteration,GFlop
w,"x 'y' \z",-0.000001,9007199254.740993,1,,"",é,1,1e300
w,"two
lines",0.5,1.5,2,1 1,,,,
w,z,0.5,0.5,3,1 2 1 7,NA,,-5,0.1
w,z,2,2,3,2 9,NA,,-5,0.1
,g,,,4,2,,,,
EOF2
traceviz convert -q odd.csv -o odd.sqlite
traceviz convert -q odd.csv -o odd.out.csv
traceviz convert -q odd.sqlite -o odd.back.csv
ok "quotes, lines, missing and empty cells, times that no REAL has" cmp odd.out.csv odd.back.csv
printf 'ResourceId,Value,Start,End\n' >none.csv
run traceviz convert none.csv -o none.sqlite
is "$rc $(cat stderr)" "1 traceviz: none.sqlite: the trace has no rows, so that a database has no tables" "a trace without rows"
traceviz convert -q --to sqlite odd.csv -o - >pipe.sqlite
traceviz convert -q pipe.sqlite -o pipe.csv
ok "standard output" cmp odd.out.csv pipe.csv
is "$(traceviz bounds -q --csv run.sqlite | cksum)" "$(traceviz bounds -q --csv "$DATA/cholesky.csv" | cksum)" "verbs have the same results"

sed '2s/Iteration/START/' odd.csv >case.csv
run traceviz convert -q case.csv -o case.sqlite
is "$rc $(cat stderr)" "1 traceviz: case.sqlite: cannot write the database: duplicate column name: START" "names that differ in case alone"
run traceviz convert odd.csv --to sqlite -o x.csv
is "$rc $(cat stderr)" "2 traceviz: --to sqlite contradicts the ending of -o 'x.csv'" "an ending of another format"
run traceviz convert odd.csv --to sqlite -o folder
is "$rc $(cat stderr)" "2 traceviz: -o 'folder': --to sqlite writes one file, expected FILE.sqlite or -" "a folder"
# The signal of a file that becomes too long ends the program in the middle.
(ulimit -f 64; exec traceviz convert -q "$DATA/cholesky-2nodes" -o cut.sqlite) >stdout 2>stderr
is "$([ $? -gt 0 ] && find . -name 'cut*' -o -name '.traceviz*')" "" "what is not whole does not stay"

if ! command -v sqlite3 >/dev/null; then
	skip 7 "no sqlite3"
	exit 0
fi
is "$(sqlite3 odd.sqlite 'PRAGMA integrity_check; SELECT group_concat(JobId || DependsOn) FROM edges;
	SELECT typeof(Start), typeof(Start_ns), typeof(Iteration), typeof(GFlop), typeof(JobId), End_ns, End - 9007199254.740993 = 0 FROM tasks LIMIT 1')" \
"ok
21,31,32,37,39,42
real|integer|integer|real|text|9007199254740993|1" "types, the graph"
is "$(sqlite3 run.sqlite "SELECT group_concat(name) FROM sqlite_master WHERE type = 'index'")" "tasks_Start,tasks_JobId,edges_JobId,edges_DependsOn" "indexes"
is "$(sqlite3 odd.sqlite "SELECT group_concat(name || '/' || type) FROM pragma_table_info('tasks') WHERE type LIKE 'DERIVED%'")" \
	"Duration/DERIVED REAL,Duration_ns/DERIVED INTEGER,Kind/DERIVED TEXT,Node/DERIVED TEXT,ResourceType/DERIVED TEXT" "columns that the input does not have"

# Of other programs: without ns, of other types; what is wrong has its place.
sqlite3 made.sqlite "CREATE TABLE tasks (ResourceId, Value, Start, End); INSERT INTO tasks VALUES ('w', 'a', 1e-6, 2), ('w', 7, '2', 3.5)"
is "$(traceviz convert -q made.sqlite -o - | tr '\n' ' ')" "ResourceId,Value,Start,End w,a,0.000001,2.000000 w,7,2.000000,3.500000 " "a table of another program"
sqlite3 made.sqlite "UPDATE tasks SET End = 'soon' WHERE rowid = 2"
run traceviz info made.sqlite
is "$rc $(cat stderr)" "1 traceviz: made.sqlite:tasks:2: column End is 'soon', expected a time in milliseconds" "a time that is none"
head -c 40000 run.sqlite >short.sqlite
run traceviz info short.sqlite
like "$rc $(cat stderr)" "1 traceviz: short.sqlite*damaged SQLite database: *" "a part of a file"
wrong=
size=$(wc -c <run.sqlite)
for page in 1 2 3 5 8 13 21 34; do
	[ $((4096 * page)) -lt "$size" ] || continue
	{ head -c $((4096 * page)) run.sqlite; head -c 4096 /dev/zero | tr '\0' '\377'; tail -c +$((4096 * page + 4097)) run.sqlite; } >noise.sqlite
	timeout 20 traceviz convert -q noise.sqlite -o damaged >out 2>&1
	status=$?
	[ $status -le 1 ] || wrong="$wrong $page:$status"
done
is "$wrong" "" "a page of noise"
