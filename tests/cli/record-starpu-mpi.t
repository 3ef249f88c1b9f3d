#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# record-starpu-mpi.t: a program of StarPU-MPI: tasks depend on those of other ranks through messages.
. "$(dirname "$0")/lib.sh"
plan 17

bin=${TRACEVIZ_BIN:-$ROOT/build}
cat >program.c <<'C'
#include <starpu_mpi.h>
#include <time.h>

static void sleep_ms(void *data[], void *arg)
{
	int ms;

	(void)data;
	starpu_codelet_unpack_args(arg, &ms);
	nanosleep(&(struct timespec){ 0, ms * 1000000L }, NULL);
}

static struct starpu_codelet make = { .cpu_funcs = { sleep_ms }, .nbuffers = 1, .modes = { STARPU_RW }, .name = "make" };
static struct starpu_codelet use = { .cpu_funcs = { sleep_ms }, .nbuffers = 2, .modes = { STARPU_R, STARPU_RW }, .name = "use" };

int main(int argc, char **argv)
{
	static double a[1000], b[3];
	starpu_data_handle_t shared, own[3];
	int rank, long_ms = 20, ms = 5, called = 0;

	if (starpu_mpi_init_conf(&argc, &argv, 1, MPI_COMM_WORLD, NULL))
		return 77;
	starpu_mpi_comm_rank(MPI_COMM_WORLD, &rank);
	starpu_vector_data_register(&shared, rank == 0 ? STARPU_MAIN_RAM : -1, rank == 0 ? (uintptr_t)a : 0, 1000, sizeof *a);
	starpu_mpi_data_register(shared, 42, 0);
	for (int r = 0; r < 3; r++) {
		starpu_variable_data_register(&own[r], rank == r ? STARPU_MAIN_RAM : -1, rank == r ? (uintptr_t)&b[r] : 0, sizeof *b);
		starpu_mpi_data_register(own[r], 100 + r, r);
	}
	/* Rank 0 makes four versions; rank 1 uses each of them twice, rank 2 the second and the fourth one. */
	for (int k = 0; k < 4; k++) {
		starpu_mpi_task_insert(MPI_COMM_WORLD, &make, STARPU_RW, shared, STARPU_VALUE, &long_ms, sizeof ms, 0);
		for (int r = 1; r < 3; r++)
			for (int n = 0; n < 3 - r && (r == 1 || k % 2); n++)
				starpu_mpi_task_insert(MPI_COMM_WORLD, &use, STARPU_R, shared, STARPU_RW, own[r], STARPU_VALUE, &ms,
						       sizeof ms, 0);
	}
	/* By hand: rank 2 sends its own datum to rank 0, which reads it. */
	if (rank == 2)
		starpu_mpi_isend_detached(own[2], 0, 7, MPI_COMM_WORLD, NULL, NULL);
	if (rank == 0) {
		starpu_mpi_irecv_detached(own[2], 2, 7, MPI_COMM_WORLD, (void (*)(void *))starpu_sem_post_nothing, &called);
		starpu_task_insert(&use, STARPU_R, own[2], STARPU_RW, own[0], STARPU_VALUE, &ms, sizeof ms, 0);
	}
	starpu_task_wait_for_all();
	starpu_mpi_wait_for_all(MPI_COMM_WORLD);
	starpu_data_unregister(shared);
	for (int r = 0; r < 3; r++)
		starpu_data_unregister(own[r]);
	starpu_mpi_shutdown();
	return rank == 0 && called != 1;
}
C
sed -i 's/(void (\*)(void \*))starpu_sem_post_nothing/count/; s/^int main/static void count(void *n)\n{\n\t++*(int *)n;\n}\n\nint main/' program.c
version=$(for v in 1.4 1.3; do pkg-config --exists "starpumpi-$v" 2>/dev/null && echo "$v" && break; done)
# shellcheck disable=SC2046 # words
if [ ! -f "$bin/record/libtraceviz-starpu.so" ] || [ -z "$version" ] || ! command -v mpicc.openmpi >/dev/null \
	|| ! mpicc.openmpi -o program program.c $(pkg-config --cflags --libs "starpumpi-$version") 2>cc.log; then
	skip 17 "no StarPU probe, or no StarPU-MPI with Open MPI (Debian: libstarpu-dev, libopenmpi-dev)"
	exit 0
