/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stamps.h -- when something happened to jobs, such as that they were pushed to the scheduler. */
#ifndef TV_STAMPS_H
#define TV_STAMPS_H

#include "trace/trace.h"

struct tv_stamps {
	struct tv_stamp {
		uint32_t job; /* label */
		int64_t time; /* ns */
	} * at;		      /* by job, then time; free with tv_free */
	uint32_t n;
};

/* The rows of a table, those of one Type or all (NULL), with a label in the column `job` and a value in `time`; none without
 * these columns. Cost O(n log n). */
struct tv_stamps tv_stamps_of(const struct tv_trace *trace, enum tv_table_id id, const char *job,
			      const char *time, const char *type);

/* The last one of a job that is not after `until`; NULL if there is none. Cost O(log n). */
const struct tv_stamp *tv_stamps_last(const struct tv_stamps *stamps, uint32_t job, int64_t until);

#endif
