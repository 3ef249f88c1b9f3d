/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waiting.c -- findings about idle time. */
#include <stdlib.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A finding about idle time of certain causes, if it is long enough. */
static bool idle_for(struct tv_case *c, struct tv_found *found, const char *const *cause,
		     const char *const *blame, size_t n)
{
	int64_t time = 0, worker = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t t, w;

		tv_case_sum(c, TV_ACCOUNT_IDLE, cause[i], blame[i], TV_NONE, &t, &w);
		time += t;
		worker += w;
	}
	found->holds = time >= c->min_ns && time > 0;
	found->time_ns = time;
	found->worker_ns = worker;
	return found->holds;
}

/* ---- late start ---- */

struct late {
	uint32_t nodes;
	int64_t last, worker;		  /* ns */
	long double time;		  /* priced */
	double task, message, submission; /* parts of the delays */
};

/* Workers of a node, in number and in price. */
static uint32_t workers_of(const struct tv_case *c, uint32_t label, double *price)
{
	uint32_t n = 0;

	*price = 0;
	for (uint32_t w = 0; w < c->tasks->nworkers; w++) {
		const struct tv_worker *worker = &c->tasks->workers[w];

		if (c->tasks->node[worker->node].label != label)
			continue;
		n++;
		*price += c->account.type[worker->rtype].price;
	}
	return n;
}

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *of = tv_table_find(table, column);

	return of == NULL || tv_missing(of, row) ? 0 : of->i[row];
}

static void add_node(const struct tv_case *c, const struct tv_table *table, uint32_t row,
		     struct late *late)
{
	int64_t delay = cell(table, "Delay", row);
	double price;
	uint32_t n = workers_of(c, tv_label(tv_table_find(table, "Node"), row), &price);

	if (delay < c->min_ns || delay == 0)
		return;
	late->nodes++;
	late->last = delay > late->last ? delay : late->last;
	late->worker = tv_sum_ns((tv_int128)late->worker + (tv_int128)delay * n);
	late->time += (long double)price * (long double)delay;
	late->task += (double)cell(table, "TaskTime", row);
	late->message += (double)cell(table, "UnsentTime", row)
		       + (double)cell(table, "QueuedTime", row)
		       + (double)cell(table, "TransferTime", row);
	late->submission += (double)cell(table, "SubmissionTime", row);
}

/* From the begin of the run until a while after the last node starts. */
static char *start_window(const struct tv_case *c, int64_t last)
{
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];
	int64_t after = last / 4 + 1, left = c->tasks->finish - c->tasks->begin - last;

	tv_write_ms(from, c->tasks->begin);
	tv_write_ms(to, c->tasks->begin + last + (after < left ? after : left));
	return tv_format(" --begin %s --end %s", from, to);
}

static int find_late_start(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct late late = { 0 };
	const struct tv_table *table;
	char last[32], worker[32];

	if (c->tasks->nnodes < 2)
		return 0;
	table = tv_run_pass(c->run, "late-start", NULL, err);
	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (cell(table, "Step", row) == 0)
			add_node(c, table, row, &late);
	if (late.nodes == 0)
		return 0;
	found->holds = true;
	found->time_ns = (int64_t)late.time;
	found->worker_ns = late.worker;
	found->text = tv_format(
		"%u of %u nodes start late, the last one %s after the first; their workers do "
		"nothing for %s together. The largest part of this delay is %s.",
		late.nodes, c->tasks->nnodes, tv_words_time(last, late.last),
		tv_words_time(worker, late.worker),
		late.message >= late.task && late.message >= late.submission ? "spent on messages"
		: late.task >= late.submission ? "the time of tasks that had to run before"
					       : "the time until tasks were submitted");
	found->apart = late.message < late.task || late.message < late.submission;
	found->picture = start_window(c, late.last);
	found->command = tv_case_verb(c, "late-start", "--chain");
	return 0;
}

