/* SPDX-License-Identifier: GPL-3.0-or-later */
/* states.c -- what the runtime did on each worker outside tasks, and what its threads for
 * communication did: nested states, innermost first. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/spans.h"
#include "analysis/core/warnings.h"
#include "analysis/machine/state_times.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

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

struct states {
	struct tv_state_times times;
	enum by by;
	bool window, instants;
	struct tv_span span; /* from the first state to the last */
	struct tv_table *out;
};

static void write_piece(struct tv_state_times *times, uint32_t w,
			const struct tv_state_record *record, int64_t begin, int64_t end)
{
	const struct states *work = times->context;
	struct tv_column *const *to = work->out->col;
	const struct tv_tasks *tasks = times->tasks;
	uint32_t row;

	if (work->window && begin < times->begin)
		begin = times->begin;
	if (work->window && end > times->finish)
		end = times->finish;
	if (begin > end || (begin == end && (record->begin < record->end || !work->instants)))
		return;
	row = tv_table_add_row(work->out);
	tv_set_label(to[RESOURCE], row, times->in.thread[w].resource);
	tv_set_label(to[RTYPE], row, times->in.type[times->in.thread[w].type].label);
	tv_set_label(to[TYPE], row, times->in.thread[w].states);
	tv_set_text(to[NATURE], row, natures[record->task ? TASK : STATE]);
	tv_set_label(to[VALUE], row, record->task ? tasks->value[record->row] : record->value);
	tv_set_int(to[START], row, begin);
	tv_set_int(to[END], row, end);
	if (record->task && tasks->job != NULL)
		tv_set_label(to[JOB], row, tasks->job[record->row]);
}

/* ---- shares ---- */

/* The tallies of a thread, or of a type. */
struct sorting {
	const struct states *work;
	const uint32_t *group; /* by thread */
};

static int by_value(const struct tv_pool *pool, uint32_t a, uint32_t b)
{
	if (a == TV_NONE || b == TV_NONE)
		return TV_COMPARE(a, b);
	return tv_natural_order(tv_pool_text(pool, a), tv_pool_text(pool, b));
}

static int by_group(const void *a, const void *b, void *data)
{
	const struct tv_state_tally *x = a, *y = b;
	const struct sorting *sorting = data;
	uint32_t gx = sorting->group[x->thread], gy = sorting->group[y->thread];

	if (gx != gy || x->task != y->task)
		return gx != gy ? TV_COMPARE(gx, gy) : TV_COMPARE(x->task, y->task);
	return by_value(sorting->work->times.run->trace->pool, x->value, y->value);
}

static void write_share(struct states *work, uint32_t w, enum nature nature, uint32_t value,
			struct tv_state_tally tally, tv_int128 whole)
{
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);

	if (work->by == BY_WORKER)
		tv_set_label(to[RESOURCE], row, work->times.in.thread[w].resource);
	tv_set_label(to[RTYPE], row, work->times.in.type[work->times.in.thread[w].type].label);
	tv_set_label(to[TYPE], row, work->times.in.thread[w].states);
	tv_set_text(to[NATURE], row, natures[nature]);
	tv_set_label(to[VALUE], row, value);
	if (nature != NONE)
		tv_set_int(to[RECORDS], row, tally.records);
	tv_set_int(to[TIME], row, tv_sum_ns(tally.time));
	tv_set_double(to[SHARE], row, whole > 0 ? 100 * (double)tally.time / (double)whole : 0);
}

/* The sorted tallies of thread w, or of its type, `workers` of them. */
static void write_shares(struct states *work, uint32_t w, uint32_t workers,
			 const struct tv_state_tally *tally, uint32_t n)
{
	tv_int128 whole = (tv_int128)(work->times.finish - work->times.begin) * workers;
	struct tv_state_tally rest = { .time = whole }, tasks = { 0 };

	for (uint32_t i = 0; i < n;) {
		struct tv_state_tally sum = tally[i++];

		for (; i < n && tally[i].task == sum.task && tally[i].value == sum.value; i++) {
			sum.records += tally[i].records;
			sum.time += tally[i].time;
		}
		rest.time -= sum.time;
		if (sum.task)
			tasks = sum;
		else if (sum.records > 0)
			write_share(work, w, STATE, sum.value, sum, whole);
	}
	if (work->times.in.of == TV_STATES_OF_WORKERS)
		write_share(work, w, TASK, TV_NONE, tasks, whole);
	write_share(work, w, NONE, TV_NONE, rest, whole);
}

