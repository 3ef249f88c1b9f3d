/* SPDX-License-Identifier: GPL-3.0-or-later */
/* critical_path.c -- the chain that determined the makespan, or the longest path of the graph. */
#include <math.h>
#include <string.h>

#include "analysis/bounds/delay_cost.h"
#include "analysis/bounds/observed_parts.h"
#include "analysis/bounds/path_profile.h"
#include "analysis/core/columns.h"
#include "analysis/core/cuts.h"
#include "analysis/core/durations.h"
#include "analysis/core/options.h"
#include "analysis/core/warnings.h"
#include "analysis/messages/message_list.h"
#include "analysis/messages/network.h"
#include "dag/causes.h"
#include "trace/alloc.h"

/* Those from ORIGIN to SIZE with several nodes only, the last one with segments. */
#define COLUMNS(X) \
	X(SEQ, "Seq", TV_INT, true, "", "number of the segment, from 1, in order of time") \
	X(SEGMENT, "Part", TV_LABEL, true, "", \
	  "task, wait (before the task of that JobId) or message") \
	X(JOB, "JobId", TV_LABEL, true, "", "the task or message") \
	X(VALUE, "Value", TV_LABEL, true, "", "its type") \
	X(RTYPE, "ResourceType", TV_LABEL, true, "", \
	  "where it ran; with --durations *-fastest, where its type is fastest") \
	X(RESOURCE, "ResourceId", TV_LABEL, true, "", \
	  "the worker; missing with --durations *-fastest") \
	X(START, "Start", TV_TIME, true, "ms", "with --durations: sum of the previous durations") \
	X(END, "End", TV_TIME, true, "ms", "Start + Duration") \
	X(DURATION, "Duration", TV_TIME, true, "ms", \
	  "length; with --durations: the duration used") \
	X(EDGE, "Edge", TV_LABEL, true, "", \
	  "link to the previous segment: dep, exclusion, creation, worker (previous " \
	  "task), message") \
	X(CAUSE, "Cause", TV_LABEL, true, "", \
	  "of a wait: not-submitted, dependencies, worker, other-task, data, runtime, " \
	  "message") \
	X(ORIGIN, "Origin", TV_LABEL, false, "", \
	  "with several nodes: of a message, the node that sends") \
	X(DEST, "Dest", TV_LABEL, false, "", "likewise: the node that receives") \
	X(SIZE, "Size", TV_INT, false, "bytes", "likewise: its volume") \
	X(TASK_SEGMENT, "Segment", TV_INT, false, "", \
	  "with suspended tasks: the segment of its task, as in tasks")

TV_COLUMNS(columns, COLUMNS)

struct writer {
	struct tv_table *out;
	const struct tv_dag *dag;		  /* NULL where rows come part by part */
	const struct tv_column *rtype, *resource; /* of tasks; NULL = none */
	const struct tv_messages *messages;	  /* NULL with one node */
	uint32_t *
		message_of; /* by node of the graph: its message; TV_NONE = none; NULL without graph */
	struct tv_index message_of_job; /* without graph: by label of its JobId */
	struct tv_column *task_segment; /* NULL without segments */
};

struct segment {
	const char *kind, *edge, *cause; /* NULL = missing */
	uint32_t node; /* TV_NONE: a message that the trace does not have, or there is no graph */
	uint32_t job, value, rtype, resource; /* labels */
	uint32_t message;		      /* TV_NONE = none */
	uint32_t origin, dest;		      /* labels; of a message */
	int64_t start, end;
};

/* From where to where, and how large, where the trace says so. */
static void write_message(const struct writer *w, uint32_t row, const struct segment *s)
{
	struct tv_column *const *to = w->out->col;
	const struct tv_message *m = s->message == TV_NONE ? NULL : &w->messages->at[s->message];

	tv_set_label(to[ORIGIN], row, m != NULL ? w->messages->node[m->origin] : s->origin);
	tv_set_label(to[DEST], row, m != NULL ? w->messages->node[m->dest] : s->dest);
	if (m != NULL && m->sized)
		tv_set_int(to[SIZE], row, m->size);
}

