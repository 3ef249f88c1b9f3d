/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_transfer.c -- time in MPI calls after the ranks for which they wait have come. */
#include "analysis/diagnose/mpi_transfer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/diagnose/equal_calls.h"
#include "analysis/diagnose/findings.h"
#include "analysis/mpi/replay.h"
#include "trace/sorted.h"
#include "trace/text.h"

static int by_place(const void *a, const void *b)
{
	const struct tv_mpi_transfer_at *x = a, *y = b;

	return x->call != y->call ? TV_COMPARE(x->call, y->call)
	     : x->site != y->site ? TV_COMPARE(x->site, y->site)
				  : TV_COMPARE(x->rank, y->rank);
}

/* A row for each wait of the graph, then one for each rank, function and place. */
static void sum_places(struct tv_mpi_transfer *transfer, const struct tv_call_graph *g)
{
	struct tv_mpi_transfer_at *at = tv_alloc(g->n, sizeof *at);
	uint32_t n = 0, places = 0;
	double all = 0, counts = (double)transfer->time * g->nthreads;

	for (uint32_t i = 0; i < g->n; i++) {
		int64_t time = tv_node_rest(g, i, false);

		if (g->node[i].how != TV_NODE_WAIT)
			continue;
		time = time > 0 ? time : 0;
		all += (double)time;
		at[n] = (struct tv_mpi_transfer_at){
			.rank = g->calls->rank[g->thread[g->node[i].thread].rank],
			.call = tv_call_label(g->calls, TV_CALL_NAME, g->node[i].row),
			.site = tv_call_label(g->calls, TV_CALL_SITE, g->node[i].row),
			.n = 1,
			.time = time,
			.min = time,
			.max = time
		};
		n++;
	}
	if (n > 0)
		qsort(at, n, sizeof *at, by_place);
	for (uint32_t i = 0; i < n; i++) {
		struct tv_mpi_transfer_at *to = &at[places - (places > 0)];

		if (places == 0 || by_place(to, &at[i]) != 0) {
			at[places++] = at[i];
			continue;
		}
		to->n++;
		to->time += at[i].time;
		to->min = at[i].min < to->min ? at[i].min : to->min;
		to->max = at[i].max > to->max ? at[i].max : to->max;
	}
	transfer->at = at;
	transfer->n = places;
	transfer->counts = counts < all ? counts / all : 1;
}

void tv_case_find_transfer(struct tv_case *c)
{
	const struct tv_call_rules rules = { .gap = TV_POLLING_NS };
	const struct tv_threads *threads = tv_run_threads(c->run);
	struct tv_mpi_replay replay;
	struct tv_error none;
	int64_t time;

	if (threads->nranks == 0 || threads->cut || tv_run_calls(c->run)->n == 0
	    || tv_mpi_replay_init(&replay, c->run, &rules, "diagnose", &none) < 0)
		return;
	time = replay.rung[TV_RUNG_CALLS] - replay.rung[TV_RUNG_IDEAL];
	if (replay.determined && time >= c->min_ns && time > 0) {
		c->transfer.time = time;
		sum_places(&c->transfer, &replay.graph);
	}
	tv_mpi_replay_release(&replay);
}

int64_t tv_case_transfer_at(const struct tv_case *c, uint32_t rank, uint32_t call, uint32_t site)
{
	const struct tv_mpi_transfer_at key = { .rank = rank, .call = call, .site = site },
					*at = c->transfer.n == 0
						    ? NULL
						    : bsearch(&key, c->transfer.at, c->transfer.n,
							      sizeof key, by_place);

	return at == NULL ? 0 : llround((double)at->time * c->transfer.counts);
}

/* The shortest and the longest transfer of a call there, of all ranks. */
static void add_range(const struct tv_mpi_transfer *transfer, const struct tv_mpi_transfer_at *most,
		      struct tv_equal_calls *range)
{
	range->min = most->min;
	range->max = most->max;
	for (uint32_t i = 0; i < transfer->n; i++) {
		const struct tv_mpi_transfer_at *at = &transfer->at[i];

		if (at->call != most->call || at->site != most->site)
			continue;
		range->min = at->min < range->min ? at->min : range->min;
		range->max = at->max > range->max ? at->max : range->max;
	}
}

