/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message_sizes.c -- panels of the sizes of messages: how many messages and bytes are of which size,
 * and how long messages take by size, on logarithmic axes, so that limits of protocols show.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/charts/tiles.h"
#include "views/charts/value.h"
#include "views/shared/panel.h"

static const double chart_max = 330, right_pad = 12, below = 17, tick = 2, pad = 2; /* points */
static const uint32_t bar_color = 0x3b7cb4, bytes_color = 0xf0947a, point_color = 0x86b4da,
		      low_color = 0xb3261e;

struct sizes {
	const struct tv_table *classes, *messages; /* messages: only of durations */
	bool durations;
	double first, last; /* of the axis of sizes: powers of two */
	double low, high;   /* of the axis of durations: powers of ten of ns */
	double share, end;  /* the largest of a class, where the axis of shares ends; 0 to 1 */
	int64_t n;	    /* messages */
	struct tv_key key[3];
	size_t nkeys;
	char title[160];
};

static int64_t cell(const struct sizes *s, const char *column, uint32_t row)
{
	return tv_table_find(s->classes, column)->i[row];
}

/* Where a class begins and ends on the axis; one of 0 bytes is left of those of 1 byte. */
static double class_end(const struct sizes *s, uint32_t row)
{
	int64_t upper = cell(s, "Upper", row);

	return upper == 0 ? -1 : round(log2((double)upper));
}

static double place_of(int64_t size)
{
	return size > 0 ? log2((double)size) : -1.5;
}

/* Whether a message is of one of the classes, and has a duration. */
static bool is_shown(const struct sizes *s, uint32_t message)
{
	return !tv_missing(tv_table_find(s->messages, "Size"), message)
	    && strcmp(tv_table_text(s->messages, "Flag", message), TV_OPEN) != 0;
}

static void set_title(struct sizes *s, const struct tv_printed *printed)
{
	double bytes = 0;
	int64_t sizes = 0, instants = 0;
	char text[48], note[64] = "";

	for (uint32_t row = 0; row < s->classes->nrows; row++) {
		s->n += cell(s, "Messages", row);
		bytes += (double)cell(s, "Bytes", row);
		sizes += cell(s, "DistinctSizes", row);
	}
	for (uint32_t i = 0; s->durations && i < s->messages->nrows; i++)
		instants += is_shown(s, i) && tv_table_find(s->messages, "Duration")->i[i] <= 0;
	if (instants > 0)
		snprintf(note, sizeof note, ", %lld that take no time (at the bottom)",
			 (long long)instants);
	tv_bytes_text(text, sizeof text, bytes);
	snprintf(s->title, sizeof s->title, "%s of %s message%s%s, %s size%s, %s",
		 s->durations ? "durations" : "sizes",
		 tv_print_number(printed, "Messages", NULL, "messages", "%lld", (long long)s->n),
		 tv_plural(s->n), note,
		 tv_print_number(printed, "Sizes", NULL, "sizes", "%lld", (long long)sizes),
		 tv_plural(sizes), tv_print_number(printed, "Bytes", NULL, NULL, "%s", text));
}

/* The smallest powers of ten around the durations above 0. */
static void set_durations(struct sizes *s)
{
	const struct tv_column *duration = tv_table_find(s->messages, "Duration");
	double min = INFINITY, max = 0;

	for (uint32_t i = 0; i < s->messages->nrows; i++)
		if (duration->i[i] > 0 && is_shown(s, i)) {
			min = fmin(min, (double)duration->i[i]);
			max = fmax(max, (double)duration->i[i]);
		}
	/* Not on the edge of the chart. */
	s->low = max > 0 ? floor(log10(min) - 0.03) : 0;
	s->high = fmax(max > 0 ? ceil(log10(max)) : 0, s->low + 1);
}

static const char *const counted[] = { "Messages", "Bytes" };

static double sum_of(const struct sizes *s, const char *name)
{
	double sum = 0;

	for (uint32_t row = 0; row < s->classes->nrows; row++)
		sum += (double)cell(s, name, row);
	return sum;
}

