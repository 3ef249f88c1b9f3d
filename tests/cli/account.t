#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# account.t: the account's identities on every trace, its prices against glpsol, the truth of real runs
# needs glpsol
. "$(dirname "$0")/lib.sh"

plan 44

# From a table of account: whether its sums are exact, in ns.
exact() {
	traceviz account -q --csv "$@" >table 2>errors || { echo "failed: $(head -1 errors)"; return; }
	awk -F, 'function ns(ms) { sub(/\./, "", ms); return ms + 0 }
		$1 == "bound" { bound[$2] = ns($10) }
		$1 == "price" { n[$6] = $7; at[$6] += ns($9); prices += $7 * $8 }
		$1 == "sum" { sum += ns($10); of[$2] += ns($10); worker[$2] += ns($9) }
		$1 == "part" { of[$2] -= ns($10); worker[$2] -= ns($9); if ($2 ~ /^(idle|other|overlap)$/) at[$6] += ns($9) }
		$1 == "part" && $2 == "allocation" && $10 + 0 < 0 { print "negative" }
		END {
			if (sum != bound["makespan"] - bound["area"]) print "M - T0", sum, bound["makespan"] - bound["area"]
			for (p in of) if (of[p] != 0 || worker[p] != 0) print "part", p, of[p], worker[p]
			for (r in n) if (at[r] != n[r] * bound["makespan"]) print "type", r, at[r], n[r] * bound["makespan"]
			if (prices < 1 - 1e-12 || prices > 1 + 1e-12) print "prices", prices
			if (bound["placement"] < bound["area"] - 1) print "placement"
		}' table
}
all_exact() { # of all these, with all durations
	for trace; do
		for durations in mean median minimum; do
			why=$(exact --durations $durations "$trace")
			[ -z "$why" ] || echo "$trace $durations: $why"
		done
	done
}

is "$(all_exact "$DATA"/cholesky*.csv "$DATA/qr-mumps-like.csv" "$DATA/mpi-halo" "$DATA/cholesky-2nodes" "$DATA"/cholesky-4nodes/p*)" \
	"" "all adds up to the nanosecond: the sample traces"
is "$(all_exact "$ROOT"/examples/data/cholesky-12*.zst "$ROOT"/examples/data/openmp*.zst)" "" "and those of the examples"
is "$(all_exact "$TESTDATA"/fxt/[1c]* "$TESTDATA/segments/fib.csv" "$DATA/cholesky-paje")" "" "and those of other formats, with teams and segments"

# Prices and value by glpsol, of the durations that abe prints.
oracle() {
	traceviz account -q --csv "$1" >table
	traceviz abe -q --csv "$1" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && $at["Node"] == "" {
			t = $at["Value"]; r = $at["ResourceType"]; count[t] += $at["Actual"]; if ($at["MeanDuration"] != "") w[t, r] = $at["MeanDuration"] }
		END {
			while ((getline line <"table") > 0) { split(line, f, ","); if (f[1] == "price") n[f[6]] = f[7] }
			print "Minimize\n obj: T\nSubject To"
			for (r in n) { printf " r_%s: -%s T", r, n[r]; for (t in count) if ((t, r) in w) printf " + %s n_%s_%s", w[t, r], t, r; print " <= 0" }
			for (t in count) { printf " t_%s:", t; for (r in n) if ((t, r) in w) printf " + n_%s_%s", t, r; print " = " count[t] }
			print "End"
		}' >program.lp
	glpsol --lp program.lp -o solution -w raw >/dev/null
	awk -F, 'BEGIN {
			while ((getline line <"solution") > 0) { n = split(line, f, " "); if (f[1] == "Objective:") value = f[4]; if (f[2] ~ /^r_/) name[f[1]] = substr(f[2], 3) }
			while ((getline line <"raw") > 0) { split(line, f, " "); if (f[1] == "i" && f[2] in name) dual[name[f[2]]] = -f[5] }
		}
		function off(a, b) { return a - b > 1e-6 * b || b - a > 1e-6 * b }
		$1 == "bound" && $2 == "area" && off($10, value) { print "value", $10, value }
		$1 == "price" && off($8, dual[$6]) { print "price", $6, $8, dual[$6] }
		$1 == "price" { n++ }
		END { if (n < 2) print "one price" }' table
}
for name in cholesky cholesky-dmda cholesky-dmdas cholesky-ws; do
	is "$(oracle "$DATA/$name.csv")" "" "$name: area bound and prices as of glpsol"
done
is "$(oracle "$DATA/cholesky-2nodes")" "" "two nodes: one machine"

