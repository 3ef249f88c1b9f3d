/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c -- the loop over events of a simulation. */
#include "sim/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/first_free.h"
#include "sim/holds.h"
#include "sim/members.h"
#include "sim/memory.h"
#include "sim/numa.h"
#include "sim/offers.h"
#include "sim/replay.h"
#include "sim/schedulers.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define NONE UINT32_MAX

struct sim {
	const struct tv_sim_graph *graph;
	const struct tv_sim_machine *machine;
	const struct tv_sim_options *options;
	struct tv_sim_schedule *out;
	struct tv_sim_queues *queues;
	struct tv_sim_holds *holds;	/* NULL = no tasks exclude each other */
	struct tv_sim_copies *copies;	/* NULL = transfers take no time */
	struct tv_sim_numa_state *numa; /* NULL = tasks take their cost */
	uint32_t *waits;   /* by node: predecessors that have not ended, + 1 until created, with a
			 window + 1 until submitted; NONE once it has begun */
	uint32_t *by_rank; /* nodes in order of submission; NULL without a window */
	struct tv_agenda
		unsubmitted; /* without a window: nodes that wait only for their submission */
	uint32_t passed;     /* then: of those submitted at this instant, smaller ranks are */
	struct tv_sim_members members;
	struct tv_sim_offers *offers;
	int64_t *until;			      /* by worker: when the last of them ends */
	struct tv_sim_first_free *first_free; /* of that; NULL = nothing is awaited */
	struct tv_agenda ends;		      /* nodes that run, by end, with their worker */
	uint32_t *first_child, *child; /* created by v: child[first_child[v]] and on; NULL = none */
	struct tv_agenda
		creations; /* nodes whose creator runs, or what it waited for has ended, by creation */
	struct tv_agenda arrivals; /* workers, by the begin of their presence */
	uint32_t nsubmitted, nended;
	uint32_t unrunnable; /* a node that no worker can run; NONE */
	int64_t first, last; /* earliest start and latest end of work */
	int64_t now;
};

static bool is_created(const struct tv_sim_graph *graph, uint32_t node)
{
	return graph->creator != NULL && graph->creator[node] != NONE;
}

/* What a node creates, given that it starts then and takes that time. */
static void create_children(struct sim *sim, uint32_t node, int64_t start, int64_t time)
{
	for (uint32_t k = sim->first_child[node]; k < sim->first_child[node + 1]; k++) {
		uint32_t v = sim->child[k];

		tv_agenda_push(&sim->creations,
			       (struct tv_due){
				       start + llround(sim->graph->created[v] * (double)time), v });
	}
}

static void begin(struct sim *sim, uint32_t node, uint32_t worker, int64_t start, int64_t time)
{
	sim->waits[node] = NONE;
	if (sim->out->worker != NULL)
		sim->out->worker[node] = worker;
	tv_sim_note(sim->out->start, node, start);
	tv_sim_note(sim->out->end, node, start + time);
	if (sim->child != NULL)
		create_children(sim, node, start, time);
	tv_agenda_push(&sim->ends, (struct tv_due){ start + time, node, worker });
}

static bool is_present(const struct sim *sim, uint32_t worker)
{
	const struct tv_sim_presence *present = sim->options->present;

	return present == NULL
	    || (present[worker].begin <= sim->now && sim->now < present[worker].end);
}

/* Of those that can run a node, the worker that is free first; NONE = none is there. */
static uint32_t first_free(const struct sim *sim, uint32_t node)
{
	uint32_t w;

	while ((w = tv_sim_first_free(sim->first_free, sim->graph->group[node])) != NONE
	       && !is_present(sim, w))
		tv_sim_free_at(sim->first_free, w, INT64_MAX); /* it has left, or not come */
	return w;
}

