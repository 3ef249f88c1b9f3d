/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offers.c -- which workers may find a task that they found none before. */
#include "sim/offers.h"

#include "sim/members.h"
#include "sim/schedulers.h"
#include "trace/alloc.h"

#define NONE UINT32_MAX

/* Numbers, each once. */
struct set {
	uint32_t *at, n;
	bool *has;
};

/* Bits are set in words of 64. */
enum { BITS = 64 };

struct tv_sim_offers {
	const struct tv_sim_machine *machine;
	const struct tv_sim_members *members;
	const uint32_t *may_take;
	uint32_t most;	   /* that a worker may take */
	uint32_t *most_of; /* by type: that one of its workers may take */
	uint32_t *ntaken;  /* by worker */
	uint64_t *free;	   /* by place: workers that have taken none */
	uint32_t nfree;
	struct set workers, types; /* that are stirred; workers only where one may take several */
	uint32_t level;		   /* workers that have taken so many nodes look now */
	bool begun;		   /* the level */
	uint32_t last;		   /* the worker that has looked; NONE = none has */
	/* By worker: those of the level that are to look, behind the last. Where each takes one node, those that are stirred are. */
	uint64_t *due;
	uint32_t ndue;
};

static struct set make_set(uint32_t n)
{
	return (struct set){ tv_alloc(n, sizeof(uint32_t)), 0, tv_alloc(n, sizeof(bool)) };
}

static void add(struct set *set, uint32_t i)
{
	if (!set->has[i])
		set->at[set->n++] = i;
	set->has[i] = true;
}

static void clear(struct set *set)
{
	while (set->n > 0)
		set->has[set->at[--set->n]] = false;
}

static void release_set(struct set *set)
{
	tv_free(set->at);
	tv_free(set->has);
}

static uint32_t may_take(const struct tv_sim_offers *o, uint32_t worker)
{
	return o->may_take == NULL ? 1 : o->may_take[worker];
}

static void set_bit(uint64_t *bits, uint32_t i, bool to)
{
	bits[i / BITS] = (bits[i / BITS] & ~(UINT64_C(1) << i % BITS)) | (uint64_t)to << i % BITS;
}

/* The first bit that is set from `from` on, before end; NONE. */
static uint32_t next_bit(const uint64_t *bits, uint32_t from, uint32_t end)
{
	uint64_t word;

	if (from >= end)
		return NONE;
	word = bits[from / BITS] & (~UINT64_C(0) << from % BITS);
	for (uint32_t w = from / BITS;; word = bits[w]) {
		if (word != 0) {
			from = w * BITS + (uint32_t)__builtin_ctzll(word);
			return from < end ? from : NONE;
		}
		if (++w * BITS >= end)
			return NONE;
	}
}

static uint64_t *make_bits(uint32_t n)
{
	return tv_alloc(n / BITS + 1, sizeof(uint64_t));
}

struct tv_sim_offers *tv_sim_offers_new(const struct tv_sim_machine *machine,
					const struct tv_sim_members *members,
					const uint32_t *may_take_of)
{
	struct tv_sim_offers *o = tv_alloc(1, sizeof *o);
	uint32_t n = machine->nworkers;

	*o = (struct tv_sim_offers){
		.machine = machine, .members = members, .may_take = may_take_of, .last = NONE
	};
	o->ntaken = tv_alloc(n, sizeof *o->ntaken);
	o->most_of = tv_alloc(machine->ntypes, sizeof *o->most_of);
	o->workers = make_set(n);
	o->types = make_set(machine->ntypes);
	o->free = make_bits(n);
	o->due = make_bits(n);
	for (uint32_t w = 0; w < n; w++) {
		uint32_t *most_of = &o->most_of[machine->type[w]];

		*most_of = may_take(o, w) > *most_of ? may_take(o, w) : *most_of;
		o->most = *most_of > o->most ? *most_of : o->most;
		set_bit(o->free, members->place[w], true);
	}
	o->nfree = n;
	return o;
}