/* A row for each value of each thread, or of each type of them that has any. */
static void write_groups(struct states *work)
{
	const struct tv_state_threads *in = &work->times.in;
	uint32_t n = work->by == BY_TYPE ? in->ntypes : in->nthreads, at = 0;
	uint32_t *group = tv_alloc(in->nthreads, sizeof *group), *any = tv_alloc(n, sizeof *any);
	const struct sorting sorting = { work, group };

	for (uint32_t g = 0; g < n; g++)
		any[g] = TV_NONE;
	for (uint32_t i = 0; i < in->nthreads; i++) {
		uint32_t w = in->order[i];

		group[w] = work->by == BY_TYPE ? in->thread[w].type : i;
		any[group[w]] = w;
	}
	if (work->times.ntallies > 1)
		qsort_r(work->times.tally, work->times.ntallies, sizeof *work->times.tally,
			by_group, (void *)(uintptr_t)&sorting);
	for (uint32_t g = 0, first; g < n; g++) {
		for (first = at;
		     at < work->times.ntallies && group[work->times.tally[at].thread] == g; at++)
			;
		if (any[g] != TV_NONE)
			write_shares(work, any[g], work->by == BY_TYPE ? in->type[g].nthreads : 1,
				     at > first ? &work->times.tally[first] : NULL, at - first);
	}
	tv_free(group);
	tv_free(any);
}

/* ---- the interval ---- */

static int add_span(void *state, struct tv_run *part, struct tv_error *err)
{
	struct states *work = state;
	struct tv_state_threads in = { .of = work->times.in.of };

	(void)err;
	tv_state_threads_table(&in, part->trace);
	for (uint32_t row = 0; row < in.table->nrows; row++) {
		if (tv_missing(in.start, row) || tv_missing(in.end, row))
			continue;
		if (in.start->i[row] < work->span.begin)
			work->span.begin = in.start->i[row];
		if (in.end->i[row] > work->span.end)
			work->span.end = in.end->i[row];
	}
	return 0;
}

static void merge_span(struct states *work, const struct tv_team *team)
{
	uint64_t *begin = tv_team_numbers(team, (uint64_t)work->span.begin),
		 *end = tv_team_numbers(team, (uint64_t)work->span.end);

	for (uint32_t k = 0; k < team->size; k++) {
		if ((int64_t)begin[k] < work->span.begin)
			work->span.begin = (int64_t)begin[k];
		if ((int64_t)end[k] > work->span.end)
			work->span.end = (int64_t)end[k];
	}
	tv_free(begin);
	tv_free(end);
}

/* From the first task to the last, without tasks the first state to the last; or the window, also where only states are. */
static int find_interval(struct states *work, struct tv_error *err)
{
	const struct tv_window *window = &work->times.run->window;
	const struct tv_tasks *tasks = &work->times.run->tasks;
	struct tv_span of;
	bool wanted = tasks->ncounted == 0 || window->set;

	work->span = (struct tv_span){ INT64_MAX, INT64_MIN };
	if (wanted && tv_run_rows(work->times.run, add_span, work, err) < 0)
		return -1;
	if (wanted && work->times.run->team != NULL)
		merge_span(work, work->times.run->team);
	of = work->span;
	if (tasks->ncounted > 0
	    && (window->begin == INT64_MIN ? window->end > tasks->begin : tasks->begin < of.begin))
		of.begin = tasks->begin;
	if (tasks->ncounted > 0
	    && (window->end == INT64_MAX ? window->begin < tasks->finish : tasks->finish > of.end))
		of.end = tasks->finish;
	work->times.begin = of.begin > window->begin ? of.begin : window->begin;
	work->times.finish = of.end < window->end ? of.end : window->end;
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
	struct states work = {
		.times = { .run = run, .in = { .of = asked->of }, .inside = asked->inside },
		.by = asked->by,
		.window = run->window.set,
		.instants = asked->instants,
		.out = out
	};
	int rc;

	tv_warn_left_out(run);
	if (work.by == BY_PIECE)
		work.times.piece = write_piece;
	work.times.context = &work;
	rc = find_interval(&work, err);
	if (rc == 0)
		rc = tv_state_times_add(&work.times, asked->of, err);
	if (rc == 0 && work.window && work.times.begin >= work.times.finish)
		rc = tv_fail_usage(err, "no part of the run lies between --begin and --end");
	if (rc == 0 && work.by != BY_PIECE)
		write_groups(&work);
	tv_state_times_release(&work.times);
	return rc;
}

/* The value of the n-th option. */
static bool is_option(const struct tv_options *options, size_t n, const char *value)
{
	return strcmp(tv_option_value(options, n), value) == 0;
}

static bool is_in_parts(const struct tv_options *options)
{
	return !is_option(options, 0, "piece") && !is_option(options, 1, "communication");
}

static const char *list_columns(const struct tv_options *options)
{
	return is_option(options, 0, "piece") ? "JobId" : "";
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
	.refuses_tasks = true,
	.columns = "",
	.more_columns = list_columns,
	.in_parts = is_in_parts,
	.unordered = true,
	.beside = 20,
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
