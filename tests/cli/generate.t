#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz generate: tasks and dependencies against brute force over the accesses, counts, wrong input.
. "$(dirname "$0")/lib.sh"
plan 38
ORACLE=${TRACEVIZ_BIN:-$ROOT/build}/oracle/tile-tasks

# JobId, type and dependencies, these in the order of numbers, as the oracle lists them.
graph() { traceviz generate "$@" | awk -F, "$by_name"'{
	n = split($c["DependsOn"], d, " ")
	for (i = 2; i <= n; i++) for (k = i; k > 1 && d[k] + 0 < d[k - 1] + 0; k--) { t = d[k]; d[k] = d[k - 1]; d[k - 1] = t }
	line = $c["JobId"] " " ($c["Value"] == "plgsy" ? "init_tile" : $c["Value"])
	for (i = 1; i <= n; i++) line = line " " d[i]
	print line }'; }
sorted() { awk '{ n = split($0, d, " ")
	for (i = 4; i <= n; i++) for (k = i; k > 3 && d[k] + 0 < d[k - 1] + 0; k--) { t = d[k]; d[k] = d[k - 1]; d[k - 1] = t }
	line = d[1]; for (i = 2; i <= n; i++) line = line " " d[i]
	print line }'; }
if [ -x "$ORACLE" ]; then
	for kind in cholesky qr lu; do
		for p in 1 2 3 7 12; do
			graph $kind --tiles $p --allocate >got
			"$ORACLE" --init $kind $p | sorted >want
			is "$(cksum <got)" "$(cksum <want)" "$kind, $p x $p tiles: brute force over the accesses"
		done
	done
	for p in 1 2 3 6; do
		graph stencil --tiles $p --rounds $p >got
		"$ORACLE" stencil $p | sorted >want
		is "$(cksum <got)" "$(cksum <want)" "stencil, $p x $p blocks"
	done
else
	skip 19 "the oracle is not built"
fi

# The record of Daoudi's thesis (2021), figure 4.1: the second round of 24 x 24 tiles.
traceviz generate cholesky --tiles 24 --rounds 2 --allocate >two.csv
is "$(grep '^,gemm,,,4307,' two.csv | cut -d, -f5,8-12)" "4307,4031 4074 4053,1,21,2,23" "JobId 4307: gemm(k=1, n=2, m=23), dependencies in the order of accesses"
is "$(grep -c . two.csv)" 6353 "two rounds of 576 + 2600 tasks"
is "$(traceviz generate cholesky --tiles 24 | cut -d, -f2 | sort | uniq -c | awk '{ print $2 $1 }' | tr '\n' ' ')" \
	"Value1 gemm2024 potrf24 syrk276 trsm276 " "tasks of each type"
is "$(traceviz generate cholesky --tiles 96 --allocate | grep -c plgsy)" 9216 "96 x 96 tiles"
is "$(traceviz generate cholesky --tiles 96 --allocate | wc -l)" 161313 "161,312 tasks"
is "$(traceviz generate cholesky --tiles 10 --tile 100 | awk -F, 'NR > 1 { n += $13 } END { printf "%.3f", n }')" 0.333 "GFlop: n^3 / 3 for n = 1000"
is "$(traceviz generate qr --tiles 20 --tile 100 | awk -F, 'NR > 1 { n += $13 } END { printf "%.3f", n }')" 10.667 "QR: 4/3 n^3 for n = 2000"
is "$(traceviz generate forkjoin --tiles 5 --rounds 3 | cut -d, -f2,8 | tail -7 | tr '\n' ';')" \
	"join,6 7 8 9 10;work,6 11;work,7 11;work,8 11;work,9 11;work,10 11;join,12 13 14 15 16;" "fork and join"
is "$(traceviz generate random --tiles 50 --seed 3 | cksum)" "$(traceviz generate random --tiles 50 --seed 3 | cksum)" "random: the seed decides"
ok "another seed, another graph" test "$(traceviz generate random --seed 3 | cksum)" != "$(traceviz generate random --seed 4 | cksum)"
for bad in "" "nothing" "cholesky qr"; do
	# shellcheck disable=SC2086
	run traceviz generate $bad
	is "$rc" 2 "generate $bad"
done
for bad in --tiles=0 --tiles=x --tile=0 --density=8 --seed=0; do
	run traceviz generate cholesky $bad
	is "$rc" 2 "generate cholesky $bad"
done
run traceviz generate cholesky --tiles 10000
like "$rc $(cat stderr)" "1 *--tiles 10000: more tasks than a table has rows" "too many tasks"
