/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curve_rows.h -- curves of groups of tasks whose rows come part by part (tv_run_rows).
 *
 *	tv_curve_rows_init(&c, run, by, step_ns, ncurves, out, err);
 *	tv_curve_rows_begin(&c, part, err);		for each part, by tv_run_rows
 *	tv_curve_rows_sum(&c, row, curve);		the sum that a row belongs to
 *	tv_curve_rows_settle(&c);			or tv_curve_rows_put_away
 *	tv_curve_rows_again(&c);			of amounts, after all parts
 *	tv_curve_rows_end(&c, err);			after all parts
 *	tv_curve_rows_write(&c, curve, name);
 *	tv_curve_rows_release(&c);
 *
 * Each group has the same number of curves, also without rows in one of them. Where parts come, rows are
 * kept only as long as they run, then the pieces of the curve; with step_ns its slices alone. With a team they are kept to the end;
 * then each process settles the curves of a range of time.
 */
#ifndef TV_CURVE_ROWS_H
#define TV_CURVE_ROWS_H

#include "analysis/core/curves.h"
#include "trace/map.h"

struct tv_settling;

struct tv_curve_rows {
	struct tv_curves to; /* bare, with the interval */
	const char *by;
	uint32_t ncurves; /* of each group */
	const uint32_t
		*whole; /* by curve: its counts are written as percent of this; NULL = as counts */
	/* To be set behind init. */
	bool pending; /* pending tasks are added, too */
	struct tv_packed
		*packed; /* where the only curve goes, without by and step; NULL = it is written */
	bool early;	 /* the interval is that of the run, which is known at the end */
	int64_t first;	 /* with a team: Start of a counted row so far; INT64_MAX = none */
	uint32_t n;	 /* groups */
	struct tv_map place;	      /* of a group, by its label */
	uint32_t *label;	      /* by group */
	uint32_t *order;	      /* groups as they are written, at the end */
	struct tv_sum *sum;	      /* by group and curve */
	struct tv_settling *settling; /* likewise; NULL = nothing is settled before the end */
	size_t labels_cap, sums_cap, settling_cap;
	/* of the part that is open */
	const struct tv_tasks *tasks;
	struct tv_grouping grouping;
	uint32_t *group; /* of a group of the part */
};

/* by: a column of labels, or NULL; step_ns: 0 = pieces; out: as for tv_curves_init. whole: see above. -1 with *err: the window
 * shows no part of the run. Release it in any case. */
int tv_curve_rows_init(struct tv_curve_rows *c, struct tv_run *run, const char *by, int64_t step_ns,
		       uint32_t ncurves, const uint32_t *whole, struct tv_table *out,
		       struct tv_error *err) TV_MUST_CHECK;
/* -1 with *err: no such column. */
int tv_curve_rows_begin(struct tv_curve_rows *c, struct tv_run *part,
			struct tv_error *err) TV_MUST_CHECK;
/* Of a counted row. Not to be kept. */
static inline struct tv_sum *tv_curve_rows_sum(struct tv_curve_rows *c, uint32_t row,
					       uint32_t curve)
{
	return &c->sum[(size_t)c->group[c->grouping.of_row[row]] * c->ncurves + curve];
}
/* Counts a row of the part from start to end; nothing if it is of a worker that is not selected. */
static inline void tv_curve_rows_count(struct tv_curve_rows *c, uint32_t row, uint32_t curve,
				       int64_t start, int64_t end)
{
	if (c->grouping.of_row[row] != TV_NONE)
		tv_sum_one(tv_curve_rows_sum(c, row, curve), start, end);
}
/* After the rows of a part, of which none begins before it. */
void tv_curve_rows_settle(struct tv_curve_rows *c);
/* After the rows of a part, of which others may begin before: they are kept in little memory. Only where the interval is known, and
 * rows count 1 each. */
void tv_curve_rows_put_away(struct tv_curve_rows *c);
/* Counts all tasks of the run while they run, with several curves each in that of the type of its worker, and ends. -1 with *err. */
int tv_curve_rows_running(struct tv_curve_rows *c, struct tv_error *err) TV_MUST_CHECK;
/* After all parts, of amounts: whether these have to be given once more, as some differ so much that the largest one has to be known first. */
bool tv_curve_rows_again(struct tv_curve_rows *c);
/* Also merges the rows of all processes. -1 with *err: too many slices. */
int tv_curve_rows_end(struct tv_curve_rows *c, struct tv_error *err) TV_MUST_CHECK;
/* A curve of each group, in natural order of their labels; it is gone afterwards. */
void tv_curve_rows_write(struct tv_curve_rows *c, uint32_t curve, const char *name);
void tv_curve_rows_release(struct tv_curve_rows *c); /* safe on a zeroed struct */

#endif
