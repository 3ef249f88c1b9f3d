/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.c -- times of resources that are no tasks. */
#include "views/rows/spans.h"

#include <stdio.h>

#include "trace/text.h"

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

static const char *cell(const struct tv_table *table, const char *column, uint32_t row,
			const char *before, char out[160])
{
	const struct tv_column *c = tv_table_find(table, column);
	char clean[128];

	out[0] = '\0';
	if (c == NULL || tv_missing(c, row))
		return out;
	if (c->type == TV_INT)
		snprintf(out, 160, "%s%lld", before, (long long)c->i[row]);
	else
		snprintf(out, 160, "%s%s", before,
			 tv_clean_text(clean, sizeof clean, tv_pool_text(table->pool, c->u[row])));
	return out;
}

void tv_describe_call(const struct tv_rows *rows, const struct tv_item *item, char *out,
		      size_t size)
{
	const struct tv_table *table = rows->table;
	char call[160], site[160], peer[160], tag[160], bytes[160], comm[160], of[160];

	snprintf(out, size, "%s%s%s%s%s%s%s, %.3f to %.3f ms (%.3f ms)",
		 cell(table, "Call", item->row, "", call),
		 cell(table, "Site", item->row, ", ", site),
		 cell(table, "ResourceId", item->row, ", ", of),
		 cell(table, "Comm", item->row, ", ", comm),
		 cell(table, "Peer", item->row, ", peer ", peer),
		 cell(table, "Tag", item->row, ", tag ", tag),
		 cell(table, "Bytes", item->row, ", bytes ", bytes), (double)item->begin / 1e6,
		 (double)item->end / 1e6, (double)(item->end - item->begin) / 1e6);
}
