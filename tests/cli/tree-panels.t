#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tree-panels.t: the panels of states, elimination trees and the task graph show what the passes say
. "$(dirname "$0")/lib.sh"
qr=$DATA/qr-mumps-like.csv
plan 36

# columns of boxes: 3 class, 6 row, 7 x, 8 y, 9 width, 10 height; quoted cells (labels, titles) are emptied
boxes() { # FILE OPTIONS
	out=$1
	shift
	traceviz "$@" -q -o all.csv
	sed 's/"[^"]*"//g' all.csv >"$out"
}
boxes boxes.csv "$qr" --panels tree
traceviz tree-usage -q --by position --step 2 "$qr" >usage.csv
traceviz tree -q "$qr" >tree.csv
shown() { # CLASS TYPE: rows of the pass that are drawn, and those with usage
	awk -F, -v c="$1" '$3 == c { print $6 }' boxes.csv | sort -n | tr '\n' ' ' >got
	awk -F, -v t="$2" 'NR > 1 && $6 == t && $13 > 0 { print NR - 2 }' usage.csv | tr '\n' ' ' >want
	cmp -s got want && [ -s want ]
}
ok "slices of fronts are those of the pass" shown usage "not pruned"
ok "slices of pruned fronts too" shown pruned pruned
# all on one scale: x = a + b Start, y = c + d Position, from the first box; tolerances are those of the printed digits
is "$(awk -F, 'NR == FNR { if (FNR > 1) { s[FNR - 2] = $1; e[FNR - 2] = $2; p[FNR - 2] = $4 }; next }
	$3 == "usage" { if (!n++) { r = $6; x = $7; y = $8; w = $9 / (e[r] - s[r]); h = $10 }
		d = $7 - x - w * (s[$6] - s[r]); if (d > 0.05 || d < -0.05) bad++
		d = $9 - w * (e[$6] - s[$6]); if (d > 0.01 || d < -0.01) bad++
		d = $8 - y - h * (p[$6] - p[r]); if (d > 0.01 || d < -0.01) bad++ }
	END { print (n > 100), bad + 0 }' usage.csv boxes.csv)" "1 0" "at their times and positions"
is "$(awk -F, '$3 == "open" { print $6 }' boxes.csv | sort -n | tr '\n' ' ')" \
	"$(awk -F, 'NR > 1 && $4 == "not pruned" { print NR - 2 }' tree.csv | tr '\n' ' ')" "a line for each front that is not pruned"
# the structure: a parent is one level above its child
boxes structure.csv "$qr" --panels tree-structure
is "$(awk -F, '$3 == "front" || $3 == "pruned" { print $6 }' structure.csv | sort -n | tr '\n' ' ')" \
	"$(awk -F, 'NR > 1 { print NR - 2 }' tree.csv | tr '\n' ' ')" "the structure has every front once"
is "$(grep -c ',edge,' structure.csv)" "$(awk -F, 'NR > 1 && $2 != "" { n++ } END { print n }' tree.csv)" "and an edge for each parent"
is "$(awk -F, 'NR == FNR { if (FNR > 1) d[FNR - 2] = $3; next }
	$3 == "front" || $3 == "pruned" { y = $8 + $10 / 2; if (!(d[$6] in at)) at[d[$6]] = y
		if (y - at[d[$6]] > 0.01 || at[d[$6]] - y > 0.01) bad++ }
	END { for (k in at) if ((k + 1) in at && at[k + 1] <= at[k]) bad++; print bad + 0 }' tree.csv structure.csv)" 0 "levels are depths"
