/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm_matrix.c -- messages from each node to each other one: number, volume, time, waits. */
#include "analysis/core/measure.h"
#include "analysis/messages/message_list.h"

#define COLUMNS(X) \
	X(ORIGIN, "Origin", TV_LABEL, false, "", "node that sends") \
	X(DEST, "Dest", TV_LABEL, false, "", "node that receives") \
	X(MESSAGES, "Messages", TV_INT, false, "", "number of messages") \
	X(BYTES, "Bytes", TV_INT, false, "bytes", "sum of their sizes, where they are known") \
	X(MEAN_SIZE, "MeanSize", TV_DOUBLE, false, "bytes", "mean size") \
	X(MAX_SIZE, "MaxSize", TV_INT, false, "bytes", "largest size") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "sum of their durations; those in flight at once count each") \
	X(BANDWIDTH, "Bandwidth", TV_DOUBLE, false, "MB/s", \
	  "Bytes / Time, 10^6 bytes per second; less than that of the network, as Time has waits") \
	X(WAIT, "Wait", TV_TIME, false, "ms", \
	  "idle time of workers that they caused, as in messages") \
	X(EARLY, "Early", TV_INT, false, "", \
	  "messages received before they were sent: clocks that differ")

TV_COLUMNS(columns, COLUMNS)

struct matrix {
	struct tv_seen_messages seen;
	const struct tv_window *window;
	bool all; /* --all-pairs */
};

/* Numbers of a message. */
enum { PAIR, SIZE, DURATION, ENDED_SIZE, ENDED_DURATION, WAITED, IS_EARLY };

static bool number_of(const void *data, unsigned column, uint32_t i, int64_t *number)
{
	const struct matrix *matrix = data;
	const struct tv_seen_messages *seen = &matrix->seen;
	const struct tv_message *m = &seen->all->at[i];

	switch (column) {
	case PAIR:
		*number = (int64_t)m->origin * seen->all->nnodes + m->dest;
		return seen->seen[i] || (matrix->all && tv_message_touches(m, matrix->window));
	case SIZE:
		*number = m->size;
		return m->sized;
	case DURATION:
		*number = m->end - m->start;
		return true;
	case ENDED_SIZE:
		*number = m->size;
		return m->sized && !m->open;
	case ENDED_DURATION:
		*number = m->end - m->start;
		return m->sized && !m->open;
	case WAITED:
		*number = tv_seen_wait(seen, i);
		return true;
	default:
		return m->early;
	}
}

static const struct tv_measure_spec measures[] = {
	{ MESSAGES, TV_MEASURE_ROWS },
	{ BYTES, TV_MEASURE_SUM_KNOWN, SIZE },
	{ MEAN_SIZE, TV_MEASURE_MEAN, SIZE },
	{ MAX_SIZE, TV_MEASURE_MAX, SIZE },
	{ TIME, TV_MEASURE_SUM, DURATION },
	{ BANDWIDTH, TV_MEASURE_RATE, ENDED_SIZE, ENDED_DURATION, .factor = 1000 },
	{ EARLY, TV_MEASURE_KNOWN, IS_EARLY },
	{ WAIT, TV_MEASURE_SUM, WAITED }, /* the last one: not always known */
};

struct asked {
	bool all_pairs;
};

static int run_comm_matrix(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct matrix matrix = { .window = &run->window, .all = asked->all_pairs };
	const struct tv_measured_rows rows = { number_of, &matrix };
	struct tv_classes pairs;
	uint32_t nodes;

	if (tv_seen_messages_init(&matrix.seen, run, "comm-matrix", true, err) < 0)
		return -1;
	nodes = matrix.seen.all->nnodes;
	tv_classes_init(&pairs, &rows, PAIR, matrix.seen.all->n, matrix.all ? nodes * nodes : 0);
	tv_measure_groups(&rows, &pairs.groups, measures,
			  TV_COUNT(measures) - (matrix.seen.wait == NULL), out, out->col);
	for (uint32_t row = 0; row < out->nrows; row++) {
		tv_set_label(out->col[ORIGIN], row,
			     matrix.seen.all->node[pairs.number[row] / nodes]);
		tv_set_label(out->col[DEST], row, matrix.seen.all->node[pairs.number[row] % nodes]);
	}
	tv_classes_release(&pairs);
	tv_seen_messages_release(&matrix.seen);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "all-pairs", NULL, NULL,
	  "also pairs of nodes without messages, and those that are not selected",
	  TV_ASKED(all_pairs) },
};

const struct tv_pass tv_pass_comm_matrix = {
	.name = "comm-matrix",
	.summary = "Messages from each node to each other node: number, bytes, time, waits",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Bytes",
	.sums = true,
	.needs = "links resources states calls",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "One row for each pair of nodes with messages, in natural order. The columns are\n"
		 "sums over the rows of messages, also with a window or a selection of nodes;\n"
		 "messages without Size count as 0 bytes.",
	.example = "traceviz comm-matrix data/cholesky-2nodes",
	.taskless = true,
	.run = run_comm_matrix,
};
