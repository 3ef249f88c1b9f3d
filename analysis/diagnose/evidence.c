/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.c -- why a task took longer than others of its type. */
#include "analysis/diagnose/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/calls/thread_time.h"
#include "analysis/core/columns.h"
#include "analysis/core/lateness.h"
#include "analysis/core/processors.h"
#include "analysis/core/slow_times.h"
#include "analysis/core/statistics.h"
#include "analysis/core/two_sums.h"
#include "analysis/diagnose/judged.h"
#include "trace/sorted.h"

/* What a measure of work says: a long task has this much of it, against what the duration says. */
static const double explains = 0.5, does_not = 0.25;
enum { WORKER_MIN = 5 };

static bool cell(const struct tv_column *column, uint32_t row, double *value)
{
	return column != NULL && tv_cell_number(column, row, value) && *value > 0;
}

static uint32_t label(const struct tv_column *column, uint32_t row)
{
	return column == NULL || tv_missing(column, row) ? TV_NONE : tv_label(column, row);
}

/* How long its thread waits during a task, by states and calls, ns. */
static double waited(const struct tv_evidence *e, uint32_t row)
{
	const struct tv_thread *thread = e->thread[e->tasks->worker[row]];

	return thread == NULL || e->tasks->whole != NULL
		     ? 0
		     : (double)tv_spans_within(
			     thread->waits, thread->nwaits,
			     (struct tv_span){ e->tasks->start[row], e->tasks->end[row] });
}

static void find_threads(struct tv_evidence *e, const struct tv_threads *threads)
{
	const struct tv_tasks *tasks = e->tasks;
	struct tv_index place = { 0 };

	e->thread = tv_alloc(tasks->nworkers, sizeof *e->thread);
	for (uint32_t i = 0; i < threads->n; i++)
		tv_index_set(&place, threads->at[i].resource, i);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t i = tv_index_get(&place, tasks->workers[w].resource);

		e->thread[w] = i == TV_NONE ? NULL : &threads->at[i];
	}
	tv_free(place.at);
}

static void add_rest(struct tv_evidence *e, uint32_t row)
{
	uint32_t *at = tv_map_at(&e->pair, e->tasks->value[row], tv_evidence_rtype(e->tasks, row));
	uint32_t layout = label(e->footprint, row);
	struct tv_rest *rest;
	double value;

	if (*at == TV_NONE) {
		TV_GROW(e->rest, e->n, e->cap, 1);
		e->rest[e->n] = (struct tv_rest){ 0 };
		*at = (uint32_t)e->n++;
	}
	rest = &e->rest[*at];
	rest->n++;
	rest->time += (double)tv_task_time(e->tasks, row);
	rest->waited += waited(e, row);
	rest->square += (double)tv_task_time(e->tasks, row) * (double)tv_task_time(e->tasks, row);
	if (cell(e->gflop, row, &value)) {
		rest->gflop += value;
		rest->ngflops++;
	}
	if (cell(e->size, row, &value)) {
		rest->size += value;
		rest->nsizes++;
	}
	if (tv_task_clock(e->tasks, e->clock, row, &value)) {
		rest->clock += value;
		rest->nclocks++;
	}
	if (layout != TV_NONE) {
		uint32_t *n = tv_map_at(&e->layout, layout, e->tasks->value[row]);

		*n = *n == TV_NONE ? 1 : *n + 1;
	}
}

/* What a task has of a measure, beyond the mean of the others, against what it took beyond theirs. */
static uint8_t compare(double own, double others, double longer)
{
	double more = own / others - 1;

	return more >= explains * longer ? TV_MORE_WORK
	     : more <= does_not * longer ? TV_LATENESS_OUTLIER
					 : TV_UNKNOWN_WORK;
}

