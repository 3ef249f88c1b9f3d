/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facets.c -- several runs, or the nodes of a run, in a grid: shared types, time axis and scales, own
 * numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "views/annotate/annotations.h"
#include "views/layers/bounds.h"
#include "views/layers/nodes.h"
#include "views/page/caption.h"
#include "views/page/figure.h"
#include "views/page/header.h"
#include "views/page/layout.h"
#include "views/rows/rows.h"
#include "views/rows/spans.h"

/* Types of all runs by name, with their total time: of tasks, of states or calls where a run has no tasks. */
struct names {
	struct tv_pool *pool;
	double *time;	/* by label of the pool */
	uint32_t *rank; /* labels, the largest first */
	uint32_t n;
	struct tv_type_order order;
};

struct facets {
	const struct tv_plot_options *options;
	struct tv_scene *scene;
	struct tv_figure *figure;
	struct tv_cell *cell;
	size_t n;
	struct names names;
};

/* Adds the times of the types of a run, by label of its pool. */
static void add_types(struct names *names, const struct tv_pool *pool, const double *time,
		      uint32_t nlabels)
{
	for (uint32_t label = 0; label < nlabels; label++) {
		uint32_t id;

		if (time[label] <= 0)
			continue;
		id = tv_intern_text(names->pool, tv_pool_text(pool, label));
		names->time[id] += time[label];
		names->n = names->n > id + 1 ? names->n : id + 1;
	}
}

static void count_states(double *time, const struct tv_trace *trace)
{
	const struct tv_spans s = tv_spans(trace);

	for (uint32_t i = 0; i < s.n; i++)
		if (tv_span_known(&s, i) && tv_label(s.value, i) != TV_NONE)
			time[tv_label(s.value, i)] += (double)s.end->i[i] - (double)s.start->i[i];
}

static void count_types(struct names *names, const struct tv_run *run)
{
	const struct tv_tasks *tasks = &run->tasks;
	uint32_t nlabels = tv_pool_count(tasks->pool);
	double *time = tv_alloc((size_t)nlabels + 1, sizeof *time);

	for (uint32_t i = 0; i < tasks->n; i++)
		if (tasks->counted[i])
			time[tasks->value == NULL || tasks->value[i] == TV_NONE
				     ? 0
				     : tasks->value[i]] += (double)(tasks->end[i]
								    - tasks->start[i]);
	if (tasks->ncounted == 0)
		count_states(time, run->trace);
	add_types(names, tasks->pool, time, nlabels);
	tv_free(time);
}

static int by_time(const void *a, const void *b, void *context)
{
	const struct names *names = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (names->time[x] != names->time[y])
		return TV_COMPARE(names->time[y], names->time[x]);
	return strcmp(tv_pool_text(names->pool, x), tv_pool_text(names->pool, y));
}

/* Whether two facets are nodes of one run: then they have its times and its axis. */
static bool same_trace(const struct facets *f, size_t a, size_t b)
{
	return f->options->facet[a].run->trace == f->options->facet[b].run->trace;
}

/* Whether the facets are the nodes of one run. */
static bool one_run(const struct facets *f)
{
	return f->options->facet[0].node && same_trace(f, 0, f->n - 1);
}

/* States have the color of the first run that gives them one. */
static void add_type(struct facets *f, const char *name)
{
	struct tv_type_order *order = &f->names.order;

	order->name[order->n] = name;
	order->own[order->n] = TV_NONE;
	for (size_t i = 0; i < f->n && order->own[order->n] == TV_NONE; i++)
		order->own[order->n] = tv_own_color(f->options->facet[i].run->trace, name);
	order->n++;
}

