/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.c -- merged backward chains: trees of the forest of last dependencies. */
#include "dag/dag.h"
#include "trace/alloc.h"

/* The chains being merged. */
struct merge {
	const struct tv_dag *dag;
	const uint32_t *last;
	uint32_t *left; /* one more than the steps that the longest chain through a node may still
			   take; 0 = on no chain */
	uint32_t *component;
};

static bool goes_on(const struct merge *m, uint32_t v)
{
	return m->left[v] > 1 && m->last[v] != TV_NONE;
}

/* A last dependency precedes its task in dag->sequence, so one sweep backwards is enough, whatever
 * the number of chains. */
static void mark_chains(struct merge *m, const bool *from, uint32_t depth)
{
	uint32_t max = depth == UINT32_MAX ? depth : depth + 1;

	for (uint32_t i = m->dag->n; i-- > 0;) {
		uint32_t v = m->dag->sequence[i], u = m->last[v];

		if (from[v])
			m->left[v] = max;
		if (goes_on(m, v) && m->left[u] < m->left[v] - 1)
			m->left[u] = m->left[v] - 1;
	}
}

/* Each node on a chain belongs to the component of the node that its chain goes on to; where chains
 * end, one begins. Returns their number. */
static uint32_t find_components(const struct merge *m)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->dag->n; i++) {
		uint32_t v = m->dag->sequence[i];

		if (m->left[v] == 0)
			m->component[v] = TV_NONE;
		else
			m->component[v] = goes_on(m, v) ? m->component[m->last[v]] : n++;
	}
	return n;
}

/* Numbers components by their first node. number: by component. */
static void number_components(const struct merge *m, uint32_t n, uint32_t *number)
{
	uint32_t next = 0;

	for (uint32_t c = 0; c < n; c++)
		number[c] = TV_NONE;
	for (uint32_t v = 0; v < m->dag->n; v++) {
		uint32_t *its;

		if (m->component[v] == TV_NONE)
			continue;
		its = &number[m->component[v]];
		if (*its == TV_NONE)
			*its = next++;
		m->component[v] = *its;
	}
}

uint32_t tv_dag_merge(const struct tv_dag *dag, const uint32_t *last, const bool *from,
		      uint32_t depth, uint32_t *component)
{
	struct merge m = {
		.dag = dag,
		.last = last,
		.left = tv_alloc(dag->n, sizeof *m.left),
		.component = component,
	};
	uint32_t n;

	mark_chains(&m, from, depth);
	n = find_components(&m);
	number_components(&m, n, m.left); /* left is not needed any more */
	tv_free(m.left);
	return n;
}
