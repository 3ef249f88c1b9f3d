/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h -- what a command line says of a figure, as the options of the views. */
#ifndef TV_CLI_FIGURE_H
#define TV_CLI_FIGURE_H

#include "cli/cli.h"
#include "views/shared/options.h"

enum { TV_FIGURE_NOTES_MAX = 8 };

/* The options of a figure with what they own. */
struct tv_cli_figure {
	struct tv_plot_options options;
	char *label, *caption, *command, *note[TV_FIGURE_NOTES_MAX];
	char *names; /* of panels, cut into words */
	const char **panel;
	const char *notes[TV_FIGURE_NOTES_MAX];
	uint32_t *shown;
	char **row_name; /* lines of the file of --row-order */
	size_t nrow_names, row_names_cap;
};

/* The medium of -o and --to. -1 with *err (usage): none, or one that cannot go there. */
int tv_cli_medium(const struct tv_cli *cli, enum tv_medium *medium,
		  struct tv_error *err) TV_MUST_CHECK;

/* Fills *figure (zeroed) with what does not depend on the traces; it borrows from cli. -1 with *err.
 * Release it in any case. */
int tv_cli_figure_fill(struct tv_cli_figure *figure, const struct tv_cli *cli,
		       struct tv_error *err) TV_MUST_CHECK;
/* Which rows of the trace's tasks are drawn. -1 with *err: none fits. */
int tv_cli_figure_choose(struct tv_cli_figure *figure, struct tv_session *session,
			 const struct tv_cli *cli, struct tv_error *err) TV_MUST_CHECK;
/* SOURCE_DATE_EPOCH, or 0. */
int64_t tv_cli_date(void);
void tv_cli_figure_release(struct tv_cli_figure *figure);

/* The file of a page, from 0: "x.png", then "x-2.png". Free with tv_free. */
char *tv_page_path(const char *path, unsigned page);

/* Draws one page (tv_plot) into one more file of the set. */
int tv_cli_write_page(struct tv_run *run, const struct tv_plot_options *options,
		      enum tv_medium medium, const char *path, struct tv_outputs *set,
		      struct tv_error *err) TV_MUST_CHECK;
/* Draws the figure of one trace (tv_plot_traces) part by part, at most so many rows at a time. -1 with *err. */
int tv_plot_in_parts(const struct tv_cli *cli, uint32_t rows, struct tv_error *err) TV_MUST_CHECK;

#endif
