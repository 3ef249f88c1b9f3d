/* SPDX-License-Identifier: GPL-3.0-or-later */
/* barriers.c -- the finding about waits for all tasks before more are submitted. */
#include <stdio.h>
#include <string.h>

#include "analysis/core/statistics.h"
#include "analysis/diagnose/evidence.h"
#include "analysis/tasks/phase_list.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A phase of the tasks of a node ended, and the next one starts, with no task in between. */
struct barrier {
	uint32_t node;
	int64_t end, start, from; /* from: its first submission */
};

/* By node, then time. */
struct barriers {
	uint32_t n;
	struct barrier *at;
};

/* Counted rows of a node. */
struct rows {
	uint32_t n;
	const uint32_t *row;
};

/* Leaves out barriers at which a long task ended last: that is what the others waited for. class: of evidence.h. */
static void drop_long(const struct tv_tasks *tasks, const uint8_t *class, struct barriers *barriers)
{
	struct tv_map ends = { 0 }; /* of long tasks */
	uint32_t kept = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		if (tasks->counted[row] && tv_is_unequal(class[tv_row_whole(tasks, row)]))
			tv_map_put(&ends, (uint64_t)tasks->end[row],
				   tasks->workers[tasks->worker[row]].node, 0);
	}
	for (uint32_t i = 0; i < barriers->n; i++)
		if (tv_map_get(&ends, (uint64_t)barriers->at[i].end, barriers->at[i].node) == NULL)
			barriers->at[kept++] = barriers->at[i];
	barriers->n = kept;
	tv_map_release(&ends);
}

/* The median of n times, which are sorted then; 0 of none. */
static int64_t median_of(int64_t *time, size_t n)
{
	tv_sort_times(time, n);
	return n == 0 ? 0 : tv_median_int64(time, n);
}

/* Whether the program submits at its own pace and does not wait for tasks: half of the times between two submissions with a barrier
 * between are no longer than twice the median of the others; or it paused, and more than a quarter of these times comes after all tasks had
 * ended, as what waits for them goes on then. */
static bool keeps_pace(const struct tv_tasks *tasks, const struct rows *rows,
		       const struct barrier *barrier, uint32_t n)
{
	int64_t *submit = tv_alloc(rows->n, sizeof *submit), *across = tv_alloc(n, sizeof *across),
		usual, after = 0, paused = 0;
	int64_t *within = submit; /* takes the places of submissions that are passed */
	size_t submits = 0, nwithin = 0, nacross = 0;
	bool keeps;

	for (uint32_t i = 0; i < rows->n; i++) {
		uint32_t row = rows->row[i];

		if (tv_row_begins(tasks, row) && !tv_missing(tasks->submit, row))
			submit[submits++] = tasks->submit->i[row] < tasks->start[row]
						  ? tasks->submit->i[row]
						  : tasks->start[row];
	}
	tv_sort_times(submit, submits);
	for (size_t i = 1; i < submits; i++) {
		int64_t time = submit[i] - submit[i - 1];

		if (nacross < n && submit[i] >= barrier[nacross].from) {
			after += submit[i] - barrier[nacross].end;
			paused += time;
			across[nacross++] = time;
		} else
			within[nwithin++] = time;
	}
	usual = median_of(within, nwithin);
	keeps = (usual > 0 && median_of(across, nacross) <= 2 * usual) || 4 * after > paused;
	tv_free(submit);
	tv_free(across);
	return keeps;
}

/* The median of how far n times are from their median. Sorts them. */
static int64_t spread_of(int64_t *time, size_t n)
{
	int64_t median = median_of(time, n);

	for (size_t i = 0; i < n; i++)
		time[i] = time[i] > median ? time[i] - median : median - time[i];
	return median_of(time, n);
}

/* Whether a task is submitted when a worker has ended another one: so long after that end is the task which it runs next, give or take
 * half of what times between submissions vary by. All have ended by chance then. */
