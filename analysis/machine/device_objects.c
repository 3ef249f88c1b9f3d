/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device_objects.c -- the machine of a run: the objects of its trace, else processes, devices and streams. */
#include "analysis/machine/device_objects.h"

#include "analysis/core/lateness.h"
#include "trace/alloc.h"

struct device_objects {
	struct tv_table *objects; /* as rows of resources */
	struct tv_column *id, *type, *parent, *depth;
	struct tv_index taken; /* labels that are names */
};

static struct tv_column *add_column(struct device_objects *work, const char *name,
				    enum tv_type type)
{
	return tv_table_column(work->objects, name, type, NULL); /* the table is empty */
}

static void add_object(struct device_objects *work, uint32_t id, const char *level, int64_t depth,
		       uint32_t parent)
{
	uint32_t row = tv_table_add_row(work->objects);

	tv_set_label(work->id, row, id);
	tv_set_label(work->type, row, tv_intern_text(work->objects->pool, level));
	tv_set_int(work->depth, row, depth);
	if (parent != TV_NONE)
		tv_set_label(work->parent, row, parent);
}

/* A label for an object of a node that names nothing yet: `text`, else with the node before it. */
static uint32_t name_object(struct device_objects *work, uint32_t node, const char *text)
{
	struct tv_pool *pool = work->objects->pool;
	uint32_t label = tv_intern_text(pool, text);
	char *name = tv_format("%s_%s", tv_pool_text(pool, node), text);

	while (tv_index_get(&work->taken, label) != TV_NONE) {
		label = tv_intern_text(pool, name);
		tv_append(&name, "_");
	}
	tv_index_set(&work->taken, label, 1);
	tv_free(name);
	return label;
}

/* The objects of all workers; streams: with one worker per stream, in the order of figures. */
static void add_objects(struct device_objects *work, const struct tv_tasks *tasks,
			const struct tv_tasks *streams)
{
	uint32_t *worker_of = tv_tasks_worker_of_label(tasks), *device = tv_worker_devices(tasks);
	bool *on_device = tv_on_device(tasks);
	uint32_t *process = tv_alloc(tasks->nnodes, sizeof *process),
		 *object = tv_alloc(tasks->nworkers, sizeof *object);
	bool several = tasks->nnodes > 1;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		tv_index_set(&work->taken, tasks->workers[w].resource, 1);
	for (uint32_t s = 0; s < streams->nworkers; s++)
		tv_index_set(&work->taken, streams->workers[s].resource, 1);
	for (uint32_t i = 0; i < tasks->nnodes; i++) {
		/* As readers name what has the counters of a process. */
		char *text = tv_format("%s%sprocess",
				       several ? tv_pool_text(tasks->pool, tasks->node[i].label)
					       : "",
				       several ? "_" : "");

		process[i] = name_object(work, tasks->node[i].label, text);
		tv_free(text);
		add_object(work, process[i], "Process", 0, TV_NONE);
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_worker *worker = &tasks->workers[w];

		object[w] = worker->resource;
		if (on_device[w] && !worker->shared)
			object[w] = name_object(work, tasks->node[worker->node].label,
						tv_pool_text(tasks->pool, device[w]));
		add_object(work, object[w], on_device[w] ? "Device" : "Worker", 1,
			   process[worker->node]);
	}
	for (uint32_t s = 0; s < streams->nworkers; s++) {
		uint32_t label = streams->workers[s].resource, w = worker_of[label];

		if (w != TV_NONE && on_device[w])
			add_object(work, label, "Stream", 2, object[w]);
	}
	tv_free(worker_of);
	tv_free(device);
	tv_free(on_device);
	tv_free(process);
	tv_free(object);
}

static bool has_device(const struct tv_tasks *tasks)
{
	bool *on_device = tv_on_device(tasks), has = false;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		has = has || on_device[w];
	tv_free(on_device);
	return has;
}

bool tv_run_machine_init(struct tv_machine *machine, struct tv_run *run)
{
	struct tv_table objects;
	struct device_objects work = { .objects = &objects };

	tv_machine_init(machine, &run->trace->table[TV_RESOURCES]);
	if (machine->n > 0 || !has_device(&run->tasks))
		return false;
	tv_table_init(&objects, run->trace->pool);
	work.id = add_column(&work, "ResourceId", TV_LABEL);
	work.type = add_column(&work, "ResourceType", TV_LABEL);
	work.parent = add_column(&work, "Parent", TV_LABEL);
	work.depth = add_column(&work, "Depth", TV_INT);
	add_objects(&work, &run->tasks, &tv_run_streams(run)->tasks);
	tv_table_finish(&objects);
	tv_machine_release(machine);
	tv_machine_init(machine, &objects);
	tv_table_release(&objects);
	tv_free(work.taken.at);
	return true;
}
