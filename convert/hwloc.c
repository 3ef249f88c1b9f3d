/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hwloc.c -- the objects of a machine from the XML of hwloc 2 or 3 (lstopo topology.xml), without its
 * library.
 *
 * Objects with processors become rows of resources; devices and caches of the memory's own side do
 * not. What the resources contain already is not added again. With several files, of several hosts, names
 * begin with the host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/formats.h"
#include "convert/words.h"
#include "trace/alloc.h"
#include "trace/cpu_kinds.h"
#include "trace/machine.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/xml.h"

enum { MAX_OBJECTS = 1 << 20, NAME_MAX_BYTES = 64 };

struct object {
	char level[NAME_MAX_BYTES]; /* "" = gives no row */
	uint32_t number;	    /* in its level */
	uint32_t parent;	    /* around it, whether that gives a row or not; TV_NONE = none */
	int64_t depth, os_index, size; /* os_index, size: -1 = not known */
	char *cpuset;		       /* list; NULL = not known */
	size_t end;		       /* of the objects inside it */
};

struct machine {
	char *host;
	struct object *object;
	size_t n, cap;
	struct tv_cpu_kinds kinds;
};

struct hwloc {
	struct tv_trace *trace;
	struct machine *machine;
	size_t n, cap;
	uint32_t open; /* innermost object of the last machine; TV_NONE */
};

/* ---- reading ---- */

static int64_t number_of(const char *const *attribute, const char *name)
{
	const char *text = tv_xml_value(attribute, name);
	int64_t value;

	return text != NULL && tv_parse_int(text, strlen(text), &value) == TV_PARSE_OK && value >= 0
		     ? value
		     : -1;
}

/* L1d, L1i, L2 of L1Cache with data alone, L1iCache, L2Cache; other types keep their names. */
static void name_level(char level[NAME_MAX_BYTES], const char *type, const char *const *attribute)
{
	static const char *const none[] = { "Bridge", "PCIDev", "OSDev", "Misc", "MemCache" };
	const char *kind = tv_xml_value(attribute, "cache_type");
	size_t n = strlen(type);

	level[0] = '\0';
	for (size_t i = 0; i < TV_COUNT(none); i++)
		if (strcmp(type, none[i]) == 0)
			return;
	if (n > 5 && type[0] == 'L' && strcmp(type + n - 5, "Cache") == 0)
		snprintf(level, NAME_MAX_BYTES, "%.*s%s", (int)(n - 5 < 20 ? n - 5 : 20), type,
			 kind != NULL && strcmp(kind, "1") == 0 ? "d" : "");
	else
		snprintf(level, NAME_MAX_BYTES, "%.60s", type);
}

static int begin_object(struct hwloc *h, struct tv_xml *xml, const char *const *attribute)
{
	struct machine *m = &h->machine[h->n - 1];
	const char *type = tv_xml_value(attribute, "type"),
		   *cpuset = tv_xml_value(attribute, "cpuset");
	struct object object = { .parent = h->open, .os_index = number_of(attribute, "os_index") };

	if (type == NULL)
		return tv_xml_fail(xml, "<object> without a type");
	if (m->n >= MAX_OBJECTS)
		return tv_xml_fail(xml, "more than %d objects", MAX_OBJECTS);
	name_level(object.level, type, attribute);
	object.size = number_of(attribute,
				strcmp(type, "NUMANode") == 0 ? "local_memory" : "cache_size");
	if (h->open != TV_NONE)
		object.depth = m->object[h->open].depth + (m->object[h->open].level[0] != '\0');
	if (cpuset != NULL && object.level[0] != '\0') {
		struct tv_cpuset set = { 0 };
		int rc = tv_xml_cpuset(xml, cpuset, &set);

		object.cpuset = rc == 0 ? tv_cpuset_text(&set) : NULL;
		tv_cpuset_release(&set);
		if (rc < 0)
			return -1;
	}
	h->open = (uint32_t)m->n;
	TV_GROW(m->object, m->n, m->cap, 1);
	m->object[m->n++] = object;
	return 0;
}

