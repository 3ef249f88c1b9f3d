/* SPDX-License-Identifier: GPL-3.0-or-later */
/* selection.c -- counts of numbers in buckets, which become narrower from round to round. */
#include "analysis/core/selection.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

enum {
	FEW = 8192,	 /* numbers that are kept rather than counted */
	FIRST_BITS = 11, /* of a number behind its first one: of buckets of the first round */
	OCTAVE = 1 << FIRST_BITS,
	PART_BITS = 12,		/* of parts of a bucket that are counted */
	SIDE = 64 - FIRST_BITS, /* powers of two of numbers of a sign, and the numbers below */
};

/* ---- buckets of the first round ---- */

/* Numbers from 0 on are in the buckets from 0 on, a number below 0 in the bucket -1 - that of -1 - number: exact below
 * OCTAVE, then OCTAVE buckets for each power of two. */
static inline int64_t bucket_of(int64_t number)
{
	uint64_t size = number < 0 ? ~(uint64_t)number : (uint64_t)number;
	int shift = size < OCTAVE ? 0 : 63 - FIRST_BITS - __builtin_clzll(size);
	int64_t bucket = (int64_t)(size >> shift) + (int64_t)shift * OCTAVE;

	return number < 0 ? -1 - bucket : bucket;
}

static inline uint64_t **octave_of(struct tv_selection *s, int64_t bucket)
{
	return &s->octave[(bucket >> FIRST_BITS) + SIDE];
}

static struct tv_selected_span span_of(int64_t bucket)
{
	int64_t size = bucket < 0 ? -1 - bucket : bucket;
	int shift = size < 2 * OCTAVE ? 0 : (int)(size >> FIRST_BITS) - 1;
	int64_t low = (int64_t)((uint64_t)(size - (int64_t)shift * OCTAVE) << shift);
	int64_t last = low + (int64_t)(((uint64_t)1 << shift) - 1);

	return bucket < 0 ? (struct tv_selected_span){ .low = -1 - last, .last = -1 - low }
			  : (struct tv_selected_span){ .low = low, .last = last };
}

static void count(struct tv_selection *s, const int64_t *number, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int64_t bucket = bucket_of(number[i]);
		uint64_t **octave = octave_of(s, bucket);

		if (*octave == NULL)
			*octave = tv_alloc(OCTAVE, sizeof **octave);
		(*octave)[bucket & (OCTAVE - 1)]++;
	}
}

static void count_kept(struct tv_selection *s)
{
	if (s->octave != NULL)
		return;
	s->octave = tv_alloc((size_t)2 * SIDE, sizeof *s->octave);
	count(s, s->number, (size_t)s->n);
	tv_free(s->number);
	s->number = NULL;
}

/* ---- numbers ---- */

static void add_to_span(struct tv_selected_span *span, int64_t number)
{
	if (span->counter != NULL)
		span->counter[((uint64_t)number - (uint64_t)span->low) >> span->shift]++;
	else if (span->n < span->count)
		span->number[span->n++] = number;
}

static void add_again(struct tv_selection *s, const int64_t *number, size_t n)
{
	for (size_t i = 0; i < n && s->nspans > 0; i++) {
		int64_t bucket = bucket_of(number[i]);
		const uint64_t *octave = *octave_of(s, bucket);
		uint64_t at = octave != NULL ? octave[bucket & (OCTAVE - 1)] : 0;

		if (at == 0)
			continue;
		for (at--; at < s->nspans && number[i] > s->span[at].last; at++)
			;
		if (at < s->nspans && number[i] >= s->span[at].low)
			add_to_span(&s->span[at], number[i]);
	}
}

void tv_selection_add(struct tv_selection *s, const int64_t *number, size_t n)
{
	if (n == 0)
		return;
	if (s->again) {
		add_again(s, number, n);
		return;
	}
	if (s->n + n > FEW)
		count_kept(s);
	if (s->octave != NULL) {
		count(s, number, n);
	} else {
		TV_GROW(s->number, (size_t)s->n, s->cap, n);
		memcpy(s->number + s->n, number, n * sizeof *number);
	}
	s->n += n;
}

void tv_selection_merge(struct tv_selection *s, const struct tv_selection *other)
{
	if (other->octave == NULL) {
		tv_selection_add(s, other->number, (size_t)other->n);
		return;
	}
	count_kept(s);
	s->n += other->n;
	for (size_t o = 0; o < (size_t)2 * SIDE; o++) {
		if (other->octave[o] == NULL)
			continue;
		if (s->octave[o] == NULL)
			s->octave[o] = tv_alloc(OCTAVE, sizeof *s->octave[o]);
		for (size_t i = 0; i < OCTAVE; i++)
			s->octave[o][i] += other->octave[o][i];
	}
}

