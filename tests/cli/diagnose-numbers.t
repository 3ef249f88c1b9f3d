#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# diagnose-numbers.t: numbers in the sentences of diagnose are what the words say, by computations of their own
# needs zstd
. "$(dirname "$0")/lib.sh"
. "$ROOT/tests/cli/finds.sh"

plan 37

# sentence ID TRACE: what is said of a finding, or of the run
sentence() { traceviz diagnose -q --json "$2" | tr '\n' ' ' | sed 's/} *, *{/}\n{/g' | grep "\"Id\": *\"$1\"" | sed 's/.*"Text": *"//; s/", *"[A-Z].*//'; }
run_sentence() { traceviz diagnose -q --csv "$1" | sed -n 2p | tr -d '"'; }
# csv_of TRACE: its tasks, as columns ResourceId,Start,End,Kind,Value
csv_of() {
	traceviz convert -q "$1" -o converted.csv
	awk -F, "$by_name"'$c["Start"] != "" { printf "%s,%s,%s,%s,%s\n", $c["ResourceId"], $c["Start"], $c["End"], $c["Kind"], $c["Value"] }' converted.csv
}
# words MS: as sentences have it
words() { awk -v t="$1" 'BEGIN { u = "ms"; if (t >= 1000) { t /= 1000; u = "s" } f = t >= 100 ? "%.1f %s" : t >= 10 ? "%.2f %s" : "%.3f %s"; printf f, t, u }'; }

# long-tail: from the last task of each worker on, without what idle-causes shows of the cause elsewhere in a window from there; half of them is
# the smallest number that is half or more.
tail_of() {
	csv_of "$1" | awk -F, '$4 == "app" { if ($3 > last[$1] + 0) last[$1] = $3 + 0; if ($3 > end + 0) end = $3 + 0 }
		END { for (w in last) { sum += end - last[w]; printf "%.6f %.6f %s\n", last[w], end, w >"last"; print last[w] | "sort -n >ends"; n++ } close("sort -n >ends"); for (i = 0; i < int((n + 1) / 2); i++) getline half <"ends"
			close("ends"); while ((getline e <"ends") > 0) done += e <= half; printf "%.6f %d %d %.6f\n", sum, done, n, end - half }' >tail
	elsewhere=$(while read -r from to worker; do
		[ "$from" = "$to" ] || traceviz idle-causes -q --csv --by worker --begin "$from" --end "$to" "$1" | awk -F, "$by_name"'$c["ResourceId"] == "'"$worker"'" && $c["Cause"] == "elsewhere" { print $c["Time"] }'
	done <last | awk '{ s += $1 } END { printf "%.6f", s }')
	while read -r sum ended n rest; do
		echo "After their last task workers did nothing for $(words "$(echo "$sum $elsewhere" | awk '{ print $1 - $2 }')").$([ "$elsewhere" = 0.000000 ] || echo " Another $(words "$elsewhere"), in which ready tasks waited for other workers, is not counted.") $ended of the $n workers with tasks had finished $(words "$rest") or more before the end."
	done <tail
}
without_share='s/ in total ([0-9]* % of the time of all workers)//'
is "$(finds long-tail "$DATA/cholesky.csv")" "" "long-tail: not where nearly all of it is ready tasks that wait for other workers"
for trace in "$DATA/cholesky-ws.csv" "$DATA/cholesky-4nodes/p1x4" "$DATA/cholesky-decisions"; do
	is "$(sentence long-tail "$trace" | sed "$without_share")" "$(tail_of "$trace")" "long-tail: $(basename "$trace")"
