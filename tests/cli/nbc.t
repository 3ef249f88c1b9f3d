#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# nbc.t: the benchmark examples/mpi with each MPI: what operations receive, its table, its options
. "$(dirname "$0")/lib.sh"
plan 35
bin=${TRACEVIZ_BIN:-$ROOT/build}
chmod 711 "$SANDBOX"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1

launch= # a command with its options, before the benchmark
# ranks N ARGS...: runs the benchmark with N ranks, also on fewer cores
# shellcheck disable=SC2086
ranks() {
	n=$1; shift
	case $mpi in
	openmpi) run timeout 300 mpirun.openmpi --oversubscribe --bind-to none -n "$n" $launch "$program" "$@" ;;
	mpich) run timeout 300 mpirun.mpich -n "$n" $launch "$program" "$@" ;;
	esac
}
all=Ibcast,Ireduce,Iallreduce,Iallgather,Ialltoall,Isend
quick='--comp 0.5 --comm 0.3 --runs 3 --steps 2' short='--comp 0.5 --comm 0.3 --runs 1 --steps 2'
header=Library,Configuration,Call,Ranks,Nodes,Threads,ComputeTarget,CommTarget,Order,Bytes,Rank,Run,ComputeReference,CommReference,CallTime,ComputeTime,WaitTime,MeasuredTime,OverheadRatio,CommRatio,ComputeSlowdown,StartSkew

