/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_traffic.c -- what a simulation on a platform says about memory, as tables of a trace. */
#include "sim/model/simulated_traffic.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

static const char *const flow_types[] = { [TV_SIM_READ] = "Memory Read",
					  [TV_SIM_FETCH] = "Memory Fetch",
					  [TV_SIM_WRITE] = "Memory Write",
					  [TV_SIM_WRITE_BACK] = "Memory WriteBack" };

/* ---- links ---- */

static void write_links(const struct tv_simulation *s, const struct tv_simulated_accesses *data,
			const struct tv_platform *platform, struct tv_trace *out)
{
	const struct tv_sim_numa_log *log = s->schedule.log;
	struct tv_column *type, *key, *origin, *dest, *start, *end, *size, *handle, *job;

	TV_TRACE_COLUMNS(out, TV_LINKS, { "Type", &type }, { "Key", &key }, { "Origin", &origin },
			 { "Dest", &dest }, { "Start", &start }, { "End", &end }, { "Size", &size },
			 { "Handle", &handle }, { "DestJob", &job });
	for (size_t i = 0; i < log->nflows; i++) {
		const struct tv_sim_flow *flow = &log->flow[i];
		uint32_t row = tv_table_add_row(&out->table[TV_LINKS]);
		char *name = tv_format("com_%zu", i + 1);

		tv_set_text(type, row, flow_types[flow->kind]);
		tv_set_text(key, row, name);
		tv_set_text(origin, row, tv_platform_host_name(platform, flow->from));
		tv_set_text(dest, row, tv_platform_host_name(platform, flow->to));
		tv_set_int(start, row, flow->start);
		tv_set_int(end, row, flow->end);
		tv_set_int(size, row, flow->bytes);
		if (flow->block != TV_NONE)
			tv_set_label(handle, row, data->label[flow->block]);
		tv_set_label(job, row, tv_dag_job(s->dag, flow->node));
		tv_free(name);
	}
	tv_table_finish(&out->table[TV_LINKS]);
}

/* ---- states ---- */

struct phase {
	int64_t start, end;
	uint32_t worker;
	const char *value;
};

TV_ORDER(by_worker, struct phase, worker, start, end)

/* The phases of all tasks that took time; *n of them. */
static struct phase *list_phases(const struct tv_simulation *s, size_t *n)
{
	const struct tv_sim_schedule *schedule = &s->schedule;
	struct phase *phase = tv_alloc((size_t)s->dag->n * 3, sizeof *phase);

	*n = 0;
	for (uint32_t v = 0; v < s->dag->n; v++) {
		static const char *const values[] = { "Read", "Compute", "Write" };
		const int64_t at[] = { schedule->start[v], schedule->log->read[v],
				       schedule->log->write[v], schedule->end[v] };

		for (int i = 0; schedule->worker[v] != TV_NONE && i < 3; i++)
			if (at[i + 1] > at[i])
				phase[(*n)++] = (struct phase){ at[i], at[i + 1],
								schedule->worker[v], values[i] };
	}
	if (*n > 0)
		qsort(phase, *n, sizeof *phase, by_worker);
	return phase;
}

struct states {
	struct tv_table *table;
	struct tv_column *resource, *type, *value, *start, *end;
};

/* A state of a worker, if it takes time. */
static void add_state(const struct states *to, uint32_t worker, const char *value, int64_t start,
		      int64_t end)
{
	uint32_t row;

	if (start >= end)
		return;
	row = tv_table_add_row(to->table);
	tv_set_label(to->resource, row, worker);
	tv_set_text(to->type, row, "Worker State");
	tv_set_text(to->value, row, value);
	tv_set_int(to->start, row, start);
	tv_set_int(to->end, row, end);
}

/* From the start of the first task to the end of the last one a worker without a task is idle. */
static void write_states(const struct tv_simulation *s, const uint32_t *worker_label,
			 struct tv_trace *out)
{
	const struct states to = { &out->table[TV_STATES],
				   tv_trace_column(out, TV_STATES, "ResourceId"),
				   tv_trace_column(out, TV_STATES, "Type"),
				   tv_trace_column(out, TV_STATES, "Value"),
				   tv_trace_column(out, TV_STATES, "Start"),
				   tv_trace_column(out, TV_STATES, "End") };
	size_t n, i = 0;
	struct phase *phase = list_phases(s, &n);
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t k = 0; k < n; k++) {
		first = phase[k].start < first ? phase[k].start : first;
		last = phase[k].end > last ? phase[k].end : last;
	}
	for (uint32_t w = 0; w < s->platform.numa.nworkers && n > 0; w++) {
		int64_t done = first;

		for (; i < n && phase[i].worker == w; i++) {
			add_state(&to, worker_label[w], "Idle", done, phase[i].start);
			add_state(&to, worker_label[w], phase[i].value, phase[i].start,
				  phase[i].end);
			done = phase[i].end;
		}
		add_state(&to, worker_label[w], "Idle", done, last);
	}
	tv_free(phase);
	tv_table_finish(&out->table[TV_STATES]);
}

/* ---- variables ---- */

/* Slices of the time: n of `width` ns from `begin` on, the last one up to `end`. */
struct slices {
	int64_t begin, width, end;
	uint32_t n;
};

struct variables {
	struct slices slices;
	struct tv_table *table;
	struct tv_column *resource, *type, *start, *end, *value;
};

