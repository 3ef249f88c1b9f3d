/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lateness.h -- what the duration of a task that differs from others of its type is put down to.
 *
 * The first that holds: it is an outlier (pass outliers); its worker, the device or the node of this is
 * slower than others of its type, at this task type or at all together (deviating-resources); it ran
 * during a disturbance, on its node or on all (disturbances); the rest.
 */
#ifndef TV_LATENESS_H
#define TV_LATENESS_H

#include "analysis/shared/run.h"

/* LATENESS(symbol, name): every class, in the order in which they are tried. */
#define TV_LATENESSES(LATENESS) \
	LATENESS(OUTLIER, "outlier") \
	LATENESS(SLOW_WORKER, "slow-worker") \
	LATENESS(DISTURBANCE, "disturbance") \
	LATENESS(REST, "rest")

enum tv_lateness {
#define TV_LATENESS_SYMBOL(symbol, name) TV_LATENESS_##symbol,
	TV_LATENESSES(TV_LATENESS_SYMBOL)
#undef TV_LATENESS_SYMBOL
		TV_NLATENESS
};

const char *tv_lateness_name(enum tv_lateness lateness);

/* Which device each worker drives: that of its first task with one; a label, TV_NONE = not known.
 * Free with tv_free. Cost O(rows). */
uint32_t *tv_worker_devices(const struct tv_tasks *tasks);

/* By row that begins a counted execution: enum tv_lateness; free with tv_free. NULL with *err, as the
 * passes. Cost: theirs + O(rows log disturbances). */
uint8_t *tv_run_lateness(struct tv_run *run, struct tv_error *err);
/* By counted row: 1 if its worker, or the device or node of this, is slower than others at all task
 * types together, outlier or not; free with tv_free. NULL with *err. */
uint8_t *tv_run_on_slow(struct tv_run *run, struct tv_error *err);

#endif
