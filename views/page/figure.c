/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.c -- what all panels of a run share, and the figure of one run. */
#include "views/page/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/options.h"
#include "trace/alloc.h"
#include "trace/text.h"
#include "views/annotate/annotations.h"
#include "views/page/caption.h"
#include "views/page/header.h"
#include "views/page/layout.h"
#include "views/page/paragraphs.h"

/* Bounds by durations from elsewhere, beside those of the run. */
static int run_weighted(struct tv_figure *figure, struct tv_error *err)
{
	if (figure->options->weights == NULL || figure->bounds == NULL)
		return 0;
	figure->weighted = tv_run_pass_with(figure->run, "bounds", err, "durations-from",
					    figure->options->weights, (const char *)NULL);
	return figure->weighted == NULL ? -1 : 0;
}

/* Whether tasks run in the part of the time that is shown. */
static bool has_tasks(const struct tv_run *run)
{
	return run->tasks.ncounted > 0 && run->window.begin < run->tasks.finish
	    && run->window.end > run->tasks.begin;
}

/* What the header and several panels show. A pass that refuses windows is left out in one, as is
 * every pass when there are no tasks. */
static int run_passes(struct tv_figure *figure, struct tv_error *err)
{
	const struct {
		const char *pass;
		const struct tv_table **result;
	} need[] = {
		{ "bounds", &figure->bounds },
		{ "idleness", &figure->idleness },
		{ "outliers", &figure->outliers },
	};

	for (size_t i = 0; i < TV_COUNT(need) && has_tasks(figure->run); i++) {
		if (tv_pass_find(need[i].pass)->windowless && tv_run_cut(figure->run))
			continue;
		*need[i].result = tv_run_pass(figure->run, need[i].pass, NULL, err);
		if (*need[i].result == NULL)
			return -1;
	}
	return run_weighted(figure, err);
}

static bool has_selection(const struct tv_figure *figure)
{
	return (figure->facet != NULL ? figure->facet->shown : figure->options->shown) != NULL
	    || figure->options->choice.choose != NULL;
}

static bool *find_shown(const struct tv_figure *figure)
{
	const struct tv_plot_options *options = figure->options;
	const uint32_t *row = figure->facet != NULL ? figure->facet->shown : options->shown;
	uint32_t n = figure->facet != NULL ? figure->facet->nshown : options->nshown;
	bool *shown = tv_alloc(figure->run->tasks.n, sizeof *shown);

	for (uint32_t i = 0; i < n; i++)
		if (row[i] < figure->run->tasks.n)
			shown[row[i]] = true;
	return shown;
}

/* Whether a pattern matches the resource of any row. */
static bool matches_row(const struct tv_rows *rows, const char *pattern)
{
	for (uint32_t r = 0; r < rows->nrows; r++)
		if (tv_glob(pattern, tv_pool_text(rows->pool, rows->row[r].resource)))
			return true;
	return false;
}

/* Warns of patterns of --rows that match nothing, and if the file of --row-order names no row. */
static void warn_unmatched(struct tv_figure *figure)
{
	const struct tv_plot_options *options = figure->options;
	char *list = options->row_pattern != NULL ? tv_strdup(options->row_pattern) : NULL;
	char *missing = NULL;
	size_t known = 0;

	for (char *rest = list, *word; (word = strsep(&rest, ",")) != NULL;)
		if (!matches_row(figure->rows, word))
			tv_append(&missing, "%s'%s'", missing != NULL ? ", " : "", word);
	tv_free(list);
	if (missing != NULL)
		tv_run_warn(figure->run, "--rows: no row matches %s", missing);
	tv_free(missing);
	for (size_t i = 0; i < options->nrow_names; i++)
		for (uint32_t r = 0; r < figure->rows->nrows; r++)
			known += strcmp(options->row_name[i],
					tv_pool_text(figure->rows->pool,
						     figure->rows->row[r].resource))
			      == 0;
	if (options->nrow_names > 0 && known == 0)
		tv_run_warn(figure->run, "--row-order: no line of the file names a row");
}

/* A trace of variables alone, as monitors of a machine record it: no rows, and the times of these. */
static bool span_variables(struct tv_figure *figure)
{
	const struct tv_table *variables;
	const struct tv_column *start, *end;

	/* A figure without a panel of variables does not read them. */
	if (figure->options->row_pattern != NULL
	    || !tv_trace_reads(figure->run->trace, TV_VARIABLES))
		return false;
	variables = tv_trace_table(figure->run->trace, TV_VARIABLES);
	if (variables->nrows == 0)
		return false;
	start = tv_table_find(variables, "Start");
	end = tv_table_find(variables, "End");
	figure->rows->begin = start->i[0];
	figure->rows->end = end->i[0];
	for (uint32_t row = 1; row < variables->nrows; row++) {
		if (start->i[row] < figure->rows->begin)
			figure->rows->begin = start->i[row];
		if (end->i[row] > figure->rows->end)
			figure->rows->end = end->i[row];
	}
	return true;
}

static int fail_empty(const struct tv_figure *figure, struct tv_error *err)
{
	char *instead;
	int rc;

	if (has_selection(figure))
		return tv_fail(err, "nothing to draw: --node or --resource leaves no row");
	instead = tv_instead(figure->run->trace, NULL);
	rc = tv_fail(err, "nothing to draw: neither tasks nor states nor MPI calls%s%s",
		     instead[0] != '\0' ? "; " : "", instead);
	tv_free(instead);
	return rc;
}

