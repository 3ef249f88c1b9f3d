/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alloc.h -- memory with overflow checks and one limit for the process.
 *
 * Everything that grows with the input is allocated here, so a limit (--max-memory, by default 80 %
 * of the machine's memory) turns an input that is too large into an error instead of a killed
 * process. The counter is global and atomic.
 */
#ifndef TV_ALLOC_H
#define TV_ALLOC_H

#include <stddef.h>

/* n objects of the given size, zeroed. NULL when memory or the limit is exhausted. n == 0 gives a
 * valid pointer. Free with tv_free. */
void *tv_alloc(size_t n, size_t size);
/* As realloc: p may be NULL; on failure p stays valid. New bytes are not zeroed. */
void *tv_realloc(void *p, size_t n, size_t size);
void tv_free(void *p);
/* A copy of s[0..n) with a closing NUL. */
char *tv_strndup(const char *s, size_t n);
char *tv_strdup(const char *s);
/* Formats into new memory; NULL when memory is exhausted. */
char *tv_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets the limit in bytes; 0 = the default. */
void tv_memory_limit(size_t bytes);
size_t tv_memory_max(void);	/* the limit in force */
size_t tv_memory_used(void);	/* bytes held now */

/* Makes room for `extra` more elements: *p has *cap elements of `size` bytes, n in use. 0 or -1. */
int tv_grow(void *p, size_t n, size_t *cap, size_t extra, size_t size);
#define TV_GROW(array, n, cap, extra) tv_grow(&(array), (n), &(cap), (extra), sizeof *(array))

#endif
