/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lanes.c -- names of lanes and processes as resources and nodes; which lanes are no workers. */
#include <inttypes.h>

#include "convert/chrome/chrome.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* ---- what is no worker ---- */

static bool has_pids(const struct tv_chrome *c)
{
	for (size_t i = 0; i < c->nprocess; i++)
		if (tv_pool_text(c->names, c->process[i].pid)[0] != '\0')
			return true;
	return false;
}

/* Texts as pid, of PyTorch's profiler; Ray's old timelines have no other one than "". */
static bool is_made_up(const struct tv_chrome *c, const struct tv_chrome_lane *lane)
{
	const char *pid = tv_pool_text(c->names, c->process[lane->process].pid);

	if (strcmp(pid, "Spans") == 0 || strcmp(pid, "Traces") == 0)
		return true;
	if (pid[0] == '\0' && has_pids(c))
		return true;
	return strcmp(tv_pool_text(c->names, lane->tid), "-1") == 0;
}

/* By process: the first begin and last end of all slices. */
struct spans {
	int64_t first, last;
	uint32_t lanes, single; /* with slices; with one, which is called as the lane */
	uint32_t around;	/* with one, which is around all slices */
};

static bool is_named_as_slice(const struct tv_chrome *c, const struct tv_chrome_lane *lane)
{
	return lane->end - lane->begin == 1 && lane->name != TV_NONE
	    && c->slice[lane->begin].name == lane->name;
}

/* Whether the lane's only slice encloses all slices of its process, which has others. */
static bool is_around(const struct tv_chrome *c, const struct tv_chrome_lane *lane,
		      const struct spans *span)
{
	return lane->end - lane->begin == 1 && span->lanes > 1
	    && c->slice[lane->begin].start <= span->first
	    && c->slice[lane->begin].end >= span->last;
}

static struct spans *measure(const struct tv_chrome *c)
{
	struct spans *of = tv_alloc(c->nprocess, sizeof *of);

	for (size_t i = 0; i < c->nlane; i++) {
		const struct tv_chrome_lane *lane = &c->lane[i];
		struct spans *span = &of[lane->process];

		if (lane->begin == lane->end)
			continue;
		for (size_t k = lane->begin; k < lane->end; k++) {
			const struct tv_chrome_slice *slice = &c->slice[k];
			bool none = span->lanes == 0 && k == lane->begin;

			span->first = none || slice->start < span->first ? slice->start
									 : span->first;
			span->last = none || slice->end > span->last ? slice->end : span->last;
		}
		span->lanes++;
		span->single += is_named_as_slice(c, lane);
	}
	for (size_t i = 0; i < c->nlane; i++)
		of[c->lane[i].process].around += is_around(c, &c->lane[i], &of[c->lane[i].process]);
	return of;
}

static const char *why_no_worker(const struct tv_chrome *c, const struct tv_chrome_lane *lane,
				 const struct spans *span)
{
	if (is_made_up(c, lane))
		return "of the recorder";
	if (lane->begin == lane->end)
		return NULL;
	if (span->lanes >= 4 && 4 * span->single >= 3 * span->lanes && is_named_as_slice(c, lane))
		return "a lane for each slice";
	if (span->around == 1 && is_around(c, lane, span))
		return "one span around all others";
	return NULL;
}

/* --workers PATTERN: these and no others. */
static const char *why_not_asked(const struct tv_chrome *c, const struct tv_chrome_lane *lane)
{
	return tv_glob_list(c->trace->options.workers, tv_pool_text(c->trace->pool, lane->resource))
		     ? NULL
		     : "not in --workers";
}

static void find_workers(struct tv_chrome *c)
{
	struct spans *of = measure(c);

	for (size_t i = 0; i < c->nlane; i++) {
		struct tv_chrome_lane *lane = &c->lane[i];

		if (!lane->used)
			continue;
		lane->why = c->trace->options.workers != NULL
				  ? why_not_asked(c, lane)
				  : why_no_worker(c, lane, &of[lane->process]);
		if (lane->why != NULL && lane->begin < lane->end)
			tv_meta_add(c->trace, "NoWorker", "%s: %s",
				    tv_pool_text(c->trace->pool, lane->resource), lane->why);
	}
	tv_free(of);
}

/* ---- nodes ---- */

bool tv_chrome_has_ranks(const struct tv_chrome *c)
{
	for (uint32_t i = 0; i < c->file; i++)
		for (uint32_t k = 0; k <= i; k++)
			if (c->input[i].rank < 0 || (k < i && c->input[k].rank == c->input[i].rank))
				return false;
	return true;
}

/* How many processes have a label as name or pid. */
static struct tv_map count_processes(const struct tv_chrome *c)
{
	struct tv_map count = { 0 };

