/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_deviating.c -- members against the others by plain sorting; planted slow ones are found. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

#include "trace/alloc.h"

enum { ROUNDS = 600, TASKS = 70, WORKERS = 8, TYPES = 3, SEEDS = 60, NSCOPES = 2 };

struct task {
	int worker, type, size;
	int64_t time;
};

/* Workers 0 to 3 on node 0, the others on node 1; even ones are CPUs. */
static int member(int scope, int worker)
{
	return scope == 0 ? worker : worker / 4;
}

static void member_name(int scope, int m, char name[24])
{
	if (scope == 0)
		snprintf(name, 24, "%d_%s%d", m / 4, m % 2 ? "CUDA" : "CPU", m);
	else
		snprintf(name, 24, "%d", m);
}

static double median(double *x, int n)
{
	for (int i = 0; i < n; i++)
		for (int k = i; k > 0 && x[k - 1] > x[k]; k--) {
			double swap = x[k];

			x[k] = x[k - 1];
			x[k - 1] = swap;
		}
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Durations over the median of the same type, size and kind of worker; negative = none. */
static void relate(const struct task *task, int n, double *ratio)
{
	for (int i = 0; i < n; i++) {
		double x[TASKS], middle;
		int m = 0;

		for (int k = 0; k < n; k++)
			if (task[k].type == task[i].type && task[k].size == task[i].size
			    && task[k].worker % 2 == task[i].worker % 2)
				x[m++] = (double)task[k].time;
		middle = median(x, m);
		ratio[i] = middle > 0 ? (double)task[i].time / middle : -1;
	}
}

/* The row for a member, resource type and task type (-1: all), if there is one. */
static uint32_t find(const struct tv_table *table, int scope, int m, int rtype, int type)
{
	static const char *const scopes[] = { "worker", "node" };
	static const char *const column[] = { "Scope", "Node", "Member", "ResourceType", "Value" };
	char want[5][24] = { "", "", "", "", "" };

	snprintf(want[0], 24, "%s", scopes[scope]);
	snprintf(want[1], 24, "%d", scope == 1 ? m : m / 4);
	member_name(scope, m, want[2]);
	snprintf(want[3], 24, "%s", rtype ? "CUDA" : "CPU");
	if (type >= 0)
		snprintf(want[4], 24, "t%d", type);
	for (uint32_t row = 0; row < table->nrows; row++) {
		bool same = true;

		for (int i = 0; i < 5; i++) {
			const struct tv_column *c = tv_table_find(table, column[i]);

			same = same
			    && strcmp(tv_pool_text(c->pool, tv_label(c, row)), want[i]) == 0;
		}
		if (same)
			return row;
	}
	return TV_NONE;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(b) + 1e-12;
}

static uint32_t check(const struct tv_table *table, const struct task *task, int n,
		      const double *ratio, int scope, int m, int rtype, int type)
{
	double own[TASKS], other[TASKS], middle, above = 0, below = 0, z = 0, longer = 0;
	int nown = 0, nother = 0;
	uint32_t row = find(table, scope, m, rtype, type);

	for (int i = 0; i < n; i++) {
		if (ratio[i] < 0 || task[i].worker % 2 != rtype
		    || (type >= 0 && task[i].type != type))
			continue;
		if (member(scope, task[i].worker) == m)
			own[nown++] = ratio[i];
		else
			other[nother++] = ratio[i];
	}
	if (nown == 0 || nother == 0) {
		assert_true(row == TV_NONE);
		return 0;
	}
	assert_true(row != TV_NONE);
	middle = median(other, nother);
	for (int i = 0; i < nown; i++) {
		above += own[i] > middle;
		below += own[i] < middle;
	}
	if (above + below > 0 && fabs(above - below) > 1)
		z = (above - below) / fabs(above - below) * (fabs(above - below) - 1)
		  / sqrt((above + below) * (1 + (double)nown / nother));
	for (int i = 0; i < nown; i++)
		for (int j = 0; j < nother; j++)
			longer += (own[i] > other[j]) + (own[i] == other[j]) / 2.0;
	assert_true(near(tv_table_find(table, "Longer")->d[row], longer / nown / nother));
	assert_int_equal(tv_table_find(table, "Tasks")->i[row], nown);
	assert_int_equal(tv_missing(tv_table_find(table, "Ratio"), row), middle == 0);
	assert_true(middle == 0
		    || near(tv_table_find(table, "Ratio")->d[row], median(own, nown) / middle));
	assert_true(near(tv_table_find(table, "Z")->d[row], z));
	assert_int_equal(tv_table_find(table, "Deviates")->i[row],
			 nown >= 3 && middle > 0
				 && ((median(own, nown) / middle >= 1.05 && z >= 1)
				     || (median(own, nown) / middle <= 1 / 1.05 && z <= -1)));
	return 1;
}

static void random_traces(void **state)
{
	static const char *const value[3] = { "1.05", "1", "3" };
	uint64_t seed = unit_seed(41);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		int n = 20 + (int)unit_random(&seed, TASKS - 20);
		char csv[TASKS * 80] = "ResourceId,Value,Start,End,Footprint\n";
		const struct tv_table *table;
		struct task task[TASKS];
		double ratio[TASKS];
		uint32_t rows = 0;
		struct sample s;

		for (int i = 0; i < n; i++) {
			size_t at = strlen(csv);
			struct task *t = &task[i];
			char name[24];

			/* Every worker has a task, so that all are there. */
			t->worker = i < WORKERS ? i : (int)unit_random(&seed, WORKERS);
			t->type = (int)unit_random(&seed, TYPES);
			t->size = (int)unit_random(&seed, 2);
			t->time = (int64_t)unit_random(&seed, round % 2 ? 4 : 1000000);
			member_name(0, t->worker, name);
			snprintf(csv + at, sizeof csv - at, "%s,t%d,%d,%d.%06d,%x\n", name, t->type,
				 i, i, (int)t->time, t->size);
		}
		relate(task, n, ratio);
		sample_make(&s, csv);
		table = tv_run_pass(&s.run, "deviating-resources", value, &s.err);
		assert_non_null(table);
		for (int scope = 0; scope < NSCOPES; scope++)
			for (int m = 0; m < WORKERS; m++)
				for (int rtype = 0; rtype < 2; rtype++)
					for (int type = -1; type < TYPES; type++)
						rows += check(table, task, n, ratio, scope, m,
							      rtype, type);
		assert_int_equal(table->nrows, rows);
		sample_release(&s);
	}
}

