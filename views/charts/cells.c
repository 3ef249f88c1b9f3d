/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.c -- any table as numbers and categories. */
#include "views/charts/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/passes.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/map.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/curves.h"
#include "views/rows/rows.h"

enum { NAME_MAX = 160, OPTIONS = 2 * TV_PASS_OPTIONS_MAX + 1 };

/* The options for the pass as name, value, ..., NULL; a pass NULL: the figure draws a table. */
static int pass_options(const struct tv_figure *figure, const struct tv_panel *panel,
			const struct tv_pass *pass, const char **option, struct tv_error *err)
{
	const struct tv_option_spec *usual = tv_option_find(panel->option, panel->noptions, "pass");
	bool is_usual = pass != NULL && usual->default_value != NULL
		     && strcmp(pass->name, usual->default_value) == 0;
	size_t n = 0;

	for (const struct tv_pass_option *o = panel->pass_option; o != NULL && o->name != NULL;
	     o++) {
		const char *value = o->value == NULL
					  ? tv_setting(figure->options, panel->name, o->name)
				  : is_usual ? o->value
					     : NULL;

		if (value == NULL)
			continue;
		if (pass == NULL || tv_option_find(pass->option, pass->noptions, o->name) == NULL)
			return tv_fail_usage(err, "--%s.%s has no effect on %s%s", panel->name,
					     o->name, pass == NULL ? "a table" : "the pass ",
					     pass == NULL ? "" : pass->name);
		if (n + 2 >= OPTIONS)
			break;
		option[n++] = o->name;
		option[n++] = value;
	}
	option[n] = NULL;
	return 0;
}

int tv_cells_table(struct tv_figure *figure, const struct tv_panel *panel,
		   const struct tv_table **table, struct tv_error *err)
{
	const char *pass = tv_panel_option(figure, panel, "pass"), *option[OPTIONS];
	struct tv_near near;

	*table = figure->options->table;
	if (*table == NULL && pass == NULL)
		return tv_panel_nothing(figure, panel,
					"it draws a table: give a CSV that is no trace, or the "
					"name of a pass (option pass)");
	if (*table == NULL && tv_pass_find(pass) == NULL)
		return tv_fail_usage(
			err,
			"--%s.pass '%s'%s, expected the name of a pass; 'traceviz help' lists them",
			panel->name, pass, tv_pass_near(&near, pass));
	if (pass_options(figure, panel, *table == NULL ? tv_pass_find(pass) : NULL, option, err)
	    < 0)
		return -1;
	if (*table == NULL) {
		int rc = tv_panel_pass(figure, panel, pass, option, table, err);

		if (rc != 0)
			return rc;
	}
	return (*table)->nrows > 0 ? 0 : tv_panel_nothing(figure, panel, "the table has no rows");
}

bool tv_cells_number(const struct tv_column *column, uint32_t row, double *value)
{
	if (!tv_cell_number(column, row, value))
		return false;
	if (column->type == TV_TIME)
		*value /= 1e6;
	return true;
}

bool tv_cells_numeric(const struct tv_table *table, const struct tv_column *column)
{
	bool any = false;
	double value;

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (tv_missing(column, row))
			continue;
		if (!tv_cells_number(column, row, &value))
			return false;
		any = true;
	}
	return any;
}

const struct tv_column *tv_cells_find(const struct tv_table *table, const char *names)
{
	const struct tv_column *column = NULL;

	for (const char *at = names; at != NULL && *at != '\0' && column == NULL;) {
		size_t n = strcspn(at, "|");
		char *name = tv_strndup(at, n);

		column = tv_table_find(table, name);
		tv_free(name);
		at += n + (at[n] == '|');
	}
	return column;
}

/* A name of an option of n bytes. */
static const struct tv_column *named(const struct tv_panel *panel, const struct tv_table *table,
				     const char *option, const char *text, size_t n,
				     struct tv_error *err)
{
	char *name = tv_strndup(text, n);
	const struct tv_column *column = tv_table_find(table, name);
	struct tv_near near;

	if (column == NULL)
		tv_fail_usage(err, "--%s.%s: the table has no column '%s'%s", panel->name, option,
			      name, tv_near_column(&near, name, table));
	tv_free(name);
	return column;
}

