#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# python.t: the Python package gives what the command prints; it is installed beside the library (tests/python/check.py)
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3
[ -x $python ] || python=python3
bin=${TRACEVIZ_BIN:-$ROOT/build}
if ! command -v $python >/dev/null || nm -D "$bin/libtraceviz.so" | grep -q __asan; then
	plan 1
	skip 1 "no Python, or sanitizers, which it does not have"
	exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
make -s -C "$ROOT" PREFIX="$SANDBOX/usr" install-python >out 2>&1
cp "$bin/libtraceviz.so.0" usr/lib/
PYTHONPATH=$SANDBOX/usr/lib/python3/dist-packages $python "$ROOT/tests/python/check.py" "$DATA"
