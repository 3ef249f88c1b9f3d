/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.c -- the route between two hosts, found in the zones around them and kept. */
#include <string.h>

#include "sim/platform.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

#define ONE_LINK ((uint64_t)1 << 32)

enum {
	MAX_HOPS = 100000, /* of a route; a file of a few MB can give very many */
	BLOCK = 4096	   /* hops allocated at once */
};

/* A point as a search came to it; once more when it finds a shorter path. */
struct reached {
	uint64_t cost;
	uint32_t point;
};

/* Hops that are given out never move. */
struct block {
	struct block *next;
	size_t n, cap;
	struct tv_hop hop[];
};

struct tv_routes {
	struct tv_map known; /* by two hosts: place in route */
	struct tv_route *route;
	size_t nroutes, route_cap;
	struct block *block;
	/* The shortest paths from one point of a zone to each other one, of the last search: by point. */
	uint32_t source;
	uint64_t *cost; /* links * ONE_LINK + sections; UINT64_MAX = not reached */
	uint32_t *via;	/* the last section */
	struct reached *reached;
	size_t reached_cap;
	struct tv_heap heap; /* of reached */
};

/* A search: the hops found so far, and the sections of zones that are still to be walked along. */
struct walk {
	const struct tv_platform *platform;
	struct tv_routes *routes;
	struct tv_error *err;
	struct tv_hop *hop;
	uint32_t *path;
	size_t n, cap, npath, path_cap;
};

static struct tv_routes *routes_new(const struct tv_platform *platform)
{
	struct tv_routes *routes = tv_alloc(1, sizeof *routes);

	routes->source = TV_NONE;
	routes->cost = tv_alloc(platform->npoints, sizeof *routes->cost);
	routes->via = tv_alloc(platform->npoints, sizeof *routes->via);
	return routes;
}

void tv_routes_free(struct tv_routes *routes)
{
	if (routes == NULL)
		return;
	while (routes->block != NULL) {
		struct block *next = routes->block->next;

		tv_free(routes->block);
		routes->block = next;
	}
	tv_map_release(&routes->known);
	tv_heap_release(&routes->heap);
	tv_free(routes->route);
	tv_free(routes->reached);
	tv_free(routes->cost);
	tv_free(routes->via);
	tv_free(routes);
}

/* Memory for n hops that stay. */
static struct tv_hop *keep(struct tv_routes *routes, const struct tv_hop *hop, size_t n)
{
	struct block *block = routes->block;
	size_t cap = n > BLOCK ? n : BLOCK;

	if (block == NULL || block->cap - block->n < n) {
		block = tv_alloc(1, sizeof *block + cap * sizeof *block->hop);
		block->cap = cap;
		block->next = routes->block;
		routes->block = block;
	}
	if (n > 0)
		memcpy(block->hop + block->n, hop, n * sizeof *hop);
	block->n += n;
	return block->hop + block->n - n;
}

static bool nearer(const void *context, uint32_t a, uint32_t b)
{
	const struct reached *reached = context;

	return reached[a].cost != reached[b].cost ? reached[a].cost < reached[b].cost : a < b;
}

static void reach(struct tv_routes *routes, size_t *n, uint32_t point, uint64_t cost, uint32_t via)
{
	TV_GROW(routes->reached, *n, routes->reached_cap, 1);
	routes->reached[*n] = (struct reached){ cost, point };
	routes->cost[point] = cost;
	routes->via[point] = via;
	tv_heap_push(&routes->heap, (uint32_t)(*n)++, nearer, routes->reached);
}

/* Fills cost and via from one point of a zone [Dijkstra 1959]. Each section has a link, so the
 * sections of equal paths form no cycle. */
static void find_paths(const struct tv_platform *platform, struct tv_routes *routes, uint32_t from)
{
	size_t n = 0;

	if (routes->source == from)
		return;
	routes->source = from;
	memset(routes->cost, 0xff, platform->npoints * sizeof *routes->cost);
	reach(routes, &n, from, 0, TV_NONE);
	while (routes->heap.n > 0) {
		struct reached at = routes->reached[routes->heap.row[0]];
		uint32_t s = platform->point[at.point].section;

		tv_heap_pop(&routes->heap, nearer, routes->reached);
		if (at.cost > routes->cost[at.point])
			continue;
		for (; s != TV_NONE; s = platform->section[s].next) {
			uint32_t to = platform->section[s].to;
			uint64_t cost = at.cost + platform->section[s].nhops * ONE_LINK + 1;

			if (cost < routes->cost[to])
				reach(routes, &n, to, cost, s);
			else if (cost == routes->cost[to]
				 && at.point < platform->section[routes->via[to]].from)
				routes->via[to] = s;
		}
	}
}

static int no_route(const struct walk *walk, uint32_t from, uint32_t to)
{
	const struct tv_platform *platform = walk->platform;
	uint32_t zone = platform->zone[platform->point[from].zone].point;

	return tv_fail_at(
		walk->err, (struct tv_pos){ platform->file, 0 },
		"no route from '%s' to '%s' in zone '%s'", tv_platform_point_name(platform, from),
		tv_platform_point_name(platform, to), tv_platform_point_name(platform, zone));
}

static int too_long(const struct walk *walk, uint32_t from, uint32_t to)
{
	return tv_fail_at(walk->err, (struct tv_pos){ walk->platform->file, 0 },
			  "the route from '%s' to '%s' has more than %d links",
			  tv_platform_point_name(walk->platform, from),
			  tv_platform_point_name(walk->platform, to), MAX_HOPS);
}

