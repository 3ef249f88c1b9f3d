/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.c -- tasks of a Recutils file joined with those of the trace, by JobId. */
#include "convert/recutils/recutils.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/kernels.h"
#include "trace/number.h"

/* What is done with a field. */
struct use {
	uint32_t name;		  /* label */
	bool identity;		  /* goes into new rows only, by add_rows */
	struct tv_column *column; /* where it goes */
	const struct tv_column
		*old; /* a text or list column that is copied into `column` and extended */
};

struct merge {
	struct tv_rec_file *file;
	struct tv_trace *trace;
	struct tv_error *err;
	struct tv_table *tasks;
	struct tv_table fresh; /* has text and list columns while they are copied and extended */
	struct tv_column *job, *resource, *start, *end, *value, *kind, *node, *region;
	struct use *use;
	size_t nuses, uses_cap;
	struct tv_index use_of; /* by label of a field's name */
	bool ranked;		/* JobIds need their rank */
	uint32_t old_rows;	/* of tasks, before the merge */
	struct tv_index first;	/* by label of a job: its first row */
	uint32_t *next;		/* by old row: the next of the same job */
	uint32_t *rec_of;	/* by row: its record, TV_NONE */
	struct tv_map workers;	/* rank + 1, worker -> label of the resource */
	uint64_t unknown;	/* executed according to the file, but not in the trace */
	bool untyped;		/* some workers are known by their number only */
	struct tv_column *flag; /* of tasks; NULL = the trace flags none */
	uint64_t closed;	/* open tasks whose end is known from here */
	int64_t last;		/* latest time of any record; INT64_MIN = not computed */
	bool unordered;		/* the new rows are not in the order of their records */
	int64_t latest;		/* of the new rows: the last Start */
	int64_t latest_end;	/* and the latest End */
	uint64_t overlaps;	/* of tasks whose record names no worker */
};

static bool has(const struct tv_column *column, uint32_t row)
{
	return row < column->n && !tv_missing(column, row);
}

static bool number_of(const struct merge *m, const struct tv_rec *rec, const char *name,
		      int64_t *value)
{
	struct tv_rec_field field;

	return tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, name), &field)
	    && tv_parse_int(field.s, field.n, value) == TV_PARSE_OK;
}

/* Whether JobIds have a rank here: those of the trace do, or the file has several ranks. */
static bool are_ranked(const struct merge *m)
{
	int32_t rank = -1;

	for (uint32_t row = 0; row < m->old_rows; row++) {
		const char *job;
		size_t n;

		if (!has(m->job, row))
			continue;
		job = tv_string(m->job, row, &n);
		n = strspn(job, "0123456789");
		return n > 0 && job[n] == '_';
	}
	for (size_t i = 0; i < m->file->n; i++) {
		if (rank >= 0 && m->file->rec[i].rank >= 0 && m->file->rec[i].rank != rank)
			return true;
		rank = m->file->rec[i].rank >= 0 ? m->file->rec[i].rank : rank;
	}
	return false;
}

/* Links the rows that the trace has by their jobs. */
static void index_rows(struct merge *m)
{
	m->next = tv_alloc(m->old_rows, sizeof *m->next);
	for (uint32_t row = m->old_rows; row-- > 0;) {
		uint32_t label = row < m->job->n ? tv_label(m->job, row) : TV_NONE;

		m->next[row] = TV_NONE;
		if (label == TV_NONE)
			continue;
		m->next[row] = tv_index_get(&m->first, label);
		tv_index_set(&m->first, label, row);
	}
}

