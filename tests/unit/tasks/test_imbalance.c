/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_imbalance.c -- load nanosecond by nanosecond, on small random traces. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

enum { ROUNDS = 1500, WORKERS = 6, TASKS = 30, TYPES = 3, SPAN = 70 };

struct task {
	int worker, type, start, end;
	bool outlier;
};

struct model {
	int nworkers, ncpus, ntasks, begin, end, step;
	struct task task[TASKS];
};

static void draw(struct model *m, uint64_t *seed)
{
	m->nworkers = 1 + (int)unit_random(seed, WORKERS);
	m->ncpus = (int)unit_random(seed, (uint64_t)m->nworkers + 1);
	m->ntasks = 1 + (int)unit_random(seed, TASKS);
	m->begin = SPAN;
	m->end = 0;
	for (int i = 0; i < m->ntasks; i++) {
		struct task *t = &m->task[i];

		t->worker = (int)unit_random(seed, (uint64_t)m->nworkers);
		t->type = (int)unit_random(seed, TYPES);
		t->start = (int)unit_random(seed, SPAN - 30);
		t->end = t->start + (int)unit_random(seed, 4) * (int)unit_random(seed, 10);
		m->begin = t->start < m->begin ? t->start : m->begin;
		m->end = t->end > m->end ? t->end : m->end;
	}
	m->step = 1 + (int)unit_random(seed, SPAN);
}

/* CPUs come first in the order of figures; every worker is declared, also without tasks. */
static void name_of(const struct model *m, int w, char name[16])
{
	snprintf(name, 16, w < m->ncpus ? "CPU%d" : "CUDA%d", w < m->ncpus ? w : w - m->ncpus);
}

static void write_csv(const struct model *m, char *csv, size_t size)
{
	size_t at = (size_t)snprintf(csv, size, "ResourceId,Value,Start,End,Kind,JobId\n");
	char name[16];

	for (int i = 0; i < m->ntasks; i++) {
		name_of(m, m->task[i].worker, name);
		at += (size_t)snprintf(csv + at, size - at, "%s,t%d,0.0000%02d,0.0000%02d,app,%d\n",
				       name, m->task[i].type, m->task[i].start, m->task[i].end, i);
	}
	for (int w = 0; w < m->nworkers; w++) {
		name_of(m, w, name);
		at += (size_t)snprintf(csv + at, size - at, "%s,,,,worker,\n", name);
	}
}

