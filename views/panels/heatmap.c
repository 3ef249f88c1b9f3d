/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heatmap.c -- panels of any table as a map: a cell for each pair of categories, its color and number
 * a value; a map for each group of rows. `error-table`, `overhead-map`, `comm-map` and `slowdown-map`
 * are this panel with the columns of the tables of precision and of a benchmark of overlap.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "views/charts/cells.h"
#include "views/charts/value.h"
#include "views/scene/ramp.h"
#include "views/shared/panel.h"

enum { SIDE_MAX = 2000, STOPS_MAX = 16, TILES_MAX = 64 };

static const double wide = 46, high = 13, pad = 2.5, gap = 1.5, square = 230; /* points */
static const double between = 16;
static const uint32_t negative = 0xb2532c, positive = 0x2b6ca8, missing = 0xbdbdbd;

/* A named panel: columns if no option names others; what the sums of a line are called. */
struct map_spec {
	const char *title, *x, *y, *value, *lack;
	const char *facet; /* columns, of which those with several values make maps */
	bool up;	   /* the first line is the lowest */
	/* By palette, as option colors; NULL: by the signs of the values. Those of hmon are the default. */
	const char *colors[TV_PALETTE_HMON];
};

struct stop {
	double at;
	uint32_t color;
};

struct map {
	const struct map_spec *spec;
	const struct tv_table *table;
	const struct tv_column *value;
	struct tv_categories x, y, facet;
	uint32_t *row;	/* of the table, of cell (facet * y.n + y) * x.n + x; TV_NONE: none */
	uint32_t *tile; /* facets that have a cell */
	uint32_t ntiles, ncolumns;
	double low, high;
	struct stop stop[STOPS_MAX]; /* ascending; n 0: by the signs of the values */
	size_t nstops;
	struct tv_cells_title x_title, y_title;
	char title[200];
	double names, numbers; /* widths of the widest name at the left, of the widest number */
	double width, height;  /* of a cell */
	struct tv_key key[STOPS_MAX];
};

/* ---- colors ---- */

static uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t color = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double x = a >> shift & 0xff, y = b >> shift & 0xff;

		color |= (uint32_t)(x + (y - x) * share + 0.5) << shift;
	}
	return color;
}

/* Between stops in sRGB; beyond them the color of the nearest one. */
static uint32_t color_of_stops(const struct map *m, double value)
{
	size_t i = 0;

	while (i < m->nstops && m->stop[i].at < value)
		i++;
	if (i == 0 || i == m->nstops)
		return m->stop[i == 0 ? 0 : i - 1].color;
	return mix(m->stop[i - 1].color, m->stop[i].color,
		   (value - m->stop[i - 1].at) / (m->stop[i].at - m->stop[i - 1].at));
}

static uint32_t color_of(const struct map *m, double value)
{
	double max = fmax(fabs(m->low), fabs(m->high));

	if (m->nstops > 0)
		return color_of_stops(m, value);
	if (m->low < 0)
		return mix(TV_WHITE, value < 0 ? negative : positive,
			   max > 0 ? fmin(fabs(value) / max, 1) : 0);
	return tv_ramp_color(TV_RAMP_LOAD, m->high > 0 ? value / m->high : 0);
}

/* Whether text on a color is white. */
static bool is_dark(uint32_t color)
{
	return 0.299 * (color >> 16) + 0.587 * (color >> 8 & 0xff) + 0.114 * (color & 0xff) < 140;
}

/* VALUE=RRGGBB,... in ascending order. */
static int read_stops(struct map *m, const struct tv_panel *panel, const char *text,
		      struct tv_error *err)
{
	for (const char *at = text; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, ","), value = strcspn(at, "=");
		struct stop *stop = &m->stop[m->nstops];
		char *end = NULL;

