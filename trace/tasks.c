/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- a completed trace as plain arrays. */
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/devices.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/task_workers.h"

static const int64_t *times(const struct tv_table *table, const char *name)
{
	const struct tv_column *column = tv_table_find(table, name);

	return column != NULL ? column->i : NULL;
}

static const uint32_t *labels(const struct tv_table *table, const char *name)
{
	const struct tv_column *column = tv_table_find(table, name);

	return column != NULL ? column->u : NULL;
}

bool tv_tasks_all_app(const struct tv_table *tasks)
{
	static const char *const needed[] = { "Start", "End", "ResourceId", "Kind" };
	const struct tv_column *kind = tv_table_find(tasks, "Kind");
	uint32_t app;

	for (size_t i = 0; i < TV_COUNT(needed); i++) {
		const struct tv_column *column = tv_table_find(tasks, needed[i]);

		if (column == NULL || column->valid != NULL)
			return false;
	}
	app = tv_pool_find_text(tasks->pool, tv_kind_name(TV_APP));
	return tasks->nrows == 0 || (kind->u[0] == app && tv_is_one_label(kind, tasks->nrows));
}

/* Kind of every row; without the column an execution is app. */
static void read_kinds(struct tv_tasks *tasks, const struct tv_table *task_table)
{
	const struct tv_column *kind = tv_table_find(task_table, "Kind");
	const struct tv_column *start = tv_table_find(task_table, "Start"),
			       *end = tv_table_find(task_table, "End");
	const struct tv_column *resource = tv_table_find(task_table, "ResourceId");
	uint32_t label[TV_NKINDS];

	for (int k = 0; k < TV_NKINDS; k++)
		label[k] = tv_pool_find_text(tasks->pool, tv_kind_name((enum tv_kind)k));
	if (tv_tasks_all_app(task_table)) {
		memset(tasks->kind, TV_APP, tasks->n);
		memset(tasks->executed, true, tasks->n);
		return;
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		bool ran = !tv_missing(start, row) && !tv_missing(end, row);
		enum tv_kind is = ran ? TV_APP : TV_GHOST;

		if (kind != NULL && !tv_missing(kind, row)) {
			int k = 0;

			while (k < TV_NKINDS && tv_label(kind, row) != label[k])
				k++;
			is = k < TV_NKINDS ? (enum tv_kind)k : is;
		}
		tasks->kind[row] = (uint8_t)is;
		tasks->executed[row] = ran && is <= TV_RUNTIME && !tv_missing(resource, row);
	}
}

/* ---- segments ---- */

/* A row of a job, by its place in the job's executions. */
struct part {
	uint32_t job, row;
	int64_t run; /* of a regenerated task */
	int64_t segment;
	uint32_t member; /* n-th row of its segment */
};

TV_ORDER(by_run, struct part, job, run)

TV_ORDER(by_segment, struct part, job, run, segment, row)

TV_ORDER(by_member, struct part, job, run, member, segment, row)

/* The column Segment if it divides any job. */
static const struct tv_column *find_segments(const struct tv_table *task_table)
{
	const struct tv_column *segment = tv_table_find(task_table, "Segment");

	for (uint32_t row = 0; segment != NULL && row < task_table->nrows; row++)
		if (!tv_missing(segment, row) && segment->i[row] != 0
		    && tv_table_find(task_table, "JobId") != NULL)
			return segment;
	return NULL;
}

/* Which run of its job a row is of. */
static int64_t run_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->instance == NULL || tv_missing(tasks->instance, row)
		     ? 0
		     : tasks->instance->i[row];
}

static uint32_t list_parts(const struct tv_tasks *tasks, struct part *part)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row] && tasks->job[row] != TV_NONE)
			part[n++] = (struct part){ .job = tasks->job[row],
						   .row = row,
						   .run = run_of(tasks, row),
						   .segment = tv_segment_of(tasks, row) };
	if (n > 0)
		qsort(part, n, sizeof *part, by_segment);
	for (uint32_t i = 1; i < n; i++)
		if (by_run(&part[i - 1], &part[i]) == 0 && part[i].segment == part[i - 1].segment)
			part[i].member = part[i - 1].member + 1;
	if (n > 0)
		qsort(part, n, sizeof *part, by_member);
	return n;
}

