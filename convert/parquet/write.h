/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.h -- a Parquet file that is written: its groups of rows, and what its footer says of them; only for convert/parquet/. */
#ifndef TV_PARQUET_WRITE_H
#define TV_PARQUET_WRITE_H

#include "convert/parquet/encode.h"
#include "convert/parquet/parquet.h"

struct tv_parquet_span {
	const char *s; /* NULL: none */
	size_t n;
};

/* What the footer says of a column in a group. */
struct tv_parquet_written {
	int64_t begin, dictionary, size, raw; /* dictionary: its place, 0 = none */
	int64_t entries, missing;
	enum tv_parquet_encoding encoding;
	bool list;
	char *min, *max; /* or NULL */
	size_t nmin, nmax;
};

struct tv_parquet_output_column {
	const struct tv_column *of;
	bool wide;  /* a time of more than 18 digits is in it */
	bool bytes; /* text that is no UTF-8 */
};

struct tv_parquet_writing {
	const struct tv_table *table; /* of the rows that are written */
	const char *name, *order;
	struct tv_table shape; /* the columns of the first table, without rows */
	uint32_t rows;	       /* of a group */
	int64_t nrows;	       /* of all tables */
	struct tv_output *out;
	int64_t at; /* bytes written */
	struct tv_parquet_output_column *column;
	size_t longest;		/* label, bytes */
	size_t ncolumns, start; /* start: place of the column Start, or ncolumns */
	struct tv_parquet_written *chunk;
	size_t nchunks, chunks_cap;
	struct tv_parquet_group {
		uint32_t begin, end; /* in their table */
		bool sorted;	     /* by Start */
	} * group;
	size_t ngroups, groups_cap;
	/* of the chunk that is written */
	uint32_t *level[2]; /* repetition, definition */
	bool all; /* no row is missing, nor a list: all levels are 1, and not in level[1] */
	size_t nlevels, levels_cap[2];
	int64_t *number; /* values, or lengths of texts */
	uint32_t *
		label; /* of texts that have one: their labels, or with a dictionary their places there */
	size_t nvalues, numbers_cap, labels_cap;
	uint32_t *first; /* the labels of the dictionary */
	size_t nfirst, first_cap;
	struct tv_parquet_span *text; /* of all values, or of the dictionary */
	size_t ntexts, texts_cap;
	uint32_t *known; /* by label: its number + 1 in the chunk; NULL, or 0 between chunks */
	struct tv_output page, packed;
	struct ZSTD_CCtx_s *zstd;
};

void tv_parquet_put(struct tv_parquet_writing *w, const void *bytes, size_t n);
/* Writes w->page, as a page of that type with so many values. */
void tv_parquet_put_page(struct tv_parquet_writing *w, struct tv_parquet_written *chunk,
			 bool dictionary, size_t values);
/* Begins w->page with the levels of its values. */
void tv_parquet_begin_page(struct tv_parquet_writing *w, bool list);
void tv_parquet_set_statistics(struct tv_parquet_written *chunk, struct tv_parquet_span min,
			       struct tv_parquet_span max);
/* Writes the values of a column of texts, which w has, with their statistics. */
void tv_parquet_put_text_column(struct tv_parquet_writing *w,
				struct tv_parquet_output_column *column,
				struct tv_parquet_written *chunk);
/* Whether the values of a column are texts. */
bool tv_parquet_is_text(const struct tv_column *c);
/* The end of the file, behind all groups. */
void tv_parquet_put_footer(struct tv_parquet_writing *w);

#endif
