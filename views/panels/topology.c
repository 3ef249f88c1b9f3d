/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.c -- the panel of the machine: boxes of its objects, colored by the numbers of the pass. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/boxes.h"
#include "views/charts/trends.h"
#include "views/scene/vision.h"
#include "views/shared/panel.h"

static const double line = TV_MAP_LINE, apart = 8; /* points */
static const double narrowest = 1.5;		   /* of a box; narrower ones merge */
static const double map_min = 150;		   /* width of one of several maps */
static const double between = 2;		   /* boxes of a tree */

enum change { CHANGE_NONE, CHANGE_UP, CHANGE_DOWN };

struct topology {
	const char *at, *windows, *sparkline;
	enum tv_map_form form;
	struct tv_object_numbers numbers, curves; /* curves: of --topology.sparkline */
	struct tv_boxes map;
	enum change change; /* where a line of a rising number is */
	uint32_t nmaps;	    /* windows or instants, of each host */
	struct tv_key key[TV_OBJECT_NUMBERS + 2];
	size_t nkeys;
	char title[200];
	uint32_t columns; /* of maps */
	double height;	  /* of a map with its heading */
};

/* ---- what is shown ---- */

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
		end = tv_table_find(table, "End")->i[t->numbers.nwindows * t->map.n - 1];
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

/* Options that the chosen maps cannot show. */
static int check(const struct topology *t, const char *at, bool several, bool sparkline,
		 struct tv_error *err)
{
	bool shares = true; /* all numbers are of workers */

	for (size_t i = 0; i < t->numbers.n; i++)
		shares = shares && t->numbers.at[i].of_workers;
	if (t->map.form == TV_MAP_RADIAL && (t->change != CHANGE_NONE || sparkline))
		return tv_fail_usage(err,
				     "--topology.layout radial has no room for --topology.%s, "
				     "expected nested or tree",
				     sparkline ? "sparkline" : "change");
	if (t->change != CHANGE_NONE && (at == NULL ? !several : shares))
		return tv_fail_usage(err,
				     "--topology.change has no effect, expected --topology.windows "
				     "N from 2, or instants (--topology.at) of a variable");
	return 0;
}

static bool has_curves(const struct topology *t)
{
	for (uint32_t i = 0; i < t->map.nlevels; i++)
		if (t->map.level[i].curve)
			return true;
	return false;
}

static void add_keys(struct topology *t)
{
	t->nkeys = tv_object_keys(&t->numbers, t->key);
	if (t->change != CHANGE_NONE) {
		t->key[t->nkeys] = (struct tv_key){ TV_KEY_LINE, TV_INK, "", NULL, "" };
		snprintf(t->key[t->nkeys++].text, TV_KEY_TEXT,
			 "change: at mid-height none, %s it rising",
			 t->change == CHANGE_UP ? "above" : "below");
	}
	if (has_curves(t))
		t->key[t->nkeys++] = (struct tv_key){ TV_KEY_LINE, TV_INK,
						      "curves: over the run, on the same scale",
						      NULL, "" };
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct topology *t = slot->state;
	bool curves = t->sparkline != NULL;
	int rc = tv_object_numbers_init(&t->numbers, figure, slot->panel, t->at, t->windows, err);

	if (rc == 0 && curves)
		rc = tv_object_numbers_init(&t->curves, figure, slot->panel, NULL, t->sparkline,
					    err);
	if (rc != 0)
		return rc;
	tv_object_numbers_join(&t->numbers, &t->curves);
	tv_boxes_init(&t->map, &t->numbers, curves ? &t->curves : NULL, t->form);
	t->nmaps = t->numbers.nwindows * t->map.nhosts;
	set_title(t);
	return check(t, t->at, t->numbers.nwindows > 1, curves, err);
}

/* Columns of maps, and the tree of each. */
static void arrange(struct topology *t, struct tv_text *measure, double width)
{
	uint32_t fit = (uint32_t)fmax(1, floor((width + apart) / (map_min + apart)));
	uint32_t lines = (t->nmaps + fit - 1) / fit;

	/* As many in each line. */
	t->columns = (t->nmaps + lines - 1) / lines;
	tv_boxes_arrange(&t->map, measure, (width - apart * (t->columns - 1)) / t->columns);
	t->height = t->map.height + (t->nmaps > 1 ? line : 0);
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct topology *t = slot->state;
	double width = tv_slot_width(figure, slot);
	uint32_t lines;

	(void)height;
	arrange(t, figure->scene->text, width);
	add_keys(t);
	lines = (t->nmaps + t->columns - 1) / t->columns;
	slot->request.height = tv_strip_height(figure, t->title, t->key, t->nkeys, width)
			     + lines * (t->height + apart / 2);
	slot->request.min = slot->request.height;
}

