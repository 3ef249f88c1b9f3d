/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.c -- memory nodes of limited size. */
#include "sim/space.h"

#include <string.h>

#include "trace/alloc.h"

/* Lists of copies that may leave, in the order of their last use; two for each memory node. */
enum list { IDLE, AWAITED, NLISTS };

struct copy {
	size_t before, after; /* in its list; of the list's own entry: last and first */
	uint32_t working, awaiting;
	bool here, listed;
};

/* Space that becomes free. */
struct release {
	int64_t time, bytes;
};

struct memory {
	int64_t used;		 /* bytes of copies that are here or come */
	int64_t listed[NLISTS];	 /* bytes of those that may leave */
	struct release *release; /* [gone, n): what is not free yet, by time */
	size_t gone, n, cap;
};

struct tv_sim_space {
	const struct tv_sim_memory *of;
	struct copy *copy; /* nhandles x nmemories, then the entries of the lists */
	struct memory *memory;
	int64_t exceeded;
	struct tv_sim_use *use;
	size_t nuses, uses_cap;
};

static size_t place_of(const struct tv_sim_space *s, uint32_t handle, uint32_t memory)
{
	return (size_t)handle * s->of->nmemories + memory;
}

static size_t list_of(const struct tv_sim_space *s, uint32_t memory, enum list list)
{
	return ((size_t)s->of->nhandles + list) * s->of->nmemories + memory;
}

/* ---- lists ---- */

static void unlist(struct tv_sim_space *s, uint32_t handle, uint32_t memory)
{
	struct copy *copy = &s->copy[place_of(s, handle, memory)];

	if (!copy->listed)
		return;
	s->copy[copy->before].after = copy->after;
	s->copy[copy->after].before = copy->before;
	s->memory[memory].listed[copy->awaiting > 0 ? AWAITED : IDLE] -= s->of->size[handle];
	copy->listed = false;
}

/* Last in its list, if it may leave. */
static void enlist(struct tv_sim_space *s, uint32_t handle, uint32_t memory)
{
	size_t place = place_of(s, handle, memory), list;
	struct copy *copy = &s->copy[place];
	enum list which = copy->awaiting > 0 ? AWAITED : IDLE;

	if (!copy->here || copy->working > 0)
		return;
	list = list_of(s, memory, which);
	copy->before = s->copy[list].before;
	copy->after = list;
	s->copy[copy->before].after = place;
	s->copy[list].before = place;
	s->memory[memory].listed[which] += s->of->size[handle];
	copy->listed = true;
}

/* ---- changes ---- */

static void log_use(struct tv_sim_space *s, uint32_t memory, int64_t time, int64_t bytes)
{
	TV_GROW(s->use, s->nuses, s->uses_cap, 1);
	s->use[s->nuses++] = (struct tv_sim_use){ memory, time, bytes };
}

static bool has_limit(const struct tv_sim_memory *of)
{
	for (uint32_t m = 0; of->capacity != NULL && m < of->nmemories; m++)
		if (of->capacity[m] >= 0)
			return true;
	return false;
}

struct tv_sim_space *tv_sim_space_new(const struct tv_sim_memory *of)
{
	struct tv_sim_space *s;

	if (!has_limit(of))
		return NULL;
	s = tv_alloc(1, sizeof *s);
	s->of = of;
	s->copy = tv_alloc(((size_t)of->nhandles + NLISTS) * of->nmemories, sizeof *s->copy);
	s->memory = tv_alloc(of->nmemories, sizeof *s->memory);
	for (uint32_t m = 0; m < of->nmemories; m++)
		for (int list = 0; list < NLISTS; list++) {
			size_t place = list_of(s, m, (enum list)list);

			s->copy[place].before = s->copy[place].after = place;
		}
	for (uint32_t h = 0; h < of->nhandles; h++)
		if (tv_sim_space_is_limited(s, of->home[h]))
			tv_sim_space_take(s, h, of->home[h], 0);
	return s;
}

void tv_sim_space_free(struct tv_sim_space *s)
{
	if (s == NULL)
		return;
	for (uint32_t m = 0; m < s->of->nmemories; m++)
		tv_free(s->memory[m].release);
	tv_free(s->memory);
	tv_free(s->copy);
	tv_free(s->use);
	tv_free(s);
}

