/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture.h -- a platform as a picture: hosts, routers, links, zones. */
#ifndef TV_PLATFORM_PICTURE_H
#define TV_PLATFORM_PICTURE_H

#include "sim/platform.h"
#include "views/backends/backend.h"
#include "views/shared/options.h"

struct tv_platform_picture {
	const struct tv_platform *platform;
	const struct tv_route *route; /* to be marked */
	size_t nroutes;
	const uint32_t *end; /* hosts at their ends, two of each */
	const char *routes;  /* what they are called; NULL = none */
	double dpi;	     /* of a PNG; 0 = as usual */
	struct tv_metadata about;
};

/* Appends the file to *out. The page is as large as what it shows. */
int tv_platform_draw(const struct tv_platform_picture *picture, enum tv_medium medium,
		     struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;

#endif
