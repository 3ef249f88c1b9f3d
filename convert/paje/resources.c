/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.c -- Pajé's containers into the table of resources: identity, type, node, memory
 * node. */
#include "convert/paje/paje.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

/*
 * What a resource is by its name: without the rank before it, trailing digits and numbers after
 * '_', so that CUDA0_0 and 1_CUDA2 are CUDA. Returns the length of that part, *stem its begin; 0 if
 * there is no number at the end, so that the name has no meaning. *number: the first number after the
 * stem.
 */
static size_t stem_of(const char *name, const char **stem, size_t *end)
{
	size_t n, digits = strspn(name, "0123456789");

	*stem = digits > 0 && name[digits] == '_' ? name + digits + 1 : name;
	n = strlen(*stem);
	*end = n;
	for (;;) {
		size_t before = n;

		while (n > 0 && (*stem)[n - 1] >= '0' && (*stem)[n - 1] <= '9')
			n--;
		if (n == before)
			return n == *end ? 0 : n;
		if (n < 2 || (*stem)[n - 1] != '_' || (*stem)[n - 2] < '0' || (*stem)[n - 2] > '9')
			return n;
		n--;
	}
}

/* StarPU's workers and memory managers are named after what they are; of other traces only
 * well-known devices are better than the trace's own type. */
static uint32_t resource_type(const struct tv_paje *paje, const struct tv_paje_container *container)
{
	const char *stem;
	size_t end, n = stem_of(tv_pool_text(paje->trace->pool, container->name), &stem, &end);
	bool telling = n > 1 && paje->starpu;
	char device[16] = "";

	for (size_t i = 0; i < n; i++)
		telling = telling && ((stem[i] >= 'A' && stem[i] <= 'Z') || stem[i] == '_');
	if (n > 0 && n < sizeof device) {
		memcpy(device, stem, n);
		device[n] = '\0';
	}
	if (telling || tv_is_processor(device))
		return tv_intern(paje->trace->pool, stem, n);
	return paje->type[container->type].name;
}

/* The number of a container named MEMNODEk, or -1. */
static int64_t memory_node(const struct tv_paje *paje, const struct tv_paje_container *container)
{
	const char *stem;
	size_t end, n = stem_of(tv_pool_text(paje->trace->pool, container->name), &stem, &end);
	int64_t node;

	return n == 7 && memcmp(stem, "MEMNODE", 7) == 0
			    && tv_parse_int(stem + n, end - n, &node) == TV_PARSE_OK
		     ? node
		     : -1;
}

/*
 * The identity of a container is its name. Where several have the same name the first keeps it and
 * the others get their parent's before it; one that was destroyed and made again is the same
 * resource.
 */
static void identify(struct tv_paje *paje, uint32_t at, struct tv_index *taken)
{
	struct tv_paje_container *c = &paje->container[at];
	uint32_t first = tv_index_get(taken, c->name);
	const struct tv_paje_container *other = first != TV_NONE ? &paje->container[first] : NULL;

	c->id = c->name;
	if (other != NULL && other->parent == c->parent && other->type == c->type
	    && other->alias == c->alias) {
		paje->container[first].destroyed = c->destroyed;
		c->created = TV_NONE;
		return;
	}
	for (int attempt = 0; attempt < 2 && tv_index_get(taken, c->id) != TV_NONE; attempt++) {
		char *id = tv_format(attempt == 0 ? "%s/%s" : "%s/%s/%" PRIu32,
				     tv_pool_text(paje->trace->pool, paje->container[c->parent].id),
				     tv_pool_text(paje->trace->pool, c->name), at);

		c->id = tv_intern_text(paje->trace->pool, id);
		tv_free(id);
	}
	tv_index_set(taken, c->id, at);
}

