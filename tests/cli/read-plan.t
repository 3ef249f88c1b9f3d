#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# read-plan.t: columns and rows that a verb does not ask for are not read; the same results as with all of them
# needs perl zstd
. "$(dirname "$0")/lib.sh"
cp "$DATA/cholesky.csv" whole.csv

# left VERB FILE OPTIONS: the columns that it does not read, as a|b
left() { verb=$1 file=$2; shift 2; traceviz "$verb" "$@" "$file" --verbose 2>&1 >/dev/null | sed -n 's/, /|/g; s/^traceviz: columns of tasks that are not read: //p'; }
verbs=$(traceviz help verbs | grep -vxE 'plot|convert|record|diagnose|compare|simulate|generate|platform|precision|help|series|list|sql')
# Those that have a plan, those of them about tasks, and those of these that read no dependencies
planned=$(for verb in $verbs; do [ -z "$(left "$verb" whole.csv)" ] || echo "$verb"; done)
tasks=$(for verb in $planned; do ! traceviz "$verb" whole.csv >out 2>&1 || echo "$verb"; done)
linkless=$(for verb in $tasks; do ! left "$verb" whole.csv | grep -q 'DependsOn|' || echo "$verb"; done)
plan $((75 + $(echo "$tasks" | wc -l)))
is "$(($(echo "$planned" | wc -l) > 27)) $(($(echo "$tasks" | wc -l) > 18)) $(($(echo "$linkless" | wc -l) > 15))" "1 1 1" "as many verbs have a plan as ever"

# poison COLUMNS [FILE]: a value that no number is, one job, which waits for itself
poison() {
	awk -F, -v OFS=, -v names="^($1)\$" 'NR == 1 { for (i = 1; i <= NF; i++) bad[i] = $i ~ names; print; next }
		{ for (i = 1; i <= NF; i++) if (bad[i]) $i = "poison"; print }' "${2:-whole.csv}"
}
# result FILE VERB OPTIONS
result_of() { file=$1; shift; traceviz "$@" "$file" 2>&1; echo "status $?"; }
for options in $linkless "concurrency --by Params --step 1000" "share --by Footprint" "summary --by Priority,ResourceType" \
	"summary --restrict Priority>3" "summary --where duration>300 --by Value" "summary --by Duration" "summary --only GEMM --resource CUDA*" "idleness --begin 100 --end 900" \
	"aggregate --exclude Priority>3" "progress --by Node" "regression --against X"; do
	verb=${options%% *}
	# shellcheck disable=SC2086 # options
	columns=$(left "$verb" whole.csv ${options#"$verb"})
	poison "$columns" >poisoned.csv
	traceviz convert -q whole.csv -o folder.sqlite && zstd -qf poisoned.csv -o poisoned.csv.zst
	# shellcheck disable=SC2086
	{
		result_of whole.csv $options --strict >want
		result_of poisoned.csv $options >got
		result_of poisoned.csv.zst $options --threads 1 >got.zst
		result_of folder.sqlite $options >got.sqlite
		result_of poisoned.csv $options --strict >strict
	}
	is "$(cmp want got) $(cmp want got.zst) $(cmp want got.sqlite) $(grep -c 'DependsOn|' <<-END
		$columns|
	END
	) $(tail -1 strict)" "   1 status 1" "$options, poisoned: $(echo "$columns" | tr -cd '|' | wc -c) columns and one"
done
# Verbs that need the dependencies
for verb in $(printf '%s\n' "$tasks" "$linkless" | sort | uniq -u); do
	poison "$(left "$verb" whole.csv)" >poisoned.csv
	result_of whole.csv "$verb" >want
	result_of poisoned.csv "$verb" >got
	is "$(cmp want got) $(left "$verb" whole.csv | tr '|' '\n' | grep -c -x 'DependsOn\|JobId') $(tail -1 want)" " 0 status 0" "$verb, poisoned"
done
# Figures: the same picture where the columns that no panel asks for are poisoned; both files have one name, which is in the picture
mkdir whole poisoned && cp whole.csv whole/tasks.csv
drawn() { (cd "$1" && shift && traceviz tasks.csv "$@" 2>&1 && cat out.*; echo "status $?"; rm -f out.*); }
unread() { (cd whole && traceviz tasks.csv "$@" --verbose 2>&1 >/dev/null | sed -n 's/, /|/g; s/^traceviz: columns of tasks that are not read: //p'; rm -f out.*); }
panels=$(traceviz help panels | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
with_plan="abe concurrency durations gflops hetero-imbalance idle-causes imbalance open-iterations power-imbalance progress ready share spacetime starvation submitted utilization"
is "$(for panel in $panels; do [ -z "$(unread --panels "$panel" -o out.svg)" ] || echo "$panel"; done | sort | xargs)" "$with_plan" "the panels that have a plan"
for figure in all numa some $with_plan; do
	case $figure in
	all) options= ;;
	numa) options="--row-order numa" ;;
	some) options="--where Priority>30" ;;
	*) options="--panels $figure" ;;
	esac
	# shellcheck disable=SC2086 # options
	columns=$(unread $options -o out.svg)
	poison "$columns" >poisoned/tasks.csv
	# shellcheck disable=SC2086
	for to in "-o out.svg" "-o out.pdf" "-o out.svg --dump-boxes out.csv"; do
		drawn whole $options $to >want
		drawn poisoned $options $to >got
		cmp want got && [ "$(tail -1 want)" = "status 0" ] || echo "$to"
	done >differ 2>&1
	is "$(cat differ) $(echo "$columns" | tr '|' '\n' | grep -cx 'X\|Params')" " 2" "a figure, poisoned: $options"
