#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz simulate --platform: cores, models of memory accesses by hand, caches, conservation of bytes, wrong input.
. "$(dirname "$0")/lib.sh"
plan 109

makespan() { traceviz bounds -q "$1" | sed -n 's/^,makespan,observed,\([0-9.]*\).*/\1/p'; }
# simulate FILE OPTIONS: the makespan of it on the platform p.xml; the trace is in sim/.
on_p() { run traceviz simulate "$1" --platform p.xml -o sim/ $2; echo "$rc $(makespan sim/)"; }
flows() { awk -F, -v t="$1" 'NR > 1 && $1 == "Memory " t { print $3 ">" $4 }' sim/links.csv | tr '\n' ' '; }

# Cores c0 and c1 with cache k0 and memory m0, core c2 with k1 and m1: 1 GB/s to a memory, 2 GB/s to a core, 0.5 GB/s between.
cat >p.xml <<'END'
<?xml version='1.0'?>
<platform version="4.1">
 <zone id="p" routing="Floyd">
  <host id="m0" speed="0f"><prop id="kind" value="memory"/></host>
  <host id="m1" speed="0f"><prop id="kind" value="memory"/></host>
  <host id="k0" speed="0f"><prop id="kind" value="cache"/><prop id="size" value="2MB"/><prop id="memory" value="m0"/></host>
  <host id="k1" speed="0f"><prop id="kind" value="cache"/><prop id="size" value="2MB"/><prop id="memory" value="m1"/></host>
  <host id="c0" speed="1Gf"><prop id="cache" value="k0"/><prop id="memory" value="m0"/></host>
  <host id="c1" speed="1Gf"><prop id="cache" value="k0"/><prop id="memory" value="m0"/></host>
  <host id="c2" speed="1Gf"><prop id="cache" value="k1"/><prop id="memory" value="m1"/></host>
  <link id="ram0" bandwidth="1GBps"/><link id="ram1" bandwidth="1GBps"/>
  <link id="l0" bandwidth="2GBps"/><link id="l1" bandwidth="2GBps"/><link id="l2" bandwidth="2GBps"/>
  <link id="x" bandwidth="500MBps"/>
  <route src="m0" dst="k0"><link_ctn id="ram0"/></route>
  <route src="m1" dst="k1"><link_ctn id="ram1"/></route>
  <route src="k0" dst="c0"><link_ctn id="l0"/></route>
  <route src="k0" dst="c1"><link_ctn id="l1"/></route>
  <route src="k1" dst="c2"><link_ctn id="l2"/></route>
  <route src="k0" dst="k1"><link_ctn id="x"/></route>
 </zone>
</platform>
END
HEAD=ResourceId,Value,Start,End,JobId,DependsOn,Handles,Modes,Sizes

# One task of 4 ms that updates 1 MB.
printf '%s\nCPU0,t,0,4,1,,h,RW,1000000\n' $HEAD >one.csv
for case in "task 4" "comm 6" "comm-2020 6" "comm-cache 6"; do
	is "$(on_p one.csv "--model ${case% *}")" "0 ${case#* }.000000" "one task, ${case% *}"
done
# Of four reads three end at one instant: the fourth then gets all that its fatpipe link allows.
cat >two.xml <<'END'
<platform version="4.1"><zone id="z" routing="Full">
 <host id="c" speed="1Gf"><prop id="memory" value="m"/></host>
 <host id="m" speed="0f"><prop id="kind" value="memory"/></host>
 <link id="s" bandwidth="13GBps"/><link id="f" bandwidth="5GBps" sharing_policy="FATPIPE"/>
 <route src="m" dst="c"><link_ctn id="s"/><link_ctn id="f"/></route>
