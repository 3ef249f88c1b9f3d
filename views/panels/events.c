/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c -- the panel of what may have disturbed a run: flushes, barriers, marks of the user. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/names.h"
#include "views/charts/strip.h"
#include "views/charts/value.h"
#include "views/shared/panel.h"

enum { NAMES = TV_NAMED_KEYS - 1 };

static const double row_height = 8, low_row = 1.5, height_max = 120; /* points */

/* Events of one name, and how many. */
struct name {
	uint32_t label;
	uint32_t count;
	const char *text;
};

struct events {
	const struct tv_table *table; /* result of events */
	const struct tv_column *id, *what, *value, *time, *end;
	struct tv_index place, style; /* of a resource: its row; of a Name: its place in name[] */
	uint32_t *resource;	      /* rows, from top to bottom: labels */
	uint32_t nresources;
	struct tv_named named;	     /* the rows */
	struct name name[NAMES + 1]; /* those told apart; the last: all others */
	uint32_t color[NAMES + 1];   /* of them, by their names */
	uint32_t nnames;
	uint32_t *order; /* rows of the table: long spans first, then the others; owned */
	bool both;	 /* there are spans and instants: these have the upper part */
};

static int by_count(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->count != y->count)
		return TV_COMPARE(y->count, x->count);
	return tv_natural_order(x->text, y->text);
}

static int by_text(const void *a, const void *b, void *data)
{
	return tv_natural_order(tv_pool_text(data, *(const uint32_t *)a),
				tv_pool_text(data, *(const uint32_t *)b));
}

/* Whether the axis shows a part of an event. */
static bool is_shown(const struct tv_figure *figure, const struct events *e, uint32_t i)
{
	int64_t from = e->time->i[i];

	return from <= figure->axis.end
	    && (tv_missing(e->end, i) ? from : e->end->i[i]) >= figure->axis.begin;
}

/* The labels of a column with how often each occurs, in *name (free it); how many. */
static uint32_t count_labels(const struct tv_column *column, uint32_t n, struct name **name)
{
	uint32_t nlabels = tv_pool_count(column->pool), found = 0;
	uint32_t *count = tv_alloc(nlabels, sizeof *count);

	*name = tv_alloc(n, sizeof **name);
	for (uint32_t i = 0; i < n; i++)
		if (tv_label(column, i) != TV_NONE)
			count[tv_label(column, i)]++;
	for (uint32_t label = 0; label < nlabels; label++)
		if (count[label] > 0)
			(*name)[found++] = (struct name){ label, count[label],
							  tv_pool_text(column->pool, label) };
	tv_free(count);
	return found;
}

static void read_resources(struct events *e)
{
	struct name *name;

	e->nresources = count_labels(e->id, e->table->nrows, &name);
	e->resource = tv_alloc(e->nresources, sizeof *e->resource);
	for (uint32_t i = 0; i < e->nresources; i++)
		e->resource[i] = name[i].label;
	qsort_r(e->resource, e->nresources, sizeof *e->resource, by_text, e->table->pool);
	tv_names_init(&e->named.names, e->nresources);
	for (uint32_t i = 0; i < e->nresources; i++) {
		tv_index_set(&e->place, e->resource[i], i);
		tv_names_add(&e->named.names, tv_pool_text(e->table->pool, e->resource[i]));
	}
	tv_free(name);
}

static void set_colors(struct events *e, enum tv_palette palette)
{
	const char *name[NAMES];
	size_t n = e->nnames < NAMES ? e->nnames : NAMES;

	for (size_t i = 0; i < n; i++)
		name[i] = e->name[i].text;
	tv_palette_assign(palette, NULL, name, NULL, n, e->color);
	e->color[NAMES] = TV_GRAY;
}

static void read_names(struct events *e, enum tv_palette palette, const struct tv_printed *printed)
{
	struct name *name;
	uint32_t n = count_labels(e->what, e->table->nrows, &name);

	qsort(name, n, sizeof *name, by_count);
	for (uint32_t i = 0; i < n; i++) {
		tv_index_set(&e->style, name[i].label, i < NAMES ? i : NAMES);
		if (i < NAMES) {
			e->name[e->nnames++] = name[i];
			continue;
		}
		e->nnames = NAMES + 1;
		e->name[NAMES].label = TV_NONE;
		e->name[NAMES].text = "other";
		e->name[NAMES].count += name[i].count;
	}
	set_colors(e, palette);
	for (uint32_t i = 0; i < e->nnames; i++) {
		struct tv_key *key = &e->named.key[e->named.nkeys++];
		char text[40];

		*key = (struct tv_key){ .kind = TV_KEY_AREA, .color = e->color[i] };
		tv_clean_text(text, sizeof text, e->name[i].text);
		snprintf(key->text, sizeof key->text, "%s %s", text,
			 tv_print_number(printed, "Count", text, "events", "%u", e->name[i].count));
	}
	tv_free(name);
}

static int64_t length_of(const struct events *e, uint32_t i)
{
	return tv_missing(e->end, i) ? -1 : e->end->i[i] - e->time->i[i];
}

static int by_length(const void *a, const void *b, void *data)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t s = length_of(data, x), t = length_of(data, y);

	return s != t ? TV_COMPARE(t, s) : TV_COMPARE(x, y);
}

