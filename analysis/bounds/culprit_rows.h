/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit_rows.h -- the rows of idle-causes --by culprit. */
#ifndef TV_IDLE_CULPRIT_ROWS_H
#define TV_IDLE_CULPRIT_ROWS_H

#include "analysis/bounds/culprit_sums.h"

enum { TV_IDLE_CULPRIT_COLUMNS = 17 };
extern const struct tv_field tv_idle_culprit_columns[TV_IDLE_CULPRIT_COLUMNS];

/* For --help. */
#define TV_IDLE_CULPRIT_NOTES \
	"--by culprit: what went on elsewhere while workers were idle, whatever the cause: the\n" \
	"MPI call in which a worker's own thread is (call). Else from\n" \
	"the worker's next task, or without one from the end of the run, back along last\n" \
	"dependencies to the first that at this instant\n" \
	"  runs or is in flight: task, other (setup, runtime), message\n" \
	"  is released: what runs on its worker, or its call; nothing: data (in transfer),\n" \
	"    runtime; unsent\n" \
	"  is not submitted: submission\n" \
	"The rows add up to all idle time, exactly; Priced to makespan - Useful (efficiency) -\n" \
	"other (account). It is what was going on, no gain: halving a culprit's time does not\n" \
	"halve the idle time.\n"

/* Fills out, which has these columns. workers: how many are summed. */
void tv_idle_culprit_rows(const struct tv_idle_culprit_sums *sums, const int64_t *bound,
			  uint32_t workers, struct tv_table *out);

#endif
