/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.c -- where the resources of a run are. */
#include "analysis/core/places.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/nodes.h"
#include "trace/text.h"

/* ---- nodes ---- */

static void release_nodes(void *data)
{
	struct tv_nodes *nodes = data;

	tv_nodes_release(nodes);
	tv_free(nodes);
}

uint32_t tv_run_node_of(struct tv_run *run, uint32_t resource)
{
	static const char kept;
	struct tv_nodes *nodes = tv_run_kept(run, &kept);

	if (nodes == NULL) {
		nodes = tv_alloc(1, sizeof *nodes);
		tv_nodes_init(nodes, run->trace);
		tv_run_keep(run, &kept, nodes, release_nodes);
	}
	return tv_node_of(nodes, resource);
}

/* ---- memory nodes ---- */

struct reader {
	struct tv_run *run;
	struct tv_memories *out;
	size_t cap;
	struct tv_index number; /* by label of a resource: its memory node */
};

/* The number at the end of a name. */
static int64_t number_in(const char *name)
{
	size_t n = strlen(name), digits = 0;

	while (digits < n && digits < 9 && name[n - digits - 1] >= '0'
	       && name[n - digits - 1] <= '9')
		digits++;
	return digits == 0 ? -1 : strtol(name + n - digits, NULL, 10);
}

static void add_memory(struct reader *reader, uint32_t resource)
{
	struct tv_memories *out = reader->out;
	uint32_t number;

	if (resource == TV_NONE || tv_index_get(&out->of_resource, resource) != TV_NONE)
		return;
	number = tv_index_get(&reader->number, resource);
	TV_GROW(out->at, out->n, reader->cap, 1);
	tv_index_set(&out->of_resource, resource, out->n);
	out->at[out->n++] = (struct tv_memory){
		resource, tv_run_node_of(reader->run, resource),
		number != TV_NONE ? number
				  : number_in(tv_pool_text(reader->run->trace->pool, resource))
	};
}

/* The resources in a column where another one begins with a text. */
static void add_those(struct reader *reader, enum tv_table_id table, const char *resource,
		      const char *type, const char *begins)
{
	const struct tv_table *from = &reader->run->trace->table[table];
	const struct tv_column *id = tv_table_find(from, resource), *of = tv_table_find(from, type);

	for (uint32_t row = 0; id != NULL && of != NULL && row < from->nrows; row++)
		if (strncmp(tv_pool_text(from->pool, tv_label(of, row)), begins, strlen(begins))
		    == 0)
			add_memory(reader, tv_label(id, row));
}

static void index_numbers(struct reader *reader)
{
	const struct tv_table *resources = &reader->run->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *number = tv_table_find(resources, "MemoryNode");

	for (uint32_t row = 0; id != NULL && number != NULL && row < resources->nrows; row++)
		if (!tv_missing(id, row) && !tv_missing(number, row) && number->i[row] >= 0
		    && number->i[row] < TV_NONE)
			tv_index_set(&reader->number, tv_label(id, row), (uint32_t)number->i[row]);
}

static int by_place(const void *a, const void *b, void *data)
{
	const struct tv_memory *x = a, *y = b;
	const struct tv_pool *pool = data;
	int order = tv_natural_order(tv_pool_text(pool, x->node), tv_pool_text(pool, y->node));

	if (order == 0)
		order = (x->number > y->number) - (x->number < y->number);
	return order != 0 ? order
			  : tv_natural_order(tv_pool_text(pool, x->resource),
					     tv_pool_text(pool, y->resource));
}

/* Of workers without MemoryNode in resources, that of their first task which has it. */
static void number_workers(struct reader *reader)
{
	const struct tv_tasks *tasks = &reader->run->tasks;
	const struct tv_column *number = tv_table_find(&reader->run->trace->table[TV_TASKS],
						       "MemoryNode");

	for (uint32_t row = 0; number != NULL && row < tasks->n; row++) {
		uint32_t resource;

		if (!tasks->executed[row] || tv_missing(number, row) || number->i[row] < 0
		    || number->i[row] >= TV_NONE)
			continue;
		resource = tasks->workers[tasks->worker[row]].resource;
		if (tv_index_get(&reader->number, resource) == TV_NONE)
			tv_index_set(&reader->number, resource, (uint32_t)number->i[row]);
	}
}

static void find_workers(struct reader *reader)
{
	const struct tv_tasks *tasks = &reader->run->tasks;
	struct tv_memories *out = reader->out;

	number_workers(reader);
	out->of_worker = tv_alloc(tasks->nworkers, sizeof *out->of_worker);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_worker *worker = &tasks->workers[w];
		uint32_t number = tv_index_get(&reader->number, worker->resource);

		out->of_worker[w] = number == TV_NONE
					  ? TV_NONE
					  : tv_memory_find(out, tasks->node[worker->node].label,
							   number);
	}
}

static void release_memories(void *data)
{
	struct tv_memories *memories = data;

	tv_free(memories->at);
	tv_free(memories->of_worker);
	tv_free(memories->of_resource.at);
	tv_free(memories);
}

const struct tv_memories *tv_run_memories(struct tv_run *run)
{
	static const char kept;
	struct tv_memories *memories = tv_run_kept(run, &kept);
	struct reader reader = { .run = run };

	if (memories != NULL)
		return memories;
	reader.out = memories = tv_alloc(1, sizeof *memories);
	index_numbers(&reader);
	add_those(&reader, TV_RESOURCES, "ResourceId", "ResourceType", "MEMMANAGER");
	add_those(&reader, TV_LINKS, "Origin", "Type", TV_TRANSFER_TYPE);
	add_those(&reader, TV_LINKS, "Dest", "Type", TV_TRANSFER_TYPE);
	add_those(&reader, TV_EVENTS, "ResourceId", "Type", "data state ");
	add_those(&reader, TV_EVENTS, "ResourceId", "Type", "Allocating ");
	add_those(&reader, TV_VARIABLES, "ResourceId", "Type", TV_USED_COUNTER);
	if (memories->n > 1)
		qsort_r(memories->at, memories->n, sizeof *memories->at, by_place,
			run->trace->pool);
	for (uint32_t i = 0; i < memories->n; i++)
		tv_index_set(&memories->of_resource, memories->at[i].resource, i);
	find_workers(&reader);
	tv_free(reader.number.at);
	tv_run_keep(run, &kept, memories, release_memories);
	return memories;
}

uint32_t tv_memory_find(const struct tv_memories *memories, uint32_t node, int64_t number)
{
	for (uint32_t i = 0; i < memories->n; i++)
		if (memories->at[i].node == node && memories->at[i].number == number)
			return i;
	return TV_NONE;
}

bool tv_memory_chosen(const struct tv_run *run, const struct tv_memory *memory)
{
	const struct tv_tasks *part = tv_run_part(run);

	for (uint32_t n = 0; run->chosen != NULL && n < part->nnodes; n++)
		if (part->node[n].label == memory->node)
			return true;
	return run->chosen == NULL;
}
