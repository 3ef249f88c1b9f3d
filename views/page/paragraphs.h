/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paragraphs.h -- paragraphs above a figure. */
#ifndef TV_PARAGRAPHS_H
#define TV_PARAGRAPHS_H

#include "views/shared/figure.h"

/* Draws the paragraphs of the options from y on, in lines that fit the figure; returns where they
 * end: y if there are none. */
double tv_lead_draw(struct tv_figure *figure, double y);

#endif
