/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.h -- how many of any spans of time there are at once, on average over each bin. */
#ifndef TV_COVERAGE_H
#define TV_COVERAGE_H

#include "analysis/core/spans.h"

/* Bin i is [edge[i], edge[i + 1]), i < n; edges ascend and are borrowed, ns. */
struct tv_coverage {
	const int64_t *edge;
	uint32_t n;
	/* What spans cover of their first and last bin, summed; where the number of those that cover
	 * whole bins changes. */
	double *part, *change;
};

/* n > 0. Release it in any case. */
void tv_coverage_init(struct tv_coverage *coverage, const int64_t *edge, uint32_t n);
/* As without any span. */
void tv_coverage_clear(struct tv_coverage *coverage);
/* Adds a span, which may overlap others and extend beyond the bins. O(log n). */
void tv_coverage_add(struct tv_coverage *coverage, struct tv_span span);
/* The mean number of spans in each bin: mean[0..n). O(n). */
void tv_coverage_read(const struct tv_coverage *coverage, double *mean);
void tv_coverage_release(struct tv_coverage *coverage);

#endif
