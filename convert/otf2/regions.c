/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regions.c -- regions of the program: states, calls of MPI, kernels of streams.
 *
 * Each task has regions of its own, so those that are open on a location are of several tasks: a leave ends the innermost of the
 * task that runs. Waits of OpenMP are cut where their thread runs tasks, as in our recordings.
 */
#include <stdlib.h>
#include <string.h>

#include "convert/mpi_calls.h"
#include "convert/otf2/otf2.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* Open regions that are looked at for one that ends: recorders leave the innermost. */
enum { SEARCH_MAX = 1000 };

/* ---- rows ---- */

void tv_otf2_add_state(struct tv_otf2 *o, uint32_t type, uint32_t value, uint32_t site,
		       int64_t start, int64_t end, size_t depth, bool open)
{
	struct tv_column **to = o->state;
	uint32_t row = tv_table_add_row(&o->trace->table[TV_STATES]);

	if (to[0] == NULL)
		TV_TRACE_COLUMNS(o->trace, TV_STATES, { "ResourceId", &to[0] }, { "Type", &to[1] },
				 { "Value", &to[2] }, { "Start", &to[3] }, { "End", &to[4] },
				 { "Depth", &to[5] });
	tv_set_label(to[0], row, o->here.resource);
	tv_set_label(to[1], row, type);
	tv_set_label(to[2], row, value);
	tv_set_int(to[3], row, start);
	tv_set_int(to[4], row, end);
	tv_set_int(to[5], row, (int64_t)depth);
	if (site != TV_NONE)
		tv_set_label(tv_trace_column(o->trace, TV_STATES, "Site"), row, site);
	if (open)
		tv_set_text(tv_trace_column(o->trace, TV_STATES, "Flag"), row, TV_OPEN);
}

void tv_otf2_add_kernel(struct tv_otf2 *o, uint32_t value, int64_t start, int64_t end,
			int64_t bytes, bool open)
{
	struct tv_trace *trace = o->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_TASKS]);
	const struct tv_otf2_process *device = o->here.process;

	o->kernels++;
	tv_set_label(tv_trace_column(trace, TV_TASKS, "ResourceId"), row, o->here.resource);
	tv_set_label(tv_trace_column(trace, TV_TASKS, "Value"), row, value);
	tv_set_int(tv_trace_column(trace, TV_TASKS, "Start"), row, start);
	tv_set_int(tv_trace_column(trace, TV_TASKS, "End"), row, end);
	if (device->accelerator && device->name != TV_NONE)
		tv_set_label(tv_trace_column(trace, TV_TASKS, "Device"), row, device->name);
	if (bytes >= 0)
		tv_set_int(tv_trace_column(trace, TV_TASKS, "Size"), row, bytes);
	if (open)
		tv_set_text(tv_trace_column(trace, TV_TASKS, "Flag"), row, TV_OPEN);
}

static bool is_stream(const struct tv_otf2 *o)
{
	return o->location[o->here.location].type == TV_OTF2_STREAM;
}

static void end_call(struct tv_otf2 *o, struct tv_otf2_call *call, int64_t time, bool open)
{
	call->end = time;
	call->open = open;
	if (call->message != TV_NONE && !open) {
		o->sends.at[call->message].end = time;
		o->sends.at[call->message].ended = true;
	}
}

/* Ends the open region of that place. */
static void close_entry(struct tv_otf2 *o, size_t place, int64_t time, bool open)
{
	struct tv_otf2_here *here = &o->here;
	const struct tv_otf2_entry entry = here->entry[place];
	const struct tv_otf2_region *region = &o->region[entry.region];

	here->nentry--;
	memmove(&here->entry[place], &here->entry[place + 1],
		(here->nentry - place) * sizeof *here->entry);
	if (region->call) {
		end_call(o, &here->call_at[entry.call], time, open);
		if (here->call == entry.call)
			here->call = entry.outer;
	} else if (is_stream(o) && place == 0 && !region->artificial) {
		tv_otf2_add_kernel(o, region->name, entry.start, time, -1, open);
	} else if (!entry.paused) {
		tv_otf2_add_state(o, region->type, region->state, region->site, entry.start, time,
				  place, open);
	}
}

/* ---- events ---- */

/* States that archives have no regions for, and our recordings have: a thread waits for a critical section before it is inside;
 * it has no work between parallel regions. */
