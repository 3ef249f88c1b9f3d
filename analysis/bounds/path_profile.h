/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * path_profile.h -- what the observed chain of a run (dag/observed.h) consists of, and how unequally its work is shared.
 *
 * The times add up to the makespan. The imbalance of a group of tasks is its time on the path minus its share of all
 * work: the sum of price x busy time, also where nothing of it is on the path. Above 0: work that was serial or in a
 * slow place; below 0: work that went on elsewhere meanwhile. All imbalances, waits and messages add up to makespan -
 * useful time (rung overlap of efficiency). After D. Boehme et al., IPDPS 2012; without the max and priced it is ours.
 */
#ifndef TV_PATH_PROFILE_H
#define TV_PATH_PROFILE_H

#include "analysis/core/run.h"

/* By what tasks are distinguished; messages and waits always by link, cause. */
enum tv_profile_key { TV_PROFILE_TYPE, TV_PROFILE_NODE, TV_PROFILE_WORKER };

enum { TV_PROFILE_COLUMNS = 10 };
extern const struct tv_field tv_profile_columns[TV_PROFILE_COLUMNS];

/* Fills out, which has no columns: tasks, messages, waits, each the longest first. -1 with *err, as the bounds. */
int tv_path_profile(struct tv_run *run, enum tv_profile_key key, struct tv_table *out,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
