/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curves.h -- what passes that compute curves have in common: groups of tasks, the options --by and
 * --step, and the columns of the result.
 *
 *	Curve	By	Start	End	Value	Min	Max
 *
 * One row per piece of a step function, without gaps from the begin to the end of the run (or of
 * its part in the window); with --step one row per slice, Value its mean.
 */
#ifndef TV_CURVES_H
#define TV_CURVES_H

#include "analysis/core/grouping.h"
#include "analysis/core/options.h"
#include "analysis/core/run.h"
#include "analysis/core/steps.h"

/* -1 with *err where a step makes more than 10^7 slices, `times` each. step_ns 0 = one slice. */
int tv_step_check(int64_t begin, int64_t end, int64_t step_ns, uint64_t times,
		  struct tv_error *err) TV_MUST_CHECK;
/* The part of the run, from the first Start to the last End, that the window shows; where no task
 * started, from the first submission to the last time of the trace. */
int tv_run_interval(const struct tv_run *run, int64_t *begin, int64_t *end,
		    struct tv_error *err) TV_MUST_CHECK;

/* The slices of that part between the multiples of step_ns, one if that is 0: (*bound)[i] to
 * [i + 1], ns, i < *n. For `times` results each, as tv_step_check. Free *bound with tv_free. */
int tv_run_slices(const struct tv_run *run, int64_t step_ns, uint64_t times, int64_t **bound,
		  size_t *n, struct tv_error *err) TV_MUST_CHECK;

struct tv_curves {
	struct tv_run *run;
	int64_t begin, end; /* of every curve, ns */
	int64_t step_ns;    /* 0 = as it is */
	struct tv_grouping by;
	struct tv_sum *sum; /* by.n */
	struct tv_table *out;
	struct tv_column *curve, *group, *start, *stop, *value, *min, *max;
};

/* by: a column of tasks, or NULL; step_ns 0 = as it is; out has the columns above. pending: pending tasks
 * are added, too. Release it in any case. */
int tv_curves_init(struct tv_curves *curves, struct tv_run *run, const char *by, int64_t step_ns,
		   bool pending, struct tv_table *out, struct tv_error *err) TV_MUST_CHECK;
/* The same for curves that are not made of tasks: neither groups, nor interval, nor sums. */
void tv_curves_init_bare(struct tv_curves *curves, struct tv_run *run, int64_t step_ns,
			 struct tv_table *out);
void tv_curves_release(struct tv_curves *curves);

/* Adds `amount` from start to end to the sum of that row's group; nothing for a worker that is not
 * selected. */
int tv_curves_add(struct tv_curves *curves, uint32_t row, int64_t start, int64_t end, double amount,
		  struct tv_error *err) TV_MUST_CHECK;
/* The same, of one task: never out of range. */
void tv_curves_count(struct tv_curves *curves, uint32_t row, int64_t start, int64_t end);
/* Room for all tasks, to be counted in one group: cheaper than to grow. */
void tv_curves_reserve(struct tv_curves *curves);
/* The sums so far, one per group, in a new array of by.n; they are empty afterwards. Free with
 * tv_curves_free. */
struct tv_steps *tv_curves_take(struct tv_curves *curves);
void tv_curves_free(const struct tv_curves *curves, struct tv_steps *steps); /* accepts NULL */
/* The sum of the only group as *packed (uninitialized on entry); the curves are released. */
void tv_curves_pack(struct tv_curves *curves, struct tv_packed *packed);
/* Writes one curve; group: a label, or TV_NONE. */
void tv_curves_write_one(struct tv_curves *curves, const char *name, uint32_t group,
			 const struct tv_steps *steps);
/* The same of slices. */
void tv_curves_write_slices(struct tv_curves *curves, const char *name, uint32_t group,
			    const struct tv_slice *slice, size_t n);
/* Writes one row for one curve: min and max over all its time, the mean until `end`, which is that of
 * the curve or before what only holds its last value. */
void tv_curves_write_mean(struct tv_curves *curves, const char *name, uint32_t group,
			  const struct tv_steps *steps, int64_t end);
/* Writes a curve for every group. */
void tv_curves_write(struct tv_curves *curves, const char *name, const struct tv_steps *steps);
/* The sums so far, written. */
void tv_curves_flush(struct tv_curves *curves, const char *name);

/*
 * What --counter adds: the runtime's own counters whose Type matches a pattern, summed over the
 * resources of each group, written as the curve `counter`; and steps[] (by.n) minus it, written as
 * `popped, waiting`. -1 with *err: no such counter, --by another column than Node.
 */
int tv_curves_counter(struct tv_curves *curves, const char *pattern, const struct tv_steps *steps,
		      struct tv_error *err) TV_MUST_CHECK;

/* Options and columns of these passes. */
struct tv_curves_asked {
	const char *by;
	int64_t step_ns;
	bool counter;
};
enum { TV_BY_AND_STEP = 2, TV_BY_STEP_COUNTER = 3, TV_CURVE_COLUMNS = 7 };
#define TV_OPTIONS_OF_CURVES(structure) \
	{ "by", "COLUMN", NULL, "one curve per Node, ResourceType, Value, ... of the tasks", \
	  TV_INTO(structure, by) }, \
		{ TV_STEP_MEANS_ROW, TV_INTO(structure, step_ns) }, \
	{ \
		"counter", NULL, NULL, \
			"also the runtime's counter, and the difference (popped, waiting)", \
			TV_INTO(structure, counter) \
	}
extern const struct tv_option_spec tv_curve_options[TV_BY_STEP_COUNTER];
extern const struct tv_field tv_curve_columns[TV_CURVE_COLUMNS];

#endif