static int begin_element(struct tv_xml *xml, const char *element, const char *const *attribute)
{
	struct hwloc *h = xml->context;
	struct machine *m = &h->machine[h->n - 1];
	const char *name = tv_xml_value(attribute, "name"),
		   *value = tv_xml_value(attribute, "value");

	if (xml->depth == 0 && strcmp(element, "topology") != 0)
		return tv_xml_fail(xml, "the root element is <%s>, expected <topology> (hwloc)",
				   element);
	if (xml->depth == 0 && tv_xml_check_hwloc(xml, attribute) < 0)
		return -1;
	if (tv_cpu_kinds_begin(&m->kinds, xml, element, attribute) < 0)
		return -1;
	if (strcmp(element, "info") == 0 && !m->kinds.open && m->host == NULL && name != NULL
	    && value != NULL && strcmp(name, "HostName") == 0)
		m->host = tv_strdup(value);
	return strcmp(element, "object") == 0 ? begin_object(h, xml, attribute) : 0;
}

static int end_element(struct tv_xml *xml, const char *element)
{
	struct hwloc *h = xml->context;
	struct machine *m = &h->machine[h->n - 1];

	tv_cpu_kinds_end(&m->kinds, element);
	if (strcmp(element, "object") == 0) {
		m->object[h->open].end = m->n;
		h->open = m->object[h->open].parent;
	}
	return 0;
}

/* ---- rows ---- */

struct columns {
	struct tv_column *id, *type, *node, *parent, *order, *depth, *os_index, *cpuset, *kind,
		*size;
};

/* A memory, and what it is attached to. */
struct memory {
	uint32_t object;
	size_t end;    /* of the objects inside that */
	int64_t depth; /* of that */
};

TV_ORDER(by_end, struct memory, end, down(depth), object)

/* hwloc numbers the memories inside an object before those that are attached to it. */
static void number_memories(struct machine *m)
{
	struct memory *memory = tv_alloc(m->n, sizeof *memory);
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t at = m->object[i].parent;

		if (strcmp(m->object[i].level, "NUMANode") != 0)
			continue;
		while (at != TV_NONE && m->object[at].level[0] == '\0')
			at = m->object[at].parent;
		memory[n++] = (struct memory){ i, at == TV_NONE ? m->n : m->object[at].end,
					       at == TV_NONE ? -1 : m->object[at].depth };
	}
	if (n > 1)
		qsort(memory, n, sizeof *memory, by_end);
	for (uint32_t i = 0; i < n; i++)
		m->object[memory[i].object].number = i;
	tv_free(memory);
}

/* Numbers the objects of each level in the order of the file, as hwloc does. */
static void number_levels(struct machine *m)
{
	struct tv_pool *pool = tv_pool_new();
	struct tv_index next = { 0 };

	for (size_t i = 0; i < m->n; i++) {
		uint32_t label = tv_intern_text(pool, m->object[i].level);
		uint32_t n = tv_index_get(&next, label);

		m->object[i].number = n == TV_NONE ? 0 : n;
		tv_index_set(&next, label, m->object[i].number + 1);
	}
	number_memories(m);
	tv_free(next.at);
	tv_pool_free(pool);
}

static uint32_t label_of(const struct hwloc *h, const struct machine *m, const struct object *o)
{
	char *name = h->n > 1 ? tv_format("%s/%s:%u", m->host, o->level, o->number)
			      : tv_format("%s:%u", o->level, o->number);
	uint32_t label = tv_intern_text(h->trace->pool, name);

	tv_free(name);
	return label;
}

/* The kind of all cores of an object, if there are others. */
static void write_kind(const struct machine *m, const struct columns *c, const struct object *o,
		       uint32_t row)
{
	char number[TV_CPU_KIND_NAME];
	struct tv_cpuset cpus;

	if (tv_cpuset_parse(&cpus, o->cpuset, strlen(o->cpuset)) < 0)
		return;
	tv_set_text(c->kind, row, tv_cpu_kinds_of(&m->kinds, &cpus, number));
	tv_cpuset_release(&cpus);
}

