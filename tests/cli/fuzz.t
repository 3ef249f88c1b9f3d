#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fuzz.t: the corpora of the fuzz targets and a few mutations of them, always the same, without libFuzzer
# needs zstd
. "$(dirname "$0")/lib.sh"
set -- "$ROOT"/tests/fuzz/fuzz_*.c
plan $(($# + 5))
fuzz=${TRACEVIZ_BIN:-$ROOT/build}
export LSAN_OPTIONS="suppressions=$ROOT/tests/lsan.supp:print_suppressions=0"
TRACEVIZ_SHARED='' run sh "$ROOT/tests/fuzz/seeds.sh" "$fuzz" "$SANDBOX/corpus"
is "$rc $(cat stderr)" "0 " "corpora are made from the committed samples"
is "$(for target; do
	target=${target##*/fuzz_}
	[ -s "$SANDBOX/corpus/${target%.c}.dict" ] || echo "${target%.c}"
done)" "" "each target has words of its format"

# The runner with stand-ins: the first target does not run, the second has a finding, the third is fine.
mkdir -p fake/fuzz
ln -s "$fuzz/traceviz" fake/
ln -s "$fuzz/fuzz/thin" fake/fuzz/
echo 'exit 1' >fake/fuzz/csv
printf '%s\n' 'for a in "$@"; do case $a in -artifact_prefix=*) : >"${a#*=}crash-1a" ;; esac; done' 'sleep 1; echo "stat::number_of_executed_units: 3"' >fake/fuzz/dot
printf '%s\n' 'sleep 1; echo "stat::number_of_executed_units: 7"' >fake/fuzz/nbc
for name in csv dot nbc; do
	sed -i '1i #!/bin/sh' "fake/fuzz/$name"
	chmod +x "fake/fuzz/$name"
done
TRACEVIZ_SHARED='' run sh "$ROOT/tests/fuzz/run.sh" "$PWD/fake" 1 csv dot nbc
is "$rc $(grep -c 'executions in' stdout)" "1 3" "a target that does not run hides no other one"
like "$(tail -1 stdout) $(awk '/executions in/ { print $1, $2, $(NF - 1) }' stdout | tr '\n' ';')" \
	"did not run: csv csv 0 0;dot * 1;nbc * 0;" "and is named, with status 1"
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
