/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queues.c -- the queues of all scheduling policies: where released tasks wait, and which one a worker takes. */
#include "sim/schedulers.h"

#include <stdlib.h>
#include <string.h>

#include "sim/expected.h"
#include "sim/maxima.h"
#include "sim/members.h"
#include "sim/memory.h"
#include "sim/numa.h"
#include "sim/offers.h"
#include "sim/replay.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define NONE UINT32_MAX

/* Tasks of one worker, in the order in which it takes them and in that in which others do, at the same places. */
struct shared {
	struct tv_agenda own, stolen;
};

/* Tasks that the same resource types can run. */
struct group {
	uint32_t n;		/* tasks that wait */
	struct tv_agenda ready; /* TV_SIM_CENTRAL */
	struct shared *shared;	/* TV_SIM_LOCAL: by worker */
};

struct tv_sim_queues {
	const struct tv_sim_graph *graph;
	const struct tv_sim_machine *machine;
	const struct tv_sim_options *options;
	const struct tv_sim_members *members;
	struct tv_sim_offers *offers;
	const int64_t *path; /* TV_SIM_BY_PATH */
	uint32_t nreleased;
	struct group *group;		  /* by group of the graph */
	uint32_t *first, *may;		  /* by type: the groups that it can run */
	uint32_t *first_able, *able;	  /* by group: the types with workers that can run it */
	struct tv_agenda *ready;	  /* TV_SIM_EXPECTED: by worker */
	struct tv_agenda *tied;		  /* by worker: what only it may run */
	struct tv_sim_expected *expected; /* TV_SIM_EXPECTED */
	int64_t *
		length; /* where it counts transfers: by node, its part of that; NULL = what it costs there */
	int64_t *transfer;	      /* by memory node: for the node to be placed */
	struct tv_sim_copies *copies; /* NULL = transfers take no time */
	const struct tv_sim_numa_state *numa;
	uint32_t *sequence;  /* TV_SIM_RECORDED: nodes by worker and start */
	uint32_t *at, *last; /* by worker: its next in sequence, and their end */
	bool *released;
	struct tv_maxima *
		load; /* TV_SIM_LOCAL: by type, by worker: tasks in its queue that the type can run */
	uint32_t turn; /* TV_SIM_LOCAL: who gets the next task that no worker released */
	uint64_t steals;
};

/* The greatest priority first. */
static int64_t urgency(const struct tv_sim_queues *q, uint32_t node)
{
	return q->graph->priority == NULL ? 0 : ~q->graph->priority[node];
}

/* A node that is released now, in the order of the policy. */
static struct tv_due make_due(struct tv_sim_queues *q, uint32_t node)
{
	struct tv_due due = { .of = node };

	switch (q->options->scheduler->order) {
	case TV_SIM_BY_RANK:
		break;
	case TV_SIM_BY_PRIORITY:
		due.key = urgency(q, node);
		break;
	case TV_SIM_BY_PATH:
		due.key = -q->path[node];
		break;
	case TV_SIM_BY_RELEASE:
		due.key = q->nreleased++;
		return due;
	}
	due.then = q->graph->rank[node];
	return due;
}

static void order_as_recorded(struct tv_sim_queues *q)
{
	uint32_t n = q->graph->n, nworkers = q->machine->nworkers;

	q->sequence = tv_alloc(n, sizeof *q->sequence);
	q->at = tv_alloc((size_t)nworkers + 1, sizeof *q->at);
	q->last = tv_alloc((size_t)nworkers + 1, sizeof *q->last);
	q->released = tv_alloc(n, sizeof *q->released);
	tv_sim_recorded_order(q->graph, q->machine, q->options->recorded, q->sequence, q->at);
	memcpy(q->last, q->at + 1, nworkers * sizeof *q->last);
}

static void list_able(struct tv_sim_queues *q, uint32_t npairs)
{
	const struct tv_sim_machine *machine = q->machine;
	uint32_t n = 0;

	q->first_able = tv_alloc((size_t)machine->ngroups + 1, sizeof *q->first_able);
	q->able = tv_alloc(npairs, sizeof *q->able);
	for (uint32_t c = 0; c < machine->ngroups; c++) {
		for (uint32_t t = 0; t < machine->ntypes; t++)
			if (q->members->first[t] < q->members->first[t + 1]
			    && tv_sim_runs(machine, c, t))
				q->able[n++] = t;
		q->first_able[c + 1] = n;
	}
}