/* The name of a field seen for the first time: decides where it goes. */
static int add_use(struct merge *m, const struct tv_rec *rec, uint32_t name)
{
	static const char *const identity[] = { "JobId",   "Name",     "StartTime",
						"EndTime", "WorkerId", "MPIRank" };
	const char *text = tv_pool_text(m->trace->pool, name);
	struct use use = { .name = name };

	if (m->nuses >= TV_REC_NAMES)
		return tv_fail_at(m->err, tv_rec_place(m->file, rec),
				  "more than %d names of fields, which is the limit", TV_REC_NAMES);
	for (size_t i = 0; i < TV_COUNT(identity); i++)
		use.identity = use.identity || strcmp(text, identity[i]) == 0;
	use.identity = use.identity || (m->file->tikki && strcmp(text, "ResourceId") == 0);
	if (!use.identity)
		use.column = tv_rec_column(m->file, TV_TASKS, text);
	/* Cells of text and lists can only be appended: a column that has some is copied. */
	if (!use.identity && use.column->n > 0
	    && (use.column->type == TV_TEXT || use.column->type == TV_LIST)) {
		use.old = use.column;
		use.column = tv_table_column(&m->fresh, use.old->name, use.old->type, m->err);
	}
	TV_GROW(m->use, m->nuses, m->uses_cap, 1);
	tv_index_set(&m->use_of, name, (uint32_t)m->nuses);
	m->use[m->nuses++] = use;
	return 0;
}

/* The job of each record, and where each field goes. */
static int name_jobs(struct merge *m)
{
	uint32_t job = tv_pool_find_text(m->trace->pool, "JobId");
	struct tv_rec_field field;

	for (size_t i = 0; i < m->file->n; i++) {
		struct tv_rec *rec = &m->file->rec[i];
		size_t at = rec->fields;

		if (rec->job == TV_NONE || !tv_rec_find(m->file, rec, job, &field))
			continue;
		rec->job = tv_rec_job(m->file, rec, field.s, field.n, m->ranked);
		for (uint32_t k = 0; k < rec->nfields; k++) {
			field = tv_rec_next(m->file, &at);
			if (tv_index_get(&m->use_of, field.name) == TV_NONE
			    && add_use(m, rec, field.name) < 0)
				return -1;
		}
	}
	return 0;
}

/* The times of a record that has them; false if it does not, or they are no times. */
static bool times_of(struct merge *m, const struct tv_rec *rec, int64_t *start, int64_t *end)
{
	static const char *const names[] = { "StartTime", "EndTime" };
	int64_t *const value[] = { start, end };

	for (int i = 0; i < 2; i++) {
		struct tv_rec_field field;

		if (!tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, names[i]), &field))
			return false;
		if (tv_convert_time(field.s, field.n, m->file->scale, value[i]))
			continue;
		tv_damaged(m->trace, TV_DROPPED, "bad time", tv_rec_place(m->file, rec),
			   "%s '%.*s', expected a number", names[i],
			   field.n < 200 ? (int)field.n : 200, field.s);
		return false;
	}
	if (*end < *start)
		tv_damaged(m->trace, TV_DROPPED, "end before start", tv_rec_place(m->file, rec),
			   "the task ends before it starts");
	return *end >= *start;
}

/* The StartTime or EndTime of a record; INT64_MIN = it has none, or it is no time. */
static int64_t time_of(const struct merge *m, const struct tv_rec *rec, const char *name)
{
	struct tv_rec_field field;
	int64_t time;

	return tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, name), &field)
			    && tv_convert_time(field.s, field.n, m->file->scale, &time)
		     ? time
		     : INT64_MIN;
}

static int64_t last_time(struct merge *m)
{
	int64_t last = m->last;

	for (size_t i = 0; m->last == INT64_MIN && i < 2 * m->file->n; i++) {
		int64_t time = time_of(m, &m->file->rec[i / 2],
				       i % 2 == 0 ? "StartTime" : "EndTime");

		last = time > last ? time : last;
	}
	m->last = last;
	return last;
}

/* Whether a record is of a task that had started, and not ended when the run did: *end is then the last time of
 * the file. */
static bool is_open(struct merge *m, const struct tv_rec *rec, int64_t *start, int64_t *end)
{
	struct tv_rec_field field;

	if (tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, "EndTime"), &field))
		return false;
	*start = time_of(m, rec, "StartTime");
	if (*start == INT64_MIN)
		return false;
	*end = last_time(m);
	tv_damaged(m->trace, TV_REPAIRED, "task without end", tv_rec_place(m->file, rec),
		   "it is taken to end at the last time of the file");
	return true;
}

