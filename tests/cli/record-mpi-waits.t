#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-mpi-waits.t: wait states of recorded programs of which one rank comes late, as long as it is known
. "$(dirname "$0")/lib.sh"
plan 14

bin=${TRACEVIZ_BIN:-$ROOT/build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# waits FOLDER MS: rank, call and state of the waits of that length or more, in the order of time
waits() {
	traceviz wait-states -q --csv "$1" | awk -F, -v least="$2" 'NR > 1 && $8 >= least && $3 != "MPI_Barrier" { print $1, $3, $7 }'
}
for mpi in openmpi mpich; do
	if [ ! -f "$bin/record/libtraceviz-mpi-$mpi.so" ] || ! command -v "mpirun.$mpi" >/dev/null; then
		skip 7 "no $mpi, or no probe of it"
		continue
	fi
	"mpicc.$mpi" -g -O1 -w -o waits "$ROOT/tests/mpi/waits.c" || exit 1
	rm -rf run tables step*
	run timeout 120 "mpirun.$mpi" -n 2 traceviz record --mpi -o run -- ./waits
	is "$rc" 0 "$mpi: recorded"
	# The late rank sleeps for 200 ms; the other one may come late, too, as the machine has other work.
	for rank in 0 1; do
		grep "^$rank " stdout >said
		waits run 50 | grep "^$rank " >seen
		# Each one in turn; between them others may have waited that long by chance.
		is "$(awk 'NR == FNR { want[++n] = $0; next } $0 == want[at + 1] { at++ } END { for (i = at + 1; i <= n; i++) print want[i] }' said seen)" \
			"" "rank $rank waits in $(wc -l <said) known calls while the other one sleeps"
	done
	traceviz wait-states --csv run 2>&1 >/dev/null | grep 'not known' >unseen
	is "$(grep -o 'MPI_[A-Za-z_]* ([0-9]*' unseen | tr -d '(' | sort | grep -v -e File_close -e Win_free -e Put -e File_write | tr '\n' ';')" \
		"MPI_Neighbor_allgather 2;MPI_Scan 2;MPI_Wait 2;MPI_Win_fence 4;" "what it does not know is named, with its number"
	traceviz convert -q run -o tables
	is "$(traceviz wait-states -q tables | cksum)" "$(traceviz wait-states -q run | cksum)" "the same from its tables"

	rm -rf run
	run timeout 120 "mpirun.$mpi" -n 2 traceviz record --mpi -o run -- ./waits exchange
	is "$(waits run 10 | sort | uniq -c | awk '{ print $2, $3, $4, $5, ($1 >= 3) }' | tr '\n' ';')" \
		"0 MPI_Sendrecv_replace late sender 1;1 MPI_Sendrecv_replace late sender 1;" "each rank waits in exchanges for which the other one sleeps"
	# A wait ends when the other rank begins the same exchange.
	traceviz convert -q run -o exchange
	traceviz wait-states -q --csv run | awk -F, 'NR > 1 && $3 ~ /Sendrecv/ { print $1, $5, $8, $9, $10 }' >seen
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["Call"] ~ /Sendrecv/ { r = substr($at["ResourceId"], 1, 1)
		start[r, ++n[r]] = $at["Start"] } END { for (i = 1; i <= 20; i++) { late = start[1, i] > start[0, i]
		if (start[0, i] != start[1, i]) printf "%d %.6f %.6f %d %.6f\n", !late, start[!late, i], start[late, i] - start[!late, i], late, start[late, i] } }' \
		exchange/calls.csv | sort -k2 -g >want
	is "$(wc -l <want) $(diff want seen | head -3)" "20 " "each as long as the calls' begins are apart"
	rm -rf exchange
done
