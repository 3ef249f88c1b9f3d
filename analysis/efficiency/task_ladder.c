/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task_ladder.c -- the ladder of a run whose useful time is that of its tasks. */
#include <math.h>
#include <string.h>

#include "analysis/core/warnings.h"
#include "analysis/efficiency/ladder.h"
#include "analysis/calls/calls.h"
#include "analysis/calls/thread_time.h"
#include "trace/alloc.h"

struct task_ladder {
	struct tv_ladder *ladder;
	struct tv_run *run;
	const struct tv_dag *dag;
	struct tv_worth worth;
};

static bool has_messages(const struct tv_dag *dag)
{
	for (uint32_t v = 0; v < dag->n; v++)
		if (tv_dag_is_message(dag, v))
			return true;
	return false;
}

/* ---- from the busiest worker down ---- */

/* Work at its price, each of several tasks at once in full. */
static long double price_work(const struct task_ladder *work, tv_int128 *time)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	long double sum = 0;

	*time = 0;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			uint32_t r = tasks->workers[tasks->worker[row]].rtype;

			*time += tv_row_device_time(tasks, row);
			sum += (long double)work->worth.price[r]
			     * (long double)tv_row_device_time(tasks, row);
		}
	return sum;
}

/* Whether some type of a node has several workers. */
static bool has_equal_workers(const struct tv_tasks *tasks)
{
	/* In the order of rows: by node, then type. */
	for (uint32_t w = 1; w < tasks->nworkers; w++)
		if (tasks->workers[w - 1].node == tasks->workers[w].node
		    && tasks->workers[w - 1].rtype == tasks->workers[w].rtype)
			return true;
	return false;
}

static int set_lower(struct task_ladder *work, struct tv_error *err)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	const struct tv_table *idleness = tv_run_pass(work->run, "idleness", NULL, err);
	struct tv_ladder *ladder = work->ladder;
	const int64_t *busy;
	tv_int128 all = 0, each;

	if (idleness == NULL)
		return -1;
	busy = tv_table_find(idleness, "Busy")->i;
	tv_ladder_set_busy(ladder, &(struct tv_busy){ tasks, work->worth.price, busy, NULL });
	ladder->time[TV_LADDER_RUNG_OVERLAP] = price_work(work, &each);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		all += busy[w];
	ladder->certain[TV_LADDER_RUNG_OVERLAP] = each == all;
	if (each == all)
		ladder->time[TV_LADDER_RUNG_OVERLAP] = ladder->time[TV_LADDER_RUNG_NODES];
	ladder->time[TV_LADDER_RUNG_PLACEMENT] = work->worth.bound;
	ladder->certain[TV_LADDER_RUNG_NODES] = tasks->nnodes == 1;
	ladder->certain[TV_LADDER_RUNG_TYPES] = tasks->nrtypes == 1;
	ladder->certain[TV_LADDER_RUNG_WORKERS] = !has_equal_workers(tasks);
	ladder->certain[TV_LADDER_RUNG_PLACEMENT] = tasks->nrtypes == 1;
	return 0;
}

/* ---- replays ---- */

static void set_missing(struct task_ladder *work, enum tv_ladder_rung first,
			enum tv_ladder_rung last, const char *why)
{
	for (enum tv_ladder_rung rung = first; rung <= last; rung++)
		work->ladder->missing[rung] = why;
}

int64_t tv_ladder_replay(const struct tv_rerun *replay, enum tv_ladder_rung rung, int64_t *ends)
{
	const struct tv_rerun_rules rules = { .workers = true,
					      .submitted = rung < TV_LADDER_RUNG_SUBMISSION,
					      .messages = rung < TV_LADDER_RUNG_TRANSFER };

	return tv_rerun_run(replay, &rules, ends);
}

