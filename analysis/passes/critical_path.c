/* SPDX-License-Identifier: GPL-3.0-or-later */
/* critical_path.c -- the chain that determined the makespan, or the longest path of the graph. */
#include <math.h>
#include <string.h>

#include "analysis/shared/durations.h"
#include "analysis/shared/options.h"
#include "analysis/shared/warnings.h"
#include "dag/causes.h"
#include "trace/alloc.h"

enum { SEQ, SEGMENT, JOB, VALUE, RTYPE, RESOURCE, START, END, DURATION, EDGE, CAUSE };

struct writer {
	struct tv_table *out;
	const struct tv_dag *dag;
	const struct tv_column *rtype, *resource; /* of tasks; NULL = none */
};

struct segment {
	const char *kind, *edge, *cause; /* NULL = missing */
	uint32_t node;
	uint32_t rtype, resource; /* labels */
	int64_t start, end;
};

static void write_segment(const struct writer *w, const struct segment *s)
{
	struct tv_column *const *to = w->out->col;
	uint32_t row = tv_table_add_row(w->out);

	tv_set_int(to[SEQ], row, (int64_t)row + 1);
	tv_set_text(to[SEGMENT], row, s->kind);
	tv_set_label(to[JOB], row, tv_dag_job(w->dag, s->node));
	tv_set_label(to[VALUE], row, w->dag->tasks->value[w->dag->row[s->node]]);
	tv_set_label(to[RTYPE], row, s->rtype);
	tv_set_label(to[RESOURCE], row, s->resource);
	tv_set_int(to[START], row, s->start);
	tv_set_int(to[END], row, s->end);
	tv_set_int(to[DURATION], row, s->end - s->start);
	tv_set_text(to[EDGE], row, s->edge);
	tv_set_text(to[CAUSE], row, s->cause);
}

/* A segment of a task or message where it ran. */
static struct segment segment_of(const struct writer *w, uint32_t node)
{
	uint32_t row = w->dag->row[node];

	return (struct segment){
		.kind = w->dag->task[node] ? "task" : "message",
		.node = node,
		.rtype = w->rtype == NULL ? TV_NONE : tv_label(w->rtype, row),
		.resource = w->resource == NULL ? TV_NONE : tv_label(w->resource, row),
	};
}

/* ---- the observed chain ---- */

static const char *const edge_name[] = { NULL, "dep", "worker", "message", "exclusion" };

static void write_observed(const struct writer *w, const struct tv_observed *observed,
			   const enum tv_wait_cause *cause)
{
	int64_t now = w->dag->tasks->begin;

	for (uint32_t i = 0; i < observed->n; i++) {
		const struct tv_step *step = &observed->step[i];
		struct segment s = segment_of(w, step->node), wait = s;

		s.edge = wait.edge = edge_name[step->edge];
		wait.kind = "wait";
		wait.cause = tv_wait_cause_name(cause[i]);
		wait.start = now;
		wait.end = s.start = step->start;
		s.end = now = step->end;
		if (wait.end > wait.start)
			write_segment(w, &wait);
		write_segment(w, &s);
	}
}

static void observed_chain(const struct writer *w, bool workers)
{
	struct tv_observed observed;
	enum tv_wait_cause *cause;

	tv_observed_init(&observed, w->dag, workers);
	cause = tv_alloc(observed.n, sizeof *cause);
	tv_wait_causes(w->dag, &observed, cause);
	write_observed(w, &observed, cause);
	tv_free(cause);
	tv_observed_release(&observed);
}

/* ---- static paths ---- */

/* Durations by type, where weights are not those observed. */
struct weights {
	struct tv_duration_rule rule;
	struct tv_estimates estimates;
	struct tv_durations durations;
};

static int init_weights(struct weights *weights, struct tv_run *run, const char *statistic,
			struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_means *means;

	if (tv_duration_rule_init(&weights->rule, run, statistic, NULL, NULL, run->trace->pool, err)
	    < 0)
		return -1;
	tv_estimates_init(&weights->estimates, tasks);
	means = &weights->estimates.means[0];
	return tv_durations_init(&weights->durations, &weights->rule, tasks, means, err);
}

static void release_weights(struct weights *weights)
{
	tv_durations_release(&weights->durations);
	tv_estimates_release(&weights->estimates);
	tv_duration_rule_release(&weights->rule);
}

static int write_path(const struct writer *w, const struct weights *weights, const double *weight,
		      const uint32_t *path, uint32_t n, struct tv_error *err)
{
	const struct tv_tasks *tasks = w->dag->tasks;
	const char *edge = NULL;
	double now = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct segment s = segment_of(w, path[i]);

		/* Ghosts, and messages where they weigh nothing, are only passed through. */
		if (!w->dag->task[path[i]] && weight[path[i]] <= 0)
			continue;
		if (!(now + weight[path[i]] < 0x1p62))
			return tv_fail(err, "the durations add up to more than 146 years");
		if (weights != NULL) {
			uint32_t t = tv_means_type(weights->estimates.means, w->dag->row[path[i]]);

			s.rtype = tasks->rtype[weights->durations.where[t]].label;
			s.resource = TV_NONE;
		}
		s.edge = edge;
		s.start = llround(now);
		now += weight[path[i]];
		s.end = llround(now);
		write_segment(w, &s);
		edge = w->dag->task[path[i]] ? "dep" : "message";
	}
	return 0;
}

