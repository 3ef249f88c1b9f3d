/* SPDX-License-Identifier: GPL-3.0-or-later */
/* presence.c -- when the data of each handle were on which memory node. */
#include "analysis/data/presence.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/data/data_events.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

struct reader {
	struct tv_run *run;
	const struct tv_memories *memories;
	struct tv_presences *out;
	size_t handles_cap, cap;
	struct tv_map current; /* by node and label: the handle registered last */
	struct tv_map row_of;  /* by node and label: the next row of handles */
	uint32_t *next_row;    /* by row of handles: the next one of the same node and label */
	struct tv_map last;    /* by handle and memory node: the presence there that began last */
	bool *open;	       /* by presence */
	size_t open_cap;
	bool homes;	    /* the trace contains homes of handles */
	unsigned long lost; /* states without handle or memory node */
};

const char *tv_data_state_name(enum tv_data_state state)
{
	return state == TV_STATE_OWNER ? "owner" : "shared";
}

/* A handle by what events and tasks call it. */
struct tv_handle_key {
	uint32_t node, label;
	int64_t begin;
	uint32_t handle;
};

/* ---- handles ---- */

/* Rows of handles by node and label: handles at one address are in the order of their registration.
 * The node is TV_NONE where the table does not have it. */
static void index_rows(struct reader *reader)
{
	const struct tv_table *handles = &reader->run->trace->table[TV_HANDLES];
	const struct tv_column *label = tv_table_find(handles, "Handle");
	const struct tv_column *node = tv_table_find(handles, "Node");

	reader->homes = tv_table_find(handles, "HomeNode") != NULL;
	reader->next_row = tv_alloc(handles->nrows, sizeof *reader->next_row);
	for (uint32_t row = handles->nrows; label != NULL && row-- > 0;) {
		uint32_t *first = tv_map_at(&reader->row_of,
					    node == NULL ? TV_NONE : tv_label(node, row),
					    tv_label(label, row));

		reader->next_row[row] = *first;
		*first = row;
	}
}

/* The row of the next handle at that address; the last one again if there are no more. */
static uint32_t take_row(struct reader *reader, uint32_t node, uint32_t label)
{
	uint32_t *row = tv_map_get(&reader->row_of, node, label), found;

	if (row == NULL)
		row = tv_map_get(&reader->row_of, TV_NONE, label);
	if (row == NULL)
		return TV_NONE;
	found = *row;
	if (reader->next_row[found] != TV_NONE)
		*row = reader->next_row[found];
	return found;
}

static uint32_t add_handle(struct reader *reader, uint32_t node, uint32_t label, int64_t time)
{
	const struct tv_table *handles = &reader->run->trace->table[TV_HANDLES];
	const struct tv_column *size = tv_table_find(handles, "Size");
	const struct tv_column *home = tv_table_find(handles, "HomeNode");
	struct tv_presences *out = reader->out;
	uint32_t row = take_row(reader, node, label);
	struct tv_handle *handle;

	TV_GROW(out->handle, out->nhandles, reader->handles_cap, 1);
	tv_map_put(&reader->current, node, label, out->nhandles);
	handle = &out->handle[out->nhandles];
	*handle = (struct tv_handle){ .label = label,
				      .node = node,
				      .row = row,
				      .begin = time,
				      .end = INT64_MAX,
				      .home = TV_NONE };
	handle->sized = row != TV_NONE && size != NULL && !tv_missing(size, row)
		     && size->i[row] >= 0;
	if (handle->sized)
		handle->size = size->i[row];
	if (row != TV_NONE && home != NULL && !tv_missing(home, row) && home->i[row] >= 0)
		handle->home = tv_memory_find(reader->memories, node, home->i[row]);
	return out->nhandles++;
}

/* The handle that is registered at that address; TV_NONE = none. */
static uint32_t current(const struct reader *reader, uint32_t node, uint32_t label)
{
	const uint32_t *handle = tv_map_get(&reader->current, node, label);

	return handle != NULL && reader->out->handle[*handle].end == INT64_MAX ? *handle : TV_NONE;
}

/* ---- presences ---- */

static void open_presence(struct reader *reader, uint32_t handle, uint32_t memory,
			  enum tv_data_state state, int64_t time, enum tv_presence_edge from)
{
	struct tv_presences *out = reader->out;

