/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disturbances.c -- times in which tasks are outliers on more workers than chance explains. */
#include <math.h>
#include <string.h>

#include "analysis/core/covered.h"
#include "analysis/core/spans.h"
#include "analysis/core/statistics.h"
#include "analysis/tasks/executions.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { AUTO_STEPS_MAX = 100000 }; /* with --step auto: more show nothing new */
#define COLUMNS(X) \
	X(NODE, "Node", TV_LABEL, false, "", "node of the workers; missing = all workers") \
	X(START, "Start", TV_TIME, false, "ms", "start of the first step of the disturbance") \
	X(END, "End", TV_TIME, false, "ms", "end of its last step") \
	X(WORKERS, "Workers", TV_INT, false, "", "workers with an outlier during the disturbance") \
	X(ACTIVE, "Active", TV_INT, false, "", \
	  "max number of workers that run a task in one of its steps") \
	X(EXPECTED, "Expected", TV_DOUBLE, false, "", \
	  "expected number of workers with an outlier") \
	X(OUTLIERS, "Outliers", TV_INT, false, "", "number of outliers during the disturbance") \
	X(EXCESS, "Excess", TV_TIME, false, "ms", "sum of their time above their thresholds") \
	X(CHANCE, "Chance", TV_DOUBLE, false, "", \
	  "probability of such a step anywhere in the run if outliers were " \
	  "independent")

TV_COLUMNS(columns, COLUMNS)

/* A step in which so many workers ran an outlier that it can be disturbed. */
struct busy_step {
	uint32_t step;
	int64_t active, hit; /* workers that run a task, an outlier */
};

/* All workers, or those of a node. */
struct scope {
	uint32_t node;	      /* TV_NONE = all */
	struct busy_step *at; /* ascending */
	uint32_t n;
	size_t cap;
	int64_t actives, hits; /* sums over all steps */
};

/* A stretch of steps with too many outliers. */
struct event {
	uint32_t first, last; /* steps */
	double chance;	      /* the min of theirs, times the number of steps */
	double expected;      /* workers with outliers, in the step of that chance */
	uint32_t workers;     /* with an outlier that touches it */
	uint32_t outliers;
	tv_int128 excess; /* their time above their thresholds */
	uint32_t seen;	  /* last worker counted + 1 */
};

/* A row of an execution that is an outlier. */
struct outlier {
	int64_t start, end, excess;
	int64_t time; /* of an execution that ended, of its first row; else -1 */
	uint32_t worker;
	uint32_t execution; /* its first row */
};

struct asked {
	const char *step;
	uint64_t min_workers;
	double level; /* of Chance */
};

struct disturbances {
	const struct asked *asked;
	struct tv_run *run;
	const struct tv_tasks *tasks;
	struct outlier *outlier;
	size_t noutliers, cap;
	struct tv_groups rows; /* outliers by worker */
	int64_t step;
	uint32_t nsteps;
	struct scope *scope; /* all workers, then nodes that can be disturbed */
	uint32_t nscopes;
	uint32_t *scope_of;	   /* by node; TV_NONE = it cannot */
	struct tv_covered covered; /* by worker: steps that it is active in */
	struct event *event;
	uint32_t nevents;
	size_t events_cap;
	struct tv_map met; /* events and executions with segments that they met */
	struct tv_table *out;
};

/* ---- outliers ---- */

static int add_outliers(void *state, struct tv_run *part, struct tv_error *err)
{
	struct disturbances *work = state;
	const struct tv_tasks *tasks = &part->tasks;
	const struct tv_table *marks = tv_run_pass(part, "outliers", NULL, err);
	const struct tv_column *is, *threshold;

	if (marks == NULL)
		return -1;
	is = tv_table_in_short(marks, "Outlier");
	threshold = tv_table_in_short(marks, "Threshold");
	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t time;

		if (!tasks->counted[row] || tv_missing(is, row) || tv_number(is, row) == 0)
			continue;
		time = tv_task_time(tasks, row);
		TV_GROW(work->outlier, work->noutliers, work->cap, 1);
		work->outlier[work->noutliers++] = (struct outlier){
			.start = tasks->start[row],
			.end = tasks->end[row],
			.excess = tv_missing(threshold, row) ? 0 : time - tv_number(threshold, row),
			.time = tv_row_begins(tasks, row) && tv_task_ended(tasks, row) ? time : -1,
			.worker = tasks->worker[row],
			.execution = tv_row_whole(tasks, row),
		};
	}
	return 0;
}

