#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose.t: the diagnosis against the account, a constructed trace per finding, its commands, its gate
# needs pdfinfo pdftotext
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/cli/finds.sh"

plan 85

# Parts are those of the account.
for trace in "$DATA/cholesky-ws.csv" "$DATA/cholesky-dmda.csv" "$DATA/cholesky-2nodes"; do
	traceviz diagnose -q --json "$trace" >all.json
	is "$(tr -d '[]{}"' <all.json | grep -c 'Kind:part\|Kind: part')" \
		"$(traceviz account -q --csv "$trace" | awk -F, '$1 == "part" && $10 + 0 != 0' | wc -l | tr -d ' ')" "$(basename "$trace"): all parts"
	is "$(traceviz diagnose -q --csv "$trace" | awk -F, '$1 == "run" { all = $4 } $1 == "part" { sum += $4 } END { printf "%.6f", all - sum }' | tr -d -)" \
		0.000000 "which add up"
	traceviz diagnose -q "$trace" >text
	is "$(grep -c '^First: \|^To do: \|^See: ' text) $(awk 'length > 80 && !/traceviz /' text | wc -l | tr -d ' ')" "3 0" "an answer in lines of 80 columns"
done
is "$(for trace in "$DATA"/cholesky*; do traceviz diagnose -q "$trace" 2>&1 | awk -v trace="$trace" 'END { if (NR > 25) print trace, NR }'; done)" "" "one screen has 25 lines"
traceviz diagnose -q "$DATA/cholesky-ws.csv" >screen
is "$(grep -c '^Then: ' screen) $(sed -n 's/^\([0-9]*\) more findings*: .*/\1/p' screen)" \
	"2 $(traceviz diagnose -q --csv "$DATA/cholesky-ws.csv" | grep -c '^finding' | awk '{ print $1 - 3 }')" "which names the next two causes and counts the others"
is "$(traceviz diagnose -q --all "$DATA/cholesky-ws.csv" | grep -c '^ *[0-9]*\. ')" \
	"$(traceviz diagnose -q --csv "$DATA/cholesky-ws.csv" | grep -c ^part)" "--all"

(cd "$ROOT" && traceviz diagnose -q data/cholesky-2nodes) >example
is "$(sed -n '/^## An example/,/^## How/{/^    \(\$\|\.\.\.\)/d; s/^    //p}' "$ROOT/docs/diagnose.md" | grep -vxFf example)" "" "the example of the documentation is what it prints"

# Every command runs and writes what it names.
mkdir "it's a run"
cp "$DATA/cholesky-ws.csv" "it's a run/-x=compare.csv"
(cd "it's a run" && traceviz diagnose -q --csv -- ./-x=compare.csv) >here
traceviz diagnose -q "it's a run/-x=compare.csv" --all >text
# run_all: runs the commands in text; what fails
run_all() {
	sed -n 's/^ *\(traceviz .*\)/\1/p' text | sort -u >commands
	while read -r command; do
		sh -c "$command -q" >out 2>err </dev/null || { echo "$command: $(cat err)"; continue; }
		case $command in
		*' -o '*) [ -s "${command##* }" ] || echo "$command: no picture" ;;
		*) [ -s out ] || echo "$command: nothing" ;;
		esac
	done <commands
}
is "$(run_all) $([ "$(wc -l <commands)" -ge 6 ] && echo many)" " many" "the commands run, in a folder with a blank and a quote"
is "$(grep -c 'traceviz.* ./-x=compare.csv' here)" "$(grep -c 'traceviz.*compare.csv' here)" "a file that looks like an option with a label"
traceviz diagnose -q "$DATA/cholesky-ws.csv" --kind app,setup --restrict "Value != 'TRSM'" --resources CPU=30 >text
is "$(run_all)" "" "with what limits the trace"
is "$(grep -cF -e "--kind app,setup --restrict 'Value != '\\''TRSM'\\''' --resources CPU=30" commands)" "$(wc -l <commands | tr -d ' ')" "which is in each of them"
is "$(traceviz diagnose -q --csv --max-memory 1G "$DATA/cholesky-ws.csv" | grep -c -e '--csv' -e memory)" 0 "other options are not"

