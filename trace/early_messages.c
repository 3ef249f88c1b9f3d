/* SPDX-License-Identifier: GPL-3.0-or-later */
/* early_messages.c -- messages that were received before they were sent: repaired, counted and said. */
#include <stdio.h>
#include <stdlib.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/damage.h"
#include "trace/kernels.h"
#include "trace/message_links.h"
#include "trace/nodes.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define REPAIRED "message received before it was sent"

bool tv_find_message_links(const struct tv_trace *trace, struct tv_message_links *l)
{
	struct tv_table *links = (struct tv_table *)&trace->table[TV_LINKS];

	*l = (struct tv_message_links){ .table = links,
					.type = tv_table_find(links, "Type"),
					.key = tv_table_find(links, "Key"),
					.origin = tv_table_find(links, "Origin"),
					.dest = tv_table_find(links, "Dest"),
					.start = tv_table_find(links, "Start"),
					.end = tv_table_find(links, "End"),
					.flag = tv_table_find(links, "Flag"),
					.message = tv_pool_find_text(trace->pool, TV_MESSAGE_TYPE),
					.early = tv_pool_find_text(trace->pool, TV_EARLY) };
	return l->message != TV_NONE && l->type != NULL && l->origin != NULL && l->dest != NULL
	    && l->start != NULL && l->end != NULL;
}

bool tv_is_message_link(const struct tv_message_links *l, uint32_t row)
{
	return tv_label(l->type, row) == l->message && !tv_missing(l->start, row)
	    && !tv_missing(l->end, row) && tv_label(l->origin, row) != TV_NONE
	    && tv_label(l->dest, row) != TV_NONE;
}

bool tv_is_early_link(const struct tv_message_links *l, uint32_t row)
{
	return l->flag != NULL && l->early != TV_NONE && tv_label(l->flag, row) == l->early;
}

struct pair {
	uint32_t origin, dest; /* labels of nodes */
	uint32_t n;
};

struct pairs {
	struct pair *at;
	size_t n, cap;
	uint32_t messages, early; /* in all */
};

static int by_number(const void *a, const void *b, void *data)
{
	const struct pair *x = a, *y = b;
	const struct tv_pool *pool = data;
	int order = TV_COMPARE(y->n, x->n);

	if (order == 0)
		order = tv_natural_order(tv_pool_text(pool, x->origin),
					 tv_pool_text(pool, y->origin));
	return order != 0
		     ? order
		     : tv_natural_order(tv_pool_text(pool, x->dest), tv_pool_text(pool, y->dest));
}

/* Counts the flagged messages by pair of nodes. */
static void count_pairs(const struct tv_trace *trace, struct pairs *pairs)
{
	struct tv_map place = { 0 };
	struct tv_nodes nodes;
	struct tv_message_links l;

	*pairs = (struct pairs){ 0 };
	if (!tv_find_message_links(trace, &l))
		return;
	tv_nodes_init(&nodes, trace);
	for (uint32_t row = 0; row < l.table->nrows; row++) {
		uint32_t origin, dest, *at;

		if (!tv_is_message_link(&l, row))
			continue;
		pairs->messages++;
		if (!tv_is_early_link(&l, row))
			continue;
		pairs->early++;
		origin = tv_node_of(&nodes, tv_label(l.origin, row));
		dest = tv_node_of(&nodes, tv_label(l.dest, row));
		at = tv_map_at(&place, origin, dest);
		if (*at == TV_NONE) {
			*at = (uint32_t)pairs->n;
			TV_GROW(pairs->at, pairs->n, pairs->cap, 1);
			pairs->at[pairs->n++] = (struct pair){ origin, dest, 0 };
		}
		pairs->at[*at].n++;
	}
	tv_map_release(&place);
	tv_nodes_release(&nodes);
	if (pairs->n > 1)
		qsort_r(pairs->at, pairs->n, sizeof *pairs->at, by_number, trace->pool);
}

/* As many pairs as fit. */
static void list_pairs(const struct tv_trace *trace, const struct pairs *pairs, char *out,
		       size_t size)
{
	size_t used = 0, i = 0;

	out[0] = '\0';
	for (; i < pairs->n && used + 70 < size; i++)
		used += (size_t)snprintf(
			out + used, size - used, "%s%.20s->%.20s %u", i > 0 ? ", " : "",
			tv_pool_text(trace->pool, pairs->at[i].origin),
			tv_pool_text(trace->pool, pairs->at[i].dest), pairs->at[i].n);
	if (i < pairs->n)
		snprintf(out + used, size - used, ", ...");
}

uint32_t tv_early_messages(const struct tv_trace *trace, char *text, size_t size)
{
	struct pairs pairs;

	count_pairs(trace, &pairs);
	list_pairs(trace, &pairs, text, size);
	tv_free(pairs.at);
	return pairs.early;
}

static void add_residual(struct tv_trace *trace, int64_t most)
{
	char text[TV_NUMBER_MAX];

	tv_write_ms(text, most);
	tv_meta_add(trace, "ClockResidual",
		    "%s ms: the most by which a message ends before it starts", text);
}

