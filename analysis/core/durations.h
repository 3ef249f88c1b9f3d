/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * durations.h -- how long a task of a type takes on a resource type, as bounds and static paths
 * assume it.
 *
 * By default the mean of the run's executions; or their median or minimum; or those of a file, as far as it
 * has them. A pair (type, resource type) is excluded if it has no duration or is forbidden.
 */
#ifndef TV_DURATIONS_H
#define TV_DURATIONS_H

#include "analysis/core/means.h"
#include "analysis/core/run.h"
#include "dag/dag.h"
#include "lp/area.h"

enum tv_statistic { TV_MEAN, TV_MEDIAN, TV_MINIMUM, TV_SAMPLE };

/* Duration of a pair in a file. */
struct tv_weight {
	uint32_t type, rtype; /* labels of the run's pool */
	double ns;
	uint32_t first, n; /* TV_SAMPLE: rule->sample[first] and on, ascending */
};

/* Where durations come from, for the whole run and each of its nodes. */
struct tv_duration_rule {
	enum tv_statistic statistic;
	const char *forbid;	  /* TYPE:RESTYPE,... with * and ?; NULL = none; borrowed */
	bool foreign;		  /* they come from a file */
	struct tv_weight *weight; /* sorted by type, then rtype */
	size_t nweights;
	int64_t *sample; /* TV_SAMPLE: ns of all tasks of the file, by pair */
};

/*
 * statistic: "mean", "median" or "minimum"; "sample": the mean, and all durations. file: NULL; the
 * name of run->weights; a table as the pass abe writes (Value, ResourceType, MeanDuration; rows
 * that name a Node are not used); or a trace for run->loader, of whose tasks the statistic is taken. pool: the run's. -1 with *err: not understood,
 * not readable. Release it in any case.
 */
int tv_duration_rule_init(struct tv_duration_rule *rule, const struct tv_run *run,
			  const char *statistic, const char *forbid, const char *file,
			  struct tv_pool *pool, struct tv_error *err) TV_MUST_CHECK;
void tv_duration_rule_release(struct tv_duration_rule *rule);
/* A pair of labels in the file; NULL = it is not there. Cost O(log pairs). */
const struct tv_weight *tv_duration_rule_find(const struct tv_duration_rule *rule, uint32_t type,
					      uint32_t rtype);

struct tv_durations {
	double *time;	   /* ntypes x nrtypes, ns, as in means; negative = excluded */
	double *fastest;   /* ntypes: the min of them, ns */
	uint32_t *where;   /* ntypes: the resource type of that, the first of equal ones */
	uint32_t excluded; /* pairs whose resource type has workers */
	uint32_t kept;	   /* pairs that ran and are not in the file: they have those of the run */
	bool proven;	   /* no task of the run took less, nothing is excluded, no teams: what
				 * follows from them bounds every schedule */
	struct tv_area area; /* the area bound's program: worker time, a team counts in full */
	double *count, *worker_time, *workers; /* what area points to */
	/* TV_SAMPLE of the run: executions of pair p take sample[first_sample[p]] and on, ascending */
	int64_t *sample;
	uint32_t *first_sample;
};

/* -1 with *err: a type that is left without any resource type. Cost O(rows log rows). */
#define TV_DURATIONS_FROM_ROW \
	"durations-from", "TRACE|FILE", NULL, \
		"durations from the tasks of another run, or from a CSV that traceviz abe wrote; " \
		"pairs that it does not have: those of the run", \
		TV_OPTION_TEXT
int tv_durations_init(struct tv_durations *d, const struct tv_duration_rule *rule,
		      const struct tv_tasks *tasks, const struct tv_means *means,
		      struct tv_error *err) TV_MUST_CHECK;
void tv_durations_release(struct tv_durations *d);

/* -1 with *err: not such a list; NULL is one. */
int tv_forbid_check(const char *list, struct tv_error *err) TV_MUST_CHECK;
/* Whether an entry of TYPE:RESTYPE,... matches the two names; the last colon of each divides it. */
bool tv_forbids(const char *list, const char *type, const char *rtype);

/* weight (by node of the graph): fastest of its type for a task whose end the trace shows, 0 for other nodes. means: those of
 * d, of the whole run; without `segments` a segment weighs its share of its task. */
void tv_durations_weigh(const struct tv_durations *d, const struct tv_means *means,
			const struct tv_dag *dag, double *weight);
/* How much of a task of its type a node of the graph is. */
double tv_durations_share(const struct tv_means *means, const struct tv_dag *dag, uint32_t node);

#endif
