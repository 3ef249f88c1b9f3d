/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decompose.c -- the terms that the difference of two makespans is made of. */
#include "analysis/compare/decompose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

static struct tv_term *add_term(struct tv_decomposition *d, enum tv_effect effect,
				const char *value, const char *rtype, tv_int128 twice)
{
	struct tv_term *term;

	TV_GROW(d->term, d->nterms, d->terms_cap, 1);
	term = &d->term[d->nterms++];
	*term = (struct tv_term){
		.effect = effect, .value = value, .rtype = rtype, .cause = "", .twice = twice
	};
	return term;
}

/* A term of which both runs have an amount; none where both have nothing. */
static int add_change(struct tv_decomposition *d, enum tv_effect effect, const char *cause,
		      tv_int128 before, tv_int128 after, int sign)
{
	struct tv_term *term;

	if (before == 0 && after == 0)
		return 0;
	term = add_term(d, effect, "", "", sign * 2 * (after - before));
	if (term == NULL)
		return -1;
	term->cause = cause;
	term->level[0] = before;
	term->level[1] = after;
	return 0;
}

/* ---- what the passes tell ---- */

static int collect_idleness(struct tv_decomposition *d, struct tv_run *run, int side,
			    struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "idleness", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		d->busy[side] += tv_table_find(table, "Busy")->i[row];
		d->other[side] += tv_table_find(table, "Other")->i[row];
	}
	d->makespan[side] = run->tasks.finish - run->tasks.begin;
	d->workers[side] = run->tasks.nworkers;
	d->idle[side] = (tv_int128)d->workers[side] * d->makespan[side] - d->busy[side]
		      - d->other[side];
	return 0;
}

/* ---- terms ---- */

static int64_t workers_of(const struct tv_tasks *tasks, const char *rtype)
{
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		if (strcmp(tv_pool_text(tasks->pool, tasks->rtype[r].label), rtype) == 0)
			return tasks->rtype[r].nworkers;
	return 0;
}

static int add_workers(struct tv_decomposition *d, struct tv_run *const run[2], const char *rtype)
{
	int64_t before = workers_of(&run[0]->tasks, rtype),
		after = workers_of(&run[1]->tasks, rtype);
	tv_int128 both = (tv_int128)d->makespan[0] + d->makespan[1];
	struct tv_term *term;

	if (before == after)
		return 0;
	term = add_term(d, TV_EFFECT_WORKERS, "", rtype, -both * (after - before));
	if (term == NULL)
		return -1;
	term->level[0] = before;
	term->level[1] = after;
	return 0;
}

static int add_all_workers(struct tv_decomposition *d, struct tv_run *const run[2])
{
	const struct tv_tasks *first = &run[0]->tasks, *second = &run[1]->tasks;

	for (uint32_t r = 0; r < first->nrtypes; r++)
		if (add_workers(d, run, tv_pool_text(first->pool, first->rtype[r].label)) < 0)
			return -1;
	for (uint32_t r = 0; r < second->nrtypes; r++) {
		const char *rtype = tv_pool_text(second->pool, second->rtype[r].label);

		if (workers_of(first, rtype) == 0 && add_workers(d, run, rtype) < 0)
			return -1;
	}
	return 0;
}

/* Mean of the two runs' mean durations; of one where it ran in one only. */
static double mean_duration(const struct tv_exchange *e)
{
	double sum = 0;
	int known = 0;

	for (int side = 0; side < 2; side++)
		if (e->n[side] > 0) {
			sum += (double)e->time[side] / (double)e->n[side];
			known++;
		}
	return known > 0 ? sum / known : 0;
}

/* Change of the mean duration x mean number. The numerator is exact, so that nothing cancels. */
static double duration_effect(const struct tv_exchange *e)
{
	double n = (double)e->n[0], m = (double)e->n[1];

	if (e->n[0] == 0 || e->n[1] == 0)
		return 0;
	return (double)(e->time[1] * e->n[0] - e->time[0] * e->n[1]) * (n + m) / (2 * n * m);
}

/* What a task type's change is made of: worker-ns, not yet rounded. */
struct split {
	int64_t n[2];
	double count, allocation;
	tv_int128 change;
};

static struct split split_type(const struct tv_exchange *e, size_t n)
{
	struct split s = { .n = { 0 } };

	for (size_t r = 0; r < n; r++) {
		s.n[0] += e[r].n[0];
		s.n[1] += e[r].n[1];
		s.change += e[r].time[1] - e[r].time[0];
	}
	if (s.n[0] == 0 || s.n[1] == 0) {
		s.count = (double)s.change;
		return s;
	}
	for (size_t r = 0; r < n; r++) {
		double before = (double)e[r].n[0] / (double)s.n[0];
		double after = (double)e[r].n[1] / (double)s.n[1], w = mean_duration(&e[r]);
		tv_int128 moved = (tv_int128)e[r].n[1] * s.n[0] - (tv_int128)e[r].n[0] * s.n[1];

		s.count += (double)(s.n[1] - s.n[0]) * (before + after) / 2 * w;
		s.allocation += (double)moved / ((double)s.n[0] * (double)s.n[1])
			      * (double)(s.n[0] + s.n[1]) / 2 * w;
	}
	return s;
}

