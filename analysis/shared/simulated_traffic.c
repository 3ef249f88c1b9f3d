/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_traffic.c -- what a simulation on a platform says about memory, as tables of a trace. */
#include "analysis/shared/simulated_traffic.h"

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
	struct tv_column *type = tv_trace_column(out, TV_LINKS, "Type");
	struct tv_column *key = tv_trace_column(out, TV_LINKS, "Key");
	struct tv_column *origin = tv_trace_column(out, TV_LINKS, "Origin");
	struct tv_column *dest = tv_trace_column(out, TV_LINKS, "Dest");
	struct tv_column *start = tv_trace_column(out, TV_LINKS, "Start");
	struct tv_column *end = tv_trace_column(out, TV_LINKS, "End");
	struct tv_column *size = tv_trace_column(out, TV_LINKS, "Size");
	struct tv_column *handle = tv_trace_column(out, TV_LINKS, "Handle");
	struct tv_column *job = tv_trace_column(out, TV_LINKS, "DestJob");

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

static int by_worker(const void *a, const void *b)
{
	const struct phase *x = a, *y = b;

	return x->worker != y->worker ? TV_COMPARE(x->worker, y->worker)
	     : x->start != y->start   ? TV_COMPARE(x->start, y->start)
				      : TV_COMPARE(x->end, y->end);
}

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

/* Slices of the time, and a value of each for several things. */
struct slices {
	int64_t from;
	double width; /* ns */
	double *value;
};

static double begin_of(const struct slices *s, uint32_t slice)
{
	return (double)s->from + s->width * slice;
}

static uint32_t slice_at(const struct slices *s, int64_t time)
{
	double at = (double)(time - s->from) / s->width;

	return at < TV_TRAFFIC_SLICES ? (uint32_t)at : TV_TRAFFIC_SLICES - 1;
}

/* Bytes of a transfer, spread evenly over its time. */
static void spread(struct slices *s, size_t thing, const struct tv_sim_flow *flow)
{
	double *value = s->value + thing * TV_TRAFFIC_SLICES;
	double length = (double)(flow->end - flow->start);

	for (uint32_t i = slice_at(s, flow->start); i <= slice_at(s, flow->end); i++) {
		double from = begin_of(s, i), to = begin_of(s, i + 1);

		from = from > (double)flow->start ? from : (double)flow->start;
		to = to < (double)flow->end ? to : (double)flow->end;
		if (length == 0)
			value[i] += (double)flow->bytes;
		else if (to > from)
			value[i] += (double)flow->bytes * (to - from) / length;
	}
}

struct variables {
	struct tv_table *table;
	struct tv_column *resource, *type, *start, *end, *value;
};

/* One row for each slice. */
static void write_variable(const struct variables *v, const struct slices *s, size_t thing,
			   const char *resource, const char *type, double unit)
{
	for (uint32_t i = 0; i < TV_TRAFFIC_SLICES; i++) {
		uint32_t row = tv_table_add_row(v->table);

		tv_set_text(v->resource, row, resource);
		tv_set_text(v->type, row, type);
		tv_set_int(v->start, row, (int64_t)begin_of(s, i));
		tv_set_int(v->end, row, (int64_t)begin_of(s, i + 1));
		tv_set_double(v->value, row, s->value[thing * TV_TRAFFIC_SLICES + i] / unit);
	}
}

/* What a link carries in one direction, and the share of its bandwidth that this is, if transfers share it. */
static void write_link(const struct variables *v, const struct slices *s, size_t thing,
		       const struct tv_platform *platform, uint32_t link, bool back)
{
	const char *name = tv_platform_link_name(platform, link);
	const struct tv_platform_link *of = &platform->link[link];

	write_variable(v, s, thing, name, back ? "Bandwidth back (GB/s)" : "Bandwidth (GB/s)",
		       s->width);
	if (of->policy != TV_LINK_FATPIPE)
		write_variable(v, s, thing, name, back ? "Link use back (%)" : "Link use (%)",
			       s->width * of->bandwidth / 1e9 / 100);
}

static int write_bandwidths(const struct variables *v, struct slices *s,
			    struct tv_platform *platform, const struct tv_sim_numa_log *log,
			    struct tv_error *err)
{
	uint32_t *place = tv_alloc(2 * (size_t)platform->nlinks, sizeof *place), nplaces = 0;
	int rc = 0;

