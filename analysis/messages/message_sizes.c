/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_sizes.c -- how many messages have which size, and how long those of each size take. */
#include "analysis/messages/message_classes.h"

#define COLUMNS(X) \
	X(LOWER, "Lower", TV_INT, false, "bytes", "sizes of the class are above this") \
	X(UPPER, "Upper", TV_INT, false, "bytes", "and at most this, a power of two") \
	X(MESSAGES, "Messages", TV_INT, false, "", "number of messages") \
	X(SIZES, "DistinctSizes", TV_INT, false, "", "number of different sizes") \
	X(BYTES, "Bytes", TV_INT, false, "bytes", "sum of the sizes") \
	X(MIN, "Min", TV_TIME, false, "ms", \
	  "min duration of a message, from its send to the end of its receive") \
	X(P25, "P25", TV_TIME, false, "ms", "25 % quantile of these durations") \
	X(MEDIAN, "Median", TV_TIME, false, "ms", "median") \
	X(P75, "P75", TV_TIME, false, "ms", "75 % quantile") \
	X(MAX, "Max", TV_TIME, false, "ms", "max duration") \
	X(BANDWIDTH, "Bandwidth", TV_DOUBLE, false, "MB/s", \
	  "largest Size / duration of a message: the network has that or more")

TV_COLUMNS(columns, COLUMNS)

/* The smallest power of two that is not below a size; 0 of 0. */
static int64_t upper_of(int64_t size)
{
	int64_t upper = 1;

	while (upper < size && upper <= INT64_MAX / 2)
		upper *= 2;
	return size == 0 ? 0 : upper < size ? INT64_MAX : upper;
}

/* Numbers of a message. */
enum { SIZE, DURATION, SPEED };

static bool number_of(const struct tv_message_classes *classes, unsigned column, uint32_t i,
		      int64_t *number)
{
	const struct tv_message *m = &classes->seen.all->at[i];

	*number = m->size;
	switch (column) {
	case SIZE:
		return true;
	case DURATION:
		*number = m->end - m->start;
		return !m->open;
	default:
		if (m->open || m->end == m->start || m->size == 0)
			return false;
		*number = tv_ordered(
			tv_megabytes_per_second((double)m->size, (double)(m->end - m->start)));
		return true;
	}
}

static const struct tv_measure_spec measures[] = {
	{ MESSAGES, TV_MEASURE_ROWS },
	{ SIZES, TV_MEASURE_DISTINCT, SIZE },
	{ BYTES, TV_MEASURE_SUM, SIZE },
	{ MIN, TV_MEASURE_MIN, DURATION },
	{ P25, TV_MEASURE_QUANTILE, DURATION, .percent = 25 },
	{ MEDIAN, TV_MEASURE_QUANTILE, DURATION, .percent = 50 },
	{ P75, TV_MEASURE_QUANTILE, DURATION, .percent = 75 },
	{ MAX, TV_MEASURE_MAX, DURATION },
	{ BANDWIDTH, TV_MEASURE_MAX, SPEED, .real = true },
};

static bool take(const struct tv_message_classes *classes, uint32_t i, struct tv_column *const *key,
		 uint32_t row)
{
	const struct tv_message *m = &classes->seen.all->at[i];

	tv_set_int(key[0], row, upper_of(m->size));
	return classes->seen.seen[i] && m->sized;
}

static int run_message_sizes(struct tv_run *run, const struct tv_options *options,
			     struct tv_table *out, struct tv_error *err)
{
	struct tv_message_classes sizes = { .verb = "message-sizes",
					    .key = &columns[UPPER],
					    .nkeys = 1,
					    .take = take,
					    .number = number_of,
					    .measure = measures,
					    .nmeasures = TV_COUNT(measures) };
	int rc = tv_message_classes_add(&sizes, run, err);

	(void)options;
	for (uint32_t g = 0; rc == 0 && g < sizes.classes.nrows; g++) {
		uint32_t row = tv_table_add_row(out);

		tv_set_int(out->col[LOWER], row, sizes.classes.col[0]->i[g] / 2);
		tv_set_int(out->col[UPPER], row, sizes.classes.col[0]->i[g]);
	}
	if (rc == 0)
		tv_tallied_write(&sizes.tallied, out->col);
	if (rc == 0 && sizes.counts.unsized > 0)
		tv_run_warn(
			run, "message-sizes: %lu of %lu messages have no Size: they are left out",
			(unsigned long)sizes.counts.unsized, (unsigned long)sizes.counts.messages);
	tv_message_classes_release(&sizes);
	return rc;
}

const struct tv_pass tv_pass_message_sizes = {
	.name = "message-sizes",
	.summary = "Sizes of messages, and durations by size",
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
	.in_parts = tv_pass_always,
	.unordered = true,
	.beside = 20,
	TV_PASS_COLUMNS(columns),
	.notes = "One row for each class of sizes with messages: above Lower, at most Upper, so\n"
		 "that limits such as 65536 bytes, up to which a library sends eagerly, are ends\n"
		 "of classes. Messages of 0 bytes have a class of their own. A duration is End -\n"
		 "Start of messages that ended, with waiting for the receiver, also where a late "
		 "wait\n"
		 "ends its receive; Min and Bandwidth are nearest to the network alone. With a\n"
		 "window or a selection of nodes, of the messages that traceviz messages lists\n"
		 "then. Quantiles of type 7.",
	.example = "traceviz message-sizes data/cholesky-2nodes",
	.taskless = true,
	.run = run_message_sizes,
};
