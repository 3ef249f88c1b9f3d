/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds.c -- makespan and bounds as lines over all rows, their names in a strip above. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/text.h"
#include "views/layers/bounds.h"
#include "views/rows/chart.h"

enum { MAKESPAN, ABE, CPE, TIGHT, INTEGER, NETWORK, KNOWN };

static const struct {
	const char *row, *name, *spelled;
	enum tv_dash dash;
	bool is_default;
} known[KNOWN] = {
	[MAKESPAN] = { "makespan", "makespan", "makespan", TV_SOLID, true },
	[ABE] = { "abe", "ABE", "area bound ABE", TV_DASHED, true },
	[CPE] = { "cpe", "CPE", "critical path estimate CPE", TV_DOTTED, true },
	[TIGHT] = { "tight", "tight", "tight bound", TV_DASHDOT, false },
	[INTEGER] = { "abe-integer", "integer ABE", "integer ABE", TV_DASHDOT, false },
	[NETWORK] = { "cpe-network", "network CPE", "network CPE", TV_DOTTED, false },
};

/* Other words of that list. */
enum { PER_NODE = KNOWN, NONE };

/* The row of the whole run with that name, or TV_NONE. */
static uint32_t find_row(const struct tv_table *table, const char *name)
{
	const struct tv_column *node = tv_table_find(table, "Node"),
			       *bound = tv_table_find(table, "Bound");
	uint32_t label = bound != NULL ? tv_pool_find_text(table->pool, name) : TV_NONE;

	for (uint32_t row = 0; label != TV_NONE && row < table->nrows; row++)
		if (tv_label(bound, row) == label && (node == NULL || tv_missing(node, row)))
			return row;
	return TV_NONE;
}

/* Those of `wanted` (bit i: known[i]) that the table has; without a table, as in a window, the
 * makespan, which is that of the whole run. */
static size_t read_bounds(const struct tv_figure *figure, const struct tv_table *table,
			  unsigned wanted, struct tv_bound bound[TV_BOUNDS_MAX])
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	const struct tv_column *time = table != NULL ? tv_table_find(table, "Time") : NULL;
	const struct tv_column *gap = table != NULL ? tv_table_find(table, "Gap") : NULL;
	size_t n = 0;

	if (figure->states)
		return 0;
	if (time == NULL && (wanted & 1u << MAKESPAN))
		bound[n++] = (struct tv_bound){ known[0].name, known[0].spelled,
						tasks->finish - tasks->begin, NAN, known[0].dash };
	for (size_t i = 0; time != NULL && i < KNOWN; i++) {
		uint32_t row = (wanted >> i & 1) ? find_row(table, known[i].row) : TV_NONE;

		if (row == TV_NONE || tv_missing(time, row))
			continue;
		bound[n++] = (struct tv_bound){
			known[i].name, known[i].spelled,
			time->i[row],  gap != NULL && !tv_missing(gap, row) ? gap->d[row] : NAN,
			known[i].dash,
		};
	}
	return n;
}

static unsigned default_bounds(void)
{
	unsigned wanted = 0;

	for (size_t i = 0; i < KNOWN; i++)
		wanted |= (unsigned)known[i].is_default << i;
	return wanted;
}

size_t tv_figure_bounds(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX])
{
	return read_bounds(figure, figure->bounds, default_bounds(), bound);
}

size_t tv_figure_weighted(const struct tv_figure *figure, struct tv_bound bound[TV_BOUNDS_MAX])
{
	return figure->weighted == NULL
		     ? 0
		     : read_bounds(figure, figure->weighted, default_bounds(), bound);
}

static int read_names(const char *list, unsigned *wanted, struct tv_error *err)
{
	for (const char *word = list; word != NULL;) {
		const char *end = strchrnul(word, ',');
		size_t n = (size_t)(end - word), i = 0;

		while (i < KNOWN
		       && (strlen(known[i].row) != n || strncmp(known[i].row, word, n) != 0))
			i++;
		if (i == KNOWN && n == 8 && strncmp(word, "abe-node", n) == 0)
			i = PER_NODE;
		else if (i == KNOWN && n == 4 && strncmp(word, "none", n) == 0)
			i = NONE;
		else if (i == KNOWN)
			return tv_fail_usage(
				err,
				"--spacetime.bounds '%s', expected makespan, abe, cpe, "
				"cpe-network, tight, abe-integer, abe-node (commas "
				"between them) or none",
				list);
		*wanted |= 1u << i;
		word = *end == ',' ? end + 1 : NULL;
	}
	if ((*wanted & 1u << NONE) && *wanted != 1u << NONE)
		return tv_fail_usage(
			err, "--spacetime.bounds '%s', expected none alone, or other names", list);
	return 0;
}

/* The values of bounds that the header does not have, for the caption. */
static void print_bounds(const struct tv_figure *figure, const struct tv_bound_lines *lines)
{
	const struct tv_printed to = { figure->numbers, "" };
	struct tv_bound bound[TV_BOUNDS_MAX];
	size_t n = read_bounds(figure, lines->table, lines->wanted & ~default_bounds(), bound);
	char time[40];

	for (size_t i = 0; i < n; i++) {
		tv_unit_text(time, sizeof time, bound[i].time, figure->unit);
		tv_print_number(&to, bound[i].name, NULL,
				strchr(time, ' ') == NULL ? figure->unit->name : NULL, "%s", time);
	}
}

