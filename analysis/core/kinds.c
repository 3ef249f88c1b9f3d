/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kinds.c -- kinds of resources whose variables can be summed. */
#include "analysis/core/kinds.h"

#include <string.h>

#include "trace/alloc.h"

/* The columns of resources. */
struct resources {
	const struct tv_column *id, *type, *node, *memory;
	uint32_t n;
};

static bool is_cpu(const struct tv_tasks *tasks, uint32_t type)
{
	return strcmp(tv_pool_text(tasks->pool, type), "CPU") == 0;
}

/* The type of the workers of a memory node, not CPU if there are others; TV_NONE = there are none.
 * type_of: of workers, by label. */
static uint32_t owner_of(const struct tv_tasks *tasks, const struct resources *r,
			 const uint32_t *type_of, uint32_t row)
{
	uint32_t owner = TV_NONE;

	for (uint32_t other = 0; other < r->n; other++) {
		uint32_t label = tv_label(r->id, other);

		if (label == TV_NONE || type_of[label] == TV_NONE || tv_missing(r->memory, other)
		    || r->memory->i[other] != r->memory->i[row]
		    || tv_label(r->node, other) != tv_label(r->node, row))
			continue;
		if (owner == TV_NONE || is_cpu(tasks, owner))
			owner = type_of[label];
	}
	return owner;
}

static void set_kind(struct tv_kinds *kinds, const struct tv_tasks *tasks,
		     const struct resources *r, const uint32_t *type_of, uint32_t row)
{
	uint32_t label = tv_label(r->id, row), owner = TV_NONE;
	char *name;

	kinds->node[label] = r->node != NULL ? tv_label(r->node, row) : TV_NONE;
	kinds->kind[label] = r->type != NULL ? tv_label(r->type, row) : TV_NONE;
	if (type_of[label] == TV_NONE && r->memory != NULL && r->node != NULL
	    && !tv_missing(r->memory, row))
		owner = owner_of(tasks, r, type_of, row);
	if (owner == TV_NONE)
		return;
	name = is_cpu(tasks, owner) ? tv_strdup(TV_MAIN_MEMORY)
				    : tv_format("%s memory", tv_pool_text(tasks->pool, owner));
	kinds->kind[label] = tv_intern_text(tasks->trace->pool, name);
	tv_free(name);
}

static void set_kept(struct tv_kinds *kinds, const struct tv_run *run)
{
	const struct tv_tasks *part = tv_run_part(run);

	for (uint32_t i = 0; i < kinds->n; i++) {
		kinds->kept[i] = run->chosen == NULL;
		for (uint32_t k = 0; k < part->nnodes && !kinds->kept[i]; k++)
			kinds->kept[i] = kinds->node[i] == part->node[k].label;
	}
	for (uint32_t w = 0; w < run->tasks.nworkers; w++)
		if (!tv_run_has(run, w))
			kinds->kept[run->tasks.workers[w].resource] = false;
}

void tv_kinds_init(struct tv_kinds *kinds, const struct tv_run *run)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *table = &tasks->trace->table[TV_RESOURCES];
	const struct resources r = { tv_table_find(table, "ResourceId"),
				     tv_table_find(table, "ResourceType"),
				     tv_table_find(table, "Node"),
				     tv_table_find(table, "MemoryNode"), table->nrows };
	uint32_t n = tv_pool_count(tasks->pool), *type_of = tv_alloc(n, sizeof *type_of);

	*kinds = (struct tv_kinds){ tv_alloc(n, sizeof *kinds->kind),
				    tv_alloc(n, sizeof *kinds->node),
				    tv_alloc(n, sizeof *kinds->kept), n };
	for (uint32_t i = 0; i < n; i++)
		type_of[i] = kinds->kind[i] = kinds->node[i] = TV_NONE;
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_worker *worker = &tasks->workers[w];

		type_of[worker->resource] = tasks->rtype[worker->rtype].label;
		kinds->kind[worker->resource] = type_of[worker->resource];
		kinds->node[worker->resource] = tasks->node[worker->node].label;
	}
	for (uint32_t row = 0; r.id != NULL && row < r.n; row++)
		if (tv_label(r.id, row) != TV_NONE)
			set_kind(kinds, tasks, &r, type_of, row);
	set_kept(kinds, run);
	tv_free(type_of);
}

void tv_kinds_release(struct tv_kinds *kinds)
{
	tv_free(kinds->kind);
	tv_free(kinds->node);
	tv_free(kinds->kept);
	*kinds = (struct tv_kinds){ 0 };
}

bool tv_kind_is_main(const struct tv_pool *pool, uint32_t kind)
{
	return kind != TV_NONE && strcmp(tv_pool_text(pool, kind), TV_MAIN_MEMORY) == 0;
}
