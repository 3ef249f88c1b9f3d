/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regression.c -- how durations depend on the work: the regressions by which outliers are found. */
#include <math.h>

#include "analysis/core/columns.h"
#include "analysis/core/grouping.h"
#include "analysis/core/run.h"
#include "analysis/tasks/thresholds.h"
#include "trace/alloc.h"

enum { KEYS = 2, POINTS_MAX = 10000 }; /* KEYS: columns of --by by default */
#define NS_PER_MS 1e6

struct asked {
	const char *by, *against, *level, *min_group;
	enum tv_form fit;
	uint64_t points; /* 0 = coefficients */
};

struct fits {
	const struct tv_tasks *tasks;
	enum tv_form form;
	uint32_t form_label;
	double level;
	int64_t min_group, npoints;
	const struct tv_column *against, *outlier;
	struct tv_keys keys;
	double *x, *y; /* buffers for any group: work, ns */
	struct tv_table *out;
};

/* The fit of the i-th group. */
struct group {
	struct tv_fit fit;
	bool fitted;
	uint32_t n, outliers; /* tasks that can be used; of all */
	double min, max;      /* work of these */
};

static void fit_group(struct fits *fits, uint32_t i, struct group *group)
{
	uint32_t n;
	const uint32_t *row = tv_keys_rows(&fits->keys, i, &n);

	*group = (struct group){ .min = INFINITY, .max = -INFINITY };
	for (uint32_t k = 0; k < n; k++) {
		double *x = &fits->x[group->n], time = (double)tv_task_time(fits->tasks, row[k]);

		group->outliers += !tv_missing(fits->outlier, row[k])
				&& fits->outlier->i[row[k]] == 1;
		if (!tv_cell_number(fits->against, row[k], x)
		    || !tv_fit_takes(fits->form, *x, time))
			continue;
		group->min = fmin(group->min, *x);
		group->max = fmax(group->max, *x);
		fits->y[group->n++] = time;
	}
	group->fitted = group->n >= fits->min_group && group->n > 0
		     && tv_fit_init(&group->fit, fits->form, fits->x, fits->y, group->n,
				    fits->level);
}

/* ---- coefficients ---- */

#define COLUMNS(X) \
	X(FIT, "Fit", TV_LABEL, true, "", "the form, as --fit") \
	X(POINTS, "Points", TV_INT, true, "", "number of executions used for the fit") \
	X(MIN_WORK, "MinWork", TV_DOUBLE, true, "as --against", "min work of these executions") \
	X(MAX_WORK, "MaxWork", TV_DOUBLE, true, "as --against", "max work of them") \
	X(INTERCEPT, "Intercept", TV_DOUBLE, true, "ms", \
	  "a; this and the next three are missing if Points is too small") \
	X(SLOPE, "Slope", TV_DOUBLE, true, "", "b") \
	X(SD, "ResidualSD", TV_DOUBLE, true, "ms", "s; for log, of natural logarithms") \
	X(FREEDOM, "Freedom", TV_DOUBLE, true, "", "degrees of freedom of s") \
	X(OUTLIERS, "Outliers", TV_INT, true, "", "executions above the prediction interval")

enum { COLUMNS(TV_COLUMN_ID) NCOLUMNS };

static const struct tv_field columns[] = {
	{ "Value", TV_LABEL, false, "", "task type; with --by those columns instead" },
	{ "ResourceType", TV_LABEL, false, "", "resource type; likewise" },
	COLUMNS(TV_COLUMN_ROW)
};

static void write_fit(const struct fits *fits, uint32_t i, const struct group *group)
{
	struct tv_column *const *to = fits->out->col + fits->keys.by.ncolumns;
	const struct tv_fit *fit = &group->fit;
	bool logs = fits->form == TV_FORM_LOG;
	double unit = logs ? 1 : NS_PER_MS;

	tv_keys_write(&fits->keys, i, i);
	tv_set_label(to[FIT], i, fits->form_label);
	tv_set_int(to[POINTS], i, group->n);
	tv_set_int(to[OUTLIERS], i, group->outliers);
	if (group->n > 0) {
		tv_set_double(to[MIN_WORK], i, group->min);
		tv_set_double(to[MAX_WORK], i, group->max);
	}
	if (group->fitted) {
		tv_set_double(to[INTERCEPT], i, logs ? fit->a - log(NS_PER_MS) : fit->a / unit);
		tv_set_double(to[SLOPE], i, fit->b / unit);
		tv_set_double(to[SD], i, fit->s / unit);
		tv_set_double(to[FREEDOM], i, fit->freedom);
	}
}

static int write_fits(struct fits *fits, struct tv_error *err)
{
	if (tv_keys_fields(fits->out, "by", columns + KEYS, NCOLUMNS, err) < 0)
		return -1;
	for (uint32_t i = 0; i < fits->keys.groups.n; i++) {
		struct group group;

		fit_group(fits, i, &group);
		write_fit(fits, i, &group);
	}
	fits->out->nrows = fits->keys.groups.n;
	return 0;
}

/* ---- points of the curves ---- */

#define POINT_COLUMNS(X) \
	X(WORK, "Work", TV_DOUBLE, true, "", "value of the work, from MinWork to MaxWork") \
	X(FITTED, "Duration", TV_DOUBLE, true, "ms", "that the fit gives") \
	X(LOWER, "PredictionLow", TV_DOUBLE, true, "ms", "begin of the prediction interval") \
	X(UPPER, "PredictionHigh", TV_DOUBLE, true, "ms", "its end")

