#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# topology.t: numbers for objects of the machine: of workers by hand, against idleness, of variables; the panel
. "$(dirname "$0")/lib.sh"
plan 56

# Two cores of two PUs. C0 is bound to core 0, C1 to PU 2, C2 may use core 1; t2 ran on PU 3.
mkdir run
cat >run/resources.csv <<'END'
ResourceId,ResourceType,Parent,Order,Depth,OsIndex,Cpuset
Machine:0,Machine,,0,0,0,
NUMANode:0,NUMANode,Machine:0,0,1,0,"2,3"
Core:0,Core,Machine:0,0,1,0,
Core:1,Core,Machine:0,1,1,1,
PU:0,PU,Core:0,0,2,0,
PU:1,PU,Core:0,1,2,1,
PU:2,PU,Core:1,2,2,2,
PU:3,PU,Core:1,3,2,3,
C0,CPU,,,,,0-1
C1,CPU,,,,,2
C2,CPU,,,,,2-3
C9,CPU,,,,,
END
cat >run/tasks.csv <<'END'
ResourceId,Value,Start,End,JobId,Kind,Cpu
C0,a,0,4,1,app,
C0,a,2,6,2,app,
C1,b,0,8,3,app,2
C2,b,1,3,4,app,3
C2,c,3,5,5,setup,3
C0,a,9,10,6,app,
END
values() { awk -F, 'NR > 1 { printf "%s%s=%s/%s", sep, $3, $11, $9; sep = " " }'; }
run traceviz topology --by busy run
is "$rc $(values <stdout)" "0 Machine:0=56.666666666666664/3 NUMANode:0=50/2 Core:0=70/1 Core:1=50/2 PU:0=/1 PU:1=/1 PU:2=80/1 PU:3=20/1" \
	"busy time by hand: floating workers leave what they do not determine missing"
like "$(cat stderr)" "*1 of 4 workers are on no object*" "a worker without processors is reported"
is "$(traceviz topology -q --by idleness run | values)" \
	"Machine:0=36.666666666666664/3 NUMANode:0=40/2 Core:0=30/1 Core:1=40/2 PU:0=/1 PU:1=/1 PU:2=20/1 PU:3=60/1" "idle time counts setup tasks as work"
is "$(traceviz topology -q --by b run | values | grep -o 'Core:.*')" "Core:0=0/1 Core:1=50/2 PU:0=/1 PU:1=/1 PU:2=80/1 PU:3=20/1" "a task type"
is "$(traceviz topology -q --by busy --at 2,8.5 run | grep -E '^[0-9.]+,[0-9.]+,Machine:0' | cut -d, -f1,2,11)" "2.000000,2.000000,100
8.500000,8.500000,0" "instants"
is "$(traceviz topology -q --by busy --windows 2 run | awk -F, '$3 == "Core:0" { print $1, $2, $10, $11 }')" "0.000000 5.000000 5 100
5.000000 10.000000 2 40" "windows"

# The mean of idleness over all workers is that of the machine, whatever the binding.
traceviz convert -q "$DATA/cholesky.csv" -o chol
cp "$TESTDATA/hwloc/e5-2650.xml" chol/topology.xml
traceviz idleness -q "$DATA/cholesky.csv" | awk -F, 'NR > 1 { print (NR == 2 ? "ResourceId,Cpuset\n" : "") $1 "," NR }' >bind.csv
is "$(traceviz topology -q chol --bind bind.csv | awk -F, '$3 == "Machine:0" { printf "%.6f", $11 }')" \
	"$(traceviz idleness -q "$DATA/cholesky.csv" | awk -F, 'NR > 1 { s += $7; n++ } END { printf "%.6f", s / n }')" \
	"the machine's idleness is that of its workers"