/* The groups, by type those that it can run, and by group the types that can. */
static void sort_out_groups(struct tv_sim_queues *q)
{
	const struct tv_sim_machine *machine = q->machine;
	size_t pairs = (size_t)machine->ngroups * machine->ntypes;
	uint32_t n = 0;

	q->group = tv_alloc(machine->ngroups, sizeof *q->group);
	q->first = tv_alloc((size_t)machine->ntypes + 1, sizeof *q->first);
	q->may = tv_alloc(pairs, sizeof *q->may);
	for (uint32_t t = 0; t < machine->ntypes; t++) {
		for (uint32_t c = 0; c < machine->ngroups; c++)
			if (tv_sim_runs(machine, c, t))
				q->may[n++] = c;
		q->first[t + 1] = n;
	}
	list_able(q, n);
}

/* TV_SIM_LOCAL */
static void init_shared(struct tv_sim_queues *q)
{
	const struct tv_sim_machine *machine = q->machine;

	q->load = tv_alloc(machine->ntypes, sizeof *q->load);
	for (uint32_t c = 0; c < machine->ngroups; c++)
		q->group[c].shared = tv_alloc(machine->nworkers, sizeof(struct shared));
	for (uint32_t t = 0; t < machine->ntypes; t++)
		if (q->members->first[t] < q->members->first[t + 1])
			tv_maxima_init(&q->load[t], machine->nworkers);
}

struct tv_sim_queues *tv_sim_queues_new(const struct tv_sim_graph *graph,
					const struct tv_sim_machine *machine,
					const struct tv_sim_options *options,
					const struct tv_sim_members *members,
					struct tv_sim_offers *offers, const int64_t *path,
					struct tv_sim_copies *copies,
					const struct tv_sim_numa_state *numa)
{
	struct tv_sim_queues *q = tv_alloc(1, sizeof *q);

	*q = (struct tv_sim_queues){ .graph = graph,
				     .machine = machine,
				     .options = options,
				     .members = members,
				     .offers = offers,
				     .path = path,
				     .copies = copies,
				     .numa = numa };
	sort_out_groups(q);
	q->ready = tv_alloc(machine->nworkers, sizeof *q->ready);
	q->tied = tv_alloc(machine->nworkers, sizeof *q->tied);
	if (options->scheduler->place == TV_SIM_EXPECTED) {
		q->expected = tv_sim_expected_new(
			machine, copies != NULL && options->scheduler->counts_transfers
					 ? options->memory->of_worker
					 : NULL);
		if (copies != NULL && options->scheduler->counts_transfers)
			q->length = tv_alloc(graph->n, sizeof *q->length);
	}
	if (options->scheduler->place == TV_SIM_LOCAL)
		init_shared(q);
	if (copies != NULL)
		q->transfer = tv_alloc(options->memory->nmemories, sizeof *q->transfer);
	if (options->scheduler->place == TV_SIM_RECORDED)
		order_as_recorded(q);
	return q;
}

void tv_sim_queues_free(struct tv_sim_queues *q)
{
	for (uint32_t c = 0; c < q->machine->ngroups; c++) {
		tv_agenda_release(&q->group[c].ready);
		for (uint32_t w = 0; q->group[c].shared && w < q->machine->nworkers; w++) {
			tv_agenda_release(&q->group[c].shared[w].own);
			tv_agenda_release(&q->group[c].shared[w].stolen);
		}
		tv_free(q->group[c].shared);
	}
	for (uint32_t w = 0; w < q->machine->nworkers; w++) {
		tv_agenda_release(&q->ready[w]);
		tv_agenda_release(&q->tied[w]);
	}
	tv_free(q->tied);
	tv_free(q->group);
	tv_free(q->ready);
	tv_free(q->first);
	tv_free(q->may);
	tv_free(q->first_able);
	tv_free(q->able);
	for (uint32_t t = 0; q->load != NULL && t < q->machine->ntypes; t++)
		tv_maxima_release(&q->load[t]);
	tv_free(q->load);
	tv_sim_expected_free(q->expected);
	tv_free(q->length);
	tv_free(q->transfer);
	tv_free(q->sequence);
	tv_free(q->at);
	tv_free(q->last);
	tv_free(q->released);
	tv_free(q);
}

