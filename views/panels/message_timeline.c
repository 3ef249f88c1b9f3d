/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message_timeline.c -- the panel of messages in flight: a row for each node, in it a lane for each
 * message at a time, in the color of its size or of the wait that it caused. Of many nodes, whose rows
 * have no height for lanes, the color is the number in flight.
 */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/series.h"
#include "views/charts/strip.h"
#include "views/charts/value.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"
#include "views/scene/ramp.h"
#include "views/shared/panel.h"

/* Points. Lanes lower than lane_min are shown as shares. */
static const double lane_min = 1.2, lane_wanted = 2.6, row_min = 7, row_max = 34, tall = 230,
		    row_low = 6, height_min = 24, pad = 3, dense_row = 12, dense_min = 2;
static const float lane_gap = 0.15F; /* of a lane, free above its messages */

static const double lone = 0.65; /* of the colors: of messages of one size */

enum color { SIZE, WAIT };
enum { LEVELS = 10 };
#define HOVER \
	"{Key|}, {Origin|} to {Dest|}, {Size:bytes|unknown size}, {from} to {to} ms ({long} ms)" \
	"[, idle time caused {Wait} ms]"

struct timeline {
	struct tv_rows rows;
	enum color color;
	double low, high; /* of the colors: bytes, or ns */
	uint32_t lanes;
	bool dense; /* rows have no height for a lane for each message in flight: */
	bool waits; /* only those that caused a wait are drawn */
	size_t n;   /* messages of the rows, drawn or not */
	const struct tv_table
		*flight;   /* in-flight, whose curves color the rows; NULL: messages are drawn */
	const char *curve; /* of a node in it */
	double most;	   /* the largest value of these curves */
	char title[160];
	struct tv_key key[3];
	size_t nkeys;
};

/* Each of so many steps has the color of its upper end; the palest is not white. */
static uint32_t size_color(double share)
{
	return tv_ramp_color(TV_RAMP_LOAD,
			     (1.5 + fmin(floor(share * LEVELS), LEVELS - 1)) / (LEVELS + 0.5));
}

static uint32_t wait_color(double share)
{
	double level = 0.2 + 0.8 * (floor(sqrt(share) * LEVELS - 1e-9) + 1) / LEVELS;

	return tv_ramp_color(TV_RAMP_LACK, level * level);
}

/* ---- rows ---- */

/* The nodes at that end of messages, in natural order: the pass's order of --all-pairs. */
static int add_nodes(struct timeline *t, struct tv_figure *figure, const struct tv_panel *panel,
		     struct tv_error *err)
{
	const struct tv_table *pairs;
	const struct tv_column *node;
	struct tv_rows *rows = &t->rows;
	int rc = tv_panel_pass(figure, panel, "comm-matrix",
			       (const char *const[]){ "all-pairs", "", NULL }, &pairs, err);

	if (rc != 0)
		return rc;
	node = tv_table_find(pairs, "Origin");
	rows->row = tv_alloc(pairs->nrows, sizeof *rows->row);
	rows->band = tv_alloc(pairs->nrows, sizeof *rows->band);
	for (uint32_t i = 0; i < pairs->nrows; i++) {
		uint32_t label = tv_label(node, i);

		if (!tv_run_has_node(figure->run, label)
		    || (rows->nrows > 0 && rows->row[rows->nrows - 1].resource == label))
			continue;
		rows->row[rows->nrows] = (struct tv_row){ .resource = label,
							  .band = rows->nrows,
							  .idle = NAN };
		rows->band[rows->nrows] = (struct tv_band){
			.node = label, .rtype = TV_NONE, .first = rows->nrows, .n = 1, .weight = 1
		};
		rows->nrows++;
	}
	rows->nbands = rows->nnodes = rows->nrows;
	rows->units = rows->nrows;
	return 0;
}

