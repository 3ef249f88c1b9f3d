/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * platform_simgrid.c -- platforms in SimGrid's XML, versions 4 and 4.1. An element or attribute that
 * is not in the table below could change what is simulated, so it is an error.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/platform_xml.h"
#include "sim/units.h"
#include "trace/alloc.h"
#include "trace/number.h"

enum { MAX_LATENCY_S = 3600 };

/* A host's cache or memory, by a name that may come later. */
struct reference {
	uint32_t first, end; /* hosts */
	uint32_t name;
	long line;
	bool is_memory;
};

struct simgrid {
	struct tv_platform *platform;
	const struct element *open[TV_XML_DEPTH];
	uint32_t zone;	     /* innermost open one; TV_NONE */
	uint32_t first_host; /* those from here are of the open <host> or <cluster> */
	unsigned props;	     /* bits of enum prop that the open element has */
	struct tv_platform_section section; /* the open route */
	bool both_ways;
	struct tv_hop *hop;
	size_t nhops, hop_cap;
	struct reference *reference;
	size_t nreferences, reference_cap;
};

/* One kind of element. */
struct element {
	const char *name;
	const char *inside;   /* names of the elements around it; "" = none */
	const char *required; /* attributes */
	const char *optional;
	int (*begin)(struct simgrid *s, struct tv_xml *xml, const char *const *attribute);
	int (*end)(struct simgrid *s, struct tv_xml *xml);
};

/* Whether a word is one of a list separated by blanks. */
static bool listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; *list != '\0'; list += strcspn(list, " "), list += strspn(list, " "))
		if (strcspn(list, " ") == n && strncmp(list, word, n) == 0)
			return true;
	return false;
}

/* Adds the line to an error that has none. */
static int at_line(struct tv_xml *xml)
{
	return tv_xml_fail(xml, "%s", xml->err->text);
}

/* The number of one of n words, in an attribute that may be missing: its default. */
static int choice(struct tv_xml *xml, const char *const *attribute, const char *name,
		  const char *const words[], int n, int value)
{
	const char *text = tv_xml_value(attribute, name);
	int i = 0;

	if (text == NULL)
		return value;
	while (i < n && strcmp(text, words[i]) != 0)
		i++;
	return i < n ? i
		     : tv_xml_fail(xml, "%s '%.100s', expected %s, %s%s", name, text, words[0],
				   words[1], n > 2 ? " or others (docs/simulation.md)" : "");
}

/* A quantity in an attribute; one that is missing leaves *value. */
static int quantity(struct tv_xml *xml, const char *const *attribute, const char *name,
		    enum tv_quantity kind, double *value)
{
	const char *text = tv_xml_value(attribute, name);
	struct tv_error why;

	if (text == NULL || tv_parse_quantity(text, kind, value, &why) == 0)
		return 0;
	return tv_xml_fail(xml, "%s %s", name, why.text);
}

/* Adds a host, router or zone to the open zone. */
static int64_t add_point(struct simgrid *s, struct tv_xml *xml, enum tv_point_kind kind,
			 const char *name)
{
	int64_t point = tv_platform_add_point(s->platform, kind, name, s->zone, xml->err);

	return point < 0 ? at_line(xml) : point;
}

static int begin_platform(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	const char *version = tv_xml_value(attribute, "version");

	(void)s;
	if (strcmp(version, "4") == 0 || strcmp(version, "4.0") == 0 || strcmp(version, "4.1") == 0)
		return 0;
	return tv_xml_fail(xml,
			   "version '%.20s' of SimGrid's platforms, expected 4 or 4.1 "
			   "(simgrid_update_xml converts older ones)",
			   version);
}

static int end_platform(struct simgrid *s, struct tv_xml *xml)
{
	struct tv_platform *platform = s->platform;

	if (platform->nhosts == 0)
		return tv_xml_fail(xml, "the platform has no host");
	for (size_t i = 0; i < s->nreferences; i++) {
		const struct reference *r = &s->reference[i];
		const char *name = tv_pool_text(platform->pool, r->name);
		uint32_t to = tv_platform_find_host(platform, name);

		if (to == TV_NONE
		    || platform->host[to].kind != (r->is_memory ? TV_HOST_MEMORY : TV_HOST_CACHE))
			return tv_fail_at(xml->err, (struct tv_pos){ xml->in->path, r->line },
					  "'%s' is no host with kind %s", name,
					  r->is_memory ? "memory" : "cache");
		for (uint32_t host = r->first; host < r->end; host++)
			*(r->is_memory ? &platform->host[host].memory
				       : &platform->host[host].cache) = to;
	}
	return 0;
}

