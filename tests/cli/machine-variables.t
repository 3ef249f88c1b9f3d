#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# machine-variables.t: reduce, derive, rate, window, balance on variables of the objects of a machine
. "$(dirname "$0")/lib.sh"
plan 48

# An asymmetric machine: L3:0 with three PUs, L3:1 with one, and a PU in no L3; 200 ticks of two counters and a gauge.
seed 20161
mkdir run
cat >run/resources.csv <<'EOF'
ResourceId,ResourceType,Parent,Order,Depth,Cpuset
Machine:0,Machine,,0,0,0-4
L3:0,L3,Machine:0,0,1,0-2
L3:1,L3,Machine:0,1,1,3
PU:0,PU,L3:0,0,2,0
PU:1,PU,L3:0,1,2,1
PU:2,PU,L3:0,2,2,2
PU:3,PU,L3:1,3,2,3
PU:4,PU,Machine:0,4,2,4
CPU0,CPU,,,,
EOF
awk -v seed="$seed" 'BEGIN { srand(seed); print "ResourceId,Type,Start,End,Value"
	for (t = 0; t < 200; t++) for (pu = 0; pu < 5; pu++) {
		printf "PU:%d,m.a,%d.000000,%d.000000,%.0f\n", pu, t, t + 1, rand() * 1e12
		printf "PU:%d,m.b,%d.000000,%d.000000,%d\n", pu, t, t + 1, int(rand() * 5)
		printf "PU:%d,m.gauge,%d.000000,%d.000000,%d\n", pu, t + 1, t + 1, pu
	} }' >run/variables.csv

# ---- reduce: the sums of each tick as integers, by awk
sums() { # LEVEL TYPE
	awk -F, -v level="$1" -v type="$2" '$2 == type {
		to = level == "Machine" ? "Machine:0" : $1 ~ /:[012]$/ ? "L3:0" : $1 ~ /:3$/ ? "L3:1" : ""
		if (to != "") sum[to "," $3 "," $4] += $5
	}
	END { for (k in sum) { split(k, f, ","); printf "%s,%s,%s,%s,%.0f\n", f[1], type, f[2], f[3], sum[k] } }' run/variables.csv | sort
}
run traceviz reduce m.a --level L3 run
is "$rc $(tail -n +2 stdout | sort | cksum)" "0 $(sums L3 m.a | cksum)" "sums of the PUs of each L3, each tick"
like "$(cat stderr)" "traceviz: 200 values are not part of those of level L3: they are on objects that no object of the level contains" \
	"values outside the level are counted"
cp stdout l3.csv
traceviz reduce m.a --level Machine run >direct.csv
is "$(tail -n +2 direct.csv | sort | cksum)" "$(sums Machine m.a | cksum)" "sums of the machine"
traceviz reduce m.a --level l3 -q run --where 'Value > 0' >l3b.csv
is "$(cksum <l3b.csv)" "$(cksum <l3.csv)" "a level in any case"
# PU -> L3 -> Machine is PU -> Machine where every PU is in an L3
mkdir even && grep -v PU:4 run/resources.csv >even/resources.csv && grep -v PU:4 run/variables.csv >even/variables.csv
traceviz reduce m.a --level Machine even >direct.csv
traceviz reduce m.a --level L3 even | traceviz reduce m.a --level Machine --with even - >twice.csv
is "$(wc -l <direct.csv) $(cmp direct.csv twice.csv 2>&1)" "201 " "PU -> L3 -> Machine = PU -> Machine, bit for bit"
for by in mean min max var; do
	want=$(awk -F, -v by=$by '$2 == "m.b" && $1 ~ /:[012]$/ { k = $3 + 0; n[k]++; s[k] += $5; q[k] += $5 * $5
		if (n[k] == 1 || $5 < lo[k]) lo[k] = $5; if (n[k] == 1 || $5 > hi[k]) hi[k] = $5 }
		END { for (k in n) { m = s[k] / n[k]; v = by == "mean" ? m : by == "min" ? lo[k] : by == "max" ? hi[k] : q[k] / n[k] - m * m; printf "%d %.6f\n", k, v } }' \
		run/variables.csv | sort -n | cksum)
	is "$(traceviz reduce m.b --level L3 --by $by -q run | awk -F, '$1 == "L3:0" { printf "%d %.6f\n", $3, $5 }' | cksum)" "$want" "--by $by"
done
is "$(traceviz reduce m.b --level L3 --by join -q run | cut -d, -f1,2 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
	" 200 L3:0,m.b@PU:0; 200 L3:0,m.b@PU:1; 200 L3:0,m.b@PU:2; 200 L3:1,m.b@PU:3; 1 ResourceId,Type;" "--by join keeps each value"
# values on an object and inside it: the inner ones count
{ cat run/variables.csv; echo "L3:0,m.a,0.000000,1.000000,5"; echo "CPU0,m.a,0.000000,1.000000,7"; } >v.csv
run traceviz reduce m.a --level Machine --with run v.csv
is "$(grep -v '^traceviz: v.csv' stderr)" "traceviz: 1 values are not part of those of level Machine: they are on resources that are no objects of the machine
traceviz: 1 values are not part of those of level Machine: they are on objects that contain others with values of the same variable" \
	"values on two levels, and on a worker"
