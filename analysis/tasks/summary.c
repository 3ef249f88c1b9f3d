/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.c -- how many tasks of each kind there are, and how long they take. */
#include <string.h>

#include "analysis/core/tallied.h"
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

static uint32_t numbers_of(const void *data, unsigned column, const uint32_t *row, uint32_t n,
			   int64_t *number)
{
	const struct measured_tasks *work = data;
	uint32_t known = 0;

	if (column == DURATION) {
		tv_task_times(work->tasks, row, n, number);
		return n;
	}
	for (uint32_t i = 0; column == IS_TASK && i < n; i++) {
		number[i] = 1;
		known += work->tasks->leads[row[i]];
	}
	for (uint32_t i = 0; column == ENDED_DURATION && i < n; i++) {
		number[known] = tv_task_time(work->tasks, row[i]);
		known += tv_task_ended(work->tasks, row[i]);
	}
	for (uint32_t i = 0; column == FOOTPRINT && i < n; i++) {
		number[known] = tv_label(work->footprint, row[i]);
		known += number[known] != TV_NONE;
	}
	return known;
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
	/* The last one: not always known. */
	{ FOOTPRINTS, TV_MEASURE_DISTINCT, FOOTPRINT, .labels = true },
};

/* Which rows of the result mix several footprints: their durations are not of one distribution. */
static void warn_footprints(struct tv_run *run, const struct tv_tallied *tallied,
			    const struct tv_column *footprints, const char *by)
{
	unsigned long mixed = 0;
	uint32_t max = 0;

	for (uint32_t row = 0; row < tallied->ngroups; row++) {
		mixed += footprints->i[row] > 1;
		max = footprints->i[row] > footprints->i[max] ? row : max;
	}
	if (mixed > 0 && by[0] == '\0')
		tv_run_warn(run, "tasks of %lu footprints (sizes) are mixed: see --by Footprint",
			    (unsigned long)footprints->i[max]);
	else if (mixed > 0)
		tv_run_warn(run,
			    "%lu of %lu rows mix tasks of several footprints (sizes), such as "
			    "%.40s with %lu: see --by %s,Footprint",
			    mixed, (unsigned long)tallied->ngroups,
			    tv_pool_text(run->tasks.pool, tallied->name[max]),
			    (unsigned long)footprints->i[max], by);
}

struct summary {
	const char *by;
	struct tv_tallied tallied;
};

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct summary *work = state;
	const struct tv_table *table = &part->trace->table[TV_TASKS];
	const struct measured_tasks tasks = { tv_run_part(part),
					      tv_table_find(table, "Footprint") };
	const struct tv_measured_rows rows = {
		.data = &tasks,
		.numbers = numbers_of,
		.alike = tasks.tasks->cut == NULL ? 1u << ENDED_DURATION : 0,
	};

	return tv_tallied_tasks(&work->tallied, &rows, tasks.tasks, work->by, false, err);
}

/* Writes a row for each group. */
static int write_groups(struct tv_run *run, struct summary *work, struct tv_table *out,
			struct tv_error *err)
{
	struct tv_column *footprints;

	if (tv_tallied_finish(&work->tallied, columns + KEYS, NCOLUMNS, err) < 0)
		return -1;
	footprints = out->col[work->tallied.ncolumns + FOOTPRINTS];
	tv_table_finish_column(out, footprints);
	if (work->tallied.n == TV_COUNT(measures))
		warn_footprints(run, &work->tallied, footprints, work->by);
	return 0;
}

static int summarize_tasks(struct tv_run *run, const char *by, struct tv_table *out,
			   struct tv_error *err)
{
	bool footprints = tv_table_find(&run->trace->table[TV_TASKS], "Footprint") != NULL;
	struct tv_measure_spec measure[TV_COUNT(measures)];
	struct summary work = { .by = by };
	int rc;

	memcpy(measure, measures, sizeof measures);
	/* Durations of executions that have all ended are added up once. */
	for (size_t i = 0; i < TV_COUNT(measures); i++)
		if (measure[i].of == ENDED_DURATION && run->parts == NULL && run->tasks.ncut == 0)
			measure[i].of = DURATION;
	tv_tallied_init(&work.tallied, "by", tv_run_counts(run), measure,
			TV_COUNT(measures) - !footprints, out);
	rc = tv_tallied_run(&work.tallied, run, add_rows, &work, err);
	tv_warn_cut(run);
	if (rc == 0)
		rc = write_groups(run, &work, out, err);
	tv_tallied_release(&work.tallied);
	return rc;
}

struct asked {
	const char *by, *of, *measure;
};

enum { BY, OF }; /* places of options */

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

static enum tv_table_id find_any(const struct tv_options *options)
{
	return tv_table_summary_reads(tv_option_value(options, OF),
				      tv_option_given(options, "by") ? tv_option_value(options, BY)
								     : "");
}

static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "of") || find_any(options) < TV_NTABLES;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (TV_GIVEN(options, struct asked, measure) && asked->of == NULL)
		return tv_fail_usage(err, "--measure needs --of TABLE");
	return tv_table_summary_check(asked->measure, err);
}

static const struct tv_option_spec options[] = {
	[BY] = { "by", "COLUMN,...", "Value,ResourceType",
		 "columns of tasks: one row per combination; '' = one row for all; path, place, "
		 "thread: "
		 "of "
		 "regions, with --of calls, states or tasks",
		 TV_ASKED(by) },
	[OF] = { "of", "TABLE", NULL,
		 "measures of a table of the trace, or of the table that another verb gives, "
		 "instead; - = "
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
	.in_parts = is_in_parts,
	.unordered = true,
	.early = true,
	.beside = 32,
	.ranked = "Time",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.any_table = "of",
	.any = find_any,
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