/* Those of all processes. */
static void share_outliers(struct disturbances *work, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_bytes(&pack, work->outlier, work->noutliers * sizeof *work->outlier);
	all = tv_team_gather(team, &pack);
	tv_free(work->outlier);
	work->noutliers = all.first[all.n] / sizeof *work->outlier;
	work->outlier = tv_alloc(work->noutliers, sizeof *work->outlier);
	memcpy(work->outlier, all.bytes, all.first[all.n]);
	tv_gathered_release(&all);
}

static int find_outliers(struct disturbances *work, struct tv_error *err)
{
	uint32_t *worker;

	/* The thresholds first. */
	if (tv_run_pass(work->run, "outliers", NULL, err) == NULL
	    || tv_run_rows(work->run, add_outliers, work, err) < 0)
		return -1;
	if (work->run->team != NULL)
		share_outliers(work, work->run->team);
	worker = tv_alloc(work->noutliers, sizeof *worker);
	for (size_t i = 0; i < work->noutliers; i++)
		worker[i] = work->outlier[i].worker;
	tv_groups_init(&work->rows, worker, (uint32_t)work->noutliers, work->tasks->nworkers);
	tv_free(worker);
	return 0;
}

/* ---- steps ---- */

static uint32_t step_of(const struct disturbances *work, int64_t time)
{
	uint64_t s = (uint64_t)(time - work->tasks->begin) / (uint64_t)work->step;

	return s < work->nsteps ? (uint32_t)s : work->nsteps - 1;
}

/* First and last step that a span touches. */
static void touch(const struct disturbances *work, int64_t start, int64_t end, uint32_t *first,
		  uint32_t *last)
{
	*first = step_of(work, start);
	*last = step_of(work, end > start ? end - 1 : start);
}

/* Adds 1 to every step that an outlier of the worker touches, as differences. span: buffer for its outliers. */
static void mark_worker(const struct disturbances *work, uint32_t worker, int64_t *count,
			struct tv_span *span)
{
	uint32_t n = 0;

	for (uint32_t i = work->rows.first[worker]; i < work->rows.first[worker + 1]; i++) {
		const struct outlier *o = &work->outlier[work->rows.row[i]];
		uint32_t first, last;

		touch(work, o->start, o->end, &first, &last);
		span[n++] = (struct tv_span){ first, (int64_t)last + 1 };
	}
	n = tv_spans_merge(span, n, (struct tv_span){ 0, work->nsteps });
	for (uint32_t i = 0; i < n; i++) {
		count[span[i].begin]++;
		count[span[i].end]--;
	}
}

/* The steps of a scope in which enough workers are hit. count, span: buffers. */
static void find_steps(struct disturbances *work, struct scope *scope, int64_t *count,
		       struct tv_span *span)
{
	const struct tv_tasks *tasks = work->tasks;
	int64_t hit = 0;

	memset(count, 0, ((size_t)work->nsteps + 1) * sizeof *count);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (scope->node == TV_NONE || tasks->workers[w].node == scope->node)
			mark_worker(work, w, count, span);
	for (uint32_t s = 0; s < work->nsteps; s++) {
		hit += count[s];
		scope->hits += hit;
		if (hit < (int64_t)work->asked->min_workers)
			continue;
		TV_GROW(scope->at, scope->n, scope->cap, 1);
		scope->at[scope->n++] = (struct busy_step){ .step = s, .hit = hit };
	}
}

