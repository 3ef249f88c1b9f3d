#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# python-leaks.t: a script in Python under valgrind: the library loses no memory, nor does it read or write what is not its own
. "$(dirname "$0")/../cli/lib.sh"
plan 3
bin=${TRACEVIZ_BIN:-$ROOT/build}
python=/usr/bin/python3
if ! command -v valgrind >/dev/null || [ ! -x $python ] || nm -D "$bin/libtraceviz.so" | grep -q __asan; then
	skip 3 "no valgrind (make deps-valgrind) or no python3, or sanitizers"
	exit 0
fi
export PYTHONPATH="$ROOT/python" TRACEVIZ_LIBRARY="$bin/libtraceviz.so.0" PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc

# watch WORDS...: in how many lines of what valgrind complains of there is a function of the library. Memory that libraries such as
# GLPK keep for the next call is only possibly lost.
watch() {
	run valgrind -q --leak-check=full --show-leak-kinds=definite --suppressions="$ROOT/tests/valgrind.supp" --num-callers=40 \
		--log-file=log $python "$ROOT/tests/python/leaks.py" "$DATA" "$@"
	grep -cE ': (traceviz|tv)_' log
}
found=$(watch)
is "$(cat stdout)" "done" "the script ends"
is "$found" 0 "no complaint is about the library"
is "$(($(watch leak) > 0))" 1 "a trace that is forgotten would be found"
