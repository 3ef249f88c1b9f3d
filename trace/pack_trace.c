/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack_trace.c -- the tables of a trace as bytes. */
#include "trace/pack_trace.h"

#include "trace/alloc.h"
#include "trace/damage.h"

/* ---- strings ---- */

void tv_pack_pool(struct tv_parcel *pack, const struct tv_pool *pool, uint32_t *sent)
{
	uint32_t n = tv_pool_count(pool);

	tv_pack_number(pack, n - *sent);
	for (; *sent < n; ++*sent)
		tv_pack_label(pack, pool, *sent);
}

void tv_unpack_pool(struct tv_unpack *from, struct tv_pool *pool, struct tv_sent_labels *labels)
{
	uint64_t n = tv_unpack_number(from);

	TV_GROW(labels->at, labels->n, labels->cap, n);
	for (; n > 0; n--)
		labels->at[labels->n++] = tv_unpack_label(from, pool);
}

uint32_t tv_sent_label(const struct tv_sent_labels *labels, uint32_t label)
{
	if (label == TV_NONE)
		return TV_NONE;
	if (label >= labels->n)
		tv_bug("another process sent a label without its text");
	return labels->at[label];
}

/* ---- columns ---- */

/* Which cells are missing, if any is. */
static void pack_missing(struct tv_parcel *pack, const struct tv_column *column, uint32_t nrows)
{
	size_t bytes = ((size_t)nrows + 63) / 64 * sizeof *column->valid;

	tv_pack_number(pack, column->valid != NULL);
	if (column->valid != NULL)
		tv_pack_bytes(pack, column->valid, bytes);
}

/* A byte for each row; NULL: none is. */
static bool *unpack_missing(struct tv_unpack *from, uint32_t nrows)
{
	bool *missing;

	if (tv_unpack_number(from) == 0)
		return NULL;
	missing = tv_alloc(nrows, sizeof *missing);
	for (uint32_t row = 0; row < nrows; row += 64) {
		uint64_t valid = tv_unpack_number(from);

		for (uint32_t i = row; i < nrows && i < row + 64; i++)
			missing[i] = !(valid >> (i - row) & 1);
	}
	return missing;
}

static void pack_column(struct tv_parcel *pack, const struct tv_column *column, uint32_t nrows)
{
	size_t bytes = nrows * sizeof *column->u;

	tv_pack_text(pack, column->name);
	tv_pack_number(pack, column->type);
	tv_pack_number(pack, column->known);
	if (nrows == 0)
		return;
	if (column->type == TV_LABEL) {
		tv_pack_bytes(pack, column->u, bytes);
		return;
	}
	pack_missing(pack, column, nrows);
	if (column->type == TV_LIST || column->type == TV_TEXT)
		tv_pack_bytes(pack, column->u, bytes);
	if (column->type == TV_LIST)
		tv_pack_bytes(pack, column->items, column->nitems * sizeof *column->items);
	else if (column->type == TV_TEXT)
		tv_pack_bytes(pack, column->bytes, column->nitems);
	else if (column->few == NULL)
		tv_pack_bytes(pack, column->i, nrows * sizeof *column->i);
	else
		for (uint32_t row = 0; row < nrows; row++)
			tv_pack_number(pack, (uint64_t)tv_number(column, row));
}

/* What a part of the bytes is read through; numbers need not be aligned there. */
static uint32_t label_at(const char *at, uint32_t i)
{
	uint32_t label;

	memcpy(&label, at + (size_t)i * sizeof label, sizeof label);
	return label;
}

static void unpack_labels(struct tv_unpack *from, const struct tv_sent_labels *labels,
			  struct tv_column *column, uint32_t first, uint32_t nrows)
{
	const char *at = tv_unpack_take(from, (size_t)nrows * sizeof *column->u);

	for (uint32_t i = 0; i < nrows; i++)
		if (label_at(at, i) != TV_NONE)
			tv_set_label(column, first + i, tv_sent_label(labels, label_at(at, i)));
}

static void unpack_numbers(struct tv_unpack *from, struct tv_column *column, uint32_t first,
			   const bool *missing, uint32_t nrows)
{
	int64_t *number = tv_alloc(nrows, sizeof *number);

	tv_unpack_bytes(from, number, nrows * sizeof *number);
	tv_set_numbers(column, first, number, missing, nrows);
	tv_free(number);
}

/* Texts, and lists of labels, by where they end. */
static void unpack_long(struct tv_unpack *from, const struct tv_sent_labels *labels,
			struct tv_column *column, uint32_t first, const bool *missing,
			uint32_t nrows)
{
	bool list = column->type == TV_LIST;
	size_t size = list ? sizeof *column->items : 1;
	const char *ends = tv_unpack_take(from, (size_t)nrows * sizeof *column->u);
	uint32_t n = label_at(ends, nrows - 1), *label = tv_alloc(n, sizeof *label);
	const char *at = tv_unpack_take(from, n * size);

	for (uint32_t i = 0; list && i < n; i++)
		label[i] = tv_sent_label(labels, label_at(at, i));
	for (uint32_t i = 0, begin = 0, end; i < nrows; i++, begin = end) {
		end = label_at(ends, i);
		if (missing != NULL && missing[i])
			continue;
		if (list)
			tv_set_list(column, first + i, label + begin, end - begin);
		else
			tv_set_string(column, first + i, at + begin, end - begin);
	}
	tv_free(label);
}

static void unpack_column(struct tv_unpack *from, const struct tv_sent_labels *labels,
			  struct tv_trace *trace, enum tv_table_id id, uint32_t first,
			  uint32_t nrows)
{
	char *name = tv_unpack_text(from);
	enum tv_type type = (enum tv_type)tv_unpack_number(from);
	struct tv_error err;
	struct tv_column *column = tv_table_column(&trace->table[id], name, type, &err);
	bool *missing;

	if (column == NULL)
		tv_bug("another process sent the column %s with another type", name);
	tv_free(name);
	column->known = tv_unpack_number(from) != 0 || column->known;
	if (nrows == 0)
		return;
	if (type == TV_LABEL) {
		unpack_labels(from, labels, column, first, nrows);
		return;
	}
	missing = unpack_missing(from, nrows);
	if (type == TV_LIST || type == TV_TEXT)
		unpack_long(from, labels, column, first, missing, nrows);
	else
		unpack_numbers(from, column, first, missing, nrows);
	tv_free(missing);
}

/* ---- tables ---- */

void tv_pack_trace(struct tv_parcel *pack, struct tv_trace *trace)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		struct tv_table *table = &trace->table[id];

		tv_table_finish(table);
		tv_pack_number(pack, table->nrows);
		tv_pack_number(pack, table->ncols);
		for (size_t i = 0; i < table->ncols; i++)
			pack_column(pack, table->col[i], table->nrows);
	}
	tv_damage_pack(trace, pack);
}

void tv_unpack_trace(struct tv_unpack *from, const struct tv_sent_labels *labels,
		     struct tv_trace *trace)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		uint32_t nrows = (uint32_t)tv_unpack_number(from);
		uint64_t ncols = tv_unpack_number(from);
		uint32_t first = nrows > 0 ? tv_table_add_rows(&trace->table[id], nrows) : 0;

		for (; ncols > 0; ncols--)
			unpack_column(from, labels, trace, (enum tv_table_id)id, first, nrows);
	}
	tv_damage_merge(trace, from);
}
