/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c -- ladders of parts of a run: spans of time, or nodes. */
#include "analysis/efficiency/parts.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/core/curves.h"
#include "analysis/core/instances.h"
#include "analysis/core/spans.h"
#include "analysis/tasks/phase_list.h"
#include "dag/rerun.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

struct run_parts {
	struct tv_efficiency_parts *parts;
	struct tv_run *run;
	const struct tv_tasks *tasks;
	struct tv_worth worth;
	int64_t *busy;	   /* part x worker, ns */
	long double *cost; /* by row: of its task at its best place, ns of the machine */
};

void tv_efficiency_part_add(struct tv_efficiency_parts *parts, const char *mode, char *name,
			    int64_t begin, int64_t end)
{
	struct tv_efficiency_part *part = &parts->at[parts->n++];

	*part = (struct tv_efficiency_part){ .name = name, .begin = begin, .end = end };
	for (int rung = 0; rung <= TV_LADDER_RUNG_SUBMISSION; rung++)
		part->replayed[rung] = NAN;
	tv_ladder_init(&part->ladder, mode);
	part->ladder.time[TV_LADDER_RUNG_RECORDED] = (long double)(end - begin);
}

static void add_part(struct run_parts *work, char *name, int64_t begin, int64_t end)
{
	tv_efficiency_part_add(work->parts, "tasks", name, begin, end);
}

/* ---- what tasks cost ---- */

/* What a row costs where its type costs least; 0 if it has no end. */
static long double cost_of(const struct run_parts *work, const long double *min, uint32_t row)
{
	const struct tv_tasks *tasks = work->tasks;

	if (!tasks->counted[row] || !tv_means_take(work->worth.means, tasks, row))
		return 0;
	return min[tv_means_type(work->worth.means, row)]
	     * (long double)(tv_row_share(tasks, row) / tv_team_of(tasks, row));
}

static void find_costs(struct run_parts *work)
{
	const struct tv_area *area = &work->worth.of.area;
	long double *min = tv_alloc(area->ntypes, sizeof *min);

	for (size_t t = 0; t < area->ntypes; t++) {
		min[t] = INFINITY;
		for (size_t r = 0; r < area->nresources; r++)
			if (tv_area_allows(area, t, r))
				min[t] = fminl(min[t],
					       (long double)work->worth.price[r]
						       * area->time[t * area->nresources + r]);
	}
	work->cost = tv_alloc(work->tasks->n, sizeof *work->cost);
	for (uint32_t row = 0; row < work->tasks->n; row++)
		work->cost[row] = cost_of(work, min, row);
	tv_free(min);
}

/* ---- spans of time ---- */

static int64_t begin_of(const struct run_parts *work, size_t i)
{
	return work->parts->at[i].begin;
}

/* The first part that ends after t; the last one if none does. */
static size_t part_at(const struct run_parts *work, int64_t t)
{
	size_t i, last = work->parts->n - 1;

	TV_LOWER_BOUND(i, 0, last, work->parts->at[i].end <= t);
	return i;
}

/* Adds the cost of a row to the parts, by its time in each. */
static void add_cost(struct run_parts *work, uint32_t row)
{
	int64_t start = work->tasks->start[row], end = work->tasks->end[row];

	for (size_t i = part_at(work, start); i < work->parts->n; i++) {
		struct tv_efficiency_part *part = &work->parts->at[i];
		int64_t from = start > part->begin ? start : part->begin;
		int64_t to = end < part->end ? end : part->end;

		if (end == start) {
			if (start >= part->begin && start <= part->end)
				part->ladder.time[TV_LADDER_RUNG_PLACEMENT] += work->cost[row];
			return;
		}
		if (part->begin >= end)
			return;
		if (from < to)
			part->ladder.time[TV_LADDER_RUNG_PLACEMENT] += work->cost[row]
								     * (long double)(to - from)
								     / (long double)(end - start);
	}
}

/* Time in tasks within each part, those at once each in full, priced. */
static void add_work(struct run_parts *work, uint32_t row)
{
	double price = work->worth.price[work->tasks->workers[work->tasks->worker[row]].rtype];
	const struct tv_span row_span = { work->tasks->start[row], work->tasks->end[row] };

	for (size_t i = part_at(work, row_span.begin);
	     i < work->parts->n && begin_of(work, i) < row_span.end; i++) {
		struct tv_efficiency_part *part = &work->parts->at[i];

		part->ladder.time[TV_LADDER_RUNG_OVERLAP] +=
			(long double)price
			* (long double)tv_spans_within(&row_span, 1,
						       (struct tv_span){ part->begin, part->end });
	}
}

