/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.c -- the panel of what the scheduler expected of the chosen worker, above what that worker
 * did: for each job that is asked for, lines from each task as estimated to the same as executed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/plane.h"
#include "views/charts/types.h"
#include "views/shared/panel.h"

enum { JOBS_MAX = 12 };
static const double row_height = 15, between = 14, head = 12, block_gap = 6, pad = 3; /* points */
static const uint32_t other_color = 0x9a9a9a, now_color = 0xd7191c, wait_color = 0xf6a04d;

static const struct {
	const char *name;
	uint32_t color;
} causes[] = {
	{ "pipeline", 0xd95f02 }, { "overtaken", 0x7b3294 }, { "queue", 0x1f78b4 },
	{ "choice", 0xc2185b },	  { "transfer", 0xb8860b },  { "running", 0x4d4d4d },
	{ "runtime", 0x2f8f3a },
};

struct box {
	uint32_t job, value; /* labels */
	int64_t start, end;  /* ns */
	bool wait;	     /* transfer that nothing hides */
};

struct job {
	uint32_t label, worker;
	struct box *estimated, *executed;
	size_t nestimated, nexecuted;
	int64_t now;
	uint32_t color;
	char title[200];
};

struct estimate {
	const char *jobs;
	struct job job[JOBS_MAX];
	size_t n;
	int64_t begin, end;
	char title[80];
	double top, names;
};

static int64_t time_at(const struct tv_table *table, const char *name, uint32_t row)
{
	return tv_table_find(table, name)->i[row];
}

static struct box box_at(const struct tv_table *table, uint32_t row)
{
	return (struct box){ tv_label(tv_table_find(table, "JobId"), row),
			     tv_label(tv_table_find(table, "Value"), row),
			     time_at(table, "Start", row), time_at(table, "End", row), false };
}

/* The rows of the chosen worker that are tasks, and the new one. */
static void read_estimate(struct job *job, const struct tv_table *choice)
{
	const struct tv_column *chosen = tv_table_find(choice, "Chosen");
	const struct tv_column *resource = tv_table_find(choice, "ResourceId");

	job->estimated = tv_alloc(choice->nrows, sizeof *job->estimated);
	job->worker = TV_NONE;
	job->now = INT64_MAX;
	for (uint32_t row = 0; row < choice->nrows; row++) {
		if (!tv_missing(chosen, row) && chosen->i[row] != 0)
			job->worker = tv_label(resource, row);
		if (!tv_missing(tv_table_find(choice, "Start"), row)
		    && time_at(choice, "Start", row) < job->now)
			job->now = time_at(choice, "Start", row);
	}
	for (uint32_t row = 0; row < choice->nrows; row++) {
		const char *part = tv_table_text(choice, "Part", row);
		bool wait = strcmp(part, "wait") == 0;

		if (tv_label(resource, row) != job->worker || strcmp(part, "busy") == 0
		    || strcmp(part, "transfer") == 0
		    || tv_missing(tv_table_find(choice, "Start"), row))
			continue;
		job->estimated[job->nestimated] = box_at(choice, row);
		job->estimated[job->nestimated++].wait = wait;
	}
}

/* What the worker that ran it ran from the decision to the end of the job. */
static void read_executed(struct job *job, const struct tv_table *queues)
{
	const struct tv_column *jobs = tv_table_find(queues, "JobId");
	const struct tv_column *resource = tv_table_find(queues, "ResourceId");
	const struct tv_column *ends = tv_table_find(queues, "End");
	int64_t end = INT64_MIN;
	uint32_t worker = TV_NONE;

	job->executed = tv_alloc(queues->nrows, sizeof *job->executed);
	for (uint32_t row = 0; row < queues->nrows; row++)
		if (tv_label(jobs, row) == job->label && !tv_missing(ends, row)
		    && strcmp(tv_table_text(queues, "State", row), "running") == 0) {
			end = ends->i[row];
			worker = tv_label(resource, row);
			break;
		}
	for (uint32_t row = 0; row < queues->nrows; row++)
		if (worker != TV_NONE && tv_label(resource, row) == worker && !tv_missing(ends, row)
		    && ends->i[row] > job->now && ends->i[row] <= end
		    && strcmp(tv_table_text(queues, "State", row), "running") == 0)
			job->executed[job->nexecuted++] = box_at(queues, row);
}

