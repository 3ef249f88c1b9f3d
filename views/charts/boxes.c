/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boxes.c -- places of the objects of the machine in a map. */
#include "views/charts/boxes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/text.h"

static const double pad = 2;	/* points, between a frame and what is inside */
static const double disc = 260; /* diameter of the largest */

/* ---- the tree ---- */

static uint32_t level_of(struct tv_boxes *t, uint32_t label)
{
	for (uint32_t i = 0; i < t->nlevels; i++)
		if (t->level[i].label == label)
			return i;
	if (t->nlevels < TV_MAP_LEVELS)
		t->level[t->nlevels++].label = label;
	return t->nlevels - 1;
}

static void find_tree(struct tv_boxes *t)
{
	static const char *const frames[] = { "Machine", "Package", "Group",
					      "Die",	 "Process", "Device" };
	const struct tv_table *table = t->numbers->at[0].table;
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *parent = tv_table_find(table, "Parent"),
			       *level = tv_table_find(table, "Level");
	struct tv_index place = { 0 };
	bool machines = true; /* all outermost objects are hosts */

	t->n = t->numbers->nobjects;
	for (uint32_t i = 0; i < t->n; i++)
		tv_index_set(&place, tv_label(id, i), i);
	t->box = tv_alloc(t->n, sizeof *t->box);
	for (uint32_t i = 0; i < t->n; i++) {
		struct tv_box *box = &t->box[i];
		const char *type = tv_pool_text(table->pool, tv_label(level, i));

		box->parent = tv_label(parent, i) == TV_NONE
				    ? TV_NONE
				    : tv_index_get(&place, tv_label(parent, i));
		box->level = level_of(t, tv_label(level, i));
		box->memory = strcmp(type, "NUMANode") == 0 && box->parent != TV_NONE;
		box->host = box->parent == TV_NONE ? t->nhosts++ : t->box[box->parent].host;
		machines = machines && (box->parent != TV_NONE || strcmp(type, frames[0]) == 0);
		for (size_t k = 0; k < TV_COUNT(frames) && t->form == TV_MAP_NESTED; k++)
			box->holds = box->holds || strcmp(type, frames[k]) == 0;
	}
	for (uint32_t i = 0; i < t->n && !machines; i++)
		t->box[i].host = 0;
	t->nhosts = machines ? t->nhosts : 1;
	/* Parents come first. */
	for (uint32_t i = t->n; i-- > 0;) {
		struct tv_box *box = &t->box[i];

		if (box->memory)
			continue;
		box->leaves = box->leaves > 0 ? box->leaves : 1;
		if (box->parent != TV_NONE)
			t->box[box->parent].leaves += box->leaves;
	}
	tv_free(place.at);
}

/* Widths of all boxes in a map. */
static void set_widths(struct tv_boxes *t, double width)
{
	uint32_t leaves = 0, room = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		leaves += t->box[i].parent == TV_NONE && t->nhosts == 1 ? t->box[i].leaves : 0;
		t->box[i].room = 0;
	}
	for (uint32_t i = 0; i < t->nlevels; i++)
		t->level[i].narrow = INFINITY;
	for (uint32_t i = 0; i < t->n; i++) {
		struct tv_box *box = &t->box[i],
			      *in = box->parent == TV_NONE ? NULL : &t->box[box->parent];
		double x = in == NULL ? 0 : in->x, all = in == NULL ? width : in->width;
		double of = in == NULL ? leaves : in->leaves;
		uint32_t *taken = in == NULL ? &room : &in->room;

		if (in == NULL && t->nhosts > 1) {
			room = 0;
			of = box->leaves;
		}
		if (in != NULL && in->holds) {
			x += pad;
			all -= 2 * pad;
		}
		box->x = box->memory ? x : x + all * *taken / of;
		box->width = box->memory ? all : all * box->leaves / of;
		*taken += box->memory ? 0 : box->leaves;
		t->level[box->level].narrow = fmin(t->level[box->level].narrow, box->width);
	}
}

const char *tv_box_id(const struct tv_boxes *t, uint32_t i)
{
	const struct tv_table *table = t->numbers->at[0].table;

	return tv_pool_text(table->pool, tv_label(tv_table_find(table, "ResourceId"), i));
}

/* Its name; without the host, which is above the map. */
void tv_box_name(const struct tv_boxes *t, uint32_t i, char *out, size_t size)
{
	const char *id = tv_box_id(t, i), *slash = strrchr(id, '/');

	tv_clean_text(out, size, slash != NULL && t->nhosts > 1 ? slash + 1 : id);
}

