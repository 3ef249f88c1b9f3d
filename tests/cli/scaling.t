#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scaling.t: METG of recordings of one program with different tiles, as another program computed it
. "$(dirname "$0")/lib.sh"
plan 5

# ---- Extra-P: what its reader of texts asks for ----
for p in 1 2 4 8 16; do traceviz simulate -q "$DATA/cholesky.csv" --resources CPU=$p,CUDA=0 -o $p.csv; done
traceviz scaling -q --to extrap 1.csv 2.csv 2.csv 4.csv 8.csv 16.csv -o runs.txt
is "$(awk '{ sub(/^[A-Z]+ /, "", $0); value = $0; field = FIELD[NR] }
	function bad(what) { print NR ": " what }
	function ended() { if (lines >= 0 && lines != points) bad("DATA lines: " lines) }
	BEGIN { lines = -1; while ((getline line < "runs.txt") > 0) { split(line, w, " "); FIELD[++n] = w[1] } }
	field == "PARAMETER" { if (NF != 1) bad("one word") }
	field == "POINTS" { points = NF; if ($0 !~ /^(\([0-9.]+\) ?)+$/) bad("points") }
	field == "METRIC" { if (metric[value]++) bad("metric again"); ended(); lines = -1 }
	field == "REGION" { if (region[value]++) bad("region again"); ended(); lines = 0 }
	field == "DATA" { lines++; for (i = 1; i <= NF; i++) if ($i !~ /^[0-9]+\.[0-9]+$/) bad("no number") }
	field !~ /^(PARAMETER|POINTS|METRIC|REGION|DATA)$/ { bad("field") }
	END { ended(); print points, length(metric) }' runs.txt)" "5 4" "a value for each point of each region of each metric"

# ---- fits of what is written for Extra-P to given terms c0 + c1 p^i log2(p)^j: what another program got from the same simulated runs ----
for p in 1 2 4 8 16 32; do traceviz simulate -q "$DATA/cholesky.csv" --resources CPU=$p,CUDA=0 --scheduler ws -o w$p.csv; done
traceviz scaling -q --to extrap w1.csv w2.csv w4.csv w8.csv w16.csv w32.csv -o runs.txt
is "$(awk '$1 == "METRIC" { metric = $2 } $1 == "REGION" { region = $2; n = 0 }
	$1 == "DATA" && metric == "worker_time_ms" { value[region, n++] = $2; if (region == "run->ideal") value["idle", n - 1] = value["run", n - 1] - $2 }
	# Points 0 to n - 1; w = 1: errors relative to y
	function fit(region, n, i, j, relative,  k, p, x, y, w, sw, sx, sy, sxx, sxy) {
		for (k = 0; k < n; k++) {
			p = 2 ^ k; x = p ^ i * k ^ j; y = value[region, k] / (relative ? p : 1); w = relative ? 1 / y ^ 2 : 1
			sw += w; sx += w * x; sy += w * y; sxx += w * x * x; sxy += w * x * y
		}
		x = (sw * sxy - sx * sy) / (sw * sxx - sx * sx)
		return sprintf("%.6f %.6f", (sy - x * sx) / sw, x)
	}
	END {
		print fit("run", 5, 4 / 3, 1), fit("run", 6, 2 / 3, 2)
		print fit("run->workers", 5, 4 / 3, 0), fit("run->workers", 6, 3 / 4, 2)
		print fit("run->order", 5, 3, 1), fit("idle", 5, 1, 2), fit("idle", 6, 3 / 4, 2)
		print fit("run", 5, -1, 0, 1), fit("run", 6, -1, 0, 1)
	}' runs.txt)" "395887.673200 61.464705 395707.836080 98.697432
-399.381811 195.341853 -8.679930 59.925060
41.415264 0.143392 85.688140 38.438983 3.115270 73.861720
670.783244 394486.167021 810.738188 393790.084794" "coefficients of fits"

need_shared 3

traceviz scaling -q "$SHARED"/data/granularity/*.csv.zst >table
is "$(awk -F, '$1 == "run" { printf "%s %d %s %s %s %.6f %.6f %.6f\n", $2, $5, $8, $9, $10, $11, $12, $13 }' table)" "w1-b128 816 0.090126 0.090882 0.000756 0.991677 1.017852 0.974284
w1-b256 120 0.602107 0.603677 0.001570 0.997400 1.000000 0.997400
w1-b32 45760 0.002800 0.003170 0.000370 0.883298 1.773329 0.498102
w1-b512 20 3.643814 3.648735 0.004922 0.998651 1.008629 0.990108
w1-b64 5984 0.013814 0.014247 0.000433 0.969585 1.144041 0.847509
w2-b128 816 0.091535 0.096725 0.005190 0.946342 1.033763 0.915434
w2-b256 120 0.622670 0.652960 0.030289 0.953612 1.034152 0.922120
w2-b32 45760 0.002735 0.007749 0.005014 0.353005 1.732450 0.203761
w2-b512 20 3.797427 4.531668 0.734242 0.837975 1.051150 0.797199
w2-b64 5984 0.014404 0.018897 0.004493 0.762220 1.192926 0.638950" "granularity, overhead, efficiency"
is "$(awk -F, '$1 == "metg" { print $4, $3, $9 }' table)" "1 50 0.003230
1 75 0.011156
1 90 0.045978
1 95 0.076203
2 50 0.015338
2 75 0.050157
2 90 0.092380
2 95 " "METG"
is "$(traceviz scaling -q --base best "$SHARED"/data/granularity/w2-*.csv.zst | awk -F, '$1 == "run" { printf "%s %.3f\n", $2, $13 }')" "w2-b128 0.993
w2-b256 1.000
w2-b32 0.221
w2-b512 0.865
w2-b64 0.693" "relative to the best run"
