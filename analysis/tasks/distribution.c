/* SPDX-License-Identifier: GPL-3.0-or-later */
/* distribution.c -- how durations are distributed: histograms with round edges, and box plots. */
#include <math.h>
#include <string.h>

#include "analysis/core/run.h"
#include "analysis/core/tallied.h"
#include "analysis/core/warnings.h"
#include "analysis/tasks/group_limits.h"
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
	const struct asked *asked;
	bool marked;			/* the tasks have marks of outliers */
	struct tv_group_limits *limits; /* of histograms, if they have not */
	struct tv_tallied tallied;
	struct tv_table groups;	     /* of histograms */
	struct histogram *histogram; /* by group */
	/* of the part that is read */
	const struct tv_tasks *tasks;
	const struct tv_column *outlier, *threshold; /* of the pass outliers */
};

struct asked {
	const char *by;
	uint64_t bins;
	enum scale scale;
	bool shared, boxes;
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

/* ---- rows ---- */

static int find_outliers(struct distribution *work, struct tv_run *run, struct tv_error *err)
{
	const struct tv_table *marks = tv_run_pass_with(
		run, "outliers", err, work->marked ? NULL : "group", work->asked->by, NULL);

	if (marks == NULL)
		return -1;
	work->outlier = tv_table_find(marks, "Outlier");
	work->threshold = tv_table_find(marks, "Threshold");
	return 0;
}

static bool is_outlier(const struct distribution *work, uint32_t row)
{
	return !tv_missing(work->outlier, row) && work->outlier->i[row] == 1;
}

/* Adds the numbers of a part. */
static int tally_rows(struct distribution *work, struct tv_run *part,
		      bool (*number)(const void *data, unsigned column, uint32_t row,
				     int64_t *number),
		      struct tv_error *err)
{
	const struct tv_measured_rows rows = { number, work };

