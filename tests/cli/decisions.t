#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Decisions of a scheduler: checked, tiled, ranked; against brute force and what was computed independently.
# needs zstd
. "$(dirname "$0")/lib.sh"
plan 58

RUN=$DATA/cholesky-decisions
sums() { # of mispredictions: tasks, Ahead, Overtaken, idle
	awk -F, "$by_name"'$c["Ahead"] != "" { n++; a += $c["Ahead"]; o += $c["Overtaken"]; idle += $c["IdleQueued"] + $c["IdleTaken"] }
		END { printf "%d %.3f %.3f %.3f\n", n, a, o, idle }' stdout
}
worst() { # the smallest and largest StartError with their jobs
	awk -F, "$by_name"'$c["StartError"] != "" { e = $c["StartError"] + 0; j = $c["JobId"]
		if (n++ == 0 || e < lo) { lo = e; a = j }
		if (n == 1 || e > hi) { hi = e; b = j; v = $c["Overtaken"] } }
		END { printf "%.3f %s %.3f %s %.3f\n", lo, a, hi, b, v }' stdout
}
inexact() { # rows whose parts are not exactly what they tile
	awk -F, -v parts="$1" -v from="$2" -v to="$3" 'function ns(t) { return sprintf("%.0f", t * 1e6) + 0 }
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; m = split(parts, p, " "); next }
		$c[p[1]] != "" { s = ns($c[from]) - ns($c[to]); for (k = 1; k <= m; k++) { if ($c[p[k]] < 0) bad++; s += ns($c[p[k]]) } bad += s != 0; n++ }
		END { print bad + 0, n }' stdout
}

# What was computed independently, on the sample
run traceviz mispredictions -q "$RUN"
is "$(sums)" '364 5664.095 4242.922 193.050' 'sums of the parts'
is "$(worst)" '-36.501 155 164.739 67 161.639' 'the worst errors of starts'
run traceviz decisions --check "$RUN"
is $rc 0 'the smallest fitness wins'
like "$(cat stderr)" '*364 decisions, 0 forced (0.0 %)*4004 of 4004 counts equal*364 of 364 decisions agree*' 'queues, calibration'
is "$(columns stdout Check | sort | uniq -c | tr -s ' ')" ' 364 ok' 'every decision'
is "$(columns stdout Margin | awk '$1 == 0 { z++ } $1 < 1 { l++ } END { print z, l }')" '5 47' 'margins'
is "$(awk -F, 'NR > 1 && ($13 - $14) ^ 2 > 0.0000021 ^ 2' stdout | wc -l | tr -d ' ')" 0 'fitness recomputed to 2 ns'
run traceviz late -q "$RUN"
is "$(inexact 'Running Pipeline Queue Overtaken Transfer RuntimeDelay' Released Start)" '0 364' 'late: parts add up exactly'
is "$(columns stdout Gain | sort -rn -c && echo sorted)" sorted 'by gain'
run traceviz convert -q "$RUN" -o run
traceviz late -q "$RUN" >direct; traceviz late -q run >converted
cmp -s direct converted; is $? 0 'the same from converted tables'

# The other samples
if [ -n "$SHARED" ] && [ -d "$SHARED/data/decisions" ]; then
	while IFS='|' read -r name want worst counts; do
		run traceviz mispredictions -q "$SHARED/data/decisions/$name"
		is "$(sums)" "$want" "$name: sums"
		is "$(worst)" "$worst" "$name: worst"
		run traceviz decisions --check "$SHARED/data/decisions/$name"
		like "$rc $(cat stderr)" "0 *$counts counts equal*364 of 364 decisions agree*" "$name: check, queues"
	done <<X
cholesky-12-dmdas|364 5664.095 4242.922 193.050|-36.501 155 164.739 67 161.639|4004 of 4004
cholesky-12-dmda|364 6570.910 0.000 80.242|-6.179 318 0.040 313 0.000|4001 of 4004
cholesky-12-constrained-dmdasd|364 5716.062 4411.534 156.586|-8.310 343 185.048 67 183.195|2948 of 2948
X
else
	skip 9 'its traces are not in this repository'
fi