# Variables: gauges are means over time, counters sums per second, instants hold.
cat >run/variables.csv <<'END'
ResourceId,Type,Start,End,Value
Core:0,gauge,0,2,10
Core:0,gauge,2,10,20
Core:1,point,1,1,3
Core:1,point,7,7,5
PU:0,m.count,0,4,100
PU:0,m.count,4,10,1000
PU:77,m.count,4,10,7
END
printf 'Key,Value\nMonitor.m.count.Kind,counter\nMonitor.m.count.Unit,misses\n' >run/meta.csv
row() { traceviz topology -q "$@" run | awk -F, -v id="$object" '$3 == id { print $10, $11, $12, $13, $14 }'; }
object=Core:0
is "$(row --by gauge) $(row --by gauge --begin 1 --end 3) $(row --by gauge --at 2)" " 18  10 20  15  10 20  20  10 20" "a gauge: the mean over time"
object=Core:1
is "$(row --by point) $(row --by point --at 6)" " 4  3 5  3  3 5" "instants: their mean, the last one before"
object=PU:0
is "$(row --by m.count) $(row --by m.count --begin 3 --end 5)" "1100 110000 misses/s 25000 166666.66666666666 191.66666666666666 95833.33333333333 misses/s 25000 166666.66666666666" \
	"a counter: its sum, per second"

# Windows and instants in one run give what runs for each of them give; changes are differences of rows.
column() { cut -d, -f1-14; }
alone() { # BY: rows of windows [0, 2.5], ... one by one, without the heading
	for i in 0 1 2 3; do
		traceviz topology -q --by "$1" --begin "$(awk "BEGIN { print $i * 2.5 }")" --end "$(awk "BEGIN { print $i * 2.5 + 2.5 }")" run | column | sed 1d
	done
}
differ=
for by in busy idleness b gauge point m.count; do
	[ "$(traceviz topology -q --by $by --windows 4 run | column | sed 1d)" = "$(alone $by)" ] || differ="$differ $by"
	for t in 6 1 6 4 2 9.5; do traceviz topology -q --by $by --at $t run | sed 1d; done >a
	traceviz topology -q --by $by --at 6,1,6,4,2,9.5 run | sed 1d | cmp -s - a || differ="$differ $by/at"
done
is "$differ" "" "windows and instants are independent of each other"
changes() { awk -F, -v id="$1" '$3 == id { printf "%s ", $15 == "" ? "-" : $15 }'; }
is "$(traceviz topology -q --by busy --windows 2 run | changes Core:0)$(traceviz topology -q --by gauge --windows 5 run | changes Core:0)$(traceviz topology -q --by idleness --windows 2 run | changes PU:0)" \
	"- -60 - 10 0 0 0 - - " "the change from the window before"
is "$(traceviz topology -q --by gauge --at 1,3 run | changes Core:0)$(traceviz topology -q --by point --at 6,8 run | changes Core:1)$(traceviz topology -q --by busy --at 1,3 run | changes Core:0)" \
	"- 10 - 2 - - " "at instants from the reading before"

# Values that begin late, and those of a variable that is on workers.
cp -r run late
printf 'ResourceId,Type,Start,End,Value\nCore:1,late,6,8,1\nCore:1,late,8,10,5\nPU:3,late,8,10,2\nC0,of-worker,0,2,1\n' >late/variables.csv
is "$(traceviz topology -q --by late --windows 5 late | changes Core:0)$(traceviz topology -q --by late --windows 4 late | changes Core:1)$(traceviz topology -q --by late --windows 5 late | changes PU:3)" \
	"- - - - - - - - 3.2 - - - - - " "no change where no value was before"
run traceviz topology --by of-worker --windows 20 late
like "$rc $(cat stderr)" "1 *--by 'of-worker': its values are on other resources, expected a variable of objects of the machine" "values of a worker are on no object"

run traceviz topology --by nothing run
like "$rc $(cat stderr)" "2 *--by 'nothing', expected idleness, busy, the Type of a variable or a task type*" "an unknown name is refused"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\n' >plain.csv
run traceviz topology plain.csv
like "$rc $(cat stderr)" "1 *no objects of the machine*topology.xml*" "so is a trace without a machine"

traceviz convert -q chol --bind bind.csv -o bound
is "$(grep -c '^C[^o]' bound/resources.csv) $(traceviz topology -q bound | cksum)" \
	"12 $(traceviz topology -q chol --bind bind.csv | cksum)" "convert keeps bindings"
