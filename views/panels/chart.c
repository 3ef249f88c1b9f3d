/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart.c -- panels of lines or points over any table: one small chart per value column and per group
 * of rows, a line per series, bounds and reference lines. The other panels here are this one with the
 * columns of the tables that passes, simulations and benchmarks give.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "sim/model/boundaries.h"
#include "sim/model/scaling.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/cells.h"
#include "views/charts/levels.h"
#include "views/charts/plane.h"
#include "views/shared/panel.h"

enum { SERIES_MAX = 48, TILES_MAX = 64, KEYS_MAX = 60, MARKS_MAX = 256, SPEC_VALUES = 2 };

static const double tile_min = 150, tile_max = 330, tile_gap = 12, tile_below = 6; /* points */
static const double low_share = 0.56, height_min = 84, height_max = 150;
static const double dots_apart = 5, line_width = 0.9, whisker_width = 4;
static const uint32_t bound_color = 0x595959, mark_color = 0x8c8c8c;

/* A value column of a named panel, and what its chart shows besides. */
struct value_spec {
	const char *names;	/* the first of these columns that exists */
	const char *bounds;	/* columns that are dashed lines */
	const char *levels;	/* horizontal lines */
	const char *low, *high; /* columns: the ends of whiskers */
};

/* A named panel: columns if no option names others. */
struct chart_spec {
	const char *title;
	const char *x, *series, *facet;
	struct value_spec value[SPEC_VALUES];
	const char *marks; /* a column: vertical lines */
	bool points;
	bool fit; /* of the first value by x: columns FitTime, a bound, and Residual, a chart */
};

/* A row of the table in a chart. */
struct item {
	uint32_t facet, series, row;
	double x;
};

struct mark {
	double at;
	uint32_t color;
	bool column; /* a value of the column of marks */
	char text[48];
};

struct chart {
	const struct chart_spec *spec;
	const struct tv_table *table;
	struct tv_table fitted; /* the table and two more columns */
	const struct tv_column *x, *value[TV_CELLS_COLUMNS], *marks;
	const struct tv_column *bound[TV_CELLS_COLUMNS][TV_CELLS_COLUMNS];
	size_t nvalues, nbounds[TV_CELLS_COLUMNS];
	const struct tv_column *low[TV_CELLS_COLUMNS], *high[TV_CELLS_COLUMNS]; /* both or none */
	bool named; /* x is no number: its categories have places 0, 1, ... */
	bool log_x, log_y, points;
	bool own_values; /* option y: the title of the panel does not fit them */
	struct tv_categories at, series, facet;
	struct item *item; /* by facet, series, x */
	size_t n;
	double *tick; /* different values of x, ascending */
	size_t nticks;
	struct mark mark[MARKS_MAX]; /* vertical lines */
	size_t nmarks;
	const char *levels[TV_CELLS_COLUMNS];
	char title[400];
	struct tv_key key[KEYS_MAX];
	size_t nkeys;
};

TV_ORDER(by_place, struct item, facet, series, x, row)

TV_ORDER(by_x, struct item, x, row)

/* ---- what is drawn ---- */

static void choose_whiskers(struct chart *c, size_t i, const struct value_spec *value)
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

static int choose_columns(const struct tv_figure *figure, const struct tv_panel *panel,
			  struct chart *c, struct tv_error *err)
{
	const struct chart_spec *spec = c->spec;
	bool given = c->own_values = tv_panel_option(figure, panel, "y") != NULL;

	if (tv_cells_column(figure, panel, c->table, "x", spec->x, &c->x, err) < 0
	    || tv_cells_columns(figure, panel, c->table, "y", NULL, c->value, &c->nvalues, err) < 0)
		return -1;
	for (size_t i = 0; i < SPEC_VALUES && !given; i++) {
		const struct tv_column *column = tv_cells_find(c->table, spec->value[i].names);

		if (column != NULL)
			c->value[c->nvalues++] = column;
	}
	if (c->x == NULL || c->nvalues == 0)
		return tv_fail_usage(err, "panel %s: --%s.%s is missing, expected a column%s",
				     panel->name, panel->name, c->x == NULL ? "x" : "y",
				     c->x == NULL ? "" : ", or several with commas between");
	for (size_t i = 0; i < c->nvalues; i++) {
		const struct value_spec *value = NULL;

		if (!tv_cells_numeric(c->table, c->value[i]))
			return tv_fail_usage(err, "--%s.y: column '%s' has no numbers", panel->name,
					     c->value[i]->name);
		for (size_t k = 0; k < SPEC_VALUES; k++)
			if (tv_cells_find(c->table, spec->value[k].names) == c->value[i])
				value = &spec->value[k];
		if (tv_cells_columns(figure, panel, c->table, "bounds",
				     value != NULL ? value->bounds : NULL, c->bound[i],
				     &c->nbounds[i], err)
		    < 0)
			return -1;
		if (value != NULL)
			choose_whiskers(c, i, value);
		if (tv_levels_option(figure, panel, value != NULL ? value->levels : NULL,
				     &c->levels[i], err)
		    < 0)
			return -1;
	}
	return tv_cells_column(figure, panel, c->table, "marks", spec->marks, &c->marks, err);
}

