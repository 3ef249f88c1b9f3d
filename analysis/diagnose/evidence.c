/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evidence.c -- why a task took longer than others of its type. */
#include "analysis/diagnose/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/longest.h"
#include "analysis/calls/thread_time.h"
#include "analysis/core/columns.h"
#include "analysis/core/lateness.h"
#include "analysis/core/processors.h"
#include "analysis/core/slow_times.h"
#include "analysis/tasks/phase_list.h"
#include "trace/sorted.h"

/* What a measure of work says: a long task has this much of it, against what the duration says. */
static const double explains = 0.5, does_not = 0.25;
enum { GROUPS_MIN = 3, WORKER_MIN = 5 };

/* The tasks of a type on a resource type that are not long. */
struct rest {
	uint32_t n;
	double time, square, waited, gflop, size, clock; /* sums; of those that have them */
	uint32_t ngflops, nsizes, nclocks;
	uint32_t workers, late,
		still; /* with three tasks or more; those whose first, whose second one is long */
};

struct evidence {
	const struct tv_tasks *tasks;
	const struct tv_column *gflop, *size, *footprint, *clock;
	bool *device; /* by worker: its tasks compute elsewhere than their thread */
	const struct tv_thread **thread; /* by worker; NULL = nothing is known of it */
	uint8_t *class;
	struct tv_map pair; /* of type and resource type: place in rest */
	struct rest *rest;
	size_t n, cap;
	struct tv_map layout; /* of footprint and type: number of tasks that are not long */
};

static uint32_t rtype_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->workers[tasks->worker[row]].rtype;
}

/* Whether a row begins an execution whose length the trace shows. */
static bool is_whole(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->counted[row] && tv_row_begins(tasks, row) && tv_task_ended(tasks, row);
}

static bool cell(const struct tv_column *column, uint32_t row, double *value)
{
	return column != NULL && tv_cell_number(column, row, value) && *value > 0;
}

static uint32_t label(const struct tv_column *column, uint32_t row)
{
	return column == NULL || tv_missing(column, row) ? TV_NONE : tv_label(column, row);
}

/* How long its thread does not work during a task, by states and calls, ns. */
static double waited(const struct evidence *e, uint32_t row)
{
	const struct tv_thread *thread = e->thread[e->tasks->worker[row]];

	return thread == NULL || e->tasks->whole != NULL
		     ? 0
		     : (double)tv_spans_within(
			     thread->lost, thread->nlost,
			     (struct tv_span){ e->tasks->start[row], e->tasks->end[row] });
}

static void find_threads(struct evidence *e, const struct tv_threads *threads)
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

