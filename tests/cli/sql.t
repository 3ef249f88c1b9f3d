#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sql.t: queries: the same from memory and from a database, definitions as SQL, what is refused, limits, random queries
. "$(dirname "$0")/lib.sh"
plan 54
cat >few.csv <<'EOF2'
ResourceId,Value,Start,End,JobId,DependsOn,GFlop,"my ""col""
umn"
w,a,0,1.000001,1,,1,x
w,a'b,2,3,2,1 1,,""
v,c,2,2,3,1 2 7,0.5,
v,c,4,5,3,2 9,3,
EOF2
run traceviz sql few.csv 'SELECT 1'
if grep -q 'built without SQLite' stderr; then
	is "$rc $(cat stderr)" "1 traceviz: this traceviz was built without SQLite (Debian: libsqlite3-dev), which answers queries" "without SQLite"
	skip 53 "traceviz was built without SQLite"
	exit 0
fi
is "$rc $(cat stdout)" "0 1
1" "a query"

# sql QUERY: its rows, lines joined; or the message
sql() { traceviz sql -q few.csv "$1" 2>&1 | tr '\n' ' '; }
is "$(sql 'SELECT JobId, Start, End_ns, Duration, GFlop FROM tasks')" \
	"JobId,Start,End_ns,Duration,GFlop 1,0,1000001,1.000001,1 2,2,3000000,1, 3,2,2000000,0,0.5 3,4,5000000,1,3 " "columns of a CSV and those that it does not have"
is "$(sql 'SELECT * FROM edges')" "JobId,DependsOn 2,1 3,1 3,2 3,7 3,9 " "edges: each pair once"
is "$(sql "SELECT Value, \"my \"\"col\"\"
umn\" IS NULL AS none FROM tasks WHERE Value = 'a''b'")" "Value,none a'b,0 " "names with quotes"
is "$(sql "SELECT (SELECT count(*) FROM tasks WHERE JobId = 3), (SELECT count(*) FROM tasks WHERE JobId = '3'), (SELECT count(*) FROM tasks WHERE JobId = '03'),
	(SELECT count(*) FROM tasks WHERE JobId = NULL), (SELECT count(*) FROM tasks WHERE Value = 'C' COLLATE NOCASE), (SELECT count(*) FROM tasks WHERE JobId IN ('1', '3', 'x'))" |
	sed 's/.* \([^ ]* \)$/\1/')" "2,2,0,0,2,3 " "names that are searched"
is "$(sql 'SELECT 1 AS a, 2 AS a, 3.5 AS b, 9007199254740993 AS c, 1 AS d, NULL AS e UNION ALL SELECT 1.5, 1e400, NULL, 0.5, 0.25, NULL UNION ALL SELECT 2, 1, 1, 1, x'"''"', NULL')" \
	'a,a_2,b,c,d,e 1,2,3.5,9007199254740993,1, 1.5,,,0.5,0.25, 2,1,1,1,"", ' "types of columns of results, equal names, large numbers"
is "$(traceviz sql -q --json few.csv 'SELECT JobId, GFlop FROM tasks LIMIT 2' | tr -d '\n')" '[{"JobId":"1","GFlop":1},{"JobId":"2","GFlop":null}]' "JSON"
is "$(sql 'SELECT quantile(x, 0), quantile(x, 0.25), quantile(x, 0.5), quantile(x, 1) FROM (SELECT 4 AS x UNION SELECT 1 UNION SELECT 3 UNION SELECT NULL UNION SELECT 2)' | sed 's/.*" //')" \
	"1,1.75,2.5,4 " "quantiles of type 7"
is "$(sql 'SELECT quantile(GFlop, 0.5) IS NULL AS none, quantile(7, 0.3) AS one FROM tasks WHERE GFlop > 100 OR JobId = 1' | cut -d' ' -f2)" "0,7" "of one value"
is "$(sql 'SELECT quantile(GFlop, 0.5) IS NULL AS none FROM tasks WHERE GFlop > 100')" "none 1 " "of no value"
is "$(sql 'SELECT quantile(Value, 0.5) FROM tasks')$(sql 'SELECT quantile(GFlop, 2) FROM tasks')" \
	"traceviz: quantile(x, q): expected numbers, q from 0 to 1 traceviz: quantile(x, q): expected numbers, q from 0 to 1 " "of what is no number, beyond 1"

