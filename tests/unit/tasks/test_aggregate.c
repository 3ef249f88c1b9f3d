/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_aggregate.c -- groups against Algorithm 1 as printed and every nanosecond, also where tasks overlap. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 500, LENGTH = 60, WORKERS = 3, TASKS = 12, TYPES = 3 };
enum { TYPES_OPTION, THRESHOLD, EXCLUDE, KEEP, STEP, BY, NOPTIONS };

#define HEADER "ResourceId,Value,Start,End,Kind\n"

struct task {
	int worker, type, start, end;
	bool app;
};

/* In the order of time, without overlap on a worker. */
static int draw(struct task *task, char *csv, size_t size, uint64_t *seed)
{
	size_t at = (size_t)snprintf(csv, size, HEADER);
	int n = 0;

	for (int w = 0; w < WORKERS; w++) {
		int t = (int)unit_random(seed, 8);

		for (int i = 0; i < TASKS; i++) {
			int end = t + (int)unit_random(seed, 8);

			if (end > LENGTH)
				break;
			task[n] = (struct task){ w, (int)unit_random(seed, TYPES), t, end,
						 unit_random(seed, 6) > 0 || n == 0 };
			at += (size_t)snprintf(csv + at, size - at, "W%d,%s%d,0.%06d,0.%06d,%s\n",
					       w, task[n].app ? "t" : "x", task[n].type, t, end,
					       task[n].app ? "app" : "setup");
			t = end + (unit_random(seed, 2) ? (int)unit_random(seed, 6) : 0);
			n++;
		}
	}
	return n;
}

/* Algorithm 1 as the thesis prints it: the group of every app task, numbered from 0. */
static int algorithm_1(const struct task *task, int n, int threshold, bool t0_alone, int *group,
		       bool *pure)
{
	int groups = 0, last = -1;

	for (int i = 0; i < n; i++) {
		if (!task[i].app)
			continue;
		pure[i] = task[i].end - task[i].start > threshold
		       || (t0_alone && task[i].type == 0);
		if (last >= 0 && task[last].worker == task[i].worker && !pure[i]
		    && task[i].start <= task[last].end + threshold && !pure[last])
			group[i] = group[last];
		else
			group[i] = groups++;
		last = i;
	}
	return groups;
}

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	return tv_table_find(table, column)->i[row];
}

static bool has_part(const struct tv_table *table, uint32_t row, const char *part)
{
	const struct tv_column *column = tv_table_find(table, "Part");

	return strcmp(tv_pool_text(table->pool, tv_label(column, row)), part) == 0;
}

static int text_digit(const struct tv_table *table, const char *column, uint32_t row)
{
	return tv_pool_text(table->pool, tv_label(tv_table_find(table, column), row))[1] - '0';
}

/* Time of one part from begin to end on the workers first .. last, nanosecond by nanosecond. */
static int64_t count(const struct task *task, int n, const char *part, int type, int first,
		     int last, int64_t begin, int64_t end)
{
	int64_t sum = 0;

	for (int w = first; w <= last; w++)
		for (int64_t t = begin; t < end; t++) {
			const char *is = "idle";
			int of = -1;

			for (int i = 0; i < n; i++)
				if (task[i].worker == w && task[i].start <= t && t < task[i].end
				    && of < 0) {
					is = task[i].app ? "task" : "other";
					of = task[i].app ? task[i].type : -1;
				}
			sum += strcmp(is, part) == 0 && of == type;
		}
	return sum;
}

static void check_rows(const struct tv_table *table, const struct task *task, int n, bool by_type)
{
	static const char *const name[] = { "task", "other", "idle" };

	for (uint32_t row = 0; row < table->nrows; row++) {
		int64_t begin = cell(table, "Start", row), end = cell(table, "End", row);
		int w = by_type ? 0 : text_digit(table, "ResourceId", row);
		double whole = (double)(end - begin) * (double)cell(table, "Workers", row);
		int type = has_part(table, row, "task") ? text_digit(table, "Value", row) : -1;

		for (size_t i = 0; i < TV_COUNT(name); i++)
			if (has_part(table, row, name[i]))
				assert_int_equal(cell(table, "Time", row),
						 count(task, n, name[i], type, w,
						       by_type ? WORKERS - 1 : w, begin, end));
		if (whole > 0)
			assert_true(fabs(tv_table_find(table, "Share")->d[row]
					 - 100 * (double)cell(table, "Time", row) / whole)
				    < 1e-9);
	}
}

static int64_t sum_of(const struct tv_table *table, const char *column, const char *part)
{
	int64_t sum = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (has_part(table, row, part))
			sum += cell(table, column, row);
	return sum;
}