printf 'ResourceId,Cpuset\nC0,"2,3"\n' >moved.csv
is "$(traceviz topology -q --by busy --bind moved.csv run | values | grep -o 'Core.*Core[^ ]*')" "Core:0=/0 Core:1=85/2" \
	"a binding replaces that of the trace"
printf 'ResourceId,Cpuset\nC0,1\nnobody,0\n' >bad.csv
run traceviz topology --bind bad.csv run
like "$rc $(cat stderr)" "1 traceviz: bad.csv:3: 'nobody' is no worker of the trace" "a binding of no worker is refused"
printf 'ResourceId,Cpuset\nC0,1-\n' >bad.csv
run traceviz topology --bind bad.csv run
like "$rc $(cat stderr)" "1 traceviz: bad.csv:2: '1-', expected a list of processors*" "so is one that is no list"

# The panel: numbers of the pass, colors of the palette, no overlap on a large machine.
traceviz -q "$DATA/e5-2650" --panels topology --topology.by L3.value,L2.value,L1d.value,Core.value --width 3.5 -o e5.csv
# A number is below the name of its object, or beside it.
is "$(awk -F, '$1 == "text" && $3 == "number" {
	if ($13 ~ /  /) { split($13, part, "  "); print part[1], part[2] + 0; next }
	middle = int(($7 + $9 / 2) * 10 + 0.5)
	if ($13 ~ /:/) { name[middle] = $13; next }
	print name[middle], $13 + 0 }' e5.csv | sort)" \
	"$(awk -F, 'NR > 1 { print $1, $5 + 0 }' "$DATA/e5-2650/variables.csv" | sort)" "each of 25 objects has its number"
cat >run/variables.csv <<'END'
ResourceId,Type,Start,End,Value
PU:0,u,0,1,0
PU:1,u,0,1,1
PU:2,u,0,1,2
PU:3,u,0,1,3
Core:0,u,0,1,4
END
traceviz -q run --panels topology --topology.by u --palette hmon -o u.svg
is "$(grep -o 'class="object"[^>]*fill="#[0-9a-f]*"' u.svg | grep -o '#[0-9a-f]*' | grep -v '#ffffff' | sort | tr '\n' ' ')" \
	"#00ff00 #7fff00 #ff0000 #ff7f00 #ffff00 " "the palette hmon: green, yellow, red"
{
	cat "$DATA/e5-2650/resources.csv" | sed 1q
	echo 'Machine:0,Machine,,0,0,0,,'
	awk 'BEGIN { for (i = 0; i < 4096; i++) {
		if (i % 128 == 0) print "L3:" i / 128 ",L3,Machine:0," i / 128 ",1,,,"
		print "PU:" i ",PU,L3:" int(i / 128) "," i ",2," i ",," } }'
} >run/resources.csv
{
	echo ResourceId,Type,Start,End,Value
	awk 'BEGIN { for (i = 0; i < 4096; i++) print "PU:" i ",u,0,1," i % 7; for (i = 0; i < 32; i++) print "L3:" i ",u,0,1," i }'
} >run/variables.csv
rm run/tasks.csv
run traceviz run --panels topology --topology.by u --width 3.5 -o big.csv
is "$rc $(grep -c '^text' big.csv | awk '{ print ($1 > 3) }') $(sh "$ROOT/tests/overlaps.sh" big.csv)" "0 1 " "4096 PUs: no text touches another"
is "$(awk -F, '$3 == "level" { print $13 }' big.csv | tr '\n' ' ')$(awk -F, '$3 == "level" { print $13 }' e5.csv)" "L3 PU PU" \
	"levels whose boxes have no names have their own beside them"
run traceviz run --panels topology --topology.by u --topology.sparkline 9 --width 3.5 -o narrow.csv
is "$rc $(grep -c '^polyline,[^,]*,curve' narrow.csv) $(grep -c 'curves:' narrow.csv) $(grep -c 'no curve (--topology.sparkline)' stderr)" "0 0 0 1" \
	"curves without room: a warning, no key"
