/* SPDX-License-Identifier: GPL-3.0-or-later */
/* emit.c -- Pajé's records, joined and in order, into the tables of a trace. */
#include "convert/paje/paje.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/number.h"

/* The columns of a table that every row has. */
struct columns {
	struct tv_column *resource, *type, *value, *start, *end, *flag, *depth, *key, *origin,
		*dest, *size; /* size: NULL where the trace is not StarPU's */
};

struct emitter {
	struct tv_paje *paje;
	struct tv_trace *trace;
	struct columns tasks, states, variables, links, events;
	struct tv_column *
		*extra;	       /* of user fields, two per field: states have one in tasks as well */
	uint32_t *first_extra; /* per definition: index of its first field */
	struct tv_column *counts[4]; /* Iteration and Subiteration of StarPU: -1 is none */
	struct tv_column *gflop;     /* of StarPU: 0 is none */
	size_t ncounts;
	uint32_t rows[TV_NTABLES]; /* that a table may get; 0 = not known */
	uint32_t open;		   /* label of "open" */
	int64_t finish;		   /* of the trace */
	bool several_ranks;
	struct tv_paje_calls *calls; /* NULL: none */
	uint32_t message;	     /* label of the type of links between ranks */
	uint32_t copies; /* label of the type of events that tv_paje_fill_handles reads */
};

/* Where a user's field goes. Names that the reader fills itself are set apart. */
static struct tv_column *extra_column(struct emitter *e, enum tv_table_id table, uint32_t label)
{
	static const char *const ours[] = { "ResourceId", "Start", "End",    "Duration",
					    "Depth",	  "Flag",  "Origin", "Dest" };
	const char *name = tv_pool_text(e->trace->pool, label);
	struct tv_column *made;
	char *apart;

	if (table == TV_LINKS && strcmp(name, "MPITAG") == 0)
		return tv_trace_column(e->trace, table, "Tag");
	for (size_t i = 0; i < TV_COUNT(ours); i++) {
		if (strcmp(name, ours[i]) != 0)
			continue;
		apart = tv_format("Paje.%s", name);
		made = tv_trace_column(e->trace, table, apart);
		tv_free(apart);
		return made;
	}
	made = tv_trace_column(e->trace, table, name);
	if (e->paje->starpu && e->ncounts < TV_COUNT(e->counts)
	    && (strcmp(name, "Iteration") == 0 || strcmp(name, "Subiteration") == 0))
		e->counts[e->ncounts++] = made;
	if (e->paje->starpu && table == TV_TASKS && strcmp(name, "GFlop") == 0)
		e->gflop = made;
	return made;
}

static enum tv_table_id table_of(enum tv_paje_kind kind)
{
	switch (kind) {
	case PAJE_SET_VARIABLE:
	case PAJE_ADD_VARIABLE:
	case PAJE_SUB_VARIABLE:
		return TV_VARIABLES;
	case PAJE_START_LINK:
	case PAJE_END_LINK:
		return TV_LINKS;
	case PAJE_NEW_EVENT:
		return TV_EVENTS;
	default:
		return TV_STATES;
	}
}

static void find_columns(struct emitter *e)
{
	TV_TRACE_COLUMNS(e->trace, TV_TASKS, { "ResourceId", &e->tasks.resource },
			 { "Value", &e->tasks.value }, { "Start", &e->tasks.start },
			 { "End", &e->tasks.end });
	TV_TRACE_COLUMNS(e->trace, TV_STATES, { "ResourceId", &e->states.resource },
			 { "Type", &e->states.type }, { "Value", &e->states.value },
			 { "Start", &e->states.start }, { "End", &e->states.end },
			 { "Depth", &e->states.depth });
	TV_TRACE_COLUMNS(e->trace, TV_VARIABLES, { "ResourceId", &e->variables.resource },
			 { "Type", &e->variables.type }, { "Start", &e->variables.start },
			 { "End", &e->variables.end }, { "Value", &e->variables.value });
	TV_TRACE_COLUMNS(e->trace, TV_LINKS, { "Type", &e->links.type }, { "Key", &e->links.key },
			 { "Origin", &e->links.origin }, { "Dest", &e->links.dest },
			 { "Start", &e->links.start }, { "End", &e->links.end },
			 { "ResourceId", &e->links.resource }, { "Value", &e->links.value });
	TV_TRACE_COLUMNS(e->trace, TV_EVENTS, { "ResourceId", &e->events.resource },
			 { "Type", &e->events.type }, { "Time", &e->events.start },
			 { "Value", &e->events.value });
	if (e->paje->starpu)
		e->links.size = tv_trace_column(e->trace, TV_LINKS, "Size");
}