static uint32_t *rows_of_nodes(const struct tv_rows *rows)
{
	uint32_t n = tv_pool_count(rows->pool), *row_of = tv_alloc(n, sizeof *row_of);

	for (uint32_t i = 0; i < n; i++)
		row_of[i] = TV_NONE;
	for (uint32_t r = 0; r < rows->nrows; r++)
		row_of[rows->row[r].resource] = r;
	return row_of;
}

/* Its color: an index into the types of the rows. Waits: none, then steps. */
static uint8_t type_of(const struct timeline *t, const struct tv_column *value, uint32_t row)
{
	double share;

	if (t->color == SIZE) {
		if (tv_missing(value, row))
			return LEVELS;
		share = t->high > t->low
			      ? log(fmax((double)value->i[row], 1) / t->low) / log(t->high / t->low)
			      : lone;
		return (uint8_t)fmin(floor(share * LEVELS), LEVELS - 1);
	}
	if (tv_missing(value, row) || value->i[row] <= 0)
		return 0;
	share = (double)value->i[row] / t->high;
	return (uint8_t)fmin(floor(sqrt(share) * LEVELS - 1e-9) + 1, LEVELS);
}

static bool is_drawn(const struct timeline *t, const struct tv_column *value, uint32_t row)
{
	return !t->waits || type_of(t, value, row) > 0;
}

static void fill_rows(struct timeline *t, const char *end)
{
	const struct tv_column *node = tv_table_find(t->rows.table, end),
			       *value = tv_table_find(t->rows.table,
						      t->color == SIZE ? "Size" : "Wait");
	const int64_t *start = tv_table_find(t->rows.table, "Start")->i,
		      *finish = tv_table_find(t->rows.table, "End")->i;
	uint32_t *row_of = rows_of_nodes(&t->rows), n = t->rows.table->nrows;
	struct tv_rows *rows = &t->rows;

	for (uint32_t r = 0; r < rows->nrows; r++)
		rows->row[r].n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (row_of[tv_label(node, i)] != TV_NONE && is_drawn(t, value, i))
			rows->row[row_of[tv_label(node, i)]].n++;
	rows->nitems = 0;
	for (uint32_t r = 0; r < rows->nrows; r++) {
		rows->row[r].first = rows->nitems;
		rows->nitems += rows->row[r].n;
		rows->row[r].n = 0;
	}
	rows->filled = rows->nitems;
	tv_free(rows->item);
	rows->item = tv_alloc(rows->nitems, sizeof *rows->item);
	for (uint32_t i = 0; i < n; i++) {
		struct tv_row *row;

		if (row_of[tv_label(node, i)] == TV_NONE || !is_drawn(t, value, i))
			continue;
		row = &rows->row[row_of[tv_label(node, i)]];
		rows->item[row->first + row->n++] = (struct tv_item){ .begin = start[i],
								      .end = finish[i],
								      .row = i,
								      .bottom = 1,
								      .type = type_of(t, value, i),
								      .under = TV_NO_TYPE };
	}
	tv_free(row_of);
}

/* The first lane is the lowest, as images of shares are filled. */
static void arrange(struct timeline *t)
{
	tv_items_arrange(&t->rows, false);
	t->lanes = t->rows.lanes;
	for (size_t i = 0; i < t->rows.nitems; i++) {
		struct tv_item *item = &t->rows.item[i];
		float top = item->top;

		item->top = 1 - item->bottom;
		item->bottom = 1 - top;
		if (item->begin < item->end)
			item->top += lane_gap * (item->bottom - item->top);
	}
}

/* ---- colors and words ---- */

static void find_range(struct timeline *t)
{
	const struct tv_column *value = tv_table_find(t->rows.table,
						      t->color == SIZE ? "Size" : "Wait");

	t->low = INFINITY;
	for (uint32_t i = 0; i < t->rows.table->nrows; i++)
		if (!tv_missing(value, i)) {
			t->low = fmin(t->low, fmax((double)value->i[i], 1));
			t->high = fmax(t->high, (double)value->i[i]);
		}
}

