/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_members.h -- the workers and nodes of a run that are slower than others of their type, in all of it or for a time. */
#ifndef TV_SLOW_MEMBERS_H
#define TV_SLOW_MEMBERS_H

#include "analysis/core/run.h"

struct tv_slow_member {
	double ratio; /* its tasks take so many times as long as on others, above 1 */
	const char *member, *node,
		*rtype; /* names; of a node, member is its own. Borrowed from the run */
	bool is_node;	/* all workers of the type on it; else one worker or device */
	bool timed; /* slow for a time: of the tasks with a Start in [begin, end], ns; else in the whole run */
	int64_t begin, end;
};

/*
 * Those of tv_slow_times; then those that deviating-resources (tv_is_slow) finds for all task types together and that are not, or on a
 * node that is not, among the first; no worker of a node that is slow, and none if most of its tasks have more work (GFlop,
 * without it Size) than others of their types, which explains half of what they take longer. Greatest ratio first. *list: free with tv_free. -1 with *err. Cost
 * O(rows log rows + members^2 + rows * slow members).
 */
int tv_slow_members(struct tv_run *run, struct tv_slow_member **list, uint32_t *n,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
