#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# facets.t: several runs in a figure: places, alignment, repeats, thresholds and weights of other runs, pages, differences
# needs pdfinfo
. "$(dirname "$0")/lib.sh"
plan 73
dmda=$DATA/cholesky-dmda.csv dmdas=$DATA/cholesky-dmdas.csv ws=$DATA/cholesky-ws.csv
# draw ARGS...: figure.svg and boxes.csv; text CLASS: the texts of a class; frames NAME: "x y width" of each
draw() { run traceviz -q --facet --dump-boxes boxes.csv -o figure.svg "$@"; }
text() { awk -F, -v c="$1" '$1 == "text" && $3 == c' boxes.csv | sed 's/^\([^,]*,\)\{12\}//; s/^"//; s/"$//'; }
count() { awk -F, -v c="$1" '$3 == c { n++ } END { print n + 0 }' boxes.csv; }
makespan() { traceviz bounds -q "$1" | awk -F, '$1 == "" && $2 == "makespan" { printf "%.1f", $4 }'; }
# where the first line of each run's header is: its label in bold
places() { awk -F, -v l="$1" '$1 == "text" && $13 == l { printf "%d %d", $7, $8; exit }' boxes.csv; }
labels() { # LABEL...: the row and the column of each, counted from 0
	for l; do places "$l"; echo " $l"; done | awk '{ x[NR] = $1; y[NR] = $2; l[NR] = $3 }
		END { for (i in x) { a = b = 0; split("", sx); split("", sy)
			for (j in x) { a += x[j] < x[i] && !(x[j] in sx); b += y[j] < y[i] && !(y[j] in sy); sx[x[j]]; sy[y[j]] }
			print l[i] "@" b "," a } }' | sort | tr '\n' ' '; }

# places
draw x="$dmda" y="$dmdas" z="$ws"
is "$rc $(cat stderr)" "0 " "three runs"
is "$(labels x y z)" "x@0,0 y@0,1 z@0,2 " "side by side"
is "$(grep -c ">ready tasks" figure.svg)" 3 "each with its panels"
draw x="$dmda" y="$dmdas" z="$ws" --facet-layout rows
is "$(labels x y z)" "x@0,0 y@1,0 z@2,0 " "rows"
draw x="$dmda" y="$dmdas" z="$ws" --facet-layout 2x2
is "$(labels x y z)" "x@0,0 y@0,1 z@1,0 " "2x2"
draw x="$dmda" y="$dmdas" --width 3.5
is "$(labels x y)" "x@0,0 y@1,0 " "a narrow figure has one column"
draw b/x="$dmda" b/y="$dmdas" a/y="$ws"
is "$(labels b/x b/y a/y)" "a/y@1,1 b/x@0,0 b/y@0,1 " "labels ROW/COL are the place"
draw "$dmda" "$ws"
is "$(labels cholesky-dmda cholesky-ws)" "cholesky-dmda@0,0 cholesky-ws@0,1 " "labels from the paths"

# numbers of each run on its own
draw x="$dmda" y="$dmdas" z="$ws" --panels spacetime
for pair in "x $dmda" "y $dmdas" "z $ws"; do
	set -- $pair
	like "$(cat figure.svg)" "*$(makespan "$2") ms (*" "$1: its makespan"
done
like "$(cat figure.svg)" "*448.2 ms (best)*" "the best run is marked"
like "$(cat figure.svg)" "*ABE 274.4*" "bounds of each run"
is "$(grep -o '9 CPU + 3 CUDA' figure.svg | wc -l)" 1 "one machine is told once"
draw x="$dmda" y="$DATA/qr-mumps-like.csv" --panels spacetime,progress
is "$(grep -o '4 CPU + 1 CUDA' figure.svg | wc -l)" 1 "different machines: each its own"
is "$(grep -c "not in this trace" figure.svg)" 1 "a panel that a run has no data for"

# refusals
refuse() { # PATTERN ARGS...
	pattern=$1; shift
	run traceviz -q -o figure.svg "$@"
	is "$rc" 2 "$* is refused"
	like "$(cat stderr)" "traceviz: $pattern" "with what was expected"
}
refuse "*--facet-layout 'circle'*" --facet "$dmda" "$ws" --facet-layout circle
refuse "*--facet-layout '0x2'*" --facet "$dmda" "$ws" --facet-layout 0x2
refuse "*--share-x 'maybe'*" --facet "$dmda" "$ws" --share-x maybe
refuse "*--align 'middle'*" --facet "$dmda" "$ws" --align middle
refuse "*--align iteration:99: the run '*' has none" --facet "$dmda" "$ws" --align iteration:99
refuse "*--outliers-from 'foo', expected the label of a run" --facet "$dmda" "$ws" --outliers-from foo
refuse "*--durations-from 'foo', expected pool, *" --facet "$dmda" "$ws" --durations-from foo
refuse "*--diff.base 'foo', expected the label of a run" --facet "$dmda" "$ws" --panels diff --diff.base foo
refuse "*--align needs --facet" "$dmda" --align end
refuse "*--durations-from needs --facet" "$dmda" --durations-from pool
run traceviz "$dmda" --panels spacetime,diff -o figure.svg
like "$rc $(cat stderr)" "0 *panel diff left out: it compares runs*" "one run has no differences"

# one run; states alone; a window; a selection
draw x="$dmda"
is "$rc" 0 "one run"
mkdir s; printf 'ResourceId,Type,Value,Start,End\nCPU0,W,Idle,0,5\nCPU0,W,Busy,5,9\n' >s/states.csv
draw x=s y=s
is "$rc" 0 "runs of states"
draw x="$dmda" y="$ws" --begin 100 --end 200 --align end --panels spacetime
is "$rc" 0 "a window and --align end"
draw x="$dmda" y="$ws" --only POTRF --rows 'CUDA*' --panels spacetime
is "$(grep -c ">CPU0<" figure.svg)" 0 "--rows"
like "$(cat figure.svg)" "*only POTRF*" "--only is told"

# repeats
draw a="$dmda" a="$dmdas" a="$ws" b="$dmdas" --panels spacetime,ready
like "$(cat figure.svg)" "*463.8 ms (median of 3: 448.2 to 1271.7, *" "the median run, and the range of all"
is "$(count spread)" 1 "a band for the label with repeats"
like "$(cat figure.svg)" "*>all 3 runs<*" "with a key"
draw a="$dmda" a="$ws" b="$dmdas" --panels spacetime
like "$(cat figure.svg)" "*463.8 ms (lower median of 2: 463.8 to 1271.7, *" "of two the shorter run, which is not their median"

# thresholds and weights of other runs
draw x="$dmda" y="$ws" --outliers-from x --panels spacetime --dpi 72
like "$(cat figure.svg)" "*outliers by the thresholds of x*" "--outliers-from is told"
traceviz -q --facet y="$ws" x="$dmda" --outliers-from x --caption c.tex -o f.pdf --panels spacetime
limits() { traceviz outliers -q "$1" | awk -F, "$by_name"'
	$c["Kind"] == "app" && $c["Threshold"] != "" { print $c["Value"] "," $c["ResourceType"] "," $c["Threshold"] }' | sort -u; }
limits "$dmda" >limits
want=$(awk -F, 'NR == FNR { t[$1, $2] = $3; next } FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["Kind"] == "app" && ($c["Value"], $c["ResourceType"]) in t && $c["Duration"] > t[$c["Value"], $c["ResourceType"]] { n++ }
	END { print n + 0 }' limits "$ws")
is "$(sed -n 's/.*[Oo]utliers.*{\([0-9]*\)}.*/\1/p' c.tex | head -1)" "$want" "outliers by the thresholds of another run"
draw x="$dmdas" y="$ws" --durations-from pool --panels spacetime
is "$(grep -o '>2 runs .*area bound ABE 274\.1, critical path estimate CPE 151\.[0-9]* by mean durations of all runs' figure.svg | wc -l)" 1 "bounds of all runs, in one line"
cp figure.svg pool.svg
draw x="$dmdas" y="$ws" --panels spacetime
is "$(grep -o 'ABE [0-9. ,CPE]*by.*runs' figure.svg)" "$(grep -o 'ABE [0-9. ,CPE]*by.*runs' pool.svg)" "by default"
draw x="$dmdas" y="$ws" --durations-from own --panels spacetime
is "$(grep -c 'all runs' figure.svg)" 0 "own: not"
draw x="$dmdas" y="$DATA/cholesky.csv" --panels spacetime
is "$(grep -c 'pool: by mean durations of all runs' figure.svg) $(grep -o '(pool [0-9.]*)' figure.svg | sort -u | wc -l)" "1 4" "other tasks: by run"
is "$(traceviz compare -q --section bounds "$dmdas" "$ws" --durations-from pool | awk -F, '$4 == "abe.weighted" { printf "%.1f", $8 }')" 274.1 \
	"as compare tells them"

# pages
set --
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do set -- "$@" r$i="$dmda"; done
run traceviz -q --facet "$@" --panels spacetime -o many.png
is "$rc $(echo many*)" "0 many-2.png many.png" "thirteen runs: two pages, two files"
traceviz -q --facet "$@" --panels spacetime -o many.pdf
is "$(pdfinfo many.pdf | sed -n 's/^Pages: *//p')" 2 "or one PDF of two pages"
run traceviz -q --facet "$@" --panels spacetime --to svg -o -
is "$rc" 2 "but no standard output for two"

# differences
draw dmdas="$dmdas" ws="$ws" --panels diff
for section in shift progress work order; do traceviz compare -q "$dmdas" "$ws" --section $section | tail -n +2 >$section; done
is "$(count shift) $(count moved)" "$(wc -l <shift | awk '{ print $1 - 127 }') $(awk -F, '$4 == "moved.type" && $5 == "" { print $9 }' order)" \
	"a dot for every task of table shift"
is "$(text transfer-count | tr '\n' ' ')" "$(awk -F, '$4 ~ /^moved\.C/ { print $9 }' order | tr '\n' ' ')" "tasks that moved"
like "$(cat figure.svg)" "*ws against dmdas: last task +$(tail -1 progress | awk -F, '{ printf "%.1f", $10 }') ms, 364 of 364 match*" "the last task"
is "$(tail -1 progress | awk -F, '{ printf "%.6f", $10 }')" \
	"$(for f in "$ws" "$dmdas"; do traceviz bounds -q "$f" | awk -F, '$1 == "" && $2 == "makespan" { print $4 }'; done | paste -sd' ' | awk '{ printf "%.6f", $1 - $2 }')" \
	"is the change of the makespan"
is "$(tail -1 work | cut -d, -f10)" 0 "both have done the same work in the end"
is "$(traceviz compare -q "$ws" "$ws" --section shift | awk -F, 'NR > 1 && $10 != 0' | wc -l)" 0 "a run against itself: no shift"
is "$(traceviz compare -q "$dmdas" "$ws" | awk -F, '$1 == "shift" || $1 == "progress" || $1 == "work"' | wc -l)" 0 "the long tables only when asked for"
run traceviz compare -q "$dmdas" "$ws" --section shift --fail-if 'moved.CUDA.CPU.GEMM.after == 53'
is "$rc" 3 "moves between types have names"
traceviz -q --facet "$dmdas" "$ws" --panels spacetime,diff -o one.pdf; traceviz -q --facet "$dmdas" "$ws" --panels spacetime,diff -o two.pdf
ok "the same bytes again" cmp one.pdf two.pdf

# traces of states
states=$ROOT/tests/data/paje
# shown: names of the legend with the colors beside them
shown() { awk -F, '$3 == "swatch" { color = $11 } $3 == "legend-text" { sub(/ [0-9]*$/, "", $13); print $13, color }' boxes.csv; }
draw a="$states/facet-a.trace" b="$states/facet-b.trace"
is "$rc $(cat stderr)$(shown | cut -d' ' -f1 | sort | tr '\n' ' ')" "0 common only_in_a only_in_b " "states: the legend has those of all runs"
is "$(text header | tr '\n' ';')" "2 runs;a; · 1 resource · 2 states;b; · 1 resource · 2 states;" "... and headers speak of states"
traceviz --facet a="$states/colors-a.trace" b="$states/colors-b.trace" --dump-boxes boxes.csv -o figure.svg
shown | sort >both
for f in colors-a colors-b; do traceviz "$states/$f.trace" --dump-boxes boxes.csv -o figure.svg; shown; done | sort -u | grep -v 'Init\|Finalize' >alone
# #ffff00 of Wait is darker: no color is too light for paper
is "$(cat alone)" "PMPI_Barrier #0063c7
PMPI_Irecv #ff8585
PMPI_Issend #8080ff
PMPI_Recv #ff0000
PMPI_Send #0000ff
PMPI_Wait #bdbd00" "each state has the color that the file gives it, in each figure"
is "$(grep -v 'Init\|Finalize' both)" "$(cat alone)" "... and in a figure of both"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\n' >one.csv
draw a=one.csv b=one.csv
like "$(text header | tr '\n' ';')" "2 runs * 1 task each *" "one task each"
run traceviz --facet one.csv one.csv -o twice.svg
is "$rc $(head -1 stderr)" "0 traceviz: one.csv is given twice" "one file twice is hardly meant"
# Hairs beside a long run.
printf 'ResourceId,Value,Start,End\nCPU0,a,0,10\n' >long.csv
hairs() { traceviz --facet a=one.csv b=long.csv "$@" -o hairs.csv 2>&1 | grep -c 'a: drawn 0.[0-9]* in wide, as the time axis of all runs is 1[0-9].[0-9] times as long: --facet-layout rows gives about 2 times that'; }
is "$(hairs) $(hairs --facet-layout 1x2) $(hairs --facet-layout rows) $(hairs --share-x no)" "1 0 0 0" "rows are proposed for a run that is narrow, unless the layout was chosen"
traceviz -q --facet dmdas="$DATA/cholesky-dmdas.csv" ws="$DATA/cholesky-ws.csv" --panels spacetime -o x.csv
is "$(grep -c ',header,header,.*,"*idle CPU' x.csv)" 2 "headers beside each other have the same lines"