/* ---- as bytes ---- */

static void pack_first(const struct tv_selection *s, struct tv_parcel *pack)
{
	tv_pack_number(pack, s->n);
	tv_pack_number(pack, s->octave != NULL);
	if (s->octave == NULL)
		tv_pack_bytes(pack, s->number, (size_t)s->n * sizeof *s->number);
	for (size_t o = 0; s->octave != NULL && o < (size_t)2 * SIDE; o++) {
		tv_pack_number(pack, s->octave[o] != NULL);
		if (s->octave[o] != NULL)
			tv_pack_bytes(pack, s->octave[o], OCTAVE * sizeof *s->octave[o]);
	}
}

void tv_selection_pack(const struct tv_selection *s, struct tv_parcel *pack)
{
	if (!s->again)
		pack_first(s, pack);
	for (size_t i = 0; i < s->nspans; i++) {
		const struct tv_selected_span *span = &s->span[i];

		if (span->counter != NULL) {
			tv_pack_bytes(pack, span->counter, sizeof(uint64_t) << PART_BITS);
			continue;
		}
		tv_pack_number(pack, span->n);
		tv_pack_bytes(pack, span->number, (size_t)span->n * sizeof *span->number);
	}
}

static void unpack_counters(uint64_t *counter, size_t n, struct tv_unpack *from)
{
	for (size_t i = 0; i < n; i++)
		counter[i] += tv_unpack_number(from);
}

static void unpack_first(struct tv_selection *s, struct tv_unpack *from)
{
	uint64_t n = tv_unpack_number(from);

	if (tv_unpack_number(from) == 0) {
		for (; n > 0; n--) {
			int64_t number = (int64_t)tv_unpack_number(from);

			tv_selection_add(s, &number, 1);
		}
		return;
	}
	count_kept(s);
	s->n += n;
	for (size_t o = 0; o < (size_t)2 * SIDE; o++) {
		if (tv_unpack_number(from) == 0)
			continue;
		if (s->octave[o] == NULL)
			s->octave[o] = tv_alloc(OCTAVE, sizeof *s->octave[o]);
		unpack_counters(s->octave[o], OCTAVE, from);
	}
}

void tv_selection_unpack(struct tv_selection *s, struct tv_unpack *from)
{
	if (!s->again)
		unpack_first(s, from);
	for (size_t i = 0; i < s->nspans; i++) {
		struct tv_selected_span *span = &s->span[i];

		if (span->counter != NULL)
			unpack_counters(span->counter, (size_t)1 << PART_BITS, from);
		for (uint64_t n = span->counter != NULL ? 0 : tv_unpack_number(from); n > 0; n--)
			add_to_span(span, (int64_t)tv_unpack_number(from));
	}
}

/* ---- rounds ---- */

static uint64_t place_of(const struct tv_selection *s, uint32_t num, uint32_t den)
{
	return (s->n - 1) * num / den;
}

TV_ORDER(by_place, struct tv_selected_place, place)

/* The places that the quantiles look at. */
static void list_places(struct tv_selection *s, const uint32_t *num, size_t nnum, uint32_t den)
{
	s->place = tv_alloc(2 * nnum, sizeof *s->place);
	for (size_t i = 0; i < nnum; i++) {
		uint64_t at = place_of(s, num[i], den);

		s->place[s->nplaces++].place = at;
		if (at + 1 < s->n)
			s->place[s->nplaces++].place = at + 1;
	}
	qsort(s->place, s->nplaces, sizeof *s->place, by_place);
}

/* Spans of the next round, ascending. */
struct spans {
	struct tv_selected_span *at;
	size_t n, cap;
};

/* The numbers of a bucket become a span, unless they are all equal. */
static bool add_span(struct spans *next, struct tv_selected_span span)
{
	uint64_t width = (uint64_t)span.last - (uint64_t)span.low, parts;

	if (width == 0)
		return false;
	while (width >> span.shift >> PART_BITS != 0)
		span.shift++;
	parts = (width >> span.shift) + 1;
	if (span.count <= parts)
		span.number = tv_realloc(NULL, (size_t)span.count, sizeof *span.number);
	else
		span.counter = tv_alloc((size_t)1 << PART_BITS, sizeof *span.counter);
	TV_GROW(next->at, next->n, next->cap, 1);
	next->at[next->n++] = span;
	return true;
}

/* The places among the numbers of a bucket, from *next on: they are known, or in a span of the next round. */
static void take_places(struct tv_selection *s, size_t *place, const struct tv_selected_span *span,
			struct spans *next)
{
	size_t first = *place;

