/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * references.h -- how long a communication and a computation take when the other one is not there,
 * as a table says.
 *
 * A CSV with any of the columns Call, Site, Bytes, Ranks, which choose requests (an empty cell: any), and
 * CommReference, ComputeReference, PassiveReference: times in ms. Of each time the first row holds that fits
 * and has it.
 */
#ifndef TV_REFERENCES_H
#define TV_REFERENCES_H

#include <stdbool.h>

#include "trace/error.h"
#include "trace/map.h"
#include "trace/number.h"

struct tv_reference {
	int64_t comm, compute, passive; /* ns; < 0 = unknown */
};

struct tv_reference_key {
	uint32_t call, site;  /* labels; TV_NONE = missing */
	int64_t bytes, ranks; /* < 0 = missing */
};

struct tv_references {
	struct tv_reference_row {
		struct tv_reference_key key;
		struct tv_reference value;
	} * row;
	size_t n, cap;
};

/* Whether the first line of a file names such a time; -1 with *err: it cannot be read. */
int tv_references_here(const char *path, struct tv_error *err) TV_MUST_CHECK;
/* Reads the file; labels are of the pool. -1 with *err naming file and line. */
int tv_references_read(struct tv_references *references, const char *path, struct tv_pool *pool,
		       struct tv_error *err) TV_MUST_CHECK;
void tv_references_release(struct tv_references *references);
/* Unknown ones are < 0. Cost O(rows). */
struct tv_reference tv_references_find(const struct tv_references *references,
				       const struct tv_reference_key *key);

#endif
