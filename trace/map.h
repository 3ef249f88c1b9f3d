/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map.h -- maps from two 64-bit keys, from a label, or from a number that may be small, to a number.
 *
 * A zeroed struct is an empty map; nothing is ever removed.
 */
#ifndef TV_MAP_H
#define TV_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "trace/pool.h"

/* A hash map with open addressing, at most two thirds full. Cost O(1) amortized. */
struct tv_map {
	struct tv_map_slot {
		uint64_t a, b;
		uint32_t value;
		uint32_t used;
	} * slot;
	size_t n, size; /* size is 0 or a power of two */
};

/* The value of a key, NULL if it is not in the map. Valid until the next key is added. */
uint32_t *tv_map_get(const struct tv_map *map, uint64_t a, uint64_t b);
/* The same, added as TV_NONE when new. */
uint32_t *tv_map_at(struct tv_map *map, uint64_t a, uint64_t b);
/* Sets the value of a key. */
void tv_map_put(struct tv_map *map, uint64_t a, uint64_t b, uint32_t value);
void tv_map_release(struct tv_map *map);

/* Numbers by label: one cell per label up to the largest that was set. Free `at` with tv_free. */
struct tv_index {
	uint32_t *at;
	size_t n, cap;
};

void tv_index_set(struct tv_index *index, uint32_t label, uint32_t value);
/* TV_NONE where nothing was set. */
static inline uint32_t tv_index_get(const struct tv_index *index, uint32_t label)
{
	return label < index->n ? index->at[label] : TV_NONE;
}

/* Numbers by number: keys that are dense from 0 on in an array, which has at most some 32 bytes per
 * key, the others in a map. */
struct tv_numbers {
	struct tv_index near;
	struct tv_map far;
	size_t n; /* calls of tv_numbers_put */
};

/* Sets the number of a key, not to TV_NONE. Cost O(1) amortized. */
void tv_numbers_put(struct tv_numbers *numbers, uint64_t key, uint32_t value);
void tv_numbers_release(struct tv_numbers *numbers);
/* TV_NONE where nothing was set. */
static inline uint32_t tv_numbers_get(const struct tv_numbers *numbers, uint64_t key)
{
	const uint32_t *value;

	if (key < numbers->near.n)
		return numbers->near.at[key];
	value = tv_map_get(&numbers->far, key, 0);
	return value != NULL ? *value : TV_NONE;
}

#endif
