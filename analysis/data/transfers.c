/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transfers.c -- every transfer between memory nodes: for which task, what wait and evictions. */
#include "analysis/data/transfer_list.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/measure.h"
#include "analysis/data/data_events.h"
#include "analysis/data/evictions.h"
#include "analysis/data/uses.h"
#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(KEY, "Key", TV_LABEL, false, "", "its key") \
	X(NODE, "Node", TV_LABEL, false, "", "node of its memory nodes") \
	X(ORIGIN, "Origin", TV_LABEL, false, "", "memory node that the data leave") \
	X(DEST, "Dest", TV_LABEL, false, "", "memory node that they reach") \
	X(START, "Start", TV_TIME, false, "ms", "begin") \
	X(END, "End", TV_TIME, false, "ms", "end") \
	X(DURATION, "Duration", TV_TIME, false, "ms", "End - Start") \
	X(SIZE, "Size", TV_INT, false, "bytes", "volume") \
	X(BANDWIDTH, "Bandwidth", TV_DOUBLE, false, "MB/s", \
	  "Size / Duration, 10^6 bytes per second; missing if Duration is 0, or " \
	  "the transfer open") \
	X(KIND, "Kind", TV_LABEL, false, "", \
	  "Fetch, PreFetch, TaskPreFetch, IdleFetch: why, as the runtime has it") \
	X(HANDLE, "Handle", TV_LABEL, false, "", "data handle") \
	X(JOB, "JobId", TV_LABEL, false, "", "first task that used the data there") \
	X(VALUE, "Value", TV_LABEL, false, "", "its type") \
	X(TASK_START, "TaskStart", TV_TIME, false, "ms", "its Start") \
	X(TASKS, "Tasks", TV_INT, false, "", "executions that used the data there") \
	X(MESSAGE, "Message", TV_LABEL, false, "", \
	  "key of the first message that sent them from there") \
	X(WAIT, "Wait", TV_TIME, false, "ms", "idle time that it caused, sum over the workers") \
	X(ALLOCATION, "Allocation", TV_LABEL, false, "", \
	  "memory for it: new, reused (a cached buffer), evicted (a buffer of other " \
	  "data)") \
	X(FAILED, "Failed", TV_INT, false, "", "allocations for it that failed") \
	X(WRITTEN_BACK, "WrittenBack", TV_INT, false, "", "data written back for it") \
	X(FREED, "Freed", TV_INT, false, "", "buffers freed for it") \
	X(FREED_SIZE, "FreedSize", TV_INT, false, "bytes", "their size") \
	X(FLAG, "Flag", TV_LABEL, false, "", "open = the trace ends before it")

/* These are only of sums. */
#define SUMS(X) \
	X(TRANSFERS, "Transfers", TV_INT, true, "", "number of transfers") \
	X(TIME, "Time", TV_TIME, true, "ms", "sum of their durations") \
	X(UNUSED, "Unused", TV_INT, true, "", \
	  "transfers after which no task and no message used the data there")

enum { COLUMNS(TV_COLUMN_ID) SUMS(TV_COLUMN_ID) NALL, NCOLUMNS = TRANSFERS };

static const struct tv_field columns[] = { COLUMNS(TV_COLUMN_ROW) SUMS(TV_COLUMN_ROW) };

struct transfer_rows {
	struct tv_run *run;
	const struct tv_memories *memories;
	const struct tv_data_transfers *transfers;
	const struct tv_messages *messages;
	const struct tv_uses *uses;
	int64_t *until; /* by transfer: uses of the data before this are of this transfer, ns */
	int64_t *wait;	/* by transfer; NULL = not known: no tasks */
	struct tv_eviction *eviction; /* by transfer */
};

/* ---- until when its data are those of a transfer ---- */

/* The end of a transfer of a handle to a place, a memory node; or of the handle itself, where the
 * place is the label of its node. */
struct bound {
	uint32_t place, handle;
	int64_t time, start;
	uint32_t transfer;
};

static int by_data(const void *a, const void *b)
{
	const struct bound *x = a, *y = b;

	return x->place != y->place   ? TV_COMPARE(x->place, y->place)
	     : x->handle != y->handle ? TV_COMPARE(x->handle, y->handle)
	     : x->time != y->time     ? TV_COMPARE(x->time, y->time)
	     : x->start != y->start   ? TV_COMPARE(x->start, y->start)
				      : TV_COMPARE(x->transfer, y->transfer);
}

