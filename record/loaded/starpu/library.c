/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * library.c -- StarPU's functions in the process, wherever they are; the start of the probe.
 *
 * libtraceviz-starpu.so is loaded by LD_PRELOAD, or, by StarPU 1.4, as STARPU_SCHED_LIB. In the second
 * way no function is replaced: there are pushes, pops, starts and ends, and no candidates.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/loaded/starpu/probe.h"

#define TEXT(name)    #name
#define TEXT_OF(name) TEXT(name)

struct tv_starpu_functions tv_starpu_real;
bool tv_starpu_is_first;
atomic_int tv_starpu_loaded;

static int check_object(struct dl_phdr_info *object, size_t size, void *arg)
{
	const char *slash = strrchr(object->dlpi_name, '/');
	const char *name = slash ? slash + 1 : object->dlpi_name;

	(void)size;
	if (strncmp(name, "libstarpu-1.", 12))
		return 0;
	*(void **)arg = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	return *(void **)arg != NULL;
}

/* StarPU may be loaded for one object alone, as Python does it; NULL: there is none. */
static void *find_library(void)
{
	void *library = NULL;

	if (dlsym(RTLD_NEXT, "starpu_get_version"))
		return RTLD_NEXT;
	dl_iterate_phdr(check_object, &library);
	return library;
}

/* Whether an address is in this library. */
static bool is_here(const void *address)
{
	Dl_info own, other;

	return dladdr(&tv_starpu_real, &own) && dladdr(address, &other)
	    && own.dli_fbase == other.dli_fbase;
}

bool tv_starpu_find(void)
{
	int error = errno;
	void *library = find_library();

	if (library) {
#define FUNCTION(name) *(void **)&REAL(name) = dlsym(library, TEXT_OF(name));
#include "record/loaded/starpu/functions.h"
#undef FUNCTION
		tv_starpu_is_first = is_here(dlsym(RTLD_DEFAULT, "starpu_push_task_end"));
		atomic_store_explicit(&tv_starpu_loaded, 1, memory_order_release);
	}
	errno = error;
	return library != NULL;
}

static void warn(const char *text, size_t n)
{
	tv_log_write(TV_LOG_META, 0, 0, NULL, text, n);
}

bool tv_starpu_is_known(void)
{
	static atomic_int known; /* 1 yes, 2 no */
	int major = 0, minor = 0, release = 0;
	const char *missing = "";
	char text[256];
	int n;

	if (!tv_starpu_load() || atomic_load(&known) == 2)
		return false;
	if (atomic_load(&known) == 1)
		return true;
	REAL(starpu_get_version)(&major, &minor, &release);
#define FUNCTION(name) \
	if (!REAL(name)) \
		missing = " with function " TEXT_OF(name);
#include "record/loaded/starpu/functions.h"
#undef FUNCTION
	if (major == TV_STARPU_MAJOR && minor == TV_STARPU_MINOR && !*missing) {
		atomic_store(&known, 1);
		return true;
	}
	atomic_store(&known, 2);
	n = snprintf(
		text, sizeof text,
		"Warning%cStarPU %d.%d.%d is not recorded: expected StarPU %d.%d%s, whose headers "
		"traceviz was built with",
		0, major, minor, release, TV_STARPU_MAJOR, TV_STARPU_MINOR,
		minor == TV_STARPU_MINOR ? missing : "");
	warn(text, (size_t)n);
	return false;
}

static void forked(void)
{
	tv_starpu_forget();
}

static void __attribute__((constructor)) start(void)
{
	int error = errno;

	if (!getenv("TRACEVIZ_DIR"))
		return;
	/* Without FxT, StarPU numbers tasks only where it shall stop at one of them. */
	setenv("STARPU_TASK_BREAK_ON_EXEC", "2147483647", 0);
	pthread_atfork(NULL, NULL, forked);
	if (tv_starpu_load())
		tv_starpu_set_hooks();
	errno = error;
}
