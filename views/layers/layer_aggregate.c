/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layer_aggregate.c -- groups of tasks, or slices of time, in the place of tasks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "views/charts/curves.h"
#include "views/layers/layers.h"

enum { SLICES = 150 };

enum way { CONSECUTIVE, SLICED, NODES };

/* The result of the pass aggregate, and the places of its rows. */
struct result {
	const struct tv_figure *figure;
	const struct tv_table *table;
	const struct tv_column *group, *resource, *rtype, *node, *start, *end, *pure, *part, *value,
		*share;
	uint32_t idle; /* label of that part */
	enum way way;
	uint8_t *type;	    /* by label of the task type */
	uint32_t *row;	    /* by label of the resource; nodes: not used */
	struct tv_map band; /* by labels of node and type of resource */
};

/* Wrong combinations of options; which of the ways is chosen. */
static int read_way(struct tv_figure *figure, const struct tv_layer_options *options, enum way *way,
		    struct tv_error *err)
{
	static const char *const name[] = { "consecutive", "slices", "nodes" };
	const char *how = options->aggregate, *other;
	size_t i = 0;

	if (strcmp(how, "algorithm1") == 0) /* its former name */
		how = name[CONSECUTIVE];
	while (i < TV_COUNT(name) && strcmp(name[i], how) != 0)
		i++;
	if (i == TV_COUNT(name))
		return tv_fail_usage(err,
				     "--spacetime.aggregate '%s', expected consecutive, slices or "
				     "nodes",
				     how);
	other = i != CONSECUTIVE && options->threshold != NULL ? "threshold"
	      : i != CONSECUTIVE && options->types != NULL     ? "types"
	      : i == CONSECUTIVE && options->step != NULL      ? "step"
							       : NULL;
	if (other != NULL)
		return tv_fail_usage(err,
				     "--spacetime.%s has no meaning for --spacetime.aggregate %s",
				     other, how);
	if ((figure->facet != NULL ? figure->facet->shown : figure->options->shown) != NULL)
		return tv_fail_usage(err,
				     "--spacetime.aggregate shows all tasks: it takes no selection "
				     "(--restrict cuts the trace)");
	if (i == NODES && figure->options->row_pattern != NULL)
		return tv_fail_usage(err,
				     "--spacetime.aggregate nodes shows all workers of a type: it "
				     "takes no --rows");
	*way = (enum way)i;
	return 0;
}

static int run_pass(struct result *r, struct tv_figure *figure,
		    const struct tv_layer_options *options, struct tv_error *err)
{
	const char *value[16];
	char usual[32];
	size_t n = 0;

	if (r->way != CONSECUTIVE) {
		tv_step_for(figure, SLICES, usual, sizeof usual);
		value[n++] = "step";
		value[n++] = options->step != NULL ? options->step : usual;
		value[n++] = "by";
		value[n++] = r->way == NODES ? "ResourceType" : "ResourceId";
	} else {
		if (options->threshold != NULL) {
			value[n++] = "threshold";
			value[n++] = options->threshold;
		}
		if (options->types != NULL) {
			value[n++] = "types";
			value[n++] = options->types;
		}
		if (figure->rows->has_outliers) {
			value[n++] = "keep-outliers";
			value[n++] = "";
		}
	}
	value[n] = NULL;
	return tv_layer_pass(figure, "aggregate", "aggregate", value, &r->table, err);
}