# One trace per finding; the finding, its time and time of workers.
head='ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime\n'
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,a,2,20,30,app,,20\nC1,CPU,b,3,0,12,app,,0\nC1,CPU,b,4,12,24,app,,0\n'; } >submission.csv
is "$(finds submission submission.csv)" "4.000000 8.000000" "submission: 8 ms of 2 workers"
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,a,2,10,20,app,,0\nC0,CPU,a,3,20,30,app,,0\nC1,CPU,a,4,0,10,app,,0\n'; } >elsewhere.csv
is "$(finds elsewhere elsewhere.csv)" "5.000000 10.000000" "elsewhere: C1 could have run the last one"
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,b,2,16,30,app,1,0\n'; } >runtime.csv
is "$(finds runtime runtime.csv)" "6.000000 6.000000" "runtime: before a released task"
is "$(finds fine-tasks runtime.csv)" "6.000000 6.000000" "fine-tasks: 3 ms each before tasks of 12"
{ printf "$head"; printf 'C1,CPU,a,1,0,20,app,,0\nC0,CPU,b,2,20,30,app,1,0\nC0,CPU,c,3,30,40,app,,0\nC1,CPU,c,4,20,38,app,,0\n'; } >order.csv
is "$(finds fixed-order order.csv), $(finds runtime order.csv), $(finds fine-tasks order.csv)" "10.000000 20.000000, , " "fixed-order: c waits behind b, which is not released"
printf 'ResourceId,Value,Start,End,JobId,DependsOn\nCPU0,a,0,4,1,\nCPU0,a,5,9,2,1\nCPU1,b,0,3,3,\n' >serial.csv
is "$(finds serial serial.csv)" "m2.500000 -" "serial: one chain"
like "$(traceviz diagnose -q serial.csv | xargs)" "*a chain of 2 tasks takes most of the run (serial)*takes 8.000 ms, 89 % of the \
run: 2 tasks of type a,*cannot make the run shorter than that.*" "a chain that is shorter than the run, and its words"
{ printf "$head"; printf 'C0,CPU,a,1,0,30,app,,0\nC1,CPU,a,2,0,10,app,,0\n'; } >tail.csv
is "$(finds long-tail tail.csv)" "10.000000 20.000000" "long-tail: C1 is done after 10 ms"
{ printf "$head"; printf 'C0,CPU,b,1,0,20,app,,0\nG0,GPU,a,2,20,22,app,1,0\nG0,GPU,a,3,22,24,app,2,0\nC0,CPU,a,4,20,30,app,1,0\nG0,GPU,b,5,24,29,app,3,0\n'; } >scarce.csv
is "$(finds scarce-idle scarce.csv | awk '{ print $2 }')" 21.000000 "scarce-idle: the GPU waits for b on the CPU, and has no task at the end"
{ printf "$head"; printf 'C,CPU,a,1,0,2,app,,0\nC,CPU,b,2,2,8,app,,0\nG,GPU,a,3,0,2,app,,0\nG,GPU,b,4,2,3,app,,0\nG,GPU,a,5,3,5,app,,0\n'; } >allocation.csv
is "$(finds allocation allocation.csv)" "2.500000 6.000000" "allocation: b on the CPU, as in the test of the account"
is "$(finds crowded allocation.csv)" "m4.000000 4.000000" "crowded: 8 ms of work on the CPU where 4 are possible"
long_task() { # GFLOP: of the long one, where others have 1
	awk -v gflop="$1" 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime,GFlop"
		for (w = 0; w < 4; w++) for (i = 0; i < 40; i++) { is = w == 1 && i == 39
			print "C" w ",CPU,a," ++n "," 10 * i "," 10 * i + 10 + 400 * is ",0," (is ? gflop : 1) } }'
}
long_task 1 >outlier.csv
is "$(finds outliers outlier.csv | awk '{ print $2 }'),$(finds unequal-tasks outlier.csv)" 400.000000, "outliers: 410 ms where others take 10 for the same work"
long_task 41 >larger.csv
is "$(finds unequal-tasks larger.csv | awk '{ print $2 }'),$(finds outliers larger.csv)" 400.000000, "unequal-tasks: they have more work"
like "$(traceviz -q larger.csv | xargs)" "*1 task took much longer than others of its type, job 80: the longest, of type a, 410.0 ms, others 10.00 ms on average. It has more work.*" "in words"
cut -d, -f1-7 larger.csv >unknown.csv
like "$(traceviz -q unknown.csv | xargs)" "*Whether that is more work is not known*" "which nobody knows without a measure of work"
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime"
	for (w = 0; w < 3; w++) for (i = 0; i < 40; i++) print "C" w ",CPU,a," ++n "," 12 * i "," 12 * i + 10 + (w == 1) ",0" }' >slow.csv
