/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_disturbances.c -- steps one by one; planted disturbances are found, and only they. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

#include "trace/alloc.h"

enum { ROUNDS = 500, WORKERS = 7, TASKS = 60, SPAN = 50, SEEDS = 100 };

struct task {
	int worker, start, end, outlier;
};

static bool touches(const struct task *t, int a, int b, int finish)
{
	if (t->start == t->end)
		return t->start >= a && (t->start < b || (b >= finish && t->start == finish));
	return t->start < b && t->end > a;
}

/* Workers with a task (an outlier) that touches [a, b). */
static int workers(const struct task *task, int n, int a, int b, int finish, bool outliers)
{
	int count = 0;

	for (int w = 0; w < WORKERS; w++) {
		bool any = false;

		for (int i = 0; i < n; i++)
			any = any
			   || (task[i].worker == w && (!outliers || task[i].outlier)
			       && touches(&task[i], a, b, finish));
		count += any;
	}
	return count;
}

static double tail(int n, int k, double p)
{
	double sum = 0;

	for (int i = k; i <= n; i++) {
		double term = pow(p, i) * pow(1 - p, n - i);

		for (int j = 0; j < i; j++)
			term *= (double)(n - j) / (j + 1);
		sum += term;
	}
	return sum;
}

/* What the pass should print, in the form of sample_pass, for marks given by the input. */
static void expect(const struct task *task, int n, int begin, int finish, int step, double level,
		   char *want, size_t size)
{
	int steps = finish > begin ? (finish - begin - 1) / step + 1 : 1, active[SPAN + 1];
	int hit[SPAN + 1];
	double hits = 0, actives = 0, chance[SPAN + 1];
	bool bridge[SPAN + 1];
	size_t at = 0;

	want[0] = '\0';
	for (int s = 0; s < steps; s++) {
		int a = begin + s * step, b = a + step;

		hits += hit[s] = workers(task, n, a, b, finish, true);
		actives += active[s] = workers(task, n, a, b, finish, false);
	}
	for (int s = 0; s < steps; s++) {
		chance[s] = steps * tail(active[s], hit[s], hits / actives);
		bridge[s] = hit[s] >= 2 && hit[s] > hits / actives * active[s];
		if (!bridge[s])
			chance[s] = INFINITY;
	}
	for (int s = 0; s < steps; s++) {
		int last = s, best = s, outliers = 0, most = 0, a = begin + s * step, b;

		if (chance[s] > level)
			continue;
		for (int k = s + 1; k < steps && bridge[k]; k++)
			last = chance[k] <= level ? k : last;
		b = last + 1 < steps ? begin + (last + 1) * step : finish;
		for (int k = s; k <= last; k++) {
			/* Two steps of equal chance are told apart by rounding only. */
			best = chance[k] < chance[best] * (1 - 1e-9) ? k : best;
			most = active[k] > most ? active[k] : most;
		}
		for (int i = 0; i < n; i++)
			outliers += task[i].outlier && touches(&task[i], a, b, finish);
		at += (size_t)snprintf(want + at, size - at,
				       "0.0000%02d 0.0000%02d %d %d %d %.6g "
				       "%.6g|",
				       a, b, workers(task, n, a, b, finish, true), most, outliers,
				       hits / actives * active[best], chance[best]);
		s = last;
	}
}

static void print(const struct tv_table *table, char *got, size_t size)
{
	static const char *const name[] = { "Start", "End", "Workers", "Active", "Outliers" };
	size_t at = 0;

	got[0] = '\0';
	for (uint32_t row = 0; row < table->nrows; row++) {
		for (size_t i = 0; i < TV_COUNT(name); i++) {
			char cell[40];

			tv_cell_text(tv_table_find(table, name[i]), row, cell, sizeof cell);
			at += (size_t)snprintf(got + at, size - at, "%s ", cell);
		}
		at += (size_t)snprintf(got + at, size - at, "%.6g %.6g|",
				       tv_table_find(table, "Expected")->d[row],
				       tv_table_find(table, "Chance")->d[row]);
	}
}