static bool has_times(const struct merge *m, const struct tv_rec *rec)
{
	struct tv_rec_field field;

	return tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, "StartTime"), &field)
	    && tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, "EndTime"), &field);
}

/* Which resource a worker's number means: learnt from executions that both the trace and the file
 * have. */
static void learn_worker(struct merge *m, const struct tv_rec *rec, uint32_t row)
{
	int64_t worker;
	uint32_t *slot;

	if (!number_of(m, rec, "WorkerId", &worker) || worker < 0 || worker >= TV_NONE
	    || !has(m->resource, row) || m->next[row] != TV_NONE)
		return;
	slot = tv_map_at(&m->workers, (uint32_t)(rec->rank + 1), (uint32_t)worker);
	*slot = tv_label(m->resource, row);
}

static void drop_repeated(struct merge *m, const struct tv_rec *rec)
{
	tv_damaged(m->trace, TV_DROPPED, "job recorded twice", tv_rec_place(m->file, rec),
		   "the first record of this JobId is used");
}

/* Finds the record of every row; rows for jobs that the trace does not have are added later. */
static void match(struct merge *m)
{
	m->rec_of = tv_realloc(NULL, (size_t)m->old_rows + m->file->n, sizeof *m->rec_of);
	memset(m->rec_of, 0xff, ((size_t)m->old_rows + m->file->n) * sizeof *m->rec_of);
	for (size_t i = 0; i < m->file->n; i++) {
		struct tv_rec *rec = &m->file->rec[i];
		uint32_t row = rec->job == TV_NONE ? TV_NONE : tv_index_get(&m->first, rec->job);

		if (row == TV_NONE)
			continue;
		if (m->rec_of[row] != TV_NONE) {
			rec->job = TV_NONE;
			drop_repeated(m, rec);
			continue;
		}
		learn_worker(m, rec, row);
		for (; row != TV_NONE; row = m->next[row])
			m->rec_of[row] = (uint32_t)i;
	}
}

/* TiKKi records sequential executions. What traceviz writes may name several workers. */
static uint32_t tikki_worker(const struct merge *m, const struct tv_rec *rec)
{
	struct tv_pool *pool = m->trace->pool;
	struct tv_rec_field field;

	if (tv_rec_find(m->file, rec, tv_pool_find_text(pool, "ResourceId"), &field) && field.n > 0)
		return tv_intern(pool, field.s, field.n);
	return tv_intern_text(pool, "CPU0");
}

/* The resource of an execution that only the file has. */
static uint32_t worker_label(struct merge *m, const struct tv_rec *rec)
{
	int64_t worker = -1;
	const uint32_t *known;
	char name[64];

	if (m->file->tikki)
		return tikki_worker(m, rec);
	if (number_of(m, rec, "WorkerId", &worker) && worker >= 0 && worker < TV_NONE) {
		known = tv_map_get(&m->workers, (uint32_t)(rec->rank + 1), (uint32_t)worker);
		if (known != NULL)
			return *known;
	}
	m->untyped = true;
	if (rec->rank >= 0 && m->ranked)
		snprintf(name, sizeof name, "%" PRId32 "_worker%" PRId64, rec->rank,
			 worker < 0 ? 0 : worker);
	else
		snprintf(name, sizeof name, "worker%" PRId64, worker < 0 ? 0 : worker);
	return tv_intern_text(m->trace->pool, name);
}

/* The kind of a job that the record does not let run: it waits if it was submitted. Those that have
 * run anyway are found when all is read. */
static uint32_t unstarted_kind(struct merge *m, const struct tv_rec *rec)
{
	const struct tv_pool *pool = m->trace->pool;
	struct tv_rec_field field;
	bool pending = tv_rec_find(m->file, rec, tv_pool_find_text(pool, "SubmitTime"), &field)
		    && !tv_rec_find(m->file, rec, tv_pool_find_text(pool, "StartTime"), &field);

	return tv_intern_text(m->trace->pool, tv_kind_name(pending ? TV_PENDING : TV_GHOST));
}

/* A row for a job that the trace does not have: an execution if the record has its times, else work
 * that never started or a ghost. */
