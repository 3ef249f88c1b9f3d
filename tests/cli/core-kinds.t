#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# core-kinds.t: machines with several kinds of cores as platforms, and workers of these kinds
. "$(dirname "$0")/lib.sh"
plan 21

hybrid=$TESTDATA/hwloc/hybrid.xml # 2 IntelCore with 2 threads each, 4 IntelAtom
kinds() { traceviz platform "$1" | awk -F, '$2 == "core" { print $1, $9 }' | sed 's/ $/ -/' | tr '\n' ' '; }
is "$(kinds "$hybrid")" "core-0 IntelCore core-1 IntelCore core-2 IntelAtom core-3 IntelAtom core-4 IntelAtom core-5 IntelAtom " \
	"the kind of each core"
traceviz convert -q "$hybrid" -o machine
is "$(traceviz platform "$hybrid" | awk -F, '$2 == "core" { print $9 }')" \
	"$(awk -F, "$by_name"'$c["ResourceType"] == "Core" { print $c["CpuKind"] }' machine/resources.csv)" \
	"as the reader of traces has it"
is "$(traceviz platform "$TESTDATA/hwloc/hwloc3.xml" | awk -F, 'NR > 1 && $9 != ""' | wc -l | tr -d ' ')" 0 "a machine of one kind has none"
sed '/value="Intel/d' "$hybrid" >unnamed.xml
is "$(kinds unnamed.xml)" "core-0 kind1 core-1 kind1 core-2 kind0 core-3 kind0 core-4 kind0 core-5 kind0 " "kinds without names"
sed 's/cpuset="0x000000f0" forced/cpuset="0x00000070" forced/' "$hybrid" >some.xml
is "$(kinds some.xml)" "core-0 IntelCore core-1 IntelCore core-2 IntelAtom core-3 IntelAtom core-4 IntelAtom core-5 - " "a core of no kind"
sed 's/cpuset="0x000000f0" forced/cpuset="0x0000000g" forced/' "$hybrid" >bad.xml
line=$(grep -n '0x0000000g' bad.xml | cut -d: -f1)
run traceviz platform bad.xml
is "$rc $(cat stderr)" "1 traceviz: bad.xml:$line: cpuset '0x0000000g', expected words of 32 bits as in 0x000000ff,0x0000ffff" "a bad set of a kind"
awk '{ print } /<cpukind/ { n = 1 } /<\/cpukind>/ && !done { done = 1; for (i = 0; i < 64; i++) print "<cpukind cpuset=\"0x1\"></cpukind>" }' "$hybrid" >many.xml
run traceviz platform many.xml
like "$rc $(cat stderr)" "1 traceviz: many.xml:*: more than 64 kinds of cores" "too many kinds"

# 12 independent tasks: 1 ms on one kind, 2 ms on the other
tasks() { # TYPE...
	echo ResourceId,Value,Start,End,JobId,ResourceType,GFlop
	i=0
	while [ "$i" -lt 12 ]; do
		set -- "$@" "$1"
		kind=$1
		shift
		case $kind in IntelAtom) d=2 ;; *) d=1 ;; esac
		awk -v i="$i" -v k="$kind" -v d="$d" 'BEGIN { printf "%s0,work,%d,%d,%d,%s,0.01\n", k, 2 * i, 2 * i + d, i + 1, k }'
		i=$((i + 1))
	done
}
shape() { awk -F, "$by_name"'$c["Start"] != "" { print $c["ResourceType"], $c["Duration"] }' "$1" | sort | uniq -c | awk '{ print $2, $3 }' | tr '\n' ';'; }
places() { awk -F, "$by_name"'$c["Start"] != "" { print $c["ResourceId"], $c["ResourceType"] }' "$1" | sort -u | tr '\n' ';'; }
tasks IntelCore IntelAtom >both.csv
run traceviz simulate both.csv --platform "$hybrid" -o out.csv
is "$rc" 0 "a run with tasks on both kinds"
is "$(places out.csv)" "core-0 IntelCore;core-1 IntelCore;core-2 IntelAtom;core-3 IntelAtom;core-4 IntelAtom;core-5 IntelAtom;" "is simulated on cores of these types"
is "$(shape out.csv)" "IntelAtom 2.000000;IntelCore 1.000000;" "with the durations of each"
is "$(traceviz bounds -q out.csv 2>/dev/null | grep -i abe | grep -o '[0-9.]*\.[0-9]*' | head -1)" 3.000000 \
	"4 tasks per ms: the area bound is 3 ms"

tasks CPU >cpu.csv
run traceviz simulate cpu.csv --platform "$hybrid" -o cpu-out.csv
like "$rc $(cat stderr)" "0 *hybrid.xml: its cores are of several kinds, and all take the durations of CPU*" "durations of CPU alone: said"
is "$(shape cpu-out.csv)" "CPU 1.000000;" "and used for all"
run traceviz simulate cpu.csv --platform "$TESTDATA/hwloc/hwloc3.xml" -o one.csv
ok "of one kind: not a word of it" test "$rc $(grep -c kinds stderr)" = "0 0"

tasks IntelCore >core.csv
run traceviz simulate core.csv --platform "$hybrid" -o bad.csv
like "$rc $(cat stderr)" "1 *no task of the run has a duration on the resource type IntelAtom; --durations-from or --gflops gives them*" \
	"a kind without durations is refused by name"
run traceviz simulate core.csv --platform "$hybrid" --gflops IntelAtom=5 -o given.csv
is "$rc $(shape given.csv)" "0 IntelAtom 2.000000;IntelCore 1.000000;" "unless they are given"
run traceviz simulate cpu.csv --platform "$hybrid" --gflops IntelCore=20 -o bad.csv
like "$rc $(cat stderr)" "1 *hybrid.xml: core-2 is a core of the kind IntelAtom, on which no task has a duration; --durations-from or --gflops gives them*" \
	"given for one kind only: the other one is named"
run traceviz simulate cpu.csv --platform "$hybrid" --gflops IntelCore=20,IntelAtom=10 -o given.csv
is "$rc $(shape given.csv)" "0 IntelAtom 1.000000;IntelCore 0.500000;" "given for both"
run traceviz simulate both.csv --platform some.xml -o bad.csv
like "$rc $(cat stderr)" "1 *no task of the run has a duration on the resource type CPU*" "a core of no kind is a CPU"
run traceviz simulate both.csv --platform "$hybrid" --sweep CPU=1..4
ok "a sweep of such a platform is refused" test "$rc" = 1
run traceviz simulate both.csv --platform "$hybrid" --resources CPU=3 -o three.csv
is "$rc $(places three.csv)" "0 core-0 IntelCore;core-1 IntelCore;core-2 IntelAtom;" "--resources: the first three cores"
