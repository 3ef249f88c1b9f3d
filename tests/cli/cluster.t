#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# cluster.t: traceviz-mpi gives the bytes of traceviz for any number of processes
. "$(dirname "$0")/lib.sh"
plan 74

BIN=${TRACEVIZ_BIN:-$ROOT/build}
mkdir -p "$SANDBOX/tmp"
# Sockets of launchers have short paths, and what one job leaves is none of another's.
export TMPDIR="$SANDBOX/tmp" OMPI_MCA_btl_vader_single_copy_mechanism=none PRTE_ALLOW_RUN_AS_ROOT=1
has() { [ -x "$BIN/traceviz-mpi-$1" ] && command -v "mpirun.$1" >/dev/null; }
# job MPI N OPTIONS...: traceviz-mpi as so many processes
job() {
	mpi=$1 n=$2; shift 2
	case $mpi in
	openmpi) mpirun.openmpi --oversubscribe --allow-run-as-root -n "$n" "$BIN/traceviz-mpi-openmpi" "$@" ;;
	mpich) mpirun.mpich -n "$n" "$BIN/traceviz-mpi-mpich" "$@" ;;
	esac
}
# What traceviz itself prints: Open MPI's mpirun explains a status that is not 0 once more.
own() { grep -a -e '^traceviz:' "$1"; }
# same MPI N VERB OPTIONS...: as one process without MPI
same() {
	mpi=$1 n=$2; shift 2
	traceviz "$@" >whole 2>whole.err </dev/null
	want=$?
	run job "$mpi" "$n" "$@"
	is "$rc $(cmp stdout whole) $(own stderr >own.err; own whole.err | diff own.err - | head -3)" "$want  " "$mpi, $n processes: $*"
}
groups() { "$BIN/oracle/row-groups" "$@"; }

if ! has openmpi && ! has mpich; then
	skip 74 "no traceviz-mpi (make mpi), or no mpirun.openmpi and mpirun.mpich"
	exit 0
fi
groups 40 "$DATA/cholesky-2nodes" two
groups 50 "$DATA/mpi-halo" halo
groups 100 "$DATA/mpi-steps" steps
groups 7 "$DATA/qr-mumps-like.csv" one
groups 300 "$DATA/cholesky-paje" states
traceviz convert -q "$DATA/cholesky-2nodes" --partition Node -o parts
# Node 2 has a worker, but no task; tasks overlap on their worker, and phases end with a submission.
seed 7
awk -v seed="$seed" 'BEGIN {
	srand(seed)
	print "ResourceId,Value,Start,End,JobId,Kind,Node,ResourceType,Footprint,SubmitTime"
	for (i = 0; i < 400; i++) {
		w = int(rand() * 5); at += int(rand() * 3); length_ = int(rand() * 4) * int(rand() * 9)
		printf "%s%d,%s,%d.5,%d.5,j%d,%s,%d,%s,f%d,%s\n", w < 3 ? "CPU" : "CUDA", w, substr("abc", int(rand() * 3) + 1, 1), at, at + length_, i,
			rand() < 0.2 ? "setup" : "app", w % 2, w < 3 ? "CPU" : "CUDA", int(rand() * 3), (at > 9 ? at - 9 : 0)
	}
	print "CPU9,idle,,,,worker,2,CPU,,"
	print ",later,,,k,pending,,,,"
}' >random.csv
groups 5 random.csv random

if has openmpi; then
	for n in 1 2 3 8; do
		same openmpi $n summary random
		same openmpi $n idleness random
		same openmpi $n utilization --by type random
		same openmpi $n concurrency --by Value --step 7 random
		same openmpi $n share random
		same openmpi $n abe two
		same openmpi $n outliers random
	done
	for n in 2 8; do
		same openmpi $n summary --by Node,Value two
		same openmpi $n summary halo
		same openmpi $n summary --by ResourceId,Footprint one
		same openmpi $n summary --kind app,setup steps
		same openmpi $n idleness --definition thesis states
		same openmpi $n idleness --begin 20 --end 300 random
		same openmpi $n idleness parts
		same openmpi $n summary --only a,nothing --top 2 random
		same openmpi $n summary --node 2 random
	done
	run job openmpi 2 info two
	traceviz info two >whole 2>whole.err
	like "$rc $(cmp stdout whole) $(own stderr | head -1)" "0  traceviz: info runs in process 0 alone" "a verb that one process computes, which is said"
else
	skip 47 "no traceviz-mpi by Open MPI"
fi

if has mpich; then
	same mpich 1 summary random
	for n in 2 3; do
		same mpich $n summary random
		same mpich $n idleness random
		same mpich $n abe two
		same mpich $n outliers random
	done
else
	skip 9 "no traceviz-mpi by MPICH"
fi

# wrong MPI STATUS PATTERN VERB OPTIONS...: one line
wrong() {
	mpi=$1 status=$2 pattern=$3; shift 3
	run job "$mpi" 3 "$@"
	like "$rc $(own stderr | wc -l) $(own stderr)" "$status 1 traceviz: $pattern" "$mpi: $*"
}
groups 20 random.csv damaged
# What only the last process reads.
size=$(wc -c <damaged/tasks.parquet)
at=$(grep -abo CPU damaged/tasks.parquet | cut -d: -f1 | awk -v size="$size" '$1 < 0.9 * size' | tail -1)
printf '\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377' |
	dd of=damaged/tasks.parquet bs=1 seek=$((at - 40)) conv=notrunc 2>/dev/null
for mpi in openmpi mpich; do
	if ! has $mpi; then
		skip 9 "no traceviz-mpi by $mpi"
		continue
	fi
	wrong $mpi 1 "*none.parquet*" summary none.parquet
	same $mpi 3 summary --by JobIds random
	same $mpi 3 summary --no-such-option random
	wrong $mpi 1 "*damaged/tasks.parquet*" summary damaged
	same $mpi 3 summary random -o no/folder.csv
	run job $mpi 3 idleness -q random -o out.csv
	traceviz idleness -q random >whole
	is "$rc $(cmp out.csv whole) $(wc -c <stdout) $(wc -c <stderr)" "0  0 0" "$mpi: -o, which one process writes"
	run job $mpi 2 summary -q "$DATA/cholesky.csv"
	traceviz summary -q "$DATA/cholesky.csv" >whole
	is "$rc $(cmp stdout whole)" "0 " "$mpi: a CSV"
	run job $mpi 2 summary "$DATA/cholesky.csv"
	like "$(own stderr)" "traceviz: summary runs in process 0 alone: only our own tables in Parquet are read in parts*" "... by one process, which is said"

	if [ $mpi = mpich ] && has openmpi; then
		run mpirun.openmpi --oversubscribe --allow-run-as-root -n 2 "$BIN/traceviz-mpi-mpich" summary random
		like "$rc $(own stderr)" "2 traceviz: started as 2 copies, not as one job of 2: *" "the mpirun of another MPI"
	else
		skip 1 "needs both MPIs"
	fi
done
