#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unusual.t: pictures of unusual data: equal durations, spikes, tiny and huge times, small figures
. "$(dirname "$0")/lib.sh"
plan 30

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
run traceviz -q only.csv --panels spacetime,durations -o x.csv
is "$rc $(texts key | grep -c '^outliers$') $(texts legend-text | grep -c outlier)" "0 0 0" "no key of outliers where there are none"

# A spike: two tasks of 15 us make 60,000 of a rate of about 120.
awk -v head=$HEAD,GFlop 'BEGIN { print head
	for (w = 0; w < 4; w++) for (t = i = 0; i < 30; i++) {
		d = 8 + (7 * i + 3 * w) % 4; g = d * 0.03
		if (w < 2 && i == 12 + 6 * w) { d = 0.015; g = 0.9 }
		printf "CPU%d,gemm,%.6f,%.6f,%d,%.6f\n", w, t, t + d, 30 * w + i, g; t += d } }' >spike.csv
run traceviz -q spike.csv --panels spacetime,gflops -o x.csv
is "$rc $(texts cut-value)" "0 $(sed -n 's/.*GFlop.*max \([0-9]*\).*/\1/p' x.csv)" "the largest value is printed where the curve is cut"
is "$(box cut | wc -l | tr -d ' ') $(texts tick-label | grep -c 'k$')" "2 0" "both spikes are marked, the scale is that of the rest"
is "$(box curve | awk '$4 > 4 && $4 < 40' | wc -l | tr -d ' ')" 1 "the curve stays in its panel and uses it"
run traceviz -q spike.csv --panels spacetime,gflops --gflops.limit 100 -o x.csv
is "$rc $(box cut | wc -l | tr -d ' ' | sed 's/^[1-9].*/some/')" "0 some" "a limit of the user's cuts with the same marks"

# Numbers.
awk -v head=$HEAD 'BEGIN { print head ",DependsOn"; print "CPU0,a,0,0.000026,1,\nCPU0,b,0.000026,0.000052,2,1\nCPU1,a,2000,8000,3," }' >tiny.csv
run traceviz -q tiny.csv --spacetime.observed both -o x.csv
is "$rc $(grep -c -E '[0-9]e[-+][0-9]' x.csv)" "0 0" "tiny times without an exponent"
run traceviz -q "$DATA/qr-mumps-like.csv" --panels tree,tree-structure,front-memory,regression,durations -o x.csv
is "$rc $(grep -c -E '[0-9]e[-+][0-9]' x.csv)" "0 0" "nor any number of the trees and models"

# Small heights: space-time keeps 40 % of the height; the usual panels that have no room are named.
for h in "--height 4" "--height 2" "--preset slide" "--width 3.5 --height 4"; do
	# shellcheck disable=SC2086
	run traceviz "$DATA/cholesky.csv" $h -o x.csv
	is "$rc $(sed 's/"[^"]*"//g' x.csv | awk -F, '$8 + $10 > bottom { bottom = $8 + $10 } $3 == "frame" && !n++ { st = $10 }
		END { print (st >= 0.4 * bottom) }') $(grep -c 'left out: the figure has no room' stderr | sed 's/^[1-9]$/some/')" "0 1 some" \
		"$h: space-time keeps 40 %"
done
run traceviz -q "$DATA/cholesky.csv" --height 4 --panels spacetime,idle-causes,ready,submitted,progress -o x.csv
is "$rc $(box frame | wc -l | tr -d ' ')" "0 5" "panels that the user names all stay"

# Five runs in three columns: each column has its axis.
set -- a b c d e
for l in "$@"; do cp "$DATA/cholesky-dmda.csv" $l.csv; done
run traceviz -q --facet a=a.csv b=b.csv c=c.csv d=d.csv e=e.csv --panels spacetime -o x.csv
is "$rc $(box axis-title | awk '{ print int($1 / 150) }' | sort -u | wc -l | tr -d ' ') $(box axis-title | wc -l | tr -d ' ')" "0 3 3" \
	"every column of five runs has a time axis"

# Beside a low stack, or one that is much higher, the panel at the right goes below.
x_of() { box panel-title | awk '{ x = $1 } END { print (x > 300) }'; }
run traceviz -q "$DATA/cholesky.csv" --panels spacetime,abe -o x.csv
is "$rc $(x_of) $(grep -c 'more task types' x.csv)" "0 0 0" "a side panel that would be cut goes below"
run traceviz -q "$DATA/cholesky.csv" --panels spacetime,idle-causes,ready,abe --only POTRF --panel-height ready=8 -o x.csv
is "$rc $(x_of)" "0 0" "so does one that would leave its column empty"
run traceviz -q "$DATA/cholesky.csv" --panels spacetime,abe --abe.place right -o x.csv
is "$rc $(x_of)" "0 1" "unless the user wants it at the right"

# 60 iterations have rows that can be seen.
awk -v head=$HEAD,Iteration 'BEGIN { print head
	for (w = 0; w < 4; w++) for (i = 0; i < 60; i++) printf "CPU%d,a,%d,%d,%d,%d\n", w, 3 * i, 3 * i + 3, 60 * w + i, i }' >iterations.csv
