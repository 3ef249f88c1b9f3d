/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tail.c -- a finding about the end of a run, where workers have no more tasks. */
#include <math.h>

#include "analysis/core/idle.h"
#include "analysis/core/spans.h"
#include "analysis/core/statistics.h"
#include "analysis/diagnose/evidence.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* Workers that ran tasks, after their last one. */
struct tail {
	uint32_t n, done; /* workers; those that are done when half of them are */
	int64_t half;	  /* when that is, ns */
	uint32_t
		few; /* fewer that are done before the longest time in which none ends; 0 = they have less than half of the time */
	int64_t early; /* when these are done, ns */
	int64_t other; /* when all of them but one are done, ns */
	tv_int128
		worker; /* idle time after the last task, but while ready tasks waited for other workers */
	long double time;    /* the same, priced */
	tv_int128 elsewhere; /* what that leaves out, of workers */
};

/* By worker the End of its last task, ns; INT64_MIN = it ran none, or left (absent.h). Free with tv_free. */
static int64_t *last_ends(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *last = tv_alloc(tasks->nworkers, sizeof *last);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		last[w] = INT64_MIN;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->end[row] > last[tasks->worker[row]]
		    && !tv_is_absent(&c->absences, tasks->worker[row], TV_ABSENT_LEFT))
			last[tasks->worker[row]] = tasks->end[row];
	return last;
}

/* Adds to what a worker is idle after `last`: the rest of the run without its setup and runtime tasks. */
static void add_tail(const struct tv_case *c, const struct tv_groups *executions, uint32_t w,
		     int64_t last, struct tail *tail)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t first = executions->first[w], n = executions->first[w + 1] - first;
	struct tv_span *span = tv_alloc(n, sizeof *span);
	int64_t idle = tasks->finish - last;

	for (uint32_t i = 0; i < n; i++)
		span[i] = (struct tv_span){ tasks->start[executions->row[first + i]],
					    tasks->end[executions->row[first + i]] };
	idle -= tv_spans_cover(span, n, (struct tv_span){ last, tasks->finish });
	tail->worker += idle;
	tail->time += (long double)c->account.type[tasks->workers[w].rtype].price
		    * (long double)idle;
	tv_free(span);
}

struct after_last {
	const struct tv_case *c;
	const int64_t *last; /* by worker */
	struct tail *tail;
};

/* What a slice has of the cause elsewhere, of workers whose last task had ended when it began. */
static void take_elsewhere(void *to, int64_t begin, const int64_t *time)
{
	struct after_last *after = to;
	const struct tv_tasks *tasks = after->c->tasks;

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		int64_t of = time[(size_t)w * TV_IDLE_NCAUSES + TV_IDLE_ELSEWHERE];

		if (after->last[w] == INT64_MIN || after->last[w] > begin)
			continue;
		after->tail->elsewhere += of;
		after->tail->worker -= of;
		after->tail->time -=
			(long double)after->c->account.type[tasks->workers[w].rtype].price
			* (long double)of;
	}
}

/* Takes the cause elsewhere out of the tail: what waits for other workers says that it is no lack of tasks. last: by worker; end: the
 * same of n workers, ascending. */
static int drop_elsewhere(const struct tv_case *c, const int64_t *last, const int64_t *end,
			  struct tail *tail, struct tv_error *err)
{
	struct after_last after = { c, last, tail };
	const struct tv_run_idle *idle = tv_run_idle(c->run, err);
	int64_t *bound;
	size_t n = 0;

	if (idle == NULL)
		return -1;
	bound = tv_alloc(tail->n, sizeof *bound);
	for (uint32_t i = 0; i < tail->n; i++)
		if (n == 0 || end[i] > bound[n - 1])
			bound[n++] = end[i];
	/* The last one that ends is the end of the run. */
	if (n > 1)
		tv_idle_sweep(&idle->waits, &idle->fetches, bound, n - 1, take_elsewhere, &after,
			      NULL);
	tv_free(bound);
	return 0;
}

/* end: when workers are done, ascending. */
static void find_few(const int64_t *end, int64_t finish, struct tail *tail)
{
	int64_t longest = 0;
	tv_int128 all = 0, before = 0;

	for (uint32_t i = 0; i < tail->n; i++)
		all += finish - end[i];
	for (uint32_t i = 0; i + 1 < tail->n && end[i] < tail->half; i++) {
		before += finish - end[i];
		if (end[i + 1] - end[i] <= longest)
			continue;
		longest = end[i + 1] - end[i];
		tail->few = 2 * before >= all ? i + 1 : 0;
		tail->early = end[i];
	}
}