/* By row: the sum of the device times of all segments of its execution. */
static int64_t *sum_segments(const struct tv_tasks *tasks)
{
	int64_t *sum = tv_alloc(tasks->n, sizeof *sum);

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row])
			sum[tasks->whole[row]] = tv_sum_ns((tv_int128)sum[tasks->whole[row]]
							   + tv_row_device_time(tasks, row));
	for (uint32_t row = 0; row < tasks->n; row++)
		sum[row] = sum[tasks->whole[row]];
	return sum;
}

/* Joins the segments of every execution. */
static void join_segments(struct tv_tasks *tasks)
{
	struct part *part;
	uint32_t n;

	if (tasks->segment == NULL)
		return;
	part = tv_alloc(tasks->n, sizeof *part);
	tasks->whole = tv_alloc(tasks->n, sizeof *tasks->whole);
	n = list_parts(tasks, part);
	for (uint32_t row = 0; row < tasks->n; row++)
		tasks->whole[row] = row;
	for (uint32_t i = 1; i < n; i++)
		if (by_run(&part[i - 1], &part[i]) == 0 && part[i].member == part[i - 1].member
		    && tasks->kind[part[i].row] == tasks->kind[part[i - 1].row])
			tasks->whole[part[i].row] = tasks->whole[part[i - 1].row];
	tasks->spent = sum_segments(tasks);
	tv_free(part);
}

static void take_device_times(struct tv_tasks *tasks, int64_t *time)
{
	tasks->device_time = time;
	if (tasks->whole != NULL)
		tasks->device_spent = sum_segments(tasks);
}

/* What had not ended when the trace did. */
static void find_open(struct tv_tasks *tasks)
{
	const struct tv_column *flag = tv_table_find(&tasks->trace->table[TV_TASKS], "Flag");
	uint32_t open = flag == NULL ? TV_NONE : tv_pool_find_text(tasks->pool, TV_OPEN);

	for (uint32_t row = 0; open != TV_NONE && row < tasks->n; row++) {
		if (!tasks->executed[row] || tv_label(flag, row) != open)
			continue;
		if (tasks->open == NULL) {
			tasks->open = tv_alloc(tasks->n, sizeof *tasks->open);
			tasks->cut = tv_alloc(tasks->n, sizeof *tasks->cut);
		}
		tasks->open[row] = tasks->cut[tv_row_whole(tasks, row)] = true;
	}
	for (uint32_t row = 0; tasks->open != NULL && row < tasks->n; row++)
		tasks->cut[row] = tasks->executed[row] && tasks->cut[tv_row_whole(tasks, row)];
}

/* Whether a row is one of several workers' of a parallel task. */
static bool is_in_team(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->team != NULL && !tv_missing(tasks->team, row) && tasks->team->i[row] > 1
	    && tasks->job != NULL && tasks->job[row] != TV_NONE;
}

/* How many tasks the counted executions are: a team of a parallel task is one, each time that it
 * runs, and so are the segments of a suspended one. */
static void count_executions(struct tv_tasks *tasks)
{
	int64_t *last = tv_alloc(tv_pool_count(tasks->pool), sizeof *last); /* by job, + 1 */

	for (uint32_t row = 0; row < tasks->n; row++) {
		bool in_team = is_in_team(tasks, row);
		int64_t run = in_team ? run_of(tasks, row) : 0;

		if (!tasks->counted[row])
			continue;
		tasks->ncounted++;
		if (!tv_row_begins(tasks, row))
			continue;
		tasks->nexecutions++;
		tasks->ncut += !tv_task_ended(tasks, row);
		tasks->leads[row] = !in_team || last[tasks->job[row]] != run + 1;
		tasks->ntasks += tasks->leads[row];
		if (in_team)
			last[tasks->job[row]] = run + 1;
	}
	tv_free(last);
}

