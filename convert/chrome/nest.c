/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nest.c -- slices from begins and ends, the slices of each lane, and how deep they are inside each other. */
#include <stdlib.h>

#include "convert/chrome/chrome.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

TV_ORDER(marks_by_time, struct tv_chrome_mark, lane, time, seq)
/* What begins together and lasts longer is around the others. */
TV_ORDER(slices_by_time, struct tv_chrome_slice, lane, start, down(end), seq)

/* ---- begins and ends ---- */

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void add_slice(struct tv_chrome *c, const struct tv_chrome_mark *begin, int64_t end,
		      bool open)
{
	TV_GROW(c->slice, c->nslice, c->slice_cap, 1);
	c->slice[c->nslice++] = (struct tv_chrome_slice){ .start = begin->time,
							  .end = end,
							  .lane = begin->lane,
							  .name = begin->name,
							  .cat = begin->cat,
							  .more = begin->more,
							  .seq = begin->seq,
							  .open = open };
}

/* When the last event of each lane ends; free with tv_free. */
static int64_t *find_last(const struct tv_chrome *c)
{
	int64_t *last = tv_alloc(c->nlane, sizeof *last);

	for (size_t i = 0; i < c->nlane; i++)
		last[i] = INT64_MIN;
	for (size_t i = 0; i < c->nmark; i++)
		last[c->mark[i].lane] = later(last[c->mark[i].lane], c->mark[i].time);
	for (size_t i = 0; i < c->nslice; i++)
		last[c->slice[i].lane] = later(last[c->slice[i].lane], c->slice[i].end);
	for (size_t i = 0; i < c->ninstant; i++)
		if (!c->instant[i].async)
			last[c->instant[i].lane] = later(last[c->instant[i].lane],
							 c->instant[i].time);
	return last;
}

/* Which of the open begins an end belongs to: the innermost one of its name; without a name, or with one that no begin has, the
 * innermost; n = none. */
static size_t begin_of(const struct tv_chrome *c, const struct tv_chrome_mark *end,
		       const struct tv_index *begins, const size_t *open, size_t n)
{
	size_t i = n;

	if (end->name == TV_NONE || tv_index_get(begins, end->name) == TV_NONE)
		return n > 0 ? n - 1 : n;
	while (i > 0 && c->mark[open[i - 1]].name != end->name)
		i--;
	return i > 0 ? i - 1 : n;
}

/* A begin that no end belongs to: until the end of what is around it; nest_lane finds what cannot be inside it. */
static void add_open(struct tv_chrome *c, const struct tv_chrome_mark *begin, int64_t end)
{
	tv_damaged(c->trace, TV_REPAIRED, "begin without end",
		   tv_chrome_at_lane(c, begin->lane, begin->line),
		   "this B ends with what is around it, or before that, where a slice begins that "
		   "others of its name never have inside");
	add_slice(c, begin, end, true);
	c->nopen++;
}

/* The marks [from, to) are those of one lane, whose last event ends at `last`. */
static void pair_lane(struct tv_chrome *c, size_t from, size_t to, int64_t last,
		      const struct tv_index *begins, size_t *open)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		struct tv_chrome_mark *mark = &c->mark[i], *begin;
		size_t at;

		if (mark->begin) {
			open[n++] = i;
			continue;
		}
		at = begin_of(c, mark, begins, open, n);
		if (at == n) {
			tv_damaged(c->trace, TV_DROPPED, "end without begin",
				   tv_chrome_at_lane(c, mark->lane, mark->line),
				   "an end (E) on a lane where nothing of its name is open");
			continue;
		}
		while (n > at + 1)
			add_open(c, &c->mark[open[--n]], mark->time);
		begin = &c->mark[open[--n]];
		begin->more = tv_chrome_join_more(c, begin->more, mark->more);
		add_slice(c, begin, mark->time, false);
	}
	while (n > 0)
		add_open(c, &c->mark[open[--n]], last);
}

static void pair_marks(struct tv_chrome *c)
{
	size_t *open = tv_alloc(c->nmark, sizeof *open);
	int64_t *last = find_last(c);
	struct tv_index begins = { 0 }; /* by label: a begin has that name */

	for (size_t i = 0; i < c->nmark; i++)
		if (c->mark[i].begin && c->mark[i].name != TV_NONE)
			tv_index_set(&begins, c->mark[i].name, 1);

	if (c->nmark > 1)
		qsort(c->mark, c->nmark, sizeof *c->mark, marks_by_time);
	for (size_t from = 0, to; from < c->nmark; from = to) {
		for (to = from; to < c->nmark && c->mark[to].lane == c->mark[from].lane;)
			to++;
		pair_lane(c, from, to, last[c->mark[from].lane], &begins, open);
	}
	tv_free(open);
	tv_free(last);
	tv_free(begins.at);
	tv_free(c->mark);
	c->mark = NULL;
	c->nmark = c->mark_cap = 0;
}

/* ---- nesting ---- */

/* ns below which an overlap is one of the clock: its unit, if that is coarser than 1 ns. */
static int64_t unit_of(const struct tv_chrome *c)
{
	static const int64_t unit[] = { 1000, 100, 10, 0 };

	return unit[c->digits];
}

/* With a kind in the map: it has slices with an end. */
#define ENDS (UINT64_MAX - 1)

/* A kind of slices: those of one name and category. */
static uint64_t kind_of(const struct tv_chrome_slice *slice)
{
	return (uint64_t)slice->cat << 32 | slice->name;
}

/* Which kinds of slices with an end there are, and which kinds are directly inside which, (outer, inner). Only if
 * some have no end. */
