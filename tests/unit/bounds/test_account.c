/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_account.c -- the identities of accounts on random runs, what was planted. */
#include <math.h>

#include "analysis/bounds/accounting.h"
#include "lp/area.h"
#include "tests/unit/sample.h"

static void make_account(struct tv_account *account, struct sample *s, const char *durations)
{
	if (tv_account_init(account, &s->run, durations, NULL, true, &s->err) < 0)
		fail_msg("%s", s->err.text);
}

/* ---- random runs ---- */

enum { TASKS = 24, WORKERS = 7, TYPES = 4, MACHINES = 3 };

struct random_run {
	char csv[1 << 13];
	size_t at;
	int tasks, workers, machines; /* machines: types of workers */
	int64_t duration[TYPES][MACHINES];
	int noise;
	uint64_t seed;
};

static int machine_of(const struct random_run *run, int worker)
{
	return worker % run->machines;
}

static void add_line(struct random_run *run, int worker, int type, int job, int64_t start,
		     int64_t end, const char *rest)
{
	char ms[2][TV_NUMBER_MAX];

	tv_write_ms(ms[0], start);
	tv_write_ms(ms[1], end);
	run->at += (size_t)snprintf(run->csv + run->at, sizeof run->csv - run->at,
				    "%d_W%d,M%d,t%d,%d,%s,%s,%s\n", worker % 2, worker,
				    machine_of(run, worker), type, job, ms[0], ms[1], rest);
	assert_true(run->at < sizeof run->csv);
}

/* A task, which may be a team of two or have two segments, on workers of any type. */
static void add_task(struct random_run *run, int job)
{
	int worker = (int)unit_random(&run->seed, (uint64_t)run->workers);
	int other = (worker + 1) % run->workers, type = (int)unit_random(&run->seed, TYPES);
	int64_t start = (int64_t)unit_random(&run->seed, 4000000);
	int64_t time = run->duration[type][machine_of(run, worker)]
		     + (int64_t)unit_random(&run->seed, (uint64_t)run->noise + 1);
	const char *kind = unit_random(&run->seed, 8) == 0 ? "setup" : "app";
	char rest[60], depends[16] = "";

	if (job > 1 && unit_random(&run->seed, 3) == 0)
		snprintf(depends, sizeof depends, "%d",
			 (int)unit_random(&run->seed, (uint64_t)job));
	snprintf(rest, sizeof rest, "%s,%s,,", kind, depends);
	switch (unit_random(&run->seed, 6)) {
	case 0:
		snprintf(rest, sizeof rest, "%s,%s,2,", kind, depends);
		if (other != worker)
			add_line(run, other, type, job, start, start + time / 2 + 1, rest);
		break;
	case 1:
		snprintf(rest, sizeof rest, "%s,,,1", kind);
		/* On the same node. */
		add_line(run, worker + 2 < run->workers ? worker + 2 : worker, type, job,
			 start + time + 7, start + 2 * time + 7, rest);
		snprintf(rest, sizeof rest, "%s,%s,,0", kind, depends);
		break;
	default:
		break;
	}
	add_line(run, worker, type, job, start, start + time, rest);
}

static void draw(struct random_run *run)
{
	run->tasks = 1 + (int)unit_random(&run->seed, TASKS);
	run->workers = 1 + (int)unit_random(&run->seed, WORKERS);
	run->machines = 1 + (int)unit_random(&run->seed, MACHINES);
	run->noise = unit_random(&run->seed, 2) == 0 ? 0 : 300000;
	for (int t = 0; t < TYPES; t++)
		for (int m = 0; m < MACHINES; m++)
			run->duration[t][m] = unit_random(&run->seed, 12) == 0
						    ? 0
						    : 1 + (int64_t)unit_random(&run->seed, 900000);
	run->at = (size_t)snprintf(run->csv, sizeof run->csv,
				   "ResourceId,ResourceType,Value,JobId,Start,End,Kind,DependsOn,"
				   "Team,Segment\n");
	for (int w = 0; w < run->workers; w++)
		run->at += (size_t)snprintf(run->csv + run->at, sizeof run->csv - run->at,
					    "%d_W%d,M%d,,,,,worker,,,\n", w % 2, w,
					    machine_of(run, w));
	for (int i = 1; i <= run->tasks; i++)
		add_task(run, i);
}

