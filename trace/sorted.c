/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sorted.c -- comparators, radix sort by time, binary search, a heap. */
#include "trace/sorted.h"

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

/* A time and where its record was; times as unsigned numbers above the min. */
struct place {
	uint64_t time;
	size_t at;
};

enum { DIGIT = 11, VALUES = 1 << DIGIT };

/* Sorts by one digit, stable. */
static void sort_digit(const struct place *from, struct place *to, size_t n, int shift)
{
	size_t begin[VALUES] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		begin[from[i].time >> shift & (VALUES - 1)]++;
	for (size_t v = 0; v < VALUES; v++) {
		size_t count = begin[v];

		begin[v] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[begin[from[i].time >> shift & (VALUES - 1)]++] = from[i];
}

static uint64_t time_at(const char *array, size_t i, size_t size, size_t offset)
{
	uint64_t time;

	memcpy(&time, array + i * size + offset, sizeof time);
	return time ^ UINT64_C(1) << 63; /* in the order of signed numbers */
}

/* Fills place[] and returns the largest time; *sorted: they ascend already. */
static uint64_t list_places(struct place *place, const char *array, size_t n, size_t size,
			    size_t offset, bool *sorted)
{
	uint64_t min = UINT64_MAX, max = 0;

	*sorted = true;
	for (size_t i = 0; i < n; i++) {
		place[i] = (struct place){ time_at(array, i, size, offset), i };
		*sorted = *sorted && (i == 0 || place[i - 1].time <= place[i].time);
		min = place[i].time < min ? place[i].time : min;
		max = place[i].time > max ? place[i].time : max;
	}
	for (size_t i = 0; i < n; i++)
		place[i].time -= min;
	return n > 0 ? max - min : 0;
}

/* Runs of equal times, each by the comparison. */
static void sort_equal(char *array, const struct place *place, size_t n, size_t size,
		       int (*compare)(const void *, const void *))
{
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && place[next].time == place[i].time; next++)
			;
		if (next - i > 1)
			qsort(array + i * size, next - i, size, compare);
	}
}

void tv_sort_by_time(void *array, size_t n, size_t size, size_t offset,
		     int (*compare)(const void *, const void *))
{
	struct place *place = tv_alloc(n, sizeof *place), *other = NULL;
	char *copy = NULL;
	bool sorted;
	uint64_t max;

	max = list_places(place, array, n, size, offset, &sorted);
	if (!sorted) {
		other = tv_alloc(n, sizeof *other);
		for (int shift = 0; shift < 64 && max >> shift != 0; shift += DIGIT) {
			struct place *swap = place;

			sort_digit(place, other, n, shift);
			place = other;
			other = swap;
		}
		tv_free(other); /* before as much again is taken */
		other = NULL;
		copy = tv_alloc(n, size);
		memcpy(copy, array, n * size);
		for (size_t i = 0; i < n; i++)
			memcpy((char *)array + i * size, copy + place[i].at * size, size);
	}
	if (compare != NULL)
		sort_equal(array, place, n, size, compare);
	tv_free(place);
	tv_free(other);
	tv_free(copy);
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
