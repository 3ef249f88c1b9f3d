/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dag.c -- the panel that draws the task graph, or a selected part of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/bounds/longest.h"
#include "dag/drawing.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/rows/rows.h"
#include "views/shared/panel.h"

static const double row_max = 11, height_max = 330, height_min = 60, side = 6, dot_max = 7,
		    dot_min = 1.6, label_row = 6.6, job_gap = 1.5, chain_width = 1.2,
		    head_length = 3, head_half = 1.1, head_room = 12; /* points */
static const uint32_t edge_color = 0xa8a8a8;

struct graph {
	uint64_t most; /* tasks */
	const struct tv_dag *dag;
	struct tv_drawing drawing;
	uint8_t *type_of; /* by row of tasks: index into figure->rows->type */
	uint32_t *
		next; /* by index of drawing.node: the next task of the longest chain, or TV_NONE */
	struct tv_key chain;
	bool has_chain; /* some of it is drawn */
	char title[128];
};

/* Whether a line is of a dependency of the longest chain. */
static bool is_chain(const struct graph *graph, const struct tv_drawing_line *line)
{
	return graph->next[line->of[0]] == line->of[1];
}

/* Marks the dependencies of the longest chain that are drawn. */
static int find_chain(struct tv_figure *figure, struct tv_slot *slot, struct graph *graph,
		      struct tv_error *err)
{
	const struct tv_drawing *drawing = &graph->drawing;
	uint32_t *index = tv_alloc(graph->dag->n, sizeof *index);
	struct tv_longest longest;
	char time[48];
	int rc = tv_run_longest(&longest, figure->run, NULL, err);

	graph->next = tv_alloc(drawing->n, sizeof *graph->next);
	memset(index, 0xff, graph->dag->n * sizeof *index);
	memset(graph->next, 0xff, drawing->n * sizeof *graph->next);
	for (uint32_t i = 0; i < drawing->n; i++)
		index[drawing->node[i]] = i;
	for (uint32_t i = 1; i < longest.n; i++)
		if (index[longest.node[i - 1]] != TV_NONE)
			graph->next[index[longest.node[i - 1]]] = index[longest.node[i]];
	for (size_t i = 0; i < drawing->nlines; i++)
		graph->has_chain = graph->has_chain || is_chain(graph, &drawing->line[i]);
	tv_unit_text(time, sizeof time, longest.recorded, figure->unit);
	graph->chain = (struct tv_key){ .kind = TV_KEY_LINE, .color = TV_INK };
	snprintf(graph->chain.text, sizeof graph->chain.text, "longest chain %s %s",
		 tv_print_number(&slot->printed, "LongestChain", NULL, figure->unit->name, "%s",
				 time),
		 figure->unit->name);
	tv_free(index);
	return rc;
}

/* The tasks whose rows the figure shows; how many. */
static uint32_t choose(const struct tv_figure *figure, const struct tv_dag *dag, bool *chosen,
		       uint8_t *type_of)
{
	const struct tv_rows *rows = figure->rows;
	uint32_t n = 0;

	for (size_t i = 0; i < rows->nitems; i++) {
		struct tv_item item = tv_rows_item(rows, i);
		uint32_t node = dag->node_of_row[item.row];

		type_of[item.row] = item.type;
		if (node == TV_NONE || !dag->task[node] || chosen[node])
			continue;
		chosen[node] = true;
		n++;
	}
	return n;
}

/* How many jobs the chosen nodes are of. */
static uint32_t count_jobs(const struct tv_dag *dag, const bool *chosen)
{
	bool *met = tv_alloc(dag->n, sizeof *met);
	uint32_t n = 0;

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t first = tv_dag_opening(dag, v);

		n += chosen[v] && !met[first];
		met[first] = met[first] || chosen[v];
	}
	tv_free(met);
	return n;
}

