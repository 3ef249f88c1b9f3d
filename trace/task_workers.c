/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task_workers.c -- the workers of a trace, their types and nodes, and the worker of each row of tasks. */
#include "trace/task_workers.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/devices.h"
#include "trace/machine.h"
#include "trace/map.h"
#include "trace/survey.h"
#include "trace/text.h"

struct worker_key {
	const char *node, *type, *name;
	uint32_t resource, type_label, node_label;
};

/* Natural order; what is missing and the empty text differ. */
static int by_text(const char *a, uint32_t a_label, const char *b, uint32_t b_label)
{
	return a_label == b_label	    ? 0
	     : a[0] == '\0' && b[0] == '\0' ? (a_label > b_label ? 1 : -1)
					    : tv_natural_order(a, b);
}

static int by_type(const void *a, const void *b)
{
	const struct worker_key *x = a, *y = b;

	return by_text(x->type, x->type_label, y->type, y->type_label);
}

static int by_place(const void *a, const void *b)
{
	const struct worker_key *x = a, *y = b;
	int order = by_text(x->node, x->node_label, y->node, y->node_label);

	if (order == 0)
		order = by_type(a, b);
	return order != 0 ? order : tv_natural_order(x->name, y->name);
}

static void see(uint32_t *label, const struct tv_column *column, uint32_t row)
{
	if (*label == TV_NONE && column != NULL)
		*label = tv_label(column, row);
}

static bool are_known(const bool *known, const uint32_t label[4])
{
	return known[label[0]] & known[label[1]] & known[label[2]] & known[label[3]];
}

/* Every resource that runs tasks, is declared idle, or is of a type that runs tasks. */
static void sight_tasks(struct tv_tasks *tasks, struct tv_sighting *seen, uint8_t *runs)
{
	const struct tv_table *task_table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *id = tv_table_find(task_table, "ResourceId");
	const struct tv_column *type = tv_table_find(task_table, "ResourceType");
	const struct tv_column *node = tv_table_find(task_table, "Node");
	const struct tv_column *device = tv_table_find(task_table, "Device");
	/* By label: nothing of the resource is left to be seen. */
	bool *known = tv_alloc(tv_pool_count(tasks->pool), sizeof *known);
	bool all = tv_all_executed(tasks) && id->valid == NULL;

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_sighting *s;
		uint32_t label;

		while (all && row + 4 < tasks->n && are_known(known, id->u + row))
			row += 4;
		label = tv_label(id, row);

		if (label == TV_NONE || (tasks->executed[row] && known[label])
		    || (!tasks->executed[row] && tasks->kind[row] != TV_WORKER))
			continue;
		s = &seen[label];
		s->worker = true;
		see(&s->type, type, row);
		see(&s->node, node, row);
		see(&s->device, device, row);
		if (tasks->kind[row] == TV_WORKER)
			tasks->workers_known = true;
		if (s->type != TV_NONE)
			runs[s->type] = 1;
		known[label] = s->type != TV_NONE && (node == NULL || s->node != TV_NONE)
			    && (device == NULL || s->device != TV_NONE);
	}
	tv_free(known);
}

/* The same of the table of resources, once all tasks are known. */
static void sight_resources(struct tv_tasks *tasks, struct tv_sighting *seen, const uint8_t *runs)
{
	const struct tv_table *resources = &tasks->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *type = tv_table_find(resources, "ResourceType");
	const struct tv_column *node = tv_table_find(resources, "Node");
	const struct tv_column *depth = tv_table_find(resources, "Depth");

	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++) {
		uint32_t is = type != NULL ? tv_label(type, row) : TV_NONE;
		struct tv_sighting *s;

		if (is == TV_NONE || tv_is_object(depth, row)
		    || (!runs[is] && !tv_is_processor(tv_pool_text(tasks->pool, is))))
			continue;
		s = &seen[tv_label(id, row)];
		s->worker = tasks->workers_known = true;
		see(&s->type, type, row);
		see(&s->node, node, row);
	}
}

/* Where some workers have a node, the others are on one named TV_UNKNOWN_NODE: no label would mean several nodes, or all. */
static void name_unknown_node(struct tv_tasks *tasks, struct tv_sighting *seen, uint32_t nlabels)
{
	bool known = false, unknown = false;
	uint32_t name;

	for (uint32_t i = 0; i < nlabels; i++) {
		known |= seen[i].worker && seen[i].node != TV_NONE;
		unknown |= seen[i].worker && seen[i].node == TV_NONE;
	}
	if (!known || !unknown)
		return;
	name = tv_intern_text(tasks->trace->pool, TV_UNKNOWN_NODE);
	for (uint32_t i = 0; i < nlabels; i++)
		if (seen[i].worker && seen[i].node == TV_NONE)
			seen[i].node = name;
}

/* Place of a label among the groups found so far, added when new. place[label + 1]: that + 1, 0 =
 * new; TV_NONE is a label, too. */
static uint32_t group_of(struct tv_group *group, uint32_t *n, uint32_t label, uint32_t *place)
{
	uint32_t *known = &place[label == TV_NONE ? 0 : label + 1];

	if (*known == 0) {
		group[(*n)++] = (struct tv_group){ .label = label };
		*known = *n;
	}
	group[*known - 1].nworkers++;
	return *known - 1;
}