/* The only worker that may run a node; NONE if it may run on any. */
static uint32_t tied_worker(const struct sim *sim, uint32_t node)
{
	const struct tv_sim_graph *graph = sim->graph;
	uint32_t worker;

	if (sim->options->scheduler->place == TV_SIM_RECORDED)
		return NONE;
	if (graph->tied == NULL || graph->tied[node] == NONE)
		return graph->awaited != NULL && graph->awaited[node] ? first_free(sim, node)
								      : NONE;
	worker = sim->out->worker[graph->tied[node]];
	return worker != NONE
			    && tv_sim_runs(sim->machine, graph->group[node],
					   sim->machine->type[worker])
		     ? worker
		     : NONE;
}

static void release(struct sim *sim, uint32_t node, uint32_t by)
{
	int64_t delay = tv_sim_delay(sim->graph, node);
	uint32_t tied = delay >= 0 ? NONE : tied_worker(sim, node);

	tv_sim_note(sim->out->released, node, sim->now);
	if (delay >= 0)
		begin(sim, node, NONE, sim->now, delay);
	else if (tied != NONE)
		tv_sim_push_tied(sim->queues, node, tied, sim->now);
	else if (!tv_sim_push(sim->queues, node, by, sim->now) && sim->unrunnable == NONE)
		sim->unrunnable = node;
}

static int64_t submission_of(const struct sim *sim, uint32_t node)
{
	return sim->graph->submit != NULL ? sim->graph->submit[node] : 0;
}

/* A node waits for nothing else but handles, and, without a window, its submission. */
static void let_begin(struct sim *sim, uint32_t node, uint32_t by)
{
	int64_t submission = submission_of(sim, node);

	if (sim->by_rank == NULL
	    && (submission > sim->now
		|| (submission == sim->now && sim->graph->rank[node] >= sim->passed)))
		tv_agenda_push(&sim->unsubmitted,
			       (struct tv_due){ submission, sim->graph->rank[node], node });
	else if (sim->holds == NULL || tv_sim_hold(sim->holds, node))
		release(sim, node, by);
}

/* One reason less for a node to wait. */
static void let_go(struct sim *sim, uint32_t node, uint32_t by)
{
	if (--sim->waits[node] == 0)
		let_begin(sim, node, by);
}

static void end(struct sim *sim, uint32_t node, uint32_t worker)
{
	const struct tv_sim_graph *graph = sim->graph;

	/* What follows the next one is fetched from memory meanwhile. */
	if (sim->ends.n > 0)
		__builtin_prefetch(&graph->next[graph->first[tv_agenda_first(&sim->ends)->then]]);
	sim->nended++;
	if (worker != NONE) {
		if (sim->numa != NULL)
			tv_sim_numa_end(sim->numa, node, worker, sim->now);
		if (sim->copies != NULL)
			tv_sim_let_leave(sim->copies, node, worker);
		tv_sim_offers_ended(sim->offers, worker);
		sim->last = sim->now;
	}
	if (sim->holds != NULL)
		for (uint32_t v = tv_sim_holds_end(sim->holds, node); v != NONE;
		     v = tv_sim_holds_next(sim->holds, v))
			release(sim, v, worker);
	for (uint32_t e = graph->first[node]; e < graph->first[node + 1]; e++) {
		int64_t wait = tv_sim_wait(graph, graph->next[e], node);

		if (wait >= 0)
			tv_agenda_push(&sim->creations,
				       (struct tv_due){ sim->now + wait, graph->next[e] });
		else
			let_go(sim, graph->next[e], worker);
	}
}

/* INT64_MAX = there is none. */
static int64_t first_time(const struct tv_agenda *agenda)
{
	return agenda->n == 0 ? INT64_MAX : tv_agenda_first(agenda)->key;
}

