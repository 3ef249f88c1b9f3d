/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part.h -- the jobs of a part of a trace, for formats that have one record or node for each. */
#ifndef TV_PART_H
#define TV_PART_H

#include "convert/formats.h"
#include "trace/kernels.h"
#include "trace/map.h"

/* A job, or one of its segments, with the columns of its first row. One that ran several times lasts
 * from the first Start to the last End. */
struct tv_part_job {
	uint32_t row, job; /* label */
	int64_t segment;   /* 0 if segments are not distinguished */
	int64_t start, end;
	bool ran;
	int64_t order; /* for its writer, who may sort by it */
};

struct tv_part_jobs {
	const struct tv_trace *trace;
	const struct tv_column *job, *start, *end, *kind; /* NULL = the trace does not have it */
	const struct tv_column *segment; /* NULL = segments are not distinguished */
	bool messages;			 /* they are jobs, too */
	struct tv_part_job *at;		 /* of the last part, by first row */
	uint32_t n;
	size_t cap;
	struct tv_index
		index; /* by label of a job: its place in at; of several segments the first */
	struct tv_map places; /* likewise, by label and segment, if these are distinguished */
	uint64_t unnamed;     /* rows of all parts that have no JobId */
	uint64_t several;     /* further executions of jobs, of all parts */
};

/* segments: distinguishes those of suspended tasks, if the trace has such. */
void tv_part_jobs_init(struct tv_part_jobs *jobs, const struct tv_trace *trace, bool messages,
		       bool segments);
/* Finds the jobs of a part, instead of those before. */
void tv_part_jobs_collect(struct tv_part_jobs *jobs, const struct tv_part *part);
bool tv_part_jobs_is_kind(const struct tv_part_jobs *jobs, uint32_t row, enum tv_kind kind);
/* Notes what has no record or node: what is "record" or "node". */
void tv_part_jobs_note(const struct tv_part_jobs *jobs, struct tv_diagnostics *notes,
		       const char *what);
void tv_part_jobs_release(struct tv_part_jobs *jobs);

/* Whether the trace has a value there; column may be NULL. */
static inline bool tv_has(const struct tv_column *column, uint32_t row)
{
	return column != NULL && !tv_missing(column, row);
}

#endif
