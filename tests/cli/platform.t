#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# traceviz platform: hosts, links and routes of shipped platforms, of SimGrid's and hwloc's files; wrong input.
. "$(dirname "$0")/lib.sh"
plan 34
FILES=$TESTDATA/platform

kinds() { traceviz platform "$@" | awk -F, 'NR > 1 { n[$2]++ } END { print n["core"], n["cache"], n["memory"] }'; }
is "$(kinds intel6240)" "36 2 2" "intel6240: cores, caches, memories"
is "$(kinds epyc7452) $(kinds epyc7452-flat)" "64 16 16 64 16 16" "epyc7452, with and without hierarchy"
is "$(traceviz platform epyc7452 | grep '^core-63,')" "core-63,core,epyc7452,19.79,1,,cache-15,memory-15," "a core"
is "$(traceviz platform intel6240 | grep '^cache-1,')" "cache-1,cache,intel6240,,1,25952256,,memory-1," "an L3 of 24.75 MiB"
is "$(traceviz platform epyc7452 --links | grep -c splitduplex)" 89 "links of 64 cores, 16 ports, 8 dies, the sockets"
is "$(traceviz platform epyc7452 --links | tail -1)" "sockets,splitduplex,70,0.000221" "a link"

# What one reader of a cache measured (data/platforms/README.md), from all caches.
is "$(traceviz platform epyc7452 --routes 'cache-*,core-0' | cut -d, -f3 | uniq -c | awk '{ print $1 "x" $2 }' | tr '\n' ' ')" \
	"1xBandwidth 1x40 7x10 8x8 " "epyc7452: bandwidths of one transfer"
is "$(traceviz platform intel6240 --routes 'cache-*,core-35' | cut -d, -f3 | tr '\n' ' ')" "Bandwidth 7 12 " "intel6240"
is "$(traceviz platform epyc7452 --routes 'core-0,core-0')" "From,To,Bandwidth,Latency,Links
core-0,core-0,,0.000000," "from a host to itself nothing is crossed"
is "$(traceviz platform epyc7452 --routes '*,*' | wc -l)" 9217 "all pairs"

is "$(traceviz platform "$FILES/zones.xml" --routes '*,a' | cut -d, -f1,3,5 | tail -n +2 | tr '\n' ';')" \
	"n0.c,0.0125,c_link_0 c_backbone cl out ag;n1.c,0.0125,c_link_1 c_backbone cl out ag;n7.c,0.0125,c_link_7 c_backbone cl out ag;\
a,0.0125,ag;b,0.0125,bg ag;g,0.0125,ag;s0,0.0125,l0 bb ls- out ag;s1,1e-06,l1 bb ls- out ag;" "routes through zones"
is "$(kinds "$FILES/topology.xml")" "6 3 3" "hwloc's topology"
is "$(kinds "$TESTDATA/hwloc/hwloc3.xml")" "4  2" "that of hwloc 3"
is "$(traceviz platform "$FILES/units.xml" | cut -d, -f1,4 | tail -n +2 | tr '\n' ' ')" "a,1 b,2 c,3 " \
	"speeds in flops, gigaflops and Gf"
is "$(kinds - <"$FILES/topology.xml")" "6 3 3" "from standard input"
gzip -c "$FILES/topology.xml" >t.xml.gz
is "$(kinds t.xml.gz)" "6 3 3" "compressed"
cp "$FILES/topology.xml" epyc7452
is "$(kinds ./epyc7452) $(kinds epyc7452)" "6 3 3 64 16 16" "./epyc7452 is a file"
like "$(traceviz platform --json intel6240)" '\[*{"Host":"memory-0","Kind":"memory",*' "JSON"
traceviz platform intel6240 -o hosts.csv
is "$(traceviz platform intel6240 | cksum)" "$(cksum <hosts.csv)" "to a file"

cat >cabinet.xml <<'EOF'
<?xml version='1.0'?>
<platform version="4.1">
 <config><prop id="smpi/host-speed" value="1Gf"/><prop id="network/crosstraffic" value="0"/></config>
 <zone id="z" routing="Full">
  <zone id="y" routing="Cluster">
   <cabinet id="k" prefix="boo" suffix=".org" speed="3Gf" bw="56Gbps" lat="1us" radical="1-3,7"/>
   <cabinet id="l" prefix="dart" suffix="" speed="2Gf" bw="7GBps" lat="1us" radical="0-0"/>
   <backbone id="bb" bandwidth="2.25GBps" latency="500us"/>
  </zone>
  <host id="disk" speed="1Gf"><disk id="d" read_bw="100MBps" write_bw="40MBps"><prop id="size" value="5GiB"/></disk></host>
 </zone>
