/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.c -- how many tasks of each kind there are, and how long they take. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/grouping.h"
#include "analysis/core/run.h"
#include "analysis/core/statistics.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

static const uint32_t percents[] = { 0, 5, 25, 50, 75, 95, 100 };

enum { KEYS = 2 }; /* columns of --by by default */

/* Columns behind those of --by. */
enum {
	TASKS,
	EXECUTIONS,
	TIME,
	SHARE,
	MEAN,
	SD,
	QUANTILES,
	FOOTPRINTS = QUANTILES + TV_COUNT(percents),
	NCOLUMNS
};

static const struct tv_field columns[] = {
	{ "Value", TV_LABEL, false, "", "task type; with --by those columns instead" },
	{ "ResourceType", TV_LABEL, false, "", "resource type; likewise" },
	[KEYS + TASKS] = { "Tasks", TV_INT, true, "",
			   "number of tasks; a team counts once, at its first row" },
	[KEYS + EXECUTIONS] = { "Executions", TV_INT, true, "",
				"number of executions; a team has one per worker" },
	[KEYS + TIME] = { "Time", TV_TIME, true, "ms", "sum of the durations of the executions" },
	[KEYS + SHARE] = { "Share", TV_DOUBLE, true, "%", "Time over the sum of Time of all rows" },
	[KEYS + MEAN] = { "MeanDuration", TV_TIME, true, "ms", "mean duration" },
	[KEYS + SD] = { "SD", TV_TIME, true, "ms",
			"standard deviation, divisor n - 1; missing if n = 1" },
	[KEYS + QUANTILES] = { "Min", TV_TIME, true, "ms", "shortest" },
	{ "P5", TV_TIME, true, "ms", "5 % are shorter" },
	{ "P25", TV_TIME, true, "ms", "first quartile" },
	{ "Median", TV_TIME, true, "ms", "half are shorter" },
	{ "P75", TV_TIME, true, "ms", "third quartile" },
	{ "P95", TV_TIME, true, "ms", "95 % are shorter" },
	{ "Max", TV_TIME, true, "ms", "longest" },
	[KEYS + FOOTPRINTS] = { "Footprints", TV_INT, true, "",
				"number of different data layouts; missing if the trace has none" },
};

struct report {
	const struct tv_tasks *tasks;
	struct tv_keys keys;
	struct tv_column *const *column;   /* of the result, behind the keys */
	const struct tv_column *footprint; /* of tasks; NULL if the trace has none */
	uint32_t mixed, max, max_row; /* groups of several footprints; most of them, and where */
	tv_int128 whole;	      /* time of all groups */
	int64_t *time;		      /* buffer for the durations of any group */
	uint32_t *label;	      /* ... and for its footprints */
};

/* How many different footprints these rows have. */
static uint32_t count_footprints(struct report *to, const uint32_t *row, uint32_t n)
{
	uint32_t known = 0, count;

	for (uint32_t i = 0; i < n; i++)
		if (!tv_missing(to->footprint, row[i]))
			to->label[known++] = tv_label(to->footprint, row[i]);
	qsort(to->label, known, sizeof *to->label, tv_compare_uint32);
	count = known > 0;
	for (uint32_t i = 1; i < known; i++)
		count += to->label[i] != to->label[i - 1];
	return count;
}

static void write_footprints(struct report *to, uint32_t at, const uint32_t *row, uint32_t n)
{
	uint32_t count = count_footprints(to, row, n);

	tv_set_int(to->column[FOOTPRINTS], at, count);
	to->mixed += count > 1;
	if (count > to->max) {
		to->max = count;
		to->max_row = row[0];
	}
}

/* Mean, deviation and quantiles of the durations of those that ended. */
static void write_statistics(struct report *to, uint32_t at, const uint32_t *row, uint32_t n)
{
	struct tv_column *const *column = to->column;
	tv_int128 total = 0;
	uint32_t ended = 0;

	for (uint32_t i = 0; i < n; i++)
		if (tv_task_ended(to->tasks, row[i])) {
			to->time[ended] = tv_task_time(to->tasks, row[i]);
			total += to->time[ended++];
		}
	if (ended == 0)
		return;
	tv_sort_times(to->time, ended);
	for (size_t i = 0; i < TV_COUNT(percents); i++)
		tv_set_int(column[QUANTILES + i], at,
			   tv_quantile_ns(to->time, ended, percents[i], 100));
	tv_set_int(column[MEAN], at, (int64_t)((2 * total + ended) / (2 * (tv_int128)ended)));
	if (ended > 1)
		tv_set_int(column[SD], at, llround(tv_mean_sd_ns(to->time, ended).sd));
}