/* A task of the group waits that all may take who can run it. */
static void stir(struct tv_sim_queues *q, uint32_t c)
{
	q->group[c].n++;
	for (uint32_t k = q->first_able[c]; k < q->first_able[c + 1]; k++)
		tv_sim_stir_type(q->offers, q->able[k]);
}

/* The first worker from w on, then from 0 on, that can run the group; there is one. */
static uint32_t next_able(const struct tv_sim_queues *q, uint32_t c, uint32_t w)
{
	uint32_t best = NONE;

	if (tv_sim_runs(q->machine, c, q->machine->type[w]))
		return w;
	for (uint32_t from = w;; from = 0) {
		for (uint32_t k = q->first_able[c]; k < q->first_able[c + 1]; k++) {
			uint32_t next = tv_sim_next_member(q->members, q->able[k], from);

			best = next < best ? next : best;
		}
		if (best != NONE || from == 0)
			return best;
	}
}

/* Into the queue of the worker that is expected to end it first; transfers count twice, as in StarPU
 * with its default weights: also where other tasks hide them. */
static void push_expected(struct tv_sim_queues *q, uint32_t node, int64_t now)
{
	uint32_t c = q->graph->group[node];
	/* By memory node: ns of transfers that the policy expects; NULL = none. */
	const int64_t *transfers = q->options->scheduler->counts_transfers ? q->transfer : NULL;
	struct tv_sim_choice best = { .worker = NONE };

	if (q->copies != NULL)
		tv_sim_estimate(q->copies, node, q->transfer);
	for (uint32_t k = q->first_able[c]; k < q->first_able[c + 1]; k++)
		tv_sim_expected_choose(q->expected, q->able[k],
				       q->options->cost(q->options->context, node, q->able[k]),
				       transfers, now, &best);
	tv_agenda_push(&q->ready[best.worker], make_due(q, node));
	if (q->length != NULL)
		q->length[node] = best.length;
	tv_sim_expected_waits(q->expected, best.worker, best.length);
	tv_sim_stir_worker(q->offers, best.worker);
	if (q->copies != NULL)
		tv_sim_prefetch(q->copies, node, best.worker, now);
}

static void count_load(struct tv_sim_queues *q, uint32_t c, uint32_t worker, int change)
{
	for (uint32_t k = q->first_able[c]; k < q->first_able[c + 1]; k++) {
		struct tv_maxima *load = &q->load[q->able[k]];

		tv_maxima_set(load, worker, tv_maxima_get(load, worker) + change);
	}
}

/* To the tasks of the worker that released it; else of the next one that can run it. */
static void push_local(struct tv_sim_queues *q, uint32_t c, uint32_t node, uint32_t by)
{
	uint32_t nworkers = q->machine->nworkers, w = by != NONE ? by : q->turn;
	uint32_t order = q->nreleased++;
	int64_t key = urgency(q, node);
	struct shared *shared;

	w = next_able(q, c, w);
	if (by == NONE)
		q->turn = (w + 1) % nworkers;
	shared = &q->group[c].shared[w];
	/* Of equal ones the newest, and the oldest. */
	tv_agenda_push(&shared->own, (struct tv_due){ key, NONE - 1 - order, node });
	tv_agenda_push(&shared->stolen, (struct tv_due){ key, order, node });
	count_load(q, c, w, 1);
}

static void push_recorded(struct tv_sim_queues *q, uint32_t node, int64_t now)
{
	uint32_t worker = q->options->recorded->worker[node];

	q->released[node] = true;
	if (q->sequence[q->at[worker]] == node)
		tv_sim_stir_worker(q->offers, worker);
	if (q->copies != NULL)
		tv_sim_prefetch(q->copies, node, worker, now);
}

bool tv_sim_push(struct tv_sim_queues *q, uint32_t node, uint32_t by, int64_t now)
{
	uint32_t c = q->graph->group[node];

	if (q->first_able[c] == q->first_able[c + 1])
		return false;
	switch (q->options->scheduler->place) {
	case TV_SIM_CENTRAL:
		tv_agenda_push(&q->group[c].ready, make_due(q, node));
		stir(q, c);
		break;
	case TV_SIM_EXPECTED:
		push_expected(q, node, now);
		break;
	case TV_SIM_LOCAL:
		push_local(q, c, node, by);
		stir(q, c);
		break;
	case TV_SIM_RECORDED:
		push_recorded(q, node, now);
		break;
	}
	return true;
}

