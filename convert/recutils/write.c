/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write.c -- tasks as a Recutils file: one record per job, with the fields of StarPU or of TiKKi in
 * their order, then all other columns of the trace.
 */
#include "convert/part.h"
#include "convert/recutils/recutils.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { TIKKI_MEMORY_NODE = 4 };
static const char *const tikki_fields[] = { "Name",	  "JobId",   "StartTime", "EndTime",
					    "MemoryNode", "Handles", "Modes",	  "DependsOn" };

static const char *const starpu_fields[] = {
	"Name",	      "Model",	   "File",	"Line",	     "JobId",	  "SubmitOrder",
	"Priority",   "DependsOn", "DepLabels", "Tag",	     "WorkerId",  "MemoryNode",
	"SubmitTime", "StartTime", "EndTime",	"Footprint", "GFlop",	  "Iteration",
	"Parameters", "Handles",   "Modes",	"Sizes",     "NumaNodes", "MPIRank"
};

/* The column that a field is made of. */
static const char *column_of(const char *field)
{
	static const char *const named[][2] = {
		{ "Name", "Value" },	      { "StartTime", "Start" },	  { "EndTime", "End" },
		{ "WorkerId", "ResourceId" }, { "Parameters", "Params" }, { "MPIRank", "Node" }
	};

	for (size_t i = 0; i < TV_COUNT(named); i++)
		if (strcmp(field, named[i][0]) == 0)
			return named[i][1];
	return field;
}

/* Columns that no field is made of: what readers derive, and the name of the file. */
static const char *const left_out[] = { "Duration", "Kind", "Flag", "Region", TV_REC_ORDER };

struct writing {
	const struct tv_export *export;
	const struct tv_trace *trace;
	const struct tv_pool *pool;
	const struct tv_table *tasks;
	const struct tv_column *order;
	const char *const *field; /* of the dialect */
	size_t nfields;
	const struct tv_column **column; /* by field; NULL = the trace does not have it */
	const struct tv_column **more;	 /* the others, which follow */
	size_t nmore;
	bool tikki;
	int64_t origin;		/* added to all times */
	struct tv_index handle; /* by label of a handle: its row of handles, which has an address */
	const struct tv_column *address;
	struct tv_index worker;	 /* by label of a resource: its number on its node */
	struct tv_index message; /* by label of a JobId: set if it is that of a message */
	uint64_t messages;
	/* Of the file: */
	const struct tv_part *part;
	struct tv_output *out;
	struct tv_error *err;
	struct tv_part_jobs jobs;
	const char *strip; /* what the JobIds of the region begin with; NULL */
	size_t nstrip;
};

/* ---- which fields ---- */

static bool is_tikki(const struct tv_export *export)
{
	size_t n;

	if (export->dialect != NULL)
		return strcmp(export->dialect, "tikki") == 0;
	return tv_table_find(&export->trace->table[TV_TASKS], "Region") != NULL
	    || tv_meta_get(export->trace, TV_REC_DIALECT, &n) != NULL;
}

/* Whether some two rows have different values: TiKKi records one worker of one node. */
static bool varies(const struct tv_column *column, uint32_t nrows)
{
	uint32_t first = TV_NONE;

	for (uint32_t row = 0; row < nrows; row++) {
		uint32_t label = tv_label(column, row);

		if (label != TV_NONE && first != TV_NONE && label != first)
			return true;
		first = label != TV_NONE ? label : first;
	}
	return false;
}

/* A file of TiKKi names no worker: only one that is called otherwise than its reader does is named. */
static bool names_workers(const struct writing *w, const struct tv_column *column)
{
	uint32_t usual = tv_pool_find_text(w->pool, "CPU0");

	for (uint32_t row = 0; row < w->tasks->nrows; row++)
		if (tv_has(column, row) && tv_label(column, row) != usual)
			return true;
	return false;
}

