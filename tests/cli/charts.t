#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# charts.t: panels that draw tables which are no traces: where points are, against the numbers of the table.
. "$(dirname "$0")/lib.sh"
plan 73
cat >sweep.csv <<E
Scheduler,Workers,Makespan,Speedup,Efficiency,Ideal,AbeSpeedup,CpeSpeedup
fifo,1,100,1,1,1,1,3
fifo,2,60,1.6666666666666667,0.8333333333333334,2,2,3
fifo,4,40,2.5,0.625,4,4,3
prio,1,100,1,1,1,1,3
prio,2,50,2,1,2,2,3
prio,4,35,2.857142857142857,0.7142857142857143,4,4,3
E
# The points of a class in a list of boxes, in the order of drawing: center x and y, of "point"s with their row.
points() { awk -F, '$3 == "point" { n = NF; print $(n - 7), $(n - 6) + $(n - 4) / 2, $(n - 5) + $(n - 3) / 2 }' "$1"; }
# Whether the y of points are on one line with the values of a column of the table (by their row), and falling.
linear() { # BOXES TABLE XCOLUMN YCOLUMN FIRST LAST: max deviation of points FIRST to LAST, points
	points "$1" | sed -n "$5,$6p" | awk -v table="$2" -v xc="$3" -v yc="$4" '
	BEGIN { FS = ","; while ((getline line < table) > 0) { split(line, f, ","); if (n++ == 0) { for (i in f) c[f[i]] = i } else { X[n - 2] = f[c[xc]]; Y[n - 2] = f[c[yc]] } } FS = " " }
	{ r[NR] = $1; x[NR] = $2; y[NR] = $3 }
	function off(value, place, i, j, k, d, max) {
		for (i = 1; i <= NR; i++) for (j = 1; j <= NR; j++) if (value[r[j]] - value[r[i]] > value[r[b]] - value[r[a]]) { a = i; b = j }
		for (i = 1; i <= NR; i++) {
			d = place[a] + (value[r[i]] - value[r[a]]) / (value[r[b]] - value[r[a]]) * (place[b] - place[a]) - place[i]
			max = d * d > max ? d * d : max
		}
		return sqrt(max)
	}
	END { a = b = 1; dx = off(X, x); up = x[b] > x[a]; a = b = 1; dy = off(Y, y); down = y[b] < y[a]
		print NR, dx < 0.001 && up ? "x" : "x off " dx, dy < 0.001 && down ? "y" : "y off " dy }'
}

# A table is recognized by its columns; the points are where its numbers are.
run traceviz sweep.csv -o sweep.boxes --to csv
is "$rc $(cat stderr)" "0 " "a sweep is drawn"
is "$(points sweep.boxes | wc -l)" 12 "a point for each row, in both charts"
is "$(linear sweep.boxes sweep.csv Workers Speedup 1 6)" "6 x y" "speedup"
is "$(linear sweep.boxes sweep.csv Workers Efficiency 7 12)" "6 x y" "efficiency"
is "$(points sweep.boxes | awk -v top="$(awk -F, '$3 == "frame" { print $8; exit }' sweep.boxes)" '$3 < top + 1.4 { bad++ } END { print NR, bad + 0 }')" "12 0" "no dot touches what is above its chart"
is "$(awk -F, '$3 == "bound" { print $4 }' sweep.boxes | tr '\n' ' ')" "Ideal AbeSpeedup CpeSpeedup " "bounds that all series share: a line each"
is "$(awk -F, '$3 == "level"' sweep.boxes | wc -l)" 1 "efficiency 1"
is "$(grep -c ',key,keys,.*,\(fifo\|prio\|ideal\|area bound\|CPE\)$' sweep.boxes)" 5 "keys"
run traceviz plot --panels sweep --title sweep -o stdin.boxes --to csv
traceviz plot --panels sweep --title sweep -o stdin.boxes --to csv <sweep.csv
ok "the same from standard input" cmp sweep.boxes stdin.boxes
gzip -k sweep.csv
traceviz sweep.csv.gz -o gz.boxes --to csv
ok "the same from gzip" cmp sweep.boxes gz.boxes
traceviz sweep.csv -o a.pdf && traceviz sweep.csv -o b.pdf
ok "the same bytes twice" cmp a.pdf b.pdf

