/* SPDX-License-Identifier: GPL-3.0-or-later */
/* disturbances.c -- times in which tasks are outliers on more workers than chance explains. */
#include <math.h>
#include <string.h>

#include "analysis/core/run.h"
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

struct asked {
	const char *step;
	uint64_t min_workers;
	double level; /* of Chance */
};

struct disturbances {
	const struct asked *asked;
	const struct tv_tasks *tasks;
	const struct tv_column *outlier, *threshold; /* by row */
	struct tv_groups rows;			     /* counted rows by worker */
	int64_t step;
	uint32_t nsteps;
	int64_t *active, *hit; /* by step: workers that run a task, an outlier */
	struct event *event;
	uint32_t nevents;
	size_t events_cap;
	struct tv_map met; /* events and executions with segments that they met */
	struct tv_table *out;
};

static uint32_t step_of(const struct disturbances *work, int64_t time)
{
	uint64_t s = (uint64_t)(time - work->tasks->begin) / (uint64_t)work->step;

	return s < work->nsteps ? (uint32_t)s : work->nsteps - 1;
}

/* First and last step that a row touches. */
static void touch(const struct disturbances *work, uint32_t row, uint32_t *first, uint32_t *last)
{
	int64_t start = work->tasks->start[row], end = work->tasks->end[row];

	*first = step_of(work, start);
	*last = step_of(work, end > start ? end - 1 : start);
}

static bool is_outlier(const struct disturbances *work, uint32_t row)
{
	return !tv_missing(work->outlier, row) && tv_number(work->outlier, row) != 0;
}

/* Adds 1 to every step that a task (or an outlier) of the worker touches, as differences.
 * span: buffer for the worker's rows. */
static void mark_worker(const struct disturbances *work, uint32_t worker, bool outliers,
			int64_t *count, struct tv_span *span)
{
	uint32_t n = 0;

	for (uint32_t i = work->rows.first[worker]; i < work->rows.first[worker + 1]; i++) {
		uint32_t first, last;

		if (outliers && !is_outlier(work, work->rows.row[i]))
			continue;
		touch(work, work->rows.row[i], &first, &last);
		span[n++] = (struct tv_span){ first, (int64_t)last + 1 };
	}
	n = tv_spans_merge(span, n, (struct tv_span){ 0, work->nsteps });
	for (uint32_t i = 0; i < n; i++) {
		count[span[i].begin]++;
		count[span[i].end]--;
	}
}

/* Workers of a node (TV_NONE: of all) that are active, or hit, by step. */
static void count_workers(struct disturbances *work, uint32_t node)
{
	const struct tv_tasks *tasks = work->tasks;
	size_t n = (size_t)work->nsteps + 1;
	struct tv_span *span = tv_alloc(tv_groups_max(&work->rows), sizeof *span);

	memset(work->active, 0, n * sizeof *work->active);
	memset(work->hit, 0, n * sizeof *work->hit);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		if (node != TV_NONE && tasks->workers[w].node != node)
			continue;
		mark_worker(work, w, false, work->active, span);
		mark_worker(work, w, true, work->hit, span);
	}
	for (size_t s = 1; s < n; s++) {
		work->active[s] += work->active[s - 1];
		work->hit[s] += work->hit[s - 1];
	}
	tv_free(span);
}

/* Workers that run an outlier over workers that run a task, in all steps together. */
static double mean_rate(const struct disturbances *work)
{
	double hits = 0, actives = 0;

	for (uint32_t s = 0; s < work->nsteps; s++) {
		hits += (double)work->hit[s];
		actives += (double)work->active[s];
	}
	return actives > 0 ? hits / actives : 0;
}

static void add_step(struct disturbances *work, uint32_t s, bool joined, double chance,
		     double expected)
{
	struct event *last;

	if (!joined) {
		TV_GROW(work->event, work->nevents, work->events_cap, 1);
		work->event[work->nevents++] = (struct event){ .first = s, .chance = INFINITY };
	}
	last = &work->event[work->nevents - 1];
	last->last = s;
	if (chance < last->chance) {
		last->chance = chance;
		last->expected = expected;
	}
}

/* Steps with more workers hit than chance explains; those between which the number of workers hit
 * stays above what is expected are one event. */
