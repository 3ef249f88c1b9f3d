/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nomem.c -- preloaded into a command: an allocation fails.
 *
 *   NOMEM_IN   only allocations by the library whose file name contains this
 *   NOMEM_AT   the one that fails, from 1; 0 = none
 *   NOMEM_OUT  a file that gets the number of these allocations at the end
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static atomic_long calls;
static __thread int inside;

static int fails(const void *caller)
{
	const char *in = getenv("NOMEM_IN"), *at = getenv("NOMEM_AT");
	Dl_info info;
	int found;

	if (inside || in == NULL)
		return 0;
	inside = 1;
	found = dladdr(caller, &info) != 0 && info.dli_fname != NULL
	     && strstr(info.dli_fname, in) != NULL;
	inside = 0;
	if (!found || ++calls != (at != NULL ? strtol(at, NULL, 10) : 0))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("NOMEM_OUT");
	FILE *file = path != NULL ? fopen(path, "w") : NULL;

	if (file == NULL)
		return;
	fprintf(file, "%ld\n", (long)calls);
	fclose(file);
}
