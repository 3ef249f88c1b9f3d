#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh BUILD FOLDER...: lines and branches of each folder that a build with --coverage has run; pages in BUILD/html.
build=$1; shift
mkdir -p "$build/html"
filters=$(printf ' --filter %s/' "$@")
# shellcheck disable=SC2086 # a list of options
gcovr -j "$(nproc)" --root . $filters --exclude-unreachable-branches --csv "$build/coverage.csv" \
	--html-details "$build/html/index.html" "$build" || exit 1
awk -F, '
function percent(of, part) { return of > 0 ? 100 * part / of : 0 }
function row(name) {
	printf "%-10s %7d %8.1f %9d %8.1f\n", name, lines[name], percent(lines[name], run[name]),
		branches[name], percent(branches[name], taken[name])
}
function add(name) { lines[name] += $2; run[name] += $3; branches[name] += $5; taken[name] += $6 }
NR > 1 { split($1, part, "/"); if (!(part[1] in lines)) order[++n] = part[1]; add(part[1]); add("all") }
END {
	print "folder       lines    % run  branches  % taken"
	for (i = 1; i <= n; i++) row(order[i])
	row("all")
}' "$build/coverage.csv" | tee "$build/coverage.txt"
