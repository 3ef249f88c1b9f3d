/* SPDX-License-Identifier: GPL-3.0-or-later */
/* distribution.c -- how durations are distributed: histograms with round edges, and box plots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/measure.h"
#include "analysis/core/run.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

enum { BINS_MAX = 10000, KEYS = 2 }; /* KEYS: columns of --by by default */
enum scale { LINEAR, LOG };

/*
 * The edges of bins, ns. LINEAR: multiples of width. LOG: so many equal steps per decade on the
 * logarithmic scale, each edge rounded to ns (equal ones are one); before them a bin [0, 1) for 0.
 */
struct edges {
	enum scale scale;
	int64_t width;
	int steps;
};

struct distribution {
	const struct tv_tasks *tasks;
	const struct tv_column *outlier, *threshold; /* of the pass outliers */
	struct tv_keys keys;
	uint32_t *row; /* of the current group, by duration */
	int64_t *time; /* their durations */
	struct edges edges;
	struct tv_table *out;
	struct tv_column *const *to; /* the columns behind the keys */
};

/* ---- edges ---- */

/* 10^(k / steps) rounded, at most INT64_MAX; powers of ten exactly. */
static int64_t log_edge(const struct edges *edges, int k)
{
	int64_t power = 1;
	double edge;

	if (k >= 19 * edges->steps)
		return INT64_MAX;
	for (int i = 0; i < k / edges->steps; i++)
		power *= 10;
	edge = (double)power * pow(10, (double)(k % edges->steps) / edges->steps);
	return edge >= 0x1p63 ? INT64_MAX : k % edges->steps == 0 ? power : llround(edge);
}

/* The number of the last edge that is not above x > 0. */
static int log_below(const struct edges *edges, int64_t x)
{
	int k = (int)(log10((double)x) * edges->steps);

	while (k > 0 && log_edge(edges, k) > x)
		k--;
	while (log_edge(edges, k) < INT64_MAX && log_edge(edges, k + 1) <= x)
		k++;
	return k;
}

/* The next edge after an edge, at most INT64_MAX. */
static int64_t edge_after(const struct edges *edges, int64_t edge)
{
	if (edges->scale == LINEAR)
		return edge > INT64_MAX - edges->width ? INT64_MAX : edge + edges->width;
	return edge == 0 ? 1 : log_edge(edges, log_below(edges, edge) + 1);
}

/* The last edge that is not above x >= 0. */
static int64_t edge_below(const struct edges *edges, int64_t x)
{
	if (edges->scale == LINEAR)
		return x - x % edges->width;
	return x == 0 ? 0 : log_edge(edges, log_below(edges, x));
}

/* How many bins cover [min, max]; limit + 1 if more than `limit`. */
static int64_t count_bins(const struct edges *edges, int64_t min, int64_t max, int64_t limit)
{
	int64_t n = 1, edge;

	if (edges->scale == LINEAR)
		return max / edges->width - min / edges->width + 1;
	for (edge = edge_after(edges, edge_below(edges, min)); edge <= max && n <= limit; n++)
		edge = edge_after(edges, edge);
	return n;
}

/* The finest edges with at most `bins` bins, or else the coarsest there are; none so fine that a
 * bin of equal durations cannot be seen: LINEAR at least a thousandth of the longest, LOG 1000 steps
 * per decade. */
static struct edges choose_edges(enum scale scale, int64_t min, int64_t max, int64_t bins)
{
	static const int round[] = { 1, 2, 5 };
	static const int steps[] = { 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1 };
	struct edges edges = { scale, 1, steps[0] };

	for (size_t i = 0;
	     scale == LINEAR
	     && (edges.width < max / 1000 || count_bins(&edges, min, max, bins) > bins);
	     i++) {
		int64_t factor = i % 3 == 2 ? 10 : round[i % 3 + 1];

		if (__builtin_mul_overflow(edges.width / round[i % 3], factor, &edges.width))
			edges.width = INT64_MAX;
	}
	for (size_t i = 1;
	     scale == LOG && i < TV_COUNT(steps) && count_bins(&edges, min, max, bins) > bins; i++)
		edges.steps = steps[i];
	return edges;
}

