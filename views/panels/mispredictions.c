/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mispredictions.c -- the panel of the tasks whose start the scheduler expected worst, the wait of
 * each tiled by what its worker did meanwhile; beside it the errors by task type and resource type,
 * and errors against the margin of the decision.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/plane.h"
#include "views/charts/types.h"
#include "views/shared/panel.h"

enum { PARTS = 4, GROUPS_MAX = 12 };
static const struct {
	const char *column, *text;
	uint32_t color;
} parts[PARTS] = {
	{ "Ahead", "tasks decided earlier", 0xc8b273 },
	{ "Overtaken", "tasks decided later", 0x5e5e5e },
	{ "IdleQueued", "idle", 0xd4d4d4 },
	{ "IdleTaken", "idle, task taken", 0xf6a04d },
};
static const struct {
	const char *column, *text;
} errors[] = { { "StartError", "error of the start" },
	       { "DurationError", "error of the duration" },
	       { "EndError", "error of the end" } };

static const double bar_height = 11, group_height = 10, chart_height = 84, gap = 9, pad = 3,
		    between = 14, beside_min = 400, name_max = 110; /* points */
static const double cell = 1, dot_cell = 1.6;			    /* points: what has a mark */
static const double margin_min = 1e-3; /* ms: the left end of margins, the lower end of errors */
static const uint32_t over_color = 0xd7191c;

/* A task whose error is known. */
struct task {
	uint32_t row, value; /* of tasks; label */
	const char *type;
	uint32_t rtype;	      /* place in tv_tasks.rtype */
	double error, margin; /* ms; margin NaN: not known */
};

struct group {
	uint32_t first, n; /* of the tasks, which are sorted by group */
	char name[160];
};

struct errors {
	const struct tv_tasks *tasks;
	const struct tv_table *table;
	struct task *task; /* by group and error */
	uint32_t n;
	uint32_t *bar; /* rows of tasks, the largest error of the start first */
	uint32_t nbars, ranked;
	struct group *group; /* those with the most tasks first */
	uint32_t ngroups;
	double high;	  /* ms, of the bars */
	double low, top;  /* ms, of the errors */
	uint32_t decided; /* tasks with a margin and an error */
	uint32_t beyond;  /* of these the error is larger than the margin */
	unsigned error;	  /* of the option's words */
	uint64_t most;	  /* bars */
	struct tv_key key[PARTS + 1];
	char title[3][120];
	double names, numbers, group_names; /* points */
};

static bool ms_at(const struct errors *p, const char *name, uint32_t row, double *ms)
{
	const struct tv_column *column = tv_table_find(p->table, name);

	if (tv_missing(column, row))
		return false;
	*ms = (double)column->i[row] / 1e6;
	return true;
}

/* ---- ranked bars ---- */

struct ranked {
	uint32_t row;
	double error;
};

TV_ORDER(by_error, struct ranked, down(error), row)

static void rank(struct tv_figure *figure, struct errors *p, uint64_t max)
{
	struct ranked *ranked = tv_alloc(p->tasks->n, sizeof *ranked);
	double ms;

	for (uint32_t row = 0; row < p->tasks->n; row++)
		if (p->tasks->counted[row] && tv_run_has(figure->run, p->tasks->worker[row])
		    && ms_at(p, "Ahead", row, &ms) && ms_at(p, "StartError", row, &ms))
			ranked[p->ranked++] = (struct ranked){ row, fabs(ms) };
	qsort(ranked, p->ranked, sizeof *ranked, by_error);
	p->nbars = p->ranked < max ? p->ranked : (uint32_t)max;
	p->bar = tv_alloc(p->nbars, sizeof *p->bar);
	for (uint32_t i = 0; i < p->nbars; i++) {
		double expected = 0, decided = 0;

		p->bar[i] = ranked[i].row;
		ms_at(p, "Decided", p->bar[i], &decided);
		ms_at(p, "ExpectedStart", p->bar[i], &expected);
		p->high = fmax(p->high,
			       fmax(expected, (double)p->tasks->start[p->bar[i]] / 1e6) - decided);
	}
	tv_free(ranked);
}

/* ---- errors ---- */

TV_ORDER(by_group, struct task, text(type), rtype, error, row)

TV_ORDER(by_size, struct group, down(n), text(name), first)