is "$(finds slow-worker slow.csv | awk '{ print $2 }')" 40.000000 "slow-worker: 40 tasks, 1 ms longer than the others"
awk -F, -v OFS=, 'NR > 1 && $4 > 40 && $4 <= 80 && $4 <= 60 { $6-- } { print }' slow.csv >later.csv
like "$(traceviz diagnose -q later.csv | xargs)" "*tasks on worker C1 take longer than others for a time (slow-worker). From 240.0 ms on, up to the end, the 20 tasks on worker C1 took 20.00 ms longer in all than others of their type.*" "slow-worker: from when on"
# How many tasks the picture of a finding marks.
marks() {
	traceviz outliers -q "$2" --where "$(traceviz diagnose -q --csv "$2" | sed -n "s/^finding,[0-9]*,$1,.*--highlight '\\([^']*\\)'.*/\\1/p" | sed 's/""/"/g')" | sed 1d | wc -l
}
is "$(marks slow-worker later.csv)" 20 "its picture marks the tasks of that time"
awk -F, -v OFS=, 'NR > 1 && $4 > 40 && $4 <= 44 { $6-- } { print }' slow.csv >early.csv
like "$(traceviz diagnose -q early.csv | xargs)" "*tasks on worker C1 take longer than on the others (slow-worker). Tasks on worker C1 take 1.10 times as long*" "four tasks before are no time"
sed 's/^C1,CPU,a,60,.*/C1,CPU,a,60,228,460,0/' slow.csv | awk -F, -v OFS=, '$4 > 60 && $4 <= 80 { $5 += 240; $6 += 240 } { print $0, NR == 1 ? "GFlop" : 1 }' >spike.csv
is "$(finds slow-worker spike.csv | awk '{ print $2 }') $(finds outliers spike.csv | awk '{ print $2 }')" "39.000000 222.000000" "one long task of a slow worker is an outlier, and no measure of its speed"
head -c 400 slow.csv | sed '$d' >few.csv
is "$(finds slow-worker few.csv)" "" "not of a worker with a few tasks"
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime"
	for (w = 0; w < 8; w++) { t = 0; for (i = 0; i < 60; i++) { d = i == 30 ? 20 : 10; print "C" w ",CPU,a," ++n "," t "," t + d ",0"; t += d } } }' >disturbed.csv
is "$(finds disturbance disturbed.csv | awk '{ print $2 }') $(marks disturbance disturbed.csv)" "80.000000 8" "disturbance: 8 tasks of 20 ms, threshold 10, which its picture marks"
# The longest tasks first: in sizes that vary anyhow, or where GFlop says so, no disturbance and no warm-up, but work.
sorted() { # SIZE: of task i; GFLOP: of one of size d
	awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime,GFlop"
		for (i = 0; i < 480; i++) { w = 0; for (k = 1; k < 8; k++) if (at[k] < at[w]) w = k
			d = '"$1"'; printf "C%d,CPU,a,%d,%.6f,%.6f,0,%s\n", w, i, at[w], at[w] + d, '"$2"'; at[w] += d } }'
}
sorted '0.2 + exp(2.5 * (1 - i / 240))' '""' >sizes.csv
is "$(traceviz disturbances -q sizes.csv | wc -l | awk '{ print ($1 > 1) }') $(traceviz diagnose -q --csv sizes.csv | awk -F, '$1 == "finding" || $1 == "verdict" { print $3 }' | head -1)" \
	"1 near-bound" "tasks by size: no disturbance"
sorted '1 + 9 * exp(-i / 40)' 'd' >decay.csv
is "$(traceviz diagnose -q --csv decay.csv | grep -c -E '^finding,[0-9]+,(warm-up|disturbance|outliers),')" 0 "more work: no warm-up, no disturbance"
sorted '1 + 9 * exp(-i / 40)' '1' >decay.csv
is "$(finds warm-up decay.csv),$(finds outliers decay.csv | wc -l)" ",1" "the second tasks are long, too: no warm-up"
{ printf "$head"; printf '0_C0,CPU,a,0_1,0,10,app,,0\n0_C0,CPU,a,0_2,10,20,app,0_1,0\n1_C0,CPU,a,1_1,10,20,app,0_1,0\n1_C1,CPU,a,1_2,15,20,app,0_1,0\n'; } >late.csv
is "$(finds late-start late.csv | awk '{ print $2 }')" 20.000000 "late-start: 10 ms of two workers"
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,DependsOn,GFlop"
	for (i = 0; i < 40; i++) { d = i == 20 ? 30 : 10; print "C0,CPU,a," i + 1 "," t + 0 "," t + d "," (i ? i : "") ",1"; t += d } }' >chain.csv
