/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.c -- memory that never fails to its caller, with overflow checks and one limit. */
#include "trace/alloc.h"

#include <limits.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/text.h"
#include "trace/unfinished.h"

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

void tv_memory_reuse(void)
{
	enum { AHEAD = 1 << 24, LARGE = 1 << 22, ALL = 1 << 30 };

	mallopt(M_MMAP_THRESHOLD, LARGE);
	mallopt(M_TRIM_THRESHOLD, ALL);
	mallopt(M_TOP_PAD, AHEAD);
}

void tv_memory_keep(void)
{
	mallopt(M_MMAP_MAX, 0);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

static int over_limit(size_t more)
{
	size_t used = atomic_load(&used_bytes), limit = tv_memory_max();

	return more > limit || used > limit - more;
}

char *tv_memory_message(char *text, size_t size, size_t bytes, const char *purpose)
{
	char request[64] = "";

	if (bytes > 0)
		snprintf(request, sizeof request, "; %zu MB more were needed", bytes / 1000000 + 1);
	snprintf(text, size,
		 "out of memory%s%s: %zu MB in use, the limit is %zu MB (see --max-memory)%s",
		 purpose[0] != '\0' ? " while " : "", purpose, tv_memory_used() / 1000000,
		 tv_memory_max() / 1000000, request);
	return text;
}

static void print_and_exit(size_t bytes, const char *purpose)
{
	char text[512];

	tv_unfinished_remove_all();
	fprintf(stderr, "traceviz: %s\n", tv_memory_message(text, sizeof text, bytes, purpose));
	_exit(1);
}

static tv_memory_handler *on_exhaustion = print_and_exit;
static char purpose_now[256];

void tv_memory_on_exhaustion(tv_memory_handler *handler)
{
	on_exhaustion = handler != NULL ? handler : print_and_exit;
}

void tv_memory_purpose(const char *format, ...)
{
	char raw[sizeof purpose_now];
	va_list args;

	va_start(args, format);
	vsnprintf(raw, sizeof raw, format, args);
	va_end(args);
	tv_clean_text(purpose_now, sizeof purpose_now, raw);
}

/* Where exhausted memory ends a thread's work. */
struct trap {
	jmp_buf back;
	size_t bytes;
};

static _Thread_local struct trap *trap;

bool tv_memory_try(void (*work)(void *context), void *context, size_t *bytes)
{
	struct trap here, *volatile outer = trap;

	trap = &here;
	if (setjmp(here.back) == 0) {
		work(context);
		trap = outer;
		return true;
	}
	trap = outer;
	*bytes = here.bytes;
	return false;
}

_Noreturn void tv_memory_exhausted(size_t bytes)
{
	if (trap != NULL) {
		trap->bytes = bytes;
		longjmp(trap->back, 1);
	}
	on_exhaustion(bytes, purpose_now);
	abort();
}

enum { LARGE = 8 << 20, LARGE_RESERVED = 2 << 20 };

/* Large blocks may get large pages: a page fault for each 4 KiB was a third of the time of reading a
 * trace. Small ones would be rounded up by too much; those that grow are moved, which costs more with
 * large pages than it saves. Where the kernel does not, nothing happens. */
static void use_large_pages(void *p, size_t bytes, size_t large)
{
	const uintptr_t page = 4096;
	uintptr_t begin = (uintptr_t)p & ~(page - 1);
	uintptr_t end = ((uintptr_t)p + malloc_usable_size(p) + page - 1) & ~(page - 1);

	if (bytes >= large)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

void *tv_alloc(size_t n, size_t size)
{
	void *p;

	if (n == 0 || size == 0)
		n = size = 1;
	if (n > SIZE_MAX / size)
		tv_memory_exhausted(SIZE_MAX);
	if (over_limit(n * size) || (p = calloc(n, size)) == NULL)
		tv_memory_exhausted(n * size);
	atomic_fetch_add(&used_bytes, malloc_usable_size(p));
	use_large_pages(p, n * size, LARGE);
	return p;
}

/* As tv_realloc, but NULL, with p still valid, when there is not enough memory. */
static void *try_realloc(void *p, size_t n, size_t size)
{
	size_t old = p != NULL ? malloc_usable_size(p) : 0;
	void *q;

	/* What is as large as before may still get another page. */
	if (n > SIZE_MAX / size || (n * size >= old && over_limit(n * size - old + 1)))
		return NULL;
	q = realloc(p, n * size);
	if (q == NULL)
		return NULL;
	if (old == 0)
		use_large_pages(q, n * size, LARGE);
	atomic_fetch_add(&used_bytes, malloc_usable_size(q));
	atomic_fetch_sub(&used_bytes, old);
	return q;
}

void *tv_realloc(void *p, size_t n, size_t size)
{
	void *q;

	if (n == 0 || size == 0)
		n = size = 1;
	q = try_realloc(p, n, size);
	if (q == NULL)
		tv_memory_exhausted(n > SIZE_MAX / size ? SIZE_MAX : n * size);
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
	char *copy = tv_realloc(NULL, n + 1, 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *tv_strdup(const char *s)
{
	return tv_strndup(s, strlen(s));
}

char *tv_format_list(const char *format, va_list args)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n < 0)
		tv_memory_exhausted(0);
	text = tv_alloc((size_t)n + 1, 1);
	vsnprintf(text, (size_t)n + 1, format, args);
	return text;
}

char *tv_format(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = tv_format_list(format, args);
	va_end(args);
	return text;
}

void tv_append(char **text, const char *format, ...)
{
	size_t n = *text != NULL ? strlen(*text) : 0, size;
	char *part;
	va_list args;

	va_start(args, format);
	part = tv_format_list(format, args);
	va_end(args);
	size = strlen(part) + 1;
	*text = tv_realloc(*text, n + size, 1);
	memcpy(*text + n, part, size);
	tv_free(part);
}

void tv_grow_more(void *array, size_t n, size_t *cap, size_t extra, size_t size)
{
	void *old, *new;
	size_t want;

	if (extra > SIZE_MAX / 2 - n)
		tv_memory_exhausted(SIZE_MAX);
	want = n + extra;
	/* Half as much again: large blocks are moved by the kernel without copying. */
	if (want < *cap + *cap / 2)
		want = *cap + *cap / 2;
	if (want < 16)
		want = 16;
	memcpy(&old, array, sizeof old);
	new = try_realloc(old, want, size);
	if (new == NULL) {
		/* Near the limit; not one by one, which would copy the array each time. */
		if (want > n + extra + n / 64)
			want = n + extra + n / 64;
		new = tv_realloc(old, want, size);
	}
	memcpy(array, &new, sizeof new);
	*cap = want;
}

void tv_reserve(void *array, size_t n, size_t *cap, size_t want, size_t size)
{
	size_t used = tv_memory_used(), limit = tv_memory_max();
	void *old, *new;

	if (want <= *cap || used > limit || want > (limit - used) / 16 / size)
		return;
	memcpy(&old, array, sizeof old);
	new = tv_realloc(NULL, want, size);
	use_large_pages(new, want * size, LARGE_RESERVED);
	if (n > 0)
		memcpy(new, old, n * size);
	tv_free(old);
	memcpy(array, &new, sizeof new);
	*cap = want;
}
