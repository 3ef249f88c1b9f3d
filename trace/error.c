/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error.c -- fill an error. */
#include "trace/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/text.h"

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
	err->outside = false;
	err->parts = false;
}

int tv_fail(struct tv_error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, TV_FAILED, (struct tv_pos){ 0 }, format, args);
	va_end(args);
	return -1;
}

int tv_fail_parts(struct tv_error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, TV_FAILED, (struct tv_pos){ 0 }, format, args);
	va_end(args);
	err->parts = true;
	return -1;
}

int tv_fail_at(struct tv_error *err, struct tv_pos at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(err, TV_FAILED, at, format, args);
	va_end(args);
	return -1;
}

int tv_fail_system(struct tv_error *err, const char *path, const char *what, int code)
{
	tv_fail_at(err, (struct tv_pos){ path, 0 }, "%s: %s", what, strerror(code));
	err->outside = true;
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

static void (*on_bug)(const char *text);

void tv_on_bug(void (*handler)(const char *text))
{
	on_bug = handler;
}

_Noreturn void tv_bug(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (on_bug != NULL)
		on_bug(text);
	fprintf(stderr, "traceviz: internal error: %s\n", text);
	abort();
}

int tv_fail_also(struct tv_error *err, const char *why)
{
	size_t n = strlen(err->text);

	snprintf(err->text + n, sizeof err->text - n, "%s%s", n > 0 ? "; " : "", why);
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
