/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_kept.c -- numbers that a tally keeps until the end of its group. */
#include <string.h>

#include "analysis/core/measure.h"
#include "analysis/core/statistics.h"
#include "trace/alloc.h"

enum { TOGETHER = 512 }; /* numbers that are copied */

void tv_tally_unite(struct tv_tally *tally)
{
	size_t n = 0;

	tv_sort_times(tally->number, tally->n);
	for (size_t i = 0; i < tally->n; i++)
		if (n == 0 || tally->number[i] != tally->number[n - 1])
			tally->number[n++] = tally->number[i];
	tally->n = n;
}

void tv_tally_widen(struct tv_tally *tally)
{
	if (!tally->in_short)
		return;
	TV_GROW(tally->number, 0, tally->cap, tally->n);
	for (size_t i = 0; i < tally->n; i++)
		tally->number[i] = tally->low[i];
	tv_free(tally->low);
	tally->low = NULL;
	tally->low_cap = 0;
	tally->in_short = false;
}

/* False: not in short. */
static bool keep_in_short(struct tv_tally *tally, const int64_t *number, size_t n)
{
	uint64_t bits = 0; /* of any of them */

	for (size_t i = 0; i < n; i++)
		bits |= (uint64_t)number[i];
	if (bits > UINT32_MAX) {
		tv_tally_widen(tally);
		return false;
	}
	TV_GROW(tally->low, tally->n, tally->low_cap, n);
	for (size_t i = 0; i < n; i++)
		tally->low[tally->n + i] = (uint32_t)number[i];
	tally->n += n;
	return true;
}

void tv_tally_keep(struct tv_tally *tally, const int64_t *number, size_t n)
{
	size_t more = n;

	if (tally->in_short && keep_in_short(tally, number, n))
		return;
	/* Memory grows where different ones fill half of it. */
	if (tally->distinct && tally->n + n > tally->cap) {
		tv_tally_unite(tally);
		more += tally->n + n;
	}
	TV_GROW(tally->number, tally->n, tally->cap, more);
	memcpy(tally->number + tally->n, number, n * sizeof *number);
	tally->n += n;
}

void tv_tally_keep_all(struct tv_tally *tally, const struct tv_tally *from)
{
	int64_t number[TOGETHER];

	if (!from->in_short) {
		tv_tally_keep(tally, from->number, from->n);
		return;
	}
	for (size_t at = 0; at < from->n;) {
		size_t n = 0;

		for (; n < TOGETHER && at < from->n; n++)
			number[n] = from->low[at++];
		tv_tally_keep(tally, number, n);
	}
}
