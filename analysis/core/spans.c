/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.c -- unions of spans of time. */
#include "analysis/core/spans.h"

#include "trace/sorted.h"

#include <stdbool.h>
#include <stdlib.h>

TV_ORDER(by_begin, struct tv_span, begin)

uint32_t tv_spans_merge(struct tv_span *span, uint32_t n, struct tv_span in)
{
	uint32_t merged = 0;
	bool sorted = true;

	for (uint32_t i = 1; i < n && sorted; i++)
		sorted = span[i - 1].begin <= span[i].begin;
	if (!sorted)
		qsort(span, n, sizeof *span, by_begin);
	for (uint32_t i = 0; i < n; i++) {
		int64_t begin = span[i].begin > in.begin ? span[i].begin : in.begin;
		int64_t end = span[i].end < in.end ? span[i].end : in.end;

		if (begin >= end)
			continue;
		if (merged == 0 || begin > span[merged - 1].end)
			span[merged++] = (struct tv_span){ begin, end };
		else if (end > span[merged - 1].end)
			span[merged - 1].end = end;
	}
	return merged;
}

int64_t tv_spans_within(const struct tv_span *span, uint32_t n, struct tv_span in)
{
	uint32_t i;
	int64_t sum = 0;

	TV_LOWER_BOUND(i, 0, n, span[i].end <= in.begin);
	for (; i < n && span[i].begin < in.end; i++)
		sum += (span[i].end < in.end ? span[i].end : in.end)
		     - (span[i].begin > in.begin ? span[i].begin : in.begin);
	return sum;
}

int64_t tv_spans_cover(struct tv_span *span, uint32_t n, struct tv_span in)
{
	return tv_spans_within(span, tv_spans_merge(span, n, in), in);
}
