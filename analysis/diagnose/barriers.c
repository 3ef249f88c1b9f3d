/* SPDX-License-Identifier: GPL-3.0-or-later */
/* barriers.c -- the finding about waits for all tasks before more are submitted. */
#include "analysis/core/statistics.h"
#include "analysis/diagnose/evidence.h"
#include "analysis/tasks/phase_list.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A phase ended, and the next one starts, with no task in between. */
struct barrier {
	int64_t end, start, from; /* from: its first submission */
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

/* The median of n times, which are sorted then; 0 of none. */
static int64_t median_of(int64_t *time, size_t n)
{
	tv_sort_times(time, n);
	return n == 0 ? 0 : tv_median_int64(time, n);
}

/* Whether the program submits at its own pace and does not wait for tasks: half of the times between two submissions with a barrier
 * between are no longer than twice the median of the others. */
static bool keeps_pace(const struct tv_tasks *tasks, const struct barrier *barrier, uint32_t n)
{
	int64_t *submit = tv_alloc(tasks->ncounted, sizeof *submit),
		*across = tv_alloc(n, sizeof *across), usual;
	int64_t *within = submit; /* takes the places of submissions that are passed */
	size_t submits = 0, nwithin = 0, nacross = 0;
	bool keeps;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row)
		    && !tv_missing(tasks->submit, row))
			submit[submits++] = tasks->submit->i[row] < tasks->start[row]
						  ? tasks->submit->i[row]
						  : tasks->start[row];
	tv_sort_times(submit, submits);
	for (size_t i = 1; i < submits; i++) {
		int64_t time = submit[i] - submit[i - 1];

		if (nacross < n && submit[i] >= barrier[nacross].from)
			across[nacross++] = time;
		else
			within[nwithin++] = time;
	}
	usual = median_of(within, nwithin);
	keeps = usual > 0 && median_of(across, nacross) <= 2 * usual;
	tv_free(submit);
	tv_free(across);
	return keeps;
}

/* Barriers of a run, a new array of *n. Unless the trace shows that it waited: where the next task is submitted long after the last one
 * ended, against the length of phases, the program did not wait: it submits slowly. */
static struct barrier *list_barriers(const struct tv_tasks *tasks, bool waited, uint32_t *n)
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
		barrier[(*n)++] = (struct barrier){ before->end, phase->start, phase->from };
	}
	tv_phases_release(&phases);
	if (*n > 0 && !waited && (between > within / 10 || keeps_pace(tasks, barrier, *n)))
		*n = 0;
	return barrier;
}

/* When tasks were submitted that followed a wait (SubmitAfter names no task), sorted: a new array of *n; NULL = nothing tells. */
static int64_t *list_awaited(const struct tv_tasks *tasks, size_t *n)
{
	const struct tv_column *after = tv_table_find(&tasks->trace->table[TV_TASKS],
						      "SubmitAfter");
	bool *ran;
	int64_t *time;

	*n = 0;
	if (after == NULL || tasks->job == NULL)
		return NULL;
	ran = tv_alloc(tv_pool_count(tasks->pool), sizeof *ran);
	time = tv_alloc(tasks->n, sizeof *time);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && tasks->job[row] != TV_NONE)
			ran[tasks->job[row]] = true;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (!tv_missing(after, row) && !ran[tv_label(after, row)]
		    && !tv_missing(tasks->submit, row))
			time[(*n)++] = tasks->submit->i[row];
	tv_sort_times(time, *n);
	tv_free(ran);
	return time;
}

/* Leaves out the ends at which all tasks had ended by chance: no task until the next one followed one of the waits. */
static void drop_chance(const int64_t *wait, size_t nwaits, struct barrier *barrier, uint32_t *n)
{
	uint32_t kept = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < *n; i++) {
		int64_t next = i + 1 < *n ? barrier[i + 1].from : INT64_MAX;

		while (at < nwaits && wait[at] < barrier[i].from)
			at++;
		if (at < nwaits && wait[at] < next)
			barrier[kept++] = barrier[i];
	}
	*n = kept;
}

/* Until when a task that starts after a barrier was not submitted, at least up to the end before. */
static int64_t not_submitted_until(const struct tv_tasks *tasks, uint32_t row, int64_t end)
{
	int64_t submitted = tv_missing(tasks->submit, row) ? end : tasks->submit->i[row];

	submitted = submitted < tasks->start[row] ? submitted : tasks->start[row];
	return submitted > end ? submitted : end;
}

