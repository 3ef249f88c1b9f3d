/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c -- strings stored once, in blocks that never move: whole numbers are found by their value
 * as long as these are dense, other strings by open addressing over 32-bit hashes. */
#include "trace/pool.h"

#include <stdbool.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/digits.h"
#include "trace/number.h"
#include "trace/text.h"

/* A string is named by its block and its place there: 16 bits each. */
enum { PLACE_BITS = 16, BLOCK = 1 << PLACE_BITS, FIRST_BLOCK = 4096, LONG = 255, RECENT_BITS = 10 };

struct slot {
	uint32_t label; /* + 1; 0 = free */
	uint32_t hash;
};

/* A string of up to eight bytes that is no number. */
struct recent {
	uint64_t word; /* tv_load_some */
	uint32_t length;
	uint32_t label;
};

struct tv_pool {
	unsigned owners;
	uint32_t slotted_min, slotted_max; /* no number outside has a slot */
	bool piece;			   /* numbers are TV_PIECE_NUMBERS + their value */
	/* By label: block << PLACE_BITS | place, where its length is before the text: in one byte, or
	 * if it is LONG in four bytes before this one. */
	uint32_t *entry;
	size_t n, cap;
	struct slot *slot;
	size_t nslots;	  /* a power of two */
	size_t nhashed;	  /* strings with a slot */
	uint32_t *number; /* by value from `origin` on: label + 1; 0 = not here */
	size_t nnumbers, numbers_cap;
	uint32_t origin;
	bool moves; /* the first number shows where it is */
	struct recent recent[1 << RECENT_BITS];
	char **block;
	size_t nblocks, blocks_cap;
	size_t used, size; /* of the newest block */
};

/* FNV-1a over eight bytes at a time, finished with a multiply-shift mix. Its lowest bits are those of the last character, unless
 * that ends a word: jobs are numbered, and so the slots of successive ones are in one line of the cache. */
static uint32_t hash_bytes(const char *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u ^ n, word, low = 0;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&word, s, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
	}
	word = 0;
	memcpy(&word, s, n);
	if (n > 0) {
		low = word >> 8 * (n - 1) & 7;
		word ^= low << 8 * (n - 1);
	}
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	h = h >> 32 ^ low;
	return h != 0 ? (uint32_t)h : 1;
}

enum { SHORT = 8, DENSE = 65536 }; /* bytes of a word; number that may be found by its value */

/* Whether s[0..n), 0 < n <= SHORT, of that word is what is written for a whole number. */
static inline bool is_number(const char *s, size_t n, uint64_t word, uint32_t *value)
{
	return *s <= '9' && (*s != '0' || n == 1) && tv_short_number(word, n, value);
}

/* The label of a value + 1; 0 = not in `number`. */
static inline uint32_t number_of(const struct tv_pool *pool, uint32_t value)
{
	uint32_t at = value - pool->origin;

	return at < pool->nnumbers ? pool->number[at] : 0;
}

/* The cell of a value in `number`, which grows up to it unless the numbers known by now are few
 * for that: then NULL. */