done
# Four workers, one of which runs a task of the runtime for 5 ms after its last one; D, which ran none, is not done early.
head='ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,SubmitTime\n'
{ printf "$head"; printf 'A,CPU,a,1,0,10,app,,0\nB,CPU,a,2,0,20,app,,0\nB,CPU,x,5,22,27,runtime,,0\nC,CPU,a,3,0,30,app,,0\nE,CPU,a,4,0,40,app,,0\nD,CPU,,,,,worker,,\n'; } >four.csv
is "$(finds long-tail four.csv)" "11.000000 55.000000" "long-tail: 30 + 15 + 10 ms, priced at a fifth"
is "$(sentence long-tail four.csv)" "After their last task workers did nothing for 55.00 ms in total (28 % of the time of all workers). 2 of the 4 workers with tasks had finished 20.00 ms or more before the end. For the last 10.00 ms one task runs alone: it is of type a, job 4, on worker E, 40.00 ms long; others of its type take 20.00 ms on average." "of an even number the lower middle"
sed 's/^A,CPU,a,1,0,10/A,CPU,a,1,0,20/' four.csv >ties.csv
like "$(sentence long-tail ties.csv)" "*2 of the 4 workers with tasks had finished 20.00 ms or more*" "two at once"
grep -v '^[BD],' four.csv >three.csv
like "$(sentence long-tail three.csv)" "*for 40.00 ms in total (33 % of the time of all workers). 2 of the 3 workers with tasks had finished 10.00 ms or more*" "of an odd number the middle"
# A run that was cut: nobody knows what these workers would have run.
{ cat three.csv; printf ',,a,9,,,pending,,0\n'; } >pending.csv
is "$(finds long-tail pending.csv)" "" "not of a run that was cut"

# The first sentence says how much of the run is missing.
like "$(run_sentence pending.csv)" "*The trace ends before the run: 1 of 4 submitted tasks had not started. Until then the run took 40.00 ms*" "pending tasks"
sed '1s/$/,Flag/; 2,$s/$/,/; s/^E.*/E,CPU,a,4,0,40,app,,0,open/' pending.csv >both.csv
like "$(run_sentence both.csv)" "*1 of 4 submitted tasks had not started, and 1 had not ended. Until then the run took 40.00 ms*" "and open ones"
grep -v pending both.csv >open.csv
like "$(run_sentence open.csv)" "*The trace ends before the run: 1 task had not ended. Until then*those that ended take*" "open ones alone"
printf 'ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime,Flag\nC0,CPU,a,1,0,5,0,open\nG0,CUDA,b,2,1,5,0,open\n' >nothing.csv
is "$(run_sentence nothing.csv | grep -c 'those that ended take 0 ns') $(finds fine-tasks nothing.csv)" "1 " "nothing ended: no task takes 0 ns"
is "$(run_sentence three.csv | grep -c 'The run took 40.00 ms: 3 tasks')" 1 "a complete run is one"
zstd -dqc "$TESTDATA/fxt/cholesky-12-dmdas/prof_file_0.zst" | head -c 500000 >prof_cut
traceviz convert -q prof_cut -o cut
like "$(run_sentence prof_cut)" "*$(grep -c ,pending, cut/tasks.csv) of $(grep -c -e ,pending, -e ,app, cut/tasks.csv) submitted tasks had not started, and $(grep -c ,open, cut/tasks.csv) had not ended.*" "FxT"
run traceviz -q prof_cut -o cut.boxes.csv
like "$(cat cut.boxes.csv)" "*the run was cut: $(grep -c ,pending, cut/tasks.csv) of $(grep -c -e ,pending, -e ,app, cut/tasks.csv) submitted tasks never started*" "and its figure"

