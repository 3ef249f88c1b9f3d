/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_decompose.c -- the terms of a change: by hand, sums of random pairs, planted changes. */
#include <math.h>

#include "analysis/compare/decompose.h"
#include "tests/unit/pair.h"

static const char *name_of(const struct tv_term *term, char out[100])
{
	static const char *const names[TV_NEFFECTS] = { "workers", "allocation", "duration",
							"count",   "overlap",	 "other",
							"work",	   "idle" };

	snprintf(out, 100, "%s%s%s%s%s%s%s", names[term->effect], term->value[0] ? " " : "",
		 term->value, term->rtype[0] ? " " : "", term->rtype, term->cause[0] ? " " : "",
		 term->cause);
	return out;
}

static void decompose(struct tv_decomposition *d, struct sample *a, struct sample *b)
{
	struct tv_run *run[2] = { &a->run, &b->run };
	struct tv_error err = { 0 };

	if (tv_decompose(d, run, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

/* The term of that name; fails without it. */
static const struct tv_term *find(const struct tv_decomposition *d, const char *name)
{
	char text[100];

	for (size_t i = 0; i < d->nterms; i++)
		if (strcmp(name_of(&d->term[i], text), name) == 0)
			return &d->term[i];
	fail_msg("no term '%s'", name);
	return NULL;
}

static void check_sums(const struct tv_decomposition *d)
{
	tv_int128 sum = 0, busy = 0, idle = 0;

	for (size_t i = 0; i < d->nterms; i++) {
		enum tv_effect effect = d->term[i].effect;

		sum += d->term[i].twice;
		if (effect == TV_EFFECT_IDLE)
			idle += d->term[i].twice;
		else if (effect != TV_EFFECT_WORKERS && effect != TV_EFFECT_OTHER)
			busy += d->term[i].twice;
	}
	assert_true(sum == d->twice);
	assert_true(d->twice
		    == ((tv_int128)d->makespan[1] - d->makespan[0])
			       * (d->workers[0] + d->workers[1]));
	assert_true(busy == 2 * (d->busy[1] - d->busy[0]));
	assert_true(idle == 2 * (d->idle[1] - d->idle[0]));
}

#define HEAD "ResourceId,Value,Start,End,JobId,Kind,ResourceType\n"

/*
 * a: 4 on CPU of 10 each, 4 on GPU of 2 each. Then 2 on CPU of 12, 8 on GPU of 3: N 8 to 10, shares
 * 1/2 1/2 to 1/5 4/5, mean w 11 and 2.5.
 *	count       2 (0.35 x 11 + 0.65 x 2.5) = 10.95
 *	allocation  9 (-0.3 x 11 + 0.3 x 2.5) = -22.95
 *	duration    CPU 2 x 3 = 6, GPU 1 x 6 = 6
 * and b: only in the second run, 7 on CPU. Busy 48 to 48 + 7.
 */
static void by_hand(void **state)
{
	struct sample a, b;
	struct tv_decomposition d;

	(void)state;
	sample_make(&a, HEAD
		    "C,a,0,10,1,app,CPU\nC,a,10,20,2,app,CPU\nC,a,20,30,3,app,CPU\n"
		    "C,a,30,40,4,app,CPU\nG,a,0,2,5,app,GPU\nG,a,2,4,6,app,GPU\nG,a,4,6,7,app,GPU\n"
		    "G,a,6,8,8,app,GPU\nC,x,30,41,9,setup,CPU\n");
	sample_make(&b, HEAD "C,a,0,12,1,app,CPU\nC,a,12,24,2,app,CPU\nG,a,0,3,5,app,GPU\n"
			     "G,a,3,6,6,app,GPU\nG,a,6,9,7,app,GPU\nG,a,9,12,8,app,GPU\n"
			     "G,a,12,15,9,app,GPU\nG,a,15,18,10,app,GPU\nG,a,18,21,11,app,GPU\n"
			     "G,a,21,24,12,app,GPU\nH,b,0,7,13,app,GPU\nC,x,2,3,9,setup,CPU\n");
	decompose(&d, &a, &b);
	check_sums(&d);
	assert_true(find(&d, "count a")->twice == 21900000);
	assert_true(find(&d, "allocation a")->twice == -45900000);
	assert_true(find(&d, "duration a CPU")->twice == 12000000);
	assert_true(find(&d, "duration a GPU")->twice == 12000000);
	assert_true(find(&d, "count b")->twice == 14000000);
	/* One more GPU for (40 + 24) / 2. */
	assert_true(find(&d, "workers GPU")->twice == -64000000);
	assert_true(d.busy[0] == 48000000 && d.busy[1] == 55000000);
	assert_true(d.idle[0] == 32000000 && d.idle[1] == 17000000);
	assert_true(d.twice == -16000000 * 5);
	tv_decomposition_release(&d);
	sample_release(&a);
	sample_release(&b);
}

/* Time in other tasks, and tasks that overlap on a worker. */
static void other_and_overlap(void **state)
{
	struct sample a, b;
	struct tv_decomposition d;

	(void)state;
	sample_make(&a, HEAD "C,a,0,10,1,app,CPU\nC,s,10,12,2,setup,CPU\nC,a,12,20,3,app,CPU\n");
	sample_make(&b, HEAD "C,a,0,10,1,app,CPU\nC,s,12,15,2,setup,CPU\nC,a,7,12,3,app,CPU\n"
			     "C,a,16,20,4,app,CPU\n");
	decompose(&d, &a, &b);
	check_sums(&d);
	assert_true(find(&d, "other")->twice == 2000000);
	assert_true(find(&d, "overlap")->twice == -6000000);
	assert_true(d.twice == 0);
	tv_decomposition_release(&d);
	sample_release(&a);
	sample_release(&b);
}

static void same_run(void **state)
{
	uint64_t seed = unit_seed(5);
	struct pair_run run;
	struct sample a, b;
	struct tv_decomposition d;

	(void)state;
	pair_draw(&run, 9, &seed);
	pair_sample(&a, &run);
	pair_sample(&b, &run);
	decompose(&d, &a, &b);
	for (size_t i = 0; i < d.nterms; i++)
		assert_true(d.term[i].twice == 0);
	assert_true(d.twice == 0 && d.nterms > 6);
	tv_decomposition_release(&d);
	sample_release(&a);
	sample_release(&b);
}

/* A term as the header defines it, in long double. */
static long double expected(const struct tv_decomposition *d, const struct tv_term *term)
{
	long double n[2] = { 0 }, count = 0, allocation = 0, duration = 0, change = 0;

	for (size_t i = 0; i < d->exchanges.n; i++)
		for (int side = 0; side < 2; side++)
			if (strcmp(d->exchanges.at[i].value, term->value) == 0)
				n[side] += d->exchanges.at[i].n[side];
	for (size_t i = 0; i < d->exchanges.n; i++) {
		const struct tv_exchange *e = &d->exchanges.at[i];
		long double w[2], share[2];

		if (strcmp(e->value, term->value) != 0)
			continue;
		change += e->time[1] - e->time[0];
		if (n[0] == 0 || n[1] == 0)
			continue;
		for (int side = 0; side < 2; side++) {
			int from = e->n[side] > 0 ? side : !side;

			w[side] = (long double)e->time[from] / e->n[from];
			share[side] = e->n[side] / n[side];
		}
		count += (n[1] - n[0]) * (share[0] + share[1]) / 2 * (w[0] + w[1]) / 2;
		allocation += (n[0] + n[1]) / 2 * (share[1] - share[0]) * (w[0] + w[1]) / 2;
		if (strcmp(e->rtype, term->rtype) == 0)
			duration = (w[1] - w[0]) * (e->n[0] + e->n[1]) / 2.0L;
	}
	return n[0] == 0 || n[1] == 0		    ? change
	     : term->effect == TV_EFFECT_COUNT	    ? count
	     : term->effect == TV_EFFECT_ALLOCATION ? allocation
						    : duration;
}

/* Unrelated runs of various sizes: every sum is exact, every term what it should be. */
static void random_pairs(void **state)
{
	enum { ROUNDS = 3000 };
	uint64_t seed = unit_seed(31415);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct pair_run run[2];
		struct sample s[2];
		struct tv_decomposition d;

		for (int side = 0; side < 2; side++) {
			pair_draw(&run[side], 40, &seed);
			run[side].n = 1 + (int)unit_random(&seed, PAIR_TASKS);
			if (unit_random(&seed, 3) == 0)
				run[side].task[0].delay = (int64_t)unit_random(&seed, 5000000);
			if (unit_random(&seed, 3) == 0)
				run[side].lost = (int)unit_random(&seed, PAIR_WORKERS);
			pair_time(&run[side]);
			pair_sample(&s[side], &run[side]);
		}
		decompose(&d, &s[0], &s[1]);
		check_sums(&d);
		for (size_t i = 0; i < d.nterms; i++) {
			const struct tv_term *term = &d.term[i];
			long double is = (long double)term->twice / 2;

			if (term->effect == TV_EFFECT_ALLOCATION
			    || term->effect == TV_EFFECT_DURATION
			    || term->effect == TV_EFFECT_COUNT)
				assert_true(fabsl(is - expected(&d, term)) < 6);
			assert_non_null(tv_decomposition_ranked(&d, (uint32_t)i + 1));
		}
		tv_decomposition_release(&d);
		sample_release(&s[0]);
		sample_release(&s[1]);
	}
}

/* ---- planted changes ---- */

enum plant { SLOWER, LOST, DELAY, MOVED, NPLANTS };

/* What is planted in `run`, by the name of its term. */
static void plant(struct pair_run *run, enum plant what, uint64_t *seed, char name[100])
{
	int type = (int)unit_random(seed, PAIR_TYPES), worker = 0;
	bool gpu = unit_random(seed, 2) == 1;
	int delayed = (int)unit_random(seed, (uint64_t)run->n);

	if (what == LOST)
		run->lost = gpu ? PAIR_CPUS : 0;
	for (int i = 0; i < run->n; i++) {
		struct pair_task *t = &run->task[i];

		if (what == SLOWER && t->type == type && pair_is_gpu(t->worker) == gpu)
			t->duration += t->duration / 5;
		if (what == LOST && t->worker == run->lost)
			t->worker++;
		if (what == DELAY && i == delayed)
			t->delay = 60000000;
		if (what == MOVED && t->type == type && pair_is_gpu(t->worker)) {
			t->worker = worker++ % PAIR_CPUS;
			t->duration = pair_duration(t->type, false, 2, seed);
		}
	}
	if (what == SLOWER)
		snprintf(name, 100, "duration t%d %s", type, gpu ? "GPU" : "CPU");
	else if (what == LOST)
		snprintf(name, 100, "workers %s", gpu ? "GPU" : "CPU");
	else if (what == DELAY)
		snprintf(name, 100, "idle runtime");
	else
		snprintf(name, 100, "allocation t%d", type);
	pair_time(run);
}

static void planted(void **state)
{
	enum { SEEDS = 200 };
	int tried[NPLANTS] = { 0 };

	(void)state;
	for (uint64_t i = 1; i <= SEEDS * NPLANTS; i++) {
		enum plant what = (enum plant)(i % NPLANTS);
		struct pair_run run[2];
		struct sample s[2];
		struct tv_decomposition d;
		uint64_t seed = unit_seed(i * 7919);
		char name[100], first[100];

		pair_draw(&run[0], 2, &seed);
		run[1] = run[0];
		plant(&run[1], what, &seed, name);
		/* A change of another order of tasks may make up for it, or for more. */
		if (run[1].makespan <= run[0].makespan)
			continue;
		tried[what]++;
		for (int side = 0; side < 2; side++)
			pair_sample(&s[side], &run[side]);
		for (int back = 0; back < 2; back++) {
			decompose(&d, &s[back], &s[!back]);
			name_of(tv_decomposition_ranked(&d, 1), first);
			if (strcmp(first, name) != 0)
				fail_msg("seed %llu: '%s' first, not '%s'", (unsigned long long)i,
					 first, name);
			tv_decomposition_release(&d);
		}
		sample_release(&s[0]);
		sample_release(&s[1]);
	}
	for (int what = 0; what < NPLANTS; what++)
		assert_true(tried[what] > SEEDS / 2);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(by_hand),  cmocka_unit_test(other_and_overlap),
		cmocka_unit_test(same_run), cmocka_unit_test(random_pairs),
		cmocka_unit_test(planted),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
