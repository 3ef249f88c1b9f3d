/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.c -- fill an error; make text from the outside safe to print. */
#include "trace/error.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

size_t tv_utf8_length(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t want = s[0] < 0x80		  ? 1
		    : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		    : (s[0] & 0xf0) == 0xe0	  ? 3
		    : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
						  : 0;

	if (want == 0 || want > n)
		return 0;
	for (size_t i = 1; i < want; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)
	    || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return want;
}

/* Code points that are no characters (U+FDD0..FDEF, U+nFFFE, U+nFFFF): XML and Cairo refuse them.
 */
static int is_noncharacter(const unsigned char *s, size_t len)
{
	if (len == 3 && s[0] == 0xef)
		return (s[1] == 0xb7 && s[2] >= 0x90 && s[2] < 0xb0)
		    || (s[1] == 0xbf && s[2] >= 0xbe);
	return len == 4 && (s[1] & 0x0f) == 0x0f && s[2] == 0xbf && s[3] >= 0xbe;
}

bool tv_utf8_hidden(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;

	if (n == 1)
		return s[0] < 0x20 || s[0] == 0x7f;
	/* U+0080..9F, U+061C */
	if (n == 2)
		return (s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xd8 && s[1] == 0x9c);
	/* U+200E..200F, U+2028..202E, U+2066..2069 */
	return n == 3 && s[0] == 0xe2
	    && ((s[1] == 0x80 && ((s[2] >= 0x8e && s[2] <= 0x8f) || (s[2] >= 0xa8 && s[2] <= 0xae)))
		|| (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
}

char *tv_clean_text(char *out, unsigned long size, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = strlen(text), used = 0;

	for (size_t i = 0; i < n;) {
		size_t len = tv_utf8_length(text + i, n - i);
		int bad = len == 0 || tv_utf8_hidden(text + i, len) || is_noncharacter(s + i, len);

		if (used + (bad ? 1 : len) + 1 > size)
			break;
		if (bad) {
			out[used++] = '?';
		} else {
			memcpy(out + used, s + i, len);
			used += len;
		}
		i += len == 0 ? 1 : len;
	}
	if (size > 0)
		out[used] = '\0';
	return out;
}

static void set(struct tv_error *err, enum tv_failure status, struct tv_pos at, const char *format,
		va_list args)
{
	char raw[sizeof err->text];

	vsnprintf(raw, sizeof raw, format, args);
	tv_clean_text(err->text, sizeof err->text, raw);
	tv_clean_text(err->file, sizeof err->file, at.file != NULL ? at.file : "");
	err->line = at.line;
	err->status = status;
	err->quote[0] = '\0';
	err->memory = 0;
}

int tv_fail(struct tv_error *err, struct tv_pos at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, TV_FAILED, at, format, args);
	va_end(args);
	return -1;
}

int tv_fail_usage(struct tv_error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, TV_USAGE, (struct tv_pos){ 0 }, format, args);
	va_end(args);
	return -1;
}

int tv_fail_about(struct tv_error *err, const char *what)
{
	char raw[sizeof err->text];

	if (snprintf(raw, sizeof raw, "%s: %s", what, err->text) > 0)
		tv_clean_text(err->text, sizeof err->text, raw);
	return -1;
}

/* The first character at or behind s[at]: bytes inside of a UTF-8 character are none. */
static size_t character_at(const char *s, size_t at)
{
	while ((s[at] & 0xc0) == 0x80)
		at++;
	return at;
}

int tv_fail_quote(struct tv_error *err, const char *quote, size_t at, const char *format, ...)
{
	enum { BEFORE = 60, SHOWN = 140 }; /* bytes: a line or two of a terminal */
	size_t from = at > BEFORE ? character_at(quote, at - BEFORE) : 0;
	const char *cut = from > 0 ? "..." : "";
	char raw[sizeof err->quote];
	va_list args;
	int n;

	va_start(args, format);
	set(err, TV_USAGE, (struct tv_pos){ 0 }, format, args);
	va_end(args);
	n = snprintf(raw, sizeof raw, "%s%.*s", cut, (int)(at - from), quote + from);
	tv_clean_text(err->quote, sizeof err->quote, raw);
	err->caret = 0;
	for (const char *s = err->quote; *s != '\0'; s++)
		err->caret += (*s & 0xc0) != 0x80;
	if (strlen(quote + at) > SHOWN)
		snprintf(raw + n, sizeof raw - (size_t)n, "%.*s...",
			 (int)(character_at(quote, at + SHOWN) - at), quote + at);
	else
		snprintf(raw + n, sizeof raw - (size_t)n, "%s", quote + at);
	tv_clean_text(err->quote, sizeof err->quote, raw);
	return -1;
}

int tv_fail_memory(struct tv_error *err)
{
	tv_fail(err, (struct tv_pos){ 0 },
		"out of memory: %zu MB in use, the limit is %zu MB (see --max-memory)",
		tv_memory_used() / 1000000, tv_memory_max() / 1000000);
	err->memory = 1;
	return -1;
}
