/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nesting.h -- regions of programs by what they are inside of: states, calls and tasks of a thread.
 *
 * A region is in the innermost one of its thread that contains its time. Of two with the same times the one of
 * smaller Depth is outside, a state around a call. One of zero length where a region ends and another one begins is
 * in the latter, if their Depth allows it. A region that ends after the one in which it begins is not inside it.
 * States of the Type "Thread State" (Extrae's, what a thread waits for) are no regions.
 */
#ifndef TV_NESTING_H
#define TV_NESTING_H

#include "analysis/core/run.h"

enum { TV_PATH_LEVELS = 200 }; /* what is deeper has one path, "...", below each */

struct tv_nested {
	uint32_t resource, name, site;	   /* labels; site may be TV_NONE */
	const char *name_text, *site_text; /* so that no result depends on the order of rows */
	enum tv_table_id table;
	uint32_t row;
	int64_t start, end, depth; /* depth: INT64_MAX = not known */
	int64_t exclusive;	   /* without the time of the regions inside */
	int64_t covered;	   /* until then the regions inside are taken from it */
	uint32_t parent;	   /* TV_NONE = outermost */
	uint32_t path;
};

struct tv_region_path {
	uint32_t parent; /* TV_NONE = outermost; before it in the array */
	uint32_t name, level;
};

struct tv_nesting {
	struct tv_nested *at; /* by resource; a region behind the one that it is in */
	uint32_t n;
	struct tv_region_path *path;
	uint32_t npaths;
};

/* Whether regions are rows of that table of the trace. */
bool tv_is_region_table(const struct tv_trace *trace, const struct tv_table *table);

/* The regions of all threads, or of the selected ones. Warns of regions that overlap. Cost O(n log n). */
void tv_nesting_init(struct tv_nesting *nesting, struct tv_run *run);
void tv_nesting_release(struct tv_nesting *nesting);
/* For each region of a group whether it is in another one of its group, so that its inclusive time is counted
 * already. group: by region, TV_NONE = in none. In new memory. */
bool *tv_nesting_repeats(const struct tv_nesting *nesting, const uint32_t *group, uint32_t ngroups);
/* "main/solve/MPI_Send" of each path, as labels of the pool, in new memory. */
uint32_t *tv_nesting_texts(const struct tv_nesting *nesting, struct tv_pool *pool);

#endif
