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

#include "analysis/core/run.h"

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

/* Which device each worker drives: that of its first task, or row of Kind worker, with one; a label, TV_NONE = not known.
 * Free with tv_free. Cost O(rows). */
uint32_t *tv_worker_devices(const struct tv_tasks *tasks);
/* By worker: it is a device that is no CPU, or a stream of one. Free with tv_free. Cost O(rows). */
bool *tv_on_device(const struct tv_tasks *tasks);

/* By row that begins a counted execution: enum tv_lateness; free with tv_free. NULL with *err, as the
 * passes. Cost: theirs + O(rows log disturbances). */
uint8_t *tv_run_lateness(struct tv_run *run, struct tv_error *err);
/*
 * The same classes for one question: what made these tasks long? Of a slow worker (or device, node) all
 * tasks are its own, outliers or not, but those that are outliers among its own tasks of their type;
 * then come all tasks that meet a disturbance (tv_run_disturbed), or would if they took no longer than usual, and the outliers before
 * and after them on their worker;
 * then the other outliers; what is left of a slow worker is slow. Slow is what
 * tv_is_slow says of a row of tv_run_slow for all task types together.
 *
 * By row that begins a counted execution: enum tv_lateness; owned by the run. NULL with *err.
 */
const uint8_t *tv_run_obstacles(struct tv_run *run, struct tv_error *err);
/* By row of disturbances: whether half of the outliers then began so late that they would have met it, had they taken no longer than usual.
 * Where tasks end that are long by themselves, only they still run. Owned by the run. NULL with *err. */
const bool *tv_run_disturbed(struct tv_run *run, struct tv_error *err);
/* deviating-resources with a lower limit of Z; owned by the run. NULL with *err. */
const struct tv_table *tv_run_slow(struct tv_run *run, struct tv_error *err);
/* Whether a row of deviating-resources is slower by its limits: Z (tv_slow_z), and its tasks are longer in 65 % of the pairs with others
 * (Longer). */
bool tv_is_slow(const struct tv_table *members, uint32_t row);
/* How many times as long the tasks of a row take as those of others: of all task types together the mean of the Ratios of its types, by its tasks,
 * as the Ratio of all together is small where others run other types. Cost O(rows). */
double tv_slow_ratio(const struct tv_table *members, uint32_t row);
/* Whether it is of one task type for which a member is, that is not slow for others: a quarter of its tasks or more are of types of which it
 * runs five or more that take a quarter of that longer at most. Over all its tasks it is slower, too, or the type takes twice as long there, in
 * nine tenths of the pairs. Cost O(rows). */
bool tv_is_slow_type(const struct tv_table *members, uint32_t row);
/* Its limits. deviating-resources --slow gives the same rows. */
#define TV_SLOW_RATIO  1.5
#define TV_SLOW_LONGER 0.65
#define TV_SLOW_MIN_Z  1.5 /* the lowest of tv_slow_z */
/* The least Z: a few tasks show a large slowdown, but not a small one. Of ten or fewer tasks Z is below 3, even if each of them takes longer
 * than all tasks of others. */
static inline double tv_slow_z(double ratio, double longer)
{
	return ratio < TV_SLOW_RATIO ? 4 : longer < 0.95 ? 3 : TV_SLOW_MIN_Z;
}
/* Of one type, of Ratio and Longer, where the member as a whole is not known to be slower. */
#define TV_SLOW_TYPE_RATIO  2
#define TV_SLOW_TYPE_LONGER 0.9

#endif