static int draw_chosen(struct tv_figure *figure, struct tv_slot *slot, struct graph *graph,
		       bool *chosen, struct tv_error *err)
{
	uint32_t n = choose(figure, graph->dag, chosen, graph->type_of), jobs = 0;
	uint64_t max = graph->most;
	char text[160];

	if (n == 0)
		return tv_panel_nothing(figure, slot->panel, "no task is selected");
	if (n > max) {
		snprintf(text, sizeof text,
			 "%u tasks, at most %llu are drawn: select some with "
			 "--where, e.g. 'Start < 20', or raise --dag.tasks",
			 n, (unsigned long long)max);
		return tv_panel_nothing(figure, slot->panel, text);
	}
	if (tv_drawing_init(&graph->drawing, graph->dag, chosen, err) < 0)
		return -1;
	if (n > 1 && graph->drawing.nedges == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no dependency between the tasks "
					"(DependsOn)");
	jobs = count_jobs(graph->dag, chosen);
	snprintf(graph->title, sizeof graph->title, "task graph: %s tasks",
		 tv_print_number(&slot->printed, "Tasks", NULL, "tasks", "%u", jobs));
	if (jobs < n)
		snprintf(graph->title + strlen(graph->title),
			 sizeof graph->title - strlen(graph->title), " in %s segments",
			 tv_print_number(&slot->printed, "Segments", NULL, "segments", "%u", n));
	snprintf(graph->title + strlen(graph->title), sizeof graph->title - strlen(graph->title),
		 ", %s dependencies, depth %s",
		 tv_print_number(&slot->printed, "Dependencies", NULL, "dependencies", "%u",
				 graph->drawing.nedges),
		 tv_print_number(&slot->printed, "Depth", NULL, "layers", "%u",
				 graph->drawing.nlayers));
	return find_chain(figure, slot, graph, err);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct graph *graph = slot->state;
	bool *chosen;
	int rc;

	if (figure->states)
		return tv_panel_nothing(figure, slot->panel, "the trace has no tasks that count");
	graph->dag = tv_run_dag(figure->run, err);
	if (graph->dag == NULL)
		return -1;
	chosen = tv_alloc(graph->dag->n, sizeof *chosen);
	graph->type_of = tv_alloc(figure->run->tasks.n, sizeof *graph->type_of);
	rc = draw_chosen(figure, slot, graph, chosen, err);
	tv_free(chosen);
	return rc;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	const struct graph *graph = slot->state;
	double rows = (graph->drawing.height + 1) * row_max;

	(void)height;
	slot->request.top = tv_strip_height(figure, graph->title, &graph->chain, graph->has_chain,
					    figure->width);
	slot->request.min = height_min;
	slot->request.height = slot->request.top + fmax(height_min, fmin(height_max, rows));
}

/* Where the drawing lies: layers to the right, places downwards. */
struct map {
	double x, y, layer, row; /* of the first layer and place; distances */
};

/* Half of the side of a task's square. */
static double half_dot(const struct map *map)
{
	return fmax(dot_min, fmin(dot_max, 0.72 * fmin(map->row, map->layer))) / 2;
}

static uint32_t describe(struct tv_figure *figure, const struct graph *graph, uint32_t node)
{
	const struct tv_tasks *tasks = &figure->run->tasks;
	uint32_t row = graph->dag->row[node], job = tv_dag_job(graph->dag, node);
	char text[256], part[120];

	if (!figure->scene->labels)
		return 0;
	tv_clean_text(part, sizeof part,
		      tasks->value == NULL ? "" : tv_pool_text(tasks->pool, tasks->value[row]));
	snprintf(text, sizeof text, "%s, job ", part);
	tv_clean_text(part, sizeof part, tv_pool_text(tasks->pool, job));
	snprintf(text + strlen(text), sizeof text - strlen(text), "%s, ", part);
	if (graph->dag->previous != NULL)
		snprintf(text + strlen(text), sizeof text - strlen(text), "segment %lld, ",
			 (long long)tv_dag_segment(graph->dag, node));
	snprintf(text + strlen(text), sizeof text - strlen(text), "%.3f to %.3f ms",
		 (double)graph->dag->start[node] / 1e6, (double)graph->dag->end[node] / 1e6);
	return tv_scene_string(figure->scene, text);
}

static void draw_nodes(struct tv_figure *figure, const struct graph *graph, const struct map *map)
{
	double half = half_dot(map);
	struct tv_scene *scene = figure->scene;
	char group[160];

	for (uint32_t i = 0; i < graph->drawing.n; i++) {
		uint32_t row = graph->dag->row[graph->drawing.node[i]];
		const struct tv_type_style *type = &figure->rows->type[graph->type_of[row]];
		double x = map->x + graph->drawing.layer[i] * map->layer;
		double y = map->y + graph->drawing.place[i] * map->row;

		snprintf(group, sizeof group, "type-%s", type->name);
		tv_scene_pen(scene, "node", group);
		scene->pen.fill = type->color;
		scene->pen.row = row;
		scene->pen.label = describe(figure, graph, graph->drawing.node[i]);
		tv_scene_rect(scene, TV_PAGE, x - half, y - half, x + half, y + half);
	}
}

/* Width of the JobIds right of the nodes; 0 where they have no room: edges need half of the way
 * between layers to change rows behind them. */
static double jobs_width(const struct tv_figure *figure, const struct graph *graph,
			 const struct map *map)
{
	double widest = 0;
	char text[64];

	for (uint32_t i = 0; i < graph->drawing.n; i++) {
		tv_clean_text(text, sizeof text,
			      tv_pool_text(figure->rows->pool,
					   tv_dag_job(graph->dag, graph->drawing.node[i])));
		widest = fmax(widest,
			      tv_text_width(figure->scene->text, text, TV_TEXT_SMALL, false));
	}
	widest += dot_max / 2 + job_gap + 1;
	return map->row < label_row || widest > map->layer / 2 ? 0 : widest;
}