	/* First which links were crossed, then how much. */
	for (int pass = 0; pass < 2 && rc == 0; pass++) {
		if (pass == 1)
			s->value = tv_alloc((size_t)nplaces * TV_TRAFFIC_SLICES, sizeof *s->value);
		for (size_t i = 0; i < log->nflows && rc == 0; i++) {
			struct tv_route route = { 0 };

			rc = tv_platform_route(platform, log->flow[i].from, log->flow[i].to, &route,
					       err);
			for (uint32_t k = 0; k < route.n; k++) {
				uint32_t *at = &place[2 * route.hop[k].link + route.hop[k].down];

				if (*at == 0)
					*at = ++nplaces;
				if (pass == 1)
					spread(s, *at - 1, &log->flow[i]);
			}
		}
	}
	for (uint32_t thing = 0; thing < 2 * platform->nlinks && rc == 0; thing++)
		if (place[thing] > 0)
			write_link(v, s, place[thing] - 1, platform, thing / 2, thing % 2 == 1);
	tv_free(s->value);
	tv_free(place);
	return rc;
}

static void write_caches(const struct variables *v, struct slices *s,
			 const struct tv_platform *platform, const struct tv_sim_numa *numa,
			 const struct tv_sim_numa_log *log)
{
	static const char *const types[] = { [TV_SIM_HIT] = "Cache hits",
					     [TV_SIM_MISS] = "Cache misses",
					     [TV_SIM_EVICTION] = "Cache evictions",
					     [TV_SIM_NCHANGES] = "Cache occupancy (MiB)" };
	const size_t each = TV_COUNT(types);
	uint32_t *filled = tv_alloc(numa->ncaches, sizeof *filled);
	double *used = tv_alloc(numa->ncaches, sizeof *used);

	s->value = tv_alloc(numa->ncaches * each * TV_TRAFFIC_SLICES, sizeof *s->value);
	for (size_t i = 0; i <= log->nevents; i++) {
		const struct tv_sim_cache_event *event = &log->event[i];
		uint32_t last = i < log->nevents ? slice_at(s, event->time) : TV_TRAFFIC_SLICES;

		/* Before the event the occupancy was what it was after the one before. */
		for (uint32_t c = 0; c < numa->ncaches; c++)
			for (; (i == log->nevents || c == event->cache) && filled[c] < last;
			     filled[c]++)
				s->value[(c * each + TV_SIM_NCHANGES) * TV_TRAFFIC_SLICES
					 + filled[c]] = used[c];
		if (i == log->nevents)
			break;
		if (event->what < TV_SIM_NCHANGES)
			s->value[(event->cache * each + event->what) * TV_TRAFFIC_SLICES + last]++;
		used[event->cache] = (double)event->used;
	}
	for (uint32_t c = 0; c < numa->ncaches; c++)
		for (size_t t = 0; t < each; t++)
			write_variable(v, s, c * each + t,
				       tv_platform_host_name(platform, numa->cache[c]), types[t],
				       t == TV_SIM_NCHANGES ? 0x1p20 : 1);
	tv_free(s->value);
	tv_free(filled);
	tv_free(used);
}

static int write_variables(const struct tv_simulation *s, struct tv_trace *out,
			   struct tv_error *err)
{
	const struct tv_sim_numa_log *log = s->schedule.log;
	struct tv_platform *platform = s->platform.numa.platform;
	const struct variables v = { &out->table[TV_VARIABLES],
				     tv_trace_column(out, TV_VARIABLES, "ResourceId"),
				     tv_trace_column(out, TV_VARIABLES, "Type"),
				     tv_trace_column(out, TV_VARIABLES, "Start"),
				     tv_trace_column(out, TV_VARIABLES, "End"),
				     tv_trace_column(out, TV_VARIABLES, "Value") };
	int64_t first = log->nflows > 0	 ? log->flow[0].start
		      : log->nevents > 0 ? log->event[0].time
					 : 0,
		last = first;
	struct slices slices = { 0 };
	int rc;

	if (log->nevents > 0 && log->event[0].time < first)
		first = log->event[0].time;
	for (size_t i = 0; i < log->nflows; i++)
		last = log->flow[i].end > last ? log->flow[i].end : last;
	if (log->nevents > 0 && log->event[log->nevents - 1].time > last)
		last = log->event[log->nevents - 1].time;
	if (last == first)
		return 0;
	slices.from = first;
	slices.width = (double)(last - first) / TV_TRAFFIC_SLICES;
	rc = write_bandwidths(&v, &slices, platform, log, err);
	if (rc == 0 && log->nevents > 0)
		write_caches(&v, &slices, platform, &s->platform.numa, log);
	tv_table_finish(&out->table[TV_VARIABLES]);
	return rc;
}

int tv_simulated_traffic_write(const struct tv_simulation *s, const uint32_t *worker_label,
			       struct tv_trace *out, struct tv_error *err)
{
	write_links(s, s->platform.data, s->platform.numa.platform, out);
	write_states(s, worker_label, out);
	return write_variables(s, out, err);
}
