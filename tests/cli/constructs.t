#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# constructs.t: results of the program with each construct of OpenMP, and its numbers of tasks and regions by a bare tool
. "$(dirname "$0")/lib.sh"
plan 8
bin=${TRACEVIZ_BIN:-$ROOT/build}

for compiler in gcc clang; do
	program=$bin/examples/$compiler/constructs
	[ -x "$program" ] || { skip 4 "no OpenMP programs of $compiler (make examples)"; continue; }
	failed=
	for cancellation in false true; do
		for threads in 1 2 8; do
			run env OMP_CANCELLATION=$cancellation OMP_NUM_THREADS=$threads "$program"
			[ "$rc" = 0 ] || failed="$failed; cancellation $cancellation, $threads threads: $rc $(cat stderr)"
		done
	done
	is "$failed" "" "results ($compiler)"
	run "$program" plain depand
	is "$rc $(cat stderr)" "2 constructs: unknown name; constructs --list" "an unknown name"

	if ! clang -shared -fPIC -o list.so "$ROOT/tests/oracle/ompt-list.c" 2>clang.log; then
		skip 2 "no clang with OpenMP's tools"
		continue
	fi
	# LLVM's runtime of Debian 12 crashes in a detached task compiled by gcc, without any tool too.
	runtime= without=
	[ $compiler = clang ] || { runtime=$(clang -print-file-name=libomp.so.5); without=detached; }
	failed=
	"$program" --list >list
	while read -r name tasks regions; do
		[ "$name" != "$without" ] || continue
		for cancellation in false true; do
			run env OMP_CANCELLATION=$cancellation OMP_TOOL_LIBRARIES="$PWD/list.so" OMPT_LIST=log LD_PRELOAD="$runtime" \
				"$program" "$name"
			got="$rc $(tail -n 1 log)"
			[ "$got" = "0 tasks $tasks regions $regions" ] || failed="$failed; $name: $got instead of $tasks, $regions"
		done
	done <list
	is "$failed" "" "numbers of tasks and regions ($compiler)"

	# Modes and addresses of one construct each, addresses by number.
	modes() {
		env OMP_TOOL_LIBRARIES="$PWD/list.so" OMPT_LIST=log LD_PRELOAD="$runtime" "$program" "$1"
		awk '$1 == "tasks" { next } { line = $1
			for (i = 3; i <= NF; i++) {
				split($i, a, ":")
				if (!(a[2] in id)) id[a[2]] = ++n
				line = line " " a[1] ":" id[a[2]]
			}
			printf "%s;", line }' log
	}
	is "$(modes depend) $(modes mutexinoutset) $(modes depobj)" \
		"0 RW:1;1 R:1;2 R:1;3 RW:1;4 RW:1; 0 RW:1;1 RWC:1;2 RWC:1;3 RWC:1;4 RWC:1;5 R:1; 0 RW:1;1 R:1;" "accesses ($compiler)"
done
