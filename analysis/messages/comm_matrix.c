/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm_matrix.c -- messages from each node to each other one: number, volume, time, waits. */
#include <stdlib.h>

#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum { ORIGIN, DEST, MESSAGES, BYTES, MEAN_SIZE, MAX_SIZE, TIME, BANDWIDTH, WAIT, EARLY };

/* The messages from one node to another. */
struct pair {
	uint32_t origin, dest; /* places in tv_messages.node */
	int64_t messages, sized, early;
	tv_int128 bytes, time, wait;
	tv_int128 sized_bytes, sized_time; /* of those whose size and end are known */
	int64_t max_size;
};

struct pairs {
	struct pair *at;
	size_t n, cap;
	struct tv_map place; /* by origin, dest */
};

static struct pair *pair_of(struct pairs *pairs, uint32_t origin, uint32_t dest)
{
	uint32_t *place = tv_map_at(&pairs->place, origin, dest);

	if (*place == TV_NONE) {
		*place = (uint32_t)pairs->n;
		TV_GROW(pairs->at, pairs->n, pairs->cap, 1);
		pairs->at[pairs->n++] = (struct pair){ .origin = origin, .dest = dest };
	}
	return &pairs->at[*place];
}

static void add_message(struct pairs *pairs, const struct tv_message *m, int64_t wait)
{
	struct pair *pair = pair_of(pairs, m->origin, m->dest);

	pair->messages++;
	pair->early += m->early;
	pair->time += m->end - m->start;
	pair->wait += wait;
	if (!m->sized)
		return;
	pair->sized++;
	if (!m->open) {
		pair->sized_bytes += m->size;
		pair->sized_time += m->end - m->start;
	}
	pair->bytes += m->size;
	pair->max_size = m->size > pair->max_size ? m->size : pair->max_size;
}

static int by_nodes(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->origin != y->origin ? TV_COMPARE(x->origin, y->origin)
				      : TV_COMPARE(x->dest, y->dest);
}

static void write_pair(const struct tv_messages *messages, const struct pair *pair, bool waits,
		       struct tv_table *out)
{
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);

	tv_set_label(to[ORIGIN], row, messages->node[pair->origin]);
	tv_set_label(to[DEST], row, messages->node[pair->dest]);
	tv_set_int(to[MESSAGES], row, pair->messages);
	if (pair->sized > 0 || pair->messages == 0)
		tv_set_int(to[BYTES], row, tv_sum_ns(pair->bytes));
	if (pair->sized > 0) {
		tv_set_double(to[MEAN_SIZE], row, (double)pair->bytes / (double)pair->sized);
		tv_set_int(to[MAX_SIZE], row, pair->max_size);
	}
	tv_set_int(to[TIME], row, tv_sum_ns(pair->time));
	if (pair->sized_time > 0)
		tv_set_double(to[BANDWIDTH], row,
			      tv_megabytes_per_second((double)pair->sized_bytes,
						      (double)pair->sized_time));
	if (waits)
		tv_set_int(to[WAIT], row, tv_sum_ns(pair->wait));
	tv_set_int(to[EARLY], row, pair->early);
}

static int run_comm_matrix(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	struct tv_seen_messages seen;
	struct pairs pairs = { 0 };
	int rc = tv_seen_messages_init(&seen, run, "comm-matrix", true, err);
	bool all = tv_option_flag(options, "all-pairs");

	for (uint32_t i = 0; rc == 0 && i < seen.all->n; i++)
		if (seen.seen[i] || (all && tv_message_touches(&seen.all->at[i], &run->window)))
			add_message(&pairs, &seen.all->at[i], tv_seen_wait(&seen, i));
	for (uint32_t a = 0; rc == 0 && all && a < seen.all->nnodes; a++)
		for (uint32_t b = 0; b < seen.all->nnodes; b++)
			pair_of(&pairs, a, b);
	if (pairs.n > 1)
		qsort(pairs.at, pairs.n, sizeof *pairs.at, by_nodes);
	for (size_t i = 0; i < pairs.n; i++)
		write_pair(seen.all, &pairs.at[i], seen.wait != NULL, out);
	tv_seen_messages_release(&seen);
	tv_map_release(&pairs.place);
	tv_free(pairs.at);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "all-pairs", NULL, NULL,
	  "also pairs of nodes without messages, and those that are not selected" },
};

static const struct tv_field columns[] = {
	[ORIGIN] = { "Origin", TV_LABEL, false, "", "node that sends" },
	[DEST] = { "Dest", TV_LABEL, false, "", "node that receives" },
	[MESSAGES] = { "Messages", TV_INT, false, "", "number of messages" },
	[BYTES] = { "Bytes", TV_INT, false, "bytes", "sum of their sizes, where they are known" },
	[MEAN_SIZE] = { "MeanSize", TV_DOUBLE, false, "bytes", "mean size" },
	[MAX_SIZE] = { "MaxSize", TV_INT, false, "bytes", "largest size" },
	[TIME] = { "Time", TV_TIME, false, "ms",
		   "sum of their durations; those in flight at once count each" },
	[BANDWIDTH] = { "Bandwidth", TV_DOUBLE, false, "MB/s",
			"Bytes / Time, 10^6 bytes per second: what a message obtained on average" },
	[WAIT] = { "Wait", TV_TIME, false, "ms",
		   "idle time of workers that they caused, as in messages" },
	[EARLY] = { "Early", TV_INT, false, "",
		    "messages received before they were sent: clocks that differ" },
};

const struct tv_pass tv_pass_comm_matrix = {
	.name = "comm-matrix",
	.summary = "Messages from each node to each other node: number, bytes, time, waits",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Bytes",
	.sums = true,
	.needs = "links resources states",
	TV_PASS_OPTIONS(options),
	TV_PASS_COLUMNS(columns),
	.notes = "One row for each pair of nodes with messages, in natural order. The columns are\n"
		 "sums over the rows of messages, also with a window or a selection of nodes;\n"
		 "messages without Size count as 0 bytes.",
	.example = "traceviz comm-matrix data/cholesky-2nodes",
	.taskless = true,
	.run = run_comm_matrix,
};
