/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap_groups.h -- communications of a run in groups: sums of their times, medians of their ratios. */
#ifndef TV_OVERLAP_GROUPS_H
#define TV_OVERLAP_GROUPS_H

#include "analysis/mpi/known_references.h"

enum tv_overlap_by {
	TV_OVERLAP_BY_INSTANCE,	  /* a collective operation, on all its ranks */
	TV_OVERLAP_BY_CALLSITE,	  /* the function at a place in the program */
	TV_OVERLAP_BY_COLLECTIVE, /* the function */
	TV_OVERLAP_BY_SIZE,	  /* powers of 2 */
	TV_OVERLAP_BY_RANK,
	TV_OVERLAP_NBY
};

enum { TV_OVERLAP_COLUMNS = 19 };
extern const struct tv_field tv_overlap_columns[TV_OVERLAP_COLUMNS];

/* A row for each group that has completed communications, in natural order, to *out, which has no
 * columns. Cost O(n log n). */
void tv_overlap_groups(struct tv_known_references *known, enum tv_overlap_by by, double tolerance,
		       struct tv_table *out);

#endif
