#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# series.sh HISTORY [EXPR]: HISTORY has a folder for each commit, with one trace or more (repeats); the names of the folders are in the
# order of the commits, such as 0001-3f2a, 0002-91bc. It writes all numbers to history.csv, and ends with 3 if EXPR holds. Default:
# at one of the last 10 commits the makespan became more than 5 % longer, or that of the last one is that much above those before.
set -u
[ $# -ge 1 ] || { echo "usage: series.sh HISTORY [EXPR]" >&2; exit 2; }
history=$1 expr=${2:-Name == makespan and (RunsAfter < 10 and Ratio > 1.05 or RunsAfter == 0 and Number > 1.05 * MeanOthers)}
set --
for commit in "$history"/*/; do
	label=$(basename "$commit")
	for run in "$commit"*; do set -- "$@" "$label=$run"; done
done
traceviz compare --series "$@" -q -o history.csv --fail-if "$expr"
