#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# delays.t [RUNS]: a task of a run takes longer: what the delay costs, and who is to blame. Runs are replays of a simulated one in which
# tasks take the mean of their type, with one, chosen by a fixed sequence, that takes 3 to 60 times as long; those that it makes at
# least 2 % longer count.
. "$(dirname "$0")/lib.sh"
plan 4

runs=${1:-10}
trace=even
traceviz simulate -q --durations mean "$DATA/cholesky-2nodes" -o $trace
replay() { traceviz simulate -q --scheduler replay --submission trace "$@" $trace; }
# time OUTPUT JOB: makespan of a run and duration of a task, ns
time_of() { traceviz critical-path -q --csv --delay-cost "$1" | awk -F, '$1 == "none" { printf "%.0f ", $8 * 1e6 }'
	awk -F, -v job="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["JobId"] == job { printf "%.0f\n", ($at["End"] - $at["Start"]) * 1e6 }' "$1/tasks.csv"; }
# rank OUTPUT KEY COLUMNS NAME: the place of a culprit among those of KEY by Excess
rank() {
	traceviz idle-causes -q --csv --by culprit --each "$2" --where 'Culprit == task' "$1" | columns - "$3,Excess" |
		awk '{ e = $NF; NF--; sum[$0] += e } END { for (k in sum) print sum[k], k }' | sort -gr | cut -d' ' -f2- | grep -nxF "$4" | cut -d: -f1
}

replay -o base
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["Kind"] == "app" { print $at["JobId"], $at["Value"], $at["ResourceType"], $at["ResourceId"] }' base/tasks.csv >jobs
jobs=$(wc -l <jobs)
n=0 step=0 cost=0 type=0 worker=0
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
	[ "$(rank late type Value,ResourceType "$2 $3")" -le 3 ] && type=$((type + 1))
	[ "$(rank late worker ResourceId "$4")" -le 3 ] && worker=$((worker + 1))
done
is "$n" "$runs" "runs that a delay makes 2 % longer"
is "$cost" "$runs" "what it costs is the difference of the replays, to the ns"
is "$type" "$runs" "its type is among the first three culprits by excess"
is "$worker" "$runs" "so is its worker"
