#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tutorial.t: the commands of docs/tutorial.md run from a clone, and print what it shows
. "$(dirname "$0")/lib.sh"
plan 7
export STARPU_HOME="$PWD/home" STARPU_SILENT=1 # its performance models
page=$ROOT/docs/tutorial.md
bin=${TRACEVIZ_BIN:-$ROOT/build}
for link in data examples Makefile; do ln -s "$ROOT/$link" $link; done
ln -s "$bin" build

sh "$ROOT/docs/cases.sh" "$page" >printed.md
is "$(diff "$page" printed.md)" "" "samples: the commands print what the page shows"
is "$(for file in tutorial.png starpu.pdf change.pdf; do head -c 4 $file | tr -d '\211%'; echo; done)" "PNG
PDF
PDF" "and draw its figures"

# Commands whose output varies: blocks of sh
awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on' "$page" | sed 's/  *#.*//' >commands
is "$(sed -n 's/^make //p' commands | tr ' ' '\n' | while read -r target; do grep -q "^$target:" Makefile || echo "$target"; done)" "" "make has its targets"
is "$(grep -c . commands) $(grep -vcE '^(make|sudo|export|OPENBLAS|OMP|traceviz|git) ?' commands)" "14 0" "no other command"

grep -E '^(export OMP|OMP|traceviz (static|dynamic))' commands >openmp.sh
grep -E '^(OPENBLAS|traceviz starpu)' commands >starpu.sh
if [ -x build/examples/clang/loop ] && [ -f build/record/libtraceviz-openmp.so ]; then
	run sh -e -c "$(cat openmp.sh)"
	is "$rc $(grep -c 'The run took .*: 2 threads' stdout)" "0 2" "the OpenMP program is recorded and explained"
	is "$(traceviz states -q --csv static | awk -F, "$by_name"'$c["Value"] == "Loop" { print $c["Records"] }')" 6 "three loops of two threads"
else skip 2 "no program by clang (make examples), or no probe"; fi
if [ -f build/record/libtraceviz-starpu.so ] && ls /usr/lib/*/starpu/examples/cholesky_implicit >/dev/null 2>&1; then
	run sh -e -c "$(cat starpu.sh)"
	like "$rc $(cat stdout)" "0 *120 tasks on *" "the StarPU program is recorded and explained"
else skip 1 "no StarPU (libstarpu-dev, starpu-examples)"; fi
