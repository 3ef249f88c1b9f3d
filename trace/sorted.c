/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sorted.c -- comparators, bucket sort by times and numbers, binary search, a heap. */
#include "trace/sorted.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

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

int64_t tv_median_int64(const int64_t *sorted, size_t n)
{
	int64_t low = sorted[(n - 1) / 2], high = sorted[n / 2];

	return low + (high - low) / 2;
}

/* A key: the bits of an int64_t or a double, changed so that unsigned numbers have their order. The sign is turned
 * over, and of negative numbers the bits `negative`: of doubles all others. */
enum { NEGATIVE_INT = 0 };
static const uint64_t sign = UINT64_C(1) << 63, negative_double = ~(UINT64_C(1) << 63);

static inline uint64_t key_of(const char *record, size_t offset, uint64_t negative)
{
	uint64_t bits;

	memcpy(&bits, record + offset, sizeof bits);
	return bits ^ (sign | (-(bits >> 63) & negative));
}

/* Of a record of another size than those that are moved themselves: its key and where it was. */
struct place {
	int64_t key; /* as if it were a time */
	size_t at;
};

enum {
	FEW = 24,	/* records that are sorted by insertion */
	PER_BUCKET = 4, /* records, if their keys are spread evenly */
	NEAR = 32 /* places that a record of an array that is nearly sorted moves, on average */
};

/* What is to be sorted by a key. */
struct sorting {
	size_t n, offset;
	uint64_t negative;
};

static bool is_sorted(const char *array, size_t size, struct sorting s)
{
	size_t i = 1;

	while (i < s.n
	       && key_of(array + (i - 1) * size, s.offset, s.negative)
			  <= key_of(array + i * size, s.offset, s.negative))
		i++;
	return i >= s.n;
}

/* Stable; cost O(n) if every record is near to its place; if it is not and `near` is set, false before they are
 * sorted. Functions from here to sort_records are inlined with a constant size, 8 or 16. */
static inline __attribute__((always_inline)) bool insert_each(char *array, size_t size,
							      struct sorting s, bool near)
{
	size_t moves = 0;

	for (size_t i = 1; i < s.n; i++) {
		char record[sizeof(struct place)];
		uint64_t key = key_of(array + i * size, s.offset, s.negative);
		size_t at = i;

		if (key_of(array + (i - 1) * size, s.offset, s.negative) <= key)
			continue;
		memcpy(record, array + i * size, size);
		for (; at > 0 && key_of(array + (at - 1) * size, s.offset, s.negative) > key; at--)
			memcpy(array + at * size, array + (at - 1) * size, size);
		memcpy(array + at * size, record, size);
		moves += i - at;
		if (near && moves / NEAR > i)
			return false;
	}
	return true;
}

/* Numbers of records become where each bucket begins. */
static void begin_buckets(size_t *bucket, size_t n)
{
	size_t sum = 0;

	for (size_t b = 0; b < n; b++) {
		size_t count = bucket[b];

		bucket[b] = sum;
		sum += count;
	}
}

static void spread_numbers(char *array, char *copy, struct sorting s);
static void spread_places(char *array, char *copy, struct sorting s);

/*
 * Moves records into buckets of as many keys each, stable, and those of large buckets again. The rest is up to
 * insert_each. Times are nearly in order as a rule, so that they move to near places of memory.
 */
static inline __attribute__((always_inline)) void spread(char *array, char *copy, size_t size,
							 struct sorting s)
{
	uint64_t min = UINT64_MAX, max = 0;
	size_t *end, buckets;
	int shift = 0;

	for (size_t i = 0; i < s.n; i++) {
		uint64_t key = key_of(array + i * size, s.offset, s.negative);

		min = key < min ? key : min;
		max = key > max ? key : max;
	}
	while ((max - min) >> shift >= s.n / PER_BUCKET)
		shift++;
	buckets = (size_t)((max - min) >> shift) + 1;
	end = tv_alloc(buckets, sizeof *end);
	for (size_t i = 0; i < s.n; i++)
		end[(key_of(array + i * size, s.offset, s.negative) - min) >> shift]++;
	begin_buckets(end, buckets);
	for (size_t i = 0; i < s.n; i++) {
		uint64_t key = key_of(array + i * size, s.offset, s.negative);

		memcpy(copy + size * end[(key - min) >> shift]++, array + i * size, size);
	}
	memcpy(array, copy, s.n * size);
	for (size_t b = 0, at = 0; shift > 0 && b < buckets; at = end[b++])
		if (end[b] - at > FEW)
			(size == sizeof(struct place) ? spread_places : spread_numbers)(
				array + at * size, copy,
				(struct sorting){ end[b] - at, s.offset, s.negative });
	tv_free(end);
}

static void spread_numbers(char *array, char *copy, struct sorting s)
{
	spread(array, copy, sizeof(int64_t), s);
}

static void spread_places(char *array, char *copy, struct sorting s)
{
	spread(array, copy, sizeof(struct place), s);
}

