/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate.c -- Pajé's events in order of time, played: begins find their ends. */
#include "convert/paje/paje.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/sorted.h"

/* One state stack, variable or set of open links: a type in a container. */
struct stream {
	uint32_t next; /* of the same container */
	uint32_t top;  /* innermost open state, or the variable's value; TV_NONE */
};

/* A key of links, and what waits for it in the stream that had it first. Few keys are used in another
 * stream or container: what waits there is in maps. */
struct link_key {
	uint32_t stream, container;
	uint32_t waiting; /* record that waits for its other end; TV_NONE */
	uint32_t start;	  /* the latest start in the container, of any type; TV_NONE */
};

enum { RECENT = 256 };

struct simulation {
	struct tv_paje *paje;
	struct stream *stream;
	size_t nstreams, streams_cap;
	struct tv_map streams; /* container, type -> stream */
	struct {
		uint32_t container, type, stream;
	} recent[RECENT];     /* streams that were looked up, by both */
	struct tv_index keys; /* by label: index into key */
	struct link_key *key;
	size_t nkeys, keys_cap;
	struct tv_map waiting; /* stream, key: as in struct link_key */
	struct tv_map starts;  /* container, key: as in struct link_key */
	size_t nwaiting;       /* records that wait for their other end */
	uint32_t overlapping;  /* type of states: see overlap.c; TV_NONE */
	uint64_t nunsure;      /* pops of it that may end another state */
};

#define DAMAGED(sim, kind, cause, record, ...) \
	tv_damaged((sim)->paje->trace, kind, cause, tv_paje_place((sim)->paje, record), __VA_ARGS__)

static const char *text(const struct simulation *sim, uint32_t label)
{
	return tv_pool_text(sim->paje->trace->pool, label);
}

static uint32_t find_label(const struct tv_paje *paje, uint32_t label)
{
	uint32_t found = tv_index_get(&paje->container_alias, label);

	return found != TV_NONE ? found : tv_index_get(&paje->container_name, label);
}

/* With 11 ranks or more StarPU writes zeros before the ranks of containers (00_mpict), but not
 * where messages name them. */
static uint32_t find_container(const struct tv_paje *paje, uint32_t label)
{
	uint32_t found = find_label(paje, label);
	const char *name;
	size_t digits;
	char padded[32];

	if (found != TV_NONE)
		return found;
	name = tv_pool_text(paje->trace->pool, label);
	digits = strspn(name, "0123456789");
	if (digits == 0 || strcmp(name + digits, "_mpict") != 0)
		return TV_NONE;
	for (int zeros = 1; zeros < 6 && found == TV_NONE; zeros++) {
		snprintf(padded, sizeof padded, "%.*s%.20s", zeros, "00000", name);
		label = tv_pool_find_text(paje->trace->pool, padded);
		found = label == TV_NONE ? TV_NONE : find_label(paje, label);
	}
	return found;
}

/* The container of that alias or name, at this record; TV_NONE when the record must be dropped for
 * it. A link may end at a container that is gone. */
static uint32_t resolve_container(struct simulation *sim, const struct tv_paje_record *r,
				  uint32_t label, bool alive)
{
	struct tv_paje *paje = sim->paje;
	uint32_t found = find_container(paje, label);

	if (found == TV_NONE && tv_index_get(&paje->declared, label) == TV_NONE) {
		DAMAGED(sim, TV_DROPPED, "unknown container", r,
			"container '%s', expected one that PajeCreateContainer makes",
			text(sim, label));
	} else if (found == TV_NONE) {
		DAMAGED(sim, TV_DROPPED, "event before its container exists", r,
			"container '%s' is created later", text(sim, label));
	} else if (alive && paje->container[found].destroyed != TV_NONE) {
		DAMAGED(sim, TV_DROPPED, "event after its container's end", r,
			"container '%s' has been destroyed", text(sim, label));
		found = TV_NONE;
	}
	return found;
}

/* Number before '_' and a letter at the begin of a name: the rank, as StarPU writes it. */
static uint32_t rank_of(const char *name)
{
	uint32_t rank = 0;
	size_t n = strspn(name, "0123456789");
	unsigned next = n > 0 && n < 9 && name[n] == '_' ? (unsigned)name[n + 1] | 0x20 : 0;

	if (next < 'a' || next > 'z')
		return TV_NONE;
	for (size_t i = 0; i < n; i++)
		rank = rank * 10 + (uint32_t)(name[i] - '0');
	return rank;
}

