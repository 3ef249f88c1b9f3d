/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.c -- the panel of the levels of the machine over time: a map of their objects, or a line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/map.h"
#include "trace/text.h"
#include "views/charts/names.h"
#include "views/charts/objects.h"
#include "views/charts/series.h"
#include "views/charts/tints.h"

enum { LEVELS_MAX = 32 };

static const double row_height = 8.2, block_max = 82, between = 3;   /* points, of a map */
static const double band_height = 30, heading = 9.6, block_min = 16; /* of a line; of both */
static const uint32_t line_color = 0x1f4e9c, band_color = 0xc3d6ea;

/* A level: its objects are rows of the first window in the tables. */
struct block {
	uint32_t label;
	uint32_t *object;
	uint32_t n;
	const struct tv_object_number *number;
	struct tv_names names;
	double y, height; /* set by measure; y from the top of the panel */
	struct tv_value_scale scale;
};

struct levels {
	struct tv_object_numbers numbers;
	struct block block[LEVELS_MAX];
	uint32_t nblocks;
	struct tv_tints phases;
	enum { HEAT, BAND } style;
	const char *level, *by, *clusters, *windows;
	char title[160];
	struct tv_key key[TV_OBJECT_NUMBERS + 3];
	size_t nkeys;
	int64_t *start, *end; /* of the windows */
	double *value;	      /* of a line of pixels, or mean, min, max: 3 * nwindows */
};

/* ---- what is shown ---- */

static bool is_known(const struct levels *l, uint32_t object)
{
	const struct tv_object_number *m = tv_object_number_of(&l->numbers, object);

	for (uint32_t w = 0; w < l->numbers.nwindows; w++)
		if (!isnan(tv_object_value(m, w * l->numbers.nobjects + object)))
			return true;
	return false;
}

static struct block *block_of(struct levels *l, uint32_t label)
{
	for (uint32_t i = 0; i < l->nblocks; i++)
		if (l->block[i].label == label)
			return &l->block[i];
	if (l->nblocks == LEVELS_MAX)
		return NULL;
	l->block[l->nblocks].label = label;
	return &l->block[l->nblocks++];
}

/* The outermost object around each one. */
static uint32_t *find_roots(const struct levels *l)
{
	const struct tv_table *table = l->numbers.at[0].table;
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *parent = tv_table_find(table, "Parent");
	uint32_t *root = tv_alloc(l->numbers.nobjects, sizeof *root);
	struct tv_index place = { 0 };

	for (uint32_t i = 0; i < l->numbers.nobjects; i++) {
		uint32_t in = tv_label(parent, i) == TV_NONE
				    ? TV_NONE
				    : tv_index_get(&place, tv_label(parent, i));

		/* Parents come first. */
		root[i] = in == TV_NONE ? i : root[in];
		tv_index_set(&place, tv_label(id, i), i);
	}
	tv_free(place.at);
	return root;
}

static void add_object(struct levels *l, uint32_t i)
{
	const struct tv_table *table = l->numbers.at[0].table;
	struct block *b = block_of(l, tv_label(tv_table_find(table, "Level"), i));

	if (b == NULL)
		return;
	if (b->object == NULL) {
		b->object = tv_alloc(l->numbers.nobjects, sizeof *b->object);
		b->number = tv_object_number_of(&l->numbers, i);
	}
	b->object[b->n++] = i;
	tv_names_add(&b->names,
		     tv_pool_text(table->pool, tv_label(tv_table_find(table, "ResourceId"), i)));
}

/* Levels with a number; their objects in the order of the machine, those of a host together. */
static void find_blocks(struct levels *l)
{
	uint32_t *root = find_roots(l), n = l->numbers.nobjects;
	struct tv_groups hosts;

	tv_groups_init(&hosts, root, n, n);
	for (uint32_t k = 0; k < hosts.first[n]; k++)
		if (is_known(l, hosts.row[k]))
			add_object(l, hosts.row[k]);
	tv_groups_release(&hosts);
	tv_free(root);
}

static bool is_wanted(const struct levels *l, uint32_t i, const char *list)
{
	const struct tv_pool *pool = l->numbers.at[0].table->pool;
	const char *name = tv_pool_text(pool, l->block[i].label);
	bool share = l->block[i].number->unit[0] == '%';

	if (list != NULL)
		return tv_glob_list(list, name);
	/* Of levels of workers that have as many objects: cores, else the outermost. */
	for (uint32_t k = 0; share && k < l->nblocks; k++)
		if (k != i && l->block[k].n == l->block[i].n && strcmp(name, "Core") != 0
		    && (k < i || strcmp(tv_pool_text(pool, l->block[k].label), "Core") == 0))
			return false;
	return true;
}

