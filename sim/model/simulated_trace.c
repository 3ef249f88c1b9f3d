/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_trace.c -- the trace of a simulated run. */
#include "sim/model/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/places.h"
#include "analysis/core/recall.h"
#include "sim/model/simulated_space.h"
#include "sim/model/simulated_traffic.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* The columns that a simulation writes. */
enum column {
	RESOURCE,
	VALUE,
	START,
	END,
	DURATION,
	JOB,
	KIND,
	NODE,
	RTYPE,
	DEPENDS,
	SUBMIT,
	NUMA_NODE, /* the last: only with a platform whose memory is simulated */
	NCOLUMNS
};
static const char *const names[] = {
	[RESOURCE] = "ResourceId", [VALUE] = "Value",
	[START] = "Start",	   [END] = "End",
	[DURATION] = "Duration",   [JOB] = "JobId",
	[KIND] = "Kind",	   [NODE] = "Node",
	[RTYPE] = "ResourceType",  [DEPENDS] = "DependsOn",
	[SUBMIT] = "SubmitTime",   [NUMA_NODE] = "NumaNode",
};
_Static_assert(TV_COUNT(names) == NCOLUMNS, "a name for each column");

/* What a simulation does not know: it belongs to the recorded run, as does what passes found there. */
static const char *const recorded_only[] = { "Cpu",	   "CpuEnd",	"NumaNode",
					     "MemoryNode", "Device",	"Flag",
					     "Outlier",	   "Threshold", "MetricThreshold",
					     TV_INPUT_ROW };

/* With another submission than the recorded one, too, and where creators do not run what they create. */
static const char *const submission[] = { "SubmitAfter", "SubmitDelay" };

