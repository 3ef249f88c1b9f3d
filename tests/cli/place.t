#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# place.t: advice where threads should run
. "$(dirname "$0")/lib.sh"
plan 12

# machine PLACES PUS: that many L3 of so many PUs
machine() { awk -v places="$1" -v pus="$2" 'BEGIN { print "ResourceId,ResourceType,Parent,Order,Depth"; print "Machine:0,Machine,,0,0"
	for (l = 0; l < places; l++) { printf "L3:%d,L3,Machine:0,%d,1\n", l, l
		for (p = 0; p < pus; p++) printf "PU:%d,PU,L3:%d,%d,2\n", l * pus + p, l, l * pus + p } }'; }
loads() { awk 'BEGIN { print "ResourceId,Type,Start,End,Value" } { for (i = 1; i <= NF; i++) printf "PU:%d,miss,0.000000,1.000000,%s\n", i - 1, $i }'; }

# the published experiment: 8 long and 8 short lists on 2 caches, all long ones on one
mkdir lists && machine 2 8 >lists/resources.csv
echo 100 100 100 100 100 100 100 100 0 0 0 0 0 0 0 0 | loads >lists/variables.csv
run traceviz place miss --level L3 lists
is "$rc $(awk -F, 'NR > 1 { n[$2 "," $4]++ } END { for (k in n) print k, n[k] }' stdout | sort | tr '\n' ';')" \
	"0 0,L3:0 4;0,L3:1 4;100,L3:0 4;100,L3:1 4;" "8 long and 8 short: 4 + 4 on each cache"
is "$(tail -n +2 stdout | cut -d, -f5,6 | sort -u)" "2,1" "imbalance 2 becomes 1"
is "$(awk -F, '$3 != $4' stdout | grep -c L3)" 8 "no more moves than needed"
echo 100 0 100 0 100 0 100 0 100 0 100 0 100 0 100 0 | loads >lists/variables.csv
is "$(traceviz place miss --level L3 lists | awk -F, 'NR > 1 && ($3 != $4 || $5 != 1 || $6 != 1)')" "" "an even placement stays"
run traceviz place miss --gather --level L3 lists
is "$(awk -F, 'NR > 1 && $2 == 100 { print $4 }' stdout | sort -u) $(sed -n 2p stdout | cut -d, -f6)" "L3:0 2" "--gather: all long ones on one cache"

# random loads on 3 caches of 4: room is respected, and no plan is worse than what there is
seed 3
mkdir random && machine 3 4 >random/resources.csv
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	awk -v seed="$seed" -v i="$i" 'BEGIN { srand(seed + i); for (k = 0; k < 12; k++) printf "%d ", rand() < 0.3 ? 0 : rand() * 1000; print "" }' | loads >random/variables.csv
	traceviz place miss --level L3 random | awk -F, 'NR > 1 { n[$4]++; s[$4] += $2; all += $2; after = $6; if ($6 > $5) print "worse" }
		END { for (k in n) { if (n[k] > 4) print k " has " n[k]; if (s[k] > max) max = s[k] }
			d = max * 3 / all - after; if (d * d > 1e-12) print "imbalance " after ", not " max * 3 / all }'
done >problems
is "$(cat problems)" "" "15 random ones: never worse, never too many, as the plan says"
# checked by hand
echo 7 7 6 6 5 5 4 4 4 0 0 0 | loads >random/variables.csv
is "$(traceviz place miss --level L3 random | awk -F, 'NR == 2 { printf "%.4f", $6 }')" "1.0000" "7 7 6 6 5 5 4 4 4: 16 on each"

run traceviz place CacheMiss --level L3 "$DATA/placement/grouped"
is "$rc $(tail -n +2 stdout | cut -d, -f1,3,4 | tr '\n' ';')" "0 L3:0,L3:0,L3:0;L3:1,L3:1,L3:1;" "one load per cache: nothing to do"
run traceviz place miss lists
is "$rc" 2 "no level"
run traceviz place miss --level L4 lists
like "$rc $(cat stderr)" "1 *no level 'L4' (did you mean 'L3'?), expected one of *L3*" "an unknown level"
run traceviz place '*' --level L3 "$DATA/placement/grouped"
like "$rc $(cat stderr)" "1 *several variables match*" "several variables"
sed 's/,100$/,-1/' lists/variables.csv >negative.csv
run traceviz place miss --level L3 --with lists negative.csv
like "$rc $(cat stderr)" "1 *below 0*" "values below 0"
