/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chrome.c -- Chrome trace events (JSON), as APEX, PyTorch's profiler, Ray, dask, TAU and many others write them: the steps from
 * records to tables.
 */
#include "convert/chrome/chrome.h"
#include "convert/formats.h"
#include "convert/words.h"
#include "trace/alloc.h"
#include "trace/timings.h"

/* Members beside traceEvents, which may come before it and fill the head. */
static bool has_known_member(const char *head, size_t n)
{
	static const char *const known[] = { "\"traceEvents\"", "\"displayTimeUnit\"",
					     "\"deviceProperties\"", "\"schemaVersion\"",
					     "\"baseTimeNanoseconds\"" };

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (tv_head_has(head, n, known[i]))
			return true;
	return false;
}

static int probe(const char *head, size_t n)
{
	size_t i = 0;

	while (i < n && (head[i] == ' ' || head[i] == '\n' || head[i] == '\r' || head[i] == '\t'))
		i++;
	if (i < n && head[i] == '[')
		return tv_head_has(head, n, "\"ph\"") ? 90 : 0;
	if (i < n && head[i] == '{')
		return has_known_member(head, n) ? 90 : n >= TV_PROBE_BYTES ? 10 : 0;
	return 0;
}

void *tv_chrome_begin(struct tv_trace *trace)
{
	struct tv_chrome *c = tv_alloc(1, sizeof *c);

	c->trace = trace;
	c->names = tv_pool_new();
	c->last_lane = c->mpi = c->id_arg = TV_NONE;
	return c;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	TV_STAGE("events", NULL);
	return tv_chrome_collect(state, in, err);
}

/* Events of phases that are no part of any table. */
static void note_unread(struct tv_chrome *c)
{
	for (int i = 0; i < (int)TV_COUNT(c->unread); i++)
		if (c->unread[i] > 0)
			tv_meta_add(c->trace, "NotRead", "%llu events of phase %c",
				    (unsigned long long)c->unread[i], i);
}

int tv_chrome_finish(void *state, struct tv_error *err)
{
	struct tv_chrome *c = state;
	struct tv_chrome_edges edges = { 0 };
	int rc;

	c->trace->runs = c->repeats && !tv_chrome_has_ranks(c);
	if (c->own != NULL || c->trace->native)
		return 0;
	tv_chrome_nest(c);
	tv_chrome_kinds(c);
	tv_chrome_lanes(c);
	rc = tv_chrome_choose(c, err);
	if (rc == 0) {
		tv_chrome_find_ids(c);
		tv_chrome_flows(c, &edges);
		tv_chrome_rows(c, &edges);
		note_unread(c);
	}
	tv_free(edges.edge);
	return rc;
}

void tv_chrome_free(void *state)
{
	struct tv_chrome *c = state;

	tv_pool_free(c->names);
	tv_map_release(&c->processes);
	tv_map_release(&c->lanes);
	tv_map_release(&c->keys);
	tv_free(c->kind_of.at);
	tv_free(c->process);
	tv_free(c->lane);
	tv_free(c->slice);
	tv_free(c->mark);
	tv_free(c->more);
	tv_free(c->work);
	tv_free(c->instant);
	tv_free(c->sample);
	tv_free(c->flow);
	tv_free(c->async);
	tv_free(c->parent);
	tv_free(c->input);
	tv_free(c->arg);
	tv_free(c->arg_name);
	tv_free(c->arg_of.at);
	tv_chrome_own_free(c->own);
	tv_free(c);
}

const struct tv_reader tv_chrome_reader = {
	.name = "chrome",
	.summary = "Chrome trace events (JSON): APEX, PyTorch, Ray, dask, TAU, traceviz's own",
	.brings = TV_BRINGS_TASKS | TV_BRINGS(STATES) | TV_BRINGS(VARIABLES) | TV_BRINGS(LINKS)
		| TV_BRINGS(MESSAGES) | TV_BRINGS(EVENTS),
	.probe = probe,
	.begin = tv_chrome_begin,
	.read = read_file,
	.finish = tv_chrome_finish,
	.free = tv_chrome_free,
	.memory = 3,
	.ranks = true,
};