void tv_paje_add_container(struct tv_paje *paje, uint32_t name, uint32_t alias, uint32_t parent,
			   uint32_t type, uint32_t created)
{
	uint32_t at = (uint32_t)paje->ncontainers, *slot;

	TV_GROW(paje->container, paje->ncontainers, paje->containers_cap, 1);
	tv_index_set(&paje->container_alias, alias, at);
	paje->container[paje->ncontainers++] = (struct tv_paje_container){
		.name = name,
		.alias = alias,
		.parent = parent,
		.type = type,
		.children = TV_NONE,
		.sibling = TV_NONE,
		.streams = TV_NONE,
		.created = created,
		.destroyed = TV_NONE,
		.rank = rank_of(tv_pool_text(paje->trace->pool, name)),
		.job = TV_NONE
	};
	if (tv_index_get(&paje->container_name, name) == TV_NONE)
		tv_index_set(&paje->container_name, name, at);
	if (parent == TV_NONE)
		return;
	slot = &paje->container[parent].children;
	paje->container[at].sibling = *slot;
	*slot = at;
}

static void create(struct simulation *sim, struct tv_paje_record *r, uint32_t at)
{
	struct tv_paje *paje = sim->paje;
	uint32_t known = tv_index_get(&paje->container_alias, r->container);
	uint32_t parent = resolve_container(sim, r, r->end, true);

	if (parent == TV_NONE)
		return;
	if (known != TV_NONE && paje->container[known].destroyed == TV_NONE) {
		const struct tv_paje_container *other = &paje->container[known];

		/* Each file of several may create what they share. */
		if (other->name != r->value || other->type != r->type || other->parent != parent
		    || tv_paje_place(paje, &paje->record[other->created]).file
			       == tv_paje_place(paje, r).file)
			DAMAGED(sim, TV_DROPPED, "container created twice", r,
				"container '%s' exists already", text(sim, r->container));
		return;
	}
	tv_paje_add_container(paje, r->value, r->container, parent, r->type, at);
}

/* Ends everything that is open in one container. */
static void end_streams(struct simulation *sim, struct tv_paje_container *container, uint32_t at)
{
	struct tv_paje_record *record = sim->paje->record;

	for (uint32_t s = container->streams; s != TV_NONE; s = sim->stream[s].next) {
		uint32_t i = sim->stream[s].top;

		while (i != TV_NONE) {
			uint32_t below = record[i].end;

			record[i].end = at;
			record[i].flags |= PAJE_ENDED;
			i = below;
		}
		sim->stream[s].top = TV_NONE;
	}
	container->destroyed = at;
}

/* Destroys a container and all in it, without recursion: the input may nest as deep as it wants. */
static void destroy_tree(struct simulation *sim, uint32_t root, uint32_t at)
{
	struct tv_paje_container *c = sim->paje->container;
	uint32_t i = root;

	for (;;) {
		if (c[i].destroyed == TV_NONE) {
			end_streams(sim, &c[i], at);
			if (c[i].children != TV_NONE) {
				i = c[i].children;
				continue;
			}
		}
		while (i != root && c[i].sibling == TV_NONE)
			i = c[i].parent;
		if (i == root)
			return;
		i = c[i].sibling;
	}
}

static void destroy(struct simulation *sim, const struct tv_paje_record *r, uint32_t at)
{
	uint32_t container = resolve_container(sim, r, r->container, false), known;

	if (container == TV_NONE)
		return;
	known = sim->paje->container[container].destroyed;
	if (known == TV_NONE)
		destroy_tree(sim, container, at);
	/* It may have gone with its parent: that is no contradiction. */
	else if (sim->paje->record[known].container == r->container)
		DAMAGED(sim, TV_DROPPED, "container destroyed twice", r,
			"container '%s' is gone already", text(sim, r->container));
}

static struct stream *add_stream(struct simulation *sim, uint32_t container, uint32_t type)
{
	uint32_t *slot = tv_map_at(&sim->streams, container, type);

	if (*slot == TV_NONE) {
		TV_GROW(sim->stream, sim->nstreams, sim->streams_cap, 1);
		*slot = (uint32_t)sim->nstreams;
		sim->stream[sim->nstreams++] = (struct stream){
			sim->paje->container[container].streams, TV_NONE
		};
		sim->paje->container[container].streams = *slot;
	}
	return &sim->stream[*slot];
}

