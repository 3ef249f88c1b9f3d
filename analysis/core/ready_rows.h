/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ready_rows.h -- how many tasks are released and not started, of rows that come part by part.
 *
 *	tv_ready_rows_init(&ready, run, by, step_ns, out, err);
 *	tv_ready_rows_add(&ready, part, err);		for each part, by tv_run_rows
 *	tv_ready_rows_end(&ready, err);			writes the curves
 *	tv_ready_rows_release(&ready);
 */
#ifndef TV_READY_ROWS_H
#define TV_READY_ROWS_H

#include "analysis/core/curve_rows.h"
#include "dag/dag.h"

struct tv_ready_rows {
	struct tv_curve_rows rows;
	uint64_t early; /* tasks that started before they were released */
};

/* -1 with *err where nothing says when tasks were released; warns where dependencies do not. */
int tv_check_releases(struct tv_run *run, struct tv_error *err) TV_MUST_CHECK;
/* Gives the span from its release to its Start of each task, and those of pending ones, which never start: `early` counts those
 * that started before. */
uint64_t tv_each_ready(const struct tv_dag *dag,
		       void (*span)(void *to, uint32_t row, int64_t release, int64_t start),
		       void *to);
void tv_warn_early(struct tv_run *run, uint64_t early);

/* As tv_curve_rows_init. Release it in any case. */
int tv_ready_rows_init(struct tv_ready_rows *ready, struct tv_run *run, const char *by,
		       int64_t step_ns, struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;
int tv_ready_rows_add(struct tv_ready_rows *ready, struct tv_run *part,
		      struct tv_error *err) TV_MUST_CHECK;
int tv_ready_rows_end(struct tv_ready_rows *ready, struct tv_error *err) TV_MUST_CHECK;
void tv_ready_rows_release(struct tv_ready_rows *ready);

#endif
