/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tight.c -- tight and integer bounds against every schedule and every allocation. */
#include <math.h>
#include <stdio.h>

#include "tests/unit/sample.h"

#include "lp/integer.h"
#include "lp/tight.h"
#include "trace/sorted.h"

enum { TASKS = 8, WORKERS = 3, TYPES = 3, RTYPES = 2, ROUNDS = 3000 };

/* A small run: worker w is of type rtype[w]; a task depends on some with smaller numbers. */
struct instance {
	uint32_t n, nworkers;
	uint32_t type[TASKS], rtype[WORKERS], worker[TASKS];
	bool on[TASKS][TASKS];
	int64_t start[TASKS], end[TASKS]; /* of the run, ms */
	double w[TYPES][RTYPES];	  /* as bounds sees them, ms; < 0 = excluded */
};

static int64_t largest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* A run that respects dependencies and workers, its tasks in the order of their numbers. */
static void draw(struct instance *x, uint64_t *seed)
{
	int64_t free_at[WORKERS] = { 0 };

	memset(x, 0, sizeof *x);
	x->n = 1 + (uint32_t)unit_random(seed, TASKS);
	x->nworkers = 1 + (uint32_t)unit_random(seed, WORKERS);
	for (uint32_t k = 0; k < x->nworkers; k++)
		x->rtype[k] = (uint32_t)unit_random(seed, RTYPES);
	for (uint32_t a = 0; a < x->n; a++) {
		uint32_t k = (uint32_t)unit_random(seed, x->nworkers);

		x->type[a] = (uint32_t)unit_random(seed, TYPES);
		x->worker[a] = k;
		x->start[a] = free_at[k];
		for (uint32_t b = 0; b < a; b++) {
			x->on[a][b] = unit_random(seed, 3) == 0;
			if (x->on[a][b])
				x->start[a] = largest(x->start[a], x->end[b]);
		}
		x->end[a] = free_at[k] = x->start[a] + 1 + (int64_t)unit_random(seed, 9);
	}
}

static void make(struct sample *s, const struct instance *x)
{
	static const char *const rtype[] = { "CPU", "CUDA" };
	char *csv = NULL;
	size_t size;
	FILE *text = open_memstream(&csv, &size);

	fputs("ResourceId,Value,JobId,Kind,Start,End,DependsOn\n", text);
	for (uint32_t a = 0; a < x->n; a++) {
		fprintf(text, "%s%u,%c,%u,app,%d,%d,", rtype[x->rtype[x->worker[a]]], x->worker[a],
			"abc"[x->type[a]], a, (int)x -> start[a], (int)x -> end[a]);
		for (uint32_t b = 0; b < a; b++)
			if (x->on[a][b])
				fprintf(text, "%u ", b);
		fputc('\n', text);
	}
	for (uint32_t k = 0; k < x->nworkers; k++)
		fprintf(text, "%s%u,,,worker,,,\n", rtype[x->rtype[k]], k);
	fclose(text);
	sample_make(s, csv);
	free(csv);
}

static void weigh(struct instance *x, const char *statistic)
{
	for (uint32_t t = 0; t < TYPES; t++)
		for (uint32_t r = 0; r < RTYPES; r++) {
			int64_t time[TASKS], sum = 0;
			uint32_t n = 0;

			for (uint32_t a = 0; a < x->n; a++)
				if (x->type[a] == t && x->rtype[x->worker[a]] == r) {
					time[n] = x->end[a] - x->start[a];
					sum += time[n++];
				}
			qsort(time, n, sizeof *time, tv_compare_int64);
			x->w[t][r] = n == 0			       ? -1
				   : strcmp(statistic, "mean") == 0    ? (double)sum / n
				   : strcmp(statistic, "minimum") == 0 ? (double)time[0]
				   : n % 2 == 1			       ? (double)time[n / 2]
						: (double)(time[n / 2] + time[n / 2 - 1]) / 2;
		}
}

