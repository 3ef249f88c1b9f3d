/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alloc.h -- memory that never fails to its caller, with overflow checks and one limit.
 *
 * Everything that grows with the input is allocated here, so a limit (--max-memory, by default 80 %
 * of physical memory) turns an input that is too large into an error instead of a killed process.
 *
 * No function here returns without the memory that was asked for. On exhaustion one handler is
 * called, which must not return: the default deletes unfinished outputs (trace/unfinished.h),
 * prints the purpose and the size of the request, and exits with status 1. A program that uses the
 * code as a library sets its own, which may longjmp; what was allocated until then is lost to it.
 */
#ifndef TV_ALLOC_H
#define TV_ALLOC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* n objects of the given size, zeroed. n == 0 gives a valid pointer. Free with tv_free. */
void *tv_alloc(size_t n, size_t size) __attribute__((returns_nonnull));
/* As realloc: p may be NULL. New bytes are not zeroed. */
void *tv_realloc(void *p, size_t n, size_t size) __attribute__((returns_nonnull));
void tv_free(void *p);
/* A copy of s[0..n) with a closing NUL. */
char *tv_strndup(const char *s, size_t n) __attribute__((returns_nonnull));
char *tv_strdup(const char *s) __attribute__((returns_nonnull));
/* Formats into new memory. */
char *tv_format(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));
char *tv_format_list(const char *format, va_list args)
	__attribute__((format(printf, 1, 0), returns_nonnull));
/* Formats behind *text, which is of tv_format or NULL for an empty one; *text may move. Costs the length of both. */
void tv_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Called when memory or the limit is exhausted. bytes: of the request, 0 = not known. Must not
 * return. */
typedef void tv_memory_handler(size_t bytes, const char *purpose);
/* What the default handler prints, cut to fit. Returns text. */
char *tv_memory_message(char *text, size_t size, size_t bytes, const char *purpose);
/* Sets the handler; NULL = the default. */
void tv_memory_on_exhaustion(tv_memory_handler *handler);
/* What the program does now, for the message: "reading run.csv". A copy is kept, cut to fit. */
void tv_memory_purpose(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Calls the handler: for libraries that ran out of memory by themselves. */
_Noreturn void tv_memory_exhausted(size_t bytes);
/* Calls work(context). false: memory was exhausted in it, *bytes is the request, and no handler was
 * called; what work allocated until then is lost. */
bool tv_memory_try(void (*work)(void *context), void *context, size_t *bytes);

/* Sets the limit in bytes; 0 = the default. */
void tv_memory_limit(size_t bytes);
size_t tv_memory_max(void);  /* the limit in force */
size_t tv_memory_used(void); /* bytes held now */
/* Memory that is freed stays with the process from now on: for who soon needs as much again. */
void tv_memory_reuse(void);
/* The same, and large arrays are made of it, too, which costs less than new pages, but an array that grows is
 * copied. */
void tv_memory_keep(void);

/* Extends an array by `extra` more elements: *p has *cap elements of `size` bytes, n in use. */
void tv_grow_more(void *p, size_t n, size_t *cap, size_t extra, size_t size);
static inline void tv_grow(void *p, size_t n, size_t *cap, size_t extra, size_t size)
{
	if (n > *cap || extra > *cap - n)
		tv_grow_more(p, n, cap, extra, size);
}
/* Moves the n elements of an array to where there is room for `want` at once: a large block may get
 * large pages, which one that grows does not. Where that is too much of the memory that is left, the
 * array stays as it is. */
void tv_reserve(void *p, size_t n, size_t *cap, size_t want, size_t size);
#define TV_GROW(array, n, cap, extra) tv_grow(&(array), (n), &(cap), (extra), sizeof *(array))

#endif
