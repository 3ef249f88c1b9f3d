#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# segments.t: a recursive program whose tasks wait for their children, against numbers computed from its rows
. "$(dirname "$0")/lib.sh"
plan 43

cp "$TESTDATA/segments/fib.csv" .
"$ROOT/tests/cli/segments.pl" fib.csv >want
want() { sed -n "s/^$1 //p" want; }
sum() { awk '{ s += $1 } END { printf "%.6f", s }'; }
integral() { awk -F, -v curve="$1" '$1 == curve { s += ($4 - $3) * $5 } END { printf "%.6f", s }'; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 0.0001 && b - a < 0.0001) }'; }

# the program: fib(6) calls itself 24 times, twelve of them wait
is "$(want jobs) $(want segments)" "25 37" "the sample has the tasks of fib(6)"
is "$(traceviz info fib.csv | grep '^graph')" "graph,jobs,25
graph,segments of suspended jobs,24
graph,dependencies,60
graph,dependencies on jobs that occur nowhere,0" "info: jobs, segments and edges of the graph"

traceviz summary fib.csv >tasks
is "$(columns tasks Tasks) $(columns tasks Executions)" "25 25" "summary: tasks are jobs"
is "$(columns tasks Time) $(columns tasks Max)" "$(want busy) $(want max)" "with the sums of their segments"
traceviz outliers fib.csv >marks
is "$(columns marks Threshold | sort -u)" "$(want threshold)" "outliers: the threshold is of jobs, the same on all rows"
is "$(awk -F, 'NR > 1 && $(NF - 1) == 1 { print $5 }' marks | sort -nu | tr '\n' ' ')" "$(want outliers) " "these are outliers"
is "$(sed 's/^\(CPU3,[^,]*,4.61\)/\1/; s/,4.730000,1,/,9.730000,1,/' fib.csv | traceviz outliers |
	awk -F, 'NR > 1 && $5 == 1 { printf "%s ", $(NF - 1) }')" "1 1 " "a long second segment marks both"
is "$(traceviz distribution --boxes fib.csv | columns - Executions)" 25 "distribution: jobs"
is "$(traceviz lifecycle-summary fib.csv | awk -F, '$3 == "execution" { print $4, $5 }')" "25 $(want busy)" \
	"lifecycle-summary: one execution per job"

is "$(traceviz idleness fib.csv | columns - Tasks | tr '\n' ' ')" "$(awk -F, 'NR > 1 && !seen[$1, $5]++ { n[$1]++ }
	END { for (i = 0; i < 4; i++) printf "%d ", n["CPU" i] }' fib.csv)" "idleness: the jobs of each worker"
is "$(traceviz load-balance -q --begin 2 fib.csv | columns - Tasks | head -1)" \
	"$(awk -F, 'NR > 1 && $4 > 2 && !seen[$5]++ { n++ } END { print n }' fib.csv)" "load-balance: jobs with a segment in the window"
is "$(printf 'ResourceId,Value,JobId,Segment,Start,End\nCPU0,a,1,0,0,0\nCPU0,a,1,1,0,0\nCPU0,a,1,2,0,3\n' |
	traceviz summary -q | columns - Tasks)" 1 "segments without duration are no repeated executions"

traceviz bounds fib.csv >limits
is "$(columns limits Time | sed -n 1p)" "$(want makespan)" "bounds: makespan"
ok "cpe: each segment weighs the mean of its number" near "$(columns limits Time | sed -n 2p)" "$(want cpe)"
traceviz abe fib.csv >abe.csv
ok "durations from a file are of jobs: their segments have shares" near \
	"$(traceviz bounds --durations-from abe.csv fib.csv | columns - Time | sed -n 2p)" "$(want shared)"
ok "abe: what the workers did" near "$(columns limits Time | sed -n 5p)" "$(want abe)"
is "$(traceviz bounds --tight --durations minimum fib.csv | columns - Nature | tr '\n' ' ')" "observed estimate estimate estimate bound estimate " \
	"paths are no bounds, as $(want early) tasks started before the segment that created them ended"
is "$(traceviz bounds --durations minimum --restrict 'JobId == 1' fib.csv 2>/dev/null | columns - Nature | tr '\n' ' ')" \
	"observed bound estimate estimate bound " "a task alone is one"
# a program whose tasks start when their parents wait: the same rows, children later
awk -F, -v OFS=, 'NR == 1 || $5 == 1 || $5 == 25 { if ($5 == 25) { $3 = "0.500000"; $4 = "1.000000"; $7 = 1; $10 = 1 }
	if ($5 == 1 && $9 == 1) $7 = 25; print }' fib.csv >late.csv
is "$(traceviz bounds --durations minimum late.csv | columns - Nature | tr '\n' ' ')" "observed bound estimate estimate bound " \
	"paths are bounds where tasks started later"

