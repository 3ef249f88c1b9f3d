/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decision.c -- the panel of one decision of the scheduler: a row per worker, from the instant of the
 * decision on: what is queued and taken there, the transfer, the length, the fitness.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/charts/plane.h"
#include "views/charts/span_rows.h"
#include "views/charts/types.h"
#include "views/shared/panel.h"

enum part { BUSY, WAIT, LENGTH, TRANSFER, QUEUE, PIPELINE, RUNNING, UNRECORDED, NPARTS };
static const char *const parts[] = { "busy",  "wait",	  "length",  "transfer",
				     "queue", "pipeline", "running", "unrecorded" };
_Static_assert(TV_COUNT(parts) == NPARTS, "a name for each part");

static const double row_height = 18, pad = 3, gap = 1.5, strip_part = 0.16;    /* points; share */
static const uint32_t color_of[] = { 0xf3e6c8, 0xf6a04d, 0x8fa3b5, 0xf6a04d }; /* up to TRANSFER */
static const uint32_t unable_color = 0xe4e4e4, now_color = 0xd7191c, best_color = 0x2f8f3a,
		      chosen_color = 0xe8f1fb;

struct worker {
	uint32_t label, first, n; /* rows of the table */
	int64_t rank, fitness;	  /* INT64_MAX: no candidate */
	bool chosen, able, unrecorded;
};

struct decision {
	struct tv_span_rows rows; /* their title and keys */
	const struct tv_table *table;
	const struct tv_column *start, *end, *type, *place;
	uint8_t *part; /* by row: enum part; NPARTS = another one */
	struct tv_hover hover;
	struct worker *worker;
	uint32_t nworkers;
	int64_t now, last, best; /* ns; best: earliest end of a candidate */
	const char *wanted, *at; /* the decision that is asked for */
	bool sort;
	const char *job, *value;
	int64_t priority;
	double top, names, numbers;
};

static const struct tv_column *column(const struct decision *p, const char *name)
{
	return tv_table_find(p->table, name);
}

static void read_parts(struct decision *p)
{
	p->start = column(p, "Start");
	p->end = column(p, "End");
	p->type = column(p, "Value");
	p->place = column(p, "Place");
	p->part = tv_alloc(p->table->nrows, 1);
	for (uint32_t row = 0; row < p->table->nrows; row++)
		while (p->part[row] < NPARTS
		       && strcmp(tv_table_text(p->table, "Part", row), parts[p->part[row]]) != 0)
			p->part[row]++;
}

static void read_row(struct decision *p, struct worker *w, uint32_t row)
{
	const struct tv_column *end = p->end, *fitness = column(p, "Fitness");

	if (!tv_missing(end, row) && end->i[row] > p->last)
		p->last = end->i[row];
	w->unrecorded |= p->part[row] == UNRECORDED;
	if (p->part[row] != LENGTH)
		return;
	w->able = true;
	w->chosen |= column(p, "Chosen")->i[row] != 0;
	if (!tv_missing(end, row) && end->i[row] < p->best)
		p->best = end->i[row];
	if (!tv_missing(fitness, row) && fitness->i[row] < w->fitness) {
		w->fitness = fitness->i[row];
		w->rank = column(p, "FitnessRank")->i[row];
	}
	p->job = tv_table_text(p->table, "JobId", row);
	p->value = tv_table_text(p->table, "Value", row);
	p->priority = column(p, "Priority")->i[row];
}

static void read_workers(struct decision *p)
{
	const struct tv_column *resource = column(p, "ResourceId");

	p->worker = tv_alloc(p->table->nrows, sizeof *p->worker);
	p->now = p->best = INT64_MAX;
	p->last = INT64_MIN;
	for (uint32_t row = 0; row < p->table->nrows; row++) {
		struct worker *w = p->nworkers > 0 ? &p->worker[p->nworkers - 1] : NULL;

		if (w == NULL || w->label != tv_label(resource, row)) {
			w = &p->worker[p->nworkers++];
			*w = (struct worker){ .label = tv_label(resource, row),
					      .first = row,
					      .rank = INT64_MAX,
					      .fitness = INT64_MAX };
		}
		w->n++;
		if (!tv_missing(p->start, row) && p->start->i[row] < p->now)
			p->now = p->start->i[row];
		read_row(p, w, row);
	}
}

