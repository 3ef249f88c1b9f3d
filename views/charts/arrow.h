/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrow.h -- an arrow in a frame: a line in a casing of another color, and its head. */
#ifndef TV_ARROW_H
#define TV_ARROW_H

#include "views/scene/scene.h"

struct tv_arrow_style {
	const char *class, *head_class, *group;
	double casing, core, head_length, head_half; /* points; casing 0: none */
	uint32_t color, edge;
};

/* From (ends[0], ends[1]) to (ends[2], ends[3]) on the page, as far as the frame shows it. row and
 * label as in tv_pen. */
void tv_arrow_draw(struct tv_scene *scene, unsigned frame, const double ends[4],
		   const struct tv_arrow_style *style, uint32_t row, uint32_t label);

#endif