/* Branches over all schedules that start tasks in the order of time; free_at by worker. */
static void schedule(const struct instance *x, double *end, const double *free_at, double from,
		     double *best)
{
	bool done = true;

	for (uint32_t a = 0; a < x->n; a++) {
		double ready = from;
		bool open = end[a] < 0;

		done = done && !open;
		for (uint32_t b = 0; b < x->n && open; b++)
			if (x->on[a][b]) {
				open = end[b] >= 0;
				ready = fmax(ready, end[b]);
			}
		for (uint32_t k = 0; k < x->nworkers && open; k++) {
			double time = x->w[x->type[a]][x->rtype[k]], next[WORKERS];
			double start = fmax(ready, free_at[k]);

			if (time < 0 || start + time >= *best)
				continue;
			memcpy(next, free_at, sizeof next);
			end[a] = next[k] = start + time;
			schedule(x, end, next, start, best);
			end[a] = -1;
		}
	}
	if (done) {
		double last = 0;

		for (uint32_t a = 0; a < x->n; a++)
			last = fmax(last, end[a]);
		*best = fmin(*best, last);
	}
}

static double optimum(const struct instance *x)
{
	double end[TASKS], free_at[WORKERS] = { 0 }, best = INFINITY;

	for (uint32_t a = 0; a < x->n; a++)
		end[a] = -1;
	schedule(x, end, free_at, 0, &best);
	return best;
}

static double time_of(const struct tv_table *out, const char *bound, const char **nature)
{
	for (uint32_t row = 0; row < out->nrows; row++) {
		size_t n;

		if (strcmp(tv_string(tv_table_find(out, "Bound"), row, &n), bound) != 0)
			continue;
		*nature = tv_string(tv_table_find(out, "Nature"), row, &n);
		return (double)tv_table_find(out, "Time")->i[row] / 1e6;
	}
	return -1;
}

/* tight <= the best schedule; >= cpe, abe; what is called a bound holds for the run itself. */
static void every_schedule(void **state)
{
	static const char *const statistic[] = { "mean", "median", "minimum" };
	uint64_t seed = unit_seed(1982);
	int above = 0, met = 0, bounds = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		const char *const which = statistic[i % 3];
		const char *const value[] = { "", "", NULL, which, NULL, NULL, NULL };
		const char *nature = "", *names[] = { "cpe", "abe", "abe-integer", "tight" };
		const struct tv_table *out;
		struct instance x;
		struct sample s;
		double best, tight, makespan;
		bool depends = false, complete = true;

		draw(&x, &seed);
		make(&s, &x);
		weigh(&x, which);
		for (uint32_t a = 0; a < x.n; a++) {
			for (uint32_t b = 0; b < a; b++)
				depends = depends || x.on[a][b];
			for (uint32_t k = 0; k < x.nworkers; k++)
				complete = complete && x.w[x.type[a]][x.rtype[k]] >= 0;
		}
		out = tv_run_pass(&s.run, "bounds", value, &s.err);
		if (out == NULL)
			fail_msg("round %d: %s", i, s.err.text);
		makespan = time_of(out, "makespan", &nature);
		tight = time_of(out, "tight", &nature);
		best = optimum(&x);
		assert_int_equal(tight >= 0, depends);
		if (tight > best + 1e-6)
			fail_msg("round %d: tight %f, but %f is possible", i, tight, best);
		for (size_t k = 0; k < TV_COUNT(names); k++) {
			double time = time_of(out, names[k], &nature);
			bool proves = strcmp(nature, "bound") == 0;

			assert_true(time <= best + 1e-6);
			assert_true(tight < 0 || names[k] == names[2] || tight >= time);
			assert_true(k != 2 || time >= time_of(out, "abe", &nature));
			if (time < 0)
				continue;
			assert_int_equal(proves, complete && i % 3 == 2);
			assert_true(!proves || time <= makespan);
			bounds += proves;
		}
		above += tight > fmax(time_of(out, "cpe", &nature), time_of(out, "abe", &nature));
		met += depends && tight > best - 1e-6;
		sample_release(&s);
	}
	/* The instances are not trivial. */
	assert_true(above > ROUNDS / 50 && met > ROUNDS / 10 && bounds > ROUNDS / 10);
}

/* The best of all ways to share out the tasks of type t and those after it. */
static double share_out(const struct tv_area *area, size_t t, const double *busy)
{
	size_t nr = area->nresources;
	double best = INFINITY, next[RTYPES + 1];

	if (t == area->ntypes) {
		double most = 0;

		for (size_t r = 0; r < nr; r++)
			most = fmax(most, busy[r] > 0 ? busy[r] / area->workers[r] : 0);
		return most;
	}
	for (int first = 0; first <= (int)area->count[t]; first++)
		for (int second = 0; second <= (int)area->count[t] - first; second++) {
			double n[] = { first, second, area->count[t] - first - second };
			bool can = true;

			for (size_t r = 0; r < nr; r++) {
				can = can && (n[r] <= 0 || area->time[t * nr + r] >= 0);
				next[r] = busy[r] + fmax(0, n[r] * area->time[t * nr + r]);
			}
			if (can)
				best = fmin(best, share_out(area, t + 1, next));
		}
	return best;
}

