#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# truth.t: real and simulated runs against numbers computed independently (README of the shared data)
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 36
# the simulated run that uses 2 of its 9 CPU workers
mkdir mirage
for f in paje.trace tasks.rec; do golden cholesky-12-dmdas $f >mirage/$f; done
traceviz convert -q mirage -o mirage.csv
traceviz convert -q mirage -o run
abe() { traceviz bounds -q "$@" | awk -F, '$2 == "abe" { printf "%.3f", $4 }'; }
is "$(abe mirage) $(abe run) $(abe mirage.csv)" "347.626 347.626 347.626" \
	"unused workers count: folder, tables and single CSV"
grep -v worker mirage.csv >seen.csv
is "$(abe seen.csv)" "373.039" "only those seen"
sed -n 's/,app,/,/p; 1s/,Kind,/,/p' seen.csv >bare.csv
run traceviz bounds bare.csv
like "$(cat stderr)" "*the trace does not declare its workers: only the 5 that ran tasks are counted (see \
--resources)*" "which a bare CSV is warned about"
is "$(abe --resources CPU=9,CUDA=3 bare.csv)" "347.626" "--resources declares them"
is "$(cat run/tasks.csv | cksum)" "$(cksum <mirage.csv)" "the folder's tasks are the single CSV"
for pass in bounds abe outliers; do
	is "$(traceviz $pass -q run | cksum)" "$(traceviz $pass -q - <mirage.csv | cksum)" \
		"$pass: the same bytes from a folder and from a pipe"
done
is "$(traceviz idleness -q run | cksum)" "$(traceviz idleness -q --with run - <mirage.csv | cksum)" \
	"idleness: the same with the states of the folder"
is "$(traceviz convert -q run -o - | cksum)" "$(cksum <mirage.csv)" "converting our own CSV changes nothing"
is "$(traceviz info -q run | sed -n '/^workers by type/p')" "workers by type,CPU,9
workers by type,CUDA,3" "info counts them"

# selection and restriction
one=$DATA/cholesky-dmdas.csv
is "$(traceviz bounds -q --where 'Bound == abe' "$one" | tail -1)" "$(traceviz bounds -q "$one" | grep ,abe,)" \
	"a selection changes no number"
is "$(traceviz outliers -q --only POTRF "$one" | awk 'END { print NR - 1 }')" 12 "--only"
is "$(traceviz outliers -q --exclude '*gemm,SYRK' --resource 'CUDA*' "$one" | cut -d, -f2 | sort -u | tr '\n' ' ')" \
	"POTRF TRSM Value " "--exclude, --resource"
is "$(traceviz bounds -q --restrict 'ResourceType == CUDA' "$one" | sed -n 2p | cut -d, -f2)" makespan "--restrict"
run traceviz "$one" --restrict 'Start < 100' -o cut.svg
like "$(cat cut.svg)" "*restricted to Start &lt; 100*" "the picture says what it is restricted to"

# a window: busy and idle refer to it
is "$(traceviz idleness -q --begin 100 --end 200 "$one" | awk -F, '$1 == "CUDA0_0" { printf "%.3f %.1f", $5, $7 }')" \
	"$(awk -F, '$1 == "CUDA0_0" && $7 == "app" { s = $3 > 100 ? $3 : 100; e = $4 < 200 ? $4 : 200
		if (e > s) b += e - s } END { printf "%.3f %.1f", b, 100 - b }' "$one")" "a window clips"

bounds() { traceviz bounds -q "$1" | awk -F, 'NR > 1 && $1 == "" { printf "%s %.3f ", $2, $4 }'; }
for s in cholesky-12-dmdas cholesky-12-dmdas-1.3 cholesky-12-2ranks; do
	traceviz convert -q "$TESTDATA/fxt/$s" -o $s.csv
	is "$(bounds $s.csv)" "$(bounds "$TESTDATA/fxt/$s")" "the single CSV of $s gives the same"
done

need_shared 16
runs=$SHARED/data/cholesky-idcin2/12
for s in dmda dmdas ws; do traceviz convert -q "$runs/$s" -o $s.csv; done

