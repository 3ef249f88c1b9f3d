/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clocks.c -- the clocks of nodes: shifting them, also by what messages show. */
#include "trace/clocks.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/message_links.h"
#include "trace/nodes.h"
#include "trace/number.h"

/* ---- offsets ---- */

int tv_clock_offset_parse(const char *text, struct tv_clock_offset *offset, struct tv_error *err)
{
	const char *equal = strrchr(text, '=');
	const int64_t limit = (int64_t)1 << 61;

	*offset = (struct tv_clock_offset){ .node = text };
	if (strcmp(text, "messages") == 0)
		return 0;
	if (equal == NULL || equal == text || tv_parse_time(equal + 1, &offset->ns) != TV_PARSE_OK
	    || offset->ns >= limit || offset->ns <= -limit)
		return tv_fail_usage(err,
				     "--clock-offset '%s', expected NODE=T, a node and a time such "
				     "as 1=-0.05 (ms) or 1=20us, or messages",
				     text);
	offset->length = (size_t)(equal - text);
	return 0;
}

int64_t tv_clock_offset(const struct tv_trace *trace, const char *node)
{
	const struct tv_read_options *options = &trace->options;

	for (size_t i = options->nclock_offsets; i-- > 0;) {
		const struct tv_clock_offset *offset = &options->clock_offset[i];

		if (strlen(node) == offset->length
		    && memcmp(node, offset->node, offset->length) == 0)
			return offset->ns;
	}
	return 0;
}

bool tv_clocks_by_messages(const struct tv_trace *trace)
{
	for (size_t i = 0; i < trace->options.nclock_offsets; i++)
		if (trace->options.clock_offset[i].length == 0)
			return true;
	return false;
}

struct shift {
	struct tv_trace *trace;
	struct tv_nodes nodes;
	uint32_t *node, n;     /* labels of all nodes, each once */
	struct tv_index place; /* of a node, by label */
	int64_t *ns;	       /* of each node */
};

static void list_nodes(struct shift *s)
{
	const struct tv_table *tasks = &s->trace->table[TV_TASKS];
	const struct tv_table *resources = &s->trace->table[TV_RESOURCES];
	const struct tv_column *node = tv_table_find(tasks, "Node");
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	size_t cap = 0;

	for (uint32_t i = 0; i < tasks->nrows + resources->nrows; i++) {
		const struct tv_column *column = i < tasks->nrows ? node : id;
		uint32_t row = i < tasks->nrows ? i : i - tasks->nrows;
		uint32_t label = column == NULL ? TV_NONE : tv_label(column, row);

		if (label != TV_NONE && i >= tasks->nrows)
			label = tv_node_of(&s->nodes, label);
		if (label == TV_NONE || tv_index_get(&s->place, label) != TV_NONE)
			continue;
		tv_index_set(&s->place, label, s->n);
		TV_GROW(s->node, s->n, cap, 1);
		s->node[s->n++] = label;
	}
	s->ns = tv_alloc(s->n, sizeof *s->ns);
}

static void describe_offset(struct shift *s, uint32_t node, int64_t ns, const char *from)
{
	char text[TV_NUMBER_MAX];

	tv_write_ms(text, ns);
	tv_meta_add(s->trace, "ClockOffset", "%s: %s ms%s", tv_pool_text(s->trace->pool, node),
		    text, from);
}

/* Every offset must be one of a node, and change the times between nodes. */
static int check_nodes(struct shift *s, struct tv_error *err)
{
	const struct tv_read_options *options = &s->trace->options;
	int rc = 0;

	if (s->n < 2)
		rc = tv_fail_usage(err, "--clock-offset: the trace has one node only");
	for (size_t i = 0; rc == 0 && i < options->nclock_offsets; i++) {
		const struct tv_clock_offset *offset = &options->clock_offset[i];
		uint32_t label = tv_pool_find(s->trace->pool, offset->node, offset->length);

		if (offset->length == 0)
			continue;
		if (label == TV_NONE || tv_index_get(&s->place, label) == TV_NONE)
			rc = tv_fail_usage(err,
					   "--clock-offset: the trace has no node '%.*s', expected "
					   "one of its %u nodes (see traceviz info)",
					   (int)offset->length, offset->node, s->n);
		else
			describe_offset(s, label, offset->ns, "");
	}
	return rc;
}

static int64_t offset_of_node(const struct shift *s, uint32_t node)
{
	uint32_t place = node != TV_NONE ? tv_index_get(&s->place, node) : TV_NONE;

	return place != TV_NONE ? s->ns[place] : 0;
}

static int64_t offset_of(struct shift *s, const struct tv_column *resource, uint32_t row)
{
	uint32_t label = resource == NULL ? TV_NONE : tv_label(resource, row);

	return label == TV_NONE ? 0 : offset_of_node(s, tv_node_of(&s->nodes, label));
}

static int shift_cell(struct tv_column *column, uint32_t row, int64_t by, struct tv_error *err)
{
	if (!tv_missing(column, row) && __builtin_add_overflow(column->i[row], by, &column->i[row]))
		return tv_fail(err, "times are too far apart for 64-bit nanoseconds");
	return 0;
}

/* Whether a column of links is on the clock of the destination. */
static bool is_of_dest(const char *name)
{
	return strcmp(name, "End") == 0 || strcmp(name, "ReceiveStart") == 0;
}

static int shift_row(struct shift *s, enum tv_table_id id, uint32_t row, int64_t by, int64_t dest,
		     struct tv_error *err)
{
	struct tv_table *table = &s->trace->table[id];

