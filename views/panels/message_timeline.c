/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * message_timeline.c -- the panel of messages in flight: a row for each node, in it a lane for each
 * message at a time, in the color of its size or of the wait that it caused. Of many nodes, whose rows
 * have no height for lanes, the color is the number in flight.
 */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "views/charts/curve_list.h"
#include "views/charts/span_rows.h"
#include "views/charts/value.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"
#include "views/scene/ramp.h"
#include "views/shared/panel.h"

/* Points. Lanes lower than lane_min are shown as shares. */
static const double lane_min = 1.2, lane_wanted = 2.6, row_min = 7, row_max = 34, tall = 230,
		    row_low = 6, height_min = 24, dense_row = 12, dense_min = 2;
static const float lane_gap = 0.15F; /* of a lane, free above its messages */

static const double lone = 0.65; /* of the colors: of messages of one size */

enum color { SIZE, WAIT };
enum { LEVELS = 10 };
#define HOVER \
	"{Key|}, {Origin|} to {Dest|}, {Size:bytes|unknown size}, {from} to {to} ms ({long} ms)" \
	"[, idle time caused {Wait} ms]"

struct timeline {
	struct tv_span_rows rows;
	enum { SENDER, RECEIVER } by;
	enum color color;
	double low, high; /* of the colors: bytes, or ns */
	bool dense;	  /* rows have no height for a lane for each message in flight: */
	bool waits;	  /* only those that caused a wait are drawn */
	size_t n;	  /* messages of the rows, drawn or not */
	/* By row: messages in flight, which color it; owned; NULL: messages are drawn. */
	struct tv_pieces *flight;
	double most; /* the largest value of these curves */
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
	int rc = tv_panel_pass(figure, panel, "comm-matrix",
			       (const char *const[]){ "all-pairs", "", NULL }, &pairs, err);

