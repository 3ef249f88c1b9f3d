/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * error.h -- one error type for the whole program, owned by the caller.
 *
 * Library code returns 0 or -1 (pointers: NULL) with *err filled; it never prints and never exits.
 * Nothing here allocates, so an error can be reported when memory is short.
 */
#ifndef TV_ERROR_H
#define TV_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define TV_COUNT(array)	     (sizeof(array) / sizeof *(array))
#define TV_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define TV_MUST_CHECK	     __attribute__((warn_unused_result))

/* A place in an input. Lines count from 1; 0 means unknown. file may be NULL; it is borrowed. */
struct tv_pos {
	const char *file;
	long line;
};

enum tv_failure {
	TV_FAILED = 1,	 /* exit status 1: the work could not be done */
	TV_USAGE = 2,	 /* exit status 2: the command line is wrong */
	TV_NEGATIVE = 3, /* exit status 3: a negative verdict */
	TV_UNCERTAIN = 4 /* exit status 4: no verdict possible */
};

struct tv_error {
	enum tv_failure status; /* 0 while nothing failed */
	char file[512];		/* copy of the place's file, "" if none */
	long line;
	char text[1024]; /* what is wrong, one line, control characters replaced by '?' */
	char quote[256]; /* what the user wrote, or a part of it; "" = nothing to show */
	int caret;	 /* characters of it before the place that is wrong */
	bool outside; /* no content of an input is the reason: a call of the system failed, or an output cannot be that */
	bool parts; /* rows come part by part: they could not be read, or all at once may do */
};

/* Fills *err and returns -1. A second failure overwrites the first. */
int tv_fail(struct tv_error *err, const char *format, ...) TV_PRINTF(2, 3);
/* The same where rows that come part by part are not enough. */
int tv_fail_parts(struct tv_error *err, const char *format, ...) TV_PRINTF(2, 3);
/* The same about a place in an input. */
int tv_fail_at(struct tv_error *err, struct tv_pos at, const char *format, ...) TV_PRINTF(3, 4);
/* The same about a call of the system: "PATH: what: text of code", an errno. */
int tv_fail_system(struct tv_error *err, const char *path, const char *what, int code);
/* The same with exit status 2. */
int tv_fail_usage(struct tv_error *err, const char *format, ...) TV_PRINTF(2, 3);
/* The same about what the user wrote: quote[at] is where it is wrong. A long quote is cut. */
int tv_fail_quote(struct tv_error *err, const char *quote, size_t at, const char *format, ...)
	TV_PRINTF(4, 5);
/* Ends the program with a message: a mistake in traceviz itself, which no input may cause. */
_Noreturn void tv_bug(const char *format, ...) TV_PRINTF(1, 2);
/* Called instead with the message, if it is set; it may longjmp. Where it returns, the program ends. NULL = none. */
void tv_on_bug(void (*handler)(const char *text));
/* Adds what a failure is about: its text becomes "what: text", the rest stays. Returns -1. */
int tv_fail_about(struct tv_error *err, const char *what);
/* Adds what is to be known beside it: its text becomes "text; why". Returns -1. */
int tv_fail_also(struct tv_error *err, const char *why);

#endif