static void add_between(struct tv_otf2 *o, const struct tv_otf2_region *region, int64_t time)
{
	struct tv_otf2_here *here = &o->here;
	struct tv_pool *pool = o->trace->pool;
	const struct tv_otf2_entry *outer;

	if (region->paradigm != TV_OTF2_OPENMP)
		return;
	if (here->nentry == 0) {
		if (time > here->alone && here->process->first != here->location)
			tv_otf2_add_state(o, region->type, tv_intern_text(pool, "Idle"), TV_NONE,
					  here->alone, time, 0, false);
		return;
	}
	outer = &here->entry[here->nentry - 1];
	if (region->role == TV_OTF2_CRITICAL_INSIDE && time > outer->start
	    && o->region[outer->region].role == TV_OTF2_CRITICAL && outer->task == here->task)
		tv_otf2_add_state(o, region->type, tv_intern_text(pool, "Wait for critical"),
				  o->region[outer->region].site, outer->start, time, here->nentry,
				  false);
}

void tv_otf2_enter(struct tv_otf2 *o, uint64_t place, int64_t time)
{
	struct tv_otf2_here *here = &o->here;
	struct tv_otf2_entry entry = {
		time, (uint32_t)place, here->task, TV_NONE, here->call, false
	};
	const struct tv_otf2_region *region;

	if (place >= o->nregion) {
		tv_otf2_dropped(o, "region that is not defined");
		return;
	}
	region = &o->region[place];
	/* What a task is doing its records say; recorders write other regions of it, too. */
	if (region->task && o->tasks) {
		tv_otf2_name_task(o, region);
		return;
	}
	add_between(o, region, time);
	if (region->call) {
		entry.call = (uint32_t)here->ncall_at;
		TV_GROW(here->call_at, here->ncall_at, here->call_at_cap, 1);
		here->call_at[here->ncall_at++] = (struct tv_otf2_call){
			.start = time,
			.region = (uint32_t)place,
			.site = here->nentry > 0
				      ? o->region[here->entry[here->nentry - 1].region].name
				      : TV_NONE,
			.comm = TV_NONE,
			.message = TV_NONE,
			.gaps = here->gaps,
			.peer = -1,
			.tag = -1,
			.bytes = -1,
			.receive_peer = -1,
			.receive_tag = -1,
			.root = -1,
			.comm_rank = -1,
		};
		here->call = entry.call;
	}
	TV_GROW(here->entry, here->nentry, here->entry_cap, 1);
	here->entry[here->nentry++] = entry;
}

/* The innermost open region of a task, or of any, that is the one of that place; nentry: there is none. */
static size_t find_entry(const struct tv_otf2_here *here, uint32_t region, bool of_task)
{
	size_t end = here->nentry > SEARCH_MAX ? here->nentry - SEARCH_MAX : 0;

	for (size_t i = here->nentry; i-- > end;)
		if (here->entry[i].region == region
		    && (!of_task || here->entry[i].task == here->task))
			return i;
	return here->nentry;
}

void tv_otf2_leave(struct tv_otf2 *o, uint64_t place, int64_t time)
{
	struct tv_otf2_here *here = &o->here;
	uint32_t task;
	size_t i;

	if (place >= o->nregion) {
		tv_otf2_dropped(o, "region that is not defined");
		return;
	}
	i = find_entry(here, (uint32_t)place, true);
	if (i == here->nentry)
		i = find_entry(here, (uint32_t)place, false);
	if (i == here->nentry) {
		if (!o->region[place].task || !o->tasks)
			tv_otf2_dropped(o, "leave of a region that is not open");
		return;
	}
	task = here->entry[i].task;
	for (size_t k = here->nentry; --k > i;)
		if (here->entry[k].task == task) {
			tv_damaged(o->trace, TV_REPAIRED,
				   "region that is left before one inside it",
				   (struct tv_pos){ o->path, 0 },
				   "%s is left on %s: what is inside ends with it",
				   tv_pool_text(o->trace->pool, o->region[place].name),
				   tv_pool_text(o->trace->pool, here->resource));
			close_entry(o, k, time, false);
		}
	close_entry(o, i, time, false);
	if (here->nentry == 0)
		here->alone = o->region[place].paradigm == TV_OTF2_OPENMP ? time : INT64_MAX;
}

/* The wait in which the task that runs is; NULL. */
static struct tv_otf2_entry *find_wait(struct tv_otf2 *o)
{
	struct tv_otf2_here *here = &o->here;
	size_t end = here->nentry > SEARCH_MAX ? here->nentry - SEARCH_MAX : 0;

	for (size_t i = here->nentry; i-- > end;)
		if (here->entry[i].task == here->task)
			return o->region[here->entry[i].region].wait ? &here->entry[i] : NULL;
	return NULL;
}

void tv_otf2_pause(struct tv_otf2 *o, int64_t time)
{
	struct tv_otf2_entry *wait = find_wait(o);
	const struct tv_otf2_region *region;

	if (wait == NULL || wait->paused)
		return;
	region = &o->region[wait->region];
	if (time > wait->start)
		tv_otf2_add_state(o, region->type, region->state, region->site, wait->start, time,
				  (size_t)(wait - o->here.entry), false);
	wait->paused = true;
}