/* The fields of an end complete those of its begin: which of these are missing shows only in a row. */
static bool ends_have_fields(const struct tv_paje *paje)
{
	for (size_t i = 0; i < paje->ndefs; i++)
		if ((paje->def[i].kind == PAJE_POP_STATE || paje->def[i].kind == PAJE_RESET_STATE)
		    && paje->def[i].nextras > 0)
			return true;
	return false;
}

static void omit_tables(struct emitter *e)
{
	struct tv_paje *paje = e->paje;
	struct tv_table *table = e->trace->table;

	if (paje->n == 0)
		return;
	tv_trace_omit(e->trace, paje->earliest, e->finish);
	table[TV_STATES].unread = table[TV_STATES].unread && !ends_have_fields(paje);
	paje->omits_events = table[TV_EVENTS].unread;
	table[TV_EVENTS].unread = false;
	e->copies = tv_pool_find_text(e->trace->pool, TV_PAJE_COPY);
}

static void set_up(struct emitter *e)
{
	struct tv_paje *paje = e->paje;
	const uint32_t *n = paje->nkinds;
	size_t total = 0;

	if (paje->n > 0)
		e->finish = paje->latest;
	omit_tables(e);
	find_columns(e);
	e->rows[TV_STATES] = n[PAJE_SET_STATE] + n[PAJE_PUSH_STATE];
	e->rows[TV_VARIABLES] = n[PAJE_SET_VARIABLE] + n[PAJE_ADD_VARIABLE] + n[PAJE_SUB_VARIABLE];
	e->rows[TV_LINKS] = n[PAJE_START_LINK];
	e->rows[TV_EVENTS] = paje->omits_events ? 0 : n[PAJE_NEW_EVENT];
	for (int id = 0; id < TV_NTABLES; id++)
		tv_table_reserve(&e->trace->table[id], e->rows[id]);
	e->first_extra = tv_alloc(paje->ndefs, sizeof *e->first_extra);
	for (size_t i = 0; i < paje->ndefs; i++) {
		e->first_extra[i] = (uint32_t)total;
		total += paje->def[i].nextras;
	}
	e->extra = tv_alloc(total, 2 * sizeof *e->extra);
	e->open = tv_intern_text(e->trace->pool, "open");
}

/* Which state types are tasks: those with JobIds, unless the JobIds are repeated on containers
 * below, as StarPU repeats a worker's tasks on its thread. */
static void choose_task_types(struct tv_paje *paje)
{
	for (size_t i = 0; i < paje->ntypes; i++) {
		uint32_t above = paje->type[i].parent;

		if (paje->type[i].kind != PAJE_DEFINE_STATE || !paje->type[i].has_job || above == 0)
			continue;
		do
			above = paje->type[above].parent;
		while (!paje->type[above].below && (paje->type[above].below = true) && above != 0);
	}
	for (size_t i = 0; i < paje->ntypes; i++)
		paje->type[i].task = paje->type[i].has_job
				  && !paje->type[paje->type[i].parent].below;
}

static size_t count_digits(const char *s, size_t n)
{
	size_t digits = 0;

	while (digits < n && s[digits] >= '0' && s[digits] <= '9')
		digits++;
	return digits;
}

