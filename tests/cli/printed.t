#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# printed.t: the numbers that figures print are those of the passes: header, legend, margins, titles, keys, tiles
. "$(dirname "$0")/lib.sh"
plan 8
# Checks the panels of a trace, and that at least MIN numbers were compared.
printed() { # TRACE MIN PANEL...
	trace=$1 min=$2; shift 2
	run perl "$ROOT/tests/cli/printed.pl" "$trace" "$@"
	is "$rc $(grep -v "numbers agree" stdout; cat stderr) $([ "$(tail -1 stdout | cut -d" " -f1)" -ge "$min" ] || tail -1 stdout)" "0  " "printed numbers of $(basename "$trace")"
}
curves="idle-causes ready submitted concurrency share gflops starvation utilization imbalance lifecycle durations regression"
iterations="progress open-iterations"
printed "$DATA/cholesky.csv" 70 page abe idle-causes
printed "$DATA/cholesky-dmda.csv" 120 page abe $curves $iterations
printed "$DATA/cholesky-ws.csv" 120 page abe $curves $iterations
printed "$DATA/cholesky-paje" 160 page abe $curves $iterations states events
printed "$DATA/qr-mumps-like.csv" 150 page abe $curves open-fronts front-memory tree-structure
printed "$TESTDATA/fxt/cholesky-12-2ranks" 90 page $curves $iterations states
printed "$TESTDATA/fxt/1.4.12-parallel" 20 page idle-causes ready submitted
# outliers, two nodes, seconds
seed 3
awk -v seed="$seed" 'BEGIN { print "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType"
	for (i = 0; i < 400; i++) { seed = (seed * 16807) % 2147483647; w = i % 7; length_of = 900 + seed % 200 + (i % 61 == 0) * 3000
		printf "%d_%s%d,%s,%.6f,%.6f,%d,app,%d,%s\n", w % 2, w < 3 ? "GPU" : "CPU", w, i % 3 ? "work" : "other work", at[w], at[w] + length_of, i, w % 2, w < 3 ? "GPU" : "CPU"
		at[w] += length_of + seed % 300 } }' >long.csv
printed long.csv 55 page abe idle-causes concurrency share utilization imbalance durations