static void add_row(struct merge *m, const struct tv_rec *rec, uint32_t index)
{
	int64_t start = 0, end = 0;
	bool ended = times_of(m, rec, &start, &end);
	bool open = !ended && is_open(m, rec, &start, &end), ran = ended || open;
	struct tv_rec_field field = { .s = "" }, name = field;
	uint32_t row, label;
	char rank[16];

	if (!ran && has_times(m, rec))
		return;
	row = tv_table_add_row(m->tasks);
	m->rec_of[row] = index;
	label = ran ? worker_label(m, rec) : unstarted_kind(m, rec);
	tv_set_label(m->job, row, rec->job);
	tv_set_label(ran ? m->resource : m->kind, row, label);
	if (tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, "Name"), &field))
		name = field;
	tv_set_string(m->value, row, name.s, name.n);
	if (ran) {
		tv_set_int(m->start, row, start);
		tv_set_int(m->end, row, end);
	}
	if (open)
		tv_set_text(tv_trace_column(m->trace, TV_TASKS, "Flag"), row, TV_OPEN);
	m->unknown += ran;
	m->unordered = m->unordered || (ran && start <= m->latest);
	if (ran && m->file->tikki && !m->unordered && start < m->latest_end
	    && !tv_rec_find(m->file, rec, tv_pool_find_text(m->trace->pool, "ResourceId"), &field))
		m->overlaps++;
	m->latest_end = ran && end > m->latest_end ? end : m->latest_end;
	m->latest = ran ? start : INT64_MAX;
	tv_set_text(m->region, row, m->file->region);
	if (rec->rank < 0)
		return;
	snprintf(rank, sizeof rank, "%" PRId32, rec->rank);
	tv_set_text(m->node, row, rank);
}

/* The rows of a trace are sorted by Start. Where the records were not, the order is kept: they can be
 * written as they were. */
static void keep_order(struct merge *m)
{
	struct tv_column *order;
	char text[TV_NUMBER_MAX];

	if (!m->file->tikki || !m->unordered)
		return;
	order = tv_trace_column(m->trace, TV_TASKS, TV_REC_ORDER);
	for (uint32_t row = m->old_rows; row < m->tasks->nrows; row++) {
		tv_write_int(text, row - m->old_rows);
		tv_set_text(order, row, text);
	}
}

static void add_rows(struct merge *m)
{
	for (size_t i = 0; i < m->file->n; i++) {
		const struct tv_rec *rec = &m->file->rec[i];
		uint32_t known = rec->job == TV_NONE ? 0 : tv_index_get(&m->first, rec->job);

		if (rec->job == TV_NONE || (known != TV_NONE && known < m->old_rows))
			continue;
		if (known != TV_NONE) {
			drop_repeated(m, rec);
			continue;
		}
		add_row(m, rec, (uint32_t)i);
		tv_index_set(&m->first, rec->job, m->tasks->nrows);
	}
	keep_order(m);
	if (m->overlaps > 0)
		tv_notice(m->trace,
			  "%s: names no workers, so all tasks are on CPU0, but %" PRIu64
			  " of them start before an earlier one ends, expected a sequential run",
			  m->file->path, m->overlaps);
	if (m->untyped)
		tv_notice(m->trace,
			  "%s: has numbers of workers, not their types: bounds and outliers take "
			  "CPUs "
			  "and "
			  "GPUs for one type (the trace itself, paje.trace or prof_file, has the "
			  "types)",
			  m->file->path);
	if (m->unknown > 0 && m->old_rows > 0 && !m->file->tikki)
		tv_notice(
			m->trace,
			"%s: %" PRIu64
			" of its executions are not in the trace itself; they are taken from here",
			m->file->path, m->unknown);
}

/* A task that the trace leaves open, because it ends before it, ends at the record's time. */
static void close_row(struct merge *m, uint32_t row)
{
	uint32_t open = tv_pool_find_text(m->trace->pool, "open");
	int64_t start, end;

	if (row >= m->old_rows || m->flag == NULL || open == TV_NONE || !has(m->flag, row)
	    || tv_label(m->flag, row) != open
	    || !times_of(m, &m->file->rec[m->rec_of[row]], &start, &end))
		return;
	m->closed++;
	tv_set_int(m->end, row, end);
	tv_set_label(m->flag, row, TV_NONE);
}

