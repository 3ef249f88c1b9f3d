/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c -- what the runtime did on each worker outside tasks, and what its threads for
 * communication did: nested states, innermost first. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/spans.h"
#include "analysis/core/warnings.h"
#include "analysis/machine/state_threads.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum by { BY_TYPE, BY_WORKER, BY_PIECE };
enum nature { STATE, TASK, NONE };

static const char *const natures[] = { "state", "task", "none" };

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker or thread; missing with --by type") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "its type") \
	X(NATURE, "Nature", TV_LABEL, false, "", "state; task (of any kind); none: no record") \
	X(VALUE, "Value", TV_LABEL, false, "", \
	  "name of the state; with --by piece also the task type") \
	X(JOB, "JobId", TV_LABEL, false, "", "JobId of a task, with --by piece") \
	X(START, "Start", TV_TIME, false, "ms", "with --by piece: start of the piece") \
	X(END, "End", TV_TIME, false, "ms", "its end") \
	X(RECORDS, "Records", TV_INT, false, "", \
	  "number of states or executions in the run or window") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "time of these records, see below; missing with --by piece") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", \
	  "share of the time of the worker, or of all workers of the type") \
	X(TYPE, "Type", TV_LABEL, false, "", "type of the states, with --of all")

TV_COLUMNS(columns, COLUMNS)

/* A state or an execution on a worker. */
struct record {
	int64_t begin, end; /* ns */
	int64_t depth;
	uint32_t row; /* of states or tasks */
	bool task;
};

/* Time of one value on one worker or resource type. */
struct tally {
	int64_t records;
	tv_int128 time; /* ns */
};

struct state_times {
	const struct tv_tasks *tasks;
	bool instants, inside;
	struct tv_state_threads in;
	struct tv_groups executions; /* rows of tasks by worker */
	enum by by;
	int64_t begin, finish; /* shares refer to this time */
	bool window;
	struct record *record; /* of one worker; as long as the longest list */
	uint32_t n;
	uint32_t *open[2]; /* stacks of records: states, tasks */
	uint32_t nopen[2];
	struct tally *tally; /* in.nvalues + 1 (tasks): of one worker or type */
	struct tv_table *out;
};

/* ---- the records of a worker ---- */

/* Outer ones first: those that begin earlier, last longer, have the smaller depth. */
TV_ORDER(by_nesting, struct record, begin, down(end), depth, row)

static uint32_t value_of(const struct state_times *work, const struct record *record)
{
	uint32_t label = record->task ? work->in.nvalues : tv_label(work->in.value, record->row);

	return label == TV_NONE ? work->in.nvalues - 1 : label;
}

static void collect(struct state_times *work, uint32_t w)
{
	const struct tv_tasks *tasks = work->tasks;

	work->n = 0;
	for (uint32_t i = work->in.states.first[w]; i < work->in.states.first[w + 1]; i++) {
		uint32_t row = work->in.states.row[i];

		work->record[work->n++] = (struct record){
			work->in.start->i[row], work->in.end->i[row],
			work->in.depth == NULL || tv_missing(work->in.depth, row)
				? 0
				: work->in.depth->i[row],
			row, false
		};
	}
	for (uint32_t i = work->in.of == TV_STATES_OF_WORKERS ? work->executions.first[w] : 0;
	     work->in.of == TV_STATES_OF_WORKERS && i < work->executions.first[w + 1]; i++) {
		uint32_t row = work->executions.row[i];

		work->record[work->n++] = (struct record){ tasks->start[row], tasks->end[row], 0,
							   row, true };
	}
	qsort(work->record, work->n, sizeof *work->record, by_nesting);
}

/* The record that shows at t: a task (with --inside the innermost state, if that lies in the task), else
 * the innermost state; NULL if there is none. */
static const struct record *showing(struct state_times *work, int64_t t)
{
	const struct record *shown[2] = { NULL };

	for (int of_tasks = 1; of_tasks >= 0; of_tasks--) {
		const uint32_t *open = work->open[of_tasks];
		uint32_t *n = &work->nopen[of_tasks];

		while (*n > 0 && work->record[open[*n - 1]].end <= t)
			--*n;
		if (*n > 0)
			shown[of_tasks] = &work->record[open[*n - 1]];
	}
	if (shown[1] == NULL
	    || (work->inside && shown[0] != NULL && shown[0]->begin >= shown[1]->begin
		&& shown[0]->end <= shown[1]->end))
		return shown[0];
	return shown[1];
}

/* ---- pieces and times ---- */

static void clip(const struct state_times *work, int64_t *begin, int64_t *end)
{
	*begin = *begin > work->begin ? *begin : work->begin;
	*end = *end < work->finish ? *end : work->finish;
}

