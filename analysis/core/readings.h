/* SPDX-License-Identifier: GPL-3.0-or-later */
/* readings.h -- the values of variables over time, sorted. */
#ifndef TV_READINGS_H
#define TV_READINGS_H

#include "trace/tasks.h"

/* One value of a variable, from start to end. */
struct tv_reading {
	uint32_t type, resource; /* labels */
	uint32_t row;		 /* of variables */
	int64_t start, end,
		until; /* until: End of its row; before that another value may hold, from `end` on */
	double value;
};

/* The readings of all variables whose Type matches a pattern (* and ?), by type, resource (natural
 * order) and time; where they overlap, the later one holds. *readings: a new array of *n, to be
 * freed with tv_free. -1 with *err: none matches (naming those there are). O(n log n). */
int tv_readings(const struct tv_tasks *tasks, const char *pattern, struct tv_reading **readings,
		size_t *n, struct tv_error *err) TV_MUST_CHECK;

/* The same of counts, whose rows that overlap, as of several recorders of one object, add up: these are replaced by readings that
 * do not overlap, each with its part of the counts. -1 with *err: a count that is no number. O(n log n). */
int tv_readings_add_up(struct tv_reading **readings, size_t *n, struct tv_error *err) TV_MUST_CHECK;

#endif