# What must hold in a table of --rows runs, whatever the times.
check_table() { awk -F, -v runs="$1" '
	# rounding: the relative error of what b was computed from, which is rounded to 1e-6.
	function near(a, b, what, rounding,   limit) {
		limit = (2e-5 + rounding) * (b < 0 ? 1 - b : 1 + b)
		if (a - b > limit || b - a > limit) print "line " NR ": " what " is " a " instead of " b
	}
	function larger(a, b) { return a > b ? a : b }
	function median(c, cell,   i, j, n, v, t) {
		for (n = 0; n < runs; n++) v[n] = value[cell, n, c]
		for (i = 1; i < n; i++) for (j = i; j > 0 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
		return (v[int((n - 1) / 2)] + v[int(n / 2)]) / 2
	}
	NR == 1 { next }
	NF != 22 { print "line " NR ": " NF " fields" }
	{
		cell = $3 " " $7 " " $8 " " $11
		for (c = 15; c <= 18; c++) value[cell, $12 == "" ? "all" : $12, c] = $c
		small = $13 < $14 ? $13 : $14
		if (small > 0.01) near($19, ($18 - larger($13, $14)) / small, "OverheadRatio", 3e-6 / small)
		near($21, $16 / $13, "ComputeSlowdown", 2e-6 / $13)
		if ($11 != "" && $12 != "") {
			near($18, $15 + $16 + $17, "MeasuredTime of a rank")
			near($20, ($15 + $17) / $14, "CommRatio of a rank", 2e-6 / $14)
			whole = $3 " " $7 " " $8 " " $12
			for (c = 15; c <= 18; c++) most[whole, c] = larger(most[whole, c], $c)
		}
		if ($11 == "" && $12 != "") {
			for (c = 15; c <= 17; c++) near($c, most[$3 " " $7 " " $8 " " $12, c], "the longest time " c)
			if ($18 < most[$3 " " $7 " " $8 " " $12, 18] - 1e-5) print "line " NR ": a rank took longer"
		}
		if ($12 == "" ) order[++cells] = cell
	}
	END { for (k = 1; k <= cells; k++) for (c = 15; c <= 18; c++) near(value[order[k], "all", c], median(c, order[k]), "median " c " of " order[k]) }' stdout; }

# Rows of ranks and runs, and the times whose differences have a median of up to 1 % of the measured time.
differences() { # OVERLAP BENCHMARK
	awk -F, 'FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
		file == 1 && $at["Call"] == "MPI_Ibcast" { k = $at["Rank"]; n[k]++; for (c in want) traced[k, n[k], c] = $at[want[c]] }
		file == 2 && $at["Rank"] != "" && $at["Run"] != "" {
			k = $at["Rank"]; m = n[k] - 5 + 1 + $at["Run"]; rows++
			for (c in want) { d = traced[k, m, c] - $at[want[c]]; off[c, rows] = (d < 0 ? -d : d) / $at["MeasuredTime"] }
		}
		BEGIN { split("CallTime ComputeTime WaitTime MeasuredTime", want, " ") }
		END { printf "%d", rows
			for (c = 1; c <= 4; c++) { near = 0; for (i = 1; i <= rows; i++) near += off[c, i] <= 0.01; if (2 * near > rows) printf " %s", want[c] } }' "$1" "$2"
}

# An MPI that delivers something else.
cat >corrupt.c <<'C'
#include <mpi.h>
int MPI_Iallgather(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype to_type, MPI_Comm comm,
		   MPI_Request *request)
{
	return PMPI_Iallgather(from, n - 1, type, to, m - 1, to_type, comm, request);
}
C

tried=
for mpi in openmpi mpich; do
	program=$bin/examples/mpi/nbc-$mpi
	if [ ! -x "$program" ] || ! command -v mpirun.$mpi >/dev/null; then
		skip 16 "no benchmark for $mpi (make examples)"
		continue
	fi
	# shellcheck disable=SC2086
	ranks 2 --calls $all --check --rows runs --comp 0.5 --comm 1 --runs 2 --steps 2
	is "$rc $(head -1 stdout) $(cut -d, -f3 stdout | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
		"0 $header  1 Call; 9 MPI_Iallgather; 9 MPI_Iallreduce; 9 MPI_Ialltoall; 9 MPI_Ibcast; 9 MPI_Ireduce; 9 MPI_Isend;" \
		"2 ranks: what arrives is what was sent; rows ($mpi)"
	is "$(check_table 2)" "" "longest times, sums, ratios and medians ($mpi)"
	is "$(cut -d, -f2,4-7 stdout | sort -u | tr '\n' ' ')" \
		"Configuration,Ranks,Nodes,Threads,ComputeTarget basic,2,1,1,0.5 " "the columns that are known before ($mpi)"
	like "$(cut -d, -f1 stdout | sort -u | tr '\n' ' ')" "Library [MO]* [v0-9]*.[0-9]*.[0-9]* " "the library and its version ($mpi)"

	# Ranks and their threads wait actively: more than processors take turns of the scheduler. One size, one run.
	# shellcheck disable=SC2086
	ranks 2 --calls Ialltoall --check $short --progress 1000 --label thread
	is "$rc $(cut -d, -f2,4 stdout | sort | uniq -c | tr -s ' ' | tr '\n' ';')" "0  1 Configuration,Ranks; 1 thread,2;" \
		"a thread that makes progress ($mpi)"
	# shellcheck disable=SC2086
	ranks 3 --calls Ibcast,Isend --check $short
	is "$rc $(cut -d, -f3,4 stdout | tr '\n' ';')" "0 Call,Ranks;MPI_Ibcast,3;MPI_Isend,3;" "3 ranks, one without a partner ($mpi)"

	# shellcheck disable=SC2086
	# What a rank prints after MPI_Finalize is sometimes lost by MPICH's mpirun on a busy machine.
	for try in 1 2 3 4 5; do
		ranks 2 --calls none $quick --rows ranks
		rows="$rc $(awk -F, 'NR > 1 && $13 > 0 && $16 > 0 && NF == 22 { print $3, $8 $10 $14 $15 $18, $11 }' stdout | sort | tr '\n' ';')"
		[ "$rows" = "0 none  0;none  1;" ] && break
		echo "# try $try: $rows"
	done
	is "$rows" "0 none  0;none  1;" "computation after MPI_Finalize ($mpi)"

	ranks 2 --calls Ibcast --comp 0.5:1 --comm 0.5:1 --diagonal --runs 1 --steps 2
	is "$rc $(cut -d, -f7,8 stdout | tr '\n' ' ')" "0 ComputeTarget,CommTarget 0.5,0.5 1,1 " "equal times only ($mpi)"

	# The format of OSU's benchmarks, read back: the overlap that it prints, to its 0.01, and the ratio of the same times.
	ranks 2 --calls Ibcast,Isend --comp 0.5:1 --comm 0.5 --runs 1 --steps 2 --output osu
	traceviz overlap stdout >osu.csv
	is "$rc $(cut -d, -f3,7 osu.csv | tr '\n' ' ')$(awk '!/^#/ { printf "%d %.6f %.6f %.6f\n", $1, $2 / 1e3, $3 / 1e3, $4 / 1e3 }' stdout)" \
		"0 Call,Ranks MPI_Ibcast,2 MPI_Ibcast,2 MPI_Isend,2 MPI_Isend,2 $(awk -F, 'NR > 1 { print $8, $15, $19, $18 }' osu.csv)" \
		"output as OSU's is read back ($mpi)"
	traceviz convert -q stdout -o benchmarks
	is "$(traceviz overlap benchmarks | cmp - osu.csv; awk -F, "$by_name"'
		FNR == NR { overlap[FNR] = $c["Overlap"]; next }
		FNR > 1 { d = overlap[FNR] - $24; n++; bad += d * d > 0.0051 ^ 2 } END { print n, bad + 0 }' benchmarks/benchmarks.csv osu.csv)" "4 0" \
		"... with the overlap that it prints ($mpi)"

	# Its own times against those of a trace of the same run: the last call of the same length on each rank. What lies between
	# both clocks is some us; one run that is interrupted there is no failure, so the median of the differences counts, on a busy machine that of another try.
	if [ -f "$bin/record/libtraceviz-mpi-$mpi.so" ]; then
		for try in 1 2 3 4 5; do
			rm -rf run
			launch="traceviz record --mpi -o run --"
			ranks 2 --calls Ibcast --comp 4 --comm 2 --runs 5 --steps 3 --rows runs
			launch=
			traceviz overlap -q run >overlap.csv
			found="$rc $(differences overlap.csv stdout)"
			[ "$found" = "0 10 CallTime ComputeTime WaitTime MeasuredTime" ] && break
			diag "try $try: $found"
		done
		is "$found" "0 10 CallTime ComputeTime WaitTime MeasuredTime" \
			"recorded times are those of the benchmark, within 1 % of its time ($mpi)"
	else
		skip 1 "no probe for $mpi"
	fi

	mpicc.$mpi -shared -fPIC -o corrupt-$mpi.so corrupt.c
	case $mpi in
	openmpi) preload="mpirun.openmpi --oversubscribe --bind-to none -x LD_PRELOAD=$PWD/corrupt-$mpi.so" ;;
	mpich) preload="mpirun.mpich -genv LD_PRELOAD $PWD/corrupt-$mpi.so" ;;
	esac
	# What a rank prints before MPI_Abort is sometimes lost by MPICH's mpirun.
	for try in 1 2 3 4 5 6 7 8; do
		# shellcheck disable=SC2086
		run timeout 300 $preload -n 2 "$program" --calls Iallgather --check $short
		{ [ "$rc" = 0 ] || grep -q 'has received' stderr; } && break
		echo "# try $try: $rc, without the message"
	done
	like "$rc $(cat stderr)" "[1-9]*nbc: MPI_Iallgather: rank [01] has received * instead of * as element *" "wrong data are found ($mpi)"

	# Each start of MPI takes its time, and the program is the same: all of these with the first MPI, one with the other.
	failed=
	set -- --nonsense
	[ -n "$tried" ] || set -- --nonsense here --calls=Ifoo --calls=Ibcast,Isen --comp=0 --comp=x --comp=4:1 --comp=,1 --comm=1:2: --comm=20000 \
		--runs=0 --runs=3x --rows=all --dedicated=0 --progress=-1 --memory=0 --label=a,b --comp --check=1 --steps=0 --output=x
	tried=1
	for wrong in "$@"; do
		run "$program" "$wrong"
		[ "$rc" = 2 ] && [ ! -s stdout ] && grep -q "^nbc: '.*' is not understood; --help lists the options$" stderr ||
			failed="$failed; $wrong: $rc $(cat stderr)"
	done
	ranks 2 --runs nothing
	[ "$rc" = 2 ] && [ "$(grep -c "'nothing' is not understood" stderr)" = 1 ] || failed="$failed; 2 ranks: $rc $(cat stderr)"
	is "$failed" "" "wrong arguments: one message, status 2 ($mpi)"
	run "$program" --help
	is "$rc $(head -1 stdout) $(cat stderr)" "0 usage: mpirun -n RANKS nbc [OPTIONS] " "help ($mpi)"

	# shellcheck disable=SC2086
	"$program" $quick >/dev/full 2>stderr
	is "$? $(grep -v 'within 10 %' stderr)" "1 nbc: the output cannot be written" "full disk ($mpi)"

	if [ "$(id -u)" != 0 ]; then
		skip 1 "this is an ordinary user"
	elif ! command -v setpriv >/dev/null || ! cp "$program" "nbc-$mpi" ||
		! setpriv --reuid=65534 --clear-groups "$PWD/nbc-$mpi" --help >/dev/null 2>&1; then
		skip 1 "no ordinary user here"
	else
		user=$program program=$PWD/nbc-$mpi
		mkdir -p home && chmod 777 home
		# shellcheck disable=SC2086
		case $mpi in
		openmpi) run env HOME=$PWD/home setpriv --reuid=65534 --regid=65534 --clear-groups timeout 300 mpirun.openmpi --oversubscribe \
			--bind-to none -n 2 "$program" --check $short ;;
		mpich) run env HOME=$PWD/home setpriv --reuid=65534 --regid=65534 --clear-groups timeout 300 mpirun.mpich -n 2 "$program" --check $short ;;
		esac
		is "$rc $(grep -c '^[MO].*,MPI_Ibcast,2,' stdout)" "0 1" "an ordinary user ($mpi)"
		program=$user
	fi
