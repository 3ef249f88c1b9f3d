#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-report.t: the line at the end of a recording, and its warnings.
# needs taskset
. "$(dirname "$0")/lib.sh"
plan 16

bin=${TRACEVIZ_BIN:-$ROOT/build}
${CC:-cc} -shared -fPIC -o libopenblas_fake.so "$ROOT/tests/record/fake_blas.c" -lpthread || exit 1
${CC:-cc} -I"$ROOT" -o blas "$ROOT/tests/record/uses_blas.c" -L. -lopenblas_fake -Wl,-rpath,"$PWD" || exit 1
run traceviz record -o run -- ./blas
like "$(cat stderr)" "*warning: libopenblas_fake.so started 1 thread of its own*" "threads of a BLAS library"
like "$(tail -1 stderr)" "traceviz: run: 0 tasks of 1 process, 0.1 MiB, *nothing lost" "the line is the last one"
run traceviz record -q -f -o run -- ./blas
is "$(cat stderr)" "" "--quiet"
cp libopenblas_fake.so libother.so
${CC:-cc} -I"$ROOT" -o other "$ROOT/tests/record/uses_blas.c" ./libother.so -Wl,-rpath,"$PWD" || exit 1
run traceviz record -f -o run -- ./other
is "$(grep -c 'thread of its own' stderr)" 0 "threads of other libraries are no matter"

if [ ! -x "$bin/examples/clang/fib" ] || [ ! -f "$bin/record/libtraceviz-openmp.so" ]; then
	skip 12 "no OpenMP of clang, or no probe of it"
	exit 0
fi
OMP_NUM_THREADS=2 run taskset -c 0 traceviz record -f -o run -- "$bin/examples/clang/fib" -n 15 -k 5
like "$(cat stderr)" "*warning: 2 threads of OpenMP ran at once on 1 CPU*" "more threads than CPUs"
OMP_NUM_THREADS=1 run taskset -c 0 traceviz record -f -o run -- "$bin/examples/clang/fib" -n 15 -k 5
is "$(grep -v 'without libdw\|had a CPU' stderr | grep -c warning)" 0 "as many threads as CPUs"
# fib(n) with a cutoff: the tasks that the program counts
tasks=$(sed -n 's/.*tasks=\([0-9]*\).*/\1/p' stdout)
like "$(cat stderr)" "*traceviz: run: $tasks tasks of 1 process*" "the number of tasks"
clang -fopenmp -shared -fPIC -o libopenblas_omp.so "$ROOT/tests/record/fake_blas.c" -lpthread
clang -I"$ROOT" -o blas "$ROOT/tests/record/uses_blas.c" -L. -lopenblas_omp -Wl,-rpath,"$PWD"
OMP_NUM_THREADS=2 run traceviz record -f -o run -- ./blas
like "$(cat stderr)" "*warning: a BLAS library began 1 parallel region of OpenMP*" "a BLAS library that uses OpenMP"
OMP_NUM_THREADS=2 run traceviz record -f -o run -- sh -c "'$bin/examples/clang/fib' -n 12 -k 5 && '$bin/examples/clang/fib' -n 12 -k 5"
like "$(cat stderr)" "*tasks of 2 processes*" "several processes"

# How long tasks had a CPU: recorded without being asked for.
clang -fopenmp -O2 -o bodies "$ROOT/tests/record/bodies.c" -ldl -lpthread
# clocked: of the tasks of ./run: number; with task-clock; that slept; duration and CPU time, ms
clocked() {
	traceviz convert -q run -o - --to csv 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["Kind"] == "app" {
		n++; if ($c["task-clock"] != "") { m++; s += $c["voluntary-switches"] > 0; d += $c["Duration"]; k += $c["task-clock"] / 1e6 } } END {
		print n + 0, m + 0, s + 0, d + 0, k + 0 }'
}
OMP_NUM_THREADS=2 run taskset -c 0 traceviz record -f -o run -- ./bodies burn 60 3000
clocked >found
read -r n m s d k <found
diag "tasks, with task-clock, slept, ms, ms of CPU: $n $m $s $d $k"
is "$n $m" "60 60" "tasks of 3 ms: the CPU time of each"
ok "which is at least what they measured" awk -v k="$k" -v measured="$(cat stdout)" 'BEGIN { exit !(k >= measured / 1e6) }'
share=$(sed -n 's/.*warning: tasks had a CPU for \([0-9]* of [0-9]*\) ms: other threads or programs ran on theirs$/\1/p' stderr)
ok "two threads on one CPU: the warning has the numbers of the tasks that did not sleep" awk -v share="$share" -v s="$s" -v d="$d" -v k="$k" 'BEGIN {
	split(share, of, " of "); exit !(of[2] > 0 && of[1] <= k + 1 && of[2] <= d + 1 && (s > 0 || of[2] >= d - 1)) }'
OMP_NUM_THREADS=2 run traceviz record -f -o run -- ./bodies sleep 40 2000
clocked >found
read -r n m s d k <found
is "$n $m $s $(grep -c 'had a CPU' stderr)" "40 40 40 0" "tasks that sleep do not wait for a CPU"
is "$(traceviz diagnose -q --csv run | grep -c ',preempted,')" 0 "nor for the diagnosis"
OMP_NUM_THREADS=1 run traceviz record -f -o run -- ./bodies burn 200000 0
clocked >found
read -r n m s d k <found
ok "of the shortest tasks some are measured, not all: $m of $n" [ "$m" -gt 10 -a "$m" -lt $((n / 2)) ]
OMP_NUM_THREADS=1 run traceviz record -f --counters task-clock -o run -- ./bodies burn 20000 0
is "$(clocked | cut -d' ' -f1,2)" "20000 20000" "with --counters all of them"
