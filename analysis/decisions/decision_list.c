/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decision_list.c -- decisions of a scheduler joined with their events, executions and candidates. */
#include "analysis/decisions/decision_list.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

static const char kept; /* key of tv_run_keep */

enum what { POP, START, END, NWHATS };

/* Something that happened to a job; by the scheduler's order, or by time. */
struct happening {
	uint32_t job, resource;
	enum what what;
	int64_t order, time;
};

struct decision_joining {
	struct tv_run *run;
	struct tv_decisions *d;
	struct happening *event; /* by job and order */
	uint32_t nevents;
	uint32_t *by_job; /* decisions by job and order */
	bool ordered;	  /* both tables have Order */
};

/* ---- reading ---- */

static uint32_t place_of(struct tv_decisions *d, uint32_t label)
{
	uint32_t place = label == TV_NONE ? TV_NONE : tv_index_get(&d->worker_of, label);

	if (label == TV_NONE || place != TV_NONE)
		return place;
	d->worker = tv_realloc(d->worker, d->nworkers + 1, sizeof *d->worker);
	d->worker[d->nworkers] = label;
	tv_index_set(&d->worker_of, label, d->nworkers);
	return d->nworkers++;
}

static bool all_there(const struct tv_table *table, const struct tv_column *column)
{
	for (uint32_t row = 0; column != NULL && row < table->nrows; row++)
		if (tv_missing(column, row))
			return false;
	return column != NULL;
}

static void find_columns(struct tv_decisions *d, const struct tv_trace *trace)
{
	const struct tv_table *decisions = &trace->table[TV_DECISIONS];
	const struct tv_table *candidates = &trace->table[TV_CANDIDATES];

	d->of = (struct tv_decision_columns){
		.value = tv_table_in_short(decisions, "Value"),
		.chosen = tv_table_in_short(decisions, "ResourceId"),
		.length = tv_table_in_short(decisions, "Length"),
		.transfer = tv_table_in_short(decisions, "Transfer"),
		.expected_start = tv_table_in_short(decisions, "ExpectedStart"),
		.expected_end = tv_table_in_short(decisions, "ExpectedEnd"),
		.fitness = tv_table_in_short(decisions, "Fitness"),
		.best_end = tv_table_in_short(decisions, "BestEnd"),
		.runner_up = tv_table_in_short(decisions, "RunnerUp"),
		.margin = tv_table_in_short(decisions, "Margin"),
		.nature = tv_table_in_short(decisions, "Nature"),
		.flag = tv_table_in_short(decisions, "Flag"),
		.impl = tv_table_in_short(decisions, "Impl"),
	};
	d->candidate = (struct tv_candidate_columns){
		.resource = tv_table_in_short(candidates, "ResourceId"),
		.available = tv_table_in_short(candidates, "Available"),
		.length = tv_table_in_short(candidates, "Length"),
		.transfer = tv_table_in_short(candidates, "Transfer"),
		.energy = tv_table_in_short(candidates, "Energy"),
		.start = tv_table_in_short(candidates, "ExpectedStart"),
		.end = tv_table_in_short(candidates, "ExpectedEnd"),
		.fitness = tv_table_in_short(candidates, "Fitness"),
		.queue_tasks = tv_table_in_short(candidates, "QueueTasks"),
		.queue_length = tv_table_in_short(candidates, "QueueLength"),
		.pipeline = tv_table_in_short(candidates, "PipelineLength"),
		.chosen = tv_table_in_short(candidates, "Chosen"),
		.impl = tv_table_in_short(candidates, "Impl"),
	};
}

TV_ORDER(by_time, struct tv_decision, order, row)

