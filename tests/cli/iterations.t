#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# iterations.t: iterations of MPI programs against the random programs that made the traces
. "$(dirname "$0")/lib.sh"
plan 4
make=$ROOT/tests/cli/iterations.pl
for seed in $(seq 40); do
	perl "$make" "$seed" run
	traceviz phases -q run | tail -n +2 | cut -d, -f1,3,4 | cmp -s - run/truth || echo "$seed"
done >wrong
is "$(cat wrong)" "" "number, first enter and last leave: loops in the loop, calls around it and in between, tests"
for seed in $(seq 20); do
	perl "$make" "$seed" run none
	traceviz phases -q run | tail -n +2 | sed "s/^/$seed /"
done >wrong
is "$(cat wrong)" "" "calls at random have none"
for seed in 3 5 8 12; do
	perl "$make" "$seed" run
	traceviz efficiency -q --region 'step#*' run | cut -d, -f2- >region
	for by in iteration phase; do
		traceviz efficiency -q --by $by run | cut -d, -f2- | cmp - region
		wc -l <region
	done
done >rows 2>&1
is "$(grep -c -v '^ *[0-9]*$' rows) $(awk '$1 > 6 { n++ } END { print n }' rows)" "0 8" "efficiency of iterations is that of their spans"
# 2 x 10^5 calls that repeat only nearly: no time is lost.
awk 'BEGIN { print "ResourceId,Call,Class,Start,End,Peer"; srand(1); for (i = 0; i < 200000; i++) printf "0_T0,MPI_Send,blocking,%d,%d,%d\n", 2 * i, 2 * i + 1, rand() * 2 }' >run/calls.csv
printf 'ResourceId,Type,Value,Start,End\n' >run/states.csv
run timeout 20 "$TRACEVIZ_BIN/traceviz" phases -q run
is "$rc $(wc -l <stdout)" "0 1" "two calls in any order are no loop"
