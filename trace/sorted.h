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

/* How many of the n sorted elements compare less than or equal to the key. Cost O(log n). */
size_t tv_count_upto(const void *key, const void *array, size_t n, size_t size,
		     int (*compare)(const void *, const void *));

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

#endif
