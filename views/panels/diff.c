/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.c -- the panel of what differs between runs of one task graph, task by task. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/match.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/graph.h"
#include "views/charts/strip.h"
#include "views/rows/rows.h"
#include "views/shared/panel.h"

enum { CHARTS_MAX = 4, DOTS_MAX = 2000 };

/* A run against the base. */
struct pair {
	const struct tv_facet *facet;
	const struct tv_shifts *shifts;
	const struct tv_unit *unit; /* of its times */
	char title[256];
};

struct diff {
	const struct tv_facet *base;
	unsigned columns;   /* charts side by side */
	double width, left; /* of a chart with its gap; of that left of its data */
	size_t n;
	struct pair pair[];
};

typedef void draw_chart(struct tv_figure *figure, const struct diff *diff, const struct pair *pair,
			struct tv_place place);

static const double chart_height = 62, heading = 10, chart_gap = 6, chart_min_width = 116,
		    pair_gap = 5, radius = 0.9, square = 1, bar_height = 8.4;
static const uint32_t worse = 0xe6a283, better = 0x8fbbd6, moved_color = 0x5a5a5a;
static const char minus[] = "\xe2\x88\x92", arrow[] = " \xe2\x86\x92 ";

static const struct tv_key keys[] = {
	{ TV_KEY_AREA, 0xc6c6c6, "task" },
	{ TV_KEY_AREA, moved_color, "on another worker type" },
	{ TV_KEY_AREA, worse, "behind" },
	{ TV_KEY_AREA, better, "ahead" },
};

/* The keys of what the pair shows; how many. */
static size_t keys_of(const struct pair *pair, struct tv_key key[TV_COUNT(keys)])
{
	size_t n = 0;

	for (size_t i = 0; i < TV_COUNT(keys); i++)
		if (keys[i].color != moved_color || pair->shifts->ntransfers > 0)
			key[n++] = keys[i];
	return n;
}

static double in_unit(const struct pair *pair, int64_t ns)
{
	return (double)ns / (double)pair->unit->ns;
}

/* ---- prepare ---- */

static void set_title(const struct tv_figure *figure, const struct tv_slot *slot,
		      const struct diff *diff, struct pair *pair)
{
	const struct tv_shifts *shifts = pair->shifts;
	const struct tv_lag *last = &shifts->lag[shifts->n - 1];
	int64_t behind = last->time[1] - last->time[0];
	char label[80], base[80], time[48], text[256];

	tv_clean_text(label, sizeof label, pair->facet->label);
	tv_clean_text(base, sizeof base, diff->base->label);
	tv_time_text(time, sizeof time, behind < 0 ? -behind : behind, pair->unit);
	snprintf(text, sizeof text, "%s against %s: last task %s%s, %s of %u match", label, base,
		 behind < 0 ? minus : "+", time,
		 tv_print_number(&slot->printed, "Matched", label, "tasks", "%u", shifts->n),
		 shifts->match.ntasks[0]);
	tv_text_fit(figure->scene->text, text, TV_TEXT_SIZE, true, figure->width, pair->title,
		    sizeof pair->title);
}

static int find_base(struct tv_figure *figure, const struct tv_panel *panel, struct diff *diff,
		     struct tv_error *err)
{
	const struct tv_plot_options *options = figure->options;
	const char *label = tv_panel_option(figure, panel, "base");

	diff->base = &options->facet[0];
	if (label == NULL)
		return 0;
	for (size_t i = 0; i < options->nfacets; i++)
		if (strcmp(options->facet[i].label, label) == 0) {
			diff->base = &options->facet[i];
			return 0;
		}
	return tv_fail_usage(err, "--diff.base '%s', expected the label of a run", label);
}

