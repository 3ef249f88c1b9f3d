/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strip.c -- title and keys above a panel, in as many lines as they need. */
#include "views/charts/strip.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

static const double line_height = 9.2, gap = 9, side = 5.2, swatch_gap = 2.4; /* points */
static const double below = 1.6, above = 3, scale_width = 36;

/* A dashed line shows that it is one only if it is longer. */
static double swatch_width(const struct tv_key *key)
{
	if (key->kind == TV_KEY_SCALE)
		return scale_width;
	return key->kind == TV_KEY_DASHED || key->kind == TV_KEY_DOTTED
			    || key->kind == TV_KEY_DASHDOT || key->kind == TV_KEY_CASED_DASHED
		     ? 2 * side
		     : side;
}

/* The text of a key as it fits a line of that width. */
static const char *key_text(const struct tv_figure *figure, const struct tv_key *key, double width,
			    bool brief, char out[TV_KEY_TEXT])
{
	struct tv_text *text = figure->scene->text;

	width -= swatch_width(key) + swatch_gap;
	brief = key->brief[0] != '\0'
	     && (brief || tv_text_width(text, key->text, TV_TEXT_SIZE, false) > width);
	return tv_text_fit(text, brief ? key->brief : key->text, TV_TEXT_SIZE, false, width, out,
			   TV_KEY_TEXT);
}

static double key_width(const struct tv_figure *figure, const struct tv_key *key, double width,
			bool brief)
{
	char text[TV_KEY_TEXT];

	return swatch_width(key) + swatch_gap
	     + tv_text_width(figure->scene->text, key_text(figure, key, width, brief, text),
			     TV_TEXT_SIZE, false);
}

/* Whether words of a title can be left out from there on. */
static bool is_cut(const char *at)
{
	static const char *const before[] = { "; ", ", ", ": ", " (", " from ", " by ", " of " };
	bool is = false;

	for (size_t i = 0; i < TV_COUNT(before); i++)
		is = is || strncmp(at, before[i], strlen(before[i])) == 0;
	return is;
}

/* The longest beginning of a title that fits the width with an ellipsis and the end; false: none. */
static bool cut_title(const struct tv_figure *figure, const char *title, size_t n, const char *end,
		      double width, char out[TV_KEY_TEXT])
{
	while (n-- > 1) {
		/* The unit of a number may follow. */
		if (!is_cut(title + n) || (end[0] == '\0' && isdigit((unsigned char)title[n - 1])))
			continue;
		if ((size_t)snprintf(out, TV_KEY_TEXT, "%.*s%s\xe2\x80\xa6%s", (int)n, title,
				     end[0] == '\0' ? "" : " ", end)
			    < TV_KEY_TEXT
		    && tv_text_width(figure->scene->text, out, TV_TEXT_SIZE, true) <= width)
			return true;
	}
	return false;
}

/*
 * The title as it fits the width. Where it is too wide, words between commas, colons and prepositions
 * are left out: those before the last comma, else the last ones; if even the first ones are too wide,
 * some characters in the middle.
 */
static const char *title_text(const struct tv_figure *figure, const char *title, double width,
			      char out[TV_KEY_TEXT])
{
	struct tv_text *text = figure->scene->text;
	size_t n = strlen(title), last = n;

	if (tv_text_width(text, title, TV_TEXT_SIZE, true) > width) {
		while (last > 0 && strncmp(title + last, ", ", 2) != 0
		       && strncmp(title + last, "; ", 2) != 0)
			last--;
		if (cut_title(figure, title, last, title + last + 1, width, out)
		    || cut_title(figure, title, n, "", width, out))
			return out;
	}
	return tv_text_fit(text, title, TV_TEXT_SIZE, true, width, out, TV_KEY_TEXT);
}

/* The place of each key, x from the left; returns the number of lines. at may be NULL. */
static unsigned place_keys(const struct tv_figure *figure, const char *title,
			   const struct tv_key *key, size_t n, double width, bool brief,
			   struct tv_point *at)
{
	char text[TV_KEY_TEXT];
	double x = tv_text_width(figure->scene->text, title_text(figure, title, width, text),
				 TV_TEXT_SIZE, true);
	unsigned line = 0;

	for (size_t i = 0; i < n; i++) {
		double wide = key_width(figure, &key[i], width, brief);

		if (x > 0 && x + gap + wide > width) {
			line++;
			x = 0;
		}
		x += x > 0 ? gap : 0;
		if (at != NULL)
			at[i] = (struct tv_point){ x, line };
		x += wide;
	}
	return line + 1;
}

enum { FULL_LINES = 2 }; /* in more of them keys are brief, where they can */

static bool is_brief(const struct tv_figure *figure, const char *title, const struct tv_key *key,
		     size_t n, double width)
{
	return place_keys(figure, title, key, n, width, false, NULL) > FULL_LINES;
}

double tv_strip_width(const struct tv_figure *figure)
{
	return figure->x + figure->width - figure->axis.x;
}

double tv_strip_length(const struct tv_figure *figure, const char *title, const struct tv_key *key,
		       size_t n)
{
	double x = tv_text_width(figure->scene->text, title, TV_TEXT_SIZE, true);

	for (size_t i = 0; i < n; i++)
		x += (x > 0 ? gap : 0) + key_width(figure, &key[i], INFINITY, false);
	return x;
}