run traceviz plain.csv --panels topology -o none.svg
like "$rc $(cat stderr)" "1 *topology*no objects of the machine*" "without a machine there is nothing to draw"
run traceviz run --panels topology --topology.by u --topology.at 0.5,1 --topology.scale log -o at.svg
is "$rc $(grep -c '>500.0 us<' at.svg)" "0 1" "small multiples at instants"

is "$(traceviz topology -q --by fig4.misses --begin 15976.767 "$DATA/placement" | awk -F, '$10 != "" && NR > 1 { print $3, $10 }')" \
	"L3:0 52472419090
L3:1 218502" "published counters come out as they were printed"

# Layouts show the same objects with the same numbers and colors; hosts have a map each.
objects() { awk -F, '$3 == "object" && $11 != "" { print $5, $11 }' "$1" | sort; }
mkdir two
for host in alpha beta; do
	awk -v h=$host '{ print } /type="Machine"/ { print "<info name=\"HostName\" value=\"" h "\"/>" }' "$TESTDATA/hwloc/e5-2650.xml" >two/$host.xml
done
awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,Node,Cpu"
	for (i = 0; i < 32; i++) print "W" i ",a,0," (i + 1) * 3 "," i "," (i < 16 ? "alpha" : "beta") "," i % 16 }' >two/tasks.csv
for layout in nested tree radial; do
	traceviz -q two --panels topology --topology.by busy --topology.layout $layout --width 3.5 -o two-$layout.csv
	traceviz -q run --panels topology --topology.by u --topology.layout $layout --width 3.5 -o large-$layout.csv
done
is "$(objects two-nested.csv | wc -l) $(objects two-nested.csv | cksum) $(objects two-nested.csv | cksum)" \
	"88 $(objects two-tree.csv | cksum) $(objects two-radial.csv | cksum)" "each layout shows all objects of both hosts"
is "$(awk -F, '$3 == "time" { print $13 }' two-nested.csv | tr '\n' ' ')$(awk -F, '$3 == "number" && $13 ~ /^Machine:0/ { print $13 }' two-nested.csv | tr '\n' ' ')" \
	"alpha beta Machine:0  26.56 Machine:0  76.56 " "a map for each host, named above"
is "$(for f in two-* large-*; do [ "$(grep -c '^text' "$f")" -gt 3 ] || echo "few texts: $f"; sh "$ROOT/tests/overlaps.sh" "$f"; done)" "" "no text touches another in any layout"
traceviz -q two --panels topology --topology.windows 2 --topology.by busy -o four.csv
is "$(sed -n 's/^text,[^,]*,time,.*"\(.*\)"$/\1/p' four.csv | tr '\n' ';')" \
	"alpha, 0 to 48.00 ms;beta, 0 to 48.00 ms;alpha, 48.00 ms to 96.00 ms;beta, 48.00 ms to 96.00 ms;" "hosts and windows"

# ---- change marks and curves: places of lines against numbers of the pass ----
mkdir trend
cat >trend/resources.csv <<'END'
ResourceId,ResourceType,Parent,Order,Depth,OsIndex,Cpuset
Machine:0,Machine,,0,0,0,
Core:0,Core,Machine:0,0,1,0,
Core:1,Core,Machine:0,1,1,1,
PU:0,PU,Core:0,0,2,0,
PU:1,PU,Core:0,1,2,1,
PU:2,PU,Core:1,2,2,2,
PU:3,PU,Core:1,3,2,3,
C0,CPU,,,,,0-1
C1,CPU,,,,,2
END
printf 'ResourceId,Value,Start,End,JobId\nC0,a,0,4,1\nC1,b,0,8,3\nC0,a,9,10,6\n' >trend/tasks.csv
awk 'BEGIN { print "ResourceId,Type,Start,End,Value"; for (t = 0; t < 10; t++) for (i = 0; i < 4; i++) if (i != 1 || t < 5) print "PU:" i ",g," t "," t + 1 "," (t * 7 + i * 5) % 11 }' >trend/variables.csv
# Each line is where the change of its object, as a share of the whole scale, moves it: 8.4 points are the line of text.
moved() { # SIGN BY RANGE FILE OPTIONS...: lines of the figure, those of the pass
	sign=$1 by=$2 range=$3 file=$4
	shift 4
	traceviz topology -q --by "$by" "$@" trend | awk -F, 'NR > 1 { print NR - 2, $15 }' >changes
	awk -F, -v sign="$sign" -v range="$range" 'NR == FNR { split($0, c, " "); change[c[1]] = c[2]; next }
		$3 == "object" { top[$6] = $8 }
		$3 == "change" && !($6 in seen) { seen[$6]; d = $8 - top[$6] - 8.4 * (0.5 - sign * change[$6] / range / 2); if (d * d > 1e-6) wrong++; n++ }
		$3 == "change" && change[$6] == "" { wrong++ }
		END { print n, wrong + 0 }' changes "$file"
}
traceviz -q trend --panels topology --topology.by busy --topology.windows 3 --topology.change up --width 7 -o up.csv
traceviz -q trend --panels topology --topology.by busy --topology.windows 3 --topology.change down --width 7 -o down.csv
traceviz -q trend --panels topology --topology.by g --topology.at 3.5,7.5 --topology.change up --topology.layout tree -o instants.csv
is "$(moved 1 busy 100 up.csv --windows 3);$(moved -1 busy 100 down.csv --windows 3);$(moved 1 g 10 instants.csv --at 3.5,7.5)" "8 0;8 0;7 0" \
	"a line in each box whose change is known, at its place"
