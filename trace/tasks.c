/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- a completed trace as plain arrays. */

#include "trace/alloc.h"
#include "trace/devices.h"
#include "trace/machine.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/parallel.h"
#include "trace/sorted.h"
#include "trace/survey.h"
#include "trace/tasks.h"
#include "trace/text.h"
#include <stdlib.h>
#include <string.h>

struct worker_key {
	const char *node, *type, *name;
	uint32_t resource, type_label, node_label;
};

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

/* Natural order; what is missing and the empty text differ. */
static int by_text(const char *a, uint32_t a_label, const char *b, uint32_t b_label)
{
	return a_label == b_label	    ? 0
	     : a[0] == '\0' && b[0] == '\0' ? (a_label > b_label ? 1 : -1)
					    : tv_natural_order(a, b);
}

static int by_type(const void *a, const void *b)
{
	const struct worker_key *x = a, *y = b;

	return by_text(x->type, x->type_label, y->type, y->type_label);
}

static int by_place(const void *a, const void *b)
{
	const struct worker_key *x = a, *y = b;
	int order = by_text(x->node, x->node_label, y->node, y->node_label);

	if (order == 0)
		order = by_type(a, b);
	return order != 0 ? order : tv_natural_order(x->name, y->name);
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

/* Whether none of n > 0 values is the other one. */
static bool all_are(const bool *set, bool value, uint32_t n)
{
	return memchr(set, value ? 0 : 1, n) == NULL;
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

static void see(uint32_t *label, const struct tv_column *column, uint32_t row)
{
	if (*label == TV_NONE && column != NULL)
		*label = tv_label(column, row);
}

static bool are_known(const bool *known, const uint32_t label[4])
{
	return known[label[0]] & known[label[1]] & known[label[2]] & known[label[3]];
}

/* Every resource that runs tasks, is declared idle, or is of a type that runs tasks. */
static void sight_tasks(struct tv_tasks *tasks, struct tv_sighting *seen, uint8_t *runs)
{
	const struct tv_table *task_table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *id = tv_table_find(task_table, "ResourceId");
	const struct tv_column *type = tv_table_find(task_table, "ResourceType");
	const struct tv_column *node = tv_table_find(task_table, "Node");
	const struct tv_column *device = tv_table_find(task_table, "Device");
	/* By label: nothing of the resource is left to be seen. */
	bool *known = tv_alloc(tv_pool_count(tasks->pool), sizeof *known);
	bool all = tasks->n > 0 && id->valid == NULL && all_are(tasks->executed, true, tasks->n);

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_sighting *s;
		uint32_t label;

		while (all && row + 4 < tasks->n && are_known(known, id->u + row))
			row += 4;
		label = tv_label(id, row);

		if (label == TV_NONE || (tasks->executed[row] && known[label])
		    || (!tasks->executed[row] && tasks->kind[row] != TV_WORKER))
			continue;
		s = &seen[label];
		s->worker = true;
		see(&s->type, type, row);
		see(&s->node, node, row);
		see(&s->device, device, row);
		if (tasks->kind[row] == TV_WORKER)
			tasks->workers_known = true;
		if (s->type != TV_NONE)
			runs[s->type] = 1;
		known[label] = s->type != TV_NONE && (node == NULL || s->node != TV_NONE)
			    && (device == NULL || s->device != TV_NONE);
	}
	tv_free(known);
}

/* The same of the table of resources, once all tasks are known. */
static void sight_resources(struct tv_tasks *tasks, struct tv_sighting *seen, const uint8_t *runs)
{
	const struct tv_table *resources = &tasks->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *type = tv_table_find(resources, "ResourceType");
	const struct tv_column *node = tv_table_find(resources, "Node");
	const struct tv_column *depth = tv_table_find(resources, "Depth");

	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++) {
		uint32_t is = type != NULL ? tv_label(type, row) : TV_NONE;
		struct tv_sighting *s;

		if (is == TV_NONE || tv_is_object(depth, row)
		    || (!runs[is] && !tv_is_processor(tv_pool_text(tasks->pool, is))))
			continue;
		s = &seen[tv_label(id, row)];
		s->worker = tasks->workers_known = true;
		see(&s->type, type, row);
		see(&s->node, node, row);
	}
}

/* Where some workers have a node, the node of the others is named "?": no label would mean several nodes, or all. */
static void name_unknown_node(struct tv_tasks *tasks, struct tv_sighting *seen, uint32_t nlabels)
{
	bool known = false, unknown = false;
	uint32_t name;

	for (uint32_t i = 0; i < nlabels; i++) {
		known |= seen[i].worker && seen[i].node != TV_NONE;
		unknown |= seen[i].worker && seen[i].node == TV_NONE;
	}
	if (!known || !unknown)
		return;
	name = tv_intern_text(tasks->trace->pool, "?");
	for (uint32_t i = 0; i < nlabels; i++)
		if (seen[i].worker && seen[i].node == TV_NONE)
			seen[i].node = name;
}

