/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_shifts.c -- two runs task by task; the envelope of repeats; thresholds of another run: by
 * hand and by brute force. */
#include <math.h>

#include "analysis/compare/match.h"
#include "analysis/tasks/limits.h"
#include "tests/unit/pair.h"
#include "trace/alloc.h"
#include "views/charts/envelope.h"

#define HEAD "ResourceId,Value,Start,End,JobId,Kind,ResourceType,GFlop\n"

static void by_hand(void **state)
{
	struct sample s[2];
	struct tv_run *run[2] = { &s[0].run, &s[1].run };
	const struct tv_shifts *shifts;
	struct tv_error err = { 0 };

	(void)state;
	sample_make(&s[0], HEAD "C0,a,10,14,1,app,CPU,1\nC0,b,14,20,2,app,CPU,2\n"
				"G0,a,12,13,3,app,GPU,1\nC0,z,20,21,9,app,CPU,5\n");
	sample_make(&s[1], HEAD "G0,a,0,1,1,app,GPU,1\nC0,b,3,9,2,app,CPU,2.5\n"
				"G0,a,1,2,3,app,GPU,1\nC0,y,9,10,8,app,CPU,\n");
	if ((shifts = tv_run_shifts(run, &err)) == NULL)
		fail_msg("%s", err.text);
	assert_int_equal(shifts->n, 3);
	assert_int_equal(shifts->shift[0].start[0], 0);
	assert_true(shifts->shift[0].start[1] == 0 && shifts->shift[0].moved);
	assert_true(shifts->shift[1].start[0] == 2000000 && shifts->shift[1].start[1] == 1000000
		    && !shifts->shift[1].moved);
	assert_true(shifts->shift[2].start[0] == 4000000 && shifts->shift[2].start[1] == 3000000);
	assert_true(shifts->lag[0].time[0] == 3000000 && shifts->lag[0].time[1] == 1000000);
	assert_true(shifts->lag[1].time[0] == 4000000 && shifts->lag[1].time[1] == 2000000);
	assert_true(shifts->lag[2].time[0] == 10000000 && shifts->lag[2].time[1] == 9000000);
	assert_int_equal(shifts->ntransfers, 1);
	assert_int_equal(shifts->transfer[0].n, 1);
	assert_string_equal(shifts->transfer[0].value, "a");
	assert_string_equal(shifts->transfer[0].from, "CPU");
	assert_string_equal(shifts->transfer[0].to, "GPU");
	/* At 1, 2, 3, 4, 9, 10 and 11 ms; work of all tasks, matched or not. */
	assert_int_equal(shifts->ndone, 7);
	assert_true(shifts->done[3].time == 4000000 && shifts->done[3].flop[0] == 2e9
		    && shifts->done[3].flop[1] == 2e9);
	assert_true(shifts->done[6].flop[0] == 9e9 && shifts->done[6].flop[1] == 4.5e9);
	assert_ptr_equal(tv_run_shifts(run, &err), shifts);
	sample_release(&s[0]);
	sample_release(&s[1]);
}

/* How many tasks of a run had ended, from its first start on. */
static int ended(const struct pair_run *run, int64_t first, int64_t by)
{
	int n = 0;

	for (int i = 0; i < run->n; i++)
		n += run->task[i].end - first <= by;
	return n;
}

static int64_t first_start(const struct pair_run *run)
{
	int64_t first = INT64_MAX;

	for (int i = 0; i < run->n; i++)
		first = run->task[i].start < first ? run->task[i].start : first;
	return first;
}

/* Against the runs that the traces were made from. */
static void random_pairs(void **state)
{
	uint64_t seed = unit_seed(99);

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct pair_run made[2];
		struct sample s[2];
		struct tv_run *run[2] = { &s[0].run, &s[1].run };
		const struct tv_shifts *shifts;
		struct tv_error err = { 0 };
		uint32_t moved = 0, transferred = 0, expected = 0;
		const struct tv_lag *last;

		pair_draw(&made[0], 10, &seed);
		made[1] = made[0];
		for (int i = 0; i < made[1].n; i++) {
			made[1].task[i].duration += (int64_t)unit_random(&seed, 3000000);
			if (unit_random(&seed, 4) == 0)
				made[1].task[i].worker = (int)unit_random(&seed, PAIR_WORKERS);
			expected += pair_is_gpu(made[0].task[i].worker)
				 != pair_is_gpu(made[1].task[i].worker);
		}
		pair_time(&made[1]);
		for (int k = 0; k < 2; k++)
			pair_sample(&s[k], &made[k]);
		if ((shifts = tv_run_shifts(run, &err)) == NULL)
			fail_msg("%s", err.text);
		assert_int_equal(shifts->n, made[0].n);
		for (uint32_t i = 0; i < shifts->n; i++) {
			const char *job = tv_pool_text(
				s[0].trace.pool,
				tv_dag_job(shifts->match.dag[0], shifts->shift[i].node[0]));
			int id = atoi(job) - 1;

			moved += shifts->shift[i].moved;
			for (int k = 0; k < 2; k++) {
				assert_int_equal(shifts->shift[i].start[k],
						 made[k].task[id].start - first_start(&made[k]));
				assert_true(ended(&made[k], first_start(&made[k]),
						  shifts->lag[i].time[k])
					    >= (int)i + 1);
				assert_true(ended(&made[k], first_start(&made[k]),
						  shifts->lag[i].time[k] - 1)
					    <= (int)i);
			}
		}
		for (uint32_t i = 0; i < shifts->ntransfers; i++)
			transferred += shifts->transfer[i].n;
		assert_int_equal(moved, expected);
		assert_int_equal(transferred, expected);
		/* All tasks match: the last lag is the change of the makespan. */
		last = &shifts->lag[shifts->n - 1];
		assert_int_equal(last->time[1] - last->time[0],
				 made[1].makespan - made[0].makespan);
		assert_int_equal(shifts->ndone, 0);
		assert_ptr_equal(tv_run_shifts(run, &err), shifts);
		sample_release(&s[0]);
		sample_release(&s[1]);
	}
}

