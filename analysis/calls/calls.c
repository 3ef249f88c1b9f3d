/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c -- the MPI calls of a run. */
#include "analysis/calls/calls.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "trace/alloc.h"
#include "trace/nodes.h"
#include "trace/text.h"

const char *const tv_call_class_name[] = { "blocking", "start", "test", "wait", "other" };
_Static_assert(TV_COUNT(tv_call_class_name) == TV_NCALL_CLASSES, "a name for every class");

static const char *const column_name[] = {
	[TV_CALL_RESOURCE] = "ResourceId",
	[TV_CALL_NAME] = "Call",
	[TV_CALL_CLASS] = "Class",
	[TV_CALL_BEGIN] = "Start",
	[TV_CALL_END] = "End",
	[TV_CALL_REQUEST] = "Request",
	[TV_CALL_COMPLETED] = "Completed",
	[TV_CALL_COMM] = "Comm",
	[TV_CALL_COMM_RANK] = "CommRank",
	[TV_CALL_SEQUENCE] = "Sequence",
	[TV_CALL_ROOT] = "Root",
	[TV_CALL_OP] = "Op",
	[TV_CALL_PEER] = "Peer",
	[TV_CALL_TAG] = "Tag",
	[TV_CALL_RECEIVE_PEER] = "ReceivePeer",
	[TV_CALL_RECEIVE_TAG] = "ReceiveTag",
	[TV_CALL_BYTES] = "Bytes",
	[TV_CALL_SITE] = "Site",
	[TV_CALL_FLAG] = "Flag",
};
_Static_assert(TV_COUNT(column_name) == TV_NCALL_COLUMNS, "a name for every column");

uint32_t tv_call_label(const struct tv_calls *calls, enum tv_call_column column, uint32_t row)
{
	return calls->column[column] == NULL ? TV_NONE : tv_label(calls->column[column], row);
}

int64_t tv_call_number(const struct tv_calls *calls, enum tv_call_column column, uint32_t row)
{
	const struct tv_column *c = calls->column[column];

	return c == NULL || tv_missing(c, row) ? TV_NO_NUMBER : c->i[row];
}

const uint32_t *tv_call_list(const struct tv_calls *calls, enum tv_call_column column, uint32_t row,
			     uint32_t *n)
{
	*n = 0;
	return calls->column[column] == NULL ? NULL : tv_list(calls->column[column], row, n);
}

uint32_t tv_call_requests(const struct tv_calls *calls, uint32_t row)
{
	uint32_t n;

	tv_call_list(calls, TV_CALL_REQUEST, row, &n);
	return n;
}

bool tv_call_named(const struct tv_calls *calls, uint32_t row, const char *word)
{
	return strcasestr(tv_pool_text(calls->trace->pool, tv_call_label(calls, TV_CALL_NAME, row)),
			  word)
	    != NULL;
}

static enum tv_call_class class_of(const struct tv_calls *calls, const uint32_t *label,
				   uint32_t row)
{
	uint32_t its = tv_call_label(calls, TV_CALL_CLASS, row);
	int class = 0;

	if (tv_call_label(calls, TV_CALL_RESOURCE, row) == TV_NONE
	    || tv_call_label(calls, TV_CALL_NAME, row) == TV_NONE
	    || tv_missing(calls->column[TV_CALL_BEGIN], row)
	    || tv_missing(calls->column[TV_CALL_END], row) || its == TV_NONE)
		return TV_NCALL_CLASSES;
	while (class < TV_NCALL_CLASSES && label[class] != its)
		class ++;
	return (enum tv_call_class) class;
}

/* The ranks of the rows that count, in natural order; rank_of holds their labels before. */
static void number_ranks(struct tv_calls *calls)
{
	struct tv_index place = { 0 };
	size_t cap = 0;

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t label = calls->rank_of[calls->row[i]];

		if (tv_index_get(&place, label) != TV_NONE)
			continue;
		tv_index_set(&place, label, 0);
		TV_GROW(calls->rank, calls->nranks, cap, 1);
		calls->rank[calls->nranks++] = label;
	}
	if (calls->nranks > 1)
		qsort_r(calls->rank, calls->nranks, sizeof *calls->rank, tv_compare_labels,
			calls->trace->pool);
	for (uint32_t r = 0; r < calls->nranks; r++)
		tv_index_set(&place, calls->rank[r], r);
	for (uint32_t i = 0; i < calls->n; i++)
		calls->rank_of[calls->row[i]] = tv_index_get(&place, calls->rank_of[calls->row[i]]);
	tv_free(place.at);
}

