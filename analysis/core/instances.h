/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * instances.h -- the instances of a region of a program, over all its ranks.
 *
 * A region is what has a name and was entered and left: a state, a call of MPI, a span of events (start_NAME to stop_NAME, as
 * the pass events pairs them). On a node (a rank) spans that overlap are one instance, as where several threads are in the region, or it
 * calls itself. The K-th instance is the K-th of each node that has as many: from the first enter to the last leave. Instances may
 * have names of their own, as ProfilerStep#7 of PyTorch: of NAME#* all that end with a number. Where threads that are no workers are
 * in a region, spans of devices do not count: they say when work that was launched in it ran.
 */
#ifndef TV_INSTANCES_H
#define TV_INSTANCES_H

#include "analysis/core/run.h"
#include "analysis/core/spans.h"

struct tv_instances {
	char *name;	    /* of the region */
	struct tv_span *at; /* all, in order; neither begins nor ends decrease */
	size_t n;
	size_t first, last; /* those that are asked for: at[first..last) */
	uint32_t *own;	    /* labels of the trace: the name of each; NULL = none has its own */
	const struct tv_pool *pool;
};

/* text: NAME, where there is one instance, NAME#K or, for all, NAME#*. -1 with *err: there is no such region or
 * instance. Release them in any case. Cost O(n log n) of the rows of that name. */
int tv_instances_find(struct tv_instances *instances, struct tv_run *run, const char *text,
		      struct tv_error *err) TV_MUST_CHECK;
/* "NAME#K", or its own name; free with tv_free. */
char *tv_instance_name(const struct tv_instances *instances, size_t i);
void tv_instances_release(struct tv_instances *instances); /* safe on a zeroed struct */

#endif
