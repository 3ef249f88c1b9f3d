/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * swapped.h -- whether ResourceId has what belongs into Value, and the other way round.
 *
 * It looks so if a tenth of the executions or more begin before an earlier one of the same ResourceId has ended, but none before an
 * earlier one of the same Value has; the Values have four executions each on average; and most of them are called alike but for
 * their numbers (CPU0, CPU1), of the ResourceIds at most half. Ours; a heuristic.
 */
#ifndef TV_SWAPPED_H
#define TV_SWAPPED_H

#include "analysis/core/overlaps.h"

/* Cost O(rows log rows) where executions overlap, else O(1). */
bool tv_looks_swapped(const struct tv_tasks *tasks, const struct tv_overlaps *overlaps);

#endif
