/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * across.h -- the efficiency of several runs of a program, relative to the one with the fewest workers.
 *
 *	A(i)	area bound of run i, with its tasks, durations w(t,r) and workers
 *	A'(i)	g x area bound of the reference's tasks with the reference's durations, on the workers of run i
 *	A''(i)	area bound of run i's tasks with the reference's durations, on the workers of run i
 *	g	GFlop of run i over that of the reference; 1 where one of them does not have it
 *
 *	computation = A'/A = work x durations; work = A'/A'': more tasks, or others; durations = A''/A: longer tasks
 *	ideal speedup = A(reference) / A'(i); speedup = makespan of the reference over that of run i
 *	relative = speedup / ideal speedup = global x computation / global of the reference
 *
 * Of threads (mode threads) A is their mean useful time: ideal speedup is the quotient of their numbers, computation that of their useful
 * times in all; work that of instructions, durations IPC x frequency, where they were counted.
 *
 * Of equal numbers of workers the first run is the reference. Of a type that the reference never ran, or that no worker
 * of run i could run, nothing of this is known. With one type of workers computation is POP's computation
 * scaling. Ours.
 */
#ifndef TV_ACROSS_H
#define TV_ACROSS_H

#include "analysis/efficiency/factors.h"

struct tv_named_run {
	const char *label;
	struct tv_run *run;
};

/* What the options of the verb ask for. */
struct tv_efficiency_options {
	int by; /* enum tv_part_key; -1 = the run */
	int64_t step_ns;
	const char *region; /* NULL = the run */
	bool pop, all;
	const char *network; /* NULL = none */
	const char *fail_if;
};

enum { TV_ACROSS_COLUMNS = TV_FACTOR_FIELDS + 14 };
extern const struct tv_field tv_across_columns[TV_ACROSS_COLUMNS];

/* One row for each of n > 0 runs, in out, which has no columns. fail_if: an expression of factors, or NULL; if it holds
 * for a run, verdict is what the command ends with. -1 with *err (of a run: begins with its label). */
int tv_efficiency_across(const struct tv_named_run *run, size_t n, const char *fail_if,
			 struct tv_table *out, struct tv_error *verdict,
			 struct tv_error *err) TV_MUST_CHECK;

enum { TV_BY_TYPE_COLUMNS = 11 };
extern const struct tv_field tv_by_type_columns[TV_BY_TYPE_COLUMNS];
/* One row for each task type of each run, likewise. -1 with *err: a run has no tasks. Cost O(rows + runs x types^2). */
int tv_efficiency_by_type(const struct tv_named_run *run, size_t n, struct tv_table *out,
			  struct tv_error *err) TV_MUST_CHECK;

#endif
