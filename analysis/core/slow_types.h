/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slow_types.h -- task types that take longer on some workers than on others of the same type. */
#ifndef TV_SLOW_TYPES_H
#define TV_SLOW_TYPES_H

#include "analysis/core/run.h"

/*
 * The workers of a type fall into two parts at a task type if nine tenths of its tasks on each worker of the one part take longer, relative
 * to the median of their kind (tv_relative_durations), than nine tenths of those on each worker of the other part, and the medians of the
 * two parts are a factor of 1.25 or more apart. Each part has two workers or more, the slower one also one against three; those with fewer
 * than five tasks of the type are in neither. Of several such divisions that with the largest factor counts.
 *
 * slow, by row: set for tasks on workers of the slower part. -1 with *err. Cost O(rows log rows). Ours.
 */
int tv_slow_types(struct tv_run *run, bool *slow, struct tv_error *err) TV_MUST_CHECK;

#endif
