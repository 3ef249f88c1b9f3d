#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# eztrace.t: EZTrace and `traceviz record` on the same programs: the same tasks of OpenMP; calls, messages and bytes of MPI
. "$(dirname "$0")/lib.sh"
plan 13

bin=${TRACEVIZ_BIN:-$ROOT/build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
command -v eztrace >/dev/null || { skip 13 "no eztrace"; exit 0; }
ldd "$(command -v traceviz)" | grep -q open-trace-format2 || { skip 13 "traceviz was built without the library of OTF2"; exit 0; }

# both PROBE PLUGIN PROGRAM: its tables by EZTrace and by record; $START begins each
both() {
	rm -rf e r e-tables r-tables
	# shellcheck disable=SC2086 # several words
	timeout 120 $START eztrace -t "$2" -o e "$3" >e.said 2>e.stderr &&
		timeout 120 $START traceviz record "$1" -o r -- "$3" >r.said 2>r.stderr
	run traceviz convert -q e/*_trace -o e-tables
	traceviz convert -q r -o r-tables
}

# One thread creates tasks: EZTrace numbers them by thread.
cat >tasks.c <<'END'
#include <stdio.h>
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void)
{
	long sum = 0;
	for (int region = 0; region < 3; region++)
#pragma omp parallel num_threads(4) reduction(+ : sum)
#pragma omp master
		for (int i = 0; i < 100; i++) {
#pragma omp task
			if (fib(15 + i % 5) == 0)
				puts("wrong");
			if (i % 10 == 9) {
#pragma omp taskwait
				sum++;
			}
		}
	printf("%ld\n", sum);
	return 0;
}
END
if [ -f "$bin/record/libtraceviz-openmp.so" ] && clang -fopenmp -O1 -w -o tasks tasks.c 2>stderr; then
	START='' both --openmp ompt ./tasks
	is "$rc $(cat e.said r.said | tr '\n' ' ')" "0 30 30 " "OpenMP: the program ends as without"
	for tables in e-tables r-tables; do
		is "$(traceviz summary -q --by '' $tables | sed 1d | cut -d, -f1,2)" "300,300" "$tables: tasks, each in one piece"
		is "$(columns $tables/tasks.csv Kind,SubmitTime,Start | awk '$1 == "app" && $2 <= $3' | wc -l)" 300 "$tables: created before they ran"
	done
else
	skip 5 "no probe of OpenMP, or clang has no OpenMP"
fi

# What ring.c says of itself, without calls whose number depends on chance; of the tables those that EZTrace records, too.
calls() { columns "$1/calls.csv" ResourceId,Call | sed 's/^P#//; s/[T#_][^ ]* / /' | grep -v 'Testall\|Init$\|Finalize\|Request_free\|^ResourceId' | sort | uniq -c | awk '{ print $2, $3, $1 }'; }
messages() { columns "$1/links.csv" Type,Origin,Dest,Tag,Size | sed -n 's/^MPI communication //p' | sed 's/P#//g; s/[T#_][^ ]* / /g' | sort; }
for mpi in openmpi mpich; do
	if [ ! -f "$bin/record/libtraceviz-mpi-$mpi.so" ] || ! command -v "mpirun.$mpi" >/dev/null; then
		skip 4 "no $mpi, or no probe of it"
		continue
	fi
	"mpicc.$mpi" -O1 -w -o ring "$ROOT/tests/mpi/ring.c" || exit 1
	START="mpirun.$mpi -n 3" both --mpi $mpi ./ring
	is "$rc" 0 "$mpi: an archive"
	calls r-tables >r.calls
	calls e-tables >e.calls
	is "$(diff e.calls r.calls)" "" "the same calls"
	messages r-tables >r.messages
	messages e-tables >e.messages
	is "$(diff e.messages r.messages)" "" "the same messages: ranks, tag, bytes"
	is "$(wc -l <e.messages) $(awk '{ n += $4 } END { print n }' e.messages)" \
		"$((3 * 23)) $(awk '/MPI_(Send|Isend) / { n += $4 } END { print n + 3 * 3 * 800 }' e.said)" "as many as the program says"
done
