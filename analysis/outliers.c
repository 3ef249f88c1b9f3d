/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outliers.c -- tasks that took much longer than others of their type on the same resources. */
#include <stdlib.h>
#include <string.h>

#include "analysis/common.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"

struct rule {
	int64_t min_group;	/* smaller groups have no threshold */
	int64_t min_excess_ns;
};

/* A group so far, told apart further by one more column. */
struct slot {
	uint64_t group;		/* twice the group, plus one for a missing cell */
	uint64_t cell;
	uint32_t refined;	/* TV_NONE = free slot */
};

/* Groups of rows: all counted ones in one, refined column by column. */
struct grouping {
	uint32_t *group;	/* by row; TV_NONE = not counted */
	uint32_t n;
	struct slot *slot;
	size_t nslots;		/* a power of two, at least twice the rows */
};

static struct slot *find_slot(const struct grouping *g, uint64_t group, uint64_t cell)
{
	uint64_t h = (cell + group) * 0x9e3779b97f4a7c15u;
	size_t at;

	h = (h ^ h >> 29 ^ group) * 0xbf58476d1ce4e5b9u;
	at = (size_t)(h >> 32) & (g->nslots - 1);
	while (g->slot[at].refined != TV_NONE
	       && (g->slot[at].group != group || g->slot[at].cell != cell))
		at = (at + 1) & (g->nslots - 1);
	return &g->slot[at];
}

/* A cell as a number, equal where the cells are. Texts are given their number in the pool. */
static int cell_number(const struct tv_column *column, uint32_t row, struct tv_pool *pool,
		       uint64_t *cell)
{
	const char *text;
	double value;
	size_t n;

	*cell = TV_NONE;
	if (tv_missing(column, row))
		return 0;
	switch (column->type) {
	case TV_LABEL:
		*cell = tv_label(column, row);
		return 0;
	case TV_TIME:
	case TV_INT:
		*cell = (uint64_t)column->i[row];
		return 0;
	case TV_DOUBLE:
		value = column->d[row] + 0.0;	/* -0 is 0 */
		memcpy(cell, &value, sizeof *cell);
		return 0;
	default:
		text = tv_string(column, row, &n);
		*cell = tv_intern(pool, text, n);
		return *cell == TV_NONE ? -1 : 0;
	}
}

static int refine(struct grouping *g, uint32_t nrows, const struct tv_column *column,
		  struct tv_pool *pool)
{
	for (size_t i = 0; i < g->nslots; i++)
		g->slot[i].refined = TV_NONE;
	g->n = 0;
	for (uint32_t row = 0; row < nrows; row++) {
		struct slot *slot;
		uint64_t group, cell;

		if (g->group[row] == TV_NONE)
			continue;
		if (cell_number(column, row, pool, &cell) < 0)
			return -1;
		group = 2 * (uint64_t)g->group[row] + tv_missing(column, row);
		slot = find_slot(g, group, cell);
		if (slot->refined == TV_NONE)
			*slot = (struct slot){ group, cell, g->n++ };
		g->group[row] = slot->refined;
	}
	return 0;
}