static int begin_zone(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	static const char *const routings[] = { "Full",	   "Floyd", "Dijkstra",
						"Cluster", "None",  "DijkstraCache" };
	int routing = choice(xml, attribute, "routing", routings, TV_COUNT(routings), 0);
	int64_t point;

	if (routing < 0)
		return -1;
	if (s->zone != TV_NONE && s->platform->zone[s->zone].routing == TV_ROUTING_CLUSTER)
		return tv_xml_fail(xml, "a zone in a zone with routing Cluster is not supported");
	if (s->zone == TV_NONE && s->platform->nzones > 0)
		return tv_xml_fail(xml, "a second outermost zone, expected one");
	point = add_point(s, xml, TV_POINT_ZONE, tv_xml_value(attribute, "id"));
	if (point < 0)
		return -1;
	s->zone = s->platform->point[point].index;
	s->platform->zone[s->zone].routing = routing == 5 ? TV_ROUTING_DIJKSTRA
							  : (enum tv_routing)routing;
	return 0;
}

static int end_zone(struct simgrid *s, struct tv_xml *xml)
{
	(void)xml;
	s->zone = s->platform->point[s->platform->zone[s->zone].point].zone;
	return 0;
}

/* speed="20Gf" or, by pstate, "20Gf,15Gf"; cores. */
static int set_speed(struct tv_xml *xml, const char *const *attribute,
		     struct tv_platform_host *host)
{
	const char *text = tv_xml_value(attribute, "speed");
	const char *pstate = tv_xml_value(attribute, "pstate");
	const char *core = tv_xml_value(attribute, "core");
	int64_t n = 0, cores = 1;
	char speed[64];
	struct tv_error why;
	size_t length;

	if (pstate != NULL && (tv_parse_int(pstate, strlen(pstate), &n) != TV_PARSE_OK || n < 0))
		return tv_xml_fail(xml, "pstate '%.50s', expected a number from 0", pstate);
	for (; n > 0; n--) {
		text += strcspn(text, ",");
		if (*text++ == '\0')
			return tv_xml_fail(xml, "there is no speed number %s", pstate);
	}
	if (core != NULL
	    && (tv_parse_int(core, strlen(core), &cores) != TV_PARSE_OK || cores < 1
		|| cores > TV_PLATFORM_MAX))
		return tv_xml_fail(xml, "core '%.50s', expected a number from 1", core);
	text += strspn(text, " ");
	length = strcspn(text, ", ");
	length = length < sizeof speed ? length : sizeof speed - 1;
	memcpy(speed, text, length);
	speed[length] = '\0';
	if (tv_parse_quantity(speed, TV_SPEED, &host->speed, &why) < 0)
		return tv_xml_fail(xml, "speed %s", why.text);
	host->cores = (uint32_t)cores;
	return 0;
}

static int begin_host(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	int64_t point = add_point(s, xml, TV_POINT_HOST, tv_xml_value(attribute, "id"));

	s->first_host = s->platform->nhosts - 1;
	return point < 0 ? -1 : set_speed(xml, attribute, &s->platform->host[s->first_host]);
}

static int begin_router(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	return add_point(s, xml, TV_POINT_ROUTER, tv_xml_value(attribute, "id")) < 0 ? -1 : 0;
}