static int choose_groups(const struct tv_figure *figure, const struct tv_panel *panel,
			 struct chart *c, struct tv_error *err)
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
	if (c->facet.n * c->nvalues > TILES_MAX)
		return tv_fail_usage(err, "panel %s: %zu charts, max %d; --where chooses rows",
				     panel->name, c->facet.n * c->nvalues, TILES_MAX);
	return 0;
}

static bool x_of(const struct chart *c, uint32_t row, double *x)
{
	if (c->at.of[row] == TV_NONE)
		return false;
	*x = c->at.of[row];
	return c->named || tv_cells_number(c->x, row, x);
}

static void read_items(struct chart *c)
{
	c->item = tv_alloc((size_t)c->table->nrows + 1, sizeof *c->item);
	for (uint32_t row = 0; row < c->table->nrows; row++) {
		struct item item = { c->facet.of[row], c->series.of[row], row, 0 };

		if (item.facet != TV_NONE && x_of(c, row, &item.x) && (!c->log_x || item.x > 0))
			c->item[c->n++] = item;
	}
	if (c->n > 0)
		qsort(c->item, c->n, sizeof *c->item, by_place);
}

/* The values of x, ascending, as often as they differ. */
static void read_ticks(struct chart *c)
{
	struct item *sorted = tv_alloc(c->n + 1, sizeof *sorted);

	c->tick = tv_alloc(c->n + 1, sizeof *c->tick);
	memcpy(sorted, c->item, c->n * sizeof *sorted);
	qsort(sorted, c->n, sizeof *sorted, by_x);
	for (size_t i = 0; i < c->n; i++)
		if (i == 0 || sorted[i].x != sorted[i - 1].x)
			c->tick[c->nticks++] = sorted[i].x;
	tv_free(sorted);
}

/* ---- fit ---- */

/* That of items [from, to), one series in one chart, into rows of both columns. */
static void fit_series(const struct chart *c, size_t from, size_t to, struct tv_column *fitted,
		       struct tv_column *residual)
{
	double *x = tv_alloc(to - from, sizeof *x), *y = tv_alloc(to - from, sizeof *y);
	struct tv_scaling fit;

	for (size_t i = from; i < to; i++) {
		x[i - from] = c->item[i].x;
		if (!tv_cells_number(c->value[0], c->item[i].row, &y[i - from]))
			y[i - from] = NAN;
	}
	fit = tv_scaling_fit(x, y, to - from);
	for (size_t i = from; i < to; i++) {
		double at = tv_scaling_at(&fit, x[i - from]);

		if (!(x[i - from] > 0) || !isfinite(at))
			continue;
		tv_set_double(fitted, c->item[i].row, at);
		if (y[i - from] > 0)
			tv_set_double(residual, c->item[i].row,
				      round(1e8 * (y[i - from] / at - 1)) / 1e6);
	}
	tv_free(x);
	tv_free(y);
}

/* Adds the columns of the fit to those of the table, as bound of the first chart and as another one. */
static void add_fit(struct chart *c)
{
	static const struct tv_field columns[] = {
		{ "FitTime", TV_DOUBLE, false, "ms", "serial + parallel / threads" },
		{ "Residual", TV_DOUBLE, false, "%", "time / fit - 1, to 1e-6" },
	};

	tv_table_init(&c->fitted, c->table->pool);
	c->fitted.nrows = c->table->nrows;
	tv_add_fields(&c->fitted, columns, TV_COUNT(columns));
	for (size_t i = 0, end; i < c->n; i = end) {
		for (end = i; end < c->n && c->item[end].series == c->item[i].series
			      && c->item[end].facet == c->item[i].facet;
		     end++)
			;
		fit_series(c, i, end, c->fitted.col[0], c->fitted.col[1]);
	}
	tv_table_finish(&c->fitted);
	if (c->nbounds[0] < TV_CELLS_COLUMNS)
		c->bound[0][c->nbounds[0]++] = c->fitted.col[0];
	if (c->nvalues < TV_CELLS_COLUMNS && c->facet.n * (c->nvalues + 1) <= TILES_MAX) {
		c->levels[c->nvalues] = "0";
		c->value[c->nvalues++] = c->fitted.col[1];
	}
}