static tv_int128 magnitude(tv_int128 x)
{
	return x < 0 ? -x : x;
}

/* Gives what rounding left over of the change to the largest of the terms from `first` on. */
static void settle(struct tv_decomposition *d, size_t first, tv_int128 change)
{
	size_t largest = first;
	tv_int128 left = 2 * change;

	for (size_t i = first; i < d->nterms; i++) {
		left -= d->term[i].twice;
		if (magnitude(d->term[i].twice) > magnitude(d->term[largest].twice))
			largest = i;
	}
	d->term[largest].twice += left;
}

/* The terms of e[0..n), which are of one task type. */
static int add_type(struct tv_decomposition *d, const struct tv_exchange *e, size_t n)
{
	struct split s = split_type(e, n);
	bool both = s.n[0] > 0 && s.n[1] > 0;
	size_t first = d->nterms;

	if (both && n > 1
	    && add_term(d, TV_EFFECT_ALLOCATION, e->value, "", 2 * (tv_int128)llround(s.allocation))
		       == NULL)
		return -1;
	for (size_t r = 0; r < n; r++) {
		struct tv_term *term;

		if (e[r].n[0] == 0 || e[r].n[1] == 0)
			continue;
		term = add_term(d, TV_EFFECT_DURATION, e[r].value, e[r].rtype,
				2 * (tv_int128)llround(duration_effect(&e[r])));
		if (term == NULL)
			return -1;
		for (int side = 0; side < 2; side++)
			term->level[side] = (e[r].time[side] + e[r].n[side] / 2) / e[r].n[side];
	}
	if (s.n[0] != s.n[1]
	    && add_term(d, TV_EFFECT_COUNT, e->value, "", 2 * (tv_int128)llround(s.count)) == NULL)
		return -1;
	settle(d, first, s.change);
	return 0;
}

static int add_busy(struct tv_decomposition *d)
{
	tv_int128 overlap[2] = { -d->busy[0], -d->busy[1] };
	const struct tv_exchanges *list = &d->exchanges;

	for (size_t i = 0, end; i < list->n; i = end) {
		const struct tv_exchange *e = &list->at[i];

		for (end = i; end < list->n && strcmp(list->at[end].value, e->value) == 0; end++)
			for (int side = 0; side < 2; side++)
				overlap[side] += list->at[end].time[side];
		if (add_type(d, e, end - i) < 0)
			return -1;
	}
	if (add_change(d, TV_EFFECT_OVERLAP, "", overlap[0], overlap[1], -1) < 0)
		return -1;
	return add_change(d, TV_EFFECT_OTHER, "", d->other[0], d->other[1], 1);
}

static void collect_blamed(struct tv_decomposition *d, const struct tv_table *causes, int side)
{
	for (uint32_t row = 0; row < causes->nrows; row++)
		for (int b = 0; b < TV_NBLAMES; b++) {
			const struct tv_column *column = tv_table_find(causes, tv_blame_column(b));

			if (!tv_missing(column, row))
				d->blamed[side][b] += column->i[row];
		}
}

static int add_idle(struct tv_decomposition *d, struct tv_run *const run[2], const char *can_run,
		    struct tv_error *err)
{
	const struct tv_table *first, *second;

	first = tv_run_pass_with(run[0], "idle-causes", err, "can-run", can_run, NULL);
	second = first == NULL
		       ? NULL
		       : tv_run_pass_with(run[1], "idle-causes", err, "can-run", can_run, NULL);
	if (second == NULL)
		return -1;
	collect_blamed(d, first, 0);
	collect_blamed(d, second, 1);
	/* Of a whole run every cause is listed, always in the same order. */
	for (uint32_t row = 0; row < first->nrows; row++)
		if (add_change(d, TV_EFFECT_IDLE, tv_table_text(first, "Cause", row),
			       tv_table_find(first, "Time")->i[row],
			       tv_table_find(second, "Time")->i[row], 1)
		    < 0)
			return tv_fail_memory(err);
	return 0;
}

/* ---- ranks ---- */

enum tier {
	TIER_WORKERS,
	TIER_BUSY,
	TIER_IDLE_DIRECT,
	TIER_IDLE_PLACE,
	TIER_IDLE_REST,
	NTIERS,
	/* of idle time by its cause */
	TIER_DATA = TIER_IDLE_DIRECT,
	TIER_RUNTIME = TIER_IDLE_DIRECT,
	TIER_MPI = TIER_IDLE_DIRECT,
	TIER_NOT_SUBMITTED = TIER_IDLE_DIRECT,
	TIER_ELSEWHERE = TIER_IDLE_PLACE,
	TIER_UNSUITED = TIER_IDLE_PLACE,
	TIER_DEPENDENCIES = TIER_IDLE_REST,
	TIER_DRAIN = TIER_IDLE_REST,
	TIER_UNEXPLAINED = TIER_IDLE_REST,
};

