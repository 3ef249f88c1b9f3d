/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base91.c -- 13 bits as two characters. */
#include "views/backends/base91.h"

static const char digit[] = "!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`"
			    "abcdefghijklmnopqrstuvwxyz{|}~";

static void put(struct tv_base91 *to, unsigned value)
{
	if (to->filled == sizeof to->text) {
		tv_output_write(to->out, to->text, to->filled);
		to->filled = 0;
	}
	to->text[to->filled++] = digit[value];
}

void tv_base91_write(struct tv_base91 *to, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < n; i++) {
		to->bits |= (unsigned)byte[i] << to->nbits;
		to->nbits += 8;
		if (to->nbits < 13)
			continue;
		put(to, (to->bits & 8191) % 91);
		put(to, (to->bits & 8191) / 91);
		to->bits >>= 13;
		to->nbits -= 13;
	}
}

void tv_base91_end(struct tv_base91 *to)
{
	if (to->nbits > 0)
		put(to, to->bits % 91);
	if (to->nbits > 6)
		put(to, to->bits / 91);
	tv_output_write(to->out, to->text, to->filled);
	to->bits = to->nbits = 0;
	to->filled = 0;
}
