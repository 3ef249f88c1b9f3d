/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ramp.c -- colors for shares. */
#include "views/scene/ramp.h"

#include <math.h>

enum { STOPS = 5 };

static const uint32_t stops[][STOPS] = {
	[TV_RAMP_LOAD] = { 0xffffff, 0xcddff0, 0x86b4da, 0x3b7cb4, 0x0c3a6b },
	[TV_RAMP_LACK] = { 0xffffff, 0xfbd5c6, 0xf0947a, 0xcc4233, 0x7c0f1d },
};

uint32_t tv_ramp_color(enum tv_ramp ramp, double share)
{
	double at = share > 0 ? fmin(share, 1) : 0, part;
	uint32_t color = 0;
	int i;

	at = (ramp == TV_RAMP_LACK ? sqrt(at) : at) * (STOPS - 1);
	i = (int)fmin(floor(at), STOPS - 2);
	part = at - i;
	for (int shift = 16; shift >= 0; shift -= 8) {
		double a = stops[ramp][i] >> shift & 0xff, b = stops[ramp][i + 1] >> shift & 0xff;

		color |= (uint32_t)(a + (b - a) * part + 0.5) << shift;
	}
	return color;
}

uint32_t tv_load_color(double share)
{
	return tv_ramp_color(TV_RAMP_LOAD, share);
}
