/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm_matrix.c -- the panel of messages from each node to each other one, as a map with numbers. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/heat_map.h"
#include "views/scene/ramp.h"
#include "views/shared/hover.h"

static const double high = 15, side = 260;				/* points */
static const char *const directions[] = { "sent to", "received from" }; /* of a single node */

/* What the panel shows, by its option. */
static const struct value {
	const char *column, *title, *of_node, *hover, *nothing;
} values[] = {
	{ "Bytes", "bytes of messages", " of messages, ",
	  "{Origin} to {Dest}: {Bytes:bytes}, {Messages} messages",
	  "no message in the window has bytes (--comm-matrix.value messages needs none)" },
	{ "Messages", "number of messages", " messages, ",
	  "{Origin} to {Dest}: {Messages}, {Messages} messages",
	  "no message in the window has bytes (--comm-matrix.value messages needs none)" },
	{ "Wait", "idle time caused by messages", " of idle time, caused by messages ",
	  "{Origin} to {Dest}: {Wait:time} of idle time, {Messages} messages",
	  "messages caused no idle time" },
};
enum { BYTES, MESSAGES, WAIT };

struct matrix {
	struct tv_heat heat;
	const struct tv_table *table; /* a row for each pair of nodes, by origin */
	bool part;		      /* not all nodes are selected */
	const char *
		lone; /* the one node that is: two lines, of what it sends and receives; NULL = a square */
	const struct tv_column *value;
	unsigned of;	 /* BYTES, ... */
	double sum, one; /* one: of the unit of numbers in cells */
	int64_t early;
	struct tv_hover hover;
};

static uint32_t color_of(const struct tv_heat *heat, uint32_t row)
{
	return tv_load_color((double)((const struct matrix *)heat)->value->i[row] / heat->largest);
}

/* In the unit of the panel. */
static void write_number(const struct tv_heat *heat, uint32_t row, char *out, size_t size)
{
	const struct matrix *m = (const struct matrix *)heat;

	if (m->of == MESSAGES)
		snprintf(out, size, "%lld", (long long)m->value->i[row]);
	else
		tv_number_text(out, size, (double)m->value->i[row] / m->one);
}

static uint32_t describe(const struct tv_heat *heat, struct tv_scene *scene, uint32_t facet,
			 uint32_t x, uint32_t y)
{
	return tv_hover_label(scene, &((const struct matrix *)heat)->hover,
			      heat->row[tv_heat_at(heat, facet, x, y)], 0, 0);
}

/* With its unit. */
static void amount_text(const struct matrix *m, double value, char *out, size_t size)
{
	if (m->of == BYTES)
		tv_bytes_text(out, size, value);
	else if (m->of == WAIT)
		tv_time_text(out, size, (int64_t)fmin(value, 0x1p62), NULL);
	else
		snprintf(out, size, "%.0f", value);
}

/* The color of the largest value, of all facets if there are several. */
static void set_scale(struct tv_heat *heat, double largest)
{
	char amount[64];

	heat->largest = largest;
	amount_text((const struct matrix *)heat, largest, amount, sizeof amount);
	heat->key[0] = (struct tv_key){ .kind = TV_KEY_SCALE, .shade = tv_load_color };
	snprintf(heat->key[0].text, sizeof heat->key[0].text, "0 to %s", amount);
}

static void set_unit(struct matrix *m)
{
	m->one = m->of == WAIT ? (double)tv_unit_for((int64_t)m->heat.largest)->ns : 1;
	while (m->of == BYTES && m->heat.largest / m->one >= 999.95 && m->one < 1e18)
		m->one *= 1000;
}

/* The lines of a single node. */
static void set_directions(struct tv_categories *lines)
{
	tv_categories_release(lines);
	*lines = (struct tv_categories){ .n = TV_COUNT(directions), .lack = TV_NONE };
	lines->name = tv_alloc(lines->n, sizeof *lines->name);
	for (uint32_t d = 0; d < lines->n; d++)
		lines->name[d] = tv_strdup(directions[d]);
}

/* A pair of nodes of which one is selected, if it has messages. from, to: places in heat.x. */
static void add_pair(struct matrix *m, uint32_t row, uint32_t from, uint32_t to)
{
	struct tv_heat *heat = &m->heat;
	bool sends = m->lone == NULL || strcmp(heat->x.name[from], m->lone) == 0,
	     receives = m->lone != NULL && strcmp(heat->x.name[to], m->lone) == 0;

	m->sum += (double)m->value->i[row];
	m->early += tv_table_find(m->table, "Early")->i[row];
	heat->largest = fmax(heat->largest, (double)m->value->i[row]);
	if (m->value->i[row] == 0 && tv_table_find(m->table, "Messages")->i[row] == 0)
		return;
	if (sends)
		heat->row[tv_heat_at(heat, 0, to, m->lone == NULL ? from : 0)] = row;
	if (receives)
		heat->row[tv_heat_at(heat, 0, from, 1)] = row;
}

