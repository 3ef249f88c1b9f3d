/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation.c -- a machine, and the simulation of a run, or of a planned graph, on it. */
#include "sim/model/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/simulated_space.h"
#include "sim/replay.h"
#include "sim/units.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"

/* What the engine borrows while it runs, besides what all simulations of the run share. */
struct tv_prepared {
	struct tv_simulator *simulator;
	struct tv_sim_graph graph;
	struct tv_sim_options options;
	struct tv_sim_recorded recorded;
	struct tv_sim_machine machine;
	uint32_t *worker_type;
	uint32_t *rtype; /* by type of workers: their resource type */
	double *ratio; /* by type of workers: how much longer tasks take on slow ones; NULL = tasks take what they took */
	bool *runs;
	int64_t *delay;			 /* where messages take no time: by node */
	uint32_t *may_take;		 /* by worker; NULL = 1 */
	struct tv_sim_presence *present; /* where it differs from that of the run */
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
static int add_resources(struct tv_simulation *s, size_t *cap, const struct tv_simulator *of,
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
		rtype = tv_costs_rtype(&of->costs, entry.name, entry.length);
		for (uint32_t node = 0; node < of->nnodes; node++)
			for (int64_t i = 0; i < (int64_t)entry.number; i++)
				add_worker(s, cap, node, of->costs.rtype[rtype],
					   name_worker(&of->run->tasks, node, &entry, added, i));
	}
	return 0;
}

/* Slow workers of the run are of a type of their own. */
static void number_slow(const struct tv_simulation *s, struct tv_prepared *w, uint32_t first)
{
	const struct tv_costs *costs = &w->simulator->costs;
	uint32_t nkinds = w->simulator->nkinds;

	for (uint32_t i = 0; first + i < w->machine.ntypes; i++) {
		uint32_t worker = costs->slow.at[i].worker, of = w->worker_type[worker];

		w->rtype[first + i] = w->rtype[of];
		w->ratio[first + i] = costs->slow.at[i].ratio;
		w->worker_type[worker] = first + i;
		for (uint32_t g = 0; g < w->machine.ngroups; g++)
			w->runs[(size_t)g * w->machine.ntypes + first + i] =
				g / nkinds == s->worker[worker].node
				&& w->runs[(size_t)g * w->machine.ntypes + of];
	}
}

/* Types of workers are pairs of node and resource type; groups are pairs of node and kind of task types. as_recorded: all
 * tasks stay where they ran. own: the first workers are those of the run. */
static void number_workers(const struct tv_simulation *s, struct tv_prepared *w, bool as_recorded,
			   bool own)
{
	const struct tv_costs *costs = &w->simulator->costs;
	uint32_t nrtypes = costs->nrtypes, nkinds = w->simulator->nkinds,
		 nnodes = w->simulator->nnodes, usual = nnodes * nrtypes;

	w->machine = (struct tv_sim_machine){ .nworkers = s->nworkers,
					      .ntypes = usual
						      + (as_recorded || !own ? 0 : costs->slow.n),
					      .ngroups = nnodes * nkinds };
	w->worker_type = tv_alloc(s->nworkers, sizeof *w->worker_type);
	for (uint32_t i = 0; i < s->nworkers; i++) {
		const struct tv_pool *pool = costs->dag->tasks->pool;
		uint32_t type = s->worker[i].type;

		w->worker_type[i] = s->worker[i].node * nrtypes
				  + tv_costs_rtype(costs, tv_pool_text(pool, type),
						   tv_pool_length(pool, type));
	}
	w->rtype = tv_alloc(w->machine.ntypes, sizeof *w->rtype);
	w->ratio = as_recorded ? NULL : tv_alloc(w->machine.ntypes, sizeof *w->ratio);
	for (uint32_t t = 0; t < usual; t++)
		w->rtype[t] = t % nrtypes;
	for (uint32_t t = 0; t < usual && !as_recorded; t++)
		w->ratio[t] = 1;
	w->runs = tv_alloc((size_t)w->machine.ngroups * w->machine.ntypes, sizeof *w->runs);
	for (uint32_t node = 0; node < nnodes; node++)
		for (uint32_t k = 0; k < nkinds; k++)
			memcpy(&w->runs[((size_t)node * nkinds + k) * w->machine.ntypes
					+ node * nrtypes],
			       &costs->can[(size_t)w->simulator->type_of_kind[k] * nrtypes],
			       nrtypes * sizeof *w->runs);
	number_slow(s, w, usual);
	w->machine.type = w->worker_type;
	w->machine.runs = w->runs;
}

