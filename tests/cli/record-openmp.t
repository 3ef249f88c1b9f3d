#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-openmp.t: the raw logs of OpenMP programs contain what the runtime delivers.
# needs clang
. "$(dirname "$0")/lib.sh"
plan 9

build() { ${CC:-cc} -D_GNU_SOURCE -I"$ROOT" -O1 -g -o "$@"; }
bin=${TRACEVIZ_BIN:-$ROOT/build}
for header in /usr/lib/llvm-*/lib/clang/*/include/omp-tools.h; do :; done
[ -f "$bin/record/libtraceviz-openmp.so" ] || { skip 9 "no OpenMP probe was built"; exit 0; }
[ -x "$bin/examples/clang/fib" ] || { skip 9 "clang has no OpenMP"; exit 0; }
build dump_log "$ROOT/tests/record/dump_log.c" || exit 1
build count_tool.so -shared -fPIC -idirafter "$(dirname "$header")" "$ROOT/tests/record/count_tool.c" || exit 1

# record THREADS PROGRAM...: the events of its log, ./events
record() {
	threads=$1; shift
	rm -rf run
	OMP_NUM_THREADS=$threads run traceviz record -o run -- "$@"
	for log in run/*.tvlog; do ./dump_log "$log"; done >events
}
number() { awk -v kind="$1" '$3 == kind { n++ } END { print n + 0 }' events; }

# What depends on chance (who runs a task, and when) may differ between two runs; what is counted here does not.
# same THREADS PROGRAM...: the log counts what the tool counts
same() {
	threads=$1; shift
	rm -f counts
	OMP_NUM_THREADS=$threads OMP_TOOL_LIBRARIES=$PWD/count_tool.so COUNT_FILE=counts "$@" >/dev/null
	record "$threads" "$@"
	awk -f "$ROOT/tests/record/count_events.awk" events >recorded
	diff counts recorded
}

for threads in 1 2 8; do
	ok "fib, $threads threads: the counts of a tool that only counts" same $threads "$bin/examples/clang/fib" -n 18 -k 8
	record $threads "$bin/examples/clang/tasks" -n 20000
	is "$(number CREATE)" 20000 "$threads threads: each of 20000 tasks is created"
	is "$(awk '$3 == "SCHEDULE" && $4 == 1' events | wc -l)" 20000 "$threads threads: and complete"
done
