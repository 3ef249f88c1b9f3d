/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counter.c -- panels of variables of the trace: any one, per resource or summed over those of a kind;
 * those that a simulation on a platform writes. One row of `struct variables` each for these.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/charts/curves.h"

static void show_curves(struct tv_curves_shown *shown, const struct tv_table *table,
			const struct tv_curve_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct tv_curve *curve = &list->at[i];
		const char *by = tv_pool_text(table->pool, curve->by);
		/* Its resource or type of resources, and its variable if there are several. */
		char *text = tv_curve_list_several(list)
				   ? tv_format("%s, %s", tv_pool_text(table->pool, curve->name), by)
				   : tv_strdup(by);

		shown->low = fmin(shown->low, curve->extent.min);
		tv_curves_show(shown, curve->pieces, TV_KEY_LINE,
			       tv_curve_colors[i % TV_CURVE_COLORS], text);
		tv_free(text);
	}
}

struct state {
	struct tv_curves_shown shown;
	const char *name, *resource;
	bool sum;
	uint64_t top;
};

/* The curves of each resource, or the sums of each kind of them: on demand, or if they are too many
 * to be distinguished. */
static int find_curves(struct tv_figure *figure, const struct tv_slot *slot,
		       const struct tv_table **table, struct tv_curve_list *list, bool *sum,
		       struct tv_error *err)
{
	const struct state *state = slot->state;
	const char *name = state->name != NULL ? state->name : "";
	int rc;

	for (*sum = state->sum;; *sum = true) {
		rc = tv_panel_pass(figure, slot->panel, "counter",
				   (const char *const[]){ "name", name, "resource", state->resource,
							  *sum ? "sum" : NULL, "", NULL },
				   table, err);
		if (rc != 0)
			return rc;
		tv_curve_list_init(list, *table, "By", "Value");
		if (*sum || list->n <= TV_CURVE_COLORS)
			break;
		tv_curve_list_release(list, NULL);
	}
	tv_curve_list_measure(list);
	return 0;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const char *name = ((const struct state *)slot->state)->name;
	const struct tv_table *table;
	struct tv_curves_shown *shown;
	struct tv_curve_list list;
	bool sum;
	int rc = find_curves(figure, slot, &table, &list, &sum, err);

	if (rc != 0)
		return rc;
	if (list.n == 0)
		rc = tv_panel_nothing(figure, slot->panel,
				      "no resource that fits has a value in the window");
	else if (list.n > TV_CURVE_COLORS)
		rc = tv_fail_usage(err,
				   "--counter.name '%s' fits %zu variables, expected at "
				   "most %d",
				   name, list.n, TV_CURVE_COLORS);
	else {
		shown = tv_curves_new(slot);
		show_curves(shown, table, &list);
		shown->title = tv_clean_format("%s%s",
					       tv_curve_list_several(&list)
						       ? name
						       : tv_pool_text(table->pool, list.at[0].name),
					       sum ? ", sums" : "");
	}
	tv_curve_list_release(&list, NULL);
	return rc;
}

#define RESOURCES \
	{ \
		"resource", "NAME,...", NULL, "only these resources (* and ? match)", \
			TV_OPTION_LIST, TV_INTO(struct state, resource) \
	}

static const struct tv_option_spec options[] = {
	{ "name", "NAME", NULL, "Type of the variable; * and ? match",
	  TV_INTO(struct state, name) },
	RESOURCES,
	{ "sum", NULL, NULL,
	  "draw sums over the resources of a type (always for more than eight curves)",
	  TV_INTO(struct state, sum) },
	TV_OPTION_LIMIT,
};

const struct tv_panel tv_panel_counter = {
	.name = "counter",
	.untyped = true,
	.title = "a variable of the trace, chosen by --counter.name",
	.needs = "variables",
	.share = 0.7,
	TV_PANEL_OPTIONS(options, struct state),
	.prepare = prepare,
	TV_CURVES_PANEL,
};

/* ---- what a simulation on a platform writes ---- */

