#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-mpi.t: programs of Open MPI and MPICH, in C and Fortran: calls, requests and messages.
# needs gfortran
. "$(dirname "$0")/lib.sh"
plan 108

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
# Requests, where each that was started (more than once: persistent) was completed as often; else those that were not.
balance() {
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n = split($at["Request"], r, " "); m = "Completed" in at ? split($at["Completed"], d, " ") : 0; class = $at["Class"] }
		{ rank = substr($1, 1, index($1, "_")) }
		class == "start" { for (i = 1; i <= n; i++) open[rank r[i]]++ }
		class == "start" && $1 ~ /^0_/ { for (i = 1; i <= n; i++) own[r[i]] }
		class == "wait" && m == 0 { for (i = 1; i <= n; i++) open[rank r[i]]-- }
		{ for (i = 1; i <= m; i++) open[rank d[i]]-- }
		END { for (i in open) if (open[i] != 0) print i, open[i]; for (i in own) n0++; print n0 }' tables/calls.csv
}

for mpi in openmpi mpich; do
	if ! has $mpi; then
		skip 52 "no $mpi, or no probe of it"
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
		is "$(balance)" 23 "each request that was started was completed"
	done
	is "$(columns tables/calls.csv Site | grep -vc '@ring\.')" 0 "places are those in the program"
	is "$(awk -F, '$2 == "MPI_Bcast" { print $8, $10 }' OFS=, tables/calls.csv | sort -u | tr '\n' ';')" \
		"world/10:0,0;world/10:1,1;" "a communicator has the same name on all its ranks, the root is a rank of all"

	"mpicc.$mpi" -fopenmp -g -O1 -w -o modes "$ROOT/tests/mpi/modes.c" -lpthread || exit 1
	# By hand: 40 + 4 messages of 4 bytes, one of 8, one of 4, one of 8, from each rank; nothing else is a message.
	start $mpi 2 ./modes all
	is "$rc $(awk -F, 'NR > 1 { n++; bytes += $7 } END { print n, bytes }' tables/links.csv)" "0 94 392" "messages of all kinds of calls"
	is "$(awk -F, 'NR > 1 && $8 == 61 && $3 == "0_T0" { print $7, ($10 < $6) }' tables/links.csv | tr '\n' ';')" "4 1;8 1;" \
		"the message that was probed first is the one that was sent first"
	is "$(balance)" 46 "any, some, all: each request is completed once"
	# All sends that have completed may have one handle, always in MPICH: each request and each message keeps its own
	# completion; of two of which one was moved it is not known which.
	is "$(traceviz requests -q --csv tables | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 == 0 && $at["Call"] == "MPI_Isend" { tag = $at["Tag"] % 2 ? $at["Tag"] " " : ""; print tag $at["Completion"] }' | LC_ALL=C sort | tr '\n' ';')" \
		"51 MPI_Waitall;53 MPI_Waitall;MPI_Wait;MPI_Waitall;" "sends with the same handle: what completes each"
	is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$3 == "0_T0" && $8 >= 50 && $8 <= 53 { end[$8] = $at["SendEnd"] } END { print (end[51] == end[53] && (end[50] < end[51]) + (end[52] < end[51]) == 1) }' tables/links.csv)" 1 \
		"and when their messages have been sent"
	is "$(columns tables/calls.csv Call,ResourceId,Tag,ReceivePeer,ReceiveTag,CommRank | grep "^MPI_Sendrecv " | tr '\n' ';')" \
		"MPI_Sendrecv 0_T0 60 1 60 0;MPI_Sendrecv 1_T0 60 0 60 1;" "what an exchange receives, and the own rank"
	is "$(awk -F, '$1 ~ /^0_/ && $2 ~ /all|Gather|Scatter|Reduce/ && $2 !~ /Wait/ { print $2, $14 }' tables/calls.csv | tr '\n' ';')" \
		"MPI_Alltoall 24;MPI_Alltoallv 12;MPI_Gather 28;MPI_Gatherv 12;MPI_Scatterv 12;MPI_Reduce_scatter 32;" \
		"bytes of collective operations"
	is "$(awk -F, '$2 == "MPI_Bcast" { print $8, $9 }' tables/calls.csv | sort -u | wc -l)" 1 \
		"a communicator whose creation is a request has one name, too"
	start $mpi 2 ./modes threads
	is "$rc $(awk -F, 'NR > 1 && $7 == 4 && $6 >= $5 { n[$3 $4 $8]++ } END { for (i in n) print n[i] }' tables/links.csv | tr '\n' ' ')" \
		"0 200 200 200 200 200 200 200 200 " "MPI_THREAD_MULTIPLE: the messages of four threads"
	is "$(balance)" 1600 "and their requests"

	# The ends of programs: the status is that of the program alone, what was recorded is read.
	for mode in none abort kill fork "exit 9"; do
		# On a busy machine mpirun itself may end in another way than usual: then once more.
		for try in 1 2 3; do
			# shellcheck disable=SC2086 # a mode and its argument
			timeout 60 "mpirun.$mpi" -n 2 ./modes $mode >/dev/null 2>&1
			alone=$?
			# shellcheck disable=SC2086
			start $mpi 2 ./modes $mode
			[ "$rc" != "$alone" ] || break
			printf '# %s, try %s: %s, alone %s\n' "$mode" "$try" "$rc" "$alone"
		done
		is "$rc" "$alone" "$mode: the status of mpirun"
		case $mode in
		none) like "$(cat stderr)" "*nothing was recorded: the program called no function of MPI*" "which is reported" ;;
		abort) is "$(awk -F, '$NF == "open" { print $2 }' tables/calls.csv | sort | tr '\n' ' ')" "MPI_Abort MPI_Recv " "what ranks were in" ;;
		kill) is "$(awk -F, '$NF == "open" { print $1, $2, $8, ($5 > $4) }' tables/calls.csv)" "0_T0 MPI_Recv 1 1" "the rank that waited, for whom, to the end" ;;
		fork) is "$(find run -name '*.tvlog' | wc -l)" 2 "a child that does nothing has no log" ;;
		*) is "$(grep -c 'MPI_Finalize' tables/calls.csv)" 2 "all calls" ;;
		esac
	done
	# The MPI is found where a script starts the program, and mpirun may be started by record.
	printf '#!/bin/sh\n./modes exit 0\n' >script && chmod +x script
	start $mpi 2 ./script
	is "$rc $(grep -c MPI_Finalize tables/calls.csv)" "0 2" "a script that starts the program"
	rm -rf run tables
	run timeout 60 traceviz record --mpi -o run -- "mpirun.$mpi" -n 2 ./modes all
	traceviz convert -q run -o tables
	is "$rc $(wc -l <tables/links.csv)" "0 95" "a recorded mpirun"
	# Rank 1 is on a host of its own, whose clock is 3 ms ahead and gains 100 us per s; 20 messages go each way in 2 s.
	${CC:-cc} -D_GNU_SOURCE -shared -fPIC -O1 -o skewed.so "$ROOT/tests/record/skewed.c" || exit 1
	# The clocks are as near as a round trip, which is long where other programs use the CPUs: then again, or nothing would be tested.
	for try in 1 2 3 4 5; do
		rm -rf run tables
		began=$(date +%s)
		run timeout 120 "mpirun.$mpi" -n 2 env LD_PRELOAD="$PWD/skewed.so" traceviz record --mpi -o run -- ./modes drift
		lasted=$(($(date +%s) - began + 1))
		traceviz convert -q run -o tables
		diag "$mpi, try $try: $(grep '^Clock,' tables/meta.csv)"
		trip=$(sed -n 's/^Clock,.*by round trips of \([0-9]*\) ns.*/\1/p' tables/meta.csv)
		[ "${trip:-1}" -gt 20000 ] || break
	done
	# An MPI that looks in vain for the hosts' names begins seconds after the clock has begun to gain.
	if [ "${trip:-1}" -le 20000 ]; then
		ok "the difference of a clock and its drift, within what the round trips permit" awk -v trip="${trip:-1}" -v lasted="$lasted" '/^Clock,/ {
			gsub(/[",+]/, ""); for (i = 1; i <= NF; i++) { if ($(i + 1) == "us") drift = $i; if ($i == "one:") offset = $(i + 1) }
			trip /= 1000; found = 1; bad = drift + 100 > 1 + trip || drift + 100 < -1 - trip || offset > -3e6 + 1e5 || offset < -3e6 - 1e5 * lasted }
			END { exit !found || bad }' tables/meta.csv
		ok "messages received before they were sent: some before, none after" awk '
			/^MessagesEarly,/ { gsub(/"/, ""); found = 1; split($0, w, /[ ,]/)
				bad = w[2] < 1 || w[2] > 20 || w[4] != 40 || $(NF - 6) != 0 }
			END { exit !found || bad }' tables/meta.csv
	else
		skip 2 "$mpi: no round trip of 20 us or less in 5 runs: the CPUs are shared"
	fi
	# A process that MPI starts has another MPI_COMM_WORLD: what both do there are two operations.
	"mpicc.$mpi" -g -O1 -o spawn "$ROOT/tests/mpi/spawn.c" || exit 1
	if ! timeout 60 "mpirun.$mpi" -n 1 "$PWD/spawn" >/dev/null 2>&1; then
		skip 1 "$mpi: MPI_Comm_spawn does not work here"
	else
		rm -rf run tables
		run timeout 60 traceviz record --mpi -o run -- "mpirun.$mpi" -n 1 "$PWD/spawn"
		traceviz convert -q run -o tables
		is "$rc $(traceviz overlap -q --by instance --calls blocking tables | cut -d, -f1-3 | tr '\n' ' ')$(grep -c 'MPI_COMM_WORLDs' tables/meta.csv)" \
			"0 By,Requests,Ranks world 0,1,1 world@2 0,1,1 1" "a process that MPI starts ($mpi)"
	fi
	# What MPI 4 added runs as ever, and the recording does not lack it silently: one warning for each function and process.
	"mpicc.$mpi" -g -O1 -w -o mpi4 "$ROOT/tests/mpi/mpi4.c" || exit 1
	start $mpi 2 ./mpi4
	case $mpi in
	openmpi) unrecorded=MPIX_Allreduce_init ;;
	mpich) unrecorded="MPI_Allreduce_init MPI_Bcast_c" ;;
	esac
	is "$rc $(sed -n 's/^Warning,"\([01]\): calls of \(.*\) are not recorded.*/\1 \2/p' tables/meta.csv | sort | tr '\n' ';')" \
		"0 $(for r in 0 1; do for f in $unrecorded; do printf '%s %s;' $r "$f"; done; done)" "functions of MPI 4: a warning ($mpi)"
	is "$(columns tables/calls.csv Call | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
		" 2 MPI_Finalize; 2 MPI_Init; 2 MPI_Request_free; 6 MPI_Start; 6 MPI_Wait;" "... the other calls are recorded ($mpi)"
	if [ -f "$bin/record/libtraceviz-openmp.so" ] && [ -x "$bin/examples/clang/fib" ]; then
		rm -rf run tables
		run timeout 60 "mpirun.$mpi" -n 2 traceviz record -o run -- ./modes tasks
		traceviz convert -q run -o tables
		is "$rc $(grep -c 'usleep\|tasks@modes' tables/tasks.csv)" "0 40" "OpenMP and MPI: the tasks of both ranks"
		is "$(awk -F, 'FNR == 1 { file++; for (i = 1; i <= NF; i++) at[file, $i] = i; next }
			file == 1 && $at[1, "End"] != "" { r = substr($1, 1, 1); if ($at[1, "End"] > last[r]) last[r] = $at[1, "End"] }
			file == 2 && $2 == "MPI_Allreduce" { r = substr($1, 1, 1); print ($4 >= last[r] && $4 - last[r] < 1000) }' \
			tables/tasks.csv tables/calls.csv | tr '\n' ' ')" "1 1 " "the call comes after them, on the same clock"
	else
		skip 2 "no OpenMP of clang, or no probe of it"
	fi
done

# What cannot be recorded is an error before anything runs.
mkdir -p fake/record
cp "$bin/traceviz" fake/ && cp "$bin/record/libtraceviz-record.so" "$bin"/record/libtraceviz-mpi.so fake/record/ 2>/dev/null
if has mpich; then
	run fake/traceviz record --mpi -o none -- ./modes none
	like "$rc $(cat stderr)" "1 *needs MPICH, and this traceviz was built without the probe for it (Debian: libmpich-dev)*" "no probe"
	run fake/traceviz record -o none -- ./modes none
	like "$rc $(cat stderr)" "5 *warning: calls of MPI are not recorded: *needs MPICH*" "without --mpi it is a warning"
	printf '#!/bin/sh\n./modes exit 4\n' >script
	run fake/traceviz record --mpi -o none2 -- ./script
	like "$rc $(cat stderr)" "4 *warning: *libmpich.so.12* cannot be recorded: this traceviz was built without*" "in a script, too"
else
	skip 3 "no mpich, or no probe of it"
fi
run traceviz record --mpi --counters task-clock -o none3 -- true
is "$rc" 2 "options of OpenMP alone need --openmp"
