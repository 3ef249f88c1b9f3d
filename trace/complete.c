/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.c -- what every trace goes through after reading: clock, kinds, resources, order, checks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/kernels.h"
#include "trace/number.h"
#include "trace/trace.h"

/* Label columns of tasks while they are completed. */
struct completion {
	struct tv_trace *trace;
	struct tv_table *tasks;
	struct tv_column *resource, *value, *start, *end, *job, *kind, *node, *type, *duration;
	struct tv_kernels kernels;
	uint32_t kind_label[TV_NKINDS];
	uint32_t *row_of;	/* row in resources of a label + 1; 0 = none */
	uint32_t nlabels;
};

void tv_resource_name(const char *name, char *node, size_t node_size, char *type, size_t type_size)
{
	size_t digits = strspn(name, "0123456789"), n;

	node[0] = '\0';
	if (digits > 0 && name[digits] == '_') {
		snprintf(node, node_size, "%.*s", (int)(digits < 20 ? digits : 20), name);
		name += digits + 1;
	}
	n = strcspn(name, "0123456789");
	while (n > 0 && strchr(" _-.:#/(", name[n - 1]) != NULL)
		n--;
	snprintf(type, type_size, "%.*s", n > 0 ? (int)n : 6, n > 0 ? name : "worker");
}

bool tv_is_processor(const char *type)
{
	static const char *const known[] = { "CPU", "CUDA", "HIP", "OpenCL", "FPGA", "MIC", "SCC", "MPI_MS",
					     "TCPIP_MS", "GPU" };

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcasecmp(type, known[i]) == 0)
			return true;
	return false;
}

static int finish_tables(struct tv_trace *trace, struct tv_error *err)
{
	for (int i = 0; i < TV_NTABLES; i++)
		if (tv_table_finish(&trace->table[i], err) < 0)
			return -1;
	return 0;
}

/* The columns of tasks. Those that only we complete are marked derived in native tables. */
static int find_columns(struct completion *c, struct tv_error *err)
{
	struct {
		const char *name;
		struct tv_column **column;
		bool completed;
	} want[] = {
		{ "ResourceId", &c->resource, false }, { "Value", &c->value, false },
		{ "Start", &c->start, false }, { "End", &c->end, false },
		{ "Duration", &c->duration, true }, { "Kind", &c->kind, true },
		{ "Node", &c->node, true }, { "ResourceType", &c->type, true },
	};

	for (size_t i = 0; i < TV_COUNT(want); i++) {
		bool present = tv_table_find(c->tasks, want[i].name) != NULL;

		*want[i].column = tv_trace_column(c->trace, TV_TASKS, want[i].name, err);
		if (*want[i].column == NULL)
			return -1;
		(*want[i].column)->derived = c->trace->native && !present;
	}
	c->job = tv_table_find(c->tasks, "JobId");
	for (int k = 0; k < TV_NKINDS; k++) {
		c->kind_label[k] = tv_intern_text(c->trace->pool, tv_kind_name((enum tv_kind)k));
		if (c->kind_label[k] == TV_NONE)
			return tv_fail_memory(err);
	}
	return tv_table_finish(c->tasks, err);
}

static bool fills(const struct completion *c, const struct tv_column *column)
{
	return !c->trace->native || column->derived;
}

/* Kind and Duration of every row. */
static int fill_kinds(struct completion *c, struct tv_error *err)
{
	uint8_t *known = tv_alloc(tv_pool_count(c->trace->pool), 1);	/* kind + 1 by value label */
	int rc = 0;

	if (known == NULL)
		return tv_fail_memory(err);
	for (uint32_t row = 0; rc == 0 && row < c->tasks->nrows; row++) {
		uint32_t value = tv_label(c->value, row);
		bool ran = !tv_missing(c->start, row) && !tv_missing(c->end, row);
		enum tv_kind kind = TV_GHOST;

		if (ran && tv_missing(c->duration, row) && fills(c, c->duration))
			rc = tv_set_int(c->duration, row, c->end->i[row] - c->start->i[row]);
		if (rc < 0 || !tv_missing(c->kind, row) || !fills(c, c->kind))
			continue;
		if (ran && value != TV_NONE) {
			if (known[value] == 0) {
				const struct tv_kernel *k = tv_kernels_match(&c->kernels,
							tv_pool_text(c->trace->pool, value));

				known[value] = (uint8_t)((k != NULL ? k->kind : TV_APP) + 1);
			}
			kind = (enum tv_kind)(known[value] - 1);
		} else if (ran) {
			kind = TV_APP;
		}
		rc = tv_set_label(c->kind, row, c->kind_label[kind]);
	}
	tv_free(known);
	return rc < 0 ? tv_fail_memory(err) : 0;
}

