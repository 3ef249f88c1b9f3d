/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spill.h -- records in the order of a key, more than fit into memory: runs of them, each in order, lie in a file without a name, and
 * are merged when they are read. However the program ends, nothing is left of them.
 */
#ifndef TV_SPILL_H
#define TV_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

struct tv_spill;

/* Empty; its file will be in the folder of the path beside, and it takes about so many bytes of memory. */
struct tv_spill *tv_spill_new(const char *beside, size_t bytes);
/* Records of one key keep their order. -1 with *err about `beside`. */
int tv_spill_add(struct tv_spill *spill, int64_t key, const void *record, uint32_t n,
		 struct tv_error *err) TV_MUST_CHECK;
/* After the last one: frees the memory, until they are read. */
int tv_spill_end(struct tv_spill *spill, struct tv_error *err) TV_MUST_CHECK;
/* The next record, valid until the next call: 1; 0 behind the last one; -1 with *err. */
int tv_spill_next(struct tv_spill *spill, const char **record, uint32_t *n,
		  struct tv_error *err) TV_MUST_CHECK;
void tv_spill_free(struct tv_spill *spill); /* accepts NULL */

#endif
