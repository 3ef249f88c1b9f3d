/* SPDX-License-Identifier: GPL-3.0-or-later */
/* levels.h -- horizontal lines at values that an option lists. */
#ifndef TV_LEVELS_H
#define TV_LEVELS_H

#include "views/charts/plane.h"
#include "views/shared/panel.h"

/* The list of a panel's option `levels`, or else `otherwise` (NULL: none), in *levels, which is
 * borrowed. -1 with *err if it is not a list of numbers with commas between. */
int tv_levels_option(const struct tv_figure *figure, const struct tv_panel *panel,
		     const char *otherwise, const char **levels,
		     struct tv_error *err) TV_MUST_CHECK;
/* The number at *at of a list that was checked; *at becomes the next one, "" after the last. */
double tv_levels_next(const char **at);
/* Lines through the data area, those that lie in it; levels NULL: none. */
void tv_levels_draw(struct tv_scene *scene, const struct tv_plane *plane, const char *levels);

#endif
