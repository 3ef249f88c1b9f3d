/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tints.c -- strips of phases, and bands in their colors. */
#include "views/charts/tints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "views/charts/curves.h"
#include "views/scene/palette.h"
#include "views/scene/vision.h"

static const double strip_height = 7.6, between = 1; /* points */

/* ---- what is shown ---- */

static void add(struct tv_tints *phases, struct tv_tint phase)
{
	phases->phase[phases->n++] = phase;
}

static int read_tasks(struct tv_tints *phases, struct tv_figure *figure, struct tv_error *err)
{
	const struct tv_table *table;
	int rc = tv_panel_pass_for(figure, "phases of the tasks", "phases", NULL, &table, err);

	if (rc != 0)
		return rc;
	tv_names_add(&phases->names, "phase");
	phases->phase = tv_alloc(table->nrows, sizeof *phases->phase);
	for (uint32_t row = 0; row < table->nrows; row++)
		add(phases, (struct tv_tint){ 0, tv_table_find(table, "Start")->i[row],
					      tv_table_find(table, "End")->i[row],
					      tv_table_find(table, "Phase")->i[row] });
	snprintf(phases->key.text, sizeof phases->key.text,
		 "phases: between them all tasks had ended");
	return 0;
}

/* Whether the readings are instants: then a stretch lasts until the next one begins. */
static bool of_instants(const struct tv_table *table)
{
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");

	for (uint32_t row = 0; row < table->nrows; row++)
		if (start->i[row] == end->i[row])
			return true;
	return false;
}

static int read_clusters(struct tv_tints *phases, struct tv_figure *figure, const char *by,
			 const char *clusters, const char *level, struct tv_error *err)
{
	const struct tv_table *table;
	const struct tv_column *id, *cluster;
	struct tv_index rows = { 0 };
	int rc = tv_panel_pass_for(
		figure, "phases of variables", "cluster",
		(const char *const[]){ "name", by, "k", clusters, "level", level, NULL }, &table,
		err);

	if (rc != 0)
		return rc;
	id = tv_table_find(table, "ResourceId");
	cluster = tv_table_find(table, "Cluster");
	phases->phase = tv_alloc(table->nrows, sizeof *phases->phase);
	for (uint32_t row = 0; row < table->nrows; row++) {
		int64_t number = tv_missing(cluster, row) ? -1 : cluster->i[row];

		if (tv_index_get(&rows, tv_label(id, row)) == TV_NONE) {
			tv_index_set(&rows, tv_label(id, row), phases->names.n);
			tv_names_add(&phases->names, tv_pool_text(table->pool, tv_label(id, row)));
		}
		add(phases, (struct tv_tint){ tv_index_get(&rows, tv_label(id, row)),
					      tv_table_find(table, "Start")->i[row],
					      tv_table_find(table, "End")->i[row], number });
	}
	for (size_t i = 0; i + 1 < phases->n && of_instants(table); i++)
		if (phases->phase[i + 1].row == phases->phase[i].row)
			phases->phase[i].end = phases->phase[i + 1].begin;
	tv_free(rows.at);
	snprintf(phases->key.text, sizeof phases->key.text, "phases: clusters of %.100s", by);
	return 0;
}

int tv_tints_init(struct tv_tints *phases, struct tv_figure *figure, const char *by,
		  const char *clusters, const char *level, struct tv_error *err)
{
	*phases = (struct tv_tints){ .key = { .kind = TV_KEY_AREA,
					      .color = tv_color_fade(tv_curve_colors[0]) } };
	return strcmp(by, "tasks") == 0 ? read_tasks(phases, figure, err)
					: read_clusters(phases, figure, by, clusters, level, err);
}

void tv_tints_release(struct tv_tints *phases)
{
	tv_names_release(&phases->names);
	tv_free(phases->phase);
}

/* ---- drawing ---- */

static uint32_t color_of(const struct tv_tint *phase)
{
	return phase->number < 0 ? TV_GRID
				 : tv_color_fade(tv_curve_colors[phase->number % TV_CURVE_COLORS]);
}

