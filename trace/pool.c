/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c -- strings stored once, in blocks that never move: whole numbers are found by their value
 * as long as these are dense, other strings by open addressing over 32-bit hashes. */
#include "trace/pool.h"

#include <stdbool.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

enum { BLOCK = 64 * 1024 };

/* In the pool of a piece: where the numbers of whole numbers begin. */
#define VALUE ((uint32_t)1 << 31)

struct entry {
	const char *text;
	uint32_t length, hash; /* hash 0: a number in `number` */
};

struct block {
	struct block *next;
	char bytes[];
};

struct tv_pool {
	unsigned owners;
	struct entry *entry;
	size_t n, cap;
	uint32_t *slot;	  /* entry number + 1; 0 = free */
	size_t nslots;	  /* a power of two */
	size_t nhashed;	  /* entries with a slot */
	uint32_t *number; /* by value: entry number + 1; 0 = not here */
	size_t nnumbers, numbers_cap;
	bool sparse; /* some number has a slot */
	bool piece;  /* numbers are VALUE + their value */
	struct block *blocks;
	size_t used, size; /* of the newest block */
};

/* FNV-1a over eight bytes at a time, finished with a multiply-shift mix. */
static uint32_t hash_bytes(const char *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u ^ n, word;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&word, s, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, s, n);
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	h >>= 32;
	return h != 0 ? (uint32_t)h : 1;
}

enum { DIGITS = 9, DENSE = 65536 }; /* of a number that may be found by its value */

/* Whether s[0..n) is what is written for a whole number of up to DIGITS digits. */
static bool is_number(const char *s, size_t n, uint32_t *value)
{
	uint32_t v = 0;

	if (n == 0 || n > DIGITS || (*s == '0' && n > 1))
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned digit = (unsigned char)s[i] - (unsigned)'0';

		if (digit > 9)
			return false;
		v = v * 10 + digit;
	}
	*value = v;
	return true;
}

/* The cell of a value in `number`, which grows up to it unless the numbers known by now are few
 * for that: then NULL. */
static uint32_t *number_at(struct tv_pool *pool, uint32_t value)
{
	if (value >= pool->nnumbers) {
		size_t more = (size_t)value + 1 - pool->nnumbers;

		if (value >= DENSE && value / 16 > pool->n)
			return NULL;
		TV_GROW(pool->number, pool->nnumbers, pool->numbers_cap, more);
		memset(pool->number + pool->nnumbers, 0, more * sizeof *pool->number);
		pool->nnumbers += more;
	}
	return &pool->number[value];
}

struct tv_pool *tv_pool_new(void)
{
	struct tv_pool *pool = tv_alloc(1, sizeof *pool);

	pool->owners = 1;
	pool->nslots = 64;
	pool->slot = tv_alloc(pool->nslots, sizeof *pool->slot);
	tv_intern(pool, "", 0); /* id 0 */
	return pool;
}

struct tv_pool *tv_pool_new_piece(void)
{
	struct tv_pool *pool = tv_pool_new();

	pool->piece = true;
	return pool;
}

struct tv_pool *tv_pool_share(struct tv_pool *pool)
{
	pool->owners++;
	return pool;
}

void tv_pool_free(struct tv_pool *pool)
{
	if (pool == NULL || --pool->owners > 0)
		return;
	while (pool->blocks != NULL) {
		struct block *next = pool->blocks->next;

		tv_free(pool->blocks);
		pool->blocks = next;
	}
	tv_free(pool->entry);
	tv_free(pool->number);
	tv_free(pool->slot);
	tv_free(pool);
}

/* The slot of s: where it is, or the free one where it belongs. */
static size_t find_slot(const struct tv_pool *pool, const char *s, size_t n, uint32_t hash)
{
	size_t at = hash & (pool->nslots - 1);

	while (pool->slot[at] != 0) {
		const struct entry *e = &pool->entry[pool->slot[at] - 1];

		if (e->hash == hash && e->length == n && memcmp(e->text, s, n) == 0)
			break;
		at = (at + 1) & (pool->nslots - 1);
	}
	return at;
}

static void grow_slots(struct tv_pool *pool)
{
	size_t n = pool->nslots * 2;
	uint32_t *slot = tv_alloc(n, sizeof *slot);

	for (size_t i = 0; i < pool->n; i++) {
		size_t at = pool->entry[i].hash & (n - 1);

		if (pool->entry[i].hash == 0)
			continue;
		while (slot[at] != 0)
			at = (at + 1) & (n - 1);
		slot[at] = (uint32_t)i + 1;
	}
	tv_free(pool->slot);
	pool->slot = slot;
	pool->nslots = n;
}