static void free_block(struct block *b)
{
	tv_names_release(&b->names);
	tv_free(b->object);
}

static void choose_blocks(struct levels *l, const char *list)
{
	bool keep[LEVELS_MAX];
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nblocks; i++)
		keep[i] = is_wanted(l, i, list);
	for (uint32_t i = 0; i < l->nblocks; i++)
		if (keep[i])
			l->block[n++] = l->block[i];
		else
			free_block(&l->block[i]);
	l->nblocks = n;
}

static void find_windows(struct levels *l, const struct tv_axis *axis)
{
	const struct tv_table *table = l->numbers.at[0].table;
	uint32_t n = l->numbers.nwindows;

	l->start = tv_alloc(n, sizeof *l->start);
	l->end = tv_alloc(n, sizeof *l->end);
	l->value = tv_alloc(n, 3 * sizeof *l->value);
	for (uint32_t w = 0; w < n; w++) {
		l->start[w] = tv_table_find(table, "Start")->i[w * l->numbers.nobjects];
		l->end[w] = tv_table_find(table, "End")->i[w * l->numbers.nobjects];
	}
	/* What is known of one instant alone fills the picture. */
	if (n > 0 && l->end[n - 1] <= l->start[0])
		l->end[n - 1] = axis->end;
}

/* Mean, min and max of n objects of a level in each window; NaN: not known. */
static void read_values(const struct levels *l, const struct block *b, uint32_t first, uint32_t n)
{
	uint32_t nw = l->numbers.nwindows;

	for (uint32_t w = 0; w < nw; w++) {
		double sum = 0, low = INFINITY, high = -INFINITY;
		uint32_t known = 0;

		for (uint32_t i = first; i < first + n; i++) {
			double value = tv_object_value(b->number,
						       w * l->numbers.nobjects + b->object[i]);

			if (isnan(value))
				continue;
			known++;
			sum += value;
			low = fmin(low, value);
			high = fmax(high, value);
		}
		l->value[w] = known > 0 ? sum / known : NAN;
		l->value[nw + w] = known > 0 ? low : NAN;
		l->value[2 * nw + w] = known > 0 ? high : NAN;
	}
}

static void add_keys(struct levels *l)
{
	const struct tv_object_number *first = &l->numbers.at[0];

	if (l->style == BAND)
		snprintf(l->title, sizeof l->title, "levels of the machine: %.60s%s%s%.20s",
			 first->name, l->numbers.n > 1 ? ", ..." : "",
			 first->unit[0] != '\0' ? ", " : "", first->unit);
	else
		snprintf(l->title, sizeof l->title, "levels of the machine");
	l->nkeys = 0;
	if (l->style == BAND) {
		l->key[l->nkeys++] = (struct tv_key){ TV_KEY_LINE, line_color,
						      "mean of its objects" };
		l->key[l->nkeys++] = (struct tv_key){ TV_KEY_AREA, band_color, "from min to max" };
	} else {
		l->nkeys = tv_object_keys(&l->numbers, l->key);
	}
	if (l->phases.n > 0)
		l->key[l->nkeys++] = l->phases.key;
}