/* All workers, and of several nodes those of which so many workers ran an outlier that a step of theirs can be an event. */
static void find_scopes(struct disturbances *work)
{
	const struct tv_tasks *tasks = work->tasks;
	int64_t *hit = tv_alloc(tasks->nnodes, sizeof *hit);
	int64_t *count = tv_alloc((size_t)work->nsteps + 1, sizeof *count);
	struct tv_span *span = tv_alloc(tv_groups_max(&work->rows), sizeof *span);

	work->scope = tv_alloc((size_t)tasks->nnodes + 1, sizeof *work->scope);
	work->scope_of = tv_alloc(tasks->nnodes, sizeof *work->scope_of);
	work->scope[work->nscopes++].node = TV_NONE;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		hit[tasks->workers[w].node] += work->rows.first[w + 1] > work->rows.first[w];
	for (uint32_t node = 0; node < tasks->nnodes; node++) {
		bool may = tasks->nnodes > 1 && hit[node] >= (int64_t)work->asked->min_workers;

		work->scope_of[node] = may ? work->nscopes : TV_NONE;
		if (may)
			work->scope[work->nscopes++].node = node;
	}
	for (uint32_t i = 0; i < work->nscopes; i++)
		find_steps(work, &work->scope[i], count, span);
	tv_free(hit);
	tv_free(count);
	tv_free(span);
}

/* A worker is active from step `begin` to before `end`. */
static void add_active(struct scope *scope, int64_t begin, int64_t end)
{
	uint32_t i;

	scope->actives += end - begin;
	TV_LOWER_BOUND(i, 0, scope->n, scope->at[i].step < begin);
	for (; i < scope->n && scope->at[i].step < end; i++)
		scope->at[i].active++;
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct disturbances *work = state;
	const struct tv_tasks *tasks = &part->tasks;
	struct tv_groups rows;

	(void)err;
	tv_tasks_by_start(tasks, tasks->counted, &rows);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t own = work->scope_of[tasks->workers[w].node];

		for (uint32_t i = rows.first[w]; i < rows.first[w + 1]; i++) {
			uint32_t row = rows.row[i], first, last;
			int64_t begin;

			touch(work, tasks->start[row], tasks->end[row], &first, &last);
			begin = tv_covered_add(&work->covered, w, first, (int64_t)last + 1);
			if (begin > last)
				continue;
			add_active(&work->scope[0], begin, (int64_t)last + 1);
			if (own != TV_NONE)
				add_active(&work->scope[own], begin, (int64_t)last + 1);
		}
	}
	tv_groups_release(&rows);
	return 0;
}

static void clear(void *state)
{
	struct disturbances *work = state;

	for (uint32_t i = 0; i < work->nscopes; i++) {
		struct scope *scope = &work->scope[i];

		scope->actives = 0;
		for (uint32_t k = 0; k < scope->n; k++)
			scope->at[k].active = 0;
	}
}

/* The sums of all processes. */
static void share_active(struct scope *scope, const struct tv_team *team)
{
	uint64_t *counter = tv_alloc((size_t)scope->n + 1, sizeof *counter);

	for (uint32_t i = 0; i < scope->n; i++)
		counter[i] = (uint64_t)scope->at[i].active;
	counter[scope->n] = (uint64_t)scope->actives;
	tv_team_add(team, counter, (size_t)scope->n + 1);
	for (uint32_t i = 0; i < scope->n; i++)
		scope->at[i].active = (int64_t)counter[i];
	scope->actives = (int64_t)counter[scope->n];
	tv_free(counter);
}

static int count_active(struct disturbances *work, struct tv_error *err)
{
	int rc;

	tv_covered_init(&work->covered, work->tasks->nworkers, 0);
	rc = tv_covered_run(&work->covered, work->run, add_rows, clear, work, err);
	for (uint32_t i = 0; rc == 0 && work->run->team != NULL && i < work->nscopes; i++)
		share_active(&work->scope[i], work->run->team);
	return rc;
}

/* ---- events ---- */

