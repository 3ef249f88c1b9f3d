/* SPDX-License-Identifier: GPL-3.0-or-later */
/* late.c -- how late each task started after its last dependency, and why. */
#include <stdlib.h>

#include "analysis/core/last.h"
#include "analysis/decisions/hindsight.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(JOB, "JobId", TV_LABEL, false, "", "job") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type") \
	X(PRIORITY, "Priority", TV_INT, false, "", "of the task; larger is more urgent") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker that ran it") \
	X(LAST_DEP, "LastDep", TV_LABEL, false, "", "last dependency; missing = none") \
	X(LAST_DEP_RESOURCE, "LastDepResourceId", TV_LABEL, false, "", "worker of that") \
	X(LAST_DEP_END, "LastDepEnd", TV_TIME, false, "ms", "its end") \
	X(RELEASED, "Released", TV_TIME, false, "ms", \
	  "the later of LastDepEnd and its submission; without both its push") \
	X(PUSHED, "Pushed", TV_TIME, false, "ms", "when its worker was chosen") \
	X(POPPED, "Popped", TV_TIME, false, "ms", "when the worker took it") \
	X(START, "Start", TV_TIME, false, "ms", "start") \
	X(GAIN, "Gain", TV_TIME, false, "ms", \
	  "Start - Released: how much earlier it could have started") \
	X(CAUSE, "Cause", TV_LABEL, false, "", \
	  "pipeline, queue, overtaken, transfer, choice, running, runtime") \
	X(BEHIND, "Behind", TV_LABEL, false, "", "task of that cause, or the one before it") \
	X(RUNNING, "Running", TV_TIME, false, "ms", "part of Gain: rest of what ran there") \
	X(PIPELINE, "Pipeline", TV_TIME, false, "ms", \
	  "tasks of lower or equal priority that the worker had taken") \
	X(QUEUE, "Queue", TV_TIME, false, "ms", "other tasks decided earlier") \
	X(OVERTAKEN, "Overtaken", TV_TIME, false, "ms", "tasks decided later") \
	X(TRANSFER, "Transfer", TV_TIME, false, "ms", "idle after its pop: its data arrive") \
	X(OTHER, "RuntimeDelay", TV_TIME, false, "ms", "until its push, and idle before its pop") \
	X(BETTER, "Better", TV_LABEL, false, "", \
	  "candidate that would have ended it first (what-if-choice)") \
	X(BETTER_GAIN, "BetterGain", TV_TIME, false, "ms", "how much earlier, a bound")

TV_COLUMNS(columns, COLUMNS)

/* Parts of Gain, by preference as the cause of equal ones. */
enum part { P_PIPELINE, P_OVERTAKEN, P_QUEUE, P_TRANSFER, P_OTHER, P_RUNNING, NPARTS };

static const char *const cause_name[] = { "pipeline", "overtaken", "queue",
					  "transfer", "runtime",   "running" };

_Static_assert(TV_COUNT(cause_name) == NPARTS, "a cause for each");

struct late {
	uint32_t decision, dep, behind; /* dep: row of tasks; TV_NONE */
	int64_t dep_end, released, gain;
	int64_t part[NPARTS];
	struct tv_better better;
	int64_t better_gain; /* 0 = none is better */
};

struct late_tasks {
	const struct tv_tasks *tasks;
	const struct tv_decisions *d;
	const struct tv_dag *dag;
	struct tv_hindsight hindsight;
	struct tv_tiling *tiling;
	const struct tv_last *last;
};

/* End of a row of tasks on the clock of the events, if these have it. */
static int64_t end_of(const struct late_tasks *work, uint32_t row, int64_t otherwise)
{
	uint32_t i = work->d->of_task[row];

	return i == TV_NONE || work->d->at[i].ended == TV_NO_TIME ? otherwise
								  : work->d->at[i].ended;
}

static void find_release(const struct late_tasks *work, struct late *late)
{
	const struct tv_decision *at = &work->d->at[late->decision];
	uint32_t node = at->task == TV_NONE ? TV_NONE : work->dag->node_of_row[at->task];
	int64_t submitted;

	late->dep = TV_NONE;
	late->released = at->time;
	if (node == TV_NONE)
		return;
	late->released = submitted = tv_dag_submitted(work->dag, node);
	if (work->last->of[node] != TV_NONE) {
		late->dep = work->dag->row[work->last->of[node]];
		late->dep_end = work->last->how[node].kind == TV_CREATION
				      ? work->last->how[node].time
				      : end_of(work, late->dep, work->last->how[node].time);
		late->released = late->dep_end > submitted ? late->dep_end : submitted;
	}
	/* Clocks of tasks and decisions may differ a little. */
	if (late->released == INT64_MIN || late->released > at->time)
		late->released = at->time;
}

