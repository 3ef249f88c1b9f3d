#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits.t: docs/limits.md: the tests that it names exist, and its numbers are those of today
# needs zstd glpsol pj_dump
. "$(dirname "$0")/lib.sh"
plan 6
page=$ROOT/docs/limits.md

# The last cell of tables of agreements, and names in the text
is "$(sed -n '/^## Agreements/,/^### Published/p' "$page" | sed -n 's/.*| `\([a-z0-9-]*\)`$/\1/p' | sort -u | while read -r name; do
	[ -x "$ROOT/tests/cli/$name.t" ] || echo "$name"; done)" "" "the tests of agreements exist"
is "$(grep -oE 'tests/[a-z]*/[a-z.-]*\.(t|pl)' "$page" | sort -u | while read -r name; do [ -e "$ROOT/$name" ] || echo "$name"; done)" "" "and the other files"

zstd -qdc "$DATA/cholesky-paje/paje.trace.zst" >sample.trace
"$ROOT/tests/cli/pj_sort.sh" sample.trace >sorted.trace
is "$(pj_dump --no-strict --user-defined --ignore-incomplete-links -l 9 sorted.trace 2>/dev/null | awk -F', ' '{ n[$1]++ }
	END { print n["State"] " states, " n["Variable"] " variables, " n["Link"] " links, " n["Event"] " events" }')" \
	"$(sed -n 's/^`pj_dump` 1.*| \([0-9]* states[^|]*events\) |.*/\1/p' "$page")" "what pj_dump prints of the sample"

abe() { traceviz bounds -q --csv "$1" | awk -F, '$2 == "abe" { printf "%.3f", $4 }'; }
is "$(for name in cholesky cholesky-dmda cholesky-dmdas cholesky-ws; do abe "$DATA/$name.csv"; echo; done | paste -sd, | sed 's/,/, /g')" \
	"$(sed -n 's/.*area bounds \([0-9., ]*\) ms and all prices.*/\1/p' "$page")" "area bounds"

pop() { traceviz efficiency --pop -q --csv "$ROOT/examples/data/$1" | awk -F, '$1 == "pop" && $2 ~ /^(parallel|load-balance|communication)$/ { printf "%.4f\n", $3 }'; }
is "$(pop halo-5-15)" "$(sed -n 's/^\(parallel\|load balance\|communication\).* | [0-9.]* | \([0-9.]*\) | *$/\2/p' "$page")" "POP's metrics of the recording"
tr "\n" " " <"$page" >joined
pop halo-10-10 | paste -sd' ' | sed 's/ /, /; s/ \([^ ]*\)$/ and \1/' >want
ok "and of the one where both ranks have the same work" grep -q "$(cat want)" joined