/* Insertion by fitness; equal ones keep their order. */
static void sort_workers(struct decision *p)
{
	for (uint32_t i = 1; i < p->nworkers; i++) {
		struct worker w = p->worker[i];
		uint32_t k = i;

		for (; k > 0 && p->worker[k - 1].rank > w.rank; k--)
			p->worker[k] = p->worker[k - 1];
		p->worker[k] = w;
	}
}

/* "potrf 12 (priority 3) at 45.1 ms: CUDA0, 0.143 ms better than CUDA2". */
static void set_title(struct decision *p, const struct tv_unit *unit)
{
	const struct worker *best = NULL, *second = NULL;
	char when[40], margin[40] = "";
	size_t n;

	for (uint32_t i = 0; i < p->nworkers; i++) {
		best = p->worker[i].chosen ? &p->worker[i] : best;
		if (!p->worker[i].chosen && p->worker[i].fitness != INT64_MAX
		    && (second == NULL || p->worker[i].rank < second->rank))
			second = &p->worker[i];
	}
	tv_time_text(when, sizeof when, p->now, unit);
	n = (size_t)snprintf(p->rows.title, sizeof p->rows.title, "%s %s (priority %lld) at %s: %s",
			     p->value, p->job, (long long)p->priority, when,
			     best != NULL ? tv_pool_text(p->table->pool, best->label) : "-");
	if (best == NULL || second == NULL || best->fitness == INT64_MAX
	    || n >= sizeof p->rows.title)
		return;
	snprintf(margin, sizeof margin, "%.3f", (double)(second->fitness - best->fitness) / 1e6);
	snprintf(p->rows.title + n, sizeof p->rows.title - n, ", %s ms better than %s", margin,
		 tv_pool_text(p->table->pool, second->label));
}

static void set_keys(struct decision *p)
{
	static const char *const text[] = { "busy (job :order of start)", "transfer", "this task" };

	for (int i = 0; i < TRANSFER; i++)
		tv_span_rows_key(&p->rows, TV_KEY_AREA, color_of[i], "%s", text[i]);
	tv_span_rows_key(&p->rows, TV_KEY_LINE, now_color, "decision");
	tv_span_rows_key(&p->rows, TV_KEY_LINE, best_color, "earliest end");
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct decision *p = slot->state;
	int rc;

	if (p->wanted == NULL && p->at == NULL)
		return tv_panel_nothing(figure, slot->panel,
					"--decision.job JOB or --decision.at TIME is missing");
	rc = tv_panel_pass(figure, slot->panel, "choice",
			   (const char *const[]){ "job", p->wanted, "at", p->at, NULL }, &p->table,
			   err);
	if (rc != 0)
		return rc;
	tv_hover_init(&p->hover, p->table, "{Part} {JobId|} on {ResourceId}: {from} to {to} ms");
	read_parts(p);
	read_workers(p);
	if (p->best == INT64_MAX)
		return tv_panel_nothing(figure, slot->panel,
					"the decision has no candidates with estimates");
	if (p->sort)
		sort_workers(p);
	set_title(p, figure->unit);
	set_keys(p);
	return 0;
}

/* ---- the picture ---- */

static void note_of(const struct worker *w, char *out, size_t size)
{
	if (!w->able)
		snprintf(out, size, "%s", w->unrecorded ? "not recorded" : "cannot run it");
	else if (w->fitness == INT64_MAX)
		snprintf(out, size, "no estimate");
	else
		snprintf(out, size, "%.3f  #%lld", (double)w->fitness / 1e6, (long long)w->rank);
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct decision *p = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	p->names = p->numbers = tv_text_width(figure->scene->text, "fitness (ms)", TV_TEXT_SMALL,
					      false);
	for (uint32_t i = 0; i < p->nworkers; i++) {
		char note[80];

		note_of(&p->worker[i], note, sizeof note);
		p->names = fmax(p->names,
				tv_text_width(figure->scene->text,
					      tv_pool_text(p->table->pool, p->worker[i].label),
					      TV_TEXT_SMALL, false));
		p->numbers = fmax(p->numbers,
				  tv_text_width(figure->scene->text, note, TV_TEXT_SMALL, false));
	}
	p->top = tv_strip_height(figure, p->rows.title, p->rows.key, p->rows.nkeys, width)
	       + TV_LINE_HEIGHT;
	slot->request.height = p->top + row_height * p->nworkers + TV_PLANE_BELOW
			     + figure->scene->cell;
	slot->request.min = slot->request.height;
}

