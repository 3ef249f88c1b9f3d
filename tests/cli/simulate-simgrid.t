#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makespans of generated programs with equal tiles on the platforms of traceviz, against SimGrid with the same placement and order
# (tests/oracle/simgrid-tasks.cpp). tests/long/simulate-simgrid.t does the same with more cases.
. "$(dirname "$0")/lib.sh"
plan 2
cases=${CASES:-12}
oracle=${TRACEVIZ_BIN:-$ROOT/build}/oracle/simgrid-tasks
if [ ! -x "$oracle" ]; then
	skip 2 "no $oracle (libsimgrid-dev)"
	exit 0
fi

# Each case: options of generate; platform, policy, placement, cores, overlap. Few rounds of stencil: on links that are full all the time
# each difference of 1 ns grows with the number of tasks that follow each other.
seed 7
awk -v seed="$seed" -v n="$cases" 'function one(words,  w, k) { k = split(words, w, " "); return w[1 + int(rand() * k)] }
	BEGIN { srand(seed); for (i = 1; i <= n; i++) {
		program = one("cholesky qr lu stencil random")
		of = program == "random" ? " --tiles " 100 + int(rand() * 200) " --seed " i : " --tiles " 4 + int(rand() * 7)
		platform = one("intel6240 epyc7452 epyc7452-flat")
		print program of " --tile " (program == "stencil" ? "1024 --rounds 3" : one("512 768")) (rand() < 0.5 ? " --allocate;" : ";") platform, one("fifo prio ws lws"), \
			one("first-touch round-robin random"), one("4 16 32 36"), one("0 0 0.1 0.6 1") } }' >cases
while IFS=';' read -r program machine; do
	# shellcheck disable=SC2086 # its words
	set -- $machine
	# shellcheck disable=SC2086
	traceviz generate $program | traceviz simulate -q - --platform "$1" --crosstraffic no --model comm --gflops CPU=20 \
		--scheduler "$2" --placement "$3" --resources "CPU=$4" --overlap "$5" -o sim/
	i=$((${i:-0} + 1))
	perl "$ROOT/tests/oracle/simgrid-case.pl" sim 20 "$5" >"$i.tasks" 2>>simulated
	echo "$ROOT/data/platforms/$1.xml $i.tasks" >>list
done <cases
"$oracle" <list >simgrid 2>stderr
is "$(wc -l <simulated | tr -d ' ') $(wc -l <simgrid | tr -d ' ')" "$cases $cases" "all cases are simulated twice"
paste -d'|' simulated simgrid cases | awk -F'|' '{ want = $2 * 1e9; d = $1 - want; if (d < 0) d = -d; if (d / want > most) most = d / want
	if (!($2 > 0) || d > 1e-6 * want + 2) print } END { print "# max relative difference: " most >"worst" }' >differ
is "$(cat differ)" "" "makespans are SimGrid's, up to 1e-6 and 2 ns"
cat worst