static void write_piece(struct state_times *work, uint32_t w, const struct record *record,
			int64_t begin, int64_t end)
{
	struct tv_column *const *to = work->out->col;
	const struct tv_tasks *tasks = work->tasks;
	const uint32_t *value = record->task ? tasks->value : work->in.value->u;
	uint32_t row;

	if (work->window)
		clip(work, &begin, &end);
	if (begin > end || (begin == end && record->begin < record->end))
		return;
	row = tv_table_add_row(work->out);
	tv_set_label(to[RESOURCE], row, work->in.thread[w].resource);
	tv_set_label(to[RTYPE], row, work->in.type[work->in.thread[w].type].label);
	tv_set_label(to[TYPE], row, work->in.thread[w].states);
	tv_set_text(to[NATURE], row, natures[record->task ? TASK : STATE]);
	tv_set_label(to[VALUE], row, value == NULL ? TV_NONE : value[record->row]);
	tv_set_int(to[START], row, begin);
	tv_set_int(to[END], row, end);
	if (record->task && tasks->job != NULL)
		tv_set_label(to[JOB], row, tasks->job[record->row]);
}

/* The record shows on worker w from begin to end. */
static void add_piece(struct state_times *work, uint32_t w, const struct record *record,
		      int64_t begin, int64_t end)
{
	if (work->by == BY_PIECE) {
		write_piece(work, w, record, begin, end);
		return;
	}
	clip(work, &begin, &end);
	if (begin < end)
		work->tally[value_of(work, record)].time += end - begin;
}

static void count_record(struct state_times *work, const struct record *record)
{
	if (record->begin <= work->finish && record->end >= work->begin)
		work->tally[value_of(work, record)].records++;
}

/* Every instant of the worker belongs to at most one record. */
static void sweep(struct state_times *work, uint32_t w)
{
	const struct record *last = NULL;
	int64_t since = 0, t;

	collect(work, w);
	t = work->n > 0 ? work->record[0].begin : 0;
	work->nopen[0] = work->nopen[1] = 0;
	for (uint32_t i = 0;;) {
		const struct record *now;

		for (; i < work->n && work->record[i].begin <= t; i++) {
			bool task = work->record[i].task;

			count_record(work, &work->record[i]);
			if (work->instants && !task && work->record[i].begin == work->record[i].end)
				write_piece(work, w, &work->record[i], t, t);
			work->open[task][work->nopen[task]++] = i;
		}
		now = showing(work, t);
		if (now != last) {
			if (last != NULL)
				add_piece(work, w, last, since, t);
			last = now;
			since = t;
		}
		if (now == NULL && i == work->n)
			return;
		t = now == NULL || (i < work->n && work->record[i].begin < now->end)
			  ? work->record[i].begin
			  : now->end;
	}
}

/* ---- shares ---- */

static void write_share(struct state_times *work, uint32_t w, enum nature nature, uint32_t value,
			struct tally tally, tv_int128 whole)
{
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);

	if (work->by == BY_WORKER)
		tv_set_label(to[RESOURCE], row, work->in.thread[w].resource);
	tv_set_label(to[RTYPE], row, work->in.type[work->in.thread[w].type].label);
	tv_set_label(to[TYPE], row, work->in.thread[w].states);
	tv_set_text(to[NATURE], row, natures[nature]);
	tv_set_label(to[VALUE], row, value);
	if (nature != NONE)
		tv_set_int(to[RECORDS], row, tally.records);
	tv_set_int(to[TIME], row, tv_sum_ns(tally.time));
	tv_set_double(to[SHARE], row, whole > 0 ? 100 * (double)tally.time / (double)whole : 0);
}

/* The tallies of worker w, or of its type, `workers` of them; empties them. */
static void write_shares(struct state_times *work, uint32_t w, uint32_t workers)
{
	tv_int128 whole = (tv_int128)(work->finish - work->begin) * workers;
	struct tally rest = { 0, whole }, *task = &work->tally[work->in.nvalues];

	for (uint32_t k = 0; k < work->in.norder; k++) {
		uint32_t value = work->in.order[k];
		struct tally *tally = &work->tally[value];

		rest.time -= tally->time;
		if (tally->records > 0)
			write_share(work, w, STATE, value == work->in.nvalues - 1 ? TV_NONE : value,
				    *tally, whole);
		*tally = (struct tally){ 0 };
	}
	rest.time -= task->time;
	if (work->in.of == TV_STATES_OF_WORKERS)
		write_share(work, w, TASK, TV_NONE, *task, whole);
	write_share(work, w, NONE, TV_NONE, rest, whole);
	*task = (struct tally){ 0 };
}

static void sweep_threads(struct state_times *work)
{
	for (uint32_t w = 0; w < work->in.nthreads; w++) {
		sweep(work, w);
		if (work->by == BY_WORKER)
			write_shares(work, w, 1);
	}
}

static void sweep_types(struct state_times *work)
{
	for (uint32_t r = 0; r < work->in.ntypes; r++) {
		uint32_t any = TV_NONE;

		for (uint32_t w = 0; w < work->in.nthreads; w++) {
			if (work->in.thread[w].type != r)
				continue;
			any = w;
			sweep(work, w);
		}
		if (any != TV_NONE)
			write_shares(work, any, work->in.type[r].nthreads);
	}
}

/* ---- set up ---- */

/* From the first state to the last; none: an empty interval. */
static struct tv_span states_span(const struct state_times *work)
{
	struct tv_span span = { INT64_MAX, INT64_MIN };

