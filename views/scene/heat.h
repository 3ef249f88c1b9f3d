/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat.h -- colors of shares: from pale yellow over red to dark, ever darker. */
#ifndef TV_HEAT_H
#define TV_HEAT_H

#include <stdint.h>

/* The color of a share; beyond 0 to 1 it is that of the end. */
uint32_t tv_heat_color(double share);

#endif