		if (m->nstops == STOPS_MAX)
			return tv_fail_usage(err, "--%s.colors: more than %d colors", panel->name,
					     STOPS_MAX);
		if (value + 7 == n)
			stop->color = (uint32_t)strtoul(at + value + 1, &end, 16);
		if (value + 7 != n || end != at + n
		    || strspn(at + value + 1, "0123456789abcdefABCDEF") < 6
		    || tv_parse_double(at, value, &stop->at) != TV_PARSE_OK
		    || (m->nstops > 0 && !(stop->at > stop[-1].at)))
			return tv_fail_usage(err,
					     "--%s.colors '%s', expected VALUE=RRGGBB with commas "
					     "between, values ascending, such as "
					     "0=ffffff,1=0c3a6b",
					     panel->name, text);
		m->nstops++;
		at += n + (at[n] == ',');
	}
	return 0;
}

/* ---- what is drawn ---- */

/* A column with one value would only repeat it in the name of each map. */
static void choose_facets(struct map *m, const struct tv_column **column, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		tv_categories_init(&m->facet, m->table, &column[i], 1, NULL);
		if (m->facet.n > 1)
			column[kept++] = column[i];
		tv_categories_release(&m->facet);
	}
	tv_categories_init(&m->facet, m->table, column, kept, NULL);
}

static int choose_columns(const struct tv_figure *figure, const struct tv_panel *panel,
			  struct map *m, struct tv_error *err)
{
	const struct tv_column *x[TV_CELLS_COLUMNS], *y[TV_CELLS_COLUMNS], *facet[TV_CELLS_COLUMNS];
	size_t nx, ny, nfacets;

	if (tv_cells_columns(figure, panel, m->table, "x", m->spec->x, x, &nx, err) < 0
	    || tv_cells_columns(figure, panel, m->table, "y", m->spec->y, y, &ny, err) < 0
	    || tv_cells_columns(figure, panel, m->table, "facet", m->spec->facet, facet, &nfacets,
				err)
		       < 0
	    || tv_cells_column(figure, panel, m->table, "value", m->spec->value, &m->value, err)
		       < 0)
		return -1;
	if (nx == 0 || ny == 0 || m->value == NULL)
		return tv_fail_usage(err, "panel %s: --%s.%s is missing, expected a column",
				     panel->name, panel->name,
				     nx == 0   ? "x"
				     : ny == 0 ? "y"
					       : "value");
	if (!tv_cells_numeric(m->table, m->value))
		return tv_fail_usage(err, "--%s.value: column '%s' has no numbers", panel->name,
				     m->value->name);
	tv_categories_init(&m->x, m->table, x, nx, m->spec->lack);
	tv_categories_init(&m->y, m->table, y, ny, NULL);
	choose_facets(m, facet, nfacets);
	tv_cells_title(&m->x_title, x[0]);
	tv_cells_title(&m->y_title, y[ny - 1]);
	if (m->x.n > SIDE_MAX || m->y.n > SIDE_MAX)
		return tv_fail_usage(err, "panel %s: %u x %u cells, max %d in a direction",
				     panel->name, m->x.n, m->y.n, SIDE_MAX);
	return 0;
}

static size_t at_cell(const struct map *m, uint32_t facet, uint32_t x, uint32_t y)
{
	return ((size_t)facet * m->y.n + y) * m->x.n + x;
}

static int read_cells(struct map *m, const struct tv_panel *panel, struct tv_error *err)
{
	size_t n = (size_t)m->x.n * m->y.n * m->facet.n;

	m->row = tv_alloc(n + 1, sizeof *m->row);
	m->tile = tv_alloc(m->facet.n + 1, sizeof *m->tile);
	m->low = INFINITY;
	m->high = -INFINITY;
	for (size_t i = 0; i < n; i++)
		m->row[i] = TV_NONE;
	for (uint32_t row = 0; row < m->table->nrows; row++) {
		uint32_t *cell;
		double value;

		if (m->x.of[row] == TV_NONE || m->y.of[row] == TV_NONE
		    || m->facet.of[row] == TV_NONE || !tv_cells_number(m->value, row, &value))
			continue;
		cell = &m->row[at_cell(m, m->facet.of[row], m->x.of[row], m->y.of[row])];
		if (*cell != TV_NONE)
			return tv_fail_usage(err,
					     "panel %s: two rows for %s, %s; --where chooses rows, "
					     "--%s.facet and --%s.y more columns",
					     panel->name, m->y.name[m->y.of[row]],
					     m->x.name[m->x.of[row]], panel->name, panel->name);
		*cell = row;
		m->low = fmin(m->low, value);
		m->high = fmax(m->high, value);
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t facet = (uint32_t)(i / ((size_t)m->x.n * m->y.n));

		if (m->row[i] != TV_NONE && (m->ntiles == 0 || m->tile[m->ntiles - 1] != facet))
			m->tile[m->ntiles++] = facet;
	}
	return 0;
}

