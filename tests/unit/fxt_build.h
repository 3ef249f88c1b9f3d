/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_build.h -- FxT files made by hand: any word size and byte order; and small ones cut out of
 * real ones. */
#ifndef TV_FXT_BUILD_H
#define TV_FXT_BUILD_H

#include "tests/unit/unit.h"

#include <stdio.h>

#include "convert/fxt/codes.h"
#include "convert/fxt/file.h"

enum { BUILD_MAX = 1 << 20, KEEP = 2 };

struct build {
	unsigned char *bytes;
	size_t n;
	unsigned word; /* 8 or 4 */
	bool big;      /* big-endian recorder */
};

static inline void build_number(struct build *b, uint64_t value, unsigned bytes)
{
	assert_true(b->n + bytes <= BUILD_MAX);
	for (unsigned i = 0; i < bytes; i++)
		b->bytes[b->n++] = (unsigned char)(value >> 8 * (b->big ? bytes - 1 - i : i));
}

/* Architecture, an empty block of information, the header of the events. */
static inline void build_begin(struct build *b, unsigned word, bool big)
{
	*b = (struct build){ .bytes = test_malloc(BUILD_MAX), .word = word, .big = true };
	build_number(b, big ? word == 8 ? 0x80000 : 0x10000 : word == 8 ? 2 : 0, 4);
	b->big = big;
	build_number(b, 16, 8);
	build_number(b, 0x001, 4);
	build_number(b, 0, 4);
	build_number(b, 0, 8);
	build_number(b, word == 8 ? 0x201 : 0x200, 4);
	build_number(b, 0, 4);
}

/* A record; text (or NULL) follows the n parameters and is closed by a NUL. */
static inline void build_record(struct build *b, uint64_t time, uint32_t code, unsigned n,
				const int64_t *param, const char *text)
{
	unsigned words = text != NULL ? (unsigned)(strlen(text) / b->word) + 1 : 0;

	build_number(b, time, 8);
	build_number(b, 0, b->word);
	build_number(b, (uint64_t)code << 8 | (n + words + 1), b->word);
	for (unsigned i = 0; i < n; i++)
		build_number(b, (uint64_t)param[i], b->word);
	assert_true(b->n + words * b->word <= BUILD_MAX);
	memset(b->bytes + b->n, 0, words * b->word);
	if (text != NULL)
		memcpy(b->bytes + b->n, text, strlen(text));
	b->n += words * b->word;
}
#define RECORD(b, time, code, text, ...) \
	build_record(b, time, code, sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), \
		     (const int64_t[]){ __VA_ARGS__ }, text)

/* The first KEEP records of every code of a real file. */
static inline void build_thin(struct build *b, const unsigned char *bytes, size_t n)
{
	static uint8_t seen[65536];
	struct tv_error err = { 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	struct tv_fxt_file file;

	memset(seen, 0, sizeof seen);
	build_begin(b, 8, false);
	assert_int_equal(tv_fxt_open(&file, "sample", bytes, n, &err), 0);
	tv_fxt_rewind(&cursor, &file);
	while (tv_fxt_next(&cursor, &event) == TV_FXT_EVENT) {
		if (event.code > 65535 || seen[event.code]++ >= KEEP)
			continue;
		seen[event.code] = seen[event.code] > KEEP ? KEEP : seen[event.code];
		memcpy(b->bytes + b->n, bytes + event.offset, cursor.at - event.offset);
		b->n += cursor.at - event.offset;
	}
}

#endif
