/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comm_matrix.c -- the panel of messages from each node to each other one, as a map with numbers. */
#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/charts/value.h"
#include "views/scene/ramp.h"
#include "views/shared/panel.h"

static const double wide = 46, high = 15, pad = 2.5, gap = 1.5; /* points */
static const double cell_min = 1, compact = 260; /* compact: the side of a map without numbers */
static const double dark = 0.6;			 /* of the scale: from there on numbers are white */
static const char corner[] = "from \\ to";
static const char *const directions[] = { "sent to", "received from" }; /* of a single node */

enum value { BYTES, MESSAGES, WAIT };

static const char *const columns[] = { "Bytes", "Messages", "Wait" };

struct matrix {
	const struct tv_table *table; /* a row for each pair of nodes, by origin */
	uint32_t n;		      /* nodes */
	bool *chosen;		      /* by row: one of its nodes is selected */
	bool part;		      /* not all are */
	uint32_t lone;		      /* the one node selected: two lines; TV_NONE = a square */
	uint32_t lines;		      /* of cells */
	const struct tv_column *value;
	enum value of;
	int64_t max;
	double high;	  /* of the colors */
	const char *unit; /* of the numbers in cells */
	double one;	  /* of the unit */
	char title[200];
	struct tv_key key;
	double names;	/* width of the widest name and of the corner */
	double numbers; /* width of the widest number, small */
	double width;	/* of a cell */
	double height;
};

static uint32_t load_color(double share)
{
	return tv_ramp_color(TV_RAMP_LOAD, share);
}

static void name_text(const struct matrix *m, uint32_t node, char *out, size_t size)
{
	tv_clean_text(
		out, size,
		tv_pool_text(m->table->pool, tv_label(tv_table_find(m->table, "Dest"), node)));
}

/* A line of cells. */
static void line_text(const struct matrix *m, uint32_t line, char *out, size_t size)
{
	if (m->lone != TV_NONE)
		snprintf(out, size, "%s", directions[line]);
	else
		name_text(m, line, out, size);
}

/* In the unit of the panel. */
static void number_text(const struct matrix *m, int64_t value, char *out, size_t size)
{
	if (m->of == MESSAGES)
		snprintf(out, size, "%lld", (long long)value);
	else
		tv_number_text(out, size, (double)value / m->one);
}

/* With its unit. */
static void amount_text(const struct matrix *m, int64_t value, char *out, size_t size)
{
	if (m->of == BYTES)
		tv_bytes_text(out, size, (double)value);
	else if (m->of == WAIT)
		tv_time_text(out, size, value, NULL);
	else
		snprintf(out, size, "%lld", (long long)value);
}

