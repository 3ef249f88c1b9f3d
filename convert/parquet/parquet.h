/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parquet.h -- rows of a Parquet file.
 *
 * Written by hand: Debian 12 has no C library for it. The footer says where the pages of each column are; pages are read
 * when a row needs them, one of each column at a time. Everything in a file is a claim: each length, offset and number is
 * checked against the bytes that there are before memory is reserved or a byte is read.
 */
#ifndef TV_PARQUET_H
#define TV_PARQUET_H

#include "convert/parquet/encoding.h"
#include "trace/csv.h"

#define TV_PARQUET_MAGIC "PAR1"

/* The first bytes are those of a Parquet file. */
static inline bool tv_is_parquet(const char *head, size_t n)
{
	return n >= 4 && memcmp(head, TV_PARQUET_MAGIC, 4) == 0;
}

/* ---- the footer ---- */

enum tv_parquet_codec {
	TV_CODEC_NONE = 0,
	TV_CODEC_SNAPPY = 1,
	TV_CODEC_GZIP = 2,
	TV_CODEC_ZSTD = 6
};

/* How values become text. */
enum tv_parquet_kind {
	TV_KIND_OTHER, /* not at all: a struct, a map, a type that is not read */
	TV_KIND_INT,
	TV_KIND_UNSIGNED,
	TV_KIND_DOUBLE,
	TV_KIND_DECIMAL, /* a whole number that is divided by 10^digits */
	TV_KIND_INT96,	 /* an instant: ns of a day, and the day */
	TV_KIND_TEXT
};

/* A column of the file: of rows, or of what a struct or map has. */
struct tv_parquet_column {
	char *name;	  /* of the column of rows that it belongs to */
	const char *what; /* of those of TV_KIND_OTHER: "a MAP" */
	enum tv_parquet_type type;
	size_t length; /* of FIXED */
	enum tv_parquet_kind kind;
	int digits;	   /* of DECIMAL; negative: times 10^-digits */
	bool ms;	   /* a time with a unit of its own: its text is in ms */
	bool instant;	   /* ... since 1970 */
	bool list;	   /* of such values */
	unsigned depth;	   /* of the names that lead to it */
	unsigned present;  /* definition level of a value */
	unsigned empty;	   /* ... of a list without elements */
	unsigned repeated; /* levels of repetition: at most 1 of a list that is read */
	struct tv_parquet_text {
		const char *s;
		size_t n;
	} leaf; /* the last of the names */
};

struct tv_parquet_chunk {
	int64_t codec, entries, begin, size;
	int64_t nulls;	  /* as its statistics have it; -1 = unknown */
	int64_t min, max; /* of a column of numbers, likewise, if it is bounded */
	bool bounded;
	struct tv_parquet_text first,
		last; /* of one of texts, in the order of their bytes, if it is spanned */
	bool spanned;
};

struct tv_parquet_footer {
	unsigned char *bytes; /* texts lie in it */
	struct tv_parquet_column *column;
	size_t ncolumns, columns_cap;
	struct tv_parquet_chunk *chunk; /* ncolumns of each group */
	size_t nchunks, chunks_cap;
	int64_t *rows; /* of each group */
	size_t ngroups, groups_cap;
	int64_t nrows;
};

/* Parses bytes[0..n), which it owns then, the footer of a file whose pages end at byte `end`. -1 with *err. */
int tv_parquet_footer_parse(struct tv_parquet_footer *f, unsigned char *bytes, size_t n,
			    int64_t end, struct tv_pos at, struct tv_error *err) TV_MUST_CHECK;
void tv_parquet_footer_release(struct tv_parquet_footer *f);

/* The name of a codec or encoding, "unknown" if there is none of that number. */
const char *tv_parquet_codec_name(int64_t codec);
const char *tv_parquet_encoding_name(int64_t encoding);

/* ---- compressed bytes ---- */

bool tv_parquet_codec_is_read(int64_t codec);
/* to[0..n) of the bytes; false: damaged, or another number. */
bool tv_parquet_unpack(int64_t codec, const unsigned char *bytes, size_t size, unsigned char *to,
		       size_t n);

/* ---- rows ---- */

struct tv_parquet;

/* NULL with *err: no Parquet file, damaged, compressed as a whole, or standard input. The input must outlive it. */
struct tv_parquet *tv_parquet_open(struct tv_input *in, struct tv_trace *trace,
				   struct tv_error *err);
void tv_parquet_close(struct tv_parquet *p); /* accepts NULL */
/* Frees what was kept of a file for the next part of its rows. */
void tv_parquet_forget(struct tv_row_part *part);

/* The rows of the file. */
int64_t tv_parquet_nrows(const struct tv_parquet *p);
/* The columns of rows that are read, in the order of the file. */
size_t tv_parquet_ncolumns(const struct tv_parquet *p);
const struct tv_parquet_column *tv_parquet_column(const struct tv_parquet *p, size_t i);
/* -1 with *err if the rows that are to be read, with those before them and so many bytes a row beside the columns that
 * are read, seem to need more than --max-memory: trace->too_large. */
int tv_parquet_check_memory(struct tv_parquet *p, uint32_t before, double beside,
			    struct tv_error *err) TV_MUST_CHECK;
/* Their names as a header of CSV; to be freed. */
char *tv_parquet_header(const struct tv_parquet *p);

/* The cells of the next row, as text; at: its place, its number in the file. Valid until the next call. 1; 0 at the end;
 * -1 with *err. Whole numbers and times have no loss; a list has blanks between its elements. */
int tv_parquet_next(struct tv_parquet *p, const struct tv_csv_cell **cell, struct tv_pos *at,
		    struct tv_error *err) TV_MUST_CHECK;

/* Header and rows of a table of a trace, for tv_csv_read_rows: times are in ms. p: a struct tv_parquet. */
int tv_parquet_csv(void *p, enum tv_table_id id, const struct tv_csv_taker *to,
		   struct tv_error *err) TV_MUST_CHECK;

/* ---- writing ---- */

/* Writes a finished table, without its derived columns, which the name names: times as DECIMAL in ms. order: that of its
 * rows, for the file's metadata: "input" or "Start". -1 with *err (usage) if the output is a terminal. */
int tv_parquet_write(const struct tv_table *table, const char *name, const char *order,
		     struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
/* The same with groups of at most so many rows. */
int tv_parquet_write_groups(const struct tv_table *table, const char *name, const char *order,
			    uint32_t rows, struct tv_output *out,
			    struct tv_error *err) TV_MUST_CHECK;

/* The same of a table that is never there as a whole, but as several of the same columns, one after the other. The file has the
 * same bytes if all but the last have TV_PARQUET_GROUP rows, without much text. NULL with *err. */
enum { TV_PARQUET_GROUP = 131072 };
struct tv_parquet_writing;
struct tv_parquet_writing *tv_parquet_write_begin(const char *name, const char *order,
						  uint32_t rows, struct tv_output *out,
						  struct tv_error *err);
/* -1 with *err: a time has more digits than those of the tables before. */
int tv_parquet_write_rows(struct tv_parquet_writing *w, const struct tv_table *table,
			  struct tv_error *err) TV_MUST_CHECK;
/* complete: all was added. Accepts NULL. */
void tv_parquet_write_end(struct tv_parquet_writing *w, bool complete);

#endif
