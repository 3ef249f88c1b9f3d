#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# efficiency-mpi.t: metrics of POP and TALP of recorded programs, against a script that has only the calls and states; the same
# calls and states written as Paraver and OTF2.
. "$(dirname "$0")/lib.sh"
plan 20

bin=${TRACEVIZ_BIN:-$ROOT/build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none

metrics() { traceviz efficiency -q --pop --csv --where 'Section == pop' "$1" | sed 1d | cut -d, -f2,3 | tr , ' '; }

# agree: ours and those of the script, within 1 %. Ours are over the time from the first MPI_Init to the last MPI_Finalize, those of
# TALP over that of each rank: one of two ranks lacks at most twice the mean of what they lack, as a share of that time, and the time
# of one rank may be all of a metric's dividend.
agree() {
	perl "$ROOT/tests/oracle/talp.pl" tables >oracle
	metrics run | awk 'NR == FNR { want[$1] = $2; next } $1 in want { n++; off = $2 - want[$1]; limit = 0.01 * want[$1] + 2 * want["skew"]
		if (off > limit || off < -limit) print $1, $2, "not", want[$1] } END { print n + 0 }' oracle -
}

# shellcheck disable=SC2046 # several options
${CC:-cc} -D_GNU_SOURCE -O1 -w -o writer "$ROOT/tests/cli/otf2_write.c" $(${PKG_CONFIG:-pkg-config} --cflags --libs otf2) 2>/dev/null
for mpi in openmpi mpich; do
	if [ ! -f "$bin/record/libtraceviz-mpi-$mpi.so" ] || ! command -v "mpirun.$mpi" >/dev/null; then
		skip 10 "no $mpi, or no probe of it"
		continue
	fi
	"mpicc.$mpi" -g -O1 -w -o teams "$ROOT/tests/mpi/teams.c" && "mpicc.$mpi" -g -O1 -w -o waits "$ROOT/tests/mpi/waits.c" || exit 1
	for program in teams "waits exchange"; do
		rm -rf run tables step*
		# shellcheck disable=SC2086 # a program and its argument
		run timeout 120 "mpirun.$mpi" -n 2 traceviz record --mpi -o run -- ./$program
		traceviz convert -q run -o tables
		is "$rc $(agree)" "0 3" "$mpi, $program: as TALP's formulas of MPI"
	done
	rm -rf run tables
	run timeout 120 "mpirun.$mpi" -n 2 traceviz record --mpi -o run -- ./teams
	traceviz convert -q run -o tables
	perl "$ROOT/tests/oracle/as-paraver.pl" tables as
	metrics run >recorded
	metrics as.prv >paraver
	is "$(wc -l <recorded) $(diff recorded paraver)" "5 " "$mpi: the same written as Paraver has the same five metrics"
	for verb in "efficiency --where Section!=mode" "efficiency --by node" "efficiency --region MPI_Sendrecv#*" "mpi-replay"; do
		# shellcheck disable=SC2086 # words of a command
		traceviz $verb -q --csv run | cut -d, -f1,5- >recorded
		# shellcheck disable=SC2086
		traceviz $verb -q --csv as.prv | cut -d, -f1,5- >paraver
		is "$(diff recorded paraver)" "" "... $verb"
	done
	if [ -f "$bin/record/libtraceviz-openmp.so" ] && [ -x "$bin/examples/clang/fib" ]; then
		OMPI_CC=clang MPICH_CC=clang "mpicc.$mpi" -fopenmp -g -O1 -w -o hybrid "$ROOT/tests/mpi/teams.c" || exit 1
		rm -rf run tables
		run timeout 120 "mpirun.$mpi" -n 2 traceviz record --mpi --openmp -o run -- ./hybrid
		traceviz convert -q run -o tables
		is "$rc $(agree)" "0 7" "$mpi: MPI and OpenMP, as TALP's formulas of hybrid programs"
		metrics run >recorded
		perl "$ROOT/tests/oracle/as-paraver.pl" tables hybrid
		is "$(metrics hybrid.prv | diff recorded - | wc -l) $(wc -l <recorded)" "0 9" "... the same written as Paraver has the same nine metrics"
		rm -rf otf2
		if [ -x writer ]; then
			perl "$ROOT/tests/oracle/as-otf2.pl" tables | ./writer otf2 traces
			is "$(metrics otf2/traces.otf2 | diff recorded - | wc -l)" 0 "... and as OTF2"
		else
			skip 1 "no library of OTF2"
		fi
	else
		skip 3 "no OpenMP of clang, or no probe of it"
	fi
done
