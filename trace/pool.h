/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.h -- strings stored once, named by a number.
 *
 * A trace has one pool: label columns and lists of all its tables contain its numbers, so the same
 * JobId or ResourceId has the same number everywhere and joins compare integers. Strings are never
 * removed, but with tv_pool_truncate, and never move. Id 0 is the empty string. All texts have 4 GB at most, of which a
 * string takes 2 bytes more than its length, 6 if it is long: beyond that memory counts as exhausted.
 */
#ifndef TV_POOL_H
#define TV_POOL_H

#include <stddef.h>
#include <stdint.h>

#define TV_NONE UINT32_MAX /* no label, no row, no index */

enum { TV_POOL_SPARE = 16 }; /* bytes behind a text that exist: tv_pool_string */

/* In the pool of a piece: the label of the whole number 0; that of 1 is the next one, and so on. */
#define TV_PIECE_NUMBERS ((uint32_t)1 << 31)

struct tv_pool;

struct tv_pool *tv_pool_new(void);
/* One for a piece of an input: whole numbers are not stored in it, their number is made of their
 * value; nothing else may be asked of that than tv_intern_from. */
struct tv_pool *tv_pool_new_piece(void);
struct tv_pool *tv_pool_share(struct tv_pool *pool); /* one more owner; returns pool */
void tv_pool_free(struct tv_pool *pool);	     /* one owner less; accepts NULL */

/* The number of s[0..n) (any bytes), added when new. Amortized
 * O(n). */
uint32_t tv_intern(struct tv_pool *pool, const char *s, size_t n);
/* The same if it often is what it was the last time: `last` is that number, 0 at first. */
uint32_t tv_intern_again(struct tv_pool *pool, uint32_t last, const char *s, size_t n);
/* The number in `pool` of the string that has the number `id` in a piece's pool; TV_NONE stays.
 * known[0..tv_pool_count(piece)) has the numbers found so far, TV_NONE at first. */
uint32_t tv_intern_from(struct tv_pool *pool, const struct tv_pool *piece, uint32_t *known,
			uint32_t id);
uint32_t tv_intern_text(struct tv_pool *pool, const char *s);
/* The number of s[0..n), or TV_NONE if it is not in the pool. */
uint32_t tv_pool_find(const struct tv_pool *pool, const char *s, size_t n);
uint32_t tv_pool_find_text(const struct tv_pool *pool, const char *s);
/* NUL-closed text of a number; "" for TV_NONE. Valid as long as the pool. */
const char *tv_pool_text(const struct tv_pool *pool, uint32_t id);
size_t tv_pool_length(const struct tv_pool *pool, uint32_t id);
/* Both at once. TV_POOL_SPARE bytes behind the text can be read, whatever they are. */
const char *tv_pool_string(const struct tv_pool *pool, uint32_t id, size_t *n);
uint32_t tv_pool_count(const struct tv_pool *pool);
/* Forgets the numbers from n > 0 on, which nobody has any more; their memory is used again. Cost O(n). */
void tv_pool_truncate(struct tv_pool *pool, uint32_t n);
/* For qsort_r of labels: the natural order of their texts. */
int tv_compare_labels(const void *a, const void *b, void *pool);

#endif
