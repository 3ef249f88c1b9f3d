/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tile_maps.c -- panels of maps over the coordinates of data handles: which memory node holds each
 * tile of a matrix at an instant; who owns each tile, wrote it last, how often it moved, when it
 * was written last.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/curves.h"
#include "views/charts/names.h"
#include "views/scene/palette.h"
#include "views/scene/ramp.h"
#include "views/shared/panel.h"

enum { KINDS = TV_CURVE_COLORS, KEYS = KINDS + 2, AXIS_MAX = 100000 };
enum show { OWNER, WRITER, MEMORY, MOVES, LAST_WRITE, RESIDENCY };

static const double map_max = 110, map_min = 62, gap = 10, heading = 9, cell_max = 12,
		    grid_min = 4; /* points */
static const uint32_t owner_color = 0xc2542d, shared_color = 0xe9b79c, grid_color = 0xd9d9d9;

/* A tile of a map; which of its members count depends on what is shown. */
struct tile {
	uint32_t map; /* index */
	int64_t x, y; /* second and first coordinate: column and line */
	uint32_t kind;
	int64_t value; /* moves, or ns */
	int64_t users, writers;
	uint32_t row; /* of the result that it is from; order of equal ones */
};

struct map {
	uint32_t name, resource; /* labels; TV_NONE = all */
};

struct maps {
	enum show show;
	const char *at;
	bool by_node; /* the last writers: too many memory nodes for a color each */
	const struct tv_table *table;
	struct tile *tile;
	uint32_t n, without; /* without: handles that have no two coordinates */
	struct map *map;
	uint32_t nmaps;
	size_t cap, maps_cap; /* room for tiles, maps */
	uint32_t kind[KINDS]; /* labels of what colors mean */
	uint32_t nkinds;
	int64_t max;
	int64_t columns, lines; /* of the largest matrix */
	struct tv_key key[KEYS];
	size_t nkeys;
	char title[200];
	double cell;	 /* side of a tile, points */
	uint32_t across; /* maps side by side */
};

/* ---- tiles ---- */

static bool read_coordinates(const struct tv_table *table, uint32_t row, struct tile *tile)
{
	const struct tv_column *coordinates = tv_table_find(table, "Coordinates");
	const char *text[2];
	const uint32_t *label;
	int64_t at[2];
	uint32_t n = 0;

	if (coordinates == NULL || tv_missing(coordinates, row))
		return false;
	label = tv_list(coordinates, row, &n);
	for (uint32_t i = 0; i < 2 && n == 2; i++) {
		text[i] = tv_pool_text(table->pool, label[i]);
		if (tv_parse_int(text[i], strlen(text[i]), &at[i]) != TV_PARSE_OK || at[i] < 0
		    || at[i] >= AXIS_MAX)
			return false;
	}
	tile->y = at[0];
	tile->x = at[1];
	return n == 2;
}

static uint32_t map_of(struct maps *m, uint32_t name, uint32_t resource)
{
	for (uint32_t i = 0; i < m->nmaps; i++)
		if (m->map[i].name == name && m->map[i].resource == resource)
			return i;
	TV_GROW(m->map, m->nmaps, m->maps_cap, 1);
	m->map[m->nmaps] = (struct map){ name, resource };
	return m->nmaps++;
}

static uint32_t label_at(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *c = tv_table_find(table, column);

	return c == NULL ? TV_NONE : tv_label(c, row);
}

static int64_t number_at(const struct tv_table *table, const char *column, uint32_t row,
			 int64_t otherwise)
{
	const struct tv_column *c = tv_table_find(table, column);

	return c == NULL || tv_missing(c, row) ? otherwise : c->i[row];
}

/* The rank that owns a handle, as a label; where there is no MPI, its node. */
static uint32_t owner_of(const struct maps *m, uint32_t row)
{
	int64_t owner = number_at(m->table, "MPIOwner", row, -1);
	char text[32];

	if (owner < 0)
		return label_at(m->table, "Node", row);
	snprintf(text, sizeof text, "%lld", (long long)owner);
	return tv_pool_find_text(m->table->pool, text);
}

