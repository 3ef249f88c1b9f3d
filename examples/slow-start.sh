#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# slow-start.sh -- which messages delay the first tasks of each node, in two runs on several nodes: tables to stdout, and
# a picture of the start of both runs. docs/cases/slow-start.md explains how to read them.
#   sh examples/slow-start.sh [RUN1 RUN2 [PICTURE]]    default: the sample with four nodes, slow-start.png
set -eu
sample=$(dirname "$0")/../data/cholesky-4nodes
one=${1:-$sample/p1x4} two=${2:-$sample/p2x2} picture=${3:-slow-start.png}

echo "# Which run is faster, and why:"
traceviz compare --section verdict "$one" "$two"
for run in "$one" "$two"; do
	echo "# $run: work, idle time and start of each node:"
	traceviz load-balance "$run"
	echo "# $run: what the first task of each node waited for:"
	traceviz late-start "$run"
	echo "# $run: the chain back from each first task:"
	traceviz late-start --chain "$run"
	echo "# $run: the messages that caused most idle time:"
	traceviz messages --top 10 "$run"
	echo "# $run: messages from node to node:"
	traceviz comm-matrix "$run"
done

# The picture: until 1.5 times the start of the last node, with the chains of the tasks that a message delays. A job of one run may
# have the same name as a later job of the other run, so the tasks must also start by then.
first=$(for run in "$one" "$two"; do traceviz late-start -q --csv "$run"; done | awk -F, '
	$1 == "Node" { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["Message"] == "" { next }
	{ jobs = jobs (n++ ? ", " : "") "\"" $c["JobId"] "\""; if ($c["Start"] > last) last = $c["Start"] }
	END { print 1.5 * last, "JobId in (" jobs ") and Start <= " last }')
set --
if traceviz counter -q --name 'Used*' "$one" >/dev/null 2>&1; then # StarPU: its threads and its memory
	set -- --panels spacetime,ready,mpi-states,bandwidth,in-flight,counter \
		--counter.name 'Used*' --counter.resource '*MEMMANAGER0'
fi
traceviz -q --facet "$(basename "$one")=$one" "$(basename "$two")=$two" --panels spacetime,ready,bandwidth,in-flight "$@" \
	--ready.by node --begin 0 --end "${first%% *}" --spacetime.chains "${first#* }" --spacetime.depth root \
	--width 12 -o "$picture"
