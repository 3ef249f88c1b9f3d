#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# truth-balance.t: balance and anomalies on real and sample runs, against awk and the other passes
. "$(dirname "$0")/lib.sh"
plan 32

# Identities on every sample.
for f in "$DATA"/cholesky.csv "$DATA"/cholesky-ws.csv "$DATA"/cholesky-dmdas.csv; do
	sample=$(basename "$f")
	traceviz idleness -q "$f" | awk -F, 'NR > 1 { printf "%s %.6f\n", $1, $5 }' | sort >busy
	for step in auto 7 run; do
		traceviz utilization -q --step $step "$f" | awk -F, 'NR > 1 { b[$5] += $7 }
			END { for (w in b) printf "%s %.6f\n", w, b[w] }' | sort >sum
		ok "$sample: steps ($step) add up to the busy time of idleness" cmp busy sum
	done
	is "$(traceviz summary -q "$f" | awk -F, 'NR > 1 { n += $3; t += $5; s += $6 } END { printf "%d %.6f %.6f", n, t, s }')" \
		"$(traceviz phases -q "$f" | awk -F, 'NR > 1 { n += $7; t += $8 } END { printf "%d %.6f 100.000000", n, t }')" \
		"$sample: summary counts what phases count"
	is "$(traceviz imbalance -q --family homogeneous --step 10 "$f" | awk -F, 'NR == 2 { whole = $8 * ($4 - $3) }
		NR > 2 { sum += $8 * ($4 - $3) } END { d = whole - sum; print (d < 1e-4 && d > -1e-4) }')" 1 \
		"$sample: mean utilization of the steps adds up"
	is "$(traceviz imbalance -q "$f" | awk -F, 'NR > 1 && ($11 < -1e-9 || $11 > 100 + 1e-9 || $10 < -1e-9 ||
		$10 > 100 + 1e-9 || $8 > 100 + 1e-9)' | wc -l)" 0 "$sample: metrics lie within 0 .. 100 %"
done
is "$(for p in summary utilization imbalance deviating-resources disturbances phases; do
	traceviz $p -q "$DATA/cholesky-ws.csv" | cmp -s - /dev/stdin <<END || echo $p
$(traceviz convert -q "$DATA/cholesky-ws.csv" -o - | traceviz $p -q -)
END
done)" "" "the same bytes from a pipe"

# Two of our runs behind each other are two phases.
one=$DATA/cholesky-dmdas.csv
length=$(traceviz bounds -q "$one" | awk -F, '$2 == "makespan" { printf "%.3f", $4 }')
{
	cat "$one"
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["Kind"] == "app" { $at["Start"] += 5000; $at["End"] += 5000; $at["SubmitTime"] += 5000
		$at["JobId"] = "b" $at["JobId"]; $at["DependsOn"] = ""; for (i in at) if (i == "Start" || i == "End" ||
		i == "SubmitTime") $at[i] = sprintf("%.6f", $at[i]); print }' "$one"
} >two.csv
is "$(traceviz phases -q two.csv | awk -F, 'NR > 1 { printf "%s %.3f %d ", $1, $5, $7 }')" "1 $length 364 2 $length 364 " \
	"two runs in one trace"
for bound in makespan abe; do
	is "$(traceviz bounds -q --phase 2 two.csv | awk -F, -v b=$bound '$1 == "" && $2 == b { printf "%.3f", $4 }')" \
		"$(traceviz bounds -q "$one" | awk -F, -v b=$bound '$1 == "" && $2 == b { printf "%.3f", $4 }')" \
		"$bound of the second is that of the run"
done
is "$(traceviz bounds -q --phase 1 two.csv)" "$(traceviz bounds -q "$one")" "the first is the run"
# Median durations by awk.
awk -F, '$2 == "GEMM" && $9 == "CUDA" && $7 == "app" { print $5 }' "$one" | sort -n >sorted
is "$(traceviz summary -q "$one" | awk -F, '$1 == "GEMM" && $2 == "CUDA" { print $12 }')" \
	"$(awk '{ x[NR] = $1 } END { h = (NR - 1) / 2; i = int(h); printf "%.6f",
	x[i + 1] + (h - i) * (x[i + 1 + (h > i)] - x[i + 1]) }' sorted)" "median of GEMM on CUDA"
# The runs by their own outlier marks.
traceviz outliers -q "$one" >marked.csv
is "$(traceviz disturbances -q marked.csv | cksum)" "$(traceviz disturbances -q "$one" | cksum)" \
	"marks of the input are used"

need_shared 7
runs=$SHARED/data/cholesky-idcin2/12
for s in dmda dmdas ws; do traceviz convert -q "$runs/$s" -o $s.csv; done
counts() { traceviz summary -q --by Value "$1" | awk -F, 'NR > 1 { printf "%s %d ", $1, $2 }'; }
for s in dmda dmdas ws; do
	is "$(counts $s.csv)" "dgemm 220 dpotrf 12 dsyrk 66 dtrsm 66 " "tasks of $s"
done
# Busy time of all workers: 28 x makespan - idle, from ws to dmdas and from dmda to dmdas as published.
total() { traceviz summary -q --by '' "$1" | awk -F, 'NR == 2 { print $3 }'; }
is "$(echo "$(total ws.csv) $(total dmdas.csv) $(total dmda.csv)" | awk '{ printf "%.3f %.3f", $1 - $2, $3 - $2 }')" \
	"5219.946 -445.929" "differences of busy time"
is "$(for s in ws dmdas; do traceviz summary -q $s.csv | awk -F, '$1 == "dgemm" && $2 == "CUDA" { print $3 }'; done)" \
	"72
147" "dgemm on CUDA, ws and dmdas"
is "$(traceviz imbalance -q --step run --family homogeneous dmdas.csv | awk -F, 'NR == 2 { printf "%.2f", 100 - $8 }')" \
	56.47 "the mean idleness of dmdas"
is "$(traceviz imbalance -q --step run --family heterogeneous dmdas.csv | awk -F, 'NR == 2 { print ($12 > 0 && $12 <= 433.678) }')" \
	1 "ideal without outliers is at most the area bound"
