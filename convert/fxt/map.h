/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map.h -- from a pair of 64-bit keys to a number: jobs, handles, threads, transfers by what a
 * trace calls them.
 *
 * Open addressing, at most two thirds full; entries are never removed. A zeroed struct is an empty
 * map.
 */
#ifndef TV_FXT_MAP_H
#define TV_FXT_MAP_H

#include <stddef.h>
#include <stdint.h>

struct tv_fxt_slot {
	uint64_t a, b;
	uint32_t value;
	uint32_t used;
};

struct tv_fxt_map {
	struct tv_fxt_slot *slot;
	size_t n, size; /* size is 0 or a power of two */
};

void tv_fxt_map_release(struct tv_fxt_map *map);
/* The value of a key, NULL if it is not in the map. Valid until the next tv_fxt_map_put. */
uint32_t *tv_fxt_map_get(const struct tv_fxt_map *map, uint64_t a, uint64_t b);
/* Sets the value of a key. Amortized O(1). */
void tv_fxt_map_put(struct tv_fxt_map *map, uint64_t a, uint64_t b, uint32_t value);

#endif
