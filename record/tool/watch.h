/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch.h -- record --watch: draws what a sampler reads on standard error, a terminal. */
#ifndef TV_WATCH_H
#define TV_WATCH_H

#include "monitor/monitor.h"
#include "record/tool/monitor/sampler.h"
#include "trace/error.h"

struct tv_watch;

/* Between tv_sampler_open and tv_sampler_start. Both must outlive it. */
struct tv_watch *tv_watch_new(struct tv_sampler *sampler, const struct tv_monitors *described);
/* A thread of its own draws, at most ten times a second: a slow terminal delays no sample. -1 with *err. */
int tv_watch_start(struct tv_watch *watch, struct tv_error *err) TV_MUST_CHECK;
/* Draws what has come since, if anything has, and frees. NULL: nothing. */
void tv_watch_end(struct tv_watch *watch);

#endif
