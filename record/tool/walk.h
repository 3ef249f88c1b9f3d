/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walk.h -- the events of a raw log one after the other, for `traceviz record`, which adds to logs
 * when the program has ended, and for tests. Any file is safe: what is damaged is skipped.
 */
#ifndef TV_RECORD_WALK_H
#define TV_RECORD_WALK_H

#include "record/loaded/log.h"

struct tv_walk {
	const struct tv_log_header *header; /* the file, mapped */
	size_t size;
	uint32_t *order; /* of its chunks: by buffer, then by sequence */
	size_t nchunks;
	/* Of the event last returned. */
	size_t chunk, word;
	uint32_t thread; /* its number */
};

/* Opens a log. 0, or -1 with errno set (EINVAL: it is not a log of this version). */
int tv_walk_open(struct tv_walk *walk, const char *path);
/* The next event: those of a buffer in the order of time. NULL when there are no more. */
const struct tv_log_event *tv_walk_next(struct tv_walk *walk);
void tv_walk_close(struct tv_walk *walk);

/* The arguments of an event. */
static inline const uint64_t *tv_walk_args(const struct tv_log_event *event)
{
	return (const uint64_t *)(event + 1);
}
/* Its text behind n arguments: *length bytes up to the end of the event, NULs of it included; the
 * last one is NUL. NULL if it has none. */
const char *tv_walk_text(const struct tv_log_event *event, unsigned n, size_t *length);

#endif
