/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_reading.h -- a table that is being read from rows of CSV; only for trace/csv*.c. */
#ifndef TV_CSV_READING_H
#define TV_CSV_READING_H

#include "trace/csv.h"

/* A field of times, and that of the row. */
struct tv_csv_moment {
	size_t field;
	int64_t ns;
	bool missing;
};

struct tv_csv_reading {
	struct tv_trace *trace;
	enum tv_table_id id;
	struct tv_table *table;
	struct tv_column **column; /* of each field of the file; NULL = not read */
	size_t ncolumns;
	struct tv_csv_moment *time;
	size_t ntimes;
	const struct tv_csv_moment *start, *end; /* of time[]; NULL = absent */
	struct tv_csv_moment *duration;
	/* Fields of the file; -1 = absent. */
	int resource, kind, type, flag;
	char work[16]; /* the kind of work that was found last */
	size_t nwork;
	/* Rows that are read together: of their times the numbers. */
	struct tv_csv_cells *cells;
	int64_t (*number)[TV_CSV_LINES];
	bool (*missing)[TV_CSV_LINES];
};

/* What is known of the fields once all columns are; tv_csv_release_reading frees it. */
void tv_csv_find_fields(struct tv_csv_reading *r);
void tv_csv_release_reading(struct tv_csv_reading *r);
/* For tv_csv_rows and tv_csv_lines, the context is a reading: the header, if there is no column yet, or a row. */
int tv_csv_read_row(void *reading, const struct tv_csv_row *row,
		    struct tv_error *err) TV_MUST_CHECK;
/* Rows of tasks without anything odd, column by column: only of a piece, whose strings get their numbers later. */
int tv_csv_read_lines(void *reading, const struct tv_csv_row *first, uint32_t n,
		      struct tv_error *err) TV_MUST_CHECK;

/* Inputs of fewer bytes are not worth several threads. */
enum { TV_CSV_SMALL = 256 * 1024 };
/* Reads the header, if it is the first line, and pieces; a row that does not fit into one is left, with all that
 * follows. */
int tv_csv_read_pieces(struct tv_csv_reading *r, struct tv_input *in,
		       struct tv_error *err) TV_MUST_CHECK;

/* All rows, given to trace->options.batches instead of being kept. */
int tv_csv_read_batches(struct tv_csv_reading *r, tv_csv_row_source *rows, void *source,
			struct tv_error *err) TV_MUST_CHECK;

/* A Duration that differs more from End - Start contradicts it, ns. */
enum { TV_CSV_ROUNDING = 1000 };

/* Whether a row of that kind is work, app, setup or runtime; -1 with *err if there is no such kind. */
int tv_csv_is_work(struct tv_csv_reading *r, const struct tv_csv_cell *kind, struct tv_pos at,
		   struct tv_error *err) TV_MUST_CHECK;
/* Sets the cell of a field, which is no time, in a row of the table. */
int tv_csv_read_cell(struct tv_csv_reading *r, size_t i, uint32_t row,
		     const struct tv_csv_cell *cell, struct tv_pos at,
		     struct tv_error *err) TV_MUST_CHECK;
/* The same of *n rows, whose cells have step - 1 others between them. A failure sets *n to the rows before it. */
int tv_csv_read_cells(struct tv_csv_reading *r, size_t i, uint32_t row,
		      const struct tv_csv_cell *cell, size_t step, uint32_t *n, struct tv_pos at,
		      struct tv_error *err) TV_MUST_CHECK;
/* The member `block` of a taker whose context is a reading: takes blocks of executions without anything odd. */
int tv_csv_read_block(void *reading, const struct tv_csv_block *block,
		      struct tv_error *err) TV_MUST_CHECK;

#endif