# Against brute force
for n in 1 2 3 4; do
	seed $n
	fifo=$([ "$n" -lt 4 ] || echo fifo)
	mkdir "r$n"
	perl "$ROOT/tests/cli/decisions.pl" make "$n" "r$n" "$fifo"
	traceviz mispredictions -q --csv "r$n" >tiled
	awk -F, "$by_name"'
		{ printf "%d,%d,%d,%d,%d\n", $c["JobId"], $c["Ahead"], $c["Overtaken"], $c["IdleQueued"], $c["IdleTaken"] }' tiled | sort -n >got
	perl "$ROOT/tests/cli/decisions.pl" tile "r$n" >want
	cmp -s got want; is $? 0 "tiling as ms by ms ($(wc -l <want | tr -d ' ') tasks)"
	traceviz queue-lengths -q --csv "r$n" | awk -F, 'NR > 1 { for (t = $2; t < $3; t++) if ($4 + $5 > 0) printf "%s,%d,%d,%d\n", $1, t, $4, $5 }' | sort >got
	perl "$ROOT/tests/cli/decisions.pl" lengths "r$n" | sort >want
	cmp -s got want; is $? 0 "queues as ms by ms ($(wc -l <want | tr -d ' ') times)"
	traceviz what-if-choice -q --csv "r$n" | awk -F, 'NR > 1 { printf "%d,%s,%d,%d,%d\n", $1, $8, $9, $10, $12 }' | sort -n >got
	perl "$ROOT/tests/cli/decisions.pl" choices "r$n" >want
	cmp -s got want && [ -s want ]; is $? 0 "better candidates as by trying each ($(wc -l <want | tr -d ' ') tasks)"
	sed 's/^\([0-9]*\),[0-9]*,/\1,,/' "r$n/decisions.csv" >d && mv d "r$n/decisions.csv"
	traceviz mispredictions -q --csv "r$n" >stdout
	is "$(inexact 'Ahead Overtaken IdleQueued IdleTaken' Decided Start)" "0 $(($(wc -l <tiled) - 1))" 'without Order: exact, too'
done

# Causes, one constructed case each. Columns: job, worker, priority, decided, popped, start, end, dependencies
constructed() {
	awk 'BEGIN { print "ResourceId,Value,Start,End,JobId,DependsOn,Priority" >"tasks.csv"
		print "JobId,Time,Priority,ResourceId,Length,Value" >"decisions.csv"
		print "JobId,Type,ResourceId,Time" >"events.csv" }
	{ gsub("-", "", $8)
		print $2 ",t," $6 "," $7 "," $1 "," $8 "," $3 >"tasks.csv"
		print $1 "," $4 "," $3 "," $2 "," $7 - $6 ",t" >"decisions.csv"
		print $1 ",pop," $2 "," $5 "\n" $1 ",start," $2 "," $6 "\n" $1 ",end," $2 "," $7 >"events.csv" }'
}
cause() { # JOB: its cause, the task behind which it waited
	traceviz late -q --csv . | awk -F, -v job="$1" "$by_name"'$c["JobId"] == job { print $c["Cause"], $c["Behind"], $c["Gain"] + 0 }'
}
mkdir c && cd c || exit 1
# The thesis: DSYRK 1333 passes 1324 and 1328, but 1322, of lower priority, had been taken by CUDA0.
constructed <<X
1320 CUDA0 25 0 0 0 10 -
1322 CUDA0 21 1 5 10 16 -
1324 CUDA0 19 2 16 18 24 -
1328 CUDA0 15 3 18 24 30 -
1333 CUDA0 23 10 10.5 16 18 1320
X
cat >candidates.csv <<X
JobId,ResourceId,Available,Length,Transfer,ExpectedEnd,Chosen
1333,CUDA0,28,2,0,30,1
1333,CUDA1,12,2,10,22,0
X
is "$(cause 1333)" 'pipeline 1322 6' 'pipeline: taken before, of lower priority'
sed -i 's/^1322,1,21/1322,1,24/' decisions.csv
is "$(cause 1333)" 'queue 1322 6' 'of higher priority it is the queue'
sed -i 's/^1322,1,24/1322,1,23/' decisions.csv
is "$(cause 1333)" 'pipeline 1322 6' 'of equal priority the pipeline'
rm candidates.csv
constructed <<X
1 CPU0 5 0 0 0 10 -
2 CPU0 5 1 10 10 15 -
3 CPU0 5 2 15 15 20 -
4 CPU0 5 10 20 20 22 1
X
is "$(cause 4)" 'queue 3 10' 'queue: decided earlier'
printf 'JobId,ResourceId,Length,Transfer\n4,CPU0,2,0\n4,CPU1,2,1\n' >candidates.csv
is "$(cause 4)" 'choice 3 10' 'choice: another worker was free'
traceviz what-if-choice -q --csv . >../better
is "$(sed -n 2p ../better)" '4,t,5,CPU0,10.000000,20.000000,22.000000,CPU1,11.000000,13.000000,,9.000000' 'what it would have been'
rm candidates.csv
constructed <<X
1 CPU0 5 0 0 0 10 -
2 CPU0 5 10 25 25 27 1
3 CPU0 9 11 11 11 25 -
X
is "$(cause 2)" 'overtaken 3 15' 'overtaken: decided later'
constructed <<X
1 CPU0 5 0 0 0 10 -
2 CUDA0 5 10 10.1 18 19 1
X
is "$(cause 2)" 'transfer  8' 'transfer: taken, its worker idle'
constructed <<X
1 CPU0 5 0 0 0 10 -
2 CUDA0 5 10 17.9 18 19 1
X
is "$(cause 2)" 'runtime  8' 'runtime: not taken, its worker idle'
constructed <<X
1 CPU0 5 0 0 0 10 -
3 CUDA0 9 0 0 2 18 -
2 CUDA0 5 10 18 18 19 1
X
is "$(cause 2)" 'running 3 8' 'running: the rest of what ran'