/* Whether a column becomes a field behind those of the dialect. */
static bool follows(const struct writing *w, const struct tv_column *column)
{
	for (size_t i = 0; i < w->nfields; i++)
		if (strcmp(column_of(w->field[i]), column->name) == 0)
			return false;
	for (size_t i = 0; i < TV_COUNT(left_out); i++)
		if (strcmp(left_out[i], column->name) == 0)
			return false;
	if (strcmp(column->name, "NumaNode") == 0)
		return !w->tikki || w->column[TIKKI_MEMORY_NODE] != column;
	if (strcmp(column->name, "ResourceId") == 0)
		return names_workers(w, column);
	if (strcmp(column->name, "ResourceType") == 0)
		return w->tikki && !column->derived
		    && names_workers(w, tv_table_find(w->tasks, "ResourceId"));
	if (strcmp(column->name, "Node") == 0)
		return varies(column, w->tasks->nrows);
	return !column->derived;
}

static void find_columns(struct writing *w)
{
	w->field = w->tikki ? tikki_fields : starpu_fields;
	w->nfields = w->tikki ? TV_COUNT(tikki_fields) : TV_COUNT(starpu_fields);
	w->column = tv_alloc(w->nfields, sizeof *w->column);
	w->more = tv_alloc(w->tasks->ncols, sizeof *w->more);
	for (size_t i = 0; i < w->nfields; i++)
		w->column[i] = tv_table_find(w->tasks, column_of(w->field[i]));
	/* TiKKi's memory node is the NUMA node of the processor. */
	if (w->tikki && tv_table_find(w->tasks, "MemoryNode") == NULL)
		w->column[TIKKI_MEMORY_NODE] = tv_table_find(w->tasks, "NumaNode");
	for (size_t i = 0; i < w->tasks->ncols; i++)
		if (follows(w, w->tasks->col[i]))
			w->more[w->nmore++] = tv_table_at(w->tasks, i);
	w->order = tv_table_find(w->tasks, TV_REC_ORDER);
}

/* Addresses of data, which the recorder keeps in a column of its own. */
static void find_addresses(struct writing *w)
{
	const struct tv_table *handles = &w->trace->table[TV_HANDLES];
	const struct tv_column *handle = tv_table_find(handles, "Handle");

	w->address = tv_table_find(handles, "Address");
	if (!w->tikki || handle == NULL || w->address == NULL || w->address->type != TV_TEXT)
		return;
	for (uint32_t row = 0; row < handles->nrows; row++)
		if (!tv_missing(handle, row) && !tv_missing(w->address, row))
			tv_index_set(&w->handle, tv_label(handle, row), row);
}

/* ---- workers, messages, the clock ---- */

struct worker {
	const char *node, *name;
	uint32_t label;
};

TV_ORDER(by_name, struct worker, text(node), text(name))

/* The number in the name of a worker that this reader named: worker3, 1_worker3; -1. */
static int64_t own_number(const char *name)
{
	const char *at = strstr(name, "worker");
	int64_t number;

	return at != NULL && (at == name || at[-1] == '_')
			    && tv_parse_int(at + 6, strlen(at + 6), &number) == TV_PARSE_OK
			    && number >= 0 && number < TV_NONE
		     ? number
		     : -1;
}

/* StarPU numbers the workers of a process from 0. The trace does not have these numbers: workers are
 * counted in the order of their names. */
static void number_workers(struct writing *w)
{
	const struct tv_column *resource = tv_table_find(w->tasks, "ResourceId");
	struct worker *worker = NULL;
	size_t n = 0, cap = 0;
	uint32_t number = 0;

	for (uint32_t row = 0; resource != NULL && row < w->tasks->nrows; row++) {
		uint32_t label = tv_label(resource, row);

		if (label == TV_NONE || tv_index_get(&w->worker, label) != TV_NONE)
			continue;
		tv_index_set(&w->worker, label, 0);
		TV_GROW(worker, n, cap, 1);
		worker[n++] = (struct worker){ tv_table_text(w->tasks, "Node", row),
					       tv_pool_text(w->pool, label), label };
	}
	if (n > 1)
		qsort(worker, n, sizeof *worker, by_name);
	for (size_t i = 0; i < n; i++) {
		int64_t own = own_number(worker[i].name);

		if (i > 0 && strcmp(worker[i].node, worker[i - 1].node) != 0)
			number = 0;
		tv_index_set(&w->worker, worker[i].label, own >= 0 ? (uint32_t)own : number);
		number++;
	}
	tv_free(worker);
}

