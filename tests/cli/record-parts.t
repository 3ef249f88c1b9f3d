#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-parts.t: --region, --start-after, and pauses of the program, together; numbers go on outside of what is recorded.
# needs clang
. "$(dirname "$0")/lib.sh"
plan 21

bin=${TRACEVIZ_BIN:-$ROOT/build}
[ -f "$bin/record/libtraceviz-openmp.so" ] || { skip 19 "no OpenMP probe was built"; exit 0; }
clang -O1 -g -fopenmp -I"$ROOT" -o parts "$ROOT/tests/record/parts.c" -ldl 2>clang.err || { skip 19 "clang has no OpenMP"; exit 0; }

# regions TABLE: "REGION:TASKS/NUMBER" by region, where NUMBER is what the tasks themselves say; all tasks of a region the same
regions() {
	awk -F, "$by_name"'$c["Kind"] == "app" { r = $c["Region"]; n[r]++; says[r] = says[r] (index(says[r], "/" $c["Tasks"]) ? "" : "/" $c["Tasks"]) }
		END { for (r in n) print r ":" n[r] says[r] }' "$1" | sort -t: -k1,1V | paste -sd' '
}
jobs() { awk -F, "$by_name"'$c["Kind"] == "app" { print $c["JobId"] }' "$@" | sort -n; }
# record NAME OPTION... -- ARGUMENT...: NAME.csv
record() {
	name=$1; shift
	run traceviz record -o "$name" "$@"
	traceviz convert -q "$name" -o "$name.csv"
}

record all -- ./parts
is "$rc $(regions all.csv)" "0 1:10/10 2:11/11 3:12/12 3.1:1/1 4:13/13 5:14/14" "regions have numbers from 1, nested ones that of the outer one before theirs"
is "$(jobs all.csv | sed -n '1p;$p' | paste -sd' ') $(jobs all.csv | uniq | wc -l | tr -d ' ')" "1 61 61" "tasks, too, in the order of their creation"

for part in 2..3 3..3 1..1 4..5; do
	record part-$part --region $part -- ./parts
	record paused-$part --region $part -- ./parts pause
done
is "$(regions part-2..3.csv)" "2:11/11 3:12/12 3.1:1/1" "--region 2..3: the same numbers as in the whole"
is "$(regions part-3..3.csv)" "3:12/12 3.1:1/1" "--region 3..3"
is "$(regions paused-2..3.csv)" "2:11/11 3:12/12 3.1:1/1" "a pause and its end in the program do not extend it"
is "$(regions paused-3..3.csv)" "3:12/12 3.1:1/1" "nor that of one region"
is "$(regions paused-1..1.csv)" "1:10/10" "nor of one before"
is "$(regions paused-4..5.csv)" "5:13/13" "the region of the pause counts and is not recorded, though chosen"
record paused -- ./parts pause
is "$(regions paused.csv)" "1:10/10 2:11/11 3:12/12 3.1:1/1 5:13/13 6:14/14" "without --region the pause has a number, and those behind it go on"
is "$(jobs paused.csv | sed -n '34,35p' | paste -sd' ')" "34 40" "as have its five tasks"

# Two parts of a program are two parts of its trace: every number once, none missing.
for part in 1..1 2..3 4..5; do jobs part-$part.csv; done >joined
jobs all.csv >whole
ok "recordings of the parts have the jobs of the whole, each once" cmp joined whole
is "$(for part in 1..1 2..3 4..5; do regions part-$part.csv; done | paste -sd' ')" "$(regions all.csv)" "and its regions"
for name in part-1..1 part-2..3; do awk -F, "$by_name"'$c["JobId"] != "" { print $c["JobId"] }' $name.csv; done | sort | uniq -d >twice
is "$(cat twice)" "" "also the ghosts of waits have other names in each"
traceviz convert -q part-2..3 --to rec -o rec
is "$(cd rec && ls | paste -sd' ')" "2.rec 3.1.rec 3.rec" "files of --to rec have these numbers"

record later --start-after 3600s -- ./parts pause
is "$rc $(ls later/*.tvlog 2>/dev/null)" "0 " "the end of a pause does not begin a recording before --start-after"
record both --start-after 3600s --region 2..3 -- ./parts
is "$rc $(ls both/*.tvlog 2>/dev/null)" "0 " "nor does --region"
record now --start-after 0.001 -- ./parts pause
is "$(regions now.csv)" "$(regions paused.csv)" "after it both count as without it"
run traceviz record -o few --region 7..9 -- ./parts
is "$rc $(cat stderr)" "1 traceviz: --region 7..9: nothing was recorded, as the program had 5 parallel regions (those inside of others not counted)" "a program with fewer regions"
ok "leaves no folder" test ! -e few
run traceviz record -o some --region 4..9 -- ./parts
is "$rc $(grep region stderr)" "0 traceviz: warning: --region 4..9: the program had 5 parallel regions (those inside of others not counted)" "one that has a part of them"
run traceviz record -o just --region 4..5 -- ./parts
is "$rc $(grep region stderr)" "0 " "one that has just them"
