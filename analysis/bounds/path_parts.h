/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * path_parts.h -- lengths of the longest paths of a run whose rows come part by part: the same numbers as those of
 * longest.h and of the longest path with durations of types, found forward, with three lengths for each live job.
 */
#ifndef TV_PATH_PARTS_H
#define TV_PATH_PARTS_H

#include "analysis/core/durations.h"

struct tv_path_lengths {
	double fastest; /* ns: each task as long as its type is on the fastest resource type */
	double recorded, placed; /* ns: as those of tv_longest */
};

/* durations: of the whole run, as `means`, which are those of whole tasks. rule: as that of tv_run_longest. -1 with *err: a
 * cycle, or a graph for which all rows are needed. */
int tv_path_lengths_find(struct tv_path_lengths *lengths, struct tv_run *run,
			 const struct tv_means *means, const struct tv_durations *durations,
			 const struct tv_duration_rule *rule, struct tv_error *err) TV_MUST_CHECK;

#endif
