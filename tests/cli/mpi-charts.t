#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpi-charts.t: panels of overlap, dedicate, predictions and scaling: places against the numbers of the tables, colors, units.
. "$(dirname "$0")/lib.sh"
plan 39

# Of the shapes of a class: x, y, width, height, color, group.
shapes() { # FILE CLASS
	awk -F, -v class="$2" '$3 == class { print $(NF - 6), $(NF - 5), $(NF - 4), $(NF - 3), $(NF - 2), $4 }' "$1"
}

# 17 names that have no room on one line are on two, none is left out, none is outside of the page.
awk 'BEGIN { print "Call,Site,Rank,CallTime,ComputeTime,WaitTime,OtherTime"
	for (s = 0; s < 17; s++) printf "MPI_Ibcast,halo.c:%d,0,3,20,5,1\n", 100 + 7 * s }' >sites.csv
traceviz sites.csv --panels overlap-bars --overlap-bars.x Site -o sites.boxes --to csv
is "$(grep -c ',tick-label,.*halo' sites.boxes) $(grep ',tick-label,.*halo' sites.boxes | awk -F, '{ print $(NF - 5) }' | sort -u | wc -l)" "17 2" "17 names on two lines"
traceviz sites.csv --panels overlap-bars --overlap-bars.x Site --width 3.5 -o sites.boxes --to csv
is "$(grep ',tick-label,.*halo' sites.boxes | awk -F, '$(NF - 6) + $(NF - 4) > 252 || $(NF - 6) < 0' | wc -l)" 0 "in one column of a paper no name ends outside of the page"

# ---- bars over ranks ----
# a: sums 6, 10, 20 of three ranks: median 10; layers 12 : 18 : 6 of 36. b: 4 and 6: median 5. A row without rank is not one.
cat >ranks.csv <<C
Call,Rank,CallTime,ComputeTime,WaitTime
a,0,1,4,1
a,1,1,6,3
a,2,4,6,6
a,2,0,4,0
b,0,2,1,1
b,1,3,1,2
b,,100,100,100
C
traceviz ranks.csv --panels overlap-bars -o ranks.boxes --to csv
# One ms in points: by the whiskers of a, 14 long.
is "$(shapes ranks.boxes whisker | awk 'NR == 1 { unit = $4 / 14 } { printf "%.3f ", $4 / unit }')" "14.000 2.000 " "whiskers: from min to max of the ranks"
unit=$(shapes ranks.boxes whisker | awk 'NR == 1 { print $4 / 14 }')
is "$(shapes ranks.boxes bar | awk -v unit="$unit" '{ printf "%s %.2f;", $6, $4 / unit }')" \
	"call 1.67;computation 5.56;wait 2.78;call 2.50;computation 1.00;wait 1.50;" "layers: the median, in the shares of all ranks"
is "$(shapes ranks.boxes bar | awk -v unit="$unit" 'NR <= 3 { top = $2; sum += $4 } END { printf "%.2f\n", sum / unit }')" "10.00" "bars are medians"
is "$(shapes ranks.boxes whisker-end | awk 'NR <= 2 { print $2 }' | sort -n | head -1)" "$(shapes ranks.boxes whisker | awk 'NR == 1 { print $2 }')" "ends at the max"
is "$(shapes ranks.boxes bar | awk 'NR <= 3 { print $5 }' | tr '\n' ' ')" "#92c5e8 #1f4e9c #a873c4 " "colors of call, computation and wait"
is "$(grep -c ',ms$' ranks.boxes)" 1 "the unit of the axis"
traceviz ranks.csv --panels overlap-bars -o ranks.png --dpi 144
is "$(perl "$ROOT/tests/cli/pixels.pl" ranks.png 146,197,232 31,78,156 168,115,196 | awk '$2 < 300')" "" "and their pixels"
traceviz overlap -q "$DATA/mpi-overlap" >overlap.csv
traceviz overlap.csv --panels overlap-bars --overlap-bars.x Site -o overlap.boxes --to csv
# By hand: 8; 0.1, 8, 7.9; 0.1, 12, 0.1; 0.1, 12, 10.9; 0.1, 6, 0.1 ms.
is "$(shapes overlap.boxes bar | awk '{ h[++n] = $4 } END { for (i = 1; i <= n; i++) printf "%.1f ", h[i] / h[1] * 8 }')" \
	"8.0 0.1 8.0 7.9 0.1 12.0 0.1 0.1 12.0 10.9 0.1 6.0 0.1 " \
	"a table of overlap"