/* The decisions, in the order in which they were made. */
static void read_decisions(struct decision_joining *work)
{
	const struct tv_table *table = &work->run->trace->table[TV_DECISIONS];
	const struct tv_column *job = tv_table_find(table, "JobId");
	const struct tv_column *time = tv_table_find(table, "Time");
	const struct tv_column *order = tv_table_find(table, "Order");
	const struct tv_column *priority = tv_table_find(table, "Priority");
	const struct tv_column *number = tv_table_find(table, "Decision");
	struct tv_decisions *d = work->d;

	d->at = tv_alloc(table->nrows, sizeof *d->at);
	for (uint32_t row = 0; row < table->nrows; row++) {
		if (tv_missing(time, row) || tv_label(job, row) == TV_NONE)
			continue;
		d->at[d->n++] = (struct tv_decision){
			.row = row,
			.job = tv_label(job, row),
			.worker = place_of(d, tv_cell_label(d->of.chosen, row)),
			.task = TV_NONE,
			.number = tv_cell_int(number, row, TV_NO_TIME),
			.priority = tv_cell_int(priority, row, 0),
			.order = work->ordered ? order->i[row] : time->i[row],
			.time = time->i[row],
			.popped = TV_NO_TIME,
			.started = TV_NO_TIME,
			.ended = TV_NO_TIME,
			.pop_order = INT64_MAX,
			.start_order = INT64_MAX,
			.end_order = INT64_MAX,
		};
	}
	qsort(d->at, d->n, sizeof *d->at, by_time);
}

TV_ORDER(by_job_order, struct happening, job, order, what)

static void read_events(struct decision_joining *work)
{
	static const char *const name[] = { "pop", "start", "end" };
	const struct tv_trace *trace = work->run->trace;
	const struct tv_table *table = tv_trace_table(trace, TV_EVENTS);
	const struct tv_column *type = tv_table_find(table, "Type");
	const struct tv_column *job = tv_table_find(table, "JobId");
	const struct tv_column *time = tv_table_find(table, "Time");
	const struct tv_column *order = tv_table_find(table, "Order");
	const struct tv_column *resource = tv_table_find(table, "ResourceId");
	uint32_t label[NWHATS];

	_Static_assert(TV_COUNT(name) == NWHATS, "a name for each");
	work->event = tv_alloc(table->nrows, sizeof *work->event);
	for (int what = 0; what < NWHATS; what++)
		label[what] = tv_pool_find_text(trace->pool, name[what]);
	for (uint32_t row = 0; type != NULL && job != NULL && row < table->nrows; row++) {
		uint32_t is = tv_label(type, row);
		int what = 0;

		while (what < NWHATS && (label[what] == TV_NONE || label[what] != is))
			what++;
		if (what == NWHATS || tv_label(job, row) == TV_NONE || tv_missing(time, row))
			continue;
		work->event[work->nevents++] = (struct happening){
			.job = tv_label(job, row),
			.resource = tv_cell_label(resource, row),
			.what = (enum what)what,
			.order = work->ordered ? order->i[row] : time->i[row],
			.time = time->i[row],
		};
	}
	qsort(work->event, work->nevents, sizeof *work->event, by_job_order);
}

/* Whether the decisions and all pops, starts and ends have an Order. */
static bool have_order(const struct tv_trace *trace)
{
	const struct tv_table *decisions = &trace->table[TV_DECISIONS];
	const struct tv_table *events = tv_trace_table(trace, TV_EVENTS);
	const struct tv_column *job = tv_table_find(events, "JobId");
	const struct tv_column *order = tv_table_find(events, "Order");

	if (!all_there(decisions, tv_table_find(decisions, "Order")))
		return false;
	for (uint32_t row = 0; job != NULL && row < events->nrows; row++)
		if (tv_label(job, row) != TV_NONE && (order == NULL || tv_missing(order, row)))
			return false;
	return true;
}

/* ---- joining ---- */

static int by_job(const void *a, const void *b, void *data)
{
	const struct tv_decision *at = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return at[x].job != at[y].job ? TV_COMPARE(at[x].job, at[y].job) : TV_COMPARE(x, y);
}

/* An event that follows a decision: the last pop before the first start, the first end behind it. */
static void take(struct tv_decisions *d, struct tv_decision *decision, const struct happening *h)
{
	if (h->what == POP && decision->started == TV_NO_TIME) {
		decision->popped = h->time;
		decision->pop_order = h->order;
	} else if (h->what == START && decision->started == TV_NO_TIME) {
		uint32_t worker = place_of(d, h->resource);

		decision->started = h->time;
		decision->start_order = h->order;
		decision->worker = worker != TV_NONE ? worker : decision->worker;
	} else if (h->what == END && decision->started != TV_NO_TIME
		   && decision->ended == TV_NO_TIME) {
		decision->ended = h->time;
		decision->end_order = h->order;
	}
}

