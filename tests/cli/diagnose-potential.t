#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-potential.t: potentials of findings against the runs in which the obstacle was planted
. "$(dirname "$0")/lib.sh"

plan 7

potential() { # ID TRACE: the potential of that finding, in ms
	traceviz diagnose -q --json "$2" | tr '{' '\n' | grep "\"Id\": *\"$1\"" | sed 's/.*"Potential": *\([^,]*\),.*/\1/'
}
method() { # ID TRACE
	traceviz diagnose -q --json "$2" | tr '{' '\n' | grep "\"Id\": *\"$1\"" | sed 's/.*"Method": *"\([^"]*\)".*/\1/'
}

head='ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime\n'
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,a,2,20,30,app,,20\nC1,CPU,b,3,0,10,app,,0\n'; } >submission.csv
is "$(potential submission submission.csv)" 10.000000 "submission: 30 ms become 20"
is "$(method submission submission.csv)" "replay, all tasks submitted at the start" "its method"
{ printf "$head"; printf 'C0,CPU,a,1,0,10,app,,0\nC0,CPU,b,2,16,30,app,1,0\n'; } >runtime.csv
is "$(potential runtime runtime.csv)" 6.000000 "runtime: the gap"
is "$(potential long-tail "$DATA/cholesky-ws.csv") $(method long-tail "$DATA/cholesky-ws.csv")" "null not estimated" "no simulation, no number"

# Outliers planted in a run; ten seeds choose the tasks.
traceviz simulate -q --scheduler heft --durations mean --resources CPU=8 "$DATA/cholesky-ws.csv" -o base.csv
failed=
for seed in 1 2 3 4 5 6 7 8 9 10; do
	jobs=$(awk -F, -v seed=$seed 'BEGIN { srand(seed) } NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["Value"] == "GEMM" { job[++n] = $c["JobId"] }
		END { for (i = 0; i < 4; i++) printf "%sJobId == \"%s\"", i ? " or " : "", job[1 + int(rand() * n)] }' base.csv)
	traceviz simulate -q --scheduler replay --speed "$jobs=0.1" base.csv -o planted.csv
	change=$(for f in base planted; do traceviz info -q "$f.csv" | awk -F, '$2 == "makespan" { print $3 }'; done | awk '{ m[NR] = $1 } END { print m[2] - m[1] }')
	got=$(potential outliers planted.csv)
	awk -v a="$change" -v b="$got" 'BEGIN { d = a - b; exit !(d * d <= 0.01 * a * a && a > 0) }' || failed="$failed; seed $seed: $got of $change"
done
is "$failed" "" "planted outliers: their potential is what the makespan grew by, within 10 %"

# A slow worker, planted: named first, its time to the ns, its potential.
failed= first=
for worker in 0 1 2 3 4 5 6 7; do
	traceviz simulate -q --scheduler replay --speed "ResourceId == CPU$worker=0.5" base.csv -o planted.csv
	traceviz diagnose -q --csv planted.csv | grep '^finding,1,' >row
	first="$first$(cut -d, -f3 row) "
	want=$(awk -F, -v w="CPU$worker" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["ResourceId"] == w { sum += $c["End"] - $c["Start"] } END { printf "%.6f", sum }' base.csv)
	change=$(for f in base planted; do traceviz info -q "$f.csv" | awk -F, '$2 == "makespan" { print $3 }'; done | awk '{ m[NR] = $1 } END { printf "%.6f", m[2] - m[1] }')
	awk -F, -v want="$want" -v a="$change" '{ d = a - $9; exit !($7 == want && d * d <= 0.01 * a * a && a > 0) }' row || failed="$failed; CPU$worker: $(cat row), planted $want, $change"
done
is "$first" "slow-worker slow-worker slow-worker slow-worker slow-worker slow-worker slow-worker slow-worker " "a planted slow worker is named first"
is "$failed" "" "its time is what was planted, its potential what the makespan grew by, within 10 %"