static uint32_t count_set(const bool *set, uint32_t n)
{
	uint32_t count = 0;

	if (n > 0 && memchr(set, set[0] ? 0 : 1, n) == NULL)
		return set[0] ? n : 0;
	for (uint32_t row = 0; row < n; row++)
		count += set[row];
	return count;
}

static void count_tasks(struct tv_tasks *tasks)
{
	tasks->npending = count_set(tasks->pending, tasks->n);
	if (tasks->team != NULL || tasks->whole != NULL || tasks->cut != NULL) {
		count_executions(tasks);
		return;
	}
	/* Each row is a task. */
	if (tasks->n > 0)
		memcpy(tasks->leads, tasks->counted, tasks->n * sizeof *tasks->leads);
	tasks->ncounted = tasks->nexecutions = tasks->ntasks = count_set(tasks->counted, tasks->n);
}

/* What counts as a task of rows of several kinds. */
static void count_rows(struct tv_tasks *tasks, unsigned kinds)
{
	const struct tv_column *flag = tv_table_find(&tasks->trace->table[TV_TASKS], "Flag");
	uint32_t planned = tv_pool_find_text(tasks->pool, TV_PLANNED);

	for (uint32_t row = 0; row < tasks->n; row++) {
		bool asked = (kinds >> tasks->kind[row] & 1) != 0;

		/* Set only where true: memory that stays zero takes no page. */
		if (tasks->executed[row] && asked)
			tasks->counted[row] = true;
		if (tasks->executed[row])
			continue;
		if (flag != NULL && planned != TV_NONE && asked && tv_label(flag, row) == planned) {
			tasks->planned[row] = true;
			tasks->nplanned++;
		}
		if (tasks->kind[row] == TV_PENDING && (kinds >> TV_APP & 1) != 0)
			tasks->pending[row] = true;
	}
}

/* What counts as a task, and from when to when. */
static void count_kinds(struct tv_tasks *tasks, unsigned kinds)
{
	int64_t begin = INT64_MAX, finish = INT64_MIN;
	const int64_t *start = tasks->start, *end = tasks->end;
	const uint8_t *kind = tasks->kind;
	uint32_t n = tasks->n;
	bool all = tv_all_executed(tasks) && (kinds >> kind[0] & 1) != 0
		&& memcmp(kind, kind + 1, n - 1) == 0,
	     any = all;

	if (all)
		memset(tasks->counted, true, n);
	else
		count_rows(tasks, kinds);
	for (uint32_t row = 0; row < n; row++) {
		if (!all && !tasks->counted[row])
			continue;
		any = true;
		begin = start[row] < begin ? start[row] : begin;
		finish = end[row] > finish ? end[row] : finish;
	}
	tasks->begin = any ? begin : 0;
	tasks->finish = any ? finish : 0;
	if (tasks->trace->rest.n == 0)
		return;
	if (!any || tasks->trace->rest.begin < tasks->begin)
		tasks->begin = tasks->trace->rest.begin;
	if (!any || tasks->trace->rest.finish > tasks->finish)
		tasks->finish = tasks->trace->rest.finish;
}

static void alloc_rows(struct tv_tasks *tasks)
{
	tasks->kind = tv_realloc(NULL, tasks->n, sizeof *tasks->kind);
	tasks->executed = tv_realloc(NULL, tasks->n, sizeof *tasks->executed);
	tasks->counted = tv_alloc(tasks->n, sizeof *tasks->counted);
	tasks->pending = tv_alloc(tasks->n, sizeof *tasks->pending);
	tasks->planned = tv_alloc(tasks->n, sizeof *tasks->planned);
	tasks->leads = tv_alloc(tasks->n, sizeof *tasks->leads);
	tasks->worker = tv_realloc(NULL, tasks->n, sizeof *tasks->worker);
}