void tv_box_number(const struct tv_boxes *t, uint32_t row, char *out, size_t size)
{
	double value = tv_object_value(tv_object_number_of(t->numbers, row), row);

	out[0] = '\0';
	if (!isnan(value))
		tv_number_text(out, size, value);
}

/* Lines of text of each level: name and number in one, in two, or the number alone, the same for
 * all its boxes. */
static void set_lines(struct tv_boxes *t, struct tv_text *measure)
{
	double *widest = tv_alloc(t->nlevels, 2 * sizeof *widest);

	for (uint32_t row = 0; row < t->n * t->numbers->nwindows; row++) {
		double *its = &widest[2 * t->box[row % t->n].level];
		char name[100], number[64];

		tv_box_name(t, row % t->n, name, sizeof name);
		tv_box_number(t, row, number, sizeof number);
		its[0] = fmax(its[0], tv_text_width(measure, name, TV_TEXT_SMALL, false));
		its[1] = fmax(its[1], tv_text_width(measure, number, TV_TEXT_SMALL, false));
	}
	for (uint32_t i = 0; i < t->nlevels; i++) {
		double room = t->level[i].narrow - 3, name = widest[2 * i],
		       number = widest[2 * i + 1];

		t->level[i].lines = name + 6 + number <= room	 ? 1
				  : fmax(name, number) <= room	 ? 2
				  : number > 0 && number <= room ? 3
								 : 0;
	}
	tv_free(widest);
}

double tv_box_text_height(const struct tv_boxes *t, const struct tv_box *box)
{
	return t->level[box->level].lines == 2 ? 2 * TV_MAP_LINE : TV_MAP_LINE;
}

double tv_box_strip(const struct tv_boxes *t, const struct tv_box *box)
{
	return tv_box_text_height(t, box) + (t->level[box->level].curve ? TV_MAP_CURVE : 0);
}

/* Where the boxes of each level begin, if all do at the same height. */
static void find_rows(struct tv_boxes *t)
{
	for (uint32_t i = 0; i < t->nlevels; i++)
		t->level[i].y = -1;
	for (uint32_t i = 0; i < t->n; i++) {
		double *y = &t->level[t->box[i].level].y;

		*y = *y == -1 || *y == t->box[i].y ? t->box[i].y : NAN;
	}
}

/* Places from the top, memories above the other children; the height of the whole. */
static double set_heights(struct tv_boxes *t)
{
	double *below = tv_alloc(t->n, sizeof *below), bottom = 0; /* strips of memories */
	double gap = t->form == TV_MAP_TREE ? TV_MAP_BRANCH : 1;

	for (uint32_t i = 0; i < t->n; i++)
		if (t->box[i].memory) {
			below[i] = below[t->box[i].parent];
			below[t->box[i].parent] += tv_box_strip(t, &t->box[i]) + gap;
		}
	for (uint32_t i = 0; i < t->n; i++) {
		struct tv_box *box = &t->box[i];
		const struct tv_box *in = box->parent == TV_NONE ? NULL : &t->box[box->parent];

		box->y = in == NULL ? 0
				    : in->y + tv_box_strip(t, in) + (in->holds ? pad : gap)
					      + below[box->memory ? i : box->parent];
		box->height = tv_box_strip(t, box);
		bottom = fmax(bottom, box->y + box->height);
	}
	/* Frames end below all that is inside. */
	for (uint32_t i = t->n; i-- > 0;)
		for (uint32_t up = t->box[i].parent; up != TV_NONE; up = t->box[up].parent)
			if (t->box[up].holds)
				t->box[up].height = fmax(t->box[up].height,
							 t->box[i].y + t->box[i].height + pad
								 - t->box[up].y);
	for (uint32_t i = 0; i < t->n; i++)
		bottom = fmax(bottom, t->box[i].y + t->box[i].height);
	tv_free(below);
	return bottom;
}

/* Rings of discs, memories inside of the other children. */
static void set_rings(struct tv_boxes *t)
{
	uint32_t *below = tv_alloc(t->n, sizeof *below); /* memories */

	t->nrings = 1;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->box[i].memory) {
			below[i] = below[t->box[i].parent];
			below[t->box[i].parent]++;
		}
	for (uint32_t i = 0; i < t->n; i++) {
		struct tv_box *box = &t->box[i];

		if (box->parent != TV_NONE)
			box->ring = t->box[box->parent].ring + 1
				  + below[box->memory ? i : box->parent];
		t->nrings = t->nrings > box->ring + 1 ? t->nrings : box->ring + 1;
	}
	tv_free(below);
}

