/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c -- a run with MPI calls, replayed without what calls cost. */
#include "analysis/mpi/replay.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

enum {
	FIXED_PERCENT = 5
}; /* of the rung `ideal`: more than that in calls that cannot be replayed says nothing */

/* The latest of the instants on which a target depends; INT64_MIN without any. */
static int64_t ready(const struct tv_call_graph *g, uint32_t target, const int64_t *instant,
		     bool eager)
{
	int64_t latest = INT64_MIN;

	for (uint32_t i = g->first[target]; i < g->first[target + 1]; i++) {
		const struct tv_dependence *d = &g->dependence[i];

		if ((eager && d->uncertain) || instant[d->event] == INT64_MIN)
			continue;
		if (instant[d->event] + d->offset > latest)
			latest = instant[d->event] + d->offset;
	}
	return latest;
}

int64_t tv_node_rest(const struct tv_call_graph *g, uint32_t node, bool eager)
{
	int64_t came = ready(g, node, g->recorded, eager), begin = tv_node_begin(g, node);

	return tv_node_end(g, node) - (came > begin ? came : begin);
}

static int64_t cost(const struct tv_call_graph *g, uint32_t node, enum tv_rung rung, bool eager)
{
	enum tv_node_how how = (enum tv_node_how)g->node[node].how;
	bool kept = rung == TV_RUNG_RECORDED || how == TV_NODE_FIXED || how == TV_NODE_PAUSE
		 || (rung == TV_RUNG_CALLS && how == TV_NODE_WAIT);

	return kept ? tv_node_rest(g, node, eager) : 0;
}

int64_t *tv_replay_instants(const struct tv_call_graph *g, enum tv_rung rung, bool eager)
{
	int64_t *at = tv_alloc(2 * (size_t)g->n + g->nthreads + g->njoints, sizeof *at);

	for (uint32_t i = 0; i < tv_targets(g); i++) {
		uint32_t target = g->order[i];
		int64_t came = ready(g, target, at, eager);

		if (target < g->n) {
			const struct tv_call_thread *t = &g->thread[g->node[target].thread];
			int64_t from = came > at[2 * target] ? came : at[2 * target];

			at[2 * target + 1] = from + cost(g, target, rung, eager);
			if (target + 1 < t->first + t->n)
				at[2 * target + 2] = at[2 * target + 1]
						   + g->recorded[2 * target + 2]
						   - g->recorded[2 * target + 1];
		} else if (target < g->n + g->njoints) {
			at[tv_event_of_joint(g, target - g->n)] = came;
		} else {
			const struct tv_call_thread *t = &g->thread[target - g->n - g->njoints];
			int64_t begin = came != INT64_MIN ? came : t->begin;

			at[tv_event_of_thread(g, (uint32_t)(t - g->thread))] = begin;
			if (t->n > 0)
				at[2 * t->first] = begin + tv_node_begin(g, t->first) - t->begin;
		}
	}
	return at;
}

/* The end of a thread in a rung. */
static int64_t end_of(const struct tv_call_graph *g, uint32_t thread, const int64_t *instant)
{
	const struct tv_call_thread *t = &g->thread[thread];
	uint32_t last = t->first + t->n - 1;

	return t->n > 0 ? instant[2 * last + 1] + t->end - tv_node_end(g, last)
			: instant[tv_event_of_thread(g, thread)] + t->end - t->begin;
}

static int64_t length(const struct tv_call_graph *g, const int64_t *instant)
{
	int64_t end = g->begin;

	for (uint32_t t = 0; t < g->nthreads; t++)
		end = end_of(g, t, instant) > end ? end_of(g, t, instant) : end;
	return end - g->begin;
}

/* Instants in several calls at once, which no program has, count once. */
static void sum_thread(const struct tv_call_graph *g, const struct tv_call_thread *t,
		       struct tv_replay_thread *sum)
{
	int64_t until = t->begin;

	for (uint32_t i = t->first; i < t->first + t->n; i++) {
		int64_t begin = tv_node_begin(g, i) > until ? tv_node_begin(g, i) : until,
			end = tv_node_end(g, i) < t->end ? tv_node_end(g, i) : t->end;

		if (end <= begin)
			continue;
		*(g->node[i].how == TV_NODE_PAUSE ? &sum->paused : &sum->mpi) += end - begin;
		until = end;
	}
	sum->useful = t->end - t->begin - sum->mpi - sum->paused;
}

static void sum_threads(struct tv_mpi_replay *r)
{
	const struct tv_call_graph *g = &r->graph;

	for (uint32_t t = 0; t < g->nthreads; t++) {
		struct tv_replay_thread *sum = &r->thread[t];

		sum_thread(g, &g->thread[t], sum);
		r->useful += sum->useful;
		r->busiest = sum->useful > r->busiest ? sum->useful : r->busiest;
	}
}

