/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c -- tasks as early as their dependencies and the recorded order of their worker allow. */
#include "sim/replay.h"

#include <stddef.h>
#include <string.h>

#include "sim/schedulers.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define NONE UINT32_MAX

/* A node, and when it started. */
struct turn {
	int64_t start;
	uint32_t rank, node;
};

TV_ORDER(by_rank, struct turn, rank)

void tv_sim_recorded_order(const struct tv_sim_graph *graph, const struct tv_sim_machine *machine,
			   const struct tv_sim_recorded *recorded, uint32_t *sequence,
			   uint32_t *first)
{
	uint32_t n = graph->n, nworkers = machine->nworkers;
	struct turn *all = tv_alloc(n, sizeof *all);
	uint32_t *at = tv_alloc((size_t)nworkers + 1, sizeof *at);

	memset(first, 0, ((size_t)nworkers + 1) * sizeof *first);
	for (uint32_t v = 0; v < n; v++) {
		all[v] = (struct turn){ recorded->start[v], graph->rank[v], v };
		if (tv_sim_delay(graph, v) < 0)
			first[recorded->worker[v] + 1]++;
	}
	for (uint32_t w = 0; w < nworkers; w++)
		first[w + 1] += first[w];
	memcpy(at, first, nworkers * sizeof *at);
	tv_sort_by_time(all, n, sizeof *all, offsetof(struct turn, start), by_rank);
	for (uint32_t i = 0; i < n; i++)
		if (tv_sim_delay(graph, all[i].node) < 0)
			sequence[at[recorded->worker[all[i].node]]++] = all[i].node;
	tv_free(at);
	tv_free(all);
}

struct replay {
	const struct tv_sim_graph *graph;
	const struct tv_sim_machine *machine;
	const struct tv_sim_options *options;
	struct tv_sim_schedule *out;
	uint32_t *next;	 /* by node: the one after it on its worker; NONE */
	uint32_t *waits; /* by node: what it comes after and that has not ended */
	uint32_t *stack; /* nodes that can start */
	size_t nstack, cap;
	int64_t *until; /* by worker: end of its last node so far */
	int64_t first, last;
};

/* Whether the events could do no more than this. */
static bool is_plain(const struct tv_sim_graph *graph, const struct tv_sim_machine *machine,
		     const struct tv_sim_options *options)
{
	if (options->scheduler->place != TV_SIM_RECORDED || options->memory != NULL
	    || options->numa != NULL || options->window > 0 || options->exclusion != NULL
	    || options->may_take != NULL || graph->creator != NULL)
		return false;
	for (uint32_t v = 0; v < graph->n; v++)
		if (tv_sim_delay(graph, v) < 0
		    && !tv_sim_runs(machine, graph->group[v],
				    machine->type[options->recorded->worker[v]]))
			return false;
	return true;
}

static void allocate(struct replay *r)
{
	uint32_t n = r->graph->n;

	*r->out = (struct tv_sim_schedule){ .released = tv_alloc(n, sizeof *r->out->released) };
	if (!r->options->makespan_only) {
		r->out->worker = tv_alloc(n, sizeof *r->out->worker);
		r->out->start = tv_alloc(n, sizeof *r->out->start);
		r->out->end = tv_alloc(n, sizeof *r->out->end);
		r->out->submitted = tv_alloc(n, sizeof *r->out->submitted);
	}
	r->next = tv_alloc(n, sizeof *r->next);
	r->waits = tv_alloc(n, sizeof *r->waits);
	r->until = tv_alloc(r->machine->nworkers, sizeof *r->until);
}

/* Until a node has ended what it depends on, `released` is its submission. */
static void submit(struct replay *r)
{
	const struct tv_sim_graph *graph = r->graph;
	size_t size = graph->n * sizeof *graph->submit;

	if (graph->submit == NULL)
		return;
	memcpy(r->out->released, graph->submit, size);
	if (r->out->submitted != NULL)
		memcpy(r->out->submitted, graph->submit, size);
}

