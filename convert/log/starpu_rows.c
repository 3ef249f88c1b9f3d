/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starpu_rows.c -- tasks of StarPU, and the workers. */
#include "convert/log/starpu.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

struct columns {
	struct tv_column *resource, *value, *start, *end, *job, *kind, *node, *type, *depends,
		*submit, *order, *priority, *tag, *footprint, *gflop, *size, *handles, *modes,
		*sizes, *memory, *device, *context, *instance, *cpu, *cpu_end, *numa, *flag;
	uint32_t *list; /* labels, or jobs, of a cell while it is made */
	size_t list_cap;
};

static void find_columns(struct tv_raw_log *log, struct columns *c)
{
	TV_TRACE_COLUMNS(
		log->run->trace, TV_TASKS, { "ResourceId", &c->resource }, { "Value", &c->value },
		{ "Start", &c->start }, { "End", &c->end }, { "JobId", &c->job },
		{ "Kind", &c->kind }, { "Node", &c->node }, { "ResourceType", &c->type },
		{ "DependsOn", &c->depends }, { "SubmitTime", &c->submit },
		{ "SubmitOrder", &c->order }, { "Priority", &c->priority }, { "Tag", &c->tag },
		{ "Footprint", &c->footprint }, { "GFlop", &c->gflop }, { "Size", &c->size },
		{ "Handles", &c->handles }, { "Modes", &c->modes }, { "Sizes", &c->sizes },
		{ "MemoryNode", &c->memory }, { "Device", &c->device }, { "Context", &c->context },
		{ "Instance", &c->instance }, { "Cpu", &c->cpu }, { "CpuEnd", &c->cpu_end },
		{ "NumaNode", &c->numa }, { "Flag", &c->flag });
	c->depends->known = true;
}

/* ---- dependencies ---- */

static void add_edge(struct tv_raw_starpu *s, uint32_t job, uint32_t before)
{
	TV_GROW(s->edge, s->nedges, s->edges_cap, 1);
	s->edge[s->nedges++] = (struct tv_starpu_edge){ job, before };
}

TV_ORDER(by_job, struct tv_starpu_edge, job, before)

/* All edges, each once, sorted by job, then by what it depends on. */
static void gather_edges(struct tv_raw_starpu *s)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < s->ntags; i += 2) {
		const uint32_t *job = tv_map_get(&s->job_of_tag, s->tags[i], 0);
		const uint32_t *before = tv_map_get(&s->job_of_tag, s->tags[i + 1], 0);

		if (job != NULL && before != NULL)
			add_edge(s, *job, *before);
	}
	for (uint32_t i = 0; i < s->njobs; i++)
		for (uint32_t k = 0; k < s->job[i].nneeds; k++)
			add_edge(s, i, s->need[s->job[i].first_need + k]);
	if (s->nedges > 0)
		qsort(s->edge, s->nedges, sizeof *s->edge, by_job);
	for (size_t i = 0; i < s->nedges; i++)
		if (s->edge[i].job != s->edge[i].before
		    && (n == 0 || by_job(&s->edge[i], &s->edge[n - 1]) != 0))
			s->edge[n++] = s->edge[i];
	s->nedges = n;
	for (size_t i = 0; i < n; i++) {
		struct tv_starpu_job *before = &s->job[s->edge[i].before];
		uint32_t run = s->job[s->edge[i].job].first_run;

		before->followed = true;
		/* Its data are released just before the program is told. */
		if (run != TV_NONE && s->run[run].start < before->arrived)
			before->arrived = s->run[run].start;
	}
}

/* *at: of the first edge of this or a later job. */
static void set_depends(struct tv_raw_log *log, struct columns *c, uint32_t job, size_t at,
			uint32_t row)
{
	const struct tv_raw_starpu *s = log->starpu;
	size_t n = 0;

	for (; at < s->nedges && s->edge[at].job == job; at++) {
		TV_GROW(c->list, n, c->list_cap, 1);
		c->list[n++] = tv_starpu_job_label(log, s->edge[at].before);
	}
	if (s->job[job].message == TV_STARPU_RECEIVE) {
		TV_GROW(c->list, n, c->list_cap, 1);
		c->list[n++] = s->job[job].from;
	}
	if (n > 0)
		tv_set_list(c->depends, row, c->list, n);
}

/* ---- tasks ---- */