/* Place of a label among the groups found so far, added when new. place[label + 1]: that + 1, 0 =
 * new; TV_NONE is a label, too. */
static uint32_t group_of(struct tv_group *group, uint32_t *n, uint32_t label, uint32_t *place)
{
	uint32_t *known = &place[label == TV_NONE ? 0 : label + 1];

	if (*known == 0) {
		group[(*n)++] = (struct tv_group){ .label = label };
		*known = *n;
	}
	group[*known - 1].nworkers++;
	return *known - 1;
}

/* Sorted keys into workers, types and nodes. */
static void build_workers(struct tv_tasks *tasks, struct worker_key *key, uint32_t n)
{
	size_t nlabels = (size_t)tv_pool_count(tasks->pool) + 1;
	uint32_t *type = tv_alloc(nlabels, sizeof *type), *node = tv_alloc(nlabels, sizeof *node);

	tasks->workers = tv_alloc(n, sizeof *tasks->workers);
	tasks->rtype = tv_alloc(n, sizeof *tasks->rtype);
	tasks->node = tv_alloc(n, sizeof *tasks->node);
	qsort(key, n, sizeof *key, by_type);
	for (uint32_t i = 0; i < n; i++)
		group_of(tasks->rtype, &tasks->nrtypes, key[i].type_label, type);
	qsort(key, n, sizeof *key, by_place);
	for (uint32_t i = 0; i < tasks->nrtypes; i++)
		tasks->rtype[i].nworkers = 0;
	for (uint32_t i = 0; i < n; i++)
		tasks->workers[i] = (struct tv_worker){
			key[i].resource,
			group_of(tasks->rtype, &tasks->nrtypes, key[i].type_label, type),
			group_of(tasks->node, &tasks->nnodes, key[i].node_label, node),
			false,
		};
	for (uint32_t i = 1; i < tasks->nnodes; i++)
		tasks->node[i].first = tasks->node[i - 1].first + tasks->node[i - 1].nworkers;
	tasks->nworkers = n;
	tv_free(type);
	tv_free(node);
}

/* More than the labels of resources and their types are: jobs, of which there are many more, mostly come later. */
static uint32_t resource_labels(const struct tv_tasks *tasks)
{
	static const enum tv_table_id table[] = { TV_TASKS, TV_RESOURCES };
	static const char *const name[] = { "ResourceId", "ResourceType" };
	uint32_t below = 0;

	if (tasks->trace->survey != NULL)
		return tv_pool_count(tasks->pool);
	for (size_t i = 0; i < 2 * TV_COUNT(name); i++) {
		const struct tv_table *of = &tasks->trace->table[table[i / 2]];
		const struct tv_column *column = tv_table_find(of, name[i % 2]);
		uint32_t n = column == NULL ? 0 : tv_labels_below(column->u, of->nrows);

		below = n > below ? n : below;
	}
	return below;
}