static void add_rest(struct evidence *e, uint32_t row)
{
	uint32_t *at = tv_map_at(&e->pair, e->tasks->value[row], rtype_of(e->tasks, row));
	uint32_t layout = label(e->footprint, row);
	struct rest *rest;
	double value;

	if (*at == TV_NONE) {
		TV_GROW(e->rest, e->n, e->cap, 1);
		e->rest[e->n] = (struct rest){ 0 };
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

/* What its own columns say of a long task. */
static uint8_t judge(const struct evidence *e, uint32_t row)
{
	const uint32_t *at = tv_map_get(&e->pair, e->tasks->value[row], rtype_of(e->tasks, row));
	const struct rest *rest = at == NULL ? NULL : &e->rest[*at];
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
	if (same != NULL && *same >= GROUPS_MIN)
		return TV_LATENESS_OUTLIER;
	return class == TV_MORE_WORK ? TV_MORE_CPU : class;
}

/* Whether durations vary by a quarter (SD over mean) at most. */
static bool is_even(const struct rest *rest)
{
	double mean = rest->time / rest->n;

	return rest->n > 0 && sqrt(fmax(0, rest->square / rest->n - mean * mean)) <= 0.25 * mean;
}

/* Of a task during a disturbance: that many are long at once may be their work, as where the longest ones are created
 * first. outlier: whether it is long. */
static uint8_t judge_disturbed(const struct evidence *e, uint32_t row, bool outlier)
{
	const uint32_t *at = tv_map_get(&e->pair, e->tasks->value[row], rtype_of(e->tasks, row));
	uint8_t class = judge(e, row);

	if (class == TV_LATENESS_OUTLIER
	    || (class == TV_UNKNOWN_WORK && at != NULL && is_even(&e->rest[*at])))
		return TV_LATENESS_DISTURBANCE;
	return outlier ? class : TV_LATENESS_REST;
}

static bool is_long(uint8_t class)
{
	return class == TV_LATENESS_OUTLIER || (class >= TV_NLATENESS && class != TV_WAITED);
}

/* ---- workers of which all tasks are long ---- */

static bool is_unexplained(const struct evidence *e, uint32_t row)
{
	return e->class[row] == TV_UNKNOWN_WORK || e->class[row] == TV_LATENESS_OUTLIER;
}

/* Keeps those of n rows of tasks that are whole; returns how many. */
static uint32_t keep_whole(const struct tv_tasks *tasks, uint32_t *row, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (is_whole(tasks, row[i]))
			row[kept++] = row[i];
	return kept;
}

/* Where nearly all tasks of a worker, or of all workers of a node, are long, all the time or for a time, and nearly all long tasks are
 * there, it is what is slow. row: its tasks by start; at least `least` are long then; sum: long tasks in all. */
static void judge_member(struct evidence *e, const uint32_t *row, uint32_t n, uint32_t least,
			 uint32_t sum)
{
	bool *is = tv_alloc(n, sizeof *is);
	struct tv_slow_part part;

	for (uint32_t i = 0; i < n; i++)
		is[i] = is_unexplained(e, row[i]);
	part = tv_find_slow_part(is, n);
	for (uint32_t i = part.from; part.longs >= least && part.longs >= 0.8 * sum && i < part.to;
	     i++)
		e->class[row[i]] = TV_LATENESS_SLOW_WORKER;
	tv_free(is);
}

/* A worker that is slow as a whole may be so for a time alone: then a tenth of its tasks, five or more, come before or after, and nine
 * tenths of these take no longer than others. Slow is what takes more than half of what its slow tasks take longer on average. */
static void judge_slow_worker(struct evidence *e, const uint32_t *row, uint32_t n)
{
	bool *is = tv_alloc(n, sizeof *is);
	double *ratio = tv_alloc(n, sizeof *ratio), sum = 0;
	struct tv_slow_part part;
	uint32_t outside, longs = 0, known = 0, slow = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *at = tv_map_get(&e->pair, e->tasks->value[row[i]],
						rtype_of(e->tasks, row[i]));

		ratio[i] = at == NULL || !(e->rest[*at].time > 0)
				 ? 0
				 : (double)tv_task_time(e->tasks, row[i]) * e->rest[*at].n
					   / e->rest[*at].time;
		known += ratio[i] > 0;
		if (e->class[row[i]] == TV_LATENESS_SLOW_WORKER) {
			sum += ratio[i];
			slow++;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		is[i] = ratio[i] > (1 + sum / slow) / 2;
		longs += is[i];
	}
	part = tv_find_slow_part(is, n);
	outside = n - (part.to - part.from);
	for (uint32_t i = 0; known == n && outside >= WORKER_MIN && outside >= 0.1 * n
			     && longs - part.longs <= 0.1 * outside && i < n;
	     i++)
		if ((i < part.from || i >= part.to) && e->class[row[i]] == TV_LATENESS_SLOW_WORKER)
			e->class[row[i]] = TV_LATENESS_REST;
	tv_free(is);
	tv_free(ratio);
}

struct begun {
	int64_t start;
	uint32_t row;
};

TV_ORDER(by_begin, struct begun, start, row)

/* The node with most long tasks, of `sum` in all: it is slow if two tasks per worker are long at one time. */
static void judge_node(struct evidence *e, uint32_t sum)
{
	const struct tv_tasks *tasks = e->tasks;
	uint32_t *longs = tv_alloc(tasks->nnodes, sizeof *longs), worst = 0, n = 0, workers = 0;
	struct begun *own;
	uint32_t *rows;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (is_whole(tasks, row))
			longs[tasks->workers[tasks->worker[row]].node] += is_unexplained(e, row);
	for (uint32_t node = 1; node < tasks->nnodes; node++)
		worst = longs[node] > longs[worst] ? node : worst;
	if (longs[worst] < 0.8 * sum) {
		tv_free(longs);
		return;
	}
	own = tv_alloc(tasks->n, sizeof *own);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (is_whole(tasks, row) && tasks->workers[tasks->worker[row]].node == worst)
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

static void judge_workers(struct evidence *e)
{
	const struct tv_tasks *tasks = e->tasks;
	uint32_t *longs = tv_alloc(tasks->nworkers, sizeof *longs),
		 *slow = tv_alloc(tasks->nworkers, sizeof *slow), sum = 0, worst = 0;
	struct tv_groups rows = { 0 };

	for (uint32_t row = 0; row < tasks->n; row++)
		if (is_whole(tasks, row)) {
			bool is = is_unexplained(e, row);

			longs[tasks->worker[row]] += is;
			slow[tasks->worker[row]] += e->class[row] == TV_LATENESS_SLOW_WORKER;
			sum += is;
		}
	for (uint32_t w = 1; w < tasks->nworkers; w++)
		worst = longs[w] > longs[worst] ? w : worst;
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		bool most = w == worst && sum >= WORKER_MIN && longs[w] >= 0.8 * sum;
		uint32_t *row, n;

		if (!most && slow[w] == 0)
			continue;
		if (rows.n == 0)
			tv_tasks_by_start(tasks, tasks->counted, &rows);
		row = &rows.row[rows.first[w]];
		n = keep_whole(tasks, row, rows.first[w + 1] - rows.first[w]);
		if (most)
			judge_member(e, row, n, WORKER_MIN, sum);
		else
			judge_slow_worker(e, row, n);
	}
	if (tasks->nnodes > 1 && sum >= WORKER_MIN && longs[worst] < 0.8 * sum)
		judge_node(e, sum);
	if (rows.n > 0)
		tv_groups_release(&rows);
	tv_free(longs);
	tv_free(slow);
}

/* ---- workers that ran the longest chain ---- */

/* By node: how many come before it on the way with most nodes. */
static uint32_t *find_steps(const struct tv_dag *dag)
{
	uint32_t *step = tv_alloc(dag->n, sizeof *step);

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (step[dag->pred[k]] + 1 > step[v])
				step[v] = step[dag->pred[k]] + 1;
	}
	return step;
}

/* The type and step of tasks that are not long, as keys. */
static void collect_steps(const struct evidence *e, const struct tv_dag *dag, const uint32_t *step,
			  struct tv_map *usual)
{
	for (uint32_t v = 0; v < dag->n; v++)
		if (is_whole(e->tasks, dag->row[v]) && e->class[dag->row[v]] == TV_LATENESS_REST)
			tv_map_put(usual, e->tasks->value[dag->row[v]], step[v], 0);
}

/* A worker whose tasks are those of the longest chain is not slow if nobody else ran such tasks, which may have more work: tasks of
 * their types with as many before them. */
static int judge_chain(struct evidence *e, struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = e->tasks;
	uint32_t *all = tv_alloc(tasks->nworkers, sizeof *all),
		 *alone = tv_alloc(tasks->nworkers, sizeof *alone), *step = NULL;
	const struct tv_dag *dag = tv_run_dag(run, err);
	struct tv_longest longest = { 0 };
	struct tv_map usual = { 0 };
	int rc = dag == NULL ? -1 : tv_run_longest(&longest, run, NULL, err);

	if (rc == 0) {
		step = find_steps(dag);
		collect_steps(e, dag, step, &usual);
	}
	for (uint32_t i = 0; rc == 0 && i < longest.n; i++) {
		uint32_t v = longest.node[i], row = dag->row[v];

		alone[tasks->worker[row]] += tasks->counted[row]
					  && tv_map_get(&usual, tasks->value[row], step[v]) == NULL;
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			all[tasks->worker[row]]++;
	for (uint32_t row = 0; rc == 0 && row < tasks->n; row++)
		if (is_whole(tasks, row) && e->class[row] == TV_LATENESS_SLOW_WORKER
		    && alone[tasks->worker[row]] >= 0.8 * all[tasks->worker[row]]
		    && judge(e, row) != TV_LATENESS_OUTLIER)
			e->class[row] = TV_UNKNOWN_WORK;
	tv_map_release(&usual);
	tv_free(step);
	tv_free(all);
	tv_free(alone);
	return rc;
}

/* ---- workers on which a type is slow ---- */

static void count(struct tv_map *map, uint32_t value)
{
	uint32_t *n = tv_map_at(map, value, 0);

	*n = *n == TV_NONE ? 1 : *n + 1;
}

/* Of a type half of whose slow tasks nobody else ran likewise, nothing is known: they may have more work. */
static int judge_types(struct evidence *e, struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = e->tasks;
	const struct tv_dag *dag = tv_run_dag(run, err);
	uint8_t *before = tv_alloc(tasks->n, sizeof *before);
	struct tv_map usual = { 0 }, all = { 0 }, peers = { 0 };
	int rc = dag == NULL ? -1 : 0;

	memcpy(before, e->class, tasks->n);
	if (rc == 0)
		rc = tv_judge_slow_types(tasks, e->class, err);
	if (rc == 0 && memchr(e->class, TV_SLOW_THERE, tasks->n) != NULL) {
		uint32_t *step = find_steps(dag);

		collect_steps(e, dag, step, &usual);
		for (uint32_t v = 0; v < dag->n; v++) {
			uint32_t row = dag->row[v], value = tasks->value[row];

			if (e->class[row] != TV_SLOW_THERE)
				continue;
			count(&all, value);
			if (tv_map_get(&usual, value, step[v]) != NULL)
				count(&peers, value);
		}
		for (uint32_t row = 0; row < tasks->n; row++)
			if (e->class[row] == TV_SLOW_THERE) {
				const uint32_t *n = tv_map_get(&peers, tasks->value[row], 0);

				if (n == NULL || 2 * *n <= *tv_map_get(&all, tasks->value[row], 0))
					e->class[row] = before[row];
			}
		tv_free(step);
	}
	tv_map_release(&usual);
	tv_map_release(&all);
	tv_map_release(&peers);
	tv_free(before);
	return rc;
}

/* ---- first tasks ---- */

/* The tasks of a type on a worker: the first one, the second, how many. */
struct first {
	uint32_t row, second, n;
};

/* Those of all workers, a new array of *n. */
static struct first *list_first(const struct tv_tasks *tasks, uint32_t *n)
{
	struct tv_map place = { 0 };
	struct first *first = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t *at;

		if (!is_whole(tasks, row))
			continue;
		at = tv_map_at(&place, tasks->value[row], tasks->worker[row]);
		if (*at == TV_NONE) {
			TV_GROW(first, count, cap, 1);
			first[count] = (struct first){ .row = row, .second = TV_NONE };
			*at = (uint32_t)count++;
		}
		first[*at].n++;
		if (tasks->start[row] < tasks->start[first[*at].row]) {
			first[*at].second = first[*at].row;
			first[*at].row = row;
		} else if (row != first[*at].row
			   && (first[*at].second == TV_NONE
			       || tasks->start[row] < tasks->start[first[*at].second])) {
			first[*at].second = row;
		}
	}
	tv_map_release(&place);
	*n = (uint32_t)count;
	return first;
}

/* Or in a disturbance, if it takes a quarter longer than the others: what is slow at the same time are first tasks. */
static bool is_late(const struct evidence *e, uint32_t row, const struct rest *rest)
{
	uint8_t class = e->class[row];

	return (is_long(class) && class != TV_MORE_WORK)
	    || (class == TV_LATENESS_DISTURBANCE
		&& (double)tv_task_time(e->tasks, row) * rest->n >= 1.25 * rest->time);
}

static void judge_first(struct evidence *e)
{
	uint32_t n;
	struct first *first = list_first(e->tasks, &n);

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < n; i++) {
			uint32_t row = first[i].row,
				 *at = tv_map_get(&e->pair, e->tasks->value[row],
						  rtype_of(e->tasks, row));
			struct rest *rest = at == NULL ? NULL : &e->rest[*at];

			if (rest == NULL || first[i].n < GROUPS_MIN)
				continue;
			if (pass == 0) {
				rest->workers++;
				rest->late += is_late(e, row, rest);
				rest->still += is_late(e, first[i].second, rest);
			} else if (is_late(e, row, rest) && rest->late > 1
				   && 2 * rest->late >= rest->workers
				   && 2 * rest->still <= rest->late && is_even(rest)) {
				e->class[row] = TV_WARM_UP;
			}
		}
	tv_free(first);
}

