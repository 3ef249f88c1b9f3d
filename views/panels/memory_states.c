/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory_states.c -- the panel of what each memory node did, and of transfers between them: a row
 * for each memory node, in it a lane for each state, an arrow from row to row for each transfer.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/span_rows.h"
#include "views/charts/series.h"
#include "views/scene/palette.h"
#include "views/shared/panel.h"

enum { STATES = 8, SHOWN = 20 }; /* lanes of a row; transfers without the option */

static const double lane_wanted = 3, lane_low = 0.8, row_named = 8, tall = 200; /* points */
static const double head_length = 3.2, head_half = 1.3, shaft = 0.5;

/* Those of StarPU. */
static const struct {
	const char *name;
	uint32_t color;
} known[] = {
	{ "Allocating", 0xd55e00 },  { "AllocatingReuse", 0xffaa00 },
	{ "DriverCopy", 0x0072b2 },  { "DriverCopyAsync", 0x00264d },
	{ "Freeing", 0x7b2d8b },     { "Reclaiming", 0x993322 },
	{ "WritingBack", 0x2a9d77 },
};

/* A state that has a lane. */
struct lane {
	uint32_t label, color;
};

struct panel {
	struct tv_span_rows rows;
	const struct tv_table *pieces, *shares; /* by piece, by memory node */
	const struct tv_table *transfers;	/* NULL = none */
	uint32_t *memory;			/* rows, from top to bottom: labels; owned */
	struct lane lane[STATES];
	uint32_t nlanes;
	uint32_t *shown; /* rows of the transfers that are drawn; owned */
	uint32_t nshown;
};

static uint32_t color_of(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].color;
	return tv_palette_by_name(name);
}

/* ---- rows, lanes, keys ---- */

/* Labels come sorted. */
static void add_row(struct panel *p, uint32_t label, const struct tv_pool *pool)
{
	char name[80];

	if (p->rows.names.n > 0 && p->memory[p->rows.names.n - 1] == label)
		return;
	p->memory[p->rows.names.n] = label;
	tv_memory_name(name, sizeof name, tv_pool_text(pool, label));
	tv_names_add(&p->rows.names, name);
}

static int by_name(const void *a, const void *b, void *pool)
{
	return tv_natural_order(tv_pool_text(pool, *(const uint32_t *)a),
				tv_pool_text(pool, *(const uint32_t *)b));
}

/* The memory nodes that have states, and those at the ends of transfers that are drawn. */
static void set_rows(struct panel *p)
{
	const struct tv_column *id = tv_table_find(p->shares, "ResourceId");
	uint32_t max = p->shares->nrows + 2 * p->nshown, n = 0;
	uint32_t *all = tv_alloc(max, sizeof *all);

	for (uint32_t row = 0; row < p->shares->nrows; row++)
		all[n++] = tv_label(id, row);
	for (uint32_t i = 0; i < p->nshown; i++) {
		all[n++] = tv_label(tv_table_find(p->transfers, "Origin"), p->shown[i]);
		all[n++] = tv_label(tv_table_find(p->transfers, "Dest"), p->shown[i]);
	}
	qsort_r(all, n, sizeof *all, by_name, p->shares->pool);
	p->memory = tv_alloc(n, sizeof *p->memory);
	for (uint32_t i = 0; i < n; i++)
		add_row(p, all[i], p->shares->pool);
	tv_free(all);
}

/* "12.3 %", or "<0.01 %". */
static void share_text(char *out, size_t size, double share)
{
	if (share > 0 && share < 0.005)
		snprintf(out, size, "<0.01 %%");
	else
		snprintf(out, size, "%.*f %%", share < 0.95 ? 2 : 1, share);
}