/* A JobId as text: with the rank of its container before it, if there are several ranks and it has
 * none. */
static const char *job_text(const struct emitter *e, const struct tv_paje_container *container,
			    const char *s, size_t *n, char buffer[32])
{
	if (!e->several_ranks || container->rank == TV_NONE || *n == 0 || *n > 18
	    || count_digits(s, *n) < *n)
		return s;
	*n = (size_t)snprintf(buffer, 32, "%" PRIu32 "_%.*s", container->rank, (int)*n, s);
	return buffer;
}

static bool parse_unsigned(const char *s, size_t n, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(*value, 10, value)
		    || __builtin_add_overflow(*value, (uint64_t)(s[i] - '0'), value))
			return false;
	return true;
}

/* Number of a user's field. StarPU writes some with the rank before it (0_12 is 12), and negative
 * priorities as unsigned numbers of 64 bits (18446744073709551615 is -1). */
static enum tv_parsed parse_ranked(const char *s, size_t n, int64_t *value)
{
	uint64_t wrapped;
	size_t digits;
	enum tv_parsed rc = tv_parse_int(s, n, value);

	if (rc == TV_PARSE_OK)
		return rc;
	digits = count_digits(s, n);
	if (rc == TV_PARSE_BAD && digits > 0 && digits + 1 < n && s[digits] == '_')
		return tv_parse_int(s + digits + 1, n - digits - 1, value);
	if (rc == TV_PARSE_RANGE && digits == n && parse_unsigned(s, n, &wrapped)) {
		*value = (int64_t)wrapped;
		return TV_PARSE_OK;
	}
	return rc;
}

/* Whether it is what StarPU prints where there is no number: as its FxT trace, where the event has none. */
static bool is_none(const struct emitter *e, const struct tv_column *to, int64_t whole,
		    double number)
{
	for (size_t i = 0; i < e->ncounts && whole == -1; i++)
		if (to == e->counts[i])
			return true;
	return to == e->gflop && number <= 0;
}

static void set_extra(struct emitter *e, struct tv_column *to, uint32_t row,
		      const struct tv_paje_record *r, const char *s, size_t n)
{
	enum tv_parsed parsed = TV_PARSE_OK;
	int64_t whole = 0;
	double number = 0;

	if (to->n > row)
		return; /* the begin of the state or link has it */
	switch (to->type) {
	case TV_LABEL:
		tv_set_label(to, row, tv_paje_intern(e->paje, &(struct tv_paje_field){ s, n }));
		return;
	case TV_TEXT:
		tv_set_string(to, row, s, n);
		return;
	case TV_LIST:
		tv_set_words(to, row, s, n);
		return;
	case TV_DOUBLE:
		parsed = tv_parse_double(s, n, &number);
		break;
	case TV_TIME:
		parsed = tv_parse_scaled(s, n, e->paje->scale, &whole);
		break;
	case TV_INT:
		parsed = parse_ranked(s, n, &whole);
	}
	if (n == 0)
		return;
	if (parsed != TV_PARSE_OK)
		tv_damaged(e->trace, TV_REPAIRED, "field is not a number",
			   tv_paje_place(e->paje, r), "%s '%.*s', expected a number: left out",
			   to->name, n < 200 ? (int)n : 200, s);
	else if (is_none(e, to, whole, number))
		return;
	else if (to->type == TV_DOUBLE)
		tv_set_double(to, row, number);
	else
		tv_set_int(to, row, whole);
}

/* Puts the user's fields of a record into the columns of a row; task: the tasks' columns. A row that is
 * not kept (TV_NONE) has its fields checked. */