/* devices: streams of one device are one worker. Returns whether there are such devices. */
static bool find_workers(struct tv_tasks *tasks, bool devices)
{
	uint32_t nlabels = resource_labels(tasks), n = 0;
	struct tv_sighting *seen = tv_alloc(nlabels, sizeof *seen);
	uint8_t *runs = tv_alloc(nlabels, 1);
	uint32_t *named = tv_alloc(nlabels, sizeof *named);
	const uint32_t *resource = labels(&tasks->trace->table[TV_TASKS], "ResourceId");
	uint32_t *worker = tv_alloc(nlabels, sizeof *worker); /* by label of a resource */
	struct tv_survey *survey = tasks->trace->survey;
	struct tv_index index = { 0 };
	struct worker_key *key;
	bool all;

	for (uint32_t i = 0; i < nlabels; i++)
		seen[i].type = seen[i].node = seen[i].device = TV_NONE;
	if (survey != NULL)
		tasks->workers_known = tv_survey_begin(survey, seen, runs);
	sight_tasks(tasks, seen, runs);
	if (survey != NULL)
		tv_survey_end(survey, seen, runs, nlabels, tasks->workers_known);
	sight_resources(tasks, seen, runs);
	name_unknown_node(tasks, seen, nlabels);
	for (uint32_t i = 0; i < nlabels; i++) {
		seen[i].device = devices ? seen[i].device : TV_NONE;
		n += seen[i].worker;
	}
	devices = tv_devices_name(tasks->trace->pool, seen, nlabels, named);
	key = tv_alloc(n, sizeof *key);
	n = 0;
	for (uint32_t i = 0; i < nlabels; i++)
		if (seen[i].worker && tv_index_get(&index, named[i]) == TV_NONE) {
			tv_index_set(&index, named[i], n);
			key[n++] = (struct worker_key){ tv_pool_text(tasks->pool, seen[i].node),
							tv_pool_text(tasks->pool, seen[i].type),
							tv_pool_text(tasks->pool, named[i]),
							named[i],
							seen[i].type,
							seen[i].node };
		}
	build_workers(tasks, key, n);
	for (uint32_t w = 0; w < n; w++)
		tv_index_set(&index, tasks->workers[w].resource, w);
	for (uint32_t i = 0; i < nlabels; i++)
		worker[i] = tv_index_get(&index, named[i]);
	all = tasks->n > 0 && all_are(tasks->executed, true, tasks->n);
	for (uint32_t row = 0; row < tasks->n; row++)
		tasks->worker[row] = all || tasks->executed[row]
						  || (tasks->kind[row] == TV_WORKER
						      && resource[row] != TV_NONE)
					   ? worker[resource[row]]
					   : TV_NONE;
	for (uint32_t i = 0; devices && i < nlabels; i++)
		if (seen[i].worker && named[i] != i)
			tasks->workers[tv_index_get(&index, named[i])].shared = true;
	tv_free(seen);
	tv_free(runs);
	tv_free(named);
	tv_free(worker);
	tv_free(index.at);
	tv_free(key);
	return devices;
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

	if (n > 0 && all_are(set, set[0], n))
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
	bool all = n > 0 && all_are(tasks->executed, true, n) && (kinds >> kind[0] & 1) != 0
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
	devices = find_workers(tasks, devices);
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

void tv_tasks_by_worker(const struct tv_tasks *tasks, const bool *set, struct tv_groups *groups)
{
	uint32_t *worker, n = 0;

	while (n < tasks->n && set[n])
		n++;
	if (n == tasks->n) {
		tv_groups_init(groups, tasks->worker, n, tasks->nworkers);
		return;
	}
	worker = tv_alloc(tasks->n, sizeof *worker);
	for (uint32_t row = 0; row < tasks->n; row++)
		worker[row] = set[row] ? tasks->worker[row] : TV_NONE;
	tv_groups_init(groups, worker, tasks->n, tasks->nworkers);
	tv_free(worker);
}

struct starts {
	const struct tv_tasks *tasks;
	struct tv_groups *groups;
};

static void sort_starts(void *context, size_t w)
{
	const struct starts *starts = context;
	const uint32_t *first = &starts->groups->first[w];

	tv_sort_rows(starts->tasks, starts->groups->row + first[0], first[1] - first[0]);
}

void tv_tasks_by_start(const struct tv_tasks *tasks, const bool *set, struct tv_groups *groups)
{
	tv_tasks_by_worker(tasks, set, groups);
	tv_parallel(groups->n, sort_starts, &(struct starts){ tasks, groups });
}

uint32_t tv_rows_started(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n, int64_t t)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, n, tasks->start[row[i]] <= t);
	return i;
}

uint32_t *tv_tasks_worker_of_label(const struct tv_tasks *tasks)
{
	uint32_t n = tv_pool_count(tasks->pool), *worker_of = tv_alloc(n, sizeof *worker_of);
	const uint32_t *resource = labels(&tasks->trace->table[TV_TASKS], "ResourceId");

	for (uint32_t i = 0; i < n; i++)
		worker_of[i] = TV_NONE;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		worker_of[tasks->workers[w].resource] = w;
	for (uint32_t row = 0; tasks->device_time != NULL && row < tasks->n; row++)
		if (tasks->worker[row] != TV_NONE)
			worker_of[resource[row]] = tasks->worker[row];
	return worker_of;
}

void tv_task_times(const struct tv_tasks *tasks, const uint32_t *row, uint32_t n, int64_t *time)
{
	const int64_t *start = tasks->start, *end = tasks->end;

	for (uint32_t i = 0; tasks->spent == NULL && i < n; i++)
		time[i] = end[row[i]] - start[row[i]];
	for (uint32_t i = 0; tasks->spent != NULL && i < n; i++)
		time[i] = tasks->spent[row[i]];
}

uint32_t *tv_tasks_last_rows(const struct tv_tasks *tasks)
{
	uint32_t *last = tv_alloc(tasks->n, sizeof *last);

	for (uint32_t row = 0; row < tasks->n; row++)
		last[row] = row;
	for (uint32_t row = 0; tasks->whole != NULL && row < tasks->n; row++) {
		uint32_t *its = &last[tasks->whole[row]];

		if (tasks->executed[row] && tasks->end[row] > tasks->end[*its])
			*its = row;
	}
	return last;
}

void tv_sort_rows(const struct tv_tasks *tasks, uint32_t *row, size_t n)
{
	tv_sort_rows_by_time(row, n, tasks->start);
}

uint32_t tv_workers_of_type(const struct tv_tasks *tasks, const char *rtype)
{
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		if (strcmp(tv_pool_text(tasks->pool, tasks->rtype[r].label), rtype) == 0)
			return tasks->rtype[r].nworkers;
	return 0;
}
