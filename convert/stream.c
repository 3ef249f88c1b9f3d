/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.c -- from rows that are read to rows that are written, one batch after the other. */
#include "convert/stream.h"

#include <string.h>

#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"
#include "trace/spill.h"

enum {
	SHARE = 8,	   /* of the memory that is left: texts and what is compressed need more */
	SHARE_OF_PART = 64 /* many groups of rows are in a part, which several tables may have */
};

/* How the rows of a table have come. */
struct order {
	int64_t bound, max; /* no Start may be below the bound; the largest one */
	bool rest;	    /* a row without Start */
};

/* Rows that get another order: records of their cells. */
struct sorting {
	struct tv_spill *spill;
	char **name; /* of the columns */
	bool *ns;    /* their cells are times */
	size_t ncolumns;
	int64_t nrows;
	struct tv_output record; /* the one that is made */
	bool given;		 /* all rows are in the spill */
};

/* The table that is written. */
struct writing {
	struct tv_stream_target *to;
	bool begun;
	enum tv_table_id id;
	struct tv_output out;
	struct tv_parquet_writing *parquet;
	bool header; /* of CSV: it is written */
	struct order order;
	struct sorting sorting[TV_NTABLES];
};

static int begin_table(struct writing *w, enum tv_table_id id, struct tv_error *err)
{
	char *path = w->to->folder ? tv_format("%s/%s.parquet", w->to->path, tv_schema[id].name)
				   : tv_strdup(w->to->path);
	int rc = tv_output_open(&w->out, path, err);

	w->begun = rc == 0;
	w->header = false;
	w->id = id;
	w->order = (struct order){ INT64_MIN, INT64_MIN, false };
	if (rc == 0 && (w->to->folder || w->to->parquet)) {
		w->parquet = tv_parquet_write_begin(tv_schema[id].name, "input", TV_PARQUET_GROUP,
						    &w->out, err);
		rc = w->parquet != NULL ? 0 : -1;
	}
	tv_free(path);
	return rc;
}

/* After the last row, or the first failure: rc. */
static int end_table(struct writing *w, int rc, struct tv_error *err)
{
	tv_parquet_write_end(w->parquet, rc == 0);
	w->parquet = NULL;
	if (!w->begun)
		return rc;
	w->begun = false;
	if (rc == 0)
		return tv_output_commit(&w->out, err);
	tv_output_abort(&w->out);
	return rc;
}

/* ---- the order of Start ---- */

/* Whether the next rows keep an order in which parts of a table, which are spans of time, are a few groups of rows that follow each
 * other; strict: whether each row does. */
static bool keeps_order(struct order *o, const struct tv_table *table, bool strict)
{
	const struct tv_column *start = tv_table_find(table, "Start");
	int64_t max = o->max;

	for (uint32_t row = 0; start != NULL && row < table->nrows; row++) {
		if (tv_missing(start, row)) {
			o->rest = true;
			continue;
		}
		if (start->i[row] < o->bound || (strict && o->rest))
			return false;
		max = start->i[row] > max ? start->i[row] : max;
		o->bound = strict ? max : o->bound;
	}
	o->bound = strict ? max : o->max;
	o->max = max;
	return true;
}

static void begin_sorting(struct sorting *s, const struct writing *w, const struct tv_table *table)
{
	char *beside = tv_format("%s/sorted", w->to->path);

	s->spill = tv_spill_new(beside, (tv_memory_max() - tv_memory_used()) / SHARE);
	s->name = tv_alloc(table->ncols + 1, sizeof *s->name);
	s->ns = tv_alloc(table->ncols, sizeof *s->ns);
	for (; s->ncolumns < table->ncols; s->ncolumns++) {
		s->name[s->ncolumns] = tv_strdup(table->col[s->ncolumns]->name);
		s->ns[s->ncolumns] = table->col[s->ncolumns]->type == TV_TIME;
	}
	tv_output_memory(&s->record);
	tv_free(beside);
}

static void end_sorting(struct sorting *s)
{
	tv_spill_free(s->spill);
	for (size_t i = 0; i < s->ncolumns; i++)
		tv_free(s->name[i]);
	tv_free(s->name);
	tv_free(s->ns);
	tv_output_abort(&s->record);
}

enum { SHORT = 64 };
static const uint32_t absent = UINT32_MAX; /* length of a cell that is missing */

/* Appends a cell to a record: the length of its text, and the text. */
static void put_cell(struct tv_output *record, const struct tv_column *column, uint32_t row)
{
	const int64_t *time = column->type == TV_TIME ? &column->i[row] : NULL;
	uint32_t n = absent;
	size_t at = record->n, size;

	tv_output_room(record, sizeof n + SHORT);
	record->n += sizeof n;
	if (!tv_missing(column, row)) {
		size = time != NULL ? sizeof *time
				    : tv_cell_text(column, row, record->buffer + record->n, SHORT);
		if (time != NULL)
			memcpy(record->buffer + record->n, time, size);
		else if (size >= SHORT)
			tv_cell_text(column, row, tv_output_room(record, size + 1), size + 1);
		record->n += size;
		n = (uint32_t)size;
	}
	memcpy(record->buffer + at, &n, sizeof n);
}

/* Keeps the next rows for later. */
static int sort_rows(struct writing *w, struct sorting *s, const struct tv_table *table,
		     struct tv_error *err)
{
	const struct tv_column *start = tv_table_find(table, "Start");

