/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tallied.c -- a pass with measures, as CONTRIBUTING.md describes one, against plain sums. */
#include "analysis/core/tallied.h"
#include "tests/unit/sample.h"

/* ---- the pass: how long tasks wait from their submission to their start, by priority ---- */

#define COLUMNS(X) \
	X(TASKS, "Tasks", TV_INT, true, "", "number of tasks") \
	X(MEAN, "MeanWait", TV_TIME, true, "ms", "mean wait; missing without SubmitTime") \
	X(MAX, "MaxWait", TV_TIME, true, "ms", "longest one")

enum { COLUMNS(TV_COLUMN_ID) NCOLUMNS };

static const struct tv_field columns[] = { { "Priority", TV_INT, false, "", "that of the tasks" },
					   COLUMNS(TV_COLUMN_ROW) };

enum { WAIT }; /* numbers of a task */

static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct tv_tasks *tasks = data;

	(void)column;
	if (tasks->submit == NULL || tv_missing(tasks->submit, row))
		return false;
	*number = tasks->start[row] - tasks->submit->i[row];
	return true;
}

static const struct tv_measure_spec measures[] = {
	{ TASKS, TV_MEASURE_ROWS },
	{ MEAN, TV_MEASURE_MEAN, WAIT },
	{ MAX, TV_MEASURE_MAX, WAIT },
};

static int add_rows(void *tallied, struct tv_run *part, struct tv_error *err)
{
	const struct tv_measured_rows rows = { number_of, tv_run_part(part) };

	return tv_tallied_tasks(tallied, &rows, tv_run_part(part), "Priority", false, err);
}

static int run_waits(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_tallied tallied;
	int rc;

	(void)options;
	tv_tallied_init(&tallied, "by", tv_run_counts(run), measures, TV_COUNT(measures), out);
	rc = tv_tallied_run(&tallied, run, add_rows, &tallied, err);
	if (rc == 0)
		rc = tv_tallied_finish(&tallied, columns + 1, NCOLUMNS, err);
	tv_tallied_release(&tallied);
	return rc;
}

static const struct tv_pass pass = {
	.name = "waits",
	.summary = "Waits of tasks, by priority",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_SUMMARY,
	.columns = "Priority SubmitTime",
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes = "A wait lasts from SubmitTime to Start.",
	.example = "traceviz waits data/cholesky.csv",
	.windowless = true,
	.run = run_waits,
};

/* ---- the test ---- */

enum { ROUNDS = 200, MOST = 40, PRIORITIES = 4 };

static void check_rows(const struct tv_table *out, const int64_t *tasks, const int64_t *known,
		       const int64_t *sum, const int64_t *max)
{
	uint32_t row = 0;

	/* In the order of their numbers, a missing one last. */
	for (int p = 0; p <= PRIORITIES; p++) {
		if (tasks[p] == 0)
			continue;
		assert_int_equal(tv_missing(out->col[0], row), p == PRIORITIES);
		assert_true(p == PRIORITIES || out->col[0]->i[row] == p);
		assert_int_equal(out->col[1 + TASKS]->i[row], tasks[p]);
		assert_int_equal(tv_missing(out->col[1 + MEAN], row), known[p] == 0);
		if (known[p] > 0) {
			assert_int_equal(out->col[1 + MEAN]->i[row],
					 (2 * sum[p] + known[p]) / (2 * known[p]));
			assert_int_equal(out->col[1 + MAX]->i[row], max[p]);
		}
		row++;
	}
	assert_int_equal(row, out->nrows);
}

static void random_waits(void **state)
{
	uint64_t seed = unit_seed(5);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char csv[MOST * 60] = "ResourceId,Value,Start,End,Priority,SubmitTime\n";
		int64_t tasks[PRIORITIES + 1] = { 0 }, known[PRIORITIES + 1] = { 0 },
					   sum[PRIORITIES + 1] = { 0 }, max[PRIORITIES + 1] = { 0 };
		const struct tv_options options = { 0 };
		struct tv_table out;
		struct sample s;

		for (int i = 0; i < MOST; i++) {
			int p = (int)unit_random(&seed, PRIORITIES + 1), start = 100 + i;
			int wait = (int)unit_random(&seed, 100);
			size_t at = strlen(csv);
			char priority[12] = "", submit[12] = "";

			if (p < PRIORITIES)
				snprintf(priority, sizeof priority, "%d", p);
			if (wait % 3 > 0 && p != 2)
				snprintf(submit, sizeof submit, "%d", start - wait);
			snprintf(csv + at, sizeof csv - at, "C%d,a,%d,%d,%s,%s\n", i % 3, start,
				 start + 2, priority, submit);
			tasks[p]++;
			if (submit[0] == '\0')
				continue;
			known[p]++;
			sum[p] += wait * (int64_t)1000000;
			max[p] = wait * (int64_t)1000000 > max[p] ? wait * (int64_t)1000000
								  : max[p];
		}
		sample_make(&s, csv);
		tv_table_init(&out, s.trace.pool);
		assert_int_equal(pass.run(&s.run, &options, &out, &s.err), 0);
		tv_table_finish(&out);
		check_rows(&out, tasks, known, sum, max);
		tv_table_release(&out);
		sample_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_waits) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
