/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.h -- any table as numbers and categories, for panels that draw one.
 *
 * Such a panel draws the table of the figure or, of a run, the result of a pass; its options name
 * columns.
 */
#ifndef TV_CELLS_H
#define TV_CELLS_H

#include "views/charts/strip.h"
#include "views/shared/panel.h"

/* Its source: the figure's table, or the result of the pass --NAME.pass with the options of
 * panel->pass_option. As tv_panel_pass; an option that has no effect: -1 with *err. */
int tv_cells_table(struct tv_figure *figure, const struct tv_panel *panel,
		   const struct tv_table **table, struct tv_error *err) TV_MUST_CHECK;
#define TV_OPTION_PASS TV_OPTION_PASS_OR(NULL)
#define TV_OPTION_PASS_OR(name) \
	{ \
		"pass", "NAME", name, "of a trace: the pass whose table is drawn" \
	}
/* Options of the pass dedicate, as those of a panel. */
#define TV_OPTIONS_DEDICATE \
	{ "cores", \
	  "N", \
	  NULL, \
	  "of a trace: cores of each rank, as of dedicate (default: its workers)", \
	  TV_OPTION_COUNT, \
	  2, \
	  1000000 }, \
		{ "dedicated", \
		  "N", \
		  NULL, \
		  "of a trace: dedicated cores of each rank (default 1)", \
		  TV_OPTION_COUNT, \
		  1, \
		  1000000 }, \
	{ \
		"compute-factor", "N", NULL, \
			"of a trace: how much longer the computation takes on the remaining " \
			"cores", \
			TV_OPTION_NUMBER, 0.1, 1000 \
	}

/* A cell as a number: times in ms, as CSV has them; text that is a number too. */
bool tv_cells_number(const struct tv_column *column, uint32_t row, double *value);
/* Whether all cells that are there are numbers, and there is any. */
bool tv_cells_numeric(const struct tv_table *table, const struct tv_column *column);

/* The first of several names (with '|' between) that is a column; NULL if none is. */
const struct tv_column *tv_cells_find(const struct tv_table *table, const char *names);
/*
 * The column that an option names, or else its default one, which is the first of `otherwise` that
 * exists. *column is NULL if there is none and the option is not given. A name that is given, but
 * is no column: -1 with *err.
 */
int tv_cells_column(const struct tv_figure *figure, const struct tv_panel *panel,
		    const struct tv_table *table, const char *option, const char *otherwise,
		    const struct tv_column **column, struct tv_error *err) TV_MUST_CHECK;
/* The same for several, with commas between, in *column (tv_free). Max TV_CELLS_COLUMNS. */
enum { TV_CELLS_COLUMNS = 8 };
int tv_cells_columns(const struct tv_figure *figure, const struct tv_panel *panel,
		     const struct tv_table *table, const char *option, const char *otherwise,
		     const struct tv_column **column, size_t *n,
		     struct tv_error *err) TV_MUST_CHECK;

/* The different values of columns: numbers in ascending order, others as they first appear. */
struct tv_categories {
	char **name;   /* clean text; of several columns with blanks between */
	uint32_t n;    /* a category for rows without value, if there are such rows: the last one */
	uint32_t lack; /* that one; TV_NONE: there is none */
	uint32_t *of;  /* by row; 0 without columns */
	bool types;    /* they are task types */
};
/* lack_name: the name of rows that have no value in any of the columns; NULL: they have none
 * (TV_NONE in `of`). Cost O(rows + n log n). */
void tv_categories_init(struct tv_categories *categories, const struct tv_table *table,
			const struct tv_column *const *column, size_t ncolumns,
			const char *lack_name);
void tv_categories_release(struct tv_categories *categories); /* safe on a zeroed struct */

/* What an axis or a key calls a column: known ones in words. */
const char *tv_cells_words(const struct tv_column *column);
/* Its unit: "ms" of times, that of known columns, "" of others. */
const char *tv_cells_unit(const struct tv_column *column);
/* Both in *out, "error, %"; returns out->text. */
struct tv_cells_title {
	char text[160];
};
const char *tv_cells_title(struct tv_cells_title *out, const struct tv_column *column);

/* The color of category i: of task types (the only column is `Value`) that of the figure's legend,
 * else that of a curve; these repeat, with another dash. */
uint32_t tv_category_color(const struct tv_figure *figure, const struct tv_categories *categories,
			   uint32_t i);
/* The color of the column i of a list: the same for a known one in all panels. */
uint32_t tv_cells_color(const struct tv_column *column, uint32_t i);
enum tv_dash tv_category_dash(uint32_t i);

#endif
