/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_footer.c -- the end of a Parquet file: types of its columns, places, min and max of its groups of rows. */
#include "convert/parquet/write.h"

enum { DIGITS_18 = 18, DIGITS_38 = 38 };

enum repetition { REQUIRED, OPTIONAL, REPEATED };

/* The fields of a node of the schema that all have; type < 0: a group. */
static void begin_node(struct tv_thrift_out *t, int type, size_t length, int repetition,
		       const char *name, size_t children)
{
	tv_thrift_begin(t, 0);
	if (type >= 0)
		tv_thrift_put_int(t, 1, TV_THRIFT_I32, type);
	if (length > 0)
		tv_thrift_put_int(t, 2, TV_THRIFT_I32, (int64_t)length);
	if (repetition >= 0)
		tv_thrift_put_int(t, 3, TV_THRIFT_I32, repetition);
	tv_thrift_put_text(t, 4, name, strlen(name));
	if (children > 0)
		tv_thrift_put_int(t, 5, TV_THRIFT_I32, (int64_t)children);
}

/* What a node is, by ConvertedType and by LogicalType without parameters. */
static void put_annotation(struct tv_thrift_out *t, int converted, int logical)
{
	tv_thrift_put_int(t, 6, TV_THRIFT_I32, converted);
	tv_thrift_begin(t, 10);
	tv_thrift_begin(t, logical);
	tv_thrift_end(t);
	tv_thrift_end(t);
}

static void put_time(struct tv_thrift_out *t, int digits)
{
	tv_thrift_put_int(t, 6, TV_THRIFT_I32, 5);
	tv_thrift_put_int(t, 7, TV_THRIFT_I32, 6);
	tv_thrift_put_int(t, 8, TV_THRIFT_I32, digits);
	tv_thrift_begin(t, 10);
	tv_thrift_begin(t, 5);
	tv_thrift_put_int(t, 1, TV_THRIFT_I32, 6);
	tv_thrift_put_int(t, 2, TV_THRIFT_I32, digits);
	tv_thrift_end(t);
	tv_thrift_end(t);
}

static enum tv_parquet_type type_of(const struct tv_parquet_output_column *column)
{
	return tv_parquet_is_text(column->of) ? TV_PARQUET_BYTE_ARRAY
	     : column->of->type == TV_DOUBLE  ? TV_PARQUET_DOUBLE
	     : column->wide		      ? TV_PARQUET_FIXED
					      : TV_PARQUET_INT64;
}

static void put_node(struct tv_thrift_out *t, const struct tv_parquet_output_column *column)
{
	const struct tv_column *c = column->of;
	const char *name = c->name;
	int repetition = OPTIONAL;

	if (c->type == TV_LIST) {
		begin_node(t, -1, 0, OPTIONAL, name, 1);
		put_annotation(t, 3, 3);
		tv_thrift_end(t);
		begin_node(t, -1, 0, REPEATED, "list", 1);
		tv_thrift_end(t);
		name = "element";
		repetition = REQUIRED;
	}
	begin_node(t, (int)type_of(column), column->wide ? 16 : 0, repetition, name, 0);
	if (tv_parquet_is_text(c) && !column->bytes) {
		put_annotation(t, 0, 1);
	} else if (c->type == TV_TIME) {
		put_time(t, column->wide ? DIGITS_38 : DIGITS_18);
	} else if (c->type == TV_INT) {
		tv_thrift_put_int(t, 6, TV_THRIFT_I32, 18);
		tv_thrift_begin(t, 10);
		tv_thrift_begin(t, 10);
		tv_thrift_put_int(t, 1, TV_THRIFT_BYTE, 64);
		tv_thrift_put_bool(t, 2, true);
		tv_thrift_end(t);
		tv_thrift_end(t);
	}
	tv_thrift_end(t);
}

static void put_statistics(struct tv_thrift_out *t, const struct tv_parquet_written *chunk)
{
	tv_thrift_begin(t, 12);
	tv_thrift_put_int(t, 3, TV_THRIFT_I64, chunk->missing);
	if (chunk->min != NULL) {
		tv_thrift_put_text(t, 5, chunk->max, chunk->nmax);
		tv_thrift_put_text(t, 6, chunk->min, chunk->nmin);
		tv_thrift_put_bool(t, 7, true);
		tv_thrift_put_bool(t, 8, true);
	}
	tv_thrift_end(t);
}

