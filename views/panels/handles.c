/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handles.c -- the panel of where the data of handles are: of many, how many memory nodes hold
 * each; of a few chosen ones, their state on each memory node and the tasks that use them there.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/data/uses.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/coverage.h"
#include "views/charts/span_rows.h"
#include "views/charts/series.h"
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
	uint32_t first, n;   /* rows of the table */
	uint32_t places;     /* memory nodes that ever hold it */
	uint32_t use, nuses; /* places in uses[] */
	uint32_t nlanes;     /* tasks that use it at once */
};

/* A task that uses the data of a line. */
struct use {
	const struct tv_use *use;
	uint32_t lane, color;
};

struct panel {
	struct tv_span_rows rows;
	const struct tv_table *table; /* result of handles */
	const struct tv_column *handle, *node, *resource, *state, *name, *coordinates;
	const int64_t *start, *end;
	bool each; /* a line for each memory node too */
	struct line *line;
	uint32_t n;
	uint32_t places_max; /* of any line */
	struct use *use;
	size_t nuses, uses_cap;
};

/* ---- lines ---- */

static bool is_same(const struct tv_column *column, uint32_t a, uint32_t b)
{
	return tv_label(column, a) == tv_label(column, b);
}

/* The rows of the pass are by handle, then by memory node. */
static void find_lines(struct panel *p, bool each)
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

static bool has_nodes(const struct panel *p)
{
	for (uint32_t row = 1; row < p->table->nrows; row++)
		if (!is_same(p->node, 0, row))
			return true;
	return false;
}

/* "A 3,4" or the address; the memory node, shortened (1_MEMMANAGER0: 1_mem0), or where there are several nodes, the node. */
static void name_line(struct panel *p, const struct line *line, bool nodes)
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

/* Gray as "other" in the legend, if it has none. */
static uint32_t type_color(const struct tv_rows *rows, uint32_t label)
{
	for (uint32_t i = 0; i < rows->ntypes; i++)
		if (rows->type[i].label != TV_NONE && rows->type[i].label == label)
			return rows->type[i].color;
	return TV_GRAY;
}

static void find_uses(struct panel *p, struct line *line, const struct tv_figure *figure,
		      const struct tv_uses *uses)
{
	const struct tv_memories *memories = tv_run_memories(figure->run);
	uint32_t handle = tv_label(p->handle, line->first),
		 resource = tv_label(p->resource, line->first);
	uint32_t memory = tv_index_get(&memories->of_resource, resource);
	int64_t busy[LANES_MAX];

	for (int i = 0; i < LANES_MAX; i++)
		busy[i] = INT64_MIN;
	line->use = (uint32_t)p->nuses;
	for (size_t i = tv_uses_from(uses, memory, handle, INT64_MIN + 1);
	     tv_uses_has(uses, i, memory, handle, figure->axis.end); i++) {
		const struct tv_use *use = &uses->at[i];
		struct use *to;

		if (use->row == TV_NONE || use->end < figure->axis.begin)
			continue;
		TV_GROW(p->use, p->nuses, p->uses_cap, 1);
		to = &p->use[p->nuses++];
		/* Beyond the last lane all are in it. */
		*to = (struct use){ use, tv_span_lane(busy, LANES_MAX - 1, use->start),
				    type_color(figure->rows, figure->run->tasks.value[use->row]) };
		busy[to->lane] = use->end;
		line->nlanes = to->lane + 1 > line->nlanes ? to->lane + 1 : line->nlanes;
	}
	line->nuses = (uint32_t)p->nuses - line->use;
}

/* ---- preparation ---- */

static uint32_t load_color(double share)
{
	return tv_ramp_color(TV_RAMP_LOAD, share);
}

static void set_map(struct panel *p, const struct tv_printed *printed)
{
	snprintf(p->rows.title, sizeof p->rows.title, "%s data handle%s",
		 tv_print_number(printed, "Handles", NULL, "handles", "%u", p->n),
		 p->n == 1 ? "" : "s");
	tv_span_rows_key(&p->rows, TV_KEY_SCALE, 0, "0 to %u memory nodes hold the data",
			 p->places_max)
		->shade = load_color;
}

