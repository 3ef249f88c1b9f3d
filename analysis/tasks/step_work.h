/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step_work.h -- which work is done in each step of time, and how fast the workers are at it, of rows that may come part by part.
 */
#ifndef TV_STEP_WORK_H
#define TV_STEP_WORK_H

#include "analysis/core/means.h"
#include "analysis/core/steps.h"
#include "trace/map.h"

struct tv_mix_cell;

/* Tasks of one type. */
struct tv_mix_type {
	uint32_t label;
	struct tv_mix_cell *
		*cell; /* by resource type, then whether they ended: by slot; NULL = none */
	struct tv_pair
		*of_worker; /* by worker, those that ended: over the whole run; without tasks */
};

struct tv_mix {
	const struct tv_tasks *tasks; /* selected workers */
	struct tv_slices steps;
	uint32_t nslots; /* all steps together, then each step */
	struct tv_mix_type *
		type; /* ntypes, in the end in natural order of their labels, a missing one first */
	uint32_t ntypes;
	size_t cap;
	struct tv_index place; /* of a type, by its label + 1 */
	struct tv_map met;     /* slots and executions with segments that they have */
};

enum { TV_MIX_WHOLE }; /* slot of all steps together; that of step i is i + 1 */

/* Reads the rows of a run, and of a team merges them. -1 with *err. Release it in any case. Cost O(tasks + steps that they touch),
 * memory O(steps x types x resource types). */
int tv_mix_init(struct tv_mix *mix, struct tv_run *run, struct tv_slices steps, uint32_t nsteps,
		struct tv_error *err) TV_MUST_CHECK;
void tv_mix_release(struct tv_mix *mix); /* safe on a zeroed struct */

/* The area bound of the work in a slot, ns, with one worker of resource type `fewer` less (TV_NONE: with
 * all); infinite where a type is left without workers. */
int tv_mix_area(const struct tv_mix *mix, uint32_t slot, uint32_t fewer, double *bound,
		struct tv_error *err) TV_MUST_CHECK;

/* Index of the task type by which workers are compared: of that name, or for NULL the one with the
 * longest time among those that ran on every resource type with workers; TV_NONE = none. */
uint32_t tv_mix_power_type(const struct tv_mix *mix, const char *name);
/* power[w] = 1 / mean duration of the type on worker w, else on its resource type. *missing:
 * TV_NONE, or a resource type where it never ran or takes no time. */
void tv_mix_power(const struct tv_mix *mix, uint32_t type, double *power, uint32_t *missing);

#endif