	if (rc != 0)
		return rc;
	node = tv_table_find(pairs, "Origin");
	for (uint32_t i = 0; i < pairs->nrows; i++)
		if (tv_run_has_node(figure->run, tv_label(node, i))
		    && tv_index_get(&t->rows.place, tv_label(node, i)) == TV_NONE)
			tv_span_rows_band(&t->rows, tv_label(node, i), 1, "node ");
	return 0;
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

static void fill_rows(struct timeline *t)
{
	const struct tv_table *table = t->rows.chart.table;
	const struct tv_column *value = tv_table_find(table, t->color == SIZE ? "Size" : "Wait");
	uint8_t *type = tv_alloc(table->nrows, 1);

	for (uint32_t i = 0; i < table->nrows; i++) {
		type[i] = type_of(t, value, i);
		if (t->waits && type[i] == 0)
			type[i] = TV_NO_TYPE;
	}
	tv_span_rows_fill(&t->rows, table, t->by == RECEIVER ? "Dest" : "Origin", NULL, "Start",
			  "End", type);
	tv_free(type);
}

/* The first lane is the lowest, as images of shares are filled. */
static void arrange(struct timeline *t)
{
	tv_items_arrange(&t->rows.chart, false);
	for (size_t i = 0; i < t->rows.chart.nitems; i++) {
		struct tv_item *item = &t->rows.chart.item[i];
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
	const struct tv_column *value = tv_table_find(t->rows.chart.table,
						      t->color == SIZE ? "Size" : "Wait");

	t->low = INFINITY;
	for (uint32_t i = 0; i < t->rows.chart.table->nrows; i++)
		if (!tv_missing(value, i)) {
			t->low = fmin(t->low, fmax((double)value->i[i], 1));
			t->high = fmax(t->high, (double)value->i[i]);
		}
}

static void add_type(struct timeline *t, uint32_t color)
{
	t->rows.chart.type[t->rows.chart.ntypes++] = (struct tv_type_style){ .label = TV_NONE,
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
	t->rows.chart.nshown = t->rows.chart.uncounted = t->rows.chart.ntypes;
}

/* A few messages differ from none. */
static uint32_t flight_color(double share)
{
	return share > 0 ? tv_ramp_color(TV_RAMP_LOAD, 0.12 + 0.88 * fmin(share, 1)) : TV_WHITE;
}

static void set_keys(struct timeline *t)
{
	struct tv_span_rows *rows = &t->rows;
	char low[48], high[48];
	const struct tv_column *size = tv_table_find(t->rows.chart.table, "Size");
	bool unsized = false;

	if (t->flight != NULL) {
		tv_span_rows_key(rows, TV_KEY_SCALE, 0, "0 to %.0f in flight", t->most)->shade =
			flight_color;
		return;
	}
	for (uint32_t i = 0; i < rows->chart.table->nrows; i++)
		unsized = unsized || tv_missing(size, i);
	if (t->color == WAIT) {
		tv_time_text(high, sizeof high, (int64_t)t->high, NULL);
		if (!t->waits)
			tv_span_rows_key(rows, TV_KEY_AREA, TV_PALE, "no wait caused");
		tv_span_rows_key(rows, TV_KEY_SCALE, 0, "idle time caused: up to %s", high)->shade =
			wait_color;
		return;
	}
	tv_bytes_text(low, sizeof low, t->low);
	tv_bytes_text(high, sizeof high, t->high);
	if (t->high > t->low)
		tv_span_rows_key(rows, TV_KEY_SCALE, 0, "%s to %s, log", low, high)->shade =
			size_color;
	else if (t->high > 0)
		tv_span_rows_key(rows, TV_KEY_AREA, size_color(lone), "each %s", high);
	if (unsized)
		tv_span_rows_key(rows, TV_KEY_AREA, TV_GRAY, "unknown size");
}

static void set_title(struct timeline *t, const struct tv_printed *printed)
{
	uint32_t brief = 0;
	char note[64] = "";
	size_t at;

	for (size_t i = 0; i < t->rows.chart.nitems; i++)
		brief += t->rows.chart.item[i].begin == t->rows.chart.item[i].end;
	if (brief > 0)
		snprintf(note, sizeof note, ", %u that take no time", brief);
	at = (size_t)snprintf(t->rows.title, sizeof t->rows.title, "%s message%s by %s%s",
			      tv_print_number(printed, "Messages", NULL, "messages", "%zu", t->n),
			      t->n == 1 ? "" : "s", t->by == RECEIVER ? "receiver" : "sender",
			      note);
	if (t->waits)
		at += (size_t)snprintf(t->rows.title + at, sizeof t->rows.title - at,
				       "; %s that caused waits",
				       tv_print_number(printed, "Waits", NULL, "messages", "%zu",
						       t->rows.chart.nitems));
	if (t->flight == NULL)
		snprintf(t->rows.title + at, sizeof t->rows.title - at,
			 "; row height = %u message%s", t->rows.chart.lanes,
			 t->rows.chart.lanes == 1 ? "" : "s");
}

/* Height that suits the rows; whether shares of lanes would be too low to be seen in it. */
static void set_heights(struct timeline *t)
{
	uint32_t n = t->rows.chart.nrows, lanes = t->rows.chart.lanes;
	double unit = fmin(fmax(lane_wanted * lanes, row_min), row_max), row;

	t->rows.heights = (struct tv_span_heights){
		.low = unit, .high = unit, .tall = fmax(tall, row_low * n), .lane = lane_min
	};
	row = tv_span_rows_wanted(&t->rows) / n;
	t->dense = row < dense_row && row < lane_min * lanes;
	t->rows.heights.min = fmax(height_min, t->dense ? dense_min * n : 0);
}

static int find_flight(struct timeline *t, struct tv_figure *figure, const struct tv_panel *panel,
		       struct tv_error *err)
{
	const struct tv_table *table;
	struct tv_curve_list list;
	int rc = tv_panel_pass(figure, panel, "in-flight",
			       (const char *const[]){ "of", "messages", "by", "node", NULL },
			       &table, err);

	if (rc != 0)
		return rc;
	tv_curve_list_init(&list, table, "By", "Value");
	tv_curve_list_keep(&list, table, t->by == RECEIVER ? "receives" : "sends");
	tv_curve_list_measure(&list);
	t->flight = tv_alloc(t->rows.chart.nrows, sizeof *t->flight);
	for (size_t i = 0; i < list.n; i++) {
		uint32_t row = tv_index_get(&t->rows.place, list.at[i].by);

		if (row == TV_NONE)
			continue;
		t->flight[row] = list.at[i].pieces;
		t->most = fmax(t->most, list.at[i].extent.max);
	}
	tv_curve_list_release(&list, NULL);
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct timeline *t = slot->state;
	int rc = tv_panel_pass(figure, slot->panel, "messages", NULL, &t->rows.chart.table, err);

	if (rc == 0) {
		t->rows.chart.pool = t->rows.chart.table->pool;
		t->rows.chart.states = true;
		t->rows.chart.class = "message";
		t->rows.setup = "messages-setup";
		tv_hover_init(&t->rows.chart.hover, t->rows.chart.table, HOVER);
		rc = add_nodes(t, figure, slot->panel, err);
	}
	if (rc != 0)
		return rc;
	find_range(t);
	if (t->color == WAIT && !(t->high > 0))
		return tv_panel_nothing(figure, slot->panel,
					"no message caused idle time, or the trace does not show "
					"it (--message-timeline.color size needs none)");
	set_colors(t);
	fill_rows(t);
	if (t->rows.chart.nitems == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no message of the selected nodes is in the window");
	t->n = t->rows.chart.nitems;
	arrange(t);
	set_heights(t);
	t->waits = t->dense && t->color == WAIT;
	if (t->waits) {
		fill_rows(t);
		arrange(t);
	} else if (t->dense) {
		rc = find_flight(t, figure, slot->panel, err);
		if (rc != 0)
			return rc;
	}
	set_title(t, &slot->printed);
	set_keys(t);
	return 0;
}

/* ---- layout ---- */

static void draw_items(struct tv_figure *figure, struct tv_slot *slot, bool stub)
{
	const struct timeline *t = slot->state;
	unsigned frame = tv_span_rows_items(figure, slot, stub);

	if (t->dense)
		tv_border_draw(figure->scene, &slot->place);
	else
		tv_chart_frame(figure->scene, &t->rows.chart, frame);
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

	tv_bins_even(&bins, figure);
	for (uint32_t r = 0; r < t->rows.chart.nrows; r++) {
		const struct tv_row *row = &t->rows.chart.row[r];
		if (t->flight[r].n == 0)
			continue;
		tv_scene_pen(scene, "in-flight", "messages");
		scene->pen.label = scene->labels ? tv_scene_string(scene, t->rows.names.name[r])
						 : 0;
		tv_shades_draw(figure, frame, row->y0, row->bottom, &t->flight[r], &bins, &shade);
	}
	tv_free(bins.edge);
	tv_border_draw(scene, place);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct timeline *t = slot->state;

	tv_span_rows_place(&t->rows, slot->given, figure->scene->cell);
	tv_grid_draw(figure, &slot->place, NULL);
	if (figure->axis.stub_width > 0)
		draw_items(figure, slot, true);
	if (t->flight != NULL)
		draw_flight(figure, t, &slot->place);
	else
		draw_items(figure, slot, false);
	tv_span_rows_words(figure, slot);
}

static void release(struct tv_slot *slot)
{
	struct timeline *t = slot->state;

	tv_free(t->flight);
	tv_span_rows_release(slot);
}

static const struct tv_option_spec options[] = {
	{ "by", "sender|receiver", "sender", "node in whose row a message is", TV_OPTION_CHOICE,
	  TV_INTO(struct timeline, by) },
	{ "color", "size|wait", "size",
	  "color of messages: their size, or the idle time that they caused", TV_OPTION_CHOICE,
	  TV_INTO(struct timeline, color) },
};

const struct tv_panel tv_panel_message_timeline = {
	.name = "message-timeline",
	.title = "messages in flight, a row for each node, colored by size or wait caused",
	.needs = "messages: links of the Type 'MPI communication'",
	.share = 1.5,
	TV_PANEL_OPTIONS(options, struct timeline),
	.prepare = prepare,
	.measure = tv_span_rows_measure,
	.layout = layout,
	.release = release,
};
