/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.c -- how many tasks of each kind there are, and how long they take. */
#include <string.h>

#include "analysis/core/measure.h"
#include "analysis/core/run.h"
#include "analysis/core/warnings.h"
#include "analysis/tasks/table_summary.h"

enum { KEYS = 2 }; /* columns of --by by default */

/* Columns behind those of --by. */
#define COLUMNS(X) \
	X(TASKS, "Tasks", TV_INT, true, "", \
	  "number of tasks; a team counts once, at its first row") \
	X(EXECUTIONS, "Executions", TV_INT, true, "", \
	  "number of executions; a team has one per worker") \
	X(TIME, "Time", TV_TIME, true, "ms", "sum of the durations of the executions") \
	X(SHARE, "Share", TV_DOUBLE, true, "%", "Time over the sum of Time of all rows") \
	X(MEAN, "MeanDuration", TV_TIME, true, "ms", "mean duration") \
	X(SD, "SD", TV_TIME, true, "ms", "standard deviation, divisor n - 1; missing if n = 1") \
	X(MIN, "Min", TV_TIME, true, "ms", "shortest") \
	X(P5, "P5", TV_TIME, true, "ms", "5 % are shorter") \
	X(P25, "P25", TV_TIME, true, "ms", "first quartile") \
	X(MEDIAN, "Median", TV_TIME, true, "ms", "half are shorter") \
	X(P75, "P75", TV_TIME, true, "ms", "third quartile") \
	X(P95, "P95", TV_TIME, true, "ms", "95 % are shorter") \
	X(MAX, "Max", TV_TIME, true, "ms", "longest") \
	X(FOOTPRINTS, "Footprints", TV_INT, true, "", \
	  "number of different data layouts; missing if the trace has none")

enum { COLUMNS(TV_COLUMN_ID) NCOLUMNS };

static const struct tv_field columns[] = {
	{ "Value", TV_LABEL, false, "", "task type; with --by those columns instead" },
	{ "ResourceType", TV_LABEL, false, "", "resource type; likewise" },
	COLUMNS(TV_COLUMN_ROW)
};

/* Numbers of an execution. */
enum { IS_TASK, DURATION, ENDED_DURATION, FOOTPRINT };

struct measured_tasks {
	const struct tv_tasks *tasks;
	const struct tv_column *footprint; /* NULL if the trace has none */
};

static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct measured_tasks *work = data;

	*number = tv_task_time(work->tasks, row);
	switch (column) {
	case IS_TASK:
		return work->tasks->leads[row];
	case DURATION:
		return true;
	case ENDED_DURATION:
		return tv_task_ended(work->tasks, row);
	default:
		*number = tv_label(work->footprint, row);
		return *number != TV_NONE;
	}
}

static const struct tv_measure_spec measures[] = {
	{ TASKS, TV_MEASURE_KNOWN, IS_TASK },
	{ EXECUTIONS, TV_MEASURE_ROWS },
	{ TIME, TV_MEASURE_SUM, DURATION },
	{ SHARE, TV_MEASURE_SHARE, DURATION },
	{ MEAN, TV_MEASURE_MEAN, ENDED_DURATION },
	{ SD, TV_MEASURE_SD, ENDED_DURATION },
	{ MIN, TV_MEASURE_MIN, ENDED_DURATION },
	{ P5, TV_MEASURE_QUANTILE, ENDED_DURATION, .percent = 5 },
	{ P25, TV_MEASURE_QUANTILE, ENDED_DURATION, .percent = 25 },
	{ MEDIAN, TV_MEASURE_QUANTILE, ENDED_DURATION, .percent = 50 },
	{ P75, TV_MEASURE_QUANTILE, ENDED_DURATION, .percent = 75 },
	{ P95, TV_MEASURE_QUANTILE, ENDED_DURATION, .percent = 95 },
	{ MAX, TV_MEASURE_MAX, ENDED_DURATION },
	{ FOOTPRINTS, TV_MEASURE_DISTINCT, FOOTPRINT }, /* the last one: not always known */
};

/* Which rows of the result mix several footprints: their durations are not of one distribution. */
static void warn_footprints(struct tv_run *run, const struct tv_keys *keys,
			    const struct tv_column *footprints, const char *by)
{
	const struct tv_column *type = tv_table_find(&run->trace->table[TV_TASKS], "Value");
	unsigned long mixed = 0;
	uint32_t max = 0;

	for (uint32_t row = 0; row < keys->groups.n; row++) {
		mixed += footprints->i[row] > 1;
		max = footprints->i[row] > footprints->i[max] ? row : max;
	}
	if (mixed > 0)
		tv_run_warn(run,
			    "%lu of %lu rows mix tasks of several footprints (sizes), such as "
			    "%.40s with %lu: see --by %s%sFootprint",
			    mixed, (unsigned long)keys->groups.n,
			    tv_pool_text(run->tasks.pool, tv_label(type, keys->by.row[max])),
			    (unsigned long)footprints->i[max], by, by[0] != '\0' ? "," : "");
}

