/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit_rows.c -- the rows of idle-causes --by culprit. */
#include "analysis/bounds/culprit_rows.h"

#include <math.h>

#define COLUMNS(X) \
	X(START, "Start", TV_TIME, false, "ms", "start of the run, the window or the slice") \
	X(END, "End", TV_TIME, false, "ms", "end of it") \
	X(CAUSE, "Cause", TV_LABEL, false, "", "cause of the idle time, as in the other rows") \
	X(CULPRIT, "Culprit", TV_LABEL, false, "", \
	  "task, call, message, unsent, data, runtime, other, submission or unexplained") \
	X(VALUE, "Value", TV_LABEL, false, "", \
	  "type of the task that runs; data, runtime, submission: that does not; call: the " \
	  "function") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of its worker") \
	X(NODE, "Node", TV_LABEL, false, "", \
	  "node of its worker; call: the rank that it waits for last (wait-states)") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "its worker") \
	X(LINK, "Link", TV_LABEL, false, "", "nodes of the message, as in 0->2") \
	X(TIME, "Time", TV_TIME, false, "ms", "idle time, sum over the workers") \
	X(PRICED, "Priced", TV_TIME, false, "ms", \
	  "the same at the workers' prices (account): time of the run") \
	X(DIRECT, "Direct", TV_TIME, false, "ms", \
	  "of Time: one step from the worker's next task, or none") \
	X(EXCESS, "Excess", TV_TIME, false, "ms", \
	  "Time x the part of the task or message above the mean of its type or size") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", \
	  "Time over all time of the workers from Start to End") \
	X(IDLE_SHARE, "IdleShare", TV_DOUBLE, false, "%", "Time over their idle time") \
	X(SITE, "Site", TV_LABEL, false, "", \
	  "place in the program of the call, or with --each place of the task") \
	X(JOB, "JobId", TV_LABEL, false, "", "with --each task: the task or message")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_idle_culprit_columns[TV_IDLE_CULPRIT_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

/* The idle time of the slice of a sum. */
static int64_t idle_of(const struct tv_idle_culprit_sums *sums, size_t i)
{
	size_t first = i;
	int64_t time = 0;

	while (first > 0 && sums->at[first - 1].slice == sums->at[i].slice)
		first--;
	for (; first < sums->n && sums->at[first].slice == sums->at[i].slice; first++)
		time += sums->at[first].time;
	return time;
}

static void set_names(struct tv_table *out, uint32_t row, const struct tv_idle_culprit_names *names)
{
	tv_set_label(out->col[VALUE], row, names->value);
	tv_set_label(out->col[RTYPE], row, names->rtype);
	tv_set_label(out->col[NODE], row, names->node);
	tv_set_label(out->col[RESOURCE], row, names->resource);
	tv_set_label(out->col[LINK], row, names->link);
	tv_set_label(out->col[SITE], row, names->site);
	tv_set_label(out->col[JOB], row, names->job);
}

static void set_times(struct tv_table *out, uint32_t row, const struct tv_idle_culprit_sum *sum)
{
	tv_set_int(out->col[TIME], row, sum->time);
	tv_set_int(out->col[PRICED], row, llroundl(sum->priced));
	tv_set_int(out->col[DIRECT], row, sum->direct);
	if (tv_idle_culprit_has_excess(sum->what))
		tv_set_int(out->col[EXCESS], row, llroundl(sum->excess));
}

void tv_idle_culprit_rows(const struct tv_idle_culprit_sums *sums, const int64_t *bound,
			  uint32_t workers, struct tv_table *out)
{
	int64_t idle = 0;

	for (size_t i = 0; i < sums->n; i++) {
		const struct tv_idle_culprit_sum *sum = &sums->at[i];
		int64_t begin = bound[sum->slice], end = bound[sum->slice + 1];
		uint32_t row = tv_table_add_row(out);

		if (i == 0 || sums->at[i - 1].slice != sum->slice)
			idle = idle_of(sums, i);
		tv_set_int(out->col[START], row, begin);
		tv_set_int(out->col[END], row, end);
		tv_set_text(out->col[CAUSE], row, tv_idle_cause_name(sum->cause));
		tv_set_text(out->col[CULPRIT], row, tv_idle_culprit_name(sum->what));
		set_names(out, row, &sum->names);
		set_times(out, row, sum);
		tv_set_double(out->col[SHARE], row,
			      100 * (double)sum->time / ((double)(end - begin) * workers));
		tv_set_double(out->col[IDLE_SHARE], row, 100 * (double)sum->time / (double)idle);
	}
}
