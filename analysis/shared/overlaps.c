/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlaps.c -- executions that begin before an earlier one on the same worker has ended. */
#include "analysis/shared/overlaps.h"

#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

enum { NAMED = 4 };

static int by_start(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return TV_COMPARE(x[0], y[0]);
}

/* Executions of spans[0..n) (Start, End) that begin before one that began earlier has ended. */
static uint64_t count_overlaps(int64_t (*span)[2], uint32_t n)
{
	uint64_t overlaps = 0;
	int64_t last;

	if (n == 0)
		return 0;
	qsort(span, n, sizeof *span, by_start);
	last = span[0][1];
	for (uint32_t i = 1; i < n; i++) {
		overlaps += span[i][0] < last;
		if (span[i][1] > last)
			last = span[i][1];
	}
	return overlaps;
}

static void count_all(struct tv_overlaps *overlaps, const struct tv_tasks *tasks,
		      const struct tv_groups *groups, int64_t (*span)[2])
{
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t n = 0;

		for (uint32_t i = groups->first[w]; i < groups->first[w + 1]; i++, n++) {
			span[n][0] = tasks->start[groups->row[i]];
			span[n][1] = tasks->end[groups->row[i]];
		}
		overlaps->of_worker[w] = count_overlaps(span, n);
		overlaps->nworkers += overlaps->of_worker[w] > 0;
		overlaps->n += overlaps->of_worker[w];
	}
}

void tv_overlaps_init(struct tv_overlaps *overlaps, const struct tv_tasks *tasks)
{
	int64_t(*span)[2] = tv_alloc(tasks->n, sizeof *span);
	struct tv_groups groups;

	*overlaps = (struct tv_overlaps){
		.of_worker = tv_alloc(tasks->nworkers, sizeof *overlaps->of_worker),
	};
	tv_tasks_by_worker(tasks, tasks->executed, &groups);
	count_all(overlaps, tasks, &groups, span);
	tv_free(span);
	tv_groups_release(&groups);
}

void tv_overlaps_release(struct tv_overlaps *overlaps)
{
	tv_free(overlaps->of_worker);
	*overlaps = (struct tv_overlaps){ 0 };
}

uint64_t tv_warn_overlaps(struct tv_run *run)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct tv_overlaps overlaps;
	char where[300] = "";
	size_t at = 0;
	uint32_t named = 0;
	uint64_t n;

	tv_overlaps_init(&overlaps, tasks);
	for (uint32_t w = 0; w < tasks->nworkers && named < NAMED; w++) {
		if (overlaps.of_worker[w] == 0)
			continue;
		at += (size_t)snprintf(where + at, sizeof where - at, "%s%.40s (%llu)",
				       named == 0 ? "" : ", ",
				       tv_pool_text(tasks->pool, tasks->workers[w].resource),
				       (unsigned long long)overlaps.of_worker[w]);
		named++;
	}
	if (overlaps.nworkers > named)
		snprintf(where + at, sizeof where - at, " and %u other workers",
			 overlaps.nworkers - named);
	if (overlaps.n > 0)
		tv_run_warn(run,
			    "%llu execution%s before an earlier one on the same worker "
			    "has ended: %s; bounds may exceed the makespan",
			    (unsigned long long)overlaps.n, overlaps.n == 1 ? " begins" : "s begin",
			    where);
	n = overlaps.n;
	tv_overlaps_release(&overlaps);
	return n;
}