static void add_tile(struct maps *m, uint32_t row)
{
	const struct tv_table *t = m->table;
	struct tile tile = { .row = row, .kind = TV_NONE };
	uint32_t n = 0;

	if (!read_coordinates(t, row, &tile)) {
		m->without++;
		return;
	}
	tile.map = map_of(m, label_at(t, "Name", row),
			  m->show == RESIDENCY ? label_at(t, "ResourceId", row) : TV_NONE);
	if (m->show == OWNER)
		tile.kind = owner_of(m, row);
	if (m->show == WRITER)
		tile.kind = label_at(t, "LastWriter", row);
	if (m->show == MEMORY)
		tile.kind = label_at(t, "ResourceId", row);
	if (m->show == WRITER || m->show == MEMORY || m->show == LAST_WRITE)
		tile.value = number_at(t, "LastWrite", row, INT64_MIN);
	if (m->show == MOVES)
		tile.value = number_at(t, "TransfersIn", row, 0);
	if (m->show == RESIDENCY) {
		tile.kind = label_at(t, "State", row);
		tv_list(tv_table_find(t, "Jobs"), row, &n);
		tile.users = n;
		tile.writers = number_at(t, "Writes", row, 0);
	}
	TV_GROW(m->tile, m->n, m->cap, 1);
	m->tile[m->n++] = tile;
}

TV_ORDER(by_place, struct tile, map, y, x, row)

/* What another handle, or another memory node, adds to a tile. */
static void merge(struct maps *m, struct tile *to, const struct tile *from)
{
	if (m->show == MOVES)
		to->value += from->value;
	else if (from->value > to->value) {
		to->value = from->value;
		to->kind = from->kind;
		to->row = from->row;
	}
	to->users += from->users;
	to->writers += from->writers;
}

static int by_name(const void *a, const void *b, void *data)
{
	const struct maps *m = data;
	const struct map *x = &m->map[*(const uint32_t *)a], *y = &m->map[*(const uint32_t *)b];
	const struct tv_pool *pool = m->table->pool;

	if (x->name != y->name)
		return x->name == TV_NONE ? -1
		     : y->name == TV_NONE ? 1
					  : tv_natural_order(tv_pool_text(pool, x->name),
							     tv_pool_text(pool, y->name));
	return x->resource == y->resource ? 0
					  : tv_natural_order(tv_pool_text(pool, x->resource),
							     tv_pool_text(pool, y->resource));
}

/* Maps by the name of their matrix, then of their memory node. */
static void sort_maps(struct maps *m)
{
	uint32_t *order = tv_alloc(m->nmaps, sizeof *order),
		 *rank = tv_alloc(m->nmaps, sizeof *rank);
	struct map *sorted = tv_alloc(m->nmaps, sizeof *sorted);

	for (uint32_t i = 0; i < m->nmaps; i++)
		order[i] = i;
	qsort_r(order, m->nmaps, sizeof *order, by_name, m);
	for (uint32_t i = 0; i < m->nmaps; i++) {
		rank[order[i]] = i;
		sorted[i] = m->map[order[i]];
	}
	for (uint32_t i = 0; i < m->n; i++)
		m->tile[i].map = rank[m->tile[i].map];
	tv_free(m->map);
	m->map = sorted;
	tv_free(order);
	tv_free(rank);
}

/* One tile for each place, those that nobody wrote left out. */
static void merge_tiles(struct maps *m)
{
	bool written = m->show == WRITER || m->show == MEMORY || m->show == LAST_WRITE;
	uint32_t n = 0;

	if (m->n > 0)
		qsort(m->tile, m->n, sizeof *m->tile, by_place);
	for (uint32_t i = 0; i < m->n; i++) {
		struct tile *last = n > 0 ? &m->tile[n - 1] : NULL;

		if (written && m->tile[i].value == INT64_MIN)
			continue;
		if (last != NULL && last->map == m->tile[i].map && last->x == m->tile[i].x
		    && last->y == m->tile[i].y)
			merge(m, last, &m->tile[i]);
		else
			m->tile[n++] = m->tile[i];
	}
	m->n = n;
	for (uint32_t i = 0; i < n; i++) {
		m->columns = m->tile[i].x + 1 > m->columns ? m->tile[i].x + 1 : m->columns;
		m->lines = m->tile[i].y + 1 > m->lines ? m->tile[i].y + 1 : m->lines;
		m->max = m->tile[i].value > m->max ? m->tile[i].value : m->max;
	}
}

/* ---- keys and title ---- */

/* An early write differs from none. */
static uint32_t write_color(double share)
{
	return tv_load_color(0.12 + 0.88 * share);
}

static uint32_t kind_of(const struct maps *m, uint32_t label)
{
	uint32_t i = 0;

	while (i < m->nkinds && m->kind[i] != label)
		i++;
	return i;
}

static uint32_t kind_color(const struct maps *m, uint32_t label)
{
	uint32_t i = kind_of(m, label);

	if (m->show == RESIDENCY && label == TV_NONE)
		return TV_WHITE;
	if (m->show == RESIDENCY)
		return strcmp(tv_pool_text(m->table->pool, label), "owner") == 0 ? owner_color
										 : shared_color;
	return i < m->nkinds ? tv_curve_colors[i] : TV_GRAY;
}