static void read_pairs(struct matrix *m, const struct tv_run *run)
{
	const struct tv_column *origin = tv_table_find(m->table, "Origin"),
			       *dest = tv_table_find(m->table, "Dest");
	struct tv_heat *heat = &m->heat;
	struct tv_categories from;
	bool *chosen = tv_alloc(m->table->nrows, sizeof *chosen);

	for (uint32_t row = 0; row < m->table->nrows; row++) {
		chosen[row] = tv_run_has_node(run, tv_label(origin, row))
			   || tv_run_has_node(run, tv_label(dest, row));
		m->part = m->part || !chosen[row];
	}
	tv_categories_init(&heat->x, m->table, &dest, 1, NULL);
	tv_categories_init(&heat->y, m->table, &origin, 1, NULL);
	tv_categories_init(&heat->facet, m->table, NULL, 0, NULL);
	tv_categories_init(&from, m->table, &origin, 1, NULL);
	if (m->part && tv_run_part(run)->nnodes == 1) {
		m->lone = tv_pool_text(m->table->pool, tv_run_part(run)->node[0].label);
		set_directions(&heat->y);
	}
	tv_heat_cells(heat);
	heat->tile[heat->ntiles++] = 0;
	for (uint32_t row = 0; row < m->table->nrows; row++)
		if (chosen[row])
			add_pair(m, row, from.of[row], heat->x.of[row]);
	tv_categories_release(&from);
	tv_free(chosen);
}

static void set_title(struct matrix *m, const struct tv_printed *printed)
{
	const struct value *value = &values[m->of];
	char amount[64], *title;
	const char *text;

	amount_text(m, m->sum, amount, sizeof amount);
	text = tv_print_number(printed, value->column, NULL,
			       strchr(amount, ' ') == NULL ? "messages" : NULL, "%s", amount);
	/* That of a node is for narrow facets: the number comes first. */
	title = m->lone != NULL
		      ? tv_clean_format("%s%sfrom and to node %s", text, value->of_node, m->lone)
		      : tv_format("%s from %s: %s", value->title,
				  m->part ? "or to selected nodes" : "node to node", text);
	if (m->early > 0)
		tv_append(&title, "; %s received before they were sent",
			  tv_print_number(printed, "Early", NULL, "messages", "%lld",
					  (long long)m->early));
	snprintf(m->heat.title, sizeof m->heat.title, "%s", title);
	tv_free(title);
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct matrix *m = slot->state;
	int rc = tv_panel_pass(figure, slot->panel, "comm-matrix",
			       (const char *const[]){ "all-pairs", "", NULL }, &m->table, err);

	if (rc != 0)
		return rc;
	m->value = tv_table_find(m->table, values[m->of].column);
	if (m->of == WAIT && tv_missing(m->value, 0))
		return tv_panel_nothing(
			figure, slot->panel,
			"waits are unknown: messages are no nodes of the task graph "
			"(--comm-matrix.value bytes needs none)");
	m->heat = (struct tv_heat){ .class = "pair",
				    .group = "matrix",
				    .high = high,
				    .side = side,
				    .nkeys = 1,
				    .empty = true,
				    .lines = true,
				    .color = color_of,
				    .number = write_number,
				    .label = describe,
				    .widen = set_scale };
	read_pairs(m, figure->run);
	if (m->heat.largest == 0)
		return tv_panel_nothing(figure, slot->panel, values[m->of].nothing);
	tv_hover_init(&m->hover, m->table, values[m->of].hover);
	snprintf(m->heat.y_title, sizeof m->heat.y_title, "%s",
		 m->lone != NULL ? "node" : "from \\ to");
	set_unit(m);
	set_title(m, &slot->printed);
	set_scale(&m->heat, m->heat.largest);
	tv_heat_words(&m->heat, figure->scene->text);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "value", "bytes|messages|wait", "bytes",
	  "what is shown; wait: idle time of workers that the messages caused", TV_OPTION_CHOICE,
	  TV_INTO(struct matrix, of) },
};

const struct tv_panel tv_panel_comm_matrix = {
	.name = "comm-matrix",
	.title = "messages from each node to each other node, as a map with numbers",
	.needs = "messages: links of the Type 'MPI communication'",
	.share = 2,
	TV_PANEL_OPTIONS(options, struct matrix),
	.prepare = prepare,
	TV_HEAT_PANEL,
};
