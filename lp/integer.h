/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integer.h -- the area bound where tasks are not divided. */
#ifndef TV_INTEGER_H
#define TV_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

#include "lp/area.h"

/*
 * Relative accuracy of the optimum: solutions that are less better are not looked for. GLPK computes
 * in double precision: of 150,000 random programs whose durations differ by up to 10^11, it missed
 * the optimum of two by 1e-7.
 */
#define TV_INTEGER_ACCURACY 1e-9

/*
 * As tv_area_bound with whole numbers n(t,r), by branch and bound (GLPK); counts are rounded to
 * whole numbers. When limit_ns have passed first, or GLPK proves no optimum, *bound is the area
 * bound itself and *optimal false: only the time depends on the machine. -1 with *err as there.
 */
int tv_area_integer(const struct tv_area *area, int64_t limit_ns, double *bound, bool *optimal,
		    struct tv_error *err) TV_MUST_CHECK;

#endif