fi
export STARPU_NCPU=1 STARPU_NCUDA=0 STARPU_NOPENCL=0 STARPU_SILENT=1 STARPU_WORKERS_NOBIND=1 OMPI_MCA_rmaps_base_oversubscribe=1
# Processes that calibrate at the same time need files of their own.
# shellcheck disable=SC2016 # by the shell of each rank
record() {
	run timeout 120 traceviz record "$@" -- mpirun.openmpi --oversubscribe --allow-run-as-root -n 3 \
		sh -c 'STARPU_HOME=$PWD/home$OMPI_COMM_WORLD_RANK exec ./program'
}
mkdir home0 home1 home2
ask() { traceviz sql -q run "$1" | tail -n +2 | tr -d '"'; }

record --starpu -o run
is "$rc" 0 "the program runs, and gets its own callback"
ask "SELECT Kind, count(*) FROM tasks GROUP BY 1 ORDER BY 1" >kinds
is "$(cat kinds)" "app,15
ghost,7
message,7" "a message for each datum that a rank receives, and its send"
# Paths from a use to the make whose version it reads: by the number of that make among those of rank 0.
traceviz convert -q run -o tables
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ job = $at["JobId"]; value[job] = $at["Value"]; node[job] = $at["Node"]; start[job] = $at["Start"]; end[job] = $at["End"]
	  kind[job] = $at["Kind"]; on[job] = $at["DependsOn"]; row[++n] = job; if ($at["Value"] == "make") version[job] = ++makes }
	END { for (i = 1; i <= n; i++) if (value[row[i]] == "use" && node[row[i]] > 0) {
		m = split(on[row[i]], before, " "); found = "none"
		for (j = 1; j <= m; j++) if (kind[before[j]] == "message") {
			split(on[before[j]], sends, " ")
			for (s in sends) if (sends[s] in kind && kind[sends[s]] == "ghost") {
				split(on[sends[s]], makers, " "); found = version[makers[1]]
				if (start[before[j]] < end[makers[1]] || end[before[j]] < start[before[j]] || start[row[i]] < end[before[j]]) early++
			}
		}
		print node[row[i]], found }
	  print "early", early + 0 }' tables/tasks.csv >found
is "$(grep '^1' found | tr '\n' ';')" "1 1;1 1;1 2;1 2;1 3;1 3;1 4;1 4;" "each task of rank 1 needs the version that it read"
is "$(grep '^2' found | tr '\n' ';')" "2 2;2 4;" "those of rank 2 the versions that it received"
is "$(grep early found)" "early 0" "a message begins after the task that makes its datum, and ends before the one that uses it"
is "$(ask "SELECT DependsOn FROM tasks WHERE Kind = 'message' AND JobId LIKE '0\\_receive%' ESCAPE '\\'")" "2_send0.7.1" "a receive by hand"
is "$(ask "SELECT count(*) FROM tasks u JOIN edges e ON e.JobId = u.JobId JOIN tasks m ON m.JobId = e.DependsOn WHERE u.Node = 0 AND u.Value = 'use' AND m.Kind = 'message'")" 1 \
	"the task that reads it waits for it"
traceviz info -q --csv run >info 2>&1
is "$(grep -c 'occur nowhere,0' info)" 1 "no dependency is lost"
traceviz critical-path run >path.csv 2>err
is "$(grep -c '^[0-9]*,task,.*,make,' path.csv)" 4 "the critical path goes through all versions"
is "$(grep -c 'no messages among the tasks' err)" 0 "messages are known"
# One rank alone: its receives are of nobody.
mkdir part && cp run/1.* part/
run traceviz info part
ok "one rank alone" sh -c 'cat stdout stderr | grep -q "messages of StarPU-MPI are on a communicator of some ranks, or not all ranks and times are recorded"'
# Two ranks of three.
cp run/2.* part/
run traceviz info part
ok "two of three ranks" sh -c 'cat stdout stderr | grep -q "on jobs that occur nowhere"'

# A rank that was recorded from some time on: which of its messages is which is not known.
record --starpu --start-after 1 -o late
is "$rc" 0 "recorded from some time on"
is "$(traceviz sql -q late "SELECT count(*) FROM tasks WHERE Kind = 'message'" | tail -1)" 0 "no message is guessed"

# With MPI's own calls.
record -o both
is "$rc" 0 "with the calls of MPI"
is "$(traceviz sql -q both "SELECT count(*) FROM tasks WHERE Kind = 'message'" | tail -1)" 7 "the same messages"
is "$(traceviz diagnose -q --csv both | grep -c ,waits-in-mpi,)" 0 "the thread that asks MPI again and again is no worker that waits in MPI"
