/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * selection.h -- exact quantiles of numbers that come several times instead of being kept: they are counted.
 *
 *	struct tv_selection s = { 0 };
 *	do
 *		tv_selection_add(&s, number, n);	all of them, in any order and division, the same in each round
 *	while (tv_selection_again(&s, num, nnum, den));
 *	... tv_selection_exact(&s, num, den) ...
 *	tv_selection_release(&s);
 *
 * The first round counts numbers by their sign and first 12 bits. Each further one looks at those in the buckets that a
 * quantile is in: it counts 4096 parts of a bucket, or keeps its numbers if these are fewer. Two or three rounds are enough
 * unless numbers lie close together for their size, six always; one where there are few numbers. Cost O(n) of each round.
 * Memory: 8 bytes a number up to 8192 numbers; then 16 KB for each power of two between numbers, and up to 32 KB for each
 * of the two places that a quantile looks at.
 */
#ifndef TV_SELECTION_H
#define TV_SELECTION_H

#include <stdbool.h>

#include "trace/number.h"
#include "trace/pack.h"

/* Numbers from low to last, of which `count` have `before` smaller ones. */
struct tv_selected_span {
	int64_t low, last;
	uint64_t before, count;
	int shift;	   /* of a number minus low: the counter of its part */
	uint64_t *counter; /* NULL = numbers are kept */
	int64_t *number;   /* count */
	uint64_t n;	   /* kept by now */
};

/* A place in the order of the numbers, and the number there. */
struct tv_selected_place {
	uint64_t place;
	int64_t number;
	bool known;
};

struct tv_selection {
	uint64_t n;
	int64_t *number; /* n of them in the first round, as long as they are few */
	size_t cap;
	bool again; /* it is not the first round */
	/* by sign and power of two: counters; then for each 1 + the first span in it, 0 = none. NULL = not counted */
	uint64_t **octave;
	struct tv_selected_span *span;
	size_t nspans;
	struct tv_selected_place *place; /* ascending */
	size_t nplaces;
};

/* Adds numbers to a selection that is zeroed at first. */
void tv_selection_add(struct tv_selection *s, const int64_t *number, size_t n);
/* In the first round: adds the numbers that another one was given. */
void tv_selection_merge(struct tv_selection *s, const struct tv_selection *other);
/* As bytes, what it was given in this round; adds such, of a selection that has had the same rounds. */
void tv_selection_pack(const struct tv_selection *s, struct tv_parcel *pack);
void tv_selection_unpack(struct tv_selection *s, struct tv_unpack *from);
/* After all numbers of a round: whether all of them must come again for the quantiles num[i]/den of type 7, which are the
 * same in each round; 0 <= num[i] <= den <= 2^16. */
bool tv_selection_again(struct tv_selection *s, const uint32_t *num, size_t nnum, uint32_t den);
/* Then den times one of these quantiles, exactly; of one number or more. */
tv_int128 tv_selection_exact(const struct tv_selection *s, uint32_t num, uint32_t den);
void tv_selection_release(struct tv_selection *s); /* safe on a zeroed struct */

#endif
