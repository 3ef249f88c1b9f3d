#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.t: what make bench measures on: traces made from the samples, and its smallest part as a whole
# needs glpsol zstd pdftoppm
. "$(dirname "$0")/lib.sh"
plan 7
like "$(make -n -C "$ROOT" bench 2>&1)" "*bash tests/bench/run.sh*" "make bench runs its bash script by bash"

zstd -dcq "$DATA/cholesky-paje/paje.trace.zst" >once.trace
for n in 1 3; do awk -v copies=$n -f "$ROOT/tests/bench/repeat_paje.awk" once.trace >$n.trace; done
is "$(traceviz convert -q 1.trace -o - | md5sum)" "$(traceviz convert -q once.trace -o - | md5sum)" \
	"one copy of a Paje trace is the same run"
counts() { traceviz info -q "$1" | awk -F, -v n="$2" '$1 == "app rows" || $2 == "states" || $2 == "links" { print $2, $3 * n }'; }
is "$(counts 3.trace 1)" "$(counts once.trace 3)" "three copies have three times the tasks, states and links"

ROUNDS=1 run bash "$ROOT/tests/bench/run.sh" tests/bench/lp.bench
is "$rc $(cat stderr)" "0 " "a part of the benchmark runs"
is "$(sed -n 's/.*: traceviz \(.*\) ms, glpsol.*/\1/p' stdout)" "$(sed -n 's/.* glpsol \(.*\) ms$/\1/p' stdout | grep .)" \
	"glpsol finds the same area bound"

NODES_TASKS="4000 16000" run bash "$ROOT/tests/bench/run.sh" tests/bench/nodes.bench
is "$rc $(cat stderr) $(sed -n 's/^ *\([0-9]* tasks, [0-9]* messages\):.*/\1/p' stdout | tr '\n' ' ')" \
	"0  4000 tasks, 2000 messages 16000 tasks, 8000 messages " "half as many messages as tasks between 64 nodes"

if grep -q __asan_init "$(command -v traceviz)"; then
	skip 1 "the benchmark's own programs have no sanitizer"
	exit 0
fi
NETWORK_FLOWS=600 ROUNDS=1 run bash "$ROOT/tests/bench/run.sh" tests/bench/network.bench
like "$rc $(cat stderr) $(cat stdout)" "0 *traceviz, 600 flows, * solves*" "transfers on a platform"
