/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h -- times, numbers and bytes as figures and sentences show them: rounded, with a unit. */
#ifndef TV_UNITS_H
#define TV_UNITS_H

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

#endif