static void emit_extras(struct emitter *e, const struct tv_paje_record *r, uint32_t row, bool task)
{
	const struct tv_paje_def *def;
	const uint32_t *word;
	uint32_t first;

	if (r->more == TV_NONE)
		return;
	word = e->paje->words + r->more;
	def = &e->paje->def[word[0]];
	first = e->first_extra[word[0]];
	word += def->kind == PAJE_START_LINK || def->kind == PAJE_END_LINK ? 3 : 1;
	for (int i = 0; i < def->nextras; i++) {
		struct tv_column **to = &e->extra[2 * (first + (uint32_t)i) + task];
		size_t n = *word++;
		const char *s = (const char *)word;
		char buffer[32];

		if (n == TV_NONE)
			continue;
		word += (n + 3) / 4;
		if (*to == NULL) {
			enum tv_table_id table = task ? TV_TASKS : table_of(def->kind);

			*to = extra_column(e, table, def->name[i]);
			tv_table_reserve(&e->trace->table[table], e->rows[table]);
		}
		if (i == def->job && table_of(def->kind) == TV_STATES)
			s = job_text(e, &e->paje->container[r->container], s, &n, buffer);
		set_extra(e, *to, row, r, s, n);
	}
}

/* The label of a record's JobId as the tasks table has it. */
static uint32_t job_label(struct emitter *e, const struct tv_paje_record *r)
{
	const uint32_t *word = e->paje->words + r->more;
	const struct tv_paje_def *def = &e->paje->def[word[0]];
	char buffer[32];
	const char *s;
	size_t n;

	word++;
	for (int i = 0; i < def->job; i++)
		word += 1 + (*word == TV_NONE ? 0 : (*word + 3) / 4);
	n = *word;
	s = job_text(e, &e->paje->container[r->container], (const char *)(word + 1), &n, buffer);
	return tv_intern(e->trace->pool, s, n);
}

static int64_t end_time(const struct emitter *e, const struct tv_paje_record *r)
{
	return r->flags & PAJE_OPEN ? e->finish : e->paje->record[r->end].time;
}

/* StarPU 1.3 and later set a task's state twice at the same instant, first without its JobId: the
 * first is an echo, not a state. */
static bool is_echo(const struct emitter *e, const struct tv_paje_record *r)
{
	const struct tv_paje_record *next;

	if (!(r->flags & PAJE_ENDED) || (r->flags & PAJE_HAS_JOB))
		return false;
	next = &e->paje->record[r->end];
	return next->time == r->time && next->kind == PAJE_SET_STATE && (next->flags & PAJE_HAS_JOB)
	    && next->value == r->value && next->type == r->type;
}

/* The same job, container and instant on a second state type (StarPU's scheduling contexts): the
 * task that was just emitted, once more. */
static bool is_repeat(struct emitter *e, const struct tv_paje_record *r)
{
	struct tv_paje_container *c = &e->paje->container[r->container];
	uint32_t job;

	if (!(r->flags & PAJE_HAS_JOB))
		return false;
	job = job_label(e, r);
	if (job == c->job && r->time == c->job_start && r->type != c->job_type) {
		e->paje->nrepeated++;
		return true;
	}
	c->job = job;
	c->job_start = r->time;
	c->job_type = r->type;
	return false;
}

static void set_open(struct emitter *e, struct columns *c, enum tv_table_id id, uint32_t row)
{
	if (c->flag == NULL)
		c->flag = tv_trace_column(e->trace, id, "Flag");
	tv_set_label(c->flag, row, e->open);
}

