#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare-columns.t: every column of every section of compare, computed once more by compare.pl
. "$(dirname "$0")/lib.sh"
plan 6
dmda=$DATA/cholesky-dmda.csv dmdas=$DATA/cholesky-dmdas.csv ws=$DATA/cholesky-ws.csv
# Compares, and wants numbers in each of the columns.
numbers() { # NAME COLUMNS RUN...
	name=$1 columns=$2; shift 2
	run perl "$ROOT/tests/cli/compare.pl" "$@"
	missing=$(for c in $columns; do grep -q "^agree:.* $c=" stdout || printf '%s ' "$c"; done)
	is "$rc $(grep -v '^agree:' stdout; cat stderr)$missing" "0 " "$name"
}
single="Base Run Unit Before After Change Ratio WithinLow WithinHigh Rank JobAfter WorkerBefore WorkerAfter WaitChange DurationChange Elapsed"
numbers "single runs: dmda to ws" "$single" a="$dmda" b="$ws"
numbers "single runs: ws to dmdas" "$single" a="$ws" b="$dmdas"
# Times by a factor, each duration by a random one below 1.
noisy() { # FILE SEED FACTOR
	awk -F, -v OFS=, -v seed="$2" -v factor="$3" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next }
		$c["Start"] == "" { print; next }
		{ seed = seed * 16807 % 2147483647
		time = ($c["End"] - $c["Start"]) * factor * (0.9 + 0.0001 * (seed % 1000))
		$c["Start"] = sprintf("%.6f", $c["Start"] * factor); $c["End"] = sprintf("%.6f", $c["Start"] + time)
		$c["Duration"] = sprintf("%.6f", $c["End"] - $c["Start"])
		if ($c["SubmitTime"] != "") $c["SubmitTime"] = sprintf("%.6f", $c["SubmitTime"] * factor)
		print }' "$1"
}
repeats=
for i in 1 2 3 4; do
	noisy "$dmda" $i 1.0$i >a$i.csv
	noisy "$dmdas" 9$i 1.0$((i * 2)) >b$i.csv
	repeats="$repeats a=a$i.csv b=b$i.csv"
done
# shellcheck disable=SC2086
numbers "repeats, seeds 1 to 4, 91 to 94" "$single Low High RatioLow RatioHigh" $repeats
# shellcheck disable=SC2086
numbers "of different numbers" "$single Low High RatioLow RatioHigh" $repeats b="$dmdas"
# fewer workers, fewer tasks, types that one run lacks
grep -v '^CUDA2' "$ws" | grep -v 'POTRF.*CUDA' >fewer.csv
numbers "other workers and tasks" "Before After Change WithinLow Rank" a="$dmda" b=fewer.csv
# each task until 3 ms after its end: overlaps
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next } $c["End"] != "" { $c["End"] = sprintf("%.6f", $c["End"] + 3)
	$c["Duration"] = sprintf("%.6f", $c["End"] - $c["Start"]) } { print }' "$dmdas" >overlaps.csv
numbers "tasks that overlap" "Before After Change Rank" a="$dmdas" b=overlaps.csv
