/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_curves.c -- ready, submitted, concurrency, throughput against asking every
 * nanosecond. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 400, LENGTH = 40, JOBS = 9 };

#define HEADER "ResourceId,Value,Start,End,JobId,Kind,DependsOn,SubmitTime,GFlop\n"

struct job {
	int start, end, submit, type;
	bool ghost;
	bool depends[JOBS];
};

static int released(const struct job *job, int j)
{
	int at = job[j].ghost ? INT16_MIN : job[j].submit;

	for (int k = 0; k < j; k++)
		if (job[j].depends[k]) {
			int end = job[k].ghost ? released(job, k) : job[k].end;

			at = end > at ? end : at;
		}
	return at;
}

/* Jobs that start when they are released or later, on one worker each; the first runs. */
static void draw(struct job *job, char *csv, size_t size, uint64_t *seed)
{
	size_t at = (size_t)snprintf(csv, size, HEADER);

	for (int j = 0; j < JOBS; j++) {
		char list[200] = "";
		int ready;

		job[j] = (struct job){ .ghost = j > 0 && unit_random(seed, 4) == 0 };
		for (int k = 0; k < j; k++)
			job[j].depends[k] = unit_random(seed, 4) == 0;
		for (int k = 0; k < j; k++)
			if (job[j].depends[k])
				snprintf(list + strlen(list), sizeof list - strlen(list), "%d ", k);
		job[j].submit = (int)unit_random(seed, LENGTH / 2);
		job[j].type = (int)unit_random(seed, 3);
		ready = released(job, j);
		job[j].start = (ready < 0 ? 0 : ready) + (int)unit_random(seed, 6);
		job[j].end = job[j].start + (int)unit_random(seed, 6);
		if (job[j].ghost)
			at += (size_t)snprintf(csv + at, size - at, ",g,,,%d,ghost,%s,,\n", j,
					       list);
		else
			at += (size_t)snprintf(csv + at, size - at,
					       "CPU%d,t%d,0.%06d,0.%06d,%d,app,%s,0.%06d,0.%d\n", j,
					       job[j].type, job[j].start, job[j].end, j, list,
					       job[j].submit, job[j].type + 1);
	}
}

enum what { READY, NOT_STARTED, NOT_ENDED, RUNNING, RATE };

/* The curve at t, of one type or (-1) of all, as its definition says. */
static double expected(const struct job *job, enum what what, int type, int t)
{
	double sum = 0;

	for (int j = 0; j < JOBS; j++) {
		int from[] = { released(job, j), job[j].submit, job[j].submit, job[j].start,
			       job[j].start };
		int to[] = { job[j].start, job[j].start, job[j].end, job[j].end, job[j].end };

		if (job[j].ghost || (type >= 0 && job[j].type != type) || t < from[what]
		    || t >= to[what])
			continue;
		sum += what != RATE ? 1
				    : 0.1 * (job[j].type + 1) / ((job[j].end - job[j].start) / 1e9);
	}
	return sum;
}

/* Every row of the result against every nanosecond of the curve. */
static void compare(const struct tv_table *table, const struct job *job, enum what what,
		    const char *curve, int begin, int end, bool typed)
{
	int next[3] = { begin, begin, begin };

	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct tv_column *name = tv_table_find(table, "Curve");
		const struct tv_column *most = tv_table_find(table, "Max");
		uint32_t group = tv_label(tv_table_find(table, "By"), row);
		int type = !typed ? -1 : tv_pool_text(table->pool, group)[1] - '0';
		int64_t from = tv_table_find(table, "Start")->i[row];
		int64_t to = tv_table_find(table, "End")->i[row];
		double sum = 0, greatest = -1;

		if (strcmp(tv_pool_text(table->pool, tv_label(name, row)), curve) != 0)
			continue;
		assert_int_equal(from, next[typed ? type : 0]);
		next[typed ? type : 0] = (int)to;
		for (int64_t t = from; t < to; t++) {
			double value = expected(job, what, type, (int)t);

			sum += value;
			greatest = fmax(greatest, value);
		}
		assert_true(fabs(tv_table_find(table, "Value")->d[row] * (double)(to - from) - sum)
			    <= 1e-9 * (1 + sum));
		if (!tv_missing(most, row))
			assert_true(fabs(most->d[row] - greatest) <= 1e-9 * (1 + greatest));
	}
	assert_true(next[0] == end || typed);
}

static void every_nanosecond(void **state)
{
	static const struct {
		const char *pass, *curve;
		enum what what;
	} curve[] = {
		{ "ready", "ready", READY },
		{ "submitted", "not started", NOT_STARTED },
		{ "submitted", "not ended", NOT_ENDED },
		{ "concurrency", "running", RUNNING },
		{ "throughput", "GFlop/s", RATE },
	};
	uint64_t seed = unit_seed(2718);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char csv[4000], step[40];
		const char *value[8] = { NULL };
		struct job job[JOBS];
		struct sample s;
		int begin, end;

		draw(job, csv, sizeof csv, &seed);
		sample_make(&s, csv);
		begin = (int)s.run.tasks.begin;
		end = (int)s.run.tasks.finish;
		snprintf(step, sizeof step, "%uns", 1 + (unsigned)unit_random(&seed, LENGTH));
		if (unit_random(&seed, 2))
			value[0] = "Value";
		if (unit_random(&seed, 2))
			value[1] = step;
		if (begin < end && unit_random(&seed, 2)) {
			int from = begin + (int)unit_random(&seed, (uint64_t)(end - begin));

			s.run.window = (struct tv_window){ true, from, INT64_MAX };
			begin = from;
		}
		for (size_t c = 0; c < TV_COUNT(curve); c++) {
			const struct tv_table *table = tv_run_pass(&s.run, curve[c].pass, value,
								   &s.err);

			if (table == NULL)
				fail_msg("%s: %s", curve[c].pass, s.err.text);
			compare(table, job, curve[c].what, curve[c].curve, begin, end,
				value[0] != NULL);
		}
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(every_nanosecond),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