static void random_traces(void **state)
{
	uint64_t seed = unit_seed(31);
	int found = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		int n = 1 + (int)unit_random(&seed, TASKS), begin = SPAN, finish = 0, step;
		char csv[TASKS * 60] = "ResourceId,Value,Start,End,JobId,Outlier\n", text[16];
		const char *value[3] = { text, "2", "0.9" };
		char want[4000], got[4000];
		const struct tv_table *table;
		struct task task[TASKS];
		struct sample s;

		for (int i = 0; i < n; i++) {
			size_t at = strlen(csv);

			task[i].worker = (int)unit_random(&seed, WORKERS);
			task[i].start = (int)unit_random(&seed, SPAN - 9);
			task[i].end = task[i].start + (int)unit_random(&seed, 9);
			task[i].outlier = unit_random(&seed, 6) == 0
				       || (task[i].start / 8 == 2 && unit_random(&seed, 3) > 0);
			begin = task[i].start < begin ? task[i].start : begin;
			finish = task[i].end > finish ? task[i].end : finish;
			snprintf(csv + at, sizeof csv - at, "CPU%d,a,0.0000%02d,0.0000%02d,%d,%d\n",
				 task[i].worker, task[i].start, task[i].end, i, task[i].outlier);
		}
		step = 1 + (int)unit_random(&seed, 12);
		snprintf(text, sizeof text, "%dns", step);
		sample_make(&s, csv);
		table = tv_run_pass(&s.run, "disturbances", value, &s.err);
		assert_non_null(table);
		print(table, got, sizeof got);
		expect(task, n, begin, finish, step, 0.9, want, sizeof want);
		assert_string_equal(got, want);
		found += table->nrows > 0;
		sample_release(&s);
	}
	assert_in_range(found, ROUNDS / 5, ROUNDS);
}

/* 16 workers of two nodes, tasks of 1 ms +- 10 %, one in 50 takes twice as long by itself; from
 * 40 to 45 ms those of `hit` workers (of node 0 first) take three times as long. */
static void make_run(struct sample *s, uint64_t *seed, int hit)
{
	char *csv = tv_alloc(16 * 150, 60);
	size_t at = 0;

	assert_non_null(csv);
	at += (size_t)snprintf(csv, 60, "ResourceId,Value,Start,End\n");

	for (int w = 0; w < 16; w++)
		for (double t = 0; t < 100;) {
			double time = 0.9 + (double)unit_random(seed, 200001) / 1e6;

			if (unit_random(seed, 50) == 0)
				time *= 2;
			if (w < hit && t >= 40 && t < 45)
				time *= 3;
			at += (size_t)snprintf(csv + at, 100, "%d_CPU%d,a,%.6f,%.6f\n", w / 8, w, t,
					       t + time);
			t += time + 0.01;
		}
	sample_make(s, csv);
	tv_free(csv);
}

static void planted(void **state)
{
	uint64_t seed = unit_seed(37);
	int clean = 0, all = 0, of_node = 0, elsewhere = 0;

	(void)state;
	for (int i = 0; i < SEEDS; i++) {
		const struct tv_table *table;
		struct sample s;

		make_run(&s, &seed, 0);
		table = tv_run_pass(&s.run, "disturbances", NULL, &s.err);
		assert_non_null(table);
		clean += table->nrows == 0;
		sample_release(&s);
		make_run(&s, &seed, 8);
		table = tv_run_pass(&s.run, "disturbances", NULL, &s.err);
		assert_non_null(table);
		for (uint32_t row = 0; row < table->nrows; row++) {
			int64_t begin = tv_table_find(table, "Start")->i[row];
			int64_t end = tv_table_find(table, "End")->i[row];
			const struct tv_column *node = tv_table_find(table, "Node");
			const char *name = tv_pool_text(node->pool, tv_label(node, row));

			if (begin < 33000000 || end > 55000000 || begin > 43000000
			    || end < 42000000)
				elsewhere++;
			else if (tv_missing(node, row))
				all++;
			else if (strcmp(name, "0") == 0)
				of_node++;
			else
				elsewhere++;
		}
		sample_release(&s);
	}
	/* Half of the workers are clean, so that the node tells more than the whole. */
	assert_in_range(clean, SEEDS * 95 / 100, SEEDS);
	assert_in_range(of_node, SEEDS * 98 / 100, SEEDS);
	assert_in_range(all, SEEDS * 75 / 100, SEEDS);
	assert_in_range(elsewhere, 0, SEEDS * 4 / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces),
		cmocka_unit_test(planted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
