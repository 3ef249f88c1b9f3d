/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resources.c -- what completing a trace does about workers: types, nodes, order, those that ran
 * nothing. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/complete.h"
#include "trace/machine.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

static const char separators[] = " _-.:#/(";

enum { HASH_MIN = 16 }; /* digits */

/* Where the number of a name begins: the first digit, of "worker:be14..." the hexadecimal number behind the last separator. */
static size_t begin_of_number(const char *name)
{
	size_t first = strcspn(name, "0123456789"), end = strlen(name), last = end, n;

	while (last > 0 && strchr(separators, name[last - 1]) == NULL)
		last--;
	n = strspn(name + last, "0123456789abcdef");
	return last < first && last > 0 && n >= HASH_MIN && last + n == end ? last : first;
}

struct tv_resource_words tv_resource_words(const char *name)
{
	struct tv_resource_words words = { "0", 1, "worker", strlen("worker") };
	size_t digits = strspn(name, "0123456789"), n;

	if (digits > 0 && name[digits] == '_') {
		words.node = name;
		words.node_length = digits;
		name += digits + 1;
	}
	n = begin_of_number(name);
	while (n > 0 && strchr(separators, name[n - 1]) != NULL)
		n--;
	if (n > 1) { /* one letter may mean anything */
		words.type = name;
		words.type_length = n;
	}
	return words;
}

bool tv_is_processor(const char *type)
{
	static const char *const known[] = { "CPU", "CUDA", "HIP",    "OpenCL",	  "FPGA",
					     "MIC", "SCC",  "MPI_MS", "TCPIP_MS", "GPU" };

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcasecmp(type, known[i]) == 0)
			return true;
	return false;
}

void tv_index_resources(struct tv_completion *c)
{
	struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id;

	tv_free(c->row_of);
	c->nlabels = tv_pool_count(c->trace->pool);
	c->row_of = tv_alloc(c->nlabels, sizeof *c->row_of);
	id = tv_table_find(resources, "ResourceId");
	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++)
		if (tv_label(id, row) != TV_NONE && c->row_of[tv_label(id, row)] == 0)
			c->row_of[tv_label(id, row)] = row + 1;
}

/* Type and node of a resource: of the resources table, else of its name. */
static void describe(const struct tv_completion *c, uint32_t label, uint32_t *type, uint32_t *node)
{
	const struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *types = tv_table_find(resources, "ResourceType");
	const struct tv_column *nodes = tv_table_find(resources, "Node");
	uint32_t row = label < c->nlabels ? c->row_of[label] : 0;
	struct tv_resource_words words;

	*type = row > 0 && types != NULL ? tv_label(types, row - 1) : TV_NONE;
	*node = row > 0 && nodes != NULL ? tv_label(nodes, row - 1) : TV_NONE;
	if (*type != TV_NONE && *node != TV_NONE)
		return;
	words = tv_resource_words(tv_pool_text(c->trace->pool, label));
	if (*type == TV_NONE)
		*type = tv_intern(c->trace->pool, words.type, words.type_length);
	if (*node == TV_NONE)
		*node = tv_intern(c->trace->pool, words.node, words.node_length);
}

/* The type in a name that begins with the node that the row has: core of alpha:core0; else as before. */
static uint32_t type_behind_node(const struct tv_completion *c, uint32_t label, uint32_t node,
				 uint32_t type)
{
	const char *name = tv_pool_text(c->trace->pool, label);
	const char *prefix = node != TV_NONE ? tv_pool_text(c->trace->pool, node) : "";
	size_t n = strlen(prefix);
	struct tv_resource_words words;

	if (n == 0 || strncmp(name, prefix, n) != 0 || name[n] == '\0'
	    || strchr(":/_.-", name[n]) == NULL || name[n + 1] == '\0')
		return type;
	words = tv_resource_words(name + n + 1);
	return words.type_length > 0 ? tv_intern(c->trace->pool, words.type, words.type_length)
				     : type;
}

/* Whether a name is one letter and a number. */
static bool is_letter(const char *name)
{
	size_t digits = isalpha((unsigned char)name[0]) ? strspn(name + 1, "0123456789") : 0;

	return digits > 0 && name[1 + digits] == '\0';
}

