/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.h -- the table of the analysis passes, one file each in the room of its subject. */
#ifndef TV_PASSES_H
#define TV_PASSES_H

#include "analysis/core/run.h"

extern const struct tv_pass *const tv_passes[];
extern const size_t tv_npasses;

/* The verb, a question, that a pass is a part of: `traceviz QUESTION NAME`, besides `traceviz NAME`; "" = it is one
 * itself. */
const char *tv_pass_question(const struct tv_pass *pass);

/*
 * The passes, in the order of the help, with their questions. To add one (CONTRIBUTING.md, Add a pass), write
 * analysis/ROOM/NAME.c with `const struct tv_pass tv_pass_NAME`, and add X(NAME, QUESTION) here, without a question if
 * no verb asks it yet. The verb, its help, man page, completion and the tests of all passes follow.
 */
#define TV_PASSES(X) \
	X(info, ) \
	X(summary, ) \
	X(distribution, summary) \
	X(bounds, ) \
	X(abe, ) \
	X(account, ) \
	X(efficiency, ) \
	X(idleness, ) \
	X(states, summary) \
	X(call_tree, summary) \
	X(events, list) \
	X(idle_causes, ) \
	X(starvation, series) \
	X(utilization, series) \
	X(topology, ) \
	X(imbalance, series) \
	X(critical_path, ) \
	X(deps, ) \
	X(chain, ) \
	X(paths, chain) \
	X(ready, series) \
	X(submitted, series) \
	X(concurrency, series) \
	X(share, series) \
	X(throughput, series) \
	X(counter, series) \
	X(reduce, derive) \
	X(derive, ) \
	X(rate, derive) \
	X(window, derive) \
	X(balance, summary) \
	X(cluster, ) \
	X(fit, ) \
	X(place, ) \
	X(annotate, topology) \
	X(messages, list) \
	X(load_balance, summary) \
	X(late_start, ) \
	X(comm_matrix, summary) \
	X(message_sizes, summary) \
	X(bandwidth, series) \
	X(in_flight, series) \
	X(requests, list) \
	X(overlap, ) \
	X(wait_states, ) \
	X(mpi_replay, ) \
	X(collective_steps, list) \
	X(callprofile, summary) \
	X(dedicate, overlap) \
	X(transfers, list) \
	X(memory, ) \
	X(memory_states, summary) \
	X(handles, list) \
	X(residency, list) \
	X(stragglers, outliers) \
	X(what_if, ) \
	X(lifecycle, deps) \
	X(lifecycle_summary, summary) \
	X(priorities, ) \
	X(decisions, ) \
	X(mispredictions, decisions) \
	X(late, deps) \
	X(what_if_choice, decisions) \
	X(choice, decisions) \
	X(queues, list) \
	X(queue_lengths, series) \
	X(iterations, deps) \
	X(progress, phases) \
	X(phases, ) \
	X(aggregate, ) \
	X(outliers, ) \
	X(regression, outliers) \
	X(deviating_resources, outliers) \
	X(disturbances, outliers) \
	X(tree, ) \
	X(tree_usage, series) \
	X(open_fronts, series) \
	X(front_memory, series)

#define TV_DECLARE_PASS(name, question) extern const struct tv_pass tv_pass_##name;
TV_PASSES(TV_DECLARE_PASS)

#endif
