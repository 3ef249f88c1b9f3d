/* SPDX-License-Identifier: GPL-3.0-or-later */
/* objects.h -- a program and the libraries that are loaded with it. */
#ifndef TV_CLI_OBJECTS_H
#define TV_CLI_OBJECTS_H

#include "record/tool/elf.h"

struct tv_objects {
	char **path; /* the program first */
	size_t n, cap;
};

/*
 * Adds the program, which is open, and what its dynamic linker loads with it. preload: a library that is
 * loaded in addition (LD_PRELOAD), by its name; NULL = what the environment has. Release it.
 */
void tv_find_objects(struct tv_objects *objects, const char *program, const struct tv_elf *elf,
		     const char *preload);
void tv_release_objects(struct tv_objects *objects);
/* The index of the first object that needs the library (DT_NEEDED); objects->n: none does. */
size_t tv_find_need(const struct tv_objects *objects, const char *library);

#endif
