#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare-forms.t: comparisons as JUnit, Markdown and OpenMetrics have the numbers of the table; the gate of examples/ci
. "$(dirname "$0")/lib.sh"
plan 26

# Five repeats each, of a makespan of 100 to 104 ms, and of 200 to 204; types with markup.
mkdir old slow same
trace() { # FILE FACTOR END
	printf 'JobId,ResourceId,Value,Start,End,DependsOn\n1,CPU0,"a|<b>&""c\\_`",0,%d,\n2,CPU1,plain,0,10,\n3,CPU0,plain,%d,%d,1\n' \
		"$(($2 * 50))" "$(($2 * 50))" "$3" >"$1"
}
for i in 0 1 2 3 4 5 6 7; do
	trace old/$i.csv 1 $((100 + i))
	trace slow/$i.csv 2 $((200 + i))
	trace same/$i.csv 1 $((100 + (i + 1) % 8))
done
words() { for run in old/*; do printf 'old=%s ' "$run"; done; for run in "$1"/*; do printf '%s=%s ' "$1" "$run"; done; }
# shellcheck disable=SC2046
run traceviz compare -q $(words slow) $(words same | grep -o 'same=.*') --to junit --fail-if 'makespan.ratio > 1.5'
is "$rc $(cat stderr)" "3 traceviz: slow: --fail-if makespan.ratio > 1.5: it holds" "the status is that of the gate"
is "$(grep -c '<testcase ' stdout) $(grep -c '<failure ' stdout) $(grep -c '<skipped ' stdout)" "2 1 0" "JUnit: a case for each run, one failed"
like "$(grep -A1 'name="slow' stdout)" '*name="slow: makespan.ratio &gt; 1.5">*<failure message="it holds: slow took *' "that for which it holds"
is "$(sed -n 's/.*\(tests="[^>]*"\).*/\1/p' stdout)" 'tests="2" failures="1" errors="0" skipped="0"' "its sums"
like "$(cat stdout)" "*makespan ms 103.5 203.5*" "its numbers"
if command -v xmllint >/dev/null; then ok "it is XML" xmllint --noout stdout; else skip 1 "no xmllint"; fi
# shellcheck disable=SC2046
run traceviz compare -q old=old/1.csv slow=slow/1.csv --to junit --fail-if 'makespan.ratio > 1.5' --require-confidence
is "$rc $(grep -c '<skipped message="undecided: ' stdout)" "4 1" "what is undecided is skipped"
run traceviz compare -q old=old/1.csv slow=slow/1.csv --to junit
is "$rc $(grep -c '<testcase .*name="slow: compared"' stdout)" "0 1" "without a gate"

run traceviz compare -q old=old/1.csv slow=slow/1.csv --to markdown --fail-if 'makespan.ratio > 3'
like "$(cat stdout)" "### slow

slow took *

\`--fail-if\` makespan.ratio > 3: does not hold.

\*\*Runs\*\*

| Name | *" "Markdown: the sentence, the gate, the runs"
is "$(sed 's/\\\\//g; s/\\|//g' stdout | awk '/^\|/ { n = gsub(/\|/, "|"); if (!before) want = n; bad += n != want } { before = /^\|/ } END { print bad + 0 }')" 0 \
	"each row of a table has its columns"
is "$(grep -c '^<details>' stdout) $(grep -c '^</details>' stdout)" "$(traceviz compare -q --csv old=old/1.csv slow=slow/1.csv |
	awk -F, 'NR > 1 && $1 != "verdict" && $1 != "runs" { seen[$1] = 1 } END { n = length(seen); print n " " n }')" "other sections are folded"
is "$(grep -cF '| a\|&lt;b>&amp;"c\\\_\` |' stdout) $(grep -c '<b>' stdout)" "11 0" "no name is markup"
is "$(grep makespan stdout | grep '^|')" "| makespan |  | ms | 101 | 201 | 100 | 1.9901 |" "its numbers"
run traceviz compare -q old=old/1.csv slow=slow/1.csv --to markdown --section bounds
is "$(grep -c '^\*\*' stdout) $(grep -c '^<details' stdout)" "1 0" "one section"

run traceviz compare -q old=old/1.csv slow=slow/1.csv same=same/1.csv --to openmetrics
grep -v '^#' stdout >samples
is "$(grep -cvE '^traceviz_(number|change)\{run="[^"]*",section="[^"]*",name="[^"]*"(,[a-z_]+="([^"\\]|\\.)*")*\} -?[0-9.e+-]+$' samples) $(tail -1 stdout)" "0 # EOF" \
	"OpenMetrics: each line is a sample"
is "$(sed 's/ [^ ]*$//' samples | sort | uniq -d)" "" "none occurs twice"
traceviz compare -q --csv old=old/1.csv slow=slow/1.csv same=same/1.csv >table
is "$(grep -c '^traceviz_number{run="slow"' samples) $(grep -c '^traceviz_change{run="same"' samples)" "$(traceviz sql -q --csv \
	"SELECT sum(Run = 'slow' AND After IS NOT NULL) || ' ' || sum(Run = 'same' AND Change IS NOT NULL) AS n FROM input WHERE JobBefore IS NULL AND JobAfter IS NULL AND Elapsed IS NULL" \
	<table | tail -1)" "all numbers of the table are there"
is "$(grep 'run="slow",section="runs",name="makespan"' samples)" 'traceviz_number{run="slow",section="runs",name="makespan",unit="ms"} 201
traceviz_change{run="slow",section="runs",name="makespan",unit="ms"} 100' "with their values"

failed=
for option in "--csv" "--json" "-o x.csv" "-o x.pdf"; do
	# shellcheck disable=SC2086
	run traceviz compare old=old/1.csv slow=slow/1.csv --to junit $option
	[ "$rc" = 2 ] && [ ! -e x.csv ] && [ ! -e x.pdf ] || failed="$failed $option"
done
is "$failed" "" "--to is refused with other forms and figures"

run sh "$ROOT/examples/ci/gate.sh" old slow
is "$rc$(for file in junit.xml metrics.txt report.md; do [ ! -s $file ] || printf ' %s' $file; done)" "3 junit.xml metrics.txt report.md" "the gate of examples/ci fails for slower runs"
run sh "$ROOT/examples/ci/gate.sh" old same
is "$rc $(grep -c '<failure' junit.xml)" "0 0" "and passes for equal ones"

# Three commits with repeats: the last one is slower; then it is left out.
mkdir history history/0001-a history/0002-b history/0003-c
cp old/0.csv old/1.csv old/2.csv old/3.csv history/0001-a
cp old/4.csv old/5.csv old/6.csv old/7.csv history/0002-b
cp slow/0.csv slow/1.csv slow/2.csv slow/3.csv history/0003-c
run sh "$ROOT/examples/ci/series.sh" history
like "$rc $(cat stderr) $(grep -c ',makespan,' history.csv)" "3 traceviz: 0003-c: --fail-if *: it holds for makespan 3" "the series of examples/ci fails for a slower commit"
rm -r history/0003-c history.csv
run sh "$ROOT/examples/ci/series.sh" history
is "$rc $(grep -c ',makespan,' history.csv)" "0 2" "and passes without"

if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
	ok "its jobs are YAML and call it" /usr/bin/python3 -c 'import sys, yaml
for name in sys.argv[1:]:
	jobs = str(yaml.safe_load(open(name))); assert "sh gate.sh baseline new " in jobs and "sh series.sh " in jobs, name' "$ROOT/examples/ci/gitlab-ci.yml" "$ROOT/examples/ci/github.yml"
else skip 1 "no reader of YAML"; fi

# Tasks that took longer without a processor are no slower tasks.
clocked() { awk -v time="$1" -v clock="$2" 'BEGIN { print "ResourceId,ResourceType,Value,Start,End,task-clock"; for (i = 0; i < 20; i++) printf "C0,CPU,a,%d,%d,%d\n", i * time, i * time + time, clock * 1e6 }'; }
clocked 10 8 >fast.csv
clocked 30 9 >preempted.csv
clocked 30 27 >slow.csv
is "$(traceviz compare -q --csv fast.csv preempted.csv | grep -o 'longer waits of .*processor)'; traceviz compare -q --csv fast.csv preempted.csv | sed -n '/^types.*cpu-time/p' | cut -d, -f4-9)" \
	"longer waits of a on CPU for a processor (+400.000, mean 10.000 to 30.000 ms, of which 8.000 and 9.000 ms with a processor)
cpu-time,a,CPU,ms,8,9" "tasks that waited for a processor are not called slower"
like "$(traceviz compare -q --csv fast.csv slow.csv)" "*first slower a on CPU (+400.000, mean 10.000 to 30.000 ms)*" "those that worked longer are"
