/* SPDX-License-Identifier: GPL-3.0-or-later */
/* summary.c -- how many tasks of each kind there are, and how long they take. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/grouping.h"
#include "analysis/statistics.h"
#include "trace/alloc.h"

enum { KEYS_MAX = 16 };

/* Quantiles that become columns. */
static const struct {
	const char *name;
	uint32_t percent;
} quantiles[] = { { "Min", 0 },	     { "Q05", 5 },  { "Q25", 25 }, { "Median", 50 },
		  { "Q75", 75 }, { "Q95", 95 }, { "Max", 100 } };

struct report {
	const struct tv_view *view;
	const struct tv_column *key[KEYS_MAX];	/* of tasks */
	struct tv_column *copy[KEYS_MAX];	/* of the result */
	size_t nkeys;
	struct tv_groups groups;
	struct tv_column *tasks, *executions, *total, *share, *mean, *sd, *footprints;
	struct tv_column *quantile[TV_COUNT(quantiles)];
	const struct tv_column *footprint;	/* of tasks; NULL if the trace has none */
	tv_int128 whole;			/* time of all groups */
	int64_t *time;				/* room for the durations of any group */
	uint32_t *label;			/* ... and for its footprints */
};

static int compare_cells(const struct tv_column *c, uint32_t a, uint32_t b)
{
	bool none = tv_missing(c, a);
	size_t n, m;
	const char *s, *t;

	if (none || tv_missing(c, b))
		return none - tv_missing(c, b);
	switch (c->type) {
	case TV_TIME:
	case TV_INT: return (c->i[a] > c->i[b]) - (c->i[a] < c->i[b]);
	case TV_DOUBLE: return (c->d[a] > c->d[b]) - (c->d[a] < c->d[b]);
	case TV_LABEL:
		return tv_natural_order(tv_pool_text(c->pool, tv_label(c, a)),
					tv_pool_text(c->pool, tv_label(c, b)));
	default:
		s = tv_string(c, a, &n);
		t = tv_string(c, b, &m);
		return memcmp(s, t, n < m ? n : m) != 0 ? memcmp(s, t, n < m ? n : m)
							: (n > m) - (n < m);
	}
}

/* Groups by their first rows' keys; missing ones last. */
static int by_keys(const void *a, const void *b, void *data)
{
	const struct report *to = data;
	uint32_t x = to->groups.row[to->groups.first[*(const uint32_t *)a]];
	uint32_t y = to->groups.row[to->groups.first[*(const uint32_t *)b]];
	int order = 0;

	for (size_t i = 0; i < to->nkeys && order == 0; i++)
		order = compare_cells(to->key[i], x, y);
	return order != 0 ? order : (x > y) - (x < y);
}

static int copy_cell(struct tv_column *to, uint32_t at, const struct tv_column *from, uint32_t row)
{
	const char *text;
	size_t n;

	if (tv_missing(from, row))
		return 0;
	switch (from->type) {
	case TV_TIME:
	case TV_INT: return tv_set_int(to, at, from->i[row]);
	case TV_DOUBLE: return tv_set_double(to, at, from->d[row]);
	case TV_LABEL: return tv_set_label(to, at, tv_label(from, row));
	default:
		text = tv_string(from, row, &n);
		return tv_set_string(to, at, text, n);
	}
}

