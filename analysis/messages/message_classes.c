/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_classes.c -- the messages of each part as rows of a table of keys. */
#include "analysis/messages/message_classes.h"

#include "analysis/core/columns.h"
#include "trace/alloc.h"

static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct tv_message_classes *classes = data;

	return classes->number(classes, column, classes->message[row], number);
}

/* Rows of no message. */
static void add_pairs(struct tv_message_classes *classes)
{
	const struct tv_messages *all = classes->seen.all;

	for (uint32_t i = 0; i < all->nnodes; i++)
		for (uint32_t k = 0; k < all->nnodes; k++) {
			uint32_t row = tv_table_add_row(&classes->keys);

			tv_set_label(classes->keys.col[0], row, all->node[i]);
			tv_set_label(classes->keys.col[1], row, all->node[k]);
		}
}

/* The keys of the messages, which are grouped by them. */
static void take_messages(struct tv_message_classes *classes, struct tv_grouping *by)
{
	uint32_t n = classes->seen.all->n, row = 0;

	classes->message = tv_alloc(n, sizeof *classes->message);
	tv_table_add_rows(&classes->keys, n);
	for (uint32_t i = 0; i < n; i++)
		if (classes->take(classes, i, classes->keys.col, row))
			classes->message[row++] = i;
	classes->keys.nrows = row;
	if (classes->all_pairs)
		add_pairs(classes);
	tv_table_finish(&classes->keys);
	tv_grouping_of(by, &classes->keys, (const struct tv_column *const *)classes->keys.col,
		       classes->nkeys);
	for (; row < by->nrows; row++)
		by->of_row[row] = TV_NONE;
}

/* Waits, the last measure, are not always known. */
static void leave_waits(struct tv_message_classes *classes)
{
	classes->tallied.n = classes->nmeasures - classes->waits;
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct tv_message_classes *classes = state;
	const struct tv_measured_rows rows = { number_of, classes };
	struct tv_message_counts again = { 0 };
	struct tv_grouping by = { 0 };
	int rc = tv_seen_messages_part(&classes->seen, part, classes->verb, classes->waits,
				       classes->tallied.again ? &again : &classes->counts, err);

	tv_table_init(&classes->keys, part->trace->pool);
	tv_add_fields(&classes->keys, classes->key, classes->nkeys);
	if (rc == 0) {
		take_messages(classes, &by);
		if (part->of == NULL && classes->seen.wait == NULL)
			leave_waits(classes);
		rc = tv_tallied_rows(&classes->tallied, &rows, &by, NULL, err);
	}
	tv_grouping_release(&by);
	tv_table_release(&classes->keys);
	tv_seen_messages_release(&classes->seen);
	tv_free(classes->message);
	classes->message = NULL;
	return rc;
}

int tv_message_classes_add(struct tv_message_classes *classes, struct tv_run *run,
			   struct tv_error *err)
{
	int rc;

	tv_table_init(&classes->classes, run->trace->pool);
	tv_tallied_init(&classes->tallied, "by", tv_run_counts(run), classes->measure,
			classes->nmeasures, &classes->classes);
	if (run->parts != NULL)
		leave_waits(classes);
	rc = tv_tallied_run(&classes->tallied, run, add_rows, classes, err);
	if (rc == 0)
		rc = tv_message_counts_end(&classes->counts, run, classes->verb, classes->waits,
					   err);
	if (rc == 0)
		tv_tallied_sort(&classes->tallied);
	return rc;
}

void tv_message_classes_release(struct tv_message_classes *classes)
{
	tv_tallied_release(&classes->tallied);
	tv_table_release(&classes->classes);
}
