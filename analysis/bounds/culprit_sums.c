/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit_sums.c -- the idle time of workers by cause and culprit. */
#include "analysis/bounds/culprit_sums.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/blamed.h"
#include "dag/rerun.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/map.h"
#include "trace/sorted.h"

enum { FIRST_OF_NODE = TV_IDLE_UNSUITED, NCAUSES_OF_NODE = TV_IDLE_NCAUSES - FIRST_OF_NODE };

/* The causes of a node: its spans, and how long each cause lasted before each. */
struct timeline {
	const struct tv_cause_span *at; /* in order of time, without gaps */
	int64_t (*before)[NCAUSES_OF_NODE];
	uint32_t n;
};

struct culprit_sums {
	const struct tv_idle_culprit_input *input;
	const struct tv_tasks *tasks;
	struct tv_idle_culprit_sums *sums;
	enum tv_idle_culprit_key key;
	struct tv_cause_span *causes; /* of workers */
	uint32_t *first;	      /* by worker: the first of its causes; one more */
	uint32_t *near; /* by worker: ... that of its part before, most are close to it */
	struct tv_cause_span *of_nodes; /* causes of nodes */
	struct timeline *timeline;	/* by node */
	struct tv_blamed_names links;
	uint32_t *
		name; /* by row of tasks, then of calls: number of its names; TV_NONE = not known yet */
	uint32_t nnames;
	struct tv_map number; /* of names */
	struct tv_map place;  /* of a sum */
	double *excess;	      /* by row: part of its duration above the mean of its kind */
};

/* ---- names ---- */

static const struct tv_idle_culprit_names no_names = { TV_NONE, TV_NONE, TV_NONE, TV_NONE,
						       TV_NONE, TV_NONE, TV_NONE };

/* Of a row of calls. */
static struct tv_idle_culprit_names names_of_call(const struct culprit_sums *work, uint32_t row)
{
	const struct tv_table *calls = tv_trace_table(work->tasks->trace, TV_CALLS);
	const struct tv_column *call = tv_table_find(calls, "Call");
	const struct tv_column *site = tv_table_find(calls, "Site");
	struct tv_idle_culprit_names names = no_names;
	bool all = work->key == TV_IDLE_CULPRIT_BY_ALL;

	if (all || work->key == TV_IDLE_CULPRIT_BY_TYPE || work->key == TV_IDLE_CULPRIT_BY_PLACE) {
		names.value = call == NULL ? TV_NONE : tv_label(call, row);
		names.site = site == NULL ? TV_NONE : tv_label(site, row);
	}
	if (all || work->key == TV_IDLE_CULPRIT_BY_NODE)
		names.node = work->input->partner[row];
	return names;
}

/* Where the program made the task: label; TV_NONE = the trace does not say. */
static uint32_t place_of(const struct culprit_sums *work, uint32_t row)
{
	const struct tv_table *table = tv_trace_table(work->tasks->trace, TV_TASKS);
	const struct tv_column *file = tv_table_find(table, "File"),
			       *line = tv_table_find(table, "Line"),
			       *site = tv_table_find(table, "Site");
	uint32_t label;
	char *text;

	if (file == NULL || line == NULL || tv_missing(file, row) || tv_missing(line, row)) {
		if (site == NULL || tv_missing(site, row))
			return TV_NONE;
		text = tv_cell_copy(site, row);
	} else {
		char *name = tv_cell_copy(file, row), *number = tv_cell_copy(line, row);

		text = tv_format("%s:%s", name, number);
		tv_free(name);
		tv_free(number);
	}
	label = tv_intern_text(work->input->pool, text);
	tv_free(text);
	return label;
}

static struct tv_idle_culprit_names names_of(const struct culprit_sums *work,
					     const struct tv_idle_culprit_span *span)
{
	uint32_t row = span->row;
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_dag *dag = work->input->waits->dag;
	struct tv_idle_culprit_names names = no_names;
	const struct tv_worker *worker;
	bool all = work->key == TV_IDLE_CULPRIT_BY_ALL, task = work->key == TV_IDLE_CULPRIT_BY_TASK;

	if (span->what == TV_IDLE_CULPRIT_CALL)
		return names_of_call(work, row);
	if (task && tasks->job != NULL)
		names.job = tasks->job[row];
	if (tasks->worker[row] == TV_NONE) {
		if (all || task || work->key == TV_IDLE_CULPRIT_BY_LINK)
			names.link = work->links.name[work->links.of[dag->node_of_row[row]]].link;
		return names;
	}
	worker = &tasks->workers[tasks->worker[row]];
	if (all || task || work->key == TV_IDLE_CULPRIT_BY_TYPE) {
		names.value = tasks->value[row];
		names.rtype = tasks->rtype[worker->rtype].label;
	}
	if (all || task || work->key == TV_IDLE_CULPRIT_BY_NODE
	    || work->key == TV_IDLE_CULPRIT_BY_WORKER)
		names.node = tasks->node[worker->node].label;
	if (work->key == TV_IDLE_CULPRIT_BY_PLACE) {
		names.site = place_of(work, row);
		names.value = names.site == TV_NONE ? tasks->value[row] : TV_NONE;
	}
	if (task || work->key == TV_IDLE_CULPRIT_BY_WORKER)
		names.resource = worker->resource;
	return names;
}