/* The types that get colors: the largest ones of all runs together. */
static void choose_types(struct facets *f)
{
	struct names *names = &f->names;
	size_t max = 1;

	for (size_t i = 0; i < f->n; i++)
		max += tv_pool_count(f->options->facet[i].run->tasks.pool);
	names->pool = tv_pool_new();
	names->time = tv_alloc(max, sizeof *names->time);
	names->rank = tv_alloc(max, sizeof *names->rank);
	for (size_t i = 0; i < f->n; i++)
		if (i == 0 || !same_trace(f, i - 1, i))
			count_types(names, f->options->facet[i].run);
	for (uint32_t id = 0; id < names->n; id++)
		names->rank[id] = id;
	qsort_r(names->rank, names->n, sizeof *names->rank, by_time, names);
	for (uint32_t i = 0; i < names->n && names->order.n < TV_COLORS_MAX; i++)
		if (names->time[names->rank[i]] > 0)
			add_type(f, tv_pool_text(names->pool, names->rank[i]));
}

/* Where the iteration of that number, or the job, starts in a run; false if it is not there. */
static bool find_start(const struct tv_run *run, const char *column, const char *text,
		       int64_t *time)
{
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	const struct tv_column *of = tv_table_find(tasks, column);
	uint32_t label = tv_pool_find_text(run->trace->pool, text);
	int64_t number;
	bool found = false;

	if (of == NULL)
		return false;
	if (of->type == TV_INT && tv_parse_int(text, strlen(text), &number) != TV_PARSE_OK)
		return false;
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		bool same = run->tasks.counted[row] && !tv_missing(of, row)
			 && (of->type == TV_INT ? of->i[row] == number
						: of->type == TV_LABEL && of->u[row] == label);

		if (same && (!found || run->tasks.start[row] < *time)) {
			*time = run->tasks.start[row];
			found = true;
		}
	}
	return found;
}

/* The time of a run that is aligned with the common origin. */
static int find_origin(const struct tv_run *run, const char *label, const char *align,
		       int64_t *origin, const char **words, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	bool found = true;

	*words = NULL;
	*origin = 0;
	if (align == NULL || strcmp(align, "start") == 0) {
		*origin = tasks->begin;
		return 0;
	}
	if (strcmp(align, "end") == 0) {
		*origin = tasks->finish;
		*words = "to the end of each run";
	} else if (strncmp(align, "iteration:", 10) == 0) {
		found = find_start(run, "Iteration", align + 10, origin);
		*words = "from the start of that iteration";
	} else if (strncmp(align, "task:", 5) == 0) {
		found = find_start(run, "JobId", align + 5, origin);
		*words = "from the start of that task";
	} else {
		return tv_fail_usage(err,
				     "--align '%s', expected start, end, iteration:K or "
				     "task:ID",
				     align);
	}
	if (!found)
		return tv_fail_usage(err, "--align %s: the run '%s' has none", align, label);
	return 0;
}

/* Whether two facets have the same time axis. */
static bool share_axis(const struct facets *f, size_t a, size_t b)
{
	return f->options->share_x == TV_SHARE_ALL
	    || (f->options->share_x == TV_SHARE_ROWS
		&& f->options->facet[a].row == f->options->facet[b].row)
	    || a == b;
}

/* Puts the repeats of a facet where its own run is. */
static int shift_repeats(struct facets *f, size_t i, int64_t origin, struct tv_error *err)
{
	const struct tv_facet *facet = &f->options->facet[i];
	const char *words;

	if (facet->nrepeats < 2)
		return 0;
	f->figure[i].repeat_shift = tv_alloc(facet->nrepeats, sizeof(int64_t));
	for (size_t k = 0; k < facet->nrepeats; k++) {
		int64_t own;

		if (find_origin(facet->repeat[k], facet->label, f->options->align, &own, &words,
				err)
		    < 0)
			return -1;
		f->figure[i].repeat_shift[k] = origin - own;
	}
	return 0;
}

