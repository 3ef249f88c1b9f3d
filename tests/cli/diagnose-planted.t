#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-planted.t: causes planted by simulate, ten times each, on equal workers and on CPUs with GPUs: named first, their size, what they cost
. "$(dirname "$0")/lib.sh"

plan 15

makespan() { traceviz info -q "$1" | awk -F, '$2 == "makespan" { print $3 }'; }

# Two machines on which tasks of a type take the same time: twelve CPUs, which wait for dependencies now and then; twelve CPUs and three GPUs.
traceviz simulate -q --scheduler heft --durations mean --resources CPU=12 "$DATA/cholesky-ws.csv" -o equal.csv
printf 'Value,ResourceType,MeanDuration\n' >durations.csv
printf '%s\n' gemm,CPU,33.1 gemm,CUDA,2.8 syrk,CPU,16.3 syrk,CUDA,1.6 trsm,CPU,15.7 trsm,CUDA,3.2 potrf,CPU,7.9 potrf,CUDA,5.1 >>durations.csv
traceviz generate -q cholesky --tiles 20 -o graph.csv
traceviz simulate -q --scheduler heft --durations-from durations.csv --resources CPU=12,CUDA=3 graph.csv -o mixed.csv

# check KIND PLANTED UNPLANTED WORKER: compares the first finding of PLANTED, its WorkerTime with WORKER, in ms, and its potential,
# or what the other schedule saves if that is more, with the difference of the makespans; says what differs
check() {
	traceviz diagnose -q --csv "$2" >found.csv 2>&1
	awk -F, -v kind="$1" -v planted="$(makespan "$2")" -v without="$(makespan "$3")" -v worker="$4" '
		$1 == "finding" && $2 == 1 { first = $3 }
		$1 == "finding" && $3 == kind {
			time = $7; potential = $9
			if (match($0, /, saves [0-9.]* ms/)) potential = substr($0, RSTART + 8, RLENGTH - 11)
		}
		END {
			change = planted - without; d = potential - change
			if (first != kind) printf "%s is first; ", first
			if (time != worker) printf "time of workers %s, planted %s; ", time, worker
			if (change <= 0 || potential == "" || d > 0.1 * change || -d > 0.1 * change) printf "potential %s, change %.6f; ", potential, change
		}' found.csv
}

# slowed BASE EXPR: replays base.csv and planted.csv, tasks slower where EXPR holds; prints how much longer all tasks together take
slowed() {
	traceviz simulate -q --scheduler replay "$1" -o base.csv
	traceviz simulate -q --scheduler replay --speed "$2" "$1" -o planted.csv
	for f in base planted; do awk -F, "$by_name"'{ sum += $c["Duration"] } END { printf "%.6f\n", sum }' $f.csv; done | awk '{ t[NR] = $1 } END { printf "%.6f", t[2] - t[1] }'
}