/* One lane for each state that takes time; sums: of all memory nodes together. */
static void set_lanes(struct panel *p, const struct tv_table *sums, struct tv_figure *figure,
		      const struct tv_printed *printed)
{
	const struct tv_column *value = tv_table_find(sums, "Value");
	const double *share = tv_table_find(sums, "Share")->d;
	uint32_t lost = 0;

	for (uint32_t row = 0; row < sums->nrows; row++) {
		const char *name = tv_pool_text(sums->pool, tv_label(value, row));
		struct tv_key *key = &p->rows.key[p->rows.nkeys];
		char number[32], text[64];

		if (!(share[row] > 0) || p->nlanes == STATES) {
			lost += share[row] > 0;
			continue;
		}
		p->lane[p->nlanes] = (struct lane){ tv_label(value, row), color_of(name) };
		share_text(number, sizeof number, share[row]);
		tv_clean_text(text, sizeof text, name);
		*key = (struct tv_key){ .kind = TV_KEY_AREA, .color = p->lane[p->nlanes].color };
		snprintf(key->text, sizeof key->text, "%s %s", text,
			 tv_print_number(printed, "Share", text, NULL, "%s", number));
		p->nlanes++;
		p->rows.nkeys++;
	}
	if (lost > 0)
		tv_run_warn(figure->run, "memory-states: %u more states are not drawn", lost);
}

/* ---- which transfers ---- */

/* all: UINT32_MAX; -1 with *err: not all, none or slowest:N. */
static int read_wanted(const char *text, uint32_t *wanted, struct tv_error *err)
{
	static const char slowest[] = "slowest:";
	int64_t n;

	*wanted = SHOWN;
	if (text == NULL)
		return 0;
	if (strcmp(text, "none") == 0) {
		*wanted = 0;
		return 0;
	}
	*wanted = UINT32_MAX;
	if (strcmp(text, "all") == 0)
		return 0;
	if (strncmp(text, slowest, strlen(slowest)) == 0
	    && tv_parse_int(text + strlen(slowest), strlen(text) - strlen(slowest), &n)
		       == TV_PARSE_OK
	    && n > 0 && n < UINT32_MAX) {
		*wanted = (uint32_t)n;
		return 0;
	}
	return tv_fail_usage(err, "--memory-states.transfers '%s', expected all, none or slowest:N",
			     text);
}

static int by_duration(const void *a, const void *b, void *data)
{
	const int64_t *duration = tv_table_find(data, "Duration")->i;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (duration[x] != duration[y])
		return TV_COMPARE(duration[y], duration[x]);
	return TV_COMPARE(x, y);
}

/* The transfers on the axis, the slowest ones first; title. */
static void set_transfers(struct panel *p, const struct tv_figure *figure, uint32_t wanted)
{
	const int64_t *start = tv_table_find(p->transfers, "Start")->i,
		      *end = tv_table_find(p->transfers, "End")->i;
	uint32_t all = 0;

	p->shown = tv_alloc(p->transfers->nrows, sizeof *p->shown);
	for (uint32_t row = 0; row < p->transfers->nrows; row++)
		if (start[row] <= figure->axis.end && end[row] >= figure->axis.begin)
			p->shown[all++] = row;
	qsort_r(p->shown, all, sizeof *p->shown, by_duration, (void *)p->transfers);
	p->nshown = all < wanted ? all : wanted;
	if (all == 0)
		return;
	p->rows.key[p->rows.nkeys] = (struct tv_key){ .kind = TV_KEY_LINE, .color = TV_INK };
	if (p->nshown < all)
		snprintf(p->rows.key[p->rows.nkeys].text, TV_KEY_TEXT, "%u slowest of %u transfers",
			 p->nshown, all);
	else
		snprintf(p->rows.key[p->rows.nkeys].text, TV_KEY_TEXT, "%u transfer%s", all,
			 all == 1 ? "" : "s");
	p->rows.nkeys++;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct panel *p = slot->state = tv_alloc(1, sizeof *p);
	const struct tv_table *sums;
	uint32_t wanted;
	int rc = read_wanted(tv_panel_option(figure, slot->panel, "transfers"), &wanted, err);

	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "memory-states", NULL, &p->shares, err);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "memory-states",
				   (const char *const[]){ "by", "state", NULL }, &sums, err);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "memory-states",
				   (const char *const[]){ "by", "piece", NULL }, &p->pieces, err);
	if (rc != 0)
		return rc;
	if (wanted > 0)
		rc = tv_panel_pass_for(figure, "the transfers of memory-states", "transfers", NULL,
				       &p->transfers, err);
	if (rc < 0)
		return rc;
	set_lanes(p, sums, figure, &slot->printed);
	if (p->nlanes == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no memory node is in a state that takes time");
	if (rc == 0 && wanted > 0)
		set_transfers(p, figure, wanted);
	set_rows(p);
	p->rows.heights = (struct tv_span_heights){ .low = lane_low * p->nlanes,
						    .high = fmax(row_named,
								 lane_wanted * p->nlanes),
						    .tall = tall };
	snprintf(p->rows.title, sizeof p->rows.title, "memory nodes, %% of their time");
	return 0;
}

