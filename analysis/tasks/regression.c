/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regression.c -- how durations depend on the work: the regressions by which outliers are found. */
#include <math.h>

#include "analysis/core/columns.h"
#include "analysis/core/tallied.h"
#include "analysis/core/warnings.h"
#include "analysis/tasks/thresholds.h"
#include "trace/alloc.h"

enum { KEYS = 2, POINTS_MAX = 10000 }; /* KEYS: columns of --by by default */
#define NS_PER_MS 1e6

static const char *const words[] = { "log", "linear", "weighted", "power" }; /* of --fit */

struct asked {
	const char *by, *against;
	double level;
	uint64_t min_group;
	enum tv_form fit;
	uint64_t points; /* 0 = coefficients */
};

/* The fit of a group. */
struct group {
	struct tv_fit_sums sums; /* of its tasks that can be used */
	double min, max;	 /* work of these */
	struct tv_fit fit;
	bool fitted;
	uint64_t outliers;
};

struct fits {
	const struct asked *asked;
	struct tv_run *run;
	struct tv_table keys; /* a row for each group */
	struct tv_tallied tallied;
	struct group *group;
	enum { FIND_GROUPS, ADD_POINTS, COUNT_OUTLIERS } reading;
	struct tv_table *out;
};

/* ---- rows, which may come part by part ---- */

static void add_point(const struct fits *fits, struct group *group, double work, int64_t time)
{
	if (!tv_fit_takes(fits->asked->fit, work, (double)time))
		return;
	if (fits->reading == ADD_POINTS) {
		tv_fit_add(&group->sums, work, (double)time);
		group->min = fmin(group->min, work);
		group->max = fmax(group->max, work);
	} else if (group->fitted) {
		/* As outliers --model regression. */
		group->outliers += (double)time
				 > tv_threshold_whole(tv_fit_limit(&group->fit, work, 1), 1);
	}
}

static void add_points(struct fits *fits, const struct tv_tasks *tasks,
		       const struct tv_grouping *by, const struct tv_column *against)
{
	uint32_t *group = tv_alloc(by->n, sizeof *group);

	for (uint32_t g = 0; g < by->n; g++)
		group[g] = tv_tallied_group(&fits->tallied, by, by->row[g]);
	for (uint32_t row = 0; row < tasks->n; row++) {
		double work;

		if (by->of_row[row] != TV_NONE && tv_cell_number(against, row, &work))
			add_point(fits, &fits->group[group[by->of_row[row]]], work,
				  tv_task_time(tasks, row));
	}
	tv_free(group);
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	struct fits *fits = state;
	const struct tv_measured_rows none = { 0 };
	const struct tv_column *against = tv_work_column(&part->tasks, fits->asked->against, err);
	struct tv_grouping by;

	if (against == NULL)
		return -1;
	if (fits->reading == FIND_GROUPS)
		return tv_tallied_tasks(&fits->tallied, &none, &part->tasks, fits->asked->by, true,
					err);
	if (tv_grouping_by_names(&by, &part->tasks, fits->asked->by, "by", true, err) < 0)
		return -1;
	add_points(fits, &part->tasks, &by, against);
	tv_grouping_release(&by);
	return 0;
}

/* The points of all processes. */
static void share_points(struct fits *fits, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	for (uint32_t g = 0; g < fits->tallied.ngroups; g++) {
		struct group *group = &fits->group[g];

		tv_pack_bytes(&pack, &group->min, sizeof group->min);
		tv_pack_bytes(&pack, &group->max, sizeof group->max);
		tv_fit_sums_pack(&group->sums, &pack);
		tv_fit_sums_release(&group->sums);
	}
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint32_t g = 0; g < fits->tallied.ngroups; g++) {
			struct group *group = &fits->group[g];
			double min, max;

			tv_unpack_bytes(&from, &min, sizeof min);
			tv_unpack_bytes(&from, &max, sizeof max);
			group->min = fmin(group->min, min);
			group->max = fmax(group->max, max);
			tv_fit_sums_unpack(&group->sums, &from);
		}
	}
	tv_gathered_release(&all);
}

