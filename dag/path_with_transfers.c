/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_with_transfers.c -- longest path where edges between two places take time. */
#include "dag/path_with_transfers.h"

#include "trace/alloc.h"

/*
 * Paths that end in a node, with what is there in the end at different places. Of a node with a
 * place there is one. Behind a ghost the longest is not enough, as it may cross to where a shorter
 * one is already; but of those with a place, two are: one of them crosses wherever a third does.
 */
enum { FIRST, SECOND, ANYWHERE, NSLOTS };

struct reach {
	double length;	/* ns; negative = there is none */
	uint32_t place; /* TV_NONE = not known; of a node without place only ANYWHERE */
	uint32_t via;	/* the node before; TV_NONE = it begins here */
	uint8_t slot;	/* of that node */
	bool crosses;
};

struct search {
	const struct tv_dag *dag;
	const struct tv_across *across;
	struct reach *reach; /* n * NSLOTS */
	uint64_t crossings;
};

static bool differ(uint32_t a, uint32_t b)
{
	return a != TV_NONE && b != TV_NONE && a != b;
}

/* Adds a path to the slots of a node without place. */
static void keep(struct reach slot[NSLOTS], struct reach path)
{
	if (path.place == TV_NONE) {
		if (path.length > slot[ANYWHERE].length)
			slot[ANYWHERE] = path;
	} else if (path.length > slot[FIRST].length) {
		if (slot[FIRST].place != path.place)
			slot[SECOND] = slot[FIRST];
		slot[FIRST] = path;
	} else if (slot[FIRST].place != path.place && path.length > slot[SECOND].length) {
		slot[SECOND] = path;
	}
}

/* Extends the paths of u to v. */
static void extend(struct search *search, uint32_t u, uint32_t v)
{
	const struct tv_across *across = search->across;
	struct reach *to = search->reach + (size_t)v * NSLOTS;
	bool crossed = false;

	for (uint8_t k = 0; k < NSLOTS; k++) {
		struct reach path = search->reach[(size_t)u * NSLOTS + k];

		if (path.length < 0)
			continue;
		path.via = u;
		path.slot = k;
		path.crosses = search->dag->timed[v] && differ(path.place, across->from[v]);
		if (!search->dag->timed[v]) {
			keep(to, path);
			continue;
		}
		crossed = crossed || path.crosses;
		if (path.crosses)
			path.length += across->crossing;
		if (to[ANYWHERE].via == TV_NONE || path.length > to[ANYWHERE].length)
			to[ANYWHERE] = path;
	}
	search->crossings += crossed;
}

/* The paths that end in v. */
static void visit(struct search *search, uint32_t v)
{
	const struct tv_dag *dag = search->dag;
	struct reach *at = search->reach + (size_t)v * NSLOTS;

	for (int k = 0; k < NSLOTS; k++)
		at[k] = (struct reach){ .length = -1, .place = TV_NONE, .via = TV_NONE };
	for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
		extend(search, dag->pred[k], v);
	if (!dag->timed[v])
		return;
	/* One of them is enough: they all end where v is. */
	at[FIRST] = at[ANYWHERE];
	at[ANYWHERE].length = -1;
	if (dag->task[v] && at[FIRST].length < 0)
		at[FIRST].length = 0;
	if (at[FIRST].length < 0)
		return;
	at[FIRST].length += search->across->weight[v];
	at[FIRST].place = search->across->to[v];
}

/* Follows the path back from the task where it ends. */
static void trace_back(struct tv_across_path *path, const struct search *search, uint32_t end)
{
	const struct reach *reach = search->reach;
	uint8_t slot = FIRST;
	size_t at;

	for (uint32_t v = end; v != TV_NONE; path->n++) {
		at = (size_t)v * NSLOTS + slot;
		v = reach[at].via;
		slot = reach[at].slot;
	}
	path->node = tv_alloc(path->n, sizeof *path->node);
	path->crosses = tv_alloc(path->n, sizeof *path->crosses);
	slot = FIRST;
	for (uint32_t v = end, i = path->n; v != TV_NONE;) {
		at = (size_t)v * NSLOTS + slot;
		path->node[--i] = v;
		path->crosses[i] = reach[at].crosses;
		v = reach[at].via;
		slot = reach[at].slot;
	}
}

void tv_across_path_init(struct tv_across_path *path, const struct tv_dag *dag,
			 const struct tv_across *across)
{
	struct search search = { .dag = dag, .across = across };
	uint32_t end = TV_NONE;

	*path = (struct tv_across_path){ 0 };
	search.reach = tv_alloc((size_t)dag->n * NSLOTS, sizeof *search.reach);
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		double length;

		visit(&search, v);
		length = search.reach[(size_t)v * NSLOTS].length;
		if (dag->task[v] && (end == TV_NONE || length > path->length)) {
			end = v;
			path->length = length;
		}
	}
	trace_back(path, &search, end);
	path->crossings = search.crossings;
	tv_free(search.reach);
}

void tv_across_path_release(struct tv_across_path *path)
{
	tv_free(path->node);
	tv_free(path->crosses);
	*path = (struct tv_across_path){ 0 };
}
