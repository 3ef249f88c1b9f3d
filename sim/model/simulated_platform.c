/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_platform.c -- a platform as the machine of a simulation. */
#include "sim/model/simulated_platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/generate.h"
#include "sim/units.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

static const char *const models[] = { [TV_SIM_TASK] = "task",
				      [TV_SIM_COMM_2020] = "comm-2020",
				      [TV_SIM_COMM] = "comm",
				      [TV_SIM_COMM_CACHE] = "comm-cache" };

/* ---- cores ---- */

/* CPU=N; other types have no worker. */
static int parse_number(const char *resources, uint32_t ncores, uint32_t *n, struct tv_error *err)
{
	struct tv_type_number entry;

	*n = ncores;
	for (const char *at = resources; at != NULL && *at != '\0';) {
		if (!tv_next_type_number("resources", resources, &at, &entry, err))
			return -1;
		if (entry.length == strlen(TV_PLATFORM_TYPE)
		    && memcmp(entry.name, TV_PLATFORM_TYPE, entry.length) == 0) {
			if (entry.number < 1 || entry.number > ncores
			    || entry.number != floor(entry.number))
				return tv_fail_usage(err,
						     "--resources '%s': the platform has %u cores",
						     resources, ncores);
			*n = (uint32_t)entry.number;
		} else if (entry.number > 0) {
			return tv_fail_usage(err,
					     "--resources '%s': the workers of a platform are of "
					     "the type " TV_PLATFORM_TYPE,
					     resources);
		}
	}
	return 0;
}

uint32_t *tv_platform_cores(const struct tv_platform *platform, const char *resources, uint32_t *n,
			    struct tv_error *err)
{
	uint64_t all = 0;
	uint32_t *core, place = 0;

	for (uint32_t h = 0; h < platform->nhosts; h++)
		all += platform->host[h].kind == TV_HOST_CORE ? platform->host[h].cores : 0;
	if (all == 0 || all > 1000000) {
		tv_fail(err, "%s: it has %llu cores, expected 1 to 1000000", platform->file,
			(unsigned long long)all);
		return NULL;
	}
	if (parse_number(resources, (uint32_t)all, n, err) < 0)
		return NULL;
	core = tv_alloc(*n, sizeof *core);
	for (uint32_t h = 0; h < platform->nhosts; h++)
		for (uint32_t i = 0; platform->host[h].kind == TV_HOST_CORE
				     && i < platform->host[h].cores && place < *n;
		     i++)
			core[place++] = h;
	return core;
}

/* ---- types of workers ---- */

/* The name of a core's kind; NULL if it has none, or the host is no core. */
static const char *kind_of(const struct tv_platform *platform, uint32_t host)
{
	const struct tv_platform_host *h = &platform->host[host];

	return h->kind == TV_HOST_CORE && h->cpu_kind != TV_NONE
		     ? tv_pool_text(platform->pool, h->cpu_kind)
		     : NULL;
}

static bool is_run_type(const struct tv_tasks *tasks, const char *name)
{
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		if (strcmp(tv_pool_text(tasks->pool, tasks->rtype[r].label), name) == 0)
			return true;
	return false;
}

char *tv_platform_types(const struct tv_platform *platform, const struct tv_tasks *tasks,
			bool given)
{
	bool used = given, others = false;
	uint32_t *seen = tv_alloc(platform->nhosts, sizeof *seen), nseen = 0;
	char *types = tv_strdup("");

	for (uint32_t h = 0; h < platform->nhosts; h++) {
		const char *kind = kind_of(platform, h);
		bool known = false;

		others |= platform->host[h].kind == TV_HOST_CORE && kind == NULL;
		for (uint32_t i = 0; kind != NULL && i < nseen; i++)
			known |= platform->host[seen[i]].cpu_kind == platform->host[h].cpu_kind;
		if (kind == NULL || known)
			continue;
		seen[nseen++] = h;
		used |= is_run_type(tasks, kind);
	}
	for (uint32_t i = 0; used && i < nseen; i++)
		tv_append(&types, "%s=1,", kind_of(platform, seen[i]));
	if (given || others || types[0] == '\0')
		tv_append(&types, TV_PLATFORM_TYPE "=1");
	tv_free(seen);
	return types;
}

static bool is_timed(const struct tv_costs *costs, uint32_t rtype)
{
	for (uint32_t t = 0; rtype != TV_NONE && t < costs->ntypes; t++)
		if (costs->can[(size_t)t * costs->nrtypes + rtype])
			return true;
	return false;
}