static void sum_rows(struct run_parts *work)
{
	for (size_t i = 0; i < work->parts->n; i++)
		work->parts->at[i].ladder.time[TV_LADDER_RUNG_OVERLAP] =
			work->parts->at[i].ladder.time[TV_LADDER_RUNG_PLACEMENT] = 0;
	for (uint32_t row = 0; row < work->tasks->n; row++)
		if (work->tasks->counted[row]) {
			add_cost(work, row);
			add_work(work, row);
		}
}

/* The busy time of a worker in each part. */
static void split_worker(struct run_parts *work, uint32_t w, const uint32_t *row, uint32_t n)
{
	const struct tv_tasks *tasks = work->tasks;
	struct tv_span *span = tv_alloc(n, sizeof *span);

	for (uint32_t i = 0; i < n; i++)
		span[i] = (struct tv_span){ tasks->start[row[i]], tasks->end[row[i]] };
	n = tv_spans_merge(span, n, (struct tv_span){ tasks->begin, tasks->finish });
	for (size_t i = 0; i < work->parts->n; i++)
		work->busy[i * tasks->nworkers + w] = tv_spans_within(
			span, n, (struct tv_span){ begin_of(work, i), work->parts->at[i].end });
	tv_free(span);
}

static void split_busy(struct run_parts *work)
{
	const struct tv_tasks *tasks = work->tasks;
	struct tv_groups rows;

	work->busy = tv_alloc(work->parts->n * tasks->nworkers, sizeof *work->busy);
	tv_tasks_by_start(tasks, tasks->counted, &rows);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		split_worker(work, w, rows.row + rows.first[w], rows.first[w + 1] - rows.first[w]);
	tv_groups_release(&rows);
	for (size_t i = 0; i < work->parts->n; i++)
		tv_ladder_set_busy(&work->parts->at[i].ladder,
				   &(struct tv_busy){ tasks, work->worth.price,
						      work->busy + i * tasks->nworkers, NULL });
}

static int make_windows(struct run_parts *work, int64_t step_ns, struct tv_error *err)
{
	int64_t *bound;
	size_t n;

	if (tv_run_slices(work->run, step_ns, work->tasks->nworkers, &bound, &n, err) < 0)
		return -1;
	work->parts->at = tv_alloc(n, sizeof *work->parts->at);
	for (size_t i = 0; i < n; i++)
		add_part(work, NULL, bound[i], bound[i + 1]);
	tv_free(bound);
	return 0;
}

/* Neither begins nor ends of instances decrease. */
int tv_efficiency_parts_of_region(struct tv_efficiency_parts *parts, const char *mode,
				  struct tv_run *run, const char *region, struct tv_error *err)
{
	struct tv_instances instances;
	int rc = tv_instances_find(&instances, run, region, err);

	if (rc == 0)
		parts->at = tv_alloc(instances.last - instances.first, sizeof *parts->at);
	for (size_t i = instances.first; rc == 0 && i < instances.last; i++)
		tv_efficiency_part_add(parts, mode, tv_instance_name(&instances, i),
				       instances.at[i].begin, instances.at[i].end);
	tv_instances_release(&instances);
	return rc;
}

/* ---- phases and iterations ---- */

/* The parts that rows of tasks belong to, in order; TV_NONE = to none. */
struct keyed {
	uint32_t *of;	 /* by row */
	int64_t *number; /* of each part */
	uint32_t n;
};

static void key_by_phase(const struct tv_tasks *tasks, struct keyed *keyed)
{
	struct tv_phases phases;

	tv_phases_init(&phases, tasks);
	keyed->n = phases.n;
	keyed->number = tv_alloc(phases.n, sizeof *keyed->number);
	for (uint32_t i = 0; i < phases.n; i++)
		keyed->number[i] = i + 1;
	for (uint32_t row = 0; row < tasks->n; row++)
		keyed->of[row] = tasks->counted[row] ? tv_phase_of(&phases, row) : TV_NONE;
	tv_phases_release(&phases);
}

