/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blamed.c -- names of the nodes of the graph that idle time is blamed on. */
#include "analysis/bounds/blamed.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

struct named {
	struct tv_blamed_name name;
	uint32_t v;
};

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

TV_ORDER(by_name, struct tv_blamed_name, link, value, rtype, node)

/* Names of those that have a time; nothing else is blamed. Returns how many. */
static uint32_t list_names(const struct tv_dag *dag, struct tv_pool *pool, const uint32_t *from,
			   const uint32_t *to, struct named *named)
{
	const struct tv_blamed_name nothing = { TV_NONE, TV_NONE, TV_NONE, TV_NONE };
	uint32_t n = 0;

	for (uint32_t v = 0; v < dag->n; v++) {
		struct named *one = &named[n];

		if (!dag->timed[v])
			continue;
		*one = (struct named){ nothing, v };
		if (has_worker(dag, v))
			one->name = name_task(dag, v);
		else
			one->name.link = name_link(dag->tasks, pool, from[v], to[v]);
		n++;
	}
	return n;
}

static void number_names(struct tv_blamed_names *names, struct named *named, uint32_t n)
{
	names->name[names->n++] = (struct tv_blamed_name){ TV_NONE, TV_NONE, TV_NONE, TV_NONE };
	if (n > 1)
		qsort(named, n, sizeof *named, by_name);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || by_name(&named[i].name, &named[i - 1].name) != 0)
			names->name[names->n++] = named[i].name;
		names->of[named[i].v] = names->n - 1;
	}
}

void tv_blamed_names_init(struct tv_blamed_names *names, const struct tv_dag *dag,
			  struct tv_pool *pool)
{
	uint32_t *from = tv_alloc(dag->n, sizeof *from), *to = tv_alloc(dag->n, sizeof *to);
	struct named *named = tv_alloc(dag->n, sizeof *named);

	*names = (struct tv_blamed_names){ .of = tv_alloc(dag->n, sizeof *names->of) };
	names->name = tv_alloc((size_t)dag->n + 1, sizeof *names->name);
	find_ends(dag, from, to);
	number_names(names, named, list_names(dag, pool, from, to, named));
	tv_free(from);
	tv_free(to);
	tv_free(named);
}

void tv_blamed_names_release(struct tv_blamed_names *names)
{
	tv_free(names->name);
	tv_free(names->of);
	*names = (struct tv_blamed_names){ 0 };
}
