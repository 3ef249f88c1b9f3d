/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c -- consecutive phases of a run, one row each. */
#include "analysis/tasks/phase_list.h"

#include "analysis/core/run.h"

#define COLUMNS(X) \
	X(PHASE, "Phase", TV_INT, false, "", "number of the phase, from 1, for --phase") \
	X(SUBMIT, "Submit", TV_TIME, false, "ms", "first submission; missing without SubmitTime") \
	X(START, "Start", TV_TIME, false, "ms", "first Start of its tasks") \
	X(END, "End", TV_TIME, false, "ms", "last End of its tasks") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", "End - Start") \
	X(GAP, "Pause", TV_TIME, false, "ms", "from the End of the previous phase to Start") \
	X(TASKS, "Tasks", TV_INT, false, "", "counted tasks; a team is one") \
	X(TIME, "Time", TV_TIME, false, "ms", "sum of the durations of their executions")

TV_COLUMNS(columns, COLUMNS)

static int run_phases(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	struct tv_column *const *to = out->col;
	struct tv_phases phases;

	(void)options;
	(void)err;
	tv_phases_init(&phases, &run->tasks);
	for (uint32_t i = 0; i < phases.n; i++) {
		const struct tv_phase *p = &phases.phase[i];

		tv_set_int(to[PHASE], i, i + 1);
		if (phases.known)
			tv_set_int(to[SUBMIT], i, p->from);
		tv_set_int(to[START], i, p->start);
		tv_set_int(to[END], i, p->end);
		tv_set_int(to[MAKESPAN], i, p->end - p->start);
		if (i > 0)
			tv_set_int(to[GAP], i, p->start - p[-1].end);
		tv_set_int(to[TASKS], i, p->tasks);
		tv_set_int(to[TIME], i, p->time);
	}
	out->nrows = phases.n;
	if (!phases.known)
		tv_run_warn(run, "the trace does not say when tasks were submitted "
				 "(SubmitTime), which distinguishes phases");
	tv_phases_release(&phases);
	return 0;
}

const struct tv_pass tv_pass_phases = {
	.name = "phases",
	.summary = "Split a run into consecutive phases, such as repeated solves",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_INPUT,
	TV_PASS_COLUMNS(columns),
	.notes = "A phase starts with the first submission at which every counted task submitted\n"
		 "earlier has ended: the application waited for all its tasks, then continued. A\n"
		 "task counts as submitted at its SubmitTime, or at its Start if that is missing\n"
		 "or earlier; tasks without SubmitTime, or with the Flag undeferred, start no\n"
		 "phase. Bounds, idleness and makespan of a trace with several phases mix them.\n"
		 "With --phase K, every verb keeps only the tasks of phase K (times stay those of\n"
		 "the whole run), with --phase last those of the last phase.",
	.example = "traceviz phases data/cholesky.csv",
	.windowless = true,
	.run = run_phases,
};
