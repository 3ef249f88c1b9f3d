/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schedulers.c -- the table of scheduling policies. */
/*
 * To add a policy: add a row. Where no place or order fits, add one to its enum in schedulers.h, and
 * its case in the functions of queues.c. Help and docs of `simulate` follow from the rows.
 */
#include "sim/schedulers.h"

#include <string.h>

const struct tv_scheduler tv_schedulers[] = {
	{ .name = "fifo",
	  .summary = "one central queue, in the order of submission",
	  .place = TV_SIM_CENTRAL,
	  .order = TV_SIM_BY_RANK },
	{ .name = "prio",
	  .summary = "one central queue, by priority",
	  .place = TV_SIM_CENTRAL,
	  .order = TV_SIM_BY_PRIORITY },
	{ .name = "cpe-priority",
	  .summary = "one central queue, by the longest path to the end",
	  .place = TV_SIM_CENTRAL,
	  .order = TV_SIM_BY_PATH },
	{ .name = "dm",
	  .summary = "the worker with the earliest expected end, chosen when a task is released",
	  .place = TV_SIM_EXPECTED,
	  .order = TV_SIM_BY_RELEASE },
	{ .name = "dms",
	  .summary = "as dm, each queue sorted by priority",
	  .place = TV_SIM_EXPECTED,
	  .order = TV_SIM_BY_PRIORITY },
	{ .name = "dmda",
	  .summary =
		  "as dm, transfers of the task's data included, which also count for themselves",
	  .place = TV_SIM_EXPECTED,
	  .order = TV_SIM_BY_RELEASE,
	  .counts_transfers = true },
	{ .name = "dmdas",
	  .summary = "as dmda, by priority, of equal ones first those whose data are there",
	  .place = TV_SIM_EXPECTED,
	  .order = TV_SIM_BY_PRIORITY,
	  .counts_transfers = true },
	{ .name = "heft",
	  .summary = "as dm, each queue sorted by the longest path to the end",
	  .place = TV_SIM_EXPECTED,
	  .order = TV_SIM_BY_PATH },
	{ .name = "ws",
	  .summary = "queues of workers, priority, then newest; steals from the longest queue",
	  .place = TV_SIM_LOCAL,
	  .order = TV_SIM_BY_RELEASE,
	  .from_most_loaded = true },
	{ .name = "lws",
	  .summary = "as ws, but stolen from the next worker that has a task",
	  .place = TV_SIM_LOCAL,
	  .order = TV_SIM_BY_RELEASE },
	{ .name = "locality",
	  .summary = "one central queue; the task with the fewest misses in the worker's cache "
		     "(comm-cache)",
	  .place = TV_SIM_CENTRAL,
	  .order = TV_SIM_BY_RANK,
	  .nearest_of = UINT32_MAX },
	{ .name = "locality-64",
	  .summary = "as locality, of the first 64 tasks in the order of submission",
	  .place = TV_SIM_CENTRAL,
	  .order = TV_SIM_BY_RANK,
	  .nearest_of = TV_SIM_TRIED_MAX },
	{ .name = "replay",
	  .summary = "worker and order of the recorded run",
	  .place = TV_SIM_RECORDED,
	  .order = TV_SIM_BY_RANK },
};
const uint32_t tv_nschedulers = TV_COUNT(tv_schedulers);

const struct tv_scheduler *tv_scheduler_find(const char *name)
{
	for (uint32_t i = 0; i < tv_nschedulers; i++)
		if (!strcmp(tv_schedulers[i].name, name))
			return &tv_schedulers[i];
	return NULL;
}
