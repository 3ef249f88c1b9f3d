/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.h -- runs of one program on more workers, or with larger tasks.
 *
 * Of a run with n tasks (a team is one), N workers, their busy time W and makespan M:
 *
 *	d = W / n	   mean duration of a task
 *	g = M N / n	   granularity: worker time per task, with idle time
 *	o = g - d	   overhead per task
 *	PE = W / (M N) = d / g
 *	E = base / (M N)   base: the min W of runs with one worker (without one of all runs): more work, as of small
 *			   tasks that are slower, lowers it; or the min of M N over all runs
 *
 * METG(x), the min effective task granularity, for each N: the smallest g of a run with E >= x, moved to the next finer
 * run by linear interpolation if that one is below x. Only the fine side counts: coarse runs lack parallelism.
 *
 * Source: E. Slaughter et al., Task Bench, SC20, for g and METG, with x = 50 %.
 */
#ifndef TV_SERIES_OF_RUNS_H
#define TV_SERIES_OF_RUNS_H

#include "analysis/core/run.h"

struct tv_named_run;

enum tv_series_x { TV_SERIES_WORKERS, TV_SERIES_NODES, TV_SERIES_GRANULARITY, TV_SERIES_META };
/* What runs are ordered by. */
struct tv_series_axis {
	enum tv_series_x x;
	const char *
		key; /* of meta, or of a tag in it (record --tag): its values are numbers; NULL of the others */
};
/* As the words of --x have it; any other text is a key. */
struct tv_series_axis tv_series_axis_of(const char *text);
enum tv_series_base { TV_SERIES_WORK, TV_SERIES_BEST };

enum { TV_SERIES_COLUMNS = 20 };
extern const struct tv_field tv_series_columns[TV_SERIES_COLUMNS];

/* A run's place on the axis; granularity in ms. NaN: its meta has no such number. */
double tv_series_of_run(const struct tv_run *run, struct tv_series_axis axis);
/* -1 with *err: one of n runs has no place. */
int tv_series_check(const struct tv_named_run *run, size_t n, struct tv_series_axis axis,
		    struct tv_error *err) TV_MUST_CHECK;

/* Fills out, which has no columns: runs by x, then METG of each number of workers, then where a loss first takes more
 * than a fifth of the makespan, then the model (scaled.h). -1 with *err (of a run: begins with its label). */
int tv_series_of_runs(const struct tv_named_run *run, size_t n, struct tv_series_axis axis,
		      enum tv_series_base base, struct tv_table *out,
		      struct tv_error *err) TV_MUST_CHECK;

#endif