done

# Both axes, operations, MPIs, configurations, numbers of ranks, in one table.
built=
for mpi in openmpi mpich; do
	if [ -x "$bin/examples/mpi/nbc-$mpi" ] && command -v mpirun.$mpi >/dev/null; then built="$built $mpi"; fi
done
if [ -z "$built" ]; then
	skip 3 "no benchmark (make examples)"
	exit
fi
run sh "$ROOT/examples/mpi/sweep.sh" -b "$bin" -c basic,thread -n 2 -o sweep.csv -- --calls Ibcast,Isend --comp 0.5:1 --comm 0.5 --runs 1 --steps 1
for mpi in $built; do for c in basic thread; do for call in Ibcast Isend; do for comp in 0.5 1; do
	echo "$c,MPI_$call,2,$comp,0.5"
done; done; done; done | sort >expected
is "$rc $(head -1 sweep.csv) $(sed 1d sweep.csv | cut -d, -f2-4,7,8 | sort | cmp - expected)" "0 $header " "a sweep: a row for each of everything"
run sh "$ROOT/examples/mpi/sweep.sh" -b "$bin" -c dedicated -m "${built##* }" -n 2,3 -o one.csv -- --comp 0.5 --comm 0.5 --runs 1 --steps 1
rows=$(cut -d, -f2-4,6 one.csv | tail -n +2 | tr '\n' ' ')
[ "$(nproc)" -gt 1 ] || rows="dedicated,MPI_Ibcast,2,1 dedicated,MPI_Ibcast,3,1 " # which needs two cores
is "$rows" "dedicated,MPI_Ibcast,2,1 dedicated,MPI_Ibcast,3,1 " "... with a dedicated core, 2 and 3 ranks"
run sh "$ROOT/examples/mpi/sweep.sh" -b "$bin" -c nonsense -o no.csv
is "$rc $(ls no.csv* 2>/dev/null)$(sed -n 's/ \[.*//p' stderr)" "2   sh examples/mpi/sweep.sh" "... a configuration that is none"
