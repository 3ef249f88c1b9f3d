/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bars.c -- panels of stacked bars over any table: a bar per category, layers by columns or rows, or
 * the median, min and max of several parts, such as ranks. `overlap-bars` and `impact-bars` are this
 * panel with the columns of the passes overlap and dedicate.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/cells.h"
#include "views/charts/levels.h"
#include "views/charts/plane.h"
#include "views/shared/panel.h"

enum { LAYERS_MAX = 48, BARS_MAX = 5000, PARTS_MAX = 10000000 };

static const double bar_share = 0.72, one_bar = 34, chart_height = 110, below = 4; /* points */
static const double whisker_share = 0.3;

/* A named panel: columns and lines if no option names others. */
struct bars_spec {
	const char *title, *x, *y, *over, *levels;
};

/* Of the sums of the parts of a bar. */
struct spread {
	double min, median, max;
	uint32_t n;
};

struct bars {
	const struct bars_spec *spec;
	const struct tv_table *table;
	const struct tv_column *value[TV_CELLS_COLUMNS];
	size_t nvalues;
	struct tv_cells_title x_title, y_title;
	struct tv_categories x, series, over;
	struct spread *spread; /* by bar; NULL: no parts */
	const char *levels;
	uint32_t layers;  /* series of one value column, or the value columns */
	double *sum;	  /* of layer l of bar i: [i * layers + l] */
	double low, high; /* of the stacks */
	char title[400];
	struct tv_key key[LAYERS_MAX];
};

/* One column: what it is; several: their unit, if they have the same. */
static void set_y_title(struct bars *b)
{
	const char *unit = tv_cells_unit(b->value[0]);

	tv_cells_title(&b->y_title, b->value[0]);
	for (size_t v = 1; v < b->nvalues; v++)
		if (strcmp(unit, tv_cells_unit(b->value[v])) != 0)
			unit = "";
	if (b->nvalues > 1)
		snprintf(b->y_title.text, sizeof b->y_title.text, "%s", unit);
}

/* 0, TV_NOTHING or -1, as prepare. */
static int choose_columns(struct tv_figure *figure, const struct tv_panel *panel, struct bars *b,
			  struct tv_error *err)
{
	const struct tv_column *x[TV_CELLS_COLUMNS], *series[TV_CELLS_COLUMNS], *over;
	size_t nx, nseries;

	if (tv_cells_columns(figure, panel, b->table, "x", b->spec->x, x, &nx, err) < 0
	    || tv_cells_columns(figure, panel, b->table, "series", NULL, series, &nseries, err) < 0
	    || tv_cells_column(figure, panel, b->table, "over", b->spec->over, &over, err) < 0
	    || tv_cells_columns(figure, panel, b->table, "y", b->spec->y, b->value, &b->nvalues,
				err)
		       < 0)
		return -1;
	if (nx == 0 || b->nvalues == 0)
		return tv_fail_usage(err, "panel %s: --%s.%s is missing, expected a column",
				     panel->name, panel->name, nx == 0 ? "x" : "y");
	if (nseries > 0 && b->nvalues > 1)
		return tv_fail_usage(err,
				     "--%s.series with several columns of values, expected "
				     "layers by one of both",
				     panel->name);
	for (size_t i = 0; i < b->nvalues; i++) {
		char why[160];

		if (tv_cells_numeric(b->table, b->value[i]))
			continue;
		if (tv_panel_option(figure, panel, "y") != NULL)
			return tv_fail_usage(err, "--%s.y: column '%s' has no numbers", panel->name,
					     b->value[i]->name);
		snprintf(why, sizeof why, "column '%.99s' has no numbers", b->value[i]->name);
		return tv_panel_nothing(figure, panel, why);
	}
	tv_categories_init(&b->x, b->table, x, nx, NULL);
	tv_categories_init(&b->series, b->table, series, nseries, "-");
	if (over != NULL)
		tv_categories_init(&b->over, b->table, &over, 1, NULL);
	tv_cells_title(&b->x_title, x[nx - 1]);
	set_y_title(b);
	b->layers = nseries > 0 ? b->series.n : (uint32_t)b->nvalues;
	if (b->layers > LAYERS_MAX || b->x.n > BARS_MAX)
		return tv_fail_usage(err,
				     "panel %s: %u bars of %u layers, max %d of %d; --where "
				     "chooses rows",
				     panel->name, b->x.n, b->layers, BARS_MAX, LAYERS_MAX);
	if ((uint64_t)b->x.n * b->over.n > PARTS_MAX)
		return tv_fail_usage(err,
				     "panel %s: %u bars over %u parts, max %d together; --where "
				     "chooses rows",
				     panel->name, b->x.n, b->over.n, PARTS_MAX);
	return 0;
}

