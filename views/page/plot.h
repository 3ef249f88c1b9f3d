/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot.h -- a run as a figure: the entry point of the views.
 *
 * A figure is a header of two lines, a legend, panels one below the other over one time axis, the
 * axis, and panels without time at the right of the stack or below it. The same run, options and
 * medium give the same bytes, wherever and whenever.
 */
#ifndef TV_PLOT_H
#define TV_PLOT_H

#include "views/scene/scene.h"
#include "views/shared/options.h"

/* The medium of that name ("pdf", "png", "svg", "boxes"), or -1. */
int tv_medium_find(const char *name);

/*
 * Draws the run (its window is run->window; not looked at if there are facets) and appends the file
 * to *out, which the caller commits or aborts. A PDF gets all pages, any other medium the one that
 * the options name. A width, height or panel that cannot be: -1 with *err, status TV_USAGE. Text
 * that would not fit is shortened. Cost O(tasks log tasks); memory about 40 bytes per task
 * besides the trace.
 */
int tv_plot(struct tv_run *run, const struct tv_plot_options *options, enum tv_medium medium,
	    struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;

/* A figure of its own in a file with several. */
struct tv_plot_page {
	struct tv_run *run;
	const struct tv_plot_options *options; /* of one page */
};

/* The same as tv_plot for several figures, one a page of a PDF, whose title and other metadata are
 * those of the first one; -1 with *err also if one of them cannot be drawn. */
int tv_plot_pdf(const struct tv_plot_page *page, unsigned n, struct tv_output *out,
		struct tv_error *err) TV_MUST_CHECK;

/* The scene alone, in *scene (uninitialized); cell = smallest length of the medium in its points;
 * labels = with hover texts. text must outlive it. The scene is laid out on a page that is
 * smaller by the scale; scene->scale has it. */
int tv_plot_scene(struct tv_run *run, const struct tv_plot_options *options, struct tv_text *text,
		  double cell, bool labels, struct tv_scene *scene,
		  struct tv_error *err) TV_MUST_CHECK;
/* The cell of a medium in points: a pixel of a PNG, 1/600 inch of a PDF or SVG. */
double tv_medium_cell(enum tv_medium medium, double dpi);

#endif