	work->tasks = tv_run_part(part);
	return tv_tallied_tasks(&work->tallied, &rows, work->tasks, work->asked->by, true, err);
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

/* Executions in bins; on a logarithmic scale those that take no time have a bin of their own, the first one. */
struct histogram {
	bool zeros;
	uint32_t n;		    /* bins */
	double per_ns;		    /* of a bin that is the mean of all but that for 0 */
	int64_t *edge;		    /* n + 1 */
	uint64_t *count, *outliers; /* n; one array */
};

/* A duration that is not in the bin for 0. */
static bool binned_of(const void *data, unsigned column, uint32_t row, int64_t *number)
{
	const struct distribution *work = data;

	(void)column;
	*number = tv_task_time(work->tasks, row);
	return *number > 0 || work->asked->scale == LINEAR;
}

static const struct tv_measure_spec ranges[] = {
	{ 0, TV_MEASURE_MIN, 0 },
	{ 0, TV_MEASURE_MAX, 0 },
};

static int add_ranges(void *work, struct tv_run *part, struct tv_error *err)
{
	return tally_rows(work, part, binned_of, err);
}

/* Bins without gaps from the shortest duration to the longest. */
static void set_bins(struct histogram *h, const struct tv_measuring *group,
		     const struct edges *edges)
{
	const struct tv_tally *times = group->tally;
	size_t cap = 0;

	h->zeros = times->known < group->nrows;
	TV_GROW(h->edge, 0, cap, 2);
	h->edge[0] = 0;
	h->edge[1] = 1;
	h->n = h->zeros;
	for (int64_t edge = times->known > 0 ? edge_below(edges, times->min) : INT64_MAX;
	     edge < INT64_MAX && edge <= times->max; edge = edge_after(edges, edge)) {
		TV_GROW(h->edge, h->n, cap, 2);
		h->edge[h->n++] = edge;
		h->edge[h->n] = edge_after(edges, edge);
	}
	if (h->n > h->zeros)
		h->per_ns = (h->n - h->zeros) / ((double)h->edge[h->n] - (double)h->edge[h->zeros]);
	h->count = tv_alloc((size_t)h->n * 2, sizeof *h->count);
	h->outliers = h->count + h->n;
}

/* The bins of all groups. */
static void choose_bins(struct distribution *work)
{
	const struct asked *asked = work->asked;
	const struct tv_tallied *t = &work->tallied;
	int64_t min = INT64_MAX, max = 0;

	work->histogram = tv_alloc(t->ngroups, sizeof *work->histogram);
	for (int all = 1; all >= 0; all--)
		for (uint32_t g = 0; g < t->ngroups; g++) {
			const struct tv_tally *times = t->group[g].tally;
			struct edges edges;

			if (!asked->shared) {
				min = INT64_MAX;
				max = 0;
			}
			if (times->known > 0) {
				min = times->min < min ? times->min : min;
				max = times->max > max ? times->max : max;
			}
			if (all)
				continue;
			edges = choose_edges(asked->scale, min <= max ? min : 1,
					     min <= max ? max : 1, (int64_t)asked->bins);
			set_bins(&work->histogram[g], &t->group[g], &edges);
		}
}

/* The bin of a duration. */
static uint32_t bin_of(const struct histogram *h, int64_t time)
{
	double at = (double)(time - h->edge[h->zeros]) * h->per_ns + h->zeros;
	uint32_t bin = at > 0 ? (uint32_t)at : 0;

	/* Where all bins have one width. */
	if (bin < h->n && h->edge[bin] <= time && time < h->edge[bin + 1])
		return bin;
	TV_LOWER_BOUND(bin, 0, h->n, h->edge[bin + 1] <= time);
	return bin;
}

/* Counts the executions of a part. */
static void count(struct distribution *work, const struct tv_grouping *by)
{
	uint32_t *group = tv_alloc(by->n, sizeof *group);
	int64_t *limit = tv_alloc(by->n, sizeof *limit);

	for (uint32_t g = 0; g < by->n; g++) {
		group[g] = tv_tallied_group(&work->tallied, by, by->row[g]);
		if (!work->marked)
			limit[g] = tv_group_limit_of(work->limits, by, by->row[g]).ns;
	}
	for (uint32_t row = 0; row < work->tasks->n; row++) {
		uint32_t g = by->of_row[row], bin;
		struct histogram *h;
		int64_t time;

		if (g == TV_NONE)
			continue;
		h = &work->histogram[group[g]];
		time = tv_task_time(work->tasks, row);
		bin = bin_of(h, time);
		h->count[bin]++;
		h->outliers[bin] += work->marked ? is_outlier(work, row) : time > limit[g];
	}
	tv_free(group);
	tv_free(limit);
}

static int count_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct distribution *work = state;
	struct tv_grouping by;
	int rc;

	work->tasks = tv_run_part(part);
	rc = tv_grouping_by_names(&by, work->tasks, work->asked->by, "by", true, err);
	if (rc == 0 && work->marked)
		rc = find_outliers(work, part, err);
	if (rc == 0)
		count(work, &by);
	tv_grouping_release(&by);
	return rc;
}

static void write_bins(struct distribution *work, struct tv_table *out, uint32_t g)
{
	const struct histogram *h = &work->histogram[g];
	struct tv_column *const *to = out->col + work->tallied.ncolumns;

	for (uint32_t bin = 0; bin < h->n; bin++) {
		uint32_t at = tv_table_add_row(out);

		for (size_t i = 0; i < work->tallied.ncolumns; i++)
			tv_copy_cell(out->col[i], at, work->groups.col[i], g);
		tv_set_int(to[LOWER], at, h->edge[bin]);
		tv_set_int(to[UPPER], at, h->zeros && bin == 0 ? 1 : h->edge[bin + 1]);
		tv_set_int(to[COUNT], at, (int64_t)h->count[bin]);
		tv_set_int(to[OUTLIERS], at, (int64_t)h->outliers[bin]);
	}
}

/* Counts the executions in the bins, and writes them. */
static int fill_bins(struct distribution *work, struct tv_run *run, struct tv_table *out,
		     struct tv_error *err)
{
	uint32_t *order;

