/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h -- curves per task type, in the order and the colors of the legend. */
#ifndef TV_VIEW_TYPES_H
#define TV_VIEW_TYPES_H

#include "views/charts/curves.h"

/*
 * Adds the curves of that name (a label, TV_NONE = every one) of a result of the form Curve, Group,
 * Start, End, Value, whose groups are task types, as areas: the first type of the legend at the
 * bottom, on top and in gray the sum of those that have no color there. Sets shown->time and
 * value. O(rows), and O(n log n) for n pieces of types without color.
 */
int tv_types_show(struct tv_figure *figure, struct tv_curves_shown *shown,
		  const struct tv_table *table, uint32_t curve, struct tv_error *err) TV_MUST_CHECK;

#endif