int tv_cells_column(const struct tv_figure *figure, const struct tv_panel *panel,
		    const struct tv_table *table, const char *option, const char *otherwise,
		    const struct tv_column **column, struct tv_error *err)
{
	const char *name = tv_panel_option(figure, panel, option);

	*column = name != NULL ? named(panel, table, option, name, strlen(name), err)
			       : tv_cells_find(table, otherwise);
	return name != NULL && *column == NULL ? -1 : 0;
}

int tv_cells_columns(const struct tv_figure *figure, const struct tv_panel *panel,
		     const struct tv_table *table, const char *option, const char *otherwise,
		     const struct tv_column **column, size_t *n, struct tv_error *err)
{
	const char *names = tv_panel_option(figure, panel, option);
	const char *at = names != NULL ? names : otherwise;

	for (*n = 0; at != NULL && *at != '\0';) {
		size_t length = strcspn(at, ",");
		char *part = tv_strndup(at, length);

		if (*n == TV_CELLS_COLUMNS) {
			tv_free(part);
			return tv_fail_usage(err, "--%s.%s: more than %d columns", panel->name,
					     option, TV_CELLS_COLUMNS);
		}
		column[*n] = names != NULL ? named(panel, table, option, at, length, err)
					   : tv_cells_find(table, part);
		tv_free(part);
		if (names != NULL && column[*n] == NULL)
			return -1;
		*n += column[*n] != NULL;
		at += length + (at[length] == ',');
	}
	return 0;
}

/* ---- categories ---- */

struct category {
	uint32_t label, number; /* in the pool of names; by first appearance */
	double value;
};

TV_ORDER(by_value, struct category, value, number)

/* The texts of a row with blanks between; whether any is there. */
static bool row_name(const struct tv_column *const *column, size_t n, uint32_t row, char *out,
		     size_t size)
{
	size_t at = 0;
	bool any = false;

	out[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		char cell[NAME_MAX], clean[NAME_MAX];

		if (tv_missing(column[i], row))
			continue;
		any = true;
		tv_cell_text(column[i], row, cell, sizeof cell);
		tv_clean_text(clean, sizeof clean, cell);
		at += (size_t)snprintf(out + at, size - at, "%s%s", at > 0 ? " " : "", clean);
		if (at >= size)
			break;
	}
	return any;
}

/* Numbers the categories in their order: names, and rows, which have their first numbers. */
static void number_categories(struct tv_categories *categories, const struct category *category,
			      const struct tv_pool *pool, uint32_t nrows, const char *lack_name)
{
	uint32_t n = categories->n, *place = tv_alloc((size_t)n + 1, sizeof *place);

	categories->name = tv_alloc((size_t)n + 1, sizeof *categories->name);
	for (uint32_t i = 0; i < n; i++) {
		place[category[i].number] = i;
		categories->name[i] = tv_strdup(tv_pool_text(pool, category[i].label));
	}
	for (uint32_t row = 0; row < nrows; row++)
		if (categories->of[row] != TV_NONE)
			categories->of[row] = place[categories->of[row]];
		else if (lack_name != NULL)
			categories->of[row] = categories->lack = n;
	if (categories->lack != TV_NONE)
		categories->name[categories->n++] = tv_strdup(lack_name);
	tv_free(place);
}

void tv_categories_init(struct tv_categories *categories, const struct tv_table *table,
			const struct tv_column *const *column, size_t ncolumns,
			const char *lack_name)
{
	bool numbers = ncolumns == 1 && tv_cells_numeric(table, column[0]);
	struct tv_pool *pool = tv_pool_new();
	struct category *category = NULL;
	struct tv_index known = { 0 };
	size_t n = 0, cap = 0;

	*categories = (struct tv_categories){ .lack = TV_NONE };
	categories->types = ncolumns == 1 && strcmp(column[0]->name, "Value") == 0;
	categories->of = tv_alloc((size_t)table->nrows + 1, sizeof *categories->of);
	for (uint32_t row = 0; row < table->nrows; row++) {
		char name[2 * NAME_MAX];
		uint32_t label;

		categories->of[row] = TV_NONE;
		if (!row_name(column, ncolumns, row, name, sizeof name) && ncolumns > 0)
			continue;
		label = tv_intern_text(pool, name);
		if (tv_index_get(&known, label) == TV_NONE) {
			tv_index_set(&known, label, (uint32_t)n);
			TV_GROW(category, n, cap, 1);
			category[n] = (struct category){ label, (uint32_t)n, 0 };
			if (numbers)
				tv_cells_number(column[0], row, &category[n].value);
			n++;
		}
		categories->of[row] = tv_index_get(&known, label);
	}
	if (numbers)
		qsort(category, n, sizeof *category, by_value);
	categories->n = (uint32_t)n;
	number_categories(categories, category, pool, table->nrows, lack_name);
	tv_free(known.at);
	tv_free(category);
	tv_pool_free(pool);
}

