/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.h -- ticks of the time axis, labels moved apart. */
#ifndef TV_SCALE_H
#define TV_SCALE_H

#include "trace/units.h"

struct tv_ticks {
	int64_t first, step; /* ns; the ticks are first, first + step, ... up to the end */
	unsigned n;
	int decimals; /* of their labels in the unit */
};

/* Round ticks (1, 2, 5 times a power of ten of the unit) in [begin, end], at most `max` of them.
 */
struct tv_ticks tv_ticks_for(int64_t begin, int64_t end, const struct tv_unit *unit, unsigned max);

/*
 * Moves boxes of the given sizes, sorted by center, so that none overlap, `gap` apart and inside
 * [low, high], keeping their order and moving them as little as possible (least squares; pool
 * adjacent violators). 0, or -1 when they do not fit. Needs n <= 64.
 */
int tv_spread(double *center, const double *size, size_t n, double low, double high, double gap);

#endif
