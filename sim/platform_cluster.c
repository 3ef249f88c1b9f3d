/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform_cluster.c -- zones with routing Cluster in SimGrid's XML: in one element, or link by link. */
#include <stdlib.h>
#include <string.h>

#include "sim/platform_simgrid.h"
#include "trace/alloc.h"

int tv_simgrid_backbone(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	struct tv_platform_zone *zone = &s->platform->zone[s->zone];
	int64_t link;

	if (zone->routing != TV_ROUTING_CLUSTER || zone->backbone != TV_NONE)
		return tv_xml_fail(xml, "<backbone>, expected one in a zone with routing Cluster");
	link = tv_simgrid_add_link(s, xml, attribute, tv_xml_value(attribute, "id"),
				   tv_simgrid_link_attributes, TV_LINK_SHARED);
	if (link < 0)
		return -1;
	if (s->platform->link[link].policy == TV_LINK_SPLITDUPLEX)
		return tv_xml_fail(xml, "a backbone is SHARED or FATPIPE");
	zone->backbone = (uint32_t)link;
	return 0;
}

int tv_simgrid_host_link(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	const char *name = tv_xml_value(attribute, "id");
	uint32_t point = tv_platform_find_point(s->platform, name);
	struct tv_platform_point *p;

	if (point == TV_NONE || s->platform->point[point].zone != s->zone
	    || s->platform->point[point].kind == TV_POINT_ZONE
	    || s->platform->zone[s->zone].routing != TV_ROUTING_CLUSTER)
		return tv_xml_fail(xml,
				   "<host_link> of '%s', expected a host of a zone with "
				   "routing Cluster",
				   name);
	p = &s->platform->point[point];
	return tv_simgrid_find_hop(s, xml, tv_xml_value(attribute, "up"), "UP", &p->up) < 0
			    || tv_simgrid_find_hop(s, xml, tv_xml_value(attribute, "down"), "DOWN",
						   &p->down)
				       < 0
		     ? -1
		     : 0;
}

/* Calls `add` for each number of "0-3,7,10-11". */
static int for_each_number(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute,
			   int (*add)(struct tv_simgrid *s, struct tv_xml *xml,
				      const char *const *attribute, long number))
{
	const char *radical = tv_xml_value(attribute, "radical"), *at = radical;
	char *end;

	for (;;) {
		long first = strtol(at, &end, 10), last = first;

		if (end == at || first < 0)
			break;
		at = end;
		if (*at == '-') {
			last = strtol(++at, &end, 10);
			if (end == at || last < first)
				break;
			at = end;
		}
		if (last - first >= TV_PLATFORM_MAX)
			return tv_xml_fail(xml, "radical '%.100s': more than %d hosts", radical,
					   TV_PLATFORM_MAX);
		for (long number = first; number <= last; number++)
			if (add(s, xml, attribute, number) < 0)
				return -1;
		if (*at == '\0')
			return 0;
		if (*at++ != ',')
			break;
	}
	return tv_xml_fail(xml, "radical '%.100s', expected numbers such as 0-3,7", radical);
}

static const char *value_or_empty(const char *const *attribute, const char *name)
{
	const char *value = tv_xml_value(attribute, name);

	return value != NULL ? value : "";
}

static char *host_name(const char *const *attribute, long number)
{
	return tv_format("%s%ld%s", value_or_empty(attribute, "prefix"), number,
			 value_or_empty(attribute, "suffix"));
}

/* A host of the open zone and the link between it and the zone's backbone; frees both names. */
static int add_host_and_link(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute,
			     char *host, char *name)
{
	static const char *const names[] = { "bw", "lat", "sharing_policy" };
	int64_t link = -1, point = tv_simgrid_add_point(s, xml, TV_POINT_HOST, host);
	bool split;

	if (point >= 0
	    && tv_simgrid_set_speed(xml, attribute, &s->platform->host[s->platform->nhosts - 1])
		       == 0)
		link = tv_simgrid_add_link(s, xml, attribute, name, names, TV_LINK_SPLITDUPLEX);
	tv_free(host);
	tv_free(name);
	if (link < 0)
		return -1;
	split = s->platform->link[link].policy == TV_LINK_SPLITDUPLEX;
	s->platform->point[point].up = (struct tv_hop){ (uint32_t)link, 0 };
	s->platform->point[point].down = (struct tv_hop){ (uint32_t)link, split };
	return 0;
}

/* One host of a cluster, with its link. */
static int add_cluster_host(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute,
			    long number)
{
	return add_host_and_link(s, xml, attribute, host_name(attribute, number),
				 tv_format("%s_link_%ld", tv_xml_value(attribute, "id"), number));
}

/* One host of a cabinet: SimGrid names its link after the host. */
static int add_cabinet_host(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute,
			    long number)
{
	char *host = host_name(attribute, number);

	return add_host_and_link(s, xml, attribute, host, tv_format("link_%s", host));
}

/* Hosts with a link each, in a zone with routing Cluster that is written out. */
int tv_simgrid_cabinet(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	if (s->platform->zone[s->zone].routing != TV_ROUTING_CLUSTER)
		return tv_xml_fail(xml, "<cabinet>, expected in a zone with routing Cluster");
	return for_each_number(s, xml, attribute, add_cabinet_host);
}

/* A cluster is a zone with a router, hosts with a link each, and perhaps a backbone. */
int tv_simgrid_cluster(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	static const char *const names[] = { "bb_bw", "bb_lat", "bb_sharing_policy" };
	static const char *const topologies[] = { "FLAT", "FLAT" };
	static const char *const zone[] = { "id", NULL, "routing", "Cluster", NULL };
	const char *id = tv_xml_value(attribute, "id"),
		   *router = tv_xml_value(attribute, "router_id");
	const char *as_zone[TV_COUNT(zone)];
	char *own_router, *backbone;
	int64_t link = 0;
	int rc;

	memcpy(as_zone, zone, sizeof zone);
	as_zone[1] = id;
	if (tv_simgrid_choice(xml, attribute, "topology", topologies, 1, 0) < 0
	    || tv_simgrid_zone(s, xml, as_zone) < 0)
		return -1;
	s->first_host = s->platform->nhosts;
	own_router = tv_format("%s%s_router%s", value_or_empty(attribute, "prefix"), id,
			       value_or_empty(attribute, "suffix"));
	backbone = tv_format("%s_backbone", id);
	rc = tv_simgrid_add_point(s, xml, TV_POINT_ROUTER,
				  router != NULL && router[0] != '\0' ? router : own_router)
			   < 0
		   ? -1
		   : 0;
	if (rc == 0 && tv_xml_value(attribute, "bb_bw") != NULL) {
		link = tv_simgrid_add_link(s, xml, attribute, backbone, names, TV_LINK_SHARED);
		s->platform->zone[s->zone].backbone = (uint32_t)link;
		rc = link < 0 ? -1 : 0;
		if (rc == 0 && s->platform->link[link].policy == TV_LINK_SPLITDUPLEX)
			rc = tv_xml_fail(xml, "a backbone is SHARED or FATPIPE");
	}
	tv_free(own_router);
	tv_free(backbone);
	return rc == 0 ? for_each_number(s, xml, attribute, add_cluster_host) : -1;
}
