#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-report.t: the line at the end of a recording, and its warnings.
# needs taskset
. "$(dirname "$0")/lib.sh"
plan 9

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
	skip 5 "no OpenMP of clang, or no probe of it"
	exit 0
fi
OMP_NUM_THREADS=2 run taskset -c 0 traceviz record -f -o run -- "$bin/examples/clang/fib" -n 15 -k 5
like "$(cat stderr)" "*warning: 2 threads of OpenMP ran at once on 1 CPU*" "more threads than CPUs"
OMP_NUM_THREADS=1 run taskset -c 0 traceviz record -f -o run -- "$bin/examples/clang/fib" -n 15 -k 5
is "$(grep -v 'without libdw' stderr | grep -c warning)" 0 "as many threads as CPUs"
# fib(n) with a cutoff: the tasks that the program counts
tasks=$(sed -n 's/.*tasks=\([0-9]*\).*/\1/p' stdout)
like "$(cat stderr)" "*traceviz: run: $tasks tasks of 1 process*" "the number of tasks"
clang -fopenmp -shared -fPIC -o libopenblas_omp.so "$ROOT/tests/record/fake_blas.c" -lpthread
clang -I"$ROOT" -o blas "$ROOT/tests/record/uses_blas.c" -L. -lopenblas_omp -Wl,-rpath,"$PWD"
OMP_NUM_THREADS=2 run traceviz record -f -o run -- ./blas
like "$(cat stderr)" "*warning: a BLAS library began 1 parallel region of OpenMP*" "a BLAS library that uses OpenMP"
OMP_NUM_THREADS=2 run traceviz record -f -o run -- sh -c "'$bin/examples/clang/fib' -n 12 -k 5 && '$bin/examples/clang/fib' -n 12 -k 5"
like "$(cat stderr)" "*tasks of 2 processes*" "several processes"