/* Appends the pair of a facet and the base, unless none of its tasks match. */
static int add_pair(struct tv_figure *figure, const struct tv_slot *slot,
		    const struct tv_facet *facet, struct tv_error *err)
{
	struct diff *diff = slot->state;
	struct pair *pair = &diff->pair[diff->n];
	struct tv_run *const run[2] = { diff->base->run, facet->run };
	const struct tv_shifts *shifts = tv_run_shifts(run, err);
	const int64_t *last;

	if (shifts == NULL)
		return -1;
	if (shifts->n == 0) {
		tv_run_warn(figure->run, "panel diff: no task of '%s' matches one of '%s'",
			    facet->label, diff->base->label);
		return 0;
	}
	last = shifts->lag[shifts->n - 1].time;
	*pair = (struct pair){
		.facet = facet,
		.shifts = shifts,
		.unit = tv_unit_for(last[0] > last[1] ? last[0] : last[1]),
	};
	set_title(figure, slot, diff, pair);
	diff->n++;
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_plot_options *options = figure->options;
	size_t n = options->nfacets;
	struct diff *diff;

	if (n < 2 || options->facet[0].node)
		return tv_panel_nothing(figure, slot->panel,
					"it compares runs: --facet A B draws two");
	if (figure->run->tasks.ncounted == 0)
		return tv_panel_nothing(figure, slot->panel, "the trace has no tasks that count");
	if (tv_run_cut(figure->run))
		return tv_panel_nothing(figure, slot->panel,
					"it describes whole runs, not a window");
	slot->state = diff = tv_alloc(1, sizeof *diff + n * sizeof *diff->pair);
	if (find_base(figure, slot->panel, diff, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (&options->facet[i] != diff->base
		    && add_pair(figure, slot, &options->facet[i], err) < 0)
			return -1;
	return diff->n > 0 ? 0 : tv_panel_nothing(figure, slot->panel, "no tasks match");
}

/* ---- starts ---- */

static struct tv_graph graph_of(struct tv_place place, double xlow, double xhigh, double ylow,
				double yhigh)
{
	return (struct tv_graph){ place, tv_value_scale(xlow, xhigh, false, place.width / 3),
				  tv_value_scale(ylow, yhigh, false, place.height) };
}

/* The look of a type, or NULL if it has none of its own. */
static const struct tv_type_style *look_of(const struct tv_figure *figure, const char *type)
{
	const struct tv_rows *rows = figure->rows;

	for (uint32_t i = 0; i < rows->nshown; i++)
		if (rows->type[i].label != TV_NONE
		    && strcmp(tv_pool_text(rows->pool, rows->type[i].label), type) == 0)
			return &rows->type[i];
	return NULL;
}

/* The look of each type of the base, as index into rows.type, by label; nshown: gray. */
static uint8_t *number_looks(const struct tv_figure *figure, const struct tv_tasks *tasks)
{
	const struct tv_rows *rows = figure->rows;
	uint32_t n = tv_pool_count(tasks->pool);
	uint8_t *number = tv_alloc((size_t)n + 1, sizeof *number);

	for (uint32_t i = 0; i <= n; i++) {
		const struct tv_type_style *style = i < n ? look_of(figure,
								    tv_pool_text(tasks->pool, i))
							  : NULL;

		number[i] = (uint8_t)(style != NULL ? style - rows->type : rows->nshown);
	}
	return number;
}

/* What a task looks like: 2 x its look, + 1 if it moved. */
static uint32_t sort_of(const struct pair *pair, const uint8_t *style, uint32_t i)
{
	const struct tv_shift *shift = &pair->shifts->shift[i];
	const struct tv_dag *dag = pair->shifts->match.dag[0];
	uint32_t label = dag->tasks->value[dag->row[shift->node[0]]];

	return 2u * style[label == TV_NONE ? tv_pool_count(dag->tasks->pool) : label]
	     + shift->moved;
}

static uint32_t color_of(const struct tv_figure *figure, uint32_t sort)
{
	const struct tv_type_style *style = &figure->rows->type[sort / 2];
	uint32_t color = sort / 2 < figure->rows->nshown ? style->color : TV_GRAY;

	return sort % 2 == 1 ? color : tv_color_fade(color);
}

static struct tv_point shift_at(const struct tv_graph *graph, const struct pair *pair, uint32_t i)
{
	const int64_t *start = pair->shifts->shift[i].start;

	return tv_graph_at(graph, in_unit(pair, start[0]), in_unit(pair, start[1] - start[0]));
}

static void draw_dots(struct tv_figure *figure, const struct tv_graph *graph,
		      const struct pair *pair, const uint8_t *style)
{
	const struct tv_dag *dag = pair->shifts->match.dag[0];

	for (int moved = 0; moved < 2; moved++)
		for (uint32_t i = 0; i < pair->shifts->n; i++) {
			struct tv_point at = shift_at(graph, pair, i);
			uint32_t color = color_of(figure, sort_of(pair, style, i));

			if (pair->shifts->shift[i].moved != (moved == 1))
				continue;
			tv_scene_pen(figure->scene, moved == 1 ? "moved" : "shift", "diff");
			figure->scene->pen.row = dag->row[pair->shifts->shift[i].node[0]];
			tv_bullet_draw(figure->scene, at.x, at.y, radius, color, color);
		}
}

/* Many tasks: squares in the color of the type with most of them, dark if any of these moved. */
static void draw_squares(struct tv_figure *figure, const struct tv_graph *graph,
			 const struct pair *pair, const uint8_t *style)
{
	const struct tv_place *place = &graph->place;
	struct tv_image image = { (uint32_t)ceil(place->width / square),
				  (uint32_t)ceil(place->height / square), NULL };
	size_t n = (size_t)image.width * image.height;
	uint32_t sorts = 2 * (figure->rows->nshown + 1);
	uint32_t *count = tv_alloc(n * sorts, sizeof *count);

	image.pixel = tv_alloc(n, sizeof *image.pixel);
	for (uint32_t i = 0; i < pair->shifts->n; i++) {
		struct tv_point at = shift_at(graph, pair, i);
		double x = fmin((at.x - place->x) / place->width * image.width, image.width - 1);
		double y = fmin((at.y - place->y) / place->height * image.height, image.height - 1);

		count[((size_t)y * image.width + (size_t)x) * sorts + sort_of(pair, style, i)]++;
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t *of = &count[i * sorts];
		uint32_t best = 0;

		for (uint32_t k = 2; k < sorts; k += 2)
			best = of[k] + of[k + 1] > of[best] + of[best + 1] ? k : best;
		image.pixel[i] = of[best] + of[best + 1] == 0
				       ? TV_WHITE
				       : color_of(figure, best + (of[best + 1] > 0));
	}
	tv_free(count);
	tv_scene_pen(figure->scene, "density", "diff");
	tv_scene_image(figure->scene, TV_PAGE, place->x, place->y, place->x + place->width,
		       place->y + place->height, image);
}

static void draw_heading(struct tv_figure *figure, const struct diff *diff,
			 const struct tv_place *place, const char *text)
{
	char fitted[160];

	tv_scene_pen(figure->scene, "chart-title", "titles");
	figure->scene->pen.fill = TV_INK;
	tv_text_fit(figure->scene->text, text, TV_TEXT_SMALL, true, place->width + diff->left - 2,
		    fitted, sizeof fitted);
	tv_scene_text(figure->scene, place->x - diff->left + 2, place->y - heading / 2, TV_LEFT,
		      TV_TEXT_SMALL, true, fitted);
}

static void draw_starts(struct tv_figure *figure, const struct diff *diff, const struct pair *pair,
			struct tv_place place)
{
	const struct tv_shifts *shifts = pair->shifts;
	uint8_t *style = number_looks(figure, shifts->match.dag[0]->tasks);
	double last = 0, low = 0, high = 0;
	struct tv_graph graph;
	char text[128], label[64];

	for (uint32_t i = 0; i < shifts->n; i++) {
		double shift = in_unit(pair, shifts->shift[i].start[1] - shifts->shift[i].start[0]);

		last = fmax(last, in_unit(pair, shifts->shift[i].start[0]));
		low = fmin(low, shift);
		high = fmax(high, shift);
	}
	graph = graph_of(place, 0, last, low, high);
	tv_graph_begin(figure, &graph);
	if (shifts->n <= DOTS_MAX)
		draw_dots(figure, &graph, pair, style);
	else
		draw_squares(figure, &graph, pair, style);
	tv_free(style);
	snprintf(text, sizeof text, "starts later by (%s)", pair->unit->name);
	draw_heading(figure, diff, &place, text);
	tv_clean_text(label, sizeof label, diff->base->label);
	snprintf(text, sizeof text, "start in %s (%s)", label, pair->unit->name);
	tv_text_fit(figure->scene->text, text, TV_TEXT_SMALL, false, place.width, text,
		    sizeof text);
	tv_graph_end(figure, &graph, text);
}

/* ---- tasks that moved ---- */

static void draw_transfer(struct tv_figure *figure, const struct tv_transfer *t, uint32_t max,
			  double names, struct tv_place place)
{
	const struct tv_type_style *style = look_of(figure, t->value);
	struct tv_scene *scene = figure->scene;
	double width, y = place.y + place.height / 2;
	char text[256], fitted[256], count[24];

	snprintf(text, sizeof text, "%.60s %.60s%s%.60s", t->value, t->from, arrow, t->to);
	tv_clean_text(fitted, sizeof fitted, text);
	tv_text_fit(scene->text, fitted, TV_TEXT_SMALL, false, names, text, sizeof text);
	snprintf(count, sizeof count, "%u", t->n);
	tv_scene_pen(scene, "transfer-name", "diff");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, place.x, y, TV_LEFT, TV_TEXT_SMALL, false, text);
	width = place.width - names - 4 - 24;
	tv_scene_pen(scene, "transfer", "diff");
	scene->pen.fill = style != NULL ? style->color : TV_GRAY;
	tv_scene_rect(scene, TV_PAGE, place.x + names + 4, y - 2.6,
		      place.x + names + 4 + fmax(width * t->n / max, 0.4), y + 2.6);
	tv_scene_pen(scene, "transfer-count", "diff");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, place.x + names + 6 + fmax(width * t->n / max, 0.4), y, TV_LEFT,
		      TV_TEXT_SMALL, false, count);
}

