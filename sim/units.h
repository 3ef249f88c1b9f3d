/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h -- numbers with a unit as platform files write them: "10GBps", "147ns", "19.79Gf". */
#ifndef TV_SIM_UNITS_H
#define TV_SIM_UNITS_H

#include "trace/error.h"

enum tv_quantity {
	TV_BANDWIDTH, /* bytes/s: Bps and bps (bits) with k M G T P E Z Y or Ki Mi ... Yi; B/s, b/s */
	TV_DURATION, /* s: ps ns us ms s m h d w */
	TV_SPEED,    /* flop/s: f with k M G T P E Z Y; flops with kilo mega giga ... yotta */
	TV_SIZE	     /* bytes: B and b (bits) with prefixes as above */
};

/*
 * The value of a text, in the unit above; finite. -1 with *err, without a position: it is no number
 * of this quantity. Zero needs no unit.
 */
int tv_parse_quantity(const char *text, enum tv_quantity quantity, double *value,
		      struct tv_error *err) TV_MUST_CHECK;

#endif
