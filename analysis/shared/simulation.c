/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation.c -- a run as the input of a simulation. */
#include "analysis/shared/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* What the engine borrows while it runs. */
struct work {
	const struct tv_dag *dag;
	const struct tv_tasks *tasks;
	const struct tv_means *means;
	const struct tv_durations *durations;
	bool own; /* durations of the trace */
	bool free_messages;
	uint32_t *type; /* by node of the dag: type in means */
	int64_t *time;	/* by node of the dag: sum of its executions, ns */
	uint32_t *first, *next, *rank, *group;
	int64_t *submit, *priority, *delay;
	double *created; /* by node of the dag: after which share of its creator's time */
	double *factor;	 /* dag->n x nrtypes: durations are divided by it; NULL = 1 */
	bool *runs;
	uint32_t *worker_type, *worker; /* by worker: its type; by node of the dag: recorded */
};

int tv_submission_parse(const char *text, uint32_t *window, bool *recorded)
{
	int64_t n;

	*window = 0;
	*recorded = strcmp(text, "trace") == 0;
	if (*recorded || strcmp(text, "all-at-once") == 0)
		return 0;
	if (strncmp(text, "window:", 7) != 0
	    || tv_parse_int(text + 7, strlen(text + 7), &n) != TV_PARSE_OK || n < 1
	    || n > UINT32_MAX)
		return -1;
	*window = (uint32_t)n;
	return 0;
}

/* ---- the machine ---- */

static void add_worker(struct tv_simulation *s, size_t *cap, uint32_t node, uint32_t rtype,
		       char *name)
{
	TV_GROW(s->worker, s->machine.nworkers, *cap, 1);
	s->worker[s->machine.nworkers++] = (struct tv_simulated_worker){ rtype, node, name };
}

static uint32_t find_rtype(const struct tv_tasks *tasks, const char *name, size_t n)
{
	for (uint32_t r = 0; r < tasks->nrtypes; r++) {
		const char *text = tv_pool_text(tasks->pool, tasks->rtype[r].label);

		if (strlen(text) == n && memcmp(text, name, n) == 0)
			return r;
	}
	return TV_NONE;
}

/* The name of the i-th worker of a type, as a trace of several nodes has it; "CPU+1" if added. */
static char *name_worker(const struct tv_tasks *tasks, uint32_t node, const char *type, size_t n,
			 bool added, int64_t i)
{
	const char *prefix = tv_pool_text(tasks->pool, tasks->node[node].label);

	return tv_format("%s%s%.*s%s%lld", tasks->nnodes > 1 ? prefix : "",
			 tasks->nnodes > 1 ? "_" : "", (int)n, type, added ? "+" : "",
			 (long long)i + added);
}

/* The workers of TYPE=N,... on every node. */
static int add_resources(struct tv_simulation *s, size_t *cap, const struct tv_tasks *tasks,
			 const char *option, const char *text, struct tv_error *err)
{
	bool added = strcmp(option, "add") == 0;

	for (const char *at = text; *at != '\0';) {
		size_t n = strcspn(at, ","), name = strcspn(at, "=,");
		int64_t want;
		uint32_t rtype;

		if (name == 0 || name >= n
		    || tv_parse_int(at + name + 1, n - name - 1, &want) != TV_PARSE_OK || want < 0
		    || want > 1000000)
			return tv_fail_usage(
				err, "--%s '%s', expected TYPE=NUMBER,... as in CPU=25,CUDA=3",
				option, text);
		rtype = find_rtype(tasks, at, name);
		if (rtype == TV_NONE)
			return tv_fail(err,
				       "--%s %.*s: no task of the run has a duration on this type",
				       option, (int)n, at);
		for (uint32_t node = 0; node < tasks->nnodes; node++)
			for (int64_t i = 0; i < want; i++)
				add_worker(s, cap, node, rtype,
					   name_worker(tasks, node, at, name, added, i));
		at += n + (at[n] == ',');
	}
	return 0;
}