static void find_messages(struct writing *w)
{
	for (uint32_t row = 0; w->jobs.job != NULL && row < w->tasks->nrows; row++)
		if (tv_part_jobs_is_kind(&w->jobs, row, TV_MESSAGE)) {
			w->messages++;
			if (tv_has(w->jobs.job, row))
				tv_index_set(&w->message, tv_label(w->jobs.job, row), row);
		}
}

static void find_origin(struct writing *w)
{
	const char *text;
	size_t n;

	text = tv_meta_get(w->trace, "ClockOrigin", &n);
	if (text == NULL || tv_parse_scaled(text, n, 6, &w->origin) != TV_PARSE_OK)
		w->origin = 0;
}

/* ---- records ---- */

TV_ORDER(by_order, struct tv_part_job, order, row)

/* The place of a record in the file that it comes from. */
static int64_t order_of(const struct writing *w, uint32_t row)
{
	int64_t order = INT64_MAX;
	const char *text;
	size_t n;

	if (!tv_has(w->order, row))
		return order;
	text = tv_string(w->order, row, &n);
	return tv_parse_int(text, n, &order) == TV_PARSE_OK ? order : INT64_MAX;
}

static void collect(struct writing *w)
{
	tv_part_jobs_collect(&w->jobs, w->part);
	for (uint32_t i = 0; i < w->jobs.n; i++)
		w->jobs.at[i].order = order_of(w, w->jobs.at[i].row);
	if (w->jobs.n > 1 && w->order != NULL)
		qsort(w->jobs.at, w->jobs.n, sizeof *w->jobs.at, by_order);
}

/* A region whose reader has put its name before all JobIds gets back those of the file. */
static void find_prefix(struct writing *w)
{
	w->strip = NULL;
	if (w->part->name == NULL)
		return;
	w->nstrip = strlen(w->part->name) + 1;
	for (uint32_t i = 0; i < w->jobs.n; i++) {
		const char *job = tv_pool_text(w->pool, w->jobs.at[i].job);

		if (strncmp(job, w->part->name, w->nstrip - 1) != 0 || job[w->nstrip - 1] != '.'
		    || job[w->nstrip] == '\0')
			return;
	}
	w->strip = w->part->name;
}

/* ---- one record ---- */

static int write_time(const struct writing *w, const char *name, int64_t time)
{
	char text[TV_NUMBER_MAX];

	if (__builtin_add_overflow(time, w->origin, &time))
		return tv_fail(w->err, "times on the clock of the recording do not fit 64-bit "
				       "nanoseconds (ClockOrigin in meta)");
	tv_write_ms(text, time);
	tv_rec_write_name(w->out, name);
	tv_rec_write_text(w->out, text, strlen(text));
	return 0;
}

/* StarPU writes six decimals. */
static void write_double(const struct writing *w, double value)
{
	char text[TV_NUMBER_MAX + 8];
	size_t n = tv_write_double(text, value), decimals;
	const char *point = strchr(text, '.');

	decimals = point != NULL ? n - (size_t)(point - text) - 1 : 0;
	if (!w->tikki && strpbrk(text, "eN") == NULL && decimals < 6) {
		if (point == NULL)
			text[n++] = '.';
		for (; decimals < 6; decimals++)
			text[n++] = '0';
	}
	tv_rec_write_text(w->out, text, n);
}

/* 12 of 0_12 or of 4.12, where all jobs of the region begin like that. */
static const char *job_text(const struct writing *w, uint32_t label)
{
	const char *text = tv_pool_text(w->pool, label);

	return w->strip != NULL && strncmp(text, w->strip, w->nstrip - 1) == 0
			    && text[w->nstrip - 1] == '.'
		     ? text + w->nstrip
		     : text;
}