void tv_sim_push_tied(struct tv_sim_queues *q, uint32_t node, uint32_t worker, int64_t now)
{
	int64_t length;

	tv_agenda_push(&q->tied[worker], make_due(q, node));
	tv_sim_stir_worker(q->offers, worker);
	if (q->options->scheduler->place != TV_SIM_EXPECTED)
		return;
	length = q->options->cost(q->options->context, node, q->machine->type[worker]);
	if (q->length != NULL)
		q->length[node] = length;
	tv_sim_expected_waits(q->expected, worker, length);
	if (q->copies != NULL)
		tv_sim_prefetch(q->copies, node, worker, now);
}

static bool comes_before(struct tv_due a, struct tv_due b)
{
	return a.key != b.key ? a.key < b.key : a.then < b.then;
}

/* The group with the first task of the central queue for a type of worker; NULL. */
static struct group *first_group(struct tv_sim_queues *q, uint32_t type)
{
	struct group *best = NULL;

	for (uint32_t k = q->first[type]; k < q->first[type + 1]; k++) {
		struct group *group = &q->group[q->may[k]];

		if (group->ready.n > 0
		    && (best == NULL
			|| comes_before(*tv_agenda_first(&group->ready),
					*tv_agenda_first(&best->ready))))
			best = group;
	}
	return best;
}

/* The task with the fewest misses; of equal ones the first. */
static uint32_t take_nearest(struct tv_sim_queues *q, uint32_t worker)
{
	uint32_t type = q->machine->type[worker], fewest = NONE;
	struct tv_due nearest = { .of = NONE };
	struct group *best = NULL;
	uint32_t at = 0;

	for (uint32_t k = q->first[type]; k < q->first[type + 1]; k++) {
		struct group *group = &q->group[q->may[k]];

		for (uint32_t i = 0; i < group->ready.cap; i++) {
			struct tv_due due = group->ready.at[i];
			uint32_t missing;

			if (!tv_agenda_has(&group->ready, i))
				continue;
			missing = tv_sim_numa_missing(q->numa, due.of, worker);
			if (missing > fewest
			    || (missing == fewest && best != NULL && !comes_before(due, nearest)))
				continue;
			fewest = missing;
			nearest = due;
			best = group;
			at = i;
		}
	}
	if (best == NULL)
		return NONE;
	best->n--;
	tv_agenda_remove(&best->ready, at);
	return nearest.of;
}

/* The same, of the first TV_SIM_TRIED_MAX. */
static uint32_t take_near(struct tv_sim_queues *q, uint32_t worker)
{
	uint32_t type = q->machine->type[worker], fewest = NONE, n = 0, best = 0;
	struct group *of[TV_SIM_TRIED_MAX], *group;
	struct tv_due tried[TV_SIM_TRIED_MAX];

	while (n < TV_SIM_TRIED_MAX && fewest > 0 && (group = first_group(q, type)) != NULL) {
		struct tv_due due = tv_agenda_pop(&group->ready);
		uint32_t missing = tv_sim_numa_missing(q->numa, due.of, worker);

		if (missing < fewest) {
			fewest = missing;
			best = n;
		}
		of[n] = group;
		tried[n++] = due;
	}
	if (n == 0)
		return NONE;
	for (uint32_t i = 0; i < n; i++)
		if (i != best)
			tv_agenda_push(&of[i]->ready, tried[i]);
	of[best]->n--;
	return tried[best].of;
}

static uint32_t take_central(struct tv_sim_queues *q, uint32_t worker)
{
	uint32_t nearest_of = q->options->scheduler->nearest_of;
	struct group *group;

	if (nearest_of > 0)
		return nearest_of > TV_SIM_TRIED_MAX ? take_nearest(q, worker)
						     : take_near(q, worker);
	group = first_group(q, q->machine->type[worker]);
	if (group == NULL)
		return NONE;
	group->n--;
	return tv_agenda_pop(&group->ready).of;
}

/* The worker from which an idle one steals, the next one behind it where several have as many tasks; NONE. */
static uint32_t find_victim(const struct tv_sim_queues *q, uint32_t thief)
{
	const struct tv_maxima *load = &q->load[q->machine->type[thief]];
	int64_t min = q->options->scheduler->from_most_loaded ? tv_maxima_greatest(load) : 1;
	uint32_t next;

	if (tv_maxima_greatest(load) == 0)
		return NONE;
	next = tv_maxima_next(load, thief + 1, min);
	return next != NONE ? next : tv_maxima_next(load, 0, min);
}

