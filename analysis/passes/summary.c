/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.c -- how many tasks of each kind there are, and how long they take. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/shared/keys.h"
#include "analysis/shared/run.h"
#include "analysis/shared/statistics.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* Quantiles that become columns. */
static const struct {
	const char *name;
	uint32_t percent;
} quantiles[] = { { "Min", 0 },	 { "P5", 5 },	{ "P25", 25 }, { "Median", 50 },
		  { "P75", 75 }, { "P95", 95 }, { "Max", 100 } };

/* Columns of the result behind the keys, in order. */
enum {
	TASKS,
	EXECUTIONS,
	TOTAL,
	SHARE,
	MEAN,
	SD,
	QUANTILES,
	FOOTPRINTS = QUANTILES + TV_COUNT(quantiles),
	NCOLUMNS
};

struct report {
	const struct tv_tasks *tasks;
	struct tv_keys keys;
	struct tv_column *column[NCOLUMNS];
	const struct tv_column *footprint; /* of tasks; NULL if the trace has none */
	tv_int128 whole;		   /* time of all groups */
	int64_t *time;			   /* room for the durations of any group */
	uint32_t *label;		   /* ... and for its footprints */
};

/* How many labels differ. Sorts them. */
static uint32_t distinct(uint32_t *label, uint32_t n)
{
	uint32_t count = n > 0;

	if (n > 0)
		qsort(label, n, sizeof *label, tv_compare_uint32);
	for (uint32_t i = 1; i < n; i++)
		count += label[i] != label[i - 1];
	return count;
}

static uint32_t count_footprints(struct report *to, const uint32_t *row, uint32_t n)
{
	uint32_t known = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!tv_missing(to->footprint, row[i]))
			to->label[known++] = tv_label(to->footprint, row[i]);
	return distinct(to->label, known);
}

static int write_group(struct report *to, uint32_t at)
{
	struct tv_column *const *column = to->column;
	struct tv_mean_sd moments;
	tv_int128 total = 0;
	int64_t tasks = 0;
	uint32_t n;
	const uint32_t *row = tv_keys_rows(&to->keys, at, &n);

	for (uint32_t i = 0; i < n; i++) {
		to->time[i] = tv_row_time(to->tasks, row[i]);
		total += to->time[i];
		tasks += to->tasks->leads[row[i]];
	}
	tv_sort_times(to->time, n);
	moments = tv_mean_sd_ns(to->time, n);
	tv_keys_write(&to->keys, at, at);
	for (size_t i = 0; i < TV_COUNT(quantiles); i++)
		tv_set_int(column[QUANTILES + i], at,
			   tv_quantile_ns(to->time, n, quantiles[i].percent, 100));
	tv_set_int(column[TASKS], at, tasks);
	tv_set_int(column[EXECUTIONS], at, n);
	tv_set_int(column[TOTAL], at, tv_sum_ns(total));
	tv_set_double(column[SHARE], at,
		      to->whole > 0 ? 100 * (double)total / (double)to->whole : 0);
	tv_set_int(column[MEAN], at, (int64_t)((2 * total + n) / (2 * (tv_int128)n)));
	if (n > 1)
		tv_set_int(column[SD], at, llround(moments.sd));
	if (to->footprint != NULL)
		tv_set_int(column[FOOTPRINTS], at, count_footprints(to, row, n));
	return 0;
}

/* Says which types mix several footprints: their durations are not of one distribution. */
static void warn_footprints(struct tv_run *run, struct report *to, const char *by)
{
	const struct tv_column *type = tv_table_find(&run->trace->table[TV_TASKS], "Value");
	uint32_t mixed = 0, most = 0, most_row = 0;

	for (uint32_t i = 0; i < to->keys.groups.n; i++) {
		uint32_t n;
		const uint32_t *row = tv_keys_rows(&to->keys, i, &n);

		n = count_footprints(to, row, n);

		mixed += n > 1;
		if (n > most) {
			most = n;
			most_row = row[0];
		}
	}
	if (mixed == 0)
		return;
	tv_run_warn(run,
		    "%lu of %lu rows mix tasks of several footprints (sizes), such as %.40s "
		    "with %lu: see --by %s%sFootprint",
		    (unsigned long)mixed, (unsigned long)to->keys.groups.n,
		    tv_pool_text(run->tasks.pool, tv_label(type, most_row)), (unsigned long)most,
		    by, by[0] != '\0' ? "," : "");
}

enum { KEYS = 2 }; /* by default */

static const struct tv_field columns[KEYS + NCOLUMNS] = {
	{ "Value", TV_LABEL, false, "", "task type; with --by those columns instead" },
	{ "ResourceType", TV_LABEL, false, "", "resource type; likewise" },
	{ "Tasks", TV_INT, false, "", "number of tasks; a team counts once, at its first row" },
	{ "Executions", TV_INT, false, "", "number of executions; a team has one per worker" },
	{ "Time", TV_TIME, false, "ms", "sum of the durations of the executions" },
	{ "Share", TV_DOUBLE, false, "%", "Time over the sum of Time of all rows" },
	{ "MeanDuration", TV_TIME, false, "ms", "mean duration" },
	{ "SD", TV_TIME, false, "ms", "standard deviation, divisor n - 1; missing if n = 1" },
	{ "Min", TV_TIME, false, "ms", "shortest" },
	{ "P5", TV_TIME, false, "ms", "5 % are shorter" },
	{ "P25", TV_TIME, false, "ms", "first quartile" },
	{ "Median", TV_TIME, false, "ms", "half are shorter" },
	{ "P75", TV_TIME, false, "ms", "third quartile" },
	{ "P95", TV_TIME, false, "ms", "95 % are shorter" },
	{ "Max", TV_TIME, false, "ms", "longest" },
	{ "Footprints", TV_INT, false, "",
	  "number of different data layouts; missing if the trace has none" },
};

static int write_all(struct tv_run *run, struct report *to, const char *by, struct tv_table *out,
		     struct tv_error *err)
{
	int rc = 0;

	to->time = tv_alloc(to->tasks->ncounted, sizeof *to->time);
	to->label = tv_alloc(to->tasks->ncounted, sizeof *to->label);
	for (uint32_t i = 0; i < to->keys.groups.n && rc == 0; i++)
		if (write_group(to, i) < 0)
			rc = tv_fail_memory(err);
	if (rc == 0 && to->footprint != NULL)
		warn_footprints(run, to, by);
	out->nrows = to->keys.groups.n;
	tv_free(to->time);
	tv_free(to->label);
	return rc;
}

static int run_summary(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(run);
	const char *by = tv_option(options, "by");
	struct report to = { .tasks = tasks };
	int rc = -1;

	to.footprint = tv_table_find(&run->trace->table[TV_TASKS], "Footprint");
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			to.whole += tv_row_time(tasks, row);
	if (tv_keys_init(&to.keys, tasks, by, "by", out, err) == 0
	    && tv_keys_fields(out, "by", columns + KEYS, NCOLUMNS, to.column, err) == 0)
		rc = write_all(run, &to, by, out, err);
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
	.needs = "",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = KEYS + NCOLUMNS,
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