static double value_of(const struct map *m, uint32_t row)
{
	double value = 0;

	tv_cells_number(m->value, row, &value);
	return value;
}

/* Numbers of a map have the same decimals: as many as show four digits of the largest one. */
static void number_text(const struct map *m, double value, char *out, size_t size)
{
	double max = fmax(fabs(m->low), fabs(m->high));
	int decimals = max >= 1e6 || (max > 0 && max < 1e-3) ? -1
		     : max >= 1000			     ? 0
		     : max >= 10			     ? 1
		     : max >= 1				     ? 2
							     : 3;

	if (decimals < 0)
		tv_number_text(out, size, value);
	else
		snprintf(out, size, "%.*f", decimals, value);
}

static void set_widths(struct map *m, struct tv_text *text)
{
	char number[64];

	m->names = tv_text_width(text, m->y_title.text, TV_TEXT_SMALL, false);
	for (uint32_t i = 0; i < m->y.n; i++)
		m->names = fmax(m->names, tv_text_width(text, m->y.name[i], TV_TEXT_SMALL, false));
	m->names = fmin(m->names, 120);
	for (size_t i = 0; i < (size_t)m->x.n * m->y.n * m->facet.n; i++)
		if (m->row[i] != TV_NONE) {
			number_text(m, value_of(m, m->row[i]), number, sizeof number);
			m->numbers = fmax(m->numbers,
					  tv_text_width(text, number, TV_TEXT_SMALL, false));
		}
}

