/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lateness.c -- classes of tasks by what their duration is put down to. */
#include "analysis/core/lateness.h"

#include <math.h>
#include <string.h>

#include "analysis/core/slow_times.h"
#include "analysis/core/spans.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

const char *tv_lateness_name(enum tv_lateness lateness)
{
	static const char *const name[] = {
#define NAME(symbol, name) name,
		TV_LATENESSES(NAME)
#undef NAME
	};

	return name[lateness];
}

uint32_t *tv_worker_devices(const struct tv_tasks *tasks)
{
	const struct tv_column *column = tv_table_find(&tasks->trace->table[TV_TASKS], "Device");
	uint32_t *device = tv_alloc(tasks->nworkers, sizeof *device);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		device[w] = tasks->trace->survey == NULL
				  ? TV_NONE
				  : tv_survey_device(tasks->trace->survey,
						     tasks->workers[w].resource);
	for (uint32_t row = 0; column != NULL && row < tasks->n; row++)
		if (tasks->worker[row] != TV_NONE && device[tasks->worker[row]] == TV_NONE)
			device[tasks->worker[row]] = tv_label(column, row);
	return device;
}

struct lateness {
	const struct tv_tasks *tasks;
	const struct tv_column *outlier;
	struct tv_map slow; /* worker and task type (label + 1, 0 = all together) */
	/* Disturbances by node (after the last node: of all), disjoint and ascending. */
	struct tv_groups at;
	struct tv_span *span;
	uint32_t *nspans;
	const double *relative; /* of obstacles: tv_relative_durations; else NULL */
};

bool *tv_on_device(const struct tv_tasks *tasks)
{
	bool *is = tv_alloc(tasks->nworkers, sizeof *is);
	uint32_t *device = tv_worker_devices(tasks);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		is[w] = device[w] != TV_NONE
		     && strcmp(tv_pool_text(tasks->pool,
					    tasks->rtype[tasks->workers[w].rtype].label),
			       "CPU")
				!= 0;
	tv_free(device);
	return is;
}

/* ---- slow workers ---- */

/* Whether a worker is, or belongs to, the member of a row of deviating-resources. */
static bool is_member(const struct lateness *work, const uint32_t *device, uint32_t w,
		      const char *scope, uint32_t node, uint32_t member)
{
	const struct tv_worker *worker = &work->tasks->workers[w];

	if (work->tasks->node[worker->node].label != node)
		return false;
	return scope[0] == 'n'			       ? true
	     : scope[0] == 'd' && device[w] != TV_NONE ? device[w] == member
						       : worker->resource == member;
}

/* least: the ratio from which on a Z below 4 may be enough. Medians of durations of two kinds differ much where a member has a few more of
 * one kind: then its tasks are not longer than the others'. */
static bool is_slower(const struct tv_table *members, uint32_t row, double least)
{
	double ratio = tv_table_find(members, "Ratio")->d[row],
	       longer = tv_table_find(members, "Longer")->d[row];

	return tv_table_find(members, "Deviates")->i[row] == 1 && ratio > 1
	    && longer >= TV_SLOW_LONGER
	    && tv_table_find(members, "Z")->d[row]
		       >= (ratio < least ? 4 : tv_slow_z(ratio, longer));
}

/* Whether a row is of the same member and type of workers, for one task type. */
static bool is_type_of(const struct tv_table *members, uint32_t row, uint32_t whole)
{
	static const char *const same[] = { "Scope", "Node", "Member", "ResourceType" };

	for (size_t i = 0; i < TV_COUNT(same); i++)
		if (tv_label(tv_table_find(members, same[i]), row)
		    != tv_label(tv_table_find(members, same[i]), whole))
			return false;
	return !tv_missing(tv_table_find(members, "Median"), row);
}

/* Whether a member that is slower over all its tasks is so for some task types only: a quarter of its tasks or more are of types of which
 * it runs five or more, and takes a quarter of that longer at most. */
static bool is_of_types(const struct tv_table *members, uint32_t whole)
{
	const struct tv_column *ratio = tv_table_find(members, "Ratio"),
			       *tasks = tv_table_find(members, "Tasks");
	double most = 1 + (ratio->d[whole] - 1) / 4;
	int64_t as_fast = 0;

	if (!tv_missing(tv_table_find(members, "Median"), whole))
		return false;
	for (uint32_t row = 0; row < members->nrows; row++)
		if (is_type_of(members, row, whole) && tasks->i[row] >= 5 && ratio->d[row] <= most)
			as_fast += tasks->i[row];
	return 4 * as_fast >= tasks->i[whole];
}

/* Whether it is slower, and, over all its tasks, not so for some types only. */
static bool is_slow_row(const struct tv_table *members, uint32_t row, double least)
{
	return is_slower(members, row, least) && !is_of_types(members, row);
}