static int find_tail(const struct tv_case *c, struct tail *tail, struct tv_error *err)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *last = last_ends(c), *end = tv_alloc(tasks->nworkers, sizeof *end), time,
		elsewhere;
	struct tv_groups executions;
	int rc = 0;

	*tail = (struct tail){ 0 };
	tv_tasks_by_worker(tasks, tasks->executed, &executions);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (last[w] != INT64_MIN) {
			add_tail(c, &executions, w, last[w], tail);
			end[tail->n++] = last[w];
		}
	tv_groups_release(&executions);
	tv_sort_times(end, tail->n);
	/* The lower of two in the middle: half of the workers, or more, are done then. */
	tail->half = end[(tail->n - 1) / 2];
	tail->other = tail->n > 1 ? end[tail->n - 2] : c->tasks->finish;
	while (tail->done < tail->n && end[tail->done] <= tail->half)
		tail->done++;
	find_few(end, tasks->finish, tail);
	tv_case_sum(c, TV_ACCOUNT_IDLE, "elsewhere", NULL, TV_NONE, &time, &elsewhere);
	/* It only gets shorter by that. */
	if (elsewhere > 0 && roundl(tail->time) >= (long double)c->min_ns)
		rc = drop_elsewhere(c, last, end, tail, err);
	tv_free(last);
	tv_free(end);
	return rc;
}

/* The execution that ends last, by its first row. */
static uint32_t last_task(const struct tv_tasks *tasks)
{
	uint32_t last = TV_NONE;

	for (uint32_t row = 0; row < tasks->n && last == TV_NONE; row++)
		if (tasks->counted[row] && tasks->end[row] == tasks->finish)
			last = tv_row_whole(tasks, row);
	return last;
}

/* What a worker runs from a time on, but for one execution that does not overlap with the others, ns. */
static int64_t other_work(const struct tv_tasks *tasks, uint32_t last, int64_t from)
{
	int64_t sum = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && row != last && tasks->worker[row] == tasks->worker[last]
		    && tasks->end[row] > from)
			sum += tasks->end[row]
			     - (tasks->start[row] > from ? tasks->start[row] : from);
	return sum;
}

/* Adds to the text the task that is most of the tail: it alone runs for half of the time in which half of the workers are done, and its
 * worker runs little else when the others are done. */
static void add_last(struct tv_case *c, const struct tail *tail, uint32_t last,
		     struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	bool after = tasks->start[last] >= tail->other; /* it may need the tasks before it */
	int64_t alone = tasks->finish - (after ? tasks->start[last] : tail->other);
	tv_int128 others = 0;
	uint32_t n = 0;
	double clock;
	char *task, time[32];

	if (alone < c->min_ns || alone < (tasks->finish - tail->half) / 2
	    || (double)other_work(tasks, last, tail->other)
		       > 0.1 * (double)(tasks->finish - tail->other))
		return;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row) && row != last
		    && tasks->value[row] == tasks->value[last]) {
			others += tv_task_time(tasks, row);
			n++;
		}
	task = tv_words_task(c, last);
	tv_append(&found->text, " For the last %s one task runs alone: it is %s",
		  tv_words_time(time, alone), task);
	if (n > 0)
		tv_append(&found->text, "; others of its type take %s on average",
			  tv_words_time(time, tv_sum_ns(others / n)));
	tv_append(&found->text, ".");
	tv_free(task);
	c->last = last;
	if (c->preempted > 0
	    && tv_task_clock(tasks, tv_table_find(&tasks->trace->table[TV_TASKS], "task-clock"),
			     last, &clock)
	    && 2 * clock < (double)tv_task_time(tasks, last)) {
		found->see = "preempted";
		found->apart = false;
		tv_append(&found->text, " For %s of this its thread waited for a processor.",
			  tv_words_time(time, tv_task_time(tasks, last) - llround(clock)));
	}
	found->title = tv_strdup("workers wait for one task at the end");
	found->action = after ? "Split this task, or use several threads in it."
			      : "Start this task earlier, split it, or use several threads in it.";
}

/* Whether it says nothing of its own: the trace does not show what workers waited for, for longer, and the tail is no longer than two
 * tasks. */
static bool is_short_tail(const struct tv_case *c, const struct tail *tail)
{
	int64_t unexplained, worker;

	tv_case_sum(c, TV_ACCOUNT_IDLE, "unexplained", NULL, TV_NONE, &unexplained, &worker);
	return (long double)unexplained > tail->time
	    && (double)(c->tasks->finish - tail->half) < 2 * tv_case_mean(c);
}

/* Whether the workers that are not done when `done` of them are run five tasks each after that, or more. */
static bool others_go_on(const struct tv_tasks *tasks, const struct tail *tail, uint32_t done,
			 int64_t since)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		n += tasks->counted[row] && tv_row_begins(tasks, row) && tasks->start[row] >= since;
	return tail->n > done && n >= 5 * (tail->n - done);
}

/* Whether nothing says when tasks were ready, and others go on when half of the workers are done, or a few of them that have most of the
 * time, which are those of the tail then: no smaller task at the end would let all of them end together. */
static bool go_on(const struct tv_case *c, struct tail *tail)
{
	if (c->absences.known)
		return false;
	if (tail->few > 0 && others_go_on(c->tasks, tail, tail->few, tail->early)) {
		tail->done = tail->few;
		tail->half = tail->early;
		return true;
	}
	return others_go_on(c->tasks, tail, tail->done, tail->half);
}

