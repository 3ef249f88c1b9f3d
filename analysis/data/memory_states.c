/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_states.c -- what each memory node did: allocating, copying, freeing, and how long. */
#include <stdlib.h>

#include "analysis/core/curves.h"
#include "analysis/core/places.h"
#include "analysis/core/spans.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum by { BY_MEMORY, BY_STATE, BY_PIECE };

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", \
	  "memory node, as the resource that manages it; missing with --by state") \
	X(NODE, "Node", TV_LABEL, false, "", "its node") \
	X(MEMORY_NODE, "MemoryNode", TV_INT, false, "", "its number on the node") \
	X(VALUE, "Value", TV_LABEL, false, "", "name of the state") \
	X(START, "Start", TV_TIME, false, "ms", "with --by piece: start of the piece") \
	X(END, "End", TV_TIME, false, "ms", "its end") \
	X(RECORDS, "Records", TV_INT, false, "", \
	  "states in the run or window; missing with --by piece") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "how long at least one of them held; missing with --by piece") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", "Time over the time of the run or window")

TV_COLUMNS(columns, COLUMNS)

/* A state of a memory node. */
struct record {
	uint32_t memory, value;
	struct tv_span span;
};

struct memory_states {
	const struct tv_memories *memories;
	const struct tv_pool *pool;
	enum by by;
	uint32_t nmemories; /* selected */
	struct tv_span in;  /* the run or the window */
	bool window;
	struct record *record;
	uint32_t n;
	struct tv_span *span; /* as many */
};

static int by_memory(const struct record *x, const struct record *y)
{
	return TV_COMPARE(x->memory, y->memory);
}

static int by_value(const struct record *x, const struct record *y,
		    const struct memory_states *work)
{
	return tv_natural_order(tv_pool_text(work->pool, x->value),
				tv_pool_text(work->pool, y->value));
}

static int in_order(const void *a, const void *b, void *data)
{
	const struct memory_states *work = data;
	const struct record *x = a, *y = b;
	int memory = by_memory(x, y), value = by_value(x, y, work);

	if (memory != 0 && (value == 0 || work->by != BY_STATE))
		return memory;
	if (value != 0)
		return value;
	return TV_COMPARE(x->span.begin, y->span.begin);
}

static void read_states(struct memory_states *work, const struct tv_run *run)
{
	const struct tv_table *states = tv_trace_table(run->trace, TV_STATES);
	const struct tv_column *id = tv_table_find(states, "ResourceId"),
			       *value = tv_table_find(states, "Value"),
			       *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End");

	work->record = tv_alloc(states->nrows, sizeof *work->record);
	for (uint32_t row = 0; row < states->nrows; row++) {
		uint32_t label = tv_label(id, row), memory;

		if (label == TV_NONE || tv_label(value, row) == TV_NONE || tv_missing(start, row)
		    || tv_missing(end, row))
			continue;
		memory = tv_index_get(&work->memories->of_resource, label);
		if (memory == TV_NONE || !tv_memory_chosen(run, &work->memories->at[memory]))
			continue;
		work->record[work->n++] = (struct record){ memory,
							   tv_label(value, row),
							   { start->i[row], end->i[row] } };
	}
	qsort_r(work->record, work->n, sizeof *work->record, in_order, work);
	work->span = tv_alloc(work->n, sizeof *work->span);
}

static void write_memory(const struct memory_states *work, uint32_t memory,
			 struct tv_column *const *to, uint32_t row)
{
	const struct tv_memory *m = &work->memories->at[memory];

	tv_set_label(to[RESOURCE], row, m->resource);
	tv_set_label(to[NODE], row, m->node);
	if (m->number >= 0)
		tv_set_int(to[MEMORY_NODE], row, m->number);
}