static bool is_kind(const struct completion *c, uint32_t row, enum tv_kind kind)
{
	return tv_label(c->kind, row) == c->kind_label[kind];
}

/* ---- the clock ---- */

static bool is_moment(const struct tv_column *column)
{
	return column->type == TV_TIME && strcmp(column->name, "Duration") != 0;
}

/* The first app start; without app tasks the first time of all. false if there is no time at all. */
static bool first_moment(const struct completion *c, int64_t *first)
{
	bool found = false;

	for (uint32_t row = 0; row < c->tasks->nrows; row++)
		if (is_kind(c, row, TV_APP) && !tv_missing(c->start, row)
		    && (!found || c->start->i[row] < *first)) {
			*first = c->start->i[row];
			found = true;
		}
	for (int t = 0; !found && t < TV_NTABLES; t++)
		for (size_t i = 0; i < c->trace->table[t].ncols; i++) {
			const struct tv_column *column = c->trace->table[t].col[i];

			for (uint32_t row = 0; t != TV_RESOURCES && is_moment(column)
					       && row < c->trace->table[t].nrows; row++)
				if (!tv_missing(column, row) && (!found || column->i[row] < *first)) {
					*first = column->i[row];
					found = true;
				}
		}
	return found;
}

static int shift_column(struct tv_column *column, uint32_t nrows, int64_t by, struct tv_error *err)
{
	for (uint32_t row = 0; row < nrows; row++)
		if (!tv_missing(column, row) && __builtin_sub_overflow(column->i[row], by, &column->i[row]))
			return tv_fail(err, (struct tv_pos){ 0 }, "times are too far apart for 64-bit nanoseconds");
	return 0;
}

static int shift_clock(struct completion *c, struct tv_error *err)
{
	const char *zero = c->trace->options.zero;
	int64_t by = 0;
	char text[TV_NUMBER_MAX];

	if (zero == NULL && c->trace->native)
		return 0;
	if (zero == NULL || strcmp(zero, "first-task") == 0)
		first_moment(c, &by);
	else if (strcmp(zero, "none") != 0 && tv_parse_time(zero, &by) != TV_PARSE_OK)
		return tv_fail_usage(err, "--zero '%s', expected first-task, none or a time such as 12.5ms", zero);
	for (int t = 0; by != 0 && t < TV_NTABLES; t++)
		for (size_t i = 0; i < c->trace->table[t].ncols; i++)
			if (is_moment(c->trace->table[t].col[i])
			    && shift_column(c->trace->table[t].col[i], c->trace->table[t].nrows, by, err) < 0)
				return -1;
	tv_write_ms(text, by);
	return tv_meta_add(c->trace, "ClockOrigin", err, "%s", text);
}

/* ---- resources ---- */

static int index_resources(struct completion *c, struct tv_error *err)
{
	struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id;

	tv_free(c->row_of);
	c->nlabels = tv_pool_count(c->trace->pool);
	c->row_of = tv_alloc(c->nlabels, sizeof *c->row_of);
	if (c->row_of == NULL)
		return tv_fail_memory(err);
	id = tv_table_find(resources, "ResourceId");
	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++)
		if (tv_label(id, row) != TV_NONE && c->row_of[tv_label(id, row)] == 0)
			c->row_of[tv_label(id, row)] = row + 1;
	return 0;
}

