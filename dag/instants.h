/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instants.h -- the instants of a span at which tasks are submitted, released, fetched for, run, and workers call. */
#ifndef TV_INSTANTS_H
#define TV_INSTANTS_H

#include "dag/fetch.h"

/* In the order in which they take effect at one instant. */
enum tv_moment_kind {
	TV_MOMENT_SUBMIT,
	TV_MOMENT_LACK_MESSAGE,
	TV_MOMENT_RELEASE,
	TV_MOMENT_FETCH,
	TV_MOMENT_FETCHED,
	TV_MOMENT_BEGIN,
	TV_MOMENT_END,
	TV_MOMENT_CALL,
	TV_MOMENT_RETURN,
	TV_MOMENT_LOOP, /* a thread begins with one */
	TV_MOMENT_LEAVE
};

#define TV_MOMENT_KINDS (TV_MOMENT_LEAVE + 1)

struct tv_moment {
	int64_t time; /* ns */
	uint32_t row; /* of tasks; from CALL on: the worker */
	enum tv_moment_kind what;
};

/*
 * Moments one after the other, sorted by time, kind and row: `now`, if there are `more`. They are
 * merged from sorted lists of rows, one per kind, 4 bytes each: as one array they were the largest
 * thing in memory.
 */
struct tv_moments {
	struct tv_moment now;
	bool more; /* now is one; false behind the last */
	/* private */
	const struct tv_waits *waits;
	const struct tv_fetches *fetches;
	int64_t begin, end;
	struct tv_moment_list {
		uint32_t *at;	       /* rows, or places in fetches, calls or loops */
		size_t n, next, early; /* the first `early` were before the begin */
		int64_t time;	       /* of at[next]; INT64_MAX behind the last */
		const int64_t *times;  /* of those that were not early, by row; or NULL */
	} list[TV_MOMENT_KINDS];
	enum tv_moment_kind kind[TV_MOMENT_KINDS]; /* those that have any: nkinds, or the first */
	uint32_t nkinds;
};

/*
 * Those of every execution, of uncounted ones begin and end only; pending tasks never begin. What
 * precedes the span is moved to its begin, what is not before its end is left out. SUBMIT,
 * LACK_MESSAGE and RELEASE are contained only where they precede the execution's Start, the latter
 * two only if dependencies are known.
 * `now` is the first. waits and fetches are borrowed until the last call of tv_moments_next. Cost O(n),
 * by several threads.
 */
void tv_moments_init(struct tv_moments *moments, const struct tv_waits *waits,
		     const struct tv_fetches *fetches, int64_t begin, int64_t end);
/* Goes on to the next one. Cost O(1). */
void tv_moments_next(struct tv_moments *moments);
void tv_moments_release(struct tv_moments *moments); /* safe on a zeroed struct */

#endif
