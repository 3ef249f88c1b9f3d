/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clocks.c -- the clocks of nodes: shifting them, and messages that show that they differ. */
#include "trace/clocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/damage.h"
#include "trace/kernels.h"
#include "trace/nodes.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define REPAIRED "message received before it was sent"

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

static bool is_by_messages(const struct tv_trace *trace)
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

/* ---- messages ---- */

struct links {
	struct tv_table *table;
	const struct tv_column *type, *key, *origin, *dest;
	struct tv_column *start, *end, *flag; /* flag: NULL if there is none */
	uint32_t message, early;	      /* labels; TV_NONE */
};

/* False if there are no messages. */
static bool find_links(const struct tv_trace *trace, struct links *l)
{
	struct tv_table *links = (struct tv_table *)&trace->table[TV_LINKS];

	*l = (struct links){ .table = links,
			     .type = tv_table_find(links, "Type"),
			     .key = tv_table_find(links, "Key"),
			     .origin = tv_table_find(links, "Origin"),
			     .dest = tv_table_find(links, "Dest"),
			     .start = tv_table_find(links, "Start"),
			     .end = tv_table_find(links, "End"),
			     .flag = tv_table_find(links, "Flag"),
			     .message = tv_pool_find_text(trace->pool, TV_MESSAGE_TYPE),
			     .early = tv_pool_find_text(trace->pool, TV_EARLY) };
	return l->message != TV_NONE && l->type != NULL && l->origin != NULL && l->dest != NULL
	    && l->start != NULL && l->end != NULL;
}

static bool is_message(const struct links *l, uint32_t row)
{
	return tv_label(l->type, row) == l->message && !tv_missing(l->start, row)
	    && !tv_missing(l->end, row) && tv_label(l->origin, row) != TV_NONE
	    && tv_label(l->dest, row) != TV_NONE;
}