static void make_ready(struct replay *r, uint32_t v)
{
	TV_GROW(r->stack, r->nstack, r->cap, 1);
	r->stack[r->nstack++] = v;
}

static void count_waits(struct replay *r)
{
	const struct tv_sim_graph *graph = r->graph;
	const struct tv_sim_recorded *recorded = r->options->recorded;
	const uint32_t *sequence = recorded->sequence, *first = recorded->first;
	uint32_t n = graph->n, nworkers = r->machine->nworkers;
	uint32_t *found = NULL, *found_first = NULL;

	if (sequence == NULL) {
		sequence = found = tv_alloc(n, sizeof *found);
		first = found_first = tv_alloc((size_t)nworkers + 1, sizeof *found_first);
		tv_sim_recorded_order(graph, r->machine, recorded, found, found_first);
	}
	for (uint32_t v = 0; v < n; v++)
		r->next[v] = NONE;
	for (uint32_t w = 0; w < nworkers; w++)
		for (uint32_t i = first[w]; i + 1 < first[w + 1]; i++) {
			r->next[sequence[i]] = sequence[i + 1];
			r->waits[sequence[i + 1]]++;
		}
	for (uint32_t e = 0; e < graph->first[n]; e++)
		r->waits[graph->next[e]]++;
	for (uint32_t v = 0; v < n; v++)
		if (r->waits[v] == 0)
			make_ready(r, v);
	tv_free(found);
	tv_free(found_first);
}

static void let_go(struct replay *r, uint32_t v)
{
	if (--r->waits[v] == 0)
		make_ready(r, v);
}

/* Work on its worker; what is none at once. Returns when it ends. */
static int64_t run(struct replay *r, uint32_t v)
{
	struct tv_sim_schedule *out = r->out;
	uint32_t w = r->options->recorded->worker[v];
	int64_t time = tv_sim_delay(r->graph, v), start = out->released[v];

	if (out->worker != NULL)
		out->worker[v] = time < 0 ? w : NONE;
	if (time < 0) {
		time = r->options->cost(r->options->context, v, r->machine->type[w]);
		start = r->until[w] > start ? r->until[w] : start;
		r->until[w] = start + time;
		r->first = start < r->first ? start : r->first;
		r->last = r->until[w] > r->last ? r->until[w] : r->last;
	}
	tv_sim_note(out->start, v, start);
	tv_sim_note(out->end, v, start + time);
	return start + time;
}

/* How many nodes ran. */
static uint32_t run_all(struct replay *r)
{
	const struct tv_sim_graph *graph = r->graph;
	uint32_t n = 0;

	for (; r->nstack > 0; n++) {
		uint32_t v = r->stack[--r->nstack];
		int64_t end = run(r, v);

		for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
			uint32_t next = graph->next[e];
			int64_t wait = tv_sim_wait(graph, next, v),
				at = wait > 0 ? end + wait : end;
			int64_t *released = &r->out->released[next];

			*released = at > *released ? at : *released;
			if (wait >= 0)
				tv_sim_note(r->out->submitted, next, at);
			let_go(r, next);
		}
		if (r->next[v] != NONE)
			let_go(r, r->next[v]);
	}
	return n;
}

bool tv_sim_replay(const struct tv_sim_graph *graph, const struct tv_sim_machine *machine,
		   const struct tv_sim_options *options, struct tv_sim_schedule *schedule)
{
	struct replay r = { .graph = graph,
			    .machine = machine,
			    .options = options,
			    .out = schedule,
			    .first = INT64_MAX };
	bool done;

	if (!is_plain(graph, machine, options))
		return false;
	allocate(&r);
	submit(&r);
	count_waits(&r);
	done = run_all(&r) == graph->n;
	schedule->makespan = r.last > r.first ? r.last - r.first : 0;
	tv_free(r.next);
	tv_free(r.waits);
	tv_free(r.stack);
	tv_free(r.until);
	if (!done)
		tv_sim_release(schedule);
	return done;
}