/* When the next submission that matters is; INT64_MAX: none is, before something ends. */
static int64_t next_submission(const struct sim *sim)
{
	int64_t at;

	if (sim->by_rank == NULL)
		return first_time(&sim->unsubmitted);
	if (sim->nsubmitted == sim->graph->n
	    || sim->nsubmitted - sim->nended >= sim->options->window)
		return INT64_MAX;
	at = submission_of(sim, sim->by_rank[sim->nsubmitted]);
	return at > sim->now ? at : sim->now;
}

static void submit_next(struct sim *sim)
{
	if (sim->by_rank == NULL) {
		struct tv_due due = tv_agenda_pop(&sim->unsubmitted);

		sim->passed = due.then + 1;
		let_begin(sim, due.of, NONE);
	} else {
		uint32_t node = sim->by_rank[sim->nsubmitted++];

		if (!is_created(sim->graph, node))
			tv_sim_note(sim->out->submitted, node, sim->now);
		let_go(sim, node, NONE);
	}
}

/* The node's end follows from its accesses (know_ends). */
static void begin_accesses(struct sim *sim, uint32_t node, uint32_t worker, int64_t time)
{
	sim->waits[node] = NONE;
	sim->out->worker[node] = worker;
	tv_sim_note(sim->out->start, node, sim->now);
	tv_sim_numa_begin(sim->numa, node, worker, time, sim->now);
}

/* Transfers and phases of tasks up to now, and the ends of tasks that follow from them. */
static void know_ends(struct sim *sim)
{
	int64_t end;

	for (uint32_t v; (v = tv_sim_numa_step(sim->numa, sim->now, &end)) != NONE;) {
		tv_sim_note(sim->out->end, v, end);
		tv_agenda_push(&sim->ends, (struct tv_due){ end, v, sim->out->worker[v] });
	}
}

/* A worker that has taken a node begins with it, once the one before has ended and its data are there. */
static void run(struct sim *sim, uint32_t node, uint32_t worker)
{
	int64_t time = sim->options->cost(sim->options->context, node, sim->machine->type[worker]);
	int64_t start = sim->until[worker] > sim->now ? sim->until[worker] : sim->now;

	if (sim->copies != NULL) {
		int64_t fetched = tv_sim_fetch(sim->copies, node, worker, sim->now,
					       start > sim->now);

		sim->out->taken[node] = start;
		start = fetched > start ? fetched : start;
		tv_sim_write(sim->copies, node, worker, start + time);
	}
	if (start < sim->first)
		sim->first = start;
	if (sim->numa != NULL)
		begin_accesses(sim, node, worker, time);
	else
		begin(sim, node, worker, start, time);
	tv_sim_began(sim->queues, node, worker, time, start + time);
	sim->until[worker] = start + time;
	if (sim->first_free != NULL)
		tv_sim_free_at(sim->first_free, worker, start + time);
	tv_sim_offers_taken(sim->offers, worker);
}

/* Workers take what they can run. */
static void dispatch(struct sim *sim)
{
	uint32_t worker, node;

	while ((worker = tv_sim_offers_next(sim->offers, sim->queues)) != NONE) {
		node = is_present(sim, worker) ? tv_sim_take(sim->queues, worker, sim->now) : NONE;
		if (node != NONE)
			run(sim, node, worker);
	}
}

/* Workers that come now. */
static void arrive(struct sim *sim)
{
	while (first_time(&sim->arrivals) == sim->now) {
		uint32_t w = tv_agenda_pop(&sim->arrivals).of;

		tv_sim_stir_worker(sim->offers, w);
		if (sim->first_free != NULL)
			tv_sim_free_at(sim->first_free, w, 0);
	}
}