	for (size_t i = 0; i < table->ncols; i++) {
		struct tv_column *column = table->col[i];
		int64_t own = id == TV_LINKS && is_of_dest(column->name) ? dest : by;

		if (tv_schema_instants(id, column->name, column->type)
		    && shift_cell(column, row, own, err) < 0)
			return -1;
	}
	return 0;
}

static int shift_table(struct shift *s, enum tv_table_id id, struct tv_error *err)
{
	const struct tv_table *table = &s->trace->table[id];
	const struct tv_column *resource = tv_table_find(table, "ResourceId");
	const struct tv_column *origin = tv_table_find(table, "Origin");
	const struct tv_column *to = tv_table_find(table, "Dest");
	const struct tv_column *node = tv_table_find(table, "Node");
	int rc = 0;

	for (uint32_t row = 0; rc == 0 && row < table->nrows; row++) {
		int64_t by, dest = 0;

		if (id == TV_LINKS) {
			by = offset_of(s, origin, row);
			dest = offset_of(s, to, row);
		} else if (node != NULL && tv_label(node, row) != TV_NONE) {
			by = offset_of_node(s, tv_label(node, row));
		} else {
			by = offset_of(s, resource, row);
		}
		if (by != 0 || dest != 0)
			rc = shift_row(s, id, row, by, dest, err);
	}
	return rc;
}

static int shift_tables(struct shift *s, struct tv_error *err)
{
	int rc = 0;

	for (int id = 0; rc == 0 && id < TV_NTABLES; id++)
		rc = shift_table(s, (enum tv_table_id)id, err);
	return rc;
}

/* ---- offsets that messages show ---- */

/* The least time that a message took from one node to another. */
struct passage {
	uint32_t from, to; /* places of nodes */
	int64_t least;
};

struct passages {
	struct passage *at;
	size_t n, cap;
	int64_t early; /* the most that a message ends before it starts */
};

static void find_passages(struct shift *s, struct passages *p)
{
	struct tv_map place = { 0 };
	struct tv_message_links l;

	*p = (struct passages){ 0 };
	for (uint32_t row = 0; tv_find_message_links(s->trace, &l) && row < l.table->nrows; row++) {
		uint32_t from, to, *at;
		int64_t took;

		/* When one that is flagged was received is not known. */
		if (!tv_is_message_link(&l, row) || tv_is_early_link(&l, row)
		    || __builtin_sub_overflow(l.end->i[row], l.start->i[row], &took))
			continue;
		from = tv_index_get(&s->place, tv_node_of(&s->nodes, tv_label(l.origin, row)));
		to = tv_index_get(&s->place, tv_node_of(&s->nodes, tv_label(l.dest, row)));
		if (from == to || from == TV_NONE || to == TV_NONE)
			continue;
		at = tv_map_at(&place, from, to);
		if (*at == TV_NONE) {
			*at = (uint32_t)p->n;
			TV_GROW(p->at, p->n, p->cap, 1);
			p->at[p->n++] = (struct passage){ from, to, took };
		}
		if (took < p->at[*at].least)
			p->at[*at].least = took;
		if (took < -p->early)
			p->early = -took;
	}
	tv_map_release(&place);
}

/* Whether there are delays of clocks, >= 0, with which no message is more than `allowed` early: the smallest ones. */
static bool delay_clocks(struct shift *s, const struct passages *p, int64_t allowed)
{
	enum { ROUNDS_MAX = 64 }; /* of a chain of nodes as long as that */
	uint32_t rounds = 0;
	bool raised = true;

	memset(s->ns, 0, s->n * sizeof *s->ns);
	while (raised && rounds++ <= s->n && rounds <= ROUNDS_MAX) {
		raised = false;
		for (size_t i = 0; i < p->n; i++) {
			const struct passage *passage = &p->at[i];
			tv_int128 least = (tv_int128)s->ns[passage->from] - passage->least
					- allowed;

			if (least <= s->ns[passage->to])
				continue;
			if (least > INT64_MAX / 4)
				return false;
			s->ns[passage->to] = (int64_t)least;
			raised = true;
		}
	}
	return !raised;
}

static void fit_clocks(struct shift *s)
{
	struct passages p;
	int64_t low = 0, high;

	find_passages(s, &p);
	if (p.n == 0)
		tv_diagnose(&s->trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "--clock-offset messages: the trace has no messages between nodes");
	for (high = p.early; low < high;) {
		int64_t middle = low + (high - low) / 2;

		if (delay_clocks(s, &p, low))
			high = low;
		else if (delay_clocks(s, &p, middle))
			high = middle;
		else
			low = middle + 1;
	}
	(void)!delay_clocks(s, &p, high);
	for (uint32_t i = 0; i < s->n; i++)
		if (s->ns[i] != 0)
			describe_offset(s, s->node[i], s->ns[i], " (by messages)");
	tv_free(p.at);
}

int tv_shift_clocks(struct tv_trace *trace, struct tv_error *err)
{
	struct shift s = { .trace = trace };
	int rc;

	if (trace->options.nclock_offsets == 0)
		return 0;
	tv_nodes_init(&s.nodes, trace);
	list_nodes(&s);
	rc = check_nodes(&s, err);
	for (uint32_t i = 0; i < s.n; i++)
		s.ns[i] = tv_clock_offset(trace, tv_pool_text(trace->pool, s.node[i]));
	if (rc == 0 && !trace->clocks_set)
		rc = shift_tables(&s, err);
	if (rc == 0 && tv_clocks_by_messages(trace)) {
		fit_clocks(&s);
		rc = shift_tables(&s, err);
	}
	tv_nodes_release(&s.nodes);
	tv_free(s.place.at);
	tv_free(s.node);
	tv_free(s.ns);
	return rc;
}
