/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data_events.c -- the events about data and memory of a run, in order of time. */
#include "analysis/data/data_events.h"

#include <stddef.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

/* The columns of events; NULL where the trace has none. */
struct columns {
	const struct tv_column *id, *type, *time, *value, *handle, *size, *info;
};

/* States and registrations name their handle in Value, the others in Handle, where "0" is none. */
static uint32_t handle_of(const struct columns *c, const struct tv_pool *pool, uint32_t row,
			  enum tv_data_kind what)
{
	const struct tv_column *column = what <= TV_DATA_INVALID ? c->value : c->handle;
	uint32_t label = column == NULL ? TV_NONE : tv_label(column, row);

	return label == TV_NONE || strcmp(tv_pool_text(pool, label), "0") == 0 ? TV_NONE : label;
}

static struct tv_data_event read_event(struct tv_run *run, const struct columns *c, uint32_t row,
				       enum tv_data_kind what)
{
	uint32_t resource = c->id == NULL ? TV_NONE : tv_label(c->id, row);

	return (struct tv_data_event){
		.time = c->time->i[row],
		.what = what,
		.row = row,
		.node = resource == TV_NONE ? TV_NONE : tv_run_node_of(run, resource),
		.memory = tv_index_get(&tv_run_memories(run)->of_resource, resource),
		.handle = handle_of(c, run->trace->pool, row, what),
		.size = c->size == NULL || tv_missing(c->size, row) || c->size->i[row] < 0
			      ? 0
			      : c->size->i[row],
		.info = c->info == NULL || tv_missing(c->info, row) ? 0 : c->info->i[row],
		.has_info = c->info != NULL && !tv_missing(c->info, row),
	};
}

static void collect(struct tv_run *run, struct tv_data_events *out)
{
	static const char *const name[] = {
#define NAME(symbol, text) [TV_DATA_##symbol] = (text),
		TV_DATA_KINDS(NAME)
#undef NAME
	};
	const struct tv_table *events = tv_trace_table(run->trace, TV_EVENTS);
	struct columns c = { tv_table_find(events, "ResourceId"), tv_table_find(events, "Type"),
			     tv_table_find(events, "Time"),	  tv_table_find(events, "Value"),
			     tv_table_find(events, "Handle"),	  tv_table_find(events, "Size"),
			     tv_table_find(events, "Info") };
	struct tv_index kind = { 0 };
	unsigned long timeless = 0;

	for (uint32_t what = 0; what < TV_NDATA_KINDS; what++) {
		uint32_t label = tv_pool_find_text(run->trace->pool, name[what]);

		if (label != TV_NONE)
			tv_index_set(&kind, label, what);
	}
	out->at = tv_alloc(events->nrows, sizeof *out->at);
	for (uint32_t row = 0; c.type != NULL && c.time != NULL && row < events->nrows; row++) {
		uint32_t what = tv_index_get(&kind, tv_label(c.type, row));

		if (what == TV_NONE)
			continue;
		timeless += tv_missing(c.time, row);
		if (!tv_missing(c.time, row))
			out->at[out->n++] = read_event(run, &c, row, (enum tv_data_kind)what);
	}
	tv_sort_by_time(out->at, out->n, sizeof *out->at, offsetof(struct tv_data_event, time),
			NULL);
	if (timeless > 0)
		tv_run_warn(run, "%lu events about data have no Time: they are left out", timeless);
	tv_free(kind.at);
}

static void release(void *data)
{
	struct tv_data_events *events = data;

	tv_free(events->at);
	tv_free(events);
}

const struct tv_data_events *tv_run_data_events(struct tv_run *run)
{
	static const char kept;
	struct tv_data_events *events = tv_run_kept(run, &kept);

	if (events == NULL) {
		events = tv_alloc(1, sizeof *events);
		collect(run, events);
		tv_run_keep(run, &kept, events, release);
	}
	return events;
}