/* One row for each slice; units: per ns of the slice, if that is asked for. */
static void write_variable(const struct variables *v, const double *slice, const char *resource,
			   const char *type, double unit, bool per_ns)
{
	const struct slices *s = &v->slices;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t row = tv_table_add_row(v->table);
		int64_t start = s->begin + i * s->width, end = start + s->width;

		end = end < s->end ? end : s->end;
		tv_set_text(v->resource, row, resource);
		tv_set_text(v->type, row, type);
		tv_set_int(v->start, row, start);
		tv_set_int(v->end, row, end);
		tv_set_double(v->value, row,
			      slice[i] / (per_ns ? unit * (double)(end - start) : unit));
	}
}

/* What links carry in each direction, and the share of their bandwidth that this is, if transfers share it. */
static void write_bandwidths(const struct variables *v, const struct tv_platform *platform,
			     const struct tv_sim_traffic *traffic)
{
	for (uint32_t i = 0; i < 2 * traffic->nlinks; i++) {
		const struct tv_platform_link *link = &platform->link[i / 2];
		const char *name = tv_platform_link_name(platform, i / 2);
		bool back = i % 2 == 1;

		if (traffic->bytes[i] == NULL)
			continue;
		write_variable(v, traffic->bytes[i], name,
			       back ? "Bandwidth back (GB/s)" : "Bandwidth (GB/s)", 1, true);
		if (link->policy != TV_LINK_FATPIPE)
			write_variable(v, traffic->bytes[i], name,
				       back ? "Link use back (%)" : "Link use (%)",
				       link->bandwidth / 1e9 / 100, true);
	}
}

static void write_caches(const struct variables *v, const struct tv_platform *platform,
			 const struct tv_sim_numa *numa, const struct tv_sim_numa_log *log)
{
	static const char *const types[] = { [TV_SIM_HIT] = "Cache hits",
					     [TV_SIM_MISS] = "Cache misses",
					     [TV_SIM_EVICTION] = "Cache evictions",
					     [TV_SIM_NCHANGES] = "Cache occupancy (MiB)" };
	const size_t each = TV_COUNT(types);
	const struct slices *s = &v->slices;
	uint32_t *filled = tv_alloc(numa->ncaches, sizeof *filled);
	double *used = tv_alloc(numa->ncaches, sizeof *used);
	double *value = tv_alloc(numa->ncaches * each * s->n, sizeof *value);

	for (size_t i = 0; i <= log->nevents; i++) {
		const struct tv_sim_cache_event *event = &log->event[i];
		uint32_t at = s->n;

		if (i < log->nevents)
			at = (uint32_t)((event->time - s->begin) / s->width);
		if (i < log->nevents && at == s->n)
			at--;
		/* Before the event the occupancy was what it was after the one before. */
		for (uint32_t c = 0; c < numa->ncaches; c++)
			for (; (i == log->nevents || c == event->cache) && filled[c] < at;
			     filled[c]++)
				value[(c * each + TV_SIM_NCHANGES) * s->n + filled[c]] = used[c];
		if (i == log->nevents)
			break;
		if (event->what < TV_SIM_NCHANGES)
			value[(event->cache * each + event->what) * s->n + at]++;
		used[event->cache] = (double)event->used;
	}
	for (uint32_t c = 0; c < numa->ncaches; c++)
		for (size_t t = 0; t < each; t++)
			write_variable(v, value + (c * each + t) * s->n,
				       tv_platform_host_name(platform, numa->cache[c]), types[t],
				       t == TV_SIM_NCHANGES ? 0x1p20 : 1, false);
	tv_free(value);
	tv_free(filled);
	tv_free(used);
}

static void write_variables(const struct tv_simulation *s, struct tv_trace *out)
{
	struct tv_sim_numa_log *log = s->schedule.log;
	const struct tv_platform *platform = s->platform.numa.platform;
	struct variables v = { .table = &out->table[TV_VARIABLES],
			       .resource = tv_trace_column(out, TV_VARIABLES, "ResourceId"),
			       .type = tv_trace_column(out, TV_VARIABLES, "Type"),
			       .start = tv_trace_column(out, TV_VARIABLES, "Start"),
			       .end = tv_trace_column(out, TV_VARIABLES, "End"),
			       .value = tv_trace_column(out, TV_VARIABLES, "Value") };
	int64_t begin = log->traffic.begin, end = begin, width;

	for (size_t i = 0; i < log->nflows; i++)
		end = log->flow[i].end > end ? log->flow[i].end : end;
	if (log->nevents > 0 && log->event[log->nevents - 1].time > end)
		end = log->event[log->nevents - 1].time;
	if (end == begin)
		return;
	tv_sim_traffic_reach(&log->traffic, end);
	width = log->traffic.width;
	v.slices = (struct slices){ begin, width, end, (uint32_t)((end - begin - 1) / width + 1) };
	write_bandwidths(&v, platform, &log->traffic);
	if (log->nevents > 0)
		write_caches(&v, platform, &s->platform.numa, log);
	tv_table_finish(v.table);
}

void tv_simulated_traffic_write(const struct tv_simulation *s, const uint32_t *worker_label,
				struct tv_trace *out)
{
	write_links(s, s->platform.data, s->platform.numa.platform, out);
	write_states(s, worker_label, out);
	write_variables(s, out);
}
