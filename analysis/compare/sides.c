/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sides.c -- runs that are compared: one per label, or several that repeat each other. */
#include "analysis/compare/sides.h"

#include <string.h>

#include "trace/alloc.h"

static int64_t makespan_of(const struct tv_run *run)
{
	return run->tasks.finish - run->tasks.begin;
}

struct tv_run *tv_side_median(const struct tv_side *side)
{
	size_t i, before = side->n;

	for (i = 0; before != (side->n - 1) / 2; i++) {
		int64_t own = makespan_of(side->run[i]);

		before = 0;
		for (size_t j = 0; j < side->n; j++)
			before += makespan_of(side->run[j]) < own
			       || (makespan_of(side->run[j]) == own && j < i);
	}
	return side->run[i - 1];
}

int tv_side_weights_init(struct tv_side_weights *w, const struct tv_side *side, size_t n,
			 const char *name, struct tv_error *err)
{
	struct tv_named_weight *weight;

	*w = (struct tv_side_weights){ 0 };
	for (size_t s = 0; s < n && name != NULL; s++)
		if (strcmp(name, "pool") == 0 || strcmp(name, side[s].label) == 0) {
			w->named = true;
			for (size_t i = 0; i < side[s].n; i++)
				if (tv_exchanges_add(&w->pool, side[s].run[i], 0, err) < 0)
					return -1;
		}
	weight = tv_alloc(w->pool.n, sizeof *weight);
	for (size_t i = 0; i < w->pool.n; i++)
		weight[i] = (struct tv_named_weight){
			w->pool.at[i].value,
			w->pool.at[i].rtype,
			(double)w->pool.at[i].time[0] / (double)w->pool.at[i].n[0],
		};
	w->weights = (struct tv_named_weights){ name, weight, w->pool.n };
	return 0;
}

void tv_side_weights_release(struct tv_side_weights *w)
{
	tv_exchanges_release(&w->pool);
	tv_free((void *)w->weights.weight);
	*w = (struct tv_side_weights){ 0 };
}