/* A duration; with ties: small numbers, and types that are up to 10^11 times shorter. */
static double draw_time(uint64_t *seed, bool ties, double unit)
{
	return ties ? (double)(1 + unit_random(seed, 3)) * unit
		    : (double)unit_random(seed, 1000) * 1e6;
}

static void compare_allocations(uint64_t seed, bool ties)
{
	int unproven = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double count[TYPES], time[TYPES * 3], workers[3], busy[3] = { 0 }, bound, want;
		struct tv_area area = { 1 + unit_random(&seed, TYPES), 3, count, time, workers };
		struct tv_error err = { 0 };
		bool optimal;

		for (size_t t = 0; t < area.ntypes; t++) {
			double unit = ties ? 1e12 * pow(10, -(double)unit_random(&seed, 12)) : 0;

			count[t] = 1 + (double)unit_random(&seed, 5);
			for (size_t r = 0; r < 3; r++)
				time[t * 3 + r] = r > 0 && unit_random(&seed, 4) == 0
							? -1
							: draw_time(&seed, ties, unit);
		}
		for (size_t r = 0; r < 3; r++)
			workers[r] = 1 + (double)unit_random(&seed, 4);
		if (tv_area_integer(&area, 10000000000, &bound, &optimal, &err) < 0)
			fail_msg("%s", err.text);
		want = share_out(&area, 0, busy);
		unproven += !optimal;
		if (!optimal)
			continue;
		if (fabs(bound - want) > 3 * TV_INTEGER_ACCURACY * want + 1e-9)
			fail_msg("round %d: %.9f, but the best is %.9f", i, bound, want);
	}
	assert_true(unproven <= (ties ? ROUNDS / 1000 : 0));
}

static void every_allocation(void **state)
{
	(void)state;
	compare_allocations(7, false);
	compare_allocations(8, true);
}

/* Out of time: the area bound itself. */
static void out_of_time(void **state)
{
	enum { MANY = 40 };
	double count[MANY], time[MANY * 3], workers[] = { 7, 5, 3 }, ideal[MANY * 3], bound, area;
	struct tv_area in = { MANY, 3, count, time, workers };
	struct tv_error err = { 0 };
	uint64_t seed = unit_seed(3);
	bool optimal = true;

	(void)state;
	for (size_t t = 0; t < MANY; t++) {
		count[t] = 100 + (double)unit_random(&seed, 1000);
		for (size_t r = 0; r < 3; r++)
			time[t * 3 + r] = 1e6 + (double)unit_random(&seed, 1000000000);
	}
	assert_int_equal(tv_area_integer(&in, 1, &bound, &optimal, &err), 0);
	assert_false(optimal);
	assert_int_equal(tv_area_bound(&in, &area, ideal, &err), 0);
	assert_true(bound == area);
}

/* Tasks with heads and tails of their own, of several types. */
struct tasks {
	uint32_t n, type[400];
	double head[400], tail[400], count[400], time[400 * 4], workers[4];
	struct tv_area area;
};

static void draw_tasks(struct tasks *x, uint64_t *seed, uint32_t n, size_t ntypes,
		       size_t nresources, uint32_t times)
{
	x->n = n;
	x->area = (struct tv_area){ ntypes, nresources, NULL, x->time, x->workers };
	for (size_t k = 0; k < ntypes * nresources; k++)
		x->time[k] = k % nresources > 0 && unit_random(seed, 4) == 0
				   ? -1
				   : (double)unit_random(seed, times);
	for (size_t r = 0; r < nresources; r++)
		x->workers[r] = r > 0 && unit_random(seed, 9) == 0
				      ? 0
				      : 1 + (double)unit_random(seed, 3);
	for (uint32_t v = 0; v < n; v++) {
		/* A root and a leaf are among them. */
		x->head[v] = v == 0 ? 0 : (double)unit_random(seed, 20);
		x->tail[v] = v + 1 == n ? 0 : (double)unit_random(seed, 20);
		x->type[v] = n == ntypes ? v : (uint32_t)unit_random(seed, ntypes);
		x->count[v] = 1 + (double)unit_random(seed, 3);
	}
}