/* Whether --resources says how many workers of a type there are. */
static bool declares(const struct tv_tasks *tasks, uint32_t type)
{
	const char *s = tasks->trace->options.resources;
	size_t n;
	const char *name = tv_pool_string(tasks->pool, tasks->rtype[type].label, &n);

	while (s != NULL && !(strncmp(s, name, n) == 0 && s[n] == '=')) {
		s = strchr(s, ',');
		s = s != NULL ? s + 1 : NULL;
	}
	return s != NULL;
}

static void init(struct tv_tasks *tasks, const struct tv_trace *trace, unsigned kinds, bool devices)
{
	const struct tv_table *task_table = &trace->table[TV_TASKS];
	uint32_t declared = 0;

	*tasks = (struct tv_tasks){ .trace = trace, .pool = trace->pool, .n = task_table->nrows };
	tasks->value = labels(task_table, "Value");
	tasks->job = labels(task_table, "JobId");
	tasks->start = times(task_table, "Start");
	tasks->end = times(task_table, "End");
	tasks->depends = tv_table_find(task_table, "DependsOn");
	tasks->submit = tv_table_find(task_table, "SubmitTime");
	tasks->team = tv_table_find(task_table, "Team");
	tasks->instance = tv_table_find(task_table, "Instance");
	tasks->segment = find_segments(task_table);
	alloc_rows(tasks);
	if (tasks->n > 0)
		read_kinds(tasks, task_table);
	devices = tv_find_workers(tasks, devices);
	join_segments(tasks);
	find_open(tasks);
	count_kinds(tasks, kinds);
	count_tasks(tasks);
	if (devices)
		take_device_times(tasks, tv_device_times(tasks));
	/* A CSV with kinds was written by us, so it contains its idle workers. */
	if (tv_table_find(task_table, "Kind") != NULL
	    && !tv_table_find(task_table, "Kind")->derived)
		tasks->workers_known = true;
	while (declared < tasks->nrtypes && declares(tasks, declared))
		declared++;
	tasks->workers_known = tasks->workers_known || (declared > 0 && declared == tasks->nrtypes);
}

void tv_tasks_init(struct tv_tasks *tasks, const struct tv_trace *trace, unsigned kinds)
{
	init(tasks, trace, kinds, true);
}

void tv_tasks_init_streams(struct tv_tasks *tasks, const struct tv_trace *trace, unsigned kinds)
{
	init(tasks, trace, kinds, false);
}

int64_t tv_tasks_ended(const struct tv_tasks *tasks)
{
	int64_t last = tasks->begin;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_ended(tasks, row) && tasks->end[row] > last)
			last = tasks->end[row];
	return last;
}

/* Groups that have chosen workers, in their order; number[]: the new number of each, by the old. */
static uint32_t take_groups(struct tv_group *to, const struct tv_group *from, uint32_t n,
			    uint32_t *number)
{
	uint32_t used = 0;

	for (uint32_t g = 0; g < n; g++) {
		if (number[g] == 0)
			continue;
		to[used] = (struct tv_group){ from[g].label, number[g], 0 };
		number[g] = used++;
	}
	for (uint32_t g = 1; g < used; g++)
		to[g].first = to[g - 1].first + to[g - 1].nworkers;
	return used;
}

/* The chosen workers with their types and nodes; index[]: the new number of each, by the old. */
static void take_workers(struct tv_tasks *part, const struct tv_tasks *whole, const bool *chosen,
			 uint32_t *index)
{
	uint32_t *rtype = tv_alloc(whole->nrtypes, sizeof *rtype);
	uint32_t *node = tv_alloc(whole->nnodes, sizeof *node);

	part->workers = tv_alloc(whole->nworkers, sizeof *part->workers);
	part->rtype = tv_alloc(whole->nrtypes, sizeof *part->rtype);
	part->node = tv_alloc(whole->nnodes, sizeof *part->node);
	for (uint32_t w = 0; w < whole->nworkers; w++) {
		rtype[whole->workers[w].rtype] += chosen[w];
		node[whole->workers[w].node] += chosen[w];
	}
	part->nrtypes = take_groups(part->rtype, whole->rtype, whole->nrtypes, rtype);
	part->nnodes = take_groups(part->node, whole->node, whole->nnodes, node);
	for (uint32_t w = 0; w < whole->nworkers; w++) {
		const struct tv_worker *worker = &whole->workers[w];

		if (!chosen[w])
			continue;
		index[w] = part->nworkers;
		part->workers[part->nworkers++] = (struct tv_worker){
			worker->resource, rtype[worker->rtype], node[worker->node], worker->shared
		};
	}
	tv_free(rtype);
	tv_free(node);
}

