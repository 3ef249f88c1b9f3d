/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blamed.c -- names of the nodes of the graph that idle time is blamed on. */
#include "analysis/bounds/blamed.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

static bool has_worker(const struct tv_dag *dag, uint32_t v)
{
	return dag->timed[v] && !tv_dag_is_message(dag, v);
}

/* The node of the machine of a task; of others that of a task before or after it: from, to by node
 * of the graph, TV_NONE = unknown. */
static void find_ends(const struct tv_dag *dag, uint32_t *from, uint32_t *to)
{
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t v = 0; v < dag->n; v++)
		from[v] = to[v] = has_worker(dag, v)
					? tasks->workers[tasks->worker[dag->row[v]]].node
					: TV_NONE;
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1] && from[v] == TV_NONE; k++)
			from[v] = from[dag->pred[k]];
	}
	for (uint32_t i = dag->n; i-- > 0;) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (to[dag->pred[k]] == TV_NONE)
				to[dag->pred[k]] = to[v];
	}
}

static const char *node_text(const struct tv_tasks *tasks, uint32_t node)
{
	return node == TV_NONE || tasks->node[node].label == TV_NONE
		     ? "?"
		     : tv_pool_text(tasks->pool, tasks->node[node].label);
}

static uint32_t name_link(const struct tv_tasks *tasks, struct tv_pool *pool, uint32_t from,
			  uint32_t to)
{
	char *text = tv_format("%s->%s", node_text(tasks, from), node_text(tasks, to));
	uint32_t link = tv_intern_text(pool, text);

	tv_free(text);
	return link;
}

static struct tv_blamed_name name_task(const struct tv_dag *dag, uint32_t v)
{
	const struct tv_tasks *tasks = dag->tasks;
	const struct tv_worker *worker = &tasks->workers[tasks->worker[dag->row[v]]];

	return (struct tv_blamed_name){ tasks->value[dag->row[v]],
					tasks->rtype[worker->rtype].label,
					tasks->node[worker->node].label, TV_NONE };
}

struct naming {
	const struct tv_dag *dag;
	struct tv_pool *pool;
	uint32_t *from, *to;
	struct tv_map links; /* labels, by from and to */
};

static struct tv_blamed_name name_of(struct naming *naming, uint32_t v)
{
	uint32_t *link;

	if (has_worker(naming->dag, v))
		return name_task(naming->dag, v);
	link = tv_map_at(&naming->links, naming->from[v], naming->to[v]);
	if (*link == TV_NONE)
		*link = name_link(naming->dag->tasks, naming->pool, naming->from[v], naming->to[v]);
	return (struct tv_blamed_name){ TV_NONE, TV_NONE, TV_NONE, *link };
}

static uint32_t number_name(struct tv_blamed_names *names, struct tv_blamed_name name)
{
	uint32_t *at = tv_map_at(&names->number, (uint64_t)name.value << 32 | name.rtype,
				 (uint64_t)name.node << 32 | name.link);

	if (*at == TV_NONE) {
		*at = names->n;
		TV_GROW(names->name, names->n, names->cap, 1);
		names->name[names->n++] = name;
	}
	return *at;
}

static void name_nothing(struct tv_blamed_names *names)
{
	(void)number_name(names, (struct tv_blamed_name){ TV_NONE, TV_NONE, TV_NONE, TV_NONE });
}

/* Those that have a time; nothing else is blamed. */
static void number_names(struct tv_blamed_names *names, struct naming *naming)
{
	name_nothing(names);
	for (uint32_t v = 0; v < naming->dag->n; v++)
		if (naming->dag->timed[v])
			names->of[v] = number_name(names, name_of(naming, v));
}

uint32_t *tv_blamed_names_add(struct tv_blamed_names *names, const struct tv_dag *part)
{
	uint32_t *of = tv_alloc(part->n, sizeof *of);

	if (names->n == 0)
		name_nothing(names);
	for (uint32_t v = 0; v < part->n; v++)
		if (has_worker(part, v))
			of[v] = number_name(names, name_task(part, v));
	return of;
}

TV_ORDER(by_name, struct tv_blamed_name, link, value, rtype, node)

/* All but the first, which is that of nothing. */
static void sort_names(struct tv_blamed_names *names, uint32_t nodes)
{
	uint32_t *place = tv_alloc(names->n, sizeof *place);
	struct tv_blamed_name *before = tv_alloc(names->n, sizeof *before);

	memcpy(before, names->name, names->n * sizeof *before);
	if (names->n > 2)
		qsort(names->name + 1, names->n - 1, sizeof *names->name, by_name);
	for (uint32_t i = 1; i < names->n; i++)
		TV_LOWER_BOUND(place[i], 1, names->n,
			       by_name(&names->name[place[i]], &before[i]) < 0);
	for (uint32_t v = 0; v < nodes; v++)
		names->of[v] = place[names->of[v]];
	tv_free(before);
	tv_free(place);
}

void tv_blamed_names_init(struct tv_blamed_names *names, const struct tv_dag *dag,
			  struct tv_pool *pool)
{
	struct naming naming = { .dag = dag,
				 .pool = pool,
				 .from = tv_alloc(dag->n, sizeof *naming.from),
				 .to = tv_alloc(dag->n, sizeof *naming.to) };

	*names = (struct tv_blamed_names){ .of = tv_alloc(dag->n, sizeof *names->of) };
	find_ends(dag, naming.from, naming.to);
	number_names(names, &naming);
	sort_names(names, dag->n);
	tv_free(naming.from);
	tv_free(naming.to);
	tv_map_release(&naming.links);
}

void tv_blamed_names_release(struct tv_blamed_names *names)
{
	tv_free(names->name);
	tv_free(names->of);
	tv_map_release(&names->number);
	*names = (struct tv_blamed_names){ 0 };
}
