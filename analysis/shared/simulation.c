/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation.c -- a run, or a planned graph, as the input of a simulation. */
#include "analysis/shared/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/shared/simulated_data.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* What the engine borrows while it runs. */
struct work {
	const struct tv_dag *dag;
	const struct tv_tasks *tasks;
	struct tv_costs costs;
	uint32_t nnodes; /* of the machine: at least one */
	struct tv_sim_machine machine;
	uint32_t *worker_type;
	bool *runs;
	uint32_t *worker; /* by node of the dag: recorded; TV_NONE */
	uint32_t *first, *next, *rank, *group;
	int64_t *submit, *priority, *delay;
	double *created; /* by node of the dag: after which share of its creator's time */
	struct tv_simulated_data data;
	uint32_t *may_take; /* by worker; NULL = 1 */
};

/* ---- the machine ---- */

static void add_worker(struct tv_simulation *s, size_t *cap, uint32_t node, uint32_t type,
		       char *name)
{
	TV_GROW(s->worker, s->nworkers, *cap, 1);
	s->worker[s->nworkers++] = (struct tv_simulated_worker){ type, node, name };
}

/* The name of the i-th worker of a type, as a trace of several nodes has it; "CPU+1" if added. */
static char *name_worker(const struct tv_tasks *tasks, uint32_t node,
			 const struct tv_type_number *entry, bool added, int64_t i)
{
	bool several = tasks->nnodes > 1;

	return tv_format("%s%s%.*s%s%lld",
			 several ? tv_pool_text(tasks->pool, tasks->node[node].label) : "",
			 several ? "_" : "", (int)entry->length, entry->name, added ? "+" : "",
			 (long long)i + added);
}

/* The workers of TYPE=N,... on every node. */
static int add_resources(struct tv_simulation *s, size_t *cap, const struct work *w,
			 const char *option, const char *text, struct tv_error *err)
{
	bool added = strcmp(option, "add") == 0;
	struct tv_type_number entry;

	for (const char *at = text; at != NULL && *at != '\0';) {
		uint32_t rtype;

		if (!tv_next_type_number(option, text, &at, &entry, err))
			return -1;
		if (entry.number > 1e6 || entry.number != (double)(int64_t)entry.number)
			return tv_fail_usage(err, "--%s '%s', expected whole numbers up to 1000000",
					     option, text);
		rtype = tv_costs_rtype(&w->costs, entry.name, entry.length);
		for (uint32_t node = 0; node < w->nnodes; node++)
			for (int64_t i = 0; i < (int64_t)entry.number; i++)
				add_worker(s, cap, node, w->costs.rtype[rtype],
					   name_worker(w->tasks, node, &entry, added, i));
	}
	return 0;
}

/* Types of workers are pairs of node and resource type; groups are pairs of node and task type. */
static void number_workers(const struct tv_simulation *s, struct work *w)
{
	uint32_t nrtypes = w->costs.nrtypes, ntypes = w->costs.ntypes;

	w->machine = (struct tv_sim_machine){ .nworkers = s->nworkers,
					      .ntypes = w->nnodes * nrtypes,
					      .ngroups = w->nnodes * ntypes };
	w->worker_type = tv_alloc(s->nworkers, sizeof *w->worker_type);
	for (uint32_t i = 0; i < s->nworkers; i++) {
		const char *name = tv_pool_text(w->tasks->pool, s->worker[i].type);

		w->worker_type[i] = s->worker[i].node * nrtypes
				  + tv_costs_rtype(&w->costs, name, strlen(name));
	}
	w->runs = tv_alloc((size_t)w->machine.ngroups * w->machine.ntypes, sizeof *w->runs);
	for (uint32_t node = 0; node < w->nnodes; node++)
		for (uint32_t t = 0; t < ntypes; t++)
			memcpy(&w->runs[((size_t)node * ntypes + t) * w->machine.ntypes
					+ node * nrtypes],
			       &w->costs.can[(size_t)t * nrtypes], nrtypes * sizeof *w->runs);
	w->machine.type = w->worker_type;
	w->machine.runs = w->runs;
}