/* Type and node of a resource: of the resources table, else of its name. */
static int describe(const struct completion *c, uint32_t label, uint32_t *type, uint32_t *node,
		    struct tv_error *err)
{
	const struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *types = tv_table_find(resources, "ResourceType");
	const struct tv_column *nodes = tv_table_find(resources, "Node");
	uint32_t row = label < c->nlabels ? c->row_of[label] : 0;
	char node_text[32], type_text[128];

	*type = row > 0 && types != NULL ? tv_label(types, row - 1) : TV_NONE;
	*node = row > 0 && nodes != NULL ? tv_label(nodes, row - 1) : TV_NONE;
	if (*type != TV_NONE && *node != TV_NONE)
		return 0;
	tv_resource_name(tv_pool_text(c->trace->pool, label), node_text, sizeof node_text, type_text,
			 sizeof type_text);
	if (*type == TV_NONE)
		*type = tv_intern_text(c->trace->pool, type_text);
	if (*node == TV_NONE)
		*node = tv_intern_text(c->trace->pool, node_text[0] != '\0' ? node_text : "0");
	return *type == TV_NONE || *node == TV_NONE ? tv_fail_memory(err) : 0;
}

/* ResourceType and Node of every task row that has a resource. */
static int fill_resources(struct completion *c, struct tv_error *err)
{
	uint32_t last = TV_NONE, type = TV_NONE, node = TV_NONE;

	if (!fills(c, c->type) && !fills(c, c->node))
		return 0;
	for (uint32_t row = 0; row < c->tasks->nrows; row++) {
		uint32_t label = tv_label(c->resource, row);

		if (label == TV_NONE)
			continue;
		if (label != last && describe(c, label, &type, &node, err) < 0)
			return -1;
		last = label;
		if ((tv_missing(c->type, row) && fills(c, c->type) && tv_set_label(c->type, row, type) < 0)
		    || (tv_missing(c->node, row) && fills(c, c->node)
			&& tv_set_label(c->node, row, node) < 0))
			return tv_fail_memory(err);
	}
	return 0;
}

static int add_resource(struct completion *c, uint32_t label, uint32_t type, uint32_t node,
			struct tv_error *err)
{
	struct tv_column *id = tv_trace_column(c->trace, TV_RESOURCES, "ResourceId", err);
	struct tv_column *types = tv_trace_column(c->trace, TV_RESOURCES, "ResourceType", err);
	struct tv_column *nodes = tv_trace_column(c->trace, TV_RESOURCES, "Node", err);
	uint32_t row;

	if (id == NULL || types == NULL || nodes == NULL)
		return -1;
	row = tv_table_add_row(&c->trace->table[TV_RESOURCES], err);
	if (row == TV_NONE)
		return -1;
	if (tv_set_label(id, row, label) < 0 || tv_set_label(types, row, type) < 0
	    || tv_set_label(nodes, row, node) < 0)
		return tv_fail_memory(err);
	if (label < c->nlabels)
		c->row_of[label] = row + 1;
	return 0;
}

/* Foreign traces: every resource has a type and a node, and every worker that a task names is a resource. */
static int add_missing_resources(struct completion *c, struct tv_error *err)
{
	struct tv_column *id = tv_trace_column(c->trace, TV_RESOURCES, "ResourceId", err);
	struct tv_column *types = tv_trace_column(c->trace, TV_RESOURCES, "ResourceType", err);
	struct tv_column *nodes = tv_trace_column(c->trace, TV_RESOURCES, "Node", err);

	if (id == NULL || types == NULL || nodes == NULL
	    || tv_table_finish(&c->trace->table[TV_RESOURCES], err) < 0)
		return -1;
	for (uint32_t row = 0; row < c->trace->table[TV_RESOURCES].nrows; row++) {
		uint32_t type, node;

		if (describe(c, tv_label(id, row), &type, &node, err) < 0)
			return -1;
		if (tv_set_label(types, row, type) < 0 || tv_set_label(nodes, row, node) < 0)
			return tv_fail_memory(err);
	}
	for (uint32_t row = 0; row < c->tasks->nrows; row++) {
		uint32_t label = tv_label(c->resource, row);

		if (label != TV_NONE && c->row_of[label] == 0
		    && add_resource(c, label, tv_label(c->type, row), tv_label(c->node, row), err) < 0)
			return -1;
	}
	return tv_table_finish(&c->trace->table[TV_RESOURCES], err);
}

