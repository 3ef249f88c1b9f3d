#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Panels of decisions show the numbers of their passes.
. "$(dirname "$0")/lib.sh"
plan 15

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