static const struct tv_measure_spec rows_of[] = { { 0, TV_MEASURE_ROWS } };

static int fit_groups(struct fits *fits, struct tv_error *err)
{
	const struct tv_team *team = fits->run->team;

	fits->group = tv_alloc(fits->tallied.ngroups, sizeof *fits->group);
	for (uint32_t g = 0; g < fits->tallied.ngroups; g++)
		fits->group[g] = (struct group){ .sums.form = fits->asked->fit,
						 .min = INFINITY,
						 .max = -INFINITY };
	fits->reading = ADD_POINTS;
	if (tv_run_rows(fits->run, add_rows, fits, err) < 0)
		return -1;
	if (team != NULL)
		share_points(fits, team);
	for (uint32_t g = 0; g < fits->tallied.ngroups; g++) {
		struct group *group = &fits->group[g];

		group->fitted = group->sums.n >= fits->asked->min_group
			     && tv_fit_init(&group->fit, &group->sums, fits->asked->level);
	}
	if (fits->asked->points > 0)
		return 0;
	fits->reading = COUNT_OUTLIERS;
	if (tv_run_rows(fits->run, add_rows, fits, err) < 0)
		return -1;
	for (uint32_t g = 0; team != NULL && g < fits->tallied.ngroups; g++)
		tv_team_add(team, &fits->group[g].outliers, 1);
	return 0;
}

static int find_fits(struct fits *fits, struct tv_error *err)
{
	tv_table_init(&fits->keys, fits->run->trace->pool);
	tv_tallied_init(&fits->tallied, "by", false, rows_of, TV_COUNT(rows_of), &fits->keys);
	if (tv_tallied_run(&fits->tallied, fits->run, add_rows, fits, err) < 0)
		return -1;
	tv_warn_cut(fits->run);
	return fit_groups(fits, err);
}

static void release(struct fits *fits)
{
	for (uint32_t g = 0; fits->group != NULL && g < fits->tallied.ngroups; g++)
		tv_fit_sums_release(&fits->group[g].sums);
	tv_free(fits->group);
	tv_tallied_release(&fits->tallied);
	tv_table_release(&fits->keys);
}

/* ---- the result ---- */

/* The columns of the keys, then others. */
static int add_columns(struct fits *fits, const struct tv_field *field, size_t n,
		       struct tv_error *err)
{
	for (size_t i = 0; i < fits->tallied.ncolumns; i++)
		tv_table_column(fits->out, fits->keys.col[i]->name, fits->keys.col[i]->type, err);
	return tv_keys_fields(fits->out, "by", field, n, err);
}