run traceviz -q iterations.csv --panels spacetime,progress -o x.csv
is "$rc $(box frame | awk 'NR == 2 { print ($4 >= 1.5 * 60) }')" "0 1" "60 iterations get height"

# Edges of a graph cross no label.
awk -v head=$HEAD,DependsOn 'BEGIN { print head
	for (l = 0; l < 6; l++) for (k = 0; k < 5; k++) { d = ""
		for (q = 0; q < 5 * l; q++) if ((7 * q + 3 * k + l) % (q >= 5 * l - 5 ? 3 : 11) == 0) d = d " " 100 + q
		printf "CPU%d,t%d,%d,%d,%d,%s\n", k, k % 2, 10 * l, 10 * l + 9, 100 + 5 * l + k, substr(d, 2) } }' >dag.csv
run traceviz -q dag.csv --panels dag -o x.svg --dump-boxes x.csv
is "$rc $(box job | wc -l | tr -d ' ') $(box edge | wc -l | tr -d ' ' | sed 's/^[0-9]*[0-9][0-9]$/many/')" "0 30 many" "dag draws labels and edges"
is "$(sed 's/"[^"]*"//g' x.csv | awk -F, '$3 == "job" { n++; x[n] = $7; X[n] = $7 + $9; y[n] = $8; Y[n] = $8 + $10 }
	$3 == "edge" { m++; a[m] = $7; A[m] = $7 + $9; b[m] = $8; B[m] = $8 + $10 }
	END { for (i = 1; i <= m; i++) for (k = 1; k <= n; k++)
		if (a[i] < X[k] - 0.5 && A[i] > x[k] + 0.5 && b[i] < Y[k] - 2 && B[i] > y[k] + 2 && !(A[i] > X[k] + 0.5 && a[i] > X[k] - 0.5)) bad++
		print bad + 0 }')" 0 "no edge crosses a label"

# Events: instants stay visible whatever spans there are.
mkdir events
awk -v head=$HEAD 'BEGIN { print head; for (i = 0; i < 10; i++) printf "CPU0,a,%d,%d,%d\n", 10 * i, 10 * i + 9, i }' >events/tasks.csv
awk 'BEGIN { print "ResourceId,Type,Time,Value"; print "CPU0,user event,1,start_phase"; print "CPU0,user event,99,end_phase"
	print "CPU0,user event,30,start_inner"; print "CPU0,user event,40,end_inner"
	for (i = 5; i < 90; i += 10) printf "CPU0,user event,%d,mark\n", i }' >events/events.csv
run traceviz -q events --panels spacetime,events -o x.csv
is "$rc $(sed 's/"[^"]*"//g' x.csv | awk -F, '$3 == "span" { s++; if (top == "" || $8 < top) top = $8; if (s == 1) wide = $9; else narrow = $9 }
	$3 == "instant" { n++; above += $8 + $10 <= top + 0.01 } END { print s, n, above, (narrow < wide) }')" "0 2 9 9 1" \
	"instants above spans, short spans over long ones"

# Scales of shades are bars, not samples.
run traceviz -q "$DATA/cholesky-ws.csv" --panels spacetime,utilization,starvation -o x.csv
is "$rc $(box scale | wc -l | tr -d ' ') $(texts key | grep -c '^0 to 100 %$')" "0 2 2" "shades have a scale"

# Everything at one instant, one task, 64 nodes of 4 workers: no number that is none, no rows hidden by lines between them.
ALL=spacetime,idle-causes,concurrency,share,utilization,imbalance,lifecycle,durations
(echo $HEAD; for w in 0 1 2 3; do echo "CPU$w,a,5,5,$w"; done) >instant.csv
printf '%s\nCPU0,a,0,1.5,1\n' $HEAD >task.csv
for t in instant task; do
	run traceviz -q $t.csv --panels $ALL -o x.csv
	is "$rc $(grep -c -i -E '(nan|inf)( |,|$)' x.csv)" "0 0" "$t: all panels"
done
awk -v head=$HEAD,Node 'BEGIN { print head
	for (n = 0; n < 64; n++) for (w = 0; w < 4; w++) for (i = 0; i < 9; i++) printf "%d_CPU%d,a,%d,%d,%d,%d\n", n, w, 7 * i, 7 * i + 6, j++, n }' >nodes.csv
run traceviz -q nodes.csv --panels spacetime,utilization,idle-causes,durations --width 3.5 -o x.csv
is "$rc $(box separator | awk '{ if (NR > 1 && $2 > y && $2 - y < 3.9) bad++; y = $2 } END { print bad + 0 }')" "0 0" "lines between nodes stay apart"
run traceviz -q "$DATA/qr-mumps-like.csv" --panels tree-structure -o x.csv
is "$rc $(box name | wc -l | tr -d ' ')" "0 $(box name-ground | wc -l | tr -d ' ')" "no edge crosses the number of a front"
run traceviz -q "$DATA/cholesky-ws.csv" --panels ready --ready.lack -o x.csv
is "$rc $(box scale | wc -l | tr -d ' ')" "0 1" "shades behind a curve have a scale too"
