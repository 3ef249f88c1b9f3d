/* SPDX-License-Identifier: GPL-3.0-or-later */
/* received.c -- messages of the table links, by the calls that receive them. */
#include "analysis/mpi/received.h"

#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"

TV_ORDER(by_thread, struct tv_received, thread, posted, end, link)

/* The number in a cell with text, such as a tag. */
static int64_t number_in(const struct tv_column *column, uint32_t row)
{
	size_t n;
	const char *text = tv_string(column, row, &n);
	int64_t number;

	return tv_parse_int(text, n, &number) == TV_PARSE_OK ? number : TV_NO_NUMBER;
}

void tv_received_init(struct tv_received_list *received, const struct tv_calls *calls)
{
	enum { TYPE, ORIGIN, DEST, SENT, END_, POSTED, TAG, NEEDED };
	static const char *const name[] = { "Type", "Origin",	    "Dest", "Start",
					    "End",  "ReceiveStart", "Tag" };
	_Static_assert(TV_COUNT(name) == NEEDED, "a name for each column");
	const struct tv_table *links = &calls->trace->table[TV_LINKS];
	const struct tv_column *of[NEEDED];
	uint32_t message = tv_pool_find_text(calls->trace->pool, TV_MESSAGE_TYPE);
	struct tv_map rank = { 0 };

	*received = (struct tv_received_list){ 0 };
	for (int c = 0; c < NEEDED; c++) {
		of[c] = tv_table_find(links, name[c]);
		if (of[c] == NULL)
			return;
	}
	for (uint32_t i = 0; i < calls->n; i++)
		tv_map_put(&rank, tv_call_label(calls, TV_CALL_RESOURCE, calls->row[i]), 0,
			   calls->rank_of[calls->row[i]]);
	for (uint32_t row = 0; row < links->nrows; row++) {
		const uint32_t *from = tv_map_get(&rank, tv_label(of[ORIGIN], row), 0);
		bool missing = tv_label(of[TYPE], row) != message || from == NULL;

		for (int c = DEST; c < NEEDED; c++)
			missing = missing || tv_missing(of[c], row);
		if (missing)
			continue;
		TV_GROW(received->at, received->n, received->cap, 1);
		received->at[received->n++] = (struct tv_received){ tv_label(of[DEST], row),
								    of[POSTED]->i[row],
								    of[END_]->i[row],
								    of[SENT]->i[row],
								    number_in(of[TAG], row),
								    *from,
								    row };
	}
	tv_map_release(&rank);
	if (received->n > 1)
		qsort(received->at, received->n, sizeof *received->at, by_thread);
}

const struct tv_received *tv_received_from(const struct tv_received_list *received, uint32_t thread,
					   int64_t posted)
{
	const struct tv_received before = { .thread = thread, .posted = posted, .end = INT64_MIN };
	size_t i = tv_count_upto(&before, received->at, received->n, sizeof before, by_thread);

	return i < received->n && received->at[i].thread == thread ? &received->at[i] : NULL;
}