# scarce-idle: each cause but data, runtime and elsewhere is a time without a ready task. By hand: the GPU waits for the CPU from 0 to 20,
# and has nothing left from 29 to 30.
{ printf "$head"; printf 'C0,CPU,b,1,0,20,app,,0\nG0,GPU,a,2,20,22,app,1,0\nG0,GPU,a,3,22,24,app,2,0\nC0,CPU,a,4,20,30,app,1,0\nG0,GPU,b,5,24,29,app,3,0\n'; } >scarce.csv
like "$(sentence scarce-idle scarce.csv)" "GPU workers had no ready task for 21.00 ms in sum (dependencies 20.00 ms, drain 1.000 ms). With the best placement they limit the run: *" "scarce-idle: two causes"
for trace in "$DATA/cholesky-dmda.csv" "$DATA/cholesky-4nodes/p1x4"; do
	rtype=$(sentence scarce-idle "$trace" | cut -d' ' -f1)
	is "$(finds scarce-idle "$trace" | cut -d' ' -f2)" "$(traceviz idle-causes -q --by type "$trace" | awk -F, -v rtype="$rtype" '$4 == rtype && $7 != "data" && $7 != "runtime" && $7 != "elsewhere" && $7 != "unexplained" { sum += $8 } END { printf "%.6f", sum }')" "$(basename "$trace"): the other causes"
done

# outliers: one number everywhere. On C1 all tasks are slow, two of them much more; one of C0 is an outlier; 8 more during a disturbance.
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime,GFlop"
	for (w = 0; w < 8; w++) { t = 0; for (i = 0; i < 100; i++) { d = i == 50 ? 25 : w == 0 && i == 90 ? 60 : 10; print "C" w ",CPU,a," ++n "," t "," t + d ",0,1"; t += d } } }' >several.csv
all=$(traceviz outliers -q --csv several.csv | awk -F, "$by_name"'{ n += $c["Outlier"] } END { print n }')
is "$all" 9 "the verb counts nine"
like "$(sentence outliers several.csv)" "1 task took much longer than others of its type (of 9 outliers; a slow worker, a disturbance or waits explain the others), 50.00 ms more than*" "diagnose says of how many it speaks"
run traceviz -q several.csv -o several.boxes.csv
like "$(cat several.boxes.csv)" "*dark = outlier (9)*" "as the figure"
like "$(sentence disturbance several.csv)" "*8 of * workers were slow at once. Tasks then took 120.0 ms longer than*" "one disturbance"
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime"
	for (w = 0; w < 8; w++) { t = 0; for (i = 0; i < 100; i++) { d = i == 30 || i == 70 ? 20 : 10; print "C" w ",CPU,a," ++n "," t "," t + d ",0"; t += d } } }' >twice.csv
like "$(sentence disturbance twice.csv)" "*There is 1 more such time; in all of them together tasks took 160.0 ms longer than*" "two: the time is that of both"

# overtaken: the number, the sum and the longest are of the waits of 1 % of the run and more.
one=$(traceviz bounds -q --csv "$DATA/cholesky-decisions" | awk -F, '$2 == "makespan" { print $4 / 100 }')
is "$(sentence overtaken "$DATA/cholesky-decisions" | sed 's/ while.*//')" "$(traceviz late -q --csv "$DATA/cholesky-decisions" | awk -F, -v one="$one" "$by_name"'$c["Overtaken"] >= one { n++ } END { print n }') tasks waited 1 % of the run ($(words "$one")) or longer" "overtaken: tasks that are counted"

# crowded: both halves of the exchange, by the table of abe.
traceviz abe -q --csv "$DATA/cholesky.csv" >abe.csv
is "$(sentence crowded "$DATA/cholesky.csv" | sed 's/.*They ran //')" "$(awk -F, "$by_name"'$c["Node"] == "" && $c["ResourceType"] == "CUDA" { d = ($c["Actual"] - $c["Ideal"]) * $c["MeanDuration"]; s[++n] = sprintf("%d %s (ideal: %.0f)", $c["Actual"], $c["Value"], $c["Ideal"]); by[n] = d; if (d > 0) more += d; else less += d }
	END { for (i = 1; i <= n; i++) { if (by[i] > 0.1 * more) up = up (up == "" ? "" : ", ") s[i]; if (by[i] < 0.1 * less) down = down (down == "" ? "" : ", ") s[i] } print up "; and only " down "." }' abe.csv)" "crowded: what they ran too much and too little"

