/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * covered.h -- how much of the time of workers, or of other things, spans cover together, where these come by their begin, part by part
 * (tv_run_rows).
 *
 * What a span covers that no span of the same thing before it does begins where those end: so it is enough to know that.
 */
#ifndef TV_COVERED_H
#define TV_COVERED_H

#include "analysis/core/run.h"

struct tv_covered {
	size_t n; /* things */
	int64_t from;
	int64_t *begin, *until; /* of the spans so far; INT64_MAX and `from`: there are none */
};

/* No span begins before `from`. */
void tv_covered_init(struct tv_covered *covered, size_t n, int64_t from);
void tv_covered_release(struct tv_covered *covered); /* safe on a zeroed struct */

/* Adds a span of a thing, begin < end. Returns where it begins to cover what no other has; at the end or behind it nothing. */
static inline int64_t tv_covered_add(struct tv_covered *covered, size_t thing, int64_t begin,
				     int64_t end)
{
	int64_t *until = &covered->until[thing], at = *until > begin ? *until : begin;

	if (begin < covered->begin[thing])
		covered->begin[thing] = begin;
	*until = end > *until ? end : *until;
	return at;
}

/* Gives all rows of a run to a function that adds their spans here, as tv_run_rows does. Of a team, spans of the processes before
 * may cover some of those of this one: clear() then forgets what was made of these, and the rows come again. -1 with *err. */
int tv_covered_run(struct tv_covered *covered, struct tv_run *run,
		   int (*rows)(void *state, struct tv_run *part, struct tv_error *err),
		   void (*clear)(void *state), void *state, struct tv_error *err) TV_MUST_CHECK;

#endif
