/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measures.h -- the numbers that runs are compared by, of each run. */
#ifndef TV_MEASURES_H
#define TV_MEASURES_H

#include "analysis/core/run.h"

enum tv_measured {
	TV_MAKESPAN,
	TV_WORKERS,
	TV_TASK_COUNT,
	TV_BOUND,
	TV_BOUND_GAP,
	TV_IDLENESS,
	TV_TYPE_TASKS,
	TV_TYPE_DURATION,
	TV_TYPE_CPU_TIME,
	TV_TYPE_SHARE,
	TV_TYPE_IDEAL,
	TV_CHAIN_TASK,
	TV_CHAIN_MESSAGE,
	TV_CHAIN_WAIT,
	TV_CHAIN_STEPS,
	TV_EFFICIENCY,
	TV_RANK_WORK,
	TV_RANK_MPI,
	TV_CALL_TIME,
	TV_CALL_COUNT,
	TV_STATE_TIME,
	TV_STATE_COUNT,
	TV_NMEASURED
};

struct tv_measured_kind {
	const char *section, *name, *unit;
	bool zero;  /* a run that does not have it has 0 of it; else it is missing */
	bool ratio; /* quotients of it mean something */
};
extern const struct tv_measured_kind tv_measured_kinds[TV_NMEASURED];

/* One number of one run: "duration" of task type value on worker type rtype, for instance. */
struct tv_measure {
	enum tv_measured kind;
	const char *name, *value, *rtype; /* "" = none */
	uint32_t run;
	double x;  /* times in ns, so that sums and differences are exact */
	double sd; /* durations: standard deviation; NaN = unknown */
	int64_t n; /* durations: of how many */
};

struct tv_measures {
	struct tv_pool *pool; /* of the texts; borrowed */
	struct tv_measure *at;
	size_t n, cap;
};

/* Adds the numbers of a run, which is numbered so. weights: NULL, or what bounds take durations
 * from for a second set of bounds. -1 with *err as the passes. */
int tv_measure_run(struct tv_measures *measures, struct tv_run *run, uint32_t number,
		   const char *weights, struct tv_error *err) TV_MUST_CHECK;
/* Adds its factors of efficiency. */
int tv_measure_factors(struct tv_measures *measures, struct tv_run *run, uint32_t number,
		       struct tv_error *err) TV_MUST_CHECK;
/* The same as tv_measure_run of a run without tasks: its threads, efficiency, ranks, calls and states. */
int tv_measure_threads(struct tv_measures *measures, struct tv_run *run, uint32_t number,
		       struct tv_error *err) TV_MUST_CHECK;
/* Once, when all runs are measured: sorts them by kind, name, value, rtype and run, each once. */
void tv_measures_sort(struct tv_measures *measures);
/* Whether two are the same number of different runs. */
bool tv_measures_alike(const struct tv_measure *a, const struct tv_measure *b);
void tv_measures_release(struct tv_measures *measures); /* safe on a zeroed struct */

#endif