is "$(finds critical-outliers chain.csv)" "m20.000000 -" "critical-outliers: a task of 30 ms"
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,x,2,10,30,app,,0\nC0,CPU,b,3,30,40,app,1,0\nC1,CPU,c,4,40,50,app,3,0\n'; } >delayed.csv
is "$(finds critical-delays delayed.csv)" "m20.000000 -" "critical-delays: b waits for x"
printf 'ResourceId,Value,Start,End\nC0,a,0,10\nC0,a,12,20\n' >bare.csv
is "$(finds no-dependencies bare.csv)$(finds no-submission bare.csv)$(finds no-workers bare.csv)" "- -- -- -" "limits of a bare trace"
printf 'ResourceId,Value,Start,End,JobId,Flag\nC0,a,0,10,1,\nC0,a,12,20,2,open\n' >open.csv
is "$(finds truncated open.csv)" "- -" "a truncated one"

# Nothing to say.
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,a,2,10,20,app,1,0\nC1,CPU,a,3,0,10,app,,0\nC1,CPU,a,4,10,20,app,3,0\nC2,CPU,,,,,worker,,\n'; } | grep -v C2 >perfect.csv
like "$(traceviz diagnose -q --resources CPU=2 perfect.csv)" "The run took 20.00 ms: 4 tasks on 2 CPU workers. All workers were busy all the*Nothing in the schedule is worth a change.*" "a perfect run"
printf 'ResourceId,Value,Start,End,JobId,DependsOn,SubmitTime\nCPU0,a,0,10,1,,0\nCPU0,a,2,10,2,1,0\n' >overlap.csv
like "$(traceviz diagnose -q overlap.csv)" "The run took 10.00 ms: 2 tasks on 1 CPU worker. Tasks begin before an earlier*: 1 time*on 1 worker.*" "tasks that overlap"
printf 'ResourceId,Value,Start,End\nC0,a,5,5\n' >instant.csv
run traceviz diagnose -q instant.csv
is "$rc" 0 "an instant"
printf 'ResourceId,Value,Start,End\n' >empty.csv
run traceviz diagnose empty.csv
is "$rc" 1 "no tasks"

# Explanations, the gate, refusals.
is "$(traceviz diagnose --explain all | grep -c '^[a-z-]*: ')" "$(grep -c '	X(' "$ROOT/analysis/diagnose/findings.h")" "--explain all"
like "$(traceviz diagnose --explain crowded)" "crowded: *reported if:*measures:*advice:*" "--explain ID"
run traceviz diagnose --explain near-bound
like "$rc $(cat stderr)" "2 traceviz: --explain: near-bound is no finding but the verdict *" "--explain near-bound"
run traceviz diagnose --explain foo
is "$rc $(grep -c 'no finding' stderr)" "2 1" "no such finding"
run traceviz diagnose -q elsewhere.csv --fail-if 'Id == "elsewhere" and Time >= 5'
is "$rc" 3 "--fail-if holds"
run traceviz diagnose -q elsewhere.csv --fail-if 'Id == "elsewhere" and Time > 5'
is "$rc" 0 "it does not"
run traceviz diagnose -q slow.csv --fail-if 'Id == "slow-worker"' --require-confidence
is "$rc" 4 "a test says so"
run traceviz diagnose -q slow.csv --fail-if 'Id == "slow-worker"'
is "$rc" 3 "which is enough without --require-confidence"

