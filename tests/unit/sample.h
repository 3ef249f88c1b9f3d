/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h -- a run on a small trace written as CSV, for the tests of graph and passes. */
#ifndef TV_SAMPLE_H
#define TV_SAMPLE_H

#include <stdio.h>

#include "tests/unit/unit.h"

#include "analysis/core/run.h"
#include "trace/number.h"

struct sample {
	struct tv_trace trace;
	struct tv_run run;
	struct tv_error err;
	char got[4096]; /* what sample_pass gave last */
};

static inline void sample_make(struct sample *s, const char *csv)
{
	memset(s, 0, sizeof *s);
	unit_trace(&s->trace, NULL, csv);
	tv_run_init(&s->run, &s->trace, 0);
}

static inline void sample_release(struct sample *s)
{
	tv_run_release(&s->run);
	tv_trace_release(&s->trace);
}

/* Rows for the tables beside tasks, times in ns. */
static inline void sample_text(struct sample *s, enum tv_table_id table, uint32_t row,
			       const char *column, const char *text)
{
	struct tv_column *c = tv_trace_column(&s->trace, table, column);

	tv_set_text(c, row, text);
}

static inline void sample_number(struct sample *s, enum tv_table_id table, uint32_t row,
				 const char *column, int64_t number)
{
	struct tv_column *c = tv_trace_column(&s->trace, table, column);

	tv_set_int(c, row, number);
}

static inline void sample_state(struct sample *s, const char *worker, const char *value,
				int64_t start, int64_t end)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_STATES]);

	sample_text(s, TV_STATES, row, "ResourceId", worker);
	sample_text(s, TV_STATES, row, "Value", value);
	sample_number(s, TV_STATES, row, "Start", start);
	sample_number(s, TV_STATES, row, "End", end);
	tv_table_finish(&s->trace.table[TV_STATES]);
}

/* A machine of one processor, 0. */
static inline void sample_machine(struct sample *s)
{
	struct tv_table *resources = &s->trace.table[TV_RESOURCES];
	uint32_t row = tv_table_add_row(resources);

	sample_text(s, TV_RESOURCES, row, "ResourceId", "PU:0");
	sample_text(s, TV_RESOURCES, row, "ResourceType", "PU");
	sample_number(s, TV_RESOURCES, row, "Depth", 0);
	sample_text(s, TV_RESOURCES, row, "Cpuset", "0");
	tv_table_finish(resources);
}

static inline void sample_fetch(struct sample *s, const char *worker, int64_t start, int64_t end)
{
	sample_state(s, worker, "FetchingInput", start, end);
}

static inline void sample_memory(struct sample *s, const char *resource, const char *node,
				 int64_t memory)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_RESOURCES]);

	sample_text(s, TV_RESOURCES, row, "ResourceId", resource);
	sample_text(s, TV_RESOURCES, row, "Node", node);
	sample_number(s, TV_RESOURCES, row, "MemoryNode", memory);
	tv_table_finish(&s->trace.table[TV_RESOURCES]);
}

/* handle: NULL where links do not say. */
static inline void sample_transfer(struct sample *s, const char *to, const char *handle,
				   int64_t start, int64_t end)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_LINKS]);

	sample_text(s, TV_LINKS, row, "Dest", to);
	sample_number(s, TV_LINKS, row, "Start", start);
	sample_number(s, TV_LINKS, row, "End", end);
	if (handle != NULL)
		sample_text(s, TV_LINKS, row, "Handle", handle);
	tv_table_finish(&s->trace.table[TV_LINKS]);
}

/* An MPI call, of which more can be set; its row. */
static inline uint32_t sample_add_call(struct sample *s, const char *thread, const char *call,
				       int64_t start, int64_t end)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_CALLS]);

	sample_text(s, TV_CALLS, row, "ResourceId", thread);
	sample_text(s, TV_CALLS, row, "Call", call);
	sample_number(s, TV_CALLS, row, "Start", start);
	sample_number(s, TV_CALLS, row, "End", end);
	return row;
}

/* An MPI call; its row. */
static inline uint32_t sample_in_call(struct sample *s, const char *thread, const char *call,
				      int64_t start, int64_t end)
{
	uint32_t row = sample_add_call(s, thread, call, start, end);

	tv_table_finish(&s->trace.table[TV_CALLS]);
	return row;
}

/* An MPI call of 1 ms about the request r. */
static inline void sample_call(struct sample *s, const char *thread, const char *call,
			       const char *class, int64_t start)
{
	uint32_t row = sample_add_call(s, thread, call, start, start + 1000000);

	sample_text(s, TV_CALLS, row, "Class", class);
	tv_set_words(tv_trace_column(&s->trace, TV_CALLS, "Request"), row, "r", 1);
	tv_table_finish(&s->trace.table[TV_CALLS]);
}

/* A message between two resources, whose names tell their nodes. */
static inline void sample_message(struct sample *s, const char *key, const char *from,
				  const char *to, int64_t start, int64_t end, int64_t size)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_LINKS]);

	sample_text(s, TV_LINKS, row, "Type", "MPI communication");
	sample_text(s, TV_LINKS, row, "Key", key);
	sample_text(s, TV_LINKS, row, "Origin", from);
	sample_text(s, TV_LINKS, row, "Dest", to);
	sample_number(s, TV_LINKS, row, "Start", start);
	sample_number(s, TV_LINKS, row, "End", end);
	sample_number(s, TV_LINKS, row, "Size", size);
	tv_table_finish(&s->trace.table[TV_LINKS]);
}

/* resource: NULL where events do not say. */
static inline void sample_event_at(struct sample *s, const char *resource, const char *type,
				   const char *value, int64_t time)
{
	uint32_t row = tv_table_add_row(&s->trace.table[TV_EVENTS]);

	if (resource != NULL)
		sample_text(s, TV_EVENTS, row, "ResourceId", resource);
	sample_text(s, TV_EVENTS, row, "Type", type);
	sample_text(s, TV_EVENTS, row, "Value", value);
	sample_number(s, TV_EVENTS, row, "Time", time);
	tv_table_finish(&s->trace.table[TV_EVENTS]);
}

static inline void sample_event(struct sample *s, const char *type, const char *value, int64_t time)
{
	sample_event_at(s, NULL, type, value, time);
}

/* A pass's result as CSV without header, rows closed by "|"; or "error: " and the message. */
static inline const char *sample_pass(struct sample *s, const char *name, const char *const *value)
{
	const struct tv_table *table = tv_run_pass(&s->run, name, value, &s->err);
	size_t at = 0;

	if (table == NULL) {
		snprintf(s->got, sizeof s->got, "error: %s", s->err.text);
		return s->got;
	}
	s->got[0] = '\0';
	for (uint32_t row = 0; row < table->nrows; row++)
		for (size_t i = 0; i < table->ncols; i++) {
			char cell[200];

			tv_cell_text(table->col[i], row, cell, sizeof cell);
			at += (size_t)snprintf(s->got + at, sizeof s->got - at, "%s%s", cell,
					       i + 1 == table->ncols ? "|" : ",");
			assert_true(at < sizeof s->got);
		}
	return s->got;
}

#endif
