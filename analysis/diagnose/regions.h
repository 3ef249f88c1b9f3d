/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regions.h -- what a trace of regions shows that has neither tasks nor what threads wait for.
 *
 * The own time of a region is its time without that of the regions inside it, on its resource. Ours.
 */
#ifndef TV_DIAGNOSE_REGIONS_H
#define TV_DIAGNOSE_REGIONS_H

#include "analysis/diagnose/findings.h"

/* Whether the trace has states with times. */
bool tv_regions_any(const struct tv_run *run);
/* In words: how many there are, and which have the most time of their own. Free it. Cost O(rows log rows). */
char *tv_regions_text(const struct tv_case *c);
/* An expression for --task-state that takes the outermost regions of the type with the most own time. Free it. */
char *tv_regions_tasks(const struct tv_case *c);

#endif
