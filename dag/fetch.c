/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fetch.c -- when data that an execution needed were under way to it. */
#include "dag/fetch.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* The memory node of a resource. */
struct place {
	uint32_t node; /* label; TV_NONE = the resource is not known */
	int64_t memory;
	bool worker, known;
};

struct transfer {
	uint32_t node;
	int64_t memory;
	uint32_t handle; /* TV_NONE where links do not say */
	int64_t begin, end;
	uint32_t link;
};

struct transfers {
	struct transfer *at;
	uint32_t n;
	bool handles; /* links name their handle */
};

struct fetching {
	const struct tv_waits *waits;
	const struct tv_tasks *tasks;
	struct place *place; /* by label of the resource */
	struct transfers to; /* to memory nodes, sorted by_place */
	struct tv_fetches *out;
};

TV_ORDER(by_place, struct transfer, node, memory, handle, end, begin, link)

static void find_places(struct fetching *work)
{
	const struct tv_table *table = &work->tasks->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	const struct tv_column *node = tv_table_find(table, "Node");
	const struct tv_column *memory = tv_table_find(table, "MemoryNode");

	for (uint32_t row = 0; id != NULL && memory != NULL && row < table->nrows; row++) {
		if (tv_missing(id, row) || tv_missing(memory, row))
			continue;
		work->place[tv_label(id, row)] = (struct place){
			.node = node == NULL ? TV_NONE : tv_label(node, row),
			.memory = memory->i[row],
			.known = true,
		};
	}
	for (uint32_t w = 0; w < work->tasks->nworkers; w++)
		work->place[work->tasks->workers[w].resource].worker = true;
}

/* The transfers to memory nodes. A link to a worker is not one: tasks are stolen along those. */
static void find_transfers(struct fetching *work)
{
	const struct tv_table *table = &work->tasks->trace->table[TV_LINKS];
	const struct tv_column *to = tv_table_find(table, "Dest");
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *end = tv_table_find(table, "End");
	const struct tv_column *handle = tv_table_find(table, "Handle");

	if (handle != NULL && handle->type != TV_LABEL && handle->type != TV_TEXT)
		handle = NULL;
	work->to.handles = handle != NULL;
	work->to.at = tv_alloc(table->nrows, sizeof *work->to.at);
	if (to == NULL || start == NULL || end == NULL)
		return;
	for (uint32_t row = 0; row < table->nrows; row++) {
		const struct place *place;
		uint32_t names = TV_NONE;

		if (tv_missing(to, row) || tv_missing(start, row) || tv_missing(end, row))
			continue;
		place = &work->place[tv_label(to, row)];
		if (!place->known || place->worker || start->i[row] >= end->i[row])
			continue;
		if (handle != NULL) {
			size_t n;
			const char *text = tv_string(handle, row, &n);

			/* A handle that is not in the pool is one that no task names. */
			names = tv_pool_find(work->tasks->pool, text, n);
			if (names == TV_NONE)
				continue;
		}
		work->to.at[work->to.n++] = (struct transfer){ place->node,   place->memory, names,
							       start->i[row], end->i[row],   row };
	}
	qsort(work->to.at, work->to.n, sizeof *work->to.at, by_place);
}

static void add_fetch(struct fetching *work, uint32_t row, uint32_t link, int64_t begin,
		      int64_t end)
{
	struct tv_fetches *out = work->out;

	if (end <= work->waits->released[row] || begin >= end)
		return;
	TV_GROW(out->at, out->n, out->cap, 1);
	out->at[out->n++] = (struct tv_fetch){ row, link, begin, end };
}

/* The last transfer of a handle to that place that ended before the row started. */
static void add_last(struct fetching *work, uint32_t row, const struct place *place,
		     uint32_t handle)
{
	struct transfer upto = { place->node, place->memory,	       handle,
				 INT64_MAX,   work->tasks->start[row], TV_NONE };
	size_t n = tv_count_upto(&upto, work->to.at, work->to.n, sizeof upto, by_place);
	const struct transfer *last;

	if (n == 0)
		return;
	last = &work->to.at[n - 1];
	if (last->node == place->node && last->memory == place->memory && last->handle == handle)
		add_fetch(work, row, last->link, last->begin, last->end);
}

static void fetch_by_links(struct fetching *work)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_column *handles = tv_table_find(&tasks->trace->table[TV_TASKS], "Handles");

	for (uint32_t row = 0; row < tasks->n && work->to.n > 0; row++) {
		const struct place *place;
		const uint32_t *handle;
		uint32_t n = 0;

		if (!tasks->counted[row])
			continue;
		place = &work->place[tasks->workers[tasks->worker[row]].resource];
		if (!place->known)
			continue;
		if (!work->to.handles)
			add_last(work, row, place, TV_NONE);
		if (!work->to.handles || handles == NULL)
			continue;
		handle = tv_list(handles, row, &n);
		for (uint32_t i = 0; i < n; i++)
			add_last(work, row, place, handle[i]);
	}
}

struct begin {
	int64_t time;
	uint32_t row;
};

TV_ORDER(by_begin, struct begin, time, row)

/* The counted executions by worker, those of each by Start: begin[groups->first[w]] and on. */
static struct begin *sort_begins(const struct tv_tasks *tasks, const struct tv_groups *groups)
{
	uint32_t n = groups->first[groups->n];
	struct begin *begin = tv_alloc(n, sizeof *begin);