void tv_otf2_continue(struct tv_otf2 *o, int64_t time)
{
	struct tv_otf2_entry *wait = find_wait(o);

	if (wait == NULL || !wait->paused)
		return;
	wait->paused = false;
	wait->start = time;
}

/* ---- the end of a location ---- */

TV_ORDER(uses_by_call, struct tv_otf2_use, call, number, down(completed))

/* The requests of a call, those of use[0..n), each once; completed: only these. */
static void set_requests(struct tv_otf2 *o, const char *column, uint32_t row,
			 const struct tv_otf2_use *use, size_t n, bool completed)
{
	uint32_t *label = tv_alloc(n, sizeof *label);
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if ((i == 0 || use[i].number != use[i - 1].number)
		    && (use[i].completed || !completed)) {
			char *text = tv_format("%u", use[i].number);

			label[found++] = tv_intern_text(o->trace->pool, text);
			tv_free(text);
		}
	if (found > 0)
		tv_set_list(tv_trace_column(o->trace, TV_CALLS, column), row, label, found);
	tv_free(label);
}

static void set_number(struct tv_otf2 *o, const char *column, uint32_t row, int64_t number)
{
	if (number >= 0)
		tv_set_int(tv_trace_column(o->trace, TV_CALLS, column), row, number);
}

static void write_call(struct tv_otf2 *o, const struct tv_otf2_call *call,
		       const struct tv_otf2_use *use, size_t n)
{
	struct tv_trace *trace = o->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_CALLS]),
		 name = o->region[call->region].name;
	const char *text = tv_pool_text(trace->pool, name),
		   *class = tv_mpi_class((struct tv_word){ text + 4, strlen(text + 4) });
	size_t completed = 0, requests = 0;

	tv_set_label(tv_trace_column(trace, TV_CALLS, "ResourceId"), row, o->here.resource);
	tv_set_label(tv_trace_column(trace, TV_CALLS, "Call"), row, name);
	tv_set_text(tv_trace_column(trace, TV_CALLS, "Class"), row, class);
	tv_set_int(tv_trace_column(trace, TV_CALLS, "Start"), row, call->start);
	tv_set_int(tv_trace_column(trace, TV_CALLS, "End"), row, call->end);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || use[i].number != use[i - 1].number) {
			requests++;
			completed += use[i].completed;
		}
	if (requests > 0)
		set_requests(o, "Request", row, use, n, false);
	if (strcmp(class, "wait") == 0 ? completed < requests : completed > 0)
		set_requests(o, "Completed", row, use, n, true);
	if (call->comm != TV_NONE)
		tv_set_label(tv_trace_column(trace, TV_CALLS, "Comm"), row, call->comm);
	set_number(o, "CommRank", row, call->comm_rank);
	set_number(o, "Root", row, call->root);
	set_number(o, "Peer", row, call->peer);
	set_number(o, "Tag", row, call->tag);
	set_number(o, "ReceivePeer", row, call->receive_peer);
	set_number(o, "ReceiveTag", row, call->receive_tag);
	set_number(o, "Bytes", row, call->bytes);
	if (call->site != TV_NONE)
		tv_set_label(tv_trace_column(trace, TV_CALLS, "Site"), row, call->site);
	if (call->open)
		tv_set_text(tv_trace_column(trace, TV_CALLS, "Flag"), row, TV_OPEN);
	if (!call->collective)
		return;
	TV_GROW(o->collective, o->ncollective, o->collective_cap, 1);
	o->collective[o->ncollective++] = (struct tv_collective){
		.comm = call->comm,
		.process = (uint32_t)(o->here.process - o->process),
		.row = row,
		.name = name,
		.gaps = call->gaps,
		.start = call->start,
		.end = call->end
	};
}

void tv_otf2_end_regions(struct tv_otf2 *o)
{
	struct tv_otf2_here *here = &o->here;
	size_t first = 0;

	while (here->nentry > 0) {
		tv_damaged(o->trace, TV_REPAIRED, "region that is not left",
			   (struct tv_pos){ o->path, 0 }, "%s on %s: it ends with its last event",
			   tv_pool_text(o->trace->pool,
					o->region[here->entry[here->nentry - 1].region].name),
			   tv_pool_text(o->trace->pool, here->resource));
		close_entry(o, here->nentry - 1, here->time, true);
	}
	if (here->nuse > 1)
		qsort(here->use, here->nuse, sizeof *here->use, uses_by_call);
	for (size_t i = 0; i < here->ncall_at; i++) {
		size_t end = first;

		while (end < here->nuse && here->use[end].call == i)
			end++;
		write_call(o, &here->call_at[i], end > first ? &here->use[first] : NULL,
			   end - first);
		first = end;
	}
}
