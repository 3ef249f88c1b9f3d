/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counted.h -- instructions and cycles of the useful time of a run or of a task type, for POP's scaling of instructions,
 * IPC and frequency (pop-coe.eu/node/69).
 */
#ifndef TV_COUNTED_H
#define TV_COUNTED_H

#include "analysis/core/run.h"

struct tv_counted {
	uint32_t n, counted; /* tasks (not of threads); those with instructions and cycles */
	int64_t time;	     /* of the n, ns */
	double instructions, cycles;
	double counted_time; /* ns of useful time in which both were counted, of all threads or workers */
};

/* Adds each counted task to sum[group_of_row[row]]; NULL = all to sum[0]. A task has both numbers, or counts for
 * neither. */
void tv_counted_add(struct tv_counted *sum, const struct tv_tasks *tasks,
		    const uint32_t *group_of_row);

/*
 * Of a run; instructions and cycles NaN = not recorded. With tasks: of their columns instructions and cycles. Else of
 * the variables of those names, or PAPI_TOT_INS and PAPI_TOT_CYC, of threads: each value is of its interval, of which
 * only the part counts in which the thread works (calls/thread_time.h). Cost: O(rows), and that of tv_run_threads.
 */
struct tv_counted tv_counted_of(struct tv_run *run);

/* Fields of a table. */
#define TV_COUNTED_FIELD_ROWS \
	{ "InstructionScaling", TV_DOUBLE, false, "", \
	  "instructions of the run with the fewest workers / of this one; of a type in a mean " \
	  "task" }, \
		{ "IpcScaling", TV_DOUBLE, false, "", \
		  "Ipc / that of the run with the fewest workers" }, \
		{ "FrequencyScaling", TV_DOUBLE, false, "", "the same of Frequency" }, \
		{ "Ipc", TV_DOUBLE, false, "", "instructions in a cycle of useful time" }, \
		{ "Frequency", TV_DOUBLE, false, "GHz", "cycles in a second of useful time" },
enum { TV_COUNTED_FIELDS = 5 };

/* Sets the cells of a row, of which the first of these columns is out->col[first]; scaling: that of instructions. What
 * is not known stays missing. Returns IpcScaling x FrequencyScaling. */
double tv_counted_set(struct tv_table *out, size_t first, uint32_t row,
		      const struct tv_counted *reference, const struct tv_counted *one,
		      double scaling);

#endif
