/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.h -- options and notes that several passes have in common. */
#ifndef TV_SHARED_OPTIONS_H
#define TV_SHARED_OPTIONS_H

#include "trace/options.h"

/* Rows: { TV_CAN_RUN_ROW, TV_INTO(struct options, can_run) }. */

/* --can-run. */
enum tv_can_run { TV_CAN_RUN_OBSERVED, TV_CAN_RUN_ANYWHERE };
#define TV_CAN_RUN_ROW \
	"can-run", "observed|anywhere", "observed", "worker types on which a task can run", \
		TV_OPTION_CHOICE

/* --step, of passes whose result has means, and of those that have rows for each slice. */
#define TV_STEP_MEANS_ROW \
	"step", "TIME", NULL, "means over slices between multiples of TIME", TV_OPTION_TIME, 1, 0
#define TV_STEP_ROWS_ROW \
	"step", "TIME", NULL, "rows for each slice between multiples of TIME", TV_OPTION_TIME, 1, 0

/* Notes of passes that follow dependencies or releases. Of tasks with segments: dag/dag.h. */
#define TV_EXCLUSION_NOTES \
	"Tasks with commuting access to a handle (Modes RWC) run one at a time: such a task " \
	"also\n" \
	"waits for the task that used the handle before it (an exclusion, in observed order).\n" \
	"Each segment of a suspended task (Segment) waits for the one before it. A task that\n" \
	"depends on its ParentJob waits for its own submission only (a creation).\n"

/* A value of --level: rows are streams of devices, not devices. */
#define TV_LEVEL_STREAM "stream"

#endif