static void read_result(struct result *r)
{
	const struct tv_rows *rows = r->figure->rows;
	const struct tv_tasks *tasks = &r->figure->run->tasks;
	uint32_t nlabels = tv_pool_count(tasks->pool);

	r->group = tv_table_find(r->table, "Group");
	r->resource = tv_table_find(r->table, "ResourceId");
	r->rtype = tv_table_find(r->table, "ResourceType");
	r->node = tv_table_find(r->table, "Node");
	r->start = tv_table_find(r->table, "Start");
	r->end = tv_table_find(r->table, "End");
	r->pure = tv_table_find(r->table, "Pure");
	r->part = tv_table_find(r->table, "Part");
	r->value = tv_table_find(r->table, "Value");
	r->share = tv_table_find(r->table, "Share");
	r->idle = tv_pool_find_text(r->table->pool, "idle");
	r->type = tv_alloc(nlabels, sizeof *r->type);
	r->row = tv_alloc(nlabels, sizeof *r->row);
	for (size_t i = 0; i < rows->nitems; i++) {
		struct tv_item item = tv_rows_item(rows, i);

		if (tasks->counted[item.row])
			r->type[tasks->value[item.row] != TV_NONE ? tasks->value[item.row] : 0] =
				item.type;
	}
	memset(r->row, 0xff, nlabels * sizeof *r->row);
	for (uint32_t i = 0; i < rows->nrows; i++)
		r->row[rows->row[i].resource] = i;
	for (uint32_t b = 0; b < rows->nbands; b++)
		tv_map_put(&r->band, rows->band[b].node, rows->band[b].rtype, b);
}

/* The row of the panel that a row of the result belongs to, or TV_NONE. */
static uint32_t place_of(const struct result *r, uint32_t i)
{
	const uint32_t *band;

	if (tv_label(r->part, i) == r->idle)
		return TV_NONE;
	if (r->way != NODES)
		return r->row[tv_label(r->resource, i)];
	band = tv_map_get(&r->band, tv_label(r->node, i), tv_label(r->rtype, i));
	return band != NULL ? *band : TV_NONE;
}

/* Whether a task that stays alone is an outlier: the last of its row to begin by then. */
static bool is_outlier(const struct result *r, uint32_t i, uint32_t row)
{
	const struct tv_rows *rows = r->figure->rows;
	const struct tv_row *of = &rows->row[row];
	struct tv_item item;
	uint32_t next;

	TV_LOWER_BOUND(next, 0, of->n,
		       tv_rows_item(rows, of->first + next).begin <= r->start->i[i]);
	if (next == 0)
		return false;
	item = tv_rows_item(rows, of->first + next - 1);
	return item.outlier && item.end >= r->end->i[i];
}

static uint8_t type_of(const struct result *r, uint32_t i)
{
	if (tv_label(r->part, i) != tv_pool_find_text(r->table->pool, "task"))
		return (uint8_t)r->figure->rows->uncounted;
	return r->type[tv_missing(r->value, i) ? 0 : tv_label(r->value, i)];
}

/* Stacks the parts item[0..n) of one group from the bottom, in the order of the legend. */
static void stack(struct tv_item *item, uint32_t n)
{
	double sum = 0, at = 1, scale;

	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = i; k > 0 && item[k - 1].type > item[k].type; k--) {
			struct tv_item swap = item[k];

			item[k] = item[k - 1];
			item[k - 1] = swap;
		}
	for (uint32_t i = 0; i < n; i++)
		sum += 1 - (double)item[i].absent;
	scale = sum > 1 ? 1 / sum : 1; /* overlapping tasks */
	for (uint32_t i = 0; i < n; i++) {
		double height = (1 - (double)item[i].absent) * scale;

		item[i].absent = (float)(1 - height);
		item[i].bottom = (float)at;
		item[i].top = (float)fmax(0, at - height);
		at -= height;
	}
}

/* The items of one group, i being its first row. Returns the row behind it. */
static uint32_t put_group(const struct result *r, uint32_t i, struct tv_rows *rows)
{
	int64_t group = r->group->i[i];
	struct tv_row *to = NULL;
	uint32_t first = 0;

	for (; i < r->table->nrows && r->group->i[i] == group; i++) {
		uint32_t row = place_of(r, i);
		bool pure = r->pure->i[i] == 1;

		if (row == TV_NONE)
			continue;
		first = to == NULL ? rows->row[row].n : first;
		to = &rows->row[row];
		rows->item[to->first + to->n++] = (struct tv_item){
			.begin = r->start->i[i],
			.end = r->end->i[i],
			.row = i,
			.type = type_of(r, i),
			.under = TV_NO_TYPE,
			.outlier = pure && is_outlier(r, i, row),
			.absent = pure || tv_missing(r->share, i)
					? 0
					: (float)fmax(0, 1 - r->share->d[i] / 100),
		};
	}
	if (to != NULL)
		stack(rows->item + to->first + first, to->n - first);
	return i;
}

