/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fronts_tree.c -- parents, depths and places of fronts in their elimination tree. */
#include <stdlib.h>

#include "analysis/fronts/fronts.h"
#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* ---- parents in the trace ---- */

static int set_parent(struct tv_fronts *fronts, uint32_t front, int64_t number, bool *known,
		      unsigned long *absent, struct tv_error *err)
{
	struct tv_front *child = &fronts->front[front];
	uint32_t parent = tv_front_find(fronts, number);

	*absent += parent == TV_NONE && !*known;
	if (*known && child->parent != parent)
		return tv_fail(err,
			       "ANodeParent: front %lld has two "
			       "parents, one of them %lld",
			       (long long)child->number, (long long)number);
	*known = true;
	child->parent = parent;
	return 0;
}

static int read_parents(struct tv_fronts *fronts, const struct tv_column *column,
			struct tv_error *err)
{
	bool *known = tv_alloc(fronts->n, sizeof *known);
	unsigned long absent = 0;
	int rc = 0;

	for (uint32_t row = 0; row < fronts->run->tasks.n && rc == 0; row++) {
		uint32_t front = fronts->of_row[row];

		if (front != TV_NONE && !tv_missing(column, row))
			rc = set_parent(fronts, front, column->i[row], &known[front], &absent, err);
	}
	tv_free(known);
	if (rc == 0 && absent > 0)
		tv_run_warn(fronts->run,
			    "%lu fronts have a parent that no task belongs to: they "
			    "are roots",
			    absent);
	return rc;
}

/* ---- parents by dependencies ---- */

/* The two fronts that come first among those of computing tasks behind a node. */
struct nearest {
	uint32_t first, second; /* TV_NONE = none */
};

/* Whether the computing of a ended before that of b; a total order, along which parents follow. */
static bool ends_before(const struct tv_fronts *fronts, uint32_t a, uint32_t b)
{
	int64_t x = fronts->front[a].compute_end, y = fronts->front[b].compute_end;

	return x != y ? x < y : a < b;
}

static void insert(const struct tv_fronts *fronts, struct nearest *to, uint32_t front)
{
	if (front == TV_NONE || front == to->first || front == to->second)
		return;
	if (to->first == TV_NONE || ends_before(fronts, front, to->first)) {
		to->second = to->first;
		to->first = front;
	} else if (to->second == TV_NONE || ends_before(fronts, front, to->second)) {
		to->second = front;
	}
}

/* A front whose computing needs this front's: its parent, if none is nearer. */
static void propose(struct tv_fronts *fronts, uint32_t front, uint32_t above,
		    unsigned long *contrary)
{
	uint32_t *parent = &fronts->front[front].parent;

	if (above == TV_NONE || above == front)
		return;
	if (!ends_before(fronts, front, above))
		++*contrary;
	else if (*parent == TV_NONE || ends_before(fronts, above, *parent))
		*parent = above;
}

/* The front that a node of the graph computes; TV_NONE if it does not. */
static uint32_t computes(const struct tv_fronts *fronts, const struct tv_dag *dag, uint32_t v)
{
	uint32_t row = dag->row[v];

	return tv_front_computes(tv_front_role(fronts, row)) ? fronts->of_row[row] : TV_NONE;
}

/*
 * Every node passes on to its predecessors what is behind it, or, if it computes, its own front
 * only. What is behind a task of a front are that front and ancestors, so two are enough to know
 * the nearest ancestor.
 */
static void derive_parents(struct tv_fronts *fronts, const struct tv_dag *dag)
{
	struct nearest *behind = tv_alloc(dag->n, sizeof *behind);
	unsigned long contrary = 0;

	for (uint32_t v = 0; v < dag->n; v++)
		behind[v] = (struct nearest){ TV_NONE, TV_NONE };
	for (uint32_t i = dag->n; i-- > 0;) {
		uint32_t v = dag->order[i], own = computes(fronts, dag, v);
		struct nearest pass = own != TV_NONE ? (struct nearest){ own, TV_NONE } : behind[v];

		if (own != TV_NONE) {
			propose(fronts, own, behind[v].first, &contrary);
			propose(fronts, own, behind[v].second, &contrary);
		}
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			insert(fronts, &behind[dag->pred[k]], pass.first);
			insert(fronts, &behind[dag->pred[k]], pass.second);
		}
	}
	tv_free(behind);
	if (contrary != 0)
		tv_run_warn(fronts->run,
			    "%lu tasks are needed by a front whose computing ended "
			    "before that of their own: its place in the tree may be wrong",
			    contrary);
}

static int find_parents(struct tv_fronts *fronts, struct tv_error *err)
{
	struct tv_run *run = fronts->run;
	const struct tv_column *column = tv_table_find(&run->trace->table[TV_TASKS], "ANodeParent");
	const struct tv_dag *dag;

	if (column != NULL)
		return read_parents(fronts, column, err);
	dag = tv_run_dag(run, err);
	if (dag == NULL)
		return -1;
	if (dag->nedges == 0)
		tv_run_warn(run, "the tasks have neither ANodeParent nor dependencies: every "
				 "front is a root");
	derive_parents(fronts, dag);
	return 0;
}

/* ---- depths ---- */

