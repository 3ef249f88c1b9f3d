/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.c -- memory with overflow checks and one limit for the process. */
#include "trace/alloc.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_size_t limit_bytes;
static atomic_size_t used_bytes;

void tv_memory_limit(size_t bytes)
{
	atomic_store(&limit_bytes, bytes);
}

size_t tv_memory_max(void)
{
	size_t limit = atomic_load(&limit_bytes);

	if (limit == 0) {
		long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

		limit = pages > 0 && size > 0 ? (size_t)pages / 5 * 4 * (size_t)size : SIZE_MAX / 2;
		atomic_store(&limit_bytes, limit);
	}
	return limit;
}

size_t tv_memory_used(void)
{
	return atomic_load(&used_bytes);
}

static int over_limit(size_t more)
{
	size_t used = atomic_load(&used_bytes), limit = tv_memory_max();

	return more > limit || used > limit - more;
}

void *tv_alloc(size_t n, size_t size)
{
	void *p;

	if (n == 0 || size == 0)
		n = size = 1;
	if (n > SIZE_MAX / size || over_limit(n * size))
		return NULL;
	p = calloc(n, size);
	if (p != NULL)
		atomic_fetch_add(&used_bytes, malloc_usable_size(p));
	return p;
}

void *tv_realloc(void *p, size_t n, size_t size)
{
	size_t old = p != NULL ? malloc_usable_size(p) : 0;
	void *q;

	if (n == 0 || size == 0)
		n = size = 1;
	/* What is as large as before may still get another page. */
	if (n > SIZE_MAX / size || (n * size >= old && over_limit(n * size - old + 1)))
		return NULL;
	q = realloc(p, n * size);
	if (q != NULL) {
		atomic_fetch_add(&used_bytes, malloc_usable_size(q));
		atomic_fetch_sub(&used_bytes, old);
	}
	return q;
}

void tv_free(void *p)
{
	if (p != NULL)
		atomic_fetch_sub(&used_bytes, malloc_usable_size(p));
	free(p);
}

char *tv_strndup(const char *s, size_t n)
{
	char *copy = n < SIZE_MAX ? tv_realloc(NULL, n + 1, 1) : NULL;

	if (copy != NULL) {
		memcpy(copy, s, n);
		copy[n] = '\0';
	}
	return copy;
}

char *tv_strdup(const char *s)
{
	return tv_strndup(s, strlen(s));
}

char *tv_format(const char *format, ...)
{
	va_list args;
	char *text = NULL;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n >= 0)
		text = tv_alloc((size_t)n + 1, 1);
	if (text != NULL) {
		va_start(args, format);
		vsnprintf(text, (size_t)n + 1, format, args);
		va_end(args);
	}
	return text;
}

int tv_grow(void *array, size_t n, size_t *cap, size_t extra, size_t size)
{
	void *old, *new;
	size_t want;

	if (n <= *cap && extra <= *cap - n)
		return 0;
	if (extra > SIZE_MAX / 2 - n)
		return -1;
	want = n + extra;
	/* Half as much again: large blocks are moved by the kernel without copying. */
	if (want < *cap + *cap / 2)
		want = *cap + *cap / 2;
	if (want < 16)
		want = 16;
	memcpy(&old, array, sizeof old);
	new = tv_realloc(old, want, size);
	if (new == NULL && want > n + extra) {
		/* Near the limit; not one by one, which would copy the array each time. */
		want = n + extra + n / 64;
		new = tv_realloc(old, want, size);
	}
	if (new == NULL)
		return -1;
	memcpy(array, &new, sizeof new);
	*cap = want;
	return 0;
}