static bool follows_single(const struct tv_tasks *tasks, const struct rows *rows)
{
	uint32_t *row = tv_alloc(rows->n, sizeof *row);
	int64_t *submit = tv_alloc(rows->n, sizeof *submit),
		*since = tv_alloc(rows->n, sizeof *since),
		*last = tv_alloc(tasks->nworkers, sizeof *last);
	size_t submits = 0, n = 0;
	bool follows;

	memcpy(row, rows->row, rows->n * sizeof *row);
	tv_sort_rows(tasks, row, rows->n);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		last[w] = INT64_MIN;
	for (uint32_t i = 0; i < rows->n; i++) {
		int64_t *before = &last[tasks->worker[row[i]]];

		if (tv_row_begins(tasks, row[i]) && !tv_missing(tasks->submit, row[i])) {
			submit[submits++] = tasks->submit->i[row[i]];
			if (*before != INT64_MIN)
				since[n++] = tasks->submit->i[row[i]] - *before;
		}
		*before = tasks->end[row[i]];
	}
	tv_sort_times(submit, submits);
	for (size_t i = submits; i-- > 1;)
		submit[i] -= submit[i - 1];
	follows = n > 0 && median_of(since, n) > 0
	       && 2 * spread_of(since, n) < spread_of(submit + 1, submits - 1);
	tv_free(row);
	tv_free(submit);
	tv_free(since);
	tv_free(last);
	return follows;
}

/* Adds the barriers of a node. Unless the trace shows that it waited: where, at half of them or more, the next task is submitted long after the
 * last one ended, against the length of the phase, the program did not wait: it submits slowly. Returns how many there are. */
static uint32_t list_barriers(const struct tv_tasks *tasks, const struct rows *rows,
			      const struct tv_phases *phases, uint32_t node, bool waited,
			      struct barrier *barrier)
{
	uint32_t n = 0, late = 0;

	for (uint32_t i = 1; i < phases->n; i++) {
		const struct tv_phase *before = &phases->phase[i - 1], *phase = &phases->phase[i];

		if (phase->start < before->end)
			continue;
		late += phase->from - before->end > (before->end - before->start) / 10;
		barrier[n++] = (struct barrier){ node, before->end, phase->start, phase->from };
	}
	return n > 0 && !waited
			    && (2 * late >= n || keeps_pace(tasks, rows, barrier, n)
				|| follows_single(tasks, rows))
		     ? 0
		     : n;
}

/* By JobId, whether such a task ran; NULL = no column names what was waited for. */
static bool *list_ran(const struct tv_tasks *tasks, const struct tv_column *after)
{
	bool *ran;

	if (after == NULL || tasks->job == NULL)
		return NULL;
	ran = tv_alloc(tv_pool_count(tasks->pool), sizeof *ran);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && tasks->job[row] != TV_NONE)
			ran[tasks->job[row]] = true;
	return ran;
}

/* When tasks were submitted that followed a wait (SubmitAfter names no task), sorted: a new array of *n. */
static int64_t *list_awaited(const struct tv_tasks *tasks, const struct rows *rows,
			     const struct tv_column *after, const bool *ran, size_t *n)
{
	int64_t *time = tv_alloc(rows->n, sizeof *time);

	*n = 0;
	for (uint32_t i = 0; i < rows->n; i++) {
		uint32_t row = rows->row[i];

		if (!tv_missing(after, row) && !ran[tv_label(after, row)]
		    && !tv_missing(tasks->submit, row))
			time[(*n)++] = tasks->submit->i[row];
	}
	tv_sort_times(time, *n);
	return time;
}

/* Leaves out the ends at which all tasks had ended by chance: no task until the next one followed one of the waits. */
static uint32_t drop_chance(const int64_t *wait, size_t nwaits, struct barrier *barrier, uint32_t n)
{
	uint32_t kept = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < n; i++) {
		int64_t next = i + 1 < n ? barrier[i + 1].from : INT64_MAX;

		while (at < nwaits && wait[at] < barrier[i].from)
			at++;
		if (at < nwaits && wait[at] < next)
			barrier[kept++] = barrier[i];
	}
	return kept;
}

/* Until when a task that starts after a barrier was not submitted, at least up to the end before. */
static int64_t not_submitted_until(const struct tv_tasks *tasks, uint32_t row, int64_t end)
{
	int64_t submitted = tv_missing(tasks->submit, row) ? end : tasks->submit->i[row];

	submitted = submitted < tasks->start[row] ? submitted : tasks->start[row];
	return submitted > end ? submitted : end;
}