/* Time of a worker in executions of any of these kinds, ends of which are all there are, from the
 * start of the run to its end. */
static int64_t covered(const struct tv_tasks *tasks, uint32_t w, const bool *set)
{
	int64_t sum = 0, at = tasks->begin;

	while (at < tasks->finish) {
		int64_t next = tasks->finish;
		bool in = false;

		for (uint32_t i = 0; i < tasks->n; i++) {
			if (!set[i] || tasks->worker[i] != w)
				continue;
			in = in || (tasks->start[i] <= at && tasks->end[i] > at);
			if (tasks->start[i] > at && tasks->start[i] < next)
				next = tasks->start[i];
			if (tasks->end[i] > at && tasks->end[i] < next)
				next = tasks->end[i];
		}
		sum += in ? next - at : 0;
		at = next;
	}
	return sum;
}

static void check_type(const struct tv_account *a, const struct tv_tasks *tasks, uint32_t r)
{
	const struct tv_account_type *type = &a->type[r];
	tv_int128 work = 0, busy = 0, all = 0, idle = 0;

	for (uint32_t i = 0; i < tasks->n; i++)
		if (tasks->counted[i] && tasks->workers[tasks->worker[i]].rtype == r)
			work += tasks->end[i] - tasks->start[i];
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].rtype == r) {
			busy += covered(tasks, w, tasks->counted);
			all += covered(tasks, w, tasks->executed);
		}
	for (size_t i = 0; i < a->n; i++)
		if (a->row[i].part == TV_ACCOUNT_IDLE && a->row[i].type == r)
			idle += a->row[i].worker;
	assert_true(type->work == work && type->overlap == work - busy);
	assert_true(type->other == all - busy && type->idle == idle);
	assert_true((tv_int128)type->workers * a->makespan
		    == type->work - type->overlap + type->other + type->idle);
	assert_true(type->price >= 0);
}

static void check_parts(const struct tv_account *a, const char *durations)
{
	tv_int128 time = 0;
	long double exact = 0, workers = 0, tolerance = 1e-9L * (long double)(a->makespan + 1);

	for (uint32_t r = 0; r < a->ntypes; r++)
		workers += (long double)a->type[r].price * (long double)a->type[r].workers;
	assert_true(fabsl(workers - 1) < 1e-12L);
	for (size_t i = 0; i < a->n; i++) {
		const struct tv_account_row *row = &a->row[i];
		long double priced = (long double)a->type[row->type].price
				   * (long double)row->worker;

		time += row->time;
		exact += row->exact;
		assert_true(row->part != TV_ACCOUNT_ALLOCATION || row->exact > 0);
		/* WorkerTime of durations is rounded. */
		if (row->part != TV_ACCOUNT_ALLOCATION)
			assert_true(fabsl(priced - row->exact) <= 1.0L);
	}
	assert_true(time == (tv_int128)a->makespan - a->area);
	if (fabsl(exact - ((long double)a->makespan - (long double)a->bound)) > tolerance)
		fail_msg("durations %s: %Lg, expected %Lg", durations, exact,
			 (long double)a->makespan - (long double)a->bound);
	assert_true(a->placement >= a->bound * (1 - 1e-9));
}

/* Optimality of the prices, from means computed here; without segments. */
static void check_prices(const struct tv_account *a, const struct tv_tasks *tasks)
{
	double n[TYPES][MACHINES] = { { 0 } }, time[TYPES][MACHINES] = { { 0 } }, sum = 0;

	if (tasks->segment != NULL || a->bound <= 0)
		return;
	for (uint32_t i = 0; i < tasks->n; i++) {
		uint32_t r;
		int t;

		if (!tasks->counted[i])
			continue;
		r = tasks->workers[tasks->worker[i]].rtype;
		t = tv_pool_text(tasks->pool, tasks->value[i])[1] - '0';
		n[t][r] += 1 / tv_team_of(tasks, i);
		time[t][r] += (double)(tasks->end[i] - tasks->start[i]);
	}
	for (int t = 0; t < TYPES; t++) {
		double all = 0, min = INFINITY;

		for (uint32_t r = 0; r < a->ntypes; r++) {
			all += n[t][r];
			if (n[t][r] > 0)
				min = fmin(min, a->type[r].price * time[t][r] / n[t][r]);
		}
		sum += all > 0 ? all * min : 0;
	}
	assert_true(fabs(sum - a->bound) <= 1e-9 * a->bound);
}