static int by_label(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* How many labels differ. Sorts them. */
static uint32_t distinct(uint32_t *label, uint32_t n)
{
	uint32_t count = n > 0;

	if (n > 0)
		qsort(label, n, sizeof *label, by_label);
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

static int write_group(struct report *to, uint32_t group, uint32_t at)
{
	const uint32_t *row = to->groups.row + to->groups.first[group];
	uint32_t n = to->groups.first[group + 1] - to->groups.first[group];
	struct tv_moments moments;
	tv_int128 total = 0;
	int64_t tasks = 0;
	double share;

	for (uint32_t i = 0; i < n; i++) {
		to->time[i] = tv_row_time(to->view, row[i]);
		total += to->time[i];
		tasks += to->view->leads[row[i]];
	}
	tv_sort_times(to->time, n);
	moments = tv_moments_ns(to->time, n);
	share = to->whole > 0 ? 100 * (double)total / (double)to->whole : 0;
	for (size_t i = 0; i < to->nkeys; i++)
		if (copy_cell(to->copy[i], at, to->key[i], row[0]) < 0)
			return -1;
	for (size_t i = 0; i < TV_COUNT(quantiles); i++)
		if (tv_set_int(to->quantile[i], at,
			       tv_quantile_ns(to->time, n, quantiles[i].percent, 100)) < 0)
			return -1;
	if (tv_set_int(to->tasks, at, tasks) < 0
	    || tv_set_int(to->executions, at, n) < 0
	    || tv_set_int(to->total, at, tv_sum_ns(total)) < 0
	    || tv_set_double(to->share, at, share) < 0
	    || tv_set_int(to->mean, at, (int64_t)((2 * total + n) / (2 * (tv_int128)n))) < 0
	    || (n > 1 && tv_set_int(to->sd, at, llround(moments.sd)) < 0))
		return -1;
	return to->footprint == NULL
	     ? 0 : tv_set_int(to->footprints, at, count_footprints(to, row, n));
}

/* The columns of --by, first of the result. */
static int add_keys(struct report *to, const char *names, struct tv_table *out,
		    struct tv_error *err)
{
	while (*names != '\0') {
		const struct tv_column *key = tv_grouping_column(to->view, &names, "by", err);

		if (key == NULL)
			return -1;
		if (to->nkeys == KEYS_MAX)
			return tv_fail_usage(err, "--by: at most %d columns", KEYS_MAX);
		if (tv_table_find(out, key->name) != NULL)
			return tv_fail_usage(err, "--by names column '%s' twice", key->name);
		to->key[to->nkeys] = key;
		to->copy[to->nkeys] = tv_table_column(out, key->name, key->type, err);
		if (to->copy[to->nkeys++] == NULL)
			return -1;
	}
	return 0;
}

static int add_column(struct tv_column **column, struct tv_table *out, const char *name,
		      enum tv_type type, struct tv_error *err)
{
	if (tv_table_find(out, name) != NULL)
		return tv_fail_usage(err, "--by: column '%s' is one of the result's", name);
	*column = tv_table_column(out, name, type, err);
	return *column == NULL ? -1 : 0;
}

static int add_columns(struct report *to, struct tv_table *out, struct tv_error *err)
{
	if (add_column(&to->tasks, out, "Tasks", TV_INT, err) < 0
	    || add_column(&to->executions, out, "Executions", TV_INT, err) < 0
	    || add_column(&to->total, out, "Total", TV_TIME, err) < 0
	    || add_column(&to->share, out, "Share", TV_DOUBLE, err) < 0
	    || add_column(&to->mean, out, "Mean", TV_TIME, err) < 0
	    || add_column(&to->sd, out, "SD", TV_TIME, err) < 0)
		return -1;
	for (size_t i = 0; i < TV_COUNT(quantiles); i++)
		if (add_column(&to->quantile[i], out, quantiles[i].name, TV_TIME, err) < 0)
			return -1;
	return add_column(&to->footprints, out, "Footprints", TV_INT, err);
}

/* Says which types mix several footprints: their durations are not of one distribution. */
static int remark_footprints(struct tv_run *run, struct report *to, const uint32_t *order,
			     const char *by, struct tv_error *err)
{
	const struct tv_column *type = tv_table_find(&run->trace->table[TV_TASKS], "Value");
	uint32_t mixed = 0, most = 0, most_group = 0;

	for (uint32_t i = 0; i < to->groups.n; i++) {
		uint32_t g = order[i], first = to->groups.first[g];
		uint32_t n = count_footprints(to, to->groups.row + first,
					      to->groups.first[g + 1] - first);

		mixed += n > 1;
		if (n > most) {
			most = n;
			most_group = g;
		}
	}
	if (mixed == 0)
		return 0;
	return tv_remark(run, err,
			 "%lu of %lu rows mix tasks of several footprints (sizes), such as %.40s "
			 "with %lu: see --by %s%sFootprint", (unsigned long)mixed,
			 (unsigned long)to->groups.n,
			 tv_pool_text(run->view.pool, tv_label(type, to->groups.row[
				 to->groups.first[most_group]])), (unsigned long)most,
			 by, by[0] != '\0' ? "," : "");
}

static int write_all(struct tv_run *run, struct report *to, const char *by, struct tv_table *out,
		     struct tv_error *err)
{
	uint32_t *order = tv_alloc(to->groups.n, sizeof *order);
	int rc = 0;

	to->time = tv_alloc(to->view->ncounted, sizeof *to->time);
	to->label = tv_alloc(to->view->ncounted, sizeof *to->label);
	if (order == NULL || to->time == NULL || to->label == NULL) {
		rc = tv_fail_memory(err);
	} else {
		for (uint32_t i = 0; i < to->groups.n; i++)
			order[i] = i;
		qsort_r(order, to->groups.n, sizeof *order, by_keys, to);
		for (uint32_t i = 0; i < to->groups.n && rc == 0; i++)
			if (write_group(to, order[i], i) < 0)
				rc = tv_fail_memory(err);
		if (rc == 0 && to->footprint != NULL)
			rc = remark_footprints(run, to, order, by, err);
		out->nrows = to->groups.n;
	}
	tv_free(order);
	tv_free(to->time);
	tv_free(to->label);
	return rc;
}

static int run_summary(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct tv_view *view = &run->view;
	const char *by = tv_option(options, "by");
	struct report to = { .view = view };
	struct tv_grouping grouping;
	int rc;

	to.footprint = tv_table_find(&run->trace->table[TV_TASKS], "Footprint");
	if (add_keys(&to, by, out, err) < 0 || add_columns(&to, out, err) < 0
	    || tv_grouping_init(&grouping, view, by, "by", out->pool, err) < 0)
		return -1;
	rc = tv_groups_init(&to.groups, grouping.group, view->n, grouping.n, err);
	tv_grouping_release(&grouping);
	if (rc < 0)
		return -1;
	for (uint32_t row = 0; row < view->n; row++)
		if (view->counted[row])
			to.whole += tv_row_time(view, row);
	rc = write_all(run, &to, by, out, err);
	tv_groups_release(&to.groups);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks: one row per combination; '' = one row for all" },
};

static const struct tv_field columns[] = {
	{ "Value", TV_LABEL, false, "", "task type; with --by the columns named there instead" },
	{ "ResourceType", TV_LABEL, false, "", "resource type; the same" },
	{ "Tasks", TV_INT, false, "", "number of tasks; a team is one, where its first row is" },
	{ "Executions", TV_INT, false, "", "number of executions; a team has one per worker" },
	{ "Total", TV_TIME, false, "ms", "sum of the durations of the executions" },
	{ "Share", TV_DOUBLE, false, "%", "Total over that of all rows" },
	{ "Mean", TV_TIME, false, "ms", "mean duration" },
	{ "SD", TV_TIME, false, "ms", "standard deviation, divisor n - 1; missing for one" },
	{ "Min", TV_TIME, false, "ms", "shortest" },
	{ "Q05", TV_TIME, false, "ms", "5 % are shorter" },
	{ "Q25", TV_TIME, false, "ms", "first quartile" },
	{ "Median", TV_TIME, false, "ms", "half are shorter" },
	{ "Q75", TV_TIME, false, "ms", "third quartile" },
	{ "Q95", TV_TIME, false, "ms", "95 % are shorter" },
	{ "Max", TV_TIME, false, "ms", "longest" },
	{ "Footprints", TV_INT, false, "",
	  "different data layouts among them; missing if the trace has none" },
};

const struct tv_pass tv_pass_summary = {
	.name = "summary",
	.summary = "count the tasks of each type and say how long they took",
	.kind = TV_SUMMARISE,
	.needs = "",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "One row per task type and resource type, in natural order. Quantiles are of\n"
		 "type 7 (R's default): linear interpolation at (n - 1) p of the sorted\n"
		 "durations, rounded to ns. Tasks of several footprints have data of different\n"
		 "sizes, so that mean and quantiles describe no one distribution: that is said,\n"
		 "and --by can tell them apart. For a part of the run, --restrict 'Start >=\n"
		 "100'.",
	.example = "traceviz summary data/cholesky.csv",
	.windowless = true,
	.run = run_summary,
};