/* The table is in order of Start. */
static void collect(struct tv_calls *calls, struct tv_run *run)
{
	const struct tv_table *table = &calls->trace->table[TV_CALLS];
	uint32_t label[TV_NCALL_CLASSES], left_out = 0;
	struct tv_nodes nodes;

	for (int i = 0; i < TV_NCALL_CLASSES; i++)
		label[i] = tv_pool_find_text(calls->trace->pool, tv_call_class_name[i]);
	calls->row = tv_alloc(table->nrows, sizeof *calls->row);
	calls->class_of = tv_alloc(table->nrows, sizeof *calls->class_of);
	calls->rank_of = tv_alloc(table->nrows, sizeof *calls->rank_of);
	tv_nodes_init(&nodes, calls->trace);
	for (uint32_t row = 0; row < table->nrows; row++) {
		enum tv_call_class class = class_of(calls, label, row);

		calls->class_of[row] = (uint8_t) class;
		calls->rank_of[row] = TV_NONE;
		left_out += class == TV_NCALL_CLASSES;
		if (class == TV_NCALL_CLASSES)
			continue;
		calls->rank_of[row] = tv_node_of(&nodes,
						 tv_call_label(calls, TV_CALL_RESOURCE, row));
		calls->row[calls->n++] = row;
	}
	tv_nodes_release(&nodes);
	number_ranks(calls);
	calls->nleft_out = left_out;
	if (run->of == NULL)
		tv_warn_left_out_calls(run, left_out);
}

void tv_warn_left_out_calls(struct tv_run *run, uint64_t n)
{
	if (n > 0)
		tv_run_warn(run,
			    "%lu calls are left out: without thread, function, class, Start or "
			    "End, or of a class other than blocking, start, test, wait and other",
			    (unsigned long)n);
}

static void release(void *data)
{
	struct tv_calls *calls = data;

	tv_free(calls->row);
	tv_free(calls->class_of);
	tv_free(calls->rank_of);
	tv_free(calls->rank);
	tv_free(calls);
}

const struct tv_calls *tv_run_calls(struct tv_run *run)
{
	static const char kept;
	struct tv_calls *calls = tv_run_kept(run, &kept);
	bool whole = true;

	if (calls != NULL)
		return calls;
	calls = tv_alloc(1, sizeof *calls);
	calls->trace = run->trace;
	for (int i = 0; i < TV_NCALL_COLUMNS; i++)
		calls->column[i] = tv_table_find(&run->trace->table[TV_CALLS], column_name[i]);
	for (int i = TV_CALL_RESOURCE; i <= TV_CALL_END; i++)
		whole = whole && calls->column[i] != NULL;
	if (whole)
		collect(calls, run);
	tv_run_keep(run, &kept, calls, release);
	return calls;
}

const struct tv_calls *tv_run_some_calls(struct tv_run *run, const char *verb, struct tv_error *err)
{
	const struct tv_calls *calls = tv_run_calls(run);

	if (calls->n > 0)
		return calls;
	tv_fail_no_calls(run, verb, err);
	return NULL;
}

int tv_fail_no_calls(const struct tv_run *run, const char *verb, struct tv_error *err)
{
	return tv_fail_lacks(err, run->trace,
			     "%s: the trace has no MPI calls (record it with --mpi; a single CSV "
			     "has none: see --with)",
			     verb);
}

struct tv_call_times tv_call_times(const struct tv_calls *calls)
{
	struct tv_call_times t = { INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN };

	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i];
		int64_t begin = tv_call_begin(calls, row), end = tv_call_end(calls, row);

		t.begin = begin < t.begin ? begin : t.begin;
		t.end = end > t.end ? end : t.end;
		if (calls->class_of[row] == TV_CALL_OTHER)
			continue;
		t.communication_begin = begin < t.communication_begin ? begin
								      : t.communication_begin;
		t.communication_end = end > t.communication_end ? end : t.communication_end;
	}
	return t;
}
