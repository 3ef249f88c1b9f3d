#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare-series.t: compare --series: planted shifts, repeats, what runs lack, what it refuses
. "$(dirname "$0")/lib.sh"
plan 21

# run NAME CPU-MS GPU-MS [TYPE]: a chain of ten tasks solve on each of two CPUs and a GPU; of another name: one task more of TYPE
make_run() {
	awk -v cpu="$2" -v gpu="$3" -v type="${4-}" 'BEGIN { print "ResourceId,ResourceType,Value,Start,End,JobId,DependsOn"
		for (w = 0; w < 3; w++) for (i = 0; i < 10; i++) { d = w < 2 ? cpu : gpu
			printf "%s,%s,solve,%f,%f,%d,%s\n", w < 2 ? "CPU" w : "CUDA0", w < 2 ? "CPU" : "CUDA", i * d, (i + 1) * d, w * 10 + i, i ? w * 10 + i - 1 : "" }
		if (type != "") printf "CUDA0,CUDA,%s,%f,%f,99,\n", type, 10 * gpu, 10 * gpu + 1 }' >"$1.csv"
}
# Twelve runs: from the seventh on CPU tasks take 12 ms instead of 10, GPU tasks always 2; each 1 % more or less. The last five have an extra task.
i=0; for noise in 3 -7 5 0 -4 6 -2 7 -6 1 4 -5; do
	i=$((i + 1))
	make_run "c$i" "$(awk -v n=$noise -v m="$([ $i -ge 7 ] && echo 12 || echo 10)" 'BEGIN { print m * (1 + n / 1000) }')" 2 "$([ $i -ge 8 ] && echo extra)"
done
runs="c1.csv c2.csv c3.csv c4.csv c5.csv c6.csv c7.csv c8.csv c9.csv c10.csv c11.csv c12.csv"
# shellcheck disable=SC2086 # a list of files
traceviz compare -q --series $runs >out
is "$(awk -F, "$by_name"'$c["Change"] != "" { print $c["Position"], $c["Run"], $c["Section"], $c["Name"], $c["Value"], $c["ResourceType"] }' out |
	grep '^[0-9]* [a-z0-9]* \(runs\|types\)\| abe  $\| cpe  $')" "7 c7 runs makespan  
8 c8 runs tasks  
7 c7 bounds abe  
8 c8 types tasks extra CUDA
7 c7 types duration solve CPU" "what was planted has a change point with the run where it was, nothing else of these"
is "$(awk -F, "$by_name"'$c["Name"] == "makespan" && $c["Run"] ~ /^(c1|c6|c7)$/ { printf "%s %.6f %.6f %.6f\n", $c["Number"], $c["Mean"], $c["Change"], $c["Ratio"] }' out)" \
	"$(awk 'BEGIN { a = 100 + 100 * .003 / 6; b = 120 - 120 * .001 / 6; printf "100.3 %.6f 0.000000 0.000000\n100.6 %.6f 0.000000 0.000000\n119.76 %.6f %.6f %.6f", a, a, b, b - a, b / a }')" \
	"means, their difference and quotient"
is "$(awk -F, "$by_name"'$c["Name"] == "makespan" && $c["Chance"] != "" { print ($c["Chance"] > 0 && $c["Chance"] <= 0.01) }' out)" 1 "the share of orders"
is "$(grep -c ',types,tasks,extra,' out) $(grep ',types,duration,extra,' out | cut -d, -f2 | tr '\n' ' ')" "12 c8 c9 c10 c11 c12 " \
	"what a run lacks is 0 of a count, and no row of a duration"
is "$(awk -F, "$by_name"'$c["Name"] == "efficiency.global" { printf "%s %.9f\n", $c["Run"], $c["Number"] }' out)" \
	"$(for run in $runs; do traceviz efficiency -q --csv "$run" | awk -F, -v r="${run%.csv}" "$by_name"'$c["Name"] == "global" { printf "%s %.9f\n", r, 100 * $c["Efficiency"] }'; done)" \
	"factors of efficiency are those of each run"

