#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# platform-bandwidth.t: examples/bandwidth: its tables and platforms of recorded measurements, the script with a program that measures
# nothing, copies and usage of the real one; nothing here depends on times
. "$(dirname "$0")/lib.sh"
plan 36
here=$ROOT/examples/bandwidth
known=$TESTDATA/bandwidth

# ---- cores and pairs ----
cores() { traceviz convert -q "$1" -o objects && awk -f "$here/topology.awk" objects/resources.csv; rm -r objects; }
is "$(cores "$known/two-cores.xml")" "Core,Cpu,Cache,CacheSize,Memory,Package
0,0,0,33554432,0,0
1,1,1,33554432,0,0" "cores of a topology"
is "$(cores "$TESTDATA/hwloc/e5-2650.xml" | sed -n '2p;9p')" "0,0,0,16777216,0,0
7,14,0,16777216,0,0" "first processors of cores with two threads each"
is "$(cores "$TESTDATA/hwloc/hwloc3.xml" | tail -1)" "3,3,-1,,1,1" "cores without a cache, the memory of their package"
cat >objects.csv <<'END'
Cpuset,ResourceId,ResourceType,Parent,Size
"0-1,4-5",Package:3,Package,,
"0-1,4-5",MemCache:0,MemCache,Package:3,1
"0-1,4-5",NUMANode:2,NUMANode,MemCache:0,
"4,0",L3:7,L3,Package:3,9
"4,0",L2:7,L2,L3:7,8
"4,0",Core:9,Core,L2:7,
"5,1",Core:10,Core,Package:3,
END
is "$(awk -f "$here/topology.awk" objects.csv)" "Core,Cpu,Cache,CacheSize,Memory,Package
0,4,0,9,2,3
1,5,-1,,2,3" "quoted lists of processors, columns by name, a memory behind a cache of its own"

pairs() { awk -v pairs="$1" -f "$here/pairs.awk" "$2"; }
cores "$known/two-cores.xml" >two.csv
is "$(pairs first two.csv)" "cache 0 1 single 1 0:1
cache 0 1 same 2 0:1 0:1
cache 0 1 opposite 2 0:1 1:0" "two cores: one pair, three modes"
is "$(pairs first "$known/topology.csv" | grep -E '^core|(0 3|0 4) (same|opp)')" "core 0 1 single 1 0:1
core 0 1 same 2 0:1 0:1
core 0 1 opposite 2 0:1 1:0
cache 0 3 same 2 0:3 1:2
cache 0 3 opposite 2 0:3 2:1
package 0 4 same 2 0:4 1:5
package 0 4 opposite 2 0:4 5:1" "levels; other cores of the same caches carry the other transfers"
is "$(pairs all "$known/topology.csv" | awk '{ n[$2 "-" $3] } END { for (p in n) m++; print m }')" 15 "all pairs of six cores"
awk 'BEGIN { print "Core"; for (i = 0; i < 16; i++) print i "," i "," int(i / 8) ",,0,0" }' >wide.csv
is "$(pairs first wide.csv | awk '$1 == "cache" && $3 == 8 { print $4, $5, NF - 5 }' | tr '\n' ';')" \
	"single 1 1;same 2 2;opposite 2 2;same 4 4;opposite 4 4;same 8 8;opposite 8 8;" "more and more transfers between large caches"

# ---- do the runs agree ----
spread() { awk -f "$here/spread.awk" "$@" >stdout 2>stderr; echo "$? $(cat stderr)"; }
is "$(spread "$known/agree.csv")" "0 bandwidth: 3 runs agree within 15 %: the largest difference is 14.0 % (opposite 0-1)" "recorded runs that agree"
is "$(cat stdout)" "Level,From,To,Mode,Bandwidth,Min,Max,Spread,Ratio
cache,0,1,single,31.928,31.337,33.254,6.1,1.00
cache,0,1,same,31.928,31.337,33.254,6.1,1.00
cache,0,1,opposite,63.013,57.276,65.32,14.0,1.97" "their table: both directions do not share"
is "$(spread "$known/differ.csv")" "1 bandwidth: 3 runs do not agree within 15 %: opposite 0-1 (45.843 to 53.265 GB/s)" "recorded runs that do not: which"
head -1 "$known/agree.csv" >columns
trials() { # RUN MODE BEST...
	run=$1 mode=$2; shift 2
	for best; do echo "$run,1,core,0,1,$mode,1,64,1,$best,1,1"; done
}
{ cat columns; trials a single 100 99 1; trials b single 115; trials c single 110 9; } >limit.csv
is "$(spread limit.csv)" "0 bandwidth: 3 runs agree within 15 %: the largest difference is 15.0 % (single 0-1)" "exactly the limit; numbers, not texts, are compared"
sed 's/,115,/,115.1,/' limit.csv >above.csv
is "$(spread above.csv)" "1 bandwidth: 3 runs do not agree within 15 %: single 0-1 (100 to 115.1 GB/s)" "above it"
is "$(spread -v limit=20 above.csv | cut -c1-42)" "0 bandwidth: 3 runs agree within 20 %: the" "another limit"
{ cat columns; for r in a b; do trials $r single 10; trials $r same 9 19; trials $r opposite 8; done; } >several.csv
spread several.csv >summary
is "$(cut -d, -f4,5,9 stdout | tail -3)" "single,10,1.00
same,19,1.90
opposite,10,1.00" "the largest sum of any number of transfers; never below one alone"
{ cat columns; trials a single 10; trials a same 10; trials b single 10; } >hole.csv
is "$(spread hole.csv)" "1 bandwidth: run b has no same 0-1" "a run without a row"
{ cat columns; trials a single 10; } >one.csv
is "$(spread one.csv) $(spread columns)" "1 bandwidth: fewer than two runs to compare 1 bandwidth: fewer than two runs to compare" "one run, none"

