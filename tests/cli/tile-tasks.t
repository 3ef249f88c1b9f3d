#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tile-tasks.t: the oracle of tiled factorizations, against what is known by hand and from a published trace
. "$(dirname "$0")/lib.sh"
plan 18
oracle=${TRACEVIZ_BIN:-$ROOT/build}/oracle/tile-tasks
[ -x "$oracle" ] || { skip 18 "make tests builds $oracle"; exit 0; }

types() { "$oracle" "$@" | awk '{ n[$2]++ } END { for (t in n) print t, n[t]; print "all", NR }' | sort | xargs; }
is "$(types cholesky 24)" "all 2600 gemm 2024 potrf 24 syrk 276 trsm 276" "Cholesky of 24 tiles"
is "$(types --init cholesky 24)" "all 3176 gemm 2024 init_tile 576 potrf 24 syrk 276 trsm 276" "with its generation"
is "$(types qr 24)" "all 4900 geqrt 24 tsmqr 4324 tsqrt 276 unmqr 276" "QR"
is "$(types lu 24)" "all 4900 gemm 4324 getrf 24 trsm_column 276 trsm_row 276" "LU"
is "$(types lu_pivot 24)" "all 4900 gemm 4324 getrf 24 laswp 276 swptr 276" "LU with pivoting"
is "$("$oracle" lu_pivot 2 | tr '\n' ';')" "0 getrf;1 swptr 0;2 gemm 1 0;3 getrf 2;4 laswp 2 3;" "LU with pivoting, by hand"
is "$(types cholesky 1) $(types qr 1) $(types lu 1)" "all 1 potrf 1 all 1 geqrt 1 all 1 getrf 1" "a single tile"

is "$("$oracle" cholesky 2 | tr '\n' ';')" "0 potrf;1 trsm 0;2 syrk 1;3 potrf 2;" "Cholesky of two tiles by hand"
is "$("$oracle" qr 2 | tr '\n' ';')" "0 geqrt;1 unmqr 0;2 tsqrt 1;3 tsmqr 1 2;4 geqrt 3;" \
	"QR: tsqrt waits for the reader of the diagonal tile"
is "$("$oracle" lu 2 | tr '\n' ';')" "0 getrf;1 trsm_row 0;2 trsm_column 0;3 gemm 2 1;4 getrf 3;" "LU"
is "$(types stencil 5)" "all 125 sweep 125" "five sweeps over 25 blocks"
is "$("$oracle" stencil 2 | tr '\n' ';')" "0 sweep;1 sweep;2 sweep;3 sweep;4 sweep 0 1 2;5 sweep 0 1 3;6 sweep 0 2 3;7 sweep 1 2 3;" \
	"two sweeps: readers and writers of each block"
is "$("$oracle" --accesses cholesky 3 | sed -n 6p)" "5 gemm RW:A2,1 R:A2,0 R:A1,0" "accesses"

# I. Daoudi's thesis, figure 4.1: task 4307 of the second of two rounds, each with its generation; tasks of the first: 3176.
is "$("$oracle" --init cholesky 24 | awk -v round=3176 '$1 + round == 4307 { print $2, $3 + round, $4 + round, $5 + round }')" \
	"gemm 4031 4074 4053" "the dependencies of a published record"

# Longest path in tasks, and tasks on it.
depth() {
	"$oracle" "$@" | awk '{ d[$1] = 0; for (i = 3; i <= NF; i++) if (d[$i] > d[$1]) d[$1] = d[$i]; d[$1]++
		if (d[$1] > max) max = d[$1] } END { print max }'
}
got='' want=''
for p in 1 2 5 12; do
	got="$got $(depth cholesky $p) $(depth lu $p)"
	want="$want $((3 * p - 2)) $((3 * p - 2))"
done
is "$got" "$want" "the longest paths of Cholesky and LU have 3 p - 2 tasks"

# What is reachable by direct predecessors is what is reachable by all conflicts; direct ones are a part of these.
reachable() {
	"$oracle" "$@" | awk '{ for (i = 3; i <= NF; i++) { r[$1, $i]; for (k = 0; k < $i; k++) if (($i, k) in r) r[$1, k] } }
		END { for (e in r) { split(e, at, SUBSEP); print at[1], at[2] } }' | sort
}
edges() { "$oracle" "$@" | awk '{ for (i = 3; i <= NF; i++) print $1, $i }' | sort; }
failed=
for kind in cholesky qr lu lu_pivot stencil; do
	for p in 2 3 5; do
		reachable $kind $p >direct
		reachable --all $kind $p >all
		cmp -s direct all || failed="$failed $kind:$p"
		edges $kind $p >direct
		edges --all $kind $p >all
		[ -z "$(comm -23 direct all)" ] || failed="$failed $kind:$p:part"
		[ "$(wc -l <direct)" -lt "$(wc -l <all)" ] || [ $p -lt 3 ] || failed="$failed $kind:$p:equal"
	done
done
is "$failed" "" "direct predecessors imply all conflicts"
is "$("$oracle" --init qr 4 | awk '{ for (i = 3; i <= NF; i++) if ($i >= $1 || seen[$1, $i]++) print }')" "" \
	"predecessors are earlier, each once"
run "$oracle" cholesky 0
is "$rc" 2 "misuse"
