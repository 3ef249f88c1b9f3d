/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sectors.h -- parts of rings: their shape and what text is inside of them. */
#ifndef TV_SECTORS_H
#define TV_SECTORS_H

#include "views/scene/scene.h"

#define TV_PI 3.14159265358979323846

/* Angles in radians, clockwise from the top; the middle of the ring is at (x, y). */
struct tv_sector {
	double x, y, inner, outer; /* points */
	double from, to;
};

/* With the fill and stroke of the pen; crossed: a line from corner to corner, of class `missing`. */
void tv_sector_draw(struct tv_scene *scene, const struct tv_sector *sector, bool crossed);
/* Where its text has its middle; that of a whole disc is its own. */
struct tv_point tv_sector_middle(const struct tv_sector *sector);
/* Whether a box around that point is inside. */
bool tv_sector_holds(const struct tv_sector *sector, double width, double height);

#endif
