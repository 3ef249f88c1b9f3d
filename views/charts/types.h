/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h -- task types in the colors of the legend; curves per task type, in its order. */
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

#define TV_TYPE_UNKNOWN 0x999999u
/* The color of a task type (a label); TV_TYPE_UNKNOWN where the legend has none for it. */
uint32_t tv_type_color(const struct tv_figure *figure, uint32_t value);

#endif
