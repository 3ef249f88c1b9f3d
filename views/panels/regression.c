/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regression.c -- the panel of durations against work, with the fits that outliers are judged by.
 * */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/tiles.h"
#include "views/charts/value.h"
#include "views/shared/panel.h"

struct model {
	struct tv_tiles tiles;		      /* one per type and resource type */
	const struct tv_table *fits, *curves; /* of the pass */
	const char *fit, *against;
	const struct tv_column *work, *outlier; /* of tasks */
	const struct tv_tasks *tasks;
	bool log;
	char title[256];
	double left; /* margin for durations, points */
};

/* One tile: its part of the tasks, and the scales. */
struct chart {
	uint32_t value, rtype;	/* labels */
	double low[2], high[2]; /* of the points: work; duration, ns */
	double from[2], to[2];	/* of the scales */
	double x, y, width;	/* top left corner on the page */
	uint32_t n, outliers;	/* points */
};

static const double chart_height = 64, tile_gap = 6, tile_min = 130, tile_max = 200, pad = 4,
		    margin = 0.06, radius = 0.9, labels = 9, square = 0.9;
enum { DOTS_MAX = 400, CURVE = 60 };

static const struct tv_key keys[] = {
	{ TV_KEY_LINE, TV_INK, "fit" },
	{ TV_KEY_DASHED, TV_INK, "prediction interval" },
	{ TV_KEY_DOT, TV_INK, "outliers" },
};

/* The point of a row, if the fits use it. */
static bool point_of(const struct model *m, uint32_t row, double at[2])
{
	if (!m->tasks->counted[row] || !tv_row_begins(m->tasks, row)
	    || !tv_task_ended(m->tasks, row) || !tv_cell_number(m->work, row, &at[0]))
		return false;
	at[1] = (double)tv_task_time(m->tasks, row);
	return at[0] > 0 && (!m->log || at[1] > 0);
}

static bool is_in(const struct model *m, const struct chart *chart, uint32_t row)
{
	return m->tasks->value[row] == chart->value
	    && m->tasks->rtype[m->tasks->workers[m->tasks->worker[row]].rtype].label
		       == chart->rtype;
}

static bool is_outlier(const struct model *m, uint32_t row)
{
	return !tv_missing(m->outlier, row) && m->outlier->i[row] != 0;
}

static int read_passes(struct tv_figure *figure, struct tv_slot *slot, struct model *m,
		       struct tv_error *err)
{
	const struct tv_table *marks;
	char points[16];
	int rc = tv_panel_pass(figure, slot->panel, "regression",
			       (const char *const[]){ "fit", m->fit, "against", m->against, NULL },
			       &m->fits, err);

	snprintf(points, sizeof points, "%d", CURVE);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "regression",
				   (const char *const[]){ "fit", m->fit, "against", m->against,
							  "points", points, NULL },
				   &m->curves, err);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "outliers",
				   (const char *const[]){ "model", "regression", "fit", m->fit,
							  "against", m->against, NULL },
				   &marks, err);
	if (rc != 0)
		return rc;
	m->outlier = tv_table_find(marks, "Outlier");
	m->tasks = &figure->run->tasks;
	m->log = strcmp(m->fit, "log") == 0;
	m->work = tv_work_column(m->tasks, m->against, err);
	return m->work == NULL ? -1 : 0;
}

static void widen(struct chart *chart, int axis, double value)
{
	chart->low[axis] = fmin(chart->low[axis], value);
	chart->high[axis] = fmax(chart->high[axis], value);
}

static bool curve_is_in(const struct model *m, const struct chart *chart, uint32_t row)
{
	return tv_label(tv_table_find(m->curves, "Value"), row) == chart->value
	    && tv_label(tv_table_find(m->curves, "ResourceType"), row) == chart->rtype;
}

/* How far a scale may reach to hold a limit as well: half as far again as the points do. */
static double reach(const struct model *m, double end, double other, double limit)
{
	double max = m->log ? exp(1.5 * log(end) - 0.5 * log(other)) : end + (end - other) / 2;

	/* Work from 1e-300 to 1e299 leaves no room. */
	if (!isfinite(max) || !isfinite(limit) || (m->log && !(max > 0)))
		return end;

	return end > other ? fmax(end, fmin(max, limit)) : fmin(end, fmax(max, limit));
}

