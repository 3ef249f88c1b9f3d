/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c -- the tables of one log. */
#include "convert/log/raw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { NUMBERS_MAX = 100 }; /* columns of numbers that the program gives */

struct task_columns {
	struct tv_column *resource, *value, *start, *end, *job, *kind, *node, *type, *depends,
		*submit, *order, *submit_after, *delay, *handles, *modes, *sizes, *segment, *parent,
		*nesting, *region, *team, *cpu, *cpu_end, *numa, *remote, *flag;
	struct tv_index number_of; /* by label of a number's name: place in `number` */
	struct tv_column *number[NUMBERS_MAX];
	uint32_t nnumbers;
	uint32_t *list; /* labels of a cell while it is made */
	size_t list_cap;
};

int64_t tv_raw_time_by(const struct tv_raw_fit *fit, int64_t time)
{
	return time + fit->offset + (int64_t)llround(fit->slope * (double)(time - fit->begin));
}

int64_t tv_raw_time(const struct tv_raw_log *log, int64_t time)
{
	return tv_raw_time_by(&log->fit, time);
}

/* The schema decides whether a column has numbers; others are text. */
void tv_raw_set_number(struct tv_column *column, uint32_t row, int64_t value)
{
	char text[TV_NUMBER_MAX];
	size_t n;

	if (column->type == TV_INT) {
		tv_set_int(column, row, value);
		return;
	}
	n = tv_write_int(text, value);
	tv_set_string(column, row, text, n);
}

uint32_t tv_raw_handle(struct tv_raw_log *log, uint64_t address)
{
	uint32_t *index = tv_map_at(&log->handle_of, address, 0);

	if (*index == TV_NONE) {
		*index = (uint32_t)log->nhandles;
		TV_GROW(log->handle, log->nhandles, log->handles_cap, 1);
		log->handle[log->nhandles] = (struct tv_raw_handle){
			address, -1, -1, TV_NONE,
			tv_raw_format_label(log->run, "h%zu", log->nhandles)
		};
		log->nhandles++;
	}
	return *index;
}

void tv_raw_renew_handle(struct tv_raw_log *log, uint64_t address, int64_t size)
{
	uint32_t handle;

	*tv_map_at(&log->handle_of, address, 0) = TV_NONE;
	handle = tv_raw_handle(log, address);
	log->handle[handle].size = size >= 0 ? size : -1;
}

void tv_raw_add_event_row(struct tv_raw_log *log, uint32_t thread, int64_t time, const char *what,
			  const char *name, size_t n)
{
	struct tv_trace *trace = log->run->trace;
	struct tv_table *events = &trace->table[TV_EVENTS];
	uint32_t row = tv_table_add_row(events);
	char *copy = tv_strndup(name, n);

	tv_set_label(tv_trace_column(trace, TV_EVENTS, "ResourceId"), row,
		     log->thread[thread].name);
	tv_set_text(tv_trace_column(trace, TV_EVENTS, "Type"), row, "program event");
	tv_set_int(tv_trace_column(trace, TV_EVENTS, "Time"), row, tv_raw_time(log, time));
	tv_set_label(tv_trace_column(trace, TV_EVENTS, "Value"), row,
		     tv_raw_format_label(log->run, "%s%s", what, copy));
	tv_free(copy);
}

/* ---- tasks ---- */

static void find_columns(struct tv_raw_log *log, struct task_columns *c)
{
	TV_TRACE_COLUMNS(log->run->trace, TV_TASKS, { "ResourceId", &c->resource },
			 { "Value", &c->value }, { "Start", &c->start }, { "End", &c->end },
			 { "JobId", &c->job }, { "Kind", &c->kind }, { "Node", &c->node },
			 { "ResourceType", &c->type }, { "DependsOn", &c->depends },
			 { "SubmitTime", &c->submit }, { "SubmitOrder", &c->order },
			 { "SubmitAfter", &c->submit_after }, { "SubmitDelay", &c->delay },
			 { "Handles", &c->handles }, { "Modes", &c->modes }, { "Sizes", &c->sizes },
			 { "Segment", &c->segment }, { "ParentJob", &c->parent },
			 { "Nesting", &c->nesting }, { "Region", &c->region },
			 { "ThreadTeam", &c->team }, { "Cpu", &c->cpu }, { "CpuEnd", &c->cpu_end },
			 { "NumaNode", &c->numa }, { "Remote", &c->remote }, { "Flag", &c->flag });
	c->depends->known = true;
}

