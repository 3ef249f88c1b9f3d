/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c -- step functions of time: summed from spans, subtracted, resampled. */
#include "analysis/core/steps.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/parallel.h"
#include "trace/sorted.h"

struct tv_change {
	int64_t time;
	double by;
};

void tv_sum_init(struct tv_sum *sum, int64_t begin, int64_t end)
{
	*sum = (struct tv_sum){ .begin = begin, .end = end };
}

static void release_spans(struct tv_sum *sum)
{
	tv_free(sum->change);
	tv_free(sum->rise);
	tv_free(sum->fall);
}

void tv_sum_release(struct tv_sum *sum)
{
	release_spans(sum);
	*sum = (struct tv_sum){ 0 };
}

void tv_sum_reserve(struct tv_sum *sum, size_t n)
{
	size_t rise = sum->ones_cap, fall = rise;

	tv_reserve(&sum->rise, sum->ones, &rise, n, sizeof *sum->rise);
	tv_reserve(&sum->fall, sum->ones, &fall, n, sizeof *sum->fall);
	sum->ones_cap = rise < fall ? rise : fall;
}

/* The part of the span in the sum's interval; whether there is one. */
static bool cut(const struct tv_sum *sum, int64_t *start, int64_t *end)
{
	if (*start < sum->begin)
		*start = sum->begin;
	if (*end > sum->end)
		*end = sum->end;
	return *start < *end;
}

static void add_span(struct tv_sum *sum, int64_t start, int64_t end, double amount)
{
	if (!cut(sum, &start, &end))
		return;
	TV_GROW(sum->change, sum->n, sum->cap, 2);
	sum->change[sum->n++] = (struct tv_change){ start, amount };
	sum->change[sum->n++] = (struct tv_change){ end, -amount };
}

int tv_sum_add(struct tv_sum *sum, int64_t start, int64_t end, double amount, struct tv_error *err)
{
	if (!isfinite(amount))
		return tv_fail(err, "a value of %g is out of range for a sum over time", amount);
	add_span(sum, start, end, amount);
	return 0;
}

void tv_sum_count(struct tv_sum *sum, int64_t start, int64_t end, uint32_t count)
{
	add_span(sum, start, end, count);
}

static void grow_ones(struct tv_sum *sum, size_t n)
{
	size_t rise = sum->ones_cap, fall = rise;

	if (sum->ones + n <= sum->ones_cap)
		return;
	/* Near the limit of memory one may get less than the other. */
	TV_GROW(sum->rise, sum->ones, rise, n);
	TV_GROW(sum->fall, sum->ones, fall, n);
	sum->ones_cap = rise < fall ? rise : fall;
}

void tv_sum_one(struct tv_sum *sum, int64_t start, int64_t end)
{
	if (!cut(sum, &start, &end))
		return;
	grow_ones(sum, 1);
	sum->rise[sum->ones] = start;
	sum->fall[sum->ones++] = end;
}

void tv_steps_init(struct tv_steps *steps, size_t n, int64_t end)
{
	*steps = (struct tv_steps){ .end = end };
	steps->time = tv_alloc(n, sizeof *steps->time);
	steps->value = tv_alloc(n, sizeof *steps->value);
}

void tv_steps_release(struct tv_steps *steps)
{
	tv_free(steps->time);
	tv_free(steps->value);
	*steps = (struct tv_steps){ 0 };
}