is "$(sh "$ROOT/tests/overlaps.sh" up.csv)" "" "texts of maps with changes"
# Text is not crossed: lines end before it.
is "$(awk -F, '$3 == "change" { n++; x[n] = $7; w[n] = $9; y[n] = $8 } $3 == "number" { m++; tx[m] = $7; tw[m] = $9; ty[m] = $8; th[m] = $10 }
	END { for (i = 1; i <= n; i++) for (k = 1; k <= m; k++) if (y[i] > ty[k] && y[i] < ty[k] + th[k] && x[i] < tx[k] + tw[k] && tx[k] < x[i] + w[i]) bad++; print (n > 8), bad + 0 }' up.csv)" "1 0" \
	"no line crosses its text"
traceviz -q trend --panels topology --topology.by g --topology.sparkline 20 -o curve.svg
traceviz -q trend --panels topology --topology.by g --topology.sparkline 20 -o curve.csv
# Both middles of each step of a curve, as values from the top (10) to the bottom (0) of its place.
perl -ne 'print "$1\n" if /class="curve"[^>]*points="([^"]*)"/' curve.svg >points
awk -F, '$3 == "object" { top[$6] = $8 } $3 == "curve" { print $6, top[$6] }' curve.csv | paste -d' ' - points |
	awk '{ for (i = 3; i <= NF; i += 2) { split($i, p, ","); print $1 - 3 "," (i - 3) / 2 "," ($2 + 8.4 + 9 - 1.2 - p[2]) / 6.6 * 10 } }' >drawn
traceviz topology -q --by g --windows 20 trend | awk -F, 'NR > 1 && $4 == "PU" && $11 != "" { split($3, id, ":"); print id[2] "," int((NR - 2) / 7) "," $11 }' | sort -s -t, -k1,1n >values
is "$(paste -d, drawn values | awk -F, '{ d = $3 - $6; n++; if ($1 != $4 || $2 != $5 || d * d > 1e-4) wrong++ } END { print n, wrong + 0 }')" "70 0" \
	"a curve of each object: the values of the pass, none where it has none"
run traceviz trend --panels topology --topology.change up -o no.svg
rc1=$rc
run traceviz trend --panels topology --topology.at 3,4 --topology.change up -o no.svg
is "$rc1 $rc $(grep -c 'has no effect' stderr)" "2 2 1" "a change that nothing has is refused"
run traceviz trend --panels topology --topology.sparkline 9 --topology.layout radial -o no.svg
like "$rc $(cat stderr)" "2 *radial has no room*" "so are curves in rings"
run traceviz topology --at '' trend
like "$rc $(cat stderr)" "2 *--at '', expected times*" "and an empty list of instants"

