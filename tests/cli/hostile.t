#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hostile.t: files made to hang, crash or exhaust; each command within a limit of time
. "$(dirname "$0")/lib.sh"
plan 14
HOSTILE=$TESTDATA/hostile

# bounded SECONDS CMD...: 124 when it takes longer.
bounded() { run timeout "$@"; }

# Two resource types that are equally loaded, and a tiny task type that is free: GLPK cycles.
for f in lp-hang-min lp-hang-fuzz; do
	trace=$HOSTILE/$f.csv
	for verb in bounds "bounds --tight --integer" abe imbalance "compare $trace"; do
		bounded 20 traceviz $verb "$trace"
		is "$rc" 0 "$f: ${verb%% /*} ends"
	done
	bounded 30 traceviz -q "$trace" -o $f.svg
	is "$rc" 0 "$f: a picture"
done
is "$(traceviz bounds -q "$HOSTILE/lp-hang-min.csv" | grep -c ',abe,estimate,100.000001,')" 1 "the area bound is right"
bounded 20 traceviz bounds -q --integer "$HOSTILE/lp-hang-min.csv"
like "$(cat stdout)" "*abe-integer,estimate,100.000002,*" "the area bound of whole tasks is right"