	for (uint32_t row = 0; row < work->in.table->nrows; row++) {
		if (tv_missing(work->in.start, row) || tv_missing(work->in.end, row))
			continue;
		if (work->in.start->i[row] < span.begin)
			span.begin = work->in.start->i[row];
		if (work->in.end->i[row] > span.end)
			span.end = work->in.end->i[row];
	}
	return span;
}

/* From the first task to the last, without tasks the first state to the last; or the window, also where only states are. */
static int find_interval(struct state_times *work, struct tv_run *run, struct tv_error *err)
{
	const struct tv_window *window = &run->window;
	const struct tv_tasks *tasks = &run->tasks;
	struct tv_span of = states_span(work);

	if (tasks->ncounted > 0
	    && (window->begin == INT64_MIN ? window->end > tasks->begin : tasks->begin < of.begin))
		of.begin = tasks->begin;
	if (tasks->ncounted > 0
	    && (window->end == INT64_MAX ? window->begin < tasks->finish : tasks->finish > of.end))
		of.end = tasks->finish;
	work->begin = of.begin > window->begin ? of.begin : window->begin;
	work->finish = of.end < window->end ? of.end : window->end;
	if (window->set && work->begin >= work->finish)
		return tv_fail_usage(err, "no part of the run lies between --begin and --end");
	return 0;
}

static int prepare(struct state_times *work, struct tv_run *run, enum tv_states_of of,
		   struct tv_error *err)
{
	uint32_t max;

	if (tv_state_threads_init(&work->in, run, of, err) < 0 || find_interval(work, run, err) < 0)
		return -1;
	tv_tasks_by_worker(work->tasks, work->tasks->executed, &work->executions);
	max = tv_groups_max(&work->in.states) + tv_groups_max(&work->executions);
	work->record = tv_alloc(max, sizeof *work->record);
	work->open[0] = tv_alloc(max, sizeof *work->open[0]);
	work->open[1] = tv_alloc(max, sizeof *work->open[1]);
	work->tally = tv_alloc((size_t)work->in.nvalues + 1, sizeof *work->tally);
	return 0;
}

struct asked {
	enum by by;
	enum tv_states_of of;
	bool inside, instants;
};

static int run_states(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct state_times work = { .tasks = tv_run_part(run),
				    .window = run->window.set,
				    .by = asked->by,
				    .inside = asked->inside,
				    .instants = asked->by == BY_PIECE && asked->instants,
				    .out = out };
	int rc;

	tv_warn_left_out(run);
	rc = prepare(&work, run, asked->of, err);
	if (rc == 0 && work.by == BY_TYPE)
		sweep_types(&work);
	else if (rc == 0)
		sweep_threads(&work);
	tv_state_threads_release(&work.in);
	tv_groups_release(&work.executions);
	tv_free(work.record);
	tv_free(work.open[0]);
	tv_free(work.open[1]);
	tv_free(work.tally);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "type|worker|piece", "type",
	  "shares for each worker type or worker, or each piece of time", TV_OPTION_CHOICE,
	  TV_ASKED(by) },
	{ "of", "workers|communication|all", "workers",
	  "states of workers (where these have none: of all resources), of the threads for "
	  "communication between nodes, or of all resources",
	  TV_OPTION_CHOICE, TV_ASKED(of) },
	{ "inside", NULL, NULL, "a state that lies in a task shows instead of the task",
	  TV_ASKED(inside) },
	{ "instants", NULL, NULL, "with --by piece: also states that take no time",
	  TV_ASKED(instants) },
};

const struct tv_pass tv_pass_states = {
	.name = "states",
	.summary = "Time in runtime states, by worker type or worker",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_SUMMARY,
	.ranked = "Time",
	.sums = true,
	.taskless = true,
	.needs = "states calls",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"Every instant of a worker belongs to one record: to a task (of any kind) if\n"
		"one runs, else to the innermost state, i.e. the one that started last; of those\n"
		"that started together the one that ends first, then the deepest. So the shares\n"
		"of a worker add up to 100 with `none`, time without any record. They refer to\n"
		"[first Start, last End] of the tasks (without any: of the states), or to the\n"
		"window, where tasks or states are. With --inside the innermost state shows "
		"instead of a task if it starts\n"
		"and ends within it.\n"
		"piece: one row for each uninterrupted piece of time, of the whole trace or the\n"
		"window. States of other threads do not count.\n"
		"communication: threads with states of the Type '" TV_COMMUNICATION_STATES "'\n"
		"(StarPU-MPI), by natural order; worker then means such a thread, and there are\n"
		"no tasks. With --node those of these nodes. In a trace without such states, "
		"threads\n"
		"with MPI calls; the name is then the class of a call (table calls).\n"
		"all: all resources with states, without tasks: processes and hosts of SimGrid's,\n"
		"Akypuera's or an own trace; states of each Type are apart. Also where no worker\n"
		"has states.\n"
		"Source: ours; StarVZ draws overlapping states over each other.",
	.example = "traceviz states data/cholesky-paje",
	.run = run_states,
};
