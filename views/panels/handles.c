/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handles.c -- the panel of where the data of handles are: of many, how many memory nodes hold
 * each; of a few chosen ones, their state on each memory node and the tasks that use them there.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/coverage.h"
#include "views/charts/span_rows.h"
#include "views/charts/series.h"
#include "views/charts/types.h"
#include "views/rows/rows.h"
#include "views/scene/palette.h"
#include "views/scene/ramp.h"
#include "views/shared/panel.h"

enum { ROWS_MAX = 64, LANES_MAX = 6 };

static const double row_wanted = 10, row_low = 4, line_wanted = 5, tall = 180, map_low = 30,
		    edged = 3;
static const uint32_t owner_color = 0xaaaaaa, shared_color = 0xdedede;

/* A line of the panel: a handle on all memory nodes, or on one. */
struct line {
	uint32_t first, n; /* rows of the table */
	uint32_t places;   /* memory nodes that ever hold it */
	uint32_t nlanes;   /* tasks that use it at once */
};

struct handles {
	struct tv_span_rows rows;
	const char *wanted, *job;
	const struct tv_table *table; /* result of handles */
	const struct tv_column *handle, *node, *resource, *state, *name, *coordinates;
	const int64_t *start, *end;
	bool each; /* a line for each memory node too */
	struct line *line;
	uint32_t n;
	uint32_t places_max;	     /* of any line */
	const struct tv_table *uses; /* of handles --uses; NULL = of many handles */
	struct tv_hover hover;	     /* of a use */
	uint32_t *of_use, *lane_of;  /* by row of uses: the line, TV_NONE = none; its lane */
};

/* ---- lines ---- */

static bool is_same(const struct tv_column *column, uint32_t a, uint32_t b)
{
	return tv_label(column, a) == tv_label(column, b);
}

/* The rows of the pass are by handle, then by memory node. */
static void find_lines(struct handles *p, bool each)
{
	uint32_t nrows = p->table->nrows;

	p->each = each;
	p->n = p->places_max = 0;
	for (uint32_t row = 0; row < nrows; row++) {
		struct line *line = p->n > 0 ? &p->line[p->n - 1] : NULL;
		bool same = line != NULL && is_same(p->handle, row - 1, row)
			 && is_same(p->node, row - 1, row),
		     there = same && is_same(p->resource, row - 1, row);

		if (!same || (each && !there)) {
			line = &p->line[p->n++];
			*line = (struct line){ .first = row };
		}
		line->n++;
		line->places += line->n == 1 || !there;
		p->places_max = line->places > p->places_max ? line->places : p->places_max;
	}
}

static bool has_nodes(const struct handles *p)
{
	for (uint32_t row = 1; row < p->table->nrows; row++)
		if (!is_same(p->node, 0, row))
			return true;
	return false;
}

/* "A 3,4" or the address; the memory node, shortened (1_MEMMANAGER0: 1_mem0), or where there are several nodes, the node. */
static void name_line(struct handles *p, const struct line *line, bool nodes)
{
	const struct tv_pool *pool = p->table->pool;
	const char *where = tv_pool_text(pool, tv_label(p->resource, line->first));
	char place[80];
	uint32_t n = 0;
	const uint32_t *label = tv_missing(p->coordinates, line->first)
				      ? NULL
				      : tv_list(p->coordinates, line->first, &n);
	char what[100], text[200];
	size_t at;

	if (n == 0)
		tv_clean_text(what, sizeof what,
			      tv_pool_text(pool, tv_label(p->handle, line->first)));
	else {
		tv_clean_text(what, 40,
			      tv_label(p->name, line->first) == TV_NONE
				      ? ""
				      : tv_pool_text(pool, tv_label(p->name, line->first)));
		for (uint32_t i = 0; i < n && (at = strlen(what)) + 20 < sizeof what; i++)
			snprintf(what + at, sizeof what - at, "%s%.10s",
				 i > 0	  ? ","
				 : at > 0 ? " "
					  : "",
				 tv_pool_text(pool, label[i]));
	}
	if (p->each) {
		tv_memory_name(place, sizeof place, where);
		snprintf(text, sizeof text, "%s %s", what, place);
	} else if (nodes)
		snprintf(text, sizeof text, "%.40s: %s",
			 tv_pool_text(pool, tv_label(p->node, line->first)), what);
	else
		snprintf(text, sizeof text, "%s", what);
	tv_names_add(&p->rows.names, text);
}

