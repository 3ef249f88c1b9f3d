/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue_lengths.c -- how many tasks wait for each worker over time, and how long they are. */
#include <stdlib.h>

#include "analysis/decisions/decision_list.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker") \
	X(START, "Start", TV_TIME, false, "ms", "begin of the step") \
	X(END, "End", TV_TIME, false, "ms", "end") \
	X(TASKS, "Tasks", TV_INT, false, "", "tasks in its queue") \
	X(PIPELINE, "PipelineTasks", TV_INT, false, "", "tasks that it took and did not start") \
	X(EXPECTED, "ExpectedTime", TV_TIME, false, "ms", \
	  "sum of the estimates of both: work that waits for it")

TV_COLUMNS(columns, COLUMNS)

/* A task joins or leaves the queue or the pipeline of a worker. */
struct change {
	uint32_t worker;
	int64_t time;
	int tasks, pipeline;
	int64_t expected;
};

TV_ORDER(by_worker, struct change, worker, time)

static size_t collect(const struct tv_decisions *d, struct change *change)
{
	size_t n = 0;

	for (uint32_t i = 0; i < d->n; i++) {
		const struct tv_decision *at = &d->at[i];
		uint32_t label = tv_cell_label(d->of.chosen, at->row);
		uint32_t chosen = label == TV_NONE ? at->worker
						   : tv_index_get(&d->worker_of, label);
		int64_t length = tv_cell_int(d->of.length, at->row, 0);
		int64_t taken = at->popped != TV_NO_TIME ? at->popped : at->started;

		if (chosen == TV_NONE)
			continue;
		change[n++] = (struct change){ chosen, at->time, 1, 0, length };
		if (taken == TV_NO_TIME)
			continue;
		change[n++] = (struct change){ chosen, taken, -1, 0, -length };
		if (at->popped == TV_NO_TIME || at->started == TV_NO_TIME)
			continue;
		change[n++] = (struct change){ at->worker, at->popped, 0, 1, length };
		change[n++] = (struct change){ at->worker, at->started, 0, -1, -length };
	}
	qsort(change, n, sizeof *change, by_worker);
	return n;
}

static void write_step(const struct tv_run *run, struct tv_table *out, uint32_t worker,
		       int64_t start, int64_t end, const struct change *now)
{
	uint32_t row;

	if (run->window.set) {
		start = start > run->window.begin ? start : run->window.begin;
		end = end < run->window.end ? end : run->window.end;
	}
	if (start >= end)
		return;
	row = tv_table_add_row(out);
	tv_set_label(out->col[RESOURCE], row, worker);
	tv_set_int(out->col[START], row, start);
	tv_set_int(out->col[END], row, end);
	tv_set_int(out->col[TASKS], row, now->tasks);
	tv_set_int(out->col[PIPELINE], row, now->pipeline);
	tv_set_int(out->col[EXPECTED], row, now->expected);
}

static bool is_selected(const struct tv_run *run, uint32_t worker)
{
	return run->chosen == NULL || worker >= run->tasks.nworkers || tv_run_has(run, worker);
}

static int run_queue_lengths(struct tv_run *run, const struct tv_options *options,
			     struct tv_table *out, struct tv_error *err)
{
	const struct tv_decisions *d = tv_run_decisions(run, "queue-lengths", err);
	struct change *change, now = { 0 };
	int64_t last = INT64_MIN;
	size_t n;

	(void)options;
	if (d == NULL)
		return -1;
	for (uint32_t i = 0; i < d->n; i++) {
		int64_t end = d->at[i].ended != TV_NO_TIME ? d->at[i].ended : d->at[i].time;

		last = end > last ? end : last;
	}
	change = tv_alloc(4 * (size_t)d->n, sizeof *change);
	n = collect(d, change);
	for (size_t i = 0; i < n; i++) {
		bool ends = i + 1 == n || change[i + 1].worker != change[i].worker;

		now.tasks += change[i].tasks;
		now.pipeline += change[i].pipeline;
		now.expected += change[i].expected;
		if (is_selected(run, change[i].worker))
			write_step(run, out, d->worker[change[i].worker], change[i].time,
				   ends ? last : change[i + 1].time, &now);
		if (ends)
			now = (struct change){ 0 };
	}
	tv_free(change);
	return 0;
}

const struct tv_pass tv_pass_queue_lengths = {
	.name = "queue-lengths",
	.summary = "How many tasks wait for each worker over time, and how long they are",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.sums = true,
	.needs = "decisions events",
	.refuses_tasks = true,
	TV_PASS_COLUMNS(columns),
	.notes = "By worker, from its first decision to the end of the last task. Each step lasts\n"
		 "until a task joins or leaves the queue or the pipeline of that worker; see "
		 "queues.\n"
		 "ExpectedTime does not contain the rest of the task that runs.",
	.example = "traceviz queue-lengths data/cholesky-decisions",
	.run = run_queue_lengths,
};