bool tv_is_slow(const struct tv_table *members, uint32_t row)
{
	return is_slow_row(members, row, TV_SLOW_RATIO);
}

double tv_slow_ratio(const struct tv_table *members, uint32_t row)
{
	const struct tv_column *ratio = tv_table_find(members, "Ratio"),
			       *tasks = tv_table_find(members, "Tasks");
	double sum = 0, n = 0;

	for (uint32_t i = 0; i < members->nrows; i++)
		if (tv_missing(tv_table_find(members, "Median"), row) && is_type_of(members, i, row)
		    && !tv_missing(ratio, i)) {
			sum += (double)tasks->i[i] * ratio->d[i];
			n += (double)tasks->i[i];
		}
	return n > 0 ? sum / n : ratio->d[row];
}

bool tv_is_slow_type(const struct tv_table *members, uint32_t row)
{
	bool far;

	if (tv_missing(tv_table_find(members, "Median"), row)
	    || !is_slower(members, row, TV_SLOW_RATIO))
		return false;
	far = tv_table_find(members, "Ratio")->d[row] >= TV_SLOW_TYPE_RATIO
	   && tv_table_find(members, "Longer")->d[row] >= TV_SLOW_TYPE_LONGER;
	for (uint32_t whole = 0; whole < members->nrows; whole++)
		if (tv_missing(tv_table_find(members, "Median"), whole)
		    && is_type_of(members, row, whole))
			return (far || is_slower(members, whole, TV_SLOW_RATIO))
			    && is_of_types(members, whole);
	return false;
}

static void mark_slow(struct lateness *work, const struct tv_table *table, double least)
{
	const struct tv_column *median = tv_table_find(table, "Median");
	const struct tv_tasks *tasks = work->tasks;
	uint32_t *device = tv_worker_devices(tasks);

	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t rtype = tv_label(tv_table_find(table, "ResourceType"), row);
		uint32_t value = tv_label(tv_table_find(table, "Value"), row);
		uint64_t type = tv_missing(median, row) ? 0 : (uint64_t)value + 1;

		if (!is_slow_row(table, row, least))
			continue;
		for (uint32_t w = 0; w < tasks->nworkers; w++)
			if (tasks->rtype[tasks->workers[w].rtype].label == rtype
			    && is_member(work, device, w, tv_table_text(table, "Scope", row),
					 tv_label(tv_table_find(table, "Node"), row),
					 tv_label(tv_table_find(table, "Member"), row)))
				tv_map_put(&work->slow, w, type, 0);
	}
	tv_free(device);
}

static bool is_slow(const struct lateness *work, uint32_t row)
{
	uint32_t w = work->tasks->worker[row];

	return work->slow.n > 0
	    && (tv_map_get(&work->slow, w, 0) != NULL
		|| tv_map_get(&work->slow, w, (uint64_t)work->tasks->value[row] + 1) != NULL);
}

/* ---- disturbances ---- */

static uint32_t node_of(const struct tv_tasks *tasks, uint32_t label)
{
	uint32_t node = 0;

	while (node < tasks->nnodes && tasks->node[node].label != label)
		node++;
	return label == TV_NONE ? tasks->nnodes : node;
}

/* Their rows by node, ascending in time. */
static void group_disturbances(struct lateness *work, const struct tv_table *table)
{
	uint32_t n = work->tasks->nnodes + 1, *group = tv_alloc(table->nrows, sizeof *group);

	for (uint32_t row = 0; row < table->nrows; row++)
		group[row] = node_of(work->tasks, tv_label(tv_table_find(table, "Node"), row));
	tv_groups_init(&work->at, group, table->nrows, n);
	tv_free(group);
}

/* believed, by row of the table: those to read; NULL = all. */
static void read_disturbances(struct lateness *work, const struct tv_table *table,
			      const bool *believed)
{
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");
	group_disturbances(work, table);
	work->span = tv_alloc(table->nrows, sizeof *work->span);
	work->nspans = tv_alloc(work->at.n, sizeof *work->nspans);
	for (uint32_t g = 0; g < work->at.n; g++) {
		struct tv_span *span = work->span + work->at.first[g];
		uint32_t n = 0;

		for (uint32_t i = work->at.first[g]; i < work->at.first[g + 1]; i++) {
			uint32_t row = work->at.row[i];

			if (believed == NULL || believed[row])
				span[n++] = (struct tv_span){ start->i[row], end->i[row] };
		}
		work->nspans[g] = tv_spans_merge(span, n, (struct tv_span){ INT64_MIN, INT64_MAX });
	}
}