static void write_segment(const struct writer *w, const struct segment *s)
{
	struct tv_column *const *to = w->out->col;
	uint32_t row = tv_table_add_row(w->out);

	tv_set_int(to[SEQ], row, (int64_t)row + 1);
	tv_set_text(to[SEGMENT], row, s->kind);
	tv_set_label(to[JOB], row, s->job);
	tv_set_label(to[VALUE], row, s->value);
	tv_set_label(to[RTYPE], row, s->rtype);
	tv_set_label(to[RESOURCE], row, s->resource);
	tv_set_int(to[START], row, s->start);
	tv_set_int(to[END], row, s->end);
	tv_set_int(to[DURATION], row, s->end - s->start);
	tv_set_text(to[EDGE], row, s->edge);
	tv_set_text(to[CAUSE], row, s->cause);
	if (w->task_segment != NULL && s->node != TV_NONE)
		tv_set_int(w->task_segment, row, tv_dag_segment(w->dag, s->node));
	if (w->messages != NULL && strcmp(s->kind, "message") == 0)
		write_message(w, row, s);
}

/* A segment of a task or message where it ran. */
static struct segment segment_of(const struct writer *w, uint32_t node)
{
	uint32_t row = w->dag->row[node];

	return (struct segment){
		.kind = w->dag->task[node] ? "task" : "message",
		.node = node,
		.job = tv_dag_job(w->dag, node),
		.value = w->dag->tasks->value[row],
		.message = w->message_of == NULL ? TV_NONE : w->message_of[node],
		.rtype = w->rtype == NULL ? TV_NONE : tv_label(w->rtype, row),
		.resource = w->resource == NULL ? TV_NONE : tv_label(w->resource, row),
		.origin = TV_NONE,
		.dest = TV_NONE,
	};
}

/* ---- the observed chain ---- */

static const char *const edge_name[] = {
	NULL, "dep", "worker", "message", "exclusion", "creation"
};

/* A step, after the wait before it. *now: when the last one had ended. */
static void write_step(const struct writer *w, struct segment s, enum tv_edge edge,
		       enum tv_wait_cause cause, int64_t *now)
{
	struct segment wait = s;

	s.edge = wait.edge = edge_name[edge];
	wait.kind = "wait";
	wait.cause = tv_wait_cause_name(cause);
	wait.start = *now;
	wait.end = s.start;
	*now = s.end;
	if (wait.end > wait.start)
		write_segment(w, &wait);
	write_segment(w, &s);
}

static void observed_chain(const struct writer *w, bool workers)
{
	struct tv_observed observed;
	enum tv_wait_cause *cause;
	int64_t now = w->dag->tasks->begin;

	tv_observed_init(&observed, w->dag, workers);
	cause = tv_alloc(observed.n, sizeof *cause);
	tv_wait_causes(w->dag, &observed, cause);
	for (uint32_t i = 0; i < observed.n; i++) {
		const struct tv_step *step = &observed.step[i];
		struct segment s = segment_of(w, step->node);

		s.start = step->start;
		s.end = step->end;
		write_step(w, s, step->edge, cause[i], &now);
	}
	tv_free(cause);
	tv_observed_release(&observed);
}

/* A step of rows that come part by part. */
static struct segment segment_of_step(const struct writer *w, const struct tv_chain_step *step)
{
	return (struct segment){ .kind = step->worker == TV_NONE ? "message" : "task",
				 .node = TV_NONE,
				 .job = step->job,
				 .value = step->value,
				 .message = tv_index_get(&w->message_of_job, step->job),
				 .rtype = step->rtype,
				 .resource = step->resource,
				 .origin = TV_NONE,
				 .dest = TV_NONE,
				 .start = step->start,
				 .end = step->end };
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
	tv_estimates_init(&weights->estimates, tasks, true);
	means = &weights->estimates.means[0];
	return tv_durations_init(&weights->durations, &weights->rule, tasks, means, err);
}

static void release_weights(struct weights *weights)
{
	tv_durations_release(&weights->durations);
	tv_estimates_release(&weights->estimates);
	tv_duration_rule_release(&weights->rule);
}

/* A path of the graph. */
struct path {
	const uint32_t *node; /* n */
	uint32_t n;
	const double *weight;		   /* by node of the graph */
	const struct weights *durations;   /* NULL: weights are those observed */
	const struct tv_network *network;  /* NULL: messages weigh what weight says */
	const struct tv_network_path *way; /* with network */
	double now;			   /* end of the last segment, ns */
	const char *edge;		   /* of the next one */
};

