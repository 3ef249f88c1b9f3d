/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h -- an open Parquet file: where each of its columns is read; only for convert/parquet/. */
#ifndef TV_PARQUET_PAGES_H
#define TV_PARQUET_PAGES_H

#include "convert/parquet/cell.h"

/* Where a column is read. */
struct tv_parquet_cursor {
	const struct tv_parquet_column *column;
	struct tv_parquet_chunk chunk;
	int64_t at, left; /* in the file; entries of the chunk in pages to come */
	uint64_t entries; /* left in the page */
	unsigned char *page, *dictionary_page;
	size_t page_cap, dictionary_cap;
	struct tv_parquet_value *dictionary;
	size_t ndictionary, dictionary_values_cap;
	bool has_dictionary, has_data;
	struct tv_hybrid level[2]; /* repetition, definition */
	struct tv_parquet_decoder decoder;
	char *last;
	size_t last_n, last_cap;
	bool ahead; /* the levels of the next entry are known */
	uint32_t next_level[2];
	char number[TV_PARQUET_NUMBER_MAX];
	char *list;
	size_t nlist, list_cap;
	uint64_t text; /* bytes given so far */
};

struct tv_parquet {
	struct tv_input *in;
	struct tv_trace *trace;
	struct tv_parquet_footer footer;
	struct tv_parquet_cursor *cursor; /* of the columns that are read */
	size_t ncursors;
	struct tv_csv_cell *cell;
	unsigned char *packed;
	size_t packed_cap;
	size_t group; /* the next one */
	int64_t left; /* rows of the group before it */
	long row;
	struct tv_error *err;
};

/* The cell of the next row. -1 with *p->err. */
int tv_parquet_take_cell(struct tv_parquet *p, struct tv_parquet_cursor *c,
			 struct tv_csv_cell *cell) TV_MUST_CHECK;
/* -1, with *p->err: what is wrong with a column. */
int tv_parquet_fail(const struct tv_parquet *p, const struct tv_parquet_cursor *c,
		    const char *what);
/* Bytes at a place of the file. */
int tv_parquet_read_at(const struct tv_parquet *p, int64_t at, unsigned char *to,
		       size_t n) TV_MUST_CHECK;

#endif