/* The colors of the values between which others are mixed. */
static void set_keys(struct map *m)
{
	for (size_t i = 0; i < m->nstops; i++) {
		m->key[i] = (struct tv_key){ TV_KEY_AREA, m->stop[i].color, "" };
		snprintf(m->key[i].text, TV_KEY_TEXT, "%s%g",
			 i == 0 && m->low < m->stop[0].at		 ? "<= "
			 : i + 1 == m->nstops && m->high > m->stop[i].at ? ">= "
									 : "",
			 m->stop[i].at);
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	const struct tv_panel *panel = slot->panel;
	struct map *m = slot->state = tv_alloc(1, sizeof *m);
	const char *colors = tv_panel_option(figure, panel, "colors");
	struct tv_cells_title value = { "" };
	int rc;

	m->spec = panel->spec;
	if (colors == NULL)
		colors = m->spec->colors[figure->options->palette % TV_PALETTE_HMON];
	rc = tv_cells_table(figure, panel, &m->table, err);
	if (rc != 0)
		return rc;
	if (choose_columns(figure, panel, m, err) < 0 || read_cells(m, panel, err) < 0
	    || read_stops(m, panel, colors, err) < 0)
		return -1;
	if (m->ntiles > TILES_MAX)
		return tv_fail_usage(err, "panel %s: %u maps, max %d; --where chooses rows",
				     panel->name, m->ntiles, TILES_MAX);
	if (m->low > m->high)
		return tv_panel_nothing(figure, panel, "no cell has a value");
	if (m->spec->title != NULL)
		snprintf(m->title, sizeof m->title, "%s", m->spec->title);
	else
		snprintf(m->title, sizeof m->title, "%s: %.4g to %.4g",
			 tv_cells_title(&value, m->value), m->low, m->high);
	set_widths(m, figure->scene->text);
	set_keys(m);
	return 0;
}

/* ---- places ---- */

/* Above the cells: the name of the map where there are several, names of columns. */
static double header(const struct map *m)
{
	return (m->ntiles > 1 ? 3 : 2) * (TV_TEXT_SMALL * TV_TEXT_HEIGHT + 2 * gap);
}

static bool has_numbers(const struct map *m)
{
	return m->numbers + 2 * gap <= m->width && TV_TEXT_SMALL * TV_TEXT_HEIGHT <= m->height;
}

static double tile_width(const struct map *m)
{
	return m->names + pad + m->x.n * m->width;
}

/* Cells for a width: with numbers if these have room, else squares of a map that is not too large. Of
 * several maps as many beside each other as fit. */
static void set_cells(struct map *m, double width)
{
	m->width = fmin(m->ntiles > 1 ? m->numbers + 2 * gap + 4 : wide,
			(width - m->names - pad) / m->x.n);
	m->height = high;
	if (!has_numbers(m)) {
		m->width = fmin(m->width, square / fmax(m->x.n, m->y.n));
		m->height = m->width;
	}
	m->ncolumns = (uint32_t)fmax(1, floor((width + between) / (tile_width(m) + between)));
}

static uint32_t tile_rows(const struct map *m)
{
	return (m->ntiles + m->ncolumns - 1) / m->ncolumns;
}

/* Of the maps without their cells. */
static double overhead(const struct map *m)
{
	return tile_rows(m) * header(m) + (tile_rows(m) - 1) * between / 2;
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct map *m = slot->state;
	double width = tv_slot_width(figure, slot);

	(void)height;
	set_cells(m, width);
	slot->request.height = tv_strip_height(figure, m->title, m->key, m->nstops, width)
			     + overhead(m) + tile_rows(m) * m->y.n * m->height + 2;
	slot->request.min = slot->request.height;
}

/* ---- drawing ---- */

static uint32_t describe(struct tv_scene *scene, const struct map *m, uint32_t facet, uint32_t x,
			 uint32_t y)
{
	char text[700], number[64];

	if (!scene->labels)
		return 0;
	tv_number_text(number, sizeof number, value_of(m, m->row[at_cell(m, facet, x, y)]));
	snprintf(text, sizeof text, "%s%s%s, %s: %s %s", m->ntiles > 1 ? m->facet.name[facet] : "",
		 m->ntiles > 1 ? ", " : "", m->y.name[y], m->x.name[x], m->value->name, number);
	return tv_scene_string(scene, text);
}

static void draw_cell(struct tv_scene *scene, const struct map *m, uint32_t facet, uint32_t i,
		      uint32_t k, double x, double y)
{
	uint32_t row = m->row[at_cell(m, facet, i, k)];
	uint32_t color;
	char number[64];

	if (row == TV_NONE) {
		/* Gray diagonals, which no color of a value looks like. */
		tv_scene_pen(scene, "missing", "map");
		scene->pen.stroke = missing;
		tv_hatch_draw(scene, x, y, m->width, m->height, 3);
		return;
	}
	color = color_of(m, value_of(m, row));
	tv_scene_pen(scene, "cell", "map");
	scene->pen.fill = color;
	scene->pen.row = row;
	scene->pen.apart = true;
	scene->pen.label = describe(scene, m, facet, i, k);
	tv_scene_rect(scene, TV_PAGE, x, y, x + m->width, y + m->height);
	if (!has_numbers(m))
		return;
	tv_scene_pen(scene, "number", "map");
	scene->pen.fill = is_dark(color) ? TV_WHITE : TV_INK;
	number_text(m, value_of(m, row), number, sizeof number);
	tv_scene_text(scene, x + m->width / 2, y + m->height / 2, TV_CENTER, TV_TEXT_SMALL, false,
		      number);
}

/* Of a line of cells, from the top. */
static uint32_t place_of(const struct map *m, uint32_t k)
{
	return m->spec->up ? m->y.n - 1 - k : k;
}

/* Names of columns above the cells, of lines at their left; every second, third, ... where they have
 * no room. */
static void draw_names(struct tv_scene *scene, const struct map *m, double x, double y)
{
	double line = TV_TEXT_SMALL * TV_TEXT_HEIGHT, widest = 0;
	double title = TV_TEXT_SMALL * TV_TEXT_HEIGHT + 2 * gap, middle = y - title / 2;
	uint32_t across = 1, down = 1;
	char text[200];

	for (uint32_t i = 0; i < m->x.n; i++)
		widest = fmax(widest,
			      tv_text_width(scene->text, m->x.name[i], TV_TEXT_SMALL, false));
	while (across * m->width < widest + 2 * gap && across < m->x.n)
		across++;
	while (down * m->height < line)
		down++;
	tv_scene_pen(scene, "axis-title", "names");
	scene->pen.fill = TV_DIM;
	tv_scene_text(scene, x, middle - title, TV_LEFT, TV_TEXT_SMALL, false, m->x_title.text);
	tv_scene_text(scene, x - pad, middle, TV_RIGHT, TV_TEXT_SMALL, false,
		      tv_text_fit(scene->text, m->y_title.text, TV_TEXT_SMALL, false, m->names,
				  text, sizeof text));
	tv_scene_pen(scene, "name", "names");
	scene->pen.fill = TV_INK;
	for (uint32_t i = 0; i < m->x.n; i += across)
		tv_scene_text(scene, x + (i + 0.5) * m->width, middle, TV_CENTER, TV_TEXT_SMALL,
			      false,
			      tv_text_fit(scene->text, m->x.name[i], TV_TEXT_SMALL, false,
					  fmax(12, across * m->width - gap), text, sizeof text));
	for (uint32_t k = 0; k < m->y.n; k += down)
		tv_scene_text(scene, x - pad, y + (place_of(m, k) + 0.5) * m->height, TV_RIGHT,
			      TV_TEXT_SMALL, false,
			      tv_text_fit(scene->text, m->y.name[k], TV_TEXT_SMALL, false, m->names,
					  text, sizeof text));
}

static void draw_map(struct tv_scene *scene, const struct map *m, uint32_t facet, double x,
		     double y)
{
	char text[200];

	for (uint32_t k = 0; k < m->y.n; k++)
		for (uint32_t i = 0; i < m->x.n; i++)
			draw_cell(scene, m, facet, i, k, x + i * m->width,
				  y + place_of(m, k) * m->height);
	tv_border_draw(scene, &(struct tv_place){ .x = x,
						  .y = y,
						  .width = m->x.n * m->width,
						  .height = m->y.n * m->height });
	/* What lacks a category is no category: means. */
	if (m->x.lack != TV_NONE) {
		tv_scene_pen(scene, "means", "map");
		scene->pen.stroke = TV_INK;
		scene->pen.width = 0.8;
		tv_scene_line(scene, TV_PAGE, x + m->x.lack * m->width, y, x + m->x.lack * m->width,
			      y + m->y.n * m->height);
	}
	draw_names(scene, m, x, y);
	if (m->ntiles < 2)
		return;
	tv_scene_pen(scene, "facet", "names");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x - m->names - pad, y - header(m) * 5 / 6, TV_LEFT, TV_TEXT_SMALL,
		      true,
		      tv_text_fit(scene->text, m->facet.name[facet], TV_TEXT_SMALL, true,
				  tile_width(m), text, sizeof text));
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct map *m = slot->state;
	const struct tv_place *place = &slot->place;
	double strip = tv_strip_height(figure, m->title, m->key, m->nstops, place->width);

	set_cells(m, place->width);
	m->height = fmin(m->height,
			 (place->height - strip - overhead(m)) / (tile_rows(m) * m->y.n));
	tv_strip_draw(figure, m->title, m->key, m->nstops, place->x, place->y + strip,
		      place->width);
	if (!(m->height > 0) || !(m->width > 0))
		return;
	for (uint32_t t = 0; t < m->ntiles; t++)
		draw_map(figure->scene, m, m->tile[t],
			 place->x + m->names + pad + t % m->ncolumns * (tile_width(m) + between),
			 place->y + strip + header(m)
				 + t / m->ncolumns
					   * (header(m) + m->y.n * m->height + between / 2));
}

