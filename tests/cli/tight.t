#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tight.t: the bound tight against a program that tries all cuts, and against values computed by another one
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 13

tight() { traceviz bounds -q --tight "$1" 2>/dev/null | awk -F, '$2 == "tight" { print $4 }'; }
for trace in cholesky.csv cholesky-dmda.csv cholesky-dmdas.csv cholesky-ws.csv cholesky-2nodes cholesky-4nodes/p2x2; do
	traceviz convert -q "$DATA/$trace" -o tasks.csv
	is "$(tight tasks.csv)" "$(perl "$ROOT/tests/oracle/tight.pl" <tasks.csv)" "$trace: the max over all cuts"
done
run traceviz bounds --tight "$DATA/cholesky-dmda.csv"
is "$(grep tight stderr)" "" "which needs no warning"

# 300 types on four types of workers: too many prices
awk 'BEGIN {
	srand(5)
	print "ResourceId,Value,Start,End,JobId,DependsOn,ResourceType"
	split("CPU CUDA HIP FPGA", name, " ")
	for (i = 0; i < 5000; i++) {
		w = i % 40
		d = 1 + int(rand() * 1000)
		printf "W%d,t%d,%d,%d,%d,%s,%s\n", w, int(rand() * 300), at[w], at[w] + d, i, (i > 100 ? i - 41 - int(rand() * 50) : ""),
			name[1 + int(w / 10)]
		at[w] += d
	}
}' >many.csv
run traceviz bounds --tight many.csv
like "$(cat stderr)" "*tight: the search was cut off, there are too many task types: the value may be below the max of h + area + q" "a search that is cut off says so"
is "$(awk -F, '{ t[$2] = $4 } END { print (t["cpe"] > 0 && t["tight"] >= t["cpe"] && t["tight"] >= t["abe"] && t["tight"] <= t["makespan"]) }' stdout)" 1 "and has a bound"

need_shared 4
while read -r trace want; do
	is "$(printf '%.3f' "$(tight "$SHARED/data/review/$trace")")" "$want" "$trace: as enumerated elsewhere"
done <<-END
	lu20-dmdas 2575.562
	decisions-chol30-dmdas 3921.118
	cholesky-mirage-60-constrained/dmda 33563.564
	cholesky-mirage-60-constrained/dmdas 33566.919
END