# Repeats: whiskers from the smallest to the largest value, with caps; none where both are equal.
awk -F, -v OFS=, 'NR == 1 { print $0, "MinSpeedup", "MaxSpeedup"; next } { print $0, ($2 > 1 ? $4 - 0.25 : $4), ($2 > 1 ? $4 + 0.125 : $4) }' sweep.csv >repeats.csv
traceviz repeats.csv -o repeats.boxes --to csv
is "$(awk -F, '$3 == "whisker"' repeats.boxes | wc -l)" $((3 * $(awk -F, 'NR > 1 && $2 > 1' sweep.csv | wc -l))) "whiskers of repeats: a line and two caps each"
is "$(awk -F, '$3 == "whisker" && $9 == 0 && !row { row = $6; top = $8; low = $8 + $10 } $3 == "point" && row && $7 == row { y = $9 + $11 / 2; printf "%.2f", (low - y) / (y - top); exit }' repeats.boxes)" 2.00 "a whisker goes twice as far down as up"
is "$(awk -F, '$3 == "whisker"' sweep.boxes | wc -l)" 0 "no whiskers without repeats"

# The same by its columns.
traceviz sweep.csv --panels chart --chart.x Workers --chart.y Speedup --chart.series Scheduler -o chart.boxes --to csv
is "$(linear chart.boxes sweep.csv Workers Speedup 1 6)" "6 x y" "chart"
is "$(awk -F, '$3 == "line" { print $4 }' chart.boxes | tr '\n' ' ')" "fifo prio " "a line for each series"
traceviz sweep.csv --where 'Workers > 1' --panels chart --chart.x Workers --chart.y Speedup --chart.facet Scheduler -o chart.boxes --to csv
is "$(points chart.boxes | wc -l) $(grep -c ',frame,frame,' chart.boxes)" "4 2" "--where, facets"
traceviz sweep.csv --panels chart --chart.x Workers --chart.y Makespan --chart.series Scheduler --chart.log xy -o log.boxes --to csv
is "$(points log.boxes | awk '$1 < 3 { print $2 }' | awk '{ x[NR] = $1 } END { d = (x[2] - x[1]) - (x[3] - x[2]); print d * d < 1e-6 }')" 1 "logarithmic: 1, 2, 4 have equal distances"
traceviz sweep.csv --panels chart --chart.x Workers --chart.y Makespan --chart.kind points -o p.boxes --to csv
is "$(grep -c ',line,' p.boxes)" 0 "points without lines"
traceviz sweep.csv --panels chart --chart.x Scheduler --chart.y Makespan -o names.boxes --to csv
is "$(awk -F, '$3 == "tick-label" && $NF ~ /fifo|prio/ { print $NF }' names.boxes | tr '\n' ' ')" "fifo prio " "names on the horizontal axis"

# Bounds that differ by series are in its color, and end at the border.
sed 's/^prio,\(.*\),3$/prio,\1,2/' sweep.csv >two.csv
traceviz two.csv -o two.boxes --to csv
is "$(awk -F, '$3 == "bound" && $4 == "CpeSpeedup" { print $(NF - 1) }' two.boxes | sort | uniq | wc -l)" 2 "a bound of each series"
is "$(awk -F, '$3 == "frame" { top = $8; nextfile } $3 == "bound" && $8 < 0 { bad = 1 } END { print bad + 0 }' two.boxes)" 0 "no line leaves the page"

# Boundaries.
traceviz sweep.csv --panels sweep --sweep.boundaries '2=socket 0,4=socket 1' -o marks.boxes --to csv
is "$(grep -c ',boundary,' marks.boxes) $(grep -c 'socket 1' marks.boxes)" "4 2" "boundaries with names"
traceviz sweep.csv --panels chart --chart.x Workers --chart.y Speedup --chart.boundaries /1 -o marks.boxes --to csv
is "$(grep -c ',boundary,' marks.boxes)" 2 "multiples between the ends"
printf 'Workers,Speedup\n1,1\n36,20\n' >intel.csv
printf 'Workers,Speedup\n1,1\n15,20\n' >epyc.csv
plain="--panels chart --chart.x Workers --chart.y Speedup --to csv"
traceviz intel.csv $plain --chart.boundaries 18 -o want.boxes
traceviz intel.csv $plain --chart.platform intel6240 -o marks.boxes
ok "the boundary of a platform with two caches of 18 cores" cmp want.boxes marks.boxes
traceviz epyc.csv $plain --chart.boundaries 4,8,12 -o want.boxes
traceviz epyc.csv $plain --chart.platform epyc7452 -o marks.boxes
ok "those of one with 16 caches of 4 cores, on the axis" cmp want.boxes marks.boxes
traceviz epyc.csv $plain --chart.platform epyc7452 --chart.boundaries 8=half -o marks.boxes
is "$(grep -c ',boundary,' marks.boxes) $(grep -c 'half' marks.boxes)" "3 1" "a named one is drawn once"
run traceviz epyc.csv $plain --chart.platform none.xml -o none.boxes
like "$rc $(cat stderr)" "1 *none.xml*" "no such platform"
cat >flat.xml <<'END'
<?xml version='1.0'?>
<platform version="4.1"><zone id="z" routing="Full"><host id="c" speed="1Gf" core="4"/></zone></platform>
END
run traceviz epyc.csv $plain --chart.platform flat.xml -o none.boxes
like "$rc $(cat stderr)" "1 *flat.xml: all cores have the same cache and memory*" "a platform without boundaries"

