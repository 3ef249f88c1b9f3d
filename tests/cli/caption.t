#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# caption.t: numbers of panels as TeX commands: printed in the figure, equal to those of the passes, named alike in each run
. "$(dirname "$0")/lib.sh"
plan 17
TWO=$DATA/cholesky-2nodes
numbers() { sed -n 's/^.newcommand{.\([A-Za-z]*\)}{\(.*\)}%.*/\1 \2/p' "$1"; }
get() { numbers n.tex | awk -v name="n$1" '$1 == name { print $2 }'; }

# Every number of a panel is in a title or key of the figure.
for panels in comm-matrix,bandwidth,in-flight,message-sizes,message-timeline account,gflops,share,utilization,progress \
	ready,submitted,concurrency,open-iterations,starvation,idle-causes imbalance,hetero-imbalance,power-imbalance; do
	traceviz -q "$TWO" --panels $panels -o n.pdf --dump-boxes n.csv --caption n.tex
	traceviz -q "$TWO" --panels spacetime -o s.pdf --caption s.tex
	grep -E '^text,page,(panel-title|key|key-text),' n.csv >printed
	numbers n.tex | cut -d' ' -f1 | sort >names
	numbers s.tex | sed 's/^s/n/' | cut -d' ' -f1 | sort >header
	comm -23 names header >of-panels
	for name in $(cat of-panels); do
		grep -q -F -e "$(get "${name#n}")" printed || echo "$name"
	done >missing
	is "$(wc -l <of-panels | awk '{ print ($1 > 5) }') $(cat missing)" "1 " "printed: $panels"
done

# They are those of the passes.
traceviz -q "$TWO" --panels comm-matrix,bandwidth,ready,idle-causes,starvation -o n.pdf --caption n.tex
is "$(get CommMatrixBytes) $(get CommMatrixBytesUnit)" \
	"$(traceviz comm-matrix -q "$TWO" | awk -F, 'NR > 1 { b += $4 } END { printf "%.1f MB", b / 1e6 }')" "sum of the matrix"
is "$(get BandwidthBytesNodeOne)" "$(traceviz messages -q "$TWO" | awk -F, '$2 == 1 { b += $8 } END { printf "%.1f", b / 1e6 }')" "bytes of a node"
is "$(get ReadyMean) $(get ReadyMax)" "$(traceviz ready -q "$TWO" | awk -F, "$by_name"'
	$c["Curve"] == "ready" { d = $c["End"] - $c["Start"]; s += d * $c["Value"]; t += d; if ($c["Value"] > m) m = $c["Value"] }
	END { printf "%.1f %d", s / t, m }')" "mean and max of ready tasks"
is "$(get IdleCausesShareMpi) $(get IdleCausesShareElsewhere)" "$(traceviz idle-causes -q "$TWO" | awk -F, "$by_name"'
	{ v[$c["Cause"]] += $c["Time"] }
	END { printf "%.1f %.1f", v["mpi"] / (22 * 1042.720604) * 100, v["elsewhere"] / (22 * 1042.720604) * 100 }')" "shares of idle causes"
is "$(numbers n.tex | grep -ic 'scale\|ZeroTo\|Three[A-Z]')" 0 "no name contains a number of the run or an end of a scale"

# The same names for each run, other numbers.
for run in dmda dmdas ws; do
	traceviz -q "$DATA/cholesky-$run.csv" --panels account,ready,submitted,gflops,share,progress,starvation,dag,durations -o n.pdf --caption n.tex
	numbers n.tex | cut -d' ' -f1 | grep -v 'IdleOf\|Outliers\|Drain' | sort >names.$run
	numbers n.tex >numbers.$run
done
is "$(cmp names.dmda names.ws; cmp names.dmda names.dmdas)" "" "names of three runs are equal"
is "$(cmp -s numbers.dmda numbers.ws; echo $?)" 1 "their numbers differ"
is "$(grep -c '^nAccount' names.ws)" 8 "area bound, makespan, tight and placement bound, each with its unit"

# Facets: those of each run.
traceviz -q --facet dmda="$DATA/cholesky-dmda.csv" ws="$DATA/cholesky-ws.csv" --panels ready,gflops -o f.pdf --caption n.tex
is "$(get DmdaReadyMean) $(get WsReadyMean)" "$(awk '$1 == "nReadyMean" { print $2 }' numbers.dmda) $(awk '$1 == "nReadyMean" { print $2 }' numbers.ws)" \
	"facets have the numbers of their runs"
is "$(sed -n 's/^.newcommand{\(.*\)}{.*/\1/p' n.tex | sort | uniq -d)" "" "no name twice"

# A trace with runtime states, and one with memory.
traceviz -q "$DATA/cholesky-paje" --panels states,used-memory,handles -o n.pdf --dump-boxes n.csv --caption n.tex
is "$(numbers n.tex | grep -c '^nStatesShareIdle')" "$(traceviz info -q --csv "$DATA/cholesky-paje" | grep -c '^workers by type')" "a share of each state and type of workers"
ok "as the key has it" grep -q -F -e "$(get StatesShareIdleCPU) / $(get StatesShareIdleCUDA)" n.csv
run traceviz -q "$DATA/cholesky-ws.csv" --panels spacetime,account --spacetime.chains last -o n.pdf --caption n.tex
is "$rc $(numbers n.tex | grep -c Job)" "0 0" "the JobId of a chain is no number"
