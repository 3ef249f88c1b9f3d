/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairs.c -- small maps of numbers. */
#include "convert/pairs.h"

#include <string.h>

#include "trace/alloc.h"

static size_t pair_slot(const struct tv_pairs *pairs, uint32_t a, uint32_t b)
{
	uint64_t hash = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
	size_t at = (hash ^ hash >> 32) & (pairs->size - 1);

	while (pairs->slot[at].a != TV_NONE && (pairs->slot[at].a != a || pairs->slot[at].b != b))
		at = (at + 1) & (pairs->size - 1);
	return at;
}

static void grow_pairs(struct tv_pairs *pairs)
{
	struct tv_pairs larger = { .n = pairs->n, .size = pairs->size == 0 ? 64 : pairs->size * 2 };

	larger.slot = tv_realloc(NULL, larger.size, sizeof *larger.slot);
	memset(larger.slot, 0xff, larger.size * sizeof *larger.slot);
	for (size_t i = 0; i < pairs->size; i++)
		if (pairs->slot[i].a != TV_NONE)
			larger.slot[pair_slot(&larger, pairs->slot[i].a, pairs->slot[i].b)] =
				pairs->slot[i];
	tv_free(pairs->slot);
	*pairs = larger;
}

uint32_t *tv_pairs_at(struct tv_pairs *pairs, uint32_t a, uint32_t b)
{
	size_t at;

	if (pairs->n >= pairs->size / 2)
		grow_pairs(pairs);
	at = pair_slot(pairs, a, b);
	if (pairs->slot[at].a == TV_NONE) {
		pairs->slot[at] = (struct tv_pair){ a, b, TV_NONE };
		pairs->n++;
	}
	return &pairs->slot[at].value;
}

uint32_t tv_pairs_get(const struct tv_pairs *pairs, uint32_t a, uint32_t b)
{
	const struct tv_pair *pair;

	if (pairs->n == 0)
		return TV_NONE;
	pair = &pairs->slot[pair_slot(pairs, a, b)];
	return pair->a == TV_NONE ? TV_NONE : pair->value;
}

void tv_pairs_release(struct tv_pairs *pairs)
{
	tv_free(pairs->slot);
	*pairs = (struct tv_pairs){ 0 };
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