static void weigh_observed(const struct tv_dag *dag, double *weight)
{
	for (uint32_t v = 0; v < dag->n; v++)
		if (dag->task[v] || tv_dag_is_message(dag, v))
			weight[v] = (double)(dag->end[v] - dag->start[v]);
}

/* statistic: of the fastest resource type; NULL = as every task took. */
static int static_path(const struct writer *w, struct tv_run *run, const char *statistic,
		       struct tv_error *err)
{
	struct weights weights = { 0 };
	double *weight = tv_alloc(w->dag->n, sizeof *weight);
	uint32_t *path = tv_alloc(w->dag->n, sizeof *path);
	int rc = 0;

	if (statistic == NULL)
		weigh_observed(w->dag, weight);
	else if ((rc = init_weights(&weights, run, statistic, err)) == 0)
		tv_durations_weigh(&weights.durations, weights.estimates.means, w->dag, weight);
	if (rc == 0)
		rc = write_path(w, statistic == NULL ? NULL : &weights, weight, path,
				tv_dag_longest(w->dag, weight, path), err);
	release_weights(&weights);
	tv_free(weight);
	tv_free(path);
	return rc;
}

/* ---- the pass ---- */

/* In the order of the words of --durations; NULL = as observed. */
static const char *const statistic[] = { "mean", "minimum", NULL };

static int choose_path(const struct writer *w, struct tv_run *run, const struct tv_options *options,
		       struct tv_error *err)
{
	const char *weights = tv_option(options, "durations"),
		   *follow = tv_option(options, "follow");

	if (weights != NULL && follow != NULL)
		return tv_fail_usage(err,
				     "--follow is about the observed chain, --durations about a "
				     "path of the graph: expected one of them");
	if (weights != NULL)
		return static_path(w, run, statistic[tv_option_choice(options, "durations")], err);
	observed_chain(w, follow == NULL || strcmp(follow, "both") == 0);
	return 0;
}

static const struct tv_option_spec path_options[] = {
	{ "follow", "both|deps", NULL,
	  "both (default): dependencies and workers; deps: dependencies only", TV_OPTION_CHOICE },
	{ "durations", "mean-fastest|minimum-fastest|observed", NULL,
	  "the longest path of the graph instead, with these durations of tasks",
	  TV_OPTION_CHOICE },
};

static const struct tv_field columns[] = {
	[SEQ] = { "Seq", TV_INT, false, "", "number of the segment, from 1, in order of time" },
	[SEGMENT] = { "Segment", TV_LABEL, false, "",
		      "task, wait (before the task of that JobId) or message" },
	[JOB] = { "JobId", TV_LABEL, false, "", "the task or message" },
	[VALUE] = { "Value", TV_LABEL, false, "", "its type" },
	[RTYPE] = { "ResourceType", TV_LABEL, false, "",
		    "where it ran; with --durations *-fastest, where its type is fastest" },
	[RESOURCE] = { "ResourceId", TV_LABEL, false, "",
		       "the worker; missing with --durations *-fastest" },
	[START] = { "Start", TV_TIME, false, "ms",
		    "with --durations: sum of the previous durations" },
	[END] = { "End", TV_TIME, false, "ms", "Start + Duration" },
	[DURATION] = { "Duration", TV_TIME, false, "ms",
		       "length; with --durations: the duration used" },
	[EDGE] = { "Edge", TV_LABEL, false, "",
		   "link to the previous segment: dep, exclusion, worker (previous task), "
		   "message" },
	[CAUSE] = { "Cause", TV_LABEL, false, "",
		    "of a wait: not-submitted, dependencies, worker, other-task, data, runtime, "
		    "message" },
};

static int run_critical_path(struct tv_run *run, const struct tv_options *options,
			     struct tv_table *out, struct tv_error *err)
{
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	struct writer w = {
		.out = out,
		.dag = tv_run_dag(run, err),
		.rtype = tv_table_find(tasks, "ResourceType"),
		.resource = tv_table_find(tasks, "ResourceId"),
	};

	if (w.dag == NULL)
		return -1;
	tv_warn_graph(run, w.dag);
	return choose_path(&w, run, options, err);
}

const struct tv_pass tv_pass_critical_path = {
	.name = "critical-path",
	.summary = "Critical path: the chain of tasks and waits that determined the makespan",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.needs = "states links resources",
	.option = path_options,
	.noptions = TV_COUNT(path_options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"The observed chain starts at the task that ended last. Each step goes back to\n"
		"its last dependency (a message ends when it arrives) or the previous task on its\n"
		"worker, whichever ended later. Ties: the dependency, then the smaller JobId.\n"
		"The segments add up to the makespan exactly. The cause of a wait is the one that\n"
		"took most of it: the task was not submitted; dependencies (such as setup tasks)\n"
		"had not ended; its worker ran another task, or one of another kind; its data\n"
		"were in transfer, if the trace contains this (as in idle-causes); none of these\n"
		"(runtime).\n"
		"--durations gives the longest path of the graph instead, where a task counts\n"
		"with the mean or minimum duration of its type on the fastest resource type, or\n"
		"with its observed duration. With mean-fastest its length is the cpe of traceviz\n"
		"bounds. It ignores exclusions.\n" TV_EXCLUSION_NOTES
		"Source: Garcia Pinto, thesis, 2018, 5.1.3, 5.1.5; workers and causes are ours.",
	.example = "traceviz critical-path data/cholesky.csv",
	.windowless = true,
	.run = run_critical_path,
};
