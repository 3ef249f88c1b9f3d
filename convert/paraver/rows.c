/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c -- states, calls of MPI, counters and other events of a trace of Paraver. */
#include "convert/paraver/paraver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/collectives.h"
#include "convert/mpi_calls.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* What is open of a type on the thread that is read. */
struct current {
	int64_t time;
	uint64_t value;
	bool seen;
	uint32_t site; /* of a state: label, 0 = not known */
	uint32_t top;  /* of a stack: place in open, TV_NONE = it is empty */
	int64_t depth; /* of the stack */
	bool open;     /* a call is, of that row, function and, or TV_NONE, communicator */
	uint32_t row, name, comm;
	int64_t root; /* that the call marks; -1 */
};

struct open {
	int64_t time;
	uint64_t value;
	uint32_t site, below;
};

struct reading {
	struct tv_prv *prv;
	const struct tv_prv_thread *thread;
	struct current *current; /* by type */
	struct open *open;
	size_t nopen, open_cap;
	bool cut;      /* there are ends without a begin */
	uint32_t gaps; /* of the thread that is read, so far: times when nothing was recorded */
	TV_PRV_LIST(tv_collective, collective);
	struct {
		struct tv_column *resource, *type, *value, *start, *end, *depth, *flag;
	} state;
	struct {
		struct tv_column *resource, *call, *class, *start, *end, *comm, *sequence, *root,
			*bytes, *site, *flag;
	} call;
	struct {
		struct tv_column *resource, *type, *start, *end, *value;
	} variable;
	struct {
		struct tv_column *resource, *type, *time, *value;
	} event;
};

/* ---- places in the program ---- */

/* An instant may have many calls, each of which asks. */
static void find_facts(struct tv_prv *prv, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct tv_prv_event *event = &prv->event[i];
		struct tv_prv_type *type = &prv->type[event->type];

		if (type->fact_at != to)
			type->fact = 0;
		type->fact_at = to;
		if (event->value != 0)
			type->fact = event->value;
	}
	prv->facts_at = to;
}

bool tv_prv_fact(struct tv_prv *prv, size_t from, size_t to, uint64_t number, uint64_t *value)
{
	const uint32_t *type = tv_map_get(&prv->types, number, 0);
	bool found;

	if (prv->facts_at != to)
		find_facts(prv, from, to);
	found = type != NULL && prv->type[*type].fact_at == to;
	*value = found ? prv->type[*type].fact : 0;
	return found;
}

/* The name of a place in the program whose event is among from..to; NULL: it is not known. */
static const char *place_of(struct tv_prv *prv, size_t from, size_t to, uint64_t type)
{
	static const char *const unknown[] = { "Unresolved", "_NOT_Found", "??", "0 (" };
	const uint32_t *label;
	uint64_t value;
	const char *text;

	if (!tv_prv_fact(prv, from, to, type, &value) || value == 0)
		return NULL;
	label = tv_map_get(&prv->values, type, value);
	text = label == NULL ? unknown[0] : tv_pool_text(prv->trace->pool, *label);
	for (size_t i = 0; i < TV_COUNT(unknown); i++)
		if (strncmp(text, unknown[i], strlen(unknown[i])) == 0)
			return NULL;
	return text;
}

/* A label: "92 (file.c, library)", of Extrae 5 "file.c:92 [folder/file.c:92, library]", as file.c:92; 0 = the line is not known. */
static uint32_t line_of(struct tv_prv *prv, size_t from, size_t to, uint64_t type)
{
	const char *line = place_of(prv, from, to, type), *more;
	uint32_t label;
	long number;
	char *end, *text;

	if (line == NULL)
		return 0;
	number = strtol(line, &end, 10);
	more = strstr(line, " [");
	if (number > 0 && strncmp(end, " (", 2) == 0)
		text = tv_format("%.*s:%ld", (int)strcspn(end + 2, ",)"), end + 2, number);
	else if (more != NULL)
		text = tv_format("%.*s", (int)(more - line), line);
	else
		return 0;
	label = tv_intern_text(prv->trace->pool, text);
	tv_free(text);
	return label;
}

