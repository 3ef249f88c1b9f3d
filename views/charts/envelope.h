/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelope.h -- min and max of several step functions at each time. */
#ifndef TV_ENVELOPE_H
#define TV_ENVELOPE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

/* From start[i] + shift to end[i] + shift it is value[i]; elsewhere 0. Borrowed. */
struct tv_stairs {
	const int64_t *start, *end; /* ns, ascending, without overlap */
	const double *value;
	size_t n;
	int64_t shift;
};

struct tv_envelope {
	int64_t *start, *end; /* n pieces from the first start to the last end, each of
					 * one value */
	double *min, *max;
	size_t n;
};

/* Cost O(pieces x (log pieces + m)). */
void tv_envelope_init(struct tv_envelope *envelope, const struct tv_stairs *steps, size_t m);
void tv_envelope_release(struct tv_envelope *envelope); /* safe on a zeroed struct */

#endif
