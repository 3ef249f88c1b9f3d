/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvation.h -- where workers lacked ready tasks, as colors along the time axis. */
#ifndef TV_VIEW_STARVATION_H
#define TV_VIEW_STARVATION_H

#include "views/panels.h"

/*
 * Draws a result of the pass lack (of the run, not by node) over the height of a frame of one row:
 * per column of the picture, red by the share of workers that lack tasks, else gray if any has
 * none left (drain), else nothing. pale: to stand behind curves.
 */
void tv_starvation_draw(struct tv_figure *figure, unsigned frame, const struct tv_table *lack,
			bool pale);
/* The color of a share of the workers, as drawn. */
uint32_t tv_starvation_color(double share, bool pale);

#endif
