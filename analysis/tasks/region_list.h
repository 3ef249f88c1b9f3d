/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * region_list.h -- what workers did in each instance of a region (analysis/core/instances.h), such as the steps of a training.
 *
 * Work belongs to the instance at whose time it runs, a submission to that at whose time it is made: a kernel may run in a later
 * step than the one that launched it.
 */
#ifndef TV_REGION_LIST_H
#define TV_REGION_LIST_H

#include "analysis/core/run.h"

enum { TV_REGION_COLUMNS = 11 };
extern const struct tv_field tv_region_columns[TV_REGION_COLUMNS];

/* Fills *out, without columns yet, for region as in tv_instances_find. -1 with *err. Cost O(rows log rows + instances x workers x
 * log rows). */
int tv_region_list(struct tv_run *run, const char *region, struct tv_table *out,
		   struct tv_error *err) TV_MUST_CHECK;

#endif
