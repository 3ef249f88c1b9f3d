#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-room.t: a recording whose log finds no room says why
. "$(dirname "$0")/lib.sh"
plan 5
bin=${TRACEVIZ_BIN:-$ROOT/build}
program=$bin/examples/clang/fib
[ -x "$program" ] && [ -f "$bin/record/libtraceviz-openmp.so" ] || { skip 5 "no OpenMP probe or no OpenMP programs of clang (make examples)"; exit 0; }
export OMP_NUM_THREADS=2

# The page of the header fits, the first buffer does not.
(ulimit -f 16; run traceviz record --openmp -o limit -- "$program" -n 16 -k 5; echo "$rc" >rc)
like "$(cat rc stderr)" "0
traceviz: limit: 0 tasks of 1 process, * events lost: the limit of the size of files (ulimit -f) reached" "ulimit -f"
(ulimit -f 4; run traceviz record --openmp -o none -- "$program" -n 16 -k 5; echo "$rc" >rc)
like "$(cat rc stderr)" "0
traceviz: *the limit of the size of files (ulimit -f)*" "a limit below the header"
run traceviz record --openmp -o gone -- sh -c "rm -rf gone; exec $program -n 16 -k 5"
is "$rc $(cat stderr)" "0 traceviz: warning: gone: nothing was recorded: the folder of its logs was removed while the program ran" "a folder that is removed"
run traceviz record --openmp -o nothing -- true
like "$rc $(cat stderr)" "0 traceviz: warning: nothing: nothing was recorded: *used no OpenMP*, or it could create no log there (*" "a program that used nothing"
if [ "$(id -u)" = 0 ] && mkdir disk && unshare -m mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
	run unshare -m sh -c "mount -t tmpfs -o size=64k tmpfs disk && traceviz record --openmp -o disk/o -- $program -n 16 -k 5"
	like "$rc $(cat stderr)" "0 traceviz: disk/o: 0 tasks of 1 process, * events lost: no space on disk" "a full disk"
else
	skip 1 "no right to mount a small disk"
fi