void tv_steps_to(struct tv_steps *steps, int64_t time, double value)
{
	if (steps->n > 0 && steps->time[steps->n - 1] == time)
		steps->n--;
	if (time >= steps->end || (steps->n > 0 && steps->value[steps->n - 1] == value))
		return;
	steps->time[steps->n] = time;
	steps->value[steps->n++] = value;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Sorts one of the three arrays of a sum. */
static void sort_changes(void *context, size_t i)
{
	struct tv_sum *sum = context;

	if (i == 2)
		tv_sort_by_time(sum->change, sum->n, sizeof *sum->change,
				offsetof(struct tv_change, time), NULL);
	else
		tv_sort_by_time(i == 0 ? sum->rise : sum->fall, sum->ones, sizeof *sum->rise, 0,
				NULL);
}

/* How far the changes of a sorted sum have been read, and what they sum to. */
struct reading {
	size_t up, down, at;
	tv_int128 level;
	double one; /* 1 in fixed point */
};

/* The largest amount, and 1 if there are any. */
static double find_max(const struct tv_sum *sum)
{
	double max = sum->ones > 0 ? 1 : 0x1p-900;

	for (size_t i = 0; i < sum->n; i++)
		max = fmax(max, fabs(sum->change[i].by));
	return max;
}

/* Digits behind the point where the largest amount has 90, so that 2^32 of them fit. */
static int digits_for(double max)
{
	return 89 - ilogb(max);
}

static struct reading begin_reading(const struct tv_sum *sum)
{
	return (struct reading){ .one = ldexp(1, digits_for(find_max(sum))) };
}

/* The next time at which there is any; false if there is none left. */
static inline bool next_time(const struct tv_sum *sum, const struct reading *r, int64_t *time)
{
	/* No rise is after the last fall. */
	if (r->at == sum->n && r->down == sum->ones)
		return false;
	*time = r->at < sum->n ? sum->change[r->at].time : INT64_MAX;
	if (r->down < sum->ones)
		*time = sooner(*time, sum->fall[r->down]);
	if (r->up < sum->ones)
		*time = sooner(*time, sum->rise[r->up]);
	return true;
}

/* number < 2^90, cut off to an integer: in two halves, which are converted in less time. */
static inline tv_int128 fixed_of(double number)
{
	int64_t high = (int64_t)(number * 0x1p-37);

	return (tv_int128)high * (INT64_C(1) << 37) + (int64_t)(number - (double)high * 0x1p37);
}

/* Reads all of that time: the value from there on. */
static inline double read_changes(const struct tv_sum *sum, struct reading *r, int64_t time)
{
	for (; r->at < sum->n && sum->change[r->at].time == time; r->at++)
		r->level += fixed_of(sum->change[r->at].by * r->one);
	for (; r->up < sum->ones && sum->rise[r->up] == time; r->up++)
		;
	for (; r->down < sum->ones && sum->fall[r->down] == time; r->down++)
		;
	return r->level == 0 ? (double)(r->up - r->down)
			     : (double)(r->level + (tv_int128)(r->up - r->down) * (tv_int128)r->one)
				       / r->one;
}

/* Its spans are no longer needed. */
static void empty(struct tv_sum *sum)
{
	release_spans(sum);
	tv_sum_init(sum, sum->begin, sum->end);
}

void tv_sum_packed(struct tv_sum *sum, struct tv_packed *packed)
{
	struct reading reading;
	int64_t time;

	tv_parallel(3, sort_changes, sum);
	reading = begin_reading(sum);
	tv_packed_init(packed, sum->n + 2 * sum->ones, sum->end);
	tv_packed_to(packed, sum->begin, 0);
	while (next_time(sum, &reading, &time))
		tv_packed_to(packed, time, read_changes(sum, &reading, time));
	tv_packed_finish(packed);
	empty(sum);
}

void tv_sum_steps(struct tv_sum *sum, struct tv_steps *steps)
{
	struct reading reading;
	int64_t time;

	tv_parallel(3, sort_changes, sum);
	reading = begin_reading(sum);
	tv_steps_init(steps, sum->n + 2 * sum->ones + 1, sum->end);
	tv_steps_to(steps, sum->begin, 0);
	while (next_time(sum, &reading, &time))
		tv_steps_to(steps, time, read_changes(sum, &reading, time));
	empty(sum);
	steps->time = tv_realloc(steps->time, steps->n + 1, sizeof *steps->time);
	steps->time[steps->n] = steps->end;
	steps->value = tv_realloc(steps->value, steps->n, sizeof *steps->value);
}

/* How many binary digits a number has behind the point. */
static int digits_of(double number)
{
	uint64_t bits, digits;
	int exponent;

	memcpy(&bits, &number, sizeof bits);
	exponent = (int)(bits >> 52 & 0x7ff);
	digits = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(exponent > 0) << 52;
	exponent += exponent == 0;
	return digits == 0 ? 0 : 1075 - exponent - __builtin_ctzll(digits);
}

/* Begins behind what is settled. */
static struct reading go_on(const struct tv_sum *sum, struct tv_settled *at)
{
	double max = fmax(find_max(sum), at->max);
	int less = at->max > 0 ? digits_for(at->max) - digits_for(max) : 0;
	struct reading r = { 0 };

	for (size_t i = 0; i < sum->n; i++) {
		int digits = digits_of(sum->change[i].by);

		at->digits = digits > at->digits ? digits : at->digits;
	}
	at->level >>= less < 127 ? less : 127;
	at->max = max;
	r.level = at->level;
	r.one = ldexp(1, digits_for(max));
	/* Of spans whose begin is settled. */
	while (r.up < sum->ones && sum->rise[r.up] == INT64_MIN)
		r.up++;
	return r;
}

/* Forgets what has been read. */
static void forget(struct tv_sum *sum, const struct reading *r)
{
	for (size_t i = r->down; i < r->up; i++)
		sum->rise[i] = INT64_MIN;
	if (r->down > 0) {
		memmove(sum->rise, sum->rise + r->down, (sum->ones - r->down) * sizeof *sum->rise);
		memmove(sum->fall, sum->fall + r->down, (sum->ones - r->down) * sizeof *sum->fall);
	}
	if (r->at > 0)
		memmove(sum->change, sum->change + r->at, (sum->n - r->at) * sizeof *sum->change);
	sum->ones -= r->down;
	sum->n -= r->at;
}

void tv_sum_settle(struct tv_sum *sum, int64_t until, struct tv_settled *at,
		   void (*piece)(void *context, int64_t from, int64_t to, double value),
		   void *context)
{
	struct reading reading;
	int64_t time;

	tv_parallel(3, sort_changes, sum);
	reading = go_on(sum, at);
	while (next_time(sum, &reading, &time) && time < until && time < sum->end) {
		double value = read_changes(sum, &reading, time);

		if (value == at->value)
			continue;
		if (at->time < time)
			piece(context, at->time, time, at->value);
		at->time = time;
		at->value = value;
	}
	at->level = reading.level;
	forget(sum, &reading);
	if (until == INT64_MAX && at->time < sum->end)
		piece(context, at->time, sum->end, at->value);
}

bool tv_settled_exactly(const struct tv_settled *at)
{
	return at->max == 0 || at->digits <= digits_for(at->max);
}

void tv_sum_pack(const struct tv_sum *sum, struct tv_parcel *pack)
{
	tv_pack_number(pack, sum->ones);
	tv_pack_bytes(pack, sum->rise, sum->ones * sizeof *sum->rise);
	tv_pack_bytes(pack, sum->fall, sum->ones * sizeof *sum->fall);
	tv_pack_number(pack, sum->n);
	tv_pack_bytes(pack, sum->change, sum->n * sizeof *sum->change);
}

void tv_sum_unpack(struct tv_sum *sum, struct tv_unpack *from)
{
	size_t n = (size_t)tv_unpack_number(from);

	grow_ones(sum, n);
	if (n > 0) {
		tv_unpack_bytes(from, sum->rise + sum->ones, n * sizeof *sum->rise);
		tv_unpack_bytes(from, sum->fall + sum->ones, n * sizeof *sum->fall);
	}
	sum->ones += n;
	n = (size_t)tv_unpack_number(from);
	TV_GROW(sum->change, sum->n, sum->cap, n);
	if (n > 0)
		tv_unpack_bytes(from, sum->change + sum->n, n * sizeof *sum->change);
	sum->n += n;
}

void tv_steps_subtract(const struct tv_steps *a, const struct tv_steps *b, struct tv_steps *out)
{
	size_t i = 0, k = 0;

	tv_steps_init(out, a->n + b->n, a->end);
	while (i < a->n || k < b->n) {
		int64_t time = i < a->n ? a->time[i] : b->time[k];

		if (k < b->n && b->time[k] < time)
			time = b->time[k];
		i += i < a->n && a->time[i] == time;
		k += k < b->n && b->time[k] == time;
		/* Both begin at the same time. */
		tv_steps_to(out, time, a->value[i - 1] - b->value[k - 1]);
	}
}

/* End of the slice that holds t: the next multiple of step_ns > 0, at most `end`. */
static int64_t slice_end(int64_t t, int64_t step_ns, int64_t end)
{
	int64_t into = t % step_ns, left;

	/* Towards the next multiple, also below 0. */
	left = into < 0 ? -into : step_ns - into;
	return end - t <= left ? end : t + left;
}

static int64_t first_end(const struct tv_slices *slices)
{
	return slices->step_ns == 0 ? slices->end
				    : slice_end(slices->begin, slices->step_ns, slices->end);
}

int64_t tv_slices_begin(const struct tv_slices *slices, uint64_t i)
{
	return i == 0 ? slices->begin : first_end(slices) + (int64_t)(i - 1) * slices->step_ns;
}

int64_t tv_slices_end(const struct tv_slices *slices, uint64_t i)
{
	return i == 0 ? first_end(slices)
		      : slice_end(tv_slices_begin(slices, i), slices->step_ns, slices->end);
}

uint64_t tv_slices_at(const struct tv_slices *slices, int64_t t)
{
	int64_t first = first_end(slices);

	return t < first ? 0 : 1 + (uint64_t)(t - first) / (uint64_t)slices->step_ns;
}

uint64_t tv_slices_count(const struct tv_slices *slices)
{
	return slices->begin >= slices->end ? 0 : 1 + tv_slices_at(slices, slices->end - 1);
}

struct tv_slicing tv_slicing_init(int64_t begin, int64_t end, int64_t step_ns)
{
	struct tv_slicing slicing = { .step_ns = step_ns, .end = end };

	slicing.slice.begin = begin;
	if (step_ns > 0 && begin < end)
		slicing.slice.end = slice_end(begin, step_ns, end);
	return slicing;
}

void tv_slicing_cut(struct tv_slicing *s, int64_t end)
{
	s->end = end;
	s->slice.end = sooner(s->slice.end, end);
}

bool tv_slicing_add(struct tv_slicing *s, int64_t *from, int64_t to, double value,
		    struct tv_slice *slice)
{
	int64_t end = to < s->slice.end ? to : s->slice.end;
	double part = value * (double)(end - *from), next = s->sum + part;

	/* Neumaier's sum: small pieces are not lost beside large ones. */
	s->lost += fabs(s->sum) >= fabs(part) ? s->sum - next + part : part - next + s->sum;
	s->sum = next;
	s->slice.min = s->open && s->slice.min <= value ? s->slice.min : value;
	s->slice.max = s->open && s->slice.max >= value ? s->slice.max : value;
	s->open = true;
	*from = end;
	if (end < s->slice.end)
		return false;
	*slice = s->slice;
	/* Of a constant, exactly that. */
	slice->mean = slice->min == slice->max
			    ? slice->max
			    : (s->sum + s->lost) / (double)(slice->end - slice->begin);
	*s = tv_slicing_init(end, s->end, s->step_ns);
	return true;
}

void tv_slicer_init(struct tv_slicer *slicer, const struct tv_steps *steps, int64_t step_ns)
{
	int64_t begin = steps->n > 0 ? steps->time[0] : steps->end;

	*slicer = (struct tv_slicer){
		.steps = steps,
		.slicing = tv_slicing_init(begin, steps->end, step_ns),
		.at = begin,
	};
}

bool tv_slicer_next(struct tv_slicer *slicer, struct tv_slice *slice)
{
	const struct tv_steps *s = slicer->steps;

	while (slicer->at < s->end) {
		int64_t end = slicer->piece + 1 < s->n ? s->time[slicer->piece + 1] : s->end;
		bool full = tv_slicing_add(&slicer->slicing, &slicer->at, end,
					   s->value[slicer->piece], slice);

		slicer->piece += slicer->at == end;
		if (full)
			return true;
	}
	return false;
}