static void write_object(const struct hwloc *h, const struct machine *m, const struct columns *c,
			 const struct object *o, uint32_t label)
{
	uint32_t row = tv_table_add_row(&h->trace->table[TV_RESOURCES]), parent = o->parent;

	while (parent != TV_NONE && m->object[parent].level[0] == '\0')
		parent = m->object[parent].parent;
	tv_set_label(c->id, row, label);
	tv_set_text(c->type, row, o->level);
	if (h->n > 1)
		tv_set_text(c->node, row, m->host);
	if (parent != TV_NONE)
		tv_set_label(c->parent, row, label_of(h, m, &m->object[parent]));
	tv_set_int(c->order, row, o->number);
	tv_set_int(c->depth, row, o->depth);
	if (o->os_index >= 0)
		tv_set_int(c->os_index, row, o->os_index);
	if (o->size >= 0)
		tv_set_int(c->size, row, o->size);
	if (o->cpuset != NULL) {
		tv_set_string(c->cpuset, row, o->cpuset, strlen(o->cpuset));
		write_kind(m, c, o, row);
	}
}

/* Files without a host name have a number instead. */
static void name_hosts(struct hwloc *h)
{
	for (size_t i = 0; i < h->n; i++) {
		bool twice = h->machine[i].host == NULL;

		for (size_t k = 0; k < i && !twice; k++)
			twice = strcmp(h->machine[k].host, h->machine[i].host) == 0;
		if (!twice)
			continue;
		tv_free(h->machine[i].host);
		h->machine[i].host = tv_format("machine%zu", i);
	}
}

static int finish(void *state, struct tv_error *err)
{
	struct hwloc *h = state;
	struct tv_table *table = &h->trace->table[TV_RESOURCES];
	struct columns c;
	struct tv_index known = { 0 };

	(void)err;
	TV_TRACE_COLUMNS(h->trace, TV_RESOURCES, { "ResourceId", &c.id },
			 { "ResourceType", &c.type }, { "Node", &c.node }, { "Parent", &c.parent },
			 { "Order", &c.order }, { "Depth", &c.depth }, { "OsIndex", &c.os_index },
			 { "Cpuset", &c.cpuset }, { "CpuKind", &c.kind }, { "Size", &c.size });
	tv_table_finish(table);
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_label(c.id, row) != TV_NONE)
			tv_index_set(&known, tv_label(c.id, row), row);
	name_hosts(h);
	for (size_t i = 0; i < h->n; i++) {
		struct machine *m = &h->machine[i];

		number_levels(m);
		for (size_t k = 0; k < m->n; k++) {
			uint32_t label = label_of(h, m, &m->object[k]);

			if (m->object[k].level[0] != '\0' && tv_index_get(&known, label) == TV_NONE)
				write_object(h, m, &c, &m->object[k], label);
		}
	}
	tv_table_finish(table);
	tv_free(known.at);
	return 0;
}

/* ---- the format ---- */

static int probe(const char *head, size_t n)
{
	size_t at = 0;

	while (at < n && strchr(" \t\r\n", head[at]) != NULL && head[at] != '\0')
		at++;
	if (at == n || head[at] != '<' || !tv_head_has(head, n, "<topology"))
		return 0;
	return tv_head_has(head, n, "hwloc") ? 100 : 60;
}

static void *begin(struct tv_trace *trace)
{
	struct hwloc *h = tv_alloc(1, sizeof *h);

	h->trace = trace;
	return h;
}

static int read_file(void *state, struct tv_input *in, struct tv_error *err)
{
	struct hwloc *h = state;
	struct tv_xml xml = {
		.in = in, .err = err, .context = h, .begin = begin_element, .end = end_element
	};

	TV_GROW(h->machine, h->n, h->cap, 1);
	h->machine[h->n++] = (struct machine){ 0 };
	h->open = TV_NONE;
	return tv_xml_read(&xml);
}

static void release(void *state)
{
	struct hwloc *h = state;

	for (size_t i = 0; i < h->n; i++) {
		for (size_t k = 0; k < h->machine[i].n; k++)
			tv_free(h->machine[i].object[k].cpuset);
		tv_cpu_kinds_release(&h->machine[i].kinds);
		tv_free(h->machine[i].object);
		tv_free(h->machine[i].host);
	}
	tv_free(h->machine);
	tv_free(h);
}

const struct tv_reader tv_hwloc_reader = {
	.name = "hwloc",
	.summary = "objects of a machine: XML of hwloc 2 or 3 (lstopo topology.xml)",
	.brings = TV_BRINGS(MACHINE),
	.probe = probe,
	.begin = begin,
	.read = read_file,
	.finish = finish,
	.free = release,
	.completes = true,
	.memory = 8,
};
