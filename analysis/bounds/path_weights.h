/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_weights.h -- the durations that paths of bounds weigh tasks with, and the bounds that need only these. */
#ifndef TV_PATH_WEIGHTS_H
#define TV_PATH_WEIGHTS_H

#include "analysis/core/durations.h"
#include "analysis/core/run.h"

/* What longest paths weigh nodes with: segments for themselves, unless durations are foreign. */
struct tv_path_weights {
	struct tv_estimates estimates;
	const struct tv_means *means;
	struct tv_durations durations;
	bool proven; /* a path is a bound */
	double *of;  /* by node of the graph */
};

/* A counted task weighs its type's fastest duration by the rule. means: those of the tasks. -1 with *err; to be released in
 * any case. */
int tv_path_weights_init(struct tv_path_weights *weights, const struct tv_duration_rule *rule,
			 const struct tv_means *means, const struct tv_dag *dag,
			 struct tv_error *err);
void tv_path_weights_release(struct tv_path_weights *weights);
/* CPE: the length of the longest path, ns. */
double tv_path_weights_longest(const struct tv_path_weights *weights, const struct tv_dag *dag);
/* Sets *ns to the max of h + area + q; warns if the search for it is cut off. -1 with *err. */
int tv_path_weights_tight(const struct tv_path_weights *weights, struct tv_run *run,
			  const struct tv_dag *dag, double *ns, struct tv_error *err);

#endif
