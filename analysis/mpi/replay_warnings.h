/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_warnings.h -- what a recording of MPI calls leaves open or contradicts, in words. */
#ifndef TV_REPLAY_WARNINGS_H
#define TV_REPLAY_WARNINGS_H

#include "analysis/mpi/replay.h"

extern const char *const tv_fixed_reason_name[TV_NFIXED]; /* for a message; NULL = TV_FIXED_NOT */

/*
 * Warns of calls that cannot be replayed, with their number and time, of messages of which it is
 * not known whether they wait for their receive, where that matters, with both ends of the
 * interval, and of clocks that contradict, with what the smallest shifts give, for which it replays
 * once more. -1 with *err as tv_mpi_replay_init.
 */
int tv_replay_warn(struct tv_run *run, const struct tv_mpi_replay *replay, const char *verb,
		   struct tv_error *err) TV_MUST_CHECK;

#endif
