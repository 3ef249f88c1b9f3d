/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * steps.h -- step functions of time: summed from spans, subtracted, resampled.
 *
 * A curve is a sum of spans, each adding an amount from its start to its end. The sum is in fixed
 * point with 90 binary digits for the largest amount, so the order of spans changes nothing, a curve
 * of amounts that are not negative never is, and it ends at exactly 0.
 */
#ifndef TV_STEPS_H
#define TV_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/core/packed.h"
#include "trace/error.h"
#include "trace/number.h"
#include "trace/pack.h"

/* From time[i] to time[i + 1] it is value[i]; the last piece ends at `end`. Times ascend strictly,
 * neighboring values differ; n == 0 where begin == end. */
struct tv_steps {
	int64_t *time; /* ns; time[0] is its begin */
	double *value;
	size_t n;
	int64_t end;
};

struct tv_change;

/* Spans being summed over [begin, end). */
struct tv_sum {
	int64_t begin, end;
	struct tv_change *change;
	size_t n, cap;
	int64_t *rise, *fall; /* of spans that add 1 */
	size_t ones, ones_cap;
};

void tv_sum_init(struct tv_sum *sum, int64_t begin, int64_t end); /* begin <= end */
void tv_sum_release(struct tv_sum *sum);			  /* safe on a zeroed struct */
/* Adds `amount` from start to end; what lies outside the sum's interval is cut off. -1 with *err:
 * an amount that is no number, or infinite. */
int tv_sum_add(struct tv_sum *sum, int64_t start, int64_t end, double amount,
	       struct tv_error *err) TV_MUST_CHECK;
/* The same of a number of tasks or workers, which is never out of range. */
void tv_sum_count(struct tv_sum *sum, int64_t start, int64_t end, uint32_t count);
/* The same of one: in half the memory. */
void tv_sum_one(struct tv_sum *sum, int64_t start, int64_t end);
/* Room for n of these at once. */
void tv_sum_reserve(struct tv_sum *sum, size_t n);
/* The sum so far as *steps (uninitialized on entry), with time[n] = end; the sum is empty afterwards.
 * O(n), by several threads. */
void tv_sum_steps(struct tv_sum *sum, struct tv_steps *steps);
/* The same in less memory. */
void tv_sum_packed(struct tv_sum *sum, struct tv_packed *packed);

/* Where a sum is settled: the piece that is open, from `time` on. */
struct tv_settled {
	int64_t time;
	double value;
	tv_int128 level; /* of what is no one, in fixed point for max */
	double max;	 /* amount so far; more = at most so much will come */
	int digits;	 /* amounts have so many binary digits behind the point, or fewer */
};
/* Of a sum to which only spans from `until` on will be added: gives its pieces that no such span changes, in the
 * order of time, and forgets what they are made of. INT64_MAX = all of them. at: the begin of the sum and 0 at first. */
void tv_sum_settle(struct tv_sum *sum, int64_t until, struct tv_settled *at,
		   void (*piece)(void *context, int64_t from, int64_t to, double value),
		   void *context);
/* Whether the pieces are those of the whole sum (tv_sum_steps), once all spans are added: no amount has digits that the largest
 * one is too large for, which is 2^36 times as large then. Where they are not, they are with the same max from the begin. */
bool tv_settled_exactly(const struct tv_settled *at);
/* The spans as bytes; adds such. */
void tv_sum_pack(const struct tv_sum *sum, struct tv_parcel *pack);
void tv_sum_unpack(struct tv_sum *sum, struct tv_unpack *from);

/* *steps (uninitialized on entry) has no piece yet, and memory for n. */
void tv_steps_init(struct tv_steps *steps, size_t n, int64_t end);
/* From `time` on it is `value`: at most n calls, in the order of time; of equal times the last one
 * counts; from steps->end on nothing. */
void tv_steps_to(struct tv_steps *steps, int64_t time, double value);
/* a - b in *out (uninitialized on entry); both cover the same interval. O(n). */
void tv_steps_subtract(const struct tv_steps *a, const struct tv_steps *b, struct tv_steps *out);
void tv_steps_release(struct tv_steps *steps); /* safe on a zeroed struct */

/* One slice of a resampled step function. */
struct tv_slice {
	int64_t begin, end;
	double mean; /* integral over the slice / (end - begin) */
	double min, max;
};

/* The slice that pieces are added to. */
struct tv_slicing {
	struct tv_slice slice;
	int64_t step_ns, end;
	double sum, lost;
	bool open; /* it has a piece */
};

struct tv_slicing tv_slicing_init(int64_t begin, int64_t end, int64_t step_ns);
/* The curve ends there, before the end that was given. */
void tv_slicing_cut(struct tv_slicing *slicing, int64_t end);
/* Adds the part of a piece from *from to `to` that is in the slice, and sets *from behind it. true: *slice is a full slice, and
 * the next one begins. Pieces follow each other without gaps. */
bool tv_slicing_add(struct tv_slicing *slicing, int64_t *from, int64_t to, double value,
		    struct tv_slice *slice);

/* Slices between the multiples of step_ns > 0, counted from t = 0; the first and the last are cut
 * to the interval and divided by their own length, so the integral is conserved. */
struct tv_slicer {
	const struct tv_steps *steps;
	struct tv_slicing slicing;
	int64_t at;
	size_t piece;
};

void tv_slicer_init(struct tv_slicer *slicer, const struct tv_steps *steps, int64_t step_ns);
/* The next slice; false when there is none left. O(pieces in it). */
bool tv_slicer_next(struct tv_slicer *slicer, struct tv_slice *slice);

/* [begin, end) cut at the multiples of step_ns, or whole where that is 0. Slices are numbered from
 * 0. */
struct tv_slices {
	int64_t begin, end, step_ns;
};

int64_t tv_slices_begin(const struct tv_slices *slices, uint64_t i);
int64_t tv_slices_end(const struct tv_slices *slices, uint64_t i);
/* The slice that holds t, which is within. */
uint64_t tv_slices_at(const struct tv_slices *slices, int64_t t);
uint64_t tv_slices_count(const struct tv_slices *slices);

#endif
