#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# memory-panels.t: panels of memory nodes and data handles show the numbers of their passes
. "$(dirname "$0")/lib.sh"
plan 41
RUN=$DATA/cholesky-paje

# used-memory
run traceviz -q "$RUN" --panels used-memory -o u.csv
is "$rc $(cat stderr)" "0 " "used memory"
traceviz memory -q --summary "$RUN" | awk -F, 'NR > 1 { sub("MEMMANAGER", "mem", $1); printf "%s: peak %g\n", $1, $5; if ($5 > max) { max = $5; at = $6 } }
	END { printf "used memory, MiB: peak %g at %.1f ms\n", max, at }' >want
is "$(wc -l <want) $(grep '^text' u.csv | grep -c -F -f want)" "5 5" "peaks in keys and title are those of memory"
is "$(grep -c '^[a-z]*,page,peak,used-memory' u.csv) $(grep -c '^polyline,used-memory,curve' u.csv)" "3 4" "curves, marks of the peaks on the axis (main memory: before it)"
run traceviz -q "$RUN" --panels used-memory --used-memory.show resident -o r.csv
traceviz memory -q --summary "$RUN" | awk -F, 'NR > 1 { sub("MEMMANAGER", "mem", $1); printf "%s: peak %.1f\n", $1, $9 }' >want
is "$rc $(grep '^text' r.csv | grep -c -F -f want) $(grep -c 'resident memory, MiB' r.csv)" "0 4 1" "resident memory"
run traceviz -q "$RUN" --panels used-memory --used-memory.from events -o e.csv
traceviz memory -q --summary --from events "$RUN" | awk -F, 'NR > 1 && $5 > 0 { sub("MEMMANAGER", "mem", $1); printf "%s: peak %.1f\n", $1, $5 }' >want
is "$rc $(wc -l <want) $(grep '^text' e.csv | grep -c -F -f want)" "0 3 3" "used memory from events"
run traceviz "$DATA/cholesky-2nodes" --panels spacetime,used-memory -o n.csv
like "$rc $(cat stderr)" "0 *panel used-memory left out: memory: the trace has neither *" "no such records: left out, with the reason"

# More memory nodes than colors: the highest ones.
mkdir many
printf 'ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\n' >many/tasks.csv
for m in 0 1 2 3 4 5 6 7 8 9; do echo "MEMMANAGER$m,Used (MB),0,10,$((m * 10 + 5))"; done |
	sed '1iResourceId,Type,Start,End,Value' >many/variables.csv
run traceviz many --panels used-memory -o m.csv
is "$rc $(grep -c '^polyline,used-memory,curve' m.csv) $(grep -c 'mem[01]: ' m.csv)" "0 8 0" "ten memory nodes: the eight highest"
like "$(cat stderr)" "*used-memory: 8 of 10 memory nodes are drawn*" "a warning counts them"

# memory-states: the pass against the trace, then the panel against the pass.
traceviz convert -q "$RUN" -o paje
sed 1d paje/states.csv | grep -F ',Memory Node State,' | sort -t, -k1,1 -k3,3 -k4,4n | awk -F, '
	$1 "," $3 != key { if (key != "") printf "%s %.3f\n", key, time; key = $1 "," $3; time = 0; end = -1e9 }
	{ from = $4 > end ? $4 : end; from = from > 200 ? from : 200; to = $5 < 500 ? $5 : 500; if (to > from) time += to - from; if ($5 > end) end = $5 }
	END { printf "%s %.3f\n", key, time }' | sort >want
traceviz memory-states -q --begin 200 --end 500 "$RUN" | awk -F, 'NR > 1 { printf "%s,%s %.3f\n", $1, $4, $8 }' | sort >got
is "$(wc -l <want) $(cmp got want)" "14 " "time in states of memory nodes, in a window"
traceviz memory-states -q --by piece --begin 200 --end 500 "$RUN" | awk -F, 'NR > 1 { time[$1 "," $4] += $6 - $5 }
	END { for (k in time) printf "%s %.3f\n", k, time[k] }' | sort >got
grep -v " 0.000$" want >more
ok "pieces add up to it" cmp got more
is "$(traceviz memory-states -q --by state "$RUN" | awk -F, 'NR > 1 { printf "%s %.6f\n", $4, $8 }' | sort)" \
	"$(traceviz memory-states -q "$RUN" | awk -F, 'NR > 1 { t[$4] += $8 } END { for (k in t) printf "%s %.6f\n", k, t[k] }' | sort)" \
	"--by state sums them"
