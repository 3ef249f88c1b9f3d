/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decompose.c -- the terms that the difference of two makespans is made of. */
#include "analysis/compare/decompose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/thread_time.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

static struct tv_term *add_term(struct tv_decomposition *parts, enum tv_effect effect,
				const char *value, const char *rtype, tv_int128 twice)
{
	struct tv_term *term;

	TV_GROW(parts->term, parts->nterms, parts->terms_cap, 1);
	term = &parts->term[parts->nterms++];
	*term = (struct tv_term){
		.effect = effect, .value = value, .rtype = rtype, .cause = "", .twice = twice
	};
	return term;
}

/* A term of which both runs have an amount; none where both have nothing. */
static void add_change(struct tv_decomposition *parts, enum tv_effect effect, const char *cause,
		       tv_int128 before, tv_int128 after, int sign)
{
	struct tv_term *term;

	if (before == 0 && after == 0)
		return;
	term = add_term(parts, effect, "", "", sign * 2 * (after - before));
	term->cause = cause;
	term->level[0] = before;
	term->level[1] = after;
}

/* ---- time by the pass idleness ---- */

static int collect_idleness(struct tv_decomposition *parts, struct tv_run *run, int side,
			    struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(run, "idleness", NULL, err);

	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		parts->busy[side] += tv_table_find(table, "Busy")->i[row];
		parts->other[side] += tv_table_find(table, "Other")->i[row];
	}
	parts->makespan[side] = run->tasks.finish - run->tasks.begin;
	parts->workers[side] = run->tasks.nworkers;
	parts->idle[side] = (tv_int128)parts->workers[side] * parts->makespan[side]
			  - parts->busy[side] - parts->other[side];
	return 0;
}

/* ---- terms ---- */

static void add_workers(struct tv_decomposition *parts, struct tv_run *const run[2],
			const char *rtype)
{
	int64_t before = tv_workers_of_type(&run[0]->tasks, rtype),
		after = tv_workers_of_type(&run[1]->tasks, rtype);
	tv_int128 both = (tv_int128)parts->makespan[0] + parts->makespan[1];
	struct tv_term *term;

	if (before == after)
		return;
	term = add_term(parts, TV_EFFECT_WORKERS, "", rtype, -both * (after - before));
	term->level[0] = before;
	term->level[1] = after;
}

static void add_all_workers(struct tv_decomposition *parts, struct tv_run *const run[2])
{
	const struct tv_tasks *first = &run[0]->tasks, *second = &run[1]->tasks;

	for (uint32_t r = 0; r < first->nrtypes; r++)
		add_workers(parts, run, tv_pool_text(first->pool, first->rtype[r].label));
	for (uint32_t r = 0; r < second->nrtypes; r++) {
		const char *rtype = tv_pool_text(second->pool, second->rtype[r].label);

		if (tv_workers_of_type(first, rtype) == 0)
			add_workers(parts, run, rtype);
	}
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
	struct split split = { .n = { 0 } };

	for (size_t r = 0; r < n; r++) {
		split.n[0] += e[r].n[0];
		split.n[1] += e[r].n[1];
		split.change += e[r].time[1] - e[r].time[0];
	}
	if (split.n[0] == 0 || split.n[1] == 0) {
		split.count = (double)split.change;
		return split;
	}
	for (size_t r = 0; r < n; r++) {
		double before = (double)e[r].n[0] / (double)split.n[0];
		double after = (double)e[r].n[1] / (double)split.n[1], w = mean_duration(&e[r]);
		tv_int128 moved = (tv_int128)e[r].n[1] * split.n[0]
				- (tv_int128)e[r].n[0] * split.n[1];

		split.count += (double)(split.n[1] - split.n[0]) * (before + after) / 2 * w;
		split.allocation += (double)moved / ((double)split.n[0] * (double)split.n[1])
				  * (double)(split.n[0] + split.n[1]) / 2 * w;
	}
	return split;
}