static void write_group(struct report *to, uint32_t at)
{
	struct tv_column *const *column = to->column;
	tv_int128 total = 0;
	int64_t tasks = 0;
	uint32_t n;
	const uint32_t *row = tv_keys_rows(&to->keys, at, &n);

	for (uint32_t i = 0; i < n; i++) {
		total += tv_task_time(to->tasks, row[i]);
		tasks += to->tasks->leads[row[i]];
	}
	tv_keys_write(&to->keys, at, at);
	write_statistics(to, at, row, n);
	tv_set_int(column[TASKS], at, tasks);
	tv_set_int(column[EXECUTIONS], at, n);
	tv_set_int(column[TIME], at, tv_sum_ns(total));
	tv_set_double(column[SHARE], at,
		      to->whole > 0 ? 100 * (double)total / (double)to->whole : 0);
	if (to->footprint != NULL)
		write_footprints(to, at, row, n);
}

/* Which types mix several footprints: their durations are not of one distribution. */
static void warn_footprints(struct tv_run *run, const struct report *to, const char *by)
{
	const struct tv_column *type = tv_table_find(&run->trace->table[TV_TASKS], "Value");

	if (to->mixed > 0)
		tv_run_warn(run,
			    "%lu of %lu rows mix tasks of several footprints (sizes), such as "
			    "%.40s with %lu: see --by %s%sFootprint",
			    (unsigned long)to->mixed, (unsigned long)to->keys.groups.n,
			    tv_pool_text(run->tasks.pool, tv_label(type, to->max_row)),
			    (unsigned long)to->max, by, by[0] != '\0' ? "," : "");
}

static void write_all(struct tv_run *run, struct report *to, const char *by, struct tv_table *out)
{
	to->time = tv_alloc(to->tasks->ncounted, sizeof *to->time);
	to->label = tv_alloc(to->tasks->ncounted, sizeof *to->label);
	for (uint32_t i = 0; i < to->keys.groups.n; i++)
		write_group(to, i);
	warn_footprints(run, to, by);
	out->nrows = to->keys.groups.n;
	tv_free(to->time);
	tv_free(to->label);
}

static int run_summary(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(run);
	const char *by = tv_option(options, "by");
	struct report to = { .tasks = tasks };
	int rc = -1;

	to.footprint = tv_table_find(&run->trace->table[TV_TASKS], "Footprint");
	tv_warn_cut(run);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			to.whole += tv_row_time(tasks, row);
	if (tv_keys_init(&to.keys, tasks, by, "by", false, out, err) == 0
	    && tv_keys_fields(out, "by", columns + KEYS, NCOLUMNS, err) == 0) {
		to.column = out->col + to.keys.by.ncolumns;
		write_all(run, &to, by, out);
		rc = 0;
	}
	tv_keys_release(&to.keys);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks: one row per combination; '' = one row for all" },
};

const struct tv_pass tv_pass_summary = {
	.name = "summary",
	.summary = "Number and durations of the tasks of each type",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_SUMMARY,
	.ranked = "Time",
	.sums = true,
	TV_PASS_OPTIONS(options),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes = "One row per task type and resource type, in natural order. Quantiles are of\n"
		 "type 7 (R's default): linear interpolation at (n - 1) p of the sorted\n"
		 "durations, rounded to ns. Tasks of several footprints have data of different\n"
		 "sizes, so that mean and quantiles mix several distributions: a warning mentions\n"
		 "this, and --by can separate them. For a part of the run, use --restrict\n"
		 "'Start >= 100'.",
	.example = "traceviz summary data/cholesky.csv",
	.windowless = true,
	.run = run_summary,
};