static uint32_t color_of(const struct maps *m, const struct tile *tile)
{
	double share = m->max > 0 ? (double)tile->value / (double)m->max : 0;

	if (m->show == LAST_WRITE)
		return write_color(share);
	if (m->show == MOVES)
		return tv_load_color(share);
	return kind_color(m, tile->kind);
}

/* Whether there are more than colors. */
static bool set_kinds(struct maps *m)
{
	bool more = false;
	uint32_t *all = tv_alloc(m->n, sizeof *all), n = 0;

	for (uint32_t i = 0; i < m->n; i++)
		if (m->tile[i].kind != TV_NONE)
			all[n++] = m->tile[i].kind;
	qsort_r(all, n, sizeof *all, tv_compare_labels, m->table->pool);
	for (uint32_t i = 0; i < n; i++)
		if (kind_of(m, all[i]) == m->nkinds) {
			if (m->nkinds == KINDS) {
				more = true;
				break;
			}
			m->kind[m->nkinds++] = all[i];
		}
	tv_free(all);
	return more;
}

static void add_key(struct maps *m, enum tv_key_kind kind, uint32_t color, const char *name,
		    uint32_t n)
{
	struct tv_key *key = &m->key[m->nkeys++];
	char text[80], raw[80] = "";

	*key = (struct tv_key){ .kind = kind, .color = color };
	if (m->show == MEMORY && !m->by_node)
		tv_memory_name(raw, sizeof raw, name);
	tv_clean_text(text, sizeof text, raw[0] != '\0' ? raw : name);
	snprintf(key->text, sizeof key->text, "%s%s %u",
		 m->show == OWNER || m->by_node ? "node " : "", text, n);
}

static void set_kind_keys(struct maps *m)
{
	uint32_t count[KINDS + 1] = { 0 }, users = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		count[kind_of(m, m->tile[i].kind)]++;
		users += m->tile[i].users > 0;
	}
	for (uint32_t i = 0; i < m->nkinds; i++)
		add_key(m, TV_KEY_AREA, kind_color(m, m->kind[i]),
			tv_pool_text(m->table->pool, m->kind[i]), count[i]);
	if (m->show != RESIDENCY && count[m->nkinds] > 0)
		add_key(m, TV_KEY_AREA, TV_GRAY, "others:", count[m->nkinds]);
	if (m->show == RESIDENCY && users > 0)
		add_key(m, TV_KEY_DOT, TV_INK, "used by tasks (white: only read)", users);
}

/* What colors mean; the last writers by memory node, or if these are too many, by node. */
static void find_kinds(struct maps *m)
{
	m->by_node = set_kinds(m) && m->show == MEMORY;
	if (!m->by_node)
		return;
	for (uint32_t i = 0; i < m->n; i++)
		m->tile[i].kind = label_at(m->table, "Node", m->tile[i].row);
	m->nkinds = 0;
	set_kinds(m);
}

static void set_words(struct maps *m, const struct tv_printed *printed, int64_t at)
{
	struct tv_key *key = &m->key[0];
	char time[48];
	const char *tiles = m->n == 1 ? "tile" : "tiles";
	const char *count = tv_print_number(printed, "Tiles", NULL, "tiles", "%u", m->n);
	int64_t moves = 0;

	for (uint32_t i = 0; i < m->n && m->show == MOVES; i++)
		moves += m->tile[i].value;
	tv_time_text(time, sizeof time, m->show == RESIDENCY ? at : m->max, NULL);
	if (m->show == RESIDENCY)
		snprintf(m->title, sizeof m->title, "tiles on memory nodes at %s", time);
	else if (m->show == OWNER)
		snprintf(m->title, sizeof m->title, "%s%s %s",
			 m->n == 1 ? "owner of " : "owner of each of ", count, tiles);
	else if (m->show == WRITER)
		snprintf(m->title, sizeof m->title, "type of the worker that wrote %s %s last",
			 count, tiles);
	else if (m->show == MEMORY)
		snprintf(m->title, sizeof m->title, "%snode of the last writer of %s %s",
			 m->by_node ? "" : "memory ", count, tiles);
	else if (m->show == MOVES)
		snprintf(m->title, sizeof m->title, "%s transfer%s of %s %s",
			 tv_print_number(printed, "Transfers", NULL, "transfers", "%lld",
					 (long long)moves),
			 tv_plural(moves), count, tiles);
	else
		snprintf(m->title, sizeof m->title, "last write of %s%s %s",
			 m->n == 1 ? "" : "each of ", count, tiles);
	if (m->show == MOVES || m->show == LAST_WRITE) {
		*key = (struct tv_key){ .kind = TV_KEY_SCALE };
		key->shade = m->show == MOVES ? tv_load_color : write_color;
		if (m->show == MOVES)
			snprintf(key->text, sizeof key->text, "0 to %lld", (long long)m->max);
		else
			snprintf(key->text, sizeof key->text, "0 to %s", time);
		m->nkeys = 1;
		return;
	}
	set_kind_keys(m);
}

