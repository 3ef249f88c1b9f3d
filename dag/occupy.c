/* SPDX-License-Identifier: GPL-3.0-or-later */
/* occupy.c -- how many idle workers of each class the waiting tasks could occupy. */
#include "dag/occupy.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/pool.h"

void tv_occupy_init(struct tv_occupy *occupy, uint32_t nclasses, const uint64_t *set,
		    uint32_t nsets)
{
	*occupy = (struct tv_occupy){ .nclasses = nclasses, .nsets = nsets, .set = set };
	occupy->tasks = tv_alloc(nsets, sizeof *occupy->tasks);
	occupy->left = tv_alloc(nsets, sizeof *occupy->left);
	occupy->workers = tv_alloc(nclasses, sizeof *occupy->workers);
	occupy->flow = tv_alloc((size_t)nclasses * nsets, sizeof *occupy->flow);
	occupy->from = tv_alloc(nclasses, sizeof *occupy->from);
	occupy->by = tv_alloc(nclasses, sizeof *occupy->by);
	occupy->queue = tv_alloc(nclasses, sizeof *occupy->queue);
}

void tv_occupy_release(struct tv_occupy *occupy)
{
	tv_free(occupy->tasks);
	tv_free(occupy->left);
	tv_free(occupy->workers);
	tv_free(occupy->flow);
	tv_free(occupy->from);
	tv_free(occupy->by);
	tv_free(occupy->queue);
	*occupy = (struct tv_occupy){ 0 };
}

void tv_occupy_clear_tasks(struct tv_occupy *occupy)
{
	memset(occupy->tasks, 0, occupy->nsets * sizeof *occupy->tasks);
	occupy->all = 0;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Tasks that are left cover up to n workers of the class; how many. */
static int64_t take_left(struct tv_occupy *occupy, uint32_t class, int64_t n)
{
	int64_t *flow = occupy->flow + (size_t) class * occupy->nsets, taken = 0;

	for (uint32_t s = 0; s < occupy->nsets && taken < n; s++) {
		int64_t more = smaller(occupy->left[s], n - taken);

		if (more == 0 || !(occupy->set[s] >> class & 1))
			continue;
		occupy->left[s] -= more;
		flow[s] += more;
		taken += more;
	}
	return taken;
}

/* Up to n workers of the last class on the path give the tasks that cover them to the class before, and so on. */
static int64_t shift(struct tv_occupy *occupy, uint32_t end, uint32_t to, int64_t n)
{
	for (uint32_t c = to; c != end; c = occupy->from[c])
		n = smaller(n, occupy->flow[(size_t)c * occupy->nsets + occupy->by[c]]);
	n = take_left(occupy, to, n);
	for (uint32_t c = to; c != end; c = occupy->from[c]) {
		occupy->flow[(size_t)c * occupy->nsets + occupy->by[c]] -= n;
		occupy->flow[(size_t)occupy->from[c] * occupy->nsets + occupy->by[c]] += n;
	}
	return n;
}

/* The same for workers of a class that other classes give up tasks for, and take others: one shortest path. */
static int64_t take_from_others(struct tv_occupy *occupy, uint32_t class, int64_t n)
{
	uint32_t *queue = occupy->queue, end = 1;

	memset(occupy->from, 0xff, class * sizeof *occupy->from);
	queue[0] = class;
	for (uint32_t i = 0; i < end; i++)
		for (uint32_t c = 0; c < class; c++) {
			const int64_t *flow = occupy->flow + (size_t)c * occupy->nsets;
			uint32_t s = 0;
			int64_t more;

			while (occupy->from[c] == TV_NONE && s < occupy->nsets
			       && (flow[s] == 0 || !(occupy->set[s] >> queue[i] & 1)))
				s++;
			if (occupy->from[c] != TV_NONE || s == occupy->nsets)
				continue;
			occupy->from[c] = queue[i];
			occupy->by[c] = s;
			queue[end++] = c;
			more = shift(occupy, class, c, n);
			if (more > 0)
				return more;
		}
	return 0;
}

int64_t tv_occupy_solve(struct tv_occupy *occupy, int64_t *occupied)
{
	int64_t sum = 0, idle = 0;

	for (uint32_t class = 0; class < occupy->nclasses; class ++)
		idle += occupy->workers[class];
	if (idle == 0 || occupy->all == 0) {
		memset(occupied, 0, occupy->nclasses * sizeof *occupied);
		return 0;
	}
	memcpy(occupy->left, occupy->tasks, occupy->nsets * sizeof *occupy->left);
	memset(occupy->flow, 0, (size_t)occupy->nclasses * occupy->nsets * sizeof *occupy->flow);
	for (uint32_t class = 0; class < occupy->nclasses; class ++) {
		int64_t n = occupy->workers[class], more = take_left(occupy, class, n);

		occupied[class] = 0;
		do {
			occupied[class] += more;
			sum += more;
			more = occupied[class] < n && sum < occupy->all
				     ? take_from_others(occupy, class, n - occupied[class])
				     : 0;
		} while (more > 0);
	}
	return sum;
}