/* ---- groups ---- */

static int by_duration(const void *a, const void *b, void *data)
{
	const struct tv_tasks *tasks = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int64_t s = tv_task_time(tasks, x), t = tv_task_time(tasks, y);

	return s != t ? TV_COMPARE(s, t) : TV_COMPARE(x, y);
}

/* The rows of the i-th group by duration, and their durations, into work; returns how many. */
static uint32_t sort_group(struct distribution *work, uint32_t i)
{
	uint32_t n;
	const uint32_t *row = tv_keys_rows(&work->keys, i, &n);

	memcpy(work->row, row, n * sizeof *row);
	qsort_r(work->row, n, sizeof *row, by_duration, (void *)work->tasks);
	for (uint32_t k = 0; k < n; k++)
		work->time[k] = tv_task_time(work->tasks, work->row[k]);
	return n;
}

static bool is_outlier(const struct distribution *work, uint32_t row)
{
	return !tv_missing(work->outlier, row) && work->outlier->i[row] == 1;
}

/* ---- histograms ---- */

enum { LOWER, UPPER, COUNT, OUTLIERS, NCOLUMNS };

static const struct tv_field columns[KEYS + NCOLUMNS] = {
	{ "Value", TV_LABEL, false, "", "task type; with --by those columns instead" },
	{ "ResourceType", TV_LABEL, false, "", "resource type; likewise" },
	{ "Lower", TV_TIME, true, "ms", "lower edge of the bin, included" },
	{ "Upper", TV_TIME, true, "ms", "upper edge of the bin, excluded" },
	{ "Tasks", TV_INT, true, "", "number of executions in the bin" },
	{ "Outliers", TV_INT, true, "", "number of outliers among them, as in the pass outliers" },
};

/* A bin of the i-th group, of its rows [from, to). */
static void write_bin(struct distribution *work, uint32_t i, int64_t lower, int64_t upper,
		      uint32_t from, uint32_t to)
{
	uint32_t at = tv_table_add_row(work->out), outliers = 0;

	for (uint32_t k = from; k < to; k++)
		outliers += is_outlier(work, work->row[k]);
	tv_keys_write(&work->keys, i, at);
	tv_set_int(work->to[LOWER], at, lower);
	tv_set_int(work->to[UPPER], at, upper);
	tv_set_int(work->to[COUNT], at, to - from);
	tv_set_int(work->to[OUTLIERS], at, outliers);
}

/* How many of the sorted rows take no time and, on a logarithmic scale, have a bin of their own. */
static uint32_t count_zeros(const struct distribution *work, enum scale scale, uint32_t n)
{
	uint32_t zeros = 0;

	while (scale == LOG && zeros < n && work->time[zeros] == 0)
		zeros++;
	return zeros;
}

/* Bins without gaps from the shortest duration to the longest. */
static void write_bins(struct distribution *work, uint32_t i, uint32_t n)
{
	uint32_t from = count_zeros(work, work->edges.scale, n), to;
	int64_t lower;

	if (from > 0)
		write_bin(work, i, 0, 1, 0, from);
	if (from == n)
		return;
	for (lower = edge_below(&work->edges, work->time[from]); from < n; from = to) {
		int64_t upper = edge_after(&work->edges, lower);

		for (to = from; to < n && work->time[to] < upper; to++)
			;
		write_bin(work, i, lower, upper, from, to);
		lower = upper;
	}
}

struct range {
	int64_t min, max; /* durations; max < min: none */
};

static void widen(struct range *range, const struct distribution *work, enum scale scale,
		  uint32_t n)
{
	uint32_t zeros = count_zeros(work, scale, n);

	if (zeros == n)
		return;
	if (work->time[zeros] < range->min)
		range->min = work->time[zeros];
	if (work->time[n - 1] > range->max)
		range->max = work->time[n - 1];
}

