#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.t: runs side by side: sums, repeats, labels, the gate; real runs against published differences
# needs perl
. "$(dirname "$0")/lib.sh"
plan 156
dmda=$DATA/cholesky-dmda.csv dmdas=$DATA/cholesky-dmdas.csv ws=$DATA/cholesky-ws.csv
table() { # NAME ARGS...: a section without its header
	name=$1; shift; traceviz compare -q --section "$name" "$@" | tail -n +2; }
# cell COLUMN NAME [VALUE [RESOURCETYPE]]: of the CSV on standard input
cell() { awk -F, -v c="$1" -v n="$2" -v v="${3-}" -v r="${4-}" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i; next }
	$4 == n && $5 == v && $6 == r { print $at }'; }
makespan() { traceviz bounds -q "$1" | awk -F, '$1 == "" && $2 == "makespan" { print $4 }'; }

# sums are exact, to the last of six decimals, and those of the passes
for pair in "$dmdas $ws" "$ws $dmdas" "$dmda $dmdas" "$dmda $ws"; do
	set -- $pair
	name="$(basename "$1" .csv) to $(basename "$2" .csv)"
	table decomposition "$1" "$2" >d
	is "$(awk -F, '$4 == "total" { t = $10 } $4 == "busy" { b = $10 } $4 == "idle" { i = $10 }
		$4 ~ /^effect/ { e += $10 } $4 ~ /^idle\./ { c += $10 }
		END { printf "%.6f %.6f %.6f", t - b - i, b - e, i - c }' d | sed 's/-0\.000000/0.000000/g')" \
		"0.000000 0.000000 0.000000" "$name: all sums"
	is "$(awk -F, '$4 == "idle.dependencies" { d = $10 } $4 ~ /^blame\./ { b += $10 } END { printf "%.6f", d - b }' d | tr -d -)" \
		0.000000 "$name: what dependencies wait for adds up to them"
	is "$(awk -F, '$4 == "total" { printf "%.6f", $10 }' d)" \
		"$(echo "$(makespan "$1") $(makespan "$2")" | awk '{ printf "%.6f", 12 * ($2 - $1) }')" "$name: 12 workers x makespan"
	for side in 1 2; do
		eval f=\$$side
		is "$(awk -F, -v c=$((7 + side)) '$4 ~ /^idle\./ && $c != 0 { printf "%s %.6f ", substr($4, 6), $c }' d)" \
			"$(traceviz idle-causes -q "$f" | awk -F, 'NR > 1 && $8 + 0 > 0 { printf "%s %s ", $7, $8 }')" \
			"$name: causes of idle time, side $side"
		is "$(awk -F, -v c=$((7 + side)) '$4 == "busy" { printf "%.6f", $c }' d)" \
			"$(traceviz idleness -q "$f" | awk -F, 'NR > 1 { b += $5 } END { printf "%.6f", b }')" "$name: busy time, side $side"
	done
	table account "$1" "$2" >a
	is "$(awk -F, '$4 == "account" { t = $10 } $4 ~ /^account\.(idle|other|allocation|durations|overlap)$/ && $5 $6 == "" { s += $10 }
		$4 ~ /^account\../ && $7 == "ms" && $6 != "" { p += $10 } END { printf "%.6f %.6f", t - s, t - p }' a | sed 's/-0\.000000/0.000000/g')" \
		"0.000000 0.000000" "$name: the accounts add up"
	is "$(awk -F, '$4 ~ /^account\.idle\./ && $6 == "CUDA" { a += $8; b += $9 } END { printf "%.6f %.6f", a, b }' a)" \
		"$(for f in "$1" "$2"; do traceviz account -q "$f" | awk -F, '$1 == "part" && $2 == "idle" && $6 == "CUDA" { s += $10 }
			END { printf "%.6f\n", s }'; done | xargs)" "$name: as the accounts of either"
	is "$(table chain "$1" "$2" | awk -F, '$7 == "ms" { a += $8; b += $9 } END { printf "%.6f %.6f", a, b }')" \
		"$(makespan "$1") $(makespan "$2")" "$name: the chains are as long as the runs"
	is "$(traceviz compare -q --section order "$1" "$2" >o; cell After matched <o) $(cell After matched.coordinates <o)" "364 364" \
		"$name: every task matches, by its coordinates"