/* The address of a handle, as TiKKi names it, where the recording has it; else its name. */
static const char *handle_text(const struct writing *w, uint32_t label, size_t *n)
{
	uint32_t row = tv_index_get(&w->handle, label);
	const char *text = tv_pool_text(w->pool, label);

	if (row != TV_NONE)
		return tv_string(w->address, row, n);
	*n = strlen(text);
	return text;
}

static void write_list(const struct writing *w, const struct tv_column *column, uint32_t row)
{
	bool jobs = strcmp(column->name, "DependsOn") == 0;
	bool handles = strcmp(column->name, "Handles") == 0;
	uint32_t n;
	const uint32_t *label = tv_list(column, row, &n);

	for (uint32_t i = 0; i < n; i++) {
		const char *text = jobs ? job_text(w, label[i]) : tv_pool_text(w->pool, label[i]);
		size_t length = strlen(text);

		if (handles)
			text = handle_text(w, label[i], &length);
		if (!jobs || tv_index_get(&w->message, label[i]) == TV_NONE)
			tv_rec_write_value(w->out, text, length);
	}
	tv_output_text(w->out, "\n");
}

/* Whether nothing but messages is left of a list: of DependsOn nothing is written then. */
static bool only_messages(const struct writing *w, const struct tv_column *column, uint32_t row)
{
	uint32_t n;
	const uint32_t *label = tv_list(column, row, &n);

	if (n == 0 || strcmp(column->name, "DependsOn") != 0)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (tv_index_get(&w->message, label[i]) == TV_NONE)
			return false;
	return true;
}

static int write_cell(const struct writing *w, const char *name, const struct tv_column *column,
		      uint32_t row)
{
	char number[TV_NUMBER_MAX];
	const char *text;
	size_t n;

	if (!tv_has(column, row))
		return 0;
	if (column->type == TV_TIME)
		return write_time(w, name, column->i[row]);
	if (column->type == TV_LIST && only_messages(w, column, row))
		return 0;
	tv_rec_write_name(w->out, name);
	switch (column->type) {
	case TV_INT:
		tv_rec_write_text(w->out, number, tv_write_int(number, column->i[row]));
		break;
	case TV_DOUBLE:
		write_double(w, column->d[row]);
		break;
	case TV_LIST:
		write_list(w, column, row);
		break;
	default:
		text = tv_string(column, row, &n);
		tv_rec_write_text(w->out, text, n);
	}
	return 0;
}

/* StarPU writes the digits of a tag without the zeros before them. */
static void write_tag(const struct writing *w, const char *text)
{
	if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
		while (text[0] == '0' && text[1] != '\0')
			text++;
	tv_rec_write_name(w->out, "Tag");
	tv_rec_write_text(w->out, text, strlen(text));
}

/* The rank in a JobId, -1 without MPI. */
static void write_rank(const struct writing *w, const struct tv_part_job *record)
{
	const char *job = tv_pool_text(w->pool, record->job);
	size_t n = strspn(job, "0123456789");
	int64_t rank = -1;
	char text[TV_NUMBER_MAX];

	if (n == 0 || job[n] != '_' || tv_parse_int(job, n, &rank) != TV_PARSE_OK)
		rank = -1;
	tv_write_int(text, rank);
	tv_rec_write_name(w->out, "MPIRank");
	tv_rec_write_text(w->out, text, strlen(text));
}

static bool is_open(const struct writing *w, uint32_t row)
{
	return tv_table_find(w->tasks, "Flag") != NULL
	    && strcmp(tv_table_text(w->tasks, "Flag", row), TV_OPEN) == 0;
}