uint8_t tv_evidence_judge(const struct tv_evidence *e, uint32_t row)
{
	const uint32_t *at = tv_map_get(&e->pair, e->tasks->value[row],
					tv_evidence_rtype(e->tasks, row));
	const struct tv_rest *rest = at == NULL ? NULL : &e->rest[*at];
	uint32_t layout = label(e->footprint, row);
	double longer, value;
	const uint32_t *same;
	uint8_t class = TV_UNKNOWN_WORK;

	if (rest == NULL || !(rest->time > 0))
		return TV_UNKNOWN_WORK;
	longer = (double)tv_task_time(e->tasks, row) - rest->time / rest->n;
	if (longer > 0 && waited(e, row) - rest->waited / rest->n >= explains * longer)
		return TV_WAITED;
	longer = (double)tv_task_time(e->tasks, row) * rest->n / rest->time - 1;
	if (tv_task_clock(e->tasks, e->clock, row, &value) && rest->nclocks > 0)
		class = compare(value, rest->clock / rest->nclocks, longer);
	/* Whatever else the trace has of its work, it took a processor no more time. */
	if (class == TV_LATENESS_OUTLIER && !e->device[e->tasks->worker[row]])
		return class;
	if (cell(e->gflop, row, &value) && rest->ngflops > 0)
		return compare(value, rest->gflop / rest->ngflops, longer);
	if (cell(e->size, row, &value) && rest->nsizes > 0
	    && compare(value, rest->size / rest->nsizes, longer) == TV_MORE_WORK)
		return TV_MORE_WORK;
	same = layout == TV_NONE ? NULL : tv_map_get(&e->layout, layout, e->tasks->value[row]);
	if (same != NULL && *same >= TV_EVIDENCE_MIN)
		return TV_LATENESS_OUTLIER;
	return class == TV_MORE_WORK ? TV_MORE_CPU : class;
}

/* Of a task during a disturbance: that many are long at once may be their work, as where the longest ones are created
 * first. outlier: whether it is long. */
static uint8_t judge_disturbed(const struct tv_evidence *e, uint32_t row, bool outlier)
{
	const uint32_t *at = tv_map_get(&e->pair, e->tasks->value[row],
					tv_evidence_rtype(e->tasks, row));
	uint8_t class = tv_evidence_judge(e, row);

	if (class == TV_LATENESS_OUTLIER
	    || (class == TV_UNKNOWN_WORK && at != NULL && tv_evidence_even(&e->rest[*at])))
		return TV_LATENESS_DISTURBANCE;
	return outlier ? class : TV_LATENESS_REST;
}

/* Whether it is known why a task is long. */
static bool is_explained(const struct tv_evidence *e, uint32_t row)
{
	uint8_t class = e->class[row] == TV_MORE_WORK ? TV_MORE_WORK : tv_evidence_judge(e, row);

	return class == TV_MORE_WORK || class == TV_WAITED;
}

/* ---- workers of which all tasks are long ---- */

static bool is_unexplained(const struct tv_evidence *e, uint32_t row)
{
	return e->class[row] == TV_UNKNOWN_WORK || e->class[row] == TV_LATENESS_OUTLIER;
}

/* Keeps those of n rows of tasks that are whole; returns how many. */
static uint32_t keep_whole(const struct tv_tasks *tasks, uint32_t *row, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (tv_evidence_whole(tasks, row[i]))
			row[kept++] = row[i];
	return kept;
}

/* Where nearly all tasks of a worker, or of all workers of a node, are long, all the time or for a time, and nearly all long tasks are
 * there, it is what is slow. row: its tasks by start; at least `least` are long then; sum: long tasks in all. */
static void judge_member(struct tv_evidence *e, const uint32_t *row, uint32_t n, uint32_t least,
			 uint32_t sum)
{
	bool *is = tv_alloc(n, sizeof *is);
	struct tv_slow_part part;

	for (uint32_t i = 0; i < n; i++)
		is[i] = is_unexplained(e, row[i]);
	part = tv_find_slow_part(is, n, 9);
	for (uint32_t i = part.from; part.longs >= least && part.longs >= 0.8 * sum && i < part.to;
	     i++)
		e->class[row[i]] = TV_LATENESS_SLOW_WORKER;
	tv_free(is);
}

/* What a worker, or those of a type on a node, that is slow for a time (tv_slow_times) runs then is slow, for all that is known; what it
 * runs before and after is not. Not where half of the tasks then have more work, or wait. */