sed 's/^a,0,1/a,0,-1/' ranks.csv >negative.csv
run traceviz negative.csv --panels overlap-bars -o x.pdf
like "$rc $(cat stderr)" "2 traceviz: *--overlap-bars.over with values below 0*" "values below 0 have no median of layers"
run traceviz ranks.csv --panels overlap-bars --overlap-bars.over Nothing -o x.pdf
like "$rc $(cat stderr)" "2 traceviz: *--overlap-bars.over: the table has no column 'Nothing'*" "an unknown column"
run traceviz ranks.csv --panels overlap-bars --overlap-bars.levels 1,x -o x.pdf
like "$rc $(cat stderr)" "2 traceviz: *--overlap-bars.levels 'x'*" "a level"
traceviz ranks.csv --panels bars --bars.x Rank --bars.y ComputeTime --bars.over Call -o by.boxes --to csv
is "$(shapes by.boxes bar | awk '{ h[++n] = $4 } END { for (i = 1; i <= n; i++) printf "%.2f ", h[i] / h[1] * 2.5 }')" "2.50 3.50 10.00 " \
	"over any column: the middle of two; one alone"

# ---- dedicate ----
traceviz dedicate -q --cores 16 "$ROOT/examples/data/minimd-1" >dedicate.csv
traceviz dedicate.csv -o impact.boxes --to csv
is "$(shapes impact.boxes bar | awk '{ h = h < $4 ? $4 : h; low = $2 + $4 } END { print h, low }' | awk -v level="$(shapes impact.boxes level | cut -d' ' -f2)" '{ printf "%.3f", $1 / ($2 - level) }')" \
	"$(awk -F, '$1 == "largest" { printf "%.3f", $7 }' dedicate.csv)" "impact: bars against the line of 1"
traceviz dedicate -q --cores 16 --show alpha "$ROOT/examples/data/minimd-1" >alpha.csv
traceviz alpha.csv -o alpha.boxes --to csv
is "$(grep -c ',point,' alpha.boxes)" 42 "alpha: 21 points in each chart"
# The place of the line against that of the points for alpha 0 and 1, which are 3 points wide.
is "$(awk -F, '$3 == "point" && ++n <= 21 { x[n] = $(NF - 6) + $(NF - 4) / 2 } $3 == "boundary" && at == "" { at = $7 } END { printf "%.3f", (at - x[1]) / (x[21] - x[1]) }' alpha.boxes)" \
	0.205 "the break-even is where the published parameters have it"
is "$(grep -c 'break-even 0.205$' alpha.boxes)" 1 "and has its name"
is "$(awk -F, 'NR > 1 { print $5 }' alpha.csv | sort -u | cut -c1-5)" 0.205 "a column of --show alpha"
sed '1s/^/Case,/; 2,$s/^/one,/' alpha.csv >cases.csv
awk -F, -v OFS=, 'NR > 1 { $1 = "two"; $6 = 0.5; print }' cases.csv >two && cat two >>cases.csv
traceviz cases.csv -o cases.boxes --to csv
is "$(awk -F, '$3 == "boundary" { print $(NF - 1) }' cases.boxes | sort -u | wc -l)" 2 "of several cases: in the color of each"