static uint32_t job_label(struct tv_raw_log *log, uint32_t node)
{
	const struct tv_raw_node *n = &log->node[node];

	return tv_raw_format_label(log->run, "%s%s%u", log->prefix,
				   n->kind == TV_RAW_GHOST ? "g"
				   : n->unseen		   ? "u"
							   : "",
				   n->number);
}

/* The picked nodes. Implicit tasks, which have no row, never are. */
static void set_depends(struct tv_raw_log *log, struct task_columns *c, uint32_t row)
{
	if (log->npicked == 0)
		return;
	TV_GROW(c->list, 0, c->list_cap, log->npicked);
	for (size_t i = 0; i < log->npicked; i++)
		c->list[i] = job_label(log, log->picked[i]);
	tv_set_list(c->depends, row, c->list, log->npicked);
}

/*
 * What comes after a detached task, and began after its completion, comes after that; not so that itself, and what
 * the task created. An operation outside of tasks is no node in every format: then the task is named as well.
 * segment: that depends on it; TV_NONE: the node never ran.
 */
static void pick_before(struct tv_raw_log *log, const struct tv_raw_node *node, uint32_t segment,
			uint32_t before)
{
	uint32_t completion = before == TV_NONE ? TV_NONE : log->node[before].completion;
	uint32_t at = (uint32_t)(node - log->node);
	bool replaced = completion != TV_NONE && node->parent != before && completion != at
		     && (node->kind == TV_RAW_GHOST
				 ? at > completion
				 : segment >= log->node[completion].segments_before);

	if (!replaced || log->node[completion].outside)
		tv_raw_pick(log, before);
	if (replaced)
		tv_raw_pick(log, completion);
}

static void pick_needs(struct tv_raw_log *log, const struct tv_raw_node *node, uint32_t segment,
		       uint32_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		pick_before(log, node, segment, log->need[first + i]);
}

/* A number's column: that of the schema if it is one for the application, else one of its own name.
 * NULL: too many. */
static struct tv_column *number_column(struct tv_raw_log *log, struct task_columns *c,
				       uint32_t label)
{
	static const char *const own[] = { "Priority", "Iteration", "Subiteration",
					   "X",	       "Y",	    "GFlop",
					   "Size",     "ANode",	    "ANodeParent" };
	const char *name = tv_pool_text(log->run->trace->pool, label);
	bool known = tv_schema_field(TV_TASKS, name) != NULL;
	char *renamed;
	uint32_t at = tv_index_get(&c->number_of, label);

	if (at != TV_NONE)
		return c->number[at];
	if (c->nnumbers == NUMBERS_MAX) {
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "number with a new name", 0,
			       "'%.40s', expected up to %d names", name, NUMBERS_MAX);
		return NULL;
	}
	for (size_t i = 0; known && i < TV_COUNT(own); i++)
		known = strcmp(own[i], name) != 0;
	renamed = tv_format("%s%s", known ? "User." : "", name);
	c->number[c->nnumbers] = tv_trace_column(log->run->trace, TV_TASKS, renamed);
	tv_free(renamed);
	tv_index_set(&c->number_of, label, c->nnumbers);
	return c->number[c->nnumbers++];
}

