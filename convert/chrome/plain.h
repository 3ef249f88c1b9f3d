/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h -- trace events without escapes in texts and without objects but args: nearly all. */
#ifndef TV_CHROME_PLAIN_H
#define TV_CHROME_PLAIN_H

#include "convert/chrome/parse.h"

enum { TV_CHROME_PLAIN_ARGS = 64 };

struct tv_chrome_plain {
	struct tv_chrome_event event; /* but for its line */
	struct tv_chrome_arg arg[TV_CHROME_PLAIN_ARGS];
};

/* A comma and an event behind it, at the begin of s[0..n): the number of bytes, and what yajl would have given. 0: it is not whole,
 * no JSON, or has something else in it. */
size_t tv_chrome_plain_event(const char *s, size_t n, struct tv_chrome_plain *plain);

/* What the value of a key of an event is: an enum tv_chrome_field, or one of these. */
enum { TV_CHROME_NO_FIELD = -1, TV_CHROME_ARGS = TV_CHROME_NFIELDS, TV_CHROME_ID2 };
int tv_chrome_field_of(const char *key, size_t n);

#endif