static char *transfer_text(const struct tv_case *c, const struct tv_mpi_transfer_at *most,
			   const struct tv_equal_calls *range)
{
	const struct tv_pool *pool = c->run->trace->pool;
	char time[4][32], rank[128], call[128], site[128], size[64] = "", count[32] = "";
	bool equal = strcmp(tv_words_time(time[2], range->min), tv_words_time(time[3], range->max))
		  == 0;

	if (range->equal && range->size != TV_NO_NUMBER)
		snprintf(size, sizeof size, ", which moves %lld byte%s", (long long)range->size,
			 tv_plural((unsigned long long)range->size));
	if (most->n > 1)
		snprintf(count, sizeof count, ", in %lld calls", (long long)most->n);
	return tv_format(
		"If each call ended when the ranks that it waits for have come, the run would be "
		"shorter by %s (%.0f %%). Rank %s is in %s%s%s for %s after that instant%s: "
		"%s%s%s in a call%s.",
		tv_words_time(time[0], c->transfer.time),
		100 * (double)c->transfer.time / (double)c->account.makespan,
		tv_clean_text(rank, sizeof rank, tv_pool_text(pool, most->rank)),
		most->call == TV_NONE
			? "MPI calls"
			: tv_clean_text(call, sizeof call, tv_pool_text(pool, most->call)),
		most->site == TV_NONE ? "" : " at ",
		most->site == TV_NONE
			? ""
			: tv_clean_text(site, sizeof site, tv_pool_text(pool, most->site)),
		tv_words_time(time[1], most->time), count, time[2], equal ? "" : " to ",
		equal ? "" : time[3], size);
}

/* Calls that take unequal times do not show what a network needs. NULL = the rule's. */
static const char *action_of(const struct tv_case *c, const struct tv_mpi_transfer_at *most,
			     bool uneven)
{
	if (c->preempted > 0 || (c->shared && c->clocked.time == 0))
		return "Give each rank a processor of its own and record it again: a partner "
		       "without one does not move data. What remains is the network.";
	if (uneven && c->clocked.time == 0)
		return "Find out what is slow at these times. A partner that lacks a processor "
		       "does not move data: mpirun traceviz record --mpi --monitor task-clock "
		       "shows whether ranks had one. Else it is the network.";
	if (uneven)
		return "Find out what is slow at these times. Ranks had a processor for their "
		       "work, so it is more likely the network.";
	return most->call != TV_NONE
			    && strncmp(tv_pool_text(c->run->trace->pool, most->call), "MPI_Wait", 8)
				       == 0
		     ? "Send less or fewer messages, work between the start of the calls and this "
		       "wait, or use a faster network."
		     : NULL;
}

static int find_mpi_transfer(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_mpi_transfer_at *most = NULL;
	struct tv_equal_calls range;
	bool uneven;

	(void)err;
	if (c->tasks->ncounted > 0)
		return 0;
	for (uint32_t i = 0; i < c->transfer.n; i++)
		if (most == NULL || c->transfer.at[i].time > most->time)
			most = &c->transfer.at[i];
	if (most == NULL)
		return 0;
	range = tv_equal_calls(c->run, most->rank, most->call, most->site);
	add_range(&c->transfer, most, &range);
	found->holds = true;
	found->time_ns = c->transfer.time;
	found->text = transfer_text(c, most, &range);
	uneven = tv_is_uneven(&range, most->n, most->time);
	if (uneven || c->shared)
		found->confidence = TV_ESTIMATE;
	found->action = action_of(c, most, uneven);
	if (2 * (tv_int128)c->preempted >= (tv_int128)c->transfer.time * c->nclocked
	    && c->preempted > 0)
		found->see = "preempted";
	else if (c->no_progress)
		found->see = "no-progress";
	found->command = tv_case_verb(c, "mpi-replay", "--culprits place");
	return 0;
}

const struct tv_rule tv_rule_mpi_transfer = {
	.id = "mpi-transfer",
	.title = "MPI calls take long after their partners have come",
	.condition = "of a program without tasks: by mpi-replay, the run would be 1 % shorter if "
		     "each call ended when the last rank for which it waits has come",
	.measures = "how much shorter",
	.action = "Send less or fewer messages, use nonblocking calls and work between start and "
		  "wait, or use a faster network.",
	.see = "latency",
	.picture = "--panels spacetime,mpi-states",
	.threads = true,
	.find = find_mpi_transfer,
};