/* The scales hold the points, and the prediction interval unless it is very wide. */
static void set_scales(const struct model *m, struct chart *chart)
{
	const double *lower = tv_table_find(m->curves, "PredictionLow")->d,
		     *upper = tv_table_find(m->curves, "PredictionHigh")->d;

	for (int axis = 0; axis < 2; axis++) {
		chart->from[axis] = chart->low[axis];
		chart->to[axis] = chart->high[axis];
	}
	for (uint32_t row = 0; row < m->curves->nrows && chart->high[1] > chart->low[1]; row++)
		if (curve_is_in(m, chart, row)) {
			chart->from[1] = fmin(
				chart->from[1],
				reach(m, chart->low[1], chart->high[1], lower[row] * 1e6));
			chart->to[1] = fmax(chart->to[1], reach(m, chart->high[1], chart->low[1],
								upper[row] * 1e6));
		}
}

static struct chart make_chart(const struct model *m, uint32_t tile, struct tv_point at)
{
	uint32_t row = m->tiles.group[tile].first;
	struct chart chart = {
		.value = tv_label(tv_table_find(m->fits, "Value"), row),
		.rtype = tv_label(tv_table_find(m->fits, "ResourceType"), row),
		.low = { INFINITY, INFINITY },
		.high = { -INFINITY, -INFINITY },
		.x = at.x + m->left,
		.y = at.y + TV_TILE_HEADING,
		.width = m->tiles.width - m->left,
	};
	double point[2];

	for (uint32_t i = 0; i < m->tasks->n; i++)
		if (point_of(m, i, point) && is_in(m, &chart, i)) {
			widen(&chart, 0, point[0]);
			widen(&chart, 1, point[1]);
			chart.n++;
			chart.outliers += is_outlier(m, i);
		}
	set_scales(m, &chart);
	return chart;
}

/* The page's place of a value on an axis: the data keep a margin from the border. */
static double place(const struct model *m, const struct chart *chart, int axis, double value)
{
	double low = chart->from[axis], high = chart->to[axis], part = 0.5;

	if (m->log && high > low)
		part = (log(value) - log(low)) / (log(high) - log(low));
	else if (high > low)
		part = (value - low) / (high - low);
	part = margin + (1 - 2 * margin) * part;
	return axis == 0 ? chart->x + part * chart->width : chart->y + (1 - part) * chart_height;
}

static void draw_dots(struct tv_scene *scene, const struct model *m, const struct chart *chart,
		      const struct tv_tile_group *group)
{
	double point[2];

	for (int outliers = 0; outliers <= 1; outliers++)
		for (uint32_t i = 0; i < m->tasks->n; i++) {
			if (!point_of(m, i, point) || !is_in(m, chart, i)
			    || is_outlier(m, i) != (outliers == 1))
				continue;
			tv_scene_pen(scene, outliers == 1 ? "outlier" : "point", group->name);
			scene->pen.row = i;
			tv_bullet_draw(scene, place(m, chart, 0, point[0]),
				       place(m, chart, 1, point[1]), radius,
				       outliers == 1 ? TV_INK : group->faded,
				       outliers == 1 ? TV_INK : group->color);
		}
}

/* How many points lie in each of the image's squares; outliers are counted apart. */
static void count_points(const struct model *m, const struct chart *chart,
			 const struct tv_image *image, uint32_t *count, uint32_t *outliers)
{
	double point[2];

	for (uint32_t i = 0; i < m->tasks->n; i++) {
		uint32_t x, y;

		if (!point_of(m, i, point) || !is_in(m, chart, i))
			continue;
		x = (uint32_t)((place(m, chart, 0, point[0]) - chart->x) / chart->width
			       * image->width);
		y = (uint32_t)((place(m, chart, 1, point[1]) - chart->y) / chart_height
			       * image->height);
		count[y * image->width + x]++;
		outliers[y * image->width + x] += is_outlier(m, i);
	}
}

