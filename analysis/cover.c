/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cover.c -- the union of spans of time. */
#include "analysis/cover.h"

#include "trace/alloc.h"

void tv_cover_release(struct tv_cover *cover)
{
	tv_free(cover->span);
	*cover = (struct tv_cover){ 0 };
}

int tv_cover_add(struct tv_cover *cover, int64_t begin, int64_t end)
{
	struct tv_cover_span *last = cover->n > 0 ? &cover->span[cover->n - 1] : NULL;
	int64_t before = 0;

	if (begin >= end)
		return 0;
	if (last != NULL && begin <= last->end) {
		if (end > last->end)
			last->end = end;
		return 0;
	}
	if (last != NULL)
		before = last->before + (last->end - last->begin);
	if (TV_GROW(cover->span, cover->n, cover->cap, 1) < 0)
		return -1;
	cover->span[cover->n++] = (struct tv_cover_span){ begin, end, before };
	return 0;
}

/* Length of the union before t. */
static int64_t length_before(const struct tv_cover *cover, int64_t t)
{
	size_t low = 0, high = cover->n;

	/* Spans before `low` begin before t, those from `high` on do not. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cover->span[middle].begin < t)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	if (t > cover->span[low - 1].end)
		t = cover->span[low - 1].end;
	return cover->span[low - 1].before + (t - cover->span[low - 1].begin);
}

int64_t tv_cover_within(const struct tv_cover *cover, int64_t begin, int64_t end)
{
	return length_before(cover, end) - length_before(cover, begin);
}
