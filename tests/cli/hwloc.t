#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hwloc.t: objects of a machine from hwloc's XML: against hwloc's own list, beside a trace, of several hosts, damaged
. "$(dirname "$0")/lib.sh"
plan 20

xml=$TESTDATA/hwloc/e5-2650.xml
run traceviz convert -q "$xml" -o objects
is "$rc $(grep -c . objects/resources.csv)" "0 45" "44 objects"
is "$(grep -E '^(ResourceId|NUMANode:0|L3:0|L1d:7|PU:15),' objects/resources.csv)" \
	"ResourceId,ResourceType,Parent,Order,Depth,OsIndex,Cpuset,Size
NUMANode:0,NUMANode,Package:0,0,2,0,0-15,
L3:0,L3,Package:0,0,2,,0-15,16777216
L1d:7,L1d,L2:7,7,4,,14-15,32768
PU:15,PU,Core:7,15,6,15,15," "with parents, numbers, processors and sizes"

# hwloc itself: levels, numbers and processors of an odd machine of 144 PUs.
if command -v lstopo-no-graphics >/dev/null; then
	lstopo-no-graphics --of xml --input "pack:2 [numa] die:2 l3:3 [numa] l2:2 l1i:1 l1d:1 core:3 pu:2" odd.xml
	traceviz convert -q odd.xml -o odd
	for level in Package NUMANode L3 L2 L1d L1i Core; do
		i=0
		while [ "$i" -lt "$(hwloc-calc --input odd.xml -N "$level" all)" ]; do
			echo "$level:$i $(hwloc-calc --input odd.xml --po -I PU "$level:$i")"
			i=$((i + 1))
		done
	done | sort >want.txt
	# shellcheck disable=SC2016 # perl's variables
	perl -ne 'next if !/^((?!Machine|Die|PU)[A-Z]\w+:\d+),.*?,(?:"([^"]*)"|([^,]*)),\d*$/;
		my ($id, $cpus) = ($1, $2 // $3);
		print "$id ", join(",", map { /(.*)-(.*)/ ? $1 .. $2 : $_ } split /,/, $cpus), "\n"' odd/resources.csv |
		sort >got.txt
	is "$(diff got.txt want.txt | head -5)" "" "numbers and processors of each level are hwloc's"
	ok "of all its objects" test "$(wc -l <want.txt)" -gt 100
else
	skip 2 "hwloc's commands are not installed"
fi

traceviz convert -q "$DATA/cholesky.csv" -o run
cp "$xml" run/topology.xml
run traceviz convert run -o joined
is "$rc $(grep -c , joined/resources.csv) $(cmp run/tasks.csv joined/tasks.csv && echo same)" "0 45 same" "a folder's file joins its trace"
run traceviz idleness -q run
is "$(wc -l <stdout)" "$(traceviz idleness -q "$DATA/cholesky.csv" | wc -l)" "whose workers remain those"
cp "$xml" joined/topology.xml
traceviz convert -q joined -o again
ok "objects that are there already are not added again" cmp joined/resources.csv again/resources.csv
sed 's/"SyntheticDescription" value="[^"]*"/"HostName" value="beta"/' "$xml" >run/b.xml
traceviz convert -q run -o two
is "$(grep -c '^beta/.*,beta,' two/resources.csv) $(grep -c '^machine1/' two/resources.csv)" "44 44" \
	"names of objects of several machines begin with the host"
# hwloc 3: the name of the host is behind the objects, as an info of the topology.
run traceviz convert -q "$TESTDATA/hwloc/hwloc3.xml" -o three
is "$rc $(cut -d, -f2 three/resources.csv | sort | uniq -c | awk '{ print $2 "=" $1 }' | tr '\n' ' ')" \
	"0 Core=4 Machine=1 NUMANode=2 PU=4 Package=2 ResourceType=1 " "hwloc 3: all its objects"
is "$(grep '^NUMANode:1,' three/resources.csv)" "NUMANode:1,NUMANode,Package:1,1,2,1,2-3,1000000000" "with their values"
mkdir both
cp "$TESTDATA/hwloc/hwloc3.xml" both/a.xml
sed 's/"node0"/"node1"/' both/a.xml >both/b.xml
traceviz convert -q both -o hosts
is "$(grep -E '^node[01]/PU:3,' hosts/resources.csv | cut -d, -f1-3)" "node0/PU:3,PU,node0
node1/PU:3,PU,node1" "two machines have the names of their hosts"
# Kinds of cores: two cores of two threads, four of one that share an L2; as hwloc lists them.
run traceviz convert -q "$TESTDATA/hwloc/hybrid.xml" -o hybrid
kinds() { awk -F, -v level="$1" "$by_name"'$c["ResourceType"] == level { print $c["CpuKind"] }' hybrid/resources.csv | uniq -c | awk '{ print $1 "x" $2 }' | tr '\n' ' '; }
is "$rc $(kinds PU)$(kinds Core)$(kinds L2)" "0 4xIntelCore 4xIntelAtom 2xIntelCore 4xIntelAtom 2xIntelCore 1xIntelAtom " "kinds of cores"
is "$(kinds L3)$(kinds NUMANode)" "1x 1x " "what has cores of several kinds has none"
if command -v lstopo-no-graphics >/dev/null; then
	lstopo-no-graphics --cpukinds -i "$TESTDATA/hwloc/hybrid.xml" |
		awk '/^CPU kind/ { set = $NF } /CoreType/ { print $NF, set }' | while read -r kind set; do
		hwloc-calc --input "$TESTDATA/hwloc/hybrid.xml" --po -I PU "$set" | tr ',' '\n' | sed "s/.*/PU:& $kind/"
	done | sort >want.txt
	awk -F, "$by_name"'$c["ResourceType"] == "PU" { print "PU:" $c["OsIndex"], $c["CpuKind"] }' hybrid/resources.csv |
		sort >got.txt
	is "$(cat got.txt)" "$(cat want.txt)" "those of lstopo --cpukinds"
else
	skip 1 "hwloc's commands are not installed"
fi
sed 's/<cpukind cpuset="0x000000f0"/<cpukind cpuset="0x00f0g"/' "$TESTDATA/hwloc/hybrid.xml" >badkind.xml
run traceviz info badkind.xml
like "$rc $(cat stderr)" "1 traceviz: badkind.xml:*: cpuset '0x00f0g', expected words*" "a damaged set of a kind is refused"
gzip -c "$xml" >topology.xml.gz
run traceviz convert -q topology.xml.gz -o packed
ok "compressed" cmp packed/resources.csv objects/resources.csv

sed 's/cpuset="0x0000ffff"/cpuset="0x0000fffg"/' "$xml" >bad.xml
run traceviz info bad.xml
like "$rc $(cat stderr)" "1 traceviz: bad.xml:4: cpuset '0x0000fffg', expected words*" "a damaged set of processors is refused"
sed 's/version="2.0"/version="1.9"/' "$xml" >old.xml
run traceviz info old.xml
like "$rc $(cat stderr)" "1 traceviz: old.xml:3: hwloc's version 1.9, expected 2 or 3*" "so is hwloc 1"
head -c 2000 "$xml" >cut.xml
run traceviz info cut.xml
like "$rc $(cat stderr)" "1 traceviz: cut.xml:*: not well-formed XML*" "so is half a file"
{
	sed 4q "$xml"
	awk 'BEGIN { for (i = 0; i < 200; i++) print "<object type=\"Group\">" }'
} >deep.xml
run traceviz info deep.xml
like "$rc $(cat stderr)" "1 traceviz: deep.xml:*nested deeper than 100*" "so is a hostile depth"