static bool is_used(const struct bars *b, uint32_t row)
{
	return b->x.of[row] != TV_NONE && (b->over.of == NULL || b->over.of[row] != TV_NONE);
}

/* Rows of one bar and layer add up. */
static void read_sums(struct bars *b)
{
	b->sum = tv_alloc((size_t)b->x.n * b->layers + 1, sizeof *b->sum);
	for (uint32_t row = 0; row < b->table->nrows; row++)
		for (size_t v = 0; v < b->nvalues && is_used(b, row); v++) {
			uint32_t layer = b->nvalues > 1 ? (uint32_t)v : b->series.of[row];
			double value;

			if (tv_cells_number(b->value[v], row, &value))
				b->sum[(size_t)b->x.of[row] * b->layers + layer] += value;
		}
}

/* The sum of each part of each bar; NaN: it has no row. *negative: some value is. */
static double *part_sums(const struct bars *b, bool *negative)
{
	size_t n = (size_t)b->x.n * b->over.n;
	double *sum = tv_alloc(n + 1, sizeof *sum);

	for (size_t i = 0; i < n; i++)
		sum[i] = NAN;
	for (uint32_t row = 0; row < b->table->nrows; row++)
		for (size_t v = 0; v < b->nvalues && is_used(b, row); v++) {
			double *at = &sum[(size_t)b->x.of[row] * b->over.n + b->over.of[row]],
			       value;

			if (!tv_cells_number(b->value[v], row, &value))
				continue;
			*at = (isnan(*at) ? 0 : *at) + value;
			*negative = *negative || value < 0;
		}
	return sum;
}

/* A bar becomes as high as the median of its parts; its layers have their shares of all parts. */
static void set_spread(struct bars *b, uint32_t i, double *part)
{
	struct spread *s = &b->spread[i];
	double all = 0, *layer = b->sum + (size_t)i * b->layers;

	for (uint32_t k = 0; k < b->over.n; k++)
		if (!isnan(part[k])) {
			all += part[k];
			part[s->n++] = part[k];
		}
	if (s->n == 0)
		return;
	qsort(part, s->n, sizeof *part, tv_compare_double);
	*s = (struct spread){ part[0], part[(s->n - 1) / 2] / 2 + part[s->n / 2] / 2,
			      part[s->n - 1], s->n };
	for (uint32_t l = 0; l < b->layers; l++)
		layer[l] = all > 0 ? layer[l] * (s->median / all) : 0;
	b->high = fmax(b->high, s->max);
}

static int read_spreads(struct bars *b, const struct tv_panel *panel, struct tv_error *err)
{
	bool negative = false;
	double *part;

	if (b->over.of == NULL)
		return 0;
	part = part_sums(b, &negative);
	b->spread = tv_alloc((size_t)b->x.n + 1, sizeof *b->spread);
	for (uint32_t i = 0; i < b->x.n && !negative; i++)
		set_spread(b, i, part + (size_t)i * b->over.n);
	tv_free(part);
	if (negative)
		return tv_fail_usage(err, "--%s.over with values below 0, expected times or counts",
				     panel->name);
	return 0;
}

