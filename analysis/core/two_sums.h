/* SPDX-License-Identifier: GPL-3.0-or-later */
/* two_sums.h -- tasks of one kind on slower workers and on others: their time, their work, their time on a processor. */
#ifndef TV_TWO_SUMS_H
#define TV_TWO_SUMS_H

#include "trace/map.h"
#include "trace/tasks.h"

/* Sums over tasks: [0] those on other workers, [1] those on the slower ones. */
struct tv_two_sums {
	double time[2], work[2], clock[2]; /* ns, unit of the work, ms */
	uint32_t n[2], nworks[2], nclocks[2];
};

/* By task type and type of workers; safe on a zeroed struct. */
struct tv_kind_sums {
	struct tv_map place;
	struct tv_two_sums *at;
	size_t n, cap;
};

/* Those of a type, a label, and a type of workers, an index; zeros at first. Valid until the next call. */
struct tv_two_sums *tv_kind_sums_of(struct tv_kind_sums *kinds, uint32_t value, uint32_t rtype);
void tv_kind_sums_release(struct tv_kind_sums *kinds);

/* What shows how much work a task has: GFlop, without it Size; NULL = nothing does. */
const struct tv_column *tv_work_of(const struct tv_tasks *tasks);
/* Adds a task. work, clock: NULL = not known. */
void tv_two_sums_add(const struct tv_tasks *tasks, const struct tv_column *work,
		     const struct tv_column *clock, uint32_t row, bool slow,
		     struct tv_two_sums *to);
/* By how much the mean of the slower ones is above that of the others, in parts of the latter; NAN = not known. */
double tv_two_sums_above(const double *sum, const uint32_t *n);

#endif