done
is "$(left summary whole.csv --by Footprint | grep -c Footprint) $(left share whole.csv --by Y | tr '|' '\n' | grep -cx Y)" "0 0" "options name columns"

# Folders with messages, in one file for each table, in parts and as a database: messages may differ by their JobIds alone
traceviz convert -q "$DATA/cholesky-2nodes" -o links
for to in "--to parquet -o links.run" "--partition Node -o links.parts" "-o links.sqlite"; do
	# shellcheck disable=SC2086
	traceviz convert -q links $to
done
for from in links links.run links.parts links.sqlite; do
	for options in $linkless "idleness --begin 100 --end 120" "utilization --end 50"; do
		verb=${options%% *}
		# shellcheck disable=SC2086
		{
			result_of links $options --strict >want
			result_of $from $options >got
		}
		cmp want got && [ "$verb" = phases ] || left "$verb" $from | grep -q 'DependsOn|' || echo "$options"
	done >differ 2>&1
	is "$(cat differ)" "" "$from: each verb reads some columns"
done

# Verbs about other tables than tasks, of which JobIds and dependencies are none
traceviz convert -q "$TESTDATA/fxt/cholesky-12-2ranks" -o tables
sed -i 's/Used (MB)/Used/' tables/variables.csv
cp -r tables bad
poison "JobId|DependsOn|Priority|Tag|Footprint|Params|Size|GFlop|Handles|Modes|Sizes|X|Y" tables/tasks.csv >bad/tasks.csv
for options in "balance Used" "bandwidth --step 10" "bandwidth --by all" counter "counter Used --begin 0 --end 5" events \
	"in-flight --by all" memory-states "rate --name Used" "derive twice=2*Used" "window 10 --by max --name Used" "window 3"; do
	# shellcheck disable=SC2086
	{
		result_of tables $options --strict >want
		result_of bad $options >got
	}
	cmp want got && [ "$(tail -1 want)" = "status 0" ] && [ "$(wc -l <want)" -gt 2 ] || echo "$options"
done >differ 2>&1
is "$(cat differ)" "" "tables beside tasks, whose columns are poisoned"

# Marks that the tasks have are used
awk -F, -v OFS=, 'NR == 1 { print $0, "Outlier", "Threshold"; next } { print $0, ($3 > 300 && $3 < 340 || NR % 9 == 0), NR % 5 ? 2 : "" }' whole.csv >marked.csv
for verb in distribution disturbances imbalance; do
	result_of marked.csv $verb --strict >want
	result_of marked.csv $verb >got
	cmp want got && [ -n "$(left "$verb" marked.csv)" ] || echo "$verb"
	result_of whole.csv $verb | cmp -s - got && echo "$verb: the same without marks"