static int group_by(struct grouping *g, const struct tv_view *view, const char *names,
		    struct tv_pool *pool, struct tv_error *err)
{
	while (*names != '\0') {
		size_t n = strcspn(names, ",");
		const struct tv_column *column;
		char name[128];

		if (n == 0 || n >= sizeof name)
			return tv_fail_usage(
				err, "--group: expected names of columns with commas between");
		memcpy(name, names, n);
		name[n] = '\0';
		column = tv_table_find(&view->trace->table[TV_TASKS], name);
		if (column == NULL)
			return tv_fail(err, (struct tv_pos){ 0 },
				       "--group: the tasks have no column '%s'", name);
		if (column->type == TV_LIST)
			return tv_fail(err, (struct tv_pos){ 0 },
				       "--group: column '%s' holds lists", name);
		if (refine(g, view->n, column, pool) < 0)
			return tv_fail_memory(err);
		names += n + (names[n] == ',');
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Four times the quartile q (1..3) of sorted x[0..n): type 7, so h = (n - 1) q / 4. Exact. */
static tv_int128 quartile4(const int64_t *x, uint32_t n, uint32_t q)
{
	uint64_t h = (uint64_t)(n - 1) * q;
	uint32_t at = (uint32_t)(h / 4), rest = (uint32_t)(h % 4);

	return 4 * (tv_int128)x[at] + (rest == 0 ? 0 : rest * ((tv_int128)x[at + 1] - x[at]));
}

/* Floor of Q3 + 1.5 (Q3 - Q1) = (5 Q3 - 3 Q1) / 2, within the range of times. */
static int64_t threshold_of(int64_t *x, uint32_t n)
{
	tv_int128 eightfold;

	qsort(x, n, sizeof *x, by_time);
	eightfold = 5 * quartile4(x, n, 3) - 3 * quartile4(x, n, 1);
	if (eightfold < 0)
		return -1;	/* durations are not negative, so all of them are above */
	return tv_sum_ns(eightfold / 8);
}

static int mark_group(const struct tv_view *view, const struct rule *rule, const uint32_t *row,
		      uint32_t n, int64_t *times, struct tv_column *outlier,
		      struct tv_column *threshold)
{
	int64_t limit = 0;
	bool judged = n >= rule->min_group;

	for (uint32_t i = 0; i < n; i++)
		times[i] = tv_row_time(view, row[i]);
	if (judged)
		limit = threshold_of(times, n);
	for (uint32_t i = 0; i < n; i++) {
		int64_t time = tv_row_time(view, row[i]);
		bool is = judged && time > limit && time - limit >= rule->min_excess_ns;

		if (tv_set_int(outlier, row[i], is) < 0
		    || (judged && tv_set_int(threshold, row[i], limit) < 0))
			return -1;
	}
	return 0;
}

static int mark(const struct tv_view *view, const struct rule *rule, const struct grouping *g,
		struct tv_table *out, struct tv_error *err)
{
	struct tv_column *outlier = tv_table_column(out, "Outlier", TV_INT, err);
	struct tv_column *threshold = tv_table_column(out, "Threshold", TV_TIME, err);
	struct tv_groups groups;
	int64_t *times;
	int rc = 0;

	out->nrows = view->n;
	if (outlier == NULL || threshold == NULL
	    || tv_groups_init(&groups, g->group, view->n, g->n, err) < 0)
		return -1;
	times = tv_alloc(view->ncounted, sizeof *times);
	if (times == NULL)
		rc = -1;
	for (uint32_t i = 0; i < groups.n && rc == 0; i++)
		rc = mark_group(view, rule, groups.row + groups.first[i],
				groups.first[i + 1] - groups.first[i], times, outlier, threshold);
	tv_free(times);
	tv_groups_release(&groups);
	return rc < 0 ? tv_fail_memory(err) : 0;
}

static int group_and_mark(const struct tv_view *view, const struct rule *rule, const char *names,
			  struct tv_table *out, struct tv_error *err)
{
	struct grouping g = { .n = 1, .nslots = 64 };
	int rc = -1;

	while (g.nslots / 2 < view->ncounted)
		g.nslots *= 2;
	g.group = tv_alloc(view->n, sizeof *g.group);
	g.slot = tv_alloc(g.nslots, sizeof *g.slot);
	if (g.group == NULL || g.slot == NULL) {
		tv_fail_memory(err);
		goto out;
	}
	for (uint32_t row = 0; row < view->n; row++)
		g.group[row] = view->counted[row] ? 0 : TV_NONE;
	if (group_by(&g, view, names, out->pool, err) == 0)
		rc = mark(view, rule, &g, out, err);
out:
	tv_free(g.group);
	tv_free(g.slot);
	return rc;
}

/* A cell of a column that the user brought, as a number. */
static bool number_of(const struct tv_column *column, uint32_t row, int scale, int64_t *value)
{
	const char *text;
	size_t n;

	if (tv_missing(column, row))
		return false;
	switch (column->type) {
	case TV_TIME:
	case TV_INT:
		*value = column->i[row];
		return true;
	case TV_LABEL:
	case TV_TEXT:
		text = tv_string(column, row, &n);
		return tv_parse_scaled(text, n, scale, value) == TV_PARSE_OK;
	default:
		return false;
	}
}

/* The marks that the tasks already carry. */
static int take_over(const struct tv_view *view, const struct tv_column *marks,
		     struct tv_table *out, struct tv_error *err)
{
	const struct tv_column *limits = tv_table_find(&view->trace->table[TV_TASKS], "Threshold");
	struct tv_column *outlier = tv_table_column(out, "Outlier", TV_INT, err);
	struct tv_column *threshold = tv_table_column(out, "Threshold", TV_TIME, err);

	out->nrows = view->n;
	if (outlier == NULL || threshold == NULL)
		return -1;
	for (uint32_t row = 0; row < view->n; row++) {
		int64_t value;

		if (!view->counted[row])
			continue;
		if (!tv_missing(marks, row)
		    && (!number_of(marks, row, 0, &value) || (value != 0 && value != 1))) {
			char text[80];

			tv_cell_text(marks, row, text, sizeof text);
			return tv_fail(err, (struct tv_pos){ 0 },
				       "column Outlier is '%s', expected 0 or 1", text);
		}
		if (number_of(marks, row, 0, &value) && tv_set_int(outlier, row, (int)value) < 0)
			return tv_fail_memory(err);
		/* Our own times are milliseconds with six decimals. */
		if (limits != NULL && number_of(limits, row, 6, &value)
		    && tv_set_int(threshold, row, value) < 0)
			return tv_fail_memory(err);
	}
	return 0;
}

static int parse_rule(const struct tv_options *options, struct rule *rule, struct tv_error *err)
{
	const char *group = tv_option(options, "min-group");
	const char *excess = tv_option(options, "min-excess");

	if (tv_parse_int(group, strlen(group), &rule->min_group) != TV_PARSE_OK
	    || rule->min_group < 1)
		return tv_fail_usage(err, "--min-group: expected a whole number from 1, found '%s'",
				     group);
	if (tv_parse_time(excess, &rule->min_excess_ns) != TV_PARSE_OK || rule->min_excess_ns < 0)
		return tv_fail_usage(err,
				     "--min-excess: expected a time like 0.5 or 500us, found '%s'",
				     excess);
	return 0;
}

static bool all_default(const struct tv_options *options)
{
	for (size_t i = 0; i < options->n; i++) {
		const struct tv_option_spec *spec = &options->spec[i];

		if (strcmp(tv_option(options, spec->name), spec->fallback) != 0)
			return false;
	}
	return true;
}

static int run_outliers(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct tv_column *marks = tv_table_find(&run->trace->table[TV_TASKS], "Outlier");
	struct rule rule;

	if (parse_rule(options, &rule, err) < 0)
		return -1;
	if (marks != NULL && all_default(options))
		return take_over(&run->view, marks, out, err);
	return group_and_mark(&run->view, &rule, tv_option(options, "group"), out, err);
}

static const struct tv_option_spec options[] = {
	{ "group", "COLUMN,...", "Value,ResourceType",
	  "columns of tasks; tasks equal in all are compared" },
	{ "min-group", "N", "1", "groups of fewer tasks have no outliers" },
	{ "min-excess", "T", "0",
	  "outliers exceed the threshold by at least this time (ms, or with a unit)" },
};

static const struct tv_field columns[] = {
	{ "Outlier", TV_INT, false, "",
	  "1 = outlier, 0 = not; missing for rows that are not counted tasks" },
	{ "Threshold", TV_TIME, false, "ms", "tasks that take longer are outliers; floor in ns" },
};

const struct tv_pass tv_pass_outliers = {
	.name = "outliers",
	.summary = "mark tasks that took much longer than others of their kind",
	.kind = TV_ANNOTATE,
	.needs = "",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "A task is an outlier if its duration exceeds Q3 + 1.5 (Q3 - Q1) of its group,\n"
		 "quartiles of type 7 (R's default), over the whole run. Strictly: equal\n"
		 "durations are never outliers. In groups of fewer than four no task can be one.\n"
		 "A column Outlier that the input already has is used as it is, unless an option\n"
		 "asks for another rule. Source: Garcia Pinto, thesis, 2018, (5.1).",
	.example = "traceviz outliers data/cholesky.csv",
	.run = run_outliers,
};