/* Everything of one instant; transfers first, as they may make tasks end in it; ghosts that end in it release others in it. */
static void do_instant(struct sim *sim)
{
	arrive(sim);
	for (;;) {
		if (sim->numa != NULL)
			know_ends(sim);
		if (first_time(&sim->ends) == sim->now) {
			struct tv_due due = tv_agenda_pop(&sim->ends);

			end(sim, due.then, due.of);
		} else if (first_time(&sim->creations) == sim->now) {
			uint32_t node = tv_agenda_pop(&sim->creations).then;

			tv_sim_note(sim->out->submitted, node, sim->now);
			let_go(sim, node,
			       is_created(sim->graph, node)
				       ? sim->out->worker[sim->graph->creator[node]]
				       : NONE);
		} else if (next_submission(sim) == sim->now) {
			submit_next(sim);
		} else {
			sim->passed = NONE;
			return;
		}
	}
}

static bool go_on(struct sim *sim)
{
	int64_t transfer = sim->numa != NULL ? tv_sim_numa_next(sim->numa) : INT64_MAX;
	int64_t at = next_submission(sim);

	if (sim->numa != NULL && tv_sim_numa_error(sim->numa) != NULL)
		return false;
	at = transfer < at ? transfer : at;
	if (first_time(&sim->ends) < at)
		at = first_time(&sim->ends);
	if (first_time(&sim->creations) < at)
		at = first_time(&sim->creations);
	if (first_time(&sim->arrivals) < at)
		at = first_time(&sim->arrivals);
	if (at == INT64_MAX)
		return false;
	if (at > sim->now)
		sim->passed = 0;
	sim->now = at;
	return true;
}

static uint32_t first_of(const struct sim *sim, uint32_t node)
{
	return sim->child == NULL ? 0 : sim->first_child[node];
}

/* The types of workers among which are all that can run a group. */
struct able {
	uint32_t first, end;
};

static struct able *find_able(const struct tv_sim_machine *machine)
{
	struct able *able = tv_alloc(machine->ngroups, sizeof *able);

	for (uint32_t g = 0; g < machine->ngroups; g++)
		for (uint32_t t = 0; t < machine->ntypes; t++)
			if (tv_sim_runs(machine, g, t)) {
				able[g].first = able[g].end == 0 ? t : able[g].first;
				able[g].end = t + 1;
			}
	return able;
}

/* What a node takes on the type of workers that is fastest; 0 = no worker can run it. */
static int64_t fastest_cost(const struct sim *sim, const struct able *able, uint32_t v)
{
	const struct tv_sim_graph *graph = sim->graph;
	tv_sim_cost *expected = sim->options->expected != NULL ? sim->options->expected
							       : sim->options->cost;
	int64_t fastest = -1;

	if (tv_sim_delay(graph, v) >= 0)
		return graph->delay[v];
	able += graph->group[v];
	for (uint32_t t = able->first; t < able->end; t++) {
		bool runs = tv_sim_runs(sim->machine, graph->group[v], t);
		int64_t cost = runs ? expected(sim->options->context, v, t) : -1;

		if (runs && (fastest < 0 || cost < fastest))
			fastest = cost;
	}
	return fastest > 0 ? fastest : 0;
}

/* By node: the longest path that begins with it, at the fastest cost of each node that is expected. */
static int64_t *longest_paths(const struct sim *sim)
{
	const struct tv_sim_graph *graph = sim->graph;
	int64_t *path = tv_alloc(graph->n, sizeof *path);
	struct able *able = find_able(sim->machine);

	for (uint32_t k = graph->n; k-- > 0;) {
		uint32_t v = graph->order == NULL ? k : graph->order[k];
		int64_t fastest = fastest_cost(sim, able, v);

		for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++)
			if (path[graph->next[e]] > path[v])
				path[v] = path[graph->next[e]];
		path[v] += fastest;
		for (uint32_t c = first_of(sim, v); c < first_of(sim, v + 1); c++) {
			uint32_t child = sim->child[c];
			int64_t by = path[child] + llround(graph->created[child] * (double)fastest);

			path[v] = by > path[v] ? by : path[v];
		}
	}
	tv_free(able);
	return path;
}