/* Equal names have one number. */
static uint32_t number_of(struct culprit_sums *work, const struct tv_idle_culprit_span *span)
{
	size_t before = span->what == TV_IDLE_CULPRIT_CALL ? work->tasks->n : 0;
	uint32_t *name = &work->name[before + span->row], *number;
	struct tv_idle_culprit_names names;

	if (*name != TV_NONE)
		return *name;
	names = names_of(work, span);
	/* With a job nothing else matters; else with a worker there is no task type, with a place no worker type. */
	number = tv_map_at(&work->number,
			   (uint64_t)(names.job != TV_NONE	  ? names.job
				      : names.resource != TV_NONE ? names.resource
								  : names.value)
					   << 32
				   | (names.site != TV_NONE ? names.site : names.rtype),
			   (uint64_t)names.node << 32 | names.link);
	if (*number == TV_NONE)
		*number = work->nnames++;
	return *name = *number;
}

/* ---- sums ---- */

static struct tv_idle_culprit_sum *sum_of(struct culprit_sums *work, size_t slice, uint32_t cause,
					  const struct tv_idle_culprit_span *span)
{
	uint64_t key = (uint64_t)number_of(work, span) << 16 | cause << 8 | span->what;
	uint32_t *place = tv_map_at(&work->place, slice, key);

	if (*place == TV_NONE) {
		*place = (uint32_t)work->sums->n;
		TV_GROW(work->sums->at, work->sums->n, work->sums->cap, 1);
		work->sums->at[work->sums->n++] = (struct tv_idle_culprit_sum){
			.slice = slice,
			.cause = cause,
			.what = span->what,
			.names = names_of(work, span)
		};
	}
	return &work->sums->at[*place];
}

static void add(struct culprit_sums *work, size_t slice, uint32_t cause,
		const struct tv_idle_culprit_span *span, int64_t time)
{
	struct tv_idle_culprit_sum *sum;
	uint32_t rtype = work->tasks->workers[span->worker].rtype;

	if (time <= 0)
		return;
	sum = sum_of(work, slice, cause, span);
	sum->time += time;
	sum->direct += span->direct ? time : 0;
	sum->priced += (long double)work->input->worth->price[rtype] * (long double)time;
	if (tv_idle_culprit_has_excess(span->what))
		sum->excess += (long double)work->excess[span->row] * (long double)time;
}

/* ---- causes ---- */

/* How long a node had a cause until t, before which so many of its spans begin. */
static int64_t cause_until(const struct timeline *line, uint32_t begun, uint32_t cause, int64_t t)
{
	const struct tv_cause_span *last;

	if (begun == 0)
		return 0;
	last = &line->at[begun - 1];
	return line->before[begun - 1][cause]
	     + (last->cause != FIRST_OF_NODE + cause
			? 0
			: (t < last->end ? t : last->end) - last->begin);
}

static void add_node_causes(struct culprit_sums *work, size_t slice,
			    const struct tv_idle_culprit_span *span, int64_t begin, int64_t end)
{
	const struct timeline *line = &work->timeline[work->tasks->workers[span->worker].node];
	uint32_t first, last;

	TV_LOWER_BOUND(first, 0, line->n, line->at[first].begin < begin);
	TV_LOWER_BOUND(last, first, line->n, line->at[last].begin < end);
	for (uint32_t c = 0; c < NCAUSES_OF_NODE; c++)
		add(work, slice, FIRST_OF_NODE + c, span,
		    cause_until(line, last, c, end) - cause_until(line, first, c, begin));
}

static void add_causes(struct culprit_sums *work, size_t slice,
		       const struct tv_idle_culprit_span *span, int64_t begin, int64_t end)
{
	const struct tv_cause_span *all = work->causes;
	uint32_t first = work->first[span->worker], last = work->first[span->worker + 1];
	uint32_t i = work->near[span->worker];

	while (i < last && all[i].end <= begin)
		i++;
	while (i > first && all[i - 1].end > begin)
		i--;
	work->near[span->worker] = i;
	for (; i < last && all[i].begin < end; i++) {
		const struct tv_cause_span *cause = &all[i];
		int64_t from = cause->begin > begin ? cause->begin : begin;
		int64_t to = cause->end < end ? cause->end : end;

		if (cause->cause == TV_IDLE_NCAUSES)
			add_node_causes(work, slice, span, from, to);
		else
			add(work, slice, cause->cause, span, to - from);
	}
}