static void emit_state(struct emitter *e, const struct tv_paje_record *r)
{
	const struct tv_paje_type *type = &e->paje->type[r->type];
	bool task = type->all_tasks || (type->task && (r->flags & PAJE_HAS_JOB));
	enum tv_table_id id = task ? TV_TASKS : TV_STATES;
	struct columns *c = task ? &e->tasks : &e->states;
	uint32_t row;

	if (e->calls != NULL && !task)
		tv_paje_emit_call(e->calls, r, end_time(e, r), e->open);
	if (!task && e->trace->table[TV_STATES].unread && r->more == TV_NONE)
		return;
	if (is_echo(e, r) || (task && is_repeat(e, r)))
		return;
	row = tv_table_add_row(&e->trace->table[id]);
	if (row == TV_NONE) {
		emit_extras(e, r, row, false);
		return;
	}
	tv_set_label(c->resource, row, e->paje->container[r->container].id);
	if (!task)
		tv_set_label(c->type, row, type->name);
	tv_set_label(c->value, row, r->value);
	tv_set_int(c->start, row, r->time);
	tv_set_int(c->end, row, end_time(e, r));
	if (!task)
		tv_set_int(c->depth, row, r->depth);
	if (r->flags & PAJE_OPEN)
		set_open(e, c, id, row);
	if (task && (r->flags & PAJE_OPEN))
		tv_damaged(e->trace, TV_REPAIRED, "task without end", tv_paje_place(e->paje, r),
			   "task '%s' on '%s' is taken to end with the trace",
			   tv_pool_text(e->trace->pool, r->value),
			   tv_pool_text(e->trace->pool, e->paje->container[r->container].id));
	emit_extras(e, r, row, task);
	r = r->flags & PAJE_ENDED ? &e->paje->record[r->end] : NULL;
	if (r != NULL && (r->kind == PAJE_POP_STATE || r->kind == PAJE_RESET_STATE))
		emit_extras(e, r, row, task);
}

static void emit_variable(struct emitter *e, const struct tv_paje_record *r)
{
	struct columns *c = &e->variables;
	uint32_t row = tv_table_add_row(&e->trace->table[TV_VARIABLES]);

	if (row == TV_NONE) {
		emit_extras(e, r, row, false);
		return;
	}
	tv_set_label(c->resource, row, e->paje->container[r->container].id);
	tv_set_label(c->type, row, e->paje->type[r->type].name);
	tv_set_int(c->start, row, r->time);
	tv_set_int(c->end, row, end_time(e, r));
	tv_set_double(c->value, row, r->number);
	emit_extras(e, r, row, false);
}

static void emit_link(struct emitter *e, const struct tv_paje_record *r)
{
	const struct tv_paje_record *end = r->flags & PAJE_ENDED ? &e->paje->record[r->end] : NULL;
	const struct tv_paje_container *container = e->paje->container;
	const uint32_t *word = e->paje->words + r->more;
	const char *value = tv_pool_text(e->trace->pool, r->value);
	struct columns *c = &e->links;
	uint32_t row = tv_table_add_row(&e->trace->table[TV_LINKS]);
	uint32_t dest = end != NULL ? e->paje->words[end->more + 2] : TV_NONE;
	int64_t size;

	tv_paje_link_side(e->calls, word[2], dest, r->time, true);
	tv_set_label(c->resource, row, container[r->container].id);
	tv_set_label(c->type, row,
		     tv_paje_is_message(e->calls, word[2], dest) ? e->message
								 : e->paje->type[r->type].name);
	tv_set_label(c->key, row, word[1]);
	tv_set_label(c->origin, row, container[word[2]].id);
	if (end != NULL)
		tv_set_label(c->dest, row, container[dest].id);
	tv_set_int(c->start, row, r->time);
	tv_set_int(c->end, row, end_time(e, r));
	tv_set_label(c->value, row, r->value);
	if (c->size != NULL && tv_parse_int(value, strlen(value), &size) == TV_PARSE_OK)
		tv_set_int(c->size, row, size);
	if (end == NULL)
		set_open(e, c, TV_LINKS, row);
	emit_extras(e, r, row, false);
	if (end != NULL)
		emit_extras(e, end, row, false);
}

