/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flags.c -- marks and spans: their texts in a strip above the panels, their lines through them. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "views/annotate/annotations.h"

static const double leader = 4.5, level_height = 3.2, text_gap = 6, number_gap = 2; /* points */
static const double disc = 4.1, max_aside = 14, list_gap = 9, clearance = 1.2;

/* Where the texts go. They are above their lines, or, where they do not fit there, replaced by
 * numbers that a list above explains. */
struct strip {
	const struct tv_flag *flag[TV_FLAGS_MAX]; /* those with text, from left to right */
	double center[TV_FLAGS_MAX], width[TV_FLAGS_MAX];
	size_t n;
	bool numbered, fits;
	struct tv_point at[TV_FLAGS_MAX]; /* of the list: x, line */
	unsigned lines;
};

/* The part of a span that the axis shows. */
static void visible(const struct tv_figure *figure, const struct tv_flag *flag, double *x0,
		    double *x1)
{
	const struct tv_axis *axis = &figure->axis;

	*x0 = fmax(axis->x, tv_axis_at(axis, flag->begin));
	*x1 = fmin(axis->x + axis->width, tv_axis_at(axis, flag->end));
}

static double anchor(const struct tv_figure *figure, const struct tv_flag *flag)
{
	double x0, x1;

	visible(figure, flag, &x0, &x1);
	return (x0 + x1) / 2;
}

static const char *list_text(const struct tv_figure *figure, const struct tv_flag *flag, char *out,
			     size_t size)
{
	return tv_text_fit(figure->scene->text, flag->text, TV_TEXT_SIZE, false,
			   figure->width - 2 * disc - 2, out, size);
}

/* The list of numbered texts, in lines over the whole width of the stack. */
static void arrange_list(const struct tv_figure *figure, struct strip *s)
{
	double x = figure->x, right = figure->x + figure->width;
	char text[160];

	s->lines = 1;
	for (size_t i = 0; i < s->n; i++) {
		double wide = 2 * disc + 2
			    + tv_text_width(figure->scene->text,
					    list_text(figure, s->flag[i], text, sizeof text),
					    TV_TEXT_SIZE, false);

		if (x > figure->x && x + wide > right) {
			s->lines++;
			x = figure->x;
		}
		s->at[i] = (struct tv_point){ x, s->lines - 1 };
		x += wide + list_gap;
	}
}

/* Puts the texts (or numbers) over their lines; whether none is far from its own. */
static bool place_texts(const struct tv_figure *figure, struct strip *s)
{
	double low = figure->axis.stub_x, high = figure->x + figure->width;
	double gap = s->numbered ? number_gap : text_gap;

	for (size_t i = 0; i < s->n; i++) {
		s->center[i] = anchor(figure, s->flag[i]);
		s->width[i] = s->numbered ? 2 * disc
					  : tv_text_width(figure->scene->text, s->flag[i]->text,
							  TV_TEXT_SIZE, false);
	}
	if (tv_spread(s->center, s->width, s->n, low, high, gap) < 0)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (!s->numbered
		    && fabs(s->center[i] - anchor(figure, s->flag[i]))
			       > s->width[i] / 2 + max_aside)
			return false;
	return true;
}

static void arrange(const struct tv_figure *figure, struct strip *s)
{
	const struct tv_annotations *notes = figure->notes;

	*s = (struct strip){ .n = 0 };
	for (size_t i = 0; i < notes->nflags; i++) {
		const struct tv_flag *flag = &notes->flag[i];

		if (flag->text[0] != '\0' && s->n < TV_FLAGS_MAX)
			s->flag[s->n++] = flag;
	}
	s->fits = place_texts(figure, s);
	if (s->fits)
		return;
	s->numbered = true;
	s->fits = place_texts(figure, s);
	arrange_list(figure, s);
}

static double brackets_height(const struct tv_figure *figure)
{
	return figure->notes->nlevels * level_height;
}

static double height_of(const struct tv_figure *figure, const struct strip *s)
{
	return (s->n > 0 ? (s->lines + 1) * TV_LINE_HEIGHT + leader : 0) + brackets_height(figure);
}

