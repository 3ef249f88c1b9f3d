/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * described.h -- outputs of monitors (monitor/monitor.h), computed of the variables of a trace as a recording
 * with this description computes them of its events.
 */
#ifndef TV_DESCRIBED_H
#define TV_DESCRIBED_H

#include "analysis/machine/samples.h"

/*
 * Replaces samples of all variables by the outputs that the description in the file `path` makes of them,
 * in the order of series. An event is the variable of its name, else MONITOR.EVENT, else the only
 * one whose name ends in .EVENT, or of several the only one on objects of the monitor's level; those on no
 * object do not count. A monitor reads the samples on
 * objects of its level, where the variable has none there the sums inside them. Samples that end at the
 * same time are one tick. -1 with *err: a mistake in the description, an event that no variable has, a
 * level that the machine does not have, or no output. O(n log n) plus the evaluation.
 */
int tv_described_apply(struct tv_samples *samples, const char *path,
		       struct tv_error *err) TV_MUST_CHECK;

#endif
