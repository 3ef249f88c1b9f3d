/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * load.c -- libtraceviz-mpi.so: takes the place of MPI's functions in any program, whatever its MPI.
 *
 * It is loaded before the program is known (a script may start it), so it has no part of any MPI: each
 * function is a jump to what its slot contains. The first call of any of them finds the MPI library
 * of the process, loads the probe that was built for it, and fills the slots. The probe calls that
 * library directly. PMPI's names are replaced, too: Open MPI's Fortran calls these, MPICH's the
 * others. A call within a call goes straight through.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "record/loaded/log.h"
#include "record/loaded/mpi/libraries.h"
#include "record/loaded/mpi/setup.h"

#define HIDDEN __attribute__((visibility("hidden"), used))

HIDDEN void tv_mpi_first_call(void);
HIDDEN void tv_mpi_resolve(tv_mpi_function **slot);

#define CALL(name, ...) HIDDEN tv_mpi_function *tv_mpi_slot_##name = tv_mpi_first_call;
#include "record/loaded/mpi/calls.h"
#undef CALL
#define UNRECORDED(prefix, name) \
	HIDDEN tv_mpi_function *tv_mpi_slot_##prefix##name = tv_mpi_first_call;
#include "record/loaded/mpi/unrecorded.h"
#undef UNRECORDED

static const struct {
	const char *name;
	tv_mpi_function **slot;
} row[] = {
#define CALL(name, ...) { "PMPI_" #name, &tv_mpi_slot_##name },
#include "record/loaded/mpi/calls.h"
#undef CALL
};

enum { ROWS = sizeof row / sizeof *row };

/* Their slots stay as they are until each is called. */
static const struct {
	const char *name;
	tv_mpi_function **slot;
} unrecorded[] = {
#define UNRECORDED(prefix, name) { "P" #prefix #name, &tv_mpi_slot_##prefix##name },
#include "record/loaded/mpi/unrecorded.h"
#undef UNRECORDED
};

/*
 * The jumps change no register that may have an argument, and leave the return address where it is:
 * the probe takes the place of the call from it. tv_mpi_first_call saves those that have arguments
 * (none of these functions of MPI takes floating point numbers), and jumps again.
 */
#if defined(__x86_64__)
#define JUMP(name, slot) \
	__asm__(".text\n.globl " name "\n.type " name ", @function\n" name ":\n\tleaq " slot \
		"(%rip), %r11\n\tjmp *(%r11)\n.size " name ", .-" name "\n");
__asm__(".text\n.type tv_mpi_first_call, @function\ntv_mpi_first_call:\n"
	"\tpushq %r11\n\tpushq %rdi\n\tpushq %rsi\n\tpushq %rdx\n\tpushq %rcx\n\tpushq %r8\n"
	"\tpushq %r9\n\tmovq %r11, %rdi\n\tcall tv_mpi_resolve\n\tpopq %r9\n\tpopq %r8\n\tpopq "
	"%rcx\n\tpopq %rdx\n"
	"\tpopq %rsi\n\tpopq %rdi\n\tpopq %r11\n\tjmp *(%r11)\n"
	".size tv_mpi_first_call, .-tv_mpi_first_call\n");
#elif defined(__aarch64__)
#define JUMP(name, slot) \
	__asm__(".text\n.globl " name "\n.type " name ", %function\n" name ":\n\tadrp x16, " slot \
		"\n\tadd x16, x16, :lo12:" slot "\n\tldr x17, [x16]\n\tbr x17\n.size " name \
		", .-" name "\n");
__asm__(".text\n.type tv_mpi_first_call, %function\ntv_mpi_first_call:\n"
	"\tstp x29, x30, [sp, #-96]!\n\tstp x0, x1, [sp, #16]\n\tstp x2, x3, [sp, #32]\n"
	"\tstp x4, x5, [sp, #48]\n\tstp x6, x7, [sp, #64]\n\tstr x16, [sp, #80]\n"
	"\tmov x0, x16\n\tbl tv_mpi_resolve\n\tldp x0, x1, [sp, #16]\n\tldp x2, x3, [sp, #32]\n"
	"\tldp x4, x5, [sp, #48]\n\tldp x6, x7, [sp, #64]\n\tldr x16, [sp, #80]\n"
	"\tldp x29, x30, [sp], #96\n\tldr x17, [x16]\n\tbr x17\n"
	".size tv_mpi_first_call, .-tv_mpi_first_call\n");
#endif