	while (*place < s->nplaces && s->place[*place].place < span->before + span->count)
		++*place;
	if (first == *place || add_span(next, *span))
		return;
	for (size_t i = first; i < *place; i++) {
		s->place[i].number = span->low;
		s->place[i].known = true;
	}
}

/* After the first round: the buckets with places. */
static void find_buckets(struct tv_selection *s, struct spans *next)
{
	uint64_t before = 0;
	size_t place = 0;

	for (int o = 0; o < 2 * SIDE; o++)
		for (int i = 0; s->octave[o] != NULL && i < OCTAVE; i++) {
			struct tv_selected_span span = span_of((int64_t)(o - SIDE) * OCTAVE + i);

			span.before = before;
			span.count = s->octave[o][i];
			before += span.count;
			s->octave[o][i] = 0;
			take_places(s, &place, &span, next);
		}
}

/* After a further round: the places in a span whose numbers were kept, or its parts with places. */
static void find_parts(struct tv_selection *s, struct tv_selected_span *span, size_t *place,
		       struct spans *next)
{
	uint64_t before = span->before, room = (uint64_t)span->last - (uint64_t)span->low;

	while (*place < s->nplaces && s->place[*place].known)
		++*place;
	if (span->counter == NULL) {
		tv_sort_times(span->number, (size_t)span->n);
		for (; *place < s->nplaces && s->place[*place].place < before + span->n; ++*place) {
			s->place[*place].number = span->number[s->place[*place].place - before];
			s->place[*place].known = true;
		}
		return;
	}
	for (uint64_t i = 0; i < (uint64_t)1 << PART_BITS && i << span->shift <= room; i++) {
		struct tv_selected_span part = { .before = before, .count = span->counter[i] };
		uint64_t from = i << span->shift, to = from + ((uint64_t)1 << span->shift) - 1;

		part.low = (int64_t)((uint64_t)span->low + from);
		part.last = (int64_t)((uint64_t)span->low + (to < room ? to : room));
		take_places(s, place, &part, next);
		before += part.count;
	}
}

static void free_spans(struct tv_selection *s)
{
	for (size_t i = 0; i < s->nspans; i++) {
		tv_free(s->span[i].counter);
		tv_free(s->span[i].number);
	}
	tv_free(s->span);
	s->span = NULL;
	s->nspans = 0;
}

/* Lets each bucket of the first round know the first of its spans. */
static void index_spans(struct tv_selection *s)
{
	for (size_t i = s->nspans; i-- > 0;) {
		int64_t bucket = bucket_of(s->span[i].low);

		(*octave_of(s, bucket))[bucket & (OCTAVE - 1)] = i + 1;
	}
}

bool tv_selection_again(struct tv_selection *s, const uint32_t *num, size_t nnum, uint32_t den)
{
	struct spans next = { 0 };
	size_t place = 0;

	if (s->n == 0)
		return false;
	if (!s->again)
		list_places(s, num, nnum, den);
	if (s->octave == NULL && !s->again) {
		tv_sort_times(s->number, (size_t)s->n);
		for (size_t i = 0; i < s->nplaces; i++)
			s->place[i].number = s->number[s->place[i].place];
	} else if (!s->again) {
		find_buckets(s, &next);
	}
	for (size_t i = 0; i < s->nspans; i++)
		find_parts(s, &s->span[i], &place, &next);
	free_spans(s);
	s->again = true;
	s->span = next.at;
	s->nspans = next.n;
	index_spans(s);
	return s->nspans > 0;
}

/* ---- results ---- */

static int64_t number_at(const struct tv_selection *s, uint64_t place)
{
	size_t at;

	TV_LOWER_BOUND(at, 0, s->nplaces, s->place[at].place < place);
	return s->place[at].number;
}

tv_int128 tv_selection_exact(const struct tv_selection *s, uint32_t num, uint32_t den)
{
	uint64_t at = place_of(s, num, den);
	uint32_t rest = (uint32_t)((s->n - 1) * num % den);
	int64_t number = number_at(s, at);

	return (tv_int128)den * number
	     + (rest == 0 ? 0 : rest * ((tv_int128)number_at(s, at + 1) - number));
}

void tv_selection_release(struct tv_selection *s)
{
	free_spans(s);
	for (size_t o = 0; s->octave != NULL && o < (size_t)2 * SIDE; o++)
		tv_free(s->octave[o]);
	tv_free(s->octave);
	tv_free(s->number);
	tv_free(s->place);
	*s = (struct tv_selection){ 0 };
}