# precision's table, with the means left out.
cp "$DATA/cholesky-dmdas.csv" native.csv
traceviz simulate -q native.csv --scheduler dms -o dms.csv
traceviz simulate -q native.csv --scheduler fifo -o fifo.csv
traceviz precision a/native=native.csv a/dms=dms.csv a/fifo=fifo.csv b/native=dms.csv b/dms=native.csv b/fifo=fifo.csv >precision.csv
traceviz precision.csv --panels precision -o precision.boxes --to csv
is "$(points precision.boxes | wc -l) $(grep -c ',level,' precision.boxes)" "4 1" "errors by case, a line at 0"

# A table of a pass; that of a trace only if it is asked for.
traceviz idleness native.csv >idleness.csv
traceviz idleness.csv --panels chart --chart.x ResourceId --chart.y Idleness -o a.boxes --to csv
traceviz native.csv --panels chart --chart.pass idleness --chart.x ResourceId --chart.y Idleness -o b.boxes --to csv
is "$(points a.boxes | awk '{ print $1, $2 }')" "$(points b.boxes | awk '{ print $1, $2 }')" "a pass, and its table"
run traceviz native.csv --panels spacetime,chart -o x.pdf
like "$rc $(cat stderr)" "0 *panel chart left out: it draws a table*" "a trace alone is no table"
run traceviz native.csv --panels chart --chart.x Value --chart.y Duration -o tasks.boxes --to csv
is "$rc" 0 "the tasks as a table"

# What cannot be.
refuse() { # STATUS PATTERN NAME OPTIONS...
	status=$1 pattern=$2 name=$3
	shift 3
	run traceviz "$@" -o bad.pdf
	like "$rc $(cat stderr)" "$status traceviz: $pattern" "$name"
}
printf 'a,b\n1,2\n' >other.csv
refuse 1 "other.csv:1: no table of a trace*--panels chart*" "a table that no panel is for" other.csv
refuse 2 "*--chart.x: the table has no column 'Worker' (did you mean 'Workers'?)*" "an unknown column" sweep.csv --panels chart --chart.x Worker --chart.y Speedup
refuse 2 "*--chart.y is missing*" "no column of values" sweep.csv --panels chart --chart.x Workers
refuse 2 "*column 'Scheduler' has no numbers*" "values that are none" sweep.csv --panels chart --chart.x Workers --chart.y Scheduler
refuse 2 "*--begin has no effect on a table*" "a window" sweep.csv --begin 1
refuse 2 "*--mark has no effect on a table*" "a mark" sweep.csv --mark 1=x
refuse 2 "*--chart.levels 'x'*" "a level" sweep.csv --panels chart --chart.x Workers --chart.y Speedup --chart.levels x
refuse 2 "*--chart.boundaries '/0'*" "a boundary" sweep.csv --panels chart --chart.x Workers --chart.y Speedup --chart.boundaries /0
refuse 2 "*expected the name of a pass*" "a pass" native.csv --panels chart --chart.pass nothing --chart.x a --chart.y b
printf 'Workers,Speedup,Efficiency\n1,1,1,1\n' >ragged.csv
refuse 1 "ragged.csv:2: 4 fields, expected 3*" "a damaged table" ragged.csv
printf 'Workers,Workers,Speedup,Efficiency\n1,1,1,1\n' >twice.csv
refuse 1 "twice.csv:1: column 'Workers' occurs twice*" "a column twice" twice.csv
printf 'Workers,Speedup,Efficiency\n' >empty.csv
refuse 1 "*" "a table without rows" empty.csv
# Numbers at the ends of their range, none at all, one row.
printf 'x,y,s\n1e308,-1e308,a\n-1e308,1e308,a\nNaN,1,b\n,NA,b\n5,,c\n0,0,\n' >wild.csv
run traceviz wild.csv --panels chart --chart.x x --chart.y y --chart.series s -o wild.svg
is "$rc $(cat stderr)" "0 " "numbers of any size"
run traceviz wild.csv --panels chart --chart.x x --chart.y y --chart.series s --chart.log xy -o wild.svg
is "$rc $(cat stderr)" "0 " "and on logarithmic axes"
printf 'x,y\n3,4\n' >one.csv
run traceviz one.csv --panels chart --chart.x x --chart.y y -o one.png
is "$rc $(cat stderr)" "0 " "a single point"