static void read_cause(struct job *job, const struct tv_table *late)
{
	const struct tv_column *jobs = tv_table_find(late, "JobId");
	const char *name = tv_pool_text(late->pool, job->label);

	job->color = other_color;
	snprintf(job->title, sizeof job->title, "%s", name);
	for (uint32_t row = 0; row < late->nrows; row++) {
		const char *cause = tv_table_text(late, "Cause", row);
		const char *behind = tv_table_text(late, "Behind", row);

		if (tv_label(jobs, row) != job->label)
			continue;
		snprintf(job->title, sizeof job->title, "%s %s on %s, %.3f ms late: %s%s%s",
			 tv_table_text(late, "Value", row), name,
			 tv_table_text(late, "ResourceId", row),
			 (double)time_at(late, "Gain", row) / 1e6, cause,
			 behind[0] != '\0' ? ", behind " : "", behind);
		for (size_t i = 0; i < TV_COUNT(causes); i++)
			if (strcmp(cause, causes[i].name) == 0)
				job->color = causes[i].color;
		return;
	}
}

static void extend(struct estimate *p, const struct job *job)
{
	p->begin = job->now < p->begin ? job->now : p->begin;
	for (size_t i = 0; i < job->nestimated; i++)
		p->end = job->estimated[i].end > p->end ? job->estimated[i].end : p->end;
	for (size_t i = 0; i < job->nexecuted; i++)
		p->end = job->executed[i].end > p->end ? job->executed[i].end : p->end;
}

static int add_job(struct tv_figure *figure, struct tv_slot *slot, const char *name,
		   const struct tv_table *queues, const struct tv_table *late, struct tv_error *err)
{
	struct estimate *p = slot->state;
	struct job *job = &p->job[p->n];
	const struct tv_table *choice;
	int rc = tv_panel_pass(figure, slot->panel, "choice",
			       (const char *const[]){ "job", name, NULL }, &choice, err);

	if (rc != 0)
		return rc;
	job->label = tv_pool_find_text(choice->pool, name);
	p->n++;
	read_estimate(job, choice);
	read_executed(job, queues);
	read_cause(job, late);
	extend(p, job);
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct estimate *p = slot->state;
	const struct tv_table *queues, *late;
	int rc;

	p->begin = INT64_MAX;
	p->end = INT64_MIN;
	snprintf(p->title, sizeof p->title, "estimated over executed, on the worker");
	if (p->jobs == NULL)
		return tv_panel_nothing(figure, slot->panel, "--estimate.job JOB,... is missing");
	rc = tv_panel_pass(figure, slot->panel, "queues", NULL, &queues, err);
	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "late", NULL, &late, err);
	for (const char *jobs = p->jobs; rc == 0 && *jobs != '\0';) {
		size_t n = strcspn(jobs, ",");
		char *name = tv_strndup(jobs, n);

		if (p->n == JOBS_MAX)
			rc = tv_fail_usage(err, "--estimate.job: more than %d jobs", JOBS_MAX);
		else
			rc = add_job(figure, slot, name, queues, late, err);
		tv_free(name);
		jobs += n + (jobs[n] == ',');
	}
	return rc;
}

/* ---- the picture ---- */

static const double block = 62; /* points: title, two rows, between */

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct estimate *p = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	slot->high = p->n > 0 ? (double)(p->end - p->begin) / (double)figure->unit->ns : 0;
	p->names = tv_text_width(figure->scene->text, "estimated", TV_TEXT_SMALL, false);
	p->top = tv_strip_height(figure, p->title, NULL, 0, width);
	slot->request.height = p->top + block * (double)p->n + TV_PLANE_BELOW + figure->scene->cell;
	slot->request.min = slot->request.height;
}

static void draw_box(struct tv_figure *figure, const struct job *job, const struct tv_plane *plane,
		     const struct box *b, const char *class, double y)
{
	struct tv_scene *scene = figure->scene;
	const char *name = tv_pool_text(figure->run->trace->pool, b->job);
	bool own = b->job == job->label;
	double x0 = tv_plane_time(plane, figure->unit, b->start > job->now ? b->start : job->now);
	double x1 = tv_plane_time(plane, figure->unit, b->end);
	char text[200];

	tv_scene_pen(scene, class, "estimate");
	scene->pen.fill = b->wait ? wait_color : tv_type_color(figure, b->value);
	snprintf(text, sizeof text, "%s, %s: %.3f to %.3f ms", name, class, (double)b->start / 1e6,
		 (double)b->end / 1e6);
	scene->pen.label = scene->labels ? tv_scene_string(scene, text) : 0;
	tv_scene_rect(scene, TV_PAGE, x0, y, x1, y + row_height);
	tv_scene_pen(scene, "edge", "estimate");
	scene->pen.stroke = own ? TV_INK : 0xffffff;
	scene->pen.width = own ? 1 : TV_LINE_MIN;
	tv_scene_line(scene, TV_PAGE, x1, y, x1, y + row_height);
	if (own) {
		tv_scene_line(scene, TV_PAGE, x0, y, x0, y + row_height);
		tv_scene_line(scene, TV_PAGE, x0, y, x1, y);
		tv_scene_line(scene, TV_PAGE, x0, y + row_height, x1, y + row_height);
	}
	if (b->wait || tv_text_width(scene->text, name, TV_TEXT_SMALL, own) > x1 - x0 - 1)
		return;
	tv_scene_pen(scene, "box", "estimate");
	scene->pen.fill = 0xffffff;
	tv_scene_text(scene, (x0 + x1) / 2, y + row_height / 2, TV_CENTER, TV_TEXT_SMALL, own,
		      name);
}