	for (size_t i = 0; i < c->nprocess; i++) {
		const struct tv_chrome_process *process = &c->process[i];
		uint32_t pid = tv_intern_text(c->trace->pool, tv_pool_text(c->names, process->pid));

		for (int both = 0; both < 1 + (process->name != pid); both++) {
			uint32_t *n = tv_map_at(&count, both == 0 ? process->name : pid, 0);

			*n = *n == TV_NONE ? 1 : *n + 1;
		}
	}
	return count;
}

/* Files with work of devices are one node each, as their processes are devices. */
static void name_nodes(struct tv_chrome *c, bool by_file)
{
	struct tv_map names = count_processes(c);
	bool ranks = tv_chrome_has_ranks(c);

	for (size_t i = 0; i < c->nprocess; i++) {
		struct tv_chrome_process *process = &c->process[i];
		int64_t file = ranks ? c->input[process->file].rank : (int64_t)process->file;
		const char *pid = tv_pool_text(c->names, process->pid);
		char *text;

		if (by_file)
			text = tv_format("%" PRId64, c->file == 1 && !ranks ? 0 : file);
		else if (process->name != TV_NONE && *tv_map_get(&names, process->name, 0) == 1)
			text = tv_strdup(tv_pool_text(c->trace->pool, process->name));
		else if (c->file > 1)
			text = tv_format("%" PRId64 ".%s", file, pid);
		else
			text = tv_strdup(pid);
		process->node = tv_intern_text(c->trace->pool, text);
		tv_free(text);
	}
	tv_map_release(&names);
}

static bool has_device_work(const struct tv_chrome *c)
{
	for (size_t i = 0; i < c->nslice; i++)
		if (tv_chrome_is_kind(c, &c->slice[i], TV_CHROME_DEVICE_WORK)
		    || tv_chrome_is_kind(c, &c->slice[i], TV_CHROME_LAUNCH))
			return true;
	return false;
}

/* Nodes with slices, samples or instants: by label 1. */
static size_t count_nodes(const struct tv_chrome *c)
{
	size_t n = 0;
	uint32_t last = TV_NONE;

	for (size_t i = 0; i < c->nlane; i++)
		if (c->lane[i].begin < c->lane[i].end
		    && c->process[c->lane[i].process].node != last) {
			last = c->process[c->lane[i].process].node;
			n++;
		}
	return n;
}

/* ---- names ---- */

/* The name of a lane: that of the thread, with the tid where several have it, else the tid. */
static char *base_name(const struct tv_chrome *c, const struct tv_chrome_lane *lane,
		       bool name_is_unique)
{
	const char *tid = tv_pool_text(c->names, lane->tid);
	bool number = tid[strspn(tid, "0123456789-")] == '\0';

	if (lane->name == TV_NONE)
		return tv_format("%s%s", number ? "thread" : "", tid);
	if (name_is_unique)
		return tv_strdup(tv_pool_text(c->trace->pool, lane->name));
	return tv_format("%s %s", tv_pool_text(c->trace->pool, lane->name), tid);
}

/* APEX calls all of them so. */
#define APEX_THREAD "CPU Thread"

static char *worker_name(const struct tv_chrome *c, const struct tv_chrome_lane *lane,
			 bool name_is_unique)
{
	const char *name = lane->name != TV_NONE ? tv_pool_text(c->trace->pool, lane->name) : "";

	if (c->guids && strcmp(name, APEX_THREAD) == 0)
		return tv_format("CPU%s", tv_pool_text(c->names, lane->tid));
	return base_name(c, lane, name_is_unique);
}

/* The device and stream of a lane that has work of devices: of its first slice that has them, else of pid and tid. */
static bool stream_name(const struct tv_chrome *c, const struct tv_chrome_lane *lane, char **name)
{
	bool device_work = false;

	for (size_t i = lane->begin; i < lane->end; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];
		const struct tv_chrome_work *work = tv_chrome_work_of(c, slice);

		if (!tv_chrome_is_kind(c, slice, TV_CHROME_DEVICE_WORK))
			continue;
		device_work = true;
		if (work != NULL && work->device >= 0 && work->stream >= 0) {
			*name = tv_format("GPU%" PRId64 ".%" PRId64, work->device, work->stream);
			return true;
		}
	}
	if (device_work)
		*name = tv_format("GPU%s.%s", tv_pool_text(c->names, c->process[lane->process].pid),
				  tv_pool_text(c->names, lane->tid));
	return device_work;
}