/* ---- preparation ---- */

/* The table of what is shown; *at: the instant of a residency. */
static int find_table(struct tv_figure *figure, const struct tv_panel *panel, struct maps *m,
		      int64_t *at, struct tv_error *err)
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	const struct tv_axis *axis = &figure->axis;
	int64_t begin = tasks->begin > axis->begin ? tasks->begin : axis->begin;
	int64_t end = tasks->finish < axis->end ? tasks->finish : axis->end;
	char text[40];

	if (m->show == RESIDENCY) {
		*at = tv_value_time(m->at, begin + (end - begin) / 2);
		snprintf(text, sizeof text, "%lldns", (long long)*at);
		return tv_panel_pass(figure, panel, "residency",
				     (const char *const[]){ "at", text, NULL }, &m->table, err);
	}
	if (m->show != OWNER)
		return tv_panel_pass(figure, panel, "handles",
				     (const char *const[]){ "summary", "", NULL }, &m->table, err);
	m->table = &figure->run->trace->table[TV_HANDLES];
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct maps *m = slot->state;
	int64_t at = 0;
	int rc;

	if (slot->panel->spec != NULL)
		m->show = RESIDENCY;
	rc = find_table(figure, slot->panel, m, &at, err);
	if (rc != 0)
		return rc;
	for (uint32_t row = 0; row < m->table->nrows; row++)
		add_tile(m, row);
	sort_maps(m);
	merge_tiles(m);
	if (m->n == 0)
		return tv_panel_nothing(
			figure, slot->panel,
			m->table->nrows == 0 && m->show == OWNER
				? "the trace has no table of data handles"
			: m->without > 0 ? "no data handle with two coordinates is in the trace, "
					   "or there then"
					 : "no data handle is anywhere then");
	if (m->without > 0)
		tv_run_warn(figure->run,
			    "%s: data handles without two coordinates are no tiles: left out",
			    slot->panel->name);
	find_kinds(m);
	set_words(m, &slot->printed, at);
	return 0;
}

/* ---- layout ---- */

static double map_height(const struct maps *m)
{
	return heading + m->cell * (double)m->lines + gap;
}

static uint32_t rows_of(const struct maps *m)
{
	return (m->nmaps + m->across - 1) / m->across;
}

static void set_cells(struct maps *m, double width)
{
	double most = fmax(1, floor((width + gap) / (map_min + gap)));
	/* As many in each line: 4 and 4, not 7 and 1. */
	double across = ceil(m->nmaps / ceil(m->nmaps / most));
	double side = fmin(map_max, (width + gap) / across - gap);

	m->across = (uint32_t)across;
	m->cell = fmin(cell_max, side / (double)(m->columns > m->lines ? m->columns : m->lines));
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct maps *m = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	set_cells(m, width);
	slot->request.height = tv_strip_height(figure, m->title, m->key, m->nkeys, width)
			     + rows_of(m) * map_height(m) + figure->scene->cell;
	slot->request.min = slot->request.height;
}

static void draw_tile(struct tv_figure *figure, const struct maps *m, const struct tile *tile,
		      double x, double y)
{
	struct tv_scene *scene = figure->scene;

	x += (double)tile->x * m->cell;
	y += (double)tile->y * m->cell;
	tv_scene_pen(scene, "tile", "tiles");
	scene->pen.row = tile->row;
	scene->pen.fill = color_of(m, tile);
	scene->pen.apart = true;
	tv_scene_rect(scene, TV_PAGE, x, y, x + m->cell, y + m->cell);
}

static void draw_user(struct tv_figure *figure, const struct maps *m, const struct tile *tile,
		      double x, double y)
{
	tv_scene_pen(figure->scene, tile->writers > 0 ? "writer" : "reader", "tiles");
	tv_bullet_draw(figure->scene, x + ((double)tile->x + 0.5) * m->cell,
		       y + ((double)tile->y + 0.5) * m->cell, fmax(0.6, 0.3 * m->cell),
		       tile->writers > 0 ? TV_INK : TV_WHITE, TV_INK);
}

