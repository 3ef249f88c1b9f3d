/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * extrap.h -- numbers of several runs as Extra-P (github.com/extra-p/extrap) reads them, as text.
 *
 * Its models are about what grows, so times are multiplied by the number of workers, N. The region `run` is N M, the makespan
 * M; its parts, N times the losses of the efficiency and the area bound, add up to it. Of each task type: busy time, tasks,
 * mean duration. One line DATA for each x, with a number for each run there.
 */
#ifndef TV_EXTRAP_H
#define TV_EXTRAP_H

#include "analysis/efficiency/across.h"
#include "analysis/efficiency/series.h"
#include "trace/output.h"

/* Runs of one label are repeats. -1 with *err (of a run: begins with its label). */
int tv_write_extrap(const struct tv_named_run *run, size_t n, struct tv_series_axis axis,
		    struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;

#endif
