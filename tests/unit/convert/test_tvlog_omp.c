/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tvlog_omp.c -- OpenMP in raw logs: types of threads, detached tasks, numbers behind parts that were not recorded. */
#include "tests/unit/raw_check.h"

/* A team, a helper thread that ran a task, and a thread that only speaks of itself. */
static void threads(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1100, 1, 100, 4);
	create(0, 1150, 2, 100, 4);
	RAW(raw, 2, 1000, OMP_THREAD, 2, 0);
	RAW(raw, 2, 1010, OMP_THREAD, 3, 0);
	RAW(raw, 2, 1020, OMP_IMPLICIT_BEGIN, 0, 9, 109, 8, 2, 2);
	RAW_TEXT(raw, 3, 1000, USER_PHASE_BEGIN, "phase", 0);
	raw_barrier(raw, 7, 2, 2000);
	go(0, 2100, 100, 1, 7);
	go(0, 2300, 1, 100, 1);
	go(2, 2200, 109, 2, 7);
	go(2, 2250, 2, 109, 1);
	raw_region_end(raw, 7, 2, 3000);
	check(TV_TASKS, "ResourceId,ResourceType,JobId,Kind",
	      "T0,CPU,1,app\nT2,Helper,2,app\nT1,CPU,-,worker\n");
	check(TV_RESOURCES, "ResourceId,ResourceType", "T0,CPU\nT1,CPU\nT2,Helper\nT3,Thread\n");
	check(TV_STATES, "ResourceId,Value,Start",
	      "T0,Serial,-1100\nT0,Parallel region,-1100\nT0,Implicit task,-1100\n"
	      "T1,Implicit task,-1100\nT0,Implicit barrier,-100\nT1,Implicit barrier,-100\n"
	      "T0,Implicit barrier,200\nT1,Idle,900\n");
}

/* A detached task, another one after it by its data, and one that fulfills its event; thread: who does. */
static void detached(unsigned thread)
{
	raw_begin(raw, -1, "a", 10000);
	raw_region(raw, 7, 2, 1000);
	create(0, 1100, 1, 100, 4);
	RAW(raw, 0, 1110, OMP_DEPENDENCES, 0, 1, 0x10, 3);
	create(0, 1200, 2, 100, 4);
	create(0, 1300, 3, 100, 4);
	RAW(raw, 0, 1310, OMP_DEPENDENCES, 0, 3, 0x10, 1);
	raw_barrier(raw, 7, 2, 2000);
	go(0, 2100, 100, 1, 7);
	go(0, 2200, 1, 100, 4);
	go(1, 2150, 101, 2, 7);
	if (thread < RAW_THREADS)
		RAW(raw, thread, 2500, OMP_SCHEDULE, 6, 1, 0);
	go(1, 2600, 2, 101, 1);
	if (thread < RAW_THREADS) {
		go(0, 2550, 100, 3, 7);
		go(0, 2700, 3, 100, 1);
	}
	raw_region_end(raw, 7, 2, 3000);
}

/* It ends with the fulfillment: by a task, by a thread outside of tasks, never. */
static void fulfillments(void **state)
{
	static const char columns[] = "Kind,JobId,Start,End,SubmitTime,ParentJob,DependsOn,Flag";

	(void)state;
	detached(1);
	check(TV_TASKS, columns,
	      "app,1,0,100,-1000,-,-,detached\n"
	      "app,2,50,500,-900,-,-,-\n"
	      "app,3,450,600,-800,-,g1,-\n"
	      "ghost,g1,-,-,400,2,2 1,-\n");
	detached(3);
	check(TV_TASKS, columns,
	      "app,1,0,100,-1000,-,-,detached\n"
	      "app,2,50,500,-900,-,-,-\n"
	      "message,g1,100,400,-,-,1,-\n"
	      "app,3,450,600,-800,-,1 g1,-\n");
	detached(RAW_THREADS);
	check(TV_TASKS, columns,
	      "app,1,0,100,-1000,-,-,open\n"
	      "app,2,50,500,-900,-,-,-\n"
	      "message,g1,100,7900,-,-,1,-\n"
	      "pending,3,-,-,-800,-,1 g1,-\n");
}

/* Numbers go on behind what was not recorded; a nested region has that of the outer one before its own. */
static void numbers(void **state)
{
	(void)state;
	raw_begin(raw, -1, "a", 10000);
	RAW(raw, 0, 900, OMP_THREAD, 1, 0);
	RAW(raw, 0, 900, OMP_IMPLICIT_BEGIN, 0, 0, 99, 1, 1, 1);
	RAW(raw, 0, 1000, OMP_SKIPPED, 0, 10);
	RAW(raw, 0, 1000, OMP_PARALLEL_BEGIN, 0, 7, 99, 1, 0, 0, 4);
	RAW(raw, 0, 1000, OMP_IMPLICIT_BEGIN, 0, 7, 100, 1, 0, 2);
	create(0, 1100, 1, 100, 4);
	RAW(raw, 0, 1150, OMP_PARALLEL_BEGIN, 0, 8, 100, 1, 0, 0, 0);
	RAW(raw, 0, 1160, OMP_IMPLICIT_BEGIN, 0, 8, 110, 1, 0, 2);
	create(0, 1200, 2, 110, 4);
	go(0, 1300, 110, 2, 7);
	go(0, 1350, 2, 110, 1);
	RAW(raw, 0, 1360, OMP_IMPLICIT_END, 0, 0, 110, 0, 2);
	RAW(raw, 0, 1370, OMP_PARALLEL_END, 0, 8, 100, 0, 0);
	go(0, 1400, 100, 1, 7);
	go(0, 1500, 1, 100, 1);
	RAW(raw, 0, 1600, OMP_IMPLICIT_END, 0, 0, 100, 0, 2);
	RAW(raw, 0, 1600, OMP_PARALLEL_END, 0, 7, 99, 0, 0);
	RAW(raw, 0, 1700, OMP_SKIPPED, 0, 15);
	RAW(raw, 0, 1700, OMP_PARALLEL_BEGIN, 0, 17, 99, 1, 0, 0, 6);
	RAW(raw, 0, 1700, OMP_IMPLICIT_BEGIN, 0, 17, 200, 1, 0, 2);
	create(0, 1800, 21, 200, 4);
	go(0, 1900, 200, 21, 7);
	go(0, 1950, 21, 200, 1);
	/* The ghost of the wait at the end of the outer region is the first one behind ten tasks. */
	check(TV_TASKS, "Start,JobId,SubmitOrder,Region",
	      "0,12,12,4.1\n100,11,11,4\n600,18,18,6\n-,g11,-,4\n-,g12,-,-\n");
}

static void make_detached(void)
{
	detached(1);
}

static void damaged(void **state)
{
	(void)state;
	check_damaged(make_detached, 1414);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads),
		cmocka_unit_test(fulfillments),
		cmocka_unit_test(numbers),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
