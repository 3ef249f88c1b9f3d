#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# exclusions.t: commuting accesses in chains, releases and ready tasks
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 24

# a tile that eight tasks of two nodes add to, as tasks.rec has it: both nodes name it with the same address
awk 'BEGIN { print "%rec: tasks\n"
	for (rank = 0; rank < 2; rank++) for (i = 0; i < 4; i++) {
		start = 10 + 3 * i + rank / 2
		printf "Name: gemm\nModel: gemm\nJobId: %d_%d\nSubmitOrder: %d\nTag: 0\nWorkerId: %d\n", rank, i + 1, i + 1, i % 2
		printf "SubmitTime: 9.000000\nStartTime: %f\nEndTime: %f\n", start, start + 2
		printf "Handles: aa0 cc0\nModes: R RWC\nSizes: 8 8\nMPIRank: %d\n\n", rank } }' >tasks.rec
run traceviz convert -q tasks.rec -o run.csv
is "$rc" 0 "the tasks are read"
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%s ", $at[name] }'; }
traceviz deps -q --all 'type:gemm' run.csv >deps
is "$(column JobId <deps)" "0_1 1_1 0_2 1_2 0_3 1_3 0_4 1_4 " "in the order of time"
is "$(column LastDependency <deps)" "  0_1 1_1 0_2 1_2 0_3 1_3 " "each waits for the one of its node that held the tile"
is "$(column DependencyKind <deps)" "  exclusion exclusion exclusion exclusion exclusion exclusion " "marked"
is "$(column Dependencies <deps | tr -d ' ')" "" "and no dependency"
is "$(column Exclusions <deps)" "  0_1 1_1 0_2 1_2 0_3 1_3 " "listed apart from these"
is "$(column Delay <deps)" "1.000000 1.500000 1.000000 1.000000 1.000000 1.000000 1.000000 1.000000 " "delays begin at the release"
is "$(traceviz ready -q run.csv | awk -F, 'NR > 1 { s += ($4 - $3) * $5 } END { printf "%.6f", s }')" 6.500000 \
	"ready from the release on, or the begin of the run"
is "$(traceviz info -q --csv run.csv | grep exclusions)" "graph,exclusions (commuting accesses),6" "info counts them"
is "$(traceviz chain -q --tasks id:0_4 --depth root run.csv | column DependencyKind)" \
	"  exclusion exclusion exclusion exclusion exclusion exclusion " "chain marks them"
traceviz deps -q run.csv | traceviz chain -q | column DependencyKind >piped
is "$(cat piped)" "  exclusion exclusion exclusion exclusion exclusion exclusion " "in pipes, too"
for how in deps=last deps=all chains=id:0_4 merged=id:0_4; do
	traceviz -q run.csv --panels spacetime --spacetime.tasks id:0_4 "--spacetime.${how%%=*}" "${how#*=}" -o a.svg
	like "$(cat a.svg)" '*>exclusion<*' "$how has a key for them"
done
sed 's/RWC/RW/' run.csv >plain.csv
is "$(traceviz deps -q plain.csv | column LastDependency | tr -d ' ')" "" "other modes exclude nothing"

# StarPU-MPI's Cholesky; edges and the counter were computed independently, too
edges() { traceviz info -q --csv "$1" | sed -n 's/.*exclusions (commuting accesses),//p'; }
integrals() { traceviz ready -q --counter "$1" | awk -F, '{ s[$1] += ($4 - $3) * $5 }
	END { printf "%.3f %.3f", s["ready"], s["counter"] }'; }
# "all waiting": from submission to start
push() { traceviz lifecycle-summary -q "$1" | awk -F, '$3 == "push" { push += $5 }
	$3 == "dependencies" || $3 == "ready" { all += $5 } END { printf "%.3f %d", push, push < all / 1000 }'; }
zstd -qdc "$DATA/cholesky-2nodes/tasks.csv.zst" >with.csv
is "$(edges with.csv) $(traceviz ready -q with.csv | awk -F, '$1 == "ready" { s += ($4 - $3) * $5 } END { printf "%.3f", s }')" \
	"1140 54565.683" "two nodes, 20 x 20 tiles: edges, and ready tasks"
sed 's/RWC/RW/g' with.csv >without.csv
is "$(traceviz bounds -q with.csv | cksum)" "$(traceviz bounds -q without.csv | cksum)" "bounds are the same with and without"
# Tile (i, j) has j updates, so j - 1 pairs that follow each other: over all tiles 12 choose 3.
ranks=$TESTDATA/fxt/cholesky-12-2ranks
is "$(edges "$ranks")" 220 "two ranks, 12 x 12 tiles: edges"
is "$(push "$ranks" | cut -d' ' -f2)" 1 "two ranks: phase push, below 0.1 % of all waiting"

need_shared 4
check() { # RUN EDGES READY PUSH COUNTER
	traceviz convert -q "$SHARED/data/mpi/$1" -o mpi 2>/dev/null
	is "$(edges mpi) $(integrals mpi) $(push mpi)" "$2 $3 1" \
		"$1: edges, ready tasks and the counter of StarPU; phase push, below 0.1 % of all waiting"
	rm -rf mpi
}
# Without the dependencies on unexpected messages push would be 345.652, 1280.267, 741.205 and 131.113.
check cholesky-20-dmdas-2nodes "1140 54565.683 49293.755" 7.517
check cholesky-40-dmdas-2nodes "9880 1489040.586 1456874.438" 57.950
check cholesky-30-dmdas-4nodes-10GbE/p1x4 "4060 131492.008 116533.923" 43.279
check cholesky-30-dmdas-4nodes-10GbE/p2x2 "4060 92449.267 77692.443" 47.186
