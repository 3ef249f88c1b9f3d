/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choice.c -- what the scheduler saw when it placed one task: a row for each part of each worker. */
#include <stdlib.h>

#include "analysis/decisions/decision_list.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker") \
	X(PART, "Part", TV_LABEL, false, "", \
	  "running, pipeline, queue; busy, wait, transfer, length; unable, unrecorded: " \
	  "see " \
	  "below") \
	X(JOB, "JobId", TV_LABEL, false, "", "task") \
	X(VALUE, "Value", TV_LABEL, false, "", "its type") \
	X(PRIORITY, "Priority", TV_INT, false, "", "its priority; larger is more urgent") \
	X(START, "Start", TV_TIME, false, "ms", "begin as estimated at the decision") \
	X(END, "End", TV_TIME, false, "ms", "end as estimated") \
	X(FITNESS, "Fitness", TV_TIME, false, "ms", "of the candidate") \
	X(RANK, "FitnessRank", TV_INT, false, "", "place of the candidate by fitness, from 1") \
	X(CHOSEN, "Chosen", TV_INT, false, "", "1 = the worker chosen") \
	X(PLACE, "Place", TV_INT, false, "", \
	  "of tasks there: in the order in which the worker then took them, from 1")

TV_COLUMNS(columns, COLUMNS)

struct choice_rows {
	const struct tv_tasks *tasks;
	const struct tv_decisions *d;
	uint32_t decision;
	uint32_t *list;	 /* decisions that are with some worker, by worker and place */
	uint32_t *place; /* of each of them: among those of its worker by the real start, from 1 */
	uint32_t n;
	bool partial; /* the recorder left out some of its candidates, or may have done so */
	struct tv_table *out;
};

enum level { ELSEWHERE, IN_QUEUE, IN_PIPELINE, RUNS };

static enum level level_of(const struct tv_decision *at, const struct tv_decision *now)
{
	int64_t order = now->order;

	if (at->order >= order || at->worker == TV_NONE)
		return ELSEWHERE;
	/* Orders are known of events; else times are compared. */
	if (at->end_order != INT64_MAX ? at->end_order < order
				       : at->ended != TV_NO_TIME && at->ended <= now->time)
		return ELSEWHERE;
	if (at->start_order != INT64_MAX ? at->start_order < order
					 : at->started != TV_NO_TIME && at->started <= now->time)
		return RUNS;
	if (at->pop_order != INT64_MAX ? at->pop_order < order
				       : at->popped != TV_NO_TIME && at->popped <= now->time)
		return IN_PIPELINE;
	return IN_QUEUE;
}

/* By worker, then what runs, what it has taken, its queue: by urgency if the run sorts. */
static int by_place(const void *a, const void *b, void *data)
{
	const struct choice_rows *work = data;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct tv_decision *x = &work->d->at[i], *y = &work->d->at[k];
	const struct tv_decision *now = &work->d->at[work->decision];
	enum level p = level_of(x, now), q = level_of(y, now);

	if (x->worker != y->worker)
		return TV_COMPARE(x->worker, y->worker);
	if (p != q)
		return TV_COMPARE(q, p);
	if (p != IN_QUEUE && x->started != y->started)
		return TV_COMPARE(x->started, y->started);
	if (work->d->sorted && x->priority != y->priority)
		return TV_COMPARE(y->priority, x->priority);
	return TV_COMPARE(i, k);
}

static void set_task(const struct choice_rows *work, uint32_t i, uint32_t row)
{
	const struct tv_decision *at = &work->d->at[i];

	tv_set_label(work->out->col[JOB], row, at->job);
	tv_set_label(work->out->col[VALUE], row, tv_decision_value(work->d, work->tasks, at));
	tv_set_int(work->out->col[PRIORITY], row, at->priority);
}

static uint32_t add_row(const struct choice_rows *work, uint32_t resource, const char *part,
			int64_t start, int64_t end)
{
	uint32_t row = tv_table_add_row(work->out);

	tv_set_label(work->out->col[RESOURCE], row, resource);
	tv_set_text(work->out->col[PART], row, part);
	if (start != TV_NO_TIME) {
		tv_set_int(work->out->col[START], row, start);
		tv_set_int(work->out->col[END], row, end > start ? end : start);
	}
	return row;
}

