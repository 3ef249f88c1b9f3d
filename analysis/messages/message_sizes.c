/* SPDX-License-Identifier: GPL-3.0-or-later */
/* message_sizes.c -- how many messages have which size, and how long those of each size take. */
#include <stdlib.h>

#include "analysis/core/statistics.h"
#include "analysis/messages/message_list.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

enum { LOWER, UPPER, MESSAGES, SIZES, BYTES, MIN, P25, MEDIAN, P75, MAX, BANDWIDTH };

/* By size, then by duration. */
static int by_size(const void *a, const void *b)
{
	const struct tv_message *const *x = a, *const *y = b;

	if ((*x)->size != (*y)->size)
		return TV_COMPARE((*x)->size, (*y)->size);
	return TV_COMPARE((*x)->end - (*x)->start, (*y)->end - (*y)->start);
}

/* The smallest power of two that is not below a size; 0 of 0. */
static int64_t upper_of(int64_t size)
{
	int64_t upper = 1;

	while (upper < size && upper <= INT64_MAX / 2)
		upper *= 2;
	return size == 0 ? 0 : upper < size ? INT64_MAX : upper;
}

static double bandwidth_of(const struct tv_message *m)
{
	int64_t time = m->open ? 0 : m->end - m->start;

	return time > 0 ? tv_megabytes_per_second((double)m->size, (double)time) : 0;
}

/* The row of a class: n messages by size. time: room for n. */
static void write_class(const struct tv_message *const *m, size_t n, int64_t *time,
			struct tv_table *out)
{
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);
	int64_t upper = upper_of(m[0]->size), sizes = 0;
	tv_int128 bytes = 0;
	double best = 0;
	size_t ended = 0;

	for (size_t i = 0; i < n; i++) {
		if (!m[i]->open)
			time[ended++] = m[i]->end - m[i]->start;
		bytes += m[i]->size;
		sizes += i == 0 || m[i]->size != m[i - 1]->size;
		best = bandwidth_of(m[i]) > best ? bandwidth_of(m[i]) : best;
	}
	tv_sort_times(time, ended);
	tv_set_int(to[LOWER], row, upper / 2);
	tv_set_int(to[UPPER], row, upper);
	tv_set_int(to[MESSAGES], row, (int64_t)n);
	tv_set_int(to[SIZES], row, sizes);
	tv_set_int(to[BYTES], row, tv_sum_ns(bytes));
	if (ended > 0) {
		tv_set_int(to[MIN], row, time[0]);
		tv_set_int(to[P25], row, tv_quantile_ns(time, ended, 1, 4));
		tv_set_int(to[MEDIAN], row, tv_quantile_ns(time, ended, 1, 2));
		tv_set_int(to[P75], row, tv_quantile_ns(time, ended, 3, 4));
		tv_set_int(to[MAX], row, time[ended - 1]);
	}
	if (best > 0)
		tv_set_double(to[BANDWIDTH], row, best);
}

static int run_message_sizes(struct tv_run *run, const struct tv_options *options,
			     struct tv_table *out, struct tv_error *err)
{
	const struct tv_message **m;
	struct tv_seen_messages seen;
	size_t n = 0;
	int64_t *time;

	(void)options;
	if (tv_seen_messages_init(&seen, run, "message-sizes", false, err) < 0)
		return -1;
	m = tv_alloc(seen.all->n, sizeof *m);
	time = tv_alloc(seen.all->n, sizeof *time);
	for (uint32_t i = 0; i < seen.all->n; i++)
		if (seen.seen[i] && seen.all->at[i].sized)
			m[n++] = &seen.all->at[i];
	if (n > 1)
		qsort(m, n, sizeof *m, by_size);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from; to < n && upper_of(m[to]->size) == upper_of(m[from]->size);)
			to++;
		write_class(m + from, to - from, time, out);
	}
	if (seen.all->nunsized > 0)
		tv_run_warn(run, "message-sizes: %u of %u messages have no Size: they are left out",
			    seen.all->nunsized, seen.all->n);
	tv_seen_messages_release(&seen);
	tv_free(m);
	tv_free(time);
	return 0;
}

static const struct tv_field columns[] = {
	[LOWER] = { "Lower", TV_INT, false, "bytes", "sizes of the class are above this" },
	[UPPER] = { "Upper", TV_INT, false, "bytes", "and at most this, a power of two" },
	[MESSAGES] = { "Messages", TV_INT, false, "", "number of messages" },
	[SIZES] = { "DistinctSizes", TV_INT, false, "", "number of different sizes" },
	[BYTES] = { "Bytes", TV_INT, false, "bytes", "sum of the sizes" },
	[MIN] = { "Min", TV_TIME, false, "ms", "min duration" },
	[P25] = { "P25", TV_TIME, false, "ms", "25 % quantile of the durations" },
	[MEDIAN] = { "Median", TV_TIME, false, "ms", "median" },
	[P75] = { "P75", TV_TIME, false, "ms", "75 % quantile" },
	[MAX] = { "Max", TV_TIME, false, "ms", "max duration" },
	[BANDWIDTH] = { "Bandwidth", TV_DOUBLE, false, "MB/s",
			"largest Size / Duration of a message, 10^6 bytes per second" },
};

const struct tv_pass tv_pass_message_sizes = {
	.name = "message-sizes",
	.summary = "Sizes of messages, and durations by size",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Bytes",
	.sums = true,
	.needs = "links resources states",
	TV_PASS_COLUMNS(columns),
	.notes = "One row for each class of sizes with messages: above Lower, at most Upper, so\n"
		 "that limits such as 65536 bytes, up to which a library sends eagerly, are ends\n"
		 "of classes. Messages of 0 bytes have a class of their own. A duration is End -\n"
		 "Start of messages that ended, with waiting for the receiver; Min is the nearest "
		 "to the time "
		 "of\n"
		 "the network alone. With a window or a selection of nodes, of the messages that\n"
		 "traceviz messages lists then. Quantiles of type 7.",
	.example = "traceviz message-sizes data/cholesky-2nodes",
	.taskless = true,
	.run = run_message_sizes,
};