/* Spans of the axes, from the instant of alignment: a shared one contains all. */
static int share_axes(struct facets *f, struct tv_error *err)
{
	int64_t *origin = tv_alloc(f->n, sizeof *origin), *begin = tv_alloc(f->n, sizeof *begin);
	int64_t *end = tv_alloc(f->n, sizeof *end);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < f->n; i++) {
		struct tv_axis *axis = &f->figure[i].axis;
		const struct tv_facet *facet = &f->options->facet[i];

		rc = find_origin(facet->run, facet->label, f->options->align, &origin[i],
				 &axis->origin, err);
		if (rc == 0)
			rc = shift_repeats(f, i, origin[i], err);
		if (axis->origin == NULL && axis->after_init) {
			origin[i] = axis->begin;
			axis->origin = "from the end of MPI_Init";
		}
		if (axis->origin == NULL && origin[i] >= axis->begin
		    && f->options->share_x == TV_SHARE_NONE)
			origin[i] = 0;
		begin[i] = axis->begin - origin[i];
		end[i] = axis->end - origin[i];
	}
	for (size_t i = 0; rc == 0 && i < f->n; i++) {
		struct tv_axis *axis = &f->figure[i].axis;
		int64_t from = begin[i], to = end[i];

		for (size_t k = 0; k < f->n; k++)
			if (share_axis(f, i, k)) {
				from = begin[k] < from ? begin[k] : from;
				to = end[k] > to ? end[k] : to;
			}
		axis->begin = from + origin[i];
		axis->setup = axis->begin;
		axis->end = to + origin[i];
		axis->base = origin[i];
		if (axis->origin == NULL)
			axis->origin = "";
		axis->unit = tv_unit_for(to > -from ? to : -from);
	}
	tv_free(origin);
	tv_free(begin);
	tv_free(end);
	return rc;
}

/* The best makespan; the unit that reads well for it is that of all. */
static int64_t find_best(struct facets *f)
{
	int64_t best = INT64_MAX;

	for (size_t i = 0; i < f->n; i++) {
		const struct tv_tasks *tasks = &f->options->facet[i].run->tasks;

		if (tasks->ncounted > 0 && tasks->finish - tasks->begin < best)
			best = tasks->finish - tasks->begin;
	}
	for (size_t i = 0; i < f->n; i++)
		f->figure[i].unit = tv_unit_for(best);
	return best;
}

/* Whether the rows of two runs have the same names, so that they need not be repeated. */
static bool same_rows(const struct tv_rows *a, const struct tv_rows *b)
{
	if (a->nrows != b->nrows)
		return false;
	for (uint32_t r = 0; r < a->nrows; r++)
		if (strcmp(tv_pool_text(a->pool, a->row[r].resource),
			   tv_pool_text(b->pool, b->row[r].resource))
		    != 0)
			return false;
	return true;
}

/* Whether two runs have as many workers of the same types: rows may be hidden. */
static bool same_workers(const struct tv_tasks *a, const struct tv_tasks *b)
{
	if (a->nworkers != b->nworkers || a->nrtypes != b->nrtypes)
		return false;
	for (uint32_t i = 0; i < a->nrtypes; i++)
		if (a->rtype[i].nworkers != b->rtype[i].nworkers)
			return false;
	return true;
}

/* Whether all have the same workers (and tasks): then one header has that. */
static bool same_machine(const struct facets *f)
{
	for (size_t i = 1; i < f->n; i++)
		if (!same_rows(f->figure[0].rows, f->figure[i].rows)
		    || !same_workers(tv_run_part(f->figure[0].run), tv_run_part(f->figure[i].run))
		    || tv_run_part(f->figure[0].run)->ntasks
			       != tv_run_part(f->figure[i].run)->ntasks)
			return false;
	return true;
}

/* Types of all runs as one legend. */
static double draw_legend(struct facets *f, double y, bool types)
{
	struct tv_figure legend = f->figure[0];
	struct tv_rows all = *legend.rows, *rows = &all;

	for (size_t i = 1; i < f->n; i++) {
		const struct tv_rows *more = f->figure[i].rows;

		rows->has_outliers = rows->has_outliers || more->has_outliers;
		rows->noutliers += more->noutliers;
		for (uint32_t t = more->nshown; t < more->ntypes; t++) {
			uint32_t k = rows->nshown;

			while (k < rows->ntypes
			       && strcmp(rows->type[k].name, more->type[t].name) != 0)
				k++;
			if (k == rows->ntypes && k < TV_TYPES_MAX)
				rows->type[rows->ntypes++] = more->type[t];
		}
	}
	legend.rows = rows;
	return tv_legend_draw(&legend, y, types);
}

