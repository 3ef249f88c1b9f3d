/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_charts.c -- lines over any table: which columns and rows, title and keys. */
#include "views/charts/line_charts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/levels.h"

enum { SERIES_MAX = 48 };

const uint32_t tv_lines_bound_color = 0x595959;

TV_ORDER(by_place, struct tv_line_item, facet, series, x, row)

TV_ORDER(by_x, struct tv_line_item, x, row)

static void choose_whiskers(struct tv_line_chart *c, size_t i, const struct tv_line_value *value)
{
	const struct tv_column *low = value->low != NULL ? tv_cells_find(c->table, value->low)
							 : NULL,
			       *high = value->high != NULL ? tv_cells_find(c->table, value->high)
							   : NULL;

	if (low == NULL || high == NULL || !tv_cells_numeric(c->table, low)
	    || !tv_cells_numeric(c->table, high))
		return;
	c->low[i] = low;
	c->high[i] = high;
}

/* Those without any number have neither a line nor a key. */
static void drop_empty_bounds(struct tv_line_chart *c, size_t i)
{
	size_t n = 0;

	for (size_t b = 0; b < c->nbounds[i]; b++)
		if (tv_cells_numeric(c->table, c->bound[i][b]))
			c->bound[i][n++] = c->bound[i][b];
	c->nbounds[i] = n;
}

static int choose_columns(const struct tv_figure *figure, const struct tv_panel *panel,
			  struct tv_line_chart *c, struct tv_error *err)
{
	const struct tv_line_spec *spec = c->spec;
	bool given = c->own_values = tv_panel_option(figure, panel, "y") != NULL;

	if (tv_cells_column(figure, panel, c->table, "x", spec->x, &c->x, err) < 0
	    || tv_cells_columns(figure, panel, c->table, "y", NULL, c->value, &c->nvalues, err) < 0)
		return -1;
	for (size_t i = 0; i < TV_LINE_VALUES && !given; i++) {
		const struct tv_column *column = tv_cells_find(c->table, spec->value[i].names);

		if (column != NULL && tv_cells_numeric(c->table, column))
			c->value[c->nvalues++] = column;
	}
	if (c->x == NULL || c->nvalues == 0)
		return tv_fail_usage(err, "panel %s: --%s.%s is missing, expected a column%s",
				     panel->name, panel->name, c->x == NULL ? "x" : "y",
				     c->x == NULL ? "" : ", or several with commas between");
	for (size_t i = 0; i < c->nvalues; i++) {
		const struct tv_line_value *value = NULL;

		if (!tv_cells_numeric(c->table, c->value[i]))
			return tv_fail_usage(err, "--%s.y: column '%s' has no numbers", panel->name,
					     c->value[i]->name);
		for (size_t k = 0; k < TV_LINE_VALUES; k++)
			if (tv_cells_find(c->table, spec->value[k].names) == c->value[i])
				value = &spec->value[k];
		if (tv_cells_columns(figure, panel, c->table, "bounds",
				     value != NULL ? value->bounds : NULL, c->bound[i],
				     &c->nbounds[i], err)
		    < 0)
			return -1;
		drop_empty_bounds(c, i);
		if (value != NULL) {
			choose_whiskers(c, i, value);
			c->linear[i] = value->linear;
			c->stems[i] = value->stems;
		}
		if (tv_levels_option(figure, panel, value != NULL ? value->levels : NULL,
				     &c->levels[i], err)
		    < 0)
			return -1;
	}
	return tv_cells_column(figure, panel, c->table, "marks", spec->marks, &c->marks, err);
}

static int choose_groups(const struct tv_figure *figure, const struct tv_panel *panel,
			 struct tv_line_chart *c, struct tv_error *err)
{
	const struct tv_column *column[TV_CELLS_COLUMNS];
	size_t n;

	if (tv_cells_columns(figure, panel, c->table, "series", c->spec->series, column, &n, err)
	    < 0)
		return -1;
	tv_categories_init(&c->series, c->table, column, n, "-");
	if (tv_cells_columns(figure, panel, c->table, "facet", c->spec->facet, column, &n, err) < 0)
		return -1;
	tv_categories_init(&c->facet, c->table, column, n, NULL);
	tv_categories_init(&c->at, c->table, &c->x, 1, NULL);
	c->named = !tv_cells_numeric(c->table, c->x);
	if (c->series.n > SERIES_MAX)
		return tv_fail_usage(err,
				     "panel %s: %u series, max %d; --where chooses rows, "
				     "--%s.series another column",
				     panel->name, c->series.n, SERIES_MAX, panel->name);
	if (c->facet.n * c->nvalues > TV_LINE_TILES)
		return tv_fail_usage(err, "panel %s: %zu charts, max %d; --where chooses rows",
				     panel->name, c->facet.n * c->nvalues, TV_LINE_TILES);
	return 0;
}

static bool x_of(const struct tv_line_chart *c, uint32_t row, double *x)
{
	if (c->at.of[row] == TV_NONE)
		return false;
	*x = c->at.of[row];
	return c->named || tv_cells_number(c->x, row, x);
}

bool tv_lines_in_section(const struct tv_line_chart *c, uint32_t row, const char *section)
{
	const struct tv_column *column = tv_cells_find(c->table, "Section");

	return column != NULL && !tv_missing(column, row)
	    && strcmp(tv_table_text(c->table, "Section", row), section) == 0;
}