/* The cores of a platform. */
static int add_cores(struct tv_simulation *s, const struct tv_simulator *of,
		     const struct tv_simulation_options *options, struct tv_error *err)
{
	const struct tv_platform *platform = options->on.platform;
	bool by_kind = tv_platform_by_kind(platform, &of->costs), mixed = false;
	size_t cap = 0;
	uint32_t n;

	if (options->add != NULL)
		return tv_fail_usage(err, "--add has no effect with --platform");
	if (of->nnodes > 1)
		return tv_fail(err, "--platform: runs of one node are simulated on platforms");
	s->core = tv_platform_cores(platform, options->resources, &n, err);
	if (s->core == NULL)
		return -1;
	for (uint32_t w = 0, first = 0; w < n; w++) {
		const struct tv_platform_host *host = &platform->host[s->core[w]];
		const char *name = tv_platform_host_name(platform, s->core[w]);
		uint32_t type = tv_platform_rtype(platform, s->core[w], by_kind, &of->costs, err);

		if (type == TV_NONE)
			return -1;
		mixed |= host->cpu_kind != platform->host[s->core[0]].cpu_kind;
		first = w > 0 && s->core[w] == s->core[w - 1] ? first : w;
		add_worker(s, &cap, 0, of->costs.rtype[type],
			   host->cores == 1 ? tv_strdup(name)
					    : tv_format("%s.%u", name, w - first));
	}
	if (mixed && !by_kind)
		tv_diagnose(&of->run->diagnostics, TV_NOTE, (struct tv_pos){ 0 },
			    "%s: its cores are of several kinds, and all take the durations "
			    "of " TV_PLATFORM_TYPE ": no task has a duration on one of the kinds",
			    platform->file);
	return 0;
}

/* The workers of the trace, or those of the options. */
static int add_workers(struct tv_simulation *s, const struct tv_simulator *of,
		       const struct tv_simulation_options *options, struct tv_error *err)
{
	const struct tv_tasks *tasks = &of->run->tasks;
	size_t cap = 0;

	for (uint32_t i = 0; options->resources == NULL && i < tasks->nworkers; i++)
		add_worker(s, &cap, tasks->workers[i].node,
			   tasks->rtype[tasks->workers[i].rtype].label,
			   tv_strdup(tv_pool_text(tasks->pool, tasks->workers[i].resource)));
	if (add_resources(s, &cap, of, "resources", options->resources, err) < 0
	    || add_resources(s, &cap, of, "add", options->add, err) < 0)
		return -1;
	if (s->nworkers == 0)
		return tv_fail(err, "the machine has no workers, expected --resources, as in "
				    "CPU=25,CUDA=3");
	return 0;
}

static int find_machine(struct tv_simulation *s, struct tv_prepared *w,
			const struct tv_simulation_options *options, struct tv_error *err)
{
	int rc = options->on.platform != NULL ? add_cores(s, w->simulator, options, err)
					      : add_workers(s, w->simulator, options, err);

	if (rc < 0)
		return -1;
	number_workers(s, w, tv_scheduler_find(options->scheduler)->place == TV_SIM_RECORDED,
		       options->on.platform == NULL && options->resources == NULL);
	return 0;
}

/* ---- the simulation ---- */

/* Workers outside main memory take tasks before they are free. */
static int set_pipeline(const struct tv_simulation *s, struct tv_prepared *w, uint64_t pipeline,
			struct tv_error *err)
{
	if (pipeline == 1 || (pipeline == 0 && !s->memory.simulated))
		return 0;
	if (!s->memory.simulated)
		return tv_fail_usage(err, "--pipeline has no effect: transfers take no time");
	pipeline = pipeline == 0 ? TV_PIPELINE : pipeline;
	w->may_take = tv_alloc(s->nworkers, sizeof *w->may_take);
	for (uint32_t i = 0; i < s->nworkers; i++)
		w->may_take[i] = s->memory.of_worker[i] == 0 ? 1 : (uint32_t)pipeline;
	return 0;
}

static int64_t cost(const void *context, uint32_t node, uint32_t type)
{
	const struct tv_prepared *w = context;

	return w->ratio == NULL
		     ? tv_costs_recorded(&w->simulator->costs, node, w->rtype[type])
		     : tv_costs_of(&w->simulator->costs, node, w->rtype[type], w->ratio[type]);
}

static int64_t expected(const void *context, uint32_t node, uint32_t type)
{
	const struct tv_prepared *w = context;

	return tv_costs_expected(&w->simulator->costs, node, w->rtype[type]);
}

static const char *name_of(const void *context, uint32_t node)
{
	const struct tv_prepared *w = context;
	const struct tv_dag *dag = w->simulator->dag;
	struct tv_pool *pool = w->simulator->run->trace->pool;
	char *name = tv_format("%s of type %s", tv_pool_text(pool, tv_dag_job(dag, node)),
			       tv_pool_text(pool, dag->tasks->value[dag->row[node]]));
	uint32_t label = tv_intern_text(pool, name);

	tv_free(name);
	return tv_pool_text(pool, label);
}