static int add_segment(const struct writer *w, struct path *path, struct segment *s, double time,
		       struct tv_error *err)
{
	if (!(path->now + time < 0x1p62))
		return tv_fail(err, "the durations add up to more than 146 years");
	s->edge = path->edge;
	s->start = llround(path->now);
	path->now += time;
	s->end = llround(path->now);
	write_segment(w, s);
	path->edge = strcmp(s->kind, "task") == 0 ? "dep" : "message";
	return 0;
}

/* What crosses nodes without a message. before: the node of the graph that had a place last. */
static int add_crossing(const struct writer *w, struct path *path, uint32_t before, uint32_t node,
			struct tv_error *err)
{
	struct segment s = { .kind = "message",
			     .node = TV_NONE,
			     .job = TV_NONE,
			     .value = TV_NONE,
			     .message = TV_NONE,
			     .rtype = TV_NONE,
			     .resource = TV_NONE,
			     .origin = path->way->to[before],
			     .dest = path->way->from[node] };

	return add_segment(w, path, &s, path->network->latency, err);
}

static int write_path(const struct writer *w, struct path *path, struct tv_error *err)
{
	const struct tv_tasks *tasks = w->dag->tasks;
	uint32_t before = TV_NONE;
	int rc = 0;

	for (uint32_t i = 0; i < path->n && rc == 0; i++) {
		uint32_t v = path->node[i];
		struct segment s = segment_of(w, v);

		if (path->way != NULL && path->way->path.crosses[i] && path->network->latency > 0)
			rc = add_crossing(w, path, before, v, err);
		if (w->dag->timed[v])
			before = v;
		/* Ghosts, and messages where they weigh nothing, are only passed through. */
		if (rc < 0 || (!w->dag->task[v] && path->weight[v] <= 0))
			continue;
		if (path->durations != NULL && w->dag->task[v]) {
			uint32_t t = tv_means_type(path->durations->estimates.means,
						   w->dag->row[v]);

			s.rtype = tasks->rtype[path->durations->durations.where[t]].label;
			s.resource = TV_NONE;
		}
		if (path->way != NULL && !w->dag->task[v]) {
			s.origin = path->way->from[v];
			s.dest = path->way->to[v];
		}
		rc = add_segment(w, path, &s, path->weight[v], err);
	}
	return rc;
}

static void weigh_observed(const struct tv_dag *dag, double *weight)
{
	for (uint32_t v = 0; v < dag->n; v++)
		if (dag->task[v] || tv_dag_is_message(dag, v))
			weight[v] = (double)(dag->end[v] - dag->start[v]);
}

/* With transfers between nodes. */
static int network_path(const struct writer *w, struct tv_run *run, struct path path,
			struct tv_error *err)
{
	struct tv_network_path way = { 0 };
	int rc = tv_network_path_init(&way, path.network, run, w->dag, path.weight, err);

	if (rc == 0) {
		path.node = way.path.node;
		path.n = way.path.n;
		path.weight = way.weight;
		path.way = &way;
		rc = write_path(w, &path, err);
	}
	tv_network_path_release(&way);
	return rc;
}

/* statistic: of the fastest resource type; NULL = as every task took. network: NULL = none. */
static int static_path(const struct writer *w, struct tv_run *run, const char *statistic,
		       const struct tv_network *network, struct tv_error *err)
{
	struct weights weights = { 0 };
	double *weight = tv_alloc(w->dag->n, sizeof *weight);
	uint32_t *node = tv_alloc(w->dag->n, sizeof *node);
	struct path path = { .node = node,
			     .weight = weight,
			     .durations = statistic == NULL ? NULL : &weights,
			     .network = network };
	int rc = 0;

	if (statistic == NULL)
		weigh_observed(w->dag, weight);
	else if ((rc = init_weights(&weights, run, statistic, err)) == 0)
		tv_durations_weigh(&weights.durations, weights.estimates.means, w->dag, weight);
	if (rc == 0 && network != NULL) {
		rc = network_path(w, run, path, err);
	} else if (rc == 0) {
		path.n = tv_dag_longest(w->dag, weight, NULL, node);
		rc = write_path(w, &path, err);
	}
	release_weights(&weights);
	tv_free(weight);
	tv_free(node);
	return rc;
}

/* ---- the pass ---- */

enum follow { FOLLOW_UNSET = -1, FOLLOW_BOTH, FOLLOW_DEPS };
enum path_durations { NO_DURATIONS = -1, MEAN_FASTEST, MINIMUM_FASTEST, OBSERVED };