</zone></platform>
END
printf '%s\nCPU0,t,0,1,1,,a b c d,R R R R,1000000 1000000 1000000 2000000\n' $HEAD >four.csv
traceviz simulate four.csv --platform two.xml --model comm -q -o sim/
is "$(awk -F, 'NR > 1 { printf "%s %s ", $8, $6 }' sim/links.csv)" "a 0.307693 b 0.307693 c 0.307693 d 0.507693 " \
	"a transfer that remains gets what those that end at one instant leave"

# T_M = 2 ms is hidden by rho T_C: both ends of max(T_C, T_M) <= T <= T_C + T_M, and between.
for case in "0 6" "0.125 5.5" "0.25 5" "0.375 4.5" "0.5 4" "1 4"; do
	for model in comm comm-cache; do
		is "$(on_p one.csv "--model $model --overlap ${case% *}")" "0 $(printf '%.6f' "${case#* }")" "$model, overlap ${case% *}"
	done
done
printf '%s\nCPU0,t,0,1,1,,h,RW,1000000\n' $HEAD >short.csv
is "$(on_p short.csv "--model comm --overlap 1")" "0 2.000000" "overlap 1, T_M > T_C: T_M"
is "$(on_p one.csv "--model comm --overlap t=0.25")" "0 5.000000" "overlap by task type"
is "$(cat sim/states.csv)" "ResourceId,Type,Value,Start,End
c0,Worker State,Read,0.000000,1.000000
c0,Worker State,Compute,1.000000,4.000000
c0,Worker State,Write,4.000000,5.000000
c1,Worker State,Idle,0.000000,5.000000
c2,Worker State,Idle,0.000000,5.000000" "states: the phases, and workers without tasks"
is "$(cat sim/links.csv)" "Type,Key,Origin,Dest,Start,End,Size,Handle,DestJob
Memory Read,com_1,m0,c0,0.000000,1.000000,1000000,h,1
Memory Write,com_2,c0,m0,4.000000,5.000000,1000000,h,1" "links: the transfers"
is "$(grep -c -e '^Platform,p.xml$' -e '^Model,comm$' -e '^Overlap,t=0.25$' -e '^Placement,first-touch$' sim/meta.csv)" 4 "meta"
is "$(cut -d, -f1,2,5 sim/resources.csv | tr '\n' ' ')" \
	"ResourceId,ResourceType,Order c0,CPU,0 c1,CPU,1 c2,CPU,2 m0,NUMANode,0 m1,NUMANode,1 k0,L3,0 k1,L3,1 " "resources: cores, caches, memories"
is "$(traceviz idleness -q sim | awk -F, 'NR > 1 { print $1 }' | sort -u | tr '\n' ' ')" "$(traceviz idleness -q sim | awk -F, 'NR > 1 { print $1 }' | tr '\n' ' ')" "idleness reads it"
is "$(traceviz info -q sim >info; echo $?) $(traceviz summary -q sim | wc -l)" "0 2" "info and summary read it"

# Cross-traffic: a transfer takes 5 % more of a shared link, as its way back is the same. The option overrides the file.
sed 's|<platform version="4.1">|&<config><prop id="network/crosstraffic" value="1"/></config>|' p.xml >back.xml
for case in "p.xml -- 6" "p.xml no 6" "p.xml yes 6.1" "back.xml -- 6.1" "back.xml no 6" "back.xml yes 6.1"; do
	set -- $case
	option=
	[ "$2" = -- ] || option="--crosstraffic $2"
	traceviz simulate -q one.csv --platform "$1" --model comm $option -o sim/
	is "$(makespan sim/) $(sed -n 's/^Crosstraffic,//p' sim/meta.csv)" "$(printf %.6f "$3") ${2#--}" "cross-traffic: $1, $2"
done

# Operands share the memory's link: 1 MB read only, 1 MB updated.
printf '%s\nCPU0,t,0,4,1,,a b,R RW,1000000 1000000\n' $HEAD >two.csv
is "$(on_p two.csv "--model comm")" "0 7.000000" "two reads share a link, one write: 2 + 4 + 1"
is "$(on_p two.csv "--model comm-2020")" "0 7.000000" "comm-2020: 1 and 2 MB at once, 3 + 4"
is "$(on_p two.csv "--model comm-cache")" "0 7.500000" "comm-cache: 2 to the cache, 1 to the core (shared), 4, 0.5"

# A chain of updates: the second one finds its data in the cache.
printf '%s\nCPU0,t,0,4,1,,h,RW,1000000\nCPU0,t,4,8,2,1,h,RW,1000000\n' $HEAD >chain.csv
is "$(on_p chain.csv "--model comm-cache") $(flows Fetch)" "0 11.000000 m0>k0 " "a hit: 6 + 5 ms"
is "$(on_p chain.csv "--model comm")" "0 12.000000" "without caches"
# Two cores of a cache need the same data: they come once [Daoudi 2021, figure 5.4].
printf '%s\nCPU0,r,0,4,1,,h,R,1000000\nCPU0,r,4,8,2,,h,R,1000000\n' $HEAD >readers.csv
is "$(on_p readers.csv "--model comm-cache") $(flows Fetch)$(flows Read)" "0 5.500000 m0>k0 k0>c0 k0>c1 " "figure 5.4: one fetch, two reads"
# A write makes other copies invalid: c2 gets its data again, from the cache k0.
{
	echo $HEAD
	for i in 1 2 3; do echo "CPU0,r,$((i * 4)),$((i * 4 + 4)),$i,,h,R,1000000"; done
	echo "CPU0,w,20,24,4,1 2 3,h,RW,1000000"
	for i in 5 6 7; do echo "CPU0,r,$((i * 8)),$((i * 8 + 4)),$i,4,h,R,1000000"; done
} >invalid.csv
on_p invalid.csv "--model comm-cache" >out
is "$(flows Fetch)" "m0>k0 m0>k1 k0>k1 " "a write makes copies in other caches invalid"
sed 's/,RW,/,R,/' invalid.csv >valid.csv
on_p valid.csv "--model comm-cache" >out
is "$(flows Fetch)" "m0>k0 m0>k1 " "without a write they stay valid"
# A modified block leaves the cache of two slots when the third comes; one that was only read just goes.
for mode in RW R; do
	{
		echo $HEAD
		echo "CPU0,t,0,4,1,,a,$mode,1000000"
		echo "CPU0,t,4,8,2,1,b,R,1000000"
		echo "CPU0,t,8,12,3,2,c,R,1000000"
	} >leave.csv
	on_p leave.csv "--model comm-cache" >out
	is "$(flows WriteBack)" "$([ $mode = RW ] && echo 'k0>m0 ')" "write-back of a block that was $mode"
done
# More locked operands than slots: they come in all the same, and leave at the end.
printf '%s\nCPU0,t,0,4,1,,a b c,R R R,1000000 1000000 1000000\nCPU0,t,4,8,2,1,c,R,1000000\nCPU0,t,8,12,3,2,a,R,1000000\n' $HEAD >many.csv
on_p many.csv "--model comm-cache" >out
is "$(flows Fetch | wc -w)" 4 "three operands in a cache of two: the first one leaves at the end"
# Work space that a core always has leaves one slot.
printf '%s\nCPU0,t,0,4,1,,a,R,1000000\nCPU0,t,4,8,2,1,b,R,1000000\nCPU0,t,8,12,3,2,a,R,1000000\n' $HEAD >space.csv
is "$(on_p space.csv "--model comm-cache --resources CPU=1") $(flows Fetch | wc -w)" "0 15.500000 2" "two blocks fit: 3 x 4 + 2 x 1 + 3 x 0.5"
is "$(on_p space.csv "--model comm-cache --resources CPU=1 --scratch 1MB") $(flows Fetch | wc -w)" "0 18.000000 3" "--scratch: one fits, and 0.5 ms of writes per task"
# floor(L3 / block) slots: so many blocks of 512 x 512 doubles used in turn stay, one more and none does.
cycle() {
	echo $HEAD
	awk -v n="$1" 'BEGIN { for (i = 0; i < 3 * n; i++) printf "CPU0,t,%d,%d,%d,%s,h%d,R,2097152\n", i, i + 1, i, (i > 0 ? i - 1 : ""), i % n }'
}
for case in epyc7452:8 intel6240:12; do
	n=${case#*:}
	for k in "$n" $((n + 1)); do
		cycle "$k" >cycle.csv
		traceviz simulate -q cycle.csv --platform "${case%:*}" --resources CPU=1 --model comm-cache -o sim/
		is "$(flows Fetch | wc -w)" "$([ "$k" = "$n" ] && echo "$n" || echo $((3 * k)))" "${case%:*}: $n slots, $k blocks in turn"
	done
done

# Placement: setup tasks in turn, one after the other, as recorded.
{
	echo ResourceId,Value,Start,End,JobId,DependsOn,Handles,Modes,Sizes,Kind,NumaNode
	for i in 0 1 2; do echo "CPU0,init,-$((i + 1)),-$i,s$i,,h$i,W,1000000,setup,1"; done
	for i in 0 1 2; do echo "CPU0,t,$((i * 4)),$((i * 4 + 4)),$i,s$i,h$i,R,1000000,app,0"; done
} >homes.csv
homes() { traceviz simulate -q homes.csv --platform p.xml --model comm --resources CPU=3 ${1-} -o sim/ && awk -F, 'NR > 1 { print $8 $3 }' sim/links.csv | sort | tr '\n' ' '; }
is "$(homes)" "h0m0 h1m0 h2m1 " "first touch: setup tasks on cores in turn"
is "$(homes "--placement round-robin")" "h0m0 h1m1 h2m0 " "round robin"
is "$(homes "--placement trace")" "h0m1 h1m1 h2m1 " "as recorded"
# At random: 2 of the 3 cores are near to m0, so 400 of 600 blocks are (standard deviation 11.5).
{
	echo $HEAD
	for i in $(seq 600); do echo "CPU0,t,$i,$((i + 1)),$i,,h$i,R,1000"; done
} >drawn.csv
drawn() { traceviz simulate -q drawn.csv --platform p.xml --model comm --placement random --seed "$1" -o sim/ && cut -d, -f3,8 sim/links.csv | sort >homes.$1; }
drawn 1 && drawn 2 && cp homes.1 before && drawn 1
ok "random: the share of each memory" awk -F, '$1 == "m0" { n++ } END { exit !(n > 354 && n < 446) }' homes.1
ok "random: the same homes with the same seed" cmp homes.1 before
# Of two independent draws 600 * (4/9 + 1/9) = 333 are equal (standard deviation 12.2).
ok "random: others with another seed" [ "$(comm -12 homes.1 homes.2 | wc -l)" -lt 382 ]
is "$(grep -E '^(Placement|Seed)' sim/meta.csv | tr '\n' ' ')" "Seed,1 Placement,random " "random: in meta"
traceviz generate cholesky --tiles 8 --tile 512 --allocate | traceviz simulate -q - --platform epyc7452 --model comm --placement random --sweep CPU=64 --repeats 5 >drawn.out
ok "random: repeats draw again" awk -F, "$by_name"'NR == 2 { exit !($c["MinMakespan"] < $c["Makespan"] && $c["Makespan"] < $c["MaxMakespan"]) }' drawn.out

# A factorization: bytes are conserved.
traceviz generate cholesky --tiles 8 --tile 512 --allocate -o planned.csv
for model in comm comm-cache; do
	traceviz simulate -q planned.csv --platform epyc7452 --model $model -o sim/
	# reads: all operands but none of setup tasks; potrf 1 x 1, trsm 2, syrk 2, gemm 3 of them, all write one
	want=$(awk -F, "$by_name"'
		$c["Kind"] == "app" { r += gsub(/R/, "", $c["Modes"]); w++ } END { print r * 2097152, w * 2097152 }' planned.csv)
	is "$(awk -F, 'NR > 1 { s[$1] += $7 } END { printf "%.0f %.0f\n", s["Memory Read"], s["Memory Write"] }' sim/links.csv)" "$want" "$model: bytes read and written"
	# variables: sum of GB/s times ms over links = bytes times links crossed
	traceviz platform epyc7452 --routes '*,*' >routes.csv
	ok "$model: bytes on links" awk -F, 'FILENAME == "routes.csv" { hops[$1 "," $2] = split($5, x, " "); next }
		FILENAME == "sim/links.csv" { want += $7 * hops[$3 "," $4]; next }
		$2 ~ /^Bandwidth/ { got += $5 * ($4 - $3) * 1e6 } END { exit !(want > 0 && got > 0.9999 * want && got < 1.0001 * want) }' routes.csv sim/links.csv sim/variables.csv
done
misses=$(awk -F, '$2 == "Cache misses" { n += $5 } END { print n }' sim/variables.csv)
is "$(flows Fetch | wc -w)" "$misses" "a fetch for each miss"
is "$(awk -F, '$2 == "Cache hits" { n += $5 } END { print n }' sim/variables.csv)" "$(($(flows Read | wc -w) - misses))" "a hit for each other read"
ok "occupancy: 16 MiB, or more where operands are locked" awk -F, '$2 ~ /^Cache occ/ && $5 > m { m = $5 } END { exit !(m >= 16 && m <= 24) }' sim/variables.csv
cp -r sim again
traceviz simulate -q planned.csv --platform epyc7452 --model comm-cache -o sim/
is "$(diff -r sim again)" "" "the same bytes"
traceviz simulate -q planned.csv --platform epyc7452 --resources CPU=16 -o cores.csv
traceviz simulate -q planned.csv --resources CPU=16 --gflops CPU=19.79 -o plain.csv
is "$(makespan cores.csv)" "$(makespan plain.csv)" "--model task: as so many workers of that speed"
is "$(cut -d, -f1 cores.csv | sort -u | grep -c core)" 16 "the first 16 cores"
run traceviz simulate planned.csv --platform epyc7452 --sweep CPU=1,4 --model task,comm-cache --overlap cholesky=0.6 -q
is "$rc $(cut -d, -f1,3,14 stdout | tr '\n' ' ')" "0 Scheduler,Workers,Model fifo,1,task fifo,4,task fifo,1,comm-cache fifo,4,comm-cache " "a sweep over models"

# locality: the task whose data are in the worker's cache, before one that was submitted earlier; fewer misses than fifo.
printf '%s\nCPU0,t,0,4,1,,a,R,1000000\nCPU0,t,4,8,2,1,b,R,1000000\nCPU0,t,8,12,3,1,a,R,1000000\n' $HEAD >near.csv
jobs() { awk -F, "$by_name"'$c["Kind"] == "app" { printf "%s", $c["JobId"] }' "$1"; }
for case in fifo:123 locality:132 locality-64:132; do
	traceviz simulate -q near.csv --platform p.xml --model comm-cache --resources CPU=1 --scheduler "${case%:*}" -o near-sim.csv
	is "$(jobs near-sim.csv)" "${case#*:}" "${case%:*}: the order of tasks"
done
traceviz generate cholesky --tiles 16 --tile 512 --allocate -o sixteen.csv
for s in fifo locality locality-64; do
	traceviz simulate -q sixteen.csv --platform epyc7452 --model comm-cache --scheduler $s -o sim/
	flows Fetch | wc -w >misses.$s
done
# The model task: the same caches without time. A task takes T_C; the order is that of the policy.
traceviz simulate -q near.csv --platform p.xml --resources CPU=1 --scheduler locality -o sim/
is "$(jobs sim/tasks.csv) $(makespan sim/) $(ls sim)" "132 12.000000 meta.csv
resources.csv
states.csv
tasks.csv
variables.csv" "task, locality: order, time, tables"
is "$(awk -F, '$2 ~ /hits|misses/ { n[$2] += $5 } END { print n["Cache hits"], n["Cache misses"] }' sim/variables.csv)" "1 2" "task, locality: a hit, two misses"
traceviz simulate -q sixteen.csv --platform epyc7452 --scheduler locality --sweep CPU=1,64 >sweep.locality
traceviz simulate -q sixteen.csv --platform epyc7452 --scheduler fifo --sweep CPU=1,64 >sweep.fifo
is "$(sed -n 2p sweep.locality | cut -d, -f4)" "$(sed -n 2p sweep.fifo | cut -d, -f4)" "task, locality: one core takes the sum of the tasks"
# Without memories it needs caches only.
sed 's/<prop id="memory" value="m."\/>//' p.xml >caches.xml
traceviz simulate -q near.csv --platform caches.xml --resources CPU=1 --scheduler locality -o sim/
is "$(jobs sim/tasks.csv)" 132 "task, locality: no memories"
ok "locality: fewer misses than fifo" [ "$(cat misses.locality)" -lt "$(cat misses.fifo)" ]
ok "locality-64: fewer misses than fifo" [ "$(cat misses.locality-64)" -lt "$(cat misses.fifo)" ]

# wrong input
bad() {
	# shellcheck disable=SC2086
	run traceviz simulate ${3:-one.csv} $1
	like "$rc $(cat stderr)" "$2" "$1"
}
bad "--model comm" "2 *--model comm needs --platform*"
bad "--platform p.xml --model mesh" "2 *--model 'mesh', expected task, comm, comm-cache or comm-2020*"
bad "--platform p.xml --resources CPU=4" "2 *--resources 'CPU=4': the platform has 3 cores*"
bad "--platform p.xml --overlap 0.5" "2 *--overlap has no effect with --model task*"
bad "--platform p.xml --crosstraffic yes" "2 *--crosstraffic has no effect with --model task*"
bad "--platform p.xml --model comm --overlap 1.5" "2 *--overlap '1.5', expected a ratio from 0 to 1*"
bad "--platform p.xml --model comm --overlap x=0.5" "2 *--overlap 'x=0.5', expected *"
bad "--platform p.xml --model comm --scratch 1MB" "2 *--scratch has no effect without --model comm-cache*"
bad "--platform p.xml --model comm --placement trace" "1 *--placement trace: the tasks have no NumaNode*"
bad "--platform p.xml --transfers free" "2 *--transfers has no effect with --platform*"
bad "--platform p.xml --add CPU=1" "2 *--add has no effect with --platform*"
bad "--platform nothing.xml" "1 *nothing.xml: cannot open*"
grep -v 'route src="m0"' p.xml >hole.xml
bad "--platform hole.xml --model comm" "1 *no route from 'm0' to 'c0'*"
sed 's/<prop id="memory" value="m."\/>//' p.xml >nomemory.xml
bad "--platform nomemory.xml --model comm" "1 *the core 'c0' names no memory*"
sed 's/bandwidth="1GBps"/bandwidth="1e-9bps"/' p.xml >slow.xml
bad "--platform slow.xml --model comm" "1 *transfers take more than 30 years*"
bad "--scheduler locality" "2 *--scheduler locality needs --platform and --model comm-cache or task*"
bad "--platform p.xml --model comm --scheduler locality-64" "2 *--scheduler locality-64 needs --platform and --model comm-cache or task*"
sed 's/<prop id="cache" value="k."\/>//' p.xml >nocache.xml
bad "--platform nocache.xml --scheduler locality" "1 *--model task: the core 'c0' names no cache of known size (property cache), expected another --scheduler"

# Hostile platforms: cores, routes, zones and sizes that cannot be.
platform() { { echo '<platform version="4.1">'; cat; echo '</platform>'; } >"$1.xml"; }
MEMORY='<host id="m0" speed="0f"><prop id="kind" value="memory"/></host>'
CORE='<host id="c0" speed="1Gf"><prop id="memory" value="m0"/></host>'
echo "<zone id=\"z\" routing=\"Full\">$MEMORY</zone>" | platform nocore
bad "--platform nocore.xml" "1 *nocore.xml: it has 0 cores, expected 1 to 1000000"
platform nohost </dev/null
bad "--platform nohost.xml" "1 *nohost.xml:2: the platform has no host"
echo '<zone id="z" routing="Full"><host id="c" speed="1Gf" core="4000000000"/></zone>' | platform cores
bad "--platform cores.xml" "1 *cores.xml:2: core '4000000000', expected a number from 1"
echo '<zone id="z" routing="Full"><host id="c" speed="1Gf"><prop id="memory" value="c"/></host></zone>' | platform itself
bad "--platform itself.xml --model comm" "1 *itself.xml:2: 'c' is no host with kind memory"
echo "<zone id=\"z\" routing=\"Full\"><zone id=\"z\" routing=\"Full\">$CORE$MEMORY</zone></zone>" | platform inside
bad "--platform inside.xml" "1 *inside.xml:2: a second host, router or zone 'z'"
echo "<zone id=\"z\" routing=\"Full\"><zone id=\"a\" routing=\"Full\">$CORE</zone>$MEMORY<link id=\"l\" bandwidth=\"1GBps\"/>
<zoneRoute src=\"a\" dst=\"z\" gw_src=\"c0\" gw_dst=\"m0\"><link_ctn id=\"l\"/></zoneRoute></zone>" | platform outward
bad "--platform outward.xml --model comm" "1 *outward.xml:3: dst 'z' is not declared in this zone before this line"
echo "<zone id=\"z\" routing=\"Full\"><zone id=\"a\" routing=\"Full\">$CORE</zone><zone id=\"b\" routing=\"Full\">$MEMORY</zone><link id=\"l\" bandwidth=\"1GBps\"/>
<zoneRoute src=\"a\" dst=\"b\" gw_src=\"m0\" gw_dst=\"c0\"><link_ctn id=\"l\"/></zoneRoute></zone>" | platform gateways
bad "--platform gateways.xml --model comm" "1 *gateways.xml:3: gw_src 'm0' is no host or router in 'a'"
for width in 0Bps -1GBps nanBps 1e400GBps; do
	echo "<zone id=\"z\" routing=\"Full\">$CORE$MEMORY<link id=\"l\" bandwidth=\"$width\"/></zone>" | platform width
	bad "--platform width.xml --model comm" "1 *width.xml:2: *bandwidth *, expected *"
done
# 10^6 hosts with a core each: many workers, none of which names a memory.
echo '<zone id="z" routing="Full"><cluster id="c" prefix="n" suffix="" radical="0-999999" speed="1Gf" bw="1GBps"/></zone>' | platform many
traceviz simulate -q one.csv --platform many.xml -o many.csv
is "$(makespan many.csv)" "$(awk -F, "$by_name"'{ n += $c["End"] - $c["Start"] } END { printf "%.6f", n }' one.csv)" "10^6 cores"
bad "--platform many.xml --model comm" "1 *the core 'n0' names no memory*"
# Graphs: a cycle, tasks without a duration.
printf '%s\nCPU0,t,0,4,1,2,a,R,1000\nCPU0,t,4,8,2,1,a,R,1000\n' $HEAD >ring.csv
bad "--platform p.xml --model comm" "1 *ring.csv:2: the dependencies form a cycle: 1 -> 2 -> 1*" ring.csv
printf 'ResourceId,Value,Start,End,JobId,DependsOn,Flag\n,t,,,1,,planned\n' >untimed.csv
bad "--platform p.xml" "1 *untimed.csv: task 1 of type *: no worker of the machine can run it" untimed.csv
rm many.xml many.csv
