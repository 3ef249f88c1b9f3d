/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maxima.c -- numbers by place: the greatest one, and the first that is not below a limit. */
#include "sim/maxima.h"

#include <stddef.h>

#include "trace/alloc.h"

void tv_maxima_init(struct tv_maxima *maxima, uint32_t n)
{
	uint32_t leaves = 1;

	while (leaves < n)
		leaves *= 2;
	*maxima = (struct tv_maxima){ leaves, tv_alloc(2 * (size_t)leaves, sizeof *maxima->at) };
}

void tv_maxima_release(struct tv_maxima *maxima)
{
	tv_free(maxima->at);
	*maxima = (struct tv_maxima){ 0 };
}

void tv_maxima_set(struct tv_maxima *maxima, uint32_t place, int64_t value)
{
	size_t i = (size_t)maxima->leaves + place;

	if (maxima->at[i] == value)
		return;
	maxima->at[i] = value;
	/* Up to the top, also where nothing changes above: when that begins, no processor can predict. */
	for (; i > 1; i /= 2) {
		int64_t other = maxima->at[i ^ 1];

		value = other > value ? other : value;
		maxima->at[i / 2] = value;
	}
}

uint32_t tv_maxima_next(const struct tv_maxima *maxima, uint32_t place, int64_t min)
{
	size_t i = place == 0 ? 1 : (size_t)maxima->leaves + place;

	if (place >= maxima->leaves)
		return UINT32_MAX;
	while (maxima->at[i] < min) { /* to the next one on the right, or up */
		if (((i + 1) & i) == 0)
			return UINT32_MAX; /* it was the last of its level */
		i = (i & 1) != 0 ? (i + 1) / 2 : i + 1;
	}
	while (i < maxima->leaves)
		i = maxima->at[2 * i] >= min ? 2 * i : 2 * i + 1;
	return (uint32_t)(i - maxima->leaves);
}