/* ---- vertical lines ---- */

static int add_mark(struct chart *c, double at, const char *text, struct tv_error *err)
{
	if (c->nmarks == MARKS_MAX)
		return tv_fail_usage(err, "more than %d boundaries", MARKS_MAX);
	c->mark[c->nmarks].at = at;
	c->mark[c->nmarks].color = mark_color;
	c->mark[c->nmarks].column = false;
	tv_clean_text(c->mark[c->nmarks].text, sizeof c->mark[0].text, text);
	c->nmarks++;
	return 0;
}

/* One word of a list of boundaries: N, N=TEXT, or /N: the multiples of N in between. */
static int read_mark(struct chart *c, const struct tv_panel *panel, const char *word,
		     struct tv_error *err)
{
	size_t n = strcspn(word, "=");
	bool multiples = word[0] == '/';
	double at;

	if (tv_parse_double(word + multiples, n - multiples, &at) != TV_PARSE_OK
	    || (multiples && !(at > 0)))
		return tv_fail_usage(err,
				     "--%s.boundaries '%s', expected N, N=TEXT or /N (all "
				     "multiples of N) with commas between",
				     panel->name, word);
	if (!multiples)
		return add_mark(c, at, word[n] == '=' ? word + n + 1 : "", err);
	for (double k = floor(c->tick[0] / at) + 1; k * at < c->tick[c->nticks - 1]; k++)
		if (add_mark(c, k * at, "", err) < 0)
			return -1;
	return 0;
}

/* The values of the column of marks, each once for a series. */
static int read_column(const struct tv_figure *figure, struct chart *c, struct tv_error *err)
{
	for (size_t i = 0; i < c->n && c->marks != NULL; i++) {
		bool several = c->series.n > 1, known = false;
		uint32_t color = several ? tv_category_color(figure, &c->series, c->item[i].series)
					 : mark_color;
		char number[64], text[160];
		double at;

		if (!tv_cells_number(c->marks, c->item[i].row, &at))
			continue;
		for (size_t k = 0; k < c->nmarks && !known; k++)
			known = c->mark[k].at == at && c->mark[k].color == color;
		if (known)
			continue;
		snprintf(number, sizeof number, "%.3g", at);
		snprintf(text, sizeof text, "%s%s%s", several ? "" : tv_cells_words(c->marks),
			 several ? "" : " ", number);
		if (add_mark(c, at, text, err) < 0)
			return -1;
		c->mark[c->nmarks - 1].color = color;
		c->mark[c->nmarks - 1].column = true;
	}
	return 0;
}

static bool has_mark(const struct chart *c, double at)
{
	for (size_t i = 0; i < c->nmarks; i++)
		if (c->mark[i].at == at)
			return true;
	return false;
}