/* Whether a line begins (0) or ends (1) at its task, not where the edge only passes a layer. */
static bool is_end(const struct tv_drawing *drawing, const struct tv_drawing_line *line, int end)
{
	return fabs(drawing->layer[line->of[end]] - (end == 0 ? line->from : line->to)[0]) < 0.25;
}

/* The head of an edge that ends at a task whose square has that half width. */
static void draw_head(struct tv_scene *scene, double x0, double y0, double x1, double y1,
		      double half)
{
	double length = hypot(x1 - x0, y1 - y0), ux = (x1 - x0) / length, uy = (y1 - y0) / length;
	double tip = half / fmax(fabs(ux), fabs(uy)), neck = tip + head_length;
	struct tv_point point[3] = {
		{ x1 - tip * ux, y1 - tip * uy },
		{ x1 - neck * ux - head_half * uy, y1 - neck * uy + head_half * ux },
		{ x1 - neck * ux + head_half * uy, y1 - neck * uy - head_half * ux },
	};

	scene->pen.fill = scene->pen.stroke;
	scene->pen.stroke = TV_NO_COLOR;
	tv_scene_path(scene, TV_PAGE, TV_SHAPE_POLYGON, point, 3);
}

/* Those of the longest chain, or the others. Edges go straight on beside the labels of a layer, and change rows
 * behind these. */
static void draw_edges(struct tv_figure *figure, const struct graph *graph, const struct map *map,
		       double jobs, bool chain)
{
	const struct tv_drawing *drawing = &graph->drawing;
	struct tv_scene *scene = figure->scene;

	for (size_t i = 0; i < drawing->nlines; i++) {
		const struct tv_drawing_line *line = &drawing->line[i];
		double x = map->x + line->from[0] * map->layer,
		       y = map->y + line->from[1] * map->row,
		       x1 = map->x + line->to[0] * map->layer, y1 = map->y + line->to[1] * map->row;

		if (is_chain(graph, line) != chain)
			continue;
		tv_scene_pen(scene, chain ? "chain" : "edge", "edges");
		scene->pen.stroke = chain ? TV_INK : edge_color;
		scene->pen.width = chain ? chain_width : 0;
		if (jobs > 0 && !is_end(drawing, line, 0))
			tv_scene_line(scene, TV_PAGE, x, y, x + jobs, y);
		tv_scene_line(scene, TV_PAGE, x + jobs, y, x1, y1);
		if (map->layer - jobs >= head_room && is_end(drawing, line, 1))
			draw_head(scene, x + jobs, y, x1, y1, half_dot(map));
	}
}

static void draw_jobs(struct tv_figure *figure, const struct graph *graph, const struct map *map)
{
	struct tv_scene *scene = figure->scene;
	char text[64];

	for (uint32_t i = 0; i < graph->drawing.n; i++) {
		tv_clean_text(text, sizeof text,
			      tv_pool_text(figure->rows->pool,
					   tv_dag_job(graph->dag, graph->drawing.node[i])));
		tv_scene_pen(scene, "job", "names");
		scene->pen.fill = TV_INK;
		tv_scene_text(scene,
			      map->x + graph->drawing.layer[i] * map->layer + dot_max / 2 + job_gap,
			      map->y + graph->drawing.place[i] * map->row, TV_LEFT, TV_TEXT_SMALL,
			      false, text);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct graph *graph = slot->state;
	const struct tv_drawing *drawing = &graph->drawing;
	const struct tv_place *place = &slot->place;
	double top = place->y + slot->request.top, height = place->height - slot->request.top;
	struct map map = { place->x + side, top, (place->width - 2 * side) / drawing->nlayers,
			   fmin(row_max, height / (drawing->height + 1)) };
	double jobs;

	map.y += (height - drawing->height * map.row) / 2;
	tv_strip_draw(figure, graph->title, &graph->chain, graph->has_chain, place->x, top,
		      place->width);
	jobs = jobs_width(figure, graph, &map);
	draw_edges(figure, graph, &map, jobs, false);
	draw_edges(figure, graph, &map, jobs, true);
	draw_nodes(figure, graph, &map);
	if (jobs > 0)
		draw_jobs(figure, graph, &map);
}

static void release(struct tv_slot *slot)
{
	struct graph *graph = slot->state;

	tv_drawing_release(&graph->drawing);
	tv_free(graph->next);
	tv_free(graph->type_of);
	tv_free(graph);
}

static const struct tv_option_spec options[] = {
	{ "tasks", "N", "400", "max number of tasks to draw", TV_OPTION_COUNT, 1, 5000,
	  TV_INTO(struct graph, most) },
};

const struct tv_panel tv_panel_dag = {
	.name = "dag",
	.title = "the task graph, in layers by depth",
	.needs = "DependsOn",
	.kind = TV_FREE,
	.share = 5,
	TV_PANEL_OPTIONS(options, struct graph),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
