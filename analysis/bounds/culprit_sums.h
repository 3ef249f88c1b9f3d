/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit_sums.h -- the idle time of workers by cause (dag/idle.h) and culprit (dag/culprits.h), priced. */
#ifndef TV_IDLE_CULPRIT_SUMS_H
#define TV_IDLE_CULPRIT_SUMS_H

#include "analysis/bounds/worth.h"
#include "dag/blame.h"
#include "dag/culprits.h"

/* What of a culprit is distinguished; in the order of the words of --each. */
enum tv_idle_culprit_key {
	TV_IDLE_CULPRIT_BY_ALL, /* task type, worker type and node; of a message its nodes; of a call all */
	TV_IDLE_CULPRIT_BY_TYPE,
	TV_IDLE_CULPRIT_BY_NODE,
	TV_IDLE_CULPRIT_BY_WORKER,
	TV_IDLE_CULPRIT_BY_LINK,
	TV_IDLE_CULPRIT_BY_PLACE, /* in the program: of a task File:Line or Site, else its type; of a call function and Site */
	TV_IDLE_CULPRIT_BY_TASK /* JobId, with task type and worker; of a message also its nodes */
};

/* Labels; TV_NONE where it has none, or it is not distinguished. */
struct tv_idle_culprit_names {
	uint32_t value, rtype, node, resource, link,
		site; /* site: of a call or, by place, a task */
	uint32_t job; /* by task */
};

struct tv_idle_culprit_sum {
	size_t slice;
	uint32_t cause; /* enum tv_idle_cause */
	uint32_t what;	/* enum tv_idle_culprit */
	struct tv_idle_culprit_names names;
	int64_t time, direct; /* of workers, ns; at most that of the run times its workers */
	long double priced;   /* time at the price of the idle workers, ns of the run */
	long double
		excess; /* time x the part of the culprit's duration above the mean of its kind, ns */
};

struct tv_idle_culprit_sums {
	struct tv_idle_culprit_sum *at; /* by slice, cause, culprit, then largest time first */
	size_t n, cap;
};

/* What is summed: idle spans of the same slices, with `all`; of workers whose `of` is true (NULL: all). */
struct tv_idle_culprit_input {
	const struct tv_waits *waits;
	const struct tv_fetches *fetches;
	struct tv_idle_spans *spans; /* whose causes of workers and nodes are taken */
	const struct tv_worth *worth;
	const int64_t *bound; /* nslices + 1 */
	size_t nslices;
	const uint32_t *group; /* by worker; TV_NONE: not summed */
	const uint32_t *
		partner; /* by row of calls: label of the rank it waits for, or TV_NONE; NULL without calls */
	const int64_t *message_excess; /* message_excess.h; NULL = not known */
	struct tv_pool *pool;	       /* of the names of links */
};

/* Cost: that of tv_idle_culprits, and O(log spans) for each of its parts, slice and change of a worker's cause. */
void tv_idle_culprit_sums_init(struct tv_idle_culprit_sums *sums,
			       const struct tv_idle_culprit_input *input,
			       enum tv_idle_culprit_key key);
void tv_idle_culprit_sums_release(struct tv_idle_culprit_sums *sums);

#endif
