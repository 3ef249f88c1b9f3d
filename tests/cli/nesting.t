#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nesting.t: time of nested regions, in summary --by path, place, thread and in call-tree, against brute force; paths that are too deep; the panel
# needs perl
. "$(dirname "$0")/lib.sh"
plan 5
is "$(perl "$ROOT/tests/cli/nesting.pl" 100 | sed 's/^[0-9]* numbers/numbers/')" "numbers agree" "100 random programs"

# A recursion of 100,000 levels: 200 have a path each, what is deeper has one.
mkdir deep
awk 'BEGIN { print "ResourceId,Type,Value,Start,End,Depth"; for (i = 0; i < 100000; i++) printf "T0,region,f,%d,%d,%d\n", i, 200000 - i, i }' >deep/states.csv
run traceviz call-tree deep
is "$rc $(wc -l <stdout) $(tail -n 1 stdout | cut -d, -f2-6)" "0 202 200,...,99800,199600.000000,199600.000000" "a deep recursion"
run traceviz deep --panels call-tree -o deep.png
is "$rc" 0 "which is drawn"

# Boxes are as wide as inclusive times, one below the other; what is narrower than a point is one box.
mkdir drawn
{
	echo ResourceId,Type,Value,Start,End,Depth
	echo T0,region,main,0,100,0
	echo T0,region,f,10,50,1
	echo T0,region,g,20,40,2
	awk 'BEGIN { for (i = 0; i < 100; i++) printf "T0,region,h%d,%.2f,%.2f,1\n", i, 60 + i / 10, 60.05 + i / 10 }'
} >drawn/states.csv
run traceviz drawn --panels call-tree -o boxes.csv
is "$rc $(sed 's/".*",/x,/' boxes.csv | awk -F, '$3 == "path" && $4 == "call-tree" { if (!unit) unit = $9 / 100; printf "%.0f at %.0f,%.0f;", $9 / unit, ($7 - 3) / unit, $8 / 11 }')" \
	"0 100 at 0,4;40 at 0,5;20 at 0,6;" "boxes of paths"
like "$(grep ,rest,call-tree, boxes.csv)" '*,100 narrow boxes (first h*): inclusive 5.000 ms,*' "and of those that are narrow"