static void list_children(struct sim *sim)
{
	const struct tv_sim_graph *graph = sim->graph;
	uint32_t n = graph->n, *at;

	if (graph->creator == NULL)
		return;
	sim->first_child = tv_alloc((size_t)n + 1, sizeof *sim->first_child);
	sim->child = tv_alloc(n, sizeof *sim->child);
	at = tv_alloc(n, sizeof *at);
	for (uint32_t v = 0; v < n; v++)
		if (is_created(graph, v))
			sim->first_child[graph->creator[v] + 1]++;
	for (uint32_t v = 0; v < n; v++)
		sim->first_child[v + 1] += sim->first_child[v];
	memcpy(at, sim->first_child, n * sizeof *at);
	for (uint32_t v = 0; v < n; v++)
		if (is_created(graph, v))
			sim->child[at[graph->creator[v]]++] = v;
	tv_free(at);
}

static void init(struct sim *sim)
{
	const struct tv_sim_graph *graph = sim->graph;
	uint32_t n = graph->n;
	bool windowed = sim->options->window > 0;

	*sim->out = (struct tv_sim_schedule){ 0 };
	if (!sim->options->makespan_only || graph->tied != NULL || graph->creator != NULL
	    || sim->options->numa != NULL)
		sim->out->worker = tv_alloc(n, sizeof *sim->out->worker);
	if (!sim->options->makespan_only) {
		sim->out->start = tv_alloc(n, sizeof *sim->out->start);
		sim->out->end = tv_alloc(n, sizeof *sim->out->end);
		sim->out->submitted = tv_alloc(n, sizeof *sim->out->submitted);
		sim->out->released = tv_alloc(n, sizeof *sim->out->released);
	}
	sim->waits = tv_alloc(n, sizeof *sim->waits);
	if (windowed)
		sim->by_rank = tv_alloc(n, sizeof *sim->by_rank);
	sim->until = tv_alloc(sim->machine->nworkers, sizeof *sim->until);
	tv_sim_members_init(&sim->members, sim->machine);
	sim->offers = tv_sim_offers_new(sim->machine, &sim->members, sim->options->may_take);
	if (graph->awaited != NULL)
		sim->first_free = tv_sim_first_free_new(sim->machine, &sim->members);
	sim->unrunnable = NONE;
	sim->first = INT64_MAX;
	list_children(sim);
	if (sim->options->exclusion != NULL)
		sim->holds = tv_sim_holds_new(sim->options->exclusion, n);
	if (sim->options->memory != NULL) {
		sim->copies = tv_sim_copies_new(sim->options->memory, n);
		sim->out->taken = tv_alloc(n, sizeof *sim->out->taken);
	}
	if (sim->options->numa != NULL) {
		sim->numa = tv_sim_numa_new(sim->options->numa, n);
		sim->out->log = tv_alloc(1, sizeof *sim->out->log);
	}
	for (uint32_t e = 0; e < graph->first[n]; e++)
		sim->waits[graph->next[e]]++;
	for (uint32_t v = 0; v < n; v++) {
		sim->waits[v] += windowed + is_created(graph, v);
		if (windowed)
			sim->by_rank[graph->rank[v]] = v;
		else if (sim->waits[v] == 0)
			let_begin(sim, v, NONE);
		if (!windowed && !is_created(graph, v))
			tv_sim_note(sim->out->submitted, v, submission_of(sim, v));
	}
}

/* Until they arrive, workers are expected to be busy. */
static void expect_arrivals(struct sim *sim)
{
	const struct tv_sim_presence *present = sim->options->present;

	for (uint32_t w = 0; present != NULL && w < sim->machine->nworkers; w++) {
		bool comes = present[w].begin < present[w].end;

		if (comes && present[w].begin > 0)
			tv_agenda_push(&sim->arrivals, (struct tv_due){ present[w].begin, 0, w });
		tv_sim_comes(sim->queues, w, comes ? present[w].begin : INT64_MAX / 4);
	}
}