static int find_machine(struct tv_simulation *s, struct work *w,
			const struct tv_simulation_options *options, struct tv_error *err)
{
	const struct tv_tasks *tasks = w->tasks;
	size_t cap = 0;

	for (uint32_t i = 0; options->resources == NULL && i < tasks->nworkers; i++)
		add_worker(s, &cap, tasks->workers[i].node,
			   tasks->rtype[tasks->workers[i].rtype].label,
			   tv_strdup(tv_pool_text(tasks->pool, tasks->workers[i].resource)));
	if (add_resources(s, &cap, w, "resources", options->resources, err) < 0
	    || add_resources(s, &cap, w, "add", options->add, err) < 0)
		return -1;
	if (s->nworkers == 0)
		return tv_fail(err, "the machine has no workers, expected --resources, as in "
				    "CPU=25,CUDA=3");
	number_workers(s, w);
	return 0;
}

/* ---- the graph ---- */

/* How many edges into a node the simulation follows: exclusions, too, if in recorded order. */
static uint32_t count_before(const struct tv_dag *dag, uint32_t v, bool recorded)
{
	return recorded ? tv_dag_nbefore(dag, v) : dag->first[v + 1] - dag->first[v];
}

static void reverse_edges(struct work *w, bool recorded)
{
	const struct tv_dag *dag = w->dag;
	uint32_t *at;

	w->first = tv_alloc((size_t)dag->n + 1, sizeof *w->first);
	w->next = tv_alloc((size_t)dag->nedges + dag->nexclusions, sizeof *w->next);
	for (uint32_t v = 0; v < dag->n; v++)
		for (uint32_t k = 0; k < count_before(dag, v, recorded); k++) {
			uint32_t u = tv_dag_before(dag, v, k);

			w->first[u + 1] += !tv_dag_created_by(dag, v, u);
		}
	for (uint32_t v = 0; v < dag->n; v++)
		w->first[v + 1] += w->first[v];
	at = tv_alloc(dag->n, sizeof *at);
	memcpy(at, w->first, dag->n * sizeof *at);
	for (uint32_t v = 0; v < dag->n; v++)
		for (uint32_t k = 0; k < count_before(dag, v, recorded); k++) {
			uint32_t u = tv_dag_before(dag, v, k);

			if (!tv_dag_created_by(dag, v, u))
				w->next[at[u]++] = v;
		}
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

static bool comes_first(const void *context, uint32_t a, uint32_t b)
{
	const uint32_t *place = context;

	return place[a] < place[b];
}

/* The order of w->rank made one in which no node comes before what it depends on. */
static void respect_edges(struct work *w)
{
	uint32_t n = w->dag->n, rank = 0;
	uint32_t *place = tv_alloc(n, sizeof *place), *waits = tv_alloc(n, sizeof *waits);
	struct tv_heap free = { 0 };

	memcpy(place, w->rank, n * sizeof *place);
	for (uint32_t e = 0; e < w->first[n]; e++)
		waits[w->next[e]]++;
	for (uint32_t v = 0; v < n; v++)
		if (waits[v] == 0)
			tv_heap_push(&free, v, comes_first, place);
	while (free.n > 0) {
		uint32_t v = free.row[0];

		tv_heap_pop(&free, comes_first, place);
		w->rank[v] = rank++;
		for (uint32_t e = w->first[v]; e < w->first[v + 1]; e++)
			if (--waits[w->next[e]] == 0)
				tv_heap_push(&free, w->next[e], comes_first, place);
	}
	tv_heap_release(&free);
	tv_free(place);
	tv_free(waits);
}

/* The order of submission: by SubmitTime, then JobId, then row. A node without SubmitTime, as a ghost,
 * comes before the first that depends on it. */
static void rank_jobs(struct work *w)
{
	const struct tv_dag *dag = w->dag;
	struct submitted *job = tv_alloc(dag->n, sizeof *job);

	for (uint32_t i = dag->n; i-- > 0;) {
		uint32_t v = dag->sequence[i];
		int64_t submit = tv_dag_submitted(dag, v);
		bool created = dag->creator != NULL && dag->creator[v] != TV_NONE;

		w->submit[v] = submit > 0 && !created ? submit : 0;
		job[v] = (struct submitted){ submit != INT64_MIN ? submit : INT64_MAX,
					     tv_pool_text(w->tasks->pool, tv_dag_job(dag, v)), v };
		for (uint32_t e = w->first[v]; submit == INT64_MIN && e < w->first[v + 1]; e++)
			if (job[w->next[e]].time < job[v].time)
				job[v].time = job[w->next[e]].time;
	}
	qsort(job, dag->n, sizeof *job, by_submission);
	for (uint32_t i = 0; i < dag->n; i++)
		w->rank[job[i].node] = i;
	respect_edges(w);
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

/* Place, priority and delay of every node of the graph. */
static void describe_jobs(struct work *w, bool free_messages)
{
	const struct tv_tasks *tasks = w->tasks;
	const struct tv_dag *dag = w->dag;
	const struct tv_column *priority = tv_table_find(&tasks->trace->table[TV_TASKS],
							 "Priority");

	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v], node = 0;

		w->delay[v] = tv_dag_is_message(dag, v) && !free_messages
				    ? dag->end[v] - dag->start[v]
				    : 0;
		w->worker[v] = TV_NONE;
		if (priority != NULL && !tv_missing(priority, row))
			w->priority[v] = priority->i[row];
		if (w->costs.type[v] == TV_NONE)
			continue;
		w->delay[v] = -1;
		if (tasks->counted[row]) {
			w->worker[v] = tasks->worker[row];
			node = tasks->workers[w->worker[v]].node;
		}
		w->group[v] = node * w->costs.ntypes + w->costs.type[v];
	}
}