/* Of a function that begins: a label, 0 = not known. */
static uint32_t function_site(struct tv_prv *prv, const struct tv_prv_event *event, size_t from,
			      size_t to)
{
	uint64_t type = prv->type[event->type].number;

	switch (type) {
	case 60000018:
	case 60000019:
	case 60000020:
	case 60000024:
		return line_of(prv, from, to, type + 100);
	case 60012:
	case 60015:
		return line_of(prv, from, to, type + 1);
	default:
		return 0;
	}
}

/* ---- states ---- */

/* site: label, 0 = not known */
static void add_state(struct reading *r, const struct tv_prv_thread *thread, uint32_t type,
		      uint32_t value, uint32_t site, int64_t begin, int64_t end, int64_t depth,
		      bool open)
{
	uint32_t row = tv_table_add_row(&r->prv->trace->table[TV_STATES]);

	tv_set_label(r->state.resource, row, thread->resource);
	tv_set_label(r->state.type, row, type);
	tv_set_label(r->state.value, row, value);
	tv_set_int(r->state.start, row, begin);
	tv_set_int(r->state.end, row, end);
	tv_set_int(r->state.depth, row, depth);
	if (open)
		tv_set_text(r->state.flag, row, TV_OPEN);
	if (site != 0)
		tv_set_label(tv_trace_column(r->prv->trace, TV_STATES, "Site"), row, site);
}

static void end_state(struct reading *r, uint32_t type, struct current *current, int64_t time,
		      bool open)
{
	const struct tv_prv_type *of = &r->prv->type[type];
	struct tv_pool *pool = r->prv->trace->pool;
	bool tracing = of->kind == TV_PRV_TRACING;

	if (current->value != 0)
		add_state(r, r->thread, tracing ? tv_intern_text(pool, "recorder") : of->label,
			  tracing ? tv_intern_text(pool, "off")
				  : tv_prv_value(r->prv, of, current->value),
			  current->site, current->time, time, 0, open);
	current->value = 0;
}

static void begin_state(struct reading *r, const struct tv_prv_event *event, uint64_t value,
			uint32_t site)
{
	struct current *current = &r->current[event->type];

	end_state(r, event->type, current, event->time, false);
	current->time = event->time;
	current->value = value;
	current->site = site;
}

/* The state is that the recorder is off. */
static void read_tracing(struct reading *r, const struct tv_prv_event *event)
{
	r->gaps += event->value != 0;
	begin_state(r, event, event->value == 0, 0);
}

/* An end where nothing is open. Extrae writes one of each type where a thread begins, the cutter where the trace ends. */
static void not_begun(struct reading *r, const struct current *current,
		      const struct tv_prv_event *event)
{
	if (!current->seen && event->time == 0)
		return;
	r->cut = true;
	if (event->time == r->prv->last)
		return;
	tv_damaged(r->prv->trace, TV_DROPPED_BESIDE, "end without begin", (struct tv_pos){ 0 },
		   "the end of a state or call whose begin the trace does not show");
}

static void pop(struct reading *r, uint32_t type, struct current *current, int64_t time, bool open)
{
	const struct tv_prv_type *of = &r->prv->type[type];
	const struct open *top = &r->open[current->top];

	add_state(r, r->thread, of->label, tv_prv_value(r->prv, of, top->value), top->site,
		  top->time, time, --current->depth, open);
	current->top = top->below;
}

static void read_stack(struct reading *r, const struct tv_prv_event *event, uint32_t site)
{
	struct current *current = &r->current[event->type];

	if (event->value == 0) {
		if (current->top == TV_NONE)
			not_begun(r, current, event);
		else
			pop(r, event->type, current, event->time, false);
		return;
	}
	TV_GROW(r->open, r->nopen, r->open_cap, 1);
	r->open[r->nopen] = (struct open){ event->time, event->value, site, current->top };
	current->top = (uint32_t)r->nopen++;
	current->depth++;
}

/* ---- calls ---- */