/* How many workers of that type (a name) tasks and resources show, and whether `label` is among them. */
static uint32_t count_workers(const struct completion *c, uint32_t type, uint8_t *seen)
{
	const struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *types = tv_table_find(resources, "ResourceType");
	uint32_t n = 0;

	for (uint32_t row = 0; id != NULL && types != NULL && row < resources->nrows; row++)
		if (tv_label(types, row) == type && seen[tv_label(id, row)]++ == 0)
			n++;
	for (uint32_t row = 0; row < c->tasks->nrows; row++)
		if (tv_label(c->resource, row) != TV_NONE && tv_label(c->type, row) == type
		    && seen[tv_label(c->resource, row)]++ == 0)
			n++;
	return n;
}

/* Adds idle workers of a type until there are `want`: TYPE0, TYPE1, ... as far as these names are free. */
static int declare(struct completion *c, const char *name, uint32_t want, struct tv_error *err)
{
	uint32_t type = tv_intern_text(c->trace->pool, name);
	uint32_t node = tv_intern_text(c->trace->pool, "0"), have;
	uint8_t *seen = tv_alloc(tv_pool_count(c->trace->pool), 1);
	uint32_t nseen = tv_pool_count(c->trace->pool);

	if (type == TV_NONE || node == TV_NONE || seen == NULL) {
		tv_free(seen);
		return tv_fail_memory(err);
	}
	have = count_workers(c, type, seen);
	if (have > want) {
		tv_free(seen);
		return tv_fail_usage(err, "--resources %s=%u, but the trace shows %u workers of that type", name,
				     want, have);
	}
	for (uint32_t i = 0; have < want; i++) {
		char text[160];
		uint32_t label;

		snprintf(text, sizeof text, "%s%u", name, i);
		label = tv_intern_text(c->trace->pool, text);
		if (label != TV_NONE && label < nseen && seen[label])
			continue;
		if (label == TV_NONE || add_resource(c, label, type, node, err) < 0) {
			tv_free(seen);
			return label == TV_NONE ? tv_fail_memory(err) : -1;
		}
		have++;
	}
	tv_free(seen);
	return tv_table_finish(&c->trace->table[TV_RESOURCES], err);
}

static int declare_resources(struct completion *c, struct tv_error *err)
{
	const char *s = c->trace->options.resources;

	while (s != NULL && *s != '\0') {
		size_t n = strcspn(s, ","), name = strcspn(s, "=,");
		char text[128];
		int64_t want;

		if (name == 0 || name >= sizeof text || name >= n
		    || tv_parse_int(s + name + 1, n - name - 1, &want) != TV_PARSE_OK || want < 0
		    || want > 1000000)
			return tv_fail_usage(err, "--resources '%s', expected TYPE=NUMBER,... as in CPU=25,CUDA=3",
					     c->trace->options.resources);
		snprintf(text, sizeof text, "%.*s", (int)name, s);
		if (declare(c, text, (uint32_t)want, err) < 0)
			return -1;
		s += n + (s[n] == ',');
	}
	return 0;
}

/* ---- order ---- */

struct resource_key {
	const char *node, *type, *name;
	uint32_t row;
};

static int by_place(const void *a, const void *b)
{
	const struct resource_key *x = a, *y = b;
	int order = tv_natural_order(x->node, y->node);

	if (order == 0)
		order = tv_natural_order(x->type, y->type);
	if (order == 0)
		order = tv_natural_order(x->name, y->name);
	return order != 0 ? order : x->row < y->row ? -1 : x->row > y->row;
}

static const char *cell(const struct tv_column *column, uint32_t row)
{
	return column != NULL ? tv_pool_text(column->pool, tv_label(column, row)) : "";
}