/* What tasks access: commuting accesses, which a replay has as edges; memory nodes. */
static int describe_data(struct tv_simulation *s, struct work *w, struct tv_run *run,
			 const char *transfers, bool recorded, struct tv_error *err)
{
	bool *work = tv_alloc(w->dag->n, sizeof *work);
	int rc;

	for (uint32_t v = 0; v < w->dag->n; v++)
		work[v] = w->delay[v] < 0;
	if (!recorded)
		tv_simulated_exclusion(&w->data, w->dag, work);
	rc = tv_simulated_memory_init(&s->memory, run, w->dag, work, transfers, s->worker,
				      s->nworkers, err);
	tv_free(work);
	return rc;
}

/* Workers outside main memory take tasks before they are free. */
static int set_pipeline(const struct tv_simulation *s, struct work *w, uint32_t pipeline,
			struct tv_error *err)
{
	if (pipeline <= 1)
		return 0;
	if (!s->memory.simulated)
		return tv_fail_usage(err, "--pipeline has no effect: transfers take no time");
	w->may_take = tv_alloc(s->nworkers, sizeof *w->may_take);
	for (uint32_t i = 0; i < s->nworkers; i++)
		w->may_take[i] = s->memory.of_worker[i] == 0 ? 1 : pipeline;
	return 0;
}

static int64_t cost(const void *context, uint32_t node, uint32_t type)
{
	const struct work *w = context;

	return tv_costs_of(&w->costs, node, type % w->costs.nrtypes);
}

static const char *name_of(const void *context, uint32_t node)
{
	const struct work *w = context;

	return tv_pool_text(w->tasks->pool, tv_dag_job(w->dag, node));
}

static void allocate(struct work *w)
{
	uint32_t n = w->dag->n;

	w->rank = tv_alloc(n, sizeof *w->rank);
	w->group = tv_alloc(n, sizeof *w->group);
	w->submit = tv_alloc(n, sizeof *w->submit);
	w->priority = tv_alloc(n, sizeof *w->priority);
	w->delay = tv_alloc(n, sizeof *w->delay);
	w->worker = tv_alloc(n, sizeof *w->worker);
}

static void release_work(struct work *w)
{
	tv_costs_release(&w->costs);
	tv_simulated_data_release(&w->data);
	tv_free(w->first);
	tv_free(w->next);
	tv_free(w->rank);
	tv_free(w->group);
	tv_free(w->submit);
	tv_free(w->created);
	tv_free(w->priority);
	tv_free(w->delay);
	tv_free(w->runs);
	tv_free(w->worker_type);
	tv_free(w->worker);
	tv_free(w->may_take);
}