# From a trace: the options of the pass, the same points and bars as of its table.
values() { grep -E ',(point|bar),' "$1" | cut -d, -f5; }
traceviz -q "$DATA/mpi-halo" --panels alpha-curves --alpha-curves.cores 16 -o own.boxes --to csv
traceviz dedicate -q --show alpha --cores 16 "$DATA/mpi-halo" | traceviz plot -q --panels alpha-curves - -o table.boxes --to csv
is "$(values own.boxes | wc -l) $(values own.boxes | cksum)" "42 $(values table.boxes | cksum)" "alpha-curves of a trace"
traceviz -q "$DATA/mpi-halo" --panels impact-bars --impact-bars.cores 16 --impact-bars.alpha 0.5 --impact-bars.dedicated 2 -o own.boxes --to csv
traceviz dedicate -q --cores 16 --alpha 0.5 --dedicated 2 "$DATA/mpi-halo" | traceviz plot -q --panels impact-bars - -o table.boxes --to csv
is "$(values own.boxes)" "$(values table.boxes)" "impact-bars of a trace"
run traceviz alpha.csv --panels alpha-curves --alpha-curves.cores 8 -o x.pdf
like "$rc $(cat stderr)" "2 *--alpha-curves.cores has no effect on a table*" "not of a table"
run traceviz "$DATA/mpi-overlap" --panels alpha-curves --alpha-curves.pass overlap --alpha-curves.cores 8 -o x.pdf
like "$rc $(cat stderr)" "2 *--alpha-curves.cores has no effect on the pass overlap*" "not of a pass without the option"
traceviz -q "$DATA/mpi-overlap" --panels overlap-bars --overlap-bars.reference "$DATA/mpi-references.csv" --overlap-bars.x Site --overlap-bars.y CommRatio -o x.csv
is "$(values x.csv | tr '\n' ';')" "serial: 1;slowed: 0.025;contention: 1.375;imprecise: 0.025;" "overlap-bars with references of overlap"

# ---- predictions ----
traceviz "$ROOT/examples/data/dedicate-published.csv" -o prediction.boxes --to csv
is "$(grep -c ',point,' prediction.boxes) $(grep -c ',line,' prediction.boxes) $(grep -c ',bound,' prediction.boxes)" "10 0 1" "points, a line of equal times"
printf 'MeasuredTime,PredictedTime\n10,10\n40,40\n20,20\n30,15\n' >equal.csv
traceviz equal.csv -o equal.boxes --to csv
is "$(awk -F, '$3 == "bound" { x = $7; y = $8; w = $9; h = $10 } $3 == "point" { n++; px[n] = $(NF - 6) + $(NF - 4) / 2; py[n] = $(NF - 5) + $(NF - 3) / 2 }
	END { for (i = 1; i <= n; i++) { d = y + h - (px[i] - x) / w * h - py[i]; printf "%s ", (d * d < 1e-4 ? "on" : d < 0 ? "below" : "above") } }' equal.boxes)" \
	"on on below on " "equal times are on the line, optimistic ones below"

# ---- scaling ----
awk 'BEGIN { print "Threads,Time"; for (n = 1; n <= 64; n *= 2) printf "%d,%.9f\n", n, 3 + 120 / n }' >exact.csv
traceviz exact.csv -o exact.boxes --to csv
is "$(awk -F, '$3 == "point" && ++n > 7 { print $(NF - 5) + $(NF - 3) / 2 } $3 == "level" { at = $8 } END { print at }' exact.boxes | awk '{ printf "%.2f\n", $1 }' | sort -u | wc -l)" 1 \
	"a serial part and a parallel one are found: no residual"
# With disturbed times: the normal equations of the relative errors, by hand.
awk 'BEGIN { srand(3); print "Threads,Time"; for (n = 1; n <= 24; n++) printf "%d,%.9f\n", n, (3 + 120 / n) * (0.9 + 0.2 * rand()) }' >noisy.csv
awk -F, 'NR > 1 { x[++n] = 1 / $1; t[n] = $2; w = 1 / ($2 * $2); s += w; sx += w * x[n]; sxx += w * x[n] * x[n]; sy += w * $2; sxy += w * x[n] * $2 }
	END { d = s * sxx - sx * sx; a = (sy * sxx - sx * sxy) / d; b = (s * sxy - sx * sy) / d
		for (i = 1; i <= n; i++) printf "%.6f\n", 100 * (t[i] / (a + b * x[i]) - 1) }' noisy.csv >expected
