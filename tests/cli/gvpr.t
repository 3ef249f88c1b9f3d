#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gvpr.t: Graphviz reads the same nodes, labels and edges in a graph as we do, and those that we write
# needs gvpr perl zstd
. "$(dirname "$0")/lib.sh"
here=$ROOT/tests/cli
plan 49

# Both as lines: "n NAME LABEL" and "e TAIL HEAD", sorted; edges once.
theirs() { # FILE
	gvpr 'N { printf("n %s %s\n", name, $.label == "" ? "\\N" : $.label) } E { printf("e %s %s\n", tail.name, head.name) }' "$1" 2>gvpr.err
}
ours() { # FILE
	traceviz convert -q "$1" -o - | "$here/dot_graph.pl"
}
same() { # FILE NAME
	theirs "$1" | sort -u >want
	ours "$1" | sort -u >got
	ok "$2" cmp want got
}

seed 13
for i in $(seq 40); do
	"$here/dot_graph.pl" $((seed * 1000 + i)) >t.dot
	same t.dot "random graph $i"
done
for of in cholesky-12-dmdas cholesky-12-dmdas-1.3; do
	golden $of dag.dot | sed 's/task_//g' >dag.dot
	theirs dag.dot | sort -u | grep '^e' >want
	ours dag.dot | sort -u | grep '^e' >got
	ok "$of: edges" cmp want got
done

# Written: as many nodes and edges as we have, no complaint
for from in "$DATA/cholesky-ws.csv" "$TESTDATA/fxt/cholesky-12-2ranks" "$DATA/qr-mumps-like.csv"; do
	traceviz convert -q "$from" -o out.dot
	theirs out.dot | sort -u | cut -d' ' -f1 | uniq -c >want
	is "$(tr -d '\n' <want) $(cat gvpr.err)" "$(printf '%7d e%7d n' "$(grep -c '^	"[^"]*" -> ' out.dot)" \
		"$(grep -c '^	"[^"]*" \[' out.dot)") " "$(basename "$from"): nodes and edges"
	is "$(gvpr 'N { printf("%s|%s|%s|%s\n", name, $.Value, $.Start, $.End) }' out.dot | sort | cksum)" \
		"$(traceviz convert -q out.dot -o - | "$here/dot_graph.pl" times | sort | cksum)" "types and times"
done
printf 'ResourceId,Value,Start,End,JobId,node,color\nCPU0,"a""\\b",0,1,"1\\",x,y\n' | sed 's/a""\\b/a""b/; s/"1\\"/1/' >odd.csv
traceviz convert odd.csv -o odd.dot
is "$(gvpr 'N { printf("%s|%s|%s|%s\n", name, $.Value, aget($, "node"), aget($, "Dot.color")) }' odd.dot 2>&1)" '1|a"b|x|y' "odd names"
