/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h -- any table, of text or a Parquet file, as tasks: how its cells are separated, which columns of tasks are made of which of its columns.
 */
#ifndef TV_TABLE_MAP_H
#define TV_TABLE_MAP_H

#include "trace/arithmetic.h"
#include "trace/input.h"
#include "trace/trace.h"

enum { TV_CELLS_MAX = 1000 };

/* A row of cells: texts that the lines own, without their quotes. */
struct tv_cells {
	char separator; /* ',', ';', tab, or ' ': any number of blanks */
	char *text;	/* the lines of the row, changed */
	size_t size, cap;
	struct tv_cell_text {
		const char *s; /* closed by NUL */
		size_t n;
		bool quoted;
		bool ms; /* of a header: times of the column are in ms, whatever its name says */
	} cell[TV_CELLS_MAX];
	size_t n;
	struct tv_pos at; /* its first line */
};

/* The separator of the rows that head[0..n) begins with: that which gives as many cells, at least two, to the header and the line after it. */
char tv_cells_separator(const char *head, size_t n);
/* The next row that is no blank line or comment (#): 1, 0 at the end, -1 with *err. */
int tv_cells_next(struct tv_cells *cells, struct tv_input *in, struct tv_error *err) TV_MUST_CHECK;
void tv_cells_release(struct tv_cells *cells);

/* One Column=... of --map. */
struct tv_mapping {
	char *column; /* of tasks */
	struct tv_map_part {
		char *text;  /* a text between quotes; NULL: a column */
		size_t from; /* its place */
	} * part;	     /* texts and columns that are joined; or none */
	size_t nparts, parts_cap;
	struct tv_arithmetic *expression; /* of columns of the table, in ms for times; or NULL */
	size_t from;			  /* the place of a column alone */
	int scale;			  /* of times: power of ten of ns */
	bool assumed;			  /* neither header nor --time-unit says which */
};

struct tv_map_of_table {
	struct tv_mapping *at;
	size_t n, cap;
};

/* Parses --map, a list with commas between, or @FILE with a line for each, for a header. unit: --time-unit; NULL = ms where the header has
 * none, until the first row shows more. -1 with *err (usage): unknown columns, with those that there are; what is missing for tasks. */
int tv_map_parse(struct tv_map_of_table *map, const char *text, const char *unit,
		 const struct tv_cells *header, struct tv_error *err) TV_MUST_CHECK;
void tv_map_of_table_release(struct tv_map_of_table *map);
/* The mapping of a column of tasks; NULL = none. */
const struct tv_mapping *tv_map_find(const struct tv_map_of_table *map, const char *column);

/* The unit, as a power of ten of ns, in which a cell of the first row is an instant of the years 2002 to 2096; -1 = it is none. */
int tv_map_epoch(const struct tv_cells *row, size_t i);
/* Whether a column of tasks has the times of their executions: Start, End, Duration. */
bool tv_map_is_time(const char *column);

/* The command that reads the table that head[0..n) begins, by the names of its columns: "to read it: traceviz --map '...' PATH", if `partly`
 * with ? for up to two columns that are not known; of a table without header, that it needs one; NULL = not known. To be freed. */
char *tv_map_propose(const char *head, size_t n, bool partly, const char *path);

#endif
