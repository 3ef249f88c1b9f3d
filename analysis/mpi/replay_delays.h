/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay_delays.h -- how much shorter the recorded run is if some computations or calls take less time, by replay of its calls.
 *
 * A computation is what a thread does between two calls, or behind the last one; of a call the part counts that it took after all
 * partners had come. Each is of a kind: computations by the places of the calls before and after them and their number among those
 * of their thread; calls by function and size. Places are sites or, without them, functions. Source as of delay_cost.h.
 */
#ifndef TV_REPLAY_DELAYS_H
#define TV_REPLAY_DELAYS_H

#include "analysis/mpi/replay.h"

/* How long the part lasts that ends with an event, ns: at the begin of a node the computation before it, at its end what it took
 * after its partners had come, at the begin of a thread the computation behind its last node. 0: nothing, or clocks contradict. */
int64_t tv_replay_length(const struct tv_call_graph *graph, uint32_t event);
/* By event: how much of that is above the mean of its kind, rounded down, ns. Free with tv_free. */
int64_t *tv_replay_excess(const struct tv_call_graph *graph);

/* In the order of the words of --delay-cost. */
enum tv_delayed { TV_DELAYED_COMPUTATIONS, TV_DELAYED_CALLS };

enum { TV_REPLAY_DELAY_COLUMNS = 8 };
extern const struct tv_field tv_replay_delay_columns[TV_REPLAY_DELAY_COLUMNS];

/*
 * Fills out, which has no columns: the replay without a cut, all cuts together, then those of each rank or, of calls, of each pair of
 * ranks whose message they complete, or function; the largest cost first. cut: EXPR=TIME for rows of `calls`, one for each node
 * of the graph that is no pause, then one for the
 * end of each thread that computes before it: the computation before it, or the call, by TIME, at most to nothing; NULL: to the mean of its
 * kind. -1 with *err: columns of EXPR. Cost: a replay for each group.
 */
int tv_replay_delays(struct tv_run *run, const struct tv_call_graph *graph, enum tv_delayed what,
		     const char *cut, const struct tv_table *calls, struct tv_table *out,
		     struct tv_error *err) TV_MUST_CHECK;

#endif