static tv_int128 magnitude(tv_int128 x)
{
	return x < 0 ? -x : x;
}

/* Adds what rounding left over of the change to the largest of the terms from `first` on. */
static void add_rounding(struct tv_decomposition *parts, size_t first, tv_int128 change)
{
	size_t largest = first;
	tv_int128 left = 2 * change;

	for (size_t i = first; i < parts->nterms; i++) {
		left -= parts->term[i].twice;
		if (magnitude(parts->term[i].twice) > magnitude(parts->term[largest].twice))
			largest = i;
	}
	parts->term[largest].twice += left;
}

/* The terms of e[0..n), which are of one task type. */
static void add_type(struct tv_decomposition *parts, const struct tv_exchange *e, size_t n)
{
	struct split split = split_type(e, n);
	bool both = split.n[0] > 0 && split.n[1] > 0;
	size_t first = parts->nterms;

	if (both && n > 1)
		add_term(parts, TV_EFFECT_ALLOCATION, e->value, "",
			 2 * (tv_int128)llround(split.allocation));
	for (size_t r = 0; r < n; r++) {
		struct tv_term *term;

		if (e[r].n[0] == 0 || e[r].n[1] == 0)
			continue;
		term = add_term(parts, TV_EFFECT_DURATION, e[r].value, e[r].rtype,
				2 * (tv_int128)llround(duration_effect(&e[r])));
		for (int side = 0; side < 2; side++)
			term->level[side] = (e[r].time[side] + e[r].n[side] / 2) / e[r].n[side];
	}
	if (split.n[0] != split.n[1])
		add_term(parts, TV_EFFECT_COUNT, e->value, "", 2 * (tv_int128)llround(split.count));
	add_rounding(parts, first, split.change);
}

static void add_busy(struct tv_decomposition *parts)
{
	tv_int128 overlap[2] = { -parts->busy[0], -parts->busy[1] };
	const struct tv_exchanges *list = &parts->exchanges;

	for (size_t i = 0, end; i < list->n; i = end) {
		const struct tv_exchange *e = &list->at[i];

		for (end = i; end < list->n && strcmp(list->at[end].value, e->value) == 0; end++)
			for (int side = 0; side < 2; side++)
				overlap[side] += list->at[end].time[side];
		add_type(parts, e, end - i);
	}
	add_change(parts, TV_EFFECT_OVERLAP, "", overlap[0], overlap[1], -1);
	add_change(parts, TV_EFFECT_OTHER, "", parts->other[0], parts->other[1], 1);
}

static void collect_blamed(struct tv_decomposition *parts, const struct tv_table *causes, int side)
{
	for (uint32_t row = 0; row < causes->nrows; row++)
		for (int b = 0; b < TV_NBLAMES; b++) {
			const struct tv_column *column = tv_table_find(causes, tv_blame_column(b));

			if (!tv_missing(column, row))
				parts->blamed[side][b] += column->i[row];
		}
}

/* The time of a cause, ns; false if it is not listed, as in-loop where there are no loops. */
static bool time_of_cause(const struct tv_table *causes, const char *cause, int64_t *time)
{
	*time = 0;
	for (uint32_t row = 0; row < causes->nrows; row++)
		if (tv_table_is(causes, "Cause", row, cause)) {
			*time = tv_table_find(causes, "Time")->i[row];
			return true;
		}
	return false;
}

static int add_idle(struct tv_decomposition *parts, struct tv_run *const run[2],
		    const char *can_run, struct tv_error *err)
{
	const struct tv_table *causes[2];

	for (int side = 0; side < 2; side++) {
		causes[side] = tv_run_pass_with(run[side], "idle-causes", err, "can-run", can_run,
						NULL);
		if (causes[side] == NULL)
			return -1;
		collect_blamed(parts, causes[side], side);
	}
	for (int c = 0; c < TV_IDLE_NCAUSES; c++) {
		const char *cause = tv_idle_cause_name((enum tv_idle_cause)c);
		int64_t time[2];
		bool listed = time_of_cause(causes[0], cause, &time[0]);

		if (time_of_cause(causes[1], cause, &time[1]) || listed)
			add_change(parts, TV_EFFECT_IDLE, cause, time[0], time[1], 1);
	}
	return 0;
}

