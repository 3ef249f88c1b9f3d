#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pipes.t: passes one after the other through pipes give the same bytes from a folder, from its single CSV and from
# files in between; a user's columns survive them all
. "$(dirname "$0")/lib.sh"
plan 13

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

# What a verb finds of another one's columns are its defaults: the same as the verb alone with the options.
run_of=$DATA/cholesky-dmdas.csv
chain() { traceviz chain -q "$@" "$run_of"; }
paths() { traceviz paths -q "$@" "$run_of"; }
is "$(chain --tasks type:POTRF | traceviz paths -q | cksum)" "$(paths --tasks type:POTRF | cksum)" \
	"paths of marked chains are those of the same tasks"
is "$(chain --tasks type:POTRF | traceviz paths -q | awk -F, 'NR == 2 { d = $9 } END { print NR - 1, d }')" "7 49.326227" \
	"seven paths, the worst delayed by 49.3 ms"
is "$(chain --tasks type:POTRF --depth root | traceviz paths -q --tasks type:TRSM | cksum)" \
	"$(paths --tasks type:TRSM --depth root | cksum)" "an option that is given replaces one of them"
is "$(chain --tasks type:POTRF | traceviz chain -q | cksum)" "$(chain --tasks type:POTRF | cksum)" "chain twice changes nothing"
is "$(traceviz outliers -q "$DATA/cholesky.csv" | traceviz chain -q --tasks outlier | traceviz paths -q | cksum)" \
	"$(traceviz paths -q --tasks outlier "$DATA/cholesky.csv" | cksum)" "outliers, their chains, the paths"
draw() { traceviz "$@" -q --panels spacetime --title t -o drawn.boxes --to csv; cksum <drawn.boxes; }
chain --tasks type:POTRF --depth 5 >marked.csv
is "$(draw marked.csv)" "$(draw "$run_of" --spacetime.merged type:POTRF --spacetime.depth 5)" "a figure draws the marked paths"
is "$(draw marked.csv --spacetime.chains last)" "$(draw "$run_of" --spacetime.chains last)" "unless it is to draw others"
sed '2s/,5$/,9/' marked.csv >mixed.csv
run traceviz paths mixed.csv
is "$rc" 1 "two depths contradict each other"
like "$(cat stderr)" "*column Depth*'9' and '5'*--depth*" "and the message names the option"