/* The boundaries of a platform that lie on the axis, besides those that have a name. */
static int read_platform(struct chart *c, const char *platform, struct tv_error *err)
{
	uint32_t *number;
	size_t n;
	int rc = 0;

	if (platform == NULL)
		return 0;
	if (tv_platform_boundaries(platform, &number, &n, err) < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (number[i] >= c->tick[0] && number[i] <= c->tick[c->nticks - 1]
		    && !has_mark(c, number[i]))
			rc = add_mark(c, number[i], "", err);
	tv_free(number);
	return rc;
}

static int read_marks(const struct tv_figure *figure, const struct tv_panel *panel, struct chart *c,
		      struct tv_error *err)
{
	const char *text = tv_panel_option(figure, panel, "boundaries");
	char *list = tv_strdup(text != NULL ? text : "");
	int rc = 0;

	for (char *rest = list, *word; rc == 0 && (word = strsep(&rest, ",")) != NULL;)
		if (word[0] != '\0')
			rc = read_mark(c, panel, word, err);
	tv_free(list);
	if (rc == 0)
		rc = read_platform(c, tv_panel_option(figure, panel, "platform"), err);
	return rc == 0 ? read_column(figure, c, err) : rc;
}

static void add_key(struct chart *c, enum tv_key_kind kind, uint32_t color, const char *text)
{
	if (c->nkeys == KEYS_MAX)
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

/* Lines of bounds differ by their dashes, whose color is gray or that of their series. */
static enum tv_dash dash_of_bound(size_t i)
{
	return (enum tv_dash)(1 + i % (TV_NDASHES - 1));
}

/* The ends of a row's whisker, if it has one. */
static bool whisker_of(const struct chart *c, size_t v, uint32_t row, double *low, double *high)
{
	return c->low[v] != NULL && tv_cells_number(c->low[v], row, low)
	    && tv_cells_number(c->high[v], row, high) && *low < *high && (!c->log_y || *low > 0);
}

static bool has_whiskers(const struct chart *c)
{
	double low, high;

	for (size_t v = 0; v < c->nvalues; v++)
		for (size_t i = 0; i < c->n; i++)
			if (whisker_of(c, v, c->item[i].row, &low, &high))
				return true;
	return false;
}

static void set_words(const struct tv_figure *figure, struct chart *c)
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
	for (uint32_t i = 0; i < c->series.n && c->series.n > 1; i++)
		add_key(c, c->points ? TV_KEY_DOT : key_of_dash(tv_category_dash(i)),
			tv_category_color(figure, &c->series, i), c->series.name[i]);
	/* Those of the first chart that has any: others have the same ones, or fewer. */
	for (size_t v = 0; v < c->nvalues; v++)
		for (size_t i = 0; i < c->nbounds[v] && first; i++) {
			add_key(c, key_of_dash(dash_of_bound(i)), bound_color,
				c->bound[v][i] == c->x ? "equal" : tv_cells_words(c->bound[v][i]));
			first = i + 1 < c->nbounds[v];
		}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_panel *panel = slot->panel;
	struct chart *c = slot->state = tv_alloc(1, sizeof *c);
	const char *log;
	int rc;

	c->spec = panel->spec;
	rc = tv_cells_table(figure, panel, &c->table, err);
	if (rc != 0)
		return rc;
	log = tv_panel_option(figure, panel, "log");
	c->log_x = strchr(log, 'x') != NULL;
	c->log_y = strchr(log, 'y') != NULL;
	c->points = c->spec->points || tv_panel_choice(figure, panel, "kind") == 1;
	if (choose_columns(figure, panel, c, err) < 0 || choose_groups(figure, panel, c, err) < 0)
		return -1;
	c->log_x = c->log_x && !c->named;
	read_items(c);
	if (c->n == 0)
		return tv_panel_nothing(figure, panel, "no row has a value of x");
	read_ticks(c);
	if (c->spec->fit && !c->named)
		add_fit(c);
	set_words(figure, c);
	return read_marks(figure, panel, c, err);
}

/* ---- places ---- */

/* Residuals have both signs. */
static bool is_log(const struct chart *c, const struct tv_column *column)
{
	return c->log_y && (c->fitted.ncols == 0 || column != c->fitted.col[1]);
}

static bool y_of(const struct chart *c, const struct tv_column *column, uint32_t row, double *y)
{
	return tv_cells_number(column, row, y) && (!is_log(c, column) || *y > 0);
}

struct grid {
	uint32_t columns, n;
	double width, height; /* of a tile, all included; of its data area */
};

static struct grid grid_of(const struct chart *c, double width)
{
	struct grid grid = { .n = (uint32_t)c->nvalues * c->facet.n };
	double inner;

	grid.columns = (uint32_t)fmax(1, floor((width + tile_gap) / (tile_min + tile_gap)));
	grid.columns = grid.columns < grid.n ? grid.columns : grid.n;
	/* Values side by side, groups below each other, where that fits. */
	if (c->nvalues > 1 && c->facet.n > 1 && grid.columns >= c->nvalues)
		grid.columns = (uint32_t)c->nvalues;
	grid.width = fmin(tile_max, (width - tile_gap * (grid.columns - 1)) / grid.columns);
	inner = grid.width - 20;
	grid.height = fmin(height_max, fmax(height_min, low_share * inner));
	return grid;
}

static double tile_height(const struct grid *grid)
{
	return TV_PLANE_ABOVE + grid->height + TV_PLANE_BELOW + tile_below;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct chart *c = slot->state;
	double width = tv_slot_width(figure, slot);
	struct grid grid = grid_of(c, width);

	(void)height;
	slot->request.height = tv_strip_height(figure, c->title, c->key, c->nkeys, width)
			     + (grid.n + grid.columns - 1) / grid.columns * tile_height(&grid)
			     + figure->scene->cell;
	slot->request.min = slot->request.height;
}

/* The scale of a value column, the same in all groups. Bounds may go beyond it, but a fit is in it. */
static struct tv_scale up_of(struct tv_figure *figure, const struct chart *c, size_t v,
			     double height)
{
	double low = INFINITY, high = -INFINITY, bounds = -INFINITY, y, from, to;
	bool log = is_log(c, c->value[v]);

	for (size_t i = 0; i < c->n; i++) {
		if (y_of(c, c->value[v], c->item[i].row, &y)) {
			low = fmin(low, y);
			high = fmax(high, y);
		}
		if (whisker_of(c, v, c->item[i].row, &from, &to)) {
			low = fmin(low, from);
			high = fmax(high, to);
		}
		for (size_t b = 0; b < c->nbounds[v]; b++)
			if (y_of(c, c->bound[v][b], c->item[i].row, &y)) {
				bounds = fmax(bounds, y);
				low = c->fitted.ncols > 0 ? fmin(low, y) : low;
			}
	}
	for (const char *at = c->levels[v]; at != NULL && *at != '\0';) {
		y = tv_levels_next(&at);
		if (log && !(y > 0))
			continue;
		low = fmin(low, y);
		high = fmax(high, y);
	}
	if (!(low <= high))
		low = high = 1;
	if (bounds > high)
		high = fmin(bounds, log ? high * 2 : high + 0.3 * fabs(high));
	if (!log && low > 0)
		low = low < high / 2 ? 0 : low - 0.05 * (high - low);
	return tv_scale_for(figure->scene->text, low, high, log, false, height, NULL, 0);
}

static struct tv_scale across_of(struct tv_figure *figure, const struct chart *c, double width)
{
	if (c->named)
		return tv_scale_names(figure->scene->text, (const char *const *)c->at.name, c->at.n,
				      width, false);
	return tv_scale_for(figure->scene->text, c->tick[0], c->tick[c->nticks - 1], c->log_x, true,
			    width, c->tick, c->nticks);
}

/* ---- drawing ---- */

static uint32_t describe(struct tv_scene *scene, const struct chart *c, size_t v,
			 const struct item *item)
{
	char text[400], value[64], x[64];
	double y;

	if (!scene->labels || !tv_cells_number(c->value[v], item->row, &y))
		return 0;
	tv_number_text(value, sizeof value, y);
	tv_number_text(x, sizeof x, item->x);
	snprintf(text, sizeof text, "%s%s%s %s: %s %s",
		 c->series.n > 1 ? c->series.name[item->series] : "", c->series.n > 1 ? ", " : "",
		 c->x->name, c->named ? c->at.name[(size_t)item->x] : x, c->value[v]->name, value);
	return tv_scene_string(scene, text);
}

static void draw_whisker(struct tv_scene *scene, const struct chart *c, size_t v,
			 const struct tv_plane *plane, const struct item *item, uint32_t color)
{
	struct tv_point at[2];
	double low, high;

	if (!whisker_of(c, v, item->row, &low, &high) || !tv_plane_at(plane, item->x, low, &at[0])
	    || !tv_plane_at(plane, item->x, high, &at[1]))
		return;
	tv_scene_pen(scene, "whisker", c->series.name[item->series]);
	scene->pen.row = item->row;
	scene->pen.stroke = color;
	scene->pen.width = 0.6;
	tv_scene_line(scene, TV_PAGE, at[0].x, at[0].y, at[1].x, at[1].y);
	for (size_t i = 0; i < TV_COUNT(at); i++)
		tv_scene_line(scene, TV_PAGE, at[i].x - whisker_width / 2, at[i].y,
			      at[i].x + whisker_width / 2, at[i].y);
}

/* Items [from, to) of one series in one chart. */
static void draw_series(struct tv_figure *figure, const struct chart *c, size_t v,
			const struct tv_plane *plane, size_t from, size_t to)
{
	struct tv_scene *scene = figure->scene;
	uint32_t series = c->item[from].series,
		 color = tv_category_color(figure, &c->series, series);
	struct tv_point *point = tv_alloc(to - from, sizeof *point);
	const char *name = c->series.name[series];
	bool dots = c->points || plane->width / (double)c->nticks >= dots_apart;
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (y_of(c, c->value[v], c->item[i].row, &point[n].y))
			point[n++].x = c->item[i].x;
	if (!c->points) {
		tv_scene_pen(scene, "line", name);
		scene->pen.stroke = color;
		scene->pen.width = line_width;
		scene->pen.dash = tv_category_dash(series);
		tv_plane_line(scene, plane, point, n);
	}
	for (size_t i = from; i < to && dots; i++) {
		struct tv_point at;
		double y;

		draw_whisker(scene, c, v, plane, &c->item[i], color);
		if (!y_of(c, c->value[v], c->item[i].row, &y)
		    || !tv_plane_at(plane, c->item[i].x, y, &at))
			continue;
		tv_scene_pen(scene, "point", name);
		scene->pen.row = c->item[i].row;
		scene->pen.label = describe(scene, c, v, &c->item[i]);
		tv_bullet_draw(scene, at.x, at.y, c->points && c->n > 200 ? 1.1 : 1.4, color,
			       color);
	}
	tv_free(point);
}

static void draw_bound_line(struct tv_scene *scene, const struct chart *c,
			    const struct tv_column *column, size_t b, uint32_t color,
			    const struct tv_plane *plane, const struct item *item, size_t n)
{
	struct tv_point *point = tv_alloc(n, sizeof *point);
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (y_of(c, column, item[i].row, &point[m].y)
		    && (m == 0 || item[i].x > point[m - 1].x))
			point[m++].x = item[i].x;
	tv_scene_pen(scene, "bound", column->name);
	scene->pen.stroke = color;
	scene->pen.width = 0.7;
	scene->pen.dash = dash_of_bound(b);
	tv_plane_line(scene, plane, point, m);
	tv_free(point);
}

/* Whether all rows of one x, sorted by x, have the same value. */
static bool is_common(const struct chart *c, const struct tv_column *column,
		      const struct item *item, size_t n)
{
	double last = 0, y;
	size_t of = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		if (!y_of(c, column, item[i].row, &y))
			continue;
		if (of != SIZE_MAX && item[of].x == item[i].x && fabs(y - last) > 1e-9 * fabs(y))
			return false;
		of = i;
		last = y;
	}
	return true;
}

