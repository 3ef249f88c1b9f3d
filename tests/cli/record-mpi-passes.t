#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-mpi-passes.t: what the passes say of recorded programs of MPI, against what these programs count.
. "$(dirname "$0")/lib.sh"
plan 48

bin=${TRACEVIZ_BIN:-$ROOT/build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none


for mpi in openmpi mpich; do
	if [ ! -f "$bin/record/libtraceviz-mpi-$mpi.so" ] || ! command -v "mpirun.$mpi" >/dev/null; then
		skip 24 "no $mpi, or no probe of it"
		continue
	fi
	"mpicc.$mpi" -g -O1 -w -o ring "$ROOT/tests/mpi/ring.c" || exit 1
	"mpicc.$mpi" -g -O1 -w -o modes "$ROOT/tests/mpi/modes.c" -lpthread || exit 1
	for ranks in 2 4; do
		rm -rf run tables
		run timeout 120 "mpirun.$mpi" -n $ranks traceviz record --mpi -o run -- ./ring
		is "$rc $(grep -c " calls of MPI of 1 process, .* (rank 0 of $ranks; other ranks report losses only)" stderr) $(grep -c task stderr)" "0 1 0" "$mpi, $ranks ranks: one line about the recording"
		sort stdout >said
		traceviz convert -q run -o tables
		is "$(columns tables/calls.csv Start | sort -g | head -1)" 0.000000 "t = 0 is the first call"
		is "$(columns tables/resources.csv Cpuset | sort -u)" "$(sed -n 's/^"*Binding,"*[0-9]*: //p' tables/meta.csv | sort -u)" "a rank has the processors to which its process is bound"

		# Each rank: 10 Isend and Irecv, 2 persistent requests three times, one Ibcast.
		traceviz requests --csv tables >requests
		is "$(traceviz requests --csv run 2>&1 | cmp - requests)" "" "requests: the same of the recording and of its tables"
		is "$(columns requests Rank,Call,Flag,Bytes | awk '{ n[$1 " " $2]++; b[$1 " " $2] += $3 } END { for (k in n) print k, n[k], b[k] }' | sort)" \
			"$(awk '$2 ~ /MPI_(Isend|Irecv|Ibcast)$/ { print } $2 == "MPI_Startall" { print $1, $2, 6, 3 * (800 + 8000) }' said | sort)" \
			"each has its bytes, none is open"
		is "$(columns requests Rank,Call,Peer | awk -v n=$ranks '$2 == "MPI_Irecv" { print ($1 + n - 1) % n == $3 } $2 == "MPI_Isend" { print ($1 + 1) % n == $3 }' | sort | uniq -c | tr -s ' ')" \
			" $((20 * ranks)) 1" "Peer is the rank that sent, or received, also from any source"
		is "$(columns requests Completion,Shared | awk '{ print $1, $2 }' | sort -u | tr '\n' ';')" \
			"MPI_Testall 2;MPI_Wait 1;MPI_Waitall 2;" "what completes them"
		traceviz overlap --calls nonblocking --csv tables >overlap
		is "$(columns overlap CallTime,ComputeTime,WaitTime,OtherTime,MeasuredTime | awk '{ d = $1 + $2 + $3 + $4 - $5
			if (d > 5e-7 || d < -5e-7 || $1 < 0 || $2 < 0 || $3 < 0 || $4 < 0) bad++; n++ } END { print n, bad + 0 }')" \
			"$((27 * ranks)) 0" "overlap: the parts of each sum up"
		is "$(traceviz overlap --calls blocking --by collective tables | awk -F, 'NR > 1 { n += $2; t += $7 } END { printf "%d %.6f", n, t }')" \
			"$(columns tables/calls.csv Class,Start,End | awk '$1 == "blocking" { n++; t += $3 - $2 } END { printf "%d %.6f", n, t }')" \
			"each blocking call is one, all of its time is waiting"
		traceviz callprofile --csv tables >profile
		is "$(columns profile Rank,Call,Count,Bytes | awk '$2 != "run" { n[$1 " " $2] += $3; b[$1 " " $2] += $4 } END { for (k in n) print k, n[k], b[k] }' | sort | diff - said)" \
			"" "callprofile: calls and bytes that the program counted"
	done
	is "$(columns profile Call,Percent | awk '$2 != "" && $2 > 100; $1 ~ /Init$|Finalize/ && NF > 1')" "" "no share of the run is above 100 %"
	run traceviz wait-states --csv tables
	is "$rc $(grep -c partner stderr) $(columns stdout Duration,Wait | awk '$2 <= 0 || $2 > $1' | wc -l)" "0 0 0" \
		"wait-states: each message has a partner, no wait is longer than its call"
	# With all calls as they were it is the recording; none is left without its partner.
	run traceviz mpi-replay --csv tables
	is "$rc $(grep -c -e "keep their recorded" -e "left out" stderr) $(sed -n "2s/^recorded,\([^,]*\),.*/\\1/p" stdout)" \
		"0 0 $(columns tables/calls.csv Call,Start,End | awk '$1 ~ /Init/ && (first == "" || $3 < first) { first = $3 } $1 ~ /Finalize/ && $2 > last + 0 { last = $2 } END { printf "%.6f", last - first }')" \
		"mpi-replay: each call is replayed"
	# The model by hand, rank 0 with 4 cores; both are rounded to a ns.
	dedicated=$(traceviz dedicate --cores 4 --csv tables 2>/dev/null | awk -F, '$1 == 0 { print $6 }')
	is "$(columns profile Rank,Call,Class,Count,Time,Min | awk -v is="$dedicated" '$1 == 0 && $3 == "run" { all = $5 }
			$1 != 0 || $3 == "run" || $2 ~ /^MPI_(Init|Finalize)/ { next }
			{ mpi += $5; if ($3 == "blocking" || $3 == "other") fixed += $5; n[$3] += $4; if (!($3 in min) || $NF < min[$3]) min[$3] = $NF }
			END { off = is - ((all - mpi) * 4 / 3 + fixed + n["start"] * min["start"] + n["test"] * min["test"] + n["wait"] * min["wait"])
				if (is == "" || off > 0.000002 || off < -0.000002) print "off by", off }' FS=' ')" "" \
		"dedicate: the model by hand"
done
