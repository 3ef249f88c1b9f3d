/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outliers.c -- tasks that took much longer than others of their type on the same resources. */
#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/warnings.h"
#include "analysis/tasks/group_limits.h"
#include "analysis/tasks/thresholds.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(OUTLIER, "Outlier", TV_INT, false, "", \
	  "1 = outlier, 0 = not; missing for rows that are not counted tasks") \
	X(THRESHOLD, "Threshold", TV_TIME, false, "ms", \
	  "longer (with --tail lower: shorter) durations are outliers; in whole ns")

TV_COLUMNS(columns, COLUMNS)

enum model { IQR, MAD, REGRESSION };

static const char *const models[] = { "iqr", "mad", "regression" };

enum tail { UPPER, LOWER };

struct asked {
	const char *group, *min_excess, *metric, *against;
	uint64_t min_group; /* smaller groups have no threshold */
	enum model model;
	enum tail tail;
	double factor;	  /* mad */
	enum tv_form fit; /* regression */
	double level;
};

struct rule {
	const struct asked *asked;
	int side;			 /* +1 = large values are outliers, -1 = small ones */
	double min_excess;		 /* as the metric; ns for times */
	const struct tv_column *metric;	 /* NULL = duration */
	const struct tv_column *against; /* regression: the work */
	bool is_time;			 /* the metric is in ns */
};

struct outlier_marks {
	struct tv_run *run;
	const struct tv_tasks *tasks;
	const struct rule *rule;
	struct tv_column *outlier;
	/* Threshold, or for another metric than the duration a column of its own, so that nobody
	 * who reads Threshold takes it for a duration. */
	struct tv_column *limit;
	double *y, *spare; /* buffers for any group */
};

static bool metric_value(const struct outlier_marks *work, uint32_t row, double *value)
{
	if (work->rule->metric != NULL)
		return tv_cell_number(work->rule->metric, row, value);
	*value = (double)tv_task_time(work->tasks, row);
	return true;
}

static void mark_row(const struct outlier_marks *work, uint32_t row, double value, double limit)
{
	const struct rule *rule = work->rule;
	bool is;

	/* Times are whole, so a floor (or ceiling) is the same test, and what is printed. */
	if (rule->is_time)
		limit = tv_threshold_whole(limit, rule->side);
	is = rule->side * (value - limit) > 0 && rule->side * (value - limit) >= rule->min_excess;
	tv_set_int(work->outlier, row, is);
	if (rule->is_time)
		tv_set_int(work->limit, row, (int64_t)limit);
	else
		tv_set_double(work->limit, row, limit);
}

static void mark_values(const struct outlier_marks *work, const uint32_t *row, uint32_t n)
{
	const struct rule *rule = work->rule;
	uint32_t known = 0;
	double limit, value;

	for (uint32_t i = 0; i < n; i++)
		known += metric_value(work, row[i], &work->y[known]);
	if (known == 0 || known < rule->asked->min_group)
		return;
	limit = rule->asked->model == IQR ? tv_threshold_iqr(work->y, known, rule->side)
					  : tv_threshold_mad(work->y, known, rule->asked->factor,
							     rule->side, work->spare);
	for (uint32_t i = 0; i < n; i++)
		if (metric_value(work, row[i], &value))
			mark_row(work, row[i], value, limit);
}

/* The point of a row in a regression, if it has one. */
static bool point(const struct outlier_marks *work, uint32_t row, double *x, double *y)
{
	return metric_value(work, row, y) && tv_cell_number(work->rule->against, row, x)
	    && tv_fit_takes(work->rule->asked->fit, *x, *y);
}

static void mark_residuals(const struct outlier_marks *work, const uint32_t *row, uint32_t n)
{
	const struct rule *rule = work->rule;
	struct tv_fit_sums sums = { .form = rule->asked->fit };
	struct tv_fit fit;
	bool fitted;
	double x, y;

	for (uint32_t i = 0; i < n; i++)
		if (point(work, row[i], &x, &y))
			tv_fit_add(&sums, x, y);
	fitted = sums.n >= rule->asked->min_group && tv_fit_init(&fit, &sums, rule->asked->level);
	tv_fit_sums_release(&sums);
	for (uint32_t i = 0; fitted && i < n; i++)
		if (point(work, row[i], &x, &y))
			mark_row(work, row[i], y, tv_fit_limit(&fit, x, rule->side));
}

