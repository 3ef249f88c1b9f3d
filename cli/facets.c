/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facets.c -- several runs of a command line as the facets of a figure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/number.h"

enum { COLUMNS_WIDE = 3, COLUMNS_NARROW = 1 };

/* The run of a side whose makespan is the median; of an even number, the shorter in the middle. */
static struct tv_run *median_of(const struct tv_side *side)
{
	for (size_t i = 0; i < side->n; i++) {
		const struct tv_view *view = &side->run[i]->view;
		int64_t makespan = view->finish - view->begin;
		size_t shorter = 0;

		for (size_t k = 0; k < side->n; k++) {
			const struct tv_view *other = &side->run[k]->view;
			int64_t length = other->finish - other->begin;

			shorter += length < makespan || (length == makespan && k < i);
		}
		if (shorter == (side->n - 1) / 2)
			return side->run[i];
	}
	return side->run[0];
}

static int parse_layout(const char *text, unsigned n, unsigned *rows, unsigned *columns,
			struct tv_error *err)
{
	if (strcmp(text, "rows") == 0) {
		*rows = n;
		*columns = 1;
	} else if (strcmp(text, "columns") == 0) {
		*rows = 1;
		*columns = n;
	} else {
		char end;

		/* %u would take blanks and signs. */
		if (text[strspn(text, "0123456789x")] != '\0'
		    || sscanf(text, "%3ux%3u%c", rows, columns, &end) != 2 || *rows == 0
		    || *columns == 0 || *rows * *columns < n)
			return tv_fail_usage(err, "--facet-layout '%s', expected rows, columns or "
					     "RxC with room for %u runs", text, n);
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
						    && strncmp(side[i].label, side[k].label,
							       length) == 0
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

static int place(const struct tv_cli *cli, const struct tv_runs *runs,
		 struct tv_plot_options *options, struct tv_facet *facet, struct tv_error *err)
{
	unsigned n = (unsigned)runs->nsides;
	unsigned *row = tv_alloc(n, sizeof *row), *column = tv_alloc(n, sizeof *column);
	bool labels = false;
	int rc = 0;

	if (row == NULL || column == NULL)
		rc = tv_fail_memory(err);
	else if (cli->facet_layout != NULL)
		rc = parse_layout(cli->facet_layout, n, &options->rows, &options->columns, err);
	else
		labels = place_by_labels(runs->side, n, facet, &options->rows, &options->columns,
					 row, column);
	tv_free(row);
	tv_free(column);
	if (rc < 0 || labels)
		return rc;
	if (cli->facet_layout == NULL) {
		bool narrow = options->width_in > 0 && options->width_in < 5;

		options->columns = narrow ? COLUMNS_NARROW : n < COLUMNS_WIDE ? n : COLUMNS_WIDE;
		options->columns = n == 4 && !narrow ? 2 : options->columns;
		options->rows = (n + options->columns - 1) / options->columns;
	}
	for (unsigned i = 0; i < n; i++) {
		facet[i].row = i / options->columns;
		facet[i].column = i % options->columns;
	}
	return 0;
}

static int parse_share(const char *text, enum tv_share_x *share, struct tv_error *err)
{
	static const char *const names[] = { "yes", "per-row", "no" };

	for (size_t i = 0; i < TV_COUNT(names); i++)
		if (text == NULL || strcmp(text, names[i]) == 0) {
			*share = (enum tv_share_x)i;
			return 0;
		}
	return tv_fail_usage(err, "--share-x '%s', expected yes, no or per-row", text);
}

/* "dmda, median of 5 runs" */
static char *label_of(const struct tv_side *side)
{
	return side->n == 1 ? tv_strdup(side->label)
			    : tv_format("%s, median of %zu runs", side->label, side->n);
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
	shown->label = tv_alloc(n, sizeof *shown->label);
	shown->rows = tv_alloc(n, sizeof *shown->rows);
	if (shown->facet == NULL || shown->label == NULL || shown->rows == NULL)
		return tv_fail_memory(err);
	for (size_t i = 0; i < n; i++) {
		struct tv_facet *facet = &shown->facet[i];
		uint32_t **rows = &shown->rows[i];

		shown->label[i] = label_of(&shown->runs.side[i]);
		if (shown->label[i] == NULL)
			return tv_fail_memory(err);
		*facet = (struct tv_facet){ .run = median_of(&shown->runs.side[i]),
					    .label = shown->label[i] };
		if (tv_select(cli, NULL, &facet->run->trace->table[TV_TASKS], rows,
			      &facet->nshown, err) < 0)
			return -1;
		facet->shown = *rows;
	}
	options->facet = shown->facet;
	options->nfacets = n;
	options->align = cli->align;
	if (parse_share(cli->share_x, &options->share_x, err) < 0)
		return -1;
	return place(cli, &shown->runs, options, shown->facet, err);
}

void tv_facets_release(struct tv_facets_shown *shown)
{
	for (size_t i = 0; i < shown->runs.nsides; i++) {
		if (shown->rows != NULL)
			tv_free(shown->rows[i]);
		if (shown->label != NULL)
			tv_free(shown->label[i]);
	}
	tv_free(shown->facet);
	tv_free(shown->rows);
	tv_free(shown->label);
	tv_runs_close(&shown->runs);
}
