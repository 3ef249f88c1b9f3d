/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exclude.c -- tasks that exclude each other, as edges of the graph in the order observed. */
#include "dag/dag.h"

#include <stddef.h>
#include <stdlib.h>

#include "trace/accesses.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* Where a node comes in an order that holds for all edges of either kind: by Start, as a task may
 * start before the segment that created it ends. */
struct rank {
	int64_t start, end; /* the latest of it and of all that it depends on */
	uint32_t place;	    /* in dag->order */
	uint32_t node;
};

TV_ORDER(by_rank, struct rank, start, end, place)

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/*
 * Fills dag->sequence, and place[v]: where v is in it. Neither of the latest times decreases along
 * a dependency, nor, except in a trace that contradicts itself, along an exclusion.
 */
static void find_sequence(struct tv_dag *dag, uint32_t *place)
{
	struct rank *rank = tv_alloc(dag->n, sizeof *rank);

	dag->sequence = dag->own.sequence = tv_alloc(dag->n, sizeof *dag->own.sequence);
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		bool timed = dag->timed[v];

		rank[v] = (struct rank){ timed ? dag->start[v] : INT64_MIN,
					 timed ? dag->end[v] : INT64_MIN, i, v };
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			rank[v].end = later(rank[v].end, rank[dag->pred[k]].end);
			rank[v].start = later(rank[v].start, rank[dag->pred[k]].start);
		}
	}
	tv_sort_by_time(rank, dag->n, sizeof *rank, offsetof(struct rank, start), by_rank);
	for (uint32_t i = 0; i < dag->n; i++) {
		dag->own.sequence[i] = rank[i].node;
		place[rank[i].node] = i;
	}
	tv_free(rank);
}

/* From which node to which. */
struct pair {
	uint32_t to, from;
};

TV_ORDER(by_nodes, struct pair, to, from)

void tv_dag_hold_until(struct tv_dag *dag, uint32_t row, int64_t until)
{
	uint32_t v = dag->node_of_row[row];

	if (dag->held == NULL) {
		dag->free = tv_realloc(NULL, dag->n, sizeof *dag->free);
		dag->held = tv_realloc(NULL, dag->tasks->n, sizeof *dag->held);
		for (uint32_t u = 0; u < dag->n; u++)
			dag->free[u] = INT64_MIN;
		for (uint32_t i = 0; i < dag->tasks->n; i++)
			dag->held[i] = INT64_MIN;
	}
	dag->held[row] = later(dag->held[row], until);
	if (dag->tasks->start[row] == dag->start[v])
		dag->free[v] = later(dag->free[v], until);
}

/* The pairs of jobs, in pair[], sorted; returns how many. Times go to held and free. */
static uint32_t pair_jobs(struct tv_dag *dag, const struct tv_exclusions *exclusions,
			  const uint32_t *place, struct pair *pair)
{
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t n = 0, kept = 0;

	for (size_t i = 0; i < exclusions->n; i++) {
		uint32_t row = exclusions->at[i].row, before = exclusions->at[i].before;
		uint32_t v = dag->node_of_row[row], u = dag->node_of_row[before];

		tv_dag_hold_until(dag, row, tasks->end[before]);
		if (tasks->start[row] == dag->start[v] && dag->end[u] <= dag->start[v]
		    && place[u] < place[v])
			pair[n++] = (struct pair){ v, u };
	}
	if (n > 0)
		qsort(pair, n, sizeof *pair, by_nodes);
	for (uint32_t i = 0; i < n; i++)
		if (kept == 0 || by_nodes(&pair[kept - 1], &pair[i]) != 0)
			pair[kept++] = pair[i];
	return kept;
}

static void link_pairs(struct tv_dag *dag, const struct tv_exclusions *exclusions)
{
	struct pair *pair = tv_alloc(exclusions->n, sizeof *pair);
	uint32_t *place = tv_alloc(dag->n, sizeof *place);

	dag->holders = tv_alloc((size_t)dag->n + 1, sizeof *dag->holders);
	dag->holder = tv_alloc(exclusions->n, sizeof *dag->holder);
	find_sequence(dag, place);
	dag->nexclusions = pair_jobs(dag, exclusions, place, pair);
	for (uint32_t i = 0; i < dag->nexclusions; i++) {
		dag->holder[i] = pair[i].from;
		dag->holders[pair[i].to + 1]++;
	}
	for (uint32_t v = 0; v < dag->n; v++)
		dag->holders[v + 1] += dag->holders[v];
	tv_free(pair);
	tv_free(place);
}

void tv_dag_exclude(struct tv_dag *dag)
{
	struct tv_exclusions exclusions;

	tv_exclusions_init(&exclusions, dag->tasks);
	if (exclusions.n == 0)
		dag->sequence = dag->order;
	else
		link_pairs(dag, &exclusions);
	tv_exclusions_release(&exclusions);
}
