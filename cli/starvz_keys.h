/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvz_keys.h -- the meaning of the keys of StarVZ's configuration files: one table. */
#ifndef TV_STARVZ_KEYS_H
#define TV_STARVZ_KEYS_H

#include <stddef.h>

/* How a value there becomes one of ours. */
enum tv_starvz_how {
	TV_SV_PANEL, /* KEY.active adds a panel; options of that panel are named alike */
	TV_SV_SET,   /* the values, with commas between, behind the text `is`, if there is one */
	TV_SV_START, /* the value, unless it is 0 or less */
	TV_SV_IS,    /* any value sets `is` */
	TV_SV_ON,    /* true does */
	TV_SV_OFF,   /* false does */
	TV_SV_SHARE, /* the value, there of 1, here of 100 */
	TV_SV_BOUND, /* true adds `is` to --st.bounds */
	TV_SV_FINE,  /* ignored: figures are like that here, or it only changes the style */
	TV_SV_LOST   /* no counterpart, unless it has the value `is` */
};

struct tv_starvz_rule {
	const char *key; /* a pattern */
	enum tv_starvz_how how;
	const char *to; /* panel or option; NULL = none */
	const char *is;
	const char *
		when; /* KEY=VALUE,... or KEY=: only if that key has such a value, is not there; NULL = always */
};

/* Panels in StarVZ's order, from top to bottom; after them, the first pattern that matches a key
 * applies. A key that no row matches has no counterpart. The
 * last key is NULL. */
extern const struct tv_starvz_rule tv_starvz_keys[];

#endif
