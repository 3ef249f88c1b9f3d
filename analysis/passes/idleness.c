/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idleness.c -- the share of the run in which each worker does not compute. */
#include <string.h>

#include "analysis/shared/common.h"
#include "analysis/shared/curves.h"
#include "analysis/shared/spans.h"
#include "trace/alloc.h"

/* Whether a part of a span lies in another; one without length may be at either end. */
static bool lies_in(const struct tv_span *span, const struct tv_span *in)
{
	if (span->begin == span->end)
		return span->begin >= in->begin && span->end <= in->end;
	return span->begin < in->end && span->end > in->begin;
}

/* The runtime's own Idle and Sleeping states. */
struct states {
	const struct tv_column *start, *end; /* NULL: the trace has none */
	struct tv_groups of;		     /* rows of those two states by worker */
	bool *watched;			     /* by worker: it has states of whatever value */
};

static void find_states(struct states *states, const struct tv_tasks *tasks,
			const uint32_t *worker_of_label)
{
	const struct tv_table *table = &tasks->trace->table[TV_STATES];
	const struct tv_column *id = tv_table_find(table, "ResourceId");
	const struct tv_column *value = tv_table_find(table, "Value");
	uint32_t idle = tv_pool_find_text(tasks->pool, "Idle"), found = 0, *worker;
	uint32_t sleeping = tv_pool_find_text(tasks->pool, "Sleeping");

	states->watched = tv_alloc(tasks->nworkers, sizeof *states->watched);
	worker = tv_alloc(table->nrows, sizeof *worker);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(id, row), is = tv_label(value, row);
		uint32_t w = label == TV_NONE ? TV_NONE : worker_of_label[label];

		if (w != TV_NONE)
			states->watched[w] = true;
		worker[row] = is != TV_NONE && (is == idle || is == sleeping) ? w : TV_NONE;
		found += worker[row] != TV_NONE;
	}
	tv_groups_init(&states->of, worker, table->nrows, tasks->nworkers);
	if (found > 0) {
		states->start = tv_table_find(table, "Start");
		states->end = tv_table_find(table, "End");
	}
	tv_free(worker);
}

struct work {
	const struct tv_tasks *tasks;
	struct tv_span in;	     /* where idleness is asked for */
	struct tv_groups executions; /* executions by worker, of every kind */
	struct states states;
	struct tv_span *span; /* room for the rows of any worker */
	struct tv_column *id, *type, *node, *count, *busy, *other, *idle, *runtime;
};

/* Union of the spans of the executions of a worker, either all or those that are counted. */
static int64_t busy_time(struct work *work, uint32_t w, bool all, uint32_t *count)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t n = 0;

	*count = 0;
	for (uint32_t i = work->executions.first[w]; i < work->executions.first[w + 1]; i++) {
		uint32_t row = work->executions.row[i];

		if (!all && !tasks->counted[row])
			continue;
		work->span[n++] = (struct tv_span){ tasks->start[row], tasks->end[row] };
		*count += lies_in(&work->span[n - 1], &work->in);
	}
	return tv_spans_cover(work->span, n, work->in);
}

/* The spans of a worker's Idle and Sleeping states; their number. */
static uint32_t take_states(struct work *work, uint32_t w)
{
	const struct states *states = &work->states;
	uint32_t n = 0;

	for (uint32_t i = states->of.first[w]; i < states->of.first[w + 1]; i++) {
		uint32_t row = states->of.row[i];

		if (tv_missing(states->start, row) || tv_missing(states->end, row))
			continue;
		work->span[n].begin = states->start->i[row];
		work->span[n++].end = states->end->i[row];
	}
	return n;
}

