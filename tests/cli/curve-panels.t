#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# curve-panels.t: panels of curves and maps over time: options, what is left out and why
. "$(dirname "$0")/lib.sh"
plan 38

ALL=concurrency,share,gflops,utilization,imbalance,power-imbalance,hetero-imbalance,open-iterations,starvation

run traceviz -q "$DATA/cholesky.csv" --panels "spacetime,$ALL" --height 11 -o all.csv
is "$rc $(cat stderr)" "0 " "all of them in a figure"
for panel in $(echo $ALL | tr , ' '); do
	ok "$panel draws" grep -q -E "^(image|polyline|polygon),$panel,(load|curve|layer|lack)" all.csv
done

# The titles tell what the passes count.
traceviz throughput -q "$DATA/cholesky.csv" | awk -F, 'NR > 1 { work += $5 * ($4 - $3); time += $4 - $3 }
	END { printf "GFlop/s: mean %.0f,\n", work / time }' >want
ok "the mean rate is that of the pass" grep -q -f want all.csv
traceviz utilization -q --step run --by type "$DATA/cholesky.csv" | sed -n 's/^[^,]*,[^,]*,,\([A-Z]*\),,\([0-9]*\),[^,]*,\(.*\)/\1 \2 \3/p' |
	awk '{ printf "%d %s in use, %%: mean %.1f\n", $2, $1, $3 }' >want
is "$(wc -l <want) $(grep -c -F -f want all.csv)" "2 2" "the mean usage is the utilization"

traceviz -q "$DATA/cholesky.csv" --begin 105 --end 200 --panels spacetime,utilization --utilization.step 10 -o cut.csv
ok "a step that the window cuts is not the step" grep -q -F 'utilization per 10 ms: mean' cut.csv

# Options.
is "$(help_panels | grep -cE '^  --[a-z.-]+ [A-Z,]+[a-z]')" 0 \
	"names of options in the help do not touch their meanings"
for bad in "--utilization.step x" "--imbalance.step -3" "--hetero-imbalance.limit 0" "--concurrency.limit zero" \
	"--open-iterations.tag-format x"; do
	# shellcheck disable=SC2086
	run traceviz -q "$DATA/cholesky.csv" --panels "$ALL" --height 11 $bad -o bad.pdf
	is "$rc $(ls bad.pdf 2>/dev/null)" "2 " "$bad is refused"
done
run traceviz "$DATA/cholesky.csv" --panels spacetime,power-imbalance --power-imbalance.task POTRF -o p.csv
like "$rc $(cat stderr p.csv)" "0 *imbalance by power, %: POTRF*" "the type that tells power"
run traceviz "$DATA/cholesky.csv" --panels spacetime,power-imbalance --power-imbalance.task none -o p.csv
like "$rc $(cat stderr)" "0 *panel power-imbalance left out: *'none'*" "no such type: left out, with the reason"

# Counters.
run traceviz -q "$DATA/cholesky-paje" --panels counter --counter.name 'Used*' -o c.csv
is "$rc $(grep -c '^polyline,counter,curve' c.csv)" \
	"0 $(traceviz counter -q 'Used*' "$DATA/cholesky-paje" | sed 1d | cut -d, -f1,2 | sort -u | wc -l | tr -d ' ')" "a curve per resource"
run traceviz -q "$DATA/cholesky-paje" --panels counter --counter.name 'Used*' --counter.sum -o c.csv
is "$rc $(grep -c '^polyline,counter,curve' c.csv)" "0 2" "or their sums, main memory apart"
run traceviz "$DATA/cholesky-paje" --panels spacetime,counter -o c.csv
like "$rc $(cat stderr)" "0 *panel counter left out: *'Used (MB)'*" "no name: the names there are"
run traceviz -q "$DATA/cholesky-paje" --panels ready,submitted --ready.counter --submitted.counter -o c.csv
is "$rc $(grep -c "runtime's counter$" c.csv) $(grep -c -E '^polyline,(ready|submitted),curve' c.csv)" "0 2 4" \
	"--ready.counter, --submitted.counter"
