/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value.c -- the vertical axis of values, grid and border. */
#include "views/charts/value.h"

#include <math.h>
#include <stdio.h>

static const double tick = 2, pad = 2, grid_width = 0.4;

static double tick_step(double span, double max, bool whole)
{
	static const double round[] = { 1, 2, 5 };

	for (int power = (int)floor(log10(span)) - 3;; power++)
		for (size_t i = 0; i < TV_COUNT(round); i++) {
			double step = round[i] * pow(10, power);

			if (span / step <= max && !(whole && step < 1))
				return step;
		}
}

/* Rounds the ends out where that costs little, and finds the ticks between them. */
static void place_ticks(struct tv_value_scale *scale)
{
	double last, rest = ceil(scale->high / scale->step - 1e-9) * scale->step - scale->high;

	if (rest < 0.12 * (scale->high - scale->low))
		scale->high = ceil(scale->high / scale->step - 1e-9) * scale->step;
	else
		scale->high += 0.04 * (scale->high - scale->low);
	if (scale->low < 0)
		scale->low = floor(scale->low / scale->step + 1e-9) * scale->step;
	scale->first = ceil(scale->low / scale->step - 1e-9) * scale->step;
	last = floor(scale->high / scale->step + 1e-9) * scale->step;
	scale->n = (unsigned)fmin(floor((last - scale->first) / scale->step + 1.5), TV_VALUE_TICKS);
}

struct tv_value_scale tv_value_scale(double low, double high, bool whole, double height)
{
	struct tv_value_scale scale = { .low = low, .high = high };
	double max = floor(height / (1.5 * TV_TEXT_SMALL * TV_TEXT_HEIGHT));
	struct tv_value_scale finer;

	if (!(low < high) || !isfinite(high - low)) {
		scale.low = 0;
		scale.high = 1;
	}
	max = fmax(1, fmin(max, TV_VALUE_TICKS - 2));
	scale.step = tick_step(scale.high - scale.low, max, whole);
	finer = scale;
	place_ticks(&scale);
	if (scale.n < 2) {
		/* A lone tick is no scale, so there are two or three, though they be close. */
		finer.step = tick_step(finer.high - finer.low, 2.5, whole);
		place_ticks(&finer);
		scale = finer;
	}
	scale.decimals = (int)fmax(0, -floor(log10(scale.step) + 1e-9));
	return scale;
}

double tv_value_at(const struct tv_value_scale *scale, double value)
{
	return (scale->high - value) / (scale->high - scale->low);
}

void tv_value_text(char *out, size_t size, double value, const struct tv_value_scale *scale)
{
	static const char *const letter[] = { "", "k", "M", "G", "T", "P", "E" };
	double max = fmax(fabs(scale->low), fabs(scale->high)), factor = 1;
	int decimals = scale->decimals;
	size_t i = 0;

	for (; max >= 10000 && i + 1 < TV_COUNT(letter); i++) {
		max /= 1000;
		factor *= 1000;
	}
	if (i > 0)
		decimals = (int)fmax(0, -floor(log10(scale->step / factor) + 1e-9));
	if (fabs(value) < scale->step * 1e-6)
		snprintf(out, size, "0");
	else
		snprintf(out, size, "%.*f%s", decimals, value / factor, letter[i]);
}

double tv_value_width(const struct tv_figure *figure, const struct tv_value_scale *scale)
{
	double widest = 0;

	for (unsigned i = 0; i < scale->n && !figure->bare; i++) {
		char text[40];

		tv_value_text(text, sizeof text, scale->first + i * scale->step, scale);
		widest = fmax(widest,
			      tv_text_width(figure->scene->text, text, TV_TEXT_SMALL, false));
	}
	return figure->bare ? tick : widest + pad + tick;
}

void tv_value_draw(struct tv_figure *figure, const struct tv_place *place,
		   const struct tv_value_scale *scale)
{
	struct tv_scene *scene = figure->scene;
	double half = TV_TEXT_SMALL * TV_TEXT_HEIGHT / 2, x = place->x, taken = INFINITY;

	for (unsigned i = 0; i < scale->n; i++) {
		double value = scale->first + i * scale->step;
		double y = place->y + tv_value_at(scale, value) * place->height;
		char text[40];

		tv_scene_pen(scene, "tick", "axis");
		scene->pen.stroke = TV_INK;
		tv_scene_line(scene, TV_PAGE, x - tick, y, x, y);
		if (figure->bare)
			continue;
		tv_scene_pen(scene, "tick-label", "axis");
		scene->pen.fill = TV_INK;
		tv_value_text(text, sizeof text, value, scale);
		/* Labels at the ends stay within the height, so that panels can be stacked. */
		y = fmin(fmax(y, place->y + half - 1), place->y + place->height - half + 1);
		if (y + half > taken)
			continue;
		taken = y - half;
		tv_scene_text(scene, x - tick - pad, y, TV_RIGHT, TV_TEXT_SMALL, false, text);
	}
}

/* The bands of the spans that the user points at. */
static void draw_spans(struct tv_figure *figure, const struct tv_place *place)
{
	static const uint32_t color = 0xe4e8f5;
	const struct tv_axis *axis = &figure->axis;

	for (size_t i = 0; i < figure->nspans; i++) {
		double x0 = fmax(axis->x, tv_axis_at(axis, figure->span[i].begin));
		double x1 = fmin(axis->x + axis->width, tv_axis_at(axis, figure->span[i].end));

		tv_scene_pen(figure->scene, "span-band", "flags");
		figure->scene->pen.fill = color;
		tv_scene_rect(figure->scene, TV_PAGE, x0, place->y, x1, place->y + place->height);
	}
}

unsigned tv_value_frame(struct tv_figure *figure, const char *name, const struct tv_place *place,
			const struct tv_value_scale *scale)
{
	unsigned number = tv_figure_frame(figure, name, place, 1, false);
	struct tv_frame *frame = &figure->scene->frame[number];

	if (number != TV_PAGE) {
		frame->high = scale->high;
		frame->low = scale->low;
	}
	return number;
}

void tv_grid_draw(struct tv_figure *figure, const struct tv_place *place,
		  const struct tv_value_scale *scale)
{
	const struct tv_axis *axis = &figure->axis;
	struct tv_scene *scene = figure->scene;

	draw_spans(figure, place);
	tv_scene_pen(scene, "grid", "grid");
	scene->pen.stroke = TV_GRID;
	scene->pen.width = grid_width;
	for (unsigned i = 0; i < axis->ticks.n; i++) {
		double x = tv_axis_at(axis, axis->base + axis->ticks.first
						    + (int64_t)i * axis->ticks.step);

		tv_scene_line(scene, TV_PAGE, x, place->y, x, place->y + place->height);
	}
	for (unsigned i = 0; scale != NULL && i < scale->n; i++) {
		double y = place->y
			 + tv_value_at(scale, scale->first + i * scale->step) * place->height;

		if (y > place->y + 0.5 && y < place->y + place->height - 0.5)
			tv_scene_line(scene, TV_PAGE, place->x, y, place->x + place->width, y);
	}
}

void tv_border_draw(struct tv_scene *scene, const struct tv_place *place)
{
	tv_scene_pen(scene, "frame", "frame");
	scene->pen.stroke = TV_INK;
	scene->pen.width = 0.5;
	tv_scene_rect(scene, TV_PAGE, place->x, place->y, place->x + place->width,
		      place->y + place->height);
}