void tv_categories_release(struct tv_categories *categories)
{
	for (uint32_t i = 0; i < categories->n; i++)
		tv_free(categories->name[i]);
	tv_free(categories->name);
	tv_free(categories->of);
	*categories = (struct tv_categories){ 0 };
}

static const struct known {
	const char *column, *words, *unit;
	uint32_t color; /* 0: none of its own */
} known_columns[] = {
	{ "Abe", "area bound", "ms", 0 },
	{ "AbeSpeedup", "area bound", "", 0 },
	{ "AbsoluteError", "absolute error", "%", 0 },
	{ "Alpha", "blocking calls made nonblocking (alpha)", "", 0 },
	{ "BreakEven", "break-even", "", 0 },
	{ "CallTime", "call", "ms", 0x92c5e8 },
	{ "CommReference", "communication alone", "ms", 0 },
	{ "CommTarget", "communication", "ms", 0 },
	{ "ComputeReference", "computation alone", "ms", 0 },
	{ "ComputeTarget", "computation", "ms", 0 },
	{ "ComputeTime", "computation", "ms", 0x1f4e9c },
	{ "Cpe", "CPE", "ms", 0 },
	{ "CpeSpeedup", "CPE", "", 0 },
	{ "DedicatedTime", "with dedicated cores", "ms", 0 },
	{ "Efficiency", "efficiency", "", 0 },
	{ "Error", "error", "%", 0 },
	{ "FitTime", "fit", "ms", 0 },
	{ "Ideal", "ideal", "", 0 },
	{ "Makespan", "makespan", "ms", 0 },
	{ "MeanTime", "mean", "ms", 0 },
	{ "MeasuredTime", "measured", "ms", 0 },
	{ "Model", "model", "", 0 },
	{ "ModelEfficiency", "model", "", 0 },
	{ "ModelError", "error of the model", "%", 0 },
	{ "MpiImpact", "computation with MPI / without", "", 0 },
	{ "MpiTime", "in MPI", "ms", 0 },
	{ "OtherTime", "other", "ms", 0xb8b8b8 },
	{ "PredictedTime", "predicted", "ms", 0 },
	{ "Residual", "residual", "%", 0 },
	{ "RunTime", "run", "ms", 0 },
	{ "Simulated", "simulated", "ms", 0 },
	{ "Speedup", "speedup", "", 0 },
	{ "Threads", "threads", "", 0 },
	{ "WaitTime", "wait", "ms", 0xa873c4 },
	{ "Workers", "workers", "", 0 },
};

static const struct known *known_column(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(known_columns); i++)
		if (strcmp(known_columns[i].column, name) == 0)
			return &known_columns[i];
	return NULL;
}

const char *tv_cells_words(const struct tv_column *column)
{
	const struct known *known = known_column(column->name);

	return known != NULL ? known->words : column->name;
}

const char *tv_cells_unit(const struct tv_column *column)
{
	const struct known *known = known_column(column->name);

	if (known != NULL)
		return known->unit;
	return column->type == TV_TIME ? "ms" : "";
}

const char *tv_cells_title(struct tv_cells_title *out, const struct tv_column *column)
{
	const char *unit = tv_cells_unit(column);

	snprintf(out->text, sizeof out->text, "%s%s%s", tv_cells_words(column),
		 unit[0] != '\0' ? ", " : "", unit);
	return out->text;
}

uint32_t tv_category_color(const struct tv_figure *figure, const struct tv_categories *categories,
			   uint32_t i)
{
	const struct tv_rows *rows = figure->rows;

	for (uint32_t t = 0; categories->types && rows != NULL && t < rows->nshown; t++)
		if (strcmp(rows->type[t].name, categories->name[i]) == 0)
			return rows->type[t].color;
	return tv_curve_colors[i % TV_CURVE_COLORS];
}

uint32_t tv_cells_color(const struct tv_column *column, uint32_t i)
{
	const struct known *known = known_column(column->name);

	return known != NULL && known->color != 0 ? known->color
						  : tv_curve_colors[i % TV_CURVE_COLORS];
}

enum tv_dash tv_category_dash(uint32_t i)
{
	return (enum tv_dash)(i / TV_CURVE_COLORS % TV_NDASHES);
}