/* Whether a part of a task, or where it takes no time its instant, is in one of them. */
static bool meets(const struct lateness *work, uint32_t group, int64_t start, int64_t end)
{
	const struct tv_span *span = work->span + work->at.first[group];
	uint32_t n = work->nspans[group], i;

	TV_LOWER_BOUND(i, 0, n, span[i].end <= start);
	return i < n && (span[i].begin < end || span[i].begin == start);
}

/* When a task ends at the latest that takes no longer than usual. What is slow later does not explain a longer one. */
static int64_t usual_end(const struct lateness *work, uint32_t row)
{
	int64_t start = work->tasks->start[row], end = work->tasks->end[row];
	double relative = work->relative == NULL ? 1 : work->relative[row];

	return relative > 1 ? start + llround((double)(end - start) / relative) : end;
}

static bool is_disturbed(const struct lateness *work, uint32_t row)
{
	const struct tv_tasks *tasks = work->tasks;
	uint32_t node = tasks->workers[tasks->worker[row]].node;
	int64_t start = tasks->start[row], end = usual_end(work, row);

	return meets(work, node, start, end) || meets(work, tasks->nnodes, start, end);
}

/* ---- classes ---- */

static bool marked(const struct tv_column *outlier, uint32_t row)
{
	return !tv_missing(outlier, row) && tv_number(outlier, row) != 0;
}

static enum tv_lateness class_of(const struct lateness *work, uint32_t row)
{
	return marked(work->outlier, row) ? TV_LATENESS_OUTLIER
	     : is_slow(work, row)	  ? TV_LATENESS_SLOW_WORKER
	     : is_disturbed(work, row)	  ? TV_LATENESS_DISTURBANCE
					  : TV_LATENESS_REST;
}

/* Segments that are disturbed make their task so. */
static void classify(const struct lateness *work, uint8_t *class)
{
	const struct tv_tasks *tasks = work->tasks;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row))
			class[row] = (uint8_t)class_of(work, row);
	for (uint32_t row = 0; row < tasks->n && tasks->whole != NULL; row++)
		if (tasks->counted[row] && class[tasks->whole[row]] == TV_LATENESS_REST
		    && is_disturbed(work, row))
			class[tasks->whole[row]] = TV_LATENESS_DISTURBANCE;
}

static void release(struct lateness *work)
{
	tv_map_release(&work->slow);
	tv_groups_release(&work->at);
	tv_free(work->span);
	tv_free(work->nspans);
}

uint8_t *tv_run_lateness(struct tv_run *run, struct tv_error *err)
{
	const struct tv_table *outliers = tv_run_pass(run, "outliers", NULL, err);
	const struct tv_table *members = outliers == NULL ? NULL : tv_run_slow(run, err);
	const struct tv_table *disturbances = members == NULL
						    ? NULL
						    : tv_run_pass(run, "disturbances", NULL, err);
	struct lateness work = { .tasks = &run->tasks };
	uint8_t *class;

	if (disturbances == NULL)
		return NULL;
	work.outlier = tv_table_in_short(outliers, "Outlier");
	/* As without the lower limit of Z. */
	mark_slow(&work, members, INFINITY);
	read_disturbances(&work, disturbances, NULL);
	class = tv_alloc(run->tasks.n, sizeof *class);
	classify(&work, class);
	release(&work);
	return class;
}

/* ---- obstacles ---- */

const struct tv_table *tv_run_slow(struct tv_run *run, struct tv_error *err)
{
	return tv_run_pass_with(run, "deviating-resources", err, "min-z", "1.5", NULL);
}

/* Adds 1 for each disturbance of a group that a span meets. */
static void count_met(const struct lateness *work, const struct tv_table *table, uint32_t group,
		      struct tv_span in, uint32_t *n)
{
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End");
	uint32_t i;

	TV_LOWER_BOUND(i, work->at.first[group], work->at.first[group + 1],
		       end->i[work->at.row[i]] <= in.begin);
	for (; i < work->at.first[group + 1] && start->i[work->at.row[i]] < in.end; i++)
		n[work->at.row[i]]++;
}

