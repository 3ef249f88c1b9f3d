#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Bandwidths and use of links of simulated platforms against the integrals of max-min fair rates (tests/oracle/link-use.pl).
. "$(dirname "$0")/lib.sh"
plan 9

for case in "intel6240 comm 8" "intel6240 comm-cache 8" "epyc7452 comm 6" "epyc7452 comm-2020 5"; do
	# shellcheck disable=SC2086 # its parts
	set -- $case
	traceviz generate cholesky --tiles "$3" --tile 256 --allocate | traceviz simulate -q - --platform "$1" --model "$2" -o sim/
	traceviz platform "$1" --links >links.csv
	traceviz platform "$1" --routes '*,*' >routes.csv
	perl "$ROOT/tests/oracle/link-use.pl" links.csv routes.csv sim >out
	diag "$(cat out)"
	ok "$case: each slice is the integral of the rates" awk '{ exit !($1 > 1000 && $2 < 0.1) }' out
	ok "$case: links are full at times, and never more than that" awk '{ exit !($3 > 90 && $3 <= 100.000001) }' out
done
is "$(awk -F, 'NR > 1 { w = sprintf("%.0f", ($4 - $3) * 1e6); n[w]++; if (!($1 in last) || $4 > last[$1]) last[$1] = $4 }
	END { for (w in n) if (w + 0 > width) width = w + 0; for (b = 1; b < width; b *= 2) ;
		print (b == width), (length(n) <= 2) }' sim/variables.csv)" "1 1" "slices of a power of two ns, but for the last one"