static void put_chunk_meta(struct tv_thrift_out *t, const struct tv_parquet_output_column *column,
			   const struct tv_parquet_written *chunk)
{
	bool list = column->of->type == TV_LIST;

	tv_thrift_begin(t, 0);
	tv_thrift_put_int(t, 2, TV_THRIFT_I64, 0);
	tv_thrift_begin(t, 3);
	tv_thrift_put_int(t, 1, TV_THRIFT_I32, (int64_t)type_of(column));
	tv_thrift_put_list(t, 2, TV_THRIFT_I32, chunk->dictionary > 0 ? 3 : 2);
	tv_thrift_put_number(t, TV_PARQUET_RLE);
	tv_thrift_put_number(t, chunk->encoding);
	if (chunk->dictionary > 0)
		tv_thrift_put_number(t, TV_PARQUET_PLAIN);
	tv_thrift_put_list(t, 3, TV_THRIFT_BINARY, list ? 3 : 1);
	tv_thrift_put_element(t, column->of->name);
	if (list) {
		tv_thrift_put_element(t, "list");
		tv_thrift_put_element(t, "element");
	}
	tv_thrift_put_int(t, 4, TV_THRIFT_I32, TV_CODEC_ZSTD);
	tv_thrift_put_int(t, 5, TV_THRIFT_I64, chunk->entries);
	tv_thrift_put_int(t, 6, TV_THRIFT_I64, chunk->raw);
	tv_thrift_put_int(t, 7, TV_THRIFT_I64, chunk->size);
	tv_thrift_put_int(t, 9, TV_THRIFT_I64, chunk->begin);
	if (chunk->dictionary > 0)
		tv_thrift_put_int(t, 11, TV_THRIFT_I64, chunk->dictionary);
	put_statistics(t, chunk);
	tv_thrift_end(t);
	tv_thrift_end(t);
}

static void put_group_meta(struct tv_thrift_out *t, const struct tv_parquet_writing *w, size_t g)
{
	const struct tv_parquet_written *chunk = &w->chunk[g * w->ncolumns];
	int64_t size = 0, raw = 0;

	tv_thrift_begin(t, 0);
	tv_thrift_put_list(t, 1, TV_THRIFT_STRUCT, w->ncolumns);
	for (size_t i = 0; i < w->ncolumns; i++) {
		put_chunk_meta(t, &w->column[i], &chunk[i]);
		size += chunk[i].size;
		raw += chunk[i].raw;
	}
	tv_thrift_put_int(t, 2, TV_THRIFT_I64, raw);
	tv_thrift_put_int(t, 3, TV_THRIFT_I64, w->group[g].end - w->group[g].begin);
	if (w->group[g].sorted) {
		tv_thrift_put_list(t, 4, TV_THRIFT_STRUCT, 1);
		tv_thrift_begin(t, 0);
		tv_thrift_put_int(t, 1, TV_THRIFT_I32, (int64_t)w->start);
		tv_thrift_put_bool(t, 2, false);
		tv_thrift_put_bool(t, 3, false);
		tv_thrift_end(t);
	}
	tv_thrift_put_int(t, 6, TV_THRIFT_I64, size);
	tv_thrift_end(t);
}

void tv_parquet_put_footer(struct tv_parquet_writing *w)
{
	const char *const meta[][2] = { { "traceviz.table", w->name },
					{ "traceviz.schema", "1" },
					{ "traceviz.order", w->order } };
	struct tv_output footer;
	struct tv_thrift_out t = { .out = &footer };
	size_t nodes = 1 + w->ncolumns;

	tv_output_memory(&footer);
	for (size_t i = 0; i < w->ncolumns; i++)
		nodes += w->column[i].of->type == TV_LIST ? 2 : 0;
	tv_thrift_put_int(&t, 1, TV_THRIFT_I32, 2);
	tv_thrift_put_list(&t, 2, TV_THRIFT_STRUCT, nodes);
	begin_node(&t, -1, 0, -1, "schema", w->ncolumns);
	tv_thrift_end(&t);
	for (size_t i = 0; i < w->ncolumns; i++)
		put_node(&t, &w->column[i]);
	tv_thrift_put_int(&t, 3, TV_THRIFT_I64, w->nrows);
	tv_thrift_put_list(&t, 4, TV_THRIFT_STRUCT, w->ngroups);
	for (size_t g = 0; g < w->ngroups; g++)
		put_group_meta(&t, w, g);
	tv_thrift_put_list(&t, 5, TV_THRIFT_STRUCT, TV_COUNT(meta));
	for (size_t i = 0; i < TV_COUNT(meta); i++) {
		tv_thrift_begin(&t, 0);
		tv_thrift_put_text(&t, 1, meta[i][0], strlen(meta[i][0]));
		tv_thrift_put_text(&t, 2, meta[i][1], strlen(meta[i][1]));
		tv_thrift_end(&t);
	}
	tv_thrift_put_text(&t, 6, "traceviz", strlen("traceviz"));
	/* All columns have the order of their type, without which readers do not use min and max. */
	tv_thrift_put_list(&t, 7, TV_THRIFT_STRUCT, w->ncolumns);
	for (size_t i = 0; i < w->ncolumns; i++) {
		tv_thrift_begin(&t, 0);
		tv_thrift_begin(&t, 1);
		tv_thrift_end(&t);
		tv_thrift_end(&t);
	}
	tv_output_write(&footer, "", 1);
	tv_parquet_put(w, footer.buffer, footer.n);
	w->page.n = 0;
	tv_put_bytes(&w->page, footer.n, 4);
	tv_output_text(&w->page, TV_PARQUET_MAGIC);
	tv_parquet_put(w, w->page.buffer, w->page.n);
	tv_output_abort(&footer);
}
