/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accesses.h -- what follows from the data that tasks access: columns Handles and Modes of tasks.
 *
 * Accesses of a mode with C (commute: StarPU's RWC; also OpenMP's mutexinoutset) may come in any
 * order, but one at a time: the executions exclude each other. A handle is one of a node (process);
 * the same name on another node is another handle.
 */
#ifndef TV_ACCESSES_H
#define TV_ACCESSES_H

#include "trace/tasks.h"

/* Executions of two jobs, rows of tasks: `row` could start only when `before` had released a handle. */
struct tv_exclusion {
	uint32_t row, before;
};

/* Sorted by row, then by `before`; each pair once, whatever number of handles they share. */
struct tv_exclusions {
	struct tv_exclusion *at;
	size_t n;
};

/*
 * For each commuting access of each execution (of any kind): the execution of another job that held
 * the handle last, i.e. of those that ended when it started, or before, the one that ended last; of
 * equal ones the one that started last, then the later row. Where executions follow each other
 * these are the successive ones; executions that overlap did not exclude each other. One with
 * segments holds the handles of its first segment from there to the end of its last one: `row` is
 * the first, `before` the one that ended last.
 * Cost O(accesses log accesses); O(rows) where no mode commutes.
 */
void tv_exclusions_init(struct tv_exclusions *exclusions, const struct tv_tasks *tasks);
void tv_exclusions_release(struct tv_exclusions *exclusions); /* safe on a zeroed struct */

#endif
