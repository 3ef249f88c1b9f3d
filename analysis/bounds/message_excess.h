/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_excess.h -- how much longer messages of the task graph took than others of their size. */
#ifndef TV_MESSAGE_EXCESS_H
#define TV_MESSAGE_EXCESS_H

#include "analysis/core/run.h"

/* By node of the graph: what a message took (tv_rerun_flight) above the mean of those of its size, rounded down, ns; 0 for all
 * others. Messages without a size are of one kind. Free with tv_free. NULL with *err: as tv_run_messages. */
int64_t *tv_message_excess(struct tv_run *run, const struct tv_dag *dag, struct tv_error *err);

#endif