	choose_bins(work);
	if (tv_run_rows(run, count_rows, work, err) < 0)
		return -1;
	order = tv_tallied_order(&work->tallied);
	for (uint32_t i = 0; i < work->tallied.ngroups; i++) {
		struct histogram *h = &work->histogram[order[i]];

		tv_team_add(run->team, h->count, (size_t)h->n * 2);
		write_bins(work, out, order[i]);
	}
	tv_free(order);
	return 0;
}

/* Reads the rows once, for the ranges of the bins and for what is an outlier. */
static int find_ranges(struct distribution *work, struct tv_run *run, struct tv_error *err)
{
	if (work->marked)
		return tv_run_rows(run, add_ranges, work, err) < 0 ? -1
								   : find_outliers(work, run, err);
	work->limits = tv_group_limits_find(run, work->asked->by, add_ranges, work, err);
	tv_warn_cut(run);
	return work->limits != NULL ? 0 : -1;
}

static int write_histograms(struct distribution *work, struct tv_run *run, struct tv_table *out,
			    struct tv_error *err)
{
	int rc;

	tv_table_init(&work->groups, out->pool);
	tv_tallied_init(&work->tallied, "by", false, ranges, TV_COUNT(ranges), &work->groups);
	rc = find_ranges(work, run, err);
	if (rc == 0)
		rc = tv_tallied_merge(&work->tallied, run->team, err);
	for (size_t i = 0; rc == 0 && i < work->tallied.ncolumns; i++)
		tv_table_column(out, work->groups.col[i]->name, work->groups.col[i]->type, err);
	if (rc == 0)
		rc = tv_keys_fields(out, "by", columns + KEYS, NCOLUMNS, err);
	if (rc == 0)
		rc = fill_bins(work, run, out, err);
	for (uint32_t g = 0; work->histogram != NULL && g < work->tallied.ngroups; g++) {
		tv_free(work->histogram[g].edge);
		tv_free(work->histogram[g].count);
	}
	tv_free(work->histogram);
	tv_table_release(&work->groups);
	return rc;
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

static int add_boxes(void *state, struct tv_run *part, struct tv_error *err)
{
	struct distribution *work = state;

	return find_outliers(work, part, err) < 0 ? -1 : tally_rows(work, part, number_of, err);
}

static int write_boxes(struct distribution *work, struct tv_run *run, struct tv_table *out,
		       struct tv_error *err)
{
	/* They have to be known before the rows come. */
	if (find_outliers(work, run, err) < 0)
		return -1;
	tv_tallied_init(&work->tallied, "by", tv_run_counts(run), boxes, TV_COUNT(boxes), out);
	if (tv_tallied_run(&work->tallied, run, add_boxes, work, err) < 0)
		return -1;
	return tv_tallied_finish(&work->tallied, box_columns, NBOX, err);
}

/* ---- the pass ---- */

/* What is wrong with --by is said as such, not as of outliers. */
static int check_keys(const struct tv_run *run, const char *by, struct tv_error *err)
{
	struct tv_table none;
	struct tv_keys keys;
	int rc;

	tv_table_init(&none, run->trace->pool);
	rc = tv_keys_init(&keys, tv_run_part(run), by, "by", true, &none, err);
	tv_keys_release(&keys);
	tv_table_release(&none);
	return rc;
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
	struct distribution work = { .asked = asked };
	int rc;

	if (check_keys(run, asked->by, err) < 0)
		return -1;
	work.marked = tv_table_find(&run->trace->table[TV_TASKS], "Outlier") != NULL;
	if (asked->boxes)
		rc = write_boxes(&work, run, out, err);
	else
		rc = write_histograms(&work, run, out, err);
	tv_tallied_release(&work.tallied);
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
	.in_parts = tv_pass_always,
	.unordered = true,
	.early = true,
	.beside = 60,
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
