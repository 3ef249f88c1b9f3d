#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-openmp.t: the raw logs of OpenMP programs contain what the runtime delivers.
# needs clang gcc
. "$(dirname "$0")/lib.sh"
plan 79

build() { ${CC:-cc} -D_GNU_SOURCE -I"$ROOT" -O1 -g -o "$@"; }
bin=${TRACEVIZ_BIN:-$ROOT/build}
for header in /usr/lib/llvm-*/lib/clang/*/include/omp-tools.h; do :; done
[ -f "$bin/record/libtraceviz-openmp.so" ] || { skip 79 "no OpenMP probe was built"; exit 0; }
[ -x "$bin/examples/clang/fib" ] || { skip 79 "clang has no OpenMP"; exit 0; }
build dump_log "$ROOT/tests/record/dump_log.c" || exit 1
build count_tool.so -shared -fPIC -idirafter "$(dirname "$header")" "$ROOT/tests/record/count_tool.c" || exit 1

# record THREADS PROGRAM...: the events of its log, ./events
record() {
	threads=$1; shift
	rm -rf run
	OMP_NUM_THREADS=$threads run traceviz record -o run -- "$@"
	for log in run/*.tvlog; do ./dump_log "$log"; done >events
}
number() { awk -v kind="$1" '$3 == kind { n++ } END { print n + 0 }' events; }

# What depends on chance (who runs a task, and when) may differ between two runs; what is counted here does not.
# same THREADS PROGRAM...: the log counts what the tool counts
same() {
	threads=$1; shift
	rm -f counts
	OMP_NUM_THREADS=$threads OMP_TOOL_LIBRARIES=$PWD/count_tool.so COUNT_FILE=counts "$@" >/dev/null
	record "$threads" "$@"
	awk -f "$ROOT/tests/record/count_events.awk" events >recorded
	diff counts recorded
}

tasks_of() { "$@" --count; }
events() { awk -f "$ROOT/tests/record/check_events.awk" events; }

for threads in 1 2 8; do
	for program in "fib -n 18 -k 8" "nqueens -n 8" "sort -n 50000 -k 3000"; do
		# shellcheck disable=SC2086 # a program and its arguments
		ok "$program, $threads threads: the counts of a tool that only counts" same $threads "$bin/examples/clang/"$program
		# shellcheck disable=SC2086
		like "$(events)" "$(tasks_of "$bin/examples/clang/"$program) tasks, *" "each created, begun and ended once"
	done
	record $threads "$bin/examples/clang/tasks" -n 20000
	like "$(events)" "20000 tasks, 20000 segments" "20000 tasks, $threads threads"
done

# Programs compiled by gcc run on libomp instead, with the same tasks.
record 2 "$bin/examples/gcc/fib" -n 18 -k 8
like "$(events)" "$("$bin/examples/gcc/fib" -n 18 -k 8 --count) tasks, *" "a program compiled by gcc"
like "$(cat stderr)" "*fib' needs libgomp, which cannot be recorded; it runs on */libomp.so.5 instead*" "which is reported"
record 2 env A=b "$bin/examples/gcc/fib" -n 18 -k 8
like "$(events)" "$("$bin/examples/gcc/fib" -n 18 -k 8 --count) tasks, *" "and one that another program starts"

# Their libgomp binds nothing: each thread has the processor that libomp gives it, and the process all that it had.
if [ "$(nproc)" -gt 1 ]; then
	for setting in OMP_PROC_BIND=true OMP_PLACES=threads GOMP_CPU_AFFINITY=0-1; do
		record 2 env "$setting" "$bin/examples/gcc/fib" -n 18 -k 8
		traceviz convert -q run -o bound
		is "$(columns bound/resources.csv Cpuset | sort -u | grep -c .) $(sed -n 's/^Binding,//p' bound/meta.csv)" \
			"2 $(sed -n 's/Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)" "$setting"
		rm -r bound
	done
else
	skip 3 "one processor"
fi

# bodies COMPILER OPTION...: the program ./bodies
bodies() {
	compiler=$1; shift
	"$compiler" -fopenmp -o bodies "$ROOT/tests/record/bodies.c" "$@" -ldl -lpthread
}
# The events of all threads in the order of time: each thread has its own in the log.
by_time() { sort -s -n -k 2,2 events; }
# The code address of the only construct with tasks, as an offset in the program.
offset() {
	by_time | awk '$3 == "MODULE" && /bodies"$/ { bias = $9 } $3 == "CREATE" && !n++ { print bias, $10 }' |
		{ read -r bias address; printf '%x\n' $((0x$address - 0x$bias)); }
}
for options in "-O0 -g" -O1 "-O2 -g" -O3 "-O2 -no-pie" "-O2 -s"; do
	# shellcheck disable=SC2086
	bodies clang $options
	record 2 ./bodies burn 20 0
	is "$(events)" "20 tasks, 20 segments" "clang $options"
	first=$(offset)
	record 2 ./bodies burn 20 0
	is "$(offset)" "$first" "the construct is at the same place of the program in each run"