run traceviz -q "$RUN" --panels memory-states -o s.csv
traceviz memory-states -q --by state "$RUN" | awk -F, 'NR > 1 && $9 > 0 { printf $9 < 0.95 ? "%s %.2f %%\n" : "%s %.1f %%\n", $4, $9 }' >want
is "$rc $(wc -l <want) $(grep '^text' s.csv | grep -c -F -f want)" "0 3 3" "shares in the keys"
all=$(traceviz transfers -q "$RUN" | sed 1d | wc -l | tr -d ' ')
is "$(grep -c ',transfer,' s.csv) $(grep -c "20 slowest of $all transfers" s.csv)" "20 1" "slowest transfers"
traceviz transfers -q --begin 50 --end 80 "$RUN" | awk -F, 'NR > 1 && $5 <= 80 && $6 >= 50' | wc -l | tr -d ' ' >want
run traceviz -q "$RUN" --begin 50 --end 80 --panels memory-states --memory-states.transfers all -o s.csv
is "$rc $(grep -c ',transfer,' s.csv)" "0 $(cat want)" "all transfers of a window"
run traceviz -q "$RUN" --panels memory-states --memory-states.transfers none -o s.csv
is "$rc $(grep -c transfer s.csv)" "0 0" "no transfers"
for bad in slowest:0 slowest: slowest:x some; do
	run traceviz -q "$RUN" --panels memory-states --memory-states.transfers $bad -o bad.csv
	like "$rc $(cat stderr)" "2 *--memory-states.transfers '$bad', expected all, none or slowest:N" "$bad is refused"
done
run traceviz "$DATA/cholesky.csv" --panels spacetime,memory-states -o n.csv
like "$rc $(cat stderr)" "0 *panel memory-states left out: memory-states: the trace has no states *" "no states of memory nodes: left out"

# handles: many, or chosen ones with the tasks that use them.
run traceviz -q "$RUN" --panels handles -o h.csv
n=$(traceviz handles -q "$RUN" | sed 1d | cut -d, -f1 | sort -u | wc -l | tr -d ' ')
is "$rc $(grep -c "^text.*,$n data handles$" h.csv) $(grep -c '^image,handles,copies' h.csv)" "0 1 1" "all data handles"
is "$(grep -c '0 to 4 memory nodes hold the data' h.csv)" 1 "up to all memory nodes"
run traceviz -q "$RUN" --panels handles --handles.job 240 -o h.csv
traceviz handles -q --job 240 "$RUN" >want
is "$rc $(grep -c -E '^rect,page,(owner|shared),' h.csv)" "0 $(awk -F, 'NR > 1 && $10 >= 0' want | wc -l | tr -d ' ')" "a rectangle for each state"
uses=$(traceviz handles -q --summary --job 240 "$RUN" | awk -F, 'NR > 1 { n += $16 } END { print n }')
is "$(grep -c -E '^rect,page,(reader|writer),' h.csv) $(grep -c "state of data, $uses uses by tasks" h.csv)" "$uses 1" "and for each task that uses it"
writes=$(traceviz handles -q --summary --job 240 "$RUN" | awk -F, 'NR > 1 { n += $17 } END { print n }')
is "$(grep -c '^rect,page,writer,' h.csv)" "$writes" "writers apart"
run traceviz "$RUN" --panels handles --handles.handle '*' -o h.csv
like "$rc $(cat stderr)" "0 *handles: * rows of handles and memory nodes are more than 64: *" "too many rows: the map, with a warning"
run traceviz "$RUN" --panels spacetime,handles --handles.job nobody -o h.csv
like "$rc $(cat stderr)" "* *nobody*" "no such job"
run traceviz "$DATA/cholesky.csv" --panels spacetime,handles -o n.csv
like "$rc $(cat stderr)" "0 *panel handles left out: handles: the trace does not show where data were *" "no data states: left out"