/* Type 0, that of the root, has no streams: a slot with it is unused. */
static struct stream *find_stream(struct simulation *sim, uint32_t container, uint32_t type)
{
	size_t slot = (container * 31 + type) % RECENT;

	if (sim->recent[slot].container != container || sim->recent[slot].type != type) {
		struct stream *found = add_stream(sim, container, type);

		sim->recent[slot].container = container;
		sim->recent[slot].type = type;
		sim->recent[slot].stream = (uint32_t)(found - sim->stream);
	}
	return &sim->stream[sim->recent[slot].stream];
}

/* Ends the innermost state. */
static void pop(struct simulation *sim, struct stream *stream, uint32_t at)
{
	struct tv_paje_record *top = &sim->paje->record[stream->top];

	stream->top = top->end;
	top->end = at;
	top->flags |= PAJE_ENDED;
}

/* How many states a push is inside of. Of overlapping ones those below may be gone. */
static uint32_t open_states(const struct simulation *sim, const struct stream *stream,
			    uint32_t type)
{
	const struct tv_paje_record *record = sim->paje->record;
	uint32_t n = 0;

	if (type != sim->overlapping)
		return stream->top == TV_NONE ? 0 : record[stream->top].depth + 1;
	for (uint32_t i = stream->top; i != TV_NONE; i = record[i].end)
		n++;
	return n;
}

/* Ends the state that a pop reports, which may be below others. */
static void pop_overlapping(struct simulation *sim, struct stream *stream, uint32_t at)
{
	struct tv_paje_record *record = sim->paje->record;
	uint32_t *link = &stream->top, ended;
	bool sure;

	ended = tv_paje_ended(sim->paje, stream->top, at, &sure);
	sim->nunsure += !sure;
	while (*link != ended)
		link = &record[*link].end;
	*link = record[ended].end;
	record[ended].end = at;
	record[ended].flags |= PAJE_ENDED;
}

static void state_event(struct simulation *sim, struct stream *stream, struct tv_paje_record *r,
			uint32_t at)
{
	switch (r->kind) {
	case PAJE_POP_STATE:
		if (stream->top != TV_NONE && r->type == sim->overlapping)
			pop_overlapping(sim, stream, at);
		else if (stream->top != TV_NONE)
			pop(sim, stream, at);
		else
			DAMAGED(sim, TV_DROPPED, "pop without push", r,
				"no state of type '%s' is open in '%s'",
				text(sim, sim->paje->type[r->type].name),
				text(sim, sim->paje->container[r->container].name));
		return;
	case PAJE_PUSH_STATE:
		r->depth = open_states(sim, stream, r->type);
		break;
	default:
		while (stream->top != TV_NONE)
			pop(sim, stream, at);
		if (r->kind == PAJE_RESET_STATE)
			return;
		r->depth = 0;
	}
	r->end = stream->top;
	stream->top = at;
}

/* A value lasts until the next one; of several at one instant the last is kept. */
static void variable_event(struct simulation *sim, struct stream *stream, struct tv_paje_record *r,
			   uint32_t at)
{
	struct tv_paje_record *old = stream->top != TV_NONE ? &sim->paje->record[stream->top]
							    : NULL;

	if (r->kind != PAJE_SET_VARIABLE) {
		if (old == NULL)
			DAMAGED(sim, TV_REPAIRED, "variable changed before it was set", r,
				"variable '%s' of '%s' is taken as 0 before",
				text(sim, sim->paje->type[r->type].name),
				text(sim, sim->paje->container[r->container].name));
		if (r->kind == PAJE_SUB_VARIABLE)
			r->number = -r->number;
		r->number += old != NULL ? old->number : 0;
	}
	if (old != NULL && old->time == r->time) {
		old->number = r->number;
		r->kind = PAJE_NOTHING;
		return;
	}
	if (old != NULL)
		pop(sim, stream, at);
	stream->top = at;
}

/* Where a key of links has what waits in a stream of a container. Valid until the next key. */
static uint32_t *waiting_at(struct simulation *sim, uint32_t stream, uint32_t container,
			    uint32_t key)
{
	uint32_t at = tv_index_get(&sim->keys, key);

	if (at == TV_NONE) {
		at = (uint32_t)sim->nkeys;
		TV_GROW(sim->key, sim->nkeys, sim->keys_cap, 1);
		sim->key[sim->nkeys++] = (struct link_key){ stream, container, TV_NONE, TV_NONE };
		tv_index_set(&sim->keys, key, at);
	}
	return sim->key[at].stream == stream ? &sim->key[at].waiting
					     : tv_map_at(&sim->waiting, stream, key);
}

