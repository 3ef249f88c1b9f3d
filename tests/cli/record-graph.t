#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-graph.t: tasks and dependencies of recorded programs are those of their algorithms
# needs clang
. "$(dirname "$0")/lib.sh"
plan 55
bin=${TRACEVIZ_BIN:-$ROOT/build}
graph() { perl "$ROOT/tests/cli/record_graph.pl" "$@"; }
${CC:-cc} -I"$ROOT" -O1 -o dump_log "$ROOT/tests/record/dump_log.c" || exit 1

# record THREADS PROGRAM...: ./tasks.csv
record() {
	threads=$1; shift
	rm -rf run tasks.csv
	OMP_NUM_THREADS=$threads TRACEVIZ_OMP_EDGES=1 run traceviz record -o run -- "$@"
	[ "$rc" = 0 ] && traceviz convert -q run -o tasks.csv || diag "$*: $(cat stderr)"
}

[ -f "$bin/record/libtraceviz-openmp.so" ] || { skip 55 "no OpenMP probe was built"; exit 0; }
has_libdw || { skip 55 "built without libdw: tasks have no names"; exit 0; }
for compiler in clang gcc; do
	folder=$bin/examples/$compiler
	[ -x "$folder/fib" ] || { skip 27 "no OpenMP programs of $compiler (make examples)"; continue; }

	# Tiled algorithms: the dependencies of the oracle, nothing else; libomp's own follow from them.
	if [ -x "$folder/cholesky" ] && [ -x "$bin/oracle/tile-tasks" ]; then
		for kind in cholesky qr lu lu_pivot stencil; do
			failed=
			case $kind in stencil) more='-i 7' ;; *) more= ;; esac
			"$bin/oracle/tile-tasks" $kind 7 | perl -ane 'print join(" ", shift @F, shift @F, sort { $a <=> $b } @F), "\n"' >want
			for threads in 1 2 8; do
				record $threads "$folder/$kind" -t 7 -b 16 $more
				graph graph tasks.csv >got
				cmp -s got want || failed="$failed; $threads threads: $(diff got want | head -3)"
				graph order tasks.csv | head -3 >got
				[ ! -s got ] || failed="$failed; $threads threads: $(cat got)"
				for log in run/*.tvlog; do ./dump_log "$log"; done >events
				edges=$(graph edges tasks.csv events)
				case $threads:$edges in
				1:"no edges, 0 missing" | [28]:*" edges, 0 missing") ;;
				*) failed="$failed; $threads threads: the runtime's own: $edges" ;;
				esac
			done
			is "$failed" "" "$kind by $compiler, 1, 2, 8 threads: the algorithm's dependencies"
		done
		record 2 "$folder/cholesky" -t 24 -b 16
		"$bin/oracle/tile-tasks" cholesky 24 | perl -ane 'print join(" ", shift @F, shift @F, sort { $a <=> $b } @F), "\n"' >want
		graph graph tasks.csv >got
		ok "cholesky of 24 tiles by $compiler" cmp got want
		is "$(cut -d' ' -f2 got | sort | uniq -c | tr -s ' \n' ' ')" " 2024 gemm 24 potrf 276 syrk 276 trsm " "its tasks by type"
		record 2 "$folder/lu_pivot" -t 24 -b 4
		is "$(graph graph tasks.csv | cut -d' ' -f2 | sort | uniq -c | tr -s ' \n' ' ')" \
			"$("$bin/oracle/tile-tasks" lu_pivot 24 | cut -d' ' -f2 | sort | uniq -c | tr -s ' \n' ' ')" \
			"LU with pivoting of 24 tiles by $compiler: tasks by type"
		record 2 "$folder/cholesky" -t 6 -b 16 --init-tasks --rounds 2
		is "$(graph order tasks.csv | head -3)" "" "regions follow each other ($compiler)"
	else
		skip 9 "no tiled programs or no oracle"
	fi

	# Nested tasks: as many as the closed form; the longest path has two parts per level, and one more.
	for threads in 1 2 8; do
		record $threads "$folder/fib" -n 16 -k 5
		is "$(graph graph tasks.csv | wc -l) $(graph path tasks.csv) $(graph order tasks.csv | wc -l)" \
			"$("$folder/fib" -n 16 -k 5 --count) 23 0" "fib by $compiler, $threads threads: number of tasks and longest path"
		record $threads "$folder/sort" -n 100000 -k 1000
		is "$(graph graph tasks.csv | wc -l) $(graph path tasks.csv) $(graph order tasks.csv | wc -l)" \
			"$("$folder/sort" -n 100000 -k 1000 --count) 13 0" "sort by $compiler, $threads threads"
		record $threads "$folder/nqueens" -n 8 -d 3
		is "$(graph graph tasks.csv | wc -l) $(graph path tasks.csv) $(graph order tasks.csv | wc -l)" \
			"$("$folder/nqueens" -n 8 -d 3 --count) 5 0" "nqueens by $compiler, $threads threads"
	done
	record 2 "$folder/tasks" -n 20000
	is "$(graph graph tasks.csv | wc -l) $(graph path tasks.csv) $(graph order tasks.csv | wc -l)" "20000 1 0" \
		"independent tasks by $compiler"
	record 2 "$folder/fib" -n 16 -k 5
	traceviz summary --csv -q run | sed 1d | cut -d, -f3 >got
	is "$(awk '{ n += $1 } END { print n }' got)" "$("$folder/fib" -n 16 -k 5 --count)" "tasks are counted once ($compiler)"

	# Any optimization, position independent or not.
	failed=
	for flags in -O0 -O1 -O3 "-O2 -no-pie"; do
		# shellcheck disable=SC2086 # words
		$compiler $flags -g -fopenmp -o flags "$ROOT/examples/openmp/fib.c" "$ROOT/examples/openmp/common.c" -lm 2>stderr
		record 2 ./flags -n 12 -k 4
		got="$(graph graph tasks.csv | cut -d' ' -f2 | sort | uniq -c | tr -s ' \n' ' ')$(graph path tasks.csv) $(graph order tasks.csv | wc -l)"
		[ "$got" = " 176 fib 17 0" ] || failed="$failed; $flags: $got"
	done
	is "$failed" "" "options of the compiler ($compiler)"

	# A program without debug data has the same types in each run; a file gives them names.
	cp "$folder/fib" stripped && strip stripped
	for i in 1 2; do
		record 2 ./stripped -n 8 -k 4
		graph graph tasks.csv | cut -d' ' -f2 | sort | uniq -c >types$i
	done
	is "$(cmp types1 types2 2>&1) $(grep -c ' 12 stripped+0x' types1)" " 2" "types without debug data ($compiler)"
	awk '{ print $2 "=fib" NR }' types1 >names
	rm -rf run
	OMP_NUM_THREADS=2 run traceviz record --names names -o run -- ./stripped -n 8 -k 4
	is "$(traceviz summary --csv -q run | sed 1d | cut -d, -f1,3 | sort | tr '\n' ' ')" "fib1,12 fib2,12 " "types with names"

	# States: those of a thread do not overlap by halves, and it does not wait while it runs a task.
	OMP_NUM_THREADS=2
	export OMP_NUM_THREADS
	failed=
	for program in "fib -n 12 -k 4" "sort -n 10000 -k 500" constructs; do
		# libomp 14 lacks a function that gcc's constructs calls.
		[ "$compiler $program" != "gcc constructs" ] || continue
		rm -rf run tables
		# shellcheck disable=SC2086 # words
		run traceviz record -o run -- "$folder/"$program
		run traceviz convert -q run -o tables
		failed="$failed$(graph states tables/tasks.csv tables/states.csv 2>&1 | head -3)"
	done
	is "$failed" "" "states of threads ($compiler)"
	unset OMP_NUM_THREADS

	# Tasks of 200 us of CPU time, as they measure it themselves, take no less.
	$compiler -D_GNU_SOURCE -fopenmp -O1 -o bodies "$ROOT/tests/record/bodies.c" -ldl 2>stderr
	record 2 ./bodies burn 100 200
	is "$(traceviz summary --csv -q run | awk -F, -v cpu="$(cat stdout)" 'NR > 1 { t = $5 * 1e6 } END { print (t >= cpu) }')" 1 \
		"durations against the CPU time that the tasks measured ($compiler)"

	rm -rf run
	OMP_NUM_THREADS=2 run traceviz record --counters task-clock -o run -- ./bodies burn 100 200
	cp stdout measured
	run traceviz convert -q run -o tasks.csv
	is "$(perl -e '
		open my $in, "<", "tasks.csv"; my @names = split /,/, <$in> =~ s/\n//r; my ($at) = grep { $names[$_] eq "task-clock" } 0 .. $#names;
		my $sum = 0; while (<$in>) { chomp; $sum += (split /,/, $_, -1)[$at] || 0 }
		print $sum >= $ARGV[0] && $sum < 1.3 * $ARGV[0] ? "equal" : "$sum, measured $ARGV[0]"' "$(cat measured)")" equal \
		"the counter task-clock against it"

	# Killed: what had begun is there, some of it without an end.
	rm -rf run
	OMP_NUM_THREADS=2 run traceviz record -o run -- timeout -s KILL 0.5 "$folder/fib" -n 40 -k 10 -w 20
	run traceviz convert run -o tasks.csv
	pending=$(grep -c ',pending,' tasks.csv) open=$(grep -cE ',open(,|$)' tasks.csv)
	is "$rc $((pending > 0)) $((open > 0)) $(graph order tasks.csv | wc -l)" "0 1 1 0" "a killed program ($compiler)"
done

# Constructs whose tasks one thread creates: indices from the first task of the function, ^ for what is before it.
if [ -x "$bin/examples/clang/constructs" ]; then
	cat >want <<'EOF'
depend ^; 0; 0; 1 2; 3
depend_iterator ^; ^; ^; ^; 0 1 2 3
depend_section ^; ^; 0 1
depobj ^; 0
detached ^; ^; 0
final ^; 0; 0
mutexinoutset ^; 0; 0; 0; 0; 1 2 3 4
orphan ^; 0
taskwait_depend ^; ^
taskwait_worker ^
undeferred_depend ^; 0 ^
EOF
	failed=
	for threads in 1 2 8; do
		record $threads "$bin/examples/clang/constructs"
		[ "$rc" = 0 ] || failed="$failed; $threads threads: status $rc"
		graph graph tasks.csv | perl -ane '
			my ($i, $type, @before) = @F;
			$first{$type} //= $i;
			my %seen;
			push @{ $list{$type} }, join " ", grep { !$seen{$_}++ } map { /^\d+$/ && $_ >= $first{$type} ? $_ - $first{$type} : "^" } @before;
			END { print "$_ ", join("; ", @{ $list{$_} }), "\n" for sort keys %list }' >all
		cut -d' ' -f1 want | while read -r type; do grep "^$type " all; done >got
		cmp -s want got || failed="$failed; $threads threads: $(diff want got | head -4)"
		failed="$failed$(graph order tasks.csv | head -2)"
	done
	is "$failed" "" "dependencies of all kinds of constructs"
else
	skip 1 "no program of constructs"
fi
