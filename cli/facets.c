/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facets.c -- several runs of a command line as the facets of a figure. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/shared/limits.h"
#include "cli/cli.h"
#include "trace/alloc.h"

enum { COLUMNS_WIDE = 3, COLUMNS_NARROW = 1, PAGE = 12 };

/* Columns, and rows of a page. */
static int parse_layout(const char *text, unsigned n, unsigned *rows, unsigned *columns,
			struct tv_error *err)
{
	char end;

	if (strcmp(text, "rows") == 0) {
		*rows = n < PAGE ? n : PAGE;
		*columns = 1;
	} else if (strcmp(text, "columns") == 0) {
		*rows = 1;
		*columns = n;
	} else if (text[strspn(text, "0123456789x")] != '\0' /* %u would take blanks and signs */
		   || sscanf(text, "%3ux%3u%c", rows, columns, &end) != 2 || *rows == 0
		   || *columns == 0) {
		return tv_fail_usage(err,
				     "--facet-layout '%s', expected rows, columns or RxC such "
				     "as 2x3",
				     text);
	}
	return 0;
}

/* The distinct parts of labels ROW/COL at one side of the last slash, in order of appearance:
 * which of them each label has. Returns how many there are; 0 if a label has no slash. */
static unsigned number_parts(const struct tv_side *side, size_t n, bool first, unsigned *place)
{
	unsigned count = 0;

	for (size_t i = 0; i < n; i++) {
		const char *cut = strrchr(side[i].label, '/');
		size_t k = 0;

		if (cut == NULL)
			return 0;
		for (; k < i; k++) {
			const char *other = strrchr(side[k].label, '/');
			size_t length = (size_t)(cut - side[i].label);
			bool same = first ? (size_t)(other - side[k].label) == length
						    && strncmp(side[i].label, side[k].label, length)
							       == 0
					  : strcmp(cut, other) == 0;

			if (same)
				break;
		}
		place[i] = k < i ? place[k] : count++;
	}
	return count;
}

/* Places by the labels, if they are ROW/COL and no two have the same place. */
static bool place_by_labels(const struct tv_side *side, size_t n, struct tv_facet *facet,
			    unsigned *rows, unsigned *columns, unsigned *row, unsigned *column)
{
	*rows = number_parts(side, n, true, row);
	*columns = number_parts(side, n, false, column);
	if (*rows == 0 || *columns == 0 || *rows * *columns > 2 * n)
		return false;
	for (size_t i = 0; i < n; i++) {
		facet[i].row = row[i];
		facet[i].column = column[i];
		for (size_t k = 0; k < i; k++)
			if (row[i] == row[k] && column[i] == column[k])
				return false;
	}
	return true;
}

/* The grid, filled with the runs row by row. */
static int place_in_order(const struct tv_cli *cli, unsigned n, struct tv_plot_options *options,
			  struct tv_facet *facet, struct tv_error *err)
{
	bool narrow = options->width_in > 0 && options->width_in < 5;

	if (cli->facet_layout != NULL) {
		if (parse_layout(cli->facet_layout, n, &options->page_rows, &options->columns, err)
		    < 0)
			return -1;
	} else {
		options->columns = narrow ? COLUMNS_NARROW : n < COLUMNS_WIDE ? n : COLUMNS_WIDE;
		options->columns = n == 4 && !narrow ? 2 : options->columns;
		options->page_rows = PAGE / options->columns;
	}
	options->rows = (n + options->columns - 1) / options->columns;
	for (unsigned i = 0; i < n; i++) {
		facet[i].row = i / options->columns;
		facet[i].column = i % options->columns;
	}
	return 0;
}

static int place(const struct tv_cli *cli, const struct tv_runs *runs,
		 struct tv_plot_options *options, struct tv_facet *facet, struct tv_error *err)
{
	unsigned n = (unsigned)runs->nsides;
	unsigned *row = tv_alloc(n, sizeof *row), *column = tv_alloc(n, sizeof *column);
	bool labels = cli->facet_layout == NULL
		   && place_by_labels(runs->side, n, facet, &options->rows, &options->columns, row,
				      column);

