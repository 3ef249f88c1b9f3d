/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_threads.c -- workers, threads and resources that have states, and which states they have. */
#include "analysis/machine/state_threads.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/places.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

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
void tv_state_threads_table(struct tv_state_threads *in, const struct tv_trace *trace)
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

/* ---- threads ---- */

uint32_t tv_state_threads_at(struct tv_state_threads *in, uint32_t resource, uint32_t states)
{
	uint32_t *at = tv_map_at(&in->place, resource, states);

	if (*at == TV_NONE) {
		*at = in->nthreads;
		TV_GROW(in->thread, in->nthreads, in->cap, 1);
		in->thread[in->nthreads++] = (struct tv_state_thread){ resource, states, 0 };
	}
	return *at;
}

/* Of which thread the row's state is, if its resource is one: with --of all those of each type apart, as
 * they are stacks of their own in Pajé. */
static uint32_t states_of(const struct tv_state_threads *in, uint32_t row)
{
	const struct tv_column *type = tv_table_find(in->table, "Type");

	return in->of != TV_STATES_OF_ALL || type == NULL ? TV_NONE : tv_label(type, row);
}

/* The thread that has the state of a row; TV_NONE = it does not count. */
static uint32_t thread_of(struct tv_state_threads *in, struct tv_run *run, uint32_t row)
{
	uint32_t label = tv_label(tv_table_find(in->table, "ResourceId"), row),
		 states = states_of(in, row);
	const uint32_t *at = label == TV_NONE ? NULL : tv_map_get(&in->place, label, states);

	if (label == TV_NONE
	    || (in->of == TV_STATES_OF_COMMUNICATION && !is_communication(in, row)))
		return TV_NONE;
	if (at != NULL)
		return *at;
	return in->of == TV_STATES_OF_WORKERS || !is_selected(run, label)
		     ? TV_NONE
		     : tv_state_threads_at(in, label, states);
}

void tv_state_threads_init(struct tv_state_threads *in, struct tv_run *run, enum tv_states_of of)
{
	const struct tv_tasks *tasks = tv_run_part(run);

	*in = (struct tv_state_threads){ .of = of };
	for (uint32_t w = 0; of == TV_STATES_OF_WORKERS && w < tasks->nworkers; w++)
		tv_state_threads_at(in, tasks->workers[w].resource, TV_NONE);
}

void tv_state_threads_add(struct tv_state_threads *in, struct tv_run *run, struct tv_run *part)
{
	uint32_t *thread;

	tv_state_threads_table(in, part->trace);
	thread = tv_alloc(in->table->nrows, sizeof *thread);
	for (uint32_t row = 0; row < in->table->nrows; row++) {
		thread[row] = thread_of(in, run, row);
		in->watched = in->watched || thread[row] != TV_NONE;
		if (thread[row] == TV_NONE || tv_missing(in->start, row)
		    || tv_missing(in->end, row))
			thread[row] = TV_NONE;
		in->any = in->any || thread[row] != TV_NONE;
	}
	tv_groups_release(&in->states);
	tv_groups_init(&in->states, thread, in->table->nrows, in->nthreads);
	tv_free(thread);
}

/* ---- order ---- */

struct sorting {
	const struct tv_state_threads *in;
	const struct tv_pool *pool;
};

static int by_text(const struct tv_pool *pool, uint32_t a, uint32_t b)
{
	return tv_natural_order(tv_pool_text(pool, a), tv_pool_text(pool, b));
}

static int by_resource(const void *a, const void *b, void *data)
{
	const struct sorting *sorting = data;
	const struct tv_state_thread *x = &sorting->in->thread[*(const uint32_t *)a],
				     *y = &sorting->in->thread[*(const uint32_t *)b];

	if (x->resource != y->resource)
		return by_text(sorting->pool, x->resource, y->resource);
	return x->states == TV_NONE || y->states == TV_NONE
		     ? TV_COMPARE(x->states, y->states)
		     : by_text(sorting->pool, x->states, y->states);
}

static void list_types_of_workers(struct tv_state_threads *in, const struct tv_tasks *tasks)
{
	in->type = tv_alloc(tasks->nrtypes, sizeof *in->type);
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		in->type[in->ntypes++] = (struct tv_state_type){ tasks->rtype[r].label, TV_NONE,
								 tasks->rtype[r].nworkers };
	for (uint32_t w = 0; w < in->nthreads; w++)
		in->thread[w].type = tasks->workers[w].rtype;
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
	for (uint32_t i = 0; i < in->nthreads; i++) {
		struct tv_state_thread *thread = &in->thread[in->order[i]];
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

void tv_state_threads_sort(struct tv_state_threads *in, struct tv_run *run)
{
	struct sorting sorting = { in, run->trace->pool };

	tv_free(in->order);
	tv_free(in->type);
	in->ntypes = 0;
	in->order = tv_alloc(in->nthreads, sizeof *in->order);
	for (uint32_t i = 0; i < in->nthreads; i++)
		in->order[i] = i;
	if (in->of == TV_STATES_OF_WORKERS) {
		list_types_of_workers(in, tv_run_part(run));
		return;
	}
	if (in->nthreads > 1)
		qsort_r(in->order, in->nthreads, sizeof *in->order, by_resource, &sorting);
	list_types(in, run->trace);
}

int tv_state_threads_need(const struct tv_state_threads *in, const struct tv_run *run,
			  struct tv_error *err)
{
	if (in->any)
		return 0;
	return tv_fail_lacks(
		err, run->trace, "states: the trace has no states%s",
		in->of == TV_STATES_OF_COMMUNICATION
			? " of its threads for communication (traces of FxT, Paje and MPI have "
			  "some; for a single CSV give --with DIR)"
		: tv_trace_table(run->trace, TV_CALLS)->nrows > 0
			? " but its calls of MPI: --of communication"
			: " (traces of FxT, Paje and OpenMP have some; for a single CSV give "
			  "--with DIR)");
}

void tv_state_threads_release(struct tv_state_threads *in)
{
	tv_groups_release(&in->states);
	tv_map_release(&in->place);
	tv_free(in->thread);
	tv_free(in->order);
	tv_free(in->type);
	*in = (struct tv_state_threads){ 0 };
}
