/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * platform_hwloc.c -- a NUMA platform from the XML of hwloc 2 or 3 (lstopo topology.xml).
 *
 * hwloc knows what there is, not how fast it is, so all bandwidths are assumptions: the values of
 * the table below are those of an AMD EPYC 7452, measured for one transfer and for a last-level
 * cache of four cores (I. Daoudi, thesis, Bordeaux 2021, sec. 3.3.2), the latter divided by four.
 *
 * A last-level cache is joined with its cores, then with its package; so is each memory. Packages
 * are joined with the machine.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/platform_xml.h"
#include "trace/alloc.h"
#include "trace/cpu_kinds.h"
#include "trace/number.h"

static const struct assumed {
	const char *name; /* of the link, before the number of what it belongs to */
	enum tv_link_policy policy;
	double bandwidth; /* bytes/s */
	bool per_core;	  /* of each core behind it */
} assumptions[] = {
	{ "core-", TV_LINK_SPLITDUPLEX, 40e9, false },
	{ "cache-", TV_LINK_FATPIPE, 40e9, false },
	{ "port-flow-", TV_LINK_FATPIPE, 10e9, false },
	{ "port-", TV_LINK_SPLITDUPLEX, 4e9, true },
	{ "port-total-", TV_LINK_SHARED, 3.5e9, true },
	{ "memory-", TV_LINK_SHARED, 6.4e9, true },
	{ "package-flow-", TV_LINK_FATPIPE, 8e9, false },
	{ "package-", TV_LINK_SPLITDUPLEX, 70e9, false },
};

/* Each gives up to three points and links. */
enum { MAX_OBJECTS = TV_PLATFORM_MAX / 8 };

enum link_kind { CORE, CACHE, PORT_FLOW, PORT, PORT_TOTAL, MEMORY, PACKAGE_FLOW, PACKAGE };

enum kind { IS_OTHER, IS_PACKAGE, IS_CACHE, IS_CORE, IS_PU, IS_NUMA, IS_MEMORY_CACHE };

struct object {
	uint32_t parent; /* TV_NONE for the machine */
	enum kind kind;
	unsigned level; /* of a cache, 1 to 5 */
	uint64_t size;
	uint32_t numa;	       /* first NUMA node that is attached here; TV_NONE */
	uint32_t point;	       /* of the platform, once it is added: a router */
	uint32_t host;	       /* of a cache, a NUMA node */
	uint32_t cores;	       /* below it; of a NUMA node: that are near to it */
	struct tv_cpuset cpus; /* of a core or PU */
};

struct hwloc {
	struct tv_platform *platform;
	struct object *object;
	size_t nobjects, cap;
	uint32_t open; /* innermost object; TV_NONE */
	bool has_cores;
	struct tv_cpu_kinds kinds;
};

static uint64_t number_of(const char *const *attribute, const char *name)
{
	const char *text = tv_xml_value(attribute, name);
	int64_t value;

	return text != NULL && tv_parse_int(text, strlen(text), &value) == TV_PARSE_OK && value > 0
		     ? (uint64_t)value
		     : 0;
}

/* The parent of a NUMA node, without caches of the memory's own side. */
static uint32_t attached_to(const struct hwloc *h, uint32_t object)
{
	do
		object = h->object[object].parent;
	while (object != TV_NONE && h->object[object].kind == IS_MEMORY_CACHE);
	return object;
}

static int begin_object(struct hwloc *h, struct tv_xml *xml, const char *const *attribute)
{
	const char *type = tv_xml_value(attribute, "type"),
		   *cpuset = tv_xml_value(attribute, "cpuset");
	struct object object = {
		.parent = h->open, .numa = TV_NONE, .point = TV_NONE, .host = TV_NONE
	};
	uint32_t number = (uint32_t)h->nobjects, at;

	if (type == NULL)
		return tv_xml_fail(xml, "<object> without a type");
	if (h->nobjects >= MAX_OBJECTS)
		return tv_xml_fail(xml, "more than %d objects", MAX_OBJECTS);
	if (strcmp(type, "Package") == 0)
		object.kind = IS_PACKAGE;
	else if (strcmp(type, "Core") == 0)
		object.kind = IS_CORE;
	else if (strcmp(type, "PU") == 0)
		object.kind = IS_PU;
	else if (strcmp(type, "NUMANode") == 0)
		object.kind = IS_NUMA;
	else if (strcmp(type, "MemCache") == 0)
		object.kind = IS_MEMORY_CACHE;
	else if (type[0] == 'L' && type[1] >= '1' && type[1] <= '5'
		 && strcmp(type + 2, "Cache") == 0)
		object.kind = IS_CACHE;
	object.level = object.kind == IS_CACHE ? (unsigned)(type[1] - '0') : 0;
	object.size = number_of(attribute, object.kind == IS_NUMA ? "local_memory" : "cache_size");
	h->has_cores = h->has_cores || object.kind == IS_CORE;
	TV_GROW(h->object, h->nobjects, h->cap, 1);
	h->object[h->nobjects++] = object;
	h->open = number;
	if ((object.kind == IS_CORE || object.kind == IS_PU) && cpuset != NULL
	    && tv_xml_cpuset(xml, cpuset, &h->object[number].cpus) < 0)
		return -1;
	if (object.kind == IS_NUMA) {
		at = attached_to(h, number);
		if (at == TV_NONE)
			return tv_xml_fail(xml, "a NUMA node that is attached to nothing");
		if (h->object[at].numa == TV_NONE)
			h->object[at].numa = number;
	}
	return 0;
}

