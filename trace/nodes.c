/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.c -- the node of a resource. */
#include "trace/nodes.h"

#include "trace/alloc.h"

void tv_nodes_init(struct tv_nodes *nodes, const struct tv_trace *trace)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *node = tv_table_find(resources, "Node");

	*nodes = (struct tv_nodes){ .pool = trace->pool };
	for (uint32_t row = 0; id != NULL && node != NULL && row < resources->nrows; row++)
		if (!tv_missing(id, row) && !tv_missing(node, row))
			tv_index_set(&nodes->of, tv_label(id, row), tv_label(node, row));
}

void tv_nodes_release(struct tv_nodes *nodes)
{
	tv_free(nodes->of.at);
}

uint32_t tv_node_of(struct tv_nodes *nodes, uint32_t resource)
{
	uint32_t label = tv_index_get(&nodes->of, resource);
	struct tv_resource_words words;

	if (label != TV_NONE)
		return label;
	words = tv_resource_words(tv_pool_text(nodes->pool, resource));
	label = tv_intern(nodes->pool, words.node, words.node_length);
	tv_index_set(&nodes->of, resource, label);
	return label;
}