static int64_t overlap(const struct tv_run_span *span, int64_t begin, int64_t end)
{
	begin = span->start > begin ? span->start : begin;
	end = span->end < end ? span->end : end;
	return end > begin ? end - begin : 0;
}

/* What its worker ran or had taken when it was released: the first executions of its wait. */
static void find_taken(const struct late_tasks *work, struct late *late)
{
	const struct tv_decisions *d = work->d;
	const struct tv_decision *at = &d->at[late->decision];
	uint32_t end = d->first[at->worker + 1], i;
	int64_t longest = 0;

	TV_LOWER_BOUND(i, d->first[at->worker], end, d->span[i].end <= late->released);
	for (; i < end && d->span[i].start < at->started; i++) {
		const struct tv_run_span *span = &d->span[i];
		const struct tv_decision *other = span->decision == TV_NONE
							? NULL
							: &d->at[span->decision];
		int64_t time = overlap(span, at->time, at->started);

		if (span->order > 2 * (int64_t)late->decision)
			break;
		if (span->start < late->released) {
			late->part[P_RUNNING] += time;
			continue;
		}
		if (other == NULL || other->popped == TV_NO_TIME || other->popped >= late->released)
			break;
		if (other->priority > at->priority)
			continue;
		late->part[P_PIPELINE] += time;
		if (time > longest) {
			longest = time;
			late->behind = other->job;
		}
	}
}

/* The task that its worker ran just before it, after its release. */
static void find_before(const struct late_tasks *work, struct late *late)
{
	const struct tv_decisions *d = work->d;
	const struct tv_decision *at = &d->at[late->decision];
	uint32_t first = d->first[at->worker], next, decision;

	TV_LOWER_BOUND(next, first, d->first[at->worker + 1], d->span[next].start < at->started);
	if (next == first || d->span[next - 1].end <= late->released)
		return;
	decision = d->span[next - 1].decision;
	if (decision != TV_NONE)
		late->behind = d->at[decision].job;
}

static void divide(const struct late_tasks *work, struct late *late)
{
	const struct tv_decision *at = &work->d->at[late->decision];
	const struct tv_tiling *tiling = &work->tiling[late->decision];

	late->behind = TV_NONE;
	find_taken(work, late);
	late->part[P_QUEUE] = tiling->ahead - late->part[P_RUNNING] - late->part[P_PIPELINE];
	late->part[P_OVERTAKEN] = tiling->overtaken;
	late->part[P_TRANSFER] = tiling->idle_taken;
	late->part[P_OTHER] = tiling->idle_queued + at->time - late->released;
	if (late->behind == TV_NONE)
		find_before(work, late);
	late->better = tv_hindsight_best(&work->hindsight, late->decision);
	if (late->better.row != TV_NONE && at->ended != TV_NO_TIME && late->better.end < at->ended)
		late->better_gain = at->ended - late->better.end;
}

/* The largest part. What ran already is one only if no other part is a tenth of the whole; what the
 * scheduler weighed (queue, transfer, running) is a bad choice if another candidate would have saved
 * that much. */
static const char *cause_of(const struct late *late)
{
	int main = P_PIPELINE;

	for (int p = P_PIPELINE; p < P_RUNNING; p++)
		if (late->part[p] > late->part[main])
			main = p;
	if (late->part[main] < late->gain / 10)
		main = P_RUNNING;
	if ((main == P_QUEUE || main == P_TRANSFER || main == P_RUNNING) && late->better_gain > 0
	    && late->better_gain >= late->gain / 10)
		return "choice";
	return cause_name[main];
}

TV_ORDER(by_gain, struct late, down(gain), decision)

