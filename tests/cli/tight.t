#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tight.t: the bound tight against a program that tries all cuts, and against values computed by another one
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 11

tight() { traceviz bounds -q --tight "$1" 2>/dev/null | awk -F, '$2 == "tight" { print $4 }'; }
for trace in cholesky.csv cholesky-dmda.csv cholesky-dmdas.csv cholesky-ws.csv cholesky-2nodes cholesky-4nodes/p2x2; do
	traceviz convert -q "$DATA/$trace" -o tasks.csv
	is "$(tight tasks.csv)" "$(perl "$ROOT/tests/oracle/tight.pl" <tasks.csv)" "$trace: the max over all cuts"
done
run traceviz bounds --tight "$DATA/cholesky-dmda.csv"
is "$(grep tight stderr)" "" "which needs no warning"

need_shared 4
while read -r trace want; do
	is "$(printf '%.3f' "$(tight "$SHARED/data/review/$trace")")" "$want" "$trace: as enumerated elsewhere"
done <<-END
	lu20-dmdas 2575.562
	decisions-chol30-dmdas 3921.118
	cholesky-mirage-60-constrained/dmda 33563.564
	cholesky-mirage-60-constrained/dmdas 33566.919
END
