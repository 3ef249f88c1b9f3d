#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# annotate.t: colors of objects, drawn by hwloc's own lstopo
. "$(dirname "$0")/lib.sh"
plan 7

mkdir run && cp "$TESTDATA/hwloc/e5-2650.xml" run
{ echo ResourceId,Type,Start,End,Value; for i in 0 1 2 3 4; do echo "L2:$i,u,0.000000,1.000000,$((i * 25))"; done; } >run/variables.csv
run traceviz annotate u --colors hmon run
is "$rc $(tail -n +2 stdout | cut -d= -f2 | cut -d';' -f1 | tr '\n' ' ')" "0 #00ff00 #7fff00 #ffff00 #ff7f00 #ff0000 " \
	"the scale of Denoyelle's tools at 0, 1/4, 1/2, 3/4, 1"
run traceviz annotate u run
is "$(tail -n +2 stdout | cut -d, -f1,3 | sed -n '1p;5p') $(cat stderr)" "L2:0,Background=#f7fbff;Text=#000000
L2:4,Background=#08306b;Text=#ffffff " "white to blue; no warning of clocks beside a topology"
if command -v hwloc-annotate >/dev/null && command -v lstopo-no-graphics >/dev/null; then
	cp run/*.xml colored.xml
	traceviz annotate u run | tail -n +2 | while IFS=, read -r object value style; do
		hwloc-annotate colored.xml colored.xml "$object" info lstopoStyle "$style" >/dev/null 2>>errors || echo "$object $value" >>errors
	done
	lstopo-no-graphics --no-factorize -i colored.xml --of svg picture.svg >/dev/null 2>&1
	is "$(cat errors 2>/dev/null)" "" "hwloc-annotate knows all objects"
	is "$(grep -ci 'rgb(8,48,107)\|#08306b' picture.svg)" 1 "lstopo draws the color of the max"
else
	skip 2 "no hwloc-annotate or lstopo-no-graphics"
fi
run traceviz annotate run
is "$rc" 2 "no variable"
run traceviz annotate '*' "$DATA/placement/grouped"
like "$rc $(cat stderr)" "1 *several variables match*" "several variables"
run traceviz annotate 'Used*' "$DATA/cholesky-4nodes/p1x4"
like "$rc $(cat stderr)" "1 *is no object of the machine*" "values of workers"