static void box(struct tv_figure *figure, const struct decision *p, const struct tv_plane *plane,
		uint32_t row, double y0, double y1, uint32_t fill)
{
	int64_t start = p->start->i[row], end = p->end->i[row];
	struct tv_scene *scene = figure->scene;

	tv_scene_pen(scene, "decision", parts[p->part[row]]);
	scene->pen.fill = fill;
	scene->pen.row = row;
	scene->pen.label = tv_hover_label(scene, &p->hover, row, start, end);
	tv_scene_rect(scene, TV_PAGE, tv_plane_time(plane, figure->unit, start), y0,
		      tv_plane_time(plane, figure->unit, end), y1);
}

/* A task that is with the worker, its number if it fits; `first` to be taken from the queue: outlined. */
static void draw_task(struct tv_figure *figure, const struct decision *p,
		      const struct tv_plane *plane, uint32_t row, double y0, double y1)
{
	double x0 = tv_plane_time(plane, figure->unit, p->start->i[row]);
	double x1 = tv_plane_time(plane, figure->unit, p->end->i[row]);
	struct tv_scene *scene = figure->scene;
	char text[80];

	box(figure, p, plane, row, y0, y1, tv_type_color(figure, tv_label(p->type, row)));
	tv_scene_pen(scene, "box", "decision");
	scene->pen.stroke = 0xffffff;
	tv_scene_line(scene, TV_PAGE, x1, y0, x1, y1);
	snprintf(text, sizeof text, "%s\u2009:%lld", tv_table_text(p->table, "JobId", row),
		 (long long)p->place->i[row]);
	if (tv_text_width(scene->text, text, TV_TEXT_SMALL, false) > x1 - x0 - 1)
		snprintf(text, sizeof text, "%s", tv_table_text(p->table, "JobId", row));
	if (tv_text_width(scene->text, text, TV_TEXT_SMALL, false) > x1 - x0 - 1
	    || y1 - y0 < TV_TEXT_SMALL * 0.75)
		return;
	tv_scene_pen(scene, "box", "decision");
	scene->pen.fill = 0xffffff;
	tv_scene_text(scene, (x0 + x1) / 2, (y0 + y1) / 2, TV_CENTER, TV_TEXT_SMALL, false, text);
}

/* Its queue in the upper half of the row, what it has taken in the lower one, behind them the busy
 * time; the transfer as a strip at the bottom; the new task over the whole height. */
static void draw_worker(struct tv_figure *figure, const struct decision *p,
			const struct tv_plane *plane, const struct worker *w, double y)
{
	double y0 = y + gap / 2, y1 = y + row_height - gap / 2, middle = (y0 + y1) / 2;
	double strip = y1 - (y1 - y0) * strip_part;

	for (uint32_t row = w->first; row < w->first + w->n; row++)
		if (p->part[row] <= LENGTH && !tv_missing(p->start, row))
			box(figure, p, plane, row, y0, y1, color_of[p->part[row]]);
	for (uint32_t row = w->first; row < w->first + w->n; row++)
		if (p->part[row] >= QUEUE && p->part[row] <= RUNNING)
			draw_task(figure, p, plane, row, p->part[row] == QUEUE ? y0 : middle,
				  p->part[row] == QUEUE ? middle : strip);
	for (uint32_t row = w->first; row < w->first + w->n; row++)
		if (p->part[row] == TRANSFER)
			box(figure, p, plane, row, strip, y1, color_of[TRANSFER]);
}

