/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c -- places where links meet, found along the routes. */
#include "sim/plan.h"

#include "trace/alloc.h"

enum { ROUNDS = 4 }; /* of finding buses; then all links of several routes are */

/* Places: first the points, then both ends of each link. */
struct finder {
	const struct tv_platform *platform;
	uint32_t *up;	 /* union of places: the next one towards the root */
	uint32_t *owner; /* of a root: a point, or npoints + a bus; TV_NONE */
	uint32_t *zone;	 /* by link: where it was used first; TV_NONE = in no route */
	uint32_t *uses;	 /* by link */
	bool *bus;	 /* by link */
	bool changed;	 /* a bus was found */
	struct tv_map wires;
	struct wire {
		uint32_t a, b;
	} * wire; /* places */
	size_t nwires, cap;
};

static uint32_t find(struct finder *f, uint32_t place)
{
	while (f->up[place] != place)
		place = f->up[place] = f->up[f->up[place]];
	return place;
}

static uint32_t end_of(const struct finder *f, uint32_t link, unsigned end)
{
	return f->platform->npoints + 2 * link + end;
}

static bool is_bus_place(const struct finder *f, uint32_t root)
{
	return f->owner[root] != TV_NONE && f->owner[root] >= f->platform->npoints;
}

/* Makes two places one; false: both have a name. */
static bool unite(struct finder *f, uint32_t a, uint32_t b)
{
	a = find(f, a);
	b = find(f, b);
	if (a == b)
		return true;
	if (f->owner[a] != TV_NONE && f->owner[b] != TV_NONE)
		return false;
	if (f->owner[a] == TV_NONE)
		f->up[a] = b;
	else
		f->up[b] = a;
	return true;
}

static void add_wire(struct finder *f, uint32_t a, uint32_t b)
{
	uint32_t *known = tv_map_at(&f->wires, a < b ? a : b, a < b ? b : a);

	if (*known != TV_NONE)
		return;
	*known = 0;
	TV_GROW(f->wire, f->nwires, f->cap, 1);
	f->wire[f->nwires++] = (struct wire){ a, b };
}

/* Over a link that is no bus: the place behind it, or TV_NONE where it does not begin here. */
static uint32_t cross(struct finder *f, struct tv_hop hop, uint32_t at)
{
	uint32_t begin = end_of(f, hop.link, hop.down), end = end_of(f, hop.link, !hop.down);

	at = find(f, at);
	if (find(f, begin) == at)
		return end;
	if (find(f, end) == at)
		return begin;
	if (unite(f, begin, at))
		return end;
	return unite(f, end, at) ? begin : TV_NONE;
}

/* Onto a bus. */
static uint32_t board(struct finder *f, uint32_t link, uint32_t at)
{
	uint32_t bus = end_of(f, link, 0);

	if (!unite(f, at, bus))
		add_wire(f, find(f, at), find(f, bus));
	return bus;
}

/* Along the links from a place to another one. */
static void walk(struct finder *f, uint32_t from, const struct tv_hop *hop, size_t n, uint32_t to,
		 uint32_t zone)
{
	uint32_t at = from, next;

	for (size_t i = 0; i < n; i++, at = next) {
		uint32_t link = hop[i].link;

		f->uses[link]++;
		if (f->zone[link] == TV_NONE)
			f->zone[link] = zone;
		next = f->bus[link] ? board(f, link, at) : cross(f, hop[i], at);
		if (next == TV_NONE) {
			f->bus[link] = f->changed = true;
			return;
		}
	}
	if (unite(f, at, to))
		return;
	if (is_bus_place(f, find(f, at)) || is_bus_place(f, find(f, to)))
		add_wire(f, find(f, at), find(f, to));
	else
		f->bus[hop[n - 1].link] = f->changed = true;
}

/* Whether a section is the way back of an earlier one. */
static bool is_way_back(const struct tv_platform *platform, uint32_t i)
{
	const struct tv_platform_section *s = &platform->section[i], *other;
	const uint32_t *known = tv_map_get(&platform->section_of, s->to, s->from);

	if (known == NULL || *known >= i)
		return false;
	other = &platform->section[*known];
	if (other->nhops != s->nhops || other->gw_from != s->gw_to || other->gw_to != s->gw_from)
		return false;
	for (uint32_t k = 0; k < s->nhops; k++)
		if (platform->hop[s->hop + k].link
		    != platform->hop[other->hop + s->nhops - 1 - k].link)
			return false;
	return true;
}