/* What a name says of its worker. */
struct described {
	uint32_t type, node;
	bool known, untyped; /* it was looked at; as a worker without a type */
	bool letter;	     /* its name gives no type but one letter */
	bool unnumbered;     /* its name would be its type, and is none that is known */
};

/* One letter names no type, but workers with different letters may be of different types; likewise names without a number: they are
 * one. */
static void report_names(const struct tv_completion *c, const struct described *of, size_t n)
{
	const char *first = NULL, *name;

	for (size_t label = 0; label < n; label++) {
		name = tv_pool_text(c->trace->pool, (uint32_t)label);
		if (!of[label].letter && !of[label].unnumbered)
			continue;
		if (first != NULL && (of[label].unnumbered || name[0] != first[0])) {
			tv_notice(c->trace,
				  "%s, as in the names of workers '%s' and '%s', is no "
				  "type of workers: they are of one type (a column ResourceType "
				  "would distinguish types)",
				  of[label].unnumbered ? "a word without a number" : "one letter",
				  first, name);
			return;
		}
		first = name;
	}
}

/* The same type for all workers whose names have no number, if there are several. */
static void join_unnumbered(const struct tv_completion *c, struct described *of, size_t n)
{
	uint32_t several = 0, type = TV_NONE;

	for (size_t label = 0; label < n; label++)
		several += of[label].unnumbered;
	if (several > 1)
		type = tv_intern_text(c->trace->pool, "worker");
	for (size_t label = 0; label < n; label++) {
		of[label].unnumbered = of[label].unnumbered && several > 1;
		if (of[label].unnumbered)
			of[label].type = type;
	}
}

/* What the name of a worker says, by label; free with tv_free. n: labels. */
static struct described *describe_names(const struct tv_completion *c, size_t n)
{
	struct described *of = tv_alloc(n, sizeof *of);

	for (uint32_t row = 0; row < c->tasks->nrows; row++) {
		uint32_t label = tv_label(c->resource, row);
		bool listed = label < c->nlabels && c->row_of[label] != 0;
		struct described *one;
		const char *name;

		if (label == TV_NONE)
			continue;
		one = &of[label];
		name = tv_pool_text(c->trace->pool, label);
		if (!one->known) {
			describe(c, label, &one->type, &one->node);
			if (!listed)
				one->type = type_behind_node(c, label, tv_label(c->node, row),
							     one->type);
		}
		one->known = true;
		if (!one->untyped && tv_missing(c->type, row) && tv_completes(c, c->type)) {
			one->untyped = true;
			one->letter = is_letter(name) && !listed;
			one->unnumbered = !listed && !tv_is_processor(name)
				       && strcmp(name, tv_pool_text(c->trace->pool, one->type))
						  == 0;
		}
	}
	join_unnumbered(c, of, n);
	return of;
}

void tv_fill_resources(struct tv_completion *c)
{
	size_t n = tv_pool_count(c->trace->pool);
	struct described *of;

	if (!tv_completes(c, c->type) && !tv_completes(c, c->node))
		return;
	of = describe_names(c, n);
	for (uint32_t row = 0; row < c->tasks->nrows; row++) {
		uint32_t label = tv_label(c->resource, row);

		if (label == TV_NONE)
			continue;
		if (tv_missing(c->type, row) && tv_completes(c, c->type))
			tv_set_label(c->type, row, of[label].type);
		if (tv_missing(c->node, row) && tv_completes(c, c->node))
			tv_set_label(c->node, row, of[label].node);
	}
	report_names(c, of, n);
	tv_free(of);
}

static void add_resource(struct tv_completion *c, uint32_t label, uint32_t type, uint32_t node)
{
	uint32_t row = tv_table_add_row(&c->trace->table[TV_RESOURCES]);

	tv_set_label(tv_trace_column(c->trace, TV_RESOURCES, "ResourceId"), row, label);
	tv_set_label(tv_trace_column(c->trace, TV_RESOURCES, "ResourceType"), row, type);
	tv_set_label(tv_trace_column(c->trace, TV_RESOURCES, "Node"), row, node);
	if (label < c->nlabels)
		c->row_of[label] = row + 1;
}