/* ---- the place in an iteration ---- */

/* A task in the order of submission of its type and its iteration or phase. */
struct place {
	uint32_t value, row;
	int64_t group, order;
	uint32_t first, last; /* its place from the first one, from the last one */
};

TV_ORDER(by_order, struct place, value, group, order, row)

/* Of the tasks of a type at one place: how many, and how many are long. */
struct tally {
	uint32_t n, longs;
};

/* Tasks with their groups, by type; NULL where there are no three groups. */
static struct place *list_places(const struct tv_tasks *tasks, size_t *n)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *iteration = tv_table_find(table, "Iteration"),
			       *order = tv_table_find(table, "SubmitOrder");
	struct place *place = tv_alloc(tasks->n, sizeof *place);
	struct tv_phases phases = { 0 };

	if (iteration == NULL)
		tv_phases_init(&phases, tasks);
	*n = 0;
	for (uint32_t row = 0; row < tasks->n; row++) {
		bool known = is_whole(tasks, row)
			  && (iteration == NULL ? phases.n >= GROUPS_MIN
						: !tv_missing(iteration, row));

		if (!known)
			continue;
		place[(*n)++] = (struct place){
			.value = tasks->value[row],
			.row = row,
			.group = iteration != NULL ? iteration->i[row]
						   : (int64_t)tv_phase_of(&phases, row),
			.order = order != NULL && !tv_missing(order, row) ? order->i[row]
			       : tasks->submit != NULL && !tv_missing(tasks->submit, row)
				       ? tasks->submit->i[row]
				       : tasks->start[row],
		};
	}
	tv_phases_release(&phases);
	if (*n > 0)
		qsort(place, *n, sizeof *place, by_order);
	return place;
}

