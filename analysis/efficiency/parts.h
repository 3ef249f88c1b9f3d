/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.h -- ladders of parts of a run: spans of time, or nodes.
 *
 * Spans: the busy time of workers within them, at the prices of the whole run; their area bounds and useful times
 * (rung nodes) add up to those of the run, so that the run's parallel efficiency is the mean of theirs, weighted by
 * their lengths. The area bound of a span is a cost, no bound: each task costs as much as it does at its best place,
 * in proportion to its time within. Rungs graph to types are the span's own. Phases and iterations
 * are spans that end where the last task of them and of all before ended. In replays they end at other times: what each adds
 * to the rungs runtime to submission adds up to those of the run, but may be above its own length.
 *
 * Of mode threads there are windows, regions, nodes and iterations (calls/iterations.h; also as phases), each from the end of the one before, if it begins later: the work
 * between their calls is theirs. The first one begins with its first call. What a span adds to the rungs runtime and transfer is how far these replays
 * come between the instants at which the thread that is latest there gets to its begin and to its end: of
 * windows it adds up to those of the run.
 *
 * Nodes: as if each were a machine of its own that runs as long as the whole; times are over the price of all its
 * workers, so the run's area bound / makespan is the mean of the nodes', weighted by these prices.
 */
#ifndef TV_PARTS_OF_EFFICIENCY_H
#define TV_PARTS_OF_EFFICIENCY_H

#include "analysis/efficiency/ladder.h"

/* As the choices of --by; types are those of several runs, a region is asked for otherwise. */
enum tv_part_key {
	TV_PART_WINDOW,
	TV_PART_ITERATION,
	TV_PART_PHASE,
	TV_PART_NODE,
	TV_PART_TYPE,
	TV_PART_REGION
};

struct tv_efficiency_part {
	char *name;	    /* of the node, phase or iteration; NULL = none; owned */
	int64_t begin, end; /* ns */
	struct tv_ladder ladder;
	long double replayed[TV_LADDER_RUNG_SUBMISSION
			     + 1]; /* what it adds to rungs runtime to submission, ns; NaN =
							 * not known */
};

struct tv_efficiency_parts {
	struct tv_efficiency_part *at;
	size_t n;
};

/* step_ns: of windows between its multiples. region: as in core/instances.h. -1 with *err: no such column, too many windows, what the bounds refuse.
 * Release them in any case. Cost: that of the ladder of the run, and O(windows workers). */
int tv_efficiency_parts_init(struct tv_efficiency_parts *parts, struct tv_run *run,
			     enum tv_part_key key, int64_t step_ns, const char *region,
			     struct tv_error *err) TV_MUST_CHECK;
/* Of mode threads. */
int tv_thread_parts_init(struct tv_efficiency_parts *parts, struct tv_run *run,
			 enum tv_part_key key, int64_t step_ns, const char *region,
			 struct tv_error *err) TV_MUST_CHECK;
/* For these two: a part without rungs but the first, whose name it owns; and the instances of a region. */
void tv_efficiency_part_add(struct tv_efficiency_parts *parts, const char *mode, char *name,
			    int64_t begin, int64_t end);
int tv_efficiency_parts_of_region(struct tv_efficiency_parts *parts, const char *mode,
				  struct tv_run *run, const char *region,
				  struct tv_error *err) TV_MUST_CHECK;
void tv_efficiency_parts_release(struct tv_efficiency_parts *parts); /* safe on a zeroed struct */

#endif