/* Where the hosts of each cluster meet: its backbone, else a router, else the end of a link. */
static void walk_clusters(struct finder *f)
{
	const struct tv_platform *platform = f->platform;
	uint32_t *hub = tv_alloc(platform->nzones, sizeof *hub);

	for (uint32_t i = 0; i < platform->nzones; i++) {
		hub[i] = TV_NONE;
		if (platform->zone[i].backbone != TV_NONE) {
			f->zone[platform->zone[i].backbone] = i;
			hub[i] = end_of(f, platform->zone[i].backbone, 0);
		}
	}
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < platform->npoints; i++) {
			const struct tv_platform_point *p = &platform->point[i];
			struct tv_hop back = p->down;

			if (p->kind == TV_POINT_ZONE
			    || platform->zone[p->zone].routing != TV_ROUTING_CLUSTER)
				continue;
			if (pass == 0 && p->kind == TV_POINT_ROUTER && p->up.link == TV_NONE) {
				if (hub[p->zone] == TV_NONE)
					hub[p->zone] = i;
				else
					add_wire(f, i, hub[p->zone]);
			}
			if (pass == 0 || p->up.link == TV_NONE)
				continue;
			if (hub[p->zone] == TV_NONE)
				hub[p->zone] = end_of(f, p->up.link, !p->up.down);
			walk(f, i, &p->up, 1, hub[p->zone], p->zone);
			if (back.link != TV_NONE && back.link != p->up.link)
				walk(f, hub[p->zone], &back, 1, i, p->zone);
		}
	tv_free(hub);
}

static void walk_all(struct finder *f)
{
	const struct tv_platform *platform = f->platform;

	for (uint32_t i = 0; i < platform->npoints; i++)
		f->owner[i] = f->up[i] = i;
	for (uint32_t i = 0; i < platform->nlinks; i++) {
		uint32_t a = end_of(f, i, 0), b = end_of(f, i, 1);

		f->up[a] = a;
		f->up[b] = f->bus[i] ? a : b;
		f->owner[a] = f->bus[i] ? platform->npoints + i : TV_NONE;
		f->owner[b] = TV_NONE;
		f->uses[i] = 0;
		f->zone[i] = TV_NONE;
	}
	f->changed = false;
	f->nwires = 0;
	tv_map_release(&f->wires);
	walk_clusters(f);
	for (uint32_t i = 0; i < platform->nsections; i++) {
		const struct tv_platform_section *s = &platform->section[i];

		if (!is_way_back(platform, i))
			walk(f, s->gw_from, platform->hop + s->hop, s->nhops, s->gw_to,
			     platform->point[s->from].zone);
	}
}

/* ---- the graph ---- */

/* What ends at each place: the first of a list over ends of links, and how many; wires count twice,
 * so that no chain goes through them. */
struct ends {
	uint32_t *first, *next, *n;
};

static uint32_t add_node(struct tv_plan *plan, uint32_t point, uint32_t link, uint32_t zone,
			 bool unused)
{
	TV_GROW(plan->node, plan->nnodes, plan->nodes_cap, 1);
	plan->node[plan->nnodes] = (struct tv_plan_node){ point, link, zone, unused };
	return (uint32_t)plan->nnodes++;
}

static struct tv_plan_edge *add_edge(struct tv_plan *plan, uint32_t from, uint32_t to)
{
	TV_GROW(plan->edge, plan->nedges, plan->edges_cap, 1);
	plan->edge[plan->nedges] = (struct tv_plan_edge){ .from = from,
							  .to = to,
							  .first = plan->nlinks };
	return &plan->edge[plan->nedges++];
}

static bool is_passage(const struct finder *f, const struct ends *ends, uint32_t root)
{
	return f->owner[root] == TV_NONE && ends->n[root] == 2;
}

/* One edge from the end of a link on, as far as nothing else joins it. */
static void follow(struct tv_plan *plan, struct finder *f, const struct ends *ends,
		   const uint32_t *node, bool *done, uint32_t end)
{
	uint32_t base = f->platform->npoints, root = find(f, base + end);
	struct tv_plan_edge *edge = add_edge(plan, node[root], TV_NONE);

	for (;;) {
		done[end / 2] = true;
		TV_GROW(plan->link, plan->nlinks, plan->links_cap, 1);
		plan->link[plan->nlinks++] = end / 2;
		edge->n++;
		root = find(f, base + (end ^ 1));
		if (!is_passage(f, ends, root))
			break;
		end = ends->first[root] == (end ^ 1) ? ends->next[end ^ 1] : ends->first[root];
		if (done[end / 2])
			break;
	}
	edge->to = node[root];
}