# late-start: the largest of all seven parts, by its table.
for trace in "$DATA/cholesky-2nodes" "$DATA/cholesky-4nodes/p1x4"; do
	is "$(sentence late-start "$trace" | sed 's/.*The largest part of this delay is //')" "$(traceviz late-start -q --csv "$trace" | awk -F, "$by_name"'
		{ m += $c["UnsentTime"] + $c["QueuedTime"] + $c["TransferTime"]; t += $c["TaskTime"]; w += $c["WaitingTime"]; d += $c["DataTime"]; s += $c["SubmissionTime"] }
		END { most = m; text = "spent on messages."; if (t > most) { most = t; text = "the time of tasks that had to run before." } if (w > most) { most = w; text = "the time that ready tasks before them waited for workers." }
			if (d > most) { most = d; text = "data" } if (s > most) text = "submission"; print text }')" "late-start: $(basename "$trace")"
done

# A team is one task here as in the header of figures.
traceviz convert -q "$TESTDATA/fxt/1.4.12-parallel" -o team.csv
teams=$(awk -F, "$by_name"'$c["Kind"] == "app" && !seen[$c["JobId"], $c["Instance"]]++ { n++ } END { print n }' team.csv)
like "$(run_sentence "$TESTDATA/fxt/1.4.12-parallel")" "*: $teams tasks on 2 CPU workers.*" "tasks of a run with teams"

# Idle time of a cause: all of it, by the pass.
cause() { words "$(traceviz idle-causes -q "$1" | awk -F, -v cause="$2" '$7 == cause { print $8 }')"; }
for trace in "$DATA/cholesky.csv" "$DATA/cholesky-4nodes/p2x2"; do
	like "$(sentence elsewhere "$trace")" "Workers did nothing for $(cause "$trace" elsewhere) in total (*" "elsewhere: $(basename "$trace")"
done
like "$(sentence transfers "$DATA/cholesky-4nodes/p2x2")" "Workers did nothing for $(cause "$DATA/cholesky-4nodes/p2x2" data) in total (*" "transfers"

# slow-worker: a worker is one, also where its device is a member; times of idleness.
awk 'BEGIN { print "ResourceId,ResourceType,Value,JobId,Start,End,SubmitTime,Device"
	for (w = 0; w < 4; w++) for (i = 0; i < 40; i++) print "G" w ",CUDA,a," ++n "," 12 * i "," 12 * i + 10 + (w == 1) ",0,D" w }' >devices.csv
like "$(sentence slow-worker devices.csv)" "Tasks on worker G1 take 1.10 times as long as on other CUDA workers. It was busy for 440.0 ms, the others for 400.0 ms on average. The trace does not show whether these tasks had more work." "slow-worker: no other worker is slow"

# urgent-delays: what is outlined is not most of the run.
is "$(traceviz diagnose -q --csv "$DATA/cholesky.csv" | grep ',urgent-delays,' | grep -o "Value == [^']*" | tr -d '"' | head -1)" "Value == TRSM" "urgent-delays: not the 4060 GEMM of 4960 tasks"


need_shared 3
is "$(sentence long-tail "$SHARED/data/review/lu20-dmdas")" "After their last task workers did nothing for 2.379 s in total (6 % of the time of all workers). Another 4.063 s, in which ready tasks waited for other workers, is not counted. 6 of the 12 workers with tasks had finished 569.4 ms or more before the end." "LU 20, dmdas: known truth"
is "$(tail_of "$SHARED/data/review/lu20-dmdas")" "$(sentence long-tail "$SHARED/data/review/lu20-dmdas" | sed "$without_share")" "as computed here"
like "$(sentence overtaken "$SHARED/data/review/decisions-chol30-dmdas")" "677 tasks waited 1 % of the run (42.66 ms) or longer while *, 251.0 s in sum, up to 1.987 s*" "overtaken: 677 of the tasks that waited"
