/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cover.h -- how many idle workers of each class the waiting tasks could occupy.
 *
 * Every task covers at most one worker, of a class that can run it, and as many workers as possible
 * are covered. Class 0 is served first, then class 1 as far as that takes nothing from class 0, and
 * so on. Tasks are counted by the set of classes that can run them.
 *
 * By Konig's theorem the most workers of a set P of classes that can be covered is the least, over
 * all subsets B of P, of the tasks that some class of B can run plus the workers of P without B;
 * these ranks are a matroid's, so serving classes in turn covers as many as possible in all.
 * Cost O(2^classes) of every call, in time and memory.
 */
#ifndef TV_COVER_H
#define TV_COVER_H

#include <stdint.h>

struct tv_cover {
	uint32_t n;		/* classes */
	int64_t *tasks;		/* 2^n: tasks that some class of the set can run */
	int64_t *workers;	/* 2^n: idle workers of the classes of the set */
};

/* -1 on memory. */
int tv_cover_init(struct tv_cover *cover, uint32_t nclasses);
void tv_cover_release(struct tv_cover *cover);	/* safe on a zeroed struct */

/* More (or, negative, fewer) tasks that the classes in `runs` can run; more workers of a class. */
void tv_cover_add_tasks(struct tv_cover *cover, uint32_t runs, int64_t more);
void tv_cover_add_workers(struct tv_cover *cover, uint32_t class, int64_t more);

/* covered[n]: workers of each class. Returns their sum. */
int64_t tv_cover_solve(const struct tv_cover *cover, int64_t *covered);

/* All tasks in it. */
static inline int64_t tv_cover_tasks(const struct tv_cover *cover)
{
	return cover->tasks[(1u << cover->n) - 1];
}

#endif
