#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Panels of decisions show the numbers of their passes.
. "$(dirname "$0")/lib.sh"
plan 28

RUN=$DATA/cholesky-decisions
boxes() { grep -c "$1" boxes.csv; }

run traceviz "$RUN" -q --panels decision --decision.job 67 -o boxes.csv
is $rc 0 'decision'
traceviz choice -q --csv "$RUN" --job 67 >choice.csv
for part in length transfer queue pipeline; do
	is "$(awk -F, -v part=$part '$1 == "rect" && $4 == part' boxes.csv | wc -l)" "$(cut -d, -f2 choice.csv | grep -c "^$part\$")" "a box for each $part"
done
is "$(boxes 'length 67 on CUDA1_0: 67.283 to 68.697 ms')" "$(grep -c '^CUDA1_0,length,67,.*,67.282797,68.697092,' choice.csv)" 'the estimate of the chosen worker'
run traceviz "$RUN" -q --panels decision --decision.at 60ms --decision.sort -o boxes.csv
is $rc 0 'by time, sorted'
run traceviz "$RUN" --panels decision -o boxes.csv
like "$(cat stderr)" '*--decision.job JOB or --decision.at TIME is missing*' 'without a decision: says what is missing'
run traceviz "$RUN" --panels spacetime,decision --decision.job nobody -o boxes.csv
like "$(cat stderr)" "*no decision about job 'nobody'*" 'a job that does not exist'
run traceviz "$DATA/cholesky.csv" --panels spacetime,decision --decision.job 1 -o boxes.csv
like "$(cat stderr)" '*no decisions of a scheduler*' 'a trace without decisions'
run traceviz "$RUN" -q --panels estimate --estimate.job 13,83 -o boxes.csv
is $rc 0 'estimate'
like "$(cat boxes.csv)" '*syrk 13 on CUDA2_0, 10.732 ms late: pipeline, behind 6*' 'cause and task behind which it waited'
run traceviz "$RUN" -q --panels estimate --estimate.job 13 -o boxes.csv
is "$(boxes ',"6, estimated:') $(boxes ',"6, executed:') $(boxes ',"10, estimated:') $(boxes ',"10, executed:')" '1 1 1 0' '13 ran behind 6 and passed 10'
for show in tasks time; do
	run traceviz "$RUN" -q --panels queues --queues.show $show --queues.resource 'CUDA*' -o boxes.csv
	is $rc 0 "queues: $show"
done

# The bars of the panel are the parts of the pass, its counts those of an independent count
run traceviz "$RUN" -q --panels mispredictions -o boxes.csv
is $rc 0 'mispredictions'
traceviz mispredictions -q --csv "$RUN" >pass.csv
awk -F, 'function abs(x) { return x < 0 ? -x : x }
	NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["StartError"] != "" { m += abs($c["StartError"]) > $c["Margin"]; n++
		for (i = 1; i <= 4; i++) { part = i == 1 ? "Ahead" : i == 2 ? "Overtaken" : i == 3 ? "IdleQueued" : "IdleTaken"
			if ($c[part] > 0) printf "%.6f %s %s, %s: %s ms\n", abs($c["StartError"]), $c["JobId"], $c["ResourceId"], part, $c[part] } }
	END { printf "above margin: %d of %d\n", m, n >"margin" }' pass.csv | sort -rn >all
awk '!($2 in seen) { seen[$2]; n++ } n > 20 { exit } { sub(/^[^ ]* /, ""); print }' all | sort >want
sed -n 's/.*"\([0-9]* [A-Z0-9_]*, [A-Za-z]*: [0-9.]* ms\)".*/\1/p' boxes.csv | sort >got
is "$(wc -l <want | tr -d ' ')" "$(grep -c '^rect,[^,]*,bar,' boxes.csv)" 'a box for each part of the 20 worst'
cmp -s got want; is $? 0 'the boxes are the parts'
like "$(cat boxes.csv)" "*error $(cat margin) (*" 'errors above their margins'
is "$(grep -o 'chol_model_[a-z]* [A-Z]*: [0-9]* tasks' boxes.csv | awk '{ n += $3 } END { print n }')" 364 'every task is in a mark'
run traceviz "$RUN" -q --panels mispredictions --mispredictions.error duration --mispredictions.top 3 --width 3.5 -o boxes.csv
is "$rc $(grep -c '^polyline,[^,]*,expected,' boxes.csv)" '0 3' 'other error, fewer bars, narrow'
run traceviz "$RUN" --panels mispredictions --where 'JobId == "nobody"' -o boxes.csv
is $rc 1 'a selection that matches nothing'
run traceviz "$DATA/cholesky.csv" --panels spacetime,mispredictions -o boxes.csv
like "$(cat stderr)" '*no decisions of a scheduler*' 'a trace without decisions'

# Workers without a candidate: not able, or not kept by the recorder
traceviz convert -q "$RUN" -o some
awk -F, 'NR == 1 || $1 != 67 || $3 !~ /^CPU/' some/candidates.csv >c && mv c some/candidates.csv
traceviz some -q --panels decision --decision.job 67 -o boxes.csv
traceviz choice -q --csv some --job 67 >choice.csv
is "$(boxes ',cannot run it$') $(grep -c ',unable,' choice.csv)" '8 8' 'able: no candidate'
echo 'CandidatesKept,2' >>some/meta.csv
traceviz some -q --panels decision --decision.job 67 -o boxes.csv
traceviz choice -q --csv some --job 67 >choice.csv
is "$(boxes ',not recorded$') $(boxes 'cannot run it') $(grep -c ',unrecorded,' choice.csv)" '8 0 8' 'the recorder kept 2: not recorded'

# Two runs side by side: the same colors, equally long times
traceviz convert -q "$RUN" -o late
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 && $c["ResourceId"] == "CUDA2_0" { $c["ResourceId"] = "CUDA1_0" } 1' late/decisions.csv >d && mv d late/decisions.csv
traceviz --facet a="$RUN" b=late -q --panels queues -o boxes.csv
traceviz "$RUN" -q --panels queues -o one.csv
traceviz ./late -q --panels queues -o two.csv
keys() { # name and color of each key of a curve
	awk -F, '/^polyline/ { color = $(NF - 1) } /^text.*,CUDA[0-9]_0 [0-9.]*$/ { sub(/ .*/, "", $NF); print $NF, color }' "$1" | sort -u
}
is "$(keys one.csv | wc -l) $(keys two.csv | wc -l) $(cat one.csv two.csv boxes.csv >all.csv; keys all.csv | wc -l)" '3 3 3' 'a worker has one color in all facets'
traceviz --facet a="$RUN" b=late -q --panels estimate --estimate.job 13 -o boxes.csv
traceviz --facet a="$RUN" b="$RUN" -q --panels estimate --estimate.job 13 -o same.csv
is "$(grep -c ',"13, executed:' boxes.csv) $(grep ',"13, executed:' same.csv | cut -d, -f9 | sort -u | wc -l)" '2 1' 'one length, one width'
is "$(traceviz -q "$DATA/cholesky-decisions" --panels decision --decision.job 67 -o x.csv; grep -c ',key,keys,.*,\(busy (job :order of start)\|this task\)$' x.csv)" 2 "what boxes and their numbers are"
