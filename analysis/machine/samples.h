/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples.h -- values of variables as they were measured, on objects of the machine or not.
 *
 * Unlike the readings of a curve (readings.h) they keep their intervals: a counter covers [Start,
 * End), a gauge has End = Start. Samples of one tick have the same Start and End on all objects.
 */
#ifndef TV_SAMPLES_H
#define TV_SAMPLES_H

#include "analysis/core/run.h"
#include "monitor/monitor.h"
#include "trace/machine.h"

struct tv_sample {
	uint32_t type, resource; /* labels */
	uint32_t object;	 /* of the machine; TV_NONE = the resource is none */
	int64_t start, end;	 /* ns */
	double value;
};

struct tv_samples {
	bool part; /* made by tv_samples_part: the machine is another one's */
	struct tv_run *run;
	struct tv_machine machine;
	struct tv_sample *at;
	size_t n;
	uint32_t *
		rank; /* by label: natural order of types and resources; of objects that of the machine */
};

/*
 * The samples whose variable matches one of the patterns (commas between; NULL = all), within the
 * window of the run, by type, resource and time. -1 with *err: there is none (naming those there
 * are). Release in any case. O(n log n).
 */
int tv_samples_init(struct tv_samples *samples, struct tv_run *run, const char *patterns,
		    struct tv_error *err) TV_MUST_CHECK;
/* The samples of one variable, which is a label, on objects; they share the machine of `all`, which outlives
 * them. Release them. */
void tv_samples_part(struct tv_samples *part, const struct tv_samples *all, uint32_t type);
/* -1 with *err, naming them, where the samples are of several variables. */
int tv_samples_single(const struct tv_samples *samples, struct tv_error *err) TV_MUST_CHECK;
void tv_samples_release(struct tv_samples *samples); /* safe on a zeroed struct */

/* Orders: what comes first has the samples of a group side by side. */
enum tv_samples_order {
	TV_SAMPLES_SERIES, /* type, resource, start, end */
	TV_SAMPLES_TICKS,  /* type, start, end, resource */
	TV_SAMPLES_PLACES  /* resource, start, end, type */
};
void tv_samples_sort(struct tv_samples *samples, enum tv_samples_order order);

/* The number of samples from `first` on with the same type, interval and resource; `type`, `resource`:
 * whether these must be equal. They are sorted accordingly. */
size_t tv_samples_group(const struct tv_samples *samples, size_t first, bool type, bool resource);

/* One sample per variable and resource: the sum of its values, of gauges their mean. They must be in the
 * order of series, which they keep. */
void tv_samples_total(struct tv_samples *samples);

/* How samples are combined. */
enum tv_samples_by {
	TV_SAMPLES_SUM,
	TV_SAMPLES_MEAN,
	TV_SAMPLES_MIN,
	TV_SAMPLES_MAX,
	TV_SAMPLES_VAR, /* of the population */
	TV_SAMPLES_JOIN /* no reduction: TYPE@OBJECT on the object of the level */
};
/* The function for the words sum|mean|min|max|var, in this order. */
extern const enum tv_monitor_function tv_samples_function[];

/*
 * Replaces the samples by those of the objects of a level: per type and interval the sum (...) of the
 * samples of what they contain. Where a variable has samples on an object and on others inside it, only
 * the inner ones count. Warns of samples that are left out (on no object, on none inside the level), and of
 * values made of fewer objects than others. -1 with *err: no such level, or nothing is left.
 */
int tv_samples_reduce(struct tv_samples *samples, const char *level, enum tv_samples_by by,
		      struct tv_error *err) TV_MUST_CHECK;

/* The columns of a result that consists of samples, as those of the table variables. */
extern const struct tv_field tv_sample_columns[5];
/* Appends a row with these columns. */
void tv_sample_write(struct tv_table *out, const struct tv_sample *sample);

#endif
