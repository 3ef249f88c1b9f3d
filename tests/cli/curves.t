#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# curves.t: identities of ready, submitted, concurrency, throughput, counter, aggregate, iterations, progress
. "$(dirname "$0")/lib.sh"
samples="cholesky cholesky-dmda cholesky-dmdas cholesky-ws"
plan 88

# integral min last of one curve, with its extreme values as text
integral() { awk -F, -v c="$1" '$1 == c { s += ($4 - $3) * $5; if ($5 < m) m = $5; l = $5 }
	END { printf "%.3f %g %g", s, m, l }'; }
# sum over app tasks of an expression, release as defined: by the columns' names, ghosts looked through
sum() { awk -F, -v what="$1" '
	function release(j,   n, p, i, r, t) {
		r = kind[j] == "ghost" || submit[j] == "" ? -1e18 : submit[j] + 0
		n = split(deps[j], p, " ")
		for (i = 1; i <= n; i++) {
			if (!(p[i] in kind)) continue
			t = kind[p[i]] == "ghost" ? release(p[i]) : last[p[i]]
			if (t > r) r = t
		}
		return r
	}
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["Kind"] != "worker" { j = $c["JobId"]; kind[j] = $c["Kind"]; submit[j] = $c["SubmitTime"]; deps[j] = $c["DependsOn"]
		start[j] = $c["Start"] + 0; last[j] = $c["End"] + 0; work += $c["Kind"] == "app" ? $c["GFlop"] : 0 }
	END { for (j in kind) if (kind[j] == "app") {
			r = release(j); if (r < 0) r = 0; s = submit[j] + 0; if (s < 0) s = 0
			ready += start[j] - r; waits += start[j] - s; all += last[j] - s; busy += last[j] - start[j] }
		of["ready"] = ready; of["not started"] = waits; of["not ended"] = all; of["busy"] = busy
		of["work"] = work * 1000; printf "%.3f", of[what] }'; }

for s in $samples; do
	f=$DATA/$s.csv
	for curve in ready "not started" "not ended"; do
		pass=$([ "$curve" = ready ] && echo ready || echo submitted)
		got=$(traceviz $pass -q "$f" | integral "$curve")
		is "${got%% *}" "$(sum "$curve" <"$f")" "$s: integral of $curve"
		like "$got" "* 0 $([ "$curve" = "not ended" ] && echo '[1-9]*' || echo 0)" "$s: $curve is never negative"
	done
	is "$(traceviz ready -q --step 7 "$f" | integral ready | cut -d' ' -f1)" "$(sum ready <"$f")" \
		"$s: slices conserve the integral"
	is "$(traceviz concurrency -q "$f" | integral running | cut -d' ' -f1)" "$(sum busy <"$f")" \
		"$s: integral of concurrency"
	is "$(traceviz throughput -q --by Value --step 0.3 "$f" | integral GFlop/s | awk '{ printf "%.0f", $1 }')" \
		"$(sum work <"$f" | awk '{ printf "%.0f", $1 }')" "$s: integral of throughput"
	time_of() { awk -F, 'NR > 1 { t[$9] += $12 } END { printf "%.3f %.3f %.3f", t["task"], t["other"], t["idle"] }'; }
	for o in "" "--threshold 2 --keep-outliers" "--types GEMM --exclude Iteration==3"; do
		is "$(traceviz aggregate -q $o "$f" | time_of | cut -d' ' -f1)" "$(sum busy <"$f")" \
			"$s: aggregate ${o:-by default} conserves time"
	done
	want=$(traceviz idleness -q "$f" | awk -F, -v m="$(traceviz bounds -q "$f" | awk -F, '$2 == "makespan" { print $4; exit }')" \
		'NR > 1 { b += $5; o += $6; i += m - $5 - $6 } END { printf "%.3f %.3f %.3f", b, o, i }')
	is "$(traceviz aggregate -q --step 11 "$f" | time_of)" "$want" "$s: slices have the idleness of each worker"
	is "$(traceviz aggregate -q --step 11 --by ResourceType "$f" | time_of)" "$want" "$s: and of each type"
done

# the runtime's own counter, summed by hand
traceviz convert -q "$DATA/cholesky-paje" -o run
own() { awk -F, -v m="$(traceviz bounds -q run | awk -F, '$2 == "makespan" { print $4 }')" -v t="$1" '$2 ~ t {
	b = $3 < 0 ? 0 : $3; e = $4 > m ? m : $4; if (e > b) s += (e - b) * $5 } END { printf "%.3f", s }' run/variables.csv; }
for pass in ready submitted; do
	traceviz $pass -q --counter --step 3 run | sed 's/"popped, waiting"/waiting/' >$pass.csv
	is "$(integral counter <$pass.csv | cut -d' ' -f1)" "$(own "$([ $pass = ready ] && echo Ready || echo Submitted)")" \
		"$pass --counter"
	is "$(awk -F, 'NR > 1 { s[$1] += ($4 - $3) * $5 } END { d = s["ready"] + s["not started"] - s["counter"] - s["waiting"]
		printf "%.6f", d < 0 ? -d : d }' $pass.csv)" 0.000000 "$pass: popped, waiting is the difference"
done
traceviz counter -q 'number of ready*' --begin 0 --end 100 run >counter.csv
is "$(sed -n '2s/,[^,]*$//p' counter.csv | cut -d, -f1-3)" "Number of Ready Tasks,scheduler,0.000000" "counter NAME in a window"
is "$(traceviz counter -q --name 'number of ready*' --begin 0 --end 100 run | cksum)" "$(cksum <counter.csv)" \
	"counter --name NAME"
run traceviz counter nothing run
is "$rc" 1 "an unknown counter fails"
like "$(cat stderr)" "*no variable 'nothing', expected one of *'Number of Ready Tasks'*" "and the message lists those there are"
# kinds of resources are never added up: main memory (manager 0), the memory of GPUs, a network
for type in 'Used (MB)' 'Bandwidth In (MB/s)'; do
	traceviz counter -q "$type" --sum run >kinds.csv
	is "$(sed 1d kinds.csv | cut -d, -f2 | uniq | tr '\n' ' ')" "main memory CUDA memory " "counter --sum of $type: one curve per kind"
	for kind in main:0 CUDA:1-3; do
		is "$(awk -F, -v k="${kind%:*} memory" '$2 == k { s += ($4 - $3) * $5 } END { printf "%.3f", s }' kinds.csv)" \
			"$(traceviz counter -q "$type" --resource "MEMMANAGER[${kind#*:}]" run | sed 1d |
				awk -F, '{ s += ($4 - $3) * $5 } END { printf "%.3f", s }')" "$type: $kind is the sum over its resources"
	done
done
sed 's/^MEMMANAGER3,MEMMANAGER/MEMMANAGER3,Network/; /^MEMMANAGER3/s/,3,/,,/' run/resources.csv >resources && cp -r run net && mv resources net/resources.csv
is "$(traceviz counter -q 'Used*' --sum net | sed 1d | cut -d, -f2 | uniq | tr '\n' ' ')" "main memory CUDA memory Network " "a network is alone"
is "$(traceviz counter -q run | sed 1d | cut -d, -f1,2 | cksum)" "$(traceviz counter -q '*' run | sed 1d | cut -d, -f1,2 | uniq | cksum)" \
	"counter without NAME lists what there is"
is "$(traceviz counter -q run | awk -F, '$2 == "MEMMANAGER2" && /Used/ { printf "%.9f %d %d", $5, $6, $7 }')" \
	"$(traceviz counter -q 'Used*' --resource MEMMANAGER2 run | sed 1d | awk -F, '{ s += ($4 - $3) * $5; t += $4 - $3; if ($5 > m) m = $5 }
		END { printf "%.9f 0 %d", s / t, m }')" "with mean, min and max"
run traceviz counter run/tasks.csv
like "$rc $(cat stderr)" "1 *no variable '\*': the trace has none*" "a single file is the trace"
run traceviz ready --counter "$DATA/cholesky.csv"
is "$rc" 1 "--counter needs the variables"
like "$(cat stderr)" "*no variable '\*ready\*': the trace has none*" "and says so"

# tags say what the trace says; iterations of 30 x 30 tiles
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "Iteration" || $i == "X" || $i == "Y") $i = "own" $i } 1' \
	"$DATA/cholesky.csv" >own.csv
