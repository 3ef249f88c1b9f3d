/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat.c -- a sequential scale of colors. */
#include "views/scene/heat.h"

#include <math.h>

static const double stop[][3] = {
	{ 255, 236, 153 }, { 254, 178, 76 }, { 240, 84, 36 }, { 177, 0, 38 }, { 92, 0, 40 },
};

enum { LAST = sizeof stop / sizeof stop[0] - 1 };

uint32_t tv_heat_color(double share)
{
	double at = fmin(fmax(share, 0), 1) * LAST;
	int i = at >= LAST ? LAST - 1 : (int)at;
	uint32_t color = 0;

	for (int c = 0; c < 3; c++)
		color = color << 8
		      | (uint32_t)(stop[i][c] + (stop[i + 1][c] - stop[i][c]) * (at - i) + 0.5);
	return color;
}