/* ---- ranks ---- */

enum tier {
	TIER_WORKERS,
	TIER_BUSY,
	TIER_IDLE_DIRECT,
	TIER_IDLE_WORKER,
	TIER_IDLE_REST,
	NTIERS,
	/* of idle time by its cause */
	TIER_IN_MPI_CALL = TIER_IDLE_DIRECT,
	TIER_IN_LOOP = TIER_IDLE_DIRECT,
	TIER_DATA = TIER_IDLE_DIRECT,
	TIER_RUNTIME = TIER_IDLE_DIRECT,
	TIER_MPI = TIER_IDLE_DIRECT,
	TIER_NOT_SUBMITTED = TIER_IDLE_DIRECT,
	TIER_ELSEWHERE = TIER_IDLE_WORKER,
	TIER_UNSUITED = TIER_IDLE_WORKER,
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
#define TIER(symbol, name, ...) [TV_IDLE_##symbol] = { name, TIER_##symbol },
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

static enum tier first_tier(const struct tv_decomposition *parts, int sign)
{
	tv_int128 sum[NTIERS] = { 0 };
	/* Half of the change of the makespan, as twice worker-ns. */
	tv_int128 min = magnitude((tv_int128)parts->makespan[1] - parts->makespan[0]);
	enum tier best = TIER_WORKERS;

	for (size_t i = 0; i < parts->nterms; i++)
		sum[tier_of(&parts->term[i])] += sign * parts->term[i].twice;
	if (sum[TIER_WORKERS] >= min && min > 0)
		return TIER_WORKERS;
	if (sum[TIER_BUSY] >= min || sum[TIER_IDLE_DIRECT] >= min)
		return sum[TIER_BUSY] >= sum[TIER_IDLE_DIRECT] ? TIER_BUSY : TIER_IDLE_DIRECT;
	for (enum tier tier = TIER_IDLE_WORKER; tier < NTIERS; tier++)
		if (sum[tier] >= min)
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