static void emit_event(struct emitter *e, const struct tv_paje_record *r)
{
	struct columns *c = &e->events;
	uint32_t row, type = e->paje->type[r->type].name;

	if (e->paje->omits_events && type != e->copies) {
		emit_extras(e, r, TV_NONE, false);
		return;
	}
	row = tv_table_add_row(&e->trace->table[TV_EVENTS]);
	tv_set_label(c->resource, row, e->paje->container[r->container].id);
	tv_set_label(c->type, row, type);
	tv_set_int(c->start, row, r->time);
	tv_set_label(c->value, row, r->value);
	emit_extras(e, r, row, false);
}

static void emit_records(struct emitter *e)
{
	struct tv_paje *paje = e->paje;
	struct tv_paje_walk walk = { 0 };

	for (uint32_t i; (i = tv_paje_next(paje, &walk)) != TV_NONE;) {
		const struct tv_paje_record *r = &paje->record[i];

		switch (r->kind) {
		case PAJE_SET_STATE:
		case PAJE_PUSH_STATE:
			emit_state(e, r);
			break;
		case PAJE_SET_VARIABLE:
		case PAJE_ADD_VARIABLE:
		case PAJE_SUB_VARIABLE:
			emit_variable(e, r);
			break;
		case PAJE_START_LINK:
			emit_link(e, r);
			break;
		case PAJE_END_LINK:
			if (!(r->flags & PAJE_ENDED))
				break;
			tv_paje_link_side(e->calls, paje->words[paje->record[r->end].more + 2],
					  paje->words[r->more + 2], r->time, false);
			break;
		case PAJE_NEW_EVENT:
			emit_event(e, r);
			break;
		default:
			break;
		}
	}
}

/* Colors of values, for traces whose names data/kernels.csv cannot know. */
static void emit_meta(struct emitter *e)
{
	struct tv_paje *paje = e->paje;
	struct tv_index seen = { 0 };

	if (paje->starpu)
		tv_meta_add(e->trace, "Producer", "StarPU");
	if (paje->nrepeated > 0)
		tv_meta_add(e->trace, "RepeatedTasks",
			    "%" PRIu64 " (the same execution on a second state type, left out)",
			    paje->nrepeated);
	for (size_t i = 0; !paje->starpu && i < paje->nvalues; i++) {
		const struct tv_paje_value *value = &paje->value[i];
		char *key;

		if (value->color == TV_NONE || tv_index_get(&seen, value->name) != TV_NONE)
			continue;
		key = tv_format(TV_META_COLOR "%s", tv_pool_text(e->trace->pool, value->name));
		tv_index_set(&seen, value->name, 0);
		tv_meta_add(e->trace, key, "#%06" PRIx32, value->color);
		tv_free(key);
	}
	tv_free(seen.at);
}

/* Only tv_paje_fill_handles has read them. */
static void drop_events(struct tv_trace *trace)
{
	struct tv_table none;

	tv_table_init(&none, trace->pool);
	tv_table_replace(&trace->table[TV_EVENTS], &none);
}

void tv_paje_emit(struct tv_paje *paje)
{
	struct emitter e = { .paje = paje, .trace = paje->trace };
	uint32_t rank = TV_NONE;

	for (size_t i = 0; i < paje->ncontainers; i++) {
		uint32_t other = paje->container[i].rank;

		e.several_ranks = e.several_ranks
			       || (rank != TV_NONE && other != TV_NONE && rank != other);
		rank = other != TV_NONE ? other : rank;
	}
	choose_task_types(paje);
	set_up(&e);
	e.calls = tv_paje_find_calls(paje);
	e.message = tv_intern_text(e.trace->pool, TV_MESSAGE_TYPE);
	tv_paje_emit_resources(paje, e.finish);
	emit_records(&e);
	emit_meta(&e);
	for (int i = 0; i < TV_NTABLES; i++)
		tv_table_finish(&paje->trace->table[i]);
	tv_paje_fill_handles(paje->trace);
	if (paje->omits_events)
		drop_events(paje->trace);
	tv_paje_free_calls(e.calls);
	tv_free(e.extra);
	tv_free(e.first_extra);
}
