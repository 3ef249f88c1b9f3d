/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks.c -- calls mark() in different places; each call becomes an event with a code address, like a
 * construct of OpenMP. Lines with a call are marked "here: FUNCTION". marks [LIBRARY...]: then calls
 * plug() of each library, which is unloaded again.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "record/loaded/log.h"

void mark(void);

__attribute__((noinline)) void mark(void)
{
	uint64_t address = (uintptr_t)__builtin_return_address(0), *arg;

	tv_log_code(address);
	arg = tv_log_begin(TV_LOG_OMP_CREATE, 0, 4, tv_log_now());
	if (arg) {
		arg[0] = tv_log_id();
		arg[1] = 0;
		arg[2] = 4;
		arg[3] = address;
		tv_log_commit();
	}
	__asm__ volatile("" ::: "memory");
}

#define KEEP __asm__ volatile("") /* no tail call */

static inline __attribute__((always_inline)) void inlined(void)
{
	mark(); /* here: inlined */
	KEEP;
}

static __attribute__((noinline)) void plain(void)
{
	mark(); /* here: plain */
	KEEP;
}

int main(int argc, char **argv)
{
	plain();
	inlined();
	mark(); /* here: main */
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW);
		void (*plug)(void (*)(void));

		if (!library) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&plug = dlsym(library, "plug");
		plug(mark);
		dlclose(library);
	}
	return 0;
}