static void read_errors(struct tv_figure *figure, struct errors *p)
{
	const struct tv_tasks *tasks = p->tasks;

	p->task = tv_alloc(tasks->n, sizeof *p->task);
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct task *at = &p->task[p->n];

		if (!tasks->counted[row] || !tv_run_has(figure->run, tasks->worker[row])
		    || !ms_at(p, errors[p->error].column, row, &at->error))
			continue;
		at->row = row;
		at->value = tasks->value[row];
		at->type = tv_pool_text(tasks->pool, at->value);
		at->rtype = tasks->workers[tasks->worker[row]].rtype;
		if (!ms_at(p, "Margin", row, &at->margin))
			at->margin = NAN;
		p->decided += !isnan(at->margin);
		p->beyond += fabs(at->error) > at->margin;
		p->low = fmin(p->low, at->error);
		p->top = fmax(p->top, at->error);
		p->n++;
	}
	qsort(p->task, p->n, sizeof *p->task, by_group);
}

static void find_groups(struct errors *p)
{
	p->group = tv_alloc(p->n, sizeof *p->group);
	for (uint32_t i = 0; i < p->n; i++) {
		const struct task *at = &p->task[i];

		if (i == 0 || at->value != at[-1].value || at->rtype != at[-1].rtype) {
			struct group *group = &p->group[p->ngroups++];
			char name[160];

			*group = (struct group){ .first = i };
			snprintf(name, sizeof name, "%s %s", at->type,
				 tv_pool_text(p->tasks->pool, p->tasks->rtype[at->rtype].label));
			tv_clean_text(group->name, sizeof group->name, name);
		}
		p->group[p->ngroups - 1].n++;
	}
	qsort(p->group, p->ngroups, sizeof *p->group, by_size);
}

