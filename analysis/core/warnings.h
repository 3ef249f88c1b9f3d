/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warnings.h -- what the results of several passes do not cover. */
#ifndef TV_WARNINGS_H
#define TV_WARNINGS_H

#include "analysis/core/run.h"

/* Executions that are not counted, by type. */
void tv_warn_left_out(struct tv_run *run);
/* Adds those of rows that a run does not have: run->left_out. */
void tv_left_out_add(struct tv_left_out *left_out, const struct tv_tasks *tasks);
/* As bytes, and adds such. */
void tv_left_out_pack(const struct tv_left_out *left_out, const struct tv_pool *pool,
		      struct tv_parcel *pack);
void tv_left_out_merge(struct tv_left_out *left_out, struct tv_pool *pool, struct tv_unpack *from);
void tv_left_out_release(struct tv_left_out *left_out); /* safe on a zeroed struct */
/* Workers that the trace does not declare. */
void tv_warn_workers(struct tv_run *run);
/* Tasks that had not ended when the trace did: for what uses durations in means, quantiles, thresholds, bounds or
 * fits. */
void tv_warn_cut(struct tv_run *run);
/* --durations-from has no durations of n pairs that ran. */
void tv_warn_kept(struct tv_run *run, uint32_t n);
/* What simulations keep: tasks that wait for locks. Whether these waits are 1 % of their time, or more. */
bool tv_warn_lock_waits(struct tv_run *run);
/* Task graphs without dependencies, or with some on jobs that occur nowhere. dag: the run's. */
void tv_warn_graph(struct tv_run *run, const struct tv_dag *dag);

#endif