traceviz critical-path fib.csv >path
is "$(columns path Duration | sum)" "$(want makespan)" "critical-path: the observed chain adds up to the makespan"
is "$(awk -F, '$2 == "task" { print $3 "/" $NF }' path | tail -3 | tr '\n' ' ')" "23/1 17/1 1/1 " "and names segments"
is "$(awk -F, '$2 == "task" && $10 == "creation" { print $3 }' path | tr '\n' ' ')" "17 25 " "and creations"
ok "the longest path with mean durations is cpe" near "$(traceviz critical-path --durations mean-fastest fib.csv |
	columns - Duration | sum)" "$(want cpe)"

is "$(traceviz ready fib.csv | integral ready)" "$(want ready)" "ready: from each release to the start"
is "$(traceviz submitted fib.csv | integral 'not started')" "$(want waiting)" "submitted: until the first start of a job"
is "$(traceviz concurrency fib.csv | awk -F, 'NR > 1 { s += ($4 - $3) * $5 } END { printf "%.6f", s }')" "$(want busy)" \
	"concurrency: segments"
is "$(traceviz idle-causes fib.csv | columns - Time | sum)" "$(want idle)" "idle-causes: a partition of the idle time"
is "$(traceviz deps fib.csv | awk -F, '$5 == 1 || $5 == 2 { print $5 "/" $9, $(NF - 8), $(NF - 7), $(NF - 1) }' | sort)" \
	"1/0   
1/1 17 dependency 1
2/0 1 creation 0
2/1 12 dependency 1" "deps: of each segment"
is "$(traceviz chain --tasks id:25 --depth 1 fib.csv --where 'Distance == 1' | awk -F, 'NR == 2 { print $5 "/" $9 }')" "23/0" \
	"chain: back to the segment that created it"
is "$(traceviz compare fib.csv fib.csv | awk -F, '$1 == "unmatched"' | head -1)" "" "compare: a run equals itself"

traceviz -q fib.csv --panels spacetime,dag --spacetime.chains last --spacetime.depth root -o fib.svg
is "$(grep -c 'class="task"\|class="outlier"' fib.svg)" 37 "each segment is drawn"
like "$(cat fib.svg)" "*25 tasks*" "its header counts jobs"
like "$(cat fib.svg)" "*task graph: 25 tasks in 37 segments, 60 dependencies*" "the graph shows segments"
like "$(cat fib.svg)" "*1 chain, depth root*" "a chain begins with the last segment"
like "$(cat fib.svg)" "*job 17, segment 1, CPU3*" "hover texts name segments"

traceviz simulate -q --durations-from abe.csv fib.csv -o sim.csv
is "$(traceviz summary sim.csv | columns - Tasks) $(traceviz summary sim.csv | columns - Min) $(traceviz summary sim.csv | columns - Max)" \
	"25 0.514000 0.514000" "simulate: the segments of a job divide a duration of jobs"
is "$(traceviz info sim.csv | grep '^graph')" "$(traceviz info fib.csv | grep '^graph')" "and it has the same graph"
ok "a replay takes no longer than the run" awk -v a="$(traceviz simulate -q --scheduler replay --submission trace fib.csv -o - |
	traceviz bounds | columns - Time | head -1)" -v b="$(want makespan)" 'BEGIN { exit !(a > 0 && a <= b) }'

# round trips and bad input
traceviz convert -q fib.csv -o run && traceviz convert -q run -o back.csv
is "$(for f in fib.csv back.csv; do traceviz bounds "$f"; traceviz ready "$f"; done | sort | uniq -c | awk '$1 % 2' | wc -l)" 0 \
	"a folder and back: the same numbers"
sed 's/^\(CPU1,.*,2,app,1,0.120000,0,1,.*\)/\1\n\1/' fib.csv | traceviz summary >/dev/null 2>err
is "$(sed 's/.*two identical/two identical/' err)" \
	"two identical executions: JobId 2 on CPU1 at 0.120000 ms (also on line 3), expected each once" "an execution twice is an error"
sed 's/^\(CPU3,[^,]*,0.000000,[^,]*,1,app,\),/\12,/; s/,1,app,2 17,/,1,app,17,/' fib.csv | traceviz bounds >/dev/null 2>err
like "$(cat err)" "*the dependencies form a cycle: 1 -> *" "a segment that waits for what it created is a cycle"

# Panels side by side: what is ready to resume has started, so more may be ready than are submitted and not started; the title says so.
traceviz -q fib.csv --panels ready,submitted -o panels.boxes.csv
is "$(grep -o '"[a-z, ]*: mean' panels.boxes.csv | tr '\n' ' ')" '"tasks ready to start or resume: mean "submitted, not started: mean ' "titles of a run with suspended tasks"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Segment") c = i } NR == 1 || $c == 0' fib.csv | cut -d, --complement -f"$(head -1 fib.csv | tr , '\n' | grep -n '^Segment$' | cut -d: -f1)" >whole.csv
traceviz -q whole.csv --panels ready,submitted -o panels.boxes.csv
is "$(grep -o '"[a-z, ]*: mean' panels.boxes.csv | tr '\n' ' ')" '"ready tasks: mean "submitted, not started: mean ' "and of one without"