static int judge_slow_times(struct tv_evidence *e, struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = e->tasks;
	const struct tv_slow_time *time;
	struct tv_map of = { 0 }; /* by worker, or by node and type of workers */
	uint32_t n, *explained;

	if (tv_slow_times(run, &time, &n, err) < 0)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		tv_map_put(&of, time[i].member, time[i].node ? 1 + (uint64_t)time[i].rtype : 0, i);
	explained = tv_alloc(n, sizeof *explained);
	for (int pass = 0; pass < 2 && n > 0; pass++)
		for (uint32_t row = 0; row < tasks->n; row++) {
			uint32_t w = tasks->worker[row];
			const uint32_t *i;
			bool then;

			if (!tv_evidence_whole(tasks, row))
				continue;
			i = tv_map_get(&of, w, 0);
			if (i == NULL)
				i = tv_map_get(&of, tasks->workers[w].node,
					       1 + (uint64_t)tasks->workers[w].rtype);
			if (i == NULL)
				continue;
			then = tasks->start[row] >= time[*i].begin
			    && tasks->start[row] <= time[*i].end;
			if (pass == 0)
				explained[*i] += then && is_explained(e, row);
			else if (2 * explained[*i] >= time[*i].tasks)
				continue;
			else if (!then && e->class[row] == TV_LATENESS_SLOW_WORKER)
				e->class[row] = TV_LATENESS_REST;
			else if (then && !is_explained(e, row))
				e->class[row] = TV_LATENESS_SLOW_WORKER;
		}
	tv_map_release(&of);
	tv_free(explained);
	return 0;
}

struct begun {
	int64_t start;
	uint32_t row;
};

TV_ORDER(by_begin, struct begun, start, row)

/* The node with most long tasks, of `sum` in all: it is slow if two tasks per worker are long at one time. */
static void judge_node(struct tv_evidence *e, uint32_t sum)
{
	const struct tv_tasks *tasks = e->tasks;
	uint32_t *longs = tv_alloc(tasks->nnodes, sizeof *longs), worst = 0, n = 0, workers = 0;
	struct begun *own;
	uint32_t *rows;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_evidence_whole(tasks, row))
			longs[tasks->workers[tasks->worker[row]].node] += is_unexplained(e, row);
	for (uint32_t node = 1; node < tasks->nnodes; node++)
		worst = longs[node] > longs[worst] ? node : worst;
	if (longs[worst] < 0.8 * sum) {
		tv_free(longs);
		return;
	}
	own = tv_alloc(tasks->n, sizeof *own);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_evidence_whole(tasks, row)
		    && tasks->workers[tasks->worker[row]].node == worst)
			own[n++] = (struct begun){ tasks->start[row], row };
	qsort(own, n, sizeof *own, by_begin);
	rows = tv_alloc(n, sizeof *rows);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = own[i].row;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		workers += tasks->workers[w].node == worst;
	judge_member(e, rows, n, 2 * workers > WORKER_MIN ? 2 * workers : WORKER_MIN, sum);
	tv_free(longs);
	tv_free(own);
	tv_free(rows);
}

/* How many tasks of a worker in a row must be long: of one that runs n tasks no more than these, if by chance all tasks of some worker would
 * be long once in 1000 runs at most. longs: of tasks on workers of its type. */
static uint32_t least_longs(const struct tv_tasks *tasks, uint32_t worker, uint32_t n,
			    uint32_t longs)
{
	uint32_t all = 0, workers = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		all += tv_evidence_whole(tasks, row)
		    && tv_evidence_rtype(tasks, row) == tasks->workers[worker].rtype;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		workers += tasks->workers[w].rtype == tasks->workers[worker].rtype;
	return n < WORKER_MIN && n >= TV_EVIDENCE_MIN && longs >= n
			    && workers * exp(tv_log_choose(longs, n) - tv_log_choose(all, n))
				       <= 0.001
		     ? n
		     : WORKER_MIN;
}

static void judge_workers(struct tv_evidence *e)
{
	const struct tv_tasks *tasks = e->tasks;
	uint32_t *longs = tv_alloc(tasks->nworkers, sizeof *longs), sum = 0, worst = 0;
	struct tv_groups rows = { 0 };

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_evidence_whole(tasks, row)) {
			bool is = is_unexplained(e, row);

			longs[tasks->worker[row]] += is;
			sum += is;
		}
	for (uint32_t w = 1; w < tasks->nworkers; w++)
		worst = longs[w] > longs[worst] ? w : worst;
	if (sum >= TV_EVIDENCE_MIN && longs[worst] >= 0.8 * sum) {
		uint32_t *row, n;

		tv_tasks_by_start(tasks, tasks->counted, &rows);
		row = &rows.row[rows.first[worst]];
		n = keep_whole(tasks, row, rows.first[worst + 1] - rows.first[worst]);
		judge_member(e, row, n, least_longs(tasks, worst, n, sum), sum);
		tv_groups_release(&rows);
	}
	if (tasks->nnodes > 1 && sum >= WORKER_MIN && longs[worst] < 0.8 * sum)
		judge_node(e, sum);
	tv_free(longs);
}

