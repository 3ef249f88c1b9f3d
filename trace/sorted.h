/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sorted.h -- comparators, sorting by times and numbers, searching sorted arrays, and rows by urgency. */
#ifndef TV_SORTED_H
#define TV_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

/* The order of two numbers of one type, for comparators: -1, 0 or 1. Evaluates them twice. */
#define TV_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/*
 * TV_ORDER(by_place, struct item, node, down(time), text(name)) defines the comparator
 *
 *	static int by_place(const void *a, const void *b)
 *
 * of two struct item: by node, ascending; equal ones by time, descending; equal ones by name as tv_natural_order (trace/text.h)
 * orders them; 0 where all are equal. One to eleven keys, each a member (a number or a pointer), which may be at.begin, event->row
 * or key[0]. No semicolon follows.
 */
#define TV_ORDER(name, type, ...) \
	static int name(const void *a, const void *b) \
	{ \
		const type *x = a, *y = b; \
\
		TV_ORDER_COUNT(__VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, ~) \
		(__VA_ARGS__) return 0; \
	}
#define TV_ORDER_COUNT(k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, n, ...) TV_ORDER_##n
#define TV_ORDER_1(key)							     TV_ORDER_KEY(key)
#define TV_ORDER_2(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_1(__VA_ARGS__)
#define TV_ORDER_3(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_2(__VA_ARGS__)
#define TV_ORDER_4(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_3(__VA_ARGS__)
#define TV_ORDER_5(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_4(__VA_ARGS__)
#define TV_ORDER_6(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_5(__VA_ARGS__)
#define TV_ORDER_7(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_6(__VA_ARGS__)
#define TV_ORDER_8(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_7(__VA_ARGS__)
#define TV_ORDER_9(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_8(__VA_ARGS__)
#define TV_ORDER_10(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_9(__VA_ARGS__)
#define TV_ORDER_11(key, ...)						     TV_ORDER_KEY(key) TV_ORDER_10(__VA_ARGS__)

/* The second argument is what `down` and `text` below become, or, of a bare member, what follows. */
#define TV_ORDER_KEY(key)		TV_ORDER_PICK(TV_ORDER_BY_##key, TV_ORDER_NUMBERS(x, y, key), ~)
#define TV_ORDER_PICK(...)		TV_ORDER_SECOND(__VA_ARGS__)
#define TV_ORDER_SECOND(a, second, ...) second
#define TV_ORDER_BY_down(member)	~, TV_ORDER_NUMBERS(y, x, member)
#define TV_ORDER_BY_text(member)	~, TV_ORDER_TEXTS(member)
#define TV_ORDER_NUMBERS(p, q, member) \
	if ((p)->member != (q)->member) \
		return TV_COMPARE((p)->member, (q)->member);
#define TV_ORDER_TEXTS(member) \
	{ \
		int order = tv_natural_order(x->member, y->member); \
\
		if (order != 0) \
			return order; \
	}

/* Comparators of two numbers, ascending. */
int tv_compare_int64(const void *a, const void *b);
int tv_compare_uint32(const void *a, const void *b);
int tv_compare_double(const void *a, const void *b); /* no NaN */

/* The median of n > 0 sorted numbers; of two in the middle their mean, rounded down. */
int64_t tv_median_int64(const int64_t *sorted, size_t n);

/*
 * Sorts n records of `size` bytes by the int64_t that each has at `offset`, those with equal ones
 * by compare (NULL: they keep their order). A bare array has records of 8 bytes. Cost O(n) time,
 * for records that are in order one look at each; memory of the records once more and 2 bytes for
 * each, or none where they are near to their places; of other sizes than 8 and 16 another 34.
 */
void tv_sort_by_time(void *array, size_t n, size_t size, size_t offset,
		     int (*compare)(const void *, const void *));
/* The same by a double, no NaN; -0 goes before 0. */
void tv_sort_by_number(void *array, size_t n, size_t size, size_t offset,
		       int (*compare)(const void *, const void *));

/* Sorts n different rows by their time[row] or another number, equal ones by row. Cost O(n) time;
 * memory of 4 bytes for each row that is not near to its place, and where many times are near to each other and few far away, 32
 * for each of those. */
void tv_sort_rows_by_time(uint32_t *row, size_t n, const int64_t *time);

/*
 * Sets i to the first of begin <= i < end for which `before`, an expression of i, does not hold, or to end if it holds for
 * all; behind one for which it does not hold, it holds for none. Where end <= begin, i is begin. Cost O(log(end - begin)).
 */
#define TV_LOWER_BOUND(i, begin, end, before) \
	do { \
		size_t low_ = (begin), high_ = (end); \
\
		while (low_ < high_) { \
			(i) = low_ + (high_ - low_) / 2; \
			if (before) \
				low_ = (i) + 1; \
			else \
				high_ = (i); \
		} \
		(i) = low_; \
	} while (0)

/* How many of the n sorted elements compare less than or equal to the key. Cost O(log n). */
size_t tv_count_upto(const void *key, const void *array, size_t n, size_t size,
		     int (*compare)(const void *, const void *));

/* How many of n sorted numbers are below x. */
static inline uint32_t tv_count_below(const int64_t *sorted, uint32_t n, int64_t x)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, n, sorted[i] < x);
	return i;
}

/* Whether a goes before b; a total order. */
typedef bool tv_before(const void *context, uint32_t a, uint32_t b);

/* A binary heap of numbers: row[0] is the first in the given order while n > 0. */
struct tv_heap {
	uint32_t *row;
	size_t n, cap;
};

/* Cost O(log n). */
void tv_heap_push(struct tv_heap *heap, uint32_t row, tv_before *before, const void *context);
/* Takes row[0] out; n > 0. Cost O(log n). */
void tv_heap_pop(struct tv_heap *heap, tv_before *before, const void *context);
/* Takes row[at] out; at < n. Cost O(log n). */
void tv_heap_remove(struct tv_heap *heap, size_t at, tv_before *before, const void *context);
void tv_heap_release(struct tv_heap *heap);

/* What is due: by key, as a time, of equal ones by then, which is < UINT32_MAX, then by of. */
struct tv_due {
	int64_t key;
	uint32_t then;
	uint32_t of; /* the user's */
};

/*
 * What is due, each at a place where it stays; two agendas that are filled and emptied in the same order have the same places. A tree of
 * winners: each cell has the place of the one due first of the two cells below it, so the way up from a place has no branch that
 * cannot be predicted, and it is several times faster than a heap, which looks up the keys of all that it compares.
 */
struct tv_agenda {
	struct tv_due *at;  /* cap places; those that are free come after all others */
	uint32_t *winner;   /* winner[1] is the place of the first while n > 0 */
	uint32_t free, cap; /* free: a place, whose `of` is the next free one */
	size_t n;
};

/* The first, while n > 0. */
static inline const struct tv_due *tv_agenda_first(const struct tv_agenda *agenda)
{
	return &agenda->at[agenda->winner[1]];
}

/* Whether there is something at a place < cap. */
static inline bool tv_agenda_has(const struct tv_agenda *agenda, uint32_t place)
{
	return agenda->at[place].then < UINT32_MAX;
}

/* Cost O(log n). */
void tv_agenda_push(struct tv_agenda *agenda, struct tv_due due);
/* Takes the first out; n > 0. Cost O(log n). */
struct tv_due tv_agenda_pop(struct tv_agenda *agenda);
/* Takes out what is at a place. Cost O(log n). */
struct tv_due tv_agenda_remove(struct tv_agenda *agenda, uint32_t place);
void tv_agenda_release(struct tv_agenda *agenda);

#endif