int tv_bound_lines_init(struct tv_bound_lines *lines, struct tv_figure *figure,
			const struct tv_layer_options *options, struct tv_error *err)
{
	const char *list = options->bounds, *network = options->network;
	const struct tv_table *more = NULL;
	bool tight, integer, networked;

	*lines = (struct tv_bound_lines){ .table = figure->bounds, .wanted = default_bounds() };
	if (list == NULL) {
		if (figure->rows->grouped)
			lines->wanted |= 1u << PER_NODE;
		return 0;
	}
	lines->named = true;
	lines->wanted = 0;
	if (read_names(list, &lines->wanted, err) < 0)
		return -1;
	tight = lines->wanted & 1u << TIGHT;
	integer = lines->wanted & 1u << INTEGER;
	networked = lines->wanted & 1u << NETWORK;
	if (networked != (network != NULL))
		return tv_fail_usage(
			err,
			"--spacetime.bounds cpe-network and --spacetime.network need each other");
	if (figure->bounds == NULL && (lines->wanted & ~(1u << MAKESPAN | 1u << NONE)) != 0) {
		tv_run_warn(figure->run,
			    "--spacetime.bounds '%s': bounds are of the whole run, "
			    "none is drawn in a window",
			    list);
		return 0;
	}
	if (figure->bounds == NULL || !(tight || integer || networked))
		return 0;
	if (tv_layer_pass(figure, "bounds", "bounds",
			  (const char *const[]){ "tight", tight ? "" : NULL, "integer",
						 integer ? "" : NULL, "network", network, NULL },
			  &more, err)
	    < 0)
		return -1;
	/* A network that cannot be fitted does not take the others along. */
	if (more != NULL)
		lines->table = more;
	print_bounds(figure, lines);
	return 0;
}

/* The bounds within the axis, by time, and their places on it. */
static size_t visible_bounds(const struct tv_figure *figure, const struct tv_bound_lines *lines,
			     struct tv_bound *bound, double *x)
{
	const struct tv_axis *axis = &figure->axis;
	size_t n = read_bounds(figure, lines->table, lines->wanted, bound), kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct tv_bound this = bound[i];
		double at = (double)(figure->run->tasks.begin - axis->begin) + (double)this.time,
		       place;
		size_t k;

		place = axis->x + at / (double)(axis->end - axis->begin) * axis->width;
		if (place < axis->x || place > axis->x + axis->width)
			continue;
		for (k = kept; k > 0 && x[k - 1] > place; k--) {
			x[k] = x[k - 1];
			bound[k] = bound[k - 1];
		}
		x[k] = place;
		bound[k] = this;
		kept++;
	}
	return kept;
}

static bool is_in_header(const char *name)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].is_default && strcmp(known[i].name, name) == 0)
			return true;
	return false;
}

/* A name in the strip: of the bounds whose lines are closer to each other than a name shows. */
struct bound_name {
	double x;
	char text[160];
};

/* The names of n bounds, with their values unless `brief`; headers of facets have those of the usual ones. How many names. */
static size_t name_lines(const struct tv_figure *figure, const struct tv_bound *bound,
			 const double *x, size_t n, bool brief, struct bound_name *name)
{
	static const double apart = 1; /* points */
	size_t names = 0;

	for (size_t i = 0; i < n; i++) {
		bool value = !brief && (figure->facet == NULL || !is_in_header(bound[i].name));
		bool joins = i > 0 && x[i] - x[i - 1] < apart;
		char time[40], *text;
		size_t length;

		if (!joins)
			name[names++] = (struct bound_name){ .x = x[i] };
		text = name[names - 1].text;
		length = strlen(text);
		tv_unit_text(time, sizeof time, bound[i].time, figure->unit);
		snprintf(text + length, sizeof name->text - length, "%s%s%s%s", joins ? ", " : "",
			 bound[i].name, value ? " " : "", value ? time : "");
	}
	return names;
}

/* From the line's upper end to below its name: straight, or aside if the name had to move. */
static void draw_leader(struct tv_scene *scene, double x, double top, double name_x, double half)
{
	double to = fmax(name_x - half + 1, fmin(x, name_x + half - 1));

	if (fabs(to - x) > 0.2)
		tv_scene_line(scene, TV_PAGE, to, top - 2.4, x, top);
	else
		tv_scene_line(scene, TV_PAGE, x, top - 2.4, x, top);
}

/* Whether a row of the table is the ABE of a node. */
static bool is_per_node(const struct tv_table *table, uint32_t row)
{
	return !tv_missing(tv_table_find(table, "Node"), row)
	    && tv_label(tv_table_find(table, "Bound"), row)
		       == tv_pool_find_text(table->pool, "abe");
}

bool tv_bound_lines_per_node(const struct tv_bound_lines *lines)
{
	return lines->table != NULL && (lines->wanted & 1u << PER_NODE);
}

