/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c -- a hash map with open addressing, numbers by label, numbers by number. */
#include "trace/map.h"

#include <string.h>

#include "trace/alloc.h"

/* Addresses differ in their high bits alone, numbers in the low ones: the product has both in its
 * high half, which is folded onto the low one. */
static size_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0xff51afd7ed558ccdU) * 0x9e3779b97f4a7c15U;

	return (size_t)(h ^ h >> 32);
}

/* The slot of a key, or the free one where it belongs. The map has free slots. */
static struct tv_map_slot *find(const struct tv_map *map, uint64_t a, uint64_t b)
{
	size_t i = hash(a, b) & (map->size - 1);

	while (map->slot[i].used && (map->slot[i].a != a || map->slot[i].b != b))
		i = (i + 1) & (map->size - 1);
	return &map->slot[i];
}

uint32_t *tv_map_get(const struct tv_map *map, uint64_t a, uint64_t b)
{
	struct tv_map_slot *slot = map->size > 0 ? find(map, a, b) : NULL;

	return slot != NULL && slot->used ? &slot->value : NULL;
}

static void resize(struct tv_map *map, size_t size)
{
	struct tv_map bigger = { .n = map->n, .size = size };

	bigger.slot = tv_alloc(bigger.size, sizeof *bigger.slot);
	for (size_t i = 0; i < map->size; i++)
		if (map->slot[i].used)
			*find(&bigger, map->slot[i].a, map->slot[i].b) = map->slot[i];
	tv_free(map->slot);
	*map = bigger;
}

uint32_t *tv_map_at(struct tv_map *map, uint64_t a, uint64_t b)
{
	struct tv_map_slot *slot;

	if (map->n >= map->size / 3 * 2)
		resize(map, map->size > 0 ? 2 * map->size : 64);
	slot = find(map, a, b);
	if (!slot->used) {
		*slot = (struct tv_map_slot){ a, b, TV_NONE, 1 };
		map->n++;
	}
	return &slot->value;
}

void tv_map_put(struct tv_map *map, uint64_t a, uint64_t b, uint32_t value)
{
	*tv_map_at(map, a, b) = value;
}

void tv_map_release(struct tv_map *map)
{
	tv_free(map->slot);
	*map = (struct tv_map){ 0 };
}

void tv_index_set(struct tv_index *index, uint32_t label, uint32_t value)
{
	if (label >= index->n) {
		size_t more = (size_t)label + 1 - index->n;

		TV_GROW(index->at, index->n, index->cap, more);
		memset(index->at + index->n, 0xff, more * sizeof *index->at);
		index->n = (size_t)label + 1;
	}
	index->at[label] = value;
}

enum { NEAR = 1024, NEAR_MAX = 1 << 30 };

void tv_numbers_put(struct tv_numbers *numbers, uint64_t key, uint32_t value)
{
	struct tv_index *near = &numbers->near;
	const struct tv_map *far = &numbers->far;
	size_t before = near->n;

	numbers->n++;
	if (key >= near->n && (key >= NEAR_MAX || (key >= NEAR && key / 4 > numbers->n))) {
		tv_map_put(&numbers->far, key, 0, value);
		return;
	}
	if (key >= near->n)
		tv_index_set(near, (uint32_t)(2 * key) + 63, TV_NONE);
	/* Those that were far until now; their slots are not looked at any more. */
	for (size_t i = 0; near->n > before && i < far->size; i++)
		if (far->slot[i].used && far->slot[i].a >= before && far->slot[i].a < near->n)
			near->at[far->slot[i].a] = far->slot[i].value;
	near->at[key] = value;
}

void tv_numbers_release(struct tv_numbers *numbers)
{
	tv_free(numbers->near.at);
	tv_map_release(&numbers->far);
	*numbers = (struct tv_numbers){ 0 };
}