static void set_replays(struct task_ladder *work, const struct tv_rerun *replay)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	struct tv_ladder *ladder = work->ladder;
	bool messages = has_messages(work->dag);

	ladder->certain[TV_LADDER_RUNG_TRANSFER] = tasks->nnodes == 1 && !messages;
	ladder->certain[TV_LADDER_RUNG_SUBMISSION] = tasks->submit == NULL;
	if (tasks->submit == NULL)
		ladder->note[TV_LADDER_RUNG_SUBMISSION] = tv_strdup("the trace has no SubmitTime");
	if (tasks->nnodes > 1 && !messages)
		ladder->missing[TV_LADDER_RUNG_RUNTIME] =
			"several nodes, but no messages among the tasks";
	if (replay->obstacle != NULL) {
		set_missing(work, TV_LADDER_RUNG_RUNTIME, TV_LADDER_RUNG_SUBMISSION,
			    replay->obstacle);
		return;
	}
	for (enum tv_ladder_rung rung = TV_LADDER_RUNG_RUNTIME; rung <= TV_LADDER_RUNG_SUBMISSION;
	     rung++)
		if (ladder->missing[rung] == NULL)
			ladder->time[rung] = (long double)tv_ladder_replay(replay, rung, NULL);
}

/* The longest path with the fastest placement of each task, ns; -1 with *err. */
static int64_t find_cpe(struct task_ladder *work, struct tv_error *err)
{
	const struct tv_table *bounds = tv_run_pass_with(work->run, "bounds", err, "tight", "",
							 NULL);
	int64_t cpe = 0;

	if (bounds == NULL)
		return -1;
	for (uint32_t row = 0; row < bounds->nrows; row++)
		if (strcmp(tv_table_text(bounds, "Bound", row), "cpe") == 0
		    && tv_label(tv_table_find(bounds, "Node"), row) == TV_NONE)
			cpe = tv_table_find(bounds, "Time")->i[row];
	return cpe;
}

/* The longest path, and whether its length comes from where its tasks ran. */
static int set_graph(struct task_ladder *work, const struct tv_rerun *replay, struct tv_error *err)
{
	struct tv_ladder *ladder = work->ladder;
	int64_t path = tv_rerun_run(replay, &(struct tv_rerun_rules){ 0 }, NULL), cpe;
	long double busiest = ladder->time[TV_LADDER_RUNG_GRAPH];

	ladder->time[TV_LADDER_RUNG_ORDER] = fmaxl(busiest, (long double)path);
	if ((long double)path <= busiest)
		return 0;
	cpe = find_cpe(work, err);
	if (cpe < 0)
		return -1;
	if (path / 2 > cpe)
		ladder->note[TV_LADDER_RUNG_GRAPH] = tv_format(
			"the longest path takes %.6f ms where its tasks ran, %.6f ms with the "
			"fastest "
			"placement: what is lost is lost by placement",
			(double)path / 1e6, (double)cpe / 1e6);
	return 0;
}

static int set_upper(struct task_ladder *work, struct tv_error *err)
{
	struct tv_rerun replay;
	int rc;

	if (work->run->tasks.depends == NULL) {
		set_missing(work, TV_LADDER_RUNG_RUNTIME, TV_LADDER_RUNG_ORDER,
			    "the trace has no dependencies (column DependsOn)");
		return 0;
	}
	work->dag = tv_run_dag(work->run, err);
	if (work->dag == NULL)
		return -1;
	tv_rerun_init(&replay, work->dag);
	set_replays(work, &replay);
	rc = set_graph(work, &replay, err);
	tv_rerun_release(&replay);
	return rc;
}

int tv_ladder_tasks(struct tv_ladder *ladder, struct tv_run *run, struct tv_error *err)
{
	struct task_ladder work = { .ladder = ladder, .run = run };
	int rc;

	tv_ladder_init(ladder, "tasks");
	ladder->time[TV_LADDER_RUNG_RECORDED] = (long double)(run->tasks.finish - run->tasks.begin);
	rc = tv_worth_init(&work.worth, run, "mean", NULL, err);
	if (rc == 0)
		rc = set_lower(&work, err);
	if (rc == 0)
		rc = set_upper(&work, err);
	tv_worth_release(&work.worth);
	return rc;
}

int tv_ladder_of_run(struct tv_ladder *ladder, struct tv_run *run, struct tv_error *err)
{
	if (run->tasks.ncounted == 0 && (tv_run_calls(run)->n > 0 || tv_run_threads(run)->n > 0))
		return tv_ladder_threads(ladder, run, err);
	tv_ladder_init(ladder, "tasks");
	if (tv_run_need_tasks(run, "efficiency", err) < 0)
		return -1;
	return tv_ladder_tasks(ladder, run, err);
}
