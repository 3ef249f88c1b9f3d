/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_memory.c -- memory nodes, links and data accesses of a simulation. */
#include "sim/model/simulated_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/data/presence.h"
#include "analysis/data/transfer_list.h"
#include "analysis/messages/network.h"
#include "sim/model/simulation.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { MAIN = 0, MAX_MEMORIES = 1024 };

/* ---- memory nodes ---- */

static uint32_t add_memory(struct tv_simulated_memory *m, size_t *cap, char *name)
{
	TV_GROW(m->name, m->memory.nmemories, *cap, 1);
	m->name[m->memory.nmemories] = name;
	return m->memory.nmemories++;
}

/* The next recorded worker of a type, from place *next on; TV_NONE. */
static uint32_t next_recorded(const struct tv_tasks *tasks, uint32_t type, uint32_t *next)
{
	uint32_t i = *next == TV_NONE ? 0 : *next;

	while (i < tasks->nworkers && tasks->rtype[tasks->workers[i].rtype].label != type)
		i++;
	*next = i < tasks->nworkers ? i + 1 : i;
	return i < tasks->nworkers ? i : TV_NONE;
}

/* Whether the workers of a type are on other memory nodes than main memory. */
static bool has_own_memory(const struct tv_run *run, const struct tv_memories *memories,
			   uint32_t type)
{
	bool known = false;

	for (uint32_t i = 0; i < run->tasks.nworkers; i++) {
		if (run->tasks.rtype[run->tasks.workers[i].rtype].label != type
		    || memories->of_worker[i] == TV_NONE)
			continue;
		known = true;
		if (memories->of_worker[i] != MAIN)
			return true;
	}
	return !known && strcmp(tv_pool_text(run->tasks.pool, type), "CPU") != 0;
}

static int place_workers(struct tv_simulated_memory *m, struct tv_run *run,
			 const struct tv_simulated_worker *worker, uint32_t nworkers,
			 struct tv_error *err)
{
	const struct tv_memories *memories = tv_run_memories(run);
	struct tv_index next = { 0 };
	size_t cap = 0;

	for (uint32_t i = 0; i < memories->n; i++)
		add_memory(m, &cap,
			   tv_strdup(tv_pool_text(run->tasks.pool, memories->at[i].resource)));
	if (memories->n == 0)
		add_memory(m, &cap, tv_strdup("MEMMANAGER0"));
	m->of_worker = tv_alloc(nworkers, sizeof *m->of_worker);
	for (uint32_t i = 0; i < nworkers && m->memory.nmemories <= MAX_MEMORIES; i++) {
		uint32_t from = tv_index_get(&next, worker[i].type);
		uint32_t recorded = next_recorded(&run->tasks, worker[i].type, &from);

		tv_index_set(&next, worker[i].type, from);
		m->of_worker[i] = recorded == TV_NONE ? TV_NONE : memories->of_worker[recorded];
		if (m->of_worker[i] == TV_NONE)
			m->of_worker[i] = !has_own_memory(run, memories, worker[i].type)
						? MAIN
						: add_memory(m, &cap,
							     tv_format("MEMMANAGER%u",
								       m->memory.nmemories));
	}
	tv_free(next.at);
	if (m->memory.nmemories > MAX_MEMORIES)
		return tv_fail(err,
			       "--transfers: the machine has more than %d memory nodes, expected "
			       "--transfers free",
			       MAX_MEMORIES);
	return 0;
}

/* ---- links ---- */

/* Kinds of links, then pairs of memory nodes. */
enum kind { TO, FROM, BETWEEN, NKINDS };

struct point {
	uint32_t group;
	struct tv_network_point at;
};

static enum kind kind_of(uint32_t from, uint32_t to)
{
	return from == MAIN ? TO : to == MAIN ? FROM : BETWEEN;
}

TV_ORDER(by_group, struct point, group, at.size, at.time)

/* The line below points sorted by size and time, of which the first of each size counts. */
static struct tv_sim_link fit(const struct point *point, uint32_t n)
{
	struct tv_network_point *fastest = tv_alloc(n, sizeof *fastest);
	struct tv_network network;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (kept == 0 || point[i].at.size != fastest[kept - 1].size)
			fastest[kept++] = point[i].at;
	tv_network_fit(&network, fastest, kept);
	if (kept == 1 && fastest[0].size > 0)
		network = (struct tv_network){ .per_byte = (double)fastest[0].time
							 / (double)fastest[0].size };
	tv_free(fastest);
	return (struct tv_sim_link){ true, llround(network.latency), network.per_byte };
}

