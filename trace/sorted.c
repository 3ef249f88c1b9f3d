/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sorted.c -- searching sorted arrays, and rows by urgency. */
#include "trace/sorted.h"

#include "trace/alloc.h"

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

int tv_heap_push(struct tv_heap *heap, uint32_t row, tv_before *before, const void *context)
{
	size_t at = heap->n;

	if (TV_GROW(heap->row, heap->n, heap->cap, 1) < 0)
		return -1;
	heap->n++;
	for (; at > 0 && before(context, row, heap->row[(at - 1) / 2]); at = (at - 1) / 2)
		heap->row[at] = heap->row[(at - 1) / 2];
	heap->row[at] = row;
	return 0;
}

void tv_heap_pop(struct tv_heap *heap, tv_before *before, const void *context)
{
	uint32_t row = heap->row[--heap->n];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < heap->n
		    && before(context, heap->row[child + 1], heap->row[child]))
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