static int set_chart(struct panel *p, const struct tv_figure *figure, struct tv_error *err)
{
	const struct tv_uses *uses = tv_run_uses(figure->run, err);

	if (uses == NULL)
		return -1;
	for (uint32_t i = 0; i < p->n; i++)
		find_uses(p, &p->line[i], figure, uses);
	snprintf(p->rows.title, sizeof p->rows.title, "state of data, %u use%s by tasks",
		 (unsigned)p->nuses, p->nuses == 1 ? "" : "s");
	tv_span_rows_key(&p->rows, TV_KEY_AREA, owner_color, "owner");
	tv_span_rows_key(&p->rows, TV_KEY_AREA, shared_color, "shared");
	if (p->nuses > 0)
		tv_span_rows_key(&p->rows, TV_KEY_AREA,
				 figure->rows->ntypes > 0 ? figure->rows->type[0].color : TV_GRAY,
				 "tasks, by type (pale: only read)");
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *handle = tv_panel_option(figure, slot->panel, "handle"),
		   *job = tv_panel_option(figure, slot->panel, "job");
	bool chosen = handle != NULL || job != NULL, nodes;
	struct panel *p = slot->state = tv_alloc(1, sizeof *p);
	int rc = tv_panel_pass(figure, slot->panel, "handles",
			       (const char *const[]){ "handle", handle, "job", job, NULL },
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
	if (p->each)
		return set_chart(p, figure, err);
	set_map(p, &slot->printed);
	return 0;
}

/* ---- many handles ---- */

/* Handles [first, first + n) as a line of pixels; mean: room for a number for each. */
static void draw_pixels(const struct panel *p, struct tv_coverage *coverage, uint32_t first,
			uint32_t n, double *mean, uint32_t *pixel)
{
	tv_coverage_clear(coverage);
	for (uint32_t i = first; i < first + n; i++)
		for (uint32_t row = p->line[i].first; row < p->line[i].first + p->line[i].n; row++)
			tv_coverage_add(coverage, (struct tv_span){ p->start[row], p->end[row] });
	tv_coverage_read(coverage, mean);
	for (uint32_t b = 0; b < coverage->n; b++)
		pixel[b] = load_color(mean[b] / n / p->places_max);
}

static void draw_map(struct tv_figure *figure, const struct panel *p, const struct tv_place *place,
		     unsigned frame)
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

static void draw_line(struct tv_figure *figure, const struct panel *p, const struct line *line,
		      const struct tv_hover *hover, double y)
{
	uint32_t owner = tv_pool_find_text(p->table->pool, "owner");
	double lane = 0.6 * p->rows.unit / fmax(1, line->nlanes);
	struct tv_scene *scene = figure->scene;

	for (uint32_t row = line->first; row < line->first + line->n; row++) {
		bool owns = tv_label(p->state, row) == owner;

		tv_scene_pen(scene, owns ? "owner" : "shared", "handles");
		scene->pen.row = row;
		scene->pen.fill = owns ? owner_color : shared_color;
		tv_span_draw(figure, p->start[row], p->end[row], y + 0.08 * p->rows.unit,
			     y + 0.92 * p->rows.unit);
	}
	for (uint32_t i = line->use; i < line->use + line->nuses; i++) {
		const struct tv_use *use = p->use[i].use;
		const struct tv_tasks *tasks = &figure->run->tasks;
		double top = y + 0.2 * p->rows.unit + p->use[i].lane * lane;

		tv_scene_pen(scene, use->writes ? "writer" : "reader", "handles");
		scene->pen.label = tv_hover_label(scene, hover, use->row, tasks->start[use->row],
						  tasks->end[use->row]);
		scene->pen.fill = use->writes ? p->use[i].color : tv_color_fade(p->use[i].color);
		if (tv_axis_at(&figure->axis, use->end) - tv_axis_at(&figure->axis, use->start)
		    > edged) {
			scene->pen.stroke = TV_WHITE;
			scene->pen.width = TV_LINE_MIN;
		}
		tv_span_draw(figure, use->start, use->end, top, top + lane);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct panel *p = slot->state;
	const struct tv_place *place = &slot->place;
	unsigned frame = tv_figure_frame(figure, "handles", place, p->n, false);
	struct tv_hover hover;

	tv_grid_draw(figure, place, NULL);
	if (!p->each)
		draw_map(figure, p, place, frame);
	tv_hover_init(&hover, &figure->run->trace->table[TV_TASKS],
		      "{Value} {JobId|}, {from:6} to {to:6} ms");
	for (uint32_t i = 0; i < p->n && p->each; i++)
		draw_line(figure, p, &p->line[i], &hover, place->y + i * p->rows.unit);
	tv_span_rows_words(figure, slot);
}

static void release(struct tv_slot *slot)
{
	struct panel *p = slot->state;

	tv_span_rows_clear(&p->rows);
	tv_free(p->line);
	tv_free(p->use);
	tv_free(p);
}

static const struct tv_option_spec options[] = {
	{ "handle", "PATTERN", NULL,
	  "only handles whose address, name or coordinates (such as 3,4) match: their states on "
	  "each memory node and their tasks" },
	{ "job", "JOB", NULL, "the same of the handles that the task of this JobId accesses" },
};

const struct tv_panel tv_panel_handles = {
	.name = "handles",
	.title = "where the data of handles are: on how many memory nodes, or the life of chosen "
		 "ones",
	.needs = "events 'data state owner', 'shared', 'invalid'",
	.share = 1.5,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = tv_span_rows_measure,
	.layout = layout,
	.release = release,
};