# residency, tile-maps
RANKS=$TESTDATA/fxt/cholesky-12-2ranks
run traceviz -q "$RANKS" --panels residency --residency.at 200 -o t.csv
traceviz residency -q --at 200 "$RANKS" >want
is "$rc $(grep -c '^rect,page,tile,' t.csv)" "0 $(awk -F, 'NR > 1 && $9 != "" && $7 != ""' want | wc -l | tr -d ' ')" "a rectangle for each tile on a memory node"
is "$(grep -c "owner $(grep -c ',owner,' want)\$" t.csv) $(grep -c '^text,page,map,' t.csv)" "1 2" "their number, a map for each memory node"
traceviz handles -q --summary "$RANKS" >want
run traceviz -q "$RANKS" --panels tile-maps --tile-maps.show memory -o t.csv
awk -F, 'NR > 1 && $18 != "" && $6 != "" && (!($6 in last) || $18 > last[$6]) { last[$6] = $18; at[$6] = $3 }
	END { for (t in at) n[at[t]]++; for (m in n) print m " " n[m] }' want | sed s/MEMMANAGER/mem/ >keys
is "$rc $(wc -l <keys) $(grep '^text' t.csv | grep -c -F -f keys)" "0 2 2" "last writers"
is "$(grep -c '^polyline,page,grid' t.csv)" 22 "lines between 12 x 12 tiles"
run traceviz -q "$RANKS" --panels tile-maps --tile-maps.show writer -o t.csv
is "$rc $(grep -c "wrote $(awk '{ n += $2 } END { print n }' keys) tiles last" t.csv) $(grep -c ",CPU $(awk '{ n += $2 } END { print n }' keys)\$" t.csv)" "0 1 1" "types of the workers that wrote them"
is "$(grep -c '^rect,page,tile,' t.csv)" "$(awk '{ n += $2 } END { print n }' keys)" "a tile for each of them"
run traceviz -q "$DATA/cholesky-2nodes" --panels tile-maps -o t.csv
is "$rc $(grep -c -E 'node [01] 200$' t.csv)" "0 2" "owners, without data states"
run traceviz -q "$RANKS" --panels tile-maps --tile-maps.show last-write -o t.csv
is "$rc $(grep -c "last write of each of 78 tiles" t.csv)" "0 1" "last writes"
mkdir -p gpu
cat >gpu/tasks.csv <<'END'
ResourceId,Value,Start,End,JobId,Handles,Modes,MemoryNode
CUDA0,a,10,20,1,h,RW,1
CPU0,b,30,40,2,h,R,0
END
printf 'Handle,Node,HomeNode,Name,Size,Coordinates\nh,0,0,A,800,1 2\ng,0,0,,800,\n' >gpu/handles.csv
printf 'Type,Key,Origin,Dest,Start,End,Size,Handle\nIntra-node data Fetch,k,MEMMANAGER0,MEMMANAGER1,5,10,800,h\nIntra-node data Fetch,l,MEMMANAGER1,MEMMANAGER0,20,30,800,h\n' >gpu/links.csv
printf 'ResourceId,Type,Time,Value,Handle\nMEMMANAGER0,data state owner,0,h,h\nMEMMANAGER0,data state owner,0,g,g\nMEMMANAGER1,data state owner,10,h,h\nMEMMANAGER0,data state invalid,10,h,h\nMEMMANAGER0,data state shared,30,h,h\nMEMMANAGER1,data state shared,30,h,h\n' >gpu/events.csv
run traceviz gpu --panels tile-maps --tile-maps.show moves -o t.csv
like "$rc $(traceviz handles -q --summary gpu | awk -F, 'NR > 1 { n += $12 } END { print n }') $(grep -c '2 transfers of 1 tile$' t.csv)" "0 2 1" "moves are transfers"
like "$(cat stderr)" "*tile-maps: data handles without two coordinates are no tiles: left out*" "other handles are reported"
run traceviz -q gpu --panels tile-maps --tile-maps.show writer -o w.csv
is "$rc $(grep -c 'type of the worker that wrote 1 tile last$' w.csv) $(grep -c ',CUDA 1$' w.csv)" "0 1 1" "a GPU computed it"
run traceviz "$DATA/cholesky.csv" --panels spacetime,residency,tile-maps -o n.csv
like "$rc $(cat stderr)" "0 *panel residency left out: *panel tile-maps left out: the trace has no table of data handles*" "no data handles: left out"
run traceviz -q --facet a="$RANKS" b="$RUN" --panels spacetime,residency -o f.csv
is "$rc $(grep -c 'tiles on memory nodes at 198.6 ms' f.csv)" "0 1" "beside a longer run: the middle of its own"
