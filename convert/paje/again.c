/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * again.c -- lines of Pajé that came before, but for their time and value.
 *
 * The events of a run repeat: the same states of the same workers, the same counters. Of StarPU's
 * traces three lines of four are, without their times and the values of counters and events, among
 * the last thousand different ones, and such a line makes the same record but for these. It is found
 * by its bytes, not split.
 */
#include "convert/paje/paje.h"

#include <string.h>

#include "trace/digits.h"

/* What is between words nearly always; lines with other blanks are split. */
static bool is_gap(char c)
{
	return c == ' ' || c == '\t';
}

/* The length of a word of up to 16 bytes before a gap; 0 for any other. */
static size_t word_length(const char *s)
{
	for (size_t i = 0; i < 16; i += 8) {
		/* The high bit of each byte up to ' '; a borrow only changes bytes behind one. */
		uint64_t word = tv_load8(s + i);
		uint64_t low = (word - 0x2121212121212121u) & ~word & 0x8080808080808080u;

		if (low != 0) {
			i += (size_t)__builtin_ctzll(low) / 8;
			return is_gap(s[i]) ? i : 0;
		}
	}
	return 0;
}

/* Eight of the first 32 bytes of s[0..n), n <= 32, from `at` on, with zeros behind. */
static uint64_t word_of(const char *s, size_t n, size_t at)
{
	static const char ones[64] = {
		-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
		-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
	};

	return tv_load8(s + at) & tv_load8(ones + 32 - n + at);
}

/* Whether an event of that number has its value at the end of the line, and values that differ. A
 * hint: what is remembered of a line has been checked. */
static bool is_value_last(const struct tv_paje *paje, uint32_t number)
{
	uint32_t def = tv_index_get(&paje->by_number, number);

	return def != TV_NONE && paje->def[def].value_last;
}

/* The length of the last word of s[0..n) if a gap precedes it, nothing follows, and it has less than
 * 16 bytes, none of them a quote or #; else 0. Four bytes of the line or more precede s. */
static size_t last_word(const char *s, size_t n)
{
	size_t length = 0;

	for (; length <= 8 && n >= length + 4; length += 8) {
		/* The high bit of each byte up to '#', without carries between bytes. */
		uint64_t word = tv_load8(s + n - length - 8), high = 0x8080808080808080u;
		uint64_t low = ~(((word & ~high) + 0x5c5c5c5c5c5c5c5cu) | word) & high;

		if (low != 0) {
			length += (size_t)__builtin_clzll(low) / 8;
			return length < n && is_gap(s[n - 1 - length]) ? length : 0;
		}
	}
	return 0;
}

enum { TEXT_MAX = 32, VALUE_APART = 1 << 23 };

bool tv_paje_line_key(const struct tv_paje *paje, const char *s, size_t n,
		      struct tv_paje_line_key *key)
{
	size_t digits = is_gap(s[1]) ? 1 : 2, length = word_length(s + digits + 1), left;
	size_t before = digits + 1 + length + 1; /* of the text after the time */
	uint32_t number = (uint32_t)(s[0] - '0');
	uint64_t hash;

	if (length == 0 || !is_gap(s[digits]) || n - before - 1 >= TEXT_MAX)
		return false;
	number = digits == 1 ? number : number * 10 + (uint32_t)(s[1] - '0');
	left = n - before;
	key->time = (struct tv_paje_field){ s + digits + 1, length };
	key->tag = (uint64_t)paje->generation << 32 | (unsigned char)s[0] << 8;
	key->tag |= (unsigned char)s[1];
	s += before;
	length = is_value_last(paje, number) ? last_word(s, left) : 0;
	/* Of a text between single quotes it may be a part. */
	if (length > 0 && (s[left - length] == '\'' || s[left - 1] == '\''))
		length = 0;
	left -= length;
	key->value = (struct tv_paje_field){ s + left, length };
	key->tag |= left << 16 | (length > 0 ? VALUE_APART : 0);
	key->text[0] = word_of(s, left, 0);
	key->text[1] = word_of(s, left, 8);
	key->text[2] = word_of(s, left, 16);
	key->text[3] = word_of(s, left, 24);
	hash = key->text[0] * 0x9e3779b97f4a7c15u ^ (key->text[1] + key->tag) * 0xbf58476d1ce4e5b9u
	     ^ key->text[2] * 0x94d049bb133111ebu ^ key->text[3] * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
	key->slot = (uint32_t)(hash >> 32) % TV_PAJE_SEEN;
	return true;
}

/* Whether the words that a key leaves out are the fields that it takes them for. */
static bool fits(const struct tv_paje *paje, const struct tv_paje_def *def,
		 const struct tv_paje_line_key *key)
{
	const struct tv_paje_field *time = &paje->field[1], *last = &paje->field[paje->nfields - 1];

	return def->at[PAJE_TIME] == 0 && time->s == key->time.s && time->n == key->time.n
	    && (key->value.n == 0
		|| (def->value_last && paje->nfields == def->nfields + 1u && last->s == key->value.s
		    && last->n == key->value.n));
}

/* Links have keys, which differ; containers are created once. */
void tv_paje_remember(struct tv_paje *paje, const struct tv_paje_def *def,
		      const struct tv_paje_line_key *key)
{
	struct tv_paje_seen *seen = &paje->seen[key->slot];
	struct tv_paje_record kept = paje->record[paje->n - 1];
	bool repeats = (def->kind >= PAJE_SET_STATE && def->kind <= PAJE_SUB_VARIABLE)
		    || def->kind == PAJE_NEW_EVENT;

	if (!repeats || !fits(paje, def, key))
		return;
	memcpy(seen->text, key->text, sizeof seen->text);
	seen->tag = key->tag;
	kept.flags &= ~(unsigned)PAJE_LATE;
	seen->number_or_value = kept.number_or_value;
	seen->container = kept.container;
	seen->more = kept.more;
	seen->what = kept.what;
}