done
# each effect by awk: one type that only changes its allocation and durations
is "$(table decomposition "$dmdas" "$ws" | awk -F, '$4 ~ /^effect/ && $5 == "GEMM" { printf "%.4f ", $10 }')" "$(
	for f in "$dmdas" "$ws"; do traceviz summary -q "$f" | awk -F, '$1 == "GEMM" { printf "%s %d %.9f\n", $2, $4, $5 / $4 }'; done | awk '
	{ k[$1]++; n[$1, NR > 1] = $2; w[$1, NR > 1] = $3 }
	END { c = w["CPU", 1]; g = (w["CUDA", 0] + w["CUDA", 1]) / 2; d = n["CPU", 1]
		printf "%.4f %.4f ", d * (c - g), (w["CUDA", 1] - w["CUDA", 0]) * (n["CUDA", 0] + n["CUDA", 1]) / 2 }')" \
	"effects of GEMM: CPU 0 to 53 tasks"
is "$(traceviz compare -q --section bounds "$dmdas" "$ws" --durations-from pool | cell Before abe.weighted)" 274.05614 \
	"the area bound with durations of both runs"
is "$(traceviz compare -q --section bounds "$dmdas" "$ws" | cell After abe.weighted) $(
	traceviz compare -q --section bounds "$dmdas" "$ws" --durations-from own | grep -c weighted)" "274.05614 0" "by default; own: not"
is "$(traceviz compare -q --section bounds "$dmdas" "$ws" --durations-from cholesky-ws | cell Before abe.weighted)" \
	"$(traceviz bounds -q --durations-from "$ws" "$dmdas" | awk -F, '$2 == "abe" { print $4 }')" "with those of one run"
is "$(traceviz compare -q --section bounds "$dmdas" "$ws" --durations-from "$ws" | cell Before cpe.weighted)" \
	"$(traceviz bounds -q --durations-from "$ws" "$dmdas" | awk -F, '$2 == "cpe" { print $4 }')" "with those of a file"
is "$(table types "$dmdas" "$ws" | awk -F, '$4 == "tasks" { a += $8; b += $9 } END { print a, b }')" "364 364" "tasks by type"
is "$(traceviz compare -q --section types "$dmdas" "$ws" | cell After duration TRSM CUDA | cut -c1-8)" \
	"$(traceviz summary -q "$ws" | awk -F, '$1 == "TRSM" && $2 == "CUDA" { printf "%.9f", $5 / $4 }' | cut -c1-8)" \
	"a mean duration"
is "$(traceviz compare -q --section idleness "$dmdas" "$ws" | cell After idleness "" CPU | cut -c1-8)" \
	"$(traceviz idleness -q "$ws" | awk -F, '$2 == "CPU" { s += $7; n++ } END { printf "%.8f", s / n }' | cut -c1-8)" "idleness"

# a run against itself
run traceviz compare "$ws" "$ws"
is "$rc" 0 "a run against itself"
is "$(awk -F, 'NR > 2 && ($10 != "" && $10 != 0 || $11 != "" && $11 != 1)' stdout)" "" "nothing differs"
like "$(sed -n 2p stdout)" 'verdict,cholesky-ws,cholesky-ws#2,*"*took as long as*no term of its time differs"*' "and the verdict says so"
like "$(traceviz compare -q --section verdict "$dmdas" "$ws")" "*idle time waiting for dependencies (+*, most while other tasks ran)*" \
	"the verdict names what dependencies wait for"
run traceviz compare "$ws" "$ws" --fail-if 'makespan.ratio > 1 or idle.change != 0 or unmatched.before > 0'
is "$rc" 0 "which passes a strict gate"

