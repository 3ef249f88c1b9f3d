/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls.h -- the MPI calls of a run: the table `calls` by rank, class and time.
 *
 * The rank of a call is the node of its thread. Calls without thread, function, class, Start or End,
 * and those whose class is none of the known ones, are left out, with a warning.
 */
#ifndef TV_CALLS_H
#define TV_CALLS_H

#include <string.h>

#include "analysis/core/run.h"

#define TV_NO_NUMBER INT64_MIN /* the trace does not contain it */

enum tv_call_class {
	TV_CALL_BLOCKING,
	TV_CALL_START,
	TV_CALL_TEST,
	TV_CALL_WAIT,
	TV_CALL_OTHER,
	TV_NCALL_CLASSES
};
extern const char *const tv_call_class_name[TV_NCALL_CLASSES];

enum tv_call_column {
	TV_CALL_RESOURCE,
	TV_CALL_NAME,
	TV_CALL_CLASS,
	TV_CALL_BEGIN,
	TV_CALL_END,
	TV_CALL_REQUEST,
	TV_CALL_COMPLETED,
	TV_CALL_COMM,
	TV_CALL_COMM_RANK,
	TV_CALL_SEQUENCE,
	TV_CALL_ROOT,
	TV_CALL_OP,
	TV_CALL_PEER,
	TV_CALL_TAG,
	TV_CALL_RECEIVE_PEER,
	TV_CALL_RECEIVE_TAG,
	TV_CALL_BYTES,
	TV_CALL_SITE,
	TV_CALL_FLAG,
	TV_NCALL_COLUMNS
};

struct tv_calls {
	const struct tv_trace *trace;
	const struct tv_column *column[TV_NCALL_COLUMNS]; /* NULL = the trace does not have it */
	uint32_t *row; /* rows of calls, by Start, equal ones by row */
	uint32_t n;
	uint8_t *class_of; /* by row: enum tv_call_class; TV_NCALL_CLASSES = left out */
	uint32_t *rank_of; /* by row: place in rank */
	uint32_t *rank;	   /* labels, in natural order */
	uint32_t nranks;
	uint32_t nleft_out; /* rows */
};

/* Collected at the first call, kept with the run, which owns them. Empty without the table. Warns of rows that are left out, but
 * not of those of a part (tv_run_rows). Cost O(n log n). */
const struct tv_calls *tv_run_calls(struct tv_run *run);
/* The same, and NULL with *err where the run has none, in the name of a verb. */
const struct tv_calls *tv_run_some_calls(struct tv_run *run, const char *verb,
					 struct tv_error *err);

void tv_warn_left_out_calls(struct tv_run *run, uint64_t n);
/* The run has none: -1 with *err. */
int tv_fail_no_calls(const struct tv_run *run, const char *verb, struct tv_error *err);

/* When calls begin and end, ns: all of them, and those that communicate (every class but other).
 * begin > end: there are none. O(n). */
struct tv_call_times {
	int64_t begin, end, communication_begin, communication_end;
};
struct tv_call_times tv_call_times(const struct tv_calls *calls);

/* Start, End and duration of a row, ns. */
static inline int64_t tv_call_begin(const struct tv_calls *calls, uint32_t row)
{
	return calls->column[TV_CALL_BEGIN]->i[row];
}
static inline int64_t tv_call_end(const struct tv_calls *calls, uint32_t row)
{
	return calls->column[TV_CALL_END]->i[row];
}
static inline int64_t tv_call_time(const struct tv_calls *calls, uint32_t row)
{
	return tv_call_end(calls, row) - tv_call_begin(calls, row);
}
/* Whether the trace shows its end: else its time is in sums, not in a mean, min or max. */
static inline bool tv_call_ended(const struct tv_calls *calls, uint32_t row)
{
	const struct tv_column *flag = calls->column[TV_CALL_FLAG];
	uint32_t label = flag == NULL ? TV_NONE : tv_label(flag, row);

	return label == TV_NONE || strcmp(tv_pool_text(flag->pool, label), TV_OPEN) != 0;
}
/* A cell: label, number, list. TV_NONE, TV_NO_NUMBER, n = 0 where it is missing. */
uint32_t tv_call_label(const struct tv_calls *calls, enum tv_call_column column, uint32_t row);
int64_t tv_call_number(const struct tv_calls *calls, enum tv_call_column column, uint32_t row);
const uint32_t *tv_call_list(const struct tv_calls *calls, enum tv_call_column column, uint32_t row,
			     uint32_t *n);
/* How many requests it names. */
uint32_t tv_call_requests(const struct tv_calls *calls, uint32_t row);
/* Whether the name of its function contains a word, in any case: "send". */
bool tv_call_named(const struct tv_calls *calls, uint32_t row, const char *word);

#endif