static void add_edges(struct tv_plan *plan, struct finder *f)
{
	const struct tv_platform *platform = f->platform;
	uint32_t places = platform->npoints + 2 * platform->nlinks;
	uint32_t *node = tv_alloc(places, sizeof *node);
	bool *done = tv_alloc(platform->nlinks, sizeof *done);
	struct ends ends = { tv_alloc(places, 4), tv_alloc(2 * (size_t)platform->nlinks, 4),
			     tv_alloc(places, 4) };

	for (uint32_t i = 0; i < f->nwires; i++) {
		ends.n[find(f, f->wire[i].a)] += 2;
		ends.n[find(f, f->wire[i].b)] += 2;
	}
	for (uint32_t i = 0; i < 2 * platform->nlinks; i++) {
		uint32_t root = find(f, platform->npoints + i);

		if (f->bus[i / 2] || f->zone[i / 2] == TV_NONE)
			continue;
		ends.next[i] = ends.first[root];
		ends.first[root] = i;
		ends.n[root]++;
	}
	for (uint32_t i = 0; i < platform->npoints; i++)
		node[i] = platform->point[i].kind == TV_POINT_ZONE
				? TV_NONE
				: add_node(plan, i, TV_NONE, platform->point[i].zone, false);
	for (uint32_t i = 0; i < platform->nlinks; i++) {
		uint32_t zone = f->zone[i];

		if (zone == TV_NONE || f->bus[i]) {
			node[end_of(f, i, 0)] = add_node(
				plan, TV_NONE, i, zone == TV_NONE ? 0 : zone, zone == TV_NONE);
			continue;
		}
		for (unsigned end = 0; end < 2; end++) {
			uint32_t root = find(f, end_of(f, i, end));

			if (f->owner[root] == TV_NONE && !is_passage(f, &ends, root)
			    && node[root] == 0)
				node[root] = add_node(plan, TV_NONE, TV_NONE, zone, false);
		}
	}
	for (uint32_t i = 0; i < 2 * platform->nlinks; i++)
		if (!f->bus[i / 2] && f->zone[i / 2] != TV_NONE && !done[i / 2]
		    && !is_passage(f, &ends, find(f, platform->npoints + i)))
			follow(plan, f, &ends, node, done, i);
	for (size_t i = 0; i < f->nwires; i++)
		add_edge(plan, node[find(f, f->wire[i].a)], node[find(f, f->wire[i].b)]);
	tv_free(node);
	tv_free(done);
	tv_free(ends.first);
	tv_free(ends.next);
	tv_free(ends.n);
}

void tv_plan_init(struct tv_plan *plan, const struct tv_platform *platform)
{
	size_t links = platform->nlinks, places = platform->npoints + 2 * links;
	struct finder f = { .platform = platform,
			    .up = tv_alloc(places, sizeof *f.up),
			    .owner = tv_alloc(places, sizeof *f.owner),
			    .zone = tv_alloc(links, sizeof *f.zone),
			    .uses = tv_alloc(links, sizeof *f.uses),
			    .bus = tv_alloc(links, sizeof *f.bus) };

	*plan = (struct tv_plan){ 0 };
	for (uint32_t i = 0; i < platform->nzones; i++)
		if (platform->zone[i].backbone != TV_NONE)
			f.bus[platform->zone[i].backbone] = true;
	f.changed = true;
	for (int round = 0; f.changed; round++) {
		for (uint32_t i = 0; i < platform->nlinks && round == ROUNDS; i++)
			f.bus[i] = f.bus[i] || f.uses[i] > 1;
		walk_all(&f);
	}
	add_edges(plan, &f);
	tv_map_release(&f.wires);
	tv_free(f.wire);
	tv_free(f.up);
	tv_free(f.owner);
	tv_free(f.zone);
	tv_free(f.uses);
	tv_free(f.bus);
}

void tv_plan_release(struct tv_plan *plan)
{
	tv_free(plan->node);
	tv_free(plan->edge);
	tv_free(plan->link);
	*plan = (struct tv_plan){ 0 };
}