</platform>
EOF
run traceviz platform cabinet.xml --routes 'boo7.org,*'
is "$(cut -d, -f2- stdout | tail -n +2 | tr '\n' ';')" "boo1.org,2.25,0.502000,link_boo7.org bb link_boo1.org-;\
boo2.org,2.25,0.502000,link_boo7.org bb link_boo2.org-;boo3.org,2.25,0.502000,link_boo7.org bb link_boo3.org-;boo7.org,,0.000000,;\
dart0,2.25,0.502000,link_boo7.org bb link_dart0-;" "hosts of cabinets"
like "$(cat stderr)" "*warning: cabinet.xml: 2 elements or settings of SimGrid's XML that describe no host, link or route, \
the first in line 3: setting 'smpi/host-speed': not used*" "disks and settings of other parts are counted"
run traceviz platform cabinet.xml -q
is "$rc $(cut -d, -f1,4 stdout | tail -n +2 | tr '\n' ' ')" "0 boo1.org,3 boo2.org,3 boo3.org,3 boo7.org,3 dart0,2 disk,1 " \
	"speeds of cabinets"

# wrong usage
for bad in "" "intel6240 epyc7452" "intel6240 --links --routes a,b" "intel6240 --routes a"; do
	# shellcheck disable=SC2086
	run traceviz platform $bad
	is "$rc" 2 "wrong usage: $bad"
done
run traceviz platform intel6240 --routes 'x*,core-0'
is "$rc $(cat stderr)" "1 traceviz: intel6240: no host matches 'x*'; 'traceviz platform PLATFORM' lists them" "no host of that name"

# damaged files
run traceviz platform nothing.xml
is "$rc $(cat stderr)" "1 traceviz: nothing.xml: cannot open: No such file or directory" "no file"
sed '13s/100Mbps/100/' "$FILES/zones.xml" >unit.xml
run traceviz platform unit.xml
is "$rc $(cat stdout) $(cat stderr)" "1  traceviz: unit.xml:13: bandwidth '100', expected a bandwidth such as 10GBps or 100Mbps" \
	"a bandwidth without a unit"
grep -v 'src="b"' "$FILES/zones.xml" >hole.xml
run traceviz platform hole.xml --routes 'a,b'
is "$rc $(cat stdout) $(cat stderr)" "1  traceviz: hole.xml: no route from 'a' to 'b' in zone 'inner'; --routes 'a,*' lists those that exist" "a missing route"
cat >three.xml <<'EOF'
<?xml version='1.0'?>
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
<link id="l" bandwidth="1GBps" latency="1us"/><route src="a" dst="b"><link_ctn id="l"/></route>
</zone></platform>
EOF
run traceviz platform three.xml --routes '*,*'
is "$rc $(cut -d, -f1,2,5 stdout | tr '\n' ' ')$(cat stderr)" \
	"0 From,To,Links a,a, a,b,l b,a,l b,b, c,c, traceviz: 4 of 9 pairs are left out, the last one: no route from 'c' to 'b' in zone 'z'; -o FILE.svg draws what is connected" \
	"pairs that have a route are listed"
head -c 1500 "$FILES/zones.xml" >cut.xml
run traceviz platform cut.xml
like "$rc $(cat stderr)" "1 traceviz: cut.xml:*: not well-formed XML: *" "a truncated file"
{ echo '<!DOCTYPE x ['; echo '<!ENTITY a "aaaaaaaaaa">'; echo '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'; echo '<platform version="&b;"/>'; } >laughs.xml
run traceviz platform laughs.xml
is "$rc $(cat stderr)" "1 traceviz: laughs.xml:2: the file declares the entity 'a', which is not supported" "entities"
echo '<platform version="4.1"><zone id="z" routing="Full"><cluster id="c" radical="0-3000000" speed="1Gf" bw="1GBps"/></zone></platform>' >large.xml
run traceviz platform large.xml --max-memory 100M
like "$rc $(cat stdout) $(cat stderr)" "1  traceviz: *memory*" "more hosts than memory holds"
