/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * join.h -- companion tables: what was recorded beside the source of tasks, on a clock of its own.
 *
 * Decisions, candidates, calls, variables and events of a folder do not compete with its source of
 * tasks (FxT, ...): they join it by JobId, and their clock is set by what both recorded. A raw log of
 * decisions beside the source of tasks joins it likewise.
 */
#ifndef TV_JOIN_H
#define TV_JOIN_H

#include "trace/trace.h"

/* Whether a table completes a trace in another format: companions, and meta, of which only keys of
 * the scheduler are taken. */
bool tv_is_companion(enum tv_table_id table);

/*
 * Moves the companion tables of `beside`, which shares the pool of `trace`, into it; neither is
 * complete. Their times are moved by the median of the differences, for each job both know, between
 * its pushes (events Task Push) and decisions, in order; without pushes between the Start of its
 * tasks and its events `start`; without any such pair by 0. Offset, spread and number of pairs go
 * to meta, and with `path` to one note. known: of a raw log, which may be of another run; returns 1 and
 * moves nothing if there is no such pair. -1 with *err: times out of range. Cost O(n log n).
 */
int tv_join(struct tv_trace *trace, struct tv_trace *beside, const char *path, bool known,
	    struct tv_error *err) TV_MUST_CHECK;

#endif
