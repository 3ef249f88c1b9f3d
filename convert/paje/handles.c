/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handles.c -- the handles of transfers of StarPU 1.3.
 *
 * Its links have none, but the event of the copy's begin, on the destination, has: at the instant
 * of the link, with the number of the link's key (com_N) as Info.
 */
#include <string.h>

#include "convert/paje/paje.h"
#include "trace/number.h"

#define PREFIX "com_"

struct copy_handles {
	const struct tv_pool *pool;
	const struct tv_column *type, *resource, *time, *info, *handle; /* of events */
	struct tv_map copies; /* by number and destination: the row of events */
};

static bool find_columns(struct copy_handles *w, const struct tv_table *events)
{
	w->type = tv_table_find(events, "Type");
	w->resource = tv_table_find(events, "ResourceId");
	w->time = tv_table_find(events, "Time");
	w->info = tv_table_find(events, "Info");
	w->handle = tv_table_find(events, "Handle");
	return w->type != NULL && w->resource != NULL && w->time != NULL && w->info != NULL
	    && w->handle != NULL && w->info->type == TV_INT && w->handle->type == TV_LABEL;
}

static void index_copies(struct copy_handles *w, uint32_t nrows)
{
	uint32_t copy = tv_pool_find_text(w->pool, TV_PAJE_COPY),
		 none = tv_pool_find_text(w->pool, "0");

	for (uint32_t row = 0; copy != TV_NONE && row < nrows; row++)
		if (tv_label(w->type, row) == copy && !tv_missing(w->info, row)
		    && !tv_missing(w->handle, row) && tv_label(w->handle, row) != none)
			tv_map_put(&w->copies, (uint64_t)w->info->i[row],
				   tv_label(w->resource, row), row);
}

/* The row of events of a link's copy; TV_NONE. */
static uint32_t find_copy(const struct copy_handles *w, const struct tv_column *key,
			  const struct tv_column *dest, const struct tv_column *start, uint32_t row)
{
	const char *text = tv_label(key, row) == TV_NONE
				 ? ""
				 : tv_pool_text(w->pool, tv_label(key, row));
	const uint32_t *copy;
	int64_t number;

	if (strncmp(text, PREFIX, strlen(PREFIX)) != 0)
		return TV_NONE;
	text += strlen(PREFIX);
	if (tv_parse_int(text, strlen(text), &number) != TV_PARSE_OK)
		return TV_NONE;
	copy = tv_map_get(&w->copies, (uint64_t)number, tv_label(dest, row));
	return copy != NULL && w->time->i[*copy] == start->i[row] ? *copy : TV_NONE;
}

void tv_paje_fill_handles(struct tv_trace *trace)
{
	struct tv_table *links = &trace->table[TV_LINKS];
	struct copy_handles w = { .pool = trace->pool };
	struct tv_column *key, *dest, *start, *handle;

	if (links->nrows == 0 || !find_columns(&w, &trace->table[TV_EVENTS]))
		return;
	index_copies(&w, trace->table[TV_EVENTS].nrows);
	if (w.copies.n == 0)
		return;
	TV_TRACE_COLUMNS(trace, TV_LINKS, { "Key", &key }, { "Dest", &dest }, { "Start", &start },
			 { "Handle", &handle });
	tv_table_finish(links);
	for (uint32_t row = 0; row < links->nrows; row++) {
		uint32_t copy = tv_missing(handle, row) && !tv_missing(start, row)
				      ? find_copy(&w, key, dest, start, row)
				      : TV_NONE;

		if (copy != TV_NONE)
			tv_set_label(handle, row, tv_label(w.handle, copy));
	}
	tv_map_release(&w.copies);
}