/* The fields of a row's record where the trace has no value of its own. */
static void fill_row(struct merge *m, uint32_t row)
{
	const struct tv_rec *rec = &m->file->rec[m->rec_of[row]];
	size_t at = rec->fields;

	close_row(m, row);
	for (uint32_t i = 0; i < rec->nfields; i++) {
		struct tv_rec_field field = tv_rec_next(m->file, &at);
		const struct use *use = &m->use[tv_index_get(&m->use_of, field.name)];

		if (!use->identity && !has(use->column, row))
			tv_rec_set(m->file, rec, use->column, row, &field, m->ranked);
	}
}

static void copy_old(const struct use *use, uint32_t row)
{
	const uint32_t *list;
	const char *text;
	uint32_t nlist;
	size_t n;

	if (!has(use->old, row))
		return;
	if (use->old->type == TV_LIST) {
		list = tv_list(use->old, row, &nlist);
		tv_set_list(use->column, row, list, nlist);
		return;
	}
	text = tv_string(use->old, row, &n);
	tv_set_string(use->column, row, text, n);
}

static void fill(struct merge *m)
{
	for (uint32_t row = 0; row < m->tasks->nrows; row++) {
		for (size_t i = 0; i < m->nuses; i++)
			if (m->use[i].old != NULL)
				copy_old(&m->use[i], row);
		if (m->rec_of[row] != TV_NONE)
			fill_row(m, row);
	}
	for (size_t i = 0; i < m->nuses; i++) {
		struct tv_column *old = (struct tv_column *)m->use[i].old, *new = m->use[i].column,
				 swap;

		if (old == NULL)
			continue;
		swap = *old;
		*old = *new;
		*new = swap;
	}
	tv_table_finish(m->tasks);
}

static void find_columns(struct merge *m)
{
	TV_TRACE_COLUMNS(m->trace, TV_TASKS, { "ResourceId", &m->resource }, { "Value", &m->value },
			 { "Start", &m->start }, { "End", &m->end }, { "JobId", &m->job },
			 { "Kind", &m->kind }, { "Node", &m->node }, { "Region", &m->region });
	m->flag = tv_table_find(m->tasks, "Flag");
}

/* Regions are graphs of their own: each may count its tasks from 0. */
static bool has_same_jobs(const struct merge *m)
{
	const struct tv_pool *pool = m->trace->pool;
	uint32_t job = tv_pool_find_text(pool, "JobId");
	struct tv_rec_field field;

	for (size_t i = 0; m->file->region != NULL && i < m->file->n; i++) {
		uint32_t label;

		if (!tv_rec_find(m->file, &m->file->rec[i], job, &field))
			continue;
		label = tv_pool_find(pool, field.s, field.n);
		if (label != TV_NONE && tv_index_get(&m->first, label) != TV_NONE)
			return true;
	}
	return false;
}

int tv_rec_merge(struct tv_rec_file *file, struct tv_error *err)
{
	struct merge m = { .file = file,
			   .trace = file->trace,
			   .err = err,
			   .tasks = &file->trace->table[TV_TASKS],
			   .last = INT64_MIN,
			   .latest = INT64_MIN,
			   .latest_end = INT64_MIN };
	int rc;

	tv_table_init(&m.fresh, file->trace->pool);
	m.old_rows = m.tasks->nrows;
	find_columns(&m);
	m.ranked = are_ranked(&m);
	index_rows(&m);
	file->apart = has_same_jobs(&m);
	rc = name_jobs(&m);
	if (rc == 0) {
		match(&m);
		add_rows(&m);
		fill(&m);
	}
	if (m.closed > 0)
		tv_notice(m.trace,
			  "%s: %" PRIu64 " tasks that the trace leaves open end as recorded here",
			  file->path, m.closed);
	tv_table_release(&m.fresh);
	tv_free(m.use);
	tv_free(m.use_of.at);
	tv_free(m.first.at);
	tv_free(m.next);
	tv_free(m.rec_of);
	tv_map_release(&m.workers);
	return rc;
}
