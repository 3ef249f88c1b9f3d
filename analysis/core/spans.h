/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spans.h -- unions of spans of time.
 */
#ifndef TV_SPANS_H
#define TV_SPANS_H

#include <stdint.h>

/* [begin, end), ns. */
struct tv_span {
	int64_t begin, end;
};

/* Replaces span[0..n) by its union within `in`: disjoint, not empty, ascending. Returns how many
 * remain. Cost O(n log n), O(n) if they are sorted by begin. */
uint32_t tv_spans_merge(struct tv_span *span, uint32_t n, struct tv_span in);
/* How much of `in` disjoint ascending spans cover. Cost O(log n + spans within). */
int64_t tv_spans_within(const struct tv_span *span, uint32_t n, struct tv_span in);
/* The same of any spans, which are merged. */
int64_t tv_spans_cover(struct tv_span *span, uint32_t n, struct tv_span in);

#endif
