/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheduling.c -- findings about the size of tasks and what the scheduler did with them. */
#include <math.h>
#include <string.h>

#include "analysis/diagnose/findings.h"

/* ---- tasks too large ---- */

/* The longest execution, ns. */
static int64_t longest(const struct tv_tasks *tasks)
{
	int64_t most = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_time(tasks, row) > most)
			most = tv_row_time(tasks, row);
	return most;
}

static int find_coarse_tasks(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t time, worker, unexplained, unused;
	double mean;
	char mean_text[32], worker_text[TV_WORDS_OF_ALL];

	(void)err;
	mean = tv_case_mean(c);
	tv_case_sum(c, TV_ACCOUNT_IDLE, "drain", NULL, TV_NONE, &time, &worker);
	tv_case_sum(c, TV_ACCOUNT_IDLE, "unexplained", NULL, TV_NONE, &unexplained, &unused);
	if (time < c->min_ns || time == 0 || time < unexplained || c->tasks->nexecutions < 2
	    || mean < 0.05 * (double)c->account.makespan
	    || worker / (int64_t)c->tasks->nworkers > longest(c->tasks))
		return 0;
	found->holds = true;
	found->time_ns = time;
	found->worker_ns = worker;
	found->text = tv_format(
		"A task takes %s on average, %.0f %% of the run, and workers wait %s for "
		"the last ones: %u tasks are too few for %u workers.",
		tv_words_time(mean_text, llround(mean)), 100 * mean / (double)c->account.makespan,
		tv_words_of_all(worker_text, c, worker), c->tasks->ntasks, c->tasks->nworkers);
	if (!tv_case_ends_evenly(c))
		found->see = "long-tail";
	found->command = tv_case_plot(c, "coarse-tasks", "--panels spacetime,idle-causes", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_coarse_tasks = {
	.id = "coarse-tasks",
	.title = "tasks are too large",
	.condition =
		"a task takes 5 % of the makespan on average, and idle time when every task "
		"has started costs 1 % of it, no more per worker than the longest task takes, and "
		"no less than idle time of which the trace does not show the cause",
	.measures = "idle time of the cause drain",
	.action = "Use smaller tasks, so that the work can be divided evenly.",
	.in.starpu = "smaller tiles",
	.in.openmp = "num_tasks or grainsize of taskloop",
	.schedule = true,
	.find = find_coarse_tasks,
};

/* ---- decisions ---- */

/* What tasks that waited owe to a part of the pass late. */
struct delays {
	int64_t time, most; /* ns */
	uint32_t n, row;    /* tasks; that with the largest */
};

static struct delays sum_delays(const struct tv_table *late, const char *part, int64_t min_ns)
{
	const struct tv_column *of = tv_table_find(late, part);
	struct delays sum = { 0 };

	for (uint32_t row = 0; row < late->nrows; row++) {
		if (tv_missing(of, row) || of->i[row] < min_ns || of->i[row] <= 0)
			continue;
		sum.n++;
		sum.time += of->i[row];
		if (of->i[row] > sum.most) {
			sum.most = of->i[row];
			sum.row = row;
		}
	}
	return sum;
}

/* The finding that tasks with decisions waited for a part of `late`; what follows the number of tasks. */
static int find_delays(struct tv_case *c, struct tv_found *found, const char *part,
		       const char *what, const char *arguments, struct tv_error *err)
{
	const struct tv_table *late;
	struct delays sum;
	char min[32], time[32], most[32];

	if (c->run->trace->table[TV_DECISIONS].nrows == 0)
		return 0;
	late = tv_run_pass(c->run, "late", NULL, err);
	if (late == NULL)
		return -1;
	sum = sum_delays(late, part, c->min_ns);
	if (sum.n == 0)
		return 0;
	found->holds = true;
	found->measure_ns = sum.most;
	found->worker_ns = sum.time;
	found->text = tv_format("%u %s waited 1 %% of the run (%s) or longer %s, %s in sum, up to "
				"%s (%s, job %s).",
				sum.n, sum.n == 1 ? "task" : "tasks", tv_words_time(min, c->min_ns),
				what, tv_words_time(time, sum.time), tv_words_time(most, sum.most),
				tv_table_text(late, "Value", sum.row),
				tv_table_text(late, "JobId", sum.row));
	found->command = tv_case_verb(c, "late", arguments);
	return 0;
}

static int find_pipeline(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	return find_delays(c, found, "Pipeline",
			   "behind tasks of no higher priority that their worker had taken already",
			   "--where 'Pipeline > 0' --top 20", err);
}

const struct tv_rule tv_rule_pipeline = {
	.id = "pipeline",
	.title = "workers take tasks too early",
	.condition = "a released task waits 1 % of the makespan behind tasks of lower or equal "
		     "priority that its worker has popped",
	.measures = "Measure: the longest such wait; WorkerTime: the sum of all of 1 % or more",
	.action = "Let workers take fewer tasks ahead, or prefetch data without taking the task.",
	.in.starpu = "STARPU_CUDA_PIPELINE",
	.picture = "--panels spacetime,queues",
	.find = find_pipeline,
};

static int find_overtaken(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	return find_delays(c, found, "Overtaken",
			   "while their worker ran tasks that were decided later",
			   "--where 'Overtaken > 0' --top 20", err);
}

const struct tv_rule tv_rule_overtaken = {
	.id = "overtaken",
	.title = "tasks are overtaken in the queue of their worker",
	.condition = "a released task waits 1 % of the makespan while its worker runs tasks that "
		     "were decided later",
	.measures = "Measure: the longest such wait; WorkerTime: the sum of all of 1 % or more",
	.action = "If the overtaken task is more urgent, give it a higher priority than those "
		  "that ran before it.",
	.picture = "--panels spacetime,queues",
	.find = find_overtaken,
};
