/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterations.c -- findings about what repeats: barriers, periodic disturbances. */
#include <stdlib.h>

#include "analysis/diagnose/evidence.h"
#include "analysis/tasks/phase_list.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* ---- barriers ---- */

/* A phase ended, and the next one starts, with no task in between. */
struct barrier {
	int64_t end, start;
};

/* Leaves out barriers at which a long task ended last: that is what the others waited for. class: of evidence.h. */
static void drop_long(const struct tv_tasks *tasks, const uint8_t *class, struct barrier *barrier,
		      uint32_t *n)
{
	struct tv_map ends = { 0 }; /* of long tasks */
	uint32_t kept = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		if (tasks->counted[row] && tv_is_unequal(class[tv_row_whole(tasks, row)]))
			tv_map_put(&ends, (uint64_t)tasks->end[row], 0, 0);
	}
	for (uint32_t i = 0; i < *n; i++)
		if (tv_map_get(&ends, (uint64_t)barrier[i].end, 0) == NULL)
			barrier[kept++] = barrier[i];
	*n = kept;
	tv_map_release(&ends);
}

/* Barriers of a run, a new array of *n. Where the next task is submitted long after the last one ended, against the
 * length of phases, the program did not wait: it submits slowly. */
static struct barrier *list_barriers(const struct tv_tasks *tasks, uint32_t *n)
{
	struct tv_phases phases;
	struct barrier *barrier;
	int64_t between = 0, within = 0;

	tv_phases_init(&phases, tasks);
	barrier = tv_alloc(phases.n, sizeof *barrier);
	*n = 0;
	for (uint32_t i = 1; i < phases.n; i++) {
		const struct tv_phase *before = &phases.phase[i - 1], *phase = &phases.phase[i];

		within += before->end - before->start;
		if (phase->start < before->end)
			continue;
		between += phase->from > before->end ? phase->from - before->end : 0;
		barrier[(*n)++] = (struct barrier){ before->end, phase->start };
	}
	tv_phases_release(&phases);
	if (between > within / 10)
		*n = 0;
	return barrier;
}

/* Adds what workers that have tasks before and after a barrier do nothing around it. */
static void add_idle(const struct tv_case *c, const struct barrier *barrier, uint32_t n,
		     struct tv_idle_at_barriers *idle)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *last = tv_alloc(tasks->nworkers, sizeof *last);
	uint32_t *row = tv_alloc(tasks->n, sizeof *row), rows = 0, passed = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		last[w] = INT64_MIN;
	for (uint32_t i = 0; i < tasks->n; i++)
		if (tasks->counted[i])
			row[rows++] = i;
	tv_sort_rows(tasks, row, rows);
	for (uint32_t i = 0; i < rows; i++) {
		int64_t start = tasks->start[row[i]], *before = &last[tasks->worker[row[i]]];

		while (passed < n && barrier[passed].start <= start)
			passed++;
		if (passed > 0 && *before != INT64_MIN && *before <= barrier[passed - 1].end) {
			const struct tv_worker *worker = &tasks->workers[tasks->worker[row[i]]];
			double price = c->account.type[worker->rtype].price;

			int64_t end = barrier[passed - 1].end;
			/* What a call of MPI takes is no wait for tasks. */
			int64_t around = start - *before
				       - tv_case_in_mpi(c, worker->node, *before, start);
			int64_t until = end - *before
				      - tv_case_in_mpi(c, worker->node, *before, end);

			idle->worker += around;
			idle->time += (long double)price * (long double)around;
			idle->before += until;
			idle->time_before += (long double)price * (long double)until;
		}
		*before = tasks->end[row[i]] > *before ? tasks->end[row[i]] : *before;
	}
	tv_free(row);
	tv_free(last);
}

struct tv_idle_at_barriers tv_case_barriers(const struct tv_case *c)
{
	struct tv_idle_at_barriers idle = { 0 }, rest = { 0 };
	struct barrier *barrier;

	if (c->tasks->submit == NULL)
		return idle;
	barrier = list_barriers(c->tasks, &idle.n);
	/* What is not submitted meanwhile is that at all of them. */
	add_idle(c, barrier, idle.n, &idle);
	drop_long(c->tasks, c->class, barrier, &idle.n);
	add_idle(c, barrier, idle.n, &rest);
	idle.worker = rest.worker;
	idle.time = rest.time;
	tv_free(barrier);
	return idle;
}