/* ---- drawing ---- */

/* Width of the text of a box. */
static double draw_text(struct tv_scene *scene, const struct topology *t, uint32_t row, double x,
			double y, uint32_t ink)
{
	const struct tv_box *box = &t->map.box[row % t->map.n];
	uint32_t lines = t->map.level[box->level].lines;
	char name[100], number[64], both[180];
	double width = 0;

	if (lines == 0)
		return 0;
	tv_box_name(&t->map, row % t->map.n, name, sizeof name);
	tv_box_number(&t->map, row, number, sizeof number);
	snprintf(both, sizeof both, "%s%s%s", name, number[0] != '\0' ? "  " : "", number);
	tv_scene_pen(scene, "number", "machine");
	scene->pen.fill = ink;
	x += box->width / 2;
	if (lines == 2)
		width = tv_scene_text(scene, x, y + line / 2, TV_CENTER, TV_TEXT_SMALL, false,
				      name);
	if (lines == 2 && number[0] != '\0')
		width = fmax(width, tv_scene_text(scene, x, y + 1.5 * line, TV_CENTER,
						  TV_TEXT_SMALL, false, number));
	if (lines == 1 || (lines == 3 && number[0] != '\0'))
		width = tv_scene_text(scene, x, y + line / 2, TV_CENTER, TV_TEXT_SMALL, false,
				      lines == 1 ? both : number);
	return width;
}

/* Boxes narrower than `narrowest` up to the end of the level's run: how many make one box, and the mean
 * of their numbers. */