# what the verdict names, by hand
small() { { echo "ResourceId,Value,Start,End,JobId,Kind,ResourceType"; printf '%s\n' "$@"; } >"$f"; }
f=two.csv; small C0,a,0,10,1,app,CPU C1,a,0,10,2,app,CPU
f=alone.csv; small C0,a,0,10,1,app,CPU C0,a,10,20,2,app,CPU
f=slow.csv; small C0,a,0,12,1,app,CPU C1,a,0,12,2,app,CPU
f=more.csv; small C0,a,0,10,1,app,CPU C1,a,0,10,2,app,CPU C0,a,10,20,3,app,CPU C1,b,10,20,4,app,CPU
f=late.csv; small C0,a,0,10,1,app,CPU C1,a,5,15,2,app,CPU
verdict() { table verdict "$1" "$2" | sed 's/.*"\(.*\)".*/\1/'; }
is "$(verdict two.csv alone.csv)" "alone took 2.000 times as long as two (20.000 against 10.000 ms, one run each): \
first fewer CPU workers (+15.000, 2 to 1); in worker-ms, 1.5 x 10.000 = +15.000 is workers +15.000, busy +0.000, idle +0.000" \
	"a worker less"
is "$(verdict two.csv slow.csv)" "slow took 1.200 times as long as two (12.000 against 10.000 ms, one run each): \
first slower a on CPU (+4.000, mean 10.000 to 12.000 ms); in worker-ms, 2 x 2.000 = +4.000 is busy +4.000, idle +0.000" \
	"slower tasks"
is "$(verdict two.csv more.csv)" "more took 2.000 times as long as two (20.000 against 10.000 ms, one run each): \
first more a (+10.000), then more b (+10.000); in worker-ms, 2 x 10.000 = +20.000 is busy +20.000, idle +0.000" "more tasks"
like "$(verdict two.csv late.csv)" "late took 1.500 times *: first idle time *; in worker-ms, 2 x 5.000 = +10.000 is busy +0.000, idle +10.000" \
	"idle time"
like "$(verdict late.csv two.csv)" "two took 0.667 times *: first idle time *; in worker-ms, 2 x -5.000 = -10.000 is busy +0.000, idle -10.000" \
	"and back"
# Small changes, and terms that cancel: nothing to blame.
scale() { # FACTOR FACTOR-OF-b: a on C0, b on C1, each of 1000 ms
	small "C0,a,0,$(awk "BEGIN { printf \"%.6f\", 1000 * $1 }"),1,app,CPU" "C1,b,0,$(awk "BEGIN { printf \"%.6f\", 1000 * $2 }"),2,app,CPU"
}
f=even.csv; scale 1 1
f=near.csv; scale 1.0099 1.0099
f=far.csv; scale 1.0101 1.0101
f=quick.csv; scale 0.9901 0.9901
is "$(verdict even.csv near.csv)" "near took 1.010 times as long as even (1009.900 against 1000.000 ms, one run each): \
about equal (less than 1 % apart); largest terms slower a on CPU (+9.900, mean 1000.000 to 1009.900 ms), \
slower b on CPU (+9.900, mean 1000.000 to 1009.900 ms); in worker-ms, 2 x 9.900 = +19.800 is busy +19.800, idle +0.000" \
	"0.99 % are about equal"
like "$(verdict even.csv quick.csv)" "quick took 0.990 times *: about equal (less than 1 % apart); largest terms faster a *" "less time, too"
like "$(verdict even.csv far.csv)" "far took 1.010 times *: first slower a on CPU (+10.100, *" "1.01 % are explained"
# GEMM moves between worker types: 40 tasks on either side, durations make up for it.
cancel() { # CPU-TIME GPU-TIME CPU-TASKS GPU-TASKS
	{ echo "ResourceId,Value,Start,End,JobId,Kind,ResourceType"
	awk -v c="$1" -v g="$2" -v n="$3" -v m="$4" 'BEGIN {
		for (i = 0; i < n; i++) printf "C0,gemm,%.6f,%.6f,%d,app,CPU\n", i * c, (i + 1) * c, i
		for (i = 0; i < m; i++) printf "G0,gemm,%.6f,%.6f,%d,app,CUDA\n", i * g, (i + 1) * g, n + i }'; } >"$f"
}
f=base.csv; cancel 10 10 40 40
f=moved.csv; cancel 20.3 6.766667 20 60
like "$(verdict base.csv moved.csv)" "moved took 1.015 times *: about equal (less than 5 % apart, and terms of +* and -* cancel); largest terms *" \
	"1.5 % that are left of terms that cancel"