/* Many points: squares, the darker the more points lie there (in logarithms); black with an
 * outlier. */
static void draw_density(struct tv_scene *scene, const struct model *m, const struct chart *chart,
			 const struct tv_tile_group *group)
{
	struct tv_image image = { (uint32_t)ceil(chart->width / square),
				  (uint32_t)ceil(chart_height / square), NULL };
	size_t n = (size_t)image.width * image.height;
	uint32_t *count = tv_alloc(n, sizeof *count), *outliers = tv_alloc(n, sizeof *outliers);
	struct tv_blender *blender = tv_alloc(1, sizeof *blender);
	double max = 1;

	image.pixel = tv_alloc(n, sizeof *image.pixel);
	count_points(m, chart, &image, count, outliers);
	tv_blender_init(blender);
	for (size_t i = 0; i < n; i++)
		max = fmax(max, count[i]);
	for (size_t i = 0; i < n; i++) {
		const uint32_t color[] = { group->color, group->faded };
		double dark = log(1.0 + count[i]) / log(1 + max);

		image.pixel[i] = count[i] == 0	 ? TV_WHITE
			       : outliers[i] > 0 ? TV_INK
						 : tv_blend(blender, color,
							    (const double[]){ dark, 1 - dark }, 2);
	}
	tv_scene_pen(scene, "density", group->name);
	tv_scene_image(scene, TV_PAGE, chart->x, chart->y, chart->x + chart->width,
		       chart->y + chart_height, image);
	tv_free(count);
	tv_free(outliers);
	tv_free(blender);
}

/* A line through a column of the curve, as far as it lies in the chart. */
static void draw_curve(struct tv_scene *scene, const struct model *m, const struct chart *chart,
		       const char *column, enum tv_dash dash)
{
	const double *work = tv_table_find(m->curves, "Work")->d,
		     *ms = tv_table_find(m->curves, column)->d;
	struct tv_point point[CURVE];
	size_t n = 0;

	for (uint32_t row = 0; row < m->curves->nrows && n < CURVE; row++) {
		double y;

		if (!curve_is_in(m, chart, row) || (m->log && !(ms[row] > 0)))
			continue;
		y = place(m, chart, 1, ms[row] * 1e6);
		if (y >= chart->y && y <= chart->y + chart_height)
			point[n++] = (struct tv_point){ place(m, chart, 0, work[row]), y };
	}
	if (n == 0)
		return;
	/* All work is equal: the fit is one value. */
	if (chart->low[0] == chart->high[0]) {
		point[0].x = chart->x;
		point[1] = (struct tv_point){ chart->x + chart->width, point[0].y };
		n = 2;
	}
	tv_scene_pen(scene, "fit", column);
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.6;
	scene->pen.dash = dash;
	if (n > 1)
		tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYLINE, point, n);
}

/* Least and greatest value of each axis, at their places. */
static void draw_labels(struct tv_scene *scene, const struct model *m, const struct chart *chart)
{
	double bottom = chart->y + chart_height, used = -INFINITY;
	char text[64];

	tv_scene_pen(scene, "tick-label", "axis");
	scene->pen.fill = TV_INK;
	for (int end = 1; end >= 0; end--) {
		double value[2] = { end == 1 ? chart->high[0] : chart->low[0],
				    end == 1 ? chart->high[1] : chart->low[1] };
		double x = place(m, chart, 0, value[0]), y = place(m, chart, 1, value[1]);

		tv_duration_text(text, sizeof text, (int64_t)value[1]);
		if (end == 1 || y > place(m, chart, 1, chart->high[1]) + 6)
			tv_scene_text(scene, chart->x - 3, y, TV_RIGHT, TV_TEXT_SMALL, false, text);
		tv_number_text(text, sizeof text, value[0]);
		x = fmin(x, chart->x + chart->width
				    - tv_text_width(scene->text, text, TV_TEXT_SMALL, false) / 2);
		if (end == 1 || x + 30 < used)
			tv_scene_text(scene, x, bottom + labels / 2 + 0.5, TV_CENTER, TV_TEXT_SMALL,
				      false, text);
		used = x;
	}
}