/* Adds what workers that have tasks before and after a barrier do nothing around it. */
static void add_idle(const struct tv_case *c, const struct barrier *barrier, uint32_t n,
		     struct tv_idle_at_barriers *idle)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t *row, rows = 0, passed = 0;
	int64_t *last;

	if (n == 0)
		return;
	last = tv_alloc(tasks->nworkers, sizeof *last);
	row = tv_alloc(tasks->n, sizeof *row);
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

			/* Up to the submission of that task. */
			int64_t end = not_submitted_until(tasks, row[i], barrier[passed - 1].end);
			/* What a call of MPI takes, or what the program does alone, is no wait for tasks. */
			int64_t alone = tv_case_works_alone(c, worker->node, *before, start);
			int64_t around = start - *before - alone
				       - tv_case_in_mpi(c, worker->node, *before, start);
			int64_t until = end - *before - alone
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

/* The barriers that show that the program waited, a new array of *n; NULL = there are none. */
static struct barrier *find_all(const struct tv_case *c, uint32_t *n)
{
	struct barrier *barrier;
	int64_t *wait;
	size_t nwaits;

	*n = 0;
	/* Kernels that each end before the next launch do not show that the program waited: its calls do (submission). */
	if (c->tasks->submit == NULL || tv_case_on_devices(c))
		return NULL;
	wait = list_awaited(c->tasks, &nwaits);
	barrier = list_barriers(c->tasks, nwaits > 0, n);
	if (wait != NULL)
		drop_chance(wait, nwaits, barrier, n);
	tv_free(wait);
	return barrier;
}

int64_t *tv_case_waits(const struct tv_case *c, uint32_t *n)
{
	struct barrier *barrier = find_all(c, n);
	int64_t *from = tv_alloc(*n, sizeof *from);

	for (uint32_t i = 0; i < *n; i++)
		from[i] = barrier[i].from;
	tv_free(barrier);
	return from;
}

static struct tv_idle_at_barriers find_idle(const struct tv_case *c)
{
	struct tv_idle_at_barriers idle = { 0 }, rest = { 0 };
	struct barrier *barrier = find_all(c, &idle.n);

	/* What is not submitted meanwhile is that at all of them. */
	add_idle(c, barrier, idle.n, &idle);
	drop_long(c->tasks, c->class, barrier, &idle.n);
	add_idle(c, barrier, idle.n, &rest);
	idle.worker = rest.worker;
	idle.time = rest.time;
	tv_free(barrier);
	return idle;
}

struct tv_idle_at_barriers tv_case_barriers(const struct tv_case *c)
{
	static const char key;
	struct tv_idle_at_barriers *kept = tv_run_kept(c->run, &key);

	if (kept == NULL) {
		kept = tv_alloc(1, sizeof *kept);
		*kept = find_idle(c);
		tv_run_keep(c->run, &key, kept, tv_free);
	}
	return *kept;
}

static int find_barriers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tv_idle_at_barriers idle = tv_case_barriers(c);
	const struct tv_serial_part *serial = tv_case_serial_part(c);
	char worker[TV_WORDS_OF_ALL], *places;

	(void)err;
	found->holds = idle.n > 0;
	if (!found->holds)
		return 0;
	/* Simulations with all tasks submitted at the start leave away what the program does between them. */
	found->alone = serial->idle + serial->own > 0.1L * idle.time;
	/* A worker without tasks after it has no idle time around it. */
	found->by_gain = idle.time < (long double)c->min_ns || idle.time < 1;
	found->text = tv_format("The program waited for all its tasks %u %s before it submitted "
				"more, about %u tasks at a time",
				idle.n, idle.n == 1 ? "time" : "times",
				(c->tasks->ntasks + idle.n / 2) / (idle.n + 1));
	found->command = tv_case_verb(c, "phases", "");
	if (found->by_gain) {
		tv_append(&found->text, ", so these could not run beside the ones before.");
		return 0;
	}
	found->time_ns = (int64_t)idle.time;
	found->worker_ns = tv_sum_ns(idle.worker);
	places = tv_case_places(c, TV_THREAD_BARRIER);
	tv_append(&found->text, "; around these barriers workers did nothing for %s.%s",
		  tv_words_of_all(worker, c, found->worker_ns), places);
	tv_free(places);
	return 0;
}

const struct tv_rule tv_rule_barriers = {
	.id = "barriers",
	.title = "barriers between parts of the run",
	.condition =
		"idle time around the ends of phases (every task submitted before has ended "
		"when the next one is submitted) costs 1 % of the makespan, or a simulation with "
		"all tasks submitted at the start gains; not where tasks "
		"are submitted one by one, no later after such an end than else, nor, where "
		"SubmitAfter names waits, after an end that no wait follows",
	.measures = "time of workers from their last task before such an end to their first one "
		    "after it",
	.action = "Submit the next part without a wait for all tasks, and let dependencies order "
		  "them; or give each part a number of equal tasks that is a multiple of the "
		  "number of workers.",
	.in.starpu = "starpu_task_wait_for_all only where the result is needed",
	.in.openmp = "depend in place of taskwait and taskgroup",
	.picture = "--panels spacetime,submitted,ready",
	.without = TV_WITHOUT_BARRIERS,
	.schedule = true,
	.find = find_barriers,
};
