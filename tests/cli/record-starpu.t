#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-starpu.t: programs of StarPU: tasks, and each decision of dm* policies computed again.
. "$(dirname "$0")/lib.sh"
plan 85

bin=${TRACEVIZ_BIN:-$ROOT/build}
examples=$(find /usr/lib/*/starpu/examples -maxdepth 0 2>/dev/null | head -1)
if [ ! -f "$bin/record/libtraceviz-starpu.so" ] || [ ! -x "$examples/cholesky_implicit" ]; then
	skip 85 "no StarPU probe (Debian: libstarpu-dev), or no programs to record (starpu-examples)"
	exit 0
fi
export STARPU_HOME="$PWD/home" STARPU_NCPU=2 STARPU_NCUDA=0 STARPU_NOPENCL=0 STARPU_SILENT=1 OPENBLAS_NUM_THREADS=1
# A loaded machine must not make StarPU forget its models.
export STARPU_HISTORY_MAX_ERROR=1000000000
mkdir home
cholesky="$examples/cholesky_implicit -size 960 -nblocks 10"
lu="$examples/lu_implicit_example_float -size 480 -nblocks 8"

# start POLICY PROGRAM...: recorded, ./run; tables, ./tables
start() {
	rm -rf run tables
	STARPU_SCHED=$1; export STARPU_SCHED; shift
	run timeout 60 traceviz record --starpu -o run -- "$@"
	traceviz convert -q run -o tables 2>convert.log
}
digits() { sed 's/[0-9][0-9.]*/N/g' "$@"; }
count() { columns "tables/$2.csv" "$1" | grep -cx "$3"; }

# Computes the decisions again from what the candidates have, as dm* policies do, with a resolution of 1 ns: how many there are, how
# many are flagged, how many did not choose the smallest fitness, in how many another column is not the computed one.
check() {
	awk -F, -v dm="$1" '
	function is(name, value) { if (name in at && $at[name] != "" && ($at[name] - value > 5e-6 || value - $at[name] > 5e-6)) wrong++ }
	FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
	{ key = $at["JobId"] "/" $at["Decision"] }
	file == 1 { time[key] = $at["Time"]; chosen[key] = $at["ResourceId"]; n++
		flag[key] = "Flag" in at ? $at["Flag"] : ""; flagged += flag[key] != ""; nature[key] = $at["Nature"]; next }
	flag[key] != "" || nature[key] != "model" { next }
	file == 2 { transfer = "Transfer" in at ? $at["Transfer"] + 0 : 0
		begin = $at["Available"] + 0; if (!dm && time[key] + transfer > begin) begin = time[key] + transfer
		end = begin + $at["Length"]; is("ExpectedStart", begin); is("ExpectedEnd", end)
		if (!(key in best) || end < best[key]) best[key] = end
		next }
	{ transfer = "Transfer" in at ? $at["Transfer"] + 0 : 0
		begin = $at["Available"] + 0; if (!dm && time[key] + transfer > begin) begin = time[key] + transfer
		fitness = begin + $at["Length"] - best[key] + (dm ? 0 : transfer); is("Fitness", fitness)
		if (!(key in least) || fitness < least[key]) least[key] = fitness
		if ($at["ResourceId"] == chosen[key]) { own[key] = fitness; if ($at["Chosen"] != 1) wrong++ } else if ($at["Chosen"] != 0) wrong++ }
	END { for (key in least) bad += !(key in own) || own[key] > least[key] + 5e-6
		for (key in nature) natures[nature[key]]++
		print n, flagged <= n / 8 ? "few" : flagged, bad + 0, wrong + 0, natures["model"] + 0 }' \
		tables/decisions.csv tables/candidates.csv tables/candidates.csv
}
# Tasks in each queue, from the order of decisions and pops, against what the scheduler saw: percent of rows that differ, as queues
# are read without a lock.
queues() {
	awk -F, '
	FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
	file == 1 { what[$at["Order"]] = "push " $at["ResourceId"] " " $at["JobId"]; if ($at["Order"] > last) last = $at["Order"]; next }
	file == 2 && $at["Type"] == "pop" { what[$at["Order"]] = "pop " $at["ResourceId"]; if ($at["Order"] > last) last = $at["Order"]; next }
	file == 3 { seen[$at["JobId"], $at["ResourceId"]] = $at["QueueTasks"]; worker[$at["ResourceId"]] }
	END { for (i = 1; i <= last; i++) { if (split(what[i], w, " ") == 0) continue
			if (w[1] == "pop") { tasks[w[2]]--; if (tasks[w[2]] < 0) below++; continue }
			for (r in worker) { if (seen[w[3], r] == "") continue; rows++; differ += seen[w[3], r] != tasks[r] + 0 }
			tasks[w[2]]++ }
		for (r in worker) left += tasks[r]
		print (rows > 0 && differ <= rows / 6) ? "few" : differ " of " rows, below + 0, left + 0 }' \
		tables/decisions.csv tables/events.csv tables/candidates.csv
}
# Whether each job has these events in this order of `Order`, and of time.
events() {
	awk -F, -v want="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ job = $at["JobId"]; is = $at["Order"] > order[job] && (!(job in time) || $at["Time"] >= time[job]); bad += !is
		  order[job] = $at["Order"]; time[job] = $at["Time"]; got[job] = got[job] $at["Type"] " " }
		END { for (job in got) { n++; bad += got[job] != want " " } print n, bad + 0 }' tables/events.csv
}
# Dependencies by data accesses alone: each task depends on the last one that wrote what it accesses, and, if it writes, on those
# that read it since: tasks, those whose DependsOn is something else.
dependencies() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["SubmitOrder"], $at["JobId"] "," $at["Handles"] "," $at["Modes"] "," $at["DependsOn"] }' \
		tables/tasks.csv | sort -n | awk -F, '{ split($1, id, " "); job = id[2]; n = split($2, h, " "); split($3, m, " "); split("", need)
		for (i = 1; i <= n; i++) { if (m[i] ~ /W/ && readers[h[i]] != "") { k = split(readers[h[i]], r, " "); for (j = 1; j <= k; j++) need[r[j]] }
			else if (h[i] in writer) need[writer[h[i]]] }
		for (i = 1; i <= n; i++) if (m[i] ~ /W/) { writer[h[i]] = job; readers[h[i]] = "" } else readers[h[i]] = readers[h[i]] " " job
		k = split($4, got, " "); same = 1; for (j = 1; j <= k; j++) same = same && (got[j] in need); for (j in need) k--
		bad += !same || k != 0; edges += length(need) } END { print NR, edges, bad + 0 }'
}