# ---- the platform ----
platform() { awk -f "$here/platform.awk" "$1" "$2"; }
platform "$known/topology.csv" "$known/bandwidth.csv" >six.xml
is "$(traceviz platform --csv six.xml | sed -n '2p;5p;8p;13p')" "memory-0,memory,machine-zone,,1,,,,
cache-0,cache,machine-zone,,1,16777216,,memory-0,
core-0,core,machine-zone,1,1,,cache-0,memory-0,
core-5,core,machine-zone,1,1,,cache-2,memory-2," "hosts"
is "$(traceviz platform --csv --links six.xml | grep -E '^(core-5|port-1|package-1|cache-2|memory-1)' | cut -d, -f1-3)" "package-1-flow,fatpipe,7.5
package-1,splitduplex,25
package-1-total,shared,20
memory-1,shared,12.8
port-1-flow,fatpipe,10
port-1,splitduplex,16
port-1-total,shared,14
cache-2,fatpipe,40
core-5-flow,fatpipe,40
core-5,splitduplex,40
core-5-total,shared,60" "three links in series, the median over the pairs"
is "$(traceviz platform --csv --routes 'core-0,core-*' six.xml | cut -d, -f2,3 | tail -6 | tr '\n' ' ')" \
	"core-0, core-1,40 core-2,10 core-3,10 core-4,7.5 core-5,7.5 " "one transfer gets what was measured"
spread "$known/agree.csv" >summary
cp stdout two-measured.csv
platform two.csv two-measured.csv >two.xml
is "$(traceviz platform --csv --links two.xml | grep -E '^(core-1|port-1|package)' | cut -d, -f1-3)" "package-0-flow,fatpipe,31.928
port-1-flow,fatpipe,31.928
port-1,splitduplex,31.928
port-1-total,shared,63.013
core-1-flow,fatpipe,31.928" "levels without pairs limit one transfer alone"
is "$(traceviz platform --csv --routes 'core-0,core-1' two.xml | cut -d, -f3 | tail -1)" 31.928 "between two cores"
# Without caches, and without sizes, memories and packages.
cores "$TESTDATA/hwloc/hwloc3.xml" >bare.csv
printf 'Core,Cpu,Cache,CacheSize,Memory,Package\n0,0,-1,,-1,-1\n1,1,0,,-1,-1\n2,2,0,,-1,-1\n' >few.csv
for table in bare few; do
	pairs first $table.csv | awk 'BEGIN { print "Level" } { print $1 "," $2 "," $3 "," $4 ",10" }' >measured.csv
	platform $table.csv measured.csv >$table.xml
done
is "$(traceviz platform --csv --routes 'core-0,*' few.xml | cut -d, -f2,3 | sed 1d | tr '\n' ' ')" "cache-0,10 core-0, core-1,10 core-2,10 " "nothing known but cores"
failed=
for xml in six two bare few; do
	for model in task comm comm-cache; do
		case $xml-$model in bare-comm-cache | few-comm*) continue ;; esac # has no caches, no memories
		traceviz generate cholesky --tiles 4 --allocate | traceviz simulate -q - --platform $xml.xml --model $model -o sim.csv 2>why ||
			failed="$failed $xml $model: $(cat why);"
	done
done
is "$failed" "" "simulate reads them, with each model"
echo Level >none.csv
platform two.csv none.csv >stdout 2>stderr
is "$? $(cat stderr)" "1 platform.awk: no pair of cores was measured" "nothing measured"

# ---- the script ----
# Measures nothing: the n-th call prints the n-th row of ./rows, the last one again and again.
cat >program <<'END'
#!/bin/sh
echo "$*" >>calls
n=$(wc -l <calls)
row=$(sed -n "${n}p" rows)
echo "2,4194304,300,${row:-$(tail -1 rows)},1,1"
END
chmod +x program
export BANDWIDTH="$PWD/program" TOPOLOGY="$known/two-cores.xml" TRIALS=1
echo 10 >rows
run sh "$here/run.sh" out
is "$rc $(cat stderr) $(ls out | tr '\n' ' ')" "0 bandwidth: two cores: one pair
bandwidth: 3 runs agree within 15 %: the largest difference is 0.0 % (single 0-1) bandwidth.csv platform.xml topology.csv trials.csv " \
	"runs agree: a platform"