run traceviz "$DATA/cholesky.csv" --panels ready --ready.counter -o c.csv
like "$rc $(cat stderr)" "0 *runtime's counter left out: *" "no counter in the trace: the curve alone"

# Lack of ready tasks.
traceviz starvation -q "$DATA/cholesky-ws.csv" | awk -F, 'NR > 1 { lack += $7 * ($3 - $2); all += $4 * ($3 - $2) }
	END { printf "workers without a ready task: %.1f %%\n", 100 * lack / all }' >want
run traceviz -q "$DATA/cholesky-ws.csv" --panels starvation,ready --ready.lack -o l.csv
is "$rc $(grep -c -F -f want l.csv) $(grep -c -E '^image,(starvation|ready),lack' l.csv)" "0 1 2" "starvation, --ready.lack"
run traceviz -q "$DATA/cholesky-ws.csv" --panels ready -o l.csv
is "$rc $(grep -c lack l.csv)" "0 0" "ready without it"

# Nothing to show.
printf 'ResourceId,Value,Start,End,JobId,GFlop\nCPU0,a,0,10,1,\n' >one.csv
run traceviz one.csv --panels spacetime,gflops,open-iterations -o one.pdf
like "$rc $(cat stderr)" "0 *panel gflops left out: no task has GFlop*" "no work"
run traceviz one.csv --panels spacetime,starvation,open-iterations -o one.pdf
like "$rc $(cat stderr)" "0 *panel starvation left out: *DependsOn*" "no dependencies"
like "$(cat stderr)" "*panel open-iterations left out: *" "no iterations"
mkdir idle
printf 'ResourceId,Type,Value,Start,End\nT0,S,outer,0,10\n' >idle/states.csv
run traceviz idle --panels "spacetime,$ALL" -o s.pdf
is "$rc $(grep -c 'left out: the trace has no tasks that count' stderr)" "0 9" "a trace without tasks"

# Former names of panels, in every place where one can be named.
traceviz -q "$DATA/cholesky-ws.csv" --panels st,lack,usage,utilisation --st.labels none --lack.can-run anywhere --panel-height utilisation=2 -o former.csv
traceviz -q "$DATA/cholesky-ws.csv" --panels spacetime,starvation,share,utilization --spacetime.labels none \
	--starvation.can-run anywhere --panel-height utilization=2 -o now.csv
ok "former names of panels" cmp former.csv now.csv
printf 'panels: [st, lack]\nst:\n  labels: none\nlack.can-run: anywhere\n' >former.yaml
is "$(traceviz --config former.yaml --print-config | grep -v '^ *#' | tr '\n' ' ')" \
	"panels: st,lack spacetime:   labels: none starvation:   can-run: anywhere " "in a configuration file"
traceviz -q "$DATA/qr-mumps-like.csv" --panels model,active-nodes,node-memory -o former.csv
traceviz -q "$DATA/qr-mumps-like.csv" --panels regression,open-fronts,front-memory -o now.csv
ok "those of other traces" cmp former.csv now.csv
traceviz -q --width 3.5 --facet-layout 1x3 --facet A="$DATA/cholesky-dmda.csv" B="$DATA/qr-mumps-like.csv" C="$DATA/cholesky-ws.csv" \
	--panels idle-causes -o narrow.svg
is "$(grep -o 'class="key"[^<]*' narrow.svg | sed 's/.*>//' | grep -E '^(unsuited|task) ' | tr '\n' ';')" \
	"unsuited 41.2 %;task 0.58 %;unsuited 10.6 %;task 10.3 %;task 20.7 %;" "keys of idle causes have short forms for narrow panels"
# Titles and keys go on over what is at the right of rows.
traceviz -q "$DATA/cholesky-4nodes/p2x2" --width 3.5 -o x.csv
is "$(grep -c ',panel-title,.*not started: mean' x.csv) $(awk -F, '$3 == "key" { n += !y[$8]++ } END { print n }' x.csv)" "1 6" "no word of a title is left out, and keys have few lines"
like "$(traceviz "$DATA/cholesky-paje" --panels counter -o c.csv 2>&1)" "*no variable is chosen (NAME; of the panel counter --counter.name), expected one of *" \
	"the message names the option that chooses"