# The same rows, in the same order, from CSV, from a database, and by another program that reads this
differ=
for name in cholesky.csv cholesky-2nodes cholesky-decisions cholesky-paje e5-2650 mpi-halo mpi-overlap qr-mumps-like.csv; do
	traceviz convert -q "$DATA/$name" -o db.sqlite
	for table in $(traceviz sql -q db.sqlite 'SELECT 1 FROM none' 2>&1 | sed 's/.*idle_causes//' | tr -d ,); do
		traceviz sql -q "$DATA/$name" "SELECT rowid, * FROM $table" >memory
		traceviz sql -q db.sqlite "SELECT rowid, * FROM $table" >file
		cmp memory file || differ="$differ $name:$table"
	done
done
is "$differ" "" "the same from both"

# Verbs get the columns that they read of tasks, whatever the query names; with a comment it reads all.
differ=
for table in $(traceviz help verbs | tr - _); do
	columns=$(traceviz sql -q "$DATA/cholesky-2nodes" "SELECT * FROM $table --" 2>/dev/null | head -1 | sed 's/,/","/g')
	traceviz sql "$DATA/cholesky-2nodes" "SELECT \"$columns\" FROM $table --" >all 2>&1
	traceviz sql "$DATA/cholesky-2nodes" "SELECT \"$columns\" FROM $table" >planned 2>&1
	cmp all planned || differ="$differ $table"
done
is "$differ" "" "verbs read what they need"

# The definitions of docs/sql.md, on all samples that have tasks and the columns
for definition in 'SELECT JobId FROM outliers' 'FROM run, idleness' 'AND Released_ns IS NOT ns' 'SELECT a.Value, a.ResourceType FROM abe a'; do
	query=$(awk -v have="$definition" '/^    traceviz sql/ { text = ""; on = 1 } on { text = text $0 "\n" } /"$/ && on { on = 0; if (index(text, have)) print text }' \
		"$ROOT/docs/sql.md" | sed 's/^    traceviz sql [^ ]* "//; s/ \\$//; s/"$//')
	wrong= n=0
	for name in cholesky.csv cholesky-2nodes cholesky-4nodes/p1x4 cholesky-4nodes/p2x2 cholesky-decisions cholesky-dmda.csv cholesky-dmdas.csv cholesky-paje \
		cholesky-ws.csv mpi-halo qr-mumps-like.csv; do
		case $definition in
		*Released*) traceviz sql -q "$DATA/$name" 'SELECT Handles FROM tasks LIMIT 1' >out 2>&1 || continue ;;
		esac
		traceviz sql -q "$DATA/$name" "$query" >out 2>&1 || wrong="$wrong $name: $(cat out)"
		n=$((n + 1))
		case $definition in
		*run,*) awk -F, 'NR > 1 { n++; if ($2 != $3) bad++ } END { exit n == 0 || bad }' out || wrong="$wrong $name" ;;
		*) [ "$(wc -l <out)" -eq 1 ] || wrong="$wrong $name" ;;
		esac
	done
	is "$wrong" "" "$definition: query and verb agree"
	ok "on $n samples" [ "$n" -ge 9 ]
done