static void list_kinds(const struct tv_chrome *c, struct tv_map *inside, size_t *open)
{
	size_t n = 0;

	for (size_t i = 0; c->nopen > 0 && i < c->nslice; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];

		if (slice->open)
			continue;
		while (n > 0
		       && (c->slice[open[n - 1]].lane != slice->lane
			   || c->slice[open[n - 1]].end <= slice->start))
			n--;
		tv_map_put(inside, kind_of(slice), ENDS, 1);
		if (n > 0)
			tv_map_put(inside, kind_of(&c->slice[open[n - 1]]), kind_of(slice), 1);
		open[n++] = i;
	}
}

/* Whether a slice without end had ended when another one began on its lane: others of its kind have an end, and none of that kind inside. */
static bool had_ended(const struct tv_map *inside, const struct tv_chrome_slice *slice,
		      const struct tv_chrome_slice *next)
{
	return slice->open && tv_map_get(inside, kind_of(slice), ENDS) != NULL
	    && tv_map_get(inside, kind_of(slice), kind_of(next)) == NULL;
}

/* Sets the depth of the slices of a lane, and where those without end end; open: room for their places. */
static void nest_lane(struct tv_chrome *c, struct tv_chrome_lane *lane, const struct tv_map *inside,
		      size_t *open, uint64_t *overlaps)
{
	int64_t unit = unit_of(c);
	size_t n = 0;

	for (size_t i = lane->begin; i < lane->end; i++) {
		struct tv_chrome_slice *slice = &c->slice[i];

		while (n > 0 && c->slice[open[n - 1]].end - unit <= slice->start
		       && c->slice[open[n - 1]].end < slice->end) {
			*overlaps += c->slice[open[n - 1]].end > slice->start;
			n--;
		}
		while (n > 0
		       && (c->slice[open[n - 1]].end <= slice->start
			   || had_ended(inside, &c->slice[open[n - 1]], slice))) {
			struct tv_chrome_slice *before = &c->slice[open[--n]];

			if (before->end > slice->start) {
				before->end = slice->start;
				before->open = false;
			}
		}
		slice->depth = (uint16_t)(n < UINT16_MAX ? n : UINT16_MAX);
		lane->nests |= n > 0;
		open[n++] = i;
	}
}

static bool is_sorted(const struct tv_chrome_slice *slice, size_t n)
{
	size_t i = 1;

	while (i < n && slices_by_time(&slice[i - 1], &slice[i]) < 0)
		i++;
	return i >= n;
}

/* By lane, where most are in order already. */
static void sort_slices(struct tv_chrome *c)
{
	struct tv_chrome_slice *to;
	size_t *place;

	if (is_sorted(c->slice, c->nslice))
		return;
	to = tv_alloc(c->nslice, sizeof *to);
	place = tv_alloc(c->nlane + 1, sizeof *place);
	for (size_t i = 0; i < c->nslice; i++)
		place[c->slice[i].lane + 1]++;
	for (size_t i = 0; i < c->nlane; i++)
		place[i + 1] += place[i];
	for (size_t i = 0; i < c->nslice; i++)
		to[place[c->slice[i].lane]++] = c->slice[i];
	tv_free(c->slice);
	c->slice = to;
	c->slice_cap = c->nslice;
	for (size_t i = 0, from = 0; i < c->nlane; from = place[i++])
		if (!is_sorted(to + from, place[i] - from))
			qsort(to + from, place[i] - from, sizeof *to, slices_by_time);
	tv_free(place);
}

static void note_unit(const struct tv_chrome *c, uint64_t overlaps)
{
	static const char *const unit[] = { "1 us", "100 ns", "10 ns" };

	if (c->digits < 3 && c->nslice > 0)
		tv_meta_add(c->trace, "TimeUnit", "%s", unit[c->digits]);
	if (overlaps > 0)
		tv_meta_add(c->trace, "OverlapsOfUnit", "%llu", (unsigned long long)overlaps);
}

void tv_chrome_nest(struct tv_chrome *c)
{
	uint64_t overlaps = 0;
	struct tv_map inside = { 0 };
	size_t *open;

	if (c->nmark > 0)
		pair_marks(c);
	sort_slices(c);
	open = tv_alloc(c->nslice, sizeof *open);
	list_kinds(c, &inside, open);
	for (size_t from = 0, to; from < c->nslice; from = to) {
		struct tv_chrome_lane *lane = &c->lane[c->slice[from].lane];

		for (to = from; to < c->nslice && c->slice[to].lane == c->slice[from].lane;)
			to++;
		lane->begin = from;
		lane->end = to;
		nest_lane(c, lane, &inside, open, &overlaps);
	}
	tv_map_release(&inside);
	tv_free(open);
	note_unit(c, overlaps);
}

/* ---- search ---- */

uint32_t tv_chrome_next(const struct tv_chrome *c, uint32_t lane, int64_t time)
{
	size_t i;

	TV_LOWER_BOUND(i, c->lane[lane].begin, c->lane[lane].end, c->slice[i].start < time);
	return i < c->lane[lane].end ? (uint32_t)i : TV_NONE;
}

uint32_t tv_chrome_around(const struct tv_chrome *c, uint32_t lane, int64_t time, bool task)
{
	size_t i;
	unsigned depth = UINT16_MAX + 1u;

	TV_LOWER_BOUND(i, c->lane[lane].begin, c->lane[lane].end, c->slice[i].start <= time);
	/* The slices before it that may be around it are ever less deep. */
	while (i > c->lane[lane].begin && depth > 0) {
		const struct tv_chrome_slice *slice = &c->slice[--i];

		if (slice->depth >= depth)
			continue;
		if (slice->end >= time && (slice->task || !task))
			return (uint32_t)i;
		depth = slice->depth;
	}
	return TV_NONE;
}