/* A row with the keys of a group. */
static uint32_t add_row(struct fits *fits, uint32_t g)
{
	uint32_t row = tv_table_add_row(fits->out);

	for (size_t i = 0; i < fits->tallied.ncolumns; i++)
		tv_copy_cell(fits->out->col[i], row, fits->keys.col[i], g);
	return row;
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

static void write_fit(struct fits *fits, uint32_t g)
{
	struct tv_column *const *to = fits->out->col + fits->tallied.ncolumns;
	const struct group *group = &fits->group[g];
	const struct tv_fit *fit = &group->fit;
	bool logs = fits->asked->fit == TV_FORM_LOG;
	double unit = logs ? 1 : NS_PER_MS;
	uint32_t row = add_row(fits, g);

	tv_set_text(to[FIT], row, words[fits->asked->fit]);
	tv_set_int(to[POINTS], row, group->sums.n);
	tv_set_int(to[OUTLIERS], row, (int64_t)group->outliers);
	if (group->sums.n > 0) {
		tv_set_double(to[MIN_WORK], row, group->min);
		tv_set_double(to[MAX_WORK], row, group->max);
	}
	if (group->fitted) {
		tv_set_double(to[INTERCEPT], row, logs ? fit->a - log(NS_PER_MS) : fit->a / unit);
		tv_set_double(to[SLOPE], row, fit->b / unit);
		tv_set_double(to[SD], row, fit->s / unit);
		tv_set_double(to[FREEDOM], row, fit->freedom);
	}
}

/* ---- points of the curves ---- */

#define POINT_COLUMNS(X) \
	X(WORK, "Work", TV_DOUBLE, true, "", "value of the work, from MinWork to MaxWork") \
	X(FITTED, "Duration", TV_DOUBLE, true, "ms", "that the fit gives") \
	X(LOWER, "PredictionLow", TV_DOUBLE, true, "ms", "begin of the prediction interval") \
	X(UPPER, "PredictionHigh", TV_DOUBLE, true, "ms", "its end")

TV_COLUMNS(point_columns, POINT_COLUMNS)

/* The work of point k of npoints, evenly from min to max on the axis of the form. */
static double work_at(const struct fits *fits, const struct group *group, uint64_t k)
{
	double part = (double)k / (double)(fits->asked->points - 1);

	if (k == 0 || k == fits->asked->points - 1)
		return k == 0 ? group->min : group->max;
	return fits->asked->fit == TV_FORM_LOG
		     ? exp(log(group->min) + part * (log(group->max) - log(group->min)))
		     : group->min + part * (group->max - group->min);
}

static void write_points(struct fits *fits, uint32_t g)
{
	struct tv_column *const *to = fits->out->col + fits->tallied.ncolumns;
	const struct group *group = &fits->group[g];

	for (uint64_t k = 0; group->fitted && k < fits->asked->points; k++) {
		double x = work_at(fits, group, k);
		uint32_t row = add_row(fits, g);

		tv_set_double(to[WORK], row, x);
		tv_set_double(to[FITTED], row, tv_fit_limit(&group->fit, x, 0) / NS_PER_MS);
		tv_set_double(to[LOWER], row, tv_fit_limit(&group->fit, x, -1) / NS_PER_MS);
		tv_set_double(to[UPPER], row, tv_fit_limit(&group->fit, x, 1) / NS_PER_MS);
	}
}

/* ---- the pass ---- */

static int write_groups(struct fits *fits, struct tv_error *err)
{
	bool points = fits->asked->points > 0;
	uint32_t *order;

	if ((points ? add_columns(fits, point_columns, TV_COUNT(point_columns), err)
		    : add_columns(fits, columns + KEYS, NCOLUMNS, err))
	    < 0)
		return -1;
	order = tv_tallied_order(&fits->tallied);
	for (uint32_t i = 0; i < fits->tallied.ngroups; i++)
		(points ? write_points : write_fit)(fits, order[i]);
	tv_free(order);
	return 0;
}

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	return tv_fit_check_level(((const struct asked *)options->chosen)->level, err);
}

static int run_regression(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	struct fits fits = { .asked = options->chosen, .run = run, .out = out };
	int rc = find_fits(&fits, err);

	if (rc == 0)
		rc = write_groups(&fits, err);
	release(&fits);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks: one fit per combination; '' = one for all", TV_ASKED(by) },
	{ "fit", "log|linear|weighted|power", "log", "form of the regression (see below)",
	  TV_OPTION_CHOICE, TV_ASKED(fit) },
	{ "against", "COLUMN", NULL, "the work (default GFlop, else Size)", TV_ASKED(against) },
	{ "level", "P", "0.95", "level of the prediction interval", TV_OPTION_NUMBER, 0, 1,
	  TV_ASKED(level) },
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
	.columns = "GFlop Size",
	.in_parts = tv_pass_always,
	.unordered = true,
	.early = true,
	.beside = 60,
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
	.check = check_options,
	.run = run_regression,
};
