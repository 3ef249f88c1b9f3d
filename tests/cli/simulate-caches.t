#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Caches of a simulated platform: played again over the printed times (tests/oracle/cache-replay.pl), and in any order of operands.
# tests/long/simulate-caches.t does the same with more graphs.
. "$(dirname "$0")/lib.sh"
plan 6
graphs=${GRAPHS:-15}

# Caches of four blocks of 1 MB: k0 of the cores c0 to c2, k1 of c3 and c4, near to the memories m0 and m1.
cat >p.xml <<'END'
<?xml version='1.0'?>
<platform version="4.1">
 <zone id="p" routing="Floyd">
  <host id="m0" speed="0f"><prop id="kind" value="memory"/></host>
  <host id="m1" speed="0f"><prop id="kind" value="memory"/></host>
  <host id="k0" speed="0f"><prop id="kind" value="cache"/><prop id="size" value="4MB"/></host>
  <host id="k1" speed="0f"><prop id="kind" value="cache"/><prop id="size" value="4MB"/></host>
  <host id="c0" speed="1Gf"><prop id="cache" value="k0"/><prop id="memory" value="m0"/></host>
  <host id="c1" speed="1Gf"><prop id="cache" value="k0"/><prop id="memory" value="m0"/></host>
  <host id="c2" speed="1Gf"><prop id="cache" value="k0"/><prop id="memory" value="m0"/></host>
  <host id="c3" speed="1Gf"><prop id="cache" value="k1"/><prop id="memory" value="m1"/></host>
  <host id="c4" speed="1Gf"><prop id="cache" value="k1"/><prop id="memory" value="m1"/></host>
  <link id="r0" bandwidth="3GBps"/><link id="r1" bandwidth="2GBps"/><link id="x" bandwidth="5GBps" sharing_policy="SPLITDUPLEX"/>
  <link id="f" bandwidth="7GBps" sharing_policy="FATPIPE"/>
  <route src="m0" dst="k0"><link_ctn id="r0"/></route>
  <route src="m1" dst="k1"><link_ctn id="r1"/></route>
  <route src="k0" dst="k1"><link_ctn id="x" direction="UP"/></route>
  <route src="k0" dst="c0"><link_ctn id="f"/></route>
  <route src="k0" dst="c1"><link_ctn id="f"/></route>
  <route src="k0" dst="c2"><link_ctn id="f"/></route>
  <route src="k1" dst="c3"><link_ctn id="f"/></route>
  <route src="k1" dst="c4"><link_ctn id="f"/></route>
 </zone>
</platform>
END
# Policies, numbers of cores, overlap and placement in turn.
options() { # GRAPH
	set -- "$1" fifo locality ws prio locality-64
	eval "scheduler=\${$(($1 % 5 + 2))}"
	# shellcheck disable=SC2154 # set by eval
	echo "--scheduler $scheduler --resources CPU=$((1 + $1 % 5 * 7 % 5)) --overlap 0.$(($1 % 4 * 2)) $([ $(($1 % 3)) = 0 ] && echo --placement round-robin)"
}
simulate() { # GRAPH FOLDER
	# shellcheck disable=SC2046
	traceviz simulate -q "$1.csv" --platform p.xml --model comm-cache $(options "${1%p}") -o "$2"
}

# The last task reads a, which is the next to leave, and e: a stays, and b leaves.
head='ResourceId,Value,Start,End,JobId,DependsOn,Handles,Modes,Sizes'
for operands in "a e" "e a"; do
	printf '%s\n' $head >one.csv
	i=0
	for h in a b c d "$operands"; do
		i=$((i + 1))
		echo "CPU0,t,0,1,$i,$((i - 1)),$h,$(echo "$h" | sed 's/[a-z]/R/g'),$(echo "$h" | sed 's/[a-z]/1000000/g')" | sed 's/,0,a/,,a/'
	done >>one.csv
	traceviz simulate -q one.csv --platform p.xml --model comm-cache --resources CPU=1 -o one/
	is "$(awk -F, '$1 == "k0" && $2 != "Cache occupancy (MiB)" { n[$2] += $5 } END { print n["Cache hits"], n["Cache misses"], n["Cache evictions"] }' one/variables.csv)" \
		"1 5 1" "a task does not evict what it reads: $operands"
done

seed 5
perl "$ROOT/tests/oracle/random-accesses.pl" "$seed" "$graphs" .
differ=
for i in $(seq "$graphs"); do
	simulate "$i" "s$i/"
	simulate "${i}p" "p$i/"
	for table in links states variables resources; do
		cmp -s "s$i/$table.csv" "p$i/$table.csv" || differ="$differ $i:$table"
	done
	for folder in s p; do cut -d, -f1-11,15 "$folder$i/tasks.csv" >"$folder.tasks"; done
	cmp -s s.tasks p.tasks || differ="$differ $i:tasks"
done
is "$differ" "" "operands in another order: the same tables"
ok "the random orders differ from those of the first graphs" test "$(cat s*/tasks.csv | cksum)" != "$(cat p*/tasks.csv | cksum)"

perl "$ROOT/tests/oracle/cache-replay.pl" k0=4000000:c0,c1,c2 k1=4000000:c3,c4 -- s*/ >out 2>&1
is "$(sed '$d' out)" "" "played again: the same transfers, hits, misses, evictions and contents"
like "$(tail -n 1 out)" "$graphs agree: *[1-9]* hits, *[1-9]* misses, *[1-9]* evictions" "all graphs agree"
diag "$(tail -n 1 out)"