	return p != q ? TV_COMPARE(q, p) : TV_COMPARE(x, y);
}

/* First is the largest term with the sign of the change; with `tiered` of the tier that explains it. */
static void rank_terms(struct tv_decomposition *parts, bool tiered)
{
	struct tv_term **order = tv_alloc(parts->nterms, sizeof *order);
	int sign = parts->twice > 0 ? 1 : parts->twice < 0 ? -1 : 0;
	size_t first = 0;
	uint32_t rank = 1;

	for (size_t i = 0; i < parts->nterms; i++)
		order[i] = &parts->term[i];
	if (parts->nterms > 0)
		qsort(order, parts->nterms, sizeof *order, by_size);
	if (sign != 0) {
		enum tier tier = tiered ? first_tier(parts, sign) : NTIERS;

		while (first < parts->nterms
		       && ((tiered && tier_of(order[first]) != tier)
			   || sign * order[first]->twice <= 0))
			first++;
	}
	if (first < parts->nterms)
		order[first]->rank = rank++;
	for (size_t i = 0; i < parts->nterms; i++)
		if (order[i]->rank == 0)
			order[i]->rank = rank++;
	tv_free(order);
}

const struct tv_term *tv_decomposition_ranked(const struct tv_decomposition *parts, uint32_t rank)
{
	for (size_t i = 0; i < parts->nterms; i++)
		if (parts->term[i].rank == rank)
			return &parts->term[i];
	return NULL;
}

TV_ORDER(by_effect, struct tv_term, effect, text(value), text(rtype))

int tv_decompose(struct tv_decomposition *parts, struct tv_run *const run[2], const char *can_run,
		 struct tv_error *err)
{
	*parts = (struct tv_decomposition){ 0 };
	for (int side = 0; side < 2; side++)
		if (tv_exchanges_add(&parts->exchanges, run[side], side, err) < 0
		    || collect_idleness(parts, run[side], side, err) < 0)
			return -1;
	parts->twice = ((tv_int128)parts->makespan[1] - parts->makespan[0])
		     * (parts->workers[0] + parts->workers[1]);
	add_all_workers(parts, run);
	add_busy(parts);
	/* Causes of idle time follow in their own order. */
	if (parts->nterms > 0)
		qsort(parts->term, parts->nterms, sizeof *parts->term, by_effect);
	if (add_idle(parts, run, can_run, err) < 0)
		return -1;
	rank_terms(parts, true);
	return 0;
}

/* ---- of threads ---- */

static void add_phrased(struct tv_decomposition *parts, enum tv_effect effect, const char *cause,
			const char *phrase, const tv_int128 level[2])
{
	size_t before = parts->nterms;

	add_change(parts, effect, cause, level[0], level[1], 1);
	if (parts->nterms > before)
		parts->term[before].phrase = phrase;
}

void tv_decompose_threads(struct tv_decomposition *parts, struct tv_run *const run[2])
{
	static const char *const cause[] = {
		[TV_THREAD_MPI] = "mpi-calls",
		[TV_THREAD_LOCK] = "locks",
		[TV_THREAD_BARRIER] = "barriers",
		[TV_THREAD_IDLE] = "no-region",
	};
	_Static_assert(TV_COUNT(cause) == TV_NTHREAD_KINDS, "a name for each kind");
	static const char *const phrase[] = {
#define PHRASE(symbol, words) [TV_THREAD_##symbol] = (words),
		TV_THREAD_KINDS(PHRASE)
#undef PHRASE
	};
	tv_int128 lost[TV_NTHREAD_KINDS][2] = { 0 }, outside[2];

	*parts = (struct tv_decomposition){ 0 };
	for (int side = 0; side < 2; side++) {
		const struct tv_threads *threads = tv_run_threads(run[side]);

		parts->makespan[side] = tv_threads_length(threads);
		parts->workers[side] = threads->n;
		outside[side] = (tv_int128)threads->n * parts->makespan[side];
		for (uint32_t i = 0; i < threads->n; i++) {
			parts->busy[side] += threads->at[i].useful;
			for (int k = 0; k < TV_NTHREAD_KINDS; k++) {
				lost[k][side] += threads->at[i].time[k];
				outside[side] -= threads->at[i].time[k];
			}
		}
		parts->idle[side] = (tv_int128)threads->n * parts->makespan[side]
				  - parts->busy[side];
		outside[side] -= parts->busy[side];
	}
	parts->twice = ((tv_int128)parts->makespan[1] - parts->makespan[0])
		     * (parts->workers[0] + parts->workers[1]);
	if (parts->workers[0] != parts->workers[1]) {
		tv_int128 both = (tv_int128)parts->makespan[0] + parts->makespan[1];
		struct tv_term *term = add_term(parts, TV_EFFECT_WORKERS, "", "",
						-both * (parts->workers[1] - parts->workers[0]));

		term->phrase = "threads";
		term->level[0] = parts->workers[0];
		term->level[1] = parts->workers[1];
	}
	add_phrased(parts, TV_EFFECT_WORK, "", "of work", parts->busy);
	for (int k = 0; k < TV_NTHREAD_KINDS; k++)
		add_phrased(parts, TV_EFFECT_IDLE, cause[k], phrase[k], lost[k]);
	add_phrased(parts, TV_EFFECT_IDLE, "outside", "before they begin and after they end",
		    outside);
	rank_terms(parts, false);
}

void tv_decomposition_release(struct tv_decomposition *parts)
{
	tv_exchanges_release(&parts->exchanges);
	tv_free(parts->term);
	*parts = (struct tv_decomposition){ 0 };
}