/* ---- drawing ---- */

/* From white to the color of the state, by the part of the time that it holds. */
static uint32_t part_color(double part, const void *data)
{
	uint32_t full = *(const uint32_t *)data, color = 0;

	part = part > 0 ? fmin(part, 1) : 0;
	for (int shift = 16; shift >= 0; shift -= 8)
		color |= (uint32_t)(255 - part * (255 - (double)(full >> shift & 255)) + 0.5)
		      << shift;
	return color;
}

static uint32_t place_of(const struct panel *p, uint32_t memory)
{
	uint32_t at = 0;

	while (at < p->rows.names.n && p->memory[at] != memory)
		at++;
	return at;
}

static uint32_t lane_of(const struct panel *p, uint32_t label)
{
	uint32_t at = 0;

	while (at < p->nlanes && p->lane[at].label != label)
		at++;
	return at;
}

/* Hover text: memory node, state, its share there. */
static uint32_t describe(struct tv_scene *scene, const struct panel *p, uint32_t memory,
			 uint32_t value)
{
	const struct tv_column *id = tv_table_find(p->shares, "ResourceId"),
			       *state = tv_table_find(p->shares, "Value");
	char name[64], of[64], number[32] = "", text[200];

	if (!scene->labels)
		return 0;
	for (uint32_t row = 0; row < p->shares->nrows; row++)
		if (tv_label(id, row) == memory && tv_label(state, row) == value)
			share_text(number, sizeof number,
				   tv_table_find(p->shares, "Share")->d[row]);
	tv_clean_text(name, sizeof name, tv_pool_text(p->shares->pool, memory));
	tv_clean_text(of, sizeof of, tv_pool_text(p->shares->pool, value));
	snprintf(text, sizeof text, "%s, %s %s", name, of, number);
	return tv_scene_string(scene, text);
}

/* The pieces of one state of one memory node are consecutive rows. */
static void draw_states(struct tv_figure *figure, const struct panel *p, unsigned frame)
{
	const struct tv_column *id = tv_table_find(p->pieces, "ResourceId"),
			       *value = tv_table_find(p->pieces, "Value");
	const int64_t *start = tv_table_find(p->pieces, "Start")->i,
		      *end = tv_table_find(p->pieces, "End")->i;
	double *one = tv_alloc(p->pieces->nrows, sizeof *one), lane_height = 0.86 / p->nlanes;
	struct tv_scene *scene = figure->scene;
	struct tv_bins bins;

	tv_bins_even(&bins, figure);
	for (uint32_t row = 0; row < p->pieces->nrows; row++)
		one[row] = 1;
	for (uint32_t row = 0, n; row < p->pieces->nrows; row += n) {
		uint32_t memory = tv_label(id, row), state = tv_label(value, row);
		uint32_t lane = lane_of(p, state);
		double y = place_of(p, memory) + 0.07 + lane * lane_height;
		struct tv_shade shade = { part_color, &p->lane[lane].color };
		struct tv_pieces pieces = { start + row, end + row, one, 0 };

		for (n = 1; row + n < p->pieces->nrows && tv_label(id, row + n) == memory
			    && tv_label(value, row + n) == state;
		     n++)
			;
		if (lane == p->nlanes)
			continue;
		pieces.n = n;
		tv_scene_pen(scene, "state", "memory-states");
		scene->pen.label = describe(scene, p, memory, state);
		tv_shades_draw(figure, frame, y, y + lane_height, &pieces, &bins, &shade);
	}
	tv_free(one);
	tv_free(bins.edge);
}