# ---- several runs: one scale ----
mkdir more
cp trend/resources.csv trend/tasks.csv more
printf 'ResourceId,Type,Start,End,Value\nPU:0,g,0,10,10\nPU:1,g,0,10,40\n' >more/variables.csv
fills() { awk -F, '$3 == "object" && ($6 == 3 || $6 == 4) { last[$6] = $11 } END { print last[3], last[4] }' "$1"; } # PU 0 and 1 of b
keys() { sed -n 's/^text,.*"\{0,1\}\(g: [^"]*\)"\{0,1\}$/\1/p' "$1" | tr '\n' ';'; }
both() { traceviz -q --facet a=trend b=more --panels topology,levels --topology.by g --levels.by g "$@"; }
both -o both.csv
both --topology.range run -o apart.csv
traceviz -q more --panels topology --topology.by g -o alone.csv
is "$(keys both.csv) $(keys apart.csv)" "g: 0 to 40;g: 0 to 40;g: 0 to 40;g: 0 to 40; g: 0 to 40;g: 0 to 10;g: 0 to 40;g: 10 to 40;" \
	"the keys of all runs are the same, or with --topology.range run those of each"
white=$(fills alone.csv)
is "$(fills apart.csv) $(fills both.csv | sed 's/^#ffffff/white/; s/^#[^ ]*/pale/')" "$white pale ${white#* }" "and so are colors"
run traceviz trend --panels topology --topology.range run -o no.svg
like "$rc $(cat stderr)" "2 *a figure of one run, expected --facet" "a range of one run needs others"

# ---- FxT: bound to hwloc's logical PUs, which the operating system numbers in another order ----
mkdir fxt
cp "$TESTDATA/fxt/cholesky-12-dmdas/prof_file_0.zst" fxt
awk 'BEGIN { print "<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">"
	print "<object type=\"Machine\" os_index=\"0\" cpuset=\"0x00000fff\">"
	for (i = 0; i < 6; i++) {
		printf "<object type=\"Core\" os_index=\"%d\" cpuset=\"0x%08x\">\n", i, 2 ^ i + 2 ^ (i + 6)
		for (k = 0; k < 2; k++)
			printf "<object type=\"PU\" os_index=\"%d\" cpuset=\"0x%08x\"/>\n", i + 6 * k, 2 ^ (i + 6 * k)
		print "</object>"
	}
	print "</object>\n</topology>" }' >fxt/topology.xml
# The threads of CPU0 to CPU8 are on logical PUs 3 to 11, those of the GPUs on 0 to 2.
workers() { awk -F, "$by_name"'$c["ResourceId"] ~ /^(CPU|CUDA)/ { printf "%s:%s ", $c["ResourceId"], "Cpuset" in c ? $c["Cpuset"] : "" }' "$1/resources.csv"; }
on_pus() { traceviz topology -q --by busy "$@" | awk -F, '$4 == "PU" && $10 > 0 { print $3, $10 + 0 }' | sort; }
bound="CPU0:7 CPU1:2 CPU2:8 CPU3:3 CPU4:9 CPU5:4 CPU6:10 CPU7:5 CPU8:11 "
run traceviz convert fxt -o fxt-tables
is "$(workers fxt-tables)$(grep -c bound stderr)" "${bound}CUDA0_0: CUDA1_0: CUDA2_0: 0" \
	"FxT: workers have the numbers of the operating system, of the PUs that the trace has by logical number"
traceviz idleness -q fxt-tables | awk -F, "$by_name"'$1 ~ /^CPU/ { print "PU:" substr($1, 4) + 3, $c["Busy"] + 0 }' | sort >want
is "$(on_pus fxt)" "$(awk '$2 > 0' want)" "busy time of each PU is its worker's"
traceviz idleness -q fxt-tables | awk -F, "$by_name"'$1 ~ /^CPU/ { n[int((substr($1, 4) + 3) / 2)]++; t[int((substr($1, 4) + 3) / 2)] += $c["Busy"] }
	END { for (i = 0; i < 6; i++) printf "Core:%d %d %.6f\n", i, n[i], t[i] }' >want-cores
traceviz utilization -q --level Core fxt | awk -F, "$by_name"'
	{ n[$c["ResourceId"]] = $c["Workers"]; t[$c["ResourceId"]] += $c["Time"] } END { for (i in n) printf "%s %d %.6f\n", i, n[i], t[i] }' | sort >cores