f=slower.csv; cancel 10.2 10.2 40 40
like "$(verdict base.csv slower.csv)" "slower took 1.020 times *: first slower gemm on *" "2 % by themselves"
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	script -qec "traceviz compare -q two.csv slow.csv" /dev/null </dev/null | tr -d '\r' >screen
	like "$(cat screen)" "slow took 1.200 times *
Runs
Name *
Decomposition *
effect.duration *a *CPU *worker-ms *4 *1
*" "on a terminal"
else
	skip 1 "no terminal to be had"
fi

# order by brute force: pairs that start in one order and in the other
starts() { traceviz iterations -q "$1" | awk -F, "$by_name"'$c["Kind"] == "app" {
	print $c["Value"], $c["Iteration"], $c["X"], $c["Y"], $c["Start"] }'; }
starts "$dmdas" >s1; starts "$ws" >s2
traceviz compare -q --section order "$dmdas" "$ws" >o
is "$(cell After inversions SYRK <o | cut -c1-8)" "$(awk 'NR == FNR { a[$1, $2, $3, $4] = $5; next } $1 == "SYRK" {
	x[++n] = a[$1, $2, $3, $4]; y[n] = $5 } END { for (i = 1; i <= n; i++) for (j = 1; j < i; j++)
	v += (x[i] - x[j]) * (y[i] - y[j]) < 0; printf "%.9f", 100 * v / (n * (n - 1) / 2) }' s1 s2 | cut -c1-8)" "inversions"
is "$(cell After moved.type GEMM <o)" 53 "tasks that moved to another worker type"
table lost "$dmdas" "$ws" >lost
is "$(awk -F, '{ d = $10 - $23 - $24; bad += d > 1e-6 || d < -1e-6 || (NR > 1 && $10 > last); last = $10 } END { print NR, bad + 0 }' lost)" \
	"10 0" "ten tasks lost, greatest first; wait and duration add up"
