/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * occupy.h -- how many idle workers of each class the waiting tasks could occupy.
 *
 * Every task covers at most one worker, of a class that can run it, and as many workers as possible
 * are covered. Class 0 is served first, then class 1 as far as that takes nothing from class 0, and
 * so on. Tasks are counted by the set of classes that can run them.
 *
 * By Konig's theorem the max number of workers of a set P of classes that can be covered is the
 * min, over all subsets B of P, of the tasks that some class of B can run plus the workers of P
 * without B; these ranks are a matroid's, so serving classes in turn covers as many as possible in
 * all. Cost O(2^classes) of every call, in time and memory.
 */
#ifndef TV_OCCUPY_H
#define TV_OCCUPY_H

#include <stdint.h>

struct tv_occupy {
	uint32_t n;	  /* classes */
	int64_t *tasks;	  /* 2^n: tasks that some class of the set can run */
	int64_t *workers; /* 2^n: idle workers of the classes of the set */
};

void tv_occupy_init(struct tv_occupy *occupy, uint32_t nclasses);
void tv_occupy_release(struct tv_occupy *occupy); /* safe on a zeroed struct */

/* More (or, negative, fewer) tasks that the classes in `runs` can run. */
static inline void tv_occupy_add_tasks(struct tv_occupy *occupy, uint32_t runs, int64_t more)
{
	for (uint32_t set = 1; set < 1u << occupy->n; set++)
		if (set & runs)
			occupy->tasks[set] += more;
}

/* More workers of a class. */
static inline void tv_occupy_add_workers(struct tv_occupy *occupy, uint32_t class, int64_t more)
{
	for (uint32_t set = 1; set < 1u << occupy->n; set++)
		if (set >> class & 1)
			occupy->workers[set] += more;
}

/* occupied[n]: workers of each class. Returns their sum. */
int64_t tv_occupy_solve(const struct tv_occupy *occupy, int64_t *occupied);

/* All tasks in it. */
static inline int64_t tv_occupy_tasks(const struct tv_occupy *occupy)
{
	return occupy->tasks[(1u << occupy->n) - 1];
}

#endif
