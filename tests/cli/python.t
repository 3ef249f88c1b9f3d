#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# python.t: the Python package gives what the command prints; it is installed beside the library (tests/python/check.py)
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
[ -x $python ] || python=python3
bin=${TRACEVIZ_BIN:-$ROOT/build}
# A library with gcc's sanitizers needs them loaded before it; what Python itself does not free is no matter. Clang's are of the program.
preload=$(ldd "$bin/libtraceviz.so" | awk '/lib(asan|ubsan)/ { print $3 }' | paste -sd' ')
if ! command -v $python >/dev/null || { [ -z "$preload" ] && nm -D "$bin/libtraceviz.so" | grep -q __asan; }; then
	plan 1
	skip 1 "no Python, or clang's sanitizers, which it does not have"
	exit 0
fi
[ -z "$preload" ] || export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
export PYTHONDONTWRITEBYTECODE=1
make -s -C "$ROOT" PREFIX="$SANDBOX/usr" install-python >out 2>&1
cp "$bin/libtraceviz.so.0" usr/lib/
LD_PRELOAD=$preload PYTHONPATH=$SANDBOX/usr/lib/python3/dist-packages $python "$ROOT/tests/python/check.py" "$DATA"
