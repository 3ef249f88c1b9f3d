#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-mpi.t: programs of Open MPI and MPICH, in C and Fortran: calls, requests and messages.
# needs gfortran
. "$(dirname "$0")/lib.sh"
plan 46

bin=${TRACEVIZ_BIN:-$ROOT/build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# Shared memory of a container may not be that of another process.
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# has MPI: its probe was built, and its programs are there
has() { [ -f "$bin/record/libtraceviz-mpi-$1.so" ] && command -v "mpirun.$1" >/dev/null; }

# start MPI RANKS PROGRAM...: recorded, ./run; tables, ./tables
start() {
	mpi=$1 ranks=$2; shift 2
	rm -rf run tables
	run timeout 120 "mpirun.$mpi" -n "$ranks" traceviz record --mpi -o run -- "$@"
	traceviz convert -q run -o tables 2>convert.log
}

# What the calls table has, as the program prints it: rank, function, calls, bytes.
count() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ rank = $1; sub(/_.*/, "", rank); key = rank " " $at["Call"]; n[key]++; bytes[key] += $at["Bytes"] }
		END { for (key in n) print key, n[key], bytes[key] + 0 }' tables/calls.csv | sort
}
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$2"; }

for mpi in openmpi mpich; do
	if ! has $mpi; then
		skip 23 "no $mpi, or no probe of it"
		continue
	fi
	"mpicc.$mpi" -g -O1 -w -o c "$ROOT/tests/mpi/ring.c" || exit 1
	languages=c
	if "mpifort.$mpi" -g -O1 -ffree-line-length-none -fallow-argument-mismatch -o mpif "$ROOT/tests/mpi/ring.F90" &&
		"mpifort.$mpi" -g -O1 -ffree-line-length-none -DF08 -o f08 "$ROOT/tests/mpi/ring.F90"; then
		languages="c mpif f08"
	else
		skip 14 "no Fortran of $mpi"
	fi
	for language in $languages; do
		for ranks in 2 4; do
			start $mpi $ranks ./$language
			is "$rc" 0 "$mpi, $language, $ranks ranks: the program's status"
			sort stdout >said
			is "$(count | diff - said)" "" "calls and bytes are those that the program counted"
			is "$(wc -l <tables/links.csv)" $((23 * ranks + 1)) "each message is matched"
		done
		# Each request that was started was completed; persistent ones three times.
		is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ n = split($at["Request"], r, " "); m = split($at["Completed"], d, " "); class = $at["Class"] }
			class == "start" { for (i = 1; i <= n; i++) open[$1 " " r[i]]++ }
			class == "wait" && m == 0 { for (i = 1; i <= n; i++) open[$1 " " r[i]]-- }
			{ for (i = 1; i <= m; i++) open[$1 " " d[i]]-- }
			END { for (i in open) { all++; if (open[i] != 0) print i, open[i] } print all }' tables/calls.csv)" $((4 * 23)) \
			"each request that was started was completed"
	done
	is "$(column Site tables/calls.csv | grep -vc '@ring\.')" 0 "places are those in the program"
	is "$(awk -F, '$2 == "MPI_Bcast" { print $8, $10 }' OFS=, tables/calls.csv | sort -u | tr '\n' ';')" \
		"world/10:0,0;world/10:1,1;" "a communicator has the same name on all its ranks, the root is a rank of all"
done
