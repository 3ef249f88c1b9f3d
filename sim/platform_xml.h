/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform_xml.h -- the two XML formats of a platform, for sim/platform_xml.c. */
#ifndef TV_SIM_PLATFORM_XML_H
#define TV_SIM_PLATFORM_XML_H

#include "sim/platform.h"
#include "trace/xml.h"

/* Reads the elements of one format; the root included. */
struct tv_platform_format {
	const char *root; /* name of the root element */
	void *(*new)(struct tv_platform *platform);
	int (*begin)(void *reader, struct tv_xml *xml, const char *element,
		     const char *const *attribute);
	int (*end)(void *reader, struct tv_xml *xml, const char *element);
	void (*free)(void *reader);
};

extern const struct tv_platform_format tv_platform_simgrid, tv_platform_hwloc;

#endif
