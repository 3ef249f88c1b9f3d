/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stamps.c -- when something happened to jobs. */
#include "trace/stamps.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/sorted.h"

TV_ORDER(by_job, struct tv_stamp, job, time)

struct tv_stamps tv_stamps_of(const struct tv_trace *trace, enum tv_table_id id, const char *job,
			      const char *time, const char *type)
{
	const struct tv_table *table = tv_trace_table(trace, id);
	const struct tv_column *jobs = tv_table_find(table, job),
			       *times = tv_table_find(table, time);
	const struct tv_column *types = type != NULL ? tv_table_find(table, "Type") : NULL;
	uint32_t label = type != NULL ? tv_pool_find_text(trace->pool, type) : TV_NONE;
	struct tv_stamps stamps = { tv_alloc(table->nrows, sizeof *stamps.at), 0 };

	if (jobs == NULL || times == NULL || (type != NULL && (types == NULL || label == TV_NONE)))
		return stamps;
	for (uint32_t row = 0; row < table->nrows; row++)
		if ((types == NULL || tv_label(types, row) == label)
		    && tv_label(jobs, row) != TV_NONE && !tv_missing(times, row))
			stamps.at[stamps.n++] = (struct tv_stamp){ tv_label(jobs, row),
								   times->i[row] };
	qsort(stamps.at, stamps.n, sizeof *stamps.at, by_job);
	return stamps;
}

const struct tv_stamp *tv_stamps_last(const struct tv_stamps *stamps, uint32_t job, int64_t until)
{
	const struct tv_stamp key = { job, until };
	size_t n = tv_count_upto(&key, stamps->at, stamps->n, sizeof key, by_job);

	return n == 0 || stamps->at[n - 1].job != job ? NULL : &stamps->at[n - 1];
}
