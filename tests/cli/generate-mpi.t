#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# generate-mpi.t: overlap and wait states of synthetic MPI traces against the documented model, stepped through here
. "$(dirname "$0")/lib.sh"
plan 30

# truth KIND RANKS T C PERIOD CORES: requests of calls.csv on standard input with what the model says, in us.
# Only when the calls that start them were posted is read; the rest follows in steps of 1 us.
truth() { awk -F, -v kind="$1" -v n="$2" -v T="$3" -v C="$4" -v period="$5" -v cores="$6" '
	function compute(from, start,    t, done, left, tick, ticks, step, busy) {
		# the computation of a rank, 1 us after the other: its length, and in PROGRESS what progressed
		t = start; left = kind == "bound" ? C + int(C / 2 / (cores - 1)) : C; busy = PROGRESS = 0
		while (left > 0) {
			if (kind == "bound" && t >= from) PROGRESS++
			if (kind == "idle" && t >= from && t - start >= C / 2) PROGRESS++
			t++; left--; busy++
			if (kind == "timer" && left > 0 && busy % period == 0) {
				if (t >= from) PROGRESS += T / STEPS < period ? T / STEPS : period
				t += period / 5 } }
		if (PROGRESS > T) PROGRESS = T
		return t - start }
	function show(r, name, s, window, from, shared, begin,    w, wait, all, lo, hi, cref) {
		w = compute(from, window); wait = (from > window + w ? from : window + w) + T - PROGRESS + 10 - window - w
		all = window + w + wait - begin; cref = T + 20; lo = cref < C ? cref : C; hi = cref < C ? C : cref
		printf "%d %d %d %.0f %.0f %.0f %.6f %.6f %.6f\n", r, name, s, w, wait / shared, all, (all - hi) / lo, (10 + wait / shared) / cref, w / C }
	$3 == "start" { split($1, p, "_"); k = $6; b[p[1], k, m[p[1], k]++] = int($4 * 1000 + 0.5); rounds = m[p[1], k] }
	END { for (STEPS = 0; 2 ^ STEPS < n; STEPS++); logn = STEPS
		for (i = 0; i < rounds; i++) {
			last = 0; STEPS = logn
			for (r = 0; r < n; r++) if (b[r, 1, i] + 10 > last) last = b[r, 1, i] + 10
			for (r = 0; r < n; r++) show(r, 1, b[r, 1, i], b[r, 1, i] + 10, last, 1, b[r, 1, i])
			STEPS = 2
			for (r = 0; r < n; r++) {
				last = 0
				for (d = -1; d <= 1; d++) { x = b[(r + d + n) % n, 3, i] + 10; if (x > last) last = x }
				show(r, 2, b[r, 2, i], b[r, 3, i] + 10, last, 2, b[r, 2, i])
				show(r, 3, b[r, 3, i], b[r, 3, i] + 10, last, 2, b[r, 3, i]) } } }' | sort -n -k1,1 -k3,3; }
# found DIR: the same of overlap, in us
found() { traceviz overlap --calls nonblocking --reference ref.csv "$1" | awk -F, "$by_name"'
	{ printf "%d %d %.0f %.0f %.0f %.0f %.6f %.6f %.6f\n", $c["Rank"], $c["Request"], $c["Start"] * 1000, $c["ComputeTime"] * 1000, $c["WaitTime"] * 1000,
		$c["MeasuredTime"] * 1000, $c["OverheadRatio"], $c["CommRatio"], $c["ComputeSlowdown"] }' | sort -n -k1,1 -k3,3; }
# worst FILE FILE: rows, and whether times differ by 2 us or more, ratios by 0.003: times of ranks are not whole us
worst() { paste -d ' ' "$1" "$2" | awk '{ for (i = 1; i <= 9; i++) { d = $i - $(i + 9); d = d < 0 ? -d : d; if (i <= 2 ? d > 0 : i <= 6 ? d > 2 : d > 0.003) bad++ } } END { print NR, bad + 0 }'; }
# same NAME ROWS KIND RANKS T C PERIOD [OPTIONS]: in us
same() {
	name=$1 rows=$2 kind=$3 ranks=$4 comm=$5 compute=$6 period=$7
	shift 7
	rm -rf run
	[ "$kind" != timer ] || set -- "$@" --period "${period}us"
	traceviz generate mpi --progress "$kind" --ranks "$ranks" --comm-time "${comm}us" --compute-time "${compute}us" --rounds 2 "$@" -o run
	printf 'CommReference,ComputeReference\n%s,%s\n' "$(echo "$comm" | awk '{ printf "%.6f", ($1 + 20) / 1000 }')" "$(echo "$compute" | awk '{ printf "%.6f", $1 / 1000 }')" >ref.csv
	truth "$kind" "$ranks" "$comm" "$compute" "$period" 4 <run/calls.csv >want
	found run >got
	is "$(worst got want)" "$rows 0" "$name"
}
same "nothing progresses" 24 none 4 4000 8000 0
same "nothing progresses: a late rank delays the others" 24 none 4 4000 800 0 --imbalance 1
same "a timer" 24 timer 4 4000 8000 1000
same "a timer with few ticks" 24 timer 4 8000 8000 3000
same "a timer and late ranks" 24 timer 4 4000 6000 1000 --imbalance 1.2
same "cores without work" 24 idle 4 4000 8000 0
same "cores without work for too short a time" 24 idle 4 6000 8000 0 --imbalance 0.7
same "a dedicated core" 24 bound 4 4000 8000 0
same "a dedicated core, a communication that is longer" 24 bound 4 12000 8000 0 --imbalance 0.5
for kind in none timer idle bound; do
	same "64 ranks, $kind" 384 "$kind" 64 3000 6000 500 --seed 7
done
same "2 ranks" 12 none 2 4000 8000 0

# What the four kinds look like with the defaults, by hand: references 4.02 and 8 ms.
printf 'CommReference,ComputeReference\n4.02,8\n' >ref.csv
for kind in none timer idle bound; do
	traceviz generate mpi --progress $kind --imbalance 0 -o $kind
	traceviz overlap --by collective --reference ref.csv $kind | awk -F, -v k=$kind "$by_name"'
		$1 == "MPI_Iallreduce" { printf "%s %.4f %.4f %.4f %s\n", k, $c["MedianOverhead"], $c["MedianComm"], $c["MedianSlowdown"], $c["Diagnosis"] }'
done >kinds
is "$(tr '\n' '|' <kinds)" "none 1.0000 1.0000 1.0000 no progression|timer 0.3532 0.0050 1.1750 computation slowed|idle 0.0050 0.0050 1.0000 good|bound 0.3367 0.0050 1.1667 computation slowed|" \
	"the diagnosis of each kind"
traceviz generate mpi --compute-time 0 --imbalance 0 -o alone
is "$(traceviz overlap --by reference alone | sed -n 's/^MPI_Iallreduce,//p')" "1048576,4,12,4.020000" "without computation: the reference of the communication"

# Wait states: each rank but the last waits in the barrier until the last one enters it.
traceviz generate mpi --ranks 64 -o late
traceviz wait-states late >waits
is "$(awk -F, '$3 == "MPI_Barrier" { n++; s += $8 } END { printf "%d %.6f", n, s }' waits)" \
	"$(awk -F, '$2 == "MPI_Barrier" { if ($4 > last[$8]) last[$8] = $4; at[NR] = $4; of[NR] = $8 } END { for (i in at) { w = last[of[i]] - at[i]; n += w > 0; s += w } printf "%d %.6f", n, s }' late/calls.csv)" \
	"wait-states: the barriers"
is "$(sed 1d waits | cut -d, -f3 | sort -u)" "MPI_Barrier" "ranks that are late by less than the computation are waited for only there"
traceviz generate mpi --compute-time 0 --imbalance 1 --rounds 1 -o late0
is "$(traceviz wait-states late0 | awk -F, '$3 == "MPI_Wait" { n++; s += $8 } END { printf "%d %.6f", n, s }')" \
	"$(awk -F, '$2 == "MPI_Iallreduce" { if ($4 > last) last = $4; w[NR] = $5 } END { for (i in w) if (last > w[i]) { n++; s += last - w[i] } printf "%d %.6f", n, s }' late0/calls.csv)" \
	"without computation they wait in MPI_Wait"

# Links: a message to the right of each rank in each round.
is "$(awk -F, 'NR > 1 { split($3, a, "_"); split($4, b, "_"); n++; ok += b[1] == (a[1] + 1) % 64 && $5 < $6 } END { print n, ok }' late/links.csv)" "192 192" "messages"
like "$(grep Synthetic late/meta.csv)" "*nothing ran*" "meta says that it is synthetic"
traceviz generate mpi --ranks 64 -o again
is "$(cat again/*.csv | cksum)" "$(cat late/*.csv | cksum)" "the same seed, the same bytes"
traceviz generate mpi --ranks 64 --seed 2 -o other
ok "another seed, other times" test "$(cksum <other/calls.csv)" != "$(cksum <late/calls.csv)"

run traceviz generate mpi
is "$rc" 2 "mpi needs -o"
run traceviz generate mpi -o one.csv
is "$rc" 2 "... a folder"
run traceviz generate mpi --tiles 3 -o x
like "$rc $(cat stderr)" "2 *--tiles has no effect on mpi*" "an option of the graphs"
run traceviz generate cholesky --ranks 3
like "$rc $(cat stderr)" "2 *--ranks has no effect on cholesky*" "an option of mpi"
run traceviz generate mpi --period 2 -o x
is "$rc" 2 "--period without a timer"
run traceviz generate mpi --ranks 100000 --rounds 1000000 -o x
like "$rc $(cat stderr)" "1 *more rows than a table has*" "too many rows"
run traceviz generate mpi --ranks 1 -o x
is "$rc" 2 "one rank"
