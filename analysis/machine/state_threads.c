/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_threads.c -- workers, threads and resources that have states, and which states they have. */
#include "analysis/machine/state_threads.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/places.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

static int by_name(const void *a, const void *b, void *data)
{
	const struct tv_pool *pool = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return tv_natural_order(tv_pool_text(pool, x), tv_pool_text(pool, y));
}

static void list_workers(struct tv_state_threads *in, const struct tv_tasks *tasks)
{
	in->thread = tv_alloc(tasks->nworkers, sizeof *in->thread);
	in->type = tv_alloc(tasks->nrtypes, sizeof *in->type);
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		in->type[in->ntypes++] = (struct tv_state_type){ tasks->rtype[r].label, TV_NONE,
								 tasks->rtype[r].nworkers };
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		in->thread[in->nthreads++] = (struct tv_state_thread){ tasks->workers[w].resource,
								       TV_NONE,
								       tasks->workers[w].rtype };
}

/* Whether its node is one of those of the selected workers. */
static bool is_selected(struct tv_run *run, uint32_t resource)
{
	const struct tv_tasks *part = tv_run_part(run);
	bool selected = run->chosen == NULL;

	for (uint32_t k = 0; k < part->nnodes && !selected; k++)
		selected = part->node[k].label == tv_run_node_of(run, resource);
	return selected;
}

static bool is_communication(const struct tv_state_threads *in, uint32_t row)
{
	const struct tv_table *states = in->table;
	const struct tv_column *type = tv_table_find(states, "Type");
	uint32_t label = type == NULL ? TV_NONE : tv_label(type, row);

	return in->calls
	    || (label != TV_NONE
		&& strcmp(tv_pool_text(states->pool, label), TV_COMMUNICATION_STATES) == 0);
}

/* The states of threads for communication, else calls of MPI, whose values are their classes. */
static void choose_table(struct tv_state_threads *in, const struct tv_trace *trace)
{
	const struct tv_table *calls = &trace->table[TV_CALLS];
	bool any = in->of != TV_STATES_OF_COMMUNICATION || calls->nrows == 0;

	in->table = tv_trace_table(trace, TV_STATES);
	for (uint32_t row = 0; !any && row < in->table->nrows; row++)
		any = is_communication(in, row);
	in->calls = !any;
	if (!any)
		in->table = calls;
	in->value = tv_table_find(in->table, in->calls ? "Class" : "Value");
	in->depth = tv_table_find(in->table, "Depth");
	in->start = tv_table_find(in->table, "Start");
	in->end = tv_table_find(in->table, "End");
}

static int by_resource(const void *a, const void *b, void *data)
{
	const struct tv_state_thread *x = a, *y = b;

	return x->resource != y->resource ? by_name(&x->resource, &y->resource, data)
					  : TV_COMPARE(x->states, y->states);
}

/* The types of the threads and of their states, in order of the first thread of each. */
static void list_types(struct tv_state_threads *in, const struct tv_trace *trace)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES];
	const struct tv_column *name = tv_table_find(resources, "ResourceId"),
			       *type = tv_table_find(resources, "ResourceType");
	struct tv_index type_of = { 0 };
	struct tv_map place = { 0 };

	for (uint32_t row = 0; name != NULL && type != NULL && row < resources->nrows; row++)
		if (!tv_missing(name, row) && !tv_missing(type, row))
			tv_index_set(&type_of, tv_label(name, row), tv_label(type, row));
	in->type = tv_alloc(in->nthreads, sizeof *in->type);
	for (uint32_t w = 0; w < in->nthreads; w++) {
		struct tv_state_thread *thread = &in->thread[w];
		uint32_t label = tv_index_get(&type_of, thread->resource);
		uint32_t *r = tv_map_at(&place, label, thread->states);

		if (*r == TV_NONE) {
			*r = in->ntypes++;
			in->type[*r] = (struct tv_state_type){ label, thread->states, 0 };
		}
		in->type[*r].nthreads++;
		thread->type = *r;
	}
	tv_free(type_of.at);
	tv_map_release(&place);
}

/* Of which thread the row's state is, if its resource is one: with --of all those of each type apart, as
 * they are stacks of their own in Pajé. */
static uint32_t states_of(const struct tv_state_threads *in, uint32_t row)
{
	const struct tv_column *type = tv_table_find(in->table, "Type");

	return in->of != TV_STATES_OF_ALL || type == NULL ? TV_NONE : tv_label(type, row);
}