done

# A type is the construct of the task, whatever the compiler makes of it: a jump instead of a call, a call in the line of the region.
line() { grep -n "$1" "$ROOT/tests/record/calls.c" | sed -n "${2}s/:.*//p"; }
task='pragma omp task'
types="recursive@calls.c:$(line "$task" 1),88 recursive@calls.c:$(line "$task" 2),88 main@calls.c:$(line "$task" 3),2"
types="$types main@calls.c:$(line "$task" 4),1 main@calls.c:$(line "$task" 5),1 main@calls.c:$(line "$task" 6),1"
printf '%s\n' $types | sort >types
for compiler in clang gcc; do for options in -O0 -O1 -O3; do
	has_libdw || { skip 1 "built without libdw"; continue; }
	$compiler -fopenmp -g $options -o calls "$ROOT/tests/record/calls.c"
	record 2 ./calls
	traceviz summary -q run | sed 1d | cut -d, -f1,3 | sort >got
	ok "types of tasks, $compiler $options" diff types got
done; done

cat >types <<'END'
go<double>@classes.cc:12,1
go<int>@classes.cc:12,1
inner@classes.cc:37,1
run@classes.cc:20,1
run@classes.cc:27,2
END
for compiler in clang++ g++; do
	if ! command -v $compiler >/dev/null; then skip 1 "no $compiler"; continue; fi
	has_libdw || { skip 1 "built without libdw"; continue; }
	$compiler -fopenmp -g -O2 -o classes "$ROOT/tests/record/classes.cc"
	record 2 ./classes
	traceviz summary -q run | sed 1d | cut -d, -f1,3 | sed 's/^operator()/run/' | sort >got
	ok "types of tasks of C++, $compiler: methods, templates, lambdas" diff types got
done

# Time: of the tasks, by the log, against the CPU time that they measured themselves. Within 1 % and 5 us per task; wall time
# may be longer (other programs run), never shorter.
bodies clang -O2
rm -rf run
OMP_NUM_THREADS=2 run traceviz record --counters task-clock -o run -- ./bodies burn 200 500
./dump_log run/*.tvlog >events
measured=$(cat stdout)
awk -f "$ROOT/tests/record/task_time.awk" events >time
read -r wall cpu <time
diag "CPU time of the bodies $measured, by --counters task-clock $cpu, wall time by the log $wall"
ok "no task is shorter than its CPU time" [ "$wall" -ge "$measured" ]
ok "task-clock is at least the CPU time of the bodies" [ "$cpu" -ge "$measured" ]
ok "and at most 1 % and 5 us per task more" [ "$cpu" -le $((measured + measured / 100 + 200 * 5000)) ]

# Libraries that come and go, at the same address.
clang -fopenmp -shared -fPIC -o a.so "$ROOT/tests/record/plugin.c" && cp a.so b.so
record 2 ./bodies plugin 10 ./a.so ./b.so ./a.so
is "$(by_time | awk '$3 == "MODULE" && /\/[ab].so"$/ { sub(".*/", ""); sub("\"", ""); m = $0 } $3 == "CREATE" { n[m]++ }
	END { print n["a.so"], n["b.so"] }')" "20 10" "tasks of libraries that are loaded and unloaded"