bool tv_platform_by_kind(const struct tv_platform *platform, const struct tv_costs *costs)
{
	for (uint32_t h = 0; h < platform->nhosts; h++) {
		const char *kind = kind_of(platform, h);

		if (kind != NULL && is_timed(costs, tv_costs_rtype(costs, kind, strlen(kind))))
			return true;
	}
	return false;
}

uint32_t tv_platform_rtype(const struct tv_platform *platform, uint32_t core, bool by_kind,
			   const struct tv_costs *costs, struct tv_error *err)
{
	const char *kind = by_kind ? kind_of(platform, core) : NULL;
	const char *name = kind != NULL ? kind : TV_PLATFORM_TYPE;
	uint32_t rtype = tv_costs_rtype(costs, name, strlen(name));

	if (kind != NULL && !is_timed(costs, rtype)) {
		tv_fail(err,
			"%s: %s is a core of the kind %s, on which no task has a duration; "
			"--durations-from or --gflops gives them",
			platform->file, tv_platform_host_name(platform, core), kind);
		return TV_NONE;
	}
	return rtype;
}

char *tv_platform_gflops(const struct tv_platform *platform)
{
	double slowest = INFINITY;

	for (uint32_t h = 0; h < platform->nhosts; h++)
		if (platform->host[h].kind == TV_HOST_CORE)
			slowest = fmin(slowest, platform->host[h].speed);
	return slowest > 0 && slowest < 1e18 ? tv_format(TV_PLATFORM_TYPE "=%.15g", slowest / 1e9)
					     : NULL;
}

/* ---- memories and caches ---- */

/* Hosts of a kind; *number (by host) is their place. */
static uint32_t list_hosts(const struct tv_platform *platform, enum tv_host_kind kind,
			   uint32_t **list, uint32_t *number)
{
	uint32_t n = 0;

	*list = tv_alloc(platform->nhosts, sizeof **list);
	for (uint32_t h = 0; h < platform->nhosts; h++) {
		number[h] = TV_NONE;
		if (platform->host[h].kind != kind)
			continue;
		number[h] = n;
		(*list)[n++] = h;
	}
	return n;
}

/* By worker: the number of what its core names; TV_NONE where it does not. */
static uint32_t *find_near(const struct tv_platform *platform, const uint32_t *core,
			   uint32_t nworkers, bool cache, const uint32_t *number)
{
	uint32_t *near = tv_alloc(nworkers, sizeof *near);

	for (uint32_t w = 0; w < nworkers; w++) {
		const struct tv_platform_host *host = &platform->host[core[w]];
		uint32_t named = cache ? host->cache : host->memory;

		near[w] = named != TV_NONE ? number[named] : TV_NONE;
	}
	return near;
}

static int find_hierarchy(struct tv_simulated_platform *p, const struct tv_platform *platform,
			  struct tv_error *err)
{
	struct tv_sim_numa *numa = &p->numa;
	uint32_t *number = tv_alloc(platform->nhosts, sizeof *number);

	numa->nmemories = list_hosts(platform, TV_HOST_MEMORY, &p->memory, number);
	p->memory_of = find_near(platform, numa->core, numa->nworkers, false, number);
	numa->ncaches = list_hosts(platform, TV_HOST_CACHE, &p->cache, number);
	p->cache_of = find_near(platform, numa->core, numa->nworkers, true, number);
	p->capacity = tv_alloc(numa->ncaches, sizeof *p->capacity);
	for (uint32_t c = 0; c < numa->ncaches; c++) {
		uint64_t size = platform->host[p->cache[c]].size;

		p->capacity[c] = size < TV_SIM_MAX_BYTES ? (int64_t)size : TV_SIM_MAX_BYTES;
	}
	tv_free(number);
	for (uint32_t w = 0; w < numa->nworkers; w++) {
		const char *name = tv_platform_host_name(platform, numa->core[w]);

		if (p->memory_of[w] == TV_NONE && numa->model != TV_SIM_TASK)
			return tv_fail(err,
				       "--model %s: the core '%s' names no memory (property "
				       "memory), expected --model task",
				       models[numa->model], name);
		if ((numa->model == TV_SIM_COMM_CACHE || numa->model == TV_SIM_TASK)
		    && (p->cache_of[w] == TV_NONE || p->capacity[p->cache_of[w]] == 0))
			return tv_fail(err,
				       "--model %s: the core '%s' names no cache of known size "
				       "(property cache), expected %s",
				       models[numa->model], name,
				       numa->model == TV_SIM_TASK ? "another --scheduler"
								  : "--model comm");
	}
	return 0;
}