# Extremes.
printf 'ResourceId,Value,Start,End,Kind\nC0,a,5,15,app\nC1,,,,worker\n' >one.csv
is "$(traceviz account -q --csv one.csv | grep -v 0.000000,0, | cut -d, -f1-3,6-10)" \
	"$(printf '%s\n' Section,Part,Cause,ResourceType,Workers,Price,WorkerTime,Time bound,makespan,,,,,,10.000000 \
		bound,area,,,,,,5.000000 bound,placement,,,,,,5.000000 price,work,,worker,2,0.5,10.000000, \
		sum,idle,,,,,10.000000,5.000000 part,idle,drain,worker,,0.5,10.000000,5.000000)" "one task, and a worker without tasks"
printf 'ResourceId,Value,Start,End\nC0,a,0,10\nC0,a,2,12\nC0,_starpu_x,12,13\nC0,a,13,14\n' >overlap.csv
is "$(traceviz account -q --csv overlap.csv | grep '^sum' | cut -d, -f2,9,10)" \
	"$(printf '%s\n' idle,0.000000,0.000000 other,1.000000,1.000000 allocation,0.000000,0.000000 durations,0.000000,0.000000 overlap,-8.000000,-8.000000)" \
	"tasks that overlap: less than nothing"
printf 'ResourceId,Value,Start,End\nC0,a,5,5\nC1,a,9,9\n' >instants.csv
is "$(exact instants.csv)$(awk -F, '$1 == "price" { print $8 }' table)" 0.5 "tasks without duration: each worker has the same price"
printf 'ResourceId,Value,Start,End\nC0,a,5,5\nC1,a,5,5\n' >instant.csv
is "$(exact instant.csv)" "" "a run without duration"
printf 'ResourceId,Value,Start,End,Kind\nCPU0,a,0,10,app\nCUDA0,b,0,1,app\nOPENCL0,,,,worker\n' >unused.csv
is "$(traceviz account -q --csv unused.csv | grep -v '^sum' | awk -F, 'NR > 1 && $12 != "" { print $1, $6, $10, $12 }')" \
	"$(printf '%s\n' 'price CUDA  not limiting' 'price OPENCL  not limiting' 'part CUDA 0.000000 not limiting' 'part OPENCL 0.000000 not limiting')" \
	"types of workers that do not limit"
printf 'ResourceId,Value,Start,End\nCPU0,a,0,10\nCUDA0,b,0,10\n' >several.csv
is "$(traceviz account -q --csv several.csv | grep -c 'one of several prices')" 2 "several optimal prices are named"
# A task that began on node 0 and went on on node 1, where its type never begins.
printf 'ResourceId,ResourceType,Value,JobId,Start,End,Node,Segment\n0_C0,CPU,a,1,0,10,0,0\n1_C0,CPU,a,1,12,20,1,1\n1_C0,CPU,b,2,0,5,1,\n' >moved.csv
is "$(exact moved.csv)$(for d in mean median minimum; do traceviz bounds -q --csv --durations $d moved.csv | awk -F, '$2 == "abe" { print $1 ":" $4 }'; done | xargs -n3 | uniq)" \
	":11.500000 0:10.000000 1:5.000000" "a segment on a node where its type never begins is no work of that node"
printf 'ResourceId,Value,Start,End,JobId,Team\n' >empty.csv
run traceviz account empty.csv
is "$rc" 1 "no tasks"
run traceviz account --begin 6 one.csv
is "$rc" 2 "no window"
run traceviz account --forbid a:C one.csv
is "$rc" 2 "no --forbid"
run traceviz account --durations max one.csv
is "$rc" 2 "no other durations"
is "$(traceviz account -q --csv --where 'Section == "bound"' "$DATA/cholesky.csv" | tail -n +2 | cut -d, -f2 | xargs)" \
	"makespan area placement tight cpe" "a choice of rows"

# The panel: bars as long as the parts, one after the other.
steps() { grep ',step,' "$1" | tr -d '"'; }
bars() { # PANEL.csv ACCOUNT.csv: whether widths are those of the account, at one scale
	awk -F, 'NR == FNR { if (FNR > 1) { time[FNR - 2] = $10; if ($1 == "part") all += $10 } next }
		$3 == "step" && $6 != "" { shown += time[$6]; w = time[$6] < 0 ? -$9 : $9; sum += $9; if (n++ == 0) scale = $9 / time[$6]
			d = w - scale * time[$6]; if (d > 0.001 || d < -0.001) print "bar", $5, d }
		$3 == "step" && $6 == "" { d = $9 - scale * (all - shown); if (d > 0.001 || d < -0.001) print "rest", d }
		END { print n }' "$2" "$1"
}
for name in ws dmdas; do
	traceviz account -q --csv "$DATA/cholesky-$name.csv" >account.csv
	traceviz -q "$DATA/cholesky-$name.csv" --panels account --account.parts 6 -o panel.csv
	is "$(bars panel.csv account.csv) $(steps panel.csv | wc -l | tr -d ' ')" "6 7" "$name: bars of six parts and the others"