/* Numbers the tasks of a type; returns in how many groups they are. *alike: three quarters of these have as many as the most common number. */
static uint32_t number_places(struct place *place, size_t n, bool *alike)
{
	uint32_t groups = 0, most = 0;
	struct tv_map of = { 0 }; /* groups by their number of tasks */

	for (size_t begin = 0, end; begin < n; begin = end) {
		uint32_t *number;

		for (end = begin; end < n && place[end].group == place[begin].group; end++)
			place[end].first = (uint32_t)(end - begin);
		for (size_t i = begin; i < end; i++)
			place[i].last = (uint32_t)(end - 1 - i);
		number = tv_map_at(&of, end - begin, 0);
		*number = *number == TV_NONE ? 1 : *number + 1;
		most = *number > most ? *number : most;
		groups++;
	}
	tv_map_release(&of);
	*alike = most >= 0.75 * groups;
	return groups;
}

/* Judges the long tasks of a type by their places. alike: places of two groups are of the same tasks. */
static void judge_places(struct evidence *e, const struct place *place, size_t n, bool alike)
{
	struct tally *first = tv_alloc(n, sizeof *first), *last = tv_alloc(n, sizeof *last);

	for (size_t i = 0; i < n; i++) {
		bool longs = is_long(e->class[place[i].row]);

		first[place[i].first].n++;
		first[place[i].first].longs += longs;
		last[place[i].last].n++;
		last[place[i].last].longs += longs;
	}
	for (size_t i = 0; i < n; i++) {
		const struct tally *x = &first[place[i].first], *y = &last[place[i].last];
		uint8_t *class = &e->class[place[i].row];
		double share = 0, least = 1;

		if (*class != TV_UNKNOWN_WORK && *class != TV_MORE_CPU)
			continue;
		if (x->n >= GROUPS_MIN)
			share = (double)x->longs / x->n;
		if (y->n >= GROUPS_MIN)
			share = fmax(share, (double)y->longs / y->n);
		if (x->n >= GROUPS_MIN && y->n >= GROUPS_MIN)
			least = share;
		if (share >= 0.75)
			*class = TV_MORE_WORK;
		else if (alike && least < 1. / 3 && *class == TV_UNKNOWN_WORK)
			*class = TV_LATENESS_OUTLIER;
	}
	tv_free(first);
	tv_free(last);
}