/* The last-level cache above an object, TV_NONE if there is none; and the NUMA node near to it. */
static uint32_t cache_of(const struct hwloc *h, uint32_t object)
{
	uint32_t best = TV_NONE;

	for (; object != TV_NONE; object = h->object[object].parent)
		if (h->object[object].kind == IS_CACHE
		    && (best == TV_NONE || h->object[object].level >= h->object[best].level))
			best = object;
	return best;
}

static uint32_t numa_of(const struct hwloc *h, uint32_t object)
{
	while (object != TV_NONE && h->object[object].numa == TV_NONE)
		object = h->object[object].parent;
	return object == TV_NONE ? TV_NONE : h->object[object].numa;
}

/* The router of the package around an object; that of the machine, 0, if there is none. */
static uint32_t package_of(const struct hwloc *h, uint32_t object)
{
	while (object != TV_NONE && h->object[object].kind != IS_PACKAGE)
		object = h->object[object].parent;
	return object == TV_NONE ? TV_NONE : h->object[object].point;
}

static uint32_t add_point(struct hwloc *h, enum tv_point_kind kind, const char *what, uint32_t n)
{
	struct tv_error err;
	char *name = tv_format("%s-%u", what, n);
	int64_t point = tv_platform_add_point(h->platform, kind, name, 0, &err);

	tv_free(name);
	return (uint32_t)
		point; /* it cannot fail: names are new, the number of objects is limited */
}

/* Joins two points by links of some kinds, all of the same number and number of cores. */
static void join(struct hwloc *h, uint32_t from, uint32_t to, enum link_kind first,
		 enum link_kind last, uint32_t number, uint32_t cores)
{
	struct tv_hop hop[TV_COUNT(assumptions)];
	struct tv_error err;
	uint32_t n = 0;

	for (size_t kind = first; kind <= last; kind++) {
		const struct assumed *a = &assumptions[kind];
		char *name = tv_format("%s%u", a->name, number);
		double bandwidth = a->bandwidth * (a->per_core && cores > 1 ? cores : 1);
		int64_t link = tv_platform_add_link(h->platform, name, bandwidth, &err);

		h->platform->link[link].policy = a->policy;
		hop[n++] = (struct tv_hop){ (uint32_t)link, 0 };
		tv_free(name);
	}
	if (tv_platform_add_section(
		    h->platform,
		    &(struct tv_platform_section){
			    .from = from, .to = to, .gw_from = from, .gw_to = to, .nhops = n },
		    hop, true, &err)
	    < 0)
		abort(); /* each point is joined once */
}

static uint32_t host_at(const struct hwloc *h, uint32_t point, enum tv_host_kind kind,
			uint64_t size)
{
	uint32_t host = h->platform->point[point].index;

	h->platform->host[host].kind = kind;
	h->platform->host[host].size = size;
	return host;
}

/* Counts the cores behind each cache and near each NUMA node. */
static uint32_t count_cores(struct hwloc *h, enum kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->nobjects; i++)
		if (h->object[i].kind == kind) {
			uint32_t cache = cache_of(h, i), numa = numa_of(h, i);

			n++;
			if (cache != TV_NONE)
				h->object[cache].cores++;
			if (numa != TV_NONE)
				h->object[numa].cores++;
		}
	return n;
}