static int order_resources(struct completion *c, struct tv_error *err)
{
	struct tv_table *resources = &c->trace->table[TV_RESOURCES], sorted;
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *type = tv_table_find(resources, "ResourceType");
	const struct tv_column *node = tv_table_find(resources, "Node");
	uint32_t n = resources->nrows, *order = tv_alloc(n, sizeof *order);
	struct resource_key *key = tv_alloc(n, sizeof *key);
	struct tv_column *place;
	int rc = -1;

	if (order == NULL || key == NULL) {
		tv_fail_memory(err);
		goto out;
	}
	for (uint32_t i = 0; i < n; i++)
		key[i] = (struct resource_key){ cell(node, i), cell(type, i), cell(id, i), i };
	qsort(key, n, sizeof *key, by_place);
	for (uint32_t i = 0; i < n; i++)
		order[i] = key[i].row;
	if (tv_table_take(resources, order, n, &sorted, err) < 0)
		goto out;
	tv_table_replace(resources, &sorted);
	place = tv_trace_column(c->trace, TV_RESOURCES, "Order", err);
	rc = place == NULL ? -1 : 0;
	for (uint32_t i = 0; rc == 0 && i < n; i++)
		if (tv_set_int(place, i, i) < 0)
			rc = tv_fail_memory(err);
	if (rc == 0)
		rc = tv_table_finish(resources, err);
	if (rc == 0)
		rc = index_resources(c, err);
out:
	tv_free(order);
	tv_free(key);
	return rc;
}

/* Foreign traces: one row of Kind worker for every worker that ran nothing. */
static int add_idle_workers(struct completion *c, struct tv_error *err)
{
	struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *types = tv_table_find(resources, "ResourceType");
	const struct tv_column *nodes = tv_table_find(resources, "Node");
	uint8_t *runs = tv_alloc(tv_pool_count(c->trace->pool), 1);	/* by label: 1 worker, 2 type */
	int rc = 0;

	if (runs == NULL)
		return tv_fail_memory(err);
	for (uint32_t row = 0; row < c->tasks->nrows; row++)
		if (tv_label(c->resource, row) != TV_NONE && !is_kind(c, row, TV_MESSAGE)) {
			runs[tv_label(c->resource, row)] |= 1;
			runs[tv_label(c->type, row)] |= 2;
		}
	for (uint32_t i = 0; rc == 0 && id != NULL && types != NULL && nodes != NULL && i < resources->nrows; i++) {
		uint32_t type = tv_label(types, i), row;

		if (runs[tv_label(id, i)] & 1 || type == TV_NONE
		    || (!(runs[type] & 2) && !tv_is_processor(tv_pool_text(c->trace->pool, type))))
			continue;
		row = tv_table_add_row(c->tasks, err);
		if (row == TV_NONE)
			rc = -1;
		else if (tv_set_label(c->resource, row, tv_label(id, i)) < 0
			 || tv_set_label(c->type, row, type) < 0
			 || tv_set_label(c->node, row, tv_label(nodes, i)) < 0
			 || tv_set_label(c->kind, row, c->kind_label[TV_WORKER]) < 0)
			rc = tv_fail_memory(err);
	}
	tv_free(runs);
	return rc < 0 ? -1 : tv_table_finish(c->tasks, err);
}

struct task_key {
	int64_t start;
	uint32_t group;		/* 0 executions and messages, 1 ghosts, 2 idle workers */
	uint32_t place, row;
};