/* A bound is one gray line if it is the same for all series, else one in the color of each. */
static void draw_bounds(struct tv_figure *figure, const struct chart *c, size_t v,
			const struct tv_plane *plane, size_t from, size_t to)
{
	struct tv_scene *scene = figure->scene;
	struct item *sorted = tv_alloc(to - from, sizeof *sorted);

	memcpy(sorted, c->item + from, (to - from) * sizeof *sorted);
	qsort(sorted, to - from, sizeof *sorted, by_x);
	for (size_t b = 0; b < c->nbounds[v]; b++) {
		const struct tv_column *column = c->bound[v][b];

		if (is_common(c, column, sorted, to - from)) {
			draw_bound_line(scene, c, column, b, bound_color, plane, sorted, to - from);
			continue;
		}
		for (size_t i = from, end; i < to; i = end) {
			for (end = i; end < to && c->item[end].series == c->item[i].series; end++)
				;
			draw_bound_line(scene, c, column, b,
					tv_category_color(figure, &c->series, c->item[i].series),
					plane, c->item + i, end - i);
		}
	}
	tv_free(sorted);
}

/* title: that of the axis above the data area; names of boundaries are beside it. */
static void draw_reference_lines(struct tv_scene *scene, const struct chart *c, size_t v,
				 const struct tv_plane *plane, const char *title)
{
	struct tv_point at;
	double used = plane->x + tv_text_width(scene->text, title, TV_TEXT_SMALL, false) + 4;

	tv_levels_draw(scene, plane, c->levels[v]);
	for (size_t i = 0; i < c->nmarks; i++) {
		double width = tv_text_width(scene->text, c->mark[i].text, TV_TEXT_SMALL, false),
		       left;

		if ((c->log_x && !(c->mark[i].at > 0))
		    || !tv_plane_at(plane, c->mark[i].at, plane->up.low, &at))
			continue;
		tv_scene_pen(scene, "boundary", "boundaries");
		scene->pen.stroke = c->mark[i].color;
		scene->pen.width = 0.5;
		scene->pen.dash = TV_DOTTED;
		tv_scene_line(scene, TV_PAGE, at.x, plane->y, at.x, plane->y + plane->height);
		/* Left of its line, as a boundary ends what it names; that of a column also right. */
		left = at.x - width;
		if (left < used && c->mark[i].column)
			left = at.x;
		if (c->mark[i].text[0] == '\0' || left < used
		    || left + width > plane->x + plane->width)
			continue;
		tv_scene_pen(scene, "boundary-label", "boundaries");
		scene->pen.fill = TV_DIM;
		tv_scene_text(scene, left, plane->y - TV_PLANE_ABOVE / 2, TV_LEFT, TV_TEXT_SMALL,
			      false, c->mark[i].text);
		used = left + width + 4;
	}
}

