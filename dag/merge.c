/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.c -- merged backward chains: components of the forest of last dependencies, by igraph. */
#include "dag/dag.h"
#include "dag/igraph.h"

/* The chains being merged. */
struct merge {
	const struct tv_dag *dag;
	const uint32_t *last;
	uint32_t *left;	 /* one more than the steps that the longest chain through a node
				   may still take; 0 = on no chain */
	uint8_t *before; /* how many nodes have their chain go on to this one: 0, 1, or 2 for
				   more */
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
		if (!goes_on(m, v))
			continue;
		if (m->left[u] < m->left[v] - 1)
			m->left[u] = m->left[v] - 1;
		m->before[u] += m->before[u] < 2;
	}
}

/*
 * Reduces the forest to the nodes where chains meet or end; all others belong to the one that their
 * chain comes to next. component[v]: place of that node among them, *n how many there are. edge,
 * with room for two per node of the graph, receives the places that a chain leads from and to, pair
 * by pair. Returns how many numbers that is.
 */
static igraph_integer_t reduce(struct merge *m, igraph_integer_t *edge, uint32_t *n)
{
	igraph_integer_t nedge = 0;

	*n = 0;
	for (uint32_t i = 0; i < m->dag->n; i++) {
		uint32_t v = m->dag->sequence[i];
		bool on = goes_on(m, v);

		if (m->left[v] == 0) {
			m->component[v] = TV_NONE;
		} else if (on && m->before[v] < 2) {
			m->component[v] = m->component[m->last[v]];
		} else {
			m->component[v] = (*n)++;
			if (on) {
				edge[nedge++] = m->component[v];
				edge[nedge++] = m->component[m->last[v]];
			}
		}
	}
	return nedge;
}

/* From places to components, numbered by their first node. number: by component. */
static void number_components(const struct merge *m, const igraph_vector_int_t *member,
			      igraph_integer_t count, uint32_t *number)
{
	uint32_t next = 0;

	for (igraph_integer_t c = 0; c < count; c++)
		number[c] = TV_NONE;
	for (uint32_t v = 0; v < m->dag->n; v++) {
		uint32_t *its;

		if (m->component[v] == TV_NONE)
			continue;
		its = &number[VECTOR(*member)[m->component[v]]];
		if (*its == TV_NONE)
			*its = next++;
		m->component[v] = *its;
	}
}

static uint32_t merge(struct merge *m, igraph_integer_t *edge)
{
	igraph_vector_int_t edges, member;
	igraph_integer_t nedge, count = 0;
	igraph_t graph;
	uint32_t n;

	nedge = reduce(m, edge, &n);
	tv_igraph_check(igraph_vector_int_init(&member, 0));
	tv_igraph_check(igraph_create(&graph, igraph_vector_int_view(&edges, edge, nedge), n,
				      IGRAPH_UNDIRECTED));
	tv_igraph_check(igraph_connected_components(&graph, &member, NULL, &count, IGRAPH_WEAK));
	number_components(m, &member, count, m->left); /* left is not needed any more */
	igraph_destroy(&graph);
	igraph_vector_int_destroy(&member);
	return (uint32_t)count;
}

uint32_t tv_dag_merge(const struct tv_dag *dag, const uint32_t *last, const bool *from,
		      uint32_t depth, uint32_t *component)
{
	igraph_error_handler_t *handler = igraph_set_error_handler(igraph_error_handler_ignore);
	igraph_integer_t *edge = tv_alloc(dag->n, 2 * sizeof *edge);
	struct merge m = {
		.dag = dag,
		.last = last,
		.left = tv_alloc(dag->n, sizeof *m.left),
		.before = tv_alloc(dag->n, sizeof *m.before),
		.component = component,
	};
	uint32_t n;

	mark_chains(&m, from, depth);
	n = merge(&m, edge);
	tv_free(edge);
	tv_free(m.left);
	tv_free(m.before);
	igraph_set_error_handler(handler);
	return n;
}
