/* SPDX-License-Identifier: GPL-3.0-or-later */
/* changes.h -- changes of a run that what-if simulates, and what each gains. */
#ifndef TV_CHANGES_H
#define TV_CHANGES_H

#include "analysis/bounds/absent.h"
#include "analysis/core/run.h"
#include "sim/model/policies.h"

struct tv_change {
	char *text, *options; /* options of simulate that give it; NULL = none do */
	int64_t makespan, baseline, unexplained; /* ns */
	const char *nature;
	uint32_t rank; /* 0 = none */
};

struct tv_changes {
	struct tv_run *run;
	struct tv_simulator simulator;
	struct tv_change *change;
	size_t n, cap;
	size_t unranked;	     /* the first ones, which have no rank */
	int64_t recorded, replayed;  /* makespans, ns */
	struct tv_absences absences; /* of workers */
	const char *model; /* the policy that comes closest to the run, with its absences */
	int64_t present,
		modeled; /* its makespans: with them, and if all workers take tasks all the time */
	bool transfers;	 /* transfers between memory nodes are simulated */
	bool locks;	 /* tasks wait for locks for 1 % of their time or more */
	const char *data_size; /* of data without size; NULL = not given */
};

int64_t tv_change_distance(int64_t a, int64_t b);
/* Adds a change with what it gives; takes text and options. */
void tv_change_add(struct tv_changes *w, char *text, char *options, int64_t makespan,
		   int64_t baseline, const char *nature);
int tv_change_simulate(struct tv_changes *w, const struct tv_simulation_options *options,
		       int64_t *makespan, struct tv_error *err) TV_MUST_CHECK;
/* Adds what a simulation gives; takes text and given. */
int tv_change_try(struct tv_changes *w, const struct tv_simulation_options *options, char *text,
		  char *given, int64_t baseline, struct tv_error *err) TV_MUST_CHECK;
/* Options that simulate the run as it was. */
struct tv_simulation_options tv_change_nothing(const struct tv_changes *w, const char *scheduler);

/* All policies, on the machine as it was; the one that comes closest to the run is the model of changes of the machine. */
int tv_change_scheduler(struct tv_changes *w, struct tv_error *err) TV_MUST_CHECK;
/* Workers that were absent take tasks all the time. */
int tv_change_absences(struct tv_changes *w, struct tv_error *err) TV_MUST_CHECK;
/* A replay keeps workers and order; the policy, where it is within 5 % of the run, has more tasks to choose from. The better one. */
int tv_change_submission(struct tv_changes *w, struct tv_error *err) TV_MUST_CHECK;
/* One more worker of each type. */
int tv_change_workers(struct tv_changes *w, struct tv_error *err) TV_MUST_CHECK;

#endif
