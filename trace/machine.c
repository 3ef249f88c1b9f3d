/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c -- the objects of the machine. */
#include "trace/machine.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct columns {
	const struct tv_column *id, *type, *parent, *order, *os_index, *cpuset, *depth, *size;
};

static int64_t number(const struct tv_column *column, uint32_t row)
{
	return column == NULL || tv_missing(column, row) || column->i[row] < 0 ? -1
									       : column->i[row];
}

TV_ORDER(by_place, struct tv_object, depth, order, row)

/* All objects in their order; `level` is the label of their type for now. */
static void read_rows(struct tv_machine *o, const struct columns *c, uint32_t nrows)
{
	size_t cap = 0;

	for (uint32_t row = 0; row < nrows; row++) {
		uint32_t id = tv_label(c->id, row);

		if (id == TV_NONE || !tv_is_object(c->depth, row) || tv_object_of(o, id) != TV_NONE)
			continue;
		tv_index_set(&o->of_label, id, row);
		TV_GROW(o->at, o->n, cap, 1);
		o->at[o->n++] = (struct tv_object){
			.row = row,
			.id = id,
			.level = c->type == NULL ? TV_NONE : tv_label(c->type, row),
			.parent = TV_NONE,
			.depth = c->depth->i[row],
			.order = number(c->order, row),
			.os_index = number(c->os_index, row),
			.size = number(c->size, row),
		};
	}
	if (o->n > 1)
		qsort(o->at, o->n, sizeof *o->at, by_place);
	for (uint32_t i = 0; i < o->n; i++)
		tv_index_set(&o->of_label, o->at[i].id, i);
}

/* Parents are objects with a smaller Depth, which no cycle can have. */
static void find_parents(struct tv_machine *o, const struct tv_column *parent)
{
	uint32_t *of = tv_alloc(o->n, sizeof *of);

	for (uint32_t i = 0; i < o->n; i++) {
		struct tv_object *object = &o->at[i];
		uint32_t label = parent == NULL ? TV_NONE : tv_label(parent, object->row);
		uint32_t above = label == TV_NONE ? TV_NONE : tv_object_of(o, label);

		if (above != TV_NONE && o->at[above].depth < object->depth)
			object->parent = above;
		of[i] = object->parent;
		object->root = object->parent == TV_NONE ? i : o->at[object->parent].root;
	}
	tv_groups_init(&o->children, of, o->n, o->n);
	tv_free(of);
}

static void find_cpus(struct tv_machine *o, const struct tv_column *cpuset)
{
	for (uint32_t i = o->n; i-- > 0;) {
		struct tv_object *object = &o->at[i];
		size_t n = 0;
		const char *text = cpuset == NULL ? "" : tv_string(cpuset, object->row, &n);

		if (n > 0 && tv_cpuset_parse(&object->cpus, text, n) == 0)
			continue;
		if (o->children.first[i] == o->children.first[i + 1] && object->os_index >= 0
		    && object->os_index < TV_CPUS_MAX
		    && strcasecmp(tv_pool_text(o->pool, object->level), "PU") == 0)
			tv_cpuset_add(&object->cpus, (uint32_t)object->os_index,
				      (uint32_t)object->os_index);
		for (uint32_t k = o->children.first[i]; k < o->children.first[i + 1]; k++)
			tv_cpuset_add_all(&object->cpus, &o->at[o->children.row[k]].cpus);
	}
}

static bool is_memory(const struct tv_pool *pool, uint32_t type)
{
	return strcmp(tv_pool_text(pool, type), "NUMANode") == 0;
}

struct type {
	uint32_t label, n;
	int64_t depth;
};

static int by_depth(const void *a, const void *b, void *data)
{
	const struct type *x = a, *y = b;
	const struct tv_pool *pool = data;
	int order = TV_COMPARE(x->depth, y->depth);

	if (order == 0)
		order = is_memory(pool, y->label) - is_memory(pool, x->label);
	return order != 0
		     ? order
		     : tv_natural_order(tv_pool_text(pool, x->label), tv_pool_text(pool, y->label));
}

/* The types, each with its smallest Depth. */
static struct type *list_types(const struct tv_machine *o, uint32_t *n)
{
	struct tv_index seen = { 0 };
	struct type *type = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t i = 0; i < o->n; i++) {
		/* A missing type counts as the empty label. */
		uint32_t label = o->at[i].level == TV_NONE ? 0 : o->at[i].level;

		if (tv_index_get(&seen, label) == TV_NONE) {
			tv_index_set(&seen, label, *n);
			TV_GROW(type, *n, cap, 1);
			type[(*n)++] = (struct type){ label, 0, o->at[i].depth };
		}
		type[tv_index_get(&seen, label)].n++;
	}
	if (*n > 1)
		qsort_r(type, *n, sizeof *type, by_depth, (void *)o->pool);
	tv_free(seen.at);
	return type;
}

static void find_levels(struct tv_machine *o)
{
	struct type *type = list_types(o, &o->nlevels);
	struct tv_index level = { 0 };
	uint32_t first = 0;

	o->level = tv_alloc(o->nlevels, sizeof *o->level);
	o->in_level = tv_alloc(o->n, sizeof *o->in_level);
	for (uint32_t k = 0; k < o->nlevels; k++) {
		o->level[k] = (struct tv_level){ .type = type[k].label, .first = first };
		tv_index_set(&level, type[k].label, k);
		first += type[k].n;
	}
	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t label = o->at[i].level == TV_NONE ? 0 : o->at[i].level;
		struct tv_level *its = &o->level[tv_index_get(&level, label)];

		o->at[i].level = tv_index_get(&level, label);
		o->in_level[its->first + its->n++] = i;
	}
	tv_free(level.at);
	tv_free(type);
}