/* Adds a link with what the attributes of these names say; its number, or -1. */
static int64_t add_link(struct simgrid *s, struct tv_xml *xml, const char *const *attribute,
			const char *name, const char *const names[3], enum tv_link_policy policy)
{
	static const char *const policies[] = { "SHARED", "SPLITDUPLEX", "FATPIPE" };
	double bandwidth = 0, latency = 0;
	int chosen = choice(xml, attribute, names[2], policies, TV_COUNT(policies), policy);
	int64_t link;

	if (chosen < 0 || quantity(xml, attribute, names[0], TV_BANDWIDTH, &bandwidth) < 0
	    || quantity(xml, attribute, names[1], TV_DURATION, &latency) < 0)
		return -1;
	if (latency > MAX_LATENCY_S)
		return tv_xml_fail(xml, "link '%s': latency of %g s, expected at most %d s", name,
				   latency, MAX_LATENCY_S);
	link = tv_platform_add_link(s->platform, name, bandwidth, xml->err);
	if (link < 0)
		return at_line(xml);
	s->platform->link[link].policy = (enum tv_link_policy)chosen;
	s->platform->link[link].latency_ns = (int64_t)(latency * 1e9 + 0.5);
	return link;
}

static const char *const link_attributes[] = { "bandwidth", "latency", "sharing_policy" };

static int begin_link(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	return add_link(s, xml, attribute, tv_xml_value(attribute, "id"), link_attributes,
			TV_LINK_SHARED)
			     < 0
		     ? -1
		     : 0;
}

static int begin_backbone(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	struct tv_platform_zone *zone = &s->platform->zone[s->zone];
	int64_t link;

	if (zone->routing != TV_ROUTING_CLUSTER || zone->backbone != TV_NONE)
		return tv_xml_fail(xml, "<backbone>, expected one in a zone with routing Cluster");
	link = add_link(s, xml, attribute, tv_xml_value(attribute, "id"), link_attributes,
			TV_LINK_SHARED);
	if (link < 0)
		return -1;
	if (s->platform->link[link].policy == TV_LINK_SPLITDUPLEX)
		return tv_xml_fail(xml, "a backbone is SHARED or FATPIPE");
	zone->backbone = (uint32_t)link;
	return 0;
}

/* A link by its name, and in which direction. "x_UP" and "x_DOWN" are the two of a splitduplex x. */
static int find_hop(struct simgrid *s, struct tv_xml *xml, const char *name, const char *direction,
		    struct tv_hop *hop)
{
	uint32_t link = tv_platform_find_link(s->platform, name);
	size_t n = strlen(name);
	char *stem;

	if (link == TV_NONE && n > 5 && strcmp(name + n - 5, "_DOWN") == 0) {
		stem = tv_strndup(name, n - 5);
		link = tv_platform_find_link(s->platform, stem);
		direction = "DOWN";
		tv_free(stem);
	} else if (link == TV_NONE && n > 3 && strcmp(name + n - 3, "_UP") == 0) {
		stem = tv_strndup(name, n - 3);
		link = tv_platform_find_link(s->platform, stem);
		direction = "UP";
		tv_free(stem);
	}
	if (link == TV_NONE)
		return tv_xml_fail(xml, "no link '%s' before this line", name);
	*hop = (struct tv_hop){ link, 0 };
	if (s->platform->link[link].policy != TV_LINK_SPLITDUPLEX)
		return 0;
	if (direction == NULL || strcmp(direction, "NONE") == 0)
		return tv_xml_fail(
			xml, "link '%s' is SPLITDUPLEX: expected its direction, UP or DOWN", name);
	hop->down = strcmp(direction, "DOWN") == 0;
	return 0;
}

static int begin_host_link(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
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
	return find_hop(s, xml, tv_xml_value(attribute, "up"), "UP", &p->up) < 0
			    || find_hop(s, xml, tv_xml_value(attribute, "down"), "DOWN", &p->down)
				       < 0
		     ? -1
		     : 0;
}

