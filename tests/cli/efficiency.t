#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# efficiency.t: ladders, culprits, delay costs and critical paths that other programs computed, of recordings that are not part of the repository
. "$(dirname "$0")/lib.sh"
plan 11
need_shared 11

factors() { # TRACE
	traceviz efficiency -q --all --where 'Section == factor and Name != overlap' "$1" 2>/dev/null | awk -F, 'NR > 1 { printf "%s%.6f/%s", n++ ? " " : "", $3, $4 } END { print "" }'
}
runs=$SHARED/data/cholesky-idcin2/12
is "$(factors "$runs/dmda")" "0.978612/747.332788 1.000000/747.332788 1.000000/747.332788 0.920604/687.997670 1.000000/687.997670 0.979932/674.191101 0.632420/426.371921 1.000000/426.371921 0.980574/418.089184" "dmda"
is "$(factors "$runs/dmdas")" "0.981099/715.113603 1.000000/715.113603 1.000000/715.113603 0.941381/673.194328 1.000000/673.194328 0.984577/662.811736 0.656832/435.355967 1.000000/435.355967 0.996144/433.677228" "dmdas"
is "$(factors "$runs/ws")" "0.994170/1052.005933 1.000000/1052.005933 1.000000/1052.005933 1.000000/1052.005933 0.577701/607.744645 0.866467/526.590693 0.835432/439.930542 1.000000/439.930542 0.997082/438.646983" "ws"

# Idle time by kind of culprit: worker-ms / priced ms; the other program looked at no transfers, so that its runtime has data. Critical path: time (imbalance).
culprits() {
	traceviz idle-causes -q --by culprit --csv "$1" | awk -F, 'NR > 1 { k = $4 == "data" ? "runtime" : $4; t[k] += $10; p[k] += $11; d += $12 }
		END { printf "%.6f/%.5f %.6f/%.5f %.6f/%.5f %.6f\n", t["task"], p["task"], t["runtime"], p["runtime"], t["submission"], p["submission"], d }'
}
path() { traceviz critical-path -q --by type --csv "$1" | awk -F, '$1 == "task" && $8 > 0 { printf "%s/%s %s (%s) ", $2, $3, $8, $9 } $1 == "wait" { w += $8 } END { printf "%.6f\n", w }'; }
delays() { traceviz critical-path -q --delay-cost --csv "$1" | awk -F, '$1 == "all" { printf "%s %s", $7, $9 } $1 == "type" && $9 > 0.25 && n++ < 2 { printf " %s/%s %s", $2, $3, $9 } END { print "" }'; }
is "$(culprits "$runs/dmda")" "12306.353344/317.22375 633.018668/19.92223 5.963645/0.14851 2352.011189" "dmda: culprits"
is "$(culprits "$runs/dmdas")" "10916.232900/274.80820 600.011687/18.50437 9.434147/0.22187 2154.216852" "dmdas: culprits"
is "$(culprits "$runs/ws")" "15237.395062/599.14033 284.162180/18.89440 4.156793/0.21019 6085.755128" "ws: culprits"
is "$(path "$runs/dmda")" "dgemm/CUDA 514.782651 (314.924292) dtrsm/CUDA 84.987773 (37.855540) dpotrf/CPU 83.531744 (78.660562) dsyrk/CUDA 64.030620 (36.918837) 16.333619" "dmda: critical path"
is "$(path "$runs/dmdas")" "dgemm/CUDA 484.349734 (277.223599) dtrsm/CUDA 125.855363 (74.327639) dpotrf/CPU 67.084422 (61.896206) dsyrk/CUDA 34.949632 (20.334224) 16.651252" "dmdas: critical path"
is "$(path "$runs/ws")" "dgemm/CPU 573.647192 (362.981403) dtrsm/CPU 413.072743 (357.879627) dpotrf/CPU 35.608285 (30.499277) dsyrk/CPU 28.290462 (-13.868067) 7.556777" "ws: critical path"
is "$(delays "$runs/ws")" "960.913023 21.732229 dgemm/CPU 6.428189 dtrsm/CPU 1.000710" "ws: delay costs"
# Tasks of the same recordings with one worker and with two, by tile: medians of creation, delay, benefit; tasks not worth their creation; mean parallelism by time;
# time of all against one worker's.
for tile in 64 128 256 512; do
	traceviz deps -q --csv --grain --base "$SHARED/data/granularity/w1-b$tile.csv.zst" "$SHARED/data/granularity/w2-b$tile.csv.zst" | perl -F, -lane 'if ($. == 1) { @at{@F} = 0 .. $#F; next }
		push @{ $v{$_} }, $F[ $at{$_} ] for qw(Creation StartDelay Benefit); my $d = $F[ $at{End} ] - $F[ $at{Start} ]; $low += $F[ $at{Benefit} ] < 1;
		$p += $d * $F[ $at{Parallelism} ]; $t += $d; $w += $d / $F[ $at{Inflation} ];
		END { for (qw(Creation StartDelay Benefit)) { my @s = sort { $a <=> $b } @{ $v{$_} }; printf "%.3f ", ($s[ $#s / 2 ] + $s[ @s / 2 ]) / 2 * (/Benefit/ ? 1 : 1e3) }
			printf "%d of %d %.6f %.6f\n", $low, scalar @{ $v{Benefit} }, $p / $t, $t / $w }'
done >grain
is "$(cat grain)" "2.394 1.503 3.675 142 of 5984 1.752051 1.042731
2.425 1.824 23.043 1 of 816 1.945171 1.015633
3.126 2.554 102.650 0 of 120 1.951658 1.034152
4.415 4.223 488.893 0 of 20 1.806924 1.042157" "grain"
