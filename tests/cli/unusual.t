#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unusual.t: pictures of unusual data: equal durations, spikes, tiny and huge times, small figures
. "$(dirname "$0")/lib.sh"
plan 11

# box CLASS: x, y, width, height of the shapes of a class; texts CLASS: what they say
box() { sed 's/"[^"]*"//g' "${2:-x.csv}" | awk -F, -v c="$1" '$3 == c { print $7, $8, $9, $10 }'; }
texts() { awk -F, -v c="$1" '$1 == "text" && $3 == c' "${2:-x.csv}" | sed 's/^\([^,]*,\)\{12\}//; s/^"//; s/"$//'; }
HEAD=ResourceId,Value,Start,End,JobId

# Durations: 30 tasks of exactly 2 ms, and a type with a long tail, so that the scale is logarithmic.
awk -v head=$HEAD 'BEGIN { print head
	for (i = 0; i < 30; i++) printf "CPU0,equal,%d,%d,e%d\n", 2 * i, 2 * i + 2, i
	for (t = i = 0; i < 30; i++) { d = exp(i / 6); printf "CPU1,tail,%.6f,%.6f,t%d\n", t, t + d, i; t += d } }' >equal.csv
run traceviz -q equal.csv --panels durations -o x.csv
is "$rc $(texts type | grep -c CPU)" "0 2" "durations draws both types"
is "$(sed 's/"[^"]*"//g' x.csv | awk -F, '$3 == "bin" && $4 == "equal CPU" { print ($9 >= 2.999) }')" 1 \
	"equal durations are a bar that can be seen"
ok "and say so" grep -q '30, all 2.000 ms' x.csv
is "$(sed 's/"[^"]*"//g' x.csv | awk -F, '$3 == "bin" && $4 == "tail CPU" { if (!n++ || $9 < least) least = $9; if ($9 > most) most = $9 }
	END { print (n > 5) (most < 1.02 * least) }')" "11" "bins are equal steps of the logarithmic scale"
grep -v tail equal.csv >only.csv
run traceviz -q only.csv --panels st,durations -o x.csv
is "$rc $(texts key | grep -c '^outliers$') $(texts legend-text | grep -c outlier)" "0 0 0" "no key of outliers where there are none"

# A spike: two tasks of 15 us make 60,000 of a rate of about 120.
awk -v head=$HEAD,GFlop 'BEGIN { print head
	for (w = 0; w < 4; w++) for (t = i = 0; i < 30; i++) {
		d = 8 + (7 * i + 3 * w) % 4; g = d * 0.03
		if (w < 2 && i == 12 + 6 * w) { d = 0.015; g = 0.9 }
		printf "CPU%d,gemm,%.6f,%.6f,%d,%.6f\n", w, t, t + d, 30 * w + i, g; t += d } }' >spike.csv
run traceviz -q spike.csv --panels st,gflops -o x.csv
is "$rc $(texts cut-value)" "0 $(sed -n 's/.*GFlop.*max \([0-9]*\).*/\1/p' x.csv)" "the largest value is printed where the curve is cut"
is "$(box cut | wc -l | tr -d ' ') $(texts tick-label | grep -c 'k$')" "2 0" "both spikes are marked, the scale is that of the rest"
is "$(box curve | awk '$4 > 4 && $4 < 40' | wc -l | tr -d ' ')" 1 "the curve stays in its panel and uses it"
run traceviz -q spike.csv --panels st,gflops --gflops.limit 100 -o x.csv
is "$rc $(box cut | wc -l | tr -d ' ' | sed 's/^[1-9].*/some/')" "0 some" "a limit of the user's cuts with the same marks"

# Numbers.
awk -v head=$HEAD 'BEGIN { print head ",DependsOn"; print "CPU0,a,0,0.000026,1,\nCPU0,b,0.000026,0.000052,2,1\nCPU1,a,2000,8000,3," }' >tiny.csv
run traceviz -q tiny.csv --st.observed both -o x.csv
is "$rc $(grep -c -E '[0-9]e[-+][0-9]' x.csv)" "0 0" "tiny times without an exponent"
run traceviz -q "$DATA/qr-mumps-like.csv" --panels tree,tree-structure,node-memory,model,durations -o x.csv
is "$rc $(grep -c -E '[0-9]e[-+][0-9]' x.csv)" "0 0" "nor any number of the trees and models"