/* The records of one state of one memory node; returns how long it held. */
static int64_t write_pieces(const struct memory_states *work, const struct record *record,
			    uint32_t n, struct tv_table *out)
{
	struct tv_span all = { INT64_MIN, INT64_MAX };
	struct tv_column *const *to = out->col;
	int64_t time = 0;
	uint32_t left;

	for (uint32_t i = 0; i < n; i++)
		work->span[i] = record[i].span;
	left = tv_spans_merge(work->span, n,
			      work->by == BY_PIECE && !work->window ? all : work->in);
	for (uint32_t i = 0; i < left; i++) {
		uint32_t row;

		time += work->span[i].end - work->span[i].begin;
		if (work->by != BY_PIECE)
			continue;
		row = tv_table_add_row(out);
		write_memory(work, record->memory, to, row);
		tv_set_label(to[VALUE], row, record->value);
		tv_set_int(to[START], row, work->span[i].begin);
		tv_set_int(to[END], row, work->span[i].end);
	}
	return time;
}

/* Those of a state whose sum has a row: of one memory node, or of all. */
static void write_sum(const struct memory_states *work, const struct record *record, uint32_t n,
		      tv_int128 time, struct tv_table *out)
{
	struct tv_column *const *to = out->col;
	tv_int128 whole = (tv_int128)(work->in.end - work->in.begin)
			* (work->by == BY_STATE ? work->nmemories : 1);
	uint32_t row = tv_table_add_row(out);
	int64_t records = 0;

	for (uint32_t i = 0; i < n; i++)
		records += record[i].span.begin <= work->in.end
			&& record[i].span.end >= work->in.begin;
	if (work->by == BY_MEMORY)
		write_memory(work, record->memory, to, row);
	tv_set_label(to[VALUE], row, record->value);
	tv_set_int(to[RECORDS], row, records);
	tv_set_int(to[TIME], row, tv_sum_ns(time));
	tv_set_double(to[SHARE], row, whole > 0 ? 100 * (double)time / (double)whole : 0);
}

/* One state of one memory node after the other; with --by state those of a state are together. */
static void write_all(const struct memory_states *work, struct tv_table *out)
{
	uint32_t since = 0;
	tv_int128 time = 0;

	for (uint32_t i = 0, n; i < work->n; i += n) {
		const struct record *record = &work->record[i];
		bool last;

		for (n = 1; i + n < work->n && by_memory(record, &record[n]) == 0
			    && record[n].value == record->value;
		     n++)
			;
		time += write_pieces(work, record, n, out);
		last = work->by != BY_STATE || i + n == work->n || record[n].value != record->value;
		if (work->by != BY_PIECE && last)
			write_sum(work, &work->record[since], i + n - since, time, out);
		if (last) {
			since = i + n;
			time = 0;
		}
	}
}

struct asked {
	enum by by;
};

static int run_memory_states(struct tv_run *run, const struct tv_options *options,
			     struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct memory_states work = { .memories = tv_run_memories(run),
				      .pool = run->trace->pool,
				      .by = asked->by,
				      .window = run->window.set };
	int rc = tv_run_interval(run, &work.in.begin, &work.in.end, err);

	if (rc < 0)
		return rc;
	for (uint32_t m = 0; m < work.memories->n; m++)
		work.nmemories += tv_memory_chosen(run, &work.memories->at[m]);
	read_states(&work, run);
	if (work.n == 0)
		rc = tv_fail(err, "memory-states: the trace has no states of its memory nodes "
				  "(traces of FxT and Paje have some; for a single CSV give --with "
				  "DIR)");
	else
		write_all(&work, out);
	tv_free(work.record);
	tv_free(work.span);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "memory|state|piece", "memory",
	  "shares for each memory node, or of all together, or each piece of time",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
};

const struct tv_pass tv_pass_memory_states = {
	.name = "memory-states",
	.summary = "Time that memory nodes spend allocating, copying, freeing",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Time",
	.sums = true,
	.needs = "states links variables events resources",
	.refuses_tasks = true,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "States of the resources that manage memory, by name. A memory node can be in\n"
		 "several states at once, and in one state for several data handles: Time is how\n"
		 "long at least one record of the state holds, so the shares do not add up to "
		 "100.\n"
		 "With --by state Share refers to the time of all memory nodes.\n"
		 "piece: one row for each uninterrupted piece of time, of the whole trace or the\n"
		 "window; states without duration count in Records only.",
	.example = "traceviz memory-states data/cholesky-paje",
	.run = run_memory_states,
};
