/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regions.h -- what a trace of regions shows that has neither tasks nor what threads wait for.
 *
 * The own time of a region is its time without that of the regions inside it, on its resource. Ours.
 */
#ifndef TV_DIAGNOSE_REGIONS_H
#define TV_DIAGNOSE_REGIONS_H

#include "analysis/diagnose/findings.h"

struct tv_regions {
	char *text; /* how many there are, and which have the most time of their own */
	char *tasks; /* for --task-state: the outermost regions of the type with the most own time; NULL = none */
};

/* false: the trace has no states with times. Release it in any case. Cost O(rows log rows). */
bool tv_regions_init(struct tv_regions *regions, const struct tv_run *run);
void tv_regions_release(struct tv_regions *regions);

#endif