/* A task of the list, and when it started; INT64_MAX = not known. */
struct started {
	uint32_t worker, k;
	int64_t time;
};

TV_ORDER(by_start, struct started, worker, time)

/* The place of each task of the list among those of its worker by the real start, from 1. */
static void find_places(struct choice_rows *work)
{
	struct started *task = tv_alloc(work->n, sizeof *task);
	uint32_t first = 0, equal = 0;

	work->place = tv_alloc(work->n, sizeof *work->place);
	for (uint32_t k = 0; k < work->n; k++) {
		const struct tv_decision *at = &work->d->at[work->list[k]];

		task[k] = (struct started){ at->worker, k,
					    at->started == TV_NO_TIME ? INT64_MAX : at->started };
	}
	if (work->n > 1)
		qsort(task, work->n, sizeof *task, by_start);
	for (uint32_t i = 0; i < work->n; i++) {
		if (i > 0 && task[i].worker != task[i - 1].worker)
			first = i;
		if (i > 0 && by_start(&task[i], &task[i - 1]) != 0)
			equal = i;
		work->place[task[i].k] = equal - first + 1;
	}
	tv_free(task);
}

/* The tasks of a worker, one behind the other from now on. */
static void add_tasks(const struct choice_rows *work, uint32_t worker)
{
	static const char *const part[] = { "", "queue", "pipeline", "running" };
	const struct tv_decision *now = &work->d->at[work->decision];
	int64_t at = now->time;

	for (uint32_t k = 0; k < work->n; k++) {
		const struct tv_decision *other = &work->d->at[work->list[k]];
		int64_t length = tv_cell_int(work->d->of.length, other->row, 0), end;
		uint32_t row;

		if (other->worker != worker)
			continue;
		end = level_of(other, now) == RUNS ? other->started + length : at + length;
		end = end > at ? end : at;
		row = add_row(work, work->d->worker[worker], part[level_of(other, now)], at, end);
		set_task(work, work->list[k], row);
		tv_set_int(work->out->col[PLACE], row, work->place[k]);
		at = end;
	}
}

static int64_t rank_of(const struct tv_decisions *d, uint32_t i, uint32_t candidate)
{
	const struct tv_column *fitness = d->candidate.fitness;
	int64_t own = tv_cell_int(fitness, candidate, INT64_MAX), rank = 1;
	bool before = true; /* of equal ones the first in order of workers */

	for (uint32_t k = d->candidates.first[i]; k < d->candidates.first[i + 1]; k++) {
		uint32_t row = d->candidates.row[k];
		int64_t other = tv_cell_int(fitness, row, INT64_MAX);

		before = before && row != candidate;
		rank += other < own || (other == own && before);
	}
	return rank;
}

/* The estimates of a candidate. */
static void add_candidate(const struct choice_rows *work, uint32_t candidate)
{
	const struct tv_decisions *d = work->d;
	const struct tv_decision *now = &d->at[work->decision];
	const struct tv_candidate_columns *c = &d->candidate;
	uint32_t resource = tv_cell_label(c->resource, candidate);
	int64_t available = tv_cell_int(c->available, candidate, TV_NO_TIME);
	int64_t transfer = tv_cell_int(c->transfer, candidate, 0);
	int64_t start = tv_cell_int(c->start, candidate, TV_NO_TIME);
	int64_t end = tv_cell_int(c->end, candidate, TV_NO_TIME);
	int64_t fitness = tv_cell_int(c->fitness, candidate, TV_NO_TIME);
	bool chosen = tv_cell_int(c->chosen, candidate, 0) != 0;
	uint32_t row, first = work->out->nrows;

	if (available != TV_NO_TIME && available > now->time)
		add_row(work, resource, "busy", now->time, available);
	if (available != TV_NO_TIME && start > available)
		add_row(work, resource, "wait", available > now->time ? available : now->time,
			start);
	if (transfer > 0)
		add_row(work, resource, "transfer", now->time, now->time + transfer);
	row = add_row(work, resource, "length", start, end);
	set_task(work, work->decision, row);
	for (row = first; row < work->out->nrows; row++) {
		if (fitness != TV_NO_TIME) {
			tv_set_int(work->out->col[FITNESS], row, fitness);
			tv_set_int(work->out->col[RANK], row,
				   rank_of(d, work->decision, candidate));
		}
		tv_set_int(work->out->col[CHOSEN], row, chosen);
	}
}