/* From each task as estimated to the same as executed. */
static void draw_links(struct tv_figure *figure, const struct job *job,
		       const struct tv_plane *plane, double y)
{
	struct tv_scene *scene = figure->scene;

	for (size_t i = 0; i < job->nestimated; i++)
		for (size_t k = 0; k < job->nexecuted; k++) {
			const struct box *a = &job->estimated[i], *b = &job->executed[k];
			bool own = a->job == job->label;
			int64_t start = b->start > job->now ? b->start : job->now;

			if (a->wait || a->job != b->job)
				continue;
			tv_scene_pen(scene, own ? "job" : "link", "estimate");
			scene->pen.stroke = own ? job->color : other_color;
			scene->pen.width = own ? 1.4 : 0.5;
			tv_scene_line(scene, TV_PAGE,
				      tv_plane_time(plane, figure->unit, a->start / 2 + a->end / 2),
				      y, tv_plane_time(plane, figure->unit, start / 2 + b->end / 2),
				      y + between);
		}
}

static void draw_job(struct tv_figure *figure, const struct job *job, const struct tv_plane *plane,
		     double y)
{
	struct tv_scene *scene = figure->scene;
	double first = y + head, second = first + row_height + between;
	double now = tv_plane_time(plane, figure->unit, job->now);
	char text[220];

	for (size_t i = 0; i < job->nestimated; i++)
		draw_box(figure, job, plane, &job->estimated[i], "estimated", first);
	for (size_t i = 0; i < job->nexecuted; i++)
		draw_box(figure, job, plane, &job->executed[i], "executed", second);
	draw_links(figure, job, plane, first + row_height);
	tv_scene_pen(scene, "line", "estimate");
	scene->pen.stroke = now_color;
	scene->pen.width = 0.8;
	tv_scene_line(scene, TV_PAGE, now, first, now, second + row_height);
	tv_scene_pen(scene, "name", "estimate");
	scene->pen.fill = job->color;
	tv_text_fit(scene->text, job->title, TV_TEXT_SMALL, true, plane->width - pad, text,
		    sizeof text);
	tv_scene_text(scene, plane->x + pad, y + head / 2, TV_LEFT, TV_TEXT_SMALL, true, text);
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, plane->x - pad, first + row_height / 2, TV_RIGHT, TV_TEXT_SMALL, false,
		      "estimated");
	tv_scene_text(scene, plane->x - pad, second + row_height / 2, TV_RIGHT, TV_TEXT_SMALL,
		      false, "executed");
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct estimate *p = slot->state;
	const struct tv_place *place = &slot->place;
	double unit = (double)figure->unit->ns;
	struct tv_plane plane = { .x = place->x + p->names + pad,
				  .y = place->y + p->top,
				  .width = place->width - p->names - 2 * pad,
				  .height = block * (double)p->n };
	char axis[80];

	if (plane.width < 20 || plane.y + plane.height > place->y + place->height)
		return;
	/* Facets show equally long times, so that lengths can be compared. */
	plane.across = tv_scale_for(figure->scene->text, (double)p->begin / unit,
				    (double)p->begin / unit + fmax(slot->high, slot->common), false,
				    true, plane.width, NULL, 0);
	tv_strip_draw(figure, p->title, NULL, 0, place->x, plane.y, place->width);
	tv_plane_grid(figure->scene, &plane);
	for (size_t i = 0; i < p->n; i++)
		draw_job(figure, &p->job[i], &plane, plane.y + block * (double)i + block_gap / 2);
	snprintf(axis, sizeof axis, "time, %s", figure->unit->name);
	tv_plane_axes(figure->scene, &plane, axis, NULL);
}

static void release(struct tv_slot *slot)
{
	struct estimate *p = slot->state;

	for (size_t i = 0; i < p->n; i++) {
		tv_free(p->job[i].estimated);
		tv_free(p->job[i].executed);
	}
	tv_free(p);
}

static const struct tv_option_spec options[] = {
	{ "job", "JOB,...", NULL, "a block for each of these jobs", TV_OPTION_LIST,
	  TV_INTO(struct estimate, jobs) },
};

const struct tv_panel tv_panel_estimate = {
	.name = "estimate",
	.title = "estimated over executed tasks of the chosen worker, for --estimate.job",
	.needs = "decisions, candidates, events",
	.kind = TV_FREE,
	.share = 2,
	TV_PANEL_OPTIONS(options, struct estimate),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