void tv_bound_lines_key(const struct tv_bound_lines *lines, const struct tv_figure *figure,
			struct tv_layer **layers)
{
	const struct tv_table *table = lines->table;
	const struct tv_column *time = table == NULL ? NULL : tv_table_find(table, "Time");
	struct tv_layer *layer;
	uint32_t n = 0;

	if (table == NULL || !lines->named || !tv_bound_lines_per_node(lines))
		return;
	layer = tv_layer_add(layers, "bounds");
	for (uint32_t row = 0; row < table->nrows; row++) {
		struct tv_key *key = &layer->key[n % TV_KEYS_MAX];
		char value[40], node[20];

		if (!is_per_node(table, row))
			continue;
		tv_unit_text(value, sizeof value, time->i[row], figure->unit);
		tv_clean_text(
			node, sizeof node,
			tv_pool_text(table->pool, tv_label(tv_table_find(table, "Node"), row)));
		key->kind = TV_KEY_DASHED;
		key->color = TV_INK;
		snprintf(key->text, sizeof key->text, "%s: %s", node, value);
		n++;
	}
	snprintf(layer->title, sizeof layer->title,
		 n == 0		   ? "ABE per node: one node"
		 : n > TV_KEYS_MAX ? "ABE per node"
				   : "ABE per node (%s)",
		 figure->unit->name);
	layer->nkeys = n > TV_KEYS_MAX ? 0 : n;
}

/* The ABE of every node, over its rows. */
static void draw_per_node(struct tv_figure *figure, const struct tv_bound_lines *lines,
			  const struct tv_place *place, const struct tv_rows *rows)
{
	const struct tv_table *table = lines->table;
	const struct tv_column *node = tv_table_find(table, "Node"),
			       *time = tv_table_find(table, "Time");
	struct tv_scene *scene = figure->scene;

	for (uint32_t row = 0; row < table->nrows; row++) {
		double x = tv_axis_at(&figure->axis, figure->run->tasks.begin + time->i[row]);
		double y0 = INFINITY, y1 = -INFINITY;

		for (uint32_t b = 0; b < rows->nbands; b++)
			if (rows->band[b].node == tv_label(node, row)) {
				y0 = fmin(y0, rows->band[b].y0);
				y1 = fmax(y1, rows->band[b].y1);
			}
		if (!is_per_node(table, row) || y0 > y1 || x < place->x
		    || x > place->x + place->width)
			continue;
		for (int dark = 0; dark <= 1; dark++) {
			tv_scene_pen(scene, dark ? "node-bound" : "halo", "bounds");
			scene->pen.stroke = dark ? TV_INK : TV_WHITE;
			scene->pen.width = dark ? 1 : 2.2;
			/* Of a short line too few dashes would show. */
			scene->pen.dash = dark && !rows->many ? TV_DASHED : TV_SOLID;
			tv_scene_line(scene, TV_PAGE, x, place->y + y0, x, place->y + y1);
		}
	}
}

void tv_chart_bounds(struct tv_figure *figure, const struct tv_bound_lines *lines,
		     const struct tv_place *place, const struct tv_rows *rows)
{
	struct tv_scene *scene = figure->scene;
	const struct tv_axis *axis = &figure->axis;
	struct tv_bound bound[TV_BOUNDS_MAX];
	struct bound_name name[TV_BOUNDS_MAX];
	double x[TV_BOUNDS_MAX], center[TV_BOUNDS_MAX], width[TV_BOUNDS_MAX];
	size_t n = visible_bounds(figure, lines, bound, x), names = 0;
	bool fits = false;

	if (tv_bound_lines_per_node(lines))
		draw_per_node(figure, lines, place, rows);
	for (int brief = 0; brief <= 1 && !fits; brief++) {
		names = name_lines(figure, bound, x, n, brief, name);
		for (size_t i = 0; i < names; i++) {
			center[i] = name[i].x;
			width[i] = tv_text_width(scene->text, name[i].text, TV_TEXT_SIZE, false);
		}
		fits = tv_spread(center, width, names, axis->x, axis->x + axis->width, 5) == 0;
	}
	if (!fits && lines->named)
		tv_run_warn(figure->run,
			    "--spacetime.bounds: the names of %zu bounds have no room, their lines "
			    "are drawn without names",
			    n);
	for (size_t i = 0; i < names && fits; i++) {
		tv_scene_pen(scene, "bound-name", "bounds");
		scene->pen.fill = TV_INK;
		tv_scene_text(scene, center[i], place->y - TV_STRIP_TEXT, TV_CENTER, TV_TEXT_SIZE,
			      false, name[i].text);
	}
	for (size_t i = 0; i < n; i++) {
		tv_scene_pen(scene, "bound", "bounds");
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.6;
		for (size_t k = 0; k < names && fits; k++)
			if (name[k].x == x[i])
				draw_leader(scene, x[i], place->y, center[k], width[k] / 2);
		scene->pen.dash = bound[i].dash;
		tv_scene_line(scene, TV_PAGE, x[i], place->y, x[i], place->y + place->height);
	}
}
