/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache.c -- last-level caches that contain whole blocks of data. */
#include "sim/cache.h"

#include <assert.h>

#include "trace/alloc.h"

#define NONE UINT32_MAX

struct copy {
	uint32_t cache, block;
	uint32_t next;		/* of the same block; free: the next free one */
	uint32_t before, after; /* in the cache's list, while it is not locked */
	uint32_t locks;
	bool valid, has_data, modified;
};

/* Its copies that are not locked, from the one that leaves next. */
struct cache {
	int64_t capacity, used;
	uint32_t first, last;
	bool changed; /* it is in the list of those that are */
};

struct tv_sim_caches {
	struct cache *cache;
	uint32_t ncaches;
	const int64_t *size;
	uint32_t *of_block; /* its first copy */
	struct copy *copy;
	size_t ncopies, cap;
	uint32_t free;
	uint32_t *changed;
	uint32_t nchanged;
};

struct tv_sim_caches *tv_sim_caches_new(uint32_t ncaches, const int64_t *capacity, uint32_t nblocks,
					const int64_t *size)
{
	struct tv_sim_caches *c = tv_alloc(1, sizeof *c);

	*c = (struct tv_sim_caches){ .ncaches = ncaches, .size = size, .free = NONE };
	c->cache = tv_alloc(ncaches, sizeof *c->cache);
	c->changed = tv_alloc(ncaches, sizeof *c->changed);
	c->of_block = tv_alloc(nblocks, sizeof *c->of_block);
	for (uint32_t i = 0; i < ncaches; i++)
		c->cache[i] = (struct cache){ capacity[i], 0, NONE, NONE, false };
	for (uint32_t b = 0; b < nblocks; b++)
		c->of_block[b] = NONE;
	return c;
}

void tv_sim_caches_free(struct tv_sim_caches *c)
{
	if (c == NULL)
		return;
	tv_free(c->cache);
	tv_free(c->changed);
	tv_free(c->of_block);
	tv_free(c->copy);
	tv_free(c);
}

uint32_t tv_sim_cache_find(const struct tv_sim_caches *c, uint32_t cache, uint32_t block)
{
	uint32_t copy = c->of_block[block];

	while (copy != NONE && c->copy[copy].cache != cache)
		copy = c->copy[copy].next;
	return copy;
}

static void change_used(struct tv_sim_caches *c, uint32_t cache, int64_t bytes)
{
	c->cache[cache].used += bytes;
	if (!c->cache[cache].changed)
		c->changed[c->nchanged++] = cache;
	c->cache[cache].changed = true;
}

static uint32_t add_copy(struct tv_sim_caches *c, uint32_t cache, uint32_t block)
{
	uint32_t copy = c->free;

	if (copy != NONE) {
		c->free = c->copy[copy].next;
	} else {
		TV_GROW(c->copy, c->ncopies, c->cap, 1);
		copy = (uint32_t)c->ncopies++;
	}
	c->copy[copy] = (struct copy){
		.cache = cache, .block = block, .next = c->of_block[block], .valid = true
	};
	c->of_block[block] = copy;
	change_used(c, cache, c->size[block]);
	return copy;
}

/* Out of the list of its block. */
static void forget(struct tv_sim_caches *c, uint32_t copy)
{
	uint32_t *at = &c->of_block[c->copy[copy].block];

	while (*at != copy)
		at = &c->copy[*at].next;
	*at = c->copy[copy].next;
	c->copy[copy].valid = false;
}

static void free_copy(struct tv_sim_caches *c, uint32_t copy)
{
	change_used(c, c->copy[copy].cache, -c->size[c->copy[copy].block]);
	c->copy[copy].next = c->free;
	c->free = copy;
}

/* Out of the list of those that may leave their cache. */
static void keep(struct tv_sim_caches *c, uint32_t number)
{
	struct copy *copy = &c->copy[number];
	struct cache *cache = &c->cache[copy->cache];

	*(copy->before == NONE ? &cache->first : &c->copy[copy->before].after) = copy->after;
	*(copy->after == NONE ? &cache->last : &c->copy[copy->after].before) = copy->before;
}

uint32_t tv_sim_cache_lock(struct tv_sim_caches *c, uint32_t cache, uint32_t block)
{
	uint32_t copy = tv_sim_cache_find(c, cache, block);

	if (copy == NONE)
		copy = add_copy(c, cache, block);
	else if (c->copy[copy].locks == 0)
		keep(c, copy);
	c->copy[copy].locks++;
	return copy;
}

void tv_sim_cache_unlock(struct tv_sim_caches *c, uint32_t number)
{
	struct copy *copy = &c->copy[number];
	struct cache *cache = &c->cache[copy->cache];

	assert(copy->locks > 0);
	if (--copy->locks > 0)
		return;
	if (!copy->valid) {
		free_copy(c, number);
		return;
	}
	copy->before = cache->last;
	copy->after = NONE;
	*(cache->last == NONE ? &cache->first : &c->copy[cache->last].after) = number;
	cache->last = number;
}

uint32_t tv_sim_cache_evict(struct tv_sim_caches *c, uint32_t cache, bool *modified)
{
	uint32_t copy = c->cache[cache].first;

	if (copy == NONE || c->cache[cache].used <= c->cache[cache].capacity)
		return NONE;
	*modified = c->copy[copy].modified;
	keep(c, copy);
	forget(c, copy);
	free_copy(c, copy);
	return c->copy[copy].block;
}

void tv_sim_cache_arrive(struct tv_sim_caches *c, uint32_t copy)
{
	c->copy[copy].has_data = true;
}

void tv_sim_cache_write(struct tv_sim_caches *c, uint32_t copy)
{
	if (!c->copy[copy].valid)
		return;
	c->copy[copy].has_data = c->copy[copy].modified = true;
	for (uint32_t other = c->of_block[c->copy[copy].block], next; other != NONE; other = next) {
		next = c->copy[other].next;
		if (other == copy)
			continue;
		forget(c, other);
		if (c->copy[other].locks > 0)
			continue;
		keep(c, other);
		free_copy(c, other);
	}
}

uint32_t tv_sim_cache_copies(const struct tv_sim_caches *c, uint32_t block)
{
	return c->of_block[block];
}

uint32_t tv_sim_cache_next(const struct tv_sim_caches *c, uint32_t copy)
{
	return c->copy[copy].next;
}

uint32_t tv_sim_cache_of(const struct tv_sim_caches *c, uint32_t copy)
{
	return c->copy[copy].cache;
}

bool tv_sim_cache_has_data(const struct tv_sim_caches *c, uint32_t copy)
{
	return c->copy[copy].has_data;
}

int64_t tv_sim_cache_used(const struct tv_sim_caches *c, uint32_t cache)
{
	return c->cache[cache].used;
}

uint32_t tv_sim_cache_changed(struct tv_sim_caches *c)
{
	uint32_t cache;

	if (c->nchanged == 0)
		return NONE;
	cache = c->changed[--c->nchanged];
	c->cache[cache].changed = false;
	return cache;
}