static void join_events(struct decision_joining *work)
{
	struct tv_decisions *d = work->d;
	uint32_t e = 0;
	int64_t nth = 0;

	work->by_job = tv_alloc(d->n, sizeof *work->by_job);
	for (uint32_t i = 0; i < d->n; i++)
		work->by_job[i] = i;
	qsort_r(work->by_job, d->n, sizeof *work->by_job, by_job, d->at);
	for (uint32_t k = 0; k < d->n; k++) {
		struct tv_decision *decision = &d->at[work->by_job[k]];
		const struct tv_decision *next = k + 1 < d->n ? &d->at[work->by_job[k + 1]] : NULL;
		const struct tv_decision *before = k > 0 ? &d->at[work->by_job[k - 1]] : NULL;
		bool more = next != NULL && next->job == decision->job;

		nth = before != NULL && before->job == decision->job ? nth + 1 : 1;
		if (decision->number == TV_NO_TIME)
			decision->number = nth;
		while (e < work->nevents
		       && (work->event[e].job < decision->job
			   || (work->event[e].job == decision->job
			       && work->event[e].order < decision->order)))
			e++;
		while (e < work->nevents && work->event[e].job == decision->job
		       && (!more || work->event[e].order < next->order))
			take(d, decision, &work->event[e++]);
	}
}

/* Executions of jobs: rows of tasks by job and start. */
struct execution {
	uint32_t job, row;
	int64_t start;
};

TV_ORDER(by_job_start, struct execution, job, start, row)

/* What the events lack: of the execution. */
static void complete(struct tv_decisions *d, const struct tv_tasks *tasks,
		     struct tv_decision *decision)
{
	uint32_t row = decision->task;

	if (decision->started != TV_NO_TIME)
		return;
	decision->started = tasks->start[row];
	decision->ended = tasks->end[row];
	decision->worker = place_of(d, tasks->workers[tasks->worker[row]].resource);
}

static void join_tasks(struct decision_joining *work)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	struct execution *execution = tv_alloc(tasks->n, sizeof *execution);
	struct tv_decisions *d = work->d;
	uint32_t n = 0;

	d->of_task = tv_alloc(tasks->n, sizeof *d->of_task);
	for (uint32_t row = 0; row < tasks->n; row++) {
		d->of_task[row] = TV_NONE;
		if (tasks->executed[row] && tv_row_begins(tasks, row) && tasks->job != NULL
		    && tasks->job[row] != TV_NONE)
			execution[n++] = (struct execution){ tasks->job[row], row,
							     tasks->start[row] };
	}
	qsort(execution, n, sizeof *execution, by_job_start);
	for (uint32_t k = 0, e = 0; k < d->n; k++) {
		struct tv_decision *decision = &d->at[work->by_job[k]];

		while (e < n && execution[e].job < decision->job)
			e++;
		if (e == n || execution[e].job != decision->job)
			continue;
		decision->task = execution[e].row;
		d->of_task[execution[e].row] = work->by_job[k];
		complete(d, tasks, decision);
		e++;
	}
	tv_free(execution);
}

/* Pops of the trace itself, for decisions that have started and no pop. */
static void join_pops(struct decision_joining *work)
{
	const struct tv_trace *trace = work->run->trace;
	const struct tv_table *table = tv_trace_table(trace, TV_EVENTS);
	const struct tv_column *type = tv_table_find(table, "Type");
	const struct tv_column *job = tv_table_find(table, "Value");
	const struct tv_column *time = tv_table_find(table, "Time");
	uint32_t label = tv_pool_find_text(trace->pool, "Task Pop");
	struct tv_index first = { 0 };

	if (type == NULL || job == NULL || time == NULL || label == TV_NONE)
		return;
	for (uint32_t k = work->d->n; k-- > 0;)
		tv_index_set(&first, work->d->at[work->by_job[k]].job, k);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t k;

		if (tv_label(type, row) != label || tv_missing(time, row)
		    || tv_label(job, row) == TV_NONE)
			continue;
		for (k = tv_index_get(&first, tv_label(job, row));
		     k != TV_NONE && k < work->d->n
		     && work->d->at[work->by_job[k]].job == tv_label(job, row);
		     k++) {
			struct tv_decision *at = &work->d->at[work->by_job[k]];

			if (at->pop_order == INT64_MAX && at->started != TV_NO_TIME
			    && time->i[row] >= at->time && time->i[row] <= at->started
			    && time->i[row] > at->popped)
				at->popped = time->i[row];
		}
	}
	tv_free(first.at);
}