static inline __attribute__((always_inline)) void sort_records(char *array, size_t size,
							       struct sorting s)
{
	char *copy;

	if (insert_each(array, size, s, s.n > FEW))
		return;
	copy = tv_realloc(NULL, s.n, size);
	spread(array, copy, size, s);
	tv_free(copy);
	insert_each(array, size, s, false);
}

/* Records of any size, by their places. */
static void sort_places(char *array, size_t size, struct sorting s)
{
	const struct sorting places = { s.n, offsetof(struct place, key), NEGATIVE_INT };
	struct place *place = tv_realloc(NULL, s.n, sizeof *place);
	char *copy;

	for (size_t i = 0; i < s.n; i++) {
		uint64_t key = key_of(array + i * size, s.offset, s.negative);

		place[i] = (struct place){ (int64_t)(key ^ sign), i };
	}
	sort_records((char *)place, sizeof *place, places);
	copy = tv_realloc(NULL, s.n, size);
	memcpy(copy, array, s.n * size);
	for (size_t i = 0; i < s.n; i++)
		memcpy(array + i * size, copy + place[i].at * size, size);
	tv_free(copy);
	tv_free(place);
}

/* Runs of equal keys, each by the comparison. */
static void sort_equal(char *array, size_t size, struct sorting s,
		       int (*compare)(const void *, const void *))
{
	for (size_t i = 0, next; i < s.n; i = next) {
		uint64_t key = key_of(array + i * size, s.offset, s.negative);

		for (next = i + 1;
		     next < s.n && key_of(array + next * size, s.offset, s.negative) == key; next++)
			;
		if (next - i > 1)
			qsort(array + i * size, next - i, size, compare);
	}
}

static void sort(char *array, size_t size, struct sorting s,
		 int (*compare)(const void *, const void *))
{
	if (!is_sorted(array, size, s)) {
		if (size == sizeof(int64_t) && s.negative == NEGATIVE_INT) /* the compiler knows */
			sort_records(array, sizeof(int64_t),
				     (struct sorting){ s.n, 0, NEGATIVE_INT });
		else if (size == sizeof(int64_t))
			sort_records(array, sizeof(int64_t), s);
		else if (size == sizeof(struct place))
			sort_records(array, sizeof(struct place), s);
		else
			sort_places(array, size, s);
	}
	if (compare != NULL)
		sort_equal(array, size, s, compare);
}

void tv_sort_by_time(void *array, size_t n, size_t size, size_t offset,
		     int (*compare)(const void *, const void *))
{
	sort(array, size, (struct sorting){ n, offset, NEGATIVE_INT }, compare);
}

void tv_sort_by_number(void *array, size_t n, size_t size, size_t offset,
		       int (*compare)(const void *, const void *))
{
	sort(array, size, (struct sorting){ n, offset, negative_double }, compare);
}

/* A row while it is sorted. */
struct timed_row {
	int64_t time;
	uint32_t row;
};

static int by_row(const void *a, const void *b)
{
	const struct timed_row *x = a, *y = b;

	return TV_COMPARE(x->row, y->row);
}

/* room: for n. */
static void sort_few_rows(uint32_t *row, size_t n, const int64_t *time, struct timed_row *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = (struct timed_row){ time[row[i]], row[i] };
	tv_sort_by_time(room, n, sizeof *room, offsetof(struct timed_row, time), by_row);
	for (size_t i = 0; i < n; i++)
		row[i] = room[i].row;
}

enum { ROWS_TOGETHER = 4096 }; /* are sorted in the cache */

/* Moves rows into about n / ROWS_TOGETHER buckets of as many ns each; the number of each one's last. */
static size_t *spread_rows(uint32_t *row, size_t n, const int64_t *time, size_t *buckets)
{
	uint32_t *copy = tv_realloc(NULL, n, sizeof *copy);
	int64_t min = INT64_MAX, max = INT64_MIN;
	size_t *end;
	int shift = 0;

	for (size_t i = 0; i < n; i++) {
		min = time[row[i]] < min ? time[row[i]] : min;
		max = time[row[i]] > max ? time[row[i]] : max;
	}
	while (((uint64_t)max - (uint64_t)min) >> shift > n / ROWS_TOGETHER + 1)
		shift++;
	*buckets = (size_t)(((uint64_t)max - (uint64_t)min) >> shift) + 1;
	end = tv_alloc(*buckets, sizeof *end);
	for (size_t i = 0; i < n; i++)
		end[((uint64_t)time[row[i]] - (uint64_t)min) >> shift]++;
	begin_buckets(end, *buckets);
	memcpy(copy, row, n * sizeof *row);
	for (size_t i = 0; i < n; i++)
		row[end[((uint64_t)time[copy[i]] - (uint64_t)min) >> shift]++] = copy[i];
	tv_free(copy);
	return end;
}