# the graph of a 12 x 12 Cholesky factorization: tasks, dependencies, 3 * 12 - 2 layers
boxes dag.csv "$DATA/cholesky-dmdas.csv" --panels dag
is "$(grep -c ',node,' dag.csv)" 364 "364 tasks"
is "$(grep -o 'task graph: .*' all.csv)" 'task graph: 364 tasks, 858 dependencies, depth 34"' "the title says so"
is "$(awk -F, '$3 == "edge" && $9 <= 0 { bad++ } END { print bad + 0 }' dag.csv)" 0 "edges go to the right"
is "$(grep -c '^polygon,page,\(edge\|chain\),' dag.csv) $(grep -c '^polyline,page,chain,' dag.csv)" "858 33" "each dependency has a head; the longest chain has 34 tasks"
like "$(grep '^text' dag.csv)" "*longest chain $(traceviz bounds -q "$DATA/cholesky-dmdas.csv" | awk -F, '$2 == "longest-chain" { printf "%.1f", $4 }') ms*" "and its length"
# every task is right of those that it needs
is "$(awk -F, 'NR == FNR { if (FNR == 1) for (i = 1; i <= NF; i++) c[$i] = i
		else { job[FNR - 2] = $c["JobId"]; needs[FNR - 2] = $c["DependsOn"] }; next }
	$3 == "node" { x[job[$6]] = $7; r[n++] = $6 }
	END { for (i = 0; i < n; i++) { m = split(needs[r[i]], a, " ")
		for (k = 1; k <= m; k++) if (a[k] in x) { seen++; if (x[a[k]] >= x[job[r[i]]]) bad++ } }
		print (seen > 300), bad + 0 }' "$DATA/cholesky-dmdas.csv" dag.csv)" "1 0" "tasks are right of what they need"
run traceviz "$DATA/cholesky.csv" --panels spacetime,dag -o x.csv
is "$rc $(grep -c '4960 tasks, at most 400.*--where' stderr)" "0 1" "a large graph is left out: why, and what to do"
run traceviz "$DATA/cholesky.csv" -q --panels dag --where 'Start < 30' -o x.csv
is "$rc $(grep -c ',node,' x.csv)" "0 21" "a selection of it is drawn"

# no text over another, in a column, on a page, on a poster
overlaps() { sh "$ROOT/tests/overlaps.sh" "$1"; }
for width in 3.5 7.16 12; do
	traceviz "$qr" -q --width $width --panels tree,tree-usage,open-fronts,front-memory -o x.csv
	is "$(overlaps x.csv)" "" "panels in time, $width in"
	traceviz "$qr" -q --width $width --panels tree-structure,dag -o x.csv
	is "$(overlaps x.csv)" "" "drawings, $width in"
	traceviz "$DATA/cholesky-paje" -q --width $width --panels spacetime,states -o x.csv
	is "$(overlaps x.csv)" "" "states, $width in"
done
# events: the sample's profiling and synchronization are spans
boxes x.csv "$DATA/cholesky-paje" --panels spacetime,events
traceviz events -q "$DATA/cholesky-paje" >events.csv
is "$(awk -F, '$3 == "span" { print $6 }' x.csv | sort -n | tr '\n' ' ')" "$(awk -F, 'NR > 1 && $6 != "" { print NR - 2 }' events.csv |
	tr '\n' ' ')" "spans are drawn"
is "$(overlaps x.csv)" "" "events"
run traceviz "$qr" --panels spacetime,events -o x.csv
is "$rc $(grep -c 'panel events left out: .*no events of the program' stderr)" "0 1" "without events: said"
run traceviz "$qr" --panels spacetime,states -o x.csv
is "$rc $(grep -c 'panel states left out: .*the trace has no states' stderr)" "0 1" "without states: said"
run traceviz "$DATA/cholesky.csv" --panels spacetime,tree,tree-usage,open-fronts,front-memory,tree-structure -o x.csv
is "$rc $(grep -c 'left out' stderr)" "0 5" "without fronts: said of every panel"
boxes x.csv "$qr" --panels tree --begin 100 --end 200
is "$(awk -F, '$3 == "usage" && $9 <= 0 { bad++ } $3 == "usage" { n++ } END { print (n > 100), bad + 0 }' x.csv)" "1 0" "a window of a tree"
for wrong in "--tree.layers life" "--tree.limit 0" "--tree-usage.by node"; do
	run traceviz "$qr" --panels tree,tree-usage,dag $wrong -o x.csv
	is "$rc" 2 "$wrong is a usage error"
done
run traceviz "$qr" --panels dag --dag.tasks x -o x.csv
is "$rc" 2 "--dag.tasks x too"
# The key of task types is left out where no panel has their colors.
boxes x.csv "$qr" --panels tree,tree-usage,open-fronts,front-memory,ready
boxes y.csv "$qr" --panels tree,concurrency
is "$(grep -c ',legend-text,' x.csv) $(($(grep -c ',legend-text,' y.csv) > 5))" "0 1" "no key of types that are not drawn"
boxes x.csv --facet a="$qr" b="$qr" --panels tree
is "$(grep -c ',legend-text,' x.csv)" 0 "the same of facets"
