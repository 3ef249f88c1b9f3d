/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moments.h -- the instants of a span at which tasks are submitted, released, fetched for, run. */
#ifndef TV_MOMENTS_H
#define TV_MOMENTS_H

#include "dag/fetch.h"

/* In the order in which they take effect at one instant. */
enum tv_moment_kind {
	TV_MOMENT_SUBMIT,
	TV_MOMENT_LACK_MESSAGE,
	TV_MOMENT_RELEASE,
	TV_MOMENT_FETCH,
	TV_MOMENT_FETCHED,
	TV_MOMENT_BEGIN,
	TV_MOMENT_END
};

struct tv_moment {
	int64_t time; /* ns */
	uint32_t row; /* of tasks */
	enum tv_moment_kind what;
};

/* Sorted by time, kind and row. */
struct tv_moments {
	struct tv_moment *at;
	size_t n;
};

/*
 * Those of every execution, of uncounted ones begin and end only; pending tasks never begin. What
 * precedes the span is moved to its begin, what is not before its end is left out. SUBMIT,
 * LACK_MESSAGE and RELEASE are contained only where they precede the execution's Start, the latter
 * two only if dependencies are known.
 * Cost O(n log n).
 */
void tv_moments_init(struct tv_moments *moments, const struct tv_waits *waits,
		     const struct tv_fetches *fetches, int64_t begin, int64_t end);
void tv_moments_release(struct tv_moments *moments); /* safe on a zeroed struct */

#endif