# Maps: a cell for each pair, colors of chosen values, missing cells hatched.
printf 'x,y,v\n1,a,-1\n2,a,0\n10,a,1\n1,b,2\n2,b,-0.5\n1,c,5\n2,c,-5\n' >map.csv
run traceviz map.csv --panels heatmap --heatmap.x x --heatmap.y y --heatmap.value v --heatmap.colors=-1=0000ff,0=00a000,1=ffff00,2=ff0000 -o map.boxes --to csv
is "$rc $(awk -F, '$3 == "cell" { print $(NF - 2) }' map.boxes | tr '\n' ' ')" "0 #0000ff #00a000 #ffff00 #ff0000 #005080 #ff0000 #0000ff " \
	"colors at chosen values, between and beyond them"
is "$(grep -c ',missing,' map.boxes | awk '{ print ($1 > 4) }')" 1 "missing cells are hatched"
is "$(awk -F, '$3 == "name" { print $NF }' map.boxes | tr '\n' ' ')" "1 2 10 a b c " "numbers ascend, names as they come"
is "$(awk -F, '$3 == "number" { print $NF }' map.boxes | tr '\n' ' ')" "-1.00 0.00 1.00 2.00 -0.50 5.00 -5.00 " "numbers of cells"
traceviz map.csv --panels heatmap --heatmap.x x --heatmap.y y --heatmap.value v -o signs.boxes --to csv
is "$(awk -F, '$3 == "cell" && ++n == 2 { print $(NF - 2) }' signs.boxes)" "#ffffff" "0 is white"
awk 'BEGIN { print "x,y,v"; for (i = 0; i < 60; i++) for (k = 0; k < 40; k++) print i "," k "," i * k }' >large.csv
traceviz large.csv --panels heatmap --heatmap.x x --heatmap.y y --heatmap.value v -o large.boxes --to csv
is "$(grep -c ',cell,' large.boxes) $(grep -c ',number,' large.boxes)" "2400 0" "many cells, without numbers"
printf 'x,y,v\n1,a,1\n1,a,2\n' >two-rows.csv
refuse 2 "*two rows for a, 1*" "two rows for a cell" two-rows.csv --panels heatmap --heatmap.x x --heatmap.y y --heatmap.value v
refuse 2 "*--heatmap.colors '1=ff,2=00ff00'*" "a color" map.csv --panels heatmap --heatmap.x x --heatmap.y y --heatmap.value v --heatmap.colors 1=ff,2=00ff00
refuse 2 "*--heatmap.colors*ascending*" "colors that descend" map.csv --panels heatmap --heatmap.x x --heatmap.y y --heatmap.value v --heatmap.colors 2=ffffff,1=00ff00
refuse 2 "*--heatmap.value is missing*" "no value" map.csv --panels heatmap --heatmap.x x --heatmap.y y
# The table of errors by model and case, with the means.
traceviz precision "$ROOT/examples/data/somp-errors.csv" --by Algorithm >errors.csv
traceviz errors.csv --panels error-table -o errors.boxes --to csv
is "$(awk -F, '$3 == "number" { print $NF }' errors.boxes | head -5 | tr '\n' ' ')$(grep -c ',cell,' errors.boxes) $(awk -F, '$3 == "name" { print $NF }' errors.boxes | sed -n 5,6p | tr '\n' ' ')" \
	"9.1 7.5 6.5 5.1 7.1 45 mean Cholesky TASK " "errors, means"