# Verbs
is "$(traceviz sql -q "$DATA/cholesky-2nodes" 'SELECT Cause, Time FROM idle_causes' | cksum)" \
	"$(traceviz idle-causes --csv -q "$DATA/cholesky-2nodes" | perl -ne 'chomp; my @c = split /,/; BEGIN { $, = ","; $\ = "\n" }
	if ($. == 1) { @i{@c} = 0 .. $#c; print "Cause", "Time" } else { print $c[$i{Cause}], $c[$i{Time}] + 0 }' | cksum)" "the result of a verb"
like "$(sql 'SELECT * FROM front_memory')" "traceviz: the tasks have neither the column ANode nor Tag*" "a verb that cannot answer"
is "$(sql 'SELECT * FROM states')" "traceviz: no such table: states; there are input, results of verbs, with _ for - (idle_causes), tasks, edges " "a table that is not there"

both() { is "$(traceviz sql -q "$DATA/cholesky-2nodes" "SELECT * FROM \"$2\"" | perl -ne 'chomp; my @c = split /,/, $_, -1; BEGIN { $, = ","; $\ = "\n" }
	@i = grep { $c[$_] !~ /_ns$/ } 0 .. $#c if $. == 1; print map { /^-?[0-9.]+$/ ? $_ + 0 : $_ } @c[@i]')" \
	"$(traceviz "$1" -q --csv "$DATA/cholesky-2nodes" $3 | perl -ne 'chomp; BEGIN { $, = ","; $\ = "\n" } print map { /^-?[0-9.]+$/ ? $_ + 0 : $_ } split /,/, $_, -1')" "$2"; }
both idle-causes "idle_causes --by culprit" "--by culprit"
both idle-causes "idle_causes  --by=node" "--by=node"
both summary "summary --of links --by 'Origin,Dest'" "--of links --by Origin,Dest"
is "$(traceviz sql -q a="$DATA/cholesky-2nodes" b="$DATA/cholesky-2nodes" 'SELECT count(*) AS n FROM "a_idle_causes --by node" JOIN "b_idle_causes --by node" USING (Node, Cause)' | tail -1)" \
	"$(traceviz idle-causes -q --by node --csv "$DATA/cholesky-2nodes" | sed 1d | wc -l)" "of two runs"
is "$(sql 'SELECT * FROM "idle_causes --by nope"' | cut -c1-50)" "traceviz: --by 'nope', expected run, node, type, w" "a wrong value"
is "$(sql 'SELECT * FROM "idle_causes --top 3"')" "traceviz: --top in the name of a table, expected an option of idle-causes alone " "an option of rows"
is "$(sql 'SELECT * FROM "idle_causes other.csv"')" "traceviz: 'other.csv' in the name of a table, expected options of idle-causes " "a trace"
is "$(sql "SELECT * FROM \"idle_causes --by 'node\"")" "traceviz: idle_causes --by 'node: a quote without its second one, expected --option 'value' " "a quote"

# Functions of spans
is "$(sql 'SELECT overlap(1, 5, 3, 9) AS a, overlap(1, 2, 3, 4) AS b, overlap(1, 2.5, 2, 9) AS c, overlap(1, NULL, 2, 3) IS NULL AS d, overlap(9007199254740992, 9007199254740995, 0, 9007199254740993) AS e')" \
	"a,b,c,d,e 2,0,0.5,1,1 " "overlap"
is "$(sql 'SELECT covered(a, b) AS n, covered(a, b + 0.25) AS x, covered(NULL, b) IS NULL AS none FROM (SELECT 7 AS a, 8 AS b UNION ALL SELECT 1, 3 UNION ALL SELECT 2, 5 UNION ALL SELECT 2, 4
	UNION ALL SELECT 9, NULL UNION ALL SELECT 6, 5)')" "n,x,none 5,5.5,1 " "covered"

# Several runs, standard input
is "$(traceviz sql -q a=few.csv b=few.csv 'SELECT count(*) AS n FROM a_tasks JOIN b_tasks b USING (JobId) JOIN a_edges USING (JobId)' 2>&1 | tr '\n' ' ')" "n 17 " "several runs"
run traceviz sql a=few.csv a=few.csv 'SELECT 1'
is "$rc $(tail -1 stderr)" "2 traceviz: a label is given twice, expected one for each trace" "a label twice"
is "$(printf 'k,x\n1,a\n2,b\n' | traceviz sql -q few.csv 'SELECT x, count(*) AS n FROM input JOIN tasks ON JobId = k GROUP BY 1' | tr '\n' ' ')" "x,n a,1 b,1 " "a table on standard input"
is "$(traceviz outliers few.csv -q | traceviz sql 'SELECT count(*) AS n FROM input' | tr '\n' ' ')" "n 4 " "without a trace"
is "$(traceviz sql -q - 'SELECT * FROM input' <few.csv 2>&1)" "traceviz: standard input is the trace, expected a file for one of it and input" "standard input is the trace"

# Wrong queries
run traceviz sql -q few.csv 'SELECT JobId, Nope FROM tasks'
is "$rc $(cat stderr)" "1 traceviz: no such column: Nope; tasks has ResourceId, Value, Start, Start_ns, End, End_ns, JobId, DependsOn, GFlop, my \"col\"?umn, Duration, Duration_ns, Kind, Node, ResourceType
  SELECT JobId, Nope FROM tasks
                ^" "the message has the place"