static void set_double(struct tv_raw_log *log, struct tv_column *column, uint32_t row, double value)
{
	bool whole = value == nearbyint(value) && fabs(value) < 9e15;
	char text[TV_NUMBER_MAX];

	if (column->n > row)
		return; /* given again later */
	if (!isfinite(value) || (column->type == TV_INT && !whole))
		tv_raw_damaged(log, TV_DROPPED_BESIDE, "number that its column cannot have", 0,
			       "%s %g", column->name, value);
	else if (column->type == TV_DOUBLE)
		tv_set_double(column, row, value);
	else if (whole)
		tv_raw_set_number(column, row, (int64_t)value);
	else
		tv_set_string(column, row, text, tv_write_double(text, value));
}

static void set_numbers(struct tv_raw_log *log, struct task_columns *c,
			const struct tv_raw_node *node, uint32_t row)
{
	for (uint32_t i = node->numbers; i != TV_NONE; i = log->number[i].next) {
		struct tv_column *column = number_column(log, c, log->number[i].name);

		if (column != NULL)
			set_double(log, column, row, log->number[i].value);
	}
}

static void set_counters(struct tv_raw_log *log, struct task_columns *c,
			 const struct tv_raw_segment *segment, uint32_t row)
{
	const struct tv_raw_thread *thread = &log->thread[segment->thread];

	for (uint32_t i = 0; i < segment->nvalues && i < thread->ncounters; i++) {
		uint32_t name = log->counter[thread->counter[i]].name;
		struct tv_column *column = number_column(log, c, name);

		if (column != NULL && column->n <= row)
			tv_raw_set_number(column, row, log->value[segment->value + i]);
	}
}

static void set_data(struct tv_raw_log *log, struct task_columns *c, const struct tv_raw_node *node,
		     uint32_t row)
{
	static const char *const mode[] = {
		[TV_ACCESS_WRITE] = "RW",   [TV_ACCESS_READ] = "R", [TV_ACCESS_EXCLUDE] = "RWC",
		[TV_ACCESS_COMBINE] = "RW", [TV_ACCESS_ALL] = "RW",
	};
	const struct tv_access *access;
	uint32_t n = node->naccesses;
	bool sized = true;

	if (n == 0)
		return;
	access = &log->access[node->first_access];
	TV_GROW(c->list, 0, c->list_cap, n);
	for (uint32_t i = 0; i < n; i++) {
		c->list[i] = log->handle[access[i].data].label;
		sized &= log->handle[access[i].data].size >= 0;
	}
	tv_set_list(c->handles, row, c->list, n);
	for (uint32_t i = 0; i < n; i++)
		c->list[i] = tv_intern_text(log->run->trace->pool, mode[access[i].type]);
	tv_set_list(c->modes, row, c->list, n);
	for (uint32_t i = 0; sized && i < n; i++)
		c->list[i] = tv_raw_format_label(log->run, "%" PRId64,
						 log->handle[access[i].data].size);
	if (sized)
		tv_set_list(c->sizes, row, c->list, n);
}

/* How many of its data lie on another NUMA node than the thread that ran the segment. */
static void set_remote(struct tv_raw_log *log, struct task_columns *c,
		       const struct tv_raw_node *node, int32_t numa, uint32_t row)
{
	int64_t known = 0, remote = 0;

	for (uint32_t i = 0; numa >= 0 && i < node->naccesses; i++) {
		const struct tv_raw_handle *data =
			&log->handle[log->access[node->first_access + i].data];

		known += data->numa >= 0;
		remote += data->numa >= 0 && data->numa != numa;
	}
	if (known > 0)
		tv_raw_set_number(c->remote, row, remote);
}

/* How the task was created, and what became of it; one label. open: it is the last part of one that
 * has not ended. */
