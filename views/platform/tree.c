/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.c -- the tree of a platform's picture. */
#include "views/platform/tree.h"

#include <string.h>

#include "trace/alloc.h"

enum { DEPTH = 6 }; /* of a tree; deeper parts begin a new one */

struct builder {
	struct tv_branches *tree;
	uint32_t *first, *next;	       /* lists of edges: by node; by 2 * edge + end */
	uint32_t *of_zone, *next_node; /* lists of nodes */
	uint32_t *inner, *next_zone;   /* lists of zones in a zone */
	uint32_t *item;		       /* by node; TV_NONE */
	bool *placed, *used;	       /* by zone, by edge */
	uint32_t *queue;
	uint32_t *via; /* of a search, by node */
};

uint32_t tv_branches_add(struct tv_branches *tree, enum tv_branch_kind kind, uint32_t parent)
{
	struct tv_branch *item;
	uint32_t at = (uint32_t)tree->n;

	TV_GROW(tree->item, tree->n, tree->cap, 1);
	item = &tree->item[tree->n++];
	*item = (struct tv_branch){ .kind = kind,
				    .node = TV_NONE,
				    .zone = TV_NONE,
				    .edge = TV_NONE,
				    .parent = parent,
				    .child = TV_NONE,
				    .last_child = TV_NONE,
				    .next = TV_NONE,
				    .count = 1,
				    .equal = TV_NONE,
				    .other = TV_NONE };
	if (parent == TV_NONE)
		return at;
	if (tree->item[parent].child == TV_NONE)
		tree->item[parent].child = at;
	else
		tree->item[tree->item[parent].last_child].next = at;
	tree->item[parent].last_child = at;
	return at;
}

static uint32_t other_end(const struct builder *b, uint32_t ref)
{
	const struct tv_plan_edge *edge = &b->tree->plan->edge[ref / 2];

	return ref % 2 == 0 ? edge->to : edge->from;
}

/* The zone directly in `zone` around another one; that itself if they are equal; TV_NONE = none. */
static uint32_t step_into(const struct tv_platform *platform, uint32_t zone, uint32_t inner)
{
	while (platform->zone[inner].depth > platform->zone[zone].depth) {
		uint32_t around = platform->point[platform->zone[inner].point].zone;

		if (around == zone)
			return inner;
		inner = around;
	}
	return inner == zone ? zone : TV_NONE;
}

/* Breadth first inside of a zone; the node that is reached last. */
static uint32_t search(const struct builder *b, uint32_t from)
{
	const struct tv_plan_node *node = b->tree->plan->node;
	size_t n = 0, at = 0;

	b->queue[n++] = from;
	b->via[from] = from;
	while (at < n) {
		uint32_t u = b->queue[at++];

		for (uint32_t ref = b->first[u]; ref != TV_NONE; ref = b->next[ref]) {
			uint32_t v = other_end(b, ref);

			if (node[v].zone != node[u].zone || b->via[v] != TV_NONE)
				continue;
			b->via[v] = u;
			b->queue[n++] = v;
		}
	}
	return b->queue[n - 1];
}

static void forget(const struct builder *b, uint32_t from)
{
	size_t n = 0, at = 0;

	b->queue[n++] = from;
	b->via[from] = TV_NONE;
	while (at < n) {
		uint32_t u = b->queue[at++];

		for (uint32_t ref = b->first[u]; ref != TV_NONE; ref = b->next[ref]) {
			uint32_t v = other_end(b, ref);

			if (b->tree->plan->node[v].zone == b->tree->plan->node[u].zone
			    && b->via[v] != TV_NONE) {
				b->via[v] = TV_NONE;
				b->queue[n++] = v;
			}
		}
	}
}

/* The middle of a longest path: of a tree, its center. Of two middles the one declared first. What it
 * searched stays known, so that each part is searched once. */
static uint32_t center(const struct builder *b, uint32_t node)
{
	uint32_t far = search(b, node), back, length = 0, middle;

	forget(b, node);
	back = search(b, far);
	for (uint32_t at = back; at != far; at = b->via[at])
		length++;
	middle = back;
	for (uint32_t i = 0; i < length / 2; i++)
		middle = b->via[middle];
	return length % 2 == 1 && b->via[middle] < middle ? b->via[middle] : middle;
}