/* The same of the latest start in the container, of a key that waiting_at has seen. */
static uint32_t *start_at(struct simulation *sim, uint32_t container, uint32_t key)
{
	struct link_key *known = &sim->key[tv_index_get(&sim->keys, key)];

	return known->container == container ? &known->start
					     : tv_map_at(&sim->starts, container, key);
}

static void join_link(struct simulation *sim, uint32_t *waiting, struct tv_paje_record *r,
		      uint32_t at)
{
	struct tv_paje *paje = sim->paje;
	struct tv_paje_record *other = &paje->record[*waiting];
	struct tv_paje_record *start = r->kind == PAJE_START_LINK ? r : other,
			      *end = start == r ? other : r;
	const char *key = text(sim, paje->words[r->more + 1]);

	if (other->kind == r->kind) {
		if (r->kind == PAJE_START_LINK)
			DAMAGED(sim, TV_DROPPED_BESIDE, "link key used twice", r,
				"link '%s' is open already", key);
		else
			DAMAGED(sim, TV_DROPPED_BESIDE, "link end without start", r,
				"link '%s' never starts", key);
		return;
	}
	sim->nwaiting--;
	/* Clocks of nodes differ: trace/clocks.h. */
	if (end->time < start->time
	    && strcmp(text(sim, paje->type[start->type].name), TV_MESSAGE_TYPE) != 0) {
		*waiting = TV_NONE;
		other->kind = PAJE_NOTHING;
		DAMAGED(sim, TV_DROPPED_BESIDE, "link end before start", end,
			"link '%s' ends before it starts", key);
		return;
	}
	start->end = start == r ? *waiting : at;
	end->end = start == r ? at : *waiting;
	start->flags |= PAJE_ENDED;
	end->flags |= PAJE_ENDED;
	*waiting = TV_NONE;
	if (start->value != end->value)
		DAMAGED(sim, TV_REPAIRED, "link value differs at its end", end,
			"'%s', expected '%s', which is kept", text(sim, end->value),
			text(sim, start->value));
}

/* StarPU 1.2 starts a transfer as one type (a prefetch) and ends it as another (a fetch): an end
 * without a start of its type ends the link of that key and value that is open in the same
 * container. False if there is none. */
static bool join_other_type(struct simulation *sim, struct tv_paje_record *r, uint32_t at)
{
	struct tv_paje *paje = sim->paje;
	uint32_t key = paje->words[r->more + 1], *waiting;
	uint32_t found = *start_at(sim, r->container, key);
	struct tv_paje_record *start = found != TV_NONE ? &paje->record[found] : NULL;

	if (start == NULL || (start->flags & PAJE_ENDED) || start->value != r->value
	    || start->kind != PAJE_START_LINK)
		return false;
	waiting = tv_map_at(&sim->streams, r->container, start->type);
	waiting = waiting_at(sim, *waiting, r->container, key);
	join_link(sim, waiting, r, at);
	DAMAGED(sim, TV_REPAIRED, "link type differs at its end", r,
		"'%s', expected '%s', which is kept", text(sim, paje->type[r->type].name),
		text(sim, paje->type[start->type].name));
	return true;
}

/* Joins one end of a link with the other, or lets it wait. False where it does neither. */
static bool link_event(struct simulation *sim, uint32_t stream, struct tv_paje_record *r,
		       uint32_t at)
{
	uint32_t *waiting, *word = &sim->paje->words[r->more];
	uint32_t other = resolve_container(sim, r, word[2], false);

	if (other == TV_NONE)
		return false;
	word[2] = other;
	waiting = waiting_at(sim, stream, r->container, word[1]);
	if (*waiting != TV_NONE)
		join_link(sim, waiting, r, at);
	else if (r->kind == PAJE_START_LINK || !join_other_type(sim, r, at)) {
		*waiting = at;
		sim->nwaiting++;
		if (r->kind == PAJE_START_LINK)
			*start_at(sim, r->container, word[1]) = at;
		return true;
	}
	return r->flags & PAJE_ENDED;
}