/* The value of a step function at a time, by looking at all of its pieces. */
static double value_of(const struct tv_stairs *f, int64_t time)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->start[i] + f->shift <= time && time < f->end[i] + f->shift)
			return f->value[i];
	return 0;
}

static void envelopes(void **state)
{
	enum { RUNS = 4, PIECES = 6, LENGTH = 40 };
	uint64_t seed = unit_seed(4);

	(void)state;
	for (int round = 0; round < 500; round++) {
		int64_t start[RUNS][PIECES], end[RUNS][PIECES];
		double value[RUNS][PIECES];
		struct tv_stairs f[RUNS];
		struct tv_envelope e;
		size_t m = 1 + unit_random(&seed, RUNS), at = 0;

		for (size_t k = 0; k < m; k++) {
			int64_t time = (int64_t)unit_random(&seed, 5);

			f[k] = (struct tv_stairs){ start[k], end[k], value[k],
						   unit_random(&seed, PIECES + 1),
						   (int64_t)unit_random(&seed, 9) - 4 };
			for (size_t i = 0; i < f[k].n; i++) {
				start[k][i] = time += (int64_t)unit_random(&seed, 3);
				end[k][i] = time += 1 + (int64_t)unit_random(&seed, 3);
				value[k][i] = (double)unit_random(&seed, 7) - 2;
			}
		}
		tv_envelope_init(&e, f, m);
		for (int64_t time = -10; time < LENGTH; time++) {
			double low = value_of(&f[0], time), high = low;

			for (size_t k = 1; k < m; k++) {
				low = fmin(low, value_of(&f[k], time));
				high = fmax(high, value_of(&f[k], time));
			}
			while (at < e.n && e.end[at] <= time)
				at++;
			if (at < e.n && e.start[at] <= time)
				assert_true(e.min[at] == low && e.max[at] == high);
			else
				assert_true(low == 0 && high == 0);
		}
		tv_envelope_release(&e);
	}
}

/* Marks by the thresholds of another run: those of its own pass, by type and worker type. */
static void other_thresholds(void **state)
{
	struct sample a, b;
	const struct tv_table *marks;
	const struct tv_column *outlier, *threshold;
	struct tv_error err = { 0 };

	(void)state;
	/* Types and worker types are numbered otherwise: a on CPU has the limit 12, on GPU 5. */
	sample_make(&a,
		    HEAD "G0,a,0,5,7,app,GPU,\nC0,a,0,10,1,app,CPU,\nC0,a,10,21,2,app,CPU,\n"
			 "C0,a,21,33,3,app,CPU,\nC0,a,33,44,4,app,CPU,\nC0,b,50,51,5,app,CPU,\n");
	sample_make(&b, HEAD "C0,c,0,90,1,app,CPU,\nC0,a,90,102,2,app,CPU,\n"
			     "C0,a,102,130,3,app,CPU,\nG0,a,0,6,4,app,GPU,\nG0,b,6,99,5,app,GPU,\n"
			     "C0,s,200,300,9,setup,CPU,\n");
	if (tv_limits_apply(&a.run, &b.run, &b.trace.table[TV_TASKS], &err) < 0)
		fail_msg("%s", err.text);
	marks = tv_run_pass(&b.run, "outliers", NULL, &err);
	assert_non_null(marks);
	outlier = tv_table_find(marks, "Outlier");
	threshold = tv_table_find(marks, "Threshold");
	assert_true(outlier->i[0] == 0 && tv_missing(threshold, 0));
	/* Quartiles 10.75 and 11.25 of 10, 11, 12, 11: 12 ms. */
	assert_true(outlier->i[1] == 0 && threshold->i[1] == 12000000);
	assert_true(outlier->i[2] == 1 && threshold->i[2] == 12000000);
	assert_true(outlier->i[3] == 1 && threshold->i[3] == 5000000);
	assert_true(outlier->i[4] == 0 && tv_missing(threshold, 4));
	assert_true(tv_missing(outlier, 5));
	assert_int_equal(tv_limits_apply(&a.run, &b.run, &b.trace.table[TV_TASKS], &err), -1);
	assert_int_equal(err.status, TV_USAGE);
	sample_release(&a);
	sample_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(random_pairs),
		cmocka_unit_test(envelopes),
		cmocka_unit_test(other_thresholds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
