/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_batches.c -- rows of a table that are given away, some at a time. */
#include "trace/alloc.h"
#include "trace/csv_reading.h"

struct batches {
	struct tv_csv_reading *r;
	const struct tv_row_batches *to;
	uint32_t nlabels; /* of the pool without those of rows */
	uint32_t rows;	  /* of a batch */
	bool given;
};

/* The same columns without rows and labels. */
static void clear_rows(struct batches *b)
{
	struct tv_csv_reading *r = b->r, next = *r;
	struct tv_table before = *r->table;
	struct tv_error none;

	*r->table = (struct tv_table){ 0 };
	tv_table_init(r->table, r->trace->pool);
	next.column = tv_alloc(r->ncolumns, sizeof *next.column);
	for (size_t i = 0; i < r->ncolumns; i++)
		if (r->column[i] != NULL)
			next.column[i] = tv_table_column(r->table, r->column[i]->name,
							 r->column[i]->type, &none);
	tv_csv_find_fields(&next);
	tv_csv_release_reading(r);
	*r = next;
	tv_table_release(&before);
	tv_pool_truncate(r->trace->pool, b->nlabels);
	if (r->id == TV_TASKS)
		tv_trace_moved(r->trace);
}

static int give(struct batches *b, struct tv_error *err)
{
	b->given = true;
	tv_table_finish(b->r->table);
	if (b->to->take(b->to->context, b->r->trace, b->r->id, err) < 0)
		return -1;
	clear_rows(b);
	return 0;
}

static int take_row(void *batches, const struct tv_csv_row *row, struct tv_error *err)
{
	struct batches *b = batches;

	if (b->r->column == NULL) {
		size_t fit = b->to->bytes / (row->ncells * sizeof(int64_t)) + 1;

		b->rows = b->to->bytes > 0 && fit < b->to->rows ? (uint32_t)fit : b->to->rows;
	} else if (b->r->table->nrows == b->rows && give(b, err) < 0) {
		return -1;
	}
	return tv_csv_read_row(b->r, row, err);
}

int tv_csv_read_batches(struct tv_csv_reading *r, tv_csv_row_source *rows, void *source,
			struct tv_error *err)
{
	struct batches b = { .r = r,
			     .to = r->trace->options.batches,
			     .nlabels = tv_pool_count(r->trace->pool) };
	/* Blocks would keep labels that are gone with a batch. */
	const struct tv_csv_taker to = { take_row, NULL, &b };

	if (rows(source, r->id, &to, err) < 0)
		return -1;
	return r->column != NULL && (r->table->nrows > 0 || !b.given) ? give(&b, err) : 0;
}