traceviz noisy.csv -o noisy.svg
grep -o 'Residual [-0-9.e]*' noisy.svg | awk '{ printf "%s\n", $2 }' >got
is "$(paste got expected | awk '{ d = $1 - $2; if (d * d > 0.006 * 0.006) print }')" "" "residuals against least squares by other equations"
is "$(wc -l <got)" 24 "one for each"
traceviz noisy.csv --panels scaling --scaling.log xy -o noisy.boxes --to csv
is "$(grep -c ': Residual' noisy.boxes) $(awk -F, '$3 == "frame" && !n++ { low = $8 + $10 } $3 == "bound" { fit = $8 + $10 } END { print fit < low }' noisy.boxes)" "24 1" \
	"logarithmic times: residuals of both signs"
# 1 / (0.8 N) of one thread's time: the fit has no serial part; then one that grows has no parallel one.
awk 'BEGIN { print "Threads,Time"; for (n = 2; n <= 64; n *= 2) printf "%d,%.9f\n", n, 80 / (0.8 * n) }' >delta.csv
traceviz delta.csv -o delta.svg
is "$(grep -o 'Residual [-0-9.e]*' delta.svg | awk '{ printf "%.6f\n", $2 }' | sed 's/^-0/0/' | sort -u)" "0.000000" "times of a constant efficiency"
printf 'Threads,Time\n1,10\n2,20\n4,30\n0,5\n8,\n' >grows.csv
traceviz grows.csv -o grows.svg
is "$(grep -o 'Residual [-0-9.e]*' grows.svg | awk '{ printf "%.1f ", $2 }')" "-25.8 48.5 122.7 " "times that grow: a constant one"
printf 'Threads,Time\n4,30\n4,31\n' >single.csv
run traceviz single.csv -o single.boxes --to csv
is "$rc $(grep -c ',point,' single.boxes) $(cat stderr)" "0 2 " "a single number of threads: no fit"

# ---- units and colors of passes ----
traceviz "$DATA/cholesky-ws.csv" --panels chart --chart.pass summary --chart.x Value --chart.y Median -o unit.boxes --to csv
is "$(grep -c ',"\{0,1\}Median, ms"\{0,1\}$' unit.boxes)" 1 "times of a pass: ms"
traceviz "$DATA/cholesky-ws.csv" --panels spacetime,bars --bars.pass summary --bars.x ResourceType --bars.y Tasks --bars.series Value -o types.boxes --to csv
is "$(awk -F, '$3 == "bar" { print $4, $(NF - 2) }' types.boxes | sort -u)" \
	"$(awk -F, '$4 == "legend" && $3 == "swatch" { color = $11 } $3 == "legend-text" { split($13, word, " "); print word[1], color }' types.boxes | sort -u)" \
	"task types have the colors of the legend"
traceviz ranks.csv --panels bars --bars.x Call --bars.y WaitTime -o one.boxes --to csv
is "$(grep -c 'wait, ms' one.boxes)" 2 "one column: its name and unit, at the axis and in the title"

# Traces with messages alone have no times of calls.
run traceviz "$DATA/cholesky-4nodes/p2x2" --panels spacetime,overlap-bars -o messages.svg
is "$rc $(tail -1 stderr)" "0 traceviz: panel overlap-bars left out: column 'CallTime' has no numbers" "a trace without calls"

# Rows of calls that are one cell high.
for size in '36 1.6' '38 2' '60 1.6'; do
	traceviz "$DATA/mpi-halo" --panels spacetime -q --dpi "${size% *}" --height "${size#* }" -o low.png || echo "$size"
done >low.out 2>&1
is "$(cat low.out)" "" "calls in the lowest rows"
