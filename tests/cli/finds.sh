#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# finds.sh: what tests of diagnose share

# finds ID ARGUMENTS...: of a finding of diagnose its Time (or m and Measure) and WorkerTime, nothing if it does not hold; its command must
# run, and its page must be drawn. The table is in table.csv.
finds() {
	id=$1; shift
	traceviz diagnose -q --csv "$@" >table.csv 2>errors || { cat errors; return; }
	awk -F, -v id="$id" '($1 == "finding" || $1 == "limit") && $3 == id { print ($4 != "" ? $4 : $6 != "" ? "m" $6 : "-"), ($7 == "" ? "-" : $7) }' table.csv
	traceviz diagnose -q "$@" -o page.pdf 2>errors || cat errors
	traceviz diagnose -q --all "$@" | awk -v id="$id" '$1 == id { found = 1 } found && /^ *traceviz / { print; exit }' >command
	[ ! -s command ] || sh -c "$(cat command) -q" >shown 2>errors </dev/null || cat command errors
}