is "$(tail -n +2 stdout | sort | cksum)" "$(sums Machine m.a | cksum)" "nothing counts twice"
grep -v '^PU:1,m.a,7.0' run/variables.csv >v.csv
run traceviz reduce m.a --level L3 --with run v.csv
like "$(cat stderr)" "*1 values of level L3 have fewer parts than others of the same object*" "a value that is missing in a tick"
run traceviz reduce --level L9 run
is "$rc $(cat stderr)" "1 traceviz: run: no level 'L9' (did you mean 'L3'?), expected one of Machine, L3, PU" "no such level"
run traceviz reduce run
is "$rc $(cat stderr)" "2 traceviz: reduce needs --level, expected a level such as L3" "no level given"
run traceviz reduce foo --level L3 run
is "$rc $(cat stderr)" "1 traceviz: run: no variable 'foo' in the window, expected some of 'm.a', 'm.b', 'm.gauge'" "no such variable"
mkdir plain
printf 'ResourceId,Value,Start,End\nCPU0,a,0,1\n' >plain/tasks.csv
printf 'ResourceId,Type,Start,End,Value\nCPU0,v,0,1,2\n' >plain/variables.csv
run traceviz reduce --level L3 plain
like "$rc $(cat stderr)" "1 traceviz: *: no level 'L3': the trace has no objects of the machine*" "a trace without objects"
run traceviz reduce --level L3 "$DATA/cholesky.csv"
like "$rc $(cat stderr)" "1 traceviz: *: the trace has no variables*" "a trace without variables"
is "$(traceviz reduce m.a --level Machine --begin 10 --end 20 run | wc -l)" 13 "a window: intervals that overlap it or touch it"

# ---- derive: a ratio of sums
traceviz derive 'r = m.b / m.a' --level L3 -q run >r.csv
want=$(awk -F, '$1 ~ /:[012]$/ { k = $3 + 0; if ($2 == "m.a") a[k] += $5; if ($2 == "m.b") b[k] += $5 }
	END { for (k = 0; k < 200; k++) printf "%d %.12g\n", k, b[k] / a[k] }' run/variables.csv)
is "$(awk -F, '$1 == "L3:0" { printf "%d %.12g\n", $3, $5 }' r.csv | cksum)" "$(echo "$want" | cksum)" "the ratio of an L3 is one of sums"
want=$(awk -F, '$1 ~ /:[012]$/ { k = $3 + 0; if ($2 == "m.a") a = $5; if ($2 == "m.b") r[k] += $5 / a / 3 }
	END { for (k = 0; k < 200; k++) printf "%d %.12g\n", k, r[k] }' run/variables.csv)
is "$(traceviz derive 'r = m.b / m.a' --level L3 --mean-of-ratios -q run | awk -F, '$1 == "L3:0" { printf "%d %.12g\n", $3, $5 }' | cksum)" \
	"$(echo "$want" | cksum)" "the mean of ratios only where it is asked for"
run traceviz derive 'm.a / m.b' run
is "$rc $(($(wc -l <stdout) - 1)) $(cut -d, -f2 stdout | sort -u | tr '\n' ' ')" \
	"0 $(awk -F, '$2 == "m.b" && $5 > 0' run/variables.csv | wc -l) Type m.a / m.b " "a quotient by 0 is missing; named like the expression"
like "$(cat stderr)" "*$(awk -F, '$2 == "m.b" && $5 == 0' run/variables.csv | wc -l) values are missing: *or a divisor is 0" "and counted"
is "$(traceviz derive "x = ('m.a' + 2*m.b) * 0 - -3" run | cut -d, -f5 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" " 1000 3; 1 Value;" "arithmetic"
for wrong in "x = m.c" "x = m.a +" "= m.a" "x = (m.a" "x = 3" "m.a m.b"; do
	run traceviz derive "$wrong" run
	case "$rc $(head -1 stderr)" in "2 traceviz: expected "*" here" | "2 traceviz: expected a variable of the trace ("*"counter"*) ;; *) echo "$wrong: $rc $(cat stderr)" ;; esac
done >wrong
is "$(cat wrong)" "" "wrong expressions"
# Descriptions of monitors: sums inside the objects of a level; the variables that events name.
printf 'x { OBJ:=L3; EVSET:=m.a, b; REDUCTION:= r=$1/$0; }\nall { OBJ:=Machine; PERF_LIB:=accumulate; EVSET:=x; WINDOW_REDUCE:=sum; WINDOW:=2; }\n' >x.mon
is "$(traceviz derive --monitor x.mon -q run | grep -v ',all' | cksum)" "$(traceviz derive 'x.r = m.b / m.a' --level L3 -q run | cksum)" \
	"a description on PUs' variables: a ratio of sums"