	if (s->spill == NULL)
		begin_sorting(s, w, table);
	for (size_t i = 0; i < table->ncols; i++)
		tv_table_at(table, i);
	for (uint32_t row = 0; row < table->nrows; row++) {
		s->record.n = 0;
		tv_output_write(&s->record, &s->nrows, sizeof s->nrows);
		s->nrows++;
		for (size_t i = 0; i < table->ncols; i++)
			put_cell(&s->record, table->col[i], row);
		if (tv_spill_add(s->spill, tv_missing(start, row) ? INT64_MAX : start->i[row],
				 s->record.buffer, (uint32_t)s->record.n, err)
		    < 0)
			return -1;
	}
	return 0;
}

static void read_record(const struct sorting *s, const char *record, struct tv_csv_cell *cell,
			char number[TV_NUMBER_MAX])
{
	int64_t row;

	memcpy(&row, record, sizeof row);
	record += sizeof row;
	for (size_t i = 0; i < s->ncolumns; i++) {
		uint32_t n;

		memcpy(&n, record, sizeof n);
		record += sizeof n;
		cell[i] = (struct tv_csv_cell){ record, n, false, s->ns[i] };
		if (n == absent)
			cell[i] = (struct tv_csv_cell){ "", 0, true, false };
		record += cell[i].n;
	}
	cell[s->ncolumns] = (struct tv_csv_cell){ number, tv_write_int(number, row), false, false };
}

/* Gives the rows in their new order, those of tasks with their numbers. */
static int give_sorted(void *sorting, enum tv_table_id id, const struct tv_csv_taker *to,
		       struct tv_error *err)
{
	struct sorting *s = sorting;
	struct tv_csv_cell *cell = tv_alloc(s->ncolumns + 1, sizeof *cell);
	const struct tv_csv_row row = { { NULL, 0 }, cell, s->ncolumns + (id == TV_TASKS) };
	char number[TV_NUMBER_MAX];
	const char *record;
	uint32_t n;
	int rc, more = 0;

	for (size_t i = 0; i < s->ncolumns; i++)
		cell[i] = (struct tv_csv_cell){ s->name[i], strlen(s->name[i]), false, false };
	cell[s->ncolumns] = (struct tv_csv_cell){ TV_INPUT_ROW, strlen(TV_INPUT_ROW), false,
						  false };
	rc = to->row(to->context, &row, err);
	while (rc == 0 && (more = tv_spill_next(s->spill, &record, &n, err)) == 1) {
		read_record(s, record, cell, number);
		rc = to->row(to->context, &row, err);
	}
	tv_free(cell);
	return rc < 0 || more < 0 ? -1 : 0;
}

/* Writes the tables that get another order. */
static int write_sorted(struct writing *w, struct tv_trace *trace, int rc, struct tv_error *err)
{
	trace->options.numbered = true;
	for (int id = 0; id < TV_NTABLES; id++) {
		struct sorting *s = &w->sorting[id];

		if (s->spill == NULL)
			continue;
		s->given = true;
		if (rc == 0)
			rc = tv_spill_end(s->spill, err);
		if (rc == 0)
			rc = end_table(
				w,
				tv_csv_read_rows(trace, (enum tv_table_id)id, give_sorted, s, err),
				err);
		end_sorting(s);
	}
	trace->options.numbered = false;
	return rc;
}

/* ---- rows ---- */

/* Fails for a table whose rows need another order. */
static int fail_for_order(struct writing *w, enum tv_table_id id, struct tv_error *err)
{
	w->to->sorted |= 1u << id;
	return tv_fail(err, "rows of %s do not come by Start", tv_schema[id].name);
}

static int take_rows(void *writing, const struct tv_trace *trace, enum tv_table_id id,
		     struct tv_error *err)
{
	struct writing *w = writing;
	const struct tv_table *table = &trace->table[id];

	if (!trace->native)
		return tv_fail(err,
			       "times since 1970 (TIMESTAMP) are shifted, which needs all rows "
			       "at once");
	if (w->begun && w->id != id && end_table(w, 0, err) < 0)
		return -1;
	if (!w->to->folder && id != TV_TASKS)
		return tv_fail(err, "it is a table of %s, expected tasks", tv_schema[id].name);
	if ((w->to->sorted >> id & 1) != 0 && !w->sorting[id].given)
		return sort_rows(w, &w->sorting[id], table, err);
	if (!w->begun && begin_table(w, id, err) < 0)
		return -1;
	if (w->to->folder && !keeps_order(&w->order, table, w->to->ordered))
		return fail_for_order(w, id, err);
	w->to->nrows += id == TV_TASKS ? table->nrows : 0;
	if (w->parquet != NULL)
		return tv_parquet_write_rows(w->parquet, table, err);
	(w->header ? tv_csv_write_rows : tv_csv_write)(table, NULL, 0, &w->out);
	w->header = true;
	return 0;
}

/* meta, which was kept, with what reading the others found out. */
static int put_meta(struct writing *w, const struct tv_trace *trace, struct tv_error *err)
{
	if (!w->to->folder || trace->table[TV_META].nrows == 0)
		return 0;
	return end_table(w, take_rows(w, trace, TV_META, err), err);
}

int tv_stream(const char *from, struct tv_stream_target *to, struct tv_trace *trace,
	      void (*progress)(void *context, double share), void *context, struct tv_error *err)
{
	struct writing w = { .to = to };
	const size_t left = tv_memory_max() - tv_memory_used();
	const struct tv_row_batches batches = { .rows = TV_PARQUET_GROUP,
						.bytes = to->folder  ? left / SHARE_OF_PART
						       : to->parquet ? 0
								     : left / SHARE,
						.take = take_rows,
						.context = &w };
	int rc;

	to->nrows = 0;
	trace->options.batches = &batches;
	rc = end_table(&w, tv_load(from, trace, progress, context, err), err);
	rc = write_sorted(&w, trace, rc, err);
	trace->options.batches = NULL;
	return rc == 0 ? put_meta(&w, trace, err) : -1;
}