static void add_step(struct disturbances *work, const struct busy_step *s, bool joined,
		     double chance, double expected)
{
	struct event *last;

	if (!joined) {
		TV_GROW(work->event, work->nevents, work->events_cap, 1);
		work->event[work->nevents++] = (struct event){ .first = s->step,
							       .chance = INFINITY };
	}
	last = &work->event[work->nevents - 1];
	last->last = s->step;
	if (chance < last->chance) {
		last->chance = chance;
		last->expected = expected;
	}
}

/* Steps with more workers hit than chance explains; those between which the number of workers hit
 * stays above what is expected are one event. */
static void find_events(struct disturbances *work, const struct scope *scope)
{
	double rate = scope->actives > 0 ? (double)scope->hits / (double)scope->actives : 0;
	bool joined = false; /* to the event before */

	work->nevents = 0;
	for (uint32_t i = 0; i < scope->n; i++) {
		const struct busy_step *s = &scope->at[i];
		double chance, expected = rate * (double)s->active;

		joined = joined && s[-1].step + 1 == s->step;
		if ((double)s->hit <= expected) {
			joined = false;
			continue;
		}
		chance = work->nsteps
		       * tv_binomial_tail((uint32_t)s->active, (uint32_t)s->hit, rate);
		if (chance > work->asked->level)
			continue;
		add_step(work, s, joined, chance, expected);
		joined = true;
	}
}

/* The first event that ends at a step or later. */
static uint32_t event_at(const struct disturbances *work, uint32_t step)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, work->nevents, work->event[i].last < step);
	return i;
}

/* Adds a worker's outliers to the events that they touch. */
static void describe_worker(struct disturbances *work, uint32_t worker)
{
	for (uint32_t i = work->rows.first[worker]; i < work->rows.first[worker + 1]; i++) {
		const struct outlier *o = &work->outlier[work->rows.row[i]];
		uint32_t first, last;

		touch(work, o->start, o->end, &first, &last);
		for (uint32_t e = event_at(work, first);
		     e < work->nevents && work->event[e].first <= last; e++) {
			struct event *event = &work->event[e];

			event->workers += event->seen != worker + 1;
			event->seen = worker + 1;
			if (!tv_meets_execution(&work->met, work->tasks, e, o->execution))
				continue;
			event->outliers++;
			event->excess += o->excess;
		}
	}
}

/* The most workers that are active in one of the steps from first to last, which all are in the scope. */
static int64_t max_active(const struct scope *scope, uint32_t first, uint32_t last)
{
	int64_t max = 0;
	uint32_t i;

	TV_LOWER_BOUND(i, 0, scope->n, scope->at[i].step < first);
	for (; i < scope->n && scope->at[i].step <= last; i++)
		max = scope->at[i].active > max ? scope->at[i].active : max;
	return max;
}

static void write_event(struct disturbances *work, const struct scope *scope, const struct event *e)
{
	const struct tv_tasks *tasks = work->tasks;
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);
	int64_t end = tasks->finish;

	if (e->last + 1 < work->nsteps)
		end = tasks->begin + ((int64_t)e->last + 1) * work->step;
	if (scope->node != TV_NONE)
		tv_set_label(to[NODE], row, tasks->node[scope->node].label);
	tv_set_int(to[START], row, tasks->begin + (int64_t)e->first * work->step);
	tv_set_int(to[END], row, end);
	tv_set_int(to[WORKERS], row, e->workers);
	tv_set_int(to[ACTIVE], row, max_active(scope, e->first, e->last));
	tv_set_int(to[OUTLIERS], row, e->outliers);
	tv_set_double(to[EXPECTED], row, e->expected);
	tv_set_double(to[CHANCE], row, e->chance);
	tv_set_int(to[EXCESS], row, tv_sum_ns(e->excess));
}

static void search(struct disturbances *work, const struct scope *scope)
{
	const struct tv_tasks *tasks = work->tasks;

	find_events(work, scope);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (scope->node == TV_NONE || tasks->workers[w].node == scope->node)
			describe_worker(work, w);
	for (uint32_t e = 0; e < work->nevents; e++)
		write_event(work, scope, &work->event[e]);
	tv_map_release(&work->met);
}

/* ---- the pass ---- */