/* Phases of the tasks, or of the sums of variables on the outermost objects. */
static int find_phases(struct levels *l, struct tv_figure *figure, struct tv_error *err)
{
	const struct tv_table *table = l->numbers.at[0].table;
	int rc;

	if (l->clusters != NULL && (l->by == NULL || strcmp(l->by, "tasks") == 0))
		return tv_fail_usage(err, "--levels.clusters has no effect, expected variables in "
					  "--levels.phases");
	if (l->by == NULL)
		return 0;
	rc = tv_tints_init(&l->phases, figure, l->by, l->clusters,
			   tv_pool_text(table->pool, tv_label(tv_table_find(table, "Level"), 0)),
			   err);
	return rc == TV_NOTHING ? 0 : rc;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct levels *l = slot->state;
	int rc = tv_object_numbers_init(&l->numbers, figure, slot->panel, NULL, l->windows, err);

	if (rc != 0)
		return rc;
	find_blocks(l);
	choose_blocks(l, l->level);
	if (l->nblocks == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no object of such a level has the number");
	find_windows(l, &figure->axis);
	return find_phases(l, figure, err);
}

/* ---- places ---- */

static double wanted(const struct levels *l, const struct block *b)
{
	return l->style == BAND ? band_height : fmin(b->n * row_height, block_max);
}

/* Rows end at whole cells, so that no two mix. */
static double whole_cells(const struct tv_figure *figure, double length)
{
	return round(length / figure->scene->cell) * figure->scene->cell;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct levels *l = slot->state;
	double fixed = (l->nblocks - 1) * between + (l->style == BAND ? l->nblocks * heading : 0);
	double sum = 0, factor, y = tv_tints_height(&l->phases), left;

	add_keys(l);
	fixed += y;
	left = tv_names_width(figure, &l->phases.names);
	for (uint32_t i = 0; i < l->nblocks; i++)
		sum += wanted(l, &l->block[i]);
	factor = height == 0 ? 1 : fmax(height - fixed, 0.4 * sum) / sum;
	for (uint32_t i = 0; i < l->nblocks; i++) {
		struct block *b = &l->block[i];

		y = whole_cells(figure, y + (l->style == BAND ? heading : 0));
		b->y = y;
		b->height = whole_cells(figure, wanted(l, b) * factor);
		y += b->height + between;
		b->scale = tv_value_scale(b->number->unit[0] == '%' ? 0 : b->number->low,
					  b->number->high, false, b->height);
		left = fmax(left, l->style == BAND ? tv_value_width(figure, &b->scale)
						   : tv_names_width(figure, &b->names));
	}
	slot->request.height = y - between;
	slot->request.min = fixed + fmin(sum, l->nblocks * block_min);
	slot->request.left = left;
	slot->request.top = tv_strip_height(figure, l->title, l->key, l->nkeys,
					    tv_strip_width(figure));
}

/* ---- drawing ---- */

struct colors {
	const struct levels *levels;
	const struct tv_object_number *number;
};

static uint32_t cell_color(double mean, const void *data)
{
	const struct colors *colors = data;

	return isnan(mean) ? TV_GRID
			   : tv_object_color(&colors->levels->numbers, colors->number, mean);
}

/* Bins of the axis up to the end of the last window. */
static void find_bins(const struct levels *l, const struct tv_figure *figure, struct tv_bins *bins)
{
	int64_t end = l->end[l->numbers.nwindows - 1];

	tv_bins_even(bins, figure);
	while (bins->n > 1 && bins->edge[bins->n - 1] >= end)
		bins->n--;
	if (bins->edge[bins->n] > end)
		bins->edge[bins->n] = end;
}

static void draw_map(struct tv_figure *figure, const struct levels *l, const struct block *b,
		     const struct tv_place *place)
{
	unsigned frame = tv_figure_frame(figure, "levels", place, place->height, false);
	uint32_t fit = (uint32_t)fmax(1, place->height / fmax(figure->scene->cell, TV_BIN_POINTS));
	uint32_t lines = b->n < fit ? b->n : fit;
	const struct colors colors = { l, b->number };
	struct tv_bins bins = { 0 };

	find_bins(l, figure, &bins);
	for (uint32_t i = 0; i < lines; i++) {
		uint32_t first = (uint32_t)((uint64_t)i * b->n / lines),
			 next = (uint32_t)((uint64_t)(i + 1) * b->n / lines);

		read_values(l, b, first, next - first);
		tv_scene_pen(figure->scene, "load", "levels");
		if (figure->scene->labels)
			figure->scene->pen.label = tv_scene_string(figure->scene,
								   b->names.name[first]);
		tv_shades_draw(figure, frame, whole_cells(figure, place->height * i / lines),
			       whole_cells(figure, place->height * (i + 1) / lines),
			       &(const struct tv_pieces){ l->start, l->end, l->value,
							  l->numbers.nwindows },
			       &bins, &(const struct tv_shade){ cell_color, &colors });
	}
	tv_free(bins.edge);
	tv_names_draw(figure, &b->names, place->y, place->height / b->n);
	tv_border_draw(figure->scene, place);
}

/* The windows in which the level has a number; the pieces of the three curves. */
static size_t keep_known(const struct levels *l, int64_t *start, int64_t *end, double *value)
{
	uint32_t nw = l->numbers.nwindows;
	size_t n = 0;

	for (uint32_t w = 0; w < nw; w++) {
		if (isnan(l->value[w]))
			continue;
		start[n] = l->start[w];
		end[n] = l->end[w];
		for (uint32_t k = 0; k < 3; k++)
			value[k * nw + n] = l->value[k * nw + w];
		n++;
	}
	return n;
}

static void draw_band(struct tv_figure *figure, const struct levels *l, const struct block *b,
		      const struct tv_place *place)
{
	unsigned frame = tv_value_frame(figure, "levels", place, &b->scale);
	uint32_t nw = l->numbers.nwindows;
	int64_t *start = tv_alloc(nw, sizeof *start), *end = tv_alloc(nw, sizeof *end);
	double *value = tv_alloc(nw, 3 * sizeof *value);
	struct tv_pieces mean = { start, end, value, 0 }, low = mean, high = mean;
	char text[160];

	read_values(l, b, 0, b->n);
	mean.n = low.n = high.n = keep_known(l, start, end, value);
	low.value = value + nw;
	high.value = value + 2 * (size_t)nw;
	tv_tints_tint(figure, &l->phases, frame);
	tv_grid_draw(figure, place, &b->scale);
	if (b->n > 1)
		tv_band_draw(figure, frame, &b->scale, &low, &high, band_color);
	tv_scene_pen(figure->scene, "curve", "levels");
	tv_curve_draw(figure, frame, &b->scale, &mean, line_color, TV_SOLID);
	tv_border_draw(figure->scene, place);
	tv_value_draw(figure, place, &b->scale);
	snprintf(text, sizeof text, "%.60s (%u)",
		 tv_pool_text(l->numbers.at[0].table->pool, b->label), b->n);
	tv_scene_pen(figure->scene, "name", "levels");
	figure->scene->pen.fill = TV_INK;
	tv_scene_text(figure->scene, place->x, place->y - heading / 2, TV_LEFT, TV_TEXT_SMALL,
		      false, text);
	tv_free(start);
	tv_free(end);
	tv_free(value);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct levels *l = slot->state;

	tv_tints_draw(figure, &l->phases, &slot->place);
	for (uint32_t i = 0; i < l->nblocks; i++) {
		struct tv_place place = slot->place;

		place.y += l->block[i].y;
		place.height = l->block[i].height;
		if (l->style == BAND)
			draw_band(figure, l, &l->block[i], &place);
		else
			draw_map(figure, l, &l->block[i], &place);
	}
	tv_strip_draw(figure, l->title, l->key, l->nkeys, slot->place.x, slot->place.y,
		      tv_strip_width(figure));
}

static void release(struct tv_slot *slot)
{
	struct levels *l = slot->state;

	for (uint32_t i = 0; i < l->nblocks; i++)
		free_block(&l->block[i]);
	tv_tints_release(&l->phases);
	tv_free(l->start);
	tv_free(l->end);
	tv_free(l->value);
	tv_free(l);
}

static void share(struct tv_slot *slot, const struct tv_slot *other)
{
	struct levels *l = slot->state;
	const struct levels *with = other->state;

	if (!l->numbers.alone)
		tv_object_numbers_join(&l->numbers, &with->numbers);
}

static const struct tv_option_spec options[] = {
	TV_OPTIONS_OBJECT_NUMBERS,
	{ "style", "heat|band", "heat",
	  "a row of colors for each object, or the mean of a level in a band from min to max",
	  TV_OPTION_CHOICE, TV_INTO(struct levels, style) },
	{ "level", "LEVEL,...", NULL,
	  "only these levels, such as L3,Core (* and ? match; default: those that differ)",
	  TV_OPTION_LIST, TV_INTO(struct levels, level) },
	{ "phases", "NAME,...", NULL,
	  "tinted phases: `tasks` (pass phases), or variables with similar values (pass cluster)",
	  TV_OPTION_LIST, TV_INTO(struct levels, by) },
	{ "clusters", "N", NULL, "of the variables of --levels.phases (default 2)", TV_OPTION_COUNT,
	  1, 8, TV_INTO(struct levels, clusters) },
	{ "windows", "N", "200", "windows of equal length, each with one number", TV_OPTION_COUNT,
	  1, 1000, TV_INTO(struct levels, windows) },
};

const struct tv_panel tv_panel_levels = {
	.name = "levels",
	.title = "levels of the machine over time: idle time or a variable of their objects",
	.needs = "objects of the machine (topology.xml)",
	.share = 2,
	TV_PANEL_OPTIONS(options, struct levels),
	.prepare = prepare,
	.measure = measure,
	.share_scale = share,
	.layout = layout,
	.release = release,
};