static struct bound *sort_transfers(const struct tv_data_transfers *transfers)
{
	struct bound *bound = tv_alloc(transfers->n, sizeof *bound);

	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *t = &transfers->at[i];

		bound[i] = (struct bound){ t->dest, t->handle, t->end, t->start, i };
	}
	qsort(bound, transfers->n, sizeof *bound, by_data);
	return bound;
}

/* When handles are unregistered: their address may be that of another one afterwards. */
static struct bound *sort_ends(struct tv_run *run, size_t *n)
{
	const struct tv_data_events *events = tv_run_data_events(run);
	struct bound *bound = tv_alloc(events->n, sizeof *bound);

	*n = 0;
	for (size_t i = 0; i < events->n; i++)
		if (events->at[i].what == TV_DATA_UNREGISTER)
			bound[(*n)++] = (struct bound){ events->at[i].node, events->at[i].handle,
							events->at[i].time, 0, TV_NONE };
	qsort(bound, *n, sizeof *bound, by_data);
	return bound;
}

static void find_bounds(struct transfer_rows *work)
{
	const struct tv_data_transfers *transfers = work->transfers;
	struct bound *sorted = sort_transfers(transfers), *ends;
	size_t nends;

	ends = sort_ends(work->run, &nends);
	work->until = tv_alloc(transfers->n, sizeof *work->until);
	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct bound *at = &sorted[i], *next = at + 1;
		struct bound before = { work->memories->at[at->place].node, at->handle, at->time,
					INT64_MIN, 0 };
		size_t end = tv_count_upto(&before, ends, nends, sizeof before, by_data);
		int64_t until = INT64_MAX;

		if (i + 1 < transfers->n && next->place == at->place && next->handle == at->handle)
			until = next->time;
		if (end < nends && ends[end].place == before.place
		    && ends[end].handle == before.handle && ends[end].time < until)
			until = ends[end].time;
		work->until[at->transfer] = until;
	}
	tv_free(sorted);
	tv_free(ends);
}

/* ---- rows ---- */

static void write_transfer(const struct transfer_rows *work, const struct tv_data_transfer *t,
			   struct tv_column *const *to, uint32_t row)
{
	const struct tv_column *flag = tv_table_find(&work->run->trace->table[TV_LINKS], "Flag");

	tv_set_label(to[KEY], row, t->key);
	tv_set_label(to[NODE], row, work->memories->at[t->dest].node);
	tv_set_label(to[ORIGIN], row, work->memories->at[t->origin].resource);
	tv_set_label(to[DEST], row, work->memories->at[t->dest].resource);
	tv_set_int(to[START], row, t->start);
	tv_set_int(to[END], row, t->end);
	tv_set_int(to[DURATION], row, t->end - t->start);
	if (t->sized)
		tv_set_int(to[SIZE], row, t->size);
	if (t->sized && !t->open && t->end > t->start)
		tv_set_double(
			to[BANDWIDTH], row,
			tv_megabytes_per_second((double)t->size, (double)(t->end - t->start)));
	tv_set_label(to[KIND], row, t->kind);
	tv_set_label(to[HANDLE], row, t->handle);
	if (flag != NULL)
		tv_set_label(to[FLAG], row, tv_label(flag, t->link));
}

/* Whether a use comes before the one found: it starts earlier or, at the same instant, its name is the
 * smaller one. Names are labels. */
static bool is_sooner(const struct transfer_rows *work, const struct tv_use *use, uint32_t name,
		      const struct tv_use *found, uint32_t found_name)
{
	const struct tv_pool *pool = work->run->trace->pool;

	return found == NULL
	    || (use->start == found->start && name != found_name
		&& tv_natural_order(tv_pool_text(pool, name), tv_pool_text(pool, found_name)) < 0);
}