/* The resources with such states. */
static void list_resources(struct tv_state_threads *in, struct tv_run *run)
{
	const struct tv_table *states = in->table;
	const struct tv_column *id = tv_table_find(states, "ResourceId");
	struct tv_map seen = { 0 };

	in->thread = tv_alloc(states->nrows, sizeof *in->thread);
	for (uint32_t row = 0; row < states->nrows; row++) {
		uint32_t label = tv_label(id, row), type = states_of(in, row);

		if (label == TV_NONE || tv_map_get(&seen, label, type) != NULL
		    || !is_selected(run, label)
		    || (in->of == TV_STATES_OF_COMMUNICATION && !is_communication(in, row)))
			continue;
		tv_map_put(&seen, label, type, 0);
		in->thread[in->nthreads++] = (struct tv_state_thread){ label, type, 0 };
	}
	if (in->nthreads > 1)
		qsort_r(in->thread, in->nthreads, sizeof *in->thread, by_resource,
			(void *)run->tasks.pool);
	list_types(in, run->trace);
	tv_map_release(&seen);
}

/* Whether a worker has states: else those of all resources are shown. */
static bool workers_have_states(const struct tv_state_threads *in, const struct tv_tasks *tasks)
{
	const struct tv_column *id = tv_table_find(in->table, "ResourceId");
	struct tv_index workers = { 0 };
	bool any = false;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		tv_index_set(&workers, tasks->workers[w].resource, 0);
	for (uint32_t row = 0; !any && row < in->table->nrows; row++)
		any = !tv_missing(id, row) && tv_index_get(&workers, tv_label(id, row)) != TV_NONE;
	tv_free(workers.at);
	return any;
}

/* Rows of states by worker, and the values that they have. */
static int find_states(struct tv_state_threads *in, const struct tv_tasks *tasks,
		       struct tv_error *err)
{
	const struct tv_table *table = in->table;
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	uint32_t nlabels = tv_pool_count(tasks->pool), found = 0;
	uint32_t *worker = tv_alloc(table->nrows, sizeof *worker);
	struct tv_map thread_of = { 0 };
	bool *seen = tv_alloc(nlabels + 1, sizeof *seen);

	for (uint32_t w = 0; w < in->nthreads; w++)
		tv_map_put(&thread_of, in->thread[w].resource, in->thread[w].states, w);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(id, row), value = tv_label(in->value, row);
		const uint32_t *thread = tv_map_get(&thread_of, label, states_of(in, row));

		worker[row] = label == TV_NONE || thread == NULL || tv_missing(in->start, row)
					   || tv_missing(in->end, row)
				    ? TV_NONE
				    : *thread;
		if (in->of == TV_STATES_OF_COMMUNICATION && !is_communication(in, row))
			worker[row] = TV_NONE;
		if (worker[row] == TV_NONE)
			continue;
		found++;
		seen[value == TV_NONE ? nlabels : value] = true;
	}
	in->order = tv_alloc(nlabels + 1, sizeof *in->order);
	for (uint32_t i = 0; i < nlabels; i++)
		if (seen[i])
			in->order[in->norder++] = i;
	qsort_r(in->order, in->norder, sizeof *in->order, by_name, (void *)tasks->pool);
	if (seen[nlabels])
		in->order[in->norder++] = nlabels;
	in->nvalues = nlabels + 1;
	tv_groups_init(&in->states, worker, table->nrows, in->nthreads);
	tv_free(worker);
	tv_map_release(&thread_of);
	tv_free(seen);
	return found > 0
		     ? 0
		     : tv_fail_lacks(err, tasks->trace, "states: the trace has no states%s",
				     in->of == TV_STATES_OF_COMMUNICATION
					     ? " of its threads for communication (traces of FxT, "
					       "Paje and MPI have some; for a single CSV give "
					       "--with DIR)"
				     : tv_trace_table(tasks->trace, TV_CALLS)->nrows > 0
					     ? " but its calls of MPI: --of communication"
					     : " (traces of FxT, Paje and OpenMP have some; for a "
					       "single CSV give --with DIR)");
}

int tv_state_threads_init(struct tv_state_threads *in, struct tv_run *run, enum tv_states_of of,
			  struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(run);

	*in = (struct tv_state_threads){ .of = of };
	choose_table(in, run->trace);
	if (of == TV_STATES_OF_WORKERS && !workers_have_states(in, tasks))
		in->of = TV_STATES_OF_ALL;
	if (in->of == TV_STATES_OF_WORKERS)
		list_workers(in, tasks);
	else
		list_resources(in, run);
	return find_states(in, tasks, err);
}

void tv_state_threads_release(struct tv_state_threads *in)
{
	tv_groups_release(&in->states);
	tv_free(in->thread);
	tv_free(in->type);
	tv_free(in->order);
}