# ---- without models: StarPU is forced ----
run env STARPU_SCHED=dmdas $cholesky
plain=$(digits stdout) plain_rc=$rc
rm -rf home; mkdir home
start dmdas $cholesky
is "$rc" "$plain_rc" "the program's status is that without the recorder"
is "$(digits stdout)" "$plain" "its output, numbers apart, too"
like "$(tail -1 stderr)" "traceviz: run: 220 tasks and 220 decisions of StarPU of 1 process, *, nothing lost" "a line about it"
ok "without models there are forced decisions" test "$(count Nature decisions forced)" -gt 0
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["Nature"] == "forced" && ("Fitness" in at) && $at["Fitness"] != ""' tables/decisions.csv)" \
	"" "which have no fitness"
is "$(events "pop start end")" "220 0" "they run all the same"

# A task of 20 ms or more has its counters read at both ends; of shorter ones some.
run traceviz convert -q run -o tables
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["task-clock"] != "" { n++; bad += $at["task-clock"] <= 0 || $at["task-clock"] > 1e6 * $at["Duration"] + 1e6 || $at["voluntary-switches"] == "" }
	END { print (n > 0), bad + 0 }' tables/tasks.csv)" "1 0" "how long tasks had a processor, no longer than they took"
is "$(traceviz lifecycle -q run | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n++; bad += $at["Pushed"] == "" || $at["Popped"] == "" || $at["Pushed"] > $at["Popped"] + 1e-6 || $at["Popped"] > $at["Start"] + 1e-6 }
	END { print n, bad + 0 }')" "220 0" "lifecycle: pushed where the scheduler decides, then popped, then started"
STARPU_SCHED=prio; export STARPU_SCHED
rm -rf run
run timeout 60 traceviz record --starpu --counters page-faults -o run -- $cholesky
is "$rc $(traceviz convert -q run -o - | head -1 | tr , '\n' | grep -c -x -e page-faults -e task-clock)" "0 1" "--counters: these instead"
is "$(traceviz lifecycle -q run | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n++; bad += $at["Pushed"] == "" || $at["Popped"] == "" } END { print n, bad + 0 }')" "220 0" "lifecycle: pushes of other policies"
run traceviz record --mpi --counters task-clock -o run2 -- true
is "$rc $(cat stderr)" "2 traceviz: --counters is of tasks, which are not recorded; add --openmp or --starpu" "--counters without tasks"