static void draw_tile(struct tv_figure *figure, const void *state, uint32_t tile,
		      struct tv_point at)
{
	const struct model *m = state;
	const struct tv_tile_group *group = &m->tiles.group[tile];
	struct chart chart = make_chart(m, tile, at);
	struct tv_scene *scene = figure->scene;
	char text[64];

	snprintf(text, sizeof text, "%u, %u outlier%s", chart.n, chart.outliers,
		 tv_plural(chart.outliers));
	tv_tile_heading(figure, group, at.x, at.y, m->tiles.width, text);
	if (chart.n <= DOTS_MAX)
		draw_dots(scene, m, &chart, group);
	else
		draw_density(scene, m, &chart, group);
	draw_curve(scene, m, &chart, "PredictionLow", TV_DASHED);
	draw_curve(scene, m, &chart, "PredictionHigh", TV_DASHED);
	draw_curve(scene, m, &chart, "Duration", TV_SOLID);
	tv_border_draw(scene, &(struct tv_place){ .x = chart.x,
						  .y = chart.y,
						  .width = chart.width,
						  .height = chart_height });
	if (chart.n > 0)
		draw_labels(scene, m, &chart);
}

/* Drops the groups without tasks that have work; returns how many. */
static uint32_t drop_empty(struct model *m)
{
	const struct tv_column *points = tv_table_find(m->fits, "Points");
	struct tv_tiles *tiles = &m->tiles;
	uint32_t kept = 0, all = tiles->all;

	for (uint32_t i = 0; i < all; i++)
		if (points->i[tiles->group[i].first] > 0)
			tiles->group[kept++] = tiles->group[i];
	tiles->all = kept;
	tiles->n = tiles->n < kept ? tiles->n : kept;
	return all - kept;
}

static void set_title(struct model *m, uint32_t lacking)
{
	char without[40] = "";

	if (lacking > 0)
		snprintf(without, sizeof without, ", %u group%s without", lacking,
			 tv_plural(lacking));
	snprintf(m->title, sizeof m->title, "durations against %s%s%s", m->work->name,
		 m->log ? ", log scales" : "", without);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct model *m = slot->state;
	uint32_t lacking;
	int rc;

	m->tiles = (struct tv_tiles){
		.title = m->title,
		.key = keys,
		.height = TV_TILE_HEADING + chart_height + labels + tile_gap,
		.min = tile_min,
		.max = tile_max,
		.draw = draw_tile,
	};
	rc = read_passes(figure, slot, m, err);
	if (rc != 0)
		return rc;
	tv_tiles_read(figure, slot, m->fits, m->fits->nrows);
	lacking = drop_empty(m);
	if (m->tiles.all == 0)
		return tv_panel_nothing(figure, slot->panel, "no task has any work");
	set_title(m, lacking);
	m->left = tv_text_width(figure->scene->text, "8888.8 ms", TV_TEXT_SMALL, false) + pad;
	/* The last one only where there is one. */
	m->tiles.nkeys = TV_COUNT(keys) - 1;
	for (uint32_t row = 0; row < m->tasks->n; row++) {
		double at[2];

		if (is_outlier(m, row) && point_of(m, row, at))
			m->tiles.nkeys = TV_COUNT(keys);
	}
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "fit", "log|linear|weighted|power", "log", "form of the fit: see traceviz regression",
	  TV_OPTION_CHOICE, TV_INTO(struct model, fit) },
	{ "against", "COLUMN", NULL, "column with the work (default GFlop, else Size)",
	  TV_INTO(struct model, against) },
	TV_OPTION_GROUPS,
};

const struct tv_panel tv_panel_regression = {
	.name = "regression",
	.former = "model",
	.title = "durations against work, with fits and outliers",
	.needs = "GFlop, Size or another column with the work",
	.reads = "",
	.share = 2,
	TV_PANEL_OPTIONS(options, struct model),
	.prepare = prepare,
	TV_TILES_PANEL,
};