/* ---- a time in which all are slow ---- */

/* That is no disturbance if half of the long tasks then have more work, or wait. */
static int judge_period(struct tv_evidence *e, struct tv_run *run, struct tv_span *period,
			struct tv_error *err)
{
	const struct tv_tasks *tasks = e->tasks;
	bool *slow = tv_alloc(tasks->n, sizeof *slow);
	uint32_t n = 0, more = 0;
	int rc = tv_slow_period(run, slow, period, err);

	for (uint32_t row = 0; row < tasks->n; row++) {
		slow[row] = slow[row] && e->class[row] != TV_WARM_UP
			 && e->class[row] != TV_LATENESS_SLOW_WORKER;
		n += slow[row];
		if (slow[row] && is_explained(e, row)) {
			slow[row] = false;
			more++;
		}
	}
	if (2 * more >= n)
		*period = (struct tv_span){ 0, 0 };
	for (uint32_t row = 0; 2 * more < n && row < tasks->n; row++)
		if (slow[row])
			e->class[row] = TV_LATENESS_DISTURBANCE;
	tv_free(slow);
	return rc;
}

static const char kept_period;

struct tv_span tv_case_slow_period(struct tv_run *run)
{
	const struct tv_span *period = tv_run_kept(run, &kept_period);

	return period == NULL ? (struct tv_span){ 0, 0 } : *period;
}

const uint8_t *tv_case_classes(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	const struct tv_table *table = &run->trace->table[TV_TASKS];
	const struct tv_tasks *tasks = &run->tasks;
	struct tv_evidence e = { .tasks = tasks,
				 .gflop = tv_table_find(table, "GFlop"),
				 .size = tv_table_find(table, "Size"),
				 .footprint = tv_table_find(table, "Footprint"),
				 .clock = tv_table_find(table, "task-clock"),
				 .class = tv_run_kept(run, &kept) };
	const uint8_t *obstacle = e.class == NULL ? tv_run_obstacles(run, err) : NULL;
	const struct tv_table *outliers = obstacle == NULL
						? NULL
						: tv_run_pass(run, "outliers", NULL, err);
	const struct tv_column *outlier;
	struct tv_span *period;
	bool unknown = false;
	int rc;

	if (e.class != NULL || outliers == NULL)
		return e.class;
	outlier = tv_table_find(outliers, "Outlier");
	e.device = tv_on_device(tasks);
	find_threads(&e, tv_run_threads(run));
	e.class = tv_alloc(tasks->n, sizeof *e.class);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_evidence_whole(tasks, row) && obstacle[row] == TV_LATENESS_REST)
			add_rest(&e, row);
	for (uint32_t row = 0; row < tasks->n; row++) {
		bool whole = tv_evidence_whole(tasks, row);

		if (!whole)
			e.class[row] = obstacle[row];
		else if (obstacle[row] == TV_LATENESS_OUTLIER)
			e.class[row] = tv_evidence_judge(&e, row);
		else if (obstacle[row] == TV_LATENESS_DISTURBANCE)
			e.class[row] = judge_disturbed(
				&e, row, !tv_missing(outlier, row) && outlier->i[row] != 0);
		/* A worker that ran larger tasks only, or that waited in them, is not slow. */
		else if (obstacle[row] == TV_LATENESS_SLOW_WORKER && is_explained(&e, row))
			e.class[row] = tv_evidence_judge(&e, row);
		else
			e.class[row] = obstacle[row];
		unknown = unknown || e.class[row] == TV_UNKNOWN_WORK || e.class[row] == TV_MORE_CPU;
	}
	if (unknown)
		tv_judge_by_place(&e);
	tv_judge_first(&e);
	judge_workers(&e);
	period = tv_alloc(1, sizeof *period);
	rc = tv_judge_first_of_workers(&e, run, err);
	tv_judge_all_first(&e);
	if (rc == 0)
		rc = judge_slow_times(&e, run, err);
	if (rc == 0)
		rc = judge_period(&e, run, period, err);
	tv_run_keep(run, &kept_period, period, tv_free);
	if (rc == 0)
		rc = tv_judge_by_peers(&e, run, err);
	if (rc == 0)
		tv_judge_periodic(&e, run);
	tv_map_release(&e.pair);
	tv_map_release(&e.layout);
	tv_free(e.rest);
	tv_free(e.device);
	tv_free(e.thread);
	if (rc < 0) {
		tv_free(e.class);
		return NULL;
	}
	tv_run_keep(run, &kept, e.class, tv_free);
	return e.class;
}