static int key_by_iteration(const struct tv_tasks *tasks, struct keyed *keyed, struct tv_error *err)
{
	const struct tv_column *iteration = tv_table_find(&tasks->trace->table[TV_TASKS],
							  "Iteration");
	uint32_t n = 0;

	if (iteration == NULL)
		return tv_fail(err, "the tasks have no column Iteration: --by phase or --by window "
				    "divide the run by time");
	keyed->number = tv_alloc(tasks->n, sizeof *keyed->number);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && !tv_missing(iteration, row))
			keyed->number[n++] = iteration->i[row];
	if (n > 1)
		qsort(keyed->number, n, sizeof *keyed->number, tv_compare_int64);
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || keyed->number[i] != keyed->number[keyed->n - 1])
			keyed->number[keyed->n++] = keyed->number[i];
	for (uint32_t row = 0; row < tasks->n; row++)
		keyed->of[row] = !tasks->counted[row] || tv_missing(iteration, row)
				       ? TV_NONE
				       : (uint32_t)tv_count_upto(&iteration->i[row], keyed->number,
								 keyed->n, sizeof *keyed->number,
								 tv_compare_int64)
						 - 1;
	return 0;
}

/* until[i]: the latest end of a row of the parts up to i. */
static void find_ends(const struct run_parts *work, const struct keyed *keyed, const int64_t *end,
		      int64_t *until)
{
	for (uint32_t i = 0; i < keyed->n; i++)
		until[i] = work->tasks->begin;
	for (uint32_t row = 0; row < work->tasks->n; row++)
		if (keyed->of[row] != TV_NONE && end[row] > until[keyed->of[row]])
			until[keyed->of[row]] = end[row];
	for (uint32_t i = 1; i < keyed->n; i++)
		until[i] = until[i] > until[i - 1] ? until[i] : until[i - 1];
}

/* A part for each key, and one for what ends after all of them. */
static void make_keyed(struct run_parts *work, const struct keyed *keyed, const int64_t *until)
{
	const struct tv_tasks *tasks = work->tasks;
	int64_t begin = tasks->begin;

	work->parts->at = tv_alloc((size_t)keyed->n + 1, sizeof *work->parts->at);
	for (uint32_t i = 0; i < keyed->n; i++) {
		add_part(work, tv_format("%lld", (long long)keyed->number[i]), begin, until[i]);
		begin = until[i];
	}
	if (begin < tasks->finish)
		add_part(work, NULL, begin, tasks->finish);
}

static int replay_keyed(struct run_parts *work, const struct keyed *keyed, int64_t *until,
			struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(work->run, err);
	struct tv_rerun replay;
	struct tv_ladder whole;
	int64_t *end;
	int rc;

	if (dag == NULL)
		return -1;
	rc = tv_ladder_tasks(&whole, work->run, err);
	end = tv_alloc(work->tasks->n, sizeof *end);
	tv_rerun_init(&replay, dag);
	for (enum tv_ladder_rung rung = TV_LADDER_RUNG_RUNTIME;
	     rc == 0 && rung <= TV_LADDER_RUNG_SUBMISSION; rung++) {
		int64_t begin = work->tasks->begin;

		if (!tv_ladder_has(&whole, rung))
			continue;
		tv_ladder_replay(&replay, rung, end);
		find_ends(work, keyed, end, until);
		for (uint32_t i = 0; i < keyed->n; i++) {
			work->parts->at[i].replayed[rung] = (long double)(until[i] - begin);
			begin = until[i];
		}
		if (work->parts->n > keyed->n)
			work->parts->at[keyed->n].replayed[rung] =
				whole.time[rung] - (long double)(begin - work->tasks->begin);
	}
	tv_rerun_release(&replay);
	tv_free(end);
	tv_ladder_release(&whole);
	return rc;
}

static int make_by_key(struct run_parts *work, enum tv_part_key key, struct tv_error *err)
{
	struct keyed keyed = { .of = tv_alloc(work->tasks->n, sizeof *keyed.of) };
	int64_t *until = NULL;
	int rc = 0;

	if (key == TV_PART_PHASE)
		key_by_phase(work->tasks, &keyed);
	else
		rc = key_by_iteration(work->tasks, &keyed, err);
	if (rc == 0) {
		until = tv_alloc(keyed.n, sizeof *until);
		find_ends(work, &keyed, work->tasks->end, until);
		make_keyed(work, &keyed, until);
		rc = replay_keyed(work, &keyed, until, err);
	}
	tv_free(until);
	tv_free(keyed.of);
	tv_free(keyed.number);
	return rc;
}

