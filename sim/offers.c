/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offers.c -- which workers may find a task that they found none before. */
#include "sim/offers.h"

#include "sim/maxima.h"
#include "sim/members.h"
#include "sim/schedulers.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define NONE UINT32_MAX

/* Numbers, each once. */
struct set {
	uint32_t *at, n;
	bool *has;
};

struct tv_sim_offers {
	const struct tv_sim_machine *machine;
	const struct tv_sim_members *members;
	const uint32_t *may_take;
	uint32_t most;	       /* that a worker may take */
	uint32_t *ntaken;      /* by worker */
	struct tv_maxima room; /* by place: most - ntaken, 0 = no more; before stirred ones look */
	struct set workers, types; /* that are stirred */
	uint32_t level;		   /* workers that have taken so many nodes look now */
	bool begun;		   /* the level */
	uint32_t last;		   /* the worker that has looked; NONE = none has */
	struct tv_heap due;	   /* workers of the level; some of them twice */
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

static void set_room(struct tv_sim_offers *o, uint32_t w)
{
	int64_t room = o->ntaken[w] < may_take(o, w) ? o->most - o->ntaken[w] : 0;

	if (tv_maxima_get(&o->room, o->members->place[w]) != room)
		tv_maxima_set(&o->room, o->members->place[w], room);
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
	o->workers = make_set(n);
	o->types = make_set(machine->ntypes);
	for (uint32_t w = 0; w < n; w++)
		o->most = may_take(o, w) > o->most ? may_take(o, w) : o->most;
	tv_maxima_init(&o->room, n);
	for (uint32_t w = 0; w < n; w++)
		set_room(o, w);
	return o;
}

void tv_sim_offers_free(struct tv_sim_offers *o)
{
	tv_free(o->ntaken);
	tv_maxima_release(&o->room);
	release_set(&o->workers);
	release_set(&o->types);
	tv_heap_release(&o->due);
	tv_free(o);
}

void tv_sim_stir_worker(struct tv_sim_offers *o, uint32_t worker)
{
	add(&o->workers, worker);
}

void tv_sim_stir_type(struct tv_sim_offers *o, uint32_t type)
{
	add(&o->types, type);
}

/* Stirred, as it may find another one when those with as many nodes look. */
void tv_sim_offers_taken(struct tv_sim_offers *o, uint32_t worker)
{
	o->ntaken[worker]++;
	add(&o->workers, worker);
}

void tv_sim_offers_ended(struct tv_sim_offers *o, uint32_t worker)
{
	o->ntaken[worker]--;
	add(&o->workers, worker);
}

static bool is_less(const void *context, uint32_t a, uint32_t b)
{
	(void)context;
	return a < b;
}

/* The first worker of a type from that place on with room at this level; those with more room have
 * found nothing. */
static void push_next(struct tv_sim_offers *o, uint32_t type, uint32_t place)
{
	uint32_t next = tv_maxima_next(&o->room, place, o->most - o->level);

	if (next < o->members->first[type + 1])
		tv_heap_push(&o->due, o->members->worker[next], is_less, NULL);
}

/* Those behind the last one, if something waits that all workers of its type may take. */
static void go_on(struct tv_sim_offers *o, const struct tv_sim_queues *queues)
{
	uint32_t type = o->machine->type[o->last];

	if (tv_sim_waits(queues, type))
		push_next(o, type, o->members->place[o->last] + 1);
}

static bool looks(const struct tv_sim_offers *o, uint32_t w)
{
	return o->ntaken[w] == o->level && o->level < may_take(o, w);
}

static void begin_level(struct tv_sim_offers *o, const struct tv_sim_queues *queues)
{
	o->begun = true;
	o->last = NONE;
	for (uint32_t i = 0; i < o->workers.n; i++)
		if (looks(o, o->workers.at[i]))
			tv_heap_push(&o->due, o->workers.at[i], is_less, NULL);
	for (uint32_t i = 0; i < o->types.n; i++)
		if (tv_sim_waits(queues, o->types.at[i]))
			push_next(o, o->types.at[i], o->members->first[o->types.at[i]]);
}

/* The next worker of this level; NONE. */
static uint32_t next_of_level(struct tv_sim_offers *o, const struct tv_sim_queues *queues)
{
	while (o->due.n > 0) {
		uint32_t w = o->due.row[0];

		tv_heap_pop(&o->due, is_less, NULL);
		if (w == o->last)
			continue;
		o->last = w;
		if (looks(o, w))
			return w;
		go_on(o, queues);
	}
	return NONE;
}

/* All have looked. */
static void end_levels(struct tv_sim_offers *o)
{
	o->level = 0;
	o->last = NONE;
	for (uint32_t i = 0; i < o->workers.n; i++)
		set_room(o, o->workers.at[i]);
	clear(&o->workers);
	clear(&o->types);
}

uint32_t tv_sim_offers_next(struct tv_sim_offers *o, const struct tv_sim_queues *queues)
{
	if (o->workers.n == 0 && o->types.n == 0)
		return NONE; /* after most events */
	if (o->last != NONE)
		go_on(o, queues);
	for (; o->level < o->most; o->level++, o->begun = false) {
		uint32_t w;

		if (!o->begun)
			begin_level(o, queues);
		w = next_of_level(o, queues);
		if (w != NONE)
			return w;
	}
	end_levels(o);
	return NONE;
}