bool tv_case_measured(const struct tv_case *c, const char *column)
{
	const struct tv_column *of = tv_table_find(&c->tasks->trace->table[TV_TASKS], column);
	uint32_t row = 0;

	while (of != NULL && row < c->tasks->n && (!c->tasks->counted[row] || tv_missing(of, row)))
		row++;
	return of != NULL && row < c->tasks->n;
}

bool tv_case_knows_work(const struct tv_case *c)
{
	return tv_case_measured(c, "GFlop") || tv_case_measured(c, "Size")
	    || tv_case_measured(c, "Footprint") || tv_case_measured(c, "task-clock");
}

/* ---- what that costs ---- */

/* Tasks of a task type on a resource type: those of a class [1], and those of none [0]. */
struct class_pair {
	tv_int128 time[2];
	uint32_t n[2];
	double price;
};

struct tv_excess tv_case_excess(const struct tv_case *c, const uint8_t *class, uint8_t which)
{
	const struct tv_tasks *tasks = c->tasks;
	struct tv_excess excess = { 0 };
	struct class_pair *pair = NULL;
	size_t n = 0, cap = 0;
	struct tv_map place = { 0 };
	long double priced = 0;
	tv_int128 worker = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		bool in = class[row] == which;
		uint32_t r, *at;

		if (!tv_evidence_whole(tasks, row) || (!in && class[row] != TV_LATENESS_REST))
			continue;
		r = tv_evidence_rtype(tasks, row);
		at = tv_map_at(&place, tasks->value[row], r);
		if (*at == TV_NONE) {
			TV_GROW(pair, n, cap, 1);
			pair[n] = (struct class_pair){ .price = c->account.type[r].price };
			*at = (uint32_t)n++;
		}
		pair[*at].time[in] += tv_task_time(tasks, row);
		pair[*at].n[in]++;
		excess.n += in;
	}
	for (size_t i = 0; i < n; i++) {
		long double more = (long double)pair[i].time[1];

		if (pair[i].n[0] == 0 || pair[i].n[1] == 0)
			continue;
		more -= (long double)pair[i].time[0] / pair[i].n[0] * pair[i].n[1];
		worker += (tv_int128)roundl(more);
		priced += pair[i].price * more;
	}
	excess.worker = tv_sum_ns(worker);
	excess.time = (int64_t)roundl(priced);
	tv_map_release(&place);
	tv_free(pair);
	return excess;
}

bool tv_case_much_longer(const struct tv_case *c, const uint8_t *class, uint8_t first, uint8_t last)
{
	const struct tv_tasks *tasks = c->tasks;
	struct tv_kind_sums kinds = { 0 };
	bool much = true;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t row = 0; row < tasks->n && much; row++) {
			uint8_t its = class[row];
			struct tv_two_sums *others;

			if (!tv_evidence_whole(tasks, row)
			    || (pass == 0 ? its != TV_LATENESS_REST : its < first || its > last))
				continue;
			others = tv_kind_sums_of(&kinds, tasks->value[row],
						 tv_evidence_rtype(tasks, row));
			if (pass == 0)
				tv_two_sums_add(tasks, NULL, NULL, row, false, others);
			else
				much = (double)tv_task_time(tasks, row) * others->n[0]
				    >= 1.5 * others->time[0];
		}
	tv_kind_sums_release(&kinds);
	return much;
}

uint32_t tv_case_measure_class(const struct tv_case *c, const uint8_t *class, uint8_t which,
			       struct tv_found *found)
{
	struct tv_excess excess = tv_case_excess(c, class, which);

	found->worker_ns = excess.worker;
	found->measure_ns = excess.time;
	found->confidence = TV_STATISTICAL;
	found->measure_is = TV_EXCESS;
	/* One of many workers can delay all others. */
	found->holds = excess.worker >= c->min_ns && excess.worker > 0;
	return excess.n;
}