/* Pending tasks have no worker: they belong to a part that has all workers of their node. */
static void take_pending(struct tv_tasks *part, const struct tv_tasks *whole)
{
	const struct tv_column *node = tv_table_find(&whole->trace->table[TV_TASKS], "Node");

	for (uint32_t row = 0; row < whole->n; row++) {
		uint32_t label = node == NULL || whole->nnodes == 1 ? whole->node[0].label
								    : tv_label(node, row);

		for (uint32_t n = 0; whole->pending[row] && n < whole->nnodes; n++)
			for (uint32_t k = 0; k < part->nnodes; k++)
				if (whole->node[n].label == label && part->node[k].label == label
				    && part->node[k].nworkers == whole->node[n].nworkers)
					part->pending[row] = true;
	}
}

void tv_tasks_select(struct tv_tasks *part, const struct tv_tasks *whole, const bool *chosen)
{
	uint32_t *index = tv_alloc(whole->nworkers, sizeof *index);

	*part = *whole;
	part->workers = NULL;
	part->rtype = part->node = NULL;
	part->nworkers = part->nrtypes = part->nnodes = part->ncounted = part->ntasks = 0;
	part->npending = part->nexecutions = part->ncut = 0;
	part->whole = NULL;
	part->spent = part->device_time = part->device_spent = NULL;
	if (whole->open != NULL) {
		/* An execution may go on on a worker that is not chosen. */
		part->open = tv_alloc(whole->n, sizeof *part->open);
		part->cut = tv_alloc(whole->n, sizeof *part->cut);
		memcpy(part->open, whole->open, whole->n * sizeof *part->open);
		memcpy(part->cut, whole->cut, whole->n * sizeof *part->cut);
	}
	alloc_rows(part);
	take_workers(part, whole, chosen, index);
	for (uint32_t row = 0; row < whole->n; row++) {
		uint32_t w = whole->worker[row];
		bool kept = w != TV_NONE && chosen[w];

		part->kind[row] = whole->kind[row];
		part->executed[row] = whole->executed[row] && kept;
		part->counted[row] = whole->counted[row] && kept;
		part->worker[row] = kept ? index[w] : TV_NONE;
	}
	if (whole->npending > 0 && whole->nnodes > 0)
		take_pending(part, whole);
	join_segments(part);
	if (whole->device_time != NULL) {
		int64_t *time = tv_alloc(whole->n, sizeof *time);

		memcpy(time, whole->device_time, whole->n * sizeof *time);
		take_device_times(part, time);
	}
	count_tasks(part);
	tv_free(index);
}

void tv_tasks_release(struct tv_tasks *tasks)
{
	tv_free(tasks->kind);
	tv_free(tasks->executed);
	tv_free(tasks->counted);
	tv_free(tasks->pending);
	tv_free(tasks->planned);
	tv_free(tasks->leads);
	tv_free(tasks->whole);
	tv_free(tasks->spent);
	tv_free(tasks->open);
	tv_free(tasks->cut);
	tv_free(tasks->device_time);
	tv_free(tasks->device_spent);
	tv_free(tasks->worker);
	tv_free(tasks->workers);
	tv_free(tasks->rtype);
	tv_free(tasks->node);
	*tasks = (struct tv_tasks){ 0 };
}