done
is "$(steps panel.csv | awk -F, 'NR > 1 && ($7 - end > 0.001 || end - $7 > 0.001) { print } { end = $7 + $9 }')" "" "each begins where the other ends"
run traceviz several.csv --panels account -o several.svg
is "$rc $(grep -c 'the makespan is the area bound' stderr)" "1 1" "no panel without time above the area bound"
run traceviz "$DATA/cholesky.csv" --panels account --account.parts 0 -o none.svg
is "$rc" 2 "no bars"
traceviz -q "$DATA/cholesky-ws.csv" --panels account --account.durations minimum --account.parts 100 -o minimum.csv
is "$(steps minimum.csv | grep -c ': rest,')" "$(traceviz account -q --csv --durations minimum "$DATA/cholesky-ws.csv" | grep -c '^part,durations,rest')" \
	"other durations"

need_shared 18
truth() { # NAME TRACE: M - T0 and prices, as far as they are printed; idle of CPU and CUDA; allocation of a microsecond and more
	traceviz account -q --csv "$SHARED/data/$1" | awk -F, '
		$1 == "bound" { b[$2] = $10 }
		$1 == "price" { price[$6] = sprintf("%.9f", $8) }
		$1 == "part" && $2 == "idle" { idle[$6] += $10 }
		$1 == "part" && $2 == "allocation" && $10 + 0 >= 0.0005 { a[sprintf("%9.3f", $10) $5 " on " $6 " " sprintf("%.3f", $10)] = 1 }
		$1 == "sum" && $2 ~ /other|durations|overlap/ && $10 + 0 != 0 { print "not 0", $2 }
		END { printf "%.6f | %s / %s | %.3f + %.3f |", b["makespan"] - b["area"], price["CPU"], price["CUDA"], idle["CPU"], idle["CUDA"]
			n = asorti_(a); for (i = n; i > 0; i--) printf " %s", substr(sorted[i], 10); print "" }
		function asorti_(x,  k, n, i, t) { n = 0; for (k in x) sorted[++n] = k
			for (i = 2; i <= n; i++) for (k = i; k > 1 && sorted[k - 1] > sorted[k]; k--) { t = sorted[k]; sorted[k] = sorted[k - 1]; sorted[k - 1] = t }
			return n }'
}
while IFS='|' read -r name want; do
	is "$(truth "$name")" "$want" "$name: all printed digits"
done <<'EOF'
cholesky-idcin2/12/dmda|345.577223 | 0.023737408 / 0.135521602 | 300.917 + 36.378 | dtrsm on CUDA 7.314 dsyrk on CUDA 0.969
cholesky-idcin2/12/dmdas|295.213175 | 0.023508483 / 0.137429305 | 266.291 + 27.243 | dtrsm on CUDA 1.301 dsyrk on CUDA 0.378
cholesky-idcin2/12/ws|619.528476 | 0.023785186 / 0.135123448 | 316.096 + 302.149 | dsyrk on CPU 0.854 dtrsm on CPU 0.429
cholesky-mirage/60/unconstrained/dmda|1860.619000 | 0.009769150 / 0.304025883 | 61.952 + 108.430 | TRSM on CUDA 1675.059 POTRF on CUDA 11.678 SYRK on CPU 3.499
cholesky-mirage/60/unconstrained/dmdas|471.169910 | 0.009766276 / 0.304034504 | 38.041 + 112.041 | TRSM on CUDA 306.390 POTRF on CUDA 14.679 SYRK on CUDA 0.020
cholesky-mirage/60/unconstrained/ws|4313.731312 | 0.009767493 / 0.304030853 | 67.602 + 2084.085 | TRSM on CUDA 2138.107 POTRF on CUDA 23.583 SYRK on CPU 0.354
EOF
is "$(for k in dmda dmdas ws; do traceviz account -q --csv "$SHARED/data/cholesky-idcin2/12/$k" |
	awk -F, '$2 == "placement" { printf "%.1f ", $10 }'; done)" "674.2 662.8 526.6 " "the bounds of these placements"
for name in mpi/cholesky-20-dmdas-2nodes mpi/cholesky-30-dmdas-4nodes-10GbE/p1x4 mpi/cholesky-30-dmdas-4nodes-10GbE/p2x2 native/cholesky-16-lws \
	native/cholesky-12-2ranks native/repeats-12/eager/r4 native/repeats-12/lws/r3 starpu-1.3/cholesky-12-dmdas \
	decisions/cholesky-12-dmda/prof_file_0.zst cholesky-mirage/30/unconstrained/dmdas; do
	is "$(exact "$SHARED/data/$name")" "" "$name: all adds up"
done
traceviz -q "$DATA/cholesky-dmdas.csv" --panels account -o x.csv
is "$(grep -c '(-0.0 %)' x.csv) $(($(grep -c -- '-[0-9.]* (0.0 %)' x.csv) > 0))" "0 1" "no negative zero"
