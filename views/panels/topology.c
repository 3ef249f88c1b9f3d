/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.c -- the panel of the machine: boxes of its objects, colored by the numbers of the pass. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/objects.h"
#include "views/charts/sectors.h"
#include "views/shared/panel.h"

enum { LEVELS_MAX = 64 };

static const double line = 8.4, pad = 2, apart = 8; /* points */
static const double narrowest = 1.5;		    /* of a box; narrower ones merge */
static const double branch = 7;			    /* length of those of a tree */
static const double disc = 260;			    /* diameter of the largest */
static const double map_min = 150;		    /* width of one of several maps */

/* An object and its box in a map whose left end is 0. */
struct box {
	uint32_t parent; /* TV_NONE = outermost */
	uint32_t level, leaves;
	double x, y, width, height; /* of its own strip and of what is below it: width */
	bool memory, holds;	    /* a strip above its siblings; a frame around its children */
	uint32_t host, ring;	    /* its map among those of a window; radial: from 0 inside */
	uint32_t room;		    /* leaves of children that have their place */
};

struct topology {
	struct tv_object_numbers numbers;
	struct box *box;
	uint32_t n;	 /* objects */
	uint32_t nmaps;	 /* windows or instants, of each host */
	uint32_t nhosts; /* 1: all objects are in one map */
	enum { NESTED, TREE, RADIAL } form;
	struct {
		uint32_t label, lines; /* of text in its strips; 0 = none */
		double narrow;	       /* the narrowest box */
	} level[LEVELS_MAX];
	uint32_t nlevels, nrings;
	struct tv_key key[TV_OBJECT_NUMBERS];
	size_t nkeys;
	char title[200];
	uint32_t columns;     /* of maps */
	double inner, height; /* width of a map, its height */
};

/* ---- the tree ---- */

static uint32_t level_of(struct topology *t, uint32_t label)
{
	for (uint32_t i = 0; i < t->nlevels; i++)
		if (t->level[i].label == label)
			return i;
	if (t->nlevels < LEVELS_MAX)
		t->level[t->nlevels++].label = label;
	return t->nlevels - 1;
}

static void find_tree(struct topology *t)
{
	static const char *const frames[] = { "Machine", "Package", "Group", "Die" };
	const struct tv_table *table = t->numbers.at[0].table;
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *parent = tv_table_find(table, "Parent"),
			       *level = tv_table_find(table, "Level");
	struct tv_index place = { 0 };
	bool machines = true; /* all outermost objects are hosts */

	t->n = t->numbers.nobjects;
	for (uint32_t i = 0; i < t->n; i++)
		tv_index_set(&place, tv_label(id, i), i);
	t->box = tv_alloc(t->n, sizeof *t->box);
	for (uint32_t i = 0; i < t->n; i++) {
		struct box *box = &t->box[i];
		const char *type = tv_pool_text(table->pool, tv_label(level, i));

		box->parent = tv_label(parent, i) == TV_NONE
				    ? TV_NONE
				    : tv_index_get(&place, tv_label(parent, i));
		box->level = level_of(t, tv_label(level, i));
		box->memory = strcmp(type, "NUMANode") == 0 && box->parent != TV_NONE;
		box->host = box->parent == TV_NONE ? t->nhosts++ : t->box[box->parent].host;
		machines = machines && (box->parent != TV_NONE || strcmp(type, frames[0]) == 0);
		for (size_t k = 0; k < TV_COUNT(frames) && t->form == NESTED; k++)
			box->holds = box->holds || strcmp(type, frames[k]) == 0;
	}
	for (uint32_t i = 0; i < t->n && !machines; i++)
		t->box[i].host = 0;
	t->nhosts = machines ? t->nhosts : 1;
	t->nmaps = t->numbers.nwindows * t->nhosts;
	/* Parents come first. */
	for (uint32_t i = t->n; i-- > 0;) {
		struct box *box = &t->box[i];

		if (box->memory)
			continue;
		box->leaves = box->leaves > 0 ? box->leaves : 1;
		if (box->parent != TV_NONE)
			t->box[box->parent].leaves += box->leaves;
	}
	tv_free(place.at);
}

