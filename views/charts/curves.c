/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curves.c -- what panels of curves have in common. */
#include "views/charts/curves.h"

#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/starvation.h"
#include "views/scene/palette.h"

static const double height_min = 24, bullet = 2, half = 1.3; /* points; of marks of peaks */

const uint32_t tv_curve_colors[TV_CURVE_COLORS] = {
	0x0072b2, 0xd55e00, 0x002200, 0xaabbdd, 0x552266, 0xffaa00, 0x993322, 0x1100cc,
};

struct tv_curves_shown *tv_curves_new(struct tv_slot *slot)
{
	struct tv_curves_shown *shown = slot->state;

	shown->printed = slot->printed;
	if (!isnan(shown->limit))
		shown->high = shown->limit;
	return shown;
}

void tv_curves_show(struct tv_curves_shown *shown, struct tv_pieces pieces, enum tv_key_kind kind,
		    uint32_t color, const char *text)
{
	size_t i = shown->n;

	if (i == TV_CURVES_MAX)
		return;
	shown->pieces[i] = pieces;
	shown->dash[i] = kind == TV_KEY_DASHED ? TV_DASHED : TV_SOLID;
	shown->key[i] = (struct tv_key){ .kind = kind, .color = color };
	tv_clean_text(shown->key[i].text, sizeof shown->key[i].text, text);
	shown->n++;
}

void tv_curves_groups(struct tv_figure *figure, struct tv_curves_shown *shown,
		      const struct tv_table *table, const char *curve, enum tv_key_kind kind)
{
	struct tv_curve_list list;

	tv_curve_list_init(&list, table, "By", "Value");
	tv_curve_list_keep(&list, table, curve);
	tv_curve_list_measure(&list);
	for (size_t i = 0; i < list.n && i < TV_CURVES_MAX - 1; i++) { /* one is left for a level */
		char name[40], *text;

		tv_clean_text(name, sizeof name, tv_pool_text(table->pool, list.at[i].by));
		text = tv_curve_text(&shown->printed, "node {name}: mean {mean:1}", name,
				     &list.at[i], "");
		if (kind == TV_KEY_LINE && shown->n >= TV_CURVE_COLORS)
			kind = TV_KEY_DASHED; /* the colors begin again */
		tv_curves_show(shown, list.at[i].pieces, kind,
			       tv_curve_colors[shown->n % TV_CURVE_COLORS], text);
		tv_free(text);
	}
	if (!(list.n < TV_CURVES_MAX))
		tv_run_warn(figure->run, "%s: %d of %zu nodes are drawn (--node chooses)",
			    shown->title, TV_CURVES_MAX - 1, list.n);
	tv_curve_list_release(&list, NULL);
}

void tv_curves_level(struct tv_curves_shown *shown, int64_t begin, int64_t end, double value,
		     uint32_t color, const char *text)
{
	shown->level.start = begin;
	shown->level.end = end;
	shown->level.value = value;
	tv_curves_show(shown,
		       (struct tv_pieces){ &shown->level.start, &shown->level.end,
					   &shown->level.value, 1 },
		       TV_KEY_DASHED, color, text);
}

void tv_curves_spread(struct tv_figure *figure, struct tv_curves_shown *shown,
		      struct tv_stairs *steps, uint32_t color)
{
	size_t n = figure->facet->nrepeats;
	char text[32];

	for (size_t i = 0; i < n; i++)
		steps[i].shift = figure->repeat_shift[i];
	tv_envelope_init(&shown->spread, steps, n);
	shown->spread_color = tv_color_fade(tv_color_fade(color));
	snprintf(text, sizeof text, "all %zu runs", n);
	tv_curves_show(shown, (struct tv_pieces){ .n = 0 }, TV_KEY_AREA, shown->spread_color, text);
}

/* Its min or max values. */
static struct tv_pieces spread_pieces(const struct tv_curves_shown *shown, const double *value)
{
	return (struct tv_pieces){ shown->spread.start, shown->spread.end, value, shown->spread.n };
}

/* How many of the curves are areas. */
static size_t areas_of(const struct tv_curves_shown *shown)
{
	size_t n = 0;

	while (shown->stacked && n < shown->n && shown->key[n].kind == TV_KEY_AREA)
		n++;
	return n;
}

/* The largest value of the lines without brief spikes, and of the sum of the areas, in the axis. */
static double find_high(const struct tv_curves_shown *shown, const struct tv_figure *figure)
{
	size_t areas = areas_of(shown);
	double high = 0;

	if (areas > 0)
		high = tv_stack_high(figure, shown->pieces, areas);
	for (size_t i = areas; i < shown->n; i++) {
		double own = tv_pieces_high(figure, &shown->pieces[i]);

		/* A level that has a key is kept off the border. */
		if (shown->pieces[i].value == &shown->level.value && shown->key[i].text[0] != '\0')
			own *= 1.02;
		high = fmax(high, own);
	}
	if (shown->spread.n > 0) {
		struct tv_pieces max = spread_pieces(shown, shown->spread.max);

		high = fmax(high, tv_pieces_extent(&max, figure->axis.begin, figure->axis.end).max);
	}
	return high;
}

/* The upper end of the scale: as given, or found once for each width of the axis, of which a figure
 * tries some, each with two heights. */
static double high_for(struct tv_curves_shown *shown, const struct tv_figure *figure)
{
	if (shown->high != 0)
		return shown->high;
	if (shown->found_high == 0 || shown->found_width != figure->axis.width) {
		shown->found_width = figure->axis.width;
		shown->found_high = find_high(shown, figure);
	}
	return shown->found_high;
}