static void draw_moves(struct tv_figure *figure, const struct diff *diff, const struct pair *pair,
		       struct tv_place place)
{
	const struct tv_shifts *shifts = pair->shifts;
	uint32_t fit = (uint32_t)((place.height + TV_GRAPH_BELOW) / bar_height), moved = 0;
	uint32_t shown = shifts->ntransfers <= fit ? shifts->ntransfers : fit - 1;
	double left = diff->left - 2;
	char text[128];

	for (uint32_t i = 0; i < shifts->ntransfers; i++)
		moved += shifts->transfer[i].n;
	snprintf(text, sizeof text, "on another worker type: %u", moved);
	draw_heading(figure, diff, &place, text);
	place.x -= left;
	place.width += left;
	place.height = bar_height;
	for (uint32_t i = 0; i < shown; i++, place.y += bar_height)
		draw_transfer(figure, &shifts->transfer[i], shifts->transfer[0].n,
			      place.width * 0.55, place);
	if (shown == shifts->ntransfers)
		return;
	moved = 0;
	for (uint32_t i = shown; i < shifts->ntransfers; i++)
		moved += shifts->transfer[i].n;
	snprintf(text, sizeof text, "%u more kinds: %u", shifts->ntransfers - shown, moved);
	tv_scene_pen(figure->scene, "transfer-name", "diff");
	figure->scene->pen.fill = TV_DIM;
	tv_scene_text(figure->scene, place.x, place.y + bar_height / 2, TV_LEFT, TV_TEXT_SMALL,
		      false, text);
}