static int find_machine(struct tv_simulation *s, struct work *w,
			const struct tv_simulation_options *options, struct tv_error *err)
{
	const struct tv_tasks *tasks = w->tasks;
	const char *resources = options->resources;
	size_t cap = 0;

	for (uint32_t i = 0; resources == NULL && i < tasks->nworkers; i++)
		add_worker(s, &cap, tasks->workers[i].node, tasks->workers[i].rtype,
			   tv_strdup(tv_pool_text(tasks->pool, tasks->workers[i].resource)));
	if (resources != NULL && add_resources(s, &cap, tasks, "resources", resources, err) < 0)
		return -1;
	if (options->add != NULL && add_resources(s, &cap, tasks, "add", options->add, err) < 0)
		return -1;
	if (s->machine.nworkers == 0)
		return tv_fail(err, "the machine has no workers");
	w->worker_type = tv_alloc(s->machine.nworkers, sizeof *w->worker_type);
	for (uint32_t i = 0; i < s->machine.nworkers; i++)
		w->worker_type[i] = s->worker[i].node * tasks->nrtypes + s->worker[i].rtype;
	s->machine.ntypes = tasks->nnodes * tasks->nrtypes;
	s->machine.ngroups = tasks->nnodes * w->means->ntypes;
	s->machine.type = w->worker_type;
	w->runs = tv_alloc((size_t)s->machine.ngroups * s->machine.ntypes, sizeof *w->runs);
	for (uint32_t node = 0; node < tasks->nnodes; node++)
		for (uint32_t t = 0; t < w->means->ntypes; t++)
			for (uint32_t r = 0; r < tasks->nrtypes; r++)
				w->runs[((size_t)node * w->means->ntypes + t) * s->machine.ntypes
					+ node * tasks->nrtypes + r] =
					w->durations->time[t * tasks->nrtypes + r] >= 0;
	s->machine.runs = w->runs;
	return 0;
}

/* ---- the graph ---- */

static void reverse_edges(struct work *w)
{
	const struct tv_dag *dag = w->dag;
	uint32_t *at;

	w->first = tv_alloc((size_t)dag->n + 1, sizeof *w->first);
	w->next = tv_alloc(dag->nedges, sizeof *w->next);
	for (uint32_t v = 0; v < dag->n; v++)
		for (uint32_t e = dag->first[v]; e < dag->first[v + 1]; e++)
			w->first[dag->pred[e] + 1] += !tv_dag_created_by(dag, v, dag->pred[e]);
	for (uint32_t v = 0; v < dag->n; v++)
		w->first[v + 1] += w->first[v];
	at = tv_alloc(dag->n, sizeof *at);
	memcpy(at, w->first, dag->n * sizeof *at);
	for (uint32_t v = 0; v < dag->n; v++)
		for (uint32_t e = dag->first[v]; e < dag->first[v + 1]; e++)
			if (!tv_dag_created_by(dag, v, dag->pred[e]))
				w->next[at[dag->pred[e]]++] = v;
	tv_free(at);
}

struct submitted {
	int64_t time;
	const char *job;
	uint32_t node;
};

static int by_submission(const void *a, const void *b)
{
	const struct submitted *x = a, *y = b;
	int order = TV_COMPARE(x->time, y->time);

	if (order == 0)
		order = tv_natural_order(x->job, y->job);
	return order != 0 ? order : TV_COMPARE(x->node, y->node);
}

/* The order of submission: by SubmitTime, then JobId, then row. */
static void rank_jobs(struct work *w)
{
	const struct tv_dag *dag = w->dag;
	struct submitted *job = tv_alloc(dag->n, sizeof *job);

	for (uint32_t v = 0; v < dag->n; v++) {
		int64_t submit = tv_dag_submitted(dag, v);
		bool created = dag->creator != NULL && dag->creator[v] != TV_NONE;

		job[v] = (struct submitted){ submit != INT64_MIN ? submit : 0,
					     tv_pool_text(w->tasks->pool, tv_dag_job(dag, v)), v };
		w->submit[v] = submit > 0 && !created ? submit : 0;
	}
	qsort(job, dag->n, sizeof *job, by_submission);
	for (uint32_t i = 0; i < dag->n; i++)
		w->rank[job[i].node] = i;
	tv_free(job);
}

/* After which share of its creator's time each node was created. */
static void find_creations(struct work *w)
{
	const struct tv_dag *dag = w->dag;

	if (dag->creator == NULL)
		return;
	w->created = tv_alloc(dag->n, sizeof *w->created);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t u = dag->creator[v];
		double length, at;

		if (u == TV_NONE || !dag->timed[u] || dag->end[u] == dag->start[u])
			continue;
		length = (double)(dag->end[u] - dag->start[u]);
		at = (double)(tv_dag_reaches(dag, v, u, dag->end[u]) - dag->start[u]) / length;
		w->created[v] = at < 0 ? 0 : at;
	}
}