static int write_field(const struct writing *w, const struct tv_part_job *record, size_t i)
{
	const struct tv_column *column = w->column[i];
	const char *name = w->field[i];
	char number[TV_NUMBER_MAX];
	const char *text;

	if (strcmp(name, "MPIRank") == 0) {
		write_rank(w, record);
	} else if (strcmp(name, "StartTime") == 0 || strcmp(name, "EndTime") == 0) {
		/* One that had not ended has no EndTime. */
		if (record->ran && (name[0] == 'S' || !is_open(w, record->row)))
			return write_time(w, name, name[0] == 'S' ? record->start : record->end);
	} else if (!tv_has(column, record->row)) {
		return 0;
	} else if (strcmp(name, "JobId") == 0) {
		tv_rec_write_name(w->out, name);
		text = job_text(w, record->job);
		tv_rec_write_text(w->out, text, strlen(text));
	} else if (strcmp(name, "WorkerId") == 0) {
		tv_rec_write_name(w->out, name);
		tv_rec_write_text(
			w->out, number,
			tv_write_int(number,
				     tv_index_get(&w->worker, tv_label(column, record->row))));
	} else if (strcmp(name, "Tag") == 0) {
		write_tag(w, tv_pool_text(w->pool, tv_label(column, record->row)));
	} else if (strcmp(name, "Name") != 0
		   || tv_pool_text(w->pool, tv_label(column, record->row))[0] != '\0') {
		return write_cell(w, name, column, record->row);
	}
	return 0;
}

static int write_record(const struct writing *w, const struct tv_part_job *record)
{
	for (size_t i = 0; i < w->nfields; i++)
		if (write_field(w, record, i) < 0)
			return -1;
	for (size_t i = 0; i < w->nmore; i++)
		if (write_cell(w, w->more[i]->name, w->more[i], record->row) < 0)
			return -1;
	return 0;
}

static void note_losses(const struct writing *w)
{
	struct tv_diagnostics *notes = w->export->notes;

	if (w->messages > 0)
		tv_diagnose(notes, TV_NOTE, (struct tv_pos){ 0 },
			    "%" PRIu64 " messages are left out, with the dependencies on them: a "
			    "record is a task",
			    w->messages);
	tv_part_jobs_note(&w->jobs, notes, "record");
}

static int write_records(struct writing *w)
{
	size_t n;
	bool blank = !w->tikki || tv_meta_get(w->trace, TV_REC_END, &n) != NULL;

	for (uint32_t i = 0; i < w->jobs.n; i++) {
		if (write_record(w, &w->jobs.at[i]) < 0)
			return -1;
		if (blank || i + 1 < w->jobs.n)
			tv_output_text(w->out, "\n");
	}
	return 0;
}

static void *begin(const struct tv_export *export, struct tv_error *err)
{
	struct writing *w = tv_alloc(1, sizeof *w);

	(void)err;
	w->export = export;
	w->trace = export->trace;
	w->pool = w->trace->pool;
	w->tasks = &w->trace->table[TV_TASKS];
	w->tikki = is_tikki(export);
	tv_part_jobs_init(&w->jobs, w->trace, false, false);
	find_columns(w);
	find_addresses(w);
	find_origin(w);
	find_messages(w);
	if (!w->tikki)
		number_workers(w);
	return w;
}

static int write_file(void *state, const struct tv_part *part, struct tv_output *out,
		      struct tv_error *err)
{
	struct writing *w = state;

	w->part = part;
	w->out = out;
	w->err = err;
	collect(w);
	find_prefix(w);
	return w->jobs.n > 0 ? write_records(w)
			     : tv_fail(err, "no task has a JobId, which a record needs");
}

static void end(void *state)
{
	struct writing *w = state;

	note_losses(w);
	tv_free(w->column);
	tv_free(w->more);
	tv_free(w->worker.at);
	tv_free(w->handle.at);
	tv_free(w->message.at);
	tv_part_jobs_release(&w->jobs);
	tv_free(w);
}

const struct tv_writer tv_rec_writer = {
	.name = "rec",
	.summary = "recutils: StarPU's tasks.rec, or a file per parallel region as TiKKi writes",
	.file = "tasks",
	.begin = begin,
	.write = write_file,
	.end = end,
};
