/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_list.h -- each span of time in which a worker was idle with one cause. */
#ifndef TV_IDLE_LIST_H
#define TV_IDLE_LIST_H

#include "dag/idle.h"

/* A worker was idle from begin to end, ns, begin < end. */
typedef void tv_idle_of_worker(void *to, uint32_t worker, enum tv_idle_cause cause, int64_t begin,
			       int64_t end);

/* spans: of tv_idle_sweep, with `all`, whose lists of causes are taken. Gives all from the time `from` on, by worker, then in
 * order of time; spans that touch have different causes. -1 with *err: there are more than ten millions. Cost: O((spans + given)
 * log spans). */
int tv_idle_list(const struct tv_tasks *tasks, struct tv_idle_spans *spans, int64_t from,
		 tv_idle_of_worker *take, void *to, struct tv_error *err) TV_MUST_CHECK;

#endif