is "$(traceviz derive --monitor x.mon -q run | awk -F, '$2 == "all.m.a" { print $3, $4, $5 }')" \
	"$(awk -F, '$2 == "m.a" && $1 != "PU:4" { s[$3 + 0] += $5 } END { for (t = 0; t < 200; t++) printf "%d.000000 %d.000000 %.0f\n", t, t + 1, s[t] + (t > 0 ? s[t - 1] : 0) }' run/variables.csv)" \
	"monitors fed by others, over windows"
described() { # WANT TEXT
	printf '%s\n' "$2" >wrong.mon
	run traceviz derive --monitor wrong.mon run
	like "$rc $(cat stderr)" "$1" "refused: $2"
}
described "1 traceviz: wrong.mon:1:19: no variable 'q' or 'x.q' on an object of the machine: *" 'x{OBJ:=L3; EVSET:=q;}'
described "1 traceviz: *no level 'L2' (did you mean 'L3'?), expected one of Machine, L3, PU" 'x{OBJ:=L2; EVSET:=a;}'
described "1 traceviz: wrong.mon:2:1: the end of the file, expected ; here" 'x{OBJ:=L3; EVSET:=a'
described "1 *wrong.mon: no output has a value: *" 'x{OBJ:=L3; EVSET:=a; REDUCTION:=$0/0;}'
printf 'x{OBJ:=L3; EVSET:=a;}' >x.mon
for wrong in "'x = m.a'" "--level L3" --mean-of-ratios; do
	eval "run traceviz derive --monitor x.mon $wrong run"
	like "$rc $(cat stderr)" "2 *has no effect with --monitor" "--monitor with $wrong"
done
run traceviz derive 'x = m.a' --mean-of-ratios run
is "$rc" 2 "--mean-of-ratios without --level"

# ---- rate, window
is "$(traceviz rate m.a run 2>/dev/null | awk -F, 'NR > 1 { s += $5 } END { printf "%.6e", s }')" \
	"$(awk -F, '$2 == "m.a" { s += $5 * 1000 } END { printf "%.6e", s }' run/variables.csv)" "counts per second"
run traceviz rate run
like "$(cat stderr) $(cut -d, -f2 stdout | sort -u | tr '\n' ' ')" "*1000 values have no rate*gauges) Type m.a/s m.b/s " "gauges have no rate"
is "$(traceviz window 7 --by sum --name m.b run | awk -F, '$1 == "PU:2" { print $3, $4, $5 }' | cksum)" \
	"$(awk -F, '$1 == "PU:2" && $2 == "m.b" { s += $5; if (n++ % 7 == 0) b = $3; e = $4; if (n % 7 == 0) { print b, e, s; s = 0 } } END { if (n % 7) print b, e, s }' run/variables.csv | cksum)" \
	"windows of 7 values; the last one is shorter"
is "$(traceviz window 1000000 run | wc -l)" 16 "a window longer than the series"
run traceviz window run
is "$rc $(cat stderr)" "2 traceviz: window needs the number of values, expected 'window N'" "no number"

# ---- balance, and the published figures (Denoyelle, Compas 2016, figure 4)
for p in balanced grouped; do traceviz balance CacheMiss "$DATA/placement/$p"; done | awk -F, '$1 != "Type" { printf "%s %.5f %s;", $6, $11, $13 }' >fig4
is "$(cat fig4)" "43832454020 1.00677 148462710;52472637592 1.99999 26236100294;" "figure 4: sums, imbalance, standard deviation"
is "$(traceviz reduce --level Machine "$DATA/placement/grouped" | cut -d, -f5 | tr '\n' ' ')" "Value 52472637592 1480722410 " "figure 4: the machine"
run traceviz rate CacheMiss --chains 8 "$DATA/placement/grouped"
is "$rc $(cat stderr)" "0 traceviz: CacheMiss (ns each) of L3:0: one each 2.67 ns and chain, below --min-latency 20 ns. The counts are not those of dependent accesses to memory, or columns are exchanged" \
	"figure 4: 2.67 ns for a dependent miss is impossible"
run traceviz rate CyclesWithoutInstruction --chains 8 "$DATA/placement/grouped"
is "$(sed -n 2p stdout | cut -d, -f5 | cut -c 1-5) $(cat stderr)" "94.62 " "figure 4: with its columns exchanged, the latency of a memory"
is "$(traceviz balance m.b --over tick run | wc -l) $(traceviz balance m.b run | wc -l)" "201 2" "a row for each tick, or one"
is "$(traceviz balance m.gauge run | cut -d, -f5-8)" "Objects,Sum,Mean,Min
5,10,2,0" "gauges: means over time"
is "$(traceviz balance m.b --level L3 -q run | cut -d, -f2,5,6)" "Level,Objects,Sum
L3,2,$(awk -F, '$2 == "m.b" && $1 != "PU:4" { s += $5 } END { print s }' run/variables.csv)" "of a level"
run traceviz rate --min-latency 5ns run
is "$rc" 2 "--min-latency without --chains"