static uint32_t describe_transfer(struct tv_scene *scene, const struct tv_table *transfers,
				  uint32_t row)
{
	const struct tv_column *size = tv_table_find(transfers, "Size"),
			       *key = tv_table_find(transfers, "Key");
	char text[200], name[64];

	if (!scene->labels)
		return 0;
	tv_clean_text(name, sizeof name,
		      tv_label(key, row) == TV_NONE
			      ? ""
			      : tv_pool_text(transfers->pool, tv_label(key, row)));
	snprintf(text, sizeof text, "%s, %.6f to %.6f ms, %lld bytes", name,
		 (double)tv_table_find(transfers, "Start")->i[row] / 1e6,
		 (double)tv_table_find(transfers, "End")->i[row] / 1e6,
		 tv_missing(size, row) ? 0 : (long long)size->i[row]);
	return tv_scene_string(scene, text);
}

/* The part of the line on the axis: back ends refuse coordinates far outside. */
static void cut(const struct tv_axis *axis, int64_t start, int64_t end, double y0, double y1,
		struct tv_point line[2])
{
	int64_t time[2] = { start < axis->begin ? axis->begin : start,
			    end > axis->end ? axis->end : end };

	for (int i = 0; i < 2; i++) {
		double part = end > start ? ((double)time[i] - (double)start)
						    / ((double)end - (double)start)
					  : i;

		line[i] = (struct tv_point){ tv_axis_at(axis, time[i]), y0 + part * (y1 - y0) };
	}
}

/* From the middle of the row of its origin to that of its destination. */
static void draw_transfer(struct tv_figure *figure, const struct panel *p,
			  const struct tv_place *place, uint32_t row)
{
	const struct tv_table *t = p->transfers;
	int64_t start = tv_table_find(t, "Start")->i[row], end = tv_table_find(t, "End")->i[row];
	uint32_t from = place_of(p, tv_label(tv_table_find(t, "Origin"), row)),
		 to = place_of(p, tv_label(tv_table_find(t, "Dest"), row));
	struct tv_point line[2], head[3];
	struct tv_scene *scene = figure->scene;
	double length, dx, dy;

	cut(&figure->axis, start, end, place->y + (from + 0.5) * p->rows.unit,
	    place->y + (to + 0.5) * p->rows.unit, line);
	dx = line[1].x - line[0].x;
	dy = line[1].y - line[0].y;
	length = fmax(hypot(dx, dy), 1e-6);
	tv_scene_pen(scene, "transfer", "memory-states");
	scene->pen.row = row;
	scene->pen.label = describe_transfer(scene, t, row);
	scene->pen.stroke = TV_INK;
	scene->pen.width = shaft;
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYLINE, line, 2);
	if (end > figure->axis.end)
		return;
	dx *= head_length / length;
	dy *= head_length / length;
	head[0] = line[1];
	head[1] = (struct tv_point){ line[1].x - dx - dy * head_half / head_length,
				     line[1].y - dy + dx * head_half / head_length };
	head[2] = (struct tv_point){ line[1].x - dx + dy * head_half / head_length,
				     line[1].y - dy - dx * head_half / head_length };
	tv_scene_pen(scene, "transfer-head", "memory-states");
	scene->pen.fill = TV_INK;
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, head, 3);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct panel *p = slot->state;
	const struct tv_place *place = &slot->place;
	unsigned frame = tv_figure_frame(figure, "memory-states", place, p->rows.names.n, false);

	draw_states(figure, p, frame);
	tv_scene_pen(figure->scene, "separator", "rows");
	figure->scene->pen.stroke = TV_GRID;
	for (uint32_t i = 1; i < p->rows.names.n; i++)
		tv_scene_line(figure->scene, TV_PAGE, place->x, place->y + i * p->rows.unit,
			      place->x + place->width, place->y + i * p->rows.unit);
	for (uint32_t i = 0; i < p->nshown; i++)
		draw_transfer(figure, p, place, p->shown[i]);
	tv_span_rows_words(figure, slot);
}

static void release(struct tv_slot *slot)
{
	struct panel *p = slot->state;

	tv_span_rows_clear(&p->rows);
	tv_free(p->memory);
	tv_free(p->shown);
	tv_free(p);
}

static const struct tv_option_spec options[] = {
	{ "transfers", "all|slowest:N|none", NULL,
	  "transfers that are drawn as arrows (default slowest:20)" },
};

const struct tv_panel tv_panel_memory_states = {
	.name = "memory-states",
	.title = "what each memory node did: allocate, copy, free; transfers between them",
	.needs = "states of the memory nodes",
	.share = 1.5,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = tv_span_rows_measure,
	.layout = layout,
	.release = release,
};
