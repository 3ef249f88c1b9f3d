#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cut-durations.t: durations that the end of a trace cuts are in no statistic: these equal those of the same rows without the open ones
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 71

# cut_csv WHOLE AT: what a trace shows that ends then: later tasks are not there, running ones are open.
cut_csv() { awk -F, -v OFS=, -v at="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print $0, "Flag"; next }
	$c["Start"] != "" && $c["Start"] + 0 >= at { next }
	{ flag = ""
	if ($c["Start"] != "" && $c["End"] + 0 > at) { $c["End"] = sprintf("%.6f", at); $c["Duration"] = ""; flag = "open" }
	print $0, flag }' "$1"; }
statistics=Value,ResourceType,MeanDuration,SD,Min,P5,P25,Median,P75,P95,Max
# same PASS...: names what is not the same with and without open tasks
same() {
	for pass in "$@"; do
		traceviz $pass -q --csv cut.csv >a 2>&1; traceviz $pass -q --csv ended.csv >b 2>&1
		cmp -s a b || echo "$pass"
	done
}
check() { # NAME: cut.csv, ended.csv
	is "$(same abe distribution 'distribution --boxes' 'distribution --boxes --by Value' 'distribution --scale log' regression deviating-resources \
		'critical-path --durations mean-fastest')" "" "$1: tables of durations"
	is "$(traceviz summary -q --csv cut.csv | columns - $statistics | grep ' [0-9]')" "$(traceviz summary -q --csv ended.csv | columns - $statistics)" "$1: summary"
	for model in mean median minimum; do
		is "$(traceviz bounds -q --csv --tight --durations $model cut.csv | columns - Bound,Nature,Time,Excluded | grep -v makespan)" \
			"$(traceviz bounds -q --csv --tight --durations $model ended.csv | columns - Bound,Nature,Time,Excluded | grep -v makespan)" "$1: bounds, $model"
	done
	is "$(traceviz lifecycle-summary -q --csv cut.csv | grep ,execution,)" "$(traceviz lifecycle-summary -q --csv ended.csv | grep ,execution,)" "$1: executions"
	is "$(for model in iqr mad; do traceviz outliers -q --csv --model $model cut.csv | grep -v ',open,' | cksum; done)" \
		"$(for model in iqr mad; do traceviz outliers -q --csv --model $model ended.csv | cksum; done)" "$1: outliers"
	is "$(traceviz outliers -q --csv cut.csv | columns - Flag,Outlier,Threshold | sort -u | grep open)" "open 0" "$1: open tasks are not tested"
	for policy in replay heft lws; do
		traceviz simulate -q --scheduler $policy cut.csv | grep ,app, | cksum >a; traceviz simulate -q --scheduler $policy ended.csv | grep ,app, | cksum >b
		cmp -s a b || echo $policy
	done >different
	is "$(cat different)" "" "$1: simulations"
	is "$(traceviz throughput -q --csv cut.csv | awk -F, 'NR > 1 { sum += ($4 - $3) * $5 } END { printf "%.3f", sum }')" \
		"$(traceviz throughput -q --csv ended.csv | awk -F, 'NR > 1 { sum += ($4 - $3) * $5 } END { printf "%.3f", sum }')" "$1: work done"
	# Sums of time have them.
	cut -d, --complement -f"$(head -1 cut.csv | tr , '\n' | grep -n '^Flag$' | cut -d: -f1)" cut.csv >unflagged.csv
	for pass in idleness utilization concurrency share idle-causes; do
		[ "$(traceviz $pass -q cut.csv | cksum)" = "$(traceviz $pass -q unflagged.csv | cksum)" ] || echo "$pass"
	done >different
	is "$(cat different)" "" "$1: busy and idle time have them"
	# By hand: the sum of what is shown of them; all parts add up.
	is "$(traceviz account -q --csv cut.csv | columns - Section,Part,Value,ResourceType,WorkerTime | awk '$1 == "part" && $2 == "open" { print $3, $4, $5 }' | sort)" \
		"$(columns - Value,ResourceType,Start,End,Flag <cut.csv | awk '$5 == "open" && $4 > $3 { sum[$1" " $2] += $4 - $3 } END { for (k in sum) printf "%s %.6f\n", k, sum[k] }' | sort)" "$1: the part open of the account"
	is "$(traceviz account -q --csv cut.csv | columns - Section,Part,Time | awk '$1 == "bound" { b[$2] = $3 } $1 == "sum" { sum += $3 } END { printf "%.6f", b["makespan"] - b["area"] - sum }' | tr -d -)" 0.000000 "$1: its parts add up"
}
traceviz convert -q "$DATA/cholesky-dmda.csv" -o dmda.csv
traceviz convert -q "$DATA/cholesky-ws.csv" -o ws.csv
seed 4711
for trace in dmda ws; do
	for at in $(awk -v seed="$seed$(printf '%d' "'$trace")" 'BEGIN { srand(seed); for (i = 0; i < 2; i++) printf "%.3f ", 60 + 300 * rand() }'); do
		cut_csv $trace.csv "$at" >cut.csv
		grep -v ',open$' cut.csv >ended.csv
		sed -i '1s/$/,Last/; 2,$s/$/,/' cut.csv ended.csv
		check "$trace at $at ms"
	done
done
zstd -dqc "$TESTDATA/fxt/cholesky-12-dmdas/prof_file_0.zst" | head -c 700000 >prof
traceviz convert -q prof -o cut.csv
grep -v ',open,' cut.csv >ended.csv
check "FxT"

# The warning, once, with their number; none where there are none.
run traceviz bounds cut.csv
is "$(grep -c "$(grep -c ,open, cut.csv) tasks had not ended when the trace did (Flag open): no mean, threshold, bound, fit or simulation uses their durations" stderr)" 1 "their number is printed"
run traceviz bounds ended.csv
is "$(grep -c 'not ended' stderr)" 0 "not of a complete run"

# By hand. One type ran nowhere to its end: no mean, no work in bounds, no task in a simulation; 8 ms of the worker are busy.
printf 'ResourceId,ResourceType,Value,JobId,Start,End,Flag\nC0,CPU,a,1,0,2,\nC0,CPU,a,2,2,4,\nC1,CPU,b,3,0,8,open\nC0,CPU,a,4,4,8,open\n' >hand.csv
is "$(traceviz summary -q --csv hand.csv | columns - Value,Tasks,Executions,Time,MeanDuration,Max)" "a 3 3 8.000000 2.000000 2.000000
b 1 1 8.000000" "a mean of two of three, and none of one"
is "$(traceviz bounds -q --csv hand.csv | columns - Bound,Time | xargs)" "makespan 8.000000 abe 2.000000" "4 ms of work that ended, on two workers"
is "$(traceviz idleness -q --csv hand.csv | columns - ResourceId,Busy | xargs)" "C0 8.000000 C1 8.000000" "both are busy to the end"
# Segments: the first one of a suspended task ended, the task did not.
printf 'ResourceId,Value,JobId,Segment,Start,End,Flag\nC0,a,1,0,0,3,\nC0,a,2,,3,5,\nC0,a,1,1,5,9,open\n' >segments.csv
is "$(traceviz summary -q --csv segments.csv | columns - Value,Tasks,Time,MeanDuration,Max)" "a 2 9.000000 2.000000 2.000000" "a suspended task without end has no duration"