/* h + area + q of one cut, by the linear program of its tasks; -1 = it has none. */
static double cut_bound(const struct tasks *x, double h, double q)
{
	double number[400] = { 0 }, time[400 * 4], ideal[400 * 4], between;
	struct tv_area cut = { 0, x->area.nresources, number, time, x->workers };
	struct tv_error err = { 0 };

	for (size_t t = 0; t < x->area.ntypes; t++) {
		double total = 0;

		for (uint32_t v = 0; v < x->n; v++)
			if (x->type[v] == t && x->head[v] >= h && x->tail[v] >= q)
				total += x->count[v];
		if (total <= 0)
			continue;
		memcpy(time + cut.ntypes * cut.nresources, x->time + t * cut.nresources,
		       cut.nresources * sizeof *time);
		number[cut.ntypes++] = total;
	}
	if (cut.ntypes == 0)
		return -1;
	assert_int_equal(tv_area_bound(&cut, &between, ideal, &err), 0);
	return h + between + q;
}

static double best_cut(const struct tasks *x)
{
	double best = 0;

	for (uint32_t a = 0; a < x->n; a++)
		for (uint32_t b = 0; b < x->n; b++)
			best = fmax(best, cut_bound(x, x->head[a], x->tail[b]));
	return best;
}

static double tight_of(const struct tasks *x, bool *all)
{
	struct tv_error err = { 0 };
	double bound;

	if (tv_tight_bound(
		    &(struct tv_tight){ &x->area, x->n, x->head, x->tail, x->type, x->count },
		    &bound, all, &err)
	    < 0)
		fail_msg("%s", err.text);
	return bound;
}

/* The bound of tasks with these heads and tails: the best of all cuts, which are few enough. */
static void every_cut(void **state)
{
	static struct tasks x;
	uint64_t seed = unit_seed(64);
	int above[5] = { 0 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		size_t nresources = 1 + (size_t)unit_random(&seed, 4);
		double best, bound;
		bool all;

		draw_tasks(&x, &seed, 1 + (uint32_t)unit_random(&seed, 12),
			   1 + (size_t)unit_random(&seed, 6), nresources, i % 2 ? 9 : 1000);
		best = best_cut(&x);
		bound = tight_of(&x, &all);
		assert_true(all);
		if (fabs(bound - best) > 1e-9 * (1 + best))
			fail_msg("round %d: %.9f, but the best cut gives %.9f", i, bound, best);
		above[nresources] += bound > cut_bound(&x, 0, 0) + 1e-6;
	}
	for (size_t r = 1; r < TV_COUNT(above); r++)
		assert_true(above[r] > ROUNDS / 20);
}

/* The area bound of tasks by type on two resource types: all on the second, then those to the first
 * one that gain most there, until both are equally full. */
static double area_of_two(const struct tasks *x, const double *number)
{
	double first = 0, second = 0;
	bool moved[6] = { false };

	for (size_t t = 0; t < x->area.ntypes; t++)
		second += number[t] * x->time[2 * t + 1] / x->workers[1];
	for (size_t k = 0; k < x->area.ntypes; k++) {
		size_t best = x->area.ntypes;
		double a, b, share;

		for (size_t t = 0; t < x->area.ntypes; t++)
			if (!moved[t]
			    && (best == x->area.ntypes
				|| x->time[2 * t + 1] * x->time[2 * best]
					   > x->time[2 * best + 1] * x->time[2 * t]))
				best = t;
		moved[best] = true;
		a = number[best] * x->time[2 * best] / x->workers[0];
		b = number[best] * x->time[2 * best + 1] / x->workers[1];
		if (a + b <= 0 || first >= second)
			continue;
		share = fmin(1, (second - first) / (a + b));
		first += share * a;
		second -= share * b;
	}
	return fmax(first, second);
}

