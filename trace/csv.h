/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv.h -- tables from and to CSV (RFC 4180; libcsv, strict).
 *
 * In: a header line; BOM, CRLF and quoted newlines are accepted; an empty field is missing, "" in
 * quotes is the empty string, NA is missing in numeric and time columns. Well-known columns have
 * their schema's type, all others are text and kept byte for byte. Out: LF, quotes only where
 * needed, times in ms with six decimals, the shortest doubles; the same table gives the same bytes.
 */
#ifndef TV_CSV_H
#define TV_CSV_H

#include "trace/input.h"
#include "trace/output.h"
#include "trace/trace.h"

enum { TV_CSV_COLUMNS_MAX = 4096 }; /* of a table that is read; more are refused */

struct tv_csv_cell {
	const char *text; /* not closed by NUL */
	size_t n;
	bool missing; /* empty and not quoted */
	bool ns;      /* of a time: the text is the bytes of an int64_t */
};

static inline bool tv_csv_is(const struct tv_csv_cell *cell, const char *text)
{
	return cell->n == strlen(text) && memcmp(cell->text, text, cell->n) == 0;
}

struct tv_csv_row {
	struct tv_pos at; /* its first line */
	const struct tv_csv_cell *cell;
	size_t ncells;
};

/* Calls row() for every line that is not blank, the header too; stops when it returns -1.
 * Everything is valid during the call only. Lines are counted on from in->line, also if it fails
 * or ends. Malformed CSV or a row over TV_LINE_MAX: -1 with *err
 * naming file and line. */
int tv_csv_rows(struct tv_input *in,
		int (*row)(void *context, const struct tv_csv_row *row, struct tv_error *err),
		void *context, struct tv_error *err) TV_MUST_CHECK;
/* The same, but rows() gets several rows at once where they are lines without quotes that follow each other and have
 * equally many cells: n <= TV_CSV_LINES rows from *first on, the cells of each behind those of the one before. It
 * returns 1 if it took them, 0 if row() is to have them, -1 with *err. */
enum { TV_CSV_LINES = 64 };
int tv_csv_lines(struct tv_input *in,
		 int (*row)(void *context, const struct tv_csv_row *row, struct tv_error *err),
		 int (*rows)(void *context, const struct tv_csv_row *first, uint32_t n,
			     struct tv_error *err),
		 void *context, struct tv_error *err) TV_MUST_CHECK;
/* The same as tv_csv_rows, all by libcsv and slower: the reference that the fuzz target csv-paths compares with. */
int tv_csv_rows_reference(struct tv_input *in,
			  int (*row)(void *context, const struct tv_csv_row *row,
				     struct tv_error *err),
			  void *context, struct tv_error *err) TV_MUST_CHECK;

/* Moves the whole rows among the next bytes[0..n) of in, where a row begins, into an input of their own,
 * which counts lines from 1. false: no row ends in them. Malformed CSV ends up in rows that are refused
 * as it would be in its place. */
bool tv_csv_take(struct tv_input *in, const char *bytes, size_t n, struct tv_input *rows);

/* Reads one table into trace->table[id] (its contents are replaced). Malformed CSV, a missing
 * required column, a number that is none: -1 with *err naming file and line. For tasks, a row whose
 * End precedes its Start, or whose time is NaN, is dropped and counted. Cost O(bytes); large inputs by several threads
 * (trace/parallel.h). */
int tv_csv_read(struct tv_input *in, struct tv_trace *trace, enum tv_table_id id,
		struct tv_error *err) TV_MUST_CHECK;

/* The cells of a column of a block, by row; without number and word they are had one after the other. */
struct tv_csv_cells {
	const int64_t *number; /* times in ns, whole numbers; of doubles, all finite, the bits */
	const uint32_t *word;  /* the place of each row's text in text[] */
	const struct tv_csv_cell *text;
	uint32_t *label;     /* of each text its label in the pool; TV_NONE = not known yet */
	const bool *missing; /* NULL = none is; of number and word */
	bool same;	     /* all rows have the same word, and none is missing */
};

/* Rows that follow each other. */
struct tv_csv_block {
	struct tv_pos at;		   /* of the first */
	uint32_t n, more;		   /* more: about how many follow */
	const struct tv_csv_cells *column; /* NULL cells of columns that are not read */
	/* All cells, `width` of each row, of which columns have only the numbers of times; or NULL. */
	const struct tv_csv_cell *cell;
	size_t width;
	/* Else the next cell of a column. */
	int (*next)(void *source, size_t column, struct tv_csv_cell *cell);
	/* Sets n cells of a column at once, as far as it can (1); else (0) `next` gives them. NULL: it never can. */
	int (*set)(void *source, size_t column, struct tv_column *to, uint32_t row, uint32_t n);
	void *source;
};

/* What takes rows; a function that returns -1 with *err ends the reading. */
struct tv_csv_taker {
	int (*row)(void *context, const struct tv_csv_row *row, struct tv_error *err);
	/* 0: the rows are to be given one by one, 1: it took them; NULL: it takes no blocks */
	int (*block)(void *context, const struct tv_csv_block *block, struct tv_error *err);
	void *context;
};

/* What gives the header, then all rows; id: of the table, TV_NTABLES if it is none of a trace. */
typedef int tv_csv_row_source(void *source, enum tv_table_id id, const struct tv_csv_taker *to,
			      struct tv_error *err);
/* The same of rows that come from elsewhere. */
int tv_csv_read_rows(struct tv_trace *trace, enum tv_table_id id, tv_csv_row_source *rows,
		     void *source, struct tv_error *err) TV_MUST_CHECK;

/* Reads any table into *table (initialized, without columns): a column whose cells are numbers or
 * missing (empty, NA, NaN) is one of doubles, any other one of labels. Malformed CSV: -1 with *err. */
int tv_csv_read_plain(struct tv_input *in, struct tv_table *table,
		      struct tv_error *err) TV_MUST_CHECK;
/* The same of rows that come from elsewhere, as for tv_csv_read_rows. */
int tv_csv_read_plain_rows(struct tv_table *table, tv_csv_row_source *rows, void *source,
			   struct tv_error *err) TV_MUST_CHECK;

/* Writes header and rows; derived columns are left out. rows NULL = all; else rows[0..n) in that
 * order. */
void tv_csv_write(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		  struct tv_output *out);
/* The same without the header. */
void tv_csv_write_rows(const struct tv_table *table, const uint32_t *rows, uint32_t n,
		       struct tv_output *out);

/* Appends one field, quoted if it must be. */
void tv_csv_field(struct tv_output *out, const char *s, size_t n);

/* Text of one cell as CSV has it, without quotes, in out[0..size): for messages and aligned tables.
 * Returns the length that the whole would have. Missing gives "". */
size_t tv_cell_text(const struct tv_column *column, uint32_t row, char *out, size_t size);
/* The whole of it, in new memory. */
char *tv_cell_copy(const struct tv_column *column, uint32_t row);

#endif