# Stacked bars: heights are sums, layers by rows or by columns.
printf 'r,kind,a,b\nr0,x,3,1\nr0,y,1,1\nr0,y,1,1\nr1,x,2,-1\nr1,y,8,0\n,x,9,9\n' >bars.csv
heights() { awk -F, '$3 == "bar" { h[++n] = $10; t = t < $10 ? $10 : t } END { for (i = 1; i <= n; i++) printf "%.2f ", h[i] / t * '"$2"' }' "$1"; }
traceviz bars.csv --panels bars --bars.x r --bars.y a --bars.series kind -o bars.boxes.csv
sed 's/"[^"]*"/label/' bars.boxes.csv >bars.boxes
is "$(heights bars.boxes 8)" "3.00 2.00 2.00 8.00 " "layers by rows: sums"
traceviz bars.csv --panels bars --bars.x r --bars.y a,b -o wide.boxes.csv
sed 's/"[^"]*"/label/' wide.boxes.csv >wide.boxes
is "$(heights wide.boxes 10)" "5.00 3.00 10.00 1.00 " "layers by columns, one of them below 0"
is "$(awk -F, '$3 == "bar" { y[++n] = $8; h[n] = $10 } END { d = y[3] + h[3] - y[4]; e = y[1] - y[2] - h[2]; print d * d < 1e-6, e * e < 1e-6 }' wide.boxes)" "1 1" "what is below 0 hangs from 0"
refuse 2 "*layers by one of both*" "both kinds of layers" bars.csv --panels bars --bars.x r --bars.y a,b --bars.series kind
refuse 2 "*--bars.y is missing*" "no values" bars.csv --panels bars --bars.x r

# ---- scaling-model: a table of runs of 1, 2, 4 and 8 workers; the last loses a third ----
printf 'ResourceId,Value,Start,End\nC0,a,0,4\nC0,a,4,8\nC0,a,8,12\nC0,a,15,19\n' >p1.csv
printf 'ResourceId,Value,Start,End\nC0,a,0,4\nC0,a,6,10\nC1,a,0,4\nC1,a,4,8\n' >p2.csv
printf 'ResourceId,Value,Start,End\nC0,a,0,4\nC1,a,1.5,5.5\nC2,a,0,4\nC3,a,0,4\n' >p4.csv
{ cat p4.csv; for w in 4 5 6 7; do echo "C$w,,,"; done; } | sed '1s/$/,Kind/; 2,$s/$/,/; s/,,,,$/,,,,worker/' >p8.csv
traceviz scaling -q p1.csv p2.csv p4.csv p8.csv | sed 's|, | + |g' >model.csv # no comma in texts
run traceviz model.csv --panels scaling-model --scaling-model.log none -o model.boxes --to csv
is "$rc $(cat stderr)" "0 " "a table of scaling is drawn"
is "$(points model.boxes | awk '{ printf "%s ", $1 }')" "0 1 2 3 0 1 2 3 0 1 2 3 " "its runs, in three charts, and none of its other rows"
is "$(linear model.boxes model.csv Workers Makespan 1 4)" "4 x y" "makespan"
is "$(linear model.boxes model.csv Workers Efficiency 5 8)" "4 x y" "efficiency"
is "$(linear model.boxes model.csv Workers ModelError 9 12)" "4 x y" "the error of the model"
# Where min and max of a column are on the axis that another column's points define.
is "$(points model.boxes | awk -v table=model.csv 'BEGIN { k = 0; FS = ","; while ((getline line < table) > 0) { split(line, f, ","); if (!n++) for (i in f) c[f[i]] = i; else if (f[1] == "run") { m[k] = f[c["Makespan"]]; p[k++] = f[c["Model"]] } } FS = " " }
	NR <= 4 { y[NR - 1] = $3 }
	END { for (i = 0; i < 4; i++) { at = y[0] + (p[i] - m[0]) / (m[3] - m[0]) * (y[3] - y[0]); low = i == 0 || at < low ? at : low; high = i == 0 || at > high ? at : high } printf "%.2f %.2f\n", low, high - low }')" \
	"$(awk -F, '$3 == "bound" && $4 == "Model" { printf "%.2f %.2f\n", $8, $10 }' model.boxes)" "a line of the model"
is "$(grep -c '^polyline,page,line,,,,[^,]*,[^,]*,0.0000,' model.boxes)" 4 "errors are lines from zero"
is "$(awk -F, '$3 == "boundary" { print $7 }' model.boxes | head -1) $(grep -c ',stops here: factor ' model.boxes)" "$(points model.boxes | awk 'NR == 3 { printf "%.4f", $2 }') 1" \
	"where the loss passes a fifth, with its name"
traceviz scaling -q p1.csv p2.csv >none.csv
run traceviz none.csv -o none.boxes --to csv
is "$rc $(grep -c ',frame,' none.boxes) $(grep -c ',bound,\|,swatch,' none.boxes) $(cat stderr)" "0 2 0 " "runs without a model"
