#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.t: the corpora of the fuzz targets and a few mutations of them, always the same, without libFuzzer
. "$(dirname "$0")/lib.sh"
set -- "$ROOT"/tests/fuzz/fuzz_*.c
plan $(($# + 2))
fuzz=${TRACEVIZ_BIN:-$ROOT/build}
export LSAN_OPTIONS="suppressions=$ROOT/tests/lsan.supp:print_suppressions=0"
TRACEVIZ_SHARED='' run sh "$ROOT/tests/fuzz/seeds.sh" "$fuzz" "$SANDBOX/corpus"
is "$rc $(cat stderr)" "0 " "corpora are made from the committed samples"
for target; do
	target=${target##*/fuzz_}
	target=${target%.c}
	run "$fuzz/fuzz/$target.replay" -mutate=10 "$SANDBOX/corpus/$target"/*
	is "$rc $(cat stdout)" "0 $(($(ls "$SANDBOX/corpus/$target" | wc -l) * 11)) executions" "$target"
done
# Exhausted memory ends one execution, not the program: the 2000th allocation of ours fails.
if grep -q __asan_init "$(command -v traceviz)"; then
	skip 1 "the sanitizers have their own malloc"
else
	preload nomem
	run env NOMEM_IN=csv.replay NOMEM_AT=2000 LD_PRELOAD="$PWD/nomem.so" "$fuzz/fuzz/csv.replay" -mutate=10 "$SANDBOX"/corpus/csv/*
	is "$rc $(cat stdout)" "0 $(($(ls "$SANDBOX/corpus/csv" | wc -l) * 11)) executions" "an execution without memory"
fi
