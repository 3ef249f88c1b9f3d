/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waterfall.c -- bars of times below each other, with names and numbers. */
#include "views/charts/waterfall.h"

#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "views/scene/palette.h"

static const double row_height = 9.4, bar_share = 0.7, pad = 4, names_max = 0.42;

static void find_range(struct tv_waterfall *fall)
{
	fall->low = fall->high = 0;
	for (size_t i = 0; i < fall->n; i++) {
		int64_t begin = fall->bar[i].begin, end = begin + fall->bar[i].time;
		int64_t low = begin < end ? begin : end, high = begin < end ? end : begin;

		fall->low = low < fall->low ? low : fall->low;
		fall->high = high > fall->high ? high : fall->high;
	}
}

static size_t list_keys(const struct tv_waterfall *fall, struct tv_key *key)
{
	for (size_t i = 0; i < fall->nlines; i++)
		key[i] = fall->line[i].key;
	return fall->nlines;
}

void tv_waterfall_measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct tv_waterfall *fall = slot->state;
	struct tv_key key[TV_COUNT(fall->line)];
	size_t n = list_keys(fall, key);

	(void)height;
	find_range(fall);
	fall->top = tv_strip_height(figure, fall->title, key, n, tv_slot_width(figure, slot));
	slot->high = (double)fall->high;
	slot->request.height = fall->top + row_height * (double)fall->n + TV_PLANE_BELOW
			     + figure->scene->cell;
	slot->request.min = slot->request.height;
}

static void measure_columns(struct tv_waterfall *fall, const struct tv_figure *figure, double width)
{
	struct tv_text *text = figure->scene->text;

	fall->names = fall->numbers = 0;
	for (size_t i = 0; i < fall->n; i++) {
		fall->names = fmax(fall->names,
				   tv_text_width(text, fall->bar[i].name, TV_TEXT_SMALL, false));
		fall->numbers = fmax(fall->numbers, tv_text_width(text, fall->bar[i].number,
								  TV_TEXT_SMALL, false));
	}
	fall->names = fmin(fall->names, names_max * width);
}

static void draw_texts(struct tv_figure *figure, const struct tv_waterfall *fall,
		       const struct tv_plane *plane, const struct tv_waterfall_bar *bar, double y)
{
	struct tv_scene *scene = figure->scene;
	char text[220];

	tv_scene_pen(scene, "name", fall->group);
	scene->pen.fill = TV_INK;
	tv_text_fit(scene->text, bar->name, TV_TEXT_SMALL, false, fall->names + 0.01, text,
		    sizeof text);
	tv_scene_text(scene, plane->x - pad, y, TV_RIGHT, TV_TEXT_SMALL, false, text);
	tv_scene_text(scene, plane->x + plane->width + pad + fall->numbers, y, TV_RIGHT,
		      TV_TEXT_SMALL, false, bar->number);
}

static void draw_bar(struct tv_figure *figure, const struct tv_waterfall *fall,
		     const struct tv_plane *plane, size_t i)
{
	const struct tv_waterfall_bar *bar = &fall->bar[i];
	struct tv_scene *scene = figure->scene;
	double y = plane->y + row_height * ((double)i + 0.5), unit = (double)figure->unit->ns;
	struct tv_point from, to;
	char text[220];

	tv_plane_at(plane, (double)bar->begin / unit, 0, &from);
	tv_plane_at(plane, (double)(bar->begin + bar->time) / unit, 0, &to);
	tv_scene_pen(scene, "step", bar->name);
	scene->pen.fill = bar->color;
	scene->pen.row = bar->row;
	snprintf(text, sizeof text, "%s: %s", bar->name, bar->number);
	scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
	tv_scene_rect(scene, TV_PAGE, fmin(from.x, to.x), y - row_height * bar_share / 2,
		      fmax(from.x, to.x), y + row_height * bar_share / 2);
	/* Where the next one begins. */
	if (bar->joined && i + 1 < fall->n) {
		tv_scene_pen(scene, "joint", fall->group);
		scene->pen.stroke = TV_DIM;
		tv_scene_line(scene, TV_PAGE, to.x, y, to.x, y + row_height);
	}
	draw_texts(figure, fall, plane, bar, y);
}

static void draw_lines(struct tv_figure *figure, const struct tv_waterfall *fall,
		       const struct tv_plane *plane)
{
	for (size_t i = 0; i < fall->nlines; i++) {
		struct tv_scene *scene = figure->scene;
		enum tv_key_kind kind = fall->line[i].key.kind;
		struct tv_point at;

		tv_plane_at(plane, (double)fall->line[i].at / (double)figure->unit->ns, 0, &at);
		tv_scene_pen(scene, "bound", fall->group);
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.7;
		scene->pen.dash = kind == TV_KEY_DASHED ? TV_DASHED
				: kind == TV_KEY_DOTTED ? TV_DOTTED
							: TV_DASHDOT;
		tv_scene_line(scene, TV_PAGE, at.x, plane->y, at.x, plane->y + plane->height);
	}
}

void tv_waterfall_layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct tv_waterfall *fall = slot->state;
	const struct tv_place *place = &slot->place;
	struct tv_scene *scene = figure->scene;
	double unit = (double)figure->unit->ns, high = fmax((double)fall->high, slot->common);
	struct tv_plane plane = { .y = place->y + fall->top,
				  .height = row_height * (double)fall->n };
	struct tv_key key[TV_COUNT(fall->line)];
	size_t n = list_keys(fall, key);
	char axis[80];

	measure_columns(fall, figure, place->width);
	plane.x = place->x + fall->names + pad;
	plane.width = place->width - fall->names - fall->numbers - 2 * pad;
	plane.across = tv_scale_for(scene->text, (double)fall->low / unit, high / unit, false, true,
				    plane.width, NULL, 0);
	tv_strip_draw(figure, fall->title, key, n, place->x, plane.y, place->width);
	if (plane.width < 20 || plane.y + plane.height > place->y + place->height)
		return;
	tv_plane_grid(scene, &plane);
	for (size_t i = 0; i < fall->n; i++)
		draw_bar(figure, fall, &plane, i);
	draw_lines(figure, fall, &plane);
	snprintf(axis, sizeof axis, "%s, %s", fall->axis, figure->unit->name);
	tv_plane_axes(scene, &plane, axis, NULL);
}

void tv_waterfall_release(struct tv_slot *slot)
{
	struct tv_waterfall *fall = slot->state;

	tv_free(fall->bar);
	tv_free(fall);
}
