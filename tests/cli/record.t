#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record.t: a program is started with probes, and nothing of it changes.
. "$(dirname "$0")/lib.sh"
plan 16

build() { ${CC:-cc} -I"$ROOT" -O1 -g -o "$1" "$ROOT/tests/record/$1.c" -lpthread; }
build speaks || exit 1

run ./speaks
is "$rc" 0 "without a recorder the functions of traceviz.h do nothing"
run traceviz record -o run -- ./speaks
is "$rc" 0 "a program is recorded"
is "$(ls run/*.tvlog | wc -l)" 1 "one log per process"
ok "the log has what the program says" grep -q factorization run/*.tvlog
run grep -c "not recorded" run/*.tvlog
is "$(cat stdout)" 0 "but not what it says while recording is paused"

run traceviz record -o run -- ./speaks
is "$rc" 1 "an earlier recording is not overwritten"
like "$(cat stderr)" "*run: the folder exists and is not empty*" "which is explained"
run traceviz record -f -o run -- ./speaks 3
is "$rc" 3 "except by -f; the program's status is the command's"
is "$(ls run/*.tvlog | wc -l)" 1 "the earlier recording is gone"

run traceviz record -o a -- ./nosuch
is "$rc" 127 "a program that does not exist"
run traceviz record -o a -- ./run
is "$rc" 126 "a program that cannot be executed"
is "$(ls -d a 2>/dev/null)" "" "neither creates the folder"
run traceviz record -o a -- sh -c 'kill -9 $$'
is "$rc" 137 "the signal that ends the program ends the command"
run traceviz record -- ./speaks
is "$rc" 2 "no folder is wrong usage"
run traceviz record -o b
is "$rc" 2 "no program is wrong usage"
echo text | traceviz record -o c -- cat >stdout 2>stderr
is "$(cat stdout)" text "input and output pass through"
