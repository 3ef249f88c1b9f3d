/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifecycle.c -- when each task was released, pushed, popped and had its data. */
#include <stdlib.h>

#include "analysis/core/columns.h"
#include "analysis/core/options.h"
#include "analysis/core/run.h"
#include "dag/fetch.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/stamps.h"

#define COLUMNS(X) \
	X(RELEASED, "Released", TV_TIME, false, "ms", \
	  "when it could be scheduled, as in deps; missing = from the start") \
	X(PUSHED, "Pushed", TV_TIME, false, "ms", "when the scheduler got it; missing = unknown") \
	X(POPPED, "Popped", TV_TIME, false, "ms", \
	  "when a worker took it from the scheduler; missing = unknown") \
	X(DATA_READY, "DataReady", TV_TIME, false, "ms", \
	  "when its last data arrived; missing = none after its release, or " \
	  "unknown")

TV_COLUMNS(columns, COLUMNS)

struct stages {
	const struct tv_tasks *tasks;
	struct tv_waits waits;
	struct tv_fetches fetches;
	struct tv_stamps pushed, popped;
	struct tv_column *const *to;
	const struct tv_column *own[DATA_READY + 1]; /* of the tasks; NULL = none */
};

/* The time of a row: what the trace shows, or where it shows nothing the column of that name that the tasks
 * have, as from a pipe, which has no events, links and states. */
static int write_time(struct stages *stages, int c, uint32_t row, const int64_t *shown,
		      struct tv_error *err)
{
	const struct tv_column *own = stages->own[c];
	char text[80];
	int64_t value;

	if (shown == NULL && (own == NULL || tv_missing(own, row)))
		return 0;
	if (shown == NULL && !tv_cell_scaled(own, row, 6, &value)) {
		tv_cell_text(own, row, text, sizeof text);
		return tv_fail(err, "column %s is '%s', expected a time", own->name, text);
	}
	tv_set_int(stages->to[c], row, shown != NULL ? *shown : value);
	return 0;
}

static const int64_t *stamp_of(const struct tv_tasks *tasks, const struct tv_stamps *stamps,
			       uint32_t row)
{
	int64_t until = tasks->pending[row] ? INT64_MAX : tasks->start[row];
	const struct tv_stamp *stamp;

	if (tasks->job == NULL || tasks->job[row] == TV_NONE)
		return NULL;
	stamp = tv_stamps_last(stamps, tasks->job[row], until);
	return stamp != NULL ? &stamp->time : NULL;
}

static int write_rows(struct stages *stages, struct tv_error *err)
{
	const struct tv_tasks *tasks = stages->tasks;
	bool known = tv_waits_known(&stages->waits);
	size_t next = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t ready = INT64_MIN;

		for (; next < stages->fetches.n && stages->fetches.at[next].row == row; next++)
			if (stages->fetches.at[next].end > ready)
				ready = stages->fetches.at[next].end;
		if (!tasks->counted[row] && !tasks->pending[row])
			continue;
		if (known && stages->waits.released[row] != INT64_MIN
		    && stages->waits.released[row] != INT64_MAX)
			tv_set_int(stages->to[RELEASED], row, stages->waits.released[row]);
		if (write_time(stages, PUSHED, row, stamp_of(tasks, &stages->pushed, row), err) < 0
		    || write_time(stages, POPPED, row, stamp_of(tasks, &stages->popped, row), err)
			       < 0
		    || write_time(stages, DATA_READY, row, ready != INT64_MIN ? &ready : NULL, err)
			       < 0)
			return -1;
	}
	return 0;
}

/* Events of FxT, else of our recordings. */
static struct tv_stamps find_stamps(const struct tv_trace *trace, const char *fxt, const char *own)
{
	struct tv_stamps stamps = tv_stamps_of(trace, TV_EVENTS, "Value", "Time", fxt);

	if (stamps.n > 0)
		return stamps;
	tv_free(stamps.at);
	return tv_stamps_of(trace, TV_EVENTS, "JobId", "Time", own);
}

static int run_lifecycle(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	struct stages stages = { .tasks = &run->tasks, .to = out->col };
	const struct tv_dag *dag = tv_run_dag(run, err);
	int rc;

	(void)options;
	if (dag == NULL)
		return -1;
	tv_waits_init_released(&stages.waits, dag);
	tv_fetches_init(&stages.fetches, &stages.waits);
	stages.pushed = find_stamps(run->trace, "Task Push", "push");
	stages.popped = find_stamps(run->trace, "Task Pop", "pop");
	/* Where the scheduler decides when it gets a task, that is recorded instead. */
	if (stages.pushed.n == 0 && stages.popped.n > 0) {
		tv_free(stages.pushed.at);
		stages.pushed = tv_stamps_of(run->trace, TV_DECISIONS, "JobId", "Time", NULL);
	}
	if (!tv_waits_known(&stages.waits))
		tv_run_warn(run, "the trace has no dependencies (column DependsOn): "
				 "when tasks were released is not known");
	out->nrows = run->tasks.n;
	for (int c = PUSHED; c <= DATA_READY; c++)
		stages.own[c] = tv_table_find(&run->trace->table[TV_TASKS], columns[c].name);
	rc = write_rows(&stages, err);
	tv_waits_release(&stages.waits);
	tv_fetches_release(&stages.fetches);
	tv_free(stages.pushed.at);
	tv_free(stages.popped.at);
	return rc;
}

const struct tv_pass tv_pass_lifecycle = {
	.name = "lifecycle",
	.summary = "When each task was released, pushed, popped and had its data",
	.kind = TV_ANNOTATE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Duration",
	.needs = "events states links resources decisions",
	TV_PASS_COLUMNS(columns),
	.notes = "Times between SubmitTime and Start of each counted task, as far as the trace\n"
		 "contains them, also of tasks that never started (Kind pending; Released is\n"
		 "missing if they were not released).\n"
		 "Released follows from DependsOn, through tasks that never ran and messages; if\n"
		 "a task is executed several times, also from its previous "
		 "execution.\n" TV_EXCLUSION_NOTES
		 "Pushed and Popped are the last events Task Push (or push, else a decision) and\n"
		 "Task Pop (or pop) of its JobId not after its Start. DataReady is the end of the "
		 "last transfer of one of its\n"
		 "Handles to its worker's memory node, or of state FetchingInput, before its\n"
		 "Start. It may be before Popped: data are prefetched. lifecycle-summary has\n"
		 "the quantiles. Where the trace does not contain Pushed, Popped or DataReady, as "
		 "in\n"
		 "a pipe, the columns of these names are used.",
	.example = "traceviz lifecycle data/cholesky-paje",
	.windowless = true,
	.run = run_lifecycle,
};
