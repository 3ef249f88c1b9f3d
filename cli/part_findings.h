/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * part_findings.h -- what reading a trace part by part (parts.h) shows of it: workers and sums, what is to be reported, and whether
 * parts are enough. Processes add up what each has found.
 */
#ifndef TV_PART_FINDINGS_H
#define TV_PART_FINDINGS_H

#include "analysis/core/run.h"
#include "analysis/tasks/phase_list.h"
#include "cli/cli.h"
#include "dag/carry.h"

struct tv_part_findings {
	struct tv_survey survey;
	struct tv_trace reports; /* of reading the parts */
	struct tv_left_out left_out;
	struct tv_phase_stretches stretches;
	int64_t before, place; /* in the input of the first row and the last of those added */
	bool moved;	       /* parts do not come in the order of the input */
	unsigned messages;     /* what parts show of messages (trace/messages.h) */
	unsigned answers;      /* the same of later ones, where there are messages before */
};

/* None, beside a trace. */
void tv_part_findings_init(struct tv_part_findings *found, const struct tv_trace *trace);
void tv_part_findings_release(struct tv_part_findings *found); /* safe on a zeroed struct */
/* Adds what a part shows, which was read as `part` says. */
void tv_part_findings_add(struct tv_part_findings *found, const struct tv_row_part *part,
			  const struct tv_tasks *tasks);
/* Adds what a part shows of messages; shared: tv_part_findings_share_notes follows. */
void tv_part_findings_note(struct tv_part_findings *found, const struct tv_trace *part,
			   bool shared);
/* Prints what reading the parts reported, each note once, without those of the trace. */
void tv_part_findings_print(const struct tv_part_findings *found, const struct tv_cli *cli,
			    const struct tv_trace *trace);
/* What all processes have added, in the order of their parts. */
void tv_part_findings_share(struct tv_part_findings *found, const struct tv_team *team,
			    const struct tv_trace *trace);
/* What all have noted, also of jobs; with reports: all of what they report, too. */
void tv_part_findings_share_notes(struct tv_part_findings *found, struct tv_carry *carry,
				  bool reports, const struct tv_team *team,
				  const struct tv_trace *trace);

#endif