/* Time, type, place and delay of every node of the graph. -1: a parallel task. */
static int describe_jobs(struct work *w, struct tv_error *err)
{
	const struct tv_tasks *tasks = w->tasks;
	const struct tv_dag *dag = w->dag;
	const struct tv_column *priority = tv_table_find(&tasks->trace->table[TV_TASKS],
							 "Priority");

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];

		w->delay[v] = tv_dag_is_message(dag, v) && !w->free_messages
				    ? dag->end[v] - dag->start[v]
				    : 0;
		w->worker[v] = TV_NONE;
		if (priority != NULL && !tv_missing(priority, row))
			w->priority[v] = priority->i[row];
		if (!dag->task[v])
			continue;
		w->delay[v] = -1;
		w->type[v] = tv_means_type(w->means, row);
		w->worker[v] = tasks->worker[row];
		w->group[v] = tasks->workers[w->worker[v]].node * w->means->ntypes + w->type[v];
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->counted[row])
			continue;
		if (tv_team_of(tasks, row) > 1)
			return tv_fail(err,
				       "task %s is a parallel task of %.0f workers, which are not "
				       "simulated",
				       tv_pool_text(tasks->pool,
						    tasks->job != NULL ? tasks->job[row] : TV_NONE),
				       tv_team_of(tasks, row));
		w->time[dag->node_of_row[row]] += tv_row_time(tasks, row);
	}
	return 0;
}

static int64_t cost(const void *context, uint32_t node, uint32_t type)
{
	const struct work *w = context;
	uint32_t nrtypes = w->tasks->nrtypes, rtype = type % nrtypes;
	bool own = w->own && w->tasks->workers[w->worker[node]].rtype == rtype;
	double time = own ? (double)w->time[node]
			  : w->durations->time[(size_t)w->type[node] * nrtypes + rtype];

	if (w->factor != NULL)
		time /= w->factor[(size_t)node * nrtypes + rtype];
	return (int64_t)(time + 0.5);
}

/* ---- --speed ---- */

/* A table as tasks, but all of them on one resource type. */
static void on_type(const struct tv_table *tasks, uint32_t label, struct tv_table *out)
{
	struct tv_column *type;

	tv_table_init(out, tasks->pool);
	out->nrows = tasks->nrows;
	for (size_t c = 0; c < tasks->ncols; c++)
		if (strcmp(tasks->col[c]->name, "ResourceType") != 0)
			tv_table_borrow(out, tasks->col[c]);
	type = tv_table_column(out, "ResourceType", TV_LABEL, NULL);
	for (uint32_t row = 0; row < tasks->nrows; row++)
		tv_set_label(type, row, label);
	tv_table_finish(out);
}

static int speed_up(struct work *w, const char *text, struct tv_error *err)
{
	const struct tv_table *tasks = &w->tasks->trace->table[TV_TASKS];
	const char *split = strrchr(text, '=');
	uint32_t nrtypes = w->tasks->nrtypes;
	char *condition;
	double factor;
	int rc = 0;

	if (split == NULL || tv_parse_double(split + 1, strlen(split + 1), &factor) != TV_PARSE_OK
	    || !(factor > 0) || factor > 1e9)
		return tv_fail_usage(err,
				     "--speed '%s', expected EXPR=FACTOR with a factor above 0, "
				     "such as 'Value == \"gemm\"=2'",
				     text);
	condition = tv_strndup(text, (size_t)(split - text));
	for (uint32_t r = 0; r < nrtypes && rc == 0; r++) {
		struct tv_table there;
		struct tv_expr *expr;

		on_type(tasks, w->tasks->rtype[r].label, &there);
		expr = tv_expr_new(condition, &there, err);
		rc = expr == NULL ? -1 : 0;
		for (uint32_t v = 0; rc == 0 && v < w->dag->n; v++)
			if (w->dag->task[v] && tv_expr_holds(expr, w->dag->row[v]))
				w->factor[(size_t)v * nrtypes + r] *= factor;
		tv_expr_free(expr);
		tv_table_release(&there);
	}
	tv_free(condition);
	return rc;
}

static int set_speeds(struct work *w, const struct tv_simulation_options *options,
		      struct tv_error *err)
{
	size_t n = (size_t)w->dag->n * w->tasks->nrtypes;

	if (options->nspeeds == 0)
		return 0;
	w->factor = tv_alloc(n, sizeof *w->factor);
	for (size_t i = 0; i < n; i++)
		w->factor[i] = 1;
	for (size_t i = 0; i < options->nspeeds; i++)
		if (speed_up(w, options->speed[i], err) < 0)
			return -1;
	return 0;
}