is "$(cat cores)" "$(cat want-cores)" "utilization --level Core needs no --bind; tasks of GPUs are on no core"
echo 'ResourceId,Cpuset
CPU0,0
CUDA0_0,6' >fxt-bind.csv
traceviz convert -q --bind fxt-bind.csv fxt -o fxt-bound
is "$(workers fxt-bound)" "$(echo "$bound" | sed 's/CPU0:7/CPU0:0/')CUDA0_0:6 CUDA1_0: CUDA2_0: " "--bind precedes what the trace has"
traceviz convert -q fxt/prof_file_0.zst -o fxt-bare
is "$(workers fxt-bare)" "CPU0: CPU1: CPU2: CPU3: CPU4: CPU5: CPU6: CPU7: CPU8: CUDA0_0: CUDA1_0: CUDA2_0: " "nothing is bound without the machine"
cp fxt/topology.xml fxt-bare
is "$(on_pus fxt-bare)" "$(awk '$2 > 0' want)" "tables keep the numbers for a topology that comes later"
# Four cores: the logical PUs 8 to 11 of CPU5 to CPU8 are not there.
mkdir fxt-small
cp fxt/prof_file_0.zst fxt-small
awk '/type="Core"/ { n++ } n <= 4 || /type="Machine"|topology/ { print } n == 4 && /<\/object>/ && !closed { closed = 1; print "</object>" }' fxt/topology.xml >fxt-small/topology.xml
run traceviz convert fxt-small -o fxt-few
is "$(workers fxt-few)" "CPU0:7 CPU1:2 CPU2:8 CPU3:3 CPU4:9 CPU5: CPU6: CPU7: CPU8: CUDA0_0: CUDA1_0: CUDA2_0: " "a PU that is not there is not used"
like "$(cat stderr)" "*4 workers are bound to PUs that the machine does not have (CPU5: PU 8)*" "and counted"
mkdir fxt-ranks hosts
cp "$TESTDATA"/fxt/cholesky-12-2ranks/* fxt/topology.xml fxt-ranks
traceviz convert -q fxt-ranks -o fxt-hosts
is "$(awk -F, "$by_name"'$1 ~ /_CPU/ { print $1, $c["BoundPU"], $c["Cpuset"] }' fxt-hosts/resources.csv)" "0_CPU0 0 0
1_CPU0 1 6" "ranks of one machine, each on a PU of its own"
cat >hosts/resources.csv <<'END'
ResourceId,ResourceType,Node,Parent,Order,Depth,OsIndex,BoundPU
Machine:0,Machine,,,0,0,0,
PU:0,PU,,Machine:0,0,1,1,
PU:1,PU,,Machine:0,1,1,0,
0_CPU0,CPU,0,,,,,0
0_CPU1,CPU,0,,,,,1
1_CPU0,CPU,1,,,,,0
END
echo 'ResourceId,Value,Start,End,JobId
0_CPU0,a,0,1,1
0_CPU1,a,0,1,2
1_CPU0,a,0,1,3' >hosts/tasks.csv
run traceviz topology --by busy hosts
is "$rc" 1 "ranks on the same PU of the only machine known: none is taken to be there"
like "$(cat stderr)" "*3 workers are of processes whose machines are not known*no worker has processors*" "and a warning counts them"
sed -i 's/1_CPU0,CPU,1,,,,,0/1_CPU0,CPU,1,,,,,7/' hosts/resources.csv
traceviz convert hosts -o hosts-one 2>stderr
is "$(awk -F, "$by_name"'$1 ~ /_CPU/ { print $c["Cpuset"] }' hosts-one/resources.csv | tr '\n' ' ')$(grep -c 'CPU0: PU 7' stderr)" \
	"1 0  1" "objects in resources do as well"
run traceviz --facet a="$DATA/placement" b="$DATA/placement" --panels topology --topology.by fig4.misses --topology.at 8s -o x.csv
is "$rc $(grep -c 'variables of 2 resources"*$' x.csv)" "0 2" "what facets without tasks have"