static void draw_texts(struct tv_figure *figure, const struct decision *p,
		       const struct tv_plane *plane)
{
	struct tv_scene *scene = figure->scene;
	double right = plane->x + plane->width + pad;

	tv_scene_pen(scene, "name", "decision");
	scene->pen.fill = TV_DIM;
	tv_scene_text(scene, right + p->numbers, plane->y - TV_LINE_HEIGHT / 2, TV_RIGHT,
		      TV_TEXT_SMALL, false, "fitness (ms)");
	for (uint32_t i = 0; i < p->nworkers; i++) {
		const struct worker *w = &p->worker[i];
		double y = plane->y + row_height * (i + 0.5);
		char note[80];

		note_of(w, note, sizeof note);
		tv_scene_pen(scene, "name", "decision");
		scene->pen.fill = w->able ? TV_INK : TV_DIM;
		tv_scene_text(scene, plane->x - pad, y, TV_RIGHT, TV_TEXT_SMALL, w->chosen,
			      tv_pool_text(p->table->pool, w->label));
		tv_scene_text(scene, right + p->numbers, y, TV_RIGHT, TV_TEXT_SMALL, w->chosen,
			      note);
	}
}

static void draw_line(struct tv_figure *figure, const struct tv_plane *plane, int64_t time,
		      uint32_t color)
{
	double x = tv_plane_time(plane, figure->unit, time);

	tv_scene_pen(figure->scene, "line", "decision");
	figure->scene->pen.stroke = color;
	figure->scene->pen.width = 0.8;
	tv_scene_line(figure->scene, TV_PAGE, x, plane->y, x, plane->y + plane->height);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct decision *p = slot->state;
	const struct tv_place *place = &slot->place;
	struct tv_scene *scene = figure->scene;
	double unit = (double)figure->unit->ns;
	struct tv_plane plane = { .x = place->x + p->names + pad,
				  .y = place->y + p->top,
				  .width = place->width - p->names - p->numbers - 2 * pad,
				  .height = row_height * p->nworkers };
	char axis[80];

	if (plane.width < 20 || plane.y + plane.height > place->y + place->height)
		return;
	plane.across = tv_scale_for(scene->text, (double)p->now / unit, (double)p->last / unit,
				    false, true, plane.width, NULL, 0);
	tv_strip_draw(figure, p->rows.title, p->rows.key, p->rows.nkeys, place->x,
		      plane.y - TV_LINE_HEIGHT, place->width);
	for (uint32_t i = 0; i < p->nworkers; i++) {
		const struct worker *w = &p->worker[i];

		if (w->able && !w->chosen)
			continue;
		tv_scene_pen(scene, w->able ? "chosen" : "unable", "decision");
		scene->pen.fill = w->able ? chosen_color : unable_color;
		tv_scene_rect(scene, TV_PAGE, plane.x, plane.y + row_height * i,
			      plane.x + plane.width, plane.y + row_height * (i + 1));
	}
	tv_plane_grid(scene, &plane);
	for (uint32_t i = 0; i < p->nworkers; i++)
		draw_worker(figure, p, &plane, &p->worker[i], plane.y + row_height * i);
	draw_line(figure, &plane, p->now, now_color);
	draw_line(figure, &plane, p->best, best_color);
	snprintf(axis, sizeof axis, "time as estimated, %s", figure->unit->name);
	tv_plane_axes(scene, &plane, axis, NULL);
	draw_texts(figure, p, &plane);
}

static void release(struct tv_slot *slot)
{
	struct decision *p = slot->state;

	tv_free(p->worker);
	tv_free(p->part);
	tv_span_rows_release(slot);
}

static const struct tv_option_spec options[] = {
	{ "job", "JOB", NULL, "the first decision about this job",
	  TV_INTO(struct decision, wanted) },
	{ "at", "TIME", NULL, "the last decision until this time", TV_OPTION_TIME, 1, 0,
	  TV_INTO(struct decision, at) },
	{ "sort", NULL, NULL, "workers by fitness, the chosen one first",
	  TV_INTO(struct decision, sort) },
};

const struct tv_panel tv_panel_decision = {
	.name = "decision",
	.title = "one decision of the scheduler, chosen by --decision.job or --decision.at",
	.needs = "decisions, candidates, events",
	.kind = TV_FREE,
	.share = 2,
	TV_PANEL_OPTIONS(options, struct decision),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