static int build_rows(struct tv_figure *figure, const struct tv_type_order *order,
		      struct tv_error *err)
{
	const struct tv_plot_options *options = figure->options;
	struct tv_rows_source source = { .palette = options->palette,
					 .outliers = figure->outliers,
					 .idleness = figure->idleness,
					 .order = order,
					 .options = options };
	struct tv_kernels kernels;
	bool *shown = NULL;
	int rc;

	/* Of rows that are streams; the header is about workers. */
	if (figure->idleness != NULL && figure->run->tasks.device_time != NULL) {
		source.stream_idleness = tv_run_pass_with(figure->run, "idleness", err, "level",
							  TV_LEVEL_STREAM, NULL);
		if (source.stream_idleness == NULL)
			return -1;
	}
	if (tv_kernels_init(&kernels, options->kernels, err) < 0)
		return -1;
	if (has_selection(figure) && options->choice.choose == NULL)
		shown = find_shown(figure);
	source.kernels = &kernels;
	source.shown = shown;
	rc = tv_rows_init(figure->rows, figure->run, &source, err);
	tv_free(shown);
	tv_kernels_release(&kernels);
	if (rc < 0)
		return -1;
	if (figure->rows->nrows == 0 && span_variables(figure))
		return 0;
	if (figure->rows->nrows == 0) {
		tv_rows_release(figure->rows);
		if (options->row_pattern != NULL)
			return tv_fail_usage(
				err, "--rows '%s', expected names of resources that have a row",
				options->row_pattern);
		if (figure->run->tasks.nplanned > 0)
			return tv_fail(err,
				       "nothing to draw: %u tasks have not run (Flag is planned): "
				       "simulate first",
				       figure->run->tasks.nplanned);
		return fail_empty(figure, err);
	}
	warn_unmatched(figure);
	return 0;
}

int tv_figure_init(struct tv_figure *figure, const struct tv_type_order *order,
		   struct tv_error *err)
{
	figure->rows = tv_alloc(1, sizeof *figure->rows);
	figure->notes = tv_alloc(1, sizeof *figure->notes);
	figure->numbers = tv_alloc(1, sizeof *figure->numbers);
	if (run_passes(figure, err) < 0 || build_rows(figure, order, err) < 0)
		return -1;
	figure->states = figure->rows->states;
	return tv_axis_span(figure, figure->rows->begin, figure->rows->end, err);
}

void tv_figure_release(struct tv_figure *figure)
{
	tv_free(figure->repeat_shift);
	tv_free(figure->span);
	if (figure->rows == NULL) /* never initialized */
		return;
	tv_annotations_release(figure->notes);
	tv_free(figure->notes);
	tv_printed_release(figure->numbers);
	tv_free(figure->numbers);
	tv_rows_release(figure->rows);
	tv_free(figure->rows);
}

double tv_figure_height(const struct tv_plot_options *options, const struct tv_scene *scene)
{
	return options->height_in * 72 / scene->scale;
}

double tv_figure_max_height(const struct tv_plot_options *options, const struct tv_scene *scene)
{
	return options->height_in > 0
		     ? tv_figure_height(options, scene)
		     : TV_HEIGHT_MAX_IN * tv_page_scale(options) / scene->scale * 72;
}

void tv_figure_end(struct tv_scene *scene, double wanted, double y)
{
	y = fmax(y, floor(wanted / scene->cell + 1e-6) * scene->cell);
	scene->height = ceil(y / scene->cell - 1e-6) * scene->cell;
}

static int init_run(struct tv_figure *figure, struct tv_error *err)
{
	return tv_figure_init(figure, NULL, err) < 0 ? -1 : tv_annotations_init(figure, err);
}

int tv_figure_draw(struct tv_run *run, const struct tv_plot_options *options,
		   struct tv_scene *scene, struct tv_error *err)
{
	struct tv_figure figure = { .run = run,
				    .options = options,
				    .scene = scene,
				    .x = TV_MARGIN,
				    .width = scene->width - 2 * TV_MARGIN };
	struct tv_cell *cell = tv_alloc(1, sizeof *cell);
	struct tv_grid grid = { .cell = cell,
				.n = 1,
				.rows = 1,
				.columns = 1,
				.end = 1,
				.x = figure.x,
				.width = figure.width,
				.ends = true };
	double wanted = tv_figure_height(options, scene), y;
	int rc = options->table == NULL ? init_run(&figure, err) : 0;

	if (rc == 0) {
		cell->figure = &figure;
		rc = tv_grid_prepare(&grid, err);
	}
	if (rc == 0) {
		y = tv_lead_draw(&figure, TV_MARGIN);
		tv_figure_part(&figure, "header", false);
		if (options->header == TV_HEADER_YES)
			y = options->table != NULL ? tv_header_table(&figure, y)
						   : tv_header_draw(&figure, y);
		tv_figure_part(&figure, "legend", false);
		if (options->table == NULL)
			y = tv_legend_draw(&figure, y, tv_grid_typed(&grid));
		grid.stretch = wanted == 0;
		rc = tv_grid_layout(&grid, y, wanted, tv_figure_max_height(options, scene), &y,
				    err);
		tv_figure_end(scene, wanted, y);
	}
	if (rc == 0 && figure.failed.status != 0) {
		*err = figure.failed;
		rc = -1;
	}
	if (rc == 0 && options->caption != NULL)
		tv_caption_write(&figure, 1, options->caption);
	tv_grid_release(&grid);
	tv_free(cell);
	tv_figure_release(&figure);
	return rc;
}
