/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mispredictions.c -- what the scheduler expected of each task against what happened, and why. */
#include "analysis/decisions/decision_list.h"
#include "analysis/core/columns.h"
#include "trace/alloc.h"

#define COLUMNS(X) \
	X(DECIDED, "Decided", TV_TIME, false, "ms", "when its worker was chosen: its push") \
	X(POPPED, "Popped", TV_TIME, false, "ms", "when the worker took it; missing = unknown") \
	X(EXPECTED_START, "ExpectedStart", TV_TIME, false, "ms", "as the scheduler estimated") \
	X(EXPECTED_END, "ExpectedEnd", TV_TIME, false, "ms", "as the scheduler estimated") \
	X(START_ERROR, "StartError", TV_TIME, false, "ms", "start - ExpectedStart") \
	X(DURATION_ERROR, "DurationError", TV_TIME, false, "ms", \
	  "duration - Length of the decision") \
	X(END_ERROR, "EndError", TV_TIME, false, "ms", "end - ExpectedEnd") \
	X(AHEAD, "Ahead", TV_TIME, false, "ms", \
	  "between decision and start: its worker ran tasks decided earlier") \
	X(OVERTAKEN, "Overtaken", TV_TIME, false, "ms", "it ran tasks decided later") \
	X(IDLE_QUEUED, "IdleQueued", TV_TIME, false, "ms", \
	  "it ran nothing, before it took the task") \
	X(IDLE_TAKEN, "IdleTaken", TV_TIME, false, "ms", \
	  "it ran nothing, after it took the task: its data arrive") \
	X(MARGIN, "Margin", TV_TIME, false, "ms", \
	  "fitness of the second best worker minus that of the chosen one")

TV_COLUMNS(columns, COLUMNS)

static void set_difference(struct tv_column *to, uint32_t row, int64_t is, int64_t expected)
{
	if (is != TV_NO_TIME && expected != TV_NO_TIME)
		tv_set_int(to, row, is - expected);
}

static void write_row(const struct tv_decisions *d, const struct tv_decision *at,
		      const struct tv_tiling *tiling, const struct tv_tasks *tasks,
		      struct tv_column *const *to)
{
	int64_t start = tv_cell_int(d->of.expected_start, at->row, TV_NO_TIME);
	int64_t end = tv_cell_int(d->of.expected_end, at->row, TV_NO_TIME);
	int64_t took = tv_decision_duration(tasks, at);
	uint32_t row = at->task;

	tv_set_known(to[DECIDED], row, at->time);
	tv_set_known(to[POPPED], row, at->popped);
	tv_set_known(to[EXPECTED_START], row, start);
	tv_set_known(to[EXPECTED_END], row, end);
	tv_set_known(to[MARGIN], row, tv_cell_int(d->of.margin, at->row, TV_NO_TIME));
	set_difference(to[START_ERROR], row, at->started, start);
	if (took != TV_NO_TIME)
		set_difference(to[END_ERROR], row, at->ended, end);
	set_difference(to[DURATION_ERROR], row, took,
		       tv_cell_int(d->of.length, at->row, TV_NO_TIME));
	if (at->started == TV_NO_TIME || at->worker == TV_NONE || at->started < at->time)
		return;
	tv_set_int(to[AHEAD], row, tiling->ahead);
	tv_set_int(to[OVERTAKEN], row, tiling->overtaken);
	tv_set_int(to[IDLE_QUEUED], row, tiling->idle_queued);
	tv_set_int(to[IDLE_TAKEN], row, tiling->idle_taken);
}

static int run_mispredictions(struct tv_run *run, const struct tv_options *options,
			      struct tv_table *out, struct tv_error *err)
{
	const struct tv_decisions *d = tv_run_decisions(run, "mispredictions", err);
	struct tv_tiling *tiling;

	(void)options;
	if (d == NULL)
		return -1;
	out->nrows = run->tasks.n;
	tiling = tv_alloc(d->n, sizeof *tiling);
	tv_decisions_tile(d, tiling);
	for (uint32_t i = 0; i < d->n; i++)
		if (d->at[i].task != TV_NONE)
			write_row(d, &d->at[i], &tiling[i], &run->tasks, out->col);
	tv_free(tiling);
	return 0;
}

const struct tv_pass tv_pass_mispredictions = {
	.name = "mispredictions",
	.summary = "What the scheduler expected of each task against what happened, and why",
	.kind = TV_ANNOTATE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "StartError",
	.needs = "decisions events resources",
	.refuses_tasks = true,
	TV_PASS_COLUMNS(columns),
	.notes =
		"Start, end and pop are those that the scheduler's events give, else those of the\n"
		"task. Ahead + Overtaken + IdleQueued + IdleTaken is the time between decision "
		"and\n"
		"start exactly, on the worker that ran the task. A task without a decision counts\n"
		"as decided when it started. So StartError has a cause: with exact durations it "
		"is\n"
		"positive where tasks overtake, negative where the task itself overtakes.",
	.example = "traceviz mispredictions data/cholesky-decisions --top 5",
	.windowless = true,
	.run = run_mispredictions,
};