# Where another worker had a queue: the place there is behind what is more urgent
constructed <<X
1 CPU0 1 0 0 0 10 -
2 CPU1 9 1 10 10 20 -
3 CPU1 2 2 20 20 30 -
4 CPU0 1 3 10 10 40 -
5 CPU0 5 4 40 40 41 1
6 CPU1 0 0 0 0 10 -
X
printf 'JobId,ResourceId,Length,Transfer\n5,CPU0,1,0\n5,CPU1,1,0\n' >candidates.csv
sed -i 's/^5,4,/5,10,/' decisions.csv
sed -i 's/^3,2,2/3,30,2/; s/^2,1,9/2,1,9/' decisions.csv
traceviz what-if-choice -q --csv . >../better
is "$(awk -F, '$1 == 5 { print $8, $9 }' ../better)" 'CPU1 20.000000' 'behind the more urgent task'
cd .. || exit 1

# Checks that fail
unzstd() { zstd -qdc "$RUN/$1.csv.zst" >"bad/$1.csv"; }
mkdir bad
for t in decisions candidates events; do unzstd $t; done
run traceviz decisions --check bad
is $rc 0 'the three tables alone'
mkdir numbered
for t in decisions candidates; do awk -F, -v OFS=, 'NR > 1 { $2 = 1000 - $1 } { print }' "bad/$t.csv" >"numbered/$t.csv"; done
run traceviz decisions --check numbered
is "$rc $(tail -1 stderr | cut -d: -f2)" '0  364 of 364 decisions agree with their estimates, 0 flagged ones disagree' 'numbered in another way'
is "$(columns stdout Decision | sort -n | sed -n '1p;$p' | tr '\n' ' ')" "$(columns stdout JobId | awk '{ print 1000 - $1 }' | sort -n | sed -n '1p;$p' | tr '\n' ' ')" 'numbers as given'
awk -F, -v OFS=, '$1 == 5 { $2 = 7 } { print }' bad/candidates.csv >numbered/candidates.csv
cp bad/decisions.csv numbered
run traceviz decisions --check numbered
n=$(grep -c ^5, bad/candidates.csv)
like "$rc $(cat stderr)" "4 *$n candidates have JobId and Decision of no decision, or of several*: $n candidates are left out, the check is incomplete" 'candidates of no decision'
cp bad/candidates.csv numbered
sed -n '/^5,/p' bad/decisions.csv >>numbered/decisions.csv
run traceviz decisions --check numbered
like "$rc $(cat stderr)" "4 *$n candidates are left out, the check is incomplete" 'candidates of two decisions'
awk -F, -v OFS=, '$1 == 5 && $14 != "Chosen" { $14 = $3 == "CPU0" } { print }' bad/candidates.csv >x && mv x bad/candidates.csv
run traceviz decisions --check bad
is "$rc $(tail -1 stderr)" '3 traceviz: decisions: 1 of 364 decisions disagree with their estimates, first job 5' 'a choice that the rule does not make'
is "$(awk -F, '$1 == 5 { print $17 }' stdout)" choice 'is named, the table printed'
awk -F, -v OFS=, 'NR == 1 { print $0, "Flag"; next } { print $0, ($1 == 5 ? "race" : "") }' bad/decisions.csv >x && mv x bad/decisions.csv
run traceviz decisions --check bad
is $rc 0 'flagged, it may disagree'
printf 'Key,Value\nSchedulerBeta,2\n' >bad/meta.csv
run traceviz decisions --check bad
is $rc 3 'with other weights than those recorded'
is "$(columns stdout Check | grep -c ok)" 0 'no fitness agrees'
rm bad/candidates.csv
run traceviz decisions --check bad
is $rc 4 'nothing to check'
run traceviz mispredictions "$DATA/cholesky-dmda.csv"
like "$rc $(cat stderr)" '1 *mispredictions: the trace has no decisions of a scheduler*' 'a trace without decisions'
