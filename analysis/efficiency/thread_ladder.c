/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_ladder.c -- the ladder of a program without tasks: threads that call MPI. */
#include "analysis/efficiency/ladder.h"
#include "analysis/mpi/replay_warnings.h"
#include "trace/alloc.h"

enum { POLLING_NS = 10000 }; /* as the default of mpi-replay */

/* Useful time of the threads of a node. */
struct node_useful {
	tv_int128 sum;
	uint32_t n;
};

/* The largest mean over the threads of a node, ns. */
static long double busiest_node(const struct tv_mpi_replay *replay)
{
	const struct tv_call_graph *graph = &replay->graph;
	uint32_t nranks = graph->calls->nranks;
	struct node_useful *node = tv_alloc(nranks, sizeof *node);
	long double most = 0;

	for (uint32_t i = 0; i < graph->nthreads; i++) {
		node[graph->thread[i].rank].sum += replay->thread[i].useful;
		node[graph->thread[i].rank].n++;
	}
	for (uint32_t r = 0; r < nranks; r++)
		if (node[r].n > 0 && (long double)node[r].sum / node[r].n > most)
			most = (long double)node[r].sum / node[r].n;
	tv_free(node);
	return most;
}

static void set(struct tv_ladder *ladder, enum tv_ladder_rung rung, long double time,
		const char *what)
{
	ladder->time[rung] = time;
	ladder->what[rung] = what;
}

int tv_ladder_threads(struct tv_ladder *ladder, struct tv_run *run, struct tv_error *err)
{
	const struct tv_call_rules rules = { .gap = POLLING_NS };
	struct tv_mpi_replay replay;
	uint32_t threads;
	int rc;

	tv_ladder_init(ladder, "threads");
	if (tv_mpi_replay_init(&replay, run, &rules, "efficiency", err) < 0)
		return -1;
	threads = replay.graph.nthreads;
	rc = tv_replay_warn(run, &replay, "efficiency", err);
	set(ladder, TV_LADDER_RUNG_RECORDED, replay.rung[TV_RUNG_RECORDED],
	    "recorded, from MPI_Init to MPI_Finalize");
	set(ladder, TV_LADDER_RUNG_RUNTIME, replay.rung[TV_RUNG_CALLS],
	    "calls that only post or ask take no time");
	if (replay.determined)
		set(ladder, TV_LADDER_RUNG_TRANSFER, replay.rung[TV_RUNG_IDEAL],
		    "ideal network: a call ends when its partners have come");
	else
		ladder->missing[TV_LADDER_RUNG_TRANSFER] = "too many calls cannot be replayed";
	/* The waits for others are one loss: what no thread's own work forces. */
	set(ladder, TV_LADDER_RUNG_ORDER, replay.busiest, "busiest thread: no waits for others");
	set(ladder, TV_LADDER_RUNG_GRAPH, replay.busiest, "busiest thread");
	ladder->certain[TV_LADDER_RUNG_GRAPH] = true;
	set(ladder, TV_LADDER_RUNG_WORKERS, busiest_node(&replay),
	    "work of a node shared by its threads");
	ladder->certain[TV_LADDER_RUNG_WORKERS] = threads == replay.graph.calls->nranks;
	set(ladder, TV_LADDER_RUNG_NODES, threads == 0 ? 0 : (long double)replay.useful / threads,
	    "work shared by all threads");
	ladder->certain[TV_LADDER_RUNG_NODES] = replay.graph.calls->nranks < 2;
	tv_mpi_replay_release(&replay);
	return rc;
}