static void set_texts(struct errors *p, const struct tv_printed *printed)
{
	uint32_t shown = p->ngroups < GROUPS_MAX ? p->ngroups : GROUPS_MAX;
	char some[40] = "";

	for (int i = 0; i < PARTS; i++) {
		p->key[i] = (struct tv_key){ .kind = TV_KEY_AREA, .color = parts[i].color };
		snprintf(p->key[i].text, TV_KEY_TEXT, "%s", parts[i].text);
	}
	p->key[PARTS] = (struct tv_key){ .kind = TV_KEY_LINE, .color = over_color };
	snprintf(p->key[PARTS].text, TV_KEY_TEXT, "expected start");
	snprintf(p->title[0], sizeof p->title[0], "waits: worst %u of %s starts", p->nbars,
		 tv_print_number(printed, "Starts", NULL, "tasks", "%u", p->ranked));
	if (shown < p->ngroups)
		snprintf(some, sizeof some, ", %u of %u types", shown, p->ngroups);
	snprintf(p->title[1], sizeof p->title[1], "%s%s", errors[p->error].text, some);
	snprintf(p->title[2], sizeof p->title[2], "error above margin: %s of %s (%s %%)",
		 tv_print_number(printed, "AboveMargin", NULL, "tasks", "%u", p->beyond),
		 tv_print_number(printed, "Decided", NULL, "tasks", "%u", p->decided),
		 tv_print_number(printed, "AboveMarginShare", NULL, "%", "%.1f",
				 p->decided > 0 ? 100.0 * p->beyond / p->decided : 0));
	p->ngroups = shown;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct errors *p = slot->state;
	int rc = tv_panel_pass(figure, slot->panel, "mispredictions", NULL, &p->table, err);

	if (rc != 0)
		return rc;
	p->tasks = &figure->run->tasks;
	rank(figure, p, p->most);
	read_errors(figure, p);
	if (p->nbars == 0 && p->n == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no task has an expected and a real start");
	find_groups(p);
	set_texts(p, &slot->printed);
	return 0;
}

/* ---- sizes ---- */

/* The width of the bars and of what is beside them, or below where that is too narrow. */
static double part_width(double width)
{
	return width < beside_min ? width : (width - between) / 2;
}

static double bars_height(const struct tv_figure *figure, const struct errors *p, double width)
{
	return tv_strip_height(figure, p->title[0], p->key, PARTS + 1, width)
	     + bar_height * p->nbars + TV_PLANE_BELOW;
}

static double groups_height(const struct tv_figure *figure, const struct errors *p, double width)
{
	return tv_strip_height(figure, p->title[1], NULL, 0, width) + group_height * p->ngroups
	     + TV_PLANE_BELOW;
}

static double margins_height(const struct tv_figure *figure, const struct errors *p, double width)
{
	return p->decided == 0 ? 0
			       : gap + tv_strip_height(figure, p->title[2], NULL, 0, width)
					 + TV_PLANE_ABOVE + chart_height + TV_PLANE_BELOW;
}

static double needed(const struct tv_figure *figure, const struct errors *p, double width)
{
	double part = part_width(width), bars = bars_height(figure, p, part);
	double right = groups_height(figure, p, part) + margins_height(figure, p, part);

	return part < width ? fmax(bars, right) : bars + gap + right;
}

static void bar_texts(const struct errors *p, uint32_t row, char *name, char *number, size_t size)
{
	const struct tv_tasks *tasks = p->tasks;
	const struct tv_pool *pool = tasks->pool;
	double error = 0;
	char text[160];

	ms_at(p, "StartError", row, &error);
	snprintf(text, sizeof text, "%s %s",
		 tasks->job[row] != TV_NONE ? tv_pool_text(pool, tasks->job[row]) : "-",
		 tv_pool_text(pool, tasks->workers[tasks->worker[row]].resource));
	tv_clean_text(name, size, text);
	snprintf(number, size, "%+.3f", error);
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct errors *p = slot->state;
	struct tv_text *text = figure->scene->text;
	double width = tv_slot_width(figure, slot);

	(void)height;
	p->names = p->group_names = 0;
	p->numbers = tv_text_width(text, "error (ms)", TV_TEXT_SMALL, false);
	for (uint32_t i = 0; i < p->nbars; i++) {
		char name[160], number[160];

		bar_texts(p, p->bar[i], name, number, sizeof name);
		p->names = fmax(p->names, tv_text_width(text, name, TV_TEXT_SMALL, false));
		p->numbers = fmax(p->numbers, tv_text_width(text, number, TV_TEXT_SMALL, false));
	}
	for (uint32_t i = 0; i < p->ngroups; i++)
		p->group_names = fmax(p->group_names,
				      tv_text_width(text, p->group[i].name, TV_TEXT_SMALL, false));
	p->names = fmin(p->names, name_max);
	p->group_names = fmin(p->group_names, name_max);
	slot->request.height = needed(figure, p, width) + figure->scene->cell;
	slot->request.min = slot->request.height;
}

/* ---- the picture ---- */

static void set_label(struct tv_scene *scene, const char *text)
{
	scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
}

static void draw_bar(struct tv_figure *figure, const struct errors *p, const struct tv_plane *plane,
		     uint32_t i)
{
	struct tv_scene *scene = figure->scene;
	double y = plane->y + bar_height * i, at = 0, decided, expected;
	char name[160], number[160], text[240];

	bar_texts(p, p->bar[i], name, number, sizeof name);
	for (int k = 0; k < PARTS; k++) {
		double ms = 0, x0 = plane->x + plane->width * tv_scale_at(&plane->across, at), x1;

		ms_at(p, parts[k].column, p->bar[i], &ms);
		at += ms;
		x1 = plane->x + plane->width * tv_scale_at(&plane->across, at);
		if (ms == 0)
			continue;
		tv_scene_pen(scene, "bar", parts[k].column);
		scene->pen.fill = parts[k].color;
		scene->pen.row = p->bar[i];
		snprintf(text, sizeof text, "%s, %s: %.6f ms", name, parts[k].column, ms);
		set_label(scene, text);
		tv_scene_rect(scene, TV_PAGE, x0, y + 1, x1, y + bar_height - 1);
	}
	if (ms_at(p, "Decided", p->bar[i], &decided)
	    && ms_at(p, "ExpectedStart", p->bar[i], &expected)) {
		double x = plane->x
			 + plane->width * tv_scale_at(&plane->across, fmax(expected - decided, 0));

		tv_scene_pen(scene, "expected", "mispredictions");
		scene->pen.stroke = over_color;
		scene->pen.width = 1;
		tv_scene_line(scene, TV_PAGE, x, y, x, y + bar_height);
	}
	tv_scene_pen(scene, "type", "mispredictions");
	scene->pen.fill = tv_type_color(figure, p->tasks->value[p->bar[i]]);
	tv_scene_rect(scene, TV_PAGE, plane->x - pad - 5, y + 3, plane->x - pad,
		      y + bar_height - 3);
	tv_scene_pen(scene, "name", "mispredictions");
	scene->pen.fill = TV_INK;
	tv_text_fit(scene->text, name, TV_TEXT_SMALL, false, p->names, text, sizeof text);
	tv_scene_text(scene, plane->x - 2 * pad - 5, y + bar_height / 2, TV_RIGHT, TV_TEXT_SMALL,
		      false, text);
	tv_scene_text(scene, plane->x + plane->width + pad + p->numbers, y + bar_height / 2,
		      TV_RIGHT, TV_TEXT_SMALL, false, number);
}

static void draw_bars(struct tv_figure *figure, const struct errors *p, double x, double y,
		      double width)
{
	double strip = tv_strip_height(figure, p->title[0], p->key, PARTS + 1, width);
	struct tv_plane plane = { .x = x + p->names + 3 * pad + 5,
				  .y = y + strip,
				  .height = bar_height * p->nbars };

	plane.width = x + width - p->numbers - pad - plane.x;
	if (plane.width < 20)
		return;
	plane.across = tv_scale_for(figure->scene->text, 0, p->high, false, true, plane.width, NULL,
				    0);
	tv_strip_draw(figure, p->title[0], p->key, PARTS + 1, x, plane.y, width);
	tv_plane_grid(figure->scene, &plane);
	for (uint32_t i = 0; i < p->nbars; i++)
		draw_bar(figure, p, &plane, i);
	tv_plane_axes(figure->scene, &plane, "time since the decision, ms", NULL);
	tv_scene_pen(figure->scene, "name", "mispredictions");
	figure->scene->pen.fill = TV_DIM;
	tv_scene_text(figure->scene, x + width, plane.y + plane.height + 6, TV_RIGHT, TV_TEXT_SMALL,
		      false, "error (ms)");
}

/* A mark wherever there are tasks, the darker the more. */
static void draw_group(struct tv_figure *figure, const struct errors *p,
		       const struct tv_plane *plane, const struct group *group, double y)
{
	const struct task *task = &p->task[group->first];
	uint32_t n = (uint32_t)(plane->width / cell) + 1, max = 1;
	uint32_t *count = tv_alloc(n, sizeof *count);
	uint32_t color = tv_type_color(figure, task->value);
	struct tv_scene *scene = figure->scene;
	char text[200];

	for (uint32_t i = 0; i < group->n; i++) {
		double at = tv_scale_at(&plane->across, task[i].error) * plane->width / cell;
		uint32_t k = at > 0 ? (uint32_t)at : 0;

		k = k < n ? k : n - 1;
		count[k]++;
		max = count[k] > max ? count[k] : max;
	}
	for (uint32_t k = 0; k < n; k++) {
		if (count[k] == 0)
			continue;
		tv_scene_pen(scene, "errors", group->name);
		scene->pen.fill = count[k] * 4ULL >= max ? color : tv_color_fade(color);
		snprintf(text, sizeof text, "%s: %u tasks", group->name, count[k]);
		set_label(scene, text);
		tv_scene_rect(scene, TV_PAGE, plane->x + k * cell, y + 1, plane->x + (k + 1) * cell,
			      y + group_height - 1);
	}
	tv_scene_pen(scene, "name", "mispredictions");
	scene->pen.fill = TV_INK;
	tv_text_fit(scene->text, group->name, TV_TEXT_SMALL, false, p->group_names, text,
		    sizeof text);
	tv_scene_text(scene, plane->x - pad, y + group_height / 2, TV_RIGHT, TV_TEXT_SMALL, false,
		      text);
	tv_free(count);
}

static void draw_groups(struct tv_figure *figure, const struct errors *p, double x, double y,
			double width)
{
	double strip = tv_strip_height(figure, p->title[1], NULL, 0, width);
	struct tv_plane plane = { .x = x + p->group_names + pad,
				  .y = y + strip,
				  .width = width - p->group_names - 2 * pad,
				  .height = group_height * p->ngroups };
	double zero;

	if (plane.width < 20 || p->ngroups == 0)
		return;
	plane.across = tv_scale_for(figure->scene->text, p->low, p->top, false, true, plane.width,
				    NULL, 0);
	tv_strip_draw(figure, p->title[1], NULL, 0, x, plane.y, width);
	tv_plane_grid(figure->scene, &plane);
	zero = plane.x + plane.width * tv_scale_at(&plane.across, 0);
	tv_scene_pen(figure->scene, "zero", "mispredictions");
	figure->scene->pen.stroke = TV_INK;
	figure->scene->pen.width = 0.6;
	tv_scene_line(figure->scene, TV_PAGE, zero, plane.y, zero, plane.y + plane.height);
	for (uint32_t i = 0; i < p->ngroups; i++)
		draw_group(figure, p, &plane, &p->group[i], plane.y + group_height * i);
	tv_plane_axes(figure->scene, &plane, "real minus expected, ms", NULL);
}

/* One point where several would cover each other. */
static void draw_points(struct tv_figure *figure, const struct errors *p,
			const struct tv_plane *plane)
{
	uint32_t columns = (uint32_t)(plane->width / dot_cell) + 1;
	uint32_t lines = (uint32_t)(plane->height / dot_cell) + 1;
	bool *used = tv_alloc((size_t)columns * lines, sizeof *used);

	for (uint32_t i = 0; i < p->n; i++) {
		const struct task *task = &p->task[i];
		struct tv_point at;
		size_t k;

		if (isnan(task->margin))
			continue;
		tv_plane_at(plane, fmax(task->margin, margin_min),
			    fmax(fabs(task->error), margin_min), &at);
		k = (size_t)((at.y - plane->y) / dot_cell + 1e-6) * columns
		  + (size_t)((at.x - plane->x) / dot_cell + 1e-6);
		if (k >= (size_t)columns * lines || used[k])
			continue;
		used[k] = true;
		tv_scene_pen(figure->scene, "margin", "mispredictions");
		figure->scene->pen.row = task->row;
		tv_bullet_draw(figure->scene, at.x, at.y, 1, tv_type_color(figure, task->value),
			       tv_type_color(figure, task->value));
	}
	tv_free(used);
}

static void draw_margins(struct tv_figure *figure, const struct errors *p, double x, double y,
			 double width)
{
	struct tv_text *text = figure->scene->text;
	struct tv_plane plane = { .y = y + tv_strip_height(figure, p->title[2], NULL, 0, width)
				     + TV_PLANE_ABOVE,
				  .height = chart_height };
	double right = 2 * margin_min, error = fmax(fmax(p->top, -p->low), 2 * margin_min);

	if (p->decided == 0)
		return;
	for (uint32_t i = 0; i < p->n; i++)
		right = fmax(right, p->task[i].margin); /* not NaN */
	plane.up = tv_scale_for(text, margin_min, error, true, false, plane.height, NULL, 0);
	plane.x = x + tv_plane_left(text, &plane.up);
	plane.width = x + width - pad - plane.x;
	if (plane.width < 20)
		return;
	plane.across = tv_scale_for(text, margin_min, right, true, true, plane.width, NULL, 0);
	tv_strip_draw(figure, p->title[2], NULL, 0, x, plane.y - TV_PLANE_ABOVE, width);
	tv_plane_grid(figure->scene, &plane);
	tv_scene_pen(figure->scene, "equal", "mispredictions");
	figure->scene->pen.stroke = over_color;
	figure->scene->pen.width = 0.6;
	figure->scene->pen.dash = TV_DASHED;
	tv_plane_line(figure->scene, &plane,
		      (const struct tv_point[]){ { margin_min, margin_min },
						 { fmin(right, error), fmin(right, error) } },
		      2);
	draw_points(figure, p, &plane);
	tv_plane_axes(figure->scene, &plane, "margin to the second best worker, ms", "error, ms");
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	const struct errors *p = slot->state;
	const struct tv_place *place = &slot->place;
	double width = part_width(place->width), x = place->x, y = place->y;

	if (place->height < needed(figure, p, place->width) - 1e-6)
		return;
	if (p->nbars > 0)
		draw_bars(figure, p, x, y, width);
	if (width < place->width)
		x += width + between;
	else
		y += bars_height(figure, p, width) + gap;
	draw_groups(figure, p, x, y, width);
	draw_margins(figure, p, x, y + groups_height(figure, p, width) + gap, width);
}

static void release(struct tv_slot *slot)
{
	struct errors *p = slot->state;

	tv_free(p->task);
	tv_free(p->bar);
	tv_free(p->group);
	tv_free(p);
}

static const struct tv_option_spec options[] = {
	{ "top", "N", "20", "bars: tasks whose start was expected worst", TV_OPTION_COUNT, 1, 200,
	  TV_INTO(struct errors, most) },
	{ "error", "start|duration|end", "start", "the error by types and against the margin",
	  TV_OPTION_CHOICE, TV_INTO(struct errors, error) },
};

const struct tv_panel tv_panel_mispredictions = {
	.name = "mispredictions",
	.title =
		"tasks whose start the scheduler expected worst, by cause; errors by type, margins",
	.needs = "decisions, events",
	.kind = TV_FREE,
	.share = 3,
	TV_PANEL_OPTIONS(options, struct errors),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