static void end_call(struct reading *r, struct current *current, int64_t time, bool open)
{
	struct tv_prv *prv = r->prv;

	if (!current->open)
		return;
	current->open = false;
	tv_set_int(r->call.end, current->row, time);
	if (open)
		tv_set_text(r->call.flag, current->row, TV_OPEN);
	TV_GROW(prv->call, prv->ncall, prv->call_cap, 1);
	prv->call[prv->ncall++] = (struct tv_prv_call){ current->time, time, current->row };
	if (current->comm == TV_NONE)
		return;
	TV_GROW(r->collective, r->ncollective, r->collective_cap, 1);
	r->collective[r->ncollective++] = (struct tv_collective){ .comm = current->comm,
								  .process = r->thread->process,
								  .row = current->row,
								  .name = current->name,
								  .gaps = r->gaps,
								  .start = current->time,
								  .end = time,
								  .root = current->root };
}

/* What is known of the call that begins with the events from..to. */
static void describe_call(struct reading *r, struct current *current, size_t from, size_t to)
{
	uint32_t row = current->row;
	struct tv_prv *prv = r->prv;
	uint64_t comm, root, bytes;
	const char *function = place_of(prv, from, to, 70000001);
	uint32_t line = line_of(prv, from, to, 80000001);

	if (line != 0)
		tv_set_label(r->call.site, row, line);
	else if (function != NULL)
		tv_set_text(r->call.site, row, function);
	if (tv_prv_fact(prv, from, to, 50100004, &comm) && comm > 0) {
		char name[48];

		snprintf(name, sizeof name, "comm%u.%llu", prv->process[r->thread->process].app + 1,
			 (unsigned long long)comm);
		current->comm = tv_intern_text(prv->trace->pool, name);
		tv_set_label(r->call.comm, row, current->comm);
		/* It marks the call of the root. */
		if (tv_prv_fact(prv, from, to, 50100003, &root) && root > 0)
			current->root = prv->process[r->thread->process].task - 1;
	}
	if (tv_prv_fact(prv, from, to, 50100001, &bytes)
	    && (bytes > 0 || tv_prv_fact(prv, from, to, 50100002, &bytes)) && bytes <= INT64_MAX)
		tv_set_int(r->call.bytes, row, (int64_t)bytes);
}

static void read_call(struct reading *r, const struct tv_prv_event *event, size_t from, size_t to)
{
	struct current *current = &r->current[event->type];
	struct tv_prv *prv = r->prv;
	uint32_t row, name;
	const char *text;

	if (event->value == 0 && !current->open)
		not_begun(r, current, event);
	end_call(r, current, event->time, false);
	if (event->value == 0)
		return;
	row = tv_table_add_row(&prv->trace->table[TV_CALLS]);
	name = tv_prv_value(prv, &prv->type[event->type], event->value);
	text = tv_pool_text(prv->trace->pool, name);
	current->open = true;
	current->time = event->time;
	current->row = row;
	current->name = name;
	current->comm = TV_NONE;
	current->root = -1;
	describe_call(r, current, from, to);
	if (strncmp(text, "MPI_", 4) == 0) {
		tv_set_label(r->call.call, row, name);
		tv_set_text(r->call.class, row,
			    tv_mpi_class((struct tv_word){ text + 4, strlen(text + 4) }));
	} else {
		char *call = tv_format("MPI call %s", text);

		tv_set_text(r->call.call, row, call);
		tv_set_text(r->call.class, row, "other");
		tv_free(call);
	}
	tv_set_label(r->call.resource, row, r->thread->resource);
	tv_set_int(r->call.start, row, event->time);
}

/* Numbers the collective operations; all calls of one get the root that one of them has. */
static void match_collectives(struct reading *r)
{
	struct tv_map roots = { 0 }; /* by label of the communicator and number */

	/* Where a trace was cut, its first calls are not the same operation. */
	for (size_t i = 0; i < r->ncollective; i++)
		r->collective[i].gaps += r->cut;
	tv_collectives_number(r->prv->trace, r->collective, r->ncollective);
	for (size_t i = 0; i < r->ncollective; i++) {
		const struct tv_collective *call = &r->collective[i];

		if (call->root >= 0)
			*tv_map_at(&roots, call->comm,
				   (uint64_t)call->sequence) = (uint32_t)call->root;
	}
	for (size_t i = 0; i < r->ncollective; i++) {
		const struct tv_collective *call = &r->collective[i];
		const uint32_t *root = tv_map_get(&roots, call->comm, (uint64_t)call->sequence);

		if (root != NULL)
			tv_set_int(r->call.root, call->row, *root);
	}
	tv_map_release(&roots);
}

