#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gate.sh BASE NEW [EXPR]: compares the traces in folder BASE with those in folder NEW, repeats of one run each, and writes
# what continuous integration shows: junit.xml, report.md, metrics.txt. It ends with 3 if EXPR holds (default: 5 % slower), with 4
# if the repeats do not decide it.
set -u
[ $# -ge 2 ] || { echo "usage: gate.sh BASE NEW [EXPR]" >&2; exit 2; }
base=$1 new=$2 expr=${3:-makespan.ratio > 1.05}
set --
for run in "$base"/*; do set -- "$@" "before=$run"; done
for run in "$new"/*; do set -- "$@" "after=$run"; done
traceviz compare "$@" --to markdown -o report.md -q || exit
traceviz compare "$@" --to openmetrics -o metrics.txt -q || exit
traceviz compare "$@" --to junit -o junit.xml --fail-if "$expr" --require-confidence