done >differ 2>&1
is "$(cat differ)" "" "columns of outliers are read"

# What columns that are not read might change is found with all of them
printf 'ResourceId,Value,Start,End,JobId,Priority\nC0,a,0,1,1,1\nC0,b,0,2,2,1\n' >equal.csv
is "$(left summary equal.csv) $(traceviz summary -q --by Value equal.csv | cut -d, -f1 | tr '\n' ' ')" "Priority Value a b " "equal starts: JobIds are read"
printf 'ResourceId,Value,Start,End,JobId\nC0,a,0,1,1\nC0,b,0,2,1\n' >twice.csv
run traceviz summary twice.csv
is "$rc $(cat stderr)" "1 traceviz: twice.csv:3: two identical executions: JobId 1 on C0 at 0.000000 ms (also on line 2), expected each once" "the same execution twice"
# Where workers are bound to one processor, and run on two
mkdir bound
printf 'ResourceId,Value,Start,End,Cpu\nw0,a,0,1,0\nw1,a,0,1,1\n' >bound/tasks.csv
printf 'ResourceId,ResourceType,Node,Cpuset\nw0,w,0,0\nw1,w,0,0\n' >bound/resources.csv
is "$(for verb in $linkless; do result_of bound "$verb" | grep processor; done)" "" "the processors that tasks ran on"
run traceviz summary --by Priorit whole.csv
is "$rc $(cat stderr)" "1 traceviz: whole.csv: --by: the tasks have no column 'Priorit' (did you mean 'Priority'?)" "a name that is nearly that of a column"
printf 'ResourceId,Value,Start,End,JobId,Segment\nC0,a,0,1,1,0\nC0,a,2,4,1,1\n' >segments.csv
is "$(left summary segments.csv) $(traceviz summary segments.csv | sed 1d | cut -d, -f3-5)" " 1,1,3.000000" "segments are joined"
printf 'ResourceId,Value,Start,End,Priority,Priority\nC0,a,0,1,1,1\n' >names.csv
run traceviz summary names.csv
like "$rc $(cat stderr)" "1 *column 'Priority' occurs twice in the header" "a name twice"
printf 'ResourceId,Value,Start,End,JobId,Priority\nC0,a,0,1,1\n' >short.csv
run traceviz summary short.csv
like "$rc $(cat stderr)" "1 *5 fields, expected 6*" "a row that is too short"
printf 'ResourceId,Value,Start,End,JobId,DependsOn\n' >empty.csv
is "$(result_of empty.csv summary)" "$(result_of empty.csv summary --strict)" "no rows"

# A byte of Parquet that is not that of the file: found, or of a column that is not read
traceviz convert -q whole.csv -o whole.parquet
traceviz summary whole.parquet >want
size=$(wc -c <whole.parquet)
for i in $(seq 1 60); do
	perl -0777 -pe 'substr($_, '"$((size * i / 61))"', 1) ^= "\x55"' whole.parquet >damaged.parquet
	traceviz summary damaged.parquet >got 2>&1 && { cmp -s want got && echo same || echo differs; }
	traceviz summary damaged.parquet --strict >got 2>&1 && { cmp -s want got && echo strict || echo differs; }
done | sort | uniq -c | awk '{ print ($2 == "same" ? $1 > 20 : $1), $2 }' >found
is "$(cat found)" "1 same" "damage of columns that are not read is not found, of others is"

# Windows: three groups of rows; a worker that runs only at the end
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,Priority"
	for (i = 0; i < 300000; i++) { w = i % 8; s = int(i / 8); printf "%s,%s,%d.25,%d.5,%d,%d\n", i == 299999 ? "CUDA9" : "CPU" w, i % 3 ? "gemm" : "trsm", s, s + 1, i, i % 5 } }' >long.csv