enum { VARIABLES_MAX = 3 };

/* What such a panel shows; its spec. */
struct variables {
	const char *name[VARIABLES_MAX + 1]; /* Types, up to NULL; * matches */
	const char *text[VARIABLES_MAX];     /* what keys say besides the resource */
	uint32_t color[VARIABLES_MAX];	     /* 0 = another one for each resource */
	const char *title;
	bool sum; /* counts: one curve of each variable, per ms; else the largest of all resources */
	bool sized;  /* in MiB, of resources that have a Size */
	double high; /* of the scale, or the largest value; 0 = by the data alone */
};

/* A curve while they are ranked. */
struct ranked {
	struct tv_curve curve;
	const char *resource, *text;
	uint32_t color; /* 0 = by its rank */
	size_t place;	/* in the order of the results */
};

TV_ORDER(by_mean, struct ranked, down(curve.extent.mean), place)

/* The curves of variable i, of all resources or kinds of them, behind the n that are in *ranked. */
static size_t add_ranked(const struct variables *variables, size_t i, const struct tv_table *table,
			 struct ranked **ranked, size_t n)
{
	struct tv_curve_list list;

	tv_curve_list_init(&list, table, "By", "Value");
	tv_curve_list_measure(&list);
	*ranked = tv_realloc(*ranked, n + list.n, sizeof **ranked);
	for (size_t k = 0; k < list.n; k++, n++) {
		const struct tv_curve *curve = &list.at[k];
		bool back = strstr(tv_pool_text(table->pool, curve->name), " back (") != NULL;

		(*ranked)[n] = (struct ranked){
			*curve,
			variables->sum && list.n == 1 ? "" : tv_pool_text(table->pool, curve->by),
			back ? " back" : variables->text[i],
			variables->color[i],
			n,
		};
	}
	tv_curve_list_release(&list, NULL);
	return n;
}

static void show_ranked(struct tv_curves_shown *shown, const struct ranked *ranked, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *name = tv_format("%s%s", ranked[i].resource, ranked[i].text);
		char *text = tv_curve_text(&shown->printed,
					   ranked[i].curve.extent.mean < 10
						   ? "{name}: mean {mean:2}"
						   : "{name}: mean {mean:1}",
					   name, &ranked[i].curve, "");

		tv_curves_show(shown, ranked[i].curve.pieces, TV_KEY_LINE,
			       ranked[i].color != 0 ? ranked[i].color
						    : tv_curve_colors[shown->n % TV_CURVE_COLORS],
			       text);
		tv_free(name);
		tv_free(text);
	}
}

static double max_of(const struct ranked *ranked, size_t n)
{
	double max = 0;

	for (size_t i = 0; i < n; i++)
		max = fmax(max, ranked[i].curve.extent.max);
	return max;
}

/* The curves of all variables of the panel; the first one decides whether there is anything. */
static int find_ranked(struct tv_figure *figure, const struct tv_slot *slot, struct ranked **ranked,
		       size_t *n, struct tv_error *err)
{
	const struct variables *variables = slot->panel->spec;
	const struct state *state = slot->state;
	int rc = 0;

	for (size_t i = 0; rc == 0 && variables->name[i] != NULL; i++) {
		const char *const option[] = { "name",
					       variables->name[i],
					       "resource",
					       state->resource,
					       variables->sum ? "sum" : NULL,
					       "",
					       "rate",
					       "",
					       NULL };
		const struct tv_table *table;

		rc = i == 0 ? tv_panel_pass(figure, slot->panel, "counter", option, &table, err)
			    : tv_panel_pass_for(figure, variables->name[i], "counter", option,
						&table, err);
		if (rc == 0)
			*n = add_ranked(variables, i, table, ranked, *n);
		else if (i > 0 && rc == TV_NOTHING)
			rc = 0;
	}
	return rc;
}

