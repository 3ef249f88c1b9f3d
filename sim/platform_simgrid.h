/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform_simgrid.h -- what the two files that read SimGrid's XML share. Errors name the line. */
#ifndef TV_SIM_PLATFORM_SIMGRID_H
#define TV_SIM_PLATFORM_SIMGRID_H

#include "sim/platform_xml.h"

/* A host's cache or memory, by a name that may come later. */
struct tv_simgrid_reference {
	uint32_t first, end; /* hosts */
	uint32_t name;
	long line;
	bool is_memory;
};

struct tv_simgrid {
	struct tv_platform *platform;
	const struct tv_simgrid_element *open[TV_XML_DEPTH];
	uint32_t zone;	     /* innermost open one; TV_NONE */
	uint32_t first_host; /* those from here are of the open <host> or <cluster> */
	unsigned props;	     /* bits of enum prop that the open element has */
	struct tv_platform_section section; /* the open route */
	bool both_ways;
	struct tv_hop *hop;
	size_t nhops, hop_cap;
	struct tv_simgrid_reference *reference;
	size_t nreferences, reference_cap;
};

/* The number of one of n words, in an attribute that may be missing: its default. */
int tv_simgrid_choice(struct tv_xml *xml, const char *const *attribute, const char *name,
		      const char *const words[], int n, int value);
/* Adds a host, router or zone to the open zone: its number. */
int64_t tv_simgrid_add_point(struct tv_simgrid *s, struct tv_xml *xml, enum tv_point_kind kind,
			     const char *name);
/* speed="20Gf" or, by pstate, "20Gf,15Gf"; cores. */
int tv_simgrid_set_speed(struct tv_xml *xml, const char *const *attribute,
			 struct tv_platform_host *host);
/* Adds a link with what the attributes of these names (bandwidth, latency, policy) say: its number. */
int64_t tv_simgrid_add_link(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute,
			    const char *name, const char *const names[3],
			    enum tv_link_policy policy);
extern const char *const tv_simgrid_link_attributes[3]; /* of <link> and <backbone> */
/* A link by its name, and in which direction. "x_UP" and "x_DOWN" are the two of a splitduplex x. */
int tv_simgrid_find_hop(struct tv_simgrid *s, struct tv_xml *xml, const char *name,
			const char *direction, struct tv_hop *hop);

/* What begins at an element. */
int tv_simgrid_zone(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute);
int tv_simgrid_cluster(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute);
int tv_simgrid_cabinet(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute);
int tv_simgrid_backbone(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute);
int tv_simgrid_host_link(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute);

#endif