double tv_strip_height(const struct tv_figure *figure, const char *title, const struct tv_key *key,
		       size_t n, double width)
{
	bool brief = is_brief(figure, title, key, n, width);

	return above + place_keys(figure, title, key, n, width, brief, NULL) * line_height + below;
}

void tv_hatch_draw(struct tv_scene *scene, double x, double y, double width, double height,
		   double apart)
{
	for (double at = apart; at < width + height; at += apart)
		tv_scene_line(scene, TV_PAGE, x + fmax(0, at - height), y + fmin(at, height),
			      x + fmin(at, width), y + fmax(0, at - width));
}

void tv_bullet_draw(struct tv_scene *scene, double x, double y, double radius, uint32_t fill,
		    uint32_t edge)
{
	struct tv_point point[24];

	for (size_t i = 0; i < TV_COUNT(point); i++) {
		double angle = 2 * M_PI * (double)i / TV_COUNT(point);

		point[i] = (struct tv_point){ x + radius * cos(angle), y + radius * sin(angle) };
	}
	scene->pen.fill = fill;
	scene->pen.stroke = edge;
	scene->pen.width = TV_LINE_MIN;
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, point, TV_COUNT(point));
}

/* All shades side by side in a thin frame, since some are nearly white. */
static void draw_scale(struct tv_scene *scene, const struct tv_key *key, double x, double y)
{
	struct tv_image image = { 144, 1, tv_alloc(144, sizeof *image.pixel) };

	for (uint32_t i = 0; i < image.width; i++)
		image.pixel[i] = key->shade((i + 0.5) / image.width);
	tv_scene_image(scene, TV_PAGE, x, y - side / 2, x + scale_width, y + side / 2, image);
	tv_scene_pen(scene, "scale", "keys");
	scene->pen.stroke = TV_DIM;
	scene->pen.width = TV_LINE_MIN;
	tv_scene_rect(scene, TV_PAGE, x, y - side / 2, x + scale_width, y + side / 2);
}

void tv_swatch_draw(struct tv_scene *scene, double x, double y, double width, uint32_t color,
		    uint32_t outlier)
{
	scene->pen.fill = color;
	tv_scene_rect(scene, TV_PAGE, x, y - width / 2, x + width, y + width / 2);
	if (outlier == color)
		return;
	scene->pen.fill = outlier;
	tv_scene_rect(scene, TV_PAGE, x, y - width / 2, x + width / 2, y + width / 2);
}

static void draw_swatch(struct tv_scene *scene, const struct tv_key *key, double x, double y)
{
	tv_scene_pen(scene, "swatch", "keys");
	switch (key->kind) {
	case TV_KEY_SCALE:
		draw_scale(scene, key, x, y);
		return;
	case TV_KEY_AREA:
		scene->pen.fill = key->color;
		if (key->color == TV_WHITE) {
			scene->pen.stroke = TV_DIM;
			scene->pen.width = TV_LINE_MIN;
		}
		tv_scene_rect(scene, TV_PAGE, x, y - side / 2, x + side, y + side / 2);
		return;
	case TV_KEY_DOT:
		tv_bullet_draw(scene, x + side / 2, y, 1.7, key->color, key->color);
		return;
	case TV_KEY_CASED:
	case TV_KEY_CASED_DASHED:
	case TV_KEY_CASED_DOTTED:
		scene->pen.stroke = TV_BLACK;
		scene->pen.width = 1.8;
		tv_scene_line(scene, TV_PAGE, x, y, x + swatch_width(key), y);
		break;
	case TV_KEY_DASHED:
	case TV_KEY_DOTTED:
	case TV_KEY_DASHDOT:
	case TV_KEY_LINE:
		break;
	}
	if (key->kind == TV_KEY_DASHED || key->kind == TV_KEY_CASED_DASHED)
		scene->pen.dash = TV_DASHED;
	else if (key->kind == TV_KEY_DOTTED || key->kind == TV_KEY_CASED_DOTTED)
		scene->pen.dash = TV_DOTTED;
	else if (key->kind == TV_KEY_DASHDOT)
		scene->pen.dash = TV_DASHDOT;
	scene->pen.stroke = key->color;
	scene->pen.width = 1;
	tv_scene_line(scene, TV_PAGE, x, y, x + swatch_width(key), y);
}

enum { KEYS_MAX = 64 };

void tv_strip_draw(struct tv_figure *figure, const char *title, const struct tv_key *key, size_t n,
		   double x, double y, double width)
{
	struct tv_scene *scene = figure->scene;
	struct tv_point at[KEYS_MAX];
	char text[TV_KEY_TEXT];
	unsigned lines;
	bool brief = is_brief(figure, title, key, n, width);

	n = n < KEYS_MAX ? n : KEYS_MAX;
	lines = place_keys(figure, title, key, n, width, brief, at);
	y -= below + (lines - 0.5) * line_height;
	tv_scene_pen(scene, "panel-title", "titles");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x, y, TV_LEFT, TV_TEXT_SIZE, true,
		      title_text(figure, title, width, text));
	for (size_t i = 0; i < n; i++) {
		double kx = x + at[i].x, ky = y + at[i].y * line_height;

		draw_swatch(scene, &key[i], kx, ky);
		tv_scene_pen(scene, "key", "keys");
		scene->pen.fill = TV_INK;
		tv_scene_text(scene, kx + swatch_width(&key[i]) + swatch_gap, ky, TV_LEFT,
			      TV_TEXT_SIZE, false, key_text(figure, &key[i], width, brief, text));
	}
}
