/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairs.h -- small maps for readers: from two numbers, or from a label, to a number.
 *
 * Zeroed structs are empty maps. Cost O(1) amortized; a label map has one cell per label up to the
 * largest set.
 */
#ifndef TV_PAIRS_H
#define TV_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/pool.h"

/* Open addressing. */
struct tv_pairs {
	struct tv_pair {
		uint32_t a, b, value;
	} * slot;	/* a == TV_NONE: free */
	size_t n, size; /* size: a power of two, or 0 */
};

/* The value of (a, b), a < TV_NONE; added as TV_NONE when new. Valid until the next call; NULL on
 * memory. */
uint32_t *tv_pairs_at(struct tv_pairs *pairs, uint32_t a, uint32_t b);
/* TV_NONE if (a, b) is absent. */
uint32_t tv_pairs_get(const struct tv_pairs *pairs, uint32_t a, uint32_t b);
void tv_pairs_release(struct tv_pairs *pairs);

/* Numbers by label, TV_NONE where nothing was set. Free `at` with tv_free. */
struct tv_index {
	uint32_t *at;
	size_t n, cap;
};

void tv_index_set(struct tv_index *index, uint32_t label, uint32_t value);
static inline uint32_t tv_index_get(const struct tv_index *index, uint32_t label)
{
	return label < index->n ? index->at[label] : TV_NONE;
}

#endif