TV_COLUMNS(point_columns, POINT_COLUMNS)

/* The work of point k of npoints, evenly from min to max on the axis of the form. */
static double work_at(const struct fits *fits, const struct group *group, int64_t k)
{
	double part = fits->npoints > 1 ? (double)k / (double)(fits->npoints - 1) : 0;

	if (k == 0 || k == fits->npoints - 1)
		return k == 0 ? group->min : group->max;
	return fits->form == TV_FORM_LOG
		     ? exp(log(group->min) + part * (log(group->max) - log(group->min)))
		     : group->min + part * (group->max - group->min);
}

static int write_points(struct fits *fits, struct tv_error *err)
{
	struct tv_column *const *to;

	if (tv_keys_fields(fits->out, "by", point_columns, TV_COUNT(point_columns), err) < 0)
		return -1;
	to = fits->out->col + fits->keys.by.ncolumns;
	for (uint32_t i = 0; i < fits->keys.groups.n; i++) {
		struct group group;

		fit_group(fits, i, &group);
		for (int64_t k = 0; group.fitted && k < fits->npoints; k++) {
			double x = work_at(fits, &group, k);
			uint32_t row = tv_table_add_row(fits->out);

			tv_keys_write(&fits->keys, i, row);
			tv_set_double(to[WORK], row, x);
			tv_set_double(to[FITTED], row, tv_fit_limit(&group.fit, x, 0) / NS_PER_MS);
			tv_set_double(to[LOWER], row, tv_fit_limit(&group.fit, x, -1) / NS_PER_MS);
			tv_set_double(to[UPPER], row, tv_fit_limit(&group.fit, x, 1) / NS_PER_MS);
		}
	}
	return 0;
}

/* ---- the pass ---- */

static const char *const words[] = { "log", "linear", "weighted", "power" }; /* of --fit */

/* What the pass outliers finds by these regressions; it checks the options that both have. */
static int find_outliers(struct fits *fits, struct tv_run *run, const struct asked *asked,
			 struct tv_error *err)
{
	const struct tv_table *marks = tv_run_pass_with(
		run, "outliers", err, "model", "regression", "group", asked->by, "against",
		asked->against, "fit", words[asked->fit], "level", asked->level, "min-group",
		asked->min_group, NULL);

	if (marks == NULL)
		return -1;
	fits->outlier = tv_table_find(marks, "Outlier");
	fits->level = tv_value_number(asked->level, 0);
	fits->min_group = (int64_t)tv_value_count(asked->min_group, 0);
	fits->against = tv_work_column(fits->tasks, asked->against, err);
	return fits->against == NULL ? -1 : 0;
}

static int run_regression(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	const uint32_t n = run->tasks.ncounted;
	struct fits fits = { .tasks = &run->tasks,
			     .form = asked->fit,
			     .form_label = tv_intern_text(out->pool, words[asked->fit]),
			     .npoints = (int64_t)asked->points,
			     .x = tv_alloc(n, sizeof *fits.x),
			     .y = tv_alloc(n, sizeof *fits.y),
			     .out = out };
	int rc = -1;

	if (find_outliers(&fits, run, asked, err) == 0
	    && tv_keys_init(&fits.keys, &run->tasks, asked->by, "by", true, out, err) == 0)
		rc = fits.npoints > 0 ? write_points(&fits, err) : write_fits(&fits, err);
	tv_free(fits.x);
	tv_free(fits.y);
	tv_keys_release(&fits.keys);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks: one fit per combination; '' = one for all", TV_ASKED(by) },
	{ "fit", "log|linear|weighted|power", "log", "form of the regression (see below)",
	  TV_OPTION_CHOICE, TV_ASKED(fit) },
	{ "against", "COLUMN", NULL, "the work (default GFlop, else Size)", TV_ASKED(against) },
	{ "level", "P", "0.95", "level of the prediction interval", TV_ASKED(level) },
	{ "min-group", "N", "1", "groups of fewer tasks have no fit", TV_OPTION_COUNT, 1, 0,
	  TV_ASKED(min_group) },
	{ "points", "N", NULL, "output N points of each fit and its interval instead",
	  TV_OPTION_COUNT, 2, POINTS_MAX, TV_ASKED(points) },
};

static const struct tv_columns forms[] = { { point_columns, TV_COUNT(point_columns), "--points" } };

const struct tv_pass tv_pass_regression = {
	.name = "regression",
	.summary = "Fit durations against the work, as outliers --model regression does",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_OUTLIERS,
	.columns = "GFlop Size Outlier Threshold MetricThreshold",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	.notes =
		"Durations D in ms against the work W by least squares:\n"
		"  log       log D = a + b log W, natural logarithms\n"
		"  linear    D = a + b W\n"
		"  weighted  D = a + b W, weights 1/W\n"
		"  power     D = a + b W^(2/3)\n"
		"Executions without work (or, for log, of zero length) are not used; if all W\n"
		"are equal, b = 0. outliers --model regression uses the same fits. --points N\n"
		"gives Work, Duration, PredictionLow, PredictionHigh: the fit and its prediction\n"
		"interval at N evenly spaced values of the work from MinWork to MaxWork (for log,\n"
		"evenly spaced logarithms). A task above PredictionHigh is an outlier.\n"
		"Source: StarVZ's model diagnostic, with the prediction interval.",
	.example = "traceviz regression data/qr-mumps-like.csv",
	.windowless = true,
	.run = run_regression,
};
