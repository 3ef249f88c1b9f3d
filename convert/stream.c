/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stream.c -- from rows that are read to rows that are written, one batch after the other. */
#include "convert/stream.h"

#include <string.h>

#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "trace/alloc.h"
#include "trace/csv.h"

enum {
	SHARE = 8,	   /* of the memory that is left: texts and what is compressed need more */
	SHARE_OF_PART = 64 /* many groups of rows are in a part, which several tables may have */
};

/* The table that is written. */
struct writing {
	struct tv_stream_target *to;
	bool begun;
	enum tv_table_id id;
	struct tv_output out;
	struct tv_parquet_writing *parquet;
	bool header; /* of CSV: it is written */
};

static int begin_table(struct writing *w, enum tv_table_id id, struct tv_error *err)
{
	char *path = w->to->folder ? tv_format("%s/%s.parquet", w->to->path, tv_schema[id].name)
				   : tv_strdup(w->to->path);
	int rc = tv_output_open(&w->out, path, err);

	w->begun = rc == 0;
	w->header = false;
	w->id = id;
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
	if (!w->begun && begin_table(w, id, err) < 0)
		return -1;
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
	trace->options.batches = NULL;
	return rc == 0 ? put_meta(&w, trace, err) : -1;
}