/* Widths of all boxes in a map. */
static void set_widths(struct topology *t, double width)
{
	uint32_t leaves = 0, room = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		leaves += t->box[i].parent == TV_NONE && t->nhosts == 1 ? t->box[i].leaves : 0;
		t->box[i].room = 0;
	}
	for (uint32_t i = 0; i < t->nlevels; i++)
		t->level[i].narrow = INFINITY;
	for (uint32_t i = 0; i < t->n; i++) {
		struct box *box = &t->box[i],
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

static const char *id_of(const struct topology *t, uint32_t i)
{
	const struct tv_table *table = t->numbers.at[0].table;

	return tv_pool_text(table->pool, tv_label(tv_table_find(table, "ResourceId"), i));
}

/* Its name; without the host, which is above the map. */
static void name_text(const struct topology *t, uint32_t i, char *out, size_t size)
{
	const char *id = id_of(t, i), *slash = strrchr(id, '/');

	tv_clean_text(out, size, slash != NULL && t->nhosts > 1 ? slash + 1 : id);
}

static void number_text(const struct topology *t, uint32_t row, char *out, size_t size)
{
	double value = tv_object_value(tv_object_number_of(&t->numbers, row), row);

	out[0] = '\0';
	if (!isnan(value))
		tv_number_text(out, size, value);
}

/* Lines of text of each level: name and number in one, in two, or the number alone, the same for
 * all its boxes. */
static void set_lines(struct topology *t, struct tv_text *measure)
{
	double *widest = tv_alloc(t->nlevels, 2 * sizeof *widest);

	for (uint32_t row = 0; row < t->n * t->numbers.nwindows; row++) {
		double *its = &widest[2 * t->box[row % t->n].level];
		char name[100], number[64];

		name_text(t, row % t->n, name, sizeof name);
		number_text(t, row, number, sizeof number);
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

static double strip_height(const struct topology *t, const struct box *box)
{
	uint32_t lines = t->level[box->level].lines;

	return lines == 2 ? 2 * line : line;
}

/* Places from the top, memories above the other children; the height of the whole. */
static double set_heights(struct topology *t)
{
	double *below = tv_alloc(t->n, sizeof *below), bottom = 0; /* strips of memories */
	double gap = t->form == TREE ? branch : 1;

	for (uint32_t i = 0; i < t->n; i++)
		if (t->box[i].memory) {
			below[i] = below[t->box[i].parent];
			below[t->box[i].parent] += strip_height(t, &t->box[i]) + gap;
		}
	for (uint32_t i = 0; i < t->n; i++) {
		struct box *box = &t->box[i];
		const struct box *in = box->parent == TV_NONE ? NULL : &t->box[box->parent];

		box->y = in == NULL ? 0
				    : in->y + strip_height(t, in) + (in->holds ? pad : gap)
					      + below[box->memory ? i : box->parent];
		box->height = strip_height(t, box);
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
static void set_rings(struct topology *t)
{
	uint32_t *below = tv_alloc(t->n, sizeof *below); /* memories */

	t->nrings = 1;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->box[i].memory) {
			below[i] = below[t->box[i].parent];
			below[t->box[i].parent]++;
		}
	for (uint32_t i = 0; i < t->n; i++) {
		struct box *box = &t->box[i];

		if (box->parent != TV_NONE)
			box->ring = t->box[box->parent].ring + 1
				  + below[box->memory ? i : box->parent];
		t->nrings = t->nrings > box->ring + 1 ? t->nrings : box->ring + 1;
	}
	tv_free(below);
}

/* Of a box, up to that angle, in a map with its left top end at (x, y). */
static struct tv_sector sector_of(const struct topology *t, const struct box *box, double end,
				  double x, double y)
{
	double radius = fmin(t->inner, disc) / 2, thick = radius / t->nrings;

	return (struct tv_sector){ x + t->inner / 2,	    y + radius, thick * box->ring,
				   thick * (box->ring + 1), box->x,	end };
}

/* Name and number of an object, or the number alone. */
static void sector_text(const struct topology *t, uint32_t row, bool brief, char *out, size_t size)
{
	char name[100], number[64];

	name_text(t, row % t->n, name, sizeof name);
	number_text(t, row, number, sizeof number);
	snprintf(out, size, "%s%s%s", brief ? "" : name, brief || number[0] == '\0' ? "" : "  ",
		 number);
}

static bool sector_fits(struct tv_text *measure, const struct tv_sector *sector, const char *text)
{
	return tv_sector_holds(sector, tv_text_width(measure, text, TV_TEXT_SMALL, false) + 2,
			       line - 1.5);
}

/* Levels have names where all of them fit. */
static void set_sector_texts(struct topology *t, struct tv_text *measure)
{
	for (uint32_t i = 0; i < t->nlevels; i++)
		t->level[i].lines = 1;
	for (uint32_t row = 0; row < t->n * t->numbers.nwindows; row++) {
		const struct box *box = &t->box[row % t->n];
		const struct tv_sector sector = sector_of(t, box, box->x + box->width, 0, 0);
		char text[180];

		sector_text(t, row, false, text, sizeof text);
		if (!sector_fits(measure, &sector, text))
			t->level[box->level].lines = 3;
	}
}

/* ---- the panel ---- */

static void instant_text(char *out, size_t size, int64_t ns)
{
	if (ns == 0)
		snprintf(out, size, "0");
	else
		tv_time_text(out, size, ns, NULL);
}

static void set_title(struct topology *t)
{
	const struct tv_table *table = t->numbers.at[0].table;
	int64_t begin = tv_table_find(table, "Start")->i[0],
		end = tv_table_find(table, "End")->i[t->numbers.nwindows * t->n - 1];
	char from[64], to[64];

	instant_text(from, sizeof from, begin);
	instant_text(to, sizeof to, end);
	if (begin == end)
		snprintf(t->title, sizeof t->title, "machine at %s", from);
	else if (tv_table_find(table, "End")->i[0] == begin)
		snprintf(t->title, sizeof t->title, "machine at %u instants", t->numbers.nwindows);
	else
		snprintf(t->title, sizeof t->title, "machine, %s to %s", from, to);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct topology *t = slot->state = tv_alloc(1, sizeof *t);
	int rc = tv_object_numbers_init(&t->numbers, figure, slot->panel,
					tv_panel_option(figure, slot->panel, "at"),
					tv_panel_option(figure, slot->panel, "windows"), err);

	if (rc != 0)
		return rc;
	t->form = tv_panel_choice(figure, slot->panel, "layout");
	find_tree(t);
	set_title(t);
	t->nkeys = tv_object_keys(&t->numbers, t->key);
	return 0;
}

/* Columns of maps, and the tree of each. */
static void arrange(struct topology *t, struct tv_text *measure, double width)
{
	uint32_t fit = (uint32_t)fmax(1, floor((width + apart) / (map_min + apart)));

	t->columns = t->nmaps < fit ? t->nmaps : fit;
	t->inner = (width - apart * (t->columns - 1)) / t->columns;
	if (t->form == RADIAL) {
		set_widths(t, 2 * TV_PI);
		set_rings(t);
		set_sector_texts(t, measure);
		t->height = fmin(t->inner, disc);
	} else {
		set_widths(t, t->inner);
		set_lines(t, measure);
		t->height = set_heights(t);
	}
	t->height += t->nmaps > 1 ? line : 0;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct topology *t = slot->state;
	double width = tv_slot_width(figure, slot);
	uint32_t lines;

	(void)height;
	arrange(t, figure->scene->text, width);
	lines = (t->nmaps + t->columns - 1) / t->columns;
	slot->request.height = tv_strip_height(figure, t->title, t->key, t->nkeys, width)
			     + lines * (t->height + apart / 2);
	slot->request.min = slot->request.height;
}

static bool is_dark(uint32_t color)
{
	return 0.299 * (color >> 16 & 255) + 0.587 * (color >> 8 & 255) + 0.114 * (color & 255)
	     < 128;
}

static void draw_text(struct tv_scene *scene, const struct topology *t, uint32_t row, double x,
		      double y, uint32_t ink)
{
	const struct box *box = &t->box[row % t->n];
	uint32_t lines = t->level[box->level].lines;
	char name[100], number[64], both[180];

	if (lines == 0)
		return;
	name_text(t, row % t->n, name, sizeof name);
	number_text(t, row, number, sizeof number);
	snprintf(both, sizeof both, "%s%s%s", name, number[0] != '\0' ? "  " : "", number);
	tv_scene_pen(scene, "number", "machine");
	scene->pen.fill = ink;
	x += box->width / 2;
	if (lines == 2) {
		tv_scene_text(scene, x, y + line / 2, TV_CENTER, TV_TEXT_SMALL, false, name);
		if (number[0] != '\0')
			tv_scene_text(scene, x, y + 1.5 * line, TV_CENTER, TV_TEXT_SMALL, false,
				      number);
	} else if (lines == 1 || number[0] != '\0') {
		tv_scene_text(scene, x, y + line / 2, TV_CENTER, TV_TEXT_SMALL, false,
			      lines == 1 ? both : number);
	}
}

/* Boxes narrower than `narrowest` up to the end of the level's run: how many make one box, and the mean
 * of their numbers. */
static uint32_t merge(const struct topology *t, uint32_t row, double *value)
{
	uint32_t i = row % t->n, n = 0, known = 0;
	double width = 0, sum = 0;
	double min = t->form == RADIAL ? narrowest / (t->inner / 2) : narrowest;

	while (i + n < t->n && t->box[i + n].level == t->box[i].level
	       && t->box[i + n].host == t->box[i].host && t->box[i + n].y == t->box[i].y
	       && (n == 0 || width < min)
	       && (n == 0 || fabs(t->box[i + n].x - t->box[i].x - width) < 0.01)) {
		double its = tv_object_value(tv_object_number_of(&t->numbers, row), row + n);

		known += !isnan(its);
		sum += isnan(its) ? 0 : its;
		width += t->box[i + n].width;
		n++;
	}
	*value = known > 0 ? sum / known : NAN;
	return n;
}

/* The text of a sector, where it has room for it. */
static void draw_sector_text(struct tv_scene *scene, const struct topology *t, uint32_t row,
			     const struct tv_sector *sector, uint32_t ink)
{
	struct tv_point middle = tv_sector_middle(sector);
	char text[180];

	sector_text(t, row, t->level[t->box[row % t->n].level].lines != 1, text, sizeof text);
	if (!sector_fits(scene->text, sector, text))
		return;
	tv_scene_pen(scene, "number", "machine");
	scene->pen.fill = ink;
	tv_scene_text(scene, middle.x, middle.y, TV_CENTER, TV_TEXT_SMALL, false, text);
}

/* From the box around it: down in its middle, along, down to its own middle. */
static void draw_branch(struct tv_scene *scene, const struct topology *t, const struct box *box,
			double x, double y)
{
	const struct box *in = &t->box[box->parent];
	double top = y + box->y, from = x + in->x + in->width / 2, to = x + box->x + box->width / 2;

	tv_scene_pen(scene, "branch", "machine");
	scene->pen.stroke = TV_GRAY;
	tv_scene_line(scene, TV_PAGE, from, top - branch, from, top - branch / 2);
	tv_scene_line(scene, TV_PAGE, from, top - branch / 2, to, top - branch / 2);
	tv_scene_line(scene, TV_PAGE, to, top - branch / 2, to, top);
}

static void set_pen(struct tv_scene *scene, const struct topology *t, uint32_t row, uint32_t n,
		    double value, uint32_t color)
{
	const char *unit = tv_object_number_of(&t->numbers, row)->unit;
	char name[100], number[64], text[240];

	tv_scene_pen(scene, "object", "machine");
	scene->pen.fill = color;
	scene->pen.row = row;
	if (!scene->labels)
		return;
	tv_clean_text(name, sizeof name, id_of(t, row % t->n));
	tv_number_text(number, sizeof number, value);
	snprintf(text, sizeof text, "%s%s: %s %s", name, n > 1 ? " and next, mean" : "",
		 isnan(value) ? "not known" : number, isnan(value) ? "" : unit);
	scene->pen.label = tv_scene_string(scene, text);
}

/* One object, or narrow neighbors: how many. */
static uint32_t draw_box(struct tv_figure *figure, const struct topology *t, uint32_t row, double x,
			 double y)
{
	struct tv_scene *scene = figure->scene;
	const struct box *box = &t->box[row % t->n], *last;
	const struct tv_object_number *m = tv_object_number_of(&t->numbers, row);
	const struct tv_column *capacity = tv_table_find(m->table, "Capacity");
	bool idle = !tv_missing(capacity, row) && capacity->i[row] == 0;
	bool lost = !idle
		 && (!tv_missing(capacity, row)
		     || !tv_missing(tv_table_find(m->table, "Max"), row));
	double value, end, strip = box->holds ? box->height : strip_height(t, box);
	uint32_t n = merge(t, row, &value), color = TV_WHITE, ink;

	last = box + n - 1;
	end = last->x + last->width;
	if (!isnan(value))
		color = tv_object_color(&t->numbers, m, value);
	else if (idle)
		color = TV_GRID;
	ink = idle ? TV_GRAY : is_dark(color) ? TV_WHITE : TV_INK;
	if (t->form == TREE && box->parent != TV_NONE)
		draw_branch(scene, t, box, x, y);
	set_pen(scene, t, row, n, value, color);
	if (t->form == RADIAL) {
		const struct tv_sector sector = sector_of(t, box, end, x, y);

		scene->pen.stroke = (end - box->x) * t->inner / 2 >= 3 ? TV_GRAY : color;
		tv_sector_draw(scene, &sector, isnan(value) && lost);
		if (n == 1)
			draw_sector_text(scene, t, row, &sector, ink);
		return n;
	}
	scene->pen.stroke = end - box->x >= 3 ? TV_GRAY : TV_NO_COLOR;
	tv_scene_rect(scene, TV_PAGE, x + box->x, y + box->y,
		      x + end - (t->form == TREE && box->width > 6 ? pad : 0), y + box->y + strip);
	if (isnan(value) && lost && box->width >= 4) {
		tv_scene_pen(scene, "missing", "machine");
		scene->pen.stroke = TV_GRAY;
		tv_hatch_draw(scene, x + box->x, y + box->y, box->width, strip, 4);
	}
	if (n == 1)
		draw_text(scene, t, row, x + box->x, y + box->y, ink);
	return n;
}

/* Above a map: its host, its time. */
static void draw_heading(struct tv_figure *figure, const struct topology *t, uint32_t map, double x,
			 double y)
{
	const struct tv_table *table = t->numbers.at[0].table;
	uint32_t first = map / t->nhosts * t->n;
	int64_t begin = tv_table_find(table, "Start")->i[first],
		end = tv_table_find(table, "End")->i[first];
	char from[64], to[64], host[100] = "", text[300];

	for (uint32_t i = 0; i < t->n && t->nhosts > 1; i++)
		if (t->box[i].parent == TV_NONE && t->box[i].host == map % t->nhosts) {
			const char *id = id_of(t, i), *slash = strrchr(id, '/');
			char *name = slash == NULL ? tv_strdup(id)
						   : tv_strndup(id, (size_t)(slash - id));

			tv_clean_text(host, sizeof host, name);
			tv_free(name);
		}
	instant_text(from, sizeof from, begin);
	instant_text(to, sizeof to, end);
	if (t->numbers.nwindows == 1)
		snprintf(text, sizeof text, "%s", host);
	else
		snprintf(text, sizeof text, "%s%s%s%s%s", host, host[0] != '\0' ? ", " : "", from,
			 begin == end ? "" : " to ", begin == end ? "" : to);
	tv_scene_pen(figure->scene, "time", "machine");
	figure->scene->pen.fill = TV_INK;
	tv_scene_text(figure->scene, x, y + line / 2, TV_LEFT, TV_TEXT_SMALL, true,
		      tv_text_fit(figure->scene->text, text, TV_TEXT_SMALL, true, t->inner, host,
				  sizeof host));
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct topology *t = slot->state;
	const struct tv_place *place = &slot->place;
	double strip;

	arrange(t, figure->scene->text, place->width);
	strip = tv_strip_height(figure, t->title, t->key, t->nkeys, place->width);
	tv_strip_draw(figure, t->title, t->key, t->nkeys, place->x, place->y + strip, place->width);
	for (uint32_t map = 0; map < t->nmaps; map++) {
		double x = place->x + map % t->columns * (t->inner + apart);
		double y = place->y + strip + map / t->columns * (t->height + apart / 2);
		uint32_t first = map / t->nhosts * t->n;

		if (t->nmaps > 1) {
			draw_heading(figure, t, map, x, y);
			y += line;
		}
		for (uint32_t i = 0; i < t->n;)
			i += t->box[i].host == map % t->nhosts
				   ? draw_box(figure, t, first + i, x, y)
				   : 1;
	}
}

static void release(struct tv_slot *slot)
{
	struct topology *t = slot->state;

	tv_free(t->box);
	tv_free(t);
}

static const struct tv_option_spec options[] = {
	TV_OPTIONS_OBJECT_NUMBERS,
	{ "at", "TIME,...", NULL, "at these instants, instead of over the run or window" },
	{ "windows", "N", "1", "a map for each of N windows of equal length", TV_OPTION_COUNT, 1,
	  100 },
	{ "layout", "nested|tree|radial", "nested",
	  "boxes in boxes, boxes with branches, or rings: outer objects inside", TV_OPTION_CHOICE },
};

const struct tv_panel tv_panel_topology = {
	.name = "topology",
	.title = "the machine: packages, memories, caches, cores, colored by a number",
	.needs = "objects of the machine (topology.xml)",
	.kind = TV_FREE,
	.share = 2,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