/* The Size of a resource in bytes; 0 = not known. */
static int64_t size_of(const struct tv_trace *trace, const char *resource)
{
	const struct tv_table *table = &trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(table, "ResourceId"),
			       *size = tv_table_find(table, "Size");
	uint32_t label = tv_pool_find_text(trace->pool, resource);

	for (uint32_t row = 0; id != NULL && size != NULL && row < table->nrows; row++)
		if (tv_label(id, row) == label && !tv_missing(size, row))
			return size->i[row];
	return 0;
}

/* What fits in each of the resources shown, if it is the same for all. */
static void show_size(struct tv_figure *figure, struct tv_curves_shown *shown,
		      const struct ranked *ranked, size_t n)
{
	int64_t size = size_of(figure->run->trace, ranked[0].resource);

	for (size_t i = 1; i < n; i++)
		if (size_of(figure->run->trace, ranked[i].resource) != size)
			return;
	if (size > 0)
		tv_curves_level(shown, figure->axis.begin, figure->axis.end, (double)size / 0x1p20,
				TV_INK, "size of each");
}

static int prepare_variables(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct variables *variables = slot->panel->spec;
	struct tv_curves_shown *shown;
	struct ranked *ranked = NULL;
	size_t n = 0, top;
	int rc = find_ranked(figure, slot, &ranked, &n, err);

	if (rc == 0 && n == 0)
		rc = tv_panel_nothing(figure, slot->panel,
				      "no resource that fits has a value in the window");
	if (rc != 0) {
		tv_free(ranked);
		return rc;
	}
	top = variables->sum ? n : ((const struct state *)slot->state)->top;
	if (!variables->sum)
		qsort(ranked, n, sizeof *ranked, by_mean);
	shown = tv_curves_new(slot);
	top = top < n ? top : n;
	show_ranked(shown, ranked, top);
	if (shown->high == 0 && variables->high > 0)
		shown->high = fmax(variables->high, max_of(ranked, top));
	if (variables->sized)
		show_size(figure, shown, ranked, top);
	shown->title = top < n ? tv_format("%s, %zu of %zu", variables->title, top, n)
			       : tv_strdup(variables->title);
	tv_free(ranked);
	return 0;
}

static const struct tv_option_spec top_options[] = {
	{ "top", "N", "4", "only those with the largest means", TV_OPTION_COUNT, 1, TV_CURVE_COLORS,
	  TV_INTO(struct state, top) },
	RESOURCES,
	TV_OPTION_LIMIT,
};
static const struct tv_option_spec sum_options[] = { RESOURCES, TV_OPTION_LIMIT };

#define VARIABLES(array, ...) \
	TV_PANEL_OPTIONS(array, struct state), .spec = &(const struct variables){ __VA_ARGS__ }, \
					       .prepare = prepare_variables, TV_CURVES_PANEL

const struct tv_panel tv_panel_link_use = {
	.name = "link-use",
	.untyped = true,
	.title = "share of the bandwidth of each link that is used, in simulated runs",
	.needs = "variables of simulate --platform",
	.share = 0.7,
	VARIABLES(top_options, .name = { "Link use*" }, .text = { "" }, .title = "link use, %",
		  .high = 100),
};

const struct tv_panel tv_panel_cache_occupancy = {
	.name = "cache-occupancy",
	.untyped = true,
	.title = "data in each last-level cache, in simulated runs",
	.needs = "variables of simulate --model comm-cache",
	.share = 0.5,
	VARIABLES(top_options, .name = { "Cache occupancy (MiB)" }, .text = { "" },
		  .title = "cache occupancy, MiB", .sized = true),
};

const struct tv_panel tv_panel_cache_events = {
	.name = "cache-events",
	.untyped = true,
	.title = "hits, misses and evictions of last-level caches per ms, in simulated runs",
	.needs = "variables of simulate --model comm-cache",
	.share = 0.7,
	VARIABLES(sum_options, .name = { "Cache hits", "Cache misses", "Cache evictions" },
		  .text = { "hits", "misses", "evictions" },
		  .color = { 0x2a9d77, 0xd55e00, 0x552266 }, .title = "all caches, events per ms",
		  .sum = true),
};