static double percent(tv_int128 part, int64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* The thesis's variant: plain sum of the states that start after 0, over the last end. */
static double thesis_share(const struct work *work, uint32_t w, uint32_t nstates)
{
	const struct tv_tasks *tasks = work->tasks;
	tv_int128 sum = 0;
	int64_t last = 0;

	for (uint32_t i = 0; i < nstates; i++) {
		if (work->span[i].end > last)
			last = work->span[i].end;
		if (work->span[i].begin > 0)
			sum += work->span[i].end - work->span[i].begin;
	}
	for (uint32_t i = work->executions.first[w]; i < work->executions.first[w + 1]; i++)
		if (tasks->counted[work->executions.row[i]]
		    && tasks->end[work->executions.row[i]] > last)
			last = tasks->end[work->executions.row[i]];
	return percent(sum, last);
}

static void write_runtime(struct work *work, uint32_t w, uint32_t row, bool thesis)
{
	uint32_t n;
	double share;

	if (work->states.start == NULL || !work->states.watched[w])
		return;
	n = take_states(work, w);
	if (thesis)
		share = thesis_share(work, w, n);
	else
		share = percent(tv_spans_cover(work->span, n, work->in),
				work->in.end - work->in.begin);
	tv_set_double(work->runtime, row, share);
}

static void write_worker(struct work *work, uint32_t w, uint32_t row, bool thesis)
{
	const struct tv_worker *worker = &work->tasks->workers[w];
	int64_t whole = work->in.end - work->in.begin, busy, covered;
	uint32_t count, ignored;

	busy = busy_time(work, w, false, &count);
	covered = busy_time(work, w, true, &ignored);
	tv_set_label(work->id, row, worker->resource);
	tv_set_label(work->type, row, work->tasks->rtype[worker->rtype].label);
	tv_set_label(work->node, row, work->tasks->node[worker->node].label);
	tv_set_int(work->count, row, count);
	tv_set_int(work->busy, row, busy);
	tv_set_int(work->other, row, covered - busy);
	tv_set_double(work->idle, row, percent(whole - covered, whole));
	write_runtime(work, w, row, thesis);
}

/* Executions by worker, states by worker, and room for the spans of any of them. */
static void collect(struct work *work)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t nlabels = tv_pool_count(tasks->pool), most = 0;
	uint32_t *worker = tv_alloc(tasks->n, sizeof *worker);
	uint32_t *worker_of_label = tv_alloc(nlabels, sizeof *worker_of_label);

	for (uint32_t row = 0; row < tasks->n; row++)
		worker[row] = tasks->executed[row] ? tasks->worker[row] : TV_NONE;
	for (uint32_t i = 0; i < nlabels; i++)
		worker_of_label[i] = TV_NONE;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		worker_of_label[tasks->workers[w].resource] = w;
	tv_groups_init(&work->executions, worker, tasks->n, tasks->nworkers);
	find_states(&work->states, tasks, worker_of_label);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t nexecutions = work->executions.first[w + 1] - work->executions.first[w];
		uint32_t states = work->states.of.first[w + 1] - work->states.of.first[w];

		most = nexecutions > most ? nexecutions : most;
		most = states > most ? states : most;
	}
	work->span = tv_alloc(most, sizeof *work->span);
	tv_free(worker);
	tv_free(worker_of_label);
}

static int add_columns(struct work *work, struct tv_table *out, struct tv_error *err)
{
	work->id = tv_table_column(out, "ResourceId", TV_LABEL, err);
	work->type = tv_table_column(out, "ResourceType", TV_LABEL, err);
	work->node = tv_table_column(out, "Node", TV_LABEL, err);
	work->count = tv_table_column(out, "Tasks", TV_INT, err);
	work->busy = tv_table_column(out, "Busy", TV_TIME, err);
	work->other = tv_table_column(out, "Other", TV_TIME, err);
	work->idle = tv_table_column(out, "Idleness", TV_DOUBLE, err);
	work->runtime = tv_table_column(out, "RuntimeIdleness", TV_DOUBLE, err);
	if (work->id == NULL || work->type == NULL || work->node == NULL || work->count == NULL
	    || work->busy == NULL || work->other == NULL || work->idle == NULL
	    || work->runtime == NULL)
		return -1;
	out->nrows = work->tasks->nworkers;
	return 0;
}

static int run_idleness(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	bool thesis = tv_option_choice(options, "definition") == 1;
	struct work work = { .tasks = &run->tasks };
	int rc = 0;

	if (thesis && tv_run_cut(run))
		return tv_fail_usage(err, "--definition thesis describes the whole run: it "
					  "takes no --begin or --end");
	if (tv_run_interval(run, &work.in.begin, &work.in.end, err) < 0
	    || add_columns(&work, out, err) < 0 || tv_warn_workers(run) < 0)
		return -1;
	collect(&work);
	for (uint32_t w = 0; w < run->tasks.nworkers && rc == 0; w++)
		write_worker(&work, w, w, thesis);
	tv_groups_release(&work.executions);
	tv_groups_release(&work.states.of);
	tv_free(work.states.watched);
	tv_free(work.span);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "definition", "default|thesis", "default", "definition of RuntimeIdleness (see below)",
	  TV_OPTION_CHOICE, 0, 0 },
};

static const struct tv_field columns[] = {
	{ "ResourceId", TV_LABEL, false, "", "worker" },
	{ "ResourceType", TV_LABEL, false, "", "its type" },
	{ "Node", TV_LABEL, false, "", "its node" },
	{ "Tasks", TV_INT, false, "",
	  "counted tasks that ran on it, in whole or in part in the window" },
	{ "Busy", TV_TIME, false, "ms", "time in counted tasks; overlapping ones count once" },
	{ "Other", TV_TIME, false, "ms",
	  "time in other tasks (setup, runtime), within the makespan" },
	{ "Idleness", TV_DOUBLE, false, "%", "100 (1 - (Busy + Other) / makespan)" },
	{ "RuntimeIdleness", TV_DOUBLE, false, "%",
	  "states Idle and Sleeping, over the makespan; missing without such states" },
};

const struct tv_pass tv_pass_idleness = {
	.name = "idleness",
	.summary = "Idle time of each worker",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.ranked = "Idleness",
	.needs = "states",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "One row per worker, also those without tasks (100 %). The makespan is the time\n"
		 "from the first Start to the last End of the run's tasks; with --begin or --end,\n"
		 "the part of it in between. States that overlap or nest count once.\n"
		 "--definition thesis: RuntimeIdleness is the sum of the Idle and Sleeping states\n"
		 "that start after 0, over the latest end of a task or such a state on the\n"
		 "worker.\n"
		 "Source: Garcia Pinto, thesis, 2018, 5.1.1.",
	.example = "traceviz idleness data/cholesky.csv",
	.run = run_idleness,
};