static void set_flag(const struct task_columns *c, const struct tv_raw_node *node, bool open,
		     uint32_t row)
{
	const struct {
		const char *name;
		bool set;
	} flag[] = {
		{ "undeferred", node->flags & 0x8000000 },
		{ "untied", node->flags & 0x10000000 },
		{ "final", node->flags & 0x20000000 },
		{ "mergeable", node->flags & 0x40000000 },
		{ "merged", node->flags & 0x80000000 },
		{ "taskloop", node->taskloop },
		{ "detached", node->detached },
		{ "cancelled", node->cancelled },
	};
	char text[100] = "";
	size_t n = 0;

	for (size_t i = 0; i < TV_COUNT(flag); i++)
		if (flag[i].set)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n > 0 ? " " : "",
					      flag[i].name);
	if (open)
		tv_set_text(c->flag, row, "open");
	else if (n > 0)
		tv_set_string(c->flag, row, text, n);
}

/* Where the compiler made the creation the last call of a function, its place is not known: then that
 * of the region. */
static uint32_t type_of(struct tv_raw_log *log, const struct tv_raw_node *node)
{
	uint64_t address = node->address;

	if (address == 0 && node->region != TV_NONE)
		address = log->region[node->region].address;
	return tv_raw_value(log, address, node->submit);
}

/* What is the same for all segments. */
static void set_job(struct tv_raw_log *log, struct task_columns *c, uint32_t index, uint32_t row)
{
	const struct tv_raw_node *node = &log->node[index];
	uint32_t region = node->region;

	tv_set_label(c->job, row, job_label(log, index));
	tv_set_label(c->node, row, log->place);
	if (node->kind == TV_RAW_GHOST)
		tv_set_text(c->value, row, node->value);
	else if (node->divides)
		tv_set_text(c->value, row, "Taskloop");
	else if (node->name != TV_NONE)
		tv_set_label(c->value, row, node->name);
	else
		tv_set_label(c->value, row, type_of(log, node));
	if (!node->unseen && !node->outside)
		tv_set_int(c->submit, row, tv_raw_time(log, node->submit));
	if (node->since != TV_NONE && !node->unseen) {
		tv_set_label(c->submit_after, row, job_label(log, node->since));
		tv_set_int(c->delay, row,
			   tv_raw_time(log, node->submit) - tv_raw_time(log, node->resumed));
	}
	if (node->kind == TV_RAW_EXPLICIT && !node->unseen)
		tv_raw_set_number(c->order, row, node->number);
	if (node->parent != TV_NONE && log->node[node->parent].kind == TV_RAW_EXPLICIT)
		tv_set_label(c->parent, row, job_label(log, node->parent));
	if (node->kind == TV_RAW_EXPLICIT)
		tv_raw_set_number(c->nesting, row, node->nesting);
	if (region != TV_NONE) {
		if (log->region[region].label == TV_NONE)
			log->region[region].label = tv_raw_format_label(
				log->run, "%s0.%u", log->prefix, ++log->nunknown);
		tv_set_label(c->region, row, log->region[region].label);
		if (log->region[region].primary != TV_NONE)
			tv_set_label(c->team, row, log->thread[log->region[region].primary].name);
	}
	set_data(log, c, node, row);
	set_numbers(log, c, node, row);
}

/* What the job's first segment depends on. */
static void pick_first(struct tv_raw_log *log, const struct tv_raw_node *node)
{
	tv_raw_pick_begin(log);
	if (node->parent != TV_NONE && log->node[node->parent].kind == TV_RAW_EXPLICIT)
		tv_raw_pick(log, node->parent);
	if (node->kind != TV_RAW_GHOST && !node->redundant)
		pick_before(log, node, node->first_segment, node->after);
	pick_needs(log, node, node->first_segment, node->first_need, node->nneeds);
}

