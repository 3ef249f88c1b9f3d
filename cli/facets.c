/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facets.c -- several runs of a command line, or nodes, as the facets of a figure. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/tasks/limits.h"
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
static bool place_by_labels(const struct tv_runs *runs, struct tv_plot_options *options,
			    struct tv_facet *facet)
{
	size_t n = runs->nsides;
	unsigned *row = tv_alloc(n, sizeof *row), *column = tv_alloc(n, sizeof *column);
	bool ok;

	options->rows = number_parts(runs->side, n, true, row);
	options->columns = number_parts(runs->side, n, false, column);
	ok = options->rows > 0 && options->columns > 0 && options->rows * options->columns <= 2 * n;
	for (size_t i = 0; ok && i < n; i++) {
		facet[i].row = row[i];
		facet[i].column = column[i];
		for (size_t k = 0; ok && k < i; k++)
			ok = row[i] != row[k] || column[i] != column[k];
	}
	options->page_rows = options->columns < PAGE && options->columns > 0
				   ? PAGE / options->columns
				   : 1;
	tv_free(row);
	tv_free(column);
	return ok;
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
		options->layout_free = true;
		options->page_rows = PAGE / options->columns;
	}
	options->rows = (n + options->columns - 1) / options->columns;
	for (unsigned i = 0; i < n; i++) {
		facet[i].row = i / options->columns;
		facet[i].column = i % options->columns;
	}
	return 0;
}

/* Of facets that are nodes: the name of the node. */
static const char *node_of(const struct tv_facets_shown *shown, size_t i)
{
	const struct tv_tasks *part = tv_run_part(&shown->part[i]);

	return part->node[0].label == TV_NONE ? "" : tv_pool_text(part->pool, part->node[0].label);
}

/* The places of nodes of several runs: a row per node, by its name, a column per run. */
static void place_nodes(const struct tv_facets_shown *shown, struct tv_plot_options *options)
{
	struct tv_facet *facet = shown->facet;
	const struct tv_run *of = NULL;
	unsigned column = 0;

	options->rows = 0;
	for (size_t i = 0; i < shown->n; i++) {
		size_t k = 0;

		column += of != NULL && of != shown->part[i].whole;
		of = shown->part[i].whole;
		while (k < i && strcmp(node_of(shown, k), node_of(shown, i)) != 0)
			k++;
		facet[i].row = k < i ? facet[k].row : options->rows++;
		facet[i].column = column;
	}
	options->columns = column + 1;
	options->page_rows = options->columns < PAGE ? PAGE / options->columns : 1;
}

static int place(const struct tv_cli *cli, const struct tv_facets_shown *shown,
		 struct tv_plot_options *options, struct tv_error *err)
{
	unsigned n = (unsigned)shown->n;

	if (cli->facet_layout != NULL || (cli->facet_by != NULL && shown->runs.nsides == 1)) {
		if (place_in_order(cli, n, options, shown->facet, err) < 0)
			return -1;
	} else if (cli->facet_by != NULL) {
		place_nodes(shown, options);
	} else if (!place_by_labels(&shown->runs, options, shown->facet)
		   && place_in_order(cli, n, options, shown->facet, err) < 0) {
		return -1;
	}
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
		    && tv_limits_apply(from, &session->run, &session->trace->table[TV_TASKS], err)
			       < 0)
			return -1;
	}
	return 0;
}

const char *tv_cli_weights(const struct tv_cli *cli, const struct tv_runs *runs)
{
	if (cli->weights != NULL)
		return strcmp(cli->weights, "own") == 0 ? NULL : cli->weights;
	for (size_t i = 0; i < runs->n; i++)
		if (runs->session[i].run.tasks.ncounted == 0 || tv_run_cut(&runs->session[i].run))
			return NULL;
	return runs->n > 1 ? "pool" : NULL;
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
				     "--durations-from '%s', expected pool, own, the label of a "
				     "run or a file",
				     name);
	for (size_t i = 0; shown->weights.named && i < runs->n; i++)
		runs->session[i].run.weights = &shown->weights.weights;
	return 0;
}

