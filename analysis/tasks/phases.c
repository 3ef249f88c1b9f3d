/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c -- consecutive phases of a run, or iterations of a program that calls MPI, one row each. */
#include "analysis/tasks/phase_list.h"

#include "analysis/calls/iterations.h"
#include "analysis/core/columns.h"
#include "analysis/core/run.h"
#include "analysis/tasks/region_list.h"

#define COLUMNS(X) \
	X(PHASE, "Phase", TV_INT, false, "", \
	  "number of the phase, from 1, for --phase; or of the iteration") \
	X(SUBMIT, "Submit", TV_TIME, false, "ms", "first submission; missing without SubmitTime") \
	X(START, "Start", TV_TIME, false, "ms", "first Start of its tasks, or calls") \
	X(END, "End", TV_TIME, false, "ms", "last End of its tasks, or calls") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", "End - Start") \
	X(GAP, "Pause", TV_TIME, false, "ms", \
	  "from the End of those before to Start; 0 where they overlap, as iterations of ranks " \
	  "may") \
	X(TASKS, "Tasks", TV_INT, false, "", "counted tasks; a team is one") \
	X(TIME, "Time", TV_TIME, false, "ms", "sum of the durations of their executions") \
	X(CALLS, "Calls", TV_INT, false, "", \
	  "of a program without tasks: MPI calls of the iteration that communicate")

TV_COLUMNS(columns, COLUMNS)

struct asked {
	const char *region;
};

/* *last: when those before ended; of the first one unspecified. */
static void set_span(struct tv_column *const *to, uint32_t i, int64_t start, int64_t end,
		     int64_t *last)
{
	tv_set_int(to[PHASE], i, i + 1);
	tv_set_int(to[START], i, start);
	tv_set_int(to[END], i, end);
	tv_set_int(to[MAKESPAN], i, end - start);
	if (i > 0)
		tv_set_int(to[GAP], i, start > *last ? start - *last : 0);
	*last = i == 0 || end > *last ? end : *last;
}

static int run_iterations(struct tv_run *run, struct tv_table *out, struct tv_error *err)
{
	struct tv_iterations found;
	int64_t last = 0;

	if (tv_run_calls(run)->n == 0)
		return tv_run_need_tasks(run, "phases", err);
	tv_iterations_find(&found, run);
	for (uint32_t i = 0; i < found.n; i++) {
		set_span(out->col, i, found.at[i].begin, found.at[i].end, &last);
		tv_set_int(out->col[CALLS], i, found.calls[i]);
	}
	out->nrows = found.n;
	if (found.why != NULL)
		tv_run_warn(run, "no iterations: %s", found.why);
	tv_iterations_release(&found);
	return 0;
}

static int run_phases(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_column *const *to;
	struct tv_phases phases;
	int64_t last = 0;

	if (asked->region != NULL)
		return tv_region_list(run, asked->region, out, err);
	tv_add_fields(out, columns, TV_COUNT(columns));
	to = out->col;
	if (run->tasks.ncounted == 0)
		return run_iterations(run, out, err);
	tv_phases_init(&phases, &run->tasks);
	for (uint32_t i = 0; i < phases.n; i++) {
		const struct tv_phase *p = &phases.phase[i];

		set_span(to, i, p->start, p->end, &last);
		if (phases.known)
			tv_set_int(to[SUBMIT], i, p->from);
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

static const struct tv_option_spec options[] = {
	{ "region", "NAME#*|NAME[#K]", NULL,
	  "instead: what workers did in each instance, or the K-th, of a region, such as "
	  "'ProfilerStep#*': a state, a call of MPI, or a span of events",
	  TV_ASKED(region) },
};

static const struct tv_columns forms[] = { { tv_region_columns, TV_REGION_COLUMNS, "--region" } };

const struct tv_pass tv_pass_phases = {
	.name = "phases",
	.summary = "Split a run into consecutive phases, such as repeated solves, or iterations of "
		   "MPI calls",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_INPUT,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	TV_PASS_FORMS(forms),
	.varies = true,
	.notes =
		"A phase starts with the first submission at which every counted task submitted\n"
		"earlier has ended: the application waited for all its tasks, then continued. A\n"
		"task counts as submitted at its SubmitTime, or at its Start if that is missing\n"
		"or earlier; tasks without SubmitTime, or with the Flag undeferred, start no\n"
		"phase. Bounds, idleness and makespan of a trace with several phases mix them.\n"
		"With --phase K, every verb keeps only the tasks of phase K (times stay those of\n"
		"the whole run), with --phase last those of the last phase.\n"
		"Of a program without tasks the rows are iterations: on each rank the sequence\n"
		"of MPI calls (function, partners, place in the program) that repeats three\n"
		"times or more, in at least half of its calls or of its time, as often on all\n"
		"ranks; of nested loops the outer one. In up to a quarter of the iterations a\n"
		"rank may have other calls in between. An iteration lasts from its first enter\n"
		"to its last leave on all ranks. MPI_Test and calls that only ask are left out.\n"
		"With --region work counts where it runs, a submission where it is made: a kernel\n"
		"may run in a later step than the one that launched it. Workers are devices, if\n"
		"streams share them.",
	.example = "traceviz phases data/cholesky.csv",
	.windowless = true,
	.needs = "calls states events",
	.taskless = true,
	.run = run_phases,
};