struct asked {
	enum follow follow;
	enum path_durations durations; /* of the longest path of the graph */
	const char *network;
	int by; /* enum tv_profile_key or tv_delay_key; -1 = none */
	bool delay_cost;
	const char *cut;
};

/* The statistic of the durations of types; NULL = as observed. */
static const char *statistic_of(const struct asked *asked)
{
	return asked->durations == MEAN_FASTEST	   ? "mean"
	     : asked->durations == MINIMUM_FASTEST ? "minimum"
						   : NULL;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->durations != NO_DURATIONS && asked->follow != FOLLOW_UNSET)
		return tv_fail_usage(err,
				     "--follow is about the observed chain, --durations about a "
				     "path of the graph: expected one of them");
	if (asked->network != NULL && statistic_of(asked) == NULL)
		return tv_fail_usage(err, "--network needs --durations mean-fastest or "
					  "minimum-fastest: other paths have the durations of the "
					  "messages observed");
	if ((asked->by >= 0 || asked->delay_cost)
	    && (asked->durations != NO_DURATIONS || asked->follow != FOLLOW_UNSET))
		return tv_fail_usage(err,
				     "--%s is about the observed chain and its replay, without "
				     "--follow and --durations",
				     asked->delay_cost ? "delay-cost" : "by");
	if (asked->by == TV_DELAY_LINK && !asked->delay_cost)
		return tv_fail_usage(err, "--by link needs --delay-cost");
	if (asked->cut != NULL && !asked->delay_cost)
		return tv_fail_usage(err, "--cut needs --delay-cost");
	return tv_cut_check(asked->cut, err) < 0 ? -1 : tv_network_check(asked->network, err);
}

static int choose_path(const struct writer *w, struct tv_run *run, const struct asked *asked,
		       struct tv_error *err)
{
	const char *network = asked->network;
	struct tv_network model;

	if (network != NULL && tv_network_init(&model, run, network, err) < 0)
		return -1;
	if (asked->durations != NO_DURATIONS)
		return static_path(w, run, statistic_of(asked), network == NULL ? NULL : &model,
				   err);
	observed_chain(w, asked->follow != FOLLOW_DEPS);
	return 0;
}

/* The observed chain, as a list. */
static bool is_in_parts(const struct tv_options *options)
{
	static const char *const others[] = { "durations", "network", "by", "delay-cost", "cut" };
	size_t i = 0;

	while (i < TV_COUNT(others) && !tv_option_given(options, others[i]))
		i++;
	return i == TV_COUNT(others);
}