# Pages: the run and its parts, then up to five findings, each above its picture.
pages() { pdfinfo "$1" | awk '/^Pages/ { print $2 }'; }
traceviz diagnose -q "it's a run/-x=compare.csv" -o why.pdf
is "$(pages why.pdf)" 6 "a page of the run, one for each of five findings"
traceviz diagnose -q --csv "$DATA/cholesky-ws.csv" | awk -F, '$1 == "finding" && $2 <= 5 { print $2 ". " $3 }' >top
is "$(for page in 2 3 4 5 6; do pdftotext -f "$page" -l "$page" why.pdf - | head -1 | sed 's/ (.*//'; done)" "$(cat top)" "in the order of the table"
is "$(pdftotext -l 1 why.pdf - | head -1 | cut -c1-70)" "$(traceviz diagnose -q "$DATA/cholesky-ws.csv" | head -1 | cut -c1-70)" "the first one begins as the text does"
is "$(pdftotext -l 1 why.pdf - | grep -c '^To do: ')" 1 "and says what to do"
is "$(pdftotext -f 3 -l 3 why.pdf - | grep -c 'Value == GEMM and ResourceType == CPU (53)')" 1 "what a finding is about is outlined"
traceviz diagnose -q late.csv -o late.svg
is "$(ls late*.svg | wc -l | tr -d ' ') $(grep -l '[0-9]. late-start (' late*.svg)" "$(traceviz diagnose -q --csv late.csv | awk -F, '$1 == "run" || $1 == "finding" && $2 <= 5 { n++ } $3 == "late-start" { file = "late-" $2 + 1 ".svg" } END { print n, file }')" "an SVG for each"
traceviz diagnose -q --resources CPU=2 perfect.csv -o perfect.pdf
is "$(pages perfect.pdf)" 1 "a perfect run has one page"
is "$(traceviz diagnose -q slow.csv -o a.pdf && traceviz diagnose -q slow.csv -o b.pdf && cmp a.pdf b.pdf && echo same)" same "same input, same bytes"
traceviz diagnose -q slow.csv -o why.html && mv why.html diagnose.html
ok "the page of a browser is the report" eval 'traceviz -q slow.csv -o why.html && cmp why.html diagnose.html'
run traceviz diagnose -q slow.csv -o missing/why.pdf
is "$rc" 1 "no such folder"
run traceviz diagnose -q elsewhere.csv -o gate.pdf --fail-if 'Id == "elsewhere"'
is "$rc $(pages gate.pdf)" "3 $(traceviz diagnose -q --csv elsewhere.csv | grep -c '^run\|^finding')" "with --fail-if, too"
run traceviz diagnose slow.csv slow.csv
is "$rc" 2 "two traces"
is "$(traceviz diagnose -q --csv "$DATA/cholesky.csv" | cksum)" "$(traceviz diagnose -q --csv "$DATA/cholesky.csv" | cksum)" "same input, same bytes"

# Without a verb.
is "$(traceviz "$DATA/cholesky-ws.csv" 2>&1 | cksum)" "$(traceviz diagnose "$DATA/cholesky-ws.csv" 2>&1 | cksum)" "one trace alone is diagnosed"
is "$(traceviz -q --kind app - <"$DATA/cholesky-ws.csv" | head -1)" "$(traceviz -q "$DATA/cholesky-ws.csv" | head -1)" "from standard input"
run traceviz "$DATA/cholesky-ws.csv" --width 5
is "$rc $(grep -c 'missing -o FILE' stderr)" "2 1" "but an option of pictures needs -o"
run traceviz "$DATA/cholesky-ws.csv" "$DATA/cholesky.csv"
is "$rc" 2 "two traces do, too"
run traceviz diagnoze
is "$rc $(grep -c 'neither a verb nor a file' stderr)" "2 1" "no file, no verb"
run traceviz "$DATA/cholesky-ws.csv" --help
is "$rc $(grep -c 'why was this run slow' stdout)" "0 1" "--help is the general one"

# A trace that ran nothing: the same answers as of the other verbs, which say what there is and what to do.
run traceviz diagnose "$DATA/mpi-overlap"
is "$rc $(grep -c '^First: MPI calls take long after their partners have come (mpi-transfer). If$' stdout)" "0 1" "calls alone"
traceviz generate cholesky --tiles 3 -q -o graph.csv
run traceviz graph.csv
is "$rc $(cat stderr)" "1 traceviz: graph.csv: diagnose needs times, but 10 tasks have not run (Flag is planned): simulate first" \
	"a graph of tasks that have not run"
printf 'ResourceId,Value,Start,End,JobId,Kind\n,a,,,1,pending\n' >pending.csv
run traceviz pending.csv
is "$rc $(cat stderr)" "1 traceviz: pending.csv: diagnose: the trace has no task to count, only tasks that never started \
(see --kind, --task-state and traceviz info)" "nothing started"

# Notes on stderr do not repeat the limits of the answer; beside a table they are all there.
printf 'ResourceId,Value,Start,End\nCPU0,a,0,4\nCPU1,b,1,6\n' >simple.csv
run traceviz simple.csv
is "$(tail -2 stdout | tr '\n' ' ')$(cat stderr)" "run earlier is not known; the trace does not say when tasks were submitted; workers that ran no task may be missing. " \
	"what the answer says is no note"
run traceviz diagnose --csv simple.csv
is "$(grep -c 'no dependencies\|no SubmitTime\|does not declare its workers' stderr)" 4 "notes beside a table"

need_shared 1
is "$(for k in dmda dmdas ws; do finds crowded "$SHARED/data/cholesky-idcin2/12/$k"; grep -o 'takes [0-9.]* ms or more' table.csv; done | xargs)" \
	"m256.101917 768.305751 takes 674.2 ms or more m229.134507 687.403522 takes 662.8 ms or more m87.943710 2198.592742 takes 526.6 ms or more" "the bounds of the placements of 2016"
