/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * occupy.h -- how many idle workers of each class the waiting tasks could occupy.
 *
 * Every task covers at most one worker, of a class that can run it, and as many workers as possible
 * are covered. Class 0 is served first, then class 1 as far as that takes nothing from class 0, and
 * so on. Tasks are counted by the set of classes that can run them.
 *
 * A flow from sets to classes, with one class after the other: a path that covers one more worker leaves
 * what was covered before (augmenting paths of a matching), so classes in turn cover as many as possible in all.
 */
#ifndef TV_OCCUPY_H
#define TV_OCCUPY_H

#include <stddef.h>
#include <stdint.h>

struct tv_occupy {
	uint32_t nclasses, nsets;
	const uint64_t *set; /* nsets: bit c = class c can run its tasks */
	int64_t *tasks;	     /* nsets */
	int64_t *workers;    /* nclasses: idle */
	int64_t all;	     /* tasks */
	int64_t *left;	     /* of solving: nsets, tasks that cover none */
	int64_t *flow;	     /* nclasses x nsets: workers that they cover */
	uint32_t *from;	     /* nclasses: the class before it on a path; the set between them */
	uint32_t *by, *queue;
};

/* set[nsets] must outlive it. */
void tv_occupy_init(struct tv_occupy *occupy, uint32_t nclasses, const uint64_t *set,
		    uint32_t nsets);
void tv_occupy_release(struct tv_occupy *occupy); /* safe on a zeroed struct */

/* More (or, negative, fewer) tasks of a set. */
static inline void tv_occupy_add_tasks(struct tv_occupy *occupy, uint32_t set, int64_t more)
{
	occupy->tasks[set] += more;
	occupy->all += more;
}

/* No tasks; workers stay. */
void tv_occupy_clear_tasks(struct tv_occupy *occupy);

/* occupied[nclasses]: workers of each class. Returns their sum. Cost O(nclasses nsets) where no task needs to change
 * its class, and as much for each time that one does. */
int64_t tv_occupy_solve(struct tv_occupy *occupy, int64_t *occupied);

#endif
