/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterations.c -- findings about what repeats: barriers, joins, periodic disturbances. */
#include <stdlib.h>

#include "analysis/core/means.h"
#include "analysis/core/statistics.h"
#include "analysis/diagnose/evidence.h"
#include "analysis/tasks/phase_list.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* ---- barriers ---- */

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

static struct tv_idle_at_barriers find_idle(const struct tv_case *c)
{
	struct tv_idle_at_barriers idle = { 0 }, rest = { 0 };
	struct barrier *barrier;
	int64_t *wait;
	size_t nwaits;

	/* Kernels that each end before the next launch do not show that the program waited: its calls do (submission). */
	if (c->tasks->submit == NULL || tv_case_on_devices(c))
		return idle;
	wait = list_awaited(c->tasks, &nwaits);
	barrier = list_barriers(c->tasks, nwaits > 0, &idle.n);
	if (wait != NULL)
		drop_chance(wait, nwaits, barrier, &idle.n);
	tv_free(wait);
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

/* ---- joins ---- */

/* Places in the order of the graph: each node, the last node that depends on it, the first one on which it depends. */
struct places {
	uint32_t *of, *after, *before;
};

static struct places list_places(const struct tv_dag *dag)
{
	struct places p = { tv_alloc(dag->n, sizeof *p.of), tv_alloc(dag->n, sizeof *p.after),
			    tv_alloc(dag->n, sizeof *p.before) };

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		p.of[v] = p.before[i] = i;
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t at = p.of[dag->pred[k]];

			p.before[i] = at < p.before[i] ? at : p.before[i];
			p.after[at] = i;
		}
	}
	return p;
}

/* By place: whether all nodes before it lead to it, and it leads to all after it; nodes that are no tasks and have no edges do not
 * count. Free with tv_free. */
static bool *list_joins(const struct tv_dag *dag, const struct places *p)
{
	bool *join = tv_alloc(dag->n, sizeof *join);
	uint32_t reach = 0;

	for (uint32_t i = 0; i < dag->n; i++) {
		bool alone = p->after[i] == 0 && p->before[i] == i;

		join[i] = !alone && reach <= i;
		if (alone && !dag->task[dag->order[i]])
			continue;
		/* What leads nowhere does not lead to a later one. */
		if (p->after[i] == 0)
			reach = dag->n;
		else if (p->after[i] > reach)
			reach = p->after[i];
	}
	reach = dag->n;
	for (uint32_t k = 0; k < dag->n; k++) {
		uint32_t i = dag->n - 1 - k;
		bool alone = p->after[i] == 0 && p->before[i] == i;

		if (reach < i)
			join[i] = false;
		if (alone && !dag->task[dag->order[i]])
			continue;
		reach = p->before[i] == i ? 0 : p->before[i] < reach ? p->before[i] : reach;
	}
	return join;
}

/* What workers do nothing for before the joins, after their last task of the part that a join ends. */
struct idle_at_joins {
	uint32_t n, tasks; /* parts; tasks in them */
	uint32_t type;	   /* of the last join: a label, TV_NONE = it is no task */
	tv_int128 worker;
	long double time; /* priced */
};

/* The workers that ran tasks. */
struct used {
	uint32_t n;
	double price; /* of all together */
	int64_t *last,
		*at; /* by worker: its last End in the part that `at` names by its first place; -2: it is none of them */
	double *more; /* what its tasks there took longer than others of their type, ns */
};

/* What an execution took longer than the mean of its type on its type of workers, ns. */
static double beyond_mean(const struct tv_case *c, uint32_t row)
{
	const struct tv_means *means = &tv_run_estimates(c->run)->means[0];
	uint32_t rtype = c->tasks->workers[c->tasks->worker[row]].rtype;

	return (double)tv_row_time(c->tasks, row)
	     - tv_mean(&means->pair[(size_t)means->type_of_row[row] * means->nrtypes + rtype]);
}

/* Adds the part at the places [from, to) whose first task can begin at `begin`, if its tasks need none of the part, and those of the
 * worker that ends last did not just take longer than others: for half of what workers wait on average. Returns its end. */