static void draw_tile(struct tv_figure *figure, const struct chart *c, size_t v, uint32_t facet,
		      struct tv_plane *plane)
{
	struct tv_scene *scene = figure->scene;
	size_t from = 0, to;
	struct tv_cells_title value = { "" }, x = { "" };
	char up[300];

	while (from < c->n && c->item[from].facet != facet)
		from++;
	for (to = from; to < c->n && c->item[to].facet == facet; to++)
		;
	snprintf(up, sizeof up, "%s%s%s", c->facet.n > 1 ? c->facet.name[facet] : "",
		 c->facet.n > 1 ? ": " : "", tv_cells_title(&value, c->value[v]));
	tv_plane_grid(scene, plane);
	draw_reference_lines(scene, c, v, plane, up);
	draw_bounds(figure, c, v, plane, from, to);
	for (size_t i = from, end; i < to; i = end) {
		for (end = i; end < to && c->item[end].series == c->item[i].series; end++)
			;
		draw_series(figure, c, v, plane, i, end);
	}
	tv_plane_axes(scene, plane, tv_cells_title(&x, c->x), up);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct chart *c = slot->state;
	const struct tv_place *place = &slot->place;
	struct grid grid = grid_of(c, place->width);
	double strip = tv_strip_height(figure, c->title, c->key, c->nkeys, place->width), left = 0;
	struct tv_scale up[TV_CELLS_COLUMNS] = { { .n = 0 } };