/* As insert_each of records, if they are near to their places. */
static bool insert_rows(uint32_t *row, size_t n, const int64_t *time)
{
	size_t moves = 0;

	for (size_t i = 1; i < n; i++) {
		uint32_t one = row[i];
		size_t at = i;

		for (; at > 0
		       && (time[row[at - 1]] > time[one]
			   || (time[row[at - 1]] == time[one] && row[at - 1] > one));
		     at--)
			row[at] = row[at - 1];
		row[at] = one;
		moves += i - at;
		if (moves / NEAR > i)
			return false;
	}
	return true;
}

void tv_sort_rows_by_time(uint32_t *row, size_t n, const int64_t *time)
{
	size_t buckets, max = 0, *end;
	struct timed_row *room;

	if (insert_rows(row, n, time))
		return;
	if (n <= ROWS_TOGETHER) {
		room = tv_realloc(NULL, n, sizeof *room);
		sort_few_rows(row, n, time, room);
		tv_free(room);
		return;
	}
	end = spread_rows(row, n, time, &buckets);
	for (size_t b = 0, at = 0; b < buckets; at = end[b++])
		max = end[b] - at > max ? end[b] - at : max;
	room = tv_realloc(NULL, max, sizeof *room);
	for (size_t b = 0, at = 0; b < buckets; at = end[b++])
		sort_few_rows(row + at, end[b] - at, time, room);
	tv_free(room);
	tv_free(end);
}

size_t tv_count_upto(const void *key, const void *array, size_t n, size_t size,
		     int (*compare)(const void *, const void *))
{
	size_t i;

	TV_LOWER_BOUND(i, 0, n, compare((const char *)array + i * size, key) <= 0);
	return i;
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

/* The order of two as that of two numbers, which compare without a branch. */
static inline tv_int128 order_of(struct tv_due due)
{
	return (tv_int128)due.key * ((tv_int128)1 << 64)
	     + (tv_int128)((uint64_t)due.then << 32 | due.of);
}

static void free_place(struct tv_agenda *agenda, uint32_t place)
{
	agenda->at[place] = (struct tv_due){ INT64_MAX, UINT32_MAX, agenda->free };
	agenda->free = place;
}

/* The place that a cell has: cells from cap on are the places themselves. */
static inline uint32_t winner_of(const struct tv_agenda *agenda, size_t cell)
{
	return cell < agenda->cap ? agenda->winner[cell] : (uint32_t)(cell - agenda->cap);
}

/* All places are taken. */
static void grow_agenda(struct tv_agenda *agenda)
{
	uint32_t old = agenda->cap;
	size_t cap = old;

	TV_GROW(agenda->at, agenda->n, cap, 1);
	agenda->winner = tv_realloc(agenda->winner, cap, sizeof *agenda->winner);
	agenda->cap = cap < UINT32_MAX ? (uint32_t)cap : UINT32_MAX;
	for (uint32_t place = agenda->cap; place-- > old;)
		free_place(agenda, place);
	for (size_t cell = agenda->cap; cell-- > 1;) {
		uint32_t a = winner_of(agenda, 2 * cell), b = winner_of(agenda, 2 * cell + 1);

		agenda->winner[cell] = order_of(agenda->at[b]) < order_of(agenda->at[a]) ? b : a;
	}
}

void tv_agenda_push(struct tv_agenda *agenda, struct tv_due due)
{
	uint32_t place;

	if (agenda->n == agenda->cap)
		grow_agenda(agenda);
	place = agenda->free;
	agenda->free = agenda->at[place].of;
	agenda->at[place] = due;
	agenda->n++;
	for (size_t cell = ((size_t)agenda->cap + place) / 2; cell > 0; cell /= 2) {
		uint32_t *winner = &agenda->winner[cell];

		if (*winner != place && order_of(agenda->at[*winner]) < order_of(due))
			return;
		*winner = place;
	}
}

struct tv_due tv_agenda_pop(struct tv_agenda *agenda)
{
	return tv_agenda_remove(agenda, agenda->winner[1]);
}

struct tv_due tv_agenda_remove(struct tv_agenda *agenda, uint32_t place)
{
	struct tv_due due = agenda->at[place];
	uint32_t best = place;
	tv_int128 order;

	free_place(agenda, place);
	agenda->n--;
	order = order_of(agenda->at[place]);
	for (size_t cell = (size_t)agenda->cap + place; cell > 1; cell /= 2) {
		uint32_t other = winner_of(agenda, cell ^ 1);
		tv_int128 order_of_other = order_of(agenda->at[other]);

		if (agenda->winner[cell / 2] != place)
			break; /* nor is it above */
		best = order_of_other < order ? other : best;
		order = order_of_other < order ? order_of_other : order;
		agenda->winner[cell / 2] = best;
	}
	return due;
}

void tv_agenda_release(struct tv_agenda *agenda)
{
	tv_free(agenda->at);
	tv_free(agenda->winner);
	*agenda = (struct tv_agenda){ 0 };
}
