/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_ladder.c -- the ladder of a program without tasks: threads that call MPI, or have states of OpenMP. */
#include "analysis/efficiency/thread_ladder.h"

#include <math.h>
#include <string.h>

#include "analysis/calls/thread_time.h"
#include "analysis/core/places.h"
#include "analysis/mpi/replay_warnings.h"
#include "trace/alloc.h"

/* ---- threads ---- */

/* Calls of the threads [first, end) of a rank: disjoint, ascending. How many. */
static uint32_t calls_of_rank(const struct tv_call_graph *g, uint32_t first, uint32_t end,
			      struct tv_span *calls)
{
	uint32_t n = 0;

	for (uint32_t t = first; t < end; t++)
		for (uint32_t i = g->thread[t].first; i < g->thread[t].first + g->thread[t].n; i++)
			if (g->node[i].row != TV_NONE)
				calls[n++] = (struct tv_span){ tv_node_begin(g, i),
							       tv_node_end(g, i) };
	return tv_spans_merge(calls, n, (struct tv_span){ g->begin, g->end });
}

/* Of the threads [first, end) of a rank: time outside its calls, and in waits. Threads that its first one begins later, or that end
 * earlier, wait for work then. calls: those of the rank. */
static void set_outside(struct tv_ladder_threads *threads, uint32_t first, uint32_t end,
			const struct tv_span *calls, uint32_t n)
{
	const struct tv_call_graph *g = &threads->replay.graph;
	struct tv_span in = threads->at[first].time;

	for (uint32_t t = first; t < end; t++)
		if (g->thread[t].leads)
			in = threads->at[t].time;
	for (uint32_t t = first; t < end; t++) {
		struct tv_ladder_thread *thread = &threads->at[t];
		const struct tv_replay_thread *sum = &threads->replay.thread[t];
		const struct tv_span none[] = { { in.begin, thread->time.begin },
						{ thread->time.end, in.end } };

		thread->paused = sum->paused;
		thread->outside = sum->useful + sum->paused;
		for (uint32_t i = g->thread[t].first; i < g->thread[t].first + g->thread[t].n; i++)
			if (g->node[i].how == TV_NODE_PAUSE)
				thread->outside -= tv_spans_within(
					calls, n,
					(struct tv_span){ tv_node_begin(g, i), tv_node_end(g, i) });
		for (size_t i = 0; i < TV_COUNT(none); i++) {
			if (none[i].end <= none[i].begin)
				continue;
			thread->paused += none[i].end - none[i].begin;
			thread->outside += none[i].end - none[i].begin
					 - tv_spans_within(calls, n, none[i]);
		}
	}
}

static void set_ranks(struct tv_ladder_threads *threads)
{
	const struct tv_call_graph *g = &threads->replay.graph;
	struct tv_span *calls = tv_alloc(g->n, sizeof *calls);
	uint32_t end;

	for (uint32_t first = 0; first < g->nthreads; first = end) {
		for (end = first;
		     end < g->nthreads && g->thread[end].rank == g->thread[first].rank;)
			end++;
		set_outside(threads, first, end, calls, calls_of_rank(g, first, end, calls));
	}
	tv_free(calls);
}

static int add_callers(struct tv_ladder_threads *threads, struct tv_run *run, struct tv_error *err)
{
	const struct tv_call_rules rules = { .gap = TV_POLLING_NS };
	const struct tv_call_graph *g = &threads->replay.graph;

	if (tv_mpi_replay_init(&threads->replay, run, &rules, "efficiency", err) < 0)
		return -1;
	threads->at = tv_alloc(g->nthreads, sizeof *threads->at);
	threads->n = g->nthreads;
	for (uint32_t i = 0; i < g->nthreads; i++)
		threads->at[i] = (struct tv_ladder_thread){
			.node = g->thread[i].rank,
			.time = { g->thread[i].begin, g->thread[i].end },
			.useful = threads->replay.thread[i].useful,
		};
	set_ranks(threads);
	threads->begin = g->begin;
	threads->end = g->begin + threads->replay.rung[TV_RUNG_RECORDED];
	threads->nnodes = g->calls->nranks;
	threads->node = tv_alloc(g->calls->nranks, sizeof *threads->node);
	memcpy(threads->node, g->calls->rank, g->calls->nranks * sizeof *threads->node);
	return 0;
}

static void add_states(struct tv_ladder_threads *threads, struct tv_run *run)
{
	const struct tv_threads *of = tv_run_threads(run);
	struct tv_index known = { 0 };

	threads->at = tv_alloc(of->n, sizeof *threads->at);
	threads->node = tv_alloc(of->n, sizeof *threads->node);
	threads->begin = of->begin;
	threads->end = of->end;
	threads->n = of->n;
	for (uint32_t i = 0; i < of->n; i++) {
		const struct tv_thread *thread = &of->at[i];
		uint32_t label = tv_run_node_of(run, thread->resource),
			 node = label == TV_NONE ? TV_NONE : tv_index_get(&known, label);

		if (node == TV_NONE) {
			node = threads->nnodes++;
			threads->node[node] = label;
			if (label != TV_NONE)
				tv_index_set(&known, label, node);
		}
		threads->at[i] = (struct tv_ladder_thread){ .node = node,
							    .time = { thread->begin, thread->end },
							    .useful = thread->useful };
	}
	tv_free(known.at);
}