static void find_share(struct sizes *s)
{
	for (size_t b = 0; b < TV_COUNT(counted); b++)
		for (uint32_t row = 0; row < s->classes->nrows; row++)
			if (cell(s, counted[b], row) > 0)
				s->share = fmax(s->share, (double)cell(s, counted[b], row)
								  / sum_of(s, counted[b]));
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct sizes *s = slot->state = tv_alloc(1, sizeof *s);
	int rc = tv_panel_pass(figure, slot->panel, "message-sizes", NULL, &s->classes, err);

	s->durations = slot->panel->spec != NULL;
	if (rc == 0 && s->durations)
		rc = tv_panel_pass(figure, slot->panel, "messages", NULL, &s->messages, err);
	if (rc != 0)
		return rc;
	if (s->classes->nrows == 0)
		return tv_panel_nothing(figure, slot->panel, "no message in the window has a size");
	s->first = class_end(s, 0) - 1;
	s->last = class_end(s, s->classes->nrows - 1);
	/* A single class is no axis. */
	if (s->last - s->first < 3) {
		s->first -= 1;
		s->last += 1;
	}
	s->last += 0.3; /* a size of a power of two is the end of its class */
	if (s->durations) {
		set_durations(s);
		s->key[s->nkeys++] = (struct tv_key){ TV_KEY_DOT, point_color, "message" };
		s->key[s->nkeys++] = (struct tv_key){ TV_KEY_LINE, TV_INK,
						      "25, 50, 75 % of a class of sizes" };
		s->key[s->nkeys++] = (struct tv_key){ TV_KEY_LINE, low_color, "fastest" };
	} else {
		find_share(s);
		s->key[s->nkeys++] = (struct tv_key){ TV_KEY_AREA, bar_color, "% of messages" };
		s->key[s->nkeys++] = (struct tv_key){ TV_KEY_AREA, bytes_color, "% of bytes" };
	}
	set_title(s, &slot->printed);
	return 0;
}

static double chart_height(const struct sizes *s)
{
	return s->durations ? 120 : 70;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct sizes *s = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	slot->high = s->share;
	slot->request.height = tv_strip_height(figure, s->title, s->key, s->nkeys, width)
			     + chart_height(s) + below + figure->scene->cell;
	slot->request.min = slot->request.height;
}

static double x_of(const struct sizes *s, const struct tv_place *at, double power)
{
	return at->x + (power - s->first) / (s->last - s->first) * at->width;
}

/* Times up to 0 are at the lower end. */
static double y_of(const struct sizes *s, const struct tv_place *at, int64_t ns)
{
	double share = ns > 0 ? (log10((double)ns) - s->low) / (s->high - s->low) : 0;

	return at->y + at->height * (1 - fmin(fmax(share, 0), 1));
}

static void size_text(double power, char *out, size_t size)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	int p = (int)power;

	if (p < 0)
		snprintf(out, size, "%s", p == -1 ? "0 B" : "");
	else
		snprintf(out, size, "%d %s", 1 << p % 10, unit[p / 10]);
}

static void draw_sizes_axis(struct tv_figure *figure, const struct sizes *s,
			    const struct tv_place *at)
{
	struct tv_scene *scene = figure->scene;
	double y = at->y + at->height, power = at->width / (s->last - s->first);
	int every = 1, last = (int)s->last;
	char text[40];

	while (every * power < tv_text_width(scene->text, "512 KiB", TV_TEXT_SMALL, false) + 4)
		every++;
	for (int p = (int)s->first; p <= last; p++) {
		double x = x_of(s, at, p);

		size_text(p, text, sizeof text);
		tv_scene_pen(scene, "tick", "axis");
		scene->pen.stroke = TV_INK;
		tv_scene_line(scene, TV_PAGE, x, y, x, y + tick);
		if (text[0] == '\0' || (last - p) % every != 0)
			continue;
		tv_scene_pen(scene, "tick-label", "axis");
		scene->pen.fill = TV_INK;
		tv_scene_text(scene, x, y + tick + 4, TV_CENTER, TV_TEXT_SMALL, false, text);
	}
	tv_scene_pen(scene, "axis-title", "axis");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, at->x + at->width / 2, y + tick + 11, TV_CENTER, TV_TEXT_SMALL, false,
		      "size of messages, by powers of two");
}