static int64_t add_part(const struct tv_case *c, const struct tv_dag *dag, const struct places *p,
			uint32_t from, uint32_t to, int64_t begin, struct used *used,
			struct idle_at_joins *idle)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t end = begin;
	tv_int128 busy = 0;
	long double priced = 0;
	double wait;
	uint32_t n = 0, last = TV_NONE;
	bool flat = true;

	for (uint32_t i = from; i < to; i++) {
		uint32_t v = dag->order[i], row = dag->row[v], w = tasks->worker[row];
		int64_t done;

		if (!dag->timed[v] || !tasks->counted[row])
			continue;
		n++;
		flat = flat && (p->before[i] == i || p->before[i] < from);
		if (last == TV_NONE || dag->end[v] > end) {
			end = dag->end[v] > end ? dag->end[v] : end;
			last = row;
		}
		if (used->at[w] == -2)
			continue;
		if (used->at[w] != (int64_t)from) {
			used->at[w] = from;
			used->last[w] = begin;
			used->more[w] = 0;
		}
		used->more[w] += beyond_mean(c, row);
		done = dag->end[v] - used->last[w];
		if (done <= 0)
			continue;
		used->last[w] += done;
		busy += done;
		priced += (long double)c->account.type[tasks->workers[w].rtype].price * done;
	}
	if (n < 2 || !flat || used->n == 0)
		return end;
	wait = (double)(end - begin) - (double)busy / used->n;
	if (used->more[tasks->worker[last]] > wait / 2)
		return end;
	idle->n++;
	idle->tasks += n;
	idle->worker += (tv_int128)used->n * (end - begin) - busy;
	idle->time += (long double)used->price * (end - begin) - priced;
	return end;
}

static struct idle_at_joins find_idle_at_joins(const struct tv_case *c, const struct tv_dag *dag)
{
	const struct tv_tasks *tasks = c->tasks;
	struct idle_at_joins idle = { .type = TV_NONE }, at_waits = { 0 };
	struct used used = { .last = tv_alloc(tasks->nworkers, sizeof *used.last),
			     .at = tv_alloc(tasks->nworkers, sizeof *used.at),
			     .more = tv_alloc(tasks->nworkers, sizeof *used.more) };
	struct places p = list_places(dag);
	bool *join = list_joins(dag, &p);
	int64_t begin = tasks->begin;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		used.at[w] = -2;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && used.at[tasks->worker[row]] == -2
		    && (c->absences.is == NULL || c->absences.is[tasks->worker[row]] == 0)) {
			used.at[tasks->worker[row]] = -1;
			used.price +=
				c->account.type[tasks->workers[tasks->worker[row]].rtype].price;
			used.n++;
		}
	for (uint32_t i = 0, from = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		/* Where the program waits and then submits more, that is a barrier. */
		bool waits = !dag->task[v] && dag->awaited != NULL && dag->awaited[v];

		if (!join[i])
			continue;
		begin = add_part(c, dag, &p, from, i, begin, &used, waits ? &at_waits : &idle);
		from = i + 1;
		if (!dag->timed[v] || !tasks->counted[dag->row[v]])
			continue;
		idle.type = tasks->value[dag->row[v]];
		begin = dag->end[v] > begin ? dag->end[v] : begin;
	}
	tv_free(used.last);
	tv_free(used.at);
	tv_free(used.more);
	tv_free(p.of);
	tv_free(p.after);
	tv_free(p.before);
	tv_free(join);
	return idle;
}

static int find_joins(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_dag *dag;
	struct idle_at_joins idle;
	char worker[TV_WORDS_OF_ALL], type[128];

	if (c->account.cpe < 0 || tv_tasks_cut(c->tasks))
		return 0;
	dag = tv_run_dag(c->run, err);
	if (dag == NULL)
		return -1;
	idle = find_idle_at_joins(c, dag);
	found->time_ns = (int64_t)idle.time;
	found->worker_ns = tv_sum_ns(idle.worker);
	found->holds = idle.n >= 3 && found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	tv_clean_text(type, sizeof type,
		      idle.type == TV_NONE ? "" : tv_pool_text(c->tasks->pool, idle.type));
	found->text = tv_format(
		"%u tasks%s%s are joins: each waits for all tasks before it, and all later ones "
		"wait for it. Before a join %u tasks run on average; workers waited for the last "
		"of them for %s.",
		idle.n, type[0] != '\0' ? " of type " : "", type,
		(idle.tasks + idle.n / 2) / idle.n, tv_words_of_all(worker, c, found->worker_ns));
	found->command = tv_case_verb(c, "idle-causes", "--by culprit");
	return 0;
}

const struct tv_rule tv_rule_joins = {
	.id = "joins",
	.title = "tasks between joins do not keep all workers busy",
	.condition =
		"three times or more, two tasks or more that do not depend on each other all end "
		"before a task that needs all before it and that all after it need, and idle time "
		"before such tasks costs 1 % of the makespan; not before waits of the program "
		"after which it submits more (barriers), nor where half of that is what tasks "
		"of the worker that ends last took longer than the mean of their type",
	.measures =
		"time of workers from their last task before such a task to the end of the last "
		"one of all workers",
	.action = "Make a number of equal tasks that is a multiple of the number of workers, or "
		  "smaller tasks, or let the next ones depend only on those that they need.",
	.picture = "--panels spacetime,ready",
	.schedule = true,
	.find = find_joins,
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
	tv_sort_times(start, *n);
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
	found->measure_is = TV_EXCESS;
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