static void set_unit(struct matrix *m)
{
	static const char *const bytes[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	size_t i = 0;

	m->one = 1;
	m->unit = NULL;
	if (m->of == WAIT) {
		m->unit = tv_unit_for(m->max)->name;
		m->one = (double)tv_unit_for(m->max)->ns;
	}
	if (m->of != BYTES)
		return;
	for (; (double)m->max / m->one >= 999.95 && i + 1 < TV_COUNT(bytes); i++)
		m->one *= 1000;
	m->unit = bytes[i];
}

/* Selected nodes: what they send and what they receive. */
static void choose(struct matrix *m, const struct tv_run *run)
{
	const struct tv_column *origin = tv_table_find(m->table, "Origin"),
			       *dest = tv_table_find(m->table, "Dest");

	m->chosen = tv_alloc(m->table->nrows, sizeof *m->chosen);
	m->lone = TV_NONE;
	for (uint32_t row = 0; row < m->table->nrows; row++) {
		m->chosen[row] = tv_run_has_node(run, tv_label(origin, row))
			      || tv_run_has_node(run, tv_label(dest, row));
		m->part = m->part || !m->chosen[row];
		if (m->chosen[row] && m->value->i[row] > m->max)
			m->max = m->value->i[row];
	}
	for (uint32_t n = 0; m->part && tv_run_part(run)->nnodes == 1 && n < m->n; n++)
		if (tv_label(dest, n) == tv_run_part(run)->node[0].label)
			m->lone = n;
	m->lines = m->lone != TV_NONE ? TV_COUNT(directions) : m->n;
}

static void set_words(struct matrix *m, const struct tv_printed *printed)
{
	static const char *const what[] = { "bytes of messages", "number of messages",
					    "idle time caused by messages" };
	static const char *const name_of[] = { "Bytes", "Messages", "Wait" };
	static const char *const of_node[] = { " of messages, ", " messages, ",
					       " of idle time, caused by messages " };
	const struct tv_column *early = tv_table_find(m->table, "Early");
	double sum = 0;
	int64_t backwards = 0;
	char amount[64], name[64], between[100] = "from node to node";
	const char *text;
	size_t at;

	for (uint32_t row = 0; row < m->table->nrows; row++)
		if (m->chosen[row]) {
			sum += (double)m->value->i[row];
			backwards += early->i[row];
		}
	if (m->part)
		snprintf(between, sizeof between, "from or to selected nodes");
	amount_text(m, (int64_t)fmin(sum, 0x1p62), amount, sizeof amount);
	text = tv_print_number(printed, name_of[m->of], NULL,
			       strchr(amount, ' ') == NULL ? "messages" : NULL, "%s", amount);
	/* That of a node is for narrow facets: the number comes first. */
	if (m->lone != TV_NONE)
		name_text(m, m->lone, name, sizeof name);
	at = m->lone != TV_NONE
		   ? (size_t)snprintf(m->title, sizeof m->title, "%s%sfrom and to node %s", text,
				      of_node[m->of], name)
		   : (size_t)snprintf(m->title, sizeof m->title, "%s %s: %s", what[m->of], between,
				      text);
	if (backwards > 0)
		snprintf(m->title + at, sizeof m->title - at, "; %s received before they were sent",
			 tv_print_number(printed, "Early", NULL, "messages", "%lld",
					 (long long)backwards));
}

/* The color of the largest value, of all facets if there are several. */
static void set_scale(struct matrix *m, double max)
{
	char amount[64];

	m->high = max;
	amount_text(m, (int64_t)max, amount, sizeof amount);
	m->key = (struct tv_key){ .kind = TV_KEY_SCALE, .shade = load_color };
	snprintf(m->key.text, sizeof m->key.text, "0 to %s", amount);
}

static void set_widths(struct matrix *m, const struct tv_figure *figure)
{
	struct tv_text *measure = figure->scene->text;
	char text[64];

	m->names = m->lone == TV_NONE ? tv_text_width(measure, corner, TV_TEXT_SMALL, false) : 0;
	for (uint32_t n = 0; n < m->lines; n++) {
		line_text(m, n, text, sizeof text);
		m->names = fmax(m->names, tv_text_width(measure, text, TV_TEXT_SMALL, false));
	}
	for (uint32_t row = 0; row < m->table->nrows; row++) {
		number_text(m, m->value->i[row], text, sizeof text);
		m->numbers = fmax(m->numbers, tv_text_width(measure, text, TV_TEXT_SMALL, false));
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct matrix *m = slot->state = tv_alloc(1, sizeof *m);
	int rc = tv_panel_pass(figure, slot->panel, "comm-matrix",
			       (const char *const[]){ "all-pairs", "", NULL }, &m->table, err);

	if (rc != 0)
		return rc;
	m->of = (enum value)tv_panel_choice(figure, slot->panel, "value");
	m->value = tv_table_find(m->table, columns[m->of]);
	m->n = (uint32_t)lround(sqrt((double)m->table->nrows));
	if (m->of == WAIT && tv_missing(m->value, 0))
		return tv_panel_nothing(
			figure, slot->panel,
			"waits are unknown: messages are no nodes of the task graph "
			"(--comm-matrix.value bytes needs none)");
	choose(m, figure->run);
	if (m->max == 0)
		return tv_panel_nothing(figure, slot->panel,
					m->of == WAIT ? "messages caused no idle time"
						      : "no message in the window has bytes "
							"(--comm-matrix.value messages "
							"needs none)");
	set_unit(m);
	set_words(m, &slot->printed);
	set_scale(m, (double)m->max);
	set_widths(m, figure);
	return 0;
}

static double header(void)
{
	return TV_TEXT_SMALL * TV_TEXT_HEIGHT + 2 * gap;
}

/* Whether all of them have room in the cells. */
static bool has_numbers(const struct matrix *m)
{
	return m->numbers + 2 * gap <= m->width && TV_TEXT_SMALL * TV_TEXT_HEIGHT <= m->height;
}

/* Cells for a width; higher than wide they are only where they are lower than text. */
static void set_cells(struct matrix *m, double width)
{
	m->width = fmax(cell_min, fmin(wide, (width - m->names - pad) / m->n));
	m->height = m->lone != TV_NONE ? high : fmin(m->width, high);
	if (m->lone == TV_NONE && !has_numbers(m))
		m->width = m->height = fmin(m->width, fmax(cell_min, compact / m->n));
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct matrix *m = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	slot->high = (double)m->max;
	if (slot->common > m->high)
		set_scale(m, slot->common);
	set_cells(m, width);
	slot->request.height = tv_strip_height(figure, m->title, &m->key, 1, width) + header()
			     + m->lines * m->height + figure->scene->cell;
	slot->request.min = slot->request.height;
}

static uint32_t describe(struct tv_scene *scene, const struct matrix *m, uint32_t row)
{
	char text[280], from[64], to[64], amount[64];

	if (!scene->labels)
		return 0;
	name_text(m, row / m->n, from, sizeof from);
	name_text(m, row % m->n, to, sizeof to);
	amount_text(m, m->value->i[row], amount, sizeof amount);
	snprintf(text, sizeof text, "%s to %s: %s%s, %lld messages", from, to, amount,
		 m->of == WAIT ? " of idle time" : "",
		 (long long)tv_table_find(m->table, "Messages")->i[row]);
	return tv_scene_string(scene, text);
}

/* A cell, and its number where all of them have room. x, y: top left. */
static void draw_cell(struct tv_figure *figure, const struct matrix *m, uint32_t row, double x,
		      double y)
{
	double share = (double)m->value->i[row] / m->high;
	struct tv_scene *scene = figure->scene;
	char text[64];

	tv_scene_pen(scene, "pair", "matrix");
	scene->pen.fill = load_color(share);
	scene->pen.row = row;
	scene->pen.apart = true;
	scene->pen.label = describe(scene, m, row);
	tv_scene_rect(scene, TV_PAGE, x, y, x + m->width, y + m->height);
	if (!has_numbers(m))
		return;
	tv_scene_pen(scene, "number", "matrix");
	scene->pen.fill = share >= dark ? TV_WHITE : TV_INK;
	number_text(m, m->value->i[row], text, sizeof text);
	tv_scene_text(scene, x + m->width / 2, y + m->height / 2, TV_CENTER, TV_TEXT_SMALL, false,
		      text);
}

/* The cells of pairs with messages. x, y: top left. */
static void draw_cells(struct tv_figure *figure, const struct matrix *m, double x, double y)
{
	const struct tv_column *messages = tv_table_find(m->table, "Messages");

	for (uint32_t row = 0; row < m->table->nrows; row++) {
		uint32_t from = row / m->n, to = row % m->n;

		if (!m->chosen[row] || (messages->i[row] == 0 && m->value->i[row] == 0))
			continue;
		if (m->lone == TV_NONE)
			draw_cell(figure, m, row, x + to * m->width, y + from * m->height);
		else if (from == m->lone)
			draw_cell(figure, m, row, x + to * m->width, y);
		if (m->lone != TV_NONE && to == m->lone)
			draw_cell(figure, m, row, x + from * m->width, y + m->height);
	}
}

/* Lines between cells where these are large. */
static void draw_lines(struct tv_scene *scene, const struct matrix *m, double x, double y)
{
	static const double apart = 5;

	tv_scene_pen(scene, "grid", "grid");
	scene->pen.stroke = TV_GRID;
	for (uint32_t n = 1; n < m->lines && fmin(m->width, m->height) >= apart; n++)
		tv_scene_line(scene, TV_PAGE, x, y + n * m->height, x + m->n * m->width,
			      y + n * m->height);
	for (uint32_t n = 1; n < m->n && fmin(m->width, m->height) >= apart; n++)
		tv_scene_line(scene, TV_PAGE, x + n * m->width, y, x + n * m->width,
			      y + m->lines * m->height);
}

/* How many cells lie between two names: 1, 2, 5, 10, ... */
static uint32_t name_step(double room, double cell)
{
	uint32_t step = 1;

	for (uint32_t i = 0; step * cell < room; i++)
		step = step / (i % 3 == 1 ? 2 : 1) * (i % 3 == 1 ? 5 : 2);
	return step;
}

static void draw_names(struct tv_figure *figure, const struct matrix *m, double x, double y)
{
	struct tv_scene *scene = figure->scene;
	double middle = y - header() / 2, line = TV_TEXT_SMALL * TV_TEXT_HEIGHT, widest = 0;
	uint32_t across, down = name_step(line, m->height);
	char text[64];

	tv_scene_pen(scene, "corner", "names");
	scene->pen.fill = TV_DIM;
	tv_scene_text(scene, x - pad, middle, TV_RIGHT, TV_TEXT_SMALL, false,
		      m->lone == TV_NONE ? corner : "node");
	for (uint32_t n = 0; n < m->n; n++) {
		name_text(m, n, text, sizeof text);
		widest = fmax(widest, tv_text_width(scene->text, text, TV_TEXT_SMALL, false));
	}
	across = name_step(widest + 2 * gap, m->width);
	for (uint32_t n = 0; n < m->n; n++) {
		name_text(m, n, text, sizeof text);
		tv_scene_pen(scene, "name", "names");
		scene->pen.fill = TV_INK;
		if (n % across == 0)
			tv_scene_text(scene, x + (n + 0.5) * m->width, middle, TV_CENTER,
				      TV_TEXT_SMALL, false, text);
	}
	for (uint32_t n = 0; n < m->lines; n += down) {
		line_text(m, n, text, sizeof text);
		tv_scene_text(scene, x - pad, y + (n + 0.5) * m->height, TV_RIGHT, TV_TEXT_SMALL,
			      false, text);
	}
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct matrix *m = slot->state;
	const struct tv_place *place = &slot->place;
	double strip = tv_strip_height(figure, m->title, &m->key, 1, place->width);
	double x = place->x + m->names + pad, y = place->y + strip + header();
	struct tv_place cells;

	set_cells(m, place->width);
	m->height = fmax(0, fmin(m->height, (place->y + place->height - y) / m->lines));
	tv_strip_draw(figure, m->title, &m->key, 1, place->x, place->y + strip, place->width);
	if (m->height <= 0)
		return;
	cells = (struct tv_place){ x, y, m->n * m->width, m->lines * m->height, 0, 0 };
	draw_cells(figure, m, x, y);
	draw_lines(figure->scene, m, x, y);
	tv_border_draw(figure->scene, &cells);
	draw_names(figure, m, x, y);
}

static void release(struct tv_slot *slot)
{
	struct matrix *m = slot->state;

	tv_free(m->chosen);
	tv_free(m);
}

static const struct tv_option_spec options[] = {
	{ "value", "bytes|messages|wait", "bytes",
	  "what is shown; wait: idle time of workers that the messages caused", TV_OPTION_CHOICE },
};

const struct tv_panel tv_panel_comm_matrix = {
	.name = "comm-matrix",
	.title = "messages from each node to each other node, as a map with numbers",
	.needs = "messages: links of the Type 'MPI communication'",
	.kind = TV_FREE,
	.share = 2,
	TV_OPTIONS(options),
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
