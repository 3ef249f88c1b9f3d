/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accounting.h -- the time from the area bound of a run to its makespan, divided without remainder.
 *
 * For each resource type r with N(r) workers, exactly
 *
 *	N(r) M = work(r) - overlap(r) + other(r) + idle(r)
 *
 * where M is the makespan, work the sum of the durations of all counted executions (each worker of a
 * team), overlap what of it ran while the worker ran another one. With durations w(t,r), n(t,r)
 * tasks of type t on r, prices y(r) of the area bound T0 (lp/area.h; the sum of y(r) N(r) is 1) and
 * m(t) = min over r of y(r) w(t,r), the duality of linear programs gives T0 = sum of m(t) over all
 * tasks, and so
 *
 *	M - T0 = sum over r of y(r) (idle(r) + other(r) - overlap(r))
 *	       + sum over t, r of n(t,r) (y(r) w(t,r) - m(t))		allocation
 *	       + sum over tasks of y(r) (duration - w(t,r))		durations
 *	       + sum over tasks without end of y(r) duration		open
 *
 * Where the trace ends before the run, n(t,r), w(t,r), T0 and durations are of the tasks that ended; what it shows
 * of the others is the part open.
 *
 * If T0 is 0, every worker has the same price. idle is divided by cause, its cause dependencies by
 * what is blamed; durations by lateness.h.
 *
 * Source: D. Gale, H. W. Kuhn, A. W. Tucker, Linear programming and the theory of games, 1951
 * (duality); the division is ours.
 */
#ifndef TV_ACCOUNTING_H
#define TV_ACCOUNTING_H

#include "analysis/core/durations.h"
#include "trace/number.h"

/* PART(symbol, name): the parts, in the order of rows. */
#define TV_ACCOUNT_PARTS(PART) \
	PART(IDLE, "idle") \
	PART(OTHER, "other") \
	PART(ALLOCATION, "allocation") \
	PART(DURATIONS, "durations") \
	PART(OPEN, "open") \
	PART(OVERLAP, "overlap")

enum tv_account_part {
#define TV_ACCOUNT_SYMBOL(symbol, name) TV_ACCOUNT_##symbol,
	TV_ACCOUNT_PARTS(TV_ACCOUNT_SYMBOL)
#undef TV_ACCOUNT_SYMBOL
		TV_NACCOUNT_PARTS
};

const char *tv_account_part_name(enum tv_account_part part);

/* A resource type. Times of workers, ns. */
struct tv_account_type {
	uint32_t rtype; /* label */
	int64_t workers;
	double price, low, high; /* low < high: it is one of several optimal ones, between these */
	tv_int128 work, overlap, other, idle;
};

struct tv_account_row {
	enum tv_account_part part;
	const char *cause, *blame; /* idle: both; durations: cause is its class; NULL = none */
	uint32_t value;		   /* label of the task type; TV_NONE = none, or without name */
	uint32_t type;		   /* index into the account's types */
	tv_int128 worker;	   /* time of workers, ns; negative for overlap */
	long double exact;	   /* its share of M - T0, ns */
	int64_t time;		   /* the same rounded: all together are makespan - area */
};

struct tv_account {
	int64_t makespan, area; /* ns */
	double bound;		/* T0 before rounding, ns */
	double placement;	/* max over r of sum over t of n(t,r) w(t,r) / N(r), ns */
	int64_t cpe,
		tight; /* ns, as the pass bounds; -1 = without dependencies, or not asked for */
	struct tv_account_type *type;
	uint32_t ntypes;
	struct tv_duration_rule rule; /* of w(t,r) */
	struct tv_account_row *row;   /* by part, then as its pass orders them; none that is 0 */
	size_t n, cap;
};

/* durations, file: the options --durations and --durations-from of bounds; tight: its option, else there is no such bound. -1 with *err, as bounds and idle-causes.
 * Release it in any case. Cost: that of the passes. */
int tv_account_init(struct tv_account *account, struct tv_run *run, const char *durations,
		    const char *file, bool tight, struct tv_error *err) TV_MUST_CHECK;
void tv_account_release(struct tv_account *account); /* safe on a zeroed struct */

#endif