void tv_require_resource(struct tv_completion *c, uint32_t label)
{
	uint32_t type, node;

	if (c->row_of[label] != 0)
		return;
	describe(c, label, &type, &node);
	add_resource(c, label, type, node);
}

void tv_add_missing_resources(struct tv_completion *c)
{
	struct tv_column *id = tv_trace_column(c->trace, TV_RESOURCES, "ResourceId");
	struct tv_column *types = tv_trace_column(c->trace, TV_RESOURCES, "ResourceType");
	struct tv_column *nodes = tv_trace_column(c->trace, TV_RESOURCES, "Node");
	const struct tv_column *depth = tv_table_find(&c->trace->table[TV_RESOURCES], "Depth");

	tv_table_finish(&c->trace->table[TV_RESOURCES]);
	for (uint32_t row = 0; row < c->trace->table[TV_RESOURCES].nrows; row++) {
		uint32_t type, node;

		if (tv_is_object(depth, row))
			continue;
		describe(c, tv_label(id, row), &type, &node);
		tv_set_label(types, row, type);
		tv_set_label(nodes, row, node);
	}
	for (uint32_t row = 0; row < c->tasks->nrows; row++) {
		uint32_t label = tv_label(c->resource, row);

		if (label != TV_NONE && c->row_of[label] == 0)
			add_resource(c, label, tv_label(c->type, row), tv_label(c->node, row));
	}
	tv_table_finish(&c->trace->table[TV_RESOURCES]);
}

enum { NAMED = 1, COUNTED = 2 };

/* Marks a resource that a row names; 1 if the row makes it one more of the type asked for. */
static uint32_t count_worker(uint8_t *seen, uint32_t label, bool of_type)
{
	bool more = of_type && !(seen[label] & COUNTED);

	seen[label] |= NAMED | (of_type ? COUNTED : 0);
	return more;
}

/* How many workers of that type tasks and resources show. seen, by label: NAMED = any resource. */
static uint32_t count_workers(const struct tv_completion *c, uint32_t type, uint8_t *seen)
{
	const struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *types = tv_table_find(resources, "ResourceType");
	const struct tv_column *depth = tv_table_find(resources, "Depth");
	uint32_t n = 0;

	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++)
		n += count_worker(seen, tv_label(id, row),
				  types != NULL && tv_label(types, row) == type
					  && !tv_is_object(depth, row));
	for (uint32_t row = 0; row < c->tasks->nrows; row++)
		if (tv_label(c->resource, row) != TV_NONE)
			n += count_worker(seen, tv_label(c->resource, row),
					  tv_label(c->type, row) == type);
	return n;
}

/* Adds idle workers of a type until there are `want`: TYPE0, TYPE1, ... as far as these names are
 * free. */
static int declare(struct tv_completion *c, const char *name, uint32_t want, struct tv_error *err)
{
	uint32_t type = tv_intern_text(c->trace->pool, name);
	uint32_t node = tv_intern_text(c->trace->pool, "0"), have;
	uint32_t nseen = tv_pool_count(c->trace->pool);
	uint8_t *seen = tv_alloc(nseen, 1);

	have = count_workers(c, type, seen);
	if (have > want) {
		tv_free(seen);
		return tv_fail_usage(
			err, "--resources %s=%u, but the trace shows %u workers of that type", name,
			want, have);
	}
	for (uint32_t i = 0; have < want; i++) {
		char *text = tv_format("%s%u", name, i);
		uint32_t label = tv_intern_text(c->trace->pool, text);

		tv_free(text);
		if (label < nseen && seen[label])
			continue;
		add_resource(c, label, type, node);
		have++;
	}
	tv_free(seen);
	tv_table_finish(&c->trace->table[TV_RESOURCES]);
	return 0;
}

int tv_resources_check(const char *list, struct tv_error *err)
{
	for (const char *s = list; s != NULL && *s != '\0';) {
		size_t n = strcspn(s, ","), name = strcspn(s, "=,");
		int64_t want;

		if (name == 0 || name >= n
		    || tv_parse_int(s + name + 1, n - name - 1, &want) != TV_PARSE_OK || want < 0
		    || want > 1000000)
			return tv_fail_usage(
				err,
				"--resources '%s', expected TYPE=NUMBER,... as in CPU=25,CUDA=3",
				list);
		s += n + (s[n] == ',');
	}
	return 0;
}