bool tv_case_ends_evenly(const struct tv_case *c)
{
	uint32_t last = last_task(c->tasks);

	return !tv_tasks_depend(c->tasks) && last != TV_NONE
	    && (double)tv_task_time(c->tasks, last) <= 1.25 * tv_case_mean(c);
}

static int find_long_tail(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct tail tail;
	uint32_t last = last_task(c->tasks);
	char worker[TV_WORDS_OF_ALL], rest[32];
	bool on;

	/* A run that was cut has other tasks for them. */
	if (tv_tasks_cut(c->tasks))
		return 0;
	if (find_tail(c, &tail, err) < 0)
		return -1;
	found->time_ns = (int64_t)roundl(tail.time);
	found->worker_ns = tv_sum_ns(tail.worker);
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0
		    && !is_short_tail(c, &tail);
	if (!found->holds)
		return 0;
	on = go_on(c, &tail);
	found->text = tv_format("After their last task workers did nothing for %s.",
				tv_words_of_all(worker, c, found->worker_ns));
	if (tail.elsewhere > 0)
		tv_append(&found->text,
			  " Another %s, in which ready tasks waited for other workers, is not "
			  "counted.",
			  tv_words_time(rest, tv_sum_ns(tail.elsewhere)));
	/* Whether what runs at the end of the run is a long task (evidence.h). */
	found->apart = last == TV_NONE || !tv_is_unequal(c->class[last]);
	if (c->tasks->finish - tail.half >= c->min_ns)
		tv_append(&found->text,
			  " %u of the %u workers %s had finished %s or more before the end.",
			  tail.done, tail.n,
			  c->absences.of[TV_ABSENT_LEFT].n > 0 ? "that did not stop long before"
							       : "with tasks",
			  tv_words_time(rest, c->tasks->finish - tail.half));
	if (found->apart && tv_case_ends_by_node(c, found->worker_ns)) {
		found->see = "node-imbalance";
		found->apart = false;
	}
	if (tv_case_lacks_messages(c)) {
		int64_t unused;

		/* What comes after messages that are no nodes of the graph may have waited for them. */
		if (tv_case_late_starts(c, &unused, &unused, err) < 0)
			return -1;
		if (c->carried > 0) {
			found->see = "messages";
			found->apart = false;
			found->confidence = TV_ESTIMATE;
		}
	}
	if (!on && tv_case_ends_evenly(c)) {
		found->see = "coarse-tasks";
		found->action = "Make the last tasks smaller, or their number one that the workers "
				"can share evenly.";
	} else if (!tv_tasks_depend(c->tasks)) { /* no critical path is known */
		found->action = "Start the longest tasks first, or make the last ones smaller.";
	} else if (c->account.makespan - c->forced < c->min_ns) {
		found->action = "Make the last tasks smaller, or let fewer of them depend on one "
				"another: in no other order is the run 1 % shorter.";
	}
	if (last != TV_NONE)
		add_last(c, &tail, last, found);
	found->alone = c->last == TV_NONE;
	if (last != TV_NONE && c->last == TV_NONE && tail.n > 1
	    && c->tasks->finish - tail.other >= (c->tasks->finish - tail.half) / 2
	    && !tv_tasks_depend(c->tasks))
		tv_case_last_worker(c, last, tail.other, found);
	if (on && found->title == NULL) {
		found->title = tv_strdup("workers end long before others");
		tv_append(&found->text,
			  " The others ran many tasks after that. Whether those that had finished "
			  "could have run some of them, the trace does not show.");
		found->action =
			"Find out why workers run none of these tasks: how tasks are divided "
			"among them, when tasks are submitted, and which workers begin or "
			"end early.";
	}
	/* What could have run before is not known. */
	if (!tv_tasks_know_dependencies(c->tasks))
		found->confidence = TV_ESTIMATE;
	found->command = tv_case_plot(c, "long-tail", "--panels spacetime,ready,idle-causes",
				      tail.half, c->tasks->finish);
	return 0;
}

const struct tv_rule tv_rule_long_tail = {
	.id = "long-tail",
	.title = "workers have no more tasks before the end",
	.condition =
		"idle time of workers after their last task, but of the cause elsewhere, costs "
		"1 % of the makespan, and the trace shows the end of the run; not if it does not "
		"show what workers waited for, for longer, and half of the workers end within two "
		"mean durations of tasks",
	.measures = "idle time of all causes but elsewhere after the last task of each worker that "
		    "ran any, but of leaving-workers",
	.action = "Run the tasks on the critical path earlier, or make the last tasks smaller.",
	.in.starpu = "STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas",
	.in.openmp = "the clause priority, and OMP_MAX_TASK_PRIORITY above 0",
	.see = "unequal-tasks",
	.symptom = true,
	.without = TV_WITHOUT_LAST,
	.find = find_long_tail,
};