/* Nanoseconds of [a, b) in which worker w computes. */
static int busy(const struct model *m, int w, int a, int b)
{
	int sum = 0;

	for (int t = a; t < b; t++) {
		bool any = false;

		for (int i = 0; i < m->ntasks; i++)
			any = any
			   || (m->task[i].worker == w && m->task[i].start <= t
			       && t < m->task[i].end);
		sum += any;
	}
	return sum;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

static double number(const struct tv_table *table, const char *name, uint32_t row)
{
	const struct tv_column *c = tv_table_find(table, name);

	return tv_missing(c, row) ? NAN : c->type == TV_DOUBLE ? c->d[row] : (double)c->i[row];
}

static void same(const struct tv_table *table, const char *name, uint32_t row, double want)
{
	double got = number(table, name, row);

	if (isnan(got) != isnan(want) || (!isnan(want) && !near(got, want)))
		fail_msg("row %u: %s is %.12g, expected %.12g", row, name, got, want);
}

/* Where the step ends that holds a: at the next multiple. */
static int until(const struct model *m, int a)
{
	int b = (a / m->step + 1) * m->step;

	return b < m->end ? b : m->end;
}

static void check_utilisation(struct sample *s, const struct model *m, const char *step)
{
	const char *value[3] = { step, "worker" }, *by_type[3] = { step, "type" };
	const struct tv_table *table = tv_run_pass(&s->run, "utilization", value, &s->err);
	uint32_t row = 0;

	assert_non_null(table);
	for (int a = m->begin, b; a < m->end; a = b) {
		b = until(m, a);
		for (int w = 0; w < m->nworkers; w++, row++) {
			same(table, "Start", row, a);
			same(table, "End", row, b);
			same(table, "Time", row, busy(m, w, a, b));
			same(table, "Utilization", row, 100.0 * busy(m, w, a, b) / (b - a));
		}
	}
	assert_int_equal(table->nrows, row);
	table = tv_run_pass(&s->run, "utilization", by_type, &s->err);
	row = 0;
	for (int a = m->begin, b; a < m->end; a = b) {
		b = until(m, a);
		for (int cuda = 0; cuda < 2; cuda++) {
			int sum = 0, n = 0;

			for (int w = 0; w < m->nworkers; w++)
				if ((w >= m->ncpus) == cuda) {
					sum += busy(m, w, a, b);
					n++;
				}
			if (n > 0)
				same(table, "Utilization", row++, 100.0 * sum / n / (b - a));
		}
	}
	assert_int_equal(table->nrows, row);
}

/* Least time of f at w on n[0] and n[1] workers: the dual's best price is at an end or a tie. */
static double area(const double *f, double w[TYPES][2], const int *n)
{
	double best = 0, at[TYPES + 2] = { 0, 1 };
	int points = 2;

	for (int v = 0; v < TYPES; v++) {
		if (f[v] > 0 && !(w[v][0] >= 0 && n[0] > 0) && !(w[v][1] >= 0 && n[1] > 0))
			return INFINITY;
		if (w[v][0] > 0 && w[v][1] > 0 && n[0] > 0 && n[1] > 0)
			at[points++] = w[v][1] / n[1] / (w[v][0] / n[0] + w[v][1] / n[1]);
	}
	for (int i = 0; i < points; i++) {
		double cost = 0;

		for (int v = 0; v < TYPES; v++) {
			double least = INFINITY;

			if (f[v] > 0 && w[v][0] >= 0 && n[0] > 0)
				least = at[i] * w[v][0] / n[0];
			if (f[v] > 0 && w[v][1] >= 0 && n[1] > 0)
				least = fmin(least, (1 - at[i]) * w[v][1] / n[1]);
			cost += f[v] > 0 ? f[v] * least : 0;
		}
		best = fmax(best, cost);
	}
	return best;
}

/* f, w and from them A and B of [a, b). */
static void areas(const struct model *m, int a, int b, int busiest, double *all, double *fewer)
{
	double f[TYPES] = { 0 }, w[TYPES][2];
	int n[2] = { m->ncpus, m->nworkers - m->ncpus };

	for (int v = 0; v < TYPES; v++)
		for (int r = 0; r < 2; r++) {
			double usual = 0, nusual = 0, any = 0, nany = 0;

			for (int i = 0; i < m->ntasks; i++) {
				const struct task *t = &m->task[i];
				bool point = t->start == t->end;
				double part = fmin(t->end, b) - fmax(t->start, a);

				if (t->type != v || (t->worker >= m->ncpus) != r
				    || !(part > 0
					 || (point && t->start >= a
					     && (t->start < b || b == m->end))))
					continue;
				if (point && t->start > b)
					continue;
				f[v] += point ? 1 : part / (t->end - t->start);
				any += t->end - t->start;
				nany++;
				usual += t->outlier ? 0 : t->end - t->start;
				nusual += !t->outlier;
			}
			w[v][r] = nusual > 0 ? usual / nusual : nany > 0 ? any / nany : -1;
		}
	*all = area(f, w, n);
	n[busiest >= m->ncpus]--;
	*fewer = area(f, w, n);
}

struct want {
	double max, mean[3], time[3], percent[3], sd, ideal;
	int busiest;
};

static void expect(const struct model *m, const double *power, int a, int b, struct want *x)
{
	double u[WORKERS], total = 0, squares = 0, d = b - a, fewer, all;
	int n = m->nworkers;

	*x = (struct want){ .busiest = -1 };
	for (int w = 0; w < n; w++) {
		u[w] = busy(m, w, a, b) / d;
		if (u[w] > x->max) {
			x->max = u[w];
			x->busiest = w;
		}
		x->mean[0] += u[w] / n;
		x->mean[1] += u[w] * power[w];
		total += power[w];
	}
	x->mean[1] /= total;
	for (int w = 0; w < n; w++)
		squares += (u[w] - x->mean[0]) * (u[w] - x->mean[0]);
	x->sd = n > 1 ? sqrt(squares / (n - 1)) : NAN;
	areas(m, a, b, x->busiest < 0 ? 0 : x->busiest, &all, &fewer);
	x->ideal = all;
	all = fmin(all, d);
	x->mean[2] = all / d;
	for (int f = 0; f < 3; f++) {
		x->time[f] = x->max - x->mean[f];
		x->percent[f] = NAN;
	}
	x->time[2] = fmin(1, fmax(0, x->time[2]));
	if (x->busiest < 0)
		return;
	if (n > 1)
		x->percent[0] = x->time[0] / x->max * n / (n - 1);
	if (n > 1)
		x->percent[1] = x->time[1] / x->max * total / (total - power[x->busiest]);
	if (all > 0)
		x->percent[2] = fmin(
			1, fmax(0, (x->max - x->mean[2]) / x->max * fmin(fewer, d) / all));
}

static void check_part(const struct tv_table *table, uint32_t row, int family,
		       const struct model *m, const struct want *x)
{
	const struct tv_column *id = tv_table_find(table, "Busiest");
	char name[16] = "";

	if (x->busiest >= 0)
		name_of(m, x->busiest, name);
	assert_string_equal(tv_pool_text(id->pool, tv_label(id, row)), name);
	same(table, "Max", row, 100 * x->max);
	same(table, "Mean", row, 100 * x->mean[family]);
	same(table, "SD", row, 100 * x->sd);
	same(table, "ImbalanceTime", row, 100 * x->time[family]);
	same(table, "ImbalancePercent", row, 100 * x->percent[family]);
	if (family == 2)
		assert_true(fabs(number(table, "IdealTime", row) - x->ideal) <= 0.5 + 1e-9);
}

/* 1 / mean duration of type 0 on the worker, or on its type; false where there is none. */
static bool powers(const struct model *m, double *power)
{
	for (int w = 0; w < m->nworkers; w++) {
		double time[2] = { 0 }, n[2] = { 0 };

		for (int i = 0; i < m->ntasks; i++) {
			const struct task *t = &m->task[i];

			if (t->type != 0 || (t->worker < m->ncpus) != (w < m->ncpus))
				continue;
			time[0] += t->end - t->start;
			n[0]++;
			time[1] += t->worker == w ? t->end - t->start : 0;
			n[1] += t->worker == w;
		}
		if (time[0] == 0)
			return false;
		power[w] = time[1] > 0 ? n[1] / time[1] : n[0] / time[0];
	}
	return true;
}

static bool has_type(const struct model *m, int type)
{
	bool any = false;

	for (int i = 0; i < m->ntasks; i++)
		any = any || m->task[i].type == type;
	return any;
}

static void check_imbalance(struct sample *s, struct model *m, const char *step)
{
	const char *value[3] = { step, "all", has_type(m, 0) ? "t0" : NULL };
	const struct tv_table *marks = tv_run_pass(&s->run, "outliers", NULL, &s->err);
	const struct tv_table *table;
	double power[WORKERS] = { 1, 1, 1, 1, 1, 1 };
	bool powered = value[2] != NULL && powers(m, power);
	uint32_t row = 0;

	for (int i = 0; i < m->ntasks; i++)
		m->task[i].outlier = tv_table_find(marks, "Outlier")->i[i] == 1;
	if (value[2] == NULL)
		value[1] = "heterogeneous";
	table = tv_run_pass(&s->run, "imbalance", value, &s->err);
	assert_non_null(table);
	for (int f = value[2] == NULL ? 2 : 0; f < 3 && m->end > m->begin; f++) {
		struct want x;

		if (f == 1 && !powered)
			continue;
		expect(m, power, m->begin, m->end, &x);
		assert_true(isnan(number(table, "Step", row)));
		check_part(table, row++, f, m, &x);
		for (int a = m->begin, b; a < m->end && until(m, m->begin) < m->end; a = b) {
			b = until(m, a);
			expect(m, power, a, b, &x);
			check_part(table, row++, f, m, &x);
		}
	}
	assert_int_equal(table->nrows, row);
}

static void random_traces(void **state)
{
	uint64_t seed = unit_seed(23);
	struct model m;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char csv[4000], step[32];
		struct sample s;

		draw(&m, &seed);
		write_csv(&m, csv, sizeof csv);
		snprintf(step, sizeof step, "%dns", m.step);
		sample_make(&s, csv);
		check_utilisation(&s, &m, step);
		check_imbalance(&s, &m, step);
		sample_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