# makespan, CPE and ABE as published, rounded to the published digits
is "$(bounds "$runs/dmda")" "makespan 763.666 cpe 353.101 longest-chain 531.389 best-placed-chain 351.856 abe 418.089 " "bounds of dmda"
is "$(bounds "$runs/dmdas")" "makespan 728.890 cpe 368.173 longest-chain 536.263 best-placed-chain 367.559 abe 433.677 " "bounds of dmdas"
is "$(bounds "$runs/ws")" "makespan 1058.175 cpe 363.287 longest-chain 1052.006 best-placed-chain 363.229 abe 438.647 " "bounds of ws"
is "$(traceviz bounds -q "$runs/dmdas" | awk -F, '$2 == "abe" { printf "%.2f", $5 }')" 68.07 "the gap of the area bound"

# outliers by the strict IQR rule, tasks, kernels
outliers() { traceviz outliers -q --where 'Outlier == 1' "$1" | awk 'END { print NR - 1 }'; }
is "$(outliers "$runs/dmda") $(outliers "$runs/dmdas") $(outliers "$runs/ws")" "8 15 21" "outliers"
for s in dmda dmdas ws; do
	is "$(traceviz abe -q $s.csv | awk -F, 'NR > 1 { n[$2] += $4 } END {
		print n["dpotrf"], n["dtrsm"], n["dsyrk"], n["dgemm"] }')" "12 66 66 220" "tasks of $s by type"
done
is "$(traceviz abe -q ws.csv | awk -F, '$2 == "dgemm" && $3 == "CUDA" { print $4 }') $(traceviz abe -q dmdas.csv |
	awk -F, '$2 == "dgemm" && $3 == "CUDA" { print $4 }')" "72 147" "dgemm on CUDA, ws and dmdas"

# mean idleness by type and of all, and of three workers
idle() { traceviz idleness -q "$1" | awk -F, 'NR > 1 { s[$2] += $7; n[$2]++; a += $7; w[$1] = $7 } END {
	printf "%.1f %.1f %.2f %.1f %.1f %.1f", s["CPU"] / n["CPU"], s["CUDA"] / n["CUDA"], a / (NR - 1), w["CUDA0"],
	w["CPU0"], w["CPU24"] }'; }
is "$(idle dmdas.csv)" "62.2 9.1 56.47 7.6 32.0 77.6" "idleness of dmdas"
is "$(idle dmda.csv | cut -d' ' -f3) $(idle ws.csv | cut -d' ' -f3)" "60.54 52.40" "mean idleness of dmda and ws"
total_idle() { traceviz idleness -q "$1" | awk -F, -v m="$2" 'NR > 1 { t += m - $5 - $6 } END { printf "%.3f", t }'; }
is "$(total_idle dmda.csv 763.666407) $(total_idle dmdas.csv 728.890403) $(total_idle ws.csv 1058.175459)" \
	"12945.336 11525.679 15525.714" "idle time of all workers"

# the 28 percentages that the thesis prints for dmdas
traceviz idleness -q --definition thesis "$runs/dmdas" | awk -F, 'NR > 1 { printf "%s %.1f\n", $1, $8 }' >thesis
is "$(tr '\n' ' ' <thesis)" "CPU0 30.6 CPU1 36.4 CPU2 37.8 CPU3 38.8 CPU4 49.6 CPU5 55.1 CPU6 52.5 CPU7 57.7 \
CPU8 55.0 CPU9 56.7 CPU10 53.8 CPU11 48.1 CPU12 53.5 CPU13 61.6 CPU14 61.7 CPU15 61.2 CPU16 60.8 CPU17 61.2 \
CPU18 57.8 CPU19 64.1 CPU20 66.2 CPU21 69.1 CPU22 67.9 CPU23 68.2 CPU24 68.7 CUDA0 5.1 CUDA1 8.3 CUDA2 6.1 " \
	"the published runtime idleness"

# the big one: no task is lost
zstd -dqf "$SHARED/data/cholesky-mirage/60/unconstrained/dmdas/paje.trace.zst" -o big.trace
traceviz convert -q big.trace -o big.csv
is "$(awk -F, '$7 == "app"' big.csv | wc -l)" 37820 "37,820 tasks are read"
is "$(bounds big.csv)" "makespan 31366.294 abe 30895.124 " "their makespan"
is "$(traceviz idleness -q big.csv | awk -F, '$2 == "CUDA" { printf "%.1f ", $7 }')" "0.2 0.6 0.4 " "their idleness"
