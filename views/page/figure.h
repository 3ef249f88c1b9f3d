/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure.h -- a run made ready for panels; the figures of one run and of several. */
#ifndef TV_FIGURE_OF_RUN_H
#define TV_FIGURE_OF_RUN_H

#include "views/rows/rows.h"
#include "views/shared/figure.h"

/*
 * Runs the passes that header and panels share, builds the rows, decides the span of the axis. run,
 * options, scene and facet are set before. order: the types with colors of their own, which facets
 * share; NULL: those of this run. Release it in any case.
 */
int tv_figure_init(struct tv_figure *figure, const struct tv_type_order *order,
		   struct tv_error *err) TV_MUST_CHECK;
void tv_figure_release(struct tv_figure *figure);
/* The height that the user chose, points of the page; 0 = none. */
double tv_figure_height(const struct tv_plot_options *options, const struct tv_scene *scene);
/* The height that it has at most: the chosen one, if there is one. */
double tv_figure_max_height(const struct tv_plot_options *options, const struct tv_scene *scene);
/* The page ends at y, or at the chosen height if that is lower. */
void tv_figure_end(struct tv_scene *scene, double wanted, double y);

/* Lay everything into a scene that has its width. */
int tv_figure_draw(struct tv_run *run, const struct tv_plot_options *options,
		   struct tv_scene *scene, struct tv_error *err) TV_MUST_CHECK;
int tv_facets_draw(const struct tv_plot_options *options, struct tv_scene *scene,
		   struct tv_error *err) TV_MUST_CHECK;

#endif
