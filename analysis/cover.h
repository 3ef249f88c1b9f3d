/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cover.h -- the union of spans of time, and how much of it lies anywhere. */
#ifndef TV_COVER_H
#define TV_COVER_H

#include <stddef.h>
#include <stdint.h>

/* Disjoint spans in order. */
struct tv_cover {
	size_t n, cap;
	struct tv_cover_span *span;
};

struct tv_cover_span {
	int64_t begin, end;
	int64_t before;		/* length of the spans before this one */
};

void tv_cover_release(struct tv_cover *cover);	/* safe on a zeroed struct */
/* Adds a span that begins no earlier than those before. -1 on memory. */
int tv_cover_add(struct tv_cover *cover, int64_t begin, int64_t end);
/* Length of the union within [begin, end), begin <= end. O(log n). */
int64_t tv_cover_within(const struct tv_cover *cover, int64_t begin, int64_t end);

#endif