static void mark_group(const struct outlier_marks *work, const uint32_t *row, uint32_t n)
{
	const struct rule *rule = work->rule;

	for (uint32_t i = 0; i < n; i++)
		tv_set_int(work->outlier, row[i], 0);
	if (n < rule->asked->min_group)
		return;
	if (rule->asked->model == REGRESSION)
		mark_residuals(work, row, n);
	else
		mark_values(work, row, n);
}

/* Adds the column for thresholds of another metric; one that the tasks already have is emptied. */
static int add_limit(struct outlier_marks *work, struct tv_table *out, struct tv_error *err)
{
	static const char name[] = "MetricThreshold";
	const struct rule *rule = work->rule;
	struct tv_column *column;

	if (rule->metric == NULL
	    && tv_table_find(&work->tasks->trace->table[TV_TASKS], name) == NULL)
		return 0;
	column = tv_table_column(out, name, rule->is_time ? TV_TIME : TV_DOUBLE, err);
	if (rule->metric != NULL)
		work->limit = column;
	return column == NULL ? -1 : 0;
}

/* The published rule, exact for all times, of rows that may come part by part. */
static int mark_durations(const struct outlier_marks *work, const struct tv_grouping *by,
			  struct tv_error *err)
{
	struct tv_run *whole = work->run->of != NULL ? work->run->of : work->run;
	struct tv_group_limits *limits = tv_group_limits_find(whole, work->rule->asked->group, NULL,
							      NULL, err);
	struct tv_group_limit *limit = tv_alloc(by->n, sizeof *limit);

	for (uint32_t g = 0; limits != NULL && g < by->n; g++)
		limit[g] = tv_group_limit_of(limits, by, by->row[g]);
	for (uint32_t row = 0; limits != NULL && row < work->tasks->n; row++) {
		uint32_t g = by->of_row[row];
		bool tested = g != TV_NONE && limit[g].n >= work->rule->asked->min_group;
		int64_t excess = tested ? tv_task_time(work->tasks, row) - limit[g].ns : 0;

		if (g != TV_NONE)
			tv_set_int(work->outlier, row,
				   excess > 0 && (double)excess >= work->rule->min_excess);
		if (tested)
			tv_set_int(work->limit, row, limit[g].ns);
	}
	tv_free(limit);
	return limits != NULL ? 0 : -1;
}

/* ---- other rules ---- */

static void mark_values_of(struct outlier_marks *work, const struct tv_grouping *by)
{
	uint32_t n = work->tasks->ncounted;
	struct tv_groups groups;

	tv_groups_init(&groups, by->of_row, work->tasks->n, by->n);
	work->y = tv_alloc(n, sizeof *work->y);
	work->spare = tv_alloc(n, sizeof *work->spare);
	for (uint32_t g = 0; g < groups.n; g++)
		mark_group(work, groups.row + groups.first[g],
			   groups.first[g + 1] - groups.first[g]);
	tv_groups_release(&groups);
	tv_free(work->y);
	tv_free(work->spare);
}

static int mark(struct outlier_marks *work, const struct tv_grouping *by, struct tv_error *err)
{
	const struct rule *rule = work->rule;

	if (rule->asked->model == IQR && rule->metric == NULL && rule->side > 0)
		return mark_durations(work, by, err);
	mark_values_of(work, by);
	return 0;
}

static void copy_mark(struct tv_column *column, uint32_t to, uint32_t from)
{
	if (from < column->n)
		tv_copy_cell(column, to, column, from);
}

/* Later segments have the marks of the execution. */
static void mark_segments(const struct outlier_marks *work)
{
	const struct tv_tasks *tasks = work->tasks;

	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->counted[row] || tv_row_begins(tasks, row))
			continue;
		copy_mark(work->outlier, row, tasks->whole[row]);
		copy_mark(work->limit, row, tasks->whole[row]);
	}
}

static int group_and_mark(struct outlier_marks *work, const char *names, struct tv_table *out,
			  struct tv_error *err)
{
	struct tv_grouping grouping;
	int rc;

	if (tv_grouping_by_names(&grouping, work->tasks, names, "group", work->rule->metric == NULL,
				 err)
	    < 0)
		return -1;
	if (add_limit(work, out, err) < 0) {
		tv_grouping_release(&grouping);
		return -1;
	}
	tv_table_reserve(out, work->tasks->n);
	/* A duration that the end of the trace cuts is no member of any group. */
	for (uint32_t row = 0; row < work->tasks->n; row++)
		if (work->tasks->counted[row] && !tv_task_ended(work->tasks, row))
			tv_set_int(work->outlier, row, 0);
	rc = mark(work, &grouping, err);
	mark_segments(work);
	tv_grouping_release(&grouping);
	return rc;
}

