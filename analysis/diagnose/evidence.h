/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * evidence.h -- why a task took longer than others of its type: more work, or the same work in more time.
 *
 * A long task is an outlier that no slow worker and no disturbance explains (tv_run_obstacles). What the trace
 * shows of its work, in this order; the others of its type on its resource type are those that are not long:
 *
 * waits		neither, if by states and calls its thread waited (for a lock, in MPI) for half of what it took longer
 * task-clock	the same work if it had a processor for no quarter of what it took longer; not of devices
 * GFlop		more work if that explains half of what it took longer, the same if it explains no quarter
 * Size		more work if that explains half of it
 * Footprint	the same work if others with this layout of data are not long
 * task-clock	more CPU time if it had a processor for half of what it took longer, or more: more work, or it was slow
 * its place	more work if tasks of its type at this place of their iteration (or phase, by order of submission, from
 *		the first or from the last one) are long in three quarters of three iterations or more; the same if in no
 *		third of them, of phases only where three quarters have as many tasks of the type
 *
 * Where nine tenths of the tasks that a worker runs one after the other, five or more, or so few as it runs if by chance all tasks of a
 * worker would be long once in 1000 runs, are long, and four fifths of the long tasks are there, the worker is slow at that time; likewise a node, of whose workers two tasks or more each are long on average; unless four fifths of its tasks are on the longest chain, and no task of their type with as many tasks before it is not long: then
 * nothing is known, as nobody else ran such tasks.
 *
 * What a worker or a node that is slow for a time (slow_times.h) runs then is slow, unless half of these tasks have more work or wait; what it
 * runs before and after is not.
 *
 * A task during a disturbance is judged likewise; where nothing is known of its work, the disturbance counts if the durations of
 * the others vary by a quarter (SD over mean) at most.
 *
 * A time in which nearly all tasks are long (tv_slow_period) is a disturbance, too, unless half of them have more work or wait.
 *
 * Where no task is disturbed, long tasks of half of the workers or more at one time, five times or more at regular intervals, are disturbed, too.
 *
 * Before all that: the first task of its type on a worker only warms up, if that is long, with no more work, on half of the workers,
 * on two or more, and the second one on half of these at most, while the durations of the others vary by a quarter (SD over mean) at most.
 *
 * Ours.
 */
#ifndef TV_EVIDENCE_H
#define TV_EVIDENCE_H

#include "analysis/core/lateness.h"
#include "analysis/diagnose/findings.h"

/* Classes of tasks beside those of lateness.h: long tasks with more work, with more CPU time, those of which nothing is known;
 * first ones; those whose thread waited; those on workers on which their type is slow (slow_types.h). TV_LATENESS_OUTLIER are then those
 * with the same work. */
enum {
	TV_MORE_WORK = TV_NLATENESS,
	TV_MORE_CPU,
	TV_UNKNOWN_WORK,
	TV_WARM_UP,
	TV_WAITED,
	TV_SLOW_THERE,
	TV_NCLASSES
};

/* Whether tasks of that class are long, and not known to have the same work as others. */
static inline bool tv_is_unequal(uint8_t class)
{
	return class >= TV_MORE_WORK && class <= TV_UNKNOWN_WORK;
}

/* Whether tasks of that class took longer than others with the same work, or for all that is known. */
static inline bool tv_is_slower(uint8_t class)
{
	return class == TV_LATENESS_OUTLIER || class == TV_LATENESS_SLOW_WORKER
	    || class == TV_LATENESS_DISTURBANCE || class == TV_WARM_UP || class == TV_SLOW_THERE;
}

/* By row that begins a counted execution: enum tv_lateness or one of those; kept with the run. NULL with *err.
 * Cost O(rows log rows). */
const uint8_t *tv_case_classes(struct tv_run *run, struct tv_error *err);

/* Gives TV_SLOW_THERE to tasks of no class, or long for reasons that are not known, if their type is slow on their worker (slow_types.h),
 * and neither GFlop (without it Size) explains half of that, nor a thread without a processor three quarters; not to outliers among the tasks
 * of their type there that are longer than those by more than these than others. -1 with *err. Cost O(rows log rows). */
int tv_judge_slow_types(struct tv_run *run, uint8_t *class, struct tv_error *err) TV_MUST_CHECK;

/* Whether a column of tasks has a value for one of them. */
bool tv_case_measured(const struct tv_case *c, const char *column);
/* Whether the trace has a measure of the work of its tasks. */
bool tv_case_knows_work(const struct tv_case *c);
/* With the classes, that time; empty = there is none. */
struct tv_span tv_case_slow_period(struct tv_run *run);

/* Whether the disturbances of the run are such long tasks at regular intervals (periodic.c), and in no table of disturbances. */
bool tv_case_is_periodic(const struct tv_case *c);

/* How much longer the tasks of a class took than the mean of those of no class (TV_LATENESS_REST), of their type on
 * their resource type. */
struct tv_excess {
	uint32_t n;	      /* tasks of the class */
	int64_t worker, time; /* ns: of workers; times the prices of their types */
};
struct tv_excess tv_case_excess(const struct tv_case *c, const uint8_t *class, uint8_t which);

/* Whether each task of the classes from `first` to `last` took half as long again, or more, as the mean of those of no class, of its type
 * on its resource type, where there are such. */
bool tv_case_much_longer(const struct tv_case *c, const uint8_t *class, uint8_t first,
			 uint8_t last);

/* Whether workers of a type are devices, and no CPUs. */
bool tv_is_device_type(const char *rtype);
/* Whether tasks of a class are of two types or more, and longer than those of no class by the same factor, give or take a fifth: as more work
 * seldom is. */
bool tv_case_same_factor(const struct tv_case *c, uint8_t class);

/* Fills in what a finding about the tasks of a class measures, and whether it holds: that is 1 % of the makespan of one worker or more.
 * Returns their number. */
uint32_t tv_case_measure_class(const struct tv_case *c, const uint8_t *class, uint8_t which,
			       struct tv_found *found);

#endif