static uint32_t *number_at(struct tv_pool *pool, uint32_t value)
{
	if (pool->moves)
		pool->origin = value > DENSE ? value - DENSE : 0;
	pool->moves = false;
	if (value < pool->origin)
		return NULL;
	value -= pool->origin;
	if (value >= pool->nnumbers) {
		size_t more = (size_t)value + 1 - pool->nnumbers;

		if (value >= 2 * DENSE && value / 16 > pool->n)
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
	pool->slotted_min = UINT32_MAX;
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
	for (size_t i = 0; i < pool->nblocks; i++)
		tv_free(pool->block[i]);
	tv_free(pool->block);
	tv_free(pool->entry);
	tv_free(pool->number);
	tv_free(pool->slot);
	tv_free(pool);
}

static const char *text_of(const struct tv_pool *pool, uint32_t label)
{
	uint32_t at = pool->entry[label];

	return pool->block[at >> PLACE_BITS] + (at & (((uint32_t)1 << PLACE_BITS) - 1));
}

static size_t length_of(const char *text)
{
	uint32_t n = (unsigned char)text[-1];

	if (n == LONG)
		memcpy(&n, text - 1 - sizeof n, sizeof n);
	return n;
}

static bool is_text(const struct tv_pool *pool, uint32_t label, const char *s, size_t n)
{
	const char *text = text_of(pool, label);

	return length_of(text) == n && memcmp(text, s, n) == 0;
}

/* The slot of s: where it is, or the free one where it belongs. */
static struct slot *find_slot(const struct tv_pool *pool, const char *s, size_t n, uint32_t hash)
{
	size_t at = hash & (pool->nslots - 1);

	while (pool->slot[at].label != 0
	       && (pool->slot[at].hash != hash || !is_text(pool, pool->slot[at].label - 1, s, n)))
		at = (at + 1) & (pool->nslots - 1);
	return &pool->slot[at];
}

static void grow_slots(struct tv_pool *pool)
{
	size_t n = pool->nslots * 2;
	struct slot *slot = tv_alloc(n, sizeof *slot);

	for (size_t i = 0; i < pool->nslots; i++) {
		size_t at = pool->slot[i].hash & (n - 1);

		if (pool->slot[i].label == 0)
			continue;
		while (slot[at].label != 0)
			at = (at + 1) & (n - 1);
		slot[at] = pool->slot[i];
	}
	tv_free(pool->slot);
	pool->slot = slot;
	pool->nslots = n;
}

/* Makes room for `size` bytes in the newest block. The first one is small, for pools of few. */
static void need_block(struct tv_pool *pool, size_t size)
{
	if (pool->nblocks > 0 && pool->size - pool->used >= size)
		return;
	pool->size = pool->nblocks == 0 ? FIRST_BLOCK : BLOCK;
	pool->size = pool->size > size ? pool->size : size;
	if (pool->nblocks > UINT32_MAX >> PLACE_BITS)
		tv_memory_exhausted(size);
	TV_GROW(pool->block, pool->nblocks, pool->blocks_cap, 1);
	pool->block[pool->nblocks++] = tv_realloc(NULL, pool->size + TV_POOL_SPARE, 1);
	pool->used = 0;
}

/* A new label. */
static uint32_t add(struct tv_pool *pool, const char *s, size_t n)
{
	uint32_t length = (uint32_t)n;
	char *at;

	/* Labels are 32 bits wide. */
	if (n >= UINT32_MAX || pool->n >= TV_NONE - 1)
		tv_memory_exhausted(n);
	need_block(pool, sizeof length + 1 + n + 1);
	TV_GROW(pool->entry, pool->n, pool->cap, 1);
	at = pool->block[pool->nblocks - 1] + pool->used;
	if (n >= LONG) {
		memcpy(at, &length, sizeof length);
		at += sizeof length;
	}
	*at++ = (char)(n < LONG ? n : LONG);
	pool->used = (size_t)(at - pool->block[pool->nblocks - 1]);
	pool->entry[pool->n] = (uint32_t)((pool->nblocks - 1) << PLACE_BITS | pool->used);
	memcpy(at, s, n);
	at[n] = '\0';
	pool->used += n + 1;
	return (uint32_t)pool->n++;
}

static uint32_t intern_hashed(struct tv_pool *pool, const char *s, size_t n)
{
	uint32_t hash = hash_bytes(s, n), label;
	struct slot *slot = find_slot(pool, s, n, hash);

	if (slot->label != 0)
		return slot->label - 1;
	if (pool->nhashed + 1 > pool->nslots / 4 * 3) {
		grow_slots(pool);
		slot = find_slot(pool, s, n, hash);
	}
	pool->nhashed++;
	label = add(pool, s, n);
	*slot = (struct slot){ label + 1, hash };
	return label;
}

static void add_slotted(struct tv_pool *pool, uint32_t value)
{
	pool->slotted_min = value < pool->slotted_min ? value : pool->slotted_min;
	pool->slotted_max = value > pool->slotted_max ? value : pool->slotted_max;
}

/* The label of a whole number, which is not in pool->number. */
static uint32_t add_number(struct tv_pool *pool, uint32_t value, const char *s, size_t n)
{
	/* It may have got a slot when it was far from the others. */
	bool slotted = value >= pool->slotted_min && value <= pool->slotted_max
		    && find_slot(pool, s, n, hash_bytes(s, n))->label != 0;
	uint32_t *cell = slotted ? NULL : number_at(pool, value), label;

	if (cell == NULL) {
		add_slotted(pool, value);
		return intern_hashed(pool, s, n);
	}
	label = add(pool, s, n);
	*cell = label + 1;
	return label;
}

static inline uint32_t intern_word(struct tv_pool *pool, const char *s, size_t n, uint64_t word)
{
	struct recent *recent =
		&pool->recent[(word + n) * 0x9e3779b97f4a7c15u >> (64 - RECENT_BITS)];

	if (recent->word != word || recent->length != n)
		*recent = (struct recent){ word, (uint32_t)n, intern_hashed(pool, s, n) };
	return recent->label;
}

/* 0 < n <= SHORT */
static inline uint32_t intern_short(struct tv_pool *pool, const char *s, size_t n)
{
	uint64_t word = tv_load_some(s, n);
	uint32_t value;

	if (!is_number(s, n, word, &value))
		return intern_word(pool, s, n, word);
	if (pool->piece)
		return TV_PIECE_NUMBERS + value;
	if (number_of(pool, value) != 0)
		return number_of(pool, value) - 1;
	return add_number(pool, value, s, n);
}

uint32_t tv_intern_again(struct tv_pool *pool, uint32_t last, const char *s, size_t n)
{
	if (n > 0 && n <= SHORT)
		return intern_short(pool, s, n);
	return last < pool->n && is_text(pool, last, s, n) ? last : intern_hashed(pool, s, n);
}

uint32_t tv_intern(struct tv_pool *pool, const char *s, size_t n)
{
	return tv_intern_again(pool, TV_NONE, s, n);
}

uint32_t tv_intern_from(struct tv_pool *pool, const struct tv_pool *piece, uint32_t *known,
			uint32_t id)
{
	char text[TV_NUMBER_MAX];

	if (id == TV_NONE)
		return TV_NONE;
	if (id >= TV_PIECE_NUMBERS) {
		id -= TV_PIECE_NUMBERS;
		if (number_of(pool, id) != 0)
			return number_of(pool, id) - 1;
		return add_number(pool, id, text, tv_write_int(text, id));
	}
	if (known[id] == TV_NONE)
		known[id] = tv_intern(pool, text_of(piece, id), length_of(text_of(piece, id)));
	return known[id];
}

uint32_t tv_intern_text(struct tv_pool *pool, const char *s)
{
	return tv_intern(pool, s, strlen(s));
}

uint32_t tv_pool_find(const struct tv_pool *pool, const char *s, size_t n)
{
	uint32_t value;

	if (n > 0 && n <= SHORT && is_number(s, n, tv_load_some(s, n), &value)
	    && number_of(pool, value) != 0)
		return number_of(pool, value) - 1;
	return find_slot(pool, s, n, hash_bytes(s, n))->label - 1;
}

uint32_t tv_pool_find_text(const struct tv_pool *pool, const char *s)
{
	return tv_pool_find(pool, s, strlen(s));
}

const char *tv_pool_text(const struct tv_pool *pool, uint32_t id)
{
	return id < pool->n ? text_of(pool, id) : "";
}

size_t tv_pool_length(const struct tv_pool *pool, uint32_t id)
{
	return id < pool->n ? length_of(text_of(pool, id)) : 0;
}

const char *tv_pool_string(const struct tv_pool *pool, uint32_t id, size_t *n)
{
	static const char none[1 + TV_POOL_SPARE];
	const char *text = id < pool->n ? text_of(pool, id) : none;

	*n = text == none ? 0 : length_of(text);
	return text;
}

uint32_t tv_pool_count(const struct tv_pool *pool)
{
	return (uint32_t)pool->n;
}

/* Finds a string again that the pool has, be it a number: those to come may be far from it. */
static void find_again(struct tv_pool *pool, uint32_t label)
{
	const char *text = text_of(pool, label);
	size_t n = length_of(text);
	uint32_t value, hash = hash_bytes(text, n);

	if (n > 0 && n <= SHORT && is_number(text, n, tv_load_some(text, n), &value))
		add_slotted(pool, value);
	if (pool->nhashed + 1 > pool->nslots / 4 * 3)
		grow_slots(pool);
	pool->nhashed++;
	*find_slot(pool, text, n, hash) = (struct slot){ label + 1, hash };
}

void tv_pool_truncate(struct tv_pool *pool, uint32_t n)
{
	size_t blocks = (pool->entry[n - 1] >> PLACE_BITS) + 1;
	const char *last = text_of(pool, n - 1);

	if (n >= pool->n)
		return;
	while (pool->nblocks > blocks)
		tv_free(pool->block[--pool->nblocks]);
	/* A block that was the newest once had no room for more than the next string. */
	pool->used = (size_t)(last + length_of(last) + 1 - pool->block[blocks - 1]);
	pool->size = blocks == 1 ? FIRST_BLOCK : BLOCK;
	pool->size = pool->size > pool->used ? pool->size : pool->used;
	pool->n = n;
	pool->nhashed = pool->nnumbers = 0;
	pool->slotted_min = UINT32_MAX;
	pool->slotted_max = 0;
	pool->moves = true;
	memset(pool->slot, 0, pool->nslots * sizeof *pool->slot);
	memset(pool->recent, 0, sizeof pool->recent);
	for (uint32_t label = 0; label < n; label++)
		find_again(pool, label);
}

int tv_compare_labels(const void *a, const void *b, void *pool)
{
	return tv_natural_order(tv_pool_text(pool, *(const uint32_t *)a),
				tv_pool_text(pool, *(const uint32_t *)b));
}