/* The name as a label that no lane has yet. */
static uint32_t unused(struct tv_chrome *c, struct tv_map *used, const char *name)
{
	for (unsigned k = 1;; k++) {
		char *text = k == 1 ? tv_strdup(name) : tv_format("%s#%u", name, k);
		uint32_t label = tv_intern_text(c->trace->pool, text), *place;

		tv_free(text);
		place = tv_map_at(used, label, 0);
		if (*place == TV_NONE) {
			*place = 0;
			return label;
		}
	}
}

static void add_resource(struct tv_chrome *c, uint32_t resource, const char *type, size_t n,
			 uint32_t node)
{
	uint32_t row = tv_table_add_row(&c->trace->table[TV_RESOURCES]);

	tv_set_label(tv_trace_column(c->trace, TV_RESOURCES, "ResourceId"), row, resource);
	tv_set_string(tv_trace_column(c->trace, TV_RESOURCES, "ResourceType"), row, type, n);
	tv_set_label(tv_trace_column(c->trace, TV_RESOURCES, "Node"), row, node);
}

/* How many lanes of a process have a name. */
static struct tv_map count_names(const struct tv_chrome *c)
{
	struct tv_map count = { 0 };

	for (size_t i = 0; i < c->nlane; i++) {
		uint32_t *n;

		if (c->lane[i].name == TV_NONE)
			continue;
		n = tv_map_at(&count, c->lane[i].process, c->lane[i].name);
		*n = *n == TV_NONE ? 1 : *n + 1;
	}
	return count;
}

static void name_lanes(struct tv_chrome *c, bool several_nodes)
{
	struct tv_map names = count_names(c), used = { 0 };

	for (size_t i = 0; i < c->nlane; i++) {
		struct tv_chrome_lane *lane = &c->lane[i];
		const uint32_t *same = tv_map_get(&names, lane->process, lane->name);
		const char *node = tv_pool_text(c->trace->pool, c->process[lane->process].node);
		char *name, *whole;

		if (!stream_name(c, lane, &name))
			name = worker_name(c, lane, same == NULL || *same == 1);
		whole = several_nodes ? tv_format("%s_%s", node, name) : tv_strdup(name);
		lane->resource = unused(c, &used, whole);
		tv_free(name);
		tv_free(whole);
	}
	tv_map_release(&names);
	tv_map_release(&used);
}

/* The resource of a process, for its counters: the node's name, which no lane has. */
static void name_processes(struct tv_chrome *c, bool several_nodes)
{
	for (size_t i = 0; i < c->nprocess; i++) {
		struct tv_chrome_process *process = &c->process[i];
		char *text = several_nodes ? tv_format("%s_process",
						       tv_pool_text(c->trace->pool, process->node))
					   : tv_strdup("process");

		process->resource = tv_intern_text(c->trace->pool, text);
		tv_free(text);
	}
}

/* Only lanes and processes that something is on. */
static void add_resources(struct tv_chrome *c, bool several_nodes)
{
	for (size_t i = 0; i < c->nlane; i++) {
		const struct tv_chrome_lane *lane = &c->lane[i];
		uint32_t node = c->process[lane->process].node;
		const char *name = tv_pool_text(c->trace->pool, lane->resource);
		struct tv_resource_words words;

		if (!lane->used)
			continue;
		if (several_nodes)
			name += strlen(tv_pool_text(c->trace->pool, node)) + 1;
		words = tv_resource_words(name);
		if (lane->why != NULL)
			add_resource(c, lane->resource, "lane", strlen("lane"), node);
		else
			add_resource(c, lane->resource, words.type, words.type_length, node);
	}
	for (size_t i = 0; i < c->nprocess; i++)
		if (c->process[i].used)
			add_resource(c, c->process[i].resource, "process", strlen("process"),
				     c->process[i].node);
}

static void mark_used(struct tv_chrome *c)
{
	for (size_t i = 0; i < c->nlane; i++)
		c->lane[i].used = c->lane[i].begin < c->lane[i].end;
	for (size_t i = 0; i < c->ninstant; i++) {
		struct tv_chrome_lane *lane = &c->lane[c->instant[i].lane];

		*(c->instant[i].async ? &c->process[lane->process].used : &lane->used) = true;
	}
	for (size_t i = 0; i < c->nsample; i++)
		c->process[c->sample[i].process].used = true;
	for (size_t i = 0; i < c->nasync; i++)
		c->process[c->lane[c->async[i].lane].process].used = true;
}

void tv_chrome_lanes(struct tv_chrome *c)
{
	bool several;

	name_nodes(c, has_device_work(c));
	several = count_nodes(c) > 1;
	if (!several)
		for (size_t i = 0; i < c->nprocess; i++)
			c->process[i].node = tv_intern_text(c->trace->pool, "0");
	name_lanes(c, several);
	name_processes(c, several);
	mark_used(c);
	find_workers(c);
	add_resources(c, several);
}