static bool is_named(const char *const *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

/* Nodes in the order of a trace: work by start, then worker; then messages; then the rest. */
static int by_start(const void *a, const void *b, void *context)
{
	const struct tv_simulation *s = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	bool x_runs = s->schedule.worker[x] != UINT32_MAX;
	bool y_runs = s->schedule.worker[y] != UINT32_MAX;

	if (x_runs != y_runs)
		return x_runs ? -1 : 1;
	if (s->schedule.start[x] != s->schedule.start[y])
		return TV_COMPARE(s->schedule.start[x], s->schedule.start[y]);
	if (s->schedule.worker[x] != s->schedule.worker[y])
		return TV_COMPARE(s->schedule.worker[x], s->schedule.worker[y]);
	return TV_COMPARE(x, y);
}

static uint32_t node_label(const struct tv_simulation *s, const struct tv_run *run, uint32_t worker)
{
	return run->tasks.nnodes > 0 ? run->tasks.node[s->worker[worker].node].label
				     : tv_intern_text(run->trace->pool, "0");
}

static void write_job(const struct tv_simulation *s, const struct tv_run *run, uint32_t node,
		      struct tv_column *const *column, uint32_t at, const uint32_t *worker_label)
{
	uint32_t worker = s->schedule.worker[node], row = s->dag->row[node];
	bool runs = worker != UINT32_MAX, message = tv_dag_is_message(s->dag, node);
	enum tv_kind kind = runs    ? (enum tv_kind)run->tasks.kind[row]
			  : message ? TV_MESSAGE
				    : TV_GHOST;

	tv_set_text(column[KIND], at, tv_kind_name(kind));
	if (runs || message) {
		tv_set_int(column[START], at, s->schedule.start[node]);
		tv_set_int(column[END], at, s->schedule.end[node]);
	}
	if (!message)
		tv_set_int(column[SUBMIT], at, s->schedule.submitted[node]);
	if (!runs)
		return;
	tv_set_int(column[DURATION], at, s->schedule.end[node] - s->schedule.start[node]);
	tv_set_label(column[RESOURCE], at, worker_label[worker]);
	tv_set_label(column[RTYPE], at, s->worker[worker].type);
	tv_set_label(column[NODE], at, node_label(s, run, worker));
	if (s->platform.simulated && s->platform.memory_of[worker] != TV_NONE)
		tv_set_int(column[NUMA_NODE], at, s->platform.memory_of[worker]);
}

static void write_tasks(const struct tv_simulation *s, const struct tv_run *run,
			struct tv_trace *out, const uint32_t *worker_label)
{
	const struct tv_table *from = &run->trace->table[TV_TASKS];
	struct tv_table *to = &out->table[TV_TASKS];
	struct tv_column *column[NCOLUMNS] = { 0 };
	uint32_t n = s->dag->n, *order = tv_alloc(n, sizeof *order);

	for (int c = 0; c < NCOLUMNS - !s->platform.simulated; c++)
		column[c] = tv_trace_column(out, TV_TASKS, names[c]);
	for (uint32_t v = 0; v < n; v++)
		order[v] = v;
	qsort_r(order, n, sizeof *order, by_start, (void *)(uintptr_t)s);
	for (uint32_t i = 0; i < n; i++)
		write_job(s, run, order[i], column, tv_table_add_row(to), worker_label);
	for (size_t c = 0; c < from->ncols; c++) {
		const char *name = from->col[c]->name;
		struct tv_column *copy;
		bool ours = is_named(names, TV_COUNT(names), name) && strcmp(name, "Value") != 0
			 && strcmp(name, "JobId") != 0 && strcmp(name, "DependsOn") != 0;

		if (ours || (!s->held && is_named(submission, TV_COUNT(submission), name))
		    || is_named(recorded_only, TV_COUNT(recorded_only), name)
		    || tv_pass_added(from, name))
			continue;
		copy = tv_trace_column(out, TV_TASKS, name);
		for (uint32_t i = 0; i < n; i++)
			tv_copy_cell(copy, i, from->col[c], s->dag->row[order[i]]);
	}
	tv_table_finish(to);
	tv_free(order);
}

/* A memory or cache of the platform, the n-th of its type. */
static void write_object(const struct tv_simulation *s, const struct tv_run *run,
			 struct tv_trace *out, uint32_t host, const char *type, int depth,
			 uint32_t n)
{
	const struct tv_platform *platform = s->platform.numa.platform;
	uint32_t row = tv_table_add_row(&out->table[TV_RESOURCES]);

	tv_set_text(tv_trace_column(out, TV_RESOURCES, "ResourceId"), row,
		    tv_platform_host_name(platform, host));
	tv_set_text(tv_trace_column(out, TV_RESOURCES, "ResourceType"), row, type);
	tv_set_label(tv_trace_column(out, TV_RESOURCES, "Node"), row, node_label(s, run, 0));
	tv_set_int(tv_trace_column(out, TV_RESOURCES, "Depth"), row, depth);
	tv_set_int(tv_trace_column(out, TV_RESOURCES, "Order"), row, n);
	if (platform->host[host].size > 0)
		tv_set_int(tv_trace_column(out, TV_RESOURCES, "Size"), row,
			   (int64_t)platform->host[host].size);
	if (platform->host[host].memory != TV_NONE)
		tv_set_text(tv_trace_column(out, TV_RESOURCES, "Parent"), row,
			    tv_platform_host_name(platform, platform->host[host].memory));
}

/* Memories and caches of the platform, if they are simulated. */
static void write_objects(const struct tv_simulation *s, const struct tv_run *run,
			  struct tv_trace *out)
{
	if (!s->platform.simulated)
		return;
	for (uint32_t m = 0; m < s->platform.numa.nmemories; m++)
		write_object(s, run, out, s->platform.memory[m], "NUMANode", 1, m);
	for (uint32_t c = 0; c < s->platform.numa.ncaches; c++)
		write_object(s, run, out, s->platform.cache[c], "L3", 2, c);
}

static void write_resources(const struct tv_simulation *s, const struct tv_run *run,
			    struct tv_trace *out, const uint32_t *worker_label)
{
	struct tv_column *id = tv_trace_column(out, TV_RESOURCES, "ResourceId");
	struct tv_column *type = tv_trace_column(out, TV_RESOURCES, "ResourceType");
	struct tv_column *node = tv_trace_column(out, TV_RESOURCES, "Node");
	struct tv_column *memory = !s->memory.simulated
					 ? NULL
					 : tv_trace_column(out, TV_RESOURCES, "MemoryNode");

	for (uint32_t w = 0; w < s->nworkers; w++) {
		uint32_t row = tv_table_add_row(&out->table[TV_RESOURCES]);

		tv_set_label(id, row, worker_label[w]);
		tv_set_label(type, row, s->worker[w].type);
		tv_set_label(node, row, node_label(s, run, w));
		if (memory != NULL)
			tv_set_int(memory, row, s->memory.of_worker[w]);
	}
	for (uint32_t m = 0; m < s->memory.memory.nmemories; m++) {
		uint32_t row = tv_table_add_row(&out->table[TV_RESOURCES]);

		tv_set_text(id, row, s->memory.name[m]);
		tv_set_text(type, row, "MEMMANAGER");
		tv_set_label(node, row, node_label(s, run, 0));
		tv_set_int(memory, row, m);
	}
	write_objects(s, run, out);
	tv_table_finish(&out->table[TV_RESOURCES]);
}

/* Transfers in the order of their requests, as links. */
static void write_transfers(const struct tv_simulation *s, struct tv_trace *out)
{
	struct tv_table *table = &out->table[TV_LINKS];
	struct tv_column *type, *key, *origin, *dest, *start, *end, *size, *handle;
	const struct tv_sim_transfer *t = s->schedule.transfer;

	TV_TRACE_COLUMNS(out, TV_LINKS, { "Type", &type }, { "Key", &key }, { "Origin", &origin },
			 { "Dest", &dest }, { "Start", &start }, { "End", &end }, { "Size", &size },
			 { "Handle", &handle });
	for (size_t i = 0; i < s->schedule.ntransfers; i++, t++) {
		uint32_t row = tv_table_add_row(table);
		char *name = tv_format("com_%zu", i + 1);

		tv_set_text(type, row,
			    t->writes_back ? TV_TRANSFER_TYPE " Eviction"
			    : t->ahead	   ? TV_TRANSFER_TYPE " TaskPreFetch"
					   : TV_TRANSFER_TYPE " Fetch");
		tv_set_text(key, row, name);
		tv_set_text(origin, row, s->memory.name[t->from]);
		tv_set_text(dest, row, s->memory.name[t->to]);
		tv_set_int(start, row, t->start);
		tv_set_int(end, row, t->end);
		tv_set_int(size, row, s->memory.data->size[t->handle]);
		tv_set_label(handle, row, s->memory.data->label[t->handle]);
		tv_free(name);
	}
	tv_table_finish(table);
}

/* Messages between nodes, in the order of the recorded links, at the times of the graph's nodes of
 * their Key. */
static void write_messages(const struct tv_simulation *s, const struct tv_run *run,
			   struct tv_trace *out)
{
	static const char *const kept[] = { "Type", "Key",    "Origin",	   "Dest",   "Size",
					    "Tag",  "Handle", "OriginJob", "DestJob" };
	const struct tv_table *links = &run->trace->table[TV_LINKS];
	struct tv_table *table = &out->table[TV_LINKS];
	const struct tv_column *key = tv_table_find(links, "Key");
	const struct tv_column *job = tv_table_find(&run->trace->table[TV_TASKS], "JobId");
	struct tv_index node_of = { 0 };

	for (uint32_t v = 0; v < s->dag->n && job != NULL; v++)
		if (tv_dag_is_message(s->dag, v))
			tv_index_set(&node_of, tv_label(job, s->dag->row[v]), v);
	for (uint32_t row = 0; row < links->nrows && key != NULL; row++) {
		uint32_t v = tv_index_get(&node_of, tv_label(key, row)), at;

		if (v == TV_NONE)
			continue;
		at = tv_table_add_row(table);
		for (size_t c = 0; c < TV_COUNT(kept); c++) {
			const struct tv_column *from = tv_table_find(links, kept[c]);

			if (from != NULL)
				tv_copy_cell(tv_trace_column(out, TV_LINKS, kept[c]), at, from,
					     row);
		}
		tv_set_int(tv_trace_column(out, TV_LINKS, "Start"), at, s->schedule.start[v]);
		tv_set_int(tv_trace_column(out, TV_LINKS, "End"), at, s->schedule.end[v]);
	}
	tv_table_finish(table);
	tv_free(node_of.at);
}

/* Workers that have taken a task and wait for its data. */
static void write_states(const struct tv_simulation *s, struct tv_trace *out,
			 const uint32_t *worker_label)
{
	struct tv_table *table = &out->table[TV_STATES];
	struct tv_column *resource, *type, *value, *start, *end;

	TV_TRACE_COLUMNS(out, TV_STATES, { "ResourceId", &resource }, { "Type", &type },
			 { "Value", &value }, { "Start", &start }, { "End", &end });
	for (uint32_t v = 0; v < s->dag->n; v++) {
		uint32_t row;

		if (s->schedule.worker[v] == UINT32_MAX
		    || s->schedule.taken[v] == s->schedule.start[v])
			continue;
		row = tv_table_add_row(table);
		tv_set_label(resource, row, worker_label[s->schedule.worker[v]]);
		tv_set_text(type, row, "Worker State");
		tv_set_text(value, row, "FetchingInput");
		tv_set_int(start, row, s->schedule.taken[v]);
		tv_set_int(end, row, s->schedule.start[v]);
	}
	tv_table_finish(table);
}

static void write_meta(const struct tv_simulation *s, const struct tv_simulation_options *options,
		       struct tv_trace *out)
{
	const struct tv_simulated_accesses *data = s->memory.simulated	 ? s->memory.data
						 : s->platform.simulated ? s->platform.data
									 : NULL;

	tv_meta_add(out, "Format", "simulation");
	tv_meta_add(out, "Scheduler", "%s", options->scheduler);
	tv_meta_add(out, "Durations", "%s", options->costs.durations);
	if (strcmp(options->costs.durations, "sample") == 0
	    || (options->on.placement != NULL && strcmp(options->on.placement, "random") == 0))
		tv_meta_add(out, "Seed", "%llu", (unsigned long long)options->costs.seed);
	if (options->costs.durations_from != NULL)
		tv_meta_add(out, "DurationsFrom", "%s",
			    tv_base_name(options->costs.durations_from));
	if (options->costs.gflops != NULL)
		tv_meta_add(out, "GFlops", "%s (assumed)", options->costs.gflops);
	tv_meta_add(out, "Submission", "%s", options->submission);
	if (options->resources != NULL)
		tv_meta_add(out, "Resources", "%s", options->resources);
	if (options->add != NULL)
		tv_meta_add(out, "Add", "%s", options->add);
	for (size_t i = 0; i < options->costs.nspeeds; i++)
		tv_meta_add(out, "Speed", "%s", options->costs.speed[i]);
	if (options->costs.overhead != NULL)
		tv_meta_add(out, "Overhead", "%s", options->costs.overhead);
	if (options->grain != NULL)
		tv_meta_add(out, "Grain", "%s", options->grain);
	if (s->memory.simulated)
		tv_meta_add(out, "Transfers", "%s",
			    options->transfers != NULL ? options->transfers : "fit");
	if (options->on.platform != NULL) {
		tv_meta_add(out, "Platform", "%s", tv_base_name(options->on.name));
		tv_meta_add(out, "Model", "%s", options->on.model);
	}
	if (s->platform.numa.model != TV_SIM_TASK)
		tv_meta_add(out, "Placement", "%s",
			    options->on.placement != NULL ? options->on.placement : "first-touch");
	if (options->on.overlap != NULL)
		tv_meta_add(out, "Overlap", "%s", options->on.overlap);
	if (options->on.scratch != NULL)
		tv_meta_add(out, "Scratch", "%s", options->on.scratch);
	if (options->on.crosstraffic != NULL)
		tv_meta_add(out, "Crosstraffic", "%s", options->on.crosstraffic);
	if (options->memory != NULL)
		tv_meta_add(out, "Memory", "%s", options->memory);
	if (s->memory.simulated)
		tv_meta_add(out, "Pipeline", "%u",
			    options->pipeline == 0 ? TV_PIPELINE : (unsigned)options->pipeline);
	if (data != NULL && data->nunsized > 0)
		tv_meta_add(out, "DataSize", "%s for %u of %u data without size, in %u accesses",
			    options->data_size != NULL ? options->data_size : "0", data->nunsized,
			    data->nhandles, data->nunsized_accesses);
	if (options->free_messages)
		tv_meta_add(out, "FreeMessages", "yes");
	tv_table_finish(&out->table[TV_META]);
}

int tv_simulation_trace(const struct tv_simulation *s, const struct tv_run *run,
			const struct tv_simulation_options *options, struct tv_trace *out,
			struct tv_error *err)
{
	uint32_t *worker_label = tv_alloc(s->nworkers, sizeof *worker_label);

	*out = (struct tv_trace){ .pool = tv_pool_share(run->trace->pool),
				  .options = { .zero = "none" } };
	for (int i = 0; i < TV_NTABLES; i++)
		tv_table_init(&out->table[i], out->pool);
	for (uint32_t w = 0; w < s->nworkers; w++)
		worker_label[w] = tv_intern_text(out->pool, s->worker[w].name);
	write_tasks(s, run, out, worker_label);
	write_resources(s, run, out, worker_label);
	write_messages(s, run, out);
	if (s->memory.simulated) {
		write_transfers(s, out);
		write_states(s, out, worker_label);
		tv_simulated_uses_write(s, out);
	}
	if (s->platform.simulated)
		tv_simulated_traffic_write(s, worker_label, out);
	write_meta(s, options, out);
	tv_free(worker_label);
	return tv_trace_complete(out, err);
}