static void add_hops(struct walk *walk, const struct tv_hop *hop, size_t n)
{
	TV_GROW(walk->hop, walk->n, walk->cap, n);
	memcpy(walk->hop + walk->n, hop, n * sizeof *hop);
	walk->n += n;
}

/* In a cluster; a link that is the own one of both is crossed once. */
static int cross_cluster(struct walk *walk, uint32_t from, uint32_t to)
{
	const struct tv_platform *platform = walk->platform;
	const struct tv_platform_point *a = &platform->point[from], *b = &platform->point[to];
	uint32_t backbone = platform->zone[a->zone].backbone;

	if ((a->kind == TV_POINT_HOST && a->up.link == TV_NONE)
	    || (b->kind == TV_POINT_HOST && b->down.link == TV_NONE))
		return no_route(walk, from, to);
	if (a->up.link != TV_NONE)
		add_hops(walk, &a->up, 1);
	if (backbone != TV_NONE)
		add_hops(walk, &(struct tv_hop){ backbone, 0 }, 1);
	if (b->down.link != TV_NONE && (b->down.link != a->up.link || b->down.down != a->up.down))
		add_hops(walk, &b->down, 1);
	return 0;
}

/* Adds the sections between two points of a zone to the path. */
static int find_sections(struct walk *walk, uint32_t from, uint32_t to)
{
	const struct tv_platform *platform = walk->platform;
	const uint32_t *section;
	size_t first = walk->npath;

	switch (platform->zone[platform->point[from].zone].routing) {
	case TV_ROUTING_FULL:
		section = tv_map_get(&platform->section_of, from, to);
		if (section == NULL)
			return no_route(walk, from, to);
		TV_GROW(walk->path, walk->npath, walk->path_cap, 1);
		walk->path[walk->npath++] = *section;
		return 0;
	case TV_ROUTING_FLOYD:
	case TV_ROUTING_DIJKSTRA:
		find_paths(platform, walk->routes, from);
		if (walk->routes->cost[to] == UINT64_MAX)
			return no_route(walk, from, to);
		if (walk->routes->cost[to] / ONE_LINK > MAX_HOPS)
			return too_long(walk, from, to);
		for (uint32_t at = to; at != from;
		     at = platform->section[walk->path[walk->npath++]].from) {
			TV_GROW(walk->path, walk->npath, walk->path_cap, 1);
			walk->path[walk->npath] = walk->routes->via[at];
		}
		for (size_t i = first, k = walk->npath; i + 1 < k--; i++) {
			uint32_t last = walk->path[k];

			walk->path[k] = walk->path[i];
			walk->path[i] = last;
		}
		return 0;
	default:
		return no_route(walk, from, to);
	}
}

/* Adds the route between two hosts or routers to the hops. */
static int find_route(struct walk *walk, uint32_t from, uint32_t to)
{
	const struct tv_platform *platform = walk->platform;
	const struct tv_platform_point *point = platform->point;
	uint32_t a = from, b = to, at = from;
	size_t first = walk->npath, last;

	if (from == to)
		return 0;
	if (walk->n > MAX_HOPS)
		return too_long(walk, from, to);
	/* To the points of the innermost zone that contains both. */
	while (point[a].zone != point[b].zone)
		if (platform->zone[point[a].zone].depth > platform->zone[point[b].zone].depth)
			a = platform->zone[point[a].zone].point;
		else
			b = platform->zone[point[b].zone].point;
	if (platform->zone[point[a].zone].routing == TV_ROUTING_CLUSTER)
		return cross_cluster(walk, a, b);
	if (find_sections(walk, a, b) < 0)
		return -1;
	last = walk->npath;
	for (size_t i = first; i < last; i++) {
		const struct tv_platform_section *section = &platform->section[walk->path[i]];

		if (find_route(walk, at, section->gw_from) < 0)
			return -1;
		add_hops(walk, platform->hop + section->hop, section->nhops);
		at = section->gw_to;
	}
	walk->npath = first;
	return find_route(walk, at, to);
}

/* Finds a route that is not known, and keeps it. */
static int new_route(struct tv_platform *platform, uint32_t from, uint32_t to,
		     struct tv_route *route, struct tv_error *err)
{
	struct tv_routes *routes = platform->routes;
	struct walk walk = { .platform = platform, .routes = routes, .err = err };
	uint32_t a = platform->host[from].point, b = platform->host[to].point;
	const uint32_t *own = from == to ? tv_map_get(&platform->section_of, a, a) : NULL;
	int rc = find_route(&walk, a, b);

	if (own != NULL)
		add_hops(&walk, platform->hop + platform->section[*own].hop,
			 platform->section[*own].nhops);
	if (rc == 0) {
		*route = (struct tv_route){ keep(routes, walk.hop, walk.n), (uint32_t)walk.n, 0 };
		for (size_t i = 0; i < walk.n; i++)
			route->latency_ns += platform->link[walk.hop[i].link].latency_ns;
		TV_GROW(routes->route, routes->nroutes, routes->route_cap, 1);
		tv_map_put(&routes->known, from, to, (uint32_t)routes->nroutes);
		routes->route[routes->nroutes++] = *route;
	}
	tv_free(walk.hop);
	tv_free(walk.path);
	return rc;
}

int tv_platform_route(struct tv_platform *platform, uint32_t from, uint32_t to,
		      struct tv_route *route, struct tv_error *err)
{
	const uint32_t *known;

	if (platform->routes == NULL)
		platform->routes = routes_new(platform);
	known = tv_map_get(&platform->routes->known, from, to);
	if (known == NULL)
		return new_route(platform, from, to, route, err);
	*route = platform->routes->route[*known];
	return 0;
}
