/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * platform_simgrid.c -- platforms in SimGrid's XML, versions 4 and 4.1. An element or attribute that
 * is not in the table below could change what is simulated, so it is an error.
 */
#include <string.h>

#include "sim/platform_simgrid.h"
#include "sim/units.h"
#include "trace/alloc.h"
#include "trace/number.h"

enum { MAX_LATENCY_S = 3600 };

/* One kind of element. */
struct tv_simgrid_element {
	const char *name;
	const char *inside;   /* names of the elements around it; "" = none */
	const char *required; /* attributes */
	const char *optional;
	int (*begin)(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute);
	int (*end)(struct tv_simgrid *s, struct tv_xml *xml);
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
int tv_simgrid_choice(struct tv_xml *xml, const char *const *attribute, const char *name,
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
int64_t tv_simgrid_add_point(struct tv_simgrid *s, struct tv_xml *xml, enum tv_point_kind kind,
			     const char *name)
{
	int64_t point = tv_platform_add_point(s->platform, kind, name, s->zone, xml->err);

	return point < 0 ? at_line(xml) : point;
}

static int begin_platform(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
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

static int end_platform(struct tv_simgrid *s, struct tv_xml *xml)
{
	struct tv_platform *platform = s->platform;

	if (platform->nhosts == 0)
		return tv_xml_fail(xml, "the platform has no host");
	for (size_t i = 0; i < s->nreferences; i++) {
		const struct tv_simgrid_reference *r = &s->reference[i];
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

int tv_simgrid_zone(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	static const char *const routings[] = { "Full",	   "Floyd", "Dijkstra",
						"Cluster", "None",  "DijkstraCache" };
	int routing = tv_simgrid_choice(xml, attribute, "routing", routings, TV_COUNT(routings), 0);
	int64_t point;

	if (routing < 0)
		return -1;
	if (s->zone != TV_NONE && s->platform->zone[s->zone].routing == TV_ROUTING_CLUSTER)
		return tv_xml_fail(xml, "a zone in a zone with routing Cluster is not supported");
	if (s->zone == TV_NONE && s->platform->nzones > 0)
		return tv_xml_fail(xml, "a second outermost zone, expected one");
	point = tv_simgrid_add_point(s, xml, TV_POINT_ZONE, tv_xml_value(attribute, "id"));
	if (point < 0)
		return -1;
	s->zone = s->platform->point[point].index;
	s->platform->zone[s->zone].routing = routing == 5 ? TV_ROUTING_DIJKSTRA
							  : (enum tv_routing)routing;
	return 0;
}

static int end_zone(struct tv_simgrid *s, struct tv_xml *xml)
{
	(void)xml;
	s->zone = s->platform->point[s->platform->zone[s->zone].point].zone;
	return 0;
}

/* speed="20Gf" or, by pstate, "20Gf,15Gf"; cores. */
int tv_simgrid_set_speed(struct tv_xml *xml, const char *const *attribute,
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

static int begin_host(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	int64_t point = tv_simgrid_add_point(s, xml, TV_POINT_HOST, tv_xml_value(attribute, "id"));

	s->first_host = s->platform->nhosts - 1;
	return point < 0 ? -1
			 : tv_simgrid_set_speed(xml, attribute, &s->platform->host[s->first_host]);
}

static int begin_router(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	return tv_simgrid_add_point(s, xml, TV_POINT_ROUTER, tv_xml_value(attribute, "id")) < 0 ? -1
												: 0;
}

/* Adds a link with what the attributes of these names say; its number, or -1. */
int64_t tv_simgrid_add_link(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute,
			    const char *name, const char *const names[3],
			    enum tv_link_policy policy)
{
	static const char *const policies[] = { "SHARED", "SPLITDUPLEX", "FATPIPE" };
	double bandwidth = 0, latency = 0;
	int chosen = tv_simgrid_choice(xml, attribute, names[2], policies, TV_COUNT(policies),
				       policy);
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

const char *const tv_simgrid_link_attributes[3] = { "bandwidth", "latency", "sharing_policy" };

static int begin_link(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	return tv_simgrid_add_link(s, xml, attribute, tv_xml_value(attribute, "id"),
				   tv_simgrid_link_attributes, TV_LINK_SHARED)
			     < 0
		     ? -1
		     : 0;
}

/* A link by its name, and in which direction. "x_UP" and "x_DOWN" are the two of a splitduplex x. */
int tv_simgrid_find_hop(struct tv_simgrid *s, struct tv_xml *xml, const char *name,
			const char *direction, struct tv_hop *hop)
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

/* One end of a route: a point of the open zone, and where the route begins or ends in it. */
static int find_end(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute,
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

static int begin_route(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	static const char *const words[] = { "NO", "YES", "no", "yes", "false", "true" };
	int both_ways = tv_simgrid_choice(xml, attribute, "symmetrical", words, TV_COUNT(words), 1);
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

static int begin_link_ctn(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	static const char *const words[] = { "UP", "DOWN", "NONE" };

	if (tv_simgrid_choice(xml, attribute, "direction", words, TV_COUNT(words), 2) < 0)
		return -1;
	TV_GROW(s->hop, s->nhops, s->hop_cap, 1);
	return tv_simgrid_find_hop(s, xml, tv_xml_value(attribute, "id"),
				   tv_xml_value(attribute, "direction"), &s->hop[s->nhops++]);
}

static int end_route(struct tv_simgrid *s, struct tv_xml *xml)
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

/* Counts what describes no host, link or route, and keeps the first for the warning. */
static int ignore(struct tv_simgrid *s, struct tv_xml *xml, const char *kind, const char *name)
{
	struct tv_platform *platform = s->platform;

	if (platform->ignored++ == 0)
		platform->first_ignored = tv_format("line %ld: %s '%.100s'", tv_xml_line(xml), kind,
						    name);
	return 0;
}

/* Disks and what describes them. */
static int ignore_disk(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
{
	(void)attribute;
	return ignore(s, xml, "element", s->open[xml->depth]->name);
}

/* Settings of SimGrid: crosstraffic, and those of its model that are the only ones here; those of
 * other parts (smpi/, tracing/, ...) do not concern a platform. */
static int set_config(struct tv_simgrid *s, struct tv_xml *xml, const char *id, const char *value)
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
	if (strncmp(id, "network/", 8) == 0 || strncmp(id, "cpu/", 4) == 0
	    || strncmp(id, "host/", 5) == 0)
		return tv_xml_fail(xml,
				   "setting '%.100s' is not supported, expected network/ with one "
				   "of: crosstraffic, model, bandwidth-factor, latency-factor, "
				   "weight-S, TCP-gamma",
				   id);
	return ignore(s, xml, "setting", id);
}

enum prop { PROP_KIND, PROP_SIZE, PROP_CACHE, PROP_MEMORY, PROPS };

/* What a host is, for memory models; its other properties are not used. */
static int set_property(struct tv_simgrid *s, struct tv_xml *xml, const char *id, const char *value)
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
		s->reference[s->nreferences++] = (struct tv_simgrid_reference){
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

static int begin_prop(struct tv_simgrid *s, struct tv_xml *xml, const char *const *attribute)
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

static const struct tv_simgrid_element elements[] = {
	{ "platform", "", "version", "", begin_platform, end_platform },
	{ "config", "platform", "", "id", NULL, NULL },
	{ "zone", "platform " ZONES, "id routing", "", tv_simgrid_zone, end_zone },
	{ "AS", "platform " ZONES, "id routing", "", tv_simgrid_zone, end_zone },
	{ "host", ZONES, "id speed", "core pstate coordinates", begin_host, NULL },
	{ "router", ZONES, "id", "coordinates", begin_router, NULL },
	{ "link", ZONES, "id bandwidth", "latency sharing_policy", begin_link, NULL },
	{ "backbone", ZONES, "id bandwidth", "latency sharing_policy", tv_simgrid_backbone, NULL },
	{ "host_link", ZONES, "id up down", "", tv_simgrid_host_link, NULL },
	{ "cluster", "platform " ZONES, "id radical speed bw",
	  "prefix suffix lat core sharing_policy bb_bw bb_lat bb_sharing_policy router_id topology "
	  "pstate",
	  tv_simgrid_cluster, end_zone },
	{ "cabinet", ZONES, "id radical speed bw lat", "prefix suffix", tv_simgrid_cabinet, NULL },
	{ "disk", "host", "id", "read_bw write_bw", ignore_disk, NULL },
	{ "storage_type", ZONES, "id", "size model content", ignore_disk, NULL },
	{ "storage", ZONES, "id", "typeId attach content", ignore_disk, NULL },
	{ "mount", "host", "storageId", "name", ignore_disk, NULL },
	{ "route", ZONES, "src dst", "symmetrical", begin_route, end_route },
	{ "zoneRoute", ZONES, "src dst", "gw_src gw_dst symmetrical", begin_route, end_route },
	{ "ASroute", ZONES, "src dst", "gw_src gw_dst symmetrical", begin_route, end_route },
	{ "link_ctn", ROUTES, "id", "direction", begin_link_ctn, NULL },
	{ "prop", "config host cluster link router backbone disk storage_type storage " ZONES,
	  "id value", "", begin_prop, NULL },
	{ "model_prop", "storage_type", "id value", "", NULL, NULL },
};

/* Whether the element has the attributes that it needs, and no others. */
static int check_attributes(const struct tv_simgrid_element *element, struct tv_xml *xml,
			    const char *const *attribute)
{
	size_t n = 0, required = element->required[0] != '\0';

	for (const char *c = element->required; *c != '\0'; c++)
		required += *c == ' ';
	for (size_t i = 0; attribute[i] != NULL; i += 2) {
		if (listed(element->required, attribute[i]))
			n++;
		else if (!listed(element->optional, attribute[i]))
			return tv_xml_fail(xml, "attribute '%.100s' of <%s> is not supported%s",
					   attribute[i], element->name,
					   strcmp(attribute[i], "topo_parameters") == 0
						   ? " (torus, fat tree, dragonfly): write the "
						     "hosts, links and routes of the cluster"
						   : "");
	}
	return n == required ? 0
			     : tv_xml_fail(xml, "<%s> needs the attributes: %s", element->name,
					   element->required);
}

static int begin(void *reader, struct tv_xml *xml, const char *name, const char *const *attribute)
{
	struct tv_simgrid *s = reader;
	const char *around = xml->depth > 0 ? s->open[xml->depth - 1]->name : "";
	const struct tv_simgrid_element *element = NULL;

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
	struct tv_simgrid *s = reader;
	const struct tv_simgrid_element *element = s->open[xml->depth];

	(void)name;
	return element->end != NULL ? element->end(s, xml) : 0;
}

static void *new_reader(struct tv_platform *platform)
{
	struct tv_simgrid *s = tv_alloc(1, sizeof *s);

	s->platform = platform;
	s->zone = TV_NONE;
	return s;
}

static void free_reader(void *reader)
{
	struct tv_simgrid *s = reader;

	tv_free(s->hop);
	tv_free(s->reference);
	tv_free(s);
}

const struct tv_platform_format tv_platform_simgrid = { "platform", new_reader, begin, end,
							free_reader };
