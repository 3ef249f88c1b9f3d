/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c -- a run with MPI calls, replayed without what calls cost. */
#include "analysis/mpi/replay.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum {
	FIXED_PERCENT = 5
}; /* of the rung `ideal`: more than that in calls that cannot be replayed says nothing */

/* The latest of the instants on which a target depends; INT64_MIN without any. flight: of messages, ns; or NULL. */
static int64_t ready(const struct tv_call_graph *g, uint32_t target, const int64_t *instant,
		     bool eager, const int64_t *flight)
{
	int64_t latest = INT64_MIN;

	for (uint32_t i = g->first[target]; i < g->first[target + 1]; i++) {
		const struct tv_dependence *d = &g->dependence[i];
		int64_t came;

		if ((eager && d->uncertain) || instant[d->event] == INT64_MIN)
			continue;
		came = instant[d->event] + d->offset;
		if (flight != NULL && d->message != TV_NONE)
			came += flight[d->message];
		latest = came > latest ? came : latest;
	}
	return latest;
}

int64_t tv_node_rest(const struct tv_call_graph *g, uint32_t node, bool eager)
{
	int64_t came = ready(g, node, g->recorded, eager, NULL), begin = tv_node_begin(g, node);

	return tv_node_end(g, node) - (came > begin ? came : begin);
}

static int64_t cost(const struct tv_call_graph *g, uint32_t node, enum tv_rung rung, bool eager)
{
	enum tv_node_how how = (enum tv_node_how)g->node[node].how;
	bool kept = rung == TV_RUNG_RECORDED || how == TV_NODE_FIXED || how == TV_NODE_PAUSE
		 || (rung == TV_RUNG_CALLS && how == TV_NODE_WAIT);

	return kept ? tv_node_rest(g, node, eager) : 0;
}

static int64_t left_away(const int64_t *cut, uint32_t event)
{
	return cut == NULL ? 0 : cut[event];
}

/* cut: by event what is left away; or NULL. */
static int64_t *replay(const struct tv_call_graph *g, enum tv_rung rung, bool eager,
		       const int64_t *flight, const int64_t *cut)
{
	int64_t *at = tv_alloc(2 * (size_t)g->n + g->nthreads + g->njoints, sizeof *at);

	for (uint32_t i = 0; i < tv_targets(g); i++) {
		uint32_t target = g->order[i];
		int64_t came = ready(g, target, at, eager, flight);

		if (target < g->n) {
			const struct tv_call_thread *t = &g->thread[g->node[target].thread];
			int64_t from = came > at[2 * target] ? came : at[2 * target];

			at[2 * target + 1] = from + cost(g, target, rung, eager)
					   - left_away(cut, 2 * target + 1);
			if (target + 1 < t->first + t->n)
				at[2 * target + 2] = at[2 * target + 1]
						   + g->recorded[2 * target + 2]
						   - g->recorded[2 * target + 1]
						   - left_away(cut, 2 * target + 2);
		} else if (target < g->n + g->njoints) {
			at[tv_event_of_joint(g, target - g->n)] = came;
		} else {
			const struct tv_call_thread *t = &g->thread[target - g->n - g->njoints];
			int64_t begin = came != INT64_MIN ? came : t->begin;

			at[tv_event_of_thread(g, (uint32_t)(t - g->thread))] = begin;
			if (t->n > 0)
				at[2 * t->first] = begin + tv_node_begin(g, t->first) - t->begin
						 - left_away(cut, 2 * t->first);
		}
	}
	return at;
}

int64_t *tv_replay_instants(const struct tv_call_graph *g, enum tv_rung rung, bool eager)
{
	return replay(g, rung, eager, NULL, NULL);
}

/* The end of a thread in a rung. */
static int64_t end_of(const struct tv_call_graph *g, uint32_t thread, const int64_t *instant)
{
	const struct tv_call_thread *t = &g->thread[thread];
	uint32_t last = t->first + t->n - 1;

	return t->n > 0 ? instant[2 * last + 1] + t->end - tv_node_end(g, last)
			: instant[tv_event_of_thread(g, thread)] + t->end - t->begin;
}

static int64_t length(const struct tv_call_graph *g, const int64_t *instant, const int64_t *cut)
{
	int64_t end = g->begin;

	for (uint32_t t = 0; t < g->nthreads; t++) {
		int64_t ends = end_of(g, t, instant) - left_away(cut, tv_event_of_thread(g, t));

		end = ends > end ? ends : end;
	}
	return end - g->begin;
}

int64_t tv_replay_without(const struct tv_call_graph *g, const int64_t *cut)
{
	int64_t *at = replay(g, TV_RUNG_RECORDED, false, NULL, cut), ns = length(g, at, cut);

	tv_free(at);
	return ns;
}

