/* SPDX-License-Identifier: GPL-3.0-or-later */
/* merge.c -- several files of one graph, as each rank of a run writes one: of PaRSEC. */
#include "convert/dot/dot.h"
#include "trace/alloc.h"

bool tv_dot_is_one(const struct tv_dot_file *file, size_t n)
{
	struct tv_index described = { 0 }; /* by label of a node: the file with its attributes */
	bool twice = false, crosses = false;

	for (size_t i = 0; i < n; i++)
		for (size_t v = 0; v < file[i].graph.nnodes; v++) {
			const struct tv_dot_node *node = &file[i].graph.node[v];

			if (node->own == 0)
				continue;
			twice = twice || tv_index_get(&described, node->id) != TV_NONE;
			tv_index_set(&described, node->id, (uint32_t)i);
		}
	for (size_t i = 0; i < n && !twice; i++)
		for (size_t v = 0; v < file[i].graph.nnodes && !crosses; v++) {
			uint32_t in = tv_index_get(&described, file[i].graph.node[v].id);

			crosses = in != TV_NONE && in != (uint32_t)i;
		}
	tv_free(described.at);
	return !twice && crosses;
}

/* Appends the attributes of a graph; what an index + 1 of it becomes is larger by the result. */
static uint32_t add_attributes(struct tv_dot_graph *to, const struct tv_dot_graph *from)
{
	uint32_t offset = (uint32_t)to->nattributes;

	TV_GROW(to->attribute, to->nattributes, to->attributes_cap, from->nattributes);
	for (size_t i = 0; i < from->nattributes; i++) {
		struct tv_dot_attribute a = from->attribute[i];

		a.next += a.next > 0 ? offset : 0;
		to->attribute[to->nattributes++] = a;
	}
	return offset;
}

static uint32_t add_node(struct tv_dot_graph *to, struct tv_index *node_of, struct tv_dot_node node,
			 uint32_t offset)
{
	uint32_t v = tv_index_get(node_of, node.id);

	if (v != TV_NONE && node.own == 0)
		return v;
	node.own += node.own > 0 ? offset : 0;
	node.defaults += node.defaults > 0 ? offset : 0;
	if (v == TV_NONE) {
		v = (uint32_t)to->nnodes;
		TV_GROW(to->node, to->nnodes, to->nodes_cap, 1);
		to->nnodes++;
		tv_index_set(node_of, node.id, v);
	}
	to->node[v] = node;
	return v;
}

void tv_dot_merge(struct tv_dot_graph *to, const struct tv_dot_file *file, size_t n)
{
	struct tv_index node_of = { 0 };

	*to = (struct tv_dot_graph){ 0 };
	for (size_t i = 0; i < n; i++) {
		const struct tv_dot_graph *from = &file[i].graph;
		uint32_t offset = add_attributes(to, from);
		uint32_t *at = tv_alloc(from->nnodes, sizeof *at);

		for (size_t v = 0; v < from->nnodes; v++)
			at[v] = add_node(to, &node_of, from->node[v], offset);
		TV_GROW(to->edge, to->nedges, to->edges_cap, from->nedges);
		for (size_t e = 0; e < from->nedges; e++)
			to->edge[to->nedges++] = (struct tv_dot_edge){ at[from->edge[e].tail],
								       at[from->edge[e].head] };
		tv_free(at);
	}
	tv_free(node_of.at);
}