static char *store(struct tv_pool *pool, const char *s, size_t n)
{
	char *text;

	if (pool->blocks == NULL || pool->size - pool->used < n + 1) {
		size_t size = n + 1 > BLOCK ? n + 1 : BLOCK;
		struct block *block = tv_realloc(NULL, sizeof *block + size, 1);

		block->next = pool->blocks;
		pool->blocks = block;
		pool->size = size;
		pool->used = 0;
	}
	text = pool->blocks->bytes + pool->used;
	memcpy(text, s, n);
	text[n] = '\0';
	pool->used += n + 1;
	return text;
}

/* A new entry: its number. hash 0: it has no slot. */
static uint32_t add(struct tv_pool *pool, const char *s, size_t n, uint32_t hash)
{
	/* Labels are 32 bits wide. */
	if (n >= UINT32_MAX || pool->n >= TV_NONE - 1)
		tv_memory_exhausted(n);
	TV_GROW(pool->entry, pool->n, pool->cap, 1);
	pool->entry[pool->n] = (struct entry){ store(pool, s, n), (uint32_t)n, hash };
	return (uint32_t)pool->n++;
}

static uint32_t intern_hashed(struct tv_pool *pool, const char *s, size_t n)
{
	uint32_t hash = hash_bytes(s, n);
	size_t at = find_slot(pool, s, n, hash);

	if (pool->slot[at] != 0)
		return pool->slot[at] - 1;
	if (pool->nhashed + 1 > pool->nslots / 4 * 3) {
		grow_slots(pool);
		at = find_slot(pool, s, n, hash);
	}
	pool->nhashed++;
	pool->slot[at] = add(pool, s, n, hash) + 1;
	return pool->slot[at] - 1;
}

uint32_t tv_intern(struct tv_pool *pool, const char *s, size_t n)
{
	uint32_t value, *cell;

	if (!is_number(s, n, &value))
		return intern_hashed(pool, s, n);
	if (pool->piece)
		return VALUE + value;
	if (value < pool->nnumbers && pool->number[value] != 0)
		return pool->number[value] - 1;
	/* It may have got a slot when it was far from the others. */
	cell = pool->sparse && tv_pool_find(pool, s, n) != TV_NONE ? NULL : number_at(pool, value);
	if (cell == NULL) {
		pool->sparse = true;
		return intern_hashed(pool, s, n);
	}
	*cell = add(pool, s, n, 0) + 1;
	return *cell - 1;
}

uint32_t tv_intern_again(struct tv_pool *pool, uint32_t last, const char *s, size_t n)
{
	const struct entry *e = &pool->entry[last < pool->n ? last : 0];

	return e->length == n && memcmp(e->text, s, n) == 0 ? last : tv_intern(pool, s, n);
}

uint32_t tv_intern_from(struct tv_pool *pool, const struct tv_pool *piece, uint32_t *known,
			uint32_t id)
{
	char text[TV_NUMBER_MAX];

	if (id == TV_NONE)
		return TV_NONE;
	if (id >= VALUE) {
		id -= VALUE;
		if (id < pool->nnumbers && pool->number[id] != 0)
			return pool->number[id] - 1;
		return tv_intern(pool, text, tv_write_int(text, id));
	}
	if (known[id] == TV_NONE)
		known[id] = tv_intern(pool, piece->entry[id].text, piece->entry[id].length);
	return known[id];
}

uint32_t tv_intern_text(struct tv_pool *pool, const char *s)
{
	return tv_intern(pool, s, strlen(s));
}

uint32_t tv_pool_find(const struct tv_pool *pool, const char *s, size_t n)
{
	uint32_t value;

	if (is_number(s, n, &value) && value < pool->nnumbers && pool->number[value] != 0)
		return pool->number[value] - 1;
	return pool->slot[find_slot(pool, s, n, hash_bytes(s, n))] - 1;
}

uint32_t tv_pool_find_text(const struct tv_pool *pool, const char *s)
{
	return tv_pool_find(pool, s, strlen(s));
}

const char *tv_pool_text(const struct tv_pool *pool, uint32_t id)
{
	return id < pool->n ? pool->entry[id].text : "";
}

size_t tv_pool_length(const struct tv_pool *pool, uint32_t id)
{
	return id < pool->n ? pool->entry[id].length : 0;
}

uint32_t tv_pool_count(const struct tv_pool *pool)
{
	return (uint32_t)pool->n;
}
