/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm_matrix.c -- messages from each node to each other one: number, volume, time, waits. */
#include "analysis/messages/message_classes.h"

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

/* Numbers of a message. */
enum { SIZE, DURATION, ENDED_SIZE, ENDED_DURATION, WAITED, IS_EARLY };

static bool number_of(const struct tv_message_classes *classes, unsigned column, uint32_t i,
		      int64_t *number)
{
	const struct tv_message *m = &classes->seen.all->at[i];

	switch (column) {
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
		*number = tv_seen_wait(&classes->seen, i);
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

static bool take(const struct tv_message_classes *classes, uint32_t i, struct tv_column *const *key,
		 uint32_t row)
{
	const struct tv_messages *all = classes->seen.all;

	tv_set_label(key[0], row, all->node[all->at[i].origin]);
	tv_set_label(key[1], row, all->node[all->at[i].dest]);
	return classes->seen.seen[i]
	    || (classes->all_pairs && tv_message_touches(&all->at[i], classes->window));
}

static int run_comm_matrix(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_message_classes pairs = { .verb = "comm-matrix",
					    .waits = true,
					    .key = &columns[ORIGIN],
					    .nkeys = 2,
					    .take = take,
					    .number = number_of,
					    .measure = measures,
					    .nmeasures = TV_COUNT(measures),
					    .all_pairs = asked->all_pairs,
					    .window = &run->window };
	int rc = tv_message_classes_add(&pairs, run, err);

	for (uint32_t g = 0; rc == 0 && g < pairs.classes.nrows; g++) {
		uint32_t row = tv_table_add_row(out);

		tv_set_label(out->col[ORIGIN], row, tv_label(pairs.classes.col[0], g));
		tv_set_label(out->col[DEST], row, tv_label(pairs.classes.col[1], g));
	}
	if (rc == 0)
		tv_tallied_write(&pairs.tallied, out->col);
	tv_message_classes_release(&pairs);
	return rc;
}

static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "all-pairs");
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
	.refuses_tasks = true,
	.columns = "",
	.all_columns = true,
	.parted = "links",
	.spared = TV_MESSAGES_SPARE,
	.beside_links = 80,
	.in_parts = is_in_parts,
	.unordered = true,
	.beside = 20,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "One row for each pair of nodes with messages, in natural order. The columns are\n"
		 "sums over the rows of messages, also with a window or a selection of nodes;\n"
		 "messages without Size count as 0 bytes.",
	.example = "traceviz comm-matrix data/cholesky-2nodes",
	.taskless = true,
	.run = run_comm_matrix,
};