static void random_runs(void **state)
{
	static const char *const durations[] = { "mean", "median", "minimum" };
	struct random_run *run = tv_alloc(1, sizeof *run);

	(void)state;
	run->seed = unit_seed(19);
	for (int i = 0; i < 10000; i++) {
		struct sample s;
		struct tv_account a;
		int first = i % 8 == 0 ? 0 : i % 3;

		draw(run);
		sample_make(&s, run->csv);
		for (int d = first; d <= (i % 8 == 0 ? 2 : first) && s.run.tasks.ncounted > 0;
		     d++) {
			make_account(&a, &s, durations[d]);
			for (uint32_t r = 0; r < a.ntypes; r++)
				check_type(&a, &s.run.tasks, r);
			check_parts(&a, durations[d]);
			if (d == 0)
				check_prices(&a, &s.run.tasks);
			tv_account_release(&a);
		}
		sample_release(&s);
	}
	tv_free(run);
}

/* Seconds are worker time over the number of workers if there is one type of them. */
static void one_type(void **state)
{
	struct random_run *run = tv_alloc(1, sizeof *run);

	(void)state;
	run->seed = unit_seed(20);
	for (int i = 0; i < 100; i++) {
		struct sample s;
		struct tv_account a;

		draw(run);
		run->machines = 1;
		run->at = 0;
		run->at = (size_t)snprintf(run->csv, sizeof run->csv,
					   "ResourceId,ResourceType,Value,JobId,Start,End,Kind,"
					   "DependsOn,Team,Segment\n");
		for (int k = 1; k <= run->tasks; k++)
			add_task(run, k);
		sample_make(&s, run->csv);
		if (s.run.tasks.ncounted > 0) {
			make_account(&a, &s, "median");
			assert_int_equal(a.ntypes, 1);
			for (size_t k = 0; k < a.n; k++) {
				assert_true(a.row[k].part != TV_ACCOUNT_ALLOCATION);
				assert_true(fabsl(a.row[k].exact
						  - (long double)a.row[k].worker
							    / (long double)a.type[0].workers)
					    <= 1);
			}
			tv_account_release(&a);
		}
		sample_release(&s);
	}
	tv_free(run);
}