double tv_flags_height(const struct tv_figure *figure)
{
	struct strip s;

	arrange(figure, &s);
	return height_of(figure, &s);
}

/* A number in a disc. */
static void draw_number(struct tv_scene *scene, double x, double y, size_t number)
{
	enum { CORNERS = 24 };
	struct tv_point point[CORNERS];
	char text[24];

	for (int i = 0; i < CORNERS; i++) {
		double angle = 2 * 3.14159265358979323846 * i / CORNERS;

		point[i] = (struct tv_point){ x + disc * cos(angle), y + disc * sin(angle) };
	}
	tv_scene_pen(scene, "flag-disc", "flags");
	scene->pen.fill = TV_NOTE;
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, point, CORNERS);
	tv_scene_pen(scene, "flag-number", "flags");
	scene->pen.fill = TV_WHITE;
	snprintf(text, sizeof text, "%zu", number);
	tv_scene_text(scene, x, y, TV_CENTER, TV_TEXT_SMALL, false, text);
}

static void draw_list(struct tv_figure *figure, const struct strip *s, double y)
{
	struct tv_scene *scene = figure->scene;
	char text[160];

	for (size_t i = 0; i < s->n && s->numbered; i++) {
		double at = y + (s->at[i].y + 0.5) * TV_LINE_HEIGHT;

		draw_number(scene, s->at[i].x + disc, at, i + 1);
		tv_scene_pen(scene, "flag-list", "flags");
		scene->pen.fill = TV_NOTE;
		tv_scene_text(scene, s->at[i].x + 2 * disc + 2, at, TV_LEFT, TV_TEXT_SIZE, false,
			      list_text(figure, s->flag[i], text, sizeof text));
	}
}

static void set_line(struct tv_scene *scene, const struct tv_flag *flag, const char *class)
{
	tv_scene_pen(scene, class, "flags");
	scene->pen.stroke = TV_NOTE;
	scene->pen.width = flag->span ? 0.5 : flag->line ? 0.5 : 0.8;
	scene->pen.dash = flag->line ? TV_DOTTED : TV_SOLID;
}

static const char *class_of(const struct tv_flag *flag)
{
	return flag->span ? "span" : flag->line ? "vline" : "mark";
}

/* The texts at height y, and from each of them a line to its mark or bracket below. */
static void draw_texts(struct tv_figure *figure, const struct strip *s, double y, double brackets)
{
	struct tv_scene *scene = figure->scene;
	double bottom = y + TV_LINE_HEIGHT / 2 - 0.2;

	for (size_t i = 0; i < s->n; i++) {
		const struct tv_flag *flag = s->flag[i];
		double x = anchor(figure, flag), half = s->width[i] / 2 - 1, to = brackets;
		double from = fmax(s->center[i] - half, fmin(x, s->center[i] + half));

		if (flag->span)
			to += flag->level * level_height;
		if (s->numbered) {
			draw_number(scene, s->center[i], y, i + 1);
		} else {
			tv_scene_pen(scene, flag->span ? "span-text" : "mark-text", "flags");
			scene->pen.fill = TV_NOTE;
			tv_scene_text(scene, s->center[i], y, TV_CENTER, TV_TEXT_SIZE, false,
				      flag->text);
		}
		set_line(scene, flag, "flag-leader");
		tv_scene_line(scene, TV_PAGE, from, bottom, x, to);
	}
}

/* What is drawn above the panels: the bracket of a span with its ends, the upper end of a line. */
static void draw_head(struct tv_figure *figure, const struct tv_flag *flag, double brackets,
		      double bottom)
{
	struct tv_scene *scene = figure->scene;
	double x0, x1, y = brackets + (flag->span ? flag->level * level_height : 0);

	visible(figure, flag, &x0, &x1);
	set_line(scene, flag, class_of(flag));
	if (flag->begin >= figure->axis.begin)
		tv_scene_line(scene, TV_PAGE, x0, y, x0, bottom);
	if (!flag->span)
		return;
	if (flag->end <= figure->axis.end)
		tv_scene_line(scene, TV_PAGE, x1, y, x1, bottom);
	tv_scene_pen(scene, "span-bracket", "flags");
	scene->pen.stroke = TV_NOTE;
	scene->pen.width = 1;
	tv_scene_line(scene, TV_PAGE, x0, y, x1, y);
}

