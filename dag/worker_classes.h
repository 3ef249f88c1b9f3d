/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker_classes.h -- which workers can run which task types, as a run shows it.
 *
 * Worker types that ran counted tasks are numbered as classes, those with the fewest workers first
 * (equal ones in the order of tasks->rtype). A task can run on a class if a task of its type ran
 * there; a pending task of a type that ran nowhere, on all.
 */
#ifndef TV_WORKER_CLASSES_H
#define TV_WORKER_CLASSES_H

#include "trace/map.h"
#include "trace/tasks.h"

enum {
	TV_CLASSES_APART = 8, /* of more, types that ran the same task types are one */
	TV_CLASSES_MAX = 64,
	TV_SETS_MAX = 256
};

/* Which worker types ran which task types, each pair once. Zeroed: nothing yet. */
struct tv_ran {
	struct tv_map seen;
	struct tv_ran_pair {
		uint32_t task_type, worker_type; /* a label or TV_NONE; index into rtype */
	} * at;
	size_t n, cap;
};

/* Adds the counted rows: all of a run, or those of one part after the other. */
void tv_ran_add(struct tv_ran *ran, const struct tv_tasks *tasks);
void tv_ran_release(struct tv_ran *ran);

struct tv_worker_classes {
	uint64_t set[TV_SETS_MAX]; /* bit c = class c; the first has all */
	uint32_t n, nsets;
	uint32_t *of;  /* by worker type; TV_NONE = ran nothing */
	uint8_t *runs; /* by label of a task type below nlabels, then of a missing one: its set */
	uint32_t nlabels;
};

/* One class of all workers, which runs everything. */
void tv_worker_classes_init_any(struct tv_worker_classes *classes, const struct tv_tasks *tasks);
/* tasks: the workers of the run. -1 with *err: more than TV_CLASSES_MAX worker types that ran different task types, or
 * TV_SETS_MAX sets of those that ran the same one. Sorts the pairs. */
int tv_worker_classes_init(struct tv_worker_classes *classes, struct tv_ran *ran,
			   const struct tv_tasks *tasks, struct tv_error *err) TV_MUST_CHECK;
void tv_worker_classes_release(struct tv_worker_classes *classes); /* safe on a zeroed struct */

/* The set of classes that a task type (label or TV_NONE) runs on. */
static inline uint8_t tv_worker_classes_set(const struct tv_worker_classes *classes,
					    uint32_t task_type)
{
	return task_type == TV_NONE	    ? classes->runs[classes->nlabels]
	     : task_type < classes->nlabels ? classes->runs[task_type]
					    : 0;
}

#endif