/* So that nothing is hidden by what is longer: a span by another one, an instant by a span. */
static void sort_events(struct events *e)
{
	bool spans = false, instants = false;

	e->order = tv_alloc(e->table->nrows, sizeof *e->order);
	for (uint32_t i = 0; i < e->table->nrows; i++) {
		e->order[i] = i;
		spans = spans || length_of(e, i) >= 0;
		instants = instants || length_of(e, i) < 0;
	}
	e->both = spans && instants;
	qsort_r(e->order, e->table->nrows, sizeof *e->order, by_length, e);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct events *e = slot->state = tv_alloc(1, sizeof *e);
	uint32_t hidden = 0;
	int rc;

	rc = tv_panel_pass(
		figure, slot->panel, "events",
		(const char *const[]){ "type", tv_panel_option(figure, slot->panel, "type"), NULL },
		&e->table, err);
	if (rc != 0)
		return rc;
	e->id = tv_table_find(e->table, "ResourceId");
	e->what = tv_table_find(e->table, "Name");
	e->value = tv_table_find(e->table, "Value");
	e->time = tv_table_find(e->table, "Time");
	e->end = tv_table_find(e->table, "End");
	for (uint32_t i = 0; i < e->table->nrows; i++)
		hidden += !is_shown(figure, e, i);
	if (hidden == e->table->nrows)
		return tv_panel_nothing(figure, slot->panel,
					"no event lies on the time axis "
					"('traceviz events' lists them)");
	if (hidden > 0)
		snprintf(e->named.title, sizeof e->named.title, "events (%u before or after)",
			 hidden);
	else
		snprintf(e->named.title, sizeof e->named.title, "events");
	read_resources(e);
	sort_events(e);
	read_names(e, figure->options->palette, &slot->printed);
	return 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct events *e = slot->state;

	if (height == 0)
		height = fmin(height_max, e->nresources * row_height);
	tv_named_measure(figure, slot, &e->named, height, low_row);
}

static uint32_t describe(struct tv_scene *scene, const struct events *e, uint32_t i, int64_t end)
{
	char text[300], part[120];

	if (!scene->labels)
		return 0;
	tv_clean_text(part, sizeof part, tv_pool_text(e->table->pool, tv_label(e->value, i)));
	snprintf(text, sizeof text, "%s, %.6f", part, (double)e->time->i[i] / 1e6);
	if (!tv_missing(e->end, i))
		snprintf(text + strlen(text), sizeof text - strlen(text), " to %.6f",
			 (double)end / 1e6);
	snprintf(text + strlen(text), sizeof text - strlen(text), " ms");
	return tv_scene_string(scene, text);
}

/* Spans are areas of half the color in the lower part of the row, instants lines down to them. */
static void draw_event(struct tv_figure *figure, const struct events *e,
		       const struct tv_place *place, uint32_t i)
{
	const struct tv_axis *axis = &figure->axis;
	int64_t from = e->time->i[i], to = tv_missing(e->end, i) ? from : e->end->i[i];
	uint32_t style = tv_index_get(&e->style, tv_label(e->what, i));
	uint32_t color = e->color[style != TV_NONE ? style : e->nnames - 1];
	double y = place->y + tv_index_get(&e->place, tv_label(e->id, i)) * e->named.unit;
	struct tv_scene *scene = figure->scene;
	bool spans = !tv_missing(e->end, i);

	if (!is_shown(figure, e, i))
		return;
	tv_scene_pen(scene, spans ? "span" : "instant", "events");
	scene->pen.row = i;
	scene->pen.label = describe(scene, e, i, to);
	if (!spans) {
		scene->pen.stroke = color;
		scene->pen.width = 0.8;
		tv_scene_line(scene, TV_PAGE, tv_axis_at(axis, from), y + 0.05 * e->named.unit,
			      tv_axis_at(axis, from), y + (e->both ? 0.5 : 0.95) * e->named.unit);
		return;
	}
	scene->pen.fill = tv_color_fade(color);
	from = from < axis->begin ? axis->begin : from;
	to = to > axis->end ? axis->end : to;
	tv_scene_rect(scene, TV_PAGE, tv_axis_at(axis, from),
		      y + (e->both ? 0.5 : 0.15) * e->named.unit,
		      fmax(tv_axis_at(axis, to), tv_axis_at(axis, from) + TV_LINE_MIN),
		      y + (e->both ? 0.95 : 0.85) * e->named.unit);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct events *e = slot->state;
	const struct tv_place *place = &slot->place;

	tv_grid_draw(figure, place, NULL);
	for (uint32_t i = 0; i < e->table->nrows; i++)
		draw_event(figure, e, place, e->order[i]);
	tv_named_draw(figure, place, &e->named);
}

static void release(struct tv_slot *slot)
{
	struct events *e = slot->state;

	tv_names_release(&e->named.names);
	tv_free(e->place.at);
	tv_free(e->style.at);
	tv_free(e->resource);
	tv_free(e->order);
	tv_free(e);
}

static const struct tv_option_spec options[] = {
	{ "type", "TYPE", NULL,
	  "events of that type (default: those of the program and the user)" },
};

const struct tv_panel tv_panel_events = {
	.name = "events",
	.title = "events of the program and the user: flushes, profiling, barriers, marks",
	.needs = "events",
	.share = 0.4,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
