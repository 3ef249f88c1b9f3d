#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.t: what make bench measures on: traces made from the samples, and its smallest part as a whole
# needs glpsol zstd pdftoppm mawk
. "$(dirname "$0")/lib.sh"
plan 16
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

DIAGNOSE_TASKS=2000 ROUNDS=1 run bash "$ROOT/tests/bench/run.sh" tests/bench/diagnose.bench
is "$rc $(cat stderr) $(sed 's/[0-9.]* s/T s/g; s/ *[0-9]* MB/ M MB/; s/  *T/ T/g; s/[0-9.]* times/R times/' stdout | sed 2q) $(grep -cE '^    (pass )?[a-z -]+ [0-9.]+ s$' stdout)" \
	"0  diagnose, 2000 tasks T s CPU T s wall M MB peak
  CPU: T s over reading, T s; R times as much 6" "a diagnosis against reading, and its largest stages"

CSV_TASKS=2000 ROUNDS=1 BASELINE=$PWD/bench.json run bash "$ROOT/tests/bench/run.sh" tests/bench/csv.bench
is "$rc $(cat stderr) $(grep -c '^    total  .*bytes per task$' stdout) $(tail -1 stdout)" \
	"0  1   0 numbers within 5 %, 14 measured for the first time" "memory per task, and a baseline"
is "$(sed -n 's/^    "\([^"]*\)": {"cpu_s": [0-9.]*, "peak_kb": [0-9]*},*$/\1/p' bench.json | tr '\n' ' ')" \
	"csv.mawk.2000 csv.bounds.2000 csv.bounds.2000.1 csv.dependencies.convert.2000 csv.dependencies.bounds.2000 csv.dependencies.idle-causes.2000 csv.dependencies.report.2000 " "of each command"
change() { printf '%s\n' "$@" | awk -v file=changed.json -v machine=here -f "$ROOT/tests/bench/baseline.awk"; }
change "a 1.000 1000" "b 2.000 50000" >first
is "$(change "a 1.100 1000" "b 1.960 40000" "c 1.000 1000" | sed 1d)" "  a                                  1.000 -> 1.100 s CPU, +10 %
  b                                  50 -> 40 MB peak, -20 %
  2 numbers within 5 %, 2 measured for the first time" "changes of more than 5 % are shown"
is "$(change "c 2.000 1000" "a 1.000 1000" | sed 1d)" "  c                                  1.000 -> 2.000 s CPU, +100 %
  3 numbers within 5 %, 0 measured for the first time" "against the first numbers, which stay"
is "$(printf 'a 9 9\n' | awk -v file=changed.json -v machine=there -f "$ROOT/tests/bench/baseline.awk" | sed 1d)" \
	"  0 numbers within 5 %, 2 measured for the first time" "a baseline of another machine is replaced"

if grep -q __asan_init "$(command -v traceviz)"; then
	skip 2 "the benchmark's own programs have no sanitizer"
else
	NETWORK_FLOWS=600 ROUNDS=1 run bash "$ROOT/tests/bench/run.sh" tests/bench/network.bench
	like "$rc $(cat stderr) $(cat stdout)" "0 *traceviz, 600 flows, * solves*" "transfers on a platform"
	PASSES_TASKS="200 400" ROUNDS=1 run bash "$ROOT/tests/bench/run.sh" tests/bench/passes.bench
	is "$rc $(cat stderr) $(grep -c '^  ready  *[0-9.]* (' stdout) $(tail -1 stdout | cut -c3-23)" "0  1 400 jobs, 1006 edges," "every pass, and chains against a bare sweep"
fi

# The table of docs/speed.md: of what was measured, in a fixed order.
is "$(printf '%s\n' 'pj_dump 4 26000 4.5' 'paje_read 0.5 150000 0.55' | awk -v machine='2 cores' -f "$ROOT/tests/bench/table.awk" | sed 1,2d)" \
	"| Pajé, 60 MB: bounds | 0.55 | 0.50 | 150 | \`pj_dump\`: 4.50 s |" "a row of the table"
is "$(sed -n '/^<!-- bench -->/,/^<!-- end -->/s/^| \([^|]*\) |.*/\1/p' "$ROOT/docs/speed.md" | sed 1,2d | while read -r work; do grep -qF "\"$work\"" "$ROOT/tests/bench/table.awk" || echo "$work"; done)" "" \
	"rows of docs/speed.md are those of the bench"
