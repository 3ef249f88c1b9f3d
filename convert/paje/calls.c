/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls.c -- states that are calls of MPI into the table of calls, as SimGrid's SMPI and Akypuera
 * write them, and links between their containers as messages.
 */
#include "convert/paje/paje.h"

#include <string.h>

#include "convert/mpi_calls.h"
#include "trace/alloc.h"

/* A state is a call if its value is a function of MPI, as MPI_Send or PMPI_Send. SMPI's replay has
 * shorter names (send), in this type of states. */
#define SHORT_NAMES "MPI_STATE"

/* The last call of a container. */
struct last {
	uint32_t row;	      /* of calls; TV_NONE */
	int64_t begin, end;   /* of the outermost one; begin > end: none */
	bool sends, receives; /* a message whose other side is not known yet */
};

struct tv_paje_calls {
	struct tv_paje *paje;
	struct tv_index name_of[2]; /* value -> label of the function, or of ""; [1]: short names */
	bool *has_short;	    /* by type of states */
	struct last *last;	    /* by container */
	bool *is_rank;		    /* by container: it has calls */
	uint32_t none;		    /* label of "" */
	struct tv_column *resource, *call, *class, *begin, *end, *peer, *flag;
};

static bool is_short(const char *name)
{
	static const char *const others[] = { "init", "finalize" };
	struct tv_word word = { name, strlen(name) };

	if (strcmp(tv_mpi_class(word), "other") != 0)
		return true;
	for (size_t i = 0; i < TV_COUNT(others); i++)
		if (tv_word_is(word, others[i]))
			return true;
	return false;
}

/* The function that a state of that type and value is in: a label, or that of "". */
static uint32_t find_name(struct tv_paje_calls *c, uint32_t type, uint32_t value)
{
	struct tv_pool *pool = c->paje->trace->pool;
	struct tv_index *name_of = &c->name_of[c->has_short[type]];
	const char *name = tv_pool_text(pool, value);
	uint32_t label = tv_index_get(name_of, value);
	char *function;

	if (label != TV_NONE)
		return label;
	label = c->none;
	name += strncmp(name, "PMPI_", 5) == 0;
	if (strncmp(name, "MPI_", 4) == 0 && name[4] >= 'A' && name[4] <= 'Z') {
		label = tv_intern_text(pool, name);
	} else if (c->has_short[type] && is_short(name)) {
		function = tv_format("MPI_%s", name);
		function[4] = (char)(function[4] - (function[4] >= 'a' ? 'a' - 'A' : 0));
		label = tv_intern_text(pool, function);
		tv_free(function);
	}
	tv_index_set(name_of, value, label);
	return label;
}

/* The number at the end of a name such as rank-12 or P#3; TV_NONE. */
static uint32_t number_at_end(const char *name)
{
	size_t n = strlen(name), first = n;
	uint32_t number = 0;

	while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9')
		first--;
	if (first == n || n - first > 9)
		return TV_NONE;
	for (; first < n; first++)
		number = number * 10 + (uint32_t)(name[first] - '0');
	return number;
}

/* The rank of a container is the number at the end of its name; where one has none, or two have the
 * same, their order. */
static void number_ranks(struct tv_paje_calls *c)
{
	struct tv_paje *paje = c->paje;
	struct tv_index seen = { 0 };
	bool named = true;
	uint32_t n = 0;

	for (size_t i = 0; i < paje->ncontainers; i++) {
		uint32_t number = c->is_rank[i] ? number_at_end(
					  tv_pool_text(paje->trace->pool, paje->container[i].name))
						: 0;

		if (!c->is_rank[i])
			continue;
		named = named && number != TV_NONE && tv_index_get(&seen, number) == TV_NONE;
		if (named)
			tv_index_set(&seen, number, 0);
		paje->container[i].rank = number;
	}
	for (size_t i = 0; i < paje->ncontainers && !named; i++)
		if (c->is_rank[i])
			paje->container[i].rank = n++;
	tv_free(seen.at);
}

struct tv_paje_calls *tv_paje_find_calls(struct tv_paje *paje)
{
	struct tv_paje_calls *c = tv_alloc(1, sizeof *c);
	bool any = false;

