#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster.t: random runs of 1 to 12 nodes, read by 1, 2, 3 and 8 processes: the same bytes.
# CLUSTER_RUNS: how many; SEED: of them
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tests/cli/cluster.sh
. "$ROOT/tests/cli/cluster.sh"
runs=${CLUSTER_RUNS:-500}
plan 1

if ! has openmpi; then
	skip 1 "no traceviz-mpi by Open MPI"
	exit 0
fi
seed "${SEED:-$(date +%s)}"
bad=
i=0
while [ $i -lt "$runs" ]; do
	random_run $((seed + i)) >plain.csv
	if [ $((i % 4)) -eq 0 ]; then commute <plain.csv >run.csv; else mv plain.csv run.csv; fi
	# As one file of Parquet with small groups of rows, or as a folder with parts for each node.
	rm -rf groups parts
	groups $((i % 23 + 2)) run.csv groups >/dev/null 2>&1
	traceviz convert -q run.csv --partition Node -o parts
	trace=groups
	[ $((i % 3)) -ne 0 ] || trace=parts
	options=$(sed -n "$((i % 19 + 1))p" <<-'END'
		summary
		idleness
		utilization --by type
		concurrency --by Value --step 7
		share
		abe
		outliers
		distribution
		throughput --step 5
		summary --by Node,Value
		idleness --begin 3 --end 30
		summary --kind app,setup --only a,b
		info
		ready --by Node --step 5
		submitted
		bounds
		lifecycle-summary
		critical-path
		load-balance --no-causes
	END
	)
	# shellcheck disable=SC2086 # words of the options
	traceviz $options $trace >whole 2>whole.err
	want=$?
	for n in 2 3 8; do
		# shellcheck disable=SC2086
		run job openmpi $n $options $trace
		# Rows that are to be printed as they come, jobs that a process needs of one behind it, exclusions that are counted, and runs without tasks.
		own stderr | grep -v -e 'alone: its rows do not come by Start, as they would be printed' -e 'alone: a task depends on one that starts later' \
			-e 'alone: a job ran several times' -e 'alone: which tasks excluded each other' -e 'alone: no task ran' >own.err
		if [ $rc -ne $want ] || ! cmp -s stdout whole || ! cmp -s own.err whole.err; then
			bad="$bad; seed $((seed + i)), $n processes, $options $trace: $rc, $(diff stdout whole | head -3) $(diff own.err whole.err | head -3)"
		fi
	done
	i=$((i + 1))
done
is "$bad" "" "$runs random runs"