traceviz convert -q long.csv -o long.parquet
# of FILE VERB OPTIONS: row groups that are read
of() { file=$1; shift; traceviz "$@" "$file" --verbose 2>&1 >/dev/null | sed -n 's/.*: \([0-9]* of [0-9]*\) row groups .*/\1/p'; }
for window in "--begin 100 --end 120" "--end 1" "--begin 16384.25 --end 16384.26" "--begin 20000 --end 20000.1" "--begin 37499 --end 40000" "--begin 50000 --end 60000" \
	"--begin -9 --end -3" "--begin 16000 --end 17000"; do
	# shellcheck disable=SC2086
	for verb in idleness utilization concurrency; do
		result_of long.csv $verb $window >want
		result_of long.parquet $verb $window >got
		sed 's/long.csv/long.parquet/' want | cmp - got
	done >differ 2>&1
	# shellcheck disable=SC2086
	is "$(cat differ) $(of long.parquet idleness $window)" " $(case $window in *17000 | *.26) echo 3 of 3 ;; *37499*) echo 1 of 3 ;; *) echo 2 of 3 ;; esac)" "$window"
done
# Of some workers, or some rows of the result
for which in "--where Tasks>2" "--resource CPU3" "--resource CUDA9,CPU[01]" "--resource CPU9" "--node 0" "--node 7 --resource CPU1" "--only gemm"; do
	for window in "--begin 100 --end 120" "--begin 37499 --end 40000"; do
		for verb in idleness utilization concurrency; do
			# shellcheck disable=SC2086
			{
				result_of long.csv $verb $window $which >want
				result_of long.parquet $verb $window $which >got
			}
			sed 's/long.csv/long.parquet/' want | cmp - got
		done
	done >differ 2>&1
	# shellcheck disable=SC2086
	is "$(cat differ) $(of long.parquet idleness $window ${which#--only gemm})" " 1 of 3" "a window, $which"
done
sed 's/CUDA9/CPU7/' long.csv >same.csv
traceviz convert -q same.csv -o same.parquet
is "$(of same.parquet idleness --begin 100 --end 120)" "1 of 3" "a group of the same workers is not read"
is "$(of same.parquet idleness --begin 100 --end 120 --strict) $(of same.parquet idleness --level stream) $(of same.parquet idleness --begin 100 --end 120 --where "Tasks > 0")" "3 of 3 3 of 3 1 of 3" \
	"all with --strict and without a window, not with rows of the result"
for last in 's/^\(CPU7,\)gemm\(.*,299999,\)/\1plgsy\2/' 's/^CPU7,\([a-z]*\),[0-9.]*,[0-9.]*\(,299999,.*\)/CPU7,\1,,\2/;s/^\(Res.*\)/\1/'; do
	sed "$last" same.csv >kinds.csv
	traceviz convert -q kinds.csv -o kinds.parquet 2>/dev/null
	result_of kinds.csv idleness --begin 100 --end 120 | sed 's/kinds.csv/kinds.parquet/' >want
	[ ! -e kinds.parquet ] || result_of kinds.parquet idleness --begin 100 --end 120 >got
	ok "a group with tasks of another kind" cmp want got
done
# An earlier start and a later end, of rows that are read or not
sed -e '5s/,0.25,/,-7,/' -e 's/,37500.5,299998/,99999,299998/' same.csv >ends.csv
traceviz convert -q ends.csv -o ends.parquet
is "$(traceviz idleness ends.parquet --end 20000 | cksum) $(traceviz idleness ends.parquet --begin 20000 | cksum)" "$(traceviz idleness ends.csv --end 20000 | cksum) $(traceviz idleness ends.csv --begin 20000 | cksum)" \
	"begin and end of the run are those of all groups"

# Windows in parts
awk -F, -v OFS=, 'NR == 1 { print $0, "Node"; next } { print $0, $5 % 2 }' same.csv >nodes.csv
traceviz convert -q nodes.csv --partition Node -o nodes.parts
traceviz idleness nodes.csv --begin 100 --end 120 >want
traceviz idleness nodes.parts --begin 100 --end 120 >got
is "$(cmp want got) $(of nodes.parts idleness --begin 100 --end 120 | tr '\n' ' ')$(of nodes.parts idleness | tr '\n' ' ')" " 1 of 1 1 of 2 1 of 2 1 of 1 2 of 2 2 of 2 " "a window in parts"

