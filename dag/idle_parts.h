/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle_parts.h -- the sweep of idle.h over a run whose tasks come part by part, in the order of Start; all rows are one part.
 *
 *	tv_idle_parts_note(parts, dag);			for each part; then
 *	tv_idle_parts_begin(parts, run, any, wanted, err);
 *	tv_idle_parts_sweep(parts, dag);		for each part again
 *
 * With a part, time is swept up to its last Start. What is idle until then also depends on tasks that start later, but on few
 * of them. The causes are decided from: per node, whether a task is submitted and not started, and whether one is not
 * submitted; per node and set of classes, how many released tasks wait, where more than there are idle workers make no
 * difference; per idle worker, which of the released tasks that it will run starts first. So for each end of a part these
 * tasks that start later are kept:
 *	of a node, that which is submitted first, and that which is last;
 *	of a node and task type, those that are released first, one more than the node has workers;
 *	of a worker, those that are released before all that start before them, after the part.
 * They are tasks of the sweep as those of the part, so what each of them shows is true, and no other one changes a cause. Of
 * tasks of earlier parts, those that still run belong to it, and of those that never started the same as of later ones.
 *
 * Memory, besides a part: about 100 bytes for each that is kept: for each part and node as many as workers and types at most, and
 * the last ones above; a run that starts tasks in the reverse order of their releases keeps all.
 */
#ifndef TV_IDLE_PARTS_H
#define TV_IDLE_PARTS_H

#include "dag/idle.h"

struct tv_idle_parts *tv_idle_parts_new(void);
void tv_idle_parts_free(struct tv_idle_parts *parts); /* accepts NULL */
/* The graph of a part is used during the call only. */
void tv_idle_parts_note(struct tv_idle_parts *parts, const struct tv_dag *dag);
/* After all parts: a text that ends a sentence "all rows are needed: ..."; NULL = they are not. */
const char *tv_idle_parts_reason(const struct tv_idle_parts *parts);
/* What is wanted of the sweep. Members may be NULL. */
struct tv_idle_wanted {
	int64_t end; /* ns: up to here, or the end of the last slice */
	const struct tv_idle_watch *watch;
	const struct tv_idle_slices *slices;
	struct tv_idle_spans *
		spans; /* zeroed; cut where parts end. The caller may take them after each part, but the last
				      * one of a node */
};
/* run: the workers and the begin; it and `wanted` outlive the parts. any, and -1 with *err: as for tv_waits_init. */
int tv_idle_parts_begin(struct tv_idle_parts *parts, const struct tv_tasks *run, bool any,
			const struct tv_idle_wanted *wanted, struct tv_error *err) TV_MUST_CHECK;
/* Returns up to where the sweep has got, ns. */
int64_t tv_idle_parts_sweep(struct tv_idle_parts *parts, const struct tv_dag *dag);

#endif
