# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster.sh -- traceviz-mpi by the launchers of its MPIs, for tests.
BIN=${TRACEVIZ_BIN:-$ROOT/build}
mkdir -p "$SANDBOX/tmp"
# Sockets of launchers have short paths, and what one job leaves is none of another's.
export TMPDIR="$SANDBOX/tmp" OMPI_MCA_btl_vader_single_copy_mechanism=none PRTE_ALLOW_RUN_AS_ROOT=1
has() { [ -x "$BIN/traceviz-mpi-$1" ] && command -v "mpirun.$1" >/dev/null; }
# job MPI N OPTIONS...: traceviz-mpi as so many processes, each behind the words of $before
before=
job() {
	mpi=$1 n=$2; shift 2
	# shellcheck disable=SC2086 # words
	case $mpi in
	openmpi) mpirun.openmpi --oversubscribe --allow-run-as-root -n "$n" $before "$BIN/traceviz-mpi-openmpi" "$@" ;;
	mpich) mpirun.mpich -n "$n" $before "$BIN/traceviz-mpi-mpich" "$@" ;;
	esac
}
# What traceviz itself prints: Open MPI's mpirun explains a status that is not 0 once more.
own() { grep -a -e '^traceviz:' "$1"; }
groups() { "$BIN/oracle/row-groups" "$@"; }
# random_run SEED: a CSV of tasks on 1 to 12 nodes, by Start; perhaps one node has most of them, others have none; some tasks never
# ran, some have no time, some overlap on their worker. Tasks depend on earlier ones, also through messages, some on jobs that occur
# nowhere. Perhaps the clocks of nodes differ: tasks then start before what they depend on has ended, or has started.
random_run() {
	echo "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,Footprint,SubmitTime,DependsOn"
	awk -v seed="$1" 'function depends(from, list, k) {
		list = ""
		for (k = int(rand() * 4); k > 0 && n_ > 0; k--)
			list = list (rand() < 0.02 ? "x" k : job[rand() < from ? n_ - 1 - int(rand() * (n_ < 9 ? n_ : 9)) : int(rand() * n_)]) " "
		return list
	}
	BEGIN {
		srand(seed)
		nodes = int(rand() * 12) + 1; giant = rand() < 0.3 ? int(rand() * nodes) : -1; n = int(rand() * 400); off = rand() < 0.2; n_ = 0
		prefix = rand() < 0.5 ? "j" : ""
		for (node = 0; node < nodes; node++) {
			empty[node] = rand() < 0.2; clock[node] = off ? int(rand() * 9) : 0
			printf("%d_CPU0,idle,,,,worker,%d,CPU,,,\n", node, node)
		}
		for (i = 0; i < n; i++) {
			node = giant >= 0 && rand() < 0.9 ? giant : int(rand() * nodes); at += int(rand() * 3)
			if (empty[node]) continue
			kind = rand() < 0.1 ? "setup" : rand() < 0.1 ? "message" : "app"; gpu = rand() < 0.3; start = at + clock[node]
			id = kind == "message" ? "m" i : prefix i (rand() < 0.02 ? "a" : "")
			# A comparison in the list of printf without parentheses would be the name of a file.
			submit = start > 9 ? start - 9 : 0
			on = kind == "message" ? ",%s,%d.5,%d.5,%s,%s,,,,,%s\n" : node "_" (gpu ? "CUDA" : "CPU") int(rand() * 3) \
				",%s,%d.5,%d.5,%s,%s," node "," (gpu ? "CUDA" : "CPU") ",f" int(rand() * 3) "," submit ",%s\n"
			printf(on, substr("abcd", int(rand() * 4) + 1, 1), start, start + int(rand() * 4) * int(rand() * 9), id, kind, depends(0.7))
			job[n_++] = id
		}
		for (i = int(rand() * 3); i > 0; i--) printf(",later,,,k%d,pending,%d,,,,%s\n", i, int(rand() * nodes), depends(1))
	}' | sort -s -t, -k3,3g
}
# commute: such a run with accesses to data, of which some commute
commute() { awk -v OFS=, '{ print $0, NR == 1 ? "Handles,Modes" : "h" NR % 3 "," (NR % 4 > 0 ? "RWC" : "R") }'; }
