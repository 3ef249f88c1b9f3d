/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warnings.c -- what the results of several passes do not cover. */
#include "analysis/core/warnings.h"

#include <stdio.h>
#include <string.h>

#include "analysis/core/lock_waits.h"
#include "analysis/core/processors.h"
#include "dag/dag.h"
#include "trace/number.h"
#include "trace/text.h"
#include "trace/units.h"

/* Workers that share processors. */
static void warn_shared(struct tv_run *run)
{
	uint32_t workers = run->tasks.nworkers, processors = tv_processors(&run->tasks);

	if (processors > 0 && processors < workers)
		tv_run_warn(run,
			    "%lu workers share %lu processor%s: durations may contain "
			    "time without a processor",
			    (unsigned long)workers, (unsigned long)processors,
			    tv_plural(processors));
}

void tv_warn_workers(struct tv_run *run)
{
	if (!run->tasks.workers_known)
		tv_run_warn(run,
			    "the trace does not declare its workers: only the %lu that ran tasks "
			    "are counted (see --resources)",
			    (unsigned long)run->tasks.nworkers);
	warn_shared(run);
}

void tv_warn_cut(struct tv_run *run)
{
	uint32_t n = run->tasks.ncut;

	if (n > 0)
		tv_run_warn(run,
			    "%lu task%s had not ended when the trace did (Flag open): no mean, "
			    "threshold, bound, fit or simulation uses %s",
			    (unsigned long)n, tv_plural(n),
			    n == 1 ? "its duration" : "their durations");
}

bool tv_warn_lock_waits(struct tv_run *run)
{
	const struct tv_tasks *tasks = &run->tasks;
	int64_t waits = tv_run_lock_waits(run, NULL).inside;
	tv_int128 all = 0;
	char time[40];

	for (uint32_t row = 0; row < tasks->n; row++)
		all += tasks->executed[row] ? tasks->end[row] - tasks->start[row] : 0;
	if (waits == 0 || (tv_int128)waits * 100 < all)
		return false;
	tv_time_text(time, sizeof time, waits, NULL);
	tv_run_warn(run,
		    "tasks wait for locks for %s, %.0f %% of their time: all rows keep these waits "
		    "as they were, also with more workers or in another order, where they may be "
		    "longer or shorter",
		    time, 100 * (double)waits / (double)all);
	return true;
}

void tv_warn_kept(struct tv_run *run, uint32_t n)
{
	if (n > 0)
		tv_run_warn(run,
			    "--durations-from has no duration of %lu pair%s of task type and "
			    "resource type that ran: %s of the run",
			    (unsigned long)n, tv_plural(n),
			    n == 1 ? "it has that" : "they have those");
}

void tv_warn_graph(struct tv_run *run, const struct tv_dag *dag)
{
	if (!tv_tasks_know_dependencies(&run->tasks))
		tv_run_warn(run, "the tasks have no dependencies (DependsOn, JobId)");
	else if (dag->dangling != 0 && !run->trace->lost_said)
		tv_run_warn(run, "%llu dependencies on jobs that occur nowhere are ignored",
			    (unsigned long long)dag->dangling);
}

void tv_count_left_out(struct tv_left_out *left_out, const struct tv_tasks *tasks)
{
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_left_out *others = &left_out[TV_LEFT_OUT_NAMED], *to = others;

		if (!tasks->executed[row] || tasks->counted[row])
			continue;
		for (size_t i = 0; i < TV_LEFT_OUT_NAMED && to == others; i++)
			if (left_out[i].n == 0 || left_out[i].label == tasks->value[row])
				to = &left_out[i];
		to->label = tasks->value[row];
		to->n += tv_row_begins(tasks, row);
		to->time += tv_row_time(tasks, row);
	}
}

void tv_warn_left_out(struct tv_run *run)
{
	struct tv_left_out left_out[TV_LEFT_OUT_NAMED + 1];
	char line[400] = "", time[TV_NUMBER_MAX];
	size_t at = 0;

	memcpy(left_out, run->left_out, sizeof left_out);
	tv_count_left_out(left_out, &run->tasks);
	for (size_t i = 0; i <= TV_LEFT_OUT_NAMED && left_out[i].n > 0 && at < sizeof line; i++) {
		const char *name = i == TV_LEFT_OUT_NAMED
					 ? "other types"
					 : tv_pool_text(run->tasks.pool, left_out[i].label);

		tv_write_ms(time, tv_sum_ns(left_out[i].time));
		at += (size_t)snprintf(line + at, sizeof line - at, "%s%llu %.30s (%s ms)",
				       i == 0 ? "" : ", ", (unsigned long long)left_out[i].n, name,
				       time);
	}
	if (line[0] != '\0')
		tv_run_warn(run, "left out: %s (see --kind)", line);
}