static void add_type(struct timeline *t, uint32_t color)
{
	t->rows.type[t->rows.ntypes++] = (struct tv_type_style){ .label = TV_NONE,
								 .color = color,
								 .faded = color };
}

static void set_colors(struct timeline *t)
{
	if (t->color == WAIT)
		add_type(t, TV_PALE);
	for (int i = 0; i < LEVELS; i++)
		add_type(t, t->color == SIZE ? size_color((i + 0.5) / LEVELS)
					     : wait_color(pow((i + 1.0) / LEVELS, 2)));
	if (t->color == SIZE)
		add_type(t, TV_GRAY);
	t->rows.nshown = t->rows.uncounted = t->rows.ntypes;
}

/* A few messages differ from none. */
static uint32_t flight_color(double share)
{
	return share > 0 ? tv_ramp_color(TV_RAMP_LOAD, 0.12 + 0.88 * fmin(share, 1)) : TV_WHITE;
}

static void set_keys(struct timeline *t)
{
	struct tv_key *key = t->key;
	char low[48], high[48];
	const struct tv_column *size = tv_table_find(t->rows.table, "Size");
	bool unsized = false;

	if (t->flight != NULL) {
		key[t->nkeys] = (struct tv_key){ .kind = TV_KEY_SCALE, .shade = flight_color };
		snprintf(key[t->nkeys++].text, TV_KEY_TEXT, "0 to %.0f in flight", t->most);
		return;
	}
	for (uint32_t i = 0; i < t->rows.table->nrows; i++)
		unsized = unsized || tv_missing(size, i);
	if (t->color == WAIT) {
		tv_time_text(high, sizeof high, (int64_t)t->high, NULL);
		if (!t->waits)
			key[t->nkeys++] = (struct tv_key){ TV_KEY_AREA, TV_PALE, "no wait caused" };
		key[t->nkeys] = (struct tv_key){ .kind = TV_KEY_SCALE, .shade = wait_color };
		snprintf(key[t->nkeys++].text, TV_KEY_TEXT, "idle time caused: up to %s", high);
		return;
	}
	tv_bytes_text(low, sizeof low, t->low);
	tv_bytes_text(high, sizeof high, t->high);
	if (t->high > t->low) {
		key[t->nkeys] = (struct tv_key){ .kind = TV_KEY_SCALE, .shade = size_color };
		snprintf(key[t->nkeys++].text, TV_KEY_TEXT, "%s to %s, log", low, high);
	} else if (t->high > 0) {
		key[t->nkeys] = (struct tv_key){ TV_KEY_AREA, size_color(lone), "" };
		snprintf(key[t->nkeys++].text, TV_KEY_TEXT, "each %s", high);
	}
	if (unsized)
		key[t->nkeys++] = (struct tv_key){ TV_KEY_AREA, TV_GRAY, "unknown size" };
}

static void set_title(struct timeline *t, const struct tv_printed *printed, bool receiver)
{
	uint32_t brief = 0;
	char note[64] = "";
	size_t at;

	for (size_t i = 0; i < t->rows.nitems; i++)
		brief += t->rows.item[i].begin == t->rows.item[i].end;
	if (brief > 0)
		snprintf(note, sizeof note, ", %u that take no time", brief);
	at = (size_t)snprintf(t->title, sizeof t->title, "%s message%s by %s%s",
			      tv_print_number(printed, "Messages", NULL, "messages", "%zu", t->n),
			      t->n == 1 ? "" : "s", receiver ? "receiver" : "sender", note);
	if (t->waits)
		at += (size_t)snprintf(
			t->title + at, sizeof t->title - at, "; %s that caused waits",
			tv_print_number(printed, "Waits", NULL, "messages", "%zu", t->rows.nitems));
	if (t->flight == NULL)
		snprintf(t->title + at, sizeof t->title - at, "; row height = %u message%s",
			 t->lanes, t->lanes == 1 ? "" : "s");
}

