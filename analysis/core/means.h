/* SPDX-License-Identifier: GPL-3.0-or-later */
/* means.h -- mean durations by task type and resource type, and the area bound of these. */
#ifndef TV_MEANS_H
#define TV_MEANS_H

#include "analysis/core/grouping.h"
#include "analysis/core/run.h"
#include "trace/number.h"

/* The executions of one task type on one resource type, of which the trace shows the end. One with segments counts where it began,
 * its time where it ran; so n(t,r) w(t,r) is what workers of r did, as the area bound needs it. */
struct tv_pair {
	int64_t executions; /* a team has one per worker */
	double tasks;	    /* a team is one */
	tv_int128 time;	    /* sum of the executions, ns */
};

/* w(t,r) of one node, or of the whole run. */
struct tv_means {
	uint32_t node;	/* index into tasks->node; TV_NONE = the whole run */
	int64_t finish; /* last End, ns */
	uint32_t ntypes, nrtypes;
	uint32_t *type;	      /* ntypes: labels, in natural order of their text */
	uint32_t *index;      /* by type of the whole run: its place in type; TV_NONE = none */
	int64_t *workers;     /* nrtypes: N(r) of this node */
	struct tv_pair *pair; /* ntypes x nrtypes; rtype as in tasks */
	/* Borrowed from the estimates: */
	const uint32_t *row; /* nrows: the counted executions, also those without end */
	uint32_t nrows;
	bool segments;		     /* every segment is an execution of a type of its own */
	bool moves;		     /* an execution has segments on several resource types */
	const uint32_t *type_of_row; /* by row of tasks: type of the whole run */
};

/* The whole run first, then, where there are several, every node that has counted tasks. */
struct tv_estimates {
	uint32_t n;
	struct tv_means *means;
	struct tv_groups rows;	  /* counted executions by node */
	struct tv_grouping types; /* counted executions by type */
	bool segments;
};

/* segments: types are pairs of task type and segment, for paths; else w(t,r) is of whole tasks.
 * Without segments both are the same. Cost O(rows + pairs). */
void tv_estimates_init(struct tv_estimates *estimates, const struct tv_tasks *tasks, bool segments);
void tv_estimates_release(struct tv_estimates *estimates);
/* Those of whole tasks of a run, made at the first call; the run owns them. Warns of tasks that had not ended. */
const struct tv_estimates *tv_run_estimates(struct tv_run *run);
/* Those of whole tasks also of a run whose rows come part by part: then they have no rows, and no index. NULL with *err. */
const struct tv_estimates *tv_run_estimate_rows(struct tv_run *run, struct tv_error *err);
/* Those with or without segments, without a warning. */
const struct tv_estimates *tv_run_estimates_of(struct tv_run *run, bool segments);

/* The place in means->type of the type of a row that the means are of. */
static inline uint32_t tv_means_type(const struct tv_means *means, uint32_t row)
{
	return means->index[means->type_of_row[row]];
}

/* Whether the means, and bounds of them, are about a row: the trace shows its end (as tv_row_ended, or of whole
 * tasks tv_task_ended). */
static inline bool tv_means_take(const struct tv_means *means, const struct tv_tasks *tasks,
				 uint32_t row)
{
	return means->segments ? tv_row_ended(tasks, row) : tv_task_ended(tasks, row);
}

/* Whether a row is on the resource type on which its execution began, where it counts. */
bool tv_means_stays(const struct tv_means *means, const struct tv_tasks *tasks, uint32_t row);

/* Of a type that has only later segments on the node of the means, or none that ended, and so no work of its own
 * there, a resource type with workers, on which it takes no time; TV_NONE = executions of it began there. */
uint32_t tv_means_began_elsewhere(const struct tv_means *means, uint32_t type);

/* Mean duration of a pair in ns, its executions > 0. */
double tv_mean(const struct tv_pair *pair);

/* The area bound of these means in ns, and the ideal numbers of tasks (ntypes x nrtypes). */
int tv_means_area(const struct tv_means *means, double *bound_ns, double *ideal,
		  struct tv_error *err) TV_MUST_CHECK;

#endif