void tv_sim_offers_free(struct tv_sim_offers *o)
{
	tv_free(o->ntaken);
	tv_free(o->most_of);
	tv_free(o->free);
	tv_free(o->due);
	release_set(&o->workers);
	release_set(&o->types);
	tv_free(o);
}

static void make_due(struct tv_sim_offers *o, uint32_t worker)
{
	uint64_t bit = UINT64_C(1) << worker % BITS;

	o->ndue += (o->due[worker / BITS] & bit) == 0;
	o->due[worker / BITS] |= bit;
}

void tv_sim_stir_worker(struct tv_sim_offers *o, uint32_t worker)
{
	if (o->most > 1)
		add(&o->workers, worker);
	else if (o->ntaken[worker] == 0)
		make_due(o, worker);
}

void tv_sim_stir_type(struct tv_sim_offers *o, uint32_t type)
{
	add(&o->types, type);
}

/* Stirred, as it may find another one when those with as many nodes look. */
void tv_sim_offers_taken(struct tv_sim_offers *o, uint32_t worker)
{
	if (o->ntaken[worker]++ == 0) {
		set_bit(o->free, o->members->place[worker], false);
		o->nfree--;
	}
	if (o->most > 1)
		add(&o->workers, worker);
}

void tv_sim_offers_ended(struct tv_sim_offers *o, uint32_t worker)
{
	if (--o->ntaken[worker] == 0) {
		set_bit(o->free, o->members->place[worker], true);
		o->nfree++;
	}
	tv_sim_stir_worker(o, worker);
}

static bool looks(const struct tv_sim_offers *o, uint32_t w)
{
	return o->ntaken[w] == o->level && o->level < may_take(o, w);
}

/* The first worker of a type from that place on that looks at this level, if something waits that all workers of the type may take. */
static void make_next_due(struct tv_sim_offers *o, const struct tv_sim_queues *queues,
			  uint32_t type, uint32_t place)
{
	uint32_t end = o->members->first[type + 1];

	if (o->level == 0 && o->ndue == o->nfree)
		return; /* all that are free look */
	if (o->level == 0)
		place = next_bit(o->free, place, end);
	else if (o->level < o->most_of[type] && tv_sim_waits(queues, type))
		while (place < end && !looks(o, o->members->worker[place]))
			place++;
	else
		return;
	if (place < end && tv_sim_waits(queues, type))
		make_due(o, o->members->worker[place]);
}

static void begin_level(struct tv_sim_offers *o, const struct tv_sim_queues *queues)
{
	o->begun = true;
	o->last = NONE;
	for (uint32_t i = 0; i < o->workers.n; i++)
		if (looks(o, o->workers.at[i]))
			make_due(o, o->workers.at[i]);
	for (uint32_t i = 0; i < o->types.n; i++)
		make_next_due(o, queues, o->types.at[i], o->members->first[o->types.at[i]]);
}

/* The next worker of this level; NONE. */
static uint32_t next_of_level(struct tv_sim_offers *o)
{
	if (o->ndue == 0)
		return NONE;
	o->last = next_bit(o->due, o->last == NONE ? 0 : o->last + 1, o->machine->nworkers);
	set_bit(o->due, o->last, false);
	o->ndue--;
	return o->last;
}

/* All have looked. */
static void end_levels(struct tv_sim_offers *o)
{
	o->level = 0;
	o->begun = false;
	o->last = NONE;
	clear(&o->workers);
	clear(&o->types);
}

uint32_t tv_sim_offers_next(struct tv_sim_offers *o, const struct tv_sim_queues *queues)
{
	if (o->last == NONE && o->ndue == 0 && o->workers.n == 0 && o->types.n == 0)
		return NONE; /* after most events */
	if (o->most == 1 && o->nfree == 0) {
		end_levels(o);
		return NONE;
	}
	if (o->last != NONE)
		make_next_due(o, queues, o->machine->type[o->last], o->members->place[o->last] + 1);
	for (; o->level < o->most; o->level++, o->begun = false) {
		uint32_t w;

		if (!o->begun)
			begin_level(o, queues);
		w = next_of_level(o);
		if (w != NONE)
			return w;
	}
	end_levels(o);
	return NONE;
}
