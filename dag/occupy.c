/* SPDX-License-Identifier: GPL-3.0-or-later */
/* occupy.c -- how many idle workers of each class the waiting tasks could occupy. */
#include "dag/occupy.h"

#include <stddef.h>

#include "trace/alloc.h"

void tv_occupy_init(struct tv_occupy *occupy, uint32_t nclasses)
{
	size_t nsets = (size_t)1 << nclasses;

	occupy->n = nclasses;
	occupy->tasks = tv_alloc(nsets, sizeof *occupy->tasks);
	occupy->workers = tv_alloc(nsets, sizeof *occupy->workers);
}

void tv_occupy_release(struct tv_occupy *occupy)
{
	tv_free(occupy->tasks);
	tv_free(occupy->workers);
	*occupy = (struct tv_occupy){ 0 };
}

/* The max number of workers of the classes in `set` that can be covered together. */
static int64_t rank(const struct tv_occupy *occupy, uint32_t set)
{
	int64_t min = occupy->workers[set];

	for (uint32_t by = set; by != 0; by = (by - 1) & set) {
		int64_t bound = occupy->tasks[by] + occupy->workers[set ^ by];

		min = bound < min ? bound : min;
	}
	return min;
}

int64_t tv_occupy_solve(const struct tv_occupy *occupy, int64_t *occupied)
{
	int64_t sum = 0;

	for (uint32_t class = 0; class < occupy->n; class ++) {
		int64_t covered = rank(occupy, (2u << class) - 1);

		occupied[class] = covered - sum;
		sum = covered;
	}
	return sum;
}
