/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h -- an open Parquet file: where each of its columns is read; only for convert/parquet/. */
#ifndef TV_PARQUET_PAGES_H
#define TV_PARQUET_PAGES_H

#include "convert/parquet/cell.h"
#include "trace/map.h"

/* Rows at once: their arrays fit into a cache; levels that are decoded before their entries. */
enum { TV_PARQUET_BLOCK = 4096, TV_PARQUET_LEVELS = 64 };

enum { REPETITION, DEFINITION };

/* Where a column is read. */
struct tv_parquet_cursor {
	const struct tv_parquet_column *column;
	bool skipped; /* its cells are not read, and missing */
	bool is_time; /* its numbers are ns */
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
	uint32_t known[2][TV_PARQUET_LEVELS]; /* levels of the entries to come, from known_at on */
	size_t nknown, known_at;
	bool ahead; /* those of the next entry are in next_level */
	uint32_t next_level[2];
	char digits[TV_PARQUET_NUMBER_MAX];
	char *list;
	size_t nlist, list_cap;
	uint32_t *element; /* labels of a list */
	size_t nelements, elements_cap;
	uint64_t text; /* bytes given so far */
	/* of a column whose values may be decoded many at once (blocks.c); nrows: of the
	 * `block` rows in number or word those that nobody has had yet, the last ones */
	bool numbers, words;
	uint32_t block, nrows;
	int64_t *number;
	uint32_t *word, *label;	    /* label: by text */
	bool *missing, any_missing; /* false: none of missing[] is set */
	struct tv_csv_cell *text_of;
	size_t texts_cap, labels_cap;
	bool same; /* word[] of the block is the same place for all rows, none of which is missing */
	bool has_texts; /* text_of and label are those of the dictionary */
};

struct tv_parquet {
	struct tv_input *in;
	struct tv_trace *trace;
	struct tv_parquet_footer footer;
	struct tv_parquet_cursor *cursor; /* of the columns that are read */
	size_t ncursors;
	struct tv_csv_cell *cell;
	bool *omit;	/* by group: its rows are not read; NULL = none */
	bool *repeated; /* by group: another part counts what is wrong with its rows; NULL = none */
	struct tv_index
		seen;  /* by label: a worker of groups that are read, if groups are left out */
	int64_t bytes; /* read of columns */
	unsigned char *packed;
	size_t packed_cap;
	size_t group;	/* the next one */
	int64_t left;	/* rows of the group before it */
	int64_t unread; /* rows of all groups that are read */
	long row;
	struct tv_error *err;
};

/* A value as a cell. */
int tv_parquet_cell(struct tv_parquet *p, struct tv_parquet_cursor *c,
		    const struct tv_parquet_value *value, struct tv_csv_cell *cell) TV_MUST_CHECK;
/* Begins the next page that has values, if there are none left. */
int tv_parquet_next_page(struct tv_parquet *p, struct tv_parquet_cursor *c) TV_MUST_CHECK;
/* The cell of the next row. -1 with *p->err. */
int tv_parquet_take_cell(struct tv_parquet *p, struct tv_parquet_cursor *c,
			 struct tv_csv_cell *cell) TV_MUST_CHECK;
/* Sets the next n rows of a column of texts or of lists of them, from `row` on; `to` has nothing there yet. 1; 0: it is
 * another column, or its rows are decoded; -1 with *p->err. */
int tv_parquet_set(struct tv_parquet *p, struct tv_parquet_cursor *c, struct tv_column *to,
		   uint32_t row, uint32_t n) TV_MUST_CHECK;
/* Chooses how a column of a table of traces is read: field NULL = not well-known. */
void tv_parquet_choose_block(struct tv_parquet_cursor *c, const struct tv_field *field);
/* The next cell of a column whose rows of the block are decoded. */
int tv_parquet_cell_of_block(struct tv_parquet *p, struct tv_parquet_cursor *c,
			     struct tv_csv_cell *cell) TV_MUST_CHECK;
/* Whether the page that has begun can be decoded to arrays. */
bool tv_parquet_is_decoded(const struct tv_parquet_cursor *c);
/* Decodes its next n rows, at most TV_PARQUET_BLOCK: c->number or c->word, and c->missing. */
int tv_parquet_decode_block(struct tv_parquet *p, struct tv_parquet_cursor *c, uint32_t n,
			    bool *has_missing) TV_MUST_CHECK;
/* n decoded rows as cells; missing: NULL = none is. */
struct tv_csv_cells tv_parquet_cells_of(struct tv_parquet_cursor *c, const int64_t *number,
					const uint32_t *word, const bool *missing, uint32_t n);
/* -1 with *p->err if a column has more values than rows. */
int tv_parquet_end_column(const struct tv_parquet *p,
			  const struct tv_parquet_cursor *c) TV_MUST_CHECK;
/* Gives all rows. */
int tv_parquet_give_rows(struct tv_parquet *p, const struct tv_csv_taker *to) TV_MUST_CHECK;
/* Gives the rows of options.choice. */
int tv_parquet_give_choice(struct tv_parquet *p, const struct tv_csv_taker *to,
			   const struct tv_row_choice *choice) TV_MUST_CHECK;
/* Begins the next group if no row of the last one is left. 1; 0 at the end; -1 with *p->err. */
int tv_parquet_need_rows(struct tv_parquet *p) TV_MUST_CHECK;
/* Goes over the pages of a chunk that has begun: 1: all its values are in c->dictionary, c->ndictionary; 0: not known;
 * -1 with *p->err. */
int tv_parquet_distinct(struct tv_parquet *p, struct tv_parquet_cursor *c) TV_MUST_CHECK;
/* Where the cursor of a chunk of a group begins. */
void tv_parquet_begin(const struct tv_parquet *p, struct tv_parquet_cursor *c, size_t group);
/* Marks the groups of tasks that options.window allows to leave out, in p->omit, and counts their rows in trace->rest. */
int tv_parquet_omit(struct tv_parquet *p) TV_MUST_CHECK;
/* Marks the groups in which no row is in options.part, and lists all. */
void tv_parquet_part(struct tv_parquet *p, enum tv_table_id id);
/* After the last row: whether those that are read have all workers of those that are not. */
bool tv_parquet_omit_fits(struct tv_parquet *p);
/* -1, with *p->err: what is wrong with a column. */
int tv_parquet_fail(const struct tv_parquet *p, const struct tv_parquet_cursor *c,
		    const char *what);
/* Bytes at a place of the file. */
int tv_parquet_read_at(const struct tv_parquet *p, int64_t at, unsigned char *to,
		       size_t n) TV_MUST_CHECK;

#endif