is "$(traceviz iterations -q own.csv | awk -F, "$by_name"'$c["Kind"] == "app" {
	n++; bad += $c["ownIteration"] != $c["Iteration"] || $c["ownX"] != $c["X"] || $c["ownY"] != $c["Y"] }
	END { print n, bad }')" "4960 0" "tags of StarPU's Cholesky give the Iteration, X and Y of the trace"
is "$(traceviz progress -q own.csv | cksum)" "$(traceviz progress -q "$DATA/cholesky.csv" | cksum)" "progress from tags"
is "$(traceviz progress -q "$DATA/cholesky.csv" | awk -F, 'NR > 1 { n = 30 - $2; if ($3 != n * (n + 1) / 2) bad++ }
	END { print NR - 1, bad + 0 }')" "30 0" "iteration k has (30-k)(31-k)/2 tasks"
is "$(traceviz progress -q --open "$DATA/cholesky.csv" | awk -F, 'NR > 1 && $5 > m { m = $5 } END { print m }')" \
	"$(traceviz progress -q "$DATA/cholesky.csv" | awk -F, 'NR > 1 && $10 > m { m = $10 } END { print m }')" \
	"the most open iterations, as a curve and in the table"

# in pipelines: the same bytes from a folder and from a pipe, user columns kept
for pass in ready submitted concurrency aggregate "aggregate --step 5" progress; do
	is "$(traceviz $pass -q run | cksum)" "$(traceviz outliers -q run | traceviz iterations -q | traceviz $pass -q - | cksum)" \
		"$pass: folder and pipe"
done
is "$(traceviz iterations -q own.csv | traceviz outliers -q - | traceviz convert -q - -o - | head -1 | tr , '\n' |
	grep -c '^own')" 3 "columns of the user survive"
run traceviz aggregate --exclude 'Foo == 1' own.csv
is "$rc" 2 "aggregate --exclude takes an expression"