/* Copies the marks that the tasks already have. */
static int copy_marks(const struct tv_tasks *tasks, const struct tv_column *marks,
		      struct tv_table *out, struct tv_error *err)
{
	const struct tv_column *limits = tv_table_find(&tasks->trace->table[TV_TASKS], "Threshold");

	for (uint32_t row = 0; row < tasks->n; row++) {
		bool known = !tv_missing(marks, row);
		int64_t value;

		if (!tasks->counted[row])
			continue;
		if (known
		    && (!tv_cell_scaled(marks, row, 0, &value) || (value != 0 && value != 1))) {
			char text[80];

			tv_cell_text(marks, row, text, sizeof text);
			return tv_fail(err, "column Outlier is '%s', expected 0 or 1", text);
		}
		if (known)
			tv_set_int(out->col[OUTLIER], row, value);
		/* Our own times are milliseconds with six decimals. */
		if (limits != NULL && tv_cell_scaled(limits, row, 6, &value))
			tv_set_int(out->col[THRESHOLD], row, value);
	}
	return 0;
}

/* Only the option --metric decides whether --min-excess is a time. */
static int check_excess(const struct asked *asked, struct tv_error *err)
{
	bool other = strcmp(asked->metric, "Duration") != 0;
	const char *text = asked->min_excess;
	int64_t ns;
	double x;

	if ((tv_parse_time(text, &ns) == TV_PARSE_OK && ns >= 0)
	    || (other && tv_parse_double(text, strlen(text), &x) == TV_PARSE_OK && x >= 0))
		return 0;
	return tv_fail_usage(err, "--min-excess: expected a %s, found '%s'",
			     other ? "number from 0" : "time like 0.5 or 500us", text);
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const struct {
		const char *name;
		bool given;
		enum model model;
	} own[] = {
		{ "fit", TV_GIVEN(options, struct asked, fit), REGRESSION },
		{ "against", asked->against != NULL, REGRESSION },
		{ "factor", TV_GIVEN(options, struct asked, factor), MAD },
		{ "level", TV_GIVEN(options, struct asked, level), REGRESSION },
	};

	for (size_t i = 0; i < TV_COUNT(own); i++)
		if (own[i].given && asked->model != own[i].model)
			return tv_fail_usage(err, "--%s is for --model %s", own[i].name,
					     models[own[i].model]);
	if (asked->factor == 0)
		return tv_fail_usage(err, "--factor '0', expected a number above 0");
	if (tv_fit_check_level(asked->level, err) < 0)
		return -1;
	return check_excess(asked, err);
}

/* What is measured, and for a regression the work that it is measured against. */
static int choose_columns(struct rule *rule, const struct tv_tasks *tasks, struct tv_error *err)
{
	const char *metric = rule->asked->metric;

	rule->is_time = true;
	if (strcmp(metric, "Duration") != 0) {
		rule->metric = tv_number_column(tasks, "metric", metric, err);
		if (rule->metric == NULL)
			return -1;
		rule->is_time = rule->metric->type == TV_TIME;
	}
	if (rule->asked->model != REGRESSION)
		return 0;
	rule->against = tv_work_column(tasks, rule->asked->against, err);
	return rule->against == NULL ? -1 : 0;
}

static int parse_excess(struct rule *rule, struct tv_error *err)
{
	const char *excess = rule->asked->min_excess;
	int64_t ns = 0;
	bool good;

	good = rule->is_time
		     ? tv_parse_time(excess, &ns) == TV_PARSE_OK
		     : tv_parse_double(excess, strlen(excess), &rule->min_excess) == TV_PARSE_OK;
	if (rule->is_time)
		rule->min_excess = (double)ns;
	if (!good || rule->min_excess < 0)
		return tv_fail_usage(err, "--min-excess: expected a %s, found '%s'",
				     rule->is_time ? "time like 0.5 or 500us" : "number from 0",
				     excess);
	return 0;
}

static bool all_default(const struct tv_options *options)
{
	for (size_t i = 0; options->value != NULL && i < options->n; i++) {
		const char *value = options->value[i], *usual = options->spec[i].default_value;

		if (value != NULL && (usual == NULL || strcmp(value, usual) != 0))
			return false;
	}
	return true;
}

