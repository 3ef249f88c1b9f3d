#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cut-runs.t: runs that were cut short: tasks that never started are kept and counted as long as they wait
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 51
run traceviz convert -q "$DATA/cholesky.csv" -o whole.csv

# cut AT: what a trace knows that ends then: later tasks lose their execution, later submissions are not there.
cut_csv() { awk -F, -v OFS=, -v at="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next }
	$c["SubmitTime"] != "" && $c["SubmitTime"] + 0 >= at { next }
	$c["Kind"] == "app" && $c["Start"] + 0 >= at { $c["Kind"] = "pending"
		$c["ResourceId"] = $c["ResourceType"] = $c["Start"] = $c["End"] = $c["Duration"] = "" }
	$c["Kind"] == "app" && $c["End"] + 0 > at { $c["End"] = sprintf("%.6f", at); $c["Duration"] = "" }
	{ print }' whole.csv >"$2"; }
rows() { tail -n +2 "$1" | cut -d, -f1-5; }

# Oracle: until the cut nobody can know of it. The window of the whole run shows the same curves.
for at in 1 100.5 700 1500.25; do
	cut_csv $at cut.csv
	for curve in "ready" "submitted" "submitted --by Node" "ready --by Value" "submitted --step 10"; do
		traceviz ${curve%% *} ${curve#${curve%% *}} -q cut.csv >got
		traceviz ${curve%% *} ${curve#${curve%% *}} -q --end $at whole.csv >want
		is "$(rows got | cksum)" "$(rows want | cksum)" "cut at $at ms: $curve as in the whole run"
	done
	is "$(traceviz idle-causes -q cut.csv | awk -F, '$7 == "drain" { print $8 + 0 }')" 0 "cut at $at ms: no worker is done"
	run traceviz convert -q cut.csv -o again.csv
	ok "cut at $at ms: rows are kept as they are" cmp cut.csv again.csv
done

# Passes that count what ran give the same with and without what never started.
cut_csv 700 cut.csv
grep -v ',pending,' cut.csv >ran.csv
for pass in summary distribution bounds abe idleness utilization imbalance concurrency share throughput phases progress \
	aggregate lifecycle-summary priorities regression deviating-resources disturbances; do
	traceviz $pass -q cut.csv >a; traceviz $pass -q ran.csv >b
	cmp -s a b || echo "$pass"
done >differ
is "$(cat differ)" "" "numbers of tasks that ran do not change"
for pass in deps chain outliers iterations lifecycle; do
	is_same=$(traceviz $pass -q cut.csv | grep -v ',pending,' | cksum)
	[ "$is_same" = "$(traceviz $pass -q ran.csv | cksum)" ] || echo "$pass"
done >differ
is "$(cat differ)" "" "annotations of tasks that ran do not change"
run traceviz -q cut.csv -o cut.boxes.csv
like "$(cat cut.boxes.csv)" "*the run was cut: $(grep -c ,pending, cut.csv) of $(grep -c -e ,pending, -e ,app, cut.csv) submitted tasks never started*" "the header says it"
is "$(traceviz info -q cut.csv | awk -F, '$1 == "pending rows" { n += $3 } END { print n }')" "$(grep -c ,pending, cut.csv)" \
	"info counts them"
run traceviz convert -q --restrict 'Value == POTRF' cut.csv -o part.csv
is "$(grep ,pending, part.csv | cut -d, -f2 | sort -u)" "POTRF" "--restrict chooses among them"

# A run in which nothing started.
awk -F, 'NR == 1 || /,pending,/' cut.csv >nothing.csv
run traceviz submitted -q nothing.csv
is "$rc $(tail -1 stdout | cut -d, -f1,5)" "0 not ended,$(($(grep -c ,pending, nothing.csv) - 1))" \
	"nothing started: all wait, but the one that is submitted at the end"
run traceviz bounds -q nothing.csv
is "$rc $(cat stderr)" "1 traceviz: nothing.csv: bounds: the trace has no task to count, only tasks that never started \
(see --kind, --task-state and traceviz info)" "bounds of nothing"
run traceviz submitted --counter cut.csv
is "$rc" 1 "a counter that is not there"

# FxT: a file that ends early.
zstd -dq "$TESTDATA/fxt/cholesky-12-dmdas/prof_file_0.zst" -o prof
head -c 500000 prof >prof_cut
run traceviz convert -q prof_cut -o fxt
is "$rc $(cut -d, -f7 fxt/tasks.csv | grep -c -e '^app$' -e '^pending$')" "0 364" "FxT: all submitted tasks are there"
is "$(traceviz submitted -q prof_cut | tail -1 | cut -d, -f1,5)" \
	"not ended,$(($(grep -c ,pending, fxt/tasks.csv) + $(grep -c ,open, fxt/tasks.csv)))" "those that never started or ended count"
is "$(traceviz submitted -q prof_cut | cksum)" "$(traceviz submitted -q fxt | cksum)" "from the folder the same"
run traceviz submitted --counter prof_cut
like "$(grep '"popped, waiting"' stdout | tail -1)" '"popped, waiting",*,?,,' "popped and waiting are few"
head -c 150000 prof >prof_early
run traceviz submitted -q prof_early
is "$rc $(tail -1 stdout | cut -d, -f5)" "0 $(traceviz info -q prof_early | awk -F, '$1 == "pending rows" { n += $3 } END { print n }')" \
	"FxT: nothing started yet"
is "$(traceviz info -q prof | grep -c '^pending')" 0 "a whole file has none"

# tasks.rec: submitted without StartTime, unless a task that ran needed it, or the runtime submits it for itself.
printf 'Name: a\nJobId: 1\nSubmitTime: 0\nStartTime: 1\nEndTime: 5\nWorkerId: 0\nDependsOn: 7\n
JobId: 2\nSubmitTime: 2\nDependsOn: 1\n\nName: a\nJobId: 3\nSubmitTime: 3\nDependsOn: 2\n
Name: _starpu_data_acquire_cb_pre\nJobId: 4\nSubmitTime: 3\n\nControl: WontUse\nJobId: 5\nSubmitTime: 1\n
JobId: 6\nDependsOn: 1\n\nJobId: 7\nSubmitTime: 0\n\n' >t.rec
run traceviz convert -q t.rec -o rec.csv
is "$rc $(columns rec.csv JobId,Kind | sort -n | tr '\n' ' ')" \
	"0 1 app 2 pending 3 pending 4 ghost 6 ghost 7 ghost " "tasks.rec"

# StartTime without EndTime: the task ran when the run was killed. It ends at the last time of the file, and is written without EndTime.
printf 'Name: a\nJobId: 1\nSubmitTime: 0\nStartTime: 1\nEndTime: 5\nWorkerId: 0\n\nName: b\nJobId: 2\nSubmitTime: 2\nStartTime: 3\nWorkerId: 1\n\n' >open.rec
run traceviz convert open.rec -o open.csv
is "$rc $(awk -F, "$by_name"'{ print $c["JobId"], $c["Kind"], $c["End"] - $c["Start"], $c["Flag"] }' open.csv | xargs) $(grep -c 'task without end' stderr)" "0 1 app 4 2 app 2 open 1" "tasks.rec: a task that had not ended"
run traceviz convert -q open.csv --to rec -o again
is "$(grep -c EndTime again/tasks.rec) $(traceviz convert -q again/tasks.rec -o - | grep -c ',open$')" "1 1" "and back"

# Bad rows are named.
printf 'ResourceId,Value,Start,End,JobId,Kind\nC0,a,0,1,1,pending\n' >bad.csv
run traceviz info bad.csv
is "$rc $(cat stderr)" "1 traceviz: bad.csv:2: a row of Kind pending with Start and End, expected none" "a pending row that ran"

# A file that is cut where no task runs or waits: only the damage shows it, also in the tables of the trace.
mkdir between
zstd -dcq "$TESTDATA/fxt/1.4.12-parallel/prof_file_0.zst" >whole.fxt
head -c $(($(wc -c <whole.fxt) * 71 / 100)) whole.fxt >between/prof_file_0
first() { traceviz diagnose -q --csv "$1" | awk -F, 'NR == 2' | grep -o "The [a-z ]*[.:]*[^:]*: [0-9]* tasks*" | head -1; }
traceviz convert -q between -o tables
is "$(traceviz info -q --csv between | grep -cE 'ExecutionsOpen,0|TasksOpen,0') $(traceviz info -q --csv between | grep -c pending)" "2 0" "cut between tasks: none is open or pending"
for of in between tables; do
	like "$(first $of)" "The trace ends before the run. Until then the run took *" "the first sentence of diagnose has it: $of"
done
run traceviz -q between -o between.csv
is "$(grep -c 'the trace ends before the run' between.csv)" 1 "the header of a figure as well"
mkdir all && cp whole.fxt all/prof_file_0
like "$(first all)" "The run took *" "not so of the whole file"
