/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer_observed.c -- the chain of tasks and waits that made the run as long as it was. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "dag/causes.h"
#include "views/layers/layers.h"

enum { TASK, DIRECT, MESSAGE, CAUSES };

/* The key and color of waits by their cause. */
#define KEY_NOT_SUBMITTED "not submitted"
#define KEY_DEPENDENCIES  "dependencies"
#define KEY_WORKER	  "worker"
#define KEY_OTHER_TASK	  "other task"
#define KEY_DATA	  "data"
#define KEY_RUNTIME	  "runtime"
#define KEY_MESSAGE	  "before messages"
enum {
	COLOR_NOT_SUBMITTED = 0x9dff3a,
	COLOR_DEPENDENCIES = 0xffffff,
	COLOR_WORKER = 0xff3fd0,
	COLOR_OTHER_TASK = 0xffb43f,
	COLOR_DATA = 0xb48cff,
	COLOR_RUNTIME = 0xff6a4d,
	COLOR_MESSAGE = 0x19e3ff,
};

/* Looks of waits, from CAUSES on. */
static const struct {
	const char *name, *key;
	uint32_t color;
} causes[] = {
#define LOOK(symbol, name) [TV_WAIT_##symbol] = { name, KEY_##symbol, COLOR_##symbol },
	TV_WAIT_CAUSES(LOOK)
#undef LOOK
};
_Static_assert(CAUSES + TV_COUNT(causes) <= TV_LOOKS_MAX, "a look for every cause");

/* The result of the pass critical-path. */
struct path {
	const struct tv_column *segment, *job, *start, *end, *cause;
	const struct tv_column *part; /* segment of the task; NULL without segments */
	uint32_t n;
	uint32_t task, wait; /* labels of segments */
	struct tv_jobs jobs;
};

static void read_path(struct path *path, struct tv_figure *figure, const struct tv_table *table)
{
	*path = (struct path){
		.segment = tv_table_find(table, "Part"),
		.job = tv_table_find(table, "JobId"),
		.start = tv_table_find(table, "Start"),
		.end = tv_table_find(table, "End"),
		.cause = tv_table_find(table, "Cause"),
		.part = tv_table_find(table, "Segment"),
		.n = table->nrows,
		.task = tv_pool_find_text(table->pool, "task"),
		.wait = tv_pool_find_text(table->pool, "wait"),
	};
	tv_jobs_init(&path->jobs, figure->run);
}

/* The row of tasks of the first segment from i on that is one; TV_NONE if there is none. */
static uint32_t next_task(const struct path *path, uint32_t i)
{
	while (i < path->n && tv_label(path->segment, i) != path->task)
		i++;
	return i == path->n || tv_label(path->job, i) == TV_NONE
		     ? TV_NONE
		     : tv_jobs_segment(&path->jobs, tv_label(path->job, i),
				       tv_segment_at(path->part, i))
			       .first;
}

static uint32_t look_of(const struct path *path, const struct tv_pool *pool, uint32_t i)
{
	const char *name = tv_pool_text(pool, tv_label(path->cause, i));
	uint32_t c = 0;

	while (strcmp(causes[c].name, name) != 0) {
		c++;
		assert(c < TV_COUNT(causes));
	}
	return CAUSES + c;
}

/* Segment i as line or outline; `from`: the last row of the chain so far, updated. time: sums by
 * style. */
static void add_segment(struct tv_layer *layer, const struct path *path, const struct tv_pool *pool,
			uint32_t i, uint32_t *from, int64_t *time)
{
	uint32_t kind = tv_label(path->segment, i), to = next_task(path, i);
	struct tv_link link = { .from = *from, .begin = path->start->i[i], .end = path->end->i[i] };
	bool leads_on = kind == path->wait && i + 1 < path->n
		     && tv_label(path->job, i) == tv_label(path->job, i + 1)
		     && tv_segment_at(path->part, i) == tv_segment_at(path->part, i + 1)
		     && tv_label(path->segment, i + 1) != path->task;

	if (to == TV_NONE)
		return;
	link.style = kind == path->task ? TASK
		   : kind == path->wait ? look_of(path, pool, i)
					: MESSAGE;
	time[link.style] += link.end - link.begin;
	link.from = *from == TV_NONE ? to : *from;
	/* Before a message was sent, time passed where the task ran that it came from. */
	link.to = leads_on ? link.from : to;
	*from = link.to;
	if (kind != path->task) {
		tv_layer_link(layer, link);
		return;
	}
	if (link.from != to && i > 0) {
		link.end = link.begin;
		link.style = DIRECT;
		tv_layer_link(layer, link);
	}
	tv_layer_outline(layer, to, TASK);
}

static void key(struct tv_layer *layer, const struct tv_figure *figure, uint32_t style,
		const char *name, int64_t time)
{
	char text[96], length[48];

	if (time == 0)
		return;
	tv_time_text(length, sizeof length, time, figure->unit);
	snprintf(text, sizeof text, "%s %s", name, length);
	tv_layer_key(layer, style, text);
}

static void fill(struct tv_layer *layer, const struct tv_figure *figure, const struct path *path,
		 const struct tv_pool *pool)
{
	int64_t time[CAUSES + TV_COUNT(causes)] = { 0 };
	uint32_t from = TV_NONE;

	layer->style[TASK] = (struct tv_style){ "critical", 0xffe100, 1.1, TV_SOLID };
	layer->style[DIRECT] = (struct tv_style){ "follows", 0xffe100, 0.8, TV_SOLID };
	layer->style[MESSAGE] = (struct tv_style){ "transfer", 0x19e3ff, 0.9, TV_DOTTED };
	for (uint32_t c = 0; c < TV_COUNT(causes); c++)
		layer->style[CAUSES + c] = (struct tv_style){ "wait", causes[c].color, 1,
							      TV_SOLID };
	for (uint32_t i = 0; i < path->n; i++)
		add_segment(layer, path, pool, i, &from, time);
	key(layer, figure, TASK, "tasks", time[TASK]);
	key(layer, figure, MESSAGE, "messages", time[MESSAGE]);
	for (uint32_t c = 0; c < TV_COUNT(causes); c++)
		key(layer, figure, CAUSES + c, causes[c].key, time[CAUSES + c]);
}

int tv_layer_observed(struct tv_figure *figure, const struct tv_layer_options *options,
		      struct tv_layer **layers, struct tv_error *err)
{
	const struct tv_table *table;
	struct tv_layer *layer = NULL;
	struct path path = { 0 };
	int rc;

	if (options->observed == NULL)
		return 0;
	rc = tv_layer_observed_path(figure, "observed", options->observed, &table, err);
	if (rc == 0)
		read_path(&path, figure, table);
	if (rc == 0) {
		layer = tv_layer_add(layers, "observed-chain");
		snprintf(layer->title, sizeof layer->title, "observed chain%s",
			 strcmp(options->observed, "deps") == 0 ? ", dependencies only" : "");
		fill(layer, figure, &path, table->pool);
	}
	tv_jobs_release(&path.jobs);
	return rc < 0 ? -1 : 0;
}
