/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.c -- topological order of the task graph, and what is wrong where there is none. */
#include "dag/dag.h"

#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"

enum {
	CYCLE_SHOWN = 12, /* jobs of a longer cycle that the message names */
	JOB_SHOWN = 40	  /* bytes of a JobId in it */
};

static const char *job_text(const struct tv_dag *dag, uint32_t node)
{
	return tv_pool_text(dag->tasks->pool, tv_dag_job(dag, node));
}

/* Names the cycle node[0..n), each depending on the next, beginning with the smallest JobId, and
 * the line of that one. */
static int fail_cycle(const struct tv_dag *dag, const uint32_t *node, uint32_t n,
		      struct tv_error *err)
{
	char text[(CYCLE_SHOWN + 1) * (JOB_SHOWN + sizeof " -> ")];
	uint32_t smallest = 0, shown = n <= CYCLE_SHOWN ? n : CYCLE_SHOWN;
	struct tv_pos place;
	size_t at = 0;

	for (uint32_t i = 1; i < n; i++)
		if (tv_natural_order(job_text(dag, node[i]), job_text(dag, node[smallest])) < 0)
			smallest = i;
	place = tv_trace_place(dag->tasks->trace, dag->row[node[smallest]]);
	text[0] = '\0';
	for (uint32_t i = 0; i < shown; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%.*s -> ", JOB_SHOWN,
				       job_text(dag, node[(smallest + i) % n]));
	if (shown < n)
		return tv_fail_at(err, place,
				  "the dependencies form a cycle of %lu "
				  "jobs: %s... -> %.*s (each depends on the next)",
				  (unsigned long)n, text, JOB_SHOWN, job_text(dag, node[smallest]));
	return tv_fail_at(err, place,
			  "the dependencies form a cycle: %s%.*s (each depends on the next)", text,
			  JOB_SHOWN, job_text(dag, node[smallest]));
}

/* Depth first over predecessors with a stack of our own. */
struct walk {
	uint32_t *stack; /* the path from the first node */
	uint32_t *next;	 /* per node: its next predecessor to visit, an index of pred */
	uint8_t *mark;
	const uint32_t *after; /* per node: one more predecessor, TV_NONE = none; NULL */
	uint32_t depth, done;
};

enum { NEW, OPEN, DONE };

static void enter(const struct tv_dag *dag, struct walk *walk, uint32_t v)
{
	walk->stack[walk->depth++] = v;
	walk->next[v] = dag->first[v];
	walk->mark[v] = OPEN;
}

/* The predecessor of v that is to be visited next; TV_NONE = none is left. */
static uint32_t next_of(const struct tv_dag *dag, struct walk *walk, uint32_t v)
{
	uint32_t k = walk->next[v]++;

	if (k < dag->first[v + 1])
		return dag->pred[k];
	return k == dag->first[v + 1] && walk->after != NULL ? walk->after[v] : TV_NONE;
}

/* err: NULL = a cycle needs no message. */
static int visit(const struct tv_dag *dag, struct walk *walk, uint32_t root, uint32_t *order,
		 struct tv_error *err)
{
	enter(dag, walk, root);
	while (walk->depth > 0) {
		uint32_t v = walk->stack[walk->depth - 1], u = next_of(dag, walk, v), at;

		if (u == TV_NONE) {
			walk->mark[v] = DONE;
			order[walk->done++] = v;
			walk->depth--;
			continue;
		}
		if (walk->mark[u] == NEW) {
			enter(dag, walk, u);
		} else if (walk->mark[u] == OPEN && err == NULL) {
			return -1;
		} else if (walk->mark[u] == OPEN) {
			for (at = walk->depth - 1; walk->stack[at] != u; at--)
				;
			return fail_cycle(dag, walk->stack + at, walk->depth - at, err);
		}
	}
	return 0;
}

/* Whether predecessors come before successors as the nodes are numbered: what the walk would find. */
static bool is_in_order(const struct tv_dag *dag)
{
	for (uint32_t v = 0; v < dag->n; v++)
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (dag->pred[k] >= v && dag->pred[k] < dag->n)
				return false;
	return true;
}

static int walk_all(const struct tv_dag *dag, const uint32_t *after, uint32_t *order,
		    struct tv_error *err)
{
	struct walk walk = {
		.stack = tv_alloc(dag->n, sizeof *walk.stack),
		.next = tv_alloc(dag->n, sizeof *walk.next),
		.mark = tv_alloc((size_t)dag->n + dag->noutside, sizeof *walk.mark),
		.after = after,
	};
	int rc = 0;

	for (uint32_t i = 0; i < dag->noutside; i++)
		walk.mark[dag->n + i] = DONE;
	for (uint32_t v = 0; v < dag->n && rc == 0; v++)
		if (walk.mark[v] == NEW)
			rc = visit(dag, &walk, v, order, err);
	tv_free(walk.stack);
	tv_free(walk.next);
	tv_free(walk.mark);
	return rc;
}

int tv_dag_sort(struct tv_dag *dag, struct tv_error *err)
{
	if (is_in_order(dag) && dag->are_rows) {
		dag->order = dag->node_of_row;
		return 0;
	}
	dag->order = dag->own.order = tv_alloc(dag->n, sizeof *dag->own.order);
	return walk_all(dag, NULL, dag->own.order, err);
}

void tv_dag_sort_after(struct tv_dag *dag)
{
	uint32_t *order = tv_alloc(dag->n, sizeof *order);

	if (walk_all(dag, dag->after, order, NULL) < 0) {
		tv_free(order);
		return;
	}
	tv_free(dag->own.order);
	dag->order = dag->own.order = order;
}