/* ---- curves ---- */

/* The points of a step function with n steps, two for each; color: above 0 and below. */
static void draw_steps(struct tv_figure *figure, struct tv_place place, struct tv_point *point,
		       uint32_t n, const uint32_t color[2], const char *title)
{
	double low = 0, high = 0;
	struct tv_graph graph;

	for (uint32_t i = 0; i < n; i++) {
		low = fmin(low, point[i].y);
		high = fmax(high, point[i].y);
	}
	graph = graph_of(place, 0, point[n - 1].x, low, high);
	tv_graph_begin(figure, &graph);
	tv_graph_curve(figure, &graph, point, n, color);
	tv_graph_end(figure, &graph, title);
}

static void draw_lag(struct tv_figure *figure, const struct diff *diff, const struct pair *pair,
		     struct tv_place place)
{
	const struct tv_shifts *shifts = pair->shifts;
	struct tv_point *point = tv_alloc(2 * (size_t)shifts->n, sizeof *point);
	char text[64];

	for (uint32_t i = 0; i < shifts->n; i++) {
		double lag = in_unit(pair, shifts->lag[i].time[1] - shifts->lag[i].time[0]);

		point[2 * i] = (struct tv_point){ 100.0 * i / shifts->n, lag };
		point[2 * i + 1] = (struct tv_point){ 100.0 * (i + 1) / shifts->n, lag };
	}
	snprintf(text, sizeof text, "behind by (%s)", pair->unit->name);
	draw_heading(figure, diff, &place, text);
	draw_steps(figure, place, point, 2 * shifts->n, (const uint32_t[]){ worse, better },
		   "tasks done (%)");
	tv_free(point);
}

