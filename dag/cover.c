/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cover.c -- how many idle workers of each class the waiting tasks could occupy. */
#include "dag/cover.h"

#include <stddef.h>

#include "trace/alloc.h"

int tv_cover_init(struct tv_cover *cover, uint32_t nclasses)
{
	size_t nsets = (size_t)1 << nclasses;

	cover->n = nclasses;
	cover->tasks = tv_alloc(nsets, sizeof *cover->tasks);
	cover->workers = tv_alloc(nsets, sizeof *cover->workers);
	return cover->tasks == NULL || cover->workers == NULL ? -1 : 0;
}

void tv_cover_release(struct tv_cover *cover)
{
	tv_free(cover->tasks);
	tv_free(cover->workers);
	*cover = (struct tv_cover){ 0 };
}

void tv_cover_add_tasks(struct tv_cover *cover, uint32_t runs, int64_t more)
{
	for (uint32_t set = 1; set < 1u << cover->n; set++)
		if (set & runs)
			cover->tasks[set] += more;
}

void tv_cover_add_workers(struct tv_cover *cover, uint32_t class, int64_t more)
{
	for (uint32_t set = 1; set < 1u << cover->n; set++)
		if (set >> class & 1)
			cover->workers[set] += more;
}

/* Most workers of the classes in `set` that can be covered together. */
static int64_t rank(const struct tv_cover *cover, uint32_t set)
{
	int64_t least = cover->workers[set];

	for (uint32_t by = set; by != 0; by = (by - 1) & set) {
		int64_t bound = cover->tasks[by] + cover->workers[set ^ by];

		least = bound < least ? bound : least;
	}
	return least;
}

int64_t tv_cover_solve(const struct tv_cover *cover, int64_t *covered)
{
	int64_t sum = 0;

	for (uint32_t class = 0; class < cover->n; class++) {
		int64_t most = rank(cover, (2u << class) - 1);

		covered[class] = most - sum;
		sum = most;
	}
	return sum;
}
