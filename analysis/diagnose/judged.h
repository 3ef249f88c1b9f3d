/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judged.h -- what the files that judge long tasks (evidence.h) share. */
#ifndef TV_DIAGNOSE_JUDGED_H
#define TV_DIAGNOSE_JUDGED_H

#include <math.h>

#include "analysis/calls/thread_time.h"
#include "analysis/core/run.h"
#include "analysis/diagnose/evidence.h"
#include "trace/map.h"

enum { TV_EVIDENCE_MIN = 3 }; /* of fewer tasks or groups nothing follows */

/* The tasks of a type on a resource type that are not long. */
struct tv_rest {
	uint32_t n;
	double time, square, waited, gflop, size, clock; /* sums; of those that have them */
	uint32_t ngflops, nsizes, nclocks;
	uint32_t workers, late,
		still; /* with three tasks or more; those whose first, whose second one is long */
};

struct tv_evidence {
	const struct tv_tasks *tasks;
	const struct tv_column *gflop, *size, *footprint, *clock;
	bool *device; /* by worker: its tasks compute elsewhere than their thread */
	const struct tv_thread **thread; /* by worker; NULL = nothing is known of it */
	uint8_t *class;
	struct tv_map pair; /* of type and resource type: place in rest */
	struct tv_rest *rest;
	size_t n, cap;
	struct tv_map layout; /* of footprint and type: number of tasks that are not long */
};

static inline uint32_t tv_evidence_rtype(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->workers[tasks->worker[row]].rtype;
}

/* Whether a row begins an execution whose length the trace shows. */
static inline bool tv_evidence_whole(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->counted[row] && tv_row_begins(tasks, row) && tv_task_ended(tasks, row);
}

static inline bool tv_evidence_long(uint8_t class)
{
	return class == TV_LATENESS_OUTLIER || (class >= TV_NLATENESS && class != TV_WAITED);
}

/* Whether durations vary by a quarter (SD over mean) at most. */
static inline bool tv_evidence_even(const struct tv_rest *rest)
{
	double mean = rest->time / rest->n;

	return rest->n > 0 && sqrt(fmax(0, rest->square / rest->n - mean * mean)) <= 0.25 * mean;
}

/* What its own columns say of a long task: its class. */
uint8_t tv_evidence_judge(const struct tv_evidence *e, uint32_t row);

/* First tasks that warm up. */
void tv_judge_first(struct tv_evidence *e);
/* The same of tasks of any type: where four fifths of the workers of a type, three or more, have a first task of three times the median of
 * its kind, and of other tasks a tenth as many have, those warm up. -1 with *err. */
int tv_judge_first_of_workers(struct tv_evidence *e, struct tv_run *run,
			      struct tv_error *err) TV_MUST_CHECK;
/* The same of all types, where nearly all first tasks of a type on a worker are so long, and of other tasks a tenth as many are: these may be so
 * many that they are no outliers. */
void tv_judge_all_first(struct tv_evidence *e);

/* Long tasks of which nothing is known, by their place in an iteration or a phase. */
void tv_judge_by_place(struct tv_evidence *e);

/* Long tasks of most workers at regular intervals, where no disturbance is known: they are disturbed. */
void tv_judge_periodic(struct tv_evidence *e, struct tv_run *run);

/* Slow workers, and types that are slow on some workers (tv_judge_slow_types), by what others did that ran such tasks. -1 with *err. */
int tv_judge_by_peers(struct tv_evidence *e, struct tv_run *run,
		      struct tv_error *err) TV_MUST_CHECK;

#endif