static void expand_zone(struct builder *b, uint32_t zone, uint32_t entry, uint32_t frame);

/* A frame for a zone that is entered at a node (TV_NONE: anywhere). */
static uint32_t add_frame(struct builder *b, uint32_t zone, uint32_t entry, uint32_t parent,
			  uint32_t edge)
{
	uint32_t frame = tv_branches_add(b->tree, TV_BRANCH_FRAME, parent);

	b->placed[zone] = true;
	b->tree->item[frame].zone = zone;
	b->tree->item[frame].edge = edge;
	b->tree->item[frame].depth = parent == TV_NONE ? 0 : b->tree->item[parent].depth + 1;
	expand_zone(b, zone, entry, frame);
	return frame;
}

static uint32_t add_node_item(struct builder *b, uint32_t node, uint32_t parent, uint32_t edge)
{
	uint32_t at = tv_branches_add(b->tree, TV_BRANCH_NODE, parent);
	const struct tv_branch *in = &b->tree->item[parent];

	b->tree->item[at].node = node;
	b->tree->item[at].edge = edge;
	b->tree->item[at].depth = in->kind == TV_BRANCH_FRAME ? 0 : in->depth + 1;
	b->item[node] = at;
	return at;
}

struct queue {
	uint32_t *node;
	size_t n, cap;
};

static void push(struct queue *queue, uint32_t node)
{
	TV_GROW(queue->node, queue->n, queue->cap, 1);
	queue->node[queue->n++] = node;
}

/* What hangs on a node: nodes of its zone, and zones in it. Nodes go to the queue. */
static void expand_node(struct builder *b, uint32_t u, struct queue *queue)
{
	const struct tv_plan_node *node = b->tree->plan->node;
	uint32_t zone = node[u].zone;

	for (uint32_t ref = b->first[u]; ref != TV_NONE; ref = b->next[ref]) {
		uint32_t v = other_end(b, ref), into;

		if (b->used[ref / 2])
			continue;
		into = step_into(b->tree->platform, zone, node[v].zone);
		if (into == zone && b->item[v] == TV_NONE
		    && b->tree->item[b->item[u]].depth < DEPTH) {
			b->used[ref / 2] = true;
			add_node_item(b, v, b->item[u], ref / 2);
			push(queue, v);
		} else if (into != TV_NONE && into != zone && !b->placed[into]) {
			b->used[ref / 2] = true;
			add_frame(b, into, v, b->item[u], ref / 2);
		}
	}
}

/* The tree of a node inside of its zone. */
static void expand_tree(struct builder *b, uint32_t node, uint32_t frame)
{
	struct queue queue = { 0 };

	add_node_item(b, node, frame, TV_NONE);
	push(&queue, node);
	for (size_t at = 0; at < queue.n; at++)
		expand_node(b, queue.node[at], &queue);
	tv_free(queue.node);
}

static void expand_zone(struct builder *b, uint32_t zone, uint32_t entry, uint32_t frame)
{
	const struct tv_plan_node *node = b->tree->plan->node;

	if (entry != TV_NONE && node[entry].zone == zone)
		expand_tree(b, entry, frame);
	else if (entry != TV_NONE)
		add_frame(b, step_into(b->tree->platform, zone, node[entry].zone), entry, frame,
			  TV_NONE);
	for (uint32_t u = b->of_zone[zone]; u != TV_NONE; u = b->next_node[u])
		if (b->item[u] == TV_NONE) {
			uint32_t root = b->via[u] == TV_NONE ? center(b, u) : u;

			expand_tree(b, b->item[root] == TV_NONE ? root : u, frame);
		}
	for (uint32_t z = b->inner[zone]; z != TV_NONE; z = b->next_zone[z])
		if (!b->placed[z])
			add_frame(b, z, TV_NONE, frame, TV_NONE);
}

