/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cache.h -- last-level caches that contain whole blocks of data.
 *
 * A cache contains blocks up to its capacity in bytes; of blocks of one size these are
 * floor(capacity / size) slots [Daoudi 2021, (5.4)]. A block that a task uses is locked, by each of them.
 * Blocks leave in the order in which their last user unlocked them (LRU). If all that a cache contains
 * is locked, a new block comes in beyond the capacity, and blocks leave as soon as they are unlocked.
 *
 * Where a block is written, it is modified, and no other cache has a valid copy. Who locked such a copy
 * keeps it, of no use to others, until it is unlocked.
 */
#ifndef TV_SIM_CACHE_H
#define TV_SIM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct tv_sim_caches;

/* Capacities in bytes by cache, sizes by block; sizes are borrowed. */
struct tv_sim_caches *tv_sim_caches_new(uint32_t ncaches, const int64_t *capacity, uint32_t nblocks,
					const int64_t *size);
void tv_sim_caches_free(struct tv_sim_caches *caches); /* accepts NULL */

/* The copy of a block in a cache; UINT32_MAX = none. Cost O(caches that have one). */
uint32_t tv_sim_cache_find(const struct tv_sim_caches *caches, uint32_t cache, uint32_t block);
/* Locks the copy of a block, which comes in if it is not there. Returns its number, which is its own until
 * it is unlocked. The caller evicts once all blocks of the task are locked. */
uint32_t tv_sim_cache_lock(struct tv_sim_caches *caches, uint32_t cache, uint32_t block);
void tv_sim_cache_unlock(struct tv_sim_caches *caches, uint32_t copy);
/* Takes out the block that leaves a cache that is too full, and whether it was modified; UINT32_MAX =
 * none has to, or all are locked. */
uint32_t tv_sim_cache_evict(struct tv_sim_caches *caches, uint32_t cache, bool *modified);
/* A copy that is locked has its data now (a new one has not), or is written: other copies become
 * invalid. */
void tv_sim_cache_arrive(struct tv_sim_caches *caches, uint32_t copy);
void tv_sim_cache_write(struct tv_sim_caches *caches, uint32_t copy);

/* The copies of a block: the first, the next; UINT32_MAX behind the last. In order of coming, last first. */
uint32_t tv_sim_cache_copies(const struct tv_sim_caches *caches, uint32_t block);
uint32_t tv_sim_cache_next(const struct tv_sim_caches *caches, uint32_t copy);
uint32_t tv_sim_cache_of(const struct tv_sim_caches *caches, uint32_t copy);
bool tv_sim_cache_has_data(const struct tv_sim_caches *caches, uint32_t copy);
int64_t tv_sim_cache_used(const struct tv_sim_caches *caches, uint32_t cache); /* bytes */
/* Takes a cache whose bytes in use changed since it was taken last; UINT32_MAX = no more. */
uint32_t tv_sim_cache_changed(struct tv_sim_caches *caches);

#endif
