/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h -- what an HTML report has besides its picture: the runs and the results on them. */
#ifndef TV_REPORT_H
#define TV_REPORT_H

#include "views/backends/html/html.h"
#include "views/shared/options.h"

/* More rows of tasks than a browser can hold are refused: -1 with *err (usage), which names what to
 * do. The limit is TV_REPORT_ROWS, of all runs together; of a window, the rows that
 * touch it count. */
int tv_report_check(const struct tv_run *run, const struct tv_plot_options *options,
		    struct tv_error *err) TV_MUST_CHECK;
enum { TV_REPORT_ROWS = 10000000 };

/*
 * Adds the members "runs" and "facets" to the header, the tables of every run as columns, and key
 * numbers as facts. run: as for tv_plot. Texts of the tables are added to the strings of the scene;
 * items of its charts of tasks get the numbers that their rows have in the report, which leaves out
 * what is far from the window. What cannot be computed for a run is left out. Cost: that of the
 * passes; memory O(tasks + dependencies).
 */
void tv_report_runs(struct tv_html *html, struct tv_run *run, const struct tv_plot_options *options,
		    struct tv_scene *scene);
/* The same of one run whose tasks go to options->tiles. Fails if no chart has tasks. */
int tv_report_tiles(struct tv_html *html, struct tv_run *run, const struct tv_plot_options *options,
		    struct tv_scene *scene, struct tv_error *err) TV_MUST_CHECK;

#endif