/* What the thread that ends last in the rung `ideal` spent in calls that cannot be replayed. */
static void judge(struct tv_mpi_replay *r)
{
	const struct tv_call_graph *g = &r->graph;
	const struct tv_call_thread *last = &g->thread[0];

	for (uint32_t t = 1; t < g->nthreads; t++)
		if (r->thread[t].end[TV_RUNG_IDEAL]
		    > r->thread[last - g->thread].end[TV_RUNG_IDEAL])
			last = &g->thread[t];
	for (uint32_t i = last->first; i < last->first + last->n; i++)
		if (g->node[i].how == TV_NODE_FIXED)
			r->fixed += tv_node_end(g, i) - tv_node_begin(g, i);
	r->determined = r->fixed * 100 <= r->rung[TV_RUNG_IDEAL] * FIXED_PERCENT;
}

int tv_mpi_replay_init(struct tv_mpi_replay *r, struct tv_run *run,
		       const struct tv_call_rules *rules, const char *verb, struct tv_error *err)
{
	const struct tv_call_graph *g = &r->graph;

	*r = (struct tv_mpi_replay){ .busiest = INT64_MIN };
	if (tv_call_graph_init(&r->graph, run, rules, verb, err) < 0) {
		tv_mpi_replay_release(r);
		return -1;
	}
	r->thread = tv_alloc(g->nthreads, sizeof *r->thread);
	for (enum tv_rung rung = 0; rung < TV_NRUNGS; rung++) {
		int64_t *at = tv_replay_instants(g, rung, false);

		for (uint32_t t = 0; t < g->nthreads; t++)
			r->thread[t].end[rung] = end_of(g, t, at);
		r->rung[rung] = length(g, at);
		if (rung == TV_RUNG_IDEAL)
			r->ideal = at;
		else
			tv_free(at);
	}
	r->ideal_if_eager = r->rung[TV_RUNG_IDEAL];
	if (g->counts.unknown_protocol > 0) {
		int64_t *eager = tv_replay_instants(g, TV_RUNG_IDEAL, true);

		r->ideal_if_eager = length(g, eager);
		tv_free(eager);
	}
	sum_threads(r);
	judge(r);
	return 0;
}

void tv_mpi_replay_release(struct tv_mpi_replay *r)
{
	tv_call_graph_release(&r->graph);
	tv_free(r->thread);
	tv_free(r->ideal);
	*r = (struct tv_mpi_replay){ 0 };
}

/* ---- clocks ---- */

static uint32_t rank_of_node(const struct tv_call_graph *g, uint32_t node)
{
	return g->thread[g->node[node].thread].rank;
}

/* An event by shifted clocks. */
static int64_t shifted(const struct tv_call_graph *g, uint32_t event, const int64_t *joint,
		       const int64_t *shift)
{
	if (event >= 2 * g->n + g->nthreads)
		return joint[event - 2 * g->n - g->nthreads];
	return g->recorded[event]
	     + shift[event >= 2 * g->n ? g->thread[event - 2 * g->n].rank
				       : rank_of_node(g, event / 2)];
}

/* Raises shifts where a call ends too early. False: there was none. */
static bool raise(const struct tv_call_graph *g, int64_t *joint, int64_t *shift)
{
	bool raised = false;

	for (uint32_t i = 0; i < tv_targets(g); i++) {
		uint32_t target = g->order[i];
		int64_t came = INT64_MIN;

		if (target >= g->n + g->njoints)
			continue;
		for (uint32_t k = g->first[target]; k < g->first[target + 1]; k++) {
			const struct tv_dependence *d = &g->dependence[k];
			int64_t at = shifted(g, d->event, joint, shift);

			if (at != INT64_MIN && at + d->offset > came)
				came = at + d->offset;
		}
		if (target >= g->n) {
			joint[target - g->n] = came;
		} else if (came != INT64_MIN
			   && came > tv_node_end(g, target) + shift[rank_of_node(g, target)]) {
			shift[rank_of_node(g, target)] = came - tv_node_end(g, target);
			raised = true;
		}
	}
	return raised;
}

bool tv_replay_shifts(const struct tv_call_graph *g, int64_t *shift)
{
	int64_t *joint = tv_alloc(g->njoints, sizeof *joint);
	uint32_t rounds = 0;

	memset(shift, 0, g->calls->nranks * sizeof *shift);
	while (rounds <= g->calls->nranks && raise(g, joint, shift))
		rounds++;
	tv_free(joint);
	return rounds <= g->calls->nranks;
}

/* ---- factors ---- */

static double ratio(int64_t a, double b)
{
	return b > 0 ? (double)a / b : NAN;
}

struct tv_replay_factors tv_replay_factors(const struct tv_mpi_replay *r)
{
	double n = (double)r->graph.nthreads;
	struct tv_replay_factors f = {
		.load_balance = ratio(r->useful, n * (double)r->busiest),
		.serialization = ratio(r->busiest, (double)r->rung[TV_RUNG_IDEAL]),
		.transfer = ratio(r->rung[TV_RUNG_IDEAL], (double)r->rung[TV_RUNG_CALLS]),
		.runtime = ratio(r->rung[TV_RUNG_CALLS], (double)r->rung[TV_RUNG_RECORDED]),
	};

	if (!r->determined)
		f.serialization = f.transfer = NAN;
	return f;
}