static int find_depths(struct tv_fronts *fronts, struct tv_error *err)
{
	struct tv_front *front = fronts->front;

	for (uint32_t f = 0; f < fronts->n; f++)
		front[f].depth = TV_NONE;
	for (uint32_t f = 0; f < fronts->n; f++) {
		uint32_t up = f, steps = 0, depth;

		while (up != TV_NONE && front[up].depth == TV_NONE && steps <= fronts->n) {
			up = front[up].parent;
			steps++;
		}
		if (steps > fronts->n)
			return tv_fail(err,
				       "ANodeParent: front %lld is its "
				       "own ancestor",
				       (long long)front[up].number);
		depth = (up == TV_NONE ? 0 : front[up].depth + 1) + steps;
		for (up = f; up != TV_NONE && front[up].depth == TV_NONE; up = front[up].parent)
			front[up].depth = --depth;
	}
	return 0;
}

/* ---- order and position ---- */

/* Where a front comes among others: by its first computing task, else its first task. */
struct turn {
	uint32_t front;
	uint32_t depth;
	int64_t submitted, number; /* SubmitTime (else Start), SubmitOrder */
	uint32_t row;		   /* TV_NONE = not known yet */
	bool computes;
};

TV_ORDER(by_submission, struct turn, submitted, number, row)

TV_ORDER(by_depth, struct turn, depth, submitted, number, row)

/* The turn of every front. */
static void find_turns(const struct tv_fronts *fronts, struct turn *turn)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	const struct tv_column *order = tv_table_find(&tasks->trace->table[TV_TASKS],
						      "SubmitOrder");

	for (uint32_t f = 0; f < fronts->n; f++)
		turn[f] = (struct turn){ .front = f, .row = TV_NONE };
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t f = fronts->of_row[row];
		bool timed = tasks->submit != NULL && !tv_missing(tasks->submit, row);
		struct turn its = { f, 0, 0, 0, row, false };

		if (f == TV_NONE)
			continue;
		its.submitted = timed ? tasks->submit->i[row] : tasks->start[row];
		its.number = order != NULL && !tv_missing(order, row) ? order->i[row] : 0;
		its.computes = tv_front_computes(tv_front_role(fronts, row));
		if (turn[f].row == TV_NONE || (its.computes && !turn[f].computes)
		    || (its.computes == turn[f].computes && by_submission(&its, &turn[f]) < 0))
			turn[f] = its;
	}
}

/* The front whose row each is drawn in, fronts by depth. */
static void find_owners(struct tv_fronts *fronts, const struct turn *turn)
{
	for (uint32_t i = 0; i < fronts->n; i++) {
		struct tv_front *front = &fronts->front[turn[i].front];

		front->owner = front->pruned && front->parent != TV_NONE
				     ? fronts->front[front->parent].owner
				     : turn[i].front;
	}
}

static uint32_t owner_above(const struct tv_fronts *fronts, uint32_t f)
{
	uint32_t parent = fronts->front[f].parent;

	return parent == TV_NONE ? TV_NONE : fronts->front[parent].owner;
}

/* Post-order of the owners; turn[] by depth and submission. size, next: arrays of n. */
static void place(struct tv_fronts *fronts, const struct turn *turn, uint32_t *size, uint32_t *next)
{
	uint32_t free_from = 0;

	for (uint32_t i = fronts->n; i-- > 0;) {
		uint32_t f = turn[i].front, above = owner_above(fronts, f);

		if (fronts->front[f].owner != f)
			continue;
		size[f]++;
		if (above != TV_NONE)
			size[above] += size[f];
	}
	for (uint32_t i = 0; i < fronts->n; i++) {
		uint32_t f = turn[i].front, above = owner_above(fronts, f);
		uint32_t *from = above == TV_NONE ? &free_from : &next[above];

		if (fronts->front[f].owner != f) {
			fronts->front[f].position = fronts->front[fronts->front[f].owner].position;
			continue;
		}
		next[f] = *from;
		*from += size[f];
		fronts->front[f].position = *from;
	}
}

static void number_owners(struct tv_fronts *fronts, const struct turn *turn)
{
	uint32_t order = 0;

	for (uint32_t i = 0; i < fronts->n; i++)
		if (fronts->front[turn[i].front].owner == turn[i].front)
			fronts->front[turn[i].front].order = ++order;
	for (uint32_t f = 0; f < fronts->n; f++)
		fronts->front[f].order = fronts->front[fronts->front[f].owner].order;
}

int tv_fronts_tree(struct tv_fronts *fronts, struct tv_error *err)
{
	struct turn *turn = tv_alloc(fronts->n, sizeof *turn);
	uint32_t *size = tv_alloc(fronts->n, sizeof *size);
	uint32_t *next = tv_alloc(fronts->n, sizeof *next);
	int rc = find_parents(fronts, err) < 0 ? -1 : find_depths(fronts, err);

	if (rc == 0) {
		find_turns(fronts, turn);
		for (uint32_t f = 0; f < fronts->n; f++)
			turn[f].depth = fronts->front[f].depth;
		qsort(turn, fronts->n, sizeof *turn, by_depth);
		find_owners(fronts, turn);
		place(fronts, turn, size, next);
		qsort(turn, fronts->n, sizeof *turn, by_submission);
		number_owners(fronts, turn);
	}
	tv_free(turn);
	tv_free(size);
	tv_free(next);
	return rc;
}
