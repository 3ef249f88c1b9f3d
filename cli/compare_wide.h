/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_wide.h -- a section of a comparison of several runs as one table, a column for each run. */
#ifndef TV_COMPARE_WIDE_H
#define TV_COMPARE_WIDE_H

#include "analysis/compare/sides.h"
#include "trace/table.h"

/*
 * Fills *wide (uninitialized on entry) from n rows of a report, which are those of one section: a row for each
 * number, with columns Name, Value, ResourceType, Unit, the base run's label, the labels of the other
 * runs, and the change of each from the base. False, and *wide is empty, where a row is about single tasks
 * or texts, or the base has not one number for all: such a section has a table for each run. Cost O(n).
 */
bool tv_compare_wide(const struct tv_table *report, const uint32_t *rows, uint32_t n,
		     const struct tv_side *side, size_t nsides, struct tv_table *wide);

#endif