static void write_segment(struct tv_raw_log *log, struct task_columns *c, uint32_t index,
			  uint32_t at, int64_t number)
{
	const struct tv_raw_segment *segment = &log->segment[at];
	const struct tv_raw_node *node = &log->node[index];
	uint32_t row = tv_table_add_row(&log->run->trace->table[TV_TASKS]);

	tv_set_label(c->resource, row, log->thread[segment->thread].name);
	tv_set_text(c->type, row, tv_raw_thread_type(log, segment->thread));
	if (node->divides)
		tv_set_text(c->kind, row, tv_kind_name(TV_RUNTIME));
	tv_set_int(c->start, row, tv_raw_time(log, segment->start));
	tv_set_int(c->end, row, tv_raw_time(log, segment->end));
	if (node->first_segment != node->last_segment)
		tv_raw_set_number(c->segment, row, number);
	if (segment->cpu >= 0)
		tv_raw_set_number(c->cpu, row, segment->cpu);
	if (segment->cpu_end >= 0)
		tv_raw_set_number(c->cpu_end, row, segment->cpu_end);
	if (segment->numa >= 0)
		tv_raw_set_number(c->numa, row, segment->numa);
	set_remote(log, c, node, segment->numa, row);
	set_counters(log, c, segment, row);
	set_job(log, c, index, row);
	set_flag(c, node, at == node->last_segment && !node->done && log->npauses == 0, row);
	if (number == 0)
		pick_first(log, node);
	else
		tv_raw_pick_begin(log);
	pick_needs(log, node, at, segment->first_need, segment->nneeds);
	set_depends(log, c, row);
}

/* Whether it is not known what became of a task that never started: recording paused after that, or a part is missing. */
static bool is_lost(const struct tv_raw_log *log, const struct tv_raw_node *node)
{
	for (size_t i = 0; i < log->npauses; i++)
		if (log->pause[i] >= node->submit)
			return true;
	return log->cut;
}

/* What a detached task began and no task ended, as a message: from the end of its body to its completion. */
static void set_operation(const struct tv_raw_log *log, const struct task_columns *c,
			  const struct tv_raw_node *node, uint32_t row)
{
	uint32_t last = log->node[log->need[node->first_need]].last_segment;
	int64_t start = last == TV_NONE ? node->submit : log->segment[last].end;

	tv_set_int(c->start, row, tv_raw_time(log, start < node->submit ? start : node->submit));
	tv_set_int(c->end, row, tv_raw_time(log, node->submit));
}

/* Work that never ran, and ghosts. */
static void write_other(struct tv_raw_log *log, struct task_columns *c, uint32_t index)
{
	const struct tv_raw_node *node = &log->node[index];
	bool pending = node->kind == TV_RAW_EXPLICIT && !node->done && !node->cancelled
		    && !is_lost(log, node);
	uint32_t row = tv_table_add_row(&log->run->trace->table[TV_TASKS]);

	tv_set_text(c->kind, row,
		    tv_kind_name(pending	 ? TV_PENDING
				 : node->outside ? TV_MESSAGE
						 : TV_GHOST));
	if (node->outside)
		set_operation(log, c, node, row);
	set_job(log, c, index, row);
	set_flag(c, node, false, row);
	pick_first(log, node);
	set_depends(log, c, row);
}

/* Notes the ghosts that a node depends on. */
static void use_ghosts(struct tv_raw_log *log, const struct tv_raw_node *node)
{
	pick_first(log, node);
	if (node->since != TV_NONE)
		tv_raw_pick(log, node->since);
	for (uint32_t at = node->first_segment; at != TV_NONE; at = log->segment[at].next)
		pick_needs(log, node, at, log->segment[at].first_need, log->segment[at].nneeds);
	for (size_t i = 0; i < log->npicked; i++)
		log->node[log->picked[i]].used = true;
}

/* Numbers the ghosts that something depends on; the others have no row. Ghosts depend on older ones
 * only. */
static void number_ghosts(struct tv_raw_log *log)
{
	uint32_t n = 0;

	for (size_t i = 0; i < log->nnodes; i++)
		if (log->node[i].kind == TV_RAW_EXPLICIT)
			use_ghosts(log, &log->node[i]);
	for (size_t i = log->nnodes; i-- > 0;)
		if (log->node[i].kind == TV_RAW_GHOST && log->node[i].used)
			use_ghosts(log, &log->node[i]);
	for (size_t i = 0; i < log->nnodes; i++)
		if (log->node[i].kind == TV_RAW_GHOST && log->node[i].used)
			log->node[i].number += ++n;
}

