/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base64.c -- three bytes as four letters. */
#include "views/backends/base64.h"

#include <string.h>

static void flush(struct tv_base64 *to)
{
	tv_output_write(to->out, to->text, to->filled);
	to->filled = 0;
}

/* The bytes kept as four letters, '=' for those that there are not. */
static void encode(struct tv_base64 *to)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned word = (unsigned)to->kept[0] << 16 | (unsigned)to->kept[1] << 8 | to->kept[2];
	char four[4] = { digit[word >> 18], digit[word >> 12 & 63], digit[word >> 6 & 63],
			 digit[word & 63] };

	for (unsigned i = to->n + 1; i < 4; i++)
		four[i] = '=';
	if (to->filled + 4 > sizeof to->text)
		flush(to);
	memcpy(to->text + to->filled, four, 4);
	to->filled += 4;
	memset(to->kept, 0, sizeof to->kept);
	to->n = 0;
}

void tv_base64_write(struct tv_base64 *to, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < n; i++) {
		to->kept[to->n++] = byte[i];
		if (to->n == 3)
			encode(to);
	}
}

void tv_base64_end(struct tv_base64 *to)
{
	if (to->n > 0)
		encode(to);
	flush(to);
}
