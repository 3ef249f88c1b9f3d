#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# examples.t: results, numbers of tasks and accesses of the programs in examples/openmp, by both compilers
. "$(dirname "$0")/lib.sh"
plan 30
bin=${TRACEVIZ_BIN:-$ROOT/build}

# try ARGS...: runs ./program with 1, 2 and 8 threads; adds to $failed where the result or the number of tasks is wrong.
try() {
	want=$("$program" "$@" --count)
	for threads in 1 2 8; do
		run env OMP_NUM_THREADS=$threads "$program" "$@"
		got=$(sed -n "s/.* threads=$threads .*tasks=\([0-9]*\) .*/\1/p" stdout)
		[ "$rc" = 0 ] && [ "$got" = "$want" ] && [ ! -s stderr ] && [ "$(wc -l <stdout)" -eq 1 ] ||
			failed="$failed; $program $*, $threads threads: status $rc, tasks $got instead of $want: $(cat stderr)"
	done
}

for compiler in gcc clang; do
	folder=$bin/examples/$compiler
	[ -x "$folder/fib" ] || { skip 15 "no OpenMP programs of $compiler (make examples)"; continue; }

	failed='' program=$folder/fib
	try -n 0 --check
	try -n 1 -k 2 --check
	try -n 12 -k 2 --check
	try -n 20 -k 13 --check
	try -n 8 -k 4 -w 100 --check
	is "$failed" "" "fib ($compiler)"
	is "$("$program" --count -n 10 -k 2) $("$program" --count -n 3 -k 2)" "176 4" "its number of tasks is two per call from 2 on"

	failed='' program=$folder/sort
	for size in '0 1' '1 1' '2 1' '3 1' '100 1' '1000 7' '1000 8' '1023 64' '1024 64' '1025 64' '1087 64' '100000 1000'; do
		try -n "${size% *}" -k "${size#* }" --check
	done
	is "$failed" "" "sort ($compiler)"

	failed='' program=$folder/nqueens
	for size in '3 1' '3 3' '4 3' '6 2' '8 1' '8 2' '8 3' '9 3'; do
		try -n "${size% *}" -d "${size#* }" --check
	done
	is "$failed" "" "nqueens ($compiler)"

	failed='' program=$folder/stencil
	try -b 1 -t 1 -i 1 --check
	try -b 7 -t 2 -i 3 --check
	try -b 16 -t 5 -i 10 --check
	is "$failed" "" "stencil ($compiler)"

	failed='' program=$folder/tasks
	try -n 1
	try -n 10000
	run env OMP_NUM_THREADS=4 "$program" -n 1003 -m 4
	is "$failed$rc$(cut -d' ' -f1-5 stdout)" "0tasks n=1003 creators=4 threads=4 tasks=1003" "tasks ($compiler)"
	run env OMP_NUM_THREADS=2 "$program" -m 3
	is "$rc $(cat stderr)" "2 tasks: 3 creators, but OpenMP has only 2 threads" "more creators than threads"
	run env OMP_NUM_THREADS=2 OMP_SCHEDULE=dynamic "$folder/loop" -n 5 -w 0 -s 2
	is "$rc $(sed 's/=[0-9.]*$//' stdout)" "0 loop n=5 sweeps=2 threads=2 seconds" "loop ($compiler)"

	failed=
	for program in fib sort nqueens stencil tasks cholesky qr lu lu_pivot; do
		[ -x "$folder/$program" ] || continue
		run "$folder/$program" --help
		[ "$rc" = 0 ] && grep -q "^usage: $program " stdout && [ ! -s stderr ] || failed="$failed; $program --help"
		for wrong in --nonsense here --count=1 -w -n0x '--check --rows=0 --tasks=0 --number=-1'; do
			# shellcheck disable=SC2086
			run "$folder/$program" $wrong
			[ "$rc" = 2 ] && [ -s stderr ] && [ ! -s stdout ] || failed="$failed; $program $wrong: $rc"
		done
	done
	"$folder/fib" -n 5 >/dev/full 2>stderr
	is "$failed $? $(cat stderr)" " 1 fib: the output cannot be written" "help, wrong arguments, full disk ($compiler)"

	[ -x "$folder/cholesky" ] || { skip 6 "no tiled programs of $compiler (make examples)"; continue; }
	for kind in cholesky qr lu lu_pivot; do
		failed='' program=$folder/$kind
		try -n 1 -b 1 --check
		try -n 100 -t 2 --check
		try -b 33 -t 5 --check --rounds 2
		try -n 192 -b 24 --init-tasks --rounds 2 --check
		is "$failed" "" "$kind ($compiler)"
	done
	is "$("$folder/cholesky" --count -t 24) $("$folder/qr" --count -t 24) $("$folder/lu" --count -t 24) $("$folder/cholesky" --count -it 24 -r 2)" \
		"2600 4900 4900 6352" "their numbers of tasks"

	# A tool that lists tasks and accesses, against the oracle: names of tiles by the first task that writes them, accesses sorted.
	if ! clang -shared -fPIC -o list.so "$ROOT/tests/oracle/ompt-list.c" 2>clang.log || [ ! -x "$bin/oracle/tile-tasks" ]; then
		skip 1 "no clang with OpenMP's tools, or no oracle"
		continue
	fi
	runtime=
	[ $compiler = clang ] || runtime=$(clang -print-file-name=libomp.so.5)
	canonical() {
		awk '$1 == "tasks" { if (FNR < NR) print $1, $2; next }
		{
			n = 0
			for (i = 3; i <= NF; i++) {
				split($i, a, ":")
				mode = a[1] == "R" ? "R" : "RW"
				if (mode == "RW" && !(a[2] in id)) id[a[2]] = ++tiles
				if (FNR == NR) continue
				key[++n] = sprintf("%06d:%s", id[a[2]], mode)
				for (k = n; k > 1 && key[k] < key[k - 1]; k--) { t = key[k]; key[k] = key[k - 1]; key[k - 1] = t }
			}
			if (FNR == NR) next
			line = $1
			for (k = 1; k <= n; k++) if (k == 1 || key[k] != key[k - 1]) line = line " " key[k]
			print line
		}' "$1" "$1"
	}
	failed=
	for kind in cholesky qr lu stencil; do
		case $kind in stencil) more='--iterations 7' init= ;; *) more=--init-tasks init=--init ;; esac
		for threads in 1 2; do
			run env OMP_NUM_THREADS="$threads" OMP_TOOL_LIBRARIES="$PWD/list.so" OMPT_LIST=list LD_PRELOAD="$runtime" \
				"$folder/$kind" -t 7 -b 8 $more
			"$bin/oracle/tile-tasks" $init --accesses $kind 7 >tasks
			echo "tasks $(wc -l <tasks)" >>tasks
			canonical tasks >want
			canonical list >got
			cmp -s got want || failed="$failed; $kind, $threads threads: $(diff got want | head -3)"
			mixed=$(awk '$1 == "tasks" { next } FNR == NR { type[$1] = $2; next }
				$2 in of && of[$2] != type[$1] { print $2, of[$2], type[$1] } { of[$2] = type[$1] }' tasks list)
			[ -z "$mixed" ] || failed="$failed; $kind: two types of one construct: $mixed"
		done
	done
	is "$failed" "" "accesses of all tasks are those of the algorithms ($compiler)"
done