static void take(void *to, const struct tv_idle_culprit_span *span)
{
	struct culprit_sums *work = to;
	const int64_t *bound = work->input->bound;
	size_t slice;

	if (work->input->group[span->worker] == TV_NONE)
		return;
	slice = tv_count_upto(&span->begin, bound, work->input->nslices, sizeof *bound,
			      tv_compare_int64)
	      - 1;
	for (; slice < work->input->nslices && bound[slice] < span->end; slice++)
		add_causes(work, slice, span,
			   span->begin > bound[slice] ? span->begin : bound[slice],
			   span->end < bound[slice + 1] ? span->end : bound[slice + 1]);
}

/* ---- preparation ---- */

static void group_causes(struct culprit_sums *work)
{
	work->causes = tv_causes_by_owner(&work->input->spans->worker_causes, work->tasks->nworkers,
					  &work->first);
	work->near = tv_alloc(work->tasks->nworkers, sizeof *work->near);
	memcpy(work->near, work->first, work->tasks->nworkers * sizeof *work->near);
}

static void make_timelines(struct culprit_sums *work)
{
	uint32_t *first;

	work->of_nodes = tv_causes_by_owner(&work->input->spans->node_causes, work->tasks->nnodes,
					    &first);
	work->timeline = tv_alloc(work->tasks->nnodes, sizeof *work->timeline);
	for (uint32_t k = 0; k < work->tasks->nnodes; k++) {
		struct timeline *line = &work->timeline[k];

		line->at = work->of_nodes + first[k];
		line->n = first[k + 1] - first[k];
		line->before = tv_alloc((size_t)line->n + 1, sizeof *line->before);
		for (uint32_t i = 0; i < line->n; i++) {
			memcpy(line->before[i + 1], line->before[i], sizeof *line->before);
			line->before[i + 1][line->at[i].cause - FIRST_OF_NODE] += line->at[i].end
										- line->at[i].begin;
		}
	}
	tv_free(first);
}

static void find_excess_of_messages(struct culprit_sums *work)
{
	const struct tv_dag *dag = work->input->waits->dag;
	const int64_t *excess = work->input->message_excess;

	for (uint32_t v = 0; excess != NULL && v < dag->n; v++)
		if (excess[v] > 0)
			work->excess[dag->row[v]] = (double)excess[v]
						  / (double)tv_rerun_flight(dag, v);
}

/* The part of the duration of each counted row above the mean of its pair. */
static void find_excess(struct culprit_sums *work)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_means *means = work->input->worth->means;

	work->excess = tv_alloc(tasks->n, sizeof *work->excess);
	for (uint32_t row = 0; row < tasks->n; row++) {
		double mean, time;

		if (!tasks->counted[row] || tv_task_device_time(tasks, row) <= 0
		    || !tv_means_take(means, tasks, row))
			continue;
		time = (double)tv_task_device_time(tasks, row);
		mean = work->input->worth->of
			       .time[(size_t)tv_means_type(means, row) * means->nrtypes
				     + tasks->workers[tasks->worker[row]].rtype];
		work->excess[row] = mean >= 0 && time > mean ? (time - mean) / time : 0;
	}
}

TV_ORDER(by_time, struct tv_idle_culprit_sum, slice, cause, what, down(time), names.value,
	 names.rtype, names.site, names.node, names.link, names.resource, names.job)

void tv_idle_culprit_sums_init(struct tv_idle_culprit_sums *sums,
			       const struct tv_idle_culprit_input *input,
			       enum tv_idle_culprit_key key)
{
	const struct tv_dag *dag = input->waits->dag;
	struct culprit_sums work = {
		.input = input, .tasks = dag->tasks, .sums = sums, .key = key
	};
	size_t nrows = (size_t)work.tasks->n + tv_trace_table(work.tasks->trace, TV_CALLS)->nrows;

	*sums = (struct tv_idle_culprit_sums){ 0 };
	work.name = tv_alloc(nrows, sizeof *work.name);
	for (size_t row = 0; row < nrows; row++)
		work.name[row] = TV_NONE;
	tv_blamed_names_init(&work.links, dag, input->pool);
	group_causes(&work);
	make_timelines(&work);
	find_excess(&work);
	find_excess_of_messages(&work);
	tv_idle_culprits(input->waits, input->fetches, input->bound[0],
			 input->bound[input->nslices], take, &work);
	if (sums->n > 1)
		qsort(sums->at, sums->n, sizeof *sums->at, by_time);
	for (uint32_t k = 0; k < work.tasks->nnodes; k++)
		tv_free(work.timeline[k].before);
	tv_free(work.of_nodes);
	tv_free(work.timeline);
	tv_free(work.near);
	tv_free(work.name);
	tv_free(work.excess);
	tv_map_release(&work.number);
	tv_map_release(&work.place);
	tv_free(work.causes);
	tv_free(work.first);
	tv_blamed_names_release(&work.links);
}

void tv_idle_culprit_sums_release(struct tv_idle_culprit_sums *sums)
{
	tv_free(sums->at);
	*sums = (struct tv_idle_culprit_sums){ 0 };
}
