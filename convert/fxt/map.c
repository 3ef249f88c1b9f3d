/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map.c -- hash map with pairs of 64-bit keys. */
#include "convert/fxt/map.h"

#include "trace/alloc.h"

/* The finaliser of MurmurHash3 (Austin Appleby, public domain) over both words. */
static size_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = a ^ (b + 0x9e3779b97f4a7c15U) * 0xff51afd7ed558ccdU;

	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdU;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53U;
	h ^= h >> 33;
	return (size_t)h;
}

/* The slot of a key, or the free one where it belongs. The map has free slots. */
static struct tv_fxt_slot *find(const struct tv_fxt_map *map, uint64_t a, uint64_t b)
{
	size_t i = hash(a, b) & (map->size - 1);

	while (map->slot[i].used && (map->slot[i].a != a || map->slot[i].b != b))
		i = (i + 1) & (map->size - 1);
	return &map->slot[i];
}

uint32_t *tv_fxt_map_get(const struct tv_fxt_map *map, uint64_t a, uint64_t b)
{
	struct tv_fxt_slot *slot = map->size > 0 ? find(map, a, b) : NULL;

	return slot != NULL && slot->used ? &slot->value : NULL;
}

static void rehash(struct tv_fxt_map *map)
{
	struct tv_fxt_map bigger = { .n = map->n, .size = map->size > 0 ? 2 * map->size : 64 };

	bigger.slot = tv_alloc(bigger.size, sizeof *bigger.slot);
	for (size_t i = 0; i < map->size; i++)
		if (map->slot[i].used)
			*find(&bigger, map->slot[i].a, map->slot[i].b) = map->slot[i];
	tv_free(map->slot);
	*map = bigger;
}

void tv_fxt_map_put(struct tv_fxt_map *map, uint64_t a, uint64_t b, uint32_t value)
{
	struct tv_fxt_slot *slot;

	if (map->n >= map->size / 3 * 2)
		rehash(map);
	slot = find(map, a, b);
	if (!slot->used)
		map->n++;
	*slot = (struct tv_fxt_slot){ a, b, value, 1 };
}

void tv_fxt_map_release(struct tv_fxt_map *map)
{
	tv_free(map->slot);
	*map = (struct tv_fxt_map){ 0 };
}