	c->paje = paje;
	c->none = tv_intern_text(paje->trace->pool, "");
	c->is_rank = tv_alloc(paje->ncontainers, sizeof *c->is_rank);
	c->has_short = tv_alloc(paje->ntypes, sizeof *c->has_short);
	for (size_t t = 0; t < paje->ntypes; t++)
		c->has_short[t] = strcmp(tv_pool_text(paje->trace->pool, paje->type[t].name),
					 SHORT_NAMES)
			       == 0;
	for (size_t i = 0; i < paje->n && !paje->starpu; i++) {
		const struct tv_paje_record *r = &paje->record[i];

		if ((r->kind == PAJE_SET_STATE || r->kind == PAJE_PUSH_STATE)
		    && !paje->type[r->type].all_tasks && find_name(c, r->type, r->value) != c->none)
			any = c->is_rank[r->container] = true;
	}
	if (!any) {
		tv_paje_free_calls(c);
		return NULL;
	}
	number_ranks(c);
	tv_meta_add(paje->trace, TV_META_CALLS_OF_STATES, "yes");
	c->last = tv_alloc(paje->ncontainers, sizeof *c->last);
	for (size_t i = 0; i < paje->ncontainers; i++)
		c->last[i] = (struct last){ TV_NONE, 0, -1, false, false };
	TV_TRACE_COLUMNS(paje->trace, TV_CALLS, { "ResourceId", &c->resource },
			 { "Call", &c->call }, { "Class", &c->class }, { "Start", &c->begin },
			 { "End", &c->end }, { "Peer", &c->peer });
	return c;
}

void tv_paje_free_calls(struct tv_paje_calls *c)
{
	if (c == NULL)
		return;
	tv_free(c->name_of[0].at);
	tv_free(c->name_of[1].at);
	tv_free(c->has_short);
	tv_free(c->last);
	tv_free(c->is_rank);
	tv_free(c);
}

void tv_paje_emit_call(struct tv_paje_calls *c, const struct tv_paje_record *r, int64_t end,
		       uint32_t open)
{
	struct tv_paje *paje = c->paje;
	struct last *last = &c->last[r->container];
	uint32_t name = find_name(c, r->type, r->value), row;
	struct tv_word word;

	/* What a call does with calls of its own is a part of it. */
	if (name == c->none || (r->time < last->end && r->time >= last->begin))
		return;
	word.s = tv_pool_text(paje->trace->pool, name) + strlen("MPI_");
	word.n = strlen(word.s);
	row = tv_table_add_row(&paje->trace->table[TV_CALLS]);
	tv_set_label(c->resource, row, paje->container[r->container].id);
	tv_set_label(c->call, row, name);
	tv_set_text(c->class, row, tv_mpi_class(word));
	tv_set_int(c->begin, row, r->time);
	tv_set_int(c->end, row, end);
	if (r->flags & PAJE_OPEN) {
		if (c->flag == NULL)
			c->flag = tv_trace_column(paje->trace, TV_CALLS, "Flag");
		tv_set_label(c->flag, row, open);
	}
	*last = (struct last){ row, r->time, end, tv_mpi_is(word, "send"),
			       tv_mpi_is(word, "recv") && !tv_mpi_is(word, "send") };
}

/* Who the other side of a call is, if the call is one that sends, or receives, at that time. */
static void set_peer(struct tv_paje_calls *c, uint32_t container, int64_t time, bool sends,
		     uint32_t peer)
{
	struct last *last = &c->last[container];
	bool *unknown = sends ? &last->sends : &last->receives;

	if (last->row == TV_NONE || time < last->begin || time > last->end || !*unknown)
		return;
	*unknown = false;
	tv_set_int(c->peer, last->row, peer);
}

bool tv_paje_is_message(const struct tv_paje_calls *c, uint32_t from, uint32_t to)
{
	return c != NULL && c->is_rank[from] && (to == TV_NONE || c->is_rank[to]);
}

void tv_paje_link_side(struct tv_paje_calls *c, uint32_t from, uint32_t to, int64_t time,
		       bool sends)
{
	if (c == NULL || to == TV_NONE || c->paje->unordered || !tv_paje_is_message(c, from, to))
		return;
	set_peer(c, sends ? from : to, time, sends, c->paje->container[sends ? to : from].rank);
}
