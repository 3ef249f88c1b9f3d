/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ramp.h -- colors for shares: white for nothing, the darker the more. */
#ifndef TV_RAMP_H
#define TV_RAMP_H

#include <stddef.h>
#include <stdint.h>

enum tv_ramp {
	TV_RAMP_LOAD, /* blue, even */
	TV_RAMP_LACK  /* red, by the square root: small shares show */
};

/* The color of a share of 0 to 1, 0xRRGGBB; values outside count as the nearer end, NaN as 0.
 * Lightness falls strictly, so it is also readable in gray. */
uint32_t tv_ramp_color(enum tv_ramp ramp, double share);
/* That of TV_RAMP_LOAD. */
uint32_t tv_load_color(double share);

#endif