run traceviz sql -q few.csv 'SELECT 1; SELECT 2'
is "$rc $(head -1 stderr)" "1 traceviz: a second statement, expected one" "two statements"
is "$(sql 'SELECT 1 AS one; -- nothing')$(sql ' ')" "one 1 traceviz: the query is empty, expected SELECT ... " "a comment behind, nothing"
run traceviz sql few.csv
is "$rc $(cat stderr)" "2 traceviz: sql needs a QUERY behind the traces; try 'traceviz sql --help'" "no query"
sed '2s/umn/start/; 1s/my .*/start"/; 2d' few.csv >case.csv
run traceviz sql -q case.csv 'SELECT Start FROM tasks'
is "$rc $(cat stderr)" "1 traceviz: duplicate column name: start" "names that differ in case alone"

# Nothing is written, nothing else is read.
allowed=
while read -r query; do
	traceviz sql few.csv "$query" >out 2>&1 && allowed="$allowed $query"
done <<'EOF2'
CREATE TABLE x (a)
CREATE TEMP TABLE x AS SELECT * FROM tasks
CREATE VIEW x AS SELECT 1
DELETE FROM tasks
INSERT INTO tasks (JobId) VALUES (1)
UPDATE tasks SET Value = 'x'
UPDATE sqlite_master SET sql = 'x'
INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x (a)')
ATTACH 'out.db' AS x
VACUUM INTO 'out.db'
PRAGMA writable_schema = 1
PRAGMA database_list
SELECT * FROM pragma_database_list
SELECT load_extension('libc.so.6')
SELECT readfile('few.csv')
BEGIN
DROP TABLE tasks
EOF2
is "$allowed" "" "what is no SELECT is refused"
is "$(ls out.db 2>/dev/null)" "" "and writes no file"
is "$(sql "SELECT count(*) > 10 AS many FROM pragma_table_info('tasks')")" "many 1 " "but columns can be listed"

# Queries without end
run timeout 20 traceviz sql -q --timeout 300ms few.csv 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'
is "$rc $(cat stderr)" "1 traceviz: the query was ended by its limit of time, see --timeout" "ended by the time"
run timeout 60 traceviz sql -q --max-memory 30M few.csv 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c ORDER BY -x'
is "$rc $(cat stderr)" "1 traceviz: the query needs more memory than there is, see --max-memory" "ended by the memory"
run timeout 60 traceviz sql -q --max-memory 30M few.csv 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c'
like "$rc $(cat stderr)" "1 traceviz: out of memory while collecting the rows of the query: *" "so are its rows"
run timeout 60 traceviz sql -q few.csv "SELECT zeroblob(2000000000)"
like "$rc $(cat stderr)" "1 traceviz: string or blob too big*" "a cell that is too large"

# A join of 100,000 tasks is no scan for each; a chain has as many edges.
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn"; for (i = 1; i <= 100000; i++) printf "w,a,%d,%d,%d,%s\n", i, i + 1, i, (i > 1 ? i - 1 : "") }' >chain.csv
run timeout 60 traceviz sql -q --timeout 30s chain.csv 'SELECT count(*) AS n, max(t.Start - d.End) AS x FROM edges e JOIN tasks t USING (JobId) JOIN tasks d ON d.JobId = e.DependsOn'
is "$rc $(tr '\n' ' ' <stdout)" "0 n,x 99999,0 " "joins use the names of jobs"

if ! python3 -c 'import sqlite3, sys; sys.exit(sqlite3.sqlite_version_info < (3, 30))' 2>/dev/null; then
	skip 2 "no python3 with sqlite3: random queries are not compared"
	exit 0
fi
seed 37
is "$(python3 "$ROOT/tests/cli/sql_random.py" "$seed" 300 2>&1 | tail -5)" "0 wrong, most have rows" "300 random queries, as Python answers them"
traceviz convert -q "$DATA/cholesky.csv" -o db.sqlite
is "$(python3 -c 'import sqlite3; print(*sqlite3.connect("db.sqlite").execute("SELECT count(*), sum(Start_ns), count(DISTINCT Value) FROM tasks").fetchone(), sep=",")')" \
	"$(traceviz sql -q "$DATA/cholesky.csv" 'SELECT count(*), sum(Start_ns), count(DISTINCT Value) FROM tasks' | tail -1)" "Python opens the database"