/* Calls `add` for each number of "0-3,7,10-11". */
static int for_each_number(struct simgrid *s, struct tv_xml *xml, const char *const *attribute,
			   int (*add)(struct simgrid *s, struct tv_xml *xml,
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

/* One host of a cluster, with its link. */
static int add_cluster_host(struct simgrid *s, struct tv_xml *xml, const char *const *attribute,
			    long number)
{
	static const char *const names[] = { "bw", "lat", "sharing_policy" };
	char *host = tv_format("%s%ld%s", value_or_empty(attribute, "prefix"), number,
			       value_or_empty(attribute, "suffix"));
	char *name = tv_format("%s_link_%ld", tv_xml_value(attribute, "id"), number);
	int64_t link = -1, point = add_point(s, xml, TV_POINT_HOST, host);
	bool split;

	if (point >= 0
	    && set_speed(xml, attribute, &s->platform->host[s->platform->nhosts - 1]) == 0)
		link = add_link(s, xml, attribute, name, names, TV_LINK_SPLITDUPLEX);
	tv_free(host);
	tv_free(name);
	if (link < 0)
		return -1;
	split = s->platform->link[link].policy == TV_LINK_SPLITDUPLEX;
	s->platform->point[point].up = (struct tv_hop){ (uint32_t)link, 0 };
	s->platform->point[point].down = (struct tv_hop){ (uint32_t)link, split };
	return 0;
}

/* A cluster is a zone with a router, hosts with a link each, and perhaps a backbone. */
static int begin_cluster(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
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
	if (choice(xml, attribute, "topology", topologies, 1, 0) < 0
	    || begin_zone(s, xml, as_zone) < 0)
		return -1;
	s->first_host = s->platform->nhosts;
	own_router = tv_format("%s%s_router%s", value_or_empty(attribute, "prefix"), id,
			       value_or_empty(attribute, "suffix"));
	backbone = tv_format("%s_backbone", id);
	rc = add_point(s, xml, TV_POINT_ROUTER,
		       router != NULL && router[0] != '\0' ? router : own_router)
			   < 0
		   ? -1
		   : 0;
	if (rc == 0 && tv_xml_value(attribute, "bb_bw") != NULL) {
		link = add_link(s, xml, attribute, backbone, names, TV_LINK_SHARED);
		s->platform->zone[s->zone].backbone = (uint32_t)link;
		rc = link < 0 ? -1 : 0;
		if (rc == 0 && s->platform->link[link].policy == TV_LINK_SPLITDUPLEX)
			rc = tv_xml_fail(xml, "a backbone is SHARED or FATPIPE");
	}
	tv_free(own_router);
	tv_free(backbone);
	return rc == 0 ? for_each_number(s, xml, attribute, add_cluster_host) : -1;
}

/* One end of a route: a point of the open zone, and where the route begins or ends in it. */
static int find_end(struct simgrid *s, struct tv_xml *xml, const char *const *attribute,
		    const char *end, const char *gateway, uint32_t *point, uint32_t *gw)
{
	const char *name = tv_xml_value(attribute, end),
		   *gw_name = tv_xml_value(attribute, gateway);
	const struct tv_platform *platform = s->platform;

	*point = tv_platform_find_point(platform, name);
	if (*point == TV_NONE || platform->point[*point].zone != s->zone)
		return tv_xml_fail(xml, "%s '%s' is not declared in this zone before this line",
				   end, name);
	*gw = *point;
	if (platform->point[*point].kind != TV_POINT_ZONE && gw_name == NULL)
		return 0;
	if (gw_name == NULL)
		return tv_xml_fail(xml, "%s '%s' is a zone: expected <zoneRoute> with %s", end,
				   name, gateway);
	*gw = tv_platform_find_point(platform, gw_name);
	if (*gw == TV_NONE || platform->point[*gw].kind == TV_POINT_ZONE
	    || (*gw != *point && !tv_platform_inside(platform, *gw, platform->point[*point].index)))
		return tv_xml_fail(xml, "%s '%s' is no host or router in '%s'", gateway, gw_name,
				   name);
	return 0;
}

static int begin_route(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	static const char *const words[] = { "NO", "YES", "no", "yes", "false", "true" };
	int both_ways = choice(xml, attribute, "symmetrical", words, TV_COUNT(words), 1);
	enum tv_routing routing = s->platform->zone[s->zone].routing;

	if (both_ways < 0)
		return -1;
	if (routing == TV_ROUTING_CLUSTER || routing == TV_ROUTING_NONE)
		return tv_xml_fail(xml, "a route, in a zone whose routing has none");
	s->both_ways = both_ways % 2;
	s->nhops = 0;
	if (find_end(s, xml, attribute, "src", "gw_src", &s->section.from, &s->section.gw_from) < 0)
		return -1;
	return find_end(s, xml, attribute, "dst", "gw_dst", &s->section.to, &s->section.gw_to);
}

static int begin_link_ctn(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	static const char *const words[] = { "UP", "DOWN", "NONE" };

	if (choice(xml, attribute, "direction", words, TV_COUNT(words), 2) < 0)
		return -1;
	TV_GROW(s->hop, s->nhops, s->hop_cap, 1);
	return find_hop(s, xml, tv_xml_value(attribute, "id"), tv_xml_value(attribute, "direction"),
			&s->hop[s->nhops++]);
}

static int end_route(struct simgrid *s, struct tv_xml *xml)
{
	if (s->nhops == 0)
		return tv_xml_fail(xml, "a route without links");
	if (s->nhops >= UINT32_MAX)
		return tv_xml_fail(xml, "a route with too many links");
	s->section.nhops = (uint32_t)s->nhops;
	return tv_platform_add_section(s->platform, &s->section, s->hop, s->both_ways, xml->err) < 0
		     ? at_line(xml)
		     : 0;
}

/* Settings of SimGrid: crosstraffic, and those of its model that are the only ones here. */
static int set_config(struct simgrid *s, struct tv_xml *xml, const char *id, const char *value)
{
	static const struct {
		const char *id, *values;
	} known[] = {
		{ "network/crosstraffic", "0 no off false 1 yes on true" },
		{ "network/model", "LV08 CM02" },
		{ "network/bandwidth-factor", "1 1.0" },
		{ "network/latency-factor", "0 0.0" },
		{ "network/weight-S", "0 0.0" },
		{ "network/TCP-gamma", "-1 -1.0 0 0.0" },
	};

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(id, known[i].id) == 0) {
			if (!listed(known[i].values, value))
				return tv_xml_fail(xml, "%s '%.100s', expected one of: %s", id,
						   value, known[i].values);
			if (i == 0)
				s->platform->crosstraffic = !listed("0 no off false", value);
			return 0;
		}
	return tv_xml_fail(xml, "setting '%.100s' is not supported", id);
}

enum prop { PROP_KIND, PROP_SIZE, PROP_CACHE, PROP_MEMORY, PROPS };

/* What a host is, for memory models; its other properties are not used. */
static int set_property(struct simgrid *s, struct tv_xml *xml, const char *id, const char *value)
{
	static const char *const names[PROPS + 1] = {
		[PROP_KIND] = "kind", "size", "cache", "memory", ""
	};
	static const char *const kinds[] = { "core", "cache", "memory" };
	uint32_t end = s->platform->nhosts;
	struct tv_error why;
	double size = 0;
	size_t prop = 0, kind = 0;

	while (prop < PROPS && strcmp(id, names[prop]) != 0)
		prop++;
	if (prop == PROPS)
		return 0;
	if (s->props & 1U << prop)
		return tv_xml_fail(xml, "a second property '%s'", id);
	s->props |= 1U << prop;
	if (prop == PROP_CACHE || prop == PROP_MEMORY) {
		TV_GROW(s->reference, s->nreferences, s->reference_cap, 1);
		s->reference[s->nreferences++] = (struct reference){
			s->first_host, end, tv_intern_text(s->platform->pool, value),
			tv_xml_line(xml), prop == PROP_MEMORY
		};
		return 0;
	}
	if (prop == PROP_SIZE && tv_parse_quantity(value, TV_SIZE, &size, &why) < 0)
		return tv_xml_fail(xml, "size %s", why.text);
	if (size >= 0x1p63)
		return tv_xml_fail(xml, "size '%.100s' is too large", value);
	while (prop == PROP_KIND && kind < TV_COUNT(kinds) && strcmp(value, kinds[kind]) != 0)
		kind++;
	if (kind == TV_COUNT(kinds))
		return tv_xml_fail(xml, "kind '%.100s', expected core, cache or memory", value);
	for (uint32_t host = s->first_host; host < end; host++)
		if (prop == PROP_KIND)
			s->platform->host[host].kind = (enum tv_host_kind)kind;
		else
			s->platform->host[host].size = (uint64_t)size;
	return 0;
}

static int begin_prop(struct simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	const char *id = tv_xml_value(attribute, "id"), *value = tv_xml_value(attribute, "value");
	const char *around = s->open[xml->depth - 1]->name;

	if (strcmp(around, "config") == 0)
		return set_config(s, xml, id, value);
	if (strcmp(around, "host") == 0 || strcmp(around, "cluster") == 0)
		return set_property(s, xml, id, value);
	return 0;
}

#define ZONES  "zone AS"
#define ROUTES "route zoneRoute ASroute"

static const struct element elements[] = {
	{ "platform", "", "version", "", begin_platform, end_platform },
	{ "config", "platform", "", "id", NULL, NULL },
	{ "zone", "platform " ZONES, "id routing", "", begin_zone, end_zone },
	{ "AS", "platform " ZONES, "id routing", "", begin_zone, end_zone },
	{ "host", ZONES, "id speed", "core pstate coordinates", begin_host, NULL },
	{ "router", ZONES, "id", "coordinates", begin_router, NULL },
	{ "link", ZONES, "id bandwidth", "latency sharing_policy", begin_link, NULL },
	{ "backbone", ZONES, "id bandwidth", "latency sharing_policy", begin_backbone, NULL },
	{ "host_link", ZONES, "id up down", "", begin_host_link, NULL },
	{ "cluster", "platform " ZONES, "id radical speed bw",
	  "prefix suffix lat core sharing_policy bb_bw bb_lat bb_sharing_policy router_id topology "
	  "pstate",
	  begin_cluster, end_zone },
	{ "route", ZONES, "src dst", "symmetrical", begin_route, end_route },
	{ "zoneRoute", ZONES, "src dst", "gw_src gw_dst symmetrical", begin_route, end_route },
	{ "ASroute", ZONES, "src dst", "gw_src gw_dst symmetrical", begin_route, end_route },
	{ "link_ctn", ROUTES, "id", "direction", begin_link_ctn, NULL },
	{ "prop", "config host cluster link router backbone " ZONES, "id value", "", begin_prop,
	  NULL },
};

/* Whether the element has the attributes that it needs, and no others. */
static int check_attributes(const struct element *element, struct tv_xml *xml,
			    const char *const *attribute)
{
	size_t n = 0, required = element->required[0] != '\0';

	for (const char *c = element->required; *c != '\0'; c++)
		required += *c == ' ';
	for (size_t i = 0; attribute[i] != NULL; i += 2) {
		if (listed(element->required, attribute[i]))
			n++;
		else if (!listed(element->optional, attribute[i]))
			return tv_xml_fail(xml, "attribute '%.100s' of <%s> is not supported",
					   attribute[i], element->name);
	}
	return n == required ? 0
			     : tv_xml_fail(xml, "<%s> needs the attributes: %s", element->name,
					   element->required);
}

static int begin(void *reader, struct tv_xml *xml, const char *name, const char *const *attribute)
{
	struct simgrid *s = reader;
	const char *around = xml->depth > 0 ? s->open[xml->depth - 1]->name : "";
	const struct element *element = NULL;

	for (size_t i = 0; i < TV_COUNT(elements); i++)
		if (strcmp(elements[i].name, name) == 0)
			element = &elements[i];
	if (element == NULL)
		return tv_xml_fail(xml, "element <%.100s> is not supported", name);
	if (xml->depth == 0 ? element->inside[0] != '\0' : !listed(element->inside, around))
		return tv_xml_fail(xml, "<%s> in <%s>, expected in one of: %s", name, around,
				   element->inside);
	s->open[xml->depth] = element;
	if (strcmp(name, "prop") != 0)
		s->props = 0;
	if (check_attributes(element, xml, attribute) < 0)
		return -1;
	return element->begin != NULL ? element->begin(s, xml, attribute) : 0;
}

static int end(void *reader, struct tv_xml *xml, const char *name)
{
	struct simgrid *s = reader;
	const struct element *element = s->open[xml->depth];

	(void)name;
	return element->end != NULL ? element->end(s, xml) : 0;
}

static void *new_reader(struct tv_platform *platform)
{
	struct simgrid *s = tv_alloc(1, sizeof *s);

	s->platform = platform;
	s->zone = TV_NONE;
	return s;
}

static void free_reader(void *reader)
{
	struct simgrid *s = reader;

	tv_free(s->hop);
	tv_free(s->reference);
	tv_free(s);
}

const struct tv_platform_format tv_platform_simgrid = { "platform", new_reader, begin, end,
							free_reader };