# The gate: at the change point, of the last run, of what is not there.
gate() { # RUNS EXPR: status, and what the message says after the expression
	# shellcheck disable=SC2086
	run traceviz compare -q --series $1 --fail-if "$2"
	echo "$rc $(sed -n 's/^traceviz: //p' stderr) $(tail -n +2 stdout | wc -l | tr -d ' ')"
}
traceviz compare -q --series $runs >out
rows=$(tail -n +2 out | wc -l | tr -d ' ')
is "$(gate "$runs" 'Name == makespan and Ratio > 1.15')" "3 c7: --fail-if Name == makespan and Ratio > 1.15: it holds for makespan $rows" "a change point that is worse by more: status 3, after the table"
is "$(gate "$runs" 'Name == makespan and Ratio > 1.25')" "0  $rows" "not by more than that"
is "$(gate "$runs" 'Name == makespan and RunsAfter < 5 and Ratio > 1.15')" "0  $rows" "nor among the last five runs"
last='Name == makespan and RunsAfter == 0 and Number > 1.05 * MeanOthers'
is "$(gate "$runs" "$last")" "0  $rows" "the last run is as those before it"
make_run worse 13 2
like "$(gate "$runs worse.csv" "$last")" "3 worse: --fail-if $last: it holds for makespan *" "one that is slower than those since the change point"
is "$(awk -F, "$by_name"'$c["Name"] == "makespan" && $c["Run"] ~ /^c(6|12)$/ { printf "%s %s %.6f\n", $c["Run"], $c["RunsAfter"], $c["MeanOthers"] }' out)" \
	"c6 6 $(awk 'BEGIN { printf "%.6f", 100 - 100 * .003 / 5 }')
c12 0 $(awk 'BEGIN { printf "%.6f", 120 + 120 * .004 / 5 }')" "means without the run itself"
is "$(gate "$runs" 'Name == makspan and Ratio > 1.05')" "2 --fail-if Name == makspan and Ratio > 1.05: no Name is 'makspan' (did you mean 'makespan'?) $rows" "a number that no run has is no gate"
like "$(gate "a1.csv /nowhere.csv" 'Nam == makespan')" "2 --fail-if: no column 'Nam' (did you mean 'Name'?), *" "nor is a column that there is not; said before runs are read"

# Three commits with five repeats each: the second is slower. Repeats stay together.
set --
for c in a b z; do for i in 1 2 3 4 5; do make_run "$c$i" "1$([ $c = b ] && echo 1 || echo 0).$i" 1; set -- "$@" "$c=$c$i.csv"; done; done
traceviz compare --series --section runs "$@" >out
is "$(awk -F, "$by_name"'$c["Name"] == "makespan" { print $c["Position"], $c["Run"], $c["Number"], $c["Mean"], $c["Change"] }' out)" \
	"1 a 103 103 
2 b 113 113 10
3 z 103 103 -10" "repeats: their median; a shift that ends"
# Without the shift nothing changes.
traceviz compare -q --series --section runs a1.csv a2.csv a3.csv a4.csv a5.csv z1.csv z2.csv z3.csv z4.csv z5.csv >out
is "$(awk -F, "$by_name"'$c["Change"] != ""' out)" "" "equal distributions have no change point"
run traceviz compare --series a1.csv b1.csv
is "$rc $(sed -n '$p' stderr) $(cut -d, -f5-7 stdout | sed -n '2,3p' | tr '\n' ' ')" "0 traceviz: 2 runs: a change point needs 10 or more ,,ms ,,ms " "few runs: a message"
# shellcheck disable=SC2086
TERM=dumb script -qc "traceviz compare -q --series $runs --section types" /dev/null </dev/null | tr -d '\r' >out
is "$(cat out)" "types tasks extra CUDA: from c8 on, 1 tasks instead of 0
types duration solve CPU: from c7 on, 11.998 ms instead of 10.005 (x 1.199)
All numbers: --csv" "on a terminal: sentences"
TERM=dumb script -qc "traceviz compare -q --series a1.csv a2.csv" /dev/null </dev/null | tr -d '\r' >out
is "$(cat out)" "No number has a change point in these 2 runs.
All numbers: --csv" "or that there is none"
run traceviz compare --series --section lost a1.csv /nowhere.csv
is "$rc $(cat stderr)" "2 traceviz: --section: a series has no section 'lost', expected one of runs, bounds, idleness, types, allocation, chain, efficiency, ranks, calls, states" "a section of pairs"
for option in '--require-confidence' '--to junit' '--durations-from own' '--can-run anywhere'; do
	# shellcheck disable=SC2086
	traceviz compare --series $option /nowhere1.csv /nowhere2.csv 2>&1
	echo "$?"
done >out
is "$(cat out)" "traceviz: --require-confidence has no effect with --series
2
traceviz: --to has no effect with --series
2
traceviz: --durations-from has no effect with --series
2
traceviz: --can-run has no effect with --series
2" "options of pairs"
run traceviz compare --series a1.csv a2.csv -o x.pdf
is "$rc $(cat stderr)" "2 traceviz: --series needs a table, and -o 'x.pdf' is a figure" "nor is it a figure"