/* Of a box, up to that angle, in a map with its left top end at (x, y). */
struct tv_sector tv_box_sector(const struct tv_boxes *t, const struct tv_box *box, double end,
			       double x, double y)
{
	double radius = fmin(t->width, disc) / 2, thick = radius / t->nrings;

	return (struct tv_sector){ x + t->width / 2,	    y + radius, thick * box->ring,
				   thick * (box->ring + 1), box->x,	end };
}

/* Name and number of an object, or the number alone. */
static void sector_text(const struct tv_boxes *t, uint32_t row, bool brief, char *out, size_t size)
{
	char name[100], number[64];

	tv_box_name(t, row % t->n, name, sizeof name);
	tv_box_number(t, row, number, sizeof number);
	snprintf(out, size, "%s%s%s", brief ? "" : name, brief || number[0] == '\0' ? "" : "  ",
		 number);
}

static bool sector_fits(struct tv_text *measure, const struct tv_sector *sector, const char *text)
{
	return tv_sector_holds(sector, tv_text_width(measure, text, TV_TEXT_SMALL, false) + 2,
			       TV_MAP_LINE - 1.5);
}

bool tv_box_sector_text(const struct tv_boxes *t, struct tv_text *measure, uint32_t row,
			const struct tv_sector *sector, char *out, size_t size)
{
	sector_text(t, row, t->level[t->box[row % t->n].level].lines != 1, out, size);
	return sector_fits(measure, sector, out);
}

/* Levels have names where all of them fit. */
static void set_sector_texts(struct tv_boxes *t, struct tv_text *measure)
{
	for (uint32_t i = 0; i < t->nlevels; i++)
		t->level[i].lines = 1;
	for (uint32_t row = 0; row < t->n * t->numbers->nwindows; row++) {
		const struct tv_box *box = &t->box[row % t->n];
		const struct tv_sector sector = tv_box_sector(t, box, box->x + box->width, 0, 0);
		char text[180];

		sector_text(t, row, false, text, sizeof text);
		if (!sector_fits(measure, &sector, text))
			t->level[box->level].lines = 3;
	}
}

/* ---- the whole ---- */

/* Levels whose objects have curves. */
static void find_curves(struct tv_boxes *t)
{
	for (uint32_t i = 0; i < t->n && t->curves != NULL; i++) {
		const struct tv_object_number *m = tv_object_number_of(t->curves, i);
		bool *known = &t->level[t->box[i].level].known;

		for (uint32_t w = 0; w < t->curves->nwindows && !*known; w++)
			*known = !isnan(tv_object_value(m, w * t->n + i));
	}
}

void tv_boxes_init(struct tv_boxes *t, const struct tv_object_numbers *numbers,
		   const struct tv_object_numbers *curves, enum tv_map_form form)
{
	*t = (struct tv_boxes){ .numbers = numbers, .curves = curves, .form = form };
	find_tree(t);
	find_curves(t);
}

void tv_boxes_release(struct tv_boxes *t)
{
	tv_free(t->box);
}

const char *tv_boxes_level(const struct tv_boxes *t, uint32_t level)
{
	bool named = t->level[level].lines == 1 || t->level[level].lines == 2;

	return named || isnan(t->level[level].y)
		     ? NULL
		     : tv_pool_text(t->numbers->at[0].table->pool, t->level[level].label);
}

/* Boxes beside the names of levels. */
static void set_places(struct tv_boxes *t, struct tv_text *measure)
{
	set_widths(t, t->width - t->names);
	set_lines(t, measure);
	for (uint32_t i = 0; i < t->nlevels; i++)
		t->level[i].curve = t->level[i].known && t->level[i].narrow >= TV_MAP_CURVE_MIN;
	t->height = set_heights(t);
	find_rows(t);
}

void tv_boxes_arrange(struct tv_boxes *t, struct tv_text *measure, double width)
{
	double names = 0;

	t->width = width;
	if (t->form == TV_MAP_RADIAL) {
		set_widths(t, 2 * TV_PI);
		set_rings(t);
		set_sector_texts(t, measure);
		t->height = fmin(width, disc);
		return;
	}
	t->names = 0;
	set_places(t, measure);
	for (uint32_t i = 0; i < t->nlevels; i++) {
		const char *name = tv_boxes_level(t, i);

		if (name != NULL)
			names = fmax(names, tv_text_width(measure, name, TV_TEXT_SMALL, false) + 3);
	}
	if (names > 0) {
		t->names = names;
		set_places(t, measure);
	}
}