static int by_start(const void *a, const void *b)
{
	const struct task_key *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static int order_tasks(struct completion *c, struct tv_error *err)
{
	uint32_t n = c->tasks->nrows, *order;
	struct task_key *key = tv_alloc(n, sizeof *key);
	struct tv_table sorted;
	bool in_order = true;
	int rc = 0;

	if (key == NULL)
		return tv_fail_memory(err);
	for (uint32_t row = 0; row < n; row++) {
		uint32_t label = tv_label(c->resource, row);
		bool ran = !tv_missing(c->start, row);

		key[row] = (struct task_key){ ran ? c->start->i[row] : 0,
					      ran ? 0 : is_kind(c, row, TV_WORKER) ? 2 : 1,
					      label != TV_NONE ? c->row_of[label] : 0, row };
		in_order = in_order && (row == 0 || by_start(&key[row - 1], &key[row]) < 0);
	}
	order = in_order ? NULL : tv_alloc(n, sizeof *order);
	if (!in_order && order == NULL)
		rc = tv_fail_memory(err);
	if (order != NULL) {
		qsort(key, n, sizeof *key, by_start);
		for (uint32_t i = 0; i < n; i++)
			order[i] = key[i].row;
		rc = tv_table_take(c->tasks, order, n, &sorted, err);
		if (rc == 0) {
			tv_table_replace(c->tasks, &sorted);
			rc = find_columns(c, err);
		}
	}
	tv_free(order);
	tv_free(key);
	return rc;
}

/* ---- checks ---- */

static uint64_t execution_hash(const struct completion *c, uint32_t row)
{
	uint64_t h = (uint64_t)c->start->i[row] * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)tv_label(c->job, row) << 32) | tv_label(c->resource, row);
	h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
	return h ^ h >> 29;
}

/* The same job twice on one worker at one time can only be an error of whoever wrote the trace. */
static int check_executions(struct completion *c, struct tv_error *err)
{
	size_t nslots = 64;
	uint32_t *slot;
	int rc = 0;

	if (c->job == NULL)
		return 0;
	while (nslots < (size_t)c->tasks->nrows * 2)
		nslots *= 2;
	slot = tv_alloc(nslots, sizeof *slot);
	if (slot == NULL)
		return tv_fail_memory(err);
	for (uint32_t row = 0; rc == 0 && row < c->tasks->nrows; row++) {
		size_t at;

		if (tv_missing(c->start, row) || tv_missing(c->job, row))
			continue;
		for (at = execution_hash(c, row) & (nslots - 1); slot[at] != 0; at = (at + 1) & (nslots - 1)) {
			uint32_t other = slot[at] - 1;
			char ms[TV_NUMBER_MAX];

			if (tv_label(c->job, other) != tv_label(c->job, row)
			    || tv_label(c->resource, other) != tv_label(c->resource, row)
			    || c->start->i[other] != c->start->i[row])
				continue;
			tv_write_ms(ms, c->start->i[row]);
			rc = tv_fail(err, (struct tv_pos){ 0 },
				     "two identical executions: JobId %s on %s at %s ms, expected each once",
				     cell(c->job, row), cell(c->resource, row), ms);
			break;
		}
		slot[at] = row + 1;
	}
	tv_free(slot);
	return rc;
}

static int write_damage(struct tv_trace *trace, struct tv_error *err)
{
	for (size_t i = 0; i < trace->ndamage; i++) {
		const struct tv_damage *d = &trace->damage[i];
		char key[200];

		snprintf(key, sizeof key, "%s: %s", d->kind == TV_DROPPED ? "Dropped" : "Repaired", d->cause);
		if (tv_meta_add(trace, key, err, "%llu", (unsigned long long)d->count) < 0)
			return -1;
	}
	return tv_table_finish(&trace->table[TV_META], err);
}

static int complete_foreign(struct completion *c, struct tv_error *err)
{
	if (add_missing_resources(c, err) < 0 || order_resources(c, err) < 0)
		return -1;
	return add_idle_workers(c, err) < 0 ? -1 : order_tasks(c, err);
}

int tv_trace_complete(struct tv_trace *trace, struct tv_error *err)
{
	struct completion c = { .trace = trace, .tasks = &trace->table[TV_TASKS] };
	int rc = -1;

	if (finish_tables(trace, err) < 0 || tv_kernels_init(&c.kernels, trace->options.kernels, err) < 0)
		return -1;
	if (find_columns(&c, err) == 0 && fill_kinds(&c, err) == 0 && index_resources(&c, err) == 0
	    && fill_resources(&c, err) == 0 && declare_resources(&c, err) == 0
	    && (trace->native || complete_foreign(&c, err) == 0)
	    && check_executions(&c, err) == 0 && shift_clock(&c, err) == 0)
		rc = write_damage(trace, err);
	tv_kernels_release(&c.kernels);
	tv_free(c.row_of);
	return rc;
}