/* --submission: *window 0 = none. */
static int parse_submission(const char *text, uint32_t *window, bool *recorded,
			    struct tv_error *err)
{
	int64_t n;

	*window = 0;
	*recorded = strcmp(text, "trace") == 0;
	if (*recorded || strcmp(text, "all-at-once") == 0)
		return 0;
	if (strncmp(text, "window:", 7) != 0
	    || tv_parse_int(text + 7, strlen(text + 7), &n) != TV_PARSE_OK || n < 1
	    || n > UINT32_MAX)
		return tv_fail_usage(
			err, "--submission '%s', expected trace, all-at-once or window:N", text);
	*window = (uint32_t)n;
	return 0;
}

static int simulate(struct tv_simulation *s, struct work *w,
		    const struct tv_simulation_options *options, struct tv_error *err)
{
	const struct tv_scheduler *scheduler = tv_scheduler_find(options->scheduler);
	const struct tv_sim_recorded recorded = { w->worker, w->dag->start };
	struct tv_sim_graph graph = {
		w->dag->n,   w->first, w->next,	 w->rank,	  w->submit,
		w->priority, w->delay, w->group, w->dag->creator, w->created
	};
	struct tv_sim_options sim = {
		.scheduler = scheduler,
		.cost = cost,
		.context = w,
		.recorded = &recorded,
		.exclusion = w->data.exclusion.nhandles > 0 ? &w->data.exclusion : NULL,
		.memory = s->memory.simulated ? &s->memory.memory : NULL,
		.may_take = w->may_take,
	};
	bool as_submitted;

	if (scheduler->place == TV_SIM_RECORDED
	    && (options->resources != NULL || options->add != NULL || w->tasks->nplanned > 0))
		return tv_fail_usage(err,
				     "--scheduler %s needs a recorded run and its machine, without "
				     "--resources or --add",
				     scheduler->name);
	if (parse_submission(options->submission, &sim.window, &as_submitted, err) < 0)
		return -1;
	if (!as_submitted)
		graph.submit = NULL;
	return tv_simulate(&graph, &w->machine, &sim, name_of, &s->schedule, err);
}

int tv_simulation_init(struct tv_simulation *s, struct tv_run *run,
		       const struct tv_simulation_options *options, struct tv_error *err)
{
	const char *const more[] = { options->resources, options->add };
	bool recorded = tv_scheduler_find(options->scheduler)->place == TV_SIM_RECORDED;
	struct work w = { .tasks = &run->tasks };
	int rc;

	*s = (struct tv_simulation){ .dag = tv_run_dag(run, err) };
	if (s->dag == NULL)
		return -1;
	if (run->tasks.ncounted == 0 && run->tasks.nplanned == 0)
		return tv_fail(err, "the trace has no tasks to simulate");
	w.dag = s->dag;
	w.nnodes = run->tasks.nnodes > 0 ? run->tasks.nnodes : 1;
	rc = tv_costs_init(&w.costs, run, s->dag, &options->costs, more, TV_COUNT(more), err);
	if (rc == 0)
		rc = find_machine(s, &w, options, err);
	if (rc == 0) {
		allocate(&w);
		reverse_edges(&w, recorded);
		rank_jobs(&w);
		find_creations(&w);
		describe_jobs(&w, options->free_messages);
		rc = describe_data(s, &w, run, options->transfers, recorded, err);
	}
	if (rc == 0)
		rc = set_pipeline(s, &w, options->pipeline, err);
	if (rc == 0)
		rc = simulate(s, &w, options, err);
	release_work(&w);
	if (rc < 0)
		tv_simulation_release(s);
	return rc;
}

void tv_simulation_release(struct tv_simulation *s)
{
	for (uint32_t i = 0; i < s->nworkers; i++)
		tv_free(s->worker[i].name);
	tv_free(s->worker);
	tv_simulated_memory_release(&s->memory);
	tv_sim_release(&s->schedule);
	*s = (struct tv_simulation){ 0 };
}
