/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queues.c -- where each task waited and ran: in a worker's queue, in its pipeline, on it. */
#include "analysis/decisions/decision_list.h"

#define COLUMNS(X) \
	X(JOB, "JobId", TV_LABEL, false, "", "job") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker that it was with") \
	X(LEVEL, "State", TV_LABEL, false, "", \
	  "queue = pushed, not taken; pipeline = taken, not started; running") \
	X(START, "Start", TV_TIME, false, "ms", "begin") \
	X(END, "End", TV_TIME, false, "ms", "end; missing = the trace does not show it") \
	X(PRIORITY, "Priority", TV_INT, false, "", "of the task; larger is more urgent") \
	X(LENGTH, "Length", TV_TIME, false, "ms", "the scheduler's estimate of its execution")

TV_COLUMNS(columns, COLUMNS)

static void write_row(const struct tv_decisions *d, const struct tv_decision *at, uint32_t value,
		      const char *level, uint32_t worker, int64_t start, int64_t end,
		      struct tv_table *out)
{
	int64_t length = tv_cell_int(d->of.length, at->row, TV_NO_TIME);
	uint32_t row = tv_table_add_row(out);

	tv_set_label(out->col[JOB], row, at->job);
	tv_set_label(out->col[VALUE], row, value);
	tv_set_label(out->col[RESOURCE], row, worker);
	tv_set_text(out->col[LEVEL], row, level);
	tv_set_int(out->col[START], row, start);
	if (end != TV_NO_TIME)
		tv_set_int(out->col[END], row, end > start ? end : start);
	tv_set_int(out->col[PRIORITY], row, at->priority);
	if (length != TV_NO_TIME)
		tv_set_int(out->col[LENGTH], row, length);
}

static int run_queues(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct tv_decisions *d = tv_run_decisions(run, "queues", err);

	(void)options;
	if (d == NULL)
		return -1;
	for (uint32_t i = 0; i < d->n; i++) {
		const struct tv_decision *at = &d->at[i];
		uint32_t chosen = tv_cell_label(d->of.chosen, at->row);
		uint32_t worker = tv_decision_worker(d, at->worker);
		uint32_t value = tv_decision_value(d, &run->tasks, at);
		int64_t taken = at->popped != TV_NO_TIME ? at->popped : at->started;

		if (!tv_decision_seen(run, at))
			continue;
		write_row(d, at, value, "queue", chosen, at->time, taken, out);
		if (at->popped != TV_NO_TIME)
			write_row(d, at, value, "pipeline", worker, at->popped, at->started, out);
		if (at->started != TV_NO_TIME)
			write_row(d, at, value, "running", worker, at->started, at->ended, out);
	}
	return 0;
}

const struct tv_pass tv_pass_queues = {
	.name = "queues",
	.summary = "Where each task waited and ran: in a worker's queue, its pipeline, on it",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.needs = "decisions events",
	.refuses_tasks = true,
	TV_PASS_COLUMNS(columns),
	.notes = "In the order of decisions. A task is in the queue of the worker chosen from its\n"
		 "decision (the push) to its pop, then in the pipeline of the worker that took it "
		 "to\n"
		 "its start. Without pops the queue lasts until the start. queue-lengths has the\n"
		 "number of tasks over time.",
	.example = "traceviz queues data/cholesky-decisions",
	.run = run_queues,
};