/* Where a thread is in a rung that is at `time` in the recording. */
static int64_t reached_by(const struct tv_call_graph *g, uint32_t thread, const int64_t *instant,
			  int64_t time)
{
	const struct tv_call_thread *t = &g->thread[thread];
	uint32_t i;

	if (time >= t->end)
		return end_of(g, thread, instant);
	TV_LOWER_BOUND(i, t->first, t->first + t->n, tv_node_begin(g, i) <= time);
	if (i == t->first || t->n == 0)
		return instant[tv_event_of_thread(g, thread)] + time - t->begin;
	i--;
	if (time >= tv_node_end(g, i))
		return instant[2 * i + 1] + time - tv_node_end(g, i);
	time += instant[2 * i] - tv_node_begin(g, i);
	return time < instant[2 * i + 1] ? time : instant[2 * i + 1];
}

int64_t tv_replay_reaches(const struct tv_call_graph *g, const int64_t *instant, int64_t time)
{
	int64_t latest = g->begin;

	for (uint32_t t = 0; t < g->nthreads; t++)
		if (time >= g->thread[t].begin) {
			int64_t at = reached_by(g, t, instant, time);

			latest = at > latest ? at : latest;
		}
	return latest;
}

/* Whether no message that waits for another thread has a size that none of the points has, which are by size. */
static bool has_all_sizes(const struct tv_call_graph *g, const struct tv_network_point *point,
			  uint32_t n)
{
	for (uint32_t m = 0; m < g->nmessages; m++) {
		uint32_t k;

		TV_LOWER_BOUND(k, 0, n, point[k].size < g->message[m].bytes);
		if (k == n || point[k].size != g->message[m].bytes)
			return false;
	}
	return true;
}

/* What the network shows: waits for a message that had not been sent when they began. */
static int fit(const struct tv_call_graph *g, struct tv_network *network, struct tv_error *err)
{
	struct tv_network_point *point = tv_alloc(g->n, sizeof *point);
	uint32_t n = 0;
	bool within;
	int rc;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct tv_call_message *m = g->node[i].message == TV_NONE
							? NULL
							: &g->message[g->node[i].message];
		int64_t sent = m == NULL ? 0 : tv_node_begin(g, m->send);

		if (m != NULL && g->node[i].how == TV_NODE_WAIT && m->received == i
		    && tv_node_begin(g, i) <= sent && tv_node_end(g, i) > sent)
			point[n++] = (struct tv_network_point){ m->bytes,
								tv_node_end(g, i) - sent };
	}
	n = tv_network_fastest(point, n);
	within = has_all_sizes(g, point, n);
	rc = n > 2 || (n > 0 && within)
		   ? tv_network_of_points(network, point, n, within, err)
		   : tv_fail(err,
			     "--network fit: messages of %lu size%s were sent while a call waited "
			     "for them, expected at least 3 sizes, or latency=T,bandwidth=B",
			     (unsigned long)n, tv_plural(n));
	tv_free(point);
	return rc;
}

int tv_replay_network(const struct tv_mpi_replay *r, const char *text, struct tv_network *network,
		      int64_t *time, struct tv_error *err)
{
	const struct tv_call_graph *g = &r->graph;
	int64_t *flight, *at;
	double *takes;

	if ((strcmp(text, "fit") == 0 ? fit(g, network, err)
				      : tv_network_parse(network, "network", "fit", text, err))
	    < 0)
		return -1;
	takes = tv_alloc(g->nmessages, sizeof *takes);
	for (uint32_t m = 0; m < g->nmessages; m++)
		takes[m] = tv_network_time(network, g->message[m].bytes);
	flight = tv_network_round(takes, g->nmessages, err);
	tv_free(takes);
	if (flight == NULL)
		return -1;
	at = replay(g, TV_RUNG_IDEAL, false, flight, NULL);
	*time = length(g, at, NULL);
	tv_free(at);
	tv_free(flight);
	return 0;
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
	r->determined = (tv_int128)r->fixed * 100
		     <= (tv_int128)r->rung[TV_RUNG_IDEAL] * FIXED_PERCENT;
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
		r->rung[rung] = length(g, at, NULL);
		if (rung == TV_RUNG_IDEAL)
			r->ideal = at;
		else
			tv_free(at);
	}
	r->ideal_if_eager = r->rung[TV_RUNG_IDEAL];
	if (g->counts.unknown_protocol > 0) {
		int64_t *eager = tv_replay_instants(g, TV_RUNG_IDEAL, true);

		r->ideal_if_eager = length(g, eager, NULL);
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
