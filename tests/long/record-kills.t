#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-kills.t: a recorded program that is killed at any moment leaves a readable log, which lacks no more than what threads were
# about to write. KILLS=N: so many kills instead of 60.
. "$(dirname "$0")/../cli/lib.sh"
plan 4
bin=${TRACEVIZ_BIN:-$ROOT/build}
kills=${KILLS:-60}
[ -f "$bin/record/libtraceviz-openmp.so" ] && clang -fopenmp -O1 -o killed "$ROOT/tests/record/killed.c" 2>clang.log || { skip 4 "no OpenMP probe, or no clang with OpenMP"; exit 0; }
export OMP_NUM_THREADS=4
seed 11
awk -v seed="$seed" -v n="$kills" 'BEGIN { srand(seed); for (i = 0; i < n; i++) print 0.02 + 0.2 * rand(), rand() < 0.5 ? "program" : "group" }' >moments

unread=0 missing=0 most=0 invented=0 none=0 tasks=0
while read -r moment whom; do
	rm -rf run tables counts
	setsid traceviz record --openmp -q -o run -- ./killed counts >/dev/null 2>&1 &
	group=$!
	i=0
	while [ ! -s counts ] && [ $i -lt 2000 ]; do sleep 0.01; i=$((i + 1)); done
	sleep "$moment"
	case $whom in
	program) pkill -KILL -s "$group" -x killed ;;
	group) pkill -KILL -s "$group" ;;
	esac
	wait "$group" 2>/dev/null
	while pgrep -s "$group" >/dev/null; do sleep 0.01; done
	run traceviz convert -q run -o tables
	if [ "$rc" != 0 ]; then
		unread=$((unread + 1))
		continue
	fi
	# shellcheck disable=SC2046 # two numbers
	set -- $(od -An -t u8 counts)
	ended=$(perl -e 'open(T, "tables/tasks.csv") or exit; chomp($_ = <T>); @h = split /,/; @at{@h} = 0 .. $#h;
		while (<T>) { chomp; @f = split /,/, $_, -1; $n++ if $f[$at{Kind}] eq "app" && (!defined $at{Flag} || $f[$at{Flag}] eq "") && $f[$at{End}] ne "" } print $n + 0')
	tasks=$((tasks + ended))
	[ "$2" -gt 0 ] || none=$((none + 1))
	[ "$ended" -le "$2" ] || invented=$((invented + 1))
	lost=$(($2 - ended))
	[ "$lost" -le "$most" ] || most=$lost
	[ "$lost" -le "$OMP_NUM_THREADS" ] || missing=$((missing + 1))
done <moments
is "$unread" 0 "each of $kills logs is read"
is "$missing" 0 "each has all tasks that had ended, but for one of each thread (max $most)"
is "$invented" 0 "none has a task that had not ended"
ok "tasks ran in most of them ($tasks recorded, $none without any)" [ "$none" -lt $((kills / 4 + 1)) ]