/* Edges without a place in the tree. */
static void add_lanes(struct builder *b)
{
	struct tv_branches *tree = b->tree;
	uint32_t lanes = 0;

	for (uint32_t i = 0; i < tree->plan->nedges; i++) {
		const struct tv_plan_edge *edge = &tree->plan->edge[i];
		uint32_t at, to;

		if (b->used[i])
			continue;
		if (lanes++ >= TV_BRANCHES_LANES) {
			tree->lanes_left++;
			continue;
		}
		at = tv_branches_add(tree, TV_BRANCH_STUB, b->item[edge->from]);
		tree->item[at].node = edge->from;
		tree->item[at].edge = i;
		tree->item[at].labeled = true;
		if (edge->from == edge->to)
			continue;
		to = tv_branches_add(tree, TV_BRANCH_STUB, b->item[edge->to]);
		tree->item[to].node = edge->to;
		tree->item[to].edge = i;
		tree->item[to].other = at;
		tree->item[at].other = to;
	}
}

static void set_lists(struct builder *b)
{
	const struct tv_branches *tree = b->tree;
	const struct tv_plan *plan = tree->plan;
	const struct tv_platform *platform = tree->platform;

	memset(b->first, 0xff, plan->nnodes * sizeof *b->first);
	memset(b->item, 0xff, plan->nnodes * sizeof *b->item);
	memset(b->via, 0xff, plan->nnodes * sizeof *b->via);
	memset(b->of_zone, 0xff, platform->nzones * sizeof *b->of_zone);
	memset(b->inner, 0xff, platform->nzones * sizeof *b->inner);
	for (uint32_t i = (uint32_t)plan->nedges; i-- > 0;) {
		uint32_t at[2] = { plan->edge[i].from, plan->edge[i].to };

		for (uint32_t end = 2; end-- > 0;) {
			b->next[2 * i + end] = b->first[at[end]];
			b->first[at[end]] = 2 * i + end;
		}
	}
	for (uint32_t i = (uint32_t)plan->nnodes; i-- > 0;) {
		b->next_node[i] = b->of_zone[plan->node[i].zone];
		b->of_zone[plan->node[i].zone] = i;
	}
	for (uint32_t i = platform->nzones; i-- > 0;) {
		uint32_t around = platform->point[platform->zone[i].point].zone;

		if (around == TV_NONE)
			continue;
		b->next_zone[i] = b->inner[around];
		b->inner[around] = i;
	}
}

static void build(struct tv_branches *tree)
{
	size_t nodes = tree->plan->nnodes, edges = tree->plan->nedges,
	       zones = tree->platform->nzones;
	uint32_t *of_nodes = tv_alloc(5 * nodes, sizeof *of_nodes),
		 *of_zones = tv_alloc(3 * zones, sizeof *of_zones);
	struct builder b = { .tree = tree,
			     .first = of_nodes,
			     .next_node = of_nodes + nodes,
			     .item = of_nodes + 2 * nodes,
			     .via = of_nodes + 3 * nodes,
			     .queue = of_nodes + 4 * nodes,
			     .of_zone = of_zones,
			     .inner = of_zones + zones,
			     .next_zone = of_zones + 2 * zones,
			     .next = tv_alloc(2 * edges, sizeof *b.next),
			     .placed = tv_alloc(zones, sizeof *b.placed),
			     .used = tv_alloc(edges, sizeof *b.used) };

	set_lists(&b);
	add_frame(&b, 0, TV_NONE, TV_NONE, TV_NONE);
	add_lanes(&b);
	tv_free(of_nodes);
	tv_free(of_zones);
	tv_free(b.next);
	tv_free(b.placed);
	tv_free(b.used);
}

void tv_branches_init(struct tv_branches *tree, const struct tv_platform *platform,
		      const struct tv_plan *plan, const bool *marked_node, const bool *marked_edge)
{
	*tree = (struct tv_branches){ .platform = platform,
				      .plan = plan,
				      .marked_node = marked_node,
				      .marked_edge = marked_edge };
	build(tree);
	tv_branches_abbreviate(tree);
}

void tv_branches_release(struct tv_branches *tree)
{
	tv_free(tree->item);
	*tree = (struct tv_branches){ 0 };
}