	tv_free(row);
	tv_free(column);
	if (labels)
		options->page_rows = options->columns < PAGE ? PAGE / options->columns : 1;
	else if (place_in_order(cli, n, options, facet, err) < 0)
		return -1;
	/* No higher than needed. */
	if (options->page_rows > options->rows)
		options->page_rows = options->rows;
	return 0;
}

/* The run that an option names by its label: of repeats the median one. */
static struct tv_run *find_run(const struct tv_runs *runs, const char *label)
{
	for (size_t i = 0; i < runs->nsides; i++)
		if (strcmp(runs->side[i].label, label) == 0)
			return tv_side_median(&runs->side[i]);
	return NULL;
}

/* --outliers-from: outliers of all runs are marked by the thresholds of that run. */
static int take_outliers(const struct tv_runs *runs, const char *label, struct tv_error *err)
{
	struct tv_run *from = label == NULL ? NULL : find_run(runs, label);

	if (label == NULL)
		return 0;
	if (from == NULL)
		return tv_fail_usage(err, "--outliers-from '%s', expected the label of a run",
				     label);
	for (size_t i = 0; i < runs->n; i++) {
		struct tv_session *session = &runs->session[i];

		if (&session->run != from && session->run.tasks.ncounted > 0
		    && tv_limits_apply(from, &session->run, &session->trace.table[TV_TASKS], err)
			       < 0)
			return -1;
	}
	return 0;
}

/* --durations-from: durations of all runs, of one label, or out of a file. */
static int take_weights(struct tv_facets_shown *shown, const char *name, struct tv_error *err)
{
	const struct tv_runs *runs = &shown->runs;

	if (name == NULL)
		return 0;
	if (tv_side_weights_init(&shown->weights, runs->side, runs->nsides, name, err) < 0)
		return -1;
	if (!shown->weights.named && access(name, F_OK) != 0)
		return tv_fail_usage(err,
				     "--durations-from '%s', expected pool, the label of a run "
				     "or a file",
				     name);
	for (size_t i = 0; shown->weights.named && i < runs->n; i++)
		runs->session[i].run.weights = &shown->weights.weights;
	return 0;
}

static int fill_facet(struct tv_facets_shown *shown, size_t i, const struct tv_cli *cli,
		      struct tv_error *err)
{
	struct tv_side *side = &shown->runs.side[i];
	struct tv_facet *facet = &shown->facet[i];

	*facet = (struct tv_facet){ .run = tv_side_median(side),
				    .label = side->label,
				    .repeat = side->run,
				    .nrepeats = side->n };
	if (tv_select(cli, NULL, &facet->run->trace->table[TV_TASKS], &shown->rows[i],
		      &facet->nshown, err)
	    < 0)
		return -1;
	facet->shown = shown->rows[i];
	return 0;
}

int tv_facets_init(struct tv_facets_shown *shown, const struct tv_cli *cli,
		   struct tv_plot_options *options, struct tv_error *err)
{
	size_t n;

	*shown = (struct tv_facets_shown){ 0 };
	if (tv_runs_open(&shown->runs, cli, err) < 0)
		return -1;
	n = shown->runs.nsides;
	shown->facet = tv_alloc(n, sizeof *shown->facet);
	shown->rows = tv_alloc(n, sizeof *shown->rows);
	if (take_outliers(&shown->runs, cli->outliers, err) < 0
	    || take_weights(shown, cli->weights, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (fill_facet(shown, i, cli, err) < 0)
			return -1;
	options->facet = shown->facet;
	options->nfacets = n;
	options->align = cli->align;
	options->weights = cli->weights;
	options->share_x = (enum tv_share_x)tv_cli_choice("share-x", cli->share_x);
	return place(cli, &shown->runs, options, shown->facet, err);
}

void tv_facets_release(struct tv_facets_shown *shown)
{
	for (size_t i = 0; shown->rows != NULL && i < shown->runs.nsides; i++)
		tv_free(shown->rows[i]);
	tv_free(shown->facet);
	tv_free(shown->rows);
	tv_side_weights_release(&shown->weights);
	tv_runs_close(&shown->runs);
}