/* Ends messages that end before they start where they start. Returns their number. */
static uint32_t repair_messages(struct tv_trace *trace)
{
	int64_t most = 0;
	struct tv_message_links l;
	uint32_t n = 0;

	if (!tv_find_message_links(trace, &l))
		return 0;
	for (uint32_t row = 0; row < l.table->nrows; row++) {
		char early[TV_NUMBER_MAX];

		if (!tv_is_message_link(&l, row))
			continue;
		/* When a message of our own CSV was received is not known, if it is flagged. */
		if (tv_is_early_link(&l, row))
			l.end->i[row] = l.start->i[row];
		if (l.end->i[row] >= l.start->i[row])
			continue;
		n++;
		if (l.start->i[row] - l.end->i[row] > most)
			most = l.start->i[row] - l.end->i[row];
		tv_write_ms(early, l.start->i[row] - l.end->i[row]);
		l.end->i[row] = l.start->i[row];
		if (l.flag == NULL)
			l.flag = tv_trace_column(trace, TV_LINKS, "Flag");
		tv_set_text(l.flag, row, TV_EARLY);
		if (trace->options.verbose)
			tv_diagnose(&trace->diagnostics, TV_REPAIR, (struct tv_pos){ 0 },
				    REPAIRED ": %s from %s to %s, %s ms early: it ends where it "
					     "starts",
				    l.key == NULL ? ""
						  : tv_pool_text(trace->pool, tv_label(l.key, row)),
				    tv_pool_text(trace->pool, tv_label(l.origin, row)),
				    tv_pool_text(trace->pool, tv_label(l.dest, row)), early);
	}
	tv_table_finish(l.table);
	if (n > 0)
		add_residual(trace, most);
	return n;
}

/* Rows of tasks that are messages, likewise. Returns their number. */
static uint32_t repair_rows(struct tv_trace *trace)
{
	struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *kind = tv_table_find(tasks, "Kind");
	struct tv_column *start = tv_table_find(tasks, "Start");
	struct tv_column *end = tv_table_find(tasks, "End");
	struct tv_column *duration = tv_table_find(tasks, "Duration");
	uint32_t message = tv_pool_find_text(trace->pool, tv_kind_name(TV_MESSAGE)), n = 0;

	if (message == TV_NONE || kind == NULL || start == NULL || end == NULL || tasks->nrows == 0
	    || (tv_label(kind, 0) != message && tv_is_one_label(kind, tasks->nrows)))
		return 0;
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		if (tv_label(kind, row) != message || tv_missing(start, row) || tv_missing(end, row)
		    || end->i[row] >= start->i[row])
			continue;
		end->i[row] = start->i[row];
		if (duration != NULL && !tv_missing(duration, row))
			duration->i[row] = 0;
		n++;
	}
	return n;
}

/* The rows of tasks that are messages get the times of their links. */
static void set_messages(struct tv_trace *trace)
{
	struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *job = tv_table_find(tasks, "JobId");
	const struct tv_column *kind = tv_table_find(tasks, "Kind");
	struct tv_column *start = tv_table_find(tasks, "Start");
	struct tv_column *end = tv_table_find(tasks, "End");
	struct tv_column *duration = tv_table_find(tasks, "Duration");
	uint32_t message = tv_pool_find_text(trace->pool, tv_kind_name(TV_MESSAGE)), lost = 0;
	struct tv_index link = { 0 };
	struct tv_message_links l;
	bool any = tv_find_message_links(trace, &l);

	for (uint32_t row = 0; any && l.key != NULL && row < l.table->nrows; row++)
		if (tv_is_message_link(&l, row) && !tv_missing(l.key, row))
			tv_index_set(&link, tv_label(l.key, row), row);
	for (uint32_t row = 0; job != NULL && kind != NULL && row < tasks->nrows; row++) {
		uint32_t from;

		if (tv_label(kind, row) != message || message == TV_NONE)
			continue;
		from = tv_missing(job, row) ? TV_NONE : tv_index_get(&link, tv_label(job, row));
		lost += from == TV_NONE;
		if (from == TV_NONE)
			continue;
		tv_set_int(start, row, l.start->i[from]);
		tv_set_int(end, row, l.end->i[from]);
		if (duration != NULL && !tv_missing(duration, row))
			tv_set_int(duration, row, l.end->i[from] - l.start->i[from]);
	}
	if (lost > 0)
		tv_diagnose(&trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "--clock-offset: the links of %u messages are missing (see --with): "
			    "their times are not changed",
			    lost);
	tv_free(link.at);
}

double tv_message_rounding(const struct tv_trace *trace, int64_t *began)
{
	size_t n;
	const char *origin = tv_meta_get(trace, "ClockOrigin", &n);

	*began = 0;
	if (origin != NULL && tv_parse_scaled(origin, n, 6, began) == TV_PARSE_OK)
		*began = -*began;
	return tv_meta_get(trace, TV_MESSAGE_TIMES, &n) != NULL ? 0x1p-24 : 0;
}

void tv_check_clocks(struct tv_trace *trace)
{
	uint32_t repaired = repair_messages(trace);
	uint32_t rows;
	struct pairs pairs;
	char text[300];

	if (trace->options.nclock_offsets > 0
	    && (!trace->clocks_set || tv_clocks_by_messages(trace)))
		set_messages(trace);
	rows = repair_rows(trace);
	count_pairs(trace, &pairs);
	list_pairs(trace, &pairs, text, sizeof text);
	if (pairs.early > 0)
		tv_diagnose(&trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "%u of %u messages were received before they were sent (the clocks of "
			    "the nodes differ): %s",
			    pairs.early, pairs.messages, text);
	/* Those of links are the same messages. */
	(pairs.early > 0 ? tv_damage_count : tv_damage_unsaid)(
		trace, TV_REPAIRED, REPAIRED, pairs.messages > 0 ? repaired : rows);
	for (size_t i = 0; repaired > 0 && !trace->native && i < pairs.n; i++)
		tv_meta_add(trace, "EarlyMessages", "%s->%s: %u",
			    tv_pool_text(trace->pool, pairs.at[i].origin),
			    tv_pool_text(trace->pool, pairs.at[i].dest), pairs.at[i].n);
	tv_free(pairs.at);
}
