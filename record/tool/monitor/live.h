/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live.h -- what the sampler reads, for a view while it runs.
 *
 * The sampler copies what it has written to the log, and waits for nothing but the copy of a reader of
 * it; the log is the same with and without.
 */
#ifndef TV_RECORD_LIVE_H
#define TV_RECORD_LIVE_H

#include "record/tool/monitor/source.h"

struct tv_live;

/* After tv_sampler_open and before tv_sampler_start. The sampler frees it. */
struct tv_live *tv_live_new(struct tv_sampler *s);
void tv_live_free(struct tv_live *live); /* NULL: nothing */

/* Of the sampler: around a tick, and per sample: ns enabled and counted, and the values. NULL: nothing. */
void tv_live_begin(struct tv_live *live);
void tv_live_take(struct tv_live *live, unsigned set, int64_t now, const uint64_t *word);
void tv_live_end(struct tv_live *live, int64_t now);

/* The state of a sampler that runs. */
struct tv_live_state {
	int64_t begin, now;
	uint64_t ticks, missed;
};

/* The events of a monitor at an object (numbers): counters since the view before, scaled where they were
 * multiplexed, and states as they are; NaN = missing. start = end: no counter. */
typedef void tv_live_visit(void *context, unsigned monitor, unsigned object, int64_t start,
			   int64_t end, const double *value);

/* Visits everything that has been read; false: nothing since the view before. */
bool tv_live_view(struct tv_live *live, struct tv_live_state *state, tv_live_visit *visit,
		  void *context);

#endif
