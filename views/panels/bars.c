/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bars.c -- the panel of stacked bars over any table: a bar per category, layers by columns or rows. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/cells.h"
#include "views/charts/plane.h"
#include "views/shared/panel.h"

enum { LAYERS_MAX = 48, BARS_MAX = 5000 };

static const double bar_share = 0.72, one_bar = 34, chart_height = 110, below = 4; /* points */

struct bars {
	const struct tv_table *table;
	const struct tv_column *value[TV_CELLS_COLUMNS];
	size_t nvalues;
	const char *x_name;
	struct tv_categories x, series;
	uint32_t layers;  /* series of one value column, or the value columns */
	double *sum;	  /* of layer l of bar i: [i * layers + l] */
	double low, high; /* of the stacks */
	char title[200];
	struct tv_key key[LAYERS_MAX];
};

static int choose_columns(const struct tv_figure *figure, const struct tv_panel *panel,
			  struct bars *b, struct tv_error *err)
{
	const struct tv_column *x[TV_CELLS_COLUMNS], *series[TV_CELLS_COLUMNS];
	size_t nx, nseries;

	if (tv_cells_columns(figure, panel, b->table, "x", NULL, x, &nx, err) < 0
	    || tv_cells_columns(figure, panel, b->table, "series", NULL, series, &nseries, err) < 0
	    || tv_cells_columns(figure, panel, b->table, "y", NULL, b->value, &b->nvalues, err) < 0)
		return -1;
	if (nx == 0 || b->nvalues == 0)
		return tv_fail_usage(err, "panel bars: --bars.%s is missing, expected a column",
				     nx == 0 ? "x" : "y");
	if (nseries > 0 && b->nvalues > 1)
		return tv_fail_usage(err, "--bars.series with several columns of values, expected "
					  "layers by one of both");
	for (size_t i = 0; i < b->nvalues; i++)
		if (!tv_cells_numeric(b->table, b->value[i]))
			return tv_fail_usage(err, "--bars.y: column '%s' has no numbers",
					     b->value[i]->name);
	tv_categories_init(&b->x, b->table, x, nx, NULL);
	tv_categories_init(&b->series, b->table, series, nseries, "-");
	b->x_name = tv_cells_words(x[nx - 1]->name);
	b->layers = nseries > 0 ? b->series.n : (uint32_t)b->nvalues;
	if (b->layers > LAYERS_MAX || b->x.n > BARS_MAX)
		return tv_fail_usage(err,
				     "panel bars: %u bars of %u layers, max %d of %d; --where "
				     "chooses rows",
				     b->x.n, b->layers, BARS_MAX, LAYERS_MAX);
	return 0;
}

/* Rows of one bar and layer add up. */
static void read_sums(struct bars *b)
{
	b->sum = tv_alloc((size_t)b->x.n * b->layers + 1, sizeof *b->sum);
	for (uint32_t row = 0; row < b->table->nrows; row++)
		for (size_t v = 0; v < b->nvalues && b->x.of[row] != TV_NONE; v++) {
			uint32_t layer = b->nvalues > 1 ? (uint32_t)v : b->series.of[row];
			double value;

			if (tv_cells_number(b->value[v], row, &value))
				b->sum[(size_t)b->x.of[row] * b->layers + layer] += value;
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

	if (rc == 0)
		rc = choose_columns(figure, slot->panel, b, err);
	if (rc != 0)
		return rc;
	read_sums(b);
	if (b->x.n == 0)
		return tv_panel_nothing(figure, slot->panel, "no row has a value of x");
	if (!isfinite(b->low) || !isfinite(b->high))
		return tv_panel_nothing(figure, slot->panel, "a sum of values is not finite");
	snprintf(b->title, sizeof b->title, "%s by %s",
		 b->nvalues == 1 ? tv_cells_words(b->value[0]->name) : "values", b->x_name);
	for (uint32_t l = 0; l < b->layers; l++) {
		b->key[l] = (struct tv_key){ .kind = TV_KEY_AREA, .color = tv_category_color(l) };
		tv_clean_text(b->key[l].text, TV_KEY_TEXT,
			      b->nvalues > 1 ? tv_cells_words(b->value[l]->name)
					     : b->series.name[l]);
	}
	return 0;
}

/* One layer needs no key. */
static size_t nkeys(const struct bars *b)
{
	return b->layers > 1 ? b->layers : 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct bars *b = slot->state;
	double width = slot->aside	     ? slot->place.width
		     : figure->facet != NULL ? figure->width
					     : figure->scene->width - 2 * TV_MARGIN;

	(void)height;
	slot->request.height = tv_strip_height(figure, b->title, b->key, nkeys(b), width) + 3
			     + chart_height + TV_PLANE_BELOW + below;
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
		scene->pen.fill = tv_category_color(l);
		snprintf(text, sizeof text, "%s%s%s: %g", b->x.name[i], b->layers > 1 ? ", " : "",
			 b->layers > 1 ? b->key[l].text : "", sum);
		scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
		tv_scene_rect(scene, TV_PAGE, from.x, fmin(from.y, to.y), to.x, fmax(from.y, to.y));
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct bars *b = slot->state;
	struct tv_scene *scene = figure->scene;
	const struct tv_place *place = &slot->place;
	double strip = tv_strip_height(figure, b->title, b->key, nkeys(b), place->width);
	struct tv_plane plane = { .y = place->y + strip + 3, .height = chart_height };
	double left;

	plane.up = tv_scale_for(scene->text, b->low, fmax(b->high, b->low < 0 ? 0 : 1e-300), false,
				false, plane.height, NULL, 0);
	left = tv_plane_left(scene->text, &plane.up);
	plane.x = place->x + left;
	plane.width = fmin(place->width - left - 2, one_bar * b->x.n);
	plane.across = tv_scale_names(scene->text, (const char *const *)b->x.name, b->x.n,
				      plane.width);
	tv_strip_draw(figure, b->title, b->key, nkeys(b), place->x, place->y + strip, place->width);
	if (plane.width < 10 || plane.y + plane.height > place->y + place->height)
		return;
	tv_plane_grid(scene, &plane);
	for (uint32_t i = 0; i < b->x.n; i++)
		draw_bar(scene, b, &plane, i);
	tv_plane_axes(scene, &plane, b->x_name, NULL);
}

static void release(struct tv_slot *slot)
{
	struct bars *b = slot->state;

	tv_categories_release(&b->x);
	tv_categories_release(&b->series);
	tv_free(b->sum);
	tv_free(b);
}

static const struct tv_option_spec options[] = {
	TV_OPTION_PASS,
	{ "x", "COLUMN,...", NULL, "a bar for each value of these columns", TV_OPTION_LIST },
	{ "y", "COLUMN,...", NULL, "values: layers of the bars, if there are several",
	  TV_OPTION_LIST },
	{ "series", "COLUMN,...", NULL, "a layer for each value of these columns, of one column y",
	  TV_OPTION_LIST },
};

const struct tv_panel tv_panel_bars = {
	.name = "bars",
	.title = "stacked bars over any table",
	.needs = "a table that is no trace, or option pass",
	.kind = TV_FREE,
	.share = 3,
	.table = "",
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