job=$(head -1 lost | cut -d, -f19)
end() { traceviz deps -q "$1" | awk -F, -v j="$2" "$by_name"'
	$c["JobId"] == j { printf "%.6f", $c["End"] - $c["Released"] }'; }
is "$(head -1 lost | awk -F, '{ printf "%.6f %.6f", $8, $9 }')" "$(end "$dmdas" "$job") $(end "$ws" "$(head -1 lost | cut -d, -f20)")" \
	"the first by the pass deps"

# several runs; labels
is "$(table verdict "$dmda" "$dmdas" "$ws" | cut -d, -f2,3)" "cholesky-dmda,cholesky-dmdas
cholesky-dmda,cholesky-ws" "each against the first; labels by the file"
mkdir -p one/x two/x
cp "$dmda" one/x/tasks.csv; cp "$ws" two/x/tasks.csv
is "$(table verdict one/x/tasks.csv two/x | cut -d, -f2,3)" "tasks,x" "parts that differ already"
is "$(table verdict one/x/tasks.csv two/x/tasks.csv | cut -d, -f2,3)" "one,two" "the first part, from the end, that differs"
is "$(table verdict one/x/ two/x/ | cut -d, -f2,3)" "one,two" "folders"
is "$(table verdict "b/c=$dmda" "b/d=$ws" | cut -d, -f2,3)" "b/c,b/d" "labels of a grid"
is "$(traceviz compare -q --section verdict - x="$ws" <"$dmda" | tail -1 | cut -d, -f2,3)" "standard input,x" "a run from a pipe"
run traceviz compare - x=- <"$ws"
is "$rc $(cat stderr)" "2 traceviz: standard input is one trace, expected '-' at most once" "but only one"
run traceviz compare x="$ws" x="$dmda"
is "$rc $(cat stderr)" "2 traceviz: all traces repeat one label, expected two runs or more, named LABEL=TRACE" "one label"
run traceviz compare "$ws"
is "$rc $(cat stderr)" "2 traceviz: compare needs two traces or more; try 'traceviz compare --help'" "one trace"
run traceviz compare "$ws" nowhere
is "$rc $(cat stderr)" "1 traceviz: nowhere: cannot open: No such file or directory" "a trace that is not there"
head -1 "$ws" >empty.csv
run traceviz compare -q "$ws" e=empty.csv
is "$rc" 1 "a trace without tasks"
like "$(cat stderr)" "traceviz: cholesky-ws has tasks and e has none*" "is named"
is "$(traceviz compare "$dmda" "$dmdas" --kind job 2>&1)" "traceviz: --kind 'job', expected some of app, setup or runtime" "--kind"
is "$(traceviz compare -q --restrict 'Value == GEMM' --section runs "$dmdas" "$ws" | cell After tasks)" 220 "--restrict, of every run"
is "$(traceviz compare -q --phase 1 --section runs "$dmdas" "$ws" | cell Before tasks)" 364 "--phase"

# formats
traceviz compare -q --json "$dmdas" "$ws" >all.json
is "$(perl -MJSON::PP -e 'local $/; my $t = decode_json(<STDIN>); print scalar(@$t), " ", $t->[0]{Section}' <all.json)" \
	"$(traceviz compare -q --csv "$dmdas" "$ws" | tail -n +2 | wc -l) verdict" "--json has every row"
is "$(for s in verdict runs decomposition account bounds idleness types allocation order chain lost; do table $s "$dmdas" "$ws"; done | cksum)" \
	"$(traceviz compare -q "$dmdas" "$ws" | tail -n +2 | cksum)" "the tables are all there is"
is "$(traceviz compare -q --table order "$dmdas" "$ws" | cksum)" "$(traceviz compare -q --section order "$dmdas" "$ws" | cksum)" \
	"--table is the former name of --section"
is "$(traceviz compare --help | grep -c -e --table)" 0 "which the help does not list"
run traceviz compare --section nothing "$dmdas" "$ws"
is "$rc" 2 "--section nothing"
like "$(cat stderr)" "traceviz: --section 'nothing', expected settings, verdict, runs, *, lost, shift, progress or work" "is refused"
is "$(traceviz compare -q "$dmdas" "$ws" | cksum)" "$(traceviz compare -q "$dmdas" "$ws" | cksum)" "the same bytes again"
traceviz compare -q "$dmdas" "$ws" -o out.csv
is "$(cksum <out.csv)" "$(traceviz compare -q "$dmdas" "$ws" | cksum)" "-o FILE"

# the gate
gate() { # STATUS EXPR: dmda to ws
	run traceviz compare -q -o /dev/null --fail-if "$2" "$dmda" "$ws"
	is "$rc" "$1" "--fail-if '$2'"
}
gate 3 'makespan.ratio > 1.05'
gate 0 'makespan.ratio < 1.05'
gate 3 'makespan.change > 800'
gate 3 'effect.allocation.GEMM.change > 4000 and idleness.CUDA.after > 50'
gate 3 'duration.TRSM.CUDA.ratio > 0.9 and not matched.after != 364'
gate 0 'makespan.ratio > 1.05 and makespan.ratio < 1.06'
run traceviz compare -q -o /dev/null --fail-if 'makespan.ratio > 2' "$dmda" "$dmdas" x="$ws" y="$dmda"
is "$rc $(cat stderr)" "3 traceviz: x: --fail-if makespan.ratio > 2: it holds" "the run for which it holds is named"
run traceviz compare -q --fail-if 'makespan.ratio > 2' "$dmda" "$ws"
is "$rc $(wc -l <stdout)" "3 $(traceviz compare -q "$dmda" "$ws" | wc -l)" "the tables come all the same"
run traceviz compare -q --fail-if 'makespan.rate > 2' "$dmda" "$ws"
is "$rc" 2 "an unknown name"
like "$(cat stderr)" "traceviz: --fail-if: no column 'makespan.rate' (did you mean 'makespan.ratio'?), expected one of *makespan.ratio*" "is told"
run traceviz compare --require-confidence "$dmda" "$ws"
is "$rc" 2 "--require-confidence alone"

# repeats: time stretched by a known factor
repeat() { awk -F, -v OFS=, -v f="$2" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; print; next } {
	for (k in c) if ((k == "Start" || k == "End" || k == "SubmitTime" || k == "Duration") && $c[k] != "")
		$c[k] = sprintf("%.6f", $c[k] * f); print }' "$1" >"$3"; }
a="1 1.02 1.04 0.97 1.01" b="1.1 1.13 1.2 1.09 1.3"
args=
for f in $a; do repeat "$dmda" "$f" "a$f.csv"; args="$args a=a$f.csv"; done
for f in $b; do repeat "$dmda" "$f" "b$f.csv"; args="$args b=b$f.csv"; done
traceviz compare -q --section runs $args >runs.csv
round() { awk '{ printf "%.5f", $1 }'; }
is "$(cell Ratio makespan <runs.csv | round)" "$(echo 1.13 1.01 | awk '{ printf "%.5f", $1 / $2 }')" "ratio of the medians"
# 5 and 5 runs: the third smallest and third greatest quotient
for y in $b; do for x in $a; do echo "$y $x" | awk '{ printf "%.9f\n", $1 / $2 }'; done; done | sort -n >quotients
is "$(cell RatioLow makespan <runs.csv | round) $(cell RatioHigh makespan <runs.csv | round)" \
	"$(sed -n 3p quotients | round) $(sed -n 23p quotients | round)" "and its interval"
like "$(table verdict $args)" "*medians of 5 and 5 runs, 95 % interval 1.0*" "which the verdict gives"
is "$(cell After repeats <runs.csv)" 5 "how many"
is "$(table decomposition $args | cut -d, -f4-)" "$(table decomposition a=a1.01.csv b=b1.13.csv | cut -d, -f4-)" \
	"decomposition of the median runs"
is "$(traceviz compare -q --section types $args | cell After duration GEMM CUDA | round)" \
	"$(traceviz compare -q --section types a=a1.csv b=b1.13.csv | cell After duration GEMM CUDA | round)" "medians of mean durations"
sure() { # STATUS EXPR ARGS...
	want=$1 expr=$2; shift 2
	run traceviz compare -q -o /dev/null --require-confidence --fail-if "$expr" "$@"
	is "$rc" "$want" "--require-confidence --fail-if '$expr'"
}
sure 3 'makespan.ratio > 1.03' $args
sure 4 'makespan.ratio > 1.13' $args
sure 0 'makespan.ratio > 1.5' $args
sure 3 'makespan.ratio > 1.13 or makespan.change > 0' $args
sure 0 'makespan.ratio > 1.13 and makespan.change < 0' $args
sure 4 'makespan.ratio > 1.03' a=a1.csv a=a1.02.csv a=a1.04.csv b=b1.1.csv b=b1.13.csv b=b1.2.csv
sure 3 'makespan.ratio > 1.03' a=a1.csv a=a1.02.csv a=a1.04.csv a=a0.97.csv b=b1.1.csv b=b1.13.csv b=b1.2.csv b=b1.3.csv
like "$(table verdict a=a1.csv a=a1.02.csv b=b1.1.csv)" "*medians of 1 and 2 runs, too few for a 95 % interval*" "too few are told"

# simulated and recorded runs: tasks, ranks, repeats
runs=$ROOT/examples/data/cholesky-12
for pair in "unconstrained-dmda constrained-dmda" "unconstrained-dmdas constrained-ws" "constrained-dmdas unconstrained-ws"; do
	is "$(traceviz compare -q --section order "$runs-${pair% *}.csv.zst" "$runs-${pair#* }.csv.zst" | cell After matched)" 364 \
		"$pair: all tasks match"
done
fxt=$TESTDATA/fxt
run traceviz compare -q "$fxt"/1.3.4/prof_file_0* "$fxt"/1.3.4/prof_file_1*
is "$rc $(cat stderr)" "2 traceviz: the files are the ranks of one run, expected two runs or more, named LABEL=TRACE" \
	"ranks are no runs"
is "$(table verdict "$fxt"/1.3.4/prof_file_0* "$fxt"/1.3.11/prof_file_0* | cut -d, -f2,3)" "1.3.4,1.3.11" \
	"files of different folders are runs"
versions="1.2.11 1.3.4 1.3.11 1.4.0 1.4.12"
set --
for v in $versions; do set -- "$@" a="$fxt/$v" b="$fxt/$v"; done
traceviz compare -q --section runs "$@" >runs.csv
is "$(cell After makespan <runs.csv)" "$(for v in $versions; do makespan "$fxt/$v"; done | sort -n | sed -n 3p)" \
	"the median of five repeats"
sure 4 'makespan.ratio > 1.05' "$@"
sure 0 'makespan.ratio > 3' "$@"

# -o with the ending of a figure: the runs as facets, the differences below them
run traceviz compare "$dmda" "$ws" -o figure.svg
is "$rc $(grep -v -e '--facet-layout rows' stderr) $(cat stdout)" "0  " "a figure"
is "$(grep -c '>ready tasks' figure.svg) $(grep -c '>cholesky-ws against cholesky-dmda' figure.svg)" "2 1" \
	"each run with its panels, and one panel of differences"
like "$(cat figure.svg)" "*>cholesky-ws against cholesky-dmda: last task +807.9 ms, 364 of 364 match<*" "with the numbers of compare"
is "$(table progress "$dmda" "$ws" | awk -F, '$4 == "progress" { c = $10 } END { printf "%.1f", c }')" 807.9 "which are these"
like "$(sed "s/<[^>]*>//g" figure.svg)" "*1271.7 ms (×2.74)*" "makespans relative to the best run"
mkdir -p by-plot
for name in figure.svg figure.pdf figure.png figure.html; do
	traceviz compare -q "$dmda" "$ws" -o $name
	traceviz --facet -q "$dmda" "$ws" --panels spacetime,ready,progress,diff -o by-plot/$name
	ok "$name is that of plot --facet with these panels" cmp $name by-plot/$name
done
set -- --begin 100 --end 400 --width 5 --facet-layout rows --only GEMM --spacetime.height 2 --panels spacetime,ready
traceviz compare -q "$@" "$dmda" "$ws" -o figure.svg
traceviz --facet -q "$@" "$dmda" "$ws" -o by-plot/figure.svg
ok "options of plot apply" cmp figure.svg by-plot/figure.svg
traceviz compare -q --preset paper-column "$dmda" "$ws" -o figure.png
is "$(od -An -j16 -N4 -tx1 figure.png | tr -d ' ')" "000002bc" "a preset: 700 pixels are 3.5 inches at 200 dpi"
rm figure.png
misused() { # MESSAGE ARGS...
	want=$1; shift
	run traceviz compare "$dmda" "$ws" "$@"
	is "$rc $(cat stderr)" "2 traceviz: $want" "$*"
}
for option in "--section types" "--fail-if makespan.ratio>1" --require-confidence "--can-run anywhere" --csv --json; do
	misused "${option%% *} needs a table, and -o 'figure.png' is a figure" $option -o figure.png
done
ok "nothing was drawn" test ! -e figure.png
for option in "--panels diff" "--begin 3" "--where Duration>1" "--spacetime.height 2" "--preset slide"; do
	misused "${option%% *} needs a figure: -o FILE.pdf (.svg, .png, .html)" $option -o figure.csv
done
ok "nothing was written" test ! -e figure.csv

need_shared 4
runs=$SHARED/data/cholesky-idcin2/12
for s in dmda dmdas ws; do traceviz convert -q "$runs/$s" -o $s.csv; done
number() { awk -F, -v n="$1" '$4 == n { printf "%.3f", $10 }' d; }
table decomposition dmdas.csv ws.csv >d
is "$(number total) $(number busy) $(number idle)" "9219.982 5219.946 4000.035" "dmdas to ws, as published"
like "$(table verdict dmdas.csv ws.csv)" "*: first the allocation of dgemm (+*, CPU 73 to 148, CUDA 147 to 72), then *" \
	"which names the allocation of dgemm first"
table decomposition dmdas.csv dmda.csv >d
is "$(number total) $(number busy) $(number idle)" "973.728 -445.929 1419.657" "dmdas to dmda, as published"
like "$(table verdict dmdas.csv dmda.csv)" "*: first idle time waiting for dependencies (+*" "which names idle time"