/* Decisions by job and number; with TV_NO_TIME the first about a job. TV_NONE: several have that number. */
static void number_decisions(const struct tv_decisions *d, struct tv_map *map)
{
	for (uint32_t i = 0; i < d->n; i++) {
		uint64_t job = d->at[i].job, number = (uint64_t)d->at[i].number;
		uint32_t *first = tv_map_at(map, job, (uint64_t)TV_NO_TIME);

		if (*first == TV_NONE)
			*first = i;
		tv_map_put(map, job, number, tv_map_get(map, job, number) == NULL ? i : TV_NONE);
	}
}

struct candidate {
	uint32_t worker, row; /* worker: place in tv_decisions.worker */
	int64_t impl;
};

TV_ORDER(by_worker, struct candidate, worker, impl, row)

/* Candidates of a decision: by worker and implementation, whatever the order of the table is. room: for all of them. */
static void sort_candidates(const struct tv_decisions *d, uint32_t decision, struct candidate *room)
{
	uint32_t *row = d->candidates.row + d->candidates.first[decision];
	uint32_t n = d->candidates.first[decision + 1] - d->candidates.first[decision];
	bool sorted = true;

	for (uint32_t k = 0; k < n; k++) {
		uint32_t label = tv_cell_label(d->candidate.resource, row[k]);

		room[k] = (struct candidate){ tv_index_get(&d->worker_of, label), row[k],
					      tv_cell_int(d->candidate.impl, row[k], 0) };
		sorted = sorted && (k == 0 || by_worker(&room[k - 1], &room[k]) < 0);
	}
	if (sorted)
		return;
	qsort(room, n, sizeof *room, by_worker);
	for (uint32_t k = 0; k < n; k++)
		row[k] = room[k].row;
}

static void join_candidates(struct decision_joining *work)
{
	const struct tv_table *table = &work->run->trace->table[TV_CANDIDATES];
	const struct tv_column *job = tv_table_find(table, "JobId");
	const struct tv_column *number = tv_table_in_short(table, "Decision");
	struct tv_decisions *d = work->d;
	struct candidate *room;
	uint32_t *group = tv_alloc(table->nrows, sizeof *group), last = TV_NONE;
	uint64_t last_job = UINT64_MAX, last_number = 0;
	struct tv_map map = { 0 };

	number_decisions(d, &map);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint64_t a = tv_label(job, row), b = (uint64_t)tv_cell_int(number, row, TV_NO_TIME);

		if (a != last_job || b != last_number) {
			const uint32_t *found = tv_map_get(&map, a, b);

			last_job = a;
			last_number = b;
			last = found == NULL ? TV_NONE : *found;
		}
		group[row] = last;
		d->unplaced += last == TV_NONE;
	}
	tv_groups_init(&d->candidates, group, table->nrows, d->n);
	tv_map_release(&map);
	tv_free(group);
	room = tv_alloc(tv_groups_max(&d->candidates), sizeof *room);
	for (uint32_t i = 0; i < d->n; i++)
		sort_candidates(d, i, room);
	tv_free(room);
}

/* ---- executions by worker ---- */

TV_ORDER(by_start, struct tv_run_span, worker, start, end, order)

/* How many decisions had been made at a time. */
static uint32_t decided_until(const struct tv_decisions *d, int64_t time)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, d->n, d->at[i].time <= time);
	return i;
}

