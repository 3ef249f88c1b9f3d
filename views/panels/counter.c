/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counter.c -- the panel of a variable of the trace, per resource or summed over those of a kind. */
#include <math.h>

#include "trace/alloc.h"
#include "views/charts/curves.h"
#include "views/shared/panel.h"

/* Curves in a result, and whether they are of several variables. */
static size_t count_curves(const struct tv_table *table, bool *several)
{
	const struct tv_column *curve = tv_table_find(table, "Curve"),
			       *group = tv_table_find(table, "By");
	size_t n = table->nrows > 0;

	*several = false;
	for (uint32_t row = 1; row < table->nrows; row++) {
		n += tv_label(curve, row) != tv_label(curve, row - 1)
		  || tv_label(group, row) != tv_label(group, row - 1);
		*several = *several || tv_label(curve, row) != tv_label(curve, row - 1);
	}
	return n;
}

static const char *text_of(const struct tv_table *table, const char *column, uint32_t row)
{
	return tv_pool_text(table->pool, tv_label(tv_table_find(table, column), row));
}

static void show_curves(struct tv_curves_shown *shown, const struct tv_table *table, bool several)
{
	const struct tv_column *curve = tv_table_find(table, "Curve"),
			       *group = tv_table_find(table, "By");
	const int64_t *start = tv_table_find(table, "Start")->i,
		      *end = tv_table_find(table, "End")->i;
	const double *value = tv_table_find(table, "Value")->d;
	char *text;

	for (uint32_t row = 0, n; row < table->nrows; row += n) {
		struct tv_pieces pieces = { start + row, end + row, value + row, 0 };

		for (n = 0;
		     row + n < table->nrows && tv_label(curve, row + n) == tv_label(curve, row)
		     && tv_label(group, row + n) == tv_label(group, row);
		     n++)
			shown->low = fmin(shown->low, value[row + n]);
		pieces.n = n;
		/* Its resource or type of resources, and its variable if there are several. */
		text = several ? tv_format("%s, %s", text_of(table, "Curve", row),
					   text_of(table, "By", row))
			       : tv_strdup(text_of(table, "By", row));
		tv_curves_show(shown, pieces, TV_KEY_LINE,
			       tv_curve_colors[shown->n % TV_CURVE_COLORS], text);
		tv_free(text);
	}
}

/* The curves of each resource, or the sums of each kind of them: on demand, or if they are too many
 * to be told apart. */
static int find_curves(struct tv_figure *figure, const struct tv_panel *panel, const char *name,
		       const struct tv_table **table, bool *sum, struct tv_error *err)
{
	const char *resource = tv_panel_option(figure, panel, "resource");
	bool several;
	int rc = 0;

	*sum = tv_panel_option(figure, panel, "sum") != NULL;
	if (!*sum)
		rc = tv_panel_pass(
			figure, panel, "counter",
			(const char *const[]){ "name", name, "resource", resource, NULL }, table,
			err);
	if (rc != 0)
		return rc;
	*sum = *sum || count_curves(*table, &several) > TV_CURVE_COLORS;
	if (*sum)
		rc = tv_panel_pass(figure, panel, "counter",
				   (const char *const[]){ "name", name, "resource", resource, "sum",
							  "", NULL },
				   table, err);
	return rc;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *name = tv_panel_option(figure, slot->panel, "name");
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	bool sum, several;
	size_t n;
	int rc = find_curves(figure, slot->panel, name == NULL ? "" : name, &table, &sum, err);

	if (rc != 0)
		return rc;
	n = count_curves(table, &several);
	if (n == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no resource that fits has a value in the window");
	if (n > TV_CURVE_COLORS)
		return tv_fail_usage(err,
				     "--counter.name '%s' fits %zu variables, expected at "
				     "most %d",
				     name, n, TV_CURVE_COLORS);
	shown = tv_curves_new(figure, slot);
	show_curves(shown, table, several);
	shown->title = tv_clean_format("%s%s", several ? name : text_of(table, "Curve", 0),
				       sum ? ", sums" : "");
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL, "Type of the variable; * and ? match" },
	{ "resource", "NAME,...", NULL, "only these resources (* and ? match)", TV_OPTION_LIST },
	{ "sum", NULL, NULL,
	  "draw sums over the resources of a type (always for more than eight curves)" },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_counter = {
	.name = "counter",
	.title = "a variable of the trace, chosen by --counter.name",
	.needs = "variables",
	.share = 0.7,
	TV_OPTIONS(options),
	.prepare = prepare,
	TV_CURVES_PANEL,
};
