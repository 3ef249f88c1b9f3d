/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope.c -- min and max of several step functions at each time. */
#include "views/charts/envelope.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* All times at which a value may change, each once; returns how many. */
static size_t list_edges(const struct tv_stairs *steps, size_t m, int64_t *edge)
{
	size_t n = 0, kept = 0;

	for (size_t k = 0; k < m; k++)
		for (size_t i = 0; i < steps[k].n; i++) {
			edge[n++] = steps[k].start[i] + steps[k].shift;
			edge[n++] = steps[k].end[i] + steps[k].shift;
		}
	if (n > 0)
		qsort(edge, n, sizeof *edge, tv_compare_int64);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || edge[i] != edge[kept - 1])
			edge[kept++] = edge[i];
	return kept;
}

/* The value at a time, not before that of the last call; at: the piece that it was in. */
static double value_at(const struct tv_stairs *steps, int64_t time, size_t *at)
{
	while (*at < steps->n && steps->end[*at] + steps->shift <= time)
		++*at;
	return *at < steps->n && steps->start[*at] + steps->shift <= time ? steps->value[*at] : 0;
}

void tv_envelope_init(struct tv_envelope *e, const struct tv_stairs *steps, size_t m)
{
	size_t *at = tv_alloc(m, sizeof *at), max_edges = 0;

	for (size_t k = 0; k < m; k++)
		max_edges += 2 * steps[k].n;
	*e = (struct tv_envelope){ .start = tv_alloc(max_edges, sizeof *e->start),
				   .end = tv_alloc(max_edges, sizeof *e->end),
				   .min = tv_alloc(max_edges, sizeof *e->min),
				   .max = tv_alloc(max_edges, sizeof *e->max) };
	e->n = list_edges(steps, m, e->start);
	e->n -= e->n > 0;
	for (size_t i = 0; i < e->n; i++) {
		e->end[i] = e->start[i + 1];
		for (size_t k = 0; k < m; k++) {
			double value = value_at(&steps[k], e->start[i], &at[k]);

			e->min[i] = k == 0 || value < e->min[i] ? value : e->min[i];
			e->max[i] = k == 0 || value > e->max[i] ? value : e->max[i];
		}
	}
	tv_free(at);
}

void tv_envelope_release(struct tv_envelope *e)
{
	tv_free(e->start);
	tv_free(e->end);
	tv_free(e->min);
	tv_free(e->max);
	*e = (struct tv_envelope){ 0 };
}