	for (uint32_t i = 0; i < n; i++)
		begin[i] = (struct begin){ tasks->start[groups->row[i]], groups->row[i] };
	for (uint32_t w = 0; w < groups->n; w++)
		qsort(begin + groups->first[w], groups->first[w + 1] - groups->first[w],
		      sizeof *begin, by_begin);
	return begin;
}

static void fetch_by_states(struct fetching *work, const struct tv_groups *groups,
			    const struct begin *begin, const uint32_t *worker_of)
{
	const struct tv_table *table = tv_trace_table(work->tasks->trace, TV_STATES);
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	const struct tv_column *value = tv_table_find(table, "Value");
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *end = tv_table_find(table, "End");
	uint32_t fetching = tv_pool_find_text(work->tasks->pool, "FetchingInput");

	if (id == NULL || value == NULL || start == NULL || end == NULL || fetching == TV_NONE)
		return;
	for (uint32_t row = 0; row < table->nrows; row++) {
		/* Rows of a begin are below TV_NONE, so this is just before the state ends. */
		struct begin before = { 0, TV_NONE };
		uint32_t w, first;
		size_t n, next;

		if (tv_label(value, row) != fetching || tv_missing(id, row)
		    || tv_missing(start, row) || tv_missing(end, row))
			continue;
		w = worker_of[tv_label(id, row)];
		if (w == TV_NONE)
			continue;
		first = groups->first[w];
		n = groups->first[w + 1] - first;
		before.time = end->i[row] - 1;
		next = tv_count_upto(&before, begin + first, n, sizeof before, by_begin);
		if (next < n)
			add_fetch(work, begin[first + next].row, TV_NONE, start->i[row],
				  end->i[row]);
	}
}

static void states_of_workers(struct fetching *work)
{
	const struct tv_tasks *tasks = work->tasks;
	struct tv_groups groups;
	struct begin *begin;
	uint32_t *worker_of;

	if (tv_trace_table(tasks->trace, TV_STATES)->nrows == 0)
		return;
	worker_of = tv_tasks_worker_of_label(tasks);
	tv_tasks_by_worker(tasks, tasks->counted, &groups);
	begin = sort_begins(tasks, &groups);
	fetch_by_states(work, &groups, begin, worker_of);
	tv_free(worker_of);
	tv_free(begin);
	tv_groups_release(&groups);
}

TV_ORDER(by_row, struct tv_fetch, row, begin, end, link)

/* Whether the trace says nothing of what was under way. */
static bool has_none(const struct tv_trace *trace)
{
	return tv_trace_table(trace, TV_STATES)->nrows == 0
	    && (trace->table[TV_LINKS].nrows == 0
		|| tv_table_find(&trace->table[TV_RESOURCES], "MemoryNode") == NULL);
}

void tv_fetches_init(struct tv_fetches *fetches, const struct tv_waits *waits)
{
	struct fetching work = { .waits = waits, .tasks = waits->dag->tasks, .out = fetches };

	*fetches = (struct tv_fetches){ 0 };
	if (has_none(work.tasks->trace))
		return;
	work.place = tv_alloc(tv_pool_count(work.tasks->pool), sizeof *work.place);
	find_places(&work);
	find_transfers(&work);
	fetch_by_links(&work);
	states_of_workers(&work);
	tv_free(work.place);
	tv_free(work.to.at);
	if (fetches->n > 0)
		qsort(fetches->at, fetches->n, sizeof *fetches->at, by_row);
}

void tv_fetches_init_of_graph(struct tv_fetches *fetches, const struct tv_dag *dag)
{
	struct tv_waits waits;

	*fetches = (struct tv_fetches){ 0 };
	if (has_none(dag->tasks->trace))
		return;
	tv_waits_init_released(&waits, dag);
	tv_fetches_init(fetches, &waits);
	tv_waits_release(&waits);
}

const char *tv_fetches_reason(const struct tv_trace *trace)
{
	if (trace->table[TV_LINKS].nrows > 0
	    && tv_table_find(&trace->table[TV_RESOURCES], "MemoryNode") != NULL)
		return "the trace has links and memory nodes";
	/* States come in parts, too, but the names in them are known, if they are read at all. */
	(void)tv_trace_table(trace, TV_STATES);
	return tv_pool_find_text(trace->pool, "FetchingInput") != TV_NONE
		     ? "the trace has states FetchingInput"
		     : NULL;
}

void tv_fetches_release(struct tv_fetches *fetches)
{
	tv_free(fetches->at);
	*fetches = (struct tv_fetches){ 0 };
}

const struct tv_fetch *tv_fetches_of(const struct tv_fetches *fetches, uint32_t row, size_t *n)
{
	struct tv_fetch before = { row, 0, INT64_MIN, INT64_MIN };
	struct tv_fetch upto = { row, TV_NONE, INT64_MAX, INT64_MAX };
	size_t first = tv_count_upto(&before, fetches->at, fetches->n, sizeof before, by_row);

	*n = tv_count_upto(&upto, fetches->at, fetches->n, sizeof upto, by_row) - first;
	return *n == 0 ? NULL : fetches->at + first;
}