static void release(struct tv_slot *slot)
{
	struct map *m = slot->state;

	tv_categories_release(&m->x);
	tv_categories_release(&m->y);
	tv_categories_release(&m->facet);
	tv_free(m->tile);
	tv_free(m->row);
	tv_free(m);
}

static const struct tv_option_spec options[] = {
	TV_OPTION_PASS,
	{ "x", "COLUMN,...", NULL, "columns of cells", TV_OPTION_LIST },
	{ "y", "COLUMN,...", NULL, "lines of cells", TV_OPTION_LIST },
	{ "facet", "COLUMN,...", NULL, "a map for each value", TV_OPTION_LIST },
	{ "value", "COLUMN", NULL, "number and color of a cell" },
	{ "colors", "VALUE=RRGGBB,...", NULL,
	  "colors of values, mixed between them (default: white for 0, darker for more, red-brown "
	  "below)" },
};

#define HEATMAP_PANEL \
	.kind = TV_FREE, .share = 3, TV_OPTIONS(options), .prepare = prepare, .measure = measure, \
	.layout = layout, .release = release

static const struct map_spec any = { .title = NULL };

const struct tv_panel tv_panel_heatmap = {
	.name = "heatmap",
	.title = "a color for each pair of values of two columns of any table",
	.needs = "a table that is no trace, or option pass",
	.table = "",
	HEATMAP_PANEL,
	.spec = &any,
};