	TV_GROW(out->at, out->n, reader->cap, 1);
	TV_GROW(reader->open, out->n, reader->open_cap, 1);
	tv_map_put(&reader->last, handle, memory, out->n);
	reader->open[out->n] = true;
	out->at[out->n++] = (struct tv_presence){ handle, memory,     state,
						  time,	  time,	      from != TV_EDGE_REGISTERED,
						  from,	  TV_EDGE_RUN };
}

static void close_presence(struct reader *reader, uint32_t i, int64_t time,
			   enum tv_presence_edge until)
{
	reader->open[i] = false;
	reader->out->at[i].end = time;
	reader->out->at[i].until = until;
}

static void close_handle(struct reader *reader, uint32_t handle, int64_t time)
{
	uint32_t node = reader->out->handle[handle].node;

	reader->out->handle[handle].end = time;
	for (uint32_t memory = 0; memory < reader->memories->n; memory++) {
		const uint32_t *last = reader->memories->at[memory].node != node
					     ? NULL
					     : tv_map_get(&reader->last, handle, memory);

		if (last != NULL && reader->open[*last])
			close_presence(reader, *last, time, TV_EDGE_REGISTERED);
	}
}

static void change_state(struct reader *reader, const struct tv_data_event *event)
{
	uint32_t handle, *last;
	enum tv_data_state state = event->what == TV_DATA_OWNER ? TV_STATE_OWNER : TV_STATE_SHARED;

	reader->lost += event->memory == TV_NONE || event->handle == TV_NONE;
	if (event->memory == TV_NONE || event->handle == TV_NONE)
		return;
	handle = current(reader, event->node, event->handle);
	if (handle == TV_NONE)
		handle = add_handle(reader, event->node, event->handle, event->time);
	reader->out->handle[handle].nstates++;
	last = tv_map_get(&reader->last, handle, event->memory);
	if (last != NULL && event->what != TV_DATA_INVALID) {
		struct tv_presence *p = &reader->out->at[*last];

		if (p->state == state && (reader->open[*last] || p->end == event->time)) {
			reader->open[*last] = true;
			p->nstates++;
			return;
		}
	}
	if (last != NULL && reader->open[*last])
		close_presence(reader, *last, event->time, TV_EDGE_STATE);
	/* What was never there cannot leave: where the home is not known, this was it. */
	if (last == NULL && event->what == TV_DATA_INVALID && !reader->homes
	    && reader->out->handle[handle].begin < event->time) {
		open_presence(reader, handle, event->memory, TV_STATE_OWNER,
			      reader->out->handle[handle].begin, TV_EDGE_REGISTERED);
		close_presence(reader, reader->out->n - 1, event->time, TV_EDGE_STATE);
	}
	if (event->what != TV_DATA_INVALID)
		open_presence(reader, handle, event->memory, state, event->time, TV_EDGE_STATE);
}

/* Events about memory have the size of a handle, too. */
static void learn_size(struct reader *reader, const struct tv_data_event *event)
{
	uint32_t handle = event->node == TV_NONE || event->handle == TV_NONE || event->size <= 0
				? TV_NONE
				: current(reader, event->node, event->handle);

	if (handle == TV_NONE || reader->out->handle[handle].sized)
		return;
	reader->out->handle[handle].size = event->size;
	reader->out->handle[handle].sized = true;
}

static void apply(struct reader *reader, const struct tv_data_event *event)
{
	uint32_t handle;

	switch (event->what) {
	case TV_DATA_REGISTER:
	case TV_DATA_UNREGISTER:
		if (event->node == TV_NONE || event->handle == TV_NONE)
			return;
		handle = current(reader, event->node, event->handle);
		if (handle != TV_NONE)
			close_handle(reader, handle, event->time);
		if (event->what == TV_DATA_UNREGISTER)
			return;
		handle = add_handle(reader, event->node, event->handle, event->time);
		if (reader->out->handle[handle].home != TV_NONE)
			open_presence(reader, handle, reader->out->handle[handle].home,
				      TV_STATE_OWNER, event->time, TV_EDGE_REGISTERED);
		return;
	case TV_DATA_OWNER:
	case TV_DATA_SHARED:
	case TV_DATA_INVALID:
		change_state(reader, event);
		return;
	case TV_DATA_ALLOCATE:
	case TV_DATA_COPY:
		learn_size(reader, event);
		return;
	default:
		return;
	}
}

/* ---- the end ---- */

