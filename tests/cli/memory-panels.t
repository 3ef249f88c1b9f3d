#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# memory-panels.t: panels of memory nodes and data handles show the numbers of their passes
. "$(dirname "$0")/lib.sh"
plan 8
RUN=$DATA/cholesky-paje

# used-memory
run traceviz -q "$RUN" --panels used-memory -o u.csv
is "$rc $(cat stderr)" "0 " "used memory"
traceviz memory -q --summary "$RUN" | awk -F, 'NR > 1 { printf "%s: peak %g\n", $1, $5; if ($5 > max) { max = $5; at = $6 } }
	END { printf "used memory, MiB: peak %g at %.1f ms\n", max, at }' >want
is "$(wc -l <want) $(grep '^text' u.csv | grep -c -F -f want)" "5 5" "peaks in keys and title are those of memory"
is "$(grep -c '^[a-z]*,page,peak,used-memory' u.csv) $(grep -c '^polyline,used-memory,curve' u.csv)" "3 4" "curves, marks of the peaks on the axis (main memory: before it)"
run traceviz -q "$RUN" --panels used-memory --used-memory.show resident -o r.csv
traceviz memory -q --summary "$RUN" | awk -F, 'NR > 1 { printf "%s: peak %.1f\n", $1, $9 }' >want
is "$rc $(grep '^text' r.csv | grep -c -F -f want) $(grep -c 'resident memory, MiB' r.csv)" "0 4 1" "resident memory"
run traceviz -q "$RUN" --panels used-memory --used-memory.from events -o e.csv
traceviz memory -q --summary --from events "$RUN" | awk -F, 'NR > 1 && $5 > 0 { printf "%s: peak %.1f\n", $1, $5 }' >want
is "$rc $(wc -l <want) $(grep '^text' e.csv | grep -c -F -f want)" "0 3 3" "used memory from events"
run traceviz "$DATA/cholesky-2nodes" --panels spacetime,used-memory -o n.csv
like "$rc $(cat stderr)" "0 *panel used-memory left out: memory: the trace has neither *" "no such records: left out, with the reason"

# More memory nodes than colors: the highest ones.
mkdir many
printf 'ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\n' >many/tasks.csv
for m in 0 1 2 3 4 5 6 7 8 9; do echo "MEMMANAGER$m,Used (MB),0,10,$((m * 10 + 5))"; done |
	sed '1iResourceId,Type,Start,End,Value' >many/variables.csv
run traceviz many --panels used-memory -o m.csv
is "$rc $(grep -c '^polyline,used-memory,curve' m.csv) $(grep -c 'MEMMANAGER[01]: ' m.csv)" "0 8 0" "ten memory nodes: the eight highest"
like "$(cat stderr)" "*used-memory: 8 of 10 memory nodes are drawn*" "a warning counts them"