bool tv_sim_space_is_limited(const struct tv_sim_space *s, uint32_t memory)
{
	return s != NULL && s->of->capacity[memory] >= 0;
}

bool tv_sim_space_has(const struct tv_sim_space *s, uint32_t handle, uint32_t memory)
{
	return s->copy[place_of(s, handle, memory)].here;
}

void tv_sim_space_work(struct tv_sim_space *s, uint32_t handle, uint32_t memory, int change)
{
	unlist(s, handle, memory);
	s->copy[place_of(s, handle, memory)].working += (uint32_t)change;
	enlist(s, handle, memory);
}

void tv_sim_space_await(struct tv_sim_space *s, uint32_t handle, uint32_t memory, int change)
{
	unlist(s, handle, memory);
	s->copy[place_of(s, handle, memory)].awaiting += (uint32_t)change;
	enlist(s, handle, memory);
}

bool tv_sim_space_fits(const struct tv_sim_space *s, uint32_t memory, int64_t bytes)
{
	return s->memory[memory].used + bytes <= s->of->capacity[memory];
}

bool tv_sim_space_can_fit(const struct tv_sim_space *s, uint32_t memory, int64_t bytes,
			  bool awaited_too)
{
	const struct memory *m = &s->memory[memory];

	return tv_sim_space_fits(s, memory,
				 bytes - m->listed[IDLE] - (awaited_too ? m->listed[AWAITED] : 0));
}

uint32_t tv_sim_space_victim(const struct tv_sim_space *s, uint32_t memory, bool awaited_too)
{
	for (int list = IDLE; list <= (awaited_too ? AWAITED : IDLE); list++) {
		size_t entry = list_of(s, memory, (enum list)list), first = s->copy[entry].after;

		if (first != entry)
			return (uint32_t)(first / s->of->nmemories);
	}
	return UINT32_MAX;
}

/* When all bytes in use fit with those that are not free yet; the last release if they never do. */
static int64_t find_time(struct memory *m, int64_t capacity, int64_t now)
{
	int64_t left = capacity - m->used;

	while (m->gone < m->n && m->release[m->gone].time <= now)
		m->gone++;
	for (size_t i = m->n; i > m->gone; i--) {
		left -= m->release[i - 1].bytes;
		if (left < 0)
			return m->release[i - 1].time;
	}
	return now;
}

int64_t tv_sim_space_take(struct tv_sim_space *s, uint32_t handle, uint32_t memory, int64_t now)
{
	struct memory *m = &s->memory[memory];
	int64_t capacity = s->of->capacity[memory], time;

	s->copy[place_of(s, handle, memory)].here = true;
	enlist(s, handle, memory);
	m->used += s->of->size[handle];
	if (m->used - capacity > s->exceeded)
		s->exceeded = m->used - capacity;
	time = find_time(m, capacity, now);
	log_use(s, memory, time, s->of->size[handle]);
	return time;
}

void tv_sim_space_leave(struct tv_sim_space *s, uint32_t handle, uint32_t memory, int64_t at)
{
	struct memory *m = &s->memory[memory];
	int64_t bytes = s->of->size[handle];
	size_t i;

	unlist(s, handle, memory);
	s->copy[place_of(s, handle, memory)].here = false;
	m->used -= bytes;
	log_use(s, memory, at, -bytes);
	if (m->gone > 0) { /* amortized: each entry moves once for each that is gone */
		memmove(m->release, m->release + m->gone, (m->n - m->gone) * sizeof *m->release);
		m->n -= m->gone;
		m->gone = 0;
	}
	TV_GROW(m->release, m->n, m->cap, 1);
	for (i = m->n++; i > 0 && m->release[i - 1].time > at; i--)
		m->release[i] = m->release[i - 1];
	m->release[i] = (struct release){ at, bytes };
}

int64_t tv_sim_space_exceeded(const struct tv_sim_space *s)
{
	return s->exceeded;
}

struct tv_sim_use *tv_sim_take_uses(struct tv_sim_space *s, size_t *n)
{
	struct tv_sim_use *use = s->use;

	*n = s->nuses;
	s->use = NULL;
	s->nuses = s->uses_cap = 0;
	return use;
}
