/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvation.h -- where workers lacked ready tasks, as colors along the time axis. */
#ifndef TV_CHART_STARVATION_H
#define TV_CHART_STARVATION_H

#include "views/charts/series.h"

/*
 * Draws a result of the pass lack (of the run, not by node) over the height of a frame of one row:
 * per column of the picture, red by the share of workers that lack tasks, else gray if any has
 * none left (drain), else nothing. pale: to be behind curves.
 */
void tv_starvation_draw(struct tv_figure *figure, unsigned frame, const struct tv_table *lack,
			bool pale);
/* The color of a share of the workers, as drawn. */
uint32_t tv_starvation_color(double share, bool pale);
/* Its column of that name ("Lack", "Drain") over time, and the number of workers. */
struct tv_pieces tv_starvation_pieces(const struct tv_table *lack, const char *name);
double tv_starvation_workers(const struct tv_table *lack);

#endif