/* ---- tasks ---- */

/* The line and lane of each use; beyond the last lane all are in it. How many are shown. */
static uint32_t place_uses(struct handles *p, const struct tv_figure *figure)
{
	const struct tv_column *handle = tv_table_find(p->uses, "Handle"),
			       *resource = tv_table_find(p->uses, "ResourceId");
	const int64_t *start = tv_table_find(p->uses, "Start")->i,
		      *end = tv_table_find(p->uses, "End")->i;
	int64_t(*busy)[LANES_MAX] = tv_alloc(p->n, sizeof *busy);
	struct tv_map lines = { 0 };
	uint32_t shown = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		tv_map_put(&lines, tv_label(p->handle, p->line[i].first),
			   tv_label(p->resource, p->line[i].first), i);
		for (int lane = 0; lane < LANES_MAX; lane++)
			busy[i][lane] = INT64_MIN;
	}
	p->of_use = tv_alloc(p->uses->nrows, sizeof *p->of_use);
	p->lane_of = tv_alloc(p->uses->nrows, sizeof *p->lane_of);
	for (uint32_t row = 0; row < p->uses->nrows; row++) {
		const uint32_t *line = tv_map_get(&lines, tv_label(handle, row),
						  tv_label(resource, row));
		uint32_t lane;

		p->of_use[row] = TV_NONE;
		if (line == NULL || !tv_span_shown(figure, start[row], end[row]))
			continue;
		lane = tv_span_lane(busy[*line], LANES_MAX - 1, start[row]);
		busy[*line][lane] = end[row];
		p->of_use[row] = *line;
		p->lane_of[row] = lane;
		if (lane >= p->line[*line].nlanes)
			p->line[*line].nlanes = lane + 1;
		shown++;
	}
	tv_map_release(&lines);
	tv_free(busy);
	return shown;
}

/* ---- preparation ---- */

static void set_map(struct handles *p, const struct tv_printed *printed)
{
	snprintf(p->rows.title, sizeof p->rows.title, "%s data handle%s",
		 tv_print_number(printed, "Handles", NULL, "handles", "%u", p->n),
		 p->n == 1 ? "" : "s");
	tv_span_rows_key(&p->rows, TV_KEY_SCALE, 0, "0 to %u memory nodes hold the data",
			 p->places_max)
		->shade = tv_load_color;
}

