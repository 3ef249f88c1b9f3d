/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scale.h -- units and ticks of the time axis, numbers as figures print them, labels moved apart.
 */
#ifndef TV_SCALE_H
#define TV_SCALE_H

#include <stddef.h>
#include <stdint.h>

struct tv_unit {
	const char *name;
	int64_t ns;
};

/* The unit in which that long a time reads best: ns, us, ms, s, min (2 s, not 2000 ms). */
const struct tv_unit *tv_unit_for(int64_t ns);
/* A time in a unit with four significant digits but at least one decimal: 728.9, 31.37, 1.204. A
 * time with fewer than two digits gets a unit of its own: "26.00 us" beside seconds. */
void tv_unit_text(char *out, size_t size, int64_t ns, const struct tv_unit *unit);
/* The same with the name of its unit: 31.37 ms, 26.00 us. unit NULL: the one for this time. */
void tv_time_text(char *out, size_t size, int64_t ns, const struct tv_unit *unit);
/* A number with four significant digits, or all of those before the point, and no exponent: 0,
 * 0.000026, 1.204, 15180, 2.5M. Below 1e-9 and from 1e18 on as 2.6 times a power of ten. */
void tv_number_text(char *out, size_t size, double value);

/* Bytes with four significant digits in their unit, powers of 1000: 0 B, 368.6 kB, 1.474 GB. */
void tv_bytes_text(char *out, size_t size, double bytes);

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