static const char *no_name(const void *context, uint32_t node)
{
	(void)context;
	(void)node;
	return "";
}

static void release_prepared(struct tv_prepared *w)
{
	if (w == NULL)
		return;
	tv_free(w->runs);
	tv_free(w->worker_type);
	tv_free(w->rtype);
	tv_free(w->ratio);
	tv_free(w->delay);
	tv_free(w->may_take);
	tv_free(w->present);
	tv_free(w);
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

/* Once for all replays. */
static void keep_sequence(struct tv_prepared *w)
{
	struct tv_simulator *of = w->simulator;

	if (of->sequence == NULL) {
		of->sequence = tv_alloc(w->graph.n, sizeof *of->sequence);
		of->first_on = tv_alloc((size_t)w->machine.nworkers + 1, sizeof *of->first_on);
		tv_sim_recorded_order(&w->graph, &w->machine, &w->recorded, of->sequence,
				      of->first_on);
	}
	w->recorded.sequence = of->sequence;
	w->recorded.first = of->first_on;
}

/* When workers are there; tasks that are submitted at once, unlike in the run, are so at its begin. NULL = all the time. */
static const struct tv_sim_presence *find_presence(struct tv_prepared *w, bool as_submitted)
{
	const struct tv_simulator *of = w->simulator;
	const struct tv_tasks *tasks = &of->run->tasks;
	int64_t ahead;

	if (of->present == NULL || as_submitted || tasks->submit == NULL)
		return of->present;
	ahead = tasks->begin - tv_simulator_zero(tasks);
	w->present = tv_alloc(tasks->nworkers, sizeof *w->present);
	for (uint32_t i = 0; i < tasks->nworkers; i++) {
		const struct tv_sim_presence *is = &of->present[i];

		w->present[i] = (struct tv_sim_presence){
			is->begin > ahead ? is->begin - ahead : 0,
			is->end < INT64_MAX ? is->end - ahead : INT64_MAX,
		};
	}
	return w->present;
}

/* What the engine is to simulate. */
static int describe(struct tv_simulation *s, struct tv_simulator *of,
		    const struct tv_simulation_options *options, struct tv_error *err)
{
	struct tv_prepared *w = s->prepared;
	const struct tv_scheduler *scheduler = tv_scheduler_find(options->scheduler);
	bool recorded = scheduler->place == TV_SIM_RECORDED, as_submitted;
	const struct tv_simulated_order *order;
	const struct tv_sim_exclusion *exclusion = NULL;
	struct tv_sim_options sim = {
		.scheduler = scheduler,
		.cost = cost,
		.expected = expected,
		.context = w,
		.recorded = &w->recorded,
		.memory = s->memory.simulated ? &s->memory.memory : NULL,
		.numa = s->platform.simulated ? &s->platform.numa : NULL,
		.may_take = w->may_take,
		.makespan_only = options->makespan_only,
	};

	if (recorded
	    && (options->on.platform != NULL || options->resources != NULL || options->add != NULL
		|| of->run->tasks.nplanned > 0))
		return tv_fail_usage(err,
				     "--scheduler %s needs a recorded run and its machine, without "
				     "--resources, --add, --sweep or --platform",
				     scheduler->name);
	if (scheduler->nearest_of > 0
	    && (sim.numa == NULL
		|| (sim.numa->model != TV_SIM_COMM_CACHE && sim.numa->model != TV_SIM_TASK)))
		return tv_fail_usage(
			err, "--scheduler %s needs --platform and --model comm-cache or task",
			scheduler->name);
	if (parse_submission(options->submission, &sim.window, &as_submitted, err) < 0)
		return -1;
	sim.present = recorded ? NULL : find_presence(w, as_submitted);
	/* A thread that was alone ran the tasks that it created; beside others it leaves them to these. */
	s->held = as_submitted && (of->run->tasks.nworkers > 1 || s->nworkers <= 1);
	order = tv_simulator_order(of, recorded, s->held);
	if (!recorded) /* a replay has it as edges */
		exclusion = &tv_simulator_exclusion(of)->of;
	if (exclusion != NULL && exclusion->nhandles > 0)
		sim.exclusion = exclusion;
	w->options = sim;
	w->graph = (struct tv_sim_graph){ .n = of->dag->n,
					  .first = order->first,
					  .next = order->next,
					  .rank = order->rank,
					  .submit = as_submitted ? order->submit : NULL,
					  .priority = of->priority,
					  .delay = options->free_messages ? w->delay
									  : tv_simulator_delays(of),
					  .group = of->group,
					  .creator = of->dag->creator,
					  .created = of->created,
					  .after = as_submitted ? order->after : NULL,
					  .wait = as_submitted ? order->wait : NULL,
					  .awaited = s->held ? of->dag->awaited : NULL,
					  .order = of->dag->order,
					  .tied = of->tied };
	w->recorded = (struct tv_sim_recorded){ of->worker, of->dag->start };
	return 0;
}

int tv_parse_data_size(const char *text, int64_t *size, struct tv_error *err)
{
	double bytes;

	*size = -1;
	if (text == NULL)
		return 0;
	if (tv_parse_quantity(text, TV_SIZE, &bytes, err) < 0 || bytes > 0x1p40)
		return tv_fail_usage(err, "--data-size '%s', expected a size such as 2MiB", text);
	*size = llround(bytes);
	return 0;
}

int tv_simulation_check(const struct tv_simulation_options *options, struct tv_error *err)
{
	int64_t size;
	uint32_t window;
	bool recorded;

	if (tv_type_numbers_check("resources", options->resources, err) < 0
	    || tv_type_numbers_check("add", options->add, err) < 0
	    || parse_submission(options->submission, &window, &recorded, err) < 0
	    || tv_costs_check(&options->costs, err) < 0
	    || tv_parse_data_size(options->data_size, &size, err) < 0
	    || tv_simulated_memory_check(options->transfers, err) < 0
	    || tv_simulated_limits_check(options->memory, err) < 0)
		return -1;
	if (options->on.name != NULL && options->transfers != NULL)
		return tv_fail_usage(err, "--transfers has no effect with --platform: --model says "
					  "what memory accesses take");
	return 0;
}

int tv_simulation_prepare(struct tv_simulation *s, struct tv_simulator *simulator,
			  const struct tv_simulation_options *options, struct tv_error *err)
{
	struct tv_platform_options on = options->on;
	struct tv_prepared *w = tv_alloc(1, sizeof *w);
	int64_t data_size;
	int rc;

	*s = (struct tv_simulation){ .dag = simulator->dag, .prepared = w };
	w->simulator = simulator;
	on.caches = tv_scheduler_find(options->scheduler)->nearest_of > 0;
	rc = tv_parse_data_size(options->data_size, &data_size, err);
	/* Other threads may read it. */
	if (rc == 0 && data_size != simulator->data_size)
		simulator->data_size = data_size;
	if (rc == 0)
		rc = find_machine(s, w, options, err);
	if (rc == 0)
		rc = tv_simulated_platform_init(&s->platform, simulator, &on, s->core, s->nworkers,
						err);
	if (rc == 0 && options->on.platform == NULL)
		rc = tv_simulated_memory_init(&s->memory, simulator, options->transfers, s->worker,
					      s->nworkers, err);
	if (rc == 0 && options->memory != NULL)
		rc = tv_simulated_limits_init(&s->memory, simulator, options->memory, s->worker,
					      s->nworkers, err);
	if (rc == 0 && options->data_size != NULL && !s->memory.simulated && !s->platform.simulated)
		rc = tv_fail_usage(err,
				   "--data-size has no effect where memory accesses take no time "
				   "(see --transfers, --model)");
	if (rc == 0)
		rc = set_pipeline(s, w, options->pipeline, err);
	if (rc == 0 && options->free_messages)
		w->delay = tv_simulator_find_delays(simulator, true);
	if (rc == 0)
		rc = describe(s, simulator, options, err);
	if (rc < 0)
		tv_simulation_release(s);
	return rc;
}

int tv_simulation_run(struct tv_simulation *s, bool named, struct tv_error *err)
{
	struct tv_prepared *w = s->prepared;
	int rc;

	if (w->options.scheduler->place == TV_SIM_RECORDED)
		keep_sequence(w);
	rc = tv_simulate(&w->graph, &w->machine, &w->options, named ? name_of : no_name,
			 &s->schedule, err);

	release_prepared(w);
	s->prepared = NULL;
	if (rc < 0)
		tv_simulation_release(s);
	return rc;
}

int tv_simulation_init(struct tv_simulation *s, struct tv_simulator *simulator,
		       const struct tv_simulation_options *options, struct tv_error *err)
{
	int rc = tv_simulation_prepare(s, simulator, options, err);

	tv_simulator_warn(simulator);
	return rc < 0 ? -1 : tv_simulation_run(s, true, err);
}

void tv_simulation_release(struct tv_simulation *s)
{
	for (uint32_t i = 0; i < s->nworkers; i++)
		tv_free(s->worker[i].name);
	tv_free(s->worker);
	tv_free(s->core);
	tv_simulated_memory_release(&s->memory);
	tv_simulated_platform_release(&s->platform);
	tv_sim_release(&s->schedule);
	release_prepared(s->prepared);
	*s = (struct tv_simulation){ 0 };
}