const struct tv_rule tv_rule_late_start = {
	.id = "late-start",
	.title = "nodes start late",
	.condition = "the first task of a node starts later than 1 % of the makespan",
	.measures = "time of the workers of these nodes before the first task of their node",
	.action = "Distribute the data so that each node has tasks that need no message, and "
		  "raise the priorities of the first tasks whose data are sent.",
	.how = "Let several nodes pass the same data on (StarPU: STARPU_MPI_COOP_SENDS; "
	       "STARPU_MPI_PRIORITIES must not be 0).",
	.see = "messages",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_MESSAGES,
	.find = find_late_start,
};

/* ---- causes ---- */

static int find_submission(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	static const char *const cause[] = { "not-submitted", "dependencies" }, *const blame[] = {
		NULL, "submission"
	};
	char worker[32];

	(void)err;
	if (!idle_for(c, found, cause, blame, TV_COUNT(cause)))
		return 0;
	found->text = tv_format(
		"Workers did nothing for %s together because tasks were not submitted "
		"yet.",
		tv_words_time(worker, found->worker_ns));
	found->command = tv_case_plot(c, "submission",
				      "--panels spacetime,submitted,ready,idle-causes", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_submission = {
	.id = "submission",
	.title = "submission is too slow",
	.condition = "idle time because tasks are not submitted costs 1 % of the makespan",
	.measures =
		"idle time of the cause not-submitted, and of dependencies blamed on submission",
	.action = "Submit tasks earlier: do not wait for tasks between submissions.",
	.how = "Give the thread that submits a core of its own (StarPU: "
	       "STARPU_MAIN_THREAD_BIND=1, and no low STARPU_LIMIT_MAX_SUBMITTED_TASKS), "
	       "create tasks in several threads (OpenMP: taskloop, nested tasks), or make "
	       "tasks larger.",
	.without = TV_WITHOUT_SUBMISSION,
	.find = find_submission,
};

static int find_elsewhere(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	static const char *const cause[] = { "elsewhere" }, *const blame[] = { NULL };
	char worker[32];

	(void)err;
	if (!idle_for(c, found, cause, blame, 1))
		return 0;
	found->text = tv_format("Workers did nothing for %s together while ready tasks that they "
				"could run waited for other workers.",
				tv_words_time(worker, found->worker_ns));
	found->command = tv_case_plot(c, "elsewhere", "--panels spacetime,ready,idle-causes", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_elsewhere = {
	.id = "elsewhere",
	.title = "tasks wait for other workers",
	.condition = "idle time while a task that the worker could run waits for another one costs "
		     "1 % of the makespan",
	.measures = "idle time of the cause elsewhere",
	.action = "Try another scheduler: this one keeps tasks for workers that are busy.",
	.how = "StarPU: STARPU_SCHED=dmdas, or lws where all workers are alike.",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_elsewhere,
};

static int find_transfers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	static const char *const cause[] = { "data" }, *const blame[] = { NULL };
	char worker[32];

	(void)err;
	if (!idle_for(c, found, cause, blame, 1))
		return 0;
	found->text = tv_format(
		"Workers did nothing for %s together while the data of their next task "
		"were transferred.",
		tv_words_time(worker, found->worker_ns));
	found->command = tv_case_verb(c, "idle-causes", "--by cause,link");
	return 0;
}

const struct tv_rule tv_rule_transfers = {
	.id = "transfers",
	.title = "workers wait for transfers",
	.condition = "idle time during transfers to a released task costs 1 % of the makespan",
	.measures = "idle time of the cause data",
	.action = "Use a scheduler that knows where data are and fetches them early.",
	.how = "StarPU: STARPU_SCHED=dmda or dmdas, STARPU_PREFETCH must not be 0, "
	       "STARPU_CUDA_PIPELINE=2 or more; after a change of the machine "
	       "STARPU_BUS_CALIBRATE=1. Or let tasks do more work per byte.",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_TRANSFERS,
	.find = find_transfers,
};

/* ---- the workers that limit ---- */

/* The type of workers with the highest price; TV_NONE if it is that of all. */
static uint32_t scarce_type(const struct tv_case *c)
{
	uint32_t best = 0;
	bool differ = false;

	for (uint32_t r = 1; r < c->account.ntypes; r++) {
		differ = differ || c->account.type[r].price != c->account.type[0].price;
		if (c->account.type[r].price > c->account.type[best].price)
			best = r;
	}
	return differ ? best : TV_NONE;
}

static int find_scarce_idle(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	static const char *const cause[] = { "dependencies", "unsuited", "unexplained" };
	uint32_t type = scarce_type(c);
	char worker[32], name[64];

	(void)err;
	if (type == TV_NONE)
		return 0;
	found->time_ns = found->worker_ns = 0;
	for (size_t i = 0; i < TV_COUNT(cause); i++) {
		int64_t t, w;

		tv_case_sum(c, TV_ACCOUNT_IDLE, cause[i], NULL, type, &t, &w);
		found->time_ns += t;
		found->worker_ns += w;
	}
	found->holds = found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	tv_clean_text(name, sizeof name, tv_pool_text(c->tasks->pool, c->account.type[type].rtype));
	found->text = tv_format("%s workers had no ready task for %s together. They limit the run: "
				"an idle second of "
				"one costs %.1f times the average.",
				name, tv_words_time(worker, found->worker_ns),
				c->account.type[type].price * c->tasks->nworkers);
	found->command = tv_case_plot(c, "scarce-idle",
				      "--panels spacetime,ready,starvation,idle-causes", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_scarce_idle = {
	.id = "scarce-idle",
	.title = "the workers that limit the run lack ready tasks",
	.condition =
		"the type of workers with the highest price is idle for lack of released tasks "
		"for 1 % of the makespan",
	.measures = "idle time of these workers of the causes dependencies, unsuited, unexplained",
	.action = "Run the tasks on which theirs depend earlier: give those higher priorities.",
	.how = "StarPU: STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas; "
	       "OpenMP: the clause priority, and OMP_MAX_TASK_PRIORITY above 0. Let other "
	       "workers run fewer of the tasks that these run best.",
	.symptom = true,
	.find = find_scarce_idle,
};

/* ---- the end ---- */

/* When half of the workers with tasks had ended their last one. */
static int64_t half_done(const struct tv_tasks *tasks)
{
	int64_t *last = tv_alloc(tasks->nworkers, sizeof *last), half;
	uint32_t n = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		last[w] = INT64_MIN;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->end[row] > last[tasks->worker[row]])
			last[tasks->worker[row]] = tasks->end[row];
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (last[w] != INT64_MIN)
			last[n++] = last[w];
	qsort(last, n, sizeof *last, tv_compare_int64);
	half = last[n / 2];
	tv_free(last);
	return half;
}

static int find_long_tail(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	static const char *const cause[] = { "drain", "dependencies" }, *const blame[] = {
		NULL, "no-next-task"
	};
	int64_t half;
	char worker[32], rest[32];

	(void)err;
	if (!idle_for(c, found, cause, blame, TV_COUNT(cause)))
		return 0;
	half = half_done(c->tasks);
	found->text = tv_format("Workers had run their last task and did nothing for %s together.",
				tv_words_time(worker, found->worker_ns));
	if (c->tasks->finish - half >= c->min_ns) {
		char *first = found->text;

		found->text = tv_format(
			"%s Half of those that ran any were done %s before the end.", first,
			tv_words_time(rest, c->tasks->finish - half));
		tv_free(first);
	}
	found->command = tv_case_plot(c, "long-tail", "--panels spacetime,ready,idle-causes", half,
				      c->tasks->finish);
	return 0;
}

const struct tv_rule tv_rule_long_tail = {
	.id = "long-tail",
	.title = "workers are done long before the end",
	.condition = "idle time of workers after their last task costs 1 % of the makespan",
	.measures = "idle time of the causes drain and dependencies blamed on no-next-task",
	.action = "Run the tasks on the critical path earlier, make the last tasks smaller, or "
		  "use fewer workers.",
	.how = "StarPU: STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas; "
	       "OpenMP: the clause priority, and OMP_MAX_TASK_PRIORITY above 0. Fewer "
	       "workers: STARPU_NCPU, OMP_NUM_THREADS.",
	.symptom = true,
	.find = find_long_tail,
};