static void read_items(struct tv_line_chart *c)
{
	c->item = tv_alloc((size_t)c->table->nrows + 1, sizeof *c->item);
	for (uint32_t row = 0; row < c->table->nrows; row++) {
		struct tv_line_item item = { c->facet.of[row], c->series.of[row], row, 0 };

		if (c->spec->section != NULL && !tv_lines_in_section(c, row, c->spec->section))
			continue;
		if (item.facet != TV_NONE && x_of(c, row, &item.x) && (!c->log_x || item.x > 0))
			c->item[c->n++] = item;
	}
	if (c->n > 0)
		qsort(c->item, c->n, sizeof *c->item, by_place);
}

/* The values of x, ascending, as often as they differ. */
static void read_ticks(struct tv_line_chart *c)
{
	struct tv_line_item *sorted = tv_alloc(c->n + 1, sizeof *sorted);

	c->tick = tv_alloc(c->n + 1, sizeof *c->tick);
	memcpy(sorted, c->item, c->n * sizeof *sorted);
	qsort(sorted, c->n, sizeof *sorted, by_x);
	for (size_t i = 0; i < c->n; i++)
		if (i == 0 || sorted[i].x != sorted[i - 1].x)
			c->tick[c->nticks++] = sorted[i].x;
	tv_free(sorted);
}

int tv_lines_read(struct tv_figure *figure, const struct tv_panel *panel, struct tv_line_chart *c,
		  struct tv_error *err)
{
	c->log_x = c->log == LOG_X || c->log == LOG_XY;
	c->log_y = c->log == LOG_Y || c->log == LOG_XY;
	c->points = c->spec->points || c->kind == POINTS;
	if (choose_columns(figure, panel, c, err) < 0 || choose_groups(figure, panel, c, err) < 0)
		return -1;
	c->log_x = c->log_x && !c->named;
	read_items(c);
	if (c->n == 0)
		return tv_panel_nothing(figure, panel, "no row has a value of x");
	read_ticks(c);
	return 0;
}

/* ---- title and keys ---- */

void tv_lines_add_key(struct tv_line_chart *c, enum tv_key_kind kind, uint32_t color,
		      const char *text)
{
	if (c->nkeys == TV_LINE_KEYS)
		return;
	c->key[c->nkeys] = (struct tv_key){ kind, color, "" };
	tv_clean_text(c->key[c->nkeys].text, TV_KEY_TEXT, text);
	c->nkeys++;
}

static enum tv_key_kind key_of_dash(enum tv_dash dash)
{
	static const enum tv_key_kind kind[TV_NDASHES] = { TV_KEY_LINE, TV_KEY_DASHED,
							   TV_KEY_DOTTED, TV_KEY_DASHDOT };

	return kind[dash];
}

bool tv_lines_whisker(const struct tv_line_chart *c, size_t v, uint32_t row, double *low,
		      double *high)
{
	return c->low[v] != NULL && tv_cells_number(c->low[v], row, low)
	    && tv_cells_number(c->high[v], row, high) && *low < *high && (!c->log_y || *low > 0);
}

static bool has_whiskers(const struct tv_line_chart *c)
{
	double low, high;

	for (size_t v = 0; v < c->nvalues; v++)
		for (size_t i = 0; i < c->n; i++)
			if (tv_lines_whisker(c, v, c->item[i].row, &low, &high))
				return true;
	return false;
}

/* The title of the horizontal axis; "CPU workers" where all rows are of one type. */
static void write_x_title(struct tv_line_chart *c)
{
	const struct tv_column *type = tv_cells_find(c->table, c->spec->x_type);
	bool named = type != NULL && strcmp(c->x->name, c->spec->x) == 0;
	struct tv_categories types = { .n = 0 };
	struct tv_cells_title x = { "" };

	if (named)
		tv_categories_init(&types, c->table, &type, 1, NULL);
	snprintf(c->x_title, sizeof c->x_title, "%s%s%s", types.n == 1 ? types.name[0] : "",
		 types.n == 1 ? " " : "", tv_cells_title(&x, c->x));
	tv_categories_release(&types);
}

/* The key of a bound: one line, or one for each series. */
static void add_bound_key(struct tv_line_chart *c, size_t v, size_t i)
{
	const struct tv_column *bound = c->bound[v][i];
	bool each = c->facet.n <= 1 && !tv_lines_is_common(c, v, bound, 0, c->n);
	char *text = tv_format("%s%s", bound == c->x ? "equal" : tv_cells_words(bound),
			       each ? ", one line for each color" : "");

	tv_lines_add_key(c, key_of_dash(tv_lines_bound_dash(i)), tv_lines_bound_color, text);
	tv_free(text);
}

void tv_lines_words(const struct tv_figure *figure, struct tv_line_chart *c)
{
	struct tv_cells_title value = { "" }, x = { "" };
	bool first = true;

	if (c->spec->title != NULL && !c->own_values)
		snprintf(c->title, sizeof c->title, "%s%s", c->spec->title,
			 has_whiskers(c) ? "; whiskers: min to max of repeats" : "");
	else
		snprintf(c->title, sizeof c->title, "%s by %s",
			 c->nvalues == 1 ? tv_cells_title(&value, c->value[0]) : "values",
			 tv_cells_title(&x, c->x));
	write_x_title(c);
	for (uint32_t i = 0; i < c->series.n && (c->series.n > 1 || c->spec->names_one); i++)
		tv_lines_add_key(c, c->points ? TV_KEY_DOT : key_of_dash(tv_category_dash(i)),
				 tv_category_color(figure, &c->series, i), c->series.name[i]);
	/* Those of the first chart that has any: others have the same ones, or fewer. */
	for (size_t v = 0; v < c->nvalues; v++)
		for (size_t i = 0; i < c->nbounds[v] && first; i++) {
			add_bound_key(c, v, i);
			first = i + 1 < c->nbounds[v];
		}
}
