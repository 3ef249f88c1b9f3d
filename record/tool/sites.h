/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sites.h -- what the code addresses in raw logs are: TV_LOG_SITE, from the debug data of the program
 * and its libraries.
 */
#ifndef TV_RECORD_SITES_H
#define TV_RECORD_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Adds to each of n logs a TV_LOG_SITE for every code address whose object has debug data there. A
 * construct of OpenMP that was moved to a function of its own gets the name of the function that
 * contains it. Returns the number of logs that could not be read or written.
 */
size_t tv_sites_add(char *const *log, size_t n);

/* Whether this build can do so (libdw). */
extern const bool tv_sites_known;

/* One object file, and the source of an instruction in it (resolve.c). */
struct tv_source {
	char function[256];
	char file
		[512]; /* as it was compiled: relative to the folder of the compilation, if below it */
	uint32_t line;
};
struct tv_resolver *tv_resolver_open(const char *path); /* NULL: nothing is known of it */
/* Of the call that returns to that address of the file. Names that are too long are cut. */
bool tv_resolver_find(struct tv_resolver *resolver, uint64_t return_address,
		      struct tv_source *source);
void tv_resolver_close(struct tv_resolver *resolver); /* accepts NULL */

#endif