static void find_ends(struct bars *b)
{
	for (const char *at = b->levels; at != NULL && *at != '\0';) {
		double level = tv_levels_next(&at);

		b->low = fmin(b->low, level);
		b->high = fmax(b->high, level);
	}
	for (uint32_t i = 0; i < b->x.n; i++) {
		double up = 0, down = 0;

		for (uint32_t l = 0; l < b->layers; l++) {
			double sum = b->sum[(size_t)i * b->layers + l];

			up += fmax(sum, 0);
			down += fmin(sum, 0);
		}
		b->high = fmax(b->high, up);
		b->low = fmin(b->low, down);
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct bars *b = slot->state = tv_alloc(1, sizeof *b);
	int rc = tv_cells_table(figure, slot->panel, &b->table, err);

	b->spec = slot->panel->spec;
	if (rc == 0)
		rc = choose_columns(figure, slot->panel, b, err);
	if (rc == 0)
		rc = tv_levels_option(figure, slot->panel, b->spec->levels, &b->levels, err);
	if (rc != 0)
		return rc;
	read_sums(b);
	if (read_spreads(b, slot->panel, err) < 0)
		return -1;
	find_ends(b);
	if (b->x.n == 0)
		return tv_panel_nothing(figure, slot->panel, "no row has a value of x");
	if (!isfinite(b->low) || !isfinite(b->high))
		return tv_panel_nothing(figure, slot->panel, "a sum of values is not finite");
	if (b->spec->title != NULL)
		snprintf(b->title, sizeof b->title, "%s", b->spec->title);
	else
		snprintf(b->title, sizeof b->title, "%s by %s",
			 b->nvalues == 1 ? b->y_title.text : "values", b->x_title.text);
	for (uint32_t l = 0; l < b->layers; l++) {
		b->key[l] = (struct tv_key){
			.kind = TV_KEY_AREA,
			.color = b->nvalues > 1 ? tv_cells_color(b->value[l], l)
						: tv_category_color(figure, &b->series, l)
		};
		tv_clean_text(b->key[l].text, TV_KEY_TEXT,
			      b->nvalues > 1 ? tv_cells_words(b->value[l]) : b->series.name[l]);
	}
	return 0;
}

/* One layer needs no key. */
static size_t nkeys(const struct bars *b)
{
	return b->layers > 1 ? b->layers : 0;
}

static double above(const struct bars *b)
{
	return b->y_title.text[0] != '\0' ? TV_PLANE_ABOVE : 3;
}

/* The axes, in a width with that of their labels. */
static struct tv_plane plane_of(const struct bars *b, struct tv_text *text, double width)
{
	struct tv_plane plane = { .height = chart_height };

	plane.up = tv_scale_for(text, b->low, fmax(b->high, b->low < 0 ? 0 : 1e-300), false, false,
				plane.height, NULL, 0);
	plane.x = tv_plane_left(text, &plane.up);
	plane.width = fmin(width - plane.x - 2, one_bar * b->x.n);
	plane.across = tv_scale_names(text, (const char *const *)b->x.name, b->x.n, plane.width,
				      true);
	return plane;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct bars *b = slot->state;
	double width = tv_slot_width(figure, slot);
	struct tv_plane plane = plane_of(b, figure->scene->text, width);

	(void)height;
	slot->request.height = tv_strip_height(figure, b->title, b->key, nkeys(b), width) + above(b)
			     + chart_height + TV_PLANE_BELOW + below
			     + (plane.across.two_lines ? TV_PLANE_LINE : 0);
	slot->request.min = slot->request.height;
}

static void draw_bar(struct tv_scene *scene, const struct bars *b, const struct tv_plane *plane,
		     uint32_t i)
{
	double end[2] = { 0, 0 }; /* of the layers below 0, above it */

	for (uint32_t l = 0; l < b->layers; l++) {
		double sum = b->sum[(size_t)i * b->layers + l], *at = &end[sum > 0];
		struct tv_point from, to;
		char text[400];

		if (sum == 0)
			continue;
		tv_plane_at(plane, i - bar_share / 2, *at, &from);
		*at += sum;
		tv_plane_at(plane, i + bar_share / 2, *at, &to);
		tv_scene_pen(scene, "bar", b->layers > 1 ? b->key[l].text : "bars");
		scene->pen.fill = b->key[l].color;
		snprintf(text, sizeof text, "%s%s%s: %g", b->x.name[i], b->layers > 1 ? ", " : "",
			 b->layers > 1 ? b->key[l].text : "", sum);
		scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
		tv_scene_rect(scene, TV_PAGE, from.x, fmin(from.y, to.y), to.x, fmax(from.y, to.y));
	}
}

/* From min to max of the parts, in the middle of their bar. */
static void draw_whisker(struct tv_scene *scene, const struct bars *b, const struct tv_plane *plane,
			 uint32_t i)
{
	const struct spread *s = &b->spread[i];
	struct tv_point left, right, low, high;
	char text[400];

	if (s->n == 0)
		return;
	tv_plane_at(plane, i - whisker_share / 2, s->max, &left);
	tv_plane_at(plane, i + whisker_share / 2, s->min, &right);
	tv_plane_at(plane, i, s->min, &low);
	tv_plane_at(plane, i, s->max, &high);
	tv_scene_pen(scene, "whisker", "bars");
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.7;
	snprintf(text, sizeof text, "%s: median %g, min %g, max %g of %u", b->x.name[i], s->median,
		 s->min, s->max, s->n);
	scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
	tv_scene_line(scene, TV_PAGE, low.x, low.y, high.x, high.y);
	tv_scene_pen(scene, "whisker-end", "bars");
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.7;
	tv_scene_line(scene, TV_PAGE, left.x, left.y, right.x, left.y);
	tv_scene_line(scene, TV_PAGE, left.x, right.y, right.x, right.y);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct bars *b = slot->state;
	struct tv_scene *scene = figure->scene;
	const struct tv_place *place = &slot->place;
	double strip = tv_strip_height(figure, b->title, b->key, nkeys(b), place->width);
	struct tv_plane plane = plane_of(b, scene->text, place->width);

	plane.x += place->x;
	plane.y = place->y + strip + above(b);
	tv_strip_draw(figure, b->title, b->key, nkeys(b), place->x, place->y + strip, place->width);
	if (plane.width < 10 || plane.y + plane.height > place->y + place->height)
		return;
	tv_plane_grid(scene, &plane);
	for (uint32_t i = 0; i < b->x.n; i++)
		draw_bar(scene, b, &plane, i);
	tv_levels_draw(scene, &plane, b->levels);
	for (uint32_t i = 0; i < b->x.n && b->spread != NULL; i++)
		draw_whisker(scene, b, &plane, i);
	tv_plane_axes(scene, &plane, b->x_title.text,
		      b->y_title.text[0] != '\0' ? b->y_title.text : NULL);
}

static void release(struct tv_slot *slot)
{
	struct bars *b = slot->state;

	tv_categories_release(&b->x);
	tv_categories_release(&b->series);
	tv_categories_release(&b->over);
	tv_free(b->spread);
	tv_free(b->sum);
	tv_free(b);
}

#define BARS_OPTIONS(pass) \
	TV_OPTION_PASS_OR(pass), \
		{ "x", "COLUMN,...", NULL, "a bar for each value of these columns", \
		  TV_OPTION_LIST }, \
		{ "y", "COLUMN,...", NULL, "values: layers of the bars, if there are several", \
		  TV_OPTION_LIST }, \
		{ "series", "COLUMN,...", NULL, \
		  "a layer for each value of these columns, of one column y", TV_OPTION_LIST }, \
		{ "over", "COLUMN", NULL, \
		  "a bar is the median of the sums for each value of this column, with min and " \
		  "max" }, \
	{ \
		"levels", "VALUE,...", NULL, "horizontal lines", TV_OPTION_LIST \
	}

static const struct tv_option_spec options[] = { BARS_OPTIONS(NULL) };
static const struct tv_option_spec overlap_options[] = {
	BARS_OPTIONS("overlap"),
	{ "reference", "FILE|RUN", NULL,
	  "of a trace: times of communications and computations alone, as of overlap" },
};
static const struct tv_pass_option for_overlap[] = { { "reference", NULL }, { NULL, NULL } };
static const struct tv_option_spec impact_options[] = {
	BARS_OPTIONS("dedicate"),
	TV_OPTIONS_DEDICATE,
	{ "alpha", "N", NULL,
	  "of a trace: share of the blocking calls that become nonblocking (default 0)",
	  TV_OPTION_NUMBER, 0, 1 },
};
static const struct tv_pass_option for_impact[] = { { "cores", NULL },
						    { "dedicated", NULL },
						    { "alpha", NULL },
						    { "compute-factor", NULL },
						    { NULL, NULL } };

#define BARS_PANEL \
	.kind = TV_FREE, .share = 3, .prepare = prepare, .measure = measure, .layout = layout, \
	.release = release

static const struct bars_spec any = { .title = NULL };

const struct tv_panel tv_panel_bars = {
	.name = "bars",
	.title = "stacked bars over any table",
	.needs = "a table that is no trace, or option pass",
	.table = "",
	TV_OPTIONS(options),
	BARS_PANEL,
	.spec = &any,
};

static const struct bars_spec overlap_of = {
	.title = "call, computation and wait: median, min and max of the ranks",
	.x = "Call,ComputeTarget,CommTarget",
	.y = "CallTime,ComputeTime,WaitTime,OtherTime",
	.over = "Rank",
};

const struct tv_panel tv_panel_overlap_bars = {
	.name = "overlap-bars",
	.title = "times of call, computation and wait, with the spread of the ranks",
	.needs = "calls of MPI, or a table of overlap or examples/mpi with ranks",
	.table = "",
	TV_OPTIONS(overlap_options),
	.pass_option = for_overlap,
	BARS_PANEL,
	.spec = &overlap_of,
};

static const struct bars_spec impact = {
	.title = "predicted speedup with dedicated cores",
	.x = "Case,Rank",
	.y = "Speedup",
	.levels = "1",
};

const struct tv_panel tv_panel_impact_bars = {
	.name = "impact-bars",
	.title = "speedup that the model of dedicated cores predicts, by rank",
	.needs = "calls of MPI with the cores of ranks, or a table of dedicate",
	.table = "Rank DedicatedTime Speedup BreakEven",
	TV_OPTIONS(impact_options),
	.pass_option = for_impact,
	BARS_PANEL,
	.spec = &impact,
};