/* ---- counters and other events ---- */

/* The first value of a thread only begins the first interval. */
static void read_counter(struct reading *r, const struct tv_prv_event *event)
{
	struct current *current = &r->current[event->type];

	if (current->seen) {
		uint32_t row = tv_table_add_row(&r->prv->trace->table[TV_VARIABLES]);

		tv_set_label(r->variable.resource, row, r->thread->resource);
		tv_set_label(r->variable.type, row, r->prv->type[event->type].label);
		tv_set_int(r->variable.start, row, current->time);
		tv_set_int(r->variable.end, row, event->time);
		tv_set_double(r->variable.value, row, (double)event->value);
	}
	current->time = event->time;
}

static void read_event(struct reading *r, const struct tv_prv_event *event)
{
	uint32_t row = tv_table_add_row(&r->prv->trace->table[TV_EVENTS]);
	const struct tv_prv_type *type = &r->prv->type[event->type];

	tv_set_label(r->event.resource, row, r->thread->resource);
	tv_set_label(r->event.type, row, type->label);
	tv_set_int(r->event.time, row, event->time);
	tv_set_label(r->event.value, row, tv_prv_value(r->prv, type, event->value));
}

/* ---- threads ---- */

/* The kind of a type whose values have no names. */
static enum tv_prv_kind kind_of(const struct tv_prv *prv, const struct tv_prv_type *type)
{
	return type->kind == TV_PRV_STATE && !type->valued && !prv->ovni ? TV_PRV_EVENT
									 : type->kind;
}

/* The events from..to, which are all at one time. */
static void read_instant(struct reading *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct tv_prv_event *event = &r->prv->event[i];

		switch (kind_of(r->prv, &r->prv->type[event->type])) {
		case TV_PRV_CALL:
			read_call(r, event, from, to);
			break;
		case TV_PRV_TRACING:
			read_tracing(r, event);
			break;
		case TV_PRV_COUNTER:
			read_counter(r, event);
			break;
		case TV_PRV_STACK:
			read_stack(r, event, function_site(r->prv, event, from, to));
			break;
		case TV_PRV_STATE:
		case TV_PRV_TASK_MADE:
			begin_state(r, event, event->value, function_site(r->prv, event, from, to));
			break;
		case TV_PRV_EVENT:
			read_event(r, event);
			break;
		default:
			break;
		}
		r->current[event->type].seen = true;
	}
}

/* Ends what is open where the trace ends. The values of ovni are not begun and ended: they hold. */
static void end_thread(struct reading *r)
{
	for (uint32_t type = 0; type < r->prv->ntype; type++) {
		struct current *current = &r->current[type];

		end_state(r, type, current, r->prv->last, !r->prv->ovni);
		end_call(r, current, r->prv->last, true);
		while (current->top != TV_NONE)
			pop(r, type, current, r->prv->last, true);
	}
	r->nopen = 0;
}

static void read_thread(struct reading *r, struct tv_prv_thread *thread)
{
	const struct tv_prv *prv = r->prv;

	for (size_t type = 0; type < prv->ntype; type++)
		r->current[type] = (struct current){ .top = TV_NONE };
	r->thread = thread;
	r->gaps = 0;
	thread->first_call = prv->ncall;
	for (size_t from = thread->begin, to; from < thread->end; from = to) {
		for (to = from; to < thread->end && prv->event[to].time == prv->event[from].time;)
			to++;
		read_instant(r, from, to);
	}
	end_thread(r);
	thread->ncalls = prv->ncall - thread->first_call;
}