int tv_declare_resources(struct tv_completion *c, struct tv_error *err)
{
	const char *s = c->trace->options.resources;

	if (tv_resources_check(s, err) < 0)
		return -1;
	while (s != NULL && *s != '\0') {
		size_t n = strcspn(s, ","), name = strcspn(s, "=,");
		int64_t want = 0;
		char *type;
		int rc;

		(void)tv_parse_int(s + name + 1, n - name - 1, &want);
		type = tv_strndup(s, name);
		rc = declare(c, type, (uint32_t)want, err);
		tv_free(type);
		if (rc < 0)
			return -1;
		s += n + (s[n] == ',');
	}
	return 0;
}

struct resource_key {
	const char *node, *type, *name;
	uint32_t row;
	bool object; /* of the machine: behind the others, as its reader sorted it */
};

static int by_place(const void *a, const void *b)
{
	const struct resource_key *x = a, *y = b;
	int order = x->object - y->object;

	if (order == 0 && !x->object)
		order = tv_natural_order(x->node, y->node);
	if (order == 0 && !x->object)
		order = tv_natural_order(x->type, y->type);
	if (order == 0 && !x->object)
		order = tv_natural_order(x->name, y->name);
	return order != 0 ? order : TV_COMPARE(x->row, y->row);
}

void tv_order_resources(struct tv_completion *c)
{
	struct tv_table *resources = &c->trace->table[TV_RESOURCES], sorted;
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *type = tv_table_find(resources, "ResourceType");
	const struct tv_column *node = tv_table_find(resources, "Node");
	const struct tv_column *depth = tv_table_find(resources, "Depth");
	uint32_t n = resources->nrows, *order = tv_alloc(n, sizeof *order);
	struct resource_key *key = tv_alloc(n, sizeof *key);
	struct tv_column *place;

	for (uint32_t i = 0; i < n; i++)
		key[i] = (struct resource_key){ tv_cell(node, i), tv_cell(type, i), tv_cell(id, i),
						i, tv_is_object(depth, i) };
	qsort(key, n, sizeof *key, by_place);
	for (uint32_t i = 0; i < n; i++)
		order[i] = key[i].row;
	tv_table_take(resources, order, n, &sorted);
	tv_table_replace(resources, &sorted);
	place = tv_trace_column(c->trace, TV_RESOURCES, "Order");
	for (uint32_t i = 0; i < n && !key[i].object; i++)
		tv_set_int(place, i, i);
	tv_table_finish(resources);
	tv_index_resources(c);
	tv_free(order);
	tv_free(key);
}

void tv_add_idle_workers(struct tv_completion *c)
{
	struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *types = tv_table_find(resources, "ResourceType");
	const struct tv_column *nodes = tv_table_find(resources, "Node");
	const struct tv_column *depth = tv_table_find(resources, "Depth");
	uint8_t *runs = tv_alloc(tv_pool_count(c->trace->pool), 1); /* by label: 1 worker, 2 type */

	for (uint32_t row = 0; row < c->tasks->nrows; row++)
		if (tv_label(c->resource, row) != TV_NONE && !tv_row_is(c, row, TV_MESSAGE)) {
			runs[tv_label(c->resource, row)] |= 1;
			runs[tv_label(c->type, row)] |= 2;
		}
	for (uint32_t i = 0; id != NULL && types != NULL && nodes != NULL && i < resources->nrows;
	     i++) {
		uint32_t type = tv_label(types, i), row;

		if (runs[tv_label(id, i)] & 1 || type == TV_NONE || tv_is_object(depth, i)
		    || (!(runs[type] & 2) && !tv_is_processor(tv_pool_text(c->trace->pool, type))))
			continue;
		row = tv_table_add_row(c->tasks);
		tv_set_label(c->resource, row, tv_label(id, i));
		tv_set_label(c->type, row, type);
		tv_set_label(c->node, row, tv_label(nodes, i));
		tv_set_label(c->kind, row, c->kind_label[TV_WORKER]);
	}
	tv_free(runs);
	tv_table_finish(c->tasks);
}