/* Height that suits the rows. */
static double wanted_height(const struct timeline *t)
{
	double unit = fmin(fmax(lane_wanted * t->lanes, row_min), row_max);

	return fmin(tv_rows_height(&t->rows, unit), fmax(tall, row_low * t->rows.nrows));
}

/* Whether shares of lanes would be too low to be seen. */
static bool is_dense(const struct timeline *t)
{
	double row = wanted_height(t) / t->rows.nrows;

	return row < dense_row && row < lane_min * t->lanes;
}

static struct tv_pieces curve_of(const struct timeline *t, uint32_t row)
{
	return tv_pieces_find(t->flight, t->curve, t->rows.row[row].resource);
}

static int find_flight(struct timeline *t, struct tv_figure *figure, const struct tv_panel *panel,
		       bool receiver, struct tv_error *err)
{
	int rc = tv_panel_pass(figure, panel, "in-flight",
			       (const char *const[]){ "of", "messages", "by", "node", NULL },
			       &t->flight, err);

	t->curve = receiver ? "receives" : "sends";
	for (uint32_t r = 0; r < t->rows.nrows && rc == 0; r++) {
		struct tv_pieces pieces = curve_of(t, r);

		if (pieces.n > 0)
			t->most = fmax(t->most,
				       tv_pieces_extent(&pieces, INT64_MIN, INT64_MAX).max);
	}
	return rc;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct timeline *t = slot->state = tv_alloc(1, sizeof *t);
	bool receiver = tv_panel_choice(figure, slot->panel, "by") == 1;
	int rc = tv_panel_pass(figure, slot->panel, "messages", NULL, &t->rows.table, err);

	if (rc == 0) {
		t->rows.pool = t->rows.table->pool;
		t->rows.states = true;
		t->rows.class = "message";
		tv_hover_init(&t->rows.hover, t->rows.table, HOVER);
		rc = add_nodes(t, figure, slot->panel, err);
	}
	if (rc != 0)
		return rc;
	t->color = (enum color)tv_panel_choice(figure, slot->panel, "color");
	find_range(t);
	if (t->color == WAIT && !(t->high > 0))
		return tv_panel_nothing(figure, slot->panel,
					"no message caused idle time, or the trace does not show "
					"it (--message-timeline.color size needs none)");
	set_colors(t);
	fill_rows(t, receiver ? "Dest" : "Origin");
	if (t->rows.nitems == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no message of the selected nodes is in the window");
	t->n = t->rows.nitems;
	arrange(t);
	t->dense = is_dense(t);
	t->waits = t->dense && t->color == WAIT;
	if (t->waits) {
		fill_rows(t, receiver ? "Dest" : "Origin");
		arrange(t);
	} else if (t->dense) {
		rc = find_flight(t, figure, slot->panel, receiver, err);
		if (rc != 0)
			return rc;
	}
	set_title(t, &slot->printed, receiver);
	set_keys(t);
	return 0;
}

/* ---- layout ---- */

static void node_text(const struct timeline *t, uint32_t row, char *out, size_t size)
{
	char name[64];

	tv_clean_text(name, sizeof name, tv_pool_text(t->rows.pool, t->rows.row[row].resource));
	snprintf(out, size, "node %s", name);
}

/* Divides the height; where lanes are too low they are shown as shares. Returns the height used. */
static double place_rows(struct timeline *t, double height, double cell)
{
	double used = tv_rows_place(&t->rows, height, cell);

	t->rows.mixed = (t->rows.row[0].y1 - t->rows.row[0].y0) / t->lanes < lane_min;
	return used;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct timeline *t = slot->state;
	double cell = figure->scene->cell;
	char text[80];

	if (height == 0)
		height = wanted_height(t) + cell;
	slot->request.height = place_rows(t, height, cell);
	slot->request.min = fmin(slot->request.height,
				 fmax(height_min, t->dense ? dense_min * t->rows.nrows : 0));
	for (uint32_t r = 0; r < t->rows.nrows && !figure->bare; r++) {
		node_text(t, r, text, sizeof text);
		slot->request.left = fmax(
			slot->request.left,
			tv_text_width(figure->scene->text, text, TV_TEXT_SMALL, false) + pad);
	}
	slot->request.top = tv_strip_height(figure, t->title, t->key, t->nkeys, figure->axis.width);
}

static void draw_items(struct tv_figure *figure, const struct timeline *t,
		       const struct tv_place *place, bool stub)
{
	unsigned frame = tv_figure_frame(figure, stub ? "messages-setup" : "message-timeline",
					 place, place->height, stub);

	tv_chart_items(figure, &t->rows, frame, stub);
	if (t->dense)
		tv_border_draw(figure->scene, place);
	else
		tv_chart_frame(figure->scene, &t->rows, frame);
}

static uint32_t mean_color(double mean, const void *data)
{
	const struct timeline *t = data;

	return flight_color(t->most > 0 ? mean / t->most : 0);
}

static void draw_flight(struct tv_figure *figure, const struct timeline *t,
			const struct tv_place *place)
{
	unsigned frame = tv_figure_frame(figure, "message-timeline", place, place->height, false);
	struct tv_shade shade = { mean_color, t };
	struct tv_scene *scene = figure->scene;
	struct tv_bins bins;
	char text[80];

	tv_bins_even(&bins, figure);
	for (uint32_t r = 0; r < t->rows.nrows; r++) {
		const struct tv_row *row = &t->rows.row[r];
		struct tv_pieces pieces = curve_of(t, r);

		if (pieces.n == 0)
			continue;
		tv_scene_pen(scene, "in-flight", "messages");
		node_text(t, r, text, sizeof text);
		scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
		tv_shades_draw(figure, frame, row->y0, row->bottom, &pieces, &bins, &shade);
	}
	tv_free(bins.edge);
	tv_border_draw(scene, place);
}

static void draw_names(struct tv_figure *figure, const struct timeline *t, double y)
{
	double line = TV_TEXT_SMALL * TV_TEXT_HEIGHT, from = -INFINITY;
	char text[80];

	tv_scene_pen(figure->scene, "name", "names");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t r = 0; r < t->rows.nrows && !figure->bare; r++) {
		const struct tv_row *row = &t->rows.row[r];
		double middle = y + (row->y0 + row->bottom) / 2;

		if (middle - line / 2 < from)
			continue;
		from = middle + line / 2;
		node_text(t, r, text, sizeof text);
		tv_scene_text(figure->scene, figure->axis.stub_x - pad, middle, TV_RIGHT,
			      TV_TEXT_SMALL, false, text);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct timeline *t = slot->state;
	const struct tv_place *place = &slot->place;
	double crowd = figure->crowd, cells = figure->crowd_cells;

	place_rows(t, slot->given, figure->scene->cell);
	tv_grid_draw(figure, place, NULL);
	if (figure->axis.stub_width > 0)
		draw_items(figure, t, place, true);
	if (t->flight != NULL)
		draw_flight(figure, t, place);
	else
		draw_items(figure, t, place, false);
	/* The figure prints how many tasks share a cell, not how many messages. */
	figure->crowd = crowd;
	figure->crowd_cells = cells;
	draw_names(figure, t, place->y);
	tv_strip_draw(figure, t->title, t->key, t->nkeys, place->x, place->y, place->width);
}

static void release(struct tv_slot *slot)
{
	struct timeline *t = slot->state;

	tv_rows_release(&t->rows);
	tv_free(t);
}

static const struct tv_option_spec options[] = {
	{ "by", "sender|receiver", "sender", "node in whose row a message is", TV_OPTION_CHOICE },
	{ "color", "size|wait", "size",
	  "color of messages: their size, or the idle time that they caused", TV_OPTION_CHOICE },
};

const struct tv_panel tv_panel_message_timeline = {
	.name = "message-timeline",
	.title = "messages in flight, a row for each node, colored by size or wait caused",
	.needs = "messages: links of the Type 'MPI communication'",
	.share = 1.5,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