static void draw_value_tick(struct tv_figure *figure, const struct tv_place *at, double y,
			    const char *text)
{
	struct tv_scene *scene = figure->scene;

	tv_scene_pen(scene, "grid", "grid");
	scene->pen.stroke = TV_GRID;
	tv_scene_line(scene, TV_PAGE, at->x, y, at->x + at->width, y);
	tv_scene_pen(scene, "tick", "axis");
	scene->pen.stroke = TV_INK;
	tv_scene_line(scene, TV_PAGE, at->x - tick, y, at->x, y);
	tv_scene_pen(scene, "tick-label", "axis");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, at->x - tick - pad, y, TV_RIGHT, TV_TEXT_SMALL, false, text);
}

static void duration_text(double power, char *out, size_t size)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	int u = (int)fmin(floor(power / 3), 3);

	snprintf(out, size, "%.0f %s", pow(10, power - 3 * u), unit[u]);
}

/* The end of the axis of shares: that of all, or less where no class has so much. */
static double end_of(double share)
{
	static const double ends[] = { 0.1, 0.2, 0.4, 0.6 };

	for (size_t i = 0; i < TV_COUNT(ends); i++)
		if (share <= ends[i])
			return ends[i];
	return 1;
}

static void draw_values_axis(struct tv_figure *figure, const struct sizes *s,
			     const struct tv_place *at)
{
	char text[40];

	for (int i = 0; !s->durations && i <= 4; i++) {
		snprintf(text, sizeof text, "%g %%", 25 * s->end * i);
		draw_value_tick(figure, at, at->y + at->height * (1 - i / 4.0), text);
	}
	for (double p = s->low; s->durations && p <= s->high; p++) {
		duration_text(p, text, sizeof text);
		draw_value_tick(figure, at,
				at->y + at->height * (1 - (p - s->low) / (s->high - s->low)), text);
	}
}

/* The shares of each class: of messages, of bytes. */
static void draw_bars(struct tv_scene *scene, const struct sizes *s, const struct tv_place *at)
{
	static const char *const class[] = { "messages", "bytes" };

	for (int b = 0; b < 2; b++) {
		double sum = sum_of(s, counted[b]);

		for (uint32_t row = 0; row < s->classes->nrows && sum > 0; row++) {
			double share = (double)cell(s, counted[b], row) / sum;
			double from = class_end(s, row) - 1 + (b == 0 ? 0.12 : 0.52);
			char text[120];

			tv_scene_pen(scene, class[b], "sizes");
			scene->pen.fill = b == 0 ? bar_color : bytes_color;
			scene->pen.row = row;
			snprintf(text, sizeof text, "above %lld, up to %lld bytes: %lld %s",
				 (long long)cell(s, "Lower", row), (long long)cell(s, "Upper", row),
				 (long long)cell(s, counted[b], row), class[b]);
			scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
			tv_scene_rect(scene, TV_PAGE, x_of(s, at, from),
				      at->y + at->height * (1 - share / s->end),
				      x_of(s, at, from + 0.36), at->y + at->height);
		}
	}
}

/* A point per message; of those that share a cell of the medium one. */
static void draw_points(struct tv_scene *scene, const struct sizes *s, const struct tv_place *at)
{
	/* Few are no cloud. */
	double side = s->n > 100 ? 1.1 : 2.2;
	const struct tv_column *size = tv_table_find(s->messages, "Size"),
			       *duration = tv_table_find(s->messages, "Duration");
	size_t across = (size_t)(at->width / scene->cell) + 2,
	       down = (size_t)(at->height / scene->cell) + 2;
	bool *taken = tv_alloc(across * down, sizeof *taken);

	tv_scene_pen(scene, "message", "sizes");
	scene->pen.fill = point_color;
	for (uint32_t i = 0; i < s->messages->nrows; i++) {
		double x, y;
		bool *at_cell;

		if (!is_shown(s, i))
			continue;
		x = x_of(s, at, place_of(size->i[i]));
		y = y_of(s, at, duration->i[i]);
		at_cell = &taken[(size_t)((y - at->y) / scene->cell) * across
				 + (size_t)((x - at->x) / scene->cell)];
		if (*at_cell)
			continue;
		*at_cell = true;
		scene->pen.row = i;
		tv_scene_rect(scene, TV_PAGE, x - side / 2, y - side / 2, x + side / 2,
			      y + side / 2);
	}
	tv_free(taken);
}