static void write_row(const struct late_tasks *work, const struct late *late, struct tv_table *out)
{
	static const int to[NPARTS] = { PIPELINE, OVERTAKEN, QUEUE, TRANSFER, OTHER, RUNNING };
	const struct tv_decisions *d = work->d;
	const struct tv_decision *at = &d->at[late->decision];
	uint32_t row = tv_table_add_row(out);

	tv_set_label(out->col[JOB], row, at->job);
	tv_set_label(out->col[VALUE], row, tv_decision_value(d, work->tasks, at));
	tv_set_int(out->col[PRIORITY], row, at->priority);
	tv_set_label(out->col[RESOURCE], row, tv_decision_worker(d, at->worker));
	if (late->dep != TV_NONE) {
		uint32_t worker = work->tasks->worker[late->dep];

		tv_set_label(out->col[LAST_DEP], row, work->tasks->job[late->dep]);
		if (worker != TV_NONE)
			tv_set_label(out->col[LAST_DEP_RESOURCE], row,
				     work->tasks->workers[worker].resource);
		tv_set_int(out->col[LAST_DEP_END], row, late->dep_end);
	}
	tv_set_int(out->col[RELEASED], row, late->released);
	tv_set_int(out->col[PUSHED], row, at->time);
	if (at->popped != TV_NO_TIME)
		tv_set_int(out->col[POPPED], row, at->popped);
	tv_set_int(out->col[START], row, at->started);
	tv_set_int(out->col[GAIN], row, late->gain);
	if (late->gain > 0)
		tv_set_text(out->col[CAUSE], row, cause_of(late));
	tv_set_label(out->col[BEHIND], row, late->behind);
	for (int p = 0; p < NPARTS; p++)
		tv_set_int(out->col[to[p]], row, late->part[p]);
	if (late->better_gain == 0)
		return;
	tv_set_label(out->col[BETTER], row, tv_cell_label(d->candidate.resource, late->better.row));
	tv_set_int(out->col[BETTER_GAIN], row, late->better_gain);
}

static void write_rows(struct late_tasks *work, const struct tv_run *run, struct tv_table *out)
{
	const struct tv_decisions *d = work->d;
	struct late *late = tv_alloc(d->n, sizeof *late);
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->n; i++) {
		const struct tv_decision *at = &d->at[i];

		if (at->started == TV_NO_TIME || at->worker == TV_NONE || at->started < at->time
		    || !tv_decision_seen(run, at)
		    || (at->worker < run->tasks.nworkers && !tv_run_has(run, at->worker)))
			continue;
		late[n] = (struct late){ .decision = i };
		find_release(work, &late[n]);
		late[n].gain = at->started - late[n].released;
		divide(work, &late[n]);
		n++;
	}
	qsort(late, n, sizeof *late, by_gain);
	for (uint32_t k = 0; k < n; k++)
		write_row(work, &late[k], out);
	tv_free(late);
}

static int run_late(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	struct late_tasks work = { .tasks = &run->tasks, .d = tv_run_decisions(run, "late", err) };

	(void)options;
	if (work.d == NULL)
		return -1;
	work.dag = tv_run_dag(run, err);
	if (work.dag == NULL)
		return -1;
	if (run->tasks.depends == NULL)
		tv_run_warn(run, "the trace has no dependencies (column DependsOn): tasks count as "
				 "released when they were submitted or pushed");
	work.last = tv_run_last(run, work.dag);
	work.tiling = tv_alloc(work.d->n, sizeof *work.tiling);
	tv_decisions_tile(work.d, work.tiling);
	tv_hindsight_init(&work.hindsight, work.d);
	write_rows(&work, run, out);
	tv_hindsight_release(&work.hindsight);
	tv_free(work.tiling);
	return 0;
}

const struct tv_pass tv_pass_late = {
	.name = "late",
	.summary = "How late each task started after its last dependency, and why",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Gain",
	.sums = true,
	.needs = "decisions candidates events links resources",
	.refuses_tasks = true,
	TV_PASS_COLUMNS(columns),
	.notes =
		"By Gain, the largest first. Running + Pipeline + Queue + Overtaken + Transfer +\n"
		"RuntimeDelay is Gain exactly. What the worker ran or had taken (popped) before\n"
		"the task was released no priority can pass. The cause is the largest part;\n"
		"running, the rest of what ran already, only if no other part is a tenth of Gain;\n"
		"runtime is RuntimeDelay. Where it is queue, transfer or running and another\n"
		"candidate would have ended the task earlier, by a tenth of Gain or more, it is\n"
		"choice.\n"
		"Source: Garcia Pinto 2018, chapter 8, who finds such tasks by eye.",
	.example = "traceviz late data/cholesky-decisions --top 5",
	.run = run_late,
};