/* Adds packages, memories and last-level caches, which have cores. */
static void add_objects(struct hwloc *h, uint32_t machine)
{
	uint32_t packages = 0, caches = 0, memories = 0;

	for (uint32_t i = 0; i < h->nobjects; i++) {
		struct object *object = &h->object[i];
		uint32_t above = package_of(h, i), point;

		if (above == TV_NONE)
			above = machine;
		if (object->kind == IS_PACKAGE) {
			object->point = add_point(h, TV_POINT_ROUTER, "package", packages);
			join(h, object->point, machine, PACKAGE_FLOW, PACKAGE, packages++, 0);
		} else if (object->kind == IS_CACHE && object->cores > 0) {
			object->point = add_point(h, TV_POINT_ROUTER, "group", caches);
			point = add_point(h, TV_POINT_HOST, "cache", caches);
			object->host = host_at(h, point, TV_HOST_CACHE, object->size);
			join(h, point, object->point, CACHE, CACHE, caches, 0);
			join(h, object->point, above, PORT_FLOW, PORT_TOTAL, caches++,
			     object->cores);
		} else if (object->kind == IS_NUMA) {
			point = add_point(h, TV_POINT_HOST, "memory", memories);
			object->host = host_at(h, point, TV_HOST_MEMORY, object->size);
			join(h, point, above, MEMORY, MEMORY, memories++, object->cores);
		}
	}
}

static void add_cores(struct hwloc *h, uint32_t machine, enum kind kind)
{
	uint32_t cores = 0;

	for (uint32_t i = 0; i < h->nobjects; i++)
		if (h->object[i].kind == kind) {
			uint32_t cache = cache_of(h, i), numa = numa_of(h, i);
			uint32_t above = cache != TV_NONE ? h->object[cache].point
							  : package_of(h, i);
			uint32_t point = add_point(h, TV_POINT_HOST, "core", cores);
			char number[TV_CPU_KIND_NAME];
			const char *cpu_kind = tv_cpu_kinds_of(&h->kinds, &h->object[i].cpus,
							       number);
			struct tv_platform_host *host =
				&h->platform->host[h->platform->point[point].index];

			if (cpu_kind != NULL)
				host->cpu_kind = tv_intern_text(h->platform->pool, cpu_kind);
			host->cache = cache != TV_NONE ? h->object[cache].host : TV_NONE;
			host->memory = numa != TV_NONE ? h->object[numa].host : TV_NONE;
			join(h, point, above != TV_NONE ? above : machine, CORE, CORE, cores++, 0);
		}
	for (uint32_t i = 0; i < h->nobjects; i++)
		if (h->object[i].kind == IS_CACHE && h->object[i].host != TV_NONE) {
			uint32_t numa = numa_of(h, i);

			if (numa != TV_NONE)
				h->platform->host[h->object[i].host].memory = h->object[numa].host;
		}
}

static int begin(void *reader, struct tv_xml *xml, const char *name, const char *const *attribute)
{
	struct hwloc *h = reader;

	if (xml->depth == 0 && tv_xml_check_hwloc(xml, attribute) < 0)
		return -1;
	if (tv_cpu_kinds_begin(&h->kinds, xml, name, attribute) < 0)
		return -1;
	return strcmp(name, "object") == 0 ? begin_object(h, xml, attribute) : 0;
}

static int end(void *reader, struct tv_xml *xml, const char *name)
{
	struct hwloc *h = reader;
	enum kind kind = h->has_cores ? IS_CORE : IS_PU;
	uint32_t machine;

	tv_cpu_kinds_end(&h->kinds, name);
	if (strcmp(name, "object") == 0)
		h->open = h->object[h->open].parent;
	if (xml->depth > 0)
		return 0;
	if (count_cores(h, kind) == 0)
		return tv_xml_fail(xml, "no object of type Core or PU");
	if (tv_platform_add_point(h->platform, TV_POINT_ZONE, "topology", TV_NONE, xml->err) < 0)
		return -1;
	h->platform->zone[0].routing = TV_ROUTING_FLOYD;
	machine = add_point(h, TV_POINT_ROUTER, "machine", 0);
	add_objects(h, machine);
	add_cores(h, machine, kind);
	return 0;
}

static void *new_reader(struct tv_platform *platform)
{
	struct hwloc *h = tv_alloc(1, sizeof *h);

	h->platform = platform;
	h->open = TV_NONE;
	return h;
}

static void free_reader(void *reader)
{
	struct hwloc *h = reader;

	for (size_t i = 0; i < h->nobjects; i++)
		tv_cpuset_release(&h->object[i].cpus);
	tv_cpu_kinds_release(&h->kinds);
	tv_free(h->object);
	tv_free(h);
}

const struct tv_platform_format tv_platform_hwloc = { "topology", new_reader, begin, end,
						      free_reader };
