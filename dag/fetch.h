/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fetch.h -- when data that an execution needed were under way to it, as far as the trace knows.
 *
 * From links: for each handle of a counted execution the last transfer of that handle to its
 * worker's memory node that ended before its Start; where links do not name their handle, the last
 * one to that memory node. From states: FetchingInput on its worker, if it is the first execution
 * there to start once that has ended. What ended before the execution was released is none.
 */
#ifndef TV_FETCH_H
#define TV_FETCH_H

#include "dag/waits.h"

struct tv_fetch {
	uint32_t row;	    /* of tasks */
	uint32_t link;	    /* the transfer; TV_NONE = a state */
	int64_t begin, end; /* ns; begin < end <= Start of the row */
};

/* Sorted by row, then begin; may overlap. */
struct tv_fetches {
	struct tv_fetch *at;
	size_t n, cap;
};

/* Cost O((rows + handles accessed) log links + states log rows). */
void tv_fetches_init(struct tv_fetches *fetches, const struct tv_waits *waits);
/* With waits of its own, computed only where the trace has a table that could contain fetches. */
void tv_fetches_init_of_graph(struct tv_fetches *fetches, const struct tv_dag *dag);
/* Of a run whose rows come in parts: a text that ends a sentence "all rows are needed: ..."; NULL = there are no fetches. */
const char *tv_fetches_reason(const struct tv_trace *trace);
void tv_fetches_release(struct tv_fetches *fetches); /* safe on a zeroed struct */

/* Those of one row, *n of them; NULL if there are none. O(log n). */
const struct tv_fetch *tv_fetches_of(const struct tv_fetches *fetches, uint32_t row, size_t *n);

#endif