static void draw_work(struct tv_figure *figure, const struct diff *diff, const struct pair *pair,
		      struct tv_place place)
{
	const struct tv_shifts *shifts = pair->shifts;
	struct tv_point *point = tv_alloc(2 * (size_t)shifts->ndone, sizeof *point);
	char text[64];

	for (uint32_t i = 0; i < shifts->ndone; i++) {
		double before = i > 0 ? point[2 * i - 1].y : 0,
		       x = in_unit(pair, shifts->done[i].time);

		point[2 * i] = (struct tv_point){ x, before };
		point[2 * i + 1].x = x;
		point[2 * i + 1].y = (shifts->done[i].flop[1] - shifts->done[i].flop[0]) / 1e9;
	}
	draw_heading(figure, diff, &place, "GFlop ahead");
	snprintf(text, sizeof text, "time (%s)", pair->unit->name);
	draw_steps(figure, place, point, 2 * shifts->ndone, (const uint32_t[]){ better, worse },
		   text);
	tv_free(point);
}

/* ---- place ---- */

static unsigned charts_of(const struct diff *diff)
{
	for (size_t i = 0; i < diff->n; i++)
		if (diff->pair[i].shifts->ndone > 0)
			return CHARTS_MAX;
	return CHARTS_MAX - 1;
}

static double pair_height(const struct tv_figure *figure, const struct diff *diff,
			  const struct pair *pair)
{
	unsigned lines = (charts_of(diff) + diff->columns - 1) / diff->columns;
	struct tv_key key[TV_COUNT(keys)];
	size_t n = keys_of(pair, key);

	return pair_gap + tv_strip_height(figure, pair->title, key, n, figure->width)
	     + lines * (heading + chart_height + TV_GRAPH_BELOW);
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct diff *diff = slot->state;
	unsigned n = charts_of(diff);

	(void)height;
	diff->columns = (unsigned)fmax(1, fmin(n, floor(figure->width / chart_min_width)));
	if (n == CHARTS_MAX && diff->columns == 3)
		diff->columns = 2;
	diff->width = figure->width / diff->columns;
	diff->left = tv_text_width(figure->scene->text,
				   "\xe2\x88\x92"
				   "8888",
				   TV_TEXT_SMALL, false)
		   + 4;
	slot->request.height = 0;
	for (size_t i = 0; i < diff->n; i++)
		slot->request.height += pair_height(figure, diff, &diff->pair[i]);
	slot->request.min = slot->request.height;
}

static void draw_pair(struct tv_figure *figure, const struct diff *diff, const struct pair *pair,
		      double y)
{
	static draw_chart *const chart[CHARTS_MAX] = { draw_starts, draw_moves, draw_lag,
						       draw_work };

	struct tv_key key[TV_COUNT(keys)];
	size_t n = keys_of(pair, key);

	y += pair_gap + tv_strip_height(figure, pair->title, key, n, figure->width);
	tv_strip_draw(figure, pair->title, key, n, figure->x, y, figure->width);
	for (unsigned i = 0; i < (pair->shifts->ndone > 0 ? CHARTS_MAX : CHARTS_MAX - 1); i++) {
		unsigned column = i % diff->columns, line = i / diff->columns;
		struct tv_place place = {
			.x = figure->x + column * diff->width + diff->left,
			.y = y + line * (heading + chart_height + TV_GRAPH_BELOW) + heading,
			.width = diff->width - diff->left - chart_gap,
			.height = chart_height,
		};

		chart[i](figure, diff, pair, place);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct diff *diff = slot->state;
	double y = slot->place.y;

	for (size_t i = 0; i < diff->n; i++) {
		draw_pair(figure, diff, &diff->pair[i], y);
		y += pair_height(figure, diff, &diff->pair[i]);
	}
}

static const struct tv_option_spec options[] = {
	{ "base", "LABEL", NULL, "run that the others are compared with (default: the first)" },
};

const struct tv_panel tv_panel_diff = {
	.name = "diff",
	.title = "differences between runs of one task graph: start times, moved tasks, lost time",
	.needs = "two runs or more (--facet) whose tasks match",
	.kind = TV_FREE,
	.share = 2,
	.wide = true,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
};