/* Sizes that only tasks have, by the label of their handle. */
static void learn_from_tasks(struct reader *reader)
{
	const struct tv_table *tasks = &reader->run->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(tasks, "Handles");
	const struct tv_column *sizes = tv_table_find(tasks, "Sizes");
	struct tv_index size_of = { 0 };

	for (uint32_t row = 0; handles != NULL && sizes != NULL && row < tasks->nrows; row++) {
		uint32_t n, nsizes;
		const uint32_t *handle = tv_list(handles, row, &n);
		const uint32_t *size = tv_list(sizes, row, &nsizes);

		for (uint32_t i = 0; i < n && n == nsizes; i++)
			tv_index_set(&size_of, handle[i], size[i]);
	}
	for (uint32_t i = 0; i < reader->out->nhandles; i++) {
		struct tv_handle *handle = &reader->out->handle[i];
		uint32_t label = tv_index_get(&size_of, handle->label);
		const char *text = tv_pool_text(reader->run->trace->pool, label);

		if (!handle->sized && label != TV_NONE
		    && tv_parse_int(text, strlen(text), &handle->size) == TV_PARSE_OK
		    && handle->size >= 0)
			handle->sized = true;
	}
	tv_free(size_of.at);
}

TV_ORDER(by_handle, struct tv_presence, handle, memory, start, end, state)

TV_ORDER(by_label, struct tv_handle_key, node, label, begin, handle)

static void sort_handles(struct tv_presences *out)
{
	out->by_label = tv_alloc(out->nhandles, sizeof *out->by_label);
	for (uint32_t i = 0; i < out->nhandles; i++) {
		const struct tv_handle *handle = &out->handle[i];

		out->by_label[i] = (struct tv_handle_key){ handle->node, handle->label,
							   handle->begin, i };
	}
	qsort(out->by_label, out->nhandles, sizeof *out->by_label, by_label);
}

uint32_t tv_presences_handle(const struct tv_presences *presences, uint32_t node, uint32_t label,
			     int64_t time)
{
	const struct tv_handle_key upto = { node, label, time, TV_NONE };
	size_t n = tv_count_upto(&upto, presences->by_label, presences->nhandles, sizeof upto,
				 by_label);
	const struct tv_handle_key *key = n == 0 ? NULL : &presences->by_label[n - 1];

	return key != NULL && key->node == node && key->label == label
			    && presences->handle[key->handle].end >= time
		     ? key->handle
		     : TV_NONE;
}

static void finish(struct reader *reader)
{
	struct tv_presences *out = reader->out;

	for (uint32_t i = 0; i < out->n; i++)
		if (reader->open[i])
			close_presence(reader, i, out->end, TV_EDGE_RUN);
	if (out->n > 1)
		qsort(out->at, out->n, sizeof *out->at, by_handle);
	for (uint32_t i = 0; i < out->n; i++) {
		struct tv_handle *handle = &out->handle[out->at[i].handle];

		if (handle->n++ == 0)
			handle->first = i;
	}
	for (uint32_t i = 0; i < out->nhandles; i++) {
		struct tv_handle *handle = &out->handle[i];

		if (handle->end == INT64_MAX)
			handle->end = out->end;
		out->nunsized += !handle->sized && handle->n > 0;
		out->nstateless += handle->nstates == 0 && handle->home != TV_NONE;
	}
	sort_handles(out);
	if (reader->lost > 0)
		tv_run_warn(reader->run,
			    "%lu data states lack their handle or memory node: they are left out",
			    reader->lost);
}

static void release(void *data)
{
	struct tv_presences *presences = data;

	tv_free(presences->handle);
	tv_free(presences->at);
	tv_free(presences->by_label);
	tv_free(presences);
}

const struct tv_presences *tv_run_presences(struct tv_run *run)
{
	static const char kept;
	struct tv_presences *presences = tv_run_kept(run, &kept);
	const struct tv_data_events *events = tv_run_data_events(run);
	struct reader reader = { .run = run, .memories = tv_run_memories(run) };

	if (presences != NULL)
		return presences;
	reader.out = presences = tv_alloc(1, sizeof *presences);
	presences->end = run->tasks.ncounted > 0 ? run->tasks.finish : INT64_MIN;
	index_rows(&reader);
	for (size_t i = 0; i < events->n; i++) {
		if (events->at[i].time > presences->end)
			presences->end = events->at[i].time;
		apply(&reader, &events->at[i]);
	}
	learn_from_tasks(&reader);
	finish(&reader);
	tv_map_release(&reader.current);
	tv_map_release(&reader.row_of);
	tv_map_release(&reader.last);
	tv_free(reader.next_row);
	tv_free(reader.open);
	tv_run_keep(run, &kept, presences, release);
	return presences;
}