static void entity_event(struct simulation *sim, struct tv_paje_record *r, uint32_t at)
{
	uint32_t container = tv_index_get(&sim->paje->container_alias, r->container);
	struct stream *stream;

	if (container == TV_NONE || sim->paje->container[container].destroyed != TV_NONE)
		container = resolve_container(sim, r, r->container, true);
	if (container == TV_NONE) {
		r->kind = PAJE_NOTHING;
		return;
	}
	r->container = container;
	if (r->kind == PAJE_NEW_EVENT)
		return;
	stream = find_stream(sim, container, r->type);
	switch (sim->paje->type[r->type].kind) {
	case PAJE_DEFINE_STATE:
		state_event(sim, stream, r, at);
		break;
	case PAJE_DEFINE_VARIABLE:
		variable_event(sim, stream, r, at);
		break;
	default:
		if (!link_event(sim, (uint32_t)(stream - sim->stream), r, at))
			r->kind = PAJE_NOTHING;
	}
}

/* What still waits when the trace ends: links without end are kept open, ends without start
 * dropped. */
static void end_links(struct simulation *sim)
{
	struct tv_paje *paje = sim->paje;
	struct tv_paje_walk walk = { 0 };

	for (uint32_t i; sim->nwaiting > 0 && (i = tv_paje_next(paje, &walk)) != TV_NONE;) {
		struct tv_paje_record *r = &paje->record[i];
		const char *key;

		if ((r->kind != PAJE_START_LINK && r->kind != PAJE_END_LINK)
		    || (r->flags & PAJE_ENDED))
			continue;
		key = text(sim, paje->words[r->more + 1]);
		if (r->kind == PAJE_START_LINK) {
			r->flags |= PAJE_OPEN;
			DAMAGED(sim, TV_REPAIRED, "link without end", r,
				"link '%s' is taken to end with the trace", key);
		} else {
			DAMAGED(sim, TV_DROPPED_BESIDE, "link end without start", r,
				"link '%s' never starts", key);
		}
	}
}

static void play(struct simulation *sim)
{
	struct tv_paje *paje = sim->paje;
	struct tv_paje_walk walk = { 0 };

	for (uint32_t i; (i = tv_paje_next(paje, &walk)) != TV_NONE;) {
		struct tv_paje_record *r = &paje->record[i];

		if (r->kind == PAJE_CREATE)
			create(sim, r, i);
		else if (r->kind == PAJE_DESTROY)
			destroy(sim, r, i);
		else
			entity_event(sim, r, i);
	}
}

void tv_paje_prepare(struct tv_paje *paje)
{
	uint32_t zero = paje->type[0].name;

	TV_GROW(paje->late, paje->nlate, paje->late_cap, TV_PAJE_AHEAD + 1);
	TV_GROW(paje->record, paje->n, paje->cap, 1);
	tv_sort_by_time(paje->late, paje->nlate, sizeof *paje->late,
			offsetof(struct tv_paje_late, time), NULL);
	for (size_t i = 0; i <= TV_PAJE_AHEAD; i++)
		paje->late[paje->nlate + i] = (struct tv_paje_late){ .time = INT64_MAX };
	paje->record[paje->n] = (struct tv_paje_record){ .time = INT64_MAX };
	tv_paje_add_container(paje, zero, zero, TV_NONE, 0, TV_NONE);
}

void tv_paje_simulate(struct tv_paje *paje)
{
	struct simulation sim = { .paje = paje, .overlapping = tv_paje_overlapping(paje) };

	tv_paje_prepare(paje);
	play(&sim);
	for (size_t s = 0; s < sim.nstreams; s++)
		while (sim.stream[s].top != TV_NONE) {
			uint32_t i = sim.stream[s].top;

			sim.stream[s].top = paje->record[i].end;
			paje->record[i].end = TV_NONE;
			paje->record[i].flags |= PAJE_OPEN;
		}
	end_links(&sim);
	if (sim.nunsure > 0)
		tv_notice(paje->trace,
			  "%" PRIu64 " ends of states of memory nodes do not show which of several "
			  "open ones they end: times of memory-states may be wrong (from FxT they "
			  "are right)",
			  sim.nunsure);
	tv_free(sim.stream);
	tv_map_release(&sim.streams);
	tv_free(sim.keys.at);
	tv_free(sim.key);
	tv_map_release(&sim.waiting);
	tv_map_release(&sim.starts);
}