# Statistics that lie, in the footer: the last group claims to end earlier, or to begin later
lie() {
	perl -0777 -pe 'my $n = unpack "V", substr $_, -8, 4; my $at = length() - 8 - $n; my $footer = substr $_, $at, $n;
		my ($from, $to) = map { pack "q<", $_ * 1000000 } '"$1"'; $footer =~ s/\Q$from\E/$to/g or die; substr($_, $at, $n) = $footer' same.parquet
}
lie "37500.5, 37400" >lie.parquet
run traceviz idleness lie.parquet --begin 33000 --end 33100
like "$rc $(cat stderr)" "1 traceviz: lie.parquet:*: a damaged Parquet file: column End: a value that is not within the statistics" "a value outside of them, in a group that is read"
run traceviz idleness lie.parquet --begin 100 --end 120 --strict
like "$rc $(cat stderr)" "1 traceviz: lie.parquet:*: a damaged Parquet file: column End: a value that is not within the statistics" "--strict reads all groups"
run traceviz summary lie.parquet
is "$rc" 1 "so does a verb without a window"

# Queries: columns and tables that they do not name
if traceviz sql -q whole.csv 'SELECT 1' 2>&1 | grep -q 'built without SQLite'; then
	skip 3 "traceviz was built without SQLite"
	exit 0
fi
cp whole.csv poisoned.csv
# query QUERY: how many columns it does not read; with and without them it gives the same
query() {
	columns=$(left sql whole.csv "$1")
	poison "${columns:-none}" >poisoned.csv
	result_of whole.csv sql --strict "$1" >want
	result_of poisoned.csv sql "$1" >got
	cmp -s want got || echo "differs: $1"
	echo "$columns" | tr -cd '|' | wc -c
}
result_of() { file=$1 verb=$2; shift 2; traceviz "$verb" "$file" "$@" 2>&1 | sed "s/$file/FILE/"; }
left() { traceviz "$1" "$2" "$3" --verbose 2>&1 >/dev/null | sed -n 's/, /|/g; s/^traceviz: columns of tasks that are not read: //p'; }
is "$(query "SELECT count(*), sum(End_ns - Start_ns) * 2 FROM tasks WHERE Value = 'gemm' AND jobid <> '' AND \"Priority\" > 3") $(query 'SELECT count(*) FROM edges') \
$(query 'SELECT Value, Tasks FROM summary ORDER BY 2 * 1, 1') $(query 'SELECT a.Value, a.X FROM tasks a JOIN tasks USING (Priority) LIMIT 3')" "14 14 15 14" "queries that name their columns"
is "$(query 'SELECT * FROM tasks') $(query 'SELECT t.* FROM tasks t') $(query 'SELECT count(*) FROM tasks NATURAL JOIN (SELECT 3 AS Priority)') $(query 'SELECT DISTINCT * FROM tasks LIMIT 3') \
$(query "SELECT count(name) FROM pragma_table_info('tasks')") $(query 'SELECT Value -- SELECT
* FROM tasks') $(query 'SELECT JobId FROM outliers WHERE Outlier') $(query 'SELECT Tasks FROM "summary --by Tag"') $(query 'SELECT "a""b" FROM tasks LIMIT 1')" \
	"0 0 0 0 0 0 0 0 0" "queries that read all"
traceviz convert -q "$DATA/cholesky-paje" -o states
is "$(for text in "SELECT count(*) FROM states" "SELECT count(*) FROM tasks" "SELECT count(*) FROM Variables" "SELECT count(*) FROM nope" "SELECT Nope FROM tasks"; do
	a=$(traceviz sql states "$text" 2>&1) b=$(traceviz sql states "$text" --strict 2>&1); [ "$a" = "$b" ] || echo "$text: $a, $b"; done)" "" "tables that they name, and names that there are not"
