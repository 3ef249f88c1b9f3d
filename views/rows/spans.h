/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.h -- times of resources that are no tasks: the states of a trace, or its MPI calls. */
#ifndef TV_ROW_SPANS_H
#define TV_ROW_SPANS_H

#include "views/rows/rows.h"

/* A table with a thread, a name and two times in each row. */
struct tv_spans {
	const struct tv_table *table;
	const struct tv_column *of, *value, *start, *end; /* value: the class of a call */
	uint32_t n;
	bool calls;
};

struct tv_spans tv_spans_of_states(const struct tv_trace *trace);
struct tv_spans tv_spans_of_calls(const struct tv_trace *trace);
/* What the rows of a trace without tasks show: its states; calls if it has none of these. */
struct tv_spans tv_spans(const struct tv_trace *trace);

/* Whether a row has a thread and both times. */
bool tv_span_known(const struct tv_spans *spans, uint32_t row);

/* The hover text of a row of calls, with function, place and message. */
#define TV_CALL_HOVER \
	"{Call|}[, {Site}][, {ResourceId}][, {Comm}][, peer {Peer}][, tag {Tag}][, bytes " \
	"{Bytes}], " \
	"{from} to {to} ms ({long} ms)"

#endif
