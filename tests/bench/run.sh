#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed against a peer or a physical limit, measured in the same run: five rounds in turn, medians of CPU seconds.
# Large traces are made from the samples of the repository, the same ones each time; peers are Debian packages.
# run.sh [FILE.bench...]   ROUNDS=5   LARGE=1: also 10^7 tasks   BASELINE=FILE.json: changes against it   TABLE=FILE.md: some rows   TMPDIR: 2 GB are needed there
# shellcheck disable=SC2034 # FILE.bench uses the variables
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
program=${TRACEVIZ_BIN:-$PWD/build}/traceviz
work=$(mktemp -d "${TMPDIR:-/tmp}/traceviz-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-5}

# measure NAME CMD...: one line "CPU-seconds peak-kB wall-seconds" per call is appended to $work/NAME
measure() {
	local name=$1 TIMEFORMAT='%U %S %R'; shift
	[ -e "$work/$name" ] || echo "$name" >>"$work/measured"
	{ time /usr/bin/time -f '%M' -o "$work/peak" "$@" >/dev/null 2>"$work/stderr"; } 2>"$work/cpu" ||
		{ echo "failed: $*" >&2; cat "$work/stderr" >&2; exit 1; }
	awk 'NR == 1 { cpu = $1 + $2; wall = $3 } END { printf "%.3f %d %.3f\n", cpu, $1, wall }' "$work/cpu" "$work/peak" >>"$work/$name"
}
# median NAME: CPU seconds; wall NAME: as the user waits
median() { sort -n "$work/$1" | awk '{ v[NR] = $1 } END { printf "%.3f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
wall() { sort -n -k3,3 "$work/$1" | awk '{ v[NR] = $3 } END { printf "%.3f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
peak() { awk '$2 > m { m = $2 } END { printf "%d", m }' "$work/$1"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 0) }'; }
row() { printf '%-52s %8s s CPU %8s s wall %6d MB peak\n' "$1" "$(median "$2")" "$(wall "$2")" "$(($(peak "$2") / 1000))"; }

# build_with_library NAME: a program of this folder
build_with_library() {
	# shellcheck disable=SC2046
	${CC:-cc} -std=c11 -O2 -D_GNU_SOURCE -I. -o "$work/$1" "tests/bench/$1.c" "${program%/*}/objects.a" $(make -s --no-print-directory libraries)
}

# graph TASKS: a CSV, a wavefront on 30 CPU and 2 CUDA workers; a task waits for three of sixty before it
graph() {
	awk -v n="$1" 'BEGIN {
		srand(7)
		print "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,DependsOn,SubmitTime,Priority,Iteration,X,Y,GFlop,ANode"
		for (i = 0; i < n; i++) {
			w = i % 32; gpu = w >= 30
			start = int(i / 32) * 3 + rand() / 2; length_ = gpu ? 0.4 + rand() / 5 : 2 + rand() / 3
			dep = ""
			for (k = 1; k <= 3; k++) { d = i - 32 - int(rand() * 60); if (d >= 0) dep = dep (dep == "" ? "" : " ") d }
			printf "%s,%s,%.6f,%.6f,%d,app,0,%s,%s,%.6f,%d,%d,%d,%d,1.5,%d\n", gpu ? "CUDA" w - 30 : "CPU" w,
				substr("potrftrsm syrk gemm ", i % 4 * 5 + 1, 4), start, start + length_, i, gpu ? "CUDA" : "CPU",
				dep, start / 2 - 1, i % 7, i / 1000, i % 60, i % 59, i / 500
		} }'
}

[ $# -gt 0 ] || set -- tests/bench/*.bench	# or those named
for script in "$@"; do
	# shellcheck source=/dev/null
	. "$script"
done

# TABLE: what a user waits for, as rows of Markdown, of what was measured.
[ -z "${TABLE:-}" ] || [ ! -e "$work/measured" ] || while read -r name; do
	printf '%s %s %s %s\n' "$name" "$(median "$name")" "$(peak "$name")" "$(wall "$name")"
done <"$work/measured" | awk -v machine="$(nproc) cores" -f tests/bench/table.awk >"$TABLE"

# BASELINE: the medians of the first run that measured a name stay there; delete it to start anew.
[ -z "${BASELINE:-}" ] || [ ! -e "$work/measured" ] || while read -r name; do
	printf '%s %s %s\n' "$name" "$(median "$name")" "$(peak "$name")"
done <"$work/measured" | awk -v file="$BASELINE" -v machine="$(uname -n), $(nproc) cores" -f tests/bench/baseline.awk
