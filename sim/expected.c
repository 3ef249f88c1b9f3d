/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expected.c -- which worker is expected to end a task first. */
#include "sim/expected.h"

#include <stdlib.h>

#include "sim/maxima.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define NONE UINT32_MAX

/* Workers of one type and memory, from sorted[first] on. */
struct class
{
	uint32_t type, memory, first, n;
	/* By place, INT64_MAX minus ns: until it has ended all, of a worker that runs something; what
	 * waits, of one that does not. 0 in the other. */
	struct tv_maxima busy, idle;
};

struct tv_sim_expected {
	const struct tv_sim_machine *machine;
	struct class *class;   /* by type, then memory */
	uint32_t *first;       /* by type: its classes are class[first[t]] and on */
	uint32_t *sorted;      /* workers by class, then number */
	uint32_t *of, *place;  /* by worker: its class, and its place there */
	int64_t *until;	       /* by worker: end of what it runs */
	int64_t *waiting;      /* by worker: time of what waits for it */
	struct tv_maxima ends; /* by worker that runs something: INT64_MAX - until */
};

struct member {
	uint32_t type, memory, worker;
};

TV_ORDER(by_class, struct member, type, memory, worker)

static void add_member(struct tv_sim_expected *e, const struct member *m, uint32_t at, uint32_t *n)
{
	struct class *class = *n > 0 ? &e->class[*n - 1] : NULL;

	if (class == NULL || class->type != m->type || class->memory != m->memory) {
		class = &e->class[(*n)++];
		*class = (struct class){ .type = m->type, .memory = m->memory, .first = at };
		e->first[m->type + 1]++;
	}
	e->sorted[at] = m->worker;
	e->of[m->worker] = *n - 1;
	e->place[m->worker] = class->n++;
}

/* The worker's numbers have changed. */
static void update(struct tv_sim_expected *e, uint32_t w)
{
	struct class *class = &e->class[e->of[w]];
	bool runs = tv_maxima_get(&e->ends, w) > 0;

	tv_maxima_set(&class->busy, e->place[w],
		      runs ? INT64_MAX - e->until[w] - e->waiting[w] : 0);
	tv_maxima_set(&class->idle, e->place[w], runs ? 0 : INT64_MAX - e->waiting[w]);
}

struct tv_sim_expected *tv_sim_expected_new(const struct tv_sim_machine *machine,
					    const uint32_t *memory)
{
	struct tv_sim_expected *e = tv_alloc(1, sizeof *e);
	uint32_t n = machine->nworkers, nclasses = 0;
	struct member *member = tv_alloc(n, sizeof *member);

	e->machine = machine;
	e->class = tv_alloc(n, sizeof *e->class);
	e->first = tv_alloc((size_t)machine->ntypes + 1, sizeof *e->first);
	e->sorted = tv_alloc(n, sizeof *e->sorted);
	e->of = tv_alloc(n, sizeof *e->of);
	e->place = tv_alloc(n, sizeof *e->place);
	e->until = tv_alloc(n, sizeof *e->until);
	e->waiting = tv_alloc(n, sizeof *e->waiting);
	for (uint32_t w = 0; w < n; w++)
		member[w] = (struct member){ machine->type[w], memory == NULL ? 0 : memory[w], w };
	qsort(member, n, sizeof *member, by_class);
	for (uint32_t i = 0; i < n; i++)
		add_member(e, &member[i], i, &nclasses);
	tv_free(member);
	for (uint32_t t = 0; t < machine->ntypes; t++)
		e->first[t + 1] += e->first[t];
	tv_maxima_init(&e->ends, n);
	for (uint32_t c = 0; c < nclasses; c++) {
		tv_maxima_init(&e->class[c].busy, e->class[c].n);
		tv_maxima_init(&e->class[c].idle, e->class[c].n);
	}
	for (uint32_t w = 0; w < n; w++)
		update(e, w);
	return e;
}

void tv_sim_expected_free(struct tv_sim_expected *e)
{
	if (e == NULL)
		return;
	for (uint32_t c = 0; c < e->first[e->machine->ntypes]; c++) {
		tv_maxima_release(&e->class[c].busy);
		tv_maxima_release(&e->class[c].idle);
	}
	tv_maxima_release(&e->ends);
	tv_free(e->class);
	tv_free(e->first);
	tv_free(e->sorted);
	tv_free(e->of);
	tv_free(e->place);
	tv_free(e->until);
	tv_free(e->waiting);
	tv_free(e);
}

void tv_sim_expected_runs(struct tv_sim_expected *e, uint32_t worker, int64_t length, int64_t end)
{
	e->waiting[worker] -= length;
	e->until[worker] = end;
	tv_maxima_set(&e->ends, worker, INT64_MAX - end);
	update(e, worker);
}

void tv_sim_expected_waits(struct tv_sim_expected *e, uint32_t worker, int64_t more)
{
	e->waiting[worker] += more;
	update(e, worker);
}

/* Those that have ended what they ran. */
static void advance(struct tv_sim_expected *e, int64_t now)
{
	while (tv_maxima_greatest(&e->ends) >= INT64_MAX - now) {
		uint32_t w = tv_maxima_next(&e->ends, 0, INT64_MAX - now);

		tv_maxima_set(&e->ends, w, 0);
		update(e, w);
	}
}

/* When the first worker of a class is free; not before now. */
static int64_t first_free(const struct class *class, int64_t now)
{
	int64_t busy = tv_maxima_greatest(&class->busy), idle = tv_maxima_greatest(&class->idle);
	int64_t free = busy > 0 ? INT64_MAX - busy : INT64_MAX;

	return idle > 0 && now + (INT64_MAX - idle) < free ? now + (INT64_MAX - idle) : free;
}

/* The one with the smallest number of a class that is free by `limit`. */
static uint32_t first_worker(const struct tv_sim_expected *e, const struct class *class,
			     int64_t limit, int64_t now)
{
	uint32_t busy = tv_maxima_next(&class->busy, 0, INT64_MAX - limit);
	uint32_t idle = tv_maxima_next(&class->idle, 0, INT64_MAX - (limit - now));

	return e->sorted[class->first + (busy < idle ? busy : idle)];
}

void tv_sim_expected_choose(struct tv_sim_expected *e, uint32_t type, int64_t cost,
			    const int64_t *transfer, int64_t now, struct tv_sim_choice *choice)
{
	advance(e, now);
	for (uint32_t c = e->first[type]; c < e->first[type + 1]; c++) {
		const struct class *class = &e->class[c];
		int64_t wait = transfer == NULL ? 0 : transfer[class->memory];
		int64_t start = first_free(class, now), end;
		uint32_t w;

		start = start > now + wait ? start : now + wait;
		end = start + cost + wait;
		if (choice->worker != NONE && end > choice->end)
			continue;
		w = first_worker(e, class, start, now);
		if (choice->worker != NONE && end == choice->end && w > choice->worker)
			continue;
		*choice = (struct tv_sim_choice){
			w, end,
			start + cost - (e->until[w] > now ? e->until[w] : now) - e->waiting[w]
		};
	}
}