/* The median duration of outliers; 0 without any. */
static int64_t median_outlier(const struct disturbances *work)
{
	static const uint32_t half = 1;
	int64_t *time = tv_alloc(work->noutliers, sizeof *time), median;
	size_t n = 0;

	for (size_t i = 0; i < work->noutliers; i++)
		if (work->outlier[i].time >= 0)
			time[n++] = work->outlier[i].time;
	if (n > 0)
		tv_select_quantiles(time, n, &half, 1, 2);
	median = n > 0 ? tv_quantile_ns(time, n, 1, 2) : 0;
	tv_free(time);
	return median;
}

static int choose_steps(struct disturbances *work, const char *text, struct tv_error *err)
{
	uint64_t length = (uint64_t)(work->tasks->finish - work->tasks->begin), n;

	if (strcmp(text, "auto") == 0) {
		work->step = median_outlier(work);
		if ((uint64_t)work->step < length / AUTO_STEPS_MAX + 1)
			work->step = (int64_t)(length / AUTO_STEPS_MAX + 1);
	} else {
		work->step = tv_value_time(text, 0);
	}
	n = length == 0 ? 1 : (length - 1) / (uint64_t)work->step + 1;
	if (n >= TV_ROWS_MAX)
		return tv_fail_usage(err, "--step %s gives %llu steps, which is too many", text,
				     (unsigned long long)n);
	work->nsteps = (uint32_t)n;
	return 0;
}

static void release(struct disturbances *work)
{
	for (uint32_t i = 0; i < work->nscopes; i++)
		tv_free(work->scope[i].at);
	tv_free(work->scope);
	tv_free(work->scope_of);
	tv_free(work->outlier);
	tv_groups_release(&work->rows);
	tv_covered_release(&work->covered);
	tv_free(work->event);
}

static int run_disturbances(struct tv_run *run, const struct tv_options *options,
			    struct tv_table *out, struct tv_error *err)
{
	struct disturbances work = {
		.asked = options->chosen, .run = run, .tasks = &run->tasks, .out = out
	};
	int rc = -1;

	if (find_outliers(&work, err) == 0 && choose_steps(&work, work.asked->step, err) == 0) {
		find_scopes(&work);
		rc = count_active(&work, err);
	}
	for (uint32_t i = 0; rc == 0 && i < work.nscopes; i++)
		search(&work, &work.scope[i]);
	release(&work);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "step", "TIME|auto", "auto", "length of a step; auto = the median duration of outliers",
	  TV_OPTION_TIME, 1, 0, TV_ASKED(step) },
	{ "min-workers", "N", "3", "min number of workers with outliers at a time", TV_OPTION_COUNT,
	  1, 0, TV_ASKED(min_workers) },
	{ "level", "P", "0.01", "max Chance that is reported", TV_OPTION_NUMBER, 0, 1,
	  TV_ASKED(level) },
};

const struct tv_pass tv_pass_disturbances = {
	.name = "disturbances",
	.summary = "Find times with outliers on many workers at once",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_OUTLIERS,
	.columns = "Outlier Threshold MetricThreshold",
	.in_parts = tv_pass_always,
	.early = true,
	.unordered = true,
	.beside = 100,
	.ranked = "Excess",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "If many workers are slow at the same time, the cause is often the machine\n"
		 "(another job, a reduced clock, the network), not their tasks. In each time step "
		 "n\n"
		 "workers run a task and k of them one that is an outlier (see outliers; a\n"
		 "column Outlier of the input is used). With the run's mean rate q = sum k / sum\n"
		 "n, a step is disturbed if k >= --min-workers and S P(K >= k) <= --level, K\n"
		 "binomial (n, q), S the number of steps. Disturbed steps are one disturbance if\n"
		 "in each step between them k >= --min-workers and k > q n; Expected and Chance\n"
		 "are those of its most improbable step. All workers together first, then, if\n"
		 "there are several nodes, each node.",
	.example = "traceviz disturbances data/cholesky.csv",
	.windowless = true,
	.run = run_disturbances,
};
