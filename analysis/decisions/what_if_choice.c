/* SPDX-License-Identifier: GPL-3.0-or-later */
/* what_if_choice.c -- decisions for which another worker would have been better, in hindsight. */
#include <stdlib.h>

#include "analysis/decisions/hindsight.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(JOB, "JobId", TV_LABEL, false, "", "job") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type") \
	X(PRIORITY, "Priority", TV_INT, false, "", "of the task; larger is more urgent") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker that ran it") \
	X(DECIDED, "Decided", TV_TIME, false, "ms", "when its worker was chosen") \
	X(START, "Start", TV_TIME, false, "ms", "start") \
	X(END, "End", TV_TIME, false, "ms", "end") \
	X(BETTER, "Better", TV_LABEL, false, "", "candidate that would have ended it first") \
	X(BETTER_START, "BetterStart", TV_TIME, false, "ms", "its start there, in hindsight") \
	X(BETTER_END, "BetterEnd", TV_TIME, false, "ms", "its end there, in hindsight") \
	X(EXPECTED_END, "BetterExpectedEnd", TV_TIME, false, "ms", \
	  "what the scheduler expected of that candidate") \
	X(GAIN, "Gain", TV_TIME, false, "ms", "bound: End - BetterEnd")

TV_COLUMNS(columns, COLUMNS)

struct choice {
	uint32_t decision;
	struct tv_better better;
	int64_t gain;
};

TV_ORDER(by_gain, struct choice, down(gain), decision)

static void write_row(const struct tv_decisions *d, const struct tv_tasks *tasks,
		      const struct choice *choice, struct tv_table *out)
{
	const struct tv_decision *at = &d->at[choice->decision];
	uint32_t row = tv_table_add_row(out), candidate = choice->better.row;
	int64_t expected = tv_cell_int(d->candidate.end, candidate, TV_NO_TIME);

	tv_set_label(out->col[JOB], row, at->job);
	tv_set_label(out->col[VALUE], row, tv_decision_value(d, tasks, at));
	tv_set_int(out->col[PRIORITY], row, at->priority);
	tv_set_label(out->col[RESOURCE], row, tv_decision_worker(d, at->worker));
	tv_set_int(out->col[DECIDED], row, at->time);
	tv_set_int(out->col[START], row, at->started);
	tv_set_int(out->col[END], row, at->ended);
	tv_set_label(out->col[BETTER], row, tv_cell_label(d->candidate.resource, candidate));
	tv_set_int(out->col[BETTER_START], row, choice->better.start);
	tv_set_int(out->col[BETTER_END], row, choice->better.end);
	if (expected != TV_NO_TIME)
		tv_set_int(out->col[EXPECTED_END], row, expected);
	tv_set_int(out->col[GAIN], row, choice->gain);
}

static int run_choices(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct tv_decisions *d = tv_run_decisions(run, "what-if-choice", err);
	struct tv_hindsight hindsight;
	struct choice *choice;
	uint32_t n = 0;

	(void)options;
	if (d == NULL)
		return -1;
	if (run->trace->table[TV_CANDIDATES].nrows == 0)
		return tv_fail(err, "what-if-choice: the trace has no table candidates");
	choice = tv_alloc(d->n, sizeof *choice);
	tv_hindsight_init(&hindsight, d);
	for (uint32_t i = 0; i < d->n; i++) {
		struct tv_better better;

		if (d->at[i].started == TV_NO_TIME || d->at[i].ended == TV_NO_TIME
		    || !tv_decision_seen(run, &d->at[i]))
			continue;
		better = tv_hindsight_best(&hindsight, i);
		if (better.row != TV_NONE && better.end < d->at[i].ended)
			choice[n++] = (struct choice){ i, better, d->at[i].ended - better.end };
	}
	qsort(choice, n, sizeof *choice, by_gain);
	for (uint32_t k = 0; k < n; k++)
		write_row(d, &run->tasks, &choice[k], out);
	tv_hindsight_release(&hindsight);
	tv_free(choice);
	return 0;
}

const struct tv_pass tv_pass_what_if_choice = {
	.name = "what-if-choice",
	.summary = "Tasks that another candidate would have ended earlier, in hindsight",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Gain",
	.needs = "decisions candidates events",
	.refuses_tasks = true,
	TV_PASS_COLUMNS(columns),
	.notes =
		"By Gain, the largest first. On the other worker the task takes the place that "
		"its\n"
		"queue would have given it: behind what the worker had taken at the decision and\n"
		"what is more urgent (by priority, then by decision; by decision alone if no task\n"
		"of the run overtakes another). It starts when what ran before that place has\n"
		"ended and its data are there (Decided + Transfer), and lasts the estimated "
		"Length.\n"
		"Tasks that it would delay are not counted, and each task is moved alone: Gain is\n"
		"a bound, and gains do not add up.",
	.example = "traceviz what-if-choice data/cholesky-decisions --top 5",
	.run = run_choices,
};