static int run_outliers(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct tv_column *marks = tv_table_find(&run->trace->table[TV_TASKS], "Outlier");
	const struct asked *asked = options->chosen;
	struct rule rule = { .asked = asked, .side = asked->tail == UPPER ? 1 : -1 };
	struct outlier_marks work = { .run = run,
				      .tasks = &run->tasks,
				      .rule = &rule,
				      .outlier = out->col[OUTLIER],
				      .limit = out->col[THRESHOLD] };
	int rc;

	if (choose_columns(&rule, &run->tasks, err) < 0 || parse_excess(&rule, err) < 0)
		return -1;
	out->nrows = run->tasks.n;
	tv_table_expect_few(work.outlier);
	tv_table_expect_few(work.limit);
	if (marks != NULL && all_default(options))
		return copy_marks(&run->tasks, marks, out, err);
	rc = group_and_mark(&work, asked->group, out, err);
	if (rule.metric == NULL)
		tv_warn_cut(run);
	return rc;
}

/* The published rule. */
static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "model") && !tv_option_given(options, "metric")
	    && !tv_option_given(options, "tail");
}

static const struct tv_option_spec options[] = {
	{ "group", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks; tasks equal in all are compared", TV_ASKED(group) },
	{ "min-group", "N", "1", "groups of fewer tasks have no outliers", TV_OPTION_COUNT, 1, 0,
	  TV_ASKED(min_group) },
	{ "min-excess", "TIME|N", "0",
	  "min excess over the threshold (TIME: ms, or with a unit; N: another metric)",
	  TV_ASKED(min_excess) },
	{ "model", "iqr|mad|regression", "iqr", "how the threshold is computed (see below)",
	  TV_OPTION_CHOICE, TV_ASKED(model) },
	{ "metric", "COLUMN", "Duration", "numeric column of tasks that is compared",
	  TV_ASKED(metric) },
	{ "tail", "upper|lower", "upper",
	  "upper: unusually large values; lower: unusually small ones", TV_OPTION_CHOICE,
	  TV_ASKED(tail) },
	{ "factor", "K", "3", "K of --model mad", TV_OPTION_NUMBER, 0, 1e9, TV_ASKED(factor) },
	{ "against", "COLUMN", NULL,
	  "column with the work, for --model regression (default GFlop, else Size)",
	  TV_ASKED(against) },
	{ "fit", "log|linear|weighted|power", "log", "form of --model regression", TV_OPTION_CHOICE,
	  TV_ASKED(fit) },
	{ "level", "P", "0.95", "level of the prediction interval of --model regression",
	  TV_OPTION_NUMBER, 0, 1, TV_ASKED(level) },
};

const struct tv_pass tv_pass_outliers = {
	.name = "outliers",
	.summary = "Mark tasks that took much longer than others of their type",
	.kind = TV_ANNOTATE,
	.columns = "Outlier Threshold MetricThreshold",
	.in_parts = is_in_parts,
	.early = true,
	.unordered = true,
	.beside = 100,
	.group = TV_GROUP_OUTLIERS,
	.ranked = "Duration",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "A task is an outlier if its duration exceeds the threshold of its group over\n"
		 "the whole run. Equal durations are never outliers. Models:\n"
		 "  iqr         Q3 + 1.5 (Q3 - Q1), quartiles of type 7 (R's default); in groups\n"
		 "              of fewer than four no task can exceed it\n"
		 "  mad         median + K s, s = 1.4826 x median absolute deviation from the\n"
		 "              median; where that is 0, s = 1.2533 x mean absolute deviation\n"
		 "  regression  a + b W + t s sqrt(1 + 1/n + (W - mean W)^2 / Sxx): the upper\n"
		 "              end of the prediction interval, t of Student's distribution with\n"
		 "              n - 2 degrees of freedom, s the residual standard deviation, W\n"
		 "              the work. --fit log: of both logarithms; weighted: weights 1/W;\n"
		 "              power: W^(2/3). If all W are equal, b = 0, n - 1. Tasks with\n"
		 "              W <= 0 (or, for logarithms, a metric <= 0) and groups of fewer\n"
		 "              than 3 are not tested.\n"
		 "--tail lower uses Q1 - 1.5 (Q3 - Q1), median - K s, a + b W - t s ... Tasks\n"
		 "that are not tested have Outlier 0 and no Threshold. With another --metric than\n"
		 "the duration Threshold is missing, and a column MetricThreshold contains the\n"
		 "threshold in the unit of the metric. If the input has a column Outlier, it is\n"
		 "used unchanged, unless an option selects another rule.\n"
		 "Sources: Garcia Pinto, thesis, 2018, (5.1); Iglewicz and Hoaglin, How to\n"
		 "detect and handle outliers, 1993; StarVZ (regressions).",
	.example = "traceviz outliers data/cholesky.csv --where 'Outlier == 1'",
	.check = check_options,
	.run = run_outliers,
};