/* ---- homes ---- */

/* Nodes in the order of submission. */
static uint32_t *list_by_rank(struct tv_simulator *of)
{
	const uint32_t *rank = tv_simulator_order(of, false, true)->rank;
	uint32_t *node = tv_alloc(of->dag->n, sizeof *node);

	for (uint32_t v = 0; v < of->dag->n; v++)
		node[rank[v]] = v;
	return node;
}

/* The i-th setup task runs on worker i, i modulo their number, and what it writes is near to that. */
static void touch_first(struct tv_simulated_platform *p, struct tv_simulator *of)
{
	const struct tv_simulated_accesses *data = tv_simulator_accesses(of);
	const struct tv_table *table = &of->run->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles");
	uint32_t *node = list_by_rank(of), worker = 0;

	for (uint32_t i = 0; i < of->dag->n; i++) {
		uint32_t row = of->dag->row[node[i]], n;
		const uint32_t *handle;

		if (of->run->tasks.kind[row] != TV_SETUP)
			continue;
		handle = tv_list(handles, row, &n);
		for (uint32_t k = 0; k < n; k++) {
			uint32_t block = tv_index_get(&data->number, handle[k]);

			if (block != TV_NONE && p->home[block] == TV_NONE)
				p->home[block] = p->memory_of[worker];
		}
		worker = (worker + 1) % p->numa.nworkers;
	}
	tv_free(node);
}

/* The NUMA node where a recorded task ran; -1 = not known. */
static int64_t recorded_memory(const struct tv_table *table, uint32_t row)
{
	static const char *const names[] = { "NumaNode", "MemoryNode" };

	for (size_t i = 0; i < TV_COUNT(names); i++) {
		const struct tv_column *column = tv_table_find(table, names[i]);

		if (column != NULL && !tv_missing(column, row))
			return column->i[row];
	}
	return -1;
}

/* Each block is where its first user in the order of submission ran. */
static int place_as_recorded(struct tv_simulated_platform *p, struct tv_simulator *of,
			     struct tv_error *err)
{
	const struct tv_simulated_accesses *data = tv_simulator_accesses(of);
	const struct tv_table *table = &of->run->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles");
	uint32_t *node = list_by_rank(of);
	int64_t memory = -1;
	bool known = false;

	for (uint32_t i = 0; i < of->dag->n && memory < p->numa.nmemories; i++) {
		uint32_t row = of->dag->row[node[i]], n;
		const uint32_t *handle = tv_list(handles, row, &n);

		memory = recorded_memory(table, row);
		known |= memory >= 0;
		for (uint32_t k = 0; k < n && memory >= 0 && memory < p->numa.nmemories; k++) {
			uint32_t block = tv_index_get(&data->number, handle[k]);

			if (block != TV_NONE && p->home[block] == TV_NONE)
				p->home[block] = (uint32_t)memory;
		}
	}
	tv_free(node);
	if (memory >= p->numa.nmemories)
		return tv_fail(err,
			       "--placement trace: a task ran on NUMA node %lld, but the platform "
			       "has %u memories, expected first-touch, round-robin or random",
			       (long long)memory, p->numa.nmemories);
	if (!known)
		return tv_fail(err, "--placement trace: the tasks have no NumaNode or MemoryNode, "
				    "expected first-touch, round-robin or random");
	return 0;
}

/* Each block is near to a core that is drawn. */
static void draw_homes(struct tv_simulated_platform *p, uint64_t seed)
{
	for (uint32_t b = 0; b < p->numa.nblocks; b++) {
		double share = tv_costs_share(seed, &b, sizeof b);

		p->home[b] = p->memory_of[(uint32_t)(share * p->numa.nworkers)];
	}
}

static int place_blocks(struct tv_simulated_platform *p, struct tv_simulator *of,
			const struct tv_platform_options *options, struct tv_error *err)
{
	const char *placement = options->placement;

	p->home = tv_alloc(p->numa.nblocks, sizeof *p->home);
	for (uint32_t b = 0; b < p->numa.nblocks; b++)
		p->home[b] = TV_NONE;
	if (placement == NULL || strcmp(placement, "first-touch") == 0)
		touch_first(p, of);
	else if (strcmp(placement, "trace") == 0)
		return place_as_recorded(p, of, err);
	else if (strcmp(placement, "random") == 0)
		draw_homes(p, options->seed);
	else
		for (uint32_t b = 0; b < p->numa.nblocks; b++)
			p->home[b] = b % p->numa.nmemories;
	return 0;
}

