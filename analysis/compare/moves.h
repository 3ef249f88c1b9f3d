/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moves.h -- how matched tasks of two runs differ: order, place, time lost. */
#ifndef TV_MOVES_H
#define TV_MOVES_H

#include "analysis/shared/common.h"
#include "analysis/compare/match.h"

/* Matched tasks of one type, or of all. */
struct tv_moves {
	const char *value; /* "" and all: of every type; borrowed from the first run */
	bool all;
	uint32_t ntasks;      /* matched */
	uint32_t rtype;	      /* of these, run on another worker type */
	uint32_t worker;      /* run on another worker, by name */
	tv_int128 inversions; /* pairs that start in one order here and in the other one there */
};

/* A matched task that took longer from its release to its end. */
struct tv_loss {
	uint32_t node[2];
	int64_t wait[2];     /* ns, from release to start; 0 in both where one is not known */
	int64_t duration[2]; /* ns, from first start to last end */
};

struct tv_order {
	struct tv_moves *moves; /* all tasks, then by type in natural order */
	size_t nmoves;
	struct tv_loss *loss; /* greatest first; of equal ones by JobId */
	uint32_t nlosses;     /* matched tasks, all of them */
};

/* -1 with *err as the pass deps. Release it in any case. Cost O(n log n). */
int tv_order_init(struct tv_order *order, const struct tv_match *match, struct tv_run *const run[2],
		  struct tv_error *err) TV_MUST_CHECK;
void tv_order_release(struct tv_order *order); /* safe on a zeroed struct */

/* How much longer: change of wait and duration, ns. */
static inline tv_int128 tv_loss_ns(const struct tv_loss *loss)
{
	return (tv_int128)loss->wait[1] - loss->wait[0] + loss->duration[1] - loss->duration[0];
}

#endif