/* One row per node and resource type. */
static void join_rows(struct tv_rows *rows)
{
	rows->nrows = rows->nbands;
	rows->units = 0;
	for (uint32_t b = 0; b < rows->nbands; b++) {
		struct tv_band *band = &rows->band[b];

		rows->row[b] = (struct tv_row){
			.resource = TV_NONE,
			.band = b,
			.workers = tv_rows_workers(rows, b),
			.idle = band->idle,
		};
		band->first = b;
		band->n = 1;
		band->weight = 2;
		rows->units += band->weight;
	}
}

static void put_groups(const struct result *r, struct tv_rows *rows)
{
	struct tv_item *item = tv_alloc(r->table->nrows, sizeof *item);

	if (r->way == NODES)
		join_rows(rows);
	rows->item = item;
	rows->groups = r->table;
	tv_hover_init(
		&rows->hover, rows->groups,
		"{Value|setup, runtime} {Share:1|100.0} %[, {Tasks} tasks], {from} to {to} ms");
	rows->bordered = r->way == CONSECUTIVE;
	rows->nitems = 0;
	for (uint32_t i = 0; i < rows->nrows; i++)
		rows->row[i].n = 0;
	for (uint32_t i = 0; i < r->table->nrows; i++)
		if (place_of(r, i) != TV_NONE)
			rows->row[place_of(r, i)].n++;
	for (uint32_t i = 0; i < rows->nrows; i++) {
		rows->row[i].first = rows->nitems;
		rows->nitems += rows->row[i].n;
		rows->row[i].n = 0;
	}
	for (uint32_t i = 0; i < r->table->nrows;)
		i = put_group(r, i, rows);
}

static void add_title(const struct result *r, const struct tv_layer_options *options,
		      struct tv_layer **layers)
{
	struct tv_layer *layer = tv_layer_add(layers, "aggregate");
	const char *given = r->way == CONSECUTIVE ? options->threshold : options->step;
	uint32_t n = r->table->nrows;
	char usual[32], time[44];
	int64_t ns = tv_step_for(r->figure, SLICES, usual, sizeof usual);

	if (given != NULL && tv_parse_time(given, &ns) != TV_PARSE_OK)
		ns = 0;
	tv_time_text(time, sizeof time, ns, NULL);
	if (r->way == CONSECUTIVE)
		snprintf(layer->title, sizeof layer->title, "%lld groups of tasks%s%s",
			 n == 0 ? 0 : (long long)r->group->i[n - 1] + 1,
			 given != NULL ? ", threshold " : "", given != NULL ? time : "");
	else
		snprintf(layer->title, sizeof layer->title, "shares in slices of %s%s", time,
			 r->way == NODES ? ", mean of the workers" : "");
}

int tv_layer_aggregate(struct tv_figure *figure, const struct tv_layer_options *options,
		       struct tv_rows *rows, struct tv_layer **layers, struct tv_error *err)
{
	struct result r = { .figure = figure };
	int rc;

	if (options->aggregate == NULL)
		return 0;
	if (read_way(figure, options, &r.way, err) < 0)
		return -1;
	rc = run_pass(&r, figure, options, err);
	if (rc == 0)
		read_result(&r);
	if (rc == 0)
		put_groups(&r, rows);
	if (rc == 0)
		add_title(&r, options, layers);
	tv_free(r.type);
	tv_free(r.row);
	tv_map_release(&r.band);
	return rc < 0 ? -1 : 0;
}