int tv_flags_draw(struct tv_figure *figure, double y, struct tv_error *err)
{
	const struct tv_annotations *notes = figure->notes;
	struct tv_scene *scene = figure->scene;
	struct strip s;
	double brackets, bottom;

	arrange(figure, &s);
	if (!s.fits)
		return tv_fail_usage(err,
				     "%zu marks and spans (--mark, --span) have no room in a "
				     "figure %.2f in wide",
				     s.n, scene->width / 72);
	bottom = y + height_of(figure, &s);
	brackets = bottom - brackets_height(figure);
	draw_list(figure, &s, y);
	draw_texts(figure, &s, y + (s.lines + 0.5) * TV_LINE_HEIGHT, brackets);
	for (size_t i = 0; i < notes->nflags; i++)
		draw_head(figure, &notes->flag[i], brackets, bottom);
	return 0;
}

/* Boxes that lines stop at: text, and the keys beside it. */
struct boxes {
	double (*box)[4];
	size_t n, cap;
};

static void find_boxes(const struct tv_scene *scene, struct boxes *boxes)
{
	uint32_t swatch = tv_pool_find_text(scene->strings, "swatch");

	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];

		if (shape->kind != TV_SHAPE_TEXT && shape->class != swatch)
			continue;
		TV_GROW(boxes->box, boxes->n, boxes->cap, 1);
		tv_shape_box(scene, shape, boxes->box[boxes->n++]);
	}
}

/* The next piece [*y0, *y1) of a vertical line at x below *y1 and above `end` without text. */
static bool next_piece(const struct boxes *boxes, double x, double end, double *y0, double *y1)
{
	bool moved = true;

	for (*y0 = *y1; moved && *y0 < end;) {
		moved = false;
		*y1 = end;
		for (size_t i = 0; i < boxes->n; i++) {
			const double *box = boxes->box[i];

			if (x < box[0] - clearance || x > box[2] + clearance || box[3] <= *y0)
				continue;
			if (box[1] <= *y0) {
				*y0 = box[3];
				moved = true;
				break;
			}
			*y1 = fmin(*y1, box[1]);
		}
	}
	return *y0 < end;
}

static void draw_line(struct tv_figure *figure, const struct boxes *boxes,
		      const struct tv_flag *flag, int64_t time, struct tv_stretch stretch)
{
	const struct tv_axis *axis = &figure->axis;
	double x = tv_axis_at(axis, time), y0, y1 = stretch.y0;

	if (time < axis->begin || time > axis->end)
		return;
	set_line(figure->scene, flag, class_of(flag));
	while (next_piece(boxes, x, stretch.y1, &y0, &y1)
	       && (!stretch.clear || y1 - y0 >= stretch.y1 - stretch.y0))
		tv_scene_line(figure->scene, TV_PAGE, x, y0, x, y1);
}

void tv_line_around_text(struct tv_scene *scene, double x, double y0, double y1)
{
	struct boxes boxes = { .n = 0 };
	double from, to = y0;

	find_boxes(scene, &boxes);
	while (next_piece(&boxes, x, y1, &from, &to))
		tv_scene_line(scene, TV_PAGE, x, from, x, to);
	tv_free(boxes.box);
}

void tv_flags_lines(struct tv_figure *figure, const struct tv_stretch *stretch, size_t n)
{
	const struct tv_annotations *notes = figure->notes;
	struct boxes boxes = { .n = 0 };

	if (notes->nflags > 0)
		find_boxes(figure->scene, &boxes);
	for (size_t i = 0; i < notes->nflags; i++)
		for (size_t k = 0; k < n; k++) {
			const struct tv_flag *flag = &notes->flag[i];

			draw_line(figure, &boxes, flag, flag->begin, stretch[k]);
			if (flag->span)
				draw_line(figure, &boxes, flag, flag->end, stretch[k]);
		}
	tv_free(boxes.box);
}