# ---- with models: each policy, two programs ----
for program in "$cholesky" "$lu"; do
	for _ in 1 2 3 4; do STARPU_CALIBRATE=1 STARPU_SCHED=dmda $program >/dev/null 2>&1; done
done
for policy in dm dmda dmdap dmdar dmdas dmdasd; do
	dm=0
	[ $policy != dm ] || dm=1
	start $policy $cholesky
	is "$rc" 0 "$policy: status"
	is "$(check $dm)" "220 few 0 0 220" "$policy, Cholesky: the worker with the smallest fitness is chosen, in 220 decisions"
	is "$(queues)" "few 0 0" "$policy: queues as the scheduler saw them"
	is "$(events "pop start end")" "220 0" "$policy: pop, start, end of 220 tasks, in order"
	start $policy $lu
	is "$(check $dm)" "204 few 0 0 204" "$policy, LU: 204 decisions"
done

# ---- tasks ----
start dmdas "$examples/cholesky_implicit" -size 1152 -nblocks 12
is "$(wc -l <tables/tasks.csv)" 365 "tiled Cholesky, 12 x 12 tiles: 12 + 66 + 286 tasks"
is "$(count Value tasks chol_model_11) $(count Value tasks chol_model_21) $(count Value tasks chol_model_22)" "12 66 286" "by type"
is "$(dependencies)" "364 858 0" "858 dependencies, as computed from the accesses"
is "$(columns tables/tasks.csv SubmitOrder | sort -n | uniq -d)" "" "one submission each"
is "$(columns tables/tasks.csv Sizes | sort -u | tr '\n' ';')" "36864;36864 36864;36864 36864 36864;" "bytes of 96 x 96 floats"
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["ResourceType"] != "CPU" || $at["ResourceId"] !~ /^CPU[01]$/ || $at["SubmitTime"] > $at["Start"] || $at["End"] < $at["Start"]' tables/tasks.csv)" \
	"" "on two workers, submitted before they start"
is "$(columns tables/resources.csv ResourceId | sort | tr '\n' ' ')" "CPU0 CPU1 " "the workers"
is "$(columns tables/resources.csv MemoryNode | sort -u)" 0 "with their memory node"
is "$(columns tables/resources.csv Cpuset | grep -c '^[0-9]')" 2 "and the CPUs of their threads"
makespan=$(traceviz bounds tables 2>/dev/null | awk -F, '$2 == "makespan" { print $4 }')
ok "the makespan is not longer than the program says" awk -v m="$makespan" -v said="$(awk '/^1152/ { print $2 }' stdout)" 'BEGIN { exit !(m > 0 && m <= said + 2) }'
is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { end[$at["JobId"]] = $at["End"]; start[$at["JobId"]] = $at["Start"]; needs[$at["JobId"]] = $at["DependsOn"] }
	END { for (job in needs) { n = split(needs[job], need, " "); for (i = 1; i <= n; i++) { edges++; early += end[need[i]] > start[job] } } print edges, early + 0 }' tables/tasks.csv)" \
	"858 0" "a task starts when those have ended on which it depends"
is "$(count Key meta StarPU) $(awk -F, '$1 == "SchedulerPolicy" { print $2 }' tables/meta.csv)" "1 dmdas" "version and policy"
is "$(awk -F, '/^Scheduler[ABGI]/ { printf "%s ", $2 }' tables/meta.csv)" "1 1 1000 0 " "and its weights"

start dmda "$examples/cholesky_tag" -size 960 -nblocks 10
is "$(traceviz info tables 2>/dev/null | awk -F, '$2 == "dependencies" { print $3 }')" 495 "dependencies by tags: as many as by accesses"
is "$(columns tables/tasks.csv Tag | sort -u | wc -l)" 220 "each task has its tag"