static void draw_level(struct tv_scene *scene, const struct sizes *s, const struct tv_place *at,
		       uint32_t row, const char *column, const char *class, uint32_t color,
		       double width, double inset)
{
	double to = class_end(s, row), y = y_of(s, at, cell(s, column, row));

	/* No message of the class has ended. */
	if (tv_missing(tv_table_find(s->classes, column), row))
		return;
	tv_scene_pen(scene, class, "sizes");
	scene->pen.stroke = color;
	scene->pen.width = width;
	scene->pen.row = row;
	tv_scene_line(scene, TV_PAGE, x_of(s, at, to - 1 + inset), y, x_of(s, at, to - inset), y);
}

/* The fastest message of each class. */
static void draw_fastest(struct tv_scene *scene, const struct sizes *s, const struct tv_place *at)
{
	for (uint32_t row = 0; row < s->classes->nrows; row++)
		draw_level(scene, s, at, row, "Min", "fastest", low_color, 1.1, 0);
}

/* Quartiles of each class as a box without sides; the few messages of a class are seen themselves. */
static void draw_quartiles(struct tv_scene *scene, const struct sizes *s, const struct tv_place *at)
{
	enum { few = 4 };

	for (uint32_t row = 0; row < s->classes->nrows; row++) {
		if (cell(s, "Messages", row) < few)
			continue;
		draw_level(scene, s, at, row, "P25", "quartile", TV_INK, 0.5, 0.15);
		draw_level(scene, s, at, row, "P75", "quartile", TV_INK, 0.5, 0.15);
		draw_level(scene, s, at, row, "Median", "median", TV_INK, 1.1, 0.15);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct sizes *s = slot->state;
	const struct tv_place *place = &slot->place;
	double strip = tv_strip_height(figure, s->title, s->key, s->nkeys, place->width);
	double left = tv_text_width(figure->scene->text, "100 ms", TV_TEXT_SMALL, false) + tick
		    + 2 * pad;
	struct tv_place at = { place->x + left,
			       place->y + strip + 3,
			       fmin(chart_max, place->width - left - right_pad),
			       0,
			       0,
			       0 };

	at.height = fmin(chart_height(s), place->y + place->height - below - at.y);
	tv_strip_draw(figure, s->title, s->key, s->nkeys, place->x, place->y + strip, place->width);
	if (at.width < 20 || at.height < 20)
		return;
	s->end = end_of(fmax(s->share, slot->common));
	draw_values_axis(figure, s, &at);
	if (s->durations) {
		draw_fastest(figure->scene, s, &at);
		draw_points(figure->scene, s, &at);
		draw_quartiles(figure->scene, s, &at);
	} else {
		draw_bars(figure->scene, s, &at);
	}
	tv_border_draw(figure->scene, &at);
	draw_sizes_axis(figure, s, &at);
}

const struct tv_panel tv_panel_message_sizes = {
	.name = "message-sizes",
	.title = "how many messages and bytes are of which size",
	.needs = "messages: links of the Type 'MPI communication'",
	.kind = TV_FREE,
	.share = 1.5,
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
};

const struct tv_panel tv_panel_message_durations = {
	.name = "message-durations",
	.title = "how long messages take by their size, on logarithmic axes",
	.needs = "messages: links of the Type 'MPI communication'",
	.kind = TV_FREE,
	.share = 2,
	.spec = "durations",
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
};
