/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost_bounds.c -- bounds of what a simulation can take. */
#include <math.h>

#include "sim/model/costs.h"
#include "trace/alloc.h"

/* Recorded durations and their means are those of the pass bounds, to the last digit; others are whole ns, as they are simulated, so
 * that no simulation is faster than what follows from them. */
static double bound_time(const struct tv_costs *c, uint32_t node, uint32_t rtype)
{
	double time = tv_costs_mean(c, node, rtype);

	return c->job[node].own >= 0 && c->factor == NULL && c->overhead == NULL && c->slow.n == 0
		     ? time
		     : round(time);
}

/* Mean time of the jobs of each type on each resource type that can run it; < 0 elsewhere. */
static void find_means(const struct tv_costs *c, double *mean, double *count)
{
	for (uint32_t v = 0; v < c->dag->n; v++) {
		uint32_t t = c->job[v].type;

		count[t == TV_NONE ? c->ntypes : t]++;
		for (uint32_t r = 0; t != TV_NONE && r < c->nrtypes; r++)
			if (c->can[(size_t)t * c->nrtypes + r])
				mean[(size_t)t * c->nrtypes + r] += bound_time(c, v, r);
	}
	for (size_t at = 0; at < (size_t)c->ntypes * c->nrtypes; at++)
		if (count[at / c->nrtypes] > 0)
			mean[at] = c->can[at] ? mean[at] / count[at / c->nrtypes] : -1;
}

/* ns of the longest path, each job on the resource type with workers where it takes least. mean: of the pairs; NULL = each job as long as it takes. */
static double longest_path(const struct tv_costs *c, const double *workers, const double *mean)
{
	double *weight = tv_alloc(c->dag->n, sizeof *weight), path = 0;
	uint32_t *node = tv_alloc(c->dag->n, sizeof *node), length;

	for (uint32_t v = 0; v < c->dag->n; v++) {
		uint32_t t = c->job[v].type;

		weight[v] = t == TV_NONE ? 0 : HUGE_VAL;
		for (uint32_t r = 0; t != TV_NONE && r < c->nrtypes; r++) {
			size_t pair = (size_t)t * c->nrtypes + r;

			if (c->can[pair] && workers[r] > 0)
				weight[v] = fmin(weight[v],
						 mean != NULL ? mean[pair]
							      : (double)tv_costs_of(c, v, r, 1));
		}
	}
	length = tv_dag_longest(c->dag, weight, NULL, node);
	for (uint32_t i = 0; i < length; i++)
		path += weight[node[i]];
	tv_free(weight);
	tv_free(node);
	return path;
}

void tv_costs_bounds(const struct tv_costs *c, const double *workers, double *abe, double *cpe)
{
	size_t pairs = (size_t)c->ntypes * c->nrtypes;
	double *mean = tv_alloc(pairs, sizeof *mean), *ideal = tv_alloc(pairs, sizeof *ideal);
	double *count = tv_alloc((size_t)c->ntypes + 1, sizeof *count);
	struct tv_area area = { c->ntypes, c->nrtypes, count, mean, workers };
	struct tv_error ignored;

	find_means(c, mean, count);
	*cpe = longest_path(c, workers, mean);
	*cpe = *cpe < 0x1p62 ? *cpe : -1;
	if (tv_area_bound(&area, abe, ideal, &ignored) < 0 || !(*abe < 0x1p62))
		*abe = -1;
	tv_free(mean);
	tv_free(ideal);
	tv_free(count);
}

double tv_costs_chain(const struct tv_costs *c, const double *workers)
{
	return longest_path(c, workers, NULL);
}
