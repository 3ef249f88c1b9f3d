/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pack.c -- records as they go through the pipe between the two processes, some five bytes each instead of 24.
 *
 * A byte with the kind, a byte with the number of arguments and whether bytes follow; then numbers of 7 bits per byte, the low ones
 * first, each byte but the last with its high bit set: of an event the time since the event before it, the arguments, how many bytes
 * follow.
 */
#include "convert/otf2/library.h"

enum { FOLLOWED = 8, BITS = 7, CONTINUES = 1 << BITS };

static uint8_t *put(uint8_t *to, uint64_t number)
{
	for (; number >= CONTINUES; number >>= BITS)
		*to++ = (uint8_t)(number | CONTINUES);
	*to++ = (uint8_t)number;
	return to;
}

/* The byte behind a number; NULL: there is none before the end. */
static const uint8_t *get(const uint8_t *from, const uint8_t *end, uint64_t *number)
{
	unsigned shift = 0;

	if (from != end && *from < CONTINUES) { /* most are small */
		*number = *from;
		return from + 1;
	}
	for (*number = 0; from != end && shift < 64; shift += BITS) {
		*number |= (uint64_t)(*from & (CONTINUES - 1)) << shift;
		if (*from++ < CONTINUES)
			return from;
	}
	return NULL;
}

size_t tv_otf2_pack(const struct tv_otf2_record *record, uint64_t *time, uint8_t *to)
{
	uint8_t *at = to;

	*at++ = (uint8_t)record->kind;
	*at++ = (uint8_t)(record->nargs | (record->bytes > 0 ? FOLLOWED : 0));
	if (record->kind >= TV_OTF2_ENTER) {
		at = put(at, record->time - *time);
		*time = record->time;
	}
	for (unsigned i = 0; i < record->nargs; i++)
		at = put(at, record->arg[i]);
	if (record->bytes > 0)
		at = put(at, record->bytes);
	return (size_t)(at - to);
}

size_t tv_otf2_unpack(struct tv_otf2_record *record, uint64_t *time, const uint8_t *from, size_t n)
{
	const uint8_t *at = from + 2, *end = from + n;
	uint64_t since = 0, bytes = 0;

	*record = (struct tv_otf2_record){ 0 };
	if (n < 2 || (from[1] & (FOLLOWED - 1)) > TV_OTF2_ARGS || from[1] >= 2 * FOLLOWED)
		return 0;
	record->kind = from[0];
	record->nargs = from[1] & (FOLLOWED - 1);
	if (record->kind >= TV_OTF2_ENTER)
		at = get(at, end, &since);
	for (unsigned i = 0; at != NULL && i < record->nargs; i++)
		at = get(at, end, &record->arg[i]);
	if (at != NULL && (from[1] & FOLLOWED) != 0)
		at = get(at, end, &bytes);
	if (at == NULL || bytes > UINT32_MAX)
		return 0;
	record->time = *time += since;
	record->bytes = (uint32_t)bytes;
	return (size_t)(at - from);
}
