#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# delays.t [RUNS]: a task of a run takes longer: what the delay costs, and who is to blame. Runs are replays of a simulated one in which
# tasks take the mean of their type, with one, chosen by a fixed sequence, that takes 3 to 60 times as long; those that it makes at
# least 2 % longer count. A task that no other worker waits for while it runs, as only what its worker does later is needed, may be no
# culprit: whether one waits is seen without a walk, by tasks that start later than without the delay.
. "$(dirname "$0")/lib.sh"
plan 5

runs=${1:-12}
trace=even
traceviz simulate -q --durations mean "$DATA/cholesky-2nodes" -o $trace
replay() { traceviz simulate -q --scheduler replay --submission trace "$@" $trace; }
# time OUTPUT JOB: makespan of a run and duration of a task, ns
time_of() { traceviz critical-path -q --csv --delay-cost "$1" | awk -F, '$1 == "none" { printf "%.0f ", $8 * 1e6 }'
	awk -F, -v job="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["JobId"] == job { printf "%.0f\n", ($at["End"] - $at["Start"]) * 1e6 }' "$1/tasks.csv"; }
# rank OUTPUT KEY COLUMNS NAME: whether it is among the first three culprits of KEY by Excess (first), a later one, or none, without Excess
rank() {
	traceviz idle-causes -q --csv --by culprit --each "$2" --where 'Culprit == task' "$1" | columns - "$3,Excess" |
		awk -v name="$4" '{ e = $NF; NF--; sum[$0] += e }
			END { for (k in sum) above += sum[k] > sum[name]; print sum[name] <= 0 ? "none" : above < 3 ? "first" : "later" }'
}
# is_waited_for JOB WORKER: another worker, which would start a task before the delayed one ends, starts it later than without the delay
is_waited_for() {
	for run in base late; do columns $run/tasks.csv JobId,Start,End,ResourceId >$run.list; done
	awk -v job="$1" -v worker="$2" 'FNR == 1 { file++ } file == 1 { was[$1] = $2 } file == 2 && $1 == job { end = $3 }
		file == 3 && NF == 4 && $4 != worker && $2 > was[$1] && was[$1] < end { n++ } END { exit n == 0 }' base.list late.list late.list
}

replay -o base
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["Kind"] == "app" { print $at["JobId"], $at["Value"], $at["ResourceType"], $at["ResourceId"] }' base/tasks.csv >jobs
jobs=$(wc -l <jobs)
n=0 step=0 cost=0 type=0 worker=0 alone=0
while [ $n -lt "$runs" ] && [ $step -lt 2000 ]; do
	step=$((step + 1))
	# shellcheck disable=SC2046 # four words
	set -- $(sed -n "$((step * 7919 % jobs + 1))p" jobs)
	rm -rf late
	replay --speed "JobId == \"$1\"=$(awk -v k=$step 'BEGIN { printf "%.4f", 1 / (3 + k * 37 % 58) }')" -o late
	before=$(time_of base "$1")
	after=$(time_of late "$1")
	delay=$((${after#* } - ${before#* })) longer=$((${after% *} - ${before% *}))
	[ $((longer * 50)) -ge "${before% *}" ] || continue
	n=$((n + 1))
	found=$(traceviz critical-path -q --csv --delay-cost --cut "JobId == \"$1\"=${delay}ns" late | awk -F, '$1 == "all" { printf "%.0f", $9 * 1e6 }')
	[ "$found" = $longer ] && cost=$((cost + 1))
	by_type=$(rank late type Value,ResourceType "$2 $3") by_worker=$(rank late worker ResourceId "$4")
	if [ "$by_type $by_worker" = "none none" ] && ! is_waited_for "$1" "$4"; then
		alone=$((alone + 1))
	else
		[ "$by_type" = first ] && type=$((type + 1))
		[ "$by_worker" = first ] && worker=$((worker + 1))
	fi
done
is "$n" "$runs" "runs that a delay makes 2 % longer"
is "$cost" "$runs" "what it costs is the difference of the replays, to the ns"
is "$type" $((runs - alone)) "its type is among the first three culprits by excess, in all but $alone that nobody waits for"
is "$worker" $((runs - alone)) "so is its worker"
ok "there are some of both kinds" [ "$alone" -gt 0 ] && [ "$alone" -lt "$n" ]