/* ---- nodes ---- */

/* The sum of the prices of the workers of each node. */
static long double *find_capacities(const struct run_parts *work)
{
	const struct tv_tasks *tasks = work->tasks;
	long double *capacity = tv_alloc(tasks->nnodes, sizeof *capacity);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		capacity[tasks->workers[w].node] +=
			(long double)work->worth.price[tasks->workers[w].rtype];
	return capacity;
}

/* The rungs from the useful time down. */
static void sum_nodes(struct run_parts *work)
{
	const struct tv_tasks *tasks = work->tasks;
	long double *capacity = find_capacities(work);

	for (uint32_t k = 0; k < tasks->nnodes; k++)
		if (capacity[k] > 0)
			work->parts->at[k].ladder.time[TV_LADDER_RUNG_OVERLAP] =
				work->parts->at[k].ladder.time[TV_LADDER_RUNG_PLACEMENT] = 0;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			const struct tv_worker *worker = &tasks->workers[tasks->worker[row]];
			long double *time = work->parts->at[worker->node].ladder.time;

			time[TV_LADDER_RUNG_OVERLAP] += (long double)
								work->worth.price[worker->rtype]
						      * (long double)tv_row_device_time(tasks, row)
						      / capacity[worker->node];
			time[TV_LADDER_RUNG_PLACEMENT] += work->cost[row] / capacity[worker->node];
		}
	tv_free(capacity);
}

static int make_nodes(struct run_parts *work, struct tv_error *err)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_table *idleness = tv_run_pass(work->run, "idleness", NULL, err);
	bool *of;

	if (idleness == NULL)
		return -1;
	of = tv_alloc(tasks->nworkers, sizeof *of);
	work->parts->at = tv_alloc(tasks->nnodes, sizeof *work->parts->at);
	for (uint32_t k = 0; k < tasks->nnodes; k++) {
		const struct tv_group *node = &tasks->node[k];

		add_part(work,
			 node->label == TV_NONE ? NULL
						: tv_strdup(tv_pool_text(tasks->pool, node->label)),
			 tasks->begin, tasks->finish);
		for (uint32_t w = 0; w < tasks->nworkers; w++)
			of[w] = tasks->workers[w].node == k;
		tv_ladder_set_busy(&work->parts->at[k].ladder,
				   &(struct tv_busy){ tasks, work->worth.price,
						      tv_table_find(idleness, "Busy")->i, of });
	}
	tv_free(of);
	sum_nodes(work);
	return 0;
}

int tv_efficiency_parts_init(struct tv_efficiency_parts *parts, struct tv_run *run,
			     enum tv_part_key key, int64_t step_ns, const char *region,
			     struct tv_error *err)
{
	struct run_parts work = { .parts = parts, .run = run, .tasks = &run->tasks };
	int rc;

	*parts = (struct tv_efficiency_parts){ 0 };
	if (run->tasks.ncounted == 0)
		return tv_thread_parts_init(parts, run, key, step_ns, region, err);
	rc = tv_worth_init(&work.worth, run, "mean", NULL, err);
	if (rc == 0)
		find_costs(&work);
	if (rc == 0)
		rc = key == TV_PART_NODE   ? make_nodes(&work, err)
		   : key == TV_PART_WINDOW ? make_windows(&work, step_ns, err)
		   : key == TV_PART_REGION
			   ? tv_efficiency_parts_of_region(parts, "tasks", run, region, err)
			   : make_by_key(&work, key, err);
	if (rc == 0 && key != TV_PART_NODE) {
		split_busy(&work);
		sum_rows(&work);
	}
	tv_worth_release(&work.worth);
	tv_free(work.busy);
	tv_free(work.cost);
	return rc;
}

void tv_efficiency_parts_release(struct tv_efficiency_parts *parts)
{
	for (size_t i = 0; i < parts->n; i++) {
		tv_free(parts->at[i].name);
		tv_ladder_release(&parts->at[i].ladder);
	}
	tv_free(parts->at);
	*parts = (struct tv_efficiency_parts){ 0 };
}
