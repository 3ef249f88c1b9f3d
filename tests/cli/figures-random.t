#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# figures-random.t: figures of random traces, as PDF and PNG: no text touches another or leaves the page
# FIGURES=1000: that many traces; SEED=N: others.
. "$(dirname "$0")/lib.sh"
n=${FIGURES:-30}
plan 3
seed "${SEED:-38}"
make_trace() { # SEED: run.csv; prints the options
	awk -v seed="$1" '
	function pick(n) { return int(rand() * n) }
	function chance(p) { return rand() < p }
	function name(n,   s, i) { for (i = 0; i < n; i++) s = s substr("abcdefghijklmnopqrstuvwxyzAMW_0123456789", 1 + pick(40), 1); return s }
	BEGIN {
		srand(seed)
		workers = 1 + pick(chance(0.3) ? 3 : chance(0.2) ? 300 : 40)
		types = 1 + pick(chance(0.2) ? 40 : 6)
		tasks = 1 + (chance(0.1) ? 0 : pick(chance(0.2) ? 5000 : 300))
		nodes = 1 + (chance(0.3) ? pick(6) : 0)
		span = 10 ^ (pick(11) - 4)
		for (i = 0; i < types; i++) type[i] = name(1 + pick(chance(0.2) ? 60 : 10))
		for (i = 0; i < workers; i++) {
			kind = chance(0.2) ? "CUDA" : chance(0.05) ? name(12) : "CPU"
			node = pick(nodes)
			worker[i] = (nodes > 1 ? node "_" : "") kind i "," kind "," node
			free[i] = chance(0.1) ? span * rand() : 0
		}
		used = chance(0.3) ? 1 + pick(workers) : workers
		print "ResourceId,ResourceType,Node,Kind,Value,Start,End,JobId,DependsOn,Iteration"
		for (i = 0; i < tasks; i++) {
			w = pick(used)
			start = free[w] + (chance(0.3) ? span * rand() : 0)
			free[w] = start + (chance(0.02) ? 0 : span * rand() * (chance(0.02) ? 20 : 1))
			printf "%s,,%s,%.6f,%.6f,%d,%s,%d\n", worker[w], type[pick(types)], start, free[w], i + 1, last[w], i / 10
			last[w] = i + 1
		}
		for (i = used; i < workers; i++) print worker[i] ",worker,,,,,,"
		# Every fifth beside the one before it.
		printf "%s --width %s --font-size %d%s", seed % 5 == 0 ? "--facet a=run.csv b=before.csv" : "run.csv", chance(0.5) ? 3.5 : chance(0.5) ? 7 : 12, chance(0.5) ? 7 : 6 + pick(7),
			chance(0.5) ? "" : " --panels spacetime,idle-causes,ready,submitted,progress,concurrency,utilization,durations,abe,account,efficiency" >"/dev/stderr"
	}' >run.csv 2>options
	cat options
}
# Points; an image has 200 pixels in 72.
page_height() { # FILE
	case $1 in
	*.pdf) grep -am1 MediaBox "$1" | awk '{ print $6 }' ;;
	*) od -An -j20 -N4 -tu1 "$1" | awk '{ print (((($1 * 256 + $2) * 256 + $3) * 256 + $4) + 1) * 72 / 200 }' ;;
	esac
}
overlapping= failed= refused=0
for i in $(seq 1 "$n"); do
	[ "$i" -eq 1 ] || mv run.csv before.csv
	options=$(make_trace "$((seed * 10000 + i))")
	width=${options#*--width }
	for to in pdf png; do
		# shellcheck disable=SC2086 # words
		if ! traceviz -q $options -o "f.$to" --dump-boxes boxes.csv 2>err; then
			# Some have too many panels for a page.
			if grep -q 'leaves no room\|need at least\|too little height' err; then refused=$((refused + 1)); else failed="$failed $i.$to $options: $(head -1 err)"; fi
			continue
		fi
		found=$(sh "$ROOT/tests/overlaps.sh" boxes.csv "${width%% *}" "$(page_height "f.$to")" | head -2)
		[ -z "$found" ] || overlapping="$overlapping
$i.$to $options: $found"
	done
done
is "$failed" "" "$n random traces are drawn"
ok "nearly all: $refused of $((2 * n)) refused, without room" test "$refused" -le $((n / 5))
is "$overlapping" "" "no text touches another or leaves the page"
