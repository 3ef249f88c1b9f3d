/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.c -- times of resources that are no tasks. */
#include "views/rows/spans.h"

static struct tv_spans of_table(const struct tv_table *table, const char *value, bool calls)
{
	return (struct tv_spans){
		.table = table,
		.of = tv_table_find(table, "ResourceId"),
		.value = tv_table_find(table, value),
		.start = tv_table_find(table, "Start"),
		.end = tv_table_find(table, "End"),
		.n = table->nrows,
		.calls = calls,
	};
}

struct tv_spans tv_spans_of_states(const struct tv_trace *trace)
{
	return of_table(tv_trace_table(trace, TV_STATES), "Value", false);
}

struct tv_spans tv_spans_of_calls(const struct tv_trace *trace)
{
	return of_table(&trace->table[TV_CALLS], "Class", true);
}

struct tv_spans tv_spans(const struct tv_trace *trace)
{
	return tv_trace_table(trace, TV_STATES)->nrows > 0 ? tv_spans_of_states(trace)
							   : tv_spans_of_calls(trace);
}

bool tv_span_known(const struct tv_spans *spans, uint32_t row)
{
	return tv_label(spans->of, row) != TV_NONE && !tv_missing(spans->start, row)
	    && !tv_missing(spans->end, row);
}
