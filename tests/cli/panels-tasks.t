#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# panels-tasks.t: panels of iterations, of the area bound's solution, of phases, durations and work.
. "$(dirname "$0")/lib.sh"; plan 22

run traceviz -q "$DATA/cholesky.csv" -o usual.csv
is "$rc" 0 "the usual report"
like "$(grep panel-title usual.csv)" "*iterations: 30, at most 15 open*tasks by resource type*" \
	"it has the progression and where tasks ran"
is "$(grep -c ',ideal,' usual.csv)" \
	"$(traceviz abe -q "$DATA/cholesky.csv" --csv | awk 'NR > 1' | wc -l)" "a bullet per row of abe"

for panel in progress abe lifecycle durations regression; do
	run traceviz -q "$DATA/cholesky.csv" --panels $panel -o $panel.png
	is "$rc $(cat stderr)" "0 " "$panel alone"
done
for wrong in 'progress.show x' 'progress.show tasks,' 'abe.types 0' 'lifecycle.groups x' \
	'durations.scale x' 'durations.bins x' 'regression.fit x' 'regression.groups 0'; do
	option=${wrong% *} value=${wrong#* }
	run traceviz -q "$DATA/cholesky.csv" --panels "${option%.*}" "--$option" "$value" -o x.png
	is "$rc" 2 "--$wrong"
done

# What a trace cannot fill is left out, and said.
printf 'ResourceId,Value,Start,End,JobId\nCPU0,a,0,2,1\nCPU1,a,0,3,2\n' >plain.csv
for panel in progress abe lifecycle regression; do
	run traceviz plain.csv --panels spacetime,$panel -o x.png
	like "$rc $(cat stderr)" "0 *panel $panel left out: *" "$panel needs more"
done
run traceviz "$DATA/cholesky.csv" --begin 1000 --end 2000 --panels spacetime,abe,progress -o window.csv
like "$rc $(cat stderr)" "0 *panel abe left out: it describes the whole run*" "no abe in a window"
open=$(traceviz progress -q "$DATA/cholesky.csv" --csv | awk -F, 'NR > 1 && $5 <= 2000 && $9 >= 1000' | wc -l)
like "$(grep panel-title window.csv)" "*iterations: $open of 30*" "iterations that are open in the window"