# ---- settings of the scheduler, and of the recorder ----
STARPU_SCHED_BETA=3 STARPU_SCHED_ALPHA=2 start dmda $cholesky
ok "other weights: hardly a decision is flagged" test "$(columns tables/decisions.csv Flag | grep -c .)" -le 11
is "$(awk -F, '/^Scheduler[AB]/ { printf "%s ", $2 }' tables/meta.csv)" "2 3 " "which are recorded"
STARPU_PREFETCH=0 start dmdas $cholesky
is "$(check 0)" "220 few 0 0 220" "without prefetching the pop names the worker"
rm -rf run tables
STARPU_SCHED=dmda run traceviz record --starpu --top 1 -o run -- $cholesky
traceviz convert -q run -o tables
is "$(count Chosen candidates 1) $(sort tables/candidates.csv | uniq -d | wc -l | tr -d ' ')" "220 0" "--top 1: the chosen candidate of each decision, once"
# The best one is another where a queue changed while the scheduler compared.
is "$([ "$(count Chosen candidates 0)" -le 27 ] && echo few)" few "which is the best one of nearly all"
is "$(awk -F, '$1 == "CandidatesKept" { print $2 }' tables/meta.csv)" 1 "meta says so"
run traceviz record --openmp --top 3 -o run2 -- true
is "$rc" 2 "--top without --starpu is an error"
run traceviz record --starpu --top 0 -o run2 -- true
is "$rc" 2 "--top 0, too"

# ---- a task that many others wait for, and that has many data; weights that are not the policy's ----
starpu=$(pkg-config --exists starpu-1.4 && echo starpu-1.4 || echo starpu-1.3)
# shellcheck disable=SC2046 # flags
if ${CC:-cc} $(pkg-config --cflags $starpu) -o many "$ROOT/tests/record/starpu_many.c" $(pkg-config --libs $starpu); then
	start dmda ./many 3500
	is "$rc $(grep -c 'warning: the scheduler.s weights are not where they are expected' stderr)" "0 1" "other weights than expected: a warning"
	is "$(head -1 tables/candidates.csv | grep -c Fitness) $(awk -F, '$1 ~ /^Scheduler[ABGI]/' tables/meta.csv)" "0 " "and no fitness, no weights"
	like "$(cat stderr)" "*warning: a task has more data than an event of the log can hold*" "more data than an event can hold: a warning"
	is "$(grep '^Dropped' tables/meta.csv)" "Dropped: data of a task that has too many of them,1" "the reader counts it"
	is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["Value"] == "one" { n++; bad += $at["DependsOn"] != first }
		$at["Value"] == "all" { first = $at["JobId"]; data = split($at["Handles"], x, " ") } END { print n, bad + 0, data }' tables/tasks.csv)" \
		"3500 0 1309" "but all 3500 tasks that waited for it are known"
	run traceviz convert --strict run -o strict
	is "$rc $(grep -c '^traceviz: run/.*: data of a task that has too many of them: byte' stderr)" "1 1" "--strict refuses it"
else
	skip 6 "no compiler for programs of StarPU"
fi

# ---- policies that do not compare ----
for policy in eager prio ws lws; do
	start $policy $cholesky
	is "$(events "push pop start end")" "220 0" "$policy: push, pop, start, end of 220 tasks, in order"
	is "$(count Kind tasks app) $(ls tables/decisions.csv 2>/dev/null)" "220 " "$policy: tasks, no decisions"
done
start random $cholesky
is "$(events "push start end")" "220 0" "random, which pushes to StarPU's own queues: no pops"

# ---- how programs end ----
start dmda sh -c 'exit 7'
is "$rc $(ls run)" "7 recording" "a program without StarPU: its status, no log"
run env LD_PRELOAD="$bin/record/libtraceviz-record.so:$bin/record/libtraceviz-starpu.so" env true
is "$rc $(cat stdout stderr)" "0 " "loaded without a folder, it does nothing"
rm -rf run
STARPU_SCHED=dmdas traceviz record -q --starpu -o run -- "$examples/cholesky_implicit" -size 9600 -nblocks 60 >/dev/null 2>&1 &
recorder=$!
for _ in $(seq 400); do
	[ "$(cat run/*.tvlog 2>/dev/null | wc -c)" -lt 1000000 ] || break
	sleep 0.05
done
kill -KILL "$(grep -l "^PPid:.$recorder\$" /proc/[0-9]*/status 2>/dev/null | tr -dc '0-9\n' | head -1)"
wait $recorder 2>/dev/null
is "$?" 137 "a program that is killed: its signal"
rm -rf tables; run traceviz convert run -o tables
is "$rc" 0 "what was recorded is used"
ok "it has tasks, decisions, and tasks that did not start" sh -c '[ $(grep -c ,app, tables/tasks.csv) -gt 10 ] && [ $(wc -l <tables/decisions.csv) -gt 10 ] && grep -q ,pending, tables/tasks.csv'
is "$(check 0 | cut -d" " -f2-4)" "few 0 0" "and its decisions hold"
