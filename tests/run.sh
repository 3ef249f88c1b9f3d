#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tests named (unit test programs and *.t scripts, all TAP) and closes with "N passed, N failed, N skipped".
export CMOCKA_MESSAGE_OUTPUT=TAP
export LSAN_OPTIONS="suppressions=$(cd "$(dirname "$0")" && pwd)/lsan.supp:print_suppressions=0"
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
prove -j2 -v --exec '' "$@" >"$out" 2>&1
status=$?
# prove -v prints every line; what is worth reading are failures, skips and the summary.
grep -v '^ok [0-9]*\( - .*\)\{0,1\}$' "$out" | grep -v '^1\.\.[0-9]*$'
passed=$(grep -c '^ok ' "$out")
skipped=$(grep -ci '^ok .*# SKIP' "$out")
failed=$(grep -c '^not ok ' "$out")
[ "$status" -ne 0 ] && [ "$failed" -eq 0 ] && failed=1
echo "$((passed - skipped)) passed, $failed failed, $skipped skipped"
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ]