	for (size_t v = 0; v < c->nvalues; v++) {
		up[v] = up_of(figure, c, v, grid.height);
		left = fmax(left, tv_plane_left(figure->scene->text, &up[v]));
	}
	tv_strip_draw(figure, c->title, c->key, c->nkeys, place->x, place->y + strip, place->width);
	for (uint32_t i = 0; i < grid.n; i++) {
		struct tv_plane plane = {
			.x = place->x + i % grid.columns * (grid.width + tile_gap) + left,
			.y = place->y + strip + i / grid.columns * tile_height(&grid)
			   + TV_PLANE_ABOVE,
			.width = grid.width - left - 2,
			.height = grid.height,
			.up = up[i % c->nvalues],
		};

		if (plane.y + plane.height + TV_PLANE_BELOW > place->y + place->height + 0.5)
			break;
		plane.across = across_of(figure, c, plane.width);
		draw_tile(figure, c, i % c->nvalues, i / (uint32_t)c->nvalues, &plane);
	}
}

static void release(struct tv_slot *slot)
{
	struct chart *c = slot->state;

	tv_table_release(&c->fitted);
	tv_categories_release(&c->at);
	tv_categories_release(&c->series);
	tv_categories_release(&c->facet);
	tv_free(c->item);
	tv_free(c->tick);
	tv_free(c);
}

#define CHART_OPTIONS(pass) \
	TV_OPTION_PASS_OR(pass), { "x", "COLUMN", NULL, "horizontal axis: numbers, or names" }, \
		{ "y", "COLUMN,...", NULL, "values, a chart for each column", TV_OPTION_LIST }, \
		{ "series", "COLUMN,...", NULL, "a line for each value of these columns", \
		  TV_OPTION_LIST }, \
		{ "facet", "COLUMN,...", NULL, "a chart for each value of these columns", \
		  TV_OPTION_LIST }, \
		{ "bounds", "COLUMN,...", NULL, "dashed lines: values to compare with", \
		  TV_OPTION_LIST }, \
		{ "levels", "VALUE,...", NULL, "horizontal lines", TV_OPTION_LIST }, \
		{ "boundaries", "N[=TEXT]|/N,...", NULL, \
		  "vertical lines, such as the last core of a socket; /N: at all multiples of " \
		  "N" }, \
		{ "platform", "NAME|FILE", NULL, \
		  "vertical lines at the last core of each cache and memory of a platform" }, \
		{ "marks", "COLUMN", NULL, "vertical lines at the values of this column" }, \
		{ "kind", "lines|points", "lines", "how rows are drawn", TV_OPTION_CHOICE }, \
	{ \
		"log", "none|x|y|xy", "none", "axes with logarithmic scales", TV_OPTION_CHOICE \
	}

