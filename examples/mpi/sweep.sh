#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sweep.sh: nbc with each MPI, configuration and number of ranks, into one CSV
#
#   sh examples/mpi/sweep.sh [-b BUILD] [-m MPI,...] [-c CONFIGURATION,...] [-n RANKS,...] [-t SECONDS] -o FILE [-- NBC OPTIONS]
#
# BUILD: folder with examples/mpi/nbc-MPI (build). MPI: openmpi, mpich (those that are built). CONFIGURATION (basic): basic; thread, a thread
# per rank that makes progress; dedicated, that thread with a core of its own; async, MPICH's own thread (not for Open MPI). RANKS (2).
# SECONDS: limit of a run (300). NBC OPTIONS: both axes (--comp, --comm), --calls, --runs.
# The rows of a run that fails or takes longer are kept, and the exit status is 1.
set -u

usage() { sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=build mpis=openmpi,mpich configurations=basic counts=2 limit=300 out=
while getopts b:m:c:n:t:o: letter; do
	case $letter in
	b) build=$OPTARG ;;
	m) mpis=$OPTARG ;;
	c) configurations=$OPTARG ;;
	n) counts=$OPTARG ;;
	t) limit=$OPTARG ;;
	o) out=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ -n "$out" ] || usage
for c in $(echo "$configurations" | tr , ' '); do
	case $c in basic | thread | dedicated | async) ;; *) usage ;; esac
done

rows=$(mktemp "$out.XXXXXX") && part=$(mktemp) || exit 1
trap 'rm -f "$rows" "$part"' EXIT
trap 'exit 1' INT TERM
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
status=0 header=

# run MPI CONFIGURATION RANKS NBC OPTIONS...: appends its rows
run() {
	mpi=$1 c=$2 ranks=$3
	shift 3
	case $c in
	thread) set -- --progress 0 "$@" ;;
	dedicated) set -- --progress 0 --dedicated 1 "$@" ;;
	esac
	set -- -n "$ranks" "$build/examples/mpi/nbc-$mpi" --label "$c" "$@"
	case $mpi-$c in
	openmpi-dedicated) set -- mpirun.openmpi --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 "$@" ;;
	openmpi-*) set -- mpirun.openmpi --oversubscribe --bind-to none "$@" ;;
	mpich-async) set -- env MPIR_CVAR_ASYNC_PROGRESS=1 mpirun.mpich "$@" ;;
	*) set -- mpirun.mpich "$@" ;;
	esac
	echo "sweep: $mpi, $c, $ranks ranks" >&2
	timeout "$limit" "$@" >"$part" </dev/null || {
		echo "sweep: $mpi, $c, $ranks ranks: exit status $?" >&2
		status=1
	}
	# Rows alone: a launcher that is ended writes its own text between them.
	awk -F, -v header="$header" 'NF == 22 && ($1 != "Library" || header == "")' "$part" >>"$rows"
	header=$(head -c 1 "$rows")
}

found=
for mpi in $(echo "$mpis" | tr , ' '); do
	if [ ! -x "$build/examples/mpi/nbc-$mpi" ]; then
		echo "sweep: no $build/examples/mpi/nbc-$mpi (make examples)" >&2
		continue
	fi
	found=1
	for ranks in $(echo "$counts" | tr , ' '); do
		for c in $(echo "$configurations" | tr , ' '); do
			[ "$mpi-$c" = openmpi-async ] || run "$mpi" "$c" "$ranks" "$@"
		done
	done
done
[ -n "$found" ] && [ -s "$rows" ] || exit 1
chmod 644 "$rows" && mv "$rows" "$out" || exit 1
exit $status