double tv_tints_height(const struct tv_tints *phases)
{
	return phases->names.n * strip_height + (phases->names.n > 0 ? between : 0);
}

static void set_pen(struct tv_scene *scene, const struct tv_tint *phase, const char *class)
{
	char text[64];

	tv_scene_pen(scene, class, "levels");
	scene->pen.fill = color_of(phase);
	scene->pen.apart = true;
	snprintf(text, sizeof text, "phase %lld", (long long)phase->number);
	if (scene->labels && phase->number >= 0)
		scene->pen.label = tv_scene_string(scene, text);
}

/* The part of a phase that a frame shows, as its x; false: nothing. */
static bool visible(const struct tv_figure *figure, const struct tv_tint *phase, int64_t *begin,
		    int64_t *end)
{
	*begin = phase->begin > figure->axis.begin ? phase->begin : figure->axis.begin;
	*end = phase->end < figure->axis.end ? phase->end : figure->axis.end;
	return *begin < *end;
}

static void draw_number(struct tv_figure *figure, const struct tv_tint *phase, unsigned frame,
			double y)
{
	struct tv_scene *scene = figure->scene;
	const struct tv_frame *f = &scene->frame[frame];
	int64_t begin, end;
	char text[32];
	double x0, x1;

	if (phase->number < 0 || !visible(figure, phase, &begin, &end))
		return;
	x0 = tv_axis_at(&figure->axis, begin);
	x1 = tv_axis_at(&figure->axis, end);
	snprintf(text, sizeof text, "%lld", (long long)phase->number);
	tv_scene_pen(scene, "phase-number", "levels");
	scene->pen.fill = tv_color_dark(color_of(phase)) ? TV_WHITE : TV_INK;
	if (scene->exact)
		tv_scene_label(scene, frame, tv_frame_time(f, phase->begin), phase->row,
			       tv_frame_time(f, phase->end), phase->row + 1, TV_TEXT_SMALL, text);
	else if (tv_text_width(scene->text, text, TV_TEXT_SMALL, false) + 2 <= x1 - x0)
		tv_scene_text(scene, (x0 + x1) / 2, y, TV_CENTER, TV_TEXT_SMALL, false, text);
}

void tv_tints_draw(struct tv_figure *figure, const struct tv_tints *phases,
		   const struct tv_place *place)
{
	struct tv_place strip = *place;
	unsigned frame;

	if (phases->names.n == 0)
		return;
	strip.height = phases->names.n * strip_height;
	frame = tv_figure_frame(figure, "levels", &strip, phases->names.n, false);
	for (size_t i = 0; i < phases->n; i++) {
		const struct tv_tint *phase = &phases->phase[i];
		int64_t begin, end;

		if (!visible(figure, phase, &begin, &end))
			continue;
		set_pen(figure->scene, phase, "phase");
		tv_scene_rect(figure->scene, frame,
			      tv_frame_time(&figure->scene->frame[frame], begin), phase->row,
			      tv_frame_time(&figure->scene->frame[frame], end), phase->row + 1);
		draw_number(figure, phase, frame, strip.y + (phase->row + 0.5) * strip_height);
	}
	tv_names_draw(figure, &phases->names, strip.y, strip_height);
	tv_border_draw(figure->scene, &strip);
}

void tv_tints_tint(struct tv_figure *figure, const struct tv_tints *phases, unsigned frame)
{
	for (size_t i = 0; i < phases->n && phases->names.n == 1; i++) {
		const struct tv_tint *phase = &phases->phase[i];
		int64_t begin, end;

		if (!visible(figure, phase, &begin, &end))
			continue;
		set_pen(figure->scene, phase, "phase-band");
		figure->scene->pen.fill = tv_color_fade(tv_color_fade(color_of(phase)));
		tv_scene_rect(figure->scene, frame,
			      tv_frame_time(&figure->scene->frame[frame], begin), 0,
			      tv_frame_time(&figure->scene->frame[frame], end), 1);
	}
}