static void find_events(struct disturbances *work)
{
	double rate = mean_rate(work);
	bool joined = false; /* to the event before */

	work->nevents = 0;
	for (uint32_t s = 0; s < work->nsteps; s++) {
		double chance, expected = rate * (double)work->active[s];

		if (work->hit[s] < (int64_t)work->asked->min_workers
		    || (double)work->hit[s] <= expected) {
			joined = false;
			continue;
		}
		chance = work->nsteps
		       * tv_binomial_tail((uint32_t)work->active[s], (uint32_t)work->hit[s], rate);
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
	const struct tv_tasks *tasks = work->tasks;

	for (uint32_t i = work->rows.first[worker]; i < work->rows.first[worker + 1]; i++) {
		uint32_t row = work->rows.row[i], first, last;

		if (!is_outlier(work, row))
			continue;
		touch(work, row, &first, &last);
		for (uint32_t e = event_at(work, first);
		     e < work->nevents && work->event[e].first <= last; e++) {
			struct event *event = &work->event[e];

			event->workers += event->seen != worker + 1;
			event->seen = worker + 1;
			if (!tv_meets_execution(&work->met, work->tasks, e, row))
				continue;
			event->outliers++;
			if (!tv_missing(work->threshold, row))
				event->excess += tv_task_time(tasks, row)
					       - tv_number(work->threshold, row);
		}
	}
}

static void write_event(struct disturbances *work, uint32_t node, const struct event *e)
{
	const struct tv_tasks *tasks = work->tasks;
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);
	int64_t end = tasks->finish, active = 0;

	if (e->last + 1 < work->nsteps)
		end = tasks->begin + ((int64_t)e->last + 1) * work->step;
	for (uint32_t s = e->first; s <= e->last; s++)
		active = work->active[s] > active ? work->active[s] : active;
	if (node != TV_NONE)
		tv_set_label(to[NODE], row, tasks->node[node].label);
	tv_set_int(to[START], row, tasks->begin + (int64_t)e->first * work->step);
	tv_set_int(to[END], row, end);
	tv_set_int(to[WORKERS], row, e->workers);
	tv_set_int(to[ACTIVE], row, active);
	tv_set_int(to[OUTLIERS], row, e->outliers);
	tv_set_double(to[EXPECTED], row, e->expected);
	tv_set_double(to[CHANCE], row, e->chance);
	tv_set_int(to[EXCESS], row, tv_sum_ns(e->excess));
}

static void search_node(struct disturbances *work, uint32_t node)
{
	const struct tv_tasks *tasks = work->tasks;

	count_workers(work, node);
	find_events(work);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (node == TV_NONE || tasks->workers[w].node == node)
			describe_worker(work, w);
	for (uint32_t e = 0; e < work->nevents; e++)
		write_event(work, node, &work->event[e]);
	tv_map_release(&work->met);
}

/* The median duration of outliers; 0 without any. */
static int64_t median_outlier(const struct disturbances *work)
{
	static const uint32_t half = 1;
	const struct tv_tasks *tasks = work->tasks;
	int64_t *time = tv_alloc(tasks->ncounted, sizeof *time), median;
	size_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row) && tv_task_ended(tasks, row)
		    && is_outlier(work, row))
			time[n++] = tv_task_time(tasks, row);
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

/* By node, to be freed: whether so many of its workers ran an outlier that a step of theirs can be
 * an event. The others need no search, which would take the time of all steps for each of them. */
static bool *find_nodes(const struct disturbances *work)
{
	const struct tv_tasks *tasks = work->tasks;
	int64_t *hit = tv_alloc(tasks->nnodes, sizeof *hit);
	bool *may = tv_alloc(tasks->nnodes, sizeof *may);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		for (uint32_t i = work->rows.first[w]; i < work->rows.first[w + 1]; i++)
			if (is_outlier(work, work->rows.row[i])) {
				uint32_t node = tasks->workers[w].node;

				may[node] = ++hit[node] >= (int64_t)work->asked->min_workers;
				break;
			}
	tv_free(hit);
	return may;
}

static void search(struct disturbances *work)
{
	const struct tv_tasks *tasks = work->tasks;
	bool *may;

	work->active = tv_alloc((size_t)work->nsteps + 1, sizeof *work->active);
	work->hit = tv_alloc((size_t)work->nsteps + 1, sizeof *work->hit);
	tv_tasks_by_worker(tasks, tasks->counted, &work->rows);
	search_node(work, TV_NONE);
	may = find_nodes(work);
	for (uint32_t node = 0; node < tasks->nnodes && tasks->nnodes > 1; node++)
		if (may[node])
			search_node(work, node);
	tv_free(may);
	tv_groups_release(&work->rows);
	tv_free(work->active);
	tv_free(work->hit);
	tv_free(work->event);
}

static int run_disturbances(struct tv_run *run, const struct tv_options *options,
			    struct tv_table *out, struct tv_error *err)
{
	struct disturbances work = { .asked = options->chosen, .tasks = &run->tasks, .out = out };
	const struct tv_table *marks = tv_run_pass(run, "outliers", NULL, err);

	if (marks == NULL)
		return -1;
	work.outlier = tv_table_in_short(marks, "Outlier");
	work.threshold = tv_table_in_short(marks, "Threshold");
	if (choose_steps(&work, work.asked->step, err) < 0)
		return -1;
	search(&work);
	return 0;
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