static int fail_stuck(const struct sim *sim, const char *(*name)(const void *, uint32_t),
		      struct tv_error *err)
{
	uint32_t node = sim->unrunnable;

	if (sim->numa != NULL && tv_sim_numa_error(sim->numa) != NULL) {
		*err = *tv_sim_numa_error(sim->numa);
		return -1;
	}
	if (node != NONE)
		return tv_fail(err, "task %s: no worker of the machine can run it",
			       name(sim->options->context, node));
	node = 0;
	while (node + 1 < sim->graph->n && sim->waits[node] != 0)
		node++;
	return tv_fail(err, "%u of %u tasks never start, first %s: %s", sim->graph->n - sim->nended,
		       sim->graph->n, name(sim->options->context, node),
		       sim->options->scheduler->place == TV_SIM_RECORDED
			       ? "the recorded order contradicts the dependencies"
		       : sim->options->window > 0
			       ? "what they wait for is submitted later, beyond the window"
			       : "each waits for handles that another one holds");
}

int tv_simulate(const struct tv_sim_graph *graph, const struct tv_sim_machine *machine,
		const struct tv_sim_options *options,
		const char *(*name)(const void *context, uint32_t node),
		struct tv_sim_schedule *schedule, struct tv_error *err)
{
	struct sim sim = {
		.graph = graph, .machine = machine, .options = options, .out = schedule
	};
	int64_t *path = NULL;
	bool done;

	if (tv_sim_replay(graph, machine, options, schedule))
		return 0;
	init(&sim);
	if (options->scheduler->order == TV_SIM_BY_PATH)
		path = longest_paths(&sim);
	sim.queues = tv_sim_queues_new(graph, machine, options, &sim.members, sim.offers, path,
				       sim.copies, sim.numa);
	expect_arrivals(&sim);
	while (sim.unrunnable == NONE && go_on(&sim)) {
		do_instant(&sim);
		dispatch(&sim);
	}
	done = sim.nended == graph->n;
	schedule->makespan = sim.last > sim.first ? sim.last - sim.first : 0;
	schedule->steals = tv_sim_steals(sim.queues);
	if (!done)
		fail_stuck(&sim, name, err);
	tv_sim_queues_free(sim.queues);
	tv_free(path);
	tv_sim_holds_free(sim.holds);
	if (sim.copies != NULL) {
		schedule->transfer = tv_sim_take_transfers(sim.copies, &schedule->ntransfers);
		schedule->space = tv_alloc(1, sizeof *schedule->space);
		*schedule->space = tv_sim_take_space_log(sim.copies);
	}
	tv_sim_copies_free(sim.copies);
	tv_sim_numa_free(sim.numa, schedule->log);
	tv_agenda_release(&sim.unsubmitted);
	tv_agenda_release(&sim.ends);
	tv_agenda_release(&sim.creations);
	tv_agenda_release(&sim.arrivals);
	tv_free(sim.first_child);
	tv_free(sim.child);
	tv_free(sim.waits);
	tv_free(sim.by_rank);
	tv_sim_offers_free(sim.offers);
	tv_sim_first_free_free(sim.first_free);
	tv_sim_members_release(&sim.members);
	tv_free(sim.until);
	if (done)
		return 0;
	tv_sim_release(schedule);
	return -1;
}

void tv_sim_release(struct tv_sim_schedule *schedule)
{
	tv_free(schedule->worker);
	tv_free(schedule->start);
	tv_free(schedule->end);
	tv_free(schedule->taken);
	tv_free(schedule->transfer);
	if (schedule->space != NULL)
		tv_free(schedule->space->use);
	tv_free(schedule->space);
	if (schedule->log != NULL)
		tv_sim_numa_log_release(schedule->log);
	tv_free(schedule->log);
	tv_free(schedule->submitted);
	tv_free(schedule->released);
	*schedule = (struct tv_sim_schedule){ 0 };
}
