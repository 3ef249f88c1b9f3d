/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform.c -- the parts of a platform and their names. */
#include "sim/platform.h"

#include <string.h>

#include "trace/alloc.h"

void tv_platform_init(struct tv_platform *platform, const char *file)
{
	*platform = (struct tv_platform){ .file = tv_strdup(file),
					  .pool = tv_pool_new(),
					  .crosstraffic = -1 };
}

void tv_platform_release(struct tv_platform *platform)
{
	tv_free(platform->file);
	tv_free(platform->first_ignored);
	tv_pool_free(platform->pool);
	tv_free(platform->host);
	tv_free(platform->link);
	tv_free(platform->point);
	tv_free(platform->zone);
	tv_free(platform->section);
	tv_free(platform->hop);
	tv_free(platform->point_of.at);
	tv_free(platform->link_of.at);
	tv_map_release(&platform->section_of);
	tv_routes_free(platform->routes);
	*platform = (struct tv_platform){ 0 };
}

/* The label of a new name. */
static int new_name(struct tv_platform *platform, struct tv_index *index, const char *name,
		    uint32_t n, const char *what, uint32_t *label, struct tv_error *err)
{
	if (name[0] == '\0')
		return tv_fail(err, "a %s without a name", what);
	if (n >= TV_PLATFORM_MAX)
		return tv_fail(err, "more than %d %ss", TV_PLATFORM_MAX, what);
	*label = tv_intern_text(platform->pool, name);
	if (tv_index_get(index, *label) != TV_NONE)
		return tv_fail(err, "a second %s '%s'", what, name);
	tv_index_set(index, *label, n);
	return 0;
}

static uint32_t add_host(struct tv_platform *platform, uint32_t point)
{
	TV_GROW(platform->host, platform->nhosts, platform->host_cap, 1);
	platform->host[platform->nhosts] = (struct tv_platform_host){
		.point = point, .cores = 1, .cache = TV_NONE, .memory = TV_NONE, .cpu_kind = TV_NONE
	};
	return platform->nhosts++;
}

static uint32_t add_zone(struct tv_platform *platform, uint32_t point, uint32_t around)
{
	TV_GROW(platform->zone, platform->nzones, platform->zone_cap, 1);
	platform->zone[platform->nzones] = (struct tv_platform_zone){
		.point = point,
		.depth = around == TV_NONE ? 0 : platform->zone[around].depth + 1,
		.backbone = TV_NONE,
	};
	return platform->nzones++;
}

int64_t tv_platform_add_point(struct tv_platform *platform, enum tv_point_kind kind,
			      const char *name, uint32_t zone, struct tv_error *err)
{
	uint32_t point = platform->npoints;
	struct tv_platform_point *p;
	uint32_t label;

	if (new_name(platform, &platform->point_of, name, point, "host, router or zone", &label,
		     err)
	    < 0)
		return -1;
	TV_GROW(platform->point, point, platform->point_cap, 1);
	platform->npoints++;
	p = &platform->point[point];
	*p = (struct tv_platform_point){ .name = label,
					 .kind = kind,
					 .zone = zone,
					 .index = TV_NONE,
					 .section = TV_NONE,
					 .up = { TV_NONE, 0 },
					 .down = { TV_NONE, 0 } };
	if (kind == TV_POINT_HOST)
		p->index = add_host(platform, point);
	else if (kind == TV_POINT_ZONE)
		p->index = add_zone(platform, point, zone);
	return point;
}

int64_t tv_platform_add_link(struct tv_platform *platform, const char *name, double bandwidth,
			     struct tv_error *err)
{
	uint32_t label;

	if (!(bandwidth > 0))
		return tv_fail(err, "link '%s': bandwidth %g, expected more than 0", name,
			       bandwidth);
	if (new_name(platform, &platform->link_of, name, platform->nlinks, "link", &label, err) < 0)
		return -1;
	TV_GROW(platform->link, platform->nlinks, platform->link_cap, 1);
	platform->link[platform->nlinks] = (struct tv_platform_link){ .name = label,
								      .bandwidth = bandwidth };
	return platform->nlinks++;
}

/* Adds one section whose hops are the last ones of the platform. */
static int add_section(struct tv_platform *platform, struct tv_platform_section section,
		       struct tv_error *err)
{
	uint32_t *known = tv_map_at(&platform->section_of, section.from, section.to);

	if (*known != TV_NONE)
		return tv_fail(err, "a second route from '%s' to '%s'",
			       tv_platform_point_name(platform, section.from),
			       tv_platform_point_name(platform, section.to));
	if (platform->nsections >= UINT32_MAX - 1)
		return tv_fail(err, "too many routes");
	*known = platform->nsections;
	section.next = platform->point[section.from].section;
	platform->point[section.from].section = platform->nsections;
	TV_GROW(platform->section, platform->nsections, platform->section_cap, 1);
	platform->section[platform->nsections++] = section;
	return 0;
}

int tv_platform_add_section(struct tv_platform *platform, const struct tv_platform_section *section,
			    const struct tv_hop *hop, bool both_ways, struct tv_error *err)
{
	struct tv_platform_section s = *section;
	uint32_t n = s.nhops;

	TV_GROW(platform->hop, platform->nhop, platform->hop_cap, 2 * (size_t)n);
	s.hop = platform->nhop;
	memcpy(platform->hop + s.hop, hop, n * sizeof *hop);
	platform->nhop += n;
	if (add_section(platform, s, err) < 0)
		return -1;
	if (!both_ways || s.from == s.to)
		return 0;
	s = (struct tv_platform_section){ .from = s.to,
					  .to = s.from,
					  .gw_from = s.gw_to,
					  .gw_to = s.gw_from,
					  .hop = platform->nhop,
					  .nhops = n };
	for (uint32_t i = 0; i < n; i++) {
		struct tv_hop back = hop[n - 1 - i];

		if (platform->link[back.link].policy == TV_LINK_SPLITDUPLEX)
			back.down = !back.down;
		platform->hop[platform->nhop++] = back;
	}
	return add_section(platform, s, err);
}

/* The number of a part by its name. */
static uint32_t find(const struct tv_platform *platform, const struct tv_index *index,
		     const char *name)
{
	uint32_t label = tv_pool_find_text(platform->pool, name);

	return label == TV_NONE ? TV_NONE : tv_index_get(index, label);
}

uint32_t tv_platform_find_point(const struct tv_platform *platform, const char *name)
{
	return find(platform, &platform->point_of, name);
}

uint32_t tv_platform_find_host(const struct tv_platform *platform, const char *name)
{
	uint32_t point = tv_platform_find_point(platform, name);

	return point != TV_NONE && platform->point[point].kind == TV_POINT_HOST
		     ? platform->point[point].index
		     : TV_NONE;
}

uint32_t tv_platform_find_link(const struct tv_platform *platform, const char *name)
{
	return find(platform, &platform->link_of, name);
}

const char *tv_platform_point_name(const struct tv_platform *platform, uint32_t point)
{
	return tv_pool_text(platform->pool, platform->point[point].name);
}

const char *tv_platform_host_name(const struct tv_platform *platform, uint32_t host)
{
	return tv_platform_point_name(platform, platform->host[host].point);
}

const char *tv_platform_link_name(const struct tv_platform *platform, uint32_t link)
{
	return tv_pool_text(platform->pool, platform->link[link].name);
}

bool tv_platform_inside(const struct tv_platform *platform, uint32_t point, uint32_t zone)
{
	uint32_t around = platform->point[point].zone;

	while (around != TV_NONE && around != zone)
		around = platform->point[platform->zone[around].point].zone;
	return around == zone;
}