#define CALL(name, ...) \
	JUMP("MPI_" #name, "tv_mpi_slot_" #name) \
	JUMP("PMPI_" #name, "tv_mpi_slot_" #name)
#include "record/loaded/mpi/calls.h"
#undef CALL
#define UNRECORDED(prefix, name) \
	JUMP(#prefix #name, "tv_mpi_slot_" #prefix #name) \
	JUMP("P" #prefix #name, "tv_mpi_slot_" #prefix #name)
#include "record/loaded/mpi/unrecorded.h"
#undef UNRECORDED

/* The MPI library of the process, which may be a part of an object that was loaded by itself. */
struct found {
	char path[PATH_MAX];
	const struct tv_mpi_library *library; /* NULL: none that is known */
	struct tv_mpi_range range;
};

static int check_object(struct dl_phdr_info *object, size_t size, void *arg)
{
	const char *slash = strrchr(object->dlpi_name, '/');
	const char *name = slash ? slash + 1 : object->dlpi_name;
	struct found *found = arg;

	(void)size;
	if (!tv_mpi_is_library(name))
		return 0;
	snprintf(found->path, sizeof found->path, "%s", object->dlpi_name);
	found->library = tv_mpi_find_library(name);
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
			found->range = (struct tv_mpi_range){ object->dlpi_addr + segment->p_vaddr,
							      segment->p_memsz };
	}
	return found->library != NULL;
}

/* Loads the probe; NULL: there is none. */
static tv_mpi_setup_function *load_probe(const struct tv_mpi_library *library)
{
	char path[PATH_MAX + 64];
	Dl_info self;
	tv_mpi_setup_function *setup = NULL;
	void *probe;

	if (!dladdr(&row, &self) || !strrchr(self.dli_fname, '/'))
		return NULL;
	snprintf(path, sizeof path, "%.*s/libtraceviz-mpi-%s.so",
		 (int)(strrchr(self.dli_fname, '/') - self.dli_fname), self.dli_fname,
		 library->probe);
	probe = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (probe)
		*(void **)&setup = dlsym(probe, "tv_mpi_setup");
	return setup;
}

static void warn(const struct found *found)
{
	char text[PATH_MAX + 300];
	int n = snprintf(text, sizeof text, "Warning%c%s cannot be recorded: ", 0, found->path);
	size_t at = (size_t)n;

	if (found->library)
		n = snprintf(text + at, sizeof text - at,
			     "this traceviz was built without the probe for %s (Debian: %s)",
			     found->library->name, found->library->package);
	else
		n = snprintf(text + at, sizeof text - at,
			     "expected Open MPI 3 to 5 (libmpi.so.40) or MPICH (libmpich.so.12)");
	tv_log_write(TV_LOG_META, 0, 0, NULL, text, at + (size_t)n);
}

static void *library; /* NULL: none that is known to the linker */

static tv_mpi_function *find_real(const char *name)
{
	tv_mpi_function *real;

	*(void **)&real = dlsym(library ? library : RTLD_NEXT, name);
	return real;
}

static void resolve_all(void)
{
	struct found mpi = { .library = NULL };
	tv_mpi_setup_function *setup = NULL;
	tv_mpi_function *wrapper[ROWS] = { NULL }, *real;

	dl_iterate_phdr(check_object, &mpi);
	/* It may have been loaded for one object alone, as Python does it; the probe needs it, too. */
	if (mpi.path[0])
		library = dlopen(mpi.path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
	if (library && mpi.library)
		setup = load_probe(mpi.library);
	if (setup)
		setup(library, &mpi.range, wrapper);
	else if (library)
		warn(&mpi);
	for (unsigned i = 0; i < ROWS; i++) {
		real = find_real(row[i].name);
		*row[i].slot = real && wrapper[i] ? wrapper[i] : real;
	}
}

/* The first call of a function that is not recorded. */
static void pass(tv_mpi_function **slot)
{
	for (unsigned i = 0; i < sizeof unrecorded / sizeof *unrecorded; i++) {
		char text[200];
		int n;

		if (unrecorded[i].slot != slot)
			continue;
		n = snprintf(text, sizeof text,
			     "Warning%ccalls of %s are not recorded, nor are their requests", 0,
			     unrecorded[i].name + 1);
		tv_log_write(TV_LOG_META, 0, 0, NULL, text, (size_t)n);
		*slot = find_real(unrecorded[i].name);
		return;
	}
}

void tv_mpi_resolve(tv_mpi_function **slot)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int done;

	pthread_mutex_lock(&lock);
	if (!done)
		resolve_all();
	done = 1;
	if (*slot == tv_mpi_first_call)
		pass(slot);
	pthread_mutex_unlock(&lock);
}