static const struct tv_option_spec options[] = { CHART_OPTIONS(NULL) };
static const struct tv_option_spec alpha_options[] = { CHART_OPTIONS("dedicate"),
						       TV_OPTIONS_DEDICATE };
static const struct tv_pass_option for_alpha[] = { { "show", "alpha" },
						   { "cores", NULL },
						   { "dedicated", NULL },
						   { "compute-factor", NULL },
						   { NULL, NULL } };

#define CHART_PANEL \
	.kind = TV_FREE, .share = 3, .prepare = prepare, .measure = measure, .layout = layout, \
	.release = release

static const struct chart_spec any = { .title = NULL };

const struct tv_panel tv_panel_chart = {
	.name = "chart",
	.title = "lines or points over any table",
	.needs = "a table that is no trace, or option pass",
	.table = "",
	TV_OPTIONS(options),
	CHART_PANEL,
	.spec = &any,
};

static const struct chart_spec sweep = {
	.title = "speedup and efficiency by number of workers",
	.x = "Workers",
	.series = "Scheduler,Model",
	.facet = NULL,
	.value = { { "Speedup", "Ideal,AbeSpeedup,CpeSpeedup", NULL, "MinSpeedup", "MaxSpeedup" },
		   { "Efficiency", NULL, "1", "MinEfficiency", "MaxEfficiency" } },
};

const struct tv_panel tv_panel_sweep = {
	.name = "sweep",
	.title = "speedup and efficiency by number of workers, with bounds",
	.needs = "a table of simulate --sweep",
	.table = "Workers Speedup Efficiency",
	TV_OPTIONS(options),
	CHART_PANEL,
	.spec = &sweep,
};

static const struct chart_spec precision = {
	.title = "error of simulations; positive: optimistic",
	.x = "Workers|Cores|Threads|Case",
	.series = "Model",
	.facet = "Algorithm|Program",
	.value = { { "Error", NULL, "0", NULL, NULL } },
};

const struct tv_panel tv_panel_precision = {
	.name = "precision",
	.title = "signed error of simulations, a line for each model",
	.needs = "a table of precision",
	.table = "Model Error",
	TV_OPTIONS(options),
	CHART_PANEL,
	.spec = &precision,
};

static const struct chart_spec alpha = {
	.title = "dedicated cores: speedup and time over alpha",
	.x = "Alpha",
	.series = "Case|Configuration",
	.value = { { "Speedup", NULL, "1" }, { "DedicatedTime", "MeanTime", NULL } },
	.marks = "BreakEven",
};

const struct tv_panel tv_panel_alpha_curves = {
	.name = "alpha-curves",
	.title = "predicted speedup with dedicated cores over alpha, with the break-even",
	.needs = "calls of MPI with the cores of ranks, or a table of dedicate --show alpha",
	.table = "Alpha DedicatedTime Speedup",
	TV_OPTIONS(alpha_options),
	.pass_option = for_alpha,
	CHART_PANEL,
	.spec = &alpha,
};

static const struct chart_spec prediction_of = {
	.title = "predicted against measured; below the line: optimistic",
	.x = "MeasuredTime",
	.series = "Model",
	.value = { { "PredictedTime", "MeasuredTime", NULL } },
	.points = true,
};

const struct tv_panel tv_panel_prediction = {
	.name = "prediction",
	.title = "predicted times against measured ones",
	.needs = "a table with predicted and measured times",
	.table = "PredictedTime MeasuredTime",
	TV_OPTIONS(options),
	CHART_PANEL,
	.spec = &prediction_of,
};

static const struct chart_spec scaling_of = {
	.title = "time by threads, and fit serial + parallel / threads",
	.x = "Threads|Cores|Workers",
	.series = "Program|Scheduler",
	.value = { { "Time|MeasuredTime|Makespan", NULL, NULL } },
	.fit = true,
};

const struct tv_panel tv_panel_scaling = {
	.name = "scaling",
	.title = "time over threads, with a fit and its residuals",
	.needs = "a table with times by the number of threads, cores or workers",
	.table = "Threads Time",
	TV_OPTIONS(options),
	CHART_PANEL,
	.spec = &scaling_of,
};