/* Whether a type of containers is called like what has an address space of its own, with workers in it. */
static bool is_called_node(const struct tv_paje *paje, const struct tv_paje_type *type)
{
	static const char *const words[] = { "process", "node",	   "rank",     "host",
					     "mpi",	"machine", "locality", "computer" };

	for (size_t i = 0; i < TV_COUNT(words); i++)
		if (strcasestr(tv_pool_text(paje->trace->pool, type->name), words[i]) != NULL)
			return true;
	return false;
}

/* By container, the innermost one around it, or itself, that contains others and is called like a process or node: 0 = none. All 0 where
 * there are fewer than two of these, or the producer numbers the ranks. To be freed. */
static uint32_t *find_nodes(const struct tv_paje *paje)
{
	uint32_t *node = tv_alloc(paje->ncontainers, sizeof *node), n = 0;

	for (uint32_t i = 1; i < paje->ncontainers && !paje->starpu; i++)
		node[paje->container[i].parent] = 1;
	node[0] = 0;
	for (uint32_t i = 1; i < paje->ncontainers; i++) {
		const struct tv_paje_container *c = &paje->container[i];
		bool is = node[i] != 0 && c->rank == TV_NONE
		       && is_called_node(paje, &paje->type[c->type]);

		node[i] = is ? i : node[c->parent];
		n += is && c->created != TV_NONE; /* else it is an earlier one again */
	}
	if (n < 2)
		memset(node, 0, paje->ncontainers * sizeof *node);
	return node;
}

struct columns {
	struct tv_table *table;
	struct tv_column *id, *type, *node, *parent, *order, *memory, *start, *end;
};

static void emit_container(struct tv_paje *paje, const struct tv_paje_container *c,
			   const struct columns *to, uint32_t of, int64_t memory, int64_t finish)
{
	uint32_t row = tv_table_add_row(to->table), node, type = resource_type(paje, c);
	char rank[16];

	snprintf(rank, sizeof rank, "%" PRIu32, c->rank == TV_NONE ? 0 : c->rank);
	node = of != 0 && c->rank == TV_NONE ? paje->container[of].id
					     : tv_intern_text(paje->trace->pool, rank);
	tv_set_label(to->id, row, c->id);
	tv_set_label(to->type, row, type);
	tv_set_label(to->node, row, node);
	if (c->parent != 0)
		tv_set_label(to->parent, row, paje->container[c->parent].id);
	tv_set_int(to->order, row, row);
	if (memory >= 0)
		tv_set_int(to->memory, row, memory);
	tv_set_int(to->start, row, paje->record[c->created].time);
	tv_set_int(to->end, row,
		   c->destroyed == TV_NONE ? finish : paje->record[c->destroyed].time);
}

void tv_paje_emit_resources(struct tv_paje *paje, int64_t finish)
{
	struct columns to = { .table = &paje->trace->table[TV_RESOURCES] };
	struct tv_index taken = { 0 };
	int64_t *memory = tv_alloc(paje->ncontainers, sizeof *memory);
	uint32_t *node = find_nodes(paje);

	TV_TRACE_COLUMNS(paje->trace, TV_RESOURCES, { "ResourceId", &to.id },
			 { "ResourceType", &to.type }, { "Node", &to.node },
			 { "Parent", &to.parent }, { "Order", &to.order },
			 { "MemoryNode", &to.memory }, { "Start", &to.start }, { "End", &to.end });
	paje->container[0].id = paje->container[0].name;
	memory[0] = -1;

	/* A container comes after its parent. */
	for (uint32_t i = 1; i < paje->ncontainers; i++)
		identify(paje, i, &taken);
	for (uint32_t i = 1; i < paje->ncontainers; i++) {
		const struct tv_paje_container *c = &paje->container[i];

		memory[i] = memory_node(paje, c);
		if (memory[i] < 0)
			memory[i] = memory[c->parent];
		if (c->created != TV_NONE)
			emit_container(paje, c, &to, node[i], memory[i], finish);
	}
	tv_free(memory);
	tv_free(node);
	tv_free(taken.at);
}