/* Keys that the legend does not have. */
static size_t keys_of(const struct tv_curves_shown *shown, struct tv_key *key)
{
	size_t n = 0;

	for (size_t i = shown->known ? areas_of(shown) : 0; i < shown->n; i++)
		if (shown->key[i].text[0] != '\0')
			key[n++] = shown->key[i];
	return n;
}

void tv_curves_fit(struct tv_figure *figure, struct tv_slot *slot, struct tv_curves_shown *shown,
		   double height)
{
	struct tv_key key[TV_CURVES_MAX];
	double high = high_for(shown, figure);

	slot->high = fmax(slot->high, high);
	high = fmax(high, slot->common);
	shown->scale = tv_value_scale(shown->low, high, shown->whole,
				      height > 0 ? height : height_min);
	slot->request.left = fmax(slot->request.left, tv_value_width(figure, &shown->scale));
	slot->request.top = tv_strip_height(figure, shown->title, key, keys_of(shown, key),
					    tv_strip_width(figure));
}

void tv_curves_measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	slot->request.min = height_min;
	tv_curves_fit(figure, slot, slot->state, height);
}

void tv_curves_draw(struct tv_figure *figure, const struct tv_curves_shown *shown, const char *name,
		    const struct tv_place *place)
{
	unsigned frame = tv_value_frame(figure, name, place, &shown->scale);
	struct tv_key key[TV_CURVES_MAX];
	size_t n = keys_of(shown, key), areas = areas_of(shown);

	if (shown->lack != NULL)
		tv_starvation_draw(figure, frame, shown->lack, true);
	tv_grid_draw(figure, place, &shown->scale);
	if (shown->spread.n > 0) {
		struct tv_pieces low = spread_pieces(shown, shown->spread.min),
				 high = spread_pieces(shown, shown->spread.max);

		tv_band_draw(figure, frame, &shown->scale, &low, &high, shown->spread_color);
	}
	if (areas > 0)
		tv_stack_draw(figure, frame, &shown->scale, shown->pieces, shown->key, areas);
	for (size_t i = areas; i < shown->n; i++) {
		/* A level at the upper end is the border. */
		if (shown->pieces[i].value == &shown->level.value
		    && shown->level.value >= shown->scale.high)
			continue;
		tv_curve_draw(figure, frame, &shown->scale, &shown->pieces[i], shown->key[i].color,
			      shown->dash[i]);
		tv_cuts_draw(figure, place, &shown->scale, &shown->pieces[i], shown->key[i].color);
	}
	tv_border_draw(figure->scene, place);
	tv_value_draw(figure, place, &shown->scale);
	tv_strip_draw(figure, shown->title, key, n, place->x, place->y, tv_strip_width(figure));
}

static void draw_peak(struct tv_figure *figure, const struct tv_slot *slot, size_t i)
{
	const struct tv_curves_shown *shown = slot->state;
	const struct tv_pieces *pieces = &shown->pieces[i];
	const struct tv_place *place = &slot->place;
	uint32_t color = shown->key[i].color;
	struct tv_scene *scene = figure->scene;
	size_t at = 0;
	double x, y;

	for (size_t k = 1; k < pieces->n; k++)
		at = pieces->value[k] > pieces->value[at] ? k : at;
	if (pieces->n == 0 || pieces->start[at] < figure->axis.begin
	    || pieces->start[at] > figure->axis.end)
		return;
	x = tv_axis_at(&figure->axis, pieces->start[at]);
	y = place->y + tv_value_at(&shown->scale, pieces->value[at]) * place->height;
	if (y < place->y)
		return;
	tv_scene_pen(scene, "peak", shown->peaks == TV_PEAK_DOTS ? slot->panel->name : "curves");
	if (shown->peaks == TV_PEAK_DOTS) {
		tv_bullet_draw(scene, x, y, bullet, color, TV_WHITE);
		return;
	}
	scene->pen.stroke = color;
	scene->pen.dash = TV_DASHED;
	tv_scene_line(scene, TV_PAGE, x, y, x, place->y + place->height);
	tv_scene_pen(scene, "peak", "curves");
	scene->pen.fill = color;
	tv_scene_rect(scene, TV_PAGE, x - half, y - half, x + half, y + half);
}

void tv_curves_layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct tv_curves_shown *shown = slot->state;

	tv_curves_draw(figure, shown, slot->panel->name, &slot->place);
	for (size_t i = 0; shown->peaks != TV_NO_PEAKS && i < shown->n; i++)
		draw_peak(figure, slot, i);
}

void tv_curves_free_shown(struct tv_curves_shown *shown)
{
	tv_free(shown->title);
	tv_free(shown->time);
	tv_free(shown->value);
	tv_envelope_release(&shown->spread);
	tv_free(shown);
}

void tv_curves_release_shown(struct tv_slot *slot)
{
	tv_curves_free_shown(slot->state);
}

int64_t tv_step_for(const struct tv_figure *figure, unsigned n, char *text, size_t size)
{
	static const int64_t round[] = { 1, 2, 5 };
	int64_t length = figure->axis.end - figure->axis.begin, step = 1;

	for (int64_t power = 1; power <= INT64_MAX / 100; power *= 10)
		for (size_t i = 0; i < TV_COUNT(round); i++)
			if (step < length / n)
				step = round[i] * power;
	snprintf(text, size, "%lldns", (long long)step);
	return step;
}
