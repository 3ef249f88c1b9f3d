/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lock_waits.h -- how long workers wait for locks, by states of any Type. */
#ifndef TV_LOCK_WAITS_H
#define TV_LOCK_WAITS_H

#include "analysis/core/run.h"

/* Whether a state is such a wait: "Wait for lock", "Wait for critical", "Wait for atomic" or "Wait for ordered". */
bool tv_is_lock_wait(const char *state);

struct tv_lock_waits {
	int64_t time;	/* of all workers, ns */
	int64_t inside; /* of that, within tasks of any kind, ns */
};
/* by_row: zeroed before, filled with the waits within each execution, ns; NULL = not asked for. Cost O((states + tasks) log). */
struct tv_lock_waits tv_run_lock_waits(const struct tv_run *run, int64_t *by_row);

#endif