static bool is_early(const struct links *l, uint32_t row)
{
	return l->flag != NULL && l->early != TV_NONE && tv_label(l->flag, row) == l->early;
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
	struct links l;

	*p = (struct passages){ 0 };
	for (uint32_t row = 0; find_links(s->trace, &l) && row < l.table->nrows; row++) {
		uint32_t from, to, *at;
		int64_t took;

		/* When one that is flagged was received is not known. */
		if (!is_message(&l, row) || is_early(&l, row)
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
	if (rc == 0 && is_by_messages(trace)) {
		fit_clocks(&s);
		rc = shift_tables(&s, err);
	}
	tv_nodes_release(&s.nodes);
	tv_free(s.place.at);
	tv_free(s.node);
	tv_free(s.ns);
	return rc;
}

/* ---- messages that were received before they were sent ---- */

struct pair {
	uint32_t origin, dest; /* labels of nodes */
	uint32_t n;
};

struct pairs {
	struct pair *at;
	size_t n, cap;
	uint32_t messages, early; /* in all */
};

static int by_number(const void *a, const void *b, void *data)
{
	const struct pair *x = a, *y = b;
	const struct tv_pool *pool = data;
	int order = TV_COMPARE(y->n, x->n);

	if (order == 0)
		order = tv_natural_order(tv_pool_text(pool, x->origin),
					 tv_pool_text(pool, y->origin));
	return order != 0
		     ? order
		     : tv_natural_order(tv_pool_text(pool, x->dest), tv_pool_text(pool, y->dest));
}

/* Counts the flagged messages by pair of nodes. */
static void count_pairs(const struct tv_trace *trace, struct pairs *pairs)
{
	struct tv_map place = { 0 };
	struct tv_nodes nodes;
	struct links l;

	*pairs = (struct pairs){ 0 };
	if (!find_links(trace, &l))
		return;
	tv_nodes_init(&nodes, trace);
	for (uint32_t row = 0; row < l.table->nrows; row++) {
		uint32_t origin, dest, *at;

		if (!is_message(&l, row))
			continue;
		pairs->messages++;
		if (!is_early(&l, row))
			continue;
		pairs->early++;
		origin = tv_node_of(&nodes, tv_label(l.origin, row));
		dest = tv_node_of(&nodes, tv_label(l.dest, row));
		at = tv_map_at(&place, origin, dest);
		if (*at == TV_NONE) {
			*at = (uint32_t)pairs->n;
			TV_GROW(pairs->at, pairs->n, pairs->cap, 1);
			pairs->at[pairs->n++] = (struct pair){ origin, dest, 0 };
		}
		pairs->at[*at].n++;
	}
	tv_map_release(&place);
	tv_nodes_release(&nodes);
	if (pairs->n > 1)
		qsort_r(pairs->at, pairs->n, sizeof *pairs->at, by_number, trace->pool);
}

/* As many pairs as fit. */
static void list_pairs(const struct tv_trace *trace, const struct pairs *pairs, char *out,
		       size_t size)
{
	size_t used = 0, i = 0;

	out[0] = '\0';
	for (; i < pairs->n && used + 70 < size; i++)
		used += (size_t)snprintf(
			out + used, size - used, "%s%.20s->%.20s %u", i > 0 ? ", " : "",
			tv_pool_text(trace->pool, pairs->at[i].origin),
			tv_pool_text(trace->pool, pairs->at[i].dest), pairs->at[i].n);
	if (i < pairs->n)
		snprintf(out + used, size - used, ", ...");
}

uint32_t tv_early_messages(const struct tv_trace *trace, char *text, size_t size)
{
	struct pairs pairs;

	count_pairs(trace, &pairs);
	list_pairs(trace, &pairs, text, size);
	tv_free(pairs.at);
	return pairs.early;
}

static void add_residual(struct tv_trace *trace, int64_t most)
{
	char text[TV_NUMBER_MAX];

	tv_write_ms(text, most);
	tv_meta_add(trace, "ClockResidual",
		    "%s ms: the most by which a message ends before it starts", text);
}

/* Ends messages that end before they start where they start. Returns their number. */
static uint32_t repair_messages(struct tv_trace *trace)
{
	int64_t most = 0;
	struct links l;
	uint32_t n = 0;

	if (!find_links(trace, &l))
		return 0;
	for (uint32_t row = 0; row < l.table->nrows; row++) {
		char early[TV_NUMBER_MAX];

		if (!is_message(&l, row))
			continue;
		/* When a message of our own CSV was received is not known, if it is flagged. */
		if (is_early(&l, row))
			l.end->i[row] = l.start->i[row];
		if (l.end->i[row] >= l.start->i[row])
			continue;
		n++;
		if (l.start->i[row] - l.end->i[row] > most)
			most = l.start->i[row] - l.end->i[row];
		tv_write_ms(early, l.start->i[row] - l.end->i[row]);
		l.end->i[row] = l.start->i[row];
		if (l.flag == NULL)
			l.flag = tv_trace_column(trace, TV_LINKS, "Flag");
		tv_set_text(l.flag, row, TV_EARLY);
		if (trace->options.verbose)
			tv_diagnose(&trace->diagnostics, TV_REPAIR, (struct tv_pos){ 0 },
				    REPAIRED ": %s from %s to %s, %s ms early: it ends where it "
					     "starts",
				    l.key == NULL ? ""
						  : tv_pool_text(trace->pool, tv_label(l.key, row)),
				    tv_pool_text(trace->pool, tv_label(l.origin, row)),
				    tv_pool_text(trace->pool, tv_label(l.dest, row)), early);
	}
	tv_table_finish(l.table);
	if (n > 0)
		add_residual(trace, most);
	return n;
}

/* Rows of tasks that are messages, likewise. Returns their number. */
static uint32_t repair_rows(struct tv_trace *trace)
{
	struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *kind = tv_table_find(tasks, "Kind");
	struct tv_column *start = tv_table_find(tasks, "Start");
	struct tv_column *end = tv_table_find(tasks, "End");
	struct tv_column *duration = tv_table_find(tasks, "Duration");
	uint32_t message = tv_pool_find_text(trace->pool, tv_kind_name(TV_MESSAGE)), n = 0;

	if (message == TV_NONE || kind == NULL || start == NULL || end == NULL || tasks->nrows == 0
	    || (tv_label(kind, 0) != message && tv_is_one_label(kind, tasks->nrows)))
		return 0;
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		if (tv_label(kind, row) != message || tv_missing(start, row) || tv_missing(end, row)
		    || end->i[row] >= start->i[row])
			continue;
		end->i[row] = start->i[row];
		if (duration != NULL && !tv_missing(duration, row))
			duration->i[row] = 0;
		n++;
	}
	return n;
}

/* The rows of tasks that are messages get the times of their links. */
static void set_messages(struct tv_trace *trace)
{
	struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *job = tv_table_find(tasks, "JobId");
	const struct tv_column *kind = tv_table_find(tasks, "Kind");
	struct tv_column *start = tv_table_find(tasks, "Start");
	struct tv_column *end = tv_table_find(tasks, "End");
	struct tv_column *duration = tv_table_find(tasks, "Duration");
	uint32_t message = tv_pool_find_text(trace->pool, tv_kind_name(TV_MESSAGE)), lost = 0;
	struct tv_index link = { 0 };
	struct links l;
	bool any = find_links(trace, &l);

	for (uint32_t row = 0; any && l.key != NULL && row < l.table->nrows; row++)
		if (is_message(&l, row) && !tv_missing(l.key, row))
			tv_index_set(&link, tv_label(l.key, row), row);
	for (uint32_t row = 0; job != NULL && kind != NULL && row < tasks->nrows; row++) {
		uint32_t from;

		if (tv_label(kind, row) != message || message == TV_NONE)
			continue;
		from = tv_missing(job, row) ? TV_NONE : tv_index_get(&link, tv_label(job, row));
		lost += from == TV_NONE;
		if (from == TV_NONE)
			continue;
		tv_set_int(start, row, l.start->i[from]);
		tv_set_int(end, row, l.end->i[from]);
		if (duration != NULL && !tv_missing(duration, row))
			tv_set_int(duration, row, l.end->i[from] - l.start->i[from]);
	}
	if (lost > 0)
		tv_diagnose(&trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "--clock-offset: the links of %u messages are missing (see --with): "
			    "their times are not changed",
			    lost);
	tv_free(link.at);
}

double tv_message_rounding(const struct tv_trace *trace, int64_t *began)
{
	size_t n;
	const char *origin = tv_meta_get(trace, "ClockOrigin", &n);

	*began = 0;
	if (origin != NULL && tv_parse_scaled(origin, n, 6, began) == TV_PARSE_OK)
		*began = -*began;
	return tv_meta_get(trace, TV_MESSAGE_TIMES, &n) != NULL ? 0x1p-24 : 0;
}

void tv_check_clocks(struct tv_trace *trace)
{
	uint32_t repaired = repair_messages(trace);
	uint32_t rows;
	struct pairs pairs;
	char text[300];

	if (trace->options.nclock_offsets > 0 && (!trace->clocks_set || is_by_messages(trace)))
		set_messages(trace);
	rows = repair_rows(trace);
	count_pairs(trace, &pairs);
	list_pairs(trace, &pairs, text, sizeof text);
	if (pairs.early > 0)
		tv_diagnose(&trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "%u of %u messages were received before they were sent (the clocks of "
			    "the nodes differ): %s",
			    pairs.early, pairs.messages, text);
	/* Those of links are the same messages. */
	(pairs.early > 0 ? tv_damage_count : tv_damage_unsaid)(
		trace, TV_REPAIRED, REPAIRED, pairs.messages > 0 ? repaired : rows);
	for (size_t i = 0; repaired > 0 && !trace->native && i < pairs.n; i++)
		tv_meta_add(trace, "EarlyMessages", "%s->%s: %u",
			    tv_pool_text(trace->pool, pairs.at[i].origin),
			    tv_pool_text(trace->pool, pairs.at[i].dest), pairs.at[i].n);
	tv_free(pairs.at);
}