static void set_chart(struct handles *p, const struct tv_figure *figure)
{
	uint32_t shown = place_uses(p, figure);

	snprintf(p->rows.title, sizeof p->rows.title, "state of data, %u use%s by tasks", shown,
		 shown == 1 ? "" : "s");
	tv_span_rows_key(&p->rows, TV_KEY_AREA, owner_color, "owner");
	tv_span_rows_key(&p->rows, TV_KEY_AREA, shared_color, "shared");
	if (shown > 0)
		tv_span_rows_key(&p->rows, TV_KEY_AREA,
				 figure->rows->ntypes > 0 ? figure->rows->type[0].color : TV_GRAY,
				 "tasks, by type (pale: only read)");
	tv_hover_init(&p->hover, p->uses, "{Value} {JobId|}, {from:6} to {to:6} ms");
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct handles *p = slot->state;
	bool chosen = p->wanted != NULL || p->job != NULL, nodes;
	int rc = tv_panel_pass(figure, slot->panel, "handles",
			       (const char *const[]){ "handle", p->wanted, "job", p->job, NULL },
			       &p->table, err);

	if (rc != 0)
		return rc;
	if (p->table->nrows == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no data handle that is chosen is anywhere then");
	p->handle = tv_table_find(p->table, "Handle");
	p->node = tv_table_find(p->table, "Node");
	p->resource = tv_table_find(p->table, "ResourceId");
	p->state = tv_table_find(p->table, "State");
	p->name = tv_table_find(p->table, "Name");
	p->coordinates = tv_table_find(p->table, "Coordinates");
	p->start = tv_table_find(p->table, "Start")->i;
	p->end = tv_table_find(p->table, "End")->i;
	p->line = tv_alloc(p->table->nrows, sizeof *p->line);
	find_lines(p, chosen);
	if (p->n > ROWS_MAX) {
		if (chosen)
			tv_run_warn(
				figure->run,
				"handles: %u rows of handles and memory nodes are more than %d: "
				"the panel shows on how many memory nodes each handle is",
				p->n, ROWS_MAX);
		find_lines(p, false);
	}
	p->rows.heights = (struct tv_span_heights){
		.low = p->each ? row_low : fmin(map_low / p->n, line_wanted),
		.high = p->each ? row_wanted : line_wanted,
		.tall = tall
	};
	nodes = has_nodes(p);
	for (uint32_t i = 0; i < p->n; i++)
		name_line(p, &p->line[i], nodes);
	if (!p->each) {
		set_map(p, &slot->printed);
		return 0;
	}
	rc = tv_panel_pass(
		figure, slot->panel, "handles",
		(const char *const[]){ "handle", p->wanted, "job", p->job, "uses", "", NULL },
		&p->uses, err);
	if (rc == 0)
		set_chart(p, figure);
	return rc;
}

/* ---- many handles ---- */

/* Handles [first, first + n) as a line of pixels; mean: room for a number for each. */
static void draw_pixels(const struct handles *p, struct tv_coverage *coverage, uint32_t first,
			uint32_t n, double *mean, uint32_t *pixel)
{
	tv_coverage_clear(coverage);
	for (uint32_t i = first; i < first + n; i++)
		for (uint32_t row = p->line[i].first; row < p->line[i].first + p->line[i].n; row++)
			tv_coverage_add(coverage, (struct tv_span){ p->start[row], p->end[row] });
	tv_coverage_read(coverage, mean);
	for (uint32_t b = 0; b < coverage->n; b++)
		pixel[b] = tv_load_color(mean[b] / n / p->places_max);
}

static void draw_map(struct tv_figure *figure, const struct handles *p,
		     const struct tv_place *place, unsigned frame)
{
	struct tv_scene *scene = figure->scene;
	double cells = floor(place->height / fmax(scene->line, scene->cell));
	struct tv_bins bins;
	struct tv_coverage coverage;
	struct tv_image image = { 0 };
	double *mean;

	tv_bins_even(&bins, figure);
	image.width = bins.n;
	image.height = (uint32_t)fmax(1, fmin(p->n, cells));
	image.pixel = tv_alloc((size_t)image.width * image.height, sizeof *image.pixel);
	tv_coverage_init(&coverage, bins.edge, bins.n);
	mean = tv_alloc(bins.n, sizeof *mean);
	for (uint32_t l = 0; l < image.height; l++) {
		uint32_t from = (uint32_t)((uint64_t)l * p->n / image.height),
			 to = (uint32_t)((uint64_t)(l + 1) * p->n / image.height);

		draw_pixels(p, &coverage, from, to - from, mean,
			    image.pixel + (size_t)l * image.width);
	}
	tv_scene_pen(scene, "copies", "handles");
	tv_scene_image(scene, frame, 0, 0, tv_frame_time(&scene->frame[frame], bins.edge[bins.n]),
		       p->n, image);
	tv_coverage_release(&coverage);
	tv_free(mean);
	tv_free(bins.edge);
}

/* ---- chosen handles ---- */

static void draw_states(struct tv_figure *figure, const struct handles *p, const struct line *line,
			double y)
{
	uint32_t owner = tv_pool_find_text(p->table->pool, "owner");
	struct tv_scene *scene = figure->scene;

	for (uint32_t row = line->first; row < line->first + line->n; row++) {
		bool owns = tv_label(p->state, row) == owner;

		tv_scene_pen(scene, owns ? "owner" : "shared", "handles");
		scene->pen.row = row;
		scene->pen.fill = owns ? owner_color : shared_color;
		tv_span_draw(figure, p->start[row], p->end[row], y + 0.08 * p->rows.unit,
			     y + 0.92 * p->rows.unit);
	}
}

/* Those of a line, from row *at on, which are by line. y: its top. */
static void draw_uses(struct tv_figure *figure, const struct handles *p, uint32_t line, double y,
		      uint32_t *at)
{
	const struct tv_column *value = tv_table_find(p->uses, "Value"),
			       *access = tv_table_find(p->uses, "Access");
	const int64_t *start = tv_table_find(p->uses, "Start")->i,
		      *end = tv_table_find(p->uses, "End")->i;
	uint32_t writes = tv_pool_find_text(p->uses->pool, "writes");
	double lane = 0.6 * p->rows.unit / fmax(1, p->line[line].nlanes);
	struct tv_scene *scene = figure->scene;

	for (; *at < p->uses->nrows && (p->of_use[*at] == line || p->of_use[*at] == TV_NONE);
	     ++*at) {
		uint32_t row = *at, color = tv_type_color(figure, tv_label(value, row));
		double top = y + 0.2 * p->rows.unit + p->lane_of[row] * lane;

		if (p->of_use[row] == TV_NONE)
			continue;
		tv_scene_pen(scene, tv_label(access, row) == writes ? "writer" : "reader",
			     "handles");
		scene->pen.label = tv_hover_label(scene, &p->hover, row, start[row], end[row]);
		scene->pen.fill = tv_label(access, row) == writes ? color : tv_color_fade(color);
		if (tv_axis_at(&figure->axis, end[row]) - tv_axis_at(&figure->axis, start[row])
		    > edged) {
			scene->pen.stroke = TV_WHITE;
			scene->pen.width = TV_LINE_MIN;
		}
		tv_span_draw(figure, start[row], end[row], top, top + lane);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct handles *p = slot->state;
	const struct tv_place *place = &slot->place;
	unsigned frame = tv_figure_frame(figure, "handles", place, p->n, false);

	tv_grid_draw(figure, place, NULL);
	if (!p->each)
		draw_map(figure, p, place, frame);
	for (uint32_t i = 0, at = 0; i < p->n && p->each; i++) {
		draw_states(figure, p, &p->line[i], place->y + i * p->rows.unit);
		draw_uses(figure, p, i, place->y + i * p->rows.unit, &at);
	}
	tv_span_rows_words(figure, slot);
}

static void release(struct tv_slot *slot)
{
	struct handles *p = slot->state;

	tv_span_rows_clear(&p->rows);
	tv_free(p->line);
	tv_free(p->of_use);
	tv_free(p->lane_of);
	tv_free(p);
}

static const struct tv_option_spec options[] = {
	{ "handle", "PATTERN", NULL,
	  "only handles whose address, name or coordinates (such as 3,4) match: their states on "
	  "each memory node and their tasks",
	  TV_INTO(struct handles, wanted) },
	{ "job", "JOB", NULL, "the same of the handles that the task of this JobId accesses",
	  TV_INTO(struct handles, job) },
};

const struct tv_panel tv_panel_handles = {
	.name = "handles",
	.title = "where the data of handles are: on how many memory nodes, or the life of chosen "
		 "ones",
	.needs = "events 'data state owner', 'shared', 'invalid'",
	.share = 1.5,
	TV_PANEL_OPTIONS(options, struct handles),
	.prepare = prepare,
	.measure = tv_span_rows_measure,
	.layout = layout,
	.release = release,
};