/* A run without neighbor at its left, or with other workers than that, has names of its own. */
/* Rows that have their names at the left of another facet are folded as these. */
static void fold_rows(struct facets *f)
{
	const struct tv_rows **others = tv_alloc(f->n, sizeof(*others));

	for (size_t i = 0; i < f->n; i++) {
		size_t n = 0;

		for (size_t k = 0; k < f->n; k++)
			if (k != i && f->cell[k].row == f->cell[i].row
			    && same_rows(f->figure[k].rows, f->figure[i].rows))
				others[n++] = f->figure[k].rows;
		tv_rows_fold(f->figure[i].rows, others, n);
	}
	tv_free(others);
}

static bool is_bare(const struct facets *f, size_t i)
{
	const struct tv_facet *facet = &f->options->facet[i];

	for (size_t k = 0; k < f->n; k++)
		if (f->options->facet[k].row == facet->row && f->options->facet[k].column == 0)
			return facet->column > 0 && same_rows(f->figure[k].rows, f->figure[i].rows);
	return false;
}

/* Of one run as without facets, else what the runs have in common. */
static double draw_header(struct facets *f, bool machine)
{
	struct tv_figure whole = f->figure[0];

	if (f->options->header == TV_HEADER_NO)
		return TV_MARGIN;
	if (!one_run(f))
		return tv_facets_header(&whole, TV_MARGIN, machine);
	whole.run = whole.run->whole;
	return tv_header_draw(&whole, TV_MARGIN);
}

/* What the header of each run has besides its own numbers. */
struct heading {
	int64_t best;
	bool machine; /* they differ in it: each header has its own */
};

static const double heading_gap = 2; /* points above it */

static double head_of(struct tv_figure *figure, const void *context)
{
	const struct heading *heading = context;

	return tv_facet_header(figure, heading_gap, heading->best, heading->machine, 0);
}

/* Beside a run that takes much longer, the tasks of a short one are hairs. */
static void warn_of_hairs(struct facets *f)
{
	static const double narrow = 100, share = 0.5; /* points; of its axis */
	const struct tv_plot_options *options = f->options;

	for (size_t i = 0; i < f->n && options->columns > 1 && options->page == 0
			   && options->layout_free && !f->scene->exact;
	     i++) {
		const struct tv_axis *axis = &f->figure[i].axis;
		double part = ((double)f->figure[i].rows->end - (double)f->figure[i].rows->begin)
			    / ((double)axis->end - (double)axis->begin);

		if (part > 0 && part < share && part * axis->width < narrow) {
			tv_run_warn(f->figure[i].run,
				    "drawn %.1f in wide, as the time axis of all runs is "
				    "%.1f times "
				    "as long: --facet-layout rows gives about %u times that",
				    part * axis->width * f->scene->scale / 72, 1 / part,
				    options->columns);
			return;
		}
	}
}

static int lay_out(struct facets *f, struct tv_error *err)
{
	const struct tv_plot_options *options = f->options;
	unsigned rows = options->page_rows > 0 ? options->page_rows : options->rows;
	struct tv_grid grid = { .cell = f->cell,
				.n = f->n,
				.rows = rows,
				.columns = options->columns,
				.first = options->page * rows,
				.end = (options->page + 1) * rows,
				.x = TV_MARGIN,
				.width = f->scene->width - 2 * TV_MARGIN,
				.each_axis = options->share_x != TV_SHARE_ALL,
				.head_of = head_of,
				.ends = options->page + 1 == tv_plot_pages(options) };
	struct heading heading = { find_best(f), !same_machine(f) };
	double wanted = tv_figure_height(options, f->scene), y;
	int rc;

	grid.context = &heading;
	grid.end = grid.end < options->rows ? grid.end : options->rows;
	rc = tv_grid_prepare(&grid, err);

	if (rc == 0) {
		tv_figure_part(f->figure, "header", false);
		y = draw_header(f, !heading.machine);
		tv_figure_part(f->figure, "legend", false);
		y = draw_legend(f, y, tv_grid_typed(&grid));
		grid.stretch = wanted == 0;
		rc = tv_grid_layout(&grid, y, wanted, tv_figure_max_height(options, f->scene), &y,
				    err);
		tv_figure_end(f->scene, wanted, y);
		if (rc == 0)
			warn_of_hairs(f);
	}
	for (size_t i = 0; rc == 0 && i < f->n; i++)
		if (f->cell[i].row >= grid.first && f->cell[i].row < grid.end) {
			tv_figure_part(&f->figure[i], "run", false);
			tv_facet_header(&f->figure[i], f->cell[i].y + heading_gap, heading.best,
					heading.machine, grid.head - heading_gap);
		}
	if (rc == 0 && options->caption != NULL && options->page == 0)
		tv_caption_write(f->figure, f->n, options->caption);
	tv_grid_release(&grid);
	return rc;
}

