#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pipes.t: passes one after the other through pipes give the same bytes from a folder, from its single CSV and from
# files in between; a user's columns survive them all
. "$(dirname "$0")/lib.sh"
plan 4

awk -F, -v OFS=, 'NR == 1 { print $0, "My Column"; next } { print $0, "\"x, \"\"" NR "\"\"\"" }' \
	"$DATA/cholesky-ws.csv" >mine.csv
traceviz convert -q mine.csv -o run
five() {
	traceviz iterations -q "$1" | traceviz deps -q | traceviz chain -q --tasks type:POTRF --depth 3 |
		traceviz lifecycle -q | traceviz outliers -q
}
five mine.csv >pipe.csv
is "$(wc -l <pipe.csv)" "$(wc -l <mine.csv)" "five passes keep every row"
is "$(five run | cksum)" "$(cksum <pipe.csv)" "the folder gives the same bytes as its single CSV"
traceviz iterations -q run -o 1.csv
traceviz deps -q 1.csv -o 2.csv
traceviz chain -q --tasks type:POTRF --depth 3 2.csv -o 3.csv
traceviz lifecycle -q 3.csv -o 4.csv
is "$(traceviz outliers -q 4.csv | cksum)" "$(cksum <pipe.csv)" "so do files in between"
is "$(grep -c '"x, ""[0-9]*"""' pipe.csv)" "$(($(wc -l <mine.csv) - 1))" "a user's column survives all of them"