static void write_tasks(struct tv_raw_log *log)
{
	struct task_columns c = { 0 };

	number_ghosts(log);
	find_columns(log, &c);
	for (uint32_t i = 0; i < log->nnodes; i++) {
		uint32_t at = log->node[i].first_segment;
		int64_t number = 0;

		for (; at != TV_NONE; at = log->segment[at].next)
			write_segment(log, &c, i, at, number++);
		if (number == 0 && (log->node[i].kind == TV_RAW_EXPLICIT || log->node[i].used))
			write_other(log, &c, i);
	}
	tv_free(c.number_of.at);
	tv_free(c.list);
}

/* ---- other tables ---- */

TV_ORDER(by_start, struct tv_raw_state, start, thread, depth, end)

static void write_states(struct tv_raw_log *log)
{
	struct tv_trace *trace = log->run->trace;
	struct tv_column *resource, *type, *value, *start, *end, *depth, *flag, *object, *site;

	TV_TRACE_COLUMNS(trace, TV_STATES, { "ResourceId", &resource }, { "Type", &type },
			 { "Value", &value }, { "Start", &start }, { "End", &end },
			 { "Depth", &depth }, { "Flag", &flag }, { "Object", &object },
			 { "Site", &site });
	if (log->nstates > 0)
		qsort(log->state, log->nstates, sizeof *log->state, by_start);
	for (size_t i = 0; i < log->nstates; i++) {
		const struct tv_raw_state *state = &log->state[i];
		uint32_t row;

		if (log->thread[state->thread].helper)
			continue;
		row = tv_table_add_row(&trace->table[TV_STATES]);
		tv_set_label(resource, row, log->thread[state->thread].name);
		tv_set_text(type, row, "OpenMP State");
		tv_set_label(value, row, state->value);
		tv_set_int(start, row, tv_raw_time(log, state->start));
		tv_set_int(end, row, tv_raw_time(log, state->end));
		tv_set_int(depth, row, state->depth);
		if (state->open)
			tv_set_text(flag, row, "open");
		if (state->object != TV_NONE)
			tv_set_text(object, row, tv_pool_text(trace->pool, state->object));
		if (state->site != 0)
			tv_set_label(site, row, tv_raw_value(log, state->site, state->start));
	}
}

static void write_handles(struct tv_raw_log *log)
{
	struct tv_trace *trace = log->run->trace;
	struct tv_column *handle, *node, *name, *size, *address, *numa;
	char text[32];

	TV_TRACE_COLUMNS(trace, TV_HANDLES, { "Handle", &handle }, { "Node", &node },
			 { "Name", &name }, { "Size", &size }, { "Address", &address },
			 { "NumaNode", &numa });
	for (size_t i = 0; i < log->nhandles; i++) {
		const struct tv_raw_handle *h = &log->handle[i];
		uint32_t row = tv_table_add_row(&trace->table[TV_HANDLES]);

		tv_set_label(handle, row, h->label);
		tv_set_label(node, row, log->place);
		if (h->name != TV_NONE)
			tv_set_label(name, row, h->name);
		if (h->size >= 0)
			tv_set_int(size, row, h->size);
		snprintf(text, sizeof text, "0x%" PRIx64, h->address);
		tv_set_text(address, row, text);
		if (h->numa >= 0)
			tv_raw_set_number(numa, row, h->numa);
	}
}

void tv_raw_write(struct tv_raw_log *log)
{
	tv_raw_find_teams(log);
	write_tasks(log);
	tv_raw_write_starpu(log);
	write_states(log);
	tv_raw_write_calls(log);
	write_handles(log);
	tv_raw_write_threads(log);
}
