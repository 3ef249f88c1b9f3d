/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ladder.c -- the makespan without one kind of loss after the other. */
#include "analysis/efficiency/ladder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

const char *tv_ladder_rung_name(enum tv_ladder_rung rung)
{
	static const char *const name[] = {
#define NAME(symbol, name, what) name,
		TV_LADDER_RUNGS(NAME)
#undef NAME
	};

	return name[rung];
}

const char *tv_ladder_what(const struct tv_ladder *ladder, enum tv_ladder_rung rung)
{
	static const char *const what[] = {
#define WHAT(symbol, name, what) what,
		TV_LADDER_RUNGS(WHAT)
#undef WHAT
	};

	return ladder->what[rung] != NULL ? ladder->what[rung] : what[rung];
}

void tv_ladder_init(struct tv_ladder *ladder, const char *mode)
{
	*ladder = (struct tv_ladder){ .mode = mode, .network = NAN };
	for (int rung = 0; rung < TV_LADDER_NRUNGS; rung++)
		ladder->time[rung] = NAN;
}

void tv_ladder_release(struct tv_ladder *ladder)
{
	for (int rung = 0; rung < TV_LADDER_NRUNGS; rung++)
		tv_free(ladder->note[rung]);
	tv_free(ladder->network_what);
	*ladder = (struct tv_ladder){ 0 };
}

/* ---- factors ---- */

/* Whether a rung is one that this kind of ladder has, and that is missing. */
static bool is_missing(const struct tv_ladder *ladder, enum tv_ladder_rung rung)
{
	return !tv_ladder_has(ladder, rung) && ladder->missing[rung] != NULL;
}

/* The losses between two rungs: "runtime, transfer and order". */
static void name_factor(const struct tv_ladder *ladder, struct tv_factor *factor)
{
	size_t at = 0;

	factor->certain = true;
	for (enum tv_ladder_rung rung = factor->upper + 1; rung <= factor->lower; rung++) {
		if (!tv_ladder_has(ladder, rung) && !is_missing(ladder, rung))
			continue;
		at += (size_t)snprintf(factor->name + at, sizeof factor->name - at, "%s%s",
				       at == 0		       ? ""
				       : rung == factor->lower ? " and "
							       : ", ",
				       tv_ladder_rung_name(rung));
		factor->certain = factor->certain && ladder->certain[rung];
		if (factor->missing == NULL && is_missing(ladder, rung))
			factor->missing = ladder->missing[rung];
	}
}

static const struct {
	const char *name;
	enum tv_ladder_rung upper, lower;
} products[TV_NPRODUCTS] = {
	{ "global", TV_LADDER_RUNG_RECORDED, TV_LADDER_RUNG_PLACEMENT },
	{ "parallel", TV_LADDER_RUNG_RECORDED, TV_LADDER_RUNG_NODES },
	{ "load-balance", TV_LADDER_RUNG_GRAPH, TV_LADDER_RUNG_NODES },
	{ "communication", TV_LADDER_RUNG_RECORDED, TV_LADDER_RUNG_GRAPH },
	{ "serialization", TV_LADDER_RUNG_TRANSFER, TV_LADDER_RUNG_GRAPH },
};

size_t tv_ladder_factors(const struct tv_ladder *ladder, struct tv_factor factor[TV_FACTORS_MAX])
{
	enum tv_ladder_rung upper = TV_LADDER_RUNG_RECORDED;
	size_t n = 0;

	for (enum tv_ladder_rung rung = TV_LADDER_RUNG_RECORDED + 1; rung < TV_LADDER_NRUNGS;
	     rung++) {
		if (!tv_ladder_has(ladder, rung))
			continue;
		factor[n] = (struct tv_factor){ .upper = upper, .lower = rung };
		name_factor(ladder, &factor[n++]);
		upper = rung;
	}
	for (size_t i = 0; i < TV_NPRODUCTS; i++) {
		if (!tv_ladder_has(ladder, products[i].upper)
		    || !tv_ladder_has(ladder, products[i].lower))
			continue;
		factor[n] = (struct tv_factor){ .upper = products[i].upper,
						.lower = products[i].lower,
						.product = true };
		strcpy(factor[n++].name, products[i].name);
	}
	return n;
}

double tv_ladder_value(const struct tv_ladder *ladder, const struct tv_factor *factor)
{
	return (double)(ladder->time[factor->lower] / ladder->time[factor->upper]);
}

void tv_ladder_warn(struct tv_run *run, const struct tv_ladder *ladder)
{
	struct tv_factor factor[TV_FACTORS_MAX];
	size_t n = tv_ladder_factors(ladder, factor);

	for (size_t i = 0; i < n; i++)
		if (!factor[i].product && factor[i].lower != TV_LADDER_RUNG_OVERLAP
		    && tv_ladder_value(ladder, &factor[i]) > 1 + 1e-9)
			tv_run_warn(
				run,
				"the factor %s is above 1: the trace contradicts itself (clocks of "
				"nodes, or tasks that start before what they depend on has ended)",
				factor[i].name);
}

/* ---- the lower rungs ---- */

/* Sums over the workers of a node. */
struct node_sums {
	long double priced, capacity;
};

static bool is_of(const struct tv_busy *busy, uint32_t w)
{
	return busy->of == NULL || busy->of[w];
}

/* The mean busy time of the workers of each node and type, its max. */
static long double busiest_type(const struct tv_busy *busy)
{
	const struct tv_tasks *tasks = busy->tasks;
	size_t n = (size_t)tasks->nnodes * tasks->nrtypes;
	tv_int128 *sum = tv_alloc(n, sizeof *sum);
	uint32_t *workers = tv_alloc(n, sizeof *workers);
	long double max = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (is_of(busy, w)) {
			size_t at = (size_t)tasks->workers[w].node * tasks->nrtypes
				  + tasks->workers[w].rtype;

			sum[at] += busy->time[w];
			workers[at]++;
		}
	for (size_t i = 0; i < n; i++)
		if (workers[i] > 0)
			max = fmaxl(max, (long double)sum[i] / workers[i]);
	tv_free(sum);
	tv_free(workers);
	return max;
}

void tv_ladder_set_busy(struct tv_ladder *ladder, const struct tv_busy *busy)
{
	const struct tv_tasks *tasks = busy->tasks;
	struct node_sums *node = tv_alloc(tasks->nnodes, sizeof *node);
	long double priced = 0, capacity = 0, max = 0;
	int64_t busiest = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		struct node_sums *sums = &node[tasks->workers[w].node];
		double price = busy->price[tasks->workers[w].rtype];

		if (!is_of(busy, w))
			continue;
		busiest = busy->time[w] > busiest ? busy->time[w] : busiest;
		sums->priced += (long double)price * (long double)busy->time[w];
		sums->capacity += (long double)price;
	}
	for (uint32_t k = 0; k < tasks->nnodes; k++) {
		priced += node[k].priced;
		capacity += node[k].capacity;
		if (node[k].capacity > 0)
			max = fmaxl(max, node[k].priced / node[k].capacity);
	}
	tv_free(node);
	ladder->time[TV_LADDER_RUNG_GRAPH] = (long double)busiest;
	ladder->time[TV_LADDER_RUNG_WORKERS] = busiest_type(busy);
	ladder->time[TV_LADDER_RUNG_TYPES] = max;
	if (capacity > 0)
		ladder->time[TV_LADDER_RUNG_NODES] = priced / capacity;
}
