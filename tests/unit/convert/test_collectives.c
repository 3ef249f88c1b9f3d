/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_collectives.c -- which calls are one operation, where recorders were off: random programs, whose operations are known. */
#include "tests/unit/unit.h"

#include "convert/collectives.h"

enum { PROCESSES = 5, OPERATIONS = 60 };

static const char *const function[] = { "MPI_Barrier", "MPI_Allreduce", "MPI_Bcast" };

struct program {
	int kind[OPERATIONS];
	int64_t start[PROCESSES][OPERATIONS], end[PROCESSES][OPERATIONS];
	uint32_t gaps[PROCESSES][OPERATIONS]; /* before it */
	bool kept[PROCESSES][OPERATIONS];
};

/* Work of 20 to 120, then an operation: from the root, which goes on, or together. */
static void run(struct program *p, uint64_t *seed, int kinds)
{
	int64_t now[PROCESSES] = { 0 };

	for (int k = 0; k < OPERATIONS; k++) {
		int root = (int)unit_random(seed, PROCESSES);
		int64_t all = 0;

		p->kind[k] = (int)unit_random(seed, (uint64_t)kinds);
		for (int i = 0; i < PROCESSES; i++) {
			p->start[i][k] = now[i] + 20 + (int64_t)unit_random(seed, 100);
			all = p->start[i][k] > all ? p->start[i][k] : all;
		}
		for (int i = 0; i < PROCESSES; i++) {
			int64_t from = p->kind[k] < 2 ? all : p->start[root][k];

			now[i] = p->end[i][k] = (p->start[i][k] > from ? p->start[i][k] : from) + 1
					      + (int64_t)unit_random(seed, 5);
		}
	}
}

/* Each recorder is off for 0 to 3 operations, before about each `every`-th one, or, of a trace that is cut, before the first. */
static void record(struct program *p, uint64_t *seed, bool cut, int every)
{
	for (int i = 0; i < PROCESSES; i++) {
		int off = cut ? (int)unit_random(seed, 3) : 0;
		uint32_t gaps = cut;

		for (int k = 0; k < OPERATIONS; k++) {
			if (off == 0 && every > 0 && unit_random(seed, (uint64_t)every) == 0) {
				off = (int)unit_random(seed, 4);
				gaps++;
			}
			p->kept[i][k] = off == 0;
			p->gaps[i][k] = gaps;
			off -= off > 0;
		}
	}
}

/* Of how many pairs of recorded calls it is not right whether they are one operation. */
static int wrong(const struct program *p)
{
	struct tv_collective call[PROCESSES * OPERATIONS];
	int truth[PROCESSES * OPERATIONS], n = 0, bad = 0;
	struct tv_trace trace;

	tv_trace_init(&trace, NULL);
	for (int i = PROCESSES; i-- > 0;)
		for (int k = 0; k < OPERATIONS; k++) {
			if (!p->kept[i][k])
				continue;
			truth[n] = k;
			call[n] = (struct tv_collective){
				.comm = 7,
				.process = (uint32_t)i,
				.row = tv_table_add_row(&trace.table[TV_CALLS]),
				.name = tv_intern_text(trace.pool, function[p->kind[k]]),
				.gaps = p->gaps[i][k],
				.start = p->start[i][k],
				.end = p->end[i][k],
			};
			n++;
		}
	tv_collectives_number(&trace, call, (size_t)n);
	for (int i = 0; i < n; i++)
		for (int k = i + 1; k < n; k++)
			bad += (call[i].sequence == call[k].sequence)
			    != (truth[call[i].row] == truth[call[k].row]);
	tv_trace_release(&trace);
	return bad;
}

/* In how many of 300 programs of the first `kinds` functions a call is matched wrongly. */
static int wrong_programs(int kinds, bool cut, int every)
{
	struct program p;
	int programs = 0;

	for (uint64_t first = 1; first <= 300; first++) {
		uint64_t seed = first;

		run(&p, &seed, kinds);
		record(&p, &seed, cut, every);
		programs += wrong(&p) > 0;
	}
	return programs;
}

static void without_gaps(void **state)
{
	(void)state;
	assert_int_equal(wrong_programs(3, false, 0), 0);
}

/* A trace that was cut begins with the first, second or third operation of each process. */
static void cut(void **state)
{
	(void)state;
	assert_int_equal(wrong_programs(2, true, 0), 0);
}

static void off(void **state)
{
	(void)state;
	assert_int_equal(wrong_programs(2, false, 15), 0);
}

/* When a broadcast ends depends on the process: time tells less of it. */
static void broadcasts(void **state)
{
	(void)state;
	assert_in_range(wrong_programs(3, false, 100), 0, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_gaps),
		cmocka_unit_test(cut),
		cmocka_unit_test(off),
		cmocka_unit_test(broadcasts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