static void check_groups(const struct tv_table *table, const struct task *task, int n,
			 const int *group, const bool *pure)
{
	for (uint32_t row = 0; row < table->nrows; row++) {
		int begin = INT32_MAX, end = -1;
		bool alone = false;

		for (int i = 0; i < n; i++)
			if (task[i].app && group[i] == cell(table, "Group", row)) {
				begin = task[i].start < begin ? task[i].start : begin;
				end = task[i].end;
				alone = pure[i];
			}
		assert_int_equal(cell(table, "Start", row), begin);
		assert_int_equal(cell(table, "End", row), end);
		assert_int_equal(cell(table, "Pure", row), alone);
	}
}

static void as_printed(void **state)
{
	uint64_t seed = unit_seed(1618);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char csv[4000], text[2][40];
		bool t0_alone = unit_random(&seed, 2), by_type = unit_random(&seed, 2);
		int threshold = (int)unit_random(&seed, 8), n, groups, group[WORKERS * TASKS];
		const char *value[NOPTIONS] = { [THRESHOLD] = text[0] };
		const char *slices[NOPTIONS] = { [STEP] = text[1] };
		bool pure[WORKERS * TASKS];
		struct task task[WORKERS * TASKS];
		const struct tv_table *table;
		int64_t busy = 0, apps = 0;
		struct sample s;

		n = draw(task, csv, sizeof csv, &seed);
		for (int k = 0; k < n; k++) {
			busy += task[k].app ? task[k].end - task[k].start : 0;
			apps += task[k].app;
		}
		snprintf(text[0], sizeof text[0], "%dns", threshold);
		snprintf(text[1], sizeof text[1], "%uns", 1 + (unsigned)unit_random(&seed, 30));
		value[EXCLUDE] = t0_alone ? "Value == t0" : NULL;
		slices[BY] = by_type ? "ResourceType" : NULL;
		groups = algorithm_1(task, n, threshold, t0_alone, group, pure);

		sample_make(&s, csv);
		table = tv_run_pass(&s.run, "aggregate", value, &s.err);
		assert_non_null(table);
		assert_int_equal(cell(table, "Group", table->nrows - 1), groups - 1);
		check_groups(table, task, n, group, pure);
		check_rows(table, task, n, false);
		assert_int_equal(sum_of(table, "Time", "task"), busy);
		assert_int_equal(sum_of(table, "Tasks", "task"), apps);

		if (s.run.tasks.begin < s.run.tasks.finish) {
			int64_t whole = s.run.tasks.nworkers
				      * (s.run.tasks.finish - s.run.tasks.begin);

			table = tv_run_pass(&s.run, "aggregate", slices, &s.err);
			assert_non_null(table);
			check_rows(table, task, n, by_type);
			assert_int_equal(sum_of(table, "Time", "task"), busy);
			assert_int_equal(busy + sum_of(table, "Time", "other")
						 + sum_of(table, "Time", "idle"),
					 whole);
		}
		sample_release(&s);
	}
}

/* The time of a part of a group. */
static int64_t time_of(const struct tv_table *table, int64_t group, const char *part)
{
	int64_t sum = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (cell(table, "Group", row) == group && has_part(table, row, part))
			sum += cell(table, "Time", row);
	return sum;
}

static void overlapping(void **state)
{
	uint64_t seed = unit_seed(2718);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct task task[WORKERS * TASKS];
		const char *value[NOPTIONS] = { NULL };
		const struct tv_table *table;
		char csv[4000], text[40];
		size_t at = (size_t)snprintf(csv, sizeof csv, HEADER);
		int n = 1 + (int)unit_random(&seed, WORKERS * TASKS);
		struct sample s;

		for (int k = 0; k < n; k++) {
			int start = 23 * k % (LENGTH + 1); /* each once */

			task[k] = (struct task){ (int)unit_random(&seed, WORKERS),
						 (int)unit_random(&seed, TYPES), start,
						 start + (int)unit_random(&seed, 20),
						 unit_random(&seed, 3) > 0 || k == 0 };
			at += (size_t)snprintf(csv + at, sizeof csv - at,
					       "W%d,%s%d,0.%06d,0.%06d,%s\n", task[k].worker,
					       task[k].app ? "t" : "x", task[k].type, start,
					       task[k].end, task[k].app ? "app" : "setup");
		}
		snprintf(text, sizeof text, "%dns", (int)unit_random(&seed, 12));
		value[THRESHOLD] = text;
		sample_make(&s, csv);
		table = tv_run_pass(&s.run, "aggregate", value, &s.err);
		assert_non_null(table);
		for (uint32_t row = 0; row < table->nrows; row++) {
			int w = text_digit(table, "ResourceId", row);
			int64_t begin = cell(table, "Start", row), end = cell(table, "End", row);
			int64_t group = cell(table, "Group", row);

			assert_int_equal(time_of(table, group, "idle"),
					 count(task, n, "idle", -1, w, w, begin, end));
			assert_int_equal(time_of(table, group, "other"),
					 count(task, n, "other", -1, w, w, begin, end));
		}
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(as_printed),
		cmocka_unit_test(overlapping),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
