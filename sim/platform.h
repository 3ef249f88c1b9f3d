/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * platform.h -- a machine in memory, as SimGrid describes it: hosts, links, and the route of links
 * from each host to each other one.
 *
 * A zone contains points: hosts, routers and other zones. Its sections are routes between two of its
 * points, each a list of links; a section that ends at a zone says by which host or router (gateway)
 * of that zone. The route from one host to another is found in the innermost zone that contains both,
 * by the zone's routing, and continued to the gateways inside the zones at its ends:
 *
 *   full             the section from one point to the other
 *   floyd, dijkstra  the sections that together have the fewest links; of several such paths the one
 *                    with the fewest sections; of these, the one that, seen from the end, goes
 *                    through the points that are declared first
 *   cluster          the own link of one host, the backbone, the own link of the other one
 *   none             there are no routes
 *
 * From a host to itself nothing is crossed, unless a section says so. Latencies are kept, but not part of the model of transfers
 * (sim/network.h).
 */
#ifndef TV_SIM_PLATFORM_H
#define TV_SIM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"
#include "trace/input.h"
#include "trace/map.h"

enum tv_host_kind { TV_HOST_CORE, TV_HOST_CACHE, TV_HOST_MEMORY };

struct tv_platform_host {
	uint32_t point;
	enum tv_host_kind kind;
	double speed;		/* flop/s of one core; 0 = not known */
	uint32_t cores;		/* > 0 */
	uint64_t size;		/* bytes of a cache or memory; 0 = not known */
	uint32_t cache, memory; /* hosts: its last-level cache, its memory; TV_NONE = not known */
	uint32_t cpu_kind; /* of pool: kind of a core, on a machine that has several; TV_NONE */
};

enum tv_link_policy {
	TV_LINK_SHARED,	     /* both directions share the bandwidth */
	TV_LINK_SPLITDUPLEX, /* each direction has it */
	TV_LINK_FATPIPE	     /* each transfer has it */
};

struct tv_platform_link {
	uint32_t name;
	enum tv_link_policy policy;
	double bandwidth;   /* bytes/s, > 0 */
	int64_t latency_ns; /* >= 0 */
};

/* A link that is crossed; down: in the direction opposite to its own. Equal to 0 unless the link is
 * splitduplex. */
struct tv_hop {
	uint32_t link;
	uint32_t down;
};

enum tv_routing {
	TV_ROUTING_FULL,
	TV_ROUTING_FLOYD,
	TV_ROUTING_DIJKSTRA,
	TV_ROUTING_CLUSTER,
	TV_ROUTING_NONE
};

enum tv_point_kind { TV_POINT_HOST, TV_POINT_ROUTER, TV_POINT_ZONE };

struct tv_platform_point {
	uint32_t name;
	enum tv_point_kind kind;
	uint32_t zone;		/* that contains it; TV_NONE for the outermost zone */
	uint32_t index;		/* of a host, of a zone */
	uint32_t section;	/* first section that begins here; TV_NONE */
	struct tv_hop up, down; /* in a cluster: own link from and to here; link TV_NONE = none */
};

struct tv_platform_zone {
	uint32_t point;
	uint32_t depth; /* 0 = the outermost */
	enum tv_routing routing;
	uint32_t backbone; /* link of a cluster; TV_NONE */
};

struct tv_platform_section {
	uint32_t from, to;	 /* points of one zone */
	uint32_t gw_from, gw_to; /* hosts or routers: where it begins and ends */
	size_t hop;
	uint32_t nhops;
	uint32_t next; /* section from the same point */
};

enum { TV_PLATFORM_MAX = 4000000 }; /* points, and links */

struct tv_platform {
	char *file; /* for messages; owned */
	struct tv_pool *pool;
	struct tv_platform_host *host;
	struct tv_platform_link *link;
	struct tv_platform_point *point;
	struct tv_platform_zone *zone;
	struct tv_platform_section *section;
	struct tv_hop *hop; /* of sections */
	uint32_t nhosts, nlinks, npoints, nzones, nsections;
	size_t nhop;
	uint32_t ignored;    /* elements and settings that describe no host, link or route */
	char *first_ignored; /* where and what the first is; owned */
	int crosstraffic;    /* the file asks for it: 1, or not: 0; -1 = it does not say */
	size_t host_cap, link_cap, point_cap, zone_cap, section_cap, hop_cap;
	struct tv_index point_of, link_of; /* by name */
	struct tv_map section_of;	   /* by its two points */
	struct tv_routes *routes;	   /* what was asked for, kept (sim/routes.c) */
};

/* An empty platform. */
void tv_platform_init(struct tv_platform *platform, const char *file);
void tv_platform_release(struct tv_platform *platform); /* safe on a zeroed struct */

/* Names of the platforms that are part of the program (data/platforms), from 0; NULL behind the last. */
const char *tv_platform_shipped(size_t i);

/*
 * Reads a shipped platform, or else a file: SimGrid's XML (docs/simulation.md lists what is supported), or
 * hwloc 2's, whose bandwidths are assumptions. Initializes *platform; -1 with *err: FILE:LINE, and it is
 * released.
 */
int tv_platform_read(struct tv_platform *platform, const char *name,
		     struct tv_error *err) TV_MUST_CHECK;
int tv_platform_read_input(struct tv_platform *platform, struct tv_input *in,
			   struct tv_error *err) TV_MUST_CHECK;

/*
 * Adding parts, by readers. A point's zone is TV_NONE for the outermost zone only, which is added
 * first. Each returns the number of the part; -1 with *err without a position: a name that exists,
 * too many parts, a value out of range.
 */
int64_t tv_platform_add_point(struct tv_platform *platform, enum tv_point_kind kind,
			      const char *name, uint32_t zone, struct tv_error *err) TV_MUST_CHECK;
/* A link: shared, 1 byte/s, until the caller sets more. */
int64_t tv_platform_add_link(struct tv_platform *platform, const char *name, double bandwidth,
			     struct tv_error *err) TV_MUST_CHECK;
/* A section with n > 0 links. Both ways adds the opposite one: links and directions reversed. */
int tv_platform_add_section(struct tv_platform *platform, const struct tv_platform_section *section,
			    const struct tv_hop *hop, bool both_ways,
			    struct tv_error *err) TV_MUST_CHECK;

/* TV_NONE if there is none of that name. */
uint32_t tv_platform_find_point(const struct tv_platform *platform, const char *name);
uint32_t tv_platform_find_host(const struct tv_platform *platform, const char *name);
uint32_t tv_platform_find_link(const struct tv_platform *platform, const char *name);
const char *tv_platform_point_name(const struct tv_platform *platform, uint32_t point);
const char *tv_platform_host_name(const struct tv_platform *platform, uint32_t host);
const char *tv_platform_link_name(const struct tv_platform *platform, uint32_t link);
/* Whether a point lies in a zone, at any depth. */
bool tv_platform_inside(const struct tv_platform *platform, uint32_t point, uint32_t zone);

struct tv_route {
	const struct tv_hop *hop; /* in the order in which a transfer crosses them */
	uint32_t n;
	int64_t latency_ns; /* sum over the links */
};

/*
 * The route from a host to another one; valid as long as the platform. The first query of a pair
 * costs up to O(sections log sections), a repeated one O(1). -1 with *err: there is no route.
 */
int tv_platform_route(struct tv_platform *platform, uint32_t from, uint32_t to,
		      struct tv_route *route, struct tv_error *err) TV_MUST_CHECK;

/* Of sim/routes.c. */
void tv_routes_free(struct tv_routes *routes);

#endif