/* ---- overlap ---- */

/* Whether a text is name[0..n). */
static bool is_text(const char *text, size_t length, const char *name, size_t n)
{
	return text != NULL && length == n && memcmp(text, name, n) == 0;
}

/* Whether a name is that of the program of all tasks: as meta says, else of one that can be generated,
 * as a file of tasks does not say. */
static bool is_program(const struct tv_trace *trace, const char *name, size_t n)
{
	size_t length = 0;
	const char *program = tv_meta_get(trace, "Program", &length);
	bool found = is_text(program, length, name, n);

	for (uint32_t i = 0; program == NULL && i < tv_ngenerators; i++)
		found |= is_text(tv_generators[i].name, strlen(tv_generators[i].name), name, n);
	return found;
}

static int fail_overlap(const char *text, struct tv_error *err)
{
	return tv_fail_usage(err,
			     "--overlap '%s', expected a ratio from 0 to 1, or TYPE=RATIO,... with "
			     "task types or the program of the trace",
			     text);
}

/* The number of an entry [TYPE=]RATIO of n bytes. */
static bool parse_ratio(const char *at, size_t n, double *ratio)
{
	size_t name = strcspn(at, "=,");
	const char *number = name < n ? at + name + 1 : at;

	return tv_parse_double(number, (size_t)(at + n - number), ratio) == TV_PARSE_OK
	    && *ratio >= 0 && *ratio <= 1;
}

static int check_overlap(const char *text, enum tv_sim_model model, struct tv_error *err)
{
	if (text != NULL && model == TV_SIM_COMM_2020)
		return tv_fail_usage(err, "--overlap has no effect with --model comm-2020");
	for (const char *at = text; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, ",");
		double ratio;

		if (!parse_ratio(at, n, &ratio))
			return fail_overlap(text, err);
		at += n + (at[n] == ',');
	}
	return 0;
}

static int set_overlap(struct tv_simulated_platform *p, const struct tv_simulator *of,
		       const char *text, struct tv_error *err)
{
	const struct tv_pool *pool = of->run->tasks.pool;

	p->overlap = tv_alloc(of->dag->n, sizeof *p->overlap);
	if (check_overlap(text, p->numa.model, err) < 0)
		return -1;
	for (const char *at = text; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, ","), name = strcspn(at, "=,");
		bool all = name == n || is_program(of->run->trace, at, name), found = false;
		double ratio = 0;

		(void)parse_ratio(at, n, &ratio); /* checked */
		for (uint32_t v = 0; v < of->dag->n; v++) {
			uint32_t value = of->run->tasks.value[of->dag->row[v]];

			if (!of->work[v]
			    || (!all
				&& (value == TV_NONE
				    || !is_text(tv_pool_text(pool, value),
						tv_pool_length(pool, value), at, name))))
				continue;
			p->overlap[v] = ratio;
			found = true;
		}
		if (!found)
			return fail_overlap(text, err);
		at += n + (at[n] == ',');
	}
	return 0;
}

/* ---- all ---- */

TV_ORDER(by_handle, struct tv_sim_access, handle)

/* The accesses of each node in the order of handles: results do not depend on how operands are ordered. */
static void order_accesses(struct tv_simulated_platform *p, uint32_t nnodes)
{
	const uint32_t *first = p->data->first;

	p->access = tv_alloc(first[nnodes], sizeof *p->access);
	for (uint32_t i = 0; i < first[nnodes]; i++)
		p->access[i] = p->data->access[i];
	for (uint32_t v = 0; v < nnodes; v++)
		if (first[v + 1] - first[v] > 1)
			qsort(p->access + first[v], first[v + 1] - first[v], sizeof *p->access,
			      by_handle);
}

static int find_model(const char *name, enum tv_sim_model *model, struct tv_error *err)
{
	for (size_t i = 0; i < TV_COUNT(models); i++)
		if (name == NULL || strcmp(models[i], name) == 0) {
			*model = (enum tv_sim_model)i;
			return 0;
		}
	return tv_fail_usage(err, "--model '%s', expected task, comm, comm-cache or comm-2020",
			     name);
}