static void write_worker(const struct choice_rows *work, uint32_t worker)
{
	const struct tv_decisions *d = work->d;
	uint32_t i = work->decision, label = d->worker[worker];
	bool able = false;

	for (uint32_t k = d->candidates.first[i]; k < d->candidates.first[i + 1]; k++) {
		uint32_t row = d->candidates.row[k];

		if (tv_cell_label(d->candidate.resource, row) != label)
			continue;
		add_candidate(work, row);
		able = true;
	}
	if (!able)
		add_row(work, label, work->partial ? "unrecorded" : "unable", TV_NO_TIME, 0);
	add_tasks(work, worker);
}

struct asked {
	const char *job;
	int64_t at_ns; /* 0 = not given */
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->job == NULL && asked->at_ns == 0)
		return tv_fail_usage(err, "choice needs --job JOB or --at TIME");
	return 0;
}

/* The decision that the options name: of a job the first, or the last one until a time. */
static int find(const struct tv_run *run, const struct tv_decisions *d, const struct asked *asked,
		uint32_t *decision, struct tv_error *err)
{
	const char *job = asked->job;
	int64_t time = asked->at_ns > 0 ? asked->at_ns : INT64_MAX;

	*decision = TV_NONE;
	for (uint32_t i = 0; i < d->n; i++) {
		bool fits = job == NULL || d->at[i].job == tv_pool_find_text(run->trace->pool, job);

		if (fits && d->at[i].time <= time && (job == NULL || *decision == TV_NONE))
			*decision = i;
	}
	if (*decision == TV_NONE)
		return tv_fail(
			err,
			"choice: no decision%s%s%s%s; 'traceviz decisions' lists the jobs with "
			"the times of their decisions",
			job != NULL ? " about job '" : "", job != NULL ? job : "",
			job != NULL ? "'" : "", time < INT64_MAX ? " until that time" : "");
	return 0;
}

static int run_choice(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	struct choice_rows work = { .tasks = &run->tasks,
				    .d = tv_run_decisions(run, "choice", err),
				    .out = out };

	if (work.d == NULL || find(run, work.d, options->chosen, &work.decision, err) < 0)
		return -1;
	work.partial = work.d->candidates.first[work.decision + 1]
			     - work.d->candidates.first[work.decision]
		    >= tv_candidates_kept(run->trace);
	work.list = tv_alloc(work.d->n, sizeof *work.list);
	for (uint32_t i = 0; i < work.decision; i++)
		if (level_of(&work.d->at[i], &work.d->at[work.decision]) != ELSEWHERE)
			work.list[work.n++] = i;
	qsort_r(work.list, work.n, sizeof *work.list, by_place, &work);
	find_places(&work);
	for (uint32_t w = 0; w < work.d->nworkers; w++)
		write_worker(&work, w);
	tv_free(work.list);
	tv_free(work.place);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "job", "JOB", NULL, "the first decision about this job", TV_ASKED(job) },
	{ "at", "TIME", NULL, "the last decision until this time", TV_OPTION_TIME, 1, 0,
	  TV_ASKED(at_ns) },
};

const struct tv_pass tv_pass_choice = {
	.name = "choice",
	.summary = "What the scheduler saw when it placed one task, by worker",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.windowless = true,
	.needs = "decisions candidates events resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "By worker: its estimates for the task (busy = until it is available, wait = rest "
		 "of\n"
		 "the transfer that this does not hide, transfer, length), then the tasks that "
		 "were\n"
		 "with it (running, pipeline, queue), one behind the other from the decision on, "
		 "each\n"
		 "as long as estimated; what runs has the rest of its estimate. unable = no "
		 "candidate:\n"
		 "it could not run the task. unrecorded = it may have been one, but not among the "
		 "best,\n"
		 "and the recorder kept only these.",
	.example = "traceviz choice data/cholesky-decisions --job 67",
	.check = check_options,
	.run = run_choice,
};