static int find_barriers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tv_idle_at_barriers idle = tv_case_barriers(c);
	char worker[TV_WORDS_OF_ALL], *places;

	(void)err;
	found->time_ns = (int64_t)idle.time;
	found->worker_ns = tv_sum_ns(idle.worker);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	places = tv_case_places(c, TV_THREAD_BARRIER);
	found->text = tv_format("The program waited for all its tasks %u %s before it submitted "
				"more, about %u tasks "
				"at a time; around these barriers workers did nothing for %s.%s",
				idle.n, idle.n == 1 ? "time" : "times",
				(c->tasks->ntasks + idle.n / 2) / (idle.n + 1),
				tv_words_of_all(worker, c, found->worker_ns), places);
	tv_free(places);
	found->command = tv_case_verb(c, "phases", "");
	return 0;
}

const struct tv_rule tv_rule_barriers = {
	.id = "barriers",
	.title = "barriers between parts of the run",
	.condition = "idle time around the ends of phases (every task submitted before has ended "
		     "when the next one is submitted) costs 1 % of the makespan",
	.measures = "time of workers from their last task before such an end to their first one "
		    "after it",
	.action = "Submit the next part without a wait for all tasks, and let dependencies order "
		  "them; or give each part a number of equal tasks that is a multiple of the "
		  "number of workers.",
	.in.starpu = "starpu_task_wait_for_all only where the result is needed",
	.in.openmp = "depend in place of taskwait and taskgroup",
	.picture = "--panels spacetime,submitted,ready",
	.find = find_barriers,
};

/* ---- what comes back ---- */

enum { PERIODIC_MIN = 5 };

/* Starts of the disturbances of all workers, ascending, in a new array of *n. */
static int64_t *list_starts(const struct tv_table *table, uint32_t *n)
{
	int64_t *start = tv_alloc(table->nrows, sizeof *start);

	*n = 0;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_missing(tv_table_find(table, "Node"), row))
			start[(*n)++] = tv_table_find(table, "Start")->i[row];
	qsort(start, *n, sizeof *start, tv_compare_int64);
	return start;
}

/* The time between n starts if all n - 1 differences are within 20 % of their mean; else 0. */
static int64_t period_of(const int64_t *start, uint32_t n)
{
	double mean;

	if (n < PERIODIC_MIN)
		return 0;
	mean = (double)(start[n - 1] - start[0]) / (n - 1);
	for (uint32_t i = 1; i < n; i++)
		if ((double)(start[i] - start[i - 1]) < 0.8 * mean
		    || (double)(start[i] - start[i - 1]) > 1.2 * mean)
			return 0;
	return (int64_t)mean;
}

static int find_periodic(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(c->run, "disturbances", NULL, err);
	int64_t *start, period;
	uint32_t n;
	char text[2][32];

	if (table == NULL)
		return -1;
	start = list_starts(table, &n);
	period = period_of(start, n);
	tv_free(start);
	if (period == 0)
		return 0;
	found->holds = true;
	found->confidence = TV_STATISTICAL;
	found->worker_ns = 0;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_missing(tv_table_find(table, "Node"), row))
			found->worker_ns += tv_table_find(table, "Excess")->i[row];
	found->measure_ns = found->worker_ns / c->tasks->nworkers;
	found->text = tv_format("Every %s on average, %u times, many workers are slow at once; "
				"outliers then exceed their thresholds by %s in sum.",
				tv_words_time(text[0], period), n,
				tv_words_time(text[1], found->worker_ns));
	found->command = tv_case_verb(c, "disturbances", "");
	return 0;
}

const struct tv_rule tv_rule_periodic = {
	.id = "periodic",
	.title = "workers are slow at regular intervals",
	.condition = "disturbances reports 5 or more times of all workers, and each time between "
		     "two of them is within 20 % of the mean",
	.measures = "WorkerTime: time of outliers during all of them above their thresholds; "
		    "Measure: the same over the number of workers",
	.action = "Look for what runs at this interval: a monitor, a checkpoint, output, a timer "
		  "of the system.",
	.see = "disturbance",
	.picture = "--panels spacetime,durations",
	.find = find_periodic,
};