/* Whether a transfer shows how fast a link is. */
static bool shows_speed(const struct tv_data_transfer *t)
{
	return t->sized && !t->open && t->end > t->start && t->origin != t->dest;
}

/* Transfers that show how fast a link is, once for its kind and once for its pair; sorted. */
static struct point *list_points(const struct tv_data_transfers *transfers, uint32_t nmemories,
				 uint32_t *n)
{
	struct point *point = tv_alloc(2 * (size_t)transfers->n, sizeof *point);

	*n = 0;
	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *t = &transfers->at[i];
		const struct tv_network_point at = { t->size, t->end - t->start };

		if (!shows_speed(t))
			continue;
		point[(*n)++] = (struct point){ kind_of(t->origin, t->dest), at };
		point[(*n)++] = (struct point){ NKINDS + t->origin * nmemories + t->dest, at };
	}
	if (*n > 0)
		qsort(point, *n, sizeof *point, by_group);
	return point;
}

/* Every link as its own transfers, else those of its kind, else of the opposite kind. */
static void fill_links(struct tv_simulated_memory *m, const struct tv_sim_link *fitted,
		       uint32_t nfitted)
{
	uint32_t n = m->memory.nmemories;

	for (uint32_t from = 0; from < n; from++)
		for (uint32_t to = 0; to < n; to++) {
			enum kind kind = kind_of(from, to);
			struct tv_sim_link link = { 0 };

			if (from < nfitted && to < nfitted)
				link = fitted[NKINDS + from * nfitted + to];
			if (!link.exists)
				link = fitted[kind];
			if (!link.exists && kind != BETWEEN)
				link = fitted[kind == TO ? FROM : TO];
			if (!link.exists && kind != BETWEEN)
				link = fitted[BETWEEN];
			m->link[(size_t)from * n + to] = link;
		}
}

/* The lines below the transfers of the run, by kind and pair of its memory nodes: once for all
 * simulations of the run. */
static void fit_links(struct tv_simulator *simulator, const struct tv_data_transfers *transfers,
		      uint32_t nrecorded)
{
	struct point *point;
	uint32_t n;

	if (simulator->fitted != NULL)
		return;
	simulator->fitted = tv_alloc(NKINDS + (size_t)nrecorded * nrecorded,
				     sizeof *simulator->fitted);
	point = list_points(transfers, nrecorded, &n);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && point[end].group == point[i].group; end++)
			;
		simulator->fitted[point[i].group] = fit(point + i, end - i);
	}
	simulator->shows_links = n > 0;
	tv_free(point);
}

/* ---- handles ---- */

/* Where handles were registered. */
static void place_handles(struct tv_simulated_memory *m, struct tv_run *run)
{
	const struct tv_presences *presences = tv_run_presences(run);

	m->home = tv_alloc(m->data->nhandles, sizeof *m->home); /* MAIN */
	for (uint32_t i = presences->nhandles; i-- > 0;) {
		const struct tv_handle *handle = &presences->handle[i];
		uint32_t number = tv_index_get(&m->data->number, handle->label);

		if (number != TV_NONE && handle->home != TV_NONE)
			m->home[number] = handle->home;
	}
}

/* ---- all ---- */

/* Why the transfers of a run cannot be simulated; NULL = they can. */
static const char *find_obstacle(struct tv_run *run)
{
	const struct tv_memories *memories = tv_run_memories(run);
	const struct tv_table *table = &run->trace->table[TV_TASKS];

	if (run->tasks.nnodes > 1)
		return "transfers are simulated for runs of one node";
	if (tv_table_find(table, "Handles") == NULL || tv_table_find(table, "Modes") == NULL)
		return "the tasks have no Handles and Modes";
	if (memories->n > 0 && memories->at[0].number > 0)
		return "the trace does not show main memory (memory node 0)";
	return NULL;
}