/* StarPU's letters, as the reader of FxT: read, write, scratch, reduction (X), commute. */
static uint32_t mode_label(const struct tv_raw_log *log, uint32_t mode)
{
	char text[8];
	size_t n = 0;

	for (unsigned i = 0; i < 5; i++)
		if (mode >> i & 1)
			text[n++] = "RWSXC"[i];
	return tv_intern(log->run->trace->pool, n > 0 ? text : "-", n > 0 ? n : 1);
}

static void set_data(struct tv_raw_log *log, struct columns *c, const struct tv_starpu_job *job,
		     uint32_t row)
{
	const struct tv_starpu_access *access;
	struct tv_column *const column[] = { c->handles, c->modes, c->sizes };
	uint32_t n = job->naccesses;
	int64_t sum = 0;

	if (n == 0)
		return;
	access = log->starpu->access + job->first_access;
	TV_GROW(c->list, 0, c->list_cap, n);
	for (size_t k = 0; k < TV_COUNT(column); k++) {
		for (uint32_t i = 0; i < n; i++)
			c->list[i] = k == 0 ? log->handle[access[i].handle].label
				   : k == 1 ? mode_label(log, access[i].mode)
					    : tv_raw_format_label(log->run, "%" PRId64,
								  access[i].size);
		tv_set_list(column[k], row, c->list, n);
	}
	for (uint32_t i = 0; i < n; i++)
		sum = access[i].size >= 0 && sum <= INT64_MAX - access[i].size
			    ? sum + access[i].size
			    : sum;
	tv_set_int(c->size, row, sum);
}

static void set_job(struct tv_raw_log *log, struct columns *c, uint32_t index, uint32_t row)
{
	const struct tv_starpu_job *job = &log->starpu->job[index];

	tv_set_label(c->job, row, tv_starpu_job_label(log, index));
	tv_set_label(c->node, row, log->place);
	if (job->type == TV_NONE) {
		tv_set_text(c->value, row, "unknown");
		return;
	}
	tv_set_label(c->value, row, job->type);
	tv_set_int(c->submit, row, tv_raw_time(log, job->submit));
	tv_raw_set_number(c->order, row, (int64_t)index + 1);
	tv_set_int(c->priority, row, job->priority);
	tv_set_int(c->context, row, job->context);
	if (job->has_tag)
		tv_set_label(c->tag, row, tv_raw_format_label(log->run, "%" PRIx64, job->tag));
	if (isfinite(job->flops) && job->flops > 0)
		tv_set_double(c->gflop, row, job->flops / 1e9);
	set_data(log, c, job, row);
}

/* Columns by the names of counters; those of the schema are not meant. */
static void set_counters(struct tv_raw_log *log, const struct tv_starpu_run *run, uint32_t row)
{
	const struct tv_raw_thread *thread = &log->thread[run->thread];

	for (uint32_t i = 0; !run->open && i < run->nvalues; i++) {
		const char *name = tv_pool_text(log->run->trace->pool,
						log->counter[thread->counter[i]].name);

		if (tv_schema_field(TV_TASKS, name) == NULL)
			tv_raw_set_number(tv_trace_column(log->run->trace, TV_TASKS, name), row,
					  log->value[run->value + i]);
	}
}

static void set_run(struct tv_raw_log *log, struct columns *c, const struct tv_starpu_run *run,
		    uint32_t row)
{
	const struct tv_starpu_worker *worker = &log->starpu->worker[run->worker];
	/* One that has not ended lasts to the end of what was recorded. */
	int64_t end = run->open && log->starpu->last > run->start ? log->starpu->last : run->end;

	tv_set_label(c->resource, row, tv_starpu_worker_label(log, run->worker));
	if (worker->type != TV_NONE)
		tv_set_label(c->type, row, worker->type);
	tv_set_int(c->start, row, tv_raw_time(log, run->start));
	tv_set_int(c->end, row, tv_raw_time(log, end));
	if (run->footprint <= UINT32_MAX)
		tv_set_label(c->footprint, row,
			     tv_raw_format_label(log->run, "%" PRIx64, run->footprint));
	if (worker->memory_node >= 0)
		tv_set_int(c->memory, row, worker->memory_node);
	tv_set_label(c->device, row, worker->device);
	if (run->instance > 1)
		tv_set_int(c->instance, row, run->instance);
	if (run->cpu >= 0)
		tv_raw_set_number(c->cpu, row, run->cpu);
	if (run->cpu_end >= 0)
		tv_raw_set_number(c->cpu_end, row, run->cpu_end);
	if (run->numa >= 0)
		tv_raw_set_number(c->numa, row, run->numa);
	set_counters(log, run, row);
	if (run->open)
		tv_set_text(c->flag, row, "open");
}

