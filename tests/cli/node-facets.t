#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# node-facets.t: --facet-by node shows of each node what --node shows, in headers, shapes and titles
# needs pdfinfo
. "$(dirname "$0")/lib.sh"
plan 37
two=$DATA/cholesky-2nodes four=$DATA/cholesky-4nodes/p1x4 ranks=$TESTDATA/fxt/cholesky-12-2ranks
many=$ROOT/examples/data/many-nodes.csv.zst
text() { awk -F, -v c="$1" '$1 == "text" && $3 == c' "$2" | sed 's/^\([^,]*,\)\{12\}//; s/^"//; s/"$//'; }
# class, hover text and row of the shapes that show a row of a table, without their places on the page
shapes() { sed -nE 's/^[a-z]+,[^",]*,([^",]*),[^",]*,"([^"]*)",([0-9]*),.*/\1,\2,\3/p' "$@"; }
titles() { for class in panel-title key; do text $class "$1"; done; }
# compare NAME PANELS ARGS...: the facets show what --node 0, --node 1, ... show together; NAME: a function of shapes.csv
compare() {
	what=$1 panels=$2
	rm -f ./*.csv
	shift 2
	traceviz -q "$@" --facet-by node --facet-layout rows --panels "$panels" --width 20 --to csv -o all.csv
	$what all.csv | sort >all
	for node in $nodes; do
		traceviz -q "$@" --node "$node" --panels "$panels" --width 20 --to csv -o "node$node.csv"
		$what "node$node.csv"
	done | sort >each
	ok "$what of $panels as with --node" cmp all each
	ok "not empty: $(wc -l <all)" [ "$(wc -l <all)" -ge 2 ]
}
nodes="0 1"
for panels in spacetime message-timeline; do compare shapes $panels "$two"; done
compare shapes states,mpi-states "$ranks" --begin 100 --end 106
compare shapes spacetime "$two" --begin 400 --end 460
compare shapes spacetime "$two" --where 'Value ~ gemm'
nodes="0 1 2 3"
compare shapes spacetime,message-timeline "$four"
compare titles ready,idle-causes,bandwidth,in-flight,share,progress "$four"
nodes="1 3"
compare shapes spacetime "$four" --node 1,3

# headers: of the run above all, of each node above its panels
traceviz -q "$two" --facet-by node --panels spacetime --to csv -o all.csv
traceviz -q "$two" --panels spacetime --to csv -o whole.csv
is "$(text header all.csv | head -3)" "$(text header whole.csv)" "numbers of the run"
is "$(text header all.csv | tail -n +4 | paste -sd'\n')" "$(awk -F, '$3 == "node-name" || $3 == "node-numbers"' whole.csv | sed 's/^\([^,]*,\)\{12\}//')" \
	"name, makespan, ABE and idleness of each node"
is "$(text node-name all.csv)" "" "the space-time panel does not repeat them"
is "$(text header all.csv | sed -n 's/.*makespan \([0-9.]*\) ms · ABE [0-9.]* ms.*/\1/p' | tr '\n' ' ')" \
	"$(traceviz stragglers -q "$two" | awk -F, "$by_name"'{ printf "%.1f ", $c["Makespan"] }')" \
	"the makespans of load-balance"
axis() { awk -F, -v side="$1" '$1 == "text" && $3 == "tick" && ($7 < 250) == side { printf "%s ", $13 }' all.csv; }
like "$(axis 0)" "$(axis 1)" "one time axis"
like "$(axis 0)" "0 *1000 " "from 0 to the end of the run"

traceviz -q "$ranks" --facet-by node --panels spacetime --spacetime.mpi yes --height 5 --to csv -o mpi.csv
is "$(text name mpi.csv | grep mpict | sort | tr '\n' ' ')" "0_mpict 1_mpict " "the threads that communicate have names"

traceviz -q "$four" --facet-by node --panels comm-matrix --to csv -o matrix.csv
is "$(text key matrix.csv | sort | uniq -c | tr -s ' ')" " 4 0 to 545.6 MB" "one scale of colors"
colors() { awk -F, '$3 == "pair" { print $5, $6, $12 }' "$1" | sort -u; }
traceviz -q "$four" --panels comm-matrix --to csv -o whole.csv
is "$(colors matrix.csv)" "$(colors whole.csv)" "pairs have the colors of the matrix of all nodes"

traceviz -q "$two" --facet-by node --panels spacetime --caption c.tex -o c.svg
is "$(sed -n 's/^.newcommand{.c\(Node.*Node[MA][^}]*\)}{\([^}]*\)}.*/\1 \2/p' c.tex | tr '\n' ';')" \
	"NodeZeroNodeMakespan 1033.4;NodeZeroNodeABE 593.1;NodeOneNodeMakespan 1042.7;NodeOneNodeABE 579.0;" "numbers of the nodes as TeX commands"

# one node; many nodes
run traceviz -q "$DATA/cholesky.csv" --facet-by node --panels spacetime --to csv -o one.csv
is "$rc $(text header one.csv | tail -n +4 | tr '\n' '|')" "0 node 0| · idle 7.9 %|" "a run of one node"
run traceviz -q "$many" --facet-by node --panels spacetime -o many.pdf
is "$rc $(cat stderr)$(pdfinfo many.pdf | sed -n 's/^Pages: *//p')" "0 6" "64 nodes on six pages"
run traceviz -q "$many" --facet-by node --panels spacetime --facet-layout 8x8 -o many.pdf
like "$rc $(cat stderr)" "2 *raise --width or have fewer columns (--facet-layout)*" "eight columns need more width"

# nodes of several runs; refusals
run traceviz -q --facet a="$two" b="$two" --facet-by node --panels spacetime --to csv -o grid.csv
place() { sed -nE "s/^text,page,header,header,,,([0-9]*)[^,]*,([0-9]*).*\"$1\"\$/\\$2/p" grid.csv; }
is "$rc $(place "a, node 0" 1) $(place "a, node 0" 2) $(place "a, node 1" 1) $(place "b, node 0" 2)" "0 3 26 3 26" "a row per node, a column per run"
like "$(text header grid.csv | head -1)" "nodes of 2 runs*" "and the number of runs"
run traceviz "$two" --facet-by node --panels spacetime,diff -o x.svg
like "$rc $(cat stderr)" "0 *panel diff left out: it compares runs*" "nodes of a run have no differences"
for args in "--facet-by type" "--facet-layout 2x2" "--facet-by node --align end" "--facet-by node --share-x no" "--facet-by node a=x"; do
	# shellcheck disable=SC2086 # several words
	run traceviz -q "$two" $args -o x.svg
	is "$rc" 2 "refused: $args"
done