/* The links of the machine: as given, or fitted. */
static int set_links(struct tv_simulated_memory *m, struct tv_simulator *simulator,
		     const struct tv_data_transfers *transfers, const char *given,
		     struct tv_error *err)
{
	size_t n = m->memory.nmemories, nrecorded = tv_run_memories(simulator->run)->n;
	struct tv_network network;

	m->link = tv_alloc(n * n, sizeof *m->link);
	if (m->fitted)
		fit_links(simulator, transfers, (uint32_t)nrecorded);
	if (m->fitted && !simulator->shows_links)
		return tv_fail(err, "--transfers fit: the trace has no transfers with a size and a "
				    "duration, expected latency=T,bandwidth=B or free");
	if (m->fitted) {
		fill_links(m, simulator->fitted, (uint32_t)nrecorded);
		return 0;
	}
	if (tv_network_parse(&network, "transfers", "free, fit", given, err) < 0)
		return -1;
	for (size_t i = 0; i < n * n; i++)
		m->link[i] = (struct tv_sim_link){ true, llround(network.latency),
						   network.per_byte };
	return 0;
}

/* All transfers that there can be, one after the other, must end in time: to a memory node through
 * main memory when its task is placed, out, and both again when a worker takes the task. */
static int check_times(const struct tv_simulated_memory *m, uint32_t nnodes, struct tv_error *err)
{
	size_t n = m->memory.nmemories;
	double latency = 0, per_byte = 0, bytes = 0, count = 6. * m->data->first[nnodes];

	for (size_t i = 0; i < n * n; i++) {
		latency = fmax(latency, (double)m->link[i].latency);
		per_byte = fmax(per_byte, m->link[i].per_byte);
	}
	for (uint32_t k = 0; k < m->data->first[nnodes]; k++)
		bytes += 6 * (double)m->data->size[m->data->access[k].handle];
	if (count * latency + bytes * (per_byte + m->memory.bus_per_byte) < 1e18)
		return 0;
	return tv_fail(err, "--transfers: they could take more than 30 years");
}

/* Whether some transfer shows how fast a link is. */
static bool show_speed(const struct tv_data_transfers *transfers)
{
	for (uint32_t i = 0; i < transfers->n; i++)
		if (shows_speed(&transfers->at[i]))
			return true;
	return false;
}

/* ---- the bus ---- */

struct edge {
	int64_t time;
	double rate; /* bytes/ns, more or less from then on */
};

TV_ORDER(by_time, struct edge, time, rate)

/* ns per byte where the recorded transfers of all links together were fastest, each at its mean rate. */
static double fit_bus(const struct tv_data_transfers *transfers)
{
	struct edge *edge = tv_alloc(2 * (size_t)transfers->n, sizeof *edge);
	double sum = 0, peak = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *t = &transfers->at[i];
		double rate = (double)t->size / (double)(t->end - t->start);

		if (!shows_speed(t))
			continue;
		edge[n++] = (struct edge){ t->start, rate };
		edge[n++] = (struct edge){ t->end, -rate };
	}
	if (n > 0)
		qsort(edge, n, sizeof *edge, by_time);
	for (size_t i = 0; i < n; i++) {
		sum += edge[i].rate;
		peak = fmax(peak, sum);
	}
	tv_free(edge);
	return peak > 0 ? 1 / peak : 0;
}

/* "free", "fit" or "latency=T,bandwidth=B", then ",bus=B". */
struct parts {
	char *links;	 /* owned; NULL = not given */
	const char *bus; /* NULL = none */
};

static struct parts split(const char *given)
{
	static const char is_bus[] = ",bus=";
	const char *bus = given == NULL ? NULL : strstr(given, is_bus);

	return (struct parts){ .links = given == NULL ? NULL
				      : bus == NULL   ? tv_strdup(given)
						      : tv_strndup(given, (size_t)(bus - given)),
			       .bus = bus == NULL ? NULL : bus + strlen(is_bus) };
}

static bool is_text(const char *text, const char *word)
{
	return text != NULL && strcmp(text, word) == 0;
}

