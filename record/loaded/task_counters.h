/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * task_counters.h -- counters of the thread that runs tasks, read where a task begins and ends: those of --counters, else task-clock and
 * voluntary-switches, which take at most 1 % of the CPU time of the thread, as short tasks are left out then.
 */
#ifndef TV_RECORD_TASK_COUNTERS_H
#define TV_RECORD_TASK_COUNTERS_H

#include "record/loaded/counters.h"

struct tv_task_counters;

#pragma GCC visibility push(default)

/* Those of the running thread, declared in the log (TV_LOG_COUNTER); NULL = none. Close them in that thread. */
struct tv_task_counters *tv_task_counters_open(void);
void tv_task_counters_close(struct tv_task_counters *counters); /* NULL is allowed */
/* The values into value[TV_MAX_COUNTERS]. now: ns, 0 = not known, as where a task begins. False: there are none (NULL), or they are read
 * later. */
bool tv_task_counters_read(struct tv_task_counters *counters, uint64_t *value, int64_t now);
/* Writes values that were read as an event of that time. */
void tv_task_counters_write(struct tv_task_counters *counters, int64_t time, const uint64_t *value);

#pragma GCC visibility pop

#endif