static const struct tv_option_spec path_options[] = {
	{ "follow", "both|deps", NULL,
	  "both (default): dependencies and workers; deps: dependencies only", TV_OPTION_CHOICE,
	  TV_ASKED(follow) },
	{ "durations", "mean-fastest|minimum-fastest|observed", NULL,
	  "the longest path of the graph instead, with these durations of tasks", TV_OPTION_CHOICE,
	  TV_ASKED(durations) },
	{ TV_NETWORK_ROW, TV_ASKED(network) },
	{ "by", "type|node|worker|link", NULL,
	  "sums of the path for each; with --delay-cost what is cut at once (link: messages)",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
	{ "delay-cost", NULL, NULL,
	  "how much shorter the replay is if tasks take no longer than the mean of their type",
	  TV_OPTION_TEXT, TV_ASKED(delay_cost) },
	{ "cut", "EXPR=TIME", NULL,
	  "with --delay-cost: TIME less for tasks, or messages, for which EXPR holds, instead",
	  TV_OPTION_TEXT, TV_ASKED(cut) },
};

/* Finds the messages of a run of several nodes. */
static int find_messages(struct writer *w, struct tv_run *run, struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(run, err);

	if (messages == NULL)
		return -1;
	w->messages = messages;
	for (uint32_t i = 0; w->dag == NULL && i < messages->n; i++)
		if (messages->at[i].key != TV_NONE)
			tv_index_set(&w->message_of_job, messages->at[i].key, i);
	if (w->dag == NULL)
		return 0;
	w->message_of = tv_alloc(w->dag->n, sizeof *w->message_of);
	for (uint32_t v = 0; v < w->dag->n; v++)
		w->message_of[v] = TV_NONE;
	for (uint32_t i = 0; i < messages->n; i++)
		if (messages->at[i].row != TV_NONE)
			w->message_of[w->dag->node_of_row[messages->at[i].row]] = i;
	return 0;
}

/* The chain or path itself. */
static int list_path(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	struct writer w = {
		.out = out,
		.dag = tv_run_dag(run, err),
		.rtype = tv_table_find(tasks, "ResourceType"),
		.resource = tv_table_find(tasks, "ResourceId"),
	};

	bool several = run->tasks.nnodes > 1;
	int rc;

	if (w.dag == NULL || (several && find_messages(&w, run, err) < 0))
		return -1;
	tv_add_fields(out, columns, several ? (size_t)TASK_SEGMENT : (size_t)ORIGIN);
	if (w.dag->previous != NULL) {
		tv_add_fields(out, &columns[TASK_SEGMENT], 1);
		w.task_segment = out->col[out->ncols - 1];
	}
	tv_warn_graph(run, w.dag);
	rc = choose_path(&w, run, options->chosen, err);
	tv_free(w.message_of);
	return rc;
}

/* The observed chain of a run whose rows come part by part. */
static int list_parts(struct tv_run *run, const struct asked *asked, struct tv_table *out,
		      struct tv_error *err)
{
	const struct tv_dag none = { 0 };
	bool several = run->tasks.nnodes > 1;
	struct writer w = { .out = out };
	struct tv_chain chain = { 0 };
	int64_t now = run->tasks.begin;
	int rc = tv_chain_of_parts(&chain, run, asked->follow != FOLLOW_DEPS, err);

	if (rc == 0 && several)
		rc = find_messages(&w, run, err);
	if (rc == 0 && !tv_run_depends(run))
		tv_warn_graph(run, &none);
	tv_add_fields(out, columns, several ? (size_t)TASK_SEGMENT : (size_t)ORIGIN);
	for (size_t i = 0; rc == 0 && i < chain.n; i++)
		write_step(&w, segment_of_step(&w, &chain.at[i]), chain.at[i].edge,
			   chain.at[i].cause, &now);
	tv_chain_release(&chain);
	tv_free(w.message_of_job.at);
	return rc;
}

static int run_critical_path(struct tv_run *run, const struct tv_options *options,
			     struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->delay_cost)
		return tv_delay_costs(run,
				      asked->by < 0 ? TV_DELAY_TYPE : (enum tv_delay_key)asked->by,
				      asked->cut, out, err);
	if (asked->by >= 0)
		return tv_path_profile(run, (enum tv_profile_key)asked->by, out, err);
	return run->parts != NULL ? list_parts(run, asked, out, err)
				  : list_path(run, options, out, err);
}

static const struct tv_columns forms[] = { { tv_profile_columns, TV_PROFILE_COLUMNS, "--by" },
					   { tv_delay_columns, TV_DELAY_COLUMNS, "--delay-cost" } };

const struct tv_pass tv_pass_critical_path = {
	.name = "critical-path",
	.summary = "Critical path: the chain of tasks and waits that determined the makespan",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.needs = "states links resources calls",
	.columns = "SubmitTime",
	.all_columns = true,
	.parted = "states",
	.in_parts = is_in_parts,
	.linked = true,
	.excluding = true,
	.beside = 120,
	TV_PASS_OPTIONS_INTO(struct asked, path_options),
	TV_PASS_COLUMNS(columns),
	TV_PASS_FORMS(forms),
	.varies = true,
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
		"bounds; with --network as well, it is cpe-network, and messages have the times "
		"of\n"
		"the network given; what crosses nodes without a message in the trace is one\n"
		"without JobId. These paths ignore exclusions.\n" TV_EXCLUSION_NOTES
		"--by sums the observed chain. PathImbalance is the time on the path minus the "
		"time "
		"of\n"
		"all such tasks at the prices of their workers (account): above 0, work that was\n"
		"serial or in a slow place. Imbalances, waits and messages add up to makespan -\n"
		"Useful (efficiency), without overlaps.\n"
		"--delay-cost repeats the run as early as its tasks allow (same workers and "
		"order,\n"
		"as runtime in efficiency), with and without a cut of durations: of tasks, or of\n"
		"messages. Costs of several groups do not add up, and are no idle time.\n"
		"Source: Garcia Pinto, thesis, 2018, 5.1.3, 5.1.5; workers and causes are ours.",
	.example = "traceviz critical-path data/cholesky.csv",
	.windowless = true,
	.check = check_options,
	.run = run_critical_path,
};