struct asked {
	const char *by;
	uint64_t bins;
	enum scale scale;
	bool shared, boxes;
};

static void write_histograms(struct distribution *work, const struct asked *asked)
{
	const enum scale scale = asked->scale;
	struct range range = { INT64_MAX, 0 };

	for (uint32_t i = 0; i < work->keys.groups.n && asked->shared; i++)
		widen(&range, work, scale, sort_group(work, i));
	for (uint32_t i = 0; i < work->keys.groups.n; i++) {
		uint32_t n = sort_group(work, i);

		if (!asked->shared) {
			range = (struct range){ INT64_MAX, 0 };
			widen(&range, work, scale, n);
		}
		work->edges = choose_edges(scale, range.min <= range.max ? range.min : 1,
					   range.min <= range.max ? range.max : 1,
					   (int64_t)asked->bins);
		write_bins(work, i, n);
	}
}

/* ---- boxes ---- */

enum { EXECUTIONS, MIN, LOW, P25, MEDIAN, P75, HIGH, MAX, MARKED, THRESHOLD, NBOX };

static const struct tv_field box_columns[NBOX] = {
	{ "Executions", TV_INT, true, "", "number of executions" },
	{ "Min", TV_TIME, true, "ms", "shortest" },
	{ "LowWhisker", TV_TIME, true, "ms", "shortest one within 1.5 (P75 - P25) of P25" },
	{ "P25", TV_TIME, true, "ms", "first quartile" },
	{ "Median", TV_TIME, true, "ms", "median" },
	{ "P75", TV_TIME, true, "ms", "third quartile" },
	{ "HighWhisker", TV_TIME, true, "ms", "longest one within 1.5 (P75 - P25) of P75" },
	{ "Max", TV_TIME, true, "ms", "longest" },
	{ "Outliers", TV_INT, true, "", "those of them that outliers marks" },
	{ "Threshold", TV_TIME, true, "ms", "that of outliers" },
};

/* Numbers of an execution. */
enum { DURATION, USUAL_DURATION, IS_OUTLIER, ITS_THRESHOLD };

static bool number_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct distribution *work = data;

	*number = tv_task_time(work->tasks, row);
	switch (column) {
	case DURATION:
		return true;
	case USUAL_DURATION:
		return !is_outlier(work, row);
	case IS_OUTLIER:
		return is_outlier(work, row);
	default:
		*number = work->threshold->i[row];
		return !tv_missing(work->threshold, row);
	}
}

static const struct tv_measure_spec boxes[] = {
	{ EXECUTIONS, TV_MEASURE_ROWS },
	{ MIN, TV_MEASURE_MIN, DURATION },
	{ LOW, TV_MEASURE_MIN, USUAL_DURATION },
	{ P25, TV_MEASURE_QUANTILE, DURATION, .percent = 25 },
	{ MEDIAN, TV_MEASURE_QUANTILE, DURATION, .percent = 50 },
	{ P75, TV_MEASURE_QUANTILE, DURATION, .percent = 75 },
	{ HIGH, TV_MEASURE_MAX, USUAL_DURATION },
	{ MAX, TV_MEASURE_MAX, DURATION },
	{ MARKED, TV_MEASURE_KNOWN, IS_OUTLIER },
	{ THRESHOLD, TV_MEASURE_ONLY, ITS_THRESHOLD },
};

static void write_boxes(const struct distribution *work)
{
	const struct tv_measured_rows rows = { number_of, work };

	tv_measure_groups(&rows, &work->keys.groups, boxes, TV_COUNT(boxes), work->out, work->to);
	for (uint32_t group = 0; group < work->keys.by.n; group++)
		tv_keys_write(&work->keys, group, group);
}

/* ---- the pass ---- */

