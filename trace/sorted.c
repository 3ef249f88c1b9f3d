/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sorted.c -- comparators, radix sort by time, binary search, a heap. */
#include "trace/sorted.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"

int tv_compare_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return TV_COMPARE(x, y);
}

int tv_compare_uint32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return TV_COMPARE(x, y);
}

int tv_compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return TV_COMPARE(x, y);
}

enum { SMALL = 16, DIGIT = 11, VALUES = 1 << DIGIT };

/* Of a record of another size than SMALL: its time and where it was. */
struct place {
	int64_t time;
	size_t at;
};

/* The time of a record as an unsigned number, in the order of signed ones. */
static inline uint64_t time_of(const char *record, size_t offset)
{
	uint64_t time;

	memcpy(&time, record + offset, sizeof time);
	return time ^ UINT64_C(1) << 63;
}

static bool is_sorted(const char *array, size_t n, size_t size, size_t offset)
{
	size_t i = 1;

	while (i < n
	       && time_of(array + (i - 1) * size, offset) <= time_of(array + i * size, offset))
		i++;
	return i >= n;
}

/* Sorts records of SMALL bytes by one digit of their time above the min, stable. */
static void sort_digit(const char *from, char *to, size_t n, size_t offset, uint64_t min, int shift)
{
	size_t begin[VALUES] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		begin[(time_of(from + i * SMALL, offset) - min) >> shift & (VALUES - 1)]++;
	for (size_t v = 0; v < VALUES; v++) {
		size_t count = begin[v];

		begin[v] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++, from += SMALL)
		memcpy(to + SMALL * begin[(time_of(from, offset) - min) >> shift & (VALUES - 1)]++,
		       from, SMALL);
}

/* Records of SMALL bytes. */
static void sort_small(char *array, size_t n, size_t offset)
{
	char *copy = tv_realloc(NULL, n, SMALL), *from = array, *to = copy;
	uint64_t min = UINT64_MAX, max = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t time = time_of(array + i * SMALL, offset);

		min = time < min ? time : min;
		max = time > max ? time : max;
	}
	for (int shift = 0; shift < 64 && (max - min) >> shift != 0; shift += DIGIT) {
		char *swap = from;

		sort_digit(from, to, n, offset, min, shift);
		from = to;
		to = swap;
	}
	if (from == copy)
		memcpy(array, copy, n * SMALL);
	tv_free(copy);
}

/* Records of any size, by their places. */
static void sort_large(char *array, size_t n, size_t size, size_t offset)
{
	struct place *place = tv_realloc(NULL, n, sizeof *place);
	char *copy;

	for (size_t i = 0; i < n; i++) {
		memcpy(&place[i].time, array + i * size + offset, sizeof place[i].time);
		place[i].at = i;
	}
	sort_small((char *)place, n, offsetof(struct place, time));
	copy = tv_realloc(NULL, n, size);
	memcpy(copy, array, n * size);
	for (size_t i = 0; i < n; i++)
		memcpy(array + i * size, copy + place[i].at * size, size);
	tv_free(copy);
	tv_free(place);
}

/* Runs of equal times, each by the comparison. */
static void sort_equal(char *array, size_t n, size_t size, size_t offset,
		       int (*compare)(const void *, const void *))
{
	for (size_t i = 0, next; i < n; i = next) {
		uint64_t time = time_of(array + i * size, offset);

		for (next = i + 1; next < n && time_of(array + next * size, offset) == time; next++)
			;
		if (next - i > 1)
			qsort(array + i * size, next - i, size, compare);
	}
}

void tv_sort_by_time(void *array, size_t n, size_t size, size_t offset,
		     int (*compare)(const void *, const void *))
{
	if (!is_sorted(array, n, size, offset)) {
		if (size == SMALL)
			sort_small(array, n, offset);
		else
			sort_large(array, n, size, offset);
	}
	if (compare != NULL)
		sort_equal(array, n, size, offset, compare);
}

size_t tv_count_upto(const void *key, const void *array, size_t n, size_t size,
		     int (*compare)(const void *, const void *))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare((const char *)array + middle * size, key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void tv_heap_push(struct tv_heap *heap, uint32_t row, tv_before *before, const void *context)
{
	size_t at = heap->n;

	TV_GROW(heap->row, heap->n, heap->cap, 1);
	heap->n++;
	for (; at > 0 && before(context, row, heap->row[(at - 1) / 2]); at = (at - 1) / 2)
		heap->row[at] = heap->row[(at - 1) / 2];
	heap->row[at] = row;
}

void tv_heap_pop(struct tv_heap *heap, tv_before *before, const void *context)
{
	tv_heap_remove(heap, 0, before, context);
}

/* The last one takes its place, and moves up or down from there. */
void tv_heap_remove(struct tv_heap *heap, size_t at, tv_before *before, const void *context)
{
	uint32_t row = heap->row[--heap->n];

	for (; at > 0 && before(context, row, heap->row[(at - 1) / 2]); at = (at - 1) / 2)
		heap->row[at] = heap->row[(at - 1) / 2];
	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < heap->n && before(context, heap->row[child + 1], heap->row[child]))
			child++;
		if (child >= heap->n || !before(context, heap->row[child], row))
			break;
		heap->row[at] = heap->row[child];
		at = child;
	}
	heap->row[at] = row;
}

void tv_heap_release(struct tv_heap *heap)
{
	tv_free(heap->row);
	*heap = (struct tv_heap){ 0 };
}
