/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maxima.h -- numbers by place: the greatest one, and the first that is not below a limit. */
#ifndef TV_SIM_MAXIMA_H
#define TV_SIM_MAXIMA_H

#include <stdint.h>

/* A complete binary tree: each cell is the greater one of the two below it. */
struct tv_maxima {
	uint32_t leaves; /* a power of two; 0 before tv_maxima_init */
	int64_t *at;	 /* 2 x leaves; at[1] is the greatest of all, place i is at[leaves + i] */
};

/* For n places, each with 0. Memory 16 to 32 bytes per place. */
void tv_maxima_init(struct tv_maxima *maxima, uint32_t n);
void tv_maxima_release(struct tv_maxima *maxima); /* safe on a zeroed struct */
/* value >= 0. Cost O(log n), less where the greatest number of many places remains. */
void tv_maxima_set(struct tv_maxima *maxima, uint32_t place, int64_t value);
/* The first place from that one on with a number of min > 0 or more; UINT32_MAX = none. O(log n). */
uint32_t tv_maxima_next(const struct tv_maxima *maxima, uint32_t place, int64_t min);

static inline int64_t tv_maxima_get(const struct tv_maxima *maxima, uint32_t place)
{
	return maxima->at[maxima->leaves + place];
}

static inline int64_t tv_maxima_greatest(const struct tv_maxima *maxima)
{
	return maxima->at[1];
}

#endif