is "$(sort calls | uniq -c | awk '{ $1 = $1; print }')" "3 --bytes 4194304 --rounds 300 0:1
3 --bytes 4194304 --rounds 300 0:1 0:1
3 --bytes 4194304 --rounds 300 0:1 1:0" "three runs of three modes"
printf '%s\n' 10 10 20 10 10 20 10 10 30 >rows
rm calls
run sh "$here/run.sh" out
is "$rc $(tail -1 stderr) $(ls out | tr '\n' ' ')" \
	"1 bandwidth: 3 runs do not agree within 15 %: opposite 0-1 (20 to 30 GB/s) bandwidth.csv topology.csv trials.csv " \
	"they do not: no platform, not even that of before"
rm calls
run sh "$here/run.sh" --force out
is "$rc $(traceviz platform --csv --links out/platform.xml | grep -c total,shared,20)" "0 2" "--force"
cat >one.xml <<'END'
<topology version="2.0"><object type="Machine" cpuset="0x1"><object type="Core" os_index="0" cpuset="0x1"><object type="PU" os_index="0" cpuset="0x1"/></object></object></topology>
END
run env TOPOLOGY=one.xml sh "$here/run.sh" out
is "$rc $(cat stderr)" "1 bandwidth: one core: no pair to measure" "one core"
failed=
for options in "" "--pairs out" "--pairs some out" "--fast out" "out --force"; do
	# shellcheck disable=SC2086
	run sh "$here/run.sh" $options
	[ "$rc $(wc -l <stderr)" = "2 1" ] || failed="$failed $options: $rc;"
done
printf '#!/bin/sh\necho "bandwidth: broken" >&2\nexit 1\n' >program
run sh "$here/run.sh" out
is "$failed$rc $(tail -1 stderr)" "1 bandwidth: broken" "wrong options: status 2, one line; a program that fails"

# ---- the program: what it copies, not how fast ----
program=${TRACEVIZ_BIN:-$ROOT/build}/examples/bandwidth/bandwidth
[ -x "$program" ] || { skip 5 "no build/examples/bandwidth/bandwidth (make examples)"; exit; }
wrong=
for options in "" "0:0" "0" "0:1x" "-1:0" "0:99999" "--bytes 100 0:1" "--bytes 0 0:1" "--rounds 0 0:1" "--rounds x 0:1" "--bytes" "--fast"; do
	# shellcheck disable=SC2086
	run "$program" $options
	[ "$rc $(wc -l <stderr)$(cat stdout)" = "2 1" ] || wrong="$wrong $options: $(cat stderr);"
done
is "$wrong" "" "wrong options: status 2, one line"
run "$program" --help
is "$rc $(head -1 stdout)" "0 usage: bandwidth [OPTIONS] WRITER:READER..." "--help"
cpus=$(taskset -cp $$ 2>/dev/null | sed 's/.*: //' | tr , '\n' | awk -F- '{ for (i = $1; i <= $NF; i++) print i }' | head -2 | tr '\n' ' ')
a=${cpus%% *} b=${cpus#* } b=${b%% *}
if [ -z "$b" ] || [ "$a" = "$b" ]; then
	skip 3 "fewer than two processors"
	exit
fi
rows=
for transfers in "$a:$b" "$a:$b $a:$b" "$a:$b $b:$a" "$a:$b $b:$a $a:$b"; do
	for bytes in 64 4096 73792; do
		# shellcheck disable=SC2086
		run "$program" --check --bytes $bytes --rounds 4 $transfers
		rows="$rows$(awk -F, -v rc="$rc" '{ print rc, $1, $2, $3, NF, ($4 >= $5 && $5 >= $6) }' stdout);"
	done
done
is "$rows" "0 1 64 4 6 1;0 1 4096 4 6 1;0 1 73792 4 6 1;0 2 64 4 6 1;0 2 4096 4 6 1;0 2 73792 4 6 1;0 2 64 4 6 1;0 2 4096 4 6 1;0 2 73792 4 6 1;0 3 64 4 6 1;0 3 4096 4 6 1;0 3 73792 4 6 1;" \
	"one transfer, two, both directions: each word is copied"
run "$program" --bytes 64 --rounds 2 0:1023
is "$rc $(cat stderr)" "1 bandwidth: a thread cannot be started, expected processors that it may use" "a processor that is not there"
"$program" --bytes 64 --rounds 2 "$a:$b" >/dev/full 2>stderr
is "$? $(cat stderr)" "1 bandwidth: the output cannot be written" "full disk"
