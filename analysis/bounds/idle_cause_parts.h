/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle_cause_parts.h -- why workers were idle, of rows that come part by part.
 *
 *	tv_parted_causes_begin(&parted, run, asked);
 *	tv_parted_causes_note(run, &parted, err);	reads all parts
 *	tv_parted_causes_sweep(run, &parted, err);	and again: adds to parted.work, which by now has all groups and slices
 *	tv_parted_causes_release(&parted);
 */
#ifndef TV_IDLE_CAUSE_PARTS_H
#define TV_IDLE_CAUSE_PARTS_H

#include "analysis/bounds/cause_rows.h"

struct tv_idle_parts;
struct tv_blame_parts;

struct tv_parted_causes {
	struct tv_cause_sums *work; /* set before the parts are read */
	struct tv_idle_parts *idle;
	struct tv_blame_parts *blame;
	bool noted; /* all parts are, as they were read for another pass */
};

/* The member `expect` of the pass. */
void tv_parted_causes_expect(struct tv_run *run);
void tv_parted_causes_begin(struct tv_parted_causes *parted, struct tv_run *run,
			    const struct tv_cause_asked *asked);
/* -1 with *err, also where parts are not enough. */
int tv_parted_causes_note(struct tv_run *run, struct tv_parted_causes *parted,
			  struct tv_error *err) TV_MUST_CHECK;
int tv_parted_causes_sweep(struct tv_run *run, struct tv_parted_causes *parted,
			   struct tv_error *err) TV_MUST_CHECK;
void tv_parted_causes_release(struct tv_parted_causes *parted); /* safe on a zeroed struct */

#endif