static void judge_by_place(struct evidence *e)
{
	size_t n, end;
	struct place *place = list_places(e->tasks, &n);
	bool known = tv_table_find(&e->tasks->trace->table[TV_TASKS], "Iteration") != NULL, alike;

	for (size_t begin = 0; begin < n; begin = end) {
		for (end = begin; end < n && place[end].value == place[begin].value; end++)
			;
		/* Phases need be no iterations. */
		if (number_places(place + begin, end - begin, &alike) >= GROUPS_MIN)
			judge_places(e, place + begin, end - begin, known || alike);
	}
	tv_free(place);
}

/* ---- a time in which all are slow ---- */

/* Whether it is known why a task is long: no disturbance. */
static bool is_explained(const struct evidence *e, uint32_t row)
{
	uint8_t class = e->class[row] == TV_MORE_WORK ? TV_MORE_WORK : judge(e, row);

	return class == TV_MORE_WORK || class == TV_WAITED;
}

/* That is no disturbance if half of the long tasks then have more work, or wait. */
static int judge_period(struct evidence *e, struct tv_span *period, struct tv_error *err)
{
	const struct tv_tasks *tasks = e->tasks;
	bool *slow = tv_alloc(tasks->n, sizeof *slow);
	uint32_t n = 0, more = 0;
	int rc = tv_slow_period(tasks, slow, period, err);

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
	struct evidence e = { .tasks = tasks,
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
		if (is_whole(tasks, row) && obstacle[row] == TV_LATENESS_REST)
			add_rest(&e, row);
	for (uint32_t row = 0; row < tasks->n; row++) {
		bool whole = is_whole(tasks, row);

		if (!whole)
			e.class[row] = obstacle[row];
		else if (obstacle[row] == TV_LATENESS_OUTLIER)
			e.class[row] = judge(&e, row);
		else if (obstacle[row] == TV_LATENESS_DISTURBANCE)
			e.class[row] = judge_disturbed(
				&e, row, !tv_missing(outlier, row) && outlier->i[row] != 0);
		/* A worker that ran larger tasks only, or that waited in them, is not slow. */
		else if (obstacle[row] == TV_LATENESS_SLOW_WORKER && is_explained(&e, row))
			e.class[row] = judge(&e, row);
		else
			e.class[row] = obstacle[row];
		unknown = unknown || e.class[row] == TV_UNKNOWN_WORK || e.class[row] == TV_MORE_CPU;
	}
	if (unknown)
		judge_by_place(&e);
	judge_first(&e);
	judge_workers(&e);
	period = tv_alloc(1, sizeof *period);
	rc = judge_period(&e, period, err);
	tv_run_keep(run, &kept_period, period, tv_free);
	if (rc == 0 && memchr(e.class, TV_LATENESS_SLOW_WORKER, tasks->n) != NULL)
		rc = judge_chain(&e, run, err);
	if (rc == 0)
		rc = judge_types(&e, run, err);
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

		if (!is_whole(tasks, row) || (!in && class[row] != TV_LATENESS_REST))
			continue;
		r = rtype_of(tasks, row);
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