/* Fair prices of small programs, known by hand; low and high: of each price among all optimal ones. */
static void fair_prices(void **state)
{
	static const struct {
		double count[3], time[9], workers[3], price[3], low[3], high[3];
	} row[] = {
		/* t0 on r0 and r1, t1 on r1 and r2, all full: a chain, so one choice. */
		{ { 3, 3, 1 },
		  { 2, 2, -1, -1, 2, 2, 9, 9, 2 },
		  { 1, 1, 1 },
		  { 1. / 3, 1. / 3, 1. / 3 },
		  { 1. / 3, 1. / 3, 1. / 3 },
		  { 1. / 3, 1. / 3, 1. / 3 } },
		/* r0 and r1 share t0; r2 is as full as they are by itself. */
		{ { 2, 1, 1 },
		  { 2, 2, -1, -1, -1, 2, -1, -1, 1e-12 },
		  { 1, 1, 1 },
		  { 1. / 3, 1. / 3, 1. / 3 },
		  { 0, 0, 0 },
		  { .5, .5, 1 } },
		/* The same where r1 is half as fast. */
		{ { 3, 1, 0 },
		  { 2, 4, -1, -1, -1, 4, -1, -1, 1 },
		  { 1, 1, 1 },
		  { .4, .2, .4 },
		  { 0, 0, 0 },
		  { 2. / 3, 1. / 3, 1 } },
		/* Two workers of one type beside one of another: each worker the same. */
		{ { 2, 1, 0 },
		  { 20, -1, -1, -1, 20, -1, -1, 1, -1 },
		  { 2, 1, 0 },
		  { 1. / 3, 1. / 3, 0 },
		  { 0, 0, 0 },
		  { .5, 1, 0 } },
		/* r1 is not full, and r2 has nothing that it can do. */
		{ { 1, 1, 0 },
		  { 5, -1, -1, -1, 1, -1, -1, 1, -1 },
		  { 1, 1, 1 },
		  { 1, 0, 0 },
		  { 1, 0, 0 },
		  { 1, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		struct tv_area area = { 3, 3, row[i].count, row[i].time, row[i].workers };
		struct tv_error err = { 0 };
		double bound, ideal[9], price[3], low[3], high[3];

		if (tv_area_prices(&area, &bound, ideal, price, &err) < 0)
			fail_msg("%s", err.text);
		tv_area_fair_prices(&area, bound, ideal, price, low, high);
		for (int r = 0; r < 3; r++)
			if (fabs(price[r] - row[i].price[r]) > 1e-9
			    || fabs(low[r] - row[i].low[r]) > 1e-9
			    || fabs(high[r] - row[i].high[r]) > 1e-9)
				fail_msg("case %zu, type %d: %g in %g to %g", i, r, price[r],
					 low[r], high[r]);
	}
}

/* The sum of the cheapest cost of all tasks, which no prices make larger than the area bound. */
static double cost_at(const struct tv_area *area, const double *price)
{
	double sum = 0;

	for (size_t t = 0; t < area->ntypes; t++) {
		double min = INFINITY;

		for (size_t r = 0; r < area->nresources; r++)
			if (tv_area_allows(area, t, r))
				min = fmin(min, price[r] * area->time[t * area->nresources + r]);
		sum += area->count[t] * min;
	}
	return sum;
}

/* Small whole numbers make many ties. Of prices on a grid no optimal one is fairer: its prices in descending order
 * are not smaller, and none is outside of low and high. The order of types has no effect. */
static void fair_prices_by_search(void **state)
{
	enum { GRID = 12 };
	uint64_t seed = unit_seed(2026);

	(void)state;
	for (int round = 0; round < 300; round++) {
		double count[3], time[9], workers[3] = { 1, 1, 1 }, turned[9], bound, ideal[9];
		double price[3], low[3], high[3], other[3], other_low[3], other_high[3];
		struct tv_area area = { 3, 3, count, time, workers };
		struct tv_area turn = { 3, 3, count, turned, workers };
		struct tv_error err = { 0 };

		for (int t = 0; t < 3; t++) {
			count[t] = (double)unit_random(&seed, 4);
			for (int r = 0; r < 3; r++)
				time[3 * t + r] = unit_random(&seed, 2) > 0 || r == t
							? (double)unit_random(&seed, 3) + 1
							: -1;
			for (int r = 0; r < 3; r++)
				turned[3 * t + (r + 1) % 3] = time[3 * t + r];
		}
		if (tv_area_prices(&area, &bound, ideal, price, &err) < 0)
			fail_msg("round %d: %s", round, err.text);
		if (!(bound > 0))
			continue;
		tv_area_fair_prices(&area, bound, ideal, price, low, high);
		assert_true(fabs(cost_at(&area, price) - bound) < 1e-8);
		for (int i = 0; i <= GRID; i++)
			for (int j = 0; i + j <= GRID; j++) {
				double at[3] = { (double)i / GRID, (double)j / GRID,
						 (double)(GRID - i - j) / GRID };

				if (cost_at(&area, at) < bound - 1e-9)
					continue;
				for (int r = 0; r < 3; r++)
					if (at[r] < low[r] - 1e-9 || at[r] > high[r] + 1e-9)
						fail_msg("round %d: type %d can be %g", round, r,
							 at[r]);
				assert_true(fmax(at[0], fmax(at[1], at[2]))
					    > fmax(price[0], fmax(price[1], price[2])) - 1e-9);
			}
		if (tv_area_prices(&turn, &bound, ideal, other, &err) < 0)
			fail_msg("round %d: %s", round, err.text);
		tv_area_fair_prices(&turn, bound, ideal, other, other_low, other_high);
		for (int r = 0; r < 3; r++)
			if (fabs(other[(r + 1) % 3] - price[r]) > 1e-8)
				fail_msg("round %d: type %d is worth %g or %g", round, r, price[r],
					 other[(r + 1) % 3]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fair_prices),
		cmocka_unit_test(fair_prices_by_search),
		cmocka_unit_test(one_type),
		cmocka_unit_test(random_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
