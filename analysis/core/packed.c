/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packed.c -- step functions in little memory.
 *
 * A word has the time since the begin of the piece before in its upper 24 bits, and in its lower 8
 * the difference of values as an integer. What does not fit is a word ESCAPE and the piece itself.
 */
#include "analysis/core/packed.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

enum { ESCAPE = 0x80, ESCAPED_WORDS = 4, DELTA_MAX = 127, VALUE_BITS = 8 };
static const int64_t time_max = (1 << 24) - 1;

/* What follows the word ESCAPE. */
struct piece {
	int64_t time;
	double value;
};

_Static_assert(sizeof(struct piece) == ESCAPED_WORDS * sizeof(uint32_t), "whole words");

void tv_packed_init(struct tv_packed *packed, size_t n, int64_t end)
{
	*packed = (struct tv_packed){ .end = end };
	tv_reserve(&packed->word, 0, &packed->words_cap, n, sizeof *packed->word);
}

void tv_packed_release(struct tv_packed *packed)
{
	tv_free(packed->pack);
	tv_free(packed->word);
	*packed = (struct tv_packed){ 0 };
}

static void add_escaped(struct tv_packed *packed, int64_t time, double value)
{
	struct piece piece = { time, value };

	TV_GROW(packed->word, packed->nwords, packed->words_cap, 1 + ESCAPED_WORDS);
	packed->word[packed->nwords] = ESCAPE;
	memcpy(&packed->word[packed->nwords + 1], &piece, sizeof piece);
	packed->nwords += 1 + ESCAPED_WORDS;
}

static void add_word(struct tv_packed *packed)
{
	double by = packed->value - packed->before;
	uint64_t after = (uint64_t)packed->time - (uint64_t)packed->last;

	if (!(by >= -DELTA_MAX && by <= DELTA_MAX) || by != (double)(int8_t)by
	    || packed->before + by != packed->value || after > (uint64_t)time_max) {
		add_escaped(packed, packed->time, packed->value);
		return;
	}
	TV_GROW(packed->word, packed->nwords, packed->words_cap, 1);
	packed->word[packed->nwords++] = (uint32_t)after << VALUE_BITS | (uint8_t)(int8_t)by;
}

/* The newest piece that has a place ends there. */
static void add_piece_before(struct tv_packed *packed, int64_t end)
{
	if (packed->n > 0)
		packed->integral += packed->before * (double)(end - packed->last);
}

/* The open piece gets its place. */
static void close_piece(struct tv_packed *packed)
{
	struct tv_pack *pack;

	if (packed->n % TV_PACK == 0) {
		TV_GROW(packed->pack, packed->npacks, packed->packs_cap, 1);
		packed->pack[packed->npacks++] = (struct tv_pack){ packed->time, packed->value,
								   packed->nwords, packed->value,
								   packed->value };
	} else {
		add_word(packed);
	}
	add_piece_before(packed, packed->time);
	pack = &packed->pack[packed->npacks - 1];
	pack->min = packed->value < pack->min ? packed->value : pack->min;
	pack->max = packed->value > pack->max ? packed->value : pack->max;
	packed->n++;
	packed->last = packed->time;
	packed->before = packed->value;
	packed->open = false;
}

void tv_packed_to(struct tv_packed *packed, int64_t time, double value)
{
	if (packed->open && packed->time == time)
		packed->open = false;
	if (time >= packed->end || (packed->open && packed->value == value)
	    || (!packed->open && packed->n > 0 && packed->before == value))
		return;
	if (packed->open)
		close_piece(packed);
	packed->time = time;
	packed->value = value;
	packed->open = true;
}

void tv_packed_finish(struct tv_packed *packed)
{
	if (packed->open)
		close_piece(packed);
	add_piece_before(packed, packed->end);
	packed->word = tv_realloc(packed->word, packed->nwords, sizeof *packed->word);
	packed->words_cap = packed->nwords;
}

size_t tv_packed_read(const struct tv_packed *packed, size_t i, int64_t *time, double *value)
{
	size_t n = i + 1 < packed->npacks ? TV_PACK : packed->n - i * TV_PACK;
	const uint32_t *word = packed->word + packed->pack[i].word;

	time[0] = packed->pack[i].begin;
	value[0] = packed->pack[i].value;
	for (size_t k = 1; k < n; k++, word++) {
		struct piece piece;

		if (*word != ESCAPE) {
			time[k] = time[k - 1] + (*word >> VALUE_BITS);
			value[k] = value[k - 1] + (int8_t)(*word & UINT8_MAX);
			continue;
		}
		memcpy(&piece, word + 1, sizeof piece);
		word += ESCAPED_WORDS;
		time[k] = piece.time;
		value[k] = piece.value;
	}
	time[n] = tv_packed_end(packed, i);
	return n;
}

size_t tv_packed_find(const struct tv_packed *packed, int64_t t)
{
	/* The begin is what a pack starts with. */
	size_t n = tv_count_upto(&t, packed->pack, packed->npacks, sizeof *packed->pack,
				 tv_compare_int64);

	return n == 0 ? 0 : n - 1;
}