/* ---- facets ---- */

static int fill_run(struct tv_facets_shown *shown, struct tv_side *side, const struct tv_cli *cli,
		    struct tv_error *err)
{
	struct tv_facet *facet = &shown->facet[shown->n];

	*facet = (struct tv_facet){ .run = tv_side_median(side),
				    .label = side->label,
				    .repeat = side->run,
				    .nrepeats = side->n };
	if (tv_select(cli, NULL, &facet->run->trace->table[TV_TASKS], &shown->rows[shown->n],
		      &facet->nshown, err)
	    < 0)
		return -1;
	facet->shown = shown->rows[shown->n++];
	return 0;
}

/* Of the rows chosen (NULL: all) those of a node, as --node chooses them. */
static void take_rows(struct tv_facets_shown *shown, const uint32_t *rows, uint32_t n)
{
	const struct tv_run *run = &shown->part[shown->n];
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	const struct tv_column *node = tv_table_find(tasks, "Node");
	uint32_t label = tv_run_part(run)->node[0].label, max = rows != NULL ? n : tasks->nrows;
	struct tv_facet *facet = &shown->facet[shown->n];

	shown->rows[shown->n] = tv_alloc(max, sizeof **shown->rows);
	for (uint32_t i = 0; i < max; i++) {
		uint32_t row = rows != NULL ? rows[i] : i;

		if (node == NULL || tv_label(node, row) == label)
			shown->rows[shown->n][facet->nshown++] = row;
	}
	facet->shown = shown->rows[shown->n];
}

/* A node of a run (its number in the view): its selected workers, its rows. */
static void fill_node(struct tv_facets_shown *shown, struct tv_side *side, uint32_t number,
		      const uint32_t *rows, uint32_t n)
{
	struct tv_run *run = tv_side_median(side);
	const struct tv_tasks *tasks = &run->tasks;
	uint32_t label = tv_run_part(run)->node[number].label, left = 0;
	const char *name = label == TV_NONE ? "?" : tv_pool_text(tasks->pool, label);
	bool digits = strspn(name, "0123456789") == strlen(name);
	bool *chosen = tv_alloc(tasks->nworkers, sizeof *chosen);

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		chosen[w] = tv_run_has(run, w)
			 && tasks->node[tasks->workers[w].node].label == label;
		left += !chosen[w];
	}
	if (left == 0) {
		tv_free(chosen);
		chosen = NULL;
	}
	tv_run_init_part(&shown->part[shown->n], run, chosen);
	shown->label[shown->n] = tv_format("%s%s%s%s", side->label,
					   side->label[0] != '\0' ? ", " : "",
					   digits ? "node " : "", name);
	shown->facet[shown->n] = (struct tv_facet){ .run = &shown->part[shown->n],
						    .node = true,
						    .label = shown->label[shown->n] };
	take_rows(shown, rows, n);
	shown->n++;
}

static int fill_nodes(struct tv_facets_shown *shown, struct tv_side *side, const struct tv_cli *cli,
		      struct tv_error *err)
{
	const struct tv_run *run = tv_side_median(side);
	uint32_t *rows, n;

	if (tv_select(cli, NULL, &run->trace->table[TV_TASKS], &rows, &n, err) < 0)
		return -1;
	for (uint32_t i = 0; i < tv_run_part(run)->nnodes; i++)
		fill_node(shown, side, i, rows, n);
	tv_free(rows);
	return 0;
}

/* Of a selection, some facets may have nothing to show, but not all. */
static int check_selection(struct tv_facets_shown *shown, const struct tv_cli *cli,
			   struct tv_error *err)
{
	bool any = false, unmatched = false;

