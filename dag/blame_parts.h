/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame_parts.h -- tv_blame (blame.h) of a run whose rows come part by part, in the order of Start: beside the sweep of
 * idle_parts.h,
 *
 *	tv_blame_parts_note(blame, dag);		for each part; then
 *	tv_blame_parts_divide(blame, carry, ...);	for each part again, after its tv_idle_parts_sweep
 *
 * An instant t at which a worker has the cause is blamed on what its next task, the first one with a Start after t, was
 * released by last, and so on. What such a walk finds at t depends on t and on that task alone, not on where the span around t
 * begins or ends. So spans may be cut where parts end: what of them is before the Starts of a part is divided with it, and
 * the rest waits for a later part. That the worker has no next task is known from noting all parts.
 *
 * The walk goes to earlier parts: each live job (carry.h) has a record of its times and of the record before it. As a step is
 * entered only before it released the one after, none is needed of what did so before all spans that wait.
 *
 * Memory, besides a part: 32 bytes for each record, 40 for each span that waits and for each span of the cause of a node since
 * the first of these. A worker that is idle for long keeps what all others did meanwhile.
 */
#ifndef TV_BLAME_PARTS_H
#define TV_BLAME_PARTS_H

#include "dag/blame.h"

struct tv_carry;

/* run: the workers; it outlives this. */
struct tv_blame_parts *tv_blame_parts_new(const struct tv_tasks *run);
void tv_blame_parts_free(struct tv_blame_parts *blame); /* accepts NULL */
/* The graph of a part is used during the call only. */
void tv_blame_parts_note(struct tv_blame_parts *blame, const struct tv_dag *dag);
/* After all parts: a text that ends a sentence "all rows are needed: ..."; NULL = they are not. */
const char *tv_blame_parts_reason(const struct tv_blame_parts *blame);
/* For the sweep. */
struct tv_idle_spans *tv_blame_parts_spans(struct tv_blame_parts *blame);
/* carry: which gave the graph; until: the sweep has got there; name: by node of the part, what pieces
 * are to have as node, NULL = 0 of all. The others as for tv_blame, but parts may come in pieces. */
void tv_blame_parts_divide(struct tv_blame_parts *blame, struct tv_carry *carry,
			   const struct tv_dag *dag, int64_t until, const uint32_t *name,
			   const int64_t *bound, size_t nslices, tv_blame_part *part, void *to);

#endif