static void write_uses(const struct transfer_rows *work, uint32_t i, struct tv_column *const *to,
		       uint32_t row)
{
	const struct tv_data_transfer *t = &work->transfers->at[i];
	const struct tv_tasks *tasks = &work->run->tasks;
	size_t k = tv_uses_from(work->uses, t->dest, t->handle, t->end);
	const struct tv_use *first = NULL, *message = NULL;
	uint32_t job = TV_NONE, key = TV_NONE;
	int64_t n = 0;

	for (; tv_uses_has(work->uses, k, t->dest, t->handle, work->until[i]); k++) {
		const struct tv_use *use = &work->uses->at[k];
		bool sends = use->row == TV_NONE;
		uint32_t name = sends		   ? work->messages->at[use->message].key
			      : tasks->job == NULL ? TV_NONE
						   : tasks->job[use->row];

		n += !sends && tasks->leads[use->row];
		if (sends && is_sooner(work, use, name, message, key)) {
			message = use;
			key = name;
		} else if (!sends && is_sooner(work, use, name, first, job)) {
			first = use;
			job = name;
		}
	}
	tv_set_int(to[TASKS], row, n);
	if (message != NULL)
		tv_set_label(to[MESSAGE], row, key);
	if (first == NULL)
		return;
	tv_set_label(to[JOB], row, job);
	tv_set_label(to[VALUE], row, tasks->value[first->row]);
	tv_set_int(to[TASK_START], row, tasks->start[first->row]);
}

static void write_eviction(const struct tv_eviction *e, struct tv_column *const *to, uint32_t row)
{
	if (e->allocation == TV_ALLOCATION_NONE)
		return;
	tv_set_text(to[ALLOCATION], row, tv_allocation_name(e->allocation));
	tv_set_int(to[FAILED], row, e->failed);
	tv_set_int(to[WRITTEN_BACK], row, e->written_back);
	tv_set_int(to[FREED], row, e->freed);
	tv_set_int(to[FREED_SIZE], row, tv_sum_ns(e->freed_size));
}

/* Whether the window shows a transfer: it touches it, or caused idle time in it. */
static bool is_seen(const struct transfer_rows *work, uint32_t i)
{
	const struct tv_window *window = &work->run->window;
	const struct tv_data_transfer *t = &work->transfers->at[i];

	return !window->set || (t->start <= window->end && t->end >= window->begin)
	    || (work->wait != NULL && work->wait[i] > 0);
}

static void write_rows(const struct transfer_rows *work, struct tv_table *out)
{
	struct tv_column *const *to = out->col;

	for (uint32_t i = 0; i < work->transfers->n; i++) {
		const struct tv_data_transfer *t = &work->transfers->at[i];
		uint32_t row;

		if (!is_seen(work, i))
			continue;
		row = tv_table_add_row(out);
		write_transfer(work, t, to, row);
		if (t->handle != TV_NONE)
			write_uses(work, i, to, row);
		if (work->wait != NULL)
			tv_set_int(to[WAIT], row, work->wait[i]);
		write_eviction(&work->eviction[i], to, row);
	}
}

static int list_transfers(struct tv_run *run, struct tv_table *out, struct tv_error *err)
{
	struct transfer_rows work = { .run = run, .memories = tv_run_memories(run) };
	int64_t states = 0;

	tv_add_fields(out, columns, NCOLUMNS);
	work.transfers = tv_run_some_transfers(run, "transfers", err);
	work.messages = work.transfers == NULL ? NULL : tv_run_messages(run, err);
	work.uses = work.messages == NULL ? NULL : tv_run_uses(run, err);
	if (work.uses == NULL)
		return -1;
	if (run->tasks.ncounted > 0
	    && (work.wait = tv_transfer_waits(work.transfers, run, &states, err)) == NULL)
		return -1;
	if (states > 0)
		tv_run_warn(run,
			    "%.3f ms of the idle time of the cause data are no transfer's: the "
			    "trace shows them only as states FetchingInput",
			    (double)states / 1e6);
	find_bounds(&work);
	work.eviction = tv_evictions(work.transfers, run);
	write_rows(&work, out);
	tv_free(work.until);
	tv_free(work.wait);
	tv_free(work.eviction);
	return 0;
}

/* ---- sums ---- */

/* Not a column of the transfers: that neither a task nor a message used the data. */
enum { NOT_USED = NCOLUMNS };

static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct tv_measured_rows *rows = data;
	const struct tv_table *table = rows->data;

	if (column != NOT_USED)
		return rows->number(table, column, row, number);
	return tv_label(table->col[HANDLE], row) != TV_NONE
	    && tv_label(table->col[MESSAGE], row) == TV_NONE
	    && (tv_missing(table->col[TASKS], row) || table->col[TASKS]->i[row] == 0);
}