	for (size_t i = 0; i < shown->runs.n; i++)
		unmatched = unmatched || shown->runs.session[i].unmatched;
	for (size_t i = 0; i < shown->n; i++)
		any = any
		   || tv_select_any(&shown->facet[i].run->tasks, shown->facet[i].shown,
				    shown->facet[i].nshown);
	if (!any) {
		int rc = tv_select_nothing(cli, shown->facet[0].run, unmatched, err);

		if (rc < 0) /* which patterns fit nothing */
			tv_facets_print_warnings(shown, cli);
		return rc;
	}
	for (size_t i = 0; i < shown->n && cli->where != NULL && cli->facet_by == NULL; i++)
		if (shown->facet[i].nshown == 0)
			tv_select_warn(cli, shown->facet[i].run,
				       &shown->facet[i].run->trace->table[TV_TASKS], "task");
	return 0;
}

/* How many facets the runs give. */
static size_t count(const struct tv_facets_shown *shown, const struct tv_cli *cli)
{
	size_t n = 0;

	for (size_t i = 0; i < shown->runs.nsides; i++)
		n += cli->facet_by == NULL
			   ? 1
			   : tv_run_part(tv_side_median(&shown->runs.side[i]))->nnodes;
	return n;
}

static int fill(struct tv_facets_shown *shown, const struct tv_cli *cli, struct tv_error *err)
{
	size_t n = count(shown, cli);

	if (n == 0)
		return tv_fail(err, "--facet-by %s: the trace has no worker that runs tasks",
			       cli->facet_by);
	shown->facet = tv_alloc(n, sizeof *shown->facet);
	shown->rows = tv_alloc(n, sizeof *shown->rows);
	shown->part = tv_alloc(n, sizeof *shown->part);
	shown->label = tv_alloc(n, sizeof *shown->label);
	for (size_t i = 0; i < shown->runs.nsides; i++) {
		struct tv_side *side = &shown->runs.side[i];

		if ((cli->facet_by == NULL ? fill_run : fill_nodes)(shown, side, cli, err) < 0)
			return -1;
	}
	return check_selection(shown, cli, err);
}

int tv_facets_init(struct tv_facets_shown *shown, const struct tv_cli *cli,
		   struct tv_plot_options *options, struct tv_error *err)
{
	*shown = (struct tv_facets_shown){ 0 };
	if ((cli->facet ? tv_runs_open : tv_runs_open_one)(&shown->runs, cli, err) < 0)
		return -1;
	return tv_facets_fill(shown, cli, options, err);
}

int tv_facets_fill(struct tv_facets_shown *shown, const struct tv_cli *cli,
		   struct tv_plot_options *options, struct tv_error *err)
{
	if (take_outliers(&shown->runs, cli->outliers, err) < 0
	    || take_weights(shown, tv_cli_weights(cli, &shown->runs), err) < 0
	    || fill(shown, cli, err) < 0)
		return -1;
	options->facet = shown->facet;
	options->nfacets = shown->n;
	options->align = cli->align;
	options->weights = tv_cli_weights(cli, &shown->runs);
	options->share_x = cli->share_x;
	return place(cli, shown, options, err);
}

void tv_facets_print_warnings(struct tv_facets_shown *shown, const struct tv_cli *cli)
{
	for (size_t i = 0; cli->facet_by != NULL && i < shown->n; i++) {
		const struct tv_diagnostics *list = &shown->part[i].diagnostics;

		for (size_t k = 0; k < list->n; k++)
			tv_run_warn(shown->part[i].whole, "%s", list->at[k].text);
	}
	tv_runs_print_warnings(&shown->runs, cli);
}

void tv_facets_release(struct tv_facets_shown *shown)
{
	for (size_t i = 0; i < shown->n; i++) {
		tv_free(shown->rows[i]);
		tv_free(shown->label[i]);
		if (shown->facet[i].node)
			tv_run_release(&shown->part[i]);
	}
	tv_free(shown->facet);
	tv_free(shown->rows);
	tv_free(shown->part);
	tv_free(shown->label);
	tv_side_weights_release(&shown->weights);
	tv_runs_close(&shown->runs);
}
