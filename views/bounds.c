/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c -- makespan and bounds as lines over all rows, their names in a strip above. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/chart.h"

static const struct {
	const char *row, *name;
	enum tv_dash dash;
} known[] = {
	{ "makespan", "makespan", TV_SOLID },
	{ "abe", "ABE", TV_DASHED },
	{ "cpe", "CPE", TV_DOTTED },
};

/* The row of the whole run with that name, or TV_NONE. */
static uint32_t find_row(const struct tv_table *table, const char *name)
{
	const struct tv_column *node = tv_table_find(table, "Node"),
			       *bound = tv_table_find(table, "Bound");
	uint32_t label = bound != NULL ? tv_pool_find_text(table->pool, name) : TV_NONE;

	for (uint32_t row = 0; label != TV_NONE && row < table->nrows; row++)
		if (tv_label(bound, row) == label && (node == NULL || tv_missing(node, row)))
			return row;
	return TV_NONE;
}

size_t tv_figure_bounds(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX])
{
	const struct tv_view *view = &figure->run->view;
	const struct tv_table *table = figure->bounds;
	const struct tv_column *time = table != NULL ? tv_table_find(table, "Time") : NULL;
	const struct tv_column *gap = table != NULL ? tv_table_find(table, "Gap") : NULL;
	size_t n = 0;

	if (figure->rows.states)
		return 0;
	if (time == NULL) {	/* in a window: the makespan is the run's all the same */
		bound[0] = (struct tv_bound){ known[0].name, view->finish - view->begin, NAN,
					      known[0].dash };
		return 1;
	}
	for (size_t i = 0; i < TV_COUNT(known); i++) {
		uint32_t row = find_row(table, known[i].row);

		if (row == TV_NONE || tv_missing(time, row))
			continue;
		bound[n++] = (struct tv_bound){
			known[i].name, time->i[row],
			gap != NULL && !tv_missing(gap, row) ? gap->d[row] : NAN, known[i].dash,
		};
	}
	return n;
}

/* The bounds that lie in the axis, by time; where each crosses it. */
static size_t visible_bounds(const struct tv_figure *figure, struct tv_bound *bound, double *x)
{
	const struct tv_axis *axis = &figure->axis;
	size_t n = tv_figure_bounds(figure, bound), kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct tv_bound this = bound[i];
		double at = (double)(figure->run->view.begin - axis->begin) + (double)this.time,
		       place;
		size_t k;

		place = axis->x + at / (double)(axis->end - axis->begin) * axis->width;
		if (place < axis->x || place > axis->x + axis->width)
			continue;
		for (k = kept; k > 0 && x[k - 1] > place; k--) {
			x[k] = x[k - 1];
			bound[k] = bound[k - 1];
		}
		x[k] = place;
		bound[k] = this;
		kept++;
	}
	return kept;
}

static void bound_text(const struct tv_figure *figure, const struct tv_bound *bound, bool brief,
		       char *out, size_t size)
{
	char time[40];

	tv_unit_text(time, sizeof time, bound->time, figure->unit);
	if (brief)
		snprintf(out, size, "%s", bound->name);
	else
		snprintf(out, size, "%s %s", bound->name, time);
}

/* From the line's upper end to below its name: straight, or aside if the name had to move. */
static void draw_leader(struct tv_scene *scene, double x, double top, double name_x, double half)
{
	double to = fmax(name_x - half + 1, fmin(x, name_x + half - 1));

	if (fabs(to - x) > 0.2)
		tv_scene_line(scene, TV_PAGE, to, top - 2.4, x, top);
	else
		tv_scene_line(scene, TV_PAGE, x, top - 2.4, x, top);
}

void tv_chart_bounds(struct tv_figure *figure, const struct tv_place *place)
{
	struct tv_scene *scene = figure->scene;
	const struct tv_axis *axis = &figure->axis;
	struct tv_bound bound[TV_BOUNDS_MAX];
	double x[TV_BOUNDS_MAX], center[TV_BOUNDS_MAX], width[TV_BOUNDS_MAX];
	size_t n = visible_bounds(figure, bound, x);
	bool fits = false;
	char text[80];

	/* Facets tell the values in their header. */
	for (int brief = figure->facet != NULL; brief <= 1 && !fits; brief++) {
		for (size_t i = 0; i < n; i++) {
			bound_text(figure, &bound[i], brief, text, sizeof text);
			center[i] = x[i];
			width[i] = tv_text_width(scene->text, text, TV_TEXT_SIZE, false);
		}
		fits = tv_spread(center, width, n, axis->x, axis->x + axis->width, 5) == 0;
		for (size_t i = 0; i < n && fits; i++) {
			bound_text(figure, &bound[i], brief, text, sizeof text);
			tv_scene_pen(scene, "bound-name", "bounds");
			scene->pen.fill = TV_INK;
			tv_scene_text(scene, center[i], place->y - TV_STRIP_TEXT, TV_CENTER,
				      TV_TEXT_SIZE, false, text);
		}
	}
	for (size_t i = 0; i < n; i++) {
		tv_scene_pen(scene, "bound", "bounds");
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.6;
		if (fits)
			draw_leader(scene, x[i], place->y, center[i], width[i] / 2);
		scene->pen.dash = bound[i].dash;
		tv_scene_line(scene, TV_PAGE, x[i], place->y, x[i], place->y + place->height);
	}
}