static enum tier tier_of(const struct tv_term *term)
{
	static const struct {
		const char *cause;
		enum tier tier;
	} tiers[] = {
#define TIER(symbol, name) [TV_IDLE_##symbol] = { name, TIER_##symbol },
		TV_IDLE_CAUSES(TIER)
#undef TIER
	};

	if (term->effect == TV_EFFECT_WORKERS)
		return TIER_WORKERS;
	if (term->effect != TV_EFFECT_IDLE)
		return TIER_BUSY;
	for (size_t i = 0; i < TV_COUNT(tiers); i++)
		if (strcmp(term->cause, tiers[i].cause) == 0)
			return tiers[i].tier;
	return TIER_IDLE_REST;
}

static enum tier first_tier(const struct tv_decomposition *d, int sign)
{
	tv_int128 sum[NTIERS] = { 0 };
	/* Half of the change of the makespan, as twice worker-ns. */
	tv_int128 least = magnitude((tv_int128)d->makespan[1] - d->makespan[0]);
	enum tier best = TIER_WORKERS;

	for (size_t i = 0; i < d->nterms; i++)
		sum[tier_of(&d->term[i])] += sign * d->term[i].twice;
	if (sum[TIER_WORKERS] >= least && least > 0)
		return TIER_WORKERS;
	if (sum[TIER_BUSY] >= least || sum[TIER_IDLE_DIRECT] >= least)
		return sum[TIER_BUSY] >= sum[TIER_IDLE_DIRECT] ? TIER_BUSY : TIER_IDLE_DIRECT;
	for (enum tier tier = TIER_IDLE_PLACE; tier < NTIERS; tier++)
		if (sum[tier] >= least)
			return tier;
	for (enum tier tier = TIER_BUSY; tier < NTIERS; tier++)
		if (sum[tier] > sum[best])
			best = tier;
	return best;
}

static int by_size(const void *a, const void *b)
{
	const struct tv_term *x = *(struct tv_term *const *)a, *y = *(struct tv_term *const *)b;
	tv_int128 p = magnitude(x->twice), q = magnitude(y->twice);

	if (p != q)
		return p > q ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void rank_terms(struct tv_decomposition *d)
{
	struct tv_term **order = tv_alloc(d->nterms, sizeof *order);
	int sign = d->twice > 0 ? 1 : d->twice < 0 ? -1 : 0;
	size_t first = 0;
	uint32_t rank = 1;

	for (size_t i = 0; i < d->nterms; i++)
		order[i] = &d->term[i];
	if (d->nterms > 0)
		qsort(order, d->nterms, sizeof *order, by_size);
	if (sign != 0) {
		enum tier tier = first_tier(d, sign);

		while (first < d->nterms
		       && (tier_of(order[first]) != tier || sign * order[first]->twice <= 0))
			first++;
	}
	if (first < d->nterms)
		order[first]->rank = rank++;
	for (size_t i = 0; i < d->nterms; i++)
		if (order[i]->rank == 0)
			order[i]->rank = rank++;
	tv_free(order);
}

const struct tv_term *tv_decomposition_ranked(const struct tv_decomposition *d, uint32_t rank)
{
	for (size_t i = 0; i < d->nterms; i++)
		if (d->term[i].rank == rank)
			return &d->term[i];
	return NULL;
}

static int by_effect(const void *a, const void *b)
{
	const struct tv_term *x = a, *y = b;
	int order;

	if (x->effect != y->effect)
		return x->effect < y->effect ? -1 : 1;
	order = tv_natural_order(x->value, y->value);
	return order != 0 ? order : tv_natural_order(x->rtype, y->rtype);
}

int tv_decompose(struct tv_decomposition *d, struct tv_run *const run[2], const char *can_run,
		 struct tv_error *err)
{
	*d = (struct tv_decomposition){ 0 };
	for (int side = 0; side < 2; side++)
		if (tv_exchanges_add(&d->exchanges, run[side], side, err) < 0
		    || collect_idleness(d, run[side], side, err) < 0)
			return -1;
	d->twice = ((tv_int128)d->makespan[1] - d->makespan[0]) * (d->workers[0] + d->workers[1]);
	if (add_all_workers(d, run) < 0 || add_busy(d) < 0)
		return tv_fail_memory(err);
	/* Causes of idle time follow in their own order. */
	if (d->nterms > 0)
		qsort(d->term, d->nterms, sizeof *d->term, by_effect);
	if (add_idle(d, run, can_run, err) < 0)
		return -1;
	rank_terms(d);
	return 0;
}

void tv_decomposition_release(struct tv_decomposition *d)
{
	tv_exchanges_release(&d->exchanges);
	tv_free(d->term);
	*d = (struct tv_decomposition){ 0 };
}