static int check_data(const struct tv_simulated_platform *p, const struct tv_simulator *of,
		      struct tv_error *err)
{
	const char *model = models[p->numa.model];

	if (p->numa.nblocks == 0)
		return tv_fail(
			err,
			"--model %s: the tasks have no Handles and Modes, expected --model task",
			model);
	if (of->dag->creator != NULL)
		return tv_fail(err,
			       "--model %s: tasks that others create are not simulated, expected "
			       "--model task",
			       model);
	for (uint32_t b = 0; b < p->numa.nblocks; b++)
		if (p->numa.size[b] > TV_SIM_MAX_BYTES / 2)
			return tv_fail(err, "--model %s: a handle is larger than 512 TiB", model);
	return 0;
}

static int parse_scratch(const char *text, enum tv_sim_model model, int64_t *scratch,
			 struct tv_error *err)
{
	double bytes;

	if (text == NULL)
		return 0;
	if (model != TV_SIM_COMM_CACHE)
		return tv_fail_usage(err, "--scratch has no effect without --model comm-cache");
	if (tv_parse_quantity(text, TV_SIZE, &bytes, err) < 0 || bytes > 0x1p40)
		return tv_fail_usage(err, "--scratch '%s', expected a size such as 128KiB", text);
	*scratch = llround(bytes);
	return 0;
}

/* The model, and what has no effect on it. */
static int parse_model(const struct tv_platform_options *options, enum tv_sim_model *model,
		       struct tv_error *err)
{
	const char *useless = options->overlap != NULL	    ? "overlap"
			    : options->placement != NULL    ? "placement"
			    : options->scratch != NULL	    ? "scratch"
			    : options->crosstraffic != NULL ? "crosstraffic"
							    : NULL;

	if (find_model(options->model, model, err) < 0)
		return -1;
	if (*model != TV_SIM_TASK && options->name == NULL)
		return tv_fail_usage(err, "--model %s needs --platform", options->model);
	if (*model == TV_SIM_TASK && useless != NULL)
		return tv_fail_usage(err, "--%s has no effect with --model task", useless);
	return 0;
}

int tv_simulated_platform_check(const struct tv_platform_options *options, struct tv_error *err)
{
	enum tv_sim_model model;
	int64_t scratch;

	return parse_model(options, &model, err) < 0
			    || check_overlap(options->overlap, model, err) < 0
			    || parse_scratch(options->scratch, model, &scratch, err) < 0
		     ? -1
		     : 0;
}

int tv_simulated_platform_init(struct tv_simulated_platform *p, struct tv_simulator *of,
			       const struct tv_platform_options *options, const uint32_t *core,
			       uint32_t nworkers, struct tv_error *err)
{
	struct tv_sim_numa *numa = &p->numa;

	*p = (struct tv_simulated_platform){ 0 };
	if (parse_model(options, &numa->model, err) < 0)
		return -1;
	p->simulated = numa->model != TV_SIM_TASK || (options->caches && options->platform != NULL);
	if (!p->simulated)
		return 0;
	p->data = tv_simulator_accesses(of);
	numa->platform = options->platform;
	numa->crosstraffic = options->crosstraffic != NULL
				   ? strcmp(options->crosstraffic, "yes") == 0
				   : options->platform->crosstraffic == 1;
	numa->nworkers = nworkers;
	numa->core = core;
	numa->nblocks = p->data->nhandles;
	numa->size = p->data->size;
	numa->first = p->data->first;
	order_accesses(p, of->dag->n);
	numa->access = p->access;
	if (check_data(p, of, err) < 0 || find_hierarchy(p, options->platform, err) < 0
	    || set_overlap(p, of, options->overlap, err) < 0
	    || parse_scratch(options->scratch, numa->model, &numa->scratch, err) < 0
	    || place_blocks(p, of, options, err) < 0)
		return -1;
	numa->memory_of = p->memory_of;
	numa->cache_of = p->cache_of;
	numa->memory = p->memory;
	numa->cache = p->cache;
	numa->capacity = p->capacity;
	numa->home = p->home;
	numa->overlap = p->overlap;
	return 0;
}

void tv_simulated_platform_release(struct tv_simulated_platform *p)
{
	tv_free(p->memory_of);
	tv_free(p->cache_of);
	tv_free(p->memory);
	tv_free(p->cache);
	tv_free(p->home);
	tv_free(p->access);
	tv_free(p->capacity);
	tv_free(p->overlap);
	*p = (struct tv_simulated_platform){ 0 };
}
