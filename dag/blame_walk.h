/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blame_walk.h -- what blame.c and blame_parts.c share: the walk back from the next task of a worker. */
#ifndef TV_BLAME_WALK_H
#define TV_BLAME_WALK_H

#include "dag/blame.h"

/* What a node of the graph did, without its time to end: as in struct tv_blame_step, but not cut. */
struct tv_blame_times {
	int64_t submitted, released,
		started; /* ns; submitted <= released <= started; INT64_MIN = from the start */
};

/* That of a node of one part of the rows or of an earlier one. */
struct tv_blame_record {
	struct tv_blame_times times;
	uint32_t
		before; /* the record of what it was released by; TV_NONE = none, or that is not asked for */
	uint32_t name; /* what is said to be blamed instead of the node */
};

struct tv_blame_walk {
	const struct tv_dag *dag;
	const struct tv_idle_spans *spans;
	const int64_t *bound;
	size_t nslices;
	tv_blame_part *part;
	void *to;
	/* Of parts of the rows, instead of `awaited`. */
	const struct tv_blame_record *record;
	const uint32_t *record_of; /* by node of dag */
	struct tv_awaited awaited;
	struct tv_groups starts;	 /* counted rows by worker, those by Start, then row */
	uint32_t worker;		 /* whose span is divided */
	const struct tv_idle_list *node; /* when its node had the cause; NULL = always */
};

/* dag, spans and what follows up to `to` are set before. */
void tv_blame_walk_init(struct tv_blame_walk *walk);
void tv_blame_walk_release(struct tv_blame_walk *walk);
struct tv_blame_times tv_blame_times(const struct tv_dag *dag, uint32_t node, uint32_t before,
				     int64_t allowed);
/* Blames a node, or TV_NONE, for what walk->worker had of the cause in [begin, end). */
void tv_blame_time(const struct tv_blame_walk *walk, int64_t begin, int64_t end, enum tv_blame what,
		   uint32_t node);
/* Makes walk->worker and walk->node those of a span of a worker, cuts it at the first and the last bound. Returns whether the
 * worker had the cause in it. */
bool tv_blame_begin_span(struct tv_blame_walk *walk, struct tv_idle_span *span);
/* Divides [begin, end) in which walk->worker runs nothing; tasks that take no time may start in it. Returns from when on it
 * starts no task of the rows. */
int64_t tv_blame_span(const struct tv_blame_walk *walk, int64_t begin, int64_t end);

#endif