/* per_byte: of a bus that is not fitted. */
static int check_parts(const struct parts *parts, double *per_byte, struct tv_error *err)
{
	struct tv_network network;

	if (parts->links != NULL && !is_text(parts->links, "free") && !is_text(parts->links, "fit")
	    && tv_network_parse(&network, "transfers", "free, fit", parts->links, err) < 0)
		return -1;
	if (parts->bus == NULL)
		return 0;
	if (is_text(parts->links, "free"))
		return tv_fail_usage(err,
				     "--transfers free,bus=%s: a bus has no effect on transfers "
				     "that take no time",
				     parts->bus);
	if (!is_text(parts->bus, "fit") && !tv_parse_rate(parts->bus, per_byte))
		return tv_fail_usage(
			err, "--transfers bus=%s, expected a bandwidth such as 16GB/s, or fit",
			parts->bus);
	return 0;
}

int tv_simulated_memory_check(const char *given, struct tv_error *err)
{
	struct parts parts = split(given);
	double per_byte;
	int rc = check_parts(&parts, &per_byte, err);

	tv_free(parts.links);
	return rc;
}

/* What all links share; where it is not fitted, check_parts has set it. */
static int set_bus(struct tv_simulated_memory *m, const struct tv_data_transfers *transfers,
		   const char *bus, struct tv_error *err)
{
	if (!is_text(bus, "fit"))
		return 0;
	m->memory.bus_per_byte = fit_bus(transfers);
	if (m->memory.bus_per_byte <= 0)
		return tv_fail(err, "--transfers bus=fit: the trace has no transfers with a size "
				    "and a duration, expected a bandwidth such as bus=16GB/s");
	return 0;
}

/* Whether transfers are simulated, and fitted: as asked for, or as the run allows. */
static int choose(struct tv_simulated_memory *m, struct tv_run *run,
		  const struct tv_data_transfers *transfers, const char *given,
		  struct tv_error *err)
{
	const char *obstacle = find_obstacle(run);

	if (given == NULL) {
		m->simulated = m->fitted = obstacle == NULL && transfers != NULL
					&& show_speed(transfers);
		return 0;
	}
	m->simulated = strcmp(given, "free") != 0;
	m->fitted = strcmp(given, "fit") == 0;
	if (m->simulated && obstacle != NULL)
		return tv_fail(err, "--transfers %s: %s, expected free", given, obstacle);
	return 0;
}

static int init(struct tv_simulated_memory *m, struct tv_simulator *simulator, const char *links,
		const char *bus, const struct tv_simulated_worker *worker, uint32_t nworkers,
		struct tv_error *err)
{
	const struct tv_data_transfers *transfers = NULL;
	struct tv_run *run = simulator->run;

	if (links == NULL || strcmp(links, "fit") == 0 || is_text(bus, "fit")) {
		transfers = tv_run_transfers(run, err);
		if (transfers == NULL)
			return -1;
	}
	if (choose(m, run, transfers, links, err) < 0)
		return -1;
	if (!m->simulated)
		return 0;
	if (place_workers(m, run, worker, nworkers, err) < 0
	    || set_links(m, simulator, transfers, links, err) < 0
	    || set_bus(m, transfers, bus, err) < 0)
		return -1;
	m->data = tv_simulator_accesses(simulator);
	place_handles(m, run);
	m->memory.nhandles = m->data->nhandles;
	m->memory.of_worker = m->of_worker;
	m->memory.link = m->link;
	m->memory.size = m->data->size;
	m->memory.home = m->home;
	m->memory.first = m->data->first;
	m->memory.access = m->data->access;
	return check_times(m, simulator->dag->n, err);
}

int tv_simulated_memory_init(struct tv_simulated_memory *m, struct tv_simulator *simulator,
			     const char *given, const struct tv_simulated_worker *worker,
			     uint32_t nworkers, struct tv_error *err)
{
	struct parts parts = split(given);
	int rc;

	*m = (struct tv_simulated_memory){ 0 };
	rc = check_parts(&parts, &m->memory.bus_per_byte, err);
	if (rc == 0)
		rc = init(m, simulator, parts.links, parts.bus, worker, nworkers, err);
	tv_free(parts.links);
	return rc;
}

void tv_simulated_memory_release(struct tv_simulated_memory *m)
{
	for (uint32_t i = 0; i < m->memory.nmemories && m->name != NULL; i++)
		tv_free(m->name[i]);
	tv_free(m->name);
	tv_free(m->of_worker);
	tv_free(m->home);
	tv_free(m->link);
	tv_free(m->capacity);
	*m = (struct tv_simulated_memory){ 0 };
}