static const struct map_spec errors = {
	.title = "error of simulations, %; positive: optimistic",
	.x = "Size|Workers|Cores|Case",
	.y = "Algorithm|Program,Model",
	.value = "Error",
	.lack = "mean",
};

const struct tv_panel tv_panel_error_table = {
	.name = "error-table",
	.title = "errors of simulations by model and case, with means",
	.needs = "a table of precision",
	.table = "Model Error Cases",
	HEATMAP_PANEL,
	.spec = &errors,
};

/* What the benchmark of overlap, examples/mpi, writes; other tables may have references only. */
#define OVERLAP_MAP \
	.x = "CommTarget|CommReference", .y = "ComputeTarget|ComputeReference", \
	.facet = "Library,Configuration,Call,Ranks,Nodes", .up = true

static const struct map_spec overhead_of = {
	.title = "overhead ratio: 0 hidden, 1 one after the other",
	.value = "OverheadRatio",
	.colors = { "-1=0000ff,0=00a000,1=ffff00,2=ff0000", "-1=08306b,0=6baed6,1=fff5c0,2=b35806",
		    "-1=ffffff,2=303030" },
	OVERLAP_MAP,
};

const struct tv_panel tv_panel_overhead_map = {
	.name = "overhead-map",
	.title = "overhead of communication with computation, by the time of each",
	.needs = "a table of examples/mpi, or with its columns",
	.table = "ComputeTarget CommTarget OverheadRatio",
	HEATMAP_PANEL,
	.spec = &overhead_of,
};

static const struct map_spec comm = {
	.title = "communication beside computation / alone: 0 hidden, 1 not hidden",
	.value = "CommRatio",
	.colors = { "0=0000ff,1=ffffff,2=ff0000", "0=2166ac,1=ffffff,2=b35806",
		    "0=ffffff,2=303030" },
	OVERLAP_MAP,
};

const struct tv_panel tv_panel_comm_map = {
	.name = "comm-map",
	.title = "time in communication calls beside computation, to that alone",
	.needs = "a table of examples/mpi, or with its columns",
	.table = "ComputeTarget CommTarget CommRatio",
	HEATMAP_PANEL,
	.spec = &comm,
};

static const struct map_spec slowdown = {
	.title = "computation beside communication / alone: 1 not slowed down",
	.value = "ComputeSlowdown",
	.colors = { "1=0000ff,1.5=ffffff,2=ff0000", "1=2166ac,1.5=ffffff,2=b35806",
		    "1=ffffff,2=303030" },
	OVERLAP_MAP,
};

const struct tv_panel tv_panel_slowdown_map = {
	.name = "slowdown-map",
	.title = "computation beside communication, to that alone",
	.needs = "a table of examples/mpi, or with its columns",
	.table = "ComputeTarget CommTarget ComputeSlowdown",
	HEATMAP_PANEL,
	.spec = &slowdown,
};
