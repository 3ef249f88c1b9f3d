#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# overlap-maps.t: maps of a benchmark of overlap: colors of known ratios in all palettes, also as pixels; one map per operation
. "$(dirname "$0")/lib.sh"
plan 14

# Three operations: one after the other, hidden, and slowed down without any overlap; a library per operation.
awk 'BEGIN {
	print "Library,Call,Ranks,ComputeTarget,CommTarget,ComputeReference,CommReference,OverheadRatio,CommRatio,ComputeSlowdown"
	for (k = 0; k < 3; k++) for (c = 1; c <= 8; c *= 2) for (m = 1; m <= 8; m *= 2) {
		wait = k == 0 ? m : 0; comp = k == 2 ? c + 2 * (c < m ? c : m) : c
		all = k == 1 ? (c > m ? c : m) : comp + (k == 2 ? m : wait)
		if (k == 2) wait = m
		min = c < m ? c : m; max = c > m ? c : m
		printf "MPI,MPI_%s,4,%d,%d,%d,%d,%g,%g,%g\n", k == 0 ? "serial" : k == 1 ? "ideal" : "slowed", c, m, c, m, (all - max) / min, wait / m, comp / c
	}
}' >grids.csv

# colors PANEL MAP: the different colors of a map's cells
colors() { awk -F, -v map="$2" '$3 == "cell" && $0 ~ "MPI_" map ", " { print $(NF - 2) }' "$1.boxes" | sort -u | tr '\n' ' '; }

run traceviz grids.csv --panels overhead-map,comm-map,slowdown-map -o all.svg
is "$rc $(cat stderr)" "0 " "three panels of one table"
for panel in overhead-map comm-map slowdown-map; do
	traceviz grids.csv --panels $panel -o $panel.boxes --to csv
done
is "$(colors overhead-map serial)/ $(colors overhead-map ideal)/ $(colors overhead-map slowed)" "#ffff00 / #00a000 / #ff0000 " \
	"overhead: serial is yellow, ideal green, slowed red"
is "$(colors comm-map serial)/ $(colors comm-map ideal)/ $(colors comm-map slowed)" "#ffffff / #0000ff / #ffffff " \
	"communication: serial and slowed are white, ideal blue"
is "$(colors slowdown-map serial)/ $(colors slowdown-map ideal)" "#0000ff / #0000ff " "computation: serial and ideal are blue"
# 1 + 2 min / c: 3 where the communication is as long, red; 1.25 for c = 8 m.
is "$(colors slowdown-map slowed)" "#8080ff #ff0000 #ffffff " "slowed: by 1.25, by 1.5, by 2 and more"
is "$(awk -F, '$3 == "facet" { print $NF }' overhead-map.boxes | tr '\n' ' ')$(grep -c ',cell,' overhead-map.boxes)" \
	"MPI_serial MPI_ideal MPI_slowed 48" "a map for each operation, named by what differs"
is "$(awk -F, '$3 == "name" && n++ < 8 { print $NF }' overhead-map.boxes | tr '\n' ' ')" "1 2 4 8 1 2 4 8 " "times ascend"
is "$(grep -o 'MPI_serial, [0-9]*, 1: .*' overhead-map.boxes | awk -F, 'NR > 1 && $6 >= last { print } { last = $6 + 0 } END { print NR }')" 4 \
	"long computations are above"

# Ratios at and between the colors, as pixels too; a pair that was not measured is hatched.
printf '%s\n' ComputeTarget,CommTarget,OverheadRatio,CommRatio,ComputeSlowdown 1,1,0,0,1 2,1,1,1,1.5 1,2,2,2,2 2,2,-0.5,-0.5,-0.5 4,1,1.5,0.5,9 >ratios.csv
fills() { traceviz ratios.csv --panels "$@" --to csv -o - | awk -F, '$3 == "cell" { print $(NF - 2) }' | tr '\n' ' '; }
is "$(fills overhead-map)/ $(fills comm-map)/ $(fills slowdown-map)" \
	"#00a000 #ff0000 #ffff00 #005080 #ff8000 / #0000ff #ff0000 #ffffff #0000ff #8080ff / #0000ff #ff0000 #ffffff #0000ff #ff0000 " \
	"colors of ratios 0, 2, 1, -0.5, 1.5"
is "$(fills overhead-map --palette colorblind)/ $(fills comm-map --palette grayscale)" \
	"#6baed6 #b35806 #fff5c0 #3a6fa1 #d9a763 / #ffffff #303030 #989898 #ffffff #cbcbcb " "the other palettes"
traceviz ratios.csv --panels overhead-map -o ratios.png --dpi 144
is "$(perl "$ROOT/tests/cli/pixels.pl" ratios.png 0,160,0 255,255,0 255,0,0 0,80,128 | awk '$2 < 500')" "" "pixels of the colors"
is "$(traceviz ratios.csv --panels overhead-map --to csv -o - | grep -c ',missing,' | awk '{ print ($1 > 4) }')" 1 "a pair that was not measured is hatched"
is "$(traceviz ratios.csv -o auto.boxes --to csv -q; grep -c ',cell,' auto.boxes)" 15 "a table of these columns is drawn as three maps"
printf '%s\n' Rank,ComputeTarget,CommTarget,OverheadRatio ,1,1,0 0,1,1,1 >ranks.csv
run traceviz ranks.csv --panels overhead-map -o x.pdf
like "$rc $(cat stderr)" "2 *two rows for 1, 1; --where chooses rows*" "rows by rank must be chosen"