/* As every_cut with so many different heads and tails that they are divided into ranges. */
static void many_cuts(void **state)
{
	static struct tasks x;
	uint64_t seed = unit_seed(400);

	(void)state;
	for (int i = 0; i < 40; i++) {
		uint32_t by_tail[400];
		double best = 0;
		bool all;

		draw_tasks(&x, &seed, 150 + (uint32_t)unit_random(&seed, 250), 6, 2, 1000);
		for (size_t k = 0; k < 12; k++)
			x.time[k] = 1 + fabs(x.time[k]);
		x.workers[1] = fmax(x.workers[1], 1);
		for (uint32_t v = 0; v < x.n; v++) {
			x.head[v] = (double)unit_random(&seed, i % 2 ? 20000 : 200);
			x.tail[v] = (double)unit_random(&seed, i % 3 ? 20000 : 200);
			by_tail[v] = v;
		}
		for (uint32_t v = 1; v < x.n; v++) /* the largest tail first */
			for (uint32_t k = v; k > 0 && x.tail[by_tail[k]] > x.tail[by_tail[k - 1]];
			     k--) {
				uint32_t other = by_tail[k];

				by_tail[k] = by_tail[k - 1];
				by_tail[k - 1] = other;
			}
		for (uint32_t a = 0; a < x.n; a++) {
			double number[6] = { 0 };

			for (uint32_t k = 0; k < x.n; k++) {
				uint32_t v = by_tail[k];

				if (x.head[v] < x.head[a])
					continue;
				number[x.type[v]] += x.count[v];
				best = fmax(best, x.head[a] + area_of_two(&x, number) + x.tail[v]);
			}
		}
		if (fabs(tight_of(&x, &all) - best) > 1e-9 * best)
			fail_msg("round %d: %.9f, but the best cut gives %.9f", i,
				 tight_of(&x, &all), best);
		assert_true(all);
	}
}

/* Too many prices: a bound, of which this is said, and not below the area of all tasks. */
static void many_prices(void **state)
{
	static struct tasks x;
	uint64_t seed = unit_seed(300);
	double best = 0, bound;
	bool all;

	(void)state;
	draw_tasks(&x, &seed, 300, 300, 4, 1000000);
	for (uint32_t v = 0; v < x.n; v++) {
		x.head[v] = 1e7 * (v % 3);
		x.tail[v] = 1e7 * (v % 5 / 2);
	}
	for (int h = 0; h < 3; h++)
		for (int q = 0; q < 3; q++)
			best = fmax(best, cut_bound(&x, 1e7 * h, 1e7 * q));
	bound = tight_of(&x, &all);
	assert_false(all);
	assert_true(bound <= best * (1 + 1e-9));
	assert_true(bound >= cut_bound(&x, 0, 0) * (1 - 1e-9));
}

/* A pair that never ran, or is forbidden, is no proof; nor is a run that overlaps itself. */
static void natures(void **state)
{
	static const struct {
		const char *rows, *forbid, *nature;
		double time;
	} row[] = {
		{ "CPU0,a,1,0,4,\nCUDA0,a,2,0,3,\nCPU0,a,3,4,8,1\n", NULL, "bound", 6 },
		{ "CPU0,a,1,0,4,\nCUDA0,a,2,0,3,\nCPU0,b,3,4,8,1\n", NULL, "estimate", 7 },
		{ "CPU0,a,1,0,4,\nCUDA0,a,2,0,3,\nCPU0,a,3,4,8,1\n", "a:CUDA", "estimate", 8 },
		/* 2 starts before 1, which it depends on, has ended. */
		{ "CPU0,a,1,0,4,\nCPU1,a,2,2,6,1\n", NULL, "estimate", 8 },
		{ "CPU0,a,1,0,4,\nCPU1,a,1,0,4,\nCPU0,a,2,4,8,1\n", NULL, "bound", 8 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const char *const value[] = {
			NULL, NULL, NULL, "minimum", NULL, row[i].forbid, NULL
		};
		const char *nature = "";
		const struct tv_table *out;
		char csv[400];
		struct sample s;

		snprintf(csv, sizeof csv, "ResourceId,Value,JobId,Start,End,DependsOn\n%s",
			 row[i].rows);
		sample_make(&s, csv);
		out = tv_run_pass(&s.run, "bounds", value, &s.err);
		assert_non_null(out);
		assert_true(time_of(out, "cpe", &nature) == row[i].time);
		assert_string_equal(nature, row[i].nature);
		sample_release(&s);
	}
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(natures),	    cmocka_unit_test(every_schedule),
		cmocka_unit_test(every_allocation), cmocka_unit_test(every_cut),
		cmocka_unit_test(many_cuts),	    cmocka_unit_test(many_prices),
		cmocka_unit_test(out_of_time),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