void tv_machine_init(struct tv_machine *machine, const struct tv_table *table)
{
	const struct columns c = {
		tv_table_find(table, "ResourceId"), tv_table_find(table, "ResourceType"),
		tv_table_find(table, "Parent"),	    tv_table_find(table, "Order"),
		tv_table_find(table, "OsIndex"),    tv_table_find(table, "Cpuset"),
		tv_table_find(table, "Depth"),	    tv_table_find(table, "Size"),
	};

	*machine = (struct tv_machine){ .pool = table->pool };
	if (c.id == NULL || c.depth == NULL)
		return;
	read_rows(machine, &c, table->nrows);
	find_parents(machine, c.parent);
	find_cpus(machine, c.cpuset);
	find_levels(machine);
}

void tv_machine_release(struct tv_machine *machine)
{
	for (uint32_t i = 0; i < machine->n; i++)
		tv_cpuset_release(&machine->at[i].cpus);
	for (uint32_t k = 0; k < machine->nlevels; k++)
		tv_free(machine->level[k].above);
	tv_free(machine->at);
	tv_free(machine->level);
	tv_free(machine->in_level);
	tv_free(machine->of_label.at);
	tv_groups_release(&machine->children);
	*machine = (struct tv_machine){ 0 };
}

void tv_machine_roots_init(struct tv_machine_roots *roots, const struct tv_machine *machine,
			   const struct tv_trace *trace)
{
	const struct tv_column *node = tv_table_find(&trace->table[TV_RESOURCES], "Node");

	*roots = (struct tv_machine_roots){ .only = TV_NONE };
	for (uint32_t i = 0; i < machine->n; i++) {
		const struct tv_object *o = &machine->at[i];
		uint32_t label = node == NULL ? TV_NONE : tv_label(node, o->row);

		if (o->parent != TV_NONE || o->cpus.n == 0)
			continue;
		roots->only = roots->n++ == 0 ? i : TV_NONE;
		if (label != TV_NONE && tv_index_get(&roots->of_node, label) == TV_NONE)
			tv_index_set(&roots->of_node, label, i);
	}
}

void tv_machine_roots_release(struct tv_machine_roots *roots)
{
	tv_free(roots->of_node.at);
	*roots = (struct tv_machine_roots){ 0 };
}

uint32_t tv_machine_level(const struct tv_machine *machine, const char *name)
{
	static const char *const other[][2] = {
		{ "numa", "NUMANode" }, { "node", "NUMANode" }, { "socket", "Package" },
		{ "thread", "PU" },	{ "L1", "L1d" },	{ "L1Cache", "L1d" },
		{ "L2Cache", "L2" },	{ "L3Cache", "L3" },	{ "L4Cache", "L4" },
	};

	for (uint32_t k = 0; k < machine->nlevels; k++)
		if (strcasecmp(tv_pool_text(machine->pool, machine->level[k].type), name) == 0)
			return k;
	for (size_t i = 0; i < TV_COUNT(other); i++)
		if (strcasecmp(other[i][0], name) == 0)
			return tv_machine_level(machine, other[i][1]);
	return TV_NONE;
}

int tv_machine_no_level(const struct tv_machine *machine, const char *level, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };
	struct tv_near near;

	tv_near_init(&near, level);
	for (uint32_t i = 0; i < machine->nlevels; i++) {
		const char *name = tv_pool_text(machine->pool, machine->level[i].type);

		tv_name_list_add(&names, name);
		tv_near_offer(&near, name);
	}
	if (machine->n == 0)
		return tv_fail(err,
			       "no level '%s': the trace has no objects of the machine, "
			       "expected rows of resources with Depth",
			       level);
	return tv_fail(err, "no level '%s'%s, expected one of %s", level, tv_near_text(&near),
		       tv_name_list_text(&names));
}

/* The smallest object of a level that covers an object; without processors nothing covers it. */
static uint32_t covering(const struct tv_machine *o, uint32_t object, const struct tv_level *level)
{
	const struct tv_object *inner = &o->at[object];
	uint32_t best = TV_NONE;

	if (inner->cpus.n == 0 || level >= &o->level[inner->level])
		return TV_NONE;
	for (uint32_t i = 0; i < level->n; i++) {
		uint32_t candidate = o->in_level[level->first + i];
		const struct tv_object *outer = &o->at[candidate];

		if (outer->root == inner->root && tv_cpuset_covers(&outer->cpus, &inner->cpus)
		    && (best == TV_NONE
			|| tv_cpuset_count(&outer->cpus) < tv_cpuset_count(&o->at[best].cpus)))
			best = candidate;
	}
	return best;
}

uint32_t tv_object_above(struct tv_machine *machine, uint32_t object, uint32_t level)
{
	struct tv_level *its = &machine->level[level];

	if (its->above == NULL) {
		its->above = tv_alloc(machine->n, sizeof *its->above);
		for (uint32_t i = 0; i < machine->n; i++) {
			const struct tv_object *o = &machine->at[i];
			uint32_t around = o->parent == TV_NONE ? TV_NONE : its->above[o->parent];

			its->above[i] = o->level == level ? i
				      : around != TV_NONE ? around
							  : covering(machine, i, its);
		}
	}
	return its->above[object];
}
