/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.h -- the table of the analysis passes, one file each in the room of its subject. */
#ifndef TV_PASSES_H
#define TV_PASSES_H

#include "analysis/core/run.h"

extern const struct tv_pass *const tv_passes[];
extern const size_t tv_npasses;

/*
 * The passes, in the order of the help. To add one:
 *   1. write analysis/ROOM/NAME.c, which defines `const struct tv_pass tv_pass_NAME`: its name,
 *      summary, kind, options (trace/options.h) and columns as rows, and the function `run`;
 *      tasks/summary.c is a short example. What three rooms or more use belongs in analysis/core/;
 *   2. add X(NAME) here. The verb, its help, man page, completion and the tests that loop over all
 *      passes follow from the row;
 *   3. write docs/passes/NAME.md and a test with values that are known in another way.
 */
#define TV_PASSES(X) \
	X(info) \
	X(summary) \
	X(distribution) \
	X(bounds) \
	X(abe) \
	X(account) \
	X(idleness) \
	X(states) \
	X(events) \
	X(idle_causes) \
	X(starvation) \
	X(utilization) \
	X(topology) \
	X(imbalance) \
	X(critical_path) \
	X(deps) \
	X(chain) \
	X(paths) \
	X(ready) \
	X(submitted) \
	X(concurrency) \
	X(share) \
	X(throughput) \
	X(counter) \
	X(reduce) \
	X(derive) \
	X(rate) \
	X(window) \
	X(balance) \
	X(cluster) \
	X(fit) \
	X(place) \
	X(annotate) \
	X(messages) \
	X(load_balance) \
	X(late_start) \
	X(comm_matrix) \
	X(message_sizes) \
	X(bandwidth) \
	X(in_flight) \
	X(requests) \
	X(overlap) \
	X(wait_states) \
	X(collective_steps) \
	X(callprofile) \
	X(dedicate) \
	X(transfers) \
	X(memory) \
	X(memory_states) \
	X(handles) \
	X(residency) \
	X(stragglers) \
	X(what_if) \
	X(lifecycle) \
	X(lifecycle_summary) \
	X(priorities) \
	X(decisions) \
	X(mispredictions) \
	X(late) \
	X(what_if_choice) \
	X(choice) \
	X(queues) \
	X(queue_lengths) \
	X(iterations) \
	X(progress) \
	X(phases) \
	X(aggregate) \
	X(outliers) \
	X(regression) \
	X(deviating_resources) \
	X(disturbances) \
	X(tree) \
	X(tree_usage) \
	X(open_fronts) \
	X(front_memory)

#define TV_DECLARE_PASS(name) extern const struct tv_pass tv_pass_##name;
TV_PASSES(TV_DECLARE_PASS)

#endif
