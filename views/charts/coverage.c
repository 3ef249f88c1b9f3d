/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.c -- how many spans of time cover each bin. */
#include "views/charts/coverage.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

void tv_coverage_init(struct tv_coverage *coverage, const int64_t *edge, uint32_t n)
{
	*coverage = (struct tv_coverage){ .edge = edge,
					  .n = n,
					  .part = tv_alloc(n, sizeof *coverage->part),
					  .change = tv_alloc(n, sizeof *coverage->change) };
}

void tv_coverage_clear(struct tv_coverage *coverage)
{
	memset(coverage->part, 0, coverage->n * sizeof *coverage->part);
	memset(coverage->change, 0, coverage->n * sizeof *coverage->change);
}

/* The last bin that begins at that time or before. */
static uint32_t bin_of(const struct tv_coverage *coverage, int64_t time)
{
	return (uint32_t)tv_count_upto(&time, coverage->edge, coverage->n, sizeof time,
				       tv_compare_int64)
	     - 1;
}

static void add_part(struct tv_coverage *coverage, uint32_t bin, struct tv_span span)
{
	int64_t begin = coverage->edge[bin], end = coverage->edge[bin + 1];
	int64_t from = span.begin > begin ? span.begin : begin;
	int64_t to = span.end < end ? span.end : end;

	coverage->part[bin] += (double)(to - from) / (double)(end - begin);
}

void tv_coverage_add(struct tv_coverage *coverage, struct tv_span span)
{
	uint32_t first, last;

	if (span.begin < coverage->edge[0])
		span.begin = coverage->edge[0];
	if (span.end > coverage->edge[coverage->n])
		span.end = coverage->edge[coverage->n];
	if (span.begin >= span.end)
		return;
	first = bin_of(coverage, span.begin);
	last = bin_of(coverage, span.end - 1);
	add_part(coverage, first, span);
	if (last == first)
		return;
	add_part(coverage, last, span);
	coverage->change[first + 1]++;
	coverage->change[last]--;
}

void tv_coverage_read(const struct tv_coverage *coverage, double *mean)
{
	double whole = 0;

	for (uint32_t i = 0; i < coverage->n; i++) {
		whole += coverage->change[i];
		mean[i] = whole + coverage->part[i];
	}
}

void tv_coverage_release(struct tv_coverage *coverage)
{
	tv_free(coverage->part);
	tv_free(coverage->change);
	*coverage = (struct tv_coverage){ 0 };
}