/* By worker: orders are twice the place of a decision, so that others have places between. */
static void collect_spans(struct tv_decisions *d, const struct tv_tasks *tasks)
{
	for (uint32_t i = 0; i < d->n; i++)
		if (d->at[i].started != TV_NO_TIME && d->at[i].ended != TV_NO_TIME
		    && d->at[i].worker != TV_NONE)
			d->span[d->nspans++] = (struct tv_run_span){ d->at[i].started,
								     d->at[i].ended, 2 * (int64_t)i,
								     i, d->at[i].worker };
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && d->of_task[tv_row_whole(tasks, row)] == TV_NONE)
			d->span[d->nspans++] = (struct tv_run_span){
				tasks->start[row], tasks->end[row],
				2 * (int64_t)decided_until(d, tasks->start[row]) - 1, TV_NONE,
				place_of(d, tasks->workers[tasks->worker[row]].resource)
			};
}

static void make_spans(struct tv_decisions *d, const struct tv_tasks *tasks)
{
	int64_t free = INT64_MIN, latest = -1;
	uint32_t k = 0;

	d->span = tv_alloc((size_t)d->n + tasks->n, sizeof *d->span);
	collect_spans(d, tasks);
	qsort(d->span, d->nspans, sizeof *d->span, by_start);
	d->first = tv_alloc(d->nworkers + 1, sizeof *d->first);
	for (uint32_t w = 0; w < d->nworkers; w++) {
		d->first[w] = k;
		free = INT64_MIN;
		latest = -1;
		for (; k < d->nspans && d->span[k].worker == w; k++) {
			struct tv_run_span *span = &d->span[k];

			span->start = span->start > free ? span->start : free;
			span->end = span->end > span->start ? span->end : span->start;
			free = span->end;
			d->sorted |= span->order < latest;
			latest = span->order > latest ? span->order : latest;
		}
	}
	d->first[d->nworkers] = k;
}

static void release(void *data)
{
	struct tv_decisions *d = data;

	tv_groups_release(&d->candidates);
	tv_free(d->at);
	tv_free(d->worker);
	tv_free(d->worker_of.at);
	tv_free(d->of_task);
	tv_free(d->span);
	tv_free(d->first);
	tv_free(d);
}

const struct tv_decisions *tv_run_decisions(struct tv_run *run, const char *verb,
					    struct tv_error *err)
{
	struct tv_decisions *d = tv_run_kept(run, &kept);
	const struct tv_tasks *tasks = &run->tasks;
	struct decision_joining work = { .run = run };

	if (d != NULL)
		return d;
	if (run->trace->table[TV_DECISIONS].nrows == 0) {
		tv_fail_lacks(
			err, run->trace,
			"%s: the trace has no decisions of a scheduler: record a policy of StarPU "
			"that decides, dm or one whose name begins with dmda (table decisions; a "
			"single CSV has none: see --with)",
			verb);
		return NULL;
	}
	work.d = d = tv_alloc(1, sizeof *d);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		place_of(d, tasks->workers[w].resource);
	work.ordered = have_order(run->trace);
	find_columns(d, run->trace);
	read_decisions(&work);
	read_events(&work);
	join_events(&work);
	join_tasks(&work);
	join_pops(&work);
	join_candidates(&work);
	make_spans(d, tasks);
	if (d->unplaced > 0)
		tv_run_warn(run,
			    "%u candidates have JobId and Decision of no decision, or of several: "
			    "they are left out",
			    d->unplaced);
	tv_free(work.event);
	tv_free(work.by_job);
	tv_run_keep(run, &kept, d, release);
	return d;
}

bool tv_decision_seen(const struct tv_run *run, const struct tv_decision *decision)
{
	int64_t end = decision->ended != TV_NO_TIME ? decision->ended : decision->time;

	return !run->window.set || (decision->time <= run->window.end && end >= run->window.begin);
}

uint32_t tv_candidates_kept(const struct tv_trace *trace)
{
	size_t n;
	const char *text = tv_meta_get(trace, "CandidatesKept", &n);
	int64_t max;

	return text != NULL && tv_parse_int(text, n, &max) == TV_PARSE_OK && max >= 0
			    && max < UINT32_MAX
		     ? (uint32_t)max
		     : UINT32_MAX;
}