int tv_ladder_threads_init(struct tv_ladder_threads *threads, struct tv_run *run,
			   struct tv_error *err)
{
	*threads = (struct tv_ladder_threads){ .calls = tv_run_calls(run)->n > 0 };
	if (threads->calls)
		return add_callers(threads, run, err);
	add_states(threads, run);
	return 0;
}

void tv_ladder_threads_release(struct tv_ladder_threads *threads)
{
	if (threads->calls)
		tv_mpi_replay_release(&threads->replay);
	tv_free(threads->at);
	tv_free(threads->node);
	*threads = (struct tv_ladder_threads){ 0 };
}

/* ---- rungs ---- */

static void set(struct tv_ladder *ladder, enum tv_ladder_rung rung, long double time,
		const char *what)
{
	ladder->time[rung] = time;
	ladder->what[rung] = what;
}

/* Sums over the threads of a node. */
struct node_sums {
	tv_int128 useful, outside, paused;
	uint32_t n;
};

static long double mean(tv_int128 sum, uint32_t n)
{
	return n == 0 ? 0 : (long double)sum / n;
}

void tv_ladder_set_useful(struct tv_ladder *ladder, const struct tv_ladder_threads *threads,
			  const int64_t *useful, uint32_t only)
{
	struct node_sums *node = tv_alloc(threads->nnodes, sizeof *node), all = { 0 };
	long double busiest_node = 0;
	int64_t busiest = 0;

	ladder->outside_max = 0;
	for (uint32_t i = 0; i < threads->n; i++) {
		const struct tv_ladder_thread *t = &threads->at[i];
		int64_t time = useful == NULL ? t->useful : useful[i];
		struct node_sums *sums[2] = { &all, &node[t->node] };

		if (only != TV_NONE && t->node != only)
			continue;
		busiest = time > busiest ? time : busiest;
		for (int k = 0; k < 2; k++) {
			sums[k]->useful += time;
			sums[k]->outside += t->outside;
			sums[k]->paused += t->paused;
			sums[k]->n++;
		}
	}
	for (uint32_t k = 0; k < threads->nnodes; k++) {
		busiest_node = fmaxl(busiest_node, mean(node[k].useful, node[k].n));
		ladder->outside_max = fmaxl(ladder->outside_max, mean(node[k].outside, node[k].n));
	}
	tv_free(node);
	ladder->threads = all.n;
	ladder->outside = mean(all.outside, all.n);
	ladder->paused = mean(all.paused, all.n);
	/* The waits for others are one loss: what no thread's own work forces. */
	set(ladder, TV_LADDER_RUNG_ORDER, busiest, "busiest thread: no waits for others");
	set(ladder, TV_LADDER_RUNG_GRAPH, busiest, "busiest thread");
	ladder->certain[TV_LADDER_RUNG_GRAPH] = true;
	set(ladder, TV_LADDER_RUNG_WORKERS, busiest_node, "work of a node shared by its threads");
	ladder->certain[TV_LADDER_RUNG_WORKERS] = threads->n == threads->nnodes;
	set(ladder, TV_LADDER_RUNG_NODES, mean(all.useful, all.n), "work shared by all threads");
	ladder->certain[TV_LADDER_RUNG_NODES] = threads->nnodes < 2;
}

static void set_replays(struct tv_ladder *ladder, const struct tv_mpi_replay *replay, bool whole)
{
	set(ladder, TV_LADDER_RUNG_RECORDED, replay->rung[TV_RUNG_RECORDED],
	    whole ? "recorded, from MPI_Init to MPI_Finalize"
		  : "recorded, from the first to the last call, or state, of threads");
	set(ladder, TV_LADDER_RUNG_RUNTIME, replay->rung[TV_RUNG_CALLS],
	    "calls that only post or ask take no time");
	if (replay->determined)
		set(ladder, TV_LADDER_RUNG_TRANSFER, replay->rung[TV_RUNG_IDEAL],
		    "ideal network: a call ends when its partners have come");
	else
		ladder->missing[TV_LADDER_RUNG_TRANSFER] = "too many calls cannot be replayed";
}

int tv_ladder_threads(struct tv_ladder *ladder, struct tv_run *run, struct tv_error *err)
{
	struct tv_ladder_threads threads;
	int rc;

	tv_ladder_init(ladder, "threads");
	rc = tv_ladder_threads_init(&threads, run, err);
	if (rc == 0) {
		tv_ladder_set_useful(ladder, &threads, NULL, TV_NONE);
		if (threads.calls) {
			set_replays(ladder, &threads.replay, tv_run_threads(run)->whole);
			rc = tv_replay_warn(run, &threads.replay, "efficiency", err);
		} else {
			set(ladder, TV_LADDER_RUNG_RECORDED, threads.end - threads.begin,
			    "recorded, from the first to the last state of threads");
			ladder->missing[TV_LADDER_RUNG_RUNTIME] =
				"states do not show for whom threads wait";
		}
	}
	tv_ladder_threads_release(&threads);
	return rc;
}