/* 24 workers, 3 types of tasks, each +- 20 %; those of `slow` take 1.3 times as long. */
static void make_run(struct sample *s, uint64_t *seed, int slow)
{
	char *csv = tv_alloc(24 * 60, 60);
	size_t at;

	assert_non_null(csv);
	at = (size_t)snprintf(csv, 60, "ResourceId,Value,Start,End\n");
	for (int w = 0; w < 24; w++)
		for (int i = 0; i < 60; i++) {
			uint64_t usual = 1000 * (1 + unit_random(seed, 3));
			uint64_t time = usual * 8 / 10 + unit_random(seed, usual * 4 / 10);

			if (w == slow)
				time = time * 13 / 10;
			at += (size_t)snprintf(csv + at, 60, "CPU%d,t%d,%d,%d.%06d\n", w,
					       (int)(usual / 1000), i, i, (int)time);
		}
	sample_make(s, csv);
	tv_free(csv);
}

static void planted(void **state)
{
	uint64_t seed = unit_seed(43);
	int wrong = 0, found = 0;

	(void)state;
	for (int i = 0; i < SEEDS; i++) {
		int slow = i % 24;
		const struct tv_table *table;
		struct sample s;

		make_run(&s, &seed, i % 2 ? slow : -1);
		table = tv_run_pass(&s.run, "deviating-resources", NULL, &s.err);
		assert_non_null(table);
		for (uint32_t row = 0; row < table->nrows; row++) {
			const struct tv_column *c = tv_table_find(table, "Member");
			char name[24];

			snprintf(name, sizeof name, "CPU%d", slow);
			if (tv_table_find(table, "Deviates")->i[row] == 0)
				continue;
			if (i % 2 == 0
			    || strcmp(tv_pool_text(c->pool, tv_label(c, row)), name) != 0)
				wrong++;
			else
				found += tv_missing(tv_table_find(table, "Value"), row);
		}
		sample_release(&s);
	}
	assert_int_equal(wrong, 0);
	assert_int_equal(found, SEEDS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces),
		cmocka_unit_test(planted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
