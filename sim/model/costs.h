/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costs.h -- how long each job of a run takes on each resource type of a simulated machine.
 *
 * As recorded where it ran, the mean of its pair of types elsewhere, both without what a slow worker adds (slow_workers.h); or the mean, median or minimum of
 * its pair, or a random one of its durations; or what a file says; or, where nothing of that is known, its GFlop over the speed of the
 * resource type. Work are the tasks that the run counts, and planned ones.
 */
#ifndef TV_COSTS_H
#define TV_COSTS_H

#include "analysis/core/durations.h"
#include "sim/model/slow_workers.h"

struct tv_cost_options {
	const char *
		durations; /* "trace", "task-clock" (the same of tv_costs_drop_waits), "mean", "median", "minimum" or "sample" */
	const char *durations_from; /* a file as for tv_duration_rule_init; NULL = the run */
	bool fill;		    /* the file's are for pairs of which the run has none */
	const char *gflops;	  /* "CPU=20,CUDA=900": GFlop/s by resource type; NULL = unknown */
	const char *const *speed; /* "EXPR=FACTOR": durations of tasks for which EXPR holds, with
				       the ResourceType on which they run, are divided by FACTOR */
	size_t nspeeds;
	const char *
		overhead; /* "5us" or "gemm=5us,...": what each task takes besides; NULL = nothing */
	uint64_t seed;	  /* of samples */
	bool regrained;	  /* tasks were merged or split, so that no worker is known to be slow */
};

struct tv_costs {
	const struct tv_dag *dag;
	uint32_t ntypes;
	uint32_t nrtypes, *rtype; /* labels: those of the run first */
	size_t rtypes_cap;
	double *time;		       /* ntypes x nrtypes: ns of the pair; < 0 = unknown */
	bool whole;		       /* these are of whole tasks, also where they have segments */
	const struct tv_column *gflop; /* of the tasks; NULL = unknown */
	double *rate;		       /* by rtype: GFlop per ns; 0 = unknown */
	double *mean_gflop; /* ntypes x nrtypes: of the jobs recorded there; 0 = unknown; NULL without `gflop` */
	bool *can; /* ntypes x nrtypes: whether every job of the type has a duration */
	struct tv_job_cost {
		int64_t own;	    /* recorded, ns; < 0 = none, or not to be used */
		uint32_t own_rtype; /* where that was */
		uint32_t type;	    /* TV_NONE = it is no work */
	} * job;		    /* by node */
	double *factor;		    /* dag->n x nrtypes: durations are divided by it; NULL = 1 */
	double *overhead;	    /* by type: ns besides the duration of a job; NULL = 0 */
	struct tv_duration_rule rule;
	struct tv_durations run; /* of the run; zeroed if durations come from a file */
	struct tv_cost_sample {
		const int64_t *ns; /* ascending */
		uint32_t n;
	} * sample; /* ntypes x nrtypes: durations of the pair; NULL = durations are not drawn */
	struct tv_slow_workers slow; /* of recorded durations that are used; else empty */
	double *draw; /* by node: which share of these is shorter, 0 to 1; equal for all of a job */
};

/*
 * A resource type that the run does not know is added for each name in `more` ("CPU=64,CUDA=2";
 * NULL = none), if a file or --gflops gives its durations. -1 with *err: what is not understood, a
 * name without durations, a parallel task.
 */
int tv_costs_init(struct tv_costs *costs, struct tv_run *run, const struct tv_dag *dag,
		  const struct tv_cost_options *options, const char *const *more, size_t nmore,
		  struct tv_error *err) TV_MUST_CHECK;
void tv_costs_release(struct tv_costs *costs); /* safe on a zeroed struct */
/* Replaces the speeds by these, as in struct tv_cost_options. -1 with *err: what is not understood, or tasks that
 * take more than 30 years in all; strict: one that matches no task. */
int tv_costs_speed(struct tv_costs *costs, const char *const *speed, size_t nspeeds, bool strict,
		   struct tv_error *err) TV_MUST_CHECK;

/* Recorded durations become the time with a processor, where that is known (processors.h). Returns whether it is of any. */
bool tv_costs_drop_waits(struct tv_costs *costs);

/* A number drawn uniformly from [0, 1), which depends on the seed and the n bytes alone. */
double tv_costs_share(uint64_t seed, const void *bytes, size_t n);
/* Draws again, if durations are drawn: a job's share of shorter durations depends on the seed and its
 * JobId (without one on its number) alone. */
void tv_costs_draw(struct tv_costs *costs, uint64_t seed);

/* The place of a resource type in costs->rtype by its name of n bytes; TV_NONE. */
uint32_t tv_costs_rtype(const struct tv_costs *costs, const char *name, size_t n);
/* -1 with *err: the machine has no resource type of that name, naming those that it has. */
int tv_costs_no_rtype(const struct tv_costs *costs, const char *option, const char *name, size_t n,
		      struct tv_error *err);
/* ns of a node that is work on a resource type that can run it: where it ran. */
int64_t tv_costs_recorded(const struct tv_costs *costs, uint32_t node, uint32_t rtype);
/* The same on a worker that is not slow; ratio, of struct tv_slow_worker: on that one, else 1. */
int64_t tv_costs_of(const struct tv_costs *costs, uint32_t node, uint32_t rtype, double ratio);
/* What is known of it before it has run: the mean of its type there, in proportion to its GFlop where tasks have that, or its own duration
 * where there is none. */
int64_t tv_costs_expected(const struct tv_costs *costs, uint32_t node, uint32_t rtype);
/* The same, ns, where durations are drawn the mean of what can be drawn. */
double tv_costs_mean(const struct tv_costs *costs, uint32_t node, uint32_t rtype);
/* Whether all tasks, one after the other where each takes longest, take a time that can be simulated. */
bool tv_costs_in_range(const struct tv_costs *costs);
/* Of costs without: what --overhead adds to each task. -1 with *err (usage). */
int tv_costs_overheads(struct tv_costs *costs, const char *text,
		       struct tv_error *err) TV_MUST_CHECK;

/*
 * The bounds of a machine with workers[r] of each resource type, ns: the area bound and the critical
 * path, from the mean time of each type's jobs on each resource type; -1 = there is none (a type that
 * no worker can run). Of all nodes together.
 */
void tv_costs_bounds(const struct tv_costs *costs, const double *workers, double *abe, double *cpe);
/* ns of the longest path, each job as long as on the resource type with workers where it takes least. */
double tv_costs_chain(const struct tv_costs *costs, const double *workers);

/* One entry of "TYPE=NUMBER,...": *at goes on behind it. False with *err (usage) if it is none. */
struct tv_type_number {
	const char *name;
	size_t length;
	double number;
};
bool tv_next_type_number(const char *option, const char *text, const char **at,
			 struct tv_type_number *entry, struct tv_error *err);
/* Whether a text has that form; NULL has. -1 with *err (usage). */
int tv_type_numbers_check(const char *option, const char *text, struct tv_error *err) TV_MUST_CHECK;
/* Whether the options have the forms that they need, whatever the run is. -1 with *err (usage). */
int tv_costs_check(const struct tv_cost_options *options, struct tv_error *err) TV_MUST_CHECK;

#endif