/* What is known of the node that a facet shows. */
static int read_note(struct tv_figure *figure, struct tv_error *err)
{
	uint32_t node = tv_run_part(figure->run)->node[0].label, n = 0;

	if (tv_node_notes(figure, &figure->note, &n, err) < 0)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (figure->note[i].node == node)
			figure->note[0] = figure->note[i];
	return 0;
}

/* Whether the bounds by options->weights are those of the first facet. */
static bool has_same_weighted(const struct facets *f, size_t i)
{
	struct tv_bound first[TV_BOUNDS_MAX], own[TV_BOUNDS_MAX];
	size_t n = tv_figure_weighted(&f->figure[0], first);
	bool same = tv_figure_weighted(&f->figure[i], own) == n;

	for (size_t k = 1; same && k < n; k++)
		same = first[k].time == own[k].time && strcmp(first[k].name, own[k].name) == 0;
	return same;
}

static int prepare(struct facets *f, struct tv_error *err)
{
	bool same = true;

	choose_types(f);
	for (size_t i = 0; i < f->n; i++) {
		const struct tv_facet *facet = &f->options->facet[i];

		f->figure[i] = (struct tv_figure){
			.run = facet->run, .options = f->options, .scene = f->scene, .facet = facet
		};
		f->cell[i].figure = &f->figure[i];
		f->cell[i].row = facet->row;
		f->cell[i].column = facet->column;
		if (tv_figure_init(&f->figure[i], &f->names.order, err) < 0)
			return -1;
	}
	fold_rows(f);
	for (size_t i = 1; i < f->n; i++)
		same = same && has_same_weighted(f, i);
	for (size_t i = 0; i < f->n; i++) {
		f->figure[i].same_weighted = same;
		f->figure[i].bare = is_bare(f, i);
		if (f->options->facet[i].node && read_note(&f->figure[i], err) < 0)
			return -1;
	}
	if (!one_run(f) && share_axes(f, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n; i++)
		if (tv_annotations_init(&f->figure[i], err) < 0)
			return -1;
	return 0;
}

int tv_facets_draw(const struct tv_plot_options *options, struct tv_scene *scene,
		   struct tv_error *err)
{
	struct facets f = { .options = options, .scene = scene, .n = options->nfacets };
	int rc;

	if (options->columns > TV_COLUMNS_MAX)
		return tv_fail_usage(err, "%u columns of runs, at most %d fit", options->columns,
				     TV_COLUMNS_MAX);
	f.figure = tv_alloc(f.n, sizeof *f.figure);
	f.cell = tv_alloc(f.n, sizeof *f.cell);
	rc = prepare(&f, err);
	if (rc == 0)
		rc = lay_out(&f, err);
	for (size_t i = 0; i < f.n; i++) {
		tv_free(f.figure[i].note);
		tv_figure_release(&f.figure[i]);
	}
	tv_free(f.figure);
	tv_free(f.cell);
	tv_free(f.names.time);
	tv_free(f.names.rank);
	tv_pool_free(f.names.pool);
	return rc;
}
