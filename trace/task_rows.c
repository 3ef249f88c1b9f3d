/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task_rows.c -- rows of tasks by worker and by time, and what they took. */
#include <string.h>

#include "trace/alloc.h"
#include "trace/parallel.h"
#include "trace/sorted.h"
#include "trace/tasks.h"

void tv_tasks_by_worker(const struct tv_tasks *tasks, const bool *set, struct tv_groups *groups)
{
	uint32_t *worker, n = 0;

	while (n < tasks->n && set[n])
		n++;
	if (n == tasks->n) {
		tv_groups_init(groups, tasks->worker, n, tasks->nworkers);
		return;
	}
	worker = tv_alloc(tasks->n, sizeof *worker);
	for (uint32_t row = 0; row < tasks->n; row++)
		worker[row] = set[row] ? tasks->worker[row] : TV_NONE;
	tv_groups_init(groups, worker, tasks->n, tasks->nworkers);
	tv_free(worker);
}

struct starts {
	const struct tv_tasks *tasks;
	struct tv_groups *groups;
};

static void sort_starts(void *context, size_t w)
{
	const struct starts *starts = context;
	const uint32_t *first = &starts->groups->first[w];

	tv_sort_rows(starts->tasks, starts->groups->row + first[0], first[1] - first[0]);
}

void tv_tasks_by_start(const struct tv_tasks *tasks, const bool *set, struct tv_groups *groups)
{
	tv_tasks_by_worker(tasks, set, groups);
	tv_parallel(groups->n, sort_starts, &(struct starts){ tasks, groups });
}

uint32_t tv_rows_started(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n, int64_t t)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, n, tasks->start[row[i]] <= t);
	return i;
}

uint32_t *tv_tasks_worker_of_label(const struct tv_tasks *tasks)
{
	uint32_t n = tv_pool_count(tasks->pool), *worker_of = tv_alloc(n, sizeof *worker_of);
	const struct tv_column *resource = tv_table_find(&tasks->trace->table[TV_TASKS],
							 "ResourceId");

	for (uint32_t i = 0; i < n; i++)
		worker_of[i] = TV_NONE;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		worker_of[tasks->workers[w].resource] = w;
	for (uint32_t row = 0; tasks->device_time != NULL && row < tasks->n; row++)
		if (tasks->worker[row] != TV_NONE)
			worker_of[resource->u[row]] = tasks->worker[row];
	return worker_of;
}

void tv_task_times(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n, int64_t *time)
{
	const int64_t *start = tasks->start, *end = tasks->end;

	for (uint32_t i = 0; tasks->spent == NULL && i < n; i++)
		time[i] = end[row[i]] - start[row[i]];
	for (uint32_t i = 0; tasks->spent != NULL && i < n; i++)
		time[i] = tasks->spent[row[i]];
}

uint32_t *tv_tasks_last_rows(const struct tv_tasks *tasks)
{
	uint32_t *last = tv_alloc(tasks->n, sizeof *last);

	for (uint32_t row = 0; row < tasks->n; row++)
		last[row] = row;
	for (uint32_t row = 0; tasks->whole != NULL && row < tasks->n; row++) {
		uint32_t *its = &last[tasks->whole[row]];

		if (tasks->executed[row] && tasks->end[row] > tasks->end[*its])
			*its = row;
	}
	return last;
}

void tv_sort_rows(const struct tv_tasks *tasks, uint32_t *row, size_t n)
{
	tv_sort_rows_by_time(row, n, tasks->start);
}

uint32_t tv_workers_of_type(const struct tv_tasks *tasks, const char *rtype)
{
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		if (strcmp(tv_pool_text(tasks->pool, tasks->rtype[r].label), rtype) == 0)
			return tasks->rtype[r].nworkers;
	return 0;
}