/* Adds what workers that have tasks before and after a barrier do nothing around it. */
static void add_idle(const struct tv_case *c, const struct barriers *all,
		     struct tv_idle_at_barriers *idle)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t *row, rows = 0;
	const struct barrier **next; /* by node: the first one that is not passed yet */
	int64_t *last;

	if (all->n == 0)
		return;
	next = tv_alloc(tasks->nnodes, sizeof *next);
	for (uint32_t i = all->n; i-- > 0;)
		next[all->at[i].node] = &all->at[i];
	last = tv_alloc(tasks->nworkers, sizeof *last);
	row = tv_alloc(tasks->n, sizeof *row);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		last[w] = INT64_MIN;
	for (uint32_t i = 0; i < tasks->n; i++)
		if (tasks->counted[i])
			row[rows++] = i;
	tv_sort_rows(tasks, row, rows);
	for (uint32_t i = 0; i < rows; i++) {
		const struct tv_worker *worker = &tasks->workers[tasks->worker[row[i]]];
		int64_t start = tasks->start[row[i]], *before = &last[tasks->worker[row[i]]];
		const struct barrier **at = &next[worker->node], *passed;

		while (*at != NULL && *at < all->at + all->n && (*at)->node == worker->node
		       && (*at)->start <= start)
			++*at;
		passed = *at == NULL || *at == all->at || (*at)[-1].node != worker->node ? NULL
											 : *at - 1;
		if (passed != NULL && *before != INT64_MIN && *before <= passed->end) {
			double price = c->account.type[worker->rtype].price;

			/* Up to the submission of that task. */
			int64_t end = not_submitted_until(tasks, row[i], passed->end);
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
	tv_free(next);
}

/* Fills in the counted rows of each node, which are in `row`. */
static void list_rows(const struct tv_tasks *tasks, uint32_t *row, struct rows *rows)
{
	uint32_t *at = row;

	for (uint32_t i = 0; i < tasks->n; i++)
		if (tasks->counted[i])
			rows[tasks->workers[tasks->worker[i]].node].n++;
	for (uint32_t i = 0; i < tasks->nnodes; i++) {
		rows[i].row = at;
		at += rows[i].n;
		rows[i].n = 0;
	}
	for (uint32_t i = 0; i < tasks->n; i++) {
		struct rows *of;

		if (!tasks->counted[i])
			continue;
		of = &rows[tasks->workers[tasks->worker[i]].node];
		row[of->row - row + of->n++] = i;
	}
}

/* The barriers that show that the program waited; `at` is new. */
static struct barriers list_all(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	const struct tv_column *after = tv_table_find(&tasks->trace->table[TV_TASKS],
						      "SubmitAfter");
	struct barriers all = { 0 };
	struct tv_phases *phases;
	struct rows *rows;
	uint32_t *row, nphases = 0;
	bool *ran;

	/* Kernels that each end before the next launch do not show that the program waited: its calls do (submission). */
	if (tasks->submit == NULL || tv_case_on_devices(c))
		return all;
	phases = tv_alloc(tasks->nnodes, sizeof *phases);
	rows = tv_alloc(tasks->nnodes, sizeof *rows);
	row = tv_alloc(tasks->ncounted, sizeof *row);
	ran = list_ran(tasks, after);
	tv_phases_of_nodes(phases, tasks);
	list_rows(tasks, row, rows);
	for (uint32_t i = 0; i < tasks->nnodes; i++)
		nphases += phases[i].n;
	all.at = tv_alloc(nphases, sizeof *all.at);
	for (uint32_t i = 0; i < tasks->nnodes; i++) {
		struct barrier *of = all.at + all.n;
		size_t nwaits = 0;
		int64_t *wait = ran == NULL ? NULL
					    : list_awaited(tasks, &rows[i], after, ran, &nwaits);
		uint32_t n = list_barriers(tasks, &rows[i], &phases[i], i, nwaits > 0, of);

		all.n += wait == NULL ? n : drop_chance(wait, nwaits, of, n);
		tv_free(wait);
		tv_phases_release(&phases[i]);
	}
	tv_free(ran);
	tv_free(row);
	tv_free(rows);
	tv_free(phases);
	return all;
}

static void release_all(void *kept)
{
	struct barriers *all = kept;

	tv_free(all->at);
	tv_free(all);
}

/* Those of the run, which keeps them. */
static const struct barriers *find_all(const struct tv_case *c)
{
	static const char key;
	struct barriers *all = tv_run_kept(c->run, &key);

	if (all == NULL) {
		all = tv_alloc(1, sizeof *all);
		*all = list_all(c);
		tv_run_keep(c->run, &key, all, release_all);
	}
	return all;
}

void tv_case_waits(const struct tv_case *c, struct tv_restarts *waits)
{
	const struct barriers *all = find_all(c);
	int64_t delay = 0;

	*waits = (struct tv_restarts){ .n = all->n,
				       .from = tv_alloc(all->n, sizeof *waits->from),
				       .node = tv_alloc(all->n, sizeof *waits->node) };
	for (uint32_t i = 0; i < all->n; i++) {
		const struct barrier *at = &all->at[i];

		waits->from[i] = at->from;
		waits->node[i] = at->node;
		delay = (i > 0 && at[-1].node == at->node ? delay : 0) + at->start - at->from;
		waits->delay = delay > waits->delay ? delay : waits->delay;
	}
}

/* Which nodes waited, and how often. */
static void count_nodes(const struct tv_tasks *tasks, const struct barriers *all,
			struct tv_idle_at_barriers *idle)
{
	uint32_t *of = tv_alloc(tasks->nnodes, sizeof *of);

	for (uint32_t i = 0; i < all->n; i++)
		of[all->at[i].node]++;
	for (uint32_t i = 0; i < tasks->nnodes; i++) {
		if (of[i] == 0)
			continue;
		idle->node = i;
		idle->each = idle->nodes == 0 || idle->each == of[i] ? of[i] : 0;
		idle->nodes++;
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		idle->tasks += tasks->leads[row] && of[tasks->workers[tasks->worker[row]].node] > 0;
	idle->n = all->n;
	tv_free(of);
}

static struct tv_idle_at_barriers find_idle(const struct tv_case *c)
{
	struct tv_idle_at_barriers idle = { 0 }, rest = { 0 };
	const struct barriers *all = find_all(c);
	struct barriers kept = { all->n, tv_alloc(all->n, sizeof *kept.at) };

	/* What is not submitted meanwhile is that at all of them. */
	add_idle(c, all, &idle);
	count_nodes(c->tasks, all, &idle);
	for (size_t i = 0; i < all->n; i++)
		kept.at[i] = all->at[i];
	drop_long(c->tasks, c->class, &kept);
	add_idle(c, &kept, &rest);
	idle.kept = kept.n;
	idle.worker = rest.worker;
	idle.time = rest.time;
	tv_free(kept.at);
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

/* Who waited, how often, for how many tasks. */
static char *words_waits(const struct tv_case *c, const struct tv_idle_at_barriers *idle)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t parts = idle->n + idle->nodes;
	char *who = tasks->nnodes == 1 ? tv_strdup("The program")
		  : idle->nodes == 1   ? tv_format(
			      "Node %s", tv_pool_text(tasks->pool, tasks->node[idle->node].label))
		  : idle->nodes == tasks->nnodes
			  ? tv_format("Each of the %u nodes", idle->nodes)
			  : tv_format("Each of %u of the %u nodes", idle->nodes, tasks->nnodes);
	char *often = idle->each == 1 ? tv_strdup("1 time")
		    : idle->each > 1  ? tv_format("%u times", idle->each)
				      : tv_format("%u times on average",
						  (idle->n + idle->nodes / 2) / idle->nodes);
	char *text = tv_format("%s waited for all its tasks %s before it submitted more, about %u "
			       "tasks at a time",
			       who, often, (idle->tasks + parts / 2) / parts);

	tv_free(who);
	tv_free(often);
	return text;
}

static int find_barriers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tv_idle_at_barriers idle = tv_case_barriers(c);
	const struct tv_serial_part *serial = tv_case_serial_part(c);
	char worker[TV_WORDS_OF_ALL], which[32] = "these barriers", *places;

	(void)err;
	found->holds = idle.kept > 0;
	if (!found->holds)
		return 0;
	/* Simulations with all tasks submitted at the start leave away what the program does between them. */
	found->alone = serial->idle + serial->own > 0.1L * idle.time;
	/* A worker without tasks after it has no idle time around it. */
	found->by_gain = idle.time < (long double)c->min_ns || idle.time < 1;
	found->text = words_waits(c, &idle);
	found->command = tv_case_verb(c, "phases", "");
	if (found->by_gain) {
		tv_append(&found->text, ", so these could not run beside the ones before.");
		return 0;
	}
	found->time_ns = (int64_t)idle.time;
	found->worker_ns = tv_sum_ns(idle.worker);
	places = tv_case_places(c, TV_THREAD_BARRIER);
	if (idle.kept < idle.n)
		snprintf(which, sizeof which, "%u of these barriers", idle.kept);
	tv_append(&found->text, "; around %s%s workers did nothing for %s.%s", which,
		  idle.kept < idle.n ? ", at which no long task ended last," : "",
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
		"are submitted one by one, no later after such an end than else, or a quarter of a "
		"pause in submissions comes after it, or each follows the end of the task before "
		"on its "
		"worker, nor, where "
		"SubmitAfter names waits, after an end that no wait follows",
	.measures = "time of workers from their last task before such an end to their first one "
		    "after it, but of ends at which a long task ended last",
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