static const char *name_of(const void *context, uint32_t node)
{
	const struct work *w = context;

	return tv_pool_text(w->tasks->pool, tv_dag_job(w->dag, node));
}

static void allocate(struct work *w)
{
	uint32_t n = w->dag->n;

	w->type = tv_alloc(n, sizeof *w->type);
	w->time = tv_alloc(n, sizeof *w->time);
	w->rank = tv_alloc(n, sizeof *w->rank);
	w->group = tv_alloc(n, sizeof *w->group);
	w->submit = tv_alloc(n, sizeof *w->submit);
	w->priority = tv_alloc(n, sizeof *w->priority);
	w->delay = tv_alloc(n, sizeof *w->delay);
	w->worker = tv_alloc(n, sizeof *w->worker);
}

static void release_work(struct work *w)
{
	tv_free(w->type);
	tv_free(w->time);
	tv_free(w->first);
	tv_free(w->next);
	tv_free(w->rank);
	tv_free(w->group);
	tv_free(w->submit);
	tv_free(w->created);
	tv_free(w->priority);
	tv_free(w->delay);
	tv_free(w->factor);
	tv_free(w->runs);
	tv_free(w->worker_type);
	tv_free(w->worker);
}

static int simulate(struct tv_simulation *s, struct work *w,
		    const struct tv_simulation_options *options, struct tv_error *err)
{
	const struct tv_scheduler *scheduler = tv_scheduler_find(options->scheduler);
	const struct tv_sim_recorded recorded = { w->worker, w->dag->start };
	const struct tv_sim_graph graph = { w->dag->n,	     w->first,	  w->next,  w->rank,
					    w->submit,	     w->priority, w->delay, w->group,
					    w->dag->creator, w->created };
	struct tv_sim_graph at_once = graph;
	struct tv_sim_options sim = { scheduler, cost, w, &recorded, 0 };
	bool as_submitted;

	at_once.submit = NULL;
	if (scheduler->place == TV_SIM_RECORDED
	    && (options->resources != NULL || options->add != NULL))
		return tv_fail_usage(err,
				     "--scheduler %s needs the recorded machine, without "
				     "--resources",
				     scheduler->name);
	if (tv_submission_parse(options->submission, &sim.window, &as_submitted) < 0)
		return tv_fail_usage(err,
				     "--submission '%s', expected trace, all-at-once or window:N",
				     options->submission);
	return tv_simulate(as_submitted ? &graph : &at_once, &s->machine, &sim, name_of,
			   &s->schedule, err);
}

int tv_simulation_init(struct tv_simulation *s, struct tv_run *run,
		       const struct tv_simulation_options *options, struct tv_error *err)
{
	bool own = strcmp(options->durations, "trace") == 0;
	struct work w = { .tasks = &run->tasks,
			  .own = own,
			  .free_messages = options->free_messages };
	struct tv_estimates estimates;
	struct tv_duration_rule rule;
	struct tv_durations durations;
	int rc;

	*s = (struct tv_simulation){ .dag = tv_run_dag(run, err) };
	if (s->dag == NULL)
		return -1;
	w.dag = s->dag;
	tv_estimates_init(&estimates, &run->tasks, true);
	w.means = &estimates.means[0];
	w.durations = &durations;
	rc = tv_duration_rule_init(&rule, run, own ? "mean" : options->durations, NULL, NULL,
				   run->trace->pool, err);
	durations = (struct tv_durations){ 0 };
	if (rc == 0)
		rc = tv_durations_init(&durations, &rule, &run->tasks, w.means, err);
	if (rc == 0)
		rc = find_machine(s, &w, options, err);
	if (rc == 0) {
		allocate(&w);
		reverse_edges(&w);
		rank_jobs(&w);
		find_creations(&w);
		rc = describe_jobs(&w, err);
	}
	if (rc == 0)
		rc = set_speeds(&w, options, err);
	if (rc == 0)
		rc = simulate(s, &w, options, err);
	release_work(&w);
	tv_durations_release(&durations);
	tv_duration_rule_release(&rule);
	tv_estimates_release(&estimates);
	if (rc < 0)
		tv_simulation_release(s);
	return rc;
}

void tv_simulation_release(struct tv_simulation *s)
{
	for (uint32_t i = 0; i < s->machine.nworkers; i++)
		tv_free(s->worker[i].name);
	tv_free(s->worker);
	tv_sim_release(&s->schedule);
	*s = (struct tv_simulation){ 0 };
}
