/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exact.h -- sums of doubles without rounding, so that neither their order nor how they were divided changes them.
 *
 * A sum is kept as doubles that do not overlap and add up to it, two or three of them for numbers of similar size. [Shewchuk, Adaptive
 * precision floating-point arithmetic, 1997]
 */
#ifndef TV_EXACT_H
#define TV_EXACT_H

#include <stdbool.h>

#include "trace/pack.h"

struct tv_exact {
	double *part; /* ascending in size */
	uint32_t n;
	size_t cap;
	bool lost; /* it is beyond a double, or a number that was added was none */
};

/* A number in twice the digits: the nearest double, and the rest likewise. */
struct tv_two {
	double high, low;
};

/* All are safe on a zeroed struct, which is 0. */
void tv_exact_add(struct tv_exact *sum, double number);
/* Adds a x b. */
void tv_exact_add_product(struct tv_exact *sum, double a, double b);
struct tv_two tv_exact_value(const struct tv_exact *sum);
void tv_exact_pack(const struct tv_exact *sum, struct tv_parcel *pack);
void tv_exact_unpack(struct tv_exact *sum, struct tv_unpack *from); /* adds it */
void tv_exact_release(struct tv_exact *sum);

struct tv_two tv_two_minus(struct tv_two a, struct tv_two b);
struct tv_two tv_two_times(struct tv_two a, struct tv_two b);
struct tv_two tv_two_over(struct tv_two a, struct tv_two b);

#endif