static uint32_t take_from(struct tv_sim_queues *q, uint32_t worker, uint32_t owner)
{
	uint32_t type = q->machine->type[worker];
	struct tv_due first = { .of = NONE };
	struct group *best = NULL;
	uint32_t place = NONE;

	for (uint32_t k = q->first[type]; k < q->first[type + 1]; k++) {
		struct group *group = &q->group[q->may[k]];
		const struct shared *shared = &group->shared[owner];
		const struct tv_agenda *agenda = owner == worker ? &shared->own : &shared->stolen;

		if (agenda->n > 0
		    && (best == NULL || comes_before(*tv_agenda_first(agenda), first))) {
			best = group;
			first = *tv_agenda_first(agenda);
			place = agenda->winner[1];
		}
	}
	if (best == NULL)
		return NONE;
	best->n--;
	tv_agenda_remove(&best->shared[owner].own, place);
	tv_agenda_remove(&best->shared[owner].stolen, place);
	count_load(q, (uint32_t)(best - q->group), owner, -1);
	return first.of;
}

static uint32_t take_local(struct tv_sim_queues *q, uint32_t worker)
{
	uint32_t node = take_from(q, worker, worker), victim;

	if (node != NONE)
		return node;
	victim = find_victim(q, worker);
	if (victim == NONE)
		return NONE;
	q->steals++;
	return take_from(q, worker, victim);
}

static uint32_t take_recorded(struct tv_sim_queues *q, uint32_t worker)
{
	if (q->at[worker] == q->last[worker] || !q->released[q->sequence[q->at[worker]]])
		return NONE;
	return q->sequence[q->at[worker]++];
}

/* Of the first tasks that are equal in priority, one with the least data missing. */
static uint32_t take_expected(struct tv_sim_queues *q, uint32_t worker, int64_t now)
{
	struct tv_agenda *ready = &q->ready[worker];
	struct tv_due tried[TV_SIM_TRIED_MAX];
	uint32_t n = 0, best = 0, least = NONE;
	bool chooses = q->copies != NULL && q->options->scheduler->counts_transfers;

	if (ready->n == 0)
		return NONE;
	do {
		uint32_t missing;

		tried[n] = tv_agenda_pop(ready);
		missing = chooses ? tv_sim_missing(q->copies, tried[n].of, worker, now) : 0;
		if (missing < least) {
			least = missing;
			best = n;
		}
		n++;
	} while (least > 0 && n < TV_SIM_TRIED_MAX && ready->n > 0
		 && tv_agenda_first(ready)->key == tried[0].key);
	for (uint32_t i = 0; i < n; i++)
		if (i != best)
			tv_agenda_push(ready, tried[i]);
	return tried[best].of;
}

void tv_sim_began(struct tv_sim_queues *q, uint32_t node, uint32_t worker, int64_t cost,
		  int64_t end)
{
	if (q->expected != NULL)
		tv_sim_expected_runs(q->expected, worker,
				     q->length != NULL ? q->length[node] : cost, end);
}

void tv_sim_comes(struct tv_sim_queues *q, uint32_t worker, int64_t at)
{
	if (q->expected != NULL)
		tv_sim_expected_runs(q->expected, worker, 0, at);
}

uint32_t tv_sim_take(struct tv_sim_queues *q, uint32_t worker, int64_t now)
{
	if (q->tied[worker].n > 0)
		return tv_agenda_pop(&q->tied[worker]).of;
	switch (q->options->scheduler->place) {
	case TV_SIM_CENTRAL:
		return take_central(q, worker);
	case TV_SIM_EXPECTED:
		return take_expected(q, worker, now);
	case TV_SIM_LOCAL:
		return take_local(q, worker);
	case TV_SIM_RECORDED:
		return take_recorded(q, worker);
	}
	return NONE;
}

bool tv_sim_waits(const struct tv_sim_queues *q, uint32_t type)
{
	if (q->options->scheduler->place == TV_SIM_EXPECTED
	    || q->options->scheduler->place == TV_SIM_RECORDED)
		return false; /* groups have no tasks */
	for (uint32_t k = q->first[type]; k < q->first[type + 1]; k++)
		if (q->group[q->may[k]].n > 0)
			return true;
	return false;
}

uint64_t tv_sim_steals(const struct tv_sim_queues *q)
{
	return q->steals;
}
