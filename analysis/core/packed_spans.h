/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packed_spans.h -- spans that add 1 each, of a sum that is not known before all are there, in little memory: their begins and
 * ends are kept apart, in sorted runs of differences, about 3 bytes each.
 */
#ifndef TV_PACKED_SPANS_H
#define TV_PACKED_SPANS_H

#include "analysis/core/steps.h"

struct tv_packed_times {
	unsigned char *byte;
	size_t nbytes, bytes_cap;
	struct tv_times_run {
		size_t at; /* its first byte */
		uint64_t n;
		int64_t first, last;
	} * run;
	size_t nruns, runs_cap;
};

struct tv_packed_spans {
	struct tv_packed_times begins, ends;
};

/* Takes the spans that were added with tv_sum_one. */
void tv_packed_spans_take(struct tv_packed_spans *spans, struct tv_sum *sum);
static inline bool tv_packed_spans_any(const struct tv_packed_spans *spans)
{
	return spans->ends.nruns > 0;
}
/* The pieces of their sum from begin to end, in the order of time, as tv_sum_settle gives those of one that has all. There are
 * spans. */
void tv_packed_spans_pieces(const struct tv_packed_spans *spans, int64_t begin, int64_t end,
			    void (*piece)(void *context, int64_t from, int64_t to, double value),
			    void *context);
void tv_packed_spans_release(struct tv_packed_spans *spans); /* safe on a zeroed struct */

#endif
