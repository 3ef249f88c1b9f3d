/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlaps.c -- executions that begin before an earlier one on the same worker has ended. */
#include "analysis/core/overlaps.h"

#include <string.h>

#include "analysis/core/team.h"
#include "trace/alloc.h"
#include "trace/parallel.h"

enum { NAMED = 4 };

/* Sorts row[0..n). Returns how many of them begin before one that began earlier has ended; *last: the end of these. */
static uint64_t count_overlaps(const struct tv_tasks *tasks, uint32_t *row, uint32_t n,
			       int64_t *last)
{
	uint64_t overlaps = 0;

	tv_sort_rows(tasks, row, n);
	for (uint32_t i = 0; i < n; i++) {
		overlaps += tasks->start[row[i]] < *last;
		if (tasks->end[row[i]] > *last)
			*last = tasks->end[row[i]];
	}
	return overlaps;
}

struct counting {
	const struct tv_tasks *tasks;
	struct tv_groups groups;
	struct tv_overlaps *overlaps;
};

static void count_worker(void *context, size_t w)
{
	const struct counting *c = context;
	uint32_t *row = c->groups.row + c->groups.first[w];
	uint32_t n = c->groups.first[w + 1] - c->groups.first[w];

	if (c->tasks->workers[w].shared || n == 0)
		return;
	c->overlaps->of_worker[w] += count_overlaps(c->tasks, row, n, &c->overlaps->last[w]);
	if (c->overlaps->first[w] == INT64_MAX)
		c->overlaps->first[w] = c->tasks->start[row[0]];
}

static void reserve(struct tv_overlaps *overlaps, uint32_t nworkers)
{
	if (overlaps->of_worker != NULL)
		return;
	overlaps->of_worker = tv_alloc(nworkers, sizeof *overlaps->of_worker);
	overlaps->first = tv_alloc(nworkers, sizeof *overlaps->first);
	overlaps->last = tv_alloc(nworkers, sizeof *overlaps->last);
	for (uint32_t w = 0; w < nworkers; w++) {
		overlaps->first[w] = INT64_MAX;
		overlaps->last[w] = INT64_MIN;
	}
}

static void sum_up(struct tv_overlaps *overlaps, uint32_t nworkers)
{
	overlaps->nworkers = 0;
	overlaps->n = 0;
	for (uint32_t w = 0; w < nworkers; w++) {
		overlaps->nworkers += overlaps->of_worker[w] > 0;
		overlaps->n += overlaps->of_worker[w];
	}
}

void tv_overlaps_add(struct tv_overlaps *overlaps, const struct tv_tasks *tasks)
{
	struct counting counting = { .tasks = tasks, .overlaps = overlaps };

	reserve(overlaps, tasks->nworkers);
	tv_tasks_by_worker(tasks, tasks->executed, &counting.groups);
	tv_parallel(tasks->nworkers, count_worker, &counting);
	sum_up(overlaps, tasks->nworkers);
	tv_groups_release(&counting.groups);
}

void tv_overlaps_init(struct tv_overlaps *overlaps, const struct tv_tasks *tasks)
{
	*overlaps = (struct tv_overlaps){ 0 };
	tv_overlaps_add(overlaps, tasks);
}

void tv_overlaps_release(struct tv_overlaps *overlaps)
{
	tv_free(overlaps->of_worker);
	tv_free(overlaps->first);
	tv_free(overlaps->last);
	*overlaps = (struct tv_overlaps){ 0 };
}

static void warn(struct tv_run *run, const struct tv_overlaps *found)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_overlaps overlaps = *found;
	char *where = NULL;
	uint32_t named = 0;

	for (uint32_t w = 0; w < tasks->nworkers && named < NAMED; w++) {
		if (overlaps.of_worker[w] == 0)
			continue;
		tv_append(&where, "%s%s (%llu)", named == 0 ? "" : ", ",
			  tv_pool_text(tasks->pool, tasks->workers[w].resource),
			  (unsigned long long)overlaps.of_worker[w]);
		named++;
	}
	if (overlaps.nworkers > named)
		tv_append(&where, " and %u other workers", overlaps.nworkers - named);
	if (overlaps.n > 0)
		tv_run_warn(run,
			    "%llu execution%s before an earlier one on the same worker "
			    "has ended: %s; bounds may exceed the makespan",
			    (unsigned long long)overlaps.n, overlaps.n == 1 ? " begins" : "s begin",
			    where);
	tv_free(where);
}

uint64_t tv_warn_overlaps(struct tv_run *run)
{
	struct tv_overlaps overlaps;
	uint64_t n;

	tv_overlaps_init(&overlaps, &run->tasks);
	warn(run, &overlaps);
	n = overlaps.n;
	tv_overlaps_release(&overlaps);
	return n;
}

static int add_rows(void *overlaps, struct tv_run *part, struct tv_error *err)
{
	(void)err;
	tv_overlaps_add(overlaps, &part->tasks);
	return 0;
}

/* What those before this process have ended last. Whether executions of some process begin before that. */
static bool begin_behind(struct tv_overlaps *overlaps, uint32_t nworkers,
			 const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;
	bool late = false;

	tv_pack_bytes(&pack, overlaps->first, nworkers * sizeof *overlaps->first);
	tv_pack_bytes(&pack, overlaps->last, nworkers * sizeof *overlaps->last);
	all = tv_team_gather(team, &pack);
	for (uint32_t w = 0; w < nworkers; w++) {
		int64_t until = INT64_MIN;

		for (uint32_t rank = 0; rank < all.n; rank++) {
			struct tv_unpack from = tv_gathered_of(&all, rank);
			int64_t first, last;

			tv_unpack_take(&from, w * sizeof first);
			tv_unpack_bytes(&from, &first, sizeof first);
			tv_unpack_take(&from, (nworkers - 1) * sizeof first);
			tv_unpack_bytes(&from, &last, sizeof last);
			if (rank == team->rank)
				overlaps->last[w] = until;
			late |= first < until;
			until = last > until ? last : until;
		}
	}
	tv_gathered_release(&all);
	return late;
}

int tv_overlaps_merge(struct tv_overlaps *overlaps, struct tv_run *run, struct tv_error *err)
{
	uint32_t nworkers = run->tasks.nworkers;

	if (run->team == NULL)
		return 0;
	reserve(overlaps, nworkers);
	if (begin_behind(overlaps, nworkers, run->team)) {
		memset(overlaps->of_worker, 0, nworkers * sizeof *overlaps->of_worker);
		if (tv_run_bare_rows(run, add_rows, overlaps, err) < 0)
			return -1;
	}
	tv_team_add(run->team, overlaps->of_worker, nworkers);
	sum_up(overlaps, nworkers);
	return 0;
}

int tv_warn_overlaps_of_rows(struct tv_run *run, uint64_t *n, struct tv_error *err)
{
	struct tv_overlaps overlaps = { 0 };
	int rc = tv_run_bare_rows(run, add_rows, &overlaps, err);

	if (rc == 0)
		rc = tv_overlaps_merge(&overlaps, run, err);
	if (rc == 0 && overlaps.n > 0)
		warn(run, &overlaps);
	*n = overlaps.n;
	tv_overlaps_release(&overlaps);
	return rc;
}
