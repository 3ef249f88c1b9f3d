/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task_workers.h -- what tasks.c and task_workers.c share: finding the workers of a trace. */
#ifndef TV_TASK_WORKERS_H
#define TV_TASK_WORKERS_H

#include <string.h>

#include "trace/tasks.h"

/* Whether there are rows, and each was executed. Cost O(rows), as fast as they are read. */
static inline bool tv_all_executed(const struct tv_tasks *tasks)
{
	return tasks->n > 0 && memchr(tasks->executed, 0, tasks->n) == NULL;
}

/*
 * Sets the workers, their types and nodes, and the worker of each row, once it is known which rows are executed and of which
 * kind. devices: streams of one device are one worker. Returns whether there are such devices.
 */
bool tv_find_workers(struct tv_tasks *tasks, bool devices);

#endif