/* Between tiles that are large enough to be counted. */
static void draw_lines(struct tv_figure *figure, const struct maps *m, double x, double y)
{
	double width = m->cell * (double)m->columns, height = m->cell * (double)m->lines;

	tv_scene_pen(figure->scene, "grid", "tiles");
	figure->scene->pen.stroke = grid_color;
	for (int64_t i = 1; i < m->columns && m->cell >= grid_min; i++)
		tv_scene_line(figure->scene, TV_PAGE, x + (double)i * m->cell, y,
			      x + (double)i * m->cell, y + height);
	for (int64_t i = 1; i < m->lines && m->cell >= grid_min; i++)
		tv_scene_line(figure->scene, TV_PAGE, x, y + (double)i * m->cell, x + width,
			      y + (double)i * m->cell);
}

static void draw_map(struct tv_figure *figure, const struct maps *m, uint32_t map, double x,
		     double y)
{
	const struct tv_pool *pool = m->table->pool;
	double width = m->cell * (double)m->columns, height = m->cell * (double)m->lines;
	uint32_t name = m->map[map].name, resource = m->map[map].resource;
	struct tv_scene *scene = figure->scene;
	char text[160], clean[160], place[80] = "";

	if (resource != TV_NONE)
		tv_memory_name(place, sizeof place, tv_pool_text(pool, resource));
	snprintf(text, sizeof text, "%.60s%s%s", name == TV_NONE ? "" : tv_pool_text(pool, name),
		 name == TV_NONE || resource == TV_NONE ? "" : " on ", place);
	tv_clean_text(clean, sizeof clean, text);
	tv_scene_pen(scene, "map", "tiles");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x, y + heading / 2 - 1, TV_LEFT, TV_TEXT_SMALL, false,
		      tv_text_fit(scene->text, clean, TV_TEXT_SMALL, false, fmax(width, map_min),
				  text, sizeof text));
	y += heading;
	for (uint32_t i = 0; i < m->n; i++)
		if (m->tile[i].map == map && (m->tile[i].kind != TV_NONE || m->show != RESIDENCY))
			draw_tile(figure, m, &m->tile[i], x, y);
	draw_lines(figure, m, x, y);
	for (uint32_t i = 0; i < m->n; i++)
		if (m->tile[i].map == map && m->tile[i].users > 0)
			draw_user(figure, m, &m->tile[i], x, y);
	tv_scene_pen(scene, "frame", "tiles");
	scene->pen.stroke = TV_INK;
	tv_scene_rect(scene, TV_PAGE, x, y, x + width, y + height);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct maps *m = slot->state;
	const struct tv_place *place = &slot->place;
	double top = place->y + tv_strip_height(figure, m->title, m->key, m->nkeys, place->width);
	double pitch;

	set_cells(m, place->width);
	pitch = fmax(m->cell * (double)m->columns, map_min) + gap;
	tv_strip_draw(figure, m->title, m->key, m->nkeys, place->x, top, place->width);
	for (uint32_t i = 0; i < m->nmaps; i++)
		draw_map(figure, m, i, place->x + i % m->across * pitch,
			 top + i / m->across * map_height(m));
}

static void release(struct tv_slot *slot)
{
	struct maps *m = slot->state;

	tv_free(m->tile);
	tv_free(m->map);
	tv_free(m);
}

static const struct tv_option_spec residency_options[] = {
	{ "at", "TIME", NULL, "the instant (default: the middle of the run or window)",
	  TV_OPTION_TIME, 0, 0, TV_INTO(struct maps, at) },
};
static const struct tv_option_spec tile_options[] = {
	{ "show", "owner|writer|memory|moves|last-write", "owner",
	  "who owns a tile, what type of worker wrote it last, on which memory node, how often it "
	  "moved, when it was written last",
	  TV_OPTION_CHOICE, TV_INTO(struct maps, show) },
};

const struct tv_panel tv_panel_residency = {
	.name = "residency",
	.title = "which tiles of a matrix are on each memory node at an instant",
	.needs = "handles with Coordinates; events 'data state owner', 'shared', 'invalid'",
	.kind = TV_FREE,
	.share = 2,
	TV_PANEL_OPTIONS(residency_options, struct maps),
	.spec = residency_options,
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};

const struct tv_panel tv_panel_tile_maps = {
	.name = "tile-maps",
	.title = "tiles of a matrix: who owns them, wrote them last, how often they moved, when",
	.needs = "handles with Coordinates; data states, except for the owner",
	.kind = TV_FREE,
	.share = 2,
	TV_PANEL_OPTIONS(tile_options, struct maps),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
