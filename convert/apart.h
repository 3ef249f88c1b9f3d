/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * apart.h -- a library that trusts its input, in a process of its own.
 *
 * It may crash or hang on damaged files; here that ends a stream of bytes early. The child inherits
 * everything and prints nothing.
 */
#ifndef TV_APART_H
#define TV_APART_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct tv_apart {
	pid_t child;
	int from;    /* end of the pipe */
	char *bytes; /* what was read of it */
	size_t begin, end;
	bool hangs; /* nothing came for ten seconds */
};

/* Calls work(context, to) in a child, which ends when it returns; false: no child can be started. */
bool tv_apart_start(struct tv_apart *apart, void (*work)(void *context, FILE *to), void *context);
/* The same of bytes that are there: of a file that is open, which is closed with it. */
void tv_apart_open(struct tv_apart *apart, int from);
/* At least the next n bytes that the child wrote, n < 64 KiB, which stay where they are; NULL when there are fewer. Valid until
 * the next call. */
const char *tv_apart_wait(struct tv_apart *apart, size_t n);
/* The same, without a call where they are there. */
static inline const char *tv_apart_peek(struct tv_apart *apart, size_t n)
{
	return apart->end - apart->begin >= n ? apart->bytes + apart->begin
					      : tv_apart_wait(apart, n);
}
/* The next n bytes; false when there are fewer. */
bool tv_apart_take(struct tv_apart *apart, void *to, size_t n);
/* Ends the child, if there is one; safe on a struct that was not started, with `from` -1. */
void tv_apart_stop(struct tv_apart *apart);

#endif