/* Adds a row for each group. Durations of executions that have all ended are added up once. */
static void measure_tasks(const struct measured_tasks *work, const struct tv_groups *groups,
			  struct tv_table *out, struct tv_column *const *to)
{
	const struct tv_measured_rows rows = { number_of, work };
	struct tv_measure_spec measure[TV_COUNT(measures)];
	size_t n = TV_COUNT(measures) - (work->footprint == NULL);

	memcpy(measure, measures, sizeof measures);
	for (size_t i = 0; i < n; i++)
		if (measure[i].of == ENDED_DURATION && work->tasks->cut == NULL)
			measure[i].of = DURATION;
	tv_measure_groups(&rows, groups, measure, n, out, to);
}

static int summarize_tasks(struct tv_run *run, const char *by, struct tv_table *out,
			   struct tv_error *err)
{
	struct measured_tasks work = { tv_run_part(run),
				       tv_table_find(&run->trace->table[TV_TASKS], "Footprint") };
	struct tv_keys keys;
	int rc = -1;

	tv_warn_cut(run);
	if (tv_keys_init(&keys, work.tasks, by, "by", false, out, err) == 0
	    && tv_keys_fields(out, "by", columns + KEYS, NCOLUMNS, err) == 0) {
		struct tv_column *const *to = out->col + keys.by.ncolumns;

		measure_tasks(&work, &keys.groups, out, to);
		for (uint32_t group = 0; group < keys.by.n; group++)
			tv_keys_write(&keys, group, group);
		tv_table_finish_column(out, to[FOOTPRINTS]);
		if (work.footprint != NULL)
			warn_footprints(run, &keys, to[FOOTPRINTS], by);
		rc = 0;
	}
	tv_keys_release(&keys);
	return rc;
}

struct asked {
	const char *by, *of, *measure;
};

static int run_summary(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->of == NULL)
		return summarize_tasks(run, asked->by, out, err);
	return tv_table_summary(
		run, asked->of, TV_GIVEN(options, struct asked, by) ? asked->by : "",
		TV_GIVEN(options, struct asked, measure) ? asked->measure : NULL, out, err);
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (TV_GIVEN(options, struct asked, measure) && asked->of == NULL)
		return tv_fail_usage(err, "--measure needs --of TABLE");
	return tv_table_summary_check(asked->measure, err);
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks: one row per combination; '' = one row for all; path, place, thread: "
	  "of "
	  "regions, with --of calls, states or tasks",
	  TV_ASKED(by) },
	{ "of", "TABLE", NULL,
	  "measures of a table of the trace, or of the table that another verb gives, instead; - = "
	  "of the input, any CSV with a header",
	  TV_ASKED(of) },
	{ "measure", "MEASURE,...", "rows", "with --of: what is measured, as in rows,sum:Size",
	  TV_OPTION_LIST, TV_ASKED(measure) },
};

const struct tv_pass tv_pass_summary = {
	.name = "summary",
	.summary = "Number and durations of the tasks of each type",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_SUMMARY,
	.columns = "Footprint",
	.ranked = "Time",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.any_table = "of",
	.notes = "One row per task type and resource type, in natural order. Quantiles are of\n"
		 "type 7 (R's default): linear interpolation at (n - 1) p of the sorted\n"
		 "durations, rounded to ns. Tasks of several footprints have data of different\n"
		 "sizes, so that mean and quantiles mix several distributions: a warning mentions\n"
		 "this, and --by can separate them. For a part of the run, use --restrict\n"
		 "'Start >= 100'.\n"
		 "--of gives the columns of --by (none without it), then one for each measure:\n"
		 "  rows                       the number of rows\n"
		 "  known:COLUMN               rows in which the column has a value\n"
		 "  distinct:COLUMN            number of different values\n"
		 "  sum, mean, sd, min, max    of a column of numbers or times; missing without\n"
		 "                             values; sd has the divisor n - 1\n"
		 "  median, p0 to p100         quantiles of type 7\n"
		 "  only:COLUMN                the value that all rows have, if they have one\n"
		 "  share:COLUMN               percent of the sum of all rows\n"
		 "  rate:COLUMN/COLUMN         quotient of sums; times in ms\n"
		 "--by path, place or thread, or several of them, of calls, states or tasks: "
		 "regions.\n"
		 "A region is inside the innermost state, call or task of its thread that contains "
		 "it:\n"
		 "main/solve/MPI_Send. Inclusive is the time of the regions, once where one is "
		 "inside\n"
		 "another one of the same row (recursion), Exclusive that without the regions "
		 "inside,\n"
		 "Share that over the sum of all rows. A place is a region with its Site. Paths "
		 "have at most\n"
		 "200 levels; what is deeper is \"...\". States of the type \"Thread State\" "
		 "(Extrae) are no\n"
		 "regions. --measure may take Inclusive, Exclusive and Duration.\n"
		 "SumSize is the column of sum:Size, Bytes that of Bytes=sum:Size. Other verbs "
		 "have\n"
		 "their defaults: --of messages --by Origin,Dest --measure rows,sum:Size.",
	.example = "traceviz summary data/cholesky.csv",
	.windowless = true,
	.check = check_options,
	.run = run_summary,
};