for base in equal mixed; do
	workers=$(awk -F, "$by_name"'{ n[$c["ResourceId"]]++ } END { for (w in n) if (n[w] > 11) print w }' $base.csv | sort)
	wrong= parts=
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		worker=$(echo "$workers" | awk -v seed=$seed '{ w[NR] = $1 } END { print w[1 + seed % NR] }')
		time=$(slowed $base.csv "ResourceId == \"$worker\"=0.$((40 + seed * 2))")
		why=$(check slow-worker planted.csv base.csv "$time")
		wrong="$wrong${why:+$worker: }$why"
		traceviz account -q --csv --durations minimum planted.csv | awk -F, -v planted="$time" '$2 == "durations" && $1 == "part" { sum += $9 } END { d = sum - planted; exit !(d * d < 1e-10) }' || parts="$parts $seed"
	done
	is "$wrong" "" "$base: a slow worker"
	is "$parts" "" "$base: parts of the account have the same time, against the shortest durations"
	wrong=
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		jobs=$(awk -F, -v seed=$seed "$by_name"'tolower($c["Value"]) == "gemm" { job[n++] = $c["JobId"] }
			END { for (i = 0; i < 4; i++) printf "%sJobId == \"%s\"", i ? " or " : "", job[(37 * seed + 53 * i) % n] }' $base.csv)
		time=$(slowed $base.csv "$jobs=0.05")
		why=$(check outliers planted.csv base.csv "$time")
		wrong="$wrong${why:+$seed: }$why"
	done
	is "$wrong" "" "$base: four outliers"
	wrong=
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		begin=$(makespan $base.csv | awk -v seed=$seed '{ printf "%.3f", $1 * (0.1 + 0.05 * seed) }')
		end=$(makespan $base.csv | awk -v begin="$begin" '{ printf "%.3f", begin + $1 * 0.06 }')
		time=$(slowed $base.csv "Start >= $begin and Start < $end=0.2")
		why=$(check disturbance planted.csv base.csv "$time")
		wrong="$wrong${why:+$begin: }$why"
	done
	is "$wrong" "" "$base: all workers are slow for a while"
done

# Nothing is submitted for a while, from a task on. Workers wait from their last task before to then.
pause() { # GRAPH SCHEDULER SEED TIME
	rm -rf base planted
	traceviz simulate -q --scheduler "$2" "$1" -o base
	awk -F, -v OFS=, -v seed="$3" -v until="$4" 'NR == FNR { n++; next } FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next }
		{ $c["SubmitTime"] = FNR > n * (0.1 + 0.04 * seed) ? until : 0; print }' base/tasks.csv base/tasks.csv >late.csv
	traceviz simulate -q --scheduler "$2" --submission trace late.csv -o planted
	awk -F, -v until="$4" "$by_name"'$c["ResourceId"] != "" && $c["Start"] + 0 < until && $c["End"] > end[$c["ResourceId"]] + 0 { end[$c["ResourceId"]] = $c["End"] }
		END { for (w in end) if (end[w] < until) sum += until - end[w]; printf "%.6f", sum }' planted/tasks.csv
}
for base in equal mixed; do
	wrong=
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		time=$(pause $base.csv fifo $seed 4000)
		why=$(check submission planted base "$time")
		wrong="$wrong${why:+$seed: }$why"
	done
	is "$wrong" "" "$base: a pause in the submission"
done

# Slow links to the GPUs: states show how long workers wait for data.
wrong=
for seed in 1 2 3 4 5 6 7 8 9 10; do
	rm -rf base planted
	traceviz simulate -q --scheduler heft --durations mean --resources CPU=6,CUDA=2 --transfers latency=10us,bandwidth=$((120 + 17 * seed))MB/s "$DATA/cholesky-ws.csv" -o planted
	traceviz simulate -q --scheduler replay --transfers free planted -o base
	time=$(awk -F, -v begin="$(traceviz info -q planted | awk -F, '$2 == "first task" { print $3 }')" "$by_name"'
		$c["Value"] == "FetchingInput" && $c["End"] + 0 > begin { sum += $c["End"] - ($c["Start"] + 0 > begin ? $c["Start"] : begin) } END { printf "%.6f", sum }' planted/states.csv)
	why=$(check transfers planted base "$time")
	wrong="$wrong${why:+$seed: }$why"
done
is "$wrong" "" "slow links to GPUs"

# A policy that ignores durations, on CPUs and GPUs.
wrong= first=
for seed in 1 2 3 4 5 6 7 8 9 10; do
	for policy in heft ws; do traceviz simulate -q --scheduler $policy --durations-from durations.csv --resources CPU=$((5 + seed)),CUDA=3 graph.csv -o $policy.csv; done
	traceviz diagnose -q --csv ws.csv >found.csv
	first="$first $(awk -F, '$1 == "finding" && $2 == 1 { print $3 }' found.csv)"
	why=$(check "${first##* }" ws.csv heft.csv "$(awk -F, '$1 == "finding" && $2 == 1 { print $7 }' found.csv)")
	wrong="$wrong${why:+$seed: }$why"
done
is "$(echo "$first" | xargs -n1 | uniq)" "crowded" "a policy that ignores durations: GPUs have too much work"
is "$wrong" "" "what heft would bring"

# Messages of two runs on four nodes, as recorded and without time.
for k in p1x4 p2x2; do
	rm -rf base planted
	traceviz simulate -q --scheduler replay "$DATA/cholesky-4nodes/$k" -o planted
	traceviz simulate -q --scheduler replay --free-messages "$DATA/cholesky-4nodes/$k" -o base
	time=$(traceviz account -q --csv planted | awk -F, '$1 == "part" && ($3 == "mpi" || $4 == "message") { sum += $9 } END { printf "%.6f", sum }')
	is "$(check messages planted base "$time" | sed 's/^[a-z-]* is first; //')" "" "messages of $k"
done