/* A job that did not run: nothing to do in it, or not yet. */
static void write_other(struct tv_raw_log *log, struct columns *c, uint32_t index, size_t edge)
{
	const struct tv_starpu_job *job = &log->starpu->job[index];
	enum tv_kind kind = job->works ? TV_PENDING : TV_GHOST;
	uint32_t row;

	if (job->message != TV_STARPU_TASK) {
		row = tv_table_add_row(&log->run->trace->table[TV_TASKS]);
		tv_set_label(c->job, row, job->name);
		tv_starpu_write_message(log, index, edge, row);
		set_depends(log, c, index, edge, row);
		return;
	}
	/* Of what was lost it is not known whether it ran. */
	if (job->type == TV_NONE || (!job->works && !job->followed)
	    || (job->works && (log->npauses > 0 || log->lost > 0 || log->cut)))
		return;
	row = tv_table_add_row(&log->run->trace->table[TV_TASKS]);
	tv_set_text(c->kind, row, tv_kind_name(kind));
	set_job(log, c, index, row);
	set_depends(log, c, index, edge, row);
}

void tv_starpu_write_tasks(struct tv_raw_log *log)
{
	struct tv_raw_starpu *s = log->starpu;
	struct columns c = { 0 };
	size_t edge = 0;

	gather_edges(s);
	find_columns(log, &c);
	for (uint32_t i = 0; i < s->njobs; i++) {
		while (edge < s->nedges && s->edge[edge].job < i)
			edge++;
		for (uint32_t at = s->job[i].first_run; at != TV_NONE; at = s->run[at].next) {
			uint32_t row = tv_table_add_row(&log->run->trace->table[TV_TASKS]);

			set_run(log, &c, &s->run[at], row);
			set_job(log, &c, i, row);
			set_depends(log, &c, i, edge, row);
		}
		if (s->job[i].nruns == 0)
			write_other(log, &c, i, edge);
	}
	tv_free(c.list);
}

/* ---- workers ---- */

void tv_starpu_write_workers(struct tv_raw_log *log)
{
	struct tv_trace *trace = log->run->trace;
	const struct tv_raw_starpu *s = log->starpu;
	struct tv_column *resource, *type, *node, *memory, *start, *end, *cpuset, *name, *id, *host;

	TV_TRACE_COLUMNS(trace, TV_RESOURCES, { "ResourceId", &resource },
			 { "ResourceType", &type }, { "Node", &node }, { "MemoryNode", &memory },
			 { "Start", &start }, { "End", &end }, { "Cpuset", &cpuset },
			 { "Name", &name }, { "ThreadId", &id }, { "Host", &host });
	for (uint32_t i = 0; i < s->nworkers; i++) {
		const struct tv_starpu_worker *w = &s->worker[i];
		const struct tv_raw_thread *thread = w->thread != TV_NONE ? &log->thread[w->thread]
									  : NULL;
		uint32_t row;

		/* Numbers of combined workers leave gaps. */
		if (w->type == TV_NONE && w->begin > w->end)
			continue;
		row = tv_table_add_row(&trace->table[TV_RESOURCES]);
		tv_set_label(resource, row, tv_starpu_worker_label(log, i));
		tv_set_label(type, row, w->type);
		tv_set_label(node, row, log->place);
		if (log->run->hosts)
			tv_set_text(host, row, log->host);
		if (w->memory_node >= 0)
			tv_set_int(memory, row, w->memory_node);
		if (w->begin <= w->end) {
			tv_set_int(start, row, tv_raw_time(log, w->begin));
			tv_set_int(end, row, tv_raw_time(log, w->end));
		}
		if (w->title != TV_NONE)
			tv_set_text(name, row, tv_pool_text(trace->pool, w->title));
		if (thread != NULL && thread->binding != TV_NONE)
			tv_set_text(cpuset, row, tv_pool_text(trace->pool, thread->binding));
		if (thread != NULL && thread->os_id > 0)
			tv_raw_set_number(id, row, thread->os_id);
	}
}