static uint32_t merge(const struct topology *t, uint32_t row, double *value)
{
	uint32_t i = row % t->map.n, n = 0, known = 0;
	double width = 0, sum = 0;
	double min = t->map.form == TV_MAP_RADIAL ? narrowest / (t->map.width / 2) : narrowest;

	while (i + n < t->map.n && t->map.box[i + n].level == t->map.box[i].level
	       && t->map.box[i + n].host == t->map.box[i].host
	       && t->map.box[i + n].y == t->map.box[i].y && (n == 0 || width < min)
	       && (n == 0 || fabs(t->map.box[i + n].x - t->map.box[i].x - width) < 0.01)) {
		double its = tv_object_value(tv_object_number_of(&t->numbers, row), row + n);

		known += !isnan(its);
		sum += isnan(its) ? 0 : its;
		width += t->map.box[i + n].width;
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

	if (!tv_box_sector_text(&t->map, scene->text, row, sector, text, sizeof text))
		return;
	tv_scene_pen(scene, "number", "machine");
	scene->pen.fill = ink;
	tv_scene_text(scene, middle.x, middle.y, TV_CENTER, TV_TEXT_SMALL, false, text);
}

/* From the box around it: down in its middle, along, down to its own middle. */
static void draw_branch(struct tv_scene *scene, const struct topology *t, const struct tv_box *box,
			double x, double y)
{
	const struct tv_box *in = &t->map.box[box->parent];
	double top = y + box->y, from = x + in->x + in->width / 2, to = x + box->x + box->width / 2;

	tv_scene_pen(scene, "branch", "machine");
	scene->pen.stroke = TV_GRAY;
	tv_scene_line(scene, TV_PAGE, from, top - TV_MAP_BRANCH, from, top - TV_MAP_BRANCH / 2);
	tv_scene_line(scene, TV_PAGE, from, top - TV_MAP_BRANCH / 2, to, top - TV_MAP_BRANCH / 2);
	tv_scene_line(scene, TV_PAGE, to, top - TV_MAP_BRANCH / 2, to, top);
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
	tv_clean_text(name, sizeof name, tv_box_id(&t->map, row % t->map.n));
	tv_number_text(number, sizeof number, value);
	snprintf(text, sizeof text, "%s%s: %s %s", name, n > 1 ? " and next, mean" : "",
		 isnan(value) ? "not known" : number, isnan(value) ? "" : unit);
	scene->pen.label = tv_scene_string(scene, text);
}

/* Text, change and curve of a box whose left top end is at (x, y). */
static void draw_inside(struct tv_scene *scene, const struct topology *t, uint32_t row, double x,
			double y, const struct tv_trend *colors)
{
	const struct tv_object_number *m = tv_object_number_of(&t->numbers, row);
	const struct tv_column *change = tv_table_find(m->table, "Change");
	const struct tv_box *box = &t->map.box[row % t->map.n];
	double end = x + box->width - (t->map.form == TV_MAP_TREE && box->width > 6 ? between : 0);
	double text = draw_text(scene, t, row, x, y, colors->ink), value = tv_object_value(m, row);
	struct tv_trend in = *colors;

	in.x0 = x;
	in.x1 = end;
	in.y0 = y;
	in.y1 = y + tv_box_text_height(&t->map, box);
	if (t->change != CHANGE_NONE && !tv_missing(change, row)) {
		double rise = tv_object_share(&t->numbers, m, value)
			    - tv_object_share(&t->numbers, m, value - m->factor * change->d[row]);

		tv_scene_pen(scene, "change", "machine");
		scene->pen.row = row;
		tv_change_draw(scene, &in, t->change == CHANGE_UP ? rise : -rise, text);
	}
	if (!t->map.level[box->level].curve)
		return;
	in.y0 = in.y1;
	in.y1 += TV_MAP_CURVE;
	tv_scene_pen(scene, "curve", "machine");
	scene->pen.row = row;
	tv_trend_draw(scene, &in, &t->numbers, m, &t->curves, row % t->map.n,
		      tv_table_find(m->table, "Start")->i[row],
		      tv_table_find(m->table, "End")->i[row]);
}

/* One object, or narrow neighbors: how many. */
static uint32_t draw_box(struct tv_figure *figure, const struct topology *t, uint32_t row, double x,
			 double y)
{
	struct tv_scene *scene = figure->scene;
	const struct tv_box *box = &t->map.box[row % t->map.n], *last;
	const struct tv_object_number *m = tv_object_number_of(&t->numbers, row);
	const struct tv_column *capacity = tv_table_find(m->table, "Capacity");
	bool idle = !tv_missing(capacity, row) && capacity->i[row] == 0;
	bool lost = !idle
		 && (!tv_missing(capacity, row)
		     || !tv_missing(tv_table_find(m->table, "Max"), row));
	double value, end, strip = box->holds ? box->height : tv_box_strip(&t->map, box);
	uint32_t n = merge(t, row, &value), color = TV_WHITE, ink;

	last = box + n - 1;
	end = last->x + last->width;
	if (!isnan(value))
		color = tv_object_color(&t->numbers, m, value);
	else if (idle)
		color = TV_GRID;
	ink = idle ? TV_GRAY : tv_color_dark(color) ? TV_WHITE : TV_INK;
	if (t->map.form == TV_MAP_TREE && box->parent != TV_NONE)
		draw_branch(scene, t, box, x, y);
	set_pen(scene, t, row, n, value, color);
	if (t->map.form == TV_MAP_RADIAL) {
		const struct tv_sector sector = tv_box_sector(&t->map, box, end, x, y);

		scene->pen.stroke = (end - box->x) * t->map.width / 2 >= 3 ? TV_GRAY : color;
		tv_sector_draw(scene, &sector, isnan(value) && lost);
		if (n == 1)
			draw_sector_text(scene, t, row, &sector, ink);
		return n;
	}
	scene->pen.stroke = end - box->x >= 3 ? TV_GRAY : TV_NO_COLOR;
	tv_scene_rect(scene, TV_PAGE, x + box->x, y + box->y,
		      x + end - (t->map.form == TV_MAP_TREE && box->width > 6 ? between : 0),
		      y + box->y + strip);
	if (isnan(value) && lost && box->width >= 4) {
		tv_scene_pen(scene, "missing", "machine");
		scene->pen.stroke = TV_GRAY;
		tv_hatch_draw(scene, x + box->x, y + box->y, box->width, strip, 4);
	}
	if (n == 1)
		draw_inside(scene, t, row, x + box->x, y + box->y,
			    &(const struct tv_trend){ .fill = color, .ink = ink });
	return n;
}

/* Above a map: its host, its time. */
static void draw_heading(struct tv_figure *figure, const struct topology *t, uint32_t map, double x,
			 double y)
{
	const struct tv_table *table = t->numbers.at[0].table;
	uint32_t first = map / t->map.nhosts * t->map.n;
	int64_t begin = tv_table_find(table, "Start")->i[first],
		end = tv_table_find(table, "End")->i[first];
	char from[64], to[64], host[100] = "", text[300];

	for (uint32_t i = 0; i < t->map.n && t->map.nhosts > 1; i++)
		if (t->map.box[i].parent == TV_NONE && t->map.box[i].host == map % t->map.nhosts) {
			const char *id = tv_box_id(&t->map, i), *slash = strrchr(id, '/');
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
		      tv_text_fit(figure->scene->text, text, TV_TEXT_SMALL, true, t->map.width,
				  host, sizeof host));
}

/* Names of levels left of boxes that have none. */
static void draw_levels(struct tv_scene *scene, const struct topology *t, double x, double y)
{
	for (uint32_t i = 0; i < t->map.nlevels && t->map.names > 0; i++) {
		const char *name = tv_boxes_level(&t->map, i);

		if (name == NULL)
			continue;
		tv_scene_pen(scene, "level", "machine");
		scene->pen.fill = TV_INK;
		tv_scene_text(scene, x + t->map.names - 3, y + t->map.level[i].y + line / 2,
			      TV_RIGHT, TV_TEXT_SMALL, false, name);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct topology *t = slot->state;
	const struct tv_place *place = &slot->place;
	double strip;

	arrange(t, figure->scene->text, place->width);
	if (t->curves.n > 0 && !has_curves(t))
		tv_run_warn(figure->run,
			    "no curve (--topology.sparkline): no level has the number and boxes of "
			    "%g points or wider",
			    (double)TV_MAP_CURVE_MIN);
	strip = tv_strip_height(figure, t->title, t->key, t->nkeys, place->width);
	tv_strip_draw(figure, t->title, t->key, t->nkeys, place->x, place->y + strip, place->width);
	for (uint32_t map = 0; map < t->nmaps; map++) {
		double x = place->x + map % t->columns * (t->map.width + apart);
		double y = place->y + strip + map / t->columns * (t->height + apart / 2);
		uint32_t first = map / t->map.nhosts * t->map.n;

		if (t->nmaps > 1) {
			draw_heading(figure, t, map, x, y);
			y += line;
		}
		draw_levels(figure->scene, t, x, y);
		x += t->map.names;
		for (uint32_t i = 0; i < t->map.n;)
			i += t->map.box[i].host == map % t->map.nhosts
				   ? draw_box(figure, t, first + i, x, y)
				   : 1;
	}
}

static void release(struct tv_slot *slot)
{
	struct topology *t = slot->state;

	tv_boxes_release(&t->map);
	tv_free(t);
}

static void share(struct tv_slot *slot, const struct tv_slot *other)
{
	struct topology *t = slot->state;
	const struct topology *with = other->state;

	if (!t->numbers.alone)
		tv_object_numbers_join(&t->numbers, &with->numbers);
}

static const struct tv_option_spec options[] = {
	TV_OPTIONS_OBJECT_NUMBERS,
	{ "at", "TIME,...", NULL, "at these instants, instead of over the run or window",
	  TV_INTO(struct topology, at) },
	{ "windows", "N", "1", "a map for each of N windows of equal length", TV_OPTION_COUNT, 1,
	  100, TV_INTO(struct topology, windows) },
	{ "change", "none|up|down", "none",
	  "a line in each box for the change from the window (or reading) before: up or down is "
	  "rising",
	  TV_OPTION_CHOICE, TV_INTO(struct topology, change) },
	{ "sparkline", "N", NULL, "in boxes with room a curve over the run, of N windows",
	  TV_OPTION_COUNT, 2, 1000, TV_INTO(struct topology, sparkline) },
	{ "layout", "nested|tree|radial", "nested",
	  "boxes in boxes, boxes with branches, or rings: outer objects inside", TV_OPTION_CHOICE,
	  TV_INTO(struct topology, form) },
};

const struct tv_panel tv_panel_topology = {
	.name = "topology",
	.untyped = true,
	.title = "the machine: packages, memories, caches, cores, colored by a number",
	.needs = "objects of the machine (topology.xml)",
	.kind = TV_FREE,
	.share = 2,
	TV_PANEL_OPTIONS(options, struct topology),
	.prepare = prepare,
	.measure = measure,
	.share_scale = share,
	.layout = layout,
	.release = release,
};
