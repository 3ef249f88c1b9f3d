#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# case-recordings.t: the recordings of the case studies, made again by the commands of their pages: what does not depend on time is as in ours
. "$(dirname "$0")/lib.sh"
plan 8
bin=${TRACEVIZ_BIN:-$ROOT/build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=1
ln -s "$bin" build

grep -hE '^(    \$ : |	).*traceviz record -o ' "$ROOT"/docs/cases/*.md | sed -E 's/^(    \$ : |	)//' >commands
is "$(wc -l <commands | tr -d ' ')" 7 "seven commands"

# facts TRACE: tasks by type (a thread may run none), states but waits and idleness (how often threads wait depends on time), MPI calls and messages
rows() { traceviz sql -q --csv "$@" 2>rows.err | sed 1d; }
facts() {
	rows "$1" "SELECT Kind, Value, count(DISTINCT JobId) FROM tasks WHERE Kind != 'worker' GROUP BY 1, 2"
	rows "$1" "SELECT Type, Value, count(*) FROM states WHERE Value NOT IN ('Implicit barrier', 'Taskwait', 'Idle') GROUP BY 1, 2"
	rows "$1" "SELECT ResourceId, Call, Site, count(*), sum(Bytes) FROM calls GROUP BY 1, 2, 3"
	rows "$1" "SELECT Origin, Dest, count(*), sum(Size) FROM links GROUP BY 1, 2"
}
# whether what a command needs is there: its program, the probe, names of places
can_run() {
	case $1 in *halo-openmpi*) probe=mpi-openmpi ;; *) probe=openmp ;; esac
	has_libdw && [ -f "build/record/libtraceviz-$probe.so" ] && [ -x "$(printf '%s\n' "$1" | grep -o 'build/examples/[^ ]*')" ]
}
b=512 # tile-size: one of the four
if command -v mpirun.openmpi >mpirun.path; then ln -s "$(cat mpirun.path)" mpirun; fi
PATH=$PWD:$PATH
while read -r command; do
	name=$(printf '%s\n' "$command" | sed "s/.* -o \([^ ]*\) .*/\1/; s/\$b/$b/")
	can_run "$command" || { skip 1 "$name: no program (make examples), no probe of its runtime, or no libdw"; continue; }
	run timeout 120 sh -c "b=$b; $command"
	kept=$ROOT/examples/data/$name
	[ -e "$kept" ] || kept=$ROOT/examples/data/openmp-cholesky-$b.csv.zst
	facts "$kept" >want
	[ -s want ] || echo "nothing in $kept" >want
	facts "$name" | { if [ -d "$kept" ]; then cat; else grep '^app,'; fi; } >got
	is "$rc $(cat got)" "0 $(cat want)" "$command"
done <commands
