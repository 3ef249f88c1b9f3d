/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choose.c -- which slices are tasks: by what their producer writes, by --task-state, or where nothing nests. */
#include <strings.h>

#include "convert/chrome/chrome.h"
#include "convert/regions.h"
#include "trace/alloc.h"
#include "trace/devices.h"
#include "trace/text.h"

/* ---- categories ---- */

static const struct {
	const char *category;
	enum tv_chrome_kind kind;
} known[] = {
	/* PyTorch's profiler (Kineto), also as it was until 2021 */
	{ "kernel", TV_CHROME_DEVICE_WORK },	 { "gpu_memcpy", TV_CHROME_DEVICE_WORK },
	{ "gpu_memset", TV_CHROME_DEVICE_WORK }, { "Kernel", TV_CHROME_DEVICE_WORK },
	{ "Memcpy", TV_CHROME_DEVICE_WORK },	 { "Memset", TV_CHROME_DEVICE_WORK },
};

static enum tv_chrome_kind kind_of_category(const char *category)
{
	const char *list = category, *word;
	size_t n;

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(category, known[i].category) == 0)
			return known[i].kind;
	if (tv_is_device_runtime(category))
		return TV_CHROME_LAUNCH;
	while ((word = tv_list_word(&list, &n)) != NULL)
		if ((n == 4 && strncasecmp(word, "task", n) == 0)
		    || (n == 5 && strncasecmp(word, "tasks", n) == 0)
		    || (n > 6 && strncmp(word, "task::", 6) == 0)) /* Ray */
			return TV_CHROME_TASK;
	return TV_CHROME_OTHER;
}

void tv_chrome_kinds(struct tv_chrome *c)
{
	for (size_t i = 0; i < c->nslice; i++) {
		uint32_t cat = c->slice[i].cat;

		if (cat != TV_NONE && tv_index_get(&c->kind_of, cat) == TV_NONE)
			tv_index_set(&c->kind_of, cat,
				     kind_of_category(tv_pool_text(c->trace->pool, cat)));
	}
}

/* ---- tasks ---- */

static bool has_kind(const struct tv_chrome *c, enum tv_chrome_kind kind)
{
	for (size_t i = 0; i < c->nslice; i++)
		if (tv_chrome_is_kind(c, &c->slice[i], kind))
			return true;
	return false;
}

/* Whether a lane that may be a worker has a slice in another one. */
static bool nests(const struct tv_chrome *c)
{
	for (size_t i = 0; i < c->nlane; i++)
		if (c->lane[i].nests && c->lane[i].why == NULL)
			return true;
	return false;
}

/* Of categories of tasks, what is inside a task of its lane is a region of it. Slices are in the order of lanes, begins, down(ends). */
static void leave_inner(struct tv_chrome *c)
{
	const struct tv_chrome_slice *task = NULL;

	for (size_t i = 0; i < c->nslice; i++) {
		struct tv_chrome_slice *slice = &c->slice[i];

		if (!slice->task)
			continue;
		slice->task = task == NULL || task->lane != slice->lane || task->end < slice->end
			   || slice->depth == 0;
		if (slice->task)
			task = slice;
	}
}

/* What the slices of their producers are. */
static void choose_known(struct tv_chrome *c, bool regions_too)
{
	bool device_work = has_kind(c, TV_CHROME_DEVICE_WORK) || has_kind(c, TV_CHROME_LAUNCH);
	bool named = !device_work && !c->guids && has_kind(c, TV_CHROME_TASK);
	bool all = !device_work && !c->guids && !named && !nests(c);

	for (size_t i = 0; i < c->nslice; i++) {
		struct tv_chrome_slice *slice = &c->slice[i];
		bool worker = c->lane[slice->lane].why == NULL;

		slice->task = tv_chrome_is_kind(c, slice, TV_CHROME_DEVICE_WORK)
			   || (worker && slice->more != TV_NONE
			       && c->more[slice->more].guid != TV_NONE)
			   || (regions_too && worker
			       && (all || (named && tv_chrome_is_kind(c, slice, TV_CHROME_TASK))));
	}
	if (named)
		leave_inner(c);
}

/* The slices as a table of states, for --task-state. */
static void list_slices(const struct tv_chrome *c, struct tv_trace *as)
{
	struct tv_column *resource = tv_trace_column(as, TV_STATES, "ResourceId"),
			 *type = tv_trace_column(as, TV_STATES, "Type"),
			 *value = tv_trace_column(as, TV_STATES, "Value"),
			 *start = tv_trace_column(as, TV_STATES, "Start"),
			 *end = tv_trace_column(as, TV_STATES, "End"),
			 *duration = tv_table_column(&as->table[TV_STATES], "Duration", TV_TIME,
						     NULL),
			 *depth = tv_trace_column(as, TV_STATES, "Depth");
	uint32_t region = tv_intern_text(c->trace->pool, TV_CHROME_REGION);

	for (size_t i = 0; i < c->nslice; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];
		uint32_t row = tv_table_add_row(&as->table[TV_STATES]);

		tv_set_label(resource, row, c->lane[slice->lane].resource);
		tv_set_label(type, row, slice->cat != TV_NONE ? slice->cat : region);
		tv_set_label(value, row, slice->name);
		tv_set_int(start, row, slice->start);
		tv_set_int(end, row, slice->end);
		tv_set_int(duration, row, slice->end - slice->start);
		tv_set_int(depth, row, slice->depth);
	}
	tv_table_finish(&as->table[TV_STATES]);
}

static int choose_asked(struct tv_chrome *c, struct tv_error *err)
{
	struct tv_trace regions;
	bool *chosen = tv_alloc(c->nslice, sizeof *chosen);
	int rc;

	tv_trace_init_beside(&regions, c->trace);
	regions.table[TV_STATES].unread = false;
	list_slices(c, &regions);
	rc = tv_regions_choose(&regions.table[TV_STATES], c->trace->options.task_state, chosen,
			       err);
	for (size_t i = 0; rc == 0 && i < c->nslice; i++)
		c->slice[i].task |= chosen[i];
	tv_trace_release(&regions);
	tv_free(chosen);
	return rc;
}

int tv_chrome_choose(struct tv_chrome *c, struct tv_error *err)
{
	bool asked = c->trace->options.task_state != NULL;

	choose_known(c, !asked);
	return asked ? choose_asked(c, err) : 0;
}