/* Sorted keys into workers, types and nodes. */
static void build_workers(struct tv_tasks *tasks, struct worker_key *key, uint32_t n)
{
	size_t nlabels = (size_t)tv_pool_count(tasks->pool) + 1;
	uint32_t *type = tv_alloc(nlabels, sizeof *type), *node = tv_alloc(nlabels, sizeof *node);

	tasks->workers = tv_alloc(n, sizeof *tasks->workers);
	tasks->rtype = tv_alloc(n, sizeof *tasks->rtype);
	tasks->node = tv_alloc(n, sizeof *tasks->node);
	qsort(key, n, sizeof *key, by_type);
	for (uint32_t i = 0; i < n; i++)
		group_of(tasks->rtype, &tasks->nrtypes, key[i].type_label, type);
	qsort(key, n, sizeof *key, by_place);
	for (uint32_t i = 0; i < tasks->nrtypes; i++)
		tasks->rtype[i].nworkers = 0;
	for (uint32_t i = 0; i < n; i++)
		tasks->workers[i] = (struct tv_worker){
			key[i].resource,
			group_of(tasks->rtype, &tasks->nrtypes, key[i].type_label, type),
			group_of(tasks->node, &tasks->nnodes, key[i].node_label, node),
			false,
		};
	for (uint32_t i = 1; i < tasks->nnodes; i++)
		tasks->node[i].first = tasks->node[i - 1].first + tasks->node[i - 1].nworkers;
	tasks->nworkers = n;
	tv_free(type);
	tv_free(node);
}

/* More than the labels of resources and their types are: jobs, of which there are many more, mostly come later. */
static uint32_t resource_labels(const struct tv_tasks *tasks)
{
	static const enum tv_table_id table[] = { TV_TASKS, TV_RESOURCES };
	static const char *const name[] = { "ResourceId", "ResourceType" };
	uint32_t below = 0;

	if (tasks->trace->survey != NULL)
		return tv_pool_count(tasks->pool);
	for (size_t i = 0; i < 2 * TV_COUNT(name); i++) {
		const struct tv_table *of = &tasks->trace->table[table[i / 2]];
		const struct tv_column *column = tv_table_find(of, name[i % 2]);
		uint32_t n = column == NULL ? 0 : tv_labels_below(column->u, of->nrows);

		below = n > below ? n : below;
	}
	return below;
}

bool tv_find_workers(struct tv_tasks *tasks, bool devices)
{
	uint32_t nlabels = resource_labels(tasks), n = 0;
	struct tv_sighting *seen = tv_alloc(nlabels, sizeof *seen);
	uint8_t *runs = tv_alloc(nlabels, 1);
	uint32_t *named = tv_alloc(nlabels, sizeof *named);
	const struct tv_column *id = tv_table_find(&tasks->trace->table[TV_TASKS], "ResourceId");
	const uint32_t *resource = id != NULL ? id->u : NULL;
	uint32_t *worker = tv_alloc(nlabels, sizeof *worker); /* by label of a resource */
	struct tv_survey *survey = tasks->trace->survey;
	struct tv_index index = { 0 };
	struct worker_key *key;
	bool all;

	for (uint32_t i = 0; i < nlabels; i++)
		seen[i].type = seen[i].node = seen[i].device = TV_NONE;
	if (survey != NULL)
		tasks->workers_known = tv_survey_begin(survey, seen, runs);
	sight_tasks(tasks, seen, runs);
	if (survey != NULL)
		tv_survey_end(survey, seen, runs, nlabels, tasks->workers_known);
	sight_resources(tasks, seen, runs);
	name_unknown_node(tasks, seen, nlabels);
	for (uint32_t i = 0; i < nlabels; i++) {
		seen[i].device = devices ? seen[i].device : TV_NONE;
		n += seen[i].worker;
	}
	devices = tv_devices_name(tasks->trace->pool, seen, nlabels, named);
	key = tv_alloc(n, sizeof *key);
	n = 0;
	for (uint32_t i = 0; i < nlabels; i++)
		if (seen[i].worker && tv_index_get(&index, named[i]) == TV_NONE) {
			tv_index_set(&index, named[i], n);
			key[n++] = (struct worker_key){ tv_pool_text(tasks->pool, seen[i].node),
							tv_pool_text(tasks->pool, seen[i].type),
							tv_pool_text(tasks->pool, named[i]),
							named[i],
							seen[i].type,
							seen[i].node };
		}
	build_workers(tasks, key, n);
	for (uint32_t w = 0; w < n; w++)
		tv_index_set(&index, tasks->workers[w].resource, w);
	for (uint32_t i = 0; i < nlabels; i++)
		worker[i] = tv_index_get(&index, named[i]);
	all = tv_all_executed(tasks);
	for (uint32_t row = 0; row < tasks->n; row++)
		tasks->worker[row] = all || tasks->executed[row]
						  || (tasks->kind[row] == TV_WORKER
						      && resource[row] != TV_NONE)
					   ? worker[resource[row]]
					   : TV_NONE;
	for (uint32_t i = 0; devices && i < nlabels; i++)
		if (seen[i].worker && named[i] != i)
			tasks->workers[tv_index_get(&index, named[i])].shared = true;
	tv_free(seen);
	tv_free(runs);
	tv_free(named);
	tv_free(worker);
	tv_free(index.at);
	tv_free(key);
	return devices;
}
