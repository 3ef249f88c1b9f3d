#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# published.t: the published results of docs/limits.md, from the traces behind them. These are not in this repository: $TRACEVIZ_PUBLIC
# (default: public/ of the shared data) has clones of theirs, or these files at their paths. What is absent is skipped.
. "$(dirname "$0")/lib.sh"
plan 13
PUBLIC=${TRACEVIZ_PUBLIC:-$SHARED/data/public}
case $PUBLIC in /*) ;; *) PUBLIC=$ROOT/$PUBLIC ;; esac
# here N PATH: whether it is there; else N checks are skipped
here() {
	[ -e "$PUBLIC/$2" ] && return
	skip "$1" "no $2: TRACEVIZ_PUBLIC names the folder with clones of these repositories"
	return 1
}
published() { perl "$ROOT/tests/cli/published.pl" "$@"; }
# The only column of a query, as text
query() { traceviz sql -q --csv "$@" | sed '1d; s/^"//; s/"$//'; }

# The figure of a factorization by qr_mumps, extra_test/qrm_test/output_img.png
run=starvz/extra_data/qr_trace
if here 3 $run; then
	is "$(traceviz bounds -q --phase last "$PUBLIC/$run" | awk -F, '$2 == "makespan" { printf "%.0f", $4 }')" 13339 "StarVZ: makespan"
	is "$(traceviz idleness -q --csv --phase last "$PUBLIC/$run" | columns - Idleness | awk '{ printf "%.2f ", $1 }')" \
		"10.44 9.59 10.30 8.30 10.61 9.88 8.57 10.52 10.10 10.82 " "StarVZ: idleness of ten workers"
	is "$(traceviz front-memory -q --csv --phase last "$PUBLIC/$run" | columns - Value | sort -n | awk 'END { printf "%.2f", $1 }')" 1384.48 \
		"StarVZ: largest memory of the fronts"
fi

# The PyTorch profiler's plugin for TensorBoard: what its test expects of two samples. There a step ends with the last kernel
# that it launched, and begins with the end of the step before.
part() { echo "ifnull((SELECT covered(max(Start_ns, a), min(End_ns, b)) FROM tasks WHERE Value $1 AND End_ns > a AND Start_ns < b), 0) / 1000"; }
steps="WITH host AS (SELECT Value, Start_ns s, End_ns e FROM states WHERE Value GLOB 'ProfilerStep#*'),
	device AS (SELECT Value, s, max(e, (SELECT max(End_ns) FROM tasks WHERE SubmitTime_ns BETWEEN s AND e)) last FROM host),
	step AS (SELECT Value, max(s, ifnull(lag(last) OVER (ORDER BY s), s)) a, last b FROM device)
	SELECT printf('%s %d %d %d %d', substr(Value, 14), (b - a) / 1000, $(part "NOT GLOB 'Mem*'"), $(part "GLOB 'Memcpy*'"),
		$(part "GLOB 'Memset*'")) AS line FROM (SELECT * FROM step ORDER BY a) UNION ALL
	SELECT printf('%.2f %%', 100.0 * 1000 * $(part "NOT GLOB 'Mem*'") / (b - a)) FROM (SELECT min(a) a, max(b) b FROM step)"
kernels="SELECT printf('%d %d %d %d %s', count(*), sum(End_ns - Start_ns) / 1000, max(End_ns - Start_ns) / 1000, min(End_ns - Start_ns) / 1000, Value)
	FROM tasks WHERE Value NOT GLOB 'Mem*' GROUP BY Value"
expected=kineto/tb_plugin/test/result_check_file.txt
if here 4 $expected; then
	line=1
	for sample in 0/worker0.1623143089861 4/worker0.1623212756351; do
		trace=$PUBLIC/kineto/tb_plugin/samples/resnet50_num_workers_$sample.pt.trace.json.gz
		is "$(query "$trace" "$steps")" "$(published steps "$PUBLIC/$expected" $line)" "TensorBoard, $sample: steps, their kernels, copies, memsets, utilization"
		published kernels "$PUBLIC/$expected" $((line + 3)) | sort >want
		query "$trace" "$kernels" | sort >got
		ok "TensorBoard, $sample: $(wc -l <want) kernels: number, sum, max, min" cmp want got
		line=$((line + 5))
	done
fi

# Two traces of PyTorch compared: kernels that only one has; the work of a step, of the device and of the host.
hta=HolisticTraceAnalysis
notebook=$hta/examples/trace_diff_demo.ipynb
base_trace=$PUBLIC/$hta/tests/data/trace_diff/control/control.json.gz
new_trace=$PUBLIC/$hta/tests/data/trace_diff/test/test.json.gz
step="WITH step AS (SELECT Start s, End e FROM states WHERE Value = 'ProfilerStep#1010')
	SELECT printf('%d %d %s', count(*), sum(End_ns - Start_ns) / 1000, Value) AS line FROM (
		SELECT Value, Start_ns, End_ns FROM tasks, step WHERE SubmitTime >= s AND SubmitTime < e UNION ALL
		SELECT Value, Start_ns, End_ns FROM states, step WHERE Start >= s AND Start < e) GROUP BY Value"
if here 2 $notebook; then
	published changes "$PUBLIC/$notebook" | sort >want
	traceviz compare -q --csv --section types a="$base_trace" b="$new_trace" >types
	query "SELECT iif(Before = 0, 'added ', 'deleted ') || Value FROM input WHERE Name = 'tasks' AND (Before = 0) <> (After = 0)" <types | sort >got
	ok "TraceDiff: $(grep -c ^added want) kernels added, $(grep -c ^deleted want) deleted" cmp want got
	query "$base_trace" "$step" >base
	query "$new_trace" "$step" >new
	# Number or us in both steps, as each line of the bars has
	published bars "$PUBLIC/$notebook" | sort -u >want
	awk 'FILENAME == "want" { unit = $1; sub(/^[^ ]+ [^ ]+ [^ ]+ /, ""); print unit, at["base", $0, unit] + 0, at["new", $0, unit] + 0, $0; next }
		{ n = $1; t = $2; sub(/^[^ ]+ [^ ]+ /, ""); at[FILENAME, $0, "n"] = n; at[FILENAME, $0, "t"] = t }' base new want >got
	ok "TraceDiff: $(wc -l <want) pairs of bars" cmp want got
fi

# A program recorded by Score-P: its messages, and shares of 62 equal bins that Vampir showed. Our times begin ClockOrigin later.
trace=$PUBLIC/pipit/pipit/tests/data/ping-pong-otf2/traces.otf2
if here 2 pipit/pipit/tests/trace.py; then
	is "$(traceviz comm-matrix -q --csv "$trace" | sed 1d | cut -d, -f1-4 | tr '\n' ' ')" "0,1,8,4177920 1,0,8,4177920 " "Pipit: messages, bytes"
	bins="WITH bin AS (SELECT 418210708 / 2095197216.0 * 1e9 / 62 w), zero AS (SELECT Value * 1e6 z FROM meta WHERE Key = 'ClockOrigin'),
		bins AS (SELECT column1 name, column2 * w - z a, column3 * w - z b FROM (VALUES ('0', 0, 1), ('1:59', 1, 60), ('60', 60, 61), ('61', 61, 62)), bin, zero),
		spans AS (SELECT Value, Start_ns s, End_ns e, 1 sign FROM states UNION ALL SELECT Call, Start_ns, End_ns, 1 FROM calls UNION ALL
			SELECT 'int main(int, char**)', Start_ns, End_ns, -1 FROM calls)
		SELECT printf('%s %.6f %s', name, abs(sum(sign * overlap(s, e, a, b))) / (b - a) / 2, Value) FROM bins, spans GROUP BY name, Value"
	published vampir "$PUBLIC/pipit/pipit/tests/trace.py" | sort >want
	query "$trace" "$bins" | sort >got
	ok "Pipit: $(wc -l <want) shares of Vampir" cmp want got
fi

# A replay of MPI: what it printed while it ran, and the trace that it wrote.
tesh=$PUBLIC/simgrid/examples/smpi/replay/replay.tesh
if here 2 simgrid/examples/smpi/replay/replay.tesh; then
	published paje "$tesh" >replay.trace
	is "$(query replay.trace "SELECT printf('%.6f', max(End) / 1000) FROM states")" "$(sed -n 's/.*Simulation time //p' "$tesh" | head -1)" "SimGrid: time of the simulation"
	is "$(query replay.trace "SELECT printf('%s %s %d %.5f', substr(ResourceId, 6), replace(Value, 'action_', ''), count(*), sum(End - Start) / 1000)
		FROM states WHERE Depth = 0 AND Value NOT GLOB 'smpi*' GROUP BY ResourceId, Value" | sed 's/computing/compute/' | sort)" \
		"$(published simgrid "$tesh")" "SimGrid: time of each action of each process"
fi
