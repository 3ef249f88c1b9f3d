#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed against a peer or a physical limit, measured in the same run: five rounds in turn, medians of CPU seconds.
# TRACEVIZ_SHARED names the folder with the large traces (default ../shared beside the checkout).
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
shared=${TRACEVIZ_SHARED:-$PWD/../shared}
program=$PWD/build/traceviz
work=$(mktemp -d "${TMPDIR:-/tmp}/traceviz-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-5}

# measure NAME CMD...: one line "CPU-seconds peak-kB" per call is appended to $work/NAME
measure() {
	local name=$1 TIMEFORMAT='%U %S'; shift
	{ time /usr/bin/time -f '%M' -o "$work/peak" "$@" >/dev/null 2>"$work/stderr"; } 2>"$work/cpu"
	awk '{ c += $1 + $2; m = $1 } END { printf "%.3f %d\n", c - m, m }' "$work/cpu" "$work/peak" >>"$work/$name"
}
median() { sort -n "$work/$1" | awk '{ v[NR] = $1 } END { printf "%.3f", v[int((NR + 1) / 2)] }'; }
peak() { awk '$2 > m { m = $2 } END { printf "%d", m }' "$work/$1"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }
row() { printf '%-52s %8s s CPU  %6d MB peak\n' "$1" "$(median "$2")" "$(($(peak "$2") / 1000))"; }

[ $# -gt 0 ] || set -- tests/bench/*.bench	# or those named
for script in "$@"; do
	. "$script"
done