/* By thread, those of each in the order of time, equal ones in that of the file. */
static void sort_events(struct tv_prv *prv)
{
	struct tv_prv_event *to = tv_alloc(prv->nevent, sizeof *to);
	size_t at = 0;

	for (size_t i = 0; i < prv->nevent; i++)
		prv->thread[prv->event[i].thread].end++;
	for (size_t t = 0; t < prv->nthread; t++) {
		struct tv_prv_thread *thread = &prv->thread[t];

		thread->begin = at;
		at += thread->end;
		thread->end = thread->begin;
	}
	for (size_t i = 0; i < prv->nevent; i++)
		to[prv->thread[prv->event[i].thread].end++] = prv->event[i];
	tv_free(prv->event);
	prv->event = to;
	prv->event_cap = prv->nevent;
	for (size_t t = 0; t < prv->nthread; t++)
		tv_sort_by_time(to + prv->thread[t].begin,
				prv->thread[t].end - prv->thread[t].begin, sizeof *to,
				offsetof(struct tv_prv_event, time), NULL);
}

TV_ORDER(states_by_time, struct tv_prv_state, thread, begin, down(end), value)

/* The states that are records of their own. */
static void add_states(struct reading *r)
{
	struct tv_prv *prv = r->prv;
	uint32_t type = tv_intern_text(prv->trace->pool, "Thread State");

	if (prv->nstate > 0)
		qsort(prv->state, prv->nstate, sizeof *prv->state, states_by_time);
	for (size_t i = 0; i < prv->nstate; i++) {
		const struct tv_prv_state *state = &prv->state[i];

		add_state(r, &prv->thread[state->thread], type,
			  tv_prv_state_name(prv, state->value), 0, state->begin, state->end, 0,
			  false);
	}
	tv_free(prv->state);
	prv->state = NULL;
	prv->nstate = prv->state_cap = 0;
}

static void note(struct reading *r)
{
	struct tv_prv *prv = r->prv;

	for (size_t i = 0; i < prv->ntype; i++)
		if (prv->type[i].kind == TV_PRV_UNREAD && prv->type[i].events > 0)
			tv_meta_add(prv->trace, "NotRead", "%llu events of type %s",
				    (unsigned long long)prv->type[i].events,
				    tv_pool_text(prv->trace->pool, prv->type[i].label));
}

void tv_prv_rows(struct tv_prv *prv)
{
	struct reading r = { .prv = prv };

	TV_TRACE_COLUMNS(prv->trace, TV_STATES, { "ResourceId", &r.state.resource },
			 { "Type", &r.state.type }, { "Value", &r.state.value },
			 { "Start", &r.state.start }, { "End", &r.state.end },
			 { "Depth", &r.state.depth }, { "Flag", &r.state.flag });
	TV_TRACE_COLUMNS(prv->trace, TV_CALLS, { "ResourceId", &r.call.resource },
			 { "Call", &r.call.call }, { "Class", &r.call.class },
			 { "Start", &r.call.start }, { "End", &r.call.end },
			 { "Comm", &r.call.comm }, { "Sequence", &r.call.sequence },
			 { "Root", &r.call.root }, { "Bytes", &r.call.bytes },
			 { "Site", &r.call.site }, { "Flag", &r.call.flag });
	TV_TRACE_COLUMNS(prv->trace, TV_VARIABLES, { "ResourceId", &r.variable.resource },
			 { "Type", &r.variable.type }, { "Start", &r.variable.start },
			 { "End", &r.variable.end }, { "Value", &r.variable.value });
	TV_TRACE_COLUMNS(prv->trace, TV_EVENTS, { "ResourceId", &r.event.resource },
			 { "Type", &r.event.type }, { "Time", &r.event.time },
			 { "Value", &r.event.value });
	sort_events(prv);
	r.current = tv_alloc(prv->ntype, sizeof *r.current);
	for (size_t i = 0; i < prv->nthread; i++)
		read_thread(&r, &prv->thread[i]);
	add_states(&r);
	note(&r);
	match_collectives(&r);
	tv_free(r.collective);
	tv_free(r.current);
	tv_free(r.open);
}