const bool *tv_run_disturbed(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_table *outliers, *table = NULL;
	struct lateness work = { .tasks = tasks };
	uint32_t *met, *then;
	bool *believed = tv_run_kept(run, &kept);

	if (believed != NULL)
		return believed;
	outliers = tv_run_pass(run, "outliers", NULL, err);
	if (outliers != NULL)
		table = tv_run_pass(run, "disturbances", NULL, err);
	if (table == NULL || (work.relative = tv_relative_durations(run, err)) == NULL)
		return NULL;
	group_disturbances(&work, table);
	met = tv_alloc(table->nrows, sizeof *met);
	then = tv_alloc(table->nrows, sizeof *then);
	for (uint32_t row = 0; row < tasks->n && table->nrows > 0; row++) {
		uint32_t node;

		if (!tasks->counted[row] || !tv_row_begins(tasks, row)
		    || !marked(tv_table_in_short(outliers, "Outlier"), row))
			continue;
		node = tasks->workers[tasks->worker[row]].node;
		for (int i = 0; i < 2; i++) {
			uint32_t group = i == 0 ? node : tasks->nnodes;

			count_met(&work, table, group,
				  (struct tv_span){ tasks->start[row], tasks->end[row] }, met);
			count_met(&work, table, group,
				  (struct tv_span){ tasks->start[row], usual_end(&work, row) },
				  then);
		}
	}
	believed = tv_alloc((size_t)table->nrows + 1, sizeof *believed);
	for (uint32_t row = 0; row < table->nrows; row++)
		believed[row] = 2 * then[row] >= met[row];
	tv_groups_release(&work.at);
	tv_free(met);
	tv_free(then);
	tv_run_keep(run, &kept, believed, tv_free);
	return believed;
}

/* own: outliers among the tasks of a type on a worker. */
static enum tv_lateness obstacle_of(const struct lateness *work, const struct tv_column *own,
				    uint32_t row)
{
	bool slow = tv_map_get(&work->slow, work->tasks->worker[row], 0) != NULL;

	return slow && !marked(own, row)  ? TV_LATENESS_SLOW_WORKER
	     : is_disturbed(work, row)	  ? TV_LATENESS_DISTURBANCE
	     : marked(work->outlier, row) ? TV_LATENESS_OUTLIER
	     : slow			  ? TV_LATENESS_SLOW_WORKER
					  : TV_LATENESS_REST;
}

/* Whether a task takes longer than usual by no more than another one takes. */
static bool is_no_longer(const struct lateness *work, uint32_t row, uint32_t other)
{
	const struct tv_tasks *tasks = work->tasks;

	return tasks->end[row] - usual_end(work, row) <= tasks->end[other] - tasks->start[other];
}

/* An outlier next to one in a disturbance, on the same worker, is in it, too, if it takes no longer by more than that one takes: where it
 * begins and ends, few workers have any. row: of a worker, in order. */
static void join(const struct lateness *work, const uint32_t *row, uint32_t n, uint8_t *class)
{
	const struct tv_column *outlier = work->outlier;

	for (uint32_t k = 1; k < 2 * n; k++) {
		/* To the last one, and back. */
		uint32_t at = k < n ? k : 2 * n - 1 - k, before = k < n ? at - 1 : at + 1;

		if (before < n && class[row[at]] == TV_LATENESS_OUTLIER
		    && class[row[before]] == TV_LATENESS_DISTURBANCE && marked(outlier, row[before])
		    && is_no_longer(work, row[at], row[before]))
			class[row[at]] = TV_LATENESS_DISTURBANCE;
	}
}

static void join_disturbances(const struct lateness *work, uint8_t *class)
{
	struct tv_groups rows;

	tv_tasks_by_start(work->tasks, work->tasks->counted, &rows);
	for (uint32_t w = 0; w < rows.n; w++)
		join(work, rows.row + rows.first[w], rows.first[w + 1] - rows.first[w], class);
	tv_groups_release(&rows);
}

const uint8_t *tv_run_obstacles(struct tv_run *run, struct tv_error *err)
{
	static const char kept;
	const struct tv_table *outliers, *own = NULL, *slow = NULL, *disturbances = NULL;
	const struct tv_column *of_worker;
	struct lateness work = { .tasks = &run->tasks };
	const bool *believed;
	uint8_t *class = tv_run_kept(run, &kept);

	if (class != NULL)
		return class;
	outliers = tv_run_pass(run, "outliers", NULL, err);
	if (outliers != NULL)
		own = tv_run_pass_with(run, "outliers", err, "group", "Value,ResourceId", NULL);
	if (own != NULL)
		slow = tv_run_slow(run, err);
	if (slow != NULL)
		disturbances = tv_run_pass(run, "disturbances", NULL, err);
	believed = disturbances == NULL ? NULL : tv_run_disturbed(run, err);
	if (believed == NULL || (work.relative = tv_relative_durations(run, err)) == NULL)
		return NULL;
	work.outlier = tv_table_in_short(outliers, "Outlier");
	of_worker = tv_table_in_short(own, "Outlier");
	mark_slow(&work, slow, 1.5);
	read_disturbances(&work, disturbances, believed);
	class = tv_alloc(run->tasks.n, sizeof *class);
	for (uint32_t row = 0; row < run->tasks.n; row++)
		if (run->tasks.counted[row] && tv_row_begins(&run->tasks, row))
			class[row] = (uint8_t)obstacle_of(&work, of_worker, row);
	if (disturbances->nrows > 0)
		join_disturbances(&work, class);
	release(&work);
	tv_run_keep(run, &kept, class, tv_free);
	return class;
}