/* In the order of the columns, behind those of --by. */
static const struct tv_measure_spec sums[] = {
	{ TRANSFERS, TV_MEASURE_ROWS },
	{ SIZE, TV_MEASURE_SUM, SIZE },
	{ TIME, TV_MEASURE_SUM, DURATION },
	{ BANDWIDTH, TV_MEASURE_RATE, SIZE, DURATION, .factor = 1000 },
	{ UNUSED, TV_MEASURE_KNOWN, NOT_USED },
	{ WAIT, TV_MEASURE_SUM, WAIT },
	{ WRITTEN_BACK, TV_MEASURE_SUM, WRITTEN_BACK },
	{ FREED, TV_MEASURE_SUM, FREED },
};

static int sum_transfers(struct tv_run *run, const char *names, struct tv_table *out,
			 struct tv_error *err)
{
	static const int key[] = { NODE, ORIGIN, DEST, KIND, HANDLE, VALUE };
	const struct tv_table *table = tv_run_pass_with(run, "transfers", err, NULL);
	const struct tv_column *column[TV_COUNT(key)];
	struct tv_column *to[NALL];
	struct tv_measured_rows cells, rows = { number_of, &cells };
	struct tv_keys keys;
	size_t n = 0;

	if (table == NULL)
		return -1;
	cells = tv_rows_of(table);
	for (size_t i = 0; i < TV_COUNT(key); i++)
		if (tv_value_lists(names, columns[key[i]].name))
			column[n++] = table->col[key[i]];
	if (tv_keys_of(&keys, table, column, n, "by", out, err) < 0)
		return -1; /* never: a key is there once */
	for (size_t i = 0; i < TV_COUNT(sums); i++) {
		tv_add_fields(out, &columns[sums[i].to], 1);
		to[sums[i].to] = out->col[out->ncols - 1];
	}
	tv_measure_groups(&rows, &keys.groups, sums, TV_COUNT(sums), out, to);
	for (uint32_t group = 0; group < keys.by.n; group++)
		tv_keys_write(&keys, group, group);
	tv_keys_release(&keys);
	return 0;
}

struct asked {
	const char *by; /* NULL = a list */
};

static int run_transfers(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	return asked->by == NULL ? list_transfers(run, out, err)
				 : sum_transfers(run, asked->by, out, err);
}

static const struct tv_option_spec options[] = {
	{ "by", "Node|Origin|Dest|Kind|Handle|Value,...", NULL,
	  "sums instead: one row for each combination of these columns", TV_OPTION_LIST,
	  TV_ASKED(by) },
};

/* Of sums: behind those of --by, with others of these. */
static const struct tv_columns forms[] = { { columns + TRANSFERS, NALL - TRANSFERS, "--by" } };

const struct tv_pass tv_pass_transfers = {
	.name = "transfers",
	.summary = "List transfers between memory nodes: times, sizes, tasks, waits, evictions",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Wait",
	.sums = true,
	.needs = "links resources states variables events calls",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	.column = columns,
	.ncolumns = NCOLUMNS,
	.varies = true,
	.notes =
		"By Start. Transfers are links whose Type begins with 'Intra-node data', and Kind\n"
		"is the rest of it. One that ends before it starts ends where it starts. With a\n"
		"window those that touch it, or that caused idle time in it.\n"
		"JobId is the app task (or of --kind) that used the handle first on a worker of\n"
		"Dest, from End to the end of the next transfer of the handle there or to its\n"
		"unregistration (of equal Starts the smallest JobId); Tasks is how many did.\n"
		"Message is the first one that sent it from there. The trace does not contain\n"
		"which task requested a transfer.\n"
		"Wait is idle time of the cause data of idle-causes: the data were under way for "
		"a\n"
		"released task that the worker ran next. Of several transfers the one that ends\n"
		"last has it, so the waits add up to the Time of that cause, except for what the\n"
		"trace shows only as states FetchingInput (a warning reports it).\n"
		"Allocation: new, reused (a cached buffer) or evicted (allocations failed, so the\n"
		"buffer is one of other data); missing if the memory was allocated before. It is\n"
		"that of the same handle and Dest which began before Start, after the last data\n"
		"state of the handle there. WrittenBack and Freed count what was written back and\n"
		"freed on Dest in between. The trace needs events about memory for these.\n"
		"--by gives its columns, then Transfers (their number), Size, Time (sum of the\n"
		"durations), Bandwidth (Size / Time), Unused (transfers after which no task and "
		"no\n"
		"message used the data at Dest), Wait, WrittenBack, Freed.",
	.example = "traceviz transfers --by Origin,Dest data/cholesky-2nodes",
	.taskless = true,
	.run = run_transfers,
};