run traceviz record -o killed -- ./bodies kill 1000
./dump_log killed/*.tvlog >events
is "$(awk '$3 == "SCHEDULE" && $4 == 1' events | wc -l)" 1000 "a program that is killed: all tasks until then"
like "$(head -1 events)" "* finished 0 *" "the log is marked as unfinished"
run traceviz record -o forked -- ./bodies fork 30
for log in forked/*.tvlog; do ./dump_log "$log" | awk '$3 == "CREATE"' | wc -l; done | sort -n >counts
is "$(paste -sd ' ' counts)" "30 31" "a program that forks: a log of each process, with its tasks"
record 2 ./bodies threads 40
is "$(events)" "80 tasks, 80 segments" "regions of two threads of POSIX"

record 2 "$bin/examples/clang/constructs" taskloop
is "$(by_time | awk '$3 == "MODULE" && /constructs"$/ { low = $7; high = $8 }
	$3 == "CREATE" && ($10 < low || $10 >= high || length($10) != length(low))' | wc -l)" 0 \
	"the tasks of a taskloop are at a place of the program, not of the runtime"

record 2 ./bodies loop 2000
is "$(traceviz summary -q run | sed 1d | cut -d, -f3)" 2000 "a large taskloop: its tasks"
like "$(traceviz summary -q --kind runtime run | sed 1d | cut -d, -f1-3)" "Taskloop,CPU,*" "the runtime's, which divide it, are none of them"

run traceviz record --region 2..3 -o part -- "$bin/examples/clang/constructs"
./dump_log part/*.tvlog >events
is "$(number PARALLEL_BEGIN)" 2 "--region 2..3: two regions"
is "$(number GAP)" 2 "between a beginning and a pause of the recording"
run traceviz record --pages -o pages -- "$bin/examples/clang/stencil" -t 4 -b 16 -i 2
./dump_log pages/*.tvlog >events
addresses=$(awk '$3 == "DEPENDENCES" { for (i = 8; i < NF; i += 2) n += !seen[$i]++ } END { print n }' events)
pages=$(awk '$3 == "PAGE_AT" { n += !seen[$7]++; all++ } END { print n + 0, all + 0 }' events)
case $pages in "0 0") skip 1 "the kernel does not know the nodes of pages" ;; *)
	is "$pages" "$addresses $addresses" "--pages: the node of each address of a depend clause, once" ;; esac
run traceviz record --region 3..2 -o x -- ./bodies burn 1 0
is "$rc" 2 "wrong regions"
run traceviz record --counters task-clock,cycles,page-faults -o counted -- ./bodies burn 4 100
./dump_log counted/*.tvlog >events
found=$(awk '$3 == "COUNTER" && $1 == 0' events | wc -l)
reported=$(grep -c 'not counted, .*: cycles$' stderr)
is "$((found + reported))" 4 "each counter is counted or reported as missing, and voluntary-switches beside task-clock"
ok "with values at each begin and end of a task" [ "$(number VALUES)" -eq "$(($(number SCHEDULE) + $(number IMPLICIT_BEGIN) + $(number IMPLICIT_END)))" ]
printf '#!/bin/sh\nexit 0\n' >script && chmod +x script
run traceviz record -o script.log -- ./script
like "$(cat stderr)" "*nothing was recorded*script*" "a script that starts no OpenMP program"
run traceviz record --counters nonsense -o x -- ./bodies burn 1 0
is "$rc" 2 "unknown counters"

# This program has an OpenMP runtime, too (of a library): what that one does with the CPUs is not inherited.
cpus=$(grep Cpus_allowed_list /proc/self/status)
# shellcheck disable=SC2016
OMP_PROC_BIND=close run traceviz record -o cpus -- sh -c 'grep -h Cpus_allowed_list /proc/self/status /proc/$PPID/status'
is "$(cat stdout)" "$cpus
$cpus" "OMP_PROC_BIND: the program and the recorder have the CPUs that they have without it"
record 2 "$bin/examples/clang/constructs" nested-regions
is "$(awk '$3 == "SITE"' events | grep -c start_thread)" 0 "no code address is outside of the program"

# What cannot be recorded is refused before it runs, and leaves no folder.
cat >detach.c <<'END'
#include <omp.h>
int main(void) { omp_event_handle_t e;
#pragma omp task detach(e)
omp_fulfill_event(e);
return 0; }
END
gcc -fopenmp -o detach detach.c
run traceviz record -o refused -- ./detach
is "$rc" 1 "a function that libomp lacks"
like "$(cat stderr)" "*omp_fulfill_event*" "is named"
gcc -fopenmp -c -o bodies.o "$ROOT/tests/record/bodies.c"
gcc -o static bodies.o "$(gcc -print-file-name=libgomp.a)" -ldl -lpthread
run traceviz record -o refused -- ./static burn 1 0
like "$rc $(cat stderr)" "1 *contains GCC's OpenMP runtime*" "libgomp linked statically"
strip static
run traceviz record -o refused -- ./static burn 1 0
like "$rc $(cat stderr)" "1 *contains GCC's OpenMP runtime*" "and stripped"
echo 'void GOMP_parallel(void) {} void __kmpc_fork_call(void) {} int main(void) { return 0; }' >own.c
gcc -g -o own own.c
run traceviz record -o own.run -- ./own
is "$rc" 0 "a program that contains libomp is none of them"
clang -fopenmp -o tool -rdynamic "$ROOT/tests/record/count_tool.c" -idirafter "$(dirname "$header")" -x c - <<'END'
int main(void) {
#pragma omp parallel
;
return 0; }
END
run traceviz record -o refused -- ./tool
like "$rc $(cat stderr)" "1 *tool' is an OpenMP tool*" "a program with a tool of its own"
clang -fopenmp -o both "$ROOT/tests/record/bodies.c" -Wl,--no-as-needed "$(gcc -print-file-name=libgomp.so.1)" -ldl -lpthread
record 2 ./both burn 20 0
like "$(events) $(cat stderr)" "20 tasks, *needs libgomp beside libomp*" "a program that needs both runtimes"
is "$(ls -d refused 2>/dev/null)" "" "no folder is left"

mkdir -p part/record
cp "$bin/traceviz" part/ && cp "$bin/record/libtraceviz-record.so" part/record/
run part/traceviz record -o absent -- ./bodies burn 1 0
like "$rc $(cat stderr)" "0 *tasks of OpenMP are not recorded: *built without*" "without the probe, a warning"
run part/traceviz record --openmp -o absent2 -- ./bodies burn 1 0
like "$rc $(cat stderr)" "1 *built without the OpenMP probe*" "with --openmp, an error"
is "$(ls -d absent2 2>/dev/null)" "" "and no folder"