static int find_outliers(struct distribution *work, struct tv_run *run, const char *by,
			 struct tv_error *err)
{
	bool marked = tv_table_find(&run->trace->table[TV_TASKS], "Outlier") != NULL;
	const struct tv_table *marks = tv_run_pass_with(run, "outliers", err,
							marked ? NULL : "group", by, NULL);

	if (marks == NULL)
		return -1;
	work->outlier = tv_table_find(marks, "Outlier");
	work->threshold = tv_table_find(marks, "Threshold");
	return 0;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->boxes
	    && (TV_GIVEN(options, struct asked, bins) || TV_GIVEN(options, struct asked, scale)
		|| asked->shared))
		return tv_fail_usage(err, "--boxes has no bins: --bins, --scale and --shared have "
					  "no effect on it");
	return 0;
}

static int run_distribution(struct tv_run *run, const struct tv_options *options,
			    struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct distribution work = { .tasks = tv_run_part(run), .out = out };
	int rc = -1;

	work.row = tv_alloc(work.tasks->ncounted, sizeof *work.row);
	work.time = tv_alloc(work.tasks->ncounted, sizeof *work.time);
	if (tv_keys_init(&work.keys, work.tasks, asked->by, "by", true, out, err) == 0
	    && find_outliers(&work, run, asked->by, err) == 0)
		rc = tv_keys_fields(out, "by", asked->boxes ? box_columns : columns + KEYS,
				    asked->boxes ? NBOX : NCOLUMNS, err);
	if (rc == 0) {
		work.to = out->col + work.keys.by.ncolumns;
		if (asked->boxes)
			write_boxes(&work);
		else
			write_histograms(&work, asked);
	}
	tv_free(work.row);
	tv_free(work.time);
	tv_keys_release(&work.keys);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks: one per combination; '' = one for all", TV_ASKED(by) },
	{ "bins", "N", "30", "max number of bins (see below)", TV_OPTION_COUNT, 1, BINS_MAX,
	  TV_ASKED(bins) },
	{ "scale", "linear|log", "linear",
	  "linear: bins of equal width; log: wider for longer durations", TV_OPTION_CHOICE,
	  TV_ASKED(scale) },
	{ "shared", NULL, NULL, "use the same edges for all, instead of the finest edges for each",
	  TV_ASKED(shared) },
	{ "boxes", NULL, NULL, "data of a box plot instead: one row per combination",
	  TV_ASKED(boxes) },
};

static const struct tv_columns forms[] = { { box_columns, NBOX, "--boxes" } };

const struct tv_pass tv_pass_distribution = {
	.name = "distribution",
	.summary = "Distribution of task durations, as histograms or box plots",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_SUMMARY,
	.columns = "Outlier Threshold MetricThreshold",
	.ranked = "Tasks",
	.sums = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes =
		"Bins are half open, [Lower, Upper), without gaps from the shortest duration to\n"
		"the longest, also empty ones; counts are exact. Edges are round, the finest\n"
		"with at most --bins bins:\n"
		"  linear  multiples of 1, 2 or 5 times a power of ten of ns, at least a\n"
		"          thousandth of the longest duration\n"
		"  log     equal steps on the logarithmic scale: 1000, 500, 200, 100, ..., 2 or 1\n"
		"          per decade, of which there may be more than N; edges in whole ns.\n"
		"          Executions of zero length have the separate bin from 0 to 1 ns.\n"
		"Outliers are those of the pass outliers with --group equal to --by.\n"
		"--boxes gives Executions, Min, LowWhisker, P25, Median, P75, HighWhisker, Max,\n"
		"Outliers, Threshold: quartiles as in summary; whiskers reach the shortest and\n"
		"the longest duration that is no outlier; Threshold is missing if the tasks\n"
		"of a row have none or several. More quantiles: summary.",
	.example = "traceviz distribution --scale log data/cholesky.csv",
	.windowless = true,
	.check = check_options,
	.run = run_distribution,
};
