/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.c -- the order of the rows of workers, and which of them share a memory node or a device.
 * */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/rows/rows.h"

bool tv_is_cpu(const struct tv_pool *pool, uint32_t rtype)
{
	return strncasecmp(tv_pool_text(pool, rtype), "cpu", 3) == 0;
}

/* What a worker is sorted by: the numbers one after the other, then its name, then its place in the
 * view. */
struct key {
	double number[3];
	const char *name;
	uint32_t worker;
};

TV_ORDER(by_key, struct key, number[0], number[1], number[2], text(name), worker)

/* The memory node or the device of workers. */
struct domains {
	const struct tv_tasks *tasks;
	enum tv_row_order order;
	const uint32_t *worker_of; /* by label of a resource */
	uint32_t *of;		   /* by worker; TV_NONE = not known */
	const bool *
		known; /* by worker: rows of tasks do not change it; NULL = the first one counts that has a value */
	bool several; /* rows of tasks have different ones of a worker */
};

/* Memory nodes of CPUs, devices of the others; for the order by NUMA the memory nodes of all. */
static const char *name_domain(const struct domains *d, bool cpus)
{
	bool device = d->order == TV_ORDER_DEVICE || (d->order != TV_ORDER_NUMA && !cpus);

	return device ? "Device" : "MemoryNode";
}

/* From a table with a resource in each row. Only what has no value yet gets one. */
static void read_places(struct domains *d, const struct tv_table *table, const char *column,
			bool cpus)
{
	const struct tv_tasks *tasks = d->tasks;
	const struct tv_column *of = tv_table_find(table, "ResourceId"),
			       *place = tv_table_find(table, column);

	for (uint32_t row = 0; of != NULL && place != NULL && row < table->nrows; row++) {
		uint32_t label = tv_label(of, row);
		uint32_t w = label == TV_NONE ? TV_NONE : d->worker_of[label];
		uint32_t value = TV_NONE;

		if (w == TV_NONE || (d->known != NULL ? d->known[w] : d->of[w] != TV_NONE)
		    || tv_missing(place, row)
		    || tv_is_cpu(tasks->pool, tasks->rtype[tasks->workers[w].rtype].label) != cpus)
			continue;
		if (place->type == TV_LABEL)
			value = tv_label(place, row);
		else if (place->i[row] >= 0 && place->i[row] < TV_NONE)
			value = (uint32_t)place->i[row];
		d->several |= d->of[w] != TV_NONE && value != d->of[w];
		d->of[w] = value;
	}
}

static int read_tasks(void *state, struct tv_run *part, struct tv_error *err)
{
	struct domains *d = state;

	(void)err;
	for (int cpus = 0; cpus <= 1; cpus++)
		read_places(d, &part->trace->table[TV_TASKS], name_domain(d, cpus), cpus);
	return 0;
}

static int find_domains(struct tv_run *run, enum tv_row_order order, uint32_t *domain,
			struct tv_error *err)
{
	const struct tv_table *resources = &run->trace->table[TV_RESOURCES],
			      *task_table = &run->trace->table[TV_TASKS];
	uint32_t *worker_of = tv_tasks_worker_of_label(&run->tasks), n = run->tasks.nworkers;
	struct domains d = { &run->tasks, order, worker_of, domain, NULL, false };
	bool *known = NULL;
	int rc = 0;

	for (uint32_t w = 0; w < n; w++)
		domain[w] = TV_NONE;
	for (int cpus = 0; cpus <= 1; cpus++)
		if (strcmp(name_domain(&d, cpus), "MemoryNode") == 0)
			read_places(&d, resources, "MemoryNode", cpus);
	if (run->parts != NULL) {
		d.known = known = tv_alloc(n, sizeof *known);
		for (uint32_t w = 0; w < n; w++)
			known[w] = domain[w] != TV_NONE;
	}
	d.several = false;
	if (tv_table_find(task_table, "Device") != NULL
	    || tv_table_find(task_table, "MemoryNode") != NULL)
		rc = tv_run_bare_rows(run, read_tasks, &d, err);
	/* Which row is the first one, parts that come by time do not show. */
	if (rc == 0 && d.several)
		rc = tv_fail_parts(err,
				   "a figure of workers with several memory nodes or devices needs "
				   "all rows at once");
	tv_free(known);
	tv_free(worker_of);
	return rc;
}

/* The line of the list that names a resource; behind all of them if none does. */
static double line_of(const struct tv_plot_options *options, const char *name)
{
	for (size_t i = 0; i < options->nrow_names; i++)
		if (strcmp(options->row_name[i], name) == 0)
			return (double)i;
	return (double)options->nrow_names;
}

/* Of a worker that the list does not name, or without a list. */
static void set_numbers(struct key *key, const struct tv_tasks *tasks,
			const struct tv_rows_source *source, const uint32_t *domain)
{
	const struct tv_worker *worker = &tasks->workers[key->worker];
	const struct tv_table *idleness = source->stream_idleness != NULL ? source->stream_idleness
									  : source->idleness;
	const struct tv_column *idle = idleness == NULL ? NULL
							: tv_table_find(idleness, "Idleness");
	const char *name = tv_pool_text(tasks->pool, worker->resource);
	bool cpu = tv_is_cpu(tasks->pool, tasks->rtype[worker->rtype].label);
	uint32_t place = domain[key->worker];

	key->number[0] = worker->node;
	key->number[1] = cpu;
	key->name = "";
	switch (source->options->row_order) {
	case TV_ORDER_LIST:
		key->number[0] = line_of(source->options, name);
		key->number[1] = worker->node;
		key->number[2] = cpu;
		break;
	case TV_ORDER_NUMA:
		key->number[1] = place == TV_NONE ? INFINITY : place;
		key->number[2] = cpu;
		break;
	case TV_ORDER_DEVICE:
		key->number[1] = place == TV_NONE;
		key->name = place == TV_NONE ? "" : tv_pool_text(tasks->pool, place);
		break;
	case TV_ORDER_BUSY:
		key->number[1] = cpu ? tasks->nrtypes + worker->rtype : worker->rtype;
		key->number[2] = idle == NULL || tv_missing(idle, key->worker)
				       ? INFINITY
				       : idle->d[key->worker];
		break;
	case TV_ORDER_NAME:
		key->number[1] = 0;
		key->name = name;
		break;
	case TV_ORDER_TYPE:
		break;
	}
}

int tv_rows_order(struct tv_run *run, const struct tv_rows_source *source, uint32_t *order,
		  uint32_t *domain, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct key *key = tv_alloc(tasks->nworkers, sizeof *key);
	uint32_t *device_of = NULL; /* streams of a device stay together */

	if (find_domains(run, source->options->row_order, domain, err) < 0) {
		tv_free(key);
		return -1;
	}
	if (run->devices != NULL && source->options->row_order == TV_ORDER_TYPE)
		device_of = tv_tasks_worker_of_label(&run->devices->tasks);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		key[w].worker = w;
		set_numbers(&key[w], tasks, source, domain);
		if (device_of != NULL)
			key[w].number[2] = device_of[tasks->workers[w].resource];
	}
	tv_free(device_of);
	qsort(key, tasks->nworkers, sizeof *key, by_key);
	for (uint32_t i = 0; i < tasks->nworkers; i++)
		order[i] = key[i].worker;
	tv_free(key);
	return 0;
}
